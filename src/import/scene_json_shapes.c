/* SPDX-License-Identifier: MIT
 *
 * Of the JSON of a scene: meshes with morph targets, which clips show them, and cameras. */
#include "import/scene_json_parts.h"

#include "codec/names.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A clip names one target per frame, and its curve has a weight for each. So few bytes of text may
 * ask for a lot of memory: 256 MiB are more than any figure needs. */
enum { MOST_WEIGHTS = 1 << 26 };

/* ---- meshes -------------------------------------------------------------------------------- */

static const char *optional_name(const struct ossa__value *object)
{
    struct ossa__value name = ossa__value_optional(object, "name");
    return name.node == NULL ? "" : ossa__value_word(&name);
}

static void read_targets(const struct ossa__value *targets, struct ossa__motion_mesh *mesh)
{
    struct ossa__context *context = targets->context;
    uint64_t count;
    (void)ossa__multiply(mesh->target_count, mesh->vertex_count, &count);
    float(*offsets)[3] = ossa__take(context, count, sizeof *offsets);
    float *weights = ossa__take(context, mesh->target_count, sizeof *weights);
    for (size_t t = 0; t < mesh->target_count && !context->failed; t++) {
        struct ossa__value target = ossa__value_item(targets, t);
        float *rows = offsets[t * mesh->vertex_count];
        (void)ossa__scene_json_fill_rows(&target, mesh->vertex_count, 3, rows);
        weights[t] = 0.0F;
    }
    mesh->targets = (const float(*)[3])offsets;
    mesh->weights = weights;
}

static void read_mesh(struct ossa__scene_json *scene, const struct ossa__value *value,
                      struct ossa__scene_json_shape *shape)
{
    struct ossa__motion *motion = scene->motion;
    struct ossa__value targets = ossa__value_optional(value, "targets");
    size_t target_count = ossa__value_length(&targets);
    *shape = (struct ossa__scene_json_shape){.target_count = (uint32_t)target_count};
    if (target_count == 0) return;
    if (target_count > UINT32_MAX) ossa__value_fail(&targets, "has too many items");
    uint32_t bone = ossa__scene_json_index(value, "bone", scene->bone_count);
    struct ossa__value positions = ossa__value_member(value, "positions");
    size_t vertex_count = ossa__value_length(&positions);
    if (vertex_count > UINT32_MAX) ossa__value_fail(&positions, "has too many items");
    if (scene->context->failed) return;
    struct ossa__motion_node *node = &motion->nodes[scene->bones[bone].node];
    if (node->mesh >= 0) {
        ossa__value_fail(value, "is a second mesh with morph targets on '%s'", node->name);
        return;
    }
    struct ossa__motion_mesh *mesh = &motion->meshes[motion->mesh_count];
    *mesh = (struct ossa__motion_mesh){.name = optional_name(value),
                                       .vertex_count = (uint32_t)vertex_count,
                                       .target_count = (uint32_t)target_count};
    mesh->positions = (const float(*)[3])ossa__scene_json_rows(&positions, mesh->vertex_count, 3);
    read_targets(&targets, mesh);
    shape->node = scene->bones[bone].node;
    node->mesh = (int32_t)motion->mesh_count++;
}

void ossa__scene_json_read_meshes(struct ossa__scene_json *scene)
{
    struct ossa__value array = ossa__value_optional(&scene->root, "meshes");
    size_t count = ossa__value_length(&array);
    size_t used = 0;
    for (size_t i = 0; i < count && !scene->context->failed; i++) {
        struct ossa__value mesh = ossa__value_item(&array, i);
        used += ossa__value_optional(&mesh, "targets").node != NULL;
    }
    if (count > INT32_MAX) ossa__value_fail(&array, "has too many items");
    scene->shapes = ossa__take_scratch(scene->context, count, sizeof *scene->shapes);
    scene->motion->meshes = ossa__take(scene->context, used, sizeof *scene->motion->meshes);
    for (size_t i = 0; i < count && !scene->context->failed; i++) {
        struct ossa__value mesh = ossa__value_item(&array, i);
        read_mesh(scene, &mesh, &scene->shapes[scene->shape_count++]);
    }
}

