/* SPDX-License-Identifier: MIT
 *
 * Unpacking raw DEFLATE streams (RFC 1951): through zlib, or in a build without it by
 * inflate_plain.c. */
#ifndef OSSA_ARCHIVE_INFLATE_H
#define OSSA_ARCHIVE_INFLATE_H

#include "codec/context.h"

/* A packed stream, and what must come out of it. */
struct ossa__deflated {
    const char *name; /* of what is packed, for refusals */
    const uint8_t *bytes;
    uint64_t size;
    uint64_t unpacked_size;
    const uint32_t *crc; /* of what is unpacked; NULL: nobody knows */
};

/* Unpack it into `out`, which has room for `unpacked_size` bytes and not less than one. Bytes
 * behind the stream's end do not matter. False after a failure: damaged, or of another size. */
bool ossa__inflate(struct ossa__context *context, const struct ossa__deflated *packed,
                   uint8_t *out);

#endif
