/* SPDX-License-Identifier: MIT */
#include "support/testing.h"

#include <string.h>

static void require_name(const ossa_ei_name *name, const char *utf8)
{
    char text[128];
    size_t length = ossa_ei_name_utf8(name, text, sizeof text);
    assert_int_equal(length, strlen(utf8));
    assert_string_equal(text, utf8);
}

static void the_troll_is_a_tree(void **state)
{
    (void)state;
    static const struct {
        const char *child;
        int32_t parent;
        uint32_t depth;
        bool last;
    } expected[] = {{"hp", -1, 0, true},  {"bd", 0, 1, false},  {"hd", 1, 2, false},
                    {"lh1", 1, 2, false}, {"lh2", 3, 3, true},  {"lh3", 4, 4, true},
                    {"rh1", 1, 2, true},  {"rh2", 6, 3, true},  {"rh3", 7, 4, true},
                    {"ll1", 0, 1, false}, {"ll2", 9, 2, true},  {"ll3", 10, 3, true},
                    {"rl1", 0, 1, true},  {"rl2", 12, 2, true}, {"rl3", 13, 3, true}};
    ossa_file *file = read_fixture(fixture_find("ei-lnk/troll"));
    const ossa_ei_lnk *lnk = ossa_as_ei_lnk(file);
    assert_int_equal(lnk->link_count, 15);
    for (size_t i = 0; i < 15; i++) {
        const ossa_ei_link *link = &lnk->links[i];
        require_name(&link->child, expected[i].child);
        require_name(&link->parent, i == 0 ? "" : expected[expected[i].parent].child);
        assert_int_equal(link->parent_index, expected[i].parent);
        assert_int_equal(link->depth, expected[i].depth);
        assert_int_equal(link->last_sibling, expected[i].last);
        assert_true(link->child.has_nul);
        assert_int_equal(link->parent.has_nul, i > 0);
    }
    ossa_file_free(file);
}

static void names_point_into_the_file(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("ei-lnk/mixed-nul");
    static const bool child_nul[] = {true, false, true, false};
    static const bool parent_nul[] = {false, false, false, true};
    ossa_file *file = read_fixture(fixture);
    const ossa_ei_lnk *lnk = ossa_as_ei_lnk(file);
    assert_ptr_equal(lnk->links[0].child.bytes, fixture->bytes.data + 8);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(lnk->links[i].child.size, 2);
        assert_int_equal(lnk->links[i].child.has_nul, child_nul[i]);
        assert_int_equal(lnk->links[i].parent.has_nul, parent_nul[i]);
    }
    ossa_file_free(file);
}

static void a_copy_outlives_the_input(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("ei-lnk/trailing-bytes");
    ossa_file *file = read_and_lose_input(fixture);
    require_name(&ossa_as_ei_lnk(file)->links[1].child, "bd");
    require_written(fixture->name, file, fixture->bytes.data, fixture->bytes.size);
    ossa_file_free(file);
}

/* ---- names --------------------------------------------------------------------------------- */

static void cyrillic_names_are_utf8_and_know_their_parents(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("ei-lnk/cyrillic"));
    const ossa_ei_lnk *lnk = ossa_as_ei_lnk(file);
    require_name(&lnk->links[0].child, "корень");
    require_name(&lnk->links[1].child, "рука");
    require_name(&lnk->links[1].parent, "КОРЕНЬ");
    require_name(&lnk->links[2].child, "Нога");
    require_name(&lnk->links[3].child, "ё«Ђ");
    assert_int_equal(lnk->links[1].parent_index, 0); /* case is ignored */
    assert_int_equal(lnk->links[3].parent_index, 2);
    ossa_file_free(file);
    file = read_fixture(fixture_find("ei-lnk/letter-case"));
    assert_int_equal(ossa_as_ei_lnk(file)->links[2].parent_index, 1);
    ossa_file_free(file);
}

static void the_byte_without_a_character_survives(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("ei-lnk/byte-98"));
    require_name(&ossa_as_ei_lnk(file)->links[0].child, "a\xc2\x98z");
    struct bytes json = dump_or_fail("byte-98", file, OSSA_JSON_STYLE_LINE);
    put_u8(&json, 0);
    assert_non_null(strstr((const char *)json.data, "\"child\":\"a\\u0098z\""));
    bytes_free(&json);
    ossa_file_free(file);
}

static void a_name_is_cut_between_characters(void **state)
{
    (void)state;
    static const char bytes[] = "a\xea\xee\x88"; /* a, two of 2 bytes, the euro of 3 */
    const ossa_ei_name name = {.bytes = bytes, .size = 4};
    static const char *const expected[] = {"", "a", "a", "aк", "aк", "aко", "aко", "aко", "aко€"};
    for (size_t capacity = 1; capacity <= 9; capacity++) {
        char text[16];
        memset(text, '#', sizeof text);
        assert_int_equal(ossa_ei_name_utf8(&name, text, capacity), 8);
        assert_string_equal(text, expected[capacity - 1]);
        assert_int_equal(text[capacity], '#');
    }
    assert_int_equal(ossa_ei_name_utf8(&name, NULL, 0), 8);
}