/* ---- morph tracks -------------------------------------------------------------------------- */

uint32_t ossa__scene_json_count_morphs(struct ossa__scene_json *scene)
{
    uint32_t used = 0;
    struct ossa__value tracks = ossa__value_optional(scene->clip.value, "morphs");
    size_t count = ossa__value_length(&tracks);
    for (uint32_t i = 0; i < scene->shape_count; i++) scene->shapes[i].has_track = false;
    for (size_t i = 0; i < count && !scene->context->failed; i++) {
        struct ossa__value item = ossa__value_item(&tracks, i);
        uint32_t index = ossa__scene_json_index(&item, "mesh", scene->shape_count);
        if (scene->context->failed) break;
        struct ossa__scene_json_shape *shape = &scene->shapes[index];
        if (shape->has_track) ossa__value_fail(&item, "is a second track of the mesh");
        shape->has_track = true;
        if (shape->target_count == 0 || scene->clip.frame_count == 0) continue;
        uint64_t weights;
        (void)ossa__multiply(scene->clip.frame_count, shape->target_count, &weights);
        if (weights > MOST_WEIGHTS || scene->weight_count + weights > MOST_WEIGHTS) {
            ossa__fail_nowhere(scene->context, OSSA_CODE_LIMIT, "",
                               "the clips have more than %d weights of morph targets, which is "
                               "frames times targets; with fewer clips there are fewer of both",
                               MOST_WEIGHTS);
        }
        scene->weight_count += weights;
        used++;
    }
    return used;
}

/* 1 for the target of each frame, 0 for all others. */
static float *read_weights(struct ossa__scene_json *scene, const struct ossa__value *keys,
                           uint32_t target_count)
{
    uint32_t frames = scene->clip.frame_count;
    if (!ossa__value_expect_length(keys, frames)) return NULL;
    float *weights = ossa__take(scene->context, (uint64_t)frames * target_count, sizeof *weights);
    if (weights == NULL) return NULL;
    memset(weights, 0, (size_t)frames * target_count * sizeof *weights);
    for (size_t f = 0; f < frames && !scene->context->failed; f++) {
        struct ossa__value item = ossa__value_item(keys, f);
        int64_t target = ossa__value_integer(&item, -1, (int64_t)target_count - 1);
        if (target >= 0) weights[f * target_count + (size_t)target] = 1.0F;
    }
    return weights;
}

void ossa__scene_json_read_morphs(struct ossa__scene_json *scene)
{
    struct ossa__value tracks = ossa__value_optional(scene->clip.value, "morphs");
    size_t count = ossa__value_length(&tracks);
    for (size_t i = 0; i < count && !scene->context->failed; i++) {
        struct ossa__value item = ossa__value_item(&tracks, i);
        uint32_t index = ossa__scene_json_index(&item, "mesh", scene->shape_count);
        struct ossa__value keys = ossa__value_member(&item, "keys");
        if (scene->context->failed) return;
        const struct ossa__scene_json_shape *shape = &scene->shapes[index];
        if (shape->target_count == 0) continue;
        const float *weights = read_weights(scene, &keys, shape->target_count);
        ossa__scene_json_add_curve(scene,
                                   (struct ossa__motion_curve){.node = shape->node,
                                                               .target = OSSA__MOTION_WEIGHTS,
                                                               .width = shape->target_count,
                                                               .values = weights});
    }
}

/* ---- cameras ------------------------------------------------------------------------------- */

uint32_t ossa__scene_json_count_cameras(struct ossa__scene_json *scene)
{
    struct ossa__value array = ossa__value_optional(&scene->root, "cameras");
    size_t count = ossa__value_length(&array);
    if (count <= INT32_MAX) return (uint32_t)count;
    ossa__value_fail(&array, "has too many items");
    return 0;
}

