/* SPDX-License-Identifier: MIT
 *
 * Morph targets of a glTF. A clip says of each frame which shape a mesh has: in the file that is a
 * weight for every target, 1 for that shape and 0 for the others. Between two frames viewers
 * interpolate the weights, which is the straight way from shape to shape.
 *
 * So a clip has frames * targets weights for each mesh, nearly all of them 0. Where a file would
 * have many, its weights are sparse accessors, which list those that are not. A program that opens
 * the file has them all in memory again. */
#include "export/gltf_parts.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    LARGE_MEGABYTES = 64, /* nobody expects as much: there is a warning */
    MOST_MEGABYTES = 1024,
    MOST_DENSE_WEIGHTS = 1 << 18, /* 1 MiB: not every program knows sparse accessors */
};

#define UNUSED "target" /* the name, before its number, of a target that no clip shows */

/* ---- which there are ----------------------------------------------------------------------- */

/* The weights of a clip. Meshes that it does not change have two keys all the same: `resting` are
 * their targets, and of the others too. */
static uint64_t count_weights(const struct ossa__gltf *x, const ossa_clip *clip, uint64_t resting)
{
    uint64_t keys = clip->frame_count < 2 ? 2 : clip->frame_count;
    uint64_t weights = ossa__size_times(2, resting);
    if (x->has_skin_weights)
        weights = ossa__size_plus(weights, ossa__size_times(keys, x->skin_target_count));
    for (uint32_t i = 0; i < clip->morphs.count; i++) {
        const ossa_mesh *mesh = &x->scene->meshes[clip->morphs.meshes[i]];
        if (ossa__gltf_is_skinned(x, mesh)) continue;
        weights = ossa__size_plus(weights, ossa__size_times(keys - 2, mesh->target_count));
    }
    return weights;
}

/* The weights of all clips. */
static uint64_t count_all_weights(const struct ossa__gltf *x)
{
    const ossa_scene *scene = x->scene;
    uint64_t weights = 0;
    uint64_t resting = 0; /* targets that every clip has weights for, outside of a skin */
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const ossa_mesh *mesh = &scene->meshes[i];
        if (mesh->target_count == 0 || ossa__gltf_is_skinned(x, mesh)) continue;
        if ((x->curves[mesh->bone] & OSSA__HAS_WEIGHTS) != 0) resting += mesh->target_count;
    }
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        if (!ossa__gltf_is_written(x, c)) continue;
        weights = ossa__size_plus(weights, count_weights(x, &scene->clips[c], resting));
    }
    return weights;
}

/* What targets and weights take in a program that opens the file, where it grows faster than the
 * scene; not less. */
static uint64_t count_bytes(const struct ossa__gltf *x, uint64_t weights)
{
    const ossa_scene *scene = x->scene;
    uint64_t bytes = ossa__size_times(weights, 4);
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const ossa_mesh *mesh = &scene->meshes[i];
        bytes = ossa__size_plus(
            bytes, ossa__size_times(ossa__size_times(mesh->target_count, mesh->vertex_count), 12));
    }
    for (uint32_t i = 0; i < x->mesh_count; i++) { /* a line for each target of each primitive */
        bytes = ossa__size_plus(
            bytes,
            ossa__size_times(ossa__size_times(x->meshes[i].count, x->meshes[i].target_count), 20));
    }
    return bytes;
}

/* Where a target is seen first. */
struct first_use {
    uint32_t clip; /* + 1; 0: nowhere */
    uint32_t frame;
};

static void find_uses(const ossa_scene *scene, uint32_t mesh, struct first_use *uses)
{
    memset(uses, 0, scene->meshes[mesh].target_count * sizeof *uses);
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        const ossa_clip *clip = &scene->clips[c];
        const ossa_morph_tracks *morphs = &clip->morphs;
        int64_t track = ossa__gltf_find_track(morphs->count, morphs->meshes, mesh);
        for (uint32_t f = 0; track >= 0 && f < clip->frame_count; f++) {
            int32_t key = morphs->keys[(size_t)f * morphs->count + (size_t)track];
            if (key < 0 || uses[key].clip != 0) continue;
            uses[key] = (struct first_use){c + 1, f};
        }
    }
}

