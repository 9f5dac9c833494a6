/* SPDX-License-Identifier: MIT
 *
 * vib-anm: where the objects of a Vib-Ribbon model are, frame by frame.
 *
 *     0x00  u16  magic           0x8000
 *     0x02  i16  rate            1, 15, 20, 30 or 60; likely frames per second
 *     0x04  u16  frame_count
 *     0x06  u16  offsets[frame_count + 1]     times 2: start of each frame, and the end
 *     frame: keys up to the next frame's start
 *     key:   u8 object, u8 flags
 *            flags & 1: i16 rotation[3]       4096 is a full rotation
 *            flags & 2: i16 scale[3]          4096 is 1.0
 *            flags & 4: i16 position[3]
 *
 * Unknown: what `rate` does, the order of the rotations, and whether a component without its flag
 * is at rest or keeps its last value. */
#include "formats/modules.h"

#include "base/json.h"
#include "formats/vib_ribbon/vib_anm.h"
#include "formats/vib_ribbon/vib_header.h"

#include <inttypes.h>
#include <string.h>

enum { TABLE_AT = OSSA__VIB_HEADER_SIZE };

static const struct ossa__shape shape_xyz = {OSSA_FIELD_TYPE_I16, 3, {"x", "y", "z"}};

/* ---- probe --------------------------------------------------------------------------------- */

static ossa_confidence probe_anm(const uint8_t *data, uint64_t size)
{
    if (size < TABLE_AT + 2 || ossa__peek_u16(data, size, 0) != OSSA__VIB_MAGIC)
        return OSSA_CONFIDENCE_NONE;
    if (ossa__vib_has_table(data, size)) return OSSA_CONFIDENCE_SIGNATURE;
    bool is_broken = ossa__vib_is_known_rate((int16_t)ossa__peek_u16(data, size, 2)) &&
                     ossa__vib_has_end_of_table(data, size);
    return is_broken ? OSSA_CONFIDENCE_DAMAGED : OSSA_CONFIDENCE_NONE;
}

static bool may_begin(const uint8_t *start, uint64_t size)
{
    return ossa__peek_u16(start, size, 0) == OSSA__VIB_MAGIC;
}

/* ---- read ---------------------------------------------------------------------------------- */

static void check_offsets(struct ossa__context *context, const uint16_t *offsets, uint32_t frames,
                          uint64_t size)
{
    uint64_t table_end = TABLE_AT + 2 * ((uint64_t)frames + 1);
    uint64_t before = table_end;
    for (uint32_t i = 0; i <= frames && !context->failed; i++) {
        uint64_t offset = offsets[i] * 2U;
        uint64_t at = TABLE_AT + 2 * (uint64_t)i;
        ossa__enter(context, "offsets", i);
        if (offset > size) {
            ossa__fail(context, OSSA_CODE_BAD_OFFSET, at, "",
                       "0x%" PRIx64 " is past the end of the file (0x%" PRIx64 ")", offset, size);
        } else if (offset < before && i == 0) {
            ossa__fail(context, OSSA_CODE_BAD_OFFSET, at, "",
                       "0x%" PRIx64 " is inside the table, which ends at 0x%" PRIx64, offset,
                       table_end);
        } else if (offset < before) {
            ossa__fail(context, OSSA_CODE_BAD_OFFSET, at, "",
                       "0x%" PRIx64 " is before the previous frame (0x%" PRIx64 ")", offset,
                       before);
        }
        ossa__leave(context);
        before = offset;
    }
}

/* Count the complete keys up to `end`; the reader reports what is wrong. */
static uint32_t count_keys(const uint8_t *data, uint64_t at, uint64_t end)
{
    uint32_t count = 0;
    while (end - at >= 2) {
        unsigned size = ossa__vib_key_size(data[at + 1]);
        if (size > end - at) break;
        at += size;
        count++;
    }
    return count;
}

