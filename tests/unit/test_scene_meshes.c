/* SPDX-License-Identifier: MIT
 *
 * The meshes of Evil Islands' figures in a scene: vertices, materials, and which part has which. */
#include "support/ei_rule.h"
#include "support/fig_fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* hp - bd - hd. */
static const char *const tree[] = {"hp", "", "bd", "hp", "hd", "bd", NULL};

static const struct fig_plan usual = {.seed = 41,
                                      .variants = 8,
                                      .vertex_blocks = 3,
                                      .normal_blocks = 2,
                                      .texcoords = 7,
                                      .triangles = 5,
                                      .corners = 12,
                                      .group = 19,
                                      .texture_number = 1};

static struct fig_plan of_seed(uint32_t seed)
{
    struct fig_plan plan = usual;
    plan.seed = seed;
    return plan;
}

static void add_tree(struct scene_files *files)
{
    (void)add_file(files, "unmotr.lnk", "ei-lnk", make_lnk(tree));
    for (unsigned i = 0; i < 3; i++) {
        char path[32];
        (void)snprintf(path, sizeof path, "bon/%s.bon", tree[2 * i]);
        (void)add_file(files, path, "ei-bon", make_bon(0.25F * (float)i, 0.5F, 1.0F));
    }
}

static const ossa_ei_fig *add_fig(struct scene_files *files, const char *path, struct fig_plan plan)
{
    return ossa_as_ei_fig(add_file(files, path, NULL, make_fig(&plan)));
}

/* The corners that triangles use, in their order; gives how many. */
static uint32_t used_corners(const ossa_ei_fig *fig, uint32_t *corners)
{
    uint32_t count = 0;
    for (uint32_t c = 0; c < fig->vertex_component_count; c++) {
        bool is_used = false;
        for (uint32_t i = 0; i < fig->index_count; i++) is_used = is_used || fig->indices[i] == c;
        if (is_used) corners[count++] = c;
    }
    return count;
}

/* ---- vertices ------------------------------------------------------------------------------ */

static void require_mesh(const struct scene_files *files, const ossa_mesh *mesh,
                         const ossa_ei_fig *fig, const char *part, const float sdh[3], double scale)
{
    uint32_t corners[64];
    uint32_t count = used_corners(fig, corners);
    assert_int_equal(mesh->kind, OSSA_MESH_KIND_TRIANGLES);
    assert_int_equal(mesh->vertex_count, count);
    assert_int_equal(mesh->target_count, 0);
    assert_null(mesh->colours);
    for (uint32_t v = 0; v < count; v++) {
        double place[3];
        ei_rule_corner(files, "none", part, 0.0, sdh, corners[v], NULL, place);
        for (unsigned k = 0; k < 3; k++) {
            assert_true(fabs((double)mesh->positions[v][k] - scale * place[k]) < 1e-6 * scale);
        }
        const ossa_ei_vertex_component *corner = &fig->vertex_components[corners[v]];
        const float *uv = fig->texcoords[corner->texcoord];
        assert_true(mesh->texcoords[v][0] == uv[0]);
        assert_true(mesh->texcoords[v][1] == (float)(1.0 - (double)uv[1]));
        float normal[3];
        ossa_ei_fig_normal(fig, corner->normal, normal);
        const double turned[3] = {(double)normal[0], (double)normal[2], -(double)normal[1]};
        double length = sqrt(turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2]);
        for (unsigned k = 0; k < 3; k++) {
            assert_true(fabs((double)mesh->normals[v][k] - turned[k] / length) < 1e-6);
        }
    }
    assert_int_equal(mesh->index_count, fig->index_count);
    for (uint32_t i = 0; i < fig->index_count; i++) {
        assert_int_equal(corners[mesh->indices[i]], fig->indices[i]);
    }
}

static void every_part_has_its_mesh(void **state)
{
    (void)state;
    static const float complexions[][3] = {{0, 0, 0}, {1, 0, 1}, {0.25F, 0.5F, 0.875F}};
    static const uint32_t variants[] = {1, 2, 4, 6, 8};
    for (size_t n = 0; n < 15; n++) {
        struct scene_files files = {0};
        ossa_ei_options ei = {0};
        const ossa_scene_options options = {.scale = n % 2 == 0 ? 1.0 : 2.5, .ei = &ei};
        struct fig_plan plan = of_seed(50 + (uint32_t)n);
        plan.variants = variants[n % 5];
        plan.corners = 20; /* of which not all are used */
        memcpy(ei.complexion, complexions[n % 3], sizeof ei.complexion);
        add_tree(&files);
        const ossa_ei_fig *head = add_fig(&files, "mod/hd.fig", plan);
        const ossa_ei_fig *hips = add_fig(&files, "mod/hp.fig", of_seed(99));
        ossa_scene *scene = assemble_files(&files, &options);
        assert_int_equal(scene->warning_count, 0);
        assert_int_equal(scene->mesh_count, 2); /* in the order of the bones */
        assert_int_equal(scene->meshes[0].bone, 0);
        assert_string_equal(scene->meshes[0].name, "hp");
        assert_int_equal(scene->meshes[1].bone, 2);
        assert_string_equal(scene->meshes[1].name, "hd");
        assert_true(scene->meshes[1].vertex_count < 20);
        require_mesh(&files, &scene->meshes[0], hips, "hp", ei.complexion, options.scale);
        require_mesh(&files, &scene->meshes[1], head, "hd", ei.complexion, options.scale);
        ossa_scene_free(scene);
        free_files(&files);
    }
}

