/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Bytes 0x80 to 0xbf; 0xc0 to 0xff are U+0410 to U+044F in order. */
static const uint16_t upper_half[64] = {
    0x0402, 0x0403, 0x201a, 0x0453, 0x201e, 0x2026, 0x2020, 0x2021, /* 80 */
    0x20ac, 0x2030, 0x0409, 0x2039, 0x040a, 0x040c, 0x040b, 0x040f, /* 88 */
    0x0452, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, /* 90 */
    0x0098, 0x2122, 0x0459, 0x203a, 0x045a, 0x045c, 0x045b, 0x045f, /* 98 */
    0x00a0, 0x040e, 0x045e, 0x0408, 0x00a4, 0x0490, 0x00a6, 0x00a7, /* a0 */
    0x0401, 0x00a9, 0x0404, 0x00ab, 0x00ac, 0x00ad, 0x00ae, 0x0407, /* a8 */
    0x00b0, 0x00b1, 0x0406, 0x0456, 0x0491, 0x00b5, 0x00b6, 0x00b7, /* b0 */
    0x0451, 0x2116, 0x0454, 0x00bb, 0x0458, 0x0405, 0x0455, 0x0457, /* b8 */
};

uint32_t ossa__cp1251_to_unicode(uint8_t byte)
{
    if (byte < 0x80) return byte;
    if (byte >= 0xc0) return 0x0410U + (byte - 0xc0U);
    return upper_half[byte - 0x80];
}

int ossa__cp1251_from_unicode(uint32_t character)
{
    if (character < 0x80) return (int)character;
    if (character >= 0x0410 && character <= 0x044f) return (int)(character - 0x0410 + 0xc0);
    for (int i = 0; i < 64; i++) {
        if (upper_half[i] == character) return 0x80 + i;
    }
    return -1;
}

uint8_t ossa__cp1251_lower(uint8_t byte)
{
    if (byte < 0x80) return (uint8_t)ossa__fold(byte);
    if (byte >= 0xc0) return byte <= 0xdf ? (uint8_t)(byte + 0x20) : byte;
    int lower = ossa__cp1251_from_unicode(ossa__fold(ossa__cp1251_to_unicode(byte)));
    return lower < 0 ? byte : (uint8_t)lower;
}

size_t ossa__utf8_encode(uint32_t character, char bytes[4])
{
    if (character < 0x80) {
        bytes[0] = (char)character;
        return 1;
    }
    if (character < 0x800) {
        bytes[0] = (char)(0xc0 | character >> 6);
        bytes[1] = (char)(0x80 | (character & 0x3f));
        return 2;
    }
    if (character < 0x10000) {
        bytes[0] = (char)(0xe0 | character >> 12);
        bytes[1] = (char)(0x80 | (character >> 6 & 0x3f));
        bytes[2] = (char)(0x80 | (character & 0x3f));
        return 3;
    }
    bytes[0] = (char)(0xf0 | character >> 18);
    bytes[1] = (char)(0x80 | (character >> 12 & 0x3f));
    bytes[2] = (char)(0x80 | (character >> 6 & 0x3f));
    bytes[3] = (char)(0x80 | (character & 0x3f));
    return 4;
}

size_t ossa__utf8_decode(const char *text, size_t size, uint32_t *character)
{
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    const uint8_t *bytes = (const uint8_t *)text;
    uint8_t lead = bytes[0];
    *character = 0xfffd;
    if (lead < 0x80) {
        *character = lead;
        return 1;
    }
    size_t length = 0;
    if (lead >= 0xc2 && lead <= 0xdf) length = 2;
    else if (lead >= 0xe0 && lead <= 0xef) length = 3;
    else if (lead >= 0xf0 && lead <= 0xf4) length = 4;
    if (length == 0 || length > size) return 1;
    uint32_t value = lead & (0x7fU >> length);
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xc0) != 0x80) return 1;
        value = value << 6 | (bytes[i] & 0x3fU);
    }
    bool surrogate = value >= 0xd800 && value <= 0xdfff;
    if (value < smallest[length] || value > 0x10ffff || surrogate) return 1;
    *character = value;
    return length;
}

bool ossa__utf8_is_valid(const char *text, size_t size)
{
    while (size > 0) {
        uint32_t character;
        size_t used = ossa__utf8_decode(text, size, &character);
        if (character == 0xfffd && used == 1) return false;
        text += used;
        size -= used;
    }
    return true;
}

void ossa__float_text(float value, char text[OSSA__FLOAT_CAPACITY])
{
    if (value == 0.0F) {
        (void)snprintf(text, OSSA__FLOAT_CAPACITY, "%s", signbit(value) ? "-0.0" : "0");
        return;
    }
    char raw[OSSA__FLOAT_CAPACITY];
    (void)snprintf(raw, sizeof raw, "%.9g", (double)value);
    /* A locale may have put something else where the point belongs, even several bytes. */
    size_t used = 0;
    bool in_point = false;
    for (const char *c = raw; *c != '\0'; c++) {
        bool is_plain = strchr("0123456789+-e", *c) != NULL;
        if (is_plain) text[used++] = *c;
        else if (!in_point) text[used++] = '.';
        in_point = !is_plain;
    }
    text[used] = '\0';
}
