/* SPDX-License-Identifier: MIT
 *
 * Poses from a scene: at any time, into buffers that the caller owns. Nothing is allocated and
 * nothing is written but the buffers, so that many threads may share a scene. The scene and its
 * arrays must be valid (ossa_scene_validate) and pointers must not be NULL unless it says so; every
 * number that is given, a time or a weight, may be anything. Results are the same bits on every
 * machine. docs/sampling.md says it all in words. */
#ifndef OSSA_SAMPLE_H
#define OSSA_SAMPLE_H

#include "ossa/scene.h"

OSSA_BEGIN

/* What a time outside of a clip means. One that is not finite is the start; clamped, infinity is
 * the end. */
typedef enum ossa_wrap {
    OSSA_WRAP_CLAMP, /* before the start is the first frame, after the end the last */
    OSSA_WRAP_LOOP, /* time goes round after frame_count / fps; the last frame blends into the first
                     */
    OSSA_WRAP_PING_PONG, /* to the last frame and back again: round after 2 (frame_count - 1) / fps
                          */
} ossa_wrap;

/* The pose of a clip at a time in seconds: `locals` is [bone_count], from each bone's parent;
 * `visible` is [bone_count] or NULL. At a frame's time the result is that frame's values; between
 * two, rotations turn along the short arc at even speed, translations and scales go straight, and
 * visibility is that of the frame before (of the earlier one in the clip, also on the way back). A
 * time within a millionth of a frame of a frame's time is that time. A clip of no frames gives its
 * constants, one of one frame always that frame. */
OSSA_API void ossa_sample(const ossa_scene *scene, const ossa_clip *clip, double seconds,
                          ossa_wrap wrap, ossa_transform *locals, uint8_t *visible);

/* One frame, exactly; past the last it is the last. */
OSSA_API void ossa_sample_frame(const ossa_scene *scene, const ossa_clip *clip, uint32_t frame,
                                ossa_transform *locals, uint8_t *visible);

/* Where a camera is at a time (its scale is 1), and its field of view (NULL: not asked for): as in
 * a clip, exact at its keys. Looped, time goes round after the last key's time and the path jumps
 * from its end to its start: one that is meant to loop ends where it began. */
OSSA_API void ossa_sample_camera(const ossa_camera *camera, double seconds, ossa_wrap wrap,
                                 ossa_transform *place, float *field_of_view);

/* How much each target of a mesh counts at a time: `weights` is [target_count]. At a frame's time
 * it is that frame's shape alone, of weight 1; between two it goes straight from one to the other.
 * Where the clip does not change the mesh, all are 0. */
OSSA_API void ossa_sample_morphs(const ossa_scene *scene, const ossa_clip *clip, double seconds,
                                 ossa_wrap wrap, uint32_t mesh, float *weights);
/* The vertices of a mesh with that much of its targets added, in the space of its bone: `positions`
 * is [vertex_count]. A weight that is not finite counts as 0. */
OSSA_API void ossa_morph_mesh(const ossa_mesh *mesh, const float *weights, float (*positions)[3]);

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

/* ---- skinning ------------------------------------------------------------------------------ */

/** The inverse bind matrices: the inverse of each bone's model matrix in the rest pose.
 *
 * `inverse_binds` is [bone_count]. matrices[b] * inverse_binds[b] takes a point of the model at
 * rest to where bone b takes it in a pose. A bone whose rest matrix is singular, because it or a
 * bone above it has a scale of 0, has no inverse and gets the identity; the glTF writer does the
 * same. */
OSSA_API void ossa_bind_matrices(const ossa_scene *scene, float (*inverse_binds)[16]);

