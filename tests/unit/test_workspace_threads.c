/* SPDX-License-Identifier: MIT
 *
 * Several threads use one workspace at once: each finds what one alone finds. By hand, it is to be
 * run with -fsanitize=thread. */
#include "support/file_table.h"
#include "support/packing.h"

#include "ossa/export.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define SAMPLES OSSA_SAMPLE_DIR "/packed/"

enum { THREADS = 8, ROUNDS = 3 };

/* FNV-1a of everything that a thread has seen. */
struct sum {
    uint64_t hash;
};

static void add(struct sum *sum, const void *bytes, size_t size)
{
    const uint8_t *data = bytes;
    for (size_t i = 0; i < size; i++) sum->hash = (sum->hash ^ data[i]) * 1099511628211U;
}

static void add_text(struct sum *sum, const char *text)
{
    add(sum, text, strlen(text) + 1);
}

static bool add_written(void *user, const void *bytes, size_t size)
{
    add(user, bytes, size);
    return true;
}

static void sum_scene(ossa_workspace *workspace, struct sum *sum, const char *const *paths,
                      size_t count)
{
    ossa_error error;
    ossa_scene *scene = ossa_workspace_scene(workspace, paths, count, NULL, &error);
    if (scene == NULL) {
        add_text(sum, error.message);
        return;
    }
    const ossa_sink sink = {add_written, sum};
    add(sum, ossa_write_scene_json(scene, NULL, sink, NULL) ? "1" : "0", 1);
    ossa_scene_free(scene);
}

static void sum_scenes(ossa_workspace *workspace, struct sum *sum)
{
    static const char *const wyvern[] = {SAMPLES "figures.res#wyvern", SAMPLES "textures.res",
                                         SAMPLES "database.res"};
    static const char *const troll[] = {SAMPLES "figures.res#troll", SAMPLES "textures.res"};
    static const char *const bird[] = {SAMPLES "NICO.DAT#0x4d5", SAMPLES "NICO.DAT#0xcd4"};
    static const char *const ped[] = {"memory/ped.ar"};
    static const char *const rabbit[] = {"rabbit"}; /* a figure in what was added */
    sum_scene(workspace, sum, wyvern, 3);
    sum_scene(workspace, sum, troll, 2);
    sum_scene(workspace, sum, bird, 2);
    sum_scene(workspace, sum, ped, 1);
    sum_scene(workspace, sum, rabbit, 1);
}

static ossa_step sum_visit(void *user, const ossa_visit *visit)
{
    add_text(user, visit->path);
    add_text(user, visit->format == NULL ? "" : visit->format->id);
    add_text(user, visit->error == NULL ? "" : visit->error->message);
    if (visit->data != NULL) add(user, visit->data, (size_t)visit->size);
    return OSSA_STEP_INTO;
}

static void sum_walks(ossa_workspace *workspace, struct sum *sum)
{
    for (int detail = OSSA_DETAIL_NAMES; detail <= OSSA_DETAIL_FILES; detail++) {
        const ossa_walk_options walk = {.detail = (ossa_detail)detail,
                                        .deep = true,
                                        .search = detail != OSSA_DETAIL_BYTES,
                                        .visit = sum_visit,
                                        .user = sum};
        assert_true(ossa_workspace_walk(workspace, OSSA_SAMPLE_DIR "/packed", &walk, NULL));
        assert_true(ossa_workspace_walk(workspace, "memory", &walk, NULL));
    }
}

static void sum_files(ossa_workspace *workspace, struct sum *sum)
{
    static const char *const paths[] = {
        SAMPLES "figures.res#troll.mod#hp",      SAMPLES "figures.res#troll.anm#cwalk#hd",
        SAMPLES "figures.res#wyvern.mod#wyvern", SAMPLES "rabbit.pak#rabbit/hop.anm",
        "memory/ped.ar#anim/walk.anim",          SAMPLES "figures.res#nobody"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        ossa_error error;
        ossa_bytes bytes;
        ossa_file *file = ossa_workspace_open(workspace, paths[i], NULL, &error);
        add_text(sum, file == NULL ? error.message : file->format->id);
        ossa_file_free(file);
        if (!ossa_workspace_bytes(workspace, paths[i], &bytes, &error)) continue;
        add(sum, bytes.data, bytes.size);
        ossa_bytes_free(&bytes);
    }
}

