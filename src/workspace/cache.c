/* SPDX-License-Identifier: MIT
 *
 * Archives that stay open for the next path, and files that were searched. What was used last stays
 * longest, within limits; what somebody uses stays as long as it is used. */
#include "workspace/workspace.h"

#include "base/fold.h"

#include <string.h>

enum {
    MOST_NODES = 1024,
    MOST_FILES = 96,       /* that stay open for them; fewer than all that may be open */
    MOST_BYTES = 64 << 20, /* that they hold in memory */
    ENTRY_BYTES = 256,     /* of the listing, for each entry */
};

/* ---- what a node is found by --------------------------------------------------------------- */

struct key {
    const struct ossa__node *parent;
    size_t entry;     /* of the parent */
    const char *path; /* without a parent */
    bool is_search;
};

static struct key key_of(const struct ossa__node *node)
{
    return (struct key){node->parent, node->entry, node->path, node->is_search};
}

static bool is_same(const struct key *a, const struct key *b)
{
    if (a->parent != b->parent || a->is_search != b->is_search) return false;
    return a->parent != NULL ? a->entry == b->entry : strcmp(a->path, b->path) == 0;
}

static size_t chain_of(const struct key *key)
{
    uint64_t hash = key->parent == NULL ? ossa__hash_bytes(key->path, strlen(key->path))
                                        : (uint64_t)(uintptr_t)key->parent + key->entry;
    hash *= UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(hash >> 32) % OSSA__CACHE_CHAINS;
}

/* ---- the lists ----------------------------------------------------------------------------- */

static void lock(struct ossa__cache *cache)
{
    while (atomic_flag_test_and_set_explicit(&cache->lock, memory_order_acquire)) {
        /* It is held for a few instructions only. */
    }
}

static void unlock(struct ossa__cache *cache)
{
    atomic_flag_clear_explicit(&cache->lock, memory_order_release);
}

static struct ossa__node *look_up(const struct ossa__cache *cache, size_t chain,
                                  const struct key *key)
{
    struct ossa__node *node = cache->chains[chain];
    for (; node != NULL; node = node->kept.next) {
        struct key other = key_of(node);
        if (is_same(&other, key)) break;
    }
    return node;
}

/* In the order of use. */
static void link_newest(struct ossa__cache *cache, struct ossa__node *node)
{
    node->kept.newer = NULL;
    node->kept.older = cache->newest;
    if (cache->newest != NULL) cache->newest->kept.newer = node;
    else cache->oldest = node;
    cache->newest = node;
}

static void unlink_use(struct ossa__cache *cache, struct ossa__node *node)
{
    struct ossa__node *newer = node->kept.newer;
    struct ossa__node *older = node->kept.older;
    if (newer != NULL) newer->kept.older = older;
    else cache->newest = older;
    if (older != NULL) older->kept.newer = newer;
    else cache->oldest = newer;
}

/* What it costs to keep a node: bytes, and a file that may be open. */
static void weigh(struct ossa__node *node)
{
    uint64_t size = node->file == NULL ? 0 : node->file->size;
    bool is_large = size > OSSA__READ_WHOLE;
    node->kept.bytes = (uint64_t)node->count * ENTRY_BYTES;
    if (node->bytes.owned != NULL) node->kept.bytes += node->bytes.size;
    if (node->parent == NULL && !is_large) node->kept.bytes += size;
    node->kept.has_file = node->source.handle != NULL || (node->parent == NULL && is_large);
}

static void insert(struct ossa__cache *cache, size_t chain, struct ossa__node *node)
{
    node->kept.chain = chain;
    node->kept.next = cache->chains[chain];
    cache->chains[chain] = node;
    link_newest(cache, node);
    cache->count++;
    cache->bytes += node->kept.bytes;
    cache->files += node->kept.has_file;
}

static struct ossa__node *take_oldest(struct ossa__cache *cache)
{
    struct ossa__node *node = cache->oldest;
    struct ossa__node **link = &cache->chains[node->kept.chain];
    while (*link != node) link = &(*link)->kept.next;
    *link = node->kept.next;
    unlink_use(cache, node);
    cache->count--;
    cache->bytes -= node->kept.bytes;
    cache->files -= node->kept.has_file;
    return node;
}

static bool is_full(const struct ossa__cache *cache)
{
    return cache->count > MOST_NODES || cache->bytes > MOST_BYTES || cache->files > MOST_FILES;
}

/* ---- for others ---------------------------------------------------------------------------- */

static struct ossa__node *find(ossa_workspace *workspace, const struct key *key)
{
    struct ossa__cache *cache = &workspace->cache;
    size_t chain = chain_of(key);
    lock(cache);
    struct ossa__node *node = look_up(cache, chain, key);
    if (node != NULL) {
        (void)ossa__node_keep(node);
        unlink_use(cache, node);
        link_newest(cache, node);
    }
    unlock(cache);
    return node;
}

struct ossa__node *ossa__cache_file(ossa_workspace *workspace, const char *path)
{
    return find(workspace, &(struct key){.path = path});
}

struct ossa__node *ossa__cache_entry(ossa_workspace *workspace, const struct ossa__node *parent,
                                     size_t entry)
{
    return find(workspace, &(struct key){.parent = parent, .entry = entry, .path = ""});
}

struct ossa__node *ossa__cache_search(ossa_workspace *workspace, const struct ossa__readable *item)
{
    const struct key key = {
        .parent = item->archive, .entry = item->entry, .path = item->path, .is_search = true};
    return find(workspace, &key);
}

struct ossa__node *ossa__cache_offer(ossa_workspace *workspace, struct ossa__node *node)
{
    struct ossa__cache *cache = &workspace->cache;
    struct ossa__node *dropped = NULL; /* by their chains */
    const struct key key = key_of(node);
    size_t chain = chain_of(&key);
    weigh(node);
    lock(cache);
    struct ossa__node *same = look_up(cache, chain, &key);
    if (same != NULL) {
        node->kept.next = NULL;
        dropped = node;
        node = ossa__node_keep(same);
    } else {
        insert(cache, chain, ossa__node_keep(node));
        while (is_full(cache) && cache->count > 1) {
            struct ossa__node *oldest = take_oldest(cache);
            oldest->kept.next = dropped;
            dropped = oldest;
        }
    }
    unlock(cache);
    while (dropped != NULL) {
        struct ossa__node *next = dropped->kept.next;
        ossa__node_release(dropped);
        dropped = next;
    }
    return node;
}

struct ossa__node *ossa__cache_searched(ossa_workspace *workspace)
{
    struct ossa__cache *cache = &workspace->cache;
    lock(cache);
    struct ossa__node *node = cache->newest;
    while (node != NULL && (node->count == 0 || !ossa__node_is_searched(node))) {
        node = node->kept.older;
    }
    if (node != NULL) (void)ossa__node_keep(node);
    unlock(cache);
    return node;
}

void ossa__cache_clear(ossa_workspace *workspace)
{
    while (workspace->cache.count > 0) ossa__node_release(take_oldest(&workspace->cache));
}
