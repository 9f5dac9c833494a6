/* SPDX-License-Identifier: MIT
 *
 * Where one thing of a workspace ends and the next begins: names that begin alike, names inside of
 * names, and what is looked at of one archive after another. */
#include "support/file_table.h"
#include "support/packing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(ossa_workspace *workspace, const char *path, const struct bytes *bytes)
{
    assert_true(ossa_workspace_add_memory(workspace, path, bytes->data, bytes->size, NULL));
}

static void walk(ossa_workspace *workspace, const char *path, ossa_detail detail,
                 struct visit_log *log)
{
    const ossa_walk_options options = {
        .detail = detail, .deep = true, .visit = log_visit, .user = log};
    *log = (struct visit_log){.size = 0};
    assert_true(ossa_workspace_walk(workspace, path, &options, NULL));
}

static void a_folder_is_not_its_neighbour(void **state)
{
    (void)state;
    static const char *const paths[] = {"man/a.txt", "mana/b.txt", "man.txt", "man/s/c.txt", "ma"};
    struct bytes text = bytes_copy("text", 4);
    ossa_workspace *workspace = ossa_workspace_new(NULL, NULL);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) add(workspace, paths[i], &text);
    struct visit_log log;
    walk(workspace, "man", OSSA_DETAIL_NAMES, &log);
    assert_string_equal(log.text, "0 man/a.txt -\n0 man/s/c.txt -\n");
    walk(workspace, "mana", OSSA_DETAIL_NAMES, &log);
    assert_string_equal(log.text, "0 mana/b.txt -\n");
    ossa_workspace_free(workspace);
    bytes_free(&text);
}

/* `x#y#z` may be `y#z` in the archive `x`, or `z` in the archive `x#y`: the longer name counts. */
static void the_longest_name_is_the_entry(void **state)
{
    (void)state;
    const ossa_packing in_short = {"y#z", (const uint8_t *)"short", 5, 1};
    const ossa_packing in_long = {"z", (const uint8_t *)"long", 4, 1};
    struct bytes inner[2] = {pack_or_fail("ei-res", "x", &in_short, 1),
                             pack_or_fail("ei-res", "x#y", &in_long, 1)};
    const ossa_packing entries[] = {{"x", inner[0].data, inner[0].size, 1},
                                    {"x#y", inner[1].data, inner[1].size, 1}};
    struct bytes outer = pack_or_fail("ei-res", "o", entries, 2);
    ossa_workspace *workspace = ossa_workspace_new(NULL, NULL);
    ossa_bytes bytes;
    add(workspace, "o", &outer);
    assert_true(ossa_workspace_bytes(workspace, "o#x#y#z", &bytes, NULL));
    assert_int_equal(bytes.size, 4);
    assert_memory_equal(bytes.data, "long", 4);
    ossa_bytes_free(&bytes);
    ossa_workspace_free(workspace);
    bytes_free(&outer);
    bytes_free(&inner[0]);
    bytes_free(&inner[1]);
}

/* ---- very many # --------------------------------------------------------------------------- */

enum { VERY_MANY = 5000, ROOM = VERY_MANY + 100 };

/* BEFORE, so many #, and BEHIND; in the buffer, which has ROOM. */
static const char *with_marks(char *path, const char *before, size_t count, const char *behind)
{
    size_t size = strlen(before);
    assert_true(size + count + strlen(behind) < ROOM);
    memcpy(path, before, size);
    memset(path + size, '#', count);
    memcpy(path + size + count, behind, strlen(behind) + 1);
    return path;
}

static ossa_code code_of(ossa_workspace *workspace, const char *path)
{
    ossa_error error = {0};
    ossa_bytes bytes = {0};
    if (ossa_workspace_bytes(workspace, path, &bytes, &error)) ossa_bytes_free(&bytes);
    return error.code;
}

/* Each # may end the name of a file, but a name has only so many. */
static void few_files_are_tried_for_many_marks(void **state)
{
    (void)state;
    static struct file_table table;
    static char name[ROOM];
    static char path[ROOM];
    const ossa_packing entry = {"e", (const uint8_t *)"text", 4, 1};
    table_add(&table, with_marks(name, "", 255, ""), pack_or_fail("ei-res", "a", &entry, 1));
    ossa_workspace *workspace = table_workspace(&table, NULL);
    assert_int_equal(code_of(workspace, with_marks(path, "", 255, "#e")), OSSA_CODE_OK);
    table.calls = 0;
    assert_int_equal(code_of(workspace, with_marks(path, "x", 200, "")), OSSA_CODE_IO);
    assert_in_range(table.calls, 200, 210);
    table.calls = 0;
    assert_int_equal(code_of(workspace, with_marks(path, "x", VERY_MANY, "")), OSSA_CODE_LIMIT);
    assert_in_range(table.calls, 1, 300);
    ossa_workspace_free(workspace);
    table_free(&table);
}

/* Where there is no such entry, the error says in which archive. */
static void require_none(ossa_workspace *workspace, const char *path, const char *archive)
{
    ossa_error error;
    ossa_bytes bytes;
    assert_false(ossa_workspace_bytes(workspace, path, &bytes, &error));
    assert_int_equal(error.code, OSSA_CODE_NO_ENTRY);
    const char *in = strstr(error.message, " in ");
    require(in != NULL && strcmp(in + 4, archive) == 0, archive, "%s", error.message);
}

