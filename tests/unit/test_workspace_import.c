/* SPDX-License-Identifier: MIT
 *
 * Edited files put back through a workspace: what a program that calls the library may rely on. */
#include "support/counting.h"
#include "support/file_table.h"
#include "support/group.h"
#include "support/scenes.h"
#include "ossa/import.h"

#include <stdio.h>
#include <string.h>

enum { FRAMES = 5, BONES = 3 };

/* ---- an edit: the scene of a clip that moves otherwise ------------------------------------- */

struct edit {
    struct bytes skel;
    struct bytes before;
    struct bytes after;
    struct bytes glb; /* of `after` */
};

static bool collect(void *user, const void *data, size_t size)
{
    put_bytes(user, data, size);
    return true;
}

static ossa_workspace *open_workspace(const struct edit *edit, const ossa_allocator *allocator,
                                      ossa_error *error)
{
    ossa_workspace_options options = {0};
    if (allocator != NULL) options.allocator = *allocator;
    ossa_workspace *workspace = ossa_workspace_new(&options, error);
    if (workspace == NULL) return NULL;
    if (ossa_workspace_add_memory(workspace, "p/ped.skel", edit->skel.data, edit->skel.size,
                                  error) &&
        ossa_workspace_add_memory(workspace, "p/walk.anim", edit->before.data, edit->before.size,
                                  error) &&
        ossa_workspace_add_memory(workspace, "p/run.anim", edit->before.data, edit->before.size,
                                  error) &&
        ossa_workspace_add_memory(workspace, "e/ped.skel", edit->skel.data, edit->skel.size,
                                  error) &&
        ossa_workspace_add_memory(workspace, "e/walk.anim", edit->after.data, edit->after.size,
                                  error) &&
        (edit->glb.size == 0 ||
         ossa_workspace_add_memory(workspace, "walk.glb", edit->glb.data, edit->glb.size, error))) {
        return workspace;
    }
    ossa_workspace_free(workspace);
    return NULL;
}

static struct edit make_edit(void)
{
    struct edit edit = {make_skel(BONES), make_anim(7, FRAMES, BONES), {0}, {0}};
    static const char *const paths[] = {"e/ped.skel", "e/walk.anim"};
    edit.after = bytes_copy(edit.before.data, edit.before.size);
    /* One angle of the second bone in the second frame; at 8, each frame has 3 floats per bone and
     * 3 for the position. */
    float angle;
    uint8_t *at = edit.after.data + 8 + sizeof angle * ((3 * BONES + 3) + 6);
    memcpy(&angle, at, sizeof angle);
    angle += 0.1F;
    memcpy(at, &angle, sizeof angle);
    ossa_workspace *workspace = open_workspace(&edit, NULL, NULL);
    ossa_scene *scene = ossa_workspace_scene(workspace, paths, 2, NULL, NULL);
    assert_non_null(scene);
    assert_true(
        ossa_write_gltf(scene, NULL, (ossa_sink){collect, &edit.glb}, (ossa_sink){0}, NULL));
    ossa_scene_free(scene);
    ossa_workspace_free(workspace);
    return edit;
}

static void free_edit(struct edit *edit)
{
    bytes_free(&edit->skel);
    bytes_free(&edit->before);
    bytes_free(&edit->after);
    bytes_free(&edit->glb);
}

static const char *const edited[] = {"walk.glb"};
static const char *const originals[] = {"p/ped.skel", "p/walk.anim", "p/run.anim"};

/* ---- tests --------------------------------------------------------------------------------- */

static const ossa_import_clip *find_clip(const ossa_import *import, const char *name)
{
    for (size_t i = 0; i < import->clip_count; i++) {
        if (strcmp(import->clips[i].name, name) == 0) return &import->clips[i];
    }
    return NULL;
}

static const ossa_import_file *find_file(const ossa_import *import, const char *path)
{
    for (size_t i = 0; i < import->file_count; i++) {
        if (strcmp(import->files[i].path, path) == 0) return &import->files[i];
    }
    return NULL;
}

