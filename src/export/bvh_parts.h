/* SPDX-License-Identifier: MIT
 *
 * What the parts of the BVH export share: one file being made. */
#ifndef OSSA_EXPORT_BVH_PARTS_H
#define OSSA_EXPORT_BVH_PARTS_H

#include "codec/writer.h"
#include "export/issue.h"
#include "scene/children.h"

/* What a joint has channels for, and whether its angles change. */
enum { OSSA__HAS_POSITION = 1, OSSA__HAS_TURNS = 2 };

struct ossa__bvh {
    struct ossa__context context;
    const ossa_scene *scene;
    const ossa_clip *clip;
    const ossa_export_options *options;
    struct ossa__writer writer;
    struct ossa__children children;
    bool has_root_above;  /* several bones are roots: a joint of our own stands above them */
    char **names;         /* by bone; after them that of the joint above */
    uint8_t *joints;      /* by bone: HAS_ */
    ossa_transform *rest; /* by bone, with the scales of the bones above in its translation */
    ossa_transform *pose; /* by bone: the same of a frame */
    uint32_t *order;      /* the bones as they stand in the file */
    double size;          /* of the model, in metres: above 0 */
};

/* BVH has no scale. What a bone's scale does to the places of those below it goes into their
 * translations instead: all joints then are where ossa_model_pose has them. */
void ossa__bvh_take_scales(const ossa_scene *scene, ossa_transform *locals);

/* Write what was planned (bvh_write.c); fills in `order`. */
void ossa__bvh_write(struct ossa__bvh *x);

#endif
