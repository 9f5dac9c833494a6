/* SPDX-License-Identifier: MIT
 *
 * PNGs of all kinds, made with no code of the library and without libpng: not packed. */
#ifndef OSSA_TEST_PNG_FIXTURE_H
#define OSSA_TEST_PNG_FIXTURE_H

#include "support/byte_list.h"

#include <stdbool.h>

enum { PNG_GREY = 0, PNG_RGB = 2, PNG_PALETTE = 3, PNG_GREY_ALPHA = 4, PNG_RGBA = 6 };

struct png_kind {
    uint32_t width;
    uint32_t height;
    uint8_t depth;
    uint8_t colour_type;
    uint8_t interlace;
};

/* The signature and IHDR. */
struct bytes begin_png(const struct png_kind *kind);
void put_chunk(struct bytes *png, const char *type, const void *data, size_t size);
/* IDAT of these bytes, filters among them, and IEND. */
void end_png(struct bytes *png, const uint8_t *raw, size_t size);

/* 8 bits of red, green, blue, alpha; not interlaced, or with Adam7. */
struct bytes make_rgba_png(uint32_t width, uint32_t height, const uint8_t (*pixels)[4],
                           bool interlaced);

#endif
