/* SPDX-License-Identifier: MIT
 *
 * Letter case (base/fold.h), and that it is the same for names of models and of textures. */
#include "support/packing.h"

#include "base/fold.h"

#include <stdio.h>
#include <string.h>

static void letters_have_one_small_letter(void **state)
{
    (void)state;
    static const uint32_t pairs[][2] = {
        {'A', 'a'},     {'Z', 'z'},     {0xc0, 0xe0},   {0xde, 0xfe},   {0x410, 0x430},
        {0x42f, 0x44f}, {0x401, 0x451}, {0x490, 0x491}, {0x407, 0x457}, {0x460, 0x461},
        {0x480, 0x481}, {0x48a, 0x48b}, {0x4be, 0x4bf},
    };
    /* Signs between the letters, and what lies next to them. */
    static const uint32_t others[] = {'@',  '[',   '`',   '{',   0xd7,  0xf7,    0xdf,
                                      0xff, 0x3ff, 0x482, 0x489, 0x4c0, 0x1f600, 0xfffd};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        assert_int_equal(ossa__fold(pairs[i][0]), pairs[i][1]);
        assert_int_equal(ossa__fold(pairs[i][1]), pairs[i][1]);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_int_equal(ossa__fold(others[i]), others[i]);
    }
    for (uint32_t c = 0; c < 0x600; c++) assert_int_equal(ossa__fold(ossa__fold(c)), ossa__fold(c));
}

static void names_are_compared_without_case(void **state)
{
    (void)state;
    assert_int_equal(ossa__compare_names("ВИВЕРНА", "виверна"), 0);
    assert_int_equal(ossa__compare_names("Ёж", "ёЖ"), 0);
    assert_int_equal(ossa__compare_names("Ґанок", "ґАНОК"), 0);
    assert_int_equal(ossa__compare_names("ÀÉ", "àé"), 0);
    assert_true(ossa__compare_names("a", "B") < 0 && ossa__compare_names("B", "a") > 0);
    assert_true(ossa__compare_names("a", "ab") < 0 && ossa__compare_names("ab", "A") > 0);
    assert_true(ossa__compare_names("a/b", "a\\b") != 0);
    assert_true(ossa__same_path("A/б", "a\\Б") && !ossa__same_path("a/b", "a/c"));
    assert_int_equal(ossa__compare_sized_names("Wyvernx", 6, "wyverny", 6), 0);
}

static void same_paths_have_the_same_hash(void **state)
{
    (void)state;
    assert_true(ossa__hash_path("ПАПКА\\Ёж.MMP") == ossa__hash_path("папка/ёж.mmp"));
    assert_true(ossa__hash_path("a") != ossa__hash_path("b"));
    assert_true(ossa__hash_bytes("abc", 2) == ossa__hash_bytes("abd", 2));
    assert_true(ossa__hash_bytes("abc", 3) != ossa__hash_bytes("ABC", 3));
}

static void a_start_is_measured_in_the_path(void **state)
{
    (void)state;
    assert_int_equal(ossa__begins_with("виверна00.mmp", "ВИВЕРНА", strlen("ВИВЕРНА")), 14);
    assert_int_equal(ossa__begins_with("a\\b", "A/", 2), 2);
    assert_int_equal(ossa__begins_with("a", "ab", 2), 0);
    assert_int_equal(ossa__begins_with("a", "", 0), 0);
    assert_int_equal(ossa__begins_with("", "a", 1), 0);
}

static void names_have_a_start_in_common(void **state)
{
    (void)state;
    struct ossa__common common = ossa__common_start("ВИx", 5, "виy", 5);
    assert_int_equal(common.a, 4);
    assert_int_equal(common.b, 4);
    common = ossa__common_start("abc", 2, "ABCD", 4);
    assert_int_equal(common.a, 2);
    assert_int_equal(common.b, 2);
    common = ossa__common_start("x", 1, "y", 1);
    assert_int_equal(common.a, 0);
}

static void words_and_endings_are_ascii(void **state)
{
    (void)state;
    assert_true(ossa__same_word("Mesh", 4, "MESH", 4) && !ossa__same_word("mesh", 4, "mes", 3));
    assert_false(ossa__same_word("Ж", 2, "ж", 2));
    assert_true(ossa__has_ending("a.MOD", ".mod") && !ossa__has_ending(".mod", ".mod"));
}

