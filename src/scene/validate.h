/* SPDX-License-Identifier: MIT
 *
 * What the parts of ossa_scene_validate share. */
#ifndef OSSA_SCENE_VALIDATE_H
#define OSSA_SCENE_VALIDATE_H

#include "ossa/scene.h"

/* What an error is about: `bones[3]`, or all of a member. Its text is made only when there is one.
 */
struct ossa__scene_item {
    const char *member;
    uint64_t index; /* OSSA__WHOLE: not of one */
};
#define OSSA__WHOLE UINT64_MAX

/* Set the error; always gives false. */
bool ossa__refuse(ossa_error *error, struct ossa__scene_item field, const char *message, ...)
    OSSA_PRINTF(3, 4);

bool ossa__is_name(const char *name);
bool ossa__are_finite(const float *values, uint64_t count);

/* The name of one of the clips, cameras or variants. */
typedef const char *(*ossa__item_name)(const ossa_scene *scene, uint32_t index);
/* One of `count` names that is also that of an earlier one; `count`: they all differ. */
uint32_t ossa__find_repeated(const ossa_scene *scene, uint32_t count, ossa__item_name name_of);

/* Options and issues. */
bool ossa__check_about(const ossa_scene *scene, ossa_error *error);
bool ossa__check_meshes(const ossa_scene *scene, ossa_error *error);
/* Where keys are stored (keys.c); after bones and clips. */
bool ossa__check_key_runs(const ossa_scene *scene, ossa_error *error);

#endif
