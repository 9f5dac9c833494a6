/* SPDX-License-Identifier: MIT
 *
 * mm-anim: the animation of a Midtown Madness pedestrian, in one of four dialects. With F frames, B
 * bones and k = 3 B + 3 floats per frame:
 *
 *     mm1         u32 F, u32 B                                   f32 [F][k]
 *     legacy      u32 F, u32 B, f32 unknown, u8 type             f32 [F][k]
 *     documented  u32 channels, u32 F; per channel:
 *                 u32 k, f32 unknown, u8 type                    f32 [F][k]
 *     retail      u32 0, u32 F, u32 k, f32 unknown, u8 type      f32 [F][k]
 *
 * A frame holds the translation of the root, then three angles per bone; in the documented dialect
 * this applies to channels of type 1. There is no signature: the dialect is the one whose
 * arithmetic gives the size of the file. What follows the last frame is kept. `unknown` is the
 * distance that one cycle covers, forward being positive. Unknown: the meaning of `type` (1 in all
 * shipped files, likely a loop flag), and what channels of other types hold. */
#include "formats/midtown_madness/mm_anim.h"
#include "formats/midtown_madness/mm_anim_dialect.h"

#include "base/json.h"
#include "codec/numbers.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { POSE_CHANNEL = 1 };

/* ---- probe --------------------------------------------------------------------------------- */

static ossa_confidence probe_anim(const uint8_t *data, uint64_t size)
{
    enum { LOOKED_AT = 12 };
    bool fits;
    bool has_tail;
    uint64_t at = ossa__mm_values_at(ossa__mm_guess_dialect(data, size, &fits, &has_tail));
    if (!fits) return OSSA_CONFIDENCE_NONE;
    if (has_tail) return OSSA_CONFIDENCE_DAMAGED;
    if (size <= at) return OSSA_CONFIDENCE_EMPTY;
    return ossa__mm_looks_like_pose(data, size, at, LOOKED_AT) ? OSSA_CONFIDENCE_PLAUSIBLE
                                                               : OSSA_CONFIDENCE_ARITHMETIC;
}

static bool may_begin(const uint8_t *start, uint64_t size)
{
    return ossa__mm_may_be_dialect(start, size, OSSA__HEAD);
}

/* ---- read ---------------------------------------------------------------------------------- */

/* Does the channel pose bones? In the dialects with exactly one channel it does, whatever its
 * type. */
static bool is_pose(const ossa_mm_anim *anim, const ossa_mm_channel *channel)
{
    return anim->dialect != OSSA_MM_DIALECT_DOCUMENTED || channel->type == POSE_CHANNEL;
}

static bool is_pose_width(uint32_t floats_per_frame)
{
    return floats_per_frame >= 3 && floats_per_frame % 3 == 0;
}

static void check_channel(struct ossa__context *context, const ossa_mm_channel *channel,
                          const ossa_mm_anim *anim, uint64_t at, uint64_t values_offset)
{
    if (is_pose(anim, channel) && !is_pose_width(channel->floats_per_frame)) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, at, "floats_per_frame",
                    "%" PRIu32 " floats per frame, expected 3 plus 3 per bone",
                    channel->floats_per_frame);
    }
    if (context->options.check_values) {
        ossa__check_finite(context, "frames", values_offset, channel->values,
                           (uint64_t)anim->frame_count * channel->floats_per_frame);
    }
}

/* What follows the first two words: a header in the form of the dialect, and frames. */
static void read_channel(struct ossa__reader *reader, const ossa_mm_anim *anim,
                         ossa_mm_channel *channel, uint32_t bones)
{
    uint64_t at = reader->position;
    bool has_width =
        anim->dialect == OSSA_MM_DIALECT_DOCUMENTED || anim->dialect == OSSA_MM_DIALECT_RETAIL;
    *channel = (ossa_mm_channel){.floats_per_frame = 3 * bones + 3, .type = POSE_CHANNEL};
    if (has_width) channel->floats_per_frame = ossa__read_u32(reader, "floats_per_frame");
    else at = 4; /* the number of bones */
    if (anim->dialect != OSSA_MM_DIALECT_MM1) {
        channel->unknown = ossa__read_f32(reader, "unknown");
        channel->type = ossa__read_u8(reader, "type");
    }
    uint64_t values_offset = reader->position;
    uint64_t count = (uint64_t)anim->frame_count * channel->floats_per_frame;
    channel->values =
        ossa__read_array(reader, "frames", &ossa__shape_f32, count, channel->floats_per_frame);
    if (reader->context->failed) return;
    channel->borrowed = ossa__is_borrowed(reader, channel->values);
    check_channel(reader->context, channel, anim, at, values_offset);
}

