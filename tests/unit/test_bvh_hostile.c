/* SPDX-License-Identifier: MIT
 *
 * BVH of scenes that cannot be one, that are enormous, with memory that runs out and sinks that
 * refuse: nothing crashes, leaks or runs wild, and no broken file is called a good one. */
#include "support/bvh_reader.h"
#include "support/counting.h"
#include "support/made_scene.h"
#include "support/scenes.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BONES = 100000 };

/* ---- refusals ------------------------------------------------------------------------------ */

static const struct made_plan small_plan = {.seed = 3, .bones = 4, .clips = 2, .frames = {3, 2}};

static bool count_bytes(void *user, const void *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)user += size;
    return true;
}

/* Refused before a byte is written. */
static void require_refusal(const ossa_scene *scene, const ossa_clip *clip, ossa_code code,
                            const char *message)
{
    size_t written = 0;
    ossa_error error;
    require(!ossa_write_bvh(scene, clip, NULL, (ossa_sink){count_bytes, &written}, &error), message,
            "written all the same");
    assert_string_equal(error.message, message);
    assert_int_equal(error.code, code);
    assert_int_equal(written, 0);
    assert_false(ossa_write_bvh(scene, clip, NULL, (ossa_sink){count_bytes, &written}, NULL));
}

static void what_is_no_clip_of_the_scene(void **state)
{
    (void)state;
    struct made_scene made;
    make_scene(&made, &small_plan);
    ossa_clip copy = made.clips[0];
    require_refusal(&made.scene, NULL, OSSA_CODE_BAD_ARGUMENT, "the clip is none of the scene's");
    require_refusal(&made.scene, &copy, OSSA_CODE_BAD_ARGUMENT, "the clip is none of the scene's");
    made.clips[0].frame_count = 0;
    require_refusal(&made.scene, &made.clips[0], OSSA_CODE_BAD_SCENE,
                    "the clip 'clip0' has no frames, and a BVH needs one");
    made.clips[0] = copy;
    made.clips[0].constant = NULL;
    require_refusal(&made.scene, &made.clips[0], OSSA_CODE_BAD_SCENE,
                    "'clip0' lacks an array of constants or keys");
    made.clips[0] = copy;
    made.clips[0].rotations.keys = NULL;
    require_refusal(&made.scene, &made.clips[0], OSSA_CODE_BAD_SCENE,
                    "'clip0' lacks an array of constants or keys");
    free_made_scene(&made);
}

static void what_is_no_skeleton(void **state)
{
    (void)state;
    struct made_scene made;
    const struct made_plan none = {.seed = 3, .clips = 1, .frames = {1}};
    make_scene(&made, &none);
    require_refusal(&made.scene, &made.clips[0], OSSA_CODE_BAD_SCENE,
                    "the scene has no bones, and a BVH needs one");
    free_made_scene(&made);
    make_scene(&made, &small_plan);
    made.bones[1].rest.translation[2] = NAN;
    require_refusal(&made.scene, &made.clips[0], OSSA_CODE_BAD_SCENE,
                    "'b1' has a rest pose that is not finite, or no rotation");
    free_made_scene(&made);
}

static void rates_that_have_no_frame_time(void **state)
{
    (void)state;
    static const double good[] = {8e37, 1e-38, 1.0, 1.0 / 3.0};
    struct made_scene made;
    make_scene(&made, &small_plan);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        made.clips[0].fps = good[i];
        struct bytes file = bvh_or_fail("rates", &made.scene, &made.clips[0]);
        struct bvh bvh;
        bvh_open(&bvh, "rates", &file);
        assert_true(fabs(bvh.frame_time * good[i] - 1.0) < 1e-8);
        bvh_close(&bvh);
        bytes_free(&file);
    }
    made.clips[0].fps = 1e-39; /* a second of which lasts longer than a float32 can say */
    require_refusal(&made.scene, &made.clips[0], OSSA_CODE_BAD_SCENE,
                    "the clip 'clip0' has 1e-39 frames a second: the time of one is no 32-bit "
                    "float");
    made.clips[0].fps = 1e300;
    require_refusal(&made.scene, &made.clips[0], OSSA_CODE_BAD_SCENE,
                    "the clip 'clip0' has 1e+300 frames a second: the time of one is no 32-bit "
                    "float");
    made.clips[0].fps = 5e-324; /* 1 / fps is infinite */
    assert_false(ossa_write_bvh(&made.scene, &made.clips[0], NULL, (ossa_sink){0}, NULL));
    free_made_scene(&made);
}

