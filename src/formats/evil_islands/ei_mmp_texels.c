/* SPDX-License-Identifier: MIT
 *
 * The texels of a texture as red, green, blue, alpha.
 *
 *     DXT1   a block of 4 x 4: u16 colours[2] (5 6 5 bits), then 2 bits per texel, the first row in
 *            the first byte, the first texel in its lowest bits. colours[0] > colours[1]: 0 and 1
 *            are the two, 2 and 3 a third and two thirds of the way; else 2 is halfway, and 3 is
 *            transparent black
 *     DXT3   4 bits of alpha per texel, in the same order, before such a block, which always has
 * the four colours 4444, 5551, 5650   u16, alpha, red, green, blue from the highest bit down; 5650
 * has no alpha 8888, PNT3         bytes blue, green, red, alpha
 *
 * A channel of fewer than 8 bits is widened by repeating its bits, so that all ones are 255. The
 * rows of all but 8888 are stored from the bottom up: the whole picture is flipped, blocks too. */
#include "formats/evil_islands/ei_mmp.h"

#include "base/bytes.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- kinds --------------------------------------------------------------------------------- */

static const struct ossa__texel_kind kinds[] = {
    {.fourcc = OSSA_EI_FOURCC_DXT1,
     .name = "DXT1",
     .meaning = "DXT1, blocks of 4 x 4 texels, 4 bits per texel",
     .alpha = "1 bit, in blocks that want it",
     .side = 4,
     .block_size = 8},
    {.fourcc = OSSA_EI_FOURCC_DXT3,
     .name = "DXT3",
     .meaning = "DXT3, blocks of 4 x 4 texels, 8 bits per texel",
     .alpha = "4 bits",
     .side = 4,
     .block_size = 16},
    {.fourcc = OSSA_EI_FOURCC_PNT3,
     .name = "PNT3",
     .meaning = "PNT3, 32 bits per texel, runs of zeros packed",
     .alpha = "8 bits",
     .side = 1,
     .block_size = 4},
    {.fourcc = OSSA_EI_FOURCC_4444,
     .name = "4444",
     .meaning = "4444, 16 bits per texel",
     .alpha = "4 bits",
     .side = 1,
     .block_size = 2,
     .has_channels = true,
     .channels = {{0xf000, 12, 4}, {0x0f00, 8, 4}, {0x00f0, 4, 4}, {0x000f, 0, 4}}},
    {.fourcc = OSSA_EI_FOURCC_5551,
     .name = "5551",
     .meaning = "5551, 16 bits per texel",
     .alpha = "1 bit",
     .side = 1,
     .block_size = 2,
     .has_channels = true,
     .channels = {{0x8000, 15, 1}, {0x7c00, 10, 5}, {0x03e0, 5, 5}, {0x001f, 0, 5}}},
    {.fourcc = OSSA_EI_FOURCC_5650,
     .name = "5650",
     .meaning = "5650, 16 bits per texel",
     .alpha = "none",
     .side = 1,
     .block_size = 2,
     .has_channels = true,
     .channels = {{0, 0, 0}, {0xf800, 11, 5}, {0x07e0, 5, 6}, {0x001f, 0, 5}}},
    {.fourcc = OSSA_EI_FOURCC_8888,
     .name = "8888",
     .meaning = "8888, 32 bits per texel",
     .alpha = "8 bits",
     .side = 1,
     .block_size = 4,
     .has_channels = true,
     .is_from_top = true,
     .channels =
         {{0xff000000, 24, 8}, {0x00ff0000, 16, 8}, {0x0000ff00, 8, 8}, {0x000000ff, 0, 8}}},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

const struct ossa__texel_kind *ossa__texel_kind(uint32_t fourcc)
{
    for (unsigned i = 0; i < KINDS; i++) {
        if (kinds[i].fourcc == fourcc) return &kinds[i];
    }
    return NULL;
}

const struct ossa__texel_kind *ossa__texel_kind_named(const char *name)
{
    for (unsigned i = 0; i < KINDS; i++) {
        if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
    }
    return NULL;
}

static uint64_t blocks_along(const struct ossa__texel_kind *kind, uint32_t side)
{
    return ((uint64_t)side + kind->side - 1) / kind->side;
}

uint64_t ossa__texel_blocks(const struct ossa__texel_kind *kind, uint32_t width, uint32_t height)
{
    uint64_t blocks;
    (void)ossa__multiply(blocks_along(kind, width), blocks_along(kind, height), &blocks);
    return blocks;
}

uint64_t ossa__texel_bytes(const struct ossa__texel_kind *kind, uint32_t width, uint32_t height)
{
    uint64_t bytes;
    (void)ossa__multiply(ossa__texel_blocks(kind, width, height), kind->block_size, &bytes);
    return bytes;
}

uint32_t ossa__texel_half(uint32_t side)
{
    return side > 1 ? side / 2 : side;
}

uint32_t ossa__texel_levels(uint32_t width, uint32_t height)
{
    uint32_t levels = 1;
    for (uint32_t side = width > height ? width : height; side > 1; side /= 2) levels++;
    return levels;
}

/* ---- single texels ------------------------------------------------------------------------- */

/* `bits` bits of a number from bit `shift` up, as 0 to 255. */
static uint8_t widen(uint32_t texel, unsigned shift, unsigned bits)
{
    uint32_t value = texel >> shift & ((1U << bits) - 1);
    uint32_t wide = value << (8 - bits);
    for (unsigned filled = bits; filled < 8; filled += bits) wide |= wide >> filled;
    return (uint8_t)wide;
}

static void decode_565(uint32_t texel, uint8_t rgba[4])
{
    rgba[0] = widen(texel, 11, 5);
    rgba[1] = widen(texel, 5, 6);
    rgba[2] = widen(texel, 0, 5);
    rgba[3] = 255;
}

static void decode_texel(uint32_t fourcc, const uint8_t *bytes, uint8_t rgba[4])
{
    uint32_t texel = ossa__load_u16(bytes);
    switch (fourcc) {
    case OSSA_EI_FOURCC_4444:
        for (unsigned i = 0; i < 3; i++) rgba[i] = widen(texel, 8 - 4 * i, 4);
        rgba[3] = widen(texel, 12, 4);
        break;
    case OSSA_EI_FOURCC_5551:
        for (unsigned i = 0; i < 3; i++) rgba[i] = widen(texel, 10 - 5 * i, 5);
        rgba[3] = widen(texel, 15, 1);
        break;
    case OSSA_EI_FOURCC_5650: decode_565(texel, rgba); break;
    default: /* 8888 */
        for (unsigned i = 0; i < 3; i++) rgba[i] = bytes[2 - i];
        rgba[3] = bytes[3];
        break;
    }
}

/* Rows of single texels, as they are stored. */
static void decode_rows(const struct ossa__texel_kind *kind, const ossa_ei_level *level,
                        uint8_t (*rgba)[4])
{
    const uint8_t *bytes = level->texels;
    for (uint64_t y = 0; y < level->height; y++) {
        uint64_t row = kind->is_from_top ? y : level->height - 1 - y;
        for (uint64_t x = 0; x < level->width; x++, bytes += kind->block_size) {
            decode_texel(kind->fourcc, bytes, rgba[row * level->width + x]);
        }
    }
}

/* ---- blocks -------------------------------------------------------------------------------- */

/* The four colours that a block picks from. */
static void list_colours(const uint8_t *block, bool is_dxt1, uint8_t colours[4][4])
{
    uint16_t first = ossa__load_u16(block);
    uint16_t second = ossa__load_u16(block + 2);
    bool has_four = !is_dxt1 || first > second;
    decode_565(first, colours[0]);
    decode_565(second, colours[1]);
    for (unsigned i = 0; i < 3; i++) {
        unsigned a = colours[0][i];
        unsigned b = colours[1][i];
        colours[2][i] = (uint8_t)(has_four ? (2 * a + b + 1) / 3 : (a + b + 1) / 2);
        colours[3][i] = (uint8_t)(has_four ? (a + 2 * b + 1) / 3 : 0);
    }
    colours[2][3] = 255;
    colours[3][3] = has_four ? 255 : 0;
}

void ossa__texel_decode_block(const uint8_t *block, bool is_dxt1, uint8_t texels[16][4])
{
    const uint8_t *alphas = block;
    uint8_t colours[4][4];
    if (!is_dxt1) block += 8;
    list_colours(block, is_dxt1, colours);
    for (unsigned i = 0; i < 16; i++) {
        unsigned pick = (unsigned)block[4 + i / 4] >> (2 * (i % 4)) & 3U;
        memcpy(texels[i], colours[pick], 4);
        if (!is_dxt1) texels[i][3] = widen(alphas[i / 2], 4 * (i % 2), 4);
    }
}

static void decode_blocks(const struct ossa__texel_kind *kind, const ossa_ei_level *level,
                          uint8_t (*rgba)[4])
{
    const uint8_t *block = level->texels;
    for (uint64_t top = 0; top < level->height; top += 4) {
        for (uint64_t left = 0; left < level->width; left += 4, block += kind->block_size) {
            uint8_t texels[16][4];
            ossa__texel_decode_block(block, kind->fourcc == OSSA_EI_FOURCC_DXT1, texels);
            for (unsigned i = 0; i < 16; i++) {
                uint64_t x = left + i % 4;
                uint64_t y = top + i / 4; /* from the bottom */
                if (x >= level->width || y >= level->height) continue;
                memcpy(rgba[(level->height - 1 - y) * level->width + x], texels[i], 4);
            }
        }
    }
}

/* ---- PNT3 ---------------------------------------------------------------------------------- */

static bool refuse(ossa_error *error, ossa_code code, const char *message, ...) OSSA_PRINTF(3, 4);
static bool refuse(ossa_error *error, ossa_code code, const char *message, ...)
{
    if (error == NULL) return false;
    *error = (ossa_error){.code = code, .format = "ei-mmp"};
    va_list arguments;
    va_start(arguments, message);
    (void)vsnprintf(error->message, sizeof error->message, message, arguments);
    va_end(arguments);
    return false;
}

uint64_t ossa__texel_check_runs(struct ossa__context *context, const ossa_ei_level *level,
                                uint64_t room)
{
    uint64_t filled = 0;
    bool is_uneven = false;
    for (size_t at = 0; at + 4 <= level->size; at += 4) {
        uint32_t word = ossa__load_u32(level->texels + at);
        bool is_run = ossa__texel_is_run(word);
        uint64_t bytes = is_run ? word : 4;
        ossa__enter(context, "words", at / 4);
        if (bytes > room - filled) {
            ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_COUNT,
                        OSSA__MMP_HEADER_SIZE + at, "",
                        "%s past the end of the picture: %" PRIu64 " bytes, %" PRIu64 " left",
                        is_run ? "zeros" : "a texel", bytes, room - filled);
            ossa__leave(context);
            return room;
        }
        if (bytes % 4 != 0 && !is_uneven) {
            is_uneven = true;
            ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                        OSSA__MMP_HEADER_SIZE + at, "",
                        "%" PRIu64 " zero bytes, expected a multiple of 4: this run ends inside "
                        "a texel",
                        bytes);
        }
        ossa__leave(context);
        filled += bytes;
    }
    return filled;
}

