/* SPDX-License-Identifier: MIT
 *
 * How the place where a character stands moves through a clip, in all three ways round. */
#include "support/made_scene.h"
#include "support/place.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { BONES = 9, FRAMES = 11, MOST_BONES = 32 };

/* ---- by hand ------------------------------------------------------------------------------- */

/* A walker: one bone, and at each frame a place for it. */
enum { MOST_STEPS = 8 };
struct walker {
    ossa_scene scene;
    ossa_bone bone;
    ossa_clip clip;
    uint32_t zero;
    float turns[MOST_STEPS][4];
    float places[MOST_STEPS][3];
};

static void make_walker(struct walker *walker, const struct place *places, uint32_t count)
{
    memset(walker, 0, sizeof *walker);
    for (uint32_t f = 0; f < count; f++) {
        struct rotation q = rotation_about(1, places[f].angle);
        walker->turns[f][1] = (float)q.y;
        walker->turns[f][3] = (float)q.w;
        walker->places[f][0] = (float)places[f].x;
        walker->places[f][1] = 1.0F + (float)f; /* height is no matter */
        walker->places[f][2] = (float)places[f].z;
    }
    walker->bone = (ossa_bone){.name = "root", .parent = -1, .rest = nowhere};
    walker->clip = (ossa_clip){.name = "walk",
                               .fps = 10.0,
                               .frame_count = count,
                               .constant = &walker->bone.rest,
                               .rotations = {1, &walker->zero, &walker->turns[0][0]},
                               .translations = {1, &walker->zero, &walker->places[0][0]}};
    walker->scene = (ossa_scene){.name = "walker",
                                 .game = "none",
                                 .bone_count = 1,
                                 .bones = &walker->bone,
                                 .clip_count = 1,
                                 .clips = &walker->clip};
}

/* Between two frames, 0 to the clip's length and beyond. */
static ossa_transform motion_of(const struct walker *walker, double from, double to, ossa_wrap wrap)
{
    ossa_transform motion;
    ossa_root_motion(&walker->scene, &walker->clip, from / walker->clip.fps, to / walker->clip.fps,
                     wrap, &motion);
    return motion;
}

static void require_motion(const struct walker *walker, double from, double to, ossa_wrap wrap,
                           struct place wanted, double near)
{
    ossa_transform found = motion_of(walker, from, to, wrap);
    require_place(&found, wanted, near);
    found = motion_of(walker, to, from, wrap);
    require_place(&found, place_inverse(wanted), near);
}

/* Straight on along z, 1, 2 and 4 metres; the way round is the mean of 4 and 1. */
static void a_straight_walk_by_hand(void **state)
{
    (void)state;
    static const struct place places[4] = {
        {5.0, 1.0, 0.0}, {5.0, 2.0, 0.0}, {5.0, 4.0, 0.0}, {5.0, 8.0, 0.0}};
    struct walker walker;
    make_walker(&walker, places, 4);
    require_motion(&walker, 0.0, 3.0, OSSA_WRAP_CLAMP, (struct place){0.0, 7.0, 0.0}, 1e-6);
    require_motion(&walker, 0.5, 2.5, OSSA_WRAP_CLAMP, (struct place){0.0, 4.5, 0.0}, 1e-6);
    require_motion(&walker, -9.0, 0.5, OSSA_WRAP_CLAMP, (struct place){0.0, 0.5, 0.0}, 1e-6);
    require_motion(&walker, 2.0, 99.0, OSSA_WRAP_CLAMP, (struct place){0.0, 4.0, 0.0}, 1e-6);
    require_motion(&walker, 5.0, 99.0, OSSA_WRAP_CLAMP, (struct place){0.0, 0.0, 0.0}, 1e-6);

    require_motion(&walker, 0.0, 3.0, OSSA_WRAP_LOOP, (struct place){0.0, 7.0, 0.0}, 1e-6);
    require_motion(&walker, 0.0, 3.5, OSSA_WRAP_LOOP, (struct place){0.0, 8.25, 0.0}, 1e-6);
    require_motion(&walker, 0.0, 4.0, OSSA_WRAP_LOOP, (struct place){0.0, 9.5, 0.0}, 1e-6);
    require_motion(&walker, 3.0, 4.0, OSSA_WRAP_LOOP, (struct place){0.0, 2.5, 0.0}, 1e-6);
    require_motion(&walker, 3.25, 3.75, OSSA_WRAP_LOOP, (struct place){0.0, 1.25, 0.0}, 1e-6);
    require_motion(&walker, 3.5, 4.5, OSSA_WRAP_LOOP, (struct place){0.0, 1.75, 0.0}, 1e-6);
    require_motion(&walker, 2.0, 1002.5, OSSA_WRAP_LOOP, (struct place){0.0, 2377.0, 0.0}, 1e-3);
    require_motion(&walker, -2.0, 2.0, OSSA_WRAP_LOOP, (struct place){0.0, 9.5, 0.0}, 1e-6);
    require_motion(&walker, -8.0, -7.0, OSSA_WRAP_LOOP, (struct place){0.0, 1.0, 0.0}, 1e-6);

    require_motion(&walker, 0.0, 3.0, OSSA_WRAP_PING_PONG, (struct place){0.0, 7.0, 0.0}, 1e-6);
    require_motion(&walker, 2.0, 4.0, OSSA_WRAP_PING_PONG, (struct place){0.0, 0.0, 0.0}, 1e-6);
    require_motion(&walker, 3.0, 5.5, OSSA_WRAP_PING_PONG, (struct place){0.0, -6.5, 0.0}, 1e-6);
    require_motion(&walker, -3.0, 1.0, OSSA_WRAP_PING_PONG, (struct place){0.0, -6.0, 0.0}, 1e-6);
}

