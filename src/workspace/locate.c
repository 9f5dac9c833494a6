/* SPDX-License-Identifier: MIT
 *
 * Where a path leads: through the file system and the archives in it. */
#include "workspace/workspace.h"

#include "base/fold.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_TRIES = 64,  /* names of entries that a path may begin with, from either end */
    MOST_FILES = 256, /* names of files; a system may allow as many # in a name */
};

static const struct ossa__game *game_of(const struct ossa__node *node)
{
    return node->file == NULL ? NULL : ossa__format_of(node->file)->game;
}

/* ---- clips and companions that a figure lists ---------------------------------------------- */

/* The entry of a clip that lies beside a figure; -1: none. False: no memory. */
static bool find_clip(struct ossa__node *node, const char *figure, const char *clip, size_t size,
                      struct ossa__arena *arena, int64_t *entry)
{
    const char *ending = game_of(node)->clip_ending;
    size_t folder = strlen(figure);
    while (folder > 0 && figure[folder - 1] != '/' && figure[folder - 1] != '\\') folder--;
    struct ossa__mark mark = ossa__arena_mark(arena);
    char *whole = ossa__arena_take(arena, (uint64_t)folder + size + strlen(ending) + 1);
    if (whole == NULL) return false;
    memcpy(whole, figure, folder);
    memcpy(whole + folder, clip, size);
    memcpy(whole + folder + size, ending, strlen(ending) + 1);
    *entry = memchr(clip, '\0', size) != NULL ? -1 : ossa__node_find(node, whole);
    ossa__arena_release(arena, mark);
    return true;
}

