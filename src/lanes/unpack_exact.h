/* SPDX-License-Identifier: MIT
 *
 * Packed rotations in double, rounded to float once: bit for bit what ossa__unpack_exactly gives,
 * for keys that are kept. Half as many lanes as there are floats. */
#ifndef OSSA_LANES_UNPACK_EXACT_H
#define OSSA_LANES_UNPACK_EXACT_H

#include "lanes/lanes.h"

#if OSSA__WIDTH == 1

static bool unpack_exact_track(const uint32_t *keys, size_t count,
                               const struct ossa__packing *packing, float *rotations, size_t stride)
{
    unsigned missing = (unsigned)packing->same_missing;
    struct ossa__packed_shifts shifts = {.sign = 9 * missing};
    for (unsigned i = 0; i < 3; i++) shifts.field[i] = i < missing ? 9 * i : 9 * i + 5;
    bool is_valid = true;
    for (size_t i = 0; i < count; i++) {
        is_valid &= ossa__unpack_exactly(keys[i], &shifts, packing, 0, rotations + i * stride);
    }
    return is_valid;
}

#else

/* ---- lanes ----------------------------------------------------------------------------------- */

enum { HALF = OSSA__WIDTH / 2 };

typedef double vd __attribute__((vector_size(4 * OSSA__WIDTH)));
typedef int64_t vl __attribute__((vector_size(4 * OSSA__WIDTH)));
typedef int32_t vi_half __attribute__((vector_size(2 * OSSA__WIDTH)));
typedef uint32_t vu_half __attribute__((vector_size(2 * OSSA__WIDTH)));

INLINE vd vd_choose(vl mask, vd a, vd b)
{
#if OSSA__WIDTH == 8
    return _mm256_blendv_pd(b, a, (__m256d)mask);
#else
    return (vd)((mask & (vl)a) | (~mask & (vl)b));
#endif
}

INLINE bool vl_all(vl mask)
{
#if OSSA__WIDTH == 8
    return _mm256_movemask_pd((__m256d)mask) == 15;
#elif defined __SSE2__
    return _mm_movemask_pd((__m128d)mask) == 3;
#else
    return (mask[0] & mask[1]) != 0;
#endif
}

INLINE vd vd_sqrt(vd x)
{
#if OSSA__WIDTH == 8
    return _mm256_sqrt_pd(x);
#elif defined __SSE2__
    return _mm_sqrt_pd(x);
#elif defined __ARM_NEON
    return (vd)vsqrtq_f64((float64x2_t)x);
#elif defined __wasm_simd128__
    return (vd)wasm_f64x2_sqrt((v128_t)x);
#else
    return (vd){sqrt(x[0]), sqrt(x[1])};
#endif
}

/* gcc makes four instructions of the conversions that AVX2 has. */
INLINE vd vd_of_ints(vi_half x)
{
#if OSSA__WIDTH == 8
    return _mm256_cvtepi32_pd((__m128i)x);
#else
    return __builtin_convertvector(x, vd);
#endif
}

INLINE vl vl_of_ints(vi_half x)
{
#if OSSA__WIDTH == 8
    return (vl)_mm256_cvtepi32_epi64((__m128i)x);
#else
    return __builtin_convertvector(x, vl);
#endif
}

/* Round the lanes, and store the first `count`. */
INLINE void vd_store_rows(vd x, vd y, vd z, vd w, size_t count, float *out, size_t stride)
{
#if OSSA__WIDTH == 8
    __m128 r0 = _mm256_cvtpd_ps(x);
    __m128 r1 = _mm256_cvtpd_ps(y);
    __m128 r2 = _mm256_cvtpd_ps(z);
    __m128 r3 = _mm256_cvtpd_ps(w);
    _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
    _mm_storeu_ps(out, r0);
    if (count > 1) _mm_storeu_ps(out + stride, r1);
    if (count > 2) _mm_storeu_ps(out + 2 * stride, r2);
    if (count > 3) _mm_storeu_ps(out + 3 * stride, r3);
#elif defined __SSE2__
    __m128 low = _mm_unpacklo_ps(_mm_cvtpd_ps(x), _mm_cvtpd_ps(y));
    __m128 high = _mm_unpacklo_ps(_mm_cvtpd_ps(z), _mm_cvtpd_ps(w));
    _mm_storeu_ps(out, _mm_movelh_ps(low, high));
    if (count > 1) _mm_storeu_ps(out + stride, _mm_movehl_ps(high, low));
#else
    vf first = {(float)x[0], (float)y[0], (float)z[0], (float)w[0]};
    vf second = {(float)x[1], (float)y[1], (float)z[1], (float)w[1]};
    vf_store(out, first);
    if (count > 1) vf_store(out + stride, second);
#endif
}

/* ---- keys ------------------------------------------------------------------------------------ */

/* 1 / sqrt(x), both rounded, where x is 1 but for a few units in the last place: without a root and
 * a division. With u = 2^-52, the root of 1 + k u is rounded to 1 + floor(k / 2) u, and its inverse
 * to 1 - floor(k / 2) u. Those of 1 - k u / 2 are 1 - ceil(k / 2) u / 2 and 1 + ceil(k / 4) u. */
