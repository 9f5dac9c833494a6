/* SPDX-License-Identifier: MIT
 *
 * Rotations and matrices in double, with acos and sin. On purpose it shares no code with the
 * library, whose own way (a power series) is tested with it. */
#ifndef OSSA_TEST_ROTATION_H
#define OSSA_TEST_ROTATION_H

struct rotation {
    double x, y, z, w;
};

struct rotation rotation_of(const float xyzw[4]);
struct rotation rotation_about(unsigned axis, double radians);
struct rotation rotation_unit(struct rotation q); /* to length 1 */
struct rotation rotation_inverse(struct rotation q);
/* First b, then a. */
struct rotation rotation_product(struct rotation a, struct rotation b);
/* Along the short arc at even speed. */
struct rotation rotation_between(struct rotation a, struct rotation b, double part);
void rotation_apply(struct rotation q, const double v[3], double out[3]);
double rotation_length(struct rotation q);
/* The angle from one to the other in degrees, 0 to 180, whatever their signs. */
double rotation_distance(struct rotation a, struct rotation b);
double point_distance(const double a[3], const double b[3]);

/* 16 numbers, column after column. `out` may be one of the two. */
void matrix_product(const double a[16], const double b[16], double out[16]);
/* translation * rotation * scale */
void matrix_of(const double translation[3], struct rotation rotation, const double scale[3],
               double out[16]);
/* The rotation in a matrix that turns and scales evenly. */
struct rotation matrix_rotation(const double m[16]);

#endif
