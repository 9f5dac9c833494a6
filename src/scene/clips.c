/* SPDX-License-Identifier: MIT
 *
 * Clips of a scene being assembled. A clip is gone through twice: first to find what changes, then
 * to keep only that. Its poses are computed once, unless it is so large that all of them together
 * would take more memory than they are worth. */
#include "scene/assembly.h"

#include <inttypes.h>
#include <string.h>

bool ossa__take_clips(struct ossa__assembly *assembly, size_t count)
{
    struct ossa__context *context = &assembly->context;
    assembly->clips = ossa__take(context, count, sizeof *assembly->clips);
    assembly->scene->clips = assembly->clips;
    assembly->scene->clip_count = 0;
    return assembly->clips != NULL && ossa__names_start(&assembly->clip_names, context, count);
}

void ossa__reserve_clip_name(struct ossa__assembly *assembly, const char *name)
{
    if (!assembly->context.failed) ossa__names_reserve(&assembly->clip_names, name);
}

/* A clip that is made takes its place under a name that no other has; NULL after a failure. */
static ossa_clip *append_clip(struct ossa__assembly *assembly, const ossa_clip *clip,
                              const char *name)
{
    struct ossa__context *context = &assembly->context;
    ossa_scene *scene = assembly->scene;
    if (scene->clip_count == OSSA_MAX_CLIPS) {
        context->path_text = clip->source;
        ossa__fail_nowhere(context, OSSA_CODE_LIMIT, "", "a scene holds at most %d clips",
                           OSSA_MAX_CLIPS);
    }
    if (context->failed) return NULL;
    ossa_clip *added = &assembly->clips[scene->clip_count];
    *added = *clip;
    added->name =
        ossa__names_add(&assembly->clip_names, context, name[0] == '\0' ? "animation" : name, "");
    if (added->name == NULL) return NULL;
    scene->clip_count++;
    return added;
}

void ossa__keep_clip(struct ossa__assembly *assembly, const ossa_clip *clip)
{
    (void)append_clip(assembly, clip, clip->name);
}

float *ossa__same_steps(struct ossa__assembly *assembly, float step)
{
    uint32_t count = assembly->scene->bone_count;
    float *steps = ossa__take(&assembly->context, count, sizeof *steps);
    for (uint32_t b = 0; steps != NULL && b < count; b++) steps[b] = step;
    return steps;
}

/* ---- tracks -------------------------------------------------------------------------------- */

/* What of each bone changes in the course of a clip. */
struct changes {
    uint8_t *rotation;
    uint8_t *translation;
    uint8_t *scale;
    uint8_t *visible;
};

struct sampler {
    struct ossa__assembly *assembly;
    ossa__pose_source *source;
    void *user;
    uint32_t bone_count;
    uint32_t frame_count;
    uint32_t keys_per_frame;
    ossa_transform *locals; /* of the key that was taken last */
    uint8_t *visible;
    ossa_transform *kept; /* [key][bone]: those that were computed; NULL: none is kept */
    uint8_t *kept_visible;
    uint32_t kept_count; /* keys; they are computed in their order */
};

/* Room for all poses, if that is not much. */
static void keep_poses(struct sampler *sampler)
{
    enum { MOST_KEPT = 16 << 20 }; /* bytes */
    struct ossa__context *context = &sampler->assembly->context;
    uint64_t poses = (uint64_t)sampler->frame_count * sampler->bone_count; /* checked before */
    uint64_t left = context->options.max_memory - context->arena.total - context->scratch.total;
    if (poses > MOST_KEPT / sizeof *sampler->kept || poses > left / (4 * sizeof *sampler->kept)) {
        return;
    }
    sampler->kept = ossa__take_scratch(context, poses, sizeof *sampler->kept);
    sampler->kept_visible = ossa__take_scratch(context, poses, 1);
}

