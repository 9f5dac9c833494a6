/* SPDX-License-Identifier: MIT
 *
 * Files of the file system and of memory: opening them and reading from them. */
#include "workspace/workspace.h"

#include "base/fold.h"
#include "codec/foreign.h"
#include "codec/probe.h"

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
        source->size = source->own_size = source->block->size;
        return true;
    }
    ossa_error why = {0};
    source->handle = source->filesystem.open(source->filesystem.user, path, &source->size, &why);
    if (source->handle == NULL) {
        ossa_code code = why.code == OSSA_CODE_OK ? OSSA_CODE_IO : why.code;
        return ossa__workspace_fail(error, code, path, "%s",
                                    why.message[0] == '\0' ? "cannot be opened" : why.message);
    }
    source->own_size = source->size;
    return true;
}

bool ossa__source_enter(struct ossa__node *archive, size_t entry, struct ossa__source *source,
                        ossa_error *error)
{
    const ossa_entry *about = ossa__node_entry(archive, entry);
    *source = (struct ossa__source){0};
    if (about->is_missing || about->is_packed) {
        return ossa__workspace_fail(error, OSSA_CODE_BAD_OFFSET, archive->path,
                                    "the bytes of '%s' are not all in the archive", about->name);
    }
    source->archive = ossa__node_keep(archive);
    source->entry = entry;
    source->size = source->own_size = about->size;
    return true;
}

void ossa__source_close(struct ossa__source *source)
{
    for (struct ossa__source *part = source; part != NULL;) {
        struct ossa__source *next = part->next;
        if (part->handle != NULL) {
            part->filesystem.close(part->filesystem.user, part->handle);
            if (part->is_counted) (void)atomic_fetch_sub(&open_files, 1);
        }
        ossa__block_release(part->block);
        ossa__node_release(part->archive);
        part->handle = NULL;
        part->block = NULL;
        part->archive = NULL;
        part->next = NULL;
        part = next;
    }
}

/* ---- files beside it ----------------------------------------------------------------------- */

/* A name in a folder that differs from the one wanted at most in the case of its letters: discs
 * know no case, and those who wrote down what is on them often did not, either. */
struct other_case {
    const char *wanted;
    char *name; /* becomes the one that is there, which is as long */
    bool is_found;
};

static void compare_listed(void *context, const char *name, bool is_folder)
{
    struct other_case *other = context;
    size_t size = strlen(other->wanted);
    if (is_folder || strlen(name) != size) return;
    if (ossa__compare_names(name, other->wanted) != 0) return;
    /* Of several the first by their bytes, in whatever order they are listed. */
    if (!other->is_found || memcmp(name, other->name, size) < 0) memcpy(other->name, name, size);
    other->is_found = true;
}

/* The files in memory whose folder is that of `plain`, which has `folder` bytes. */
static void compare_memory(const ossa_workspace *workspace, const char *plain, size_t folder,
                           struct other_case *other)
{
    for (size_t i = 0; i < workspace->root_count; i++) {
        const struct ossa__root *root = &workspace->roots[i];
        if (root->block == NULL || strncmp(root->plain, plain, folder) != 0) continue;
        compare_listed(other, root->plain + folder, false);
    }
}

/* `path` is that of a file which is not there, and its name begins at `folder`. */
static bool open_in_other_case(ossa_workspace *workspace, struct ossa__arena *arena, char *path,
                               size_t folder, struct ossa__source *source)
{
    const ossa_filesystem *files = &workspace->filesystem;
    const char *parent = folder == 0 ? "." : ossa__copy(arena, path, folder);
    const char *wanted = ossa__copy(arena, path + folder, strlen(path + folder));
    char *plain = ossa__copy(arena, path, strlen(path));
    struct other_case other = {.wanted = wanted, .name = path + folder};
    ossa_error ignored = {0};
    if (parent == NULL || wanted == NULL || plain == NULL) return false;
    size_t plain_size = ossa__plain_path(path, plain);
    size_t size = strlen(wanted);
    if (plain_size >= size) compare_memory(workspace, plain, plain_size - size, &other);
    if (files->list != NULL) {
        (void)files->list(files->user, parent, compare_listed, &other, &ignored);
    }
    return other.is_found && ossa__source_open(workspace, path, source, NULL);
}

