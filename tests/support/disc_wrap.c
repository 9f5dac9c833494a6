/* SPDX-License-Identifier: MIT
 *
 * Raw CD sectors (ECMA-130, and CD-ROM XA for Mode 2). */
#include "support/disc.h"

#include <string.h>

enum { RAW = 2352, SUBCHANNELS = 96 };

const char *const disc_layout_names[DISC_LAYOUTS] = {"2048", "mode1",      "mode2",
                                                     "2336", "mode1-2448", "mode2-2448"};

size_t disc_stride(enum disc_layout layout)
{
    static const size_t strides[DISC_LAYOUTS] = {DISC_SECTOR, RAW, RAW, 2336, 2448, 2448};
    return strides[layout];
}

uint32_t disc_edc(const uint8_t *bytes, size_t size)
{
    uint32_t value = 0;
    for (size_t i = 0; i < size; i++) {
        value ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            value = (value & 1) != 0 ? value >> 1 ^ 0xd8018001 : value >> 1;
    }
    return value;
}

static void store_edc(uint8_t *bytes, size_t size)
{
    uint32_t value = disc_edc(bytes, size);
    for (size_t i = 0; i < 4; i++) bytes[size + i] = (uint8_t)(value >> 8 * i);
}

/* ---- error correction ---------------------------------------------------------------------- */

/* A product in GF(2^8) with the polynomial x^8 + x^4 + x^3 + x^2 + 1. */
static uint8_t product(uint32_t a, uint32_t b)
{
    uint32_t result = 0;
    for (; b != 0; b >>= 1) {
        if ((b & 1) != 0) result ^= a;
        a <<= 1;
        if ((a & 0x100) != 0) a ^= 0x11d;
    }
    return (uint8_t)result;
}

/* A vector v[0..count-1] gets two bytes of parity, so that the sum of all and the sum of
 * v[i] * 2^(count + 1 - i), parity included, are 0. With s the sum of the vector and w that of its
 * products, p0 + p1 = s and 2 p0 + p1 = w, so p0 = (s + w) / 3. */
static void store_parity(const uint8_t *bytes, size_t limit, size_t first, size_t step,
                         size_t count, uint8_t *p0, uint8_t *p1)
{
    static const uint8_t third = 0xf4; /* 3 * 0xf4 is 1 */
    uint8_t sum = 0;
    uint8_t weighted = 0;
    size_t at = first;
    for (size_t i = 0; i < count; i++) {
        sum ^= bytes[at];
        weighted = product((uint32_t)(weighted ^ bytes[at]), 2);
        at += step;
        if (at >= limit) at -= limit;
    }
    weighted = product(weighted, 2);
    *p0 = product((uint32_t)(sum ^ weighted), third);
    *p1 = (uint8_t)(sum ^ *p0);
}

/* 86 columns of 24 bytes, then 52 diagonals of 43, of the bytes from the address on. */
static void store_ecc(uint8_t *sector)
{
    uint8_t *bytes = sector + 12;
    uint8_t *p = bytes + 2064;
    uint8_t *q = p + 172;
    for (size_t i = 0; i < 86; i++) store_parity(bytes, 2064, i, 86, 24, p + i, p + 86 + i);
    for (size_t i = 0; i < 52; i++) {
        store_parity(bytes, 2236, i / 2 * 86 + i % 2, 88, 43, q + i, q + 52 + i);
    }
}

/* ---- sectors ------------------------------------------------------------------------------- */

static uint8_t decimal(size_t value)
{
    return (uint8_t)(value / 10 * 16 + value % 10);
}

static void store_header(uint8_t *sector, size_t index, uint8_t mode)
{
    memset(sector + 1, 0xff, 10);
    size_t frames = index + 150;
    sector[12] = decimal(frames / 75 / 60 % 100);
    sector[13] = decimal(frames / 75 % 60);
    sector[14] = decimal(frames % 75);
    sector[15] = mode;
}

static void make_mode_1(uint8_t *sector, const uint8_t *data, size_t index)
{
    store_header(sector, index, 1);
    memcpy(sector + 16, data, DISC_SECTOR);
    store_edc(sector, 2064);
    store_ecc(sector);
}

static void make_form_1(uint8_t *sector, const uint8_t *data, size_t index)
{
    sector[18] = sector[22] = 0x08;
    memcpy(sector + 24, data, DISC_SECTOR);
    store_edc(sector + 16, 2056);
    store_ecc(sector); /* with an address of zeros */
    store_header(sector, index, 2);
}

/* Every other one without a checksum, which is allowed. */
static void make_form_2(uint8_t *sector, const uint8_t *data, size_t index)
{
    sector[16] = sector[20] = 1;
    sector[18] = sector[22] = 0x64;
    memcpy(sector + 24, data, DISC_SECTOR);
    memset(sector + 24 + DISC_SECTOR, 0x5a, 2324 - DISC_SECTOR);
    if (index % 2 == 0) store_edc(sector + 16, 2332);
    store_header(sector, index, 2);
}

struct bytes wrap_disc(const struct disc *disc, enum disc_layout layout)
{
    struct bytes out = {0};
    size_t count = disc->image.size / DISC_SECTOR;
    bool is_mode_1 = layout == DISC_MODE_1 || layout == DISC_MODE_1_2448;
    if (layout == DISC_2048) return bytes_copy(disc->image.data, disc->image.size);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *data = disc->image.data + i * DISC_SECTOR;
        uint8_t sector[RAW + SUBCHANNELS] = {0};
        bool is_form_2 = i >= disc->form_2_begin && i < disc->form_2_end;
        if (is_mode_1) make_mode_1(sector, data, i);
        else if (is_form_2) make_form_2(sector, data, i);
        else make_form_1(sector, data, i);
        size_t stride = disc_stride(layout);
        if (stride < RAW) put_bytes(&out, sector + RAW - stride, stride);
        else put_bytes(&out, sector, stride);
    }
    return out;
}