static bool take_pose(struct sampler *sampler, uint32_t key)
{
    double frame = (double)key / sampler->keys_per_frame;
    if (sampler->kept != NULL && sampler->kept_visible != NULL) {
        sampler->locals = sampler->kept + (size_t)key * sampler->bone_count;
        sampler->visible = sampler->kept_visible + (size_t)key * sampler->bone_count;
        if (key < sampler->kept_count) return true;
        sampler->kept_count = key + 1;
    }
    return sampler->source(sampler->user, frame, sampler->locals, sampler->visible) &&
           !sampler->assembly->context.failed;
}

static bool find_changes(struct sampler *sampler, const ossa_clip *clip, struct changes *changes)
{
    for (uint32_t f = 1; f < sampler->frame_count; f++) {
        if (!take_pose(sampler, f)) return false;
        for (uint32_t b = 0; b < sampler->bone_count; b++) {
            const ossa_transform *now = &sampler->locals[b];
            const ossa_transform *before = &clip->constant[b];
            if (memcmp(now->rotation, before->rotation, sizeof now->rotation) != 0) {
                changes->rotation[b] = 1;
            }
            if (memcmp(now->translation, before->translation, sizeof now->translation) != 0) {
                changes->translation[b] = 1;
            }
            if (memcmp(now->scale, before->scale, sizeof now->scale) != 0) changes->scale[b] = 1;
            if (sampler->visible[b] != clip->constant_visible[b]) changes->visible[b] = 1;
        }
    }
    return true;
}

/* The bones that change, as a list; NULL after a failure. */
static uint32_t *list_bones(struct sampler *sampler, const uint8_t *changed, uint32_t *count)
{
    *count = 0;
    for (uint32_t b = 0; b < sampler->bone_count; b++) *count += changed[b];
    uint32_t *bones = ossa__take(&sampler->assembly->context, *count, sizeof *bones);
    for (uint32_t b = 0, used = 0; bones != NULL && b < sampler->bone_count; b++) {
        if (changed[b]) bones[used++] = b;
    }
    return bones;
}

static float *take_tracks(struct sampler *sampler, const uint8_t *changed, unsigned width,
                          ossa_tracks *tracks)
{
    tracks->bones = list_bones(sampler, changed, &tracks->count);
    float *keys = ossa__take(&sampler->assembly->context,
                             (uint64_t)sampler->frame_count * tracks->count, width * sizeof *keys);
    tracks->keys = keys;
    return keys;
}

static float *store_keys(const ossa_tracks *tracks, const ossa_transform *locals, size_t member,
                         unsigned width, float *keys)
{
    for (uint32_t i = 0; i < tracks->count; i++) {
        const uint8_t *from = (const uint8_t *)&locals[tracks->bones[i]] + member;
        memcpy(keys, from, width * sizeof *keys);
        keys += width;
    }
    return keys;
}

static void store_frames(struct sampler *sampler, const struct changes *changes, ossa_clip *clip)
{
    struct ossa__context *context = &sampler->assembly->context;
    float *rotations = take_tracks(sampler, changes->rotation, 4, &clip->rotations);
    float *translations = take_tracks(sampler, changes->translation, 3, &clip->translations);
    float *scales = take_tracks(sampler, changes->scale, 3, &clip->scales);
    clip->visibilities.bones = list_bones(sampler, changes->visible, &clip->visibilities.count);
    uint8_t *visible = ossa__take(
        context, (uint64_t)sampler->frame_count * clip->visibilities.count, sizeof *visible);
    clip->visibilities.keys = visible;
    for (uint32_t f = 0; f < sampler->frame_count && !context->failed; f++) {
        if (!take_pose(sampler, f)) return;
        const ossa_transform *locals = sampler->locals;
        rotations =
            store_keys(&clip->rotations, locals, offsetof(ossa_transform, rotation), 4, rotations);
        translations = store_keys(&clip->translations, locals,
                                  offsetof(ossa_transform, translation), 3, translations);
        scales = store_keys(&clip->scales, locals, offsetof(ossa_transform, scale), 3, scales);
        for (uint32_t i = 0; i < clip->visibilities.count; i++) {
            *visible++ = sampler->visible[clip->visibilities.bones[i]];
        }
    }
}

/* ---- morphs -------------------------------------------------------------------------------- */

