/* SPDX-License-Identifier: MIT
 *
 * What one pose adds to another, put on a third, as much of it as is wanted. */
#include "support/made_poses.h"
#include "support/scenes.h"

#include <float.h>
#include <math.h>
#include <string.h>

static struct made_scene made;
static ossa_transform poses[POSES][BONES];

static int set_up(void **state)
{
    (void)state;
    make_poses(&made, 79, poses);
    return 0;
}

static int free_poses(void **state)
{
    free_made_scene(&made);
    return free_fixtures(state);
}

static void require_near(float found, double wanted)
{
    require(fabs((double)found - wanted) < 1e-5, "additive", "found %g, expected %g", (double)found,
            wanted);
}

/* A pose of which only bone 0 is of interest. */
static ossa_transform one(double x, double size, struct rotation q)
{
    return (ossa_transform){{(float)x, 0.0F, 1.0F},
                            {(float)q.x, (float)q.y, (float)q.z, (float)q.w},
                            {(float)size, 1.0F, 2.0F}};
}

static const double degree = 0.017453292519943295;

/* ---- by hand ------------------------------------------------------------------------------- */

static void what_is_added_is_the_way_from_the_reference(void **state)
{
    (void)state;
    ossa_transform pose[BONES];
    ossa_transform reference[BONES];
    ossa_transform added[BONES];
    memcpy(pose, poses[1], sizeof pose);
    memcpy(reference, poses[2], sizeof reference);
    pose[0] = one(5.0, 3.0, rotation_about(0, 90.0 * degree));
    reference[0] = one(2.0, 2.0, rotation_about(0, 30.0 * degree));
    ossa_make_additive(&made.scene, pose, reference, added);
    require_turn(added[0].rotation, rotation_about(0, 60.0 * degree), 2e-5);
    assert_true(added[0].rotation[3] > 0.0F);
    require_near(added[0].translation[0], 3.0);
    require_near(added[0].translation[2], 0.0);
    require_near(added[0].scale[0], 1.5);
    require_near(added[0].scale[2], 1.0);

    /* On a base that looks elsewhere: the turn is about the bone's own axes, a nod stays a nod. */
    struct rotation aside = rotation_about(1, 80.0 * degree);
    ossa_transform base[BONES];
    memcpy(base, poses[3], sizeof base);
    base[0] = one(-1.0, 4.0, aside);
    static const float weights[] = {0.5F, 1.0F, 2.0F, 2.5F, -1.0F, -0.25F, 7.0F, -13.125F};
    for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++) {
        double w = (double)weights[i];
        const ossa_layer layer = {added, weights[i], NULL};
        ossa_transform found[BONES];
        ossa_add_pose(&made.scene, base, &layer, found);
        require_turn(found[0].rotation,
                     rotation_product(aside, rotation_about(0, w * 60.0 * degree)), 5e-5);
        require_near(found[0].translation[0], -1.0 + w * 3.0);
        require_near(found[0].translation[2], 1.0);
        require_near(found[0].scale[0], 4.0 * (1.0 + w * 0.5));
        require_near(found[0].scale[2], 2.0);
    }
}

/* Every size of turn, every share of it: so many times its angle, the short way. */
static void a_share_of_a_turn_is_a_share_of_its_angle(void **state)
{
    (void)state;
    static const double angles[] = {0.0,   1e-4,  0.5,   20.0,   90.0,  150.0,
                                    179.0, 180.0, -30.0, -179.0, 181.0, 340.0};
    for (size_t a = 0; a < sizeof angles / sizeof angles[0]; a++) {
        double short_angle = angles[a] > 180.0 ? angles[a] - 360.0 : angles[a];
        ossa_transform added[BONES];
        memcpy(added, poses[4], sizeof added);
        added[0] = one(0.0, 1.0, rotation_about(2, angles[a] * degree));
        if (angles[a] == 180.0) added[0].rotation[3] = 0.0F; /* not the other way by rounding */
        for (int n = -40; n <= 40; n++) {
            float weight = (float)n / 8.0F;
            const ossa_layer layer = {added, weight, NULL};
            ossa_transform found[BONES];
            ossa_add_pose(&made.scene, poses[0], &layer, found);
            struct rotation turn = rotation_about(2, (double)weight * short_angle * degree);
            require_turn(found[0].rotation,
                         rotation_product(rotation_unit(rotation_of(poses[0][0].rotation)), turn),
                         1e-4);
        }
    }
}

