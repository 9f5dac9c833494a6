/* SPDX-License-Identifier: MIT */
#include "support/png_fixture.h"
#include "support/ar_fixture.h"

static void put_be32(struct bytes *bytes, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) put_u8(bytes, value >> (24 - 8 * i) & 0xff);
}

void put_chunk(struct bytes *png, const char *type, const void *data, size_t size)
{
    put_be32(png, (uint32_t)size);
    size_t at = png->size;
    put_bytes(png, type, 4);
    if (size > 0) put_bytes(png, data, size);
    put_be32(png, crc_of(png->data + at, size + 4));
}

struct bytes begin_png(const struct png_kind *kind)
{
    struct bytes png = {0};
    struct bytes header = {0};
    put_bytes(&png, "\x89PNG\r\n\x1a\n", 8);
    put_be32(&header, kind->width);
    put_be32(&header, kind->height);
    put_u8(&header, kind->depth);
    put_u8(&header, kind->colour_type);
    put_u8(&header, 0);
    put_u8(&header, 0);
    put_u8(&header, kind->interlace);
    put_chunk(&png, "IHDR", header.data, header.size);
    bytes_free(&header);
    return png;
}

/* A zlib stream of blocks that are stored. */
static struct bytes store(const uint8_t *raw, size_t size)
{
    enum { MOST = 65535 };
    struct bytes stream = {0};
    uint32_t a = 1;
    uint32_t b = 0;
    put_u8(&stream, 0x78);
    put_u8(&stream, 0x01);
    for (size_t at = 0; at < size || at == 0; at += MOST) {
        size_t count = size - at < MOST ? size - at : MOST;
        put_u8(&stream, at + count == size ? 1 : 0);
        put_u16(&stream, (uint32_t)count);
        put_u16(&stream, ~(uint32_t)count & 0xffff);
        if (count > 0) put_bytes(&stream, raw + at, count);
    }
    for (size_t i = 0; i < size; i++) {
        a = (a + raw[i]) % 65521;
        b = (b + a) % 65521;
    }
    put_be32(&stream, b << 16 | a);
    return stream;
}

void end_png(struct bytes *png, const uint8_t *raw, size_t size)
{
    struct bytes stream = store(raw, size);
    put_chunk(png, "IDAT", stream.data, stream.size);
    put_chunk(png, "IEND", NULL, 0);
    bytes_free(&stream);
}

struct bytes make_rgba_png(uint32_t width, uint32_t height, const uint8_t (*pixels)[4],
                           bool interlaced)
{
    static const uint32_t passes[7][4] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                                          {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
    static const uint32_t whole[4] = {0, 0, 1, 1};
    const struct png_kind kind = {width, height, 8, PNG_RGBA, interlaced ? 1 : 0};
    struct bytes png = begin_png(&kind);
    struct bytes raw = {0};
    for (unsigned p = 0; p < (interlaced ? 7U : 1U); p++) {
        const uint32_t *pass = interlaced ? passes[p] : whole;
        for (uint32_t y = pass[1]; y < height && pass[0] < width; y += pass[3]) {
            put_u8(&raw, 0);
            for (uint32_t x = pass[0]; x < width; x += pass[2]) {
                put_bytes(&raw, pixels[(size_t)y * width + x], 4);
            }
        }
    }
    end_png(&png, raw.data, raw.size);
    bytes_free(&raw);
    return png;
}