/* A file beside another one, of the file system or of the same archive. */
static bool open_beside(ossa_workspace *workspace, struct ossa__node *archive, const char *path,
                        const char *name, struct ossa__source *source, ossa_error *error)
{
    struct ossa__arena arena;
    size_t folder = strlen(path);
    while (folder > 0 && path[folder - 1] != '/' && path[folder - 1] != '\\') folder--;
    ossa__arena_init(&arena, workspace->allocator, UINT64_MAX);
    char *whole = ossa__arena_take(&arena, (uint64_t)folder + strlen(name) + 1);
    bool ok;
    if (whole == NULL) {
        return ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, path, "no memory for a path");
    }
    memcpy(whole, path, folder);
    memcpy(whole + folder, name, strlen(name) + 1);
    if (archive == NULL) {
        ok = ossa__source_open(workspace, whole, source, error) ||
             open_in_other_case(workspace, &arena, whole, folder, source);
    } else {
        int64_t entry = ossa__node_find(archive, whole);
        ok = entry >= 0
                 ? ossa__source_enter(archive, (size_t)entry, source, error)
                 : ossa__workspace_fail(error, OSSA_CODE_NO_ENTRY, archive->path, "is not there");
    }
    ossa__arena_free(&arena);
    return ok;
}

static const char *last_name(const char *path)
{
    const char *name = path;
    for (const char *c = path; *c != '\0'; c++) {
        if (*c == '/' || *c == '\\') name = c + 1;
    }
    return name;
}

/* The name of the n-th file in which one goes on; false: no format knows of one. */
static bool name_continuation(const char *path, unsigned n, char *text, size_t capacity)
{
    for (size_t i = 0; ossa__formats[i] != NULL; i++) {
        const struct ossa__format *format = ossa__formats[i];
        if (format->continues == NULL) continue;
        if (format->continues(last_name(path), n, text, capacity)) return true;
    }
    return false;
}

bool ossa__may_continue(const char *path)
{
    char name[64];
    for (size_t i = 0; ossa__formats[i] != NULL; i++) {
        const struct ossa__format *format = ossa__formats[i];
        if (format->continues == NULL) continue;
        if (format->continues(last_name(path), 1, name, sizeof name) ||
            format->continued_from(last_name(path), name, sizeof name)) {
            return true;
        }
    }
    return false;
}

bool ossa__source_continue(ossa_workspace *workspace, const char *path, struct ossa__arena *arena,
                           struct ossa__source *source, ossa_error *error)
{
    char name[64];
    struct ossa__source *last = source;
    for (unsigned n = 1; name_continuation(path, n, name, sizeof name); n++) {
        struct ossa__source part;
        if (!open_beside(workspace, source->archive, path, name, &part, NULL)) break;
        struct ossa__source *kept = ossa__arena_take(arena, sizeof *kept);
        if (kept == NULL || part.size > UINT64_MAX - source->size) {
            ossa__source_close(&part);
            return ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, path,
                                        "no memory for what it goes on in");
        }
        *kept = part;
        source->size += part.own_size;
        last->next = kept;
        last = kept;
    }
    return true;
}

bool ossa__is_continuation(ossa_workspace *workspace, struct ossa__node *archive, const char *path)
{
    for (size_t i = 0; ossa__formats[i] != NULL; i++) {
        const struct ossa__format *format = ossa__formats[i];
        struct ossa__source first;
        char name[64];
        if (format->continued_from == NULL ||
            !format->continued_from(last_name(path), name, sizeof name) ||
            !open_beside(workspace, archive, path, name, &first, NULL)) {
            continue;
        }
        ossa__source_close(&first);
        return true;
    }
    return false;
}

