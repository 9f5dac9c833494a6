/* SPDX-License-Identifier: MIT
 *
 * Files without a directory, like those of a disc: what is in them must be searched for, by the
 * rules of the game that knows how. Entries are named by their offsets, 0x00012800.anb. */
#include "workspace/workspace.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The game that knows how to search; NULL: none does. */
static const struct ossa__game *searching_game(void)
{
    for (size_t i = 0; ossa__formats[i] != NULL; i++) {
        if (ossa__formats[i]->game->search != NULL) return ossa__formats[i]->game;
    }
    return NULL;
}

bool ossa__search_start(struct ossa__node *node, ossa_error *error)
{
    const struct ossa__game *game = searching_game();
    if (game == NULL) {
        return ossa__workspace_fail(error, OSSA_CODE_UNKNOWN_FORMAT, node->path,
                                    "no game has files that are searched for");
    }
    node->search = ossa__arena_take(&node->arena, sizeof *node->search);
    if (node->search == NULL) {
        return ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, node->path,
                                    "no memory for a search");
    }
    *node->search = (struct ossa__search){.game = game};
    return true;
}

/* ---- the search ---------------------------------------------------------------------------- */

/* A search that is running. */
struct run {
    struct ossa__node *node;
    bool out_of_memory;
    size_t seen;
};

static bool read_at(void *user, uint64_t offset, void *bytes, size_t size)
{
    const struct run *run = user;
    return ossa__source_read(&run->node->source, offset, bytes, size);
}

static void add_found(void *user, const struct ossa__finding *finding)
{
    struct run *run = user;
    struct ossa__search *search = run->node->search;
    struct ossa__arena *arena = &run->node->arena;
    struct ossa__found *item = ossa__arena_take(arena, sizeof *item);
    struct ossa__found **items =
        ossa__grow(arena, search->items, search->count, sizeof *search->items);
    if (item == NULL || items == NULL) {
        run->out_of_memory = true;
        return;
    }
    memset(item, 0, sizeof *item);
    (void)snprintf(item->name, sizeof item->name, "0x%08" PRIx64 ".%s", finding->offset,
                   finding->kind);
    (void)snprintf(item->own_name, sizeof item->own_name, "%s", finding->name);
    item->format = finding->format;
    item->entry = (ossa_entry){.name = item->name,
                               .offset = finding->offset,
                               .stored_size = finding->size,
                               .size = finding->size};
    search->items = items;
    search->items[search->count++] = item;
}

static bool fail_memory(const struct ossa__node *node, ossa_error *error)
{
    return ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, node->path,
                                "no memory for the list");
}

bool ossa__search_all(ossa_workspace *workspace, struct ossa__node *node, ossa_error *error)
{
    struct run run = {.node = node};
    struct ossa__watch watch = {.workspace = workspace, .path = node->path};
    ossa_error why = {0};
    node->source.watch = &watch;
    bool ok = node->search->game->search(read_at, add_found, &run, node->source.size,
                                         workspace->allocator, &why);
    node->source.watch = NULL;
    if (watch.is_cancelled) why = watch.error;
    if (!ok && error != NULL) *error = why;
    if (!ok) return false;
    node->count = node->search->count;
    return !run.out_of_memory || fail_memory(node, error);
}

static void count_found(void *user, const struct ossa__finding *finding)
{
    struct run *run = user;
    (void)finding;
    run->seen++;
}

void ossa__hint_at_search(ossa_workspace *workspace, const struct ossa__item *item,
                          ossa_error *error)
{
    enum { LOOKED_AT = 1 << 20 };
    bool is_unknown = error->code == OSSA_CODE_UNKNOWN_FORMAT || error->code == OSSA_CODE_TOO_LARGE;
    const struct ossa__game *game = is_unknown && item->is_named ? searching_game() : NULL;
    struct ossa__node node = {.path = item->path};
    struct run run = {.node = &node};
    if (game == NULL || !ossa__source_open(workspace, item->path, &node.source, NULL)) return;
    uint64_t size = node.source.size < LOOKED_AT ? node.source.size : LOOKED_AT;
    bool ok = game->search(read_at, count_found, &run, size, workspace->allocator, NULL);
    ossa__source_close(&node.source);
    if (!ok || run.seen == 0) return;
    size_t used = strlen(error->message);
    (void)snprintf(error->message + used, sizeof error->message - used,
                   "; it holds files of %s: name them by offset, as a listing does", game->name);
}

/* ---- large files --------------------------------------------------------------------------- */

/* Does the name say that a file is of another game? */
static bool is_called_otherwise(const struct ossa__game *game, const char *path)
{
    for (size_t i = 0; ossa__formats[i] != NULL; i++) {
        const struct ossa__format *format = ossa__formats[i];
        if (format->game != game && ossa_format_fits_name(&format->about, path)) return true;
    }
    return false;
}

