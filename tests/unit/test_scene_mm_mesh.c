/* SPDX-License-Identifier: MIT
 *
 * Meshes of Midtown Madness in a scene: every triangle where an evaluation of the text, which
 * shares nothing with the library, puts it. */
#include "support/scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the independent one ------------------------------------------------------------------- */

enum { MOST = 4096 };

/* A text in which every row has its own line, as the fixtures "packets" and "big" have it. */
struct evaluation {
    double vertices[MOST][3];
    int vertex_count;
    int bones[MOST]; /* by vertex */
    int corners[MOST][3];
    int materials[MOST];
    int triangle_count;
};

/* Where make_skel puts a bone. */
static void place_of(int bone, double place[3])
{
    place[0] = 0.0;
    place[1] = 1.0 + 0.5 * bone;
    place[2] = 0.25 * bone;
}

/* The numbers behind a word that a line begins with; -1: it begins with another. */
static int read_numbers(const char *line, const char *word, double *numbers, int most)
{
    size_t size = strlen(word);
    if (strncmp(line, word, size) != 0 || (line[size] != ' ' && line[size] != '\t')) return -1;
    int count = 0;
    for (const char *at = line + size; count < most; count++) {
        char *end;
        double number = strtod(at, &end);
        if (end == at) break;
        numbers[count] = number;
        at = end;
    }
    return count;
}

static void add_triangle(struct evaluation *e, const double *indices, const int *adjuncts,
                         int packet, const int *packets_of)
{
    int material = 0;
    for (int left = packet; left >= packets_of[material]; material++) left -= packets_of[material];
    e->materials[e->triangle_count] = material;
    for (int k = 0; k < 3; k++) e->corners[e->triangle_count][k] = adjuncts[(int)indices[k]];
    e->triangle_count++;
}

static void evaluate(const struct bytes *file, struct evaluation *e)
{
    static double numbers[MOST];
    char *text = malloc(file->size + 1);
    assert_non_null(text);
    memcpy(text, file->data, file->size);
    text[file->size] = '\0';
    memset(e, 0, sizeof *e);
    int packets_of[8] = {0}; /* by material */
    int material = -1;
    int packet = -1;
    int adjuncts[MOST];
    int adjunct_count = 0;
    char *save = NULL;
    for (char *line = strtok_r(text, "\n", &save); line != NULL;
         line = strtok_r(NULL, "\n", &save)) {
        while (*line == '\t') line++;
        const char *inside = strstr(line, "packets:"); /* in the same line, or in one of its own */
        if (read_numbers(line, "mtl", numbers, 1) >= 0) material++;
        if (inside != NULL && read_numbers(inside, "packets:", numbers, 1) == 1) {
            packets_of[material] = (int)numbers[0];
        }
        if (read_numbers(line, "v", e->vertices[e->vertex_count], 3) == 3) e->vertex_count++;
        if (read_numbers(line, "packet", numbers, 3) == 3) {
            packet++;
            adjunct_count = 0;
        }
        if (read_numbers(line, "adj", numbers, 6) == 6) adjuncts[adjunct_count++] = (int)numbers[0];
        if (read_numbers(line, "tri", numbers, 3) == 3) {
            add_triangle(e, numbers, adjuncts, packet, packets_of);
        }
        int bones = read_numbers(line, "mtxv", numbers, MOST);
        for (int bone = 0, vertex = 0; bone < bones; bone++) {
            for (int i = 0; i < (int)numbers[bone]; i++) e->bones[vertex++] = bone;
        }
    }
    free(text);
}

/* The corner's place in the model's space. */
static void corner_place(const struct evaluation *e, int triangle, int corner, double place[3])
{
    int vertex = e->corners[triangle][corner];
    double bone[3];
    place_of(e->bones[vertex], bone);
    for (int k = 0; k < 3; k++) place[k] = bone[k] + e->vertices[vertex][k];
}

/* ---- the scene's --------------------------------------------------------------------------- */

static uint32_t bone_of(const ossa_mesh *mesh, uint32_t vertex)
{
    return mesh->vertex_bones == NULL ? mesh->bone : mesh->vertex_bones[vertex];
}

static bool is_at(const ossa_scene *scene, const ossa_mesh *mesh, uint32_t vertex,
                  const double place[3])
{
    ossa_transform poses[64];
    assert_true(scene->bone_count <= 64);
    ossa_rest_pose(scene, poses);
    ossa_model_pose(scene, poses, poses);
    for (unsigned k = 0; k < 3; k++) {
        double found = (double)poses[bone_of(mesh, vertex)].translation[k] +
                       (double)mesh->positions[vertex][k];
        if (fabs(found - place[k]) > 1e-5) return false;
    }
    return true;
}

