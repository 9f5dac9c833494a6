/* SPDX-License-Identifier: MIT
 *
 * ei-res: an archive of Evil Islands. Archives in archives are named *.mod, *.bon and *.anm.
 *
 *     0x00  u32  signature       0x019CE23C
 *     0x04  u32  entry_count
 *     0x08  u32  table_offset
 *     0x0C  u32  names_size
 *     0x10  the entries' bytes, each at a multiple of 16
 *     table_offset: entry_count times
 *           i32 next, u32 size, offset, time; u16 name_length; u32 name_offset
 *     names_size bytes of names, code page 1251; name_offset counts from here
 *
 * The table is a hash table, see ei_res_chain.c; so its order means nothing, and the entries are
 * listed in the order of their bytes, which is that in which they were put in. Nothing forbids
 * entries that share bytes, and the parts could be in any order, so the file is kept as its image.
 * Not known: whether the game's own packer put them in one by one. */
#include "formats/evil_islands/ei_res.h"

#include "base/text.h"

#include <inttypes.h>

/* What stands behind an ossa_ei_res. */
struct archive {
    ossa_ei_res res; /* first: a pointer to it is a pointer to this */
    const ossa_entry *listed;
    const struct ossa__parts *parts; /* where the image comes from; NULL: all of it is there */
};

/* ---- probe --------------------------------------------------------------------------------- */

static ossa_confidence probe_res(const uint8_t *data, uint64_t size)
{
    if (size < 4 || ossa__peek_u32(data, size, 0) != OSSA__RES_SIGNATURE)
        return OSSA_CONFIDENCE_NONE;
    uint64_t table = OSSA__RES_RECORD_SIZE * (uint64_t)ossa__peek_u32(data, size, 4);
    uint64_t offset = ossa__peek_u32(data, size, 8);
    uint64_t names = ossa__peek_u32(data, size, 12);
    bool is_behind = offset >= OSSA__RES_HEADER_SIZE || table + names == 0;
    bool fits = size >= OSSA__RES_HEADER_SIZE && is_behind && offset + table + names <= size;
    return fits ? OSSA_CONFIDENCE_SIGNATURE : OSSA_CONFIDENCE_DAMAGED;
}

/* ---- read ---------------------------------------------------------------------------------- */

static const ossa_entry *make_list(struct ossa__context *context, const ossa_ei_res *res)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < res->entry_count; i++) {
        const ossa_ei_name *name = &res->entries[i].name;
        bytes += ossa__name_text(name->bytes, name->size, ossa__cp1251_to_unicode, NULL);
    }
    ossa_entry *list = ossa__take(context, res->entry_count, sizeof *list);
    char *text = ossa__take(context, bytes, 1);
    for (uint32_t i = 0; i < res->entry_count && text != NULL; i++) {
        const ossa_ei_res_entry *entry = &res->entries[res->order[i]];
        list[i] = (ossa_entry){.name = text,
                               .offset = entry->data == NULL ? entry->offset
                                                             : (uint64_t)(entry->data - res->image),
                               .stored_size = entry->size,
                               .size = entry->size,
                               .is_missing = entry->data == NULL,
                               .has_time = entry->time != 0,
                               .time = entry->time};
        text += ossa__name_text(entry->name.bytes, entry->name.size, ossa__cp1251_to_unicode, text);
    }
    return list;
}

/* The game finds only one of several entries with one name. */
static void check_doubles(struct ossa__context *context, const struct archive *archive)
{
    const ossa_ei_res *res = &archive->res;
    const ossa_entry *list = archive->listed;
    const char **names = ossa__take_scratch(context, res->entry_count, sizeof *names);
    if (names == NULL) return;
    for (uint32_t i = 0; i < res->entry_count; i++) names[i] = list[i].name;
    const uint32_t *first =
        ossa__first_of_names(context, names, res->entry_count, ossa__compare_names);
    for (uint32_t i = 0; i < res->entry_count && first != NULL; i++) {
        uint32_t slot = res->order[i];
        if (first[i] == i || names[i][0] == '\0') continue;
        ossa__enter(context, "entries", slot);
        ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_DUPLICATE_NAME,
                    ossa__res_names_at(res) + res->entries[slot].name_offset, "name",
                    "'%s' is the name of entries[%" PRIu32 "] too (letter case ignored)",
                    ossa__show_name(names[i]).text, res->order[first[i]]);
        ossa__leave(context);
    }
}

static void check_chains(struct ossa__context *context, const struct archive *archive)
{
    ossa__res_check_chains(context, &archive->res);
}

/* What one step needed on the way is given back before the next. */
static void step(struct ossa__context *context, const struct archive *archive,
                 void (*work)(struct ossa__context *context, const struct archive *archive))
{
    struct ossa__mark mark = ossa__scratch_mark(context);
    if (!context->failed) work(context, archive);
    ossa__scratch_release(context, mark);
}

static void *read_res(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__res_runs runs;
    struct archive *archive = ossa__take(context, 1, sizeof *archive);
    if (archive == NULL) return NULL;
    *archive =
        (struct archive){.res = {.image = data, .image_size = size}, .parts = context->parts};
    ossa_ei_res *res = &archive->res;
    ossa__res_read(context, res, &runs);
    if (!context->failed) archive->listed = make_list(context, res);
    step(context, archive, check_chains);
    step(context, archive, check_doubles);
    if (context->failed) return NULL;
    ossa__check_unused(&runs.used, data, OSSA__RES_ALIGNMENT);
    res->gaps = ossa__runs_gaps(&runs.fields, &res->gap_count);
    return archive;
}

/* ---- the rest ------------------------------------------------------------------------------ */

static void write_res(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    const ossa_ei_res *res = contents;
    (void)context;
    ossa__write_bytes(writer, res->image, res->image_size);
}

static struct ossa__listing list_res(const void *contents)
{
    const struct archive *archive = contents;
    return (struct ossa__listing){.entries = archive->listed,
                                  .count = archive->res.entry_count,
                                  .image = archive->res.image,
                                  .image_size = archive->res.image_size,
                                  .parts = archive->parts};
}

static void describe_res(const void *contents, struct ossa__report *report)
{
    struct ossa__listing listing = list_res(contents);
    ossa__report_entries(report, &listing);
}

ossa_ei_res *ossa_as_ei_res(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_ei_res);
}

const struct ossa__format ossa__format_ei_res = {
    .about = {.id = "ei-res",
              .title = "Evil Islands archive",
              .game = "Evil Islands (2000)",
              .extensions = "res",
              .kind = OSSA_KIND_ARCHIVE},
    .game = &ossa__game_evil_islands,
    .scattered = true,
    .probe = probe_res,
    .probe_start = probe_res, /* the header is all that it looks at */
    .read = read_res,
    .write = write_res,
    .dump = ossa__res_dump,
    .build = OSSA__BUILT_BY(ossa__res_build),
    .describe = describe_res,
    .list = list_res,
    .pack = OSSA__PACKED_BY(ossa__res_pack),
};
