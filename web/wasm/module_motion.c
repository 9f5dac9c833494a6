/* SPDX-License-Identifier: MIT
 *
 * The keys of a clip as the scene holds them, for programs that sample for themselves, and where
 * the figure stands in each of its frames. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

static void write_tracks(struct web_json *json, const char *key, uint32_t count,
                         const uint32_t *targets, const void *keys)
{
    web_json_key(json, key);
    web_json_open(json, '{');
    web_member_number(json, "count", count);
    web_member_address(json, "of", targets);
    web_member_address(json, "keys", keys);
    web_json_close(json, '}');
}

/* The result: counts and addresses of arrays of the scene. */
WEB_EXPORT(scene_motion) bool web_scene_motion(const ossa_scene *scene, uint32_t index);
bool web_scene_motion(const ossa_scene *scene, uint32_t index)
{
    web_begin();
    if (index >= scene->clip_count) {
        return web_fail_with(OSSA_CODE_BAD_ARGUMENT, "there is no such clip");
    }
    const ossa_clip *clip = &scene->clips[index];
    struct web_json json = web_start_result();
    web_json_open(&json, '{');
    web_member_address(&json, "constant", clip->constant);
    web_member_address(&json, "constantVisible", clip->constant_visible);
    write_tracks(&json, "rotations", clip->rotations.count, clip->rotations.bones,
                 clip->rotations.keys);
    write_tracks(&json, "translations", clip->translations.count, clip->translations.bones,
                 clip->translations.keys);
    write_tracks(&json, "scales", clip->scales.count, clip->scales.bones, clip->scales.keys);
    write_tracks(&json, "visibilities", clip->visibilities.count, clip->visibilities.bones,
                 clip->visibilities.keys);
    write_tracks(&json, "morphs", clip->morphs.count, clip->morphs.meshes, clip->morphs.keys);
    web_json_close(&json, '}');
    return web_finish_result(&json);
}

/* ---- the ground ---------------------------------------------------------------------------- */

/* The first bone has the first track, if it has one. */
static bool has_root_track(const ossa_tracks *tracks)
{
    return tracks->count > 0 && tracks->bones[0] == 0;
}

static void take_root_key(const ossa_tracks *tracks, size_t width, size_t frame, float *value)
{
    if (!has_root_track(tracks)) return;
    memcpy(value, tracks->keys + frame * tracks->count * width, width * sizeof *value);
}

enum { GROUND_WIDTH = 4 };

static void write_ground(float out[GROUND_WIDTH], const ossa_transform *ground)
{
    out[0] = ground->translation[0];
    out[1] = ground->translation[2];
    out[2] = ground->rotation[1];
    out[3] = ground->rotation[3];
}

static void write_grounds(float (*out)[GROUND_WIDTH], const ossa_scene *scene,
                          const ossa_clip *clip, size_t frames)
{
    for (size_t frame = 0; frame < frames; frame++) {
        ossa_transform root = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
        if (scene->bone_count > 0) root = clip->constant[0];
        take_root_key(&clip->rotations, 4, frame, root.rotation);
        take_root_key(&clip->translations, 3, frame, root.translation);
        ossa_transform ground;
        ossa_ground(scene, &root, &ground);
        write_ground(out[frame], &ground);
    }
}

/* The result: x, z and the y and w of the rotation by which the figure moves in one repetition of
 * the clip; then the same of where it stands in each frame, or once if that never changes. */
WEB_EXPORT(scene_ground) bool web_scene_ground(const ossa_scene *scene, uint32_t index);
bool web_scene_ground(const ossa_scene *scene, uint32_t index)
{
    web_begin();
    if (index >= scene->clip_count) {
        return web_fail_with(OSSA_CODE_BAD_ARGUMENT, "there is no such clip");
    }
    const ossa_clip *clip = &scene->clips[index];
    bool moves = has_root_track(&clip->rotations) || has_root_track(&clip->translations);
    size_t frames = moves || clip->frame_count == 0 ? clip->frame_count : 1;
    float(*out)[GROUND_WIDTH] = calloc(frames + 1, sizeof *out);
    if (out == NULL) return web_fail_memory();
    size_t size = (frames + 1) * sizeof *out;
    web_result = (ossa_buffer){.data = (void *)out, .size = size, .capacity = size};
    ossa_transform cycle;
    ossa_root_motion(scene, clip, 0.0, clip->frame_count / clip->fps, OSSA_WRAP_LOOP, &cycle);
    write_ground(out[0], &cycle);
    write_grounds(out + 1, scene, clip, frames);
    return true;
}
