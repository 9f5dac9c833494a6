/* SPDX-License-Identifier: MIT
 *
 * A number is w * 10^q. If w has at most 53 bits and q is at most 22, both are exact as doubles,
 * and so is the nearest double to their product or quotient: one operation that rounds once.
 * What Ossa writes is such a number, unless it is next to nothing. The rest goes to strtod. */
#include "base/number_parse.h"

#include <float.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    EXACT_POWERS = 23,
    /* Two neighbouring doubles, and the middle between them, differ in the first 767 digits. */
    MOST_DIGITS = 800,
    FAR = 100000, /* an exponent beyond which all is 0 or infinite */
};

static const double powers[EXACT_POWERS] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                            1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                            1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The exponent after an e, held where it decides nothing any more. */
static const char *parse_exponent(const char *at, int64_t *exponent)
{
    bool is_negative = *at == '-';
    if (*at == '-' || *at == '+') at++;
    int64_t size = 0;
    for (; is_digit(*at); at++) {
        if (size < INT64_MAX / 20) size = size * 10 + (*at - '0');
    }
    *exponent = is_negative ? -size : size;
    return at;
}

/* Any number. strtod gets digits and an exponent, but no point, which a locale may write in another
 * way. Digits that cannot matter are left out; a 1 stands for them, if they are not all zeros. */
static const char *parse_slowly(const char *at, double *value)
{
    char text[MOST_DIGITS + 32];
    size_t used = 0;
    int64_t exponent = 0;
    bool has_point = false;
    bool has_more = false;
    bool is_negative = *at == '-';
    if (is_negative) at++;
    for (; is_digit(*at) || (*at == '.' && !has_point); at++) {
        if (*at == '.') {
            has_point = true;
            continue;
        }
        if (has_point) exponent--;
        if (used == 0 && *at == '0') continue;
        if (used < MOST_DIGITS) {
            text[used++] = *at;
        } else {
            exponent++;
            has_more = has_more || *at != '0';
        }
    }
    if (has_more) {
        text[used++] = '1';
        exponent--;
    }
    if (used == 0) text[used++] = '0';
    if (*at == 'e' || *at == 'E') {
        int64_t stated;
        at = parse_exponent(at + 1, &stated);
        exponent += stated;
    }
    if (exponent > FAR) exponent = FAR;
    if (exponent < -FAR) exponent = -FAR;
    (void)snprintf(text + used, sizeof text - used, "e%d", (int)exponent);
    double size = strtod(text, NULL);
    *value = is_negative ? -size : size;
    return at;
}

const char *ossa__parse_number(const char *text, double *value)
{
    const char *at = text;
    bool is_negative = *at == '-';
    if (is_negative) at++;
    const char *digits = at;
    uint64_t number = 0;
    for (; is_digit(*at); at++) number = number * 10 + (uint64_t)(*at - '0');
    ptrdiff_t count = at - digits;
    int64_t exponent = 0;
    if (*at == '.') {
        const char *point = at++;
        for (; is_digit(*at); at++) number = number * 10 + (uint64_t)(*at - '0');
        exponent = point + 1 - at;
        count += at - (point + 1);
    }
    if (*at == 'e' || *at == 'E') {
        int64_t stated;
        at = parse_exponent(at + 1, &stated);
        exponent += stated;
    }
    /* 19 digits fit in 64 bits. Machines that compute in longer numbers would round twice. */
    bool is_exact = FLT_EVAL_METHOD == 0 && count <= 19 && number <= UINT64_C(1) << 53;
    if (!is_exact || exponent <= -EXACT_POWERS || exponent >= EXACT_POWERS) {
        return parse_slowly(text, value);
    }
    double size = (double)number;
    size = exponent < 0 ? size / powers[-exponent] : size * powers[exponent];
    *value = is_negative ? -size : size;
    return at;
}

bool ossa__parse_integer(const char *text, int64_t *value)
{
    const char *at = text;
    bool is_negative = *at == '-';
    if (is_negative) at++;
    const char *digits = at;
    uint64_t size = 0;
    for (; is_digit(*at); at++) size = size * 10 + (uint64_t)(*at - '0');
    if (*at == '.' || *at == 'e' || *at == 'E' || at - digits > 19) return false;
    uint64_t most = (uint64_t)INT64_MAX + (is_negative ? 1 : 0); /* 19 digits fit */
    *value = (int64_t)(is_negative ? -size : size);
    return size <= most;
}
