/* SPDX-License-Identifier: MIT
 *
 * Cameras in a scene: every rule and every message, with the changes of space checked on points
 * that the game's camera sees and the scene's must see in the same place of its picture. */
#include "support/counting.h"
#include "support/rotation.h"
#include "support/scenes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HALF 0.70710678118654752440
#define PI   3.14159265358979323846

static void require_rotation(const float found[4], double x, double y, double z, double w)
{
    const double wanted[4] = {x, y, z, w};
    for (unsigned k = 0; k < 4; k++) {
        require(fabs((double)found[k] - wanted[k]) < 1e-7, "rotation",
                "%g %g %g %g, expected %g %g %g %g", (double)found[0], (double)found[1],
                (double)found[2], (double)found[3], x, y, z, w);
        require(found[k] != 0.0F || !signbit(found[k]), "rotation", "a negative zero");
    }
}

static void require_point(const float found[3], double x, double y, double z)
{
    const double wanted[3] = {x, y, z};
    for (unsigned k = 0; k < 3; k++) {
        require(fabs((double)found[k] - wanted[k]) <= 1e-6 * (1.0 + fabs(wanted[k])), "point",
                "%g %g %g, expected %g %g %g", (double)found[0], (double)found[1], (double)found[2],
                x, y, z);
        require(found[k] != 0.0F || !signbit(found[k]), "point", "a negative zero");
    }
}

/* Where a point of the scene is for a camera: right, up, and -Z ahead. */
static void see(const ossa_camera *camera, uint32_t key, const double point[3], double seen[3])
{
    double away[3];
    for (unsigned k = 0; k < 3; k++) away[k] = point[k] - (double)camera->positions[key][k];
    rotation_apply(rotation_inverse(rotation_of(camera->rotations[key])), away, seen);
}

static void require_seen(const ossa_camera *camera, uint32_t key, const double point[3],
                         double right, double up, double ahead)
{
    double seen[3];
    const double wanted[3] = {right, up, -ahead};
    see(camera, key, point, seen);
    require(point_distance(seen, wanted) < 1e-4, camera->name,
            "key %u sees it at %g %g %g, expected %g %g %g", (unsigned)key, seen[0], seen[1],
            seen[2], right, up, -ahead);
}

static void require_extra(const ossa_camera *camera, uint32_t index, const char *key,
                          uint32_t count, const float *numbers)
{
    assert_true(index < camera->extra_count);
    const ossa_extra *extra = &camera->extras[index];
    assert_string_equal(extra->key, key);
    assert_null(extra->text);
    assert_int_equal(extra->number_count, count);
    for (uint32_t i = 0; i < count; i++) assert_true(extra->numbers[i] == (double)numbers[i]);
}

/* ---- Evil Islands -------------------------------------------------------------------------- */

static struct bytes make_cam(const ossa_ei_camera_key *keys, uint32_t count)
{
    struct bytes file = {0};
    for (uint32_t i = 0; i < count; i++) {
        put_f32(&file, keys[i].time);
        put_f32(&file, keys[i].step);
        for (unsigned k = 0; k < 3; k++) put_f32(&file, keys[i].position[k]);
        for (unsigned k = 0; k < 4; k++) put_f32(&file, keys[i].rotation[k]);
    }
    return file;
}

/* A scene of one camera; its files are freed. */
static ossa_scene *one_cam(const ossa_ei_camera_key *keys, uint32_t count,
                           const ossa_scene_options *options)
{
    struct scene_files files = {0};
    (void)add_file(&files, "cut/intro.cam", "ei-cam", make_cam(keys, count));
    ossa_scene *scene = assemble_files(&files, options);
    assert_int_equal(scene->camera_count, 1);
    assert_int_equal(scene->cameras[0].key_count, count);
    free_files(&files);
    return scene;
}

static const ossa_ei_camera_key path[3] = {
    {2.5F, 0.25F, {1.0F, 2.0F, 3.0F}, {1.0F, 0.0F, 0.0F, 0.0F}},
    {3.0F, 0.25F, {-4.0F, 0.0F, 5.0F}, {(float)HALF, 0.0F, 0.0F, (float)HALF}},
    {4.5F, 0.25F, {6.0F, -7.0F, 0.0F}, {0.0F, 0.0F, 2.0F, 0.0F}}, /* to be made of length 1 */
};

static void ei_a_path_is_a_camera(void **state)
{
    (void)state;
    ossa_scene *scene = one_cam(path, 3, NULL);
    const ossa_camera *camera = &scene->cameras[0];
    assert_int_equal(scene->warning_count, 0);
    assert_int_equal(scene->bone_count, 0);
    assert_int_equal(scene->clip_count, 0);
    assert_int_equal(scene->mesh_count, 0);
    assert_string_equal(scene->name, "intro");
    assert_string_equal(scene->game, "Evil Islands (2000)");
    assert_string_equal(camera->name, "intro");
    assert_string_equal(camera->source, "intro.cam");
    assert_string_equal(camera->source_format, "ei-cam");
    assert_true(camera->aspect == 0.0F);
    static const float times[3] = {0.0F, 0.5F, 2.0F};
    for (unsigned i = 0; i < 3; i++) {
        assert_true(camera->times[i] == times[i]);
        assert_true(camera->fields_of_view[i] == 0.8F);
    }
    require_point(camera->positions[0], 1.0, 3.0, -2.0);
    require_point(camera->positions[1], -4.0, 5.0, 0.0);
    require_point(camera->positions[2], 6.0, 0.0, 7.0);
    require_rotation(camera->rotations[0], HALF, 0.0, 0.0, HALF); /* it looks up */
    require_rotation(camera->rotations[1], 0.5, 0.5, -0.5, 0.5);
    require_rotation(camera->rotations[2], 0.0, -HALF, -HALF, 0.0);
    assert_int_equal(camera->extra_count, 2);
    static const float stored[3] = {2.5F, 3.0F, 4.5F};
    static const float step[1] = {0.25F};
    require_extra(camera, 0, "time", 3, stored);
    require_extra(camera, 1, "step", 1, step);
    ossa_scene_free(scene);
}

