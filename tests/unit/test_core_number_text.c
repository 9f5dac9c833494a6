/* SPDX-License-Identifier: MIT
 *
 * Numbers as text: digit for digit what printf writes.
 *
 * The usual number of floats is small. OSSA_FLOATS=100000000 compares so many random ones, and
 * OSSA_FLOATS=all every float there is, which takes minutes. */
#include "test_core.h"

#include "base/bytes.h"
#include "base/number_text.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const char *float_text(float value)
{
    static char text[OSSA__FLOAT_CAPACITY + 1];
    memset(text, 'x', sizeof text);
    char *end = ossa__float_text(value, text);
    assert_true(end - text < OSSA__FLOAT_CAPACITY && text[OSSA__FLOAT_CAPACITY] == 'x');
    *end = '\0';
    return text;
}

static void known_floats(void **state)
{
    (void)state;
    assert_string_equal(float_text(0.0F), "0");
    assert_string_equal(float_text(-0.0F), "-0.0");
    assert_string_equal(float_text(1.0F), "1");
    assert_string_equal(float_text(-2.5F), "-2.5");
    assert_string_equal(float_text(0.1F), "0.100000001");
    assert_string_equal(float_text(1e10F), "1e+10");
    assert_string_equal(float_text(16777216.0F), "16777216");
    assert_string_equal(float_text(3.4028234663852886e38F), "3.40282347e+38");
    assert_string_equal(float_text(-3.4028234663852886e38F), "-3.40282347e+38");
    assert_string_equal(float_text(1.1754943508222875e-38F), "1.17549435e-38");
    assert_string_equal(float_text(1.401298464324817e-45F), "1.40129846e-45");
    assert_string_equal(float_text(-1.401298464324817e-45F), "-1.40129846e-45");
}

/* ---- like printf --------------------------------------------------------------------------- */

static void compare(uint32_t bits)
{
    float value = ossa__f32_from_bits(bits);
    if (!isfinite(value) || value == 0.0F) return;
    char expected[48];
    (void)snprintf(expected, sizeof expected, "%.9g", (double)value);
    const char *found = float_text(value);
    if (strcmp(found, expected) == 0) return;
    fail_msg("0x%08" PRIx32 " is %s, expected %s", bits, found, expected);
}

static void compare_around(uint32_t bits)
{
    for (uint32_t near = bits - 3; near != bits + 4; near++) {
        compare(near);
        compare(near ^ 0x80000000);
    }
}

static void random_floats_like_printf(void **state)
{
    (void)state;
    const char *wish = getenv("OSSA_FLOATS");
    uint64_t count = 1000000;
    if (wish != NULL && strcmp(wish, "all") == 0) {
        for (uint32_t bits = 0; bits < 0x7f800000; bits++) compare(bits);
        return;
    }
    if (wish != NULL) count = strtoull(wish, NULL, 10);
    uint64_t seed = 6;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t bits = random_u32(&seed);
        if (i % 8 == 0) bits &= 0x807fffff;                     /* denormal */
        if (i % 8 > 3) bits = (bits & 0x83ffffff) | 0x3c000000; /* most used */
        compare(bits);
    }
}

/* The first and last floats of each exponent, and few bits set. */
static void every_exponent_like_printf(void **state)
{
    (void)state;
    for (uint32_t exponent = 0; exponent < 255; exponent++) {
        compare_around(exponent << 23);
        for (uint32_t bit = 0; bit < 23; bit++) {
            compare_around(exponent << 23 | UINT32_C(1) << bit);
            compare_around(exponent << 23 | (0x7fffff ^ UINT32_C(1) << bit));
            for (uint32_t other = 0; other < bit; other++) {
                compare(exponent << 23 | UINT32_C(1) << bit | UINT32_C(1) << other);
            }
        }
    }
}

/* Where the number of digits changes. */
static void powers_of_ten_like_printf(void **state)
{
    (void)state;
    for (int power = -45; power <= 38; power++) {
        char text[16];
        for (unsigned digit = 1; digit < 10; digit++) {
            (void)snprintf(text, sizeof text, "%ue%d", digit, power);
            float value = strtof(text, NULL);
            if (isfinite(value)) compare_around(ossa__bits_from_f32(value));
        }
    }
}

/* Exactly between two texts of nine digits: an odd multiple of 5^s / 2^(s + 1) is an integer and a
 * half after 10^s. Both ways of rounding to even occur. */
static void ties_like_printf(void **state)
{
    (void)state;
    unsigned ties = 0;
    for (int s = 0; s < 9; s++) {
        uint64_t seed = (uint64_t)s;
        for (unsigned i = 0; i < 20000; i++) {
            /* n + 1/2 with n of nine digits is odd / 2; over 10^s it must be a float. */
            double five = pow(5.0, s);
            double odd = floor((2e8 + 1.8e9 * (random_u32(&seed) / 4294967296.0)) / five);
            odd = 2.0 * floor(odd / 2.0) + 1.0;
            double value = odd / ldexp(1.0, s + 1);
            if (odd * five < 2e8 || odd * five >= 2e9 || (double)(float)value != value) continue;
            compare_around(ossa__bits_from_f32((float)value));
            ties++;
        }
    }
    assert_true(ties > 50000);
}

