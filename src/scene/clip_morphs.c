/* SPDX-License-Identifier: MIT
 *
 * The shapes that meshes take in a clip of a scene being made, as
 * ossa_ei_options.morphing wants them. */
#include "ossa/games/evil_islands.h"
#include "scene/assembly.h"

/* A clip that is not wanted would only bring targets that nobody looks at. */
static bool wants_morphs(const struct ossa__assembly *assembly, const char *clip)
{
    const ossa_scene_options *options = assembly->options;
    if (options->ei->morphing == OSSA_EI_MORPHING_NONE) return false;
    if (options->ei->morphing == OSSA_EI_MORPHING_FIRST && assembly->has_morphs) return false;
    return options->wants_clip == NULL || options->wants_clip(options->user, clip);
}

/* Leave the tracks in which anything ever happens. */
static void drop_idle(uint32_t frames, uint32_t *meshes, int32_t *keys, ossa_morph_tracks *tracks)
{
    uint32_t count = tracks->count;
    uint32_t kept = 0;
    uint32_t *column = meshes + count; /* where each kept one was */
    for (uint32_t i = 0; i < count; i++) {
        bool any = false;
        for (size_t f = 0; f < frames && !any; f++) any = keys[f * count + i] >= 0;
        if (!any) continue;
        meshes[kept] = meshes[i];
        column[kept++] = i;
    }
    for (size_t f = 0; f < frames; f++) { /* to the front, never past what is still to be read */
        for (uint32_t i = 0; i < kept; i++) keys[f * kept + i] = keys[f * count + column[i]];
    }
    tracks->count = kept;
}

void ossa__add_morphs(struct ossa__assembly *assembly, const struct ossa__clip_plan *plan,
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
        double frame = (double)f / plan->keys_a_frame;
        if (!plan->morph(plan->user, frame, keys + (size_t)f * count)) return;
    }
    clip->morphs = (ossa_morph_tracks){.count = count, .meshes = meshes, .keys = keys};
    drop_idle(clip->frame_count, meshes, keys, &clip->morphs);
    if (clip->morphs.count > 0) assembly->has_morphs = true;
}