static void ei_scale_is_of_places_only(void **state)
{
    (void)state;
    ossa_scene *scene = one_cam(path, 3, &(ossa_scene_options){.scale = 0.5});
    require_point(scene->cameras[0].positions[0], 0.5, 1.5, -1.0);
    require_rotation(scene->cameras[0].rotations[1], 0.5, 0.5, -0.5, 0.5);
    assert_true(scene->cameras[0].times[2] == 2.0F);
    ossa_scene_free(scene);
}

static void ei_at_rest_it_looks_as_the_option_says(void **state)
{
    (void)state;
    static const struct {
        ossa_ei_look look;
        double rotation[4];
    } cases[] = {{OSSA_EI_LOOK_GAME, {HALF, 0.0, 0.0, HALF}},
                 {OSSA_EI_LOOK_Y, {0.0, 0.0, 0.0, 1.0}},
                 {OSSA_EI_LOOK_Z, {-HALF, 0.0, 0.0, HALF}},
                 {OSSA_EI_LOOK_UP, {0.0, HALF, -HALF, 0.0}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ossa_scene *scene = one_cam(
            path, 3, &(ossa_scene_options){.ei = &(ossa_ei_options){.look = cases[i].look}});
        const double *q = cases[i].rotation;
        require_rotation(scene->cameras[0].rotations[0], q[0], q[1], q[2], q[3]);
        ossa_scene_free(scene);
    }
}

/* Points that the game's camera has to the right, above and ahead of it. */
static void ei_it_sees_what_the_game_s_camera_sees(void **state)
{
    (void)state;
    enum { KEYS = 12 };
    static const struct {
        ossa_ei_look look;
        double right[3], up[3], ahead[3]; /* of a camera that is not turned, in the game's axes */
    } cases[] = {{OSSA_EI_LOOK_GAME, {1, 0, 0}, {0, -1, 0}, {0, 0, 1}},
                 {OSSA_EI_LOOK_Y, {1, 0, 0}, {0, 0, 1}, {0, 1, 0}},
                 {OSSA_EI_LOOK_Z, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}},
                 {OSSA_EI_LOOK_UP, {-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    struct random random = {77};
    ossa_ei_camera_key keys[KEYS];
    for (unsigned i = 0; i < KEYS; i++) {
        keys[i] = (ossa_ei_camera_key){.time = (float)i};
        for (unsigned k = 0; k < 3; k++) keys[i].position[k] = next_float(&random, 9);
        next_unit(&random, keys[i].rotation);
    }
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        ossa_scene *scene = one_cam(
            keys, KEYS, &(ossa_scene_options){.ei = &(ossa_ei_options){.look = cases[c].look}});
        for (uint32_t i = 0; i < KEYS; i++) {
            const float *wxyz = keys[i].rotation;
            const float xyzw[4] = {wxyz[1], wxyz[2], wxyz[3], wxyz[0]};
            static const double picture[3] = {0.5, 2.0, 7.0}; /* right, up, ahead */
            double away[3];
            double turned[3];
            for (unsigned k = 0; k < 3; k++) {
                away[k] = picture[0] * cases[c].right[k] + picture[1] * cases[c].up[k] +
                          picture[2] * cases[c].ahead[k];
            }
            rotation_apply(rotation_of(xyzw), away, turned);
            for (unsigned k = 0; k < 3; k++) turned[k] += (double)keys[i].position[k];
            const double point[3] = {turned[0], turned[2], -turned[1]};
            require_seen(&scene->cameras[0], i, point, picture[0], picture[1], picture[2]);
        }
        ossa_scene_free(scene);
    }
}

static const char no_times[] =
    "the times do not increase from key to key; 18.18 keys per second are assumed instead";

static void ei_times_that_are_none_are_made(void **state)
{
    (void)state;
    static const float times[][3] = {
        {0.0F, 1.0F, 1.0F},         {0.0F, 2.0F, 1.0F}, {0.0F, NAN, 1.0F},
        {INFINITY, 1.0F, 2.0F},     {NAN, 1.0F, 2.0F},  {-3e38F, 0.0F, 3e38F}, /* too far apart */
        {-1e9F, 1e-3F, 2e-3F},      /* one and the same as seen from -1e9 */
        {0.0F, 1.4e-45F, 2.8e-45F}, /* integers: 0, 1, 2 */
    };
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        ossa_ei_camera_key keys[3];
        memcpy(keys, path, sizeof keys);
        for (unsigned k = 0; k < 3; k++) keys[k].time = times[i][k];
        ossa_scene *scene = one_cam(keys, 3, NULL);
        require_warning(scene, 0, OSSA_CODE_BAD_ORDER, "cut/intro.cam", no_times);
        for (unsigned k = 0; k < 3; k++) {
            assert_true(scene->cameras[0].times[k] == (float)(k / OSSA_EI_FPS));
        }
        ossa_scene_free(scene);
    }
}

static void ei_a_rate_that_is_asked_for_wins(void **state)
{
    (void)state;
    ossa_ei_camera_key keys[3];
    memcpy(keys, path, sizeof keys);
    keys[1].time = 0.0F; /* of no account */
    ossa_scene *scene = one_cam(keys, 3, &(ossa_scene_options){.fps = 4.0});
    assert_int_equal(scene->warning_count, 0);
    for (unsigned k = 0; k < 3; k++) {
        assert_true(scene->cameras[0].times[k] == 0.25F * (float)k);
    }
    ossa_scene_free(scene);
}

static void ei_one_key_is_at_the_start(void **state)
{
    (void)state;
    ossa_scene *scene = one_cam(&path[1], 1, NULL);
    assert_int_equal(scene->warning_count, 0);
    assert_true(scene->cameras[0].times[0] == 0.0F);
    ossa_scene_free(scene);
}

/* Times so far apart that floats cannot hold them. */
static void a_rate_that_makes_no_times_is_refused(void **state)
{
    (void)state;
    struct scene_files files = {0};
    (void)add_file(&files, "a.cam", "ei-cam", make_cam(path, 3));
    require_misfit(&files, &(ossa_scene_options){.fps = 1e-300}, OSSA_CODE_MISFIT, "a.cam",
                   "the times of 3 keys at this rate are too large to be told apart");
    free_files(&files);
}

static void ei_what_is_no_camera_is_refused(void **state)
{
    (void)state;
    static const char place[] = "keys[1].position is not finite or too large";
    static const char turn[] = "keys[1].rotation is not a rotation: its length is 0 or not finite";
    static const struct {
        ossa_ei_camera_key key;
        const char *message;
        double scale;
    } cases[] = {{{3.0F, 0.0F, {NAN, 0.0F, 0.0F}, {1.0F, 0.0F, 0.0F, 0.0F}}, place, 0.0},
                 {{3.0F, 0.0F, {0.0F, -INFINITY, 0.0F}, {1.0F, 0.0F, 0.0F, 0.0F}}, place, 0.0},
                 {{3.0F, 0.0F, {0.0F, 0.0F, INFINITY}, {1.0F, 0.0F, 0.0F, 0.0F}}, place, 0.0},
                 {{3.0F, 0.0F, {0.0F, 1e30F, 0.0F}, {1.0F, 0.0F, 0.0F, 0.0F}}, place, 1e9},
                 {{3.0F, 0.0F, {0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, 0.0F, 0.0F}}, turn, 0.0},
                 {{3.0F, 0.0F, {0.0F, 0.0F, 0.0F}, {1.0F, 0.0F, NAN, 0.0F}}, turn, 0.0},
                 {{3.0F, 0.0F, {0.0F, 0.0F, 0.0F}, {INFINITY, 0.0F, 0.0F, 0.0F}}, turn, 0.0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scene_files files = {0};
        ossa_ei_camera_key keys[3];
        memcpy(keys, path, sizeof keys);
        keys[1] = cases[i].key;
        (void)add_file(&files, "cut/intro.cam", "ei-cam", make_cam(keys, 3));
        require_misfit(&files, &(ossa_scene_options){.scale = cases[i].scale}, OSSA_CODE_MISFIT,
                       "cut/intro.cam", cases[i].message);
        free_files(&files);
    }
}

/* What nobody knows the meaning of must not stop anybody. */
static void ei_an_extra_that_is_not_finite_is_left_out(void **state)
{
    (void)state;
    ossa_ei_camera_key keys[3];
    memcpy(keys, path, sizeof keys);
    keys[2].step = NAN;
    ossa_scene *scene = one_cam(keys, 3, NULL);
    assert_int_equal(scene->warning_count, 1);
    require_warning(scene, 0, OSSA_CODE_NON_FINITE, "cut/intro.cam",
                    "keys[2].step is not finite; 'step' is left out of the extras");
    assert_int_equal(scene->cameras[0].extra_count, 1);
    assert_string_equal(scene->cameras[0].extras[0].key, "time");
    ossa_scene_free(scene);
}

static const char *const troll[] = {"hp", "", "bd", "hp", "hd", "bd", NULL};

static void add_troll(struct scene_files *files)
{
    (void)add_file(files, "troll.lnk", "ei-lnk", make_lnk(troll));
    (void)add_file(files, "bon/hp.bon", "ei-bon", make_bon(0.0F, 0.0F, 1.0F));
    (void)add_file(files, "bon/bd.bon", "ei-bon", make_bon(0.0F, 0.25F, 0.5F));
    (void)add_file(files, "bon/hd.bon", "ei-bon", make_bon(0.0F, 0.0F, 0.5F));
    (void)add_file(files, "walk/hp.anm", "ei-anm", make_random_anm(3, 5));
    (void)add_file(files, "walk/bd.anm", "ei-anm", make_random_anm(4, 5));
    (void)add_file(files, "walk/hd.anm", "ei-anm", make_random_anm(5, 5));
}

static void require_same_figure(const ossa_scene *a, const ossa_scene *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->warning_count, b->warning_count);
    assert_int_equal(a->bone_count, b->bone_count);
    assert_int_equal(a->mesh_count, b->mesh_count);
    assert_int_equal(a->clip_count, b->clip_count);
    for (uint32_t i = 0; i < a->bone_count; i++) {
        assert_string_equal(a->bones[i].name, b->bones[i].name);
        assert_int_equal(a->bones[i].parent, b->bones[i].parent);
        assert_memory_equal(&a->bones[i].rest, &b->bones[i].rest, sizeof a->bones[i].rest);
    }
    for (uint32_t c = 0; c < a->clip_count; c++) {
        const ossa_clip *x = &a->clips[c];
        const ossa_clip *y = &b->clips[c];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->frame_count, y->frame_count);
        assert_int_equal(x->rotations.count, y->rotations.count);
        assert_memory_equal(x->rotations.keys, y->rotations.keys,
                            (size_t)x->frame_count * x->rotations.count * 4 * sizeof(float));
    }
}

