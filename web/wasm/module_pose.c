/* SPDX-License-Identifier: MIT
 *
 * Poses, in memory that JavaScript looks into, skinning, and the curves of a clip. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

/* JavaScript reads the first members: keep their order. */
struct web_pose {
    ossa_transform *locals;
    ossa_transform *models;
    float (*matrices)[16];
    uint8_t *visible;
    float *weights; /* of the mesh that was asked for last */
    struct {
        ossa_transform transform;
        float field_of_view;
    } camera; /* the one that was asked for last */
    const ossa_scene *scene;
    const ossa_clip *clip; /* NULL: the rest pose */
    double seconds;
    ossa_wrap wrap;
    float (*inverse_binds)[16]; /* for weighted vertices; NULL: not asked for yet */
};

WEB_EXPORT(pose_free) void web_pose_free(struct web_pose *pose);
void web_pose_free(struct web_pose *pose)
{
    free(pose->locals);
    free(pose->models);
    free(pose->matrices);
    free(pose->visible);
    free(pose->weights);
    free(pose->inverse_binds);
    free(pose);
}

static void fill(struct web_pose *pose)
{
    ossa_model_pose(pose->scene, pose->locals, pose->models);
    ossa_model_matrices(pose->scene, pose->locals, pose->matrices);
}

/* False: there is no such clip. */
static bool choose_clip(struct web_pose *pose, int32_t clip)
{
    if (clip < -1 || (clip >= 0 && (uint32_t)clip >= pose->scene->clip_count)) return false;
    pose->clip = clip < 0 ? NULL : &pose->scene->clips[clip];
    return true;
}

static void rest(struct web_pose *pose)
{
    ossa_rest_pose(pose->scene, pose->locals);
    memset(pose->visible, 1, pose->scene->bone_count);
}

WEB_EXPORT(pose_sample)
bool web_pose_sample(struct web_pose *pose, int32_t clip, double seconds, uint32_t wrap);
bool web_pose_sample(struct web_pose *pose, int32_t clip, double seconds, uint32_t wrap)
{
    if (!choose_clip(pose, clip)) return false;
    pose->seconds = seconds;
    pose->wrap = (ossa_wrap)wrap;
    if (pose->clip == NULL) rest(pose);
    else ossa_sample(pose->scene, pose->clip, seconds, pose->wrap, pose->locals, pose->visible);
    fill(pose);
    return true;
}

WEB_EXPORT(pose_frame)
bool web_pose_frame(struct web_pose *pose, int32_t clip, uint32_t frame);
bool web_pose_frame(struct web_pose *pose, int32_t clip, uint32_t frame)
{
    if (!choose_clip(pose, clip)) return false;
    pose->wrap = OSSA_WRAP_CLAMP;
    pose->seconds = 0.0;
    if (pose->clip == NULL) {
        rest(pose);
    } else {
        pose->seconds = frame / pose->clip->fps;
        ossa_sample_frame(pose->scene, pose->clip, frame, pose->locals, pose->visible);
    }
    fill(pose);
    return true;
}

WEB_EXPORT(pose_stay) void web_pose_stay(struct web_pose *pose);
void web_pose_stay(struct web_pose *pose)
{
    ossa_stay_in_place(pose->scene, pose->locals, NULL);
    fill(pose);
}

WEB_EXPORT(pose_weights) bool web_pose_weights(struct web_pose *pose, uint32_t mesh);
bool web_pose_weights(struct web_pose *pose, uint32_t mesh)
{
    if (mesh >= pose->scene->mesh_count) return false;
    if (pose->clip != NULL) {
        ossa_sample_morphs(pose->scene, pose->clip, pose->seconds, pose->wrap, mesh, pose->weights);
        return true;
    }
    memset(pose->weights, 0, pose->scene->meshes[mesh].target_count * sizeof *pose->weights);
    return true;
}

/* The address of the transform (10 numbers) and the field of view; NULL: no such camera. */
WEB_EXPORT(pose_camera)
const void *web_pose_camera(struct web_pose *pose, uint32_t camera, double seconds, uint32_t wrap);
const void *web_pose_camera(struct web_pose *pose, uint32_t camera, double seconds, uint32_t wrap)
{
    if (camera >= pose->scene->camera_count) return NULL;
    ossa_sample_camera(&pose->scene->cameras[camera], seconds, (ossa_wrap)wrap,
                       &pose->camera.transform, &pose->camera.field_of_view);
    return &pose->camera;
}

WEB_EXPORT(pose_new) struct web_pose *web_pose_new(const ossa_scene *scene);
struct web_pose *web_pose_new(const ossa_scene *scene)
{
    size_t bones = (size_t)scene->bone_count + 1; /* calloc of nothing may give NULL */
    size_t targets = 1;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        if (scene->meshes[i].target_count > targets) targets = scene->meshes[i].target_count;
    }
    web_begin();
    struct web_pose *pose = calloc(1, sizeof *pose);
    if (pose != NULL) {
        pose->scene = scene;
        pose->locals = calloc(bones, sizeof *pose->locals);
        pose->models = calloc(bones, sizeof *pose->models);
        pose->matrices = calloc(bones, sizeof *pose->matrices);
        pose->visible = calloc(bones, 1);
        pose->weights = calloc(targets, sizeof *pose->weights);
        bool ok = pose->locals != NULL && pose->models != NULL && pose->matrices != NULL &&
                  pose->visible != NULL && pose->weights != NULL;
        if (ok && web_pose_sample(pose, -1, 0.0, OSSA_WRAP_CLAMP)) return pose;
        web_pose_free(pose);
    }
    (void)web_fail_memory();
    return NULL;
}

