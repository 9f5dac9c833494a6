/* SPDX-License-Identifier: MIT
 *
 * What it costs to read the files of a figure and to make a scene of them, as multiples of a memcpy
 * of their bytes. bench_wasm.mjs compares it with the module for browsers.
 *
 *     bench_load [--samples N] [--seconds] [FOLDER...]
 *
 * With --seconds, the best time of one scene per folder, and nothing else. */
#include "ossa/workspace.h"

#include "bench.h"

#include <stdbool.h>

enum { MOST_FILES = 1024 };

/* The files of a folder, in memory. */
struct figure {
    const char *folder;
    ossa_workspace *workspace;
    size_t size;
    size_t count;
    uint8_t *bytes;
    uint8_t *copy;
};

static ossa_step add(void *user, const ossa_visit *visit)
{
    struct figure *figure = user;
    if (visit->is_archive || visit->data == NULL) return OSSA_STEP_INTO;
    ossa_error error;
    if (++figure->count > MOST_FILES ||
        !ossa_workspace_add_memory(figure->workspace, visit->path, visit->data, (size_t)visit->size,
                                   &error)) {
        fprintf(stderr, "%s: cannot be added\n", visit->path);
        exit(1);
    }
    figure->size += (size_t)visit->size;
    return OSSA_STEP_INTO;
}

static void load(struct figure *figure)
{
    ossa_workspace *disk = must(ossa_workspace_new(NULL, NULL));
    const ossa_walk_options options = {.detail = OSSA_DETAIL_BYTES, .visit = add, .user = figure};
    ossa_error error;
    figure->workspace = must(ossa_workspace_new(NULL, NULL));
    if (!ossa_workspace_walk(disk, figure->folder, &options, &error) || figure->count == 0) {
        fprintf(stderr, "%s: no files, or they cannot be read\n", figure->folder);
        exit(1);
    }
    ossa_workspace_free(disk);
    figure->bytes = must(calloc(1, figure->size));
    figure->copy = must(calloc(1, figure->size));
}

static void make_scene(void *user)
{
    struct figure *figure = user;
    ossa_error error;
    ossa_scene *scene = ossa_workspace_scene(figure->workspace, &figure->folder, 1, NULL, &error);
    if (scene == NULL || scene->bone_count == 0) {
        fprintf(stderr, "%s: %s\n", figure->folder, error.message);
        exit(1);
    }
    ossa_scene_free(scene);
}

/* Behind a pointer that the compiler cannot see through: the copy must really be made. */
static void *(*volatile copy_bytes)(void *, const void *, size_t) = memcpy;

static void do_copy(void *user)
{
    struct figure *figure = user;
    (void)copy_bytes(figure->copy, figure->bytes, figure->size);
}

static double best_of(struct figure *figure, size_t samples)
{
    double best = 1e9;
    for (size_t i = 0; i < samples; i++) {
        struct work work = {make_scene, figure, 1};
        double time = time_of(&work);
        if (time < best) best = time;
    }
    return best;
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {"samples/troll", "samples/bird", "samples/rabbit"};
    size_t samples = samples_from(argc, argv, 31);
    const char *folders[16];
    size_t count = 0;
    bool is_raw = false;
    for (int i = 1; i < argc && count < 16; i++) {
        if (strcmp(argv[i], "--samples") == 0) i++;
        else if (strcmp(argv[i], "--seconds") == 0) is_raw = true;
        else folders[count++] = argv[i];
    }
    for (size_t i = 0; count < 3 && i < 3 && !is_raw; i++) folders[count++] = usual[i];
    if (!is_raw) printf("A scene from files in memory (medians of %zu):\n", samples);
    for (size_t i = 0; i < count; i++) {
        struct figure figure = {.folder = folders[i]};
        load(&figure);
        if (is_raw) {
            printf("%.9f\n", best_of(&figure, samples));
        } else {
            const struct work scene = {make_scene, &figure, 0};
            const struct work copy = {do_copy, &figure, 0};
            printf("%-26s %9zu bytes %9.1f x memcpy\n", figure.folder, figure.size,
                   ratio(scene, copy, samples));
        }
        ossa_workspace_free(figure.workspace);
        free(figure.bytes);
        free(figure.copy);
    }
    return 0;
}
