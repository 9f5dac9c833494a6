/* SPDX-License-Identifier: MIT
 *
 * Two files of one format, field by field. Readers tell of fields in turn, so the two files cannot
 * be read side by side: the fields of A are remembered, by hashes of their paths and by offsets,
 * and those of B are matched with them. Where both files have the same structure, the next field of
 * one is the next of the other; a table finds the others, and is made only when it is needed. */
#include "workspace/diff.h"

#include "base/fold.h"
#include "codec/context.h"

#include <stdio.h>
#include <string.h>

enum {
    BLOCK = 4096, /* fields */
    IS_MATCHED = 1,
    TYPE_SHIFT = 1,
    SIZE_SHIFT = 8,
};
#define NO_FIELD UINT32_MAX

/* A field of A. */
struct ossa__known {
    uint64_t hash;
    uint64_t offset;
    uint64_t what; /* its size, its type, and whether it is matched */
};

static struct ossa__known *known_at(const struct ossa__fields *fields, size_t index)
{
    return &fields->blocks[index / BLOCK][index % BLOCK];
}

/* ---- reading ------------------------------------------------------------------------------- */

static ossa_options options_of(const struct ossa__fields *fields, unsigned side)
{
    const ossa_workspace *workspace = fields->workspace;
    return (ossa_options){.name = fields->paths[side],
                          .path = fields->paths[side],
                          .format = fields->format->id,
                          .max_input = workspace->options.max_input,
                          .allocator = workspace->allocator};
}

/* False: it cannot be read, see the error of this side. */
static bool read_side(struct ossa__fields *fields, unsigned side,
                      void (*on_field)(void *user, const ossa_field *field))
{
    ossa_options options = options_of(fields, side);
    const ossa_bytes *bytes = &fields->bytes[side];
    options.on_field = on_field;
    options.user = fields;
    fields->gaps = 0;
    fields->at = 0;
    ossa_file *file = ossa_read(bytes->data, bytes->size, &options, &fields->errors[side]);
    ossa_file_free(file);
    return file != NULL;
}

/* Bytes of no field have no path: they are numbered. */
static const char *path_of(struct ossa__fields *fields, const ossa_field *field, char *room,
                           size_t capacity)
{
    if (field->path[0] != '\0') return field->path;
    (void)snprintf(room, capacity, "gaps[%zu]", fields->gaps++);
    return room;
}

/* ---- the fields of A ----------------------------------------------------------------------- */

static struct ossa__known *add_known(struct ossa__fields *fields)
{
    size_t count = fields->known_count;
    if (count % BLOCK == 0) {
        size_t block = count / BLOCK;
        struct ossa__known **blocks =
            ossa__grow(&fields->arena, fields->blocks, block, sizeof *blocks);
        if (blocks == NULL || count >= NO_FIELD - BLOCK) return NULL;
        fields->blocks = blocks;
        blocks[block] = ossa__arena_take(&fields->arena, BLOCK * sizeof **blocks);
        if (blocks[block] == NULL) return NULL;
    }
    fields->known_count++;
    return known_at(fields, count);
}

static void remember(void *user, const ossa_field *field)
{
    struct ossa__fields *fields = user;
    char room[32];
    const char *path = path_of(fields, field, room, sizeof room);
    struct ossa__known *known = fields->is_full ? NULL : add_known(fields);
    if (known == NULL) {
        fields->is_full = true;
        return;
    }
    *known = (struct ossa__known){.hash = ossa__hash_bytes(path, strlen(path)),
                                  .offset = field->offset,
                                  .what = field->size << SIZE_SHIFT | (uint64_t)field->type
                                                                          << TYPE_SHIFT};
}

bool ossa__fields_start(struct ossa__fields *fields)
{
    /* As much as a reader may take for its trace. */
    uint64_t limit = (UINT64_C(1) << 20) + 128 * (uint64_t)fields->bytes[0].size;
    ossa__arena_init(&fields->arena, fields->workspace->allocator, limit);
    bool ok = read_side(fields, 1, NULL);
    ok = read_side(fields, 0, remember) && ok;
    if (!ok || !fields->is_full) return ok;
    return ossa__workspace_fail(&fields->errors[0], OSSA_CODE_OUT_OF_MEMORY, fields->paths[0],
                                "no memory for its fields");
}

void ossa__fields_free(struct ossa__fields *fields)
{
    ossa__arena_free(&fields->arena);
}

