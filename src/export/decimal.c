/* SPDX-License-Identifier: MIT */
#include "export/decimal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 9 }; /* what tells every float32 from its neighbours */

void ossa__write_text(struct ossa__writer *writer, const char *text)
{
    ossa__write_bytes(writer, text, strlen(text));
}

void ossa__write_integer(struct ossa__writer *writer, int64_t value)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%" PRId64, value);
    ossa__write_text(writer, text);
}

static void write_zeros(struct ossa__writer *writer, int count)
{
    for (int i = 0; i < count; i++) ossa__write_u8(writer, '0');
}

/* The digits of a value above 0 and the power of ten of the first one. Only the digits are taken
 * from the text: what stands between them is the locale's business. */
static int find_digits(double value, char digits[DIGITS])
{
    char text[48];
    (void)snprintf(text, sizeof text, "%.*e", DIGITS - 1, value);
    const char *exponent = strchr(text, 'e');
    unsigned used = 0;
    for (const char *c = text; c != exponent && *c != '\0' && used < DIGITS; c++) {
        if (*c >= '0' && *c <= '9') digits[used++] = *c;
    }
    while (used < DIGITS) digits[used++] = '0';
    return exponent == NULL ? 0 : (int)strtol(exponent + 1, NULL, 10);
}

void ossa__write_decimal(struct ossa__writer *writer, double value, unsigned least_decimals)
{
    char digits[DIGITS] = {'0', '0', '0', '0', '0', '0', '0', '0', '0'};
    int power = value == 0.0 ? 0 : find_digits(fabs(value), digits);
    int count = DIGITS; /* of digits that are not zeros at the end */
    while (count > 1 && digits[count - 1] == '0') count--;

    if (value < 0.0) ossa__write_u8(writer, '-');
    int whole = power < 0 ? 0 : power + 1; /* digits before the point */
    if (whole == 0) ossa__write_u8(writer, '0');
    int taken = whole < DIGITS ? whole : DIGITS;
    ossa__write_bytes(writer, digits, (uint64_t)taken);
    write_zeros(writer, whole - taken);

    ossa__write_u8(writer, '.');
    int leading = power < 0 ? -power - 1 : 0;
    int rest = count > taken ? count - taken : 0;
    write_zeros(writer, leading);
    ossa__write_bytes(writer, digits + taken, (uint64_t)rest);
    write_zeros(writer, (int)least_decimals - leading - rest);
}

void ossa__write_millionths(struct ossa__writer *writer, double value)
{
    char text[32];
    size_t at = sizeof text;
    int64_t rounded = llround(value * 1e6);
    uint64_t left = (uint64_t)(rounded < 0 ? -rounded : rounded);
    for (unsigned place = 0; place < 7 || left > 0; place++, left /= 10) {
        if (place == 6) text[--at] = '.';
        text[--at] = (char)('0' + left % 10);
    }
    if (rounded < 0) text[--at] = '-';
    ossa__write_bytes(writer, text + at, sizeof text - at);
}
