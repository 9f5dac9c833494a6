/* SPDX-License-Identifier: MIT */
#include "formats/midtown_madness/mm_text.h"
#include "support/mm_pedestrian.h"
#include "support/refusals.h"
#include "support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ossa_file *read_text(const char *text)
{
    ossa_options options = {.format = "mm-skel"};
    return read_or_fail(text, text, strlen(text), &options);
}

static void require_bone(const ossa_mm_bone *bone, const char *name, int32_t parent, uint32_t depth)
{
    assert_int_equal(bone->name_size, strlen(name));
    assert_memory_equal(bone->name, name, strlen(name));
    assert_int_equal(bone->parent, parent);
    assert_int_equal(bone->depth, depth);
}

static void require_offset(const ossa_mm_bone *bone, float x, float y, float z)
{
    const float expected[3] = {x, y, z};
    assert_memory_equal(bone->offset, expected, sizeof expected);
}

static void the_pedestrian_is_a_tree(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("mm-skel/ped");
    ossa_file *file = read_fixture(fixture);
    const ossa_mm_skel *skel = ossa_as_mm_skel(file);
    assert_non_null(skel);
    assert_int_equal(file->format->kind, OSSA_KIND_SKELETON);
    assert_int_equal(skel->declared_bones, 4);
    assert_int_equal(skel->bone_count, 4);
    assert_ptr_equal(skel->text, fixture->bytes.data);
    assert_int_equal(skel->text_size, fixture->bytes.size);
    require_bone(&skel->bones[0], "root", -1, 0);
    require_bone(&skel->bones[1], "spine", 0, 1);
    require_bone(&skel->bones[2], "head", 1, 2);
    require_bone(&skel->bones[3], "leg", 0, 1);
    require_offset(&skel->bones[0], 0.000570F, 1.109821F, 0.0F);
    require_offset(&skel->bones[1], 0.0F, 0.034733F, -0.0F);
    require_offset(&skel->bones[2], 0.0F, 0.25F, 0.125F);
    require_offset(&skel->bones[3], 0.1F, -0.05F, 0.0F);
    assert_memory_equal(skel->text + skel->bones[2].offset_at[1], "0.25 0.125", 10);
    assert_null(ossa_as_mm_anim(file));
    ossa_file_free(file);
}

static void comments_and_braces_need_no_space(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("mm-skel/comments"));
    const ossa_mm_skel *skel = ossa_as_mm_skel(file);
    assert_int_equal(skel->bone_count, 2);
    require_bone(&skel->bones[0], "a#1", -1, 0); /* no comment inside of a word */
    require_bone(&skel->bones[1], "/b/", 0, 1);
    require_offset(&skel->bones[1], 1.0F, 1.0F, 1.0F);
    ossa_file_free(file);
    file = read_fixture(fixture_find("mm-skel/dense"));
    skel = ossa_as_mm_skel(file);
    require_bone(&skel->bones[1], "b", 0, 1);
    require_offset(&skel->bones[1], 4.0F, 5.0F, 6.0F);
    ossa_file_free(file);
    file = read_fixture(fixture_find("mm-skel/keywords-as-names"));
    skel = ossa_as_mm_skel(file);
    require_bone(&skel->bones[0], "bone", -1, 0);
    require_bone(&skel->bones[1], "offset", 0, 1);
    require_bone(&skel->bones[2], "NumBones", 1, 2);
    ossa_file_free(file);
}

static void odd_bones_are_understood(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("mm-skel/two-roots"));
    const ossa_mm_skel *skel = ossa_as_mm_skel(file);
    assert_int_equal(skel->bone_count, 3);
    require_bone(&skel->bones[1], "b", -1, 0);
    require_bone(&skel->bones[2], "c", 1, 1);
    ossa_file_free(file);
    file = read_fixture(fixture_find("mm-skel/late-offset"));
    skel = ossa_as_mm_skel(file);
    require_offset(&skel->bones[0], 4.0F, 5.0F, 6.0F);
    require_offset(&skel->bones[1], 1.0F, 2.0F, 3.0F);
    ossa_file_free(file);
    file = read_fixture(fixture_find("mm-skel/second-offset"));
    require_offset(&ossa_as_mm_skel(file)->bones[0], 1.0F, 2.0F, 3.0F); /* the first counts */
    ossa_file_free(file);
    file = read_fixture(fixture_find("mm-skel/no-offset"));
    skel = ossa_as_mm_skel(file);
    require_offset(&skel->bones[1], 0.0F, 0.0F, 0.0F);
    assert_int_equal(skel->bones[1].offset_at[0], 0);
    ossa_file_free(file);
}

