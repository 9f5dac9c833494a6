/* SPDX-License-Identifier: MIT
 *
 * Text to numbers: bit for bit what strtod gives. OSSA_NUMBERS=100000000 compares so many. */
#include "test_core.h"

#include "base/bytes.h"
#include "base/number_parse.h"
#include "base/number_text.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void compare(const char *text)
{
    double expected = strtod(text, NULL);
    double found = 5.0;
    const char *end = ossa__parse_number(text, &found);
    if (memcmp(&expected, &found, sizeof found) != 0) {
        fail_msg("%s is %.17g, expected %.17g", text, found, expected);
    }
    assert_int_equal(end - text, strlen(text));
}

static void known_numbers(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0",
        "-0",
        "0.0",
        "-0.0e5",
        ".5",
        "5.",
        "-.5e1",
        "00012.50",
        "-5.e-3",
        "1",
        "-1",
        "0.1",
        "123456789",
        "9007199254740992",
        "9007199254740993", /* a tie */
        "9007199254740995",
        "9007199254740993e1", /* 54 bits: an operation on the nearest double would round twice */
        "90071992547409.93",
        "9007199254740993.00000000000000000000000000000000001",
        "18446744073709551615",
        "18446744073709551616",
        "99999999999999999999",
        "1e22",
        "1e23",
        "8.5e22",
        "1e-22",
        "1e-23",
        "4.9e-324",
        "2.4703282292062327e-324", /* below half of the smallest */
        "2.4703282292062328e-324",
        "2.2250738585072011e-308",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308", /* infinite */
        "1e400",
        "-1e400",
        "1e-400",
        "0e999999999999999999999999",
        "1e-999999999999999999999999",
        "1e99999999999999999999",
        "1e18446744073709551616", /* 2^64 */
        "1e-18446744073709551617",
        "0.000000000000000000000000000000000000000000000000000000000001e60",
        "3.40282347e+38",
        "1.40129846e-45"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) compare(texts[i]);
}

/* The middle between two doubles has up to 767 digits: it, and a little more than it far behind. */
static void long_middles(void **state)
{
    (void)state;
    static const double values[] = {
        4.9406564584124654e-324, 2.2250738585072014e-308, 1.0, 0.1, 1e-300, 123456.789};
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        static char text[4000];
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        /* Twice the value has the same digits as the sum of it and its neighbour, over 2. */
        long double sum = (long double)values[i];
        bits++;
        double next;
        memcpy(&next, &bits, sizeof next);
        sum = (sum + (long double)next) / 2.0L;
        int n = snprintf(text, sizeof text, "%.1100Lf", sum);
        assert_true(n > 1100);
        compare(text);
        for (size_t more = 0; more < 3; more++) {
            memset(text + n, '0', 1500);
            text[n + 1500] = more == 0 ? '0' : '1';
            text[n + 1501] = '\0';
            compare(text);
        }
        text[n - 1] = '\0';
        compare(text);
    }
    static char zeros[5000] = "0.";
    memset(zeros + 2, '0', 4000);
    memcpy(zeros + 4002, "123e3990", 9);
    compare(zeros);
    memset(zeros, '0', 4000);
    zeros[0] = '7';
    memcpy(zeros + 4000, "e-3990", 7);
    compare(zeros);
}

static size_t wish(const char *name, size_t otherwise)
{
    const char *text = getenv(name);
    return text == NULL ? otherwise : (size_t)strtoull(text, NULL, 10);
}

/* What Ossa writes. */
static void floats_of_ours(void **state)
{
    (void)state;
    uint64_t seed = 3;
    size_t count = wish("OSSA_NUMBERS", 300000);
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = random_u32(&seed);
        if (i % 2 == 0) bits = (bits & 0x83ffffff) | 0x3c000000;
        float value = ossa__f32_from_bits(bits);
        if (!isfinite(value)) continue;
        char text[OSSA__FLOAT_CAPACITY];
        *ossa__float_text(value, text) = '\0';
        compare(text);
        double back;
        (void)ossa__parse_number(text, &back);
        assert_int_equal(ossa__bits_from_f32((float)back), bits);
    }
}

/* What others write: any digits, with a point anywhere and any exponent. */
static void random_numbers(void **state)
{
    (void)state;
    uint64_t seed = 4;
    size_t count = wish("OSSA_NUMBERS", 300000);
    for (size_t i = 0; i < count; i++) {
        char text[80];
        size_t used = 0;
        size_t whole = random_below(&seed, 4) == 0 ? 0 : 1 + random_below(&seed, 20);
        size_t rest = random_below(&seed, 4) == 0 ? 0 : 1 + random_below(&seed, 25);
        if (random_below(&seed, 2) == 0) text[used++] = '-';
        if (whole == 0) text[used++] = '0';
        for (size_t k = 0; k < whole; k++) {
            text[used++] =
                (char)('0' + (k == 0 ? 1 + random_below(&seed, 9) : random_below(&seed, 10)));
        }
        if (rest > 0) text[used++] = '.';
        for (size_t k = 0; k < rest; k++) text[used++] = (char)('0' + random_below(&seed, 10));
        text[used] = '\0';
        if (random_below(&seed, 2) == 0) {
            int most = random_below(&seed, 2) == 0 ? 30 : 340;
            (void)snprintf(text + used, sizeof text - used, "%s%d",
                           random_below(&seed, 2) == 0 ? "e" : "E",
                           (int)random_below(&seed, 2 * (size_t)most) - most);
        }
        compare(text);
    }
}

/* Doubles with all their digits, and one digit more or less. */
static void random_doubles(void **state)
{
    (void)state;
    uint64_t seed = 5;
    size_t count = wish("OSSA_NUMBERS", 300000);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = (uint64_t)random_u32(&seed) << 32 | random_u32(&seed);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        char text[48];
        (void)snprintf(text, sizeof text, "%.*g", 14 + (int)(i % 6), value);
        compare(text);
    }
}

static void integers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_one;
        int64_t value;
    } table[] = {{"0", true, 0},
                 {"-0", true, 0},
                 {"7", true, 7},
                 {"-7,", true, -7},
                 {"9223372036854775807", true, INT64_MAX},
                 {"9223372036854775808", false, 0},
                 {"-9223372036854775808", true, INT64_MIN},
                 {"-9223372036854775809", false, 0},
                 {"9999999999999999999", false, 0},
                 {"18446744073709551616", false, 0},
                 {"184467440737095516160", false, 0},
                 {"1.0", false, 0},
                 {"1e0", false, 0},
                 {"1E0", false, 0}};
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        int64_t value = 5;
        bool is_one = ossa__parse_integer(table[i].text, &value);
        if (is_one != table[i].is_one) fail_msg("%s", table[i].text);
        if (is_one) assert_true(value == table[i].value);
    }
}

TEST_GROUP(test_core_number_parse)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_numbers),  cmocka_unit_test(long_middles),
        cmocka_unit_test(floats_of_ours), cmocka_unit_test(random_numbers),
        cmocka_unit_test(random_doubles), cmocka_unit_test(integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
