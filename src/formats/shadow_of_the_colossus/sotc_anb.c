/* SPDX-License-Identifier: MIT
 *
 * sotc-anb: the rotations of a Shadow of the Colossus skeleton, in an XFF container. Offsets count
 * from the start of section 1; the header is at the `entry` of the container:
 *
 *     [0]  u32  kind             12
 *     [1]  u16  poses            M
 *          u16  poses_high       unknown
 *     [2]  u32  flags_offset     u8 [N]
 *     [4]  u32  records_offset   u32 [N], the offset of each bone's record
 *     [5]  u32  bone_count       N
 *     the other words, up to [16], are unknown
 *
 *     flag      record                                       keys, at keys_offset
 *     0         f32 [4]   quaternion i j k s                 none: the same in every pose
 *     3 4 5 6   f32 [8]   four pairs, u32 keys_offset        u32 [M]
 *     12        f32 [6]   three pairs, u32 keys_offset       i16 [M][3]
 *     13        f32 [5]   angle pair, axis, u32 keys_offset  i16 [M]
 *
 * sotc_rotation.c decodes the keys. The file is kept as its image. In the JSON everything is where
 * its offset says, `gaps` holds the bytes that no field covers, and `quaternions` is informative:
 * building ignores it. Unknown: where translations, the rate and events are stored, if at all.
 *
 * Animations of objects are another kind of the same format: sotc_objects.c reads them. */
#include "formats/shadow_of_the_colossus/sotc_objects.h"
#include "formats/shadow_of_the_colossus/sotc_rotation.h"
#include "formats/shadow_of_the_colossus/sotc_xff.h"

#include "base/json.h"
#include "base/narrow.h"
#include "codec/numbers.h"
#include "codec/reader.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    KIND = 12,
    HEADER_SIZE = 4 * OSSA_SOTC_ANB_WORDS,
    ENTRY_AT = 4 * OSSA__XFF_ENTRY,
    UNKNOWN_WORDS = 12, /* of the header */
};

static const struct ossa__shape shape_triple = {OSSA_FIELD_TYPE_I16, 3, {NULL}};

/* Their indices in the header: 3 and 6 to 16. */
static unsigned unknown_word(unsigned index)
{
    return index == 0 ? 3 : index + 5;
}

/* ---- probe --------------------------------------------------------------------------------- */

static ossa_confidence probe_anb(const uint8_t *data, uint64_t size)
{
    enum ossa__xff_kind kind = ossa__xff_kind(data, size);
    return kind == OSSA__XFF_ANB || kind == OSSA__XFF_OBJECTS ? OSSA_CONFIDENCE_SIGNATURE
                                                              : OSSA_CONFIDENCE_NONE;
}

/* ---- read ---------------------------------------------------------------------------------- */

/* One file being read. */
struct anb_reader {
    struct ossa__context *context;
    struct ossa__reader section; /* the whole of section 1 */
    struct ossa__coverage coverage;
    ossa_sotc_anb *anb;
    uint64_t header_at;
};

static void read_header(struct anb_reader *r)
{
    static const char *const names[OSSA_SOTC_ANB_WORDS] = {
        "kind",       "",           "flags_offset", "unknown_3",  "records_offset", "bone_count",
        "unknown_6",  "unknown_7",  "unknown_8",    "unknown_9",  "unknown_10",     "unknown_11",
        "unknown_12", "unknown_13", "unknown_14",   "unknown_15", "unknown_16"};
    ossa_sotc_anb *anb = r->anb;
    struct ossa__reader header =
        ossa__xff_part(&r->section, anb->container.words[OSSA__XFF_ENTRY], HEADER_SIZE,
                       "container.entry", ENTRY_AT, &r->coverage);
    r->header_at = header.position;
    ossa__enter(r->context, "header", OSSA__NO_INDEX);
    for (unsigned i = 0; i < OSSA_SOTC_ANB_WORDS; i++) {
        if (i == 1) {
            anb->pose_count = ossa__read_u16(&header, "poses");
            uint32_t high = ossa__read_u16(&header, "poses_high");
            anb->header[i] = high << 16 | anb->pose_count;
        } else {
            anb->header[i] = ossa__read_u32(&header, names[i]);
        }
    }
    if (anb->header[0] != KIND) {
        ossa__fail(r->context, OSSA_CODE_BAD_VALUE, r->header_at, "kind",
                   "found %" PRIu32
                   ", expected 12 (rotations of a skeleton), and there is no table of objects; "
                   "other kinds are read as sotc-xff",
                   anb->header[0]);
    }
    ossa__leave(r->context);
    anb->bone_count = anb->header[5];
}

