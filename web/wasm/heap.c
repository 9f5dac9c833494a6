/* SPDX-License-Identifier: MIT
 *
 * malloc and its relatives, a fifth of the size of the C library's. Free pieces are in two levels
 * of lists by size ("TLSF", Masmano et al.), so that malloc and free take constant time. A piece
 * stores its size and that of the one before it in memory, and free neighbours are merged. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALIGNMENT = 16,
    OVERHEAD = 8,  /* before what is given out */
    SMALLEST = 32, /* a piece: the overhead, two links, and alignment to 16 */
    LEVELS = 32,   /* powers of two */
    STEPS_LOG = 4, /* each divided into 16 */
    STEPS = 1 << STEPS_LOG,
    PAGE = 65536,
};

#define IS_FREE 1U

/* Sizes are multiples of 16 and include the overhead. */
struct piece {
    uint32_t size_before; /* of the piece before this one in memory; 0: it is the first */
    uint32_t size;        /* and IS_FREE */
    struct piece *next;   /* in the list of its size; only of one that is free */
    struct piece *before;
};

static struct piece *lists[LEVELS][STEPS];
static uint32_t levels_used; /* one bit per level that has a piece */
static uint32_t steps_used[LEVELS];
static uint8_t *heap_end; /* of the last piece, which is never free and has no contents */

/* The linker places it after everything else. */
extern uint8_t __heap_base;

static uint32_t size_of(const struct piece *piece)
{
    return piece->size & ~IS_FREE;
}

static bool is_free(const struct piece *piece)
{
    return (piece->size & IS_FREE) != 0;
}

static struct piece *after(struct piece *piece)
{
    return (struct piece *)(void *)((uint8_t *)piece + size_of(piece));
}

static struct piece *before(struct piece *piece)
{
    return (struct piece *)(void *)((uint8_t *)piece - piece->size_before);
}

/* The list for a size of at least 32. */
static void find_list(uint32_t size, unsigned *level, unsigned *step)
{
    *level = 31U - (unsigned)__builtin_clz(size);
    *step = (unsigned)(size >> (*level - STEPS_LOG)) - STEPS;
}

static void put_free(struct piece *piece)
{
    unsigned level;
    unsigned step;
    find_list(size_of(piece), &level, &step);
    piece->size |= IS_FREE;
    piece->before = NULL;
    piece->next = lists[level][step];
    if (piece->next != NULL) piece->next->before = piece;
    lists[level][step] = piece;
    levels_used |= 1U << level;
    steps_used[level] |= 1U << step;
}

static void take_free(struct piece *piece)
{
    unsigned level;
    unsigned step;
    find_list(size_of(piece), &level, &step);
    piece->size &= ~IS_FREE;
    if (piece->next != NULL) piece->next->before = piece->before;
    if (piece->before != NULL) {
        piece->before->next = piece->next;
        return;
    }
    lists[level][step] = piece->next;
    if (piece->next != NULL) return;
    steps_used[level] &= ~(1U << step);
    if (steps_used[level] == 0) levels_used &= ~(1U << level);
}

/* A free piece from a list in which every piece is large enough; NULL: none. */
static struct piece *find_free(uint32_t size)
{
    unsigned level;
    unsigned step;
    uint32_t round = (1U << (31U - (unsigned)__builtin_clz(size) - STEPS_LOG)) - 1;
    find_list(size + round, &level, &step);
    uint32_t steps = steps_used[level] & ~0U << step;
    if (steps == 0) {
        uint32_t higher = level == LEVELS - 1 ? 0 : levels_used & ~0U << (level + 1);
        if (higher == 0) return NULL;
        level = (unsigned)__builtin_ctz(higher);
        steps = steps_used[level];
    }
    return lists[level][__builtin_ctz(steps)];
}

/* Cut off the rest if it can be a piece of its own. The piece is not in a list. */
static void cut(struct piece *piece, uint32_t size)
{
    uint32_t rest = size_of(piece) - size;
    if (rest < SMALLEST) return;
    piece->size = size;
    struct piece *second = after(piece);
    *second = (struct piece){.size_before = size, .size = rest};
    after(second)->size_before = rest;
    struct piece *third = after(second);
    if (is_free(third)) {
        take_free(third);
        second->size += third->size;
        after(second)->size_before = second->size;
    }
    put_free(second);
}

/* Merge a piece that is not in a list with its free neighbours, and make it free. */
static void give_back(struct piece *piece)
{
    struct piece *next = after(piece);
    if (is_free(next)) {
        take_free(next);
        piece->size += next->size;
    }
    if (piece->size_before != 0 && is_free(before(piece))) {
        struct piece *first = before(piece);
        take_free(first);
        first->size += piece->size;
        piece = first;
    }
    after(piece)->size_before = piece->size;
    put_free(piece);
}

