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
 * Vertex i is lane i % 4 of block i / 4, a normal likewise. A group of 17 to 25 is a material. In
 * the game's own files the vertex of morph component i is i. Not known: `zero` (a port of the game
 * takes it for an offset of user data), which material is which, how 2, 4 and 6 variants blend. */
#include "formats/modules.h"

#include "codec/layout.h"
#include "codec/numbers.h"
#include "ossa/games/evil_islands.h"

#include <inttypes.h>
#include <string.h>

enum {
    LANES = 4,       /* vertices or normals in a block */
    VARIANTS = 8,    /* at most */
    NORMAL_ROWS = 4, /* of four lanes in a block of normals: x, y, z, w */
    SIGNATURE_SIZE = 4,
    HEADER_SIZE = 40,
    BOUNDS_SIZE = 40, /* of one variant: three points and a radius */
    INDEX_SIZE = 2,
    VERTEX_COMPONENT_SIZE = 6,
    MORPH_COMPONENT_SIZE = 4,
};

/* ---- layout -------------------------------------------------------------------------------- */

static const struct ossa__shape shape_lanes = {OSSA_FIELD_TYPE_F32, LANES, {NULL}};
static const struct ossa__shape shape_texcoord = {OSSA_FIELD_TYPE_F32, 2, {"u", "v"}};
static const struct ossa__shape shape_vertex = {
    OSSA_FIELD_TYPE_U16, 3, {"vertex", "normal", "texcoord"}};
static const struct ossa__shape shape_morph = {OSSA_FIELD_TYPE_U16, 2, {"morph", "vertex"}};

/* Rows of four lanes in a block of vertices: x, y and z of every variant. */
static uint32_t vertex_rows(const void *object)
{
    return 3 * ((const ossa_ei_fig *)object)->variant_count;
}

static uint32_t normal_rows(const void *object)
{
    (void)object;
    return NORMAL_ROWS;
}

/* The signature has the number of variants, so it is read and written apart. */
static bool is_in_signature(const void *object)
{
    (void)object;
    return false;
}

/* All bounds or none: what is left of them is not worth reading. */
static void check_bounds(struct ossa__reader *reader, void *object)
{
    uint64_t size = (uint64_t)((const ossa_ei_fig *)object)->variant_count * BOUNDS_SIZE;
    if (size <= ossa__left(reader)) return;
    ossa__fail(reader->context, OSSA_CODE_TRUNCATED, reader->position, "center",
               "the bounds need %" PRIu64 " bytes, %" PRIu64 " left", size, ossa__left(reader));
}

/* The items that are looked at by their offsets. */
enum {
    INDEX_COUNT = 4,
    ZERO = 7,
    CENTER = 11,
    MIN,
    MAX,
    RADIUS,
    VERTICES,
    NORMALS,
    TEXCOORDS,
    INDICES,
    VERTEX_COMPONENTS,
    MORPH_COMPONENTS
};

static const struct ossa__item items[] = {
    OSSA__NUMBERS(ossa_ei_fig, variant_count, "variants", .shape = &ossa__shape_u32,
                  .is_stored = is_in_signature),
    OSSA__COUNT(ossa_ei_fig, vertex_block_count, "vertex_block_count"),
    OSSA__COUNT(ossa_ei_fig, normal_block_count, "normal_block_count"),
    OSSA__COUNT(ossa_ei_fig, texcoord_count, "texcoord_count"),
    OSSA__COUNT(ossa_ei_fig, index_count, "index_count"),
    OSSA__COUNT(ossa_ei_fig, vertex_component_count, "vertex_component_count"),
    OSSA__COUNT(ossa_ei_fig, morph_component_count, "morph_component_count"),
    OSSA__U32(ossa_ei_fig, zero, "zero"),
    OSSA__U32(ossa_ei_fig, group, "group"),
    OSSA__U32(ossa_ei_fig, texture_number, "texture_number"),
    OSSA__STEP(check_bounds),
    OSSA__ARRAY(ossa_ei_fig, center, "center", variant_count, .shape = &ossa__shape_vec3,
                .is_fixed = true),
    OSSA__ARRAY(ossa_ei_fig, min, "min", variant_count, .shape = &ossa__shape_vec3,
                .is_fixed = true),
    OSSA__ARRAY(ossa_ei_fig, max, "max", variant_count, .shape = &ossa__shape_vec3,
                .is_fixed = true),
    OSSA__ARRAY(ossa_ei_fig, radius, "radius", variant_count, .shape = &ossa__shape_f32,
                .is_fixed = true),
    OSSA__ARRAY(ossa_ei_fig, vertices, "vertices", vertex_block_count, .shape = &shape_lanes,
                .rows = vertex_rows, .checks = OSSA__CHECK_FINITE),
    OSSA__ARRAY(ossa_ei_fig, normals, "normals", normal_block_count, .shape = &shape_lanes,
                .rows = normal_rows, .checks = OSSA__CHECK_FINITE),
    OSSA__ARRAY(ossa_ei_fig, texcoords, "texcoords", texcoord_count, .shape = &shape_texcoord,
                .checks = OSSA__CHECK_FINITE),
    OSSA__ARRAY(ossa_ei_fig, indices, "indices", index_count, .shape = &ossa__shape_u16),
    OSSA__ARRAY(ossa_ei_fig, vertex_components, "vertex_components", vertex_component_count,
                .shape = &shape_vertex),
    OSSA__ARRAY(ossa_ei_fig, morph_components, "morph_components", morph_component_count,
                .shape = &shape_morph),
    OSSA__TAIL(ossa_ei_fig),
};
static const struct ossa__layout layout = OSSA__LAYOUT(ossa_ei_fig, items);

