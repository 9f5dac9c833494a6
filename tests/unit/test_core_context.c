/* SPDX-License-Identifier: MIT
 *
 * Defaults, paths, failures that stick, and issues. */
#include "test_core.h"

#include "codec/context.h"

static void no_field(void *user, const ossa_field *field)
{
    (void)user;
    (void)field;
}

static void defaults_are_filled_in(void **state)
{
    (void)state;
    struct ossa__context context;
    ossa__context_init(&context, NULL, 1000);
    assert_int_equal(context.options.max_input, 256 * 1024 * 1024);
    assert_int_equal(context.options.max_memory, 1024 * 1024 + 32 * 1000);
    assert_int_equal(context.options.max_issues, 1000);
    assert_int_equal(context.arena.limit, context.options.max_memory);
    ossa__context_init(&context, NULL, 1 << 20);
    assert_int_equal(context.options.max_memory, 33 << 20);
    ossa__context_init(&context, &(ossa_options){.on_field = no_field}, 1000);
    assert_int_equal(context.options.max_memory, 1024 * 1024 + 64 * 1000); /* notes of fields */
    ossa__context_init(&context, NULL, UINT64_MAX / 16);
    assert_int_equal(context.options.max_memory, UINT64_MAX);
    ossa__context_init(&context, NULL, UINT64_MAX / 32);
    assert_int_equal(context.options.max_memory, UINT64_MAX);
}

static void given_options_are_kept(void **state)
{
    (void)state;
    struct ossa__context context;
    ossa_options options = {.max_input = 1, .max_memory = 2, .max_issues = 3, .strict = true};
    ossa__context_init(&context, &options, 1000);
    assert_int_equal(context.options.max_input, 1);
    assert_int_equal(context.options.max_memory, 2);
    assert_int_equal(context.options.max_issues, 3);
    assert_true(context.options.strict);
}

static const char *path_of(const struct ossa__step *steps, unsigned depth, const char *field)
{
    static char text[OSSA_FIELD_CAPACITY];
    ossa__path_text(steps, depth, field, text, sizeof text);
    return text;
}

static void paths(void **state)
{
    (void)state;
    const struct ossa__step links[] = {{"links", 3}};
    const struct ossa__step frames[] = {{"frames", 2}, {"", 0}};
    const struct ossa__step header[] = {{"header", OSSA__NO_INDEX}};
    const struct ossa__step bare[] = {{"", 7}};
    assert_string_equal(path_of(NULL, 0, "magic"), "magic");
    assert_string_equal(path_of(NULL, 0, ""), "");
    assert_string_equal(path_of(links, 1, "child"), "links[3].child");
    assert_string_equal(path_of(links, 1, ""), "links[3]");
    assert_string_equal(path_of(frames, 2, "object"), "frames[2][0].object");
    assert_string_equal(path_of(header, 1, "poses"), "header.poses");
    assert_string_equal(path_of(bare, 1, ""), "[7]");
}

static void paths_are_cut_to_fit(void **state)
{
    (void)state;
    const struct ossa__step steps[] = {{"container", OSSA__NO_INDEX}, {"sections", 12}};
    const char *whole = "container.sections[12].name_position";
    for (size_t capacity = 1; capacity <= strlen(whole) + 2; capacity++) {
        char text[64];
        memset(text, 'x', sizeof text);
        ossa__path_text(steps, 2, "name_position", text, capacity);
        size_t expected = capacity - 1 < strlen(whole) ? capacity - 1 : strlen(whole);
        assert_int_equal(strlen(text), expected);
        assert_memory_equal(text, whole, expected);
        assert_int_equal(text[capacity], 'x'); /* nothing beyond */
    }
}

