/* SPDX-License-Identifier: MIT
 *
 * A float is m * 2^e. Its nine digits are the integer nearest to m * 2^e * 10^s, where s makes it
 * one of nine digits. The table has 10^s as 64 bits and a power of two; with m of 32 bits the
 * product has 96, and what is below the integer is compared with a half.
 *
 * Up to 10^27 the table is exact, and so is the product. Every tie is there: for x * 10^s to be an
 * integer and a half, 5^s must divide it. Beyond, the product is short by less than m, that is by
 * less than one in the upper 64 bits. No float comes as near to a half from below as that: all
 * 2^31 of them were compared with what printf writes: test_core_number_text.c, OSSA_FLOATS=all. */
#include "base/number_text.h"

#include "base/bytes.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- integers ------------------------------------------------------------------------------ */

static const char pairs[] = "0001020304050607080910111213141516171819"
                            "2021222324252627282930313233343536373839"
                            "4041424344454647484950515253545556575859"
                            "6061626364656667686970717273747576777879"
                            "8081828384858687888990919293949596979899";

static void put_two(char *text, uint32_t value)
{
    memcpy(text, pairs + (size_t)2 * value, 2);
}

static void put_four(char *text, uint32_t value)
{
    put_two(text, value / 100);
    put_two(text + 2, value % 100);
}

static void put_eight(char *text, uint32_t value)
{
    put_four(text, value / 10000);
    put_four(text + 4, value % 10000);
}

/* A value below 10^8 without zeros in front. */
static char *put_short(char *text, uint32_t value)
{
    char digits[8];
    if (value < 10) {
        *text = (char)('0' + value);
        return text + 1;
    }
    if (value < 100) {
        put_two(text, value);
        return text + 2;
    }
    put_eight(digits, value);
    unsigned zeros = 0;
    while (digits[zeros] == '0') zeros++;
    memcpy(text, digits + zeros, sizeof digits - zeros);
    return text + sizeof digits - zeros;
}

char *ossa__uint_text(uint64_t value, char *text)
{
    const uint64_t part = 100000000;
    if (value < part) return put_short(text, (uint32_t)value);
    text = ossa__uint_text(value / part, text); /* twice at most */
    put_eight(text, (uint32_t)(value % part));
    return text + 8;
}

char *ossa__int_text(int64_t value, char *text)
{
    uint64_t size = (uint64_t)value;
    if (value < 0) {
        *text++ = '-';
        size = -size;
    }
    return ossa__uint_text(size, text);
}

/* ---- nine digits --------------------------------------------------------------------------- */

enum { DIGITS = 9, LEAST = 100000000, LEAST_POWER = -30 };

