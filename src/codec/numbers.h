/* SPDX-License-Identifier: MIT
 *
 * Checks on arrays of floats, for options.check_values: one report an array, at the first place. */
#ifndef OSSA_CODEC_NUMBERS_H
#define OSSA_CODEC_NUMBERS_H

#include "codec/context.h"

/* Warn of values that are not finite. The values stand at `offset`, 4 bytes each. */
void ossa__check_finite(struct ossa__context *context, const char *field, uint64_t offset,
                        const float *values, uint64_t count);

/* Warn of rows of `width` floats (every `stride` floats) that are not of length 1. Rows with
 * non-finite values are passed over. */
void ossa__check_unit(struct ossa__context *context, const char *field, uint64_t offset,
                      const float *values, uint64_t rows, unsigned width);

/* Is the length of the row 1, within what rounding in old tools explains? */
bool ossa__is_unit(const float *row, unsigned width);

#endif
