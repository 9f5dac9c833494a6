/* SPDX-License-Identifier: MIT
 *
 * A scene made by hand in which nothing moves, as a start for those in which one thing does. */
#ifndef OSSA_TEST_STILL_SCENE_H
#define OSSA_TEST_STILL_SCENE_H

#include "support/made_scene.h"

extern const ossa_transform still_origin;
ossa_transform still_at(float x, float y, float z);

/* A chain of bones, all at 0, at rest and in one clip of so many frames. Gives the constants of the
 * clip, to be changed. */
ossa_transform *make_still_scene(struct made_scene *made, uint32_t bones, uint32_t frames);

/* One bone of it turns: frame by frame, R = Rz * Rx * Ry with these angles in degrees. */
void set_still_turns(struct made_scene *made, uint32_t bone, const double (*zxy)[3]);

#endif
