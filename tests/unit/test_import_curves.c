/* SPDX-License-Identifier: MIT
 *
 * The curves of edited files between their keys: steps, lines, arcs and splines. */
#include "support/testing.h"

#include "import/curves.h"

#include <math.h>

enum { KEYS = 4 };

/* At no even distance, so that seconds and keys are not the same. */
static const float times[KEYS] = {0.0F, 0.5F, 2.5F, 2.75F};

static void require_near(const char *what, double time, const double *found, const double *wanted,
                         unsigned width)
{
    for (unsigned k = 0; k < width; k++) {
        require(fabs(found[k] - wanted[k]) < 1e-6, what, "%g s: [%u] is %g, expected %g", time, k,
                found[k], wanted[k]);
    }
}

static uint32_t key_before(double time)
{
    uint32_t key = 0;
    while (key + 1 < KEYS && (double)times[key + 1] <= time) key++;
    return key;
}

/* ---- steps and lines ----------------------------------------------------------------------- */

static const float places[KEYS][3] = {
    {1.0F, 2.0F, 3.0F}, {-1.0F, 4.0F, 3.5F}, {5.0F, 0.0F, 3.25F}, {0.5F, 0.25F, -3.0F}};

static void steps_stay_until_the_next(void **state)
{
    (void)state;
    const struct ossa__motion_curve curve = {.interpolation = OSSA__MOTION_STEP,
                                             .key_count = KEYS,
                                             .width = 3,
                                             .times = times,
                                             .values = places[0]};
    for (int i = -16; i < 112; i++) {
        const double time = i / 32.0;
        double found[3];
        double wanted[3];
        for (unsigned k = 0; k < 3; k++) wanted[k] = (double)places[key_before(time)][k];
        ossa__sample_curve(&curve, time, 0.0, found);
        require_near("step", time, found, wanted, 3);
    }
}

static void lines_are_straight(void **state)
{
    (void)state;
    const struct ossa__motion_curve curve = {
        .key_count = KEYS, .width = 3, .times = times, .values = places[0]};
    for (int i = -16; i < 112; i++) {
        const double time = i / 32.0;
        double found[3];
        double wanted[3];
        uint32_t key = key_before(time);
        uint32_t next = key + 1 < KEYS && time > 0.0 ? key + 1 : key;
        double length = (double)times[next] - (double)times[key];
        double t = next == key ? 0.0 : (time - (double)times[key]) / length;
        for (unsigned k = 0; k < 3; k++) {
            wanted[k] = (1.0 - t) * (double)places[key][k] + t * (double)places[next][k];
        }
        ossa__sample_curve(&curve, time, 0.0, found);
        require_near("line", time, found, wanted, 3);
    }
}

/* A time that is nearly that of a key is that of the key, from either side. */
static void times_are_rounded(void **state)
{
    (void)state;
    const struct ossa__motion_curve curve = {
        .key_count = KEYS, .width = 3, .times = times, .values = places[0]};
    for (unsigned key = 0; key < KEYS; key++) {
        for (int side = -1; side <= 1; side++) {
            double found[3];
            ossa__sample_curve(&curve, (double)times[key] + 0.009 * side, 0.01, found);
            for (unsigned k = 0; k < 3; k++) assert_true(found[k] == (double)places[key][k]);
        }
    }
}

static void arcs_have_even_speed(void **state)
{
    (void)state;
    /* From none to a right angle about z, not of length 1, and the long way round. */
    static const float turns[2][4] = {{0.0F, 0.0F, 0.0F, 2.0F}, {0.0F, 0.0F, -3.0F, -3.0F}};
    const struct ossa__motion_curve curve = {.target = OSSA__MOTION_ROTATION,
                                             .key_count = 2,
                                             .width = 4,
                                             .times = times + 1,
                                             .values = turns[0]};
    for (unsigned i = 0; i <= 8; i++) {
        double found[4];
        double half = i * atan(1.0) / 8.0;
        const double wanted[4] = {0.0, 0.0, sin(half), cos(half)};
        ossa__sample_curve(&curve, 0.5 + 0.25 * i, 0.0, found);
        double sign = found[3] < 0.0 ? -1.0 : 1.0;
        for (unsigned k = 0; k < 4; k++) found[k] *= sign;
        require_near("arc", 0.25 * i, found, wanted, 4);
    }
}