/* A metre forward and 30 degrees to the left, three frames: after four rounds it is where it was,
 * and its way there is a polygon of twelve sides. It starts anywhere. */
static void a_walk_in_a_circle_by_hand(void **state)
{
    (void)state;
    const struct place step = {0.0, -1.0, 30.0 * DEGREE};
    struct place places[3] = {{-3.0, 8.0, 100.0 * DEGREE}};
    for (unsigned f = 1; f < 3; f++) places[f] = place_product(places[f - 1], step);
    struct walker walker;
    make_walker(&walker, places, 3);
    for (int from = -20; from <= 20; from++) {
        struct place wanted = {0.0, 0.0, 0.0};
        for (int frames = 0; frames <= 40; frames++) {
            require_motion(&walker, from, from + frames, OSSA_WRAP_LOOP, wanted, 1e-5);
            wanted = place_product(wanted, step);
        }
    }
    ossa_transform found = motion_of(&walker, 0.0, 12.0, OSSA_WRAP_LOOP);
    require_place(&found, (struct place){0.0, 0.0, 0.0}, 1e-6);
    /* Half of the step round goes half as far and turns half as much. */
    require_motion(&walker, 2.0, 2.5, OSSA_WRAP_LOOP, (struct place){0.0, -0.5, 15.0 * DEGREE},
                   1e-6);
}

/* The whole number of rounds may be anything. */
static void far_times_are_far_places(void **state)
{
    (void)state;
    static const struct place places[2] = {{0.0, 0.0, 0.0}, {0.0, -1.0, 0.0}};
    struct walker walker;
    make_walker(&walker, places, 2);
    double frames = 2.0;
    for (int i = 0; i < 80; i++) { /* every number of rounds is a different row of bits */
        ossa_transform found = motion_of(&walker, 0.0, frames, OSSA_WRAP_LOOP);
        assert_true(fabs((double)found.translation[2] / frames + 1.0) < 1e-6);
        assert_true(found.translation[0] == 0.0F && found.rotation[3] == 1.0F);
        frames = floor(frames * 1.37) * 2.0;
    }
    /* Farther than any float, and farther than any double. */
    static const double far_away[] = {1e39, 1e300, 1.7e308, DBL_MAX};
    for (size_t i = 0; i < sizeof far_away / sizeof far_away[0]; i++) {
        for (int way = -1; way <= 1; way += 2) {
            ossa_transform found;
            ossa_root_motion(&walker.scene, &walker.clip, 0.0, way * far_away[i], OSSA_WRAP_LOOP,
                             &found);
            assert_true(isfinite(found.translation[0]) && isfinite(found.translation[2]));
            ossa_root_motion(&walker.scene, &walker.clip, 0.0, way * far_away[i],
                             OSSA_WRAP_PING_PONG, &found);
            assert_true(fabsf(found.translation[2]) <= 1.0F);
        }
    }
    ossa_transform found;
    ossa_root_motion(&walker.scene, &walker.clip, 0.0, 1e39, OSSA_WRAP_LOOP, &found);
    assert_true(found.translation[2] == -FLT_MAX);
    static const struct place great_steps[2] = {{0.0, 0.0, 0.0}, {1e30, -1e30, 0.0}};
    make_walker(&walker, great_steps, 2);
    ossa_root_motion(&walker.scene, &walker.clip, 0.0, 1e300, OSSA_WRAP_LOOP, &found);
    assert_memory_equal(&found, &nowhere, sizeof found);
    static const double no_times[] = {NAN, INFINITY, -INFINITY};
    static const ossa_wrap wraps[3] = {OSSA_WRAP_CLAMP, OSSA_WRAP_LOOP, OSSA_WRAP_PING_PONG};
    for (unsigned i = 0; i < 9; i++) {
        ossa_root_motion(&walker.scene, &walker.clip, no_times[i % 3], 0.1, wraps[i / 3], &found);
        assert_memory_equal(&found, &nowhere, sizeof found);
        ossa_root_motion(&walker.scene, &walker.clip, 0.1, no_times[i % 3], wraps[i / 3], &found);
        assert_memory_equal(&found, &nowhere, sizeof found);
    }
}

