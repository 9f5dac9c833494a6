/* SPDX-License-Identifier: MIT */
#include "scene/quaternion.h"

/* sin(t * angle) / sin(angle) for the angle whose cosine is 1 + d, -1 <= d <= 0, as its power
 * series in d: no trigonometry, no division, the same bits everywhere. A term is at most half the
 * one before, and for neighbouring frames, which lie close, the third is already too small. */
static double arc_weight(double t, double d)
{
    double square = t * t;
    double term = t;
    double sum = t;
    for (int i = 1; i < 64; i++) {
        double odd = 2.0 * i + 1.0;
        term *= (square - (double)i * i) / (i * odd) * d;
        sum += term;
        if (term < 1e-12 && term > -1e-12) break;
    }
    return sum;
}

struct ossa__quat ossa__quat_slerp(struct ossa__quat a, struct ossa__quat b, double t)
{
    double cosine = ossa__quat_dot(a, b);
    double sign = cosine < 0.0 ? -1.0 : 1.0;
    double d = sign * cosine - 1.0;
    if (d > 0.0) d = 0.0; /* rounding */
    double wa = arc_weight(1.0 - t, d);
    double wb = arc_weight(t, d) * sign;
    struct ossa__quat q = {wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z,
                           wa * a.w + wb * b.w};
    (void)ossa__quat_normalise(&q);
    return q;
}
