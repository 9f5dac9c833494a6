/* SPDX-License-Identifier: MIT
 *
 * The mean of poses: what one, two and more of them give, bone by bone, whatever the weights. */
#include "support/made_poses.h"
#include "support/scenes.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define NEAR 2e-5 /* degrees */

enum { LAYERS = 5 };

static struct made_scene made;
static ossa_transform poses[POSES][BONES];

static int set_up(void **state)
{
    (void)state;
    make_poses(&made, 77, poses);
    return 0;
}

static int free_poses(void **state)
{
    free_made_scene(&made);
    return free_fixtures(state);
}

static void require_vector(const float found[3], const double wanted[3])
{
    for (unsigned k = 0; k < 3; k++) assert_true(fabs((double)found[k] - wanted[k]) < 1e-6);
}

static struct rotation opposite(struct rotation q)
{
    return (struct rotation){-q.x, -q.y, -q.z, -q.w};
}

static double dot(struct rotation a, struct rotation b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/* The mean of one bone by the rule, from weights that are all above 0. */
static void require_mean(const ossa_transform *found, const ossa_transform *const *from,
                         const double *weights, size_t count)
{
    double total = 0.0;
    double place[3] = {0};
    double size[3] = {0};
    struct rotation first = rotation_of(from[0]->rotation);
    struct rotation sum = {0};
    for (size_t i = 0; i < count; i++) total += weights[i];
    for (size_t i = 0; i < count; i++) {
        double part = weights[i] / total;
        struct rotation q = rotation_of(from[i]->rotation);
        if (dot(first, q) < 0.0) q = opposite(q);
        sum = (struct rotation){sum.x + part * q.x, sum.y + part * q.y, sum.z + part * q.z,
                                sum.w + part * q.w};
        for (unsigned k = 0; k < 3; k++) {
            place[k] += part * (double)from[i]->translation[k];
            size[k] += part * (double)from[i]->scale[k];
        }
    }
    require_vector(found->translation, place);
    require_vector(found->scale, size);
    if (count == 2) {
        require_turn(found->rotation,
                     rotation_between(first, rotation_of(from[1]->rotation), weights[1] / total),
                     NEAR);
    } else {
        require_turn(found->rotation, rotation_unit(sum), NEAR);
    }
}

/* ---- none and one -------------------------------------------------------------------------- */

static const float no_weights[] = {0.0F, -0.0F, -1.0F, -FLT_MAX, -INFINITY, INFINITY, NAN};
enum { NO_WEIGHTS = sizeof no_weights / sizeof no_weights[0] };

static void require_rest(const ossa_layer *layers, size_t count)
{
    ossa_transform wanted[BONES];
    ossa_transform found[BONES];
    ossa_rest_pose(&made.scene, wanted);
    memset(found, 0xa5, sizeof found);
    ossa_blend(&made.scene, layers, count, found);
    assert_memory_equal(wanted, found, sizeof found);
}

static void where_nothing_counts_it_is_the_rest(void **state)
{
    (void)state;
    require_rest(NULL, 0);
    for (size_t i = 0; i < NO_WEIGHTS; i++) {
        float bone_weights[BONES];
        for (unsigned b = 0; b < BONES; b++) bone_weights[b] = no_weights[i];
        const ossa_layer layers[] = {{poses[0], no_weights[i], NULL},
                                     {poses[1], 1.0F, bone_weights},
                                     {poses[1], no_weights[i], bone_weights}, /* not even -1 * -1 */
                                     {NULL, 1.0F, NULL}};
        require_rest(layers, sizeof layers / sizeof layers[0]);
    }
}

static void one_pose_is_itself_bit_for_bit(void **state)
{
    (void)state;
    static const float weights[] = {1e-45F, 1e-3F, 0.3F, 1.0F, 7.0F, FLT_MAX};
    ossa_transform odd[BONES]; /* not even a rotation: nothing is computed */
    ossa_transform found[BONES];
    memset(odd, 0x3e, sizeof odd);
    odd[1].translation[1] = -0.0F;
    for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++) {
        const ossa_layer alone = {odd, weights[i], NULL};
        ossa_blend(&made.scene, &alone, 1, found);
        assert_memory_equal(found, odd, sizeof odd);
        for (size_t n = 0; n < NO_WEIGHTS; n++) {
            const ossa_layer layers[] = {{poses[1], no_weights[n], NULL},
                                         {odd, weights[i], NULL},
                                         {NULL, no_weights[n], NULL},
                                         {NULL, 1.0F, NULL}};
            ossa_blend(&made.scene, layers, sizeof layers / sizeof layers[0], found);
            assert_memory_equal(found, odd, sizeof odd);
        }
    }
}