static uint32_t most_targets(const ossa_scene *scene)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        if (scene->meshes[i].target_count > most) most = scene->meshes[i].target_count;
    }
    return most;
}

/* What the names of targets take: each repeats that of a clip, which may be long. */
static uint64_t count_names(struct ossa__gltf *x)
{
    const ossa_scene *scene = x->scene;
    uint64_t bytes = 0;
    struct ossa__mark mark = ossa__arena_mark(&x->context.arena);
    uint64_t *sizes = ossa__take(&x->context, scene->clip_count, sizeof *sizes);
    struct first_use *uses = ossa__take(&x->context, most_targets(scene), sizeof *uses);
    for (uint32_t c = 0; uses != NULL && c < scene->clip_count; c++) {
        sizes[c] = ossa__json_text_size(scene->clips[c].name);
    }
    for (uint32_t i = 0; uses != NULL && i < scene->mesh_count; i++) {
        const ossa_mesh *mesh = &scene->meshes[i];
        if (mesh->target_count == 0) continue;
        /* Quotes, a comma, a space and a number, and in a skin the name of the mesh. */
        uint64_t rest =
            14 + (ossa__gltf_is_skinned(x, mesh) ? 1 + ossa__json_text_size(mesh->name) : 0);
        bytes = ossa__size_plus(bytes, ossa__size_times(mesh->target_count, rest));
        find_uses(scene, i, uses);
        for (uint32_t t = 0; t < mesh->target_count; t++) {
            bytes = ossa__size_plus(bytes,
                                    uses[t].clip == 0 ? strlen(UNUSED) : sizes[uses[t].clip - 1]);
        }
    }
    ossa__arena_release(&x->context.arena, mark);
    return bytes;
}

void ossa__gltf_check_morphs(struct ossa__gltf *x)
{
    uint64_t weights = count_all_weights(x);
    uint64_t megabytes = ossa__size_plus(count_bytes(x, weights), count_names(x)) >> 20;
    if (x->context.failed) return;
    x->has_sparse_weights = weights > MOST_DENSE_WEIGHTS;
    if (megabytes >= MOST_MEGABYTES) {
        ossa__fail_nowhere(&x->context, OSSA_CODE_LIMIT, "",
                           "the morph targets would take %" PRIu64 " MiB in a program that opens "
                           "the file, at most %d are allowed; fewer clips with morph targets make "
                           "it smaller",
                           megabytes, MOST_MEGABYTES);
    } else if (megabytes >= LARGE_MEGABYTES) {
        ossa__gltf_warn(x, OSSA_CODE_LIMIT,
                        "the morph targets take %" PRIu64 " MiB in a program that opens the file; "
                        "fewer clips with morph targets make it smaller",
                        megabytes);
    }
}

static void mark_clip(struct ossa__gltf *x, const ossa_clip *clip)
{
    for (uint32_t i = 0; i < clip->morphs.count; i++) {
        const ossa_mesh *mesh = &x->scene->meshes[clip->morphs.meshes[i]];
        if (mesh->target_count == 0) continue;
        if (ossa__gltf_is_skinned(x, mesh)) x->has_skin_weights = true;
        else x->curves[mesh->bone] |= OSSA__HAS_WEIGHTS;
    }
}

void ossa__gltf_find_morphs(struct ossa__gltf *x)
{
    const ossa_scene *scene = x->scene;
    uint64_t skin_targets = 0;
    x->first_target = ossa__take(&x->context, scene->mesh_count, sizeof *x->first_target);
    x->morph_mesh = ossa__take(&x->context, scene->bone_count, sizeof *x->morph_mesh);
    x->skin_morphs = ossa__take(&x->context, scene->mesh_count, sizeof *x->skin_morphs);
    x->weight_tracks =
        ossa__take(&x->context, (uint64_t)scene->mesh_count + 1, sizeof *x->weight_tracks);
    if (x->context.failed) return;
    memset(x->first_target, 0, scene->mesh_count * sizeof *x->first_target);
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const ossa_mesh *mesh = &scene->meshes[i];
        if (mesh->target_count == 0) continue;
        if (ossa__gltf_is_skinned(x, mesh)) {
            x->first_target[i] = (uint32_t)skin_targets; /* whether it fits is asked below */
            skin_targets += mesh->target_count;
            x->skin_morphs[x->skin_morph_count++] = i;
        } else {
            x->morph_mesh[mesh->bone] = i;
        }
    }
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        if (ossa__gltf_is_wanted(x, c)) mark_clip(x, &scene->clips[c]);
    }
    if (skin_targets > UINT32_MAX) {
        ossa__fail_nowhere(&x->context, OSSA_CODE_LIMIT, "",
                           "the morph targets are too many for a skin");
        return;
    }
    x->skin_target_count = (uint32_t)skin_targets;
    uint32_t most = most_targets(scene);
    uint64_t row = skin_targets > most ? skin_targets : most;
    x->weight_row = ossa__take(&x->context, row, sizeof *x->weight_row);
}

