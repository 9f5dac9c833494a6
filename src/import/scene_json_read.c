/* SPDX-License-Identifier: MIT
 *
 * The JSON of a scene, as Ossa writes it (src/export/scene_json.c), or as another program does that
 * knows only the bones and some clips. What it means is laid out as in a glTF of the same scene: a
 * bone that ever hides has a parent NAME_visible, whose scale is 0 or 1 in steps. Members that are
 * unknown here, or say nothing about motion, are ignored. */
#include "import/scene_json_parts.h"

#include "import/motion_options.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const ossa_transform no_change = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};

/* ---- numbers ------------------------------------------------------------------------------- */

uint32_t ossa__scene_json_index(const struct ossa__value *object, const char *key, uint32_t count)
{
    struct ossa__value member = ossa__value_member(object, key);
    return (uint32_t)ossa__value_integer(&member, 0, (int64_t)count - 1);
}

/* An object, because the constant may have more digits than a float where FLT_EVAL_METHOD is 1. */
static const float least_part = 1e-12F;

/* Strings of bits may stand for numbers, and those are not finite. */
static bool check_row(const struct ossa__value *row, const float *numbers, uint32_t width)
{
    bool is_nothing = true;
    if (row->context->failed) return false;
    for (uint32_t k = 0; k < width; k++) {
        if (!isfinite(numbers[k])) return ossa__value_fail(row, "is not finite");
        is_nothing = is_nothing && fabsf(numbers[k]) < least_part;
    }
    return width != 4 || !is_nothing || ossa__value_fail(row, "is not a rotation");
}

bool ossa__scene_json_optional_floats(const struct ossa__value *object, const char *key,
                                      uint32_t width, float *out)
{
    struct ossa__value member = ossa__value_optional(object, key);
    if (member.node == NULL) return false;
    ossa__value_floats(&member, width, out);
    return check_row(&member, out, width);
}

bool ossa__scene_json_fill_rows(const struct ossa__value *array, uint32_t count, uint32_t width,
                                float *rows)
{
    if (!ossa__value_expect_length(array, count)) return false;
    for (uint32_t i = 0; i < count; i++, rows += width) {
        struct ossa__value row = ossa__value_item(array, i);
        ossa__value_floats(&row, width, rows);
        if (!check_row(&row, rows, width)) return false;
    }
    return true;
}

float *ossa__scene_json_rows(const struct ossa__value *array, uint32_t count, uint32_t width)
{
    if (!ossa__value_expect_length(array, count)) return NULL; /* before memory is taken */
    float *rows = ossa__take(array->context, count, width * sizeof *rows);
    if (rows == NULL || !ossa__scene_json_fill_rows(array, count, width, rows)) return NULL;
    return rows;
}

static void read_transform(const struct ossa__value *object, ossa_transform *transform)
{
    (void)ossa__scene_json_optional_floats(object, "translation", 3, transform->translation);
    (void)ossa__scene_json_optional_floats(object, "rotation", 4, transform->rotation);
    (void)ossa__scene_json_optional_floats(object, "scale", 3, transform->scale);
}

/* ---- bones --------------------------------------------------------------------------------- */

static void read_bones(struct ossa__scene_json *scene)
{
    struct ossa__value array = ossa__value_member(&scene->root, "bones");
    size_t count = ossa__value_length(&array);
    if (count > INT32_MAX / 2) ossa__value_fail(&array, "has too many items");
    scene->bones = ossa__take_scratch(scene->context, count, sizeof *scene->bones);
    for (size_t i = 0; i < count && !scene->context->failed; i++) {
        struct ossa__scene_json_bone *bone = &scene->bones[i];
        *bone = (struct ossa__scene_json_bone){.parent = -1, .rest = no_change};
        struct ossa__value item = ossa__value_item(&array, i);
        struct ossa__value name = ossa__value_member(&item, "name");
        struct ossa__value parent = ossa__value_optional(&item, "parent");
        bone->name = ossa__value_word(&name);
        if (parent.node != NULL) {
            bone->parent = (int32_t)ossa__value_integer(&parent, -1, (int64_t)i - 1);
        }
        read_transform(&item, &bone->rest);
    }
    scene->bone_count = scene->context->failed ? 0 : (uint32_t)count;
}

