/* SPDX-License-Identifier: MIT
 *
 * One mesh bound to a skin shows exactly what a mesh on each bone shows: the two files of a scene
 * are drawn and compared, at rest and at times of every clip. */
#include "support/drawn.h"
#include "support/made_scene.h"
#include "support/scenes.h"

#include <stdio.h>

static const ossa_export_options skin_option = {.skin = true};

/* Both files of a scene, opened. */
struct pair {
    struct bytes files[2];
    struct glb rigid;
    struct glb skinned;
};

static void open_both(const char *label, const ossa_scene *scene, struct pair *pair)
{
    pair->files[0] = glb_or_fail(label, scene, NULL);
    pair->files[1] = glb_with(label, scene, NULL, &skin_option);
    glb_open(&pair->rigid, label, &pair->files[0]);
    glb_open(&pair->skinned, label, &pair->files[1]);
}

static void close_both(struct pair *pair)
{
    glb_close(&pair->rigid);
    glb_close(&pair->skinned);
    bytes_free(&pair->files[0]);
    bytes_free(&pair->files[1]);
}

static void require_same_clips(const struct pair *pair, const ossa_scene *scene, uint32_t stride)
{
    require_same_drawing(&pair->rigid, &pair->skinned, scene, NULL, 0.0);
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        const ossa_clip *clip = &scene->clips[c];
        for (uint32_t f = 0; f < clip->frame_count; f += stride) {
            require_same_drawing(&pair->rigid, &pair->skinned, scene, clip, f / clip->fps);
            require_same_drawing(&pair->rigid, &pair->skinned, scene, clip, (f + 0.4) / clip->fps);
            require_drawn(&pair->rigid, scene, clip, (f + 0.4) / clip->fps);
        }
        if (clip->frame_count > 0) {
            require_same_drawing(&pair->rigid, &pair->skinned, scene, clip, 1e6);
        }
    }
}

/* What a skin changes is the meshes and nothing else. */
static void require_same_rest(const struct pair *pair, const ossa_scene *scene)
{
    const struct glb *rigid = &pair->rigid;
    const struct glb *skinned = &pair->skinned;
    bool any = false;
    bool has_joints = false;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        any = any || scene->meshes[i].kind == OSSA_MESH_KIND_TRIANGLES;
        has_joints =
            has_joints || scene->meshes[i].vertex_bones != NULL || scene->meshes[i].joints != NULL;
    }
    assert_int_equal(skinned->node_count, rigid->node_count + (any && !has_joints ? 1 : 0));
    assert_int_equal(skinned->animation_count, rigid->animation_count);
    size_t bound = 0;
    for (size_t n = 0; n < skinned->node_count; n++) bound += skinned->nodes[n].skin >= 0;
    assert_int_equal(bound, any ? 1 : 0);
    bound = 0;
    for (size_t n = 0; n < rigid->node_count; n++) bound += rigid->nodes[n].skin >= 0;
    assert_int_equal(bound, has_joints ? 1 : 0);
    for (size_t n = 0; n <= rigid->joint_count; n++) {
        assert_string_equal(skinned->nodes[n].name, rigid->nodes[n].name);
        assert_int_equal(skinned->nodes[n].parent, rigid->nodes[n].parent);
    }
}

static void require_pair(const char *label, const ossa_scene *scene, uint32_t stride)
{
    struct pair pair;
    open_both(label, scene, &pair);
    require_gltf_rules(&pair.rigid);
    require_gltf_rules(&pair.skinned);
    require_same_rest(&pair, scene);
    require_same_clips(&pair, scene, stride);
    close_both(&pair);
}

static void samples_are_the_same(void **state)
{
    (void)state;
    static const ossa_scene_options options[] = {
        {.boxes = true}, {.boxes = true, .scale = 1e6}, {.boxes = true, .scale = 1e-6}};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        for (size_t k = 0; k < sizeof options / sizeof options[0]; k++) {
            ossa_scene *scene = assemble_character(&samples[i], &options[k]);
            require_pair(samples[i].name, scene, 17);
            ossa_scene_free(scene);
        }
    }
}

