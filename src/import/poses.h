/* SPDX-License-Identifier: MIT
 *
 * The poses that an edit wants in the frames of a clip. */
#ifndef OSSA_IMPORT_POSES_H
#define OSSA_IMPORT_POSES_H

#include "import/match.h"
#include "scene/edit.h"

/* How far from a frame a key may be, in frames: times are rounded, and added up. */
#define OSSA__NEARNESS 0.02

/* A clip of a scene and what became of it. */
struct ossa__posing {
    const struct ossa__match *match;
    const struct ossa__motion_clip *edited;
    /* The clip in the scene, and its frames as the game has them: of each, `keys_per_frame` are in
     * the clip. What an edit does not say, like visibility in BVH, is as it is here. */
    const ossa_clip *clip;
    double fps;
    uint32_t frame_count;
    uint32_t keys_per_frame;
    double start;      /* seconds of the edit at which frame 0 is */
    uint32_t *unclear; /* NULL, or counts frames in which a bone is neither hidden nor seen */
    /* inside */
    const int32_t *curves;      /* [node][3]: translation, rotation, scale; -1: none */
    struct ossa__affine *nodes; /* by node: its world transform in the frame at hand */
    struct ossa__affine *bones; /* by bone, likewise */
    ossa_transform *original;   /* by bone: the local pose of the files */
    uint8_t *is_visible;        /* by bone, likewise */
};

/* To be called first, with the rest zeroed. What it takes is scratch memory of the context. */
bool ossa__posing_start(struct ossa__context *context, struct ossa__posing *posing);

/* Do the keys fit the frames of the clip? Fails if they were made for another rate. */
bool ossa__posing_check_rate(struct ossa__context *context, const struct ossa__posing *posing);
/* The number of frames until the last key. */
uint64_t ossa__posing_length(const struct ossa__posing *posing);
/* A bone that the scene does not have and that moves; -1: there is none. */
int64_t ossa__posing_find_unknown(const struct ossa__posing *posing);

/* The pose at a frame: [bone_count]. Visibility between 0 and 1 is rounded. */
void ossa__posing_fill(const struct ossa__posing *posing, uint32_t frame,
                       struct ossa__edit_pose *row);

#endif
