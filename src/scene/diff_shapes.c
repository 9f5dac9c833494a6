/* SPDX-License-Identifier: MIT
 *
 * The shapes that meshes take in two clips. Targets are numbered in both scenes in the order of the
 * clips, so their numbers say nothing: what counts are their offsets. */
#include "scene/diff.h"

#include "base/index.h"

static const char *mesh_name(const ossa_scene *scene, uint32_t index)
{
    return scene->meshes[index].name;
}

/* Number the shapes of a pair of meshes: each is the first target that is the same. */
static bool number_shapes(struct ossa__shape_pair *pair, const ossa_scene *const scenes[2],
                          struct ossa__arena *arena)
{
    const ossa_mesh *meshes[2];
    for (unsigned s = 0; s < 2; s++) meshes[s] = &scenes[s]->meshes[pair->meshes[s]];
    uint64_t count = (uint64_t)meshes[0]->target_count + meshes[1]->target_count;
    uint64_t size = ossa__index_size(count);
    uint32_t *numbers = ossa__arena_take(arena, count * sizeof *numbers);
    struct ossa__mark mark = ossa__arena_mark(arena);
    void *memory = size == 0 ? NULL : ossa__arena_take(arena, size);
    if (numbers == NULL || memory == NULL) return false;
    struct ossa__index index;
    uint32_t next = 0;
    ossa__index_start(&index, memory, count, NULL);
    for (unsigned s = 0; s < 2; s++) {
        const ossa_mesh *mesh = meshes[s];
        pair->shapes[s] = numbers + next;
        for (uint32_t t = 0; t < mesh->target_count; t++, next++) {
            const void *offsets = mesh->targets[(size_t)t * mesh->vertex_count];
            numbers[next] = ossa__index_add(
                &index, offsets, mesh->vertex_count * (uint32_t)sizeof *mesh->targets, next);
        }
    }
    ossa__arena_release(arena, mark);
    return true;
}

bool ossa__shapes_find(struct ossa__shape_pairs *shapes, const ossa_scene *const scenes[2],
                       struct ossa__arena *arena)
{
    uint32_t counts[2] = {scenes[0]->mesh_count, scenes[1]->mesh_count};
    bool *is_taken;
    const int64_t *match = ossa__match_names(arena, counts, mesh_name, scenes, &is_taken);
    *shapes = (struct ossa__shape_pairs){
        .pairs = ossa__arena_take(arena, ((uint64_t)counts[0] + 1) * sizeof *shapes->pairs)};
    if (match == NULL || shapes->pairs == NULL) return false;
    for (uint32_t m = 0; m < counts[0]; m++) {
        if (match[m] < 0) continue;
        const ossa_mesh *a = &scenes[0]->meshes[m];
        const ossa_mesh *b = &scenes[1]->meshes[match[m]];
        bool has_targets = a->target_count > 0 || b->target_count > 0;
        if (!has_targets || a->vertex_count != b->vertex_count) continue;
        if (a->vertex_count > UINT32_MAX / sizeof *a->targets) continue;
        struct ossa__shape_pair *pair = &shapes->pairs[shapes->count++];
        pair->meshes[0] = m;
        pair->meshes[1] = (uint32_t)match[m];
        if (!number_shapes(pair, scenes, arena)) return false;
    }
    return true;
}

/* The track of a mesh in a clip; -1: none. */
static int64_t find_track(const ossa_clip *clip, uint32_t mesh)
{
    const ossa_morph_tracks *tracks = &clip->morphs;
    uint32_t low = 0;
    for (uint32_t end = tracks->count; low < end;) {
        uint32_t middle = low + (end - low) / 2;
        if (tracks->meshes[middle] < mesh) low = middle + 1;
        else end = middle;
    }
    return low < tracks->count && tracks->meshes[low] == mesh ? (int64_t)low : -1;
}

bool ossa__shapes_differ(const struct ossa__shape_pairs *shapes, const ossa_clip *const clips[2])
{
    uint32_t frames = clips[0]->frame_count < clips[1]->frame_count ? clips[0]->frame_count
                                                                    : clips[1]->frame_count;
    for (uint32_t i = 0; i < shapes->count; i++) {
        const struct ossa__shape_pair *pair = &shapes->pairs[i];
        int64_t tracks[2];
        for (unsigned s = 0; s < 2; s++) tracks[s] = find_track(clips[s], pair->meshes[s]);
        if (tracks[0] < 0 && tracks[1] < 0) continue;
        for (uint32_t f = 0; f < frames; f++) {
            int64_t shape[2] = {-1, -1};
            for (unsigned s = 0; s < 2; s++) {
                const ossa_morph_tracks *morphs = &clips[s]->morphs;
                if (tracks[s] < 0) continue;
                int32_t key = morphs->keys[(size_t)f * morphs->count + (size_t)tracks[s]];
                if (key >= 0) shape[s] = pair->shapes[s][key];
            }
            if (shape[0] != shape[1]) return true;
        }
    }
    return false;
}
