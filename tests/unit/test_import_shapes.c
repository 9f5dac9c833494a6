/* SPDX-License-Identifier: MIT
 *
 * Shapes of a scene's mesh in what another program made of it: how vertices and weights are found,
 * and that it takes no time if they cannot be. */
#include "import/shapes.h"
#include "support/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a scene and a motion of one mesh ------------------------------------------------------ */

enum { VERTICES = 4, TARGETS = 2, KEYS = 3 };

/* Vertices 1 and 3 are at the same position. */
static const float positions[VERTICES][3] = {
    {0.0F, 0.0F, 0.0F}, {1.0F, 0.0F, 0.0F}, {0.0F, 1.0F, 0.0F}, {1.0F, 0.0F, 0.0F}};

struct subject {
    struct ossa__assembly assembly;
    ossa_scene_options options;
    ossa_scene scene;
    ossa_bone bones[2];
    ossa_mesh mesh;

    struct ossa__motion motion;
    struct ossa__motion_node nodes[2];
    struct ossa__motion_mesh made;
    float places[VERTICES][3];
    float targets[TARGETS][VERTICES][3];
    float weights[TARGETS];
    struct ossa__motion_clip clip;
    struct ossa__motion_curve curve;
    float times[KEYS];
    float values[KEYS][TARGETS];
};

static void begin(struct subject *s)
{
    *s = (struct subject){.options = {.scale = 1.0}};
    ossa__context_init(&s->assembly.context, NULL, 1 << 20);
    s->assembly.options = &s->options;
    s->assembly.scene = &s->scene;
    s->bones[0] = (ossa_bone){.name = "root", .parent = -1, .rest = {.rotation = {0, 0, 0, 1}}};
    s->bones[1] = (ossa_bone){.name = "wing", .parent = 0, .rest = {.rotation = {0, 0, 0, 1}}};
    s->mesh =
        (ossa_mesh){.name = "mesh", .bone = 1, .vertex_count = VERTICES, .positions = positions};
    s->scene = (ossa_scene){
        .name = "s", .bone_count = 2, .bones = s->bones, .mesh_count = 1, .meshes = &s->mesh};
    memcpy(s->places, positions, sizeof positions);
    for (uint32_t t = 0; t < TARGETS; t++) {
        for (uint32_t v = 0; v < VERTICES; v++) {
            s->targets[t][v][t] = (float)(v + 1); /* along x, then along y */
        }
    }
    s->made = (struct ossa__motion_mesh){.name = "Mesh.001",
                                         .vertex_count = VERTICES,
                                         .positions = (const float(*)[3])s->places,
                                         .target_count = TARGETS,
                                         .targets = (const float(*)[3])s->targets,
                                         .weights = s->weights};
    s->nodes[0] = (struct ossa__motion_node){.name = "wing", .parent = -1, .mesh = -1};
    s->nodes[1] = (struct ossa__motion_node){.name = "wing", .parent = 0, .mesh = 0};
    for (unsigned k = 0; k < KEYS; k++) {
        s->times[k] = (float)k;
        s->values[k][0] = (float)k;
        s->values[k][1] = 0.5F;
    }
    s->curve = (struct ossa__motion_curve){.node = 1,
                                           .target = OSSA__MOTION_WEIGHTS,
                                           .key_count = KEYS,
                                           .width = TARGETS,
                                           .times = s->times,
                                           .values = (const float *)s->values};
    s->clip = (struct ossa__motion_clip){.name = "c", .curve_count = 1, .curves = &s->curve};
    s->motion = (struct ossa__motion){.node_count = 2,
                                      .nodes = s->nodes,
                                      .clip_count = 1,
                                      .clips = &s->clip,
                                      .mesh_count = 1,
                                      .meshes = &s->made};
}

static void end(struct subject *s)
{
    ossa__arena_free(&s->assembly.context.scratch);
    ossa__arena_free(&s->assembly.context.arena);
}

/* Ask once; the offsets come as 0. */
static bool ask(struct subject *s, double time, float offsets[VERTICES][3])
{
    struct ossa__shapes *shapes = ossa__shapes_start(&s->assembly, &s->motion);
    assert_non_null(shapes);
    memset(offsets, 0, VERTICES * sizeof *offsets);
    return ossa__shape_at(shapes, 0, &s->clip, time, 1e-4, offsets);
}

static void require_offset(const float offset[3], double x, double y, double z)
{
    const double wanted[3] = {x, y, z};
    for (unsigned k = 0; k < 3; k++) assert_true(fabs((double)offset[k] - wanted[k]) < 1e-6);
}

/* ---- weights ------------------------------------------------------------------------------- */

static void weights_come_from_the_curve(void **state)
{
    (void)state;
    struct subject s;
    float offsets[VERTICES][3];
    begin(&s);
    assert_true(ask(&s, 1.5, offsets));
    require_offset(offsets[0], 1.5, 0.5, 0.0);
    require_offset(offsets[2], 4.5, 1.5, 0.0);
    assert_true(ask(&s, 9.0, offsets));
    require_offset(offsets[0], 2.0, 0.5, 0.0);
    assert_true(ask(&s, 0.99995, offsets)); /* as near to the key as their times may be */
    assert_true(offsets[0][0] == 1.0F);
    end(&s);
}

