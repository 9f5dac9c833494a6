/* SPDX-License-Identifier: MIT */
#include "scene/quaternion.h"

/* sin(t * angle) / sin(angle), for the angle whose cosine is 1 + d, as a power series in d: no
 * trigonometry, the same bits everywhere. Its terms are t * b1 * b2 * ... * bi with
 * bi = (t * t / (i * (2 i + 1)) - i / (2 i + 1)) * d, which is at most half of d. */
#define TERM(i)                                                                                    \
    {                                                                                              \
        1.0 / ((i) * (2.0 * (i) + 1.0)), (i) / (2.0 * (i) + 1.0)                                   \
    }

enum { FEW = 6, MANY = 48 };

static const double terms[MANY][2] = {
    TERM(1),  TERM(2),  TERM(3),  TERM(4),  TERM(5),  TERM(6),  TERM(7),  TERM(8),
    TERM(9),  TERM(10), TERM(11), TERM(12), TERM(13), TERM(14), TERM(15), TERM(16),
    TERM(17), TERM(18), TERM(19), TERM(20), TERM(21), TERM(22), TERM(23), TERM(24),
    TERM(25), TERM(26), TERM(27), TERM(28), TERM(29), TERM(30), TERM(31), TERM(32),
    TERM(33), TERM(34), TERM(35), TERM(36), TERM(37), TERM(38), TERM(39), TERM(40),
    TERM(41), TERM(42), TERM(43), TERM(44), TERM(45), TERM(46), TERM(47), TERM(48)};

static inline double arc_weight(double t, double d, int count)
{
    double sum = 1.0;
    for (int i = count - 1; i >= 0; i--) sum = 1.0 + (terms[i][0] * t * t - terms[i][1]) * d * sum;
    return t * sum;
}

struct ossa__quat ossa__quat_slerp(struct ossa__quat a, struct ossa__quat b, double t)
{
    double cosine = ossa__quat_dot(a, b);
    double sign = cosine < 0.0 ? -1.0 : 1.0;
    double d = sign * cosine - 1.0;
    double wa;
    double wb;
    if (d > 0.0) d = 0.0; /* rounding */
    /* Neighbouring frames lie close: within 15 degrees of arc six terms leave less than 1e-12, a
     * right angle wants them all. */
    if (d > -0.03) {
        wa = arc_weight(1.0 - t, d, FEW);
        wb = arc_weight(t, d, FEW);
    } else {
        wa = arc_weight(1.0 - t, d, MANY);
        wb = arc_weight(t, d, MANY);
    }
    wb *= sign;
    struct ossa__quat q = {wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z,
                           wa * a.w + wb * b.w};
    (void)ossa__quat_normalise(&q);
    return q;
}
