/* SPDX-License-Identifier: MIT */
#include "base/matrix.h"

#include "base/quaternion.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

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

void ossa__matrix_of(const ossa_transform *t, float m[16])
{
    struct ossa__quat q = ossa__quat_load(t->rotation);
    double sx = (double)t->scale[0];
    double sy = (double)t->scale[1];
    double sz = (double)t->scale[2];
    m[0] = (float)((1.0 - 2.0 * (q.y * q.y + q.z * q.z)) * sx);
    m[1] = (float)(2.0 * (q.x * q.y + q.w * q.z) * sx);
    m[2] = (float)(2.0 * (q.x * q.z - q.w * q.y) * sx);
    m[3] = 0.0F;
    m[4] = (float)(2.0 * (q.x * q.y - q.w * q.z) * sy);
    m[5] = (float)((1.0 - 2.0 * (q.x * q.x + q.z * q.z)) * sy);
    m[6] = (float)(2.0 * (q.y * q.z + q.w * q.x) * sy);
    m[7] = 0.0F;
    m[8] = (float)(2.0 * (q.x * q.z + q.w * q.y) * sz);
    m[9] = (float)(2.0 * (q.y * q.z - q.w * q.x) * sz);
    m[10] = (float)((1.0 - 2.0 * (q.x * q.x + q.y * q.y)) * sz);
    m[11] = 0.0F;
    m[12] = t->translation[0];
    m[13] = t->translation[1];
    m[14] = t->translation[2];
    m[15] = 1.0F;
}

/* out = a * b, both without perspective; `out` is neither of them. */
static void multiply(const float a[16], const float b[16], float out[16])
{
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned r = 0; r < 3; r++) {
            double sum = c == 3 ? (double)a[12 + r] : 0.0;
            for (unsigned k = 0; k < 3; k++) {
                sum += (double)a[4 * k + r] * (double)b[4 * c + k];
            }
            out[4 * c + r] = (float)sum;
        }
        out[4 * c + 3] = c == 3 ? 1.0F : 0.0F;
    }
}

void ossa__rest_matrices(const ossa_scene *scene, float (*matrices)[16])
{
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        const ossa_bone *bone = &scene->bones[b];
        float local[16];
        ossa__matrix_of(&bone->rest, local);
        if (bone->parent < 0) memcpy(matrices[b], local, sizeof local);
        else multiply(matrices[bone->parent], local, matrices[b]);
    }
}
