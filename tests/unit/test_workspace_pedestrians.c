/* SPDX-License-Identifier: MIT
 *
 * Pedestrians as the second game stores them: an archive with several, strays beside them, tables
 * of other things, and the same files in a folder. */
#include "support/glb.h"
#include "support/mm_pedestrian.h"
#include "support/scenes.h"
#include "support/testing.h"
#include "ossa/workspace.h"

#include <stdio.h>
#include <string.h>

/* Issues by severity, and what was left out. */
struct heard {
    size_t counts[4];
    char left_out[1024];
};

static void hear(void *user, const ossa_issue *issue)
{
    struct heard *heard = user;
    heard->counts[issue->severity]++;
    if (issue->code != OSSA_CODE_PASSED_OVER) return;
    size_t used = strlen(heard->left_out);
    (void)snprintf(heard->left_out + used, sizeof heard->left_out - used, "%s ", issue->path);
}

static ossa_workspace *new_workspace(void)
{
    ossa_error error;
    ossa_workspace *workspace = ossa_workspace_new(NULL, &error);
    assert_non_null(workspace);
    return workspace;
}

static ossa_workspace *open_archive(void)
{
    ossa_error error;
    ossa_workspace *workspace = new_workspace();
    struct bytes archive = make_mm2_archive();
    assert_true(
        ossa_workspace_add_memory(workspace, "core.ar", archive.data, archive.size, &error));
    bytes_free(&archive);
    return workspace;
}

/* The entries of the archive as files of a folder. */
static ossa_workspace *open_folder(void)
{
    ossa_error error;
    ossa_workspace *workspace = new_workspace();
    struct bytes archive = make_mm2_archive();
    ossa_file *file = read_or_fail("archive", archive.data, archive.size, NULL);
    for (size_t i = 0; i < ossa_entry_count(file); i++) {
        char path[128];
        ossa_bytes bytes;
        (void)snprintf(path, sizeof path, "core/%s", ossa_entry_at(file, i)->name);
        assert_true(ossa_entry_bytes(file, i, NULL, &bytes, &error));
        assert_true(ossa_workspace_add_memory(workspace, path, bytes.data, bytes.size, &error));
        ossa_bytes_free(&bytes);
    }
    ossa_file_free(file);
    bytes_free(&archive);
    return workspace;
}

static ossa_scene *load(ossa_workspace *workspace, const char *const *paths, size_t count,
                        struct heard *heard)
{
    ossa_error error;
    const ossa_scene_options scene_options = {.on_issue = hear, .user = heard};
    const ossa_load_options options = {.scene = &scene_options, .on_issue = hear, .user = heard};
    ossa_scene *scene = ossa_workspace_scene(workspace, paths, count, &options, &error);
    require(scene != NULL, paths[0], "%s", error.message);
    return scene;
}

static void require_pedestrian(const ossa_scene *scene, const char *name)
{
    assert_string_equal(scene->name, name);
    assert_int_equal(scene->bone_count, MM2_BONES);
    assert_int_equal(scene->clip_count, 3);
    assert_non_null(ossa_scene_find_clip(scene, "WALK"));
    assert_int_equal(scene->variant_count, MM2_VARIANTS);
    assert_true(scene->mesh_count > 0);
    struct bytes file = glb_or_fail(name, scene, NULL);
    struct glb glb;
    glb_open(&glb, name, &file);
    require_gltf_rules(&glb);
    glb_close(&glb);
    bytes_free(&file);
}

/* ARCHIVE#anim/pedmodel_NAME is the skeleton, the mesh, the clothes, the table, and the animations
 * that it lists. */
static void a_figure_is_named_by_its_files(void **state)
{
    (void)state;
    static const char *const names[] = {"pedmodel_man", "pedmodel_manw", "pedmodel_woman"};
    ossa_workspace *workspace = open_archive();
    for (size_t i = 0; i < 3; i++) {
        char path[64];
        const char *paths[] = {path};
        struct heard heard = {{0}, ""};
        (void)snprintf(path, sizeof path, "core.ar#anim/%s", names[i]);
        ossa_scene *scene = load(workspace, paths, 1, &heard);
        require_pedestrian(scene, names[i]);
        assert_int_equal(heard.counts[OSSA_SEVERITY_WARNING] + heard.counts[OSSA_SEVERITY_ERROR],
                         0);
        bool is_woman = i == 2;
        assert_string_equal(ossa_scene_find_clip(scene, "WALK")->source,
                            is_woman ? "pedanim_womanwalk.anim" : "pedanim_manwalk.anim");
        ossa_scene_free(scene);
    }
    const char *wolf[] = {"core.ar#ANIM\\pedmodel_wolf"};
    struct heard heard = {{0}, ""};
    ossa_scene *scene = load(workspace, wolf, 1, &heard);
    assert_int_equal(scene->bone_count, MM2_BONES);
    assert_int_equal(scene->clip_count + scene->mesh_count, 0);
    ossa_scene_free(scene);
    ossa_workspace_free(workspace);
}

