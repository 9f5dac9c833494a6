/* SPDX-License-Identifier: MIT
 *
 * Changes a PNG and puts its checksums right, so that a reader does not stop at them. */
#include "target.h"

#include "archive/inflate_plain.h"

#include <string.h>

#ifdef OSSA_WITH_ZLIB
#include <zlib.h>
#endif

enum { SIGNATURE = 9, MOST_PIXELS = 1 << 16 }; /* behind a byte of the target's own */

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static uint32_t load(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void store(uint8_t *at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) at[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* The checksum behind the pixels, if they are in one chunk. */
static void mend_pixels(uint8_t *bytes, size_t size)
{
#ifdef OSSA_WITH_ZLIB
    static uint8_t pixels[MOST_PIXELS];
    z_stream stream = {0};
    if (size < 6 || inflateInit2(&stream, -MAX_WBITS) != Z_OK) return;
    stream.next_in = bytes + 2;
    stream.avail_in = (uInt)(size - 6);
    stream.next_out = pixels;
    stream.avail_out = MOST_PIXELS;
    if (inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0) {
        store(bytes + size - 4, (uint32_t)adler32(1, pixels, (uInt)stream.total_out));
    }
    (void)inflateEnd(&stream);
#else
    (void)bytes;
    (void)size;
#endif
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    size = LLVMFuzzerMutate(data, size, max_size);
    if (seed % 8 == 0) return size;
    for (size_t at = SIGNATURE; at + 12 <= size;) {
        size_t length = load(data + at);
        if (length > size - at - 12) break;
        if (memcmp(data + at + 4, "IDAT", 4) == 0) mend_pixels(data + at + 8, length);
        store(data + at + 8 + length, ossa__crc32(0, data + at + 4, length + 4));
        at += length + 12;
    }
    return size;
}