/* Numbers that are finite one by one and come to infinity together. */
static void scales_without_end(void **state)
{
    (void)state;
    struct made_scene made;
    make_scene(&made, &small_plan);
    for (uint32_t b = 0; b < 4; b++) {
        made.bones[b].parent = (int32_t)b - 1;
        made.bones[b].rest.scale[0] = 1e30F;
    }
    require_refusal(&made.scene, &made.clips[0], OSSA_CODE_BAD_SCENE,
                    "'b2' is too far away at rest for a 32-bit float");
    for (uint32_t b = 0; b < 4; b++) made.bones[b].rest.scale[0] = 1.0F;
    ossa_transform *constant = made_memory(&made, 4 * sizeof *constant);
    memcpy(constant, made.clips[0].constant, 4 * sizeof *constant);
    made.clips[0].constant = constant;
    made.clips[0].scales.count = 0;
    for (uint32_t b = 0; b < 4; b++) constant[b].scale[1] = 1e30F;
    size_t written = 0;
    ossa_error error;
    const ossa_sink sink = {count_bytes, &written};
    assert_false(ossa_write_bvh(&made.scene, &made.clips[0], NULL, sink, &error));
    assert_int_equal(error.code, OSSA_CODE_BAD_SCENE);
    assert_string_equal(error.message,
                        "'b2' is too far away in frame 0 of the clip 'clip0' for a 32-bit float");
    free_made_scene(&made);
}

/* ---- sinks and memory ---------------------------------------------------------------------- */

struct bad_sink {
    size_t calls;
    size_t fail_at;
    size_t after; /* calls after the one that failed */
};

static bool write_bad(void *user, const void *bytes, size_t size)
{
    struct bad_sink *sink = user;
    assert_non_null(bytes);
    assert_true(size > 0);
    sink->calls++;
    if (sink->fail_at != 0 && sink->calls > sink->fail_at) sink->after++;
    return sink->fail_at == 0 || sink->calls < sink->fail_at;
}

static void every_write_may_be_refused(void **state)
{
    (void)state;
    struct made_scene made;
    const struct made_plan plan = {.seed = 9, .bones = 30, .clips = 1, .frames = {200}};
    make_scene(&made, &plan);
    const ossa_scene *scene = &made.scene;
    struct bad_sink sink = {0};
    ossa_error error;
    assert_true(ossa_write_bvh(scene, scene->clips, NULL, (ossa_sink){write_bad, &sink}, &error));
    size_t calls = sink.calls;
    assert_true(calls > 5); /* streamed, not gathered */
    for (size_t n = 1; n <= calls; n++) {
        sink = (struct bad_sink){.fail_at = n};
        const ossa_sink to = {write_bad, &sink};
        assert_false(ossa_write_bvh(scene, scene->clips, NULL, to, &error));
        assert_int_equal(error.code, OSSA_CODE_IO);
        assert_string_equal(error.message, "the output could not be written");
        assert_int_equal(sink.after, 0); /* nobody asks again */
        assert_false(ossa_write_bvh(scene, scene->clips, NULL, to, NULL));
    }
    free_made_scene(&made);
}

