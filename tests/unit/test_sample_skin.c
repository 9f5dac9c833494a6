/* SPDX-License-Identifier: MIT
 *
 * Vertices in a pose, against an implementation that does one thing at a time: it adds the morph
 * targets, then walks from the bone to the root with transforms instead of matrices. */
#include "support/made_scene.h"
#include "support/rotation.h"
#include "support/testing.h"

#include "ossa/sample.h"

#include <math.h>
#include <string.h>

enum { MOST_BONES = 24, MOST_TARGETS = 8, MOST_VERTICES = 8 };

/* From the space of a bone to that of the model. */
static void naive_point(const ossa_scene *scene, const ossa_transform *locals, uint32_t bone,
                        double point[3])
{
    for (int64_t b = bone; b >= 0; b = scene->bones[b].parent) {
        const ossa_transform *t = &locals[b];
        for (unsigned k = 0; k < 3; k++) point[k] *= (double)t->scale[k];
        rotation_apply(rotation_of(t->rotation), point, point);
        for (unsigned k = 0; k < 3; k++) point[k] += (double)t->translation[k];
    }
}

/* One bone at a time; dividing by the scale is what the inverse transpose does. */
static void naive_normal(const ossa_scene *scene, const ossa_transform *locals, uint32_t bone,
                         double normal[3])
{
    for (int64_t b = bone; b >= 0; b = scene->bones[b].parent) {
        const ossa_transform *t = &locals[b];
        for (unsigned k = 0; k < 3; k++) normal[k] /= (double)t->scale[k];
        rotation_apply(rotation_of(t->rotation), normal, normal);
    }
    double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (unsigned k = 0; k < 3; k++) normal[k] /= length;
}

/* From the space of the model at rest to that of a bone. */
static void naive_unrest(const ossa_scene *scene, uint32_t bone, double point[3])
{
    const ossa_transform *t = &scene->bones[bone].rest;
    if (scene->bones[bone].parent >= 0) {
        naive_unrest(scene, (uint32_t)scene->bones[bone].parent, point);
    }
    for (unsigned k = 0; k < 3; k++) point[k] -= (double)t->translation[k];
    rotation_apply(rotation_inverse(rotation_of(t->rotation)), point, point);
    for (unsigned k = 0; k < 3; k++) point[k] /= (double)t->scale[k];
}

/* Where each of its bones would take a weighted vertex, and the mean of that. */
static void naive_weighted(const ossa_scene *scene, const ossa_mesh *mesh,
                           const ossa_transform *locals, uint32_t vertex, double point[3])
{
    double sum[3] = {0.0, 0.0, 0.0};
    for (unsigned j = 0; j < 4; j++) {
        double moved[3];
        memcpy(moved, point, sizeof moved);
        naive_unrest(scene, mesh->joints[vertex][j], moved);
        naive_point(scene, locals, mesh->joints[vertex][j], moved);
        for (unsigned k = 0; k < 3; k++) sum[k] += (double)mesh->weights[vertex][j] * moved[k];
    }
    memcpy(point, sum, sizeof sum);
}

/* A normal is perpendicular to what lies along the surface, after the move as before. */
static void naive_weighted_normal(const ossa_scene *scene, const ossa_mesh *mesh,
                                  const ossa_transform *locals, uint32_t vertex, double normal[3])
{
    double columns[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
    double sum[3] = {0.0, 0.0, 0.0};
    for (unsigned c = 0; c < 4; c++) naive_weighted(scene, mesh, locals, vertex, columns[c]);
    for (unsigned c = 0; c < 3; c++) {
        for (unsigned k = 0; k < 3; k++) columns[c][k] -= columns[3][k];
    }
    double volume = 0.0;
    for (unsigned c = 0; c < 3; c++) {
        const double *a = columns[(c + 1) % 3];
        const double *b = columns[(c + 2) % 3];
        for (unsigned k = 0; k < 3; k++) {
            double cross = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
            sum[k] += normal[c] * cross;
            if (c == 0) volume += columns[0][k] * cross;
        }
    }
    double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    for (unsigned k = 0; k < 3; k++) normal[k] = sum[k] / (volume < 0.0 ? -length : length);
}

static void require_vertex(const char *what, const float found[3], const double wanted[3])
{
    for (unsigned k = 0; k < 3; k++) {
        double near = 1e-5 * (1.0 + fabs(wanted[k])) + 1e-4;
        require(fabs((double)found[k] - wanted[k]) < near, what, "[%u] is %g, expected %g", k,
                (double)found[k], wanted[k]);
    }
}

/* With the inverse binds of the scene the result is the same. */
static void require_bound(const ossa_scene *scene, const ossa_mesh *mesh,
                          const float (*matrices)[16], const float *weights,
                          const float (*positions)[3])
{
    float binds[MOST_BONES][16];
    float found[MOST_VERTICES][3];
    ossa_bind_matrices(scene, binds);
    ossa_skin_mesh_bound(scene, mesh, matrices, (const float(*)[16])binds, weights, found, NULL);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const double wanted[3] = {(double)positions[v][0], (double)positions[v][1],
                                  (double)positions[v][2]};
        require_vertex("bound", found[v], wanted);
    }
}