/* Every triangle of the text is in the mesh that it must be in, once, and turned the right way. */
static void require_triangles(const char *name, const ossa_scene *scene, const struct evaluation *e)
{
    bool seen[MOST] = {false};
    uint64_t total = 0;
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        const ossa_mesh *mesh = &scene->meshes[m];
        assert_int_equal(mesh->kind, OSSA_MESH_KIND_TRIANGLES);
        for (uint32_t i = 0; i < mesh->index_count; i += 3, total++) {
            bool found = false;
            for (int t = 0; t < e->triangle_count && !found; t++) {
                found = !seen[t] && e->materials[t] == mesh->material;
                for (int k = 0; k < 3 && found; k++) {
                    double place[3];
                    uint32_t vertex = mesh->indices[i + (uint32_t)k];
                    corner_place(e, t, k, place);
                    found = is_at(scene, mesh, vertex, place) &&
                            (int)bone_of(mesh, vertex) == e->bones[e->corners[t][k]];
                }
                if (found) seen[t] = true;
            }
            require(found, name, "mesh %u has a triangle that is not in the text", (unsigned)m);
        }
    }
    require(total == (uint64_t)e->triangle_count, name, "%d triangles in the text, %llu meshed",
            e->triangle_count, (unsigned long long)total);
}

static void add_fixture(struct scene_files *files, const char *path, const char *name)
{
    const struct fixture *fixture = fixture_find(name);
    add_file(files, path, "mm-mod", bytes_copy(fixture->bytes.data, fixture->bytes.size));
}

/* With a skeleton of so many bones. */
static ossa_scene *assemble_fixture(const char *name, uint32_t bones)
{
    struct scene_files files = {0};
    add_file(&files, "ped.skel", NULL, make_skel(bones));
    add_fixture(&files, "ped.mod", name);
    ossa_scene *scene = assemble_files(&files, NULL);
    free_files(&files); /* the scene has copies */
    return scene;
}

static void triangles_are_where_the_text_has_them(void **state)
{
    (void)state;
    static struct evaluation e;
    evaluate(&fixture_find("mm-mod/packets")->bytes, &e);
    assert_int_equal(e.triangle_count, 3);
    ossa_scene *scene = assemble_fixture("mm-mod/packets", 2);
    require_triangles("packets", scene, &e);
    ossa_scene_free(scene);
    /* The flat one is the same shapes. */
    scene = assemble_fixture("mm-mod/flat", 2);
    assert_int_equal(scene->mesh_count, 2);
    assert_null(scene->meshes[0].texcoords);
    assert_null(scene->meshes[0].colours);
    ossa_scene_free(scene);
    evaluate(&fixture_find("mm-mod/big")->bytes, &e);
    assert_int_equal(e.triangle_count, 500);
    scene = assemble_fixture("mm-mod/big", 60);
    require_triangles("big", scene, &e);
    ossa_scene_free(scene);
}

/* One of its triangles leads over a joint: it is one body. */
static void there_is_a_mesh_for_each_material(void **state)
{
    (void)state;
    ossa_scene *scene = assemble_fixture("mm-mod/packets", 2);
    assert_int_equal(scene->mesh_count, 2);
    static const uint32_t bones[2][6] = {{0, 0, 0, 1, 1, 0}, {1, 1, 1}};
    for (uint32_t i = 0; i < 2; i++) {
        const ossa_mesh *mesh = &scene->meshes[i];
        assert_int_equal(mesh->bone, 0);
        assert_int_equal(mesh->material, i);
        assert_string_equal(mesh->name, scene->materials[i].name);
        assert_non_null(mesh->vertex_bones);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            require(mesh->vertex_bones[v] == bones[i][v], "packets", "mesh %u, vertex %u",
                    (unsigned)i, (unsigned)v);
        }
    }
    /* Normals of length 1, t as in the text, white left out. */
    const ossa_mesh *leg = &scene->meshes[1];
    assert_true(leg->normals[0][0] == 0.0F && leg->normals[0][1] == 0.6F &&
                leg->normals[0][2] == 0.8F);
    assert_true(leg->texcoords[1][0] == 1.0F && leg->texcoords[1][1] == 1.0F);
    static const uint8_t orange[4] = {255, 128, 0, 255};
    assert_memory_equal(leg->colours[2], orange, 4);
    assert_null(scene->meshes[0].colours);
    assert_int_equal(scene->material_count, 2);
    assert_string_equal(scene->materials[0].name, "skin (BEARD64)");
    assert_string_equal(scene->materials[1].name, "shoe");
    assert_int_equal(scene->materials[0].texture, -1);
    static const float colour[4] = {0.5F, 0.25F, 1.0F, 1.0F};
    assert_memory_equal(scene->materials[0].colour, colour, sizeof colour);
    assert_int_equal(scene->texture_count, 0);
    assert_int_equal(scene->warning_count, 1);
    require_warning(scene, 0, OSSA_CODE_MISSING_PART, "ped.mod",
                    "textures of this game cannot be read; materials that need one: 1, the first "
                    "is 'BEARD64'");
    ossa_scene_free(scene);
}

