/* SPDX-License-Identifier: MIT
 *
 * glTF as other programs write it, in documents made by hand: nodes, skins and options. */
#include "support/gltf_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The only buffer as one view. */
#define VIEW_OF(size)                                                                              \
    "'buffers':[{'byteLength':" #size "}],'bufferViews':[{'buffer':0,'byteLength':" #size "}]"
#define ACCESSOR_OF(view, component, count, type)                                                  \
    "{'bufferView':" #view ",'componentType':" #component ",'count':" #count ",'type':'" #type "'" \
    "}"

static void require_near(const double *found, const double *wanted, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        require(fabs(found[i] - wanted[i]) < 1e-6, "near", "[%zu] is %.9g, expected %.9g", i,
                found[i], wanted[i]);
    }
}

static void require_rotation(struct ossa__quat q, double x, double y, double z, double w)
{
    const double found[4] = {q.x, q.y, q.z, q.w};
    const double wanted[4] = {x, y, z, w};
    require_near(found, wanted, 4);
}

/* ---- nodes --------------------------------------------------------------------------------- */

static void an_empty_document(void **state)
{
    (void)state;
    struct gltf_reading reading = {0};
    const struct ossa__motion *motion = gltf_read_text(&reading, "{" GLTF_ASSET "}", NULL);
    assert_string_equal(motion->format, "gltf");
    assert_true(motion->has_rest);
    assert_int_equal(motion->node_count, 0);
    assert_int_equal(motion->clip_count, 0);
    assert_int_equal(motion->mesh_count, 0);
    assert_int_equal(motion->option_count, 0);
    assert_int_equal(reading.log.count, 0);
    gltf_free(&reading);
}

static void nodes_have_transforms(void **state)
{
    (void)state;
    struct gltf_reading reading = {0};
    const struct ossa__motion *motion = gltf_read_text(
        &reading,
        "{" GLTF_ASSET ",'nodes':[{'name':'a\\u00e9\\/b'},{'translation':[1,-2.5,0.1],"
        "'rotation':[0,0,-3,4],'scale':[2,3,-1]}]}",
        NULL);
    assert_int_equal(motion->node_count, 2);
    const struct ossa__motion_node *a = &motion->nodes[0];
    assert_string_equal(a->name, "a\xc3\xa9/b");
    assert_int_equal(a->parent, -1);
    assert_int_equal(a->mesh, -1);
    assert_false(a->is_joint || a->has_bind || a->is_camera);
    require_near(a->translation, (double[3]){0, 0, 0}, 3);
    require_rotation(a->rotation, 0, 0, 0, 1);
    require_near(a->scale, (double[3]){1, 1, 1}, 3);
    const struct ossa__motion_node *b = &motion->nodes[1];
    assert_string_equal(b->name, "");
    assert_true(b->translation[2] == (double)0.1F); /* files have floats */
    require_near(b->translation, (double[3]){1, -2.5, 0.1}, 3);
    require_rotation(b->rotation, 0, 0, -0.6, 0.8);
    require_near(b->scale, (double[3]){2, 3, -1}, 3);
    gltf_free(&reading);
}

/* What a matrix is made of, made into a matrix again. */
static void require_matrix(const struct ossa__motion_node *node, const double wanted[16])
{
    for (unsigned c = 0; c < 3; c++) {
        double axis[3] = {c == 0, c == 1, c == 2};
        double found[3];
        ossa__quat_rotate(node->rotation, axis, found);
        for (unsigned r = 0; r < 3; r++) found[r] *= node->scale[c];
        require_near(found, wanted + (size_t)4 * c, 3);
    }
    require_near(node->translation, wanted + 12, 3);
    assert_true(fabs(ossa__quat_dot(node->rotation, node->rotation) - 1.0) < 1e-12);
}

