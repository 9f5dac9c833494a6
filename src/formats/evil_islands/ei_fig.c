/* SPDX-License-Identifier: MIT
 *
 * ei-fig: the mesh of one part of an Evil Islands figure.
 *
 *     char signature[4]           "FIG" and the digit n: 1, 2, 4, 6 or 8 variants
 *     u32  vertex_block_count, normal_block_count, texcoord_count, index_count,
 *          vertex_component_count, morph_component_count
 *     u32  zero
 *     u32  group, texture_number
 *     f32  center[n][3], min[n][3], max[n][3], radius[n]
 *     f32  vertices[vertex_block_count][3][n][4]      axis, variant, four vertices
 *     f32  normals[normal_block_count][4][4]          x y z w, four normals
 *     f32  texcoords[texcoord_count][2]               u v
 *     u16  indices[index_count]                       of vertex components; triangles
 *     u16  vertex_components[vertex_component_count][3]   vertex, normal, texcoord
 *     u16  morph_components[morph_component_count][2]     morph, vertex
 *
 * Vertex i is lane i % 4 of block i / 4, a normal likewise. Not known: `zero` (a port of the game
 * takes it for an offset of data for users), what a group stands for, how 2, 4 and 6 variants
 * blend. */
#include "formats/evil_islands/ei_fig.h"

#include <inttypes.h>
#include <string.h>

enum {
    SIGNATURE_SIZE = 4,
    COUNTS = 6,
    BOUNDS_SIZE = 40, /* of one variant: three places and a radius */
    NORMAL_BLOCK_SIZE = 64,
    TEXCOORD_SIZE = 8,
};

static const struct ossa__shape shape_lanes = {OSSA_FIELD_TYPE_F32, 4, {NULL}};
static const struct ossa__shape shape_texcoord = {OSSA_FIELD_TYPE_F32, 2, {"u", "v"}};
static const struct ossa__shape shape_vertex = {
    OSSA_FIELD_TYPE_U16, 3, {"vertex", "normal", "texcoord"}};
static const struct ossa__shape shape_morph = {OSSA_FIELD_TYPE_U16, 2, {"morph", "vertex"}};

static const char *const count_names[COUNTS] = {"vertex_block_count",     "normal_block_count",
                                                "texcoord_count",         "index_count",
                                                "vertex_component_count", "morph_component_count"};

bool ossa__fig_has_variants(uint32_t variants)
{
    return variants == 1 || variants == 2 || variants == 4 || variants == 6 || variants == 8;
}

uint32_t ossa__fig_vertex_rows(uint32_t variants)
{
    return 3 * variants;
}

/* The variants that a signature stands for; 0: it is none. */
static uint32_t variants_of(const uint8_t *data, uint64_t size)
{
    if (size < SIGNATURE_SIZE || memcmp(data, "FIG", 3) != 0) return 0;
    uint32_t digit = (uint32_t)data[3] - '0';
    return ossa__fig_has_variants(digit) ? digit : 0;
}

/* Bytes of an item of the array that a count is for. */
static uint64_t stride_of(unsigned count, uint32_t variants)
{
    switch (count) {
    case 0: return (uint64_t)ossa__fig_vertex_rows(variants) * OSSA__FIG_LANES * sizeof(float);
    case 1: return NORMAL_BLOCK_SIZE;
    case 2: return TEXCOORD_SIZE;
    case 3: return OSSA__FIG_INDEX_SIZE;
    case 4: return OSSA__FIG_VERTEX_COMPONENT_SIZE;
    default: return OSSA__FIG_MORPH_COMPONENT_SIZE;
    }
}

/* ---- vertices and normals ------------------------------------------------------------------ */

