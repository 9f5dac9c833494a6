/* SPDX-License-Identifier: MIT
 *
 * Red, green, blue, alpha as texels: the inverse of ei_mmp_texels.c. Blocks are packed by stb_dxt,
 * which knows neither holes nor alpha of 4 bits; both are added here. */
#include "formats/evil_islands/ei_mmp.h"

#include "base/bytes.h"

#include <string.h>

/* 0 to 255 as so many bits; what was widened comes back. */
static uint32_t narrow(uint8_t value, unsigned bits)
{
    uint32_t most = (1U << bits) - 1;
    return (value * most + 127) / 255;
}

void ossa__texel_encode(const struct ossa__texel_kind *kind, const uint8_t rgba[4], uint8_t *bytes)
{
    if (kind->block_size == 4) { /* 8888, and PNT3 that is not packed */
        const uint8_t bgra[4] = {rgba[2], rgba[1], rgba[0], rgba[3]};
        memcpy(bytes, bgra, 4);
        return;
    }
    uint32_t texel = 0;
    for (unsigned i = 0; i < 4; i++) { /* alpha, red, green, blue */
        const ossa_ei_channel *channel = &kind->channels[i];
        uint8_t value = rgba[i == 0 ? 3 : i - 1];
        if (channel->count > 0) texel |= narrow(value, channel->count) << channel->shift;
    }
    ossa__store_u16(bytes, (uint16_t)texel);
}

#ifdef OSSA_WITH_STB

#define STB_DXT_STATIC
#define STB_DXT_IMPLEMENTATION
#include <stb/stb_dxt.h>

enum { TEXELS = 16, HALF = 128 }; /* an alpha below it is a hole */

bool ossa__texel_has_blocks(void)
{
    return true;
}

static uint32_t error_of(const uint8_t a[4], const uint8_t b[4])
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < 3; i++) {
        int difference = (int)a[i] - (int)b[i];
        sum += (uint32_t)(difference * difference);
    }
    return sum;
}

/* Choose the best of the block's own colours for each texel; gives the error of all. */
static uint32_t pick(const uint8_t texels[TEXELS][4], bool is_dxt1, uint8_t block[8])
{
    uint8_t whole[16] = {0};
    uint8_t decoded[TEXELS][4];
    uint8_t colours[4][4];
    uint32_t total = 0;
    bool has_holes = is_dxt1 && ossa__load_u16(block) <= ossa__load_u16(block + 2);
    memcpy(block + 4, "\xe4\xe4\xe4\xe4", 4); /* 0, 1, 2, 3 in each row */
    memcpy(whole + 8, block, 8);
    ossa__texel_decode_block(is_dxt1 ? block : whole, is_dxt1, decoded);
    memcpy(colours, decoded, sizeof colours);
    memset(block + 4, 0, 4);
    for (unsigned i = 0; i < TEXELS; i++) {
        bool is_hole = has_holes && texels[i][3] < HALF;
        unsigned best = is_hole ? 3 : 0;
        for (unsigned c = 1; !is_hole && c < (has_holes ? 3U : 4U); c++) {
            if (error_of(texels[i], colours[c]) < error_of(texels[i], colours[best])) best = c;
        }
        if (!is_hole) total += error_of(texels[i], colours[best]);
        block[4 + i / 4] = (uint8_t)(block[4 + i / 4] | best << 2 * (i % 4));
    }
    return total;
}

/* The first colour is the larger one without holes, and the smaller one with them. */
static void order(uint8_t block[8], bool has_holes)
{
    uint16_t first = ossa__load_u16(block);
    uint16_t second = ossa__load_u16(block + 2);
    if ((first > second) != has_holes) return;
    ossa__store_u16(block, second);
    ossa__store_u16(block + 2, first);
}

/* Holes take the colour of the others, so that they do not matter. False: there are none. */
static bool fill_holes(uint8_t texels[TEXELS][4])
{
    uint32_t sums[3] = {0};
    uint32_t count = 0;
    for (unsigned i = 0; i < TEXELS; i++) {
        if (texels[i][3] < HALF) continue;
        count++;
        for (unsigned c = 0; c < 3; c++) sums[c] += texels[i][c];
    }
    for (unsigned i = 0; i < TEXELS && count > 0; i++) {
        for (unsigned c = 0; c < 3 && texels[i][3] < HALF; c++) {
            texels[i][c] = (uint8_t)((sums[c] + count / 2) / count);
        }
    }
    return count < TEXELS;
}

static uint16_t as_565(const uint8_t rgba[4])
{
    return (uint16_t)(narrow(rgba[0], 5) << 11 | narrow(rgba[1], 6) << 5 | narrow(rgba[2], 5));
}

/* The two texels that differ most as the colours of a block: the best if there are only two. */
static void take_extremes(const uint8_t texels[TEXELS][4], uint8_t block[8])
{
    unsigned best[2] = {0, 0};
    for (unsigned a = 0; a < TEXELS; a++) {
        for (unsigned b = a + 1; b < TEXELS; b++) {
            if (error_of(texels[a], texels[b]) <= error_of(texels[best[0]], texels[best[1]])) {
                continue;
            }
            best[0] = a;
            best[1] = b;
        }
    }
    ossa__store_u16(block, as_565(texels[best[0]]));
    ossa__store_u16(block + 2, as_565(texels[best[1]]));
}

/* The best block of colours: those that stb_dxt finds, those of two texels, or those of an old
 * block. */
static void encode_colours(const uint8_t texels[TEXELS][4], bool is_dxt1, const uint8_t *old,
                           uint8_t block[8])
{
    _Alignas(uint32_t) uint8_t opaque[TEXELS][4]; /* stb_dxt reads words */
    uint8_t candidates[3][8];
    unsigned count = 2;
    uint32_t least = UINT32_MAX;
    memcpy(opaque, texels, sizeof opaque);
    bool has_holes = is_dxt1 && fill_holes(opaque);
    for (unsigned i = 0; i < TEXELS; i++) opaque[i][3] = 255;
    stb_compress_dxt_block(candidates[0], opaque[0], 0, STB_DXT_HIGHQUAL);
    take_extremes((const uint8_t(*)[4])opaque, candidates[1]);
    if (old != NULL) memcpy(candidates[count++], old, 8);
    for (unsigned i = 0; i < count; i++) {
        if (is_dxt1) order(candidates[i], has_holes);
        uint32_t error = pick(texels, is_dxt1, candidates[i]);
        if (error >= least) continue;
        least = error;
        memcpy(block, candidates[i], 8);
    }
}

void ossa__texel_encode_block(bool is_dxt1, const uint8_t texels[16][4], const uint8_t *old,
                              uint8_t *block)
{
    if (is_dxt1) {
        encode_colours(texels, true, old, block);
        return;
    }
    encode_colours(texels, false, old == NULL ? NULL : old + 8, block + 8);
    memset(block, 0, 8);
    for (unsigned i = 0; i < TEXELS; i++) {
        block[i / 2] = (uint8_t)(block[i / 2] | narrow(texels[i][3], 4) << 4 * (i % 2));
    }
}

#else

bool ossa__texel_has_blocks(void)
{
    return false;
}

void ossa__texel_encode_block(bool is_dxt1, const uint8_t texels[16][4], const uint8_t *old,
                              uint8_t *block)
{
    (void)is_dxt1;
    (void)texels;
    (void)old;
    (void)block;
}

#endif
