/* SPDX-License-Identifier: MIT
 *
 * Packing rotations into the keys of an ANB: the way back of sotc_rotation.c. Rotations are stored
 * ones, x y z w being i j k s, of length 1. Errors are angles in radians. */
#ifndef OSSA_SOTC_PACK_H
#define OSSA_SOTC_PACK_H

#include "base/quaternion.h"
#include "codec/context.h"
#include "formats/shadow_of_the_colossus/sotc_rotation.h"

/* A key of any flag. */
union ossa__anb_key {
    uint32_t packed;
    int16_t triple[3];
    int16_t angle;
};

/* The rotation of a bone in a pose, of length 1; false if there is none. */
bool ossa__anb_rotation(const ossa_sotc_bone *bone, uint32_t pose, struct ossa__quat *rotation);

/* The 4 bits of unknown use in a packed key; 0 for other flags. */
unsigned ossa__anb_odd_bits(const ossa_sotc_bone *bone, uint32_t pose);

/* The key that is nearest to a rotation with the flag and the constants of a bone, with those odd
 * bits. False if the rotation is out of their range, or the flag has no keys. */
bool ossa__anb_encode(const ossa_sotc_bone *bone, struct ossa__quat wanted, unsigned odd_bits,
                      union ossa__anb_key *key, double *error);

/* Keys of a flag, for `count` poses, in the arena; NULL after a failure. */
void *ossa__anb_take_keys(struct ossa__context *context, uint8_t flag, uint32_t count);
void ossa__anb_put_key(uint8_t flag, void *keys, uint32_t pose, union ossa__anb_key key);
/* The keys that a bone has, and others for it. */
const void *ossa__anb_keys(const ossa_sotc_bone *bone);
void ossa__anb_set_keys(ossa_sotc_bone *bone, const void *keys);

/* What the choice of a packing goes by. */
struct ossa__anb_wish {
    const struct ossa__quat *wanted; /* [count] */
    uint32_t count;                  /* at least 1 */
    double same;                     /* rotations that are as near to each other are one */
    double limit;                    /* of the error */
};

/* Pack the rotations of a bone anew: with its own flag if the error is within the limit; otherwise
 * with the smallest packing of which that is true, or else with the one of the smallest error.
 * `bone` is as it was, with keys in `old_count` poses, and gets other constants and keys. False
 * after a failure. */
bool ossa__anb_pack(struct ossa__context *context, ossa_sotc_bone *bone, uint32_t old_count,
                    const struct ossa__anb_wish *wish, double *error);

#endif