void ossa_ei_fig_vertex(const ossa_ei_fig *fig, uint32_t index, const float sdh[3], float out[3])
{
    float corners[OSSA__FIG_VARIANTS][3];
    uint32_t count = fig->variant_count;
    if (count > OSSA__FIG_VARIANTS) count = OSSA__FIG_VARIANTS;
    if (index / OSSA__FIG_LANES >= fig->vertex_block_count) count = 0;
    size_t rows = ossa__fig_vertex_rows(fig->variant_count);
    for (uint32_t v = 0; v < count; v++) {
        for (unsigned k = 0; k < 3; k++) {
            size_t row = index / OSSA__FIG_LANES * rows + (size_t)k * fig->variant_count + v;
            corners[v][k] = fig->vertices[row][index % OSSA__FIG_LANES];
        }
    }
    ossa_ei_complexion((const float(*)[3])corners, count, sdh, out);
}

void ossa_ei_fig_normal(const ossa_ei_fig *fig, uint32_t index, float out[3])
{
    out[0] = out[1] = out[2] = 0.0F;
    if (index / OSSA__FIG_LANES >= fig->normal_block_count) return;
    unsigned lane = index % OSSA__FIG_LANES;
    const float(*block)[4] =
        fig->normals + (size_t)(index / OSSA__FIG_LANES) * OSSA__FIG_NORMAL_ROWS;
    double w = (double)block[3][lane];
    for (unsigned k = 0; k < 3; k++) {
        out[k] = w == 0.0 ? block[k][lane] : (float)((double)block[k][lane] / w);
    }
}

/* ---- probe --------------------------------------------------------------------------------- */

static ossa_confidence probe_fig(const uint8_t *data, uint64_t size)
{
    uint32_t variants = variants_of(data, size);
    if (variants == 0) return OSSA_CONFIDENCE_NONE;
    uint64_t expected = OSSA__FIG_HEADER_SIZE + (uint64_t)variants * BOUNDS_SIZE;
    for (unsigned i = 0; i < COUNTS; i++) { /* at most 2^32 times 384: no overflow */
        uint64_t count = ossa__peek_u32(data, size, OSSA__FIG_COUNTS_AT + 4ULL * i);
        expected += count * stride_of(i, variants);
    }
    return expected == size ? OSSA_CONFIDENCE_SIGNATURE : OSSA_CONFIDENCE_DAMAGED;
}

/* ---- read ---------------------------------------------------------------------------------- */

/* All counts together must fit: the first one that does not is to blame. */
static bool check_counts(struct ossa__reader *reader, const ossa_ei_fig *fig)
{
    const uint32_t counts[COUNTS] = {fig->vertex_block_count,     fig->normal_block_count,
                                     fig->texcoord_count,         fig->index_count,
                                     fig->vertex_component_count, fig->morph_component_count};
    uint64_t bounds = (uint64_t)fig->variant_count * BOUNDS_SIZE;
    if (reader->context->failed) return false;
    if (bounds > ossa__left(reader)) {
        return ossa__fail(reader->context, OSSA_CODE_TRUNCATED, reader->position, "center",
                          "the bounds need %" PRIu64 " bytes, %" PRIu64 " left", bounds,
                          ossa__left(reader));
    }
    uint64_t left = ossa__left(reader) - bounds;
    for (unsigned i = 0; i < COUNTS; i++) {
        uint64_t stride = stride_of(i, fig->variant_count);
        uint64_t bytes = counts[i] * stride;
        if (bytes > left) {
            return ossa__fail(reader->context, OSSA_CODE_BAD_COUNT, OSSA__FIG_COUNTS_AT + 4ULL * i,
                              count_names[i],
                              "%" PRIu32 " items of %" PRIu64 " bytes cannot fit in the %" PRIu64
                              " bytes left for them",
                              counts[i], stride, left);
        }
        left -= bytes;
    }
    return true;
}

