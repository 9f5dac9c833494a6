/* SPDX-License-Identifier: MIT
 *
 * mm-shaders: the colours of a pedestrian's clothes in Midtown Madness 2.
 *
 *     u32 variants                bit 0x80: colours are bytes
 *     u32 materials               of the mesh (MOD), in its order
 *     per variant and material:
 *         u8  size, char name[size]         of a texture; empty in all shipped files
 *         f32 diffuse[4] ambient[4] specular[4] emissive[4]     red green blue alpha
 *         f32 power
 *     or, with bytes: u8 diffuse[4] specular[4] emissive[4], f32 power
 *
 * There is no signature: the items must end where the file does. The game ignores what follows,
 * shows the diffuse colour in place of the ambient one, and rounds floats down to a multiple of
 * 1/32. The form with bytes is that of the game's other models; no pedestrian has it. */
#include "formats/midtown_madness/mm_text.h"

#include "base/json.h"
#include "formats/modules.h"
#include "ossa/games/midtown_madness.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { HEADER = 8, BYTES_FLAG = 0x80, FLOAT_ITEM = 17 * 4, BYTE_ITEM = 3 * 4 + 4 };

static const struct ossa__shape shape_floats = {
    OSSA_FIELD_TYPE_F32, 4, {"red", "green", "blue", "alpha"}};
static const struct ossa__shape shape_bytes = {
    OSSA_FIELD_TYPE_U8, 4, {"red", "green", "blue", "alpha"}};

/* The colours of an item, in the order of the file. */
enum { DIFFUSE, AMBIENT, SPECULAR, EMISSIVE, COLOURS };
static const char *const colour_names[COLOURS] = {"diffuse", "ambient", "specular", "emissive"};

static float *colour_of(ossa_mm_shader *shader, unsigned index)
{
    switch (index) {
    case DIFFUSE: return shader->diffuse;
    case AMBIENT: return shader->ambient;
    case SPECULAR: return shader->specular;
    default: return shader->emissive;
    }
}

static uint8_t byte_of(float part)
{
    return (uint8_t)(!(part > 0.0F) ? 0 : part >= 1.0F ? 255 : (int)(part * 255.0F + 0.5F));
}

/* ---- probe --------------------------------------------------------------------------------- */

static bool is_name(const uint8_t *data, uint64_t size)
{
    for (uint64_t i = 0; i < size; i++) {
        bool is_end = data[i] == 0 && i + 1 == size; /* other files of the game count the NUL */
        if (!is_end && data[i] <= 0x20) return false;
    }
    return true;
}

static bool are_colours(const uint8_t *data, uint64_t size, uint64_t at, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        float value = ossa__peek_f32(data, size, at + 4 * (uint64_t)i);
        if (!(fabsf(value) <= 1000.0F) || fpclassify(value) == FP_SUBNORMAL) return false;
    }
    return true;
}

enum { MOST = 4096 }; /* variants, and materials */

/* Items are walked through to the end, as far as they are plausible. */
static ossa_confidence probe_shaders(const uint8_t *data, uint64_t size)
{
    uint32_t word = ossa__peek_u32(data, size, 0);
    uint64_t variants = word & ~(uint32_t)BYTES_FLAG;
    uint64_t materials = ossa__peek_u32(data, size, 4);
    bool has_bytes = (word & BYTES_FLAG) != 0;
    uint64_t item = has_bytes ? BYTE_ITEM : FLOAT_ITEM;
    if (variants == 0 || materials == 0 || variants > MOST || materials > MOST) {
        return OSSA_CONFIDENCE_NONE;
    }
    if (variants * materials * (item + 1) > size) return OSSA_CONFIDENCE_NONE;
    uint64_t at = HEADER;
    for (uint64_t i = 0; i < variants * materials; i++) {
        if (at >= size || size - at < 1 + data[at] + item) return OSSA_CONFIDENCE_NONE;
        uint64_t name = data[at];
        if (!is_name(data + at + 1, name)) return OSSA_CONFIDENCE_NONE;
        uint64_t floats = has_bytes ? at + 1 + name + item - 4 : at + 1 + name;
        if (!are_colours(data, size, floats, has_bytes ? 1 : 17)) return OSSA_CONFIDENCE_NONE;
        at += 1 + name + item;
    }
    return at == size ? OSSA_CONFIDENCE_PLAUSIBLE : OSSA_CONFIDENCE_DAMAGED;
}

static bool may_begin(const uint8_t *start, uint64_t size)
{
    uint64_t variants = ossa__peek_u32(start, size, 0) & ~(uint32_t)BYTES_FLAG;
    uint64_t materials = ossa__peek_u32(start, size, 4);
    return variants > 0 && variants <= MOST && materials > 0 && materials <= MOST;
}

