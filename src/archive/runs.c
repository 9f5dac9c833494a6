/* SPDX-License-Identifier: MIT */
#include "archive/runs.h"

#include "codec/sort.h"

#include <string.h>

bool ossa__runs_init(struct ossa__runs *runs, struct ossa__context *context, uint64_t size,
                     uint64_t most)
{
    *runs = (struct ossa__runs){.context = context, .size = size, .is_sorted = true};
    runs->items = ossa__take_scratch(context, most, sizeof *runs->items);
    if (runs->items == NULL) return false;
    runs->capacity = (size_t)most;
    return true;
}

/* Twice the room; false after a failure. */
static bool grow(struct ossa__runs *runs)
{
    uint64_t capacity = 2 * (uint64_t)runs->capacity + 8;
    struct ossa__run *larger = ossa__take_scratch(runs->context, capacity, sizeof *larger);
    if (larger == NULL) return false;
    if (runs->items != NULL && runs->count > 0)
        memcpy(larger, runs->items, runs->count * sizeof *larger);
    runs->items = larger;
    runs->capacity = (size_t)capacity;
    return true;
}

void ossa__runs_mark(struct ossa__runs *runs, uint64_t offset, uint64_t size)
{
    if (size == 0 || runs->items == NULL) return;
    struct ossa__run *last = runs->count == 0 ? NULL : &runs->items[runs->count - 1];
    if (last != NULL && offset >= last->begin && offset <= last->end) {
        if (offset + size > last->end) last->end = offset + size;
        return;
    }
    if (runs->count == runs->capacity && !grow(runs)) return;
    if (last != NULL && offset < last->begin) runs->is_sorted = false;
    runs->items[runs->count++] = (struct ossa__run){offset, offset + size};
}

static bool run_before(const void *a, const void *b, void *user)
{
    (void)user;
    return ((const struct ossa__run *)a)->begin < ((const struct ossa__run *)b)->begin;
}

bool ossa__runs_next_gap(struct ossa__runs *runs, struct ossa__gap_walk *walk)
{
    if (!runs->is_sorted) {
        if (!ossa__sort(runs->context, runs->items, runs->count, sizeof *runs->items, run_before,
                        NULL)) {
            return false;
        }
        runs->is_sorted = true;
    }
    uint64_t at = walk->offset + walk->size;
    while (walk->next < runs->count && runs->items[walk->next].begin <= at) {
        if (runs->items[walk->next].end > at) at = runs->items[walk->next].end;
        walk->next++;
    }
    if (at >= runs->size) return false;
    uint64_t end = walk->next < runs->count ? runs->items[walk->next].begin : runs->size;
    walk->offset = at;
    walk->size = end - at;
    return true;
}

const ossa_gap *ossa__runs_gaps(struct ossa__runs *runs, size_t *count)
{
    size_t found = 0;
    *count = 0;
    for (struct ossa__gap_walk walk = {0}; ossa__runs_next_gap(runs, &walk);) found++;
    ossa_gap *gaps = ossa__take(runs->context, found, sizeof *gaps);
    if (gaps == NULL) return NULL;
    for (struct ossa__gap_walk walk = {0}; ossa__runs_next_gap(runs, &walk);) {
        gaps[(*count)++] = (ossa_gap){.offset = walk.offset, .size = walk.size};
    }
    return gaps;
}
