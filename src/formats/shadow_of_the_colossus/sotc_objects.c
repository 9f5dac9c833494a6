/* SPDX-License-Identifier: MIT
 *
 * sotc-anb of the second kind: an animation that moves objects, each by the name of its model. Only
 * frame 0 is understood, from one reader that ran on the game's files. Offsets count from the start
 * of section 1; 0 is none. The header is at the `entry` of the container:
 *
 *     [0]  u32  kind             unknown, but not 12
 *     [1]  u32 [3]               unknown
 *     [4]  u32  objects_offset   of the records
 *     [5]  u32  object_count
 *
 *     record    u32 type (1 and 5: a model), u32 name, u32 track
 *     track     u8 modes of scale, rotation, position, u8 unknown,
 *               u32 offsets of position, rotation, scale
 *
 *     of        mode   what is at the offset
 *     position  0 1    f32 [3]
 *               2      three pairs of f32 (base, range), u32 offset of i16 [3], which count
 * 32767ths rotation  0      f32 [4]   i j k s scale     0 1    f32 [3] 2      three pairs, u32
 * offset of u32: 11, 11, 10 bits, 2047ths and 1023ths 3      three pairs, u32 offset of u16: 5, 6,
 * 5 bits, 31sts
 *
 * Nobody states the first word, so the shape of the tables says what it is. What is behind other
 * modes, and all frames but the first, are kept as bytes. */
#include "formats/shadow_of_the_colossus/sotc_objects.h"

#include "base/bytes.h"
#include "base/json.h"
#include "codec/numbers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    SKELETAL = 12, /* the first word of the other kind */
    HEADER_WORDS = 6,
    UNKNOWN_WORDS = 3,
    TABLE = 4,
    COUNT = 5,
    RECORD_SIZE = 12,
    TRACK_SIZE = 16,
    CURVES = 3, /* of a track */
    PAIRS = 6,  /* floats */
    ENTRY_AT = 4 * OSSA__XFF_ENTRY,
};

static const char *const curve_names[CURVES] = {"position", "rotation", "scale"};
static const char *const offset_names[CURVES] = {"position_offset", "rotation_offset",
                                                 "scale_offset"};
static const char *const sample_offset_names[CURVES] = {"position_sample_offset", "",
                                                        "scale_sample_offset"};
static const char *const sample_names[CURVES] = {"position_sample", "", "scale_sample"};

/* How a curve begins in a mode: so many floats, and a sample of so many u16. */
struct layout {
    uint32_t floats; /* 0: unknown */
    uint32_t halves; /* 0: no sample */
};

static struct layout layout_of(unsigned curve, unsigned mode)
{
    if (curve == OSSA_SOTC_CURVE_ROTATION) return (struct layout){mode == 0 ? 4 : 0, 0};
    if (mode <= 1) return (struct layout){3, 0};
    if (curve == OSSA_SOTC_CURVE_POSITION) return (struct layout){mode == 2 ? PAIRS : 0, 3};
    if (mode == 2) return (struct layout){PAIRS, 2};
    return (struct layout){mode == 3 ? PAIRS : 0, 1};
}

/* The modes are stored in the opposite order of the offsets. */
static unsigned mode_at(unsigned curve)
{
    return CURVES - 1 - curve;
}

/* ---- probe --------------------------------------------------------------------------------- */

static bool is_inside(uint64_t size, uint64_t offset, uint64_t length)
{
    return offset <= size && length <= size - offset;
}

static bool is_name(const uint8_t *section, uint64_t size, uint32_t offset)
{
    if (offset == 0 || offset >= size) return false;
    uint64_t end = offset;
    uint64_t limit = size - offset < OSSA__XFF_NAME_LIMIT ? size : offset + OSSA__XFF_NAME_LIMIT;
    while (end < limit && section[end] > ' ' && section[end] < 0x7f) end++;
    return end > offset && end < limit && section[end] == 0;
}

