/* SPDX-License-Identifier: MIT
 *
 * From files to a scene to an output with memory that runs out, sinks that refuse, limits, and
 * files that were damaged: nothing may crash, leak or run wild. */
#include "support/counting.h"
#include "support/made_scene.h"
#include "support/scenes.h"
#include "support/tmd_fixture.h"
#include "ossa/export.h"

#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

enum { VECTORS = sizeof pose_vectors / sizeof pose_vectors[0] };
enum { KINDS = 5 }; /* of output: GLB, glTF and its buffer, JSON, BVH, CSV */

/* `ei` must live as long as the options. */
static ossa_scene_options options_of(const struct character *character, ossa_ei_options *ei)
{
    *ei = (ossa_ei_options){0};
    memcpy(ei->complexion, character->complexion, sizeof ei->complexion);
    return (ossa_scene_options){.boxes = true, .ei = ei};
}

/* ---- memory that runs out ------------------------------------------------------------------ */

/* All steps with an allocator that may fail once; true when it went well to the end. */
static bool go_through(const struct scene_files *files, const ossa_scene_options *base,
                       struct counting *counting, ossa_error *error)
{
    ossa_scene_options options = *base;
    options.allocator = counting_allocator(counting);
    ossa_scene *scene = ossa_assemble(files->inputs, files->count, &options, error);
    bool ok = scene != NULL;
    for (unsigned kind = 0; kind < 3 && ok; kind++) {
        ossa_buffer text = {.allocator = options.allocator};
        ossa_buffer bin = {.allocator = options.allocator};
        ossa_export_options gltf = {.allocator = options.allocator,
                                    .bin_uri = kind == 1 ? "x.bin" : NULL,
                                    .json_style = OSSA_JSON_STYLE_PRETTY};
        if (kind < 2) {
            ok = ossa_write_gltf(scene, &gltf, ossa_buffer_sink(&text), ossa_buffer_sink(&bin),
                                 error);
        } else {
            ok = ossa_write_scene_json(scene, &gltf, ossa_buffer_sink(&text), error);
        }
        ossa_buffer_free(&text);
        ossa_buffer_free(&bin);
    }
    ossa_scene_free(scene);
    return ok;
}

static void require_clean(const char *name, const struct counting *counting, size_t failure)
{
    require(counting->live == 0, name, "%zu bytes leak when allocation %zu fails", counting->live,
            failure);
    require(!counting->wrong_release, name, "a wrong release when allocation %zu fails", failure);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (size_t i = 0; i < VECTORS; i++) {
        const char *name = pose_vectors[i].name;
        struct scene_files files = {0};
        add_folder(&files, pose_vectors[i].folder);
        for (unsigned join = 0; join < 2; join++) {
            ossa_ei_options ei;
            ossa_scene_options options = options_of(&pose_vectors[i], &ei);
            ei.resample = 2; /* warns, or makes more keys */
            options.join = join == 1;
            struct counting counting = {0};
            ossa_error error;
            require(go_through(&files, &options, &counting, &error), name, "%s", error.message);
            require_clean(name, &counting, 0);
            const size_t calls = counting.calls;
            assert_true(calls > 10);
            for (size_t n = 1; n <= calls; n++) {
                counting = (struct counting){.fail_at = n};
                memset(&error, 0, sizeof error);
                bool ok = go_through(&files, &options, &counting, &error);
                require(counting.failed, name, "allocation %zu did not happen again", n);
                require(!ok, name, "all is well without allocation %zu", n);
                /* A buffer without memory is a sink that refuses. */
                require(error.code == OSSA_CODE_OUT_OF_MEMORY || error.code == OSSA_CODE_IO, name,
                        "allocation %zu: %s", n, ossa_code_name(error.code));
                require(error.message[0] != '\0', name, "allocation %zu: no message", n);
                require_clean(name, &counting, n);
            }
        }
        free_files(&files);
    }
}

/* ---- limits -------------------------------------------------------------------------------- */

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

