/* SPDX-License-Identifier: MIT
 *
 * An archive again, with other contents for some of its entries. Those that stay are read from the
 * archive while the new one is written; archives inside that change are packed in memory. */
#include "workspace/replace.h"

#include "archive/pack.h"
#include "codec/context.h"

#include <string.h>

#define NONE SIZE_MAX

/* A replacement on its way to its entry. */
struct change {
    const ossa_entry_change *to;
    const char *rest; /* of its path, in the archive that it has come to */
    size_t next;      /* one for the same entry; NONE: no other */
};

/* What is done with an entry. */
struct slot {
    size_t first; /* of its changes; NONE: it stays */
    size_t last;
    ossa_buffer packed; /* an archive that was packed for it */
};

/* An archive that is packed. */
struct job {
    ossa_workspace *workspace;
    struct ossa__arena arena;
    struct ossa__node *node; /* NULL: a new archive */
    const char *path;
    unsigned depth;
    const ossa_format *format;
    const char *dialect;
    struct change *changes;
    size_t change_count;
    struct slot *slots; /* by entry: those of the node, then new ones */
    ossa_packing *entries;
    bool *kept;
    size_t count;
    struct ossa__table new_names;
    bool is_changed;
    ossa_error *error; /* never NULL */
};

static bool pack_changes(struct job *job, ossa_sink sink);

static bool fail_memory(const struct job *job)
{
    (void)ossa__workspace_fail(job->error, OSSA_CODE_OUT_OF_MEMORY, job->path,
                               "no memory for the list of entries");
    return false;
}

/* ---- entries ------------------------------------------------------------------------------- */

static void add_slot(struct job *job, const char *name, uint32_t time, bool kept)
{
    size_t i = job->count++;
    job->slots[i] = (struct slot){.first = NONE, .last = NONE};
    job->entries[i] = (ossa_packing){.name = name, .time = time};
    job->kept[i] = kept;
}

/* Room for all entries, and those of the archive in it. */
static bool take_slots(struct job *job)
{
    size_t old = job->node == NULL ? 0 : job->node->count;
    uint64_t room = (uint64_t)old + job->change_count;
    job->slots = ossa__arena_take(&job->arena, room * sizeof *job->slots);
    job->entries = ossa__arena_take(&job->arena, room * sizeof *job->entries);
    job->kept = ossa__arena_take(&job->arena, room * sizeof *job->kept);
    if (job->slots == NULL || job->entries == NULL || job->kept == NULL) return fail_memory(job);
    if (job->node == NULL) return true;
    struct ossa__budget budget = ossa__budget_of(job->workspace, job->node);
    for (size_t i = 0; i < old; i++) {
        const ossa_entry *entry = ossa__node_entry(job->node, i);
        bool is_counted = !entry->is_missing; /* which is refused, unless it is replaced */
        ossa_error spent;
        if (is_counted && !ossa__spend(&budget, entry, job->path, &spent)) {
            return ossa__workspace_fail(job->error, spent.code, job->path,
                                        "unpacked, the entries are far more than the archive");
        }
        add_slot(job, entry->name, entry->has_time ? entry->time : 0, true);
    }
    return true;
}

/* A new entry of that name, or one that another change has made; NONE: no memory. */
static size_t new_slot(struct job *job, const char *name, size_t size)
{
    const char *copy = ossa__copy(&job->arena, name, size);
    struct ossa__cell *cell =
        copy == NULL ? NULL : ossa__table_put(&job->new_names, &job->arena, copy, size);
    if (cell == NULL) return NONE;
    if (cell->value == 0) {
        add_slot(job, copy, 0, false);
        cell->value = job->count;
    }
    return cell->value - 1;
}

/* The entry that a change leads to, whose name is taken from the rest of its path: the longest
 * that is an entry's. If none is, a new entry has the name up to the next #. */
static bool find_slot(struct job *job, struct change *change, size_t *slot)
{
    size_t whole = strlen(change->rest);
    char *name = ossa__copy(&job->arena, change->rest, whole);
    if (name == NULL) return fail_memory(job);
    size_t size = whole;
    int64_t entry = job->node == NULL ? -1 : ossa__node_find(job->node, name);
    if (entry < 0 && job->node != NULL) entry = ossa__find_start(job->node, name, &size);
    if (entry >= 0 && size > 0) {
        *slot = (size_t)entry;
        change->rest += size;
        return true;
    }
    size = strcspn(change->rest, "#");
    if (size == 0) {
        return ossa__workspace_fail(job->error, OSSA_CODE_EMPTY_NAME, job->path,
                                    "the path of a replacement has an empty name");
    }
    *slot = new_slot(job, change->rest, size);
    change->rest += size;
    return *slot != NONE || fail_memory(job);
}

