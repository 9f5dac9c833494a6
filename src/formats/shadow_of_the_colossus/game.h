/* SPDX-License-Identifier: MIT
 *
 * Files of Shadow of the Colossus becoming a scene, and an edited clip on its way back. */
#ifndef OSSA_SOTC_GAME_H
#define OSSA_SOTC_GAME_H

#include "codec/format.h"
#include "scene/edit.h"

/* The `apply` of a clip's plan; game_apply.c. */
void ossa__sotc_apply(void *user, struct ossa__edit *edit);
/* The same for an animation of objects, in which nothing can be changed. */
void ossa__sotc_apply_still(void *user, struct ossa__edit *edit);

/* Options for people; game_option_list.c. */
extern const struct ossa__game_option ossa__sotc_option_list[];

/* Which files are one figure; game_figures.c. */
extern const char *const ossa__sotc_part_endings[];
const char *ossa__sotc_listed_texture(const struct ossa__format *format, const void *contents,
                                      uint32_t index, size_t *size);

#endif
