/* SPDX-License-Identifier: MIT
 *
 * A runtime clip straight from an ANB. What changes and does not stay packed is unpacked on the
 * way, to the bits that it has in a scene. */
#include "formats/shadow_of_the_colossus/sotc_rotation.h"

#include "base/error.h"
#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

/* What the clip is made of. */
struct work {
    ossa_transform *constant;  /* [bone_count] */
    ossa_packed_track *packed; /* [packed_count] */
    uint32_t packed_count;
    uint32_t *bones; /* [count]: those with keys */
    uint32_t count;
    float *keys; /* [pose][count][4] */
};

/* As decoding does it: the scene is the mirror image, and a rotation the inverse of what is stored.
 */
static ossa_packed_track packed_track(const ossa_sotc_bone *bone, uint32_t index)
{
    ossa_packed_track track = {
        .bone = index, .missing = bone->flag - 3U, .keys = bone->keys.packed};
    for (unsigned i = 0; i < 3; i++) {
        bool is_x = i == 0 && track.missing != 0;
        track.centre[i] = is_x ? 0.0F - bone->constants[0] : bone->constants[2 * i];
        track.extent[i] = is_x ? -bone->constants[1] : bone->constants[2 * i + 1];
    }
    track.flip = track.missing == 0;
    return track;
}

static bool stays_packed(const ossa_sotc_bone *bone, bool packed)
{
    return packed && bone->flag >= 3 && bone->flag <= 6;
}

/* Which bones have keys of either kind. */
static void list_bones(const ossa_sotc_anb *anb, bool packed, struct work *work)
{
    for (uint32_t b = 0; b < anb->bone_count; b++) {
        const ossa_sotc_bone *bone = &anb->bones[b];
        if (!ossa__anb_changes(bone, anb->pose_count)) continue;
        if (stays_packed(bone, packed)) work->packed[work->packed_count++] = packed_track(bone, b);
        else work->bones[work->count++] = b;
    }
}

/* Is a rotation the same in every pose, though its keys are not? It must not be mixed, or it would
 * be rounded: a scene has no track for it. */
static bool is_still(const float *keys, size_t stride, uint32_t poses)
{
    for (uint32_t p = 1; p < poses; p++) {
        if (memcmp(keys, keys + p * stride, 4 * sizeof *keys) != 0) return false;
    }
    return true;
}

/* Decode all keys that do not stay packed, and keep those of rotations that change. */
static bool decode_keys(const ossa_sotc_anb *anb, struct work *work, ossa_error *error)
{
    const size_t stride = 4 * (size_t)work->count;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < work->count; i++) {
        uint32_t b = work->bones[i];
        float *keys = work->keys + 4 * (size_t)kept;
        if (!ossa__anb_rotations(&anb->bones[b], 0, anb->pose_count, keys, stride)) {
            (void)ossa__set_error(error, OSSA_CODE_BAD_VALUE, "sotc-anb",
                                  "bone %" PRIu32 " has a key that is not a valid rotation", b);
            return false;
        }
        if (!is_still(keys, stride, anb->pose_count)) work->bones[kept++] = b;
    }
    for (uint32_t p = 1; kept < work->count && p < anb->pose_count; p++) {
        memmove(work->keys + 4 * (size_t)kept * p, work->keys + p * stride,
                4 * (size_t)kept * sizeof *work->keys);
    }
    work->count = kept;
    return true;
}

static bool decode(const ossa_scene *scene, const ossa_sotc_anb *anb, struct work *work,
                   ossa_error *error)
{
    for (uint32_t b = 0; b < anb->bone_count; b++) {
        work->constant[b] = scene->bones[b].rest;
        if (anb->pose_count == 0) continue;
        if (!ossa__anb_rotations(&anb->bones[b], 0, 1, work->constant[b].rotation, 4)) {
            (void)ossa__set_error(error, OSSA_CODE_BAD_VALUE, "sotc-anb",
                                  "bone %" PRIu32 " has no valid rotation in pose 0", b);
            return false;
        }
    }
    return decode_keys(anb, work, error);
}

static ossa_runtime *make(const ossa_scene *scene, const ossa_sotc_anb *anb,
                          const ossa_sotc_runtime_options *options, struct ossa__arena *arena,
                          ossa_error *error)
{
    uint64_t bones = anb->bone_count;
    uint64_t key_count;
    uint64_t key_size = UINT64_MAX;
    struct work work = {.constant = ossa__arena_take(arena, bones * sizeof *work.constant),
                        .packed = ossa__arena_take(arena, bones * sizeof *work.packed),
                        .bones = ossa__arena_take(arena, bones * sizeof *work.bones)};
    if (work.constant != NULL && work.packed != NULL && work.bones != NULL) {
        list_bones(anb, options->packed, &work);
        (void)ossa__multiply(work.count, anb->pose_count, &key_count);
        (void)ossa__multiply(key_count, 4 * sizeof *work.keys, &key_size);
        work.keys = ossa__arena_take(arena, key_size);
    }
    if (work.keys == NULL) {
        (void)ossa__set_error(error, OSSA_CODE_OUT_OF_MEMORY, "sotc-anb", "out of memory");
        return NULL;
    }
    if (!decode(scene, anb, &work, error)) return NULL;
    const ossa_clip clip = {.fps = options->fps > 0.0 ? options->fps : OSSA_SOTC_FPS,
                            .frame_count = anb->pose_count,
                            .keys_per_frame = 1,
                            .constant = work.constant,
                            .rotations = {work.count, work.bones, work.keys}};
    return ossa_runtime_new(scene, &clip,
                            &(ossa_runtime_options){.packed = work.packed,
                                                    .packed_count = work.packed_count,
                                                    .allocator = options->allocator},
                            error);
}

ossa_runtime *ossa_sotc_runtime(const ossa_scene *scene, const ossa_sotc_anb *anb,
                                const ossa_sotc_runtime_options *options, ossa_error *error)
{
    static const ossa_sotc_runtime_options defaults = {0};
    if (options == NULL) options = &defaults;
    if (error != NULL) *error = (ossa_error){.code = OSSA_CODE_OK};
    if (anb->bone_count != scene->bone_count) {
        (void)ossa__set_error(error, OSSA_CODE_MISFIT, "sotc-anb",
                              "moves %" PRIu32 " bones, but the scene has %" PRIu32,
                              anb->bone_count, scene->bone_count);
        return NULL;
    }
    if (!ossa__is_allocator(options->allocator)) {
        (void)ossa__set_error(error, OSSA_CODE_BAD_ARGUMENT, "sotc-anb", OSSA__HALF_ALLOCATOR);
        return NULL;
    }
    struct ossa__arena arena;
    ossa__arena_init(&arena, ossa__allocator_or_default(options->allocator), UINT64_MAX);
    ossa_runtime *runtime = make(scene, anb, options, &arena, error);
    ossa__arena_free(&arena);
    return runtime;
}