/* The morph targets of a clip that is not wanted would be of no use. */
static bool wants_morphs(const struct ossa__assembly *assembly, const char *clip)
{
    const ossa_scene_options *options = assembly->options;
    if (assembly->morphs == OSSA__MORPHS_NONE) return false;
    if (assembly->morphs == OSSA__MORPHS_FIRST && assembly->has_morphs) return false;
    return options->wants_clip == NULL || options->wants_clip(options->user, clip);
}

/* Drop the tracks in which nothing ever happens. */
static void drop_idle(uint32_t frames, uint32_t *meshes, int32_t *keys, ossa_morph_tracks *tracks)
{
    uint32_t count = tracks->count;
    uint32_t kept = 0;
    uint32_t *column = meshes + count; /* the old column of each kept track */
    for (uint32_t i = 0; i < count; i++) {
        bool any = false;
        for (size_t f = 0; f < frames && !any; f++) any = keys[f * count + i] >= 0;
        if (!any) continue;
        meshes[kept] = meshes[i];
        column[kept++] = i;
    }
    for (size_t f = 0; f < frames; f++) { /* never overwrites what is still to be read */
        for (uint32_t i = 0; i < kept; i++) keys[f * kept + i] = keys[f * count + column[i]];
    }
    tracks->count = kept;
}

/* Add the morph tracks that the options ask for to a clip of the scene. */
static void add_morphs(struct ossa__assembly *assembly, const struct ossa__clip_plan *plan,
                       ossa_clip *clip)
{
    struct ossa__context *context = &assembly->context;
    uint32_t count = plan->morph_count;
    if (count == 0 || (!plan->keeps_morphs && !wants_morphs(assembly, clip->name))) return;
    uint32_t *meshes = ossa__take(context, 2 * (uint64_t)count, sizeof *meshes);
    uint64_t size = (uint64_t)clip->frame_count * count;
    int32_t *keys = ossa__take(context, size, sizeof *keys);
    if (keys == NULL || meshes == NULL) return;
    for (uint32_t i = 0; i < count; i++) meshes[i] = plan->morph_meshes[i];
    for (uint32_t f = 0; f < clip->frame_count; f++) {
        double frame = (double)f / plan->keys_per_frame;
        if (!plan->morph(plan->user, frame, keys + (size_t)f * count)) return;
    }
    clip->morphs = (ossa_morph_tracks){.count = count, .meshes = meshes, .keys = keys};
    drop_idle(clip->frame_count, meshes, keys, &clip->morphs);
    if (clip->morphs.count > 0) assembly->has_morphs = true;
}

/* ---- adding a clip ------------------------------------------------------------------------- */

