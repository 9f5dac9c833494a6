/* SPDX-License-Identifier: MIT
 *
 * Clips of a scene being assembled. A game marks what may change in a clip, from the keys as they
 * are stored, and fills the tracks of that, some frames at a time. What turns out to be the same in
 * every frame loses its track. */
#include "scene/edit.h"
#include "scene/key_runs.h"

#include "base/narrow.h"
#include "codec/sort.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

bool ossa__take_clips(struct ossa__assembly *assembly, size_t count)
{
    struct ossa__context *context = &assembly->context;
    assembly->clips = ossa__take(context, count, sizeof *assembly->clips);
    assembly->wanted = ossa__take(context, count, 1);
    assembly->scene->clips = assembly->clips;
    assembly->scene->clip_count = 0;
    return assembly->clips != NULL && ossa__names_start(&assembly->clip_names, context, count);
}

void ossa__reserve_clip_name(struct ossa__assembly *assembly, const char *name)
{
    if (!assembly->context.failed) ossa__names_reserve(&assembly->clip_names, name);
}

bool ossa__name_clip(struct ossa__assembly *assembly, const char *name)
{
    if (assembly->context.failed) return false;
    assembly->clip_name = ossa__names_choose(&assembly->clip_names, &assembly->context,
                                             name[0] == '\0' ? "animation" : name, "");
    return assembly->clip_name.text != NULL;
}

bool ossa__begin_clip(struct ossa__assembly *assembly, const char *name)
{
    const ossa_scene_options *options = assembly->options;
    if (!ossa__name_clip(assembly, name)) return false;
    assembly->wants_clip =
        options->wants_clip == NULL || options->wants_clip(options->user, assembly->clip_name.text);
    if (assembly->wants_clip || options->join) return true; /* joining needs to know them all */
    ossa__names_take(&assembly->clip_names, &assembly->clip_name);
    return false;
}

/* A clip that is made takes its place under the name that was chosen; NULL after a failure. */
static ossa_clip *append_clip(struct ossa__assembly *assembly, const ossa_clip *clip)
{
    struct ossa__context *context = &assembly->context;
    ossa_scene *scene = assembly->scene;
    if (scene->clip_count == OSSA_MAX_CLIPS) {
        context->path_text = clip->source;
        ossa__fail_nowhere(context, OSSA_CODE_LIMIT, "", "a scene holds at most %d clips",
                           OSSA_MAX_CLIPS);
    }
    if (context->failed) return NULL;
    ossa__names_take(&assembly->clip_names, &assembly->clip_name);
    assembly->wanted[scene->clip_count] = assembly->wants_clip;
    ossa_clip *added = &assembly->clips[scene->clip_count++];
    *added = *clip;
    added->name = assembly->clip_name.text;
    return added;
}

void ossa__keep_clip(struct ossa__assembly *assembly, const ossa_clip *clip)
{
    if (ossa__name_clip(assembly, clip->name)) (void)append_clip(assembly, clip);
}

float *ossa__same_steps(struct ossa__assembly *assembly, float step)
{
    uint32_t count = assembly->scene->bone_count;
    float *steps = ossa__take(&assembly->context, count, sizeof *steps);
    for (uint32_t b = 0; steps != NULL && b < count; b++) steps[b] = step;
    return steps;
}

/* ---- tracks -------------------------------------------------------------------------------- */

/* The tracks of one kind of a clip being made. */
struct tracks {
    size_t width;         /* of a key, in bytes */
    const uint8_t *first; /* the value of bone 0 in the first frame */
    size_t stride;        /* from there to that of the next bone */
    uint32_t count;
    uint32_t *bones;
    uint8_t *keys;   /* [frame][count][width] */
    uint32_t *still; /* those that have not changed so far */
    uint32_t still_count;
};

enum { ROTATIONS, TRANSLATIONS, SCALES, VISIBILITIES, KINDS };

/* Room for the tracks of the bones that may change; false after a failure. */
static bool take_tracks(struct ossa__assembly *assembly, const uint8_t *may_change, uint32_t frames,
                        struct tracks *tracks)
{
    struct ossa__context *context = &assembly->context;
    uint32_t bones = may_change == NULL || frames < 2 ? 0 : assembly->scene->bone_count;
    for (uint32_t b = 0; b < bones; b++) tracks->count += may_change[b];
    tracks->bones = ossa__take(context, tracks->count, sizeof *tracks->bones);
    tracks->still = ossa__take_scratch(context, tracks->count, sizeof *tracks->still);
    tracks->keys = ossa__take(context, (uint64_t)frames * tracks->count, tracks->width);
    if (context->failed) return false;
    for (uint32_t b = 0; b < bones; b++) {
        if (!may_change[b]) continue;
        tracks->still[tracks->still_count] = tracks->still_count;
        tracks->bones[tracks->still_count++] = b;
    }
    return true;
}