static void every_memory_limit_is_kept(void **state)
{
    (void)state;
    for (size_t i = 0; i < VECTORS; i++) {
        struct scene_files files = {0};
        add_folder(&files, pose_vectors[i].folder);
        ossa_scene *scene = NULL;
        size_t refused = 0;
        for (uint64_t limit = 1; scene == NULL; limit = limit * 5 / 4 + 64) {
            struct counting counting = {0};
            ossa_ei_options ei;
            ossa_scene_options options = options_of(&pose_vectors[i], &ei);
            options.allocator = counting_allocator(&counting);
            options.max_memory = limit;
            ossa_error error;
            scene = ossa_assemble(files.inputs, files.count, &options, &error);
            require(counting.peak <= limit, pose_vectors[i].name, "%zu bytes with a limit of %llu",
                    counting.peak, (unsigned long long)limit);
            require(scene != NULL || error.code == OSSA_CODE_LIMIT, pose_vectors[i].name, "%s",
                    error.message);
            refused += scene == NULL;
            ossa_scene_free(scene);
            require(counting.live == 0, pose_vectors[i].name, "a leak");
        }
        assert_true(refused > 5);
        free_files(&files);
    }
}

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
    assert_true(counting.peak <= (UINT64_C(64) << 20) + 64 * size);
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

/* ---- sinks that refuse --------------------------------------------------------------------- */

struct bad_sink {
    size_t calls;
    size_t fail_at; /* this call and all later ones refuse; 0: none */
    size_t after;   /* calls after one was refused */
};

static bool write_bad(void *user, const void *bytes, size_t size)
{
    struct bad_sink *sink = user;
    (void)bytes;
    assert_true(size > 0);
    sink->calls++;
    if (sink->fail_at == 0 || sink->calls < sink->fail_at) return true;
    if (sink->calls > sink->fail_at) sink->after++;
    return false;
}

static bool write_every_bvh(const ossa_scene *scene, ossa_sink to, ossa_error *error)
{
    bool ok = true;
    for (uint32_t c = 0; c < scene->clip_count && ok; c++) {
        ok = ossa_write_bvh(scene, &scene->clips[c], NULL, to, error);
    }
    return ok;
}

static bool write_kind(const ossa_scene *scene, unsigned kind, struct bad_sink *sink,
                       ossa_error *error)
{
    ossa_sink to = {write_bad, sink};
    const ossa_export_options pair = {.bin_uri = "x.bin"};
    switch (kind) {
    case 0: return ossa_write_gltf(scene, NULL, to, (ossa_sink){0}, error);
    case 1: return ossa_write_gltf(scene, &pair, to, to, error);
    case 2: return ossa_write_scene_json(scene, NULL, to, error);
    case 3: return write_every_bvh(scene, to, error);
    default: return ossa_write_csv(scene, NULL, to, error);
    }
}

static void every_write_may_be_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < VECTORS; i++) {
        ossa_ei_options ei;
        ossa_scene_options options = options_of(&pose_vectors[i], &ei);
        ossa_scene *scene = assemble_character(&pose_vectors[i], &options);
        for (unsigned kind = 0; kind < KINDS; kind++) {
            struct bad_sink sink = {0};
            ossa_error error;
            assert_true(write_kind(scene, kind, &sink, &error));
            size_t calls = sink.calls;
            assert_true(calls > 0);
            for (size_t n = 1; n <= calls; n++) {
                sink = (struct bad_sink){.fail_at = n};
                assert_false(write_kind(scene, kind, &sink, &error));
                assert_int_equal(error.code, OSSA_CODE_IO);
                assert_string_equal(error.message, "the output could not be written");
                assert_int_equal(sink.after, 0); /* nobody asks again */
                assert_false(write_kind(scene, kind, &sink, NULL));
            }
        }
        ossa_scene_free(scene);
    }
}

/* ---- damaged files ------------------------------------------------------------------------- */

struct tries {
    size_t all;
    size_t read;
    size_t assembled;
};