static float *read_times(const struct ossa__value *array, uint32_t *count)
{
    size_t length = ossa__value_length(array);
    if (length == 0 || length > INT32_MAX) ossa__value_fail(array, "has no keys, or too many");
    float *times = ossa__take(array->context, length, sizeof *times);
    if (times == NULL) return NULL;
    ossa__value_floats(array, length, times);
    for (size_t i = 0; i < length && !array->context->failed; i++) {
        bool rises = i == 0 ? times[i] >= 0.0F : times[i] > times[i - 1];
        struct ossa__value item = ossa__value_item(array, i);
        if (!rises || !isfinite(times[i])) ossa__value_fail(&item, "is not later than before");
    }
    *count = (uint32_t)length;
    return times;
}

/* Like the camera, or "walk_camera" where a clip is called "walk": as a glTF has it. */
static const char *clip_name(struct ossa__context *context, struct ossa__names *names,
                             const char *name)
{
    size_t size = strlen(name) + sizeof "_camera";
    char *longer = ossa__take(context, size, 1);
    if (longer == NULL) return NULL;
    (void)snprintf(longer, size, "%s_camera", name);
    return ossa__names_add(names, context, ossa__names_has(names, name) ? longer : name, "");
}

static void read_camera(struct ossa__scene_json *scene, const struct ossa__value *value,
                        struct ossa__names *names)
{
    struct ossa__context *context = scene->context;
    struct ossa__value name = ossa__value_member(value, "name");
    struct ossa__value times_value = ossa__value_member(value, "times");
    struct ossa__value positions_value = ossa__value_member(value, "positions");
    struct ossa__value rotations_value = ossa__value_member(value, "rotations");
    struct ossa__value views = ossa__value_optional(value, "fields_of_view");
    uint32_t count = 0;
    const float *times = read_times(&times_value, &count);
    const float *positions = ossa__scene_json_rows(&positions_value, count, 3);
    const float *rotations = ossa__scene_json_rows(&rotations_value, count, 4);
    struct ossa__motion_node node = {.name = ossa__value_word(&name),
                                     .parent = -1,
                                     .scale = {1.0, 1.0, 1.0},
                                     .mesh = -1,
                                     .is_camera = true};
    if (views.node != NULL && ossa__value_expect_length(&views, count)) {
        struct ossa__value view = ossa__value_item(&views, 0);
        node.field_of_view = (double)ossa__value_f32(&view);
        if (!isfinite(node.field_of_view)) ossa__value_fail(&view, "is not finite");
    }
    const char *clip_named = clip_name(context, names, node.name);
    struct ossa__motion_curve *curves = ossa__take(context, 2, sizeof *curves);
    if (curves == NULL) return;
    for (unsigned k = 0; k < 3; k++) node.translation[k] = (double)positions[k];
    node.rotation = ossa__quat_load(rotations);
    (void)ossa__quat_normalise(&node.rotation);
    curves[0] = (struct ossa__motion_curve){.node = scene->motion->node_count,
                                            .target = OSSA__MOTION_TRANSLATION,
                                            .key_count = count,
                                            .width = 3,
                                            .times = times,
                                            .values = positions};
    curves[1] = curves[0];
    curves[1].target = OSSA__MOTION_ROTATION;
    curves[1].width = 4;
    curves[1].values = rotations;
    scene->motion->nodes[scene->motion->node_count++] = node;
    if (count == 1) return; /* it stands still */
    scene->motion->clips[scene->motion->clip_count++] =
        (struct ossa__motion_clip){.name = clip_named, .curve_count = 2, .curves = curves};
}

void ossa__scene_json_read_cameras(struct ossa__scene_json *scene)
{
    struct ossa__motion *motion = scene->motion;
    struct ossa__value array = ossa__value_optional(&scene->root, "cameras");
    uint32_t count = ossa__scene_json_count_cameras(scene);
    struct ossa__names names;
    if (count == 0 || scene->context->failed) return;
    if (!ossa__names_start(&names, scene->context, (size_t)motion->clip_count + count)) return;
    for (uint32_t i = 0; i < motion->clip_count; i++) {
        const char *name = motion->clips[i].name;
        if (!ossa__names_has(&names, name)) (void)ossa__names_add(&names, scene->context, name, "");
    }
    for (uint32_t i = 0; i < count && !scene->context->failed; i++) {
        struct ossa__value camera = ossa__value_item(&array, i);
        read_camera(scene, &camera, &names);
    }
}
