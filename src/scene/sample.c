/* SPDX-License-Identifier: MIT
 *
 * A pose is the clip's constants with the changing tracks written over them. Keys lie frame after
 * frame, so that a sample reads two short runs of memory, whatever the clip's length. */
#include "ossa/sample.h"

#include "scene/quaternion.h"

#include <math.h>
#include <string.h>

/* Two frames and how far it is from one to the other. */
struct moment {
    uint32_t from;
    uint32_t to;
    double part; /* 0: just `from` */
};

static struct moment find_moment(const ossa_clip *clip, double seconds, ossa_wrap wrap)
{
    uint32_t last = clip->frame_count - 1;
    double frame = seconds * clip->fps;
    double length = (double)clip->frame_count;
    if (wrap == OSSA_LOOP) {
        if (!isfinite(frame)) frame = 0.0;
        if (frame < 0.0 || frame >= length) frame = fmod(frame, length); /* exact, however far */
        if (frame < 0.0) frame += length;
    } else if (frame >= (double)last) {
        return (struct moment){last, last, 0.0};
    } else if (!(frame > 0.0)) {
        frame = 0.0; /* not a number, too */
    }
    /* Times come from frames divided by the rate: what is a rounding error away from a frame is
     * that frame. */
    double whole = floor(frame + 1e-6);
    double part = frame - whole;
    if (part < 1e-6) part = 0.0;
    uint32_t from = (uint32_t)whole;
    if (from > last) from = wrap == OSSA_LOOP ? 0 : last;
    return (struct moment){from, from == last ? 0 : from + 1, part};
}

static void write_vectors(const ossa_tracks *tracks, struct moment at, size_t member,
                          ossa_transform *locals)
{
    const float *a = tracks->keys + (size_t)at.from * tracks->count * 3;
    const float *b = tracks->keys + (size_t)at.to * tracks->count * 3;
    for (uint32_t i = 0; i < tracks->count; i++, a += 3, b += 3) {
        float *out = (float *)(void *)((uint8_t *)&locals[tracks->bones[i]] + member);
        for (unsigned k = 0; k < 3; k++) {
            double from = (double)a[k];
            double to = (double)b[k];
            out[k] = at.part == 0.0 ? a[k] : (float)(from + (to - from) * at.part);
        }
    }
}

static void write_rotations(const ossa_tracks *tracks, struct moment at, ossa_transform *locals)
{
    const float *a = tracks->keys + (size_t)at.from * tracks->count * 4;
    const float *b = tracks->keys + (size_t)at.to * tracks->count * 4;
    for (uint32_t i = 0; i < tracks->count; i++, a += 4, b += 4) {
        float *out = locals[tracks->bones[i]].rotation;
        if (at.part == 0.0) {
            memcpy(out, a, 4 * sizeof *out);
        } else {
            struct ossa__quat q = ossa__quat_slerp(ossa__quat_load(a), ossa__quat_load(b), at.part);
            ossa__quat_store(q, out);
        }
    }
}

static void sample_moment(const ossa_scene *scene, const ossa_clip *clip, struct moment at,
                          ossa_transform *locals, uint8_t *visible)
{
    memcpy(locals, clip->constant, scene->bone_count * sizeof *locals);
    write_rotations(&clip->rotations, at, locals);
    write_vectors(&clip->translations, at, offsetof(ossa_transform, translation), locals);
    write_vectors(&clip->scales, at, offsetof(ossa_transform, scale), locals);
    if (visible == NULL) return;
    memcpy(visible, clip->constant_visible, scene->bone_count);
    const ossa_flag_tracks *flags = &clip->visibilities;
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
    sample_moment(scene, clip, find_moment(clip, seconds, wrap), locals, visible);
}

