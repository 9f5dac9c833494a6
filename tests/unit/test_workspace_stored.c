/* SPDX-License-Identifier: MIT
 *
 * Figures that an archive of Evil Islands stores by name (src/workspace/stored.c): of several
 * archives, of one part, and of one part that a link names. */
#include "support/counting.h"
#include "support/group.h"
#include "support/res_fixture.h"
#include "support/scenes.h"

#include "ossa/ossa.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 32 };

/* An archive being put together. */
struct archive {
    size_t count;
    struct res_item items[MOST];
    struct bytes bytes[MOST];
};

static void put_in(struct archive *archive, const char *name, struct bytes bytes)
{
    size_t i = archive->count++;
    assert_true(i < MOST);
    archive->bytes[i] = bytes;
    archive->items[i] = (struct res_item){name, 0, bytes.data, bytes.size, 1};
}

static void put_fixture(struct archive *archive, const char *name, const char *fixture)
{
    const struct fixture *found = fixture_find(fixture);
    put_in(archive, name, bytes_copy(found->bytes.data, found->bytes.size));
}

static struct bytes finish(struct archive *archive)
{
    const struct res_plan made = {.items = archive->items, .count = archive->count};
    struct bytes file = make_res(&made, NULL);
    for (size_t i = 0; i < archive->count; i++) bytes_free(&archive->bytes[i]);
    *archive = (struct archive){0};
    return file;
}

static void *open_nothing(void *user, const char *path, uint64_t *size, ossa_error *error)
{
    (void)user, (void)path;
    *size = 0;
    error->code = OSSA_CODE_IO;
    return NULL;
}

static ossa_workspace *new_workspace(void)
{
    static const ossa_filesystem nothing = {.open = open_nothing};
    const ossa_workspace_options options = {.filesystem = &nothing};
    ossa_workspace *workspace = ossa_workspace_new(&options, NULL);
    assert_non_null(workspace);
    return workspace;
}

static void add_bytes(ossa_workspace *workspace, const char *path, struct bytes bytes)
{
    assert_true(ossa_workspace_add_memory(workspace, path, bytes.data, bytes.size, NULL));
    bytes_free(&bytes);
}

static const char *const one[] = {"weapon", "", NULL};
static const char *const whole[] = {"oldshield", "", NULL};
static const char *const several[] = {"hp", "", "bd", "hp", NULL};

/* As figures.res: one figure of each kind, and what is none. */
static struct bytes make_figures(void)
{
    struct archive inner = {0};
    struct archive archive = {0};
    put_in(&inner, "troll", make_lnk(several));
    put_fixture(&inner, "hp", "ei-fig/fig1");
    put_fixture(&inner, "bd.armor01", "ei-fig/fig1");
    put_in(&archive, "troll.mod", finish(&inner));
    put_fixture(&inner, "hp", "ei-bon/one");
    put_fixture(&inner, "bd", "ei-bon/one");
    put_in(&archive, "troll.bon", finish(&inner));
    put_fixture(&archive, "Barrel.fig", "ei-fig/fig1");
    put_fixture(&archive, "barrel.bon", "ei-bon/one");
    put_in(&archive, "sword.lnk", make_lnk(one));
    put_fixture(&archive, "SwordWeapon.fig", "ei-fig/fig1");
    put_fixture(&archive, "swordweapon.bon", "ei-bon/one");
    put_in(&archive, "shield.lnk", make_lnk(whole));
    put_fixture(&archive, "oldshield.fig", "ei-fig/fig1");
    put_fixture(&archive, "oldshield.bon", "ei-bon/one");
    put_in(&archive, "ghost.lnk", make_lnk(one)); /* leads nowhere */
    put_fixture(&archive, "alone.bon", "ei-bon/one");
    put_fixture(&archive, "sky.fig", "ei-fig/fig1"); /* without a position */
    return finish(&archive);
}

static void require_figures(ossa_workspace *workspace, const char *path, const char *expected)
{
    char text[512] = "";
    ossa_figures *figures = ossa_workspace_figures(workspace, path, NULL);
    assert_non_null(figures);
    for (size_t i = 0; i < figures->count; i++) {
        size_t used = strlen(text);
        (void)snprintf(text + used, sizeof text - used, "%s%s", i > 0 ? " " : "",
                       figures->items[i].name);
    }
    assert_string_equal(text, expected);
    ossa_figures_free(figures);
}

