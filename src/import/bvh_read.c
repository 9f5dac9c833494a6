/* SPDX-License-Identifier: MIT
 *
 * A BVH, as the programs write it that people animate with. The format has no specification; this
 * is what they agree on, or the reading that loses nothing where they do not:
 *
 * - The rotations of a joint are multiplied in the order of its channels: Zrotation Xrotation
 *   Yrotation is R = Rz * Rx * Ry, in degrees. All of them together are its local rotation.
 * - Positions replace the offset, coordinate by coordinate. That is how Blender and MotionBuilder
 *   write and read them; programs that add both write an offset of 0 to such a joint.
 * - A joint has up to six channels in any order, or none. An End Site is not a joint.
 * - There may be several roots. Names go to the end of the line.
 * - A frame is a line. */
#include "import/bvh_scan.h"
#include "import/motion.h"

#include "base/fold.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MOST_CHANNELS = 6 };

/* X, Y and Z position, X, Y and Z rotation. */
enum { FIRST_ROTATION = 3 };

struct joint {
    uint8_t channel_count;
    uint8_t channels[MOST_CHANNELS];
    bool has_offset;
    bool has_channels;
    float *translations; /* [frame][3]; NULL: it has no positions */
    float *rotations;    /* [frame][4]; NULL: it does not rotate */
};

struct reader {
    struct ossa__bvh_scan scan;
    struct ossa__motion *motion;
    struct joint *joints; /* of each node */
    uint32_t joint_count;
    uint64_t channel_count; /* of all joints */
    struct ossa__motion_clip clip;
};

/* ---- hierarchy ----------------------------------------------------------------------------- */

/* Each joint, and each End Site, has a brace. */
static bool take_joints(struct reader *reader)
{
    struct ossa__context *context = reader->scan.context;
    uint64_t braces = 0;
    for (size_t i = 0; i < reader->scan.size; i++) braces += reader->scan.data[i] == '{';
    if (braces > INT32_MAX) {
        return ossa__fail_nowhere(context, OSSA_CODE_LIMIT, "", "%" PRIu64 " joints are too many",
                                  braces);
    }
    reader->motion->nodes = ossa__take(context, braces, sizeof *reader->motion->nodes);
    reader->joints = ossa__take_scratch(context, braces, sizeof *reader->joints);
    return reader->joints != NULL;
}

static bool expect_brace(struct reader *reader)
{
    return ossa__bvh_pass_character(&reader->scan, '{') || ossa__bvh_expected(&reader->scan, "'{'");
}

static bool read_joint(struct reader *reader, int32_t parent)
{
    const char *name = ossa__bvh_read_name(&reader->scan);
    if (name == NULL || !expect_brace(reader)) return false; /* so there is room for it */
    reader->joints[reader->joint_count] = (struct joint){0};
    reader->motion->nodes[reader->joint_count++] =
        (struct ossa__motion_node){.name = name,
                                   .parent = parent,
                                   .rotation = {0.0, 0.0, 0.0, 1.0},
                                   .scale = {1.0, 1.0, 1.0},
                                   .is_joint = true,
                                   .mesh = -1};
    return true;
}

static bool read_offset(struct reader *reader, double offset[3])
{
    for (unsigned k = 0; k < 3; k++) {
        ossa__bvh_pass_space(&reader->scan);
        if (!ossa__bvh_read_number(&reader->scan, &offset[k])) return false;
    }
    return true;
}

/* An integer from 0 on. */
static bool read_count(struct reader *reader, uint32_t *count)
{
    double number;
    ossa__bvh_pass_space(&reader->scan);
    size_t at = reader->scan.at;
    if (!ossa__bvh_read_number(&reader->scan, &number)) return false;
    bool is_count = number >= 0.0 && number <= (double)UINT32_MAX && floor(number) == number;
    *count = is_count ? (uint32_t)number : 0;
    return is_count ||
           ossa__bvh_refuse(&reader->scan, at, OSSA_CODE_BAD_VALUE, "%g is not a count", number);
}

