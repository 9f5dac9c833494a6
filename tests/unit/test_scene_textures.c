/* SPDX-License-Identifier: MIT
 *
 * Textures in a scene, and which of them a figure of Evil Islands wears. */
#include "support/counting.h"
#include "support/mmp_fixture.h"
#include "support/scenes.h"

#include "formats/evil_islands/game.h"

#include <stdio.h>

/* ---- textures alone ------------------------------------------------------------------------ */

static void a_texture_is_decoded_and_named_like_its_file(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_file(&files, "textures/unmotr00.mmp", NULL,
             make_8888(2, 1, (const uint32_t[]){0xff102030, 0x80405060}));
    add_file(&files, "b.MMP", NULL, make_pnt3(1, 3, (const uint32_t[]){8, 0xffaabbcc}, 2));
    ossa_scene *scene = assemble_files(&files, NULL);
    free_files(&files); /* the scene has copies */
    assert_int_equal(scene->bone_count, 0);
    assert_int_equal(scene->clip_count, 0);
    assert_int_equal(scene->material_count, 0);
    assert_int_equal(scene->warning_count, 0);
    assert_int_equal(scene->texture_count, 2);
    assert_string_equal(scene->textures[0].name, "unmotr00");
    assert_int_equal(scene->textures[0].width, 2);
    assert_int_equal(scene->textures[0].height, 1);
    static const uint8_t first[2][4] = {{0x10, 0x20, 0x30, 0xff}, {0x40, 0x50, 0x60, 0x80}};
    assert_memory_equal(scene->textures[0].pixels, first, sizeof first);
    assert_string_equal(scene->textures[1].name, "b");
    static const uint8_t second[3][4] = {{0xaa, 0xbb, 0xcc, 0xff}, {0}, {0}};
    assert_memory_equal(scene->textures[1].pixels, second, sizeof second);
    ossa_scene_free(scene);
}

static void textures_stand_beside_figures_and_cameras(void **state)
{
    (void)state;
    struct scene_files files = {0};
    const struct fixture *camera = fixture_find("ei-cam/seven");
    add_file(&files, "t.mmp", NULL, make_8888(1, 1, (const uint32_t[]){0}));
    add_file(&files, "walk/hp.anm", "ei-anm", make_random_anm(1, 3));
    add_file(&files, "v.cam", "ei-cam", bytes_copy(camera->bytes.data, camera->bytes.size));
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->bone_count, 1); /* a texture is no part */
    assert_string_equal(scene->bones[0].name, "hp");
    assert_int_equal(scene->clip_count, 1);
    assert_int_equal(scene->camera_count, 1);
    assert_int_equal(scene->texture_count, 1);
    ossa_scene_free(scene);
    free_files(&files);
}

/* ---- levels -------------------------------------------------------------------------------- */

static void require_level(const char *fixture_name, const char *path, uint32_t level,
                          uint32_t width, uint32_t height)
{
    const struct fixture *fixture = fixture_find(fixture_name);
    struct scene_files files = {0};
    const ossa_scene_options options = {.texture_level = level};
    add_file(&files, path, NULL, bytes_copy(fixture->bytes.data, fixture->bytes.size));
    ossa_scene *scene = assemble_files(&files, &options);
    assert_int_equal(scene->bone_count, 0);
    assert_int_equal(scene->texture_count, 1);
    assert_string_equal(scene->textures[0].name, "t");
    assert_int_equal(scene->textures[0].width, width);
    assert_int_equal(scene->textures[0].height, height);
    ossa_scene_free(scene);
    free_files(&files);
}

static void every_level_of_a_texture_can_be_had(void **state)
{
    (void)state;
    require_level("ei-mmp/dxt1-mips", "t.mmp", 0, 8, 4);
    require_level("ei-mmp/dxt1-mips", "t.mmp", 1, 4, 2);
    require_level("ei-mmp/dxt1-mips", "t.mmp", 3, 1, 1);
    require_level("sotc-nto/all-levels", "t.nto", 0, 8, 2);
    require_level("sotc-nto/all-levels", "t.nto", 2, 2, 1);
    require_level("sotc-nto/all-levels", "t.nto", 3, 1, 1);
}

static void textures_may_be_left_out(void **state)
{
    (void)state;
    static const char *const cases[2][2] = {{"ei-mmp/dxt1-mips", "t.mmp"},
                                            {"sotc-nto/all-levels", "t.nto"}};
    const ossa_scene_options options = {.no_textures = true};
    for (size_t i = 0; i < 2; i++) {
        const struct fixture *fixture = fixture_find(cases[i][0]);
        struct scene_files files = {0};
        add_file(&files, cases[i][1], NULL, bytes_copy(fixture->bytes.data, fixture->bytes.size));
        ossa_scene *scene = assemble_files(&files, &options);
        assert_int_equal(scene->texture_count, 0);
        assert_true(ossa_scene_validate(scene, NULL));
        ossa_scene_free(scene);
        free_files(&files);
    }
}

