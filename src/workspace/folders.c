/* SPDX-License-Identifier: MIT
 *
 * Going through folders: those of the file system, with the files in memory among theirs. */
#include "workspace/workspace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct name {
    const char *path;
    const char *below; /* the path from the folder of the call on */
    bool is_folder;
};

struct names {
    struct ossa__arena *arena;
    struct name *items;
    size_t count;
    const char *folder; /* that they are in */
    size_t above;       /* bytes of a path before `below` */
    bool out_of_memory;
};

static void add_name(struct names *names, const char *path, const char *below, bool is_folder)
{
    struct name *items = ossa__grow(names->arena, names->items, names->count, sizeof *items);
    if (path == NULL || items == NULL) {
        names->out_of_memory = true;
        return;
    }
    names->items = items;
    names->items[names->count++] = (struct name){path, below, is_folder};
}

static bool ends_in_slash(const char *folder)
{
    size_t size = strlen(folder);
    return size > 0 && folder[size - 1] == '/';
}

static void add_listed(void *context, const char *name, bool is_folder)
{
    struct names *names = context;
    const char *slash = ends_in_slash(names->folder) ? "" : "/";
    char *path = ossa__join(names->arena, names->folder, slash, name);
    add_name(names, path, path == NULL ? NULL : path + names->above, is_folder);
}

/* / comes before all other characters: then what is in a folder follows it, before its neighbours,
 * and files in memory are in the same order as if their folders were listed one by one. */
static int rank(char c)
{
    if (c == '\0') return 0;
    return c == '/' ? 1 : (uint8_t)c + 1;
}

static int by_name(const void *a, const void *b)
{
    const char *x = ((const struct name *)a)->below;
    const char *y = ((const struct name *)b)->below;
    size_t i = 0;
    while (x[i] == y[i] && x[i] != '\0') i++;
    return rank(x[i]) - rank(y[i]);
}

static void sort(struct names *names)
{
    if (names->count > 1) qsort(names->items, names->count, sizeof *names->items, by_name);
}

/* All files in memory below a folder. */
static void list_memory(const ossa_workspace *workspace, const char *folder, struct names *names)
{
    char *plain = ossa__copy(names->arena, folder, strlen(folder));
    if (plain == NULL) {
        names->out_of_memory = true;
        return;
    }
    size_t size = ossa__plain_path(folder, plain);
    for (size_t i = 0; i < workspace->root_count; i++) {
        const struct ossa__root *root = &workspace->roots[i];
        if (root->block == NULL || root->is_removed) continue;
        bool is_in = strncmp(root->plain, plain, size) == 0 && root->plain[size] == '/';
        if (size == 0) add_name(names, root->path, root->plain, false);
        else if (is_in) add_name(names, root->path, root->plain + size + 1, false);
    }
    sort(names);
}

/* What the file system has in one folder. */
static bool list_folder(const ossa_workspace *workspace, struct names *names, ossa_error *error)
{
    const ossa_filesystem *files = &workspace->filesystem;
    bool ok =
        files->list != NULL && files->list(files->user, names->folder, add_listed, names, error);
    if (!ok && error->code == OSSA_CODE_OK) error->code = OSSA_CODE_IO;
    if (!ok && error->message[0] == '\0') {
        (void)snprintf(error->message, sizeof error->message, "cannot be listed");
    }
    sort(names);
    return ok;
}

/* A folder without needless separators at its end. */
static const char *trim(struct ossa__arena *arena, const char *folder)
{
    size_t size = strlen(folder);
    while (size > 1 && folder[size - 1] == '/') size--;
    return ossa__copy(arena, folder, size);
}

static bool fail_memory(const char *folder, ossa_error *error)
{
    return ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, folder,
                                "no memory for the names in it");
}

/* A walk through folders. What is still to be visited is on a stack, the next one last, so that no
 * depth is too much. */
struct folder_walk {
    ossa_workspace *workspace;
    struct ossa__arena *arena;
    struct names memory; /* all that is below the folder */
    size_t next;         /* of those */
    size_t above;
    struct name *open;
    size_t count;
    size_t capacity;
    uint64_t seen;
};

static bool push(struct folder_walk *walk, const struct names *names)
{
    size_t needed = walk->count + names->count;
    if (names->out_of_memory) return false;
    if (needed > walk->capacity) {
        size_t capacity = 2 * needed;
        struct name *open = ossa__arena_take(walk->arena, (uint64_t)capacity * sizeof *open);
        if (open == NULL) return false;
        if (walk->count > 0) memcpy(open, walk->open, walk->count * sizeof *open);
        walk->open = open;
        walk->capacity = capacity;
    }
    for (size_t i = names->count; i-- > 0;) walk->open[walk->count++] = names->items[i];
    walk->seen += names->count;
    return true;
}

/* List the folder that the walk begins with; `*is_folder`: it is one. */
static bool start(struct folder_walk *walk, const char *folder, bool *is_folder, ossa_error *error)
{
    ossa_error why = {0};
    const char *trimmed = trim(walk->arena, folder);
    *is_folder = false;
    if (trimmed == NULL) return fail_memory(folder, error);
    walk->memory.arena = walk->arena;
    list_memory(walk->workspace, trimmed, &walk->memory);
    walk->above = strlen(trimmed) + (ends_in_slash(trimmed) ? 0 : 1);
    struct names names = {.arena = walk->arena, .folder = trimmed, .above = walk->above};
    bool is_listed = list_folder(walk->workspace, &names, &why);
    *is_folder = is_listed || walk->memory.count > 0;
    if (walk->memory.out_of_memory || !push(walk, &names)) return fail_memory(folder, error);
    return *is_folder;
}

bool ossa__walk_folder(ossa_workspace *workspace, const char *folder, struct ossa__arena *arena,
                       ossa__file_found *found, void *context, bool *is_folder, ossa_error *error)
{
    struct folder_walk walk = {.workspace = workspace, .arena = arena};
    if (!start(&walk, folder, is_folder, error)) return false;
    while (true) {
        const struct name *disk = walk.count > 0 ? &walk.open[walk.count - 1] : NULL;
        const struct name *memory =
            walk.next < walk.memory.count ? &walk.memory.items[walk.next] : NULL;
        int order = disk != NULL && memory != NULL ? by_name(disk, memory) : -1;
        if (memory != NULL && (disk == NULL || order > 0)) {
            walk.next++;
            if (!found(context, memory->path, NULL)) return false;
            continue;
        }
        if (disk == NULL) return true;
        const struct name next = *disk;
        walk.count--;
        if (!next.is_folder) {
            if (order == 0) continue; /* the one in memory is there instead */
            if (!found(context, next.path, NULL)) return false;
            continue;
        }
        if (!ossa__workspace_progress(workspace, next.path, walk.seen, 0, error)) return false;
        ossa_error why = {0};
        struct names names = {.arena = arena, .folder = next.path, .above = walk.above};
        if (!list_folder(workspace, &names, &why) && !found(context, next.path, &why)) return false;
        if (!push(&walk, &names)) return fail_memory(folder, error);
    }
}

bool ossa__is_folder(ossa_workspace *workspace, const char *path)
{
    struct ossa__arena arena;
    bool is_folder;
    ossa__arena_init(&arena, workspace->allocator, UINT64_MAX);
    struct folder_walk walk = {.workspace = workspace, .arena = &arena};
    (void)start(&walk, path, &is_folder, NULL);
    ossa__arena_free(&arena);
    return is_folder;
}
