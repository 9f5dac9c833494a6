/* SPDX-License-Identifier: MIT */
#include "support/testing.h"
#include "support/sotc_fixture.h"

#include "ossa/workspace.h"

#include <string.h>

static void words_and_sections_are_those_of_the_file(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("sotc-xff/filled");
    ossa_file *file = read_fixture(fixture);
    const ossa_sotc_xff *xff = ossa_as_sotc_xff(file);
    assert_null(ossa_as_sotc_anb(file));
    assert_ptr_equal(xff->image, fixture->bytes.data);
    assert_int_equal(xff->image_size, fixture->bytes.size);
    for (unsigned i = 0; i < OSSA_SOTC_XFF_WORDS; i++)
        assert_int_equal(xff->words[i], get_u32(&fixture->bytes, 4 * (size_t)i));
    assert_int_equal(xff->section_count, 2);
    size_t table = get_u32(&fixture->bytes, XFF_SECTIONS_AT);
    for (uint32_t s = 0; s < 2; s++) {
        for (size_t w = 0; w < 8; w++)
            assert_int_equal(xff->sections[s].words[w],
                             get_u32(&fixture->bytes, table + 32 * (size_t)s + 4 * w));
    }
    assert_int_equal(xff->sections[1].name_position, 6);
    assert_int_equal(xff->sections[1].name_size, 7);
    assert_memory_equal(xff->sections[1].name, ".rodata", 8);
    ossa_file_free(file);
}

/* An .anb of a kind that nobody reads is clean, named, and left out of scenes; its bytes stay. */
static void an_animation_of_another_kind_is_named(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("sotc-anb/objects-outside");
    const struct fixture *skeleton = fixture_find("sotc-skb/plain");
    const ossa_options options = {.name = "anim/gate.ANB", .check_values = true};
    ossa_file *file = read_or_fail("gate.ANB", fixture->bytes.data, fixture->bytes.size, &options);
    assert_string_equal(file->format->id, "sotc-xff");
    assert_int_equal(file->error_count, 0);
    assert_int_equal(file->warning_count, 0);
    assert_int_equal(file->issue_count, 1);
    const ossa_issue *issue = &file->issues[0];
    assert_int_equal(issue->severity, OSSA_SEVERITY_REMARK);
    assert_int_equal(get_u32(&fixture->bytes, (size_t)issue->offset), OBJECTS_KIND);
    assert_string_equal(issue->field, "kind");
    assert_non_null(strstr(issue->message, "kind 4, which is not read"));
    ossa_buffer text = {0};
    assert_true(ossa_describe(file, ossa_buffer_sink(&text), NULL));
    assert_true(ossa_buffer_sink(&text).write(&text, "", 1));
    assert_non_null(strstr((const char *)text.data, "of a kind that is not read"));
    ossa_buffer_free(&text);
    ossa_file_free(file);
    /* By another name it is what it was: a container of something. */
    file = read_or_fail("gate.xff", fixture->bytes.data, fixture->bytes.size, NULL);
    assert_int_equal(file->issue_count, 0);
    ossa_file_free(file);
    /* Beside a skeleton it is passed over. */
    ossa_error error;
    ossa_workspace *workspace = ossa_workspace_new(NULL, &error);
    assert_true(ossa_workspace_add_memory(workspace, "memory/bird.skb", skeleton->bytes.data,
                                          skeleton->bytes.size, &error));
    assert_true(ossa_workspace_add_memory(workspace, "memory/gate.anb", fixture->bytes.data,
                                          fixture->bytes.size, &error));
    ossa_figures *figures = ossa_workspace_figures(workspace, NULL, &error);
    assert_int_equal(figures->count, 1);
    ossa_scene *scene = ossa_workspace_scene(workspace, figures->items[0].paths,
                                             figures->items[0].path_count, NULL, &error);
    assert_non_null(scene);
    assert_int_equal(scene->clip_count, 0);
    ossa_scene_free(scene);
    ossa_figures_free(figures);
    ossa_workspace_free(workspace);
}

static void any_number_of_sections_will_do(void **state)
{
    (void)state;
    static const char *const fixtures[] = {"sotc-xff/no-sections", "sotc-xff/one-section",
                                           "sotc-xff/three-sections"};
    static const char *const names[] = {"first", "second", "third"};
    static const uint32_t counts[] = {0, 1, 3};
    for (size_t i = 0; i < 3; i++) {
        ossa_file *file = read_fixture(fixture_find(fixtures[i]));
        const ossa_sotc_xff *xff = ossa_as_sotc_xff(file);
        assert_int_equal(xff->section_count, counts[i]);
        for (uint32_t s = 0; s < counts[i]; s++) {
            assert_int_equal(xff->sections[s].name_size, strlen(names[s]));
            assert_memory_equal(xff->sections[s].name, names[s], strlen(names[s]));
        }
        ossa_file_free(file);
    }
}

