/* SPDX-License-Identifier: MIT
 *
 * Making RES archives: the game must find every name in them, and an archive that is made again
 * from its list must be the same. */
#include "support/counting.h"
#include "support/packing.h"
#include "support/res_fixture.h"
#include "support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A set of entries with names of its own. The names in code page 1251 are ASCII and Cyrillic
 * letters, so that the way there and back is easy to write down. */
struct set {
    size_t count;
    ossa_packing *entries;
    struct res_item *items; /* the same for the tests' own packer */
    char *text;
};

enum { NAME_ROOM = 64 };

static struct set set_of(size_t count)
{
    struct set set = {.count = 0};
    set.entries = calloc(count + 1, sizeof *set.entries);
    set.items = calloc(count + 1, sizeof *set.items);
    set.text = calloc(count + 1, 2 * NAME_ROOM);
    assert_true(set.entries != NULL && set.items != NULL && set.text != NULL);
    return set;
}

static void set_free(struct set *set)
{
    free(set->entries);
    free(set->items);
    free(set->text);
}

static void to_utf8(const char *name, char *utf8)
{
    for (; *name != '\0'; name++) {
        uint32_t byte = (uint8_t)*name;
        uint32_t character = byte < 0x80 ? byte : 0x410 + (byte - 0xc0);
        assert_true(byte < 0x80 || byte >= 0xc0);
        if (byte >= 0x80) *utf8++ = (char)(0xc0 | character >> 6);
        *utf8++ = (char)(byte < 0x80 ? byte : 0x80 | (character & 0x3f));
    }
    *utf8 = '\0';
}

/* Add a name; its data are some bytes of it. */
static void add(struct set *set, const char *name)
{
    size_t i = set->count++;
    char *stored = set->text + 2 * NAME_ROOM * i;
    char *utf8 = stored + NAME_ROOM / 2;
    assert_true(strlen(name) < NAME_ROOM / 2);
    (void)snprintf(stored, NAME_ROOM / 2, "%s", name);
    to_utf8(stored, utf8);
    size_t size = i % 40 < strlen(name) ? i % 40 : strlen(name);
    uint32_t time = i % 5 == 0 ? 0 : (uint32_t)(i * 2654435761U);
    set->items[i] = (struct res_item){stored, 0, stored, size, time};
    set->entries[i] = (ossa_packing){utf8, (const uint8_t *)stored, size, time};
}

/* The game's own way to each name, and no way to another. */
static void require_all_found(const char *what, const struct bytes *archive, const struct set *set)
{
    size_t table = get_u32(archive, 8);
    for (size_t i = 0; i < set->count; i++) {
        const struct res_item *item = &set->items[i];
        if (item->name == NULL) abort(); /* for the analyser */
        int64_t slot = res_lookup(archive, item->name, strlen(item->name));
        require(slot >= 0, what, "'%s' is not found (%d)", item->name, (int)slot);
        size_t record = table + (size_t)slot * RES_RECORD;
        require(get_u32(archive, record + RES_SIZE) == item->size, what, "size of '%s'",
                item->name);
        require(get_u32(archive, record + RES_TIME) == item->time, what, "time of '%s'",
                item->name);
        size_t offset = get_u32(archive, record + RES_OFFSET);
        require(offset % 16 == 0 && memcmp(archive->data + offset, item->data, item->size) == 0,
                what, "bytes of '%s'", item->name);
    }
    require(res_lookup(archive, "no such name", 12) == -1, what, "a name that is not there");
}

static void require_packed(const char *what, const struct set *set)
{
    struct bytes packed = pack_or_fail("ei-res", what, set->entries, set->count);
    require_all_found(what, &packed, set);
    /* The tests' own packer makes the same. */
    struct bytes plain =
        make_res(&(struct res_plan){.items = set->items, .count = set->count}, NULL);
    require_same(what, &packed, plain.data, plain.size);
    ossa_file *file = read_or_fail(what, packed.data, packed.size, NULL);
    require(file->issue_count == 0, what, "%s",
            file->issue_count > 0 ? file->issues[0].message : "");
    require(ossa_entry_count(file) == set->count, what, "entries");
    for (size_t i = 0; i < set->count; i++) {
        require(strcmp(ossa_entry_at(file, i)->name, set->entries[i].name) == 0, what, "order");
    }
    struct bytes again = pack_again(what, file);
    require_same(what, &again, packed.data, packed.size);
    bytes_free(&again);
    bytes_free(&plain);
    bytes_free(&packed);
    ossa_file_free(file);
}

/* ---- sets of names ------------------------------------------------------------------------- */