/* The upper 64 bits of 10^s, for s from LEAST_POWER to 53. */
static const uint64_t powers[] = {
    0xa2425ff75e14fc31, 0xcad2f7f5359a3b3e, 0xfd87b5f28300ca0d, 0x9e74d1b791e07e48,
    0xc612062576589dda, 0xf79687aed3eec551, 0x9abe14cd44753b52, 0xc16d9a0095928a27,
    0xf1c90080baf72cb1, 0x971da05074da7bee, 0xbce5086492111aea, 0xec1e4a7db69561a5,
    0x9392ee8e921d5d07, 0xb877aa3236a4b449, 0xe69594bec44de15b, 0x901d7cf73ab0acd9,
    0xb424dc35095cd80f, 0xe12e13424bb40e13, 0x8cbccc096f5088cb, 0xafebff0bcb24aafe,
    0xdbe6fecebdedd5be, 0x89705f4136b4a597, 0xabcc77118461cefc, 0xd6bf94d5e57a42bc,
    0x8637bd05af6c69b5, 0xa7c5ac471b478423, 0xd1b71758e219652b, 0x83126e978d4fdf3b,
    0xa3d70a3d70a3d70a, 0xcccccccccccccccc, 0x8000000000000000, 0xa000000000000000,
    0xc800000000000000, 0xfa00000000000000, 0x9c40000000000000, 0xc350000000000000,
    0xf424000000000000, 0x9896800000000000, 0xbebc200000000000, 0xee6b280000000000,
    0x9502f90000000000, 0xba43b74000000000, 0xe8d4a51000000000, 0x9184e72a00000000,
    0xb5e620f480000000, 0xe35fa931a0000000, 0x8e1bc9bf04000000, 0xb1a2bc2ec5000000,
    0xde0b6b3a76400000, 0x8ac7230489e80000, 0xad78ebc5ac620000, 0xd8d726b7177a8000,
    0x878678326eac9000, 0xa968163f0a57b400, 0xd3c21bcecceda100, 0x84595161401484a0,
    0xa56fa5b99019a5c8, 0xcecb8f27f4200f3a, 0x813f3978f8940984, 0xa18f07d736b90be5,
    0xc9f2c9cd04674ede, 0xfc6f7c4045812296, 0x9dc5ada82b70b59d, 0xc5371912364ce305,
    0xf684df56c3e01bc6, 0x9a130b963a6c115c, 0xc097ce7bc90715b3, 0xf0bdc21abb48db20,
    0x96769950b50d88f4, 0xbc143fa4e250eb31, 0xeb194f8e1ae525fd, 0x92efd1b8d0cf37be,
    0xb7abc627050305ad, 0xe596b7b0c643c719, 0x8f7e32ce7bea5c6f, 0xb35dbf821ae4f38b,
    0xe0352f62a19e306e, 0x8c213d9da502de45, 0xaf298d050e4395d6, 0xdaf3f04651d47b4c,
    0x88d8762bf324cd0f, 0xab0e93b6efee0053, 0xd5d238a4abe98068, 0x85a36366eb71f041,
};

/* number * 10^(power - 8), of nine digits: the first stands for 10^power. */
struct digits {
    uint32_t number;
    int power;
};

/* floor(log10(2^n)) and floor(log2(10^n)), for what the exponents of floats come to. */
static int log10_of_2(int n)
{
    return ((n * 78913 + (64 << 18)) >> 18) - 64;
}

static int log2_of_10(int n)
{
    return ((n * 217706 + (256 << 16)) >> 16) - 256;
}

/* m * 2^e * 10^s, rounded to the nearest integer, ties to even. */
static uint64_t scale(uint32_t m, int e, int s)
{
    uint64_t power = powers[s - LEAST_POWER];
    uint64_t low = m * (power & UINT32_MAX);
    uint64_t high = m * (power >> 32) + (low >> 32);
    int shift = 31 - e - log2_of_10(s); /* from 29 to 37 */
    uint64_t number = high >> shift;
    uint64_t half = UINT64_C(1) << (shift - 1);
    uint64_t rest = high & (2 * half - 1);
    bool is_up = rest > half || (rest == half && ((uint32_t)low != 0 || number % 2 != 0));
    return number + (is_up ? 1 : 0);
}

/* Of a finite float that is not 0, without its sign. */
static struct digits digits_of_float(uint32_t bits)
{
    uint32_t m = bits << 8 | 0x80000000;
    int e = (int)(bits >> 23 & 0xff) - 158;
    if (e == -158) { /* denormal */
        m = bits << 9;
        while (m < 0x80000000) {
            m <<= 1;
            e--;
        }
    }
    int power = log10_of_2(e + 31); /* or one more */
    uint64_t number = scale(m, e, DIGITS - 1 - power);
    if (number >= (uint64_t)LEAST * 10) number = scale(m, e, DIGITS - 1 - ++power);
    return (struct digits){(uint32_t)number, power};
}

/* The same of a double above 0, for the few that are not floats. Only the digits are taken from
 * the text: what stands between them is the locale's business. */
static struct digits digits_of_double(double value)
{
    char text[48];
    (void)snprintf(text, sizeof text, "%.*e", DIGITS - 1, value);
    struct digits digits = {0, 0};
    const char *c = text;
    for (; *c != 'e' && *c != '\0'; c++) {
        if (*c >= '0' && *c <= '9') digits.number = digits.number * 10 + (uint32_t)(*c - '0');
    }
    if (*c == 'e') digits.power = (int)strtol(c + 1, NULL, 10);
    return digits;
}

