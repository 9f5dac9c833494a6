/* SPDX-License-Identifier: MIT */
#include "support/packing.h"
#include "support/pak_fixture.h"
#include "support/testing.h"

#include <stdio.h>
#include <string.h>

static void require_entry(const ossa_file *file, size_t index, const char *name, const char *data)
{
    assert_false(require_stored(file, index, name, data)->has_time);
}

/* ---- reading ------------------------------------------------------------------------------- */

static void entries_are_listed_in_the_order_of_the_table(void **state)
{
    (void)state;
    static const char *const names[] = {"vib-pak/songs", "vib-pak/unaligned",
                                        "vib-pak/no-last-padding", "vib-pak/trailing-bytes"};
    for (size_t i = 0; i < 4; i++) {
        ossa_file *file = read_fixture(fixture_find(names[i]));
        assert_int_equal(file->format->kind, OSSA_KIND_ARCHIVE);
        assert_int_equal(ossa_entry_count(file), 3);
        require_entry(file, 0, "GAME/RABBIT.TMD", "01234567");
        require_entry(file, 1, "GAME/HOP.ANM", "abcde");
        require_entry(file, 2, "TITLE\\A.TIM", "!");
        assert_int_equal(ossa_find_entry(file, "title/a.tim"), 2);
        ossa_file_free(file);
    }
    ossa_file *file = read_fixture(fixture_find("vib-pak/falling-offsets"));
    require_entry(file, 0, "GAME/HOP.ANM", "abcde");
    require_entry(file, 1, "GAME/RABBIT.TMD", "01234567");
    require_entry(file, 2, "TITLE\\A.TIM", "!");
    ossa_file_free(file);
}

static void the_struct_has_everything(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("vib-pak/lengths-of-names");
    static const char *const names[] = {"a", "ab", "abc", "abcd", "abcde"};
    static const uint32_t offsets[] = {24, 36, 48, 60, 76};
    ossa_file *file = read_fixture(fixture);
    const ossa_vib_pak *pak = ossa_as_vib_pak(file);
    assert_null(ossa_as_vib_tmd(file));
    assert_int_equal(pak->entry_count, 5);
    assert_ptr_equal(pak->image, fixture->bytes.data);
    assert_int_equal(pak->image_size, fixture->bytes.size);
    for (uint32_t i = 0; i < 5; i++) {
        const ossa_vib_pak_entry *entry = &pak->entries[i];
        assert_int_equal(entry->offset, offsets[i]);
        assert_ptr_equal(entry->name, fixture->bytes.data + offsets[i]);
        assert_string_equal(entry->name, names[i]); /* a NUL follows */
        assert_int_equal(entry->name_size, i + 1);
        assert_true(entry->has_length);
        assert_int_equal(entry->length, (i + 1) % 5);
        assert_int_equal(entry->data_offset, offsets[i] + (i < 3 ? 8 : 12));
        assert_ptr_equal(entry->data, fixture->bytes.data + entry->data_offset);
        assert_false(entry->shares_bytes);
    }
    ossa_file_free(file);
}

static void odd_characters_are_latin(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("vib-pak/odd-characters"));
    require_entry(file, 0, "\x1b[31m", "1");
    require_entry(file, 1, "\xc3\xa9t\xc3\xa9\xc2\x80", "2");
    ossa_file_free(file);
}

static void files_are_found_in_it(void **state)
{
    (void)state;
    static const char *const formats[] = {"vib-tmd", "vib-anm"};
    ossa_file *pak = read_fixture(fixture_find("vib-pak/files"));
    for (size_t i = 0; i < 2; i++) {
        ossa_bytes bytes;
        assert_true(ossa_entry_bytes(pak, i, NULL, &bytes, NULL));
        ossa_options options = {.name = ossa_entry_at(pak, i)->name};
        ossa_file *file = read_or_fail(options.name, bytes.data, bytes.size, &options);
        assert_string_equal(file->format->id, formats[i]);
        ossa_file_free(file);
        ossa_bytes_free(&bytes);
    }
    ossa_file_free(pak);
}

static void hostile_names_become_safe_paths(void **state)
{
    (void)state;
    static const char *const wanted[][2] = {{"..", "__"},
                                            {"../../x", "__/__/x"},
                                            {"/absolute", "absolute"},
                                            {"C:\\x", "C_/x"},
                                            {"NUL.TIM", "_NUL.TIM"},
                                            {"a. ", "a._"},
                                            {"\\\\host\\s", "host/s"},
                                            {" ", "_"},
                                            {"./.", "_/_"},
                                            {"a:b", "a_b"},
                                            {"//", "unnamed"},
                                            {"...", "___"}};
    require_paths("vib-pak/hostile-names", wanted, sizeof wanted / sizeof wanted[0]);
}