/* A normal without a direction still has one in the scene. */
static void normals_are_of_length_1(void **state)
{
    (void)state;
    struct scene_files files = {0};
    struct fig_plan plan = usual;
    struct bytes file = make_fig(&plan);
    size_t at = find_fig_places(&plan).normals;
    static const float rows[4][4] = {{0, 3, NAN, 1e-30F}, {0, 0, 1, 0}, {0, 4, 1, 0}, {1, 0, 2, 1}};
    for (size_t i = 0; i < 16; i++) set_f32(&file, at + 4 * i, rows[i / 4][i % 4]);
    (void)add_file(&files, "hd.fig", NULL, file);
    ossa_scene *scene = assemble_files(&files, NULL);
    const float(*normals)[3] = scene->meshes[0].normals;
    static const float expected[4][3] = {{0, 1, 0}, {0.6F, 0.8F, 0}, {0, 1, 0}, {0, 1, 0}};
    for (unsigned i = 0; i < 4; i++) { /* the second has the w 0, and stays as long as it is */
        for (unsigned k = 0; k < 3; k++) {
            assert_true(fabsf(normals[i][k] - expected[i][k]) < 1e-6F);
        }
    }
    for (uint32_t i = 0; i < scene->meshes[0].vertex_count; i++) {
        float length = normals[i][0] * normals[i][0] + normals[i][1] * normals[i][1] +
                       normals[i][2] * normals[i][2];
        assert_true(fabsf(length - 1.0F) < 1e-5F);
    }
    ossa_scene_free(scene);
    free_files(&files);
}

/* A triangle whose normal is on the side from which it goes round against the clock. */
static void triangles_keep_their_way_round(void **state)
{
    (void)state;
    struct scene_files files = {0};
    struct fig_plan plan = {.seed = 1,
                            .variants = 1,
                            .vertex_blocks = 1,
                            .normal_blocks = 1,
                            .texcoords = 1,
                            .triangles = 1,
                            .corners = 3};
    struct bytes file = make_fig(&plan);
    struct fig_places at = find_fig_places(&plan);
    static const float rows[3][4] = {{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0.5F, 0}};
    for (size_t i = 0; i < 12; i++) set_f32(&file, at.vertices + 4 * i, rows[i / 4][i % 4]);
    for (size_t i = 0; i < 3; i++) { /* (1, 0, 0) x (0, 1, 0.5) = (0, -0.5, 1) */
        set_f32(&file, at.normals + 4 * i, 0.0F);
        set_f32(&file, at.normals + 16 + 4 * i, -0.5F);
        set_f32(&file, at.normals + 32 + 4 * i, 1.0F);
    }
    (void)add_file(&files, "hd.fig", NULL, file);
    ossa_scene *scene = assemble_files(&files, NULL);
    const ossa_mesh *mesh = &scene->meshes[0];
    float a[3];
    float b[3];
    for (unsigned k = 0; k < 3; k++) {
        a[k] = mesh->positions[mesh->indices[1]][k] - mesh->positions[mesh->indices[0]][k];
        b[k] = mesh->positions[mesh->indices[2]][k] - mesh->positions[mesh->indices[0]][k];
    }
    float dot = (a[1] * b[2] - a[2] * b[1]) * mesh->normals[0][0] +
                (a[2] * b[0] - a[0] * b[2]) * mesh->normals[0][1] +
                (a[0] * b[1] - a[1] * b[0]) * mesh->normals[0][2];
    assert_true(dot > 1.0F);
    ossa_scene_free(scene);
    free_files(&files);
}

static void a_vertex_that_is_nowhere_is_refused(void **state)
{
    (void)state;
    struct scene_files files = {0};
    struct fig_plan plan = usual;
    struct bytes file = make_fig(&plan);
    set_u32(&file, find_fig_places(&plan).vertices + 4, 0x7fc00000); /* x of the second */
    add_tree(&files);
    (void)add_file(&files, "hd.fig", NULL, file);
    require_misfit(&files, NULL, OSSA_CODE_BAD_SCENE, "meshes[0]",
                   "'hd' has a vertex that is not finite");
    free_files(&files);
}

/* ---- parts --------------------------------------------------------------------------------- */

