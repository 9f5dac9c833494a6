/* SPDX-License-Identifier: MIT */
#include "support/foreign_printf.h"
#include "support/testing.h"

#include <stdio.h>
#include <string.h>

const char *foreign_point = ".";

int foreign_snprintf(char *text, size_t capacity, const char *format, ...)
{
    char plain[64];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(plain, sizeof plain, format, arguments);
    va_end(arguments);
    char *point = strchr(plain, '.');
    bool is_number = strpbrk(format, "eg") != NULL; /* a locale changes nothing else */
    if (point == NULL || !is_number) return snprintf(text, capacity, "%s", plain);
    *point = '\0';
    int n = snprintf(text, capacity, "%s%s%s", plain, foreign_point, point + 1);
    assert_true(n >= 0 && (size_t)n < capacity);
    return n;
}
