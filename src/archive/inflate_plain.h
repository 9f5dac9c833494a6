/* SPDX-License-Identifier: MIT
 *
 * Unpacking raw DEFLATE streams (RFC 1951) with nothing but this: for builds without zlib, such as
 * the one for browsers. Codes are followed bit by bit, so zlib is several times as fast. */
#ifndef OSSA_ARCHIVE_INFLATE_PLAIN_H
#define OSSA_ARCHIVE_INFLATE_PLAIN_H

#include <stddef.h>
#include <stdint.h>

enum ossa__inflated {
    OSSA__INFLATED,
    OSSA__INFLATE_DAMAGED, /* no such stream */
    OSSA__INFLATE_ENDS,    /* the bytes end in the middle */
    OSSA__INFLATE_LESS,    /* it gives less than was wanted */
    OSSA__INFLATE_MORE,    /* or more */
};

/* Unpack just `wanted` bytes into `out`. Bytes behind the stream's end do not matter. Nothing is
 * allocated. */
enum ossa__inflated ossa__inflate_plain(const uint8_t *bytes, size_t size, uint8_t *out,
                                        size_t wanted);

/* The checksum of ZIP and PNG, continued from the one of what stands before (0: nothing). */
uint32_t ossa__crc32(uint32_t before, const uint8_t *bytes, size_t size);

#endif
