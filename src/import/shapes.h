/* SPDX-License-Identifier: MIT
 *
 * The shapes of a scene's meshes in what another program made of them. Programs reorder, split and
 * merge vertices: a vertex is found again by its position in the mesh without any target. */
#ifndef OSSA_IMPORT_SHAPES_H
#define OSSA_IMPORT_SHAPES_H

#include "import/motion.h"
#include "scene/assembly.h"

struct ossa__shapes;

/* For the meshes of the scene being assembled, which are all there; NULL after a failure. It lives
 * in the assembly's arena and refers to the motion. If no clip of the motion has weights, it says
 * nothing of shapes, which is reported as a remark. */
struct ossa__shapes *ossa__shapes_start(struct ossa__assembly *assembly,
                                        const struct ossa__motion *motion);

/* The offsets of a mesh's vertices at a time of a clip, in the space of its bone; `near` as in
 * ossa__sample_curve. They come as the files have them: of several vertices of the motion that lie
 * on one of the scene, the nearest counts. False: the motion says nothing of shapes, or does not
 * have the mesh with all of its vertices, which is reported once as a remark if it has a mesh of
 * that name; or after a failure. */
bool ossa__shape_at(struct ossa__shapes *shapes, uint32_t mesh,
                    const struct ossa__motion_clip *clip, double time, double near,
                    float (*offsets)[3]);

#endif
