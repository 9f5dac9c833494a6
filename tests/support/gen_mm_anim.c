/* SPDX-License-Identifier: MIT */
#include "support/fixtures.h"
#include "support/mm_pedestrian.h"

/* A channel of the dialects that have such; `width` floats a frame. */
struct channel {
    uint32_t width;
    uint32_t unknown; /* the bits of the float */
    uint8_t type;
};

static const uint32_t stride = 0x3fc00000; /* 1.5 */

static void put_frames(struct bytes *file, struct random *random, size_t count)
{
    for (size_t i = 0; i < count; i++) put_f32(file, next_float(random, 3));
}

static void put_channel(struct bytes *file, struct random *random, uint32_t frames,
                        struct channel channel)
{
    put_u32(file, channel.width);
    put_u32(file, channel.unknown);
    put_u8(file, channel.type);
    put_frames(file, random, (size_t)frames * channel.width);
}

static struct bytes make_mm1(uint32_t seed, uint32_t frames, uint32_t bones)
{
    struct random random = {seed};
    struct bytes file = {0};
    put_u32(&file, frames);
    put_u32(&file, bones);
    put_frames(&file, &random, (size_t)frames * (3 * bones + 3));
    return file;
}

static struct bytes make_legacy(uint32_t seed, uint32_t frames, uint32_t bones, uint8_t type)
{
    struct random random = {seed};
    struct bytes file = {0};
    put_u32(&file, frames);
    put_u32(&file, bones);
    put_u32(&file, stride);
    put_u8(&file, type);
    if (frames > 0) put_frames(&file, &random, (size_t)frames * (3 * (size_t)bones + 3));
    return file;
}

static struct bytes make_documented(uint32_t seed, uint32_t frames, const struct channel *channels,
                                    uint32_t count)
{
    struct random random = {seed};
    struct bytes file = {0};
    put_u32(&file, count);
    put_u32(&file, frames);
    for (uint32_t i = 0; i < count; i++) put_channel(&file, &random, frames, channels[i]);
    return file;
}

static struct bytes make_retail(uint32_t seed, uint32_t frames, struct channel channel)
{
    struct random random = {seed};
    struct bytes file = {0};
    put_u32(&file, 0);
    put_u32(&file, frames);
    put_channel(&file, &random, frames, channel);
    return file;
}

static void add_good(struct fixtures *all)
{
    static const struct channel skeleton = {12, stride, 1};
    static const struct channel two[] = {{9, stride, 1}, {6, 0x3f000000, 1}};
    static const struct channel three[] = {{6, 1, 1}, {9, 2, 1}, {3, 3, 1}};
    /* Only a channel of type 1 must have the width of a pose. */
    static const struct channel types[] = {{5, stride, 2}, {6, stride, 1}, {1, stride, 0}};
    fixture_add(all, "mm-anim/mm1", make_mm1(31, 6, 3), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "mm-anim/legacy", make_legacy(32, 6, 3, 1), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "mm-anim/documented", make_documented(33, 6, &skeleton, 1),
                OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "mm-anim/retail", make_retail(34, 6, skeleton), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "mm-anim/two-channels", make_documented(35, 4, two, 2),
                OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "mm-anim/other-types", make_documented(48, 3, types, 3),
                OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "mm-anim/type-legacy", make_legacy(49, 3, 1, 0), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "mm-anim/root-only", make_mm1(36, 3, 0), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "mm-anim/one-frame", make_mm1(37, 1, 12), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "mm-anim/no-frames-legacy", make_legacy(1, 0, 5, 1), OSSA_CONFIDENCE_EMPTY);
    fixture_add(all, "mm-anim/no-frames-retail", make_retail(1, 0, skeleton),
                OSSA_CONFIDENCE_EMPTY);
    fixture_add(all, "mm-anim/no-frames-documented", make_documented(1, 0, &skeleton, 1),
                OSSA_CONFIDENCE_EMPTY);
    /* The bits of small integers are no floats that a pose has. */
    fixture_add(all, "mm-anim/no-frames-channels", make_documented(1, 0, three, 3),
                OSSA_CONFIDENCE_ARITHMETIC);
    fixture_add(all, "mm-anim/big", make_mm1(38, 600, 16), OSSA_CONFIDENCE_PLAUSIBLE);
}

