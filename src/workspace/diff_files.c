/* SPDX-License-Identifier: MIT
 *
 * Two files: by their bytes first, which is quick, and if these differ as what they are. */
#include "workspace/diff.h"

#include "codec/foreign.h"
#include "workspace/look.h"

#include <string.h>

/* ---- reporting ----------------------------------------------------------------------------- */

/* Note a path, and what it is in, as touched by a difference. */
static bool touch(struct ossa__differ *differ, unsigned side, const char *path)
{
    size_t size = strlen(path);
    const char *copy = ossa__copy(&differ->arena, path, size);
    while (copy != NULL && size > 0) {
        struct ossa__cell *cell =
            ossa__table_put(&differ->touched[side], &differ->arena, copy, size);
        if (cell == NULL) break;
        if (cell->value != 0) return true; /* and so is what it is in */
        cell->value = 1;
        while (size > 0 && strchr("/\\#", copy[size - 1]) == NULL) size--;
        while (size > 0 && strchr("/\\#", copy[size - 1]) != NULL) size--;
    }
    return size == 0 || ossa__differ_out_of_memory(differ, path);
}

static bool tell(struct ossa__differ *differ, const ossa_diff_entry *entry)
{
    const ossa_diff_options *options = differ->options;
    if (entry->change == OSSA_CHANGE_DIFFERENT) differ->diff.changed_count++;
    else if (entry->change == OSSA_CHANGE_ONLY_A) differ->diff.only_a_count++;
    else differ->diff.only_b_count++;
    if (options->on_entry != NULL) options->on_entry(options->user, entry);
    return (entry->a.path == NULL || touch(differ, 0, entry->a.path)) &&
           (entry->b.path == NULL || touch(differ, 1, entry->b.path));
}

/* ---- one file ------------------------------------------------------------------------------ */

/* One of the two files. */
struct side {
    const struct ossa__diff_item *item;
    const char *path;
    uint64_t size;
    ossa_bytes bytes;          /* data is NULL: not loaded, or empty */
    struct ossa__node *node;   /* the archive that it is; NULL: none */
    const ossa_format *format; /* NULL: unknown */
    ossa_error error;          /* why it cannot be compared as what it is */
};

struct pair {
    struct ossa__differ *differ;
    const char *name;
    struct ossa__arena arena;
    struct side sides[2];
    uint64_t offset; /* of the first byte that differs */
};

static bool is_archive(const ossa_format *format)
{
    return format != NULL && ossa_format_can(format, OSSA_ABILITY_LIST);
}

/* The path of an item; NULL: no memory. */
static const char *path_of(const struct ossa__diff_item *item, struct ossa__arena *arena)
{
    if (item->path != NULL) return item->path;
    const char *name = ossa__node_entry(item->archive, item->entry)->name;
    return ossa__join(arena, item->archive->path, "#", name);
}

/* Of what is in an archive, no more is fetched than its budget allows for. */
static bool may_fetch(struct ossa__differ *differ, const struct ossa__diff_item *item,
                      unsigned side, const char *path, ossa_error *error)
{
    if (item->archive == NULL) return true;
    const ossa_entry *entry = ossa__node_entry(item->archive, item->entry);
    return ossa__spend(&differ->budgets[side], entry, path, error);
}

static bool fetch(struct ossa__differ *differ, const struct ossa__diff_item *item, const char *path,
                  ossa_bytes *bytes, ossa_error *error)
{
    if (item->archive == NULL) {
        return ossa_workspace_bytes(differ->workspace, path, bytes, error);
    }
    if (ossa__node_bytes(differ->workspace, item->archive, item->entry, bytes, error)) return true;
    ossa__error_path(error, path);
    return false;
}

/* What a file of the file system is. Discs are searched, and large archives read in parts. */
static void look_at_file(struct ossa__differ *differ, struct side *side, unsigned number)
{
    const ossa_walk_options options = {.detail = OSSA_DETAIL_FORMATS, .search = true};
    struct ossa__look look = ossa__look_start(differ->workspace, &options);
    look.item = (struct ossa__readable){.path = side->path, .is_named = true};
    look.visit =
        (ossa_visit){.path = side->path, .tree = side->path, .name = side->path, .is_named = true};
    ossa__look_at_file(&look);
    /* Not to be of a format is nothing wrong. */
    bool is_plain =
        ossa__is_of_no_format(look.error.code) || look.error.code == OSSA_CODE_EMPTY_FILE;
    if (look.visit.error != NULL && !is_plain) side->error = *look.visit.error;
    side->format = look.visit.error != NULL ? NULL : look.visit.format;
    if (look.node != NULL) {
        side->node = ossa__node_keep(look.node);
        differ->budgets[number] = ossa__budget_of(differ->workspace, look.node);
        differ->is_spent = false;
    }
    ossa__look_free(&look);
}

