/* SPDX-License-Identifier: MIT
 *
 * BVH: what another program shows of our files is what the scene says, in every frame, and curves
 * do not jump. */
#include "support/bvh_reader.h"
#include "support/scenes.h"
#include "support/still_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the scene and the file show the same -------------------------------------------------- */

/* The longest side of the box around the joints, or their distance from 0 where that is none. */
static double size_of(const ossa_scene *scene, const ossa_transform *models)
{
    double side = 0.0;
    double distance = 0.0;
    for (unsigned k = 0; k < 3; k++) {
        double least = INFINITY;
        double most = -INFINITY;
        for (uint32_t b = 0; b < scene->bone_count; b++) {
            double value = (double)models[b].translation[k];
            least = fmin(least, value);
            most = fmax(most, value);
            distance = fmax(distance, fabs(value));
        }
        side = fmax(side, most - least);
    }
    return side > 0.0 ? side : distance;
}

/* Where each bone stands in the file. Names must need no cleaning. */
static size_t *find_joints(const struct bvh *bvh, const ossa_scene *scene)
{
    size_t roots = 0;
    size_t *joints = calloc(scene->bone_count, sizeof *joints);
    if (joints == NULL) abort();
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        int joint = bvh_find(bvh, scene->bones[b].name);
        require(joint >= 0, bvh->label, "'%s' is missing", scene->bones[b].name);
        joints[b] = (size_t)joint;
        roots += scene->bones[b].parent < 0;
    }
    bool has_root_above = roots > 1;
    assert_int_equal(bvh->joint_count, scene->bone_count + (has_root_above ? 1 : 0));
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        int32_t parent = scene->bones[b].parent;
        int wanted = has_root_above ? 0 : -1;
        if (parent >= 0) wanted = (int)joints[parent];
        assert_int_equal(bvh->joints[joints[b]].parent, wanted);
        if (parent < 0) assert_int_equal(bvh->joints[joints[b]].channels, 6);
    }
    for (uint32_t f = 0; f < bvh->frame_count && has_root_above; f++) {
        for (size_t k = 0; k < 6; k++) assert_true(bvh_channels(bvh, f, 0)[k] == 0.0);
    }
    return joints;
}

static void require_same_motion(const struct bvh *bvh, const ossa_scene *scene,
                                const ossa_clip *clip)
{
    size_t *joints = find_joints(bvh, scene);
    ossa_transform *models = calloc(scene->bone_count, sizeof *models);
    struct bvh_place *places = calloc(bvh->joint_count, sizeof *places);
    if (models == NULL || places == NULL) abort();
    assert_int_equal(bvh->frame_count, clip->frame_count);
    require(fabs(bvh->frame_time * clip->fps - 1.0) < 1e-8, bvh->label, "%.17g s a frame",
            bvh->frame_time);
    for (uint32_t f = 0; f < clip->frame_count; f++) {
        ossa_sample_frame(scene, clip, f, models, NULL);
        ossa_model_pose(scene, models, models);
        bvh_pose(bvh, f, places);
        double size = size_of(scene, models);
        for (uint32_t b = 0; b < scene->bone_count; b++) {
            const struct bvh_place *place = &places[joints[b]];
            double wanted[3];
            for (unsigned k = 0; k < 3; k++) wanted[k] = (double)models[b].translation[k];
            double off = point_distance(place->translation, wanted);
            require(off <= 1e-5 * size, bvh->label, "'%s' is %g off in frame %u of a size of %g",
                    scene->bones[b].name, off, (unsigned)f, size);
            double degrees =
                rotation_distance(place->rotation, rotation_unit(rotation_of(models[b].rotation)));
            require(degrees < 3e-4, bvh->label, "'%s' is turned by %g degrees in frame %u",
                    scene->bones[b].name, degrees, (unsigned)f);
        }
    }
    free(joints);
    free(models);
    free(places);
}

/* The distance to the angles of the frame before, with whole turns left out. */
static double distance_before(const double before[3], double z, double x, double y)
{
    const double angles[3] = {z, x, y};
    double sum = 0.0;
    for (unsigned k = 0; k < 3; k++) sum += fabs(remainder(angles[k] - before[k], 360.0));
    return sum;
}

