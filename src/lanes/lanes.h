/* SPDX-License-Identifier: MIT
 *
 * Floats side by side in one register: the few operations that the kernels are made of.
 *
 * OSSA__WIDTH is 1, 4 or 8 and defined by the file that includes this. Only + - * / and sqrt, each
 * rounded once, and never a fused multiply-add: a lane gives the same bits at every width and on
 * every machine. */
#ifndef OSSA_LANES_LANES_H
#define OSSA_LANES_LANES_H

#include "lanes/kernels.h"

#include <math.h>
#include <string.h>

/* Values must stay in registers, whatever a compiler thinks of the size of a loop. */
#ifdef __GNUC__
#define INLINE            static inline __attribute__((always_inline))
#define RARELY(condition) __builtin_expect(condition, 0)
#define OUT_OF_LINE       static __attribute__((noinline))
#else
#define INLINE            static inline
#define RARELY(condition) (condition)
#define OUT_OF_LINE       static
#endif

#if OSSA__WIDTH == 1

typedef float vf;
typedef int32_t vi;
typedef uint32_t vu;

INLINE vf vf_all(float x)
{
    return x;
}

INLINE vi vf_bits(vf x)
{
    vi bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

INLINE vf vf_of_bits(vi bits)
{
    vf x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* All bits of a lane where it holds, none elsewhere. */
INLINE vi vf_less(vf a, vf b)
{
    return a < b ? -1 : 0;
}

INLINE vi vf_at_least(vf a, vf b)
{
    return a >= b ? -1 : 0;
}

INLINE vf vf_choose(vi mask, vf a, vf b)
{
    return mask ? a : b;
}

INLINE bool vi_any(vi mask)
{
    return mask != 0;
}

INLINE vf vf_sqrt(vf x)
{
    return sqrtf(x);
}

INLINE vf vf_of_ints(vi x)
{
    return (float)x;
}

/* `width` bits of each lane that begin `left` bits below the top, as a signed number. */
INLINE vi vu_field(vu x, unsigned left, unsigned width)
{
    uint32_t bits = x << left;
    vi top;
    memcpy(&top, &bits, sizeof top);
    return top >> (32 - width); /* an arithmetic shift, with every compiler that has vectors */
}

#else

#if defined __SSE2__
#include <immintrin.h>
#elif defined __ARM_NEON
#include <arm_neon.h>
#elif defined __wasm_simd128__
#include <wasm_simd128.h>
#endif

typedef float vf __attribute__((vector_size(4 * OSSA__WIDTH)));
typedef int32_t vi __attribute__((vector_size(4 * OSSA__WIDTH)));
typedef uint32_t vu __attribute__((vector_size(4 * OSSA__WIDTH)));

/* Lanes of two vectors in a new order. */
#if defined __clang__ || __GNUC__ >= 12
#define VF_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define VF_SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (vi){__VA_ARGS__})
#endif

INLINE vf vf_all(float x)
{
#if OSSA__WIDTH == 4
    return (vf){x, x, x, x};
#else
    return (vf){x, x, x, x, x, x, x, x};
#endif
}

INLINE vi vf_bits(vf x)
{
    return (vi)x;
}

INLINE vf vf_of_bits(vi bits)
{
    return (vf)bits;
}

INLINE vi vf_less(vf a, vf b)
{
    return a < b;
}

INLINE vi vf_at_least(vf a, vf b)
{
    return a >= b;
}

INLINE vf vf_of_ints(vi x)
{
    return __builtin_convertvector(x, vf);
}

INLINE vi vu_field(vu x, unsigned left, unsigned width)
{
    return (vi)(x << left) >> (32 - width);
}

#if OSSA__WIDTH == 8

INLINE vf vf_choose(vi mask, vf a, vf b)
{
    return _mm256_blendv_ps(b, a, (__m256)mask);
}

INLINE bool vi_any(vi mask)
{
    return _mm256_movemask_ps((__m256)mask) != 0;
}

INLINE vf vf_sqrt(vf x)
{
    return _mm256_sqrt_ps(x);
}

#else

INLINE vf vf_choose(vi mask, vf a, vf b)
{
    return (vf)((mask & (vi)a) | (~mask & (vi)b));
}

INLINE bool vi_any(vi mask)
{
#if defined __SSE2__
    return _mm_movemask_ps((__m128)mask) != 0;
#elif defined __ARM_NEON
    return vmaxvq_u32((uint32x4_t)mask) != 0;
#elif defined __wasm_simd128__
    return wasm_v128_any_true((v128_t)mask);
#else
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
#endif
}

INLINE vf vf_sqrt(vf x)
{
#if defined __SSE2__
    return _mm_sqrt_ps(x);
#elif defined __ARM_NEON
    return (vf)vsqrtq_f32((float32x4_t)x);
#elif defined __wasm_simd128__
    return (vf)wasm_f32x4_sqrt((v128_t)x);
#else
    return (vf){sqrtf(x[0]), sqrtf(x[1]), sqrtf(x[2]), sqrtf(x[3])};
#endif
}

#endif
#endif

INLINE vf vf_load(const float *from)
{
    vf x;
    memcpy(&x, from, sizeof x);
    return x;
}

INLINE vu vu_load(const void *from)
{
    vu x;
    memcpy(&x, from, sizeof x);
    return x;
}

INLINE vi vi_load(const int32_t *from)
{
    vi x;
    memcpy(&x, from, sizeof x);
    return x;
}

INLINE void vf_store(float *to, vf x)
{
    memcpy(to, &x, sizeof x);
}

/* ---- four values per lane <-> one row of four floats for each lane --------------------------- */

#if OSSA__WIDTH > 1
/* Rows and columns of four registers change places: in each quarter of a register, value k of
 * register i becomes value i of register k. */
INLINE void vf_transpose(const vf in[4], vf out[4])
{
#if OSSA__WIDTH == 4
    vf a = VF_SHUFFLE(in[0], in[1], 0, 4, 1, 5);
    vf b = VF_SHUFFLE(in[0], in[1], 2, 6, 3, 7);
    vf c = VF_SHUFFLE(in[2], in[3], 0, 4, 1, 5);
    vf d = VF_SHUFFLE(in[2], in[3], 2, 6, 3, 7);
    out[0] = VF_SHUFFLE(a, c, 0, 1, 4, 5);
    out[1] = VF_SHUFFLE(a, c, 2, 3, 6, 7);
    out[2] = VF_SHUFFLE(b, d, 0, 1, 4, 5);
    out[3] = VF_SHUFFLE(b, d, 2, 3, 6, 7);
#else
    vf a = _mm256_unpacklo_ps(in[0], in[1]);
    vf b = _mm256_unpackhi_ps(in[0], in[1]);
    vf c = _mm256_unpacklo_ps(in[2], in[3]);
    vf d = _mm256_unpackhi_ps(in[2], in[3]);
    out[0] = _mm256_shuffle_ps(a, c, 0x44);
    out[1] = _mm256_shuffle_ps(a, c, 0xEE);
    out[2] = _mm256_shuffle_ps(b, d, 0x44);
    out[3] = _mm256_shuffle_ps(b, d, 0xEE);
#endif
}
#endif

/* Read rows of four floats, row i at rows[i]: v[k] gets value k of every row. */
INLINE void vf_load_rows(const float *const rows[OSSA__WIDTH], vf v[4])
{
#if OSSA__WIDTH == 1
    for (unsigned k = 0; k < 4; k++) v[k] = rows[0][k];
#else
    vf r[4]; /* row i, or rows i and i + 4 */
    for (unsigned i = 0; i < 4; i++) {
#if OSSA__WIDTH == 4
        r[i] = vf_load(rows[i]);
#else
        r[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(rows[i])),
                                    _mm_loadu_ps(rows[i + 4]), 1);
#endif
    }
    vf_transpose(r, v);
#endif
}

/* One row of four floats. */
#if OSSA__WIDTH == 1
typedef struct {
    float of[4];
} vrow;

INLINE void vrow_store(float *to, vrow row)
{
    memcpy(to, row.of, sizeof row.of);
}
#elif OSSA__WIDTH == 4
typedef vf vrow;

INLINE void vrow_store(float *to, vrow row)
{
    vf_store(to, row);
}
#else
typedef __m128 vrow;

INLINE void vrow_store(float *to, vrow row)
{
    _mm_storeu_ps(to, row);
}
#endif

/* The other way: row i is (v[0], v[1], v[2], v[3]) of lane i. */
INLINE void vf_to_rows(const vf v[4], vrow rows[OSSA__WIDTH])
{
#if OSSA__WIDTH == 1
    for (unsigned k = 0; k < 4; k++) rows[0].of[k] = v[k];
#elif OSSA__WIDTH == 4
    vf_transpose(v, rows);
#else
    vf r[4];
    vf_transpose(v, r);
    for (unsigned i = 0; i < 4; i++) {
        rows[i] = _mm256_castps256_ps128(r[i]);
        rows[i + 4] = _mm256_extractf128_ps(r[i], 1);
    }
#endif
}

#endif