static bool read_channel(struct reader *reader, struct joint *joint)
{
    static const char *const names[MOST_CHANNELS] = {"Xposition", "Yposition", "Zposition",
                                                     "Xrotation", "Yrotation", "Zrotation"};
    for (unsigned c = 0; c < MOST_CHANNELS; c++) {
        ossa__bvh_pass_space(&reader->scan);
        size_t at = reader->scan.at;
        if (!ossa__bvh_pass_word(&reader->scan, names[c])) continue;
        if (memchr(joint->channels, (int)c, joint->channel_count) != NULL) {
            return ossa__bvh_refuse(&reader->scan, at, OSSA_CODE_BAD_VALUE,
                                    "the joint has the channel %s twice", names[c]);
        }
        joint->channels[joint->channel_count++] = (uint8_t)c;
        return true;
    }
    return ossa__bvh_expected(&reader->scan, "a channel such as Xposition or Zrotation");
}

static bool read_channels(struct reader *reader, struct joint *joint)
{
    uint32_t count;
    ossa__bvh_pass_space(&reader->scan);
    size_t at = reader->scan.at;
    if (!read_count(reader, &count)) return false;
    if (count > MOST_CHANNELS) {
        return ossa__bvh_refuse(&reader->scan, at, OSSA_CODE_BAD_VALUE,
                                "%" PRIu32 " channels of a joint, at most 6 are known", count);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!read_channel(reader, joint)) return false;
    }
    reader->channel_count += count;
    return true;
}

/* Where a bone ends is for people to see; a joint is where it begins. */
static bool pass_end_site(struct reader *reader)
{
    double offset[3];
    (void)ossa__bvh_read_name(&reader->scan); /* "Site", and whatever programs call it */
    if (!expect_brace(reader)) return false;
    if (ossa__bvh_pass_word(&reader->scan, "OFFSET") && !read_offset(reader, offset)) return false;
    return ossa__bvh_pass_character(&reader->scan, '}') ||
           ossa__bvh_expected(&reader->scan, "OFFSET or '}' of an End Site");
}

/* One thing that stands in the braces of a joint. */
static bool read_member(struct reader *reader, int32_t *open)
{
    struct ossa__bvh_scan *scan = &reader->scan;
    struct joint *joint = &reader->joints[*open];
    struct ossa__motion_node *node = &reader->motion->nodes[*open];
    size_t at = scan->at;
    if (ossa__bvh_pass_character(scan, '}')) {
        *open = node->parent;
        return true;
    }
    if (ossa__bvh_pass_word(scan, "JOINT")) {
        if (!read_joint(reader, *open)) return false;
        *open = (int32_t)(reader->joint_count - 1);
        return true;
    }
    if (ossa__bvh_pass_word(scan, "End")) return pass_end_site(reader);
    bool is_offset = ossa__bvh_pass_word(scan, "OFFSET");
    bool is_channels = !is_offset && ossa__bvh_pass_word(scan, "CHANNELS");
    if (!is_offset && !is_channels) {
        return ossa__bvh_expected(scan, "JOINT, End Site, OFFSET, CHANNELS or '}'");
    }
    bool *has = is_offset ? &joint->has_offset : &joint->has_channels;
    if (*has) {
        return ossa__bvh_refuse(scan, at, OSSA_CODE_BAD_VALUE, "the joint has %s twice",
                                is_offset ? "OFFSET" : "CHANNELS");
    }
    *has = true;
    return is_offset ? read_offset(reader, node->translation) : read_channels(reader, joint);
}

/* Without recursion: joints may nest as deep as there are joints. */
static bool read_hierarchy(struct reader *reader)
{
    struct ossa__bvh_scan *scan = &reader->scan;
    int32_t open = -1; /* the joint whose braces this is in */
    if (!ossa__bvh_pass_word(scan, "HIERARCHY")) return ossa__bvh_expected(scan, "HIERARCHY");
    for (;;) {
        ossa__bvh_pass_space(scan);
        if (open >= 0) {
            if (!read_member(reader, &open)) return false;
        } else if (ossa__bvh_pass_word(scan, "ROOT")) {
            if (!read_joint(reader, -1)) return false;
            open = (int32_t)(reader->joint_count - 1);
        } else if (reader->joint_count > 0 && ossa__bvh_pass_word(scan, "MOTION")) {
            return true;
        } else {
            return ossa__bvh_expected(scan, reader->joint_count > 0 ? "ROOT or MOTION" : "ROOT");
        }
    }
}

