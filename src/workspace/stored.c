/* SPDX-License-Identifier: MIT
 *
 * Figures that an archive stores by name (struct ossa__game), in several entries each:
 *
 *   - NAME + figure_endings, of which the first must be there (troll.mod, troll.bon, troll.anm);
 *   - NAME + link_ending, an entry that says what the figure's own entries are called: NAME and the
 *     word in it, or that word alone (sword.lnk: swordweapon.fig, swordweapon.bon);
 *   - NAME + single_endings, of which the first must be there (barrel.fig, barrel.bon).
 *
 * An archive that has a tree of several parts beside its entries is a figure itself, whose parts
 * are not figures of their own. */
#include "workspace/workspace.h"

#include "base/fold.h"

#include <string.h>

enum {
    NONE,
    WHOLE,
    LINK,
    SINGLE,
    LONGEST_LINK = 4096, /* bytes of an entry that names another */
};

/* Of a node that is an archive. */
static const struct ossa__game *game_of(const struct ossa__node *node)
{
    return ossa__format_of(node->file)->game;
}

/* The entry `name` + `more` + `ending`; -1: none. False: no memory. */
static bool find(struct ossa__node *node, const char *name, size_t size, const char *more,
                 const char *ending, struct ossa__arena *arena, int64_t *entry)
{
    struct ossa__mark mark = ossa__arena_mark(arena);
    const char *start = ossa__copy(arena, name, size);
    const char *whole = start == NULL ? NULL : ossa__join(arena, start, more, ending);
    *entry = whole == NULL ? -1 : ossa__node_find(node, whole);
    ossa__arena_release(arena, mark);
    return whole != NULL;
}

/* ---- links --------------------------------------------------------------------------------- */

/* What an entry that is a link says: how many words it has, and the only one. None: it is not a
 * link, or it cannot be read, which is not for us to report. False: no memory. */
static bool read_link(const struct ossa__node *node, size_t entry, uint32_t *count,
                      char word[OSSA__LINK_CAPACITY])
{
    const ossa_options options = {.allocator = node->arena.allocator};
    const ossa_entry *about = ossa_entry_at(node->file, entry);
    ossa_bytes bytes;
    ossa_error error = {0};
    *count = 0;
    if (about->is_missing || about->size > LONGEST_LINK) return true;
    if (!ossa_entry_bytes(node->file, entry, &options, &bytes, &error)) {
        return error.code != OSSA_CODE_OUT_OF_MEMORY;
    }
    *count = game_of(node)->read_link(bytes.data, bytes.size, word);
    ossa_bytes_free(&bytes);
    return true;
}

/* What the entries of a linked figure are called, and the first of them; -1: there is none. False:
 * no memory. */
static bool follow_link(struct ossa__node *node, size_t link, struct ossa__arena *arena,
                        const char **base, int64_t *first)
{
    const struct ossa__game *game = game_of(node);
    const char *name = ossa_entry_at(node->file, link)->name;
    size_t size = strlen(name) - strlen(game->link_ending);
    char word[OSSA__LINK_CAPACITY];
    uint32_t count;
    *first = -1;
    if (!read_link(node, link, &count, word)) return false;
    if (count != 1) return true;
    const char *start = ossa__copy(arena, name, size);
    *base = start == NULL ? NULL : ossa__join(arena, start, "", word);
    if (*base == NULL) return false;
    if (!find(node, *base, strlen(*base), "", game->single_endings[0], arena, first)) return false;
    if (*first >= 0) return true;
    *base = ossa__copy(arena, word, strlen(word));
    return *base != NULL &&
           find(node, word, strlen(word), "", game->single_endings[0], arena, first);
}

/* ---- which entries begin a figure ---------------------------------------------------------- */

static bool mark_link(struct ossa__node *node, size_t i, struct ossa__arena *arena,
                      uint8_t *is_target)
{
    const struct ossa__game *game = game_of(node);
    const char *name = ossa_entry_at(node->file, i)->name;
    const char *base;
    int64_t first;
    int64_t whole;
    struct ossa__mark mark = ossa__arena_mark(arena);
    bool ok = follow_link(node, i, arena, &base, &first);
    ossa__arena_release(arena, mark);
    size_t size = strlen(name) - strlen(game->link_ending);
    if (!ok || !find(node, name, size, "", game->figure_endings[0], arena, &whole)) return false;
    if (first < 0 || whole >= 0) return true;
    is_target[first] = 1;
    node->begins[i] = LINK;
    return true;
}

static bool mark_single(struct ossa__node *node, size_t i, struct ossa__arena *arena)
{
    const struct ossa__game *game = game_of(node);
    const char *name = ossa_entry_at(node->file, i)->name;
    size_t size = strlen(name) - strlen(game->single_endings[0]);
    int64_t whole;
    int64_t link;
    if (!find(node, name, size, "", game->figure_endings[0], arena, &whole)) return false;
    if (!find(node, name, size, "", game->link_ending, arena, &link)) return false;
    bool is_taken = whole >= 0 || (link >= 0 && node->begins[link] == LINK);
    if (!is_taken) node->begins[i] = SINGLE;
    return true;
}

