/* SPDX-License-Identifier: MIT
 *
 * Which files belong together by their names:
 *
 *   - a part belongs to the body of its name, or of its name without one of the game's endings
 *     (bird_head to bird, if there is no body bird_head);
 *   - a clip belongs to the body with the longest name that it begins with, up to a _.
 *
 * Where several bodies have one name, a file belongs to the nearest of them, which shares the most
 * folders with it; and of several files of one name a body takes the nearest.
 *
 * A disc has ten thousand names, and a hostile archive millions. All of them are sorted, and those
 * that begin with a text follow each other; the nearest path is a neighbour in the order of paths.
 */
#include "workspace/pairs.h"

#include "base/fold.h"

#include <stdlib.h>
#include <string.h>

struct ossa__pair ossa__pair_of(const char *path, enum ossa__role role)
{
    const char *name = path;
    for (const char *c = path; *c != '\0'; c++) {
        if (*c == '/' || *c == '\\' || *c == '#') name = c + 1;
    }
    const char *dot = strrchr(name, '.');
    return (struct ossa__pair){.path = path,
                               .start = (size_t)(name - path),
                               .size =
                                   dot == NULL || dot == name ? strlen(name) : (size_t)(dot - name),
                               .role = role};
}

bool ossa__is_nameless(const struct ossa__pair *pair)
{
    const char *name = pair->path + pair->start;
    return pair->size > 2 && name[0] == '0' && (name[1] == 'x' || name[1] == 'X') &&
           strspn(name + 2, "0123456789abcdefABCDEF") == pair->size - 2;
}

/* ---- finding them -------------------------------------------------------------------------- */

/* A file among the others, or a place between them. */
static int compare(const struct ossa__pair *item, enum ossa__role role, const char *name,
                   size_t size, const char *path)
{
    if (item->role != role) return item->role < role ? -1 : 1;
    int order = ossa__compare_sized_names(item->path + item->start, item->size, name, size);
    return order != 0 || path == NULL ? order : ossa__compare_paths(item->path, path);
}

static int by_name(const void *a, const void *b)
{
    const struct ossa__pair *x = *(struct ossa__pair *const *)a;
    const struct ossa__pair *y = *(struct ossa__pair *const *)b;
    int order = compare(x, y->role, y->path + y->start, y->size, y->path);
    return order != 0 ? order : (x > y) - (x < y);
}

