/* SPDX-License-Identifier: MIT
 *
 * Names by their bytes: which one was there first. A hash table whose slots are crit-bit trees:
 * names that a hostile file made to share a slot cost a step per bit of a name, not one per name.
 */
#ifndef OSSA_BASE_INDEX_H
#define OSSA_BASE_INDEX_H

#include <stdint.h>

enum { OSSA__NOT_FOUND = -1 };

struct ossa__index_key;
struct ossa__index_fork;

struct ossa__index {
    uint8_t fold[256]; /* what each byte stands for */
    uint32_t *slots;
    uint32_t slot_mask;
    struct ossa__index_key *keys;
    uint32_t key_count;
    struct ossa__index_fork *forks;
    uint32_t fork_count;
    uint64_t passed; /* forks on the way to names, for tests */
};

/* Bytes of memory for so many names; 0: they are too many. */
uint64_t ossa__index_size(uint64_t capacity);
/* `memory` has that many bytes, aligned for any type, and lives as long as the index. `fold` has
 * what each of the 256 bytes stands for; NULL: each for itself. */
void ossa__index_start(struct ossa__index *index, void *memory, uint64_t capacity,
                       const uint8_t *fold);

/* The number that the name was first added with, and `number` if that is now. The name must live as
 * long as the index. */
uint32_t ossa__index_add(struct ossa__index *index, const char *name, uint32_t size,
                         uint32_t number);
/* The number that the name was first added with, or OSSA__NOT_FOUND. */
int64_t ossa__index_find(struct ossa__index *index, const char *name, uint32_t size);

#endif