static bool is_curve(const uint8_t *section, uint64_t size, uint32_t offset, struct layout layout)
{
    uint64_t length = 4ULL * layout.floats;
    if (offset == 0) return true;
    if (layout.floats < PAIRS) return is_inside(size, offset, length);
    return is_inside(size, offset, length + 4) &&
           is_inside(size, ossa__load_u32(section + offset + length), 2ULL * layout.halves);
}

static bool is_track(const uint8_t *section, uint64_t size, uint32_t offset)
{
    if (offset == 0) return true;
    if (!is_inside(size, offset, TRACK_SIZE)) return false;
    const uint8_t *track = section + offset;
    for (unsigned i = 0; i < CURVES; i++) {
        uint32_t at = ossa__load_u32(track + 4 + 4ULL * i);
        if (!is_curve(section, size, at, layout_of(i, track[mode_at(i)]))) return false;
    }
    return true;
}

bool ossa__has_objects(const uint8_t *section, uint64_t size, uint64_t entry)
{
    if (!is_inside(size, entry, 4ULL * HEADER_WORDS)) return false;
    const uint8_t *header = section + entry;
    uint64_t table = ossa__load_u32(header + 4ULL * TABLE);
    uint64_t count = ossa__load_u32(header + 4ULL * COUNT);
    if (ossa__load_u32(header) == SKELETAL || count == 0 || table == 0) return false;
    if (!is_inside(size, table, RECORD_SIZE * count)) return false;
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *record = section + table + RECORD_SIZE * i;
        if (!is_name(section, size, ossa__load_u32(record + 4)) ||
            !is_track(section, size, ossa__load_u32(record + 8))) {
            return false;
        }
    }
    return true;
}

/* ---- read ---------------------------------------------------------------------------------- */

struct objects_reader {
    struct ossa__context *context;
    const struct ossa__reader *section;
    struct ossa__coverage *coverage;
};

/* Frame 0. */
static void decode(unsigned which, ossa_sotc_curve *curve)
{
    const float *f = curve->floats;
    const uint16_t *s = curve->sample;
    double parts[3];
    if (curve->float_count < PAIRS) {
        memcpy(curve->value, f, curve->float_count * sizeof *f);
        return;
    }
    if (which == OSSA_SOTC_CURVE_POSITION) {
        for (unsigned k = 0; k < 3; k++) parts[k] = (double)(int16_t)s[k] / 32767.0;
    } else if (curve->mode == 2) {
        uint32_t bits = (uint32_t)s[1] << 16 | s[0];
        parts[0] = (double)(bits >> 21) / 2047.0;
        parts[1] = (double)(bits >> 10 & 0x7ff) / 2047.0;
        parts[2] = (double)(bits & 0x3ff) / 1023.0;
    } else {
        parts[0] = (double)(s[0] >> 11) / 31.0;
        parts[1] = (double)(s[0] >> 5 & 0x3f) / 31.0;
        parts[2] = (double)(s[0] & 0x1f) / 31.0;
    }
    for (unsigned k = 0; k < 3; k++) {
        curve->value[k] = (float)((double)f[2 * k] + parts[k] * (double)f[2 * k + 1]);
    }
}

static void read_curve(const struct objects_reader *r, unsigned which, ossa_sotc_curve *curve,
                       uint64_t offset_at)
{
    struct layout layout = layout_of(which, curve->mode);
    bool has_sample = layout.floats == PAIRS;
    if (curve->offset == 0 || layout.floats == 0) return;
    struct ossa__reader window =
        ossa__xff_part(r->section, curve->offset, 4ULL * layout.floats + (has_sample ? 4 : 0),
                       offset_names[which], offset_at, r->coverage);
    uint64_t at = window.begin;
    curve->floats =
        ossa__read_array(&window, curve_names[which], &ossa__shape_f32, layout.floats, 0);
    curve->float_count = layout.floats;
    if (has_sample) {
        uint64_t sample_at = window.position;
        curve->sample_offset = ossa__read_u32(&window, sample_offset_names[which]);
        struct ossa__reader sample =
            ossa__xff_part(r->section, curve->sample_offset, 2ULL * layout.halves,
                           sample_offset_names[which], sample_at, r->coverage);
        curve->sample =
            ossa__read_array(&sample, sample_names[which], &ossa__shape_u16, layout.halves, 0);
        curve->sample_count = layout.halves;
    }
    if (r->context->failed) return;
    if (r->context->options.check_values) {
        ossa__check_finite(r->context, curve_names[which], at, curve->floats, layout.floats);
    }
    decode(which, curve);
}

