/* SPDX-License-Identifier: MIT
 *
 * Poses, in memory that JavaScript looks into; and the curves of a clip. */
#include "module_scene.h"
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
        ossa_transform place;
        float field_of_view;
    } camera; /* the one that was asked for last */
    const ossa_scene *scene;
    const ossa_clip *clip; /* NULL: the rest pose */
    double seconds;
    ossa_wrap wrap;
};

WEB_EXPORT(pose_free) void web_pose_free(struct web_pose *pose);
void web_pose_free(struct web_pose *pose)
{
    free(pose->locals);
    free(pose->models);
    free(pose->matrices);
    free(pose->visible);
    free(pose->weights);
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

/* Where the place (10 numbers) and the field of view are; NULL: there is no such camera. */
WEB_EXPORT(pose_camera)
const void *web_pose_camera(struct web_pose *pose, uint32_t camera, double seconds, uint32_t wrap);
const void *web_pose_camera(struct web_pose *pose, uint32_t camera, double seconds, uint32_t wrap)
{
    if (camera >= pose->scene->camera_count) return NULL;
    ossa_sample_camera(&pose->scene->cameras[camera], seconds, (ossa_wrap)wrap, &pose->camera.place,
                       &pose->camera.field_of_view);
    return &pose->camera;
}

WEB_EXPORT(pose_new) struct web_pose *web_pose_new(const struct web_scene *handle);
struct web_pose *web_pose_new(const struct web_scene *handle)
{
    const ossa_scene *scene = handle->scene;
    size_t bones = (size_t)scene->bone_count + 1; /* calloc of nothing may give NULL */
    size_t targets = 1;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        if (scene->meshes[i].target_count > targets) targets = scene->meshes[i].target_count;
    }
    web_begin(NULL);
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
    (void)web_fail(OSSA_CODE_OUT_OF_MEMORY, "no memory for a pose");
    return NULL;
}

/* ---- curves -------------------------------------------------------------------------------- */

/* The place of a bone among the tracks; -1: it has none. */
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

/* The result: 4 floats a frame of rotation, 3 of translation, 3 of scale, then a byte each of
 * visibility. */
WEB_EXPORT(scene_curves)
bool web_scene_curves(const struct web_scene *handle, uint32_t clip_index, uint32_t bone);
bool web_scene_curves(const struct web_scene *handle, uint32_t clip_index, uint32_t bone)
{
    enum { FRAME = 10 * sizeof(float) + 1 };
    const ossa_scene *scene = handle->scene;
    web_begin(NULL);
    if (clip_index >= scene->clip_count || bone >= scene->bone_count) {
        return web_fail(OSSA_CODE_BAD_ARGUMENT, "there is no such clip or bone");
    }
    const ossa_clip *clip = &scene->clips[clip_index];
    uint32_t frames = clip->frame_count;
    size_t size = frames > SIZE_MAX / FRAME ? SIZE_MAX : (size_t)frames * FRAME;
    uint8_t *bytes = size == SIZE_MAX ? NULL : malloc(size + 1);
    if (bytes == NULL) return web_fail(OSSA_CODE_OUT_OF_MEMORY, "no memory for the curves");
    const ossa_transform *constant = &clip->constant[bone];
    float *out = (float *)(void *)bytes;
    out = write_curve(out, &clip->rotations, constant->rotation, 4, bone, frames);
    out = write_curve(out, &clip->translations, constant->translation, 3, bone, frames);
    out = write_curve(out, &clip->scales, constant->scale, 3, bone, frames);
    write_visible((uint8_t *)out, clip, bone);
    web_result = (ossa_buffer){.data = bytes, .size = size, .capacity = size + 1};
    return true;
}
