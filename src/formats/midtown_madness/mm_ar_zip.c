/* SPDX-License-Identifier: MIT
 *
 * A ZIP as an archive of the second game. Its directory is at the end of the file:
 *
 *     end - 22   "PK\5\6", u16 disk, directory_disk, disk_entries, entry_count,
 *                u32 directory_size, directory_offset, u16 comment_length; comment
 *     directory  entry_count times
 *                "PK\1\2", u16 version_made, version_needed, flags, method, time, date, u32 crc,
 *                stored_size, size, u16 name_length, extra_length, comment_length, disk, internal,
 *                u32 external, local_offset; name, extra, comment
 *     local      "PK\3\4", u16 version_needed, flags, method, time, date, u32 crc, stored_size,
 *                size, u16 name_length, extra_length; name, extra, then the data
 *
 * Where the two differ, the directory is used. The game supports a subset of ZIP: no comment at the
 * end, no extra field before the data, methods 0 and 8. Neither the game nor this reader supports
 * ZIP64. */
#include "formats/midtown_madness/mm_ar.h"

#include "base/text.h"

#include <inttypes.h>
#include <string.h>

enum {
    END_SIZE = 22,
    RECORD_SIZE = 46,
    LOCAL_SIZE = 30,
    LOCATOR_SIZE = 20, /* of ZIP64, before the end record */
    LONGEST_COMMENT = 0xffff,
    FLAG_ENCRYPTED = 0x0001,
};

/* The upper half of code page 437, the default for names. */
static const uint16_t cp437[128] = {
    0x00c7, 0x00fc, 0x00e9, 0x00e2, 0x00e4, 0x00e0, 0x00e5, 0x00e7, 0x00ea, 0x00eb, 0x00e8, 0x00ef,
    0x00ee, 0x00ec, 0x00c4, 0x00c5, 0x00c9, 0x00e6, 0x00c6, 0x00f4, 0x00f6, 0x00f2, 0x00fb, 0x00f9,
    0x00ff, 0x00d6, 0x00dc, 0x00a2, 0x00a3, 0x00a5, 0x20a7, 0x0192, 0x00e1, 0x00ed, 0x00f3, 0x00fa,
    0x00f1, 0x00d1, 0x00aa, 0x00ba, 0x00bf, 0x2310, 0x00ac, 0x00bd, 0x00bc, 0x00a1, 0x00ab, 0x00bb,
    0x2591, 0x2592, 0x2593, 0x2502, 0x2524, 0x2561, 0x2562, 0x2556, 0x2555, 0x2563, 0x2551, 0x2557,
    0x255d, 0x255c, 0x255b, 0x2510, 0x2514, 0x2534, 0x252c, 0x251c, 0x2500, 0x253c, 0x255e, 0x255f,
    0x255a, 0x2554, 0x2569, 0x2566, 0x2560, 0x2550, 0x256c, 0x2567, 0x2568, 0x2564, 0x2565, 0x2559,
    0x2558, 0x2552, 0x2553, 0x256b, 0x256a, 0x2518, 0x250c, 0x2588, 0x2584, 0x258c, 0x2590, 0x2580,
    0x03b1, 0x00df, 0x0393, 0x03c0, 0x03a3, 0x03c3, 0x00b5, 0x03c4, 0x03a6, 0x0398, 0x03a9, 0x03b4,
    0x221e, 0x03c6, 0x03b5, 0x2229, 0x2261, 0x00b1, 0x2265, 0x2264, 0x2320, 0x2321, 0x00f7, 0x2248,
    0x00b0, 0x2219, 0x00b7, 0x221a, 0x207f, 0x00b2, 0x25a0, 0x00a0,
};