static void a_mesh_of_no_part_is_left_out(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_tree(&files);
    (void)add_fig(&files, "mod/tail.fig", of_seed(3));
    (void)add_fig(&files, "mod/BD.FIG", of_seed(4)); /* letter case does not matter */
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->mesh_count, 1);
    assert_int_equal(scene->meshes[0].bone, 1);
    assert_string_equal(scene->meshes[0].name, "bd");
    assert_int_equal(scene->warning_count, 1);
    require_warning(scene, 0, OSSA_CODE_MISFIT, "mod/tail.fig",
                    "the tree has no part 'tail'; its mesh is ignored");
    assert_string_equal(scene->issues[0].format, "ei-fig");
    ossa_scene_free(scene);
    free_files(&files);
}

static void a_second_mesh_is_refused(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_tree(&files);
    (void)add_fig(&files, "a/bd.fig", of_seed(3));
    (void)add_fig(&files, "b/Bd.fig", of_seed(4));
    require_misfit(&files, NULL, OSSA_CODE_MISFIT, "b/Bd.fig",
                   "the part 'Bd' already has a mesh, a/bd.fig");
    free_files(&files);
}

static void a_mesh_of_nothing_is_none(void **state)
{
    (void)state;
    struct scene_files files = {0};
    const struct fixture *nothing = fixture_find("ei-fig/nothing");
    add_tree(&files);
    (void)add_file(&files, "hp.fig", NULL, bytes_copy(nothing->bytes.data, nothing->bytes.size));
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->mesh_count, 0);
    assert_int_equal(scene->material_count, 0);
    assert_int_equal(scene->warning_count, 0);
    ossa_scene_free(scene);
    free_files(&files);
}

static void without_a_tree_every_mesh_is_a_bone(void **state)
{
    (void)state;
    struct scene_files files = {0};
    (void)add_fig(&files, "mod/sword.fig", of_seed(3));
    (void)add_fig(&files, "mod/hd.fig", of_seed(4));
    (void)add_file(&files, "walk/hd.anm", "ei-anm", make_random_anm(5, 2));
    const ossa_scene_options options = {.boxes = true};
    ossa_scene *scene = assemble_files(&files, &options);
    assert_int_equal(scene->bone_count, 2);
    assert_string_equal(scene->bones[0].name, "sword");
    assert_string_equal(scene->bones[1].name, "hd");
    assert_int_equal(scene->mesh_count, 2); /* and no boxes */
    assert_int_equal(scene->meshes[1].bone, 1);
    require_warning(scene, 0, OSSA_CODE_MISSING_PART, "mod/sword.fig",
                    "there is no tree (LNK); every part becomes a bone without a parent");
    ossa_scene_free(scene);
    free_files(&files);
}

/* ---- materials ----------------------------------------------------------------------------- */

static void a_material_for_each_texture_and_group(void **state)
{
    (void)state;
    static const char *const wide[] = {"a", "", "b", "a", "c", "a", "d", "a", "e", "a", NULL};
    static const uint32_t looks[5][2] = {{2, 19}, {1, 19}, {2, 18}, {1, 19}, {0xffffffff, 25}};
    struct scene_files files = {0};
    (void)add_file(&files, "unmotr.lnk", "ei-lnk", make_lnk(wide));
    for (uint32_t i = 0; i < 5; i++) {
        char path[32];
        struct fig_plan plan = of_seed(70 + i);
        plan.texture_number = looks[i][0];
        plan.group = looks[i][1];
        (void)snprintf(path, sizeof path, "%s.fig", wide[2 * i]);
        (void)add_fig(&files, path, plan);
    }
    ossa_scene *scene = assemble_files(&files, NULL);
    static const char *const names[4] = {"unmotr 1", "unmotr 2", "unmotr 2 group 19",
                                         "unmotr 4294967295"};
    static const bool transparent[4] = {false, true, false, true};
    static const int32_t materials[5] = {2, 0, 1, 0, 3};
    assert_int_equal(scene->material_count, 4);
    assert_int_equal(scene->texture_count, 0);
    for (unsigned i = 0; i < 4; i++) {
        const ossa_material *material = &scene->materials[i];
        assert_string_equal(material->name, names[i]);
        assert_int_equal(material->texture, -1);
        assert_true(material->is_transparent == transparent[i]);
        assert_false(material->is_double_sided);
        for (unsigned k = 0; k < 4; k++) assert_true(material->colour[k] == 1.0F);
    }
    for (unsigned i = 0; i < 5; i++) assert_int_equal(scene->meshes[i].material, materials[i]);
    ossa_scene_free(scene);
    free_files(&files);
}

TEST_GROUP(test_scene_meshes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_has_its_mesh),
        cmocka_unit_test(normals_are_of_length_1),
        cmocka_unit_test(triangles_keep_their_way_round),
        cmocka_unit_test(a_vertex_that_is_nowhere_is_refused),
        cmocka_unit_test(a_mesh_of_no_part_is_left_out),
        cmocka_unit_test(a_second_mesh_is_refused),
        cmocka_unit_test(a_mesh_of_nothing_is_none),
        cmocka_unit_test(without_a_tree_every_mesh_is_a_bone),
        cmocka_unit_test(a_material_for_each_texture_and_group),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