static void first_failure_sticks(void **state)
{
    (void)state;
    struct ossa__context context;
    ossa__context_init(&context, NULL, 0);
    context.format = "ei-lnk";
    ossa__enter(&context, "links", 3);
    assert_false(ossa__fail(&context, OSSA_CODE_TRUNCATED, 0x1f, "child", "needs %d bytes", 4));
    assert_false(ossa__fail(&context, OSSA_CODE_BAD_MAGIC, 7, "other", "later"));
    assert_false(ossa__fail_nowhere(&context, OSSA_CODE_IO, "other", "later"));
    ossa__leave(&context);
    assert_true(context.failed);
    assert_int_equal(context.error.code, OSSA_CODE_TRUNCATED);
    assert_true(context.error.has_offset);
    assert_int_equal(context.error.offset, 0x1f);
    char text[200];
    size_t size = ossa_error_text(&context.error, text, sizeof text);
    assert_string_equal(text, "ei-lnk: links[3].child: needs 4 bytes, at 0x1f");
    assert_int_equal(size, strlen(text));
}

static void failures_without_a_place(void **state)
{
    (void)state;
    struct ossa__context context;
    char text[200];
    ossa__context_init(&context, NULL, 0);
    assert_false(ossa__fail_nowhere(&context, OSSA_CODE_IO, "", "the output %s", "is full"));
    assert_false(context.error.has_offset);
    assert_int_equal(context.error.code, OSSA_CODE_IO);
    (void)ossa_error_text(&context.error, text, sizeof text);
    assert_string_equal(text, "the output is full");
}

static void long_messages_are_cut(void **state)
{
    (void)state;
    struct ossa__context context;
    char message[2000];
    memset(message, 'm', sizeof message);
    message[sizeof message - 1] = '\0';
    ossa__context_init(&context, NULL, 0);
    ossa__enter(&context, message, 0);
    assert_false(ossa__fail(&context, OSSA_CODE_IO, 0, "", "%s", message));
    assert_int_equal(strlen(context.error.message), OSSA_MESSAGE_CAPACITY - 1);
    assert_int_equal(strlen(context.error.field), OSSA_FIELD_CAPACITY - 1);
}

/* A path deeper than there is room for loses words, and is whole again after it. */
static void deep_paths(void **state)
{
    (void)state;
    struct ossa__context context;
    ossa__context_init(&context, NULL, 0);
    for (unsigned i = 0; i < OSSA__PATH_DEPTH + 3; i++) ossa__enter(&context, "a", i);
    for (unsigned i = 0; i < OSSA__PATH_DEPTH + 2; i++) ossa__leave(&context);
    assert_int_equal(context.depth, 1);
    ossa__enter(&context, "b", 9);
    assert_false(ossa__fail(&context, OSSA_CODE_IO, 0, "c", "x"));
    assert_string_equal(context.error.field, "a[0].b[9].c");
    ossa__context_init(&context, NULL, 0);
    for (unsigned i = 0; i < OSSA__PATH_DEPTH + 3; i++) ossa__enter(&context, "a", i);
    assert_false(ossa__fail(&context, OSSA_CODE_IO, 0, "c", "x"));
    assert_string_equal(context.error.field, "a[0].a[1].a[2].a[3].c");
}

/* What a listener heard. */
struct heard {
    size_t count;
    uint64_t last_offset;
    ossa_severity last_severity;
    char last_text[200];
};

static void on_issue(void *user, const ossa_issue *issue)
{
    struct heard *heard = user;
    heard->count++;
    heard->last_offset = issue->offset;
    heard->last_severity = issue->severity;
    (void)ossa_issue_text(issue, heard->last_text, sizeof heard->last_text);
}

