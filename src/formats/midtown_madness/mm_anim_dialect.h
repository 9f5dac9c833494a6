/* SPDX-License-Identifier: MIT
 *
 * The dialect of an mm-anim file. */
#ifndef OSSA_MM_ANIM_DIALECT_H
#define OSSA_MM_ANIM_DIALECT_H

#include "formats/modules.h"
#include "ossa/games/midtown_madness.h"

enum { OSSA__MM_DIALECTS = 4 };

/* For probes: the dialect that matches best, if any does, and whether it leaves bytes over. */
ossa_mm_dialect ossa__mm_guess_dialect(const uint8_t *data, uint64_t size, bool *fits,
                                       bool *has_tail);
/* Whether one may match a file of which only the first bytes are there, 4 KiB at least. */
bool ossa__mm_may_be_dialect(const uint8_t *start, uint64_t size, uint64_t there);
/* Are the `count` floats at an offset those of a pose? */
bool ossa__mm_looks_like_pose(const uint8_t *data, uint64_t size, uint64_t at, uint64_t count);

/* Where the floats of the first channel start. */
uint64_t ossa__mm_values_at(ossa_mm_dialect dialect);

/* The dialect to read the file in; the options may name it. False after a failure. */
bool ossa__mm_choose_dialect(struct ossa__context *context, const uint8_t *data, uint64_t size,
                             ossa_mm_dialect *dialect);

#endif
