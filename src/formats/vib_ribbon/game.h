/* SPDX-License-Identifier: MIT */
#ifndef OSSA_VIB_GAME_H
#define OSSA_VIB_GAME_H

#include "ossa/games/vib_ribbon.h"

struct ossa__assembly;

/* The options of the game that the call gave, or the defaults. */
const ossa_vib_options *ossa__vib_options(const struct ossa__assembly *assembly);

/* Add what the packets of a model draw to the scene, whose bones are its objects. */
void ossa__vib_add_meshes(struct ossa__assembly *assembly, const ossa_vib_tmd *tmd);

/* Add one camera per ANC among the inputs to the scene. */
void ossa__vib_add_cameras(struct ossa__assembly *assembly);

#endif
