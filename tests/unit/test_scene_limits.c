/* SPDX-License-Identifier: MIT
 *
 * What is assembled is bounded, whatever the files ask for; and any two files of a game either fit
 * or are refused. */
#include "support/counting.h"
#include "support/scenes.h"
#include "support/tmd_fixture.h"
#include "ossa/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bones that never move take no room in a file: what they would cost is bounded all the same. */
static void many_bones_that_rest_are_refused(void **state)
{
    (void)state;
    struct scene_files files = {0};
    (void)add_file(&files, "t.lnk", "ei-lnk", make_big_lnk(LNK_STAR, 6500));
    (void)add_file(&files, "walk/none.anm", "ei-anm", make_random_anm(1, 2));
    ossa_error error;
    assert_null(ossa_assemble(files.inputs, files.count, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_MISFIT); /* a part that the tree has not */
    free_files(&files);
    (void)add_file(&files, "t.lnk", "ei-lnk", make_big_lnk(LNK_STAR, 6500));
    char path[64];
    const ossa_ei_lnk *lnk = ossa_as_ei_lnk(files.inputs[0].file);
    (void)snprintf(path, sizeof path, "walk/%.*s.anm", (int)lnk->links[0].child.size,
                   lnk->links[0].child.bytes);
    (void)add_file(&files, path, "ei-anm", make_random_anm(1, 20000));
    assert_null(ossa_assemble(files.inputs, files.count, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_LIMIT);
    assert_non_null(strstr(error.message, "20000 keys of 6500 bones"));
    free_files(&files);
}

/* ---- many clips ---------------------------------------------------------------------------- */

/* One animation as many clips. */
struct many {
    ossa_input *inputs;
    char (*paths)[32];
    ossa_file *file;
    struct bytes bytes;
    size_t count;
};

/* `format` may print two numbers, of a pair and in it. */
static struct many make_many(size_t count, uint32_t poses, const char *format)
{
    struct many many = {.count = count, .bytes = make_big_anb(9, poses)};
    many.file = read_or_fail("many", many.bytes.data, many.bytes.size, NULL);
    many.inputs = calloc(count, sizeof *many.inputs);
    many.paths = calloc(count, sizeof *many.paths);
    assert_non_null(many.inputs);
    assert_non_null(many.paths);
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(many.paths[i], sizeof many.paths[i], format, i / 2, i % 2);
        many.inputs[i] = (ossa_input){.path = many.paths[i], .file = many.file};
    }
    return many;
}

static void free_many(struct many *many)
{
    ossa_file_free(many->file);
    bytes_free(&many->bytes);
    free(many->inputs);
    free(many->paths);
}

static size_t peak_of(const struct many *many, ossa_scene_options options, uint32_t clips,
                      uint32_t frames)
{
    struct counting counting = {0};
    ossa_error error;
    options.allocator = counting_allocator(&counting);
    ossa_scene *scene = ossa_assemble(many->inputs, many->count, &options, &error);
    require(scene != NULL, "many", "%s", error.message);
    if (scene == NULL) return 0; /* it was required: for clang-tidy */
    assert_int_equal(scene->clip_count, clips);
    assert_int_equal(scene->clips[clips - 1].frame_count, frames);
    ossa_scene_free(scene);
    assert_int_equal(counting.live, 0);
    return counting.peak;
}

/* All as one, and as many series of two: memory grows with the clips, and neither takes a step for
 * each pair of clips. */
static void many_clips_are_joined(void **state)
{
    (void)state;
    enum { FEW = 1600, MANY = 16000 };
    const ossa_scene_options join = {.join = true};
    struct many few = make_many(FEW, 5, "w%zu%zu.anb");
    struct many many = make_many(MANY, 5, "w%zu%zu.anb");
    size_t memory = peak_of(&few, join, 1, 5 * FEW);
    assert_true(peak_of(&many, join, 1, 5 * MANY) < 12 * memory);
    free_many(&many);
    many = make_many(MANY, 5, "w%zux%zu.anb");
    assert_true(peak_of(&many, join, MANY / 2, 10) < 12 * memory);
    free_many(&few);
    free_many(&many);
}

static bool wants_one(void *user, const char *name)
{
    (*(size_t *)user)++;
    return strcmp(name, "clip2") == 0;
}

/* What is not wanted is not computed, but the names are those of all clips. */
static void unwanted_clips_cost_nothing(void **state)
{
    (void)state;
    enum { MANY = 1000, POSES = 60 };
    size_t asked = 0;
    struct many many = make_many(MANY, POSES, "clip.anb");
    const ossa_scene_options one = {.wants_clip = wants_one, .user = &asked};
    size_t all = peak_of(&many, (ossa_scene_options){0}, MANY, POSES);
    assert_true(peak_of(&many, one, 1, POSES) < all / 10);
    assert_int_equal(asked, MANY);
    free_many(&many);
}

/* ---- large clips --------------------------------------------------------------------------- */

/* 30,000 frames of 255 objects would be 300 MB, from a file of 60 KB. */
static void a_small_file_does_not_make_a_large_scene(void **state)
{
    (void)state;
    enum { FRAMES = 30000, OBJECTS = 255 };
    struct vib_maker vib = begin_vib(60, FRAMES);
    static const int some[3] = {100, 200, 300};
    static const int other[3] = {-100, 50, 3000};
    for (uint32_t f = 0; f < FRAMES; f++) {
        add_vib_frame(&vib);
        for (uint32_t o = 0; o < OBJECTS && (f == 0 || f == FRAMES / 2); o++) {
            add_vib_key(&vib, o, f == 0 ? some : other, f == 0 ? other : some,
                        f == 0 ? some : other);
        }
    }
    struct scene_files files = {0};
    struct bytes file = end_vib(&vib);
    uint64_t size = file.size;
    (void)add_file(&files, "long.anm", "vib-anm", file);
    struct counting counting = {0};
    ossa_scene_options options = {.allocator = counting_allocator(&counting)};
    ossa_error error;
    ossa_scene *scene = ossa_assemble(files.inputs, files.count, &options, &error);
    assert_true(counting.peak <= (UINT64_C(80) << 20) + 64 * size);
    assert_null(scene);
    assert_int_equal(error.code, OSSA_CODE_LIMIT);
    assert_int_equal(counting.live, 0);
    /* Who wants it can have it. */
    options.max_memory = UINT64_C(1) << 30;
    scene = ossa_assemble(files.inputs, files.count, &options, &error);
    assert_non_null(scene);
    assert_int_equal(scene->clips[0].frame_count, FRAMES);
    ossa_scene_free(scene);
    assert_int_equal(counting.live, 0);
    free_files(&files);
}

static bool discard(void *user, const void *bytes, size_t size)
{
    (void)user;
    (void)bytes;
    return size > 0;
}

enum { OUTPUTS = 4 };

/* In the kind of output whose turn it is; not every scene can be written as every kind. */
static void write_somehow(const ossa_scene *scene, size_t index)
{
    const ossa_sink sink = {.write = discard};
    const ossa_clip *clip = scene->clip_count > 0 ? &scene->clips[0] : NULL;
    ossa_error error;
    switch (index % OUTPUTS) {
    case 0: (void)ossa_write_gltf(scene, NULL, sink, (ossa_sink){0}, &error); break;
    case 1: (void)ossa_write_scene_json(scene, NULL, sink, &error); break;
    case 2: (void)(clip != NULL && ossa_write_bvh(scene, clip, NULL, sink, &error)); break;
    default: (void)ossa_write_csv(scene, NULL, sink, &error); break;
    }
}

/* Every fixture alone, and every readable pair of a game: what fits and what does not. */
static void every_pair_of_fixtures_is_survived(void **state)
{
    (void)state;
    const struct fixtures *all = fixtures_all();
    ossa_file **files = calloc(all->count, sizeof *files);
    bool *is_written = calloc(all->count, sizeof *is_written);
    assert_non_null(files);
    assert_non_null(is_written);
    for (size_t i = 0; i < all->count; i++) {
        if (fixture_is_readable(&all->items[i]) && all->items[i].bytes.size < 100000) {
            files[i] = read_fixture(&all->items[i]);
        }
    }
    size_t assembled = 0;
    for (size_t i = 0; i < all->count; i++) {
        for (size_t k = 0; k < all->count; k++) {
            if (files[i] == NULL || files[k] == NULL) continue;
            if (files[i]->format->kind == OSSA_KIND_ANIMATION) continue; /* once is enough */
            const ossa_input inputs[2] = {{.path = all->items[i].name, .file = files[i]},
                                          {.path = all->items[k].name, .file = files[k]}};
            struct counting counting = {0};
            const ossa_scene_options options = {.allocator = counting_allocator(&counting)};
            ossa_error error;
            ossa_scene *scene = ossa_assemble(inputs, 2, &options, &error);
            require((scene != NULL) == (error.code == OSSA_CODE_OK), all->items[k].name,
                    "result and error");
            /* Each fixture in every kind of output once; all pairs in all of them take too long. */
            for (size_t n = 0; scene != NULL && n < (is_written[k] ? 1 : OUTPUTS); n++) {
                write_somehow(scene, assembled + n);
            }
            if (scene != NULL) {
                is_written[k] = true;
                assembled++;
            }
            ossa_scene_free(scene);
            require(counting.live == 0, all->items[k].name, "a leak");
        }
    }
    for (size_t i = 0; i < all->count; i++) ossa_file_free(files[i]);
    free(files);
    free(is_written);
    assert_true(assembled > 20);
}

TEST_GROUP(test_scene_limits)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_bones_that_rest_are_refused),
        cmocka_unit_test(many_clips_are_joined),
        cmocka_unit_test(unwanted_clips_cost_nothing),
        cmocka_unit_test(a_small_file_does_not_make_a_large_scene),
        cmocka_unit_test(every_pair_of_fixtures_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