static void require_skin(const ossa_scene *scene, const ossa_mesh *mesh,
                         const ossa_transform *locals, const float *weights)
{
    float matrices[MOST_BONES][16];
    float positions[MOST_VERTICES][3];
    float normals[MOST_VERTICES][3];
    float alone[MOST_VERTICES][3];
    assert_true(scene->bone_count <= MOST_BONES && mesh->vertex_count <= MOST_VERTICES);
    ossa_model_matrices(scene, locals, matrices);
    ossa_skin_mesh(scene, mesh, (const float(*)[16])matrices, weights, positions, normals);
    ossa_skin_mesh(scene, mesh, (const float(*)[16])matrices, weights, alone, NULL);
    assert_memory_equal(positions, alone, mesh->vertex_count * sizeof *alone);
    require_bound(scene, mesh, (const float(*)[16])matrices, weights, (const float(*)[3])positions);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t bone = mesh->vertex_bones == NULL ? mesh->bone : mesh->vertex_bones[v];
        double point[3];
        for (unsigned k = 0; k < 3; k++) {
            point[k] = (double)mesh->positions[v][k];
            for (uint32_t t = 0; weights != NULL && t < mesh->target_count; t++) {
                double offset = (double)mesh->targets[(size_t)t * mesh->vertex_count + v][k];
                if (isfinite(weights[t])) point[k] += (double)weights[t] * offset;
            }
        }
        if (mesh->joints == NULL) naive_point(scene, locals, bone, point);
        else naive_weighted(scene, mesh, locals, v, point);
        require_vertex("position", positions[v], point);
        double normal[3] = {0.0, 0.0, 0.0};
        for (unsigned k = 0; mesh->normals != NULL && k < 3; k++) {
            normal[k] = (double)mesh->normals[v][k];
        }
        if (mesh->joints != NULL) naive_weighted_normal(scene, mesh, locals, v, normal);
        else if (mesh->normals != NULL) naive_normal(scene, locals, bone, normal);
        require_vertex("normal", normals[v], normal);
    }
}

static const struct made_plan plans[] = {
    {.seed = 1, .bones = 9, .clips = 1, .frames = {7}, .has_mesh = true, .is_rigid = true},
    {.seed = 2, .bones = 9, .clips = 1, .frames = {7}, .has_mesh = true},
    {.seed = 3, .bones = 12, .clips = 1, .frames = {5}, .has_mesh = true, .has_joints = true},
    {.seed = 4, .bones = 17, .clips = 1, .frames = {5}, .has_mesh = true, .targets = 3},
    {.seed = 5,
     .bones = 12,
     .clips = 1,
     .frames = {5},
     .has_mesh = true,
     .is_rigid = true,
     .has_joints = true,
     .has_weights = true,
     .targets = 2},
    {.seed = 6, .bones = 7, .clips = 1, .frames = {5}, .has_mesh = true, .has_weights = true},
};

