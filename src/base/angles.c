/* SPDX-License-Identifier: MIT
 *
 * With a, b and c for the first, middle and last axis, e = 1 if they follow each other as x, y, z
 * do and -1 otherwise, and R for the matrix of the rotation,
 *
 *     R[c][a] = -e sin b     R[c][b] = e sin a cos b     R[c][c] = cos a cos b
 *                            R[b][a] = e sin c cos b     R[a][a] = cos c cos b
 *
 * Where cos b is 0 (gimbal lock), only a - e s c is in the matrix, s being the sign of sin b:
 *
 *     R[b][c] = -e sin(a - e s c)     R[b][b] = cos(a - e s c) */
#include "base/angles.h"

#define PI 3.14159265358979323846

/* Below this cosine of the middle angle, the other two are little more than noise of the floats
 * that the rotation was made of. Other angles of the same sum move the result by at most twice as
 * many radians. */
static const double locked = 1e-5;

/* Which of two choices is nearer must not depend on the last bits of a sum, which are not the same
 * on every machine: nearer is what is nearer by this much. */
static const double margin = 1e-9;

struct ossa__quat ossa__quat_from_angles(const double angles[3], struct ossa__angle_order order)
{
    struct ossa__quat first = ossa__quat_about(order.first, angles[order.first]);
    struct ossa__quat middle = ossa__quat_about(order.middle, angles[order.middle]);
    struct ossa__quat last = ossa__quat_about(order.last, angles[order.last]);
    return ossa__quat_multiply(last, ossa__quat_multiply(middle, first));
}

static void find_matrix(struct ossa__quat q, double m[3][3])
{
    m[0][0] = q.w * q.w + q.x * q.x - q.y * q.y - q.z * q.z;
    m[0][1] = 2.0 * (q.x * q.y - q.w * q.z);
    m[0][2] = 2.0 * (q.x * q.z + q.w * q.y);
    m[1][0] = 2.0 * (q.x * q.y + q.w * q.z);
    m[1][1] = q.w * q.w - q.x * q.x + q.y * q.y - q.z * q.z;
    m[1][2] = 2.0 * (q.y * q.z - q.w * q.x);
    m[2][0] = 2.0 * (q.x * q.z - q.w * q.y);
    m[2][1] = 2.0 * (q.y * q.z + q.w * q.x);
    m[2][2] = q.w * q.w - q.x * q.x - q.y * q.y + q.z * q.z;
}

/* The same angle, full rotations away. */
static double unwrap(double angle, double near)
{
    return angle + 2.0 * PI * floor((near - angle) / (2.0 * PI) + 0.5 - margin);
}

/* The sum of squares of the distances of the unwrapped angles, which replace the others. */
static double unwrap_all(const double near[3], double angles[3])
{
    double sum = 0.0;
    for (unsigned k = 0; k < 3; k++) {
        angles[k] = unwrap(angles[k], near[k]);
        sum += (angles[k] - near[k]) * (angles[k] - near[k]);
    }
    return sum;
}

void ossa__angles_near(struct ossa__quat rotation, struct ossa__angle_order order,
                       const double near[3], double angles[3])
{
    const unsigned a = order.first;
    const unsigned b = order.middle;
    const unsigned c = order.last;
    const double e = (a + 1) % 3 == b ? 1.0 : -1.0;
    double m[3][3];
    find_matrix(rotation, m);
    double sine = -e * m[c][a];
    double cosine = sqrt(m[c][b] * m[c][b] + m[c][c] * m[c][c]);
    angles[b] = atan2(sine, cosine);
    if (cosine < locked) {
        double es = sine < 0.0 ? -e : e;
        double sum = unwrap(atan2(-e * m[b][c], m[b][b]), near[a] - es * near[c]);
        double step = (sum - (near[a] - es * near[c])) / 2.0; /* both angles share it */
        angles[a] = near[a] + step;
        angles[c] = near[c] - es * step;
        angles[b] = unwrap(angles[b], near[b]);
        return;
    }
    angles[a] = atan2(e * m[c][b], m[c][c]);
    angles[c] = atan2(e * m[b][a], m[a][a]);
    /* The middle angle beyond a right one, and the other two on the opposite side. */
    double other[3];
    other[a] = angles[a] + PI;
    other[b] = PI - angles[b];
    other[c] = angles[c] + PI;
    if (unwrap_all(near, other) >= unwrap_all(near, angles) - margin) return;
    for (unsigned k = 0; k < 3; k++) angles[k] = other[k];
}
