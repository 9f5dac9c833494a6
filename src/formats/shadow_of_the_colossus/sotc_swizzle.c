/* SPDX-License-Identifier: MIT
 *
 * Texels of 8 or 4 bits were sent to the graphics memory as a picture of 32-bit words and are read
 * from there as texels. The memory orders both by pages of 8192 bytes, blocks of 256 and columns of
 * 64:
 *
 *              32 bits    8 bits      4 bits
 *     page     64 x 32    128 x 64    128 x 128
 *     block     8 x 8      16 x 16     32 x 16
 *     column    8 x 2      16 x 4      32 x 4
 *
 * The words of a column are in the same order for all three. So are the blocks of a page for 32 and
 * 8 bits; for 4 bits they are transposed, and the words are a picture of height / 2 x width / 4.
 * What remains is how the texels of a column share its words. */
#include "formats/shadow_of_the_colossus/sotc_swizzle.h"

bool ossa__sotc_can_swizzle(unsigned bits, uint32_t width, uint32_t height)
{
    return bits == 8 ? width >= 16 && height >= 4 : width >= 32 && height >= 16;
}

static uint32_t at_least_1(uint32_t number)
{
    return number > 0 ? number : 1;
}

/* The column of a word in a column: x, with halves exchanged in every other pair of rows. */
static uint32_t word_of(uint32_t x, uint32_t y)
{
    return (x % 8) ^ (4 * ((y / 2 + y / 4) % 2));
}

uint32_t ossa__sotc_swizzled(unsigned bits, uint32_t width, uint32_t height, uint32_t x, uint32_t y)
{
    uint32_t half = y / 2 % 2; /* which of two texels that lie beside each other */
    if (bits == 8) {
        uint32_t column = x / 16 * 8 + word_of(x, y);
        uint32_t row = y / 4 * 2 + y % 2;
        return 4 * (row * (width / 2) + column) + 2 * (x / 8 % 2) + half;
    }
    uint32_t page = y / 128 * at_least_1(width / 128) + x / 128;
    uint32_t pages = at_least_1(height / 128); /* in a row of the words */
    uint32_t column = page % pages * 64 + y / 16 % 8 * 8 + word_of(x, y);
    uint32_t row = page / pages * 32 + x / 32 % 4 * 8 + y / 4 % 4 * 2 + y % 2;
    return 8 * (row * (height / 2) + column) + 2 * (x / 8 % 4) + half;
}
