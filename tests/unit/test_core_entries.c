/* SPDX-License-Identifier: MIT
 *
 * What the modules of archives share: names, places, dates, the table for people. */
#include "test_core.h"

#include "archive/entries.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>

static struct ossa__context context_with(struct memory *memory)
{
    struct ossa__context context;
    ossa_options options = {.allocator = counted(memory)};
    ossa__context_init(&context, &options, 0);
    context.format = "test";
    return context;
}

/* ---- names --------------------------------------------------------------------------------- */

static void stored_names_become_text(void **state)
{
    (void)state;
    char text[32];
    size_t size = ossa__name_text("a\0\xe9", 3, ossa__latin_to_unicode, text);
    assert_string_equal(text, "a\xe2\x90\x80\xc3\xa9");
    assert_int_equal(size, strlen(text) + 1);
    assert_int_equal(ossa__name_text("a\0\xe9", 3, ossa__latin_to_unicode, NULL), size);
    size = ossa__name_text("\xe6\x98", 2, ossa__cp1251_to_unicode, text);
    assert_string_equal(text, "\xd0\xb6\xc2\x98");
    assert_int_equal(size, 5);
    assert_int_equal(ossa__name_text("", 0, ossa__latin_to_unicode, text), 1);
    assert_string_equal(text, "");
}

static void text_becomes_stored_names(void **state)
{
    (void)state;
    struct memory memory = {.fail_from = NEVER};
    struct ossa__context context = context_with(&memory);
    size_t size;
    const uint8_t *bytes =
        ossa__name_bytes(&context, "a\xc3\xa9", ossa__latin_from_unicode, "Latin-1", &size);
    assert_int_equal(size, 2);
    assert_memory_equal(bytes, "a\xe9", 2);
    assert_null(
        ossa__name_bytes(&context, "\xd0\xb6\x1b", ossa__latin_from_unicode, "Latin-1", &size));
    assert_int_equal(context.error.code, OSSA_CODE_BAD_VALUE);
    assert_string_equal(context.error.message, "'\xd0\xb6?': Latin-1 has no character U+0436, so "
                                               "the archive cannot hold this name");
    context.failed = false;
    assert_null(ossa__name_bytes(&context, "a\xff", ossa__latin_from_unicode, "Latin-1", &size));
    assert_string_equal(context.error.message, "'a?' is not UTF-8");
    ossa__arena_free(&context.scratch);
    ossa__arena_free(&context.arena);
    assert_int_equal(memory.live_blocks, 0);
}

static void names_are_shown_short_and_harmless(void **state)
{
    (void)state;
    assert_string_equal(ossa__show_name("plain").text, "plain");
    assert_string_equal(ossa__show_name("").text, "");
    assert_string_equal(ossa__show_name("a\x1b[1m\x7f\xc2\x9b\xff\n").text, "a?[1m????");
    static const char *const units[] = {"x", "\xd0\xb6", "\xe2\x82\xac", "\xf0\x9f\xa6\xb4"};
    for (size_t u = 0; u < COUNT_OF(units); u++) {
        char name[128] = "";
        for (size_t used = 0; used + 4 < sizeof name; used = strlen(name)) {
            (void)snprintf(name + used, sizeof name - used, "%s", units[u]);
            struct ossa__shown shown = ossa__show_name(name);
            size_t size = strlen(shown.text);
            assert_true(size < sizeof shown.text);
            assert_true(ossa__utf8_is_valid(shown.text, size));
            if (strlen(name) < sizeof shown.text) assert_string_equal(shown.text, name);
            else assert_string_equal(shown.text + size - 3, "...");
        }
    }
}

static void the_first_of_a_name_is_found(void **state)
{
    (void)state;
    static const char *const names[] = {"b", "a", "B", "c", "a", "b", "C", "d"};
    static const uint32_t exact[] = {0, 1, 2, 3, 1, 0, 6, 7};
    static const uint32_t cased[] = {0, 1, 0, 3, 1, 0, 3, 7};
    struct memory memory = {.fail_from = NEVER};
    struct ossa__context context = context_with(&memory);
    const uint32_t *first = ossa__first_of_names(&context, names, COUNT_OF(names), strcmp);
    assert_memory_equal(first, exact, sizeof exact);
    first = ossa__first_of_names(&context, names, COUNT_OF(names), ossa__compare_names);
    assert_memory_equal(first, cased, sizeof cased);
    assert_non_null(ossa__first_of_names(&context, NULL, 0, strcmp));
    ossa__arena_free(&context.scratch);
    ossa__arena_free(&context.arena);
    memory = (struct memory){.fail_from = 0};
    context = context_with(&memory);
    assert_null(ossa__first_of_names(&context, names, COUNT_OF(names), strcmp));
    assert_int_equal(context.error.code, OSSA_CODE_OUT_OF_MEMORY);
    ossa__arena_free(&context.scratch);
    ossa__arena_free(&context.arena);
}