static ossa_vib_key read_key(struct ossa__reader *reader)
{
    ossa_vib_key key = {0};
    uint64_t at = reader->position;
    key.object = ossa__read_u8(reader, "object");
    key.flags = ossa__read_u8(reader, "flags");
    if (key.flags & OSSA_VIB_KEY_ROTATION) {
        ossa__read_element(reader, "rotation", &shape_xyz, key.rotation);
    }
    if (key.flags & OSSA_VIB_KEY_SCALE) ossa__read_element(reader, "scale", &shape_xyz, key.scale);
    if (key.flags & OSSA_VIB_KEY_POSITION) {
        ossa__read_element(reader, "position", &shape_xyz, key.position);
    }
    if (key.flags & ~OSSA__VIB_FLAGS) {
        ossa__issue(reader->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNKNOWN_FLAG, at + 1, "flags",
                    "0x%02x has unknown bits, expected at most 0x07", key.flags);
    }
    return key;
}

/* The keys of one frame: its bytes are the window of `reader`. */
static uint32_t read_frame(struct ossa__reader *reader, ossa_vib_key *keys)
{
    uint32_t count = 0;
    uint8_t seen[256] = {0};
    while (ossa__left(reader) > 0 && !reader->context->failed) {
        uint64_t at = reader->position;
        ossa__enter(reader->context, "", count);
        ossa_vib_key key = read_key(reader);
        if (!reader->context->failed) {
            if (seen[key.object]) {
                ossa__issue(reader->context, OSSA_SEVERITY_ERROR, OSSA_CODE_DUPLICATE_OBJECT, at,
                            "object", "object %u already has a key in this frame", key.object);
            }
            seen[key.object] = 1;
            keys[count++] = key;
        }
        ossa__leave(reader->context);
    }
    return count;
}

static void read_frames(struct ossa__reader *file, ossa_vib_anm *anm, const uint16_t *offsets)
{
    struct ossa__context *context = file->context;
    uint64_t end = offsets[anm->frame_count] * 2U;
    uint32_t total = 0;
    for (uint32_t i = 0; i < anm->frame_count; i++) {
        total += count_keys(file->data, offsets[i] * 2U, offsets[i + 1] * 2U);
    }
    ossa_vib_frame *frames = ossa__take(context, anm->frame_count, sizeof *frames);
    ossa_vib_key *keys = ossa__take(context, (uint64_t)total, sizeof *keys);
    if (keys == NULL) return;
    uint32_t used = 0;
    for (uint32_t i = 0; i < anm->frame_count && !context->failed; i++) {
        struct ossa__reader frame = ossa__reader_window(
            file, offsets[i] * 2U, (offsets[i + 1] - offsets[i]) * 2U, "offsets", TABLE_AT);
        ossa__enter(context, "frames", i);
        uint32_t count = read_frame(&frame, keys + used);
        ossa__leave(context);
        frames[i] = (ossa_vib_frame){.first_key = used, .key_count = count};
        used += count;
    }
    anm->frames = frames;
    anm->key_count = total;
    anm->keys = keys;
    file->position = end;
}

static void *read_anm(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__reader reader;
    ossa__reader_init(&reader, context, data, size);
    ossa_vib_anm *anm = ossa__take(context, 1, sizeof *anm);
    if (anm == NULL) return NULL;
    *anm = (ossa_vib_anm){0};
    anm->rate = ossa__vib_read_start(&reader);
    anm->frame_count = ossa__read_u16(&reader, "frame_count");
    const uint16_t *offsets =
        ossa__read_array(&reader, "offsets", &ossa__shape_u16, anm->frame_count + 1U, 0);
    if (context->failed) return NULL;
    ossa__vib_check_rate(context, anm->rate);
    check_offsets(context, offsets, anm->frame_count, size);
    if (context->failed) return NULL;
    anm->gap_size = (size_t)(offsets[0] * 2U - reader.position);
    if (anm->gap_size > 0) {
        ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_GAP, reader.position, "gap",
                    "%zu bytes between the table and the first frame, expected none",
                    anm->gap_size);
    }
    anm->gap = ossa__read_bytes(&reader, "gap", OSSA_FIELD_TYPE_UNKNOWN, anm->gap_size);
    read_frames(&reader, anm, offsets);
    anm->tail = ossa__read_tail(&reader, &anm->tail_size);
    return anm;
}

