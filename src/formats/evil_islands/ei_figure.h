/* SPDX-License-Identifier: MIT
 *
 * A figure being put together: what the parts of Evil Islands' assembly have in common. */
#ifndef OSSA_EI_FIGURE_H
#define OSSA_EI_FIGURE_H

#include "formats/modules.h"
#include "ossa/games/evil_islands.h"
#include "scene/assembly.h"

struct ossa__ei_shapes;

struct ossa__ei_figure {
    struct ossa__assembly *assembly;
    const struct ossa__part *tree; /* NULL: the bones are placeholders */
    uint32_t bone_count;
    uint32_t *by_name; /* bones in the order of their names */
    double (*bind)[3]; /* in the game's axes, scaled */

    bool has_figs;                  /* there is a mesh among the inputs, whether it fits or not */
    uint32_t *mesh_of;              /* by bone: the mesh + 1; 0: none. NULL without any */
    struct ossa__ei_shapes *shapes; /* by mesh: see ei_morph.h */
};

/* The indices of `count` names in the order of the names, equal ones in their own order; NULL after
 * a failure. */
uint32_t *ossa__ei_sort_names(struct ossa__context *context, const char **names, uint32_t count);

/* The bone of that name, letter case ignored; -1: none. */
int64_t ossa__ei_find_bone(const struct ossa__ei_figure *figure, const char *name);

/* (x, y, z) becomes (x, z, -y), a rotation: what was counter-clockwise still is. The change of sign
 * makes no -0. */
static inline void ossa__ei_to_scene(const double v[3], float out[3])
{
    out[0] = (float)v[0];
    out[1] = (float)v[2];
    out[2] = (float)(0.0 - v[1]);
}

/* A frame of a track of `count`: the whole one before, the one after, and how far between. A track
 * that is too short holds its last. */
void ossa__ei_find_keys(double frame, uint32_t count, uint32_t *from, uint32_t *to, double *part);

/* The figure's animations as clips; its bones and meshes are there. */
void ossa__ei_add_clips(struct ossa__ei_figure *figure);

#endif