/* ---- read ---------------------------------------------------------------------------------- */

static void read_shader(struct ossa__reader *reader, ossa_mm_shader *shader, bool has_bytes)
{
    *shader = (ossa_mm_shader){0};
    shader->name_size = ossa__read_u8(reader, "name_size");
    shader->name =
        (const char *)ossa__read_bytes(reader, "name", OSSA_FIELD_TYPE_TEXT, shader->name_size);
    for (unsigned i = 0; i < COLOURS; i++) {
        float *colour = colour_of(shader, i);
        uint8_t bytes[4] = {0};
        if (!has_bytes) {
            ossa__read_element(reader, colour_names[i], &shape_floats, colour);
        } else if (i != AMBIENT) {
            ossa__read_element(reader, colour_names[i], &shape_bytes, bytes);
            for (unsigned k = 0; k < 4; k++) colour[k] = (float)bytes[k] / 255.0F;
        }
    }
    shader->power = ossa__read_f32(reader, "power");
}

static void check_values(struct ossa__context *context, const ossa_mm_shader *shader, uint64_t at)
{
    ossa_mm_shader copy = *shader;
    bool is_finite = isfinite(shader->power);
    for (unsigned i = 0; i < COLOURS; i++) {
        const float *colour = colour_of(&copy, i);
        for (unsigned k = 0; k < 4; k++) is_finite = is_finite && isfinite(colour[k]);
    }
    if (is_finite) return;
    ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_NON_FINITE, at, "",
                "a colour or the power is not finite");
}

static void read_all(struct ossa__reader *reader, ossa_mm_shaders *file, ossa_mm_shader *shaders)
{
    struct ossa__context *context = reader->context;
    for (uint32_t v = 0; v < file->variant_count && !context->failed; v++) {
        ossa__enter(context, "variants", v);
        for (uint32_t m = 0; m < file->material_count && !context->failed; m++) {
            uint64_t at = reader->position;
            ossa__enter(context, "materials", m);
            read_shader(reader, shaders, file->has_bytes);
            if (context->options.check_values) check_values(context, shaders, at);
            ossa__leave(context);
            shaders++;
        }
        ossa__leave(context);
    }
}

static void *read_shaders(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__reader reader;
    ossa__reader_init(&reader, context, data, size);
    ossa_mm_shaders *file = ossa__take(context, 1, sizeof *file);
    if (file == NULL) return NULL;
    *file = (ossa_mm_shaders){0};
    uint32_t word = ossa__read_u32(&reader, "variant_count");
    file->has_bytes = (word & BYTES_FLAG) != 0;
    file->variant_count = word & ~(uint32_t)BYTES_FLAG;
    file->material_count = ossa__read_u32(&reader, "material_count");
    if (context->failed) return NULL;
    uint64_t count = (uint64_t)file->variant_count * file->material_count;
    uint64_t least = 1 + (file->has_bytes ? BYTE_ITEM : FLOAT_ITEM);
    if (file->material_count == 0 && file->variant_count > 0) {
        ossa__fail(context, OSSA_CODE_ZERO_WIDTH, 4, "material_count",
                   "0 materials, but there are %" PRIu32 " variants", file->variant_count);
    } else if (count > ossa__left(&reader) / least) {
        ossa__fail(context, OSSA_CODE_BAD_COUNT, 0, "variant_count",
                   "%" PRIu32 " variants of %" PRIu32 " materials do not fit in %" PRIu64 " bytes",
                   file->variant_count, file->material_count, ossa__left(&reader));
    }
    ossa_mm_shader *shaders = context->failed ? NULL : ossa__take(context, count, sizeof *shaders);
    if (shaders == NULL) return NULL;
    file->shaders = shaders;
    read_all(&reader, file, shaders);
    if (context->failed) return NULL;
    if (count == 0) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, 0, "variant_count",
                    "there are no variants, expected at least one");
    }
    file->tail = ossa__read_ignored_tail(&reader, &file->tail_size);
    return file;
}

/* ---- write --------------------------------------------------------------------------------- */

static void write_shader(struct ossa__writer *writer, const ossa_mm_shader *shader, bool has_bytes)
{
    ossa_mm_shader copy = *shader;
    ossa__write_u8(writer, (uint8_t)shader->name_size);
    ossa__write_bytes(writer, shader->name, shader->name_size);
    for (unsigned i = 0; i < COLOURS; i++) {
        const float *colour = colour_of(&copy, i);
        if (has_bytes && i == AMBIENT) continue;
        for (unsigned k = 0; k < 4; k++) {
            if (has_bytes) ossa__write_u8(writer, byte_of(colour[k]));
            else ossa__write_f32(writer, colour[k]);
        }
    }
    ossa__write_f32(writer, shader->power);
}

