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
 * The table is a hash table, see ei_res_table.c; so its order means nothing, and the entries are
 * listed in the order of their bytes, which is that in which they were put in. Nothing forbids
 * entries that share bytes, and the parts could be in any order, so the file is kept as its image.
 * Not known: whether the game's own packer put them in one by one. */
#include "formats/evil_islands/ei_res.h"

#include "base/text.h"

#include <inttypes.h>
#include <string.h>

static const struct ossa__shape shape_next = {OSSA_FIELD_TYPE_I32, 1, {NULL}};

uint64_t ossa__res_record_at(const ossa_ei_res *res, uint32_t slot)
{
    return res->table_offset + (uint64_t)slot * OSSA__RES_RECORD_SIZE;
}

uint64_t ossa__res_names_at(const ossa_ei_res *res)
{
    return ossa__res_record_at(res, res->entry_count);
}

/* An ossa_ei_res and what only this file knows. */
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

static bool may_begin(const uint8_t *start, uint64_t size)
{
    return ossa__peek_u32(start, size, 0) == OSSA__RES_SIGNATURE;
}

/* ---- read ---------------------------------------------------------------------------------- */

/* One file being read. */
struct res_reader {
    struct ossa__context *context;
    struct ossa__reader file;
    struct ossa__runs fields; /* bytes that are a field's own */
    struct ossa__runs used;   /* and those that entries share */
    ossa_ei_res *res;
    ossa_ei_res_entry *entries;
    uint32_t *order;
    const ossa_entry *listed;
    struct ossa__few_places overlaps; /* entries that share bytes with others */
    uint32_t first_overlap;           /* its slot */
};

static void mark(struct res_reader *r, uint64_t offset, uint64_t size)
{
    ossa__runs_mark(&r->fields, offset, size);
    ossa__runs_mark(&r->used, offset, size);
}

/* False after a failure. */
static bool read_header(struct res_reader *r)
{
    ossa_ei_res *res = r->res;
    uint64_t size = res->image_size;
    (void)ossa__need(r->context, 0, size < OSSA__RES_HEADER_SIZE ? size : OSSA__RES_HEADER_SIZE);
    uint32_t signature = ossa__read_u32(&r->file, "signature");
    if (signature != OSSA__RES_SIGNATURE) {
        ossa__fail(r->context, OSSA_CODE_BAD_MAGIC, 0, "signature",
                   "found 0x%08" PRIx32 ", expected 0x%08x", signature, OSSA__RES_SIGNATURE);
    }
    res->entry_count = ossa__read_count(&r->file, "entry_count", OSSA__RES_RECORD_SIZE);
    res->table_offset = ossa__read_u32(&r->file, "table_offset");
    res->names_size = ossa__read_u32(&r->file, "names_size");
    bool is_empty = res->entry_count == 0 && res->names_size == 0;
    if (!is_empty && res->table_offset < OSSA__RES_HEADER_SIZE) {
        ossa__fail(r->context, OSSA_CODE_BAD_OFFSET, 8, "table_offset",
                   "0x%" PRIx32 " is inside the header, expected 0x%x or more", res->table_offset,
                   OSSA__RES_HEADER_SIZE);
    }
    return !r->context->failed;
}

/* Header, table and one for each entry; names follow each other, so they count as few. */
static bool init_runs(struct res_reader *r)
{
    uint64_t most = (uint64_t)r->res->entry_count + 8;
    return ossa__runs_init(&r->fields, r->context, r->res->image_size, most) &&
           ossa__runs_init(&r->used, r->context, r->res->image_size, most);
}

static void read_records(struct res_reader *r)
{
    const ossa_ei_res *res = r->res;
    uint64_t table_size = (uint64_t)res->entry_count * OSSA__RES_RECORD_SIZE;
    struct ossa__reader table =
        ossa__reader_window(&r->file, res->table_offset, table_size, "table_offset", 8);
    /* The names are read one by one; here they must only be there. */
    (void)ossa__reader_window(&r->file, ossa__res_names_at(res), res->names_size, "names_size", 12);
    if (r->context->failed) return;
    (void)ossa__need(r->context, res->table_offset, table_size + res->names_size);
    r->entries = ossa__take(r->context, res->entry_count, sizeof *r->entries);
    if (!init_runs(r)) return;
    for (uint32_t i = 0; i < res->entry_count && !r->context->failed; i++) {
        ossa_ei_res_entry *entry = &r->entries[i];
        *entry = (ossa_ei_res_entry){.name = {.bytes = ""}};
        ossa__enter(r->context, "entries", i);
        ossa__read_element(&table, "next", &shape_next, &entry->next);
        entry->size = ossa__read_u32(&table, "size");
        entry->offset = ossa__read_u32(&table, "offset");
        entry->time = ossa__read_u32(&table, "time");
        entry->name_length = ossa__read_u16(&table, "name_length");
        entry->name_offset = ossa__read_u32(&table, "name_offset");
        ossa__leave(r->context);
    }
    if (r->context->failed) return;
    mark(r, 0, OSSA__RES_HEADER_SIZE);
    mark(r, res->table_offset, table_size);
    r->res->entries = r->entries;
}

