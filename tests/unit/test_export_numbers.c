/* SPDX-License-Identifier: MIT
 *
 * Numbers as the exporters of text write them: without an exponent, with a point under every
 * locale, and such that they read back; and rotations as three turns. For the locales decimal.c is
 * compiled here once more, with a printf that behaves as if. */
#include "support/foreign_printf.h"
#include "support/rotation.h"
#include "support/testing.h"
#include "export/euler.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names of its own: the library's are linked too. */
#define ossa__write_text       foreign_write_text
#define ossa__write_integer    foreign_write_integer
#define ossa__write_decimal    foreign_write_decimal
#define ossa__write_millionths foreign_write_millionths
#define snprintf               foreign_snprintf
#include "export/decimal.c" /* NOLINT(bugprone-suspicious-include) */
#undef snprintf

struct output {
    struct ossa__context context;
    struct ossa__writer writer;
    ossa_buffer buffer;
};

static void begin(struct output *out)
{
    out->buffer = (ossa_buffer){0};
    ossa__context_init(&out->context, NULL, 0);
    ossa__writer_init(&out->writer, &out->context, ossa_buffer_sink(&out->buffer));
}

static void end(struct output *out, char *text, size_t capacity)
{
    assert_true(ossa__writer_finish(&out->writer));
    assert_true(out->buffer.size < capacity);
    memcpy(text, out->buffer.data, out->buffer.size);
    text[out->buffer.size] = '\0';
    ossa_buffer_free(&out->buffer);
    ossa__arena_free(&out->context.arena);
}

static void decimal_text(double value, unsigned least, char *text, size_t capacity)
{
    struct output out;
    begin(&out);
    foreign_write_decimal(&out.writer, value, least);
    end(&out, text, capacity);
}

static void assert_decimal(double value, unsigned least, const char *expected)
{
    char text[512];
    decimal_text(value, least, text, sizeof text);
    assert_string_equal(text, expected);
}

static void check_point(const char *point)
{
    foreign_point = point;
    assert_decimal(0.0, 6, "0.000000");
    assert_decimal(-0.0, 6, "0.000000");
    assert_decimal(1.0, 6, "1.000000");
    assert_decimal(-1.5, 6, "-1.500000");
    assert_decimal(10.0, 1, "10.0");
    assert_decimal(123456789.0, 6, "123456789.000000");
    assert_decimal(1234567891.0, 6, "1234567890.000000");
    assert_decimal(99999.99999999, 6, "100000.000000");
    assert_decimal(0.99999999999, 6, "1.000000");
    assert_decimal(0.1, 6, "0.100000");
    assert_decimal((double)0.1F, 6, "0.100000001");
    assert_decimal(-0.00012345678912, 6, "-0.000123456789");
    assert_decimal(1.0 / 30.0, 10, "0.0333333333");
    assert_decimal(1.0 / 15.0, 10, "0.0666666667");
    assert_decimal(1.0, 10, "1.0000000000");
    assert_decimal((double)FLT_MAX, 6, "340282347000000000000000000000000000000.000000");
    assert_decimal((double)FLT_MIN, 6, "0.0000000000000000000000000000000000000117549435");
    assert_decimal(7e-46, 6, "0.0000000000000000000000000000000000000000000007");
}

static void any_decimal_point(void **state)
{
    (void)state;
    check_point(".");
    check_point(",");
    check_point("\xd9\xab");     /* the Arabic one, two bytes */
    check_point("\xe2\x8e\x96"); /* three bytes */
}

static void every_float_reads_back(void **state)
{
    (void)state;
    struct random random = {17};
    foreign_point = ",";
    for (unsigned i = 0; i < 200000; i++) {
        float value = f32_of_bits(next_random(&random));
        char text[512];
        if (!isfinite(value)) continue;
        decimal_text((double)value, 6, text, sizeof text);
        require(strtof(text, NULL) == value, text, "is not %.9g", (double)value);
        const char *point = strchr(text, '.');
        require(point != NULL && strlen(point) > 6, text, "has too few decimals");
    }
}

static void assert_millionths(double value, const char *expected)
{
    char text[64];
    struct output out;
    begin(&out);
    foreign_write_millionths(&out.writer, value);
    end(&out, text, sizeof text);
    assert_string_equal(text, expected);
}

static void six_decimals(void **state)
{
    (void)state;
    assert_millionths(0.0, "0.000000");
    assert_millionths(-0.0, "0.000000");
    assert_millionths(1e-300, "0.000000");
    assert_millionths(-4.9e-7, "0.000000");
    assert_millionths(-5.1e-7, "-0.000001");
    assert_millionths(1.0, "1.000000");
    assert_millionths(-10.25, "-10.250000");
    assert_millionths(179.9999996, "180.000000");
    assert_millionths(-0.012345, "-0.012345");
    assert_millionths(7.7e11, "770000000000.000000"); /* half a turn in each of 2^32 frames */
    assert_millionths(-7.7e11, "-770000000000.000000");
}

/* ---- turns --------------------------------------------------------------------------------- */

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

TEST_GROUP(test_export_numbers)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_decimal_point),
        cmocka_unit_test(every_float_reads_back),
        cmocka_unit_test(six_decimals),
        cmocka_unit_test(turns_are_the_rotation),
        cmocka_unit_test(turns_beside_the_lock),
        cmocka_unit_test(half_a_turn_goes_one_way),
        cmocka_unit_test(noise_in_the_lock_is_not_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
