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
    for (uint32_t over = 0; over < 2; over++) {
        struct made_scene made;
        make_scene(&made, &(struct made_plan){.seed = 7, .bones = 1, .has_mesh = true});
        ossa_bone *bones = made_memory(&made, (MOST + 1) * sizeof *bones);
        uint32_t *vertex_bones = made_memory(&made, 3 * sizeof *vertex_bones);
        for (uint32_t b = 0; b <= MOST; b++) bones[b] = made.bones[0];
        vertex_bones[1] = MOST - 1;
        made.scene.bones = bones;
        made.scene.bone_count = MOST + over;
        made.meshes[0].vertex_bones = vertex_bones;
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
        cmocka_unit_test(one_mesh_of_several_bones_is_the_same_as_several),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
