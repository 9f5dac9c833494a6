/* SPDX-License-Identifier: MIT
 *
 * What differs between the bones and clips of two scenes. */
#ifndef OSSA_SCENE_DIFF_H
#define OSSA_SCENE_DIFF_H

#include "base/memory.h"
#include "ossa/diff.h"

struct ossa__scene_diff {
    const ossa_scene *scenes[2]; /* A and B */
    const char *figure;          /* what callbacks call it */
    const ossa_diff_options *options;
    ossa_diff *diff; /* to which the counts are added */
    /* Called before each clip; false, with the error, ends the call. NULL: nobody asks. */
    bool (*goes_on)(void *user, const char *clip, ossa_error *error);
    void *user;
};

/* False: no memory, or ended. */
bool ossa__diff_scenes(const struct ossa__scene_diff *job, ossa_allocator allocator,
                       ossa_error *error);

/* Meshes with morph targets that both scenes have: which of their targets are the same shape. */
struct ossa__shapes {
    uint32_t count;
    struct ossa__shape_pair {
        uint32_t meshes[2];
        const uint32_t *shapes[2]; /* by target: the same number for the same offsets */
    } * pairs;
};
/* False: no memory. */
bool ossa__shapes_find(struct ossa__shapes *shapes, const ossa_scene *const scenes[2],
                       struct ossa__arena *arena);
/* Does a mesh have another shape in a frame that both clips have? */
bool ossa__shapes_differ(const struct ossa__shapes *shapes, const ossa_clip *const clips[2]);

/* The number of the name that is the same, by A's: -1, none. Names that repeat are matched in
 * their order where that is the same. NULL: no memory. */
int64_t *ossa__match_names(struct ossa__arena *arena, uint32_t counts[2],
                           const char *(*name_of)(const ossa_scene *scene, uint32_t index),
                           const ossa_scene *const scenes[2]);

#endif