static const ossa_figure *find(const ossa_figures *figures, const char *name)
{
    for (size_t i = 0; i < figures->count; i++) {
        if (strcmp(figures->items[i].name, name) == 0) return &figures->items[i];
    }
    return NULL;
}

static void require_figures(ossa_workspace *workspace)
{
    ossa_error error;
    ossa_figures *figures = ossa_workspace_figures(workspace, NULL, &error);
    assert_non_null(figures);
    assert_int_equal(figures->count, 4);
    static const char *const names[] = {"pedmodel_man", "pedmodel_manw", "pedmodel_woman"};
    for (size_t i = 0; i < 3; i++) {
        const ossa_figure *figure = find(figures, names[i]);
        assert_non_null(figure);
        assert_int_equal(figure->path_count, 6);
        assert_int_equal(figure->clip_count, 2);
        assert_int_equal(figure->missing_count, 0);
        struct heard heard = {{0}, ""};
        ossa_scene *scene = load(workspace, figure->paths, figure->path_count, &heard);
        require_pedestrian(scene, names[i]);
        ossa_scene_free(scene);
    }
    /* A skeleton alone: the clips of others fit it, but are not its own. */
    const ossa_figure *wolf = find(figures, "pedmodel_wolf");
    assert_non_null(wolf);
    assert_int_equal(wolf->path_count, 1);
    assert_int_equal(wolf->clip_count, 0);
    ossa_figures_free(figures);
}

static void an_archive_has_its_figures(void **state)
{
    (void)state;
    ossa_workspace *workspace = open_archive();
    require_figures(workspace);
    ossa_workspace_free(workspace);
}

static void so_has_a_folder(void **state)
{
    (void)state;
    ossa_workspace *workspace = open_folder();
    require_figures(workspace);
    ossa_workspace_free(workspace);
}

/* The whole archive is not one figure. */
static void one_must_be_chosen(void **state)
{
    (void)state;
    ossa_workspace *workspace = open_archive();
    ossa_error error;
    const char *paths[] = {"core.ar"};
    assert_null(ossa_workspace_scene(workspace, paths, 1, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_SEVERAL_FIGURES);
    ossa_workspace_free(workspace);
}

/* A note called .anim, other tables and files that nobody knows do not stand in the way. */
static void strays_are_passed_over(void **state)
{
    (void)state;
    struct bytes archive = make_mm2_archive();
    ossa_file *file = read_or_fail("archive", archive.data, archive.size, NULL);
    ossa_workspace *workspace = new_workspace();
    ossa_error error;
    for (size_t i = 0; i < ossa_entry_count(file); i++) { /* one pedestrian, and all the strays */
        const char *name = ossa_entry_at(file, i)->name;
        bool is_other = strstr(name, "man") != NULL && strstr(name, "_man") == NULL;
        if (is_other || strstr(name, "manw.") != NULL || strstr(name, "wolf") != NULL) continue;
        char path[128];
        ossa_bytes bytes;
        (void)snprintf(path, sizeof path, "ped/%s", name);
        assert_true(ossa_entry_bytes(file, i, NULL, &bytes, &error));
        assert_true(ossa_workspace_add_memory(workspace, path, bytes.data, bytes.size, &error));
        ossa_bytes_free(&bytes);
    }
    struct heard heard = {{0}, ""};
    const char *paths[] = {"ped"};
    ossa_scene *scene = load(workspace, paths, 1, &heard);
    require_pedestrian(scene, "pedmodel_man");
    assert_int_equal(heard.counts[OSSA_SEVERITY_ERROR] + heard.counts[OSSA_SEVERITY_UNREADABLE], 0);
    assert_non_null(strstr(heard.left_out, "pedanim_manantrnch.anim"));
    assert_non_null(strstr(heard.left_out, "cars.csv"));
    assert_non_null(strstr(heard.left_out, "opponents.csv"));
    assert_non_null(strstr(heard.left_out, "races.csv"));
    assert_non_null(strstr(heard.left_out, "pedmodel_man.rays"));
    ossa_scene_free(scene);
    ossa_workspace_free(workspace);
    ossa_file_free(file);
    bytes_free(&archive);
}

TEST_GROUP(test_workspace_pedestrians)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_figure_is_named_by_its_files),
        cmocka_unit_test(an_archive_has_its_figures),
        cmocka_unit_test(so_has_a_folder),
        cmocka_unit_test(one_must_be_chosen),
        cmocka_unit_test(strays_are_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