static void few_names(void **state)
{
    (void)state;
    static const char *const names[] = {"hp", "bd", "HD", "maps\\zone1.mp", "\xf2\xf0\xee\xeb",
                                        "Z"};
    for (size_t count = 0; count <= 6; count++) {
        struct set set = set_of(count);
        for (size_t i = 0; i < count; i++) add(&set, names[i]);
        require_packed("few names", &set);
        set_free(&set);
    }
}

/* The same letters in every order: one hash for all. */
static void names_of_one_hash(void **state)
{
    (void)state;
    struct set set = set_of(720);
    for (unsigned i = 0; i < 720; i++) {
        char left[] = "abcdef";
        char name[7] = "";
        unsigned rest = i;
        for (unsigned k = 6; k > 0; k--) {
            unsigned pick = rest % k;
            rest /= k;
            name[6 - k] = left[pick];
            memmove(left + pick, left + pick + 1, strlen(left + pick));
        }
        add(&set, name);
    }
    require_packed("one hash", &set);
    set_free(&set);
}

static void random_names(void **state)
{
    (void)state;
    struct random random = {99};
    for (unsigned round = 0; round < 300; round++) {
        size_t count = 1 + next_random(&random) % 60;
        struct set set = set_of(count);
        for (size_t i = 0; i < count; i++) {
            /* Names differ in their first two letters, and have all kinds of letters behind. */
            char name[16];
            size_t size = 2 + next_random(&random) % 12;
            name[0] = (char)('a' + i % 8);
            name[1] = (char)('a' + i / 8);
            for (size_t k = 2; k < size; k++) {
                uint32_t number = next_random(&random);
                static const char *const kinds[] = {"az", "AZ", "09", "\xc0\xff", "..", "\\\\"};
                const uint8_t *kind = (const uint8_t *)kinds[number % 6];
                uint32_t span = kind[1] - kind[0] + 1U;
                name[k] = (char)(kind[0] + (number >> 8) % span);
            }
            name[size] = '\0';
            add(&set, name);
        }
        require_packed("random names", &set);
        set_free(&set);
    }
}

static void thousands_of_names(void **state)
{
    (void)state;
    struct set set = set_of(5000);
    for (unsigned i = 0; i < 5000; i++) {
        char name[24];
        (void)snprintf(name, sizeof name, "Entry%u.fig", i * 7919U);
        add(&set, name);
    }
    require_packed("thousands", &set);
    set_free(&set);
}

/* Bytes are signed in the hash: this name hangs on slot 1089 in archives of the game of either
 * size. Without the sign it would be 5185. */
static void bytes_of_a_name_are_signed(void **state)
{
    (void)state;
    static const char utf8[] = "Gipat Medium (тип материала - кожа)";
    static const char stored[] = "Gipat Medium (\xf2\xe8\xef \xec\xe0\xf2\xe5\xf0\xe8\xe0\xeb\xe0 "
                                 "- \xea\xee\xe6\xe0)";
    static const size_t counts[] = {3167, 17045};
    for (size_t c = 0; c < 2; c++) {
        ossa_packing *entries = calloc(counts[c], sizeof *entries);
        char(*names)[16] = calloc(counts[c], sizeof *names);
        if (entries == NULL || names == NULL) abort();
        entries[0] = (ossa_packing){utf8, (const uint8_t *)"text", 4, 1};
        for (uint32_t i = 1; i < counts[c]; i++) {
            (void)snprintf(names[i], sizeof names[i], "text%u", i);
            entries[i] = (ossa_packing){.name = names[i]};
        }
        struct bytes packed = pack_or_fail("ei-res", utf8, entries, counts[c]);
        assert_int_equal(res_lookup(&packed, stored, strlen(stored)), 1089);
        ossa_file *file = read_or_fail(utf8, packed.data, packed.size, NULL);
        assert_int_equal(file->issue_count, 0);
        assert_string_equal(ossa_entry_at(file, 0)->name, utf8);
        const ossa_ei_name *name = &ossa_as_ei_res(file)->entries[1089].name;
        assert_int_equal(name->size, strlen(stored));
        assert_memory_equal(name->bytes, stored, strlen(stored));
        ossa_file_free(file);
        bytes_free(&packed);
        free(entries);
        free(names);
    }
}

