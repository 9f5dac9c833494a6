/* SPDX-License-Identifier: MIT
 *
 * vib-pak: an archive of Vib-Ribbon.
 *
 *     0x00  u32  entry_count
 *     0x04  u32  offsets[entry_count]    ascending
 *     at each offset:
 *           char name[], NUL-terminated, padded with zeros to a multiple of 4
 *           u32  length
 *           u8   data[length], padded with zeros to a multiple of 4
 *
 * Names include folders. There is no signature: the entries follow each other and fill the file
 * exactly. In the JSON everything is where its offset says, and `gaps` holds the bytes that nothing
 * covers; an entry that shares bytes with an earlier one has no data of its own. Unknown: the code
 * page of names (assumed to be Latin-1; the game's are ASCII), and whether the last entry is padded
 * (it is written so; both are read). */
#include "archive/entries.h"
#include "archive/pack.h"
#include "base/json.h"
#include "base/text.h"
#include "codec/image.h"
#include "formats/modules.h"
#include "ossa/games/vib_ribbon.h"

#include <inttypes.h>
#include <string.h>

enum {
    HEADER_SIZE = 4,
    OFFSET_SIZE = 4, /* in the table */
    LENGTH_SIZE = 4,
    ALIGNMENT = 4,
    LEAST_ENTRY = 12, /* an offset, a name of nothing but its NUL and padding, a length */
};

/* What an ossa_vib_pak is part of. */
struct archive {
    ossa_vib_pak pak; /* first: a pointer to it is a pointer to this */
    const ossa_entry *listed;
};

/* Where the offset of an entry is in the table. Past the last one, the entries begin. */
static uint64_t offset_at(uint64_t index)
{
    return HEADER_SIZE + index * OFFSET_SIZE;
}

/* Bytes from the start of an entry to its length: the name, its NUL and the padding. */
static uint64_t name_room(uint64_t name_size)
{
    return ossa__align(name_size + 1, ALIGNMENT);
}

/* ---- probe --------------------------------------------------------------------------------- */

static bool is_zero(const uint8_t *data, uint64_t begin, uint64_t end)
{
    for (uint64_t i = begin; i < end; i++) {
        if (data[i] != 0) return false;
    }
    return true;
}

/* Skip the entry at `*at`; false if it does not fit. */
static bool skip_entry(const uint8_t *data, uint64_t size, uint64_t *at, uint64_t *bytes,
                       bool *plain)
{
    uint64_t name = *at;
    const uint8_t *nul = memchr(data + name, 0, (size_t)(size - name));
    if (nul == NULL) return false;
    uint64_t name_end = (uint64_t)(nul - data);
    uint64_t length_at = name + name_room(name_end - name);
    if (length_at > size || size - length_at < LENGTH_SIZE) return false;
    uint64_t length = ossa__peek_u32(data, size, length_at);
    uint64_t begin = length_at + LENGTH_SIZE;
    if (length > size - begin) return false;
    for (uint64_t i = name; i < name_end; i++) {
        if (data[i] < 0x20 || data[i] >= 0x7f) *plain = false;
    }
    if (name == name_end || !is_zero(data, name_end, length_at)) *plain = false;
    *at = begin + length;
    *bytes += length;
    return true;
}