static void *read_anim(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__reader reader;
    ossa__reader_init(&reader, context, data, size);
    ossa_mm_anim *anim = ossa__take(context, 1, sizeof *anim);
    if (anim == NULL) return NULL;
    *anim = (ossa_mm_anim){.channel_count = 1};
    if (!ossa__mm_choose_dialect(context, data, size, &anim->dialect)) return NULL;
    uint32_t bones = 0;
    if (anim->dialect == OSSA_MM_DIALECT_MM1 || anim->dialect == OSSA_MM_DIALECT_LEGACY) {
        anim->frame_count = ossa__read_u32(&reader, "frames");
        bones = ossa__read_u32(&reader, "bones");
        if (anim->frame_count == 0 && bones > UINT32_MAX / 3 - 1) {
            /* Without frames the size of the file does not bound the width, which must fit in a
             * u32. */
            ossa__fail(context, OSSA_CODE_BAD_VALUE, 4, "bones",
                       "%" PRIu32 " bones, which is too many", bones);
        }
    } else {
        uint32_t channels = ossa__read_u32(&reader, "channel_count");
        if (anim->dialect == OSSA_MM_DIALECT_DOCUMENTED) anim->channel_count = channels;
        anim->frame_count = ossa__read_u32(&reader, "frames");
    }
    ossa_mm_channel *channels = ossa__take(context, anim->channel_count, sizeof *channels);
    for (uint32_t i = 0; i < anim->channel_count && !context->failed; i++) {
        ossa__enter(context, "channels", i);
        read_channel(&reader, anim, &channels[i], bones);
        ossa__leave(context);
    }
    anim->channels = channels;
    anim->tail = ossa__read_ignored_tail(&reader, &anim->tail_size);
    return anim;
}

const ossa_mm_channel *ossa_mm_pose_channel(const ossa_mm_anim *anim, uint32_t *bone_count)
{
    for (uint32_t i = 0; i < anim->channel_count; i++) {
        const ossa_mm_channel *channel = &anim->channels[i];
        if (!is_pose(anim, channel)) continue;
        if (!is_pose_width(channel->floats_per_frame)) return NULL;
        if (bone_count != NULL) *bone_count = channel->floats_per_frame / 3 - 1;
        return channel;
    }
    return NULL;
}

/* ---- where keys are ------------------------------------------------------------------------ */

static const ossa_key_part angle_parts[] = {{"x", 0, 32, -1}, {"y", 32, 32, -1}, {"z", 64, 32, -1}};
static const ossa_key_part root_parts[] = {{"x", 0, 32, 0}, {"y", 32, 32, 1}, {"z", 64, 32, 2}};

const ossa_key_layout ossa__mm_anim_rotation = {.size = 12, .part_count = 3, .parts = angle_parts};
const ossa_key_layout ossa__mm_anim_translation = {
    .size = 12, .part_count = 3, .parts = root_parts};

uint64_t ossa__mm_anim_values_at(const ossa_mm_anim *anim, const ossa_mm_channel *channel)
{
    uint64_t at = ossa__mm_values_at(anim->dialect);
    uint64_t header = at - 8; /* of each channel, of which only one dialect has several */
    for (const ossa_mm_channel *before = anim->channels; before < channel; before++) {
        at += 4 * (uint64_t)anim->frame_count * before->floats_per_frame + header;
    }
    return at;
}

uint64_t ossa__mm_anim_angles_at(uint32_t bone)
{
    return 12 + 12 * (uint64_t)bone;
}

