/* SPDX-License-Identifier: MIT
 *
 * What two paths lead to, and how that is compared. */
#include "workspace/diff.h"

#include "base/fold.h"

#include <string.h>

/* ---- failures ------------------------------------------------------------------------------ */

bool ossa__differ_fail(struct ossa__differ *differ, const ossa_error *error)
{
    if (!differ->failed) differ->error = *error;
    differ->failed = true;
    return false;
}

bool ossa__differ_out_of_memory(struct ossa__differ *differ, const char *path)
{
    ossa_error error = {0};
    (void)ossa__workspace_fail(&error, OSSA_CODE_OUT_OF_MEMORY, path, "no memory to compare it");
    return ossa__differ_fail(differ, &error);
}

bool ossa__differ_skip(struct ossa__differ *differ, const ossa_error *error)
{
    const ossa_diff_options *options = differ->options;
    if (error->code == OSSA_CODE_OK) return true; /* it was reported before */
    if (ossa__is_fatal(error->code)) return ossa__differ_fail(differ, error);
    differ->diff.error_count++;
    if (options->on_error != NULL) options->on_error(options->user, error);
    return true;
}

/* ---- where a path leads -------------------------------------------------------------------- */

/* One file, or a set of them. */
struct root {
    const char *path;
    bool is_set;
    struct ossa__diff_item item; /* the file */
    struct ossa__diff_list list; /* the set */
    struct ossa__node *node;     /* an archive around either, to be released; NULL: none */
};

/* Files in a folder, as they are found. */
struct folder {
    struct ossa__differ *differ;
    struct ossa__arena *arena;
    struct ossa__diff_list *list;
    size_t above; /* bytes of the folder's path */
    bool failed;
};

static bool add_file(void *context, const char *path, const ossa_error *error)
{
    struct folder *folder = context;
    struct ossa__diff_list *list = folder->list;
    if (error != NULL) return ossa__differ_skip(folder->differ, error);
    if (ossa__is_continuation(folder->differ->workspace, NULL, path)) return true;
    struct ossa__diff_item *items =
        ossa__grow(folder->arena, list->items, list->count, sizeof *items);
    char *copy = ossa__copy(folder->arena, path, strlen(path));
    folder->failed = items == NULL || copy == NULL;
    if (folder->failed) return ossa__differ_out_of_memory(folder->differ, path);
    list->items = items;
    const char *name = copy + (folder->above < strlen(copy) ? folder->above : 0);
    items[list->count++] = (struct ossa__diff_item){.path = copy, .name = name + strspn(name, "/")};
    return true;
}

/* A file or a folder of the file system. */
static bool find_files(struct ossa__differ *differ, struct root *root, struct ossa__arena *arena)
{
    ossa_error error = {0};
    struct folder folder = {.differ = differ, .arena = arena, .list = &root->list};
    if (ossa__source_exists(differ->workspace, root->path)) {
        root->item = (struct ossa__diff_item){.path = root->path, .name = ""};
        return true;
    }
    folder.above = strlen(root->path);
    while (folder.above > 1 && root->path[folder.above - 1] == '/') folder.above--;
    bool ok = ossa__walk_folder(differ->workspace, root->path, arena, add_file, &folder,
                                &root->is_set, &error);
    if (differ->failed) return false;
    if (!ok && (root->is_set || ossa__is_fatal(error.code))) {
        return ossa__differ_fail(differ, &error);
    }
    if (!root->is_set) {
        struct ossa__source source;
        if (ossa__source_open(differ->workspace, root->path, &source, &error)) {
            ossa__source_close(&source);
        }
        return ossa__differ_fail(differ, &error);
    }
    ossa__diff_list_sort(&root->list);
    return true;
}

/* Several entries of an archive: a figure, or a folder, whose name is not part of theirs. */
static bool list_entries(struct ossa__differ *differ, struct root *root,
                         const struct ossa__location *at, struct ossa__arena *arena)
{
    if (!ossa__diff_list_start(differ, &root->list, at->count, arena)) return false;
    const char *folder = root->path + strlen(at->archive->path) + 1;
    size_t size = at->figure != NULL ? 0 : strlen(folder);
    while (size > 0 && (folder[size - 1] == '/' || folder[size - 1] == '\\')) size--;
    for (size_t i = 0; i < at->count; i++) {
        const char *name = ossa__node_entry(at->archive, at->entries[i])->name;
        size_t used = size == 0 ? 0 : ossa__begins_with(name, folder, size);
        root->list.items[root->list.count++] = (struct ossa__diff_item){
            .archive = at->archive, .entry = at->entries[i], .name = name + used + (used > 0)};
    }
    ossa__diff_list_sort(&root->list);
    return true;
}

