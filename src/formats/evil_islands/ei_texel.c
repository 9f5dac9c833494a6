/* SPDX-License-Identifier: MIT */
#include "formats/evil_islands/ei_texel.h"

#include "base/memory.h"

#include <string.h>

static const struct ossa__texel_kind kinds[] = {
    {.fourcc = OSSA_EI_FOURCC_DXT1,
     .name = "DXT1",
     .meaning = "DXT1, blocks of 4 x 4 texels, 4 bits a texel",
     .alpha = "1 bit, in blocks that want it",
     .side = 4,
     .block_size = 8},
    {.fourcc = OSSA_EI_FOURCC_DXT3,
     .name = "DXT3",
     .meaning = "DXT3, blocks of 4 x 4 texels, 8 bits a texel",
     .alpha = "4 bits",
     .side = 4,
     .block_size = 16},
    {.fourcc = OSSA_EI_FOURCC_PNT3,
     .name = "PNT3",
     .meaning = "PNT3, 32 bits a texel, runs of zeros packed",
     .alpha = "8 bits",
     .side = 1,
     .block_size = 4},
    {.fourcc = OSSA_EI_FOURCC_4444,
     .name = "4444",
     .meaning = "4444, 16 bits a texel",
     .alpha = "4 bits",
     .side = 1,
     .block_size = 2,
     .has_channels = true,
     .channels = {{0xf000, 12, 4}, {0x0f00, 8, 4}, {0x00f0, 4, 4}, {0x000f, 0, 4}}},
    {.fourcc = OSSA_EI_FOURCC_5551,
     .name = "5551",
     .meaning = "5551, 16 bits a texel",
     .alpha = "1 bit",
     .side = 1,
     .block_size = 2,
     .has_channels = true,
     .channels = {{0x8000, 15, 1}, {0x7c00, 10, 5}, {0x03e0, 5, 5}, {0x001f, 0, 5}}},
    {.fourcc = OSSA_EI_FOURCC_5650,
     .name = "5650",
     .meaning = "5650, 16 bits a texel",
     .alpha = "none",
     .side = 1,
     .block_size = 2,
     .has_channels = true,
     .channels = {{0, 0, 0}, {0xf800, 11, 5}, {0x07e0, 5, 6}, {0x001f, 0, 5}}},
    {.fourcc = OSSA_EI_FOURCC_8888,
     .name = "8888",
     .meaning = "8888, 32 bits a texel",
     .alpha = "8 bits",
     .side = 1,
     .block_size = 4,
     .has_channels = true,
     .is_from_top = true,
     .channels =
         {{0xff000000, 24, 8}, {0x00ff0000, 16, 8}, {0x0000ff00, 8, 8}, {0x000000ff, 0, 8}}},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

const struct ossa__texel_kind *ossa__texel_kind(uint32_t fourcc)
{
    for (unsigned i = 0; i < KINDS; i++) {
        if (kinds[i].fourcc == fourcc) return &kinds[i];
    }
    return NULL;
}

const struct ossa__texel_kind *ossa__texel_kind_named(const char *name)
{
    for (unsigned i = 0; i < KINDS; i++) {
        if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
    }
    return NULL;
}

static uint64_t blocks_along(const struct ossa__texel_kind *kind, uint32_t side)
{
    return ((uint64_t)side + kind->side - 1) / kind->side;
}

uint64_t ossa__texel_blocks(const struct ossa__texel_kind *kind, uint32_t width, uint32_t height)
{
    uint64_t blocks;
    (void)ossa__multiply(blocks_along(kind, width), blocks_along(kind, height), &blocks);
    return blocks;
}

uint64_t ossa__texel_bytes(const struct ossa__texel_kind *kind, uint32_t width, uint32_t height)
{
    uint64_t bytes;
    (void)ossa__multiply(ossa__texel_blocks(kind, width, height), kind->block_size, &bytes);
    return bytes;
}

uint32_t ossa__texel_half(uint32_t side)
{
    return side > 1 ? side / 2 : side;
}

uint32_t ossa__texel_levels(uint32_t width, uint32_t height)
{
    uint32_t levels = 1;
    for (uint32_t side = width > height ? width : height; side > 1; side /= 2) levels++;
    return levels;
}