/* No angle goes further than half a turn, and the other way to say the same is no nearer. */
static void require_smooth_angles(const struct bvh *bvh)
{
    for (size_t j = 0; j < bvh->joint_count; j++) {
        size_t first = bvh->joints[j].channels - 3;
        const double *before = bvh_channels(bvh, 0, j) + first;
        require(fabs(before[0]) <= 180.0 && fabs(before[1]) <= 90.0 && fabs(before[2]) <= 180.0,
                bvh->label, "'%s' starts with %g %g %g", bvh->joints[j].name, before[0], before[1],
                before[2]);
        for (uint32_t f = 1; f < bvh->frame_count; f++) {
            const double *now = bvh_channels(bvh, f, j) + first;
            double step = 0.0;
            for (unsigned k = 0; k < 3; k++) {
                step += fabs(now[k] - before[k]);
                require(fabs(now[k] - before[k]) < 180.0001, bvh->label,
                        "'%s' jumps from %g to %g in frame %u", bvh->joints[j].name, before[k],
                        now[k], (unsigned)f);
            }
            double other = distance_before(before, now[0] + 180.0, 180.0 - now[1], now[2] + 180.0);
            require(step < other + 1e-3, bvh->label, "'%s' goes %g in frame %u, not %g",
                    bvh->joints[j].name, step, (unsigned)f, other);
            before = now;
        }
    }
}

static void require_clip(const char *label, const ossa_scene *scene, const ossa_clip *clip)
{
    struct bytes file = bvh_or_fail(label, scene, clip);
    struct bvh bvh;
    bvh_open(&bvh, label, &file);
    require_same_motion(&bvh, scene, clip);
    require_smooth_angles(&bvh);
    bvh_close(&bvh);
    bytes_free(&file);
}

static void require_scene(const char *label, const ossa_scene *scene)
{
    for (uint32_t c = 0; c < scene->clip_count; c++) require_clip(label, scene, &scene->clips[c]);
}

static void require_character(const struct character *character, const ossa_scene_options *options)
{
    ossa_scene *scene = assemble_character(character, options);
    assert_true(scene->clip_count > 0);
    require_scene(character->name, scene);
    ossa_scene_free(scene);
}

static void pose_vectors_are_shown(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pose_vectors / sizeof pose_vectors[0]; i++) {
        require_character(&pose_vectors[i], NULL);
    }
}

static void samples_are_shown_in_every_size(void **state)
{
    (void)state;
    const ossa_scene_options options[] = {
        {0},
        {.scale = 100.0},
        {.scale = 1e-3, .fps = 29.97},
        {.scale = 1e-9, .vib = &(ossa_vib_options){.missing = OSSA_VIB_MISSING_HOLD}},
        {.scale = 1e9, .vib = &(ossa_vib_options){.euler = OSSA_VIB_EULER_ZYX}},
        {.scale = 1e-30, .ei = &(ossa_ei_options){.resample = 3}},
        {.join = true, .boxes = true},
    };
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        for (size_t k = 0; k < sizeof options / sizeof options[0]; k++) {
            require_character(&samples[i], &options[k]);
        }
    }
}

/* Children that move, scales that push what hangs below them, one frame, many roots. */
static void made_scenes_are_shown(void **state)
{
    (void)state;
    static const struct made_plan plans[] = {
        {.seed = 1, .bones = 1, .clips = 1, .frames = {1}, .is_rigid = true},
        {.seed = 2, .bones = 2, .clips = 2, .frames = {1, 2}, .is_rigid = true, .fps = 0.25},
        {.seed = 3, .bones = 12, .clips = 2, .frames = {40, 1}, .is_rigid = true, .fps = 1e6},
        {.seed = 4, .bones = 9, .clips = 1, .frames = {30}},
        {.seed = 5, .bones = 9, .clips = 1, .frames = {30}, .is_flat = true},
        {.seed = 6, .bones = 40, .clips = 1, .frames = {300}, .is_rigid = true, .is_flat = true},
    };
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        struct made_scene made;
        make_scene(&made, &plans[i]);
        require_scene("made", &made.scene);
        for (uint32_t b = 0; b < plans[i].bones; b += 4) made.bones[b].parent = -1;
        require_scene("with more roots", &made.scene);
        free_made_scene(&made);
    }
}

