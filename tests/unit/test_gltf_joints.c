/* SPDX-License-Identifier: MIT
 *
 * Meshes whose vertices have bones of their own, in glTF. What they look like in motion is in
 * test_gltf_skin.c and, for files of a game, in test_mm_joints.c. */
#include "support/glb.h"
#include "support/made_scene.h"
#include "support/scenes.h"

#include <string.h>

/* What moves with several bones cannot stay on one. */
static void joints_of_too_many_bones_are_refused(void **state)
{
    (void)state;
    enum { MOST = 65536 };
    for (uint32_t n = 0; n < 4; n++) {
        uint32_t over = n % 2;
        bool is_weighted = n >= 2;
        struct made_scene made;
        make_scene(&made, &(struct made_plan){.seed = 7, .bones = 1, .has_mesh = true});
        ossa_bone *bones = made_memory(&made, (MOST + 1) * sizeof *bones);
        uint32_t *vertex_bones = made_memory(&made, 3 * sizeof *vertex_bones);
        for (uint32_t b = 0; b <= MOST; b++) bones[b] = made.bones[0];
        vertex_bones[1] = MOST - 1;
        made.scene.bones = bones;
        made.scene.bone_count = MOST + over;
        made.meshes[0].vertex_bones = is_weighted ? NULL : vertex_bones;
        uint32_t(*joints)[4] = made_memory(&made, 3 * sizeof *joints);
        float(*weights)[4] = made_memory(&made, 3 * sizeof *weights);
        for (uint32_t v = 0; v < 3; v++) {
            joints[v][0] = MOST - 1;
            weights[v][0] = 1.0F;
        }
        if (is_weighted) {
            made.meshes[0].joints = (const uint32_t(*)[4])joints;
            made.meshes[0].weights = (const float(*)[4])weights;
        }
        ossa_buffer buffer = {0};
        ossa_error error;
        bool ok =
            ossa_write_gltf(&made.scene, NULL, ossa_buffer_sink(&buffer), (ossa_sink){0}, &error);
        assert_int_equal(ok, over == 0);
        if (!ok) {
            assert_int_equal(error.code, OSSA_CODE_LIMIT);
            assert_string_equal(error.message,
                                "a skin has at most 65536 bones, and here are more; a mesh that "
                                "moves with several bones needs one");
            assert_int_equal(buffer.size, 0);
        }
        ossa_buffer_free(&buffer);
        free_made_scene(&made);
    }
}

/* Without the option only what needs the skin is bound to it. */
static void only_joints_are_bound_by_themselves(void **state)
{
    (void)state;
    struct made_scene made;
    struct glb glb;
    const struct made_plan plan = {
        .seed = 3, .bones = 9, .clips = 1, .frames = {2}, .has_mesh = true, .has_joints = true};
    make_scene(&made, &plan);
    struct bytes file = glb_or_fail("joints", &made.scene, NULL);
    glb_open(&glb, "joints", &file);
    require_gltf_rules(&glb);
    int node = glb_find_node(&glb, "made_skin");
    assert_int_equal(node, glb.node_count - 1);
    assert_int_equal(glb_primitive_count(&glb, (size_t)glb.nodes[node].mesh), 1);
    const json_t *attributes =
        json_object_get(glb_primitive(&glb, (size_t)glb.nodes[node].mesh, 0), "attributes");
    size_t joints = glb_index(&glb, attributes, "JOINTS_0");
    assert_int_equal(glb_index(&glb, glb_item(&glb, "accessors", joints), "count"), 4 * 3);
    for (size_t v = 0; v < 12; v++) { /* those of bones 1, 3, 5 and 7 */
        assert_true(glb_number(&glb, joints, v, 0) == (double)((1 + v / 3 * 2 + v % 3) % 9));
    }
    for (size_t b = 0; b < 9; b++) { /* a triangle or a line */
        assert_true(glb.nodes[b + 1].mesh >= 0);
        assert_int_equal(glb_primitive_count(&glb, (size_t)glb.nodes[b + 1].mesh), 1);
    }
    glb_close(&glb);
    bytes_free(&file);
    free_made_scene(&made);
}