static ossa_confidence probe_pak(const uint8_t *data, uint64_t size)
{
    if (size < HEADER_SIZE) return OSSA_CONFIDENCE_NONE;
    uint64_t count = ossa__peek_u32(data, size, 0);
    if (count > (size - HEADER_SIZE) / LEAST_ENTRY) return OSSA_CONFIDENCE_NONE;
    uint64_t at = offset_at(count);
    uint64_t bytes = 0;
    bool plain = true;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t offset = ossa__peek_u32(data, size, offset_at(i));
        if (offset < at || offset - at >= ALIGNMENT || offset >= size) return OSSA_CONFIDENCE_NONE;
        if (offset % ALIGNMENT != 0 || !is_zero(data, at, offset)) plain = false;
        at = offset;
        if (!skip_entry(data, size, &at, &bytes, &plain)) return OSSA_CONFIDENCE_NONE;
    }
    /* An empty table is not padded. */
    uint64_t most_padding = count == 0 ? 0 : ALIGNMENT - 1;
    if (size - at > most_padding || !is_zero(data, at, size)) return OSSA_CONFIDENCE_NONE;
    if (size % ALIGNMENT != 0) plain = false;
    /* Entries without data are weak evidence: a LNK of one link may look the same. */
    if (bytes == 0) return OSSA_CONFIDENCE_EMPTY;
    return plain ? OSSA_CONFIDENCE_PLAUSIBLE : OSSA_CONFIDENCE_ARITHMETIC;
}

static bool may_begin(const uint8_t *start, uint64_t size)
{
    uint64_t count = ossa__peek_u32(start, size, 0);
    uint64_t table = offset_at(count);
    if (count == 0 || count > (size - HEADER_SIZE) / LEAST_ENTRY) return false;
    uint64_t first = ossa__peek_u32(start, size, offset_at(0));
    return first >= table && first - table < ALIGNMENT;
}

/* ---- read ---------------------------------------------------------------------------------- */

/* One file being read. */
struct pak_reader {
    struct ossa__context *context;
    struct ossa__reader file;
    struct ossa__runs fields; /* bytes of fields, each owned by one */
    struct ossa__runs used;   /* the same plus bytes that are shared or padding */
    ossa_vib_pak *pak;
    ossa_vib_pak_entry *entries;
    uint64_t end; /* of all entries so far */
    uint64_t used_end;
};

static void read_offsets(struct pak_reader *r)
{
    uint32_t count = ossa__read_count(&r->file, "entry_count", LEAST_ENTRY);
    r->entries = ossa__take(r->context, count, sizeof *r->entries);
    for (uint32_t i = 0; i < count && !r->context->failed; i++) {
        ossa__enter(r->context, "entries", i);
        r->entries[i] = (ossa_vib_pak_entry){.offset = ossa__read_u32(&r->file, "offset")};
        ossa__leave(r->context);
    }
    if (r->context->failed) return;
    uint64_t most = (uint64_t)count + 8; /* the parts of an entry are adjacent */
    if (!ossa__runs_init(&r->fields, r->context, r->pak->image_size, most)) return;
    if (!ossa__runs_init(&r->used, r->context, r->pak->image_size, most)) return;
    r->pak->entry_count = count;
    r->pak->entries = r->entries;
    r->end = offset_at(count);
    ossa__runs_mark(&r->fields, 0, r->end);
    ossa__runs_mark(&r->used, 0, r->end);
}

/* Check the offsets that are in the file; the others are reported when their entry is read. */
static void check_offsets(struct pak_reader *r)
{
    uint32_t unaligned = 0;
    uint32_t first = 0;
    uint32_t before = 0;
    for (uint32_t i = 0; i < r->pak->entry_count; i++) {
        uint32_t offset = r->entries[i].offset;
        if (offset >= r->pak->image_size) continue;
        if (offset % ALIGNMENT != 0 && unaligned++ == 0) first = i;
        if (offset < before) {
            ossa__enter(r->context, "entries", i);
            ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ORDER, offset_at(i),
                        "offset",
                        "0x%" PRIx32 " is before the offset of the previous entry (0x%" PRIx32
                        "), expected ascending offsets",
                        offset, before);
            ossa__leave(r->context);
        }
        before = offset;
    }
    if (unaligned == 0) return;
    ossa__enter(r->context, "entries", first);
    ossa__issue(
        r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, offset_at(first), "offset",
        "%" PRIu32 " of %" PRIu32 " entries do not begin at a multiple of %d (this is the first)",
        unaligned, r->pak->entry_count, ALIGNMENT);
    ossa__leave(r->context);
}