/* Is it a large entry of a disc, which is read in parts? */
static bool is_large(const struct ossa__diff_item *item)
{
    return item->archive != NULL && ossa__node_streams(item->archive, item->entry);
}

/* The same for an entry whose bytes are there, or that is large; an archive takes them over. */
static void look_at_entry(struct ossa__differ *differ, struct side *side)
{
    const struct ossa__diff_item *item = side->item;
    if (is_large(item)) {
        ossa_error error = {0}; /* not to be an archive is nothing wrong */
        side->node = ossa__node_enter(differ->workspace, item->archive, item->entry, &error);
        if (side->node != NULL) side->format = side->node->file->format;
        else if (ossa__is_fatal(error.code)) side->error = error;
        return;
    }
    side->format = ossa__node_guess(item->archive, item->entry, &side->bytes).format;
    if (!is_archive(side->format)) return;
    side->node = ossa__node_enter_bytes(differ->workspace, item->archive, item->entry, &side->bytes,
                                        &side->error);
    if (side->node == NULL) (void)fetch(differ, item, side->path, &side->bytes, &side->error);
}

struct ossa__node *ossa__diff_enter(struct ossa__differ *differ, const struct ossa__diff_item *item,
                                    unsigned side, ossa_error *error)
{
    struct ossa__arena arena;
    ossa__arena_init(&arena, differ->workspace->allocator, UINT64_MAX);
    struct side it = {.item = item, .path = path_of(item, &arena)};
    if (it.path == NULL) {
        (void)ossa__workspace_fail(&it.error, OSSA_CODE_OUT_OF_MEMORY, "", "no memory for a path");
    } else if (item->archive == NULL) {
        look_at_file(differ, &it, side);
    } else if (is_large(item) || (may_fetch(differ, item, side, it.path, &it.error) &&
                                  fetch(differ, item, it.path, &it.bytes, &it.error))) {
        look_at_entry(differ, &it);
    }
    ossa_bytes_free(&it.bytes);
    ossa__arena_free(&arena);
    *error = it.error;
    return it.node;
}

/* ---- bytes --------------------------------------------------------------------------------- */

static uint64_t first_difference(const uint8_t *a, const uint8_t *b, uint64_t size)
{
    uint64_t i = 0;
    while (i < size && a[i] == b[i]) i++;
    return i;
}

/* Two files of the file system, in parts: they may be larger than what is read as a whole. */
static bool compare_sources(struct pair *pair, struct ossa__source sources[2], ossa_error *error)
{
    enum { PART = 256 << 10 };
    uint8_t *parts = ossa__arena_take(&pair->arena, 2 * PART);
    uint64_t size = sources[0].size < sources[1].size ? sources[0].size : sources[1].size;
    const char *path = pair->sides[0].path;
    if (parts == NULL)
        return ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, path, "no memory");
    for (pair->offset = 0; pair->offset < size;) {
        size_t part = size - pair->offset < PART ? (size_t)(size - pair->offset) : PART;
        for (unsigned s = 0; s < 2; s++) {
            if (ossa__source_read(&sources[s], pair->offset, parts + s * PART, part)) continue;
            return ossa__workspace_fail(error, OSSA_CODE_IO, pair->sides[s].path, "cannot be read");
        }
        uint64_t same = first_difference(parts, parts + PART, part);
        pair->offset += same;
        if (same < part) break;
        if (!ossa__workspace_progress(pair->differ->workspace, path, pair->offset, size, error)) {
            return false;
        }
    }
    return true;
}

/* With what it goes on in. */
static bool compare_files(struct pair *pair, ossa_error *error)
{
    struct ossa__source sources[2] = {{.handle = NULL}, {.handle = NULL}};
    bool ok = true;
    for (unsigned s = 0; s < 2; s++) {
        const struct side *side = &pair->sides[s];
        const struct ossa__readable item = {
            .archive = side->item->archive, .entry = side->item->entry, .path = side->path};
        ok =
            ok && ossa__item_open(pair->differ->workspace, &item, &pair->arena, &sources[s], error);
        pair->sides[s].size = sources[s].size;
    }
    ok = ok && compare_sources(pair, sources, error);
    for (unsigned s = 0; s < 2; s++) ossa__source_close(&sources[s]);
    return ok;
}