/* ---- where keys are ------------------------------------------------------------------------ */

static const ossa_key_part angle_parts[] = {{"x", 0, 16, -1}, {"y", 16, 16, -1}, {"z", 32, 16, -1}};
static const ossa_key_part xyz_parts[] = {{"x", 0, 16, 0}, {"y", 16, 16, 1}, {"z", 32, 16, 2}};
static const ossa_key_part object_parts[] = {{"object", 0, 8, -1}};

const ossa_key_layout ossa__vib_anm_rotation = {.size = 6, .part_count = 3, .parts = angle_parts};
const ossa_key_layout ossa__vib_anm_scale = {.size = 6, .part_count = 3, .parts = xyz_parts};
const ossa_key_layout ossa__vib_anm_position = {.size = 6, .part_count = 3, .parts = xyz_parts};
const ossa_key_layout ossa__vib_anm_object = {
    .size = 1, .is_structure = true, .part_count = 1, .parts = object_parts};

uint64_t ossa__vib_anm_keys_at(const ossa_vib_anm *anm)
{
    return TABLE_AT + 2 * ((uint64_t)anm->frame_count + 1) + anm->gap_size;
}

uint64_t ossa__vib_anm_member_at(const ossa_vib_key *key, uint8_t flag)
{
    /* Those that come before it have the lower flags. */
    return ossa__vib_key_size((uint8_t)(key->flags & (flag - 1U)));
}

/* ---- write --------------------------------------------------------------------------------- */

static uint64_t frame_size(const ossa_vib_anm *anm, uint32_t index)
{
    const ossa_vib_frame *frame = &anm->frames[index];
    uint64_t size = 0;
    for (uint32_t k = 0; k < frame->key_count; k++) {
        size += ossa__vib_key_size(anm->keys[frame->first_key + k].flags);
    }
    return size;
}

static void write_key(struct ossa__writer *writer, const ossa_vib_key *key)
{
    ossa__write_u8(writer, key->object);
    ossa__write_u8(writer, key->flags);
    if (key->flags & OSSA_VIB_KEY_ROTATION) ossa__write_scalars(writer, key->rotation, 3, 2);
    if (key->flags & OSSA_VIB_KEY_SCALE) ossa__write_scalars(writer, key->scale, 3, 2);
    if (key->flags & OSSA_VIB_KEY_POSITION) ossa__write_scalars(writer, key->position, 3, 2);
}

static void write_anm(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    const ossa_vib_anm *anm = contents;
    ossa__write_u16(writer, OSSA__VIB_MAGIC);
    ossa__write_u16(writer, (uint16_t)anm->rate);
    ossa__write_u16(writer, anm->frame_count);
    uint64_t offset = TABLE_AT + 2 * ((uint64_t)anm->frame_count + 1) + anm->gap_size;
    for (uint32_t i = 0; i <= anm->frame_count; i++) {
        if (offset / 2 > UINT16_MAX || offset % 2 != 0) {
            ossa__enter(context, "frames", i == 0 ? 0 : i - 1);
            ossa__fail_nowhere(context, OSSA_CODE_LIMIT, "",
                               "ends at offset %" PRIu64
                               ", but offsets must be even and at most 131070; split the sequence "
                               "into several files",
                               offset);
            ossa__leave(context);
            return;
        }
        ossa__write_u16(writer, (uint16_t)(offset / 2));
        if (i < anm->frame_count) offset += frame_size(anm, i);
    }
    ossa__write_bytes(writer, anm->gap, anm->gap_size);
    for (uint32_t i = 0; i < anm->frame_count; i++) {
        const ossa_vib_frame *frame = &anm->frames[i];
        for (uint32_t k = 0; k < frame->key_count; k++) {
            write_key(writer, &anm->keys[frame->first_key + k]);
        }
    }
    ossa__write_bytes(writer, anm->tail, anm->tail_size);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void dump_key(struct ossa__json *json, const ossa_vib_key *key)
{
    ossa__json_begin_object(json);
    ossa__member_uint(json, "object", key->object);
    ossa__member_uint(json, "flags", key->flags);
    if (key->flags & OSSA_VIB_KEY_ROTATION) ossa__member_i16s(json, "rotation", key->rotation, 3);
    if (key->flags & OSSA_VIB_KEY_SCALE) ossa__member_i16s(json, "scale", key->scale, 3);
    if (key->flags & OSSA_VIB_KEY_POSITION) ossa__member_i16s(json, "position", key->position, 3);
    ossa__json_end_object(json);
}

static void dump_anm(const void *contents, struct ossa__json *json)
{
    const ossa_vib_anm *anm = contents;
    ossa__member_int(json, "rate", anm->rate);
    ossa__json_key(json, "frames");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < anm->frame_count; i++) {
        const ossa_vib_frame *frame = &anm->frames[i];
        ossa__json_begin_array(json);
        for (uint32_t k = 0; k < frame->key_count; k++) {
            dump_key(json, &anm->keys[frame->first_key + k]);
        }
        ossa__json_end_array(json);
    }
    ossa__json_end_array(json);
    if (anm->gap_size > 0) ossa__member_hex(json, "gap", anm->gap, anm->gap_size);
    ossa__member_tail(json, anm->tail, anm->tail_size);
}

