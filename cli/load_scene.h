/* SPDX-License-Identifier: MIT
 *
 * Scenes for the verbs that need one. */
#ifndef OSSA_CLI_LOAD_SCENE_H
#define OSSA_CLI_LOAD_SCENE_H

#include "cli.h"

/* Load the inputs as one scene; NULL, after messages and with the exit status, on failure. */
ossa_scene *load_scene(struct cli *cli, int *status);

/* Is a path a file among the inputs, used or not, under any name? */
bool is_input(const struct cli *cli, const char *path);

/* Print ", 1.2 m/s removed (x 0, z -1.2)" for an in-place clip, otherwise nothing. */
void print_speed(const ossa_clip *clip);

/* The clips that --clip selects: one flag per clip, from malloc, and their number. NULL, after a
 * message, if there are none. */
uint8_t *pick_clips(const struct cli *cli, const ossa_scene *scene, size_t *count);

#endif