/* ---- places -------------------------------------------------------------------------------- */

static void places_are_sorted(void **state)
{
    (void)state;
    struct ossa__place places[] = {{9, 0, 0}, {5, 2, 1},          {5, 1, 3},
                                   {5, 1, 2}, {UINT64_MAX, 0, 4}, {0, 7, 5}};
    static const uint32_t wanted[] = {5, 2, 3, 1, 0, 4};
    struct memory memory = {.fail_from = NEVER};
    struct ossa__context context = context_with(&memory);
    assert_true(ossa__sort_places(&context, places, COUNT_OF(places)));
    for (size_t i = 0; i < COUNT_OF(places); i++) assert_int_equal(places[i].index, wanted[i]);
    ossa__arena_free(&context.scratch);
    ossa__arena_free(&context.arena);
    assert_int_equal(ossa__align(0, 16), 0);
    assert_int_equal(ossa__align(1, 16), 16);
    assert_int_equal(ossa__align(16, 16), 16);
}

struct found {
    size_t count;
    uint64_t offsets[8];
    ossa_code codes[8];
    char first[OSSA_MESSAGE_CAPACITY];
};

static void note(void *user, const ossa_issue *issue)
{
    struct found *found = user;
    bool is_gap = issue->code == OSSA_CODE_GAP;
    assert_int_equal(issue->severity, is_gap ? OSSA_SEVERITY_REMARK : OSSA_SEVERITY_WARNING);
    if (found->count == 0) (void)snprintf(found->first, sizeof found->first, "%s", issue->message);
    found->offsets[found->count] = issue->offset;
    found->codes[found->count++] = issue->code;
}

static void unused_bytes_are_told_of(void **state)
{
    (void)state;
    struct memory memory = {.fail_from = NEVER};
    struct found found = {0};
    struct ossa__context context = context_with(&memory);
    context.options.on_issue = note;
    context.options.user = &found;
    uint8_t image[40] = {0};
    struct ossa__runs used;
    assert_true(ossa__runs_init(&used, &context, sizeof image, 2));
    ossa__runs_mark(&used, 0, 5);  /* then 3 zeros before 8: padding */
    ossa__runs_mark(&used, 8, 4);  /* then a whole 4 zeros: too much */
    ossa__runs_mark(&used, 16, 1); /* then 2 zeros before 19: not at a multiple */
    ossa__runs_mark(&used, 19, 4); /* then something before 24 */
    image[23] = 1;
    ossa__runs_mark(&used, 24, 9); /* then 7 at the end */
    ossa__check_unused(&used, image, 4, OSSA_SEVERITY_REMARK);
    static const uint64_t offsets[] = {12, 33};
    assert_int_equal(found.count, 2);
    assert_memory_equal(found.offsets, offsets, sizeof offsets);
    assert_int_equal(found.codes[0], OSSA_CODE_GAP);
    assert_string_equal(found.first, "3 gaps between the entries, 7 bytes that nothing uses; the "
                                     "first are at 0xc, 0x11, 0x17");
    assert_int_equal(found.codes[1], OSSA_CODE_TRAILING_BYTES);
    ossa__arena_free(&context.scratch);
    ossa__arena_free(&context.arena);
}

/* ---- dates --------------------------------------------------------------------------------- */

