/* SPDX-License-Identifier: MIT
 *
 * Scenes for the verbs that need one. */
#ifndef OSSA_CLI_LOAD_SCENE_H
#define OSSA_CLI_LOAD_SCENE_H

#include "cli.h"

/* Read the inputs, folders entered, and put them together; NULL, with messages and the exit status,
 * when that fails. */
ossa_scene *load_scene(struct cli *cli, int *status);

/* Is a path one of the files that a scene was made of, under whatever name? */
bool was_read(const struct cli *cli, const char *path);

/* Which clips --clip means: a flag for each, from malloc, and how many. NULL, with a message, when
 * there is none of that name or pattern. */
uint8_t *pick_clips(const struct cli *cli, const ossa_scene *scene, size_t *count);

#endif
