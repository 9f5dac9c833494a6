/* SPDX-License-Identifier: MIT */
#include "codec/parts.h"

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
