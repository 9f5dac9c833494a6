/* SPDX-License-Identifier: MIT
 *
 * ei-cam: the path of a camera of Evil Islands, in menus and cut scenes.
 *
 *     keys, to the end of the file, 36 bytes each:
 *         f32  time
 *         f32  step
 *         f32  position[3]    x y z
 *         f32  rotation[4]    w x y z
 *
 * No signature and no count, so only the size and the values tell. Not known: the unit of `time`
 * and whether it is a float at all, what `step` is, and which way a camera that is not turned
 * looks (see ossa_ei_look). */
#include "formats/evil_islands/ei_cam.h"

#include "base/json.h"
#include "codec/numbers.h"
#include "formats/modules.h"

#include <inttypes.h>
#include <math.h>

enum {
    KEY_SIZE = 36,
    KEY_FLOATS = 9,
    POSITION_AT = 8, /* in a key */
    ROTATION_AT = 20,
};

_Static_assert(sizeof(ossa_ei_camera_key) == KEY_SIZE, "keys lie in the file as they are");

static const struct ossa__shape shape_key = {OSSA_FIELD_TYPE_F32,
                                             KEY_FLOATS,
                                             {"time", "step", "position.x", "position.y",
                                              "position.z", "rotation.w", "rotation.x",
                                              "rotation.y", "rotation.z"}};

/* ---- probe --------------------------------------------------------------------------------- */

static bool is_key(const uint8_t *data, uint64_t size, uint64_t at)
{
    float rotation[4];
    bool is_finite = isfinite(ossa__peek_f32(data, size, at));
    for (unsigned i = 0; i < 3; i++) {
        is_finite = is_finite && isfinite(ossa__peek_f32(data, size, at + POSITION_AT + 4 * i));
    }
    for (unsigned i = 0; i < 4; i++) {
        rotation[i] = ossa__peek_f32(data, size, at + ROTATION_AT + 4 * i);
    }
    return is_finite && ossa__is_unit(rotation, 4);
}

bool ossa__ei_is_camera_path(const uint8_t *data, uint64_t size)
{
    if (size == 0 || size % KEY_SIZE != 0) return false;
    float before = -INFINITY;
    for (uint64_t at = 0; at < size; at += KEY_SIZE) {
        float time = ossa__peek_f32(data, size, at);
        if (!is_key(data, size, at) || time < before) return false;
        before = time;
    }
    return true;
}

uint32_t ossa__ei_count_by_size(uint64_t size, uint32_t item_size)
{
    uint64_t count = size / item_size;
    if (count == 0) return 1;
    return count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
}

static ossa_confidence probe_cam(const uint8_t *data, uint64_t size)
{
    return ossa__ei_is_camera_path(data, size) ? OSSA_CONFIDENCE_PLAUSIBLE : OSSA_CONFIDENCE_NONE;
}

/* ---- read ---------------------------------------------------------------------------------- */

/* Keys with something wrong: told once a file, at the first. */
struct fault {
    uint32_t count;
    uint32_t first;
};

static void note_fault(struct fault *fault, uint32_t key)
{
    if (fault->count++ == 0) fault->first = key;
}

static void check_rotations(struct ossa__context *context, const ossa_ei_cam *cam)
{
    struct fault fault = {0};
    for (uint32_t i = 0; i < cam->key_count; i++) {
        const float *q = cam->keys[i].rotation;
        bool is_finite = isfinite(q[0]) && isfinite(q[1]) && isfinite(q[2]) && isfinite(q[3]);
        if (is_finite && !ossa__is_unit(q, 4)) note_fault(&fault, i);
    }
    if (fault.count == 0) return;
    ossa__enter(context, "keys", fault.first);
    ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_NOT_UNIT,
                (uint64_t)fault.first * KEY_SIZE + ROTATION_AT, "rotation",
                "%" PRIu32 " of %" PRIu32 " rotations are not of length 1, this is the first",
                fault.count, cam->key_count);
    ossa__leave(context);
}

static void check_times(struct ossa__context *context, const ossa_ei_cam *cam)
{
    struct fault fault = {0};
    for (uint32_t i = 1; i < cam->key_count; i++) {
        float before = cam->keys[i - 1].time;
        float time = cam->keys[i].time;
        if (isfinite(before) && isfinite(time) && time <= before) note_fault(&fault, i);
    }
    if (fault.count == 0) return;
    ossa__enter(context, "keys", fault.first);
    ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_BAD_ORDER,
                (uint64_t)fault.first * KEY_SIZE, "time",
                "%" PRIu32 " of %" PRIu32 " times are not after the one before, this is the first",
                fault.count, cam->key_count);
    ossa__leave(context);
}

static void *read_cam(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__reader reader;
    ossa__reader_init(&reader, context, data, size);
    ossa_ei_cam *cam = ossa__take(context, 1, sizeof *cam);
    if (cam == NULL) return NULL;
    *cam = (ossa_ei_cam){0};
    uint64_t count = ossa__ei_count_by_size(size, KEY_SIZE);
    cam->key_count = (uint32_t)count;
    cam->keys = ossa__read_array(&reader, "keys", &shape_key, count, 0);
    cam->borrowed = ossa__is_borrowed(&reader, cam->keys);
    cam->tail = ossa__read_tail(&reader, &cam->tail_size);
    if (context->failed) return NULL;
    if (context->options.check_values) {
        ossa__check_finite(context, "keys", 0, (const float *)cam->keys, count * KEY_FLOATS);
        check_rotations(context, cam);
        check_times(context, cam);
    }
    return cam;
}