/* As in all shipped pedestrians of the first game. */
static void names_may_be_equal(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("mm-skel/mm1-pedestrian"));
    const ossa_mm_skel *skel = ossa_as_mm_skel(file);
    assert_int_equal(skel->bone_count, MM1_BONES);
    require_bone(&skel->bones[MM1_SPINE], "spine", 1, 2);
    require_bone(&skel->bones[MM1_SECOND_SPINE], "spine", 15, 5);
    assert_int_equal(file->error_count, 0);
    assert_int_equal(file->warning_count, 0);
    assert_int_equal(file->issue_count, 1);
    assert_int_equal(file->issues[0].severity, OSSA_SEVERITY_REMARK);
    ossa_file_free(file);
    /* One remark, however many there are. */
    file = read_fixture(fixture_find("mm-skel/duplicate-name"));
    assert_int_equal(file->issue_count, 1);
    assert_non_null(strstr(file->issues[0].message, "in all: 2"));
    ossa_file_free(file);
}

static void limits_are_read_and_changed(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("mm-skel/limits");
    ossa_file *file = read_fixture(fixture);
    ossa_mm_skel *skel = ossa_as_mm_skel(file);
    static const float expected[4][3] = {{-1, -0.5F, -0.25F},
                                         {1, 0.5F, 0.25F},
                                         {-3.14159265F, -3.14159265F, -3.14159265F},
                                         {2, 3, 4}};
    assert_memory_equal(skel->bones[0].rotmin, expected[0], sizeof expected[0]);
    assert_memory_equal(skel->bones[0].rotmax, expected[1], sizeof expected[0]);
    assert_memory_equal(skel->bones[1].rotmin, expected[2], sizeof expected[0]);
    assert_memory_equal(skel->bones[1].rotmax, expected[3], sizeof expected[0]);
    assert_int_equal(skel->bones[1].rotmin_at[0], 0);
    require_offset(&skel->bones[0], 1.0F, 2.0F, 3.0F);
    ossa_mm_bone bones[2] = {skel->bones[0], skel->bones[1]};
    bones[0].rotmin[1] = 7.0F;
    skel->bones = bones;
    ossa_buffer buffer = {0};
    ossa_error error;
    assert_true(ossa_write(file, ossa_buffer_sink(&buffer), &error));
    assert_true(ossa_buffer_sink(&buffer).write(&buffer, "", 1)); /* its end */
    assert_non_null(strstr((const char *)buffer.data, "rotmin -1 7 -.25"));
    ossa_buffer_free(&buffer);
    bones[1].rotmin[0] = 0.0F; /* the text has no number for it */
    skel->bones = bones;
    assert_false(ossa_write(file, ossa_buffer_sink(&buffer), &error));
    assert_int_equal(error.code, OSSA_CODE_BAD_ARGUMENT);
    ossa_buffer_free(&buffer);
    ossa_file_free(file);
}

static void messages_name_both_sides(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {"NumBones two", "found 'two', expected a whole number"},
        {"NumBones 1 bone a", "the text ends, expected '{'"},
        {"NumBones 1 bone a }", "found '}', expected '{'"},
        {"NumBones 1 bone a { offset 1 x\x01\xe9 }", "found 'x?\xc3\xa9', expected a number"},
        {"hello", "found 'hello', expected NumBones"},
        {"NumBones 1 bone 1234567890123456789012345678901234567890123456789012345678901234567890 }",
         "found '}'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ossa_error error;
        ossa_options options = {.format = "mm-skel"};
        assert_null(ossa_read(cases[i].text, strlen(cases[i].text), &options, &error));
        require(strstr(error.message, cases[i].message) != NULL, cases[i].text, "says: %s",
                error.message);
    }
    ossa_file *file = read_text("NumBones 3\nbone a { offset 1 2 3 }");
    assert_string_equal(file->issues[0].message, "says 3, but there are 1");
    ossa_file_free(file);
}

/* A word is cut in a message, but never inside a character. */
static void long_words_leave_messages_valid(void **state)
{
    (void)state;
    for (size_t lead = 0; lead < 2; lead++) {
        char text[128] = "x";
        memset(text + lead, '\xe9', 100);
        text[lead + 100] = '\0';
        ossa_error error;
        ossa_options options = {.format = "mm-skel"};
        assert_null(ossa_read(text, strlen(text), &options, &error));
        const char *quote = strchr(error.message, '\'');
        assert_non_null(quote);
        const char *dots = strstr(quote, "...'");
        assert_non_null(dots);
        assert_int_equal(((size_t)(dots - quote) - 1 - lead) % 2, 0);
        assert_true(dots - quote <= 64);
    }
}

