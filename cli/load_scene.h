/* SPDX-License-Identifier: MIT
 *
 * Scenes for the verbs that need one. */
#ifndef OSSA_CLI_LOAD_SCENE_H
#define OSSA_CLI_LOAD_SCENE_H

#include "cli.h"

/* Load the inputs as one scene, and note the files that it is made of; NULL after messages. With
 * --clip it has only the clips that match. */
ossa_scene *load_scene(struct cli *cli);

/* Does --clip select a clip of this name? Notes what was found. */
bool is_wanted_clip(struct cli *cli, const char *name);

/* The clips that --clip selects: one flag per clip, from malloc, and their number. NULL, after a
 * message, if a name or pattern selects none. */
uint8_t *pick_clips(const struct cli *cli, const ossa_scene *scene, size_t *count);

/* Print ", 1.2 m/s removed (x 0, z -1.2)" for an in-place clip, otherwise nothing. */
void print_speed(const ossa_clip *clip);

#endif
