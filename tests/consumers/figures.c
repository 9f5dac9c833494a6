/* SPDX-License-Identifier: MIT
 *
 * A user's program in C, as old as the headers allow: lists the figures below a folder, with a
 * checksum of everything in their scenes. */
#ifdef TWO_FILES
#include "ossa.h"
#else
#include <ossa/ossa.h>
#endif

#include <stdio.h>
#include <stdlib.h>

static unsigned long checksum(const ossa_buffer *buffer)
{
    unsigned long sum = 2166136261UL; /* FNV-1a */
    size_t i;
    for (i = 0; i < buffer->size; i++) {
        sum = ((sum ^ buffer->data[i]) * 16777619UL) & 0xFFFFFFFFUL;
    }
    return sum;
}

static void fail(const ossa_error *error)
{
    char text[1024];
    ossa_error_text(error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    exit(1);
}

static void print(ossa_workspace *workspace, const ossa_figure *figure)
{
    ossa_error error;
    ossa_buffer json = {0};
    ossa_scene *scene =
        ossa_workspace_scene(workspace, figure->paths, figure->path_count, NULL, &error);
    if (scene == NULL) fail(&error);
    if (!ossa_write_scene_json(scene, NULL, ossa_buffer_sink(&json), &error)) fail(&error);
    printf("%s: %u bones, %u clips, %08lx\n", figure->name, (unsigned)scene->bone_count,
           (unsigned)scene->clip_count, checksum(&json));
    ossa_buffer_free(&json);
    ossa_scene_free(scene);
}

int main(int argc, char **argv)
{
    size_t i;
    ossa_error error;
    ossa_figures *figures = NULL;
    ossa_workspace *workspace = ossa_workspace_new(NULL, &error);
    if (workspace != NULL && argc == 2) {
        figures = ossa_workspace_figures(workspace, argv[1], &error);
    }
    if (figures == NULL) fail(&error);
    if (ossa_version() != OSSA_VERSION) return 1;
    for (i = 0; i < figures->count; i++) print(workspace, &figures->items[i]);
    ossa_figures_free(figures);
    ossa_workspace_free(workspace);
    return 0;
}
