/* SPDX-License-Identifier: MIT
 *
 * A rotation as three turns: R = Rz * Rx * Ry, which is what the channels "Zrotation Xrotation
 * Yrotation" of a BVH mean. */
#ifndef OSSA_EXPORT_EULER_H
#define OSSA_EXPORT_EULER_H

/* In degrees. */
struct ossa__euler_zxy {
    double z, x, y;
};

/* The angles of a rotation x y z w: x from -90 to 90, the others from -180 to 180. */
struct ossa__euler_zxy ossa__euler_from(const float rotation[4]);

/* Of all angles that mean the same rotation those nearest to the ones of the frame before, so that
 * curves do not jump; they may leave every range, one turn at a time. */
struct ossa__euler_zxy ossa__euler_near(const float rotation[4], struct ossa__euler_zxy before);

#endif
