/* SPDX-License-Identifier: MIT
 *
 * How the files of a figure fit together, without a scene being made of them. A game's `examine`
 * gets the parts of one figure in an assembly that has no scene, and reports what it finds. */
#ifndef OSSA_SCENE_EXAMINE_H
#define OSSA_SCENE_EXAMINE_H

#include "scene/assembly.h"
#include "scene/examine_figure.h"

/* Report something about a part. `field` is what in it, or ""; `offset`: -1 for none. The message
 * must be a constant: findings with the same one are grouped. */
void ossa__finding(struct ossa__assembly *assembly, const struct ossa__part *part,
                   ossa_severity severity, ossa_code code, int64_t offset, const char *field,
                   const char *message, ...) OSSA_PRINTF(7, 8);

/* The only part of a format, or of several the one that is named like the folder it lies in; NULL:
 * none. Never fails. */
const struct ossa__part *ossa__main_part(const struct ossa__assembly *assembly, const char *format);

/* Names that are looked for, letter case ignored. */
struct ossa__name_list {
    const char **names;
    uint32_t count;
    uint32_t *order; /* sorted; equal ones in their own order */
};
/* Room for so many names; they are filled in and then sorted. False after a failure. */
bool ossa__name_list_take(struct ossa__context *context, uint64_t capacity,
                          struct ossa__name_list *list);
bool ossa__name_list_sort(struct ossa__context *context, struct ossa__name_list *list);
/* The first of that name; -1: none. */
int64_t ossa__name_list_find(const struct ossa__name_list *list, const char *name);

#endif
