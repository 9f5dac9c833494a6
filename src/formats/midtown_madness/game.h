/* SPDX-License-Identifier: MIT
 *
 * A clip of an animation: how game.c plays it, and how game_apply.c puts an edit into it. */
#ifndef OSSA_MM_GAME_H
#define OSSA_MM_GAME_H

#include "base/quaternion.h"
#include "ossa/games/midtown_madness.h"
#include "scene/assembly.h"

/* What the edits of clips have changed in an animation. Several states may play the same frames. */
struct ossa__mm_changes {
    float *values;   /* of its pose channel; NULL: nothing has changed */
    uint32_t *clips; /* [frame][1 + bone]: the clip that changed the root's translation or the
                      * angles of a bone, + 1; 0: none */
};

struct ossa__mm_motion {
    struct ossa__assembly *assembly;
    const struct ossa__part *part;
    const ossa_mm_channel *channel;
    uint32_t first; /* frame of the animation at which the clip begins */
    bool backwards;
    const struct ossa__part *table;   /* of states; NULL: none */
    const ossa_mm_state *state;       /* that plays the clip; NULL: it is the whole animation */
    struct ossa__mm_changes *changes; /* NULL: nothing is edited */
};

/* The frame of the animation that is a frame of the clip. */
static inline uint32_t ossa__mm_frame_of(const struct ossa__mm_motion *motion, uint32_t frame)
{
    return motion->backwards ? motion->first - frame : motion->first + frame;
}

/* The root's translation, then three angles per bone. */
static inline const float *ossa__mm_values_in(const struct ossa__mm_motion *motion, uint32_t frame)
{
    return motion->channel->values + (size_t)frame * motion->channel->floats_per_frame;
}

/* How far the root of a clip is from where it is shown, along an axis: in place, a state begins
 * where its animation does, wherever its own frames are. */
double ossa__mm_root_offset(const struct ossa__mm_motion *motion, unsigned axis);

/* The `apply` of a clip; `user` is its motion. */
void ossa__mm_apply(void *user, struct ossa__edit *edit);

/* Add a state that plays a new animation, of these values, to the table (game_new_state.c). */
void ossa__mm_add_state(const struct ossa__mm_motion *motion, struct ossa__edit *edit,
                        const float *values);

#endif
