/* SPDX-License-Identifier: MIT
 *
 * Three angles of a rotation: they mean it, and no others are nearer. */
#include "base/angles.h"
#include "support/rotation.h"
#include "support/testing.h"

#include <float.h>
#include <math.h>

#define PI 3.14159265358979323846

static const struct ossa__angle_order orders[6] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                                   {2, 1, 0}, {0, 2, 1}, {1, 0, 2}};

/* By the tests' own arithmetic. */
static struct rotation turned(const double angles[3], struct ossa__angle_order order)
{
    struct rotation first = rotation_about(order.first, angles[order.first]);
    struct rotation middle = rotation_about(order.middle, angles[order.middle]);
    struct rotation last = rotation_about(order.last, angles[order.last]);
    return rotation_product(last, rotation_product(middle, first));
}

static struct ossa__quat quat_of(struct rotation r)
{
    return (struct ossa__quat){r.x, r.y, r.z, r.w};
}

static double distance(const double a[3], const double b[3])
{
    return point_distance(a, b);
}

static void require_meaning(const double angles[3], struct ossa__angle_order order,
                            struct rotation wanted, double degrees)
{
    double off = rotation_distance(turned(angles, order), wanted);
    require(off <= degrees, "angles", "%g %g %g mean a rotation that is %g degrees off", angles[0],
            angles[1], angles[2], off);
}

static double random_angle(struct random *random, double range)
{
    return (double)next_float(random, 1) * range;
}

static void they_mean_the_rotation(void **state)
{
    (void)state;
    struct random random = {11};
    for (unsigned i = 0; i < 6000; i++) {
        struct ossa__angle_order order = orders[i % 6];
        double given[3];
        double near[3];
        double found[3];
        for (unsigned k = 0; k < 3; k++) {
            given[k] = random_angle(&random, 10.0);
            near[k] = random_angle(&random, 10.0);
        }
        struct rotation wanted = turned(given, order);
        struct ossa__quat made = ossa__quat_from_angles(given, order);
        struct rotation same = {made.x, made.y, made.z, made.w};
        assert_true(rotation_distance(same, wanted) < 1e-5); /* acos is that coarse */
        ossa__angles_near(quat_of(wanted), order, near, found);
        require_meaning(found, order, wanted, 1e-5);
    }
}

/* Every triple that means the same rotation, around it. */
static void no_others_are_nearer(void **state)
{
    (void)state;
    struct random random = {12};
    for (unsigned i = 0; i < 600; i++) {
        struct ossa__angle_order order = orders[i % 6];
        double given[3];
        double near[3];
        double found[3];
        for (unsigned k = 0; k < 3; k++) {
            given[k] = random_angle(&random, 3.0);
            near[k] = random_angle(&random, 9.0);
        }
        ossa__angles_near(quat_of(turned(given, order)), order, near, found);
        double least = distance(found, near);
        for (unsigned n = 0; n < 2 * 125; n++) {
            double other[3] = {given[0], given[1], given[2]};
            if (n % 2 == 1) {
                for (unsigned k = 0; k < 3; k++) other[k] += PI;
                other[order.middle] = PI - given[order.middle];
            }
            other[0] += 2.0 * PI * ((int)(n / 2 % 5) - 2);
            other[1] += 2.0 * PI * ((int)(n / 10 % 5) - 2);
            other[2] += 2.0 * PI * ((int)(n / 50 % 5) - 2);
            require(distance(other, near) > least - 1e-6, "angles", "others are nearer");
        }
    }
}

/* Angles that were far apart come back when they are asked for near themselves. */
static void they_stay_where_they_were(void **state)
{
    (void)state;
    struct random random = {13};
    for (unsigned i = 0; i < 3000; i++) {
        struct ossa__angle_order order = orders[i % 6];
        double given[3];
        double found[3];
        for (unsigned k = 0; k < 3; k++) given[k] = random_angle(&random, 50.0);
        if (fabs(cos(given[order.middle])) < 1e-3) continue; /* many angles mean it */
        ossa__angles_near(quat_of(turned(given, order)), order, given, found);
        assert_true(distance(found, given) < 1e-6);
    }
}

/* At and around a right middle angle. */
static void gimbal_lock_takes_the_nearest(void **state)
{
    (void)state;
    static const double offsets[] = {0.0, 1e-9, -1e-7, 4e-6, -8e-6, 2e-5, 1e-3, -1e-2};
    struct random random = {14};
    for (unsigned i = 0; i < 6 * 2 * 8 * 40; i++) {
        struct ossa__angle_order order = orders[i % 6];
        double given[3];
        double near[3];
        double found[3];
        double side = i / 6 % 2 == 0 ? 1.0 : -1.0;
        double offset = offsets[i / 12 % 8];
        for (unsigned k = 0; k < 3; k++) given[k] = random_angle(&random, 3.0);
        given[order.middle] = side * PI / 2.0 + offset;
        struct rotation wanted = turned(given, order);
        /* From where it is, it does not move. */
        ossa__angles_near(quat_of(wanted), order, given, found);
        require_meaning(found, order, wanted, 1.3e-3);
        assert_true(distance(found, given) < (fabs(offset) < 1e-5 ? 4e-5 : 1e-6));
        /* From a neighbour, it moves no further than necessary. */
        for (unsigned k = 0; k < 3; k++) near[k] = given[k] + random_angle(&random, 0.1);
        ossa__angles_near(quat_of(wanted), order, near, found);
        require_meaning(found, order, wanted, 1.3e-3);
        assert_true(distance(found, near) <= distance(given, near) + 1e-5);
    }
}

static void huge_angles_are_no_trouble(void **state)
{
    (void)state;
    const double near[3] = {(double)FLT_MAX, -(double)FLT_MAX, 1e30};
    const struct ossa__quat q = {0.5, 0.5, 0.5, 0.5}; /* locked in some orders */
    for (unsigned i = 0; i < 6; i++) {
        double found[3];
        ossa__angles_near(q, orders[i], near, found);
        for (unsigned k = 0; k < 3; k++) assert_true(isfinite(found[k]));
    }
}

TEST_GROUP(test_core_angles)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_mean_the_rotation),
        cmocka_unit_test(no_others_are_nearer),
        cmocka_unit_test(they_stay_where_they_were),
        cmocka_unit_test(gimbal_lock_takes_the_nearest),
        cmocka_unit_test(huge_angles_are_no_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