/* Give each entry its changes, in their order. */
static bool sort_changes(struct job *job)
{
    for (size_t i = 0; i < job->change_count; i++) {
        struct change *change = &job->changes[i];
        size_t index = 0;
        if (!find_slot(job, change, &index)) return false;
        struct slot *slot = &job->slots[index];
        change->next = NONE;
        if (slot->first == NONE) slot->first = i;
        else job->changes[slot->last].next = i;
        slot->last = i;
    }
    return true;
}

/* ---- new contents -------------------------------------------------------------------------- */

/* Does an entry have these contents already? */
static bool is_same(const struct job *job, size_t index, const ossa_entry_change *to)
{
    ossa_bytes bytes;
    const ossa_entry *entry = ossa__node_entry(job->node, index);
    bool has_time = to->time == 0 || (entry->has_time && to->time == entry->time);
    if (!has_time || entry->is_missing || entry->size != to->size) return false;
    if (!ossa__node_bytes(job->workspace, job->node, index, &bytes, NULL)) return false;
    bool same = to->size == 0 || memcmp(bytes.data, to->data, (size_t)to->size) == 0;
    ossa_bytes_free(&bytes);
    return same;
}

static void set_data(struct job *job, size_t index, const void *data, uint64_t size)
{
    job->entries[index].data = data;
    job->entries[index].size = size;
    job->kept[index] = false;
    job->is_changed = true;
}

static void set_whole(struct job *job, size_t index, const ossa_entry_change *to)
{
    if (job->kept[index] && is_same(job, index, to)) return;
    set_data(job, index, to->data, to->size);
    if (to->time != 0) job->entries[index].time = to->time;
}

/* Of what kind a new archive inside is: as the first of the others, or, in a new archive, as
 * that. */
static bool choose_kind(const struct job *job, struct job *inner)
{
    inner->format = job->node == NULL ? job->format : NULL;
    inner->dialect = job->dialect;
    size_t count = job->node == NULL ? 0 : job->node->count;
    for (size_t i = 0; i < count && inner->format == NULL; i++) {
        ossa_bytes bytes;
        if (!ossa__node_bytes(job->workspace, job->node, i, &bytes, NULL)) continue;
        ossa_guess guess = ossa__node_guess(job->node, i, &bytes);
        ossa_bytes_free(&bytes);
        if (guess.format == NULL || !ossa_format_can(guess.format, OSSA_ABILITY_PACK)) continue;
        struct ossa__node *node = ossa__node_enter(job->workspace, job->node, i, job->error);
        if (node == NULL && ossa__is_fatal(job->error->code)) return false;
        if (node == NULL) continue;
        inner->format = node->file->format;
        inner->dialect = ossa_packing_dialect(node->file); /* a constant */
        ossa__node_release(node);
    }
    if (inner->format != NULL) return true;
    return ossa__workspace_fail(job->error, OSSA_CODE_NO_ENTRY, inner->path,
                                "there is no such entry, nor an archive beside it that shows what "
                                "kind of archive it should be");
}

/* The archive that an entry is, or is to become. */
static bool open_inner(const struct job *job, size_t index, struct job *inner)
{
    if (inner->depth > OSSA__DEEPEST_ARCHIVE) {
        return ossa__workspace_fail(job->error, OSSA_CODE_LIMIT, job->path,
                                    "archives are nested more than %d deep", OSSA__DEEPEST_ARCHIVE);
    }
    if (!job->kept[index]) {
        inner->path = ossa__join(&inner->arena, job->path, "#", job->entries[index].name);
        return inner->path == NULL ? fail_memory(job) : choose_kind(job, inner);
    }
    inner->node = ossa__node_enter(job->workspace, job->node, index, job->error);
    return inner->node != NULL && ossa__replace_can_pack(inner->node, job->error);
}

/* A buffer that knows why nothing can be added to it. */
struct memory {
    ossa_buffer *buffer;
    bool is_full;
};

static bool add_bytes(void *user, const void *bytes, size_t size)
{
    struct memory *memory = user;
    ossa_sink sink = ossa_buffer_sink(memory->buffer);
    memory->is_full = !sink.write(sink.user, bytes, size);
    return !memory->is_full;
}