static void patterns_have_stars_and_marks(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        const char *name;
        bool matches;
    } cases[] = {
        {"*", "", true},
        {"", "", true},
        {"", "a", false},
        {"*.mmp", "Ёж.MMP", true},
        {"Ё?", "ёЖ", true},
        {"?", "Ж", true},
        {"?", "", false},
        {"a*b*c", "axxbyyc", true},
        {"a*b*c", "axxbyy", false},
        {"a/*", "A\\b", true},
        {"*a", "bab", false},
        {"**", "x", true},
        {"виверна*", "ВИВЕРНА00.mmp", true},
        {"a?", "a", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        require(ossa__matches(cases[i].pattern, cases[i].name) == cases[i].matches,
                cases[i].pattern, "%s", cases[i].name);
    }
}

/* A pattern that could be tried in very many ways. */
static void a_pattern_does_not_take_forever(void **state)
{
    (void)state;
    char name[4001];
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_false(ossa__matches("*a*a*a*a*a*a*a*a*a*a*a*b", name));
    assert_true(ossa__matches("*a*a*a*a*a*a*a*a*a*a*a*a", name));
}

/* ---- a model and its texture --------------------------------------------------------------- */

/* An archive with its entries, and those of archives in it, under another name. Takes the bytes. */
static struct bytes rename_entries(struct bytes archive, const char *from, const char *to)
{
    enum { MOST = 64 };
    ossa_packing entries[MOST];
    char names[MOST][64];
    struct bytes renamed[MOST];
    ossa_file *file = ossa_read(archive.data, archive.size, NULL, NULL);
    assert_non_null(file);
    size_t count = ossa_entry_count(file);
    assert_true(count <= MOST);
    for (size_t i = 0; i < count; i++) {
        const char *name = ossa_entry_at(file, i)->name;
        bool is_it = strncmp(name, from, strlen(from)) == 0;
        ossa_bytes bytes;
        assert_true(ossa_entry_bytes(file, i, NULL, &bytes, NULL));
        renamed[i] = bytes_copy(bytes.data, bytes.size);
        bool is_archive = bytes.size > 4 && memcmp(bytes.data, archive.data, 4) == 0;
        if (is_archive) renamed[i] = rename_entries(renamed[i], from, to);
        (void)snprintf(names[i], sizeof names[0], "%s%s", is_it ? to : "",
                       name + (is_it ? strlen(from) : 0));
        entries[i] = (ossa_packing){names[i], renamed[i].data, renamed[i].size, 1};
    }
    struct bytes packed = pack_or_fail("ei-res", to, entries, count);
    for (size_t i = 0; i < count; i++) bytes_free(&renamed[i]);
    ossa_file_free(file);
    bytes_free(&archive);
    return packed;
}

static void a_cyrillic_model_has_its_texture(void **state)
{
    (void)state;
    struct bytes models =
        rename_entries(load_test_file("../samples/packed/figures.res"), "wyvern", "ВИВЕРНА");
    struct bytes textures =
        rename_entries(load_test_file("../samples/packed/textures.res"), "wyvern", "виверна");
    ossa_error error;
    ossa_workspace *workspace = ossa_workspace_new(NULL, &error);
    assert_true(ossa_workspace_add_memory(workspace, "f.res", models.data, models.size, NULL));
    assert_true(ossa_workspace_add_memory(workspace, "t.res", textures.data, textures.size, NULL));
    const char *const paths[] = {"f.res#Виверна", "t.res"};
    ossa_scene *scene = ossa_workspace_scene(workspace, paths, 2, NULL, &error);
    require(scene != NULL, "f.res", "%s", error.message);
    if (scene == NULL) return;
    assert_int_equal(scene->texture_count, 1);
    assert_string_equal(scene->textures[0].name, "виверна00");
    bool is_used = false;
    for (uint32_t i = 0; i < scene->material_count; i++) {
        is_used = is_used || scene->materials[i].texture == 0;
    }
    assert_true(is_used);
    ossa_scene_free(scene);
    ossa_workspace_free(workspace);
    bytes_free(&models);
    bytes_free(&textures);
}

TEST_GROUP(test_fold)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_have_one_small_letter),
        cmocka_unit_test(names_are_compared_without_case),
        cmocka_unit_test(same_paths_have_the_same_hash),
        cmocka_unit_test(a_start_is_measured_in_the_path),
        cmocka_unit_test(names_have_a_start_in_common),
        cmocka_unit_test(words_and_endings_are_ascii),
        cmocka_unit_test(patterns_have_stars_and_marks),
        cmocka_unit_test(a_pattern_does_not_take_forever),
        cmocka_unit_test(a_cyrillic_model_has_its_texture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
