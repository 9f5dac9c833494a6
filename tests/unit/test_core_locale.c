/* SPDX-License-Identifier: MIT
 *
 * Floats as text under locales that write another decimal point. Few machines have such a locale
 * installed, so text.c is compiled here once more, with a printf that behaves as if. */
#include "test_core.h"

#include <stdio.h>

static const char *decimal_point = ".";

static int foreign_snprintf(char *text, size_t capacity, const char *format, ...) OSSA_PRINTF(3, 4);

#define snprintf foreign_snprintf
#include "core/text.c" /* NOLINT(bugprone-suspicious-include) */
#undef snprintf

static int foreign_snprintf(char *text, size_t capacity, const char *format, ...)
{
    char plain[64];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(plain, sizeof plain, format, arguments);
    va_end(arguments);
    char *point = strchr(plain, '.');
    bool is_number = strchr(format, 'g') != NULL; /* a locale changes nothing else */
    if (point == NULL || !is_number) return snprintf(text, capacity, "%s", plain);
    *point = '\0';
    int n = snprintf(text, capacity, "%s%s%s", plain, decimal_point, point + 1);
    assert_true(n >= 0 && (size_t)n < capacity);
    return n;
}

static void assert_float(float value, const char *expected)
{
    char text[OSSA__FLOAT_CAPACITY];
    ossa__float_text(value, text);
    assert_string_equal(text, expected);
}

static void check_point(const char *point)
{
    decimal_point = point;
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