/* One file of a character in another shape; what can be read goes all the way. */
static void try_damaged(struct scene_files *files, size_t index, const ossa_scene_options *base,
                        const uint8_t *data, size_t size, struct tries *tries)
{
    ossa_file *good = files->inputs[index].file;
    uint8_t *copy = malloc(size > 0 ? size : 1); /* exact: the sanitizer sees a byte past it */
    assert_non_null(copy);
    if (size > 0) memcpy(copy, data, size);
    ossa_options read = {.format = good->format->id};
    ossa_error error;
    ossa_file *file = ossa_read(copy, size, &read, &error);
    tries->all++;
    if (file != NULL) {
        struct counting counting = {0};
        ossa_scene_options options = *base;
        options.allocator = counting_allocator(&counting);
        tries->read++;
        files->inputs[index].file = file;
        ossa_scene *scene = ossa_assemble(files->inputs, files->count, &options, &error);
        require((scene != NULL) == (error.code == OSSA_CODE_OK), files->paths[index],
                "result and error");
        if (scene != NULL) {
            struct bad_sink sink = {0};
            tries->assembled++;
            require(ossa_scene_validate(scene, &error), files->paths[index], "%s", error.message);
            bool ok = write_kind(scene, (unsigned)(tries->assembled % KINDS), &sink, &error);
            require(ok || error.code == OSSA_CODE_BAD_SCENE, files->paths[index], "%s",
                    error.message);
            ossa_transform *pose = calloc(scene->bone_count + 1U, sizeof *pose);
            uint8_t *visible = calloc(scene->bone_count + 1U, 1);
            assert_true(pose != NULL && visible != NULL);
            for (uint32_t c = 0; c < scene->clip_count; c++) {
                ossa_sample(scene, &scene->clips[c], 0.123, OSSA_WRAP_LOOP, pose, visible);
                ossa_model_pose(scene, pose, pose);
            }
            free(pose);
            free(visible);
        } else {
            require(error.message[0] != '\0', files->paths[index], "no reason");
        }
        ossa_scene_free(scene);
        require(counting.live == 0, files->paths[index], "a leak");
        files->inputs[index].file = good;
        ossa_file_free(file);
    }
    free(copy);
}

static void damaged_files_are_survived(void **state)
{
    (void)state;
    static const uint32_t words[] = {0,          1,          2,          0x7fffffff, 0x80000000,
                                     0xffffffff, 0x7fc00000, 0x7f800000, 0x7f7fffff, 0x00000100};
    struct tries tries = {0};
    for (size_t i = 0; i < VECTORS; i++) {
        struct scene_files files = {0};
        ossa_ei_options ei;
        ossa_scene_options options = options_of(&pose_vectors[i], &ei);
        add_folder(&files, pose_vectors[i].folder);
        for (size_t n = 0; n < files.count; n++) {
            struct bytes *bytes = &files.bytes[n];
            /* Of the parts of one figure a few are gone through, the others sampled. */
            size_t stride = n < 3 || files.count < 5 ? 1 : 7;
            struct bytes damaged = bytes_copy(bytes->data, bytes->size);
            for (size_t cut = 0; cut < bytes->size; cut += 3 * stride) {
                try_damaged(&files, n, &options, bytes->data, cut, &tries);
            }
            for (size_t at = 0; at + 4 <= bytes->size; at += stride) {
                uint32_t original = get_u32(bytes, at);
                for (size_t w = at % 2; w < sizeof words / sizeof words[0]; w += 2) {
                    set_u32(&damaged, at, words[w]);
                    try_damaged(&files, n, &options, damaged.data, damaged.size, &tries);
                }
                set_u32(&damaged, at, original);
            }
            for (size_t at = 0; at < bytes->size; at += 2 * stride) {
                uint8_t original = bytes->data[at];
                damaged.data[at] = (uint8_t)(original + 1);
                try_damaged(&files, n, &options, damaged.data, damaged.size, &tries);
                damaged.data[at] = (uint8_t)(original ^ 0x80);
                try_damaged(&files, n, &options, damaged.data, damaged.size, &tries);
                damaged.data[at] = original;
            }
            bytes_free(&damaged);
        }
        free_files(&files);
    }
    print_message("%zu damaged files, %zu could be read, %zu posed\n", tries.all, tries.read,
                  tries.assembled);
    assert_true(tries.read > tries.all / 4);
    assert_true(tries.assembled > 1000);
}

/* Every fixture alone, and every readable pair of a game: what fits and what does not. */
static void every_pair_of_fixtures_is_survived(void **state)
{
    (void)state;
    const struct fixtures *all = fixtures_all();
    ossa_file **files = calloc(all->count, sizeof *files);
    assert_non_null(files);
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
            if (scene != NULL) {
                struct bad_sink sink = {0};
                assembled++;
                (void)write_kind(scene, (unsigned)(assembled % KINDS), &sink, &error);
            }
            ossa_scene_free(scene);
            require(counting.live == 0, all->items[k].name, "a leak");
        }
    }
    for (size_t i = 0; i < all->count; i++) ossa_file_free(files[i]);
    free(files);
    assert_true(assembled > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(many_bones_that_rest_are_refused),
        cmocka_unit_test(every_memory_limit_is_kept),
        cmocka_unit_test(a_small_file_does_not_make_a_large_scene),
        cmocka_unit_test(every_write_may_be_refused),
        cmocka_unit_test(damaged_files_are_survived),
        cmocka_unit_test(every_pair_of_fixtures_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