/* Note bytes as used. They come in order, and `*end` is where those before end: so no byte is
 * marked twice, however many share it. */
static void use(struct res_reader *r, uint64_t base, uint64_t offset, uint64_t size, uint64_t *end)
{
    uint64_t begin = offset > *end ? offset : *end;
    if (offset + size <= begin) return;
    *end = offset + size;
    ossa__runs_mark(&r->used, base + begin, *end - begin);
}

/* ---- names --------------------------------------------------------------------------------- */

static void check_name(struct res_reader *r, const ossa_ei_res_entry *entry, uint64_t record)
{
    uint64_t at = ossa__res_names_at(r->res) + entry->name_offset;
    const ossa_ei_name *name = &entry->name;
    if (name->size == 0) {
        ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_EMPTY_NAME,
                    record + OSSA__RES_NAME_LENGTH, "name_length", "the entry has no name");
        return;
    }
    const char *nul = memchr(name->bytes, 0, name->size);
    if (nul != NULL) {
        ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_EMBEDDED_NUL,
                    at + (uint64_t)(nul - name->bytes), "name", "the name contains a NUL");
    }
    const char *slash = memchr(name->bytes, '/', name->size);
    if (slash != NULL) {
        ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                    at + (uint64_t)(slash - name->bytes), "name",
                    "the name contains a /; the game separates folders with \\");
    }
}

/* Find the names in their block, and check each by itself. */
static void find_names(struct res_reader *r)
{
    const ossa_ei_res *res = r->res;
    uint64_t names_at = ossa__res_names_at(res);
    uint64_t total = 0;
    for (uint32_t i = 0; i < res->entry_count && !r->context->failed; i++) {
        ossa_ei_res_entry *entry = &r->entries[i];
        uint64_t record = ossa__res_record_at(res, i);
        uint64_t end = (uint64_t)entry->name_offset + entry->name_length;
        ossa__enter(r->context, "entries", i);
        total += entry->name_length;
        if (total > OSSA__MOST_NAMES * res->image_size) {
            ossa__fail(r->context, OSSA_CODE_OVERLAP, record + OSSA__RES_NAME_LENGTH, "name_length",
                       "the names overlap so much that they total more than %d times the file",
                       OSSA__MOST_NAMES);
        } else if (end > res->names_size) {
            ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_OFFSET,
                        record + OSSA__RES_NAME_OFFSET, "name_offset",
                        "the %u bytes at 0x%" PRIx32 " extend past the end of the names "
                        "(0x%" PRIx32 "); the entry has no name",
                        entry->name_length, entry->name_offset, res->names_size);
        } else {
            entry->name.bytes = (const char *)r->file.data + names_at + entry->name_offset;
            entry->name.size = entry->name_length;
            check_name(r, entry, record);
        }
        ossa__leave(r->context);
    }
}

/* Names are fields, but of those that share bytes only the first is. */
static void claim_names(struct res_reader *r)
{
    const ossa_ei_res *res = r->res;
    struct ossa__place *places = ossa__take_scratch(r->context, res->entry_count, sizeof *places);
    uint32_t count = 0;
    for (uint32_t i = 0; i < res->entry_count && places != NULL; i++) {
        if (r->entries[i].name.size == 0) continue;
        places[count++] = (struct ossa__place){.offset = r->entries[i].name_offset, .index = i};
    }
    if (!ossa__sort_places(r->context, places, count)) return;
    uint64_t end = 0;
    for (uint32_t i = 0; i < count; i++) {
        const ossa_ei_res_entry *entry = &r->entries[places[i].index];
        uint64_t at = ossa__res_names_at(res) + entry->name_offset;
        ossa__enter(r->context, "entries", places[i].index);
        if (entry->name_offset < end) {
            ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP,
                        ossa__res_record_at(res, places[i].index) + OSSA__RES_NAME_OFFSET,
                        "name_offset", "the name overlaps that of another entry");
        } else {
            struct ossa__reader window =
                ossa__reader_window(&r->file, at, entry->name.size, "name_offset", at);
            (void)ossa__read_bytes(&window, "name", OSSA_FIELD_TYPE_TEXT_1251, entry->name.size);
            ossa__runs_mark(&r->fields, at, entry->name.size);
        }
        ossa__leave(r->context);
        use(r, ossa__res_names_at(res), entry->name_offset, entry->name.size, &end);
    }
}