/* ---- matching ------------------------------------------------------------------------------ */

static size_t slot_of(const struct ossa__fields *fields, uint64_t hash)
{
    size_t slot = (size_t)hash & (fields->slot_count - 1);
    while (fields->slots[slot] != NO_FIELD && known_at(fields, fields->slots[slot])->hash != hash) {
        slot = (slot + 1) & (fields->slot_count - 1);
    }
    return slot;
}

/* By hash: the first field of A that is not matched. Those of one path are in a chain. */
static bool make_table(struct ossa__fields *fields)
{
    size_t count = 16;
    while (count < 2 * fields->known_count) count *= 2;
    fields->slots = ossa__arena_take(&fields->arena, (uint64_t)count * sizeof *fields->slots);
    fields->next = ossa__arena_take(&fields->arena,
                                    ((uint64_t)fields->known_count + 1) * sizeof *fields->next);
    if (fields->slots == NULL || fields->next == NULL) return false;
    fields->slot_count = count;
    memset(fields->slots, 0xff, count * sizeof *fields->slots);
    for (size_t i = fields->known_count; i-- > 0;) {
        size_t slot = slot_of(fields, known_at(fields, i)->hash);
        fields->next[i] = fields->slots[slot];
        fields->slots[slot] = (uint32_t)i;
    }
    return true;
}

static bool is_matched(const struct ossa__fields *fields, size_t index)
{
    return (known_at(fields, index)->what & IS_MATCHED) != 0;
}

/* The field of A with this path; NULL: none. */
static struct ossa__known *find_known(struct ossa__fields *fields, const char *path)
{
    uint64_t hash = ossa__hash_bytes(path, strlen(path));
    while (fields->at < fields->known_count && is_matched(fields, fields->at)) fields->at++;
    size_t found = fields->at;
    if (found == fields->known_count || known_at(fields, found)->hash != hash) {
        if (fields->slots == NULL && !make_table(fields)) {
            fields->is_full = true;
            return NULL;
        }
        /* The last of a chain stays in its slot, so that no other chain is cut short. */
        size_t slot = slot_of(fields, hash);
        uint32_t *head = &fields->slots[slot];
        if (*head == NO_FIELD) return NULL;
        while (is_matched(fields, *head) && fields->next[*head] != NO_FIELD) {
            *head = fields->next[*head];
        }
        if (is_matched(fields, *head)) return NULL;
        found = *head;
    }
    fields->at = found + 1;
    return known_at(fields, found);
}

static void tell(struct ossa__fields *fields, const char *path, const ossa_field *a,
                 const ossa_field *b)
{
    const ossa_diff_options *options = fields->options;
    const ossa_diff_field field = {fields->entry, path, a, b};
    fields->count++;
    if (options->on_field != NULL) options->on_field(options->user, &field);
}

static void match(void *user, const ossa_field *field)
{
    struct ossa__fields *fields = user;
    char room[32];
    const char *path = path_of(fields, field, room, sizeof room);
    struct ossa__known *known = fields->is_full ? NULL : find_known(fields, path);
    ossa_field b = *field;
    b.path = path;
    if (fields->is_full) return;
    if (known == NULL) {
        tell(fields, path, NULL, &b);
        return;
    }
    known->what |= IS_MATCHED;
    fields->matched++;
    ossa_field a = {.offset = known->offset,
                    .size = known->what >> SIZE_SHIFT,
                    .type = (ossa_field_type)(known->what >> TYPE_SHIFT & 0x7f),
                    .path = path,
                    .bytes = fields->bytes[0].data + known->offset};
    if (a.size != b.size || memcmp(a.bytes, b.bytes, (size_t)a.size) != 0) {
        tell(fields, path, &a, &b);
    }
}

/* Their paths are known only while A is read. */
static void tell_unmatched(void *user, const ossa_field *field)
{
    struct ossa__fields *fields = user;
    char room[32];
    ossa_field a = *field;
    a.path = path_of(fields, field, room, sizeof room);
    if (!is_matched(fields, fields->at++)) tell(fields, a.path, &a, NULL);
}

bool ossa__fields_compare(struct ossa__fields *fields)
{
    if (!read_side(fields, 1, match) || fields->is_full) return false;
    return fields->matched == fields->known_count || read_side(fields, 0, tell_unmatched);
}
