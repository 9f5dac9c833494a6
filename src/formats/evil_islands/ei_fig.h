/* SPDX-License-Identifier: MIT
 *
 * What the reader of a FIG and its JSON have in common. */
#ifndef OSSA_EI_FIG_H
#define OSSA_EI_FIG_H

#include "formats/modules.h"
#include "ossa/games/evil_islands.h"

enum {
    OSSA__FIG_LANES = 4,       /* vertices or normals in a block */
    OSSA__FIG_VARIANTS = 8,    /* at most */
    OSSA__FIG_NORMAL_ROWS = 4, /* of four lanes in a block of normals: x, y, z, w */
    OSSA__FIG_COUNTS_AT = 4,   /* where six counts stand in a row */
    OSSA__FIG_ZERO_AT = 28,
    OSSA__FIG_HEADER_SIZE = 40,
    OSSA__FIG_INDEX_SIZE = 2,
    OSSA__FIG_VERTEX_COMPONENT_SIZE = 6,
    OSSA__FIG_MORPH_COMPONENT_SIZE = 4,
};

/* Rows of four lanes in a block of vertices: x, y and z of every variant. */
uint32_t ossa__fig_vertex_rows(uint32_t variants);
/* Is there a signature for so many variants? */
bool ossa__fig_has_variants(uint32_t variants);

/* Where the arrays stand in the file. */
struct ossa__fig_places {
    uint64_t vertices;
    uint64_t normals;
    uint64_t texcoords;
    uint64_t indices;
    uint64_t vertex_components;
    uint64_t morph_components;
};
/* Report what is wrong with a figure whose arrays all lie in the file. */
void ossa__fig_check(struct ossa__context *context, const ossa_ei_fig *fig,
                     const struct ossa__fig_places *at);

void ossa__fig_dump(const void *contents, struct ossa__json *json);
void *ossa__fig_build(struct ossa__context *context, const struct ossa__value *data, uint64_t size);

#endif