/* Before the figure, in the midst of it, in a folder of a clip, with the name of a part. */
static void ei_a_camera_does_not_disturb_a_figure(void **state)
{
    (void)state;
    struct scene_files plain = {0};
    struct scene_files both = {0};
    add_troll(&plain);
    (void)add_file(&both, "hd.cam", "ei-cam", make_cam(path, 3));
    add_troll(&both);
    (void)add_file(&both, "walk/bd.cam", "ei-cam", make_cam(path, 2));
    static const ossa_scene_options options[] = {{0}, {.join = true}, {.boxes = true}};
    for (size_t i = 0; i < 3; i++) {
        ossa_scene *alone = assemble_files(&plain, &options[i]);
        ossa_scene *scene = assemble_files(&both, &options[i]);
        require_same_figure(alone, scene);
        assert_int_equal(alone->warning_count, 0);
        assert_int_equal(alone->camera_count, 0);
        assert_int_equal(scene->camera_count, 2);
        assert_string_equal(scene->cameras[0].name, "hd");
        assert_string_equal(scene->cameras[1].name, "bd");
        assert_int_equal(scene->cameras[1].key_count, 2);
        ossa_scene_free(alone);
        ossa_scene_free(scene);
    }
    free_files(&plain);
    free_files(&both);
}

