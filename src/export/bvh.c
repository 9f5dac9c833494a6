/* SPDX-License-Identifier: MIT
 *
 * A clip as BVH, so that the programs people use show it right. What is not in any specification,
 * and has bitten somebody:
 *
 * - The order of the channels is a meaning: Zrotation Xrotation Yrotation is R = Rz * Rx * Ry.
 * - There is one root. Where the scene has several, a joint above them has the scene's name.
 * - A joint with positions has no offset: programs do not agree on whether it counts twice.
 * - Other joints have no positions: for many programs only the root moves.
 * - Every end has a length. Names are one word each and all different.
 *
 * Rest rotations do not exist: a joint's angles are all of its local rotation. */
#include "export/bvh_parts.h"

#include "scene/node_names.h"
#include "ossa/sample.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- what is written ----------------------------------------------------------------------- */

void ossa__bvh_take_scales(const ossa_scene *scene, ossa_transform *locals)
{
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        int32_t p = scene->bones[b].parent;
        for (unsigned k = 0; k < 3 && p >= 0; k++) {
            double above = (double)locals[p].scale[k]; /* of all above: parents come first */
            locals[b].translation[k] = (float)((double)locals[b].translation[k] * above);
            locals[b].scale[k] = (float)((double)locals[b].scale[k] * above);
        }
    }
}

/* The longest side of the box around all joints; 0 where that is next to nothing or no number. */
static double box_size(const ossa_scene *scene, const ossa_transform *models)
{
    double size = 0.0;
    for (unsigned k = 0; k < 3; k++) {
        double least = INFINITY;
        double most = -INFINITY;
        for (uint32_t b = 0; b < scene->bone_count; b++) {
            least = fmin(least, (double)models[b].translation[k]);
            most = fmax(most, (double)models[b].translation[k]);
        }
        size = fmax(size, most - least);
    }
    return size > 1e-30 && isfinite(size) ? size : 0.0;
}

/* The size of the rest pose; of a scene that has none, like objects that lie at 0 until they are
 * moved, that of the first frame; else one metre. */
static double find_size(struct ossa__bvh *x)
{
    ossa_rest_pose(x->scene, x->pose);
    ossa_model_pose(x->scene, x->pose, x->pose);
    double size = box_size(x->scene, x->pose);
    if (size == 0.0) {
        ossa_sample_frame(x->scene, x->clip, 0, x->pose, NULL);
        ossa_model_pose(x->scene, x->pose, x->pose);
        size = box_size(x->scene, x->pose);
    }
    return size == 0.0 ? 1.0 : size;
}

/* A bone moves on its parent when it has a curve, is not where it is at rest, or hangs on one
 * whose scale changes. */
static void find_channels(struct ossa__bvh *x)
{
    enum { SCALES = 128 }; /* it or one above it; needed only here */
    const ossa_scene *scene = x->scene;
    const ossa_clip *clip = x->clip;
    memset(x->joints, 0, scene->bone_count);
    for (uint32_t i = 0; i < clip->rotations.count; i++) {
        x->joints[clip->rotations.bones[i]] |= OSSA__HAS_TURNS;
    }
    for (uint32_t i = 0; i < clip->translations.count; i++) {
        x->joints[clip->translations.bones[i]] |= OSSA__HAS_POSITION;
    }
    for (uint32_t i = 0; i < clip->scales.count; i++) x->joints[clip->scales.bones[i]] |= SCALES;
    ossa_sample_frame(scene, clip, 0, x->pose, NULL);
    ossa__bvh_take_scales(scene, x->pose);
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        int32_t p = scene->bones[b].parent;
        bool moves = p < 0;
        if (p >= 0 && (x->joints[p] & SCALES) != 0) {
            x->joints[b] |= SCALES;
            moves = true;
        }
        for (unsigned k = 0; k < 3; k++) {
            if (x->pose[b].translation[k] != x->rest[b].translation[k]) moves = true;
        }
        if (moves) x->joints[b] |= OSSA__HAS_POSITION;
    }
}

