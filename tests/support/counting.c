/* SPDX-License-Identifier: MIT */
#include "support/counting.h"

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
