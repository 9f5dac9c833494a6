/* SPDX-License-Identifier: MIT
 *
 * Two sets of files, matched by name: both are sorted, and one pass goes through them. An archive
 * on one side may be a folder on the other, which it was extracted to: then what is in the archive
 * is matched with what is in the folder. */
#include "workspace/diff.h"

#include "base/fold.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    const struct ossa__diff_item *x = a;
    const struct ossa__diff_item *y = b;
    int order = ossa__compare_paths(x->name, y->name);
    if (order == 0) order = (x->entry > y->entry) - (x->entry < y->entry);
    return order != 0 || x->path == NULL || y->path == NULL ? order : strcmp(x->path, y->path);
}

void ossa__diff_list_sort(struct ossa__diff_list *list)
{
    if (list->count > 1) qsort(list->items, list->count, sizeof *list->items, by_name);
}

bool ossa__diff_list_start(struct ossa__differ *differ, struct ossa__diff_list *list, size_t count,
                           struct ossa__arena *arena)
{
    *list = (struct ossa__diff_list){
        .items = ossa__arena_take(arena, ((uint64_t)count + 1) * sizeof *list->items)};
    return list->items != NULL || ossa__differ_out_of_memory(differ, "");
}

bool ossa__diff_list_entries(struct ossa__differ *differ, struct ossa__node *node,
                             struct ossa__arena *arena, struct ossa__diff_list *list)
{
    if (!ossa__diff_list_start(differ, list, node->count, arena)) return false;
    for (size_t i = 0; i < node->count; i++) {
        const char *name = ossa__node_entry(node, i)->name;
        /* Compared with what it continues. */
        if (ossa__node_streams(node, i) && ossa__is_continuation(differ->workspace, node, name)) {
            continue;
        }
        list->items[list->count++] =
            (struct ossa__diff_item){.archive = node, .entry = i, .name = name};
    }
    ossa__diff_list_sort(list);
    return true;
}

/* ---- archives that are folders on the other side ------------------------------------------- */

/* The first item of a list that is in a folder and has not been matched; `start` is "folder/".
 * Gives the number of items if there is none. */
static size_t find_folder(const struct ossa__diff_list *list, const char *start)
{
    size_t low = 0;
    for (size_t end = list->count; low < end;) {
        size_t middle = low + (end - low) / 2;
        if (ossa__compare_paths(list->items[middle].name, start) < 0) low = middle + 1;
        else end = middle;
    }
    bool is_there = low < list->count && !list->items[low].is_done &&
                    ossa__begins_with(list->items[low].name, start, strlen(start)) > 0;
    return is_there ? low : list->count;
}

/* Move the items of a folder to a list of their own, with names that begin there. */
static bool take_folder(struct ossa__differ *differ, const struct ossa__diff_list *from,
                        size_t first, const char *start, struct ossa__arena *arena,
                        struct ossa__diff_list *list)
{
    size_t size = strlen(start);
    size_t end = first;
    while (end < from->count && ossa__begins_with(from->items[end].name, start, size) > 0) end++;
    if (!ossa__diff_list_start(differ, list, end - first, arena)) return false;
    for (size_t i = first; i < end; i++) {
        list->items[list->count] = from->items[i];
        list->items[list->count++].name += ossa__begins_with(from->items[i].name, start, size);
        from->items[i].is_done = true;
    }
    return true;
}

/* Match what is in an archive with a folder of the other side, from its first item on. */
static bool match_inside(struct ossa__differ *differ, struct ossa__node *node, unsigned side,
                         const struct ossa__diff_list *other, size_t first, const char *start,
                         const char *name)
{
    struct ossa__arena arena;
    struct ossa__diff_list lists[2];
    ossa__arena_init(&arena, differ->workspace->allocator, UINT64_MAX);
    const char *around = ossa__join(&arena, name, "", "#");
    bool ok = around != NULL || ossa__differ_out_of_memory(differ, name);
    ok = ok && ossa__diff_list_entries(differ, node, &arena, &lists[side]) &&
         take_folder(differ, other, first, start, &arena, &lists[1 - side]) &&
         ossa__diff_lists(differ, lists, around);
    ossa__arena_free(&arena);
    return ok;
}