/** The vertices of a mesh in a pose, in model space.
 *
 * Handles meshes of one bone, meshes with vertex_bones, and morph targets. `matrices` come from
 * ossa_model_matrices, `weights` from ossa_sample_morphs; NULL weights mean that no target counts,
 * and one that is not finite counts as 0. `positions` is [vertex_count], and so is `normals`, which
 * may be NULL if they are not wanted.
 *
 * Normals are transformed by the inverse transpose of the bone's matrix and have length 1. They
 * point outwards also where a bone mirrors. Morph targets do not change them. A normal is 0 0 0 if
 * the mesh has none, or if a bone with a scale of 0 leaves it no direction; the positions of such a
 * bone's vertices are flattened, which is no error. */
OSSA_API void ossa_skin_mesh(const ossa_scene *scene, const ossa_mesh *mesh,
                             const float (*matrices)[16], const float *weights,
                             float (*positions)[3], float (*normals)[3]);

/* ---- blending ------------------------------------------------------------------------------ */

/* A pose and how much it counts: weight * bone_weights[bone]. */
typedef struct ossa_layer {
    const ossa_transform *locals; /* [bone_count]; NULL: it does not count */
    float weight;                 /* 0 or more */
    const float *bone_weights;    /* [bone_count], 0 or more; NULL: 1 for every bone */
} ossa_layer;

/* The mean of poses, bone by bone; weights need not add up to 1. A weight that is negative or not
 * finite counts as 0, and what counts as 0 is not looked at. Where nothing counts a bone is at
 * rest; where one pose does, it is that one, bit for bit. Rotations of two poses turn along the
 * short arc at even speed; of more it is the normalised sum, each on the side of the first that
 * counts, or the heaviest where they cancel. `out` may be the pose of a layer. */
OSSA_API void ossa_blend(const ossa_scene *scene, const ossa_layer *layers, size_t count,
                         ossa_transform *out);

/* What a pose adds to another: the turn from `reference` to `pose` about the bone's own axes
 * (reference^-1 * pose, the short way), the way between their places along the parent's axes, scale
 * as a factor (1 where the reference has 0). `out` may be either. */
OSSA_API void ossa_make_additive(const ossa_scene *scene, const ossa_transform *pose,
                                 const ossa_transform *reference, ossa_transform *out);
/* Put that on a pose: with weight w, base * turn^w, base + w * way, base * (1 + w * (factor - 1)).
 * `added->weight` may be above 1 or below 0; one that is not finite counts as 0, and so does a
 * bone's weight that is negative. Where it is 0 a bone keeps its bits. `out` may be `base` or what
 * is added. */
OSSA_API void ossa_add_pose(const ossa_scene *scene, const ossa_transform *base,
                            const ossa_layer *added, ossa_transform *out);

/* ---- root motion --------------------------------------------------------------------------- */

/* Where a character stands on the ground: x and z of the first bone, which is a root, and its turn
 * about +Y (the y and w of its rotation, normalised, w not below 0), without height, nod, roll and
 * scale. Upside down, where y and w are 0, it has no turn; without bones it is at 0. */
OSSA_API void ossa_ground(const ossa_scene *scene, const ossa_transform *locals,
                          ossa_transform *ground);
/* Take that out of a pose: every root becomes ground^-1 * root, so that the character stands at x =
 * z = 0 and is not turned about Y, and ground * root is the pose as it was. `ground` may be NULL.
 */
OSSA_API void ossa_stay_in_place(const ossa_scene *scene, ossa_transform *locals,
                                 ossa_transform *ground);
/* How the ground place moves between two times, seen from where it is at `from`: put it after the
 * character's own placement, world = world * motion. When the clip loops, each time round carries
 * on from where the last one ended; the step from the last frame to the next first one, of which
 * the clip says nothing, is the mean of the steps before and after it. With PING_PONG the way back
 * takes back the way there. With `to` before `from` it is the inverse. A clip of fewer than two
 * frames moves nothing, nor does a time that is not finite. */
OSSA_API void ossa_root_motion(const ossa_scene *scene, const ossa_clip *clip, double from,
                               double to, ossa_wrap wrap, ossa_transform *motion);

OSSA_END

#endif
