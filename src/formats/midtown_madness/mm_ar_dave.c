/* SPDX-License-Identifier: MIT
 *
 * The archive of the second game: a list of entries with their whole paths.
 *
 *     0x000  char[4]  magic        "DAVE"
 *     0x004  u32      entry_count
 *     0x008  u32      table_size   bytes between the table and the names
 *     0x00C  u32      names_size
 *     0x800  entry_count times
 *            u32 name_offset in the names, offset in the file, size, stored_size
 *     0x800 + table_size           NUL-terminated names
 *
 * Where the two sizes of an entry differ, it is a raw DEFLATE stream. A name that ends in / is a
 * folder's. The game finds a name by binary search, so they are sorted, in lower case and with /
 * equal to \. Data begins at multiples of 0x800. */
#include "formats/midtown_madness/mm_ar.h"

#include "base/json.h"

#include <inttypes.h>
#include <string.h>

enum {
    HEADER_SIZE = 16,
    TABLE = 0x800, /* where the table is */
    ENTRY_WORDS = 4,
    ENTRY_SIZE = 4 * ENTRY_WORDS,
};

static const struct ossa__shape shape_entry = {
    OSSA_FIELD_TYPE_U32, ENTRY_WORDS, {"name_offset", "offset", "size", "stored_size"}};

bool ossa__dave_fits(const uint8_t *data, uint64_t size)
{
    uint64_t count = ossa__peek_u32(data, size, 4);
    uint64_t table = ossa__peek_u32(data, size, 8);
    uint64_t names = ossa__peek_u32(data, size, 12);
    return TABLE + table + names <= size && ENTRY_SIZE * count <= table;
}

/* ---- read ---------------------------------------------------------------------------------- */

static uint64_t word_at(uint32_t entry, uint32_t word)
{
    return TABLE + ENTRY_SIZE * (uint64_t)entry + 4ULL * word;
}

static void read_header(struct ossa__ar_reader *r)
{
    uint32_t *header = r->ar->header;
    uint64_t size = r->ar->image_size;
    (void)ossa__read_bytes(&r->file, "magic", OSSA_FIELD_TYPE_TEXT, 4);
    header[0] = ossa__read_u32(&r->file, "entry_count");
    header[1] = ossa__read_u32(&r->file, "table_size");
    header[2] = ossa__read_u32(&r->file, "names_size");
    if (r->context->failed) return;
    uint64_t left = size < TABLE ? 0 : size - TABLE;
    if (header[1] > left) {
        ossa__fail(r->context, OSSA_CODE_BAD_COUNT, 8, "table_size",
                   "%" PRIu32 " bytes cannot fit in the %" PRIu64 " bytes starting at 0x800",
                   header[1], left);
    } else if (header[0] > header[1] / ENTRY_SIZE) {
        ossa__fail(r->context, OSSA_CODE_BAD_COUNT, 4, "entry_count",
                   "%" PRIu32 " entries of %d bytes cannot fit in a table of %" PRIu32 " bytes",
                   header[0], ENTRY_SIZE, header[1]);
    } else if (header[2] > left - header[1]) {
        ossa__fail(r->context, OSSA_CODE_BAD_COUNT, 12, "names_size",
                   "%" PRIu32 " bytes cannot fit in the %" PRIu64 " bytes after the table",
                   header[2], left - header[1]);
    }
}

/* As the game compares names. */
static int plain(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A' + 'a';
    return c == '\\' ? '/' : (uint8_t)c;
}

static bool is_after(const char *a, const char *b)
{
    while (*a != '\0' && plain(*a) == plain(*b)) {
        a++;
        b++;
    }
    return plain(*a) > plain(*b);
}

/* False if it is not all in the file. */
static bool read_data(struct ossa__ar_reader *r, uint32_t index, uint32_t offset, uint32_t size)
{
    if (size == 0) return true;
    if ((uint64_t)offset + size > r->ar->image_size) {
        return !ossa__ar_is_missing(r, word_at(index, 1), "offset", offset, size);
    }
    struct ossa__reader data =
        ossa__reader_window(&r->file, offset, size, "offset", word_at(index, 1));
    (void)ossa__read_bytes(&data, "data", OSSA_FIELD_TYPE_UNKNOWN, size);
    ossa__ar_cover(r, offset, size, "data");
    return true;
}

static void read_names(struct ossa__ar_reader *r, const char **names)
{
    const struct ossa__ar_names block = {.begin = TABLE + (uint64_t)r->ar->header[1],
                                         .size = r->ar->header[2]};
    for (uint32_t i = 0; i < r->ar->record_count && !r->context->failed; i++) {
        uint32_t offset = r->ar->records[(size_t)ENTRY_WORDS * i];
        size_t size;
        ossa__enter(r->context, "entries", i);
        names[i] = ossa__ar_name(r, &block, offset, "name", "name_offset", word_at(i, 0), &size);
        if (i > 0 && names[i - 1] != NULL && names[i] != NULL && is_after(names[i - 1], names[i])) {
            ossa__issue(
                r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_BAD_ORDER, word_at(i, 0),
                "name_offset",
                "the name sorts before that of the previous entry; the game may not find it");
        }
        ossa__leave(r->context);
    }
}