/* ---- weights ------------------------------------------------------------------------------- */

/* Has a mesh another shape in some frame than in the first? */
static bool changes(const ossa_clip *clip, int64_t track)
{
    const ossa_morph_tracks *morphs = &clip->morphs;
    for (uint32_t f = 1; track >= 0 && f < clip->frame_count; f++) {
        const int32_t *key = morphs->keys + (size_t)f * morphs->count + (size_t)track;
        if (*key != morphs->keys[track]) return true;
    }
    return false;
}

bool ossa__gltf_morphs_change(const ossa_clip *clip)
{
    for (uint32_t i = 0; i < clip->morphs.count; i++) {
        if (changes(clip, i)) return true;
    }
    return false;
}

/* The weights of a channel that are 1: of each key those of the tracks, in ascending order. */
struct weights {
    const ossa_clip *clip;
    const struct ossa__gltf_weight_track *tracks;
    uint32_t track_count;
    uint32_t target_count;
    uint32_t key_count;
};

/* The target that a track shows; -1: none. */
static int64_t target_at(const struct weights *weights, uint32_t key, uint32_t index)
{
    const ossa_clip *clip = weights->clip;
    uint32_t frame = key < clip->frame_count ? key : clip->frame_count - 1;
    const struct ossa__gltf_weight_track *track = &weights->tracks[index];
    int32_t shape = clip->morphs.keys[(size_t)frame * clip->morphs.count + track->index];
    return shape < 0 ? -1 : (int64_t)track->first_target + shape;
}

static size_t put_all_weights(struct ossa__gltf *x, const struct weights *weights)
{
    uint64_t count = (uint64_t)weights->key_count * weights->target_count;
    size_t accessor = ossa__gltf_begin(&x->buffer, OSSA__GLTF_F32, 1, count, false);
    memset(x->weight_row, 0, weights->target_count * sizeof *x->weight_row);
    for (uint32_t k = 0; k < weights->key_count && ossa__gltf_wants_numbers(&x->buffer); k++) {
        for (uint32_t i = 0; i < weights->track_count; i++) {
            int64_t target = target_at(weights, k, i);
            if (target >= 0) x->weight_row[target] = 1.0F;
        }
        ossa__gltf_put(&x->buffer, x->weight_row, weights->target_count);
        for (uint32_t i = 0; i < weights->track_count; i++) {
            int64_t target = target_at(weights, k, i);
            if (target >= 0) x->weight_row[target] = 0.0F;
        }
    }
    ossa__gltf_end(&x->buffer);
    return accessor;
}

/* Where none is 1, the first is listed, as 0: there are no empty lists. */
static size_t put_sparse_weights(struct ossa__gltf *x, const struct weights *weights)
{
    uint32_t listed = 0;
    for (uint32_t k = 0; k < weights->key_count; k++) {
        for (uint32_t i = 0; i < weights->track_count; i++) {
            listed += target_at(weights, k, i) >= 0;
        }
    }
    uint64_t count = (uint64_t)weights->key_count * weights->target_count;
    size_t accessor = ossa__gltf_begin_sparse(&x->buffer, count, listed == 0 ? 1 : listed);
    if (x->context.failed || !x->buffer.writes) return accessor;
    if (listed == 0) ossa__store_u32(ossa__gltf_room(&x->buffer, 4), 0);
    for (uint32_t k = 0; k < weights->key_count; k++) {
        for (uint32_t i = 0; i < weights->track_count; i++) {
            int64_t target = target_at(weights, k, i);
            if (target < 0) continue;
            uint64_t index = (uint64_t)k * weights->target_count + (uint64_t)target;
            ossa__store_u32(ossa__gltf_room(&x->buffer, 4), (uint32_t)index);
        }
    }
    const float value = listed == 0 ? 0.0F : 1.0F;
    for (uint32_t i = 0; i < (listed == 0 ? 1 : listed); i++) {
        ossa__gltf_put(&x->buffer, &value, 1);
    }
    ossa__gltf_end(&x->buffer);
    return accessor;
}