static void few_frames_do_not_move(void **state)
{
    (void)state;
    struct made_scene made;
    const struct made_plan plan = {.seed = 29, .bones = BONES, .clips = 2, .frames = {1, 0}};
    make_scene(&made, &plan);
    static const ossa_wrap wraps[3] = {OSSA_WRAP_CLAMP, OSSA_WRAP_LOOP, OSSA_WRAP_PING_PONG};
    for (unsigned i = 0; i < 6; i++) {
        ossa_transform found;
        memset(&found, 0xa5, sizeof found);
        ossa_root_motion(&made.scene, &made.clips[i / 3], -0.7, 12.3, wraps[i % 3], &found);
        assert_memory_equal(&found, &nowhere, sizeof found);
    }
    free_made_scene(&made);
}

/* ---- what holds for every clip ------------------------------------------------------------- */

static double next_time(struct random *random, const ossa_clip *clip)
{
    double length = clip->frame_count / clip->fps;
    return (double)next_float(random, 3) * length;
}

/* From a to b and from b to c is from a to c; there and back is nothing at all. */
static void require_sums(const ossa_scene *scene, const ossa_clip *clip, ossa_wrap wrap,
                         double near)
{
    struct random random = {53};
    for (unsigned n = 0; n < 200; n++) {
        double times[3];
        ossa_transform found[4];
        for (unsigned i = 0; i < 3; i++) times[i] = next_time(&random, clip);
        if (n % 4 == 0) times[1] = floor(times[1] * clip->fps) / clip->fps;
        ossa_root_motion(scene, clip, times[0], times[1], wrap, &found[0]);
        ossa_root_motion(scene, clip, times[1], times[2], wrap, &found[1]);
        ossa_root_motion(scene, clip, times[0], times[2], wrap, &found[2]);
        ossa_root_motion(scene, clip, times[2], times[0], wrap, &found[3]);
        require_place(&found[2], place_product(place_of(&found[0]), place_of(&found[1])), near);
        require_place(&found[3], place_inverse(place_of(&found[2])), near);
        ossa_root_motion(scene, clip, times[0], times[0], wrap, &found[0]);
        assert_memory_equal(&found[0], &nowhere, sizeof nowhere);
    }
}

/* It is the way between the grounds of the poses that are seen, as long as nothing goes round. */
static void require_ground_of_poses(const ossa_scene *scene, const ossa_clip *clip, ossa_wrap wrap,
                                    double near)
{
    struct random random = {59};
    double last = (clip->frame_count - 1) / clip->fps;
    for (unsigned n = 0; n < 200; n++) {
        double times[2];
        struct place places[2];
        for (unsigned i = 0; i < 2; i++) {
            ossa_transform locals[MOST_BONES];
            times[i] = next_time(&random, clip);
            if (wrap == OSSA_WRAP_LOOP) times[i] = fmod(fabs(times[i]), last);
            ossa_sample(scene, clip, times[i], wrap, locals, NULL);
            places[i] = place_of(&locals[0]);
        }
        ossa_transform found;
        ossa_root_motion(scene, clip, times[0], times[1], wrap, &found);
        require_place(&found, place_product(place_inverse(places[0]), places[1]), near);
    }
}

static void require_rules(const ossa_scene *scene, double near)
{
    static const ossa_wrap wraps[3] = {OSSA_WRAP_CLAMP, OSSA_WRAP_LOOP, OSSA_WRAP_PING_PONG};
    assert_true(scene->bone_count <= MOST_BONES);
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        for (unsigned w = 0; w < 3; w++) {
            require_sums(scene, &scene->clips[c], wraps[w], near);
            require_ground_of_poses(scene, &scene->clips[c], wraps[w], near);
        }
    }
}

static void motions_add_up(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        ossa_scene *scene = assemble_character(&samples[i], NULL);
        require_rules(scene, 2e-5);
        ossa_scene_free(scene);
    }
    struct made_scene made;
    const struct made_plan plan = {
        .seed = 31, .bones = BONES, .clips = 3, .frames = {FRAMES, 2, 3}, .fps = 29.97};
    make_scene(&made, &plan);
    require_rules(&made.scene, 1e-4);
    free_made_scene(&made);
}