static void every_kind_of_mesh_is_where_it_is(void **state)
{
    (void)state;
    size_t joined = 0;
    size_t morphed = 0;
    size_t weighted = 0;
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        struct made_scene made;
        make_scene(&made, &plans[i]);
        for (uint32_t f = 0; f < plans[i].frames[0]; f++) {
            ossa_transform locals[MOST_BONES];
            ossa_sample_frame(&made.scene, &made.clips[0], f, locals, NULL);
            for (uint32_t m = 0; m < made.scene.mesh_count; m++) {
                const ossa_mesh *mesh = &made.meshes[m];
                float weights[MOST_TARGETS];
                assert_true(mesh->target_count <= MOST_TARGETS);
                ossa_sample_morphs(&made.scene, &made.clips[0], f / 30.0 + 0.01, OSSA_WRAP_CLAMP, m,
                                   weights);
                joined += mesh->vertex_bones != NULL;
                morphed += mesh->target_count > 0;
                weighted += mesh->joints != NULL;
                require_skin(&made.scene, mesh, locals, NULL);
                require_skin(&made.scene, mesh, locals, weights);
                if (mesh->target_count > 1) weights[1] = NAN;
                require_skin(&made.scene, mesh, locals, weights);
            }
        }
        free_made_scene(&made);
    }
    assert_true(joined > 0 && morphed > 0 && weighted > 0);
}

/* Normals stay outside of a mesh that a negative scale mirrors. */
static void a_mirrored_mesh_is_not_inside_out(void **state)
{
    (void)state;
    struct made_scene made;
    make_scene(&made, &plans[0]);
    for (unsigned axis = 0; axis < 3; axis++) {
        ossa_transform locals[MOST_BONES];
        ossa_rest_pose(&made.scene, locals);
        locals[0].scale[axis] = -0.5F;
        locals[1].scale[axis] = -2.0F;
        for (uint32_t m = 0; m < made.scene.mesh_count; m++) {
            require_skin(&made.scene, &made.meshes[m], locals, NULL);
        }
    }
    free_made_scene(&made);
}

/* ---- weighted vertices --------------------------------------------------------------------- */

static double size_of(const ossa_mesh *mesh)
{
    double size = 1.0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        for (unsigned k = 0; k < 3; k++) size = fmax(size, fabs((double)mesh->positions[v][k]));
    }
    return size;
}

static void at_rest_nothing_moves(void **state)
{
    (void)state;
    struct made_scene made;
    ossa_transform rest[MOST_BONES];
    float matrices[MOST_BONES][16];
    size_t weighted = 0;
    make_scene(&made, &plans[4]);
    ossa_rest_pose(&made.scene, rest);
    ossa_model_matrices(&made.scene, rest, matrices);
    for (uint32_t m = 0; m < made.scene.mesh_count; m++) {
        const ossa_mesh *mesh = &made.meshes[m];
        float positions[MOST_VERTICES][3];
        float normals[MOST_VERTICES][3];
        if (mesh->joints == NULL) continue;
        ossa_skin_mesh(&made.scene, mesh, (const float(*)[16])matrices, NULL, positions, normals);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            for (unsigned k = 0; k < 3; k++) {
                double moved = (double)positions[v][k] - (double)mesh->positions[v][k];
                double turned = (double)normals[v][k] - (double)mesh->normals[v][k];
                require(fabs(moved) < 1e-6 * size_of(mesh) && fabs(turned) < 1e-6, "rest",
                        "vertex %u is %g away, its normal %g", (unsigned)v, moved, turned);
            }
        }
        weighted++;
    }
    assert_true(weighted > 0);
    free_made_scene(&made);
}

