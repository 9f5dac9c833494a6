/* SPDX-License-Identifier: MIT
 *
 * Matrices of a glTF, which some programs write for every node: what they are made of. */
#include "import/gltf_file.h"

#include "base/matrix.h"

#include <math.h>
#include <string.h>

/* More than rounding leaves: as the cosine of what should be a right angle. */
#define SHEAR    1e-4
#define ROUNDING 1e-6
/* A side as short as this has no direction. */
#define FLAT 1e-9

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* A direction perpendicular to `axis`, which has length 1. */
static void find_perpendicular(const double axis[3], double out[3])
{
    unsigned least = 0;
    for (unsigned i = 1; i < 3; i++) {
        if (fabs(axis[i]) < fabs(axis[least])) least = i;
    }
    const double unit[3] = {least == 0, least == 1, least == 2};
    for (unsigned i = 0; i < 3; i++) out[i] = unit[i] - axis[least] * axis[i];
    double length = sqrt(dot(out, out));
    for (unsigned i = 0; i < 3; i++) out[i] /= length;
}

/* Sides without a direction, because something hidden is scaled to nothing, get one that fits. */
static void complete(double axes[3][3], const double lengths[3])
{
    static const double identity[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    unsigned flat_count = 0;
    unsigned flat = 0; /* one of them */
    unsigned full = 0; /* one that is not */
    for (unsigned i = 0; i < 3; i++) {
        bool is_flat = lengths[i] <= FLAT;
        if (is_flat) flat = i;
        else full = i;
        flat_count += is_flat ? 1 : 0;
    }
    if (flat_count == 0) return;
    if (flat_count == 3) {
        memcpy(axes, identity, sizeof identity);
        return;
    }
    if (flat_count == 2) {
        flat = (full + 2) % 3;
        find_perpendicular(axes[full], axes[(full + 1) % 3]);
    }
    cross(axes[(flat + 1) % 3], axes[(flat + 2) % 3], axes[flat]);
}

/* The rotation that takes the axes of space to these: by the largest of its four numbers, which is
 * never near 0. */
static struct ossa__quat rotation_of(double a[3][3])
{
    double size[4] = {1.0 + a[0][0] - a[1][1] - a[2][2], 1.0 - a[0][0] + a[1][1] - a[2][2],
                      1.0 - a[0][0] - a[1][1] + a[2][2], 1.0 + a[0][0] + a[1][1] + a[2][2]};
    unsigned largest = 3;
    for (unsigned i = 0; i < 3; i++) {
        if (size[i] > size[largest]) largest = i;
    }
    double x = a[1][2] - a[2][1];
    double y = a[2][0] - a[0][2];
    double z = a[0][1] - a[1][0];
    double xy = a[0][1] + a[1][0];
    double yz = a[1][2] + a[2][1];
    double zx = a[2][0] + a[0][2];
    struct ossa__quat q = {x, y, z, size[3]};
    if (largest == 0) q = (struct ossa__quat){size[0], xy, zx, x};
    if (largest == 1) q = (struct ossa__quat){xy, size[1], yz, y};
    if (largest == 2) q = (struct ossa__quat){zx, yz, size[2], z};
    (void)ossa__quat_normalise(&q);
    return q;
}

const char *ossa__gltf_decompose(const float m[16], struct ossa__motion_node *node)
{
    double axes[3][3];
    double across[3];
    const double last[4] = {(double)m[3], (double)m[7], (double)m[11], (double)m[15] - 1.0};
    for (unsigned i = 0; i < 4; i++) {
        if (fabs(last[i]) > ROUNDING) return "the last row of the matrix is not 0 0 0 1";
    }
    for (unsigned c = 0; c < 3; c++) {
        node->translation[c] = (double)m[12 + c];
        for (unsigned r = 0; r < 3; r++) axes[c][r] = (double)m[4 * c + r];
        node->scale[c] = sqrt(dot(axes[c], axes[c]));
        for (unsigned r = 0; r < 3 && node->scale[c] > FLAT; r++) axes[c][r] /= node->scale[c];
    }
    complete(axes, node->scale);
    for (unsigned c = 0; c < 3; c++) {
        if (fabs(dot(axes[c], axes[(c + 1) % 3])) > SHEAR) {
            return "the matrix shears, which no translation, rotation and scale do";
        }
    }
    cross(axes[0], axes[1], across);
    if (dot(across, axes[2]) < 0.0) { /* mirrored: along any one axis */
        node->scale[0] = -node->scale[0];
        for (unsigned r = 0; r < 3; r++) axes[0][r] = -axes[0][r];
    }
    node->rotation = rotation_of(axes);
    return NULL;
}

bool ossa__gltf_invert(const float m[16], double out[16])
{
    double cofactors[9];
    float inverse[16];
    /* Whether there is one is decided in one place; its numbers are wanted in double. */
    if (!ossa__matrix_invert(m, inverse)) return false;
    double determinant = ossa__matrix_cofactors(m, cofactors);
    memset(out, 0, 16 * sizeof *out);
    out[15] = 1.0;
    for (unsigned r = 0; r < 3; r++) {
        for (unsigned c = 0; c < 3; c++) {
            double value = cofactors[3 * r + c] / determinant;
            out[4 * c + r] = value;
            out[12 + r] -= value * (double)m[12 + c];
        }
    }
    return true;
}