/* Does a large file begin with one of the game? They have signatures, before which none goes. */
static bool begins_with_one(ossa_workspace *workspace, const char *path)
{
    const struct ossa__game *game = searching_game();
    struct ossa__source source;
    struct ossa__finding finding;
    if (game == NULL || is_called_otherwise(game, path)) return false;
    if (!ossa__source_open(workspace, path, &source, NULL)) return false;
    /* One in memory costs nothing to read, and one that is too large is not read. */
    bool is_large = source.block == NULL && source.size > OSSA__READ_WHOLE &&
                    ossa__source_limit(workspace, &source, path, NULL);
    bool is_one = is_large && game->search_at(ossa__source_read, &source, source.size, 0, &finding);
    ossa__source_close(&source);
    return is_one;
}

/* Does the first that was found begin the file, and can it be read? */
static bool begins_well(const struct ossa__node *node)
{
    const ossa_options options = {
        .allocator = node->arena.allocator, .name = node->path, .max_input = UINT32_MAX};
    const ossa_entry *entry = ossa__search_entry(node, 0);
    ossa_bytes bytes;
    if (entry->offset != 0 || !ossa__search_bytes(node, 0, &options, &bytes, NULL)) return false;
    ossa_file *file = ossa_read(bytes.data, bytes.size, &options, NULL);
    bool is_same = file != NULL && file->format == node->search->items[0]->format;
    ossa_file_free(file);
    ossa_bytes_free(&bytes);
    return is_same;
}

bool ossa__search_first(ossa_workspace *workspace, const char *path, struct ossa__node **node,
                        ossa_error *error)
{
    *node = NULL;
    if (!begins_with_one(workspace, path)) return true;
    struct ossa__node *found = ossa__node_search(workspace, path, error);
    if (found == NULL) return error->code != OSSA_CODE_CANCELLED;
    if (found->count > 1 && begins_well(found)) *node = found;
    else ossa__node_release(found);
    return true;
}

/* ---- entries ------------------------------------------------------------------------------- */

/* "0x12800" and "0x12800.anb"; false: it is none. */
static bool read_offset(const char *name, uint64_t *offset)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    if (name[0] != '0' || (name[1] != 'x' && name[1] != 'X')) return false;
    const char *c = name + 2;
    *offset = 0;
    for (const char *digit; *c != '\0' && (digit = strchr(digits, *c)) != NULL; c++) {
        if (*offset >> 60 != 0) return false;
        *offset = *offset << 4 | (uint64_t)((digit - digits) % 16);
    }
    return c > name + 2 && (*c == '\0' || *c == '.' || *c == '#');
}

bool ossa__search_is_name(const char *name)
{
    uint64_t offset;
    return read_offset(name, &offset);
}

bool ossa__search_at(struct ossa__node *node, const char *name, ossa_error *error)
{
    uint64_t offset;
    struct run run = {.node = node};
    struct ossa__finding finding;
    if (read_offset(name, &offset) &&
        node->search->game->search_at(ossa__source_read, &node->source, node->source.size, offset,
                                      &finding)) {
        add_found(&run, &finding);
    }
    node->count = node->search->count;
    return !run.out_of_memory || fail_memory(node, error);
}

int64_t ossa__search_find(const struct ossa__node *node, const char *name)
{
    uint64_t offset;
    const struct ossa__search *search = node->search;
    size_t first = 0;
    if (!read_offset(name, &offset)) return -1;
    for (size_t end = search->count; first < end;) {
        size_t middle = first + (end - first) / 2;
        if (search->items[middle]->entry.offset < offset) first = middle + 1;
        else end = middle;
    }
    bool is_there = first < search->count && search->items[first]->entry.offset == offset;
    return is_there ? (int64_t)first : -1;
}

const ossa_entry *ossa__search_entry(const struct ossa__node *node, size_t index)
{
    return &node->search->items[index]->entry;
}

const ossa_format *ossa__search_format(const struct ossa__node *node, size_t index,
                                       const char **own_name)
{
    const struct ossa__found *found = node->search->items[index];
    *own_name = found->own_name[0] == '\0' ? NULL : found->own_name;
    return found->format;
}

bool ossa__search_bytes(const struct ossa__node *node, size_t index, const ossa_options *options,
                        ossa_bytes *bytes, ossa_error *error)
{
    const ossa_entry *entry = ossa__search_entry(node, index);
    ossa_allocator allocator = ossa__allocator_or_default(options->allocator);
    *bytes = (ossa_bytes){.allocator = allocator};
    if (entry->size > options->max_input || entry->size >= SIZE_MAX) {
        return ossa__workspace_fail(error, OSSA_CODE_TOO_LARGE, node->path,
                                    "has %" PRIu64 " bytes, more than the limit of %" PRIu64
                                    " bytes",
                                    entry->size, options->max_input);
    }
    uint8_t *data = allocator.allocate(allocator.user, (size_t)entry->size + 1);
    if (data == NULL) {
        return ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, node->path,
                                    "does not fit in memory");
    }
    bytes->owned = data;
    bytes->data = data;
    bytes->size = (size_t)entry->size;
    struct ossa__node *source = (struct ossa__node *)(uintptr_t)node;
    if (ossa__source_read(&source->source, entry->offset, data, bytes->size)) return true;
    ossa_bytes_free(bytes);
    return ossa__workspace_fail(error, OSSA_CODE_IO, node->path, "cannot be read");
}
