/* SPDX-License-Identifier: MIT
 *
 * Edited cameras back in their files, most of them of Evil Islands (CAM): what is kept to the bit,
 * what changes, and paths that were sampled at other times. */
#include "import/import.h"
#include "support/counting.h"
#include "support/rotation.h"
#include "support/scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4000 };

/* A motion of one camera. */
struct subject {
    struct ossa__motion motion;
    struct ossa__motion_node nodes[2];
    struct ossa__motion_clip clip;
    struct ossa__motion_curve curves[2];
    float times[MOST];
    float positions[MOST][3];
    float rotations[MOST][4];
};

static void begin(struct subject *s, const ossa_camera *camera, uint32_t count)
{
    s->nodes[0] = (struct ossa__motion_node){.name = camera->name,
                                             .parent = -1,
                                             .rotation = {0.0, 0.0, 0.0, 1.0},
                                             .scale = {1.0, 1.0, 1.0},
                                             .mesh = -1,
                                             .is_camera = true,
                                             .field_of_view = 1.0};
    for (unsigned k = 0; k < 3; k++) s->nodes[0].translation[k] = (double)camera->positions[0][k];
    s->nodes[0].rotation = ossa__quat_load(camera->rotations[0]);
    (void)ossa__quat_normalise(&s->nodes[0].rotation);
    s->curves[0] = (struct ossa__motion_curve){.target = OSSA__MOTION_TRANSLATION,
                                               .key_count = count,
                                               .width = 3,
                                               .times = s->times,
                                               .values = s->positions[0]};
    s->curves[1] = s->curves[0];
    s->curves[1].target = OSSA__MOTION_ROTATION;
    s->curves[1].width = 4;
    s->curves[1].values = s->rotations[0];
    s->clip =
        (struct ossa__motion_clip){.name = camera->name, .curve_count = 2, .curves = s->curves};
    s->motion = (struct ossa__motion){.format = "gltf",
                                      .has_rest = true,
                                      .node_count = 1,
                                      .nodes = s->nodes,
                                      .clip_count = count > 1 ? 1 : 0,
                                      .clips = &s->clip};
}

/* As it is. */
static void copy_camera(struct subject *s, const ossa_camera *camera)
{
    begin(s, camera, camera->key_count);
    memcpy(s->times, camera->times, camera->key_count * sizeof *s->times);
    memcpy(s->positions, camera->positions, camera->key_count * sizeof *s->positions);
    memcpy(s->rotations, camera->rotations, camera->key_count * sizeof *s->rotations);
}

/* At the frames of a program. `is_straight`: it interpolates the numbers of quaternions. */
static void sample_camera(struct subject *s, const ossa_camera *camera, double fps,
                          bool is_straight)
{
    uint32_t count = (uint32_t)((double)camera->times[camera->key_count - 1] * fps) + 1;
    assert_true(count < MOST);
    begin(s, camera, count);
    for (uint32_t i = 0; i < count; i++) {
        ossa_transform at;
        double time = i / fps;
        uint32_t from = 0;
        ossa_sample_camera(camera, time, OSSA_WRAP_CLAMP, &at, NULL);
        s->times[i] = (float)time;
        memcpy(s->positions[i], at.translation, sizeof s->positions[i]);
        memcpy(s->rotations[i], at.rotation, sizeof s->rotations[i]);
        while (from + 2 < camera->key_count && (double)camera->times[from + 1] <= time) from++;
        double part = (time - (double)camera->times[from]) /
                      ((double)camera->times[from + 1] - (double)camera->times[from]);
        const float *a = camera->rotations[from];
        const float *b = camera->rotations[from + 1];
        float dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
        for (unsigned k = 0; is_straight && k < 4; k++) {
            s->rotations[i][k] =
                a[k] + ((dot < 0.0F ? -b[k] : b[k]) - a[k]) * (float)part; /* of any length */
        }
    }
}

/* ---- importing ----------------------------------------------------------------------------- */

struct outcome {
    struct ossa__context context;
    ossa_import result;
    bool ok;
};