bool ossa__zip_find_end(const uint8_t *data, uint64_t size, uint64_t *at)
{
    if (size < END_SIZE) return false;
    uint64_t last = size - END_SIZE;
    uint64_t first = last > LONGEST_COMMENT ? last - LONGEST_COMMENT : 0;
    /* The last one whose comment ends the file; the game requires it to be the last 22 bytes. */
    for (uint64_t i = last;; i--) {
        bool is_end = memcmp(data + i, "PK\5\6", 4) == 0;
        if (is_end && ossa__peek_u16(data, size, i + 20) == last - i) {
            *at = i;
            return true;
        }
        if (i == first) return false;
    }
}

/* ---- the end record ------------------------------------------------------------------------ */

struct end_record {
    uint64_t at;
    uint32_t entry_count;
    uint32_t directory_size;
    uint32_t directory_offset;
};

static bool is_zip64(const struct ossa__ar_reader *r, const struct end_record *end)
{
    bool is_full = end->entry_count == UINT16_MAX || end->directory_size == UINT32_MAX ||
                   end->directory_offset == UINT32_MAX;
    return is_full && end->at >= LOCATOR_SIZE &&
           memcmp(r->file.data + end->at - LOCATOR_SIZE, "PK\6\7", 4) == 0;
}

static void check_end(struct ossa__ar_reader *r, const struct end_record *end)
{
    if (is_zip64(r, end)) {
        ossa__fail(r->context, OSSA_CODE_BAD_VALUE, end->at - LOCATOR_SIZE, "",
                   "this is a ZIP64 archive, which neither the game nor Ossa can read");
    } else if (end->directory_offset > end->at ||
               end->directory_size > end->at - end->directory_offset) {
        ossa__fail(r->context, OSSA_CODE_BAD_OFFSET, end->at + 16, "directory_offset",
                   "the %" PRIu32 " bytes at 0x%" PRIx32
                   " extend past the end record at 0x%" PRIx64,
                   end->directory_size, end->directory_offset, end->at);
    } else if (end->entry_count > end->directory_size / RECORD_SIZE) {
        ossa__fail(r->context, OSSA_CODE_BAD_COUNT, end->at + 10, "entry_count",
                   "%" PRIu32 " entries of at least %d bytes cannot fit in a directory of %" PRIu32
                   " bytes",
                   end->entry_count, RECORD_SIZE, end->directory_size);
    }
}

static struct end_record read_end(struct ossa__ar_reader *r)
{
    struct ossa__context *context = r->context;
    struct end_record end = {0};
    uint64_t size = r->ar->image_size;
    if (!ossa__zip_find_end(r->file.data, size, &end.at)) {
        ossa__fail(context, OSSA_CODE_TRUNCATED, size, "end",
                   "no end record (\"PK\\5\\6\") was found: the file is truncated, or followed by "
                   "other data");
        return end;
    }
    struct ossa__reader reader = ossa__reader_window(&r->file, end.at, size - end.at, "end", 0);
    ossa__enter(context, "end", OSSA__NO_INDEX);
    (void)ossa__read_bytes(&reader, "magic", OSSA_FIELD_TYPE_TEXT, 4);
    uint16_t disk = ossa__read_u16(&reader, "disk");
    uint16_t directory_disk = ossa__read_u16(&reader, "directory_disk");
    uint16_t disk_entries = ossa__read_u16(&reader, "disk_entries");
    end.entry_count = ossa__read_u16(&reader, "entry_count");
    end.directory_size = ossa__read_u32(&reader, "directory_size");
    end.directory_offset = ossa__read_u32(&reader, "directory_offset");
    uint16_t comment = ossa__read_u16(&reader, "comment_length");
    (void)ossa__read_bytes(&reader, "comment", OSSA_FIELD_TYPE_TEXT, comment);
    ossa__coverage_mark(&r->coverage, end.at, size - end.at);
    if (comment > 0) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, end.at + 20,
                    "comment_length", "%u, expected 0; the game rejects archives with a comment",
                    comment);
    }
    if (disk != directory_disk || disk_entries != end.entry_count) {
        ossa__fail(context, OSSA_CODE_BAD_VALUE, end.at + 4, "disk",
                   "this is one part of a multi-part archive: %u of %" PRIu32
                   " entries, disk %u of %u",
                   disk_entries, end.entry_count, disk, directory_disk);
    }
    if (!context->failed) check_end(r, &end);
    ossa__leave(context);
    return end;
}

