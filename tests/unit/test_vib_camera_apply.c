/* SPDX-License-Identifier: MIT
 *
 * Edits back into the cameras of Vib-Ribbon: the eye and the target follow, all else stays. */
#include "support/edited_files.h"
#include "support/rotation.h"

#include <math.h>
#include <string.h>

/* Some keys of a camera: moved along x, rotated about the vertical, rolled. */
struct edit {
    uint32_t first, last;
    double moved;
    double heading;
    double roll;
};

static void on_camera(struct ossa__editing *base, const struct ossa__camera_keys *keys,
                      const ossa_camera *camera)
{
    const struct edit *e = ((struct editing *)base)->user;
    static double positions[256][3];
    static struct ossa__quat rotations[256];
    assert_true(camera->key_count <= 256);
    for (uint32_t i = 0; i < camera->key_count; i++) {
        bool is_edited = i >= e->first && i <= e->last;
        for (unsigned k = 0; k < 3; k++) positions[i][k] = (double)camera->positions[i][k];
        rotations[i] = ossa__quat_load(camera->rotations[i]);
        (void)ossa__quat_normalise(&rotations[i]);
        if (!is_edited) continue;
        positions[i][0] += e->moved;
        rotations[i] = ossa__quat_multiply(ossa__quat_about(1, e->heading), rotations[i]);
        rotations[i] = ossa__quat_multiply(rotations[i], ossa__quat_about(2, e->roll));
    }
    keys->apply(keys, &(struct ossa__camera_edit){.edit = {.editing = base,
                                                           .assembly = keys->assembly,
                                                           .name = camera->name,
                                                           .frame_count = camera->key_count},
                                                  .positions = (const double(*)[3])positions,
                                                  .rotations = rotations});
}

static struct editing editing_of(struct edit *e)
{
    return (struct editing){.editing = {.on_camera = on_camera}, .user = e};
}

static void add_stage(struct scene_files *files)
{
    (void)add_file(files, "stage.anc", "vib-anc", load_test_file("../samples/more/stage.anc"));
}

/* Keys of no meaning, but that the target is some metres away; two are at their targets. */
static void add_random(struct scene_files *files)
{
    struct random random = {29};
    struct bytes file = {0};
    put_u16(&file, 0x8000);
    put_u16(&file, 30);
    put_u16(&file, 40);
    for (unsigned i = 0; i < 40; i++) {
        int32_t eye[3];
        for (unsigned k = 0; k < 3; k++) {
            eye[k] = next_between(&random, -8000, 16000);
            put_u16(&file, (uint32_t)eye[k] & 0xffff);
        }
        for (unsigned k = 0; k < 3; k++) {
            int32_t off = next_between(&random, 2000, 6000);
            put_u16(&file, (uint32_t)(eye[k] + (i % 20 == 7 ? 0 : off)) & 0xffff);
        }
        put_u16(&file, next_random(&random) & 0xffff);
        put_u16(&file, next_random(&random) % 2000 + 1);
    }
    (void)add_file(files, "stage.anc", "vib-anc", file);
}

static const ossa_vib_options twists[] = {
    {.twist = OSSA_VIB_TWIST_DEGREE},
    {.twist = OSSA_VIB_TWIST_TURN, .view = OSSA_VIB_VIEW_DISTANCE},
    {.twist = OSSA_VIB_TWIST_NONE, .view = OSSA_VIB_VIEW_DEGREE}};
static const ossa_scene_options ways[] = {
    {.vib = &twists[0]}, {.vib = &twists[1], .scale = 100.0}, {.vib = &twists[2], .fps = 7.0}};
enum { WAYS = sizeof ways / sizeof ways[0] };

static void no_edit_changes_no_file(void **state)
{
    (void)state;
    for (unsigned w = 0; w < 2 * WAYS; w++) {
        struct edit none = {1, 0, 0.0, 0.0, 0.0};
        struct edit noise = {0, 255, 4e-6, 1e-6, 1e-5};
        struct scene_files files = {0};
        if (w % 2 == 0) add_stage(&files);
        else add_random(&files);
        struct editing editing = editing_of(&none);
        require_no_edit(&editing, &files, &ways[w / 2]);
        editing = editing_of(&noise);
        require_no_edit(&editing, &files, &ways[w / 2]);
        free_files(&files);
    }
}

