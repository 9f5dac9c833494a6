/* SPDX-License-Identifier: MIT
 *
 * Making archives of Midtown Madness, of all three kinds: what is read from them is what went in,
 * nothing is wrong with them, and archives that are packed again stay what they were. */
#include "support/ar_fixture.h"
#include "support/counting.h"
#include "support/packing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"ares", "dave", "zip"};
enum { KINDS = 3, ARES = 0, DAVE = 1, ZIP = 2 };

/* ---- steps --------------------------------------------------------------------------------- */

static bool try_pack(const char *kind, const ossa_packing *entries, size_t count,
                     ossa_buffer *buffer, ossa_error *error)
{
    const ossa_options options = {.dialect = kind};
    return ossa_pack("mm-ar", entries, count, &options, ossa_buffer_sink(buffer), error);
}

static struct bytes pack(const char *kind, const ossa_packing *entries, size_t count)
{
    ossa_buffer buffer = {0};
    ossa_error error;
    require(try_pack(kind, entries, count, &buffer, &error), kind, "%s", error.message);
    struct bytes bytes = bytes_copy(buffer.data, buffer.size);
    ossa_buffer_free(&buffer);
    return bytes;
}

static ossa_packing text_entry(const char *name, const char *text, uint32_t time)
{
    return (ossa_packing){name, (const uint8_t *)text, strlen(text), time};
}

/* The bytes of the entry of that name, which must be those. */
static void require_contents(const char *kind, const ossa_file *file, const char *name,
                             const void *data, size_t size)
{
    ossa_bytes bytes;
    int64_t index = ossa_find_entry(file, name);
    require(index >= 0, kind, "there is no %s", name);
    require(ossa_entry_bytes(file, (size_t)index, NULL, &bytes, NULL), kind, "bytes of %s", name);
    require(bytes.size == size && (size == 0 || memcmp(bytes.data, data, size) == 0), kind,
            "%s has other bytes", name);
    ossa_bytes_free(&bytes);
}

/* Nothing is wrong with an archive. */
static ossa_file *read_clean(const char *kind, const struct bytes *archive)
{
    const ossa_options options = {.name = "x.ar", .strict = true};
    ossa_file *file = read_or_fail(kind, archive->data, archive->size, &options);
    require(file->error_count == 0 && file->warning_count == 0, kind, "%s",
            file->issue_count == 0 ? "" : file->issues[0].message);
    assert_string_equal(ossa_packing_dialect(file), kind);
    return file;
}

/* ---- new archives -------------------------------------------------------------------------- */

enum { SET = 40, MOST_BYTES = 3000 };

/* Some data that shrinks, and some that does not. */
static void fill(uint8_t *data, size_t size, unsigned seed)
{
    uint32_t state = seed * 2654435761U + 1;
    for (size_t i = 0; i < size; i++) {
        state = state * 1664525U + 1013904223U;
        data[i] = seed % 2 == 0 ? (uint8_t)(state >> 24) : (uint8_t)(state >> 30);
    }
}

