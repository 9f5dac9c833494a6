/* SPDX-License-Identifier: MIT
 *
 * What the tests of the core share: memory that counts and fails, sinks that fail, chance that is
 * the same on every machine. */
#ifndef OSSA_TEST_CORE_H
#define OSSA_TEST_CORE_H

/* cmocka wants these four first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ossa/ossa.h"
#include "support/byte_order.h"
#include "support/group.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

#define NEVER SIZE_MAX

/* ---- memory -------------------------------------------------------------------------------- */

/* An allocator that checks the sizes it gets back and can run dry. */
struct memory {
    size_t calls;     /* of allocate */
    size_t fail_from; /* this call and all later ones fail, counted from 0 */
    size_t live_blocks;
    size_t live_bytes;
    size_t peak_bytes;
};

enum { BLOCK_HEADER = 32 }; /* keeps malloc's alignment */

static inline void *counted_allocate(void *user, size_t size)
{
    struct memory *memory = user;
    if (memory->calls++ >= memory->fail_from) return NULL;
    uint8_t *block = malloc(BLOCK_HEADER + size);
    assert_non_null(block);
    memcpy(block, &size, sizeof size);
    memset(block + BLOCK_HEADER, 0xa5, size); /* nobody may count on zeros */
    memory->live_blocks++;
    memory->live_bytes += size;
    if (memory->live_bytes > memory->peak_bytes) memory->peak_bytes = memory->live_bytes;
    return block + BLOCK_HEADER;
}

static inline void counted_release(void *user, void *pointer, size_t size)
{
    struct memory *memory = user;
    size_t asked;
    assert_non_null(pointer);
    memcpy(&asked, (uint8_t *)pointer - BLOCK_HEADER, sizeof asked);
    assert_int_equal(size, asked);
    memory->live_blocks--;
    memory->live_bytes -= size;
    free((uint8_t *)pointer - BLOCK_HEADER);
}

static inline ossa_allocator counted(struct memory *memory)
{
    return (ossa_allocator){counted_allocate, counted_release, memory};
}

/* ---- sinks --------------------------------------------------------------------------------- */

/* Collects, and refuses the call number `fail_at` (from 0) and all after it. */
struct sink {
    size_t calls;
    size_t fail_at;
    ossa_buffer buffer;
};

static inline bool sink_write(void *user, const void *bytes, size_t size)
{
    struct sink *sink = user;
    if (sink->calls++ >= sink->fail_at) return false;
    ossa_sink buffer = ossa_buffer_sink(&sink->buffer);
    return buffer.write(buffer.user, bytes, size);
}

static inline ossa_sink failing(struct sink *sink)
{
    return (ossa_sink){sink_write, sink};
}

/* The buffer as text; good until it is written to again. */
static inline const char *text_of(ossa_buffer *buffer)
{
    ossa_sink sink = ossa_buffer_sink(buffer);
    assert_true(sink.write(sink.user, "", 1));
    buffer->size--;
    return (const char *)buffer->data;
}

/* ---- chance -------------------------------------------------------------------------------- */

static inline uint32_t random_u32(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 32);
}

/* 0 <= result < limit */
static inline size_t random_below(uint64_t *state, size_t limit)
{
    return random_u32(state) % limit;
}

#endif