/* ---- there and back ------------------------------------------------------------------------ */

static void added_to_its_reference_it_is_the_pose(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < POSES; i++) {
        for (uint32_t j = 0; j < POSES; j++) {
            ossa_transform added[BONES];
            ossa_transform found[BONES];
            const ossa_layer layer = {added, 1.0F, NULL};
            ossa_make_additive(&made.scene, poses[i], poses[j], added);
            ossa_add_pose(&made.scene, poses[j], &layer, found);
            for (unsigned b = 0; b < BONES; b++) {
                assert_true(added[b].rotation[3] >= 0.0F); /* the short way */
                require_turn(found[b].rotation, rotation_of(poses[i][b].rotation), 5e-5);
                for (unsigned k = 0; k < 3; k++) {
                    float place = poses[i][b].translation[k];
                    float size = poses[i][b].scale[k];
                    assert_true(fabsf(found[b].translation[k] - place) <= 4.0F * FLT_EPSILON);
                    assert_true(fabsf(found[b].scale[k] - size) <= 4.0F * FLT_EPSILON);
                }
            }
        }
    }
}

/* Half and half again is the whole, and the opposite takes it back. */
static void shares_add_up(void **state)
{
    (void)state;
    for (uint32_t i = 0; i + 2 < POSES; i++) {
        ossa_transform added[BONES];
        ossa_transform found[BONES];
        ossa_make_additive(&made.scene, poses[i + 1], poses[i], added);
        for (unsigned b = 0; b < BONES; b++) { /* scales do not add up, they are straight */
            for (unsigned k = 0; k < 3; k++) added[b].scale[k] = 1.0F;
        }
        static const float parts[] = {0.5F, 0.25F, 1.75F, -2.5F};
        memcpy(found, poses[i + 2], sizeof found);
        for (size_t n = 0; n < sizeof parts / sizeof parts[0]; n++) {
            const ossa_layer layer = {added, parts[n], NULL};
            ossa_add_pose(&made.scene, found, &layer, found);
        }
        for (unsigned b = 0; b < BONES; b++) {
            require_turn(found[b].rotation, rotation_of(poses[i + 2][b].rotation), 1e-4);
            for (unsigned k = 0; k < 3; k++) {
                require_near(found[b].translation[k], (double)poses[i + 2][b].translation[k]);
            }
        }
    }
}

/* ---- weights ------------------------------------------------------------------------------- */

static void what_does_not_count_changes_no_bit(void **state)
{
    (void)state;
    static const float none[] = {0.0F, -0.0F, NAN, INFINITY, -INFINITY};
    static const float odd[] = {0.0F, -1.0F, -FLT_MAX, NAN, INFINITY, -INFINITY};
    ossa_transform base[BONES]; /* no rotations: nothing is computed */
    ossa_transform found[BONES];
    memset(base, 0x3e, sizeof base);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        const ossa_layer layer = {poses[0], none[i], NULL};
        memset(found, 0xa5, sizeof found);
        ossa_add_pose(&made.scene, base, &layer, found);
        assert_memory_equal(found, base, sizeof base);
    }
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        float mask[BONES];
        for (unsigned b = 0; b < BONES; b++) mask[b] = odd[i];
        const ossa_layer layer = {poses[0], -1.0F, mask};
        ossa_add_pose(&made.scene, base, &layer, found);
        assert_memory_equal(found, base, sizeof base);
    }
    const ossa_layer nothing = {NULL, 1.0F, NULL};
    ossa_add_pose(&made.scene, base, &nothing, found);
    assert_memory_equal(found, base, sizeof base);
}

static void bones_take_shares_of_their_own(void **state)
{
    (void)state;
    static const float mask[BONES] = {0.0F, 0.5F, 1.0F, 2.0F, 0.0F, 0.25F, 3.0F, 1.0F, 0.5F};
    const ossa_layer masked = {poses[1], -1.5F, mask};
    ossa_transform found[BONES];
    ossa_add_pose(&made.scene, poses[0], &masked, found);
    for (unsigned b = 0; b < BONES; b++) {
        const ossa_layer plain = {poses[1], -1.5F * mask[b], NULL};
        ossa_transform wanted[BONES];
        ossa_add_pose(&made.scene, poses[0], &plain, wanted);
        assert_memory_equal(&found[b], &wanted[b], sizeof wanted[b]);
    }
}