/* Each # may end the name of an entry: of very many those are tried that are near to an end. */
static void few_entries_are_tried_for_many_marks(void **state)
{
    (void)state;
    static char marked[ROOM];
    static char path[ROOM];
    static char archive[ROOM];
    const ossa_packing inside = {with_marks(marked, "n", 100, ""), (const uint8_t *)"text", 4, 1};
    struct bytes inner = pack_or_fail("ei-res", "inner", &inside, 1);
    const ossa_packing entries[] = {{"inner", inner.data, inner.size, 1},
                                    {marked, inner.data, inner.size, 1}};
    struct bytes outer = pack_or_fail("ei-res", "outer", entries, 2);
    ossa_workspace *workspace = ossa_workspace_new(NULL, NULL);
    add(workspace, "o", &outer);
    (void)with_marks(archive, "o#n", 100, "");
    assert_int_equal(code_of(workspace, with_marks(path, "o#n", 100, "")), OSSA_CODE_OK);
    assert_int_equal(code_of(workspace, with_marks(path, "o#inner#n", 100, "")), OSSA_CODE_OK);
    require_none(workspace, with_marks(path, "o#n", 100, "#none#####"), archive);
    require_none(workspace, with_marks(path, "o#inner#none", VERY_MANY, ""), "o#inner");
    /* A name in the middle of as many is not found: nobody has tried it. */
    require_none(workspace, with_marks(path, "o#n", VERY_MANY, ""), "o");
    ossa_workspace_free(workspace);
    bytes_free(&outer);
    bytes_free(&inner);
}

/* ---- budgets ------------------------------------------------------------------------------- */

enum { RECORD = 22, ENTRIES = 200, LARGE = 100 << 10 };

/* An archive whose entries all have the bytes of the largest. */
static struct bytes make_sharing(void)
{
    static uint8_t filler[LARGE];
    static char names[ENTRIES][8];
    static ossa_packing entries[ENTRIES];
    for (unsigned i = 0; i < ENTRIES; i++) {
        (void)snprintf(names[i], sizeof names[i], "%03u", i);
        entries[i] = (ossa_packing){names[i], filler, i == 0 ? LARGE : 16, 1};
    }
    struct bytes archive = pack_or_fail("ei-res", "sharing", entries, ENTRIES);
    size_t table = get_u32(&archive, 8);
    size_t large = table;
    for (unsigned i = 0; i < ENTRIES; i++) {
        size_t at = table + (size_t)RECORD * i;
        if (get_u32(&archive, at + 4) == LARGE) large = at;
    }
    for (unsigned i = 0; i < ENTRIES; i++) {
        size_t at = table + (size_t)RECORD * i;
        set_u32(&archive, at + 4, get_u32(&archive, large + 4));
        set_u32(&archive, at + 8, get_u32(&archive, large + 8));
    }
    return archive;
}

/* The archive after one that was given up is looked at all the same. */
static void each_archive_has_its_own_budget(void **state)
{
    (void)state;
    struct bytes sharing = make_sharing();
    struct bytes plain = load_test_file("../samples/packed/textures.res");
    ossa_workspace *workspace = ossa_workspace_new(NULL, NULL);
    add(workspace, "d/1.res", &sharing);
    add(workspace, "d/2.res", &plain);
    struct visit_log log;
    walk(workspace, "d", OSSA_DETAIL_FILES, &log);
    assert_int_equal(log.code, OSSA_CODE_LIMIT); /* and nothing after it */
    size_t both = log.count;
    walk(workspace, "d/1.res", OSSA_DETAIL_FILES, &log);
    assert_int_equal(log.code, OSSA_CODE_LIMIT);
    assert_true(log.count < ENTRIES);
    size_t first = log.count;
    walk(workspace, "d/2.res", OSSA_DETAIL_FILES, &log);
    assert_int_equal(log.errors, 0);
    assert_true(log.count > 1);
    assert_int_equal(both, first + log.count);
    ossa_workspace_free(workspace);
    bytes_free(&sharing);
    bytes_free(&plain);
}

#ifdef OSSA_WITH_ZLIB

/* Each is small enough; all of them together are not. */
static void what_is_unpacked_adds_up(void **state)
{
    (void)state;
    enum { BOMBS = 12, SIZE = 900 << 10 };
    static char names[BOMBS][8];
    uint8_t *zeros = calloc(SIZE, 1);
    ossa_packing entries[BOMBS];
    assert_non_null(zeros);
    for (unsigned i = 0; i < BOMBS; i++) {
        (void)snprintf(names[i], sizeof names[i], "%02u", i);
        entries[i] = (ossa_packing){names[i], zeros, SIZE, 1};
    }
    struct bytes archive = pack_or_fail("mm-ar", "bombs", entries, BOMBS);
    assert_true(archive.size < BOMBS * (size_t)SIZE / 100);
    const ossa_workspace_options options = {.max_input = 1 << 20};
    ossa_workspace *workspace = ossa_workspace_new(&options, NULL);
    add(workspace, "b.ar", &archive);
    struct visit_log log;
    walk(workspace, "b.ar", OSSA_DETAIL_FILES, &log);
    assert_int_equal(log.code, OSSA_CODE_TOO_LARGE);
    assert_true(log.count > 1 && log.count < BOMBS);
    ossa_workspace_free(workspace);
    bytes_free(&archive);
    free(zeros);
}

#endif

TEST_GROUP(test_workspace_bounds)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_is_not_its_neighbour),
        cmocka_unit_test(the_longest_name_is_the_entry),
        cmocka_unit_test(few_files_are_tried_for_many_marks),
        cmocka_unit_test(few_entries_are_tried_for_many_marks),
        cmocka_unit_test(each_archive_has_its_own_budget),
#ifdef OSSA_WITH_ZLIB
        cmocka_unit_test(what_is_unpacked_adds_up),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