/* A file that was cut short still gives what is there. */
static void what_is_cut_off_is_missing_and_the_rest_is_not(void **state)
{
    (void)state;
    static const struct {
        const char *fixture;
        const char *name;
        uint64_t size;
    } cuts[] = {{"vib-pak/cut-data", "TITLE\\A.TIM", 1},
                {"vib-pak/cut-length", "TITLE\\A.TIM", 0},
                {"vib-pak/cut-name", "", 0},
                {"vib-pak/cut-entry", "", 0}};
    for (size_t i = 0; i < 4; i++) {
        ossa_file *file = read_fixture(fixture_find(cuts[i].fixture));
        const ossa_entry *last = ossa_entry_at(file, 2);
        ossa_bytes bytes;
        ossa_error error;
        require_entry(file, 0, "GAME/RABBIT.TMD", "01234567");
        require_entry(file, 1, "GAME/HOP.ANM", "abcde");
        assert_true(last->is_missing);
        assert_string_equal(last->name, cuts[i].name);
        assert_int_equal(last->size, cuts[i].size);
        assert_false(ossa_entry_bytes(file, 2, NULL, &bytes, &error));
        assert_int_equal(error.code, OSSA_CODE_BAD_OFFSET);
        ossa_file_free(file);
    }
}

static void a_wrong_length_harms_one_entry(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("vib-pak/entry-too-long"));
    require_entry(file, 0, "GAME/RABBIT.TMD", "01234567");
    require_entry(file, 2, "TITLE\\A.TIM", "!");
    assert_true(ossa_entry_at(file, 1)->is_missing);
    assert_false(ossa_as_vib_pak(file)->entries[2].shares_bytes);
    ossa_file_free(file);
}

static void entries_in_entries_can_be_had(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("vib-pak/entry-in-entry"));
    require_entry(file, 0, "A", "0123456789abcdef");
    require_entry(file, 2, "B", "abcd");
    assert_true(ossa_as_vib_pak(file)->entries[2].shares_bytes);
    assert_false(ossa_as_vib_pak(file)->entries[1].shares_bytes);
    ossa_file_free(file);
}

/* ---- packing ------------------------------------------------------------------------------- */

static void fixtures_come_out_the_same(void **state)
{
    (void)state;
    static const char *const names[] = {"vib-pak/songs",
                                        "vib-pak/lengths-of-names",
                                        "vib-pak/hostile-names",
                                        "vib-pak/odd-characters",
                                        "vib-pak/one-entry",
                                        "vib-pak/entries-without-bytes",
                                        "vib-pak/no-entries",
                                        "vib-pak/files",
                                        "vib-pak/name-in-other-case"};
    require_packed_the_same(names, sizeof names / sizeof names[0]);
}

/* What is laid out otherwise has the same list afterwards, and nothing wrong. */
static void other_layouts_are_put_right(void **state)
{
    (void)state;
    static const char *const names[] = {"vib-pak/unaligned", "vib-pak/no-last-padding",
                                        "vib-pak/trailing-bytes", "vib-pak/name-padding"};
    const struct fixture *songs = fixture_find("vib-pak/songs");
    for (size_t i = 0; i < 4; i++) {
        ossa_file *file = read_fixture(fixture_find(names[i]));
        struct bytes again = pack_again(names[i], file);
        require_same(names[i], &again, songs->bytes.data, songs->bytes.size);
        bytes_free(&again);
        ossa_file_free(file);
    }
}

static void random_archives_are_packed_and_read(void **state)
{
    (void)state;
    enum { MOST = 30 };
    struct random random = {31};
    for (unsigned round = 0; round < 300; round++) {
        char names[MOST][24];
        uint8_t data[256];
        ossa_packing entries[MOST];
        struct pak_item items[MOST];
        size_t count = next_random(&random) % MOST;
        for (size_t i = 0; i < sizeof data; i++) data[i] = (uint8_t)next_random(&random);
        for (size_t i = 0; i < count; i++) {
            size_t size = next_random(&random) % sizeof data;
            (void)snprintf(names[i], sizeof names[i], "%c/%.*s%u", (char)('A' + i),
                           (int)(next_random(&random) % 9), "abcdefgh", (unsigned)round);
            entries[i] = (ossa_packing){names[i], data, size, 77}; /* no place for it */
            items[i] = (struct pak_item){names[i], data, size};
        }
        struct bytes packed = pack_or_fail("vib-pak", "random", entries, count);
        struct bytes plain = make_pak(&(struct pak_plan){.items = items, .count = count}, NULL);
        require_same("random", &packed, plain.data, plain.size);
        ossa_options options = {.format = "vib-pak"};
        ossa_file *file = read_or_fail("random", packed.data, packed.size, &options);
        assert_int_equal(file->issue_count, 0);
        struct bytes again = pack_again("random", file);
        require_same("random", &again, packed.data, packed.size);
        bytes_free(&again);
        ossa_file_free(file);
        bytes_free(&plain);
        bytes_free(&packed);
    }
}

