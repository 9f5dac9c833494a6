/* SPDX-License-Identifier: MIT
 *
 * The meshes of a scene as another program would hand them back: with morph targets and weights,
 * the vertices in another order. */
#ifndef OSSA_TEST_SHAPE_MOTION_H
#define OSSA_TEST_SHAPE_MOTION_H

#include "import/motion.h"
#include "ossa/scene.h"

struct shape_motion_options {
    bool is_split;  /* every vertex is there twice */
    bool is_skin;   /* one mesh in the space of the model; rest rotations must be none */
    bool is_bare;   /* no curves: the weights of the meshes are all there is */
    bool is_nudged; /* a vertex of each mesh is 1 mm off */
};

/* Meshes without targets are left out, as the readers do. Ends the test if memory does. */
struct ossa__motion *make_shape_motion(const ossa_scene *scene,
                                       const struct shape_motion_options *options);
void free_shape_motion(struct ossa__motion *motion);

/* The clip of that name. */
const struct ossa__motion_clip *find_motion_clip(const struct ossa__motion *motion,
                                                 const char *name);

#endif