static void dates_are_right(void **state)
{
    (void)state;
    static const struct {
        uint32_t seconds;
        const char *text;
    } dates[] = {{0, "1970-01-01 00:00:00"},          {86399, "1970-01-01 23:59:59"},
                 {951782399, "2000-02-28 23:59:59"},  {951782400, "2000-02-29 00:00:00"},
                 {951868800, "2000-03-01 00:00:00"},  {972300000, "2000-10-23 11:20:00"},
                 {978307199, "2000-12-31 23:59:59"},  {1709164800, "2024-02-29 00:00:00"},
                 {2147483647, "2038-01-19 03:14:07"}, {4107542400U, "2100-03-01 00:00:00"},
                 {4294967295U, "2106-02-07 06:28:15"}};
    for (size_t i = 0; i < COUNT_OF(dates); i++)
        assert_string_equal(ossa__date_of(dates[i].seconds).text, dates[i].text);
    /* Every day, counted by hand. */
    static const unsigned months[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    unsigned year = 1970;
    unsigned month = 0;
    unsigned day = 1;
    for (uint64_t seconds = 0; seconds <= UINT32_MAX; seconds += 86400) {
        char text[48];
        (void)snprintf(text, sizeof text, "%04u-%02u-%02u 00:00:00", year, month + 1, day);
        assert_string_equal(ossa__date_of((uint32_t)seconds).text, text);
        bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        if (++day <= months[month] + (is_leap && month == 1 ? 1U : 0U)) continue;
        day = 1;
        if (++month < 12) continue;
        month = 0;
        year++;
    }
}

/* ---- the table ----------------------------------------------------------------------------- */

static void the_table_shows_what_entries_are(void **state)
{
    (void)state;
    /* A LNK of one part, and bytes that are nothing. */
    static const uint8_t image[] = "\1\0\0\0\3\0\0\0hp\0\0\0\0\0junk";
    static const ossa_entry entries[] = {
        {.name = "Troll\x1b", .stored_size = 15, .size = 15, .has_time = true, .time = 972300000},
        {.name = "other", .offset = 15, .stored_size = 4, .size = 4},
        {.name = "gone", .offset = 99, .stored_size = 7, .size = 7, .is_missing = true},
        {.name = "small", .stored_size = 4, .size = 100, .is_packed = true},
        {.name = "", .offset = 19}};
    struct ossa__listing listing = {
        .entries = entries, .count = COUNT_OF(entries), .image = image, .image_size = 19};
    ossa_buffer buffer = {0};
    struct ossa__report report = {.sink = ossa_buffer_sink(&buffer)};
    ossa__report_entries(&report, &listing);
    assert_string_equal(text_of(&buffer), "  entries        5\n"
                                          "  bytes in them  126\n"
                                          "        size time                format    name\n"
                                          "          15 2000-10-23 11:20:00 ei-lnk    Troll?\n"
                                          "           4 -                   -         other\n"
                                          "           7 -                   missing   gone\n"
                                          "         100 -                   -         small\n"
                                          "           0 -                   -          \n");
    ossa_buffer_free(&buffer);
    struct ossa__json json;
    ossa__json_start(&json, ossa_buffer_sink(&buffer), OSSA_JSON_STYLE_LINE);
    report = (struct ossa__report){.json = &json};
    listing.count = 2;
    ossa__json_begin_object(&json);
    ossa__report_entries(&report, &listing);
    ossa__json_end_object(&json);
    assert_true(ossa__json_finish(&json));
    assert_string_equal(
        text_of(&buffer),
        "{\"entries\":2,\"bytes\":19,\"entry_table\":["
        "{\"size\":15,\"time\":972300000,\"format\":\"ei-lnk\",\"name\":\"Troll\\u001b\"},"
        "{\"size\":4,\"format\":\"\",\"name\":\"other\"}]}");
    ossa_buffer_free(&buffer);
}

static void the_table_has_an_end(void **state)
{
    (void)state;
    ossa_entry entries[25];
    for (size_t i = 0; i < COUNT_OF(entries); i++) entries[i] = (ossa_entry){.name = "x"};
    struct ossa__listing listing = {
        .entries = entries, .count = COUNT_OF(entries), .image = (const uint8_t *)""};
    ossa_buffer buffer = {0};
    struct ossa__report report = {.sink = ossa_buffer_sink(&buffer)};
    ossa__report_entries(&report, &listing);
    const char *text = text_of(&buffer);
    assert_non_null(strstr(text, "5 more entries are not shown"));
    size_t lines = 0;
    for (const char *c = text; *c != '\0'; c++) lines += *c == '\n' ? 1 : 0;
    assert_int_equal(lines, 2 + 1 + 20 + 1);
    ossa_buffer_free(&buffer);
    listing.count = 0;
    ossa__report_entries(&report, &listing);
    assert_string_equal(text_of(&buffer), "  entries        0\n  bytes in them  0\n");
    ossa_buffer_free(&buffer);
}

TEST_GROUP(test_core_entries)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stored_names_become_text),
        cmocka_unit_test(text_becomes_stored_names),
        cmocka_unit_test(names_are_shown_short_and_harmless),
        cmocka_unit_test(the_first_of_a_name_is_found),
        cmocka_unit_test(places_are_sorted),
        cmocka_unit_test(unused_bytes_are_told_of),
        cmocka_unit_test(dates_are_right),
        cmocka_unit_test(the_table_shows_what_entries_are),
        cmocka_unit_test(the_table_has_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