/* ---- splines ------------------------------------------------------------------------------- */

/* A key is the tangent before it, its value and the tangent behind it, which are per second. */
static const float splines[KEYS][3][2] = {{{9.0F, 8.0F}, {1.0F, 2.0F}, {0.5F, -2.0F}},
                                          {{-1.0F, 3.0F}, {2.0F, -1.0F}, {4.0F, 0.25F}},
                                          {{0.75F, -5.0F}, {-3.0F, 0.5F}, {2.0F, 2.0F}},
                                          {{1.0F, 1.5F}, {0.0F, 4.0F}, {7.0F, 6.0F}}};

/* The same as the curve of Bezier, whose inner points are a third of the tangents away. */
static double bezier(double a, double leaving, double arriving, double b, double length, double t)
{
    double points[4] = {a, a + leaving * length / 3.0, b - arriving * length / 3.0, b};
    for (unsigned left = 3; left > 0; left--) {
        for (unsigned i = 0; i < left; i++) points[i] += (points[i + 1] - points[i]) * t;
    }
    return points[0];
}

static void splines_leave_and_arrive_along_their_tangents(void **state)
{
    (void)state;
    const struct ossa__motion_curve curve = {.interpolation = OSSA__MOTION_CUBIC,
                                             .key_count = KEYS,
                                             .width = 2,
                                             .times = times,
                                             .values = splines[0][0]};
    for (int i = -16; i < 112; i++) {
        const double time = i / 32.0;
        double found[2];
        double wanted[2];
        uint32_t key = key_before(time);
        uint32_t next = key + 1 < KEYS && time > 0.0 ? key + 1 : key;
        double length = (double)times[next] - (double)times[key];
        double t = next == key ? 0.0 : (time - (double)times[key]) / length;
        for (unsigned k = 0; k < 2; k++) {
            wanted[k] = bezier((double)splines[key][1][k], (double)splines[key][2][k],
                               (double)splines[next][0][k], (double)splines[next][1][k], length, t);
        }
        ossa__sample_curve(&curve, time, 0.0, found);
        require_near("spline", time, found, wanted, 2);
    }
}

static void rotations_of_splines_have_length_1(void **state)
{
    (void)state;
    static const float turns[2][3][4] = {
        {{0.0F}, {0.0F, 0.0F, 0.0F, 1.0F}, {1.0F, 0.0F, 0.5F, 0.0F}},
        {{0.0F, 1.0F, 0.0F, 0.0F}, {0.6F, 0.0F, 0.0F, 0.8F}, {0.0F}}};
    const struct ossa__motion_curve curve = {.target = OSSA__MOTION_ROTATION,
                                             .interpolation = OSSA__MOTION_CUBIC,
                                             .key_count = 2,
                                             .width = 4,
                                             .times = times + 1,
                                             .values = turns[0][0]};
    for (unsigned i = 0; i <= 8; i++) {
        double found[4];
        double wanted[4];
        double length = 0.0;
        for (unsigned k = 0; k < 4; k++) {
            wanted[k] = bezier((double)turns[0][1][k], (double)turns[0][2][k],
                               (double)turns[1][0][k], (double)turns[1][1][k], 2.0, i / 8.0);
            length += wanted[k] * wanted[k];
        }
        for (unsigned k = 0; k < 4; k++) wanted[k] /= sqrt(length);
        ossa__sample_curve(&curve, 0.5 + 0.25 * i, 0.0, found);
        require_near("rotation", 0.25 * i, found, wanted, 4);
    }
}

TEST_GROUP(test_import_curves)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_stay_until_the_next),
        cmocka_unit_test(lines_are_straight),
        cmocka_unit_test(times_are_rounded),
        cmocka_unit_test(arcs_have_even_speed),
        cmocka_unit_test(splines_leave_and_arrive_along_their_tangents),
        cmocka_unit_test(rotations_of_splines_have_length_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
