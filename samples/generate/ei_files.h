/* SPDX-License-Identifier: MIT
 *
 * What the figures of Evil Islands share: their tree, places, moves, data base and textures. Meshes
 * are in ei_mesh.h. */
#ifndef OSSA_SAMPLES_EI_FILES_H
#define OSSA_SAMPLES_EI_FILES_H

#include "emit.h"
#include "maths.h"

/* Of the complexion cube: bit 0 of a corner's number is strong, bit 1 dexterous, bit 2 tall. */
enum { EI_CORNERS = 8 };

/* LNK: depth first, the root's parent is -1. */
void ei_put_tree(struct bytes *file, const char *const *names, const int *parents, int count);

/* BON: the place grows along each axis by so much in each corner. */
void ei_put_places(struct bytes *file, vec3 place, const vec3 growth[EI_CORNERS]);

/* ANM. */
struct ei_track {
    unsigned frames;
    const quat *rotations;
    const vec3 *translations;
    unsigned morph_vertices; /* 0: there are no morphs */
    const vec3 *morphs;      /* [frames][morph_vertices] */
};
void ei_put_track(struct bytes *file, const struct ei_track *track);

/* ADB. The durations are in frames. */
enum ei_action { EI_ACTION_RUN = 4, EI_ACTION_WALK = 5, EI_ACTION_IDLE = 6 };
struct ei_record {
    const char *name;
    enum ei_action action;
    unsigned frames;
    double speed;
    unsigned steps[4];
};
void ei_put_database(struct bytes *file, const char *model, const double heights[3],
                     const struct ei_record *records, unsigned count);

/* MMP: `paint` gives the colour of a texel of the largest size, 0xRRGGBB; y counts from below. */
typedef uint32_t ei_paint(unsigned x, unsigned y);
void ei_put_texture_5650(struct bytes *file, unsigned size, unsigned levels, ei_paint *paint);
void ei_put_texture_dxt1(struct bytes *file, unsigned size, ei_paint *paint);
/* A colour with so many percent of its light. */
uint32_t ei_shade(uint32_t colour, unsigned percent);

#endif