/* Is there a signature for so many variants? */
static bool has_variants(uint32_t variants)
{
    return variants == 1 || variants == 2 || variants == 4 || variants == 6 || variants == 8;
}

/* The number of variants in a signature; 0: it is not one. */
static uint32_t variants_of(const uint8_t *data, uint64_t size)
{
    if (size < SIGNATURE_SIZE || memcmp(data, "FIG", 3) != 0) return 0;
    uint32_t digit = (uint32_t)data[3] - '0';
    return has_variants(digit) ? digit : 0;
}

bool ossa_ei_fig_is_material(const ossa_ei_fig *fig)
{
    return fig->group >= 17 && fig->group <= 25;
}

/* ---- vertices and normals ------------------------------------------------------------------ */

void ossa_ei_fig_vertex(const ossa_ei_fig *fig, uint32_t index, const float complexion[3],
                        float out[3])
{
    float corners[VARIANTS][3];
    uint32_t count = fig->variant_count;
    if (count > VARIANTS) count = VARIANTS;
    if (index / LANES >= fig->vertex_block_count) count = 0;
    size_t rows = vertex_rows(fig);
    for (uint32_t v = 0; v < count; v++) {
        for (unsigned k = 0; k < 3; k++) {
            size_t row = index / LANES * rows + (size_t)k * fig->variant_count + v;
            corners[v][k] = fig->vertices[row][index % LANES];
        }
    }
    ossa_ei_complexion((const float(*)[3])corners, count, complexion, out);
}

void ossa_ei_fig_normal(const ossa_ei_fig *fig, uint32_t index, float out[3])
{
    out[0] = out[1] = out[2] = 0.0F;
    if (index / LANES >= fig->normal_block_count) return;
    unsigned lane = index % LANES;
    const float(*block)[4] = fig->normals + (size_t)(index / LANES) * NORMAL_ROWS;
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
    /* Bytes of an item of the array that each count is for. */
    const uint64_t strides[6] = {48ULL * variants,    64, 8, INDEX_SIZE, VERTEX_COMPONENT_SIZE,
                                 MORPH_COMPONENT_SIZE};
    uint64_t expected = HEADER_SIZE + (uint64_t)variants * BOUNDS_SIZE;
    for (unsigned i = 0; i < 6; i++) { /* at most 2^32 times 384: no overflow */
        expected += strides[i] * ossa__peek_u32(data, size, SIGNATURE_SIZE + 4ULL * i);
    }
    return expected == size ? OSSA_CONFIDENCE_SIGNATURE : OSSA_CONFIDENCE_DAMAGED;
}

/* ---- check --------------------------------------------------------------------------------- */

/* Indices past the end of another array: the first is reported, with how many there are. */
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

static void report_outside(struct ossa__context *context, const struct outside *outside,
                           uint64_t offset, const char *field, const char *of, uint64_t limit)
{
    if (outside->count == 0) return;
    ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, offset, field,
                "%" PRIu32 " is not below the number of %s, %" PRIu64 " (first of %" PRIu64 ")",
                outside->value, of, limit, outside->count);
}

static void check_indices(struct ossa__context *context, const ossa_ei_fig *fig, const uint64_t *at)
{
    struct outside outside = {0, 0, 0};
    if (fig->index_count % 3 != 0) {
        ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, at[INDEX_COUNT],
                    "index_count",
                    "%" PRIu32 " indices do not form triangles, expected a multiple of 3",
                    fig->index_count);
    }
    for (uint32_t i = 0; i < fig->index_count; i++) {
        look_at(&outside, i, fig->indices[i], fig->vertex_component_count);
    }
    report_outside(context, &outside, at[INDICES] + outside.first * INDEX_SIZE, "indices",
                   "vertex components", fig->vertex_component_count);
}

