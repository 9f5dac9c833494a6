/* SPDX-License-Identifier: MIT */
#include "base/matrix.h"

#include <math.h>
#include <stddef.h>

double ossa__matrix_cofactors(const float m[16], double cofactors[9])
{
    double a[9];
    for (unsigned c = 0; c < 3; c++) {
        for (unsigned r = 0; r < 3; r++) a[3 * c + r] = (double)m[4 * c + r];
    }
    cofactors[0] = a[4] * a[8] - a[7] * a[5];
    cofactors[3] = a[7] * a[2] - a[1] * a[8];
    cofactors[6] = a[1] * a[5] - a[4] * a[2];
    cofactors[1] = a[6] * a[5] - a[3] * a[8];
    cofactors[4] = a[0] * a[8] - a[6] * a[2];
    cofactors[7] = a[3] * a[2] - a[0] * a[5];
    cofactors[2] = a[3] * a[7] - a[6] * a[4];
    cofactors[5] = a[6] * a[1] - a[0] * a[7];
    cofactors[8] = a[0] * a[4] - a[3] * a[1];
    return a[0] * cofactors[0] + a[3] * cofactors[3] + a[6] * cofactors[6];
}

bool ossa__matrix_invert(const float m[16], float out[16])
{
    double cofactors[9];
    double determinant = ossa__matrix_cofactors(m, cofactors);
    double volume = 1.0; /* what its sides would span if they were perpendicular */
    for (size_t c = 0; c < 12; c += 4) {
        double x = (double)m[c];
        double y = (double)m[c + 1];
        double z = (double)m[c + 2];
        volume *= sqrt(x * x + y * y + z * z);
    }
    if (!(fabs(determinant) > 1e-30) || !(fabs(determinant) > 1e-5 * volume)) return false;
    const double offset[3] = {(double)m[12], (double)m[13], (double)m[14]};
    for (unsigned r = 0; r < 3; r++) {
        double moved = 0.0;
        for (unsigned c = 0; c < 3; c++) {
            double value = cofactors[3 * r + c] / determinant;
            out[4 * c + r] = (float)value;
            moved -= value * offset[c];
        }
        out[12 + r] = (float)moved;
    }
    out[3] = out[7] = out[11] = 0.0F;
    out[15] = 1.0F;
    return true;
}
