/* SPDX-License-Identifier: MIT
 *
 * mm-ar: what is in the archives of Midtown Madness, and what comes out of them. */
#include "support/ar_fixture.h"
#include "support/counting.h"
#include "support/testing.h"

#include <string.h>

/* What an entry must be. */
struct wanted {
    const char *name;
    const char *text;
    bool is_packed;
};

static void require_bytes(const ossa_file *file, size_t index, const char *text, size_t size)
{
    ossa_bytes bytes;
    ossa_error error;
    const char *name = ossa_entry_at(file, index)->name;
    require(ossa_entry_bytes(file, index, NULL, &bytes, &error), name, "%s", error.message);
    require(bytes.size == size && memcmp(bytes.data, text, size) == 0, name, "other bytes");
    ossa_bytes_free(&bytes);
}

static void require_entries(const char *fixture, const struct wanted *wanted, size_t count)
{
    ossa_file *file = read_fixture(fixture_find(fixture));
    assert_int_equal(ossa_entry_count(file), count);
    assert_null(ossa_entry_at(file, count));
    for (size_t i = 0; i < count; i++) {
        const ossa_entry *entry = ossa_entry_at(file, i);
        assert_string_equal(entry->name, wanted[i].name);
        require(entry->is_packed == wanted[i].is_packed, entry->name, "packed or not");
        assert_int_equal(entry->size, strlen(wanted[i].text));
        assert_int_equal(ossa_find_entry(file, wanted[i].name), i);
        if (!entry->is_packed) assert_int_equal(entry->stored_size, entry->size);
        require_bytes(file, i, wanted[i].text, strlen(wanted[i].text));
    }
    ossa_file_free(file);
}

/* ---- what is in them ----------------------------------------------------------------------- */

static void the_tree_of_the_first_game(void **state)
{
    (void)state;
    const struct wanted plain[] = {{"ANIM/PED_WALK12.ANIM", "second file", false},
                                   {"ANIM/PED_WALK9.ANIM", "third", false},
                                   {"README.TXT", "first", false},
                                   {"TUNE/EMPTY.CSV", "", false},
                                   {"TUNE/VP8191X8191", "fourth", false}};
    require_entries("mm-ar/ares", plain, 5);
    require_entries("mm-ar/ares-tail", plain, 5);
    require_entries("mm-ar/ares-nothing-nowhere", plain, 5);
    const struct wanted odd[] = {{".X", "only an extension", false},
                                 {"A/B", "a separator", false},
                                 {"\xc3\x84\xc3\x96.\xc3\x9c", "8 bits", false}};
    require_entries("mm-ar/ares-odd-names", odd, 3);
    const struct wanted deep[] = {
        {"F0/F1/F2/F3/F4/F5/F6/F7/F8/F9/F10/F11/F12/F13/F14/DEEP", "down here", false}};
    require_entries("mm-ar/ares-deep", deep, 1);
    const struct wanted empty[] = {{"NOTHING/", "", false}};
    require_entries("mm-ar/ares-empty-folder", empty, 1);
    require_entries("mm-ar/ares-nothing", NULL, 0);
}

static void the_words_are_as_stored(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("mm-ar/ares"));
    const ossa_mm_ar *ar = ossa_as_mm_ar(file);
    assert_int_equal(ar->kind, OSSA_MM_AR_KIND_ARES);
    assert_string_equal(ossa_mm_ar_kind_name(ar->kind), "ares");
    assert_string_equal(ossa_mm_ar_kind_name((ossa_mm_ar_kind)77), "");
    assert_int_equal(ar->record_count, 7);
    assert_int_equal(ar->header[1], 3);
    assert_int_equal(ar->records[0], 3); /* the first child of ANIM */
    assert_int_equal(ar->records[1], 2);
    assert_int_equal(ar->records[2] & 1, 1);
    assert_int_equal(ar->records[3 * 3 + 2] >> 1 & 0x1fff, 12);
    assert_int_equal(ar->entry_count, 5);
    assert_ptr_equal(ar->entries, ossa_entry_at(file, 0));
    ossa_file_free(file);
    file = read_fixture(fixture_find("mm-ar/dave"));
    ar = ossa_as_mm_ar(file);
    assert_int_equal(ar->kind, OSSA_MM_AR_KIND_DAVE);
    assert_int_equal(ar->records[4 * 2 + 2], 23);
    assert_int_equal(ar->records[4 * 2 + 3], 7);
    assert_null(ossa_as_mm_csv(file));
    ossa_file_free(file);
}

