/* SPDX-License-Identifier: MIT
 *
 * Archives of the second game that are ZIPs. */
#include "support/ar_fixture.h"
#include "support/fixtures.h"

#include <string.h>

uint32_t crc_of(const void *data, size_t size)
{
    const uint8_t *bytes = data;
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (unsigned bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1) * 0xedb88320;
    }
    return ~crc;
}

static size_t size_of(const char *text, size_t size)
{
    return text == NULL ? 0 : size == 0 ? strlen(text) : size;
}

/* What the local header and the directory both have, from the version needed on. */
static void put_common(struct bytes *file, const struct zip_item *item)
{
    size_t stored = size_of(item->data, item->data_size);
    size_t size = item->plain == NULL ? stored : size_of(item->plain, item->plain_size);
    const char *bytes = item->plain == NULL ? item->data : item->plain;
    put_u16(file, 20);
    put_u16(file, item->flags);
    put_u16(file, item->method);
    put_u16(file, item->time);
    put_u16(file, item->date);
    put_u32(file, size == 0 ? 0 : crc_of(bytes, size));
    put_u32(file, (uint32_t)stored);
    put_u32(file, (uint32_t)size);
    put_u16(file, (uint32_t)size_of(item->name, item->name_size));
}

static void put_local(struct bytes *file, const struct zip_item *item)
{
    put_text(file, "PK\3\4");
    put_common(file, item);
    put_u16(file, (uint32_t)size_of(item->extra, 0));
    put_bytes(file, item->name, size_of(item->name, item->name_size));
    if (item->extra != NULL) put_text(file, item->extra);
}

static void put_record(struct bytes *file, const struct zip_item *item, size_t local)
{
    put_text(file, "PK\1\2");
    put_u16(file, 20);
    put_common(file, item);
    put_repeated(file, 0, 2 + 2 + 2 + 2); /* extra, comment, disk, internal */
    put_u32(file, 0x20);
    put_u32(file, (uint32_t)local);
    put_bytes(file, item->name, size_of(item->name, item->name_size));
}

static void put_end(struct bytes *file, uint32_t count, size_t directory, const char *comment)
{
    size_t at = file->size;
    put_text(file, "PK\5\6");
    put_u32(file, 0);
    put_u16(file, count);
    put_u16(file, count);
    put_u32(file, (uint32_t)(at - directory));
    put_u32(file, (uint32_t)directory);
    put_u16(file, (uint32_t)size_of(comment, 0));
    if (comment != NULL) put_text(file, comment);
}

struct bytes make_zip(const struct zip_item *items, uint32_t count, const char *comment,
                      struct zip_places *places)
{
    struct bytes file = {0};
    *places = (struct zip_places){0};
    for (uint32_t i = 0; i < count; i++) {
        places->locals[i] = file.size;
        put_local(&file, &items[i]);
        places->data[i] = file.size;
        if (items[i].data != NULL)
            put_bytes(&file, items[i].data, size_of(items[i].data, items[i].data_size));
    }
    size_t directory = file.size;
    for (uint32_t i = 0; i < count; i++) {
        places->records[i] = file.size;
        put_record(&file, &items[i], places->locals[i]);
    }
    places->end = file.size;
    put_end(&file, count, directory, comment);
    return file;
}

struct bytes make_big_zip(uint32_t count)
{
    struct bytes file = {0};
    char name[SERIAL_NAME + 1];
    struct zip_item item = {.name = name, .data = "a"};
    for (uint32_t i = 0; i < count; i++) {
        serial_name(i, name);
        put_local(&file, &item);
        put_text(&file, "a");
    }
    size_t directory = file.size;
    for (uint32_t i = 0; i < count; i++) {
        serial_name(i, name);
        put_record(&file, &item, (size_t)i * (ZIP_LOCAL_SIZE + SERIAL_NAME + 1));
    }
    put_end(&file, count, directory, NULL);
    return file;
}

/* ---- good ones ----------------------------------------------------------------------------- */

static const struct zip_item plain[] = {
    {.name = "anim/", .date = 0x2951, .time = 0x6000}, /* 2000-10-17 12:00 */
    {.name = "anim/walk.anim", .data = "stored", .date = 0x2951, .time = 0x6b9d},
    {.name = "anim/song.txt",
     .data = la_deflated,
     .data_size = sizeof la_deflated,
     .plain = la_text,
     .method = 8},
};
enum { PLAIN = sizeof plain / sizeof plain[0] };

