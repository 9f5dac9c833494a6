/* SPDX-License-Identifier: MIT
 *
 * mm-var: the colours of a pedestrian's clothes in the first Midtown Madness.
 *
 *     u32 variants
 *     u32 materials               of the mesh (MOD), in its order
 *     u8  [variants][materials][blue green red alpha]
 *
 * There is no signature: the size of the file follows from the two counts. Unknown: what the alpha
 * is used for. */
#include "formats/modules.h"

#include "base/json.h"
#include "ossa/games/midtown_madness.h"

#include <inttypes.h>

enum {
    HEADER = 8,
    COLOUR = 4,
    MOST = 256, /* variants, and materials: far more than a pedestrian has */
};

static const struct ossa__shape shape_colour = {
    OSSA_FIELD_TYPE_U8, COLOUR, {"blue", "green", "red", "alpha"}};

/* ---- probe --------------------------------------------------------------------------------- */

static ossa_confidence probe_var(const uint8_t *data, uint64_t size)
{
    uint64_t variants = ossa__peek_u32(data, size, 0);
    uint64_t materials = ossa__peek_u32(data, size, 4);
    if (variants == 0 || materials == 0 || variants > MOST || materials > MOST) {
        return OSSA_CONFIDENCE_NONE;
    }
    if (size != HEADER + variants * materials * COLOUR) return OSSA_CONFIDENCE_NONE;
    /* Two counts and a size prove little of a small file; one alpha for all colours is a sign. */
    for (uint64_t at = HEADER + COLOUR - 1; at < size; at += COLOUR) {
        if (data[at] != data[HEADER + COLOUR - 1]) return OSSA_CONFIDENCE_DAMAGED;
    }
    return OSSA_CONFIDENCE_ARITHMETIC;
}

static bool may_begin(const uint8_t *start, uint64_t size)
{
    uint64_t variants = ossa__peek_u32(start, size, 0);
    uint64_t materials = ossa__peek_u32(start, size, 4);
    return variants > 0 && variants <= MOST && materials <= MOST &&
           size == HEADER + variants * materials * COLOUR;
}

/* ---- read ---------------------------------------------------------------------------------- */

static void *read_var(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__reader reader;
    ossa__reader_init(&reader, context, data, size);
    ossa_mm_var *var = ossa__take(context, 1, sizeof *var);
    if (var == NULL) return NULL;
    *var = (ossa_mm_var){0};
    var->variant_count = ossa__read_u32(&reader, "variant_count");
    var->material_count = ossa__read_u32(&reader, "material_count");
    if (context->failed) return NULL;
    uint64_t count = (uint64_t)var->variant_count * var->material_count;
    if (var->material_count == 0 && var->variant_count > 0) {
        ossa__fail(context, OSSA_CODE_ZERO_WIDTH, 4, "material_count",
                   "0 materials, but there are %" PRIu32 " variants", var->variant_count);
    } else if (count > ossa__left(&reader) / COLOUR) {
        ossa__fail(context, OSSA_CODE_BAD_COUNT, 0, "variant_count",
                   "%" PRIu32 " variants of %" PRIu32 " materials do not fit in %" PRIu64 " bytes",
                   var->variant_count, var->material_count, ossa__left(&reader));
    }
    var->colours = ossa__read_array(&reader, "variants", &shape_colour, count, var->material_count);
    if (context->failed) return NULL;
    if (count == 0) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, 0, "variant_count",
                    "there are no variants, expected at least one");
    }
    var->tail = ossa__read_tail(&reader, &var->tail_size);
    return var;
}

/* ---- write --------------------------------------------------------------------------------- */