static void add_odd_floats(struct fixtures *all)
{
    static const uint32_t odd[] = {0x7fc00000, 0x7f800001, 0xffc12345, 0x7f800000,
                                   0xff800000, 0x80000000, 0x00000001, 0x807fffff};
    struct bytes file = make_retail(39, 4, (struct channel){12, 0x7f8000ab, 1});
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
        set_u32(&file, 17 + 4 * (13 + i), odd[i]); /* behind what the probe looks at */
    fixture_add(all, "mm-anim/odd-floats", file, OSSA_CONFIDENCE_PLAUSIBLE);

    struct bytes wild = make_mm1(40, 2, 2);
    set_u32(&wild, 8, 0x7f800001);
    fixture_add(all, "mm-anim/implausible", wild, OSSA_CONFIDENCE_ARITHMETIC);
}

static const struct expected_issue ambiguous = {OSSA_SEVERITY_WARNING, OSSA_CODE_AMBIGUOUS_DIALECT,
                                                0, "dialect"};

/* Files whose size fits two dialects. */
static void add_ambiguous(struct fixtures *all)
{
    struct bytes zeros = {0};
    put_repeated(&zeros, 0, 8);
    fixture_add_broken(all, "mm-anim/eight-zeros", zeros, OSSA_CONFIDENCE_EMPTY, ambiguous);
    fixture_add_broken(all, "mm-anim/no-frames-mm1", make_mm1(1, 0, 5), OSSA_CONFIDENCE_EMPTY,
                       ambiguous);

    /* documented with 5 floats, or legacy whose float is 7e-45. */
    struct bytes thirty_seven = make_documented(41, 1, &(struct channel){5, stride, 1}, 1);
    struct fixture *fixture = fixture_add_broken(all, "mm-anim/ambiguous-37", thirty_seven,
                                                 OSSA_CONFIDENCE_PLAUSIBLE, ambiguous);
    fixture_expect(fixture, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, 8,
                   "channels[0].floats_per_frame");
    struct bytes forty_nine = make_documented(42, 2, &(struct channel){4, stride, 1}, 1);
    fixture = fixture_add_broken(all, "mm-anim/ambiguous-49", forty_nine, OSSA_CONFIDENCE_PLAUSIBLE,
                                 ambiguous);
    fixture_expect(fixture, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, 8,
                   "channels[0].floats_per_frame");

    /* The same bytes in a dialect that somebody chose. */
    struct bytes copy = bytes_copy(thirty_seven.data, thirty_seven.size);
    fixture_add(all, "mm-anim/forced-legacy", copy, OSSA_CONFIDENCE_PLAUSIBLE)->dialect = "legacy";
    struct bytes empty = make_mm1(1, 0, 7);
    fixture_add(all, "mm-anim/forced-documented", empty, OSSA_CONFIDENCE_EMPTY)->dialect =
        "documented";
}

