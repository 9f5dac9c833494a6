/* SPDX-License-Identifier: MIT
 *
 * A clip of Evil Islands: what reading one (game_clip.c) shares with putting an edit into its files
 * (game_apply.c, and game_apply_shape.c for morph frames). */
#ifndef OSSA_EI_GAME_CLIP_H
#define OSSA_EI_GAME_CLIP_H

#include "base/quaternion.h"
#include "formats/evil_islands/game.h"

/* One clip being read: an animation for each part. */
struct ossa__ei_clip {
    struct ossa__ei_figure *figure;
    struct ossa__ei_records *records;
    const struct ossa__part *first;
    const uint32_t *members; /* all its files, those of parts that are not shown too */
    uint32_t member_count;
    const struct ossa__part **parts; /* by bone; NULL: none */
    uint32_t frame_count;
    struct ossa__quat *rotations; /* by bone: Q of the current frame */
    uint8_t *turns;               /* by bone: Q may change in the course of the clip */
    uint8_t *rotates;             /* by bone: its local rotation may */
    uint8_t *translates;          /* by bone: its translation may */
    uint32_t morph_count;
    uint32_t *morph_meshes; /* those that change their shape, rising */
};

/* The file that animates a bone; NULL: none. A variant without one moves as its slot does, and the
 * root's is where the root is. */
const struct ossa__part *ossa__ei_part_of(const struct ossa__ei_clip *clip, uint32_t bone);

/* A rotation as it is stored; false: it is none. */
bool ossa__ei_rotation_from(const float wxyz[4], struct ossa__quat *q);

/* The mesh that a part's morph frames change + 1; 0: it has no such frames, or they do not fit. */
uint32_t ossa__ei_mesh_morphed(const struct ossa__ei_figure *figure, uint32_t bone,
                               const ossa_ei_anm *anm);

/* ---- the way back -------------------------------------------------------------------------- */

/* Put an edit into the files of a clip, which is `user`; for struct ossa__clip_plan. */
void ossa__ei_apply(void *user, struct ossa__edit *edit);

/* Rows of `width` floats, `count` of them in a clip of `old` frames, for one of `frames`: as far
 * through the clip as they were, between two on the straight line. NULL after a failure. */
float *ossa__ei_stretch(struct ossa__context *context, const float *rows, uint32_t count,
                        size_t width, uint32_t old, uint32_t frames);

/* The shapes of an edit as morph frames of a file, `anm`, whose arrays are still those that were
 * read; `mesh` decides what they are. False: nothing has changed. */
bool ossa__ei_apply_shapes(const struct ossa__ei_clip *clip, struct ossa__edit *edit, uint32_t mesh,
                           ossa_ei_anm *anm);
/* Report what the shapes of a mesh lose. `was` are the frames that were read, `anm` those that will
 * be written; NULL: there is no file. */
void ossa__ei_check_shapes(const struct ossa__ei_clip *clip, struct ossa__edit *edit, uint32_t mesh,
                           const ossa_ei_anm *was, const ossa_ei_anm *anm);

#endif