static int by_index(const void *a, const void *b)
{
    size_t x = *(const size_t *)a;
    size_t y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* The entry that one of a figure lists, as the n-th; -1: the archive has none. False: the list is
 * at its end, or no memory. */
static bool find_listed(struct ossa__node *node, const char *figure, size_t index,
                        const struct ossa__format *format, const void *contents, uint32_t n,
                        struct ossa__arena *arena, int64_t *entry, bool *ok)
{
    size_t size;
    bool is_paired = format->game->pairs_by_name;
    const char *name = is_paired ? format->game->listed_companion(format, contents, n, &size)
                                 : format->game->listed_clip(format, contents, n, &size);
    if (name == NULL) return false;
    if (is_paired) *entry = ossa__paired_companion(node, index, name, size);
    else *ok = find_clip(node, figure, name, size, arena, entry);
    return *ok;
}

/* What one entry of a figure lists. What cannot be read lists nothing: loading reports it. False:
 * no memory. */
static bool add_entry(ossa_workspace *workspace, struct ossa__location *at, const char *name,
                      size_t index, struct ossa__arena *arena, size_t **entries)
{
    struct ossa__node *node = at->archive;
    const struct ossa__readable item = {.archive = node, .entry = index, .path = name};
    const ossa_options options = {0};
    ossa_error error = {0};
    bool ok = true;
    ossa_file *file = ossa__read_item(workspace, &item, &options, &error);
    if (file == NULL) return error.code != OSSA_CODE_OUT_OF_MEMORY;
    const struct ossa__format *format = ossa__format_of(file);
    const void *contents = format->game == game_of(node) ? ossa__contents(file, format) : NULL;
    for (uint32_t i = 0; ok && contents != NULL; i++) {
        int64_t entry;
        if (!find_listed(node, name, index, format, contents, i, arena, &entry, &ok)) break;
        if (entry < 0) continue;
        size_t *larger = ossa__grow(arena, *entries, at->count, sizeof *larger);
        ok = larger != NULL;
        if (!ok) continue;
        *entries = larger;
        larger[at->count++] = (size_t)entry;
    }
    ossa_file_free(file);
    return ok;
}

/* What the entries of a figure list, each once, behind them. Of those that pair by name only parts
 * do. False: no memory. */
static bool add_listed(ossa_workspace *workspace, struct ossa__location *at, const char *name,
                       struct ossa__arena *arena)
{
    size_t *entries = NULL;
    size_t first = at->count;
    const struct ossa__game *game = game_of(at->archive);
    if (game->pairs_by_name ? game->listed_companion == NULL : game->listed_clip == NULL)
        return true;
    for (size_t i = 0; i < first; i++) { /* into a list that grows */
        entries = ossa__grow(arena, entries, i, sizeof *entries);
        if (entries == NULL) return false;
        entries[i] = at->entries[i];
    }
    for (size_t i = 0; i < first; i++) {
        size_t entry = at->entries[i];
        if (game->pairs_by_name && !ossa__is_paired_part(at->archive, entry)) continue;
        if (!add_entry(workspace, at, name, entry, arena, &entries)) return false;
    }
    size_t count = at->count - first;
    if (count > 1) qsort(entries + first, count, sizeof *entries, by_index);
    at->count = first;
    for (size_t i = 0; i < count; i++) {
        size_t entry = entries[first + i];
        if (i == 0 || entry != entries[at->count - 1]) entries[at->count++] = entry;
    }
    at->entries = entries;
    return true;
}

/* What a name means for which there is no entry: a figure, a folder, or nothing. False: no memory.
 */
static bool expand(ossa_workspace *workspace, struct ossa__location *at, const char *name,
                   struct ossa__arena *arena)
{
    struct ossa__node *node = at->archive;
    if (!ossa__stored_entries(node, name, arena, &at->entries, &at->count)) return false;
    if (at->count > 0) {
        at->figure = ossa__copy(arena, name, strlen(name));
        return at->figure != NULL && add_listed(workspace, at, name, arena);
    }
    size_t size = strlen(name);
    while (size > 0 && (name[size - 1] == '/' || name[size - 1] == '\\')) size--;
    return ossa__node_folder(node, name, size, arena, &at->entries, &at->count);
}

/* ---- the way ------------------------------------------------------------------------------- */

/* Is it the name of a figure, whatever is in it? False: no memory. */
static bool ask_for_figure(struct ossa__node *node, const char *name, struct ossa__arena *arena,
                           bool *is_one)
{
    const size_t *entries;
    size_t count;
    struct ossa__mark mark = ossa__arena_mark(arena);
    bool ok = ossa__stored_entries(node, name, arena, &entries, &count);
    ossa__arena_release(arena, mark);
    *is_one = ok && count > 0;
    return ok;
}

/* How many bytes there are up to the #, by its number from 1 on, or up to the end. */
static size_t size_to_mark(const char *text, size_t number)
{
    size_t size = strcspn(text, "#");
    while (--number > 0 && text[size] != '\0') size += 1 + strcspn(text + size + 1, "#");
    return size;
}

int64_t ossa__find_start(struct ossa__node *node, char *rest, size_t *size)
{
    int64_t entry = -1;
    size_t tries = 0;
    size_t near = size_to_mark(rest, MOST_TRIES);
    while (entry < 0 && *size > 0) {
        (*size)--;
        if (rest[*size] != '#') continue;
        /* To look for a name takes as long as it is. Names are tried that have few # behind them,
         * and then those that have few in them. */
        if (++tries > MOST_TRIES && *size > near) *size = near;
        rest[*size] = '\0';
        entry = ossa__node_find(node, rest);
        rest[*size] = '#';
    }
    return entry;
}

/* The longest name at the start of `rest`, up to a # or the end, that is an entry's; -1: none.
 * False: no memory. */
static bool match_entry(struct ossa__node *node, char *rest, struct ossa__arena *arena,
                        int64_t *entry, size_t *size)
{
    bool is_figure = false;
    *size = strlen(rest);
    *entry = ossa__node_find(node, rest);
    if (*entry >= 0) return true;
    if (!ask_for_figure(node, rest, arena, &is_figure)) return false;
    if (!is_figure) *entry = ossa__find_start(node, rest, size);
    return true;
}

/* The archive that an entry is, or of a large one just what is asked for. */
static struct ossa__node *enter(ossa_workspace *workspace, const struct ossa__location *at,
                                const char *rest, ossa_error *error)
{
    const struct ossa__readable item = {.archive = at->archive, .entry = at->entry, .path = ""};
    if (ossa__is_offset(rest) && ossa__node_streams(at->archive, at->entry)) {
        ossa_error why = {0};
        struct ossa__node *node = ossa__node_at(workspace, &item, rest, &why);
        if (node != NULL) return node;
        if (ossa__is_fatal(why.code)) {
            if (error != NULL) *error = why;
            return NULL;
        }
    }
    return ossa__node_enter(workspace, at->archive, at->entry, error);
}

/* `rest` is changed and restored. */
static struct ossa__location find_inside(ossa_workspace *workspace, struct ossa__node *node,
                                         char *rest, struct ossa__arena *arena, ossa_error *error)
{
    struct ossa__location at = {.archive = node};
    while (true) {
        size_t size;
        int64_t entry;
        bool ok = match_entry(at.archive, rest, arena, &entry, &size);
        if (ok && entry < 0) {
            ok = expand(workspace, &at, rest, arena);
            at.kind = at.count > 0 ? OSSA__AT_ENTRIES : OSSA__AT_NO_ENTRY;
            if (ok) return at;
        }
        if (!ok) {
            (void)ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, at.archive->path,
                                       "no memory for the names of its entries");
            ossa__node_release(at.archive);
            return (struct ossa__location){.kind = OSSA__AT_FAILED};
        }
        at.entry = (size_t)entry;
        at.kind = OSSA__AT_ENTRY;
        if (rest[size] == '\0') return at;
        rest += size + 1;
        struct ossa__node *inner = enter(workspace, &at, rest, error);
        ossa__node_release(at.archive);
        if (inner == NULL) return (struct ossa__location){.kind = OSSA__AT_FAILED};
        at.archive = inner;
    }
}

