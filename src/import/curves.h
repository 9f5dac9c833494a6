/* SPDX-License-Identifier: MIT
 *
 * The value of a curve at a time. */
#ifndef OSSA_IMPORT_CURVES_H
#define OSSA_IMPORT_CURVES_H

#include "import/motion.h"

/* `width` numbers. Before the first key and after the last one the value is that of the key; a
 * rotation has length 1. The times of keys are rounded: one that is within `near` seconds is at
 * `time`. */
void ossa__sample_curve(const struct ossa__motion_curve *curve, double time, double near,
                        double *out);

#endif
