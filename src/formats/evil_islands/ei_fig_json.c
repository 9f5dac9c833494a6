/* SPDX-License-Identifier: MIT
 *
 * ei-fig as JSON and back. Blocks stay blocks: a row is the four lanes of one axis, of the vertices
 * first x of every variant, then y, then z. */
#include "formats/evil_islands/ei_fig.h"

#include "base/json.h"

/* ---- dump ---------------------------------------------------------------------------------- */

static void dump_blocks(struct ossa__json *json, const char *key, const float (*rows)[4],
                        uint32_t blocks, uint32_t rows_a_block)
{
    ossa__json_key(json, key);
    ossa__json_begin_array(json);
    for (uint64_t b = 0; b < blocks; b++) {
        ossa__json_begin_array(json);
        for (uint32_t r = 0; r < rows_a_block; r++) {
            ossa__json_floats(json, rows[b * rows_a_block + r], OSSA__FIG_LANES);
        }
        ossa__json_end_array(json);
    }
    ossa__json_end_array(json);
}

static void dump_components(struct ossa__json *json, const ossa_ei_fig *fig)
{
    ossa__json_key(json, "vertex_components");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < fig->vertex_component_count; i++) {
        ossa__json_begin_row(json);
        ossa__json_uint(json, fig->vertex_components[i].vertex);
        ossa__json_uint(json, fig->vertex_components[i].normal);
        ossa__json_uint(json, fig->vertex_components[i].texcoord);
        ossa__json_end_array(json);
    }
    ossa__json_end_array(json);
    ossa__json_key(json, "morph_components");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < fig->morph_component_count; i++) {
        ossa__json_begin_row(json);
        ossa__json_uint(json, fig->morph_components[i].morph);
        ossa__json_uint(json, fig->morph_components[i].vertex);
        ossa__json_end_array(json);
    }
    ossa__json_end_array(json);
}

void ossa__fig_dump(const void *contents, struct ossa__json *json)
{
    const ossa_ei_fig *fig = contents;
    uint32_t n = fig->variant_count;
    ossa__member_uint(json, "variants", n);
    ossa__member_uint(json, "zero", fig->zero);
    ossa__member_uint(json, "group", fig->group);
    ossa__member_uint(json, "texture_number", fig->texture_number);
    ossa__member_rows(json, "center", (const float *)fig->center, n, 3);
    ossa__member_rows(json, "min", (const float *)fig->min, n, 3);
    ossa__member_rows(json, "max", (const float *)fig->max, n, 3);
    ossa__member_floats(json, "radius", fig->radius, n);
    dump_blocks(json, "vertices", fig->vertices, fig->vertex_block_count, ossa__fig_vertex_rows(n));
    dump_blocks(json, "normals", fig->normals, fig->normal_block_count, OSSA__FIG_NORMAL_ROWS);
    ossa__member_rows(json, "texcoords", (const float *)fig->texcoords, fig->texcoord_count, 2);
    ossa__json_key(json, "indices");
    ossa__json_begin_row(json);
    for (uint32_t i = 0; i < fig->index_count; i++) ossa__json_uint(json, fig->indices[i]);
    ossa__json_end_array(json);
    dump_components(json, fig);
    ossa__member_tail(json, fig->tail, fig->tail_size);
}

/* ---- build --------------------------------------------------------------------------------- */

/* Just `variants` places. */
static const float (*build_places(const struct ossa__value *data, const char *key,
                                  uint32_t variants))[3]
{
    struct ossa__value list = ossa__value_member(data, key);
    uint32_t count;
    (void)ossa__value_expect_length(&list, variants);
    return (const float(*)[3])ossa__value_float_rows(&list, 3, &count);
}

static const float *build_radius(const struct ossa__value *data, uint32_t variants)
{
    struct ossa__value list = ossa__value_member(data, "radius");
    float *radius = ossa__take(data->context, variants, sizeof *radius);
    if (radius != NULL) ossa__value_floats(&list, variants, radius);
    return radius;
}

