/* SPDX-License-Identifier: MIT
 *
 * What the moves are made of. Everything is double, from + - * / sqrt sin cos alone, so that the
 * files come out the same on every machine. Quaternions are w x y z and turn column vectors:
 * v' = q v q*. Angles are in radians, phases in turns. */
#ifndef OSSA_SAMPLES_MATHS_H
#define OSSA_SAMPLES_MATHS_H

#include <stddef.h>

#define PI      3.14159265358979323846
#define DEGREES (PI / 180)

typedef struct vec3 {
    double x, y, z;
} vec3;

typedef struct quat {
    double w, x, y, z;
} quat;

/* The nearest multiple of 2^-23, and never a negative zero. C libraries differ in the last bit of
 * sin and cos; where terms cancel, that bit would be all that is left. */
double snap(double value);
/* The nearest integer; what lies on a half, give or take an error in the last bits, goes up. */
long nearest(double value);

double mix(double a, double b, double t);
double clamp(double value, double least, double most);
/* 0 before `from`, 1 after `to`, smooth in between. */
double ease(double t, double from, double to);
/* 0 outside (from, to), 1 in the middle, smooth. */
double bump(double t, double from, double to);
/* sin and cos of a phase. */
double wave(double phase);
double cowave(double phase);
/* The part of a phase after the point: 0 <= result < 1. */
double wrap(double phase);
/* A smooth closed curve through evenly spaced keys; phase 0 is the first, 1 the first again. */
double loop_curve(const double *keys, size_t count, double phase);
/* The angle of the vector (x, y): atan2, which is not among the operations allowed. */
double angle_of(double y, double x);

vec3 v3(double x, double y, double z);
vec3 v_add(vec3 a, vec3 b);
vec3 v_sub(vec3 a, vec3 b);
vec3 v_scale(vec3 v, double factor);
vec3 v_mix(vec3 a, vec3 b, double t);
double v_dot(vec3 a, vec3 b);
vec3 v_cross(vec3 a, vec3 b);
double v_length(vec3 v);
vec3 v_unit(vec3 v);

extern const quat q_identity;
quat q_mul(quat a, quat b);
quat q_conjugate(quat q);
quat q_negate(quat q);
double q_dot(quat a, quat b);
quat q_turn(vec3 axis, double angle); /* the axis of length 1 */
vec3 q_rotate(quat q, vec3 v);
/* Of the two quaternions of a rotation, the one nearer to `to`: keys then have no jumps of sign. */
quat q_near(quat q, quat to);
/* The turn that lays `along0` on `along`, and `side0` as near to `side` as that allows. */
quat q_aim(vec3 along0, vec3 side0, vec3 along, vec3 side);

/* An arm or a leg: two bones that reach for a point, the joint between them bent towards `pole`.
 * At rest both have no rotation, the offsets given, and would bend towards `rest_pole`. */
struct limb {
    vec3 to_middle, to_end;
    vec3 rest_pole;
};
struct limb_pose {
    quat upper, lower;
    vec3 middle, end; /* where they come to be; the end is short of the target if that is too far */
};
struct limb_pose limb_reach(const struct limb *limb, vec3 from, vec3 target, vec3 pole);

#endif
