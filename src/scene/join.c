/* SPDX-License-Identifier: MIT
 *
 * Clips of one skeleton end to end as one: a long Vib-Ribbon sequence is stored over several
 * files, and animations of one colossus follow each other. */
#include "ossa/sample.h"
#include "scene/assembly.h"

#include <string.h>

struct chain {
    const ossa_scene *scene; /* with the clips as they were */
};

static bool chain_pose(void *user, double frame, ossa_transform *locals, uint8_t *visible)
{
    const struct chain *chain = user;
    uint32_t left = (uint32_t)frame;
    for (uint32_t i = 0; i < chain->scene->clip_count; i++) {
        const ossa_clip *clip = &chain->scene->clips[i];
        if (left < clip->frame_count || i + 1 == chain->scene->clip_count) {
            ossa_sample_frame(chain->scene, clip, left, locals, visible);
            return true;
        }
        left -= clip->frame_count;
    }
    return true;
}

/* Leave only the clips that are wanted, if any is. */
static void drop_unwanted(const ossa_scene_options *options, ossa_scene *scene, ossa_clip *clips)
{
    uint32_t kept = 0;
    if (options->wants_clip == NULL) return;
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        if (options->wants_clip(options->user, clips[i].name)) clips[kept++] = clips[i];
    }
    if (kept > 0) scene->clip_count = kept;
}

void ossa__join_clips(struct ossa__assembly *assembly)
{
    ossa_scene *scene = assembly->scene;
    drop_unwanted(assembly->options, scene, assembly->clips);
    if (scene->clip_count < 2) return;
    const ossa_scene before = *scene;
    struct chain chain = {&before};
    const ossa_clip *first = &before.clips[0];
    uint64_t frames = 0;
    for (uint32_t i = 0; i < before.clip_count; i++) {
        frames += before.clips[i].frame_count;
        if (before.clips[i].fps != first->fps) {
            ossa__assembly_warn(assembly, NULL, OSSA_UNUSUAL_VALUE,
                                "'%s' has %g frames a second and '%s' %g; joined, all have %g",
                                first->name, first->fps, before.clips[i].name, before.clips[i].fps,
                                first->fps);
        }
    }
    if (frames > UINT32_MAX) {
        (void)ossa__misfit(assembly, NULL, "the clips are too long to be joined");
        return;
    }
    /* The joined clip goes by its first one. */
    struct ossa__part part = {.format = first->source_format, .is_folder = true};
    part.folder = ossa__copy_text(assembly, first->source, strlen(first->source));
    ossa_input input = {.path = part.folder, .file = NULL};
    part.input = &input;
    scene->clip_count = 0;
    if (!ossa__take_clips(assembly, 1)) return;
    ossa__add_clip(assembly, first->name, &part, first->fps, false, (uint32_t)frames, 1, chain_pose,
                   &chain);
}
