/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a PNG, and the picture as the pixels of a texture. The first byte says which kind of
 * texels that has. */
#include "target.h"

#include "ossa/ossa.h"

#include <string.h>

enum { HEADER = 76, SIDE = 8 };

/* A texture of 8 x 8 with all its levels, of zeros. */
static size_t make_texture(uint8_t choice, uint8_t *bytes)
{
    static const uint32_t kinds[] = {OSSA_EI_FOURCC_DXT1, OSSA_EI_FOURCC_DXT3, OSSA_EI_FOURCC_PNT3,
                                     OSSA_EI_FOURCC_4444, OSSA_EI_FOURCC_5551, OSSA_EI_FOURCC_5650,
                                     OSSA_EI_FOURCC_8888};
    static const uint32_t sizes[] = {56, 112, 4, 170, 170, 170, 340};
    const unsigned kind = choice % 7;
    const uint32_t words[] = {SIDE, SIDE, 4, kinds[kind], 0};
    memset(bytes, 0, HEADER + 340);
    memcpy(bytes, "MMP", 3);
    for (unsigned i = 0; i < 5; i++) {
        for (unsigned b = 0; b < 4; b++) bytes[4 + 4 * i + b] = (uint8_t)(words[i] >> 8 * b);
    }
    return HEADER + sizes[kind];
}

static void repaint(uint8_t choice, const ossa_texture *picture)
{
    uint8_t bytes[HEADER + 340];
    ossa_buffer buffer = {0};
    ossa_error error;
    ossa_file *file = ossa_read(bytes, make_texture(choice, bytes), NULL, &error);
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
