/* SPDX-License-Identifier: MIT
 *
 * Companions, which are stored with those of other figures: textures and databases. Those that are
 * called like a figure are its own. Archives of nothing but companions go with all figures of their
 * game that have none of their own; loading a scene takes from them what belongs to the figure. */
#include "workspace/figures.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COMPANIONS = 1000 }; /* of a figure, and archives of a game */

static bool is_companion(const struct ossa__member *file)
{
    return file->format->role == OSSA__ROLE_COMPANION;
}

/* ---- archives ------------------------------------------------------------------------------ */

/* Where the name of an entry begins in the first bytes of a path; 0: nowhere. What the caller names
 * may be called otherwise: by its offset. */
static size_t name_start(const char *path, size_t whole, const char *name)
{
    size_t known = strlen(name);
    size_t size = whole > known ? whole - known : 0;
    if (size > 0 && path[size - 1] == '#') return size;
    for (size = whole; size > 0 && path[size - 1] != '#';) size--;
    return size;
}

struct ossa__origin *ossa__find_holder(struct ossa__maker *maker, const char *path,
                                       const char *name)
{
    size_t size = name_start(path, strlen(path), name);
    const struct ossa__origin *last = maker->holder;
    if (last == NULL || strlen(last->path) != size || memcmp(last->path, path, size) != 0) {
        const char *copy = ossa__copy(&maker->scratch, path, size);
        maker->holder = copy == NULL ? NULL : ossa__find_origin(maker, copy);
        if (maker->holder == NULL) maker->ok = false;
    }
    return maker->holder;
}

/* Names may have any number of # in them, so that only the archives say which of them count. */
void ossa__note_more(struct ossa__maker *maker, const ossa_visit *visit)
{
    const struct ossa__readable *item = ossa__visit_item(visit);
    size_t size = strlen(item->path);
    size_t entry = item->entry;
    for (const struct ossa__node *node = item->archive; node != NULL; node = node->parent) {
        size = name_start(item->path, size, ossa__node_entry(node, entry)->name);
        if (size == 0) return;
        const char *copy = ossa__copy(&maker->scratch, item->path, size);
        struct ossa__origin *holder = copy == NULL ? NULL : ossa__find_origin(maker, copy);
        if (holder == NULL) maker->ok = false;
        if (holder == NULL || holder->has_more) return; /* and so have those around it */
        holder->has_more = true;
        size--; /* its own path has no # at the end */
        entry = node->entry;
    }
}

/* ---- for bodies in one folder -------------------------------------------------------------- */

void ossa__match_companions(struct ossa__maker *maker, const struct ossa__group *bodies,
                            const struct ossa__group *files, size_t *owners)
{
    struct ossa__sorted_names names = {
        .items = ossa__maker_take(maker, files->count, sizeof *names.items)};
    bool *is_taken = ossa__maker_take(maker, files->count, sizeof *is_taken);
    if (!maker->ok) return;
    for (size_t i = 0; i < files->count; i++) {
        is_taken[i] = false;
        if (!is_companion(files->files[i])) continue;
        const char *name = ossa__last_name(files->files[i]->path);
        names.items[names.count++] = (struct ossa__sorted_name){.text = name, .number = i};
    }
    ossa__names_sort(&names);
    for (size_t i = 0; i < bodies->count && names.count > 0; i++) {
        const char *body = bodies->files[i]->name;
        size_t first = 0;
        size_t count =
            body[0] == '\0' ? 0 : ossa__names_find_new(&names, body, strlen(body), &first);
        for (size_t k = first; k < first + count; k++) {
            size_t file = names.items[k].number;
            if (!is_taken[file]) owners[file] = i;
            is_taken[file] = true;
        }
    }
    maker->compared += names.compared;
}

/* ---- for all figures ----------------------------------------------------------------------- */

/* What no figure has taken. */
struct offer {
    struct ossa__sorted_names names; /* of files that are not in archives of companions */
    struct ossa__member **stored;    /* the first file of each such archive */
    size_t stored_count;
};

