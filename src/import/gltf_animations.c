/* SPDX-License-Identifier: MIT
 *
 * The animations of a glTF: each channel is a curve of one node. Channels may share their times and
 * their values, which then are decoded once. */
#include "import/gltf_file.h"

#include "base/number_parse.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TARGETS = 4 };

static const char *const target_names[TARGETS] = {
    [OSSA__MOTION_TRANSLATION] = "translation",
    [OSSA__MOTION_ROTATION] = "rotation",
    [OSSA__MOTION_SCALE] = "scale",
    [OSSA__MOTION_WEIGHTS] = "weights",
};

/* Which channel of which animation a target had last. */
struct taken {
    uint32_t animation; /* its index + 1 */
    uint32_t channel;
};

struct animations {
    struct ossa__gltf_file *file;
    struct taken (*taken)[TARGETS]; /* by node */
    uint32_t index;                 /* of the animation being read */
    struct ossa__gltf_list samplers;
};

/* What a channel moves. */
struct target {
    uint32_t node; /* of the file */
    enum ossa__motion_target what;
};

/* ---- targets ------------------------------------------------------------------------------- */

static void pass_over(const struct animations *a, const struct ossa__value *channel,
                      const char *why)
{
    char field[OSSA_FIELD_CAPACITY];
    (void)snprintf(field, sizeof field, "animations[%" PRIu32 "].channels[%zu]", a->index,
                   channel->index);
    ossa__issue_nowhere(a->file->context, OSSA_SEVERITY_REMARK, OSSA_CODE_PASSED_OVER, field,
                        "%s, and is left out", why);
}

static bool find_target_name(const char *text, size_t size, enum ossa__motion_target *what)
{
    for (unsigned i = 0; i < TARGETS; i++) {
        if (strlen(target_names[i]) != size || memcmp(target_names[i], text, size) != 0) continue;
        *what = (enum ossa__motion_target)i;
        return true;
    }
    return false;
}

/* "/nodes/3/rotation" of KHR_animation_pointer. False: it points to something else. */
static bool parse_pointer(const char *text, size_t size, uint32_t node_count, struct target *target)
{
    static const char start[] = "/nodes/";
    size_t at = sizeof start - 1;
    uint64_t node = 0;
    if (size <= at || memcmp(text, start, at) != 0 || text[at] == '/') return false;
    for (; at < size && text[at] != '/'; at++) {
        if (text[at] < '0' || text[at] > '9' || node >= node_count) return false;
        node = 10 * node + (uint64_t)(text[at] - '0');
    }
    if (at == size || node >= node_count) return false;
    target->node = (uint32_t)node;
    return find_target_name(text + at + 1, size - at - 1, &target->what);
}

static bool read_pointer(const struct animations *a, const struct ossa__value *channel,
                         const struct ossa__value *object, struct target *target)
{
    size_t size;
    struct ossa__value extensions = ossa__value_member(object, "extensions");
    struct ossa__value extension = ossa__value_member(&extensions, "KHR_animation_pointer");
    struct ossa__value pointer = ossa__value_member(&extension, "pointer");
    const char *text = ossa__value_text(&pointer, &size);
    if (a->file->context->failed) return false;
    if (parse_pointer(text, size, a->file->nodes.count, target)) return true;
    pass_over(a, channel, "moves something other than a node");
    return false;
}

/* False: the channel is left out, or there was a failure. */
static bool read_target(const struct animations *a, const struct ossa__value *channel,
                        struct target *target)
{
    struct ossa__value object = ossa__value_member(channel, "target");
    struct ossa__value node = ossa__value_optional(&object, "node");
    struct ossa__value path = ossa__value_member(&object, "path");
    size_t size;
    const char *text = ossa__value_text(&path, &size);
    if (a->file->context->failed) return false;
    if (ossa__gltf_is(&path, "pointer")) return read_pointer(a, channel, &object, target);
    if (node.node == NULL) {
        pass_over(a, channel, "moves no node");
        return false;
    }
    if (!ossa__gltf_list_index(&a->file->nodes, &node, &target->node)) return false;
    if (find_target_name(text, size, &target->what)) return true;
    pass_over(a, channel, "moves something other than a node");
    return false;
}

/* One curve per node and target. */
static bool take_target(const struct animations *a, const struct ossa__value *channel,
                        struct target target)
{
    struct taken *taken = &a->taken[target.node][target.what];
    if (taken->animation == a->index + 1) {
        char text[OSSA__GLTF_LABEL];
        return ossa__value_fail(
            channel, "moves the %s of %s, as channels[%" PRIu32 "] does", target_names[target.what],
            ossa__gltf_label(&a->file->nodes, target.node, text), taken->channel);
    }
    *taken = (struct taken){a->index + 1, (uint32_t)channel->index};
    return true;
}

