/* SPDX-License-Identifier: MIT
 *
 * vib-anc: where the camera of Vib-Ribbon is and what it looks at, frame by frame.
 *
 *     0x00  u16  magic        0x8000
 *     0x02  i16  rate         1, 15, 20, 30 or 60; likely frames per second
 *     0x04  u16  key_count
 *     0x06  keys, 16 bytes each:
 *               i16  eye[3]       x y z
 *               i16  target[3]    x y z
 *               i16  twist        about the line of sight
 *               i16  view         field of view
 *
 * The header is that of vib-anm; only the size and what follows distinguish the two. Unknown: what
 * `rate` does, the unit of `view`, and whether the unit of `twist` is the one that the console's
 * library documents. */
#include "formats/modules.h"

#include "base/json.h"
#include "formats/vib_ribbon/vib_header.h"

#include <inttypes.h>
#include <string.h>

enum {
    KEYS_AT = OSSA__VIB_HEADER_SIZE,
    KEY_SIZE = 16,
    KEY_NUMBERS = 8,
    TARGET_AT = 6, /* in a key */
};

_Static_assert(sizeof(ossa_vib_camera_key) == KEY_SIZE, "keys lie in the file as they are");

static const struct ossa__shape shape_key = {
    OSSA_FIELD_TYPE_I16,
    KEY_NUMBERS,
    {"eye.x", "eye.y", "eye.z", "target.x", "target.y", "target.z", "twist", "view"}};

/* ---- probe --------------------------------------------------------------------------------- */

/* The size decides, but an animation may happen to have the size of a camera with as many keys. */
static ossa_confidence probe_anc(const uint8_t *data, uint64_t size)
{
    if (size < KEYS_AT || ossa__peek_u16(data, size, 0) != OSSA__VIB_MAGIC)
        return OSSA_CONFIDENCE_NONE;
    uint64_t count = ossa__peek_u16(data, size, 4);
    if (size == KEYS_AT + count * KEY_SIZE) {
        if (count == 0) return OSSA_CONFIDENCE_EMPTY;
        return ossa__vib_has_frames(data, size) ? OSSA_CONFIDENCE_NONE : OSSA_CONFIDENCE_SIGNATURE;
    }
    /* At least two bytes must follow the header to tell whether they are a table of offsets. */
    bool is_broken = size >= KEYS_AT + 2 &&
                     ossa__vib_is_known_rate((int16_t)ossa__peek_u16(data, size, 2)) &&
                     !ossa__vib_has_end_of_table(data, size);
    return is_broken ? OSSA_CONFIDENCE_DAMAGED : OSSA_CONFIDENCE_NONE;
}

static bool may_begin(const uint8_t *start, uint64_t size)
{
    return ossa__peek_u16(start, size, 0) == OSSA__VIB_MAGIC;
}

/* ---- read ---------------------------------------------------------------------------------- */

/* A camera at its own target has no direction. Reported once per file, at the first key. */
static void check_targets(struct ossa__context *context, const ossa_vib_anc *anc)
{
    uint32_t bad = 0;
    uint32_t first = 0;
    for (uint32_t i = 0; i < anc->key_count; i++) {
        const ossa_vib_camera_key *key = &anc->keys[i];
        if (memcmp(key->eye, key->target, sizeof key->eye) != 0) continue;
        if (bad++ == 0) first = i;
    }
    if (bad == 0) return;
    ossa__enter(context, "keys", first);
    ossa__issue(
        context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
        KEYS_AT + (uint64_t)first * KEY_SIZE + TARGET_AT, "target",
        "%" PRIu32
        " of %u targets coincide with the eye (this is the first); the camera has no direction",
        bad, anc->key_count);
    ossa__leave(context);
}

static void *read_anc(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__reader reader;
    ossa__reader_init(&reader, context, data, size);
    ossa_vib_anc *anc = ossa__take(context, 1, sizeof *anc);
    if (anc == NULL) return NULL;
    *anc = (ossa_vib_anc){0};
    anc->rate = ossa__vib_read_start(&reader);
    anc->key_count = ossa__read_u16(&reader, "key_count");
    anc->keys = ossa__read_array(&reader, "keys", &shape_key, anc->key_count, 0);
    if (context->failed) return NULL;
    ossa__vib_check_rate(context, anc->rate);
    if (anc->key_count == 0) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, 4, "key_count",
                    "there are no keys, expected at least one");
    }
    anc->tail = ossa__read_tail(&reader, &anc->tail_size);
    if (context->options.check_values) check_targets(context, anc);
    return anc;
}

/* ---- write --------------------------------------------------------------------------------- */

