/* SPDX-License-Identifier: MIT
 *
 * Rotations as three angles. */
#include "support/rotation.h"
#include "support/testing.h"
#include "export/euler.h"

#include <math.h>

static struct rotation rotation_of_turns(struct ossa__euler_zxy turns)
{
    const double radian = acos(-1.0) / 180.0;
    return rotation_product(
        rotation_about(2, turns.z * radian),
        rotation_product(rotation_about(0, turns.x * radian), rotation_about(1, turns.y * radian)));
}

static void require_turns(const float q[4], struct ossa__euler_zxy turns, double tolerance)
{
    double degrees = rotation_distance(rotation_of_turns(turns), rotation_unit(rotation_of(q)));
    require(degrees < tolerance, "turns", "%g %g %g is %g degrees from %.9g %.9g %.9g %.9g",
            turns.z, turns.x, turns.y, degrees, (double)q[0], (double)q[1], (double)q[2],
            (double)q[3]);
}

static void turns_are_the_rotation(void **state)
{
    (void)state;
    struct random random = {5};
    struct ossa__euler_zxy before = {0.0, 0.0, 0.0};
    for (unsigned i = 0; i < 100000; i++) {
        float q[4];
        next_unit(&random, q);
        struct ossa__euler_zxy plain = ossa__euler_from(q);
        assert_true(fabs(plain.x) <= 90.0 && fabs(plain.y) <= 180.0 && fabs(plain.z) <= 180.0);
        require_turns(q, plain, 3e-4); /* in the lock 2e-6 radians, else nothing */
        struct ossa__euler_zxy near = ossa__euler_near(q, before);
        require_turns(q, near, 3e-4);
        const double steps[3] = {near.z - before.z, near.x - before.x, near.y - before.y};
        for (unsigned k = 0; k < 3; k++) assert_true(fabs(steps[k]) <= 180.0001);
        before = near;
    }
}

/* A right angle about X, and every hair's breadth beside it. */
static void turns_beside_the_lock(void **state)
{
    (void)state;
    const double radian = acos(-1.0) / 180.0;
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int step = 0; step < 58; step++) {
            double off = pow(0.7, step); /* from a degree down to 1e-9 */
            for (int side = -1; side <= 1; side++) {
                struct rotation r = rotation_product(
                    rotation_about(2, 0.7),
                    rotation_product(rotation_about(0, sign * (90.0 + side * off) * radian),
                                     rotation_about(1, -0.4)));
                const float q[4] = {(float)r.x, (float)r.y, (float)r.z, (float)r.w};
                require_turns(q, ossa__euler_from(q), 3e-4);
                const struct ossa__euler_zxy before = {40.0, 89.0 * sign, -22.0};
                struct ossa__euler_zxy near = ossa__euler_near(q, before);
                require_turns(q, near, 3e-4);
                /* Far enough from the lock, or in it, the angles are known. */
                if (off < 0.1 && side != 0) continue;
                assert_true(fabs(near.y + 0.4 / radian) < 2.0 && fabs(near.z - 0.7 / radian) < 2.0);
            }
        }
    }
}

/* In the lock the last bits of a float32 decide what the other two angles would be: y keeps still
 * instead. */
static void noise_in_the_lock_is_not_followed(void **state)
{
    (void)state;
    const double radian = acos(-1.0) / 180.0;
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int step = 0; step < 28; step++) {
            double z = -170.0 + 12.3 * step;
            for (unsigned nudge = 0; nudge < 8; nudge++) {
                struct rotation r = rotation_product(rotation_about(2, z * radian),
                                                     rotation_about(0, sign * 90.0 * radian));
                float q[4] = {(float)r.x, (float)r.y, (float)r.z, (float)r.w};
                q[nudge / 2] = nextafterf(q[nudge / 2], nudge % 2 == 0 ? 2.0F : -2.0F);
                const struct ossa__euler_zxy before = {z - 5.0 - 50.0 * sign, 88.0 * sign, 50.0};
                struct ossa__euler_zxy near = ossa__euler_near(q, before);
                require_turns(q, near, 3e-4);
                assert_true(near.y == 50.0 && fabs(near.z - (z - 50.0 * sign)) < 1e-4);
                assert_true(fabs(near.x - 90.0 * sign) < 1e-4);
            }
        }
    }
}

/* Where two ways are equally far it is always the same one, not that of the last bit. */
static void half_a_turn_goes_one_way(void **state)
{
    (void)state;
    static const float about_y[][4] = {
        {0.0F, 1.0F, 0.0F, 0.0F}, {0.0F, 1.0F, 0.0F, -4e-9F}, {0.0F, -1.0F, 0.0F, -4e-9F}};
    const struct ossa__euler_zxy before = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < sizeof about_y / sizeof about_y[0]; i++) {
        struct ossa__euler_zxy near = ossa__euler_near(about_y[i], before);
        assert_true(fabs(near.y + 180.0) < 1e-5);
        assert_true(fabs(near.x) < 1e-5 && fabs(near.z) < 1e-5);
    }
}

TEST_GROUP(test_export_euler)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_are_the_rotation),
        cmocka_unit_test(turns_beside_the_lock),
        cmocka_unit_test(half_a_turn_goes_one_way),
        cmocka_unit_test(noise_in_the_lock_is_not_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
