/* SPDX-License-Identifier: MIT
 *
 * Reading RES archives: what is in them, in which order, and what is hostile about them. */
#include "support/packing.h"
#include "support/res_fixture.h"
#include "support/testing.h"

#include <stdlib.h>
#include <string.h>

static void require_entry(const ossa_file *file, size_t index, const char *name, const char *data,
                          uint32_t time)
{
    const ossa_entry *entry = require_stored(file, index, name, data);
    assert_int_equal(entry->has_time, time != 0);
    assert_int_equal(entry->time, time);
}

/* ---- good ones ----------------------------------------------------------------------------- */

static void entries_are_listed_in_the_order_of_their_bytes(void **state)
{
    (void)state;
    static const char *const names[] = {"ei-res/parts", "ei-res/table-first", "ei-res/unaligned"};
    for (size_t i = 0; i < 3; i++) {
        ossa_file *file = read_fixture(fixture_find(names[i]));
        assert_int_equal(file->format->kind, OSSA_KIND_ARCHIVE);
        assert_int_equal(ossa_entry_count(file), 3);
        require_entry(file, 0, "hp", "the hips, at rest", 972300000);
        require_entry(file, 1, "bd", "0123456789abcdef", 972300001);
        require_entry(file, 2, "hd", "!", 972300002);
        assert_int_equal(ossa_find_entry(file, "BD"), 1);
        ossa_file_free(file);
    }
    ossa_file *file = read_fixture(fixture_find("ei-res/entries-without-bytes"));
    require_entry(file, 0, "x", "", 1);
    require_entry(file, 1, "y", "abc", 2);
    require_entry(file, 2, "z", "", 3);
    require_entry(file, 3, "w", "", 4);
    ossa_file_free(file);
}

static void the_struct_has_the_table_as_it_is(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("ei-res/parts");
    const struct bytes *bytes = &fixture->bytes;
    ossa_file *file = read_fixture(fixture);
    const ossa_ei_res *res = ossa_as_ei_res(file);
    assert_null(ossa_as_ei_lnk(file));
    assert_int_equal(res->entry_count, 3);
    assert_int_equal(res->table_offset, get_u32(bytes, 8));
    assert_int_equal(res->names_size, 6);
    assert_ptr_equal(res->image, bytes->data);
    assert_int_equal(res->image_size, bytes->size);
    assert_int_equal(res->gap_count, 2); /* behind hp and hd */
    assert_int_equal(res->gaps[0].offset, 16 + 17);
    assert_int_equal(res->gaps[0].size, 15);
    static const uint32_t order[] = {0, 2, 1};
    static const int32_t next[] = {2, -1, 1};
    assert_memory_equal(res->order, order, sizeof order);
    for (uint32_t i = 0; i < 3; i++) {
        const ossa_ei_res_entry *entry = &res->entries[i];
        size_t record = res->table_offset + (size_t)i * RES_RECORD;
        assert_int_equal(entry->next, next[i]);
        assert_int_equal(entry->size, get_u32(bytes, record + RES_SIZE));
        assert_int_equal(entry->offset, get_u32(bytes, record + RES_OFFSET));
        assert_int_equal(entry->time, get_u32(bytes, record + RES_TIME));
        assert_int_equal(entry->name_length, 2);
        assert_int_equal(entry->name.size, 2);
        assert_int_equal(entry->name_offset, get_u32(bytes, record + RES_NAME_AT));
        assert_ptr_equal(entry->name.bytes,
                         bytes->data + res->table_offset + 66 + entry->name_offset);
        assert_ptr_equal(entry->data, bytes->data + entry->offset);
        assert_false(entry->shares_bytes);
    }
    ossa_file_free(file);
}

static void names_are_utf8(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("ei-res/cyrillic"));
    require_entry(file, 0, "\xd1\x82\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c", "1", 8);
    require_entry(file, 1, "\xd0\xa2\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c\x32", "22", 9);
    require_entry(file, 2, "\xd0\x82\xd1\x8f\xd0\x81\xd1\x91", "333", 10);
    require_entry(file, 3, "a\xc2\x98z", "4444", 0);
    assert_int_equal(ossa_find_entry(file, "\xd0\xa2\xd0\xa0\xd0\x9e\xd0\x9b\xd0\xac"), 0);
    ossa_file_free(file);
}