/* ---- data ---------------------------------------------------------------------------------- */

static bool meets(uint64_t begin, uint64_t end, uint64_t other_begin, uint64_t other_end)
{
    return begin < other_end && other_begin < end;
}

/* Take the bytes of an entry for its own, if they are: those of all before it end at `*end`. */
static void claim_data(struct res_reader *r, uint32_t slot, uint64_t *end)
{
    const ossa_ei_res *res = r->res;
    ossa_ei_res_entry *entry = &r->entries[slot];
    uint64_t begin = entry->offset;
    uint64_t own_end = begin + entry->size;
    uint64_t table_end = ossa__res_names_at(res) + res->names_size;
    bool in_archive = meets(begin, own_end, 0, OSSA__RES_HEADER_SIZE) ||
                      meets(begin, own_end, res->table_offset, table_end);
    entry->shares_bytes = in_archive || begin < *end;
    if (in_archive) {
        ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP,
                    ossa__res_record_at(res, slot) + OSSA__RES_OFFSET, "offset",
                    "the %" PRIu32 " bytes at 0x%" PRIx32
                    " overlap the archive's own header, table or names",
                    entry->size, entry->offset);
    } else if (entry->shares_bytes) {
        if (r->overlaps.count == 0) r->first_overlap = slot;
        ossa__note_place(&r->overlaps, begin, entry->size);
    } else {
        struct ossa__reader window =
            ossa__reader_window(&r->file, begin, entry->size, "offset", begin);
        (void)ossa__read_bytes(&window, "data", OSSA_FIELD_TYPE_UNKNOWN, entry->size);
        ossa__runs_mark(&r->fields, begin, entry->size);
    }
    /* One that has the whole archive in it takes nothing away from the others. */
    if (!in_archive && own_end > *end) *end = own_end;
}

static void find_data(struct res_reader *r, uint32_t slot)
{
    ossa_ei_res_entry *entry = &r->entries[slot];
    uint64_t size = r->res->image_size;
    bool is_inside = entry->offset <= size && entry->size <= size - entry->offset;
    if (entry->size == 0) {
        /* Nothing can be anywhere. */
        entry->data = r->file.data + (entry->offset <= size ? entry->offset : size);
    } else if (is_inside) {
        entry->data = r->file.data + entry->offset;
    } else {
        ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_OFFSET,
                    ossa__res_record_at(r->res, slot) + OSSA__RES_OFFSET, "offset",
                    "the %" PRIu32 " bytes at 0x%" PRIx32 " extend past the end of the file "
                    "(0x%" PRIx64 "); the entry cannot be extracted",
                    entry->size, entry->offset, size);
    }
}

/* The game's own archives have hundreds of them: one remark, at the first. */
static void remark_overlaps(struct res_reader *r)
{
    if (r->overlaps.count == 0) return;
    ossa__enter(r->context, "entries", r->first_overlap);
    ossa__issue(r->context, OSSA_SEVERITY_REMARK, OSSA_CODE_OVERLAP,
                ossa__res_record_at(r->res, r->first_overlap) + OSSA__RES_OFFSET, "offset",
                "%" PRIu64 " of %" PRIu32
                " entries overlap another one, this is the first; their bytes are at %s",
                r->overlaps.count, r->res->entry_count, ossa__list_places(&r->overlaps));
    ossa__leave(r->context);
}

/* Reported once per file, at the first. */
static void check_alignment(struct res_reader *r)
{
    uint32_t found = 0;
    uint32_t first = 0;
    for (uint32_t i = 0; i < r->res->entry_count; i++) {
        const ossa_ei_res_entry *entry = &r->entries[r->order[i]];
        bool has_bytes = entry->size > 0 && entry->data != NULL;
        if (!has_bytes || entry->offset % OSSA__RES_ALIGNMENT == 0) continue;
        if (found++ == 0) first = r->order[i];
    }
    if (found == 0) return;
    ossa__enter(r->context, "entries", first);
    ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                ossa__res_record_at(r->res, first) + OSSA__RES_OFFSET, "offset",
                "%" PRIu32 " of %" PRIu32
                " entries do not begin at a multiple of %d, this is the first",
                found, r->res->entry_count, OSSA__RES_ALIGNMENT);
    ossa__leave(r->context);
}