static void what_is_packed_is_read_back(void **state)
{
    (void)state;
    uint8_t *data = malloc((size_t)SET * MOST_BYTES);
    char names[SET][64];
    ossa_packing entries[SET];
    assert_non_null(data);
    for (unsigned i = 0; i < SET; i++) {
        size_t size = i % 7 == 0 ? 0 : (size_t)(i * 7919) % MOST_BYTES;
        fill(data + (size_t)i * MOST_BYTES, size, i);
        (void)snprintf(names[i], sizeof names[i], "%s%sFILE%u%s", i % 3 == 0 ? "" : "ANIM/",
                       i % 5 == 0 ? "DEEP/" : "", SET - i,
                       i % 4 == 0   ? ".ANIM"
                       : i % 4 == 1 ? ".CSV"
                                    : "");
        entries[i] = (ossa_packing){names[i], data + (size_t)i * MOST_BYTES, size,
                                    i % 2 == 0 ? 0 : 972559800 + 2 * i};
    }
    for (unsigned k = 0; k < KINDS; k++) {
        struct bytes archive = pack(kinds[k], entries, SET);
        ossa_file *file = read_clean(kinds[k], &archive);
        assert_int_equal(ossa_entry_count(file), SET);
        for (unsigned i = 0; i < SET; i++) {
            require_contents(kinds[k], file, names[i], entries[i].data, (size_t)entries[i].size);
            const ossa_entry *entry = ossa_entry_at(file, (size_t)ossa_find_entry(file, names[i]));
            assert_int_equal(entry->has_time, k == ZIP && entries[i].time != 0);
            assert_int_equal(entry->time, entry->has_time ? entries[i].time : 0);
            if (k == ZIP) assert_string_equal(ossa_entry_at(file, i)->name, names[i]);
            if (k == DAVE && entry->stored_size > 0) assert_int_equal(entry->offset % 0x800, 0);
            assert_true(entry->stored_size <= entry->size);
        }
        /* Of the same list comes the same archive. */
        struct bytes again = pack(kinds[k], entries, SET);
        require_same(kinds[k], &again, archive.data, archive.size);
        bytes_free(&again);
        ossa_file_free(file);
        bytes_free(&archive);
    }
    struct bytes plain = pack(NULL, entries, 3);
    assert_memory_equal(plain.data, "PK\3\4", 4);
    bytes_free(&plain);
    free(data);
}

static void names_are_as_the_game_wants_them(void **state)
{
    (void)state;
    const ossa_packing entries[] = {
        text_entry("tune\\b.csv", "1", 0), text_entry("Tune/a.csv", "2", 0),
        text_entry("empty/", "", 0),       text_entry("noext", "3", 0),
        text_entry(".hidden", "4", 0),     text_entry("\xc3\xa4.dot.", "5", 0)};
    static const char *const expected[KINDS] = {
        ".HIDDEN EMPTY/ NOEXT TUNE/A.CSV TUNE/B.CSV \xc3\xa4.DOT. ",
        ".hidden empty/ noext Tune/a.csv tune\\b.csv \xc3\xa4.dot. ",
        "tune/b.csv Tune/a.csv empty/ noext .hidden \xc3\xa4.dot. "};
    for (unsigned k = 0; k < KINDS; k++) {
        char text[256] = "";
        struct bytes archive = pack(kinds[k], entries, 6);
        ossa_file *file = read_clean(kinds[k], &archive);
        for (size_t i = 0; i < ossa_entry_count(file); i++) {
            size_t used = strlen(text);
            (void)snprintf(text + used, sizeof text - used, "%s ", ossa_entry_at(file, i)->name);
        }
        assert_string_equal(text, expected[k]);
        require_contents(kinds[k], file, "TUNE/B.CSV", "1", 1);
        ossa_file_free(file);
        bytes_free(&archive);
    }
}

/* The game finds names by halving: in lower case, with / for \, and bytes above 127 last. Whatever
 * the order in which they are given, it is theirs. */
static void dave_names_are_in_the_order_of_the_game(void **state)
{
    (void)state;
    static const char *const sorted[] = {"#",   "/a",   "\\b", "0",  "@", "[", "_", "A",       "a-",
                                         "A/c", "a\\d", "A0",  "aB", "b", "Z", "{", "\xc3\xa4"};
    enum { COUNT = sizeof sorted / sizeof sorted[0] };
    for (unsigned first = 0; first < COUNT; first++) {
        ossa_packing entries[COUNT];
        for (unsigned i = 0; i < COUNT; i++) {
            entries[i] = text_entry(sorted[(first + 5 * i) % COUNT], "1", 0);
        }
        struct bytes archive = pack("dave", entries, COUNT);
        ossa_file *file = read_clean("dave", &archive);
        for (unsigned i = 0; i < COUNT; i++) {
            assert_string_equal(ossa_entry_at(file, i)->name, sorted[i]);
        }
        ossa_file_free(file);
        bytes_free(&archive);
    }
}