static const float (*build_blocks(const struct ossa__value *data, const char *key, uint32_t rows,
                                  uint32_t *count))[4]
{
    struct ossa__value list = ossa__value_member(data, key);
    size_t blocks = ossa__value_length(&list);
    if (blocks > UINT32_MAX) ossa__value_fail(&list, "has too many items");
    /* Each block must really list its rows, so what is taken is bounded by the document. */
    for (size_t b = 0; b < blocks && !data->context->failed; b++) {
        struct ossa__value block = ossa__value_item(&list, b);
        (void)ossa__value_expect_length(&block, rows);
    }
    float(*lanes)[4] = ossa__take(data->context, (uint64_t)blocks * rows, sizeof *lanes);
    if (lanes == NULL) return NULL;
    for (size_t b = 0; b < blocks && !data->context->failed; b++) {
        struct ossa__value block = ossa__value_item(&list, b);
        for (uint32_t r = 0; r < rows; r++) {
            struct ossa__value row = ossa__value_item(&block, r);
            ossa__value_floats(&row, OSSA__FIG_LANES, lanes[b * rows + r]);
        }
    }
    *count = (uint32_t)blocks;
    return (const float(*)[4])lanes;
}

/* Rows of `width` u16s, one after another; with a width of 0 just one row of any length. */
static const uint16_t *build_u16s(const struct ossa__value *data, const char *key, size_t width,
                                  uint32_t *count)
{
    struct ossa__value list = ossa__value_member(data, key);
    size_t length = ossa__value_length(&list);
    size_t items = width == 0 ? 1 : width;
    if (length > UINT32_MAX) ossa__value_fail(&list, "has too many items");
    uint16_t *values = ossa__take(data->context, length, items * sizeof *values);
    if (values == NULL) return NULL;
    for (size_t i = 0; i < length && !data->context->failed; i++) {
        struct ossa__value item = ossa__value_item(&list, i);
        int64_t members[3];
        if (width == 0) members[0] = ossa__value_integer(&item, 0, UINT16_MAX);
        else ossa__value_integers(&item, width, 0, UINT16_MAX, members);
        for (size_t m = 0; m < items; m++) values[i * items + m] = (uint16_t)members[m];
    }
    *count = (uint32_t)length;
    return values;
}

static uint32_t build_u32(const struct ossa__value *data, const char *key)
{
    struct ossa__value value = ossa__value_member(data, key);
    return ossa__value_u32(&value);
}

void *ossa__fig_build(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    (void)size;
    ossa_ei_fig *fig = ossa__take(context, 1, sizeof *fig);
    if (fig == NULL) return NULL;
    *fig = (ossa_ei_fig){0};
    ossa__value_allow(data, "variants zero group texture_number center min max radius vertices "
                            "normals texcoords indices vertex_components morph_components tail");
    struct ossa__value variants = ossa__value_member(data, "variants");
    uint32_t n = ossa__value_u32(&variants);
    if (!context->failed && !ossa__fig_has_variants(n)) {
        ossa__value_fail(&variants, "%u variants, expected 1, 2, 4, 6 or 8", (unsigned)n);
    }
    if (context->failed) return NULL;
    fig->variant_count = n;
    fig->zero = build_u32(data, "zero");
    fig->group = build_u32(data, "group");
    fig->texture_number = build_u32(data, "texture_number");
    fig->center = build_places(data, "center", n);
    fig->min = build_places(data, "min", n);
    fig->max = build_places(data, "max", n);
    fig->radius = build_radius(data, n);
    fig->vertices =
        build_blocks(data, "vertices", ossa__fig_vertex_rows(n), &fig->vertex_block_count);
    fig->normals = build_blocks(data, "normals", OSSA__FIG_NORMAL_ROWS, &fig->normal_block_count);
    struct ossa__value texcoords = ossa__value_member(data, "texcoords");
    fig->texcoords = (const float(*)[2])ossa__value_float_rows(&texcoords, 2, &fig->texcoord_count);
    fig->indices = build_u16s(data, "indices", 0, &fig->index_count);
    fig->vertex_components = (const ossa_ei_vertex_component *)build_u16s(
        data, "vertex_components", 3, &fig->vertex_component_count);
    fig->morph_components = (const ossa_ei_morph_component *)build_u16s(
        data, "morph_components", 2, &fig->morph_component_count);
    struct ossa__value tail = ossa__value_optional(data, "tail");
    if (tail.node != NULL) fig->tail = ossa__value_hex(&tail, &fig->tail_size);
    return fig;
}
