/* SPDX-License-Identifier: MIT
 *
 * Memory: one arena a result, freed at once, with a limit that a hostile file cannot pass. */
#ifndef OSSA_BASE_MEMORY_H
#define OSSA_BASE_MEMORY_H

#include "ossa/file.h"

/* a * b; UINT64_MAX and false if it does not fit. Small factors, the usual case, are not divided.
 */
static inline bool ossa__multiply(uint64_t a, uint64_t b, uint64_t *product)
{
    bool is_exact = (a | b) <= UINT32_MAX || a == 0 || b <= UINT64_MAX / a;
    *product = is_exact ? a * b : UINT64_MAX;
    return is_exact;
}

/* The same for sizes that are only compared with a limit: what does not fit is UINT64_MAX. */
static inline uint64_t ossa__size_times(uint64_t a, uint64_t b)
{
    uint64_t product;
    (void)ossa__multiply(a, b, &product);
    return product;
}

static inline uint64_t ossa__size_plus(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Has it both functions, or none? One of them alone is an error of the caller. */
bool ossa__is_allocator(ossa_allocator allocator);
#define OSSA__HALF_ALLOCATOR "the allocator has only one of allocate and release"
/* The caller's allocator, or malloc and free where it is all NULL. */
ossa_allocator ossa__allocator_or_default(ossa_allocator allocator);

struct ossa__chunk;

struct ossa__arena {
    ossa_allocator allocator;
    struct ossa__chunk
        *chunks;      /* the one being filled, large ones made meanwhile, the one before */
    size_t used;      /* in the one being filled */
    size_t next_size; /* of the chunk after it; 0: there is none yet */
    uint64_t total;   /* asked of the allocator so far */
    uint64_t limit;
    bool limited; /* the last failure was the limit's, not the allocator's */
};

void ossa__arena_init(struct ossa__arena *arena, ossa_allocator allocator, uint64_t limit);
void ossa__arena_free(struct ossa__arena *arena);

/* What is taken from now on can be given back at once. */
struct ossa__mark {
    struct ossa__chunk *chunk;
    struct ossa__chunk *behind; /* it */
    size_t used;
};
struct ossa__mark ossa__arena_mark(const struct ossa__arena *arena);
void ossa__arena_release(struct ossa__arena *arena, struct ossa__mark mark);

/* `size` bytes, not zeroed, aligned for any type; NULL when there is none to be had. */
void *ossa__arena_take(struct ossa__arena *arena, uint64_t size);

#endif