/* ---- weights ------------------------------------------------------------------------------- */

/* The attributes of the only primitive that is bound to the skin. */
static const json_t *bound_attributes(const struct glb *glb)
{
    size_t mesh = (size_t)glb->nodes[glb_find_node(glb, "made_skin")].mesh;
    assert_int_equal(glb_primitive_count(glb, mesh), 1);
    return json_object_get(glb_primitive(glb, mesh, 0), "attributes");
}

/* Positions, normals, bones and weights are in the file as the scene has them. */
static void weighted_vertices_are_written_as_they_are(void **state)
{
    (void)state;
    struct made_scene made;
    struct glb glb;
    const struct made_plan plan = {.seed = 4, .bones = 6, .has_mesh = true, .has_weights = true};
    make_scene(&made, &plan);
    struct bytes file = glb_or_fail("weights", &made.scene, NULL);
    glb_open(&glb, "weights", &file);
    require_gltf_rules(&glb);
    const json_t *attributes = bound_attributes(&glb);
    const ossa_mesh *box = &made.meshes[0];
    while (box->joints == NULL) box++;
    size_t weighted[4] = {
        glb_index(&glb, attributes, "POSITION"), glb_index(&glb, attributes, "NORMAL"),
        glb_index(&glb, attributes, "JOINTS_0"), glb_index(&glb, attributes, "WEIGHTS_0")};
    assert_int_equal(glb_index(&glb, glb_item(&glb, "accessors", weighted[0]), "count"), 8);
    for (size_t v = 0; v < 8; v++) {
        for (size_t k = 0; k < 3; k++) {
            assert_true(glb_number(&glb, weighted[0], v, k) == (double)box->positions[v][k]);
            assert_true(glb_number(&glb, weighted[1], v, k) == (double)box->normals[v][k]);
        }
        for (size_t k = 0; k < 4; k++) {
            assert_true(glb_number(&glb, weighted[2], v, k) == (double)box->joints[v][k]);
            double difference = glb_number(&glb, weighted[3], v, k) - (double)box->weights[v][k];
            assert_true(difference < 1e-7 && difference > -1e-7);
        }
    }
    glb_close(&glb);
    bytes_free(&file);
    free_made_scene(&made);
}

/* A bone that stands twice is one joint, and weights that are nearly 1 together are 1: the rules of
 * glTF are stricter than those of a scene. */
static void weights_follow_the_rules_of_gltf(void **state)
{
    (void)state;
    struct made_scene made;
    struct glb glb;
    const struct made_plan plan = {.seed = 4, .bones = 6, .has_mesh = true, .has_weights = true};
    make_scene(&made, &plan);
    ossa_mesh *box = &made.meshes[0];
    while (box->joints == NULL) box++;
    uint32_t(*bones)[4] = (uint32_t(*)[4])(uintptr_t)box->joints;
    float(*weights)[4] = (float(*)[4])(uintptr_t)box->weights;
    memcpy(bones[3], (const uint32_t[4]){5, 2, 5, 0}, sizeof bones[3]);
    memcpy(weights[3], (const float[4]){0.25F, 0.25F, 0.375F, 0.125F}, sizeof weights[3]);
    memcpy(bones[7], (const uint32_t[4]){0, 0, 0, 4}, sizeof bones[7]);
    memcpy(weights[7], (const float[4]){0.0F, 0.5F, 0.0F, 0.500009F}, sizeof weights[7]);
    struct bytes file = glb_or_fail("weights", &made.scene, NULL);
    glb_open(&glb, "weights", &file);
    require_gltf_rules(&glb);
    const json_t *attributes = bound_attributes(&glb);
    size_t joints = glb_index(&glb, attributes, "JOINTS_0");
    size_t parts = glb_index(&glb, attributes, "WEIGHTS_0");
    static const double wanted[4][4] = {
        {5, 2, 0, 0}, {0.625, 0.25, 0, 0.125}, {0, 0, 0, 4}, {0, 0.4999955, 0, 0.5000045}};
    for (size_t k = 0; k < 4; k++) {
        assert_true(glb_number(&glb, joints, 3, k) == wanted[0][k]);
        assert_true(glb_number(&glb, parts, 3, k) == wanted[1][k]);
        assert_true(glb_number(&glb, joints, 7, k) == wanted[2][k]);
        double difference = glb_number(&glb, parts, 7, k) - wanted[3][k];
        assert_true(difference < 1e-7 && difference > -1e-7);
    }
    glb_close(&glb);
    bytes_free(&file);
    free_made_scene(&made);
}