static void run_with(struct outcome *outcome, const struct scene_files *files,
                     const ossa_scene_options *options, struct ossa__motion *motion,
                     const ossa_options *limits)
{
    static const ossa_import_options plain;
    static const ossa_scene_options usual;
    const char *path = "edit.glb";
    memset(outcome, 0, sizeof *outcome);
    ossa__context_init(&outcome->context, limits, 1 << 20);
    const struct ossa__import_call call = {.options = &plain,
                                           .scene = options == NULL ? &usual : options,
                                           .inputs = files->inputs,
                                           .input_count = files->count,
                                           .motions = &motion,
                                           .motion_paths = &path,
                                           .motion_count = 1};
    outcome->ok = ossa__import(&outcome->context, &call, &outcome->result);
}

static void run(struct outcome *outcome, const struct scene_files *files,
                const ossa_scene_options *options, struct ossa__motion *motion)
{
    run_with(outcome, files, options, motion, NULL);
    require(outcome->ok, "import", "%s", outcome->context.error.message);
    assert_int_equal(outcome->result.file_count, files->count);
    assert_int_equal(outcome->result.clip_count, 0); /* a camera's path is not a new clip */
}

static void finish(struct outcome *outcome)
{
    ossa__arena_free(&outcome->context.scratch);
    ossa__arena_free(&outcome->context.arena);
}

static void require_unchanged(const char *name, const struct scene_files *files,
                              const ossa_scene_options *options, struct subject *s)
{
    struct outcome outcome;
    run(&outcome, files, options, &s->motion);
    require(outcome.result.files[0].data == NULL, name, "has changed");
    finish(&outcome);
}

static void load_flight(struct scene_files *files)
{
    struct bytes bytes = load_test_file("../samples/more/flight.cam");
    (void)add_file(files, "flight.cam", "ei-cam", bytes);
}

static const ossa_ei_options look_y = {.look = OSSA_EI_LOOK_Y};
static const ossa_ei_options look_z = {.look = OSSA_EI_LOOK_Z};
static const ossa_ei_options look_up = {.look = OSSA_EI_LOOK_UP};
static const ossa_scene_options ways[] = {{0},
                                          {.ei = &look_y},
                                          {.ei = &look_z, .scale = 100.0},
                                          {.ei = &look_up, .scale = 0.01},
                                          {.fps = 25.0}};
enum { WAYS = sizeof ways / sizeof ways[0] };

/* ---- tests --------------------------------------------------------------------------------- */

static void without_an_edit_nothing_changes(void **state)
{
    (void)state;
    static const double rates[] = {10.0, 18.0, 24.0, 30.0, 60.0, 200.0};
    struct subject *s = calloc(1, sizeof *s);
    struct scene_files files = {0};
    load_flight(&files);
    for (unsigned w = 0; w < WAYS; w++) {
        ossa_scene *scene = assemble_files(&files, &ways[w]);
        const ossa_camera *camera = &scene->cameras[0];
        copy_camera(s, camera);
        require_unchanged("a copy", &files, &ways[w], s);
        for (unsigned i = 0; i < 6; i++) {
            sample_camera(s, camera, rates[i], false);
            require_unchanged("samples", &files, &ways[w], s);
            sample_camera(s, camera, rates[i], true);
            require_unchanged("straight samples", &files, &ways[w], s);
        }
        ossa_scene_free(scene);
    }
    free_files(&files);
    free(s);
}