static void check_rest(struct ossa__bvh *x)
{
    for (uint32_t b = 0; b < x->scene->bone_count; b++) {
        const float *place = x->rest[b].translation;
        if (isfinite(place[0]) && isfinite(place[1]) && isfinite(place[2])) continue;
        ossa__fail_nowhere(&x->context, OSSA_CODE_BAD_SCENE, "",
                           "'%s' is too far away at rest for a 32-bit float",
                           x->scene->bones[b].name);
        return;
    }
}

static void name_joints(struct ossa__bvh *x)
{
    uint32_t count = x->scene->bone_count;
    const char **names = ossa__take(&x->context, (uint64_t)count + 1, sizeof *names);
    if (names == NULL) return;
    for (uint32_t b = 0; b < count; b++) names[b] = x->scene->bones[b].name;
    names[count] = x->scene->name; /* last: a bone of that name keeps it */
    x->names = ossa__clean_names(&x->context, &ossa__bvh_name_rule, names,
                                 (size_t)count + (x->has_root_above ? 1 : 0));
}

static void plan(struct ossa__bvh *x)
{
    const ossa_scene *scene = x->scene;
    struct ossa__context *context = &x->context;
    x->joints = ossa__take(context, scene->bone_count, 1);
    x->rest = ossa__take(context, scene->bone_count, sizeof *x->rest);
    x->pose = ossa__take(context, scene->bone_count, sizeof *x->pose);
    x->order = ossa__take(context, scene->bone_count, sizeof *x->order);
    if (x->order == NULL || !ossa__find_children(context, scene, &x->children)) return;
    x->has_root_above = x->children.next[x->children.first[0]] != 0;
    x->size = find_size(x);
    ossa_rest_pose(scene, x->rest);
    ossa__bvh_take_scales(scene, x->rest);
    check_rest(x);
    find_channels(x);
    name_joints(x);
}

/* ---- what is lost -------------------------------------------------------------------------- */

#define warn(x, ...) ossa__export_warn((x)->options, "bvh", OSSA_CODE_LOST, __VA_ARGS__)

static uint32_t count_marks(const uint8_t *marks, uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++) sum += marks[i];
    return sum;
}

static uint32_t count_hidden(const struct ossa__bvh *x, uint8_t *marks)
{
    const ossa_flag_tracks *tracks = &x->clip->visibilities;
    for (uint32_t b = 0; b < x->scene->bone_count; b++) {
        marks[b] = x->clip->constant_visible[b] == 0;
    }
    for (uint32_t i = 0; i < tracks->count; i++) marks[tracks->bones[i]] = 0;
    const uint8_t *key = tracks->keys;
    for (uint32_t f = 0; f < x->clip->frame_count; f++) {
        for (uint32_t i = 0; i < tracks->count; i++, key++) {
            if (*key == 0) marks[tracks->bones[i]] = 1;
        }
    }
    return count_marks(marks, x->scene->bone_count);
}

static bool is_scaled(const float scale[3])
{
    return scale[0] != 1.0F || scale[1] != 1.0F || scale[2] != 1.0F;
}

static uint32_t count_scaled(const struct ossa__bvh *x, uint8_t *marks)
{
    const ossa_tracks *tracks = &x->clip->scales;
    for (uint32_t b = 0; b < x->scene->bone_count; b++) {
        marks[b] = is_scaled(x->clip->constant[b].scale);
    }
    for (uint32_t i = 0; i < tracks->count; i++) marks[tracks->bones[i]] = 0;
    const float *key = tracks->keys;
    for (uint32_t f = 0; f < x->clip->frame_count; f++) {
        for (uint32_t i = 0; i < tracks->count; i++, key += 3) {
            if (is_scaled(key)) marks[tracks->bones[i]] = 1;
        }
    }
    for (uint32_t b = 0; b < x->scene->bone_count; b++) {
        if (is_scaled(x->scene->bones[b].rest.scale)) marks[b] = 1;
    }
    return count_marks(marks, x->scene->bone_count);
}

static uint32_t count_turned(const ossa_scene *scene)
{
    uint32_t sum = 0;
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        const float *q = scene->bones[b].rest.rotation;
        sum += q[0] != 0.0F || q[1] != 0.0F || q[2] != 0.0F;
    }
    return sum;
}

