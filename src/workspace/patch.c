/* SPDX-License-Identifier: MIT
 *
 * Other contents for entries: where the output comes from, and files without a directory, in which
 * what is replaced stays where it is. */
#include "workspace/replace.h"

#include <inttypes.h>
#include <stdlib.h>

enum { BLOCK = 1 << 20 }; /* bytes that are copied at once, and between two reports */

/* ---- the output ---------------------------------------------------------------------------- */

/* The caller's sink, and who wants to know how far it is. */
struct outlet {
    const ossa_workspace *workspace;
    const char *path;
    ossa_sink sink;
    uint64_t done;
    uint64_t reported;
    uint64_t total; /* about */
    bool is_cancelled;
    ossa_error error; /* then */
};

static bool write_on(void *user, const void *bytes, size_t size)
{
    struct outlet *outlet = user;
    outlet->done += size;
    if (outlet->done - outlet->reported >= BLOCK) {
        outlet->reported = outlet->done;
        uint64_t done = outlet->done < outlet->total ? outlet->done : outlet->total;
        outlet->is_cancelled = !ossa__workspace_progress(outlet->workspace, outlet->path, done,
                                                         outlet->total, &outlet->error);
    }
    return !outlet->is_cancelled && outlet->sink.write(outlet->sink.user, bytes, size);
}

static bool fail_write(const char *path, ossa_error *error)
{
    return ossa__workspace_fail(error, OSSA_CODE_IO, path, "the output cannot be written");
}

static bool fail_memory(const char *path, ossa_error *error)
{
    (void)ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, path, "no memory to change it");
    return false;
}

/* ---- in place ------------------------------------------------------------------------------ */

/* New bytes for a part of a file. */
struct patch {
    uint64_t offset;
    uint64_t room; /* bytes that the old contents have */
    const ossa_entry_change *to;
};

struct copier {
    struct ossa__source source;
    const char *path;
    ossa_sink sink;
    uint8_t *block; /* BLOCK bytes */
    uint64_t at;
    ossa_error *error;
};

static bool copy_until(struct copier *copier, uint64_t end)
{
    while (copier->at < end) {
        size_t size = end - copier->at < BLOCK ? (size_t)(end - copier->at) : BLOCK;
        if (!ossa__source_read(&copier->source, copier->at, copier->block, size)) {
            return ossa__workspace_fail(copier->error, OSSA_CODE_IO, copier->path,
                                        "cannot be read");
        }
        if (!copier->sink.write(copier->sink.user, copier->block, size)) {
            return fail_write(copier->path, copier->error);
        }
        copier->at += size;
    }
    return true;
}

/* The new bytes, and zeros where the old ones were longer: nothing of them is found there. */
static bool write_patch(struct copier *copier, const struct patch *patch)
{
    static const uint8_t zeros[4096] = {0};
    uint64_t left = patch->room - patch->to->size;
    bool ok = patch->to->size == 0 ||
              copier->sink.write(copier->sink.user, patch->to->data, (size_t)patch->to->size);
    while (ok && left > 0) {
        size_t size = left < sizeof zeros ? (size_t)left : sizeof zeros;
        ok = copier->sink.write(copier->sink.user, zeros, size);
        left -= size;
    }
    copier->at += patch->room;
    return ok || fail_write(copier->path, copier->error);
}

/* The whole file, with the patches, which are in the order of offsets. */
static bool copy_file(ossa_workspace *workspace, const char *path, const struct patch *patches,
                      size_t count, ossa_sink sink, ossa_error *error)
{
    struct copier copier = {.path = path, .sink = sink, .error = error};
    if (!ossa__source_open(workspace, path, &copier.source, error)) return false;
    copier.block = workspace->allocator.allocate(workspace->allocator.user, BLOCK);
    bool ok = copier.block != NULL || fail_memory(path, error);
    for (size_t i = 0; ok && i < count; i++) {
        ok = copy_until(&copier, patches[i].offset) && write_patch(&copier, &patches[i]);
    }
    ok = ok && copy_until(&copier, copier.source.size);
    if (copier.block != NULL) {
        workspace->allocator.release(workspace->allocator.user, copier.block, BLOCK);
    }
    ossa__source_close(&copier.source);
    return ok;
}

