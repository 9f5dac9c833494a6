/* SPDX-License-Identifier: MIT
 *
 * Models of Shadow of the Colossus becoming meshes with materials and textures. */
#ifndef OSSA_SOTC_GAME_MESH_H
#define OSSA_SOTC_GAME_MESH_H

#include "base/index.h"
#include "ossa/games/shadow_of_the_colossus.h"
#include "scene/assembly.h"

/* The materials of a scene being made. */
struct ossa__sotc_looks {
    struct ossa__assembly *assembly;
    struct ossa__index index; /* of the textures (NTO) among the inputs, by name: which part */
    int32_t *made;            /* by part: the texture of the scene; see game_material.c */
    ossa_material *materials; /* of the scene: room for one per surface */
};

/* A model being made into meshes. */
struct ossa__sotc_model {
    struct ossa__assembly *assembly;
    const struct ossa__part *part;
    const ossa_sotc_nmo *nmo;
    bool is_skinned;       /* the bones are those of a skeleton */
    const uint8_t *is_odd; /* [strip_count]: 1 where nobody understands the weights */
    struct ossa__sotc_looks *looks;
    uint32_t missing_count; /* of textures that surfaces want */
    char missing[80];       /* the first of them */
};

/* The textures of the inputs, and room for so many materials; false after a failure. */
bool ossa__sotc_start_looks(struct ossa__sotc_looks *looks, struct ossa__assembly *assembly,
                            uint64_t capacity);
/* The material of a surface, which is added to the scene. */
int32_t ossa__sotc_material(struct ossa__sotc_model *model, uint32_t surface, bool is_double_sided);

/* The meshes of a model, which move with a bone if it is not skinned: one per surface, for which
 * `meshes` has room, behind those of the scene. */
void ossa__sotc_add_meshes(struct ossa__sotc_model *model, uint32_t bone, ossa_mesh *meshes);

/* Without a skeleton and animations: a bone per model of the inputs. */
void ossa__sotc_take_model_bones(struct ossa__assembly *assembly);
/* All models of the inputs. With a skeleton they are its figure. Without one, each has a bone of
 * its own, or that of the object of its name, where `objects` is their animation. */
void ossa__sotc_add_models(struct ossa__assembly *assembly, const struct ossa__part *skeleton,
                           const struct ossa__part *objects);
/* There are animations of a skeleton but not itself, so that models have nowhere to be. */
void ossa__sotc_refuse_models(struct ossa__assembly *assembly);

#endif
