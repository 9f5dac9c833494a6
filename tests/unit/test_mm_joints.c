/* SPDX-License-Identifier: MIT
 *
 * Triangles over joints, from the files of Midtown Madness to what a viewer of the glTF sees: every
 * vertex where the game's own rule puts it, P_bone + rot(Q_bone, v), computed here from the numbers
 * that the files are made of. Nothing of the library takes part in it. */
#include "support/drawn.h"
#include "support/scenes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BONES = 4, FRAMES = 5, VERTICES = 9 };

/* A chain, as make_skel has it; the last bone moves no vertex. Vertices 0 to 2 are of bone 0, 3 to
 * 5 of bone 1, the others of bone 2. */
static const int shares[BONES] = {3, 3, 3, 0};
static const double vertices[VERTICES][3] = {
    {0.5, 0.0, 0.0},    {-0.5, 0.0, 0.25},   {0.0, 0.375, 0.0},
    {0.25, 0.0, 0.0},   {-0.25, 0.0, 0.0},   {0.0, 0.5, -0.125},
    {0.125, 0.25, 0.5}, {-0.5, 0.125, 0.75}, {0.25, -0.5, 1.0},
};
static const double normals[BONES][3] = {{1, 0, 0}, {0, 0.6, 0.8}, {0, -0.8, 0.6}, {0, 1, 0}};

/* Triangles that keep to a bone, that lead over one joint, either way, and over two. */
static const int triangles[][3] = {{0, 1, 2}, {2, 1, 3}, {4, 3, 0}, {3, 4, 5},
                                   {5, 4, 6}, {8, 7, 6}, {0, 3, 6}, {7, 1, 4}};
enum { TRIANGLES = sizeof triangles / sizeof triangles[0] };

static int bone_of(int vertex)
{
    return vertex / 3;
}

/* The root's place and three angles a bone: every joint bends differently, in every frame. */
static double channel(int frame, int number)
{
    return 0.25 * ((frame * 7 + number * 5) % 13) - 1.5;
}

static struct bytes make_bending(void)
{
    struct bytes file = {0};
    put_u32(&file, FRAMES);
    put_u32(&file, BONES);
    for (int f = 0; f < FRAMES; f++) {
        for (int i = 0; i < 3 * BONES + 3; i++) put_f32(&file, (float)channel(f, i));
    }
    return file;
}

/* In two packets of one material each. */
static struct bytes make_body(void)
{
    struct bytes file = {0};
    char line[128];
    (void)snprintf(line, sizeof line,
                   "version: 1.09\nverts: %d\nnormals: %d\nmaterials: 2\nadjuncts: %d\n"
                   "primitives: %d\nmatrices: %d\n",
                   VERTICES, BONES, 2 * VERTICES, TRIANGLES, BONES);
    put_text(&file, line);
    for (int v = 0; v < VERTICES; v++) {
        (void)snprintf(line, sizeof line, "v %d.0e-3 %d.0e-3 %d.0e-3\n",
                       (int)(vertices[v][0] * 1000), (int)(vertices[v][1] * 1000),
                       (int)(vertices[v][2] * 1000));
        put_text(&file, line);
    }
    for (int b = 0; b < BONES; b++) {
        (void)snprintf(line, sizeof line, "n %de-1 %de-1 %de-1\n", (int)(normals[b][0] * 10),
                       (int)(normals[b][1] * 10), (int)(normals[b][2] * 10));
        put_text(&file, line);
    }
    put_text(&file,
             "mtl coat { packets: 1 primitives: 4 }\nmtl boots { packets: 1 primitives: 4 }\n");
    for (int p = 0; p < 2; p++) {
        (void)snprintf(line, sizeof line, "packet %d 4 3 {\n", VERTICES);
        put_text(&file, line);
        for (int v = 0; v < VERTICES; v++) {
            (void)snprintf(line, sizeof line, "adj %d %d 0 0 0 %d\n", v, bone_of(v), bone_of(v));
            put_text(&file, line);
        }
        for (int t = 4 * p; t < 4 * p + 4; t++) {
            (void)snprintf(line, sizeof line, "tri %d %d %d\n", triangles[t][0], triangles[t][1],
                           triangles[t][2]);
            put_text(&file, line);
        }
        put_text(&file, "mtx 0 1 2\n}\n");
    }
    (void)snprintf(line, sizeof line, "mtxv %d %d %d %d\nmtxn 1 1 1 1\n", shares[0], shares[1],
                   shares[2], shares[3]);
    put_text(&file, line);
    return file;
}

/* ---- the game's rule ------------------------------------------------------------------------ */

struct figure {
    double places[BONES][3];
    struct rotation turns[BONES];
};