static void read_arrays(struct ossa__reader *reader, ossa_ei_fig *fig, struct ossa__fig_places *at)
{
    uint32_t n = fig->variant_count;
    uint32_t rows = ossa__fig_vertex_rows(n);
    fig->center = ossa__read_array(reader, "center", &ossa__shape_vec3, n, 0);
    fig->min = ossa__read_array(reader, "min", &ossa__shape_vec3, n, 0);
    fig->max = ossa__read_array(reader, "max", &ossa__shape_vec3, n, 0);
    fig->radius = ossa__read_array(reader, "radius", &ossa__shape_f32, n, 0);
    at->vertices = reader->position;
    fig->vertices = ossa__read_array(reader, "vertices", &shape_lanes,
                                     (uint64_t)fig->vertex_block_count * rows, rows);
    at->normals = reader->position;
    fig->normals = ossa__read_array(reader, "normals", &shape_lanes,
                                    (uint64_t)fig->normal_block_count * OSSA__FIG_NORMAL_ROWS,
                                    OSSA__FIG_NORMAL_ROWS);
    at->texcoords = reader->position;
    fig->texcoords = ossa__read_array(reader, "texcoords", &shape_texcoord, fig->texcoord_count, 0);
    at->indices = reader->position;
    fig->indices = ossa__read_array(reader, "indices", &ossa__shape_u16, fig->index_count, 0);
    at->vertex_components = reader->position;
    fig->vertex_components = ossa__read_array(reader, "vertex_components", &shape_vertex,
                                              fig->vertex_component_count, 0);
    at->morph_components = reader->position;
    fig->morph_components =
        ossa__read_array(reader, "morph_components", &shape_morph, fig->morph_component_count, 0);
    fig->borrowed = ossa__is_borrowed(reader, fig->indices);
}

static void *read_fig(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__reader reader;
    struct ossa__fig_places at = {0};
    ossa__reader_init(&reader, context, data, size);
    ossa_ei_fig *fig = ossa__take(context, 1, sizeof *fig);
    if (fig == NULL) return NULL;
    *fig = (ossa_ei_fig){.variant_count = variants_of(data, size)};
    (void)ossa__read_bytes(&reader, "signature", OSSA_FIELD_TYPE_TEXT, SIGNATURE_SIZE);
    if (context->failed) return NULL;
    if (fig->variant_count == 0) {
        ossa__fail(context, OSSA_CODE_BAD_MAGIC, 0, "signature",
                   "0x%08" PRIx32 " is not FIG1, FIG2, FIG4, FIG6 or FIG8",
                   ossa__peek_u32(data, size, 0));
        return NULL;
    }
    fig->vertex_block_count = ossa__read_u32(&reader, count_names[0]);
    fig->normal_block_count = ossa__read_u32(&reader, count_names[1]);
    fig->texcoord_count = ossa__read_u32(&reader, count_names[2]);
    fig->index_count = ossa__read_u32(&reader, count_names[3]);
    fig->vertex_component_count = ossa__read_u32(&reader, count_names[4]);
    fig->morph_component_count = ossa__read_u32(&reader, count_names[5]);
    fig->zero = ossa__read_u32(&reader, "zero");
    fig->group = ossa__read_u32(&reader, "group");
    fig->texture_number = ossa__read_u32(&reader, "texture_number");
    if (!check_counts(&reader, fig)) return NULL;
    read_arrays(&reader, fig, &at);
    fig->tail = ossa__read_tail(&reader, &fig->tail_size);
    if (context->failed) return NULL;
    ossa__fig_check(context, fig, &at);
    return fig;
}

/* ---- write --------------------------------------------------------------------------------- */

