/* SPDX-License-Identifier: MIT
 *
 * The options that a scene lists for people: which ones depends on its files. */
#include "support/adb_fixture.h"
#include "support/fixtures.h"
#include "support/scenes.h"

#include <string.h>

/* The names of the options of the files' scene, in their order. Frees the files. */
static void require_names(struct scene_files *files, const ossa_scene_options *options,
                          const char *expected)
{
    char names[256] = "";
    ossa_scene *scene = assemble_files(files, options);
    for (uint32_t i = 0; i < scene->option_count; i++) {
        if (i > 0) (void)strncat(names, " ", sizeof names - strlen(names) - 1);
        (void)strncat(names, scene->options[i].name, sizeof names - strlen(names) - 1);
    }
    assert_string_equal(names, expected);
    ossa_scene_free(scene);
    free_files(files);
}

static void add_fixture(struct scene_files *files, const char *path, const char *name)
{
    const struct fixture *fixture = fixture_find(name);
    (void)add_file(files, path, NULL, bytes_copy(fixture->bytes.data, fixture->bytes.size));
}

static void add_root(struct scene_files *files)
{
    static const char *const root[] = {"bd", "", NULL};
    (void)add_file(files, "troll.lnk", "ei-lnk", make_lnk(root));
    (void)add_file(files, "bd.bon", "ei-bon", make_bon(0.0F, 0.0F, 0.0F));
}

static void options_of_evil_islands(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_root(&files);
    require_names(&files, NULL, "scale boxes");
    memset(&files, 0, sizeof files);
    add_root(&files);
    (void)add_file(&files, "walk/bd.anm", "ei-anm", make_random_anm(5, 3));
    require_names(&files, NULL, "resample root fps scale in_place boxes");
    memset(&files, 0, sizeof files);
    add_root(&files);
    (void)add_file(&files, "walk/bd.anm", "ei-anm", make_morph_anm(5, 3, 3, 2));
    (void)add_file(&files, "run/bd.anm", "ei-anm", make_random_anm(5, 3));
    struct bytes adb = begin_adb("troll");
    (void)add_adb_record(&adb, &(struct adb_record){.name = "walk", .duration = 3});
    (void)add_file(&files, "troll.adb", NULL, adb); /* heights for the root */
    add_fixture(&files, "v.cam", "ei-cam/seven");
    const ossa_scene_options options = {.join = true, .boxes = true, .in_place = true};
    require_names(&files, &options,
                  "complexion morph resample root look fps scale in_place join boxes");
}

static void add_vib(struct scene_files *files, bool is_missing)
{
    static const int value[3] = {1, 2, 3};
    struct vib_maker vib = begin_vib(30, 2);
    add_vib_frame(&vib);
    add_vib_key(&vib, 0, value, NULL, is_missing ? value : NULL);
    add_vib_frame(&vib);
    add_vib_key(&vib, 0, value, NULL, NULL);
    (void)add_file(files, "hop.anm", "vib-anm", end_vib(&vib));
}

static void options_of_vib_ribbon(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_vib(&files, false);
    require_names(&files, NULL, "euler fps scale in_place boxes");
    memset(&files, 0, sizeof files);
    add_vib(&files, true);
    require_names(&files, NULL, "euler missing fps scale in_place boxes");
    memset(&files, 0, sizeof files);
    (void)add_file(&files, "walk.anim", "mm-anim", make_anim(5, 3, 2)); /* has none of its own */
    require_names(&files, NULL, "fps scale boxes");
}

static void options_of_textures(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_fixture(&files, "t.nto", "sotc-nto/all-levels"); /* 8 x 2 */
    require_names(&files, NULL, "sides");
    memset(&files, 0, sizeof files);
    add_fixture(&files, "t.nto", "sotc-nto/one-texel");
    require_names(&files, NULL, "");
}

static void options_are_described(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof samples / sizeof samples[0]; c++) {
        ossa_scene *scene = assemble_character(&samples[c], NULL);
        assert_true(scene->option_count > 0);
        for (uint32_t i = 0; i < scene->option_count; i++) {
            const ossa_option_info *option = &scene->options[i];
            bool has_words =
                option->kind == OSSA_OPTION_KIND_CHOICE || option->kind == OSSA_OPTION_KIND_VECTOR;
            bool has_range =
                option->kind == OSSA_OPTION_KIND_NUMBER || option->kind == OSSA_OPTION_KIND_VECTOR;
            require(strlen(option->text) > 10, option->name, "has no text");
            require((option->word_count > 1) == has_words, option->name, "has %u words",
                    (unsigned)option->word_count);
            require((option->least < option->most) == has_range, option->name, "has a range");
            for (uint32_t k = 0; k < option->word_count; k++) {
                require(option->words[k].word[0] != '\0' && option->words[k].text[0] != '\0',
                        option->name, "has an empty word");
            }
        }
        ossa_scene_free(scene);
    }
}

TEST_GROUP(test_scene_option_list)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_of_evil_islands),
        cmocka_unit_test(options_of_vib_ribbon),
        cmocka_unit_test(options_of_textures),
        cmocka_unit_test(options_are_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
