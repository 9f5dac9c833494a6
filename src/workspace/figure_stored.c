/* SPDX-License-Identifier: MIT
 *
 * Figures that a folder stores by name, as an archive does (stored.c): unpacked archives, or files
 * taken out of one. The folders or archives NAME + figure_endings are one figure, as are the files
 * NAME + single_endings, and a link with the files that it names. Where a folder has a tree of
 * several parts, its files are parts of that, and not figures. */
#include "workspace/figures.h"

#include "base/fold.h"

#include <stdlib.h>
#include <string.h>

enum kind {
    WHOLE,   /* in a folder or an archive NAME.mod */
    BESIDE,  /* in NAME.bon or NAME.anm */
    MESH,    /* the file NAME.fig */
    PART,    /* the file NAME.bon */
    LINK,    /* the file NAME.lnk */
    NEITHER, /* nothing of the kind */
};

/* A file by what it is called: its path up to the ending. */
struct item {
    struct ossa__member *file;
    size_t size; /* of the name, in the path of the file */
    enum kind kind;
    bool is_used; /* of the first of a name: a figure has its files, whatever else links to it */
};

struct items {
    struct item *list; /* sorted by name */
    size_t count;
};

/* Which of the endings a name has; -1: none. */
static int ending_of(const char *name, size_t size, const char *const *endings)
{
    for (int i = 0; endings[i] != NULL; i++) {
        size_t length = strlen(endings[i]);
        const char *end = name + size - (size > length ? length : 0);
        if (size > length && ossa__same_word(end, length, endings[i], length)) return i;
    }
    return -1;
}

/* The outermost folder or archive below the path that was given, or above a file that was given by
 * itself, that is stored so. */
static struct item item_of(struct ossa__member *file)
{
    const struct ossa__game *game = file->format->game;
    const char *const link[] = {game->link_ending, NULL};
    const char *path = file->path;
    size_t size = strlen(path);
    size_t base = file->base < size ? file->base : 0;
    size_t start = 0;
    for (size_t end; (end = ossa__folder_end(path, start)) > 0; start = end + 1) {
        int ending = ending_of(path + start, end - start, game->figure_endings);
        if (ending < 0 || end < base) continue;
        end -= strlen(game->figure_endings[ending]);
        return (struct item){file, end, ending == 0 ? WHOLE : BESIDE, false};
    }
    bool is_body = file->format->role == OSSA__ROLE_BODY;
    int ending = ending_of(path + start, size - start, is_body ? link : game->single_endings);
    if (ending < 0) return (struct item){file, size, NEITHER, false};
    size -= strlen(is_body ? link[0] : game->single_endings[ending]);
    if (is_body) return (struct item){file, size, LINK, false};
    return (struct item){file, size, file->facts.mesh_count > 0 ? MESH : PART, false};
}

static int by_name(const void *a, const void *b)
{
    const struct item *x = a;
    const struct item *y = b;
    int order = ossa__compare_sized_names(x->file->path, x->size, y->file->path, y->size);
    return order != 0 ? order : (x->file > y->file) - (x->file < y->file);
}

/* The items of one name: from `first` up to the result. */
static size_t end_of_run(const struct items *items, size_t first)
{
    size_t end = first + 1;
    const struct item *item = &items->list[first];
    while (end < items->count &&
           ossa__compare_sized_names(item->file->path, item->size, items->list[end].file->path,
                                     items->list[end].size) == 0) {
        end++;
    }
    return end;
}

/* The first item of a name, or the number of all. */
static size_t find(struct ossa__maker *maker, const struct items *items, const char *name)
{
    size_t size = strlen(name);
    size_t low = 0;
    size_t high = items->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct item *item = &items->list[middle];
        maker->compared++;
        int order = ossa__compare_sized_names(item->file->path, item->size, name, size);
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    if (low == items->count) return low;
    const struct item *item = &items->list[low];
    bool is_it = ossa__compare_sized_names(item->file->path, item->size, name, size) == 0;
    return is_it ? low : items->count;
}

/* ---- making them --------------------------------------------------------------------------- */

/* A figure of the first item's name: the body, if there is one, then those of the kinds. */
static void make(struct ossa__maker *maker, const struct items *items, size_t first,
                 struct ossa__member *body, const struct item *named, unsigned kinds)
{
    size_t end = first < items->count ? end_of_run(items, first) : first;
    struct ossa__group group = {
        ossa__maker_take(maker, end - first + 1, sizeof(struct ossa__member *)), 0};
    char *name = ossa__copy(&maker->scratch, named->file->path, named->size);
    if (name == NULL) maker->ok = false;
    if (!maker->ok) return;
    if (body != NULL) group.files[group.count++] = body;
    for (size_t i = first; i < end; i++) {
        const struct item *item = &items->list[i];
        bool is_its = (kinds >> item->kind & 1U) != 0 && item->file->figure == 0;
        if (is_its && item->file != body) group.files[group.count++] = item->file;
    }
    if (group.count > 0) ossa__make_figure(maker, &group, ossa__last_name(name));
}

/* Of several trees in NAME.mod the one that is called NAME, or the first. */
static struct ossa__member *tree_of(const struct items *items, size_t first, size_t end)
{
    struct ossa__member *found = NULL;
    for (size_t i = first; i < end; i++) {
        struct item item = items->list[i];
        if (item.kind != WHOLE || item.file->format->role != OSSA__ROLE_BODY) continue;
        const char *name = item.file->path + item.size;
        while (name > item.file->path && strchr("/\\#", name[-1]) == NULL) name--;
        size_t size = (size_t)(item.file->path + item.size - name);
        if (ossa__compare_sized_names(item.file->name, strlen(item.file->name), name, size) == 0) {
            return item.file;
        }
        if (found == NULL) found = item.file;
    }
    return found;
}

