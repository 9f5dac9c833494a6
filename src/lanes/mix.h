/* SPDX-License-Identifier: MIT
 *
 * Between two rotations, along the short arc at constant speed, without trigonometry: the weight of
 * one end, sin(t * angle) / sin(angle), is a power series in d = cos(angle) - 1,
 *
 *     t * (1 + b1 * (1 + b2 * (1 + b3 * ...))),   bi = (t * t / (i (2 i + 1)) - i / (2 i + 1)) * d
 *
 * Frames of an animation lie close, so three terms serve almost always; arcs of more than 14
 * degrees (of the quaternions, 28 of the rotation) are halved where they are wide and get ten. */
#ifndef OSSA_LANES_MIX_H
#define OSSA_LANES_MIX_H

#include "lanes/lanes.h"

#include <float.h>

#define SQUARE_FACTOR(i) (1.0F / ((i) * (2.0F * (i) + 1.0F)))
#define CONSTANT_TERM(i) ((i) / (2.0F * (i) + 1.0F))

enum { SHORT_TERMS = 3, LONG_TERMS = 10 };

/* Everything that depends on the part of the arc alone; s = 1 - t. */
struct arc {
    vf s;
    vf t;
    vf s_terms[SHORT_TERMS];
    vf t_terms[SHORT_TERMS];
};

INLINE struct arc arc_at(vf t)
{
    static const float squares[SHORT_TERMS] = {SQUARE_FACTOR(1), SQUARE_FACTOR(2),
                                               SQUARE_FACTOR(3)};
    static const float constants[SHORT_TERMS] = {CONSTANT_TERM(1), CONSTANT_TERM(2),
                                                 CONSTANT_TERM(3)};
    struct arc arc = {.s = 1.0F - t, .t = t};
    for (unsigned i = 0; i < SHORT_TERMS; i++) {
        arc.s_terms[i] = squares[i] * (arc.s * arc.s) - constants[i];
        arc.t_terms[i] = squares[i] * (t * t) - constants[i];
    }
    return arc;
}

INLINE vf long_weight(vf t, vf d)
{
    static const float squares[LONG_TERMS] = {
        SQUARE_FACTOR(1), SQUARE_FACTOR(2), SQUARE_FACTOR(3), SQUARE_FACTOR(4), SQUARE_FACTOR(5),
        SQUARE_FACTOR(6), SQUARE_FACTOR(7), SQUARE_FACTOR(8), SQUARE_FACTOR(9), SQUARE_FACTOR(10)};
    static const float constants[LONG_TERMS] = {
        CONSTANT_TERM(1), CONSTANT_TERM(2), CONSTANT_TERM(3), CONSTANT_TERM(4), CONSTANT_TERM(5),
        CONSTANT_TERM(6), CONSTANT_TERM(7), CONSTANT_TERM(8), CONSTANT_TERM(9), CONSTANT_TERM(10)};
    vf sum = vf_all(1.0F);
    for (unsigned i = LONG_TERMS; i-- > 0;) {
        sum = 1.0F + (squares[i] * (t * t) - constants[i]) * (d * sum);
    }
    return t * sum;
}

INLINE vf dot(const vf a[4], const vf b[4])
{
    return ((a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]) + a[3] * b[3];
}

/* Which of two ways of nearly the same length is shorter, in double: floats would guess. */
INLINE vi sign_of_dot(const vf a[4], const vf b[4])
{
    float values[8][OSSA__WIDTH];
    int32_t signs[OSSA__WIDTH];
    vi sign;
    for (unsigned k = 0; k < 4; k++) {
        vf_store(values[k], a[k]);
        vf_store(values[k + 4], b[k]);
    }
    for (unsigned i = 0; i < OSSA__WIDTH; i++) {
        double sum = 0.0;
        for (unsigned k = 0; k < 4; k++) sum += (double)values[k][i] * (double)values[k + 4][i];
        signs[i] = sum < 0.0 ? INT32_MIN : 0;
    }
    memcpy(&sign, signs, sizeof sign);
    return sign;
}

