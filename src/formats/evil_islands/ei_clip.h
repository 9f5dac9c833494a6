/* SPDX-License-Identifier: MIT
 *
 * One clip of a figure being read: an animation (ANM) for each part. */
#ifndef OSSA_EI_CLIP_H
#define OSSA_EI_CLIP_H

#include "formats/evil_islands/ei_figure.h"
#include "base/quaternion.h"

struct ossa__ei_clip {
    struct ossa__ei_figure *figure;
    const struct ossa__part *first;
    const struct ossa__part **parts; /* by bone; NULL: none */
    uint32_t frame_count;
    struct ossa__quat *turns; /* by bone: Q of the frame at work */
    uint32_t morph_count;
    uint32_t *morph_meshes; /* those that change their shape, rising */
};

/* Of a clip: the game's own rule, frame by frame. */
ossa__pose_source ossa__ei_pose;
ossa__morph_source ossa__ei_morph;

#endif
