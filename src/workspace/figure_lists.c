/* SPDX-License-Identifier: MIT
 *
 * Figures of a folder whose files list their clips (struct ossa__game, listed_clip): such a figure
 * is a body, what is called like it, and what the list names. Several figures may have one clip. */
#include "workspace/figures.h"

#include "base/fold.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    return ossa__compare_names(*(const char *const *)a, *(const char *const *)b);
}

void ossa__note_listed(struct ossa__maker *maker, const void *contents, struct ossa__member *file)
{
    const struct ossa__game *game = file->format->game;
    size_t size = 0;
    size_t kept = 0;
    const char *name;
    const char *(*list)(const struct ossa__format *, const void *, uint32_t, size_t *) =
        game->listed_clip != NULL ? game->listed_clip : game->listed_companion;
    if (list == NULL) return;
    for (uint32_t i = 0; maker->ok && (name = list(file->format, contents, i, &size)) != NULL;
         i++) {
        const char **listed =
            ossa__grow(&maker->scratch, file->listed, file->listed_count, sizeof *listed);
        const char *copy = ossa__copy(&maker->scratch, name, size);
        if (listed == NULL || copy == NULL) {
            maker->ok = false;
            return;
        }
        file->listed = listed;
        file->listed[file->listed_count++] = copy;
    }
    if (file->listed_count < 2) return;
    qsort(file->listed, file->listed_count, sizeof *file->listed, by_name);
    for (size_t i = 0; i < file->listed_count; i++) { /* each once */
        bool is_same = kept > 0 && by_name(&file->listed[kept - 1], &file->listed[i]) == 0;
        if (!is_same) file->listed[kept++] = file->listed[i];
    }
    file->listed_count = kept;
}

/* Files by name; those of one name in their order. */
static int by_member_name(const void *a, const void *b)
{
    const struct ossa__member *x = *(struct ossa__member *const *)a;
    const struct ossa__member *y = *(struct ossa__member *const *)b;
    int order = ossa__compare_names(x->name, y->name);
    return order != 0 ? order : (x > y) - (x < y);
}

/* The first of sorted files that has a name or comes behind it. */
static size_t find_name(struct ossa__maker *maker, const struct ossa__group *sorted,
                        const char *name)
{
    size_t low = 0;
    size_t high = sorted->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        maker->compared++;
        if (ossa__compare_names(sorted->files[middle]->name, name) < 0) low = middle + 1;
        else high = middle;
    }
    return low;
}

static bool has_name(const struct ossa__group *sorted, size_t index, const char *name)
{
    return index < sorted->count && ossa__compare_names(sorted->files[index]->name, name) == 0;
}

/* Add the clips that a file lists to a figure: of several that have a name the first that fits. */
static void take_listed(struct ossa__maker *maker, const struct ossa__group *clips,
                        const struct ossa__member *list, struct ossa__group *own)
{
    enum { MOST = 16 }; /* of one name in one folder: a hostile archive has thousands */
    const struct ossa__game *game = list->format->game;
    uint32_t bones = own->files[0]->facts.bone_count;
    for (size_t i = 0; i < list->listed_count; i++) {
        size_t at = find_name(maker, clips, list->listed[i]);
        for (size_t k = at; k < at + MOST && has_name(clips, k, list->listed[i]); k++) {
            struct ossa__member *clip = clips->files[k];
            if (game->fits != NULL && !game->fits(bones, clip->facts.bone_count)) continue;
            own->files[own->count++] = clip;
            break;
        }
    }
}

/* Clips, and all else that is not a body, sorted; false: no memory. */
static bool sort_files(struct ossa__maker *maker, const struct ossa__group *rest,
                       struct ossa__group *clips, struct ossa__group *parts)
{
    struct ossa__member **files =
        ossa__maker_take(maker, 2 * rest->count, sizeof(struct ossa__member *));
    if (!maker->ok) return false;
    *clips = (struct ossa__group){files, 0};
    *parts = (struct ossa__group){files + rest->count, 0};
    for (size_t i = 0; i < rest->count; i++) {
        bool is_clip = rest->files[i]->format->role == OSSA__ROLE_CLIP;
        struct ossa__group *to = is_clip ? clips : parts;
        to->files[to->count++] = rest->files[i];
    }
    if (clips->count > 1) {
        qsort(clips->files, clips->count, sizeof(struct ossa__member *), by_member_name);
    }
    if (parts->count > 1) {
        qsort(parts->files, parts->count, sizeof(struct ossa__member *), by_member_name);
    }
    return true;
}

/* Does a file that is called like a body list clips? */
static bool has_lists(struct ossa__maker *maker, const struct ossa__group *bodies,
                      const struct ossa__group *parts)
{
    size_t count = bodies->count;
    struct ossa__group sorted = {ossa__maker_take(maker, count, sizeof(struct ossa__member *)),
                                 count};
    if (!maker->ok) return false;
    memcpy(sorted.files, bodies->files, count * sizeof(struct ossa__member *));
    qsort(sorted.files, count, sizeof(struct ossa__member *), by_member_name);
    for (size_t i = 0; i < parts->count; i++) {
        const struct ossa__member *file = parts->files[i];
        if (file->listed_count == 0) continue;
        if (has_name(&sorted, find_name(maker, &sorted, file->name), file->name)) return true;
    }
    return false;
}

bool ossa__make_listed(struct ossa__maker *maker, const struct ossa__group *bodies,
                       struct ossa__group *rest)
{
    struct ossa__group clips;
    struct ossa__group parts;
    size_t kept = 0;
    if (bodies->files[0]->format->game->listed_clip == NULL) return false;
    if (!sort_files(maker, rest, &clips, &parts) || !has_lists(maker, bodies, &parts)) return false;
    for (size_t i = 0; i < bodies->count && maker->ok; i++) {
        struct ossa__member *body = bodies->files[i];
        size_t first = find_name(maker, &parts, body->name);
        size_t room = 1;
        size_t last = first;
        /* Of two bodies of one name the first has what is called like it. */
        for (; has_name(&parts, last, body->name) && parts.files[last]->figure == 0; last++) {
            room += 1 + parts.files[last]->listed_count;
        }
        struct ossa__group own = {ossa__maker_take(maker, room, sizeof(struct ossa__member *)), 0};
        if (!maker->ok) break;
        own.files[own.count++] = body;
        for (size_t k = first; k < last; k++) own.files[own.count++] = parts.files[k];
        for (size_t k = first; k < last; k++) take_listed(maker, &clips, parts.files[k], &own);
        ossa__make_figure(maker, &own, NULL);
    }
    for (size_t i = 0; i < rest->count; i++) {
        if (rest->files[i]->figure == 0) rest->files[kept++] = rest->files[i];
    }
    rest->count = kept;
    return true;
}