/* ---- write --------------------------------------------------------------------------------- */

static void write_anim(struct ossa__context *context, const void *contents,
                       struct ossa__writer *writer)
{
    const ossa_mm_anim *anim = contents;
    bool has_bones =
        anim->dialect == OSSA_MM_DIALECT_MM1 || anim->dialect == OSSA_MM_DIALECT_LEGACY;
    if (anim->dialect != OSSA_MM_DIALECT_DOCUMENTED && anim->channel_count != 1) {
        ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, "channels",
                           "%" PRIu32 " channels, but the %s dialect has exactly one",
                           anim->channel_count, ossa_mm_dialect_name(anim->dialect));
        return;
    }
    if (has_bones) {
        uint32_t width = anim->channels[0].floats_per_frame;
        if (!is_pose_width(width)) {
            ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, "channels[0].floats_per_frame",
                               "%" PRIu32 ", but the %s dialect needs 3 plus 3 per bone", width,
                               ossa_mm_dialect_name(anim->dialect));
            return;
        }
        ossa__write_u32(writer, anim->frame_count);
        ossa__write_u32(writer, width / 3 - 1);
    } else {
        ossa__write_u32(writer, anim->dialect == OSSA_MM_DIALECT_RETAIL ? 0 : anim->channel_count);
        ossa__write_u32(writer, anim->frame_count);
    }
    for (uint32_t i = 0; i < anim->channel_count; i++) {
        const ossa_mm_channel *channel = &anim->channels[i];
        if (!has_bones) ossa__write_u32(writer, channel->floats_per_frame);
        if (anim->dialect != OSSA_MM_DIALECT_MM1) {
            ossa__write_f32(writer, channel->unknown);
            ossa__write_u8(writer, channel->type);
        }
        ossa__write_scalars(writer, channel->values,
                            (uint64_t)anim->frame_count * channel->floats_per_frame, 4);
    }
    ossa__write_bytes(writer, anim->tail, anim->tail_size);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void dump_channel(struct ossa__json *json, const ossa_mm_anim *anim,
                         const ossa_mm_channel *channel)
{
    ossa__json_begin_object(json);
    ossa__member_uint(json, "floats_per_frame", channel->floats_per_frame);
    ossa__json_key(json, "unknown");
    if (anim->dialect == OSSA_MM_DIALECT_MM1) ossa__json_null(json);
    else ossa__json_float(json, channel->unknown);
    ossa__json_key(json, "type");
    if (anim->dialect == OSSA_MM_DIALECT_MM1) ossa__json_null(json);
    else ossa__json_uint(json, channel->type);
    ossa__json_key(json, "frames");
    ossa__json_begin_array(json);
    for (uint64_t f = 0; f < anim->frame_count; f++) {
        ossa__json_begin_row(json);
        const float *frame = channel->values + f * channel->floats_per_frame;
        for (uint32_t k = 0; k < channel->floats_per_frame; k++) ossa__json_float(json, frame[k]);
        ossa__json_end_array(json);
    }
    ossa__json_end_array(json);
    ossa__json_end_object(json);
}

static void dump_anim(const void *contents, struct ossa__json *json)
{
    const ossa_mm_anim *anim = contents;
    ossa__member_text(json, "dialect", ossa_mm_dialect_name(anim->dialect));
    ossa__member_uint(json, "frames", anim->frame_count);
    ossa__json_key(json, "channels");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < anim->channel_count; i++) {
        dump_channel(json, anim, &anim->channels[i]);
    }
    ossa__json_end_array(json);
    ossa__member_tail(json, anim->tail, anim->tail_size);
}

static ossa_mm_dialect build_dialect(const struct ossa__value *value)
{
    const char *text = ossa__value_word(value);
    for (unsigned d = 0; d < OSSA__MM_DIALECTS; d++) {
        if (strcmp(text, ossa_mm_dialect_name((ossa_mm_dialect)d)) == 0) return (ossa_mm_dialect)d;
    }
    ossa__value_fail(value, "unknown dialect '%.40s', expected mm1, legacy, documented or retail",
                     text);
    return OSSA_MM_DIALECT_MM1;
}

