/* SPDX-License-Identifier: MIT
 *
 * Facts about a file, for people and as JSON, from the same calls. */
#include "test_core.h"

#include "codec/report.h"

#include <jansson.h>
#include <math.h>

static const struct ossa__column columns[] = {
    {"bone", "bone", 6}, {"step", "step", 8}, {"name", "name", -8}, {"end", "end", -1}};

static void say_everything(struct ossa__report *report)
{
    const float values[] = {1, -2, 3, -1, INFINITY, 0.5F};
    ossa__report_integer(report, "frames", "frames", 24);
    ossa__report_number(report, "duration", "duration", 0.8, "s");
    ossa__report_number(report, "factor", "factor", 2, "");
    ossa__report_text(report, "dialect", "dialect", "mm1 \"x\"");
    ossa__report_note(report, "%d of %s", 2, "them");
    ossa__report_ranges(report, "root", "root", values, 2, 3, "xyz");
    ossa__report_ranges(report, "none", "none", NULL, 0, 3, "xyz");
    ossa__report_begin_table(report, "table", columns, 4);
    for (int i = 0; i < 2; i++) {
        ossa__report_begin_row(report);
        ossa__report_cell_integer(report, &columns[0], -i);
        ossa__report_cell_number(report, &columns[1], i / 4.0);
        ossa__report_cell_text(report, &columns[2], i == 0 ? "a" : "bc");
        ossa__report_cell_text(report, &columns[3], "e");
        ossa__report_end_row(report);
    }
    ossa__report_end_table(report);
    ossa__report_line(report, "%s", "as it is");
    ossa__report_bytes(report, "ab", 2);
    ossa__report_bytes(report, "", 0);
}

static void for_people(void **state)
{
    (void)state;
    struct sink sink = {.fail_at = NEVER};
    struct ossa__report report = {.sink = failing(&sink)};
    say_everything(&report);
    assert_false(report.failed);
    assert_string_equal(text_of(&sink.buffer), "  frames         24\n"
                                               "  duration       0.8 s\n"
                                               "  factor         2\n"
                                               "  dialect        mm1 \"x\"\n"
                                               "  note           2 of them\n"
                                               "  root           x -1 .. 1, y -2 .. -2, z 0.5 .. 3 "
                                               "(1 values are not finite)\n"
                                               "    bone     step name     end\n"
                                               "       0        0 a        e\n"
                                               "      -1     0.25 bc       e\n"
                                               "as it is\n"
                                               "ab");
    ossa_buffer_free(&sink.buffer);
}

static void for_programs(void **state)
{
    (void)state;
    struct sink sink = {.fail_at = NEVER};
    struct ossa__json json;
    struct ossa__report report = {.json = &json}; /* no sink: it must not be touched */
    ossa__json_start(&json, failing(&sink), OSSA_JSON_STYLE_LINE);
    ossa__json_begin_object(&json);
    say_everything(&report);
    ossa__json_end_object(&json);
    assert_true(ossa__json_finish(&json));
    assert_string_equal(text_of(&sink.buffer),
                        "{\"frames\":24,\"duration\":0.800000012,\"factor\":2,"
                        "\"dialect\":\"mm1 \\\"x\\\"\","
                        "\"root\":{\"x\":[-1,1],\"y\":[-2,-2],\"z\":[0.5,3]},"
                        "\"table\":[{\"bone\":0,\"step\":0,\"name\":\"a\",\"end\":\"e\"},"
                        "{\"bone\":-1,\"step\":0.25,\"name\":\"bc\",\"end\":\"e\"}]}");
    json_t *root = json_loadb((const char *)sink.buffer.data, sink.buffer.size, 0, NULL);
    assert_non_null(root);
    json_decref(root);
    ossa_buffer_free(&sink.buffer);
}

/* Members without a finite value are left out, and leave no comma behind. */
static void ranges_without_numbers(void **state)
{
    (void)state;
    static const struct {
        float values[3];
        const char *expected;
    } table[] = {
        {{NAN, 1, 2}, "  r              y 1 .. 1, z 2 .. 2 (1 values are not finite)\n"},
        {{1, NAN, 2}, "  r              x 1 .. 1, z 2 .. 2 (1 values are not finite)\n"},
        {{NAN, NAN, -INFINITY}, "  r               (3 values are not finite)\n"},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        struct sink sink = {.fail_at = NEVER};
        struct ossa__report report = {.sink = failing(&sink)};
        ossa__report_ranges(&report, "r", "r", table[i].values, 1, 3, "xyz");
        assert_string_equal(text_of(&sink.buffer), table[i].expected);
        ossa_buffer_free(&sink.buffer);
    }
}

static void ranges_without_numbers_as_json(void **state)
{
    (void)state;
    const float values[] = {NAN, 1, -0.0F, INFINITY};
    struct sink sink = {.fail_at = NEVER};
    struct ossa__json json;
    struct ossa__report report = {.json = &json};
    ossa__json_start(&json, failing(&sink), OSSA_JSON_STYLE_LINE);
    ossa__json_begin_object(&json);
    ossa__report_ranges(&report, "r", "r", values, 1, 4, "wxyz");
    ossa__json_end_object(&json);
    assert_true(ossa__json_finish(&json));
    assert_string_equal(text_of(&sink.buffer),
                        "{\"r\":{\"w\":[],\"x\":[1,1],\"y\":[-0.0,-0.0],\"z\":[]}}");
    ossa_buffer_free(&sink.buffer);
}

/* A line that is too long is cut; it never runs over. */
static void long_lines_are_cut(void **state)
{
    (void)state;
    char long_text[600];
    for (size_t length = 505; length < 520; length++) {
        memset(long_text, 'l', length);
        long_text[length] = '\0';
        struct sink sink = {.fail_at = NEVER};
        struct ossa__report report = {.sink = failing(&sink)};
        ossa__report_line(&report, "%s", long_text);
        assert_int_equal(sink.buffer.size, (length < 511 ? length : 511) + 1);
        assert_int_equal(sink.buffer.data[sink.buffer.size - 2], 'l');
        assert_int_equal(sink.buffer.data[sink.buffer.size - 1], '\n');
        ossa_buffer_free(&sink.buffer);
    }
}

static void a_refusal_sticks(void **state)
{
    (void)state;
    struct sink sink = {.fail_at = NEVER};
    struct ossa__report report = {.sink = failing(&sink)};
    say_everything(&report);
    size_t calls = sink.calls;
    ossa_buffer_free(&sink.buffer);
    assert_true(calls > 10);
    for (size_t fail_at = 0; fail_at < calls; fail_at++) {
        sink = (struct sink){.fail_at = fail_at};
        report = (struct ossa__report){.sink = failing(&sink)};
        say_everything(&report);
        assert_true(report.failed);
        assert_int_equal(sink.calls, fail_at + 1);
        ossa_buffer_free(&sink.buffer);
    }
}

TEST_GROUP(test_core_report)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(for_people),
        cmocka_unit_test(for_programs),
        cmocka_unit_test(ranges_without_numbers),
        cmocka_unit_test(ranges_without_numbers_as_json),
        cmocka_unit_test(long_lines_are_cut),
        cmocka_unit_test(a_refusal_sticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