/* Which bones hide in a clip? */
static void find_hiding(struct ossa__scene_json *scene, const struct ossa__value *clip)
{
    struct ossa__value constant = ossa__value_optional(clip, "constant");
    struct ossa__value tracks = ossa__value_optional(clip, "visibilities");
    if (constant.node != NULL) (void)ossa__value_expect_length(&constant, scene->bone_count);
    size_t count = constant.node == NULL ? 0 : scene->bone_count;
    for (size_t b = 0; b < count && !scene->context->failed; b++) {
        struct ossa__value item = ossa__value_item(&constant, b);
        struct ossa__value visible = ossa__value_optional(&item, "visible");
        if (visible.node != NULL && !ossa__value_bool(&visible)) scene->bones[b].hides = true;
    }
    count = ossa__value_length(&tracks);
    for (size_t i = 0; i < count && !scene->context->failed; i++) {
        struct ossa__value item = ossa__value_item(&tracks, i);
        uint32_t bone = ossa__scene_json_index(&item, "bone", scene->bone_count);
        if (!scene->context->failed) scene->bones[bone].hides = true;
    }
}

static const char *longer_name(struct ossa__scene_json *scene, const char *name, const char *end)
{
    size_t size = strlen(name) + strlen(end) + 1;
    char *text = ossa__take(scene->context, size, 1);
    if (text != NULL) (void)snprintf(text, size, "%s%s", name, end);
    return text;
}

static void set_transform(struct ossa__motion_node *node, const ossa_transform *transform)
{
    for (unsigned k = 0; k < 3; k++) {
        node->translation[k] = (double)transform->translation[k];
        node->scale[k] = (double)transform->scale[k];
    }
    node->rotation = ossa__quat_load(transform->rotation);
    (void)ossa__quat_normalise(&node->rotation);
}

/* The node of each bone behind that of its parent, and the one that hides it just before it. */
static void make_nodes(struct ossa__scene_json *scene)
{
    struct ossa__motion *motion = scene->motion;
    uint64_t count = (uint64_t)scene->bone_count + ossa__scene_json_count_cameras(scene);
    for (uint32_t b = 0; b < scene->bone_count; b++) count += scene->bones[b].hides;
    if (count > INT32_MAX) ossa__value_fail(&scene->root, "has too many bones and cameras");
    motion->nodes = ossa__take(scene->context, count, sizeof *motion->nodes);
    for (uint32_t b = 0; b < scene->bone_count && !scene->context->failed; b++) {
        struct ossa__scene_json_bone *bone = &scene->bones[b];
        int32_t parent = bone->parent < 0 ? -1 : (int32_t)scene->bones[bone->parent].node;
        struct ossa__motion_node node = {.name = bone->name, .parent = parent, .mesh = -1};
        if (bone->hides) {
            node.name = longer_name(scene, bone->name, "_visible");
            set_transform(&node, &no_change);
            bone->visible_node = motion->node_count;
            motion->nodes[motion->node_count++] = node;
            node.name = bone->name;
            node.parent = (int32_t)bone->visible_node;
        }
        node.is_joint = true;
        set_transform(&node, &bone->rest);
        bone->node = motion->node_count;
        motion->nodes[motion->node_count++] = node;
    }
}

/* ---- curves -------------------------------------------------------------------------------- */

/* The kinds of tracks of bones. */
enum { ROTATIONS, TRANSLATIONS, SCALES, VISIBILITIES, KINDS };
static const struct kind {
    const char *key;
    enum ossa__motion_target target;
    uint32_t width;
} kinds[KINDS] = {
    {"rotations", OSSA__MOTION_ROTATION, 4},
    {"translations", OSSA__MOTION_TRANSLATION, 3},
    {"scales", OSSA__MOTION_SCALE, 3},
    {"visibilities", OSSA__MOTION_SCALE, 3}, /* of the node above the bone's */
};

static const float *times_of(struct ossa__scene_json *scene)
{
    struct ossa__scene_json_clip *clip = &scene->clip;
    if (clip->times != NULL) return clip->times;
    float *times = ossa__take(scene->context, clip->frame_count, sizeof *times);
    for (uint32_t f = 0; times != NULL && f < clip->frame_count; f++) {
        times[f] = (float)(f / clip->fps);
        if (f == 0 || (times[f] > times[f - 1] && isfinite(times[f]))) continue;
        ossa__value_fail(clip->value, "%" PRIu32 " frames at %g fps are too many for 32-bit floats",
                         clip->frame_count, clip->fps);
        return NULL;
    }
    clip->times = times;
    return times;
}

void ossa__scene_json_add_curve(struct ossa__scene_json *scene, struct ossa__motion_curve curve)
{
    if (scene->context->failed || scene->clip.frame_count == 0) return;
    curve.key_count = scene->clip.frame_count;
    curve.times = times_of(scene);
    scene->clip.curves[scene->clip.curve_count++] = curve;
}