/* Keep those on the list that are still as they were in the first frame. */
static void watch_tracks(struct tracks *tracks, const uint8_t *keys, uint32_t frames)
{
    for (uint32_t f = 0; f < frames && tracks->still_count > 0; f++) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < tracks->still_count; i++) {
            uint32_t track = tracks->still[i];
            const uint8_t *key = keys + track * tracks->width;
            const uint8_t *first = tracks->first + tracks->bones[track] * tracks->stride;
            if (memcmp(key, first, tracks->width) == 0) tracks->still[kept++] = track;
        }
        tracks->still_count = kept;
        keys += tracks->count * tracks->width;
    }
}

/* Drop the tracks that never changed. There are few: what is stored alike was not marked. */
static void drop_still(struct tracks *tracks, uint32_t frames)
{
    const size_t width = tracks->width;
    uint8_t *to = tracks->keys;
    if (tracks->still_count == 0) return;
    for (uint32_t f = 0; f < frames; f++) { /* never overwrites what is still to be read */
        const uint8_t *from = tracks->keys + (size_t)f * tracks->count * width;
        uint32_t next = 0;
        for (uint32_t i = 0; i <= tracks->still_count; i++) {
            uint32_t end = i < tracks->still_count ? tracks->still[i] : tracks->count;
            memmove(to, from + next * width, (end - next) * width);
            to += (end - next) * width;
            next = end + 1;
        }
    }
    uint32_t kept = 0;
    for (uint32_t t = 0, i = 0; t < tracks->count; t++) {
        if (i < tracks->still_count && tracks->still[i] == t) i++;
        else tracks->bones[kept++] = tracks->bones[t];
    }
    tracks->count = kept;
}

/* Frames that fit into the second cache, so that a source may go through them bone by bone. */
static uint32_t block_length(const struct tracks *tracks)
{
    enum { SHORTEST = 8, LONGEST = 512, CACHE = 256 << 10 };
    size_t row = 1;
    for (unsigned k = 0; k < KINDS; k++) row += tracks[k].count * tracks[k].width;
    size_t fit = CACHE / row / SHORTEST * SHORTEST;
    if (fit < SHORTEST) return SHORTEST;
    return fit > LONGEST ? LONGEST : (uint32_t)fit;
}

static struct ossa__key_block block_at(const struct tracks *tracks, uint32_t first, uint32_t count)
{
    uint8_t *keys[KINDS];
    for (unsigned k = 0; k < KINDS; k++) {
        keys[k] = tracks[k].keys + (size_t)first * tracks[k].count * tracks[k].width;
    }
    return (struct ossa__key_block){
        .first = first,
        .count = count,
        .rotation_count = tracks[ROTATIONS].count,
        .translation_count = tracks[TRANSLATIONS].count,
        .scale_count = tracks[SCALES].count,
        .visibility_count = tracks[VISIBILITIES].count,
        .rotated = tracks[ROTATIONS].bones,
        .translated = tracks[TRANSLATIONS].bones,
        .scaled = tracks[SCALES].bones,
        .hidden = tracks[VISIBILITIES].bones,
        .rotations = (void *)keys[ROTATIONS],
        .translations = (void *)keys[TRANSLATIONS],
        .scales = (void *)keys[SCALES],
        .visibilities = keys[VISIBILITIES],
    };
}

static bool fill_tracks(const struct ossa__clip_plan *plan, struct tracks *tracks, uint32_t frames)
{
    uint32_t length = block_length(tracks);
    uint32_t total = 0;
    for (unsigned k = 0; k < KINDS; k++) total += tracks[k].count;
    for (uint32_t f = 0; f < frames && total > 0; f += length) {
        struct ossa__key_block block =
            block_at(tracks, f, frames - f < length ? frames - f : length);
        if (!plan->fill(plan->user, &block)) return false;
        const void *keys[KINDS] = {block.rotations, block.translations, block.scales,
                                   block.visibilities};
        for (unsigned k = 0; k < KINDS; k++) watch_tracks(&tracks[k], keys[k], block.count);
    }
    for (unsigned k = 0; k < KINDS; k++) drop_still(&tracks[k], frames);
    return true;
}