static void build_component(const struct ossa__value *key, const char *name, bool flagged,
                            int16_t xyz[3])
{
    struct ossa__value part = ossa__value_optional(key, name);
    if (flagged && part.node == NULL) ossa__value_fail(&part, "is missing, but its flag is set");
    if (!flagged && part.node != NULL)
        ossa__value_fail(&part, "is present, but its flag is not set");
    if (!flagged || key->context->failed) return;
    int64_t numbers[3];
    ossa__value_integers(&part, 3, INT16_MIN, INT16_MAX, numbers);
    for (unsigned i = 0; i < 3; i++) xyz[i] = (int16_t)numbers[i];
}

static ossa_vib_key build_key(const struct ossa__value *value)
{
    ossa_vib_key key = {0};
    ossa__value_allow(value, "object flags rotation scale position");
    struct ossa__value object = ossa__value_member(value, "object");
    struct ossa__value flags = ossa__value_member(value, "flags");
    key.object = (uint8_t)ossa__value_integer(&object, 0, UINT8_MAX);
    key.flags = (uint8_t)ossa__value_integer(&flags, 0, UINT8_MAX);
    build_component(value, "rotation", (key.flags & OSSA_VIB_KEY_ROTATION) != 0, key.rotation);
    build_component(value, "scale", (key.flags & OSSA_VIB_KEY_SCALE) != 0, key.scale);
    build_component(value, "position", (key.flags & OSSA_VIB_KEY_POSITION) != 0, key.position);
    return key;
}

static void build_frames(const struct ossa__value *list, ossa_vib_anm *anm)
{
    struct ossa__context *context = list->context;
    size_t count = ossa__value_length(list);
    if (count > UINT16_MAX) ossa__value_fail(list, "has %zu frames, but at most 65535 fit", count);
    size_t total = 0;
    for (size_t i = 0; i < count && !context->failed; i++) {
        struct ossa__value frame = ossa__value_item(list, i);
        total += ossa__value_length(&frame);
    }
    ossa_vib_frame *frames = ossa__take(context, count, sizeof *frames);
    ossa_vib_key *keys = ossa__take(context, total, sizeof *keys);
    if (keys == NULL) return;
    uint32_t used = 0;
    for (size_t i = 0; i < count && !context->failed; i++) {
        struct ossa__value frame = ossa__value_item(list, i);
        size_t length = ossa__value_length(&frame);
        frames[i] = (ossa_vib_frame){.first_key = used, .key_count = (uint32_t)length};
        for (size_t k = 0; k < length; k++) {
            struct ossa__value key = ossa__value_item(&frame, k);
            keys[used++] = build_key(&key);
        }
    }
    anm->frame_count = (uint16_t)count;
    anm->frames = frames;
    anm->key_count = used;
    anm->keys = keys;
}