/* One key is moved and rotated by 30 degrees. */
static void only_the_edited_key_changes(void **state)
{
    (void)state;
    enum { EDITED = 5, KEY = 36 };
    struct subject *s = calloc(1, sizeof *s);
    for (unsigned w = 0; w < WAYS; w++) {
        struct scene_files files = {0};
        struct outcome outcome;
        load_flight(&files);
        ossa_scene *scene = assemble_files(&files, &ways[w]);
        copy_camera(s, &scene->cameras[0]);
        struct rotation turned = rotation_product(rotation_of(s->rotations[EDITED]),
                                                  rotation_about(1, 3.14159265358979323846 / 6.0));
        s->rotations[EDITED][0] = (float)-turned.x; /* the other one of the two quaternions */
        s->rotations[EDITED][1] = (float)-turned.y;
        s->rotations[EDITED][2] = (float)-turned.z;
        s->rotations[EDITED][3] = (float)-turned.w;
        s->positions[EDITED][1] += 0.25F;
        run(&outcome, &files, &ways[w], &s->motion);
        const ossa_import_file *file = &outcome.result.files[0];
        assert_int_equal(file->size, files.bytes[0].size);
        for (size_t i = 0; i < file->size; i++) {
            bool may_change = i / KEY == EDITED && i % KEY >= 8; /* not its time and step */
            assert_true(may_change || file->data[i] == files.bytes[0].data[i]);
        }
        const ossa_ei_cam *was = ossa_as_ei_cam(files.inputs[0].file);
        struct scene_files again = {0};
        struct bytes bytes = {0};
        put_bytes(&bytes, file->data, file->size);
        const ossa_ei_cam *is = ossa_as_ei_cam(add_file(&again, "flight.cam", "ei-cam", bytes));
        double dot = 0.0;
        for (unsigned k = 0; k < 4; k++) {
            dot += (double)was->keys[EDITED].rotation[k] * (double)is->keys[EDITED].rotation[k];
        }
        assert_true(fabs(dot - cos(3.14159265358979323846 / 12.0)) < 1e-6); /* the sign stays */
        ossa_scene *after = assemble_files(&again, &ways[w]);
        const ossa_camera *camera = &after->cameras[0];
        assert_true(rotation_distance(rotation_of(camera->rotations[EDITED]), turned) < 1e-4);
        for (unsigned k = 0; k < 3; k++) {
            float off = camera->positions[EDITED][k] - s->positions[EDITED][k];
            assert_true(fabsf(off) < 1e-4F);
        }
        ossa_scene_free(after);
        free_files(&again);
        finish(&outcome);
        ossa_scene_free(scene);
        free_files(&files);
    }
    free(s);
}

/* A sampled path, moved from some time on: only the keys after it change. */
static void sampled_paths_change_where_they_were_edited(void **state)
{
    (void)state;
    struct subject *s = calloc(1, sizeof *s);
    struct scene_files files = {0};
    struct outcome outcome;
    load_flight(&files);
    ossa_scene *scene = assemble_files(&files, NULL);
    const ossa_camera *camera = &scene->cameras[0];
    sample_camera(s, camera, 24.0, true);
    for (uint32_t i = 0; i < s->curves[0].key_count; i++) {
        if (s->times[i] > 3.0F) s->positions[i][0] += 1.0F;
    }
    run(&outcome, &files, NULL, &s->motion);
    const ossa_import_file *file = &outcome.result.files[0];
    const ossa_ei_cam *was = ossa_as_ei_cam(files.inputs[0].file);
    struct scene_files again = {0};
    struct bytes bytes = {0};
    put_bytes(&bytes, file->data, file->size);
    const ossa_ei_cam *is = ossa_as_ei_cam(add_file(&again, "flight.cam", "ei-cam", bytes));
    for (uint32_t i = 0; i < was->key_count; i++) {
        bool is_same = memcmp(&was->keys[i], &is->keys[i], sizeof *is->keys) == 0;
        float moved = is->keys[i].position[0] - was->keys[i].position[0];
        if (camera->times[i] < 2.95F) assert_true(is_same);
        if (camera->times[i] > 3.1F) assert_true(fabsf(moved - 1.0F) < 0.02F);
    }
    free_files(&again);
    finish(&outcome);
    ossa_scene_free(scene);
    free_files(&files);
    free(s);
}

