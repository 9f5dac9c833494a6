/* SPDX-License-Identifier: MIT
 *
 * Which weights count when poses are blended. */
#ifndef OSSA_SAMPLE_WEIGHT_H
#define OSSA_SAMPLE_WEIGHT_H

#include <math.h>
#include <stdbool.h>

static inline bool ossa__counts(float weight)
{
    return weight > 0.0F && isfinite(weight); /* not a number is not above 0 */
}

#endif
