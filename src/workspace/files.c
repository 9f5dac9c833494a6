/* SPDX-License-Identifier: MIT
 *
 * Reading what a path leads to. */
#include "workspace/workspace.h"

#include "base/fold.h"
#include "codec/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a file lies in ------------------------------------------------------------------- */

/* Kept by a file that was read. It lives in its own arena. */
struct keeper {
    struct ossa__arena arena;
    struct ossa__node *archive;
    ossa_bytes bytes;
    struct ossa__source source;
};

static void release(void *user)
{
    struct keeper *keeper = user;
    struct ossa__arena arena = keeper->arena;
    ossa_bytes_free(&keeper->bytes);
    ossa__source_close(&keeper->source);
    ossa__node_release(keeper->archive);
    ossa__arena_free(&arena);
}

static struct keeper *new_keeper(const ossa_workspace *workspace, const char *path,
                                 ossa_error *error)
{
    struct ossa__arena arena;
    ossa__arena_init(&arena, workspace->allocator, UINT64_MAX);
    struct keeper *keeper = ossa__arena_take(&arena, sizeof *keeper);
    if (keeper == NULL) {
        ossa__arena_free(&arena);
        (void)ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, path, "no memory for a file");
        return NULL;
    }
    memset(keeper, 0, sizeof *keeper);
    keeper->arena = arena;
    return keeper;
}

/* The file that was read, or nothing. */
static ossa_file *hand_over(ossa_file *file, struct keeper *keeper)
{
    if (file != NULL) ossa__file_keep(file, release, keeper);
    else release(keeper);
    return file;
}

/* ---- reading ------------------------------------------------------------------------------- */

bool ossa__report_failure(const ossa_options *options, const char *path, const ossa_error *error)
{
    if (options == NULL) return false;
    ossa_issue issue = {.severity = OSSA_SEVERITY_UNREADABLE,
                        .code = error->code,
                        .path = path,
                        .format = "",
                        .field = "",
                        .message = error->message};
    if (options->on_issue != NULL) options->on_issue(options->user, &issue);
    if (options->on_group != NULL) options->on_group(options->user, &issue);
    return false;
}

bool ossa__reads_for_others(const ossa_options *options)
{
    return options->format == NULL;
}

bool ossa__reads_plainly(const ossa_options *options)
{
    return ossa__reads_for_others(options) && options->on_issue == NULL &&
           options->on_field == NULL && options->on_group == NULL;
}

ossa_file *ossa__read_entry(ossa_workspace *workspace, const struct ossa__readable *item,
                            const ossa_guess *guess, ossa_bytes *bytes, const ossa_options *options,
                            ossa_error *error)
{
    struct keeper *keeper = new_keeper(workspace, item->path, error);
    if (keeper == NULL) {
        ossa_bytes_free(bytes);
        return NULL;
    }
    keeper->bytes = *bytes;
    *bytes = (ossa_bytes){0};
    /* Bytes of its own need no archive, and no open file. */
    if (keeper->bytes.owned == NULL) keeper->archive = ossa__node_keep(item->archive);
    const char *name = ossa__node_entry(item->archive, item->entry)->name;
    ossa_options named = *options;
    named.name = ossa__node_hint(&keeper->arena, item->archive, name);
    if (named.name == NULL) {
        (void)ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, item->path,
                                   "no memory for its name");
        return hand_over(NULL, keeper);
    }
    named.path = item->path;
    named.copy = false;
    named.allocator = workspace->allocator;
    named.max_input = workspace->options.max_input;
    return hand_over(
        ossa__read_guessed(keeper->bytes.data, keeper->bytes.size, guess, &named, error), keeper);
}

bool ossa__item_open(ossa_workspace *workspace, const struct ossa__readable *item,
                     struct ossa__arena *arena, struct ossa__source *source, ossa_error *error)
{
    const char *name = item->path;
    if (item->archive == NULL) {
        if (!ossa__source_open(workspace, item->path, source, error)) return false;
    } else {
        name = ossa__node_entry(item->archive, item->entry)->name;
        if (!ossa__source_enter(item->archive, item->entry, source, error)) return false;
    }
    if (ossa__source_continue(workspace, name, arena, source, error)) return true;
    ossa__source_close(source);
    return false;
}

/* A file of the file system or of memory, or an entry that is read like one. */
static ossa_file *read_file(ossa_workspace *workspace, const struct ossa__readable *item,
                            const ossa_options *options, ossa_error *error)
{
    struct keeper *keeper = new_keeper(workspace, item->path, error);
    if (keeper == NULL) return NULL;
    if (!ossa__item_open(workspace, item, &keeper->arena, &keeper->source, error)) {
        if (error != NULL) (void)ossa__report_failure(options, item->path, error);
        release(keeper);
        return NULL;
    }
    ossa_options plain = *options;
    plain.copy = false;
    return hand_over(
        ossa__source_file(workspace, &keeper->source, item->path, &keeper->arena, &plain, error),
        keeper);
}

