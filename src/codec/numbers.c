/* SPDX-License-Identifier: MIT */
#include "codec/numbers.h"

#include <inttypes.h>
#include <math.h>

void ossa__check_finite(struct ossa__context *context, const char *field, uint64_t offset,
                        const float *values, uint64_t count)
{
    uint64_t bad = 0;
    uint64_t first = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (isfinite(values[i])) continue;
        if (bad++ == 0) first = i;
    }
    if (bad == 0) return;
    ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_NON_FINITE, offset + first * 4, field,
                "%" PRIu64 " of %" PRIu64 " values are not finite; this is the first", bad, count);
}

static double squared_length(const float *row, unsigned width)
{
    double sum = 0.0;
    for (unsigned i = 0; i < width; i++) sum += (double)row[i] * (double)row[i];
    return sum;
}

bool ossa__is_unit(const float *row, unsigned width)
{
    double sum = squared_length(row, width);
    return sum > 0.98 && sum < 1.02; /* the length within about 1 % */
}

void ossa__check_unit(struct ossa__context *context, const char *field, uint64_t offset,
                      const float *values, uint64_t rows, unsigned width)
{
    uint64_t bad = 0;
    uint64_t first = 0;
    for (uint64_t i = 0; i < rows; i++) {
        const float *row = values + i * width;
        if (ossa__is_unit(row, width) || !isfinite(squared_length(row, width))) continue;
        if (bad++ == 0) first = i;
    }
    if (bad == 0) return;
    double length = sqrt(squared_length(values + first * width, width));
    if (rows == 1) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_NOT_UNIT, offset, field,
                    "has length %.6g, expected 1", length);
        return;
    }
    ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_NOT_UNIT, offset + first * width * 4,
                field, "%" PRIu64 " of %" PRIu64 " do not have length 1; the first has length %.6g",
                bad, rows, length);
}
