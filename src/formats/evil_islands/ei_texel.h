/* SPDX-License-Identifier: MIT
 *
 * What the texels of each kind of ei-mmp are: how large, and where their channels lie. */
#ifndef OSSA_EI_TEXEL_H
#define OSSA_EI_TEXEL_H

#include "ossa/games/evil_islands.h"

struct ossa__texel_kind {
    uint32_t fourcc;
    const char *name;            /* as in the JSON */
    const char *meaning;         /* for people */
    const char *alpha;           /* for people, too */
    uint32_t side;               /* of a block, in texels: 1 or 4 */
    uint32_t block_size;         /* in bytes */
    bool has_channels;           /* then the header must say just these */
    bool is_from_top;            /* the first row is the top one; else the bottom one */
    ossa_ei_channel channels[4]; /* alpha, red, green, blue */
};

/* NULL for a fourcc that nobody knows. */
const struct ossa__texel_kind *ossa__texel_kind(uint32_t fourcc);
/* By its name; NULL: none. */
const struct ossa__texel_kind *ossa__texel_kind_named(const char *name);

/* How many blocks a level has, and of PNT3 how many texels, unpacked. UINT64_MAX: too many. */
uint64_t ossa__texel_blocks(const struct ossa__texel_kind *kind, uint32_t width, uint32_t height);
/* The same in bytes. */
uint64_t ossa__texel_bytes(const struct ossa__texel_kind *kind, uint32_t width, uint32_t height);

/* A side of the next level. */
uint32_t ossa__texel_half(uint32_t side);
/* How many levels a picture can have: the last is 1 x 1. */
uint32_t ossa__texel_levels(uint32_t width, uint32_t height);

/* Of PNT3: a word that stands for so many zero bytes, not for a texel. */
static inline bool ossa__texel_is_run(uint32_t word)
{
    return word >= 1 && word <= 1000000;
}

#endif