static void *build_anm(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    (void)size;
    ossa_vib_anm *anm = ossa__take(context, 1, sizeof *anm);
    if (anm == NULL) return NULL;
    *anm = (ossa_vib_anm){0};
    ossa__value_allow(data, "rate frames gap tail");
    struct ossa__value rate = ossa__value_member(data, "rate");
    struct ossa__value frames = ossa__value_member(data, "frames");
    struct ossa__value gap = ossa__value_optional(data, "gap");
    struct ossa__value tail = ossa__value_optional(data, "tail");
    anm->rate = (int16_t)ossa__value_integer(&rate, INT16_MIN, INT16_MAX);
    build_frames(&frames, anm);
    if (gap.node != NULL) anm->gap = ossa__value_hex(&gap, &anm->gap_size);
    if (anm->gap_size % 2 != 0) ossa__value_fail(&gap, "must have an even number of bytes");
    if (tail.node != NULL) anm->tail = ossa__value_hex(&tail, &anm->tail_size);
    return anm;
}

/* ---- describe ------------------------------------------------------------------------------ */

/* The range of one component over the keys that have it. */
static void describe_component(struct ossa__report *report, const char *key, const char *label,
                               const ossa_vib_anm *anm, uint8_t flag, size_t member)
{
    struct ossa__vib_ranges ranges = {0};
    for (uint32_t k = 0; k < anm->key_count; k++) {
        if ((anm->keys[k].flags & flag) == 0) continue;
        int16_t xyz[3];
        memcpy(xyz, (const uint8_t *)&anm->keys[k] + member, sizeof xyz);
        ossa__vib_widen(&ranges, xyz, 3);
    }
    ossa__vib_report_ranges(report, key, label, &ranges, "xyz");
}

static void describe_anm(const void *contents, struct ossa__report *report)
{
    const ossa_vib_anm *anm = contents;
    uint8_t seen[256] = {0};
    unsigned objects = 0;
    for (uint32_t k = 0; k < anm->key_count; k++) {
        if (!seen[anm->keys[k].object]) objects++;
        seen[anm->keys[k].object] = 1;
    }
    int rate = ossa_vib_fps(anm->rate);
    ossa__report_integer(report, "frames", "frames", anm->frame_count);
    ossa__report_integer(report, "rate", "frames/second", (uint64_t)rate);
    ossa__report_number(report, "duration", "duration", (double)anm->frame_count / rate, "s");
    ossa__report_integer(report, "keys", "keys", anm->key_count);
    ossa__report_integer(report, "objects", "objects", objects);
    describe_component(report, "rotation_ranges", "rotation", anm, OSSA_VIB_KEY_ROTATION,
                       offsetof(ossa_vib_key, rotation));
    describe_component(report, "scale_ranges", "scale", anm, OSSA_VIB_KEY_SCALE,
                       offsetof(ossa_vib_key, scale));
    describe_component(report, "position_ranges", "position", anm, OSSA_VIB_KEY_POSITION,
                       offsetof(ossa_vib_key, position));
    ossa__report_note(report, "the field at 0x02 is %d, likely the rate%s", anm->rate,
                      rate == anm->rate ? "" : "; 30 is used instead");
    ossa__report_note(report, "values are raw: a full rotation is 4096, a scale of 1 is 4096");
    ossa__report_note(report, "an object without a key in a frame is not drawn in that frame");
}

ossa_vib_anm *ossa_as_vib_anm(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_vib_anm);
}

const struct ossa__format ossa__format_vib_anm = {
    .about = {.id = "vib-anm",
              .title = "Vib-Ribbon model animation",
              .game = "Vib-Ribbon (1999)",
              .extensions = "anm",
              .kind = OSSA_KIND_ANIMATION},
    .game = &ossa__game_vib_ribbon,
    .role = OSSA__ROLE_CLIP,
    .probe = probe_anm,
    .may_begin = may_begin,
    .read = read_anm,
    .write = write_anm,
    .dump = dump_anm,
    .build = OSSA__BUILT_BY(build_anm),
    .describe = describe_anm,
};
