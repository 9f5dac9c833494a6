/* SPDX-License-Identifier: MIT
 *
 * Figures of an archive whose entries pair by name (pairs.c): #bird_A is the skeleton of that name,
 * its models, its animations and the textures that its models list. Nothing is read but the models
 * of a figure that is asked for.
 *
 * A model of no skeleton, such as a rock, is a figure if it is asked for (#rock), but it is counted
 * and listed only if the archive has no skeletons: a disc has five thousand of them. Where several
 * are called alike, the first path has the name, and the others go by theirs
 * (#world/c3_4/nmo/rock). Skeletons and animations that are called by their offsets pair with
 * nothing. */
#include "workspace/pairs.h"

#include "archive/entries.h"
#include "base/fold.h"

#include <string.h>

static const struct ossa__game *game_of(const struct ossa__node *node)
{
    return ossa__format_of(node->file)->game;
}

/* What an entry is by its name, since nobody has read it. */
static enum ossa__role role_of(const struct ossa__game *game, const char *name)
{
    for (size_t i = 0; ossa__formats[i] != NULL; i++) {
        const struct ossa__format *format = ossa__formats[i];
        if (format->game != game || format->role == OSSA__ROLE_NONE) continue;
        if (ossa_format_fits_name(&format->about, name)) return format->role;
    }
    return OSSA__ROLE_NONE;
}

/* An entry without a name goes by what it calls itself, if it is a part or a companion. That of a
 * body or a clip does not say what belongs together. */
static struct ossa__pair pair_of(const struct ossa__node *node, size_t entry)
{
    const char *name = ossa__node_entry(node, entry)->name;
    const struct ossa__entry_hint *hint = ossa__entry_hint_of(node->file, entry);
    struct ossa__pair pair = ossa__pair_of(name, role_of(game_of(node), name));
    bool is_meant = pair.role == OSSA__ROLE_PART || pair.role == OSSA__ROLE_COMPANION;
    if (!is_meant || hint == NULL || hint->own_name == NULL || !ossa__is_nameless(&pair)) {
        return pair;
    }
    return ossa__pair_of(hint->own_name, pair.role);
}

/* The figures of this role, in the order of names. Of the same path only the first is found. */
static size_t mark_figures(struct ossa__node *node, enum ossa__role role)
{
    const struct ossa__pairs *pairs = node->pairs;
    const struct ossa__pair *last = NULL;
    size_t count = 0;
    for (size_t i = 0; i < pairs->count; i++) {
        const struct ossa__pair *item = pairs->sorted[i];
        if (item->role != role) continue;
        bool is_alike =
            last != NULL && ossa__compare_sized_names(last->path + last->start, last->size,
                                                      item->path + item->start, item->size) == 0;
        bool is_same = is_alike && ossa__same_path(last->path, item->path);
        last = item;
        if (is_same) continue;
        node->begins[item - pairs->items] =
            is_alike ? OSSA__BEGINS_PAIRED_PATH : OSSA__BEGINS_PAIRED;
        count++;
    }
    return count;
}

bool ossa__find_paired(struct ossa__node *node)
{
    bool has_nameless = false; /* bodies */
    struct ossa__pairs *pairs = ossa__arena_take(&node->arena, sizeof *pairs);
    uint64_t size = ((uint64_t)node->count + 1) * sizeof *pairs->items;
    struct ossa__pair *items = pairs == NULL ? NULL : ossa__arena_take(&node->arena, size);
    node->begins = ossa__arena_take(&node->arena, (uint64_t)node->count + 1);
    if (items == NULL || node->begins == NULL) return false;
    memset(node->begins, 0, node->count);
    *pairs = (struct ossa__pairs){.items = items, .count = node->count, .guesses = true};
    for (size_t i = 0; i < node->count; i++) {
        items[i] = pair_of(node, i);
        bool is_nameless = ossa__is_nameless(&items[i]);
        has_nameless = has_nameless || (is_nameless && items[i].role == OSSA__ROLE_BODY);
        if (is_nameless) items[i].role = OSSA__ROLE_NONE;
    }
    if (!ossa__pairs_make(pairs, game_of(node), &node->arena)) return false;
    node->pairs = pairs;
    node->figure_count = mark_figures(node, OSSA__ROLE_BODY);
    if (node->figure_count == 0 && !has_nameless) {
        node->figure_count = mark_figures(node, OSSA__ROLE_PART);
    }
    return true;
}

