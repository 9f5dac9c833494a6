/* SPDX-License-Identifier: MIT
 *
 * The shapes that the meshes of a figure take in its animations. Where a clip has one, it is noted
 * first; when all clips are there, equal ones become one target of the mesh. */
#ifndef OSSA_EI_MORPH_H
#define OSSA_EI_MORPH_H

#include "formats/evil_islands/ei_figure.h"

/* A moment of an animation's morph frames. */
struct ossa__ei_shape {
    const ossa_ei_anm *anm;
    uint32_t from; /* frames */
    uint32_t to;
    double part; /* of the way between them */
    uint64_t hash;
};

/* Of one mesh. */
struct ossa__ei_shapes {
    const uint32_t *moved; /* by vertex: the offset of a morph frame that moves it + 1; 0: none */
    uint32_t used_count;
    const uint16_t *used; /* the offsets that move any vertex, rising */
    uint32_t count;
    uint32_t capacity;
    struct ossa__ei_shape *items; /* as they were noted; none is all zeros */
    struct ossa__ei_shape last;   /* that was asked for */
    uint32_t last_key;            /* what it was given */
};

/* What moves the vertices of a mesh: `vertices` are those of the figure, one for each of the mesh.
 */
void ossa__ei_shapes_start(struct ossa__context *context, const ossa_ei_fig *fig,
                           const uint16_t *vertices, uint32_t count,
                           struct ossa__ei_shapes *shapes);

/* Does every offset that moves a vertex stand in the animation's frames, and is there any? */
bool ossa__ei_shapes_fit(const struct ossa__ei_shapes *shapes, const ossa_ei_anm *anm);

/* Note the shape at a frame, which may lie between two whole ones. Gives its number + 1, or 0 where
 * nothing is moved, and after a failure. */
uint32_t ossa__ei_note_shape(struct ossa__ei_figure *figure, uint32_t mesh, const ossa_ei_anm *anm,
                             double frame);

/* Targets of what was noted, and the clips' keys with their numbers. */
void ossa__ei_add_targets(struct ossa__ei_figure *figure);

#endif
