/* SPDX-License-Identifier: MIT */
#include "support/fixtures.h"

#include <stdlib.h>

enum { TABLE_AT = 6 };

/* A file being made: the table is filled in as frames come. */
struct vib {
    struct bytes file;
    uint32_t frame;
};

static struct vib begin(uint32_t rate, uint32_t frames)
{
    struct vib vib = {0};
    put_u16(&vib.file, 0x8000);
    put_u16(&vib.file, rate);
    put_u16(&vib.file, frames);
    put_repeated(&vib.file, 0, 2 * ((size_t)frames + 1));
    return vib;
}

/* A frame, or the end of the file, starts here. */
static void mark(struct vib *vib)
{
    if (vib->file.size / 2 > 0xffff) abort();
    set_u16(&vib->file, TABLE_AT + 2 * (size_t)vib->frame++, (uint32_t)(vib->file.size / 2));
}

static void put_key(struct vib *vib, struct random *random, uint32_t object, uint32_t flags)
{
    put_u8(&vib->file, object);
    put_u8(&vib->file, flags);
    for (uint32_t bit = 1; bit <= 4; bit *= 2) {
        for (unsigned i = 0; (flags & bit) != 0 && i < 3; i++)
            put_u16(&vib->file, next_random(random) & 0xffff);
    }
}

/* Every combination of flags, both ends of the numbers, an empty frame. */
static struct bytes make_all_flags(void)
{
    struct random random = {61};
    struct vib vib = begin(30, 4);
    mark(&vib);
    for (uint32_t flags = 0; flags < 8; flags++) put_key(&vib, &random, flags, flags);
    mark(&vib);
    mark(&vib);
    put_key(&vib, &random, 255, 7);
    size_t at = vib.file.size - 18;
    set_u16(&vib.file, at, 0x8000); /* -32768 */
    set_u16(&vib.file, at + 2, 0x7fff);
    set_u16(&vib.file, at + 4, 0xffff); /* -1 */
    mark(&vib);
    put_key(&vib, &random, 0, 0);
    mark(&vib);
    return vib.file;
}

static struct bytes make_walk(uint32_t seed, uint32_t rate, uint32_t frames, uint32_t objects)
{
    struct random random = {seed};
    struct vib vib = begin(rate, frames);
    for (uint32_t f = 0; f < frames; f++) {
        mark(&vib);
        for (uint32_t o = 0; o < objects; o++) {
            if (next_random(&random) % 4 != 0) put_key(&vib, &random, o, next_random(&random) % 8);
        }
    }
    mark(&vib);
    return vib.file;
}

/* As large as its offsets can say: 131070 bytes. */
static struct bytes make_largest(void)
{
    const uint32_t frames = 300;
    const size_t size = 131070;
    struct random random = {62};
    struct vib vib = begin(60, frames);
    for (uint32_t f = 0; f < frames; f++) {
        mark(&vib);
        size_t end = f == frames - 1 ? size : vib.file.size + 434;
        for (uint32_t object = 0; vib.file.size < end; object++) {
            /* What is left for no large key is filled with small ones. */
            put_key(&vib, &random, object, end - vib.file.size >= 20 ? 7 : 0);
        }
    }
    if (vib.file.size != size) abort();
    mark(&vib);
    return vib.file;
}

/* As long as a camera's file (vib-anc) with as many keys as there are frames: 6 + 16 * frames. */
static struct bytes make_as_long_as_a_camera(uint32_t frames)
{
    struct random random = {67};
    struct vib vib = begin(30, frames);
    size_t left = 6 + 16 * (size_t)frames - vib.file.size;
    for (uint32_t f = 0; f < frames; f++) {
        mark(&vib);
        for (uint32_t object = 0; left > 0 && (object < 1 || f + 1 == frames); object++) {
            uint32_t flags = left >= 20 ? 7 : left >= 8 ? 1 : 0;
            size_t before = vib.file.size;
            put_key(&vib, &random, object, flags);
            left -= vib.file.size - before;
        }
    }
    mark(&vib);
    if (vib.file.size != 6 + 16 * (size_t)frames) abort();
    return vib.file;
}

static void add_good(struct fixtures *all)
{
    fixture_add(all, "vib-anm/all-flags", make_all_flags(), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "vib-anm/walk", make_walk(63, 20, 8, 6), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "vib-anm/no-frames", make_walk(1, 15, 0, 0), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "vib-anm/empty-frames", make_walk(1, 1, 5, 0), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "vib-anm/one-frame", make_walk(64, 60, 1, 3), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "vib-anm/many-objects", make_walk(65, 30, 2, 256), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "vib-anm/largest", make_largest(), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "vib-anm/one-like-a-camera", make_as_long_as_a_camera(1),
                OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "vib-anm/two-like-a-camera", make_as_long_as_a_camera(2),
                OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "vib-anm/nine-like-a-camera", make_as_long_as_a_camera(9),
                OSSA_CONFIDENCE_SIGNATURE);
}