static void the_list_of_the_second_game(void **state)
{
    (void)state;
    const struct wanted simple[] = {{"anim/", "", false},
                                    {"anim/ped_walk.anim", "walks", false},
                                    {"Anim/Song.txt", la_text, true},
                                    {"tune\\\xc3\xa4.csv", "8 bits", false}};
    require_entries("mm-ar/dave", simple, 4);
    require_entries("mm-ar/dave-nothing", NULL, 0);
    ossa_file *file = read_fixture(fixture_find("mm-ar/dave"));
    assert_int_equal(ossa_find_entry(file, "ANIM\\SONG.TXT"), 2);
    assert_int_equal(ossa_find_entry(file, "anim"), -1);
    ossa_file_free(file);
}

static void a_zip(void **state)
{
    (void)state;
    const struct wanted plain[] = {{"anim/", "", false},
                                   {"anim/walk.anim", "stored", false},
                                   {"anim/song.txt", la_text, true}};
    require_entries("mm-ar/zip", plain, 3);
    require_entries("mm-ar/zip-comment", plain, 3);
    require_entries("mm-ar/zip-64-needless", plain, 3);
    require_entries("mm-ar/zip-nothing", NULL, 0);
    require_entries("mm-ar/zip-end-in-comment", NULL, 0); /* the last end record counts */
    const struct wanted names[] = {{"../../etc/passwd", "up", false},
                                   {"/absolute", "root", false},
                                   {"C:\\windows", "drive", false},
                                   {"\xc3\xa4.txt", "code page 437", false},
                                   {"\xd1\x91.txt", "UTF-8", false},
                                   {"\xc2\xa0\xe2\x96\xa0", "says UTF-8 and is not", false}};
    require_entries("mm-ar/zip-odd-names", names, 6);
    const struct wanted nul[] = {{"a\xe2\x90\x80.txt", "x", false}};
    require_entries("mm-ar/zip-nul-in-name", nul, 1);
    const struct wanted described[] = {{"a", "", true}};
    require_entries("mm-ar/zip-descriptor", described, 1);
    const struct wanted extra[] = {{"a", "x", false}, {"b", "y", false}};
    require_entries("mm-ar/zip-extra", extra, 2);
}

static void times_of_a_zip(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("mm-ar/zip-times"));
    const uint32_t seconds[] = {315532800, 0xffffffff, 1709164800};
    assert_int_equal(ossa_entry_at(file, 0)->time, seconds[0]); /* 1980-01-01 00:00:00 */
    assert_true(ossa_entry_at(file, 0)->has_time);
    /* 2107-12-31 23:59:58 is past what 32 bits hold. */
    assert_false(ossa_entry_at(file, 1)->has_time);
    assert_int_equal(ossa_entry_at(file, 2)->time, seconds[2]); /* 2024-02-29 */
    assert_false(ossa_entry_at(file, 3)->has_time);
    assert_false(ossa_entry_at(file, 4)->has_time);
    ossa_file_free(file);
    file = read_fixture(fixture_find("mm-ar/zip"));
    assert_int_equal(ossa_entry_at(file, 1)->time, 971789338); /* 2000-10-17 13:28:58 */
    ossa_file_free(file);
}