/* Offsets of extensions have nine bits: those that do not fit stay in the names. */
static void many_extensions(void **state)
{
    (void)state;
    enum { MANY = 300 };
    char names[MANY][16];
    ossa_packing entries[MANY];
    for (unsigned i = 0; i < MANY; i++) {
        (void)snprintf(names[i], sizeof names[i], "A.X%u", i);
        entries[i] = text_entry(names[i], names[i], 0);
    }
    struct bytes archive = pack("ares", entries, MANY);
    ossa_file *file = read_clean("ares", &archive);
    for (unsigned i = 0; i < MANY; i++) {
        require_contents("ares", file, names[i], names[i], strlen(names[i]));
    }
    ossa_file_free(file);
    bytes_free(&archive);
}

/* ---- archives that are packed again -------------------------------------------------------- */

static struct bytes replace(const struct bytes *archive, const ossa_entry_change *changes,
                            size_t count)
{
    ossa_buffer buffer = {0};
    ossa_error error;
    ossa_workspace *workspace = ossa_workspace_new(NULL, NULL);
    assert_true(ossa_workspace_add_memory(workspace, "a.ar", archive->data, archive->size, NULL));
    bool ok = ossa_workspace_replace(workspace, "a.ar", changes, count, ossa_buffer_sink(&buffer),
                                     &error);
    require(ok, "a.ar", "%s", error.message);
    struct bytes bytes = bytes_copy(buffer.data, buffer.size);
    ossa_buffer_free(&buffer);
    ossa_workspace_free(workspace);
    return bytes;
}

static void packed_again_they_are_the_same(void **state)
{
    (void)state;
    static const char *const names[] = {
        "ares",         "ares-deep",      "ares-empty-folder", "ares-long-name",
        "ares-nothing", "dave",           "dave-nothing",      "zip",
        "zip-comment",  "zip-descriptor", "zip-extra",         "zip-encrypted",
        "zip-method",   "zip-odd-names",  "zip-nul-in-name",   "zip-times",
        "zip-in-zip",   "zip-nothing",    "zip-same-name",     "zip-other-name"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "mm-ar/%s", names[i]);
        const struct fixture *fixture = fixture_find(name);
        struct bytes again = replace(&fixture->bytes, NULL, 0);
        require_same(name, &again, fixture->bytes.data, fixture->bytes.size);
        bytes_free(&again);
    }
}

/* In "before", after its first `same` bytes, there is one other entry. */
static void one_entry_is_replaced(void **state)
{
    (void)state;
    static const char *const paths[KINDS] = {"README.TXT", "ANIM/PED_WALK.ANIM", "anim/walk.anim"};
    for (unsigned k = 0; k < KINDS; k++) {
        char name[64];
        (void)snprintf(name, sizeof name, "mm-ar/%s", kinds[k]);
        const struct fixture *fixture = fixture_find(name);
        ossa_file *before = read_fixture(fixture);
        size_t index = (size_t)ossa_find_entry(before, paths[k]);
        const ossa_entry *old = ossa_entry_at(before, index);
        /* As long as it was, in ASCII. */
        char text[64] = "";
        for (size_t i = 0; i < old->size; i++) text[i] = (char)('A' + i);
        const ossa_entry_change same = {paths[k], (const uint8_t *)text, old->size, 0};
        struct bytes after = replace(&fixture->bytes, &same, 1);
        assert_int_equal(after.size, fixture->bytes.size);
        for (size_t i = 0; i < after.size; i++) {
            bool is_data = i >= old->offset && i < old->offset + old->size;
            bool is_header = k == ZIP; /* the checksum, and the version */
            if (is_data) assert_int_equal(after.data[i], text[i - old->offset]);
            else if (!is_header) assert_int_equal(after.data[i], fixture->bytes.data[i]);
        }
        bytes_free(&after);
        /* Longer, and a new one. */
        const ossa_entry_change changes[] = {
            {paths[k], (const uint8_t *)"a much longer text than before", 30, 0},
            {"BETWEEN/NEW.CSV", (const uint8_t *)"new", 3, 972559800}};
        after = replace(&fixture->bytes, changes, 2);
        ossa_file *file = read_or_fail(name, after.data, after.size, NULL);
        assert_int_equal(file->warning_count + file->error_count, 0);
        assert_int_equal(ossa_entry_count(file), ossa_entry_count(before) + 1);
        require_contents(name, file, paths[k], changes[0].data, 30);
        require_contents(name, file, "between/new.csv", "new", 3);
        for (size_t i = 0; i < ossa_entry_count(before); i++) {
            ossa_bytes bytes;
            if (i == index) continue;
            assert_true(ossa_entry_bytes(before, i, NULL, &bytes, NULL));
            require_contents(name, file, ossa_entry_at(before, i)->name, bytes.data, bytes.size);
            ossa_bytes_free(&bytes);
        }
        ossa_file_free(file);
        bytes_free(&after);
        ossa_file_free(before);
    }
}