/* Links and single figures; false: no memory. */
static bool mark_small(struct ossa__node *node, struct ossa__arena *arena)
{
    const struct ossa__game *game = game_of(node);
    uint8_t *is_target = ossa__arena_take(arena, node->count + 1);
    if (is_target == NULL) return false;
    memset(is_target, 0, node->count);
    for (size_t i = 0; i < node->count; i++) {
        char word[OSSA__LINK_CAPACITY];
        uint32_t words;
        if (!ossa__has_ending(ossa_entry_at(node->file, i)->name, game->link_ending)) continue;
        if (!read_link(node, i, &words, word)) return false;
        if (words > 1) return true; /* a tree: the rest are its parts */
    }
    for (size_t i = 0; i < node->count; i++) {
        if (!ossa__has_ending(ossa_entry_at(node->file, i)->name, game->link_ending)) continue;
        if (!mark_link(node, i, arena, is_target)) return false;
    }
    for (size_t i = 0; i < node->count; i++) {
        const char *name = ossa_entry_at(node->file, i)->name;
        if (is_target[i] || !ossa__has_ending(name, game->single_endings[0])) continue;
        if (!mark_single(node, i, arena)) return false;
    }
    return true;
}

bool ossa__find_stored(struct ossa__node *node)
{
    const struct ossa__game *game = node->file == NULL ? NULL : game_of(node);
    struct ossa__arena arena;
    bool ok = true;
    if (game == NULL) return true;
    if (game->pairs_by_name) return ossa__find_paired(node);
    /* A folder with a body is a figure, too. */
    for (size_t i = 0; i < node->count && game->body_ending != NULL; i++) {
        const char *name = ossa_entry_at(node->file, i)->name;
        node->figure_count += ossa__has_ending(name, game->body_ending);
    }
    if (game->figure_endings == NULL) return true;
    node->begins = ossa__arena_take(&node->arena, node->count + 1);
    if (node->begins == NULL) return false;
    memset(node->begins, NONE, node->count);
    for (size_t i = 0; i < node->count; i++) {
        const char *name = ossa_entry_at(node->file, i)->name;
        if (ossa__has_ending(name, game->figure_endings[0])) node->begins[i] = WHOLE;
    }
    ossa__arena_init(&arena, node->arena.allocator, UINT64_MAX);
    if (game->single_endings != NULL) ok = mark_small(node, &arena);
    ossa__arena_free(&arena);
    for (size_t i = 0; i < node->count; i++) node->figure_count += node->begins[i] != NONE;
    return ok;
}

size_t ossa__figure_count(const struct ossa__node *node)
{
    return node->figure_count;
}

const char *ossa__figure_name(const struct ossa__node *node, size_t entry, size_t *size)
{
    const char *name = ossa__node_entry(node, entry)->name;
    *size = strlen(name);
    if (node->begins == NULL) return NULL;
    const struct ossa__game *game = game_of(node);
    switch (node->begins[entry]) {
    case WHOLE: *size -= strlen(game->figure_endings[0]); return name;
    case LINK: *size -= strlen(game->link_ending); return name;
    case SINGLE: *size -= strlen(game->single_endings[0]); return name;
    case OSSA__BEGINS_PAIRED:
    case OSSA__BEGINS_PAIRED_PATH: return ossa__paired_name(node, entry, size);
    default: return NULL;
    }
}

/* ---- the entries of a figure --------------------------------------------------------------- */

/* A figure being looked for. */
struct search {
    struct ossa__node *node;
    struct ossa__arena *arena;
    size_t *entries;
    size_t count;
};

/* Add an entry if there is one; false: no memory. */
static bool add(struct search *search, const char *name, const char *ending)
{
    int64_t entry;
    if (!find(search->node, name, strlen(name), "", ending, search->arena, &entry)) return false;
    for (size_t i = 0; i < search->count && entry >= 0; i++) {
        if (search->entries[i] == (size_t)entry) return true;
    }
    if (entry >= 0) search->entries[search->count++] = (size_t)entry;
    return true;
}

static bool add_all(struct search *search, const char *name, const char *const *endings)
{
    bool ok = true;
    for (size_t i = 0; endings[i] != NULL && ok; i++) ok = add(search, name, endings[i]);
    return ok;
}

/* Does NAME + ending begin a figure of this kind? False: no memory. */
static bool begins(struct search *search, const char *name, const char *ending, uint8_t kind,
                   int64_t *entry)
{
    if (!find(search->node, name, strlen(name), "", ending, search->arena, entry)) return false;
    if (*entry >= 0 && search->node->begins[*entry] != kind) *entry = -1;
    return true;
}

bool ossa__stored_entries(struct ossa__node *node, const char *name, struct ossa__arena *arena,
                          const size_t **entries, size_t *count)
{
    enum { MOST = 16 }; /* endings of all kinds */
    struct search search = {.node = node, .arena = arena};
    const char *base = NULL;
    int64_t first = -1;
    int64_t target = -1;
    *count = 0;
    if (node->begins == NULL) return true;
    const struct ossa__game *game = game_of(node);
    if (node->pairs != NULL) return ossa__paired_entries(node, name, arena, entries, count);
    search.entries = ossa__arena_take(arena, MOST * sizeof *search.entries);
    *entries = search.entries;
    if (search.entries == NULL) return false;
    bool ok = begins(&search, name, game->figure_endings[0], WHOLE, &first);
    if (ok && first >= 0) {
        ok = add_all(&search, name, game->figure_endings);
    } else if (ok && game->single_endings != NULL) {
        ok = begins(&search, name, game->link_ending, LINK, &first);
        if (ok && first >= 0) {
            ok = follow_link(node, (size_t)first, arena, &base, &target) &&
                 add(&search, name, game->link_ending);
            if (ok && target >= 0) ok = add_all(&search, base, game->single_endings);
        }
        if (ok && first < 0) {
            ok = begins(&search, name, game->single_endings[0], SINGLE, &first);
            if (ok && first >= 0) ok = add_all(&search, name, game->single_endings);
        }
    }
    *count = search.count;
    return ok;
}
