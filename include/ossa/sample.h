/* SPDX-License-Identifier: MIT */
/** @file
 * Poses: sampling, blending, skinning and root motion.
 *
 *     ossa_sample(scene, clip, seconds, OSSA_WRAP_LOOP, locals, NULL);
 *     ossa_model_matrices(scene, locals, matrices);
 *
 * Results go to buffers of the caller. Nothing is allocated and nothing else is written, so any
 * number of threads may share a scene. The scene and its arrays must be valid (ossa_scene_validate)
 * and pointers must not be NULL unless stated; a time or a weight may be any number. Results are
 * the same bits on every machine. See also docs/sampling.md. */
#ifndef OSSA_SAMPLE_H
#define OSSA_SAMPLE_H

#include "ossa/scene.h"

OSSA_BEGIN

/** What a time outside a clip means. A time that is not finite means the start, but infinity means
 * the end with OSSA_WRAP_CLAMP. */
typedef enum ossa_wrap {
    OSSA_WRAP_CLAMP, /**< before the start is the first frame, after the end the last */
    OSSA_WRAP_LOOP,  /**< repeats after frame_count / fps; the last frame blends into the first */
    OSSA_WRAP_PING_PONG, /**< to the last frame and back; repeats after 2 (frame_count - 1) / fps */
} ossa_wrap;

/** The pose of a clip at a time in seconds.
 *
 * `locals` is [bone_count], relative to each bone's parent; `visible` is [bone_count] or NULL. At
 * the time of a frame, or within a millionth of a frame of it, the result is exactly that frame.
 * Between two frames, rotations take the short arc at constant speed, translations and scales are
 * linear, and visibility is that of the earlier frame of the clip, also when playing backwards. A
 * clip without frames gives its constants, a clip with one frame always gives that frame. */
OSSA_API void ossa_sample(const ossa_scene *scene, const ossa_clip *clip, double seconds,
                          ossa_wrap wrap, ossa_transform *locals, uint8_t *visible);

/** The pose of one frame, exactly. After the last frame it is the last. */
OSSA_API void ossa_sample_frame(const ossa_scene *scene, const ossa_clip *clip, uint32_t frame,
                                ossa_transform *locals, uint8_t *visible);

/** The transform of a camera at a time (its scale is 1), and its field of view, which may be NULL.
 *
 * Interpolated as in a clip and exact at the keys. When looping, time repeats after the last key
 * and the path jumps from its end to its start: a path that is meant to loop ends where it began.
 */
OSSA_API void ossa_sample_camera(const ossa_camera *camera, double seconds, ossa_wrap wrap,
                                 ossa_transform *place, float *field_of_view);

/** The weights of a mesh's morph targets at a time. `weights` is [target_count].
 *
 * At the time of a frame, the target of that frame has weight 1; between frames it is linear. All
 * weights are 0 if the clip does not change the mesh. */
OSSA_API void ossa_sample_morphs(const ossa_scene *scene, const ossa_clip *clip, double seconds,
                                 ossa_wrap wrap, uint32_t mesh, float *weights);
/** The vertices of a mesh with its targets added by weight, in the space of its bone. `positions`
 * is [vertex_count]. A weight that is not finite counts as 0. */
OSSA_API void ossa_morph_mesh(const ossa_mesh *mesh, const float *weights, float (*positions)[3]);

/** The rest pose. */
OSSA_API void ossa_rest_pose(const ossa_scene *scene, ossa_transform *locals);

/** Convert transforms from parent space to model space. `models` is [bone_count] and may be
 * `locals`. A transform cannot hold the shear of rotated bones under a non-uniform scale; matrices
 * can. */
OSSA_API void ossa_model_pose(const ossa_scene *scene, const ossa_transform *locals,
                              ossa_transform *models);
/** The same as matrices. `matrices` is [bone_count]. */
OSSA_API void ossa_model_matrices(const ossa_scene *scene, const ossa_transform *locals,
                                  float (*matrices)[16]);
/** The matrix of one transform: translation * rotation * scale. */
OSSA_API void ossa_transform_matrix(const ossa_transform *transform, float matrix[16]);

/* ---- skinning ------------------------------------------------------------------------------ */

/** The inverse bind matrices: the inverse of each bone's model matrix in the rest pose.
 *
 * `inverse_binds` is [bone_count]. matrices[b] * inverse_binds[b] maps a point of the model at rest
 * to where bone b moves it in a pose. If the rest matrix of a bone is singular, because the bone or
 * one above it has a scale of 0, there is no inverse and the result is the identity; the glTF
 * writer does the same. */
OSSA_API void ossa_bind_matrices(const ossa_scene *scene, float (*inverse_binds)[16]);

