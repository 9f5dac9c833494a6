/* SPDX-License-Identifier: MIT
 *
 * Evil Islands: parts whose names have dots are variants of a slot, a figure may lie beside other
 * trees, and most figures are one part. */
#include "support/fig_fixture.h"
#include "support/scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct fig_plan plan = {.seed = 3,
                                     .variants = 1,
                                     .vertex_blocks = 1,
                                     .normal_blocks = 1,
                                     .texcoords = 4,
                                     .triangles = 2,
                                     .corners = 4,
                                     .group = 19,
                                     .texture_number = 2};

static void add_fig(struct scene_files *files, const char *path)
{
    (void)add_file(files, path, "ei-fig", make_fig(&plan));
}

/* A tree of a few slots: one of them has a part with a dot. */
static const char *const tree[] = {"hp",    "",   "bd",  "hp", "hd", "bd",
                                   "hr.00", "hd", "rh3", "bd", NULL};

static void add_human(struct scene_files *files)
{
    static const char *const parts[] = {"hp",    "bd",    "bd.armor01", "bd.armor02",  "hd",
                                        "hr.00", "hr.05", "rh3",        "rh3.sword00", "rh3.axe"};
    static const char *const positions[] = {"hp", "bd", "hd", "hr", "rh3"};
    char path[64];
    (void)add_file(files, "human.mod/human", "ei-lnk", make_lnk(tree));
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        (void)snprintf(path, sizeof path, "human.mod/%s", parts[i]);
        add_fig(files, path);
    }
    for (size_t i = 0; i < sizeof positions / sizeof positions[0]; i++) {
        (void)snprintf(path, sizeof path, "human.bon/%s", positions[i]);
        (void)add_file(files, path, "ei-bon", make_bon((float)i + 1.0F, 0.25F, 0.5F));
    }
}

/* The names of the meshes, with spaces between them. */
static void require_meshes(const struct scene_files *files, const char *const *patterns,
                           size_t count, const char *expected)
{
    char text[512] = "";
    const ossa_ei_options ei = {.parts = patterns, .part_count = count};
    const ossa_scene_options options = {.ei = &ei};
    ossa_scene *scene = assemble_files(files, &options);
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        size_t used = strlen(text);
        (void)snprintf(text + used, sizeof text - used, "%s%s", i > 0 ? " " : "",
                       scene->meshes[i].name);
        assert_string_equal(scene->bones[scene->meshes[i].bone].name, scene->meshes[i].name);
    }
    assert_string_equal(text, expected);
    assert_int_equal(scene->warning_count, 0);
    ossa_scene_free(scene);
}

#define PATTERNS(...)                                                                              \
    ((const char *const[]){__VA_ARGS__}),                                                          \
        sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)

static void a_scene_has_what_the_tree_names(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_human(&files);
    require_meshes(&files, NULL, 0, "hp bd hd hr.00 rh3");
    free_files(&files);
    /* A part without a dot is shown, too, when the tree names a variant of its slot. */
    static const char *const armed[] = {"hp", "", "rh3.axe", "hp", NULL};
    (void)add_file(&files, "elf.mod/elf", "ei-lnk", make_lnk(armed));
    add_fig(&files, "elf.mod/rh3.axe");
    add_fig(&files, "elf.mod/rh3");
    add_fig(&files, "elf.mod/rh3.bow");
    (void)add_file(&files, "elf.bon/hp", "ei-bon", make_bon(0.0F, 0.0F, 0.0F));
    (void)add_file(&files, "elf.bon/rh3.axe", "ei-bon", make_bon(0.0F, 0.0F, 0.0F));
    require_meshes(&files, NULL, 0, "rh3.axe rh3");
    free_files(&files);
}