static void ei_a_camera_is_no_bone_without_a_tree(void **state)
{
    (void)state;
    struct scene_files files = {0};
    (void)add_file(&files, "aaa.cam", "ei-cam", make_cam(path, 3));
    (void)add_file(&files, "walk/hp.anm", "ei-anm", make_random_anm(3, 5));
    (void)add_file(&files, "hp.cam", "ei-cam", make_cam(path, 3));
    (void)add_file(&files, "hp.bon", "ei-bon", make_bon(0.0F, 0.0F, 1.0F));
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->bone_count, 1);
    assert_string_equal(scene->bones[0].name, "hp");
    assert_int_equal(scene->clip_count, 1);
    assert_int_equal(scene->camera_count, 2);
    assert_string_equal(scene->name, "aaa");
    assert_int_equal(scene->warning_count, 1);
    require_warning(scene, 0, OSSA_CODE_MISSING_PART, "walk/hp.anm",
                    "there is no tree (LNK); every part becomes a bone without a parent");
    ossa_scene_free(scene);
    free_files(&files);
}

/* ---- Vib-Ribbon ---------------------------------------------------------------------------- */

static struct bytes make_anc(uint32_t rate, const ossa_vib_camera_key *keys, uint32_t count)
{
    struct bytes file = {0};
    put_u16(&file, 0x8000);
    put_u16(&file, rate);
    put_u16(&file, count);
    for (uint32_t i = 0; i < count; i++) {
        for (unsigned k = 0; k < 3; k++) put_u16(&file, (uint16_t)keys[i].eye[k]);
        for (unsigned k = 0; k < 3; k++) put_u16(&file, (uint16_t)keys[i].target[k]);
        put_u16(&file, (uint16_t)keys[i].twist);
        put_u16(&file, (uint16_t)keys[i].view);
    }
    return file;
}

static ossa_scene *one_anc(uint32_t rate, const ossa_vib_camera_key *keys, uint32_t count,
                           const ossa_scene_options *options)
{
    struct scene_files files = {0};
    (void)add_file(&files, "stage/orbit.anc", "vib-anc", make_anc(rate, keys, count));
    ossa_scene *scene = assemble_files(&files, options);
    assert_int_equal(scene->camera_count, 1);
    assert_int_equal(scene->cameras[0].key_count, count);
    free_files(&files);
    return scene;
}

/* From the origin along each axis of the game, and where that leads in the scene. */
static void vib_it_looks_at_its_target(void **state)
{
    (void)state;
    static const ossa_vib_camera_key keys[] = {
        {{0, 0, 0}, {0, 0, 100}, 0, 120}, {{0, 0, 0}, {0, 0, -100}, 0, 120},
        {{0, 0, 0}, {100, 0, 0}, 0, 120}, {{0, 0, 0}, {-100, 0, 0}, 0, 120},
        {{0, 0, 0}, {0, 0, 1}, 0, 120},   {{0, 0, 0}, {0, -100, 0}, 0, 120},
        {{0, 0, 0}, {0, 100, 0}, 0, 120}, {{0, 0, 0}, {0, -7, 7}, 0, 120},
        {{0, 0, 0}, {50, 50, 0}, 0, 120}};
    ossa_scene *scene = one_anc(30, keys, 9, NULL);
    const ossa_camera *camera = &scene->cameras[0];
    assert_int_equal(scene->warning_count, 0);
    require_rotation(camera->rotations[0], 0.0, 0.0, 0.0, 1.0);
    require_rotation(camera->rotations[1], 0.0, 1.0, 0.0, 0.0);
    require_rotation(camera->rotations[2], 0.0, -HALF, 0.0, HALF);
    require_rotation(camera->rotations[3], 0.0, HALF, 0.0, HALF);
    require_rotation(camera->rotations[5], HALF, 0.0, 0.0, HALF);
    require_rotation(camera->rotations[6], -HALF, 0.0, 0.0, HALF);
    require_rotation(camera->rotations[7], sin(PI / 8.0), 0.0, 0.0, cos(PI / 8.0));
    struct rotation q =
        rotation_product(rotation_about(1, -PI / 2.0), rotation_about(0, -PI / 4.0));
    require_rotation(camera->rotations[8], q.x, q.y, q.z, q.w);
    ossa_scene_free(scene);
}