/* Rotations by 120 degrees, half turns about each axis, mirrored, flat. */
static void matrices_are_taken_apart(void **state)
{
    (void)state;
    static const double matrices[][16] = {
        {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1},
        {0, 2, 0, 0, 0, 0, 3, 0, 4, 0, 0, 0, 1, 2, 3, 1},
        {1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1},
        {-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1},
        {-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
        {0, 1, 0, 0, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},    /* mirrored */
        {-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1}, /* in every direction */
        {0.6, 0.8, 0, 0, -0.8, 0.6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
        {0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1, 1, 1, 1},
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 8, 7, 1},
        {1, 1e-7, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, /* as rounding leaves it */
    };
    for (size_t i = 0; i < sizeof matrices / sizeof matrices[0]; i++) {
        struct gltf_reading reading = {0};
        char text[512];
        const double *m = matrices[i];
        (void)snprintf(text, sizeof text,
                       "{" GLTF_ASSET
                       ",'nodes':[{'matrix':[%g,%g,%g,%g,%g,%g,%g,%g,%g,%g,%g,%g,%g,%g,"
                       "%g,%g]}]}",
                       m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8], m[9], m[10], m[11],
                       m[12], m[13], m[14], m[15]);
        const struct ossa__motion *motion = gltf_read_text(&reading, text, NULL);
        require_matrix(&motion->nodes[0], m);
        gltf_free(&reading);
    }
}

/* Children before their parents, and trees that follow each other. */
static void parents_come_before_their_children(void **state)
{
    (void)state;
    struct gltf_reading reading = {0};
    const struct ossa__motion *motion =
        gltf_read_text(&reading,
                       "{" GLTF_ASSET ",'nodes':[{'name':'leaf'},{'name':'other'},{'name':'branch',"
                       "'children':[0]},{'name':'root','children':[2,4]},{'name':'last'}]}",
                       NULL);
    static const char *const names[] = {"root", "branch", "leaf", "other", "last"};
    static const int32_t parents[] = {-1, 0, 1, -1, 0};
    assert_int_equal(motion->node_count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(motion->nodes[i].name, names[i]);
        assert_int_equal(motion->nodes[i].parent, parents[i]);
    }
    gltf_free(&reading);
}

/* The scene that is shown decides, if it lists nodes. */
static void nodes_of_other_scenes_are_left_out(void **state)
{
    (void)state;
    static const char nodes[] = "'nodes':[{'name':'a'},{'name':'b','children':[2]},{'name':'c'}],"
                                "'skins':[{'joints':[0,2]}]}";
    static const struct {
        const char *scenes;
        uint32_t count;
        const char *first;
    } cases[] = {
        {"'scene':1,'scenes':[{'nodes':[0]},{'nodes':[1]}],", 2, "b"},
        {"'scene':0,'scenes':[{'nodes':[0]},{'nodes':[1]}],", 1, "a"},
        {"'scene':0,'scenes':[{'nodes':[2]}],", 2, "b"}, /* of which another one is the root */
        {"'scenes':[{'nodes':[1]}],", 3, "a"},
        {"'scene':0,'scenes':[{}],", 3, "a"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct gltf_reading reading = {0};
        char text[512];
        (void)snprintf(text, sizeof text, "{" GLTF_ASSET ",%s%s", cases[i].scenes, nodes);
        const struct ossa__motion *motion = gltf_read_text(&reading, text, NULL);
        assert_int_equal(motion->node_count, cases[i].count);
        assert_string_equal(motion->nodes[0].name, cases[i].first);
        assert_int_equal(motion->nodes[0].is_joint, cases[i].first[0] == 'a');
        assert_int_equal(reading.log.count, cases[i].count < 3 ? 1 : 0);
        gltf_free(&reading);
    }
}

static void cameras_have_a_field_of_view(void **state)
{
    (void)state;
    struct gltf_reading reading = {0};
    const struct ossa__motion *motion = gltf_read_text(
        &reading,
        "{" GLTF_ASSET ",'cameras':[{'type':'perspective','perspective':{'yfov':0.75,'znear':1}},"
        "{'type':'orthographic'}],'nodes':[{'camera':1},{'camera':0},{'camera':0},{}]}",
        NULL);
    for (size_t i = 0; i < 4; i++) assert_int_equal(motion->nodes[i].is_camera, i < 3);
    assert_true(motion->nodes[0].field_of_view == 0.0);
    assert_true(motion->nodes[1].field_of_view == 0.75);
    assert_true(motion->nodes[2].field_of_view == 0.75);
    gltf_free(&reading);
}

/* ---- skins --------------------------------------------------------------------------------- */

#define SKINS                                                                                      \
    GLTF_ASSET "," VIEW_OF(192) ",'accessors':[" ACCESSOR_OF(                                      \
        0, 5126, 3, MAT4) "],"                                                                     \
                          "'nodes':[{},{},{},{},{}],'skins':[{'inverseBindMatrices':0,'joints':["  \
                          "3,1,0]},{'joints':[2]},"                                                \
                          "{'inverseBindMatrices':0,'joints':[1]}]"

static void joints_have_the_inverse_of_their_matrices(void **state)
{
    (void)state;
    static const float inverses[3][16] = {
        {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, -2, -3, 1},
        {0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 4, 6, 0, 1},
        {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, /* flat */
    };
    struct bytes bin = {0};
    for (size_t i = 0; i < 48; i++) put_f32(&bin, (&inverses[0][0])[i]);
    struct gltf_reading reading = {0};
    const struct ossa__motion *motion = gltf_read_text(&reading, "{" SKINS "}", &bin);
    const struct ossa__motion_node *nodes = motion->nodes;
    for (size_t i = 0; i < 5; i++) assert_int_equal(nodes[i].is_joint, i < 4);
    assert_false(nodes[0].has_bind || nodes[2].has_bind || nodes[4].has_bind);
    assert_true(nodes[1].has_bind && nodes[3].has_bind);
    require_near(nodes[3].bind, (double[16]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1}, 16);
    require_near(nodes[1].bind,
                 (double[16]){0, -0.5, 0, 0, 0.5, 0, 0, 0, 0, 0, 0.5, 0, -3, 2, 0, 1}, 16);
    gltf_free(&reading);
    /* If they undo a quantisation, they do not say where the joints were. */
    reading = (struct gltf_reading){0};
    motion = gltf_read_text(&reading, "{'extensionsRequired':['KHR_mesh_quantization']," SKINS "}",
                            &bin);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(motion->nodes[i].is_joint, i < 4);
        assert_false(motion->nodes[i].has_bind);
    }
    assert_int_equal(reading.log.count, 0);
    bytes_free(&bin);
    gltf_free(&reading);
}

/* ---- options ------------------------------------------------------------------------------- */

static void options_from_extras(void **state)
{
    (void)state;
    static const char options[] =
        "{'ossa':{'scale':0.01,'eu\\u006cer':'z\\u0079x','n':-2,'skip':[1],'on':true,'no':null,"
        "'of':{}}}";
    static const char *const documents[] = {
        "{'asset':{'version':'2.0','extras':%s},'extras':{'ossa':{'wrong':1}}}",
        "{'asset':{'version':'2.0','extras':{'ossa':1}},'extras':%s}",
        "{'asset':{'version':'2.0'},'scene':1,'scenes':[{},{'extras':%s}]}",
    };
    for (size_t i = 0; i < 3; i++) {
        struct gltf_reading reading = {0};
        char text[512];
        const char *mark = strstr(documents[i], "%s");
        (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(mark - documents[i]), documents[i],
                       options, mark + 2);
        const struct ossa__motion *motion = gltf_read_text(&reading, text, NULL);
        assert_int_equal(motion->option_count, 4);
        assert_string_equal(motion->options[0].key, "scale");
        assert_null(motion->options[0].text);
        assert_true(motion->options[0].number == 0.01);
        assert_string_equal(motion->options[1].key, "euler");
        assert_string_equal(motion->options[1].text, "zyx");
        assert_true(motion->options[2].number == -2.0);
        assert_true(motion->options[3].number == 1.0);
        gltf_free(&reading);
    }
}

TEST_GROUP(test_import_gltf)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_document),
        cmocka_unit_test(nodes_have_transforms),
        cmocka_unit_test(matrices_are_taken_apart),
        cmocka_unit_test(parents_come_before_their_children),
        cmocka_unit_test(nodes_of_other_scenes_are_left_out),
        cmocka_unit_test(cameras_have_a_field_of_view),
        cmocka_unit_test(joints_have_the_inverse_of_their_matrices),
        cmocka_unit_test(options_from_extras),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
