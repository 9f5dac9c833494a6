/* SPDX-License-Identifier: MIT
 *
 * Where the keys of an animation are in its file. */
#ifndef OSSA_MM_ANIM_H
#define OSSA_MM_ANIM_H

#include "ossa/games/midtown_madness.h"
#include "ossa/keys.h"

extern const ossa_key_layout ossa__mm_anim_rotation;
extern const ossa_key_layout ossa__mm_anim_translation;

/* The offset of the first float of a channel of the animation; the others follow without a gap. */
uint64_t ossa__mm_anim_values_at(const ossa_mm_anim *anim, const ossa_mm_channel *channel);
/* The offset in a frame of the angles of a bone; the translation of the root is at its start. */
uint64_t ossa__mm_anim_angles_at(uint32_t bone);

#endif