/* The digits as text; gives how many there are without the zeros at the end. */
static int spell(uint32_t number, char text[DIGITS])
{
    text[0] = (char)('0' + number / LEAST);
    put_eight(text + 1, number % LEAST);
    int count = DIGITS;
    while (text[count - 1] == '0') count--;
    return count;
}

/* ---- floats -------------------------------------------------------------------------------- */

static char *put_exponent(char *text, int power)
{
    *text++ = 'e';
    *text++ = power < 0 ? '-' : '+';
    put_two(text, (uint32_t)(power < 0 ? -power : power));
    return text + 2;
}

char *ossa__float_text(float value, char *text)
{
    uint32_t bits = ossa__bits_from_f32(value);
    if (bits == 0) {
        *text = '0';
        return text + 1;
    }
    if (bits >> 31 != 0) *text++ = '-';
    bits &= 0x7fffffff;
    if (bits == 0) {
        memcpy(text, "0.0", 3);
        return text + 3;
    }
    char spelt[2 * DIGITS]; /* so much is copied that its size is a constant: more than needed */
    struct digits digits = digits_of_float(bits);
    int count = spell(digits.number, spelt);
    int power = digits.power;
    if (power < -4 || power >= DIGITS) {
        text[0] = spelt[0];
        text[1] = '.';
        memcpy(text + 2, spelt + 1, DIGITS - 1);
        return put_exponent(text + (count > 1 ? count + 1 : 1), power);
    }
    if (power < 0) {
        memcpy(text, "0.000", 5);
        memcpy(text + 1 - power, spelt, DIGITS);
        return text + 1 - power + count;
    }
    memcpy(text, spelt, DIGITS);
    if (count <= power + 1) return text + power + 1;
    text[power + 1] = '.';
    memcpy(text + power + 2, spelt + power + 1, DIGITS);
    return text + count + 1;
}

static char *put_zeros(char *text, int count)
{
    if (count <= 0) return text;
    memset(text, '0', (size_t)count);
    return text + count;
}

char *ossa__decimal_text(double value, unsigned least_decimals, char *text)
{
    char spelt[DIGITS] = {'0'};
    int power = 0;
    int count = 1; /* of digits that are not zeros at the end */
    if (value != 0.0) {
        float single = fabs(value) <= (double)FLT_MAX ? (float)value : 0.0F;
        bool is_float = (double)single == value;
        struct digits digits = is_float ? digits_of_float(ossa__bits_from_f32(single) & 0x7fffffff)
                                        : digits_of_double(fabs(value));
        count = spell(digits.number, spelt);
        power = digits.power;
    }
    if (value < 0.0) *text++ = '-';
    int whole = power < 0 ? 0 : power + 1; /* digits before the point */
    if (whole == 0) *text++ = '0';
    int taken = count < whole ? count : whole;
    memcpy(text, spelt, (size_t)taken);
    text = put_zeros(text + taken, whole - taken);

    *text++ = '.';
    int leading = power < 0 ? -power - 1 : 0;
    int rest = count - taken;
    text = put_zeros(text, leading);
    memcpy(text, spelt + taken, (size_t)rest);
    return put_zeros(text + rest, (int)least_decimals - leading - rest);
}

char *ossa__millionths_text(double value, char *text)
{
    const uint64_t million = 1000000;
    double exact = value * 1e6;
    int64_t rounded = (int64_t)exact; /* as llround: halves away from zero */
    double fraction = exact - (double)rounded;
    if (fraction >= 0.5) rounded++;
    if (fraction <= -0.5) rounded--;
    uint64_t size = (uint64_t)rounded;
    if (rounded < 0) {
        *text++ = '-';
        size = -size;
    }
    text = ossa__uint_text(size / million, text);
    uint32_t rest = (uint32_t)(size % million);
    *text = '.';
    put_two(text + 1, rest / 10000);
    put_four(text + 3, rest % 10000);
    return text + 7;
}
