/* SPDX-License-Identifier: MIT
 *
 * What a scene was made with is kept in it and in what is written from it, so that an import can
 * find its way back. Without options nothing is. */
#include "support/motions.h"
#include "support/scenes.h"

#include <stdlib.h>
#include <string.h>

/* An option that must be kept; one without a key ends them. */
struct kept {
    const char *key;
    const char *text; /* NULL: it is a number */
    double number;
};

static void require_extras(const char *label, const ossa_scene *scene, const struct kept *wanted)
{
    uint32_t count = 0;
    for (; wanted[count].key != NULL; count++) {
        require(count < scene->extra_count, label, "'%s' is missing", wanted[count].key);
        const ossa_extra *extra = &scene->extras[count];
        assert_string_equal(extra->key, wanted[count].key);
        if (wanted[count].text != NULL) {
            assert_string_equal(extra->text, wanted[count].text);
        } else {
            assert_null(extra->text);
            assert_int_equal(extra->number_count, 1);
            assert_true(extra->numbers[0] == wanted[count].number);
        }
    }
    require(scene->extra_count == count, label, "%u extras", scene->extra_count);
}

static void require_options(const char *label, const struct ossa__motion *motion,
                            const struct kept *wanted)
{
    for (; wanted->key != NULL; wanted++) {
        const struct ossa__motion_option *found = NULL;
        for (uint32_t i = 0; i < motion->option_count; i++) {
            if (strcmp(motion->options[i].key, wanted->key) == 0) found = &motion->options[i];
        }
        require(found != NULL, label, "'%s' is not in the file", wanted->key);
        if (found == NULL) abort();
        if (wanted->text != NULL) assert_string_equal(found->text, wanted->text);
        else assert_true(found->text == NULL && (float)found->number == (float)wanted->number);
    }
}

static struct ossa__motion *read_as_gltf(struct ossa__context *context, const uint8_t *data,
                                         size_t size)
{
    return ossa__read_gltf(context, data, size, NULL, NULL);
}

/* Kept in the scene, in its JSON and in its glTF. */
static void require_kept(const struct character *character, const ossa_scene_options *options,
                         const struct kept *wanted)
{
    const char *label = character->name;
    struct scene_files inputs = {0};
    add_folder(&inputs, character->folder);
    ossa_scene *scene = assemble_files(&inputs, options);
    free_files(&inputs);
    require_extras(label, scene, wanted);
    struct bytes files[2] = {scene_json_or_fail(label, scene, NULL, OSSA_JSON_STYLE_LINE),
                             glb_or_fail(label, scene, NULL)};
    motion_reader *const readers[2] = {ossa__read_scene_json, read_as_gltf};
    for (size_t i = 0; i < 2; i++) {
        struct motion_file file;
        motion_open_good(&file, label, readers[i], &files[i]);
        require_options(label, file.motion, wanted);
        if (wanted->key == NULL) assert_int_equal(file.motion->option_count, 0);
        motion_close(&file);
        bytes_free(&files[i]);
    }
    ossa_scene_free(scene);
}

static const struct character *find_sample(const char *name)
{
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        if (strcmp(samples[i].name, name) == 0) return &samples[i];
    }
    fail_msg("there is no sample '%s'", name);
    abort();
}

static void options_of_all_games(void **state)
{
    (void)state;
    static const struct kept none[] = {{0}};
    static const ossa_scene_options plain = {.scale = 1.0, .boxes = true};
    static const struct kept all[] = {
        {"scale", NULL, 0.01}, {"fps", NULL, 12.5}, {"in_place", NULL, 1}, {"join", NULL, 1}, {0}};
    static const ossa_scene_options changed = {
        .scale = 0.01, .fps = 12.5, .in_place = true, .join = true};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        require_kept(&samples[i], NULL, none);
        require_kept(&samples[i], &plain, none);
        require_kept(&samples[i], &changed, all);
    }
}

static void options_of_vib_ribbon(void **state)
{
    (void)state;
    static const ossa_ei_options ei = {.root = OSSA_EI_ROOT_BIND};
    static const ossa_vib_options vib = {.euler = OSSA_VIB_EULER_ZYX,
                                         .missing = OSSA_VIB_MISSING_HOLD,
                                         .twist = OSSA_VIB_TWIST_NONE,
                                         .view = OSSA_VIB_VIEW_DISTANCE};
    static const struct kept kept[] = {{"scale", NULL, 2},      {"euler", "zyx", 0},
                                       {"missing", "hold", 0},  {"twist", "none", 0},
                                       {"view", "distance", 0}, {0}};
    const ossa_scene_options options = {.scale = 2.0, .vib = &vib, .ei = &ei};
    require_kept(find_sample("rabbit"), &options, kept);
    const ossa_vib_options wrong = {.euler = (ossa_vib_euler)2, .view = (ossa_vib_view)1000000};
    const ossa_scene_options of_nobody = {.vib = &wrong};
    require_kept(find_sample("rabbit"), &of_nobody, (const struct kept[]){{0}});
}

static void options_of_evil_islands(void **state)
{
    (void)state;
    static const char *const parts[] = {"*.sword*", "!h?", "\xff", "rh*"};
    const struct character *troll = find_sample("troll");
    const ossa_ei_options ei = {.complexion = {0.0F, 0.25F, 1.0F},
                                .root = OSSA_EI_ROOT_TRANSLATION,
                                .resample = 3,
                                .morphing = OSSA_EI_MORPHING_FIRST,
                                .look = OSSA_EI_LOOK_UP,
                                .parts = parts,
                                .part_count = 2};
    static const struct kept kept[] = {
        {"complexion", "0,0.25,1", 0}, {"root", "t", 0},  {"resample", NULL, 3},
        {"parts", "*.sword*\n!h?", 0}, {"look", "up", 0}, {0}};
    const ossa_scene_options options = {.ei = &ei};
    require_kept(troll, &options, kept);
    /* Whose morph targets there are is told only where there are any. */
    const ossa_ei_options first = {.morphing = OSSA_EI_MORPHING_FIRST};
    const ossa_scene_options morphing = {.ei = &first};
    const struct character wyvern = {.name = "wyvern", .folder = OSSA_SAMPLE_DIR "/wyvern"};
    require_kept(&wyvern, &morphing, (const struct kept[]){{"morph", "clip", 0}, {0}});
    require_kept(troll, &morphing, (const struct kept[]){{0}});
    /* A pattern that is no text is not kept, and no reason to fail. */
    const ossa_ei_options other = {
        .has_complexion = true, .resample = 1, .parts = parts, .part_count = 4};
    const ossa_scene_options others = {.ei = &other};
    static const struct kept standard[] = {{"complexion", "0,0,0", 0}, {0}};
    require_kept(troll, &others, standard);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    static const char *const parts[] = {"a", "b"};
    const ossa_ei_options ei = {.has_complexion = true, .parts = parts, .part_count = 2};
    const ossa_scene_options options = {.scale = 2.0, .ei = &ei};
    struct scene_files files = {0};
    add_folder(&files, find_sample("troll")->folder);
    assert_true(require_assembly_survives(&files, &options) > 3);
    free_files(&files);
}

TEST_GROUP(test_scene_options)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_of_all_games),
        cmocka_unit_test(options_of_vib_ribbon),
        cmocka_unit_test(options_of_evil_islands),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