static void issues_are_counted_called_and_kept(void **state)
{
    (void)state;
    struct heard heard = {0};
    ossa_options options = {.max_issues = 3, .on_issue = on_issue, .user = &heard};
    struct ossa__context context;
    ossa__context_init(&context, &options, 0);
    context.format = "vib-anm";
    for (unsigned i = 0; i < 5; i++) {
        ossa__enter(&context, "frames", i);
        ossa__issue(&context, i % 2 == 0 ? OSSA_SEVERITY_WARNING : OSSA_SEVERITY_ERROR,
                    OSSA_CODE_UNKNOWN_FLAG, 100 + i, "flags", "number %u", i);
        ossa__leave(&context);
        assert_int_equal(heard.count, i + 1);
        assert_int_equal(heard.last_offset, 100 + i);
    }
    assert_string_equal(heard.last_text, "vib-anm: frames[4].flags: number 4, at 0x68");
    assert_int_equal(context.warning_count, 3);
    assert_int_equal(context.error_count, 2);
    assert_int_equal(context.issues.count, 2);
    const ossa_issue *kept = ossa__issue_array(&context);
    assert_non_null(kept);
    const char *messages[] = {"number 0", "number 1"};
    const char *fields[] = {"frames[0].flags", "frames[1].flags"};
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(kept[i].repeat_count, 2 - i);
        assert_string_equal(kept[i].message, messages[i]);
        assert_string_equal(kept[i].field, fields[i]);
        assert_string_equal(kept[i].format, "vib-anm");
        assert_true(kept[i].has_offset);
        assert_int_equal(kept[i].offset, 100 + i);
        assert_int_equal(kept[i].severity,
                         i % 2 == 0 ? OSSA_SEVERITY_WARNING : OSSA_SEVERITY_ERROR);
        assert_int_equal(kept[i].code, OSSA_CODE_UNKNOWN_FLAG);
    }
    ossa__arena_free(&context.arena);
}

static void issue_at(struct ossa__context *context, const char *name, unsigned index,
                     const char *message)
{
    ossa__enter(context, name, index);
    ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_NOT_UNIT, 16 * index, "w", message,
                index);
    ossa__leave(context);
}

/* What is heard at the end: each kind once, in the order of the first of each. */
static void issues_of_a_kind_are_one(void **state)
{
    (void)state;
    struct heard heard = {0};
    ossa_options options = {.max_issues = 3, .on_group = on_issue, .user = &heard};
    struct ossa__context context;
    ossa__context_init(&context, &options, 0);
    context.format = "ei-anm";
    context.path_text = "a.anm";
    for (unsigned i = 0; i < 1000000; i++) {
        issue_at(&context, "rotations", i, "has length %u");
        if (i == 2) issue_at(&context, "rotations", i, "is odd %u");        /* another message */
        if (i == 3) issue_at(&context, "translations", i, "has length %u"); /* another field */
        if (i == 4) issue_at(&context, "morphs", i, "has length %u");       /* one kind too many */
    }
    assert_int_equal(heard.count, 0);
    assert_int_equal(context.warning_count, 1000003);
    assert_true(context.arena.total < 8192);
    ossa__report_groups(&context);
    assert_int_equal(heard.count, 3);
    const ossa_issue *kept = ossa__issue_array(&context);
    assert_int_equal(kept[0].repeat_count, 999999);
    assert_int_equal(kept[0].place_count, OSSA_MAX_PLACES);
    assert_int_equal(kept[0].places[3].offset, 64);
    assert_string_equal(kept[0].places[3].field, "rotations[4].w");
    assert_string_equal(kept[0].places[3].path, "a.anm");
    assert_string_equal(kept[1].message, "is odd 2");
    assert_int_equal(kept[1].repeat_count, 0);
    assert_string_equal(kept[2].field, "translations[3].w");
    char text[400];
    (void)ossa_issue_text(&kept[0], text, sizeof text);
    assert_string_equal(text, "ei-anm: rotations[0].w: has length 0, at 0x0; 999999 more: "
                              "rotations[1].w at 0x10, rotations[2].w at 0x20, "
                              "rotations[3].w at 0x30, rotations[4].w at 0x40, ...");
    char cut[40];
    assert_int_equal(ossa_issue_text(&kept[0], cut, sizeof cut), strlen(text));
    assert_memory_equal(cut, text, sizeof cut - 1);
    ossa__arena_free(&context.arena);
}