/* Find the ends of the names. The places are sorted, so that no byte is searched twice. */
static void find_names(struct pak_reader *r, const struct ossa__place *places)
{
    const uint8_t *data = r->file.data;
    uint64_t size = r->pak->image_size;
    uint64_t total = 0;
    const uint8_t *nul = memchr(data, 0, (size_t)size);
    for (uint32_t i = 0; i < r->pak->entry_count && nul != NULL; i++) {
        ossa_vib_pak_entry *entry = &r->entries[places[i].index];
        if (entry->offset >= size) return;
        const uint8_t *name = data + entry->offset;
        if (name > nul) nul = memchr(name, 0, (size_t)(size - entry->offset));
        if (nul == NULL) return;
        entry->name = (const char *)name;
        entry->name_size = (uint64_t)(nul - name);
        total += entry->name_size;
        if (total <= OSSA__MOST_NAMES * size) continue;
        ossa__enter(r->context, "entries", places[i].index);
        ossa__fail(r->context, OSSA_CODE_OVERLAP, offset_at(places[i].index), "offset",
                   "the overlapping names add up to more than %d times the size of the file",
                   OSSA__MOST_NAMES);
        ossa__leave(r->context);
        return;
    }
}

/* Find the parts of an entry that begins inside the file. */
static void find_parts(struct pak_reader *r, ossa_vib_pak_entry *entry)
{
    uint64_t size = r->pak->image_size;
    if (entry->name == NULL) {
        ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_TRUNCATED, entry->offset, "name",
                    "the name is not terminated by a NUL; the entry cannot be extracted");
        return;
    }
    uint64_t name_end = entry->offset + entry->name_size;
    uint64_t length_at = entry->offset + name_room(entry->name_size);
    if (length_at > size || size - length_at < LENGTH_SIZE) {
        ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_TRUNCATED, length_at, "length",
                    "needs %d bytes, %" PRIu64 " left; the entry cannot be extracted", LENGTH_SIZE,
                    length_at > size ? 0 : size - length_at);
        return;
    }
    if (!is_zero(r->file.data, name_end, length_at)) {
        ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, name_end, "name",
                    "non-zero bytes between the name and the length");
    }
    entry->has_length = true;
    entry->length = ossa__peek_u32(r->file.data, size, length_at);
    entry->data_offset = length_at + LENGTH_SIZE;
    if (entry->length > size - entry->data_offset) {
        ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_COUNT, length_at, "length",
                    "%" PRIu32 " bytes, but only %" PRIu64
                    " are left; the entry cannot be extracted",
                    entry->length, size - entry->data_offset);
        return;
    }
    entry->data = r->file.data + entry->data_offset;
}

/* Note where an entry ends. The data of a truncated entry may extend to the end of the file, but
 * that does not make later entries overlap it. */
static void use(struct pak_reader *r, const ossa_vib_pak_entry *entry)
{
    uint64_t size = r->pak->image_size;
    uint64_t used_end = entry->data != NULL ? entry->data_offset + entry->length : size;
    uint64_t end = entry->data == NULL && entry->has_length ? entry->data_offset : used_end;
    uint64_t begin = entry->offset > r->used_end ? entry->offset : r->used_end;
    if (begin < used_end) {
        ossa__runs_mark(&r->used, begin, used_end - begin);
        r->used_end = used_end;
    }
    r->end = end > r->end ? end : r->end;
}

