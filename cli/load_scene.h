/* SPDX-License-Identifier: MIT
 *
 * Scenes for the verbs that need one. */
#ifndef OSSA_CLI_LOAD_SCENE_H
#define OSSA_CLI_LOAD_SCENE_H

#include "cli.h"

/* Read the inputs, folders entered, and put them together; NULL, with messages and the exit status,
 * when that fails. */
ossa_scene *load_scene(struct cli *cli, int *status);

/* Is a path one of the files that were met on the way in, used or not, under whatever name? */
bool was_met(const struct cli *cli, const char *path);

/* ", 1.2 m/s taken out (x 0, z -1.2)" of a clip that stays in place, for people; else nothing. */
void print_speed(const ossa_clip *clip);

/* Which clips --clip means: a flag for each, from malloc, and how many. NULL, with a message, when
 * there is none of that name or pattern. */
uint8_t *pick_clips(const struct cli *cli, const ossa_scene *scene, size_t *count);

#endif
