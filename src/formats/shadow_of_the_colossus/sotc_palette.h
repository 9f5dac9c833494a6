/* SPDX-License-Identifier: MIT
 *
 * Palettes for pictures. */
#ifndef OSSA_SOTC_PALETTE_H
#define OSSA_SOTC_PALETTE_H

#include "codec/context.h"

enum { OSSA__PALETTE_CACHE = 1024 };

/* A palette in which colours are looked up. */
struct ossa__palette {
    uint32_t count;
    uint8_t colours[256][4];
    struct {
        bool is_set;
        uint8_t index;
        uint8_t colour[4];
    } cache[OSSA__PALETTE_CACHE]; /* of what was asked for; clear it after a change of colours */
};

/* The index of the colour, or of the nearest one. */
uint8_t ossa__palette_nearest(struct ossa__palette *palette, const uint8_t colour[4]);

/* At most `most` colours that come close to those of a picture: the same if they are that few.
 * Gives how many; 0 after a failure. */
uint32_t ossa__palette_of(struct ossa__context *context, const uint8_t (*pixels)[4], uint64_t count,
                          uint32_t most, uint8_t colours[256][4]);

#endif