static void vib_a_camera_has_everything(void **state)
{
    (void)state;
    static const ossa_vib_camera_key keys[2] = {{{2048, -1024, 512}, {0, 0, 0}, 0, 320},
                                                {{0, 4096, -2048}, {0, 0, 0}, 5, 320}};
    ossa_scene *scene = one_anc(20, keys, 2, &(ossa_scene_options){.scale = 2.0});
    const ossa_camera *camera = &scene->cameras[0];
    assert_int_equal(scene->warning_count, 0);
    assert_int_equal(scene->bone_count, 0);
    assert_int_equal(scene->clip_count, 0);
    assert_string_equal(scene->name, "orbit");
    assert_string_equal(scene->game, "Vib-Ribbon (1999)");
    assert_string_equal(camera->name, "orbit");
    assert_string_equal(camera->source, "orbit.anc");
    assert_string_equal(camera->source_format, "vib-anc");
    assert_true(camera->aspect == (float)(4.0 / 3.0));
    require_point(camera->positions[0], 2.0, 1.0, -0.5);
    require_point(camera->positions[1], 0.0, -4.0, 2.0);
    assert_true(camera->times[0] == 0.0F && camera->times[1] == 0.05F);
    assert_int_equal(camera->extra_count, 5);
    static const float twists[2] = {0.0F, 5.0F};
    static const float view[1] = {320.0F};
    require_extra(camera, 0, "twist", 2, twists);
    require_extra(camera, 1, "view", 1, view);
    ossa_scene_free(scene);
}

/* The target lies straight ahead, and without a twist the horizon is level. */
static void vib_it_sees_what_the_game_s_camera_sees(void **state)
{
    (void)state;
    enum { KEYS = 40 };
    struct random random = {78};
    ossa_vib_camera_key keys[KEYS];
    for (unsigned i = 0; i < KEYS; i++) {
        keys[i] = (ossa_vib_camera_key){.view = 200};
        for (unsigned k = 0; k < 3; k++) {
            keys[i].eye[k] = (int16_t)next_between(&random, -32768, 65536);
            keys[i].target[k] = (int16_t)next_between(&random, -32768, 65536);
        }
    }
    ossa_scene *scene = one_anc(30, keys, KEYS, NULL);
    const ossa_camera *camera = &scene->cameras[0];
    for (uint32_t i = 0; i < KEYS; i++) {
        const int16_t *t = keys[i].target;
        double eye[3];
        for (unsigned k = 0; k < 3; k++) eye[k] = (double)camera->positions[i][k];
        const double target[3] = {t[0] / 2048.0, -t[1] / 2048.0, -t[2] / 2048.0};
        require_seen(camera, i, target, 0.0, 0.0, point_distance(eye, target));
        double right[3];
        double up[3];
        struct rotation q = rotation_of(camera->rotations[i]);
        rotation_apply(q, (const double[3]){1.0, 0.0, 0.0}, right);
        rotation_apply(q, (const double[3]){0.0, 1.0, 0.0}, up);
        assert_true(fabs(right[1]) < 1e-6);
        assert_true(up[1] > 0.0);
    }
    ossa_scene_free(scene);
}

/* A positive twist: what is right in the camera goes down. */
static void vib_it_twists(void **state)
{
    (void)state;
    static const ossa_vib_camera_key keys[3] = {{{0, 0, 0}, {0, 0, 100}, 1024, 120},
                                                {{0, 0, 0}, {0, 0, 100}, 4096, 120},
                                                {{0, 0, 0}, {100, 0, 0}, -2048, 120}};
    ossa_scene *scene =
        one_anc(30, keys, 3,
                &(ossa_scene_options){.vib = &(ossa_vib_options){.twist = OSSA_VIB_TWIST_TURN}});
    require_rotation(scene->cameras[0].rotations[0], 0.0, 0.0, -HALF, HALF);
    double right[3];
    rotation_apply(rotation_of(scene->cameras[0].rotations[0]), (const double[3]){1.0, 0.0, 0.0},
                   right);
    assert_true(right[1] < -0.999);
    static const float stored[3] = {1024.0F, 4096.0F, -2048.0F};
    require_extra(&scene->cameras[0], 0, "twist", 3, stored);
    ossa_scene_free(scene);
    scene = one_anc(30, keys, 3, NULL);
    require_rotation(scene->cameras[0].rotations[0], 0.0, 0.0, -sin(PI / 1440.0),
                     cos(PI / 1440.0)); /* a quarter of a degree */
    require_rotation(scene->cameras[0].rotations[1], 0.0, 0.0, -sin(PI / 360.0), cos(PI / 360.0));
    struct rotation q = /* half a degree */
        rotation_product(rotation_about(1, -PI / 2.0), rotation_about(2, PI / 360.0));
    require_rotation(scene->cameras[0].rotations[2], q.x, q.y, q.z, q.w);
    ossa_scene_free(scene);
    scene =
        one_anc(30, keys, 3,
                &(ossa_scene_options){.vib = &(ossa_vib_options){.twist = OSSA_VIB_TWIST_NONE}});
    require_rotation(scene->cameras[0].rotations[0], 0.0, 0.0, 0.0, 1.0);
    require_rotation(scene->cameras[0].rotations[2], 0.0, -HALF, 0.0, HALF);
    require_extra(&scene->cameras[0], 0, "twist", 3, stored);
    ossa_scene_free(scene);
}

/* The default: a vertical angle, 4096 to a full rotation. 468 of them show what 120 of 320 lines do
 * at a distance of 320, within a thousandth. */
static void vib_the_field_of_view_is_a_vertical_angle(void **state)
{
    (void)state;
    static const ossa_vib_camera_key key = {{0, 0, 0}, {0, 0, 100}, 0, 468};
    ossa_scene *scene = one_anc(30, &key, 1, NULL);
    double found = (double)scene->cameras[0].fields_of_view[0];
    assert_true(fabs(found - 468.0 * PI / 2048.0) < 1e-6);
    assert_true(fabs(tan(found / 2.0) - 120.0 / 320.0) < 1e-3);
    ossa_scene_free(scene);
    scene =
        one_anc(30, &key, 1,
                &(ossa_scene_options){.vib = &(ossa_vib_options){.view = OSSA_VIB_VIEW_DISTANCE}});
    found = (double)scene->cameras[0].fields_of_view[0];
    assert_true(fabs(tan(found / 2.0) - 120.0 / 468.0) < 1e-6);
    ossa_scene_free(scene);
}