static void write_anc(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    const ossa_vib_anc *anc = contents;
    (void)context;
    ossa__write_u16(writer, OSSA__VIB_MAGIC);
    ossa__write_u16(writer, (uint16_t)anc->rate);
    ossa__write_u16(writer, anc->key_count);
    ossa__write_scalars(writer, anc->keys, (uint64_t)anc->key_count * KEY_NUMBERS, 2);
    ossa__write_bytes(writer, anc->tail, anc->tail_size);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void dump_anc(const void *contents, struct ossa__json *json)
{
    const ossa_vib_anc *anc = contents;
    ossa__member_int(json, "rate", anc->rate);
    ossa__json_key(json, "keys");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < anc->key_count; i++) {
        const ossa_vib_camera_key *key = &anc->keys[i];
        ossa__json_begin_object(json);
        ossa__member_i16s(json, "eye", key->eye, 3);
        ossa__member_i16s(json, "target", key->target, 3);
        ossa__member_int(json, "twist", key->twist);
        ossa__member_int(json, "view", key->view);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
    ossa__member_tail(json, anc->tail, anc->tail_size);
}

static void build_point(const struct ossa__value *key, const char *name, int16_t xyz[3])
{
    struct ossa__value point = ossa__value_member(key, name);
    int64_t numbers[3];
    ossa__value_integers(&point, 3, INT16_MIN, INT16_MAX, numbers);
    if (key->context->failed) return;
    for (unsigned i = 0; i < 3; i++) xyz[i] = (int16_t)numbers[i];
}

static int16_t build_number(const struct ossa__value *object, const char *name)
{
    struct ossa__value number = ossa__value_member(object, name);
    return (int16_t)ossa__value_integer(&number, INT16_MIN, INT16_MAX);
}

static ossa_vib_camera_key build_key(const struct ossa__value *value)
{
    ossa_vib_camera_key key = {0};
    ossa__value_allow(value, "eye target twist view");
    build_point(value, "eye", key.eye);
    build_point(value, "target", key.target);
    key.twist = build_number(value, "twist");
    key.view = build_number(value, "view");
    return key;
}

static void *build_anc(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    (void)size;
    ossa__value_allow(data, "rate keys tail");
    struct ossa__value list = ossa__value_member(data, "keys");
    struct ossa__value tail = ossa__value_optional(data, "tail");
    size_t count = ossa__value_length(&list);
    if (count > UINT16_MAX) ossa__value_fail(&list, "has %zu keys, but at most 65535 fit", count);
    ossa_vib_anc *anc = ossa__take(context, 1, sizeof *anc);
    ossa_vib_camera_key *keys = ossa__take(context, count, sizeof *keys);
    if (keys == NULL) return NULL;
    for (size_t i = 0; i < count && !context->failed; i++) {
        struct ossa__value key = ossa__value_item(&list, i);
        keys[i] = build_key(&key);
    }
    *anc = (ossa_vib_anc){
        .rate = build_number(data, "rate"), .key_count = (uint16_t)count, .keys = keys};
    if (tail.node != NULL) anc->tail = ossa__value_hex(&tail, &anc->tail_size);
    return anc;
}

/* ---- describe ------------------------------------------------------------------------------ */

/* The numbers of a key from index `member` on, one per character of `names`. */
static void describe_ranges(struct ossa__report *report, const ossa_vib_anc *anc, const char *key,
                            const char *label, unsigned member, const char *names)
{
    struct ossa__vib_ranges ranges = {0};
    for (uint32_t i = 0; i < anc->key_count; i++) {
        int16_t numbers[KEY_NUMBERS];
        memcpy(numbers, &anc->keys[i], sizeof numbers);
        ossa__vib_widen(&ranges, numbers + member, (unsigned)strlen(names));
    }
    ossa__vib_report_ranges(report, key, label, &ranges, names);
}

static void describe_anc(const void *contents, struct ossa__report *report)
{
    const ossa_vib_anc *anc = contents;
    bool twists = false;
    for (uint32_t i = 0; i < anc->key_count; i++) twists = twists || anc->keys[i].twist != 0;
    int rate = ossa_vib_fps(anc->rate);
    ossa__report_integer(report, "keys", "keys", anc->key_count);
    ossa__report_integer(report, "rate", "keys/second", (uint64_t)rate);
    ossa__report_number(report, "duration", "duration", (double)anc->key_count / rate, "s");
    describe_ranges(report, anc, "eye_ranges", "eye", 0, "xyz");
    describe_ranges(report, anc, "target_ranges", "target", 3, "xyz");
    describe_ranges(report, anc, "twist_range", "twist", 6, "t");
    describe_ranges(report, anc, "view_range", "view", 7, "v");
    ossa__report_text(report, "twists", "twists", twists ? "yes" : "no");
    ossa__report_note(report, "the field at 0x02 is %d, likely the rate%s", anc->rate,
                      rate == anc->rate ? "" : "; 30 is used instead");
    ossa__report_note(report,
                      "values are raw: Y points down, and Ossa treats 2048 units as one metre");
    if (twists) ossa__report_note(report, "a twist of 4096 is likely one degree");
    ossa__report_note(report, "a field of view of 4096 is likely a full rotation, from the top of "
                              "the picture to its bottom");
}

ossa_vib_anc *ossa_as_vib_anc(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_vib_anc);
}

const struct ossa__format ossa__format_vib_anc = {
    .about = {.id = "vib-anc",
              .title = "Vib-Ribbon camera animation",
              .game = "Vib-Ribbon (1999)",
              .extensions = "anc",
              .kind = OSSA_KIND_CAMERA},
    .game = &ossa__game_vib_ribbon,
    .role = OSSA__ROLE_CAMERA,
    .probe = probe_anc,
    .may_begin = may_begin,
    .read = read_anc,
    .write = write_anc,
    .dump = dump_anc,
    .build = OSSA__BUILT_BY(build_anc),
    .describe = describe_anc,
};
