/* SPDX-License-Identifier: MIT
 *
 * A camera on its path: keys at uneven times, exact at each of them, in all three ways round. */
#include "support/rotation.h"
#include "support/scenes.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { KEYS = 7 };

static const double degree = 0.017453292519943295;

/* A path of KEYS keys at times that no rate fits, and what it lies in. */
struct path {
    ossa_camera camera;
    float times[KEYS];
    float positions[KEYS][3];
    float rotations[KEYS][4];
    float views[KEYS];
};

static void make_path(struct path *path, uint32_t keys)
{
    static const float times[KEYS] = {0.0F, 0.001F, 0.3F, 0.30001F, 1.7F, 2.0F, 9.1F};
    struct random random = {41};
    memset(path, 0, sizeof *path);
    for (unsigned i = 0; i < KEYS; i++) {
        float wxyz[4];
        next_unit(&random, wxyz);
        path->times[i] = times[i];
        path->views[i] = 1.5F + next_float(&random, 1);
        for (unsigned k = 0; k < 3; k++) path->positions[i][k] = next_float(&random, 20);
        for (unsigned k = 0; k < 4; k++) path->rotations[i][k] = wxyz[(k + 1) % 4];
    }
    path->camera = (ossa_camera){.name = "path",
                                 .key_count = keys,
                                 .times = path->times,
                                 .positions = (const float(*)[3])path->positions,
                                 .rotations = (const float(*)[4])path->rotations,
                                 .fields_of_view = path->views};
}

static void require_key(const struct path *path, double seconds, ossa_wrap wrap, uint32_t key)
{
    ossa_transform place;
    float view = -1.0F;
    memset(&place, 0xa5, sizeof place);
    ossa_sample_camera(&path->camera, seconds, wrap, &place, &view);
    require(memcmp(place.translation, path->positions[key], sizeof place.translation) == 0,
            "camera", "%.17g s is not key %u", seconds, (unsigned)key);
    assert_memory_equal(place.rotation, path->rotations[key], sizeof place.rotation);
    assert_memory_equal(&view, &path->views[key], sizeof view);
    for (unsigned k = 0; k < 3; k++) assert_true(place.scale[k] == 1.0F);
    ossa_transform again;
    ossa_sample_camera(&path->camera, seconds, wrap, &again, NULL);
    assert_memory_equal(&again, &place, sizeof place);
}

static void require_between(const struct path *path, double seconds, ossa_wrap wrap, uint32_t key,
                            double part)
{
    ossa_transform place;
    float view;
    ossa_sample_camera(&path->camera, seconds, wrap, &place, &view);
    for (unsigned k = 0; k < 3; k++) {
        double wanted = (double)path->positions[key][k] * (1.0 - part) +
                        (double)path->positions[key + 1][k] * part;
        require(fabs((double)place.translation[k] - wanted) < 1e-4, "camera",
                "%.17g s: found %g, expected %g", seconds, (double)place.translation[k], wanted);
    }
    struct rotation turn = rotation_between(rotation_of(path->rotations[key]),
                                            rotation_of(path->rotations[key + 1]), part);
    assert_true(rotation_distance(rotation_of(place.rotation), turn) < 1e-3);
    double wanted = (double)path->views[key] * (1.0 - part) + (double)path->views[key + 1] * part;
    assert_true(fabs((double)view - wanted) < 1e-5);
}

/* ---- keys ---------------------------------------------------------------------------------- */

static void a_key_is_exact_at_its_time(void **state)
{
    (void)state;
    for (uint32_t keys = 2; keys <= KEYS; keys++) {
        struct path path;
        make_path(&path, keys);
        double end = (double)path.times[keys - 1];
        for (uint32_t i = 0; i < keys; i++) {
            double time = (double)path.times[i];
            require_key(&path, time, OSSA_WRAP_CLAMP, i);
            require_key(&path, time, OSSA_WRAP_LOOP, i + 1 < keys ? i : 0);
            for (int round = -10; round <= 10; round++) {
                require_key(&path, round * end + time, OSSA_WRAP_LOOP, i + 1 < keys ? i : 0);
                require_key(&path, round * 2.0 * end + time, OSSA_WRAP_PING_PONG, i);
                require_key(&path, round * 2.0 * end - time, OSSA_WRAP_PING_PONG, i);
            }
        }
    }
}

/* A time that is rounded, to either side. */
static void a_key_is_exact_close_to_its_time(void **state)
{
    (void)state;
    struct path path;
    make_path(&path, KEYS);
    double end = (double)path.times[KEYS - 1];
    for (uint32_t i = 0; i < KEYS; i++) {
        for (int side = -1; side <= 1; side += 2) {
            double time = (double)path.times[i] + side * 5e-12;
            require_key(&path, time, OSSA_WRAP_CLAMP, i);
            require_key(&path, time, OSSA_WRAP_PING_PONG, i);
            require_key(&path, time - 2.0 * end, OSSA_WRAP_PING_PONG, i);
            require_key(&path, time, OSSA_WRAP_LOOP, i + 1 < KEYS ? i : 0);
            require_key(&path, time + 3.0 * end, OSSA_WRAP_LOOP, i + 1 < KEYS ? i : 0);
        }
    }
}