/* ---- hostile trees ------------------------------------------------------------------------- */

static void depth_costs_no_stack(void **state)
{
    (void)state;
    static const enum lnk_shape shapes[] = {LNK_CHAIN, LNK_STAR, LNK_RANDOM};
    const uint32_t count = 100000;
    for (size_t i = 0; i < 3; i++) {
        struct bytes text = make_big_skel(shapes[i], count);
        ossa_file *file = read_or_fail("big", text.data, text.size, NULL);
        const ossa_mm_skel *skel = ossa_as_mm_skel(file);
        assert_int_equal(skel->bone_count, count);
        assert_int_equal(file->issue_count, 0);
        if (shapes[i] == LNK_CHAIN) assert_int_equal(skel->bones[count - 1].depth, count - 1);
        require_written("big", file, text.data, text.size);
        ossa_file_free(file);
        bytes_free(&text);
    }
}

/* As many bones as bytes allow must fit into the memory that the options allow by default. */
static void the_smallest_bones_fit_the_limit(void **state)
{
    (void)state;
    const size_t count = 200000;
    struct bytes text = {0};
    put_text(&text, "NumBones 200000 ");
    for (size_t i = 0; i < count; i++) put_text(&text, "bone a{");
    for (size_t i = 0; i < count; i++) put_text(&text, "}");
    ossa_file *file = read_or_fail("small bones", text.data, text.size, NULL);
    assert_int_equal(ossa_as_mm_skel(file)->bone_count, count);
    assert_int_equal(file->error_count, 0);       /* all are called a, a remark */
    assert_int_equal(file->warning_count, count); /* and none has an offset */
    assert_int_equal(file->issue_count, 2);
    ossa_file_free(file);
    bytes_free(&text);
    put_text(&text, "NumBones 1 ");
    for (size_t i = 0; i < count; i++) put_text(&text, "bone ");
    ossa_error error;
    assert_null(ossa_read(text.data, text.size, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_BAD_VALUE);
    bytes_free(&text);
}

/* ---- changing a file ----------------------------------------------------------------------- */

static void only_changed_numbers_are_written(void **state)
{
    (void)state;
    static const char text[] = "NumBones 3 # x\r\nbone a { bone b { offset 1.0 2.00 3. }\n"
                               "offset 4e0 5 +6 bone c { } }";
    static const char expected[] =
        "NumBones 3 # x\r\nbone a { bone b { offset 1.0 -0.100000001 3. }\n"
        "offset 4e0 5 -0.0 bone c { } }";
    ossa_file *file = read_text(text);
    ossa_mm_skel *skel = ossa_as_mm_skel(file);
    ossa_mm_bone bones[3];
    assert_int_equal(skel->bone_count, 3);
    memcpy(bones, skel->bones, sizeof bones);
    skel->bones = bones;
    require_written("copied", file, text, sizeof text - 1);
    bones[0].offset[2] = -0.0F;
    bones[1].offset[1] = -0.1F;
    struct bytes written = write_or_fail("changed", file);
    require_same("changed", &written, expected, sizeof expected - 1);
    ossa_file *again = read_or_fail("again", written.data, written.size, NULL);
    require_offset(&ossa_as_mm_skel(again)->bones[1], 1.0F, -0.1F, 3.0F);
    ossa_file_free(again);
    bytes_free(&written);
    ossa_file_free(file);
}

/* What no number in the text can say is refused, not lost. */
static void changes_without_a_place_are_refused(void **state)
{
    (void)state;
    ossa_file *file = read_text("NumBones 2 bone a { offset 1 2 3 bone b { } }");
    ossa_mm_skel *skel = ossa_as_mm_skel(file);
    ossa_mm_bone bones[2];
    ossa_mm_bone mine[2];
    memcpy(bones, skel->bones, sizeof bones);
    skel->bones = mine;
    memcpy(mine, bones, sizeof mine);
    mine[1].offset[0] = 1.0F; /* the text has no offset of b */
    require_write_refused(file, "bones[1].offset");
    memcpy(mine, bones, sizeof mine);
    mine[0].offset[1] = INFINITY;
    require_write_refused(file, "bones[0].offset");
    memcpy(mine, bones, sizeof mine);
    mine[0].offset_at[2] = 0xffffffff; /* far outside */
    require_write_refused(file, "bones[0].offset");
    memcpy(mine, bones, sizeof mine);
    mine[0].offset_at[0] = 11; /* "bone" */
    require_write_refused(file, "bones[0].offset");
    memcpy(mine, bones, sizeof mine);
    mine[1] = mine[0]; /* the same numbers twice */
    mine[0].offset[0] = 7.0F;
    mine[1].offset[0] = 8.0F;
    require_write_refused(file, "bones");
    ossa_file_free(file);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void the_json_is_the_documented_one(void **state)
{
    (void)state;
    ossa_file *file = read_text("NumBones 1\r\nbone \xe9\" {\n\toffset 1.50 -0 2e-1}\n");
    struct bytes json = dump_or_fail("json", file, OSSA_JSON_STYLE_LINE);
    static const char expected[] =
        "{\"ossa\":1,\"format\":\"mm-skel\",\"size\":44,\"data\":{\"lines\":[\"NumBones 1\\u000d\","
        "\"bone \xc3\xa9\\\" {\",\"\\toffset 1.50 -0 2e-1}\",\"\"],\"bones\":[{\"name\":"
        "\"\xc3\xa9\\\"\",\"parent\":-1,\"offset\":[1.5,-0.0,0.200000003]}]}}\n";
    require_same("json", &json, expected, sizeof expected - 1);
    bytes_free(&json);
    ossa_file_free(file);
}

static void the_lines_count_and_the_bones_do_not(void **state)
{
    (void)state;
    ossa_error error;
    ossa_file *file = build_data(
        "mm-skel", 0,
        "{\"lines\":[\"NumBones 1 bone \\u0000\\u00ffx {\",\"offset 1 2 3\",\"}\"],\"bones\":7}",
        &error);
    assert_non_null(file);
    static const char expected[] = "NumBones 1 bone \0\xffx {\noffset 1 2 3\n}";
    require_written("built", file, expected, sizeof expected - 1);
    require_bone(&ossa_as_mm_skel(file)->bones[0], "\xffx", -1, 0);
    ossa_file_free(file);
}

static void wrong_json_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *data;
        ossa_code code;
        const char *field;
    } cases[] = {{"{}", OSSA_CODE_BAD_JSON, "data.lines"},
                 {"{\"lines\":\"a\"}", OSSA_CODE_BAD_JSON, "data.lines"},
                 {"{\"lines\":[\"a\",1]}", OSSA_CODE_BAD_JSON, "data.lines[1]"},
                 {"{\"lines\":[\"a\\nb\"]}", OSSA_CODE_BAD_JSON, "data.lines[0]"},
                 {"{\"lines\":[\"\\u0100\"]}", OSSA_CODE_BAD_JSON, "data.lines[0]"},
                 {"{\"lines\":[\"a\"],\"text\":\"\"}", OSSA_CODE_BAD_JSON, "data.text"},
                 {"{\"lines\":[]}", OSSA_CODE_EMPTY_FILE, ""},
                 {"{\"lines\":[\"\",\" a\"]}", OSSA_CODE_BAD_VALUE, "num_bones"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        require_data_refused("mm-skel", 0, cases[i].data, cases[i].code, cases[i].field);
}

/* ---- fields -------------------------------------------------------------------------------- */

static void every_piece_of_the_text_has_a_name(void **state)
{
    (void)state;
    static const char text[] = "v 1 #c\nNumBones 1 bone a{ rotX ;c\n lock offset 1 2 3}\n}x";
    struct field_list list = {.used = 0};
    ossa_options options = {.format = "mm-skel", .on_field = list_field, .user = &list};
    ossa_file_free(read_or_fail("fields", text, sizeof text - 1, &options));
    assert_string_equal(list.text,
                        "preamble<v 1>syntax< #c\nNumBones >num_bones<1>syntax< bone >"
                        "bones[0].name<a>syntax<{ >bones[0].extra<rotX ;c\n lock>"
                        "syntax< offset >bones[0].offset[0]<1>syntax< >bones[0].offset[1]<2>"
                        "syntax< >bones[0].offset[2]<3>syntax<}\n>tail<}x>");
}

/* ---- words and numbers --------------------------------------------------------------------- */

static struct ossa__mm_token whole(const char *text)
{
    return (struct ossa__mm_token){0, strlen(text)};
}

static void numbers_are_the_nearest_floats(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        float value;
    } cases[] = {
        {"0", 0.0F},
        {"-0", -0.0F},
        {"+1.5", 1.5F},
        {".5", 0.5F},
        {"5.", 5.0F},
        {"1e3", 1000.0F},
        {"1.109821", 1.109821F},
        {"0.034733", 0.034733F},
        {"3.40282347e+38", 3.40282347e+38F},
        {"3.4028235677973362e38", 0x1.fffffep127F}, /* just below the middle to 2^128 */
        {"1.40129846e-45", 0x1p-149F},
        {"7.1e-46", 0x1p-149F}, /* above half of the least */
        {"7e-46", 0.0F},        /* below it */
        {"1.17549435e-38", 0x1p-126F},
        {"16777217", 16777216.0F}, /* in the middle: to even */
        {"16777219", 16777220.0F},
        {"16777217.0000001", 16777218.0F},
        {"16777217.00000000000000000000001", 16777218.0F}, /* digits that do not fit count too */
        {"1e-400", 0.0F},
        {"0e999999999999999999999", 0.0F},
        {"100000000000000000000000000000000000000000000e-40", 10000.0F},
        {"0.00000000000000000000000000000000000000000000001e47", 1.0F},
        {"8388609.5", 8388610.0F},
        {"0.1", 0.1F},
        {"0.30000001192092896", 0x1.333334p-2F},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        float value = NAN;
        require(ossa__mm_parse_float(cases[i].text, whole(cases[i].text), &value), cases[i].text,
                "is no number");
        require(bits_of_f32(value) == bits_of_f32(cases[i].value), cases[i].text, "is %a, not %a",
                (double)value, (double)cases[i].value);
    }
}

/* Everything that writing makes, and what a C library says of other spellings. */
static void numbers_agree_with_the_c_library(void **state)
{
    (void)state;
    struct random random = {4711};
    for (unsigned i = 0; i < 200000; i++) {
        char text[64];
        float value = f32_of_bits(next_random(&random));
        if (!isfinite(value)) continue;
        float found = NAN;
        (void)snprintf(text, sizeof text, "%.9g", (double)value);
        require(ossa__mm_parse_float(text, whole(text), &found), text, "is no number");
        require(bits_of_f32(found) == bits_of_f32(value), text, "is %a", (double)found);
        (void)snprintf(text, sizeof text, "%u%09ue%d", (unsigned)next_random(&random),
                       (unsigned)(next_random(&random) % 1000000000),
                       (int)next_between(&random, -65, 80));
        float expected = strtof(text, NULL);
        bool is_number = ossa__mm_parse_float(text, whole(text), &found);
        require(is_number == (isfinite(expected) != 0), text, "a number or not");
        require(!is_number || bits_of_f32(found) == bits_of_f32(expected), text, "is %a, not %a",
                (double)found, (double)expected);
    }
}

static void what_is_no_number_is_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {"",
                                        "-",
                                        "+",
                                        ".",
                                        "-.",
                                        "1e",
                                        "1e+",
                                        "e5",
                                        "--1",
                                        "1.2.3",
                                        "nan",
                                        "inf",
                                        "1.5f",
                                        "1,5",
                                        "0x10",
                                        "1.#INF",
                                        "1 ",
                                        "1e39",
                                        "1e5.",
                                        "1-",
                                        "-1e99999999999999999999",
                                        "3.4028235677973367e38"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        float value;
        require(!ossa__mm_parse_float(cases[i], whole(cases[i]), &value), cases[i], "is a number");
    }
    uint32_t count;
    assert_true(ossa__mm_parse_u32("4294967295", whole("4294967295"), &count));
    assert_int_equal(count, 4294967295U);
    static const char *const counts[] = {"", "4294967296", "99999999999999999999999", "-1", "1.0"};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        require(!ossa__mm_parse_u32(counts[i], whole(counts[i]), &count), counts[i], "is a count");
    }
}

TEST_GROUP(test_mm_skel)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pedestrian_is_a_tree),
        cmocka_unit_test(comments_and_braces_need_no_space),
        cmocka_unit_test(odd_bones_are_understood),
        cmocka_unit_test(names_may_be_equal),
        cmocka_unit_test(limits_are_read_and_changed),
        cmocka_unit_test(messages_name_both_sides),
        cmocka_unit_test(long_words_leave_messages_valid),
        cmocka_unit_test(depth_costs_no_stack),
        cmocka_unit_test(the_smallest_bones_fit_the_limit),
        cmocka_unit_test(only_changed_numbers_are_written),
        cmocka_unit_test(changes_without_a_place_are_refused),
        cmocka_unit_test(the_json_is_the_documented_one),
        cmocka_unit_test(the_lines_count_and_the_bones_do_not),
        cmocka_unit_test(wrong_json_is_refused),
        cmocka_unit_test(every_piece_of_the_text_has_a_name),
        cmocka_unit_test(numbers_are_the_nearest_floats),
        cmocka_unit_test(numbers_agree_with_the_c_library),
        cmocka_unit_test(what_is_no_number_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