/* Nothing is written where there is no bone. */
static void no_bones_are_no_matter(void **state)
{
    (void)state;
    const ossa_scene empty = {.name = "empty", .game = "none"};
    const ossa_layer layer = {poses[0], 1.0F, NULL};
    ossa_blend(&empty, &layer, 1, NULL);
    ossa_make_additive(&empty, NULL, NULL, NULL);
    ossa_add_pose(&empty, NULL, &layer, NULL);
}

/* ---- two ----------------------------------------------------------------------------------- */

static void two_poses_by_hand(void **state)
{
    (void)state;
    const double right = acos(0.0);
    struct rotation turn = rotation_about(0, right);
    ossa_transform a[BONES];
    ossa_transform b[BONES];
    ossa_transform found[BONES];
    for (unsigned i = 0; i < BONES; i++) {
        a[i] = (ossa_transform){{3.0F, -6.0F, 0.0F}, {0.0F, 0.0F, 0.0F, 1.0F}, {1.0F, 4.0F, 1.0F}};
        b[i] = (ossa_transform){
            {6.0F, 6.0F, 9.0F}, {-(float)turn.x, 0.0F, 0.0F, -(float)turn.w}, {4.0F, 1.0F, -2.0F}};
    }
    const ossa_layer layers[] = {{a, 0.5F, NULL}, {b, 1.0F, NULL}};
    ossa_blend(&made.scene, layers, 2, found);
    for (unsigned i = 0; i < BONES; i++) {
        require_vector(found[i].translation, (const double[3]){5.0, 2.0, 6.0});
        require_vector(found[i].scale, (const double[3]){3.0, 2.0, -1.0});
        require_turn(found[i].rotation, rotation_about(0, right * 2.0 / 3.0), NEAR);
        assert_true(found[i].rotation[3] > 0.8F); /* on the side of the first */
    }
}

static void two_poses_turn_along_the_short_arc(void **state)
{
    (void)state;
    struct random random = {91};
    for (unsigned n = 0; n < 300; n++) {
        ossa_transform *a = poses[next_random(&random) % POSES];
        ossa_transform *b = poses[next_random(&random) % POSES];
        float weights[2];
        for (unsigned i = 0; i < 2; i++) weights[i] = 1.01F + next_float(&random, 1);
        const ossa_layer layers[] = {{a, weights[0], NULL}, {b, weights[1], NULL}};
        const double wide[2] = {(double)weights[0], (double)weights[1]};
        ossa_transform found[BONES];
        ossa_blend(&made.scene, layers, 2, found);
        for (unsigned i = 0; i < BONES; i++) {
            const ossa_transform *const from[2] = {&a[i], &b[i]};
            if (fabs(dot(rotation_of(a[i].rotation), rotation_of(b[i].rotation))) < 1e-4) continue;
            require_mean(&found[i], from, wide, 2);
        }
    }
}