/* A long arc. Where it is wide, its middle takes the place of one end: with the angle h of half the
 * arc, it is (a + b) / (2 cos h), so its weight is shared by both ends, and it is never rounded. */
OUT_OF_LINE void mix_far(const vf a[4], const vf b[4], vf t, vf product, vf q[4])
{
    vi sign = vf_bits(product) & vf_bits(vf_all(-0.0F));
    vf cosine = vf_of_bits(vf_bits(product) ^ sign);
    vi is_even = vf_less(cosine, vf_all(1e-6F));
    if (vi_any(is_even)) sign = (sign & ~is_even) | (sign_of_dot(a, b) & is_even);
    vi is_wide = vf_less(cosine, vf_all(0.7F));
    vi is_early = vf_less(t, vf_all(0.5F));
    vf half = vf_sqrt((1.0F + cosine) * 0.5F);
    vf near_t = vf_choose(is_early, 2.0F * t, 2.0F * t - 1.0F);
    t = vf_choose(is_wide, near_t, t);
    cosine = vf_choose(is_wide, half, cosine);
    vf wa = long_weight(1.0F - t, cosine - 1.0F);
    vf wb = long_weight(t, cosine - 1.0F);
    vf none = vf_all(0.0F);
    vf shared = vf_choose(is_wide, vf_choose(is_early, wb, wa) * (0.5F / half), none);
    wa = vf_choose(is_wide & ~is_early, none, wa) + shared;
    wb = vf_choose(is_wide & is_early, none, wb) + shared;
    for (unsigned k = 0; k < 4; k++) q[k] = wa * a[k] + wb * vf_of_bits(vf_bits(b[k]) ^ sign);
}

INLINE void mix(const vf a[4], const vf b[4], const struct arc *arc, vf q[4])
{
    vf product = dot(a, b);
    vi sign = vf_bits(product) & vf_bits(vf_all(-0.0F));
    vf cosine = vf_of_bits(vf_bits(product) ^ sign);
    vf near_b[4]; /* q and -q are the same rotation */
    for (unsigned k = 0; k < 4; k++) near_b[k] = vf_of_bits(vf_bits(b[k]) ^ sign);
    vf d = cosine - 1.0F;
    vf wa = 1.0F + arc->s_terms[2] * d;
    vf wb = 1.0F + arc->t_terms[2] * d;
    wa = 1.0F + (arc->s_terms[1] * d) * wa;
    wb = 1.0F + (arc->t_terms[1] * d) * wb;
    wa = arc->s * (1.0F + (arc->s_terms[0] * d) * wa);
    wb = arc->t * (1.0F + (arc->t_terms[0] * d) * wb);
    for (unsigned k = 0; k < 4; k++) q[k] = wa * a[k] + wb * near_b[k];
    vi is_far = vf_less(d, vf_all(-0.03F));
    if (RARELY(vi_any(is_far))) {
        vf far[4];
        mix_far(a, b, arc->t, product, far);
        for (unsigned k = 0; k < 4; k++) q[k] = vf_choose(is_far, far[k], q[k]);
    }
    vf factor = 1.0F / vf_sqrt(dot(q, q));
    for (unsigned k = 0; k < 4; k++) q[k] = q[k] * factor;
}

/* Three values, in a straight line. Where the difference is too large for a float, the result is
 * the largest float: it is always finite. */
INLINE void mix_vector(const vf a[3], const vf b[3], vf t, vf out[3])
{
    const vf most = vf_all(FLT_MAX);
    for (unsigned k = 0; k < 3; k++) {
        vf x = a[k] + (b[k] - a[k]) * t;
        x = vf_choose(vf_less(x, most), x, most);
        out[k] = vf_choose(vf_less(-most, x), x, -most);
    }
}

#endif
