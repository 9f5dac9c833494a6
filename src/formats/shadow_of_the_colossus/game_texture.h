/* SPDX-License-Identifier: MIT
 *
 * Textures of Shadow of the Colossus becoming those of a scene. */
#ifndef OSSA_SOTC_GAME_TEXTURE_H
#define OSSA_SOTC_GAME_TEXTURE_H

#include "scene/assembly.h"

/* Add the texture of a part, an NTO, to the scene, which has no other textures than these. `sides`
 * are width and height as a model states them; NULL: by the options. At most one per part. Gives
 * its index; -1: it is left out, or the assembly has failed. */
int32_t ossa__sotc_texture(struct ossa__assembly *assembly, const struct ossa__part *part,
                           const uint32_t sides[2]);

#endif
