/* SPDX-License-Identifier: MIT
 *
 * The rotations of an ANB's bones in the space of a scene: a stored (i, j, k, s) becomes
 * (-i, j, k, s). Everything is computed in double and rounded once, as in sotc_rotation.c, but
 * packed keys several at a time: an assembly spends its time here.
 *
 * The result is that of ossa_sotc_quaternion, made to length 1 in double and rounded to float, to
 * the last bit. */
#include "formats/shadow_of_the_colossus/sotc_rotation.h"

#include "base/quaternion.h"

#include <string.h>

/* ---- lanes --------------------------------------------------------------------------------- */

#if defined __AVX2__
#define LANES 4
#else
#define LANES 2
#endif

#if defined __SSE2__
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

typedef double doubles __attribute__((vector_size(LANES * sizeof(double))));
typedef int64_t masks __attribute__((vector_size(LANES * sizeof(int64_t))));
typedef int32_t ints __attribute__((vector_size(LANES * sizeof(int32_t))));
typedef uint32_t words __attribute__((vector_size(LANES * sizeof(uint32_t))));

#if LANES == 4
INLINE doubles from_ints(ints x)
{
    return _mm256_cvtepi32_pd((__m128i)x);
}
INLINE masks lengthen(ints x)
{
    return (masks)_mm256_cvtepi32_epi64((__m128i)x);
}
INLINE doubles square_roots(doubles x)
{
    return _mm256_sqrt_pd(x);
}
INLINE bool are_all(masks mask)
{
    return _mm256_movemask_pd((__m256d)mask) == 15;
}

/* Store the first `count` of the rotations. */
INLINE void store(doubles x, doubles y, doubles z, doubles w, uint32_t count, float *out,
                  size_t stride)
{
    __m128 r0 = _mm256_cvtpd_ps(x);
    __m128 r1 = _mm256_cvtpd_ps(y);
    __m128 r2 = _mm256_cvtpd_ps(z);
    __m128 r3 = _mm256_cvtpd_ps(w);
    _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
    _mm_storeu_ps(out, r0);
    if (count > 1) _mm_storeu_ps(out + stride, r1);
    if (count > 2) _mm_storeu_ps(out + 2 * stride, r2);
    if (count > 3) _mm_storeu_ps(out + 3 * stride, r3);
}
#elif defined __SSE2__
INLINE doubles from_ints(ints x)
{
    return __builtin_convertvector(x, doubles);
}
INLINE masks lengthen(ints x)
{
    return __builtin_convertvector(x, masks);
}
INLINE doubles square_roots(doubles x)
{
    return _mm_sqrt_pd(x);
}
INLINE bool are_all(masks mask)
{
    return _mm_movemask_pd((__m128d)mask) == 3;
}

INLINE void store(doubles x, doubles y, doubles z, doubles w, uint32_t count, float *out,
                  size_t stride)
{
    __m128 low = _mm_unpacklo_ps(_mm_cvtpd_ps(x), _mm_cvtpd_ps(y));
    __m128 high = _mm_unpacklo_ps(_mm_cvtpd_ps(z), _mm_cvtpd_ps(w));
    _mm_storeu_ps(out, _mm_movelh_ps(low, high));
    if (count > 1) _mm_storeu_ps(out + stride, _mm_movehl_ps(high, low));
}
#else
INLINE doubles from_ints(ints x)
{
    return __builtin_convertvector(x, doubles);
}
INLINE masks lengthen(ints x)
{
    return __builtin_convertvector(x, masks);
}
INLINE doubles square_roots(doubles x)
{
    return (doubles){sqrt(x[0]), sqrt(x[1])};
}
INLINE bool are_all(masks mask)
{
    return (mask[0] & mask[1]) != 0;
}

INLINE void store(doubles x, doubles y, doubles z, doubles w, uint32_t count, float *out,
                  size_t stride)
{
    for (uint32_t i = 0; i < count; i++, out += stride) {
        out[0] = (float)x[i];
        out[1] = (float)y[i];
        out[2] = (float)z[i];
        out[3] = (float)w[i];
    }
}
#endif

INLINE doubles choose(masks mask, doubles a, doubles b)
{
#if LANES == 4
    return _mm256_blendv_pd(b, a, (__m256d)mask);
#else
    return (doubles)((mask & (masks)a) | (~mask & (masks)b));
#endif
}

/* ---- packed keys --------------------------------------------------------------------------- */

/* How the components of a bone's packed keys are stored: field * extent + centre. */
struct scale {
    double centre[3];
    double extent[3];
};

/* Component c of the three that are stored, a field of 9 bits. The one that is missing has 5. */
INLINE doubles component(words keys, unsigned c, unsigned missing, const struct scale *scale)
{
    ints top = (ints)(keys << (c < missing ? 9 * c : 9 * c + 5));
    return from_ints(top >> 23) * scale->extent[c] + scale->centre[c];
}

/* 1 / sqrt(x), both rounded, where x is 1 but for a few units in the last place: without a root and
 * a division. With u = 2^-52, the root of 1 + k u is rounded to 1 + floor(k / 2) u, and its inverse
 * to 1 - floor(k / 2) u. Those of 1 - k u / 2 are 1 - ceil(k / 2) u / 2 and 1 + ceil(k / 4) u. */
INLINE doubles inverse_roots_near_1(doubles x)
{
    const double u = 0x1p-52;
    doubles half = x * 0.5 - 0.5; /* exact */
    doubles above = 2.0 - (1.0 + (half - 0.25 * u));
    doubles below = 1.0 + (0.375 * u - half);
    return choose(x < 1.0, below, above);
}