/* ---- skinning ------------------------------------------------------------------------------ */

/* Bytes for the result that a function is to fill; NULL: no memory. */
static void *take_result(size_t count, size_t size)
{
    void *data = calloc(count + 1, size);
    if (data == NULL) (void)web_fail_memory();
    else web_result = (ossa_buffer){.data = data, .size = count * size, .capacity = count * size};
    return data;
}

/* Once for a pose: a skeleton may be as deep as it has bones. */
static bool find_binds(struct web_pose *pose)
{
    if (pose->inverse_binds != NULL) return true;
    pose->inverse_binds = calloc(pose->scene->bone_count, sizeof *pose->inverse_binds);
    if (pose->inverse_binds == NULL) return web_fail_memory();
    ossa_bind_matrices(pose->scene, pose->inverse_binds);
    return true;
}

/* The result: the positions of a mesh in the pose, then its normals. */
WEB_EXPORT(pose_skin) bool web_pose_skin(struct web_pose *pose, uint32_t index);
bool web_pose_skin(struct web_pose *pose, uint32_t index)
{
    web_begin();
    if (!web_pose_weights(pose, index)) {
        return web_fail_with(OSSA_CODE_BAD_ARGUMENT, "there is no such mesh");
    }
    const ossa_mesh *mesh = &pose->scene->meshes[index];
    if (mesh->joints != NULL && !find_binds(pose)) return false;
    float(*positions)[3] = take_result(2 * (size_t)mesh->vertex_count, sizeof *positions);
    if (positions == NULL) return false;
    ossa_skin_mesh_bound(pose->scene, mesh, (const float(*)[16])pose->matrices,
                         (const float(*)[16])pose->inverse_binds, pose->weights, positions,
                         positions + mesh->vertex_count);
    return true;
}

WEB_EXPORT(scene_binds) bool web_scene_binds(const ossa_scene *scene);
bool web_scene_binds(const ossa_scene *scene)
{
    web_begin();
    float(*matrices)[16] = take_result(scene->bone_count, sizeof *matrices);
    if (matrices == NULL) return false;
    ossa_bind_matrices(scene, matrices);
    return true;
}

/* ---- curves -------------------------------------------------------------------------------- */

/* The index of a bone among the tracks; -1: it has none. */
static int64_t find_track(const uint32_t *bones, uint32_t count, uint32_t bone)
{
    for (uint32_t i = 0; i < count; i++) {
        if (bones[i] == bone) return i;
    }
    return -1;
}

static float *write_curve(float *out, const ossa_tracks *tracks, const float *constant,
                          unsigned width, uint32_t bone, uint32_t frames)
{
    int64_t track = find_track(tracks->bones, tracks->count, bone);
    for (uint32_t f = 0; f < frames; f++) {
        const float *key = constant;
        if (track >= 0) key = tracks->keys + ((size_t)f * tracks->count + (size_t)track) * width;
        memcpy(out, key, width * sizeof *out);
        out += width;
    }
    return out;
}

static void write_visible(uint8_t *out, const ossa_clip *clip, uint32_t bone)
{
    const ossa_flag_tracks *tracks = &clip->visibilities;
    int64_t track = find_track(tracks->bones, tracks->count, bone);
    for (uint32_t f = 0; f < clip->frame_count; f++) {
        out[f] = track < 0 ? clip->constant_visible[bone]
                           : tracks->keys[(size_t)f * tracks->count + (size_t)track];
    }
}

/* The result: per frame, 4 floats of rotation; then 3 of translation; then 3 of scale; then one
 * byte of visibility. */
WEB_EXPORT(scene_curves)
bool web_scene_curves(const ossa_scene *scene, uint32_t clip_index, uint32_t bone);
bool web_scene_curves(const ossa_scene *scene, uint32_t clip_index, uint32_t bone)
{
    enum { FRAME = 10 * sizeof(float) + 1 };
    web_begin();
    if (clip_index >= scene->clip_count || bone >= scene->bone_count) {
        return web_fail_with(OSSA_CODE_BAD_ARGUMENT, "there is no such clip or bone");
    }
    const ossa_clip *clip = &scene->clips[clip_index];
    uint32_t frames = clip->frame_count;
    uint8_t *bytes = frames > SIZE_MAX / FRAME - 1 ? NULL : take_result(frames, FRAME);
    if (bytes == NULL) return web_fail_memory();
    const ossa_transform *constant = &clip->constant[bone];
    float *out = (float *)(void *)bytes;
    out = write_curve(out, &clip->rotations, constant->rotation, 4, bone, frames);
    out = write_curve(out, &clip->translations, constant->translation, 3, bone, frames);
    out = write_curve(out, &clip->scales, constant->scale, 3, bone, frames);
    write_visible((uint8_t *)out, clip, bone);
    return true;
}
