/* SPDX-License-Identifier: MIT
 *
 * Poses from a scene: at any time, into buffers that the caller owns. Nothing is allocated and
 * nothing is written but the buffers, so that many threads may sample one clip. */
#ifndef OSSA_SAMPLE_H
#define OSSA_SAMPLE_H

#include "ossa/scene.h"

OSSA_BEGIN

typedef enum ossa_wrap {
    OSSA_CLAMP, /* before the start is the first frame, after the end the last */
    OSSA_LOOP,  /* time goes round after frame_count / fps; the last frame blends into the first */
    OSSA_PING_PONG, /* to the last frame and back again: round after 2 (frame_count - 1) / fps */
} ossa_wrap;

/* The pose of a clip at a time in seconds: `locals` is [bone_count], from each bone's parent;
 * `visible` is [bone_count] or NULL. At a frame's time the result is that frame's values; between
 * two, rotations turn along the short arc at even speed, translations and scales go straight, and
 * visibility is that of the frame before. A clip of no frames gives its constants. */
OSSA_API void ossa_sample(const ossa_scene *scene, const ossa_clip *clip, double seconds,
                          ossa_wrap wrap, ossa_transform *locals, uint8_t *visible);

/* One frame, exactly; past the last it is the last. */
OSSA_API void ossa_sample_frame(const ossa_scene *scene, const ossa_clip *clip, uint32_t frame,
                                ossa_transform *locals, uint8_t *visible);

/* Where a camera is at a time, and its field of view (NULL: not asked for). */
OSSA_API void ossa_sample_camera(const ossa_camera *camera, double seconds, ossa_wrap wrap,
                                 ossa_transform *place, float *field_of_view);

/* The rest pose. */
OSSA_API void ossa_rest_pose(const ossa_scene *scene, ossa_transform *locals);

/* From the parents to the model: `models` is [bone_count] and may be `locals`. A transform cannot
 * hold the shear of turned bones under an uneven scale; matrices can. */
OSSA_API void ossa_model_pose(const ossa_scene *scene, const ossa_transform *locals,
                              ossa_transform *models);
OSSA_API void ossa_model_matrices(const ossa_scene *scene, const ossa_transform *locals,
                                  float (*matrices)[16]);
/* The matrix of one transform: translation * rotation * scale. */
OSSA_API void ossa_transform_matrix(const ossa_transform *transform, float matrix[16]);

/* ---- blending ------------------------------------------------------------------------------ */

/* A pose and how much it counts: weight * bone_weights[bone]. */
typedef struct ossa_layer {
    const ossa_transform *locals; /* [bone_count] */
    float weight;                 /* 0 or more */
    const float *bone_weights;    /* [bone_count], 0 or more; NULL: 1 for every bone */
} ossa_layer;

/* The mean of poses, bone by bone; weights need not add up to 1. Where all are 0 a bone is at rest.
 * Rotations of two poses turn along the short arc at even speed; of more, the normalised sum of
 * all, each on the side of the first that counts. `out` may be the pose of a layer. */
OSSA_API void ossa_blend(const ossa_scene *scene, const ossa_layer *layers, size_t count,
                         ossa_transform *out);

/* What a pose adds to another: rotation and translation from `reference` to `pose`, scale as a
 * factor (1 where the reference has 0). `out` may be either. */
OSSA_API void ossa_make_additive(const ossa_scene *scene, const ossa_transform *pose,
                                 const ossa_transform *reference, ossa_transform *out);
/* Put that on a pose: `added->weight` may be above 1 or below 0. `out` may be `base`. */
OSSA_API void ossa_add_pose(const ossa_scene *scene, const ossa_transform *base,
                            const ossa_layer *added, ossa_transform *out);

/* ---- root motion --------------------------------------------------------------------------- */

/* Where the first root bone stands on the ground: its x and z and its turn about Y, without height,
 * nod, roll and scale. */
OSSA_API void ossa_ground(const ossa_scene *scene, const ossa_transform *locals,
                          ossa_transform *ground);
/* Take that out of a pose: the character stays at 0 and looks where it looked at the start of its
 * bones' own space. `ground` may be NULL. */
OSSA_API void ossa_stay_in_place(const ossa_scene *scene, ossa_transform *locals,
                                 ossa_transform *ground);
/* How the ground place moves between two times, seen from where it is at `from`: put it after the
 * character's own placement, world = world * motion. When the clip loops, each time round carries
 * on from where the last one ended, and the step from the last frame to the first moves on as the
 * frame before it did. With `to` before `from` it is the way back. */
OSSA_API void ossa_root_motion(const ossa_scene *scene, const ossa_clip *clip, double from,
                               double to, ossa_wrap wrap, ossa_transform *motion);

OSSA_END

#endif
