/* SPDX-License-Identifier: MIT
 *
 * A pose is the clip's constants with the changing tracks written over them. Keys lie frame after
 * frame, so that a sample reads two short runs of memory, whatever the clip's length. */
#include "ossa/sample.h"

#include "sample/moment.h"
#include "base/quaternion.h"

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

struct ossa__moment ossa__find_moment(const ossa_clip *clip, double seconds, ossa_wrap wrap)
{
    uint32_t last = clip->frame_count - 1;
    double frame = seconds * clip->fps;
    double length = (double)clip->frame_count;
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

/* The keys of a track at two frames, and between them. */
static void mix_vectors(const float *a, const float *b, double part, float *out)
{
    for (unsigned k = 0; k < 3; k++) {
        double from = (double)a[k];
        double to = (double)b[k];
        out[k] = part == 0.0 ? a[k] : (float)(from + (to - from) * part);
    }
}

static void mix_rotations(const float *a, const float *b, double part, float *out)
{
    if (part == 0.0) {
        memcpy(out, a, 4 * sizeof *out);
        return;
    }
    struct ossa__quat q = ossa__quat_slerp(ossa__quat_load(a), ossa__quat_load(b), part);
    ossa__quat_store(q, out);
}

static void write_vectors(const ossa_tracks *tracks, struct ossa__moment at, size_t member,
                          ossa_transform *locals)
{
    if (tracks->count == 0) return; /* then there may be no keys */
    const float *a = tracks->keys + (size_t)at.from * tracks->count * 3;
    const float *b = tracks->keys + (size_t)at.to * tracks->count * 3;
    for (uint32_t i = 0; i < tracks->count; i++, a += 3, b += 3) {
        float *out = (float *)(void *)((uint8_t *)&locals[tracks->bones[i]] + member);
        mix_vectors(a, b, at.part, out);
    }
}

static void write_rotations(const ossa_tracks *tracks, struct ossa__moment at,
                            ossa_transform *locals)
{
    if (tracks->count == 0) return;
    const float *a = tracks->keys + (size_t)at.from * tracks->count * 4;
    const float *b = tracks->keys + (size_t)at.to * tracks->count * 4;
    for (uint32_t i = 0; i < tracks->count; i++, a += 4, b += 4) {
        mix_rotations(a, b, at.part, locals[tracks->bones[i]].rotation);
    }
}

/* Does bone 0 have such a track? The lists of bones rise, so that it would be the first. */
static bool has_root(const ossa_tracks *tracks)
{
    return tracks->count > 0 && tracks->bones[0] == 0;
}

void ossa__sample_root(const ossa_clip *clip, struct ossa__moment at, ossa_transform *local)
{
    const ossa_tracks *turns = &clip->rotations;
    const ossa_tracks *places = &clip->translations;
    *local = clip->constant[0];
    if (has_root(turns)) {
        size_t stride = (size_t)turns->count * 4;
        mix_rotations(turns->keys + at.from * stride, turns->keys + at.to * stride, at.part,
                      local->rotation);
    }
    if (has_root(places)) {
        size_t stride = (size_t)places->count * 3;
        mix_vectors(places->keys + at.from * stride, places->keys + at.to * stride, at.part,
                    local->translation);
    }
}

static void sample_moment(const ossa_scene *scene, const ossa_clip *clip, struct ossa__moment at,
                          ossa_transform *locals, uint8_t *visible)
{
    memcpy(locals, clip->constant, scene->bone_count * sizeof *locals);
    write_rotations(&clip->rotations, at, locals);
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
    if (clip->frame_count == 0) {
        memcpy(locals, clip->constant, scene->bone_count * sizeof *locals);
        if (visible != NULL) memcpy(visible, clip->constant_visible, scene->bone_count);
        return;
    }
    sample_moment(scene, clip, ossa__find_moment(clip, seconds, wrap), locals, visible);
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
