/* SPDX-License-Identifier: MIT
 *
 * Files that are not in memory, of which a reader takes the parts that it looks at.
 *
 * There is room for the whole file, so that every offset has its place and nothing in a format has
 * to know; but only what was asked for is filled. Room that nobody wrote to costs addresses, not
 * memory, on the systems that matter. */
#ifndef OSSA_CODEC_PARTS_H
#define OSSA_CODEC_PARTS_H

#include "codec/context.h"
#include "ossa/archive.h"

struct ossa__parts {
    ossa_source source;
    uint8_t *room;
    bool is_whole; /* all of it is there */
    ossa_allocator allocator;
};

/* Room for a file; NULL after a failure. */
struct ossa__parts *ossa__parts_begin(struct ossa__context *context, const ossa_source *source);

/* Before a reader looks at these bytes; it does so for all that it looks at if its format is read
 * in parts (see format.h). What lies behind the end of the file is not asked for. False after a
 * failure; true at once where all is in memory. */
bool ossa__need(struct ossa__context *context, uint64_t offset, uint64_t size);

/* All that is missing. Failures are for the caller to tell. */
bool ossa__parts_fill(struct ossa__parts *parts);

/* A few bytes that are looked at once, from `image` or from where it is read (parts may be NULL),
 * into `bytes`. False where they cannot be read. */
bool ossa__parts_peek(const struct ossa__parts *parts, const uint8_t *image, uint64_t offset,
                      void *bytes, size_t size);

/* ---- sources ------------------------------------------------------------------------------- */

/* Bytes in memory as a source, in the arena; without `read_at` after a failure. */
ossa_source ossa__bytes_source(struct ossa__context *context, const uint8_t *data, uint64_t size);
/* Bytes from anywhere. False: they are not all inside, or cannot be read. */
bool ossa__source_get(const ossa_source *source, uint64_t offset, void *bytes, uint64_t size);
/* Write all of it; the writer has a failure if it cannot be read. */
struct ossa__writer;
void ossa__write_source(struct ossa__context *context, const ossa_source *source,
                        struct ossa__writer *writer);

#endif