/* A clip between two frames is a blend of the two. */
static void a_blend_of_frames_is_the_clip_between_them(void **state)
{
    (void)state;
    const ossa_clip *clip = &made.clips[0];
    for (uint32_t f = 0; f + 1 < POSES; f++) {
        for (unsigned step = 0; step <= 8; step++) {
            float part = (float)step / 8.0F;
            const ossa_layer layers[] = {{poses[f], 1.0F - part, NULL}, {poses[f + 1], part, NULL}};
            ossa_transform found[BONES];
            ossa_transform wanted[BONES];
            ossa_blend(&made.scene, layers, 2, found);
            ossa_sample(&made.scene, clip, (f + (double)part) / clip->fps, OSSA_WRAP_CLAMP, wanted,
                        NULL);
            if (step % 8 == 0) assert_memory_equal(found, wanted, sizeof found);
            for (unsigned i = 0; i < BONES; i++) {
                require_turn(found[i].rotation, rotation_of(wanted[i].rotation), NEAR);
                for (unsigned k = 0; k < 3; k++) {
                    assert_true(fabsf(found[i].translation[k] - wanted[i].translation[k]) < 1e-6F);
                    assert_true(fabsf(found[i].scale[k] - wanted[i].scale[k]) < 1e-6F);
                }
            }
        }
    }
}

/* ---- more ---------------------------------------------------------------------------------- */

static void more_poses_are_a_normalised_sum(void **state)
{
    (void)state;
    struct random random = {113};
    for (unsigned n = 0; n < 300; n++) {
        ossa_layer layers[LAYERS] = {0};
        double weights[LAYERS] = {0};
        size_t count = 3 + next_random(&random) % (LAYERS - 2);
        for (size_t i = 0; i < count; i++) {
            layers[i] = (ossa_layer){poses[next_random(&random) % POSES],
                                     1.1F + next_float(&random, 1), NULL};
            weights[i] = (double)layers[i].weight;
        }
        ossa_transform found[BONES];
        ossa_blend(&made.scene, layers, count, found);
        for (unsigned b = 0; b < BONES; b++) {
            const ossa_transform *from[LAYERS] = {0};
            for (size_t i = 0; i < count; i++) from[i] = &layers[i].locals[b];
            require_mean(&found[b], from, weights, count);
        }
    }
}

/* Turns about one axis: the middle one, by symmetry. */
static void three_poses_by_hand(void **state)
{
    (void)state;
    const double degree = acos(-1.0) / 180.0;
    static const double angles[3] = {10.0, 130.0, 70.0};
    ossa_transform three[3][BONES];
    memcpy(three, poses, sizeof three);
    for (unsigned p = 0; p < 3; p++) {
        struct rotation q = rotation_about(1, angles[p] * degree);
        if (p == 1) q = opposite(q);
        three[p][0] = (ossa_transform){{(float)p, 0.0F, -3.0F},
                                       {(float)q.x, (float)q.y, (float)q.z, (float)q.w},
                                       {1.0F, 2.0F * (float)p, 1.0F}};
    }
    const ossa_layer layers[] = {
        {three[0], 2.0F, NULL}, {three[1], 2.0F, NULL}, {three[2], 2.0F, NULL}};
    ossa_transform found[BONES];
    ossa_blend(&made.scene, layers, 3, found);
    require_turn(found[0].rotation, rotation_about(1, 70.0 * degree), NEAR);
    require_vector(found[0].translation, (const double[3]){1.0, 0.0, -3.0});
    require_vector(found[0].scale, (const double[3]){1.0, 2.0, 1.0});
}

/* A quaternion and its opposite are one rotation: the others' signs do not matter, the first's is
 * the result's. */