static void a_level_that_is_not_there_is_refused(void **state)
{
    (void)state;
    static const char *const cases[2][2] = {{"ei-mmp/dxt1-mips", "t.mmp"},
                                            {"sotc-nto/all-levels", "t.nto"}};
    const ossa_scene_options options = {.texture_level = 4};
    for (size_t i = 0; i < 2; i++) {
        const struct fixture *fixture = fixture_find(cases[i][0]);
        struct scene_files files = {0};
        add_file(&files, cases[i][1], NULL, bytes_copy(fixture->bytes.data, fixture->bytes.size));
        require_misfit(&files, &options, OSSA_CODE_MISFIT, cases[i][1],
                       "there is no level 4, the texture has 4");
        free_files(&files);
    }
}

static void a_texture_with_errors_is_refused(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("ei-mmp/pnt3-run-over");
    struct scene_files files = {0};
    add_file(&files, "t.mmp", NULL, bytes_copy(fixture->bytes.data, fixture->bytes.size));
    require_misfit(&files, NULL, OSSA_CODE_MISFIT, "t.mmp",
                   "has errors and cannot be posed: levels[0].words[2]: zeros past the end of the "
                   "picture: 8 bytes, 4 left");
    free_files(&files);
}

/* A file of 84 bytes that would be 16 GiB. */
static void a_bomb_meets_the_limit(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("ei-mmp/pnt3-bomb");
    struct scene_files files = {0};
    struct counting counting = {0};
    ossa_error error;
    ossa_scene_options options = {.allocator = counting_allocator(&counting)};
    add_file(&files, "t.mmp", NULL, bytes_copy(fixture->bytes.data, fixture->bytes.size));
    assert_null(ossa_assemble(files.inputs, files.count, &options, &error));
    assert_int_equal(error.code, OSSA_CODE_LIMIT);
    assert_string_equal(error.path, "t.mmp");
    assert_true(counting.peak < (size_t)1 << 20);
    assert_int_equal(counting.live, 0);
    free_files(&files);
}

/* The largest picture of a game has room, however small its file is. */
static void a_large_picture_of_a_small_file(void **state)
{
    (void)state;
    struct scene_files files = {0};
    ossa_error error;
    add_file(&files, "t.mmp", NULL, make_pnt3(4096, 4096, (const uint32_t[]){1000000}, 1));
    ossa_scene *scene = ossa_assemble(files.inputs, files.count, NULL, &error);
    require(scene != NULL, "t.mmp", "%s", error.message);
    assert_int_equal(scene->texture_count, 1);
    assert_int_equal(scene->textures[0].width, 4096);
    ossa_scene_free(scene);
    free_files(&files);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_file(&files, "a.mmp", NULL, make_pnt3(300, 200, (const uint32_t[]){240000}, 1));
    add_file(&files, "b.mmp", NULL, make_8888(1, 1, (const uint32_t[]){5}));
    assert_true(require_assembly_survives(&files, NULL) >= 2); /* large pixels have their own */
    free_files(&files);
}

/* ---- materials ----------------------------------------------------------------------------- */

enum { MATERIALS = 2 };

/* A figure of that name with a solid material and one that may be seen through, and textures of
 * these names: what they become. */
struct dressing {
    ossa_scene scene;
    ossa_material materials[MATERIALS];
    size_t warning_count;
};

static struct dressing dress(const char *model, const char *const *names, const char *chosen,
                             uint8_t alpha)
{
    enum { MOST = 8 };
    uint8_t texel[4] = {1, 2, 3, alpha};
    const ossa_ei_level level = {1, 1, texel, 4};
    ossa_ei_mmp mmp = {.width = 1,
                       .height = 1,
                       .mips = 1,
                       .fourcc = OSSA_EI_FOURCC_8888,
                       .level_count = 1,
                       .levels = &level};
    struct ossa__part parts[MOST] = {{.format = "ei-fig", .stem = (char[]){"hp"}}};
    char stems[MOST][32];
    ossa_input inputs[MOST] = {{.path = "hp.fig"}};
    char paths[MOST][32];
    const ossa_ei_options ei = {.texture = chosen};
    const ossa_scene_options options = {.ei = &ei};
    parts[0].input = &inputs[0];
    parts[0].shown = inputs[0].path;
    struct ossa__assembly assembly = {.parts = parts, .part_count = 1, .options = &options};
    struct dressing dressing = {.scene = {.name = model}};
    for (; *names != NULL; names++) {
        size_t n = assembly.part_count++;
        (void)snprintf(stems[n], sizeof stems[0], "%s", *names);
        (void)snprintf(paths[n], sizeof paths[0], "%s.mmp", *names);
        inputs[n].path = paths[n];
        /* cppcheck-suppress unreadVariable ; the assembly has it */
        parts[n] = (struct ossa__part){.input = &inputs[n],
                                       .shown = paths[n],
                                       .format = "ei-mmp",
                                       .stem = stems[n],
                                       .contents = &mmp};
    }
    for (size_t i = 0; i < MATERIALS; i++) {
        dressing.materials[i] = (ossa_material){.texture = -1, .is_transparent = i == 1};
    }
    dressing.scene.material_count = MATERIALS;
    dressing.scene.materials = dressing.materials;
    assembly.scene = &dressing.scene;
    ossa__context_init(&assembly.context, NULL, 0);
    ossa__ei_add_textures(&assembly);
    assert_false(assembly.context.failed);
    dressing.warning_count = assembly.context.warning_count;
    ossa__arena_free(&assembly.context.arena);
    return dressing;
}