/* ---- rules --------------------------------------------------------------------------------- */

/* "child parent ..." with NULs; "" for none. */
static struct bytes make(const char *const *pairs, uint32_t count)
{
    struct bytes file = {0};
    put_u32(&file, count);
    for (uint32_t i = 0; i < 2 * count; i++) {
        size_t size = strlen(pairs[i]);
        put_u32(&file, (uint32_t)size + (size > 0 ? 1 : 0));
        if (size > 0) put_bytes(&file, pairs[i], size + 1);
    }
    return file;
}

/* Behind a part with an unknown parent, or a second root, the others are where they belong. */
static void one_fault_is_told_once(void **state)
{
    (void)state;
    static const char *const stray[] = {"hp", "", "bd", "hp", "xx", "zz", "hd", "bd", "xy", "xx"};
    static const char *const second[] = {"hp", "", "bd", "hp", "r2", "", "c2", "r2", "hd", "bd"};
    static const char *const moved[] = {"hp", "",   "bd", "hp", "ll", "hp",
                                        "hd", "bd", "ha", "hd", "h2", "bd"};
    static const struct {
        const char *const *pairs;
        uint32_t count;
        ossa_code code;
        const char *field;
    } cases[] = {{stray, 4, OSSA_CODE_UNKNOWN_PARENT, "links[2].parent"},
                 {second, 5, OSSA_CODE_BAD_ROOT, "links[2].parent"},
                 {moved, 6, OSSA_CODE_BAD_ORDER, "links[3].parent"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bytes bytes = make(cases[i].pairs, cases[i].count);
        ossa_file *file = read_or_fail("tree", bytes.data, bytes.size, NULL);
        assert_int_equal(file->issue_count, 1);
        assert_int_equal(file->issues[0].code, cases[i].code);
        assert_string_equal(file->issues[0].field, cases[i].field);
        ossa_file_free(file);
        bytes_free(&bytes);
    }
    /* A child of the stray part is fine, and then it is too late for one of bd. */
    struct bytes bytes = make(stray, 5);
    ossa_file *file = read_or_fail("tree", bytes.data, bytes.size, NULL);
    assert_int_equal(file->issue_count, 2);
    assert_int_equal(file->issues[1].code, OSSA_CODE_BAD_ORDER);
    assert_string_equal(file->issues[1].field, "links[4].parent");
    ossa_file_free(file);
    bytes_free(&bytes);
}

/* A long name is cut in a message, but never inside a character. */
static void long_names_leave_messages_valid(void **state)
{
    (void)state;
    for (size_t lead = 0; lead < 4; lead++) {
        for (int byte = 0; byte < 2; byte++) { /* characters of two and of three bytes */
            char name[128] = "";
            memset(name, 'x', lead);
            memset(name + lead, byte == 0 ? '\xe6' : '\x88', 80);
            const char *pairs[] = {"hp", "", name, "zz"};
            struct bytes bytes = make(pairs, 2);
            ossa_file *file = read_or_fail("long name", bytes.data, bytes.size, NULL);
            assert_int_equal(file->issue_count, 1);
            const char *message = file->issues[0].message;
            const char *dots = strstr(message, "...'");
            assert_non_null(dots);
            size_t used = (size_t)(dots - message) - 1 - lead;
            assert_int_equal(used % (byte == 0 ? 2 : 3), 0);
            assert_true((size_t)(dots - message) <= 64);
            ossa_file_free(file);
            bytes_free(&bytes);
        }
    }
}

/* ---- changing a file ----------------------------------------------------------------------- */

static void a_renamed_part_changes_only_its_name(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("ei-lnk/troll");
    ossa_file *file = read_fixture(fixture);
    ossa_ei_lnk *lnk = ossa_as_ei_lnk(file);
    ossa_ei_link links[15];
    memcpy(links, lnk->links, sizeof links);
    links[2].child = (ossa_ei_name){.bytes = "skull", .size = 5, .has_nul = false};
    lnk->links = links;
    struct bytes expected = {0};
    const size_t at = 4 + 11 + 14; /* behind hp and bd */
    put_bytes(&expected, fixture->bytes.data, at);
    put_u32(&expected, 5);
    put_text(&expected, "skull");
    put_bytes(&expected, fixture->bytes.data + at + 7, fixture->bytes.size - at - 7);
    require_written(fixture->name, file, expected.data, expected.size);
    lnk->link_count = 2;
    set_u32(&expected, 0, 2);
    require_written(fixture->name, file, expected.data, at);
    bytes_free(&expected);
    ossa_file_free(file);
}

TEST_GROUP(test_ei_lnk)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_troll_is_a_tree),
        cmocka_unit_test(names_point_into_the_file),
        cmocka_unit_test(a_copy_outlives_the_input),
        cmocka_unit_test(cyrillic_names_are_utf8_and_know_their_parents),
        cmocka_unit_test(the_byte_without_a_character_survives),
        cmocka_unit_test(a_name_is_cut_between_characters),
        cmocka_unit_test(one_fault_is_told_once),
        cmocka_unit_test(long_names_leave_messages_valid),
        cmocka_unit_test(a_renamed_part_changes_only_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