void ossa_sample_frame(const ossa_scene *scene, const ossa_clip *clip, uint32_t frame,
                       ossa_transform *locals, uint8_t *visible)
{
    if (clip->frame_count == 0) {
        ossa_sample(scene, clip, 0.0, OSSA_CLAMP, locals, visible);
        return;
    }
    uint32_t last = clip->frame_count - 1;
    if (frame > last) frame = last;
    sample_moment(scene, clip, (struct moment){frame, frame, 0.0}, locals, visible);
}

void ossa_rest_pose(const ossa_scene *scene, ossa_transform *locals)
{
    for (uint32_t i = 0; i < scene->bone_count; i++) locals[i] = scene->bones[i].rest;
}

void ossa_model_pose(const ossa_scene *scene, const ossa_transform *locals, ossa_transform *models)
{
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        int32_t p = scene->bones[i].parent;
        if (p < 0) {
            models[i] = locals[i];
            continue;
        }
        const ossa_transform *parent = &models[p]; /* made before: parents come first */
        const ossa_transform *local = &locals[i];
        struct ossa__quat turn = ossa__quat_load(parent->rotation);
        struct ossa__quat own = ossa__quat_multiply(turn, ossa__quat_load(local->rotation));
        double place[3];
        for (unsigned k = 0; k < 3; k++) {
            place[k] = (double)local->translation[k] * (double)parent->scale[k];
        }
        ossa__quat_rotate(turn, place, place);
        (void)ossa__quat_normalise(&own); /* a long chain must not drift */
        ossa_transform model;
        ossa__quat_store(own, model.rotation);
        for (unsigned k = 0; k < 3; k++) {
            model.translation[k] = (float)((double)parent->translation[k] + place[k]);
            model.scale[k] = (float)((double)parent->scale[k] * (double)local->scale[k]);
        }
        models[i] = model;
    }
}

void ossa_transform_matrix(const ossa_transform *t, float m[16])
{
    struct ossa__quat q = ossa__quat_load(t->rotation);
    double sx = (double)t->scale[0];
    double sy = (double)t->scale[1];
    double sz = (double)t->scale[2];
    m[0] = (float)((1.0 - 2.0 * (q.y * q.y + q.z * q.z)) * sx);
    m[1] = (float)(2.0 * (q.x * q.y + q.w * q.z) * sx);
    m[2] = (float)(2.0 * (q.x * q.z - q.w * q.y) * sx);
    m[3] = 0.0F;
    m[4] = (float)(2.0 * (q.x * q.y - q.w * q.z) * sy);
    m[5] = (float)((1.0 - 2.0 * (q.x * q.x + q.z * q.z)) * sy);
    m[6] = (float)(2.0 * (q.y * q.z + q.w * q.x) * sy);
    m[7] = 0.0F;
    m[8] = (float)(2.0 * (q.x * q.z + q.w * q.y) * sz);
    m[9] = (float)(2.0 * (q.y * q.z - q.w * q.x) * sz);
    m[10] = (float)((1.0 - 2.0 * (q.x * q.x + q.y * q.y)) * sz);
    m[11] = 0.0F;
    m[12] = t->translation[0];
    m[13] = t->translation[1];
    m[14] = t->translation[2];
    m[15] = 1.0F;
}

/* out = a * b, both without perspective; `out` is neither of them. */
static void multiply(const float a[16], const float b[16], float out[16])
{
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned r = 0; r < 3; r++) {
            double sum = c == 3 ? (double)a[12 + r] : 0.0;
            for (unsigned k = 0; k < 3; k++) {
                sum += (double)a[4 * k + r] * (double)b[4 * c + k];
            }
            out[4 * c + r] = (float)sum;
        }
        out[4 * c + 3] = c == 3 ? 1.0F : 0.0F;
    }
}

void ossa_model_matrices(const ossa_scene *scene, const ossa_transform *locals,
                         float (*matrices)[16])
{
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        int32_t p = scene->bones[i].parent;
        float local[16];
        ossa_transform_matrix(&locals[i], local);
        if (p < 0) memcpy(matrices[i], local, sizeof local);
        else multiply(matrices[p], local, matrices[i]);
    }
}