/* Read the parts of an entry that exist; their bytes now belong to it. */
static void claim_parts(struct pak_reader *r, const ossa_vib_pak_entry *entry, uint64_t at)
{
    if (entry->name == NULL) return;
    uint64_t left = r->pak->image_size - entry->offset;
    struct ossa__reader window = ossa__reader_window(&r->file, entry->offset, left, "offset", at);
    (void)ossa__read_bytes(&window, "name", OSSA_FIELD_TYPE_TEXT, entry->name_size + 1);
    ossa__runs_mark(&r->fields, entry->offset, entry->name_size + 1);
    if (!entry->has_length) return;
    uint64_t length_at = entry->data_offset - LENGTH_SIZE;
    window = ossa__reader_window(&r->file, length_at, r->pak->image_size - length_at, "name", at);
    (void)ossa__read_u32(&window, "length");
    ossa__runs_mark(&r->fields, length_at, LENGTH_SIZE);
    if (entry->data == NULL) return;
    (void)ossa__read_bytes(&window, "data", OSSA_FIELD_TYPE_UNKNOWN, entry->length);
    ossa__runs_mark(&r->fields, entry->data_offset, entry->length);
}

static void read_entry(struct pak_reader *r, uint32_t index)
{
    ossa_vib_pak_entry *entry = &r->entries[index];
    uint64_t at = offset_at(index);
    uint64_t table_end = offset_at(r->pak->entry_count);
    if (entry->offset >= r->pak->image_size) {
        ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_OFFSET, at, "offset",
                    "0x%" PRIx32 " is past the end of the file (0x%" PRIx64
                    "); the entry cannot be extracted",
                    entry->offset, r->pak->image_size);
        return;
    }
    if (entry->offset < table_end) {
        ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_OFFSET, at, "offset",
                    "0x%" PRIx32 " is inside the table of offsets, which ends at 0x%" PRIx64,
                    entry->offset, table_end);
    }
    find_parts(r, entry);
    entry->shares_bytes = entry->offset < r->end;
    if (!entry->shares_bytes) {
        claim_parts(r, entry, at);
    } else if (entry->offset >= table_end) {
        ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP, at, "offset",
                    "0x%" PRIx32 " is inside another entry", entry->offset);
    }
    use(r, entry);
}

static void read_entries(struct pak_reader *r)
{
    uint32_t count = r->pak->entry_count;
    struct ossa__place *places = ossa__take_scratch(r->context, count, sizeof *places);
    if (places == NULL) return;
    for (uint32_t i = 0; i < count; i++) {
        places[i] = (struct ossa__place){.offset = r->entries[i].offset, .index = i};
    }
    if (!ossa__sort_places(r->context, places, count)) return;
    find_names(r, places);
    for (uint32_t i = 0; i < count && !r->context->failed; i++) {
        ossa__enter(r->context, "entries", places[i].index);
        read_entry(r, places[i].index);
        ossa__leave(r->context);
    }
}

static const ossa_entry *make_list(struct pak_reader *r)
{
    const ossa_vib_pak *pak = r->pak;
    size_t bytes = 0;
    for (uint32_t i = 0; i < pak->entry_count; i++) {
        const ossa_vib_pak_entry *entry = &pak->entries[i];
        bytes +=
            ossa__name_text(entry->name, (size_t)entry->name_size, ossa__latin_to_unicode, NULL);
    }
    ossa_entry *list = ossa__take(r->context, pak->entry_count, sizeof *list);
    char *text = ossa__take(r->context, bytes, 1);
    for (uint32_t i = 0; i < pak->entry_count && text != NULL; i++) {
        const ossa_vib_pak_entry *entry = &pak->entries[i];
        list[i] = (ossa_entry){.name = text,
                               .offset = entry->data_offset,
                               .stored_size = entry->length,
                               .size = entry->length,
                               .is_missing = entry->data == NULL};
        text +=
            ossa__name_text(entry->name, (size_t)entry->name_size, ossa__latin_to_unicode, text);
    }
    return list;
}