/* The result lives on without the workspace. */
static void changed_keys_are_written(void **state)
{
    (void)state;
    struct edit edit = make_edit();
    ossa_error error;
    ossa_workspace *workspace = open_workspace(&edit, NULL, NULL);
    ossa_import *import = ossa_workspace_import(workspace, edited, 1, originals, 3, NULL, &error);
    require(import != NULL, "import", "%s", error.message);
    assert_int_equal(error.code, OSSA_CODE_OK);
    ossa_workspace_free(workspace);
    if (import == NULL) return; /* for the analyser */
    assert_int_equal(import->clip_count, 2);
    const ossa_import_clip *walk = find_clip(import, "walk");
    const ossa_import_clip *run = find_clip(import, "run");
    assert_non_null(walk);
    assert_non_null(run);
    assert_int_equal(walk->state, OSSA_IMPORT_STATE_CHANGED);
    assert_int_equal(walk->frame_count, FRAMES);
    assert_int_equal(walk->file_count, 1);
    assert_non_null(walk->worst_name);
    assert_true(walk->degrees < 0.001 && walk->millimetres < 0.01);
    assert_int_equal(run->state, OSSA_IMPORT_STATE_MISSING);
    assert_int_equal(import->loss_count, 0);
    assert_int_equal(import->file_count, 3);
    assert_null(find_file(import, "p/ped.skel")->data);
    assert_null(find_file(import, "p/run.anim")->data);
    const ossa_import_file *file = find_file(import, "p/walk.anim");
    assert_non_null(file->data);
    assert_false(file->is_new);
    assert_int_equal(file->size, edit.before.size);
    /* The frames that were not edited have their bytes. */
    size_t frame = sizeof(float) * (3 * BONES + 3);
    assert_memory_equal(file->data, edit.before.data, 8 + frame);
    assert_memory_not_equal(file->data + 8 + frame, edit.before.data + 8 + frame, frame);
    size_t rest = 8 + 2 * frame;
    assert_memory_equal(file->data + rest, edit.before.data + rest, edit.before.size - rest);
    ossa_import_free(import);
    ossa_import_free(NULL);
    free_edit(&edit);
}

/* The scene of the originals with a weighted triangle, as a file of each kind. */
static struct bytes write_weighted(const ossa_scene *scene, bool is_json)
{
    static const float corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const float texcoords[3][2] = {{0, 0}, {1, 0}, {0, 1}};
    static const uint32_t joints[3][4] = {{0, 1, 2}, {1, 2}, {2}};
    static const float weights[3][4] = {{0.5F, 0.25F, 0.25F}, {0.75F, 0.25F}, {1.0F}};
    static const uint32_t order[3] = {0, 1, 2};
    const ossa_mesh mesh = {.name = "skin",
                            .vertex_count = 3,
                            .positions = corners,
                            .texcoords = texcoords,
                            .texcoords2 = texcoords,
                            .joints = joints,
                            .weights = weights,
                            .material = -1,
                            .index_count = 3,
                            .indices = order};
    ossa_scene with = *scene;
    struct bytes file = {0};
    ossa_sink sink = {collect, &file};
    with.meshes = &mesh;
    with.mesh_count = 1;
    bool ok = is_json ? ossa_write_scene_json(&with, NULL, sink, NULL)
                      : ossa_write_gltf(&with, NULL, sink, (ossa_sink){0}, NULL);
    assert_true(ok);
    return file;
}

/* Meshes are not imported, and a weighted one changes nothing. */
static void weighted_vertices_are_passed_over(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        struct edit edit = make_edit();
        ossa_error error;
        const char *const name = n == 0 ? "skin.glb" : "skin.json";
        ossa_workspace *workspace = open_workspace(&edit, NULL, NULL);
        ossa_scene *scene = ossa_workspace_scene(workspace, originals, 3, NULL, NULL);
        assert_non_null(scene);
        struct bytes file = write_weighted(scene, n == 1);
        assert_true(ossa_workspace_add_memory(workspace, name, file.data, file.size, NULL));
        ossa_import *import =
            ossa_workspace_import(workspace, &name, 1, originals, 3, NULL, &error);
        require(import != NULL, name, "%s", error.message);
        assert_int_equal(import->clip_count, 2);
        for (size_t i = 0; i < import->clip_count; i++) {
            assert_int_equal(import->clips[i].state, OSSA_IMPORT_STATE_UNCHANGED);
        }
        for (size_t i = 0; i < import->file_count; i++) assert_null(import->files[i].data);
        assert_int_equal(import->loss_count, 0);
        ossa_import_free(import);
        ossa_scene_free(scene);
        ossa_workspace_free(workspace);
        bytes_free(&file);
        free_edit(&edit);
    }
}