/* ---- times --------------------------------------------------------------------------------- */

/* Frames a second from the time of one, which is written with a few digits: 0.033333 is that of 30,
 * and 0.041708 that of 24000/1001. What no usual rate rounds to is taken as it stands. */
static double rate_of(double time, unsigned decimals)
{
    double off = time * 2e-3; /* two usual rates are never so near to each other */
    double digit = 1.0;
    for (unsigned i = 0; i < decimals && digit > 1e-20; i++) digit /= 10.0;
    if (digit < off) off = digit;
    double whole = floor(1.0 / time + 0.5);
    if (whole >= 1.0 && fabs(1.0 / whole - time) <= off) return whole;
    whole = floor(1.001 / time + 0.5);
    if (whole >= 1.0 && fabs(1.001 / whole - time) <= off) return whole / 1.001;
    return 1.0 / time;
}

/* How many digits follow the point of the number from `at` on; with an exponent, as many as there
 * can be. */
static unsigned count_decimals(const struct ossa__bvh_scan *scan, size_t at)
{
    unsigned decimals = 0;
    bool has_point = false;
    for (; at < scan->at; at++) {
        char c = scan->data[at];
        if (c == 'e' || c == 'E') return UINT32_MAX;
        decimals += has_point;
        has_point = has_point || c == '.';
    }
    return decimals;
}

static bool read_frame_time(struct reader *reader)
{
    double time;
    ossa__bvh_pass_space(&reader->scan);
    size_t at = reader->scan.at;
    if (!ossa__bvh_read_number(&reader->scan, &time)) return false;
    reader->clip.fps = rate_of(time, count_decimals(&reader->scan, at));
    bool is_time = time > 0.0 && reader->clip.fps <= 1e6;
    return is_time || ossa__bvh_refuse(&reader->scan, at, OSSA_CODE_BAD_VALUE,
                                       "%g s is not the time of a frame", time);
}

static float *take_times(struct reader *reader)
{
    float *times = ossa__take(reader->scan.context, reader->clip.frame_count, sizeof *times);
    for (uint32_t f = 0; times != NULL && f < reader->clip.frame_count; f++) {
        times[f] = (float)(f / reader->clip.fps);
        if (f == 0 || (times[f] > times[f - 1] && isfinite(times[f]))) continue;
        ossa__fail_nowhere(reader->scan.context, OSSA_CODE_LIMIT, "",
                           "%" PRIu32 " frames of %g s are too many for 32-bit floats",
                           reader->clip.frame_count, 1.0 / reader->clip.fps);
        return NULL;
    }
    return times;
}

/* ---- motion -------------------------------------------------------------------------------- */

static bool read_motion_head(struct reader *reader)
{
    struct ossa__bvh_scan *scan = &reader->scan;
    uint32_t frames;
    if (!ossa__bvh_pass_word(scan, "Frames") || !ossa__bvh_pass_character(scan, ':')) {
        return ossa__bvh_expected(scan, "Frames:");
    }
    ossa__bvh_pass_space(scan);
    size_t at = scan->at;
    if (!read_count(reader, &frames)) return false;
    if (!ossa__bvh_pass_word(scan, "Frame") || !ossa__bvh_pass_word(scan, "Time") ||
        !ossa__bvh_pass_character(scan, ':')) {
        return ossa__bvh_expected(scan, "Frame Time:");
    }
    if (!read_frame_time(reader)) return false;
    if (frames == 0 || reader->channel_count == 0) {
        return ossa__bvh_refuse(scan, at, OSSA_CODE_BAD_VALUE, "there is no motion: %s",
                                frames == 0 ? "no frames" : "no joint has channels");
    }
    uint64_t numbers;
    (void)ossa__multiply(frames, reader->channel_count, &numbers);
    if (numbers > (scan->size - scan->at) / 2) { /* a digit and a separator each */
        return ossa__bvh_refuse(scan, at, OSSA_CODE_BAD_COUNT,
                                "%" PRIu32 " frames of %" PRIu64
                                " numbers each are more than the file has room for",
                                frames, reader->channel_count);
    }
    reader->clip.frame_count = frames;
    return true;
}

