/* SPDX-License-Identifier: MIT */
#include "maths.h"

#include <math.h>

const quat q_identity = {1, 0, 0, 0};

double snap(double value)
{
    const double grid = 8388608; /* 2^23: a number below 1 on it is a float32 as it stands */
    return floor(value * grid + 0.5) / grid + 0.0;
}

long nearest(double value)
{
    return (long)floor(value + 0.5 + 1e-7);
}

double mix(double a, double b, double t)
{
    return a + (b - a) * t;
}

double clamp(double value, double least, double most)
{
    if (value < least) return least;
    return value > most ? most : value;
}

double ease(double t, double from, double to)
{
    double s = clamp((t - from) / (to - from), 0, 1);
    return s * s * (3 - 2 * s);
}

double bump(double t, double from, double to)
{
    double middle = (from + to) / 2;
    return t < middle ? ease(t, from, middle) : 1 - ease(t, middle, to);
}

double wave(double phase)
{
    return sin(2 * PI * phase);
}

double cowave(double phase)
{
    return cos(2 * PI * phase);
}

double wrap(double phase)
{
    return phase - floor(phase);
}

/* Catmull-Rom: the slope at a key is that of the line between its neighbours. */
double loop_curve(const double *keys, size_t count, double phase)
{
    double at = wrap(phase) * (double)count;
    size_t i = (size_t)at;
    double t = at - (double)i;
    double a = keys[(i + count - 1) % count];
    double b = keys[i % count];
    double c = keys[(i + 1) % count];
    double d = keys[(i + 2) % count];
    double slope_b = (c - a) / 2;
    double slope_c = (d - b) / 2;
    double bend = 3 * (c - b) - 2 * slope_b - slope_c;
    double twist = 2 * (b - c) + slope_b + slope_c;
    return b + t * (slope_b + t * (bend + t * twist));
}

/* atan for 0 <= t <= 1: halve the angle until the series is short, then double it back. */
static double arc_of(double t)
{
    for (int i = 0; i < 4; i++) t = t / (1 + sqrt(1 + t * t));
    double sum = 0;
    for (int n = 17; n > 0; n -= 2) sum = 1.0 / n - sum * t * t;
    return 16 * t * sum;
}

double angle_of(double y, double x)
{
    double ay = fabs(y);
    double ax = fabs(x);
    if (ax < 1e-12 && ay < 1e-12) return 0;
    double angle = ay <= ax ? arc_of(ay / ax) : PI / 2 - arc_of(ax / ay);
    if (x < 0) angle = PI - angle;
    return y < 0 ? -angle : angle;
}

/* ---- vectors ------------------------------------------------------------------------------- */

vec3 v3(double x, double y, double z)
{
    return (vec3){x, y, z};
}

vec3 v_add(vec3 a, vec3 b)
{
    return v3(a.x + b.x, a.y + b.y, a.z + b.z);
}

vec3 v_sub(vec3 a, vec3 b)
{
    return v3(a.x - b.x, a.y - b.y, a.z - b.z);
}

vec3 v_scale(vec3 v, double factor)
{
    return v3(v.x * factor, v.y * factor, v.z * factor);
}

vec3 v_mix(vec3 a, vec3 b, double t)
{
    return v3(mix(a.x, b.x, t), mix(a.y, b.y, t), mix(a.z, b.z, t));
}

double v_dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

vec3 v_cross(vec3 a, vec3 b)
{
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

double v_length(vec3 v)
{
    return sqrt(v_dot(v, v));
}

vec3 v_unit(vec3 v)
{
    return v_scale(v, 1 / v_length(v));
}

/* ---- rotations ----------------------------------------------------------------------------- */

quat q_mul(quat a, quat b)
{
    return (quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                  a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

quat q_conjugate(quat q)
{
    return (quat){q.w, -q.x, -q.y, -q.z};
}

quat q_negate(quat q)
{
    return (quat){-q.w, -q.x, -q.y, -q.z};
}

double q_dot(quat a, quat b)
{
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}

quat q_turn(vec3 axis, double angle)
{
    double s = sin(angle / 2);
    return (quat){cos(angle / 2), axis.x * s, axis.y * s, axis.z * s};
}

vec3 q_rotate(quat q, vec3 v)
{
    quat r = q_mul(q_mul(q, (quat){0, v.x, v.y, v.z}), q_conjugate(q));
    return v3(r.x, r.y, r.z);
}

quat q_near(quat q, quat to)
{
    return q_dot(q, to) < 0 ? q_negate(q) : q;
}

/* The quaternion of a rotation matrix with these columns; the largest part is found first, so that
 * nothing is divided by a small number. */
static quat q_of_columns(vec3 a, vec3 b, vec3 c)
{
    double four[4] = {1 + a.x + b.y + c.z, 1 + a.x - b.y - c.z, 1 - a.x + b.y - c.z,
                      1 - a.x - b.y + c.z};
    int largest = 0;
    for (int i = 1; i < 4; i++) {
        /* the margin keeps a tie from being decided by the last bit */
        if (four[i] > four[largest] + 1e-9) largest = i;
    }
    double part = sqrt(four[largest]) / 2;
    double s = 1 / (4 * part);
    switch (largest) {
    case 0: return (quat){part, (b.z - c.y) * s, (c.x - a.z) * s, (a.y - b.x) * s};
    case 1: return (quat){(b.z - c.y) * s, part, (b.x + a.y) * s, (c.x + a.z) * s};
    case 2: return (quat){(c.x - a.z) * s, (b.x + a.y) * s, part, (c.y + b.z) * s};
    default: return (quat){(a.y - b.x) * s, (c.x + a.z) * s, (c.y + b.z) * s, part};
    }
}

/* The turn that lays x on `along` and y as near to `side` as it can. */
static quat q_frame(vec3 along, vec3 side)
{
    vec3 x = v_unit(along);
    vec3 z = v_unit(v_cross(x, side));
    return q_of_columns(x, v_cross(z, x), z);
}

quat q_aim(vec3 along0, vec3 side0, vec3 along, vec3 side)
{
    return q_mul(q_frame(along, side), q_conjugate(q_frame(along0, side0)));
}

/* ---- limbs --------------------------------------------------------------------------------- */

struct limb_pose limb_reach(const struct limb *limb, vec3 from, vec3 target, vec3 pole)
{
    double upper = v_length(limb->to_middle);
    double lower = v_length(limb->to_end);
    vec3 line = v_sub(target, from);
    vec3 along = v_unit(line);
    /* never quite straight, or the joint would flip from frame to frame */
    double reach = clamp(v_length(line), 0.2 * (upper + lower), 0.998 * (upper + lower));
    vec3 out = v_unit(v_sub(pole, v_scale(along, v_dot(pole, along))));
    double ahead = (reach * reach + upper * upper - lower * lower) / (2 * reach);
    double height = sqrt(upper * upper - ahead * ahead);

    struct limb_pose pose;
    pose.middle = v_add(from, v_add(v_scale(along, ahead), v_scale(out, height)));
    pose.end = v_add(from, v_scale(along, reach));
    vec3 rest_side = v_cross(v_add(limb->to_middle, limb->to_end), limb->rest_pole);
    vec3 side = v_cross(along, out);
    pose.upper = q_aim(limb->to_middle, rest_side, v_sub(pose.middle, from), side);
    pose.lower = q_aim(limb->to_end, rest_side, v_sub(pose.end, pose.middle), side);
    return pose;
}
