/* SPDX-License-Identifier: MIT
 *
 * Packed rotations in lanes. See struct ossa__packing. */
#ifndef OSSA_LANES_UNPACK_H
#define OSSA_LANES_UNPACK_H

#include "lanes/lanes.h"

/* Where the three components leave less than this for the square of the fourth, rounding the sum of
 * their squares would show in its root: floats are not enough. No encoder that leaves out the
 * largest component comes near it. */
#define THIN 0.125F

OUT_OF_LINE bool unpack_thin(const uint32_t *keys, const struct ossa__packed_shifts *shifts,
                             const struct ossa__packing *packing, unsigned lane, vi is_thin,
                             vf q[4])
{
    int32_t thin[OSSA__WIDTH];
    float values[4][OSSA__WIDTH];
    bool is_valid = true;
    memcpy(thin, &is_thin, sizeof thin);
    for (unsigned k = 0; k < 4; k++) vf_store(values[k], q[k]);
    for (unsigned i = 0; i < OSSA__WIDTH; i++) {
        float rotation[4];
        if (thin[i] == 0) continue;
        is_valid &= ossa__unpack_exactly(keys[i], shifts, packing, lane + i, rotation);
        for (unsigned k = 0; k < 4; k++) values[k][i] = rotation[k];
    }
    for (unsigned k = 0; k < 4; k++) q[k] = vf_load(values[k]);
    return is_valid;
}

/* One key for each lane; false if one of them has no rotation. `lane` is that of the packing. */
INLINE bool unpack(const uint32_t *keys, const struct ossa__packed_shifts *shifts,
                   const struct ossa__packing *packing, unsigned lane, vf q[4])
{
    vu key = vu_load(keys);
    vf stored[3];
    for (unsigned i = 0; i < 3; i++) {
        stored[i] =
            vf_of_ints(vu_field(key, shifts->field[i], 9)) * vf_load(&packing->step[i][lane]) +
            vf_load(&packing->centre[i][lane]);
    }
    vf rest = 1.0F - ((stored[0] * stored[0] + stored[1] * stored[1]) + stored[2] * stored[2]);
    vi sign = (vi)(key << shifts->sign) & vf_bits(vf_all(-0.0F));
    sign = sign ^ vi_load(&packing->flip[lane]);
    vf fourth = vf_of_bits(vf_bits(vf_sqrt(rest)) ^ sign);
    switch (packing->same_missing) {
    case 0: q[0] = fourth, q[1] = stored[0], q[2] = stored[1], q[3] = stored[2]; break;
    case 1: q[0] = stored[0], q[1] = fourth, q[2] = stored[1], q[3] = stored[2]; break;
    case 2: q[0] = stored[0], q[1] = stored[1], q[2] = fourth, q[3] = stored[2]; break;
    case 3: q[0] = stored[0], q[1] = stored[1], q[2] = stored[2], q[3] = fourth; break;
    default: {
        vi none[4]; /* where component k is the fourth */
        for (unsigned k = 0; k < 4; k++) none[k] = vi_load(&packing->missing[k][lane]);
        q[0] = vf_choose(none[0], fourth, stored[0]);
        q[1] = vf_choose(none[1], fourth, vf_choose(none[0], stored[0], stored[1]));
        q[2] = vf_choose(none[2], fourth, vf_choose(none[3], stored[2], stored[1]));
        q[3] = vf_choose(none[3], fourth, stored[2]);
    }
    }
    vi is_thin = ~vf_at_least(rest, vf_all(THIN)); /* not a number, too */
    if (RARELY(vi_any(is_thin))) return unpack_thin(keys, shifts, packing, lane, is_thin, q);
    return true;
}

#endif