void ossa__add_clip(struct ossa__assembly *assembly, const struct ossa__clip_plan *plan)
{
    struct ossa__context *context = &assembly->context;
    const struct ossa__part *part = plan->part;
    uint32_t bones = assembly->scene->bone_count;
    if (context->failed) return;
    if (plan->frame_count == 0) {
        ossa__assembly_warn(assembly, part, OSSA_CODE_UNUSUAL_VALUE,
                            "the clip '%s' has no frames and is left out", plan->name);
        assembly->empty_clips++;
        return;
    }
    uint64_t keys = ((uint64_t)plan->frame_count - 1) * plan->keys_per_frame + 1;
    if (keys > UINT32_MAX) {
        (void)ossa__misfit(assembly, part, "%" PRIu64 " keys are too many", keys);
        return;
    }
    uint64_t poses;
    if (!ossa__multiply(keys, bones, &poses) || poses > assembly->max_poses - assembly->poses) {
        ossa__blame(assembly, part);
        ossa__fail_nowhere(context, OSSA_CODE_LIMIT, "",
                           "%" PRIu64 " keys of %" PRIu32
                           " bones: all clips together may have %" PRIu64 " poses of a bone",
                           keys, bones, assembly->max_poses);
        return;
    }
    assembly->poses += poses;
    struct sampler sampler = {.assembly = assembly,
                              .source = plan->pose,
                              .user = plan->user,
                              .bone_count = bones,
                              .frame_count = (uint32_t)keys,
                              .keys_per_frame = plan->keys_per_frame};
    sampler.locals = ossa__take(context, bones, sizeof *sampler.locals);
    sampler.visible = ossa__take(context, bones, 1);
    ossa_transform *constant = ossa__take(context, bones, sizeof *constant);
    uint8_t *visible = ossa__take(context, bones, 1);
    uint8_t *flags = ossa__take(context, bones, 4);
    struct ossa__mark mark = ossa__scratch_mark(context);
    keep_poses(&sampler);
    if (flags == NULL || context->failed || !take_pose(&sampler, 0)) return;
    memset(flags, 0, (size_t)bones * 4);
    memcpy(constant, sampler.locals, bones * sizeof *constant);
    memcpy(visible, sampler.visible, bones);
    struct changes changes = {flags, flags + bones, flags + 2 * (size_t)bones,
                              flags + 3 * (size_t)bones};
    ossa_clip clip = {.source = ossa__source_name(assembly, part),
                      .source_format = part->format,
                      .fps = plan->fps * plan->keys_per_frame,
                      .frame_count = (uint32_t)keys,
                      .keys_per_frame = plan->keys_per_frame,
                      .loop = plan->loop,
                      .extra_count = plan->extra_count,
                      .extras = plan->extras,
                      .constant = constant,
                      .constant_visible = visible,
                      .rotation_steps = plan->rotation_steps};
    if (!find_changes(&sampler, &clip, &changes)) return;
    store_frames(&sampler, &changes, &clip);
    ossa__scratch_release(context, mark);
    ossa_clip *added = append_clip(assembly, &clip, plan->name);
    if (added != NULL) add_morphs(assembly, plan, added);
    if (added != NULL && context->failed) assembly->scene->clip_count--; /* all of it or nothing */
}

/* ---- in place ------------------------------------------------------------------------------ */

static int64_t only_root(const ossa_scene *scene)
{
    int64_t root = -1;
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        if (scene->bones[b].parent >= 0) continue;
        if (root >= 0) return -1;
        root = b;
    }
    return root;
}

/* The displacement of the root along x and z from the first frame to the last is removed evenly, so
 * that both ends are at the same position and the sway in between remains. Midtown Madness makes
 * its walks so, and derives a speed from what it removed: the displacement divided by the length of
 * all frames. */
static void remove_drift(ossa_clip *clip, uint32_t track)
{
    const ossa_tracks *tracks = &clip->translations;
    size_t stride = (size_t)tracks->count * 3;
    /* The keys are in the arena of the scene being assembled. */
    float *keys = (float *)(uintptr_t)tracks->keys + (size_t)track * 3;
    double last = (double)clip->frame_count - 1.0; /* a track that changes has two frames */
    double length = (last / clip->keys_per_frame + 1.0) * clip->keys_per_frame / clip->fps;
    for (unsigned k = 0; k < 3; k += 2) {
        double first = (double)keys[k];
        double displacement = (double)keys[stride * (clip->frame_count - 1) + k] - first;
        for (uint32_t f = 0; f < clip->frame_count; f++) {
            float *key = &keys[stride * f + k];
            *key = (float)((double)*key - displacement * (f / last));
        }
        clip->velocity[k] = (float)(displacement / length);
    }
}

void ossa__remove_drift(struct ossa__assembly *assembly)
{
    const ossa_scene *scene = assembly->scene;
    int64_t root = only_root(scene);
    if (root < 0) {
        if (scene->bone_count == 0) return;
        ossa__assembly_warn(assembly, &assembly->parts[0], OSSA_CODE_UNUSUAL_VALUE,
                            "there is no single root whose drift could be taken out; all clips "
                            "stay as they are");
        return;
    }
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        ossa_clip *clip = &assembly->clips[c];
        clip->in_place = true;
        for (uint32_t i = 0; i < clip->translations.count; i++) {
            if (clip->translations.bones[i] == (uint32_t)root) remove_drift(clip, i);
        }
    }
}