static void sum_figures(ossa_workspace *workspace, struct sum *sum)
{
    ossa_figures *figures = ossa_workspace_figures(workspace, NULL, NULL);
    assert_non_null(figures);
    for (size_t i = 0; i < figures->count; i++) {
        const ossa_figure *figure = &figures->items[i];
        add_text(sum, figure->name);
        for (size_t k = 0; k < figure->path_count; k++) add_text(sum, figure->paths[k]);
        ossa_survey *survey =
            ossa_workspace_survey(workspace, figure->paths, figure->path_count, NULL);
        assert_non_null(survey);
        for (size_t k = 0; k < survey->clip_count; k++) add_text(sum, survey->clips[k].name);
        ossa_survey_free(survey);
    }
    ossa_figures_free(figures);
}

/* More archives than stay open: some go while others are used. */
enum { ARCHIVES = 1100 };

static void sum_many(ossa_workspace *workspace, struct sum *sum)
{
    for (unsigned i = 0; i < ARCHIVES; i++) {
        char path[32];
        ossa_bytes bytes;
        (void)snprintf(path, sizeof path, "many.res#%u.res#x", i);
        assert_true(ossa_workspace_bytes(workspace, path, &bytes, NULL));
        add(sum, bytes.data, bytes.size);
        ossa_bytes_free(&bytes);
    }
}

static struct bytes make_many(void)
{
    static char names[ARCHIVES][16];
    static ossa_packing entries[ARCHIVES];
    struct bytes inner[ARCHIVES];
    for (unsigned i = 0; i < ARCHIVES; i++) {
        (void)snprintf(names[i], sizeof names[i], "%u.res", i);
        const ossa_packing entry = {"x", (const uint8_t *)names[i], sizeof names[i], 1};
        inner[i] = pack_or_fail("ei-res", names[i], &entry, 1);
        entries[i] = (ossa_packing){names[i], inner[i].data, inner[i].size, 1};
    }
    struct bytes all = pack_or_fail("ei-res", "many", entries, ARCHIVES);
    for (unsigned i = 0; i < ARCHIVES; i++) bytes_free(&inner[i]);
    return all;
}

typedef void work(ossa_workspace *workspace, struct sum *sum);
static work *const works[] = {sum_scenes, sum_walks, sum_files, sum_figures, sum_many};
enum { WORKS = sizeof works / sizeof works[0] };

struct thread {
    ossa_workspace *workspace;
    unsigned first; /* work */
    struct sum sums[WORKS];
};

static void *run(void *user)
{
    struct thread *thread = user;
    for (unsigned i = 0; i < WORKS; i++) {
        unsigned k = (thread->first + i) % WORKS;
        works[k](thread->workspace, &thread->sums[k]);
    }
    return NULL;
}

static ossa_workspace *new_workspace(void)
{
    ossa_workspace *workspace = ossa_workspace_new(NULL, NULL);
    struct bytes many = make_many();
    assert_true(ossa_workspace_add_memory(workspace, "many.res", many.data, many.size, NULL));
    bytes_free(&many);
    struct bytes ped = load_test_file("../samples/packed/ped.ar");
    assert_true(ossa_workspace_add_memory(workspace, "memory/ped.ar", ped.data, ped.size, NULL));
    assert_true(ossa_workspace_add(workspace, OSSA_SAMPLE_DIR "/packed", NULL));
    bytes_free(&ped);
    return workspace;
}

static void threads_find_what_one_finds(void **state)
{
    (void)state;
    struct thread alone = {.workspace = new_workspace()};
    (void)run(&alone);
    ossa_workspace_free(alone.workspace);
    for (unsigned round = 0; round < ROUNDS; round++) {
        ossa_workspace *workspace = new_workspace();
        pthread_t ids[THREADS];
        struct thread threads[THREADS];
        for (unsigned i = 0; i < THREADS; i++) {
            threads[i] = (struct thread){.workspace = workspace, .first = i + round};
            assert_int_equal(pthread_create(&ids[i], NULL, run, &threads[i]), 0);
        }
        for (unsigned i = 0; i < THREADS; i++) assert_int_equal(pthread_join(ids[i], NULL), 0);
        for (unsigned i = 0; i < THREADS; i++) {
            for (unsigned k = 0; k < WORKS; k++) {
                require(threads[i].sums[k].hash == alone.sums[k].hash, "threads",
                        "thread %u, work %u, round %u", i, k, round);
            }
        }
        ossa_workspace_free(workspace);
    }
}

TEST_GROUP(test_workspace_threads)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_find_what_one_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