static void archives_lie_in_archives(void **state)
{
    (void)state;
    ossa_file *figures = read_fixture(fixture_find("ei-res/figures"));
    int64_t index = ossa_find_entry(figures, "UNMOTR.MOD");
    ossa_bytes bytes;
    assert_int_equal(index, 0);
    assert_true(ossa_entry_bytes(figures, (size_t)index, NULL, &bytes, NULL));
    ossa_options options = {.name = ossa_entry_at(figures, 0)->name};
    ossa_file *model = read_or_fail("unmotr.mod", bytes.data, bytes.size, &options);
    assert_string_equal(model->format->id, "ei-res");
    ossa_bytes inner;
    assert_true(ossa_entry_bytes(model, 0, NULL, &inner, NULL));
    ossa_file *lnk = read_or_fail("unmotr", inner.data, inner.size, NULL);
    assert_string_equal(lnk->format->id, "ei-lnk");
    ossa_file_free(lnk);
    ossa_bytes_free(&inner);
    ossa_file_free(model);
    ossa_bytes_free(&bytes);
    ossa_file_free(figures);
}

static void archives_of_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"ei-res/no-entries", "ei-res/no-table"};
    for (size_t i = 0; i < 2; i++) {
        ossa_file *file = read_fixture(fixture_find(names[i]));
        assert_int_equal(ossa_entry_count(file), 0);
        assert_null(ossa_entry_at(file, 0));
        ossa_file_free(file);
    }
}

static void the_description_names_entries(void **state)
{
    (void)state;
    require_described("ei-res/figures", "entries        2\n");
    require_described("ei-res/figures", " 1970-01-01 00:00:14 ei-res    unmotr.bon\n");
}

/* ---- hostile ones -------------------------------------------------------------------------- */

/* The name is told as it is; the path is safe. */
static void hostile_names_become_safe_paths(void **state)
{
    (void)state;
    static const char *const wanted[][2] = {{"..", "__"},
                                            {"..\\..\\x", "__/__/x"},
                                            {"\\absolute", "absolute"},
                                            {"C:\\x", "C_/x"},
                                            {"con", "_con"},
                                            {"a.", "a_"},
                                            {"\\\\host\\s", "host/s"},
                                            {"\x1b[31m", "_[31m"},
                                            {" ", "_"},
                                            {".", "_"},
                                            {"a:b", "a_b"},
                                            {"\\", "unnamed"}};
    require_paths("ei-res/hostile-names", wanted, sizeof wanted / sizeof wanted[0]);
}

static void a_nul_in_a_name_does_not_end_it(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("ei-res/name-with-nul"));
    require_entry(file, 0,
                  "a\xe2\x90\x80"
                  "b",
                  "1", 0);
    assert_int_equal(ossa_as_ei_res(file)->entries[0].name.size, 3);
    ossa_file_free(file);
}

static void entries_outside_are_missing_and_the_others_are_not(void **state)
{
    (void)state;
    static const char *const names[] = {"ei-res/entry-outside", "ei-res/entry-far-outside",
                                        "ei-res/entry-that-wraps", "ei-res/entry-too-long"};
    for (size_t i = 0; i < 4; i++) {
        ossa_file *file = read_fixture(fixture_find(names[i]));
        ossa_bytes bytes;
        ossa_error error;
        int64_t index = ossa_find_entry(file, "none");
        const ossa_entry *entry = ossa_entry_at(file, (size_t)index);
        assert_true(entry->is_missing);
        assert_int_equal(entry->size, ossa_as_ei_res(file)->entries[1].size);
        assert_null(ossa_as_ei_res(file)->entries[1].data);
        assert_false(ossa_entry_bytes(file, (size_t)index, NULL, &bytes, &error));
        assert_int_equal(error.code, OSSA_CODE_BAD_OFFSET);
        assert_string_equal(error.field, "none");
        require_entry(file, (size_t)ossa_find_entry(file, "hp"), "hp", "the hips, at rest", 1);
        require_entry(file, (size_t)ossa_find_entry(file, "bd"), "bd", "0123456789abcdef", 2);
        ossa_file_free(file);
    }
}