/* frame < 0: at rest. About X first, then Z, then Y; the root's place replaces its offset. */
static void pose_figure(int frame, double scale, struct figure *figure)
{
    for (int b = 0; b < BONES; b++) {
        double offset[3] = {0.0, b == 0 ? 1.0 : 0.5, b == 0 ? 0.0 : 0.25};
        struct rotation turn = {0, 0, 0, 1};
        for (unsigned k = 0; k < 3 && frame >= 0 && b == 0; k++) {
            offset[k] = channel(frame, (int)k);
        }
        if (frame >= 0) {
            struct rotation x = rotation_about(0, channel(frame, 3 + 3 * b));
            struct rotation y = rotation_about(1, channel(frame, 3 + 3 * b + 1));
            struct rotation z = rotation_about(2, channel(frame, 3 + 3 * b + 2));
            turn = rotation_product(y, rotation_product(z, x));
        }
        for (unsigned k = 0; k < 3; k++) offset[k] *= scale;
        if (b == 0) {
            memcpy(figure->places[b], offset, sizeof offset);
            figure->turns[b] = turn;
            continue;
        }
        double way[3];
        rotation_apply(figure->turns[b - 1], offset, way);
        for (unsigned k = 0; k < 3; k++) figure->places[b][k] = figure->places[b - 1][k] + way[k];
        figure->turns[b] = rotation_product(figure->turns[b - 1], turn);
    }
}

static void place_vertex(const struct figure *figure, int vertex, double scale, double place[3])
{
    double local[3];
    double turned[3];
    for (unsigned k = 0; k < 3; k++) local[k] = scale * vertices[vertex][k];
    rotation_apply(figure->turns[bone_of(vertex)], local, turned);
    for (unsigned k = 0; k < 3; k++) place[k] = figure->places[bone_of(vertex)][k] + turned[k];
}

/* ---- the file's ----------------------------------------------------------------------------- */

/* All triangles in the order of the text, corner by corner: where they are, and which way their
 * normals point. */
static void require_shown(const struct glb *glb, int frame, double scale)
{
    struct figure figure;
    struct glb_moment moment;
    int node = glb_find_node(glb, "ped_skin");
    assert_true(node > 0);
    assert_int_equal(glb->nodes[node].parent, -1);
    pose_figure(frame, scale, &figure);
    glb_find_moment(glb, frame < 0 ? -1 : glb_find_animation(glb, "bend"), frame / 30.0, &moment);
    int next = 0;
    size_t mesh = (size_t)glb->nodes[node].mesh;
    assert_int_equal(glb_primitive_count(glb, mesh), 2);
    for (size_t p = 0; p < 2; p++) {
        struct glb_shape shape;
        glb_draw(glb, (size_t)node, p, &moment, &shape);
        assert_int_equal(shape.index_count, 3 * 4);
        for (size_t i = 0; i < shape.index_count; i++, next++) {
            int vertex = triangles[next / 3][next % 3];
            double wanted[3];
            double normal[3];
            place_vertex(&figure, vertex, scale, wanted);
            rotation_apply(figure.turns[bone_of(vertex)], normals[bone_of(vertex)], normal);
            double far = point_distance(shape.positions[shape.indices[i]], wanted);
            require(far < 2e-6 * scale, "joints", "frame %d, vertex %d is %g away", frame, vertex,
                    far);
            far = point_distance(shape.normals[shape.indices[i]], normal);
            require(far < 2e-6, "joints", "frame %d, the normal of vertex %d is %g away", frame,
                    vertex, far);
        }
        glb_free_shape(&shape);
    }
    assert_int_equal(next, 3 * TRIANGLES);
    glb_free_moment(&moment);
}

static void vertices_are_where_the_game_has_them(void **state)
{
    (void)state;
    static const double scales[] = {1.0, 0.01, 250.0};
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        struct scene_files files = {0};
        ossa_scene_options options = {.scale = scales[i]};
        add_file(&files, "ped.skel", NULL, make_skel(BONES));
        add_file(&files, "ped.mod", "mm-mod", make_body());
        add_file(&files, "bend.anim", "mm-anim", make_bending());
        ossa_scene *scene = assemble_files(&files, &options);
        assert_int_equal(scene->warning_count, 0);
        for (int skin = 0; skin < 2; skin++) {
            const ossa_export_options gltf = {.skin = skin == 1};
            struct bytes file = glb_with("joints", scene, NULL, &gltf);
            struct glb glb;
            glb_open(&glb, "joints", &file);
            require_gltf_rules(&glb);
            for (int frame = -1; frame < FRAMES; frame++) require_shown(&glb, frame, scales[i]);
            glb_close(&glb);
            bytes_free(&file);
        }
        ossa_scene_free(scene);
        free_files(&files);
    }
}

/* The option changes nothing where everything is bound by itself. */
static void a_body_is_bound_with_and_without_the_option(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_file(&files, "ped.skel", NULL, make_skel(BONES));
    add_file(&files, "ped.mod", "mm-mod", make_body());
    ossa_scene *scene = assemble_files(&files, NULL);
    const ossa_export_options bound = {.skin = true};
    struct bytes with = glb_with("with", scene, NULL, &bound);
    struct bytes without = glb_or_fail("without", scene, NULL);
    require_same("the option", &with, without.data, without.size);
    bytes_free(&with);
    bytes_free(&without);
    ossa_scene_free(scene);
    free_files(&files);
}

TEST_GROUP(test_mm_joints)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_are_where_the_game_has_them),
        cmocka_unit_test(a_body_is_bound_with_and_without_the_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
