/* SPDX-License-Identifier: MIT
 *
 * The yardstick: what a competent engineer writes in an afternoon. Plain C in single precision, one
 * bone at a time, no SIMD and no tables; slerp with acos and sin, a 4 x 4 matrix product per bone.
 * It does less than Ossa: no visibility, no exact frames, no same bits on every machine. */
#ifndef OSSA_BENCH_NAIVE_H
#define OSSA_BENCH_NAIVE_H

#include "ossa/scene.h"

/* The pose at a time, which is clamped to the clip. */
void naive_sample(const ossa_scene *scene, const ossa_clip *clip, double seconds,
                  ossa_transform *locals);
/* The rotations straight from packed keys of an ANB, [bone][frame]; see naive_decode. */
void naive_sample_packed(const ossa_scene *scene, const ossa_clip *clip,
                         const uint32_t *const *keys, const float *const *pairs, double seconds,
                         ossa_transform *locals);
void naive_matrices(const ossa_scene *scene, const ossa_transform *locals, float (*matrices)[16]);
/* The weighted mean of poses; the weights add up to 1. */
void naive_blend(const ossa_scene *scene, const ossa_transform *const *poses, const float *weights,
                 size_t count, ossa_transform *out);
/* Keys of an ANB's flag 6 with centre and extent per component, to x y z w `stride` floats apart.
 */
void naive_decode(const uint32_t *keys, uint32_t count, const float *pairs, float *rotations,
                  size_t stride);
/* Floats as text, in rows of ten, until `size` bytes are written; they are
 * repeated as often as that takes. */
void naive_print(const float *values, size_t count, char *text, size_t size);
/* The sum of all numbers in a JSON text, which does not end with one. */
double naive_parse(const char *json, size_t size);
/* How many parents of an ei-lnk are found among its parts, whatever their case. */
uint32_t naive_links(const uint8_t *file, size_t size);

#endif
