/* SPDX-License-Identifier: MIT */
#include "scene/children.h"

#include <string.h>

bool ossa__find_children(struct ossa__context *context, const ossa_scene *scene,
                         struct ossa__children *children)
{
    uint64_t count = (uint64_t)scene->bone_count + 1;
    children->first = ossa__take(context, count, sizeof *children->first);
    children->next = ossa__take(context, count, sizeof *children->next);
    if (children->next == NULL) return false;
    memset(children->first, 0, (size_t)count * sizeof *children->first);
    for (uint32_t number = scene->bone_count; number > 0; number--) {
        int32_t parent = scene->bones[number - 1].parent;
        size_t above = parent < 0 ? 0 : (size_t)parent + 1;
        children->next[number] = children->first[above];
        children->first[above] = number;
    }
    return true;
}