/* The key of 2.996 s is between the samples of 71 and 72 at 24 per second. */
static void a_key_beside_an_edited_sample_changes(void **state)
{
    (void)state;
    struct subject *s = calloc(1, sizeof *s);
    struct scene_files files = {0};
    load_flight(&files);
    ossa_scene *scene = assemble_files(&files, NULL);
    const ossa_camera *camera = &scene->cameras[0];
    assert_true(camera->times[16] > 71.0F / 24.0F && camera->times[16] < 72.0F / 24.0F);
    for (uint32_t edited = 71; edited <= 72; edited++) {
        struct outcome outcome;
        sample_camera(s, camera, 24.0, false);
        s->positions[edited][1] += 0.5F;
        run(&outcome, &files, NULL, &s->motion);
        const uint8_t *data = outcome.result.files[0].data;
        assert_non_null(data);
        for (size_t i = 0; i < files.bytes[0].size; i++) {
            assert_true(i / 36 == 16 || data[i] == files.bytes[0].data[i]);
        }
        finish(&outcome);
    }
    /* A path that ends early stays where it ends. */
    struct outcome outcome;
    sample_camera(s, camera, 24.0, false);
    s->curves[0].key_count = s->curves[1].key_count = 72;
    run(&outcome, &files, NULL, &s->motion);
    assert_non_null(outcome.result.files[0].data);
    assert_memory_equal(outcome.result.files[0].data, files.bytes[0].data, (size_t)16 * 36);
    finish(&outcome);
    ossa_scene_free(scene);
    free_files(&files);
    free(s);
}

/* Every other key is the other one of the two quaternions. */
static void signs_of_keys_do_not_matter(void **state)
{
    (void)state;
    struct subject *s = calloc(1, sizeof *s);
    struct scene_files files = {0};
    struct bytes bytes = load_test_file("../samples/more/flight.cam");
    for (size_t at = 36; at < bytes.size; at += 72) {
        for (unsigned k = 0; k < 4; k++) bytes.data[at + 20 + 4 * k + 3] ^= 0x80;
    }
    (void)add_file(&files, "flight.cam", "ei-cam", bytes);
    ossa_scene *scene = assemble_files(&files, NULL);
    for (unsigned i = 0; i < 2; i++) {
        sample_camera(s, &scene->cameras[0], 24.0, i == 1);
        require_unchanged("flipped", &files, NULL, s);
    }
    ossa_scene_free(scene);
    free_files(&files);
    free(s);
}

/* Some programs have the camera below the node that moves. */
static void a_camera_below_its_node_is_found(void **state)
{
    (void)state;
    struct subject *s = calloc(1, sizeof *s);
    struct scene_files files = {0};
    load_flight(&files);
    ossa_scene *scene = assemble_files(&files, NULL);
    copy_camera(s, &scene->cameras[0]);
    struct ossa__quat half = ossa__quat_about(0, 3.14159265358979323846 / 2.0);
    s->nodes[1] = s->nodes[0];
    s->nodes[0].is_camera = false;
    s->nodes[1] = (struct ossa__motion_node){.name = "Orientation",
                                             .parent = 0,
                                             .rotation = half,
                                             .scale = {1.0, 1.0, 1.0},
                                             .mesh = -1,
                                             .is_camera = true};
    s->motion.node_count = 2;
    for (uint32_t i = 0; i < s->curves[1].key_count; i++) {
        struct ossa__quat q =
            ossa__quat_multiply(ossa__quat_load(s->rotations[i]), ossa__quat_conjugate(half));
        ossa__quat_store(q, s->rotations[i]);
    }
    require_unchanged("below", &files, NULL, s);
    ossa_scene_free(scene);
    free_files(&files);
    free(s);
}

static void a_camera_that_is_missing_stays(void **state)
{
    (void)state;
    struct subject *s = calloc(1, sizeof *s);
    struct scene_files files = {0};
    load_flight(&files);
    ossa_scene *scene = assemble_files(&files, NULL);
    copy_camera(s, &scene->cameras[0]);
    s->motion.clip_count = 0; /* its animation is */
    s->nodes[0].translation[0] = 99.0;
    require_unchanged("no animation", &files, NULL, s);
    s->motion.node_count = 0;
    require_unchanged("no node", &files, NULL, s);
    ossa_scene_free(scene);
    free_files(&files);
    free(s);
}