static void write_shaders(struct ossa__context *context, const void *contents,
                          struct ossa__writer *writer)
{
    const ossa_mm_shaders *file = contents;
    uint64_t count = (uint64_t)file->variant_count * file->material_count;
    if ((file->variant_count & BYTES_FLAG) != 0) {
        ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, "variant_count",
                           "%" PRIu32 " variants cannot be written: bit 0x80 is a flag",
                           file->variant_count);
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (file->shaders[i].name_size <= UINT8_MAX) continue;
        ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, "name",
                           "%" PRIu32 " characters, but a name has at most 255",
                           file->shaders[i].name_size);
        return;
    }
    ossa__write_u32(writer, file->variant_count | (file->has_bytes ? BYTES_FLAG : 0U));
    ossa__write_u32(writer, file->material_count);
    for (uint64_t i = 0; i < count; i++) write_shader(writer, &file->shaders[i], file->has_bytes);
    ossa__write_bytes(writer, file->tail, file->tail_size);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void dump_shader(struct ossa__json *json, const ossa_mm_shader *shader, bool has_bytes)
{
    ossa_mm_shader copy = *shader;
    ossa__json_begin_object(json);
    ossa__json_key(json, "name");
    ossa__dump_latin(json, shader->name, shader->name_size);
    for (unsigned i = 0; i < COLOURS; i++) {
        const float *colour = colour_of(&copy, i);
        if (has_bytes && i == AMBIENT) continue;
        ossa__json_key(json, colour_names[i]);
        ossa__json_begin_row(json);
        for (unsigned k = 0; k < 4; k++) {
            if (has_bytes) ossa__json_uint(json, byte_of(colour[k]));
            else ossa__json_float(json, colour[k]);
        }
        ossa__json_end_array(json);
    }
    ossa__member_float(json, "power", shader->power);
    ossa__json_end_object(json);
}

static void dump_shaders(const void *contents, struct ossa__json *json)
{
    const ossa_mm_shaders *file = contents;
    const ossa_mm_shader *shader = file->shaders;
    ossa__member_text(json, "colours", file->has_bytes ? "bytes" : "floats");
    ossa__member_uint(json, "materials", file->material_count);
    ossa__json_key(json, "variants");
    ossa__json_begin_array(json);
    for (uint32_t v = 0; v < file->variant_count; v++) {
        ossa__json_begin_array(json);
        for (uint32_t m = 0; m < file->material_count; m++) {
            dump_shader(json, shader++, file->has_bytes);
        }
        ossa__json_end_array(json);
    }
    ossa__json_end_array(json);
    ossa__member_tail(json, file->tail, file->tail_size);
}

static void build_colour(const struct ossa__value *value, unsigned index, bool has_bytes,
                         ossa_mm_shader *shader)
{
    struct ossa__value list = ossa__value_member(value, colour_names[index]);
    float *colour = colour_of(shader, index);
    if (!has_bytes) {
        ossa__value_floats(&list, 4, colour);
        return;
    }
    int64_t bytes[4] = {0};
    ossa__value_integers(&list, 4, 0, UINT8_MAX, bytes);
    for (unsigned k = 0; k < 4; k++) colour[k] = (float)bytes[k] / 255.0F;
}

static ossa_mm_shader build_shader(const struct ossa__value *value, bool has_bytes)
{
    ossa_mm_shader shader = {0};
    ossa__value_allow(value, has_bytes ? "name diffuse specular emissive power"
                                       : "name diffuse ambient specular emissive power");
    struct ossa__value name = ossa__value_member(value, "name");
    struct ossa__value power = ossa__value_member(value, "power");
    shader.name = ossa__build_latin(&name, UINT8_MAX, &shader.name_size);
    for (unsigned i = 0; i < COLOURS; i++) {
        if (!has_bytes || i != AMBIENT) build_colour(value, i, has_bytes, &shader);
    }
    shader.power = ossa__value_f32(&power);
    return shader;
}