/* ---- samplers ------------------------------------------------------------------------------ */

struct sampler {
    enum ossa__motion_interpolation interpolation;
    struct ossa__value object;
    struct ossa__value output;
    struct ossa__gltf_accessor *input;
    const float *times;
};

/* From 0 on, and each after the one before. */
static bool check_times(const struct ossa__value *reference, struct ossa__gltf_accessor *input,
                        const float *times)
{
    if (input->is_rising) return true;
    if (times[0] < 0.0F) {
        return ossa__value_fail(reference,
                                "accessor %" PRIu32 " begins at %g s, expected 0 or more",
                                input->index, (double)times[0]);
    }
    for (uint32_t i = 1; i < input->count; i++) {
        if (times[i] > times[i - 1]) continue;
        return ossa__value_fail(
            reference, "accessor %" PRIu32 ": key %" PRIu32 " is at %g s, expected more than %g",
            input->index, i, (double)times[i], (double)times[i - 1]);
    }
    input->is_rising = true;
    return true;
}

static bool read_interpolation(const struct ossa__value *object, struct sampler *sampler)
{
    struct ossa__value member = ossa__value_optional(object, "interpolation");
    sampler->interpolation = OSSA__MOTION_LINEAR;
    if (member.node == NULL || ossa__gltf_is(&member, "LINEAR")) return true;
    sampler->interpolation = OSSA__MOTION_STEP;
    if (ossa__gltf_is(&member, "STEP")) return true;
    sampler->interpolation = OSSA__MOTION_CUBIC;
    if (ossa__gltf_is(&member, "CUBICSPLINE")) return true;
    return ossa__value_fail(&member, "is none of LINEAR, STEP and CUBICSPLINE");
}

/* NULL after a failure. */
static const struct sampler *find_sampler(struct animations *a, const struct ossa__value *reference)
{
    uint32_t index;
    if (!ossa__gltf_list_index(&a->samplers, reference, &index)) return NULL;
    if (a->samplers.parsed[index] != NULL) return a->samplers.parsed[index];
    struct sampler *sampler = ossa__take_scratch(a->file->context, 1, sizeof *sampler);
    if (sampler == NULL) return NULL;
    sampler->object = ossa__gltf_list_item(&a->samplers, index);
    struct ossa__value input = ossa__value_member(&sampler->object, "input");
    sampler->output = ossa__value_member(&sampler->object, "output");
    if (!read_interpolation(&sampler->object, sampler)) return NULL;
    sampler->input = ossa__gltf_accessor(a->file, &input, 1, OSSA__GLTF_FLOATS);
    if (sampler->input == NULL) return NULL;
    sampler->times = ossa__gltf_accessor_floats(a->file, sampler->input);
    if (sampler->times == NULL || !check_times(&input, sampler->input, sampler->times)) return NULL;
    a->samplers.parsed[index] = sampler;
    return sampler;
}

/* ---- values -------------------------------------------------------------------------------- */

/* Rotations may be of any length but 0. Tangents, the first and last of three, are no rotations. */
static bool check_lengths(const struct ossa__value *reference, struct ossa__gltf_accessor *output,
                          const struct ossa__motion_curve *curve)
{
    bool is_cubic = curve->interpolation == OSSA__MOTION_CUBIC;
    bool *is_checked = is_cubic ? &output->has_cubic_lengths : &output->has_lengths;
    size_t step = is_cubic ? 12 : 4;
    const float *row = curve->values + (is_cubic ? 4 : 0);
    for (uint32_t i = 0; i < curve->key_count && !*is_checked; i++, row += step) {
        struct ossa__quat q = ossa__quat_load(row);
        if (!ossa__quat_normalise(&q)) {
            return ossa__value_fail(
                reference, "accessor %" PRIu32 ": the rotation of key %" PRIu32 " has the length 0",
                output->index, i);
        }
    }
    *is_checked = true;
    return true;
}

static bool read_values(struct animations *a, const struct ossa__value *reference,
                        struct ossa__motion_curve *curve)
{
    bool is_weights = curve->target == OSSA__MOTION_WEIGHTS;
    bool is_rotation = curve->target == OSSA__MOTION_ROTATION;
    uint64_t rows = (uint64_t)curve->key_count * (is_weights ? curve->width : 1);
    if (curve->interpolation == OSSA__MOTION_CUBIC) rows *= 3; /* with a tangent on each side */
    struct ossa__gltf_accessor *output =
        ossa__gltf_accessor(a->file, reference, is_weights ? 1 : curve->width,
                            is_weights || is_rotation ? OSSA__GLTF_FRACTIONS : OSSA__GLTF_FLOATS);
    if (output == NULL) return false;
    if (output->count != rows) {
        return ossa__value_fail(reference,
                                "accessor %" PRIu32 " has %" PRIu32 " elements, expected %" PRIu64
                                " for %" PRIu32 " keys",
                                output->index, output->count, rows, curve->key_count);
    }
    curve->values = ossa__gltf_accessor_floats(a->file, output);
    if (curve->values == NULL) return false;
    return !is_rotation || check_lengths(reference, output, curve);
}