static void signs_do_not_matter(void **state)
{
    (void)state;
    for (uint32_t n = 0; n + 3 < POSES; n++) {
        ossa_transform flipped[4][BONES];
        memcpy(flipped, poses[n], sizeof flipped);
        for (unsigned p = 1; p < 4; p++) {
            for (unsigned i = 0; i < BONES; i++) {
                for (unsigned k = 0; k < 4; k++) flipped[p][i].rotation[k] *= -1.0F;
            }
        }
        for (size_t count = 2; count <= 4; count++) {
            ossa_layer plain[4];
            ossa_layer turned[4];
            for (unsigned p = 0; p < 4; p++) {
                plain[p] = (ossa_layer){poses[n + p], 1.0F + (float)p, NULL};
                turned[p] = (ossa_layer){flipped[p], 1.0F + (float)p, NULL};
            }
            ossa_transform a[BONES];
            ossa_transform b[BONES];
            ossa_blend(&made.scene, plain, count, a);
            ossa_blend(&made.scene, turned, count, b);
            for (unsigned i = 0; i < BONES; i++) {
                bool has_sides = true; /* at a right angle both ways are as short */
                for (size_t p = 1; p < count; p++) {
                    if (fabs(dot(rotation_of(poses[n][i].rotation),
                                 rotation_of(poses[n + p][i].rotation))) < 1e-6) {
                        has_sides = false;
                    }
                }
                if (has_sides) assert_memory_equal(&a[i], &b[i], sizeof a[i]);
            }
        }
    }
}

/* Around a first that hardly counts three rotations cancel. What is left is its weight's rounding:
 * the heaviest is taken. */
static void rotations_that_cancel_are_the_heaviest(void **state)
{
    (void)state;
    ossa_transform four[4][BONES];
    memcpy(four, poses, sizeof four);
    static const float turns[4][4] = {{0.0F, 0.0F, 0.0F, 1.0F},
                                      {-1.0F, 0.0F, 0.0F, 0.0F},
                                      {1.0F, 0.0F, 0.0F, 0.0F},
                                      {-1.0F, 0.0F, 0.0F, 0.0F}};
    for (unsigned p = 0; p < 4; p++) memcpy(four[p][0].rotation, turns[p], sizeof turns[p]);
    static const float scales[] = {1e-20F, 1.0F, 1e20F};
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        const ossa_layer layers[] = {{four[0], 1e-8F * scales[i], NULL},
                                     {four[1], 1.0F * scales[i], NULL},
                                     {four[2], 2.0F * scales[i], NULL},
                                     {four[3], 1.0F * scales[i], NULL}};
        ossa_transform found[BONES];
        ossa_blend(&made.scene, layers, 4, found);
        assert_memory_equal(found[0].rotation, turns[2], sizeof turns[2]);
    }
    /* A first that counts is what is left of them. */
    const ossa_layer layers[] = {{four[0], 0.01F, NULL},
                                 {four[1], 1.0F, NULL},
                                 {four[2], 2.0F, NULL},
                                 {four[3], 1.0F, NULL}};
    ossa_transform found[BONES];
    ossa_blend(&made.scene, layers, 4, found);
    require_turn(found[0].rotation, rotation_of(turns[0]), NEAR);
}

/* ---- weights ------------------------------------------------------------------------------- */

/* Only their proportions matter, down to what is nearly no float any more. */
static void weights_need_not_add_up(void **state)
{
    (void)state;
    for (size_t count = 2; count <= LAYERS; count++) {
        ossa_transform wanted[BONES];
        for (int power = -140; power <= 120; power += 10) {
            ossa_layer layers[LAYERS];
            for (unsigned i = 0; i < LAYERS; i++) {
                layers[i] = (ossa_layer){poses[3 * i + 1], ldexpf(1.0F + (float)i, power), NULL};
            }
            ossa_transform found[BONES];
            ossa_blend(&made.scene, layers, count, found);
            if (power == -140) memcpy(wanted, found, sizeof found);
            assert_memory_equal(found, wanted, sizeof found);
        }
    }
}