static void a_camera_that_stands_still_has_no_animation(void **state)
{
    (void)state;
    struct subject *s = calloc(1, sizeof *s);
    struct scene_files files = {0};
    struct outcome outcome;
    struct bytes cam = {0};
    const float key[9] = {3.0F, 0.5F, 1.0F, 2.0F, 3.0F, 1.0F, 0.0F, 0.0F, 0.0F};
    for (unsigned i = 0; i < 9; i++) put_f32(&cam, key[i]);
    (void)add_file(&files, "one.cam", "ei-cam", cam);
    ossa_scene *scene = assemble_files(&files, NULL);
    begin(s, &scene->cameras[0], 1);
    require_unchanged("one key", &files, NULL, s);
    s->nodes[0].translation[1] += 1.0; /* up */
    run(&outcome, &files, NULL, &s->motion);
    const ossa_import_file *file = &outcome.result.files[0];
    const float wanted[9] = {3.0F, 0.5F, 1.0F, 2.0F, 4.0F, 1.0F, 0.0F, 0.0F, 0.0F};
    assert_int_equal(file->size, sizeof wanted);
    assert_memory_equal(file->data, wanted, sizeof wanted);
    finish(&outcome);
    ossa_scene_free(scene);
    free_files(&files);
    free(s);
}

/* Vib-Ribbon's cameras (ANC) have no rotation, but a target; what they cannot be is refused. */
static void cameras_with_targets_are_edited(void **state)
{
    (void)state;
    struct subject *s = calloc(1, sizeof *s);
    struct scene_files files = {0};
    struct outcome outcome;
    (void)add_file(&files, "stage.anc", NULL, load_test_file("../samples/more/stage.anc"));
    ossa_scene *scene = assemble_files(&files, NULL);
    copy_camera(s, &scene->cameras[0]);
    require_unchanged("stage", &files, NULL, s);
    s->positions[1][0] += 1.0F;
    run(&outcome, &files, NULL, &s->motion);
    const uint8_t *data = outcome.result.files[0].data;
    assert_non_null(data);
    for (size_t i = 0; i < files.bytes[0].size; i++) {
        bool may_change = i / 2 == 3 + 8 || i / 2 == 3 + 11; /* x of the eye and of the target */
        assert_true(may_change || data[i] == files.bytes[0].data[i]);
    }
    finish(&outcome);
    struct rotation rolled = rotation_product(rotation_of(s->rotations[2]), rotation_about(2, 0.2));
    const double members[4] = {rolled.x, rolled.y, rolled.z, rolled.w};
    for (unsigned k = 0; k < 4; k++) s->rotations[2][k] = (float)members[k];
    run_with(&outcome, &files, NULL, &s->motion, NULL);
    assert_false(outcome.ok);
    assert_non_null(strstr(outcome.context.error.message, "degrees off in key 2"));
    finish(&outcome);
    ossa_scene_free(scene);
    free_files(&files);
    free(s);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct subject *s = calloc(1, sizeof *s);
    struct scene_files files = {0};
    load_flight(&files);
    ossa_scene *scene = assemble_files(&files, NULL);
    copy_camera(s, &scene->cameras[0]);
    s->positions[3][0] += 1.0F;
    size_t calls = 1;
    for (size_t n = 0; n <= calls; n++) {
        struct counting counting = {.fail_at = n};
        struct outcome outcome;
        const ossa_options limits = {.allocator = counting_allocator(&counting)};
        const ossa_scene_options options = {.allocator = limits.allocator};
        run_with(&outcome, &files, &options, &s->motion, &limits);
        assert_int_equal(outcome.ok, n == 0);
        if (n == 0) calls = counting.calls;
        else assert_int_equal(outcome.context.error.code, OSSA_CODE_OUT_OF_MEMORY);
        finish(&outcome);
        assert_int_equal(counting.live, 0);
    }
    assert_true(calls > 1);
    ossa_scene_free(scene);
    free_files(&files);
    free(s);
}

TEST_GROUP(test_import_cameras)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_an_edit_nothing_changes),
        cmocka_unit_test(only_the_edited_key_changes),
        cmocka_unit_test(sampled_paths_change_where_they_were_edited),
        cmocka_unit_test(a_key_beside_an_edited_sample_changes),
        cmocka_unit_test(signs_of_keys_do_not_matter),
        cmocka_unit_test(a_camera_below_its_node_is_found),
        cmocka_unit_test(a_camera_that_is_missing_stays),
        cmocka_unit_test(a_camera_that_stands_still_has_no_animation),
        cmocka_unit_test(cameras_with_targets_are_edited),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
