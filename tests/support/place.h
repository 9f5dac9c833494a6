/* SPDX-License-Identifier: MIT
 *
 * Places on the ground by angles, sin and cos. On purpose it shares no code with the library, which
 * uses none of them. */
#ifndef OSSA_TEST_PLACE_H
#define OSSA_TEST_PLACE_H

#include "support/rotation.h"
#include "support/scenes.h"

#define DEGREE 0.017453292519943295

struct place {
    double x, z, angle; /* about +Y, in radians */
};

/* A transform that is none. */
extern const ossa_transform nowhere;

/* First b, then a. */
struct place place_product(struct place a, struct place b);
struct place place_inverse(struct place p);
/* Of a bone or a motion. */
struct place place_of(const ossa_transform *t);

/* Just that place, without height, tilt and scale; `near` in metres, and 60 times that in degrees.
 */
void require_place(const ossa_transform *found, struct place wanted, double near);
/* world * a == b for every root. */
void require_roots(const ossa_scene *scene, const double world[16], const ossa_transform *a,
                   const ossa_transform *b, double near);
void matrix_of_transform(const ossa_transform *t, double out[16]);

#endif