/* Which bones have tracks of a kind, each at most one; how many curves that makes. */
static uint64_t count_tracks(struct ossa__scene_json *scene, unsigned kind)
{
    struct ossa__value tracks = ossa__value_optional(scene->clip.value, kinds[kind].key);
    size_t count = ossa__value_length(&tracks);
    for (size_t i = 0; i < count && !scene->context->failed; i++) {
        struct ossa__value item = ossa__value_item(&tracks, i);
        uint32_t index = ossa__scene_json_index(&item, "bone", scene->bone_count);
        if (scene->context->failed) break;
        struct ossa__scene_json_bone *bone = &scene->bones[index];
        if ((bone->tracks & 1U << kind) != 0) {
            ossa__value_fail(&item, "is a second track of '%s'", bone->name);
        }
        bone->tracks |= (uint8_t)(1U << kind);
    }
    return scene->clip.frame_count == 0 ? 0 : count;
}

/* The scales of a node that hides what is below it. */
static float *read_flags(struct ossa__scene_json *scene, const struct ossa__value *keys)
{
    uint32_t count = scene->clip.frame_count;
    if (!ossa__value_expect_length(keys, count)) return NULL;
    float *scales = ossa__take(scene->context, count, 3 * sizeof *scales);
    for (size_t f = 0; f < count && !scene->context->failed; f++) {
        struct ossa__value item = ossa__value_item(keys, f);
        float scale = ossa__value_bool(&item) ? 1.0F : 0.0F;
        for (size_t k = 0; k < 3; k++) scales[f * 3 + k] = scale;
    }
    return scales;
}

static void read_tracks(struct ossa__scene_json *scene, unsigned kind)
{
    struct ossa__value tracks = ossa__value_optional(scene->clip.value, kinds[kind].key);
    size_t count = ossa__value_length(&tracks);
    for (size_t i = 0; i < count && !scene->context->failed; i++) {
        struct ossa__value item = ossa__value_item(&tracks, i);
        struct ossa__value keys = ossa__value_member(&item, "keys");
        uint32_t index = ossa__scene_json_index(&item, "bone", scene->bone_count);
        if (scene->context->failed) return;
        const struct ossa__scene_json_bone *bone = &scene->bones[index];
        struct ossa__motion_curve curve = {
            .node = bone->node, .target = kinds[kind].target, .width = kinds[kind].width};
        if (kind == VISIBILITIES) {
            curve.node = bone->visible_node;
            curve.interpolation = OSSA__MOTION_STEP;
            curve.values = read_flags(scene, &keys);
        } else {
            curve.values = ossa__scene_json_rows(&keys, scene->clip.frame_count, kinds[kind].width);
        }
        ossa__scene_json_add_curve(scene, curve);
    }
}

/* ---- values without a track ---------------------------------------------------------------- */

static void read_constants(struct ossa__scene_json *scene)
{
    struct ossa__value array = ossa__value_optional(scene->clip.value, "constant");
    for (size_t b = 0; b < scene->bone_count && !scene->context->failed; b++) {
        struct ossa__scene_json_bone *bone = &scene->bones[b];
        bone->tracks = 0;
        bone->constant = bone->rest;
        bone->is_visible = true;
        if (array.node == NULL) continue;
        struct ossa__value item = ossa__value_item(&array, b);
        struct ossa__value visible = ossa__value_optional(&item, "visible");
        read_transform(&item, &bone->constant);
        if (visible.node != NULL) bone->is_visible = ossa__value_bool(&visible);
    }
}

/* The values of a kind that a bone has in the whole clip; NULL: a track says them, or they are as
 * at rest. */
static const float *constant_of(const struct ossa__scene_json_bone *bone, unsigned kind)
{
    static const float nothing[3] = {0.0F, 0.0F, 0.0F};
    const float *values[] = {bone->constant.rotation, bone->constant.translation,
                             bone->constant.scale};
    const float *rests[] = {bone->rest.rotation, bone->rest.translation, bone->rest.scale};
    if ((bone->tracks & 1U << kind) != 0) return NULL;
    if (kind == VISIBILITIES) return bone->is_visible ? NULL : nothing;
    for (uint32_t k = 0; k < kinds[kind].width; k++) {
        if (values[kind][k] != rests[kind][k]) return values[kind];
    }
    return NULL;
}

static uint64_t count_constants(const struct ossa__scene_json *scene)
{
    uint64_t count = 0;
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        for (unsigned kind = 0; kind < KINDS; kind++) {
            count += constant_of(&scene->bones[b], kind) != NULL;
        }
    }
    return count;
}