static void read_object(const struct objects_reader *r, struct ossa__reader *table,
                        ossa_sotc_object *object)
{
    object->type = ossa__read_u32(table, "type");
    uint64_t name_at = table->position;
    object->name_position = ossa__read_u32(table, "name_position");
    uint64_t track_at = table->position;
    object->track_offset = ossa__read_u32(table, "track_offset");
    object->name =
        ossa__xff_read_name(r->section, object->name_position, name_at, &object->name_size);
    if (r->context->failed) return;
    ossa__coverage_mark(r->coverage, r->section->begin + object->name_position,
                        object->name_size + 1U);
    if (object->track_offset == 0) return;
    struct ossa__reader track = ossa__xff_part(r->section, object->track_offset, TRACK_SIZE,
                                               "track_offset", track_at, r->coverage);
    uint8_t modes[4] = {0};
    const uint8_t *stored = ossa__read_array(&track, "modes", &ossa__shape_u8, 4, 0);
    if (!r->context->failed) memcpy(modes, stored, sizeof modes);
    object->unknown = modes[CURVES];
    uint64_t offsets_at = track.position;
    for (unsigned i = 0; i < CURVES; i++) {
        object->curves[i].mode = modes[mode_at(i)];
        object->curves[i].offset = ossa__read_u32(&track, offset_names[i]);
    }
    for (unsigned i = 0; i < CURVES && !r->context->failed; i++) {
        read_curve(r, i, &object->curves[i], offsets_at + 4ULL * i);
    }
}

void ossa__objects_read(const struct ossa__reader *section, ossa_sotc_anb *anb,
                        struct ossa__coverage *coverage)
{
    static const char *const names[HEADER_WORDS] = {"kind",      "unknown_1",      "unknown_2",
                                                    "unknown_3", "objects_offset", "object_count"};
    struct ossa__context *context = section->context;
    struct objects_reader r = {context, section, coverage};
    struct ossa__reader header =
        ossa__xff_part(section, anb->container.words[OSSA__XFF_ENTRY], 4ULL * HEADER_WORDS,
                       "container.entry", ENTRY_AT, coverage);
    uint64_t at = header.begin;
    ossa__enter(context, "header", OSSA__NO_INDEX);
    for (unsigned i = 0; i < HEADER_WORDS; i++) {
        anb->header[i] = ossa__read_u32(&header, names[i]);
    }
    ossa__leave(context);
    uint64_t count = anb->header[COUNT];
    struct ossa__reader table =
        ossa__xff_part(section, anb->header[TABLE], RECORD_SIZE * count, "header.objects_offset",
                       at + 4ULL * TABLE, coverage);
    ossa_sotc_object *objects = ossa__take(context, count, sizeof *objects);
    for (uint64_t i = 0; i < count && !context->failed; i++) {
        objects[i] = (ossa_sotc_object){.name = ""};
        ossa__enter(context, "objects", i);
        read_object(&r, &table, &objects[i]);
        ossa__leave(context);
    }
    anb->objects = objects;
    anb->object_count = (uint32_t)count;
}

/* ---- where frame 0 is ---------------------------------------------------------------------- */