/* False: one cannot be read. */
static bool compare_bytes(struct pair *pair, ossa_error *error)
{
    bool are_in_parts = true;
    for (unsigned s = 0; s < 2; s++) {
        const struct ossa__diff_item *item = pair->sides[s].item;
        are_in_parts = are_in_parts && (item->archive == NULL || is_large(item));
    }
    if (are_in_parts) return compare_files(pair, error);
    for (unsigned s = 0; s < 2; s++) {
        struct side *side = &pair->sides[s];
        if (!may_fetch(pair->differ, side->item, s, side->path, error)) {
            bool is_known = pair->differ->is_spent;
            pair->differ->is_spent = true;
            if (is_known) error->code = OSSA_CODE_OK; /* for the first one is enough */
            return false;
        }
        if (!fetch(pair->differ, side->item, side->path, &side->bytes, error)) return false;
        side->size = side->bytes.size;
    }
    const struct side *a = &pair->sides[0];
    const struct side *b = &pair->sides[1];
    pair->offset =
        first_difference(a->bytes.data, b->bytes.data, a->size < b->size ? a->size : b->size);
    return true;
}

/* ---- what they are ------------------------------------------------------------------------- */

static ossa_diff_side told_side(const struct side *side, const ossa_error *error)
{
    return (ossa_diff_side){side->path, side->format, side->size,
                            error->code == OSSA_CODE_OK ? NULL : error};
}

static bool tell_changed(struct pair *pair, const ossa_error errors[2])
{
    const ossa_diff_entry entry = {.path = pair->name,
                                   .change = OSSA_CHANGE_DIFFERENT,
                                   .a = told_side(&pair->sides[0], &errors[0]),
                                   .b = told_side(&pair->sides[1], &errors[1]),
                                   .offset = pair->offset,
                                   .is_archive =
                                       pair->sides[0].node != NULL && pair->sides[1].node != NULL};
    return tell(pair->differ, &entry);
}

/* As files of their format, if that is the same. */
static bool compare_contents(struct pair *pair)
{
    struct ossa__differ *differ = pair->differ;
    const struct side *a = &pair->sides[0];
    struct ossa__fields fields = {.workspace = differ->workspace,
                                  .options = differ->options,
                                  .format = a->format,
                                  .entry = pair->name};
    bool is_alike = a->format != NULL && a->format == pair->sides[1].format;
    for (unsigned s = 0; s < 2; s++) {
        struct side *side = &pair->sides[s];
        fields.paths[s] = side->path;
        is_alike = is_alike && !is_large(side->item);
        if (is_alike && side->bytes.data == NULL) {
            is_alike = fetch(differ, side->item, side->path, &side->bytes, &side->error);
        }
        fields.bytes[s] = side->bytes;
        fields.errors[s] = side->error;
        if (ossa__is_fatal(side->error.code)) return ossa__differ_fail(differ, &side->error);
    }
    if (!is_alike) return tell_changed(pair, fields.errors);
    bool is_read = ossa__fields_start(&fields);
    bool ok = tell_changed(pair, fields.errors);
    if (ok && is_read && !ossa__fields_compare(&fields)) {
        ok = ossa__differ_out_of_memory(differ, pair->name);
    }
    differ->diff.field_count += fields.count;
    ossa__fields_free(&fields);
    return ok;
}

static size_t count_differences(const struct ossa__differ *differ)
{
    const ossa_diff *diff = &differ->diff;
    return diff->changed_count + diff->only_a_count + diff->only_b_count + diff->error_count;
}

/* Two archives: by their entries. Where these are the same, something around them differs. */
static bool compare_archives(struct pair *pair)
{
    struct ossa__differ *differ = pair->differ;
    struct ossa__diff_list lists[2];
    size_t before = count_differences(differ);
    bool is_root = pair->name[0] == '\0';
    const char *around = is_root ? "" : ossa__join(&pair->arena, pair->name, "", "#");
    if (is_root) differ->diff.is_set = true;
    bool ok = around != NULL || ossa__differ_out_of_memory(differ, pair->name);
    for (unsigned s = 0; s < 2; s++) {
        ok = ok && ossa__diff_list_entries(differ, pair->sides[s].node, &pair->arena, &lists[s]);
    }
    ok = ok && ossa__diff_lists(differ, lists, around);
    return ok && (count_differences(differ) > before || compare_contents(pair));
}