/* Two frames, of one key (8 bytes) and two keys (8 and 2): a table of 6 bytes, keys at 12. */
enum { KEYS_AT = 12, FRAME_1 = 20, END = 30 };

static struct bytes make_small(void)
{
    struct random random = {66};
    struct vib vib = begin(30, 2);
    mark(&vib);
    put_key(&vib, &random, 0, 1);
    mark(&vib);
    put_key(&vib, &random, 1, 4);
    put_key(&vib, &random, 2, 0);
    mark(&vib);
    return vib.file;
}

static void add_cut(struct fixtures *all, const char *name, size_t size, ossa_confidence confidence,
                    struct expected_issue issue)
{
    struct bytes file = make_small();
    file.size = size;
    fixture_add_broken(all, name, file, confidence, issue);
}

static void add_changed(struct fixtures *all, const char *name, size_t offset, uint32_t value,
                        ossa_confidence confidence, struct expected_issue issue)
{
    struct bytes file = make_small();
    set_u16(&file, offset, value);
    fixture_add_broken(all, name, file, confidence, issue);
}

static void add_unreadable(struct fixtures *all)
{
    add_cut(all, "vib-anm/cut-magic", 1, OSSA_CONFIDENCE_NONE,
            (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, 0, "magic"});
    add_changed(all, "vib-anm/bad-magic", 0, 0x8001, OSSA_CONFIDENCE_NONE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_MAGIC, 0, "magic"});
    add_cut(all, "vib-anm/cut-rate", 3, OSSA_CONFIDENCE_NONE,
            (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, 2, "rate"});
    add_cut(
        all, "vib-anm/cut-frame-count", 4, OSSA_CONFIDENCE_NONE,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, 4, "frame_count"});
    add_cut(all, "vib-anm/cut-offsets", KEYS_AT - 1, OSSA_CONFIDENCE_DAMAGED,
            (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, TABLE_AT,
                                    "offsets"});
    add_cut(all, "vib-anm/past-the-end", END - 2, OSSA_CONFIDENCE_DAMAGED,
            (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET, TABLE_AT + 4,
                                    "offsets[2]"});
    add_changed(all, "vib-anm/offset-in-table", TABLE_AT, KEYS_AT / 2 - 1, OSSA_CONFIDENCE_DAMAGED,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET, TABLE_AT,
                                        "offsets[0]"});
    add_changed(all, "vib-anm/offset-falls", TABLE_AT + 4, FRAME_1 / 2 - 1, OSSA_CONFIDENCE_DAMAGED,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET,
                                        TABLE_AT + 4, "offsets[2]"});
    /* A key that asks for more than its frame has, though the file has it. */
    add_changed(all, "vib-anm/cut-scale", KEYS_AT, 0x0300, OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, KEYS_AT + 8,
                                        "frames[0][0].scale"});
    add_changed(all, "vib-anm/cut-rotation", FRAME_1 + 8, 0x0102, OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, END,
                                        "frames[1][1].rotation"});
    add_changed(all, "vib-anm/cut-position", FRAME_1 + 8, 0x0402, OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, END,
                                        "frames[1][1].position"});
}

static void add_rule_breakers(struct fixtures *all)
{
    struct bytes gap = {0}; /* four bytes moved in between, all offsets two words up */
    struct bytes small = make_small();
    put_bytes(&gap, small.data, KEYS_AT);
    put_text(&gap, "gap!");
    put_bytes(&gap, small.data + KEYS_AT, small.size - KEYS_AT);
    for (size_t i = 0; i < 3; i++)
        set_u16(&gap, TABLE_AT + 2 * i, get_u16(&small, TABLE_AT + 2 * i) + 2);
    bytes_free(&small);
    fixture_add_broken(all, "vib-anm/gap", gap, OSSA_CONFIDENCE_DAMAGED,
                       (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_GAP, KEYS_AT, "gap"});
    struct bytes tail = make_small();
    put_text(&tail, "odd");
    fixture_add_broken(
        all, "vib-anm/trailing-bytes", tail, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_TRAILING_BYTES, END, "tail"});
    add_changed(all, "vib-anm/duplicate-object", FRAME_1 + 8, 0x0001, OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_DUPLICATE_OBJECT,
                                        FRAME_1 + 8, "frames[1][1].object"});
    add_changed(all, "vib-anm/unusual-rate", 2, 0xffff, OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, 2, "rate"});
    add_changed(all, "vib-anm/unknown-flag", FRAME_1 + 8, 0x8002, OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNKNOWN_FLAG, FRAME_1 + 9,
                                        "frames[1][1].flags"});
}

void generate_vib_anm(struct fixtures *all)
{
    add_good(all);
    add_unreadable(all);
    add_rule_breakers(all);
}