static void list_offer(struct ossa__maker *maker, const struct ossa__game *game,
                       struct offer *offer)
{
    for (size_t i = 0; i < maker->file_count; i++) {
        struct ossa__member *file = &maker->files[i];
        if (!is_companion(file) || file->figure != 0 || file->format->game != game) continue;
        if (!ossa__is_in_companion_archive(file)) {
            if (game->pairs_by_name) continue; /* only those that are listed are for a figure */
            offer->names.items[offer->names.count++] =
                (struct ossa__sorted_name){.text = ossa__last_name(file->path), .number = i};
        } else if (!file->holder->is_listed && offer->stored_count < MOST_COMPANIONS) {
            file->holder->is_listed = true;
            offer->stored[offer->stored_count++] = file;
        }
    }
    ossa__names_sort(&offer->names);
}

static int by_address(const void *a, const void *b)
{
    const struct ossa__member *x = *(struct ossa__member *const *)a;
    const struct ossa__member *y = *(struct ossa__member *const *)b;
    return (x > y) - (x < y);
}

/* What the figure takes, in the order of the walk. */
static size_t choose(struct ossa__maker *maker, struct offer *offer, size_t figure,
                     struct ossa__member **chosen)
{
    const char *name = maker->items[figure].name;
    uint64_t own = maker->states[figure].own;
    size_t count = 0;
    size_t first;
    size_t alike = ossa__names_find(&offer->names, name, strlen(name), &first);
    if (alike > MOST_COMPANIONS) alike = MOST_COMPANIONS;
    for (size_t i = first; i < first + alike; i++) {
        chosen[count++] = &maker->files[offer->names.items[i].number];
    }
    for (size_t i = 0; i < offer->stored_count; i++) chosen[count++] = offer->stored[i];
    maker->compared += count;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if ((own & ossa__format_bit(chosen[i]->format)) == 0) chosen[kept++] = chosen[i];
    }
    if (kept > 1) qsort(chosen, kept, sizeof(struct ossa__member *), by_address);
    return kept;
}

static void add_to_figure(struct ossa__maker *maker, struct offer *offer, size_t number)
{
    struct ossa__member *chosen[2 * MOST_COMPANIONS];
    ossa_figure *figure = &maker->items[number];
    size_t count = choose(maker, offer, number, chosen);
    /* Origins remember only the last figure that lists them. */
    for (size_t i = 0; i < figure->file_count && count > 0; i++) {
        struct ossa__origin *origin = ossa__find_origin(maker, figure->files[i]);
        if (origin != NULL) origin->figure = number + 1;
    }
    for (size_t i = 0; i < count && maker->ok; i++) {
        const char *path = chosen[i]->path;
        if (ossa__is_in_companion_archive(chosen[i])) {
            const char *holder = chosen[i]->holder->path;
            path = ossa__copy(&maker->scratch, holder, strlen(holder) - 1);
        }
        ossa__add_figure_path(maker, figure, path, chosen[i]->origin);
    }
}

void ossa__add_companions(struct ossa__maker *maker)
{
    for (size_t i = 0; ossa__formats[i] != NULL && maker->ok; i++) {
        const struct ossa__game *game = ossa__formats[i]->game;
        bool is_first = true;
        for (size_t k = 0; k < i && is_first; k++) is_first = ossa__formats[k]->game != game;
        if (!is_first) continue;
        struct offer offer = {
            .names.items = ossa__maker_take(maker, maker->file_count, sizeof *offer.names.items),
            .stored = ossa__maker_take(maker, MOST_COMPANIONS, sizeof(struct ossa__member *))};
        if (!maker->ok) return;
        list_offer(maker, game, &offer);
        if (offer.names.count + offer.stored_count == 0) continue;
        for (size_t k = 0; k < maker->count && maker->ok; k++) {
            if (maker->items[k].game != game->title || maker->states[k].is_bare) continue;
            add_to_figure(maker, &offer, k);
        }
        maker->compared += offer.names.compared;
    }
}
