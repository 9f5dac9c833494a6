/* SPDX-License-Identifier: MIT
 *
 * The shape of a mesh at a time: how much each of its targets counts, and the vertices so moved. */
#include "ossa/sample.h"

#include "sample/moment.h"
#include "base/narrow.h"

#include <math.h>

/* The track of a mesh in a clip, whose list of meshes rises; `count` where it has none. */
static uint32_t find_track(const ossa_morph_tracks *tracks, uint32_t mesh)
{
    uint32_t low = 0;
    uint32_t high = tracks->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (tracks->meshes[middle] < mesh) low = middle + 1;
        else high = middle;
    }
    return low < tracks->count && tracks->meshes[low] == mesh ? low : tracks->count;
}

void ossa_sample_morphs(const ossa_scene *scene, const ossa_clip *clip, double seconds,
                        ossa_wrap wrap, uint32_t mesh, float *weights)
{
    const ossa_morph_tracks *tracks = &clip->morphs;
    uint32_t track = find_track(tracks, mesh);
    for (uint32_t t = 0; t < scene->meshes[mesh].target_count; t++) weights[t] = 0.0F;
    if (track == tracks->count || clip->frame_count == 0) return;
    struct ossa__moment at = ossa__find_moment(clip->frame_count, clip->fps, seconds, wrap);
    int32_t from = tracks->keys[(size_t)at.from * tracks->count + track];
    int32_t to = tracks->keys[(size_t)at.to * tracks->count + track];
    if (from == to) {
        if (from >= 0) weights[from] = 1.0F;
        return;
    }
    if (from >= 0) weights[from] = (float)(1.0 - at.part);
    if (to >= 0) weights[to] = (float)at.part;
}

static double usable(float weight)
{
    return isfinite(weight) ? (double)weight : 0.0;
}

void ossa_morph_mesh(const ossa_mesh *mesh, const float *weights, float (*positions)[3])
{
    /* Of many targets a few count, and those stand close together. */
    uint32_t first = 0;
    uint32_t end = mesh->target_count;
    while (first < end && usable(weights[first]) == 0.0) first++;
    while (end > first && usable(weights[end - 1]) == 0.0) end--;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        double sum[3];
        for (unsigned k = 0; k < 3; k++) sum[k] = (double)mesh->positions[v][k];
        for (uint32_t t = first; t < end; t++) {
            double weight = usable(weights[t]);
            if (weight == 0.0) continue;
            const float *offset = mesh->targets[(size_t)t * mesh->vertex_count + v];
            for (unsigned k = 0; k < 3; k++) sum[k] += weight * (double)offset[k];
        }
        for (unsigned k = 0; k < 3; k++) positions[v][k] = ossa__narrow(sum[k]);
    }
}
