/* SPDX-License-Identifier: MIT
 *
 * Numbers as text, and text as numbers, under locales that write another decimal point:
 * number_text.c and number_parse.c are compiled here once more, with a printf and a strtod that
 * behave as if. */
#include "test_core.h"

#include "support/foreign_printf.h"

#include <stdio.h>

#define snprintf foreign_snprintf
#include "base/number_text.c" /* NOLINT(bugprone-suspicious-include) */
#undef snprintf

/* Ends at a point, which is not this locale's. */
static double foreign_strtod(const char *text, char **end)
{
    char before[1024];
    size_t size = strcspn(text, ".");
    assert_true(size < sizeof before && end == NULL);
    memcpy(before, text, size);
    before[size] = '\0';
    return strtod(before, NULL);
}

#define strtod foreign_strtod
#define powers parse_powers    /* number_text.c has others */
#include "base/number_parse.c" /* NOLINT(bugprone-suspicious-include) */
#undef powers
#undef strtod

static void assert_float(float value, const char *expected)
{
    char text[OSSA__FLOAT_CAPACITY];
    *ossa__float_text(value, text) = '\0';
    assert_string_equal(text, expected);
}

static void assert_decimal(double value, unsigned least, const char *expected)
{
    char text[OSSA__DECIMAL_CAPACITY];
    *ossa__decimal_text(value, least, text) = '\0';
    assert_string_equal(text, expected);
}

static void check_point(const char *point)
{
    foreign_point = point;
    assert_float(-2.5F, "-2.5");
    assert_float(-1.17549435e-38F, "-1.17549435e-38");
    assert_decimal(0.5, 6, "0.500000");
    assert_decimal(-1.3, 6, "-1.300000");
    assert_decimal(1234567891.0, 6, "1234567890.000000");
    assert_decimal(99999.99999999, 6, "100000.000000");
    assert_decimal(0.99999999999, 6, "1.000000");
    assert_decimal(0.1, 6, "0.100000");
    assert_decimal(-0.00012345678912, 6, "-0.000123456789");
    assert_decimal(1.0 / 30.0, 10, "0.0333333333");
    assert_decimal(1.0 / 15.0, 10, "0.0666666667");
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

/* Numbers that are not exact in one operation, so that strtod gets them. */
static void points_are_read(void **state)
{
    (void)state;
    static const char *const texts[] = {"1.40129846e-45", "-0.12345678901234567890",
                                        "9007199254740993.5", "1.7976931348623157e308"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        double found;
        const char *end = ossa__parse_number(texts[i], &found);
        assert_true(found == strtod(texts[i], NULL));
        assert_true(*end == '\0');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_decimal_point),
                                       cmocka_unit_test(points_are_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
