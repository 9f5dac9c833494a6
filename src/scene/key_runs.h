/* SPDX-License-Identifier: MIT
 *
 * Recording where the keys of a clip are stored, while it is assembled (options.trace_keys). */
#ifndef OSSA_SCENE_KEY_RUNS_H
#define OSSA_SCENE_KEY_RUNS_H

#include "ossa/keys.h"
#include "scene/assembly.h"

struct ossa__key_recorder {
    struct ossa__assembly *assembly;
    uint32_t keys_per_frame;
    uint32_t frame_count; /* of the plan: without those that resampling adds */
    ossa_key_run *runs;   /* growing, in scratch memory */
    uint32_t count;
    uint32_t capacity;
    uint32_t *last; /* [bone][channel]: its last run + 1; NULL: ossa__record_key was not called */
};

/* Add a run. Its frames are those of the plan, with a step of 1, and its file is that of `part`,
 * which may be NULL if nothing is stored. A run of no frames is left out. A run that is held begins
 * right after the key that it holds. */
void ossa__record_run(struct ossa__key_recorder *recorder, const struct ossa__part *part,
                      ossa_key_run run);

/* Add what one frame has, where keys lie at irregular distances: those at equal distances become
 * one run. Of each bone and channel frames must come in their order; `first_frame` is the frame. */
void ossa__record_key(struct ossa__key_recorder *recorder, const struct ossa__part *part,
                      ossa_key_run key);

/* The runs of a clip that was added, if options.trace_keys is set. */
void ossa__record_clip(struct ossa__assembly *assembly, const struct ossa__clip_plan *plan,
                       ossa_clip *clip);
/* Those of a clip that others were joined to, in their order. */
void ossa__join_runs(struct ossa__assembly *assembly, ossa_clip *joined,
                     const ossa_clip *const *members, uint32_t count);

#endif