static void patterns_add_variants_and_take_parts_away(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_human(&files);
    require_meshes(&files, PATTERNS("rh3.sword00"), "hp bd hd hr.00 rh3 rh3.sword00");
    require_meshes(&files, PATTERNS("RH3.*"), "hp bd hd hr.00 rh3 rh3.axe rh3.sword00");
    require_meshes(&files, PATTERNS("rh3.*", "!rh3.axe"), "hp bd hd hr.00 rh3 rh3.sword00");
    require_meshes(&files, PATTERNS("bd.armor0?", "!bd"), "hp hd hr.00 rh3 bd.armor01 bd.armor02");
    /* A part with a dot gives way to another one of its slot, unless it is asked for, too. */
    require_meshes(&files, PATTERNS("hr.05"), "hp bd hd rh3 hr.05");
    require_meshes(&files, PATTERNS("hr.*"), "hp bd hd hr.00 rh3 hr.05");
    require_meshes(&files, PATTERNS("!*", "hd"), "hd");
    free_files(&files);
}

static void a_pattern_that_matches_nothing_is_told(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_human(&files);
    static const char *const patterns[] = {"hr.05", "tail.*"};
    const ossa_ei_options ei = {.parts = patterns, .part_count = 2};
    const ossa_scene_options options = {.ei = &ei};
    ossa_scene *scene = assemble_files(&files, &options);
    assert_int_equal(scene->warning_count, 1);
    require_warning(scene, 0, OSSA_CODE_MISSING_PART, "", "no part matches 'tail.*'");
    ossa_scene_free(scene);
    free_files(&files);
}

/* ---- where variants are -------------------------------------------------------------------- */

static uint32_t bone_of(const ossa_scene *scene, const char *name)
{
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        if (strcmp(scene->bones[i].name, name) == 0) return i;
    }
    fail_msg("there is no bone %s", name);
    return 0;
}

static void require_same_place(const ossa_scene *scene, const char *a, const char *b, bool is_same)
{
    uint32_t x = bone_of(scene, a);
    uint32_t y = bone_of(scene, b);
    ossa_transform *locals = calloc(scene->bone_count, sizeof *locals);
    assert_non_null(locals);
    for (uint32_t frame = 0; frame < scene->clips[0].frame_count; frame++) {
        ossa_sample_frame(scene, &scene->clips[0], frame, locals, NULL);
        int difference = memcmp(&locals[x], &locals[y], sizeof *locals);
        assert_true((difference == 0) == is_same);
    }
    free(locals);
}

static void a_variant_moves_as_its_slot_does(void **state)
{
    (void)state;
    static const char *const slots[] = {"hp", "bd", "hd", "hr", "rh3"};
    static const char *const patterns[] = {"*"};
    struct scene_files files = {0};
    char path[64];
    add_human(&files);
    for (size_t i = 0; i < 5; i++) {
        (void)snprintf(path, sizeof path, "human.anm/cwalk/%s", slots[i]);
        (void)add_file(&files, path, "ei-anm", make_random_anm(40 + (uint32_t)i, 4));
    }
    add_fig(&files, "human.mod/hp.armor01");
    const ossa_ei_options ei = {.parts = patterns, .part_count = 1};
    const ossa_scene_options options = {.ei = &ei};
    ossa_scene *scene = assemble_files(&files, &options);
    assert_int_equal(scene->warning_count, 0);
    assert_int_equal(scene->bone_count, 5 + 6);
    require_same_place(scene, "bd.armor01", "bd", true);
    require_same_place(scene, "rh3.axe", "rh3", true);
    require_same_place(scene, "hr.05", "hr.00", true);
    assert_int_equal(scene->bones[bone_of(scene, "rh3.axe")].parent, 1);
    /* A variant of the root stays on it: there is one root. */
    uint32_t armour = bone_of(scene, "hp.armor01");
    assert_int_equal(scene->bones[armour].parent, 0);
    assert_true(scene->clips[0].constant[armour].translation[0] == 0.0F);
    assert_true(scene->clips[0].constant[armour].rotation[3] == 1.0F);
    /* The position of the slot is that of the tree's part in it. */
    assert_true(scene->bones[3].rest.translation[0] == 4.0F);
    ossa_scene_free(scene);
    /* One with a position or an animation of its own has that. */
    (void)add_file(&files, "human.bon/rh3.axe", "ei-bon", make_bon(9.0F, 8.0F, 7.0F));
    (void)add_file(&files, "human.anm/cwalk/bd.armor01", "ei-anm", make_random_anm(99, 4));
    scene = assemble_files(&files, &options);
    assert_int_equal(scene->warning_count, 0);
    require_same_place(scene, "rh3.axe", "rh3", false);
    require_same_place(scene, "bd.armor01", "bd", false);
    require_same_place(scene, "bd.armor02", "bd", true);
    ossa_scene_free(scene);
    /* Nobody asked for them: then they are not there, and nothing is said. */
    scene = assemble_files(&files, NULL);
    assert_int_equal(scene->warning_count, 0);
    assert_int_equal(scene->bone_count, 5);
    ossa_scene_free(scene);
    assert_true(require_assembly_survives(&files, &options) > 10);
    free_files(&files);
}