/* The numbers in names, and the names that share bytes, are as they were. */
static void names_of_an_old_tree_stay(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("mm-ar/ares");
    const ossa_entry_change change = {"TUNE/PED_WALK\xc3\xa4.ANIM", (const uint8_t *)"x", 1, 0};
    struct bytes after = replace(&fixture->bytes, &change, 1);
    ossa_file *file = read_clean("ares", &after);
    const ossa_mm_ar *ar = ossa_as_mm_ar(file);
    assert_int_equal(ar->record_count, 8);
    assert_int_equal(ar->records[3 * 3 + 2] >> 1 & 0x1fff, 12); /* PED_WALK12 */
    assert_int_equal(ar->records[3 * 4 + 2] >> 14, ar->records[3 * 3 + 2] >> 14);
    assert_int_equal(ar->records[3 * 6 + 1] >> 23, ar->records[3 * 3 + 1] >> 23); /* ANIM */
    ossa_file_free(file);
    bytes_free(&after);
}

/* ---- refusals ------------------------------------------------------------------------------ */

static void require_refused(const char *kind, const ossa_packing *entries, size_t count,
                            ossa_code code, const char *message)
{
    ossa_buffer buffer = {0};
    ossa_error error;
    assert_false(try_pack(kind, entries, count, &buffer, &error));
    require(error.code == code, message, "%s: %s", ossa_code_name(error.code), error.message);
    require(strstr(error.message, message) != NULL, message, "%s", error.message);
    assert_int_equal(buffer.size, 0);
    ossa_buffer_free(&buffer);
}

static void what_cannot_be_packed(void **state)
{
    (void)state;
    const ossa_packing twice[] = {text_entry("A/B.c", "1", 0), text_entry("a\\b.C", "2", 0)};
    const ossa_packing nameless[] = {text_entry("", "1", 0)};
    for (unsigned k = 0; k < KINDS; k++) {
        require_refused(kinds[k], twice, 2, OSSA_CODE_DUPLICATE_NAME, "another entry");
        require_refused(kinds[k], nameless, 1, k == ZIP ? OSSA_CODE_LIMIT : OSSA_CODE_EMPTY_NAME,
                        "''");
    }
    require_refused("ark", twice, 1, OSSA_CODE_BAD_ARGUMENT, "'ark'");
    const ossa_packing both[] = {text_entry("a", "1", 0), text_entry("A/B", "2", 0)};
    require_refused("ares", both, 2, OSSA_CODE_DUPLICATE_NAME, "another entry");
    const ossa_packing number[] = {text_entry("a\1", "1", 0)};
    require_refused("ares", number, 1, OSSA_CODE_BAD_VALUE, "character");
    const ossa_packing absolute[] = {text_entry("a//b", "1", 0)};
    require_refused("ares", absolute, 1, OSSA_CODE_DUPLICATE_NAME, "folder without a name");
    const ossa_packing foreign[] = {text_entry("\xd0\xb6", "1", 0)};
    require_refused("ares", foreign, 1, OSSA_CODE_BAD_VALUE, "U+0436");
    require_refused("dave", foreign, 1, OSSA_CODE_BAD_VALUE, "U+0436");
    const ossa_packing deep[] = {text_entry("1/2/3/4/5/6/7/8/9/0/1/2/3/4/5/6/7", "1", 0)};
    require_refused("ares", deep, 1, OSSA_CODE_LIMIT, "folders");
    char long_name[300];
    memset(long_name, 'x', sizeof long_name);
    long_name[sizeof long_name - 1] = '\0';
    const ossa_packing lengthy[] = {text_entry(long_name, "1", 0)};
    require_refused("ares", lengthy, 1, OSSA_CODE_LIMIT, "299");
    require_refused("dave", lengthy, 1, OSSA_CODE_LIMIT, "299");
    enum { TOO_MUCH = 0x800000 };
    uint8_t *much = calloc(TOO_MUCH, 1);
    assert_non_null(much);
    const ossa_packing large[] = {{"a", much, TOO_MUCH, 0}};
    require_refused("ares", large, 1, OSSA_CODE_LIMIT, "8388608");
    free(much);
}