static char plain(char c)
{
    if (c == '\\') return '/';
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* How many bytes of a path are folders that another one is in, too. */
static size_t shared_folders(const char *path, const char *other)
{
    size_t shared = 0;
    for (size_t i = 0; path[i] != '\0' && plain(path[i]) == plain(other[i]); i++) {
        if (plain(path[i]) == '/' || path[i] == '#') shared = i + 1;
    }
    return shared;
}

/* Is `a` nearer to a path than `b`? */
static bool is_nearer(const struct ossa__pair *a, const struct ossa__pair *b, const char *path)
{
    const size_t shared[2] = {shared_folders(a->path, path), shared_folders(b->path, path)};
    if (shared[0] != shared[1]) return shared[0] > shared[1];
    return a->start != b->start ? a->start < b->start : a < b;
}

const struct ossa__pair *ossa__pairs_find(struct ossa__pairs *pairs, enum ossa__role role,
                                          const char *name, size_t size, const char *path)
{
    const struct ossa__pair *found = NULL;
    size_t low = 0;
    for (size_t end = pairs->count; low < end;) {
        size_t middle = low + (end - low) / 2;
        pairs->compared++;
        if (compare(pairs->sorted[middle], role, name, size, path) < 0) low = middle + 1;
        else end = middle;
    }
    for (size_t i = low > 0 ? low - 1 : 0; i <= low && i < pairs->count; i++) {
        const struct ossa__pair *item = pairs->sorted[i];
        if (compare(item, role, name, size, NULL) != 0) continue;
        if (found == NULL || is_nearer(item, found, path)) found = item;
    }
    return found;
}

/* ---- clips --------------------------------------------------------------------------------- */

/* The name of a clip, or that of a body and a _ behind it. */
struct start {
    const char *text;
    size_t size;
    struct ossa__pair *item;
    const struct start *outer; /* of a body: the longest of the others that it begins with */
};

static int by_start(const void *a, const void *b)
{
    const struct start *x = a;
    const struct start *y = b;
    int order = ossa__compare_sized_names(x->text, x->size, y->text, y->size);
    if (order != 0) return order;
    bool is_body[2] = {x->item->role == OSSA__ROLE_BODY, y->item->role == OSSA__ROLE_BODY};
    if (is_body[0] != is_body[1]) return is_body[0] ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

static bool begins_with(struct ossa__pairs *pairs, const struct start *text,
                        const struct start *start)
{
    pairs->compared++;
    return ossa__common_start(start->text, start->size, text->text, text->size).a == start->size;
}

static bool add_start(struct start *start, struct ossa__pair *item, struct ossa__arena *arena)
{
    *start = (struct start){item->path + item->start, item->size, item, NULL};
    if (item->role != OSSA__ROLE_BODY) return true;
    char *text = ossa__arena_take(arena, (uint64_t)item->size + 1);
    if (text == NULL) return false;
    memcpy(text, start->text, item->size);
    text[item->size] = '_';
    start->text = text;
    start->size++;
    return true;
}

/* Behind a body come all clips that begin with it, and other bodies that do. */
static bool pair_clips(struct ossa__pairs *pairs, struct ossa__arena *arena)
{
    struct start *starts = ossa__arena_take(arena, (pairs->count + 1) * sizeof *starts);
    const struct start *body = NULL;
    size_t count = 0;
    if (starts == NULL) return false;
    for (size_t i = 0; i < pairs->count; i++) {
        struct ossa__pair *item = &pairs->items[i];
        if (item->role != OSSA__ROLE_BODY && item->role != OSSA__ROLE_CLIP) continue;
        if (!add_start(&starts[count++], item, arena)) return false;
    }
    if (count > 1) qsort(starts, count, sizeof *starts, by_start);
    for (size_t i = 0; i < count; i++) {
        struct start *start = &starts[i];
        while (body != NULL && !begins_with(pairs, start, body)) body = body->outer;
        if (start->item->role == OSSA__ROLE_BODY) {
            start->outer = body;
            body = start;
        } else if (body != NULL) {
            const struct ossa__pair *of = ossa__pairs_find(pairs, OSSA__ROLE_BODY, body->text,
                                                           body->size - 1, start->item->path);
            start->item->owner = (size_t)(of - pairs->items) + 1;
        }
    }
    return true;
}

/* Where there is one body, and no clip is called like it, names say nothing. */
static void guess_clips(struct ossa__pairs *pairs)
{
    size_t bodies = 0;
    size_t body = 0;
    for (size_t i = 0; i < pairs->count; i++) {
        const struct ossa__pair *item = &pairs->items[i];
        if (item->role == OSSA__ROLE_CLIP && item->owner != 0) return;
        if (item->role != OSSA__ROLE_BODY) continue;
        body = i;
        bodies++;
    }
    for (size_t i = 0; i < pairs->count && bodies == 1; i++) {
        if (pairs->items[i].role == OSSA__ROLE_CLIP) pairs->items[i].owner = body + 1;
    }
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void pair_part(struct ossa__pairs *pairs, struct ossa__pair *item,
                      const char *const *endings)
{
    const char *name = item->path + item->start;
    const struct ossa__pair *body =
        ossa__pairs_find(pairs, OSSA__ROLE_BODY, name, item->size, item->path);
    for (; body == NULL && endings != NULL && *endings != NULL; endings++) {
        size_t length = strlen(*endings);
        size_t size = item->size > length ? item->size - length : 0;
        if (size == 0 || !ossa__same_word(name + size, length, *endings, length)) continue;
        body = ossa__pairs_find(pairs, OSSA__ROLE_BODY, name, size, item->path);
    }
    if (body != NULL) item->owner = (size_t)(body - pairs->items) + 1;
}

static int by_owner(const void *a, const void *b)
{
    const struct ossa__pair *x = *(struct ossa__pair *const *)a;
    const struct ossa__pair *y = *(struct ossa__pair *const *)b;
    if (x->owner != y->owner) return x->owner < y->owner ? -1 : 1;
    if (x->role != y->role) return x->role == OSSA__ROLE_PART ? -1 : 1;
    return (x > y) - (x < y);
}

static void list_owned(struct ossa__pairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++) {
        struct ossa__pair *item = &pairs->items[i];
        if (item->owner == 0) continue;
        const struct ossa__pair *first =
            ossa__pairs_find(pairs, item->role, item->path + item->start, item->size,
                             pairs->items[item->owner - 1].path);
        item->is_double = first != item && first->owner == item->owner;
        if (!item->is_double) pairs->owned[pairs->owned_count++] = item;
    }
    if (pairs->owned_count > 1) {
        qsort(pairs->owned, pairs->owned_count, sizeof *pairs->owned, by_owner);
    }
}

bool ossa__pairs_make(struct ossa__pairs *pairs, const struct ossa__game *game,
                      struct ossa__arena *arena)
{
    uint64_t size = ((uint64_t)pairs->count + 1) * sizeof(struct ossa__pair *);
    pairs->sorted = ossa__arena_take(arena, size);
    pairs->owned = ossa__arena_take(arena, size);
    pairs->owned_count = 0;
    if (pairs->sorted == NULL || pairs->owned == NULL) return false;
    for (size_t i = 0; i < pairs->count; i++) pairs->sorted[i] = &pairs->items[i];
    if (pairs->count > 1) qsort(pairs->sorted, pairs->count, sizeof *pairs->sorted, by_name);
    for (size_t i = 0; i < pairs->count; i++) {
        struct ossa__pair *item = &pairs->items[i];
        if (item->role == OSSA__ROLE_PART) pair_part(pairs, item, game->part_endings);
    }
    struct ossa__mark mark = ossa__arena_mark(arena);
    bool ok = pair_clips(pairs, arena);
    ossa__arena_release(arena, mark);
    if (ok && pairs->guesses) guess_clips(pairs);
    if (ok) list_owned(pairs);
    return ok;
}

size_t ossa__pairs_owned(const struct ossa__pairs *pairs, const struct ossa__pair *body,
                         size_t *first)
{
    size_t owner = (size_t)(body - pairs->items) + 1;
    size_t low = 0;
    for (size_t end = pairs->owned_count; low < end;) {
        size_t middle = low + (end - low) / 2;
        if (pairs->owned[middle]->owner < owner) low = middle + 1;
        else end = middle;
    }
    *first = low;
    size_t end = low;
    while (end < pairs->owned_count && pairs->owned[end]->owner == owner) end++;
    return end - low;
}