/* Rotations of which `q` has the square of the missing component in its place, stored as they are
 * made to length 1. False if one is not a rotation. */
static __attribute__((noinline)) bool normalise(doubles q[4], unsigned missing, const masks *signs,
                                                uint32_t count, float *out, size_t stride)
{
    masks is_there = q[missing] > 1e-9; /* otherwise the others exceed 1 by rounding */
    doubles root = square_roots((doubles)(is_there & (masks)q[missing]));
    q[missing] = (doubles)((masks)root ^ (*signs & is_there & INT64_MIN));
    doubles length = square_roots(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    doubles factor = 1.0 / length;
    store(q[0] * factor, q[1] * factor, q[2] * factor, q[3] * factor, count, out, stride);
    return are_all((length > 1e-12) & (length < (double)INFINITY));
}

/* As many keys as there are lanes; the first `count` are stored. */
INLINE bool from_packed(const uint32_t *keys, unsigned missing, const struct scale *scale,
                        uint32_t count, float *out, size_t stride)
{
    words key;
    memcpy(&key, keys, sizeof key);
    doubles a = component(key, 0, missing, scale);
    doubles b = component(key, 1, missing, scale);
    doubles c = component(key, 2, missing, scale);
    masks signs = lengthen((ints)(key << 9 * missing));
    if (missing == 0) signs = ~signs;
    doubles aa = a * a;
    doubles bb = b * b;
    doubles cc = c * c;
    doubles rest = 1.0 - (aa + bb + cc);
    if (__builtin_expect(!are_all(rest > 1e-9), 0)) {
        doubles q[4] = {missing == 0 ? rest : a,
                        missing == 1  ? rest
                        : missing < 1 ? a
                                      : b,
                        missing == 2  ? rest
                        : missing < 2 ? b
                                      : c,
                        missing == 3 ? rest : c};
        return normalise(q, missing, &signs, count, out, stride);
    }
    doubles d = square_roots(rest);
    doubles dd = d * d;
    doubles dot = (missing == 0 ? dd : aa) +
                  (missing == 1  ? dd
                   : missing < 1 ? aa
                                 : bb) +
                  (missing == 2  ? dd
                   : missing < 2 ? bb
                                 : cc) +
                  (missing == 3 ? dd : cc);
    doubles factor = inverse_roots_near_1(dot);
    d = (doubles)((masks)d ^ (signs & INT64_MIN));
    store((missing == 0 ? d : a) * factor,
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
INLINE bool decode_without(unsigned missing, const ossa_sotc_bone *bone, uint32_t first,
                           uint32_t count, float *out, size_t stride)
{
    const uint32_t *keys = bone->keys.packed + first;
    struct scale scale;
    for (unsigned c = 0; c < 3; c++) {
        scale.centre[c] = (double)bone->constants[2 * c];
        scale.extent[c] = (double)bone->constants[2 * c + 1] / 256.0;
    }
    if (missing != 0) { /* x is -i; never -0 */
        scale.centre[0] = 0.0 - scale.centre[0];
        scale.extent[0] = -scale.extent[0];
    }
    bool fine = true;
    for (; count >= LANES; count -= LANES, keys += LANES, out += LANES * stride) {
        fine &= from_packed(keys, missing, &scale, LANES, out, stride);
    }
    if (count == 0) return fine;
    uint32_t last[LANES];
    for (unsigned i = 0; i < LANES; i++) last[i] = keys[i < count ? i : 0];
    return from_packed(last, missing, &scale, count, out, stride) && fine;
}

/* ---- all keys ------------------------------------------------------------------------------ */

static bool decode_each(const ossa_sotc_bone *bone, uint32_t first, uint32_t count, float *out,
                        size_t stride)
{
    bool fine = true;
    for (uint32_t i = 0; i < count; i++, out += stride) {
        double ijks[4];
        (void)ossa__anb_quaternion(bone, first + i, ijks);
        struct ossa__quat q = {0.0 - ijks[0], ijks[1], ijks[2], ijks[3]};
        fine = ossa__quat_normalise(&q) && fine;
        ossa__quat_store(q, out);
    }
    return fine;
}

bool ossa__anb_rotations(const ossa_sotc_bone *bone, uint32_t first, uint32_t count, float *out,
                         size_t stride)
{
    switch (bone->flag) {
    case 3: return decode_without(0, bone, first, count, out, stride);
    case 4: return decode_without(1, bone, first, count, out, stride);
    case 5: return decode_without(2, bone, first, count, out, stride);
    case 6: return decode_without(3, bone, first, count, out, stride);
    default: return decode_each(bone, first, count, out, stride);
    }
}

/* Are the items of an array, of so many bytes each, not all the same? */
static bool differ(const void *items, uint32_t count, size_t size)
{
    const uint8_t *bytes = items;
    return count > 1 && memcmp(bytes, bytes + size, (count - 1) * size) != 0;
}

bool ossa__anb_changes(const ossa_sotc_bone *bone, uint32_t poses)
{
    switch (bone->flag) {
    case 3:
    case 4:
    case 5:
    case 6: return differ(bone->keys.packed, poses, sizeof *bone->keys.packed);
    case 12: return differ(bone->keys.triple, poses, sizeof *bone->keys.triple);
    case 13: return differ(bone->keys.angle, poses, sizeof *bone->keys.angle);
    default: return false;
    }
}
