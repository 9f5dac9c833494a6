/* SPDX-License-Identifier: MIT */
#ifndef OSSA_MM_GAME_MESH_H
#define OSSA_MM_GAME_MESH_H

#include "ossa/games/midtown_madness.h"
#include "scene/assembly.h"

/* How many bones a model is made for; at least 1. */
uint32_t ossa__mod_bone_count(const ossa_mm_mod *mod);

/* The meshes and materials of a model, for a scene that has its bones. */
void ossa__mod_add_meshes(struct ossa__assembly *assembly, const struct ossa__part *model,
                          const struct ossa__part *skeleton);

/* The colour of a material: red green blue as a file has them, and opaque. */
void ossa__mm_material_colour(const float rgb[3], float colour[4]);

/* Variants of the materials of a model, from an mm-var or mm-shaders, when its meshes are there.
 * `model` may be NULL. */
void ossa__mm_add_variants(struct ossa__assembly *assembly, const struct ossa__part *colours,
                           const struct ossa__part *model);

/* How the files of a figure fit together, in game_examine.c. */
void ossa__mm_examine(struct ossa__assembly *assembly);

#endif
