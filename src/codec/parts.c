/* SPDX-License-Identifier: MIT */
#include "codec/parts.h"

#include "codec/writer.h"

#include <inttypes.h>
#include <string.h>

struct ossa__parts *ossa__parts_begin(struct ossa__context *context, const ossa_source *source)
{
    struct ossa__parts *parts = ossa__take(context, 1, sizeof *parts);
    uint8_t *room = ossa__take(context, source->size, 1);
    if (room == NULL) return NULL;
    *parts = (struct ossa__parts){
        .source = *source, .room = room, .allocator = context->arena.allocator};
    context->parts = parts;
    return parts;
}

static bool read_part(const struct ossa__parts *parts, uint64_t offset, void *bytes, size_t size)
{
    return size == 0 || parts->source.read_at(parts->source.user, offset, bytes, size);
}

bool ossa__need(struct ossa__context *context, uint64_t offset, uint64_t size)
{
    struct ossa__parts *parts = context->parts;
    if (context->failed) return false;
    if (parts == NULL || parts->is_whole || offset >= parts->source.size) return true;
    if (size > parts->source.size - offset) size = parts->source.size - offset;
    if (read_part(parts, offset, parts->room + offset, (size_t)size)) return true;
    return ossa__fail(context, OSSA_CODE_IO, offset, "", "%" PRIu64 " bytes could not be read",
                      size);
}

bool ossa__parts_fill(struct ossa__parts *parts)
{
    if (parts == NULL || parts->is_whole) return true;
    parts->is_whole = read_part(parts, 0, parts->room, (size_t)parts->source.size);
    return parts->is_whole;
}

bool ossa__parts_peek(const struct ossa__parts *parts, const uint8_t *image, uint64_t offset,
                      void *bytes, size_t size)
{
    bool is_there = parts == NULL || parts->is_whole;
    if (!is_there) return read_part(parts, offset, bytes, size);
    if (size > 0) memcpy(bytes, image + offset, size);
    return true;
}

/* ---- sources ------------------------------------------------------------------------------- */

struct block {
    const uint8_t *data;
};

static bool read_block(void *user, uint64_t offset, void *bytes, size_t size)
{
    const struct block *block = user;
    memcpy(bytes, block->data + offset, size);
    return true;
}

ossa_source ossa__bytes_source(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct block *block = ossa__take(context, 1, sizeof *block);
    if (block == NULL) return (ossa_source){0};
    block->data = data;
    return (ossa_source){read_block, block, size};
}

bool ossa__source_get(const ossa_source *source, uint64_t offset, void *bytes, uint64_t size)
{
    if (offset > source->size || size > source->size - offset || size > SIZE_MAX) return false;
    return size == 0 || source->read_at(source->user, offset, bytes, (size_t)size);
}

void ossa__write_source(struct ossa__context *context, const ossa_source *source,
                        struct ossa__writer *writer)
{
    enum { STEP = 256 << 10 };
    struct ossa__mark mark = ossa__scratch_mark(context);
    uint8_t *bytes = ossa__take_scratch(context, STEP, 1);
    for (uint64_t at = 0; at < source->size && !context->failed;) {
        size_t size = source->size - at < STEP ? (size_t)(source->size - at) : STEP;
        if (!ossa__source_get(source, at, bytes, size)) {
            ossa__fail(context, OSSA_CODE_IO, at, "", "%zu bytes could not be read", size);
            break;
        }
        ossa__write_bytes(writer, bytes, size);
        at += size;
    }
    ossa__scratch_release(context, mark);
}
