/* SPDX-License-Identifier: MIT
 *
 * A workspace and the paths that were added to it. */
#include "workspace/workspace.h"

#include "base/fold.h"
#include "codec/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool ossa__workspace_fail(ossa_error *error, ossa_code code, const char *path, const char *message,
                          ...)
{
    if (error == NULL) return false;
    va_list arguments;
    va_start(arguments, message);
    *error = (ossa_error){.code = code};
    ossa__error_path(error, path);
    (void)vsnprintf(error->message, sizeof error->message, message, arguments);
    va_end(arguments);
    return false;
}

bool ossa__workspace_progress(const ossa_workspace *workspace, const char *path, uint64_t done,
                              uint64_t total, ossa_error *error)
{
    const ossa_workspace_options *options = &workspace->options;
    const ossa_progress progress = {.path = path, .done = done, .total = total};
    if (options->on_progress == NULL || options->on_progress(options->user, &progress)) return true;
    return ossa__workspace_fail(error, OSSA_CODE_CANCELLED, path, "cancelled");
}

const char *ossa__path_for_error(const ossa_workspace *workspace, const char *path)
{
    if (path == NULL) path = ossa_workspace_path(workspace, 0);
    return path == NULL ? "" : path;
}

bool ossa__is_fatal(ossa_code code)
{
    return code == OSSA_CODE_OUT_OF_MEMORY || code == OSSA_CODE_CANCELLED;
}

/* ---- texts and lists ----------------------------------------------------------------------- */

char *ossa__copy(struct ossa__arena *arena, const char *text, size_t size)
{
    char *copy = ossa__arena_take(arena, (uint64_t)size + 1);
    if (copy == NULL) return NULL;
    memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

char *ossa__join(struct ossa__arena *arena, const char *a, const char *between, const char *b)
{
    size_t sizes[3] = {strlen(a), strlen(between), strlen(b)};
    char *text = ossa__arena_take(arena, (uint64_t)sizes[0] + sizes[1] + sizes[2] + 1);
    if (text == NULL) return NULL;
    memcpy(text, a, sizes[0]);
    memcpy(text + sizes[0], between, sizes[1]);
    memcpy(text + sizes[0] + sizes[1], b, sizes[2] + 1);
    return text;
}

void *ossa__grow(struct ossa__arena *arena, void *items, size_t count, size_t size)
{
    enum { FIRST = 4 }; /* most figures have two or three paths */
    bool is_full = count == 0 || (count >= FIRST && (count & (count - 1)) == 0);
    if (!is_full) return items;
    uint64_t bytes;
    size_t capacity = count == 0 ? FIRST : 2 * count;
    void *larger = ossa__multiply(capacity, size, &bytes) ? ossa__arena_take(arena, bytes) : NULL;
    if (larger != NULL && count > 0) memcpy(larger, items, count * size);
    return larger;
}

/* ---- blocks -------------------------------------------------------------------------------- */

/* A block that owns `data`, which comes from the allocator; NULL: no memory. */
static struct ossa__block *new_block(ossa_allocator allocator, uint8_t *data, size_t size)
{
    struct ossa__block *block = allocator.allocate(allocator.user, sizeof *block);
    if (block == NULL) return NULL;
    atomic_init(&block->users, 1);
    block->allocator = allocator;
    block->size = size;
    block->data = data;
    return block;
}

void ossa__block_release(struct ossa__block *block)
{
    if (block == NULL || atomic_fetch_sub(&block->users, 1) != 1) return;
    ossa_allocator allocator = block->allocator;
    if (block->data != NULL) allocator.release(allocator.user, block->data, block->size);
    allocator.release(allocator.user, block, sizeof *block);
}

/* ---- the workspace ------------------------------------------------------------------------- */

static void *take(const ossa_workspace *workspace, size_t size)
{
    return workspace->allocator.allocate(workspace->allocator.user, size);
}

static void give_back(const ossa_workspace *workspace, void *memory, size_t size)
{
    if (memory != NULL) workspace->allocator.release(workspace->allocator.user, memory, size);
}

ossa_filesystem ossa_disk_filesystem(void)
{
    return ossa__disk;
}

ossa_workspace *ossa_workspace_new(const ossa_workspace_options *options, ossa_error *error)
{
    ossa_workspace_options filled = {0};
    if (options != NULL) filled = *options;
    if (error != NULL) *error = (ossa_error){0};
    if (!ossa__is_allocator(filled.allocator)) {
        (void)ossa__workspace_fail(error, OSSA_CODE_BAD_ARGUMENT, "", OSSA__HALF_ALLOCATOR);
        return NULL;
    }
    ossa_allocator allocator = ossa__allocator_or_default(filled.allocator);
    ossa_workspace *workspace = allocator.allocate(allocator.user, sizeof *workspace);
    if (workspace == NULL) {
        (void)ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, "", "no memory for a workspace");
        return NULL;
    }
    memset(workspace, 0, sizeof *workspace);
    if (filled.max_input == 0) filled.max_input = UINT64_C(256) << 20;
    workspace->options = filled;
    workspace->allocator = allocator;
    workspace->filesystem = filled.filesystem == NULL ? ossa__disk : *filled.filesystem;
    workspace->options.filesystem = NULL; /* it was copied */
    atomic_flag_clear(&workspace->cache.lock);
    return workspace;
}

