/* SPDX-License-Identifier: MIT */
#include "formats/midtown_madness/mm_text.h"

#include "codec/sort.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- tokens -------------------------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0';
}

static bool is_brace(char c)
{
    return c == '{' || c == '}';
}

static bool starts_comment(const char *text, uint64_t size, uint64_t at)
{
    if (text[at] == '#' || text[at] == ';') return true;
    return text[at] == '/' && size - at > 1 && text[at + 1] == '/';
}

struct ossa__mm_token ossa__mm_next_token(const char *text, uint64_t size, uint64_t from)
{
    uint64_t at = from;
    bool in_comment = false;
    for (; at < size; at++) {
        if (text[at] == '\n' || text[at] == '\r') {
            in_comment = false;
        } else if (!in_comment && !is_space(text[at])) {
            if (!starts_comment(text, size, at)) break;
            in_comment = true;
        }
    }
    struct ossa__mm_token token = {at, at};
    if (at < size && is_brace(text[at])) {
        token.end++;
        return token;
    }
    while (token.end < size && !is_space(text[token.end]) && !is_brace(text[token.end]))
        token.end++;
    return token;
}

bool ossa__mm_is_blank(const char *text, uint64_t size)
{
    uint64_t at = 0;
    while (at < size && is_space(text[at])) at++;
    return at == size;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

bool ossa__mm_is_word(const char *text, struct ossa__mm_token token, const char *word)
{
    uint64_t at = token.begin;
    /* Most words differ in their first letter: the length is not asked for first. */
    for (; at < token.end && *word != '\0'; at++, word++) {
        if (lower(text[at]) != lower(*word)) return false;
    }
    return at == token.end && *word == '\0';
}

/* ---- numbers ------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool ossa__mm_parse_u32(const char *text, struct ossa__mm_token token, uint32_t *value)
{
    uint64_t number = 0;
    for (uint64_t at = token.begin; at < token.end; at++) {
        if (!is_digit(text[at])) return false;
        number = number * 10 + (uint64_t)(text[at] - '0');
        if (number > UINT32_MAX) return false;
    }
    *value = (uint32_t)number;
    return token.begin < token.end;
}

bool ossa__mm_parse_i32(const char *text, struct ossa__mm_token token, int32_t *value)
{
    bool negative = token.begin < token.end && text[token.begin] == '-';
    bool has_sign = negative || (token.begin < token.end && text[token.begin] == '+');
    uint32_t size;
    if (has_sign) token.begin++;
    if (!ossa__mm_parse_u32(text, token, &size)) return false;
    int64_t number = negative ? -(int64_t)size : (int64_t)size;
    if (number < INT32_MIN || number > INT32_MAX) return false;
    *value = (int32_t)number;
    return true;
}

/* digits * 10^exponent, and a little more where digits had to be left out. */
struct decimal {
    uint64_t digits; /* 19 at most, so it never overflows */
    int64_t exponent;
    bool more;
};

/* Digits before or after the decimal point. False if there are none. */
static bool take_digits(const char *text, uint64_t *at, uint64_t end, bool fraction,
                        struct decimal *number)
{
    uint64_t begin = *at;
    for (; *at < end && is_digit(text[*at]); (*at)++) {
        unsigned digit = (unsigned)(text[*at] - '0');
        bool fits = number->digits < UINT64_C(1000000000000000000); /* 18 digits or fewer */
        if (fits) {
            number->digits = number->digits * 10 + digit;
            number->exponent -= fraction ? 1 : 0;
        } else {
            number->more = number->more || digit != 0;
            number->exponent += fraction ? 0 : 1;
        }
    }
    return *at > begin;
}

/* "e-12", or nothing. False if it is malformed. */
static bool take_exponent(const char *text, uint64_t *at, uint64_t end, struct decimal *number)
{
    if (*at == end || (text[*at] != 'e' && text[*at] != 'E')) return true;
    (*at)++;
    bool negative = *at < end && text[*at] == '-';
    if (*at < end && (text[*at] == '-' || text[*at] == '+')) (*at)++;
    /* No text has enough zeros to compensate for a larger exponent. */
    const int64_t largest = INT64_C(1000000000000000);
    int64_t exponent = 0;
    uint64_t begin = *at;
    for (; *at < end && is_digit(text[*at]); (*at)++) {
        if (exponent < largest) exponent = exponent * 10 + (text[*at] - '0');
    }
    number->exponent += negative ? -exponent : exponent;
    return *at > begin;
}

/* A number as the sum of two doubles, the second at most half a unit in the last place of the
 * first: about 106 bits, so that the final rounding to a float is the only one that matters. */
struct pair {
    double high;
    double low;
};

static struct pair pair_sum(double high, double low)
{
    double sum = high + low;
    return (struct pair){sum, low - (sum - high)};
}

static struct pair pair_scale(struct pair value, int64_t exponent)
{
    /* Powers of ten that a double holds exactly. */
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    while (exponent != 0) {
        int64_t step = exponent < 0 ? -exponent : exponent;
        if (step > 22) step = 22;
        double power = powers[step];
        if (exponent > 0) {
            double product = value.high * power;
            double error = fma(value.high, power, -product);
            value = pair_sum(product, error + value.low * power);
            exponent -= step;
        } else {
            double quotient = value.high / power;
            double rest = fma(-quotient, power, value.high);
            value = pair_sum(quotient, (rest + value.low) / power);
            exponent += step;
        }
    }
    return value;
}

static float nearest_float(const struct decimal *number)
{
    /* Beyond these a float is 0 or infinite, and in between no step leaves a double's range. */
    enum { LEAST_EXPONENT = -70, MOST_EXPONENT = 40 };
    if (number->digits == 0 || number->exponent < LEAST_EXPONENT) return 0.0F;
    if (number->exponent > MOST_EXPONENT) return INFINITY;
    struct pair value = pair_sum((double)(number->digits >> 32) * 4294967296.0,
                                 (double)(number->digits & UINT32_MAX));
    value = pair_scale(value, number->exponent);
    if (number->more && value.low == 0.0) value.low = value.high * 0x1p-100;
    /* Round to odd: an inexact double whose last bit is 1 never looks like the middle between two
     * floats, so the second rounding cannot undo the first. */
    uint64_t bits;
    memcpy(&bits, &value.high, sizeof bits);
    if (value.low != 0.0 && (bits & 1) == 0) {
        bits += value.low > 0.0 ? 1 : UINT64_MAX; /* one up or one down; it is positive */
        memcpy(&value.high, &bits, sizeof bits);
    }
    return value.high >= 0x1p128 ? INFINITY : (float)value.high;
}

bool ossa__mm_parse_float(const char *text, struct ossa__mm_token token, float *value)
{
    uint64_t at = token.begin;
    struct decimal number = {0};
    bool negative = at < token.end && text[at] == '-';
    if (at < token.end && (text[at] == '-' || text[at] == '+')) at++;
    bool any = take_digits(text, &at, token.end, false, &number);
    if (at < token.end && text[at] == '.') {
        at++;
        any = take_digits(text, &at, token.end, true, &number) || any;
    }
    if (!any || !take_exponent(text, &at, token.end, &number) || at != token.end) return false;
    float nearest = nearest_float(&number);
    *value = negative ? -nearest : nearest;
    return isfinite(nearest);
}

/* ---- write --------------------------------------------------------------------------------- */

static bool edit_before(const void *a, const void *b, void *user)
{
    const struct ossa__mm_edit *x = a;
    const struct ossa__mm_edit *y = b;
    (void)user;
    return x->token.begin < y->token.begin;
}

void ossa__mm_write_edited(struct ossa__context *context, struct ossa__writer *writer,
                           const char *text, size_t size, struct ossa__mm_edit *edits,
                           uint64_t count, const char *field)
{
    if (!ossa__sort(context, edits, (size_t)count, sizeof *edits, edit_before, NULL)) return;
    uint64_t at = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (edits[i].token.begin < at) {
            ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, field,
                               "two of them change the same number in the text");
            return;
        }
        ossa__write_bytes(writer, text + at, edits[i].token.begin - at);
        ossa__write_bytes(writer, edits[i].number, strlen(edits[i].number));
        at = edits[i].token.end;
    }
    ossa__write_bytes(writer, text + at, size - at);
}
