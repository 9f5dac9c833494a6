/* SPDX-License-Identifier: MIT
 *
 * Packing into raw DEFLATE streams (RFC 1951) through zlib. A build without it packs nothing. */
#ifndef OSSA_ARCHIVE_DEFLATE_H
#define OSSA_ARCHIVE_DEFLATE_H

#include "codec/context.h"

/* The bytes as a stream in the context's arena, and its size. NULL: it would not be smaller, there
 * is no zlib, or it failed. */
const uint8_t *ossa__deflate(struct ossa__context *context, const uint8_t *bytes, uint64_t size,
                             uint64_t *packed_size);

#endif
