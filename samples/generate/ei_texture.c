/* SPDX-License-Identifier: MIT
 *
 * Textures of Evil Islands in two of its seven ways. Everything is in integers; rows go up. */
#include "ei_files.h"

static unsigned channel(uint32_t colour, unsigned shift)
{
    return colour >> shift & 0xff;
}

static uint32_t colour_of(unsigned red, unsigned green, unsigned blue)
{
    return red << 16 | green << 8 | blue;
}

uint32_t ei_shade(uint32_t colour, unsigned percent)
{
    return colour_of(channel(colour, 16) * percent / 100, channel(colour, 8) * percent / 100,
                     channel(colour, 0) * percent / 100);
}

/* 5 bits of red, 6 of green, 5 of blue. */
static unsigned to_5650(uint32_t colour)
{
    unsigned red = (channel(colour, 16) * 31 + 127) / 255;
    unsigned green = (channel(colour, 8) * 63 + 127) / 255;
    unsigned blue = (channel(colour, 0) * 31 + 127) / 255;
    return red << 11 | green << 5 | blue;
}

static void put_header(struct bytes *file, unsigned size, unsigned levels, uint32_t fourcc,
                       unsigned bits)
{
    static const uint32_t channels_5650[12] = {0, 0, 0, 0xf800, 11, 5, 0x7e0, 5, 6, 0x1f, 0, 5};
    put_text(file, "MMP");
    put_u8(file, 0);
    put_u32(file, size);
    put_u32(file, size);
    put_u32(file, levels);
    put_u32(file, fourcc);
    put_u32(file, bits);
    for (int i = 0; i < 12; i++) put_u32(file, fourcc == 0x5650 ? channels_5650[i] : 0);
    put_u32(file, 0);
}

/* The mean of a square of texels. */
static uint32_t mean_of(ei_paint *paint, unsigned x, unsigned y, unsigned side)
{
    unsigned sums[3] = {0, 0, 0};
    for (unsigned i = 0; i < side * side; i++) {
        uint32_t colour = paint(x + i % side, y + i / side);
        for (unsigned k = 0; k < 3; k++) sums[k] += channel(colour, 16 - 8 * k);
    }
    unsigned count = side * side;
    return colour_of(sums[0] / count, sums[1] / count, sums[2] / count);
}

void ei_put_texture_5650(struct bytes *file, unsigned size, unsigned levels, ei_paint *paint)
{
    put_header(file, size, levels, 0x5650, 16);
    for (unsigned level = 0; level < levels; level++) {
        unsigned side = 1u << level;
        for (unsigned y = 0; y < size; y += side) {
            for (unsigned x = 0; x < size; x += side)
                put_u16(file, to_5650(mean_of(paint, x, y, side)));
        }
    }
}

/* ---- blocks of 4 by 4 ---------------------------------------------------------------------- */

static unsigned light_of(uint32_t colour)
{
    return 2 * channel(colour, 16) + 4 * channel(colour, 8) + channel(colour, 0);
}

/* The darkest and the lightest colour of the block, and for each texel which of the four between
 * them is nearest in light: the paintings have but shades of one colour in a block. */
static void put_block(struct bytes *file, const uint32_t colours[16])
{
    static const unsigned picks[4] = {1, 3, 2, 0}; /* from dark to light */
    uint32_t dark = colours[0];
    uint32_t light = colours[0];
    for (int i = 1; i < 16; i++) {
        if (light_of(colours[i]) < light_of(dark)) dark = colours[i];
        if (light_of(colours[i]) > light_of(light)) light = colours[i];
    }
    /* With the larger number first there are four colours, none of them transparent. */
    int swapped = to_5650(light) < to_5650(dark);
    put_u16(file, to_5650(swapped ? dark : light));
    put_u16(file, to_5650(swapped ? light : dark));
    unsigned span = light_of(light) - light_of(dark);
    uint32_t bits = 0;
    for (int i = 0; i < 16; i++) {
        unsigned step = light_of(colours[i]) - light_of(dark);
        unsigned rank = span == 0 ? 3 : (3 * step + span / 2) / span;
        bits |= picks[swapped ? 3 - rank : rank] << 2 * i;
    }
    put_u32(file, bits);
}

void ei_put_texture_dxt1(struct bytes *file, unsigned size, ei_paint *paint)
{
    put_header(file, size, 1, 0x31545844, 4);
    for (unsigned y = 0; y < size; y += 4) {
        for (unsigned x = 0; x < size; x += 4) {
            uint32_t colours[16];
            for (unsigned i = 0; i < 16; i++) colours[i] = paint(x + i % 4, y + i / 4);
            put_block(file, colours);
        }
    }
}