static void hear(void *user, const ossa_issue *issue)
{
    assert_true(issue->message[0] != '\0');
    ++*(size_t *)user;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct made_scene made;
    const struct made_plan plan = {
        .seed = 4, .bones = 600, .clips = 1, .frames = {2}, .is_rigid = true};
    make_scene(&made, &plan);
    for (uint32_t b = 0; b < plan.bones; b += 3) made.bones[b].name = "the same {name}";
    made.bones[5].parent = -1;
    size_t calls = 1;
    for (size_t n = 0; n <= calls; n++) {
        struct counting counting = {.fail_at = n};
        size_t written = 0;
        size_t warnings = 0;
        const ossa_export_options options = {
            .allocator = counting_allocator(&counting), .on_issue = hear, .user = &warnings};
        ossa_error error;
        bool ok = ossa_write_bvh(&made.scene, made.clips, &options,
                                 (ossa_sink){count_bytes, &written}, &error);
        assert_int_equal(ok, n == 0);
        assert_int_equal(counting.failed, n > 0);
        assert_int_equal(error.code, n == 0 ? OSSA_CODE_OK : OSSA_CODE_OUT_OF_MEMORY);
        assert_true(counting.live == 0 && !counting.wrong_release);
        if (n == 0) calls = counting.calls;
    }
    assert_true(calls > 3);
    free_made_scene(&made);
}

/* ---- size ---------------------------------------------------------------------------------- */

struct cost {
    size_t file;
    size_t memory;
};

/* A chain or a star of so many bones, one step of (0, 1, 0) each, and no turns. */
static struct cost measure(uint32_t bones, uint32_t frames, bool is_chain)
{
    struct made_scene made;
    const struct made_plan plan = {.seed = 1, .bones = bones, .clips = 1, .is_rigid = true};
    make_scene(&made, &plan);
    ossa_transform *constant = made_memory(&made, bones * sizeof *constant);
    for (uint32_t b = 0; b < bones; b++) {
        constant[b] = (ossa_transform){
            .translation = {0, 1, 0}, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
        made.bones[b].rest = constant[b];
        made.bones[b].parent = b == 0 ? -1 : is_chain ? (int32_t)b - 1 : 0;
    }
    made.clips[0].frame_count = frames;
    made.clips[0].rotations.count = 0;
    made.clips[0].translations.count = 0;
    made.clips[0].constant = constant;
    struct counting counting = {0};
    const ossa_export_options options = {.allocator = counting_allocator(&counting)};
    ossa_buffer buffer = {0};
    ossa_error error;
    require(ossa_write_bvh(&made.scene, made.clips, &options, ossa_buffer_sink(&buffer), &error),
            "size", "%s", error.message);
    struct cost cost = {buffer.size, counting.peak};
    struct bytes file = bytes_copy(buffer.data, buffer.size);
    ossa_buffer_free(&buffer);
    struct bvh bvh;
    bvh_open(&bvh, is_chain ? "chain" : "star", &file);
    struct bvh_place *places = calloc(bones, sizeof *places);
    if (places == NULL) abort();
    bvh_pose(&bvh, frames - 1, places);
    assert_int_equal(bvh.joint_count, bones);
    for (uint32_t b = 0; b < bones; b++) {
        double height = is_chain || b == 0 ? b + 1.0 : 2.0;
        assert_true(places[b].translation[1] == height);
    }
    free(places);
    bvh_close(&bvh);
    bytes_free(&file);
    free_made_scene(&made);
    return cost;
}

/* No clock is asked: a quadratic writer would not end within the test's patience. */
static void large_skeletons_cost_what_they_are(void **state)
{
    (void)state;
    for (unsigned is_chain = 0; is_chain < 2; is_chain++) {
        struct cost small = measure(BONES / 10, 2, is_chain != 0);
        struct cost large = measure(BONES, 2, is_chain != 0);
        assert_true(large.file < 11 * small.file); /* names get a digit longer */
        assert_true(large.file < 500 * (size_t)BONES);
        assert_true(large.memory < 11 * small.memory);
        assert_true(large.memory < 300 * (size_t)BONES);
    }
}

static void frames_cost_no_memory(void **state)
{
    (void)state;
    struct cost few = measure(50, 2, true);
    struct cost many = measure(50, 2000, true);
    assert_int_equal(few.memory, many.memory);
}

TEST_GROUP(test_bvh_hostile)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_clip_of_the_scene),
        cmocka_unit_test(what_is_no_skeleton),
        cmocka_unit_test(rates_that_have_no_frame_time),
        cmocka_unit_test(scales_without_end),
        cmocka_unit_test(every_write_may_be_refused),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(large_skeletons_cost_what_they_are),
        cmocka_unit_test(frames_cost_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
