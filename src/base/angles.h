/* SPDX-License-Identifier: MIT
 *
 * Rotations as three angles about the axes, in radians, one after the other. Many triples are the
 * same rotation: what matters is which one of them is taken. */
#ifndef OSSA_BASE_ANGLES_H
#define OSSA_BASE_ANGLES_H

#include "base/quaternion.h"

/* The axes, 0 to 2, in the order in which a triple rotates about them. All three are different. */
struct ossa__angle_order {
    unsigned first;
    unsigned middle;
    unsigned last;
};

/* What the angles x, y and z mean; not normalised. */
struct ossa__quat ossa__quat_from_angles(const double angles[3], struct ossa__angle_order order);

/* Of all angles that mean a rotation of length 1 those nearest to `near`, by the sum of squares, so
 * that curves do not jump; they may lie beyond a full rotation. In gimbal lock (the middle angle is
 * a right one) they are taken from all triples that mean it within 2e-5 radians. */
void ossa__angles_near(struct ossa__quat rotation, struct ossa__angle_order order,
                       const double near[3], double angles[3]);

#endif