/* Put the entries in order, and find out whose bytes are whose. */
static void order_entries(struct res_reader *r)
{
    uint32_t count = r->res->entry_count;
    struct ossa__place *places = ossa__take_scratch(r->context, count, sizeof *places);
    r->order = ossa__take(r->context, count, sizeof *r->order);
    if (r->order == NULL) return;
    for (uint32_t i = 0; i < count; i++) {
        /* An entry without bytes comes before the one that begins there, as its name does. */
        places[i] = (struct ossa__place){
            .offset = r->entries[i].offset, .rank = r->entries[i].name_offset, .index = i};
    }
    if (!ossa__sort_places(r->context, places, count)) return;
    r->res->order = r->order;
    uint64_t end = 0;
    uint64_t used_end = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = places[i].index;
        const ossa_ei_res_entry *entry = &r->entries[slot];
        r->order[i] = slot;
        ossa__enter(r->context, "entries", slot);
        find_data(r, slot);
        if (entry->size > 0 && entry->data != NULL) {
            claim_data(r, slot, &end);
            use(r, 0, entry->offset, entry->size, &used_end);
        }
        ossa__leave(r->context);
    }
    remark_overlaps(r);
    check_alignment(r);
}

/* ---- all of it ----------------------------------------------------------------------------- */

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
static void check_doubles(struct res_reader *r)
{
    struct ossa__context *context = r->context;
    const ossa_ei_res *res = r->res;
    const char **names = ossa__take_scratch(context, res->entry_count, sizeof *names);
    if (names == NULL) return;
    for (uint32_t i = 0; i < res->entry_count; i++) names[i] = r->listed[i].name;
    const uint32_t *first =
        ossa__first_of_names(context, names, res->entry_count, ossa__compare_names);
    for (uint32_t i = 0; i < res->entry_count && first != NULL; i++) {
        uint32_t slot = res->order[i];
        if (first[i] == i || names[i][0] == '\0') continue;
        ossa__enter(context, "entries", slot);
        ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_DUPLICATE_NAME,
                    ossa__res_names_at(res) + res->entries[slot].name_offset, "name",
                    "'%s' is also the name of entries[%" PRIu32 "] (ignoring case)",
                    ossa__show_name(names[i]).text, res->order[first[i]]);
        ossa__leave(context);
    }
}

static void check_chains(struct res_reader *r)
{
    ossa__res_check_chains(r->context, r->res);
}

/* The scratch memory of one step is released before the next. */
static void step(struct res_reader *r, void (*work)(struct res_reader *r))
{
    struct ossa__mark before = ossa__scratch_mark(r->context);
    if (!r->context->failed) work(r);
    ossa__scratch_release(r->context, before);
}

static void *read_res(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct archive *archive = ossa__take(context, 1, sizeof *archive);
    if (archive == NULL) return NULL;
    *archive =
        (struct archive){.res = {.image = data, .image_size = size}, .parts = context->parts};
    ossa_ei_res *res = &archive->res;
    struct res_reader r = {.context = context, .res = res};
    ossa__reader_init(&r.file, context, data, size);
    if (read_header(&r)) read_records(&r);
    if (!context->failed) find_names(&r);
    step(&r, claim_names);
    step(&r, order_entries);
    if (!context->failed) r.listed = archive->listed = make_list(context, res);
    step(&r, check_chains);
    step(&r, check_doubles);
    if (context->failed) return NULL;
    ossa__check_unused(&r.used, data, OSSA__RES_ALIGNMENT, OSSA_SEVERITY_REMARK);
    res->gaps = ossa__runs_gaps(&r.fields, &res->gap_count);
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
    .may_begin = may_begin,
    .probe_start = probe_res, /* the header is all that it looks at */
    .read = read_res,
    .write = write_res,
    .dump = ossa__res_dump,
    .build = OSSA__BUILT_BY(ossa__res_build),
    .describe = describe_res,
    .list = list_res,
    .pack = OSSA__PACKED_BY(ossa__res_pack),
};