static void *build_shaders(struct ossa__context *context, const struct ossa__value *data,
                           uint64_t size)
{
    (void)size;
    ossa__value_allow(data, "colours materials variants tail");
    struct ossa__value form = ossa__value_member(data, "colours");
    struct ossa__value materials = ossa__value_member(data, "materials");
    struct ossa__value list = ossa__value_member(data, "variants");
    struct ossa__value tail = ossa__value_optional(data, "tail");
    const char *word = ossa__value_word(&form);
    bool has_bytes = strcmp(word, "bytes") == 0;
    if (!has_bytes && strcmp(word, "floats") != 0) {
        ossa__value_fail(&form, "'%.40s' is neither bytes nor floats", word);
    }
    uint32_t material_count = ossa__value_u32(&materials);
    size_t variant_count = ossa__value_length(&list);
    if (variant_count > UINT32_MAX || (variant_count & BYTES_FLAG) != 0) {
        ossa__value_fail(&list, "%zu variants cannot be stored: bit 0x80 is a flag", variant_count);
    }
    if (variant_count > 0 && material_count == 0) {
        ossa__value_fail(&materials, "is 0, but there are variants");
    }
    for (size_t v = 0; v < variant_count && !context->failed; v++) {
        struct ossa__value variant = ossa__value_item(&list, v);
        (void)ossa__value_expect_length(&variant, material_count);
    }
    ossa_mm_shaders *file = ossa__take(context, 1, sizeof *file);
    /* Every variant lists its materials, so the document bounds what is allocated. */
    ossa_mm_shader *shaders =
        context->failed
            ? NULL
            : ossa__take(context, (uint64_t)variant_count * material_count, sizeof *shaders);
    if (shaders == NULL) return NULL;
    *file = (ossa_mm_shaders){.has_bytes = has_bytes,
                              .variant_count = (uint32_t)variant_count,
                              .material_count = material_count,
                              .shaders = shaders};
    for (size_t v = 0; v < variant_count; v++) {
        struct ossa__value variant = ossa__value_item(&list, v);
        for (uint32_t m = 0; m < material_count && !context->failed; m++) {
            struct ossa__value shader = ossa__value_item(&variant, m);
            *shaders++ = build_shader(&shader, has_bytes);
        }
    }
    if (tail.node != NULL) file->tail = ossa__value_hex(&tail, &file->tail_size);
    return file;
}

/* ---- describe ------------------------------------------------------------------------------ */

static void describe_shaders(const void *contents, struct ossa__report *report)
{
    enum { MOST_ROWS = 256 };
    static const struct ossa__column columns[] = {
        {"variant", "variant", 8}, {"material", "material", 9}, {"red", "red", 10},
        {"green", "green", 10},    {"blue", "blue", 10},        {"alpha", "alpha", 10},
        {"name", " texture", 0}};
    const ossa_mm_shaders *file = contents;
    uint64_t count = (uint64_t)file->variant_count * file->material_count;
    ossa__report_integer(report, "variants", "variants", file->variant_count);
    ossa__report_integer(report, "materials", "materials", file->material_count);
    ossa__report_text(report, "colours", "colours", file->has_bytes ? "bytes" : "floats");
    ossa__report_begin_table(report, "diffuse", columns, 7);
    for (uint64_t i = 0; i < count && i < MOST_ROWS; i++) {
        const ossa_mm_shader *shader = &file->shaders[i];
        char name[1 + OSSA__PIECE_CAPACITY] = " -";
        struct ossa__piece shown = ossa__show_piece(shader->name, shader->name_size);
        if (shader->name_size > 0) memcpy(name + 1, shown.text, sizeof shown.text);
        ossa__report_begin_row(report);
        ossa__report_cell_integer(report, &columns[0], (int64_t)(i / file->material_count));
        ossa__report_cell_integer(report, &columns[1], (int64_t)(i % file->material_count));
        for (unsigned k = 0; k < 4; k++) {
            ossa__report_cell_number(report, &columns[2 + k], (double)shader->diffuse[k]);
        }
        ossa__report_cell_text(report, &columns[6], name);
        ossa__report_end_row(report);
    }
    ossa__report_end_table(report);
    if (count > MOST_ROWS) {
        ossa__report_note(report, "%" PRIu64 " more colours are not listed", count - MOST_ROWS);
    }
}

ossa_mm_shaders *ossa_as_mm_shaders(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_mm_shaders);
}

const struct ossa__format ossa__format_mm_shaders = {
    .about = {.id = "mm-shaders",
              .title = "Midtown Madness 2 clothes",
              .game = "Midtown Madness 1 and 2 (1999, 2000)",
              .extensions = "shaders",
              .kind = OSSA_KIND_TABLE},
    .game = &ossa__game_midtown_madness,
    .role = OSSA__ROLE_PART,
    .probe = probe_shaders,
    .may_begin = may_begin,
    .read = read_shaders,
    .write = write_shaders,
    .dump = dump_shaders,
    .build = OSSA__BUILT_BY(build_shaders),
    .describe = describe_shaders,
};