bool ossa__source_follow(ossa_workspace *workspace, struct ossa__node *archive, const char *path,
                         const struct ossa__lead *lead, struct ossa__source *source,
                         ossa_error *error)
{
    bool ok = false;
    ossa_error why = {0};
    for (size_t i = 0; i < 2 && !ok && lead->names[i] != NULL; i++) {
        /* The first one is what the file names: if none is there, that is what is missing. */
        ok = open_beside(workspace, archive, path, lead->names[i], source, i == 0 ? &why : NULL);
    }
    if (!ok) {
        return ossa__workspace_fail(error, why.code, path, "the image '%s' that it names %s",
                                    lead->names[0], why.message);
    }
    uint64_t end = lead->end == 0 || lead->end > source->size ? source->size : lead->end;
    source->start = lead->begin < end ? lead->begin : end;
    source->size = source->own_size = end - source->start;
    return true;
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

/* From one file. */
static bool read_part(const struct ossa__source *part, uint64_t offset, void *bytes, size_t size)
{
    offset += part->start;
    if (part->block != NULL) {
        memcpy(bytes, part->block->data + offset, size);
        return true;
    }
    if (part->archive != NULL) {
        return ossa_entry_read(part->archive->file, part->entry, offset, bytes, size);
    }
    return part->filesystem.read_at(part->filesystem.user, part->handle, offset, bytes, size);
}

bool ossa__source_read(void *user, uint64_t offset, void *bytes, size_t size)
{
    const struct ossa__source *source = user;
    const struct ossa__source *part = source;
    uint64_t before = 0; /* bytes before the part */
    uint8_t *to = bytes;
    if (offset > source->size || size > source->size - offset) return false;
    while (size > 0) {
        while (offset - before >= part->own_size) {
            before += part->own_size;
            part = part->next;
        }
        uint64_t left = part->own_size - (offset - before);
        size_t n = source->watch != NULL && size > STEP ? STEP : size;
        if (n > left) n = (size_t)left;
        if (!report(source, offset, n)) return false;
        if (!read_part(part, offset - before, to, n)) return false;
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

ossa_file *ossa__source_file_at(ossa_workspace *workspace, struct ossa__source *source,
                                const char *path, uint64_t offset, const ossa_options *options,
                                ossa_error *error)
{
    const ossa_source bytes = {ossa__source_read, source, source->size};
    ossa_options named = *options;
    named.name = path;
    named.path = path;
    named.allocator = workspace->allocator;
    named.max_input = workspace->options.max_input;
    named.index = workspace->options.index;
    named.index_size = workspace->options.index_size;
    return ossa__read_only_at(&bytes, &offset, &named, error);
}

/* Is it of a format that is read in pieces, however large it is? */
static bool is_streamed(struct ossa__source *source, const ossa_options *options)
{
    const ossa_source bytes = {ossa__source_read, source, source->size};
    ossa_confidence confidence;
    return options->on_field == NULL &&
           ossa__choose_for_source(options, &bytes, &confidence) != NULL;
}

ossa_file *ossa__source_file(ossa_workspace *workspace, struct ossa__source *source,
                             const char *path, struct ossa__arena *arena,
                             const ossa_options *options, ossa_error *error)
{
    ossa_options named = *options;
    ossa_error why = {0};
    named.name = path;
    named.path = path;
    named.allocator = workspace->allocator;
    named.max_input = workspace->options.max_input;
    named.index = workspace->options.index;
    named.index_size = workspace->options.index_size;
    if (source->block != NULL && source->next == NULL && source->start == 0 &&
        source->size == source->block->size && source->size <= named.max_input) {
        return ossa_read(source->block->data, source->block->size, &named, error);
    }
    source->is_counted = source->handle != NULL;
    bool is_free = !source->is_counted || atomic_fetch_add(&open_files, 1) < MOST_OPEN;
    bool is_large = source->size > OSSA__READ_WHOLE;
    bool is_fine = ossa__source_limit(workspace, source, path, &why);
    if (!is_fine && is_free && is_streamed(source, &named)) {
        return read_parts(workspace, source, path, &named, error);
    }
    if (!is_fine) {
        const ossa_source bytes = {ossa__source_read, source, source->size};
        const struct ossa__foreign *foreign = ossa__find_foreign(&bytes);
        if (foreign != NULL) { /* what it is says more than that it is large */
            (void)ossa__workspace_fail(&why, foreign->code, path, "%s", foreign->what);
        }
        ossa__source_close(source);
        (void)ossa__report_failure(options, path, &why);
        if (error != NULL) *error = why;
        return NULL;
    }
    if (is_large && is_free) return read_parts(workspace, source, path, &named, error);
    uint8_t *whole = ossa__arena_take(arena, source->size);
    if (whole == NULL) {
        (void)ossa__workspace_fail(&why, OSSA_CODE_OUT_OF_MEMORY, path, "does not fit in memory");
    }
    bool ok = whole != NULL && ossa__source_whole(workspace, source, path, whole, &why);
    size_t size = (size_t)source->size;
    ossa__source_close(source);
    if (ok) return ossa_read(whole, size, &named, error);
    (void)ossa__report_failure(options, path, &why);
    if (error != NULL) *error = why;
    return NULL;
}
