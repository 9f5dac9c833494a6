/* SPDX-License-Identifier: MIT */
#include "support/rotation.h"

#include <math.h>
#include <string.h>

struct rotation rotation_of(const float xyzw[4])
{
    return (struct rotation){(double)xyzw[0], (double)xyzw[1], (double)xyzw[2], (double)xyzw[3]};
}

struct rotation rotation_about(unsigned axis, double radians)
{
    double s = sin(radians / 2.0);
    return (struct rotation){axis == 0 ? s : 0.0, axis == 1 ? s : 0.0, axis == 2 ? s : 0.0,
                             cos(radians / 2.0)};
}

double rotation_length(struct rotation q)
{
    return sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
}

struct rotation rotation_unit(struct rotation q)
{
    double length = rotation_length(q);
    return (struct rotation){q.x / length, q.y / length, q.z / length, q.w / length};
}

struct rotation rotation_inverse(struct rotation q)
{
    return (struct rotation){-q.x, -q.y, -q.z, q.w};
}

struct rotation rotation_product(struct rotation a, struct rotation b)
{
    return (struct rotation){a.w * b.x + b.w * a.x + (a.y * b.z - a.z * b.y),
                             a.w * b.y + b.w * a.y + (a.z * b.x - a.x * b.z),
                             a.w * b.z + b.w * a.z + (a.x * b.y - a.y * b.x),
                             a.w * b.w - (a.x * b.x + a.y * b.y + a.z * b.z)};
}

struct rotation rotation_between(struct rotation a, struct rotation b, double part)
{
    a = rotation_unit(a);
    b = rotation_unit(b);
    double cosine = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    if (cosine < 0.0) {
        b = (struct rotation){-b.x, -b.y, -b.z, -b.w};
        cosine = -cosine;
    }
    double angle = acos(cosine > 1.0 ? 1.0 : cosine);
    double wa = 1.0 - part;
    double wb = part;
    if (angle > 1e-6) { /* below that the chord is the arc */
        wa = sin((1.0 - part) * angle) / sin(angle);
        wb = sin(part * angle) / sin(angle);
    }
    return rotation_unit((struct rotation){wa * a.x + wb * b.x, wa * a.y + wb * b.y,
                                           wa * a.z + wb * b.z, wa * a.w + wb * b.w});
}

void rotation_apply(struct rotation q, const double v[3], double out[3])
{
    struct rotation r = rotation_product(
        rotation_product(q, (struct rotation){v[0], v[1], v[2], 0.0}), rotation_inverse(q));
    out[0] = r.x;
    out[1] = r.y;
    out[2] = r.z;
}

double rotation_distance(struct rotation a, struct rotation b)
{
    struct rotation d = rotation_product(rotation_inverse(a), b);
    return 2.0 * atan2(sqrt(d.x * d.x + d.y * d.y + d.z * d.z), fabs(d.w)) * 180.0 / acos(-1.0);
}

double point_distance(const double a[3], const double b[3])
{
    double sum = 0.0;
    for (unsigned k = 0; k < 3; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum);
}

void matrix_product(const double a[16], const double b[16], double out[16])
{
    double result[16];
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned r = 0; r < 4; r++) {
            double sum = 0.0;
            for (unsigned k = 0; k < 4; k++) sum += a[4 * k + r] * b[4 * c + k];
            result[4 * c + r] = sum;
        }
    }
    memcpy(out, result, sizeof result);
}

void matrix_of(const double translation[3], struct rotation rotation, const double scale[3],
               double out[16])
{
    for (unsigned c = 0; c < 3; c++) {
        double axis[3] = {c == 0 ? scale[0] : 0.0, c == 1 ? scale[1] : 0.0,
                          c == 2 ? scale[2] : 0.0};
        rotation_apply(rotation, axis, out + (size_t)4 * c);
        out[4 * c + 3] = 0.0;
        out[12 + c] = translation[c];
    }
    out[15] = 1.0;
}

struct rotation matrix_rotation(const double m[16])
{
    double size = sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
    double n[9];
    for (unsigned c = 0; c < 3; c++) {
        for (unsigned r = 0; r < 3; r++) n[3 * c + r] = m[4 * c + r] / size;
    }
    /* Of the four squares the largest, so that nothing small is divided by. */
    double squares[4] = {1.0 + n[0] - n[4] - n[8], 1.0 - n[0] + n[4] - n[8],
                         1.0 - n[0] - n[4] + n[8], 1.0 + n[0] + n[4] + n[8]};
    unsigned most = 0;
    for (unsigned i = 1; i < 4; i++) {
        if (squares[i] > squares[most]) most = i;
    }
    double s = 2.0 * sqrt(squares[most]);
    struct rotation q;
    switch (most) {
    case 0:
        q = (struct rotation){s / 4.0, (n[1] + n[3]) / s, (n[2] + n[6]) / s, (n[5] - n[7]) / s};
        break;
    case 1:
        q = (struct rotation){(n[1] + n[3]) / s, s / 4.0, (n[5] + n[7]) / s, (n[6] - n[2]) / s};
        break;
    case 2:
        q = (struct rotation){(n[2] + n[6]) / s, (n[5] + n[7]) / s, s / 4.0, (n[1] - n[3]) / s};
        break;
    default:
        q = (struct rotation){(n[5] - n[7]) / s, (n[6] - n[2]) / s, (n[1] - n[3]) / s, s / 4.0};
        break;
    }
    return rotation_unit(q);
}