static void without_a_curve_they_are_those_of_the_mesh(void **state)
{
    (void)state;
    struct subject s;
    float offsets[VERTICES][3];
    begin(&s);
    const struct ossa__motion_curve curve = s.curve;
    const struct ossa__motion_clip other = {.name = "d", .curve_count = 1, .curves = &curve};
    struct ossa__motion_clip clips[] = {s.clip, other}; /* one of them has weights */
    s.motion.clips = clips;
    s.motion.clip_count = 2;
    s.weights[1] = -2.0F;
    s.clip.curve_count = 0;
    assert_true(ask(&s, 1.0, offsets));
    require_offset(offsets[2], 0.0, -6.0, 0.0);
    s.clip.curve_count = 1;
    s.curve.node = 0; /* another node's */
    assert_true(ask(&s, 1.0, offsets));
    require_offset(offsets[2], 0.0, -6.0, 0.0);
    s.curve.node = 1;
    s.curve.target = OSSA__MOTION_SCALE;
    assert_true(ask(&s, 1.0, offsets));
    require_offset(offsets[2], 0.0, -6.0, 0.0);
    end(&s);
}

/* A program that writes no weights at all has not set them to those of the mesh. */
static void without_any_curve_the_motion_does_not_say(void **state)
{
    (void)state;
    struct subject s;
    float offsets[VERTICES][3];
    begin(&s);
    s.weights[1] = -2.0F;
    s.curve.target = OSSA__MOTION_SCALE;
    assert_false(ask(&s, 1.0, offsets));
    const ossa_issue *issues = ossa__issue_array(&s.assembly.context);
    assert_int_equal(s.assembly.context.issues.count, 1);
    assert_int_equal(issues[0].severity, OSSA_SEVERITY_REMARK);
    assert_string_equal(issues[0].message, "no clip of the edit moves its shape keys; the shapes "
                                           "of the files are left alone");
    s.nodes[1].mesh = -1; /* nothing is left to be said */
    assert_false(ask(&s, 1.0, offsets));
    assert_int_equal(s.assembly.context.issues.count, 1);
    end(&s);
}

/* A second clip after the first: its curve is another one. */
static void each_clip_has_its_own(void **state)
{
    (void)state;
    struct subject s;
    float offsets[VERTICES][3] = {{0}};
    begin(&s);
    const float ones[TARGETS] = {1.0F, 1.0F};
    struct ossa__motion_curve curve = s.curve;
    curve.key_count = 1;
    curve.values = ones;
    const struct ossa__motion_clip other = {.name = "d", .curve_count = 1, .curves = &curve};
    struct ossa__shapes *shapes = ossa__shapes_start(&s.assembly, &s.motion);
    assert_true(ossa__shape_at(shapes, 0, &s.clip, 2.0, 0.0, offsets));
    require_offset(offsets[0], 2.0, 0.5, 0.0);
    assert_true(ossa__shape_at(shapes, 0, &other, 2.0, 0.0, offsets));
    require_offset(offsets[0], 1.0, 1.0, 0.0);
    assert_true(ossa__shape_at(shapes, 0, &s.clip, 2.0, 0.0, offsets));
    require_offset(offsets[0], 2.0, 0.5, 0.0);
    end(&s);
}

/* ---- vertices ------------------------------------------------------------------------------ */

static void vertices_may_be_anywhere_and_a_little_off(void **state)
{
    (void)state;
    struct subject s;
    float offsets[VERTICES][3];
    begin(&s);
    for (unsigned k = 0; k < 3; k++) { /* 0 and 2 change places */
        float kept = s.places[0][k];
        s.places[0][k] = s.places[2][k] - 5e-6F;
        s.places[2][k] = kept + 5e-6F;
    }
    assert_true(ask(&s, 1.0, offsets));
    require_offset(offsets[0], 3.0, 1.5, 0.0);
    require_offset(offsets[2], 1.0, 0.5, 0.0);
    s.places[0][0] += 1e-4F;
    assert_false(ask(&s, 1.0, offsets));
    end(&s);
}

/* Of two vertices at one position the nearest to what the files have counts. */
static void twins_are_told_apart_by_their_shapes(void **state)
{
    (void)state;
    struct subject s;
    float offsets[VERTICES][3] = {{0}};
    begin(&s);
    struct ossa__shapes *shapes = ossa__shapes_start(&s.assembly, &s.motion);
    offsets[1][0] = 3.9F; /* the shapes of vertices 1 and 3 are 2 and 4 there */
    offsets[3][0] = 2.1F;
    assert_true(ossa__shape_at(shapes, 0, &s.clip, 1.0, 0.0, offsets));
    require_offset(offsets[1], 4.0, 2.0, 0.0);
    require_offset(offsets[3], 2.0, 1.0, 0.0);
    end(&s);
}