/* A box that is bound to one bone with all its weight moves like a box on that bone. */
static void one_weight_is_one_bone(void **state)
{
    (void)state;
    for (size_t i = 4; i < sizeof plans / sizeof plans[0]; i++) {
        struct made_scene made;
        float rest_matrices[MOST_BONES][16];
        ossa_transform locals[MOST_BONES];
        make_scene(&made, &plans[i]);
        const ossa_mesh *box = &made.meshes[0];
        while (box->joints == NULL) box++;
        ossa_rest_pose(&made.scene, locals);
        ossa_model_matrices(&made.scene, locals, rest_matrices);
        for (uint32_t b = 0; b < made.scene.bone_count; b++) {
            uint32_t joints[8][4] = {{0}};
            float weights[8][4] = {{0}};
            ossa_mesh rigid = *box;
            ossa_mesh bound = *box;
            float at_rest[8][3];
            float turned[8][3];
            for (unsigned v = 0; v < 8; v++) {
                unsigned k = v % 4; /* whichever of the four it is */
                joints[v][k] = b;
                weights[v][k] = 1.0F;
            }
            rigid.joints = NULL;
            rigid.weights = NULL;
            rigid.bone = b;
            ossa_skin_mesh(&made.scene, &rigid, (const float(*)[16])rest_matrices, NULL, at_rest,
                           turned);
            bound.joints = (const uint32_t(*)[4])joints;
            bound.weights = (const float(*)[4])weights;
            bound.positions = (const float(*)[3])at_rest;
            bound.normals = (const float(*)[3])turned;
            for (uint32_t f = 0; f < plans[i].frames[0]; f++) {
                float matrices[MOST_BONES][16];
                float wanted[8][3];
                float found[8][3];
                float wanted_normals[8][3];
                float found_normals[8][3];
                ossa_sample_frame(&made.scene, &made.clips[0], f, locals, NULL);
                ossa_model_matrices(&made.scene, locals, matrices);
                ossa_skin_mesh(&made.scene, &rigid, (const float(*)[16])matrices, NULL, wanted,
                               wanted_normals);
                ossa_skin_mesh(&made.scene, &bound, (const float(*)[16])matrices, NULL, found,
                               found_normals);
                for (unsigned v = 0; v < 8; v++) {
                    const double position[3] = {(double)wanted[v][0], (double)wanted[v][1],
                                                (double)wanted[v][2]};
                    const double normal[3] = {(double)wanted_normals[v][0],
                                              (double)wanted_normals[v][1],
                                              (double)wanted_normals[v][2]};
                    require_vertex("position", found[v], position);
                    require_vertex("normal", found_normals[v], normal);
                }
            }
        }
        free_made_scene(&made);
    }
}

/* A scene may have weights that add up to a little more or less than 1, by rounding: a figure that
 * is far away must not be moved by that. */
static void weights_are_shares(void **state)
{
    (void)state;
    static const float inside[1][16] = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    static const float far_away[1][16] = {
        {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 100000.0F, -50000.0F, 25000.0F, 1}};
    static const float place[1][3] = {{0.5F, 0.25F, -0.5F}};
    static const uint32_t joints[1][4] = {{0, 0, 0, 0}};
    const ossa_bone bone = {.parent = -1,
                            .rest = {{0.0F, 0.0F, 0.0F}, {0, 0, 0, 1.0F}, {1.0F, 1.0F, 1.0F}}};
    const ossa_scene scene = {.bone_count = 1, .bones = &bone};
    for (int n = -1; n <= 1; n++) {
        const float weights[1][4] = {{0.5F, 0.5F + 8e-6F * (float)n, 0.0F, 0.0F}};
        const ossa_mesh mesh = {.vertex_count = 1,
                                .positions = place,
                                .joints = joints,
                                .weights = (const float(*)[4])weights};
        float found[1][3];
        ossa_skin_mesh(&scene, &mesh, far_away, NULL, found, NULL);
        for (unsigned k = 0; k < 3; k++) {
            assert_true(fabsf(found[0][k] - (far_away[0][12 + k] + place[0][k])) < 0.01F);
        }
        ossa_skin_mesh_bound(&scene, &mesh, far_away, inside, NULL, found, NULL);
        for (unsigned k = 0; k < 3; k++) {
            assert_true(fabsf(found[0][k] - (far_away[0][12 + k] + place[0][k])) < 0.01F);
        }
    }
}