/* 2100 is no leap year, for reading as for packing. */
static void times_of_the_next_century(void **state)
{
    (void)state;
    static const struct {
        uint32_t year;
        uint32_t month;
        uint32_t day;
        uint32_t seconds;
    } days[] = {{2099, 12, 31, 4102358400}, {2100, 2, 28, 4107456000}, {2100, 3, 1, 4107542400},
                {2101, 1, 1, 4133980800},   {2104, 2, 29, 4233686400}, {2104, 3, 1, 4233772800}};
    for (size_t i = 0; i < sizeof days / sizeof days[0]; i++) {
        const struct zip_item item = {.name = "a",
                                      .data = "x",
                                      .date = (days[i].year - 1980) << 9 | days[i].month << 5 |
                                              days[i].day};
        struct zip_places places;
        struct bytes zip = make_zip(&item, 1, NULL, &places);
        ossa_file *file = read_or_fail("zip", zip.data, zip.size, NULL);
        assert_true(ossa_entry_at(file, 0)->has_time);
        assert_int_equal(ossa_entry_at(file, 0)->time, days[i].seconds);
        ossa_file_free(file);
        bytes_free(&zip);
    }
}

/* Numbers of a ZIP that are too large by as little as can be. */
static void a_zip_that_says_too_much(void **state)
{
    (void)state;
    const struct zip_item items[] = {{.name = "a", .data = "x"}, {.name = "b", .data = "y"}};
    struct zip_places places;
    ossa_error error;
    struct bytes zip = make_zip(items, 2, NULL, &places);
    uint32_t room = get_u32(&zip, places.end + 12) / 46;
    for (size_t i = 0; i < 2; i++) set_u8(&zip, places.end + 8 + 2 * i, (uint8_t)(room + 1));
    assert_null(ossa_read(zip.data, zip.size, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_BAD_COUNT);
    bytes_free(&zip);
    /* An extra field that leaves no room for the data. */
    zip = make_zip(items, 2, NULL, &places);
    set_u8(&zip, places.locals[0] + 28, 0xff);
    set_u8(&zip, places.locals[0] + 29, 0xff);
    ossa_file *file = read_or_fail("zip", zip.data, zip.size, NULL);
    assert_int_equal(file->error_count, 1);
    assert_true(ossa_entry_at(file, 0)->is_missing);
    assert_false(ossa_entry_at(file, 1)->is_missing);
    ossa_file_free(file);
    bytes_free(&zip);
}

static void an_archive_in_an_archive(void **state)
{
    (void)state;
    ossa_bytes bytes;
    ossa_error error;
    ossa_file *outer = read_fixture(fixture_find("mm-ar/zip-in-zip"));
    assert_true(ossa_entry_bytes(outer, 0, NULL, &bytes, &error));
    const struct fixture *plain = fixture_find("mm-ar/zip");
    assert_int_equal(bytes.size, plain->bytes.size);
    ossa_file *inner = read_or_fail("inner", bytes.data, bytes.size, NULL);
    assert_string_equal(ossa_entry_at(inner, 1)->name, "anim/walk.anim");
    require_bytes(inner, 1, "stored", 6);
    ossa_file_free(inner);
    ossa_bytes_free(&bytes);
    ossa_file_free(outer);
}

/* ---- packed bytes that are not what they should be ----------------------------------------- */

static ossa_error unpack_error(const struct bytes *archive, size_t index,
                               const ossa_options *options)
{
    ossa_bytes bytes;
    ossa_error error;
    ossa_file *file = read_or_fail("archive", archive->data, archive->size, NULL);
    require(!ossa_entry_bytes(file, index, options, &bytes, &error), "archive", "is unpacked");
    assert_null(bytes.data);
    assert_null(bytes.owned);
    ossa_file_free(file);
    return error;
}

static void require_refusal(const struct bytes *archive, size_t index, ossa_code code,
                            const char *message)
{
    ossa_error error = unpack_error(archive, index, NULL);
    require(strstr(error.message, message) != NULL, message, "%s", error.message);
    assert_int_equal(error.code, code);
}

static void packed_entries_that_are_damaged(void **state)
{
    (void)state;
    struct zip_item item = {.name = "a",
                            .data = la_deflated,
                            .data_size = sizeof la_deflated,
                            .plain = la_text,
                            .method = 8};
    struct zip_places p;
    struct bytes zip = make_zip(&item, 1, NULL, &p);
    uint32_t size = (uint32_t)strlen(la_text);
    set_u32(&zip, p.records[0] + 24, size - 1);
    require_refusal(&zip, 0, OSSA_CODE_SIZE_MISMATCH, "unpacks to more than the 22 bytes");
    set_u32(&zip, p.records[0] + 24, 0);
    require_refusal(&zip, 0, OSSA_CODE_SIZE_MISMATCH, "unpacks to more than the 0 bytes");
    set_u32(&zip, p.records[0] + 24, size + 1);
    require_refusal(&zip, 0, OSSA_CODE_SIZE_MISMATCH, "unpacks to less than the 24 bytes");
    uint32_t most = 1032 * (uint32_t)sizeof la_deflated;
    set_u32(&zip, p.records[0] + 24, most);
    require_refusal(&zip, 0, OSSA_CODE_SIZE_MISMATCH, "unpacks to less than");
    set_u32(&zip, p.records[0] + 24, most + 1);
    require_refusal(&zip, 0, OSSA_CODE_SIZE_MISMATCH, "bytes never unpack to");
    set_u32(&zip, p.records[0] + 24, size);
    set_u32(&zip, p.records[0] + 16, 0x12345678);
    require_refusal(&zip, 0, OSSA_CODE_BAD_VALUE, "expected 0x12345678");
    set_u32(&zip, p.records[0] + 16, crc_of(la_text, size));
    set_u32(&zip, p.records[0] + 20, sizeof la_deflated - 2);
    require_refusal(&zip, 0, OSSA_CODE_BAD_VALUE, "end in the middle");
    set_u32(&zip, p.records[0] + 20, sizeof la_deflated);
    set_u8(&zip, p.data[0], 0xff);
    require_refusal(&zip, 0, OSSA_CODE_BAD_VALUE, "cannot be unpacked");
    bytes_free(&zip);

    /* Here nobody knows what the checksum would be. */
    const struct dave_item stored = {.name = "a", .data = "\7", .size = 100};
    struct dave_places d;
    struct bytes dave = make_dave(&stored, 1, &d);
    require_refusal(&dave, 0, OSSA_CODE_BAD_VALUE, "cannot be unpacked");
    set_u32(&dave, dave_word(0, 3), 0);
    require_refusal(&dave, 0, OSSA_CODE_SIZE_MISMATCH, "0 bytes never unpack to the 100");
    bytes_free(&dave);
}

static void entries_that_nobody_can_unpack(void **state)
{
    (void)state;
    const struct fixture *encrypted = fixture_find("mm-ar/zip-encrypted");
    require_refusal(&encrypted->bytes, 2, OSSA_CODE_UNKNOWN_FLAG, "is encrypted");
    const struct fixture *method = fixture_find("mm-ar/zip-method");
    require_refusal(&method->bytes, 0, OSSA_CODE_UNKNOWN_FLAG, "method 12");
}

static void what_would_be_too_large(void **state)
{
    (void)state;
    static const char *const names[] = {"mm-ar/zip-4-gigabytes", "mm-ar/dave-4-gigabytes"};
    for (size_t i = 0; i < 2; i++) {
        const struct fixture *fixture = fixture_find(names[i]);
        require_refusal(&fixture->bytes, 2, OSSA_CODE_LIMIT,
                        "unpacked it would have 4294967295 bytes");
    }
    ossa_options options = {.max_input = 22};
    const struct fixture *fixture = fixture_find("mm-ar/zip");
    ossa_error error = unpack_error(&fixture->bytes, 2, &options);
    assert_int_equal(error.code, OSSA_CODE_LIMIT);
    assert_string_equal(error.field, "anim/song.txt");
}

/* Eighty thousand zeros in five hundred bytes, and no byte more than the archive says. */
static void a_bomb_stays_in_its_room(void **state)
{
    (void)state;
    /* A zero, then again and again "258 bytes from one back", eight times in 13 bytes. */
    struct bytes stream = {0};
    put_bytes(&stream, "\x63\x60", 2);
    for (unsigned i = 0; i < 40; i++) {
        put_bytes(&stream, "\x18\x05\xa3\x60\x14\x8c\x82\x51\x30\x0a\x46\xc1\x28", 13);
    }
    struct dave_item item = {.name = "bomb", .data = (const char *)stream.data, .size = 64};
    item.data_size = stream.size;
    struct dave_places p;
    struct bytes dave = make_dave(&item, 1, &p);
    require_refusal(&dave, 0, OSSA_CODE_SIZE_MISMATCH, "unpacks to more than the 64 bytes");
    set_u32(&dave, dave_word(0, 2), 1 << 19);
    require_refusal(&dave, 0, OSSA_CODE_BAD_VALUE, "end in the middle");
    bytes_free(&dave);
    bytes_free(&stream);
}

static void memory_that_runs_out(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("mm-ar/zip"));
    struct counting counting = {0};
    ossa_options options = {.allocator = counting_allocator(&counting)};
    ossa_bytes bytes;
    ossa_error error;
    assert_true(ossa_entry_bytes(file, 2, &options, &bytes, &error));
    ossa_bytes_free(&bytes);
    assert_int_equal(counting.live, 0);
    const size_t calls = counting.calls;
    assert_true(calls > 0);
    for (size_t n = 1; n <= calls; n++) {
        counting = (struct counting){.fail_at = n};
        assert_false(ossa_entry_bytes(file, 2, &options, &bytes, &error));
        assert_int_equal(error.code, OSSA_CODE_OUT_OF_MEMORY);
        assert_int_equal(counting.live, 0);
        assert_false(counting.wrong_release);
    }
    ossa_file_free(file);
}