static void require_refused(const char *const *edits, size_t edit_count, const char *const *paths,
                            size_t count, const ossa_import_options *options, ossa_code code,
                            const char *message)
{
    struct edit edit = make_edit();
    ossa_error error;
    ossa_workspace *workspace = open_workspace(&edit, NULL, NULL);
    ossa_import *import =
        ossa_workspace_import(workspace, edits, edit_count, paths, count, options, &error);
    assert_null(import);
    require(error.code == code && strstr(error.message, message) != NULL, message, "%s: %s",
            ossa_code_name(error.code), error.message);
    assert_null(ossa_workspace_import(workspace, edits, edit_count, paths, count, options, NULL));
    ossa_workspace_free(workspace);
    free_edit(&edit);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    static const char *const missing[] = {"nothing"};
    static const char *const skeleton[] = {"p/ped.skel"};
    require_refused(missing, 1, originals, 3, NULL, OSSA_CODE_IO, "");
    require_refused(edited, 1, missing, 1, NULL, OSSA_CODE_IO, "");
    require_refused(skeleton, 1, originals, 3, NULL, OSSA_CODE_UNKNOWN_FORMAT, "");
    require_refused(edited, 1, NULL, 0, NULL, OSSA_CODE_MISFIT, "");
}

/* Few bytes that ask for many frames of many nodes: the bones below a long chain, and a key after
 * hours. */
static struct bytes make_endless(uint32_t chain)
{
    struct bytes file = {0};
    char text[160];
    put_text(&file, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
                    "\"nodes\":[");
    for (uint32_t i = 0; i < chain; i++) {
        (void)snprintf(text, sizeof text, "{\"name\":\"n%u\",\"children\":[%u]},", (unsigned)i,
                       (unsigned)i + 1);
        put_text(&file, text);
    }
    for (uint32_t i = 0; i < BONES; i++) {
        (void)snprintf(text, sizeof text, "{\"name\":\"s%u\",\"translation\":[%s]", (unsigned)i,
                       i == 0 ? "0,1,0" : "0,0.5,0.25");
        put_text(&file, text);
        (void)snprintf(text, sizeof text, ",\"children\":[%u]},", (unsigned)(chain + i + 1));
        put_text(&file, i + 1 < BONES ? text : "}],");
    }
    (void)snprintf(text, sizeof text,
                   "{\"sampler\":0,\"target\":{\"node\":%u,\"path\":\"rotation\"}}",
                   (unsigned)chain);
    put_text(&file, "\"animations\":[{\"name\":\"walk\",\"channels\":[");
    put_text(&file, text);
    put_text(&file,
             "],\"samplers\":[{\"input\":0,\"output\":1}]}],\"accessors\":["
             "{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\","
             "\"min\":[0],\"max\":[10000]},"
             "{\"bufferView\":1,\"componentType\":5126,\"count\":2,\"type\":\"VEC4\"}],"
             "\"bufferViews\":[{\"buffer\":0,\"byteLength\":8},"
             "{\"buffer\":0,\"byteOffset\":8,\"byteLength\":32}],"
             "\"buffers\":[{\"byteLength\":40,\"uri\":\"data:application/octet-stream;base64,"
             "AAAAAABAHEYAAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAACAPw==\"}]}");
    return file;
}

static void endless_edits_are_refused(void **state)
{
    (void)state;
    static const char *const endless[] = {"endless.gltf"};
    struct edit edit = make_edit();
    struct bytes file = make_endless(2000);
    ossa_workspace *workspace = open_workspace(&edit, NULL, NULL);
    assert_true(ossa_workspace_add_memory(workspace, "endless.gltf", file.data, file.size, NULL));
    for (unsigned i = 0; i < 2; i++) {
        const ossa_import_options options = {.retime = i == 1};
        ossa_error error;
        assert_null(ossa_workspace_import(workspace, endless, 1, originals, 3, &options, &error));
        require(error.code == OSSA_CODE_LIMIT && strstr(error.message, "nodes move") != NULL,
                "endless", "%s", error.message);
    }
    ossa_workspace_free(workspace);
    bytes_free(&file);
    free_edit(&edit);
}