static void free_root(const ossa_workspace *workspace, struct ossa__root *root)
{
    size_t size = strlen(root->path) + 1;
    ossa__block_release(root->block);
    give_back(workspace, root->plain, size);
    give_back(workspace, root->path, size);
}

void ossa_workspace_free(ossa_workspace *workspace)
{
    if (workspace == NULL) return;
    ossa__cache_clear(workspace);
    for (size_t i = 0; i < workspace->root_count; i++) free_root(workspace, &workspace->roots[i]);
    give_back(workspace, workspace->roots, workspace->root_capacity * sizeof *workspace->roots);
    give_back(workspace, workspace->slots, workspace->slot_count * sizeof *workspace->slots);
    give_back(workspace, workspace, sizeof *workspace);
}

/* ---- paths that were added ----------------------------------------------------------------- */

static bool fail_memory(ossa_error *error, const char *path)
{
    return ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, path, "no memory for its name");
}

/* The names of a path from its end to its start, without ., .. and what .. takes back: in this
 * direction no memory is needed for it. */
struct path_names {
    const char *path;
    size_t end; /* of what is still to be looked at */
    size_t up;  /* names that .. takes back */
};

/* The size of the next name; 0: there is none. */
static size_t previous_name(struct path_names *names, const char **name)
{
    while (names->end > 0) {
        size_t start = names->end;
        while (start > 0 && names->path[start - 1] != '/') start--;
        size_t size = names->end - start;
        *name = names->path + start;
        names->end = start == 0 ? 0 : start - 1;
        bool is_dot = size == 1 && **name == '.';
        bool is_up = size == 2 && memcmp(*name, "..", 2) == 0;
        if (is_up) names->up++;
        else if (size > 0 && !is_dot && names->up == 0) return size;
        else if (size > 0 && !is_dot) names->up--;
    }
    return 0;
}

size_t ossa__plain_path(const char *path, char *plain)
{
    size_t room = strlen(path);
    size_t start = room;
    struct path_names names = {.path = path, .end = room};
    const char *name;
    for (size_t size; (size = previous_name(&names, &name)) > 0;) {
        if (start < room) plain[--start] = '/';
        start -= size;
        memcpy(plain + start, name, size);
    }
    memmove(plain, plain + start, room - start);
    plain[room - start] = '\0';
    return room - start;
}

/* FNV-1a from the end to the start. */
static uint64_t hash_back(uint64_t hash, const char *text, size_t size)
{
    while (size > 0) hash = (hash ^ (uint8_t)text[--size]) * UINT64_C(1099511628211);
    return hash;
}