static void check_vertex_components(struct ossa__context *context, const ossa_ei_fig *fig,
                                    const uint64_t *at)
{
    static const char *const members[3] = {"vertex", "normal", "texcoord"};
    static const char *const arrays[3] = {"vertices", "normals", "texture coordinates"};
    const uint64_t limits[3] = {(uint64_t)fig->vertex_block_count * LANES,
                                (uint64_t)fig->normal_block_count * LANES, fig->texcoord_count};
    struct outside outside[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (uint32_t i = 0; i < fig->vertex_component_count; i++) {
        const ossa_ei_vertex_component *component = &fig->vertex_components[i];
        look_at(&outside[0], i, component->vertex, limits[0]);
        look_at(&outside[1], i, component->normal, limits[1]);
        look_at(&outside[2], i, component->texcoord, limits[2]);
    }
    for (unsigned m = 0; m < 3; m++) {
        uint64_t offset = at[VERTEX_COMPONENTS] + outside[m].first * VERTEX_COMPONENT_SIZE + 2 * m;
        ossa__enter(context, "vertex_components", outside[m].first);
        report_outside(context, &outside[m], offset, members[m], arrays[m], limits[m]);
        ossa__leave(context);
    }
}

/* Every vertex has one offset, so it appears only once. */
static void check_morph_components(struct ossa__context *context, const ossa_ei_fig *fig,
                                   const uint64_t *at)
{
    uint8_t seen[(UINT16_MAX + 1) / 8] = {0}; /* a bit for each vertex that there may be */
    uint64_t limit = (uint64_t)fig->vertex_block_count * LANES;
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
    report_outside(context, &outside,
                   at[MORPH_COMPONENTS] + outside.first * MORPH_COMPONENT_SIZE + 2, "vertex",
                   "vertices", limit);
    ossa__leave(context);
    if (repeated == 0) return;
    ossa__enter(context, "morph_components", first);
    ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                at[MORPH_COMPONENTS] + first * MORPH_COMPONENT_SIZE + 2, "vertex",
                "vertex %u appears again, only its first offset is used (first of %" PRIu32 ")",
                (unsigned)fig->morph_components[first].vertex, repeated);
    ossa__leave(context);
}

/* Only the normals that are used: the rest of the last block may be anything. */
static void check_normals(struct ossa__context *context, const ossa_ei_fig *fig, const uint64_t *at)
{
    uint32_t bad = 0;
    uint64_t first = 0;
    for (uint32_t i = 0; i < fig->vertex_component_count; i++) {
        uint32_t normal = fig->vertex_components[i].normal;
        if (normal / LANES >= fig->normal_block_count) continue;
        uint64_t row = (uint64_t)(normal / LANES) * NORMAL_ROWS + 3;
        if (fig->normals[row][normal % LANES] != 0.0F) continue;
        if (bad++ == 0) first = row * LANES + normal % LANES;
    }
    if (bad == 0) return;
    ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                at[NORMALS] + first * sizeof(float), "normals",
                "the w of this normal is 0, so the normal is not divided by it; vertex components "
                "with such a normal: %" PRIu32,
                bad);
}

static void check_values(struct ossa__context *context, const ossa_ei_fig *fig, const uint64_t *at)
{
    uint64_t n = fig->variant_count;
    if (fig->vertex_block_count > 0) { /* the bounds of nothing are nothing */
        ossa__check_finite(context, "center", at[CENTER], (const float *)fig->center, 3 * n);
        ossa__check_finite(context, "min", at[MIN], (const float *)fig->min, 3 * n);
        ossa__check_finite(context, "max", at[MAX], (const float *)fig->max, 3 * n);
        ossa__check_finite(context, "radius", at[RADIUS], fig->radius, n);
    }
    ossa__layout_check(context, &layout, fig, at);
    check_normals(context, fig, at);
}

static void check_fig(struct ossa__context *context, const ossa_ei_fig *fig, const uint64_t *at)
{
    if (fig->zero != 0) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, at[ZERO], "zero",
                    "is %" PRIu32 ", expected 0", fig->zero);
    }
    check_indices(context, fig, at);
    check_vertex_components(context, fig, at);
    check_morph_components(context, fig, at);
    if (context->options.check_values) check_values(context, fig, at);
}

static bool may_begin(const uint8_t *start, uint64_t size)
{
    return variants_of(start, size) > 0;
}

/* ---- read and write ------------------------------------------------------------------------ */

static void *read_fig(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__reader reader;
    uint64_t at[OSSA__LAYOUT_ITEMS];
    ossa__reader_init(&reader, context, data, size);
    ossa_ei_fig *fig = ossa__layout_new(context, &layout);
    if (fig == NULL) return NULL;
    fig->variant_count = variants_of(data, size);
    (void)ossa__read_bytes(&reader, "signature", OSSA_FIELD_TYPE_TEXT, SIGNATURE_SIZE);
    if (fig->variant_count == 0) {
        ossa__fail(context, OSSA_CODE_BAD_MAGIC, 0, "signature",
                   "0x%08" PRIx32 " is not FIG1, FIG2, FIG4, FIG6 or FIG8",
                   ossa__peek_u32(data, size, 0));
    }
    if (context->failed || !ossa__layout_read(&reader, &layout, fig, at)) return NULL;
    fig->borrowed = ossa__is_borrowed(&reader, fig->indices);
    check_fig(context, fig, at);
    return fig;
}

