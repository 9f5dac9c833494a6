/* SPDX-License-Identifier: MIT
 *
 * Where the keys of an animation are in its file. */
#ifndef OSSA_VIB_ANM_H
#define OSSA_VIB_ANM_H

#include "ossa/games/vib_ribbon.h"
#include "ossa/keys.h"

extern const ossa_key_layout ossa__vib_anm_rotation;
extern const ossa_key_layout ossa__vib_anm_scale;
extern const ossa_key_layout ossa__vib_anm_position;
extern const ossa_key_layout ossa__vib_anm_object; /* the object that a key is for */

/* The offset of the first key of the first frame; the others follow without a gap. */
uint64_t ossa__vib_anm_keys_at(const ossa_vib_anm *anm);
/* The offset in a key of what a flag stands for; it has that flag. */
uint64_t ossa__vib_anm_member_at(const ossa_vib_key *key, uint8_t flag);

#endif