static const ossa_key_part vector_parts[] = {{"x", 0, 32, 0}, {"y", 32, 32, 1}, {"z", 64, 32, 2}};
static const ossa_key_part quaternion_parts[] = {
    {"i", 0, 32, -1}, {"j", 32, 32, -1}, {"k", 64, 32, -1}, {"s", 96, 32, -1}};
static const ossa_key_part pair_parts[] = {{"x base", 0, 32, 0},   {"x range", 32, 32, 0},
                                           {"y base", 64, 32, 1},  {"y range", 96, 32, 1},
                                           {"z base", 128, 32, 2}, {"z range", 160, 32, 2}};
static const ossa_key_layout vector_layout = {.size = 12, .part_count = 3, .parts = vector_parts};
static const ossa_key_layout quaternion_layout = {
    .size = 16, .part_count = 4, .parts = quaternion_parts};
static const ossa_key_layout pair_layout = {.size = 24, .part_count = 6, .parts = pair_parts};

const ossa_key_layout *ossa__objects_floats_layout(unsigned which, const ossa_sotc_curve *curve)
{
    if (curve->float_count == PAIRS) return &pair_layout;
    return which == OSSA_SOTC_CURVE_ROTATION ? &quaternion_layout : &vector_layout;
}

static const ossa_key_part position_parts[] = {{"x", 0, 16, 0}, {"y", 16, 16, 1}, {"z", 32, 16, 2}};
static const ossa_key_part scale32_parts[] = {{"x", 21, 11, 0}, {"y", 10, 11, 1}, {"z", 0, 10, 2}};
static const ossa_key_part scale16_parts[] = {{"x", 11, 5, 0}, {"y", 5, 6, 1}, {"z", 0, 5, 2}};
static const ossa_key_layout position_layout = {
    .size = 6, .part_count = 3, .parts = position_parts};
static const ossa_key_layout scale32_layout = {.size = 4, .part_count = 3, .parts = scale32_parts};
static const ossa_key_layout scale16_layout = {.size = 2, .part_count = 3, .parts = scale16_parts};

const ossa_key_layout *ossa__objects_sample_layout(unsigned which, const ossa_sotc_curve *curve)
{
    if (which == OSSA_SOTC_CURVE_POSITION) return &position_layout;
    return curve->mode == 2 ? &scale32_layout : &scale16_layout;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void dump_floats(struct ossa__json *json, const char *key, const float *floats,
                        uint32_t count)
{
    ossa__json_key(json, key);
    ossa__json_begin_row(json);
    for (uint32_t i = 0; i < count; i++) ossa__json_float(json, floats[i]);
    ossa__json_end_array(json);
}

static void dump_curve(struct ossa__json *json, unsigned which, const ossa_sotc_curve *curve)
{
    ossa__member_uint(json, offset_names[which], curve->offset);
    if (curve->float_count == 0) return;
    dump_floats(json, curve_names[which], curve->floats, curve->float_count);
    if (curve->sample_count == 0) return;
    ossa__member_uint(json, sample_offset_names[which], curve->sample_offset);
    ossa__json_key(json, sample_names[which]);
    ossa__json_begin_row(json);
    for (uint32_t i = 0; i < curve->sample_count; i++) ossa__json_uint(json, curve->sample[i]);
    ossa__json_end_array(json);
}

static void dump_object(struct ossa__json *json, const ossa_sotc_object *object)
{
    ossa__json_begin_object(json);
    ossa__member_uint(json, "type", object->type);
    ossa__xff_dump_name(json, object->name, object->name_size, object->name_position);
    ossa__member_uint(json, "track_offset", object->track_offset);
    if (object->track_offset != 0) {
        ossa__json_key(json, "modes");
        ossa__json_begin_row(json);
        for (unsigned i = CURVES; i-- > 0;) ossa__json_uint(json, object->curves[i].mode);
        ossa__json_uint(json, object->unknown);
        ossa__json_end_array(json);
        for (unsigned i = 0; i < CURVES; i++) dump_curve(json, i, &object->curves[i]);
        ossa__json_key(json, "frame_0");
        ossa__json_begin_object(json);
        for (unsigned i = 0; i < CURVES; i++) {
            if (object->curves[i].float_count == 0) continue;
            dump_floats(json, curve_names[i], object->curves[i].value,
                        i == OSSA_SOTC_CURVE_ROTATION ? 4 : 3);
        }
        ossa__json_end_object(json);
    }
    ossa__json_end_object(json);
}

void ossa__objects_dump(const ossa_sotc_anb *anb, struct ossa__json *json)
{
    ossa__json_key(json, "objects");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < anb->object_count; i++) dump_object(json, &anb->objects[i]);
    ossa__json_end_array(json);
    ossa__json_key(json, "header");
    ossa__json_begin_object(json);
    ossa__member_uint(json, "kind", anb->header[0]);
    ossa__json_key(json, "unknown");
    ossa__json_begin_row(json);
    for (unsigned i = 1; i <= UNKNOWN_WORDS; i++) ossa__json_uint(json, anb->header[i]);
    ossa__json_end_array(json);
    ossa__member_uint(json, "objects_offset", anb->header[TABLE]);
    ossa__json_end_object(json);
}

