/* SPDX-License-Identifier: MIT
 *
 * For those who have the files of a figure and want to know how they fit together. */
#ifndef OSSA_SCENE_EXAMINE_FIGURE_H
#define OSSA_SCENE_EXAMINE_FIGURE_H

#include "ossa/scene.h"

/* Let the game of the inputs examine them. Issues go to the options; the numbers of warnings
 * and errors are added to the two. False after a failure other than a misfit. */
bool ossa__examine(const ossa_input *inputs, size_t count, const ossa_options *options,
                   size_t *warning_count, size_t *error_count, ossa_error *error);

#endif