static ossa_mm_channel build_channel(const struct ossa__value *value, const ossa_mm_anim *anim)
{
    ossa_mm_channel channel = {.type = POSE_CHANNEL};
    bool has_five = anim->dialect != OSSA_MM_DIALECT_MM1;
    ossa__value_allow(value, "floats_per_frame unknown type frames");
    struct ossa__value width = ossa__value_member(value, "floats_per_frame");
    struct ossa__value unknown = ossa__value_optional(value, "unknown");
    struct ossa__value type = ossa__value_optional(value, "type");
    struct ossa__value frames = ossa__value_member(value, "frames");
    channel.floats_per_frame = ossa__value_u32(&width);
    if (has_five != (unknown.node != NULL)) {
        ossa__value_fail(&unknown, "must be %s in the %s dialect", has_five ? "a number" : "null",
                         ossa_mm_dialect_name(anim->dialect));
    }
    if (has_five != (type.node != NULL)) {
        ossa__value_fail(&type, "must be %s in the %s dialect", has_five ? "a number" : "null",
                         ossa_mm_dialect_name(anim->dialect));
    }
    if (has_five) {
        channel.unknown = ossa__value_f32(&unknown);
        channel.type = (uint8_t)ossa__value_integer(&type, 0, UINT8_MAX);
    }
    bool has_bones =
        anim->dialect == OSSA_MM_DIALECT_MM1 || anim->dialect == OSSA_MM_DIALECT_LEGACY;
    if (has_bones && !is_pose_width(channel.floats_per_frame)) {
        ossa__value_fail(&width, "%" PRIu32 " is not 3 plus 3 per bone, as the %s dialect needs",
                         channel.floats_per_frame, ossa_mm_dialect_name(anim->dialect));
    }
    if (anim->frame_count > 0 && channel.floats_per_frame == 0) {
        ossa__value_fail(&width, "is 0, but there are frames");
    }
    if (!ossa__value_expect_length(&frames, anim->frame_count)) return channel;
    /* Every frame must list its floats, so the document bounds what is allocated. */
    for (uint32_t f = 0; f < anim->frame_count; f++) {
        struct ossa__value frame = ossa__value_item(&frames, f);
        if (!ossa__value_expect_length(&frame, channel.floats_per_frame)) return channel;
    }
    uint64_t count = (uint64_t)anim->frame_count * channel.floats_per_frame;
    float *values = ossa__take(value->context, count, sizeof *values);
    for (uint32_t f = 0; f < anim->frame_count && !value->context->failed; f++) {
        struct ossa__value frame = ossa__value_item(&frames, f);
        ossa__value_floats(&frame, channel.floats_per_frame,
                           values + (uint64_t)f * channel.floats_per_frame);
    }
    channel.values = values;
    return channel;
}

static void *build_anim(struct ossa__context *context, const struct ossa__value *data,
                        uint64_t size)
{
    (void)size;
    ossa__value_allow(data, "dialect frames channels tail");
    struct ossa__value dialect = ossa__value_member(data, "dialect");
    struct ossa__value frames = ossa__value_member(data, "frames");
    struct ossa__value list = ossa__value_member(data, "channels");
    size_t count = ossa__value_length(&list);
    ossa_mm_anim *anim = ossa__take(context, 1, sizeof *anim);
    ossa_mm_channel *channels = ossa__take(context, count, sizeof *channels);
    if (channels == NULL) return NULL;
    *anim = (ossa_mm_anim){.dialect = build_dialect(&dialect),
                           .frame_count = ossa__value_u32(&frames),
                           .channel_count = (uint32_t)count,
                           .channels = channels};
    if (anim->dialect != OSSA_MM_DIALECT_DOCUMENTED && count != 1) {
        ossa__value_fail(&list, "has %zu items, but the %s dialect has exactly one channel", count,
                         ossa_mm_dialect_name(anim->dialect));
    }
    for (size_t i = 0; i < count && !context->failed; i++) {
        struct ossa__value channel = ossa__value_item(&list, i);
        channels[i] = build_channel(&channel, anim);
    }
    struct ossa__value tail = ossa__value_optional(data, "tail");
    if (tail.node != NULL) anim->tail = ossa__value_hex(&tail, &anim->tail_size);
    /* A file that matches several dialects must be read back in this one. */
    context->options.dialect = ossa_mm_dialect_name(anim->dialect);
    return anim;
}

