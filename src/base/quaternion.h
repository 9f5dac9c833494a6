/* SPDX-License-Identifier: MIT
 *
 * Rotations in double: x y z w. Only + - * / and sqrt, so that every machine gets the same bits
 * (a SIMD library may add in another order); results are rounded to float once, by the caller. */
#ifndef OSSA_BASE_QUATERNION_H
#define OSSA_BASE_QUATERNION_H

#include <math.h>
#include <stdbool.h>

struct ossa__quat {
    double x, y, z, w;
};

static inline struct ossa__quat ossa__quat_multiply(struct ossa__quat a, struct ossa__quat b)
{
    return (struct ossa__quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                               a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                               a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                               a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static inline struct ossa__quat ossa__quat_conjugate(struct ossa__quat q)
{
    return (struct ossa__quat){-q.x, -q.y, -q.z, q.w};
}

static inline double ossa__quat_dot(struct ossa__quat a, struct ossa__quat b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/* To length 1; false, and no turn, for one that has no length or is not finite. */
static inline bool ossa__quat_normalise(struct ossa__quat *q)
{
    double length = sqrt(ossa__quat_dot(*q, *q));
    if (!(length > 1e-12) || !isfinite(length)) {
        *q = (struct ossa__quat){0.0, 0.0, 0.0, 1.0};
        return false;
    }
    double factor = 1.0 / length;
    *q = (struct ossa__quat){q->x * factor, q->y * factor, q->z * factor, q->w * factor};
    return true;
}

/* rot(q, v) = q v q*, q being of length 1. */
static inline void ossa__quat_rotate(struct ossa__quat q, const double v[3], double out[3])
{
    double tx = 2.0 * (q.y * v[2] - q.z * v[1]);
    double ty = 2.0 * (q.z * v[0] - q.x * v[2]);
    double tz = 2.0 * (q.x * v[1] - q.y * v[0]);
    double x = v[0] + q.w * tx + (q.y * tz - q.z * ty);
    double y = v[1] + q.w * ty + (q.z * tx - q.x * tz);
    double z = v[2] + q.w * tz + (q.x * ty - q.y * tx);
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

static inline void ossa__quat_store(struct ossa__quat q, float out[4])
{
    out[0] = (float)q.x;
    out[1] = (float)q.y;
    out[2] = (float)q.z;
    out[3] = (float)q.w;
}

static inline struct ossa__quat ossa__quat_load(const float in[4])
{
    return (struct ossa__quat){(double)in[0], (double)in[1], (double)in[2], (double)in[3]};
}

/* A turn of `angle` radians about axis 0, 1 or 2. sin and cos of double are the one thing taken
 * from libm: their last bit may differ between libraries and is gone after rounding to float. */
static inline struct ossa__quat ossa__quat_about(unsigned axis, double angle)
{
    double s = sin(angle / 2.0);
    struct ossa__quat q = {axis == 0 ? s : 0.0, axis == 1 ? s : 0.0, axis == 2 ? s : 0.0,
                           cos(angle / 2.0)};
    return q;
}

/* Between two rotations of length 1, `t` from 0 to 1: along the short arc at even speed. */
struct ossa__quat ossa__quat_slerp(struct ossa__quat a, struct ossa__quat b, double t);

#endif