enum { MANY = 66000 };

/* Also that it does not take long. */
static void tens_of_thousands_of_entries(void **state)
{
    (void)state;
    char(*names)[16] = malloc(MANY * sizeof *names);
    ossa_packing *entries = malloc(MANY * sizeof *entries);
    if (names == NULL || entries == NULL) abort();
    for (unsigned i = 0; i < MANY; i++) {
        (void)snprintf(names[i], sizeof names[i], "%u/%u", i % 100, i);
        entries[i] = text_entry(names[i], names[i], 0);
    }
    require_refused("zip", entries, MANY, OSSA_CODE_LIMIT, "65535");
    require_refused("ares", entries, MANY, OSSA_CODE_LIMIT, "256 KiB");
    for (unsigned k = 0; k < KINDS; k++) {
        size_t count = k == ZIP ? UINT16_MAX : k == ARES ? 40000 : MANY;
        struct bytes archive = pack(kinds[k], entries, count);
        ossa_file *file = read_clean(kinds[k], &archive);
        assert_int_equal(ossa_entry_count(file), count);
        ossa_file_free(file);
        struct bytes again = replace(&archive, NULL, 0);
        require_same(kinds[k], &again, archive.data, archive.size);
        bytes_free(&again);
        bytes_free(&archive);
    }
    free(entries);
    free(names);
}

static void packing_survives_without_memory(void **state)
{
    (void)state;
    const ossa_packing entries[] = {text_entry("anim/a.csv", la_text, 0),
                                    text_entry("b.csv", "text", 972559800)};
    for (unsigned k = 0; k < KINDS; k++) {
        size_t calls = 1;
        for (size_t n = 0; n <= calls; n++) {
            struct counting counting = {.fail_at = n};
            ossa_options options = {.allocator = counting_allocator(&counting),
                                    .dialect = kinds[k]};
            ossa_buffer buffer = {0};
            ossa_error error;
            bool ok = ossa_pack("mm-ar", entries, 2, &options, ossa_buffer_sink(&buffer), &error);
            assert_int_equal(ok, n == 0);
            if (!ok) assert_int_equal(error.code, OSSA_CODE_OUT_OF_MEMORY);
            assert_int_equal(counting.live, 0);
            if (n == 0) calls = counting.calls;
            ossa_buffer_free(&buffer);
        }
        assert_true(calls > 1);
    }
}

TEST_GROUP(test_mm_ar_pack)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_packed_is_read_back),
        cmocka_unit_test(names_are_as_the_game_wants_them),
        cmocka_unit_test(dave_names_are_in_the_order_of_the_game),
        cmocka_unit_test(many_extensions),
        cmocka_unit_test(packed_again_they_are_the_same),
        cmocka_unit_test(one_entry_is_replaced),
        cmocka_unit_test(names_of_an_old_tree_stay),
        cmocka_unit_test(what_cannot_be_packed),
        cmocka_unit_test(tens_of_thousands_of_entries),
        cmocka_unit_test(packing_survives_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