static bool has_channel(const struct joint *joint, bool rotates)
{
    for (unsigned i = 0; i < joint->channel_count; i++) {
        if ((joint->channels[i] >= FIRST_ROTATION) == rotates) return true;
    }
    return false;
}

static float *add_curve(struct reader *reader, struct ossa__motion_curve *curves, uint32_t node,
                        const float *times, enum ossa__motion_target target)
{
    uint32_t width = target == OSSA__MOTION_ROTATION ? 4 : 3;
    float *values =
        ossa__take(reader->scan.context, reader->clip.frame_count, width * sizeof *values);
    curves[reader->clip.curve_count++] =
        (struct ossa__motion_curve){.node = node,
                                    .target = target,
                                    .key_count = reader->clip.frame_count,
                                    .width = width,
                                    .times = times,
                                    .values = values};
    return values;
}

static bool take_curves(struct reader *reader)
{
    uint64_t count = 0;
    for (uint32_t j = 0; j < reader->joint_count; j++) {
        count += has_channel(&reader->joints[j], false);
        count += has_channel(&reader->joints[j], true);
    }
    struct ossa__motion_curve *curves = ossa__take(reader->scan.context, count, sizeof *curves);
    const float *times = take_times(reader);
    for (uint32_t j = 0; j < reader->joint_count && !reader->scan.context->failed; j++) {
        struct joint *joint = &reader->joints[j];
        if (has_channel(joint, true)) {
            joint->rotations = add_curve(reader, curves, j, times, OSSA__MOTION_ROTATION);
        }
        if (has_channel(joint, false)) {
            joint->translations = add_curve(reader, curves, j, times, OSSA__MOTION_TRANSLATION);
        }
    }
    reader->clip.curves = curves;
    return !reader->scan.context->failed;
}

/* The numbers of a line, one per channel. */
static bool read_line(struct reader *reader, uint32_t frame, double *numbers)
{
    struct ossa__bvh_scan *scan = &reader->scan;
    ossa__bvh_pass_space(scan);
    size_t line = scan->at;
    if (line == scan->size) {
        return ossa__bvh_refuse(scan, line, OSSA_CODE_TRUNCATED,
                                "the text ends after %" PRIu32 " of %" PRIu32 " frames", frame,
                                reader->clip.frame_count);
    }
    for (uint64_t i = 0; i < reader->channel_count; i++) {
        ossa__bvh_pass_blanks(scan);
        if (scan->at == scan->size || ossa__bvh_is_line_end(ossa__bvh_peek(scan))) {
            return ossa__bvh_refuse(scan, line, OSSA_CODE_BAD_COUNT,
                                    "frame %" PRIu32 " has %" PRIu64
                                    " numbers, but the joints have %" PRIu64 " channels",
                                    frame, i, reader->channel_count);
        }
        if (!ossa__bvh_read_number(scan, &numbers[i])) return false;
    }
    ossa__bvh_pass_blanks(scan);
    if (scan->at == scan->size || ossa__bvh_is_line_end(ossa__bvh_peek(scan))) return true;
    return ossa__bvh_refuse(scan, scan->at, OSSA_CODE_BAD_COUNT,
                            "frame %" PRIu32
                            " has more numbers than the joints have channels, %" PRIu64,
                            frame, reader->channel_count);
}