static void add_good(struct fixtures *all)
{
    struct zip_places p;
    fixture_add(all, "mm-ar/zip", make_zip(plain, PLAIN, NULL, &p), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "mm-ar/zip-nothing", make_zip(NULL, 0, NULL, &p), OSSA_CONFIDENCE_SIGNATURE);
    const struct zip_item names[] = {
        {.name = "../../etc/passwd", .data = "up"},
        {.name = "/absolute", .data = "root"},
        {.name = "C:\\windows", .data = "drive"},
        {.name = "\x84.txt", .data = "code page 437"},
        {.name = "\xd1\x91.txt", .data = "UTF-8", .flags = 0x800},
        {.name = "\xff\xfe", .data = "says UTF-8 and is not", .flags = 0x800},
    };
    fixture_add(all, "mm-ar/zip-odd-names", make_zip(names, 6, NULL, &p),
                OSSA_CONFIDENCE_SIGNATURE);
    const struct zip_item times[] = {
        {.name = "first", .date = 1 << 5 | 1},
        {.name = "last", .date = 0xff9f, .time = 0xbf7d},
        {.name = "leap", .date = 44 << 9 | 2 << 5 | 29},
        {.name = "month-13", .date = 13 << 5 | 1},
        {.name = "hour-24", .date = 1 << 5 | 1, .time = 24 << 11},
    };
    fixture_add(all, "mm-ar/zip-times", make_zip(times, 5, NULL, &p), OSSA_CONFIDENCE_SIGNATURE);
    /* Sizes that come after the data, and a stream with something behind its end. */
    const struct zip_item described[] = {
        {.name = "a", .data = "\3\0rest", .data_size = 6, .plain = "", .method = 8, .flags = 8}};
    fixture_add(all, "mm-ar/zip-descriptor", make_zip(described, 1, NULL, &p),
                OSSA_CONFIDENCE_SIGNATURE);
    /* The bytes of an entry are an archive, with an end record of its own. */
    struct bytes inner = make_zip(plain, PLAIN, NULL, &p);
    const struct zip_item outer[] = {
        {.name = "inner.ar", .data = (const char *)inner.data, .data_size = inner.size}};
    fixture_add(all, "mm-ar/zip-in-zip", make_zip(outer, 1, NULL, &p), OSSA_CONFIDENCE_SIGNATURE);
    bytes_free(&inner);
}

/* ---- ones that break a rule ---------------------------------------------------------------- */

static struct fixture *add_changed(struct fixtures *all, const char *name, size_t offset,
                                   uint32_t word, struct expected_issue issue)
{
    struct zip_places p;
    struct bytes file = make_zip(plain, PLAIN, NULL, &p);
    set_u32(&file, offset, word);
    return fixture_add_broken(all, name, file, OSSA_CONFIDENCE_SIGNATURE, issue);
}

static void add_bad_end(struct fixtures *all)
{
    struct zip_places p;
    struct bytes file = make_zip(plain, PLAIN, NULL, &p);
    const uint32_t directory = (uint32_t)p.records[0];
    file.size--;
    fixture_add_broken(
        all, "mm-ar/zip-cut", file, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, p.end + 21, "end"});
    file = make_zip(plain, PLAIN, NULL, &p);
    put_text(&file, "more");
    fixture_add_broken(
        all, "mm-ar/zip-goes-on", file, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, p.end + 26, "end"});
    fixture_add_broken(all, "mm-ar/zip-comment", make_zip(plain, PLAIN, "made by me", &p),
                       OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                                               p.end + 20, "end.comment_length"});
    /* The comment of one end record is another, which says that there is nothing. */
    file = make_zip(plain, PLAIN, NULL, &p);
    set_u16(&file, p.end + 20, ZIP_END_SIZE);
    put_end(&file, 0, file.size, NULL);
    fixture_add(all, "mm-ar/zip-end-in-comment", file, OSSA_CONFIDENCE_SIGNATURE);
    add_changed(all, "mm-ar/zip-second-part", p.end + 4, 1,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE, p.end + 4,
                                        "end.disk"});
    add_changed(all, "mm-ar/zip-other-part", p.end + 8, PLAIN | 2 << 16,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE, p.end + 4,
                                        "end.disk"});
    add_changed(all, "mm-ar/zip-65535-entries", p.end + 8, 0xffffffff,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, p.end + 10,
                                        "end.entry_count"});
    add_changed(all, "mm-ar/zip-directory-outside", p.end + 16, directory + 1,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET, p.end + 16,
                                        "end.directory_offset"});
    add_changed(all, "mm-ar/zip-directory-4-gigabytes", p.end + 12, 0xffffffff,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET, p.end + 16,
                                        "end.directory_offset"});
    add_changed(all, "mm-ar/zip-fewer-entries", p.end + 8, (PLAIN - 1) * 0x10001U,
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_SIZE_MISMATCH, p.end + 10,
                                        "end.entry_count"});
}