static void read_record(struct anb_reader *r, ossa_sotc_bone *bone, uint64_t offset_at)
{
    const struct ossa__anb_flag *flag = ossa__anb_flag(bone->flag);
    if (flag == NULL) return;
    uint32_t size = ossa__anb_record_size(flag->flag);
    struct ossa__reader window =
        ossa__reader_window(&r->section, bone->record_offset, size, "record_offset", offset_at);
    if (r->context->failed) return;
    if (ossa__coverage_touches(&r->coverage, window.begin, size)) {
        ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP, window.begin, "constants",
                    "the record of %" PRIu32 " bytes overlaps another field", size);
    }
    ossa__coverage_mark(&r->coverage, window.begin, size);
    bone->constant_count = flag->constants;
    bone->constants = ossa__read_array(&window, "constants", &ossa__shape_f32, flag->constants, 0);
    if (flag->members > 0) bone->keys_offset = ossa__read_u32(&window, "keys_offset");
    if (!r->context->options.check_values || r->context->failed) return;
    ossa__check_finite(r->context, "constants", window.begin, bone->constants, flag->constants);
    if (bone->flag == 0) {
        ossa__check_unit(r->context, "constants", window.begin, bone->constants, 1, 4);
    } else if (bone->flag == 13) {
        const float *axis =
            bone->constants + 2; /* normalised when used, so any other length is fine */
        if (axis[0] == 0.0F && axis[1] == 0.0F && axis[2] == 0.0F) {
            ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_NOT_UNIT, window.begin + 8,
                        "constants", "the axis has length 0, expected a direction");
        }
    }
}

static void read_keys(struct anb_reader *r, ossa_sotc_bone *bone)
{
    const struct ossa__anb_flag *flag = ossa__anb_flag(bone->flag);
    if (flag == NULL || flag->members == 0) return;
    uint64_t size = (uint64_t)r->anb->pose_count * ossa__anb_key_size(flag->flag);
    uint64_t offset_at = r->section.begin + bone->record_offset + 4ULL * flag->constants;
    struct ossa__reader window =
        ossa__reader_window(&r->section, bone->keys_offset, size, "keys_offset", offset_at);
    if (r->context->failed) return;
    /* Shared keys could make a small file expand to gigabytes. */
    if (ossa__coverage_touches(&r->coverage, window.begin, size)) {
        ossa__fail(r->context, OSSA_CODE_OVERLAP, offset_at, "keys_offset",
                   "the %" PRIu64 " bytes of keys at 0x%" PRIx32 " overlap another field", size,
                   bone->keys_offset);
        return;
    }
    ossa__coverage_mark(&r->coverage, window.begin, size);
    const struct ossa__shape *shape = flag->packed ? &ossa__shape_u32 : &ossa__shape_i16;
    if (flag->members == 3) shape = &shape_triple;
    const void *keys = ossa__read_array(&window, "keys", shape, r->anb->pose_count, 0);
    if (flag->packed) bone->keys.packed = keys;
    else if (flag->members == 3) bone->keys.triple = (const int16_t(*)[3])keys;
    else bone->keys.angle = keys;
}

