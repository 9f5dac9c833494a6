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
 * No signature and no count, so only the size and the values identify it. Not known: the unit of
 * `time` and whether it is a float at all, and what `step` is. An unrotated camera looks along +z,
 * with -y up and +x to the right. */
#include "formats/evil_islands/ei_cam.h"

#include "codec/layout.h"
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

/* ---- layout -------------------------------------------------------------------------------- */

static const struct ossa__shape shape_quat = {OSSA_FIELD_TYPE_F32, 4, {"w", "x", "y", "z"}};

static const struct ossa__item key_items[] = {
    OSSA__NUMBERS(ossa_ei_camera_key, time, "time", .shape = &ossa__shape_f32),
    OSSA__NUMBERS(ossa_ei_camera_key, step, "step", .shape = &ossa__shape_f32),
    OSSA__NUMBERS(ossa_ei_camera_key, position, "position", .shape = &ossa__shape_vec3),
    OSSA__NUMBERS(ossa_ei_camera_key, rotation, "rotation", .shape = &shape_quat),
};
static const struct ossa__layout key_layout = OSSA__LAYOUT(ossa_ei_camera_key, key_items);

static const struct ossa__item items[] = {
    OSSA__ARRAY(ossa_ei_cam, keys, "keys", key_count, .record = &key_layout, .to_end = true),
    OSSA__TAIL(ossa_ei_cam),
};
static const struct ossa__layout layout = OSSA__LAYOUT(ossa_ei_cam, items);

_Static_assert(sizeof(ossa_ei_camera_key) == KEY_SIZE, "keys are in the file as they are here");

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

/* Are the keys of a path up to `end` plausible? */
static bool are_keys(const uint8_t *data, uint64_t size, uint64_t end)
{
    if (size == 0 || size % KEY_SIZE != 0) return false;
    float before = -INFINITY;
    for (uint64_t at = 0; at + KEY_SIZE <= end; at += KEY_SIZE) {
        float time = ossa__peek_f32(data, size, at);
        if (!is_key(data, size, at) || time < before) return false;
        before = time;
    }
    return true;
}

bool ossa__ei_is_camera_path(const uint8_t *data, uint64_t size)
{
    return are_keys(data, size, size);
}

static ossa_confidence probe_cam(const uint8_t *data, uint64_t size)
{
    return ossa__ei_is_camera_path(data, size) ? OSSA_CONFIDENCE_PLAUSIBLE : OSSA_CONFIDENCE_NONE;
}

static bool may_begin(const uint8_t *start, uint64_t size)
{
    return are_keys(start, size, OSSA__HEAD);
}

/* ---- read and write ------------------------------------------------------------------------ */

/* Keys with a fault: reported once per file, at the first. */
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
                "%" PRIu32 " of %" PRIu32 " rotations do not have length 1, this is the first",
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
                "%" PRIu32 " of %" PRIu32
                " times are not later than the one before, this is the first",
                fault.count, cam->key_count);
    ossa__leave(context);
}

static void *read_cam(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__reader reader;
    ossa__reader_init(&reader, context, data, size);
    ossa_ei_cam *cam = ossa__layout_new(context, &layout);
    if (cam == NULL || !ossa__layout_read(&reader, &layout, cam, NULL)) return NULL;
    cam->borrowed = ossa__is_borrowed(&reader, cam->keys);
    if (context->options.check_values) {
        ossa__check_finite(context, "keys", 0, (const float *)cam->keys,
                           (uint64_t)cam->key_count * KEY_FLOATS);
        check_rotations(context, cam);
        check_times(context, cam);
    }
    return cam;
}

static void write_cam(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    const ossa_ei_cam *cam = contents;
    if (cam->key_count == 0) { /* without a count, nothing is left to be read back */
        ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, "keys",
                           "there are no keys, expected at least one");
        return;
    }
    ossa__layout_write(writer, &layout, contents);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void dump_cam(const void *contents, struct ossa__json *json)
{
    ossa__layout_dump(json, &layout, contents);
}

static void *build_cam(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    (void)size;
    ossa_ei_cam *cam = ossa__layout_new(context, &layout);
    if (cam != NULL) ossa__layout_build(data, &layout, cam);
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
        if (!isfinite(packed[i])) return; /* there are no others: the issues report them */
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
    ossa__report_note(report, "times are probably seconds; the meaning of a step is not known");
    ossa__report_note(report, "an unrotated camera looks along +z, with -y up");
    ossa__report_note(report, "the file does not store a field of view");
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
    .may_begin = may_begin,
    .read = read_cam,
    .write = write_cam,
    .dump = dump_cam,
    .build = OSSA__BUILT_BY(build_cam),
    .describe = describe_cam,
};
