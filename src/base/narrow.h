/* SPDX-License-Identifier: MIT */
#ifndef OSSA_BASE_NARROW_H
#define OSSA_BASE_NARROW_H

#include <float.h>

/* The nearest float. What none can hold is the largest, so that finite poses stay finite. */
static inline float ossa__narrow(double value)
{
    if (value > (double)FLT_MAX) return FLT_MAX;
    if (value < -(double)FLT_MAX) return -FLT_MAX;
    return (float)value;
}

#endif
