/* SPDX-License-Identifier: MIT
 *
 * The rows of the picture, each behind a byte that says "not filtered", are a zlib stream of stored
 * blocks, and each of those is a chunk of its own:
 *
 *     signature
 *     IHDR  width, height, 8 bits a channel, colour type
 *     IDAT  the zlib stream's two bytes
 *     IDAT  a block: last?, its size, its size inverted, up to 65535 bytes       as many as it
 * takes IDAT  the zlib stream's checksum IEND
 */
#include "export/png_plain.h"

#include "archive/inflate_plain.h"

#include <string.h>

enum { MOST_IN_BLOCK = 65535, BLOCK_HEAD = 5 };

struct writer {
    ossa_sink sink;
    bool ok;
    uint64_t left;  /* bytes of rows that are not in a block yet */
    uint32_t sum_a; /* of the zlib stream's checksum */
    uint32_t sum_b;
    size_t size; /* of what is in `block`, its head too */
    uint8_t block[BLOCK_HEAD + MOST_IN_BLOCK];
};

static void put_u32(uint8_t *place, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) place[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void write_chunk(struct writer *w, const char *type, const uint8_t *bytes, size_t size)
{
    uint8_t head[8];
    uint8_t tail[4];
    put_u32(head, (uint32_t)size);
    memcpy(head + 4, type, 4);
    put_u32(tail, ossa__crc32(ossa__crc32(0, head + 4, 4), bytes, size));
    w->ok = w->ok && w->sink.write(w->sink.user, head, sizeof head) &&
            (size == 0 || w->sink.write(w->sink.user, bytes, size)) &&
            w->sink.write(w->sink.user, tail, sizeof tail);
}

static void end_block(struct writer *w)
{
    size_t size = w->size - BLOCK_HEAD;
    w->left -= size;
    w->block[0] = w->left == 0 ? 1 : 0;
    w->block[1] = (uint8_t)size;
    w->block[2] = (uint8_t)(size >> 8);
    w->block[3] = (uint8_t)~size;
    w->block[4] = (uint8_t)(~size >> 8);
    write_chunk(w, "IDAT", w->block, w->size);
    w->size = BLOCK_HEAD;
}

static void put_byte(struct writer *w, uint8_t byte)
{
    w->sum_a = (w->sum_a + byte) % 65521;
    w->sum_b = (w->sum_b + w->sum_a) % 65521;
    w->block[w->size++] = byte;
    if (w->size == sizeof w->block || w->size - BLOCK_HEAD == w->left) end_block(w);
}

bool ossa__write_plain_png(const ossa_texture *texture, bool opaque, ossa_sink sink)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static const uint8_t zlib_head[2] = {0x78, 0x01};
    const unsigned channels = opaque ? 3 : 4;
    struct writer w = {.sink = sink, .sum_a = 1, .size = BLOCK_HEAD};
    w.left = texture->height * (1 + (uint64_t)channels * texture->width);
    w.ok = sink.write(sink.user, signature, sizeof signature);
    uint8_t header[13] = {[8] = 8, [9] = opaque ? 2 : 6};
    put_u32(header, texture->width);
    put_u32(header + 4, texture->height);
    write_chunk(&w, "IHDR", header, sizeof header);
    write_chunk(&w, "IDAT", zlib_head, sizeof zlib_head);
    const uint8_t(*pixel)[4] = texture->pixels;
    for (uint32_t y = 0; y < texture->height && w.ok; y++) {
        put_byte(&w, 0);
        for (uint32_t x = 0; x < texture->width; x++, pixel++) {
            for (unsigned i = 0; i < channels; i++) put_byte(&w, (*pixel)[i]);
        }
    }
    uint8_t sum[4];
    put_u32(sum, w.sum_b << 16 | w.sum_a);
    write_chunk(&w, "IDAT", sum, sizeof sum);
    write_chunk(&w, "IEND", NULL, 0);
    return w.ok;
}