/* ---- the directory ------------------------------------------------------------------------- */

/* One entry as the directory has it. */
struct record {
    uint64_t at;
    uint16_t flags;
    uint16_t method;
    uint16_t time;
    uint16_t date;
    uint32_t crc;
    uint32_t stored_size;
    uint32_t size;
    uint32_t local_offset;
    uint16_t name_size;
    const char *name; /* not terminated */
};

static void read_record(struct ossa__reader *reader, struct record *record)
{
    record->at = reader->position;
    const uint8_t *magic = ossa__read_bytes(reader, "magic", OSSA_FIELD_TYPE_TEXT, 4);
    if (magic != NULL && memcmp(magic, "PK\1\2", 4) != 0) {
        ossa__fail(reader->context, OSSA_CODE_BAD_MAGIC, record->at, "magic",
                   "found 0x%08" PRIx32 ", expected \"PK\\1\\2\"", ossa__peek_u32(magic, 4, 0));
    }
    (void)ossa__read_u16(reader, "version_made");
    (void)ossa__read_u16(reader, "version_needed");
    record->flags = ossa__read_u16(reader, "flags");
    record->method = ossa__read_u16(reader, "method");
    record->time = ossa__read_u16(reader, "time");
    record->date = ossa__read_u16(reader, "date");
    record->crc = ossa__read_u32(reader, "crc");
    record->stored_size = ossa__read_u32(reader, "stored_size");
    record->size = ossa__read_u32(reader, "size");
    record->name_size = ossa__read_u16(reader, "name_length");
    uint16_t extra = ossa__read_u16(reader, "extra_length");
    uint16_t comment = ossa__read_u16(reader, "comment_length");
    (void)ossa__read_u16(reader, "disk");
    (void)ossa__read_u16(reader, "internal");
    (void)ossa__read_u32(reader, "external");
    record->local_offset = ossa__read_u32(reader, "local_offset");
    record->name =
        (const char *)ossa__read_bytes(reader, "name", OSSA_FIELD_TYPE_TEXT, record->name_size);
    (void)ossa__read_bytes(reader, "extra", OSSA_FIELD_TYPE_UNKNOWN, extra);
    (void)ossa__read_bytes(reader, "comment", OSSA_FIELD_TYPE_TEXT, comment);
}

static void check_record(struct ossa__context *context, const struct record *record)
{
    if ((record->flags & FLAG_ENCRYPTED) != 0) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNKNOWN_FLAG, record->at + 8, "flags",
                    "the entry is encrypted and cannot be unpacked");
    }
    if (record->method != 0 && record->method != 8) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNKNOWN_FLAG, record->at + 10,
                    "method",
                    "%u, expected 0 or 8; the entry cannot be unpacked, and the game rejects the "
                    "whole archive",
                    record->method);
    } else if (record->method == 0 && record->size != record->stored_size) {
        ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_SIZE_MISMATCH, record->at + 24, "size",
                    "%" PRIu32 ", but %" PRIu32 " bytes are stored uncompressed", record->size,
                    record->stored_size);
    }
    if (record->name_size > 0 && memchr(record->name, 0, record->name_size) != NULL) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_EMBEDDED_NUL,
                    record->at + RECORD_SIZE, "name", "the name contains a NUL");
    }
    if (record->name_size == 0) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_EMPTY_NAME, record->at + 28,
                    "name_length", "the name is empty");
    }
}

/* ---- local headers ------------------------------------------------------------------------- */

