/* SPDX-License-Identifier: MIT
 *
 * Clips in place: the way of the root is gone, evenly, and told as a speed; nothing else changes.
 */
#include "support/scenes.h"

#include <math.h>
#include <string.h>

enum { BONES = 3, FRAMES = 7 };

static ossa_scene *assemble(bool in_place, uint32_t frames)
{
    struct scene_files files = {0};
    add_file(&files, "ped.skel", NULL, make_skel(BONES));
    add_file(&files, "walk.anim", "mm-anim", make_anim(17, frames, BONES));
    const ossa_scene_options options = {.in_place = in_place, .scale = 2.0};
    ossa_scene *scene = assemble_files(&files, &options);
    free_files(&files);
    return scene;
}

static void the_way_is_taken_out_evenly(void **state)
{
    (void)state;
    ossa_scene *moving = assemble(false, FRAMES);
    ossa_scene *staying = assemble(true, FRAMES);
    const ossa_clip *clip = &staying->clips[0];
    ossa_transform a[BONES];
    ossa_transform b[BONES];
    double ends[2][3];
    for (unsigned e = 0; e < 2; e++) {
        ossa_sample_frame(moving, &moving->clips[0], e * (FRAMES - 1), a, NULL);
        for (unsigned k = 0; k < 3; k++) ends[e][k] = (double)a[0].translation[k];
    }
    for (uint32_t f = 0; f < FRAMES; f++) {
        ossa_sample_frame(moving, &moving->clips[0], f, a, NULL);
        ossa_sample_frame(staying, clip, f, b, NULL);
        for (unsigned k = 0; k < 3; k++) {
            double way = k == 1 ? 0.0 : (ends[1][k] - ends[0][k]) * f / (FRAMES - 1);
            double wanted = (double)a[0].translation[k] - way;
            assert_true(fabs((double)b[0].translation[k] - wanted) < 1e-6);
        }
        memcpy(a[0].translation, b[0].translation, sizeof a[0].translation);
        assert_memory_equal(a, b, sizeof a); /* the rest is as it was */
    }
    assert_false(moving->clips[0].in_place);
    assert_true(moving->clips[0].velocity[2] == 0.0F);
    assert_true(clip->in_place);
    for (unsigned k = 0; k < 3; k++) {
        double speed = k == 1 ? 0.0 : (ends[1][k] - ends[0][k]) * 30.0 / FRAMES;
        assert_true(fabs((double)clip->velocity[k] - speed) < 1e-5);
    }
    ossa_scene_free(moving);
    ossa_scene_free(staying);
}

static void one_frame_goes_nowhere(void **state)
{
    (void)state;
    ossa_scene *moving = assemble(false, 1);
    ossa_scene *staying = assemble(true, 1);
    assert_true(staying->clips[0].in_place);
    assert_memory_equal(moving->clips[0].constant, staying->clips[0].constant,
                        BONES * sizeof(ossa_transform));
    for (unsigned k = 0; k < 3; k++) assert_true(staying->clips[0].velocity[k] == 0.0F);
    ossa_scene_free(moving);
    ossa_scene_free(staying);
}

/* Keys between frames make a clip neither longer nor slower. */
static void resampled_clips_have_the_same_speed(void **state)
{
    (void)state;
    ossa_scene *scenes[2];
    for (uint32_t i = 0; i < 2; i++) {
        const ossa_ei_options ei = {.resample = i == 0 ? 1 : 4};
        const ossa_scene_options options = {.in_place = true, .ei = &ei};
        scenes[i] = assemble_character(&samples[0], &options);
    }
    for (uint32_t c = 0; c < scenes[0]->clip_count; c++) {
        const ossa_clip *plain = &scenes[0]->clips[c];
        const ossa_clip *dense = &scenes[1]->clips[c];
        for (unsigned k = 0; k < 3; k++) {
            assert_true(fabs((double)plain->velocity[k] - (double)dense->velocity[k]) < 1e-5);
        }
    }
    ossa_scene_free(scenes[0]);
    ossa_scene_free(scenes[1]);
}

static void objects_without_a_root_are_left_alone(void **state)
{
    (void)state;
    const ossa_scene_options options = {.in_place = true};
    ossa_scene *plain = assemble_character(&samples[3], NULL);
    ossa_scene *scene = assemble_character(&samples[3], &options);
    require_warning(scene, scene->issue_count - 1, OSSA_CODE_UNUSUAL_VALUE, "hop.anm",
                    "there is no single root whose drift could be taken out; all clips stay as "
                    "they are");
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        const ossa_tracks *a = &plain->clips[c].translations;
        const ossa_tracks *b = &scene->clips[c].translations;
        assert_false(scene->clips[c].in_place);
        assert_int_equal(a->count, b->count);
        assert_memory_equal(a->keys, b->keys,
                            (size_t)a->count * scene->clips[c].frame_count * 3 * sizeof(float));
    }
    ossa_scene_free(plain);
    ossa_scene_free(scene);
}

TEST_GROUP(test_scene_in_place)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_way_is_taken_out_evenly),
        cmocka_unit_test(one_frame_goes_nowhere),
        cmocka_unit_test(resampled_clips_have_the_same_speed),
        cmocka_unit_test(objects_without_a_root_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