static void the_figure_wears_the_texture_of_its_name(void **state)
{
    (void)state;
    static const struct {
        const char *model;
        const char *names[5];
        int32_t expected;
        const char *chosen;
    } cases[] = {
        {"unmotr", {"other", "unmotr00", "unmotr"}, 2, NULL},   /* just its name goes first */
        {"unmotr", {"other", "unmotr01", "unmotr00"}, 1, NULL}, /* then the first that begins so */
        {"unmotr", {"UNMOTR", "unmotr00"}, 0, NULL},            /* the case of letters is ignored */
        {"unmotr", {"unmo", "other", "Unmotr_a"}, 2, NULL},     /* a part of the name is not it */
        {"unmotr", {"other", "unmotrhead"}, 1, NULL},           /* letters may follow */
        {"unmotr", {"unmotr.old", "unmotr-2"}, -1, NULL},       /* other characters may not */
        {"unmotr", {"other"}, 0, NULL},                         /* the only one */
        {"unmotr", {"other", "another"}, -1, NULL},             /* nobody can tell */
        {"unmotr", {NULL}, -1, NULL},                           /* none at all */
        {"unmotr", {"unmotr", "other"}, 1, "other.mmp"}, /* what is chosen goes before its name */
        {"unmotr", {"other", "another"}, 0, "other.mmp"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct dressing found = dress(cases[i].model, cases[i].names, cases[i].chosen, 255);
        for (size_t m = 0; m < MATERIALS; m++) {
            require(found.materials[m].texture == cases[i].expected, cases[i].model,
                    "case %zu: texture %d", i, (int)found.materials[m].texture);
            bool wears_any = found.materials[m].texture >= 0;
            assert_true(found.materials[m].is_transparent == (!wears_any && m == 1));
        }
        bool is_unclear = cases[i].names[0] != NULL && cases[i].expected < 0;
        assert_int_equal(found.warning_count, is_unclear ? 1 : 0);
    }
}

/* Alpha shows where the group of a part lets it; a solid part with alpha 0 must not vanish. */
static void alpha_makes_some_materials_transparent(void **state)
{
    (void)state;
    static const char *const names[] = {"t", NULL};
    struct dressing found = dress("m", names, NULL, 254);
    assert_false(found.materials[0].is_transparent);
    assert_true(found.materials[1].is_transparent);
}

/* A texture that is chosen must be one. */
static void a_chosen_texture_must_be_there(void **state)
{
    (void)state;
    struct scene_files files = {0};
    ossa_ei_options ei = {.texture = "hp.bon"};
    const ossa_scene_options options = {.ei = &ei};
    (void)add_file(&files, "hp.bon", "ei-bon", make_bon(1, 2, 3));
    require_misfit(&files, &options, OSSA_CODE_MISFIT, "hp.bon", "is not a texture (MMP)");
    ei.texture = "hp.mmp";
    require_misfit(&files, &options, OSSA_CODE_BAD_ARGUMENT, "",
                   "the texture 'hp.mmp' is not among the inputs");
    free_files(&files);
}

TEST_GROUP(test_scene_textures)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_texture_is_decoded_and_named_like_its_file),
        cmocka_unit_test(textures_stand_beside_figures_and_cameras),
        cmocka_unit_test(every_level_of_a_texture_can_be_had),
        cmocka_unit_test(textures_may_be_left_out),
        cmocka_unit_test(a_level_that_is_not_there_is_refused),
        cmocka_unit_test(a_texture_with_errors_is_refused),
        cmocka_unit_test(a_bomb_meets_the_limit),
        cmocka_unit_test(a_large_picture_of_a_small_file),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(the_figure_wears_the_texture_of_its_name),
        cmocka_unit_test(a_chosen_texture_must_be_there),
        cmocka_unit_test(alpha_makes_some_materials_transparent),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
