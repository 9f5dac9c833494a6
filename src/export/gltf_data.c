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

/* The rest pose of every bone in the model's space, and what takes it back. */
static void find_binds(struct ossa__gltf *x)
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    uint32_t count = x->scene->bone_count;
    x->bind_places = ossa__take(&x->context, count, sizeof *x->bind_places);
    x->inverse_bind_matrices = ossa__take(&x->context, count, sizeof *x->inverse_bind_matrices);
    if (x->context.failed) return;
    ossa__rest_matrices(x->scene, x->bind_places);
    for (uint32_t b = 0; b < count; b++) {
        float *matrix = x->bind_places[b];
        float *inverse = x->inverse_bind_matrices[b];
        bool flat = !ossa__matrix_invert(matrix, inverse); /* scaled to nothing at rest */
        for (unsigned k = 0; k < 16; k++) {
            if (isfinite(matrix[k]) && (flat || isfinite(inverse[k]))) continue;
            ossa__fail_nowhere(&x->context, OSSA_CODE_BAD_SCENE, "",
                               "'%s' is too far away at rest for a 32-bit float",
                               x->scene->bones[b].name);
            return;
        }
        if (!flat) continue;
        memcpy(matrix, identity, sizeof identity);
        memcpy(inverse, identity, sizeof identity);
    }
}

static void put_inverse_binds(struct ossa__gltf *x)
{
    uint32_t count = x->scene->bone_count;
    if (count == 0) return;
    if (!x->buffer.writes) find_binds(x);
    if (x->context.failed) return;
    x->inverse_binds = ossa__gltf_begin(&x->buffer, OSSA__GLTF_F32, 16, count, false);
    ossa__gltf_put(&x->buffer, x->inverse_bind_matrices[0], count);
    ossa__gltf_end(&x->buffer);
}

/* ---- curves -------------------------------------------------------------------------------- */

static bool clip_changes(const ossa_clip *clip)
{
    return clip->rotations.count > 0 || clip->translations.count > 0 || clip->scales.count > 0 ||
           clip->visibilities.count > 0 || ossa__gltf_morphs_change(clip);
}

static bool put_times(struct ossa__gltf *x, const ossa_clip *clip, struct ossa__gltf_times *times)
{
    times->count = clip->frame_count < 2 ? 2 : clip->frame_count;
    /* Where nothing changes, nobody asks for the times between the ends. */
    bool changes = clip_changes(clip);
    uint32_t count = changes ? times->count : 2;
    times->frames = ossa__gltf_begin(&x->buffer, OSSA__GLTF_F32, 1, count, true);
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
        if (changes || is_end) ossa__gltf_put(&x->buffer, &seconds, 1);
        before = seconds;
    }
    ossa__gltf_end(&x->buffer);
    times->ends = times->count == 2 || !changes ? times->frames : 0;
    times->last = before;
    return !x->context.failed;
}

size_t ossa__gltf_ends_of(struct ossa__gltf *x, struct ossa__gltf_times *times)
{
    const float ends[2] = {0.0F, times->last};
    if (times->ends != 0) return times->ends;
    times->ends = ossa__gltf_begin(&x->buffer, OSSA__GLTF_F32, 1, 2, true);
    ossa__gltf_put(&x->buffer, ends, 2);
    ossa__gltf_end(&x->buffer);
    return times->ends;
}

void ossa__gltf_note_channel(struct ossa__gltf *x, size_t times, size_t values)
{
    if (x->context.failed || x->buffer.writes) return;
    x->clip_accessors[x->clip_accessor_count++] = (uint32_t)times;
    x->clip_accessors[x->clip_accessor_count++] = (uint32_t)values;
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

/* The same for bones in ascending order: `next` is the track after those of the bones before. */
static bool has_track(uint32_t count, const uint32_t *bones, uint32_t bone, uint32_t *next)
{
    if (*next == count || bones[*next] != bone) return false;
    ++*next;
    return true;
}

/* Two keys of what does not change, and of a single frame. */
static void put_curve(struct ossa__gltf *x, const ossa_clip *clip, struct ossa__gltf_times *times,
                      const ossa_tracks *tracks, const float *constant, unsigned width,
                      uint32_t bone, uint32_t *next)
{
    bool moves = has_track(tracks->count, tracks->bones, bone, next);
    uint32_t keys = moves ? times->count : 2;
    size_t input = moves ? times->frames : ossa__gltf_ends_of(x, times);
    size_t values = ossa__gltf_begin(&x->buffer, OSSA__GLTF_F32, width, keys, false);
    size_t stride = moves && clip->frame_count > 1 ? (size_t)tracks->count * width : 0;
    const float *first = moves ? tracks->keys + (size_t)(*next - 1) * width : constant;
    ossa__gltf_put_column(&x->buffer, first, stride, keys);
    ossa__gltf_end(&x->buffer);
    ossa__gltf_note_channel(x, input, values);
}

static void put_visibility(struct ossa__gltf *x, const ossa_clip *clip,
                           struct ossa__gltf_times *times, uint32_t bone, uint32_t *next)
{
    const ossa_flag_tracks *tracks = &clip->visibilities;
    bool changes = has_track(tracks->count, tracks->bones, bone, next);
    uint32_t keys = changes ? times->count : 2;
    size_t input = changes ? times->frames : ossa__gltf_ends_of(x, times);
    size_t values = ossa__gltf_begin(&x->buffer, OSSA__GLTF_F32, 3, keys, false);
    size_t stride = changes && clip->frame_count > 1 ? tracks->count : 0;
    const uint8_t *first = changes ? tracks->keys + (*next - 1) : clip->constant_visible + bone;
    for (uint32_t f = 0; f < keys && ossa__gltf_wants_numbers(&x->buffer); f++) {
        uint8_t shown = first[f * stride];
        const float scale[3] = {shown, shown, shown};
        ossa__gltf_put(&x->buffer, scale, 1);
    }
    ossa__gltf_end(&x->buffer);
    ossa__gltf_note_channel(x, input, values);
}

static void put_clip(struct ossa__gltf *x, const ossa_clip *clip)
{
    struct ossa__gltf_times times;
    uint32_t next[4] = {0}; /* tracks of rotations, translations, scales, visibility */
    if (!put_times(x, clip, &times)) return;
    for (uint32_t b = 0; b < x->scene->bone_count && !x->context.failed; b++) {
        const ossa_transform *constant = &clip->constant[b];
        if (x->curves[b] & OSSA__HAS_ROTATION) {
            put_curve(x, clip, &times, &clip->rotations, constant->rotation, 4, b, &next[0]);
        }
        if (x->curves[b] & OSSA__HAS_TRANSLATION) {
            put_curve(x, clip, &times, &clip->translations, constant->translation, 3, b, &next[1]);
        }
        if (x->curves[b] & OSSA__HAS_SCALE) {
            put_curve(x, clip, &times, &clip->scales, constant->scale, 3, b, &next[2]);
        }
        if (x->curves[b] & OSSA__HAS_VISIBILITY) put_visibility(x, clip, &times, b, &next[3]);
        if (x->curves[b] & OSSA__HAS_WEIGHTS) {
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
        else if (ossa__gltf_is_wanted(x, i) && !x->buffer.writes)
            ossa__gltf_warn(x, OSSA_CODE_LOST, "the clip '%s' has nothing to show and is left out",
                            scene->clips[i].name);
    }
    ossa__gltf_put_cameras(x);
    ossa__gltf_put_images(x); /* last: they are no accessors */
}
