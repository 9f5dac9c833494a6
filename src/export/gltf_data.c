/* SPDX-License-Identifier: MIT
 *
 * The numbers of a glTF: bind matrices and the curves of the clips. */
#include "export/gltf_parts.h"

#include "base/matrix.h"
#include "ossa/sample.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* ---- the buffer ---------------------------------------------------------------------------- */

static void put_inverse_binds(struct ossa__gltf *x)
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    uint32_t count = x->scene->bone_count;
    float(*matrices)[16] = ossa__take(&x->context, count, sizeof *matrices);
    if (matrices == NULL || count == 0) return;
    ossa__rest_matrices(x->scene, matrices);
    x->inverse_binds = ossa__gltf_begin(&x->buffer, OSSA__GLTF_F32, 16, false);
    for (uint32_t b = 0; b < count; b++) {
        float inverse[16];
        bool flat = !ossa__matrix_invert(matrices[b], inverse); /* scaled to nothing at rest */
        for (unsigned k = 0; k < 16; k++) {
            if (isfinite(matrices[b][k]) && (flat || isfinite(inverse[k]))) continue;
            ossa__fail_nowhere(&x->context, OSSA_CODE_BAD_SCENE, "",
                               "'%s' is too far away at rest for a 32-bit float",
                               x->scene->bones[b].name);
            return;
        }
        if (flat) memcpy(matrices[b], identity, sizeof identity);
        ossa__gltf_put(&x->buffer, flat ? identity : inverse);
    }
    ossa__gltf_end(&x->buffer);
    x->bind_places = matrices;
}

/* ---- curves -------------------------------------------------------------------------------- */

static bool put_times(struct ossa__gltf *x, const ossa_clip *clip, struct ossa__gltf_times *times)
{
    times->count = clip->frame_count < 2 ? 2 : clip->frame_count;
    /* Where nothing changes, nobody asks for the times between the ends. */
    bool changes = clip->rotations.count > 0 || clip->translations.count > 0 ||
                   clip->scales.count > 0 || clip->visibilities.count > 0 ||
                   ossa__gltf_morphs_change(clip);
    times->frames = ossa__gltf_begin(&x->buffer, OSSA__GLTF_F32, 1, true);
    float before = -1.0F;
    for (uint32_t f = 0; f < times->count && !x->context.failed; f++) {
        float seconds = (float)(f / clip->fps);
        if (!(seconds > before) || !isfinite(seconds)) {
            ossa__fail_nowhere(&x->context, OSSA_CODE_BAD_SCENE, "",
                               "the clip '%s' is too long or too fast: frames %" PRIu32
                               " and %" PRIu32 " get the same time in a 32-bit float",
                               clip->name, f - 1, f);
            return false;
        }
        bool is_end = f == 0 || f + 1 == times->count;
        if (changes || is_end) ossa__gltf_put(&x->buffer, &seconds);
        before = seconds;
    }
    ossa__gltf_end(&x->buffer);
    times->ends = times->count == 2 || !changes ? times->frames : 0;
    times->last = before;
    return !x->context.failed;
}

size_t ossa__gltf_ends_of(struct ossa__gltf *x, struct ossa__gltf_times *times)
{
    float first = 0.0F;
    if (times->ends != 0) return times->ends;
    times->ends = ossa__gltf_begin(&x->buffer, OSSA__GLTF_F32, 1, true);
    ossa__gltf_put(&x->buffer, &first);
    ossa__gltf_put(&x->buffer, &times->last);
    ossa__gltf_end(&x->buffer);
    return times->ends;
}

void ossa__gltf_note_channel(struct ossa__gltf *x, size_t times, size_t values)
{
    if (x->context.failed) return;
    x->clip_accessors[x->clip_accessor_count++] = times;
    x->clip_accessors[x->clip_accessor_count++] = values;
}

int64_t ossa__gltf_find_track(uint32_t count, const uint32_t *items, uint32_t item)
{
    uint32_t low = 0;
    uint32_t high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (items[middle] < item) low = middle + 1;
        else high = middle;
    }
    return low < count && items[low] == item ? (int64_t)low : -1;
}

void ossa__gltf_put_rotation(struct ossa__gltf *x, const float *key, float before[4])
{
    float q[4];
    double dot = 0.0;
    for (unsigned k = 0; k < 4; k++) dot += (double)key[k] * (double)before[k];
    for (unsigned k = 0; k < 4; k++) q[k] = dot < 0.0 ? -key[k] : key[k];
    memcpy(before, q, sizeof q);
    ossa__gltf_put(&x->buffer, q);
}

