/* SPDX-License-Identifier: MIT
 *
 * From the parents to the model, as transforms and as matrices. */
#include "support/made_scene.h"
#include "support/rotation.h"
#include "support/scenes.h"

#include <math.h>
#include <string.h>

enum { BONES = 9, FRAMES = 7 };

static const struct made_plan plain = {.seed = 5, .bones = BONES, .clips = 1, .frames = {FRAMES}};

static void require_matrix(const float *found, const double *wanted, double near)
{
    for (unsigned k = 0; k < 16; k++) {
        require(fabs((double)found[k] - wanted[k]) < near, "matrix", "[%u] is %g, expected %g", k,
                (double)found[k], wanted[k]);
    }
}

static void matrix_of_transform(const ossa_transform *t, double out[16])
{
    double place[3];
    double scale[3];
    for (unsigned k = 0; k < 3; k++) {
        place[k] = (double)t->translation[k];
        scale[k] = (double)t->scale[k];
    }
    matrix_of(place, rotation_of(t->rotation), scale, out);
}

static void matrices_are_products(void **state)
{
    (void)state;
    struct made_scene made;
    make_scene(&made, &plain);
    for (uint32_t f = 0; f < FRAMES; f++) {
        ossa_transform locals[BONES];
        float found[BONES][16];
        double wanted[BONES][16];
        ossa_sample_frame(&made.scene, &made.clips[0], f, locals, NULL);
        ossa_model_matrices(&made.scene, locals, found);
        for (uint32_t b = 0; b < BONES; b++) {
            double own[16];
            float alone[16];
            int32_t parent = made.bones[b].parent;
            matrix_of_transform(&locals[b], own);
            ossa_transform_matrix(&locals[b], alone);
            require_matrix(alone, own, 1e-5);
            if (parent < 0) memcpy(wanted[b], own, sizeof own);
            else matrix_product(wanted[parent], own, wanted[b]);
            require_matrix(found[b], wanted[b], 1e-3); /* scales up to 2.5, several deep */
        }
    }
    free_made_scene(&made);
}

/* Without scales, or with even ones, a transform says all that a matrix says. */
static void poses_and_matrices_agree(void **state)
{
    (void)state;
    struct made_plan plan = plain;
    plan.is_rigid = true;
    for (unsigned n = 0; n < 2; n++) {
        struct made_scene made;
        make_scene(&made, &plan);
        for (uint32_t f = 0; f < FRAMES; f++) {
            ossa_transform locals[BONES];
            ossa_transform models[BONES];
            float matrices[BONES][16];
            ossa_sample_frame(&made.scene, &made.clips[0], f, locals, NULL);
            for (unsigned b = 0; b < BONES && n == 1; b++) {
                for (unsigned k = 0; k < 3; k++) locals[b].scale[k] = 0.5F + 0.25F * (float)(b % 3);
            }
            ossa_model_pose(&made.scene, locals, models);
            ossa_model_matrices(&made.scene, locals, matrices);
            for (uint32_t b = 0; b < BONES; b++) {
                double wanted[16];
                matrix_of_transform(&models[b], wanted);
                require_matrix(matrices[b], wanted, 1e-5);
                assert_true(fabs(rotation_length(rotation_of(models[b].rotation)) - 1.0) < 1e-6);
            }
        }
        free_made_scene(&made);
    }
}

static void a_pose_may_be_made_in_place(void **state)
{
    (void)state;
    struct made_scene made;
    make_scene(&made, &plain);
    ossa_transform locals[BONES];
    ossa_transform models[BONES];
    ossa_transform in_place[BONES];
    ossa_sample_frame(&made.scene, &made.clips[0], 3, locals, NULL);
    memcpy(in_place, locals, sizeof locals);
    ossa_model_pose(&made.scene, locals, models);
    ossa_model_pose(&made.scene, in_place, in_place);
    assert_memory_equal(models, in_place, sizeof models);
    free_made_scene(&made);
}

/* A limb of 300 bones must stay in one piece. */
static void a_long_chain_does_not_drift(void **state)
{
    (void)state;
    enum { LONG = 300 };
    struct made_scene made;
    const struct made_plan plan = {
        .seed = 8, .bones = LONG, .clips = 1, .frames = {1}, .is_rigid = true};
    make_scene(&made, &plan);
    static ossa_transform models[LONG];
    static float matrices[LONG][16];
    ossa_transform locals[LONG];
    for (int b = 0; b < LONG; b++) made.bones[b].parent = b - 1;
    ossa_rest_pose(&made.scene, locals);
    for (unsigned b = 0; b < LONG; b++) {
        assert_memory_equal(&locals[b], &made.bones[b].rest, sizeof locals[b]);
    }
    ossa_model_pose(&made.scene, locals, models);
    ossa_model_matrices(&made.scene, locals, matrices);
    struct rotation turn = {0.0, 0.0, 0.0, 1.0};
    for (unsigned b = 0; b < LONG; b++) {
        turn = rotation_unit(rotation_product(turn, rotation_of(locals[b].rotation)));
        assert_true(rotation_distance(turn, rotation_of(models[b].rotation)) < 1e-3);
        double wanted[16];
        matrix_of_transform(&models[b], wanted);
        require_matrix(matrices[b], wanted, 1e-3);
    }
    /* Nor where every rotation is as much too long as a scene allows. */
    for (unsigned b = 0; b < LONG; b++) {
        for (unsigned k = 0; k < 4; k++) made.bones[b].rest.rotation[k] *= 1.000004F;
    }
    assert_true(ossa_scene_validate(&made.scene, NULL));
    ossa_rest_pose(&made.scene, locals);
    ossa_model_pose(&made.scene, locals, models);
    for (unsigned b = 0; b < LONG; b++) {
        assert_true(fabs(rotation_length(rotation_of(models[b].rotation)) - 1.0) < 1e-5);
    }
    free_made_scene(&made);
}

TEST_GROUP(test_model_pose)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_are_products),
        cmocka_unit_test(poses_and_matrices_agree),
        cmocka_unit_test(a_pose_may_be_made_in_place),
        cmocka_unit_test(a_long_chain_does_not_drift),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