/* ---- describe ------------------------------------------------------------------------------ */

/* The range over all frames of the root translations, or of the angles of all bones. */
static void describe_frames(struct ossa__report *report, const ossa_mm_anim *anim,
                            const ossa_mm_channel *channel, bool angles)
{
    float rows[6] = {INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY};
    for (uint64_t f = 0; f < anim->frame_count; f++) {
        const float *frame = channel->values + f * channel->floats_per_frame;
        uint32_t begin = angles ? 3 : 0;
        uint32_t end = angles ? channel->floats_per_frame : 3;
        for (uint32_t k = begin; k < end; k++) {
            if (!isfinite(frame[k])) continue; /* reported as an issue */
            if (frame[k] < rows[k % 3]) rows[k % 3] = frame[k];
            if (frame[k] > rows[3 + k % 3]) rows[3 + k % 3] = frame[k];
        }
    }
    if (!(rows[0] <= rows[3])) return;
    if (angles) ossa__report_ranges(report, "angle_ranges", "angles", rows, 2, 3, "xyz");
    else ossa__report_ranges(report, "root_ranges", "root", rows, 2, 3, "xyz");
}

static void describe_anim(const void *contents, struct ossa__report *report)
{
    const ossa_mm_anim *anim = contents;
    uint32_t bones = 0;
    const ossa_mm_channel *pose = ossa_mm_pose_channel(anim, &bones);
    ossa__report_text(report, "dialect", "dialect", ossa_mm_dialect_name(anim->dialect));
    ossa__report_integer(report, "frames", "frames", anim->frame_count);
    ossa__report_integer(report, "rate", "frames/second", OSSA_MM_FPS);
    ossa__report_number(report, "duration", "duration", (double)anim->frame_count / OSSA_MM_FPS,
                        "s");
    ossa__report_integer(report, "channels", "channels", anim->channel_count);
    if (pose == NULL) {
        ossa__report_note(report, "no channel poses bones");
    } else {
        ossa__report_integer(report, "bones", "bones", bones);
        describe_frames(report, anim, pose, false);
        describe_frames(report, anim, pose, true);
        if (anim->dialect != OSSA_MM_DIALECT_MM1) {
            ossa__report_number(report, "unknown", "cycle distance", (double)pose->unknown, "m");
            ossa__report_integer(report, "type", "loop?", pose->type);
        }
    }
    for (uint32_t i = 0; i < anim->channel_count; i++) {
        const ossa_mm_channel *channel = &anim->channels[i];
        if (channel == pose) continue;
        ossa__report_note(report,
                          "channel %" PRIu32 " has type %u and %" PRIu32
                          " floats per frame; its purpose is unknown",
                          i, channel->type, channel->floats_per_frame);
    }
    if (anim->tail_size > 0) {
        ossa__report_note(report, "%zu bytes after the last frame are ignored by the game",
                          anim->tail_size);
    }
    ossa__report_note(report, "angles are in radians, applied about X, then Z, then Y");
}

ossa_mm_anim *ossa_as_mm_anim(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_mm_anim);
}

const struct ossa__format ossa__format_mm_anim = {
    .about = {.id = "mm-anim",
              .title = "Midtown Madness animation",
              .game = "Midtown Madness 1 and 2 (1999, 2000)",
              .extensions = "anim",
              .kind = OSSA_KIND_ANIMATION},
    .game = &ossa__game_midtown_madness,
    .role = OSSA__ROLE_CLIP,
    .probe = probe_anim,
    .may_begin = may_begin,
    .read = read_anim,
    .write = write_anim,
    .dump = dump_anim,
    .build = OSSA__BUILT_BY(build_anim),
    .describe = describe_anim,
};