static void make_whole(struct ossa__maker *maker, const struct items *items)
{
    for (size_t first = 0, end; first < items->count && maker->ok; first = end) {
        bool is_whole = false;
        end = end_of_run(items, first);
        for (size_t i = first; i < end; i++) is_whole |= items->list[i].kind == WHOLE;
        if (!is_whole) continue;
        make(maker, items, first, tree_of(items, first, end), &items->list[first],
             1U << WHOLE | 1U << BESIDE);
    }
}

/* The folder of a file, with its separator, as its size. */
static size_t folder_size(const char *path)
{
    return (size_t)(ossa__last_name(path) - path);
}

/* What is known of folders. Items of one folder do not all follow each other. */
enum { HAS_TREE = 1, HAS_FIGURES = 2 };

struct folders {
    struct ossa__table table;
    size_t none; /* where there is no memory */
};

static size_t *note_of(struct ossa__maker *maker, struct folders *folders,
                       const struct ossa__member *file)
{
    struct ossa__cell *cell =
        ossa__table_put(&folders->table, &maker->scratch, file->path, folder_size(file->path));
    if (cell == NULL) maker->ok = false;
    return cell == NULL ? &folders->none : &cell->value;
}

static void note_folders(struct ossa__maker *maker, const struct items *items,
                         struct folders *folders)
{
    for (size_t i = 0; i < items->count && maker->ok; i++) {
        const struct ossa__member *file = items->list[i].file;
        bool is_tree = file->format->role == OSSA__ROLE_BODY && file->facts.bone_count > 1;
        if (is_tree && file->figure == 0) *note_of(maker, folders, file) |= HAS_TREE;
    }
}

/* Has a name such files? */
static bool has_kind(const struct items *items, size_t first, enum kind kind)
{
    size_t end = first < items->count ? end_of_run(items, first) : first;
    for (size_t i = first; i < end; i++) {
        if (items->list[i].kind == kind && items->list[i].file->figure == 0) return true;
    }
    return false;
}

static bool is_free_mesh(const struct items *items, size_t first)
{
    return first < items->count && !items->list[first].is_used && has_kind(items, first, MESH);
}

/* What a link names: what is called like it and its word, or like the word. */
static size_t follow(struct ossa__maker *maker, const struct items *items, const struct item *link)
{
    const char *path = link->file->path;
    const char *name = ossa__copy(&maker->scratch, path, link->size);
    const char *folder = ossa__copy(&maker->scratch, path, folder_size(path));
    const char *longer =
        name == NULL ? NULL : ossa__join(&maker->scratch, name, "", link->file->link);
    const char *whole =
        folder == NULL ? NULL : ossa__join(&maker->scratch, folder, "", link->file->link);
    if (longer == NULL || whole == NULL) {
        maker->ok = false;
        return items->count;
    }
    size_t found = find(maker, items, longer);
    return is_free_mesh(items, found) ? found : find(maker, items, whole);
}

static void make_small(struct ossa__maker *maker, const struct items *items, size_t first,
                       struct ossa__member *link, const struct item *named, struct folders *folders)
{
    make(maker, items, first, link, named, 1U << MESH | 1U << PART | 1U << BESIDE);
    items->list[first].is_used = true;
    *note_of(maker, folders, named->file) |= HAS_FIGURES;
}

static void make_linked(struct ossa__maker *maker, const struct items *items,
                        struct folders *folders)
{
    for (size_t i = 0; i < items->count && maker->ok; i++) {
        const struct item *item = &items->list[i];
        if (item->kind != LINK || item->file->link == NULL || item->file->figure != 0) continue;
        if ((*note_of(maker, folders, item->file) & HAS_TREE) != 0) continue;
        size_t found = follow(maker, items, item);
        if (is_free_mesh(items, found)) make_small(maker, items, found, item->file, item, folders);
    }
}

/* Meshes with a position, or `alone`: a mesh by itself may be anything, but not among figures. */
static void make_singles(struct ossa__maker *maker, const struct items *items, bool alone,
                         struct folders *folders)
{
    for (size_t first = 0, end; first < items->count && maker->ok; first = end) {
        const struct item *item = &items->list[first];
        end = end_of_run(items, first);
        if (!is_free_mesh(items, first) || has_kind(items, first, LINK)) continue;
        size_t note = *note_of(maker, folders, item->file);
        bool is_figure = alone ? (note & HAS_FIGURES) != 0 : has_kind(items, first, PART);
        if (!is_figure || (note & HAS_TREE) != 0) continue;
        make_small(maker, items, first, NULL, item, folders);
    }
}

void ossa__make_stored(struct ossa__maker *maker, struct ossa__group *group)
{
    struct items items = {ossa__maker_take(maker, group->count, sizeof *items.list), 0};
    struct folders folders = {.none = 0};
    size_t kept = 0;
    if (!maker->ok || group->count == 0) return;
    if (group->files[0]->format->game->single_endings == NULL) return;
    for (size_t i = 0; i < group->count; i++) {
        struct item item = item_of(group->files[i]);
        if (item.kind != NEITHER) items.list[items.count++] = item;
    }
    if (items.count > 1) qsort(items.list, items.count, sizeof *items.list, by_name);
    make_whole(maker, &items);
    note_folders(maker, &items, &folders);
    make_linked(maker, &items, &folders);
    make_singles(maker, &items, false, &folders);
    make_singles(maker, &items, true, &folders);
    for (size_t i = 0; i < group->count; i++) {
        if (group->files[i]->figure == 0) group->files[kept++] = group->files[i];
    }
    group->count = kept;
}