static void read_entry(struct ossa__ar_reader *r, uint32_t index, const char *name)
{
    const uint32_t *words = r->ar->records + (size_t)ENTRY_WORDS * index;
    char text[2 * OSSA__AR_LONGEST_NAME + 1];
    size_t size = ossa__name_text(name, strlen(name), ossa__latin_to_unicode, text) - 1;
    const bool is_packed = words[2] != words[3];
    const bool is_there = read_data(r, index, words[1], words[3]);
    ossa__ar_add(r,
                 (ossa_entry){.offset = words[1],
                              .stored_size = words[3],
                              .size = words[2],
                              .is_packed = is_packed,
                              .is_missing = !is_there},
                 text, size,
                 (struct ossa__ar_detail){
                     .at = word_at(index, 0), .record = index, .method = is_packed ? 8 : 0});
}

void ossa__dave_read(struct ossa__ar_reader *r)
{
    struct ossa__context *context = r->context;
    read_header(r);
    if (context->failed) return;
    const uint32_t count = r->ar->header[0];
    (void)ossa__need(context, 0, TABLE + (uint64_t)r->ar->header[1] + r->ar->header[2]);
    struct ossa__reader table =
        ossa__reader_window(&r->file, TABLE, ENTRY_SIZE * (uint64_t)count, "entry_count", 4);
    r->ar->record_count = count;
    r->ar->records = ossa__read_array(&table, "entries", &shape_entry, count, 0);
    const char **names = ossa__take_scratch(context, count, sizeof *names);
    if (context->failed || !ossa__ar_room(r, count)) return;
    ossa__coverage_mark(&r->coverage, 0, HEADER_SIZE);
    ossa__coverage_mark(&r->coverage, TABLE, ENTRY_SIZE * (uint64_t)count);
    read_names(r, names);
    for (uint32_t i = 0; i < count && !context->failed; i++) {
        ossa__enter(context, "entries", i);
        read_entry(r, i, names[i]);
        ossa__leave(context);
    }
}

/* ---- JSON ---------------------------------------------------------------------------------- */

void ossa__dave_dump(struct ossa__json *json, const ossa_mm_ar *ar)
{
    const uint8_t *names = ar->image + TABLE + (uint64_t)ar->header[1];
    ossa__member_uint(json, "table_size", ar->header[1]);
    ossa__member_uint(json, "names_size", ar->header[2]);
    ossa__json_key(json, "entries");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < ar->record_count; i++) {
        const uint32_t *words = ar->records + (size_t)ENTRY_WORDS * i;
        ossa__json_begin_object(json);
        ossa__ar_dump_name(json, "name", names + words[0]);
        ossa__member_uint(json, "name_offset", words[0]);
        ossa__member_uint(json, "offset", words[1]);
        ossa__member_uint(json, "size", words[2]);
        ossa__ar_dump_bytes(json, ar, "stored_size", words[1], words[3]);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
}

void ossa__dave_build(struct ossa__image *image, const struct ossa__value *data)
{
    ossa__value_allow(data, "kind table_size names_size entries gaps");
    struct ossa__value entries = ossa__value_member(data, "entries");
    size_t count = ossa__value_length(&entries);
    uint64_t names = TABLE + (uint64_t)ossa__ar_build_number(data, "table_size", UINT32_MAX);
    ossa__image_put(image, 0, (const uint8_t *)"DAVE", 4, data);
    ossa__image_put_u32(image, 4, (uint32_t)count, &entries);
    ossa__ar_build_word(image, data, "table_size", 8);
    ossa__ar_build_word(image, data, "names_size", 12);
    for (size_t i = 0; i < count && !image->context->failed; i++) {
        struct ossa__value entry = ossa__value_item(&entries, i);
        uint64_t at = TABLE + ENTRY_SIZE * (uint64_t)i;
        ossa__value_allow(&entry, "name name_offset offset size stored_size data");
        ossa__ar_build_name(image, &entry, "name",
                            names + ossa__ar_build_number(&entry, "name_offset", UINT32_MAX));
        ossa__ar_build_word(image, &entry, "name_offset", at);
        ossa__ar_build_word(image, &entry, "offset", at + 4);
        ossa__ar_build_word(image, &entry, "size", at + 8);
        uint32_t offset = ossa__ar_build_number(&entry, "offset", UINT32_MAX);
        uint32_t size = ossa__ar_build_bytes(image, &entry, "stored_size", offset, UINT32_MAX);
        ossa__image_put_u32(image, at + 12, size, &entry);
    }
}