/* A factor of nothing is none: the scale stays. */
static void a_scale_of_zero_has_no_factor(void **state)
{
    (void)state;
    static const float nothing[] = {0.0F, -0.0F, 1e-45F, -1e-40F};
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++) {
        ossa_transform reference[BONES];
        ossa_transform added[BONES];
        memcpy(reference, poses[0], sizeof reference);
        for (unsigned b = 0; b < BONES; b++) reference[b].scale[1] = nothing[i];
        ossa_make_additive(&made.scene, poses[1], reference, added);
        for (unsigned b = 0; b < BONES; b++) {
            assert_true(added[b].scale[1] == 1.0F);
            require_near(added[b].scale[0],
                         (double)poses[1][b].scale[0] / (double)poses[0][b].scale[0]);
        }
    }
}

/* Whatever is given, what comes out is a pose. */
static void the_largest_numbers_stay_finite(void **state)
{
    (void)state;
    ossa_transform far_away[2][BONES];
    ossa_transform added[BONES];
    ossa_transform found[BONES];
    memcpy(far_away, poses, sizeof far_away);
    for (unsigned b = 0; b < BONES; b++) {
        for (unsigned k = 0; k < 3; k++) {
            far_away[0][b].translation[k] = FLT_MAX;
            far_away[1][b].translation[k] = -FLT_MAX;
            far_away[0][b].scale[k] = FLT_MAX;
        }
    }
    static const float weights[] = {1.0F, -1.0F, 1e10F, -1e10F, FLT_MAX, -FLT_MAX};
    ossa_make_additive(&made.scene, far_away[0], far_away[1], added);
    for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++) {
        const ossa_layer layer = {added, weights[i], NULL};
        ossa_add_pose(&made.scene, far_away[0], &layer, found);
        for (unsigned b = 0; b < BONES; b++) {
            assert_true(fabs(rotation_length(rotation_of(found[b].rotation)) - 1.0) < 1e-6);
            for (unsigned k = 0; k < 3; k++) {
                assert_true(isfinite(found[b].translation[k]) && isfinite(found[b].scale[k]));
            }
        }
    }
    assert_true(added[0].translation[0] == FLT_MAX); /* and not infinity */
}

static void the_result_may_take_any_place(void **state)
{
    (void)state;
    ossa_transform wanted[BONES];
    ossa_transform own[2][BONES];
    ossa_make_additive(&made.scene, poses[0], poses[1], wanted);
    for (unsigned place = 0; place < 2; place++) {
        memcpy(own, poses, sizeof own);
        ossa_make_additive(&made.scene, own[0], own[1], own[place]);
        assert_memory_equal(own[place], wanted, sizeof wanted);
    }
    const ossa_layer layer = {poses[1], 0.75F, NULL};
    ossa_add_pose(&made.scene, poses[0], &layer, wanted);
    for (unsigned place = 0; place < 2; place++) {
        memcpy(own, poses, sizeof own);
        const ossa_layer same = {own[1], 0.75F, NULL};
        ossa_add_pose(&made.scene, own[0], &same, own[place]);
        assert_memory_equal(own[place], wanted, sizeof wanted);
    }
}

TEST_GROUP(test_scene_additive)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_added_is_the_way_from_the_reference),
        cmocka_unit_test(a_share_of_a_turn_is_a_share_of_its_angle),
        cmocka_unit_test(added_to_its_reference_it_is_the_pose),
        cmocka_unit_test(shares_add_up),
        cmocka_unit_test(what_does_not_count_changes_no_bit),
        cmocka_unit_test(bones_take_shares_of_their_own),
        cmocka_unit_test(a_scale_of_zero_has_no_factor),
        cmocka_unit_test(the_largest_numbers_stay_finite),
        cmocka_unit_test(the_result_may_take_any_place),
    };
    return cmocka_run_group_tests(tests, set_up, free_poses);
}
