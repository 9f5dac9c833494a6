/* SPDX-License-Identifier: MIT
 *
 * Figures of any size, for the fixtures of ei-fig and the tests of scenes. */
#ifndef OSSA_TEST_FIG_FIXTURE_H
#define OSSA_TEST_FIG_FIXTURE_H

#include "support/byte_list.h"

#include <stddef.h>

/* What a figure holds. Its numbers come from `seed`, and every index is inside its array; corner i
 * has vertex, normal and texture coordinate i, as long as there are so many. */
struct fig_plan {
    uint32_t seed;
    uint32_t variants;
    uint32_t vertex_blocks;
    uint32_t normal_blocks;
    uint32_t texcoords;
    uint32_t triangles;
    uint32_t loose_indices; /* behind those of the triangles */
    uint32_t corners;       /* vertex components */
    uint32_t morphs;        /* morph components: m moves vertex (7 m + 3) modulo the vertices */
    uint32_t group;
    uint32_t texture_number;
};

/* Where its parts stand in the file. */
struct fig_places {
    size_t center;
    size_t radius;
    size_t vertices;
    size_t normals;
    size_t texcoords;
    size_t indices;
    size_t corners;
    size_t morphs;
    size_t end;
};

struct fig_places find_fig_places(const struct fig_plan *plan);
struct bytes make_fig(const struct fig_plan *plan);

#endif