/* Issues of scenes have no offset; the same one of several files is one. */
static void issues_of_several_files(void **state)
{
    (void)state;
    struct ossa__context context;
    ossa__context_init(&context, NULL, 0);
    static const char *const names[] = {"a", "b", "b"};
    for (unsigned i = 0; i < 3; i++) {
        context.format = "mm-anim";
        context.path_text = names[i];
        ossa__issue_nowhere(&context, OSSA_SEVERITY_WARNING, OSSA_CODE_MISFIT, "", "no %u", i);
    }
    const ossa_issue *kept = ossa__issue_array(&context);
    assert_int_equal(context.issues.count, 1);
    char text[100];
    (void)ossa_issue_text(&kept[0], text, sizeof text);
    assert_string_equal(text, "mm-anim: no 0; 2 more: b, b");
    ossa__arena_free(&context.arena);
}

static void strict_makes_warnings_errors(void **state)
{
    (void)state;
    struct heard heard = {0};
    ossa_options options = {.strict = true, .on_issue = on_issue, .user = &heard};
    struct ossa__context context;
    ossa__context_init(&context, &options, 0);
    ossa__issue(&context, OSSA_SEVERITY_WARNING, OSSA_CODE_NOT_UNIT, 0, "", "x");
    assert_int_equal(context.warning_count, 0);
    assert_int_equal(context.error_count, 1);
    assert_int_equal(heard.last_severity, OSSA_SEVERITY_ERROR);
    ossa__arena_free(&context.arena);
}

static void issues_without_a_place(void **state)
{
    (void)state;
    struct heard heard = {0};
    ossa_options options = {.on_issue = on_issue, .user = &heard};
    struct ossa__context context;
    ossa__context_init(&context, &options, 0);
    context.format = "ei-anm";
    ossa__issue_nowhere(&context, OSSA_SEVERITY_WARNING, OSSA_CODE_NOT_UNIT, "a", "%d of them", 3);
    assert_int_equal(context.warning_count, 1);
    assert_string_equal(heard.last_text, "ei-anm: a: 3 of them");
    const ossa_issue *kept = ossa__issue_array(&context);
    assert_false(kept->has_offset);
    ossa__fail_nowhere(&context, OSSA_CODE_IO, "", "x");
    ossa__issue_nowhere(&context, OSSA_SEVERITY_ERROR, OSSA_CODE_NOT_UNIT, "", "x");
    assert_int_equal(heard.count, 1);
    ossa__arena_free(&context.arena);
}

static void no_issues_after_a_failure(void **state)
{
    (void)state;
    struct heard heard = {0};
    ossa_options options = {.on_issue = on_issue, .user = &heard};
    struct ossa__context context;
    ossa__context_init(&context, &options, 0);
    ossa__fail_nowhere(&context, OSSA_CODE_IO, "", "x");
    ossa__issue(&context, OSSA_SEVERITY_ERROR, OSSA_CODE_NOT_UNIT, 0, "", "x");
    assert_int_equal(heard.count, 0);
    assert_int_equal(context.error_count, 0);
    assert_null(ossa__issue_array(&context));
}

static void issue_without_memory(void **state)
{
    (void)state;
    struct memory memory = {.fail_from = 0};
    ossa_options options = {.allocator = counted(&memory)};
    struct ossa__context context;
    ossa__context_init(&context, &options, 0);
    ossa__issue(&context, OSSA_SEVERITY_ERROR, OSSA_CODE_NOT_UNIT, 0, "", "x");
    assert_int_equal(context.error.code, OSSA_CODE_OUT_OF_MEMORY);
}