/* Three triangles in a row, of six corners that belong to three bones. Where the first, or all,
 * keep to a bone each, they are loose parts, and a shared corner is a vertex of each. */
static void corners_go_with_their_own_bones(void **state)
{
    (void)state;
    static const char head[] =
        "version: 1.09\nverts: 6\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 0 0\nv 3 0 0\nv 4 0 0\n"
        "mtl all { packets: 1 primitives: 3 }\npacket 6 3 0 {\nadj 0 0 0 0 0 0\n"
        "adj 1 0 0 0 0 0\nadj 2 0 0 0 0 0\nadj 3 0 0 0 0 0\nadj 4 0 0 0 0 0\n"
        "adj 5 0 0 0 0 0\n";
    static const struct {
        const char *rest;
        bool is_one_body;
    } ends[] = {
        {"tri 0 1 2\ntri 2 3 4\ntri 4 5 0\n}\nmtxv 3 2 1\n", true},
        {"tri 0 1 2\ntri 3 4 5\ntri 0 2 1\n}\nmtxv 3 2 1\n", true}, /* just one of three */
        {"tri 0 1 2\ntri 3 4 5\ntri 0 2 1\n}\nmtxv 3 3 0\n", false},
    };
    for (size_t n = 0; n < sizeof ends / sizeof ends[0]; n++) {
        static struct evaluation e;
        struct bytes file = bytes_copy(head, sizeof head - 1);
        put_text(&file, ends[n].rest);
        evaluate(&file, &e);
        struct scene_files files = {0};
        add_file(&files, "ped.skel", NULL, make_skel(3));
        add_file(&files, "ped.mod", "mm-mod", file);
        ossa_scene *scene = assemble_files(&files, NULL);
        require_triangles("shared", scene, &e);
        assert_int_equal(scene->warning_count, 0);
        assert_int_equal(scene->mesh_count, ends[n].is_one_body ? 1 : 2);
        assert_int_equal(scene->meshes[0].bone, 0);
        assert_int_equal(scene->meshes[0].vertex_bones != NULL, ends[n].is_one_body);
        assert_int_equal(scene->meshes[0].vertex_count, ends[n].is_one_body ? 6 : 3);
        assert_string_equal(scene->meshes[0].name, ends[n].is_one_body ? "all" : "s0");
        if (!ends[n].is_one_body) assert_int_equal(scene->meshes[1].bone, 1);
        ossa_scene_free(scene);
        free_files(&files);
    }
}

/* A strip of four corners and one of five: each triangle to the front, towards +Z. */
static void strips_turn_every_other_triangle(void **state)
{
    (void)state;
    ossa_scene *scene = assemble_fixture("mm-mod/strips", 1);
    assert_int_equal(scene->mesh_count, 1);
    const ossa_mesh *mesh = &scene->meshes[0];
    /* In the strip's own numbers: 0 1 2, 2 1 3, 2 3 4; and stp of 1 2 3 4: 2 1 3, 2 3 4. */
    static const uint32_t expected[15] = {0, 1, 2, 2, 1, 3, 2, 3, 4, 2, 1, 3, 2, 3, 4};
    assert_int_equal(mesh->index_count, 15);
    assert_memory_equal(mesh->indices, expected, sizeof expected);
    assert_int_equal(mesh->vertex_count, 5);
    assert_null(mesh->normals);
    ossa_scene_free(scene);
}