static void add_unreadable(struct fixtures *all)
{
    static const struct channel wide_and_none[] = {{6, stride, 1}, {0, stride, 1}};
    const struct expected_issue mismatch = {OSSA_SEVERITY_UNREADABLE, OSSA_CODE_SIZE_MISMATCH, 0,
                                            ""};
    struct bytes shorter = make_mm1(43, 4, 2);
    shorter.size--;
    fixture_add_broken(all, "mm-anim/too-short", shorter, OSSA_CONFIDENCE_NONE, mismatch);
    /* Bytes after the last frame, where nothing tells which dialect leaves them. */
    struct bytes still = {0};
    put_u32(&still, 4);
    put_u32(&still, 2);
    put_repeated(&still, 0, 4 * 4 * 9 + 9);
    fixture_add_broken(all, "mm-anim/tail-of-any", still, OSSA_CONFIDENCE_NONE, mismatch);
    struct bytes note = {0};
    put_text(&note, "type: a\nframes 30 { rotation order unknown }\nchannels 60 { see the other "
                    "file for what was exported here }\n");
    fixture_add_broken(all, "mm-anim/text", note, OSSA_CONFIDENCE_NONE, mismatch);
    struct bytes tiny = {0};
    put_repeated(&tiny, 0, 7);
    fixture_add_broken(all, "mm-anim/seven-bytes", tiny, OSSA_CONFIDENCE_NONE, mismatch);
    struct bytes huge = make_mm1(45, 4, 2);
    set_u32(&huge, 0, 0xffffffff);
    set_u32(&huge, 4, 0xffffffff);
    fixture_add_broken(all, "mm-anim/far-more", huge, OSSA_CONFIDENCE_NONE, mismatch);
    fixture_add_broken(all, "mm-anim/forced-mismatch", make_mm1(46, 4, 2),
                       OSSA_CONFIDENCE_PLAUSIBLE, mismatch)
        ->dialect = "retail";
    fixture_add_broken(all, "mm-anim/zero-width-retail",
                       make_retail(1, 7, (struct channel){0, stride, 1}), OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_ZERO_WIDTH, 8,
                                               "channels[0].floats_per_frame"});
    fixture_add_broken(all, "mm-anim/zero-width-documented",
                       make_documented(47, 2, wide_and_none, 2), OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_ZERO_WIDTH,
                                               8 + 9 + 48, "channels[1].floats_per_frame"});
    fixture_add_broken(
        all, "mm-anim/too-many-bones", make_legacy(1, 0, 0x55555555, 1), OSSA_CONFIDENCE_EMPTY,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE, 4, "bones"});
}

/* Bytes after the last frame: the second game does not look at them. */
static void add_tail(struct fixtures *all, const char *name, struct bytes file, uint32_t tail)
{
    uint64_t at = file.size;
    for (uint32_t i = 0; i < tail; i++) put_u8(&file, 7 * i + 1);
    fixture_add_broken(
        all, name, file, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_REMARK, OSSA_CODE_TRAILING_BYTES, at, "tail"});
}

static void add_tails(struct fixtures *all)
{
    static const struct channel skeleton = {6, stride, 1};
    static const struct channel two[] = {{9, stride, 1}, {6, 0x3f000000, 1}};
    add_tail(all, "mm-anim/tail-retail", make_retail(44, 4, skeleton), 1);
    add_tail(all, "mm-anim/tail-mm1", make_mm1(53, 4, 2), 11);
    add_tail(all, "mm-anim/tail-legacy", make_legacy(54, 4, 2, 1), 6);
    add_tail(all, "mm-anim/tail-documented", make_documented(55, 3, two, 2), 3);
    struct bytes pedestrian = make_mm2_anim(56, 4);
    fixture_add(all, "mm-anim/mm2-pedestrian", pedestrian, OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "mm-anim/mm1-pedestrian", make_mm1_anim(57, 4), OSSA_CONFIDENCE_PLAUSIBLE);
}

static void add_rule_breakers(struct fixtures *all)
{
    fixture_add_broken(all, "mm-anim/odd-width", make_retail(50, 3, (struct channel){7, stride, 1}),
                       OSSA_CONFIDENCE_PLAUSIBLE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, 8,
                                               "channels[0].floats_per_frame"});
    static const struct channel second[] = {{6, stride, 1}, {4, stride, 1}};
    fixture_add_broken(all, "mm-anim/odd-second-width", make_documented(52, 5, second, 2),
                       OSSA_CONFIDENCE_PLAUSIBLE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                                               8 + 9 + 120, "channels[1].floats_per_frame"});
    struct bytes values = make_legacy(51, 5, 2, 1);
    const size_t bad = 13 + 4 * 30;
    set_u32(&values, bad, 0x7fc00000);
    fixture_add_broken(all, "mm-anim/nan-frame", values, OSSA_CONFIDENCE_PLAUSIBLE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_NON_FINITE, bad,
                                               "channels[0].frames"})
        ->check_values = true;
}

void generate_mm_anim(struct fixtures *all)
{
    add_good(all);
    add_odd_floats(all);
    add_ambiguous(all);
    add_unreadable(all);
    add_tails(all);
    add_rule_breakers(all);
}