INLINE vd inverse_roots_near_1(vd x)
{
    const double u = 0x1p-52;
    vd half = x * 0.5 - 0.5; /* exact */
    vd above = 2.0 - (1.0 + (half - 0.25 * u));
    vd below = 1.0 + (0.375 * u - half);
    return vd_choose(x < 1.0, below, above);
}

/* Rotations made to length 1, of which `q` has the square of the missing component in its place.
 * False if one is not a rotation. */
OUT_OF_LINE bool store_normalised(vd q[4], unsigned missing, const vl *signs, size_t count,
                                  float *out, size_t stride)
{
    vl is_there = q[missing] > 1e-9; /* otherwise the others are too long, by rounding */
    vd root = vd_sqrt((vd)(is_there & (vl)q[missing]));
    q[missing] = (vd)((vl)root ^ (*signs & is_there));
    vd length = vd_sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    vd factor = 1.0 / length;
    vd_store_rows(q[0] * factor, q[1] * factor, q[2] * factor, q[3] * factor, count, out, stride);
    return vl_all((length > 1e-12) & (length < (double)INFINITY));
}

/* How the keys of a track are stored. */
struct exact_packing {
    double centre[3];
    double step[3];
    int32_t flip;
};

/* Component i of those that are stored. */
INLINE vd exact_component(vu_half key, unsigned missing, const struct exact_packing *packing,
                          unsigned i)
{
    unsigned left = i < missing ? 9 * i : 9 * i + 5;
    return vd_of_ints((vi_half)(key << left) >> 23) * packing->step[i] + packing->centre[i];
}

/* A key for each lane, of which the first `count` are stored. */
INLINE bool unpack_exact(const uint32_t *keys, unsigned missing,
                         const struct exact_packing *packing, size_t count, float *out,
                         size_t stride)
{
    vu_half key;
    memcpy(&key, keys, sizeof key);
    vd a = exact_component(key, missing, packing, 0);
    vd b = exact_component(key, missing, packing, 1);
    vd c = exact_component(key, missing, packing, 2);
    vl signs = vl_of_ints((vi_half)(key << 9 * missing) ^ packing->flip) & INT64_MIN;
    vd aa = a * a;
    vd bb = b * b;
    vd cc = c * c;
    vd rest = 1.0 - (aa + bb + cc);
    if (RARELY(!vl_all(rest > 1e-9))) {
        vd q[4] = {missing == 0 ? rest : a,
                   missing == 1  ? rest
                   : missing < 1 ? a
                                 : b,
                   missing == 2  ? rest
                   : missing < 2 ? b
                                 : c,
                   missing == 3 ? rest : c};
        return store_normalised(q, missing, &signs, count, out, stride);
    }
    vd d = vd_sqrt(rest);
    vd dd = d * d;
    vd length = (missing == 0 ? dd : aa) +
                (missing == 1  ? dd
                 : missing < 1 ? aa
                               : bb) +
                (missing == 2  ? dd
                 : missing < 2 ? bb
                               : cc) +
                (missing == 3 ? dd : cc);
    vd factor = inverse_roots_near_1(length);
    d = (vd)((vl)d ^ signs);
    vd_store_rows((missing == 0 ? d : a) * factor,
                  (missing == 1  ? d
                   : missing < 1 ? a
                                 : b) *
                      factor,
                  (missing == 2  ? d
                   : missing < 2 ? b
                                 : c) *
                      factor,
                  (missing == 3 ? d : c) * factor, count, out, stride);
    return true;
}

/* With a constant for `missing`, for the compiler's sake. */
INLINE bool unpack_exact_without(unsigned missing, const uint32_t *keys, size_t count,
                                 const struct exact_packing *packing, float *out, size_t stride)
{
    bool is_valid = true;
    for (; count >= HALF; count -= HALF, keys += HALF, out += HALF * stride) {
        is_valid &= unpack_exact(keys, missing, packing, HALF, out, stride);
    }
    if (count == 0) return is_valid;
    uint32_t last[HALF];
    for (size_t i = 0; i < HALF; i++) last[i] = keys[i < count ? i : 0];
    return unpack_exact(last, missing, packing, count, out, stride) && is_valid;
}

static bool unpack_exact_track(const uint32_t *keys, size_t count,
                               const struct ossa__packing *packing, float *rotations, size_t stride)
{
    struct exact_packing own = {.flip = packing->flip[0]};
    for (unsigned i = 0; i < 3; i++) {
        own.centre[i] = (double)packing->centre[i][0];
        own.step[i] = (double)packing->step[i][0];
    }
    switch (packing->same_missing) {
    case 0: return unpack_exact_without(0, keys, count, &own, rotations, stride);
    case 1: return unpack_exact_without(1, keys, count, &own, rotations, stride);
    case 2: return unpack_exact_without(2, keys, count, &own, rotations, stride);
    default: return unpack_exact_without(3, keys, count, &own, rotations, stride);
    }
}

#endif
#endif