static void vib_the_field_of_view_has_three_readings(void **state)
{
    (void)state;
    static const struct {
        ossa_vib_view view;
        int16_t stored;
        double angle; /* 0: none */
    } cases[] = {{OSSA_VIB_VIEW_DISTANCE, 120, PI / 2.0},
                 {OSSA_VIB_VIEW_DISTANCE, 320, 0.71754128},
                 {OSSA_VIB_VIEW_DISTANCE, 1, 3.12492628},
                 {OSSA_VIB_VIEW_DISTANCE, 32767, 0.00732440},
                 {OSSA_VIB_VIEW_DISTANCE, 0, 0.0},
                 {OSSA_VIB_VIEW_DISTANCE, -120, 0.0},
                 {OSSA_VIB_VIEW_TURN, 512, PI / 4.0},
                 {OSSA_VIB_VIEW_TURN, 2047, PI * 2047.0 / 2048.0},
                 {OSSA_VIB_VIEW_TURN, 2048, 0.0},
                 {OSSA_VIB_VIEW_TURN, 0, 0.0},
                 {OSSA_VIB_VIEW_TURN, -512, 0.0},
                 {OSSA_VIB_VIEW_DEGREE, 60, PI / 3.0},
                 {OSSA_VIB_VIEW_DEGREE, 179, PI * 179.0 / 180.0},
                 {OSSA_VIB_VIEW_DEGREE, 180, 0.0},
                 {OSSA_VIB_VIEW_DEGREE, -60, 0.0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const ossa_vib_camera_key key = {{0, 0, 0}, {0, 0, 100}, 0, cases[i].stored};
        ossa_scene *scene = one_anc(
            30, &key, 1, &(ossa_scene_options){.vib = &(ossa_vib_options){.view = cases[i].view}});
        float found = scene->cameras[0].fields_of_view[0];
        double wanted = cases[i].angle == 0.0 ? 0.8 : cases[i].angle;
        require(fabs((double)found - wanted) < 2e-7 * wanted + 1e-8, "view", "%zu: %.9g", i,
                (double)found);
        assert_true(found > 0.0F && (double)found < PI);
        assert_int_equal(scene->warning_count, cases[i].angle == 0.0 ? 1 : 0);
        const float stored = cases[i].stored;
        require_extra(&scene->cameras[0], 1, "view", 1, &stored);
        ossa_scene_free(scene);
    }
}

static void vib_a_view_that_is_none_is_told_once(void **state)
{
    (void)state;
    static const ossa_vib_camera_key keys[4] = {{{0, 0, 0}, {0, 0, 100}, 0, 120},
                                                {{0, 0, 0}, {0, 0, 100}, 0, 0},
                                                {{0, 0, 0}, {0, 0, 100}, 0, -5},
                                                {{0, 0, 0}, {0, 0, 100}, 0, 120}};
    ossa_scene *scene = one_anc(30, keys, 4, NULL);
    assert_int_equal(scene->warning_count, 1);
    require_warning(scene, 0, OSSA_CODE_UNUSUAL_VALUE, "stage/orbit.anc",
                    "keys[1].view is not between 0 and 180 degrees; a default angle is "
                    "used (in 2 of 4 keys)");
    ossa_scene_free(scene);
}

/* Straight up and down the heading stays; a camera at its target keeps its direction. */
static void vib_what_it_cannot_tell_stays(void **state)
{
    (void)state;
    static const ossa_vib_camera_key keys[] = {
        {{9, 9, 9}, {9, 9, 9}, 0, 120},   /* nothing to go by: into the screen */
        {{0, 0, 0}, {0, 100, 0}, 0, 120}, /* down, as if it came from there */
        {{0, 0, 0}, {100, 0, 0}, 0, 120}, /* to the right */
        {{0, 0, 0}, {0, -50, 0}, 0, 120}, /* up, with the heading to the right */
        {{4, 4, 4}, {4, 4, 4}, 0, 120},   /* still up */
        {{0, 0, 0}, {-100, 0, 0}, 0, 120},
        {{4, 4, 4}, {4, 4, 4}, 1024, 120}, /* to the left, and twisted */
    };
    ossa_scene *scene =
        one_anc(30, keys, 7,
                &(ossa_scene_options){.vib = &(ossa_vib_options){.twist = OSSA_VIB_TWIST_TURN}});
    const ossa_camera *camera = &scene->cameras[0];
    assert_int_equal(scene->warning_count, 1);
    require_warning(
        scene, 0, OSSA_CODE_UNUSUAL_VALUE, "stage/orbit.anc",
        "keys[0]: the eye is at the target; the camera keeps its direction (in 3 of 7 keys)");
    require_rotation(camera->rotations[0], 0.0, 0.0, 0.0, 1.0);
    require_rotation(camera->rotations[1], -HALF, 0.0, 0.0, HALF);
    struct rotation up =
        rotation_product(rotation_about(1, -PI / 2.0), rotation_about(0, PI / 2.0));
    require_rotation(camera->rotations[3], up.x, up.y, up.z, up.w);
    require_rotation(camera->rotations[4], up.x, up.y, up.z, up.w);
    struct rotation left =
        rotation_product(rotation_about(1, PI / 2.0), rotation_about(2, -PI / 2.0));
    require_rotation(camera->rotations[6], left.x, left.y, left.z, left.w);
    ossa_scene_free(scene);
}

/* Over the top from one side: the picture never jumps on the way there. */
static void vib_up_to_the_pole_it_turns_evenly(void **state)
{
    (void)state;
    enum { KEYS = 51 };
    ossa_vib_camera_key keys[KEYS];
    for (int i = 0; i < KEYS; i++) {
        keys[i] = (ossa_vib_camera_key){{0, 0, 0}, {0, 0, 0}, 0, 120};
        keys[i].target[0] = (int16_t)(500 - 10 * i);
        keys[i].target[1] = -1000;
        keys[i].target[2] = (int16_t)(250 - 5 * i);
    }
    ossa_scene *scene = one_anc(30, keys, KEYS, NULL);
    for (uint32_t i = 1; i < KEYS; i++) {
        struct rotation before = rotation_of(scene->cameras[0].rotations[i - 1]);
        struct rotation now = rotation_of(scene->cameras[0].rotations[i]);
        assert_true(rotation_distance(before, now) < 1.0);
    }
    ossa_scene_free(scene);
}

static void vib_times_follow_the_rate(void **state)
{
    (void)state;
    static const struct {
        uint32_t rate;
        double asked;
        double fps;
    } cases[] = {{60, 0.0, 60.0},     {15, 0.0, 15.0},  {1, 0.0, 30.0},
                 {0xffff, 0.0, 30.0}, {15, 24.0, 24.0}, {1, 0.5, 0.5}};
    ossa_vib_camera_key keys[10];
    for (unsigned i = 0; i < 10; i++) {
        keys[i] = (ossa_vib_camera_key){{0, 0, 0}, {0, 0, 100}, 0, 120};
    }
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        ossa_scene *scene =
            one_anc(cases[c].rate, keys, 10, &(ossa_scene_options){.fps = cases[c].asked});
        for (unsigned i = 0; i < 10; i++) {
            assert_true(scene->cameras[0].times[i] == (float)(i / cases[c].fps));
        }
        ossa_scene_free(scene);
    }
}