/* Names are kept byte by byte, also those that share bytes. */
static void names_are_bytes(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("sotc-xff/shared-names"));
    const ossa_sotc_xff *xff = ossa_as_sotc_xff(file);
    assert_memory_equal(xff->sections[0].name,
                        "\xff\x80"
                        "ext",
                        5);
    assert_int_equal(xff->sections[0].name_size, 5);
    assert_int_equal(xff->sections[1].name_size, 3);
    assert_ptr_equal(xff->sections[1].name, xff->sections[0].name + 2);
    struct bytes json = dump_or_fail("names", file, OSSA_JSON_STYLE_LINE);
    put_u8(&json, 0);
    /* U+00FF and U+0080: one character a byte */
    assert_non_null(strstr((const char *)json.data, "\"name\":\"\xc3\xbf\\u0080ext\""));
    bytes_free(&json);
    ossa_file_free(file);
}

/* What is inside is not looked at: it is gaps, to the last byte. */
static void the_data_is_in_the_gaps(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("sotc-xff/after-size");
    ossa_file *file = read_fixture(fixture);
    const ossa_sotc_xff *xff = ossa_as_sotc_xff(file);
    assert_int_equal(xff->gap_count, 1);
    size_t strings = get_u32(&fixture->bytes, XFF_STRINGS_AT);
    assert_int_equal(xff->gaps[0].offset, strings + 14);
    assert_int_equal(xff->gaps[0].size, fixture->bytes.size - strings - 14);
    ossa_file_free(file);
}

/* A container that holds an animation can be read as a container all the same. */
static void an_animation_is_a_container_too(void **state)
{
    (void)state;
    static const char *const names[] = {"sotc-anb/every-flag", "sotc-anb/shared-tables",
                                        "sotc-anb/one-section", "sotc-anb/shared-keys"};
    for (size_t i = 0; i < 4; i++) {
        const struct fixture *fixture = fixture_find(names[i]);
        ossa_options options = {.format = "sotc-xff"};
        ossa_file *file =
            read_or_fail(fixture->name, fixture->bytes.data, fixture->bytes.size, &options);
        assert_non_null(ossa_as_sotc_xff(file));
        require_rebuilt(fixture->name, file, OSSA_JSON_STYLE_PRETTY, fixture->bytes.data,
                        fixture->bytes.size);
        ossa_file_free(file);
    }
}

static void what_it_holds_is_told(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"sotc-anb/constant", "an animation (ANB)"},
                                           {"sotc-skb/plain", "a skeleton (SKB)"},
                                           {"sotc-nmo/plain", "a model (NMO)"},
                                           {"sotc-nto/plain-4", "a texture (NTO)"},
                                           {"sotc-xff/other", "unknown"},
                                           {"sotc-anb/objects", "an animation of objects"},
                                           {"sotc-xff/no-sections", "cannot be reached"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct fixture *fixture = fixture_find(cases[i][0]);
        ossa_options options = {.format = "sotc-xff"};
        ossa_file *file =
            read_or_fail(fixture->name, fixture->bytes.data, fixture->bytes.size, &options);
        struct bytes text = describe_or_fail(fixture->name, file);
        require(strstr((const char *)text.data, cases[i][1]) != NULL, cases[i][0], "%s",
                (const char *)text.data);
        bytes_free(&text);
        ossa_file_free(file);
    }
}

static void a_copy_outlives_the_input(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("sotc-xff/three-sections");
    ossa_file *file = read_and_lose_input(fixture);
    assert_memory_equal(ossa_as_sotc_xff(file)->sections[2].name, "third", 6);
    require_written(fixture->name, file, fixture->bytes.data, fixture->bytes.size);
    ossa_file_free(file);
}

TEST_GROUP(test_sotc_xff)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_sections_are_those_of_the_file),
        cmocka_unit_test(an_animation_of_another_kind_is_named),
        cmocka_unit_test(any_number_of_sections_will_do),
        cmocka_unit_test(names_are_bytes),
        cmocka_unit_test(the_data_is_in_the_gaps),
        cmocka_unit_test(an_animation_is_a_container_too),
        cmocka_unit_test(what_it_holds_is_told),
        cmocka_unit_test(a_copy_outlives_the_input),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