static void build_curve(struct ossa__image *image, const struct ossa__value *object, unsigned which,
                        unsigned mode, uint64_t section, uint64_t offset_at)
{
    struct ossa__value offset = ossa__value_member(object, offset_names[which]);
    struct ossa__value floats = ossa__value_optional(object, curve_names[which]);
    struct layout layout = layout_of(which, mode);
    uint32_t at = ossa__value_u32(&offset);
    bool is_known = at != 0 && layout.floats > 0;
    ossa__image_put_u32(image, offset_at, at, &offset);
    if (is_known != (floats.node != NULL)) {
        ossa__value_fail(&floats, is_known ? "is missing" : "is not used with this mode");
    }
    if (!is_known || image->context->failed) return;
    float numbers[PAIRS];
    ossa__value_floats(&floats, layout.floats, numbers);
    for (uint32_t i = 0; i < layout.floats; i++) {
        ossa__image_put_u32(image, section + at + 4ULL * i, ossa__bits_from_f32(numbers[i]),
                            &floats);
    }
    if (layout.floats < PAIRS) return;
    struct ossa__value sample_offset = ossa__value_member(object, sample_offset_names[which]);
    struct ossa__value sample = ossa__value_member(object, sample_names[which]);
    int64_t halves[3];
    uint32_t sample_at = ossa__value_u32(&sample_offset);
    ossa__image_put_u32(image, section + at + 4ULL * PAIRS, sample_at, &sample_offset);
    ossa__value_integers(&sample, layout.halves, 0, UINT16_MAX, halves);
    for (uint32_t i = 0; i < layout.halves && !image->context->failed; i++) {
        ossa__image_put_u16(image, section + sample_at + 2ULL * i, (uint16_t)halves[i], &sample);
    }
}

static void build_object(struct ossa__image *image, const struct ossa__value *object,
                         uint64_t section, uint64_t record)
{
    ossa__value_allow(object, "type name name_position track_offset modes position_offset position "
                              "position_sample_offset position_sample rotation_offset rotation "
                              "scale_offset scale scale_sample_offset scale_sample frame_0");
    struct ossa__value type = ossa__value_member(object, "type");
    struct ossa__value track = ossa__value_member(object, "track_offset");
    uint32_t offset = ossa__value_u32(&track);
    ossa__image_put_u32(image, record, ossa__value_u32(&type), &type);
    ossa__xff_build_name(image, object, section, record + 4);
    ossa__image_put_u32(image, record + 8, offset, &track);
    if (offset == 0) return;
    struct ossa__value modes = ossa__value_member(object, "modes");
    int64_t numbers[4] = {0};
    uint8_t bytes[4];
    ossa__value_integers(&modes, 4, 0, UINT8_MAX, numbers);
    for (unsigned i = 0; i < 4; i++) bytes[i] = (uint8_t)numbers[i];
    ossa__image_put(image, section + offset, bytes, sizeof bytes, &modes);
    for (unsigned i = 0; i < CURVES && !image->context->failed; i++) {
        build_curve(image, object, i, bytes[mode_at(i)], section, section + offset + 4 + 4ULL * i);
    }
}

