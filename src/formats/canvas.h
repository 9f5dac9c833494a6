/* SPDX-License-Identifier: MIT
 *
 * Pixels for the levels of textures that are painted anew. */
#ifndef OSSA_FORMATS_CANVAS_H
#define OSSA_FORMATS_CANVAS_H

#include "codec/context.h"

/* The pixels of a level, rows from the top. */
struct ossa__canvas {
    uint32_t width;
    uint32_t height;
    const uint8_t (*pixels)[4]; /* NULL: none */
};

static inline const uint8_t *ossa__pixel_at(const struct ossa__canvas *canvas, uint64_t x,
                                            uint64_t y)
{
    return canvas->pixels[y * canvas->width + x];
}

/* The next level, in scratch memory: the mean of the pixels below, in each channel by itself, as
 * they are stored: not of light, and without regard to alpha. */
struct ossa__canvas ossa__canvas_halve(struct ossa__context *context,
                                       const struct ossa__canvas *from);

#endif
