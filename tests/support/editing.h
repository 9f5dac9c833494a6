/* SPDX-License-Identifier: MIT
 *
 * Edits made by a test, straight into the poses that a game gets to apply: what the games do with
 * them can be tested without a file of another program. */
#ifndef OSSA_TESTS_EDITING_H
#define OSSA_TESTS_EDITING_H

#include "scene/edit.h"

/* An edit being tried. */
struct editing {
    struct ossa__editing editing; /* first: files and losses are in it */
    ossa_scene *scene;            /* that the files belong to */
    const char *clip;             /* the only clip to edit; NULL: all */
    const char *new_name;         /* make a new clip like it; NULL: change it */
    uint32_t frame_count;         /* of the edit; 0: as the clip has */
    double limit;                 /* degrees; 0: 0.1 */
    /* Change the local transform of a bone in a frame of a clip; its world rotation follows. Frames
     * beyond the clip's are its last one. NULL: change nothing. */
    void (*change)(void *user, const char *clip, uint32_t frame, uint32_t bone,
                   struct ossa__edit_pose *pose);
    void *user;
    size_t changed_clips; /* whose edit asked for files */
    ossa_error error;
};

/* Assemble the inputs and apply the edit. False: it failed, see the error. To be freed in any case.
 */
bool editing_run(struct editing *editing, const ossa_input *inputs, size_t count,
                 const ossa_scene_options *options);
void editing_free(struct editing *editing);

/* The bytes of a file that was changed or made; false after a failure. */
bool editing_write(struct editing *editing, size_t file, ossa_buffer *bytes);

#endif