/* A character that is moved step by step and shown in place is where the pose itself is. */
static void require_walk(const ossa_scene *scene, const ossa_clip *clip, ossa_wrap wrap)
{
    struct random random = {61};
    double end = (clip->frame_count - 1) / clip->fps;
    ossa_transform locals[MOST_BONES];
    ossa_transform raw[MOST_BONES];
    ossa_transform motion;
    double world[16];
    double step[16];
    ossa_sample(scene, clip, 0.0, wrap, locals, NULL);
    ossa_ground(scene, locals, &motion);
    matrix_of_transform(&motion, world);
    for (double now = 0.0; now < end;) {
        double next = now + (1.0 + (double)next_float(&random, 1)) / 30.0;
        if (next > end) next = end;
        ossa_root_motion(scene, clip, now, next, wrap, &motion);
        matrix_of_transform(&motion, step);
        matrix_product(world, step, world);
        ossa_sample(scene, clip, next, wrap, raw, NULL);
        memcpy(locals, raw, sizeof raw);
        ossa_stay_in_place(scene, locals, NULL);
        require_roots(scene, world, locals, raw, 1e-4);
        now = next;
    }
}

static void step_by_step_it_is_where_the_pose_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        ossa_scene *scene = assemble_character(&samples[i], NULL);
        for (uint32_t c = 0; c < scene->clip_count; c++) {
            require_walk(scene, &scene->clips[c], OSSA_WRAP_CLAMP);
            require_walk(scene, &scene->clips[c], OSSA_WRAP_LOOP);
            require_walk(scene, &scene->clips[c], OSSA_WRAP_PING_PONG);
        }
        ossa_scene_free(scene);
    }
}

/* ---- the pedestrian ------------------------------------------------------------------------ */

/* A clip's motion is the difference of its translations, and the next round carries on: the stride
 * that it was made with, and no turn. */
static void a_pedestrian_walks_on(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double stride;
    } moves[] = {{"walk", 1.24}, {"run", 2.5}, {"stand", 0.0}};
    ossa_scene *scene = assemble_character(&samples[1], NULL);
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        const ossa_clip *clip = ossa_scene_find_clip(scene, moves[i].name);
        assert_non_null(clip);
        double round = clip->frame_count / clip->fps;
        ossa_transform first[MOST_BONES];
        ossa_transform last[MOST_BONES];
        ossa_transform motion;
        ossa_sample_frame(scene, clip, 0, first, NULL);
        ossa_sample_frame(scene, clip, clip->frame_count - 1, last, NULL);
        struct place start = place_of(&first[0]);
        ossa_root_motion(scene, clip, 0.0, (clip->frame_count - 1) / clip->fps, OSSA_WRAP_CLAMP,
                         &motion);
        struct place end = place_product(start, place_of(&motion));
        assert_true(fabs(end.x - (double)last[0].translation[0]) < 1e-6);
        assert_true(fabs(end.z - (double)last[0].translation[2]) < 1e-6);

        for (int rounds = 1; rounds <= 100; rounds += 33) {
            ossa_root_motion(scene, clip, 0.0, rounds * round, OSSA_WRAP_LOOP, &motion);
            end = place_product(start, place_of(&motion));
            double turn = remainder(end.angle - start.angle, 360.0 * DEGREE) / DEGREE;
            assert_true(fabs(end.z - start.z + rounds * moves[i].stride) < 0.001 * rounds);
            assert_true(fabs(turn) < 0.02 * rounds);
            if (rounds == 1) assert_true(fabs(end.x - start.x) < 0.002);
        }
        /* No jump where it goes round: each small step is about as long as the one before. */
        double before = -1.0;
        for (int n = 0; n < 1000; n++) {
            double from = round - 0.05 + n * 1e-4;
            ossa_root_motion(scene, clip, from, from + 1e-4, OSSA_WRAP_LOOP, &motion);
            struct place small = place_of(&motion);
            double length = hypot(small.x, small.z);
            assert_true(before < 0.0 || fabs(length - before) < 5e-5);
            before = length;
        }
    }
    ossa_scene_free(scene);
}

TEST_GROUP(test_scene_root_motion)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_straight_walk_by_hand),
        cmocka_unit_test(a_walk_in_a_circle_by_hand),
        cmocka_unit_test(far_times_are_far_places),
        cmocka_unit_test(few_frames_do_not_move),
        cmocka_unit_test(motions_add_up),
        cmocka_unit_test(step_by_step_it_is_where_the_pose_is),
        cmocka_unit_test(a_pedestrian_walks_on),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
