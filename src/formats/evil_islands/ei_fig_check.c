/* SPDX-License-Identifier: MIT
 *
 * ei-fig: what is wrong with a figure whose arrays all lie in the file. */
#include "formats/evil_islands/ei_fig.h"

#include "codec/numbers.h"

#include <inttypes.h>

/* Indices of one array that do not lie in another: the first is told, and how many there are. */
struct outside {
    uint64_t count;
    uint64_t first; /* which item */
    uint32_t value;
};

static void look_at(struct outside *outside, uint64_t item, uint32_t value, uint64_t limit)
{
    if (value < limit) return;
    if (outside->count++ == 0) {
        outside->first = item;
        outside->value = value;
    }
}

static void tell(struct ossa__context *context, const struct outside *outside, uint64_t offset,
                 const char *field, const char *of, uint64_t limit)
{
    if (outside->count == 0) return;
    ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, offset, field,
                "%" PRIu32 " is not below the number of %s, %" PRIu64 "; there are %" PRIu64
                " such, this is the first",
                outside->value, of, limit, outside->count);
}

static void check_indices(struct ossa__context *context, const ossa_ei_fig *fig,
                          const struct ossa__fig_places *at)
{
    struct outside outside = {0, 0, 0};
    if (fig->index_count % 3 != 0) {
        ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, OSSA__FIG_COUNTS_AT + 12,
                    "index_count", "%" PRIu32 " indices are no triangles, expected a multiple of 3",
                    fig->index_count);
    }
    for (uint32_t i = 0; i < fig->index_count; i++) {
        look_at(&outside, i, fig->indices[i], fig->vertex_component_count);
    }
    tell(context, &outside, at->indices + outside.first * OSSA__FIG_INDEX_SIZE, "indices",
         "vertex components", fig->vertex_component_count);
}

static void check_vertex_components(struct ossa__context *context, const ossa_ei_fig *fig,
                                    const struct ossa__fig_places *at)
{
    static const char *const members[3] = {"vertex", "normal", "texcoord"};
    static const char *const arrays[3] = {"vertices", "normals", "texture coordinates"};
    const uint64_t limits[3] = {(uint64_t)fig->vertex_block_count * OSSA__FIG_LANES,
                                (uint64_t)fig->normal_block_count * OSSA__FIG_LANES,
                                fig->texcoord_count};
    struct outside outside[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (uint32_t i = 0; i < fig->vertex_component_count; i++) {
        const ossa_ei_vertex_component *component = &fig->vertex_components[i];
        look_at(&outside[0], i, component->vertex, limits[0]);
        look_at(&outside[1], i, component->normal, limits[1]);
        look_at(&outside[2], i, component->texcoord, limits[2]);
    }
    for (unsigned m = 0; m < 3; m++) {
        uint64_t offset =
            at->vertex_components + outside[m].first * OSSA__FIG_VERTEX_COMPONENT_SIZE + 2 * m;
        ossa__enter(context, "vertex_components", outside[m].first);
        tell(context, &outside[m], offset, members[m], arrays[m], limits[m]);
        ossa__leave(context);
    }
}

/* Every vertex has its own offset, so that it stands just once. */
static void check_morph_components(struct ossa__context *context, const ossa_ei_fig *fig,
                                   const struct ossa__fig_places *at)
{
    uint8_t seen[(UINT16_MAX + 1) / 8] = {0}; /* a bit for each vertex that there may be */
    uint64_t limit = (uint64_t)fig->vertex_block_count * OSSA__FIG_LANES;
    struct outside outside = {0, 0, 0};
    uint32_t repeated = 0;
    uint64_t first = 0;
    for (uint32_t i = 0; i < fig->morph_component_count; i++) {
        uint16_t vertex = fig->morph_components[i].vertex;
        uint8_t bit = (uint8_t)(1U << vertex % 8);
        look_at(&outside, i, vertex, limit);
        if ((seen[vertex / 8] & bit) != 0 && repeated++ == 0) first = i;
        seen[vertex / 8] |= bit;
    }
    ossa__enter(context, "morph_components", outside.first);
    tell(context, &outside,
         at->morph_components + outside.first * OSSA__FIG_MORPH_COMPONENT_SIZE + 2, "vertex",
         "vertices", limit);
    ossa__leave(context);
    if (repeated == 0) return;
    ossa__enter(context, "morph_components", first);
    ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                at->morph_components + first * OSSA__FIG_MORPH_COMPONENT_SIZE + 2, "vertex",
                "vertex %u stands here again, and only its first offset counts; there are %" PRIu32
                " such, this is the first",
                (unsigned)fig->morph_components[first].vertex, repeated);
    ossa__leave(context);
}