void ossa__objects_build(struct ossa__image *image, const struct ossa__value *data,
                         uint64_t section, uint64_t entry)
{
    struct ossa__value objects = ossa__value_member(data, "objects");
    struct ossa__value header = ossa__value_member(data, "header");
    ossa__value_allow(&header, "kind unknown objects_offset");
    struct ossa__value kind = ossa__value_member(&header, "kind");
    struct ossa__value unknown = ossa__value_member(&header, "unknown");
    struct ossa__value table = ossa__value_member(&header, "objects_offset");
    uint32_t table_offset = ossa__value_u32(&table);
    int64_t words[UNKNOWN_WORDS] = {0};
    size_t count = ossa__value_length(&objects);
    ossa__image_put_u32(image, entry, ossa__value_u32(&kind), &kind);
    ossa__value_integers(&unknown, UNKNOWN_WORDS, 0, UINT32_MAX, words);
    for (unsigned i = 0; i < UNKNOWN_WORDS; i++) {
        ossa__image_put_u32(image, entry + 4 + 4ULL * i, (uint32_t)words[i], &unknown);
    }
    ossa__image_put_u32(image, entry + 4ULL * TABLE, table_offset, &table);
    ossa__image_put_u32(image, entry + 4ULL * COUNT, (uint32_t)count, &objects);
    for (size_t i = 0; i < count && !image->context->failed; i++) {
        struct ossa__value object = ossa__value_item(&objects, i);
        build_object(image, &object, section, section + table_offset + RECORD_SIZE * (uint64_t)i);
    }
}

/* ---- describe ------------------------------------------------------------------------------ */

void ossa__objects_describe(const ossa_sotc_anb *anb, struct ossa__report *report)
{
    static const struct ossa__column columns[] = {{"object", "object", 6},
                                                  {"type", "type", 5},
                                                  {"position_mode", "pos", 4},
                                                  {"rotation_mode", "rot", 4},
                                                  {"scale_mode", "scale", 6},
                                                  {"x", "x", 12},
                                                  {"y", "y", 12},
                                                  {"z", "z", 12},
                                                  {"name", " name", -1}};
    ossa__report_text(report, "holds", "holds", "an animation of objects, by their models' names");
    ossa__report_integer(report, "kind", "kind", anb->header[0]);
    ossa__report_integer(report, "objects", "objects", anb->object_count);
    ossa__xff_describe(&anb->container, report);
    ossa__report_note(report, "only frame 0 is understood; everything else is kept as bytes");
    ossa__report_begin_table(report, "object_table", columns, 9);
    for (uint32_t i = 0; i < anb->object_count; i++) {
        const ossa_sotc_object *object = &anb->objects[i];
        const ossa_sotc_curve *curves = object->curves;
        char name[OSSA__XFF_NAME_LIMIT + 1] = " ";
        ossa__xff_show_name(object->name, object->name_size,
                            report->json == NULL ? name + 1 : name);
        ossa__report_begin_row(report);
        ossa__report_cell_integer(report, &columns[0], i);
        ossa__report_cell_integer(report, &columns[1], object->type);
        for (unsigned k = 0; k < CURVES; k++) {
            ossa__report_cell_integer(report, &columns[2 + k], curves[k].mode);
        }
        for (unsigned k = 0; k < 3; k++) {
            ossa__report_cell_number(report, &columns[5 + k],
                                     (double)curves[OSSA_SOTC_CURVE_POSITION].value[k]);
        }
        ossa__report_cell_text(report, &columns[8], name);
        ossa__report_end_row(report);
    }
    ossa__report_end_table(report);
}