static void made_scenes_are_the_same(void **state)
{
    (void)state;
    static const struct made_plan plans[] = {
        {.seed = 1, .bones = 7, .clips = 2, .frames = {5, 1}, .has_mesh = true},
        {.seed = 2, .bones = 7, .clips = 2, .frames = {5, 3}, .has_mesh = true, .is_rigid = true},
        {.seed = 3, .bones = 9, .clips = 1, .frames = {6}, .has_mesh = true, .is_flat = true},
        {.seed = 4,
         .bones = 12,
         .clips = 1,
         .frames = {3},
         .has_mesh = true,
         .has_materials = true},
        {.seed = 5, .bones = 9, .clips = 3, .frames = {5, 4, 2}, .has_mesh = true, .targets = 3},
        {.seed = 6,
         .bones = 12,
         .clips = 3,
         .frames = {5, 4, 0},
         .has_mesh = true,
         .has_materials = true,
         .targets = 2,
         .cameras = 2},
        {.seed = 7, .bones = 1, .clips = 1, .frames = {3}, .has_mesh = true},
        {.seed = 9, .bones = 9, .clips = 2, .frames = {5, 1}, .has_mesh = true, .has_joints = true},
        {.seed = 10,
         .bones = 12,
         .clips = 2,
         .frames = {5, 4},
         .has_mesh = true,
         .has_joints = true,
         .has_materials = true,
         .targets = 2},
        {.seed = 11,
         .bones = 9,
         .clips = 2,
         .frames = {5, 1},
         .has_mesh = true,
         .has_weights = true},
        {.seed = 12,
         .bones = 12,
         .clips = 2,
         .frames = {5, 4},
         .has_mesh = true,
         .is_rigid = true,
         .has_joints = true,
         .has_weights = true,
         .has_materials = true,
         .targets = 2},
        {.seed = 13,
         .bones = 260,
         .clips = 1,
         .frames = {2},
         .is_rigid = true,
         .has_mesh = true,
         .has_weights = true},
        {.seed = 8, .bones = 3, .clips = 0, .has_mesh = true},
    };
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        struct made_scene made;
        char label[32];
        (void)snprintf(label, sizeof label, "made scene %zu", i);
        make_scene(&made, &plans[i]);
        require_pair(label, &made.scene, 1);
        free_made_scene(&made);
    }
}

/* One primitive for what is alike, one for each mesh with targets. */
static void what_is_alike_is_one_primitive(void **state)
{
    (void)state;
    struct made_scene made;
    struct pair pair;
    const struct made_plan plan = {
        .seed = 3, .bones = 9, .clips = 1, .frames = {2}, .has_mesh = true};
    make_scene(&made, &plan);
    open_both("alike", &made.scene, &pair);
    int node = glb_find_node(&pair.skinned, "made_skin");
    assert_int_equal(node, pair.skinned.node_count - 1);
    size_t mesh = (size_t)pair.skinned.nodes[node].mesh;
    assert_int_equal(glb_primitive_count(&pair.skinned, mesh), 1);
    size_t positions =
        glb_index(&pair.skinned,
                  json_object_get(glb_primitive(&pair.skinned, mesh, 0), "attributes"), "POSITION");
    assert_int_equal(
        glb_index(&pair.skinned, glb_item(&pair.skinned, "accessors", positions), "count"), 9 * 3);
    /* The lines are where they were. */
    for (size_t b = 0; b < 9; b++) {
        assert_int_equal(pair.skinned.nodes[b + 1].mesh >= 0, b % 2 == 1);
    }
    close_both(&pair);
    made.meshes[0].normals = NULL; /* one mesh that has less, and three with targets */
    struct made_scene morphing;
    const struct made_plan with_targets = {
        .seed = 3, .bones = 9, .clips = 1, .frames = {2}, .has_mesh = true, .targets = 2};
    open_both("not alike", &made.scene, &pair);
    mesh = (size_t)pair.skinned.nodes[glb_find_node(&pair.skinned, "made_skin")].mesh;
    assert_int_equal(glb_primitive_count(&pair.skinned, mesh), 2);
    close_both(&pair);
    make_scene(&morphing, &with_targets);
    open_both("with targets", &morphing.scene, &pair);
    mesh = (size_t)pair.skinned.nodes[glb_find_node(&pair.skinned, "made_skin")].mesh;
    assert_int_equal(glb_primitive_count(&pair.skinned, mesh), 1 + 3);
    assert_int_equal(glb_target_count(&pair.skinned, mesh), 2 + 4 + 3);
    close_both(&pair);
    free_made_scene(&made);
    free_made_scene(&morphing);
}