/* Pack an entry that is an archive; `count` is the number of its changes. */
static bool set_inner(struct job *job, size_t index, size_t count)
{
    struct slot *slot = &job->slots[index];
    struct job inner = {.workspace = job->workspace, .depth = job->depth + 1, .error = job->error};
    ossa__arena_init(&inner.arena, job->workspace->allocator, UINT64_MAX);
    inner.changes = ossa__arena_take(&inner.arena, (uint64_t)count * sizeof *inner.changes);
    bool ok = inner.changes != NULL || fail_memory(job);
    for (size_t i = slot->first; ok && i != NONE; i = job->changes[i].next) {
        inner.changes[inner.change_count++] =
            (struct change){.to = job->changes[i].to, .rest = job->changes[i].rest + 1};
    }
    ok = ok && open_inner(job, index, &inner);
    struct memory memory = {.buffer = &slot->packed};
    slot->packed.allocator = job->workspace->allocator;
    ok = ok && pack_changes(&inner, (ossa_sink){add_bytes, &memory});
    if (memory.is_full) ok = fail_memory(job);
    if (ok && inner.is_changed) set_data(job, index, slot->packed.data, slot->packed.size);
    ossa__node_release(inner.node);
    ossa__arena_free(&inner.arena);
    return ok;
}

static bool change_entry(struct job *job, size_t index)
{
    size_t count = 0;
    const ossa_entry_change *whole = NULL;
    for (size_t i = job->slots[index].first; i != NONE; i = job->changes[i].next) {
        count++;
        if (job->changes[i].rest[0] == '\0') whole = job->changes[i].to;
    }
    if (count == 0) return true;
    if (whole == NULL) return set_inner(job, index, count);
    if (count > 1) {
        return ossa__workspace_fail(job->error, OSSA_CODE_DUPLICATE_NAME, job->path,
                                    "the entry '%s' is replaced twice", job->entries[index].name);
    }
    set_whole(job, index, whole);
    return true;
}

/* ---- archives ------------------------------------------------------------------------------ */

static bool write_archive(struct job *job, ossa_sink sink)
{
    const ossa_options options = {.max_input = job->workspace->options.max_input,
                                  .allocator = job->workspace->allocator};
    const struct ossa__pack_plan plan = {.entries = job->entries,
                                         .count = job->count,
                                         .dialect = job->dialect,
                                         .like = job->node == NULL ? NULL : job->node->file,
                                         .kept = job->kept};
    if (ossa__pack(job->format, &plan, &options, sink, job->error)) return true;
    ossa__error_path(job->error, job->path);
    return false;
}

/* Write the archive if it is changed; all of it goes to a buffer or to the output. */
static bool pack_changes(struct job *job, ossa_sink sink)
{
    bool is_new = job->node == NULL;
    if (!is_new) {
        job->path = job->node->path;
        job->format = job->node->file->format;
    }
    job->is_changed = is_new || job->change_count == 0;
    bool ok = take_slots(job) && sort_changes(job);
    for (size_t i = 0; ok && i < job->count; i++) ok = change_entry(job, i);
    ok = ok && (!job->is_changed || write_archive(job, sink));
    for (size_t i = 0; i < job->count; i++) ossa_buffer_free(&job->slots[i].packed);
    return ok;
}

bool ossa__replace_can_pack(const struct ossa__node *node, ossa_error *error)
{
    const ossa_format *format = node->file->format;
    if (ossa_format_can(format, OSSA_ABILITY_PACK)) return true;
    return ossa__workspace_fail(error, OSSA_CODE_BAD_ARGUMENT, node->path,
                                "%s: this kind of archive can be read, but not packed",
                                format->title);
}

bool ossa__replace_in(ossa_workspace *workspace, struct ossa__node *node,
                      const ossa_entry_change *replacements, size_t count, ossa_sink sink,
                      bool *is_changed, ossa_error *error)
{
    struct job job = {.workspace = workspace, .node = node, .path = node->path, .error = error};
    ossa__arena_init(&job.arena, workspace->allocator, UINT64_MAX);
    job.changes = ossa__arena_take(&job.arena, (uint64_t)count * sizeof *job.changes);
    bool ok = job.changes != NULL || fail_memory(&job);
    for (size_t i = 0; ok && i < count; i++) {
        job.changes[job.change_count++] =
            (struct change){.to = &replacements[i], .rest = replacements[i].path};
    }
    ok = ok && pack_changes(&job, sink);
    *is_changed = job.is_changed;
    ossa__arena_free(&job.arena);
    return ok;
}