/* Are the local header and the data after it in the file? */
static bool is_there(struct ossa__ar_reader *r, const struct record *record)
{
    const uint8_t *data = r->file.data;
    uint64_t size = r->ar->image_size;
    uint64_t at = record->local_offset;
    bool is_local = at + LOCAL_SIZE <= size && memcmp(data + at, "PK\3\4", 4) == 0;
    if (!is_local) {
        ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_OFFSET, record->at + 42,
                    "local_offset", "no \"PK\\3\\4\" at 0x%" PRIx64 ", where the entry should be",
                    at);
        return false;
    }
    uint64_t begin =
        at + LOCAL_SIZE + ossa__peek_u16(data, size, at + 26) + ossa__peek_u16(data, size, at + 28);
    if (begin <= size && record->stored_size <= size - begin) return true;
    return !ossa__ar_is_missing(r, record->at + 20, "stored_size", begin, record->stored_size);
}

/* Returns where the data begins. Counts the entries with an extra field. */
static uint64_t read_local(struct ossa__ar_reader *r, const struct record *record, uint32_t *extras)
{
    struct ossa__context *context = r->context;
    uint64_t at = record->local_offset;
    struct ossa__reader reader =
        ossa__reader_window(&r->file, at, r->ar->image_size - at, "local_offset", record->at + 42);
    ossa__enter(context, "local", OSSA__NO_INDEX);
    (void)ossa__read_bytes(&reader, "magic", OSSA_FIELD_TYPE_TEXT, 4);
    (void)ossa__read_u16(&reader, "version_needed");
    (void)ossa__read_u16(&reader, "flags");
    uint16_t method = ossa__read_u16(&reader, "method");
    (void)ossa__read_u16(&reader, "time");
    (void)ossa__read_u16(&reader, "date");
    (void)ossa__read_u32(&reader, "crc");
    (void)ossa__read_u32(&reader, "stored_size");
    (void)ossa__read_u32(&reader, "size");
    uint16_t name_size = ossa__read_u16(&reader, "name_length");
    uint16_t extra = ossa__read_u16(&reader, "extra_length");
    const uint8_t *name = ossa__read_bytes(&reader, "name", OSSA_FIELD_TYPE_TEXT, name_size);
    (void)ossa__read_bytes(&reader, "extra", OSSA_FIELD_TYPE_UNKNOWN, extra);
    bool is_same =
        context->failed || (method == record->method && name_size == record->name_size &&
                            (name_size == 0 || memcmp(name, record->name, name_size) == 0));
    if (!is_same) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, at, "",
                    "the name or the method differs from the directory; the directory is used");
    }
    ossa__leave(context);
    if (extra > 0) ++*extras;
    return reader.position;
}

/* Read the local header and the data, which are known to be in the file. */
static uint64_t read_data(struct ossa__ar_reader *r, const struct record *record, uint32_t *extras)
{
    uint64_t at = read_local(r, record, extras);
    struct ossa__reader data =
        ossa__reader_window(&r->file, at, record->stored_size, "stored_size", record->at + 20);
    (void)ossa__read_bytes(&data, "data", OSSA_FIELD_TYPE_UNKNOWN, record->stored_size);
    ossa__ar_cover(r, record->local_offset, data.end - record->local_offset, "local");
    return at;
}

/* ---- entries ------------------------------------------------------------------------------- */

static uint32_t cp437_to_unicode(uint8_t byte)
{
    return byte < 0x80 ? byte : cp437[byte - 0x80];
}

/* The name as UTF-8, in the arena; NULL after a failure. */
static const char *name_text(struct ossa__context *context, const struct record *record,
                             size_t *size)
{
    /* Many writers use UTF-8 without setting the flag for it. */
    bool has_nul = record->name_size > 0 && memchr(record->name, 0, record->name_size) != NULL;
    *size = record->name_size;
    if (!has_nul && ossa__utf8_is_valid(record->name, record->name_size)) return record->name;
    char *text = ossa__take(context, 3 * (uint64_t)record->name_size + 1, 1);
    if (text == NULL) return NULL;
    *size = ossa__name_text(record->name, record->name_size, cp437_to_unicode, text) - 1;
    return text;
}

