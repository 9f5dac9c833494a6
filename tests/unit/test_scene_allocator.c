/* SPDX-License-Identifier: MIT
 *
 * An allocator of which only one function is set is refused, and not replaced in silence. */
#include "support/fixtures.h"
#include "support/made_scene.h"
#include "support/testing.h"
#include "ossa/ossa.h"

#include <stdlib.h>
#include <string.h>

static size_t called;

static void *allocate(void *user, size_t size)
{
    (void)user;
    called++;
    return malloc(size);
}

static void release(void *user, void *memory, size_t size)
{
    (void)user;
    (void)size;
    called++;
    free(memory);
}

static bool take_anything(void *user, const void *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)user += size;
    return true;
}

static const struct made_plan plan = {.seed = 31,
                                      .bones = 6,
                                      .clips = 2,
                                      .frames = {4, 3},
                                      .has_mesh = true,
                                      .has_materials = true,
                                      .cameras = 1};

static void require_refused(const char *what, bool ok, ossa_error *error)
{
    require(!ok, what, "the allocator is accepted");
    require(error->code == OSSA_CODE_BAD_ARGUMENT, what, "%s: %s", ossa_code_name(error->code),
            error->message);
    assert_string_equal(error->message, "the allocator has only one of allocate and release");
    assert_int_equal(called, 0);
    memset(error, 0, sizeof *error);
}

static void require_files(ossa_allocator half)
{
    static const char json[] =
        "{\"ossa\":1,\"format\":\"ei-lnk\",\"size\":4,\"data\":{\"links\":[]}}";
    const struct fixture *fixture = fixture_find("ei-lnk/troll");
    const struct fixture *packed = fixture_find("mm-ar/zip");
    const ossa_options options = {.allocator = half};
    ossa_error error = {0};
    ossa_bytes bytes;
    bool ok = ossa_read(fixture->bytes.data, fixture->bytes.size, &options, &error) != NULL;
    require_refused("ossa_read", ok, &error);
    ok = ossa_build(json, sizeof json - 1, &options, &error) != NULL;
    require_refused("ossa_build", ok, &error);
    ossa_file *archive = ossa_read(packed->bytes.data, packed->bytes.size, NULL, &error);
    assert_non_null(archive);
    require_refused("ossa_entry_bytes", ossa_entry_bytes(archive, 0, &options, &bytes, &error),
                    &error);
    ossa_file_free(archive);

    ossa_file *file = ossa_read(fixture->bytes.data, fixture->bytes.size, NULL, &error);
    const ossa_input input = {.path = "a.lnk", .file = file};
    const ossa_scene_options scene = {.allocator = half};
    ok = ossa_assemble(&input, 1, &scene, &error) != NULL;
    require_refused("ossa_assemble", ok, &error);
    ossa_file_free(file);
}

static void require_scenes(ossa_allocator half)
{
    struct made_scene made;
    size_t size = 0;
    ossa_error error = {0};
    const ossa_sink sink = {take_anything, &size};
    const ossa_export_options options = {.allocator = half};
    const ossa_runtime_options runtime = {.allocator = half};
    const ossa_workspace_options workspace = {.allocator = half};
    const ossa_scene_options scene = {.allocator = half};
    const ossa_diff_options diff = {.scene = &scene};
    make_scene(&made, &plan);
    require_refused("gltf", ossa_write_gltf(&made.scene, &options, sink, sink, &error), &error);
    require_refused("csv", ossa_write_csv(&made.scene, &options, sink, &error), &error);
    require_refused("scene json", ossa_write_scene_json(&made.scene, &options, sink, &error),
                    &error);
    require_refused("bvh", ossa_write_bvh(&made.scene, made.clips, &options, sink, &error), &error);
    bool ok = ossa_runtime_new(&made.scene, made.clips, &runtime, &error) != NULL;
    require_refused("ossa_runtime_new", ok, &error);
    ok = ossa_workspace_new(&workspace, &error) != NULL;
    require_refused("ossa_workspace_new", ok, &error);
    require_refused("diff", ossa_diff_scenes(&made.scene, &made.scene, &diff, NULL, &error),
                    &error);
    assert_int_equal(size, 0);
    free_made_scene(&made);
}

static void half_an_allocator_is_refused(void **state)
{
    (void)state;
    const ossa_allocator halves[] = {{.allocate = allocate}, {.release = release}};
    for (size_t i = 0; i < 2; i++) {
        ossa_buffer buffer = {.allocator = halves[i]};
        called = 0;
        require_files(halves[i]);
        require_scenes(halves[i]);
        ossa_sink sink = ossa_buffer_sink(&buffer);
        assert_false(sink.write(sink.user, "x", 1));
        ossa_buffer_free(&buffer);
        assert_int_equal(called, 0);
    }
}

static void nothing_can_be_freed(void **state)
{
    (void)state;
    ossa_buffer_free(NULL);
    ossa_bytes_free(NULL);
    ossa_file_free(NULL);
    ossa_scene_free(NULL);
}

TEST_GROUP(test_scene_allocator)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_an_allocator_is_refused),
        cmocka_unit_test(nothing_can_be_freed),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
