/* SPDX-License-Identifier: MIT */
#include "formats/canvas.h"

static uint32_t half_of(uint32_t side)
{
    return side > 1 ? side / 2 : 1;
}

struct ossa__canvas ossa__canvas_halve(struct ossa__context *context,
                                       const struct ossa__canvas *from)
{
    struct ossa__canvas to = {.width = half_of(from->width), .height = half_of(from->height)};
    if (from->pixels == NULL) return to;
    uint8_t(*pixels)[4] =
        ossa__take_scratch(context, (uint64_t)to.width * to.height, sizeof *pixels);
    if (pixels == NULL) return to;
    uint64_t columns = from->width > 1 ? 2 : 1; /* an odd one at the end does not count */
    uint64_t rows = from->height > 1 ? 2 : 1;
    for (uint64_t y = 0; y < to.height; y++) {
        for (uint64_t x = 0; x < to.width; x++) {
            for (unsigned c = 0; c < 4; c++) {
                uint64_t sum = rows * columns / 2;
                for (uint64_t i = 0; i < rows * columns; i++) {
                    sum +=
                        ossa__pixel_at(from, x * columns + i % columns, y * rows + i / columns)[c];
                }
                pixels[y * to.width + x][c] = (uint8_t)(sum / (rows * columns));
            }
        }
    }
    to.pixels = (const uint8_t(*)[4])pixels;
    return to;
}