/* Of a vertex at that place in its bone's space. */
static void require_texcoord(const ossa_scene *scene, float x, float y, float z, float s, float t)
{
    unsigned found = 0;
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        const ossa_mesh *mesh = &scene->meshes[m];
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            const float *place = mesh->positions[v];
            if (place[0] != x || place[1] != y || place[2] != z) continue;
            found++;
            assert_non_null(mesh->texcoords);
            assert_true(mesh->texcoords[v][0] == s && mesh->texcoords[v][1] == t);
        }
    }
    assert_true(found > 0);
}

/* As the text has them: t counts from the top, as in a scene. */
static void corners_have_their_texture_coordinates(void **state)
{
    (void)state;
    ossa_scene *scene = assemble_fixture("mm-mod/packets", 2);
    require_texcoord(scene, 0.5F, 0.0F, 0.0F, 0.0F, 1.0F);
    require_texcoord(scene, -0.5F, 0.0F, 0.25F, 1.0F, 1.0F);
    require_texcoord(scene, 0.0F, 0.5F, -0.125F, 0.5F, 0.0F);
    ossa_scene_free(scene);
}

static void scale_counts_for_meshes_too(void **state)
{
    (void)state;
    struct scene_files files = {0};
    ossa_scene_options options = {.scale = 4.0};
    add_file(&files, "ped.skel", NULL, make_skel(2));
    add_fixture(&files, "ped.mod", "mm-mod/packets");
    ossa_scene *scene = assemble_files(&files, &options);
    assert_true(scene->meshes[0].positions[0][0] == 2.0F);
    /* The corner over the joint is in the space of its own bone. */
    assert_int_equal(scene->meshes[0].vertex_bones[5], 0);
    assert_true(scene->meshes[0].positions[5][1] == 4.0F);
    assert_true(scene->meshes[0].positions[5][2] == 0.0F);
    ossa_scene_free(scene);
    free_files(&files);
}

/* ---- what belongs together ----------------------------------------------------------------- */

static void a_model_alone_gets_placeholders(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_fixture(&files, "ped.mod", "mm-mod/flat");
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_string_equal(scene->name, "ped");
    assert_int_equal(scene->bone_count, 2);
    assert_string_equal(scene->bones[1].name, "bone1");
    require_warning(scene, 0, OSSA_CODE_MISSING_PART, "ped.mod",
                    "there is no skeleton (SKEL); using 2 placeholder bones in a row, each with "
                    "its part of the mesh");
    ossa_scene_free(scene);
    free_files(&files);
}

static void bones_must_be_as_many(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_file(&files, "ped.skel", NULL, make_skel(3));
    add_fixture(&files, "ped.mod", "mm-mod/packets");
    require_misfit(&files, NULL, OSSA_CODE_MISFIT, "ped.mod", "is for 2 bones, but ped.skel has 3");
    free_files(&files);
    files = (struct scene_files){0};
    add_file(&files, "walk.anim", "mm-anim", make_anim(1, 2, 5));
    add_fixture(&files, "ped.mod", "mm-mod/packets");
    require_misfit(&files, NULL, OSSA_CODE_MISFIT, "ped.mod",
                   "is for 2 bones, but the first animation has 5");
    free_files(&files);
    files = (struct scene_files){0};
    add_fixture(&files, "a.mod", "mm-mod/packets");
    add_fixture(&files, "b.mod", "mm-mod/flat");
    require_misfit(&files, NULL, OSSA_CODE_SEVERAL_FIGURES, "b.mod",
                   "a second skeleton, model or table beside a.mod");
    free_files(&files);
    files = (struct scene_files){0};
    add_fixture(&files, "a.mod", "mm-mod/stray-corner");
    require_misfit(&files, NULL, OSSA_CODE_MISFIT, "a.mod",
                   "has errors and cannot be posed: packets.primitives: 1 out of range: "
                   "the first refers to adjunct 1, but there are only 1");
    free_files(&files);
}

/* A model that does not share its vertices out is a thing: it goes with the first bone. */
static void a_model_without_shares_goes_with_one_bone(void **state)
{
    (void)state;
    ossa_scene *scene = assemble_fixture("mm-mod/one-line", 3);
    assert_int_equal(scene->mesh_count, 1);
    assert_int_equal(scene->meshes[0].bone, 0);
    assert_int_equal(scene->warning_count, 0);
    ossa_scene_free(scene);
    /* But the packets may say more. */
    static const char text[] = "version: 1.09 verts: 3 v 0 0 0 v 1 0 0 v 0 1 0 "
                               "mtl a { packets: 1 primitives: 1 } packet 3 1 1 { adj 0 0 0 0 0 0 "
                               "adj 1 0 0 0 0 0 adj 2 0 0 0 0 0 tri 0 1 2 mtx 2 }";
    for (uint32_t bones = 2; bones <= 3; bones++) {
        struct scene_files files = {0};
        add_file(&files, "ped.skel", NULL, make_skel(bones));
        add_file(&files, "ped.mod", "mm-mod", bytes_copy(text, sizeof text - 1));
        if (bones == 2) {
            require_misfit(&files, NULL, OSSA_CODE_MISFIT, "ped.mod",
                           "is for 3 bones, but ped.skel has 2");
        } else {
            scene = assemble_files(&files, NULL);
            assert_int_equal(scene->meshes[0].bone, 2);
            ossa_scene_free(scene);
        }
        free_files(&files);
    }
}

