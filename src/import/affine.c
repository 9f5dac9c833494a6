/* SPDX-License-Identifier: MIT */
#include "import/affine.h"

struct ossa__affine ossa__affine_of(const double translation[3], struct ossa__quat rotation,
                                    const double scale[3])
{
    struct ossa__affine a = {.t = {0.0, 0.0, 0.0}};
    for (unsigned c = 0; c < 3; c++) {
        const double axis[3] = {c == 0 ? scale[c] : 0.0, c == 1 ? scale[c] : 0.0,
                                c == 2 ? scale[c] : 0.0};
        ossa__quat_rotate(rotation, axis, a.m[c]);
        a.t[c] = translation[c];
    }
    return a;
}

/* m v */
static void transform(const double m[3][3], const double v[3], double out[3])
{
    for (unsigned r = 0; r < 3; r++) out[r] = m[0][r] * v[0] + m[1][r] * v[1] + m[2][r] * v[2];
}

struct ossa__affine ossa__affine_multiply(const struct ossa__affine *a,
                                          const struct ossa__affine *b)
{
    struct ossa__affine product = {.t = {0.0, 0.0, 0.0}};
    for (unsigned c = 0; c < 3; c++) transform(a->m, b->m[c], product.m[c]);
    transform(a->m, b->t, product.t);
    for (unsigned r = 0; r < 3; r++) product.t[r] += a->t[r];
    return product;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* How much a matrix has of the volume that its columns could have. */
static double flatness(const double m[3][3], double *determinant)
{
    double normal[3];
    cross(m[1], m[2], normal);
    *determinant = dot(m[0], normal);
    double most = sqrt(dot(m[0], m[0]) * dot(m[1], m[1]) * dot(m[2], m[2]));
    return most > 0.0 ? fabs(*determinant) / most : 0.0;
}

static const double least_flatness = 1e-6;

bool ossa__affine_invert(const struct ossa__affine *a, struct ossa__affine *out)
{
    double determinant;
    double rows[3][3]; /* of the inverse */
    if (!(flatness(a->m, &determinant) > least_flatness)) return false;
    for (unsigned r = 0; r < 3; r++) cross(a->m[(r + 1) % 3], a->m[(r + 2) % 3], rows[r]);
    for (unsigned c = 0; c < 3; c++) {
        for (unsigned r = 0; r < 3; r++) out->m[c][r] = rows[r][c] / determinant;
    }
    double moved[3];
    transform((const double(*)[3])out->m, a->t, moved);
    for (unsigned r = 0; r < 3; r++) out->t[r] = -moved[r];
    return isfinite(moved[0]) && isfinite(moved[1]) && isfinite(moved[2]);
}

/* The rotation with these columns, of length 1: from the component that is farthest from 0. */
static struct ossa__quat rotation_of(const double m[3][3])
{
    double xx = m[0][0];
    double yy = m[1][1];
    double zz = m[2][2];
    struct ossa__quat q;
    if (xx + yy + zz > 0.0) {
        q = (struct ossa__quat){m[1][2] - m[2][1], m[2][0] - m[0][2], m[0][1] - m[1][0],
                                1.0 + xx + yy + zz};
    } else if (xx >= yy && xx >= zz) {
        q = (struct ossa__quat){1.0 + xx - yy - zz, m[0][1] + m[1][0], m[2][0] + m[0][2],
                                m[1][2] - m[2][1]};
    } else if (yy >= zz) {
        q = (struct ossa__quat){m[0][1] + m[1][0], 1.0 + yy - xx - zz, m[1][2] + m[2][1],
                                m[2][0] - m[0][2]};
    } else {
        q = (struct ossa__quat){m[2][0] + m[0][2], m[1][2] + m[2][1], 1.0 + zz - xx - yy,
                                m[0][1] - m[1][0]};
    }
    (void)ossa__quat_normalise(&q);
    return q;
}

bool ossa__affine_split(const struct ossa__affine *a, struct ossa__quat *rotation, double scale[3])
{
    double determinant;
    double m[3][3];
    bool is_flat = !(flatness(a->m, &determinant) > least_flatness);
    *rotation = (struct ossa__quat){0.0, 0.0, 0.0, 1.0};
    for (unsigned c = 0; c < 3; c++) scale[c] = sqrt(dot(a->m[c], a->m[c]));
    if (is_flat) return false;
    if (determinant < 0.0) scale[0] = -scale[0];
    for (unsigned c = 0; c < 3; c++) {
        for (unsigned r = 0; r < 3; r++) m[c][r] = a->m[c][r] / scale[c];
    }
    *rotation = rotation_of((const double(*)[3])m);
    return true;
}