/* More bones than are kept at once, each the root of the next; and the same bits every time. */
static void many_bones_move_one_mesh(void **state)
{
    (void)state;
    enum { BONES = 300 };
    static float matrices[BONES][16];
    static float binds[BONES][16];
    static ossa_transform locals[BONES];
    static float points[BONES][3];
    static float weights[BONES][4];
    static uint32_t joints[BONES][4];
    static float found[2][BONES][3];
    struct made_scene made;
    const struct made_plan plan = {
        .seed = 8, .bones = BONES, .clips = 1, .frames = {1}, .is_rigid = true};
    make_scene(&made, &plan);
    for (uint32_t v = 0; v < BONES; v++) {
        for (unsigned k = 0; k < 3; k++) points[v][k] = (float)((v * 7 + k) % 13);
        for (unsigned k = 0; k < 4; k++) {
            joints[v][k] = (v * 131 + k * 77) % BONES;
            weights[v][k] = 0.25F;
        }
    }
    const ossa_mesh mesh = {.name = "m",
                            .material = -1,
                            .vertex_count = BONES,
                            .positions = (const float(*)[3])points,
                            .joints = (const uint32_t(*)[4])joints,
                            .weights = (const float(*)[4])weights};
    ossa_sample_frame(&made.scene, &made.clips[0], 0, locals, NULL);
    ossa_model_matrices(&made.scene, locals, matrices);
    ossa_bind_matrices(&made.scene, binds);
    for (unsigned n = 0; n < 2; n++) {
        ossa_skin_mesh(&made.scene, &mesh, (const float(*)[16])matrices, NULL, found[n], NULL);
    }
    assert_memory_equal(found[0], found[1], sizeof found[0]);
    for (uint32_t v = 0; v < BONES; v++) {
        double sum[3] = {0.0, 0.0, 0.0};
        double size = 0.0;
        for (unsigned j = 0; j < 4; j++) {
            double left[16];
            double right[16];
            for (unsigned k = 0; k < 16; k++) {
                left[k] = (double)matrices[joints[v][j]][k];
                right[k] = (double)binds[joints[v][j]][k];
            }
            matrix_product(left, right, left);
            for (unsigned k = 0; k < 3; k++) {
                sum[k] +=
                    0.25 * (left[k] * (double)points[v][0] + left[4 + k] * (double)points[v][1] +
                            left[8 + k] * (double)points[v][2] + left[12 + k]);
                size = fmax(size, fabs((double)matrices[joints[v][j]][12 + k]));
                size = fmax(size, fabs(right[12 + k]));
            }
        }
        for (unsigned k = 0; k < 3; k++) {
            require(fabs((double)found[0][v][k] - sum[k]) < 1e-5 * (1.0 + size), "many",
                    "vertex %u is at %g, not %g", (unsigned)v, (double)found[0][v][k], sum[k]);
        }
    }
    free_made_scene(&made);
}

/* ---- scales of 0 --------------------------------------------------------------------------- */

static const float corners[3][3] = {{1, 0, 2}, {0, 3, 4}, {5, 6, 7}};
static const float directions[3][3] = {{1, 0, 0}, {0, 0, 1}, {0.6F, 0, 0.8F}};
static const uint32_t order[3] = {0, 1, 2};
static const ossa_mesh triangle = {.name = "t",
                                   .material = -1,
                                   .vertex_count = 3,
                                   .positions = corners,
                                   .normals = directions,
                                   .index_count = 3,
                                   .indices = order};

/* A scene of one bone with that scale, and the triangle in it. */
static void skin_scaled(float x, float y, float z, float positions[3][3], float normals[3][3])
{
    const ossa_bone bone = {
        .name = "b", .parent = -1, .rest = {{10, 20, 30}, {0, 0, 0, 1}, {x, y, z}}};
    const ossa_scene scene = {.name = "s", .bone_count = 1, .bones = &bone};
    ossa_transform rest;
    float matrix[1][16];
    ossa_rest_pose(&scene, &rest);
    ossa_model_matrices(&scene, &rest, matrix);
    ossa_skin_mesh(&scene, &triangle, (const float(*)[16])matrix, NULL, positions, normals);
}

static void require_exact(const float found[3], float x, float y, float z)
{
    require(found[0] == x && found[1] == y && found[2] == z, "vertex", "%g %g %g", (double)found[0],
            (double)found[1], (double)found[2]);
}

