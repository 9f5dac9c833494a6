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
struct ossa__shape_pairs {
    uint32_t count;
    struct ossa__shape_pair {
        uint32_t meshes[2];
        const uint32_t *shapes[2]; /* by target: the same number for the same offsets */
    } * pairs;
};
/* False: no memory. */
bool ossa__shapes_find(struct ossa__shape_pairs *shapes, const ossa_scene *const scenes[2],
                       struct ossa__arena *arena);
/* Does a mesh have another shape in a frame that both clips have? */
bool ossa__shapes_differ(const struct ossa__shape_pairs *shapes, const ossa_clip *const clips[2]);

/* For each name of A, the number of that of B, or -1. Names that are not there as they are written
 * are looked for without regard to the case of ASCII letters; those that repeat are matched by
 * their numbers. `*is_taken`: of each name of B, whether it was matched. NULL: no memory. */
typedef const char *ossa__name_of(const ossa_scene *scene, uint32_t index);
int64_t *ossa__match_names(struct ossa__arena *arena, const uint32_t counts[2],
                           ossa__name_of *name_of, const ossa_scene *const scenes[2],
                           bool **is_taken);

#endif