static void put_curve(struct ossa__gltf *x, const ossa_clip *clip, struct ossa__gltf_times *times,
                      const ossa_tracks *tracks, const float *constant, unsigned width,
                      uint32_t bone)
{
    int64_t track = ossa__gltf_find_track(tracks->count, tracks->bones, bone);
    uint32_t keys = track < 0 ? 2 : times->count;
    size_t input = track < 0 ? ossa__gltf_ends_of(x, times) : times->frames;
    size_t values = ossa__gltf_begin(&x->buffer, OSSA__GLTF_F32, width, false);
    float before[4] = {0.0F, 0.0F, 0.0F, 0.0F};
    for (uint32_t f = 0; f < keys && !x->context.failed; f++) {
        uint32_t frame = f < clip->frame_count ? f : clip->frame_count - 1;
        const float *key =
            track < 0 ? constant
                      : tracks->keys + ((size_t)frame * tracks->count + (size_t)track) * width;
        if (width == 4) ossa__gltf_put_rotation(x, key, before);
        else ossa__gltf_put(&x->buffer, key);
    }
    ossa__gltf_end(&x->buffer);
    ossa__gltf_note_channel(x, input, values);
}

static void put_visibility(struct ossa__gltf *x, const ossa_clip *clip,
                           struct ossa__gltf_times *times, uint32_t bone)
{
    const ossa_flag_tracks *tracks = &clip->visibilities;
    int64_t track = ossa__gltf_find_track(tracks->count, tracks->bones, bone);
    uint32_t keys = track < 0 ? 2 : times->count;
    size_t input = track < 0 ? ossa__gltf_ends_of(x, times) : times->frames;
    size_t values = ossa__gltf_begin(&x->buffer, OSSA__GLTF_F32, 3, false);
    for (uint32_t f = 0; f < keys && !x->context.failed; f++) {
        uint32_t frame = f < clip->frame_count ? f : clip->frame_count - 1;
        uint8_t shown = track < 0 ? clip->constant_visible[bone]
                                  : tracks->keys[(size_t)frame * tracks->count + (size_t)track];
        float scale[3] = {shown, shown, shown};
        ossa__gltf_put(&x->buffer, scale);
    }
    ossa__gltf_end(&x->buffer);
    ossa__gltf_note_channel(x, input, values);
}

static void put_clip(struct ossa__gltf *x, const ossa_clip *clip)
{
    struct ossa__gltf_times times;
    if (!put_times(x, clip, &times)) return;
    for (uint32_t b = 0; b < x->scene->bone_count && !x->context.failed; b++) {
        const ossa_transform *constant = &clip->constant[b];
        if (x->curves[b] & HAS_ROTATION) {
            put_curve(x, clip, &times, &clip->rotations, constant->rotation, 4, b);
        }
        if (x->curves[b] & HAS_TRANSLATION) {
            put_curve(x, clip, &times, &clip->translations, constant->translation, 3, b);
        }
        if (x->curves[b] & HAS_SCALE) {
            put_curve(x, clip, &times, &clip->scales, constant->scale, 3, b);
        }
        if (x->curves[b] & HAS_VISIBILITY) put_visibility(x, clip, &times, b);
        if (x->curves[b] & HAS_WEIGHTS) {
            uint32_t mesh = x->morph_mesh[b];
            uint32_t targets = x->scene->meshes[mesh].target_count;
            ossa__gltf_put_weights(x, clip, &times, &mesh, 1, targets);
        }
    }
    if (x->has_skin_weights) {
        ossa__gltf_put_weights(x, clip, &times, x->skin_morphs, x->skin_morph_count,
                               x->skin_target_count);
    }
}

void ossa__gltf_put_all(struct ossa__gltf *x)
{
    const ossa_scene *scene = x->scene;
    put_inverse_binds(x);
    ossa__gltf_put_meshes(x);
    for (uint32_t i = 0; i < scene->clip_count && !x->context.failed; i++) {
        if (ossa__gltf_is_written(x, i)) put_clip(x, &scene->clips[i]);
        else if (ossa__gltf_is_wanted(x, i))
            ossa__gltf_warn(x, OSSA_CODE_LOST, "the clip '%s' has nothing to show and is left out",
                            scene->clips[i].name);
    }
    ossa__gltf_put_cameras(x);
    ossa__gltf_put_images(x); /* last: they are no accessors */
}