static void large_meshes_are_searched_in_large_cells(void **state)
{
    (void)state;
    struct subject s;
    float offsets[VERTICES][3];
    float far[VERTICES][3];
    begin(&s);
    for (unsigned v = 0; v < VERTICES; v++) {
        for (unsigned k = 0; k < 3; k++) far[v][k] = positions[v][k] * 1e6F + 3e6F;
        memcpy(s.places[v], far[v], sizeof far[v]);
        s.places[v][1] = nextafterf(far[v][1], 0.0F);
    }
    s.mesh.positions = (const float(*)[3])far;
    assert_true(ask(&s, 1.0, offsets));
    require_offset(offsets[2], 3.0, 1.5, 0.0);
    end(&s);
}

/* All of a large mesh at one position: neither time nor memory grows with its square. */
static void many_vertices_at_one_position_take_no_time(void **state)
{
    (void)state;
    enum { MANY = 200000 };
    struct subject s;
    begin(&s);
    float(*zeros)[3] = calloc((size_t)MANY * TARGETS, sizeof *zeros);
    float(*offsets)[3] = calloc(MANY, sizeof *offsets);
    assert_true(zeros != NULL && offsets != NULL);
    s.mesh.vertex_count = s.made.vertex_count = MANY;
    s.mesh.positions = s.made.positions = (const float(*)[3])zeros;
    s.made.targets = (const float(*)[3])zeros;
    struct ossa__shapes *shapes = ossa__shapes_start(&s.assembly, &s.motion);
    assert_true(ossa__shape_at(shapes, 0, &s.clip, 1.0, 0.0, offsets));
    free(zeros);
    free(offsets);
    end(&s);
}

/* ---- meshes -------------------------------------------------------------------------------- */

static void meshes_are_found_by_their_names(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"wing", ""}, {"mesh", ""}, {"Cube", "mesh"}, {"Cube", "wing"}, {"", "wing"}};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct subject s;
        float offsets[VERTICES][3];
        begin(&s);
        s.bones[1].rest.translation[0] = 7.0F; /* so that it is not part of a skin */
        s.nodes[1].name = names[i][0];
        s.made.name = names[i][1];
        assert_true(ask(&s, 1.0, offsets));
        require_offset(offsets[0], 1.0, 0.5, 0.0);
        s.nodes[1].name = s.made.name = "Cube";
        assert_false(ask(&s, 1.0, offsets));
        assert_int_equal(s.assembly.context.issues.count, 0); /* nothing to be said of */
        end(&s);
    }
}

/* The mesh of a skin is in the model's space, where the bone is rotated at rest. */
static void a_skin_is_in_the_space_of_the_model(void **state)
{
    (void)state;
    struct subject s;
    float offsets[VERTICES][3];
    begin(&s);
    const float half = sqrtf(0.5F);
    s.bones[0].rest = (ossa_transform){{0.0F, 0.0F, 5.0F}, {0.0F, 0.0F, half, half}, {1, 1, 1}};
    s.bones[1].rest.translation[0] = 7.0F;
    for (unsigned v = 0; v < VERTICES; v++) { /* 90 degrees about z */
        s.places[v][0] = -positions[v][1];
        s.places[v][1] = positions[v][0] + 7.0F;
        s.places[v][2] = 5.0F;
    }
    s.nodes[1].name = s.made.name = "figure";
    assert_true(ask(&s, 1.0, offsets));
    require_offset(offsets[0], 0.5, -1.0, 0.0);
    end(&s);
}

static void another_mesh_is_reported_once(void **state)
{
    (void)state;
    struct subject s;
    float offsets[VERTICES][3] = {{0}};
    begin(&s);
    s.places[0][2] = 0.001F;
    struct ossa__shapes *shapes = ossa__shapes_start(&s.assembly, &s.motion);
    for (unsigned i = 0; i < 3; i++) {
        assert_false(ossa__shape_at(shapes, 0, &s.clip, 1.0, 0.0, offsets));
    }
    const ossa_issue *issues = ossa__issue_array(&s.assembly.context);
    assert_int_equal(s.assembly.context.issues.count, 1);
    assert_int_equal(issues[0].severity, OSSA_SEVERITY_REMARK);
    assert_string_equal(issues[0].message,
                        "the mesh 'mesh' of the edit is another one without its shape keys than "
                        "that of the files; its shapes are left alone");
    end(&s);
}

TEST_GROUP(test_import_shapes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_come_from_the_curve),
        cmocka_unit_test(without_a_curve_they_are_those_of_the_mesh),
        cmocka_unit_test(without_any_curve_the_motion_does_not_say),
        cmocka_unit_test(each_clip_has_its_own),
        cmocka_unit_test(vertices_may_be_anywhere_and_a_little_off),
        cmocka_unit_test(twins_are_told_apart_by_their_shapes),
        cmocka_unit_test(large_meshes_are_searched_in_large_cells),
        cmocka_unit_test(many_vertices_at_one_position_take_no_time),
        cmocka_unit_test(meshes_are_found_by_their_names),
        cmocka_unit_test(a_skin_is_in_the_space_of_the_model),
        cmocka_unit_test(another_mesh_is_reported_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