static void floats_read_back(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (unsigned i = 0; i < 100000; i++) {
        uint32_t bits = random_u32(&seed);
        float value = ossa__f32_from_bits(bits);
        if (!isfinite(value)) continue;
        assert_int_equal(ossa__bits_from_f32(strtof(float_text(value), NULL)), bits);
    }
}

/* ---- integers ------------------------------------------------------------------------------ */

static void compare_integer(uint64_t value)
{
    char expected[32];
    char text[OSSA__INTEGER_CAPACITY + 1];
    *ossa__uint_text(value, text) = '\0';
    (void)snprintf(expected, sizeof expected, "%" PRIu64, value);
    assert_string_equal(text, expected);
    *ossa__int_text((int64_t)value, text) = '\0';
    (void)snprintf(expected, sizeof expected, "%" PRId64, (int64_t)value);
    assert_string_equal(text, expected);
}

static void integers(void **state)
{
    (void)state;
    uint64_t power = 1;
    for (unsigned i = 0; i < 20; i++, power *= 10) {
        for (uint64_t near = power - 2; near != power + 3; near++) {
            compare_integer(near);
            compare_integer(-near);
        }
    }
    uint64_t seed = 8;
    for (unsigned i = 0; i < 100000; i++) {
        uint64_t value = (uint64_t)random_u32(&seed) << 32 | random_u32(&seed);
        compare_integer(value >> i % 64);
    }
}

/* ---- decimals ------------------------------------------------------------------------------ */

static const char *decimal_text(double value, unsigned least)
{
    static char text[OSSA__DECIMAL_CAPACITY];
    char *end = ossa__decimal_text(value, least, text);
    assert_true(end - text < OSSA__DECIMAL_CAPACITY);
    *end = '\0';
    return text;
}

static void known_decimals(void **state)
{
    (void)state;
    assert_string_equal(decimal_text(0.0, 6), "0.000000");
    assert_string_equal(decimal_text(-0.0, 6), "0.000000");
    assert_string_equal(decimal_text(1.0, 6), "1.000000");
    assert_string_equal(decimal_text(-1.5, 6), "-1.500000");
    assert_string_equal(decimal_text(10.0, 1), "10.0");
    assert_string_equal(decimal_text(10.0, 0), "10.");
    assert_string_equal(decimal_text(1.0, 10), "1.0000000000");
    assert_string_equal(decimal_text(123456789.0, 6), "123456789.000000");
    assert_string_equal(decimal_text((double)0.1F, 6), "0.100000001");
    assert_string_equal(decimal_text((double)FLT_MAX, 6),
                        "340282347000000000000000000000000000000.000000");
    assert_string_equal(decimal_text((double)FLT_MIN, 6),
                        "0.0000000000000000000000000000000000000117549435");
}

/* The largest, the smallest and what is between them have room. */
static void decimals_of_doubles(void **state)
{
    (void)state;
    static const double values[] = {DBL_MAX, DBL_MIN, -4.9406564584124654e-324, 1e300, 1.0 / 3.0};
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            double back = strtod(decimal_text(sign * values[i], 16), NULL);
            assert_true(fabs(back - sign * values[i]) <= 1e-8 * fabs(values[i]));
        }
    }
}

static void decimals_read_back(void **state)
{
    (void)state;
    uint64_t seed = 17;
    for (unsigned i = 0; i < 200000; i++) {
        float value = ossa__f32_from_bits(random_u32(&seed));
        if (!isfinite(value)) continue;
        const char *text = decimal_text((double)value, 6);
        assert_true(strtof(text, NULL) == value);
        const char *point = strchr(text, '.');
        assert_true(point != NULL && strlen(point) > 6);
        assert_null(strchr(text, 'e'));
    }
}

static void assert_millionths(double value, const char *expected)
{
    char text[OSSA__MILLIONTHS_CAPACITY];
    *ossa__millionths_text(value, text) = '\0';
    assert_string_equal(text, expected);
}

static void millionths(void **state)
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
    assert_millionths(0.0078125, "0.007813"); /* halves go away from zero */
    assert_millionths(-0.0078125, "-0.007813");
    assert_millionths(0.0234375, "0.023438");
    assert_millionths(-0.0234375, "-0.023438");
    assert_millionths(7.7e11, "770000000000.000000"); /* half a rotation in each of 2^32 frames */
    assert_millionths(-7.7e11, "-770000000000.000000");
}

static void random_millionths(void **state)
{
    (void)state;
    uint64_t seed = 9;
    for (unsigned i = 0; i < 200000; i++) {
        int64_t whole = (int32_t)random_u32(&seed) >> i % 24;
        char expected[32];
        (void)snprintf(expected, sizeof expected, "%.6f", (double)whole / 1e6);
        assert_millionths((double)whole / 1e6, expected);
    }
}

TEST_GROUP(test_core_number_text)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_floats),
        cmocka_unit_test(random_floats_like_printf),
        cmocka_unit_test(every_exponent_like_printf),
        cmocka_unit_test(powers_of_ten_like_printf),
        cmocka_unit_test(ties_like_printf),
        cmocka_unit_test(floats_read_back),
        cmocka_unit_test(integers),
        cmocka_unit_test(known_decimals),
        cmocka_unit_test(decimals_of_doubles),
        cmocka_unit_test(decimals_read_back),
        cmocka_unit_test(millionths),
        cmocka_unit_test(random_millionths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