static bool find_root(struct ossa__differ *differ, struct root *root, unsigned side,
                      struct ossa__arena *arena)
{
    ossa_error error = {0};
    if (root->path == NULL) return true;
    struct ossa__location at = ossa__locate(differ->workspace, root->path, arena, &error);
    root->node = at.archive;
    switch (at.kind) {
    case OSSA__AT_FILE: return find_files(differ, root, arena);
    case OSSA__AT_ENTRY:
        differ->budgets[side] = ossa__budget_of(differ->workspace, at.archive);
        root->item = (struct ossa__diff_item){
            .archive = at.archive, .entry = at.entry, .path = root->path, .name = ""};
        return true;
    case OSSA__AT_ENTRIES:
        differ->budgets[side] = ossa__budget_of(differ->workspace, at.archive);
        root->is_set = true;
        return list_entries(differ, root, &at, arena);
    case OSSA__AT_NO_ENTRY:
    case OSSA__AT_FAILED: break;
    }
    return ossa__differ_fail(differ, &error);
}

/* ---- comparing ----------------------------------------------------------------------------- */

/* An archive that is compared with a set is the set of its entries. */
static bool open_root(struct ossa__differ *differ, struct root *root, unsigned side,
                      const char *other, struct ossa__arena *arena)
{
    ossa_error error = {0};
    struct ossa__node *node = ossa__diff_enter(differ, &root->item, side, &error);
    bool is_telling = ossa__is_fatal(error.code) || error.code == OSSA_CODE_IO ||
                      error.code == OSSA_CODE_TOO_LARGE;
    if (node == NULL && is_telling) return ossa__differ_fail(differ, &error);
    if (node == NULL) {
        (void)ossa__workspace_fail(&error, OSSA_CODE_NOT_AN_ARCHIVE, root->path,
                                   "is not an archive, and cannot be compared with all files of %s",
                                   other);
        return ossa__differ_fail(differ, &error);
    }
    ossa__node_release(root->node);
    root->node = node;
    root->is_set = true;
    return ossa__diff_list_entries(differ, node, arena, &root->list);
}

static bool compare_sets(struct ossa__differ *differ, struct root roots[2],
                         const char *const paths[2], struct ossa__arena *arena)
{
    const struct ossa__diff_list *lists;
    differ->diff.is_set = true;
    for (unsigned s = 0; s < 2; s++) {
        if (!roots[s].is_set && !open_root(differ, &roots[s], s, paths[1 - s], arena)) return false;
    }
    lists = (const struct ossa__diff_list[]){roots[0].list, roots[1].list};
    if (!ossa__diff_have_pair(differ, lists)) {
        bool ok = ossa__diff_figures(differ, paths, true, &differ->diff.is_figures_only);
        if (!ok || differ->diff.is_figures_only) return ok;
    }
    return ossa__diff_lists(differ, lists, "");
}

static size_t count_differences(const ossa_diff *diff)
{
    return diff->changed_count + diff->only_a_count + diff->only_b_count;
}

static bool compare_roots(struct ossa__differ *differ, struct root roots[2],
                          const char *const paths[2], struct ossa__arena *arena)
{
    ossa_diff *diff = &differ->diff;
    bool ok = true;
    if (paths[0] == NULL && paths[1] == NULL) return true;
    if (paths[0] == NULL || paths[1] == NULL) {
        struct root *root = &roots[paths[0] == NULL ? 1 : 0];
        struct ossa__diff_item whole = root->item;
        whole.path = root->path;
        if (root->is_set) whole.archive = NULL;
        return ossa__diff_single(differ, paths[0] == NULL ? NULL : &whole,
                                 paths[0] == NULL ? &whole : NULL, "");
    }
    if (roots[0].is_set || roots[1].is_set) ok = compare_sets(differ, roots, paths, arena);
    else ok = ossa__diff_pair(differ, &roots[0].item, &roots[1].item, "");
    bool has_figures;
    if (ok && diff->is_set && !diff->is_figures_only && count_differences(diff) > 0) {
        ok = ossa__diff_figures(differ, paths, false, &has_figures);
    }
    return ok;
}

bool ossa_workspace_diff(ossa_workspace *workspace, const char *a, const char *b,
                         const ossa_diff_options *options, ossa_diff *diff, ossa_error *error)
{
    const ossa_diff_options defaults = {0};
    const char *const paths[2] = {a, b};
    struct root roots[2] = {{.path = a}, {.path = b}};
    struct ossa__differ differ = {.workspace = workspace,
                                  .options = options == NULL ? &defaults : options};
    struct ossa__arena arena;
    ossa__arena_init(&arena, workspace->allocator, UINT64_MAX);
    ossa__arena_init(&differ.arena, workspace->allocator, UINT64_MAX);
    bool ok = find_root(&differ, &roots[0], 0, &arena) &&
              find_root(&differ, &roots[1], 1, &arena) &&
              compare_roots(&differ, roots, paths, &arena);
    for (unsigned s = 0; s < 2; s++) ossa__node_release(roots[s].node);
    ossa__arena_free(&differ.arena);
    ossa__arena_free(&arena);
    bool is_other_figure = differ.diff.is_figures_only &&
                           differ.diff.bone_count + differ.diff.different_clip_count > 0;
    differ.diff.is_same =
        ok && count_differences(&differ.diff) + differ.diff.error_count == 0 && !is_other_figure;
    if (diff != NULL) *diff = differ.diff;
    if (ok) differ.error = (ossa_error){0};
    if (error != NULL) *error = differ.error;
    return ok;
}