/* What a negative sum does is not known, so an entry that is elsewhere is a remark. */
static void a_negative_hash_is_not_an_error(void **state)
{
    (void)state;
    static const struct res_item items[] = {{"\xf2\xf0\xee\xeb", 0, "1", 1, 0}, /* -69 */
                                            {"b", 0, "2", 1, 0},
                                            {"f", 0, "3", 1, 0}};
    struct res_places places;
    struct bytes file = make_res(&(struct res_plan){.items = items, .count = 3}, &places);
    /* Exchange the records of the first and another: neither is where it is looked for. */
    for (size_t i = 4; i < RES_RECORD; i++) {
        uint8_t byte = file.data[places.record[0] + i];
        file.data[places.record[0] + i] = file.data[places.record[1] + i];
        file.data[places.record[1] + i] = byte;
    }
    ossa_file *read = read_or_fail("negative", file.data, file.size, NULL);
    assert_int_equal(read->error_count, 1); /* of the other */
    assert_int_equal(read->issue_count, 2);
    bool has_remark = false;
    for (size_t i = 0; i < 2; i++) {
        has_remark = has_remark || read->issues[i].severity == OSSA_SEVERITY_REMARK;
    }
    assert_true(has_remark);
    ossa_file_free(read);
    bytes_free(&file);
}

/* A hundred thousand entries in one chain: nothing walks it for each. */
static void a_long_chain_takes_no_time(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    ossa_packing *entries = calloc(COUNT, sizeof *entries);
    char(*names)[24] = calloc(COUNT, sizeof *names);
    if (entries == NULL || names == NULL) abort();
    for (uint32_t i = 0; i < COUNT; i++) {
        /* Digits and what they lack to 9: one sum. */
        uint32_t number = i;
        for (size_t k = 0; k < 5; k++, number /= 10) {
            names[i][k] = (char)('0' + number % 10);
            names[i][k + 5] = (char)('9' - number % 10);
        }
        entries[i] = (ossa_packing){.name = names[i]};
    }
    struct counting counting = {0};
    ossa_options options = {.allocator = counting_allocator(&counting)};
    ossa_buffer buffer = {0};
    assert_true(ossa_pack("ei-res", entries, COUNT, &options, ossa_buffer_sink(&buffer), NULL));
    assert_int_equal(counting.live, 0);
    assert_true(counting.peak < 5 * buffer.size);
    options.allocator = (ossa_allocator){0};
    ossa_file *file = read_or_fail("chain", buffer.data, buffer.size, &options);
    assert_int_equal(file->error_count + file->warning_count, 0);
    ossa_file_free(file);
    ossa_buffer_free(&buffer);
    free(entries);
    free(names);
}

/* Every good fixture that was put together one entry after the other comes out the same. */
static void fixtures_come_out_the_same(void **state)
{
    (void)state;
    static const char *const names[] = {
        "ei-res/parts",         "ei-res/folders",       "ei-res/cyrillic",
        "ei-res/hostile-names", "ei-res/merged-chains", "ei-res/entries-without-bytes",
        "ei-res/one-entry",     "ei-res/two-entries",   "ei-res/no-entries",
        "ei-res/figures",       "ei-res/large"};
    require_packed_the_same(names, sizeof names / sizeof names[0]);
}

/* The table may be elsewhere and the bytes unaligned: then it is the same list at least. */
static void other_layouts_give_the_same_list(void **state)
{
    (void)state;
    static const char *const names[] = {"ei-res/table-first", "ei-res/unaligned",
                                        "ei-res/shared-entry", "ei-res/padding-of-something"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        ossa_file *file = read_fixture(fixture_find(names[i]));
        struct bytes again = pack_again(names[i], file);
        ossa_file *copy = read_or_fail(names[i], again.data, again.size, NULL);
        assert_int_equal(copy->issue_count, 0);
        assert_int_equal(ossa_entry_count(copy), ossa_entry_count(file));
        for (size_t k = 0; k < ossa_entry_count(file); k++) {
            const ossa_entry *a = ossa_entry_at(file, k);
            const ossa_entry *b = ossa_entry_at(copy, k);
            ossa_bytes x;
            ossa_bytes y;
            assert_string_equal(a->name, b->name);
            assert_int_equal(a->time, b->time);
            assert_true(ossa_entry_bytes(file, k, NULL, &x, NULL));
            assert_true(ossa_entry_bytes(copy, k, NULL, &y, NULL));
            assert_int_equal(x.size, y.size);
            assert_memory_equal(x.data, y.data, x.size);
        }
        ossa_file_free(copy);
        bytes_free(&again);
        ossa_file_free(file);
    }
}

static void slashes_become_backslashes(void **state)
{
    (void)state;
    const ossa_packing entry = {"maps/zone1/a.mp", (const uint8_t *)"1", 1, 0};
    struct bytes packed = pack_or_fail("ei-res", "slashes", &entry, 1);
    assert_int_equal(res_lookup(&packed, "MAPS\\zone1\\a.mp", 15), 0);
    ossa_file *file = read_or_fail("slashes", packed.data, packed.size, NULL);
    assert_string_equal(ossa_entry_at(file, 0)->name, "maps\\zone1\\a.mp");
    assert_int_equal(ossa_find_entry(file, "maps/zone1/a.mp"), 0);
    ossa_file_free(file);
    bytes_free(&packed);
}