static void cameras_follow(void **state)
{
    (void)state;
    static const struct edit edits[] = {{3, 5, 0.5, 0.0, 0.0},
                                        {3, 5, 0.0, 0.3, 0.0},
                                        {3, 5, -0.25, -2.0, 0.0},
                                        {0, 0, 0.0, 3.0, 0.0}};
    for (unsigned n = 0; n < 4 * 2 * WAYS; n++) {
        const ossa_scene_options *way = &ways[n / 8];
        double scale = way->scale > 0.0 ? way->scale : 1.0;
        struct edit e = edits[n % 4];
        struct scene_files files = {0};
        struct scene_files edited = {0};
        if (n / 4 % 2 == 0) add_stage(&files);
        else add_random(&files);
        e.moved *= scale;
        struct editing editing = editing_of(&e);
        edit_or_fail(&editing, &files, way);
        assert_int_equal(editing.editing.file_count, 1);
        take_edited(&editing, &files, &edited);
        const ossa_vib_anc *a = ossa_as_vib_anc(files.inputs[0].file);
        const ossa_vib_anc *b = ossa_as_vib_anc(edited.inputs[0].file);
        ossa_scene *before = assemble_files(&files, way);
        ossa_scene *after = assemble_files(&edited, way);
        for (uint32_t i = 0; i < a->key_count; i++) {
            bool is_edited = i >= e.first && i <= e.last;
            const ossa_vib_camera_key *was = &a->keys[i];
            const ossa_vib_camera_key *is = &b->keys[i];
            int moved = is_edited ? (int)(edits[n % 4].moved * 2048.0) : 0;
            assert_true(is->eye[0] - was->eye[0] == moved && is->eye[1] == was->eye[1] &&
                        is->eye[2] == was->eye[2]);
            assert_true(is->twist == was->twist && is->view == was->view);
            if (!is_edited || e.heading == 0.0) { /* to the bit, or moved along */
                assert_true(is->target[0] - was->target[0] == moved &&
                            is->target[1] == was->target[1] && is->target[2] == was->target[2]);
                continue;
            }
            struct rotation wanted = rotation_product(rotation_about(1, e.heading),
                                                      rotation_of(before->cameras[0].rotations[i]));
            double off = rotation_distance(rotation_of(after->cameras[0].rotations[i]), wanted);
            require(off < 0.1, "edit", "key %u is %g degrees off", i, off);
            double length[2] = {0.0, 0.0};
            for (unsigned k = 0; k < 3; k++) {
                length[0] += pow(was->target[k] - was->eye[k], 2.0);
                length[1] += pow(is->target[k] - is->eye[k], 2.0);
            }
            assert_true(fabs(sqrt(length[0]) - sqrt(length[1])) < 1.0);
        }
        ossa_scene_free(before);
        ossa_scene_free(after);
        editing_free(&editing);
        free_files(&edited);
        free_files(&files);
    }
}

/* A target of six units is as near to the edit as whole numbers are. */
static void near_targets_are_coarse(void **state)
{
    (void)state;
    struct scene_files files = {0};
    struct scene_files edited = {0};
    struct edit e = {0, 0, 0.0, 0.4, 0.0};
    struct bytes file = {0};
    static const uint16_t words[] = {0x8000, 30, 1, 100, 200, 300, 100, 200, 306, 0, 500};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) put_u16(&file, words[i]);
    (void)add_file(&files, "near.anc", "vib-anc", file);
    struct editing editing = editing_of(&e);
    edit_or_fail(&editing, &files, NULL);
    take_edited(&editing, &files, &edited);
    const ossa_vib_camera_key *key = ossa_as_vib_anc(edited.inputs[0].file)->keys;
    /* 6 sin 0.4 is 2.3 to the left, 6 cos 0.4 is 5.5. */
    assert_int_equal(key->target[0], 98);
    assert_int_equal(key->target[1], 200);
    assert_int_equal(key->target[2], 306);
    editing_free(&editing);
    free_files(&edited);
    free_files(&files);
}

static void what_cannot_be_stored_is_refused(void **state)
{
    (void)state;
    struct scene_files files = {0};
    struct edit rolled = {2, 3, 0.0, 0.0, 0.2};
    struct edit far = {4, 4, 20.0, 0.0, 0.0};
    add_stage(&files);
    struct editing editing = editing_of(&far);
    require_edit_misfit(&editing, &files, NULL, "stage.anc",
                        "the edit moves the camera 'stage' or its target too far away, in key 4");
    editing = editing_of(&rolled);
    assert_false(editing_run(&editing, files.inputs, files.count, NULL));
    require(strstr(editing.error.message,
                   "degrees off in key 2: it looks at its target with the "
                   "world's up direction upwards, and cannot be rolled") != NULL,
            "edit", "%s", editing.error.message);
    editing_free(&editing);
    free_files(&files);
}

static void failing_allocations_are_survived(void **state)
{
    (void)state;
    struct scene_files files = {0};
    struct edit e = {3, 5, 0.5, 0.3, 0.0};
    add_stage(&files);
    struct editing editing = editing_of(&e);
    require_edit_survives(&editing, &files);
    free_files(&files);
}

TEST_GROUP(test_vib_camera_apply)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_edit_changes_no_file),
        cmocka_unit_test(cameras_follow),
        cmocka_unit_test(near_targets_are_coarse),
        cmocka_unit_test(what_cannot_be_stored_is_refused),
        cmocka_unit_test(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