/* A joint is named by 8 bits as long as they hold. */
static void many_bones_have_large_joints(void **state)
{
    (void)state;
    static const uint32_t counts[] = {256, 257, 300};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct made_scene made;
        const struct made_plan plan = {.seed = 7,
                                       .bones = counts[i],
                                       .clips = 1,
                                       .frames = {1},
                                       .is_rigid = true,
                                       .is_flat = true,
                                       .has_mesh = true};
        make_scene(&made, &plan);
        made.scene.mesh_count = 0; /* the triangles, and of all bones the last */
        for (uint32_t m = 0; m < counts[i] + counts[i] / 2; m++) {
            if (made.meshes[m].kind != OSSA_MESH_KIND_TRIANGLES || made.meshes[m].bone % 32 > 0)
                continue;
            made.meshes[made.scene.mesh_count++] = made.meshes[m];
        }
        made.meshes[made.scene.mesh_count] = made.meshes[made.scene.mesh_count - 1];
        made.meshes[made.scene.mesh_count++].bone = counts[i] - 1;
        require_pair("many bones", &made.scene, 1);
        free_made_scene(&made);
    }
}

static void too_many_bones_have_no_skin(void **state)
{
    (void)state;
    enum { MOST = 65536 };
    for (uint32_t over = 0; over < 2; over++) {
        struct made_scene made;
        struct told told = {0};
        const ossa_export_options options = {.skin = true, .on_issue = record_issue, .user = &told};
        make_scene(&made, &(struct made_plan){.seed = 7, .bones = 1, .has_mesh = true});
        ossa_bone *bones = made_memory(&made, (MOST + 1) * sizeof *bones);
        for (uint32_t b = 0; b <= MOST; b++) bones[b] = made.bones[0];
        made.scene.bones = bones;
        made.scene.bone_count = MOST + over;
        struct bytes file = glb_with("too many", &made.scene, NULL, &options);
        struct bytes rigid = glb_or_fail("too many", &made.scene, NULL);
        assert_int_equal(told.count, over);
        assert_string_equal(told.last, over == 0
                                           ? ""
                                           : "a skin has at most 65536 bones, and here are more: "
                                             "meshes stay on their bones");
        if (over == 1) require_same("too many", &file, rigid.data, rigid.size);
        else assert_true(file.size != rigid.size);
        bytes_free(&file);
        bytes_free(&rigid);
        free_made_scene(&made);
    }
}

/* Without triangles there is nothing to bind. */
static void lines_alone_stay_as_they_are(void **state)
{
    (void)state;
    struct made_scene made;
    const struct made_plan plan = {
        .seed = 7, .bones = 4, .clips = 1, .frames = {2}, .has_mesh = true};
    make_scene(&made, &plan);
    made.meshes[0] = made.meshes[2];
    made.scene.mesh_count = 1;
    struct bytes file = glb_with("lines", &made.scene, NULL, &skin_option);
    struct bytes rigid = glb_or_fail("lines", &made.scene, NULL);
    require_same("lines", &file, rigid.data, rigid.size);
    made.scene.mesh_count = 0;
    struct bytes none = glb_with("nothing", &made.scene, NULL, &skin_option);
    struct bytes rigid_none = glb_or_fail("nothing", &made.scene, NULL);
    require_same("nothing", &none, rigid_none.data, rigid_none.size);
    bytes_free(&file);
    bytes_free(&rigid);
    bytes_free(&none);
    bytes_free(&rigid_none);
    free_made_scene(&made);
}

/* ---- odd bones ----------------------------------------------------------------------------- */

/* A bone that mirrors at rest: the vertices are mirrored once, and their triangles turned. */
static void a_mirrored_bone_is_the_same(void **state)
{
    (void)state;
    struct made_scene made;
    const struct made_plan plan = {
        .seed = 11, .bones = 6, .clips = 1, .frames = {3}, .has_mesh = true, .targets = 2};
    make_scene(&made, &plan);
    ossa_transform *constant = (ossa_transform *)(uintptr_t)made.clips[0].constant;
    made.clips[0].scales.count = 0;
    made.clips[0].visibilities.count = 0;
    for (unsigned b = 0; b < 2; b++) {
        made.bones[b].rest.scale[b] *= -1.0F;
        constant[b].scale[b] *= -1.0F;
    }
    require_pair("mirrored", &made.scene, 1);
    free_made_scene(&made);
}

