/* SPDX-License-Identifier: MIT
 *
 * Edits of an ANB, and what must hold for every file that is written after one. */
#ifndef OSSA_TEST_SOTC_EDITING_H
#define OSSA_TEST_SOTC_EDITING_H

#include "support/editing.h"
#include "support/scenes.h"
#include "ossa/games/shadow_of_the_colossus.h"

enum { ANB_NO_BONE = 0xffff };

/* What is done to a bone in frames from `first` on. */
struct anb_wish {
    uint32_t bone; /* ANB_NO_BONE: to none */
    uint32_t first, count;
    double degrees;           /* rotate it about X */
    const ossa_sotc_anb *anb; /* or: let it have the key `from` frames later */
    uint32_t from;
    bool is_still;    /* or: let it be the same all the time */
    bool is_spinning; /* or: let it rotate about one axis */
    double tilt;      /* or: tilt the axis that it rotates about by so many degrees */
    double move, scale;
    bool is_hidden;
    double noise; /* degrees, of all that is not edited: what programs lose on the way */
};

/* An ANB as the only input. */
struct anb_trial {
    struct editing editing;
    struct scene_files files;
    struct bytes old; /* the same bytes as the input */
    ossa_sotc_anb *anb;
};

/* It takes over the bytes. To be ended in any case. */
struct anb_trial *anb_begin(const char *path, struct bytes bytes);
struct anb_trial *anb_begin_fixture(const char *name);
void anb_end(struct anb_trial *trial);

/* For struct editing; user: struct anb_wish. */
void anb_change(void *user, const char *clip, uint32_t frame, uint32_t bone,
                struct ossa__edit_pose *pose);
/* Edit it, and fail where that fails. */
void anb_apply(struct anb_trial *trial, struct anb_wish *wish);
/* The only file that was changed. */
struct bytes anb_written(struct anb_trial *trial);
struct bytes anb_edit(struct anb_trial *trial, struct anb_wish *wish); /* both */

/* A rotation in the scene. */
struct ossa__quat anb_rotation(const ossa_sotc_anb *anb, uint32_t bone, uint32_t pose);
size_t anb_key_size(uint8_t flag);
/* The worst error of a bone against the wish, in degrees. */
double anb_worst_error(const struct anb_trial *trial, const ossa_sotc_anb *found,
                       struct anb_wish *wish);

/* Read what was written: nothing is wrong with it that was not wrong before, all but the bone of
 * the wish are as they were, and what is unknown is, too. Every pointer is relocated, if it was
 * before; up to `spare` relocations may be of what is not used any more. */
ossa_file *anb_require_changed(const struct anb_trial *trial, const struct bytes *file,
                               const struct anb_wish *wish, size_t spare);

#endif