ossa_file *ossa__read_item(ossa_workspace *workspace, const struct ossa__readable *item,
                           const ossa_options *options, ossa_error *error)
{
    ossa_error why = {0};
    ossa_error *said = error == NULL ? &why : error;
    *said = (ossa_error){0};
    if (item->archive == NULL || ossa__node_streams(item->archive, item->entry)) {
        return read_file(workspace, item, options, said);
    }
    ossa_bytes bytes;
    if (!ossa__node_bytes(workspace, item->archive, item->entry, &bytes, said)) {
        ossa__error_path(said, item->path);
        (void)ossa__report_failure(options, item->path, said);
        return NULL;
    }
    ossa_guess guess = {0};
    if (options->format == NULL) guess = ossa__node_guess(item->archive, item->entry, &bytes);
    return ossa__read_entry(workspace, item, &guess, &bytes, options, said);
}

bool ossa_workspace_index(ossa_workspace *workspace, ossa_sink sink, ossa_error *error)
{
    struct ossa__node *node = ossa__cache_searched(workspace);
    if (error != NULL) *error = (ossa_error){0};
    if (node == NULL) {
        return ossa__workspace_fail(error, OSSA_CODE_NO_ENTRY, "", "no archive was searched");
    }
    bool ok = ossa_write_index(node->file, sink, error);
    ossa__node_release(node);
    return ok;
}

/* What a path that is to be one file leads to; false with the error. */
static bool find_one(ossa_workspace *workspace, const char *path, struct ossa__arena *arena,
                     struct ossa__readable *item, ossa_error *error)
{
    struct ossa__location at = ossa__locate(workspace, path, arena, error);
    *item = (struct ossa__readable){.archive = at.archive, .entry = at.entry, .path = path};
    item->is_named = true;
    if (at.kind == OSSA__AT_FILE || at.kind == OSSA__AT_ENTRY) return true;
    if (at.kind == OSSA__AT_ENTRIES) {
        (void)ossa__workspace_fail(error, OSSA_CODE_NO_ENTRY, path,
                                   "there is no such entry in %s, but several that it stands for",
                                   at.archive->path);
    }
    ossa__node_release(at.archive);
    return false;
}

ossa_file *ossa_workspace_open(ossa_workspace *workspace, const char *path,
                               const ossa_options *options, ossa_error *error)
{
    const ossa_options defaults = {0};
    struct ossa__arena arena;
    struct ossa__readable item;
    ossa_error why = {0};
    if (options == NULL) options = &defaults;
    ossa__arena_init(&arena, workspace->allocator, UINT64_MAX);
    ossa_file *file = NULL;
    if (find_one(workspace, path, &arena, &item, &why)) {
        file = ossa__read_item(workspace, &item, options, &why);
        ossa__node_release(item.archive);
    } else {
        (void)ossa__report_failure(options, path, &why);
    }
    ossa__arena_free(&arena);
    if (error != NULL) *error = why;
    return file;
}

static bool read_bytes(ossa_workspace *workspace, const char *path, ossa_bytes *bytes,
                       ossa_error *error)
{
    struct ossa__source source;
    if (!ossa__source_open(workspace, path, &source, error)) return false;
    bool ok = ossa__source_limit(workspace, &source, path, error);
    if (ok) {
        bytes->size = (size_t)source.size;
        bytes->owned = workspace->allocator.allocate(workspace->allocator.user, bytes->size + 1);
        bytes->data = bytes->owned;
        if (bytes->owned == NULL) {
            *bytes = (ossa_bytes){0};
            ok = ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, path,
                                      "does not fit in memory");
        } else {
            ok = ossa__source_whole(workspace, &source, path, bytes->owned, error);
            if (!ok) ossa_bytes_free(bytes);
        }
    }
    ossa__source_close(&source);
    return ok;
}

/* Bytes that lie in an archive's own as bytes of their own. */
static bool own_bytes(const ossa_workspace *workspace, const char *path, ossa_bytes *bytes,
                      ossa_error *error)
{
    if (bytes->owned != NULL) return true;
    void *copy = workspace->allocator.allocate(workspace->allocator.user, bytes->size + 1);
    if (copy == NULL) {
        *bytes = (ossa_bytes){0};
        return ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, path, "does not fit in memory");
    }
    if (bytes->size > 0) memcpy(copy, bytes->data, bytes->size);
    bytes->owned = copy;
    bytes->data = copy;
    return true;
}

bool ossa_workspace_bytes(ossa_workspace *workspace, const char *path, ossa_bytes *bytes,
                          ossa_error *error)
{
    struct ossa__arena arena;
    struct ossa__readable item;
    ossa_error why = {0};
    *bytes = (ossa_bytes){.allocator = workspace->allocator};
    ossa__arena_init(&arena, workspace->allocator, UINT64_MAX);
    bool ok = find_one(workspace, path, &arena, &item, &why);
    if (ok && item.archive == NULL) {
        ok = read_bytes(workspace, path, bytes, &why);
    } else if (ok) {
        ok = ossa__node_bytes(workspace, item.archive, item.entry, bytes, &why);
        if (!ok) ossa__error_path(&why, path);
        ok = ok && own_bytes(workspace, path, bytes, &why);
        ossa__node_release(item.archive);
    }
    ossa__arena_free(&arena);
    if (error != NULL) *error = why;
    return ok;
}
