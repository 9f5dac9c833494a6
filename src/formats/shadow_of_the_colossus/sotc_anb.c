/* SPDX-License-Identifier: MIT
 *
 * sotc-anb: the rotations of a Shadow of the Colossus skeleton, in an XFF container. Offsets count
 * from the start of section 1; the header stands at the container's `entry`:
 *
 *     [0]  u32  kind             12
 *     [1]  u16  poses            M
 *          u16  poses_high       not understood
 *     [2]  u32  flags_offset     u8 [N]
 *     [4]  u32  records_offset   u32 [N], the offset of each bone's record
 *     [5]  u32  bone_count       N
 *     the other words, up to [16], are not understood
 *
 *     flag      record                                       keys, at keys_offset
 *     0         f32 [4]   quaternion i j k s                 none: the same in every pose
 *     3 4 5 6   f32 [8]   four pairs, u32 keys_offset        u32 [M]
 *     12        f32 [6]   three pairs, u32 keys_offset       i16 [M][3]
 *     13        f32 [5]   angle pair, axis, u32 keys_offset  i16 [M]
 *
 * How a key becomes a rotation is in sotc_rotation.c. The file is kept as its image. No
 * translation, rate or event track is known. */
#include "formats/shadow_of_the_colossus/sotc_anb.h"

#include "codec/numbers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    KIND = 12,
    HEADER_SIZE = 4 * OSSA_SOTC_ANB_WORDS,
    ENTRY_AT = 4 * OSSA__XFF_ENTRY,
};

static const struct ossa__shape shape_triple = {OSSA_FIELD_TYPE_I16, 3, {NULL}};

unsigned ossa__anb_unknown_word(unsigned index)
{
    return index == 0 ? 3 : index + 5;
}

static ossa_confidence probe_anb(const uint8_t *data, uint64_t size)
{
    return ossa__xff_kind(data, size) == OSSA__XFF_ANB ? OSSA_CONFIDENCE_SIGNATURE
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
                   "found %" PRIu32 ", expected 12, an animation", anb->header[0]);
    }
    ossa__leave(r->context);
    anb->bone_count = anb->header[5];
}

static void read_record(struct anb_reader *r, ossa_sotc_bone *bone, uint64_t offset_at)
{
    const struct ossa__anb_flag *flag = ossa__anb_flag(bone->flag);
    if (flag == NULL) return;
    uint32_t size = ossa__anb_record_size(flag);
    struct ossa__reader place =
        ossa__reader_window(&r->section, bone->record_offset, size, "record_offset", offset_at);
    if (r->context->failed) return;
    if (ossa__coverage_touches(&r->coverage, place.begin, size)) {
        ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP, place.begin, "constants",
                    "the record of %" PRIu32 " bytes shares bytes with another field", size);
    }
    ossa__coverage_mark(&r->coverage, place.begin, size);
    bone->constant_count = flag->constants;
    bone->constants = ossa__read_array(&place, "constants", &ossa__shape_f32, flag->constants, 0);
    if (flag->members > 0) bone->keys_offset = ossa__read_u32(&place, "keys_offset");
    if (!r->context->options.check_values || r->context->failed) return;
    ossa__check_finite(r->context, "constants", place.begin, bone->constants, flag->constants);
    if (bone->flag == 0) {
        ossa__check_unit(r->context, "constants", place.begin, bone->constants, 1, 4);
    } else if (bone->flag == 13) {
        const float *axis = bone->constants + 2; /* normalised when used, so any length will do */
        if (axis[0] == 0.0F && axis[1] == 0.0F && axis[2] == 0.0F) {
            ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_NOT_UNIT, place.begin + 8,
                        "constants", "the axis is of length 0, expected a direction");
        }
    }
}

static void read_keys(struct anb_reader *r, ossa_sotc_bone *bone)
{
    const struct ossa__anb_flag *flag = ossa__anb_flag(bone->flag);
    if (flag == NULL || flag->members == 0) return;
    uint64_t size = (uint64_t)r->anb->pose_count * ossa__anb_key_size(flag);
    uint64_t offset_at = r->section.begin + bone->record_offset + 4ULL * flag->constants;
    struct ossa__reader place =
        ossa__reader_window(&r->section, bone->keys_offset, size, "keys_offset", offset_at);
    if (r->context->failed) return;
    /* Keys that were used twice could make a small file unpack to gigabytes. */
    if (ossa__coverage_touches(&r->coverage, place.begin, size)) {
        ossa__fail(r->context, OSSA_CODE_OVERLAP, offset_at, "keys_offset",
                   "the %" PRIu64 " bytes of keys at 0x%" PRIx32 " share bytes with another field",
                   size, bone->keys_offset);
        return;
    }
    ossa__coverage_mark(&r->coverage, place.begin, size);
    const struct ossa__shape *shape = flag->packed ? &ossa__shape_u32 : &ossa__shape_i16;
    if (flag->members == 3) shape = &shape_triple;
    const void *keys = ossa__read_array(&place, "keys", shape, r->anb->pose_count, 0);
    if (flag->packed) bone->keys.packed = keys;
    else if (flag->members == 3) bone->keys.triple = keys;
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
            ossa__issue(
                r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_UNKNOWN_FLAG, flags.begin + i, "flags",
                "bone %" PRIu32 " has the flag %u, expected 0, 3, 4, 5, 6, 12 or 13", i, flag[i]);
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
    read_header(&r);
    if (!context->failed) read_bones(&r);
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
                       "an offset or a count was changed; only constants and keys can be");
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
        /* A component moves by half the angle's sine: near enough half the angle. */
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
    ossa__report_integer(report, "poses", "poses", anb->pose_count);
    ossa__report_integer(report, "rate", "poses/second", OSSA_SOTC_FPS);
    ossa__report_number(report, "duration", "duration", (double)anb->pose_count / OSSA_SOTC_FPS,
                        "s");
    ossa__report_integer(report, "bones", "bones", anb->bone_count);
    ossa__xff_describe(&anb->container, report);
    ossa__report_note(report, "the rate is likely, not certain");
    ossa__report_note(report, "rotations only: no translation, root motion or event has been found "
                              "in this format by anyone");
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
    .read = read_anb,
    .write = write_anb,
    .dump = ossa__anb_dump,
    .build = OSSA__BUILT_BY(ossa__anb_build),
    .describe = describe_anb,
};