static int by_offset(const void *a, const void *b)
{
    const struct patch *x = a;
    const struct patch *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Is it in the file itself, and not in one in which that goes on? */
static bool is_within(ossa_workspace *workspace, const struct ossa__node *node,
                      const struct patch *patch)
{
    struct ossa__source source;
    if (!ossa__source_open(workspace, node->path, &source, NULL)) return false;
    bool is_inside = patch->offset <= source.size && patch->room <= source.size - patch->offset;
    ossa__source_close(&source);
    return is_inside;
}

/* Where an entry is whose contents are to change. */
static bool find_patch(ossa_workspace *workspace, struct ossa__node *node,
                       const ossa_entry_change *to, struct patch *patch, ossa_error *error)
{
    int64_t found = ossa__node_find(node, to->path);
    if (found < 0) {
        return ossa__workspace_fail(error, OSSA_CODE_NO_ENTRY, node->path,
                                    "there is no file of a game at '%s'", to->path);
    }
    const ossa_entry *entry = ossa__node_entry(node, (size_t)found);
    *patch = (struct patch){.offset = entry->offset, .room = entry->size, .to = to};
    if (to->size > patch->room) {
        return ossa__workspace_fail(error, OSSA_CODE_LIMIT, node->path,
                                    "the new contents of '%s' have %" PRIu64
                                    " bytes, but the file at 0x%" PRIx64 " has only %" PRIu64
                                    ": nothing in a file without a directory can move",
                                    to->path, to->size, patch->offset, patch->room);
    }
    if (node->parent == NULL && is_within(workspace, node, patch)) return true;
    return ossa__workspace_fail(error, OSSA_CODE_BAD_ARGUMENT, node->path,
                                "'%s' is in another file: extract that, and change it there",
                                to->path);
}

static bool check_overlap(const struct patch *patches, size_t count, const char *path,
                          ossa_error *error)
{
    for (size_t i = 1; i < count; i++) {
        const struct patch *before = &patches[i - 1];
        if (patches[i].offset - before->offset >= before->room) continue;
        return ossa__workspace_fail(error, OSSA_CODE_OVERLAP, path,
                                    "the bytes at 0x%" PRIx64 " are replaced twice",
                                    patches[i].offset);
    }
    return true;
}

static bool replace_in_place(ossa_workspace *workspace, struct ossa__node *node,
                             const ossa_entry_change *replacements, size_t count, ossa_sink sink,
                             ossa_error *error)
{
    struct ossa__arena arena;
    ossa__arena_init(&arena, workspace->allocator, UINT64_MAX);
    const char *path = node->path;
    struct patch *patches = ossa__arena_take(&arena, (uint64_t)count * sizeof *patches);
    bool ok = patches != NULL || fail_memory(path, error);
    for (size_t i = 0; ok && i < count; i++) {
        ok = find_patch(workspace, node, &replacements[i], &patches[i], error);
    }
    if (ok && count > 1) qsort(patches, count, sizeof *patches, by_offset);
    ok = ok && check_overlap(patches, count, path, error) &&
         copy_file(workspace, path, patches, count, sink, error);
    ossa__arena_free(&arena);
    return ok;
}

/* ---- any archive --------------------------------------------------------------------------- */

/* An archive in which nothing changes is the same bytes, also if packing it again would lay it out
 * differently. */
static bool copy_archive(ossa_workspace *workspace, const struct ossa__node *node, ossa_sink sink,
                         ossa_error *error)
{
    if (node->parent == NULL) return copy_file(workspace, node->path, NULL, 0, sink, error);
    return sink.write(sink.user, node->bytes.data, node->bytes.size) ||
           fail_write(node->path, error);
}

static bool replace_in_archive(ossa_workspace *workspace, struct ossa__node *node,
                               const ossa_entry_change *replacements, size_t count, ossa_sink sink,
                               ossa_error *error)
{
    bool is_changed;
    return ossa__replace_can_pack(node, error) &&
           ossa__replace_in(workspace, node, replacements, count, sink, &is_changed, error) &&
           (is_changed || copy_archive(workspace, node, sink, error));
}

/* The archive that a path leads to; NULL with the error. */
static struct ossa__node *open_archive(ossa_workspace *workspace, const char *path,
                                       ossa_error *error)
{
    struct ossa__arena arena;
    struct ossa__node *node = NULL;
    ossa__arena_init(&arena, workspace->allocator, UINT64_MAX);
    struct ossa__location at = ossa__locate(workspace, path, &arena, error);
    if (at.kind == OSSA__AT_FILE) {
        const struct ossa__readable item = {.path = path};
        node = ossa__node_open(workspace, path, error);
        /* A file that nobody claims may be searched. */
        if (node == NULL && error->code == OSSA_CODE_UNKNOWN_FORMAT) {
            node = ossa__node_search(workspace, &item, error);
        }
        if (node != NULL && node->file == NULL) {
            ossa__node_release(node);
            node = NULL;
        }
    } else if (at.kind == OSSA__AT_ENTRY)
        node = ossa__node_enter(workspace, at.archive, at.entry, error);
    else if (at.kind == OSSA__AT_ENTRIES)
        (void)ossa__workspace_fail(error, OSSA_CODE_NOT_AN_ARCHIVE, path,
                                   "is several entries of %s, not an archive", at.archive->path);
    ossa__node_release(at.archive);
    ossa__arena_free(&arena);
    return node;
}

bool ossa_workspace_replace(ossa_workspace *workspace, const char *path,
                            const ossa_entry_change *replacements, size_t count, ossa_sink sink,
                            ossa_error *error)
{
    ossa_error why = {0};
    struct outlet outlet = {.workspace = workspace, .path = path, .sink = sink};
    const ossa_sink watched = {write_on, &outlet};
    bool ok = false;
    struct ossa__node *node = open_archive(workspace, path, &why);
    if (node != NULL) {
        outlet.total = node->file->size;
        ok = ossa__node_is_searched(node)
                 ? replace_in_place(workspace, node, replacements, count, watched, &why)
                 : replace_in_archive(workspace, node, replacements, count, watched, &why);
    }
    ossa__node_release(node);
    if (outlet.is_cancelled) why = outlet.error;
    if (ok) why = (ossa_error){0};
    if (error != NULL) *error = why;
    return ok;
}