static void add_constants(struct ossa__scene_json *scene)
{
    static const float at_start[1] = {0.0F};
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        const struct ossa__scene_json_bone *bone = &scene->bones[b];
        for (unsigned kind = 0; kind < KINDS; kind++) {
            const float *constant = constant_of(bone, kind);
            if (constant == NULL) continue;
            uint32_t width = kinds[kind].width;
            float *values = ossa__take(scene->context, width, sizeof *values);
            if (values == NULL) return;
            memcpy(values, constant, width * sizeof *values);
            bool hides = kind == VISIBILITIES;
            scene->clip.curves[scene->clip.curve_count++] = (struct ossa__motion_curve){
                .node = hides ? bone->visible_node : bone->node,
                .target = kinds[kind].target,
                .interpolation = hides ? OSSA__MOTION_STEP : OSSA__MOTION_LINEAR,
                .key_count = 1,
                .width = width,
                .times = at_start,
                .values = values};
        }
    }
}

/* ---- clips --------------------------------------------------------------------------------- */

static void read_clip(struct ossa__scene_json *scene, const struct ossa__value *value,
                      struct ossa__motion_clip *out)
{
    struct ossa__value name = ossa__value_member(value, "name");
    struct ossa__value fps = ossa__value_member(value, "fps");
    struct ossa__value frames = ossa__value_member(value, "frames");
    struct ossa__scene_json_clip *clip = &scene->clip;
    *clip = (struct ossa__scene_json_clip){.value = value};
    *out = (struct ossa__motion_clip){.name = ossa__value_word(&name)};
    out->fps = clip->fps = (double)ossa__value_f32(&fps);
    out->frame_count = clip->frame_count = ossa__value_u32(&frames);
    if (!scene->context->failed && !(clip->fps > 0.0 && isfinite(clip->fps))) {
        ossa__value_fail(&fps, "is not a number of frames per second");
    }
    read_constants(scene);
    uint64_t count = 0;
    for (unsigned kind = 0; kind < KINDS; kind++) count += count_tracks(scene, kind);
    count += ossa__scene_json_count_morphs(scene);
    if (!scene->context->failed) count += count_constants(scene);
    clip->curves = ossa__take(scene->context, count, sizeof *clip->curves);
    if (clip->curves == NULL) return;
    add_constants(scene);
    for (unsigned kind = 0; kind < KINDS; kind++) read_tracks(scene, kind);
    ossa__scene_json_read_morphs(scene);
    out->curves = clip->curves;
    out->curve_count = clip->curve_count;
}

static void read_clips(struct ossa__scene_json *scene)
{
    struct ossa__motion *motion = scene->motion;
    struct ossa__value array = ossa__value_member(&scene->root, "clips");
    size_t count = ossa__value_length(&array);
    uint32_t cameras = ossa__scene_json_count_cameras(scene);
    if (count > OSSA_MAX_CLIPS || cameras > OSSA_MAX_CLIPS) {
        ossa__value_fail(&scene->root, "has more than %d clips or cameras", OSSA_MAX_CLIPS);
    }
    motion->clips = ossa__take(scene->context, (uint64_t)count + cameras, sizeof *motion->clips);
    for (size_t i = 0; i < count && !scene->context->failed; i++) {
        struct ossa__value clip = ossa__value_item(&array, i);
        read_clip(scene, &clip, &motion->clips[motion->clip_count++]);
    }
}

static void find_all_hiding(struct ossa__scene_json *scene)
{
    struct ossa__value array = ossa__value_member(&scene->root, "clips");
    size_t count = ossa__value_length(&array);
    for (size_t i = 0; i < count && !scene->context->failed; i++) {
        struct ossa__value clip = ossa__value_item(&array, i);
        find_hiding(scene, &clip);
    }
}

/* ---- the call ------------------------------------------------------------------------------ */

struct ossa__motion *ossa__read_scene_json(struct ossa__context *context, const uint8_t *data,
                                           size_t size)
{
    struct ossa__scene_json scene = {.context = context};
    struct ossa__document *document = ossa__document_parse(context, (const char *)data, size);
    if (document == NULL) return NULL;
    scene.root = ossa__document_root(context, document);
    scene.motion = ossa__take(context, 1, sizeof *scene.motion);
    if (scene.motion != NULL) {
        *scene.motion =
            (struct ossa__motion){.format = "json", .has_rest = true, .has_own_names = true};
        struct ossa__value version = ossa__value_optional(&scene.root, "ossa");
        if (version.node != NULL) (void)ossa__value_integer(&version, 1, 1);
        read_bones(&scene);
        find_all_hiding(&scene);
        make_nodes(&scene);
        ossa__scene_json_read_meshes(&scene);
        read_clips(&scene);
        ossa__scene_json_read_cameras(&scene);
        struct ossa__value options = ossa__value_optional(&scene.root, "options");
        ossa__read_motion_options(scene.motion, &options);
    }
    ossa__document_free(document);
    return context->failed ? NULL : scene.motion;
}