/* 512 MiB, and 64 bytes for each of the edit: what asks for more is refused before there is any. */
static void the_memory_of_an_edit_has_a_limit(void **state)
{
    (void)state;
    static const char *const greedy[] = {"greedy.gltf"};
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{}],\"accessors\":[{\"componentType\":5126,"
        "\"type\":\"MAT4\",\"count\":4294967295}],"
        "\"skins\":[{\"joints\":[0],\"inverseBindMatrices\":0}]}";
    char limit[64];
    (void)snprintf(limit, sizeof limit, "more than the %zu bytes",
                   ((size_t)512 << 20) + 64 * (sizeof text - 1));
    struct edit edit = make_edit();
    struct counting counting = {0};
    ossa_allocator allocator = counting_allocator(&counting);
    ossa_error error;
    ossa_workspace *workspace = open_workspace(&edit, &allocator, NULL);
    assert_true(ossa_workspace_add_memory(workspace, greedy[0], text, sizeof text - 1, NULL));
    assert_null(ossa_workspace_import(workspace, greedy, 1, originals, 3, NULL, &error));
    require(error.code == OSSA_CODE_LIMIT && strstr(error.message, limit) != NULL, limit, "%s",
            error.message);
    assert_true(counting.peak < 1 << 20);
    ossa_workspace_free(workspace);
    free_edit(&edit);
}

static void names_of_new_clips_are_names_of_files(void **state)
{
    (void)state;
    static const char *const bad[] = {"../wave", "a/wave", "a\\wave", "", ".", "..", "a#b", "c:a"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const ossa_import_options options = {.as = bad[i]};
        require_refused(edited, 1, originals, 3, &options, OSSA_CODE_BAD_ARGUMENT, "plain file");
    }
    const ossa_import_options same = {.as = "RUN"};
    require_refused(edited, 1, originals, 3, &same, OSSA_CODE_DUPLICATE_NAME, "'run'");
    const ossa_import_options unlike = {.as = "wave", .like = "swim"};
    require_refused(edited, 1, originals, 3, &unlike, OSSA_CODE_BAD_ARGUMENT, "'swim'");
}

/* ---- what was not edited ------------------------------------------------------------------- */

/* A file of its own, through every format that an edit may have: nothing has changed. */
static void require_trip(const char *path, const void *data, size_t size)
{
    static const char *const kinds[] = {"edit.glb", "edit.json", "edit.bvh"};
    for (size_t kind = 0; kind < 3; kind++) {
        ossa_error error;
        struct bytes out = {0};
        const ossa_sink sink = {collect, &out};
        ossa_workspace *workspace = ossa_workspace_new(NULL, &error);
        assert_true(ossa_workspace_add_memory(workspace, path, data, size, &error));
        ossa_scene *scene = ossa_workspace_scene(workspace, &path, 1, NULL, &error);
        require(scene != NULL, path, "%s", error.message);
        bool ok = kind == 0   ? ossa_write_gltf(scene, NULL, sink, (ossa_sink){0}, &error)
                  : kind == 1 ? ossa_write_scene_json(scene, NULL, sink, &error)
                              : scene->clip_count > 0 &&
                                    ossa_write_bvh(scene, scene->clips, NULL, sink, &error);
        require(ok || kind == 2, path, "%s", error.message);
        assert_true(ossa_workspace_add_memory(workspace, kinds[kind], out.data, out.size, &error));
        ossa_import *import =
            ok ? ossa_workspace_import(workspace, &kinds[kind], 1, &path, 1, NULL, &error) : NULL;
        require(import != NULL || !ok, kinds[kind], "%s: %s", path, error.message);
        for (size_t i = 0; import != NULL && i < import->file_count; i++) {
            require(import->files[i].data == NULL, kinds[kind], "%s is changed", path);
        }
        ossa_import_free(import);
        ossa_scene_free(scene);
        ossa_workspace_free(workspace);
        bytes_free(&out);
    }
}

