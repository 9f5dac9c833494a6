/* SPDX-License-Identifier: MIT
 *
 * The bones that hang on each bone, as lists that take one step a bone. */
#ifndef OSSA_SCENE_CHILDREN_H
#define OSSA_SCENE_CHILDREN_H

#include "codec/context.h"
#include "ossa/scene.h"

/* Numbers are bone + 1, and 0 is none: first[0] is the first root, first[bone + 1] the first child
 * of a bone, next[bone + 1] its next sibling. Children are in the order of the bones. */
struct ossa__children {
    uint32_t *first;
    uint32_t *next;
};

/* False after a failure. */
bool ossa__find_children(struct ossa__context *context, const ossa_scene *scene,
                         struct ossa__children *children);

#endif