void ossa__gltf_put_weights(struct ossa__gltf *x, const ossa_clip *clip,
                            struct ossa__gltf_times *times_of, const uint32_t *meshes,
                            uint32_t count, uint32_t target_count)
{
    const ossa_morph_tracks *morphs = &clip->morphs;
    struct weights weights = {
        .clip = clip, .tracks = x->weight_tracks, .target_count = target_count};
    bool moves = false;
    for (uint32_t i = 0; i < count; i++) {
        int64_t track = ossa__gltf_find_track(morphs->count, morphs->meshes, meshes[i]);
        if (track < 0) continue;
        moves = moves || changes(clip, track);
        x->weight_tracks[weights.track_count++] =
            (struct ossa__gltf_weight_track){(uint32_t)track, x->first_target[meshes[i]]};
    }
    weights.key_count = moves ? times_of->count : 2;
    size_t input = moves ? times_of->frames : ossa__gltf_ends_of(x, times_of);
    size_t values =
        x->has_sparse_weights ? put_sparse_weights(x, &weights) : put_all_weights(x, &weights);
    ossa__gltf_note_channel(x, input, values);
}

/* ---- the document -------------------------------------------------------------------------- */

static void write_part(struct ossa__json *json, const char *text)
{
    size_t size = strlen(text);
    for (size_t i = 0; i < size;) {
        uint32_t character;
        i += ossa__utf8_decode(text + i, size - i, &character);
        ossa__json_character(json, character);
    }
}

/* "walk 3", what it is the shape of: the clip and the frame that show it first. In a skin, where
 * the targets of several parts stand in one list, "head walk 3". */
static void write_names(struct ossa__gltf *x, uint32_t mesh, struct first_use *uses)
{
    const ossa_mesh *part = &x->scene->meshes[mesh];
    find_uses(x->scene, mesh, uses);
    for (uint32_t t = 0; t < part->target_count; t++) {
        const struct first_use *use = &uses[t];
        char number[16];
        (void)snprintf(number, sizeof number, " %" PRIu32, use->clip == 0 ? t : use->frame);
        ossa__json_begin_text(&x->json);
        if (ossa__gltf_is_skinned(x, part)) {
            write_part(&x->json, part->name);
            write_part(&x->json, " ");
        }
        write_part(&x->json, use->clip == 0 ? UNUSED : x->scene->clips[use->clip - 1].name);
        write_part(&x->json, number);
        ossa__json_end_text(&x->json);
    }
}

void ossa__gltf_write_targets(struct ossa__gltf *x, const struct ossa__gltf_mesh *mesh)
{
    bool is_skin = mesh->node == x->skin_node;
    const uint32_t *parts = is_skin ? x->skin_morphs : &x->order[x->primitives[mesh->first].first];
    uint32_t part_count = is_skin ? x->skin_morph_count : 1;
    struct first_use *uses = ossa__take(&x->context, mesh->target_count, sizeof *uses);
    if (uses == NULL) return;
    ossa__json_key(&x->json, "weights");
    ossa__json_begin_row(&x->json);
    for (uint32_t t = 0; t < mesh->target_count; t++) ossa__json_uint(&x->json, 0);
    ossa__json_end_array(&x->json);
    ossa__json_key(&x->json, "extras");
    ossa__json_begin_object(&x->json);
    ossa__json_key(&x->json, "targetNames");
    ossa__json_begin_row(&x->json);
    for (uint32_t i = 0; i < part_count; i++) write_names(x, parts[i], uses);
    ossa__json_end_array(&x->json);
    ossa__json_end_object(&x->json);
}