static void read_bones(struct anb_reader *r)
{
    ossa_sotc_anb *anb = r->anb;
    uint64_t count = anb->bone_count;
    struct ossa__reader flags = ossa__xff_part(
        &r->section, anb->header[2], count, "header.flags_offset", r->header_at + 8, &r->coverage);
    struct ossa__reader records =
        ossa__xff_part(&r->section, anb->header[4], 4 * count, "header.records_offset",
                       r->header_at + 16, &r->coverage);
    const uint8_t *flag = ossa__read_array(&flags, "flags", &ossa__shape_u8, count, 0);
    const uint32_t *record =
        ossa__read_array(&records, "record_offsets", &ossa__shape_u32, count, 0);
    ossa_sotc_bone *bones = ossa__take(r->context, count, sizeof *bones);
    if (bones == NULL) return;
    for (uint32_t i = 0; i < count && !r->context->failed; i++) {
        bones[i] = (ossa_sotc_bone){.flag = flag[i], .record_offset = record[i]};
        if (ossa__anb_flag(flag[i]) == NULL) {
            ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_UNKNOWN_FLAG, flags.begin + i,
                        "flags", "bone %" PRIu32 " has flag %u, expected 0, 3, 4, 5, 6, 12 or 13",
                        i, flag[i]);
        }
        ossa__enter(r->context, "bones", i);
        read_record(r, &bones[i], records.begin + 4ULL * i);
        ossa__leave(r->context);
    }
    for (uint32_t i = 0; i < count && !r->context->failed; i++) {
        ossa__enter(r->context, "bones", i);
        read_keys(r, &bones[i]);
        ossa__leave(r->context);
    }
    anb->bones = bones;
}

static void *read_anb(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__reader file;
    struct anb_reader r = {.context = context};
    ossa__reader_init(&file, context, data, size);
    r.anb = ossa__take(context, 1, sizeof *r.anb);
    if (!ossa__coverage_init(&r.coverage, context, size)) return NULL;
    *r.anb = (ossa_sotc_anb){0};
    ossa__xff_read(&file, &r.anb->container, &r.coverage);
    r.section = ossa__xff_data(&file, &r.anb->container);
    r.anb->section_offset = r.section.begin;
    if (ossa__has_objects(data + r.section.begin, r.section.end - r.section.begin,
                          r.anb->container.words[OSSA__XFF_ENTRY])) {
        ossa__objects_read(&r.section, r.anb, &r.coverage);
    } else {
        read_header(&r);
        if (!context->failed) read_bones(&r);
    }
    ossa_sotc_xff *xff = &r.anb->container;
    xff->gaps = ossa__gaps_of(context, &r.coverage, &xff->gap_count);
    return r.anb;
}

/* ---- write --------------------------------------------------------------------------------- */

static void patch(struct ossa__context *context, uint8_t *image, const ossa_sotc_anb *anb,
                  uint64_t offset, const void *values, uint64_t count, size_t scalar)
{
    if (ossa__patch(image, anb->container.image, anb->container.image_size,
                    anb->section_offset + offset, values, count, scalar)) {
        return;
    }
    ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, "bones",
                       "an offset or a count was changed; only constants and keys may change");
}