/* The first pose and the tracks; false after a failure. */
static bool make_tracks(struct ossa__assembly *assembly, const struct ossa__clip_plan *plan,
                        ossa_clip *clip)
{
    const ossa_scene *scene = assembly->scene;
    struct ossa__context *context = &assembly->context;
    ossa_transform *constant = ossa__take(context, scene->bone_count, sizeof *constant);
    uint8_t *visible = ossa__take(context, scene->bone_count, 1);
    if (visible == NULL) return false;
    for (uint32_t b = 0; b < scene->bone_count; b++) constant[b] = scene->bones[b].rest;
    memset(visible, 1, scene->bone_count);
    if (!plan->start(plan->user, &(struct ossa__first_pose){constant, visible})) return false;
    struct tracks tracks[KINDS] = {
        {4 * sizeof(float), (const uint8_t *)constant + offsetof(ossa_transform, rotation),
         sizeof *constant, 0, NULL, NULL, NULL, 0},
        {3 * sizeof(float), (const uint8_t *)constant + offsetof(ossa_transform, translation),
         sizeof *constant, 0, NULL, NULL, NULL, 0},
        {3 * sizeof(float), (const uint8_t *)constant + offsetof(ossa_transform, scale),
         sizeof *constant, 0, NULL, NULL, NULL, 0},
        {1, visible, 1, 0, NULL, NULL, NULL, 0}};
    const uint8_t *may_change[KINDS] = {plan->rotates, plan->translates, plan->scales, plan->hides};
    for (unsigned k = 0; k < KINDS; k++) {
        if (!take_tracks(assembly, may_change[k], clip->frame_count, &tracks[k])) return false;
    }
    if (!fill_tracks(plan, tracks, clip->frame_count)) return false;
    clip->constant = constant;
    clip->constant_visible = visible;
    ossa_tracks *made[3] = {&clip->rotations, &clip->translations, &clip->scales};
    for (unsigned k = 0; k < 3; k++) {
        *made[k] = (ossa_tracks){tracks[k].count, tracks[k].bones, (const void *)tracks[k].keys};
    }
    const struct tracks *flags = &tracks[VISIBILITIES];
    clip->visibilities = (ossa_flag_tracks){flags->count, flags->bones, flags->keys};
    return true;
}

/* ---- morphs -------------------------------------------------------------------------------- */

/* The morph targets of a clip that is not wanted would be of no use. */
static bool wants_morphs(const struct ossa__assembly *assembly)
{
    if (assembly->morphs == OSSA__MORPHS_NONE) return false;
    if (assembly->morphs == OSSA__MORPHS_FIRST && assembly->has_morphs) return false;
    return assembly->wants_clip;
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
    if (count == 0 || (!plan->keeps_morphs && !wants_morphs(assembly))) return;
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

/* ---- events -------------------------------------------------------------------------------- */

static bool event_before(const void *a, const void *b, void *user)
{
    (void)user;
    return ((const ossa_event *)a)->frame < ((const ossa_event *)b)->frame;
}

/* False after a failure. */
static bool add_events(struct ossa__assembly *assembly, const struct ossa__clip_plan *plan,
                       ossa_clip *clip)
{
    if (plan->event_count == 0) return true;
    ossa_event *events = ossa__take(&assembly->context, plan->event_count, sizeof *events);
    if (events == NULL) return false;
    for (uint32_t i = 0; i < plan->event_count; i++) {
        ossa_event event = plan->events[i];
        if (event.frame > plan->frame_count) continue;
        uint64_t key = (uint64_t)event.frame * plan->keys_per_frame;
        event.frame = key < clip->frame_count ? (uint32_t)key : clip->frame_count - 1;
        events[clip->event_count++] = event;
    }
    clip->events = events;
    return ossa__sort(&assembly->context, events, clip->event_count, sizeof *events, event_before,
                      NULL);
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
    ossa_clip clip = {.source = ossa__source_name(assembly, part),
                      .source_format = part->format,
                      .fps = plan->fps * plan->keys_per_frame,
                      .frame_count = (uint32_t)keys,
                      .keys_per_frame = plan->keys_per_frame,
                      .loop = plan->loop,
                      .extra_count = plan->extra_count,
                      .extras = plan->extras,
                      .rotation_steps = plan->rotation_steps,
                      .next = plan->next};
    for (unsigned k = 0; k < 3; k++) {
        double speed = plan->travel[k] * assembly->options->scale;
        clip.travel[k] = isfinite(speed) ? ossa__narrow(speed) : 0.0F;
    }
    struct ossa__mark mark = ossa__scratch_mark(context);
    bool is_made = make_tracks(assembly, plan, &clip) && add_events(assembly, plan, &clip);
    ossa__scratch_release(context, mark);
    ossa_clip *added = is_made ? append_clip(assembly, &clip) : NULL;
    if (added != NULL) add_morphs(assembly, plan, added);
    if (added != NULL && !context->failed) ossa__record_clip(assembly, plan, added);
    if (added != NULL && context->failed) assembly->scene->clip_count--; /* all of it or nothing */
    if (added == NULL || context->failed || assembly->editing == NULL) return;
    assembly->editing->on_clip(assembly->editing, assembly, plan, added);
    assembly->is_edit_refused = context->failed;
}

/* ---- what follows -------------------------------------------------------------------------- */

void ossa__settle_next(struct ossa__assembly *assembly)
{
    struct ossa__names names;
    uint32_t count = assembly->scene->clip_count;
    bool any = false;
    for (uint32_t i = 0; i < count; i++) any = any || assembly->clips[i].next != NULL;
    if (!any || !ossa__names_start(&names, &assembly->context, count)) return;
    for (uint32_t i = 0; i < count; i++) ossa__names_reserve(&names, assembly->clips[i].name);
    for (uint32_t i = 0; i < count; i++) {
        ossa_clip *clip = &assembly->clips[i];
        if (clip->next != NULL && !ossa__names_has(&names, clip->next)) clip->next = NULL;
    }
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
