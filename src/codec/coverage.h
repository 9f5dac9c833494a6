/* SPDX-License-Identifier: MIT
 *
 * Which bytes of a file are spoken for: a bit a byte. For files whose fields lie in any order. */
#ifndef OSSA_CODEC_COVERAGE_H
#define OSSA_CODEC_COVERAGE_H

#include "codec/context.h"

struct ossa__coverage {
    uint64_t size; /* of the file */
    uint64_t *bits;
};

/* In scratch memory. False after a failure. */
bool ossa__coverage_init(struct ossa__coverage *coverage, struct ossa__context *context,
                         uint64_t size);
/* The range must lie in the file. */
void ossa__coverage_mark(struct ossa__coverage *coverage, uint64_t offset, uint64_t size);
bool ossa__coverage_touches(const struct ossa__coverage *coverage, uint64_t offset, uint64_t size);
/* The first range at or after `*offset` that nobody spoke for; false when there is none. */
bool ossa__coverage_next_gap(const struct ossa__coverage *coverage, uint64_t *offset,
                             uint64_t *size);

#endif
