/* SPDX-License-Identifier: MIT
 *
 * Clips that stay where they are: the way of the root along x and z, from the first frame to the
 * last, is taken out evenly, so that both ends stand over the same spot and what sways in between
 * goes on swaying. That is how Midtown Madness makes a walk, and it turns what it took out into a
 * speed: the way divided by the length of all its frames. */
#include "scene/assembly.h"

#include <inttypes.h>

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

static void remove_drift(ossa_clip *clip, uint32_t track)
{
    const ossa_tracks *tracks = &clip->translations;
    size_t stride = (size_t)tracks->count * 3;
    /* The keys lie in the arena of the scene being made. */
    float *keys = (float *)(uintptr_t)tracks->keys + (size_t)track * 3;
    double last = (double)clip->frame_count - 1.0; /* a track that changes has two frames */
    double length = (last / clip->keys_per_frame + 1.0) * clip->keys_per_frame / clip->fps;
    for (unsigned k = 0; k < 3; k += 2) {
        double first = (double)keys[k];
        double way = (double)keys[stride * (clip->frame_count - 1) + k] - first;
        for (uint32_t f = 0; f < clip->frame_count; f++) {
            float *key = &keys[stride * f + k];
            *key = (float)((double)*key - way * (f / last));
        }
        clip->velocity[k] = (float)(way / length);
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
