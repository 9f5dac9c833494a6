/* SPDX-License-Identifier: MIT
 *
 * Figures of files that pair by name (pairs.c), wherever they lie below the path: a body with its
 * parts, its clips, and the companions that its parts list.
 *
 * A body without clips of its name, where no other body of its folder has any either, is left to
 * figure_groups.c with the clips of no body: names say nothing there. The same goes for the only
 * body. A part of no body is a figure if it was named, or if there is no body at all. */
#include "workspace/figures.h"
#include "workspace/pairs.h"

#include <string.h>

struct pairing {
    struct ossa__maker *maker;
    struct ossa__group *group;
    struct ossa__pairs pairs; /* by file of the group */
    size_t bodies;
    const struct ossa__pair *loose; /* a part of no body */
    size_t loose_count;
    struct ossa__table folders; /* of bodies; 1: one of them has clips of its name */
};

static struct ossa__member *file_of(const struct pairing *p, const struct ossa__pair *item)
{
    return p->group->files[item - p->pairs.items];
}

static bool has_name(const struct ossa__member *file)
{
    return file->format->role != OSSA__ROLE_NONE && file->format->role != OSSA__ROLE_CAMERA;
}

static bool find_pairs(struct pairing *p)
{
    struct ossa__maker *maker = p->maker;
    p->pairs.count = p->group->count;
    p->pairs.items = ossa__maker_take(maker, p->pairs.count, sizeof *p->pairs.items);
    if (!maker->ok) return false;
    for (size_t i = 0; i < p->group->count; i++) {
        const struct ossa__member *file = p->group->files[i];
        p->pairs.items[i] =
            ossa__pair_of(file->path, has_name(file) ? file->format->role : OSSA__ROLE_NONE);
        p->bodies += file->format->role == OSSA__ROLE_BODY;
    }
    const struct ossa__game *game = p->group->files[0]->format->game;
    if (!ossa__pairs_make(&p->pairs, game, &maker->scratch)) maker->ok = false;
    for (size_t i = 0; i < p->pairs.count; i++) {
        const struct ossa__pair *item = &p->pairs.items[i];
        if (item->role != OSSA__ROLE_PART || item->owner != 0) continue;
        p->loose = item;
        p->loose_count++;
    }
    return maker->ok;
}

/* ---- what belongs to a file ---------------------------------------------------------------- */

static void add_mate(struct pairing *p, struct ossa__member *file, struct ossa__member *mate)
{
    if (mate->mate_of == file) return; /* two parts list it */
    struct ossa__member **mates = ossa__grow(&p->maker->scratch, file->mates, file->mate_count,
                                             sizeof(struct ossa__member *));
    if (mates == NULL) {
        p->maker->ok = false;
        return;
    }
    mate->mate_of = file;
    file->mates = mates;
    mates[file->mate_count++] = mate;
}

static void add_listed(struct pairing *p, struct ossa__member *file,
                       const struct ossa__member *part)
{
    for (size_t i = 0; i < part->listed_count && p->maker->ok; i++) {
        const char *name = part->listed[i];
        const struct ossa__pair *found =
            ossa__pairs_find(&p->pairs, OSSA__ROLE_COMPANION, name, strlen(name), part->path);
        if (found != NULL) add_mate(p, file, file_of(p, found));
    }
}

static void add_part(struct pairing *p, struct ossa__member *file, struct ossa__member *part)
{
    if (part != file) add_mate(p, file, part);
    add_listed(p, file, part);
}

/* All that belongs to a body; gives how many clips that is. */
static size_t add_mates(struct pairing *p, const struct ossa__pair *body)
{
    struct ossa__member *file = file_of(p, body);
    size_t first;
    size_t clips = 0;
    size_t count = ossa__pairs_owned(&p->pairs, body, &first);
    for (size_t i = first; i < first + count && p->maker->ok; i++) {
        struct ossa__member *mate = file_of(p, p->pairs.owned[i]);
        bool is_clip = mate->format->role == OSSA__ROLE_CLIP;
        clips += is_clip;
        if (is_clip) add_mate(p, file, mate);
        else add_part(p, file, mate);
    }
    /* One of each need not be called alike. */
    bool is_only = p->bodies == 1 && p->loose_count == 1;
    if (count == 0 && is_only) add_part(p, file, file_of(p, p->loose));
    return clips;
}

/* ---- making them --------------------------------------------------------------------------- */

static size_t *folder_of(struct pairing *p, const struct ossa__pair *item)
{
    struct ossa__cell *cell =
        ossa__table_put(&p->folders, &p->maker->scratch, item->path, item->start);
    if (cell == NULL) p->maker->ok = false;
    return cell == NULL ? NULL : &cell->value;
}

static void make(struct pairing *p, struct ossa__member *file)
{
    const struct ossa__group group = {&file, 1};
    if (p->maker->ok) ossa__make_figure(p->maker, &group, NULL);
}

static void pair_bodies(struct pairing *p)
{
    for (size_t i = 0; i < p->pairs.count && p->maker->ok; i++) {
        const struct ossa__pair *item = &p->pairs.items[i];
        if (item->role != OSSA__ROLE_BODY) continue;
        size_t clips = add_mates(p, item);
        size_t *is_known = folder_of(p, item);
        if (is_known != NULL && clips > 0) *is_known = 1;
    }
    for (size_t i = 0; i < p->pairs.count && p->bodies > 1 && p->maker->ok; i++) {
        const struct ossa__pair *item = &p->pairs.items[i];
        if (item->role != OSSA__ROLE_BODY) continue;
        const size_t *is_known = folder_of(p, item);
        if (is_known != NULL && *is_known != 0) make(p, file_of(p, item));
    }
}

/* Parts of no body. */
static void make_loose(struct pairing *p)
{
    for (size_t i = 0; i < p->pairs.count && p->loose_count > 0 && p->maker->ok; i++) {
        const struct ossa__pair *item = &p->pairs.items[i];
        struct ossa__member *file = file_of(p, item);
        if (item->role != OSSA__ROLE_PART || item->owner != 0 || file->figure != 0) continue;
        if (p->bodies > 0 && !file->is_named) continue;
        add_part(p, file, file);
        make(p, file);
    }
}

void ossa__make_paired(struct ossa__maker *maker, struct ossa__group *group)
{
    struct pairing p = {.maker = maker, .group = group};
    size_t kept = 0;
    if (group->count == 0 || !group->files[0]->format->game->pairs_by_name) return;
    if (!find_pairs(&p)) return;
    pair_bodies(&p);
    make_loose(&p);
    maker->compared += p.pairs.compared;
    for (size_t i = 0; i < group->count; i++) {
        const struct ossa__pair *item = &p.pairs.items[i];
        bool is_left = item->role == OSSA__ROLE_BODY || item->role == OSSA__ROLE_CLIP;
        if (is_left && item->owner == 0 && group->files[i]->figure == 0) {
            group->files[kept++] = group->files[i];
        }
    }
    group->count = kept;
}
