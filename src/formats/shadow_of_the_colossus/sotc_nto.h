/* SPDX-License-Identifier: MIT
 *
 * What the parts of sotc-nto share: the module (sotc_nto.c), pixels (sotc_pixels.c) and repainting
 * (sotc_repaint.c). */
#ifndef OSSA_SOTC_NTO_H
#define OSSA_SOTC_NTO_H

#include "codec/context.h"
#include "codec/writer.h"
#include "ossa/games/shadow_of_the_colossus.h"

/* Offsets in the header. */
enum { OSSA__NTO_MAGNIFY = 0x74, OSSA__NTO_MINIFY = 0x78 };

/* Bits of a texel; 0 for an unknown kind. */
unsigned ossa__nto_bits(ossa_sotc_texels kind);
/* Colours that the palette of a kind has; 0: none. */
uint32_t ossa__nto_colours(ossa_sotc_texels kind);
/* Bytes of a level. */
uint64_t ossa__nto_level_bytes(unsigned bits, const uint32_t sides[2], uint32_t level);
/* A side of a level. */
uint32_t ossa__nto_side(uint32_t side, uint32_t level);

/* Width and height of the first level: `sides` if they are those of the texture, or else false.
 * NULL: by the options (NULL: the defaults), unless only the other reading gives all levels that
 * are swizzled a size that can be. */
bool ossa__nto_size(const ossa_sotc_nto *nto, const uint32_t sides[2],
                    const ossa_sotc_options *options, uint32_t size[2]);

/* A level whose texels are looked at. */
struct ossa__nto_view {
    const uint8_t *texels;
    unsigned bits;
    bool is_swizzled;
    uint32_t width;
    uint32_t height;
};

/* False if the level does not exist or cannot be decoded. `size` is that of the first level. */
bool ossa__nto_view(const ossa_sotc_nto *nto, uint32_t level, const uint32_t size[2],
                    struct ossa__nto_view *view);

enum { OSSA__NTO_RUN = 256 };

/* The positions of texels, in texels: of `count` ones in a row from x on, which is a multiple of
 * OSSA__NTO_RUN. `steps` is what ossa__nto_steps gave for the view. */
void ossa__nto_steps(const struct ossa__nto_view *view, uint32_t steps[OSSA__NTO_RUN]);
void ossa__nto_positions(const struct ossa__nto_view *view, const uint32_t steps[OSSA__NTO_RUN],
                         uint32_t x, uint32_t y, uint32_t count, uint32_t positions[OSSA__NTO_RUN]);
/* The palette's index at a position. */
static inline uint8_t ossa__nto_index(const struct ossa__nto_view *view, uint32_t position)
{
    if (view->bits == 8) return view->texels[position];
    uint8_t byte = view->texels[position / 2];
    return position % 2 == 0 ? byte & 0x0f : byte >> 4;
}

/* Whether the palette is in the order of the graphics chip, CSM1; by its options, or else by what
 * the first level looks like. */
bool ossa__nto_is_csm1(const ossa_sotc_nto *nto, const uint32_t size[2],
                       const ossa_sotc_options *options);
/* The stored entry of an index. */
static inline unsigned ossa__nto_entry(unsigned index, bool is_csm1)
{
    unsigned third = index >> 3 & 3U;
    return is_csm1 && (third == 1 || third == 2) ? index ^ 0x18U : index;
}

/* 0x80 is opaque in the file, 0xFF in pixels. */
static inline uint8_t ossa__nto_alpha(uint8_t stored)
{
    unsigned alpha = (stored * 255U + 64) / 128;
    return (uint8_t)(alpha < 255 ? alpha : 255);
}

struct ossa__report;
void ossa__nto_describe(const void *contents, struct ossa__report *report);

struct ossa_texture;
void ossa__nto_repaint(struct ossa__context *context, const void *contents,
                       const struct ossa_texture *texture, struct ossa__writer *writer);

#endif
