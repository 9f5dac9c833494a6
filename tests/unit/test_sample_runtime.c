/* SPDX-License-Identifier: MIT
 *
 * What a game may count on while it runs: nothing on the way from a scene to a pose takes memory,
 * and any number of threads may walk it at once. The program is linked so that the library's calls
 * for memory come here. */
#include "support/made_scene.h"
#include "support/scenes.h"

#include <pthread.h>
#include <string.h>

enum { BONES = 9, FRAMES = 20, LAYERS = 5, KEYS = 4 };

static struct made_scene made;

static int make(void **state)
{
    (void)state;
    const struct made_plan plan = {.seed = 83, .bones = BONES, .clips = 1, .frames = {FRAMES}};
    make_scene(&made, &plan);
    return 0;
}

static int clean(void **state)
{
    free_made_scene(&made);
    return free_fixtures(state);
}

/* All that this header offers, at a time and with weights that depend on a number. */
struct result {
    ossa_transform locals[BONES];
    ossa_transform models[BONES];
    ossa_transform ground;
    ossa_transform motion;
    ossa_transform camera;
    float field_of_view;
    float matrices[BONES][16];
    uint8_t visible[BONES];
};

static void walk_the_whole_way(uint32_t index, struct result *result)
{
    static const ossa_wrap wraps[3] = {OSSA_WRAP_CLAMP, OSSA_WRAP_LOOP, OSSA_WRAP_PING_PONG};
    static const float mask[BONES] = {1.0F, 0.0F, 0.5F, 1.0F, 2.0F, 0.0F, 1.0F, 1.0F, 0.25F};
    static const float times[KEYS] = {0.0F, 0.1F, 0.5F, 0.6F};
    static const float places[KEYS][3] = {{0.0F}, {1.0F}, {5.0F}, {9.0F}};
    static const float turns[KEYS][4] = {
        {0.0F, 0.0F, 0.0F, 1.0F}, {0.6F, 0.0F, 0.8F, 0.0F}, {0.0F, 1.0F, 0.0F, 0.0F}, {1.0F}};
    static const float views[KEYS] = {0.5F, 1.0F, 0.7F, 0.2F};
    const ossa_camera path = {.key_count = KEYS,
                              .times = times,
                              .positions = places,
                              .rotations = turns,
                              .fields_of_view = views};
    const ossa_scene *scene = &made.scene;
    const ossa_clip *clip = &made.clips[0];
    ossa_wrap wrap = wraps[index % 3];
    double seconds = index * 0.0173 - 1.0;
    ossa_transform poses[LAYERS][BONES];
    ossa_layer layers[LAYERS];
    memset(result, 0, sizeof *result);
    for (uint32_t i = 0; i < LAYERS; i++) {
        ossa_sample(scene, clip, seconds + i * 0.21, wrap, poses[i], result->visible);
        layers[i] = (ossa_layer){poses[i], (float)(1 + (index + i) % 5), i % 2 ? NULL : mask};
    }
    ossa_sample_frame(scene, clip, index % FRAMES, poses[1], NULL);
    ossa_rest_pose(scene, poses[2]);
    ossa_blend(scene, layers, 1 + index % LAYERS, result->locals);
    ossa_make_additive(scene, poses[1], poses[2], poses[1]);
    const ossa_layer added = {poses[1], 3.75F, mask};
    ossa_add_pose(scene, result->locals, &added, result->locals);
    ossa_ground(scene, result->locals, &result->ground);
    ossa_stay_in_place(scene, result->locals, NULL);
    ossa_root_motion(scene, clip, seconds, seconds * 7.0, wrap, &result->motion);
    ossa_model_pose(scene, result->locals, result->models);
    ossa_model_matrices(scene, result->locals, result->matrices);
    ossa_sample_camera(&path, seconds, wrap, &result->camera, &result->field_of_view);
}

/* ---- memory -------------------------------------------------------------------------------- */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static size_t calls;

void *__wrap_malloc(size_t size)
{
    calls++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    calls++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    calls++;
    return __real_realloc(memory, size);
}

static void nothing_takes_memory(void **state)
{
    (void)state;
    struct result result;
    calls = 0;
    for (uint32_t i = 0; i < 200; i++) walk_the_whole_way(i, &result);
    assert_int_equal(calls, 0);
    /* The library's calls do come here. */
    ossa_buffer text = {0};
    assert_true(ossa_write_scene_json(&made.scene, NULL, ossa_buffer_sink(&text), NULL));
    assert_true(calls > 0);
    ossa_buffer_free(&text);
}

/* ---- threads ------------------------------------------------------------------------------- */

enum { THREADS = 8, TIMES = 300 };

static struct result alone[TIMES];

static void *run(void *user)
{
    size_t *wrong = user;
    for (uint32_t i = 0; i < TIMES; i++) {
        struct result found;
        walk_the_whole_way(i, &found);
        if (memcmp(&found, &alone[i], sizeof found) != 0) ++*wrong;
    }
    return NULL;
}

static void many_threads_share_a_scene(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    size_t wrong[THREADS] = {0};
    for (uint32_t i = 0; i < TIMES; i++) walk_the_whole_way(i, &alone[i]);
    for (unsigned t = 0; t < THREADS; t++) {
        assert_int_equal(pthread_create(&threads[t], NULL, run, &wrong[t]), 0);
    }
    for (unsigned t = 0; t < THREADS; t++) {
        assert_int_equal(pthread_join(threads[t], NULL), 0);
        assert_int_equal(wrong[t], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_takes_memory),
        cmocka_unit_test(many_threads_share_a_scene),
    };
    return cmocka_run_group_tests(tests, make, clean);
}
