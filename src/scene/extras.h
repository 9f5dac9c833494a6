/* SPDX-License-Identifier: MIT
 *
 * Extras as JSON. */
#ifndef OSSA_SCENE_EXTRAS_H
#define OSSA_SCENE_EXTRAS_H

#include "ossa/scene.h"

/* A member for each, in the object that is open: a text, a number, or an array of numbers. */
void ossa__json_extras(struct ossa__json *json, const ossa_extra *extras, uint32_t count);

#endif
