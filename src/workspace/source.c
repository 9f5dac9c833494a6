/* SPDX-License-Identifier: MIT
 *
 * Files of the file system and of memory: opening them and reading from them. */
#include "workspace/workspace.h"

#include <inttypes.h>
#include <string.h>

enum {
    MOST_OPEN = 128, /* files at once: a program may have only so many */
    STEP = 1 << 20,  /* bytes between two reports of progress */
    CALL = 4 << 10,  /* what a call costs besides its bytes, in bytes */
};

/* Files that stay open, in all workspaces. A workspace cannot count them: it may be freed before
 * the last of its files is. */
static atomic_uint open_files;

bool ossa__source_exists(ossa_workspace *workspace, const char *path)
{
    struct ossa__source source;
    if (ossa__find_block(workspace, path) != NULL) return true;
    bool is_there = ossa__source_open(workspace, path, &source, NULL);
    if (is_there) ossa__source_close(&source);
    return is_there;
}

bool ossa__source_open(ossa_workspace *workspace, const char *path, struct ossa__source *source,
                       ossa_error *error)
{
    *source = (struct ossa__source){.filesystem = workspace->filesystem};
    source->block = ossa__find_block(workspace, path);
    if (source->block != NULL) {
        (void)atomic_fetch_add(&source->block->users, 1);
        source->size = source->block->size;
        return true;
    }
    ossa_error why = {0};
    source->handle = source->filesystem.open(source->filesystem.user, path, &source->size, &why);
    if (source->handle == NULL) {
        ossa_code code = why.code == OSSA_CODE_OK ? OSSA_CODE_IO : why.code;
        return ossa__workspace_fail(error, code, path, "%s",
                                    why.message[0] == '\0' ? "cannot be opened" : why.message);
    }
    return true;
}

void ossa__source_close(struct ossa__source *source)
{
    if (source->handle != NULL) {
        source->filesystem.close(source->filesystem.user, source->handle);
        if (source->is_counted) (void)atomic_fetch_sub(&open_files, 1);
    }
    ossa__block_release(source->block);
    source->handle = NULL;
    source->block = NULL;
}

/* ---- reading ------------------------------------------------------------------------------- */

/* False: the caller cancels. */
static bool report(const struct ossa__source *source, uint64_t offset, size_t size)
{
    struct ossa__watch *watch = source->watch;
    if (watch == NULL) return true;
    watch->unreported += size + CALL;
    if (watch->unreported < STEP) return true;
    watch->unreported = 0;
    watch->is_cancelled = !ossa__workspace_progress(watch->workspace, watch->path, offset,
                                                    source->size, &watch->error);
    return !watch->is_cancelled;
}

bool ossa__source_read(void *user, uint64_t offset, void *bytes, size_t size)
{
    struct ossa__source *source = user;
    uint8_t *to = bytes;
    if (offset > source->size || size > source->size - offset) return false;
    while (size > 0) {
        size_t n = source->watch != NULL && size > STEP ? STEP : size;
        if (!report(source, offset, n)) return false;
        if (source->block != NULL) {
            memcpy(to, source->block->data + offset, n);
        } else if (!source->filesystem.read_at(source->filesystem.user, source->handle, offset, to,
                                               n)) {
            return false;
        }
        to += n;
        offset += n;
        size -= n;
    }
    return true;
}

bool ossa__source_whole(const ossa_workspace *workspace, struct ossa__source *source,
                        const char *path, void *bytes, ossa_error *error)
{
    struct ossa__watch watch = {.workspace = workspace, .path = path};
    source->watch = &watch;
    bool ok = ossa__source_read(source, 0, bytes, (size_t)source->size);
    source->watch = NULL;
    if (ok) return true;
    if (!watch.is_cancelled) {
        return ossa__workspace_fail(error, OSSA_CODE_IO, path, "cannot be read");
    }
    if (error != NULL) *error = watch.error;
    return false;
}

bool ossa__source_limit(const ossa_workspace *workspace, const struct ossa__source *source,
                        const char *path, ossa_error *error)
{
    uint64_t limit = workspace->options.max_input;
    if (source->size <= limit && source->size < SIZE_MAX) return true;
    return ossa__workspace_fail(error, OSSA_CODE_TOO_LARGE, path,
                                "has %" PRIu64 " bytes, more than the limit of %" PRIu64 " bytes",
                                source->size, limit);
}

/* Only as much as the format asks for: all of it, unless it is an archive. */
static ossa_file *read_parts(const ossa_workspace *workspace, struct ossa__source *source,
                             const char *path, const ossa_options *options, ossa_error *error)
{
    struct ossa__watch watch = {.workspace = workspace, .path = path};
    const ossa_source parts = {ossa__source_read, source, source->size};
    source->watch = &watch;
    ossa_file *file = ossa_read_from(&parts, options, error);
    source->watch = NULL;
    if (watch.is_cancelled) {
        ossa_file_free(file);
        file = NULL;
        if (error != NULL) *error = watch.error;
    }
    /* Others have all they need. */
    bool is_archive = file != NULL && ossa_format_can(file->format, OSSA_ABILITY_LIST);
    if (!is_archive) ossa__source_close(source);
    return file;
}

ossa_file *ossa__source_file(ossa_workspace *workspace, struct ossa__source *source,
                             const char *path, struct ossa__arena *arena,
                             const ossa_options *options, ossa_error *error)
{
    ossa_options named = *options;
    named.name = path;
    named.path = path;
    named.allocator = workspace->allocator;
    named.max_input = workspace->options.max_input;
    if (!ossa__source_limit(workspace, source, path, error)) return NULL;
    if (source->block != NULL) {
        return ossa_read(source->block->data, source->block->size, &named, error);
    }
    bool is_free = atomic_fetch_add(&open_files, 1) < MOST_OPEN;
    source->is_counted = true;
    if (source->size > OSSA__READ_WHOLE && is_free) {
        return read_parts(workspace, source, path, &named, error);
    }
    ossa_error why = {0};
    uint8_t *whole = ossa__arena_take(arena, source->size);
    if (whole == NULL) {
        (void)ossa__workspace_fail(&why, OSSA_CODE_OUT_OF_MEMORY, path, "does not fit in memory");
    }
    bool ok = whole != NULL && ossa__source_whole(workspace, source, path, whole, &why);
    ossa__source_close(source);
    if (ok) return ossa_read(whole, (size_t)source->size, &named, error);
    (void)ossa__report_failure(options, path, &why);
    if (error != NULL) *error = why;
    return NULL;
}