static const char *plural(uint32_t count)
{
    return count == 1 ? "" : "s";
}

static void tell_what_is_lost(struct ossa__bvh *x)
{
    if (x->options->on_issue == NULL) return;
    const char *clip = x->clip->name;
    uint8_t *marks = ossa__take(&x->context, x->scene->bone_count, 1);
    if (marks == NULL) return;
    uint32_t hidden = count_hidden(x, marks);
    if (hidden > 0) {
        warn(x,
             "the clip '%s' hides %" PRIu32
             " bone%s; BVH cannot: what is hidden stays where it was last",
             clip, hidden, plural(hidden));
    }
    uint32_t scaled = count_scaled(x, marks);
    if (scaled > 0) {
        warn(x,
             "the clip '%s' has %" PRIu32
             " scaled bone%s; BVH has no scale: places are right, sizes are lost",
             clip, scaled, plural(scaled));
    }
    uint32_t turned = count_turned(x->scene);
    if (turned > 0) {
        warn(x,
             "%" PRIu32
             " bone%s turned at rest; BVH has no rest rotation: the motion is right, the pose "
             "without it is not",
             turned, turned == 1 ? " is" : "s are");
    }
    const char *meshes = x->scene->mesh_count > 0 ? "meshes" : NULL;
    const char *cameras = x->scene->camera_count > 0 ? "cameras" : NULL;
    if (meshes != NULL || cameras != NULL) {
        warn(x, "BVH has no %s%s%s; glTF has them", meshes != NULL ? meshes : "",
             meshes != NULL && cameras != NULL ? " and no " : "", cameras != NULL ? cameras : "");
    }
}

/* ---- the call ------------------------------------------------------------------------------ */

static bool is_of_scene(const ossa_scene *scene, const ossa_clip *clip)
{
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        if (clip == &scene->clips[i]) return true;
    }
    return false;
}

/* What a scene may be and a BVH may not. */
static bool check(struct ossa__bvh *x)
{
    const ossa_clip *clip = x->clip;
    if (!is_of_scene(x->scene, clip)) {
        return ossa__fail_nowhere(&x->context, OSSA_CODE_BAD_ARGUMENT, "",
                                  "the clip is none of the scene's");
    }
    if (x->scene->bone_count == 0) {
        return ossa__fail_nowhere(&x->context, OSSA_CODE_BAD_SCENE, "",
                                  "the scene has no bones, and a BVH needs one");
    }
    if (clip->frame_count == 0) {
        return ossa__fail_nowhere(&x->context, OSSA_CODE_BAD_SCENE, "",
                                  "the clip '%s' has no frames, and a BVH needs one", clip->name);
    }
    double frame_time = 1.0 / clip->fps;
    if (!(frame_time >= (double)FLT_MIN && frame_time <= (double)FLT_MAX)) {
        return ossa__fail_nowhere(&x->context, OSSA_CODE_BAD_SCENE, "",
                                  "the clip '%s' has %g frames a second: the time of one is no "
                                  "32-bit float",
                                  clip->name, clip->fps);
    }
    return true;
}

bool ossa_write_bvh(const ossa_scene *scene, const ossa_clip *clip,
                    const ossa_export_options *options, ossa_sink sink, ossa_error *error)
{
    static const ossa_export_options defaults;
    struct ossa__bvh x = {.scene = scene, .clip = clip};
    x.options = options == NULL ? &defaults : options;
    if (!ossa_scene_validate(scene, error)) return false;
    ossa_options no_limit = {.allocator = x.options->allocator, .max_memory = UINT64_MAX};
    ossa__context_init(&x.context, &no_limit, 0);
    ossa__writer_init(&x.writer, &x.context, sink);
    if (check(&x)) plan(&x);
    if (!x.context.failed) tell_what_is_lost(&x);
    if (!x.context.failed) ossa__bvh_write(&x);
    bool ok = ossa__writer_finish(&x.writer);
    ossa__hand_over_error(&x.context, error);
    ossa__arena_free(&x.context.arena);
    return ok;
}
