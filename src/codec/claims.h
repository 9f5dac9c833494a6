/* SPDX-License-Identifier: MIT
 *
 * Claims of a reader that jumps about in its file: kept in few bytes each, and given back in the
 * order of offsets. */
#ifndef OSSA_CODEC_CLAIMS_H
#define OSSA_CODEC_CLAIMS_H

#include "codec/context.h"

struct ossa__shape;

/* What a reader says of bytes: a scalar, or a whole array. */
struct ossa__claim {
    uint64_t offset;
    uint64_t count; /* of elements; of bytes for text and bytes */
    uint64_t inner; /* not 0: elements are named [i / inner][i % inner] */
    bool indexed;   /* elements are named [i]; otherwise there is just one */
    uint8_t depth;
    const struct ossa__shape *shape;
    const char *field;
    struct ossa__step path[OSSA__PATH_DEPTH];
};

struct ossa__claim_block;
struct ossa__claim_label;
struct ossa__claim_cursor;

enum { OSSA__KNOWN_LABELS = 256 };

/* All zero: there are none. */
struct ossa__claims {
    struct ossa__claim_block *first;
    struct ossa__claim_block *last;
    size_t run;                       /* offset in the last block of the run that is written */
    uint32_t run_count;               /* claims that follow each other without a gap are a run */
    uint64_t end;                     /* of the last claim's bytes */
    struct ossa__claim latest;        /* whose path the next one may have, too */
    struct ossa__claim_label *labels; /* names and shapes, which claims refer to by number */
    uint32_t label_count;
    uint32_t label_capacity;
    uint32_t known[OSSA__KNOWN_LABELS]; /* by hash: the number of a label, counted from 1 */
    /* giving them back */
    const uint8_t **order;            /* runs by offset */
    uint32_t next;                    /* of them */
    struct ossa__claim_cursor **heap; /* runs that are under way, the first claim on top */
    uint32_t heap_count;
    uint32_t heap_capacity;
    struct ossa__claim_cursor *spare;
};

/* `size` bytes are claimed; empty claims count, too. A failure is the context's. */
void ossa__claims_add(struct ossa__context *context, struct ossa__claims *claims,
                      const struct ossa__claim *claim, uint64_t size);

/* Give claims back from now on, those of the same offset in the order in which they came. */
bool ossa__claims_sort(struct ossa__context *context, struct ossa__claims *claims);
/* The next one; false: there is none, or a failure. */
bool ossa__claims_next(struct ossa__context *context, struct ossa__claims *claims,
                       struct ossa__claim *claim);

#endif
