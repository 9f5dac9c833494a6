/* SPDX-License-Identifier: MIT
 *
 * The files of a character as one GLB, with all its clips:
 *
 *     to_glb bird.glb bird/bird.skb bird/fly.anb bird/glide.anb */
#include "file_io.h"

#include <ossa/export.h>

static void print_warning(void *user, const ossa_issue *issue)
{
    char text[1024];
    (void)user;
    (void)ossa_issue_text(issue, text, sizeof text);
    fprintf(stderr, "warning: %s\n", text);
}

/* With options.copy a file keeps its own bytes, so that these can be freed at once. */
static ossa_file *read_one(const char *path)
{
    size_t size;
    void *data = load_file(path, &size);
    if (data == NULL) return NULL;
    ossa_error error;
    ossa_options options = {.name = path, .copy = true};
    ossa_file *file = ossa_read(data, size, &options, &error);
    if (file == NULL) print_error(path, &error);
    free(data);
    return file;
}

/* What cannot be written whole is not left half. */
static bool write_glb(const ossa_scene *scene, const char *path)
{
    FILE *stream = fopen(path, "wb");
    if (stream == NULL) {
        perror(path);
        return false;
    }
    ossa_error error;
    ossa_export_options options = {.on_issue = print_warning};
    bool good = ossa_write_gltf(scene, &options, stream_sink(stream), (ossa_sink){0}, &error);
    if (!good) print_error(path, &error);
    if (fclose(stream) != 0 && good) { /* a full disk may show only now */
        perror(path);
        good = false;
    }
    if (!good) (void)remove(path);
    return good;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs("usage: to_glb OUTPUT.glb FILE...\n", stderr);
        return 2;
    }
    size_t count = (size_t)argc - 2;
    ossa_input *inputs = calloc(count, sizeof *inputs);
    bool good = inputs != NULL;
    for (size_t i = 0; good && i < count; i++) {
        inputs[i].path = argv[i + 2];
        inputs[i].file = read_one(argv[i + 2]);
        good = inputs[i].file != NULL;
    }
    ossa_scene *scene = NULL;
    if (good) {
        /* Boxes along the bones, so that a skeleton without a mesh can be seen. */
        ossa_error error;
        ossa_scene_options options = {.boxes = true, .on_issue = print_warning};
        scene = ossa_assemble(inputs, count, &options, &error);
        if (scene == NULL) print_error(argv[1], &error);
    }
    for (size_t i = 0; inputs != NULL && i < count; i++) ossa_file_free(inputs[i].file);
    free(inputs);
    good = scene != NULL && write_glb(scene, argv[1]);
    if (good) {
        printf("%s: %u bones, %u meshes, %u clips\n", argv[1], (unsigned)scene->bone_count,
               (unsigned)scene->mesh_count, (unsigned)scene->clip_count);
    }
    ossa_scene_free(scene);
    return good ? 0 : 1;
}