static void write_var(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    const ossa_mm_var *var = contents;
    (void)context;
    ossa__write_u32(writer, var->variant_count);
    ossa__write_u32(writer, var->material_count);
    ossa__write_bytes(writer, var->colours,
                      (uint64_t)var->variant_count * var->material_count * COLOUR);
    ossa__write_bytes(writer, var->tail, var->tail_size);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void dump_var(const void *contents, struct ossa__json *json)
{
    const ossa_mm_var *var = contents;
    const ossa_mm_colour *colour = var->colours;
    ossa__member_uint(json, "materials", var->material_count);
    ossa__json_key(json, "variants");
    ossa__json_begin_array(json);
    for (uint32_t v = 0; v < var->variant_count; v++) {
        ossa__json_begin_array(json);
        for (uint32_t m = 0; m < var->material_count; m++, colour++) {
            ossa__json_begin_row(json);
            ossa__json_uint(json, colour->blue);
            ossa__json_uint(json, colour->green);
            ossa__json_uint(json, colour->red);
            ossa__json_uint(json, colour->alpha);
            ossa__json_end_array(json);
        }
        ossa__json_end_array(json);
    }
    ossa__json_end_array(json);
    ossa__member_tail(json, var->tail, var->tail_size);
}

static ossa_mm_colour build_colour(const struct ossa__value *value)
{
    int64_t bytes[COLOUR] = {0};
    ossa__value_integers(value, COLOUR, 0, UINT8_MAX, bytes);
    return (ossa_mm_colour){(uint8_t)bytes[0], (uint8_t)bytes[1], (uint8_t)bytes[2],
                            (uint8_t)bytes[3]};
}

static void *build_var(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    (void)size;
    ossa__value_allow(data, "materials variants tail");
    struct ossa__value materials = ossa__value_member(data, "materials");
    struct ossa__value list = ossa__value_member(data, "variants");
    struct ossa__value tail = ossa__value_optional(data, "tail");
    uint32_t material_count = ossa__value_u32(&materials);
    size_t variant_count = ossa__value_length(&list);
    if (variant_count > UINT32_MAX) ossa__value_fail(&list, "has too many variants");
    if (variant_count > 0 && material_count == 0) {
        ossa__value_fail(&materials, "is 0, but there are variants");
    }
    for (size_t v = 0; v < variant_count && !context->failed; v++) {
        struct ossa__value variant = ossa__value_item(&list, v);
        (void)ossa__value_expect_length(&variant, material_count);
    }
    ossa_mm_var *var = ossa__take(context, 1, sizeof *var);
    /* Every variant lists its colours, so the document bounds what is allocated. */
    ossa_mm_colour *colours =
        context->failed
            ? NULL
            : ossa__take(context, (uint64_t)variant_count * material_count, sizeof *colours);
    if (colours == NULL) return NULL;
    *var = (ossa_mm_var){(uint32_t)variant_count, material_count, colours, NULL, 0};
    for (size_t v = 0; v < variant_count; v++) {
        struct ossa__value variant = ossa__value_item(&list, v);
        for (uint32_t m = 0; m < material_count && !context->failed; m++) {
            struct ossa__value colour = ossa__value_item(&variant, m);
            *colours++ = build_colour(&colour);
        }
    }
    if (tail.node != NULL) var->tail = ossa__value_hex(&tail, &var->tail_size);
    return var;
}

/* ---- describe ------------------------------------------------------------------------------ */

static void describe_var(const void *contents, struct ossa__report *report)
{
    enum { MOST_ROWS = 256 };
    static const struct ossa__column columns[] = {
        {"variant", "variant", 8}, {"material", "material", 9}, {"red", "red", 5},
        {"green", "green", 6},     {"blue", "blue", 5},         {"alpha", "alpha", 6}};
    const ossa_mm_var *var = contents;
    uint64_t count = (uint64_t)var->variant_count * var->material_count;
    ossa__report_integer(report, "variants", "variants", var->variant_count);
    ossa__report_integer(report, "materials", "materials", var->material_count);
    ossa__report_begin_table(report, "colours", columns, 6);
    for (uint64_t i = 0; i < count && i < MOST_ROWS; i++) {
        const ossa_mm_colour *colour = &var->colours[i];
        ossa__report_begin_row(report);
        ossa__report_cell_integer(report, &columns[0], (int64_t)(i / var->material_count));
        ossa__report_cell_integer(report, &columns[1], (int64_t)(i % var->material_count));
        ossa__report_cell_integer(report, &columns[2], colour->red);
        ossa__report_cell_integer(report, &columns[3], colour->green);
        ossa__report_cell_integer(report, &columns[4], colour->blue);
        ossa__report_cell_integer(report, &columns[5], colour->alpha);
        ossa__report_end_row(report);
    }
    ossa__report_end_table(report);
    if (count > MOST_ROWS) {
        ossa__report_note(report, "%" PRIu64 " more colours are not listed", count - MOST_ROWS);
    }
}

ossa_mm_var *ossa_as_mm_var(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_mm_var);
}

const struct ossa__format ossa__format_mm_var = {
    .about = {.id = "mm-var",
              .title = "Midtown Madness clothes",
              .game = "Midtown Madness 1 and 2 (1999, 2000)",
              .extensions = "var",
              .kind = OSSA_KIND_TABLE},
    .game = &ossa__game_midtown_madness,
    .role = OSSA__ROLE_PART,
    .probe = probe_var,
    .may_begin = may_begin,
    .read = read_var,
    .write = write_var,
    .dump = dump_var,
    .build = OSSA__BUILT_BY(build_var),
    .describe = describe_var,
};