/* A bone of no size at rest has no inverse, but its mesh is there when it has one. */
static void a_bone_of_no_size_is_the_same(void **state)
{
    (void)state;
    struct made_scene made;
    struct pair pair;
    const struct made_plan plan = {
        .seed = 12, .bones = 6, .clips = 1, .frames = {3}, .has_mesh = true, .targets = 2};
    make_scene(&made, &plan);
    made.bones[0].rest.scale[1] = 0.0F;
    made.bones[2].rest.scale[0] = made.bones[2].rest.scale[1] = made.bones[2].rest.scale[2] = 0.0F;
    open_both("no size", &made.scene, &pair);
    /* Normals at rest have no direction there. */
    for (uint32_t i = 0; i < made.scene.mesh_count; i++) made.meshes[i].normals = NULL;
    close_both(&pair);
    open_both("no size", &made.scene, &pair);
    require_same_clips(&pair, &made.scene, 1);
    close_both(&pair);
    free_made_scene(&made);
}

/* What is hidden has no size: its joint hangs on the node that hides it. */
static void what_is_hidden_is_not_drawn(void **state)
{
    (void)state;
    struct made_scene made;
    struct pair pair;
    const struct made_plan plan = {
        .seed = 13, .bones = 9, .clips = 1, .frames = {8}, .has_mesh = true, .is_flat = true};
    make_scene(&made, &plan);
    uint8_t *keys = (uint8_t *)(uintptr_t)made.clips[0].visibilities.keys;
    for (uint32_t f = 0; f < 8; f++) keys[(size_t)f * made.clips[0].visibilities.count] = f % 2;
    open_both("hidden", &made.scene, &pair);
    require_gltf_rules(&pair.skinned);
    assert_true(glb_find_node(&pair.skinned, "b0_visible") >= 0);
    for (uint32_t f = 0; f < 8; f++) {
        struct drawn_mesh drawn[13];
        struct glb_moment moment;
        struct glb_shape shape;
        find_drawn(&pair.skinned, &made.scene, drawn);
        glb_find_moment(&pair.skinned, 0, (f + 0.5) / 30.0, &moment);
        glb_draw(&pair.skinned, drawn[0].node, drawn[0].primitive, &moment, &shape);
        bool same = point_distance(shape.positions[0], shape.positions[1]) < 1e-6 &&
                    point_distance(shape.positions[0], shape.positions[2]) < 1e-6;
        assert_int_equal(same, f % 2 == 0);
        glb_free_shape(&shape);
        glb_free_moment(&moment);
        require_same_drawing(&pair.rigid, &pair.skinned, &made.scene, &made.clips[0],
                             (f + 0.5) / 30.0);
        require_drawn(&pair.skinned, &made.scene, &made.clips[0], (f + 0.5) / 30.0);
    }
    close_both(&pair);
    free_made_scene(&made);
}

/* The skin's space is the model's: what no float holds there is refused. */
static void what_is_too_far_away_is_refused(void **state)
{
    (void)state;
    struct made_scene made;
    const struct made_plan plan = {
        .seed = 14, .bones = 2, .clips = 1, .frames = {2}, .has_mesh = true, .is_rigid = true};
    make_scene(&made, &plan);
    made.bones[0].rest.translation[0] = 3.3e38F;
    made.bones[1].parent = -1;
    ((float *)(uintptr_t)made.meshes[0].positions)[0] = 3.3e38F;
    ossa_transform turned = {{3.3e38F, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    made.bones[0].rest = turned;
    ossa_buffer buffer = {0};
    ossa_error error;
    assert_false(ossa_write_gltf(&made.scene, &skin_option, ossa_buffer_sink(&buffer),
                                 (ossa_sink){0}, &error));
    assert_int_equal(error.code, OSSA_CODE_BAD_SCENE);
    assert_string_equal(error.message, "'b0' is too far away at rest for a 32-bit float");
    assert_int_equal(buffer.size, 0);
    free_made_scene(&made);
}

TEST_GROUP(test_gltf_skin)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_the_same),
        cmocka_unit_test(made_scenes_are_the_same),
        cmocka_unit_test(what_is_alike_is_one_primitive),
        cmocka_unit_test(many_bones_have_large_joints),
        cmocka_unit_test(too_many_bones_have_no_skin),
        cmocka_unit_test(lines_alone_stay_as_they_are),
        cmocka_unit_test(a_mirrored_bone_is_the_same),
        cmocka_unit_test(a_bone_of_no_size_is_the_same),
        cmocka_unit_test(what_is_hidden_is_not_drawn),
        cmocka_unit_test(what_is_too_far_away_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