static void what_is_flat_has_the_normal_of_its_plane(void **state)
{
    (void)state;
    float positions[3][3];
    float normals[3][3];
    skin_scaled(1, 1, 0, positions, normals);
    require_exact(positions[0], 11, 20, 30);
    require_exact(positions[2], 15, 26, 30);
    require_exact(normals[0], 0, 0, 0); /* along the plane: it has no direction left */
    require_exact(normals[1], 0, 0, 1);
    require_exact(normals[2], 0, 0, 1);
    skin_scaled(0, 0, 0, positions, normals);
    for (unsigned v = 0; v < 3; v++) {
        require_exact(positions[v], 10, 20, 30);
        require_exact(normals[v], 0, 0, 0);
    }
}

static void tiny_and_huge_scales_keep_normals(void **state)
{
    (void)state;
    static const float scales[] = {1e-30F, 1e-12F, 1.0F, 1e12F, 1e30F};
    float positions[3][3];
    float normals[3][3];
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
        skin_scaled(scales[i], scales[i], scales[i], positions, normals);
        for (unsigned v = 0; v < 3; v++) {
            for (unsigned k = 0; k < 3; k++) {
                assert_true(fabsf(normals[v][k] - directions[v][k]) < 1e-6F);
            }
        }
    }
    skin_scaled(3e38F, 3e38F, 3e38F, positions, normals);
    assert_true(isfinite(positions[2][0]) && positions[2][0] > 3e38F);
}

/* ---- bind matrices ------------------------------------------------------------------------- */

static void binds_are_inverses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        struct made_scene made;
        ossa_transform rest[MOST_BONES];
        float matrices[MOST_BONES][16];
        float binds[MOST_BONES][16];
        make_scene(&made, &plans[i]);
        ossa_rest_pose(&made.scene, rest);
        ossa_model_matrices(&made.scene, rest, matrices);
        ossa_bind_matrices(&made.scene, binds);
        for (uint32_t b = 0; b < made.scene.bone_count; b++) {
            double product[16];
            double left[16];
            double right[16];
            for (unsigned k = 0; k < 16; k++) {
                left[k] = (double)matrices[b][k];
                right[k] = (double)binds[b][k];
            }
            matrix_product(left, right, product);
            for (unsigned k = 0; k < 16; k++) {
                require(fabs(product[k] - (k % 5 == 0 ? 1.0 : 0.0)) < 1e-4, "bind", "[%u] is %g", k,
                        product[k]);
            }
        }
        free_made_scene(&made);
    }
}

static void a_bone_of_no_size_is_bound_by_the_identity(void **state)
{
    (void)state;
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const ossa_transform half = {{1, 2, 3}, {0, 0, 0, 1}, {0.5F, 0.5F, 0.5F}};
    const ossa_transform none = {{1, 2, 3}, {0, 0, 0, 1}, {1, 0, 1}};
    const ossa_bone bones[] = {{.name = "a", .parent = -1, .rest = half},
                               {.name = "b", .parent = 0, .rest = none},
                               {.name = "c", .parent = 1, .rest = half},
                               {.name = "d", .parent = 0, .rest = half}};
    const ossa_scene scene = {.name = "s", .bone_count = 4, .bones = bones};
    float binds[4][16];
    ossa_bind_matrices(&scene, binds);
    static const float first[16] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, -2, -4, -6, 1};
    static const float last[16] = {4, 0, 0, 0, 0, 4, 0, 0, 0, 0, 4, 0, -6, -12, -18, 1};
    for (unsigned k = 0; k < 16; k++) {
        assert_true(binds[0][k] == first[k] && binds[1][k] == identity[k]);
        assert_true(binds[2][k] == identity[k] && binds[3][k] == last[k]);
    }
}

TEST_GROUP(test_sample_skin)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_mesh_is_where_it_is),
        cmocka_unit_test(a_mirrored_mesh_is_not_inside_out),
        cmocka_unit_test(at_rest_nothing_moves),
        cmocka_unit_test(one_weight_is_one_bone),
        cmocka_unit_test(weights_are_shares),
        cmocka_unit_test(many_bones_move_one_mesh),
        cmocka_unit_test(what_is_flat_has_the_normal_of_its_plane),
        cmocka_unit_test(tiny_and_huge_scales_keep_normals),
        cmocka_unit_test(binds_are_inverses),
        cmocka_unit_test(a_bone_of_no_size_is_bound_by_the_identity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
