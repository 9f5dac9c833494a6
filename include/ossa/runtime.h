/* SPDX-License-Identifier: MIT */
/** @file
 * Clips laid out for playing them many times: crowds, games, blending.
 *
 *     ossa_runtime *walk = ossa_runtime_new(scene, clip, NULL, &error);
 *     ...
 *     ossa_runtime_matrices(walk, seconds, OSSA_WRAP_LOOP, matrices);
 *     ...
 *     ossa_runtime_free(walk);
 *
 * A runtime clip holds all that it needs: the scene may be freed. It never changes, so any number
 * of threads may play it, and playing allocates nothing and takes no lock. Results go to buffers of
 * the caller and are, bit for bit, those of ossa_sample and ossa_model_matrices, on every machine.
 * Buffers need no more than the alignment of a float, and nothing is written after their end.
 * Pointers must not be NULL unless stated; those to buffers may be if there are no bones.
 * Only transforms are played; for visibility and morphs see ossa_sample and ossa_sample_morphs. See
 * also docs/sampling.md. */
#ifndef OSSA_RUNTIME_H
#define OSSA_RUNTIME_H

#include "ossa/sample.h"

OSSA_BEGIN

/** The number of bones side by side in an ossa_soa. */
#define OSSA_SOA_LANES 8

/** The transforms of eight bones, value by value. Bone b is lane b % 8 of element b / 8. Poses that
 * this library writes have identities in the lanes after the last bone; in poses that you fill
 * yourself, those lanes may hold anything, but ossa_runtime_blend may then copy or mix it. */
typedef struct ossa_soa {
    float translation[3][OSSA_SOA_LANES];
    float rotation[4][OSSA_SOA_LANES]; /**< x y z w */
    float scale[3][OSSA_SOA_LANES];
} ossa_soa;

/** The number of ossa_soa that a pose of so many bones takes. */
#define OSSA_SOA_COUNT(bone_count) (((bone_count) + OSSA_SOA_LANES - 1) / OSSA_SOA_LANES)

/** Rotations of one bone that stay packed, in 4 bytes per key instead of 16.
 *
 * From the top bit down, a key has one field for each of x y z w: signed, 9 bits for the stored
 * ones, 5 for the one left out, whose top bit is its sign. A stored component is
 * field / 256 * extent + centre; the one left out makes the length 1. */
typedef struct ossa_packed_track {
    uint32_t bone;
    uint32_t missing;     /**< the component left out: 0 is x */
    bool flip;            /**< the sign of the component left out is the other way round */
    float centre[3];      /**< of the stored components, in order */
    float extent[3];      /**< likewise; if one exceeds 1, the keys do not stay packed */
    const uint32_t *keys; /**< [frame_count of the clip], copied */
} ossa_packed_track;

/** How a runtime clip is made. */
typedef struct ossa_runtime_options {
    /** Used instead of the clip's rotations of these bones, in any order, at most one per bone. A
     * component is then at most 3e-7 away from what the key means. Bones share a group if they
     * share an ossa_soa; keys stay packed in groups in which nothing else rotates. */
    const ossa_packed_track *packed;
    uint32_t packed_count;
    ossa_allocator allocator; /**< all NULL: malloc and free */
} ossa_runtime_options;

/** A clip laid out for playing. */
typedef struct ossa_runtime ossa_runtime;

/** Lay out a clip of a scene. Both must be valid (ossa_scene_validate). `options` and `error` may
 * be NULL. Returns NULL with OSSA_CODE_OUT_OF_MEMORY, with OSSA_CODE_BAD_ARGUMENT if a packed track
 * does not fit the scene, or with OSSA_CODE_BAD_VALUE if one of its keys is not a rotation. */
OSSA_API ossa_runtime *ossa_runtime_new(const ossa_scene *scene, const ossa_clip *clip,
                                        const ossa_runtime_options *options, ossa_error *error);
/** Free a runtime clip. NULL is allowed. */
OSSA_API void ossa_runtime_free(ossa_runtime *runtime);

/** The number of bones. */
OSSA_API uint32_t ossa_runtime_bone_count(const ossa_runtime *runtime);
/** The bytes that it takes, in one allocation. */
OSSA_API size_t ossa_runtime_size(const ossa_runtime *runtime);

/** The pose at a time in seconds, as by ossa_sample. `pose` is [OSSA_SOA_COUNT(bone_count)]. */
OSSA_API void ossa_runtime_sample(const ossa_runtime *runtime, double seconds, ossa_wrap wrap,
                                  ossa_soa *pose);
/** The same as transforms. `locals` is [bone_count]. */
OSSA_API void ossa_runtime_locals(const ossa_runtime *runtime, double seconds, ossa_wrap wrap,
                                  ossa_transform *locals);
/** The model matrices at a time, in one go. `matrices` is [bone_count]. */
OSSA_API void ossa_runtime_matrices(const ossa_runtime *runtime, double seconds, ossa_wrap wrap,
                                    float (*matrices)[16]);

/** One character of a crowd. */
typedef struct ossa_runtime_job {
    const ossa_runtime *runtime;
    double seconds;
    ossa_wrap wrap;
    float (*matrices)[16]; /**< [bone_count] */
} ossa_runtime_job;

/** ossa_runtime_matrices for many: while one is computed, the keys of the next are fetched from
 * memory. `jobs` may be NULL if `count` is 0. To use several cores, give each thread a part of the
 * jobs; no two jobs may write to the same matrices. */
OSSA_API void ossa_runtime_crowd(const ossa_runtime_job *jobs, size_t count);

/** A pose and its weight, as ossa_layer. */
typedef struct ossa_soa_layer {
    const ossa_soa *pose;      /**< NULL: the layer is ignored */
    float weight;              /**< 0 or more */
    const float *bone_weights; /**< [bone_count], 0 or more; NULL: 1 for every bone */
} ossa_soa_layer;

/** Blend poses of one skeleton, one after another: each is mixed into those before it, with its
 * share of the weights so far. Of `runtime` only the skeleton and its rest pose are used: any clip
 * of the same skeleton will do. `out` may be the pose of a layer.
 *
 * Weights are as in ossa_blend. For two poses the results agree, rounding apart; for more,
 * rotations depend on the order. A bone with one pose that counts has its exact values, and a bone
 * with none is at rest. */
OSSA_API void ossa_runtime_blend(const ossa_runtime *runtime, const ossa_soa_layer *layers,
                                 size_t count, ossa_soa *out);

/** The model matrices of a pose: column-major, in the space of the model, as by
 * ossa_model_matrices. Of `runtime` only the skeleton is used. `matrices` is [bone_count]. */
OSSA_API void ossa_runtime_model(const ossa_runtime *runtime, const ossa_soa *pose,
                                 float (*matrices)[16]);

OSSA_END

#endif