/* How many numbers the target has; 0: there is nothing that it could move. */
static uint32_t width_of(const struct ossa__motion *motion, uint32_t node,
                         enum ossa__motion_target target)
{
    if (target == OSSA__MOTION_ROTATION) return 4;
    if (target != OSSA__MOTION_WEIGHTS) return 3;
    int32_t mesh = motion->nodes[node].mesh;
    return mesh < 0 ? 0 : motion->meshes[mesh].target_count;
}

/* ---- channels ------------------------------------------------------------------------------ */

/* False: the channel is left out, or there was a failure. */
static bool read_channel(struct animations *a, const struct ossa__value *channel,
                         struct ossa__motion_curve *curve)
{
    struct target target;
    if (!read_target(a, channel, &target) || !take_target(a, channel, target)) return false;
    int32_t node = a->file->node_of[target.node];
    if (node < 0) {
        pass_over(a, channel, "moves a node that is not in the scene");
        return false;
    }
    uint32_t width = width_of(a->file->motion, (uint32_t)node, target.what);
    if (width == 0) {
        pass_over(a, channel, "weighs the morph targets of a node that has none");
        return false;
    }
    struct ossa__value reference = ossa__value_member(channel, "sampler");
    const struct sampler *sampler = find_sampler(a, &reference);
    if (sampler == NULL) return false;
    *curve = (struct ossa__motion_curve){.node = (uint32_t)node,
                                         .target = target.what,
                                         .interpolation = sampler->interpolation,
                                         .key_count = sampler->input->count,
                                         .width = width,
                                         .times = sampler->times};
    return read_values(a, &sampler->output, curve);
}

/* Our own files say how many frames a clip has. Extras may be anything: what does not fit is not
 * ours. */
static void read_extras(const struct ossa__value *object, struct ossa__motion_clip *clip)
{
    struct ossa__value extras = ossa__value_optional(object, "extras");
    if (extras.node == NULL || *extras.node != '{') return;
    struct ossa__value frames = ossa__value_optional(&extras, "frames");
    struct ossa__value fps = ossa__value_optional(&extras, "fps");
    int64_t count = 0;
    double rate = 0.0;
    bool is_count = frames.node != NULL && (*frames.node >= '0' && *frames.node <= '9') &&
                    ossa__parse_integer(frames.node, &count);
    if (fps.node != NULL && *fps.node >= '0' && *fps.node <= '9') {
        (void)ossa__parse_number(fps.node, &rate);
    }
    if (!is_count || count < 1 || count > UINT32_MAX || !(rate > 0.0) || !isfinite(rate)) return;
    clip->frame_count = (uint32_t)count;
    clip->fps = rate;
}

static bool read_animation(struct animations *a, const struct ossa__value *object,
                           struct ossa__motion_clip *clip)
{
    struct ossa__context *context = a->file->context;
    struct ossa__value channels = ossa__value_member(object, "channels");
    if (!ossa__gltf_list_open(&a->samplers, object, "samplers")) return false;
    size_t count = ossa__value_length(&channels);
    struct ossa__motion_curve *curves = ossa__take(context, count, sizeof *curves);
    if (curves == NULL) return false;
    *clip = (struct ossa__motion_clip){.name = ossa__gltf_name(object, "name"), .curves = curves};
    read_extras(object, clip);
    for (size_t i = 0; i < count && !context->failed; i++) {
        struct ossa__value channel = ossa__value_item(&channels, i);
        if (read_channel(a, &channel, &curves[clip->curve_count])) clip->curve_count++;
    }
    return !context->failed;
}

bool ossa__read_gltf_animations(struct ossa__gltf_file *file)
{
    struct ossa__context *context = file->context;
    struct ossa__motion *motion = file->motion;
    struct ossa__value array = ossa__value_optional(&file->root, "animations");
    size_t count = array.node == NULL ? 0 : ossa__value_length(&array);
    struct animations a = {.file = file};
    motion->clips = ossa__take(context, count, sizeof *motion->clips);
    a.taken = ossa__take_scratch(context, file->nodes.count, sizeof *a.taken);
    if (motion->clips == NULL || a.taken == NULL) return false;
    memset(a.taken, 0, file->nodes.count * sizeof *a.taken);
    for (; a.index < count; a.index++) {
        struct ossa__value object = ossa__value_item(&array, a.index);
        if (!read_animation(&a, &object, &motion->clips[a.index])) return false;
    }
    motion->clip_count = (uint32_t)count;
    return true;
}
