/* SPDX-License-Identifier: MIT
 *
 * The bones of a scene in what another program made of it. Programs add nodes, rename actions and
 * turn the axes of bones; names of bones and positions at rest stay, unless somebody changed them.
 */
#ifndef OSSA_IMPORT_MATCH_H
#define OSSA_IMPORT_MATCH_H

#include "import/affine.h"
#include "import/motion.h"
#include "ossa/scene.h"

#define OSSA__DEGREE (3.14159265358979323846 / 180.0)

struct ossa__match {
    const struct ossa__motion *motion;
    const ossa_scene *scene;
    const uint32_t *nodes;  /* by bone */
    const int32_t *visible; /* by bone: the node whose scale says whether it is seen; -1: none */
    /* By bone: from its own axes at rest to those of the node. W = W' * axes, with W' the transform
     * of the node in a pose. */
    const struct ossa__affine *axes;
    const uint8_t *is_needed; /* by node: it is one of these, or above one */
    /* By node: a bone that the scene does not have, and that moves nothing that it has. */
    const uint8_t *is_unknown;
};

/* Match all bones. Fails for one that is missing, and for a skeleton that is another one at rest;
 * `scale` is that of the scene. It lives in the context's arena. */
bool ossa__match_bones(struct ossa__context *context, const ossa_scene *scene,
                       const struct ossa__motion *motion, double scale, struct ossa__match *match);

/* For each clip of a scene, the clip of the motion that is called so; -1: none. Blender calls its
 * actions CLIP_ARMATURE. False after a failure. */
bool ossa__match_clips(struct ossa__context *context, const ossa_scene *scene,
                       const struct ossa__motion *motion, int32_t *clips);

#endif