static void the_root_is_where_the_option_says(void **state)
{
    (void)state;
    static const float still[1][4] = {{1.0F, 0.0F, 0.0F, 0.0F}};
    static const float up[1][3] = {{0.0F, 0.0F, 3.5F}};
    static const struct {
        ossa_ei_root root;
        float x, y;
    } cases[] = {{OSSA_EI_ROOT_SUM, 1.0F, 4.0F},
                 {OSSA_EI_ROOT_TRANSLATION, 0.0F, 3.5F},
                 {OSSA_EI_ROOT_BIND, 1.0F, 0.5F}};
    struct scene_files files = {0};
    add_human(&files);
    (void)add_file(&files, "cwalk/hp", "ei-anm", make_anm(1, still, 1, up));
    for (size_t i = 0; i < 3; i++) {
        const ossa_ei_options ei = {.root = cases[i].root};
        const ossa_scene_options options = {.ei = &ei};
        ossa_scene *scene = assemble_files(&files, &options);
        assert_true(scene->clips[0].constant[0].translation[0] == cases[i].x);
        assert_true(scene->clips[0].constant[0].translation[1] == cases[i].y);
        ossa_scene_free(scene);
    }
    free_files(&files);
}

/* ---- trees --------------------------------------------------------------------------------- */

static void the_tree_named_like_the_archive_is_its_own(void **state)
{
    (void)state;
    static const char *const other[] = {"wall01", "", NULL};
    struct scene_files files = {0};
    (void)add_file(&files, "human.mod/jbr00", "ei-lnk", make_lnk(other));
    add_fig(&files, "human.mod/wall01");
    add_fig(&files, "human.mod/wall02");
    (void)add_file(&files, "human.bon/wall01", "ei-bon", make_bon(0.0F, 0.0F, 0.0F));
    add_human(&files);
    (void)add_file(&files, "human.mod/alias", "ei-lnk", make_lnk(tree));
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_string_equal(scene->name, "human");
    assert_int_equal(scene->bone_count, 5);
    assert_int_equal(scene->mesh_count, 5);
    assert_int_equal(scene->warning_count, 0);
    static const char *const remarks[] = {
        "trees beside human.mod/human, which are left alone: 2, this is the first",
        "the tree has no part 'wall01'; its bind position is ignored",
        "the tree has no part 'wall01'; its mesh is ignored (the first of 2 such parts)"};
    assert_int_equal(scene->issue_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(scene->issues[i].severity, OSSA_SEVERITY_REMARK);
        assert_string_equal(scene->issues[i].message, remarks[i]);
    }
    ossa_scene_free(scene);
    free_files(&files);
}

/* Neither is named like what it lies in, or they lie apart. */
static void two_trees_are_refused_all_the_same(void **state)
{
    (void)state;
    static const char *const paths[][2] = {{"x/a.lnk", "x/b.lnk"}, {"a/a.lnk", "b/b.lnk"}};
    for (size_t i = 0; i < 2; i++) {
        struct scene_files files = {0};
        char message[128];
        (void)add_file(&files, paths[i][0], "ei-lnk", make_lnk(tree));
        (void)add_file(&files, paths[i][1], "ei-lnk", make_lnk(tree));
        (void)snprintf(message, sizeof message, "a second skeleton, model or table beside %s",
                       paths[i][0]);
        require_misfit(&files, NULL, OSSA_CODE_SEVERAL_FIGURES, paths[i][1], message);
        free_files(&files);
    }
}