/* As near to the ends of float32 as a skeleton can be. */
static void the_largest_and_the_smallest(void **state)
{
    (void)state;
    static const float factors[] = {1e37F, 1e20F, 1e-20F, 1e-36F};
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
        struct made_scene made;
        const struct made_plan plan = {
            .seed = 8, .bones = 8, .clips = 1, .frames = {3}, .is_rigid = true};
        make_scene(&made, &plan);
        ossa_clip *clip = &made.clips[0];
        ossa_transform *constant = made_memory(&made, 8 * sizeof *constant);
        size_t keys = (size_t)3 * clip->frame_count * clip->translations.count;
        float *moves = made_memory(&made, keys * sizeof *moves);
        memcpy(constant, clip->constant, 8 * sizeof *constant);
        for (size_t k = 0; k < 24; k++) {
            constant[k / 3].translation[k % 3] *= factors[i];
            made.bones[k / 3].rest.translation[k % 3] *= factors[i];
        }
        for (size_t k = 0; k < keys; k++) moves[k] = clip->translations.keys[k] * factors[i];
        clip->constant = constant;
        clip->translations.keys = moves;
        require_scene("far and near", &made.scene);
        free_made_scene(&made);
    }
}

/* ---- joints -------------------------------------------------------------------------------- */

/* Bones need not stand in the order of the file; children keep theirs. */
static void bones_in_any_order(void **state)
{
    (void)state;
    static const int32_t parents[] = {-1, 0, 0, 1, 2, 1, 0, 3, 4};
    static const char *const order[] = {"b0", "b1", "b3", "b7", "b5", "b2", "b4", "b8", "b6"};
    enum { COUNT = sizeof parents / sizeof parents[0] };
    struct made_scene made;
    const struct made_plan plan = {
        .seed = 7, .bones = COUNT, .clips = 1, .frames = {5}, .is_rigid = true};
    make_scene(&made, &plan);
    for (size_t b = 0; b < COUNT; b++) made.bones[b].parent = parents[b];
    require_scene("order", &made.scene);
    struct bytes file = bvh_or_fail("order", &made.scene, &made.clips[0]);
    struct bvh bvh;
    bvh_open(&bvh, "order", &file);
    for (size_t j = 0; j < COUNT; j++) assert_string_equal(bvh.joints[j].name, order[j]);
    bvh_close(&bvh);
    bytes_free(&file);
    free_made_scene(&made);
}

/* What makes a joint have positions: a curve, a constant that is not at rest, a scale above. */
static void only_what_moves_has_positions(void **state)
{
    (void)state;
    struct made_scene made;
    ossa_transform *constant = make_still_scene(&made, 6, 2);
    static const uint32_t second = 2;
    static const float keys[2][3] = {{0.0F, 1.0F, 0.0F}, {0.0F, 2.0F, 0.0F}};
    static const float scales[2][3] = {{1.0F, 1.0F, 1.0F}, {3.0F, 1.0F, 1.0F}};
    for (uint32_t b = 1; b < 6; b++) made.bones[b].rest = constant[b] = still_at(1.0F, 0.0F, 0.0F);
    made.clips[0].translations = (ossa_tracks){1, &second, keys[0]};
    constant[3].translation[2] = 0.5F;
    static const unsigned channels[6] = {6, 3, 6, 6, 3, 3};
    static const unsigned scaled[6] = {6, 3, 6, 6, 6, 6}; /* all below the second */
    for (unsigned pass = 0; pass < 2; pass++) {
        if (pass == 1) made.clips[0].scales = (ossa_tracks){1, &second, scales[0]};
        require_scene("positions", &made.scene);
        struct bytes file = bvh_or_fail("positions", &made.scene, &made.clips[0]);
        struct bvh bvh;
        bvh_open(&bvh, "positions", &file);
        for (size_t j = 0; j < 6; j++) {
            assert_int_equal(bvh.joints[j].channels, pass == 0 ? channels[j] : scaled[j]);
        }
        if (pass == 1) assert_true(bvh_channels(&bvh, 1, 5)[0] == 3.0);
        bvh_close(&bvh);
        bytes_free(&file);
    }
    free_made_scene(&made);
}