/* Of the normals only those that are used: the last block may be filled up with anything. */
static void check_normals(struct ossa__context *context, const ossa_ei_fig *fig,
                          const struct ossa__fig_places *at)
{
    uint32_t bad = 0;
    uint64_t first = 0;
    for (uint32_t i = 0; i < fig->vertex_component_count; i++) {
        uint32_t normal = fig->vertex_components[i].normal;
        if (normal / OSSA__FIG_LANES >= fig->normal_block_count) continue;
        uint64_t row = (uint64_t)(normal / OSSA__FIG_LANES) * OSSA__FIG_NORMAL_ROWS + 3;
        if (fig->normals[row][normal % OSSA__FIG_LANES] != 0.0F) continue;
        if (bad++ == 0) first = row * OSSA__FIG_LANES + normal % OSSA__FIG_LANES;
    }
    if (bad == 0) return;
    ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                at->normals + first * sizeof(float), "normals",
                "the w of a normal is 0, so that nothing is divided by it; vertex components with "
                "such a normal: %" PRIu32,
                bad);
}

static void check_values(struct ossa__context *context, const ossa_ei_fig *fig,
                         const struct ossa__fig_places *at)
{
    uint64_t n = fig->variant_count;
    if (fig->vertex_block_count > 0) { /* the bounds of nothing are nothing */
        ossa__check_finite(context, "center", OSSA__FIG_HEADER_SIZE, (const float *)fig->center,
                           3 * n);
        ossa__check_finite(context, "min", OSSA__FIG_HEADER_SIZE + 12 * n, (const float *)fig->min,
                           3 * n);
        ossa__check_finite(context, "max", OSSA__FIG_HEADER_SIZE + 24 * n, (const float *)fig->max,
                           3 * n);
        ossa__check_finite(context, "radius", OSSA__FIG_HEADER_SIZE + 36 * n, fig->radius, n);
    }
    uint64_t rows = (uint64_t)fig->vertex_block_count * ossa__fig_vertex_rows(fig->variant_count);
    ossa__check_finite(context, "vertices", at->vertices, (const float *)fig->vertices,
                       rows * OSSA__FIG_LANES);
    rows = (uint64_t)fig->normal_block_count * OSSA__FIG_NORMAL_ROWS;
    ossa__check_finite(context, "normals", at->normals, (const float *)fig->normals,
                       rows * OSSA__FIG_LANES);
    ossa__check_finite(context, "texcoords", at->texcoords, (const float *)fig->texcoords,
                       (uint64_t)fig->texcoord_count * 2);
    check_normals(context, fig, at);
}

void ossa__fig_check(struct ossa__context *context, const ossa_ei_fig *fig,
                     const struct ossa__fig_places *at)
{
    if (fig->zero != 0) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, OSSA__FIG_ZERO_AT,
                    "zero", "is %" PRIu32 ", expected 0", fig->zero);
    }
    check_indices(context, fig, at);
    check_vertex_components(context, fig, at);
    check_morph_components(context, fig, at);
    if (context->options.check_values) check_values(context, fig, at);
}