/* ---- write --------------------------------------------------------------------------------- */

static void write_cam(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    const ossa_ei_cam *cam = contents;
    (void)context;
    ossa__write_scalars(writer, cam->keys, (uint64_t)cam->key_count * KEY_FLOATS, 4);
    ossa__write_bytes(writer, cam->tail, cam->tail_size);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void dump_cam(const void *contents, struct ossa__json *json)
{
    const ossa_ei_cam *cam = contents;
    ossa__json_key(json, "keys");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < cam->key_count; i++) {
        const ossa_ei_camera_key *key = &cam->keys[i];
        ossa__json_begin_object(json);
        ossa__member_float(json, "time", key->time);
        ossa__member_float(json, "step", key->step);
        ossa__member_floats(json, "position", key->position, 3);
        ossa__member_floats(json, "rotation", key->rotation, 4);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
    ossa__member_tail(json, cam->tail, cam->tail_size);
}

static ossa_ei_camera_key build_key(const struct ossa__value *value)
{
    ossa_ei_camera_key key = {0};
    ossa__value_allow(value, "time step position rotation");
    struct ossa__value time = ossa__value_member(value, "time");
    struct ossa__value step = ossa__value_member(value, "step");
    struct ossa__value position = ossa__value_member(value, "position");
    struct ossa__value rotation = ossa__value_member(value, "rotation");
    key.time = ossa__value_f32(&time);
    key.step = ossa__value_f32(&step);
    ossa__value_floats(&position, 3, key.position);
    ossa__value_floats(&rotation, 4, key.rotation);
    return key;
}

static void *build_cam(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    (void)size;
    ossa__value_allow(data, "keys tail");
    struct ossa__value list = ossa__value_member(data, "keys");
    struct ossa__value tail = ossa__value_optional(data, "tail");
    size_t count = ossa__value_length(&list);
    if (!context->failed && count == 0) {
        ossa__value_fail(&list, "is empty, expected at least one key");
    }
    ossa_ei_cam *cam = ossa__take(context, 1, sizeof *cam);
    ossa_ei_camera_key *keys = ossa__take(context, count, sizeof *keys);
    if (keys == NULL) return NULL;
    for (size_t i = 0; i < count && !context->failed; i++) {
        struct ossa__value key = ossa__value_item(&list, i);
        keys[i] = build_key(&key);
    }
    *cam = (ossa_ei_cam){.key_count = (uint32_t)count, .keys = keys};
    if (tail.node != NULL) cam->tail = ossa__value_hex(&tail, &cam->tail_size);
    if (cam->tail_size >= KEY_SIZE) {
        ossa__value_fail(&tail, "has %zu bytes, expected fewer than the %d of a key",
                         cam->tail_size, KEY_SIZE);
    }
    return cam;
}

/* ---- describe ------------------------------------------------------------------------------ */

/* The least and the most of `width` floats from the `member`th of a key on. */
static void describe_ranges(struct ossa__report *report, const ossa_ei_cam *cam, const char *key,
                            const char *label, unsigned member, unsigned width, const char *names)
{
    const float *values = (const float *)cam->keys + member;
    float rows[2][4] = {{INFINITY, INFINITY, INFINITY, INFINITY},
                        {-INFINITY, -INFINITY, -INFINITY, -INFINITY}};
    for (uint64_t i = 0; i < cam->key_count; i++) {
        for (unsigned k = 0; k < width; k++) {
            float value = values[i * KEY_FLOATS + k];
            if (!isfinite(value)) continue;
            if (value < rows[0][k]) rows[0][k] = value;
            if (value > rows[1][k]) rows[1][k] = value;
        }
    }
    float packed[8];
    for (unsigned i = 0; i < 2 * width; i++) {
        packed[i] = rows[i / width][i % width];
        if (!isfinite(packed[i])) return; /* nothing but such values: the issues tell of them */
    }
    ossa__report_ranges(report, key, label, packed, 2, width, names);
}

static void describe_cam(const void *contents, struct ossa__report *report)
{
    const ossa_ei_cam *cam = contents;
    ossa__report_integer(report, "keys", "keys", cam->key_count);
    if (cam->key_count > 0) {
        double first = (double)cam->keys[0].time;
        double last = (double)cam->keys[cam->key_count - 1].time;
        if (isfinite(first) && isfinite(last)) {
            ossa__report_number(report, "duration", "duration", last - first, "s");
        }
        describe_ranges(report, cam, "time_range", "time", 0, 1, "t");
        describe_ranges(report, cam, "step_range", "step", 1, 1, "s");
        describe_ranges(report, cam, "position_ranges", "position", 2, 3, "xyz");
        describe_ranges(report, cam, "rotation_ranges", "rotation", 5, 4, "wxyz");
    }
    ossa__report_note(report, "that times are seconds is a guess; what a step is, nobody knows");
    ossa__report_note(report, "which way a camera that is not turned looks is open");
    ossa__report_note(report, "the file has no field of view");
}

ossa_ei_cam *ossa_as_ei_cam(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_ei_cam);
}

const struct ossa__format ossa__format_ei_cam = {
    .about = {.id = "ei-cam",
              .title = "Evil Islands camera path",
              .game = "Evil Islands (2000)",
              .extensions = "cam",
              .kind = OSSA_KIND_CAMERA},
    .game = &ossa__game_evil_islands,
    .role = OSSA__ROLE_CAMERA,
    .probe = probe_cam,
    .read = read_cam,
    .write = write_cam,
    .dump = dump_cam,
    .build = OSSA__BUILT_BY(build_cam),
    .describe = describe_cam,
};
