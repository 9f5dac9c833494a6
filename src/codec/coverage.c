/* SPDX-License-Identifier: MIT */
#include "codec/coverage.h"

#include <string.h>

bool ossa__coverage_init(struct ossa__coverage *coverage, struct ossa__context *context,
                         uint64_t size)
{
    uint64_t words = size / 64 + 1;
    coverage->size = size;
    coverage->bits = ossa__take_scratch(context, words, sizeof *coverage->bits);
    if (coverage->bits == NULL) return false;
    memset(coverage->bits, 0, (size_t)words * sizeof *coverage->bits);
    return true;
}

/* The bits of one word that belong to [offset, end), offset being in it. */
static uint64_t mask_of(uint64_t offset, uint64_t end)
{
    uint64_t first = offset % 64;
    uint64_t room = 64 - first;
    uint64_t count = end - offset < room ? end - offset : room;
    uint64_t ones = count == 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
    return ones << first;
}

void ossa__coverage_mark(struct ossa__coverage *coverage, uint64_t offset, uint64_t size)
{
    uint64_t end = offset + size;
    while (offset < end) {
        coverage->bits[offset / 64] |= mask_of(offset, end);
        offset = (offset / 64 + 1) * 64;
    }
}

bool ossa__coverage_touches(const struct ossa__coverage *coverage, uint64_t offset, uint64_t size)
{
    uint64_t end = offset + size;
    while (offset < end) {
        if ((coverage->bits[offset / 64] & mask_of(offset, end)) != 0) return true;
        offset = (offset / 64 + 1) * 64;
    }
    return false;
}

/* The first offset from `offset` on whose bit is `wanted`; the file's size when there is none. */
static uint64_t seek(const struct ossa__coverage *coverage, uint64_t offset, bool wanted)
{
    uint64_t boring = wanted ? 0 : UINT64_MAX;
    while (offset < coverage->size) {
        uint64_t word = coverage->bits[offset / 64];
        if (offset % 64 == 0 && word == boring) {
            offset += 64;
        } else if ((word >> offset % 64 & 1) == (wanted ? 1U : 0U)) {
            return offset;
        } else {
            offset++;
        }
    }
    return coverage->size;
}

bool ossa__coverage_next_gap(const struct ossa__coverage *coverage, uint64_t *offset,
                             uint64_t *size)
{
    uint64_t begin = seek(coverage, *offset, false);
    if (begin >= coverage->size) return false;
    uint64_t end = seek(coverage, begin, true);
    *offset = begin;
    *size = end - begin;
    return true;
}
