/* SPDX-License-Identifier: MIT
 *
 * Lists what is in NICO.DAT: by the directory, by searching all that it does not lead to, or by an
 * index that was kept. */
#include "formats/shadow_of_the_colossus/sotc_nico.h"

#include "archive/entries.h"
#include "archive/index.h"
#include "codec/sort.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    WINDOW = 256 << 10,     /* fits in the cache of the processor */
    MOST_ENTRIES = 1 << 22, /* a disc has ten thousand */
    FIRST_ROOM = 64,
    OFFSET_NAME = 32, /* 0x00012800.anb */
};

/* An entry in the making. */
struct item {
    ossa_entry entry;
    struct ossa__entry_hint hint;
};

/* A list that grows. */
struct gathering {
    struct ossa__context *context;
    struct ossa__nico *nico;
    struct ossa__sotc_view view;
    uint8_t *buffer; /* NULL: all is in the view */
    struct item *items;
    size_t count;
    size_t room;
    uint64_t end;       /* of all entries so far */
    uint64_t truncated; /* entries that the end of the file cuts */
    struct ossa__few_places overlaps;
};

static void fail_to_read(struct gathering *g)
{
    if (g->view.is_over) ossa__sotc_fail_over(g->context);
    if (!g->view.failed) return;
    ossa__fail(g->context, OSSA_CODE_IO, g->view.failed_at, "", "%zu bytes could not be read",
               g->view.failed_size);
}

/* ---- entries ------------------------------------------------------------------------------- */

static struct item *add_item(struct gathering *g)
{
    if (g->count == MOST_ENTRIES) {
        ossa__fail_nowhere(g->context, OSSA_CODE_LIMIT, "entries",
                           "there are more than %d, the limit of an archive", MOST_ENTRIES);
        return NULL;
    }
    if (g->count == g->room) {
        size_t room = g->room == 0 ? FIRST_ROOM : 2 * g->room;
        struct item *items = ossa__take_scratch(g->context, room, sizeof *items);
        if (items == NULL) return NULL;
        if (g->count > 0) memcpy(items, g->items, g->count * sizeof *items);
        g->items = items;
        g->room = room;
    }
    return &g->items[g->count++];
}

static char *keep(struct ossa__context *context, const char *text, size_t size)
{
    char *kept = ossa__take(context, size + 1, 1);
    if (kept == NULL) return NULL;
    memcpy(kept, text, size);
    kept[size] = '\0';
    return kept;
}

/* What a container calls itself: often the end of its path. */
static const char *keep_own_name(struct ossa__context *context, const char *own, const char *name)
{
    size_t size = strlen(own);
    size_t name_size = strlen(name);
    if (size == 0) return NULL;
    if (size <= name_size && strcmp(name + name_size - size, own) == 0) {
        return name + name_size - size;
    }
    return keep(context, own, size);
}

static const char *name_by_offset(struct ossa__context *context, const ossa_sotc_found *found)
{
    char text[OFFSET_NAME];
    int size = snprintf(text, sizeof text, "0x%08" PRIx64 ".%s", found->offset, found->kind);
    return keep(context, text, size > 0 ? (size_t)size : 0);
}

static const char *name_by_path(struct ossa__context *context, const char *path, size_t size)
{
    char *text = ossa__take(context, ossa__name_text(path, size, ossa__latin_to_unicode, NULL), 1);
    if (text != NULL) (void)ossa__name_text(path, size, ossa__latin_to_unicode, text);
    return text;
}

/* `path` may be NULL; its size is without the NUL. */
static bool add_entry(struct gathering *g, const struct ossa__sotc_hit *hit, const char *path,
                      size_t path_size)
{
    const ossa_sotc_found *found = &hit->found;
    struct item *item = add_item(g);
    if (item == NULL) return false;
    const char *name = path != NULL ? name_by_path(g->context, path, path_size)
                                    : name_by_offset(g->context, found);
    if (name == NULL) return false;
    *item = (struct item){
        .entry = {.name = name,
                  .offset = found->offset,
                  .stored_size = found->size,
                  .size = found->size},
        .hint = {found->format, keep_own_name(g->context, found->name, name)},
    };
    if (found->offset < g->end) ossa__note_place(&g->overlaps, found->offset, found->size);
    if (found->offset + found->size > g->end) g->end = found->offset + found->size;
    if (found->size < hit->stated_size) g->truncated++;
    return !g->context->failed;
}

/* ---- the search ---------------------------------------------------------------------------- */

