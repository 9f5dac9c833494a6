/* SPDX-License-Identifier: MIT
 *
 * Poses to be mixed, and how near a mixture must come. */
#ifndef OSSA_TEST_MADE_POSES_H
#define OSSA_TEST_MADE_POSES_H

#include "support/made_scene.h"
#include "support/rotation.h"

enum { BONES = 9, POSES = 40 };

/* Poses of no meaning: the frames of a clip. */
void make_poses(struct made_scene *made, uint32_t seed, ossa_transform poses[POSES][BONES]);

/* A rotation, and so many degrees or less from the one that is wanted. */
void require_turn(const float found[4], struct rotation wanted, double near);

#endif