static void entries_that_share_bytes_can_be_had(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("ei-res/shared-entry"));
    require_entry(file, (size_t)ossa_find_entry(file, "none"), "none", "0123456789abcdef", 3);
    require_entry(file, (size_t)ossa_find_entry(file, "bd"), "bd", "0123456789abcdef", 2);
    ossa_file_free(file);
    /* An archive may have itself in it: who goes in must count the levels. */
    file = read_fixture(fixture_find("ei-res/entry-is-archive"));
    ossa_bytes bytes;
    assert_true(ossa_entry_bytes(file, (size_t)ossa_find_entry(file, "none"), NULL, &bytes, NULL));
    assert_int_equal(bytes.size, file->size);
    ossa_bytes_free(&bytes);
    ossa_file_free(file);
}

static void names_that_are_not_there(void **state)
{
    (void)state;
    static const char *const names[] = {"ei-res/name-outside", "ei-res/empty-name"};
    for (size_t i = 0; i < 2; i++) {
        ossa_file *file = read_fixture(fixture_find(names[i]));
        require_entry(file, 2, "", "!", 972300002);
        char path[16];
        (void)ossa_entry_path(ossa_entry_at(file, 2)->name, path, sizeof path);
        assert_string_equal(path, "unnamed");
        ossa_file_free(file);
    }
}

/* ---- chains, compared with a plain lookup -------------------------------------------------- */

struct findings {
    size_t loops;
    size_t outside;
    size_t lost;
};

static void count_findings(void *user, const ossa_issue *issue)
{
    struct findings *findings = user;
    if (issue->code == OSSA_CODE_BAD_ORDER) findings->lost++;
    if (issue->code != OSSA_CODE_BAD_VALUE) return;
    if (strstr(issue->message, "returns to") != NULL) findings->loops++;
    else findings->outside++;
}

/* Loops, counted by walking from every slot. */
static size_t count_loops(const int64_t *next, size_t count)
{
    size_t loops = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t slot = (int64_t)i;
        bool is_least = true;
        for (size_t steps = 0; steps <= count && slot >= 0; steps++) {
            slot = next[slot];
            if (slot == (int64_t)i) break;
            if (slot >= 0 && slot < (int64_t)i) is_least = false;
        }
        if (slot == (int64_t)i && is_least) loops++;
    }
    return loops;
}

static bool leads_to(const int64_t *next, size_t count, size_t from, size_t to)
{
    int64_t slot = (int64_t)from;
    for (size_t steps = 0; steps <= count && slot >= 0; steps++) {
        if (slot == (int64_t)to) return true;
        slot = next[slot];
    }
    return false;
}