static bool take_hit(void *user, struct ossa__sotc_view *view, const struct ossa__sotc_hit *hit)
{
    struct gathering *g = user;
    struct ossa__nico_path path;
    bool has_path = ossa__nico_path_before(view, hit->found.offset, hit->stated_size, &path);
    if (view->failed) return false;
    return add_entry(g, hit, has_path ? path.text : NULL, has_path ? path.size - 1 : 0);
}

/* Search a range; returns where to go on. */
static uint64_t search(struct gathering *g, uint64_t begin, uint64_t end)
{
    if (begin >= end || g->context->failed || g->view.failed || g->view.is_over) return begin;
    return ossa__sotc_find(&g->view, begin, end, g->buffer, WINDOW, take_hit, g);
}

/* ---- the directory ------------------------------------------------------------------------- */

static bool take_record(void *user, const struct ossa__nico_record *record)
{
    struct gathering *g = user;
    struct ossa__sotc_hit hit;
    if (!ossa__sotc_container_at(&g->view, record->offset, &hit)) return !g->view.failed;
    if (hit.found.size > record->size) hit.found.size = record->size;
    hit.stated_size = (uint32_t)hit.found.size; /* the record has the last word */
    return add_entry(g, &hit, record->path, record->path_size - 1);
}

struct part_list {
    struct ossa__nico_part *items;
    uint64_t count;
    uint64_t room;
};

static void take_part(void *user, const struct ossa__nico_part *part)
{
    struct part_list *list = user;
    if (list->count < list->room) list->items[list->count++] = *part;
}

static bool part_before(const void *a, const void *b, void *user)
{
    const struct ossa__nico_part *x = a;
    const struct ossa__nico_part *y = b;
    (void)user;
    return x->offset != y->offset ? x->offset < y->offset : x->size < y->size;
}

/* All that the directory leads to, and all else, in the order of offsets. */
static void gather_by_parts(struct gathering *g, const struct part_list *parts)
{
    uint64_t at = 0;
    uint64_t odd = 0;
    uint64_t first_odd = 0;
    for (uint64_t i = 0; i < parts->count && !g->context->failed && !g->view.failed; i++) {
        const struct ossa__nico_part *part = &parts->items[i];
        bool is_same = i > 0 && part->offset == part[-1].offset && part->size == part[-1].size;
        if (is_same) continue;
        at = search(g, at, part->offset);
        if (at <= part->offset && ossa__nico_walk_part(&g->view, part, take_record, g)) {
            at = part->offset + part->size;
            g->nico->part_count++;
        } else if (odd++ == 0) {
            first_odd = part->offset;
        }
    }
    (void)search(g, at, g->view.source.size);
    if (odd == 0 || g->context->failed) return;
    ossa__issue(g->context, OSSA_SEVERITY_REMARK, OSSA_CODE_UNUSUAL_VALUE, first_odd, "directory",
                "%" PRIu64 " of the %" PRIu64
                " parts that the directory leads to are not of a known layout; they were searched",
                odd, odd + g->nico->part_count);
}

static void gather(struct gathering *g)
{
    struct ossa__nico_directory directory = ossa__nico_read_directory(&g->view, NULL, NULL);
    struct part_list parts = {.room = directory.part_count};
    if (g->view.failed) return;
    if (directory.state != OSSA__NICO_DIRECTORY) {
        (void)search(g, 0, g->view.source.size);
        bool is_bad = directory.state == OSSA__NICO_BAD_DIRECTORY && g->count > 0;
        if (!is_bad || g->context->failed) return;
        ossa__issue(g->context, OSSA_SEVERITY_REMARK, OSSA_CODE_BAD_VALUE, directory.end,
                    "directory",
                    "the directory has numbers that do not fit; the archive was searched");
        return;
    }
    parts.items = ossa__take_scratch(g->context, parts.room, sizeof *parts.items);
    if (parts.items == NULL) return;
    (void)ossa__nico_read_directory(&g->view, take_part, &parts);
    if (!ossa__sort(g->context, parts.items, (size_t)parts.count, sizeof *parts.items, part_before,
                    NULL)) {
        return;
    }
    gather_by_parts(g, &parts);
    if (directory.lost_count == 0 || g->context->failed) return;
    ossa__issue(g->context, OSSA_SEVERITY_WARNING, OSSA_CODE_BAD_OFFSET, g->view.source.size,
                "directory",
                "%" PRIu64 " parts that the directory leads to are behind the end of the file; it "
                "may go on in others (XAB, XAC, ...)",
                directory.lost_count);
}

/* ---- the result ---------------------------------------------------------------------------- */