/* An archive that was cut short: what is there can be had. */
static void entries_that_are_missing(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t missing;
        size_t other;
    } cases[] = {{"mm-ar/ares-size-past-end", 4, 2},    {"mm-ar/ares-data-outside", 4, 2},
                 {"mm-ar/dave-data-outside", 3, 1},     {"mm-ar/dave-size-past-end", 3, 1},
                 {"mm-ar/zip-bad-local", 2, 1},         {"mm-ar/zip-local-outside", 2, 1},
                 {"mm-ar/zip-stored-4-gigabytes", 2, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct fixture *fixture = fixture_find(cases[i].name);
        ossa_file *file = read_fixture(fixture);
        ossa_bytes bytes;
        ossa_error error;
        require(ossa_entry_at(file, cases[i].missing)->is_missing, fixture->name, "is there");
        require(!ossa_entry_at(file, cases[i].other)->is_missing, fixture->name, "is missing");
        assert_true(ossa_entry_bytes(file, cases[i].other, NULL, &bytes, &error));
        ossa_bytes_free(&bytes);
        ossa_file_free(file);
        require_refusal(&fixture->bytes, cases[i].missing, OSSA_CODE_BAD_OFFSET, "not all in");
    }
}

/* ---- many ---------------------------------------------------------------------------------- */