static void write_anb(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    const ossa_sotc_anb *anb = contents;
    uint64_t size = anb->container.image_size;
    uint8_t *image = ossa__take(context, size, 1);
    if (image == NULL) return;
    memcpy(image, anb->container.image, (size_t)size);
    for (uint32_t i = 0; i < anb->bone_count && !context->failed; i++) {
        const ossa_sotc_bone *bone = &anb->bones[i];
        const struct ossa__anb_flag *flag = ossa__anb_flag(bone->flag);
        if (flag == NULL) continue;
        patch(context, image, anb, bone->record_offset, bone->constants, flag->constants, 4);
        if (flag->members == 0) continue;
        const void *keys = bone->keys.packed;
        if (flag->members == 3) keys = bone->keys.triple;
        else if (!flag->packed) keys = bone->keys.angle;
        patch(context, image, anb, bone->keys_offset, keys,
              (uint64_t)anb->pose_count * flag->members, flag->packed ? 4 : 2);
    }
    ossa__write_bytes(writer, image, size);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void dump_keys(struct ossa__json *json, const ossa_sotc_anb *anb, const ossa_sotc_bone *bone,
                      const struct ossa__anb_flag *flag)
{
    ossa__json_begin_row(json);
    for (uint32_t p = 0; flag != NULL && flag->members > 0 && p < anb->pose_count; p++) {
        if (flag->packed) {
            ossa__json_uint(json, bone->keys.packed[p]);
        } else if (flag->members == 1) {
            ossa__json_int(json, bone->keys.angle[p]);
        } else {
            ossa__json_begin_row(json);
            for (unsigned c = 0; c < 3; c++) ossa__json_int(json, bone->keys.triple[p][c]);
            ossa__json_end_array(json);
        }
    }
    ossa__json_end_array(json);
}

static void dump_bone(struct ossa__json *json, const ossa_sotc_anb *anb, const ossa_sotc_bone *bone)
{
    const struct ossa__anb_flag *flag = ossa__anb_flag(bone->flag);
    ossa__json_begin_object(json);
    ossa__member_uint(json, "flag", bone->flag);
    ossa__member_uint(json, "record_offset", bone->record_offset);
    if (flag != NULL && flag->members > 0) {
        ossa__member_uint(json, "keys_offset", bone->keys_offset);
    }
    ossa__json_key(json, "constants");
    ossa__json_begin_row(json);
    for (unsigned i = 0; i < bone->constant_count; i++) ossa__json_float(json, bone->constants[i]);
    ossa__json_end_array(json);
    ossa__json_key(json, "keys");
    dump_keys(json, anb, bone, flag);
    ossa__json_end_object(json);
}

static void dump_quaternions(struct ossa__json *json, const ossa_sotc_anb *anb, uint32_t bone)
{
    bool is_constant = anb->bones[bone].flag == 0;
    ossa__json_begin_array(json);
    for (uint32_t p = 0; p < anb->pose_count; p++) {
        double ijks[4];
        if (!ossa_sotc_quaternion(anb, bone, p, ijks)) break;
        ossa__json_begin_row(json);
        for (unsigned c = 0; c < 4; c++) {
            ossa__json_float(json, (float)ossa__plain_nan(ijks[c]));
        }
        ossa__json_end_array(json);
        if (is_constant) break;
    }
    ossa__json_end_array(json);
}

static void dump_header(struct ossa__json *json, const ossa_sotc_anb *anb)
{
    ossa__json_key(json, "header");
    ossa__json_begin_object(json);
    ossa__member_uint(json, "poses_high", anb->header[1] >> 16);
    ossa__member_uint(json, "flags_offset", anb->header[2]);
    ossa__member_uint(json, "records_offset", anb->header[4]);
    ossa__json_key(json, "unknown");
    ossa__json_begin_row(json);
    for (unsigned i = 0; i < UNKNOWN_WORDS; i++) {
        ossa__json_uint(json, anb->header[unknown_word(i)]);
    }
    ossa__json_end_array(json);
    ossa__json_end_object(json);
}

static void dump_anb(const void *contents, struct ossa__json *json)
{
    const ossa_sotc_anb *anb = contents;
    if (anb->object_count > 0) {
        ossa__objects_dump(anb, json);
        ossa__xff_dump(&anb->container, json);
        return;
    }
    ossa__member_uint(json, "poses", anb->pose_count);
    ossa__json_key(json, "bones");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < anb->bone_count; i++) dump_bone(json, anb, &anb->bones[i]);
    ossa__json_end_array(json);
    ossa__json_key(json, "quaternions");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < anb->bone_count; i++) dump_quaternions(json, anb, i);
    ossa__json_end_array(json);
    dump_header(json, anb);
    ossa__xff_dump(&anb->container, json);
}

/* The file being built. */
struct builder {
    struct ossa__image image;
    uint64_t section; /* where section 1 starts */
    uint32_t poses;
    uint32_t flags_offset;
    uint32_t records_offset;
};

static void build_header(struct builder *b, const struct ossa__value *data, uint64_t at)
{
    struct ossa__value poses = ossa__value_member(data, "poses");
    struct ossa__value bones = ossa__value_member(data, "bones");
    struct ossa__value header = ossa__value_member(data, "header");
    ossa__value_allow(&header, "poses_high flags_offset records_offset unknown");
    struct ossa__value high = ossa__value_member(&header, "poses_high");
    struct ossa__value flags = ossa__value_member(&header, "flags_offset");
    struct ossa__value records = ossa__value_member(&header, "records_offset");
    struct ossa__value unknown = ossa__value_member(&header, "unknown");
    b->poses = (uint32_t)ossa__value_integer(&poses, 0, UINT16_MAX);
    uint32_t top = (uint32_t)ossa__value_integer(&high, 0, UINT16_MAX);
    b->flags_offset = ossa__value_u32(&flags);
    b->records_offset = ossa__value_u32(&records);
    int64_t words[UNKNOWN_WORDS];
    ossa__value_integers(&unknown, UNKNOWN_WORDS, 0, UINT32_MAX, words);
    ossa__image_put_u32(&b->image, at, KIND, &header);
    ossa__image_put_u32(&b->image, at + 4, top << 16 | b->poses, &poses);
    ossa__image_put_u32(&b->image, at + 8, b->flags_offset, &flags);
    ossa__image_put_u32(&b->image, at + 16, b->records_offset, &records);
    ossa__image_put_u32(&b->image, at + 20, (uint32_t)ossa__value_length(&bones), &bones);
    for (unsigned i = 0; i < UNKNOWN_WORDS; i++) {
        uint64_t offset = at + 4ULL * unknown_word(i);
        ossa__image_put_u32(&b->image, offset, (uint32_t)words[i], &unknown);
    }
}