static void random_links_are_judged_as_a_walk_judges_them(void **state)
{
    (void)state;
    enum { MOST = 12 };
    struct random random = {2024};
    size_t with_loops = 0;
    size_t with_lost = 0;
    for (unsigned round = 0; round < 3000; round++) {
        struct res_item items[MOST];
        char names[MOST][4];
        size_t count = 1 + next_random(&random) % MOST;
        for (size_t i = 0; i < count; i++) {
            names[i][0] = (char)('a' + i);
            names[i][1] = (char)('a' + next_random(&random) % 26);
            names[i][2] = '\0';
            items[i] = (struct res_item){names[i], 0, "", 0, 0};
        }
        struct bytes file = make_res(&(struct res_plan){.items = items, .count = count}, NULL);
        size_t table = get_u32(&file, 8);
        int64_t next[MOST];
        size_t outside = 0;
        for (size_t i = 0; i < count; i++) {
            int32_t link = next_between(&random, -2, (uint32_t)count + 3);
            next[i] = link >= 0 && link < (int32_t)count ? link : -1;
            outside += next[i] < 0 && link != -1 ? 1 : 0;
            set_u32(&file, table + i * RES_RECORD + RES_NEXT, (uint32_t)link);
        }
        size_t lost = 0;
        for (size_t i = 0; i < count; i++) {
            size_t name =
                table + count * RES_RECORD + get_u32(&file, table + i * RES_RECORD + RES_NAME_AT);
            size_t first = ((size_t)file.data[name] + file.data[name + 1]) % count;
            lost += leads_to(next, count, first, i) ? 0 : 1;
        }
        struct findings findings = {0};
        ossa_options options = {.on_issue = count_findings, .user = &findings};
        ossa_file_free(read_or_fail("links", file.data, file.size, &options));
        assert_int_equal(findings.loops, count_loops(next, count));
        assert_int_equal(findings.outside, outside);
        assert_int_equal(findings.lost, lost);
        with_loops += findings.loops > 0 ? 1 : 0;
        with_lost += findings.lost > 0 ? 1 : 0;
        bytes_free(&file);
    }
    assert_true(with_loops > 500 && with_lost > 500);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

/* However many entries have the same bytes, they are written once. */
static void shared_bytes_are_dumped_once(void **state)
{
    (void)state;
    enum { COUNT = 500, SHARED = 20000 };
    struct res_item *items = calloc(COUNT, sizeof *items);
    char(*names)[8] = calloc(COUNT, sizeof *names);
    uint8_t *data = calloc(SHARED, 1);
    assert_true(items != NULL && names != NULL && data != NULL);
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t k = 0; k < 3; k++) names[i][k] = (char)('a' + (i >> (4 * k)) % 16);
        items[i] = (struct res_item){names[i], 0, data, i == 0 ? SHARED : 0, 0};
    }
    struct bytes file = make_res(&(struct res_plan){.items = items, .count = COUNT}, NULL);
    size_t table = get_u32(&file, 8);
    for (size_t i = 0; i < COUNT; i++) {
        set_u32(&file, table + i * RES_RECORD + RES_OFFSET, 16);
        set_u32(&file, table + i * RES_RECORD + RES_SIZE, SHARED);
    }
    ossa_options options = {.max_issues = 1};
    ossa_file *read = read_or_fail("shared", file.data, file.size, &options);
    assert_int_equal(read->warning_count, 0); /* as in the game's own archives: one remark */
    assert_int_equal(read->issue_count, 1);
    assert_int_equal(read->issues[0].severity, OSSA_SEVERITY_REMARK);
    assert_non_null(strstr(read->issues[0].message, "499 of 500 entries overlap another one"));
    struct bytes json = dump_or_fail("shared", read, OSSA_JSON_STYLE_LINE);
    assert_true(json.size < 3 * file.size + 150 * COUNT);
    ossa_file *built = build_or_fail("shared", &json);
    require_written("shared", built, file.data, file.size);
    bytes_free(&json);
    ossa_file_free(built);
    ossa_file_free(read);
    bytes_free(&file);
    free(data);
    free(names);
    free(items);
}

TEST_GROUP(test_ei_res)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_listed_in_the_order_of_their_bytes),
        cmocka_unit_test(the_struct_has_the_table_as_it_is),
        cmocka_unit_test(names_are_utf8),
        cmocka_unit_test(archives_lie_in_archives),
        cmocka_unit_test(archives_of_nothing),
        cmocka_unit_test(the_description_names_entries),
        cmocka_unit_test(hostile_names_become_safe_paths),
        cmocka_unit_test(a_nul_in_a_name_does_not_end_it),
        cmocka_unit_test(entries_outside_are_missing_and_the_others_are_not),
        cmocka_unit_test(entries_that_share_bytes_can_be_had),
        cmocka_unit_test(names_that_are_not_there),
        cmocka_unit_test(random_links_are_judged_as_a_walk_judges_them),
        cmocka_unit_test(shared_bytes_are_dumped_once),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