static void as_many_entries_as_there_can_be(void **state)
{
    (void)state;
    struct bytes zip = make_big_zip(65535);
    ossa_file *file = read_or_fail("many", zip.data, zip.size, NULL);
    assert_int_equal(ossa_entry_count(file), 65535);
    assert_int_equal(file->issue_count, 0);
    char name[SERIAL_NAME + 1];
    serial_name(65534, name);
    assert_string_equal(ossa_entry_at(file, 65534)->name, name);
    require_bytes(file, 65534, "a", 1);
    ossa_file_free(file);
    bytes_free(&zip);
}

/* Each entry is the same large one: refused after a few, long before all are looked at. */
static void many_entries_of_the_same_bytes(void **state)
{
    (void)state;
    struct bytes zip = make_big_zip(20000);
    size_t end = zip.size - ZIP_END_SIZE;
    size_t directory = get_u32(&zip, end + 16);
    for (size_t i = 0; i < 20000; i++) {
        size_t record = directory + i * (ZIP_RECORD_SIZE + SERIAL_NAME);
        set_u32(&zip, record + 20, (uint32_t)directory - ZIP_LOCAL_SIZE - SERIAL_NAME);
        set_u32(&zip, record + 24, (uint32_t)directory - ZIP_LOCAL_SIZE - SERIAL_NAME);
        set_u32(&zip, record + 42, 0);
    }
    ossa_error error;
    assert_null(ossa_read(zip.data, zip.size, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_OVERLAP);
    bytes_free(&zip);
}

/* ---- for people ---------------------------------------------------------------------------- */

static void describe_tells_the_kind(void **state)
{
    (void)state;
    static const char *const wanted[][2] = {
        {"mm-ar/ares", "\"archive\":\"ares\",\"nodes\":7,\"entries\":5,\"bytes\":27"},
        {"mm-ar/dave", "\"archive\":\"dave\",\"packed\":1,\"stored_bytes\":18,\"entries\":4,"
                       "\"bytes\":34"},
        {"mm-ar/zip", "\"archive\":\"zip\",\"packed\":1,\"stored_bytes\":13,\"entries\":3,"
                      "\"bytes\":29"},
    };
    for (size_t i = 0; i < 3; i++) {
        ossa_file *file = read_fixture(fixture_find(wanted[i][0]));
        struct bytes text = describe_json_or_fail(wanted[i][0], file);
        require(strstr((const char *)text.data, wanted[i][1]) != NULL, wanted[i][0], "%s",
                (const char *)text.data);
        bytes_free(&text);
        ossa_file_free(file);
    }
}

/* ---- order --------------------------------------------------------------------------------- */

/* Names in the order in which the game looks for them: in lower case, with / for \, byte by byte,
 * and bytes above 127 last. No two are the same to it. */
static const char *const in_order[] = {"#",  "/a",   "\\b", "0",  "@", "[", "_", "A",   "a-",
                                       "A/", "a\\c", "A0",  "aB", "b", "Z", "{", "\xe4"};
enum { IN_ORDER = sizeof in_order / sizeof in_order[0] };

static void require_order(const char *first, const char *second, bool is_fine)
{
    const struct dave_item items[] = {{.name = first, .data = "1"}, {.name = second, .data = "2"}};
    struct dave_places places;
    struct bytes dave = make_dave(items, 2, &places);
    ossa_file *file = read_or_fail(first, dave.data, dave.size, NULL);
    require(file->warning_count == (is_fine ? 0 : 1), first, "%zu warnings before %s",
            (size_t)file->warning_count, second);
    if (!is_fine) assert_int_equal(file->issues[0].code, OSSA_CODE_BAD_ORDER);
    ossa_file_free(file);
    bytes_free(&dave);
}

static void names_out_of_order_are_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < IN_ORDER; i++) {
        for (size_t k = 0; k < IN_ORDER; k++) {
            if (i != k) require_order(in_order[i], in_order[k], i < k);
        }
    }
}

TEST_GROUP(test_mm_ar)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_of_the_first_game),
        cmocka_unit_test(the_words_are_as_stored),
        cmocka_unit_test(the_list_of_the_second_game),
        cmocka_unit_test(a_zip),
        cmocka_unit_test(times_of_a_zip),
        cmocka_unit_test(times_of_the_next_century),
        cmocka_unit_test(a_zip_that_says_too_much),
        cmocka_unit_test(an_archive_in_an_archive),
        cmocka_unit_test(packed_entries_that_are_damaged),
        cmocka_unit_test(entries_that_nobody_can_unpack),
        cmocka_unit_test(entries_that_are_missing),
        cmocka_unit_test(what_would_be_too_large),
        cmocka_unit_test(a_bomb_stays_in_its_room),
        cmocka_unit_test(memory_that_runs_out),
        cmocka_unit_test(as_many_entries_as_there_can_be),
        cmocka_unit_test(many_entries_of_the_same_bytes),
        cmocka_unit_test(describe_tells_the_kind),
        cmocka_unit_test(names_out_of_order_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