static void build_keys(struct builder *b, const struct ossa__value *keys,
                       const struct ossa__anb_flag *flag, uint64_t at)
{
    for (uint32_t p = 0; p < b->poses && !b->image.context->failed; p++) {
        struct ossa__value key = ossa__value_item(keys, p);
        uint64_t offset = at + (uint64_t)p * ossa__anb_key_size(flag->flag);
        if (flag->packed) {
            ossa__image_put_u32(&b->image, offset, ossa__value_u32(&key), &key);
        } else if (flag->members == 1) {
            int64_t number = ossa__value_integer(&key, INT16_MIN, INT16_MAX);
            ossa__image_put_u16(&b->image, offset, (uint16_t)number, &key);
        } else {
            int64_t numbers[3];
            ossa__value_integers(&key, 3, INT16_MIN, INT16_MAX, numbers);
            for (unsigned c = 0; c < 3; c++) {
                ossa__image_put_u16(&b->image, offset + 2ULL * c, (uint16_t)numbers[c], &key);
            }
        }
    }
}

static void build_bone(struct builder *b, const struct ossa__value *bone, size_t index)
{
    ossa__value_allow(bone, "flag record_offset keys_offset constants keys");
    struct ossa__value flag_value = ossa__value_member(bone, "flag");
    struct ossa__value record = ossa__value_member(bone, "record_offset");
    struct ossa__value keys_offset = ossa__value_optional(bone, "keys_offset");
    struct ossa__value constants = ossa__value_member(bone, "constants");
    struct ossa__value keys = ossa__value_member(bone, "keys");
    uint8_t number = (uint8_t)ossa__value_integer(&flag_value, 0, UINT8_MAX);
    uint32_t record_offset = ossa__value_u32(&record);
    const struct ossa__anb_flag *flag = ossa__anb_flag(number);
    ossa__image_put(&b->image, b->section + b->flags_offset + index, &number, 1, &flag_value);
    ossa__image_put_u32(&b->image, b->section + b->records_offset + 4 * index, record_offset,
                        &record);
    /* The record of an unknown flag is in the gaps. */
    size_t floats = flag == NULL ? 0 : flag->constants;
    bool has_keys = flag != NULL && flag->members > 0;
    if (has_keys != (keys_offset.node != NULL)) {
        ossa__value_fail(&keys_offset, has_keys ? "is missing" : "is not used with this flag");
    }
    if (!ossa__value_expect_length(&constants, floats)) return;
    if (!ossa__value_expect_length(&keys, has_keys ? b->poses : 0)) return;
    uint64_t at = b->section + record_offset;
    for (size_t i = 0; i < floats; i++) {
        struct ossa__value constant = ossa__value_item(&constants, i);
        uint32_t bits = ossa__value_f32_bits(&constant);
        ossa__image_put_u32(&b->image, at + 4 * i, bits, &constant);
    }
    if (has_keys) {
        uint32_t offset = ossa__value_u32(&keys_offset);
        ossa__image_put_u32(&b->image, at + 4 * floats, offset, &keys_offset);
        build_keys(b, &keys, flag, b->section + offset);
    }
}

