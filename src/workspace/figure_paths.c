/* SPDX-License-Identifier: MIT
 *
 * The paths of a figure: a folder stands for all files in it, if none of them is of another figure.
 * In an order in which the files of a folder follow each other, only neighbours must be compared.
 */
#include "workspace/figures.h"

#include <stdlib.h>
#include <string.h>

/* A path in that order. */
struct ossa__place_of {
    const char *path;
    struct ossa__member *file; /* NULL: one that no figure may take in */
};

static bool is_separator(char c)
{
    return c == '/' || c == '\\' || c == '#';
}

size_t ossa__folder_end(const char *path, size_t start)
{
    size_t end = start == 0 ? strspn(path, "/\\") : start; /* /games is the first of /games/x */
    while (path[end] != '\0' && !is_separator(path[end])) end++;
    return path[end] == '\0' ? 0 : end;
}

/* Separators are alike, and come before everything else. */
static int rank(char c)
{
    if (c == '\0') return 0;
    return is_separator(c) ? 1 : (uint8_t)c + 1;
}

static int by_path(const void *a, const void *b)
{
    const char *x = ((const struct ossa__place_of *)a)->path;
    const char *y = ((const struct ossa__place_of *)b)->path;
    size_t i = 0;
    while (rank(x[i]) == rank(y[i]) && x[i] != '\0') i++;
    return rank(x[i]) - rank(y[i]);
}

void ossa__order_paths(struct ossa__maker *maker)
{
    size_t count = maker->file_count + maker->other_count;
    maker->order = ossa__maker_take(maker, count, sizeof *maker->order);
    if (!maker->ok) return;
    for (size_t i = 0; i < maker->file_count; i++) {
        struct ossa__member *file = &maker->files[i];
        maker->order[i] = (struct ossa__place_of){file->path, file};
    }
    for (size_t i = 0; i < maker->other_count; i++) {
        maker->order[maker->file_count + i] = (struct ossa__place_of){maker->others[i], NULL};
    }
    if (count > 1) qsort(maker->order, count, sizeof *maker->order, by_path);
    for (size_t i = 0; i < count; i++) {
        if (maker->order[i].file != NULL) maker->order[i].file->order = i;
    }
}

/* How many bytes of a path another one shares, as far as both are in the same folders: in every
 * folder of `path` that ends within them is the other. */
static size_t shared_folders(struct ossa__maker *maker, const char *path, size_t neighbour)
{
    const struct ossa__place_of *other = &maker->order[neighbour];
    size_t size = 0;
    maker->compared++;
    while (path[size] != '\0' && path[size] == other->path[size]) size++;
    /* A file that is the folder counts as one in it, but a disc is no file of a figure. */
    bool is_end = other->path[size] == '\0' ? other->file != NULL : is_separator(other->path[size]);
    return is_end || size == 0 ? size : size - 1;
}

/* The outermost folder of a file that ends behind what it shares with other figures, or the file;
 * NULL: no memory. */
static const char *shorten(struct ossa__maker *maker, const struct ossa__member *file,
                           size_t shared)
{
    const char *path = file->path;
    if (file->is_named) return path;
    for (size_t end = ossa__folder_end(path, 0); end > 0; end = ossa__folder_end(path, end + 1)) {
        if (end >= file->base && end > shared) return ossa__copy(&maker->scratch, path, end);
    }
    return path;
}

static int by_order(const void *a, const void *b)
{
    size_t x = (*(struct ossa__member *const *)a)->order;
    size_t y = (*(struct ossa__member *const *)b)->order;
    return (x > y) - (x < y);
}

void ossa__add_figure_paths(struct ossa__maker *maker, ossa_figure *figure,
                            const struct ossa__group *group)
{
    size_t count = group->count;
    size_t all = maker->file_count + maker->other_count;
    struct ossa__member **files = ossa__maker_take(maker, count, sizeof(struct ossa__member *));
    if (!maker->ok || count == 0) return;
    memcpy(files, group->files, count * sizeof(struct ossa__member *));
    qsort(files, count, sizeof(struct ossa__member *), by_order);
    /* Files in a row have the same neighbours of other figures. */
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count; next++) {
            if (files[next]->order != files[next - 1]->order + 1) break;
        }
        size_t before = files[first]->order;
        size_t behind = files[next - 1]->order + 1;
        for (size_t i = first; i < next; i++) {
            size_t left = before == 0 ? 0 : shared_folders(maker, files[i]->path, before - 1);
            size_t right = behind == all ? 0 : shared_folders(maker, files[i]->path, behind);
            files[i]->shown = shorten(maker, files[i], left > right ? left : right);
        }
    }
    for (size_t i = 0; i < count && maker->ok; i++) {
        ossa__add_figure_path(maker, figure, group->files[i]->shown, group->files[i]->origin);
    }
}
