/* SPDX-License-Identifier: MIT
 *
 * Model matrices: the columns of a register's width of bones at once, then one bone after another
 * with its parent, which comes before it. */
#ifndef OSSA_LANES_MATRICES_H
#define OSSA_LANES_MATRICES_H

#include "lanes/lanes.h"

/* Translations, rotations and scales of some bones. */
struct pose {
    vf t[3];
    vf q[4];
    vf s[3];
};

/* The local matrices: columns[c] has the three values of column c. */
INLINE void local_columns(const struct pose *pose, vf columns[4][4])
{
    vf x = pose->q[0];
    vf y = pose->q[1];
    vf z = pose->q[2];
    vf w = pose->q[3];
    vf x2 = x + x;
    vf y2 = y + y;
    vf z2 = z + z;
    vf xx = x * x2;
    vf yy = y * y2;
    vf zz = z * z2;
    vf xy = x * y2;
    vf xz = x * z2;
    vf yz = y * z2;
    vf wx = w * x2;
    vf wy = w * y2;
    vf wz = w * z2;
    columns[0][0] = (1.0F - (yy + zz)) * pose->s[0];
    columns[0][1] = (xy + wz) * pose->s[0];
    columns[0][2] = (xz - wy) * pose->s[0];
    columns[1][0] = (xy - wz) * pose->s[1];
    columns[1][1] = (1.0F - (xx + zz)) * pose->s[1];
    columns[1][2] = (yz + wx) * pose->s[1];
    columns[2][0] = (xz + wy) * pose->s[2];
    columns[2][1] = (yz - wx) * pose->s[2];
    columns[2][2] = (1.0F - (xx + yy)) * pose->s[2];
    for (unsigned k = 0; k < 3; k++) columns[3][k] = pose->t[k];
    for (unsigned c = 0; c < 3; c++) columns[c][3] = vf_all(0.0F);
    columns[3][3] = vf_all(1.0F);
}

/* What a root is relative to, so that it needs no branch: its matrix is its own, but for the sign
 * of zeros, as everywhere. */
static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

/* Column c of a bone is (P0 * x + P1 * y) + (P2 * z + P3), with 0 for P3 in all but the last: a
 * zero is then never negative. A limb is a chain, so what counts is the time from a parent to its
 * child: the brackets make it one addition shorter. */
#if OSSA__WIDTH == 8

INLINE void place(const float *parent, const __m256 halves[2], float *out)
{
    const __m256 p0 = _mm256_broadcast_ps((const __m128 *)(const void *)parent);
    const __m256 p1 = _mm256_broadcast_ps((const __m128 *)(const void *)(parent + 4));
    const __m256 p2 = _mm256_broadcast_ps((const __m128 *)(const void *)(parent + 8));
    const __m256 p3 = _mm256_blend_ps(_mm256_setzero_ps(), _mm256_loadu_ps(parent + 8), 0xF0);
    const __m256 first =
        (p0 * _mm256_permute_ps(halves[0], 0x00) + p1 * _mm256_permute_ps(halves[0], 0x55)) +
        (p2 * _mm256_permute_ps(halves[0], 0xAA) + 0.0F);
    const __m256 second =
        (p0 * _mm256_permute_ps(halves[1], 0x00) + p1 * _mm256_permute_ps(halves[1], 0x55)) +
        (p2 * _mm256_permute_ps(halves[1], 0xAA) + p3);
    _mm256_storeu_ps(out, first);
    _mm256_storeu_ps(out + 8, second);
}

/* Two columns of each bone side by side. */
INLINE void place_all(const struct pose *pose, const int32_t *parents, size_t stride,
                      uint32_t first, uint32_t count, float (*matrices)[16])
{
    vf columns[4][4];
    vf rows[4][4]; /* [column][i]: bones i and i + 4 */
    __m256 halves[8][2];
    local_columns(pose, columns);
    for (unsigned c = 0; c < 4; c++) vf_transpose(columns[c], rows[c]);
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned half = 0; half < 2; half++) {
            vf even = rows[2 * half][i];
            vf odd = rows[2 * half + 1][i];
            halves[i][half] = _mm256_permute2f128_ps(even, odd, 0x20);
            halves[i + 4][half] = _mm256_permute2f128_ps(even, odd, 0x31);
        }
    }
    const char *parent_at = (const char *)parents + first * stride;
    for (uint32_t i = 0; i < count; i++, parent_at += stride) {
        int32_t parent = *(const int32_t *)(const void *)parent_at;
        place(parent < 0 ? identity : matrices[parent], halves[i], matrices[first + i]);
    }
}

#else

#if OSSA__WIDTH == 4

INLINE void place(const float *parent, const vf column, vf last, float *out)
{
    vf p0 = vf_load(parent);
    vf p1 = vf_load(parent + 4);
    vf p2 = vf_load(parent + 8);
    vf x = VF_SHUFFLE(column, column, 0, 0, 0, 0);
    vf y = VF_SHUFFLE(column, column, 1, 1, 1, 1);
    vf z = VF_SHUFFLE(column, column, 2, 2, 2, 2);
    vf_store(out, (p0 * x + p1 * y) + (p2 * z + last));
}

#endif

INLINE void place_all(const struct pose *pose, const int32_t *parents, size_t stride,
                      uint32_t first, uint32_t count, float (*matrices)[16])
{
    vf columns[4][4];
    vrow rows[4][OSSA__WIDTH];
    local_columns(pose, columns);
    for (unsigned c = 0; c < 4; c++) vf_to_rows(columns[c], rows[c]);
    const char *parent_at = (const char *)parents + first * stride;
    for (uint32_t i = 0; i < count; i++, parent_at += stride) {
        int32_t index = *(const int32_t *)(const void *)parent_at;
        const float *parent = index < 0 ? identity : matrices[index];
        float *out = matrices[first + i];
#if OSSA__WIDTH == 4
        for (unsigned c = 0; c < 3; c++) place(parent, rows[c][i], vf_all(0.0F), out + 4 * c);
        place(parent, rows[3][i], vf_load(parent + 12), out + 12);
#else
        for (unsigned c = 0; c < 4; c++) {
            const float *column = rows[c][0].of;
            for (unsigned r = 0; r < 4; r++) {
                float last = c == 3 ? parent[12 + r] : 0.0F;
                out[4 * c + r] = (parent[r] * column[0] + parent[4 + r] * column[1]) +
                                 (parent[8 + r] * column[2] + last);
            }
        }
#endif
    }
}

#endif
#endif
