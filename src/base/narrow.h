/* SPDX-License-Identifier: MIT */
#ifndef OSSA_BASE_NARROW_H
#define OSSA_BASE_NARROW_H

#include <float.h>
#include <math.h>

/* The nearest float. What none can hold is the largest, so that finite poses stay finite. */
static inline float ossa__narrow(double value)
{
    if (value > (double)FLT_MAX) return FLT_MAX;
    if (value < -(double)FLT_MAX) return -FLT_MAX;
    return (float)value;
}

/* The sign and the payload of a NaN that was computed or converted depend on the machine: what is
 * printed has the plain one instead. A NaN of a file keeps its bits where it is copied. */
static inline double ossa__plain_nan(double value)
{
    return isnan(value) ? (double)NAN : value;
}

#endif