static void add_zip64(struct fixtures *all)
{
    struct zip_places p;
    struct bytes file = make_zip(plain, PLAIN, NULL, &p);
    struct bytes end = bytes_copy(file.data + p.end, ZIP_END_SIZE);
    file.size = p.end;
    put_text(&file, "PK\6\7"); /* and where the larger end record would be */
    put_repeated(&file, 0, 16);
    put_bytes(&file, end.data, end.size);
    bytes_free(&end);
    struct bytes full = bytes_copy(file.data, file.size);
    /* As long as the ordinary fields are good, they count. */
    fixture_add(all, "mm-ar/zip-64-needless", file, OSSA_CONFIDENCE_SIGNATURE);
    set_u32(&full, p.end + 20 + 16, 0xffffffff);
    fixture_add_broken(
        all, "mm-ar/zip-64", full, OSSA_CONFIDENCE_SIGNATURE,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE, p.end, "end"});
}

static void add_bad_records(struct fixtures *all)
{
    struct zip_places p;
    struct bytes file = make_zip(plain, PLAIN, NULL, &p);
    const size_t first = p.records[1];
    const size_t packed = p.records[2];
    bytes_free(&file);
    add_changed(all, "mm-ar/zip-bad-record", first, 0,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_MAGIC, first,
                                        "entries[1].magic"});
    add_changed(all, "mm-ar/zip-endless-name", packed + 28, 0xffff,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, packed + 46,
                                        "entries[2].name"});
    add_changed(all, "mm-ar/zip-bad-local", p.locals[2], 0,
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_OFFSET, packed + 42,
                                        "entries[2].local_offset"});
    add_changed(all, "mm-ar/zip-local-outside", packed + 42, 0xfffffff0,
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_OFFSET, packed + 42,
                                        "entries[2].local_offset"});
    add_changed(all, "mm-ar/zip-stored-4-gigabytes", packed + 20, 0xffffffff,
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_OFFSET, packed + 20,
                                        "entries[2].stored_size"});
    add_changed(all, "mm-ar/zip-other-size", first + 24, 7,
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_SIZE_MISMATCH, first + 24,
                                        "entries[1].size"});
    add_changed(all, "mm-ar/zip-encrypted", packed + 8, 1 | 8 << 16,
                (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNKNOWN_FLAG, packed + 8,
                                        "entries[2].flags"});
    /* The same local header twice: the names differ, and so do the bytes of nobody. */
    struct fixture *fixture =
        add_changed(all, "mm-ar/zip-same-data", packed + 42, (uint32_t)p.locals[1],
                    (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                                            p.locals[1], "entries[2].local"});
    fixture_expect(fixture, OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP, p.locals[1],
                   "entries[2].local");
    fixture->shares_bytes = true;
    /* It would be 4 GiB, which is told only when somebody wants to have it. */
    file = make_zip(plain, PLAIN, NULL, &p);
    set_u32(&file, packed + 24, 0xffffffff);
    fixture_add(all, "mm-ar/zip-4-gigabytes", file, OSSA_CONFIDENCE_SIGNATURE);
}

static void add_odd_records(struct fixtures *all)
{
    struct zip_places p;
    const struct zip_item method[] = {{.name = "a", .data = "bzip2", .method = 12}};
    struct bytes file = make_zip(method, 1, NULL, &p);
    fixture_add_broken(all, "mm-ar/zip-method", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNKNOWN_FLAG,
                                               p.records[0] + 10, "entries[0].method"});
    const struct zip_item extra[] = {{.name = "a", .data = "x", .extra = "UT\1"},
                                     {.name = "b", .data = "y"}};
    fixture_add_broken(
        all, "mm-ar/zip-extra", make_zip(extra, 2, NULL, &p), OSSA_CONFIDENCE_SIGNATURE,
        (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, 0, "entries"});
    const struct zip_item twice[] = {{.name = "a.txt", .data = "x"},
                                     {.name = "A.TXT", .data = "y"}};
    file = make_zip(twice, 2, NULL, &p);
    fixture_add_broken(all, "mm-ar/zip-same-name", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_DUPLICATE_NAME,
                                               p.records[1], "entries[1]"});
    const struct zip_item nul[] = {{.name = "a\0.txt", .name_size = 6, .data = "x"}};
    file = make_zip(nul, 1, NULL, &p);
    fixture_add_broken(all, "mm-ar/zip-nul-in-name", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_EMBEDDED_NUL,
                                               p.records[0] + 46, "entries[0].name"});
    const struct zip_item unnamed[] = {{.name = "", .data = "x"}};
    file = make_zip(unnamed, 1, NULL, &p);
    fixture_add_broken(all, "mm-ar/zip-no-name", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_EMPTY_NAME,
                                               p.records[0] + 28, "entries[0].name_length"});
    /* Another name before the data than in the directory. */
    file = make_zip(twice, 1, NULL, &p);
    set_u8(&file, p.locals[0] + ZIP_LOCAL_SIZE, 'b');
    fixture_add_broken(all, "mm-ar/zip-other-name", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                                               p.locals[0], "entries[0].local"});
}

void generate_mm_zip(struct fixtures *all)
{
    add_good(all);
    add_bad_end(all);
    add_zip64(all);
    add_bad_records(all);
    add_odd_records(all);
}