/* Both frames of one object, with a rotation, a scale and a position. */
static void require_scaled(uint32_t x, uint32_t y, uint32_t z)
{
    struct bytes file = {0};
    const uint32_t words[] = {0x8000, 30, 2, 6, 16, 26};
    for (size_t i = 0; i < 6; i++) put_u16(&file, words[i]);
    for (uint32_t frame = 0; frame < 2; frame++) {
        const uint32_t key[] = {0x0700, 100, 200, 300, x, y, z, 10000 + frame, 20000, 3};
        for (size_t i = 0; i < 10; i++) put_u16(&file, key[i]);
    }
    require_trip("a.anm", file.data, file.size);
    bytes_free(&file);
}

static void parts_may_be_scaled_to_nothing_at_rest(void **state)
{
    (void)state;
    require_scaled(0, 0, 0);
    require_scaled(0, 4096, 4096);
    require_scaled(1, 1, 1);
    require_scaled(0x7fff, 1, 0x8000);
    require_scaled(4096, 4096, 4096);
}

static void bones_may_have_one_name(void **state)
{
    (void)state;
    static const char skel[] = "NumBones 4\nbone root {\n\toffset 0 1 0\n"
                               "\tbone a {\n\t\toffset 1 0 0\n"
                               "\t\tbone b.c {\n\t\t\toffset 1 1 0\n"
                               "\t\t\tbone a {\n\t\t\t\toffset 1 1 1\n\t\t\t}\n\t\t}\n\t}\n}\n";
    require_trip("a.skel", skel, sizeof skel - 1);
    /* glTF has no full stops in names, but has to tell these two apart. */
    static const char stops[] = "NumBones 2\nbone a. {\n\toffset 0 1 0\n"
                                "\tbone a {\n\t\toffset 1 0 0\n\t}\n}\n";
    require_trip("a.skel", stops, sizeof stops - 1);
}

/* Whichever allocation fails, nothing leaks and the call says so. */
static void imports_survive(void **state)
{
    (void)state;
    struct edit edit = make_edit();
    size_t calls = 1;
    for (size_t n = 0; n <= calls; n++) {
        struct counting counting = {.fail_at = n};
        ossa_allocator allocator = counting_allocator(&counting);
        const ossa_import_options options = {.as = "wave", .like = "walk"};
        ossa_error error = {.code = OSSA_CODE_OUT_OF_MEMORY};
        ossa_workspace *workspace = open_workspace(&edit, &allocator, &error);
        ossa_import *import =
            workspace == NULL
                ? NULL
                : ossa_workspace_import(workspace, edited, 1, originals, 3, &options, &error);
        require(import != NULL || counting.failed, "import", "fails by itself: %s", error.message);
        require(import != NULL || error.code == OSSA_CODE_OUT_OF_MEMORY, "import",
                "allocation %zu: %s: %s", n, ossa_code_name(error.code), error.message);
        /* Less would be a lie. */
        if (import != NULL) {
            assert_int_equal(import->clip_count, 3);
            assert_int_equal(import->file_count, 4);
            assert_non_null(find_file(import, "p/walk.anim")->data);
            assert_true(find_file(import, "p/wave.anim")->is_new);
        }
        ossa_import_free(import);
        ossa_workspace_free(workspace);
        if (n == 0) calls = counting.calls;
        require(counting.live == 0 && !counting.wrong_release, "import",
                "allocation %zu: %zu bytes leak", n, counting.live);
    }
    assert_true(calls > 20);
    free_edit(&edit);
}

TEST_GROUP(test_workspace_import)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changed_keys_are_written),
        cmocka_unit_test(weighted_vertices_are_passed_over),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(endless_edits_are_refused),
        cmocka_unit_test(the_memory_of_an_edit_has_a_limit),
        cmocka_unit_test(names_of_new_clips_are_names_of_files),
        cmocka_unit_test(parts_may_be_scaled_to_nothing_at_rest),
        cmocka_unit_test(bones_may_have_one_name),
        cmocka_unit_test(imports_survive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