/* A longer name may be that of a file, or of a folder, of which there is only one to try. */
static struct ossa__location give_up(ossa_workspace *workspace, const char *path, ossa_error *error)
{
    if (ossa__is_folder(workspace, path)) return (struct ossa__location){.kind = OSSA__AT_FILE};
    (void)ossa__workspace_fail(
        error, OSSA_CODE_LIMIT, path,
        "leads to no file: only what is before one of its first %d # was tried", MOST_FILES);
    return (struct ossa__location){.kind = OSSA__AT_FAILED};
}

static bool fail_entry(struct ossa__location *at, const char *path, ossa_error *error)
{
    (void)ossa__workspace_fail(error, OSSA_CODE_NO_ENTRY, path, "there is no such entry in %s",
                               at->archive->path);
    return false;
}

struct ossa__location ossa__locate(ossa_workspace *workspace, const char *path,
                                   struct ossa__arena *arena, ossa_error *error)
{
    struct ossa__location at = {.kind = OSSA__AT_FILE};
    if (strchr(path, '#') == NULL || ossa__source_exists(workspace, path)) return at;
    char *start = ossa__copy(arena, path, strlen(path));
    if (start == NULL) {
        (void)ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, path, "no memory for a path");
        return (struct ossa__location){.kind = OSSA__AT_FAILED};
    }
    /* The shortest name that is a file: what comes after is its contents. */
    size_t tries = 0;
    for (char *mark = strchr(start, '#'); mark != NULL; mark = strchr(mark + 1, '#')) {
        if (++tries > MOST_FILES) return give_up(workspace, path, error);
        *mark = '\0';
        if (ossa__source_exists(workspace, start)) {
            char *rest = mark + 1;
            ossa_error why = {0};
            struct ossa__node *node = NULL;
            /* NAME#0x12800 reads just what is there: the file is neither read nor searched. */
            const struct ossa__readable item = {.path = start};
            bool is_offset = ossa__is_offset(rest);
            if (is_offset) node = ossa__node_at(workspace, &item, rest, &why);
            if (node == NULL && !ossa__is_fatal(why.code))
                node = ossa__node_open(workspace, start, &why);
            if (node != NULL) {
                at = find_inside(workspace, node, rest, arena, error);
                if (at.kind == OSSA__AT_NO_ENTRY) (void)fail_entry(&at, path, error);
                return at;
            }
            if (error != NULL) *error = why;
            if (is_offset && !ossa__is_fatal(why.code)) {
                (void)ossa__workspace_fail(error, OSSA_CODE_NO_ENTRY, path,
                                           "there is no file of a game at this offset");
            }
            return (struct ossa__location){.kind = OSSA__AT_FAILED};
        }
        *mark = '#';
    }
    return at;
}
