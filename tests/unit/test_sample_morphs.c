/* SPDX-License-Identifier: MIT
 *
 * The shape of a mesh at any time: weights of targets, and vertices moved by them. */
#include "support/testing.h"
#include "ossa/sample.h"

#include <float.h>
#include <math.h>

/* Four frames at 10 a second: the targets 0 and 2 of mesh 2, and one of mesh 5. */
enum { FRAMES = 4, TARGETS = 4, VERTICES = 2 };
static const uint32_t meshes[2] = {2, 5};
static const int32_t keys[FRAMES][2] = {{-1, 0}, {0, 0}, {2, -1}, {2, -1}};
static const float positions[VERTICES][3] = {{1, 2, 3}, {-0.0F, 0.5F, 1e-30F}};
static const float targets[TARGETS * VERTICES][3] = {
    {1, 0, 0}, {0, 1, 0}, {10, 0, 0}, {0, 10, 0}, {0, 0, 2}, {0, 0, 4}, {FLT_MAX, 0, 0}, {0, 0, 0}};

static const ossa_mesh all_meshes[6] = {
    {.name = "0"},
    {.name = "1"},
    {.name = "2",
     .vertex_count = VERTICES,
     .positions = positions,
     .target_count = TARGETS,
     .targets = targets},
    {.name = "3", .target_count = TARGETS},
    {.name = "4"},
    {.name = "5", .vertex_count = VERTICES, .positions = positions, .target_count = 1}};
static const ossa_scene scene = {.mesh_count = 6, .meshes = all_meshes};
static const ossa_clip clip = {.fps = 10.0,
                               .frame_count = FRAMES,
                               .keys_per_frame = 1,
                               .morphs = {.count = 2, .meshes = meshes, .keys = &keys[0][0]}};

static void require_weights(double seconds, ossa_wrap wrap, const float expected[TARGETS])
{
    float weights[TARGETS + 1] = {9, 9, 9, 9, 9};
    ossa_sample_morphs(&scene, &clip, seconds, wrap, 2, weights);
    for (unsigned t = 0; t < TARGETS; t++) {
        require(fabsf(weights[t] - expected[t]) < 1e-6F, "weights", "%g s: target %u has %g",
                seconds, t, (double)weights[t]);
    }
    assert_true(weights[TARGETS] == 9.0F);
}

static void frames_are_exact(void **state)
{
    (void)state;
    for (unsigned f = 0; f < FRAMES; f++) {
        float weights[TARGETS];
        ossa_sample_morphs(&scene, &clip, f / 10.0, OSSA_WRAP_CLAMP, 2, weights);
        for (unsigned t = 0; t < TARGETS; t++) {
            assert_true(weights[t] == (keys[f][0] == (int32_t)t ? 1.0F : 0.0F));
        }
    }
}

static void between_frames_both_count(void **state)
{
    (void)state;
    require_weights(0.025, OSSA_WRAP_CLAMP, (const float[]){0.25F, 0, 0, 0});
    require_weights(0.125, OSSA_WRAP_CLAMP, (const float[]){0.75F, 0, 0.25F, 0});
    float weights[TARGETS];
    ossa_sample_morphs(&scene, &clip, 0.2333, OSSA_WRAP_CLAMP, 2, weights);
    assert_true(weights[2] == 1.0F); /* the same shape on both sides, to the last bit */
}

static void time_goes_on_as_in_a_pose(void **state)
{
    (void)state;
    require_weights(-5.0, OSSA_WRAP_CLAMP, (const float[]){0, 0, 0, 0});
    require_weights(7.0, OSSA_WRAP_CLAMP, (const float[]){0, 0, 1, 0});
    require_weights(0.35, OSSA_WRAP_LOOP, (const float[]){0, 0, 0.5F, 0}); /* into the first */
    require_weights(0.525, OSSA_WRAP_LOOP, (const float[]){0.75F, 0, 0.25F, 0});
    require_weights(-0.25, OSSA_WRAP_LOOP, (const float[]){0.5F, 0, 0.5F, 0});
    require_weights(0.475, OSSA_WRAP_PING_PONG, (const float[]){0.75F, 0, 0.25F, 0});
    require_weights(NAN, OSSA_WRAP_LOOP, (const float[]){0, 0, 0, 0});
    require_weights(INFINITY, OSSA_WRAP_CLAMP, (const float[]){0, 0, 1, 0});
}

static void a_mesh_without_a_track_keeps_its_shape(void **state)
{
    (void)state;
    float weights[TARGETS] = {9, 9, 9, 9};
    ossa_sample_morphs(&scene, &clip, 0.1, OSSA_WRAP_CLAMP, 3, weights);
    for (unsigned t = 0; t < TARGETS; t++) assert_true(weights[t] == 0.0F);
    ossa_sample_morphs(&scene, &clip, 0.1, OSSA_WRAP_CLAMP, 0,
                       weights); /* no target: nothing written */
    ossa_sample_morphs(&scene, &clip, 0.05, OSSA_WRAP_CLAMP, 5, weights);
    assert_true(weights[0] == 1.0F);
    ossa_sample_morphs(&scene, &clip, 0.15, OSSA_WRAP_CLAMP, 5, weights);
    assert_true(weights[0] == 0.5F);
    const ossa_clip nothing = {.fps = 10.0};
    ossa_sample_morphs(&scene, &nothing, 0.1, OSSA_WRAP_CLAMP, 5, weights);
    assert_true(weights[0] == 0.0F);
    ossa_clip empty = clip;
    empty.frame_count = 0;
    ossa_sample_morphs(&scene, &empty, 0.1, OSSA_WRAP_CLAMP, 5, weights);
    assert_true(weights[0] == 0.0F);
}

static void vertices_are_moved_by_weight(void **state)
{
    (void)state;
    const ossa_mesh *mesh = &all_meshes[2];
    float moved[VERTICES][3];
    ossa_morph_mesh(mesh, (const float[]){0, 0, 0, 0}, moved);
    assert_memory_equal(moved, positions, sizeof moved); /* bit for bit */
    ossa_morph_mesh(mesh, (const float[]){0.5F, 0, -1.0F, 0}, moved);
    assert_true(moved[0][0] == 1.5F && moved[0][1] == 2.0F && moved[0][2] == 1.0F);
    assert_true(moved[1][0] == 0.0F && moved[1][1] == 1.0F && moved[1][2] == -4.0F);
    ossa_morph_mesh(mesh, (const float[]){NAN, 0.25F, INFINITY, 0}, moved);
    assert_true(moved[0][0] == 3.5F && moved[0][2] == 3.0F);
    ossa_morph_mesh(mesh, (const float[]){0, 0, 0, 2.0F}, moved);
    assert_true(moved[0][0] == FLT_MAX); /* as far as a float goes */
    ossa_morph_mesh(mesh, (const float[]){-1.0F, 0, 0, NAN}, moved);
    assert_true(moved[0][0] == 0.0F);
}

TEST_GROUP(test_sample_morphs)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_exact),
        cmocka_unit_test(between_frames_both_count),
        cmocka_unit_test(time_goes_on_as_in_a_pose),
        cmocka_unit_test(a_mesh_without_a_track_keeps_its_shape),
        cmocka_unit_test(vertices_are_moved_by_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