static void report(struct gathering *g)
{
    struct ossa__context *context = g->context;
    if (g->truncated > 0) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_TRUNCATED, g->view.source.size,
                    "entries",
                    "%" PRIu64 " at the end are longer than the file; it may go on in others "
                    "(XAB, XAC, ...)",
                    g->truncated);
    }
    if (g->overlaps.count > 0) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP, g->overlaps.offsets[0],
                    "entries", "%" PRIu64 " begin inside others, at %s", g->overlaps.count,
                    ossa__list_places(&g->overlaps));
    }
}

/* Of the archive as it is listed. */
static void report_nameless(struct ossa__context *context, struct ossa__nico *nico)
{
    size_t first = 0;
    for (size_t i = nico->count; i > 0; i--) {
        if (!ossa__is_offset_name(&nico->entries[i - 1])) continue;
        first = i - 1;
        nico->nameless++;
    }
    /* Where nothing has a path, there is nothing to say: the names show it. */
    if (nico->nameless == 0 || nico->nameless == nico->count) return;
    ossa__enter(context, "entries", first);
    ossa__issue(context, OSSA_SEVERITY_REMARK, OSSA_CODE_EMPTY_NAME, nico->entries[first].offset,
                "name", "%zu of %zu entries have no path and are named by their offsets",
                nico->nameless, nico->count);
    ossa__leave(context);
}

static bool finish(struct gathering *g)
{
    struct ossa__nico *nico = g->nico;
    ossa_entry *entries = ossa__take(g->context, g->count, sizeof *entries);
    struct ossa__entry_hint *hints = ossa__take(g->context, g->count, sizeof *hints);
    if (hints == NULL) return false;
    for (size_t i = 0; i < g->count; i++) {
        entries[i] = g->items[i].entry;
        hints[i] = g->items[i].hint;
    }
    nico->entries = entries;
    nico->hints = hints;
    nico->count = g->count;
    return true;
}

/* Have the bytes where they are looked at: a window, or all of a small file. */
static bool open_view(struct gathering *g, const uint8_t *image)
{
    uint64_t size = g->nico->source.size;
    g->view = (struct ossa__sotc_view){.source = g->nico->source};
    if (image == NULL) {
        g->buffer = ossa__take_scratch(g->context, size < WINDOW ? size : WINDOW, 1);
        if (g->buffer == NULL) return false;
        if (size > WINDOW) return true;
        if (!ossa__sotc_get(&g->view, 0, g->buffer, (size_t)size)) return false;
    }
    g->view.window = image != NULL ? image : g->buffer;
    g->view.window_size = (size_t)size;
    g->buffer = NULL;
    return true;
}

static void gather_at(struct gathering *g, uint64_t at)
{
    struct ossa__sotc_hit hit;
    if (ossa__sotc_container_at(&g->view, at, &hit)) (void)take_hit(g, &g->view, &hit);
}

static bool take_index(struct ossa__context *context, struct ossa__nico *nico)
{
    struct ossa__indexed indexed;
    if (!ossa__index_read(context, &nico->source, &indexed)) return false;
    nico->entries = indexed.entries;
    nico->hints = indexed.hints;
    nico->count = indexed.count;
    nico->has_index = true;
    return true;
}

struct ossa__nico *ossa__nico_read(struct ossa__context *context, const ossa_source *source,
                                   const uint8_t *image)
{
    struct ossa__nico *nico = ossa__take(context, 1, sizeof *nico);
    if (nico == NULL) return NULL;
    *nico = (struct ossa__nico){
        .source = *source, .image = image, .is_partial = context->only_at != NULL};
    struct gathering g = {.context = context, .nico = nico};
    bool is_open = open_view(&g, image);
    if (is_open && ossa__nico_is_raw(&g.view)) {
        ossa__fail(context, OSSA_CODE_BAD_MAGIC, 0, "",
                   "these are raw sectors of a disc: files in them are in pieces");
    } else if (is_open && context->only_at != NULL) {
        gather_at(&g, *context->only_at);
    } else if (is_open && context->options.index != NULL && take_index(context, nico)) {
        report_nameless(context, nico);
        return nico;
    } else if (is_open && !context->failed) {
        gather(&g);
    }
    fail_to_read(&g);
    if (context->failed) return NULL;
    if (g.count == 0 && context->only_at == NULL) {
        ossa__fail(context, OSSA_CODE_BAD_MAGIC, 0, "entries",
                   "there is no container in the file, expected \"xff\\0\" or \"xff2\"");
        return NULL;
    }
    report(&g);
    if (finish(&g)) report_nameless(context, nico);
    return nico;
}