static void *build_anb(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    struct builder b;
    bool has_objects = ossa__value_optional(data, "objects").node != NULL;
    ossa__value_allow(data, has_objects ? "objects header container gaps"
                                        : "poses bones quaternions header container gaps");
    ossa_sotc_anb *anb = ossa__take(context, 1, sizeof *anb);
    if (!ossa__image_init(&b.image, context, size)) return NULL;
    /* Writing needs only the image: this struct has no bones to put back. */
    *anb = (ossa_sotc_anb){0};
    ossa__xff_build(&b.image, data, &anb->container);
    if (!ossa__xff_build_data(data, &anb->container, &b.section)) return NULL;
    uint64_t header = b.section + anb->container.words[OSSA__XFF_ENTRY];
    if (has_objects) {
        ossa__objects_build(&b.image, data, b.section, header);
        ossa__image_finish(&b.image, data);
        return anb;
    }
    build_header(&b, data, header);
    struct ossa__value bones = ossa__value_member(data, "bones");
    size_t count = ossa__value_length(&bones);
    for (size_t i = 0; i < count && !context->failed; i++) {
        struct ossa__value bone = ossa__value_item(&bones, i);
        build_bone(&b, &bone, i);
    }
    ossa__image_finish(&b.image, data);
    return anb;
}

/* ---- describe ------------------------------------------------------------------------------ */

static void describe_bones(const ossa_sotc_anb *anb, struct ossa__report *report)
{
    static const struct ossa__column columns[] = {{"bone", "bone", 6},
                                                  {"flag", "flag", 5},
                                                  {"step", "step", 12},
                                                  {"step_degrees", "degrees", 12},
                                                  {"stored", "  stored as", -1}};
    const double degrees = 57.295779513082320877;
    ossa__report_begin_table(report, "bone_table", columns, 5);
    for (uint32_t i = 0; i < anb->bone_count; i++) {
        const ossa_sotc_bone *bone = &anb->bones[i];
        const struct ossa__anb_flag *flag = ossa__anb_flag(bone->flag);
        double step = ossa_sotc_key_step(bone);
        char stored[40];
        (void)snprintf(stored, sizeof stored, "%s%s", report->json == NULL ? "  " : "",
                       flag == NULL ? "unknown" : flag->title);
        ossa__report_begin_row(report);
        ossa__report_cell_integer(report, &columns[0], i);
        ossa__report_cell_integer(report, &columns[1], bone->flag);
        ossa__report_cell_number(report, &columns[2], step);
        /* A component is the sine of half the angle, which is close to half the angle. */
        ossa__report_cell_number(report, &columns[3],
                                 step * degrees * (bone->flag == 13 ? 1.0 : 2.0));
        ossa__report_cell_text(report, &columns[4], stored);
        ossa__report_end_row(report);
    }
    ossa__report_end_table(report);
}

static void describe_anb(const void *contents, struct ossa__report *report)
{
    const ossa_sotc_anb *anb = contents;
    if (anb->object_count > 0) {
        ossa__objects_describe(anb, report);
        return;
    }
    ossa__report_integer(report, "poses", "poses", anb->pose_count);
    ossa__report_integer(report, "rate", "poses/second", OSSA_SOTC_FPS);
    ossa__report_number(report, "duration", "duration", (double)anb->pose_count / OSSA_SOTC_FPS,
                        "s");
    ossa__report_integer(report, "bones", "bones", anb->bone_count);
    ossa__xff_describe(&anb->container, report);
    ossa__report_note(report, "the rate is likely, not certain");
    ossa__report_note(
        report, "rotations only: no translations, root motion or events are known in this format");
    describe_bones(anb, report);
}

ossa_sotc_anb *ossa_as_sotc_anb(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_sotc_anb);
}

const struct ossa__format ossa__format_sotc_anb = {
    .about = {.id = "sotc-anb",
              .title = "Shadow of the Colossus animation",
              .game = "Shadow of the Colossus (2005)",
              .extensions = "anb",
              .kind = OSSA_KIND_ANIMATION},
    .game = &ossa__game_shadow_of_the_colossus,
    .role = OSSA__ROLE_CLIP,
    .scattered = true,
    .probe = probe_anb,
    .may_begin = ossa__xff_is_container,
    .read = read_anb,
    .write = write_anb,
    .dump = dump_anb,
    .build = OSSA__BUILT_BY(build_anb),
    .describe = describe_anb,
};
