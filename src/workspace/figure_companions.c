/* SPDX-License-Identifier: MIT
 *
 * Companions, which are stored with those of other figures: textures and databases. Those that are
 * called like a figure are its own. Archives of nothing but companions go with all figures of their
 * game that have none of their own; loading a scene takes from them what belongs to the figure. A
 * game has few of them. Of many only those go with a figure that have something for it: opening all
 * of them for each figure would take the product of both. */
#include "workspace/figures.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_COMPANIONS = 1000, /* of a figure, and archives of a game */
    MOST_SHARED = 64,       /* archives that go with all figures of a game */
};

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
    struct ossa__sorted_names entries; /* of those archives, if they are many */
    size_t *taker;                     /* of each archive, the last figure that has chosen it */
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
        } else if (file->holder->listed == 0 && offer->stored_count < MOST_COMPANIONS) {
            offer->taker[offer->stored_count] = 0;
            offer->stored[offer->stored_count++] = file;
            file->holder->listed = offer->stored_count;
        }
    }
    ossa__names_sort(&offer->names);
}

/* The name of an entry without its folders, as loading compares it. */
static const char *entry_name(const struct ossa__member *file)
{
    const char *name = file->path + strlen(file->holder->path);
    for (const char *c = name; *c != '\0'; c++) {
        if (*c == '/' || *c == '\\') name = c + 1;
    }
    return name;
}

/* Is it in an archive of this offer? With companions of two games it may be in that of the other.
 */
static bool is_offered(const struct offer *offer, const struct ossa__member *file)
{
    size_t number = ossa__is_in_companion_archive(file) ? file->holder->listed : 0;
    return number > 0 && number <= offer->stored_count &&
           offer->stored[number - 1]->holder == file->holder;
}

/* What is in the archives of an offer, by name. */
static void list_entries(struct ossa__maker *maker, const struct ossa__game *game,
                         struct offer *offer)
{
    struct ossa__sorted_names *entries = &offer->entries;
    entries->items = ossa__maker_take(maker, maker->file_count, sizeof *entries->items);
    for (size_t i = 0; i < maker->file_count && maker->ok; i++) {
        struct ossa__member *file = &maker->files[i];
        if (!is_companion(file) || file->format->game != game) continue;
        if (!is_offered(offer, file)) continue;
        entries->items[entries->count++] =
            (struct ossa__sorted_name){.text = entry_name(file), .number = i};
    }
    ossa__names_sort(entries);
}

/* The archives with entries whose names begin like that. */
static size_t choose_stored(struct ossa__maker *maker, struct offer *offer, size_t figure,
                            const char *start, struct ossa__member **chosen, size_t count)
{
    size_t first;
    size_t alike = ossa__names_find(&offer->entries, start, strlen(start), &first);
    if (alike > MOST_COMPANIONS) alike = MOST_COMPANIONS;
    maker->compared += alike;
    for (size_t i = first; i < first + alike; i++) {
        size_t stored = maker->files[offer->entries.items[i].number].holder->listed - 1;
        if (offer->taker[stored] == figure + 1) continue;
        offer->taker[stored] = figure + 1;
        chosen[count++] = offer->stored[stored];
    }
    return count;
}

/* Of many archives those that loading takes something from: what is called like the figure or its
 * bodies, and what its files list. */
static size_t choose_of_many(struct ossa__maker *maker, struct offer *offer, size_t figure,
                             struct ossa__member **chosen, size_t count)
{
    const struct ossa__group *files = &maker->states[figure].files;
    count = choose_stored(maker, offer, figure, maker->items[figure].name, chosen, count);
    for (size_t i = 0; i < files->count && maker->ok; i++) {
        const struct ossa__member *file = files->files[i];
        if (file->format->role == OSSA__ROLE_BODY) {
            count = choose_stored(maker, offer, figure, file->name, chosen, count);
        }
        bool lists = file->format->game->listed_companion != NULL;
        for (size_t k = 0; lists && k < file->listed_count; k++) {
            struct ossa__mark mark = ossa__arena_mark(&maker->scratch);
            char *start = ossa__join(&maker->scratch, file->listed[k], "", ".");
            if (start == NULL) maker->ok = false;
            else count = choose_stored(maker, offer, figure, start, chosen, count);
            ossa__arena_release(&maker->scratch, mark);
        }
    }
    return count;
}

/* Have those who look for companions by name all names? Entries of an archive that stores figures
 * were not read, so that nobody knows what they list. */
static bool knows_names(const struct ossa__maker *maker, const struct ossa__game *game,
                        size_t figure)
{
    return game->listed_companion == NULL || maker->states[figure].files.count > 0;
}

static int by_address(const void *a, const void *b)
{
    const struct ossa__member *x = *(struct ossa__member *const *)a;
    const struct ossa__member *y = *(struct ossa__member *const *)b;
    return (x > y) - (x < y);
}

/* What the figure takes, in the order of the walk. */
static size_t choose(struct ossa__maker *maker, const struct ossa__game *game, struct offer *offer,
                     size_t figure, struct ossa__member **chosen)
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
    bool is_by_name = offer->stored_count > MOST_SHARED && knows_names(maker, game, figure);
    if (is_by_name) count = choose_of_many(maker, offer, figure, chosen, count);
    for (size_t i = 0; !is_by_name && i < offer->stored_count; i++) {
        chosen[count++] = offer->stored[i];
    }
    maker->compared += count;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if ((own & ossa__format_bit(chosen[i]->format)) == 0) chosen[kept++] = chosen[i];
    }
    if (kept > 1) qsort(chosen, kept, sizeof(struct ossa__member *), by_address);
    return kept;
}

static void add_to_figure(struct ossa__maker *maker, const struct ossa__game *game,
                          struct offer *offer, size_t number)
{
    struct ossa__member *chosen[2 * MOST_COMPANIONS];
    ossa_figure *figure = &maker->items[number];
    size_t count = choose(maker, game, offer, number, chosen);
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
            .stored = ossa__maker_take(maker, MOST_COMPANIONS, sizeof(struct ossa__member *)),
            .taker = ossa__maker_take(maker, MOST_COMPANIONS, sizeof *offer.taker)};
        if (!maker->ok) return;
        list_offer(maker, game, &offer);
        if (offer.stored_count > MOST_SHARED) list_entries(maker, game, &offer);
        if (!maker->ok) return;
        if (offer.names.count + offer.stored_count == 0) continue;
        for (size_t k = 0; k < maker->count && maker->ok; k++) {
            if (maker->items[k].game != game->title || maker->states[k].is_bare) continue;
            add_to_figure(maker, game, &offer, k);
        }
        maker->compared += offer.names.compared + offer.entries.compared;
    }
}
