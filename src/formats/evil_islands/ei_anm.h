/* SPDX-License-Identifier: MIT
 *
 * Where the keys of a part animation are in its file. */
#ifndef OSSA_EI_ANM_H
#define OSSA_EI_ANM_H

#include "ossa/games/evil_islands.h"
#include "ossa/keys.h"

extern const ossa_key_layout ossa__ei_anm_rotation;
extern const ossa_key_layout ossa__ei_anm_translation;

/* The offsets of the first ones; the others follow without a gap. */
uint64_t ossa__ei_anm_rotations_at(void);
uint64_t ossa__ei_anm_translations_at(const ossa_ei_anm *anm);

#endif
