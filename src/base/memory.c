/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    ALIGNMENT = 16,
    FIRST_CHUNK = 1024,
    LARGEST_CHUNK = 256 * 1024, /* what does not fit gets a chunk of its own */
};

struct ossa__chunk {
    struct ossa__chunk *next;
    size_t size; /* of the payload */
};

enum { CHUNK_HEADER = (sizeof(struct ossa__chunk) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT };

static void *default_allocate(void *user, size_t size)
{
    (void)user;
    return malloc(size);
}

static void default_release(void *user, void *memory, size_t size)
{
    (void)user;
    (void)size;
    free(memory);
}

bool ossa__is_allocator(ossa_allocator allocator)
{
    return (allocator.allocate == NULL) == (allocator.release == NULL);
}

ossa_allocator ossa__allocator_or_default(ossa_allocator allocator)
{
    if (allocator.allocate == NULL || allocator.release == NULL) {
        allocator.allocate = default_allocate;
        allocator.release = default_release;
        allocator.user = NULL;
    }
    return allocator;
}

void ossa__arena_init(struct ossa__arena *arena, ossa_allocator allocator, uint64_t limit)
{
    memset(arena, 0, sizeof *arena);
    arena->allocator = ossa__allocator_or_default(allocator);
    arena->limit = limit;
}

void ossa__arena_free(struct ossa__arena *arena)
{
    /* The arena may live in one of its own chunks: work on a copy. */
    struct ossa__arena copy = *arena;
    while (copy.chunks != NULL) {
        struct ossa__chunk *chunk = copy.chunks;
        copy.chunks = chunk->next;
        copy.allocator.release(copy.allocator.user, chunk, CHUNK_HEADER + chunk->size);
    }
}

struct ossa__mark ossa__arena_mark(const struct ossa__arena *arena)
{
    struct ossa__chunk *behind = arena->chunks == NULL ? NULL : arena->chunks->next;
    return (struct ossa__mark){arena->chunks, behind, arena->used};
}

static void release_until(struct ossa__arena *arena, struct ossa__chunk **list,
                          const struct ossa__chunk *end)
{
    while (*list != end) {
        struct ossa__chunk *chunk = *list;
        *list = chunk->next;
        arena->total -= CHUNK_HEADER + chunk->size;
        arena->allocator.release(arena->allocator.user, chunk, CHUNK_HEADER + chunk->size);
    }
}

void ossa__arena_release(struct ossa__arena *arena, struct ossa__mark mark)
{
    release_until(arena, &arena->chunks, mark.chunk);
    if (mark.chunk != NULL) release_until(arena, &mark.chunk->next, mark.behind);
    arena->used = mark.used;
}

static struct ossa__chunk *make_chunk(struct ossa__arena *arena, uint64_t payload)
{
    /* First the limit: it is the same on every machine. */
    uint64_t left = arena->limit - arena->total;
    if (left < CHUNK_HEADER || payload > left - CHUNK_HEADER) {
        arena->limited = true;
        return NULL;
    }
    if (payload > SIZE_MAX - CHUNK_HEADER) return NULL;
    struct ossa__chunk *chunk =
        arena->allocator.allocate(arena->allocator.user, (size_t)(CHUNK_HEADER + payload));
    if (chunk == NULL) return NULL;
    chunk->size = (size_t)payload;
    arena->total += CHUNK_HEADER + payload;
    return chunk;
}

/* From a new chunk. What is larger than the next chunk gets one of its own, behind the one being
 * filled, which goes on being filled. */
static void *take_more(struct ossa__arena *arena, uint64_t size)
{
    size_t next = arena->next_size == 0 ? FIRST_CHUNK : arena->next_size;
    bool is_own = size > next && arena->chunks != NULL;
    /* Near the limit a chunk is as large as what is left. */
    uint64_t left = arena->limit - arena->total;
    uint64_t room = left < CHUNK_HEADER ? 0 : left - CHUNK_HEADER;
    if (next > room) next = (size_t)room;
    struct ossa__chunk *chunk = make_chunk(arena, size > next ? size : next);
    if (chunk == NULL) return NULL;
    struct ossa__chunk **list = is_own ? &arena->chunks->next : &arena->chunks;
    chunk->next = *list;
    *list = chunk;
    if (!is_own) arena->used = (size_t)size;
    arena->next_size = next < LARGEST_CHUNK ? 2 * next : next;
    return (uint8_t *)chunk + CHUNK_HEADER;
}

void *ossa__arena_take(struct ossa__arena *arena, uint64_t size)
{
    arena->limited = size > UINT64_MAX - ALIGNMENT;
    if (arena->limited) return NULL;
    uint64_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (rounded == 0) rounded = ALIGNMENT;
    if (arena->chunks == NULL || rounded > arena->chunks->size - arena->used) {
        return take_more(arena, rounded);
    }
    uint8_t *memory = (uint8_t *)arena->chunks + CHUNK_HEADER + arena->used;
    arena->used += (size_t)rounded;
    return memory;
}

/* ---- ossa_buffer --------------------------------------------------------------------------- */

static bool buffer_write(void *user, const void *bytes, size_t size)
{
    ossa_buffer *buffer = user;
    ossa_allocator allocator = ossa__allocator_or_default(buffer->allocator);
    if (!ossa__is_allocator(buffer->allocator)) return false;
    if (size > buffer->capacity - buffer->size) {
        size_t capacity = buffer->capacity < 256 ? 256 : buffer->capacity;
        while (capacity - buffer->size < size) {
            if (capacity > SIZE_MAX / 2) return false;
            capacity *= 2;
        }
        uint8_t *data = allocator.allocate(allocator.user, capacity);
        if (data == NULL) return false;
        if (buffer->size > 0) memcpy(data, buffer->data, buffer->size);
        if (buffer->data != NULL) {
            allocator.release(allocator.user, buffer->data, buffer->capacity);
        }
        buffer->data = data;
        buffer->capacity = capacity;
    }
    if (size > 0) memcpy(buffer->data + buffer->size, bytes, size);
    buffer->size += size;
    return true;
}

ossa_sink ossa_buffer_sink(ossa_buffer *buffer)
{
    return (ossa_sink){.write = buffer_write, .user = buffer};
}

void ossa_buffer_free(ossa_buffer *buffer)
{
    if (buffer == NULL) return;
    ossa_allocator allocator = ossa__allocator_or_default(buffer->allocator);
    if (buffer->data != NULL) allocator.release(allocator.user, buffer->data, buffer->capacity);
    buffer->data = NULL;
    buffer->size = 0;
    buffer->capacity = 0;
}
