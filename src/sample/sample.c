/* SPDX-License-Identifier: MIT
 *
 * A pose is the clip's constants with the changing tracks written over them. Keys lie frame after
 * frame, so that a sample reads two short runs of memory, whatever the clip's length. */
#include "ossa/sample.h"

#include "sample/moment.h"
#include "lanes/kernels.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Times come from frames divided by the rate: what is a rounding error away from a frame is that
 * frame. */
static const double close_to_frame = 1e-6;

/* From the first frame to the last and back again, as a place between the two. There and back are
 * the same poses, so that times before 0 are those after it. */
static double fold(double frame, double last)
{
    frame = fmod(fabs(frame), 2.0 * last); /* exact, however far */
    return frame > last ? 2.0 * last - frame : frame;
}

struct ossa__moment ossa__find_moment(uint32_t frame_count, double fps, double seconds,
                                      ossa_wrap wrap)
{
    uint32_t last = frame_count - 1;
    double frame = seconds * fps;
    double length = (double)frame_count;
    if (last == 0) return (struct ossa__moment){0, 0, 0.0};
    if (wrap != OSSA_WRAP_CLAMP && !isfinite(frame)) frame = 0.0;
    if (wrap == OSSA_WRAP_LOOP) {
        if (frame < 0.0 || frame >= length) frame = fmod(frame, length); /* exact, too */
        if (frame < 0.0) frame += length;
    } else if (wrap == OSSA_WRAP_PING_PONG) {
        frame = fold(frame, (double)last);
    } else if (frame >= (double)last) {
        return (struct ossa__moment){last, last, 0.0};
    } else if (!(frame > 0.0)) {
        frame = 0.0; /* not a number, too */
    }
    double whole = floor(frame + close_to_frame);
    double part = frame - whole;
    if (part < close_to_frame) part = 0.0;
    uint32_t from = (uint32_t)whole;
    if (from > last) from = wrap == OSSA_WRAP_LOOP ? 0 : last;
    return (struct ossa__moment){from, from == last ? 0 : from + 1, part};
}

/* The keys of some tracks at two frames. */
static struct ossa__between find_keys(const ossa_tracks *tracks, unsigned width,
                                      struct ossa__moment at)
{
    size_t stride = (size_t)tracks->count * width;
    return (struct ossa__between){tracks->keys + at.from * stride, tracks->keys + at.to * stride,
                                  (float)at.part};
}

/* As the kernels do it, bit for bit. */
static void mix_vector(struct ossa__between keys, float out[3])
{
    for (unsigned k = 0; k < 3; k++) {
        float a = keys.from[k];
        float x = a + (keys.to[k] - a) * keys.part;
        x = x < FLT_MAX ? x : FLT_MAX;
        x = -FLT_MAX < x ? x : -FLT_MAX;
        out[k] = keys.part == 0.0F ? a : x;
    }
}

static void write_vectors(const ossa_tracks *tracks, struct ossa__moment at, size_t member,
                          ossa_transform *locals)
{
    if (tracks->count == 0) return; /* then there may be no keys */
    struct ossa__between keys = find_keys(tracks, 3, at);
    for (uint32_t i = 0; i < tracks->count; i++, keys.from += 3, keys.to += 3) {
        float *out = (float *)(void *)((uint8_t *)&locals[tracks->bones[i]] + member);
        mix_vector(keys, out);
    }
}

/* Does bone 0 have such a track? The lists of bones rise, so that it would be the first. */
static bool has_root(const ossa_tracks *tracks)
{
    return tracks->count > 0 && tracks->bones[0] == 0;
}

void ossa__sample_root(const ossa_clip *clip, struct ossa__moment at, ossa_transform *local)
{
    *local = clip->constant[0];
    if (has_root(&clip->rotations)) {
        struct ossa__between keys = find_keys(&clip->rotations, 4, at);
        ossa__kernels()->mix_rotations(keys, clip->rotations.bones, 1, local);
    }
    if (has_root(&clip->translations)) {
        mix_vector(find_keys(&clip->translations, 3, at), local->translation);
    }
}

static void sample_moment(const ossa_scene *scene, const ossa_clip *clip, struct ossa__moment at,
                          ossa_transform *locals, uint8_t *visible)
{
    if (scene->bone_count == 0) return; /* pointers may be NULL, which memcpy must not get */
    memcpy(locals, clip->constant, scene->bone_count * sizeof *locals);
    const ossa_tracks *rotations = &clip->rotations;
    if (rotations->count > 0) {
        ossa__kernels()->mix_rotations(find_keys(rotations, 4, at), rotations->bones,
                                       rotations->count, locals);
    }
    write_vectors(&clip->translations, at, offsetof(ossa_transform, translation), locals);
    write_vectors(&clip->scales, at, offsetof(ossa_transform, scale), locals);
    if (visible == NULL) return;
    memcpy(visible, clip->constant_visible, scene->bone_count);
    const ossa_flag_tracks *flags = &clip->visibilities;
    if (flags->count == 0) return;
    const uint8_t *keys = flags->keys + (size_t)at.from * flags->count;
    for (uint32_t i = 0; i < flags->count; i++) visible[flags->bones[i]] = keys[i];
}

void ossa_sample(const ossa_scene *scene, const ossa_clip *clip, double seconds, ossa_wrap wrap,
                 ossa_transform *locals, uint8_t *visible)
{
    if (scene->bone_count == 0) return; /* likewise */
    if (clip->frame_count == 0) {
        memcpy(locals, clip->constant, scene->bone_count * sizeof *locals);
        if (visible != NULL) memcpy(visible, clip->constant_visible, scene->bone_count);
        return;
    }
    sample_moment(scene, clip, ossa__find_moment(clip->frame_count, clip->fps, seconds, wrap),
                  locals, visible);
}

void ossa_sample_frame(const ossa_scene *scene, const ossa_clip *clip, uint32_t frame,
                       ossa_transform *locals, uint8_t *visible)
{
    if (clip->frame_count == 0) {
        ossa_sample(scene, clip, 0.0, OSSA_WRAP_CLAMP, locals, visible);
        return;
    }
    uint32_t last = clip->frame_count - 1;
    if (frame > last) frame = last;
    sample_moment(scene, clip, (struct ossa__moment){frame, frame, 0.0}, locals, visible);
}

void ossa_rest_pose(const ossa_scene *scene, ossa_transform *locals)
{
    for (uint32_t i = 0; i < scene->bone_count; i++) locals[i] = scene->bones[i].rest;
}