/* A DOS time as seconds since 1970, assuming UTC; false if it is not valid. */
static bool time_of(const struct record *record, uint32_t *seconds)
{
    static const uint16_t days_before[12] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    uint32_t year = 1980U + (record->date >> 9);
    uint32_t month = record->date >> 5 & 15U;
    uint32_t day = record->date & 31U;
    uint32_t hour = record->time >> 11;
    uint32_t minute = record->time >> 5 & 63U;
    uint32_t second = 2 * (record->time & 31U);
    if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return false;
    /* 2100 is not a leap year; the last year that DOS can store is 2107. */
    uint32_t leaps = (year - 1969) / 4 - (year > 2100 ? 1 : 0);
    bool is_leap = year % 4 == 0 && year != 2100;
    uint32_t days = (year - 1970) * 365 + leaps + days_before[month - 1] +
                    (is_leap && month > 2 ? 1 : 0) + day - 1;
    uint64_t total = days * UINT64_C(86400) + hour * 3600 + minute * 60 + second;
    *seconds = (uint32_t)total;
    return total <= UINT32_MAX;
}

static void read_entry(struct ossa__ar_reader *r, uint32_t index, const struct record *record,
                       uint32_t *extras)
{
    bool is_missing = !is_there(r, record);
    uint64_t data_at = is_missing ? 0 : read_data(r, record, extras);
    size_t size;
    const char *name = name_text(r->context, record, &size);
    if (r->context->failed) return;
    bool is_packed = record->method != 0 || (record->flags & FLAG_ENCRYPTED) != 0;
    ossa_entry entry = {.offset = data_at,
                        .stored_size = record->stored_size,
                        .size = is_packed ? record->size : record->stored_size,
                        .is_packed = is_packed,
                        .is_missing = is_missing};
    entry.has_time = time_of(record, &entry.time);
    ossa__ar_add(r, entry, name, size,
                 (struct ossa__ar_detail){.at = record->at,
                                          .record = index,
                                          .crc = record->crc,
                                          .method = record->method,
                                          .flags = record->flags,
                                          .has_crc = true});
}

void ossa__zip_read(struct ossa__ar_reader *r)
{
    struct ossa__context *context = r->context;
    struct end_record end = read_end(r);
    if (context->failed) return;
    struct ossa__reader directory = ossa__reader_window(
        &r->file, end.directory_offset, end.directory_size, "end.directory_offset", end.at + 16);
    struct record *records = ossa__take_scratch(context, end.entry_count, sizeof *records);
    if (records == NULL || !ossa__ar_room(r, end.entry_count)) return;
    for (uint32_t i = 0; i < end.entry_count && !context->failed; i++) {
        ossa__enter(context, "entries", i);
        read_record(&directory, &records[i]);
        if (!context->failed) check_record(context, &records[i]);
        ossa__leave(context);
    }
    if (context->failed) return;
    if (ossa__left(&directory) > 0) {
        ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_SIZE_MISMATCH, end.at + 10,
                    "end.entry_count",
                    "%" PRIu32 ", but the directory has another %" PRIu64 " bytes after them",
                    end.entry_count, ossa__left(&directory));
    }
    ossa__coverage_mark(&r->coverage, end.directory_offset,
                        directory.position - end.directory_offset);
    r->ar->record_count = end.entry_count;
    uint32_t extras = 0;
    for (uint32_t i = 0; i < end.entry_count && !context->failed; i++) {
        ossa__enter(context, "entries", i);
        read_entry(r, i, &records[i], &extras);
        ossa__leave(context);
    }
    if (extras == 0) return;
    ossa__issue_nowhere(
        context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, "entries",
        "%" PRIu32 " of %" PRIu32
        " have an extra field before their data, which the game reads as part of the data",
        extras, end.entry_count);
}