static const ossa_vib_camera_key plain_key = {{0, 0, 0}, {0, 0, 100}, 0, 120};

static struct bytes make_hop(void)
{
    struct vib_maker vib = begin_vib(30, 2);
    for (int f = 0; f < 2; f++) {
        const int position[3] = {100 * f, 0, 0};
        add_vib_frame(&vib);
        add_vib_key(&vib, 1, NULL, NULL, position);
    }
    return end_vib(&vib);
}

static void vib_a_camera_does_not_disturb_an_animation(void **state)
{
    (void)state;
    struct scene_files plain = {0};
    struct scene_files both = {0};
    (void)add_file(&plain, "hop.anm", "vib-anm", make_hop());
    (void)add_file(&both, "hop.anm", "vib-anm", make_hop());
    (void)add_file(&both, "hop.anc", "vib-anc", make_anc(30, &plain_key, 1));
    ossa_scene *alone = assemble_files(&plain, NULL);
    ossa_scene *scene = assemble_files(&both, NULL);
    require_same_figure(alone, scene);
    assert_int_equal(scene->camera_count, 1);
    ossa_scene_free(alone);
    ossa_scene_free(scene);
    free_files(&both);
    /* The camera first: the scene has its name, and the animation still lacks a model. */
    (void)add_file(&both, "cut.anc", "vib-anc", make_anc(30, &plain_key, 1));
    (void)add_file(&both, "hop.anm", "vib-anm", make_hop());
    scene = assemble_files(&both, NULL);
    assert_string_equal(scene->name, "cut");
    assert_int_equal(scene->warning_count, 1);
    require_warning(scene, 0, OSSA_CODE_MISSING_PART, "hop.anm",
                    "there is no model (TMD); 2 objects have no shape");
    assert_int_equal(scene->bone_count, 2);
    assert_int_equal(scene->clip_count, 1);
    ossa_scene_free(scene);
    free_files(&plain);
    free_files(&both);
}

static void vib_a_camera_may_stand_beside_a_model(void **state)
{
    (void)state;
    struct scene_files files = {0};
    const struct fixture *model = fixture_find("vib-tmd/lines");
    (void)add_file(&files, "cut.anc", "vib-anc", make_anc(30, &plain_key, 1));
    (void)add_file(&files, "rabbit.tmd", "vib-tmd",
                   bytes_copy(model->bytes.data, model->bytes.size));
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_string_equal(scene->name, "rabbit");
    assert_int_equal(scene->warning_count, 0);
    assert_true(scene->mesh_count > 0);
    assert_int_equal(scene->clip_count, 0);
    assert_int_equal(scene->camera_count, 1);
    ossa_scene_free(scene);
    free_files(&files);
}

/* ---- both ---------------------------------------------------------------------------------- */

static void a_camera_of_no_keys_is_left_out(void **state)
{
    (void)state;
    struct scene_files files = {0};
    (void)add_file(&files, "none.anc", "vib-anc", make_anc(30, NULL, 0));
    (void)add_file(&files, "one.anc", "vib-anc", make_anc(30, &plain_key, 1));
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->camera_count, 1);
    assert_string_equal(scene->cameras[0].name, "one");
    assert_int_equal(scene->warning_count, 1);
    require_warning(scene, 0, OSSA_CODE_UNUSUAL_VALUE, "none.anc",
                    "the camera 'none' has no keys and is left out");
    ossa_scene_free(scene);
    free_files(&files);
    /* No file of a CAM says so, but a program may. */
    ossa_file *file = add_file(&files, "none.cam", "ei-cam", make_cam(path, 1));
    ossa_as_ei_cam(file)->key_count = 0;
    scene = assemble_files(&files, NULL);
    assert_int_equal(scene->camera_count, 0);
    require_warning(scene, 0, OSSA_CODE_UNUSUAL_VALUE, "none.cam",
                    "the camera 'none' has no keys and is left out");
    ossa_scene_free(scene);
    free_files(&files);
}