/* ---- figures of one part ------------------------------------------------------------------- */

static void a_figure_may_be_one_part(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_fig(&files, "figures.res/barrel.fig");
    (void)add_file(&files, "figures.res/barrel.bon", "ei-bon", make_bon(0.0F, 0.0F, 2.0F));
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_string_equal(scene->name, "barrel");
    assert_int_equal(scene->bone_count, 1);
    assert_int_equal(scene->mesh_count, 1);
    assert_int_equal(scene->issue_count, 0);
    assert_true(scene->bones[0].rest.translation[1] == 2.0F);
    ossa_scene_free(scene);
    free_files(&files);
}

static void a_tree_of_one_link_names_the_end_of_the_part_or_all_of_it(void **state)
{
    (void)state;
    static const char *const links[][3] = {{"weapon", "", NULL}, {"SwordWeapon", "", NULL}};
    for (size_t i = 0; i < 2; i++) {
        struct scene_files files = {0};
        (void)add_file(&files, "figures.res/sword.lnk", "ei-lnk", make_lnk(links[i]));
        add_fig(&files, "figures.res/swordweapon.fig");
        (void)add_file(&files, "figures.res/SWORDWEAPON.bon", "ei-bon", make_bon(0.0F, 0.0F, 2.0F));
        ossa_scene *scene = assemble_files(&files, NULL);
        assert_string_equal(scene->name, "sword");
        assert_string_equal(scene->bones[0].name, links[i][0]);
        assert_int_equal(scene->mesh_count, 1);
        assert_int_equal(scene->issue_count, 0);
        assert_true(scene->bones[0].rest.translation[1] == 2.0F);
        ossa_scene_free(scene);
        free_files(&files);
    }
}

/* ---- materials ----------------------------------------------------------------------------- */

static void a_material_says_what_it_is_made_of(void **state)
{
    (void)state;
    static const struct {
        uint32_t group;
        const char *key;
    } cases[] = {{16, "group"}, {17, "material"}, {25, "material"}, {26, "group"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scene_files files = {0};
        struct fig_plan other = plan;
        char expected[64];
        other.group = cases[i].group;
        (void)add_file(&files, "barrel.fig", "ei-fig", make_fig(&other));
        (void)add_file(&files, "barrel.bon", "ei-bon", make_bon(0.0F, 0.0F, 0.0F));
        ossa_scene *scene = assemble_files(&files, NULL);
        const ossa_material *material = &scene->materials[0];
        assert_int_equal(material->extra_count, 2);
        assert_string_equal(material->extras[0].key, cases[i].key);
        assert_true(material->extras[0].numbers[0] == cases[i].group);
        assert_string_equal(material->extras[1].key, "texture_number");
        assert_true(material->extras[1].numbers[0] == 2.0);
        struct bytes glb = glb_or_fail("material", scene, NULL);
        put_u8(&glb, 0);
        (void)snprintf(expected, sizeof expected, "\"extras\":{\"%s\":%u,\"texture_number\":2}",
                       cases[i].key, (unsigned)cases[i].group);
        assert_non_null(strstr((const char *)glb.data + 20, expected));
        bytes_free(&glb);
        ossa_scene_free(scene);
        free_files(&files);
    }
}

TEST_GROUP(test_scene_parts)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_has_what_the_tree_names),
        cmocka_unit_test(patterns_add_variants_and_take_parts_away),
        cmocka_unit_test(a_pattern_that_matches_nothing_is_told),
        cmocka_unit_test(a_variant_moves_as_its_slot_does),
        cmocka_unit_test(the_root_is_where_the_option_says),
        cmocka_unit_test(the_tree_named_like_the_archive_is_its_own),
        cmocka_unit_test(two_trees_are_refused_all_the_same),
        cmocka_unit_test(a_figure_may_be_one_part),
        cmocka_unit_test(a_tree_of_one_link_names_the_end_of_the_part_or_all_of_it),
        cmocka_unit_test(a_material_says_what_it_is_made_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