static void between_keys_it_goes_straight_and_turns_the_short_way(void **state)
{
    (void)state;
    struct path path;
    make_path(&path, KEYS);
    double end = (double)path.times[KEYS - 1];
    for (uint32_t i = 0; i + 1 < KEYS; i++) {
        double start = (double)path.times[i];
        double length = (double)path.times[i + 1] - start;
        for (unsigned step = 1; step < 16; step++) {
            double part = step / 16.0;
            double time = start + part * length;
            require_between(&path, time, OSSA_WRAP_CLAMP, i, part);
            require_between(&path, time, OSSA_WRAP_LOOP, i, part);
            require_between(&path, time, OSSA_WRAP_PING_PONG, i, part);
            require_between(&path, time + end, OSSA_WRAP_LOOP, i, part);
            require_between(&path, time - 2.0 * end, OSSA_WRAP_LOOP, i, part);
            require_between(&path, -time, OSSA_WRAP_PING_PONG, i, part);
            require_between(&path, 2.0 * end - time, OSSA_WRAP_PING_PONG, i, part);
        }
    }
}

static void by_hand(void **state)
{
    (void)state;
    static const float times[3] = {0.0F, 2.0F, 10.0F};
    static const float positions[3][3] = {{0.0F}, {4.0F, 0.0F, -2.0F}, {4.0F, 8.0F, 0.0F}};
    float rotations[3][4] = {{0.0F, 0.0F, 0.0F, 1.0F}};
    static const float views[3] = {1.0F, 0.5F, 0.5F};
    for (unsigned i = 1; i < 3; i++) {
        struct rotation q = rotation_about(1, i * 90.0 * degree);
        rotations[i][1] = -(float)q.y; /* the other sign: the same rotation */
        rotations[i][3] = -(float)q.w;
    }
    const ossa_camera camera = {.key_count = 3,
                                .times = times,
                                .positions = positions,
                                .rotations = (const float(*)[4])rotations,
                                .fields_of_view = views};
    ossa_transform place;
    float view;
    ossa_sample_camera(&camera, 1.5, OSSA_WRAP_CLAMP, &place, &view);
    const float first[3] = {3.0F, 0.0F, -1.5F};
    assert_memory_equal(place.translation, first, sizeof first);
    assert_true(rotation_distance(rotation_of(place.rotation), rotation_about(1, 67.5 * degree)) <
                1e-4);
    assert_true(view == 0.625F);
    ossa_sample_camera(&camera, 4.0, OSSA_WRAP_CLAMP, &place, &view);
    const float second[3] = {4.0F, 2.0F, -1.5F};
    assert_memory_equal(place.translation, second, sizeof second);
    assert_true(rotation_distance(rotation_of(place.rotation), rotation_about(1, 112.5 * degree)) <
                1e-4);
    assert_true(view == 0.5F);
}

/* ---- time ---------------------------------------------------------------------------------- */

static void a_clamped_time_stays_on_the_path(void **state)
{
    (void)state;
    struct path path;
    make_path(&path, KEYS);
    static const double before[] = {-0.0, -1e-300, -1.0, -1e300, -DBL_MAX, -INFINITY, NAN};
    static const double after[] = {9.2, 1e9, DBL_MAX, INFINITY};
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) {
        require_key(&path, before[i], OSSA_WRAP_CLAMP, 0);
    }
    for (size_t i = 0; i < sizeof after / sizeof after[0]; i++) {
        require_key(&path, after[i], OSSA_WRAP_CLAMP, KEYS - 1);
    }
}

static void any_time_is_somewhere_on_the_path(void **state)
{
    (void)state;
    struct path path;
    make_path(&path, KEYS);
    static const ossa_wrap wraps[2] = {OSSA_WRAP_LOOP, OSSA_WRAP_PING_PONG};
    for (unsigned w = 0; w < 2; w++) {
        double seconds = 1.0;
        for (int i = 0; i < 4200; i++) {
            ossa_transform place;
            float view;
            ossa_sample_camera(&path.camera, i % 2 ? seconds : -seconds, wraps[w], &place, &view);
            assert_true(fabs(rotation_length(rotation_of(place.rotation)) - 1.0) < 1e-5);
            for (unsigned k = 0; k < 3; k++) assert_true(fabsf(place.translation[k]) <= 20.0F);
            assert_true(view >= 0.5F && view <= 2.5F);
            seconds *= 1.19; /* up to infinity */
        }
        require_key(&path, INFINITY, wraps[w], 0);
        require_key(&path, -INFINITY, wraps[w], 0);
        require_key(&path, NAN, wraps[w], 0);
    }
}

static void one_key_is_a_camera_that_stands(void **state)
{
    (void)state;
    struct path path;
    make_path(&path, 1);
    static const double times[] = {0.0, 1.0, -1.0, 1e300, NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        require_key(&path, times[i], OSSA_WRAP_CLAMP, 0);
        require_key(&path, times[i], OSSA_WRAP_LOOP, 0);
        require_key(&path, times[i], OSSA_WRAP_PING_PONG, 0);
    }
}

/* No scene has it, but nothing is read that is not there. */
static void no_key_is_no_harm(void **state)
{
    (void)state;
    const ossa_camera none = {.name = "none"};
    ossa_transform place;
    float view = -1.0F;
    ossa_sample_camera(&none, 1.0, OSSA_WRAP_LOOP, &place, &view);
    assert_true(place.rotation[3] == 1.0F && place.scale[0] == 1.0F && view > 0.0F);
    ossa_sample_camera(&none, 1.0, OSSA_WRAP_CLAMP, &place, NULL);
}

TEST_GROUP(test_sample_camera)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_is_exact_at_its_time),
        cmocka_unit_test(a_key_is_exact_close_to_its_time),
        cmocka_unit_test(between_keys_it_goes_straight_and_turns_the_short_way),
        cmocka_unit_test(by_hand),
        cmocka_unit_test(a_clamped_time_stays_on_the_path),
        cmocka_unit_test(any_time_is_somewhere_on_the_path),
        cmocka_unit_test(one_key_is_a_camera_that_stands),
        cmocka_unit_test(no_key_is_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