static void cameras_of_two_games_are_no_scene(void **state)
{
    (void)state;
    struct scene_files files = {0};
    (void)add_file(&files, "a.cam", "ei-cam", make_cam(path, 3));
    (void)add_file(&files, "b.anc", "vib-anc", make_anc(30, &plain_key, 1));
    require_misfit(&files, NULL, OSSA_CODE_MISFIT, "b.anc",
                   "is of Vib-Ribbon (1999), but a.cam is of Evil Islands (2000); give one game's "
                   "files");
    free_files(&files);
}

/* Large ones, so that each takes memory of its own. */
static void add_cameras(struct scene_files *files, bool vib)
{
    const struct fixture *fixture = fixture_find(vib ? "vib-anc/big" : "ei-cam/big");
    if (vib) (void)add_file(files, "hop.anm", "vib-anm", make_hop());
    else add_troll(files);
    for (unsigned i = 0; i < 3; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "c%u.%s", i, vib ? "anc" : "cam");
        (void)add_file(files, name, fixture->format,
                       bytes_copy(fixture->bytes.data, fixture->bytes.size));
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (unsigned vib = 0; vib < 2; vib++) {
        struct scene_files files = {0};
        add_cameras(&files, vib == 1);
        ossa_scene *scene = assemble_files(&files, NULL);
        assert_int_equal(scene->camera_count, 3);
        ossa_scene_free(scene);
        assert_true(require_assembly_survives(&files, NULL) > 3);
        free_files(&files);
    }
}

/* What a camera takes is a small multiple of its file. */
static void memory_is_bounded_by_the_input(void **state)
{
    (void)state;
    enum { KEYS = 60000 };
    struct bytes file = {0};
    put_u16(&file, 0x8000);
    put_u16(&file, 30);
    put_u16(&file, KEYS);
    for (uint32_t i = 0; i < KEYS * 8; i++) put_u16(&file, i * 2654435761U >> 16);
    struct scene_files files = {0};
    size_t size = file.size;
    (void)add_file(&files, "long.anc", "vib-anc", file);
    struct counting counting = {0};
    const ossa_scene_options options = {.allocator = counting_allocator(&counting)};
    ossa_scene *scene = assemble_files(&files, &options);
    assert_int_equal(scene->cameras[0].key_count, KEYS);
    assert_true(counting.peak < 7 * size);
    ossa_scene_free(scene);
    /* And a limit is kept. */
    ossa_error error;
    const ossa_scene_options limited = {.max_memory = size};
    assert_null(ossa_assemble(files.inputs, files.count, &limited, &error));
    assert_int_equal(error.code, OSSA_CODE_LIMIT);
    free_files(&files);
}

/* An option that is none of its values is as if it were not set. */
static void options_out_of_range_are_survived(void **state)
{
    (void)state;
    ossa_ei_options ei = {0};
    ossa_vib_options vib = {0};
    memset(&vib.twist, 0x7f, sizeof vib.twist);
    memset(&vib.view, 0x7f, sizeof vib.view);
    memset(&ei.look, 0x7f, sizeof ei.look);
    const ossa_scene_options wild = {.ei = &ei, .vib = &vib};
    ossa_scene *scene = one_cam(path, 3, &wild);
    require_rotation(scene->cameras[0].rotations[0], HALF, 0.0, 0.0, HALF);
    ossa_scene_free(scene);
    scene = one_anc(30, &plain_key, 1, &wild);
    assert_true(fabs((double)scene->cameras[0].fields_of_view[0] - 120.0 * PI / 2048.0) < 1e-6);
    ossa_scene_free(scene);
}

TEST_GROUP(test_scene_cameras)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ei_a_path_is_a_camera),
        cmocka_unit_test(ei_scale_is_of_places_only),
        cmocka_unit_test(ei_at_rest_it_looks_as_the_option_says),
        cmocka_unit_test(ei_it_sees_what_the_game_s_camera_sees),
        cmocka_unit_test(ei_times_that_are_none_are_made),
        cmocka_unit_test(ei_a_rate_that_is_asked_for_wins),
        cmocka_unit_test(ei_one_key_is_at_the_start),
        cmocka_unit_test(a_rate_that_makes_no_times_is_refused),
        cmocka_unit_test(ei_what_is_no_camera_is_refused),
        cmocka_unit_test(ei_an_extra_that_is_not_finite_is_left_out),
        cmocka_unit_test(ei_a_camera_does_not_disturb_a_figure),
        cmocka_unit_test(ei_a_camera_is_no_bone_without_a_tree),
        cmocka_unit_test(vib_it_looks_at_its_target),
        cmocka_unit_test(vib_a_camera_has_everything),
        cmocka_unit_test(vib_it_sees_what_the_game_s_camera_sees),
        cmocka_unit_test(vib_it_twists),
        cmocka_unit_test(vib_the_field_of_view_is_a_vertical_angle),
        cmocka_unit_test(vib_the_field_of_view_has_three_readings),
        cmocka_unit_test(vib_a_view_that_is_none_is_told_once),
        cmocka_unit_test(vib_what_it_cannot_tell_stays),
        cmocka_unit_test(vib_up_to_the_pole_it_turns_evenly),
        cmocka_unit_test(vib_times_follow_the_rate),
        cmocka_unit_test(vib_a_camera_does_not_disturb_an_animation),
        cmocka_unit_test(vib_a_camera_may_stand_beside_a_model),
        cmocka_unit_test(a_camera_of_no_keys_is_left_out),
        cmocka_unit_test(cameras_of_two_games_are_no_scene),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(memory_is_bounded_by_the_input),
        cmocka_unit_test(options_out_of_range_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