/* One more bone than that cannot be counted in 32 bits. */
static void the_largest_bone_is_too_large(void **state)
{
    (void)state;
    static const char text[] = "version: 1.09 verts: 3 v 0 0 0 v 1 0 0 v 0 1 0 "
                               "mtl a { packets: 1 primitives: 1 } packet 3 1 2 { adj 0 0 0 0 0 0 "
                               "adj 1 0 0 0 0 0 adj 2 0 0 0 0 1 tri 0 1 2 mtx 90000 4294967295 }";
    struct scene_files files = {0};
    add_file(&files, "ped.skel", NULL, make_skel(2));
    add_file(&files, "ped.mod", "mm-mod", bytes_copy(text, sizeof text - 1));
    require_misfit(&files, NULL, OSSA_CODE_MISFIT, "ped.mod",
                   "is for 4294967295 bones, but ped.skel has 2");
    free_files(&files);
}

static void slots_that_differ_are_told_of(void **state)
{
    (void)state;
    static const char text[] = "version: 1.09 verts: 3 v 0 0 0 v 1 0 0 v 0 1 0 "
                               "mtl a { packets: 1 primitives: 1 } packet 3 1 2 { adj 0 0 0 0 0 0 "
                               "adj 1 0 0 0 0 1 adj 2 0 0 0 0 0 tri 0 1 2 mtx 0 1 } mtxv 3 0";
    struct scene_files files = {0};
    add_file(&files, "ped.skel", NULL, make_skel(2));
    add_file(&files, "ped.mod", "mm-mod", bytes_copy(text, sizeof text - 1));
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->mesh_count, 1);
    assert_int_equal(scene->meshes[0].bone, 0);
    assert_int_equal(scene->warning_count, 1);
    require_warning(scene, 0, OSSA_CODE_UNUSUAL_VALUE, "ped.mod",
                    "corners whose packet names another bone than mtxv: 1; mtxv is used");
    ossa_scene_free(scene);
    free_files(&files);
}

static void what_is_too_far_is_refused(void **state)
{
    (void)state;
    static const char text[] = "version: 1.09 verts: 3 v 0 0 0 v 3e38 0 0 v 0 1 0 "
                               "mtl a { packets: 1 primitives: 1 } packet 3 1 0 { adj 0 0 0 0 0 0 "
                               "adj 1 0 0 0 0 0 adj 2 0 0 0 0 0 tri 0 1 2 }";
    struct scene_files files = {0};
    ossa_scene_options options = {.scale = 2.0};
    add_file(&files, "a.mod", "mm-mod", bytes_copy(text, sizeof text - 1));
    require_misfit(&files, &options, OSSA_CODE_MISFIT, "a.mod",
                   "vertices[1] does not fit in a 32-bit float");
    free_files(&files);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_file(&files, "ped.skel", NULL, make_skel(60));
    add_fixture(&files, "ped.mod", "mm-mod/big");
    assert_true(require_assembly_survives(&files, NULL) > 4);
    free_files(&files);
}

TEST_GROUP(test_scene_mm_mesh)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_are_where_the_text_has_them),
        cmocka_unit_test(there_is_a_mesh_for_each_material),
        cmocka_unit_test(corners_go_with_their_own_bones),
        cmocka_unit_test(strips_turn_every_other_triangle),
        cmocka_unit_test(corners_have_their_texture_coordinates),
        cmocka_unit_test(scale_counts_for_meshes_too),
        cmocka_unit_test(a_model_alone_gets_placeholders),
        cmocka_unit_test(bones_must_be_as_many),
        cmocka_unit_test(a_model_without_shares_goes_with_one_bone),
        cmocka_unit_test(the_largest_bone_is_too_large),
        cmocka_unit_test(slots_that_differ_are_told_of),
        cmocka_unit_test(what_is_too_far_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
