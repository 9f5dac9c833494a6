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

bool ossa__search_start(ossa_workspace *workspace, struct ossa__node *node, ossa_error *error)
{
    const struct ossa__game *game = searching_game();
    (void)workspace;
    struct ossa__search *search = ossa__arena_take(&node->arena, sizeof *search);
    if (search == NULL || game == NULL) {
        return ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, node->path,
                                    "no memory for a search");
    }
    *search = (struct ossa__search){.game = game};
    atomic_flag_clear(&search->lock);
    node->search = search;
    return true;
}

/* ---- the search ---------------------------------------------------------------------------- */

/* A search that is running. */
struct run {
    const ossa_workspace *workspace;
    struct ossa__node *node;
    uint64_t end;   /* where to stop reading */
    uint64_t shown; /* when progress was reported last */
    bool out_of_memory;
    bool is_cancelled;
    size_t seen;
    ossa_error error;
};

static bool read_at(void *user, uint64_t offset, void *bytes, size_t size)
{
    enum { STEP = 1 << 20 };
    struct run *run = user;
    if (offset - run->shown >= STEP && offset > run->shown) {
        run->shown = offset;
        run->is_cancelled = !ossa__workspace_progress(run->workspace, run->node->path, offset,
                                                      run->end, &run->error);
        if (run->is_cancelled) return false;
    }
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

bool ossa__search_all(ossa_workspace *workspace, struct ossa__node *node, ossa_error *error)
{
    struct run run = {.workspace = workspace, .node = node, .end = node->source.size};
    ossa_error why = {0};
    bool ok = node->search->game->search(read_at, add_found, &run, node->source.size,
                                         workspace->allocator, &why);
    if (run.is_cancelled) why = run.error;
    if (!ok && error != NULL) *error = why;
    if (!ok) return false;
    if (run.out_of_memory) {
        return ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, node->path,
                                    "no memory for the list");
    }
    node->search->is_whole = true;
    node->count = node->search->count;
    if (node->count > 0) return true;
    return ossa__workspace_fail(error, OSSA_CODE_UNKNOWN_FORMAT, node->path,
                                "no file of %s is in it, either", node->search->game->name);
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
    struct run run = {.workspace = workspace, .node = &node};
    if (game == NULL || !ossa__source_open(workspace, item->path, &node.source, NULL)) return;
    uint64_t size = node.source.size < LOOKED_AT ? node.source.size : LOOKED_AT;
    bool ok = game->search(read_at, count_found, &run, size, workspace->allocator, NULL);
    ossa__source_close(&node.source);
    if (!ok || run.seen == 0) return;
    size_t used = strlen(error->message);
    (void)snprintf(error->message + used, sizeof error->message - used,
                   "; it holds files of %s, which a listing finds", game->name);
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

static void lock(struct ossa__search *search)
{
    while (atomic_flag_test_and_set_explicit(&search->lock, memory_order_acquire)) {
        /* It is held for a few instructions only. */
    }
}

static void unlock(struct ossa__search *search)
{
    atomic_flag_clear_explicit(&search->lock, memory_order_release);
}

int64_t ossa__search_find(struct ossa__node *node, const char *name)
{
    uint64_t offset;
    struct ossa__search *search = node->search;
    struct ossa__finding finding;
    if (!read_offset(name, &offset)) return -1;
    int64_t found = -1;
    lock(search);
    for (size_t i = 0; i < search->count && found < 0; i++) {
        if (search->items[i]->entry.offset == offset) found = (int64_t)i;
    }
    if (found < 0 && !search->is_whole &&
        search->game->search_at(ossa__source_read, &node->source, node->source.size, offset,
                                &finding)) {
        struct run run = {.node = node};
        int64_t next = (int64_t)search->count;
        add_found(&run, &finding);
        found = run.out_of_memory ? OSSA__NO_MEMORY : next;
    }
    unlock(search);
    return found;
}

static const struct ossa__found *found_at(const struct ossa__node *node, size_t index)
{
    lock(node->search);
    const struct ossa__found *found = node->search->items[index];
    unlock(node->search);
    return found;
}

const ossa_entry *ossa__search_entry(const struct ossa__node *node, size_t index)
{
    return &found_at(node, index)->entry;
}

const ossa_format *ossa__search_format(const struct ossa__node *node, size_t index,
                                       const char **own_name)
{
    const struct ossa__found *found = found_at(node, index);
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