static void check_names(struct pak_reader *r, const ossa_entry *list)
{
    uint32_t count = r->pak->entry_count;
    const char **names = ossa__take_scratch(r->context, count, sizeof *names);
    if (names == NULL) return;
    for (uint32_t i = 0; i < count; i++) names[i] = list[i].name;
    const uint32_t *same = ossa__first_of_names(r->context, names, count, strcmp);
    const uint32_t *alike = ossa__first_of_names(r->context, names, count, ossa__compare_names);
    for (uint32_t i = 0; i < count && alike != NULL; i++) {
        uint64_t at = r->entries[i].offset;
        if (r->entries[i].name == NULL) continue;
        ossa__enter(r->context, "entries", i);
        if (names[i][0] == '\0') {
            ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_EMPTY_NAME, at, "name",
                        "the entry has no name");
        } else if (same[i] != i) {
            ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_DUPLICATE_NAME, at, "name",
                        "'%s' is also the name of entries[%" PRIu32 "]",
                        ossa__show_name(names[i]).text, same[i]);
        } else if (alike[i] != i) {
            ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_DUPLICATE_NAME, at, "name",
                        "'%s' is also the name of entries[%" PRIu32 "], ignoring letter case",
                        ossa__show_name(names[i]).text, alike[i]);
        }
        ossa__leave(r->context);
    }
}

static void *read_pak(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct pak_reader r = {.context = context};
    ossa__reader_init(&r.file, context, data, size);
    struct archive *archive = ossa__take(context, 1, sizeof *archive);
    if (archive == NULL) return NULL;
    *archive = (struct archive){.pak = {.image = data, .image_size = size}};
    r.pak = &archive->pak;
    read_offsets(&r);
    if (context->failed) return NULL;
    check_offsets(&r);
    read_entries(&r);
    if (!context->failed) archive->listed = make_list(&r);
    if (context->failed) return NULL;
    check_names(&r, archive->listed);
    ossa__check_unused(&r.used, data, ALIGNMENT, OSSA_SEVERITY_WARNING);
    r.pak->gaps = ossa__runs_gaps(&r.fields, &r.pak->gap_count);
    return archive;
}

/* ---- write --------------------------------------------------------------------------------- */

static void write_pak(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    const ossa_vib_pak *pak = contents;
    (void)context;
    ossa__write_bytes(writer, pak->image, pak->image_size);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void dump_entry(struct ossa__json *json, const ossa_vib_pak_entry *entry)
{
    bool has_data = entry->data != NULL && !entry->shares_bytes;
    ossa__json_begin_object(json);
    ossa__member_uint(json, "offset", entry->offset);
    ossa__json_key(json, "name");
    if (entry->name == NULL) {
        ossa__json_null(json);
    } else {
        ossa__json_begin_text(json);
        for (uint64_t i = 0; i < entry->name_size; i++) {
            ossa__json_character(json, ossa__latin_to_unicode((uint8_t)entry->name[i]));
        }
        ossa__json_end_text(json);
    }
    ossa__json_key(json, "data");
    if (has_data) ossa__json_hex(json, entry->data, entry->length);
    else ossa__json_null(json);
    if (!has_data && entry->has_length) {
        ossa__member_uint(json, "length", entry->length);
    }
    ossa__json_end_object(json);
}

static void dump_pak(const void *contents, struct ossa__json *json)
{
    const ossa_vib_pak *pak = contents;
    ossa__json_key(json, "entries");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < pak->entry_count; i++) dump_entry(json, &pak->entries[i]);
    ossa__json_end_array(json);
    ossa__gaps_dump(json, pak->gaps, pak->gap_count, pak->image);
}

/* Put a name and its NUL in the image; returns the size of the name. */
static uint64_t build_name(struct ossa__image *image, const struct ossa__value *name, uint64_t at)
{
    size_t length;
    const char *utf8 = ossa__value_text(name, &length);
    uint8_t *bytes = ossa__take(name->context, (uint64_t)length + 1, 1); /* an upper bound */
    uint64_t size = 0;
    for (size_t i = 0; i < length && bytes != NULL;) {
        uint32_t character;
        i += ossa__utf8_decode(utf8 + i, length - i, &character);
        int byte = ossa__latin_from_unicode(character);
        if (byte <= 0) {
            ossa__value_fail(name, "a name cannot contain U+%04" PRIX32, character);
            return 0;
        }
        bytes[size++] = (uint8_t)byte;
    }
    if (bytes == NULL) return 0;
    bytes[size] = 0;
    ossa__image_put(image, at, bytes, size + 1, name);
    return size;
}

