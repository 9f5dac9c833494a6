/* SPDX-License-Identifier: MIT
 *
 * How the rotations of an ANB's bones are stored. */
#ifndef OSSA_SOTC_ROTATION_H
#define OSSA_SOTC_ROTATION_H

#include "ossa/games/shadow_of_the_colossus.h"
#include "ossa/keys.h"

struct ossa__anb_flag {
    uint8_t flag;
    uint8_t constants; /* floats in the record */
    uint8_t members;   /* integers per key; 0: neither keys nor an offset of them */
    bool packed;       /* keys are u32, otherwise i16 */
    const char *title;
};

/* The quaternion of a bone in a pose that exists, i j k s, as stored. False, and no rotation, for
 * an unknown flag. */
bool ossa__anb_quaternion(const ossa_sotc_bone *bone, uint32_t pose, double ijks[4]);

/* NULL for an unknown flag. */
const struct ossa__anb_flag *ossa__anb_flag(uint8_t flag);
/* Bytes of a record and of one key; 0 for an unknown flag. */
uint32_t ossa__anb_record_size(uint8_t flag);
uint32_t ossa__anb_key_size(uint8_t flag);

/* The rotations of a bone in the space of a scene, x y z w, in `count` poses from `first` on; each
 * is `stride` floats after the one before. False if one of them is not a rotation. */
bool ossa__anb_rotations(const ossa_sotc_bone *bone, uint32_t first, uint32_t count, float *out,
                         size_t stride);

/* How the keys of a flag are stored, and the constants of its record; NULL: it has none. */
const ossa_key_layout *ossa__anb_key_layout(uint8_t flag);
const ossa_key_layout *ossa__anb_constants_layout(uint8_t flag);

/* May the rotation change in the course of `poses`? No if all keys are stored alike. */
bool ossa__anb_changes(const ossa_sotc_bone *bone, uint32_t poses);

#endif
