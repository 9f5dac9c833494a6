/* SPDX-License-Identifier: MIT
 *
 * What an import says of how far its files are from the edit, and how long an edit is. */
#include "import/import.h"
#include "ossa/import.h"
#include "support/gltf_text.h"
#include "support/scenes.h"

#include <math.h>
#include <stdio.h>

enum { FRAMES = 20, LATE = 12 };

/* A clip of two curves: `hp` stays as it is, and `bd` jumps up by two centimetres in a late frame.
 * Of Evil Islands, which has no place for that. */
static struct bytes make_jump(void)
{
    struct bytes bin = {0};
    for (unsigned f = 0; f < FRAMES; f++) put_f32(&bin, (float)(f / OSSA_EI_FPS));
    for (unsigned f = 0; f < FRAMES; f++) {
        put_f32(&bin, 0.0F);
        put_f32(&bin, f >= LATE ? 0.02F : 0.0F);
        put_f32(&bin, 0.0F);
    }
    return bin;
}

static void a_loss_is_told_in_millimetres(void **state)
{
    (void)state;
    static const char *const tree[] = {"hp", "", "bd", "hp", NULL};
    static const char text[] =
        "{" GLTF_ASSET ",'nodes':[{'name':'hp','children':[1]},{'name':'bd'}],"
        "'buffers':[{'byteLength':320}],'bufferViews':[{'buffer':0,'byteLength':80},"
        "{'buffer':0,'byteOffset':80,'byteLength':240}],"
        "'accessors':[{'bufferView':0,'componentType':5126,'count':20,'type':'SCALAR'},"
        "{'bufferView':1,'componentType':5126,'count':20,'type':'VEC3'}],"
        "'animations':[{'name':'idle','samplers':[{'input':0,'output':1}],'channels':["
        "{'sampler':0,'target':{'node':1,'path':'translation'}}]}]}";
    struct scene_files files = {0};
    struct gltf_reading reading = {0};
    const ossa_import_options options = {.drop = true};
    const ossa_scene_options usual = {0};
    const char *path = "edit.gltf";
    ossa_import result = {0};
    struct ossa__context context;
    struct bytes bin = make_jump();
    (void)add_file(&files, "t.lnk", "ei-lnk", make_lnk(tree));
    (void)add_file(&files, "idle/hp.anm", "ei-anm", make_random_anm(3, FRAMES));
    struct ossa__motion *motion = gltf_read_text(&reading, text, &bin);
    const struct ossa__import_call call = {.options = &options,
                                           .scene = &usual,
                                           .inputs = files.inputs,
                                           .input_count = files.count,
                                           .motions = &motion,
                                           .motion_paths = &path,
                                           .motion_count = 1};
    ossa__context_init(&context, NULL, 1 << 20);
    bool ok = ossa__import(&context, &call, &result);
    require(ok, "import", "%s", context.error.message);
    assert_int_equal(result.clip_count, 1);
    const ossa_import_clip *clip = &result.clips[0];
    assert_int_equal(clip->state, OSSA_IMPORT_STATE_CHANGED);
    assert_int_equal(clip->frame_count, FRAMES); /* nothing but its last key says so */
    assert_int_equal(clip->worst_bone, 1);
    assert_true(clip->worst_frame >= LATE);
    require(fabs(clip->millimetres - 20.0) < 1e-3, "import", "%g mm", clip->millimetres);
    assert_true(clip->degrees < 0.01);
    assert_int_equal(result.loss_count, 1);
    assert_true(fabs(result.losses[0].size - 0.02) < 1e-6);
    ossa__arena_free(&context.scratch);
    ossa__arena_free(&context.arena);
    gltf_free(&reading);
    free_files(&files);
    bytes_free(&bin);
}

/* A matrix does not say along which axis it mirrors: the files do. */
static void mirrors_stay_where_they_are(void **state)
{
    (void)state;
    static const char *const original[] = {"hop.anm"};
    static const char *const edited[] = {"hop.glb"};
    for (unsigned axis = 0; axis < 3; axis++) {
        const int turned[3] = {100, -700, 1500};
        const int placed[3] = {2048, 4096, -1024};
        int sized[3] = {8192, 2048, 4096};
        sized[axis] = -sized[axis];
        struct vib_maker vib = begin_vib(30, 2);
        add_vib_frame(&vib);
        add_vib_key(&vib, 0, turned, sized, placed);
        add_vib_frame(&vib);
        add_vib_key(&vib, 0, placed, sized, turned);
        struct bytes anm = end_vib(&vib);
        ossa_workspace *workspace = ossa_workspace_new(NULL, NULL);
        assert_true(ossa_workspace_add_memory(workspace, original[0], anm.data, anm.size, NULL));
        ossa_scene *scene = ossa_workspace_scene(workspace, original, 1, NULL, NULL);
        assert_non_null(scene);
        ossa_buffer glb = {0};
        assert_true(ossa_write_gltf(scene, NULL, ossa_buffer_sink(&glb), (ossa_sink){0}, NULL));
        assert_true(ossa_workspace_add_memory(workspace, edited[0], glb.data, glb.size, NULL));
        ossa_error error;
        ossa_import *import =
            ossa_workspace_import(workspace, edited, 1, original, 1, NULL, &error);
        require(import != NULL, "import", "axis %u: %s", axis, error.message);
        if (import == NULL) return; /* it was required: for clang-tidy */
        assert_int_equal(import->clips[0].state, OSSA_IMPORT_STATE_UNCHANGED);
        assert_null(import->files[0].data);
        ossa_import_free(import);
        ossa_buffer_free(&glb);
        ossa_scene_free(scene);
        ossa_workspace_free(workspace);
        bytes_free(&anm);
    }
}

TEST_GROUP(test_import_measure)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loss_is_told_in_millimetres),
        cmocka_unit_test(mirrors_stay_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