static void require_scene(ossa_workspace *workspace, const char *path, uint32_t bones,
                          uint32_t meshes)
{
    ossa_error error = {0};
    ossa_scene *scene = ossa_workspace_scene(workspace, &path, 1, NULL, &error);
    require(scene != NULL, path, "%s", error.message);
    if (scene == NULL) return; /* for analysers, which do not know that it ends there */
    assert_int_equal(scene->bone_count, bones);
    assert_int_equal(scene->mesh_count, meshes);
    ossa_scene_free(scene);
}

/* The bytes of an entry as a file, and an archive as a folder. */
static void unpack(ossa_workspace *workspace, const char *folder, const ossa_file *archive)
{
    for (size_t i = 0; i < ossa_entry_count(archive); i++) {
        const ossa_entry *entry = ossa_entry_at(archive, i);
        char path[128];
        ossa_bytes bytes;
        assert_true(ossa_entry_bytes(archive, i, NULL, &bytes, NULL));
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->name);
        ossa_file *inner = ossa_read(bytes.data, bytes.size, NULL, NULL);
        if (inner != NULL && ossa_entry_count(inner) > 0) {
            unpack(workspace, path, inner);
        } else {
            assert_true(ossa_workspace_add_memory(workspace, path, bytes.data, bytes.size, NULL));
        }
        ossa_file_free(inner);
        ossa_bytes_free(&bytes);
    }
}

/* Unpacked, an archive has the same figures: a folder for each of its archives. */
static void unpacked_figures_are_the_same(void **state)
{
    (void)state;
    ossa_workspace *workspace = new_workspace();
    struct bytes bytes = make_figures();
    ossa_file *archive = ossa_read(bytes.data, bytes.size, NULL, NULL);
    assert_non_null(archive);
    unpack(workspace, "figures", archive);
    require_figures(workspace, NULL, "troll shield sword Barrel sky ghost");
    ossa_figures *figures = ossa_workspace_figures(workspace, NULL, NULL);
    assert_non_null(figures);
    static const uint32_t bones[] = {2, 1, 1, 1, 1};
    for (size_t i = 0; i < 5; i++) {
        const ossa_figure *figure = &figures->items[i];
        ossa_scene *scene =
            ossa_workspace_scene(workspace, figure->paths, figure->path_count, NULL, NULL);
        assert_non_null(scene);
        assert_int_equal(scene->bone_count, bones[i]);
        assert_int_equal(scene->mesh_count, 1);
        assert_string_equal(scene->name, figure->name);
        ossa_scene_free(scene);
    }
    ossa_figures_free(figures);
    ossa_file_free(archive);
    bytes_free(&bytes);
    ossa_workspace_free(workspace);
}