static bool unpack(const ossa_ei_level *level, uint8_t *bytes, uint64_t room, ossa_error *error)
{
    uint64_t filled = 0;
    for (size_t at = 0; at + 4 <= level->size; at += 4) {
        uint32_t word = ossa__load_u32(level->texels + at);
        bool is_run = ossa__texel_is_run(word);
        uint64_t count = is_run ? word : 4;
        if (count > room - filled) {
            (void)refuse(error, OSSA_CODE_BAD_COUNT,
                         "%" PRIu64 " bytes past the end of the picture, which has %" PRIu64
                         " left",
                         count, room - filled);
            if (error != NULL) {
                error->has_offset = true;
                error->offset = OSSA__MMP_HEADER_SIZE + at;
                (void)snprintf(error->field, sizeof error->field, "levels[0].words[%zu]", at / 4);
            }
            return false;
        }
        if (is_run) memset(bytes + filled, 0, (size_t)count);
        else memcpy(bytes + filled, level->texels + at, 4);
        filled += count;
    }
    memset(bytes + filled, 0, (size_t)(room - filled));
    return true;
}

/* Blue green red alpha from the bottom up, in place. */
static void flip(const ossa_ei_level *level, uint8_t (*rgba)[4])
{
    uint64_t count = (uint64_t)level->width * level->height;
    for (uint64_t i = 0; i < count; i++) {
        uint8_t blue = rgba[i][0];
        rgba[i][0] = rgba[i][2];
        rgba[i][2] = blue;
    }
    for (uint64_t y = 0; y < level->height / 2; y++) {
        uint8_t(*upper)[4] = rgba + y * level->width;
        uint8_t(*lower)[4] = rgba + (level->height - 1 - y) * level->width;
        for (uint64_t x = 0; x < level->width; x++) {
            uint8_t texel[4];
            memcpy(texel, upper[x], 4);
            memcpy(upper[x], lower[x], 4);
            memcpy(lower[x], texel, 4);
        }
    }
}