static void write_fig(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    const ossa_ei_fig *fig = contents;
    uint64_t n = fig->variant_count;
    if (!ossa__fig_has_variants(fig->variant_count)) {
        ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, "variants",
                           "%" PRIu32 " variants, expected 1, 2, 4, 6 or 8", fig->variant_count);
        return;
    }
    ossa__write_bytes(writer, "FIG", 3);
    ossa__write_u8(writer, (uint8_t)('0' + n));
    ossa__write_u32(writer, fig->vertex_block_count);
    ossa__write_u32(writer, fig->normal_block_count);
    ossa__write_u32(writer, fig->texcoord_count);
    ossa__write_u32(writer, fig->index_count);
    ossa__write_u32(writer, fig->vertex_component_count);
    ossa__write_u32(writer, fig->morph_component_count);
    ossa__write_u32(writer, fig->zero);
    ossa__write_u32(writer, fig->group);
    ossa__write_u32(writer, fig->texture_number);
    ossa__write_scalars(writer, fig->center, 3 * n, 4);
    ossa__write_scalars(writer, fig->min, 3 * n, 4);
    ossa__write_scalars(writer, fig->max, 3 * n, 4);
    ossa__write_scalars(writer, fig->radius, n, 4);
    ossa__write_scalars(writer, fig->vertices, fig->vertex_block_count * 12 * n, 4);
    ossa__write_scalars(writer, fig->normals, (uint64_t)fig->normal_block_count * 16, 4);
    ossa__write_scalars(writer, fig->texcoords, (uint64_t)fig->texcoord_count * 2, 4);
    ossa__write_scalars(writer, fig->indices, fig->index_count, 2);
    ossa__write_scalars(writer, fig->vertex_components, (uint64_t)fig->vertex_component_count * 3,
                        2);
    ossa__write_scalars(writer, fig->morph_components, (uint64_t)fig->morph_component_count * 2, 2);
    ossa__write_bytes(writer, fig->tail, fig->tail_size);
}

/* ---- describe ------------------------------------------------------------------------------ */

/* The least and the most of the vertices that are used, in the first variant; false: none is. */
static bool measure(const ossa_ei_fig *fig, float box[2][3])
{
    bool any = false;
    for (uint32_t i = 0; i < fig->vertex_component_count; i++) {
        float vertex[3];
        uint32_t index = fig->vertex_components[i].vertex;
        if (index / OSSA__FIG_LANES >= fig->vertex_block_count) continue;
        ossa_ei_fig_vertex(fig, index, NULL, vertex);
        for (unsigned k = 0; k < 3; k++) {
            if (!any || vertex[k] < box[0][k]) box[0][k] = vertex[k];
            if (!any || vertex[k] > box[1][k]) box[1][k] = vertex[k];
        }
        any = true;
    }
    return any;
}

static void describe_fig(const void *contents, struct ossa__report *report)
{
    const ossa_ei_fig *fig = contents;
    float box[2][3];
    bool any = measure(fig, box);
    ossa__report_integer(report, "variants", "variants", fig->variant_count);
    ossa__report_integer(report, "triangles", "triangles", fig->index_count / 3);
    ossa__report_integer(report, "vertex_components", "corners", fig->vertex_component_count);
    ossa__report_integer(report, "vertices", "vertices",
                         (uint64_t)fig->vertex_block_count * OSSA__FIG_LANES);
    ossa__report_integer(report, "normals", "normals",
                         (uint64_t)fig->normal_block_count * OSSA__FIG_LANES);
    ossa__report_integer(report, "texcoords", "texcoords", fig->texcoord_count);
    ossa__report_integer(report, "morph_components", "morphs", fig->morph_component_count);
    ossa__report_integer(report, "group", "group", fig->group);
    ossa__report_integer(report, "texture_number", "texture number", fig->texture_number);
    ossa__report_ranges(report, "vertex_ranges", "extent", &box[0][0], any ? 2 : 0, 3, "xyz");
    if (fig->variant_count != 1 && fig->variant_count != OSSA__FIG_VARIANTS) {
        ossa__report_note(report, "how %" PRIu32 " variants blend is not known; the first counts",
                          fig->variant_count);
    }
    ossa__report_note(report, "vertices and normals are stored by fours: the last may be unused");
}

ossa_ei_fig *ossa_as_ei_fig(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_ei_fig);
}

const struct ossa__format ossa__format_ei_fig = {
    .about = {.id = "ei-fig",
              .title = "Evil Islands part mesh",
              .game = "Evil Islands (2000)",
              .extensions = "fig",
              .kind = OSSA_KIND_MODEL},
    .game = &ossa__game_evil_islands,
    .role = OSSA__ROLE_PART,
    .probe = probe_fig,
    .read = read_fig,
    .write = write_fig,
    .dump = ossa__fig_dump,
    .build = OSSA__BUILT_BY(ossa__fig_build),
    .describe = describe_fig,
};