/* All triangles of a scene as one mesh, each vertex with the bone of the mesh that it came from. */
static void join_meshes(struct made_scene *made, ossa_mesh *whole)
{
    uint32_t count = made->scene.mesh_count;
    float(*positions)[3] = made_memory(made, 3 * count * sizeof *positions);
    float(*normals)[3] = made_memory(made, 3 * count * sizeof *normals);
    uint32_t *bones = made_memory(made, 3 * count * sizeof *bones);
    uint32_t *indices = made_memory(made, 3 * count * sizeof *indices);
    for (uint32_t i = 0; i < 3 * count; i++) {
        const ossa_mesh *mesh = &made->meshes[i / 3];
        assert_int_equal(mesh->vertex_count, 3);
        memcpy(positions[i], mesh->positions[i % 3], sizeof *positions);
        memcpy(normals[i], mesh->normals[i % 3], sizeof *normals);
        bones[i] = mesh->bone;
        indices[i] = i - i % 3 + mesh->indices[i % 3];
    }
    *whole = (ossa_mesh){.name = "whole",
                         .vertex_bones = bones,
                         .vertex_count = 3 * count,
                         .positions = (const float(*)[3])positions,
                         .normals = (const float(*)[3])normals,
                         .material = -1,
                         .index_count = 3 * count,
                         .indices = indices};
}

/* Meshes of one bone each that the option binds, and one mesh of several bones: the same bytes.
 * Some of the bones mirror at rest, and all are turned. */
static void one_mesh_of_several_bones_is_the_same_as_several(void **state)
{
    (void)state;
    struct made_scene made;
    const struct made_plan plan = {
        .seed = 15, .bones = 8, .clips = 1, .frames = {3}, .has_mesh = true};
    make_scene(&made, &plan);
    uint32_t count = 0;
    for (uint32_t i = 0; i < made.scene.mesh_count; i++) {
        if (made.meshes[i].kind == OSSA_MESH_KIND_TRIANGLES) made.meshes[count++] = made.meshes[i];
    }
    made.scene.mesh_count = count;
    made.bones[1].rest.scale[0] *= -1.0F;
    made.bones[4].rest.scale[2] *= -1.0F;
    ossa_mesh whole;
    join_meshes(&made, &whole);
    const ossa_export_options bound = {.skin = true};
    struct bytes several = glb_with("several", &made.scene, NULL, &bound);
    made.scene.meshes = &whole;
    made.scene.mesh_count = 1;
    struct bytes one = glb_or_fail("one", &made.scene, NULL);
    require_same("one mesh", &one, several.data, several.size);
    bytes_free(&several);
    bytes_free(&one);
    free_made_scene(&made);
}

TEST_GROUP(test_gltf_joints)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_of_too_many_bones_are_refused),
        cmocka_unit_test(only_joints_are_bound_by_themselves),
        cmocka_unit_test(weighted_vertices_are_written_as_they_are),
        cmocka_unit_test(weights_follow_the_rules_of_gltf),
        cmocka_unit_test(one_mesh_of_several_bones_is_the_same_as_several),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