/** The vertices of a mesh in a pose, in model space.
 *
 * Handles meshes of one bone, meshes with vertex_bones or with weighted vertices, and morph
 * targets. `matrices` come from ossa_model_matrices and `weights` from ossa_sample_morphs; NULL
 * weights mean no target, and a weight that is not finite counts as 0. `positions` and `normals`
 * are [vertex_count]; `normals` may be NULL.
 *
 * A weighted vertex moves with the weighted mean of matrices[b] * inverse bind of its bones b. The
 * inverse binds are those of ossa_bind_matrices, computed again in every call, each from the bone
 * and those above it, and kept on the stack for the vertices that follow: nothing is allocated.
 * ossa_skin_mesh_bound takes them from the caller.
 *
 * Normals are transformed by the inverse transpose of the matrix that moves the vertex and have
 * length 1. They still point outwards if the bone mirrors. Morph targets do not change them. A bone
 * with a scale of 0 flattens its vertices; a normal that has no direction left is 0 0 0, and so are
 * all normals if the mesh has none. */
OSSA_API void ossa_skin_mesh(const ossa_scene *scene, const ossa_mesh *mesh,
                             const float (*matrices)[16], const float *weights,
                             float (*positions)[3], float (*normals)[3]);
/** The same with the result of ossa_bind_matrices: faster for weighted vertices that are computed
 * again and again, and in time that does not depend on how deep the skeleton is. */
OSSA_API void ossa_skin_mesh_bound(const ossa_scene *scene, const ossa_mesh *mesh,
                                   const float (*matrices)[16], const float (*inverse_binds)[16],
                                   const float *weights, float (*positions)[3],
                                   float (*normals)[3]);

/* ---- blending ------------------------------------------------------------------------------ */

/** A pose and its weight, which is weight * bone_weights[bone]. */
typedef struct ossa_layer {
    const ossa_transform *locals; /**< [bone_count]; NULL: the layer is ignored */
    float weight;                 /**< 0 or more */
    const float *bone_weights;    /**< [bone_count], 0 or more; NULL: 1 for every bone */
} ossa_layer;

/** The weighted mean of poses, bone by bone. `out` may be the pose of a layer.
 *
 * Weights need not add up to 1. A weight that is negative or not finite counts as 0, and a pose
 * with weight 0 is not read. A bone without any weight is at rest; with the weight of one pose
 * only, it has exactly the value of that pose. Rotations of two poses take the short arc at
 * constant speed; of more, the result is their normalised sum, each with the sign nearest to the
 * first that counts, or the heaviest if they cancel. */
OSSA_API void ossa_blend(const ossa_scene *scene, const ossa_layer *layers, size_t count,
                         ossa_transform *out);

/** The difference of two poses, for ossa_add_pose. `out` may be either.
 *
 * Rotations are relative to the bone's own axes (reference^-1 * pose, the short way), translations
 * along the parent's axes, and scales are factors (1 where the reference has 0). */
OSSA_API void ossa_make_additive(const ossa_scene *scene, const ossa_transform *pose,
                                 const ossa_transform *reference, ossa_transform *out);
/** Add a difference to a pose. `out` may be `base` or `added->locals`.
 *
 * With weight w: base * rotation^w, base + w * translation, base * (1 + w * (scale - 1)).
 * `added->weight` may be above 1 or negative. It counts as 0 if it is not finite, and so does the
 * weight of a bone that is negative or not finite. With weight 0, a bone keeps its exact value. */
OSSA_API void ossa_add_pose(const ossa_scene *scene, const ossa_transform *base,
                            const ossa_layer *added, ossa_transform *out);

/* ---- root motion --------------------------------------------------------------------------- */

/** Where a character stands on the ground.
 *
 * It is the x and z of the first bone, which is a root, and its rotation about +Y (the y and w of
 * its quaternion, normalised, w not negative), without height, pitch, roll and scale. Upside down,
 * where y and w are 0, the rotation is none. Without bones it is the origin. */
OSSA_API void ossa_ground(const ossa_scene *scene, const ossa_transform *locals,
                          ossa_transform *ground);
/** Remove the ground transform from a pose: every root becomes ground^-1 * root, so that the
 * character stands at x = z = 0 without rotation about Y. ground * root restores the pose. `ground`
 * may be NULL. */
OSSA_API void ossa_stay_in_place(const ossa_scene *scene, ossa_transform *locals,
                                 ossa_transform *ground);
/** The movement of the ground transform between two times, relative to where it is at `from`:
 * world = world * motion.
 *
 * When the clip loops, each repetition continues where the last one ended; the step from the last
 * frame to the first, which the clip does not contain, is the mean of the steps before and after
 * it. With OSSA_WRAP_PING_PONG, the way back undoes the way there. If `to` is before `from`, the
 * result is the inverse. A clip of fewer than two frames does not move, and neither does anything
 * for a time that is not finite. */
OSSA_API void ossa_root_motion(const ossa_scene *scene, const ossa_clip *clip, double from,
                               double to, ossa_wrap wrap, ossa_transform *motion);

OSSA_END

#endif
