/* SPDX-License-Identifier: MIT
 *
 * The rotations of an ANB's bones in the space of a scene: a stored (i, j, k, s) becomes
 * (-i, j, k, s), made to length 1. Everything is computed in double and rounded once. */
#include "formats/shadow_of_the_colossus/sotc_rotation.h"

#include "base/quaternion.h"
#include "lanes/kernels.h"

#include <string.h>

/* Packed keys, several at a time: an assembly spends its time here. */
static bool decode_packed(const ossa_sotc_bone *bone, uint32_t first, uint32_t count, float *out,
                          size_t stride)
{
    unsigned missing = bone->flag - 3U;
    struct ossa__packing packing = {.same_missing = (int32_t)missing};
    packing.missing[missing][0] = -1;
    for (unsigned i = 0; i < 3; i++) {
        packing.centre[i][0] = bone->constants[2 * i];
        packing.step[i][0] = bone->constants[2 * i + 1] / 256.0F;
    }
    if (missing == 0) {
        packing.flip[0] = INT32_MIN;
    } else { /* never -0 */
        packing.centre[0][0] = 0.0F - packing.centre[0][0];
        packing.step[0][0] = -packing.step[0][0];
    }
    return ossa__kernels()->unpack_exactly(bone->keys.packed + first, count, &packing, out, stride);
}

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
    bool is_packed = bone->flag >= 3 && bone->flag <= 6;
    return is_packed ? decode_packed(bone, first, count, out, stride)
                     : decode_each(bone, first, count, out, stride);
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