/* A mask for each bone: what it leaves out is as if the layer were not there. */
static void bones_have_weights_of_their_own(void **state)
{
    (void)state;
    struct random random = {131};
    for (unsigned n = 0; n < 200; n++) {
        float masks[LAYERS][BONES];
        ossa_layer layers[LAYERS];
        for (unsigned i = 0; i < LAYERS; i++) {
            for (unsigned b = 0; b < BONES; b++) {
                bool counts = next_random(&random) >> 8 & 1;
                masks[i][b] = counts ? 1.25F + next_float(&random, 1)
                                     : no_weights[next_random(&random) % NO_WEIGHTS];
            }
            layers[i] = (ossa_layer){poses[next_random(&random) % POSES],
                                     1.25F + next_float(&random, 1), masks[i]};
        }
        ossa_transform found[BONES];
        ossa_blend(&made.scene, layers, LAYERS, found);
        for (unsigned b = 0; b < BONES; b++) {
            const ossa_transform *from[LAYERS] = {0};
            double weights[LAYERS] = {0};
            size_t count = 0;
            for (unsigned i = 0; i < LAYERS; i++) {
                if (!(masks[i][b] > 0.0F) || isinf(masks[i][b])) continue;
                from[count] = &layers[i].locals[b];
                weights[count++] = (double)layers[i].weight * (double)masks[i][b];
            }
            if (count > 1) require_mean(&found[b], from, weights, count);
            else if (count == 1) assert_memory_equal(&found[b], from[0], sizeof found[b]);
            else assert_memory_equal(&found[b], &made.bones[b].rest, sizeof found[b]);
        }
    }
}

/* The mean of the same values is that value, also of the largest there are. */
static void equal_poses_stay(void **state)
{
    (void)state;
    ossa_transform same[BONES];
    memcpy(same, poses[5], sizeof same);
    same[0].translation[0] = FLT_MAX;
    same[0].translation[1] = -FLT_MAX;
    same[0].scale[2] = FLT_MIN;
    for (size_t count = 2; count <= LAYERS; count++) {
        const ossa_layer layers[LAYERS] = {{same, 0.3F, NULL},
                                           {same, 0.7F, NULL},
                                           {same, 1e-7F, NULL},
                                           {same, 3.0F, NULL},
                                           {same, 11.0F, NULL}};
        ossa_transform found[BONES];
        ossa_blend(&made.scene, layers, count, found);
        for (unsigned b = 0; b < BONES; b++) {
            assert_memory_equal(found[b].translation, same[b].translation, 3 * sizeof(float));
            assert_memory_equal(found[b].scale, same[b].scale, 3 * sizeof(float));
            require_turn(found[b].rotation, rotation_of(same[b].rotation), NEAR);
        }
    }
}

static void the_result_may_take_the_place_of_a_layer(void **state)
{
    (void)state;
    for (size_t count = 1; count <= LAYERS; count++) {
        for (size_t place = 0; place < count; place++) {
            ossa_transform own[LAYERS][BONES];
            ossa_transform wanted[BONES];
            ossa_layer layers[LAYERS];
            memcpy(own, poses, sizeof own);
            for (unsigned i = 0; i < LAYERS; i++) {
                layers[i] = (ossa_layer){own[i], 1.0F + (float)i, NULL};
            }
            ossa_blend(&made.scene, layers, count, wanted);
            ossa_blend(&made.scene, layers, count, own[place]);
            assert_memory_equal(own[place], wanted, sizeof wanted);
        }
    }
}

TEST_GROUP(test_scene_blend)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_nothing_counts_it_is_the_rest),
        cmocka_unit_test(one_pose_is_itself_bit_for_bit),
        cmocka_unit_test(no_bones_are_no_matter),
        cmocka_unit_test(two_poses_by_hand),
        cmocka_unit_test(two_poses_turn_along_the_short_arc),
        cmocka_unit_test(a_blend_of_frames_is_the_clip_between_them),
        cmocka_unit_test(more_poses_are_a_normalised_sum),
        cmocka_unit_test(three_poses_by_hand),
        cmocka_unit_test(signs_do_not_matter),
        cmocka_unit_test(rotations_that_cancel_are_the_heaviest),
        cmocka_unit_test(weights_need_not_add_up),
        cmocka_unit_test(bones_have_weights_of_their_own),
        cmocka_unit_test(equal_poses_stay),
        cmocka_unit_test(the_result_may_take_the_place_of_a_layer),
    };
    return cmocka_run_group_tests(tests, set_up, free_poses);
}
