/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a PNG, and the picture as the pixels of a texture. The first byte says which kind of
 * texels that has. */
#include "target.h"

#include "ossa/ossa.h"

#include <string.h>

enum {
    HEADER = 76,
    SIDE = 8,
    MMP_KINDS = 7,
    NTO_KINDS = 3,
    NTO_DATA = 0xc0, /* where the texture is in its container */
    NTO_HEADER = 0xb0,
    MOST = NTO_DATA + NTO_HEADER + 340 + 1024,
};

static void put(uint8_t *at, uint32_t word)
{
    for (unsigned b = 0; b < 4; b++) at[b] = (uint8_t)(word >> 8 * b);
}

/* A texture of 8 x 8 with all its levels, of zeros. */
static size_t make_mmp(uint8_t choice, uint8_t *bytes)
{
    static const uint32_t kinds[] = {OSSA_EI_FOURCC_DXT1, OSSA_EI_FOURCC_DXT3, OSSA_EI_FOURCC_PNT3,
                                     OSSA_EI_FOURCC_4444, OSSA_EI_FOURCC_5551, OSSA_EI_FOURCC_5650,
                                     OSSA_EI_FOURCC_8888};
    static const uint32_t sizes[] = {56, 112, 4, 170, 170, 170, 340};
    const uint32_t words[] = {SIDE, SIDE, 4, kinds[choice], 0};
    memcpy(bytes, "MMP", 3);
    for (unsigned i = 0; i < 5; i++) put(bytes + 4 + (size_t)4 * i, words[i]);
    return HEADER + sizes[choice];
}

/* The same of another game, whose colours are in a palette. */
static size_t make_nto(uint8_t choice, uint8_t *bytes)
{
    static const uint8_t kinds[] = {OSSA_SOTC_TEXELS_RGBA32, OSSA_SOTC_TEXELS_8,
                                    OSSA_SOTC_TEXELS_4};
    static const uint32_t texels[] = {340, 85, 43};
    static const uint32_t palettes[] = {0, 1024, 64};
    const uint32_t data = NTO_HEADER + texels[choice] + palettes[choice];
    const uint32_t words[][2] = {{0x14, NTO_DATA + data}, /* size */
                                 {0x40, 2},               /* sections */
                                 {0x5c, 0x70},            /* where they are */
                                 {0x68, 0xb0},            /* their names */
                                 {0x6c, 0xb8},
                                 {0x98, data}, /* the second one */
                                 {0xac, NTO_DATA},
                                 {NTO_DATA + 0x04, 3}, /* version, pixels, palette */
                                 {NTO_DATA + 0x14, NTO_HEADER},
                                 {NTO_DATA + 0x18, NTO_HEADER + texels[choice]}};
    memcpy(bytes, "xff", 3);
    memcpy(bytes + NTO_DATA, "NTO2", 4);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        put(bytes + words[i][0], words[i][1]);
    put(bytes + NTO_DATA + 0x1c, kinds[choice] | 0x00334000U); /* four levels of 8 x 8 */
    return NTO_DATA + data;
}

static void repaint(uint8_t choice, const ossa_texture *picture)
{
    uint8_t bytes[MOST] = {0};
    ossa_buffer buffer = {0};
    ossa_error error;
    choice %= MMP_KINDS + NTO_KINDS;
    size_t size = choice < MMP_KINDS ? make_mmp(choice, bytes)
                                     : make_nto((uint8_t)(choice - MMP_KINDS), bytes);
    ossa_file *file = ossa_read(bytes, size, NULL, &error);
    REQUIRE(file != NULL, "the texture cannot be read");
    if (ossa_repaint(file, picture, NULL, ossa_buffer_sink(&buffer), &error)) {
        ossa_file *again = ossa_read(buffer.data, buffer.size, NULL, &error);
        REQUIRE(again != NULL, "what was painted cannot be read");
        ossa_file_free(again);
    }
    ossa_buffer_free(&buffer);
    ossa_file_free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const ossa_options options = {.max_input = 1 << 20};
    if (size < 1) return 0;
    ossa_texture *picture = ossa_read_png(data + 1, size - 1, &options, NULL);
    if (picture != NULL) repaint(data[0], picture);
    ossa_texture_free(picture);
    return 0;
}