const char *ossa__paired_name(const struct ossa__node *node, size_t entry, size_t *size)
{
    const struct ossa__pair *item = &node->pairs->items[entry];
    bool is_path = node->begins[entry] == OSSA__BEGINS_PAIRED_PATH;
    *size = item->size + (is_path ? item->start : 0);
    return item->path + (is_path ? 0 : item->start);
}

bool ossa__is_paired_body(const struct ossa__node *node, size_t entry)
{
    return node->pairs != NULL && node->pairs->items[entry].role == OSSA__ROLE_BODY;
}

size_t ossa__paired_clips(const struct ossa__node *node, size_t entry)
{
    size_t first;
    size_t clips = 0;
    size_t count = ossa__pairs_owned(node->pairs, &node->pairs->items[entry], &first);
    for (size_t i = first; i < first + count; i++) {
        clips += node->pairs->owned[i]->role == OSSA__ROLE_CLIP;
    }
    return clips;
}

/* ---- the entries of a figure --------------------------------------------------------------- */

/* What a name means, with a dot behind it: the first of that name, or the one of that path; NULL:
 * nothing. */
static const struct ossa__pair *find(const struct ossa__node *node, const char *name)
{
    static const enum ossa__role roles[] = {OSSA__ROLE_BODY, OSSA__ROLE_PART};
    struct ossa__pairs pairs = *node->pairs; /* what it counts is for one thread */
    const struct ossa__pair wanted = ossa__pair_of(name, OSSA__ROLE_NONE);
    bool has_folder = wanted.start > 0;
    for (size_t i = 0; i < 2; i++) {
        const struct ossa__pair *item = ossa__pairs_find(&pairs, roles[i], name + wanted.start,
                                                         wanted.size, has_folder ? name : "");
        if (item == NULL) continue;
        size_t same = ossa__begins_with(item->path, name, strlen(name));
        if (!has_folder || same == item->start + item->size + 1) return item;
    }
    return NULL;
}

bool ossa__paired_entries(const struct ossa__node *node, const char *name,
                          struct ossa__arena *arena, const size_t **entries, size_t *count)
{
    const struct ossa__pairs *pairs = node->pairs;
    const char *whole = ossa__join(arena, name, "", ".");
    if (whole == NULL) return false;
    const struct ossa__pair *item = find(node, whole);
    size_t first = 0;
    *count = 0;
    if (item == NULL) return true;
    size_t owned = ossa__pairs_owned(pairs, item, &first);
    size_t *list = ossa__arena_take(arena, ((uint64_t)owned + 1) * sizeof *list);
    *entries = list;
    if (list == NULL) return false;
    list[(*count)++] = (size_t)(item - pairs->items);
    for (size_t i = first; i < first + owned; i++) {
        list[(*count)++] = (size_t)(pairs->owned[i] - pairs->items);
    }
    return true;
}

bool ossa__is_paired_part(const struct ossa__node *node, size_t entry)
{
    return node->pairs != NULL && node->pairs->items[entry].role == OSSA__ROLE_PART;
}

int64_t ossa__paired_companion(const struct ossa__node *node, size_t part, const char *name,
                               size_t size)
{
    struct ossa__pairs pairs = *node->pairs;
    const struct ossa__pair *found =
        ossa__pairs_find(&pairs, OSSA__ROLE_COMPANION, name, size, pairs.items[part].path);
    return found == NULL ? -1 : found - pairs.items;
}