/* The same for an item, if it is an archive and there is such a folder: then it `*is_done`. */
static bool match_folder(struct ossa__differ *differ, const struct ossa__diff_item *item,
                         unsigned side, const struct ossa__diff_list *other, const char *name,
                         struct ossa__arena *arena, bool *is_done)
{
    ossa_error error = {0};
    const char *start = ossa__join(arena, item->name, "", "/");
    *is_done = false;
    if (start == NULL) return ossa__differ_out_of_memory(differ, name);
    size_t first = find_folder(other, start);
    if (first == other->count) return true;
    struct ossa__node *node = ossa__diff_enter(differ, item, side, &error);
    if (node == NULL) return !ossa__is_fatal(error.code) || ossa__differ_fail(differ, &error);
    bool ok = match_inside(differ, node, side, other, first, start, name);
    ossa__node_release(node);
    *is_done = true;
    return ok;
}

/* ---- matching ------------------------------------------------------------------------------ */

bool ossa__diff_have_pair(struct ossa__differ *differ, const struct ossa__diff_list lists[2])
{
    size_t at[2] = {0, 0};
    bool has_pair = false;
    while (!has_pair && at[0] < lists[0].count && at[1] < lists[1].count) {
        const char *names[2];
        for (unsigned s = 0; s < 2; s++) names[s] = lists[s].items[at[s]].name;
        int order = ossa__compare_paths(names[0], names[1]);
        unsigned first = order <= 0 ? 0 : 1;
        struct ossa__mark mark = ossa__arena_mark(&differ->arena);
        const char *start = ossa__join(&differ->arena, names[first], "", "/");
        const struct ossa__diff_list *other = &lists[1 - first];
        has_pair = order == 0 || (start != NULL && find_folder(other, start) < other->count);
        ossa__arena_release(&differ->arena, mark);
        at[first]++;
    }
    return has_pair;
}

/* The last part of a name. */
static const char *base_of(const char *name)
{
    const char *base = name;
    for (const char *c = name; *c != '\0'; c++) {
        if (*c == '/' || *c == '\\') base = c + 1;
    }
    return base;
}

/* A file that has no counterpart of its name. */
static bool tell_single(struct ossa__differ *differ, const struct ossa__diff_item *item,
                        unsigned side, const struct ossa__diff_list *other, const char *around,
                        struct ossa__arena *arena)
{
    const char *ignored = differ->options->ignored_name;
    bool is_ignored = ignored != NULL && strcmp(base_of(item->name), ignored) == 0;
    bool is_done = false;
    if (item->is_done || is_ignored) return true;
    const char *name = ossa__join(arena, around, "", item->name);
    if (name == NULL) return ossa__differ_out_of_memory(differ, around);
    if (!match_folder(differ, item, side, other, name, arena, &is_done)) return false;
    return is_done ||
           ossa__diff_single(differ, side == 0 ? item : NULL, side == 1 ? item : NULL, name);
}

static bool tell_pair(struct ossa__differ *differ, const struct ossa__diff_item *a,
                      const struct ossa__diff_item *b, const char *around,
                      struct ossa__arena *arena)
{
    const char *name = ossa__join(arena, around, "", a->name);
    if (name == NULL) return ossa__differ_out_of_memory(differ, around);
    return ossa__diff_pair(differ, a, b, name);
}

static const struct ossa__diff_item *item_at(const struct ossa__diff_list *list, size_t index)
{
    return index < list->count ? &list->items[index] : NULL;
}

bool ossa__diff_lists(struct ossa__differ *differ, const struct ossa__diff_list lists[2],
                      const char *around)
{
    size_t at[2] = {0, 0};
    struct ossa__arena arena;
    bool ok = true;
    ossa__arena_init(&arena, differ->workspace->allocator, UINT64_MAX);
    while (ok) {
        const struct ossa__diff_item *a = item_at(&lists[0], at[0]);
        const struct ossa__diff_item *b = item_at(&lists[1], at[1]);
        struct ossa__mark mark = ossa__arena_mark(&arena);
        int order = 0;
        if (a == NULL && b == NULL) break;
        if (a == NULL) order = 1;
        else if (b == NULL) order = -1;
        else order = ossa__compare_paths(a->name, b->name);
        if (order == 0) ok = tell_pair(differ, a, b, around, &arena);
        else if (order < 0) ok = tell_single(differ, a, 0, &lists[1], around, &arena);
        else ok = tell_single(differ, b, 1, &lists[0], around, &arena);
        ossa__arena_release(&arena, mark);
        if (order <= 0) at[0]++;
        if (order >= 0) at[1]++;
    }
    ossa__arena_free(&arena);
    return ok;
}
