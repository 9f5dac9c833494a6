/* SPDX-License-Identifier: MIT */
#include "base/index.h"

#include <stdbool.h>
#include <string.h>

struct ossa__index_key {
    const uint8_t *bytes;
    uint32_t size;
    uint32_t number;
};

/* A place where names part. All names below it are the same before it, and a fork below another is
 * behind it. */
struct ossa__index_fork {
    uint32_t at;       /* the byte */
    uint32_t bit;      /* of its symbol */
    uint32_t key;      /* of one name below */
    uint32_t below[2]; /* by that bit */
};

/* What a slot and a fork lead to: nothing, a fork or a key. */
enum { NOTHING = 0 };

static bool is_key(uint32_t link)
{
    return (link & 1) != 0;
}

static uint32_t key_link(uint32_t key)
{
    return key << 1 | 1;
}

static uint32_t fork_link(uint32_t fork)
{
    return (fork + 1) << 1;
}

static struct ossa__index_fork *fork_of(const struct ossa__index *index, uint32_t link)
{
    return &index->forks[(link >> 1) - 1];
}

static uint64_t slots_for(uint64_t capacity)
{
    uint64_t slots = 4;
    while (slots < 2 * capacity) slots *= 2;
    return slots;
}

uint64_t ossa__index_size(uint64_t capacity)
{
    enum { MOST = 1 << 30 }; /* a link has a bit less than its 32 */
    if (capacity >= MOST) return 0;
    return capacity * (sizeof(struct ossa__index_key) + sizeof(struct ossa__index_fork)) +
           slots_for(capacity) * sizeof(uint32_t);
}

void ossa__index_start(struct ossa__index *index, void *memory, uint64_t capacity,
                       const uint8_t *fold)
{
    uint64_t slots = slots_for(capacity);
    *index = (struct ossa__index){.slot_mask = (uint32_t)(slots - 1)};
    for (unsigned i = 0; i < 256; i++) index->fold[i] = fold == NULL ? (uint8_t)i : fold[i];
    index->keys = memory;
    index->forks = (struct ossa__index_fork *)(index->keys + capacity);
    index->slots = (uint32_t *)(index->forks + capacity);
    memset(index->slots, 0, (size_t)slots * sizeof *index->slots);
}

/* What stands at a place of a name: 0 is its end, which differs from every byte. */
static uint32_t symbol_at(const struct ossa__index *index, const uint8_t *name, uint32_t size,
                          uint32_t at)
{
    return at < size ? index->fold[name[at]] + 1U : 0;
}

static uint64_t mix(uint64_t hash, uint32_t word)
{
    return (hash ^ hash >> 32 ^ word) * UINT64_C(0x9e3779b97f4a7c15);
}

/* By multiplication, four bytes at a time: the upper half depends on all of them. */
static uint32_t *slot_of(const struct ossa__index *index, const uint8_t *name, uint32_t size)
{
    const uint8_t *fold = index->fold;
    uint64_t hash = size;
    for (; size >= 4; name += 4, size -= 4) {
        hash = mix(hash, fold[name[0]] | (uint32_t)fold[name[1]] << 8 |
                             (uint32_t)fold[name[2]] << 16 | (uint32_t)fold[name[3]] << 24);
    }
    for (uint32_t i = 0; i < size; i++) hash = mix(hash, fold[name[i]]);
    return &index->slots[hash >> 32 & index->slot_mask];
}

/* The only name that can be the same. A fork behind the end of the name has none of its length. */
static const struct ossa__index_key *nearest(struct ossa__index *index, uint32_t link,
                                             const uint8_t *name, uint32_t size)
{
    for (; !is_key(link); index->passed++) {
        const struct ossa__index_fork *fork = fork_of(index, link);
        if (fork->at > size) return &index->keys[fork->key];
        link = fork->below[symbol_at(index, name, size, fork->at) >> fork->bit & 1];
    }
    return &index->keys[link >> 1];
}

/* Where two names part; false if they do not. */
static bool part(const struct ossa__index *index, const struct ossa__index_key *key,
                 const uint8_t *name, uint32_t size, struct ossa__index_fork *fork)
{
    if (key->size == size && memcmp(key->bytes, name, size) == 0) return false;
    for (uint32_t at = 0; at < key->size || at < size; at++) {
        uint32_t differing =
            symbol_at(index, key->bytes, key->size, at) ^ symbol_at(index, name, size, at);
        if (differing == 0) continue;
        fork->at = at;
        fork->bit = 0;
        while (differing >> fork->bit > 1) fork->bit++;
        return true;
    }
    return false;
}

static bool is_before(const struct ossa__index_fork *a, const struct ossa__index_fork *b)
{
    return a->at < b->at || (a->at == b->at && a->bit > b->bit);
}

uint32_t ossa__index_add(struct ossa__index *index, const char *name, uint32_t size,
                         uint32_t number)
{
    const uint8_t *bytes = (const uint8_t *)name;
    uint32_t *link = slot_of(index, bytes, size);
    struct ossa__index_fork fork;
    if (*link != NOTHING) {
        const struct ossa__index_key *key = nearest(index, *link, bytes, size);
        if (!part(index, key, bytes, size, &fork)) return key->number;
    }
    uint32_t added = index->key_count++;
    index->keys[added] = (struct ossa__index_key){bytes, size, number};
    if (*link == NOTHING) {
        *link = key_link(added);
        return number;
    }
    while (!is_key(*link) && is_before(fork_of(index, *link), &fork)) {
        struct ossa__index_fork *passed = fork_of(index, *link);
        link = &passed->below[symbol_at(index, bytes, size, passed->at) >> passed->bit & 1];
    }
    uint32_t side = symbol_at(index, bytes, size, fork.at) >> fork.bit & 1;
    fork.key = added;
    fork.below[side] = key_link(added);
    fork.below[1 - side] = *link;
    *link = fork_link(index->fork_count);
    index->forks[index->fork_count++] = fork;
    return number;
}

int64_t ossa__index_find(struct ossa__index *index, const char *name, uint32_t size)
{
    const uint8_t *bytes = (const uint8_t *)name;
    uint32_t link = *slot_of(index, bytes, size);
    struct ossa__index_fork fork;
    if (link == NOTHING) return OSSA__NOT_FOUND;
    const struct ossa__index_key *key = nearest(index, link, bytes, size);
    return part(index, key, bytes, size, &fork) ? OSSA__NOT_FOUND : (int64_t)key->number;
}