static void build_entry(struct ossa__image *image, const struct ossa__value *entry, size_t index)
{
    ossa__value_allow(entry, "offset name data length");
    struct ossa__value offset = ossa__value_member(entry, "offset");
    struct ossa__value name = ossa__value_optional(entry, "name");
    struct ossa__value data = ossa__value_optional(entry, "data");
    struct ossa__value length = ossa__value_optional(entry, "length");
    uint64_t at = ossa__value_u32(&offset);
    ossa__image_put_u32(image, offset_at(index), (uint32_t)at, &offset);
    if (name.node == NULL) {
        if (data.node != NULL) ossa__value_fail(&name, "is missing, but there is data");
        return;
    }
    uint64_t length_at = at + name_room(build_name(image, &name, at));
    if (data.node != NULL) {
        size_t size;
        const uint8_t *bytes = ossa__value_hex(&data, &size);
        if (size > UINT32_MAX) ossa__value_fail(&data, "is larger than 4 GiB");
        ossa__image_put_u32(image, length_at, (uint32_t)size, &data);
        ossa__image_put(image, length_at + LENGTH_SIZE, bytes, size, &data);
    } else if (length.node != NULL) {
        ossa__image_put_u32(image, length_at, ossa__value_u32(&length), &length);
    }
}

static void *build_pak(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    struct ossa__image image;
    ossa__value_allow(data, "entries gaps");
    ossa_vib_pak *pak = ossa__take(context, 1, sizeof *pak);
    if (!ossa__image_init(&image, context, size)) return NULL;
    struct ossa__value entries = ossa__value_member(data, "entries");
    size_t count = ossa__value_length(&entries);
    ossa__image_put_u32(&image, 0, (uint32_t)count, &entries);
    for (size_t i = 0; i < count && !context->failed; i++) {
        struct ossa__value entry = ossa__value_item(&entries, i);
        build_entry(&image, &entry, i);
    }
    ossa__image_put_gaps(&image, data);
    ossa__image_finish(&image, data);
    /* Writing needs only the image. */
    *pak = (ossa_vib_pak){.image = image.bytes, .image_size = size};
    return pak;
}

/* ---- pack ---------------------------------------------------------------------------------- */

/* An entry to be packed. Entries are stored in the order given, each padded to a multiple of 4. */
struct item {
    const uint8_t *name; /* as it is stored */
    size_t name_size;
    uint32_t offset;
};

struct packer {
    struct ossa__context *context;
    const struct ossa__pack_plan *plan;
    const ossa_packing *entries; /* of the plan */
    uint32_t count;
    struct item *items;
};

/* Names that differ only in letter case are allowed: the game may distinguish them. */
static void refuse_doubles(struct packer *p)
{
    uint32_t index;
    uint32_t before;
    if (!ossa__find_double(p->context, p->entries, p->count, strcmp, &index, &before)) return;
    ossa__enter(p->context, "entries", index);
    ossa__fail_nowhere(p->context, OSSA_CODE_DUPLICATE_NAME, "name",
                       "'%s' is also the name of entries[%" PRIu32 "]",
                       ossa__show_name(p->entries[index].name).text, before);
    ossa__leave(p->context);
}