/* A constant scale is in the offsets, at rest and in the clip alike: nothing moves. */
static void a_scale_that_stays_moves_nothing(void **state)
{
    (void)state;
    struct made_scene made;
    ossa_transform *constant = make_still_scene(&made, 3, 2);
    for (uint32_t b = 0; b < 3; b++) {
        constant[b] = still_at(0.0F, 1.0F, 0.0F);
        constant[b].scale[1] = 2.0F;
        made.bones[b].rest = constant[b];
    }
    require_scene("scale", &made.scene);
    struct bytes file = bvh_or_fail("scale", &made.scene, &made.clips[0]);
    struct bvh bvh;
    bvh_open(&bvh, "scale", &file);
    assert_true(bvh.joints[1].channels == 3 && bvh.joints[1].offset[1] == 2.0);
    assert_true(bvh.joints[2].channels == 3 && bvh.joints[2].offset[1] == 4.0);
    assert_true(bvh.joints[2].end[1] == 2.0);
    bvh_close(&bvh);
    bytes_free(&file);
    free_made_scene(&made);
}

/* ---- angles -------------------------------------------------------------------------------- */

/* Turns that go on and on come out as they went in, locked or not. */
static void require_turns(const char *label, const double (*zxy)[3], uint32_t frames,
                          double tolerance)
{
    struct made_scene made;
    ossa_transform *constant = make_still_scene(&made, 2, frames);
    made.bones[1].rest = constant[1] = still_at(0.3F, -0.4F, 0.5F);
    set_still_turns(&made, 0, zxy);
    require_scene(label, &made.scene);
    struct bytes file = bvh_or_fail(label, &made.scene, &made.clips[0]);
    struct bvh bvh;
    bvh_open(&bvh, label, &file);
    for (uint32_t f = 0; f < frames; f++) {
        const double *angles = bvh_channels(&bvh, f, 0) + 3;
        for (unsigned k = 0; k < 3; k++) {
            require(fabs(angles[k] - zxy[f][k]) < tolerance, label,
                    "angle %u of frame %u is %g, expected %g", k, (unsigned)f, angles[k],
                    zxy[f][k]);
        }
    }
    bvh_close(&bvh);
    bytes_free(&file);
    free_made_scene(&made);
}

static void turns_through_the_lock(void **state)
{
    (void)state;
    enum { FRAMES = 181 };
    static double zxy[FRAMES][3];
    static const double starts[][3] = {{0.0, 0.0, 0.0}, {30.0, 0.0, 40.0}, {-170.0, 0.0, 175.0}};
    for (size_t s = 0; s < sizeof starts / sizeof starts[0]; s++) {
        for (int direction = -1; direction <= 1; direction += 2) {
            /* Two degrees a frame: 45 frames to the lock, exactly on it, past it, and again. */
            for (int f = 0; f < FRAMES; f++) {
                zxy[f][0] = starts[s][0];
                zxy[f][1] = 2.0 * direction * f;
                zxy[f][2] = starts[s][2];
            }
            require_turns("through the lock", (const double(*)[3])zxy, FRAMES, 2e-3);
        }
    }
}

/* Standing in the lock and turning there: all goes into z, y keeps still. */
static void turns_in_the_lock(void **state)
{
    (void)state;
    enum { FRAMES = 50 };
    static double zxy[FRAMES][3];
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int f = 0; f < FRAMES; f++) {
            zxy[f][0] = 15.0 * f;
            zxy[f][1] = 90.0 * sign;
            zxy[f][2] = 0.0;
        }
        require_turns("in the lock", (const double(*)[3])zxy, FRAMES, 1e-3);
    }
}

static void whole_turns_add_up(void **state)
{
    (void)state;
    enum { FRAMES = 400 };
    static double zxy[FRAMES][3];
    for (int f = 0; f < FRAMES; f++) {
        zxy[f][0] = -17.0 * f;
        zxy[f][1] = 60.0 * sin(0.1 * f);
        zxy[f][2] = 25.0 * f;
    }
    require_turns("whole turns", (const double(*)[3])zxy, FRAMES, 1e-3);
}

TEST_GROUP(test_bvh)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pose_vectors_are_shown),
        cmocka_unit_test(samples_are_shown_in_every_size),
        cmocka_unit_test(made_scenes_are_shown),
        cmocka_unit_test(the_largest_and_the_smallest),
        cmocka_unit_test(bones_in_any_order),
        cmocka_unit_test(only_what_moves_has_positions),
        cmocka_unit_test(a_scale_that_stays_moves_nothing),
        cmocka_unit_test(turns_through_the_lock),
        cmocka_unit_test(turns_in_the_lock),
        cmocka_unit_test(whole_turns_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
