/* SPDX-License-Identifier: MIT */
#ifndef OSSA_VIB_GAME_H
#define OSSA_VIB_GAME_H

#include "base/quaternion.h"
#include "ossa/games/vib_ribbon.h"
#include "scene/assembly.h"

struct ossa__edit;

/* The options of the game that the call gave, or the defaults. */
const ossa_vib_options *ossa__vib_options(const struct ossa__assembly *assembly);

/* Those for people; game_option_list.c. */
extern const struct ossa__game_option ossa__vib_option_list[];

/* Add what the packets of a model draw to the scene, whose bones are its objects. */
void ossa__vib_add_meshes(struct ossa__assembly *assembly, const ossa_vib_tmd *tmd);

/* Add one camera per ANC among the inputs to the scene. */
void ossa__vib_add_cameras(struct ossa__assembly *assembly);

/* What an object is drawn with after its keys so far. */
struct ossa__vib_state {
    int16_t rotation[3];
    int16_t scale[3];
    int16_t position[3];
};
extern const struct ossa__vib_state ossa__vib_at_rest;
void ossa__vib_apply_key(struct ossa__vib_state *state, const ossa_vib_key *key,
                         ossa_vib_missing missing);
/* The rotation of a state, in the space of the scene. */
struct ossa__quat ossa__vib_rotation(const struct ossa__assembly *assembly,
                                     const int16_t rotation[3]);

/* The `apply` of a clip (game_apply.c). */
void ossa__vib_apply(void *user, struct ossa__edit *edit);

#endif
