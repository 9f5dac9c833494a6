/* SPDX-License-Identifier: MIT
 *
 * How the tests make textures of Evil Islands (ei-mmp), with no code of the library. */
#ifndef OSSA_TEST_MMP_FIXTURE_H
#define OSSA_TEST_MMP_FIXTURE_H

#include "support/byte_list.h"

enum {
    MMP_HEADER = 76,
    MMP_DXT1 = 0x31545844,
    MMP_DXT3 = 0x33545844,
    MMP_PNT3 = 0x33544e50,
    MMP_4444 = 0x4444,
    MMP_5551 = 0x5551,
    MMP_5650 = 0x5650,
    MMP_8888 = 0x8888,
};

/* The header, with the channels that belong to the fourcc (zeros for those that have none). */
struct bytes begin_mmp(uint32_t width, uint32_t height, uint32_t mips, uint32_t fourcc);

/* Colours of 5 6 5 bits and rows of picks, the first texel in the lowest two bits. */
void put_dxt1(struct bytes *file, uint32_t first, uint32_t second, const uint8_t picks[4]);

/* PNT3 of these words, `mips` being their size. */
struct bytes make_pnt3(uint32_t width, uint32_t height, const uint32_t *words, size_t count);

/* A plain texture of 8888, rows from the top, each texel 0xAARRGGBB. */
struct bytes make_8888(uint32_t width, uint32_t height, const uint32_t *argb);

#endif