/* ---- refusals ------------------------------------------------------------------------------ */

static void names_that_cannot_be(void **state)
{
    (void)state;
    static const char *const doubles[][2] = {
        {"hp", "hp"},
        {"Maps\\A", "maps\\a"},
        {"a/b", "A\\B"},
        {"\xd1\x82\xd1\x80\xd0\xbe\xd0\xbb", "\xd0\xa2\xd0\xa0\xd0\x9e\xd0\x9b"}};
    for (size_t i = 0; i < sizeof doubles / sizeof doubles[0]; i++) {
        const ossa_packing entries[] = {
            {.name = doubles[i][0]}, {.name = "other"}, {.name = doubles[i][1]}};
        require_pack_refused("ei-res", entries, 3, OSSA_CODE_DUPLICATE_NAME, "entries[2].name",
                             "of entries[0]");
    }
    const ossa_packing nameless[] = {{.name = "a"}, {.name = ""}};
    require_pack_refused("ei-res", nameless, 2, OSSA_CODE_EMPTY_NAME, "entries[1].name",
                         "needs a name");
    const ossa_packing foreign[] = {{.name = "a"}, {.name = "na\xc3\xafve"}};
    require_pack_refused("ei-res", foreign, 2, OSSA_CODE_BAD_VALUE, "entries[1].name", "U+00EF");
    const ossa_packing broken[] = {{.name = "a\xff"}};
    require_pack_refused("ei-res", broken, 1, OSSA_CODE_BAD_VALUE, "entries[0].name", "not UTF-8");
    char *name = calloc(65537, 1);
    assert_non_null(name);
    memset(name, 'x', 65536);
    const ossa_packing endless[] = {{.name = name}};
    require_pack_refused("ei-res", endless, 1, OSSA_CODE_LIMIT, "entries[0].name",
                         "65536 characters");
    name[65535] = '\0'; /* the longest there is */
    struct bytes packed = pack_or_fail("ei-res", "long", endless, 1);
    assert_int_equal(res_lookup(&packed, name, 65535), 0);
    bytes_free(&packed);
    free(name);
}

/* Sizes are looked at before a byte is: these have none. */
static void sizes_that_cannot_be(void **state)
{
    (void)state;
    const uint8_t *nowhere = (const uint8_t *)"";
    const ossa_packing one[] = {{"a", nowhere, UINT64_C(0x100000000), 0}};
    require_pack_refused("ei-res", one, 1, OSSA_CODE_LIMIT, "entries[0].size", "4 GiB");
    const ossa_packing most[] = {{"a", nowhere, UINT64_MAX, 0}};
    require_pack_refused("ei-res", most, 1, OSSA_CODE_LIMIT, "entries[0].size", "4 GiB");
    const ossa_packing two[] = {{"a", nowhere, 0x80000000, 0}, {"b", nowhere, 0x80000000, 0}};
    require_pack_refused("ei-res", two, 2, OSSA_CODE_LIMIT, "entries[1].size", "4 GiB");
    const ossa_packing table[] = {{"a", nowhere, 0xffffffe8, 0}};
    require_pack_refused("ei-res", table, 1, OSSA_CODE_LIMIT, "table_offset", "4 GiB");
}

static void packing_survives_a_lack_of_memory(void **state)
{
    (void)state;
    struct set set = set_of(2000);
    for (unsigned i = 0; i < 2000; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "entry%u", i);
        add(&set, name);
    }
    require_pack_survives("ei-res", set.entries, set.count);
    set_free(&set);
}

TEST_GROUP(test_ei_res_pack)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_names),
        cmocka_unit_test(names_of_one_hash),
        cmocka_unit_test(random_names),
        cmocka_unit_test(thousands_of_names),
        cmocka_unit_test(bytes_of_a_name_are_signed),
        cmocka_unit_test(a_negative_hash_is_not_an_error),
        cmocka_unit_test(a_long_chain_takes_no_time),
        cmocka_unit_test(fixtures_come_out_the_same),
        cmocka_unit_test(other_layouts_give_the_same_list),
        cmocka_unit_test(slashes_become_backslashes),
        cmocka_unit_test(names_that_cannot_be),
        cmocka_unit_test(sizes_that_cannot_be),
        cmocka_unit_test(packing_survives_a_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
