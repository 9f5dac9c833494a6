/* SPDX-License-Identifier: MIT
 *
 * Affine transforms in double: a point v becomes m v + t. */
#ifndef OSSA_IMPORT_AFFINE_H
#define OSSA_IMPORT_AFFINE_H

#include "base/quaternion.h"

struct ossa__affine {
    double m[3][3]; /* columns */
    double t[3];
};

/* translation * rotation * scale, the rotation being of length 1. */
struct ossa__affine ossa__affine_of(const double translation[3], struct ossa__quat rotation,
                                    const double scale[3]);
struct ossa__affine ossa__affine_multiply(const struct ossa__affine *a,
                                          const struct ossa__affine *b);
/* False for a flat one. */
bool ossa__affine_invert(const struct ossa__affine *a, struct ossa__affine *out);

/* The same taken apart, as if it had no shear. The scale is not negative but for x where it
 * mirrors. False: it is flat, and the rotation is none. */
bool ossa__affine_split(const struct ossa__affine *a, struct ossa__quat *rotation, double scale[3]);

#endif
