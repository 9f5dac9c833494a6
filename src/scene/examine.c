/* SPDX-License-Identifier: MIT */
#include "scene/examine.h"

#include "base/fold.h"
#include "codec/sort.h"

#include <string.h>

void ossa__finding(struct ossa__assembly *assembly, const struct ossa__part *part,
                   ossa_severity severity, ossa_code code, int64_t offset, const char *field,
                   const char *message, ...)
{
    struct ossa__context *context = &assembly->context;
    const ossa_issue issue = {.severity = severity,
                              .code = code,
                              .has_offset = offset >= 0,
                              .offset = offset < 0 ? 0 : (uint64_t)offset};
    va_list arguments;
    va_start(arguments, message);
    ossa__blame(assembly, part);
    ossa__issue_list(context, issue, field, message, arguments);
    ossa__blame(assembly, NULL);
    va_end(arguments);
}

/* "troll" in a folder or an archive troll, troll.mod or TROLL.MOD. */
static bool is_named_like_folder(const struct ossa__part *part)
{
    const char *dot = strrchr(part->folder, '.');
    size_t size = dot == NULL ? strlen(part->folder) : (size_t)(dot - part->folder);
    return ossa__compare_sized_names(part->folder, size, part->stem, strlen(part->stem)) == 0;
}

const struct ossa__part *ossa__main_part(const struct ossa__assembly *assembly, const char *format)
{
    const struct ossa__part *found = NULL;
    size_t count = 0;
    for (size_t i = 0; i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (strcmp(part->format, format) != 0) continue;
        bool is_main = is_named_like_folder(part);
        if (is_main) return part;
        found = part;
        count++;
    }
    return count == 1 ? found : NULL;
}

/* ---- names --------------------------------------------------------------------------------- */

bool ossa__name_list_take(struct ossa__context *context, uint64_t capacity,
                          struct ossa__name_list *list)
{
    *list = (struct ossa__name_list){.names = ossa__take(context, capacity, sizeof *list->names)};
    return list->names != NULL && capacity <= UINT32_MAX;
}

static bool name_before(const void *a, const void *b, void *user)
{
    const char *const *names = user;
    return ossa__compare_names(names[*(const uint32_t *)a], names[*(const uint32_t *)b]) < 0;
}

bool ossa__name_list_sort(struct ossa__context *context, struct ossa__name_list *list)
{
    list->order = ossa__take(context, list->count, sizeof *list->order);
    for (uint32_t i = 0; list->order != NULL && i < list->count; i++) list->order[i] = i;
    return list->order != NULL && ossa__sort(context, list->order, list->count, sizeof *list->order,
                                             name_before, (void *)(uintptr_t)list->names);
}

int64_t ossa__name_list_find(const struct ossa__name_list *list, const char *name)
{
    uint32_t low = 0;
    uint32_t high = list->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ossa__compare_names(list->names[list->order[middle]], name) < 0) low = middle + 1;
        else high = middle;
    }
    if (low == list->count) return -1;
    uint32_t found = list->order[low];
    return ossa__compare_names(list->names[found], name) == 0 ? (int64_t)found : -1;
}