static void write_fig(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    const ossa_ei_fig *fig = contents;
    if (!has_variants(fig->variant_count)) {
        ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, "variants",
                           "%" PRIu32 " variants, expected 1, 2, 4, 6 or 8", fig->variant_count);
        return;
    }
    ossa__write_bytes(writer, "FIG", 3);
    ossa__write_u8(writer, (uint8_t)('0' + fig->variant_count));
    ossa__layout_write(writer, &layout, fig);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

/* Blocks stay blocks: a row is the four lanes of one axis, of the vertices first x of every
 * variant, then y, then z. */
static void dump_fig(const void *contents, struct ossa__json *json)
{
    ossa__layout_dump(json, &layout, contents);
}

static void *build_fig(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    (void)size;
    ossa_ei_fig *fig = ossa__layout_new(context, &layout);
    if (fig == NULL) return NULL;
    struct ossa__value variants = ossa__value_optional(data, "variants");
    uint32_t n = ossa__value_u32(&variants);
    if (variants.node != NULL && !has_variants(n)) {
        ossa__value_fail(&variants, "%" PRIu32 " variants, expected 1, 2, 4, 6 or 8", n);
    }
    ossa__layout_build(data, &layout, fig);
    return fig;
}

/* ---- describe ------------------------------------------------------------------------------ */

/* The least and the most of the vertices that are used, in the first variant; false: none is. */
static bool measure(const ossa_ei_fig *fig, float box[2][3])
{
    bool any = false;
    for (uint32_t i = 0; i < fig->vertex_component_count; i++) {
        float vertex[3];
        uint32_t index = fig->vertex_components[i].vertex;
        if (index / LANES >= fig->vertex_block_count) continue;
        ossa_ei_fig_vertex(fig, index, NULL, vertex);
        for (unsigned k = 0; k < 3; k++) {
            if (!any || vertex[k] < box[0][k]) box[0][k] = vertex[k];
            if (!any || vertex[k] > box[1][k]) box[1][k] = vertex[k];
        }
        any = true;
    }
    return any;
}

/* Morph components whose vertex has their own number, as all have in the game's files. */
static uint32_t count_own_morphs(const ossa_ei_fig *fig)
{
    uint32_t own = 0;
    for (uint32_t i = 0; i < fig->morph_component_count; i++) {
        own += fig->morph_components[i].vertex == i;
    }
    return own;
}

static void describe_fig(const void *contents, struct ossa__report *report)
{
    const ossa_ei_fig *fig = contents;
    float box[2][3];
    bool any = measure(fig, box);
    ossa__report_integer(report, "variants", "variants", fig->variant_count);
    ossa__report_integer(report, "triangles", "triangles", fig->index_count / 3);
    ossa__report_integer(report, "vertex_components", "corners", fig->vertex_component_count);
    ossa__report_integer(report, "vertices", "vertices", (uint64_t)fig->vertex_block_count * LANES);
    ossa__report_integer(report, "normals", "normals", (uint64_t)fig->normal_block_count * LANES);
    ossa__report_integer(report, "texcoords", "texcoords", fig->texcoord_count);
    ossa__report_integer(report, "morph_components", "morphs", fig->morph_component_count);
    ossa__report_integer(report, "group", "group", fig->group);
    if (ossa_ei_fig_is_material(fig)) {
        ossa__report_integer(report, "material", "material", fig->group);
    }
    ossa__report_integer(report, "texture_number", "texture number", fig->texture_number);
    ossa__report_ranges(report, "vertex_ranges", "extent", &box[0][0], any ? 2 : 0, 3, "xyz");
    if (fig->variant_count != 1 && fig->variant_count != VARIANTS) {
        ossa__report_note(report, "how %" PRIu32 " variants blend is not known; the first is used",
                          fig->variant_count);
    }
    uint32_t own = count_own_morphs(fig);
    if (own < fig->morph_component_count) {
        ossa__report_note(report,
                          "%" PRIu32 " of %" PRIu32
                          " morph components move a vertex of another number than their own, "
                          "unlike those of the game's own files",
                          fig->morph_component_count - own, fig->morph_component_count);
    }
    ossa__report_note(
        report, "vertices and normals are stored in blocks of four; the last ones may be unused");
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
    .may_begin = may_begin,
    .read = read_fig,
    .write = write_fig,
    .dump = dump_fig,
    .build = OSSA__BUILT_BY(build_fig),
    .describe = describe_fig,
};