/* A joint's channels in a frame as keys. Neighbouring rotations are on the same side. */
static void store_keys(const struct reader *reader, uint32_t joint_index, uint32_t frame,
                       const double *numbers)
{
    const double degree = 3.14159265358979323846 / 180.0;
    const struct joint *joint = &reader->joints[joint_index];
    double place[3];
    struct ossa__quat turn = {0.0, 0.0, 0.0, 1.0};
    memcpy(place, reader->motion->nodes[joint_index].translation, sizeof place);
    for (unsigned i = 0; i < joint->channel_count; i++) {
        unsigned channel = joint->channels[i];
        if (channel < FIRST_ROTATION) {
            place[channel] = numbers[i];
        } else {
            turn = ossa__quat_multiply(
                turn, ossa__quat_about(channel - FIRST_ROTATION, numbers[i] * degree));
        }
    }
    for (unsigned k = 0; k < 3 && joint->translations != NULL; k++) {
        joint->translations[(size_t)frame * 3 + k] = (float)place[k];
    }
    if (joint->rotations == NULL) return;
    float *key = joint->rotations + (size_t)frame * 4;
    (void)ossa__quat_normalise(&turn);
    if (frame > 0 && ossa__quat_dot(turn, ossa__quat_load(key - 4)) < 0.0) {
        turn = (struct ossa__quat){-turn.x, -turn.y, -turn.z, -turn.w};
    }
    ossa__quat_store(turn, key);
}

static bool read_frames(struct reader *reader)
{
    struct ossa__bvh_scan *scan = &reader->scan;
    double *numbers = ossa__take_scratch(scan->context, reader->channel_count, sizeof *numbers);
    if (numbers == NULL) return false;
    for (uint32_t f = 0; f < reader->clip.frame_count; f++) {
        if (!read_line(reader, f, numbers)) return false;
        const double *next = numbers;
        for (uint32_t j = 0; j < reader->joint_count; j++) {
            store_keys(reader, j, f, next);
            next += reader->joints[j].channel_count;
        }
    }
    ossa__bvh_pass_space(scan);
    if (scan->at == scan->size) return true;
    return ossa__bvh_refuse(scan, scan->at, OSSA_CODE_TRAILING_BYTES,
                            "more text follows the %" PRIu32 " frames that 'Frames:' states",
                            reader->clip.frame_count);
}

/* ---- the call ------------------------------------------------------------------------------ */

/* "walk" of "clips/walk.bvh". */
static const char *clip_name(struct ossa__context *context, const char *path)
{
    static const char ending[] = ".bvh";
    size_t size = strlen(path);
    size_t base = size;
    while (base > 0 && path[base - 1] != '/' && path[base - 1] != '\\') base--;
    size_t end = size - base > strlen(ending) ? size - strlen(ending) : size;
    /* What follows another dot is part of the name. */
    bool has_ending = ossa__same_word(path + end, size - end, ending, strlen(ending));
    return ossa__bvh_text(context, path + base, (has_ending ? end : size) - base);
}

struct ossa__motion *ossa__read_bvh(struct ossa__context *context, const uint8_t *data, size_t size,
                                    const char *name)
{
    struct reader reader = {.scan = {context, (const char *)data, size, 0}};
    const struct ossa__mark mark = ossa__scratch_mark(context);
    const uint8_t *nul = size == 0 ? NULL : memchr(data, 0, size);
    if (nul != NULL) {
        ossa__bvh_refuse(&reader.scan, (size_t)(nul - data), OSSA_CODE_EMBEDDED_NUL,
                         "a NUL, which is not text");
    }
    struct ossa__motion_clip *clip = ossa__take(context, 1, sizeof *clip);
    reader.motion = ossa__take(context, 1, sizeof *reader.motion);
    if (reader.motion != NULL) {
        *reader.motion = (struct ossa__motion){.format = "bvh", .clip_count = 1, .clips = clip};
        reader.clip.name = clip_name(context, name == NULL ? "" : name);
        if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) reader.scan.at = 3;
        if (take_joints(&reader) && read_hierarchy(&reader) && read_motion_head(&reader) &&
            take_curves(&reader) && read_frames(&reader)) {
            reader.motion->node_count = reader.joint_count;
            *clip = reader.clip;
        }
    }
    ossa__scratch_release(context, mark);
    return context->failed ? NULL : reader.motion;
}