static bool compare_kinds(struct pair *pair)
{
    for (unsigned s = 0; s < 2; s++) {
        struct side *side = &pair->sides[s];
        if (side->item->archive == NULL) look_at_file(pair->differ, side, s);
        else look_at_entry(pair->differ, side);
        if (ossa__is_fatal(side->error.code)) return ossa__differ_fail(pair->differ, &side->error);
    }
    bool are_archives = pair->sides[0].node != NULL && pair->sides[1].node != NULL;
    return are_archives ? compare_archives(pair) : compare_contents(pair);
}

static const ossa_entry *entry_of(const struct side *side)
{
    const struct ossa__diff_item *item = side->item;
    return item->archive == NULL ? NULL : ossa__node_entry(item->archive, item->entry);
}

static bool is_missing(const struct side *side)
{
    const ossa_entry *entry = entry_of(side);
    return entry != NULL && entry->is_missing;
}

/* A damaged archive lacks one of them: they differ, whatever the other is. */
static bool tell_missing(struct pair *pair)
{
    ossa_error errors[2] = {{.code = OSSA_CODE_OK}, {.code = OSSA_CODE_OK}};
    for (unsigned s = 0; s < 2; s++) {
        struct side *side = &pair->sides[s];
        const ossa_entry *entry = entry_of(side);
        if (entry != NULL) side->size = entry->size;
        if (!is_missing(side)) continue;
        (void)fetch(pair->differ, side->item, side->path, &side->bytes, &errors[s]);
        side->size = 0;
    }
    return tell_changed(pair, errors);
}

static bool compare(struct pair *pair)
{
    struct ossa__differ *differ = pair->differ;
    ossa_error error = {0};
    const char *path = pair->sides[0].path;
    if (!ossa__workspace_progress(differ->workspace, path, ++differ->seen, 0, &error)) {
        return ossa__differ_fail(differ, &error);
    }
    if (is_missing(&pair->sides[0]) != is_missing(&pair->sides[1])) return tell_missing(pair);
    if (!compare_bytes(pair, &error)) return ossa__differ_skip(differ, &error);
    const struct side *sides = pair->sides;
    if (sides[0].size == sides[1].size && pair->offset == sides[0].size) return true;
    return compare_kinds(pair);
}

bool ossa__diff_pair(struct ossa__differ *differ, const struct ossa__diff_item *a,
                     const struct ossa__diff_item *b, const char *name)
{
    struct pair pair = {.differ = differ, .name = name, .sides = {{.item = a}, {.item = b}}};
    bool has_paths = true;
    ossa__arena_init(&pair.arena, differ->workspace->allocator, UINT64_MAX);
    for (unsigned s = 0; s < 2; s++) {
        pair.sides[s].path = path_of(pair.sides[s].item, &pair.arena);
        has_paths = has_paths && pair.sides[s].path != NULL;
    }
    bool ok = has_paths ? compare(&pair) : ossa__differ_out_of_memory(differ, name);
    for (unsigned s = 0; s < 2; s++) {
        ossa_bytes_free(&pair.sides[s].bytes);
        ossa__node_release(pair.sides[s].node);
    }
    ossa__arena_free(&pair.arena);
    return ok;
}

bool ossa__diff_single(struct ossa__differ *differ, const struct ossa__diff_item *a,
                       const struct ossa__diff_item *b, const char *name)
{
    const struct ossa__diff_item *item = a != NULL ? a : b;
    struct ossa__arena arena;
    ossa__arena_init(&arena, differ->workspace->allocator, UINT64_MAX);
    ossa_diff_entry entry = {.path = name,
                             .change = a != NULL ? OSSA_CHANGE_ONLY_A : OSSA_CHANGE_ONLY_B};
    ossa_diff_side *side = a != NULL ? &entry.a : &entry.b;
    side->path = path_of(item, &arena);
    struct ossa__source source;
    if (item->archive != NULL) {
        side->size = ossa__node_entry(item->archive, item->entry)->size;
    } else if (ossa__source_open(differ->workspace, item->path, &source, NULL)) {
        side->size = source.size;
        ossa__source_close(&source);
    }
    bool ok = side->path != NULL ? tell(differ, &entry) : ossa__differ_out_of_memory(differ, name);
    ossa__arena_free(&arena);
    return ok;
}
