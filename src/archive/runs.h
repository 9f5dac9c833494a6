/* SPDX-License-Identifier: MIT
 *
 * Which bytes of a file are spoken for, as a list of ranges: for archives, where a bit a byte
 * (coverage.h) would be an eighth of what all their entries need. */
#ifndef OSSA_ARCHIVE_RUNS_H
#define OSSA_ARCHIVE_RUNS_H

#include "codec/context.h"

struct ossa__run {
    uint64_t begin;
    uint64_t end;
};

struct ossa__runs {
    struct ossa__context *context;
    uint64_t size;           /* of the file */
    struct ossa__run *items; /* in scratch memory */
    size_t count;
    size_t capacity;
    bool is_sorted;
};

/* `most` is how many marks there may be: they are taken to be few or no more than that. False after
 * a failure. */
bool ossa__runs_init(struct ossa__runs *runs, struct ossa__context *context, uint64_t size,
                     uint64_t most);
/* The range must lie in the file. In any order; they may overlap. */
void ossa__runs_mark(struct ossa__runs *runs, uint64_t offset, uint64_t size);

/* The ranges that nobody spoke for, one after the other, from a zeroed start; false when there is
 * none left. */
struct ossa__gap_walk {
    size_t next;     /* of the runs */
    uint64_t offset; /* of the gap that was found */
    uint64_t size;
};
bool ossa__runs_next_gap(struct ossa__runs *runs, struct ossa__gap_walk *walk);

/* All of them, in the arena; NULL after a failure. */
const ossa_gap *ossa__runs_gaps(struct ossa__runs *runs, size_t *count);

#endif