/* ---- all of them --------------------------------------------------------------------------- */

bool ossa_ei_mmp_decode(const ossa_ei_mmp *mmp, uint32_t level, uint8_t (*rgba)[4],
                        uint64_t capacity, ossa_error *error)
{
    const struct ossa__texel_kind *kind = ossa__texel_kind(mmp->fourcc);
    if (kind == NULL) {
        return refuse(error, OSSA_CODE_UNKNOWN_FLAG, "the fourcc 0x%08" PRIx32 " is not known",
                      mmp->fourcc);
    }
    if (level >= mmp->level_count) {
        return refuse(error, OSSA_CODE_BAD_ARGUMENT,
                      "there is no level %" PRIu32 ", the texture has %" PRIu32, level,
                      mmp->level_count);
    }
    const ossa_ei_level *stored = &mmp->levels[level];
    uint64_t pixels = (uint64_t)stored->width * stored->height;
    uint64_t bytes = ossa__texel_bytes(kind, stored->width, stored->height);
    bool is_packed = kind->fourcc == OSSA_EI_FOURCC_PNT3 && stored->size < bytes;
    if (capacity < pixels) {
        return refuse(error, OSSA_CODE_BAD_ARGUMENT,
                      "room for %" PRIu64 " pixels, but level %" PRIu32 " has %" PRIu64, capacity,
                      level, pixels);
    }
    if (stored->size < bytes && !is_packed) {
        return refuse(error, OSSA_CODE_TRUNCATED,
                      "level %" PRIu32 " has %zu bytes of texels, %" PRIu64 " are needed", level,
                      stored->size, bytes);
    }
    if (pixels == 0) {
        /* then the buffer may be none at all */
    } else if (is_packed) {
        if (!unpack(stored, (uint8_t *)rgba, bytes, error)) return false;
        flip(stored, rgba);
    } else if (kind->side > 1) {
        decode_blocks(kind, stored, rgba);
    } else {
        decode_rows(kind, stored, rgba);
    }
    if (error != NULL) *error = (ossa_error){0};
    return true;
}