static void taking_memory_fails_in_two_ways(void **state)
{
    (void)state;
    struct memory memory = {.fail_from = 0};
    ossa_options options = {.allocator = counted(&memory), .max_memory = 5000};
    struct ossa__context context;
    ossa__context_init(&context, &options, 0);
    assert_null(ossa__take(&context, 10, 100));
    assert_int_equal(context.error.code, OSSA_CODE_OUT_OF_MEMORY);
    assert_int_equal(memory.calls, 1);
    assert_null(ossa__take(&context, 1, 1)); /* nobody is asked again */
    assert_int_equal(memory.calls, 1);
    ossa__context_init(&context, &options, 0);
    assert_null(ossa__take(&context, 100, 100));
    assert_int_equal(context.error.code, OSSA_CODE_LIMIT);
    assert_non_null(strstr(context.error.message, "5000"));
    assert_int_equal(memory.calls, 1);
}

/* Result and scratch memory share the limit, whichever is taken first, until scratch is released.
 */
static void both_arenas_share_the_limit(void **state)
{
    (void)state;
    enum { LIMIT = 100000, MOST = 60000 };
    for (unsigned first = 0; first < 2; first++) {
        struct memory memory = {.fail_from = NEVER};
        ossa_options options = {.allocator = counted(&memory), .max_memory = LIMIT};
        struct ossa__context context;
        ossa__context_init(&context, &options, 0);
        struct ossa__mark mark = ossa__scratch_mark(&context);
        if (first == 0) assert_non_null(ossa__take(&context, MOST, 1));
        else assert_non_null(ossa__take_scratch(&context, MOST, 1));
        if (first == 0) assert_null(ossa__take_scratch(&context, MOST, 1));
        else assert_null(ossa__take(&context, MOST, 1));
        assert_int_equal(context.error.code, OSSA_CODE_LIMIT);
        assert_true(memory.peak_bytes <= LIMIT);
        context.failed = false;
        ossa__scratch_release(&context, mark);
        if (first == 1) assert_non_null(ossa__take(&context, MOST, 1));
        assert_true(memory.peak_bytes <= LIMIT);
        ossa__arena_free(&context.scratch);
        ossa__arena_free(&context.arena);
        assert_int_equal(memory.live_blocks, 0);
    }
}

static void taking_more_than_a_number_holds(void **state)
{
    (void)state;
    struct memory memory = {.fail_from = NEVER};
    ossa_options options = {.allocator = counted(&memory), .max_memory = UINT64_MAX};
    struct ossa__context context;
    ossa__context_init(&context, &options, 0);
    assert_null(ossa__take(&context, UINT64_MAX / 2, 3));
    assert_true(context.failed);
    assert_int_equal(context.error.code, OSSA_CODE_LIMIT); /* however much there is */
    assert_int_equal(memory.calls, 0);
    ossa__context_init(&context, &options, 0);
    assert_null(ossa__take(&context, UINT64_MAX, 1));
    assert_int_equal(context.error.code, OSSA_CODE_LIMIT);
    assert_int_equal(memory.calls, 0);
}

TEST_GROUP(test_core_context)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_filled_in),
        cmocka_unit_test(given_options_are_kept),
        cmocka_unit_test(paths),
        cmocka_unit_test(paths_are_cut_to_fit),
        cmocka_unit_test(first_failure_sticks),
        cmocka_unit_test(failures_without_a_place),
        cmocka_unit_test(long_messages_are_cut),
        cmocka_unit_test(deep_paths),
        cmocka_unit_test(issues_are_counted_called_and_kept),
        cmocka_unit_test(issues_of_a_kind_are_one),
        cmocka_unit_test(issues_of_several_files),
        cmocka_unit_test(strict_makes_warnings_errors),
        cmocka_unit_test(issues_without_a_place),
        cmocka_unit_test(no_issues_after_a_failure),
        cmocka_unit_test(issue_without_memory),
        cmocka_unit_test(taking_memory_fails_in_two_ways),
        cmocka_unit_test(both_arenas_share_the_limit),
        cmocka_unit_test(taking_more_than_a_number_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