static void figures_of_every_kind_are_found(void **state)
{
    (void)state;
    ossa_workspace *workspace = new_workspace();
    add_bytes(workspace, "figures.res", make_figures());
    require_figures(workspace, NULL, "troll Barrel sword shield sky");
    require_scene(workspace, "figures.res#troll", 2, 1);
    require_scene(workspace, "figures.res#barrel", 1, 1);
    require_scene(workspace, "figures.res#Sword", 1, 1);
    require_scene(workspace, "figures.res#shield", 1, 1);
    require_scene(workspace, "figures.res#sky", 1, 1);
    static const char *const none[] = {"figures.res#ghost", "figures.res#alone",
                                       "figures.res#oldshield", "figures.res#swordweapon"};
    for (size_t i = 0; i < 4; i++) {
        ossa_error error = {0};
        assert_null(ossa_workspace_scene(workspace, &none[i], 1, NULL, &error));
        assert_int_equal(error.code, OSSA_CODE_NO_ENTRY);
    }
    /* All of them together are not one figure. */
    const char *all = "figures.res";
    ossa_error error = {0};
    assert_null(ossa_workspace_scene(workspace, &all, 1, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_SEVERAL_FIGURES);
    ossa_workspace_free(workspace);
}

/* An archive with a tree beside its parts is one figure, whatever its entries are called. */
static void parts_beside_their_tree_are_no_figures(void **state)
{
    (void)state;
    struct archive archive = {0};
    put_in(&archive, "troll.lnk", make_lnk(several));
    put_fixture(&archive, "hp.fig", "ei-fig/fig1");
    put_fixture(&archive, "hp.bon", "ei-bon/one");
    put_fixture(&archive, "bd.fig", "ei-fig/fig1");
    put_fixture(&archive, "bd.bon", "ei-bon/one");
    ossa_workspace *workspace = new_workspace();
    add_bytes(workspace, "troll.res", finish(&archive));
    require_figures(workspace, NULL, "troll");
    require_scene(workspace, "troll.res", 2, 2);
    ossa_workspace_free(workspace);
}

/* A figure of one part has no tree, but its name chooses its textures. */
static void a_single_figure_takes_its_own_textures(void **state)
{
    (void)state;
    struct archive archive = {0};
    put_fixture(&archive, "barrel00.mmp", "ei-mmp/dxt1");
    put_fixture(&archive, "sword00.mmp", "ei-mmp/dxt1");
    put_fixture(&archive, "other.mmp", "ei-mmp/dxt1");
    ossa_workspace *workspace = new_workspace();
    add_bytes(workspace, "figures.res", make_figures());
    add_bytes(workspace, "textures.res", finish(&archive));
    static const char *const figures[] = {"figures.res#barrel", "figures.res#sword"};
    static const char *const textures[] = {"barrel00", "sword00"};
    for (size_t i = 0; i < 2; i++) {
        const char *paths[] = {figures[i], "textures.res"};
        ossa_scene *scene = ossa_workspace_scene(workspace, paths, 2, NULL, NULL);
        assert_non_null(scene);
        assert_int_equal(scene->texture_count, 1);
        assert_string_equal(scene->textures[0].name, textures[i]);
        assert_int_equal(scene->materials[0].texture, 0);
        ossa_scene_free(scene);
    }
    ossa_workspace_free(workspace);
}

static void a_survey_lists_slots_and_variants(void **state)
{
    (void)state;
    static const struct {
        const char *slot;
        const char *part;
        bool is_shown;
    } expected[] = {{"bd", "bd.armor01", false}, {"hp", "hp", true}};
    ossa_workspace *workspace = new_workspace();
    add_bytes(workspace, "figures.res", make_figures());
    const char *path = "figures.res#troll";
    ossa_survey *survey = ossa_workspace_survey(workspace, &path, 1, NULL);
    assert_non_null(survey);
    assert_int_equal(survey->bone_count, 2);
    assert_int_equal(survey->slot_count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(survey->slots[i].name, expected[i].slot);
        assert_int_equal(survey->slots[i].part_count, 1);
        assert_string_equal(survey->slots[i].parts[0].name, expected[i].part);
        assert_true(survey->slots[i].parts[0].is_shown == expected[i].is_shown);
    }
    ossa_survey_free(survey);
    path = "figures.res#barrel";
    survey = ossa_workspace_survey(workspace, &path, 1, NULL);
    assert_non_null(survey);
    assert_int_equal(survey->bone_count, 1);
    ossa_survey_free(survey);
    ossa_workspace_free(workspace);
}

/* In an archive called .bon, whose names have dots, numbers that pass for a camera are none. */
static void a_position_in_its_archive_is_no_camera(void **state)
{
    (void)state;
    static const char *const tree[] = {"hp", "", "rh3.sword00", "hp", NULL};
    struct archive inner = {0};
    struct archive archive = {0};
    put_in(&inner, "troll", make_lnk(tree));
    put_fixture(&inner, "hp", "ei-fig/fig1");
    put_in(&archive, "troll.mod", finish(&inner));
    put_fixture(&inner, "hp", "ei-cam/two");
    put_fixture(&inner, "rh3.sword00", "ei-cam/plain");
    put_in(&archive, "troll.bon", finish(&inner));
    ossa_workspace *workspace = new_workspace();
    add_bytes(workspace, "figures.res", finish(&archive));
    const char *path = "figures.res#troll";
    ossa_scene *scene = ossa_workspace_scene(workspace, &path, 1, NULL, NULL);
    assert_non_null(scene);
    assert_int_equal(scene->camera_count, 0);
    assert_int_equal(scene->warning_count, 0); /* both have a position */
    ossa_scene_free(scene);
    ossa_workspace_free(workspace);
}

/* Strays, a program among them, do not refuse a figure. */
static void strays_in_a_figure_are_left_alone(void **state)
{
    (void)state;
    static const char *const names[] = {"viewer.exe", "viewer", "read.me"};
    struct archive inner = {0};
    struct archive archive = {0};
    put_in(&inner, "troll", make_lnk(several));
    put_fixture(&inner, "hp", "ei-fig/fig1");
    for (size_t i = 0; i < 3; i++) {
        struct bytes stray = {0};
        put_text(&stray, "MZ nothing that a figure would be made of");
        put_in(&inner, names[i], stray);
    }
    put_in(&archive, "troll.mod", finish(&inner));
    ossa_workspace *workspace = new_workspace();
    add_bytes(workspace, "figures.res", finish(&archive));
    require_scene(workspace, "figures.res#troll", 2, 1);
    ossa_workspace_free(workspace);
}

static ossa_step count_damaged(void *user, const ossa_visit *visit)
{
    *(size_t *)user += visit->error != NULL && !visit->is_stray ? 1 : 0;
    return OSSA_STEP_INTO;
}

/* How many entries of a figure whose entry `name` of `.mod`, `.bon` or `.anm` holds `text` are
 * unreadable to a check, and whether a scene is made of it. */
static void require_damage(const char *ending, const char *name, const char *text, bool has_scene)
{
    static const char *const names[] = {"troll.mod", "troll.bon", "troll.anm"};
    struct archive archive = {0};
    for (size_t i = 0; i < 3; i++) {
        struct archive inner = {0};
        struct bytes bytes = {0};
        put_text(&bytes, text);
        if (i == 0) put_fixture(&inner, "hp", "ei-fig/fig1");
        if (i == 0 && strcmp(name, "bd") == 0) put_in(&inner, "troll", make_lnk(several));
        if (strcmp(ending, names[i] + 5) == 0) put_in(&inner, name, bytes);
        else bytes_free(&bytes);
        put_in(&archive, names[i], finish(&inner));
    }
    ossa_workspace *workspace = new_workspace();
    add_bytes(workspace, "figures.res", finish(&archive));
    const ossa_walk_options walk = {
        .detail = OSSA_DETAIL_FILES, .deep = true, .visit = count_damaged, .user = &(size_t){0}};
    assert_true(ossa_workspace_walk(workspace, "figures.res", &walk, NULL));
    assert_int_equal(*(size_t *)walk.user, 1);
    const char *path = "figures.res#troll";
    ossa_scene *scene = ossa_workspace_scene(workspace, &path, 1, NULL, NULL);
    assert_int_equal(scene != NULL, has_scene);
    ossa_scene_free(scene);
    ossa_workspace_free(workspace);
}

/* But what has the name of a part where nothing else is stored, or of the tree, is damaged. */
static void damaged_entries_of_a_figure_are_no_strays(void **state)
{
    (void)state;
    require_damage(".mod", "troll", "no tree at all", false);
    require_damage(".mod", "TROLL", "", false);
    require_damage(".mod", "bd", "", true);
    require_damage(".bon", "bd", "", true);
    require_damage(".anm", "bd", "nothing that moves", true);
}

/* Whichever allocation fails, nothing leaks and the call says so. */
static void a_lack_of_memory_is_survived(void **state)
{
    (void)state;
    static const ossa_filesystem nothing = {.open = open_nothing};
    struct bytes figures = make_figures();
    size_t calls = 1;
    for (size_t n = 0; n <= calls; n++) {
        struct counting counting = {.fail_at = n};
        const ossa_workspace_options options = {.filesystem = &nothing,
                                                .allocator = counting_allocator(&counting)};
        ossa_workspace *workspace = ossa_workspace_new(&options, NULL);
        const char *path = "figures.res#sword";
        ossa_error error = {0};
        ossa_figures *found = NULL;
        ossa_scene *scene = NULL;
        ossa_survey *survey = NULL;
        if (workspace != NULL && ossa_workspace_add_memory(workspace, "figures.res", figures.data,
                                                           figures.size, &error)) {
            found = ossa_workspace_figures(workspace, NULL, &error);
        }
        if (found != NULL) scene = ossa_workspace_scene(workspace, &path, 1, NULL, &error);
        if (scene != NULL) survey = ossa_workspace_survey(workspace, &path, 1, &error);
        assert_true(found == NULL || found->count == 5);
        assert_true(survey != NULL || counting.failed);
        assert_true(survey != NULL || workspace == NULL || error.code == OSSA_CODE_OUT_OF_MEMORY);
        if (n == 0) calls = counting.calls;
        ossa_survey_free(survey);
        ossa_scene_free(scene);
        ossa_figures_free(found);
        ossa_workspace_free(workspace);
        assert_int_equal(counting.live, 0);
        assert_false(counting.wrong_release);
    }
    assert_true(calls > 20);
    bytes_free(&figures);
}

TEST_GROUP(test_workspace_stored)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_of_every_kind_are_found),
        cmocka_unit_test(unpacked_figures_are_the_same),
        cmocka_unit_test(parts_beside_their_tree_are_no_figures),
        cmocka_unit_test(a_single_figure_takes_its_own_textures),
        cmocka_unit_test(a_survey_lists_slots_and_variants),
        cmocka_unit_test(a_position_in_its_archive_is_no_camera),
        cmocka_unit_test(strays_in_a_figure_are_left_alone),
        cmocka_unit_test(damaged_entries_of_a_figure_are_no_strays),
        cmocka_unit_test(a_lack_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
