/* SPDX-License-Identifier: MIT
 *
 * Floats as text under locales that write another decimal point: text.c is compiled here once
 * more, with a printf that behaves as if. */
#include "test_core.h"

#include "support/foreign_printf.h"

#include <stdio.h>

#define snprintf foreign_snprintf
#include "base/text.c" /* NOLINT(bugprone-suspicious-include) */
#undef snprintf

static void assert_float(float value, const char *expected)
{
    char text[OSSA__FLOAT_CAPACITY];
    ossa__float_text(value, text);
    assert_string_equal(text, expected);
}

static void check_point(const char *point)
{
    foreign_point = point;
    assert_float(0.0F, "0");
    assert_float(-0.0F, "-0.0");
    assert_float(2.0F, "2");
    assert_float(-2.5F, "-2.5");
    assert_float(0.1F, "0.100000001");
    assert_float(-1.17549435e-38F, "-1.17549435e-38");
    assert_float(1e10F, "1e+10");
}

static void any_decimal_point(void **state)
{
    (void)state;
    check_point(".");
    check_point(",");
    check_point("\xd9\xab");     /* the Arabic one, two bytes */
    check_point("\xe2\x8e\x96"); /* three bytes */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_decimal_point)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
