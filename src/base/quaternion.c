/* SPDX-License-Identifier: MIT */
#include "base/quaternion.h"

/* sin(t * angle) / sin(angle), for the angle whose cosine is 1 + d, as a power series in d: no
 * trigonometry, the same bits everywhere. Its terms are t * b1 * b2 * ... * bi with
 * bi = (t * t / (i * (2 i + 1)) - i / (2 i + 1)) * d, which is at most half of d. */
#define TERM(i)                                                                                    \
    {                                                                                              \
        1.0 / ((i) * (2.0 * (i) + 1.0)), (i) / (2.0 * (i) + 1.0)                                   \
    }

enum { FEW = 6, MANY = 18 };

static const double terms[MANY][2] = {TERM(1),  TERM(2),  TERM(3),  TERM(4),  TERM(5),  TERM(6),
                                      TERM(7),  TERM(8),  TERM(9),  TERM(10), TERM(11), TERM(12),
                                      TERM(13), TERM(14), TERM(15), TERM(16), TERM(17), TERM(18)};

static inline double arc_weight(double t, double d, int count)
{
    double sum = 1.0;
    for (int i = count - 1; i >= 0; i--) sum = 1.0 + (terms[i][0] * t * t - terms[i][1]) * d * sum;
    return t * sum;
}

struct ossa__quat ossa__quat_slerp(struct ossa__quat a, struct ossa__quat b, double t)
{
    double cosine = ossa__quat_dot(a, b);
    double wa;
    double wb;
    if (cosine < 0.0) { /* the same rotation, the short way */
        cosine = -cosine;
        b = (struct ossa__quat){-b.x, -b.y, -b.z, -b.w};
    }
    /* Half a wide arc: its middle is the sum of its ends, and 45 degrees are left at most. */
    if (cosine < 0.7) {
        struct ossa__quat middle = {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
        (void)ossa__quat_normalise(&middle);
        if (t < 0.5) b = middle;
        else a = middle;
        t = t < 0.5 ? 2.0 * t : 2.0 * t - 1.0;
        cosine = sqrt((1.0 + cosine) / 2.0);
    }
    double d = cosine - 1.0;
    if (d > 0.0) d = 0.0; /* rounding */
    /* Neighbouring frames lie close: within 15 degrees of arc six terms leave less than 1e-12, 45
     * degrees want them all. */
    if (d > -0.03) {
        wa = arc_weight(1.0 - t, d, FEW);
        wb = arc_weight(t, d, FEW);
    } else {
        wa = arc_weight(1.0 - t, d, MANY);
        wb = arc_weight(t, d, MANY);
    }
    struct ossa__quat q = {wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z,
                           wa * a.w + wb * b.w};
    (void)ossa__quat_normalise(&q);
    return q;
}
