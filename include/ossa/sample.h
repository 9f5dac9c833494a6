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

OSSA_END

#endif
