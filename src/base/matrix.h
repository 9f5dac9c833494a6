/* SPDX-License-Identifier: MIT
 *
 * Matrices without perspective: 16 floats, column after column. */
#ifndef OSSA_BASE_MATRIX_H
#define OSSA_BASE_MATRIX_H

#include "ossa/scene.h"

#include <stdbool.h>

/* The cofactors of the upper 3 x 3 part, column after column: the inverse transposed, times the
 * determinant, which is returned. Normals are transformed by it, also where there is no inverse. */
double ossa__matrix_cofactors(const float m[16], double cofactors[9]);

/* The inverse of a matrix that rotates, scales, shears and translates; its last row is exact.
 * `out` may be `m`. False for a flat one, which then is left alone: what rounding leaves of it is
 * not a shape, and below a bone of zero scale all matrices are flat. */
bool ossa__matrix_invert(const float m[16], float out[16]);

/* translation * rotation * scale */
void ossa__matrix_of(const ossa_transform *transform, float matrix[16]);

/* The model matrices of the rest pose. Bind matrices end up in files, so they are computed in
 * double and rounded once per bone; poses are not, see lanes/. */
void ossa__rest_matrices(const ossa_scene *scene, float (*matrices)[16]);

#endif
