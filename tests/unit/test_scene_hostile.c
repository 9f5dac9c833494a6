/* SPDX-License-Identifier: MIT
 *
 * From files to a scene to an output with memory that runs out, sinks that refuse, limits, and
 * files that were damaged: nothing may crash, leak or run wild. CTest runs it once per character.
 */
#include "support/counting.h"
#include "support/scenes.h"
#include "ossa/export.h"

#include <stdlib.h>
#include <string.h>

enum { VECTORS = sizeof pose_vectors / sizeof pose_vectors[0] };
enum { KINDS = 5 }; /* of output: GLB, glTF and its buffer, JSON, BVH, CSV */

/* Whether this run is about that character. */
static bool is_chosen(const struct character *character)
{
    return test_part == NULL || strcmp(character->name, test_part) == 0;
}

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
        if (!is_chosen(&pose_vectors[i])) continue;
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

static void every_memory_limit_is_kept(void **state)
{
    (void)state;
    for (size_t i = 0; i < VECTORS; i++) {
        if (!is_chosen(&pose_vectors[i])) continue;
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
        if (!is_chosen(&pose_vectors[i])) continue;
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
        if (!is_chosen(&pose_vectors[i])) continue;
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
    print_message("%u damaged files, %u could be read, %u posed\n", (unsigned)tries.all,
                  (unsigned)tries.read, (unsigned)tries.assembled);
    assert_true(tries.read > tries.all / 4);
    assert_true(tries.assembled > 100);
}

TEST_GROUP(test_scene_hostile)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(every_memory_limit_is_kept),
        cmocka_unit_test(every_write_may_be_refused),
        cmocka_unit_test(damaged_files_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