/* ---- growing ------------------------------------------------------------------------------- */

static struct piece *end_piece(void)
{
    return (struct piece *)(void *)(heap_end - OVERHEAD);
}

/* Start with the memory after the module's own data. */
static void start_heap(void)
{
    uintptr_t start = ((uintptr_t)&__heap_base + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1);
    start += ALIGNMENT - OVERHEAD; /* the caller's memory follows the overhead */
    struct piece *first = (struct piece *)start;
    heap_end = (uint8_t *)(__builtin_wasm_memory_size(0) * PAGE);
    uint32_t size = (uint32_t)(heap_end - (uint8_t *)first) - OVERHEAD;
    if ((uintptr_t)heap_end < start + SMALLEST + OVERHEAD) {
        /* All of it is used: the end piece will be at the start of the next page. */
        heap_end = NULL;
        return;
    }
    first->size_before = 0;
    first->size = size & ~(uint32_t)(ALIGNMENT - 1);
    end_piece()->size_before = first->size;
    end_piece()->size = OVERHEAD; /* not free: it is never merged */
    put_free(first);
}

/* The last piece, if it is free; otherwise NULL. */
static struct piece *last_free(void)
{
    struct piece *end = end_piece();
    struct piece *last = end->size_before == 0 ? end : before(end);
    return is_free(last) ? last : NULL;
}

/* Grow the memory so that the last free piece has at least this size: by an eighth, or only by what
 * is needed if that fails. */
static bool grow(uint32_t size)
{
    struct piece *last = heap_end == NULL ? NULL : last_free();
    uint32_t missing = last == NULL ? size : size - size_of(last);
    size_t there = __builtin_wasm_memory_size(0);
    size_t needed = ((size_t)missing + 2 * SMALLEST) / PAGE + 1;
    size_t wanted = needed > there / 8 ? needed : there / 8;
    size_t old = __builtin_wasm_memory_grow(0, wanted);
    if (old == SIZE_MAX && wanted > needed) {
        wanted = needed;
        old = __builtin_wasm_memory_grow(0, wanted);
    }
    if (old == SIZE_MAX) return false;
    if (heap_end == NULL) {
        start_heap();
        return heap_end != NULL;
    }
    /* The end piece becomes the new memory. */
    struct piece *piece = end_piece();
    piece->size = (uint32_t)(wanted * PAGE);
    heap_end += wanted * PAGE;
    end_piece()->size_before = piece->size;
    end_piece()->size = OVERHEAD;
    give_back(piece);
    return true;
}

/* ---- malloc -------------------------------------------------------------------------------- */

static struct piece *piece_of(void *memory)
{
    return (struct piece *)(void *)((uint8_t *)memory - OVERHEAD);
}

/* The size of a piece for this many bytes; 0: too many. */
static uint32_t piece_size(size_t size)
{
    if (size > INT32_MAX - PAGE) return 0;
    uint32_t whole = ((uint32_t)size + OVERHEAD + ALIGNMENT - 1) & ~(uint32_t)(ALIGNMENT - 1);
    return whole < SMALLEST ? SMALLEST : whole;
}

void *malloc(size_t size)
{
    uint32_t wanted = piece_size(size);
    if (wanted == 0) return NULL;
    if (heap_end == NULL) start_heap();
    struct piece *piece = heap_end == NULL ? NULL : find_free(wanted);
    if (piece == NULL) {
        /* Lists are searched from the next larger size, so the last piece may already suffice. */
        struct piece *last = heap_end == NULL ? NULL : last_free();
        if ((last == NULL || size_of(last) < wanted) && !grow(wanted)) return NULL;
        piece = last_free();
    }
    take_free(piece);
    cut(piece, wanted);
    return (uint8_t *)piece + OVERHEAD;
}

void free(void *memory)
{
    if (memory != NULL) give_back(piece_of(memory));
}

void *calloc(size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) return NULL;
    void *memory = malloc(total);
    if (memory != NULL) memset(memory, 0, total);
    return memory;
}

void *realloc(void *memory, size_t size)
{
    if (memory == NULL) return malloc(size);
    uint32_t wanted = piece_size(size);
    if (wanted == 0) return NULL;
    struct piece *piece = piece_of(memory);
    uint32_t has = size_of(piece);
    struct piece *next = after(piece);
    if (has < wanted && is_free(next) && has + size_of(next) >= wanted) {
        take_free(next);
        piece->size += next->size;
        after(piece)->size_before = piece->size;
        has = piece->size;
    }
    if (has >= wanted) {
        cut(piece, wanted);
        return memory;
    }
    void *moved = malloc(size);
    if (moved == NULL) return NULL;
    memcpy(moved, memory, has - OVERHEAD);
    free(memory);
    return moved;
}