/* Of the plain path, which for a file on the disk is the path itself: one that begins with / is
 * another one there. */
static uint64_t hash_plain(const char *path, bool is_memory)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    struct path_names names = {.path = path, .end = strlen(path)};
    const char *name;
    bool is_last = true;
    if (!is_memory) return hash_back(hash, path, names.end);
    for (size_t size; (size = previous_name(&names, &name)) > 0; is_last = false) {
        if (!is_last) hash = hash_back(hash, "/", 1);
        hash = hash_back(hash, name, size);
    }
    return hash;
}

static bool is_plain_of(const char *plain, const char *path, bool is_memory)
{
    size_t left = strlen(plain);
    struct path_names names = {.path = path, .end = strlen(path)};
    const char *name;
    bool is_last = true;
    if (!is_memory) return strcmp(plain, path) == 0;
    for (size_t size; (size = previous_name(&names, &name)) > 0; is_last = false) {
        if (!is_last && (left == 0 || plain[--left] != '/')) return false;
        if (size > left || memcmp(plain + left - size, name, size) != 0) return false;
        left -= size;
    }
    return left == 0;
}

/* The slot of a path, taken or free; there is always a free one. */
static uint32_t *find_slot(const ossa_workspace *workspace, const char *path, bool is_memory)
{
    size_t mask = workspace->slot_count - 1;
    uint64_t hash = hash_plain(path, is_memory);
    size_t slot = (size_t)(hash ^ hash >> 32) & mask;
    while (workspace->slots[slot] != 0) {
        const struct ossa__root *root = &workspace->roots[workspace->slots[slot] - 1];
        if (is_plain_of(root->plain, path, is_memory)) break;
        slot = (slot + 1) & mask;
    }
    return &workspace->slots[slot];
}

static struct ossa__root *find_root(const ossa_workspace *workspace, const char *path,
                                    bool is_memory)
{
    if (workspace->slot_count == 0) return NULL;
    uint32_t slot = *find_slot(workspace, path, is_memory);
    return slot == 0 ? NULL : &workspace->roots[slot - 1];
}

struct ossa__block *ossa__find_block(const ossa_workspace *workspace, const char *path)
{
    const struct ossa__root *root = find_root(workspace, path, true);
    return root == NULL ? NULL : root->block;
}

static bool has_room(const ossa_workspace *workspace)
{
    return workspace->root_count < workspace->root_capacity;
}

/* Room for one more root, and slots for twice as many as there may be. */
static bool grow_roots(ossa_workspace *workspace)
{
    if (has_room(workspace)) return true;
    size_t before = workspace->root_capacity;
    size_t capacity = before == 0 ? 16 : 2 * before;
    if (capacity >= UINT32_MAX / 2) return false;
    struct ossa__root *roots = take(workspace, capacity * sizeof *roots);
    uint32_t *slots = take(workspace, 2 * capacity * sizeof *slots);
    if (roots == NULL || slots == NULL) {
        give_back(workspace, roots, capacity * sizeof *roots);
        give_back(workspace, slots, 2 * capacity * sizeof *slots);
        return false;
    }
    if (workspace->root_count > 0) {
        memcpy(roots, workspace->roots, workspace->root_count * sizeof *roots);
    }
    give_back(workspace, workspace->roots, before * sizeof *roots);
    give_back(workspace, workspace->slots, workspace->slot_count * sizeof *slots);
    workspace->roots = roots;
    workspace->root_capacity = capacity;
    workspace->slots = slots;
    workspace->slot_count = 2 * capacity;
    return true;
}

static void fill_slots(ossa_workspace *workspace)
{
    memset(workspace->slots, 0, workspace->slot_count * sizeof *workspace->slots);
    for (size_t i = 0; i < workspace->root_count; i++) {
        *find_slot(workspace, workspace->roots[i].plain, false) = (uint32_t)i + 1;
    }
}