static void what_cannot_be_packed(void **state)
{
    (void)state;
    const uint8_t *nowhere = (const uint8_t *)"";
    const ossa_packing twice[] = {{.name = "A"}, {.name = "a"}, {.name = "A"}};
    require_pack_refused("vib-pak", twice, 3, OSSA_CODE_DUPLICATE_NAME, "entries[2].name",
                         "also the name of entries[0]");
    const ossa_packing nameless[] = {{.name = "a"}, {.name = ""}};
    require_pack_refused("vib-pak", nameless, 2, OSSA_CODE_EMPTY_NAME, "entries[1].name",
                         "needs a name");
    const ossa_packing foreign[] = {{.name = "\xd0\xb6"}};
    require_pack_refused("vib-pak", foreign, 1, OSSA_CODE_BAD_VALUE, "entries[0].name", "U+0436");
    /* Sizes are looked at before a byte is: these have none. */
#if SIZE_MAX > UINT32_MAX
    const ossa_packing large[] = {{"a", nowhere, UINT64_C(0x100000000), 0}};
    require_pack_refused("vib-pak", large, 1, OSSA_CODE_LIMIT, "entries[0].size", "4 GiB");
    const ossa_packing most[] = {{"a", nowhere, UINT64_MAX, 0}};
    require_pack_refused("vib-pak", most, 1, OSSA_CODE_LIMIT, "entries[0].size", "4 GiB");
#endif
    const ossa_packing far[] = {{"a", nowhere, 0xffffffff, 0}, {"b", nowhere, 1, 0}};
    require_pack_refused("vib-pak", far, 2, OSSA_CODE_LIMIT, "entries[1].size", "4 GiB");
}

static void packing_survives_a_lack_of_memory(void **state)
{
    (void)state;
    enum { COUNT = 500 };
    static char names[COUNT][16];
    static ossa_packing entries[COUNT];
    for (unsigned i = 0; i < COUNT; i++) {
        (void)snprintf(names[i], sizeof names[i], "entry%u", i);
        entries[i] = (ossa_packing){.name = names[i]};
    }
    require_pack_survives("vib-pak", entries, COUNT);
}

/* An offset that is before the last one, by as little as can be. */
static void offsets_that_fall_are_told(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("vib-pak/falling-offsets");
    struct bytes file = bytes_copy(fixture->bytes.data, fixture->bytes.size);
    for (uint32_t step = 0; step < 6; step++) {
        size_t told = 0;
        set_u32(&file, 8, get_u32(&file, 4) - step); /* the second, behind the count */
        ossa_file *pak =
            read_or_fail("falling", file.data, file.size, &(ossa_options){.format = "vib-pak"});
        for (size_t i = 0; i < pak->issue_count; i++) {
            const ossa_issue *issue = &pak->issues[i];
            told += issue->code == OSSA_CODE_BAD_ORDER && issue->offset == 8;
        }
        require(told == (step > 0 ? 1 : 0), "falling", "by %u: told %zu times", (unsigned)step,
                told);
        ossa_file_free(pak);
    }
    bytes_free(&file);
}

TEST_GROUP(test_vib_pak)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_listed_in_the_order_of_the_table),
        cmocka_unit_test(the_struct_has_everything),
        cmocka_unit_test(odd_characters_are_latin),
        cmocka_unit_test(files_are_found_in_it),
        cmocka_unit_test(hostile_names_become_safe_paths),
        cmocka_unit_test(what_is_cut_off_is_missing_and_the_rest_is_not),
        cmocka_unit_test(a_wrong_length_harms_one_entry),
        cmocka_unit_test(entries_in_entries_can_be_had),
        cmocka_unit_test(fixtures_come_out_the_same),
        cmocka_unit_test(other_layouts_are_put_right),
        cmocka_unit_test(random_archives_are_packed_and_read),
        cmocka_unit_test(what_cannot_be_packed),
        cmocka_unit_test(packing_survives_a_lack_of_memory),
        cmocka_unit_test(offsets_that_fall_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