static void lay_out(struct packer *p)
{
    uint64_t offset = offset_at(p->count);
    for (uint32_t i = 0; i < p->count; i++) {
        uint64_t size = ossa__pack_size(p->plan, i);
        if (offset > UINT32_MAX || size > UINT32_MAX) {
            ossa__enter(p->context, "entries", i);
            ossa__fail_nowhere(p->context, OSSA_CODE_LIMIT, "size",
                               "at offset 0x%" PRIx64 " and with %" PRIu64
                               " bytes it exceeds 4 GiB, the limit of offsets and lengths",
                               offset, size);
            ossa__leave(p->context);
            return;
        }
        p->items[i].offset = (uint32_t)offset;
        offset += name_room(p->items[i].name_size) + LENGTH_SIZE + ossa__align(size, ALIGNMENT);
    }
}

static void write_archive(const struct packer *p, struct ossa__writer *writer)
{
    static const uint8_t zeros[ALIGNMENT] = {0};
    ossa__write_u32(writer, p->count);
    for (uint32_t i = 0; i < p->count; i++) ossa__write_u32(writer, p->items[i].offset);
    for (uint32_t i = 0; i < p->count; i++) {
        const struct item *item = &p->items[i];
        uint64_t size = ossa__pack_size(p->plan, i);
        ossa__write_bytes(writer, item->name, item->name_size);
        ossa__write_bytes(writer, zeros, name_room(item->name_size) - item->name_size);
        ossa__write_u32(writer, (uint32_t)size);
        ossa__pack_write(p->context, p->plan, i, writer);
        ossa__write_bytes(writer, zeros, ossa__align(size, ALIGNMENT) - size);
    }
}

static void pack_pak(struct ossa__context *context, const struct ossa__pack_plan *plan,
                     struct ossa__writer *writer)
{
    const size_t count = plan->count;
    if (count > UINT32_MAX) {
        ossa__fail_nowhere(context, OSSA_CODE_LIMIT, "entry_count",
                           "%zu entries are more than an archive can hold", count);
        return;
    }
    struct packer p = {
        .context = context, .plan = plan, .entries = plan->entries, .count = (uint32_t)count};
    p.items = ossa__take(context, count, sizeof *p.items);
    for (uint32_t i = 0; i < p.count && !context->failed; i++) {
        struct item *item = &p.items[i];
        ossa__enter(context, "entries", i);
        item->name = ossa__name_bytes(context, p.entries[i].name, ossa__latin_from_unicode,
                                      "Latin-1", &item->name_size);
        if (item->name != NULL && item->name_size == 0) {
            ossa__fail_nowhere(context, OSSA_CODE_EMPTY_NAME, "name", "an entry needs a name");
        }
        ossa__leave(context);
    }
    if (!context->failed) refuse_doubles(&p);
    if (!context->failed) lay_out(&p);
    if (!context->failed) write_archive(&p, writer);
}

/* ---- list and describe --------------------------------------------------------------------- */

static struct ossa__listing list_pak(const void *contents)
{
    const struct archive *archive = contents;
    return (struct ossa__listing){.entries = archive->listed,
                                  .count = archive->pak.entry_count,
                                  .image = archive->pak.image,
                                  .image_size = archive->pak.image_size};
}

static void describe_pak(const void *contents, struct ossa__report *report)
{
    struct ossa__listing listing = list_pak(contents);
    ossa__report_entries(report, &listing);
}

ossa_vib_pak *ossa_as_vib_pak(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_vib_pak);
}

const struct ossa__format ossa__format_vib_pak = {
    .about = {.id = "vib-pak",
              .title = "Vib-Ribbon archive",
              .game = "Vib-Ribbon (1999)",
              .extensions = "pak",
              .kind = OSSA_KIND_ARCHIVE},
    .game = &ossa__game_vib_ribbon,
    .scattered = true,
    .probe = probe_pak,
    .may_begin = may_begin,
    .read = read_pak,
    .write = write_pak,
    .dump = dump_pak,
    .build = OSSA__BUILT_BY(build_pak),
    .describe = describe_pak,
    .list = list_pak,
    .pack = OSSA__PACKED_BY(pack_pak),
};