/* What was removed stays as an empty root until there are many: slots are numbers of roots. */
static void compact(ossa_workspace *workspace)
{
    size_t kept = 0;
    for (size_t i = 0; i < workspace->root_count; i++) {
        struct ossa__root *root = &workspace->roots[i];
        if (root->is_removed) free_root(workspace, root);
        else workspace->roots[kept++] = *root;
    }
    workspace->root_count = kept;
    workspace->removed_count = 0;
    fill_slots(workspace);
}

static void remove_root(ossa_workspace *workspace, struct ossa__root *root)
{
    ossa__cache_clear(workspace); /* one of them may be of this file */
    ossa__block_release(root->block);
    root->block = NULL;
    root->is_removed = true;
    if (2 * ++workspace->removed_count > workspace->root_count) compact(workspace);
}

static bool set_root(ossa_workspace *workspace, const char *path, struct ossa__block *block,
                     ossa_error *error)
{
    size_t size = strlen(path) + 1;
    struct ossa__root *known = find_root(workspace, path, block != NULL);
    ossa__cache_clear(workspace); /* one of them may be of the file that was there until now */
    if (known != NULL) {
        if (known->is_removed) workspace->removed_count--;
        ossa__block_release(known->block);
        known->block = block;
        known->is_removed = false;
        return true;
    }
    char *plain = take(workspace, size);
    char *copy = take(workspace, size);
    bool had_room = has_room(workspace);
    if (plain == NULL || copy == NULL || !grow_roots(workspace)) {
        give_back(workspace, plain, size);
        give_back(workspace, copy, size);
        return fail_memory(error, path);
    }
    memcpy(copy, path, size);
    if (block == NULL) memcpy(plain, path, size);
    else (void)ossa__plain_path(path, plain);
    if (!had_room) fill_slots(workspace);
    *find_slot(workspace, plain, false) = (uint32_t)workspace->root_count + 1;
    workspace->roots[workspace->root_count++] =
        (struct ossa__root){.path = copy, .plain = plain, .block = block};
    return true;
}

bool ossa_workspace_add(ossa_workspace *workspace, const char *path, ossa_error *error)
{
    if (error != NULL) *error = (ossa_error){0};
    return set_root(workspace, path, NULL, error);
}

static bool fail_bytes(ossa_error *error, const char *path)
{
    return ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, path, "no memory for its bytes");
}

bool ossa_workspace_adopt_memory(ossa_workspace *workspace, const char *path, void *data,
                                 size_t size, ossa_error *error)
{
    if (error != NULL) *error = (ossa_error){0};
    struct ossa__block *block = new_block(workspace->allocator, data, size);
    if (block == NULL) return fail_bytes(error, path);
    if (set_root(workspace, path, block, error)) return true;
    block->data = NULL; /* it is still the caller's */
    ossa__block_release(block);
    return false;
}

bool ossa_workspace_add_memory(ossa_workspace *workspace, const char *path, const void *data,
                               size_t size, ossa_error *error)
{
    if (error != NULL) *error = (ossa_error){0};
    uint8_t *copy = NULL;
    if (size > 0) {
        copy = take(workspace, size);
        if (copy == NULL) return fail_bytes(error, path);
        memcpy(copy, data, size);
    }
    if (ossa_workspace_adopt_memory(workspace, path, copy, size, error)) return true;
    give_back(workspace, copy, size);
    return false;
}

bool ossa_workspace_remove(ossa_workspace *workspace, const char *path)
{
    struct ossa__root *root = find_root(workspace, path, true);
    if (root == NULL || root->is_removed) root = find_root(workspace, path, false);
    if (root == NULL || root->is_removed) return false;
    remove_root(workspace, root);
    return true;
}

const char *ossa_workspace_path(const ossa_workspace *workspace, size_t index)
{
    if (workspace->removed_count == 0) {
        return index < workspace->root_count ? workspace->roots[index].path : NULL;
    }
    for (size_t i = 0; i < workspace->root_count; i++) {
        if (workspace->roots[i].is_removed) continue;
        if (index-- == 0) return workspace->roots[i].path;
    }
    return NULL;
}
