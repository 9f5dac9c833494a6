/* SPDX-License-Identifier: MIT
 *
 * Where a pose stands on the ground, and the pose without that. */
#include "support/made_scene.h"
#include "support/place.h"

#include <math.h>
#include <string.h>

enum { BONES = 9, FRAMES = 11 };

static void set_rotation(ossa_transform *t, struct rotation q)
{
    const float xyzw[4] = {(float)q.x, (float)q.y, (float)q.z, (float)q.w};
    memcpy(t->rotation, xyzw, sizeof xyzw);
}

/* ---- of a pose ----------------------------------------------------------------------------- */

static void the_ground_is_found_by_hand(void **state)
{
    (void)state;
    struct made_scene made;
    const struct made_plan plan = {.seed = 9, .bones = BONES, .clips = 1, .frames = {1}};
    make_scene(&made, &plan);
    ossa_transform locals[BONES];
    ossa_rest_pose(&made.scene, locals);
    locals[0] = (ossa_transform){{1.5F, 7.0F, -2.0F}, {0.0F, 0.0F, 0.0F, 1.0F}, {2.0F, 3.0F, 4.0F}};
    for (int angle = -175; angle <= 175; angle += 5) {
        for (int tilt = 0; tilt <= 150; tilt += 30) {
            /* Leaning to any side takes nothing from where it looks. */
            struct rotation lean = rotation_product(
                rotation_about(1, tilt * 0.1),
                rotation_product(rotation_about(0, tilt * DEGREE), rotation_about(1, -tilt * 0.1)));
            struct rotation q = rotation_product(rotation_about(1, angle * DEGREE), lean);
            ossa_transform found[2];
            set_rotation(&locals[0], q);
            ossa_ground(&made.scene, locals, &found[0]);
            require_place(&found[0], (struct place){1.5, -2.0, angle * DEGREE}, 1e-5);
            set_rotation(&locals[0], (struct rotation){-q.x, -q.y, -q.z, -q.w});
            ossa_ground(&made.scene, locals, &found[1]);
            assert_memory_equal(&found[0], &found[1], sizeof found[0]);
        }
    }
    /* Upside down there is no telling. */
    static const float upside_down[][4] = {
        {1.0F, 0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, -1.0F, 0.0F}, {0.6F, -0.0F, 0.8F, 1e-8F}};
    for (size_t i = 0; i < sizeof upside_down / sizeof upside_down[0]; i++) {
        ossa_transform found;
        memcpy(locals[0].rotation, upside_down[i], sizeof upside_down[i]);
        ossa_ground(&made.scene, locals, &found);
        require_place(&found, (struct place){1.5, -2.0, 0.0}, 1e-5);
        ossa_stay_in_place(&made.scene, locals, &found);
        for (unsigned k = 0; k < 4; k++) {
            assert_true(locals[0].rotation[k] == upside_down[i][k]);
        }
        locals[0].translation[0] = 1.5F;
        locals[0].translation[2] = -2.0F;
    }
    free_made_scene(&made);
}

/* A millionth is where a turn begins to be one: rounding leaves less, a pose that somebody made
 * more. Both are about as far from it as floats allow to tell. */
static void nearly_upside_down(void **state)
{
    (void)state;
    struct made_scene made;
    const struct made_plan plan = {.seed = 9, .bones = BONES, .clips = 1, .frames = {1}};
    make_scene(&made, &plan);
    for (unsigned n = 0; n < 2; n++) {
        const double length = n == 0 ? 0.9e-6 : 1.1e-6;
        ossa_transform locals[BONES];
        ossa_transform found;
        ossa_rest_pose(&made.scene, locals);
        locals[0] =
            (ossa_transform){{1.5F, 7.0F, -2.0F}, {0.0F, 0.0F, 0.0F, 0.0F}, {1.0F, 1.0F, 1.0F}};
        set_rotation(&locals[0], (struct rotation){0.6, sin(35.0 * DEGREE) * length, 0.8,
                                                   cos(35.0 * DEGREE) * length});
        ossa_ground(&made.scene, locals, &found);
        require_place(&found, (struct place){1.5, -2.0, n == 0 ? 0.0 : 70.0 * DEGREE}, 1e-5);
    }
    free_made_scene(&made);
}

/* What is taken out is all there is, and put back it is the pose as it was. */
static void in_place_is_the_pose_without_its_ground(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        struct made_scene made;
        const struct made_plan plan = {
            .seed = 19, .bones = BONES, .clips = 1, .frames = {FRAMES}, .is_flat = n == 1};
        make_scene(&made, &plan);
        for (uint32_t f = 0; f < FRAMES; f++) {
            ossa_transform raw[BONES];
            ossa_transform still[BONES];
            ossa_transform again[BONES];
            ossa_transform ground;
            ossa_transform alone;
            ossa_transform left;
            double world[16];
            ossa_sample_frame(&made.scene, &made.clips[0], f, raw, NULL);
            memcpy(still, raw, sizeof raw);
            memcpy(again, raw, sizeof raw);
            ossa_stay_in_place(&made.scene, still, &ground);
            ossa_stay_in_place(&made.scene, again, NULL);
            assert_memory_equal(still, again, sizeof still);
            ossa_ground(&made.scene, raw, &alone);
            assert_memory_equal(&ground, &alone, sizeof ground);
            require_place(&ground, place_of(&raw[0]), 1e-6);
            matrix_of_transform(&ground, world);
            require_roots(&made.scene, world, still, raw, 1e-5);
            ossa_ground(&made.scene, still, &left);
            assert_memory_equal(&left, &nowhere, sizeof left);
            for (uint32_t b = 0; b < BONES; b++) {
                bool is_root = made.bones[b].parent < 0;
                assert_true(still[b].translation[1] == raw[b].translation[1]);
                assert_memory_equal(still[b].scale, raw[b].scale, sizeof raw[b].scale);
                if (!is_root) assert_memory_equal(&still[b], &raw[b], sizeof raw[b]);
            }
        }
        free_made_scene(&made);
    }
}

static void no_bones_stand_nowhere(void **state)
{
    (void)state;
    const ossa_scene empty = {.name = "empty", .game = "none"};
    const ossa_clip clip = {.name = "c", .fps = 30.0, .frame_count = 9};
    ossa_transform found;
    ossa_ground(&empty, NULL, &found);
    assert_memory_equal(&found, &nowhere, sizeof found);
    memset(&found, 0xa5, sizeof found);
    ossa_stay_in_place(&empty, NULL, &found);
    assert_memory_equal(&found, &nowhere, sizeof found);
    ossa_stay_in_place(&empty, NULL, NULL);
    memset(&found, 0xa5, sizeof found);
    ossa_root_motion(&empty, &clip, 0.0, 9.0, OSSA_WRAP_LOOP, &found);
    assert_memory_equal(&found, &nowhere, sizeof found);
}

TEST_GROUP(test_scene_ground)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ground_is_found_by_hand),
        cmocka_unit_test(nearly_upside_down),
        cmocka_unit_test(in_place_is_the_pose_without_its_ground),
        cmocka_unit_test(no_bones_stand_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
