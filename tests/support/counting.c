/* SPDX-License-Identifier: MIT */
#include "support/counting.h"

#include <jansson.h>
#include <stdlib.h>

/* Stands before every block; 16 bytes keep the block aligned as malloc's is. */
struct block {
    size_t size;
    size_t mark;
};
enum { HEADER = 16 };
static const size_t mark_of_ours = 0x0a55a;

static void *take(struct counting *counting, size_t size)
{
    counting->calls++;
    if (counting->calls == counting->fail_at) {
        counting->failed = true;
        return NULL;
    }
    struct block *block = malloc(HEADER + size);
    if (block == NULL) abort();
    block->size = size;
    block->mark = mark_of_ours;
    counting->live += size;
    if (counting->live > counting->peak) counting->peak = counting->live;
    return (char *)block + HEADER;
}

static size_t give_back(struct counting *counting, void *memory)
{
    struct block *block = (struct block *)(void *)((char *)memory - HEADER);
    size_t size = block->size;
    if (block->mark != mark_of_ours) counting->wrong_release = true;
    block->mark = 0;
    counting->live -= size;
    free(block);
    return size;
}

static void *allocate(void *user, size_t size)
{
    return take(user, size);
}

static void release(void *user, void *memory, size_t size)
{
    struct counting *counting = user;
    if (give_back(counting, memory) != size) counting->wrong_release = true;
}

ossa_allocator counting_allocator(struct counting *counting)
{
    return (ossa_allocator){.allocate = allocate, .release = release, .user = counting};
}

static struct counting *for_jansson;

/* jansson does not notice when the buffer of its scanner cannot grow: it drops characters and may
 * then read past the end. The sizes of that buffer are powers of two, so those never fail here. */
static void *jansson_allocate(size_t size)
{
    if (size >= 32 && (size & (size - 1)) == 0) {
        struct counting unlimited = {0};
        void *memory = take(&unlimited, size);
        for_jansson->live += size;
        return memory;
    }
    return take(for_jansson, size);
}

static void jansson_release(void *memory)
{
    if (memory != NULL) (void)give_back(for_jansson, memory);
}

void counting_take_jansson(struct counting *counting)
{
    for_jansson = counting;
    json_set_alloc_funcs(jansson_allocate, jansson_release);
}

void counting_leave_jansson(void)
{
    json_set_alloc_funcs(malloc, free);
    for_jansson = NULL;
}
