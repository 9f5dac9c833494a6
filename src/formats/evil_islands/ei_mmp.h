/* SPDX-License-Identifier: MIT
 *
 * The texels of ei-mmp (ei_mmp_texels.c), for the reader of its files (ei_mmp.c). */
#ifndef OSSA_EI_MMP_H
#define OSSA_EI_MMP_H

#include "codec/context.h"
#include "codec/writer.h"
#include "ossa/games/evil_islands.h"

enum { OSSA__MMP_HEADER_SIZE = 76 };

/* What the texels of a fourcc are: how large, and where their channels are. */
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

/* NULL for an unknown fourcc. */
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

/* Of PNT3: a word that is a number of zero bytes, not a texel. */
static inline bool ossa__texel_is_run(uint32_t word)
{
    return word >= 1 && word <= 1000000;
}

/* The 16 texels of a block, the first row first. */
void ossa__texel_decode_block(const uint8_t *block, bool is_dxt1, uint8_t texels[16][4]);

/* ---- ei_mmp_encode.c: the other way -------------------------------------------------------- */

/* A pixel as a texel that is not a block. */
void ossa__texel_encode(const struct ossa__texel_kind *kind, const uint8_t rgba[4], uint8_t *bytes);
/* 16 texels as a block, if this build can; `old` is one whose colours may still be right, or
 * NULL. */
bool ossa__texel_has_blocks(void);
void ossa__texel_encode_block(bool is_dxt1, const uint8_t texels[16][4], const uint8_t *old,
                              uint8_t *block);

/* ---- ei_mmp_paint.c ------------------------------------------------------------------------ */

struct ossa_texture;
void ossa__mmp_repaint(struct ossa__context *context, const void *contents,
                       const struct ossa_texture *texture, struct ossa__writer *writer);

/* ---- runs ---------------------------------------------------------------------------------- */

/* Report runs of packed texels that leave the picture or split a texel. Gives how many bytes they
 * fill. */
uint64_t ossa__texel_check_runs(struct ossa__context *context, const ossa_ei_level *level,
                                uint64_t room);

#endif
