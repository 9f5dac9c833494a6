/* SPDX-License-Identifier: MIT
 *
 * Evil Islands as a scene: every rule and every message of its assembly, and how far the scene's
 * curves are from the game's between frames. */
#include "support/ei_rule.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float still[4] = {1.0F, 0.0F, 0.0F, 0.0F};

/* hp - bd - hd, and ll on hp. */
static const char *const tree[] = {"hp", "", "bd", "hp", "hd", "bd", "ll", "hp", NULL};
static const char *const parts[] = {"hp", "bd", "hd", "ll"};
enum { PARTS = 4 };

static void add_tree(struct scene_files *files)
{
    (void)add_file(files, "t.lnk", "ei-lnk", make_lnk(tree));
}

static void add_bons(struct scene_files *files)
{
    for (unsigned i = 0; i < PARTS; i++) {
        char path[40];
        (void)snprintf(path, sizeof path, "bon/%s.bon", parts[i]);
        (void)add_file(files, path, "ei-bon",
                       make_bon((float)i * 0.25F - 0.5F, 0.125F, 0.5F + (float)i));
    }
}

static void add_anms(struct scene_files *files, const char *clip, uint32_t seed, uint32_t frames)
{
    for (unsigned i = 0; i < PARTS; i++) {
        char path[40];
        (void)snprintf(path, sizeof path, "%s/%s.anm", clip, parts[i]);
        (void)add_file(files, path, "ei-anm", make_random_anm(seed + i, frames));
    }
}

static void require_near(const float *found, float x, float y, float z)
{
    const float wanted[3] = {x, y, z};
    for (unsigned k = 0; k < 3; k++) assert_true(fabsf(found[k] - wanted[k]) < 1e-6F);
}

/* ---- the skeleton -------------------------------------------------------------------------- */

static void axes_change_by_sign_and_order(void **state)
{
    (void)state;
    struct scene_files files = {0};
    const float turn[1][4] = {{0.8F, 0.36F, 0.48F, 0.0F}}; /* w x y z */
    const float move[1][3] = {{10.0F, 20.0F, 30.0F}};
    add_tree(&files);
    add_bons(&files);
    (void)add_file(&files, "c/hp.anm", "ei-anm", make_anm(1, turn, 1, move));
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->bone_count, PARTS);
    static const int32_t parents[PARTS] = {-1, 0, 1, 0};
    for (unsigned i = 0; i < PARTS; i++) {
        assert_string_equal(scene->bones[i].name, parts[i]);
        assert_int_equal(scene->bones[i].parent, parents[i]);
        require_near(scene->bones[i].rest.translation, (float)i * 0.25F - 0.5F, 0.5F + (float)i,
                     -0.125F);
    }
    ossa_transform locals[PARTS];
    ossa_sample_frame(scene, &scene->clips[0], 0, locals, NULL);
    require_near(locals[0].rotation, 0.36F, 0.0F, -0.48F); /* x z -y */
    assert_true(fabsf(locals[0].rotation[3] - 0.8F) < 1e-6F);
    require_near(locals[0].translation, 9.5F, 30.5F, -20.125F);
    ossa_scene_free(scene);
    free_files(&files);
}

static void parts_without_positions_stand_at_nothing(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_tree(&files);
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->warning_count, 1);
    require_warning(
        scene, 0, OSSA_CODE_MISSING_PART, "t.lnk",
        "parts without a bind position (BON), which stay at the origin: 4 of 4, the first is 'hp'");
    assert_string_equal(scene->issues[0].format, "ei-lnk");
    for (unsigned i = 0; i < PARTS; i++) {
        require_near(scene->bones[i].rest.translation, 0.0F, 0.0F, 0.0F);
    }
    ossa_scene_free(scene);
    (void)add_file(&files, "hp.bon", "ei-bon", make_bon(1.0F, 2.0F, 3.0F));
    scene = assemble_files(&files, NULL);
    require_warning(
        scene, 0, OSSA_CODE_MISSING_PART, "t.lnk",
        "parts without a bind position (BON), which stay at the origin: 3 of 4, the first is 'bd'");
    ossa_scene_free(scene);
    free_files(&files);
}

static void a_position_of_no_part_is_left_out(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_tree(&files);
    add_bons(&files);
    (void)add_file(&files, "bon/tail.bon", "ei-bon", make_bon(9.0F, 9.0F, 9.0F));
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->warning_count, 1);
    require_warning(scene, 0, OSSA_CODE_MISFIT, "bon/tail.bon",
                    "the tree has no part 'tail'; its bind position is ignored");
    ossa_scene_free(scene);
    free_files(&files);
}

static void a_second_bind_position_is_refused(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_tree(&files);
    add_bons(&files);
    (void)add_file(&files, "more/HD.bon", "ei-bon", make_bon(9.0F, 9.0F, 9.0F));
    require_misfit(&files, NULL, OSSA_CODE_MISFIT, "more/HD.bon",
                   "the part 'HD' already has a bind position");
    free_files(&files);
}

static void without_a_tree_every_part_is_a_bone(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_anms(&files, "walk", 11, 3);
    add_anms(&files, "idle", 21, 2);
    (void)add_file(&files, "HD.bon", "ei-bon", make_bon(1.0F, 2.0F, 3.0F));
    (void)add_file(&files, "tail.bon", "ei-bon", make_bon(4.0F, 5.0F, 6.0F));
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->bone_count, PARTS + 1);
    for (unsigned i = 0; i < PARTS; i++) {
        assert_string_equal(scene->bones[i].name, parts[i]);
        assert_int_equal(scene->bones[i].parent, -1);
    }
    assert_string_equal(scene->bones[PARTS].name, "tail");
    require_near(scene->bones[2].rest.translation, 1.0F, 3.0F, -2.0F);
    require_near(scene->bones[4].rest.translation, 4.0F, 6.0F, -5.0F);
    assert_string_equal(scene->name, "hp");
    assert_int_equal(scene->clip_count, 2);
    assert_int_equal(scene->warning_count, 4);
    require_warning(scene, 0, OSSA_CODE_MISSING_PART, "walk/hp.anm",
                    "there is no tree (LNK); every part becomes a bone without a parent");
    require_warning(
        scene, 1, OSSA_CODE_MISSING_PART, "",
        "parts without a bind position (BON), which stay at the origin: 3 of 5, the first is 'hp'");
    require_warning(scene, 2, OSSA_CODE_MISSING_PART, "walk/hp.anm",
                    "parts of the clip 'walk' without an animation, which stay at rest: "
                    "1, the first is 'tail'");
    /* Each is a root and moves as its own file says. */
    for (uint32_t f = 0; f < 3; f++) {
        ossa_transform locals[PARTS + 1];
        struct ei_place places[PARTS + 1];
        ossa_sample_frame(scene, &scene->clips[0], f, locals, NULL);
        ei_rule_pose(&files, scene, "walk", f, places);
        for (unsigned i = 0; i < PARTS; i++) {
            assert_true(rotation_distance(rotation_of(locals[i].rotation), places[i].turn) < 1e-4);
        }
    }
    ossa_scene_free(scene);
    free_files(&files);
}

/* Letters of any case, Latin and Cyrillic: the files' names are UTF-8, the tree's code page 1251.
 */
static void letter_case_does_not_matter(void **state)
{
    (void)state;
    struct scene_files files = {0};
    static const char *const names[] = {"\xd2\xe5\xeb\xee", "", "Head", "\xd2\xe5\xeb\xee", NULL};
    (void)add_file(&files, "t.lnk", "ei-lnk", make_lnk(names));
    (void)add_file(&files, "\xd1\x82\xd0\x95\xd0\xbb\xd0\x9e.BON", "ei-bon",
                   make_bon(1.0F, 2.0F, 3.0F)); /* тЕлО */
    (void)add_file(&files, "HEAD.bon", "ei-bon", make_bon(4.0F, 5.0F, 6.0F));
    (void)add_file(&files, "\xd0\x91\xd0\xb5\xd0\xb3/\xd0\xa2\xd0\x95\xd0\x9b\xd0\x9e.anm",
                   "ei-anm", make_random_anm(3, 2)); /* Бег/ТЕЛО */
    (void)add_file(&files, "\xd0\x91\xd0\xb5\xd0\xb3/hEAd.ANM", "ei-anm", make_random_anm(4, 2));
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->warning_count, 0);
    assert_string_equal(scene->bones[0].name, "\xd0\xa2\xd0\xb5\xd0\xbb\xd0\xbe"); /* as the tree */
    assert_string_equal(scene->bones[1].name, "Head");
    assert_string_equal(scene->clips[0].name, "\xd0\x91\xd0\xb5\xd0\xb3");
    assert_string_equal(scene->clips[0].source, "\xd0\x91\xd0\xb5\xd0\xb3");
    require_near(scene->bones[0].rest.translation, 1.0F, 3.0F, -2.0F);
    require_near(scene->bones[1].rest.translation, 4.0F, 6.0F, -5.0F);
    ossa_scene_free(scene);
    free_files(&files);
}

static void the_complexion_blends_eight_positions(void **state)
{
    (void)state;
    struct random random = {77};
    static const float blends[][3] = {{0, 0, 0}, {1, 0, 0},         {0, 1, 0},
                                      {0, 0, 1}, {1, 1, 1},         {0.25F, 0.5F, 0.75F},
                                      {1, 0, 1}, {0.5F, 0.1F, 0.9F}};
    float corners[8][3];
    struct bytes eight = {0};
    for (unsigned i = 0; i < 24; i++) {
        corners[i / 3][i % 3] = next_float(&random, 2);
        put_f32(&eight, corners[i / 3][i % 3]);
    }
    struct scene_files files = {0};
    add_tree(&files);
    (void)add_file(&files, "hp.bon", "ei-bon", eight);
    (void)add_file(&files, "bd.bon", "ei-bon", bytes_copy(eight.data, 24)); /* two: the first */
    (void)add_file(&files, "hd.bon", "ei-bon", bytes_copy(eight.data, 12));
    for (size_t n = 0; n < sizeof blends / sizeof blends[0]; n++) {
        ossa_ei_options ei = {0};
        memcpy(ei.complexion, blends[n], sizeof ei.complexion);
        const ossa_scene_options options = {.scale = 2.0, .ei = &ei};
        ossa_scene *scene = assemble_files(&files, &options);
        double wanted[3] = {0.0, 0.0, 0.0};
        for (unsigned i = 0; i < 8; i++) {
            double weight = 2.0;
            for (unsigned b = 0; b < 3; b++) {
                static const unsigned bits[3] = {1, 0, 2};
                double part = (double)blends[n][b];
                weight *= (i >> bits[b] & 1) != 0 ? part : 1.0 - part;
            }
            for (unsigned k = 0; k < 3; k++) wanted[k] += weight * (double)corners[i][k];
        }
        require_near(scene->bones[0].rest.translation, (float)wanted[0], (float)wanted[2],
                     (float)-wanted[1]);
        for (unsigned b = 1; b < 3; b++) {
            require_near(scene->bones[b].rest.translation, 2.0F * corners[0][0],
                         2.0F * corners[0][2], -2.0F * corners[0][1]);
        }
        ossa_scene_free(scene);
    }
    free_files(&files);
}

/* ---- clips --------------------------------------------------------------------------------- */

static void a_part_without_an_animation_rests(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_tree(&files);
    add_bons(&files);
    (void)add_file(&files, "walk/hp.anm", "ei-anm", make_random_anm(5, 7));
    (void)add_file(&files, "walk/bd.anm", "ei-anm", make_random_anm(6, 7));
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->warning_count, 1);
    require_warning(scene, 0, OSSA_CODE_MISSING_PART, "walk/hp.anm",
                    "parts of the clip 'walk' without an animation, which stay at rest: "
                    "2, the first is 'hd'");
    /* At rest to the last bit, however its parents turn: no track is spent on it. */
    const ossa_clip *clip = &scene->clips[0];
    assert_int_equal(clip->rotations.count, 2);
    assert_int_equal(clip->translations.count, 1);
    assert_int_equal(clip->scales.count, 0);
    assert_int_equal(clip->visibilities.count, 0);
    for (unsigned b = 2; b < PARTS; b++) {
        assert_memory_equal(&clip->constant[b], &scene->bones[b].rest, sizeof(ossa_transform));
        assert_int_equal(clip->constant_visible[b], 1);
    }
    ossa_scene_free(scene);
    free_files(&files);
}

static void shorter_parts_hold_their_last_frame(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_tree(&files);
    add_bons(&files);
    static const uint32_t lengths[PARTS] = {2, 5, 1, 3};
    for (unsigned i = 0; i < PARTS; i++) {
        char path[40];
        (void)snprintf(path, sizeof path, "walk/%s.anm", parts[i]);
        (void)add_file(&files, path, "ei-anm", make_random_anm(31 + i, lengths[i]));
    }
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->warning_count, 1);
    require_warning(scene, 0, OSSA_CODE_UNEQUAL_TRACKS, "walk/hp.anm",
                    "parts of the clip 'walk' with fewer than 5 frames, which hold their "
                    "last frame: 3, the first is 'hp'");
    assert_int_equal(scene->clips[0].frame_count, 5);
    ossa_transform last[PARTS];
    ossa_transform before[PARTS];
    ossa_sample_frame(scene, &scene->clips[0], 1, before, NULL);
    ossa_sample_frame(scene, &scene->clips[0], 4, last, NULL);
    assert_memory_equal(&last[0], &before[0], sizeof last[0]); /* the root has two */
    ossa_scene_free(scene);
    free_files(&files);
}

/* Rotations and translations of one file have lengths of their own. */
static void tracks_of_one_part_may_differ(void **state)
{
    (void)state;
    struct scene_files files = {0};
    static const char *const root[] = {"hp", "", NULL};
    const float turns[2][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}};
    const float moves[4][3] = {{1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}};
    (void)add_file(&files, "t.lnk", "ei-lnk", make_lnk(root));
    (void)add_file(&files, "hp.bon", "ei-bon", make_bon(0.0F, 0.0F, 0.0F));
    (void)add_file(&files, "a/hp.anm", "ei-anm", make_anm(2, turns, 4, moves));
    (void)add_file(&files, "b/hp.anm", "ei-anm", make_anm(0, NULL, 3, moves)); /* no rotation */
    (void)add_file(&files, "c/hp.anm", "ei-anm", make_anm(2, turns, 0, NULL));
    ossa_scene *scene = assemble_files(&files, NULL);
    static const uint32_t frames[3] = {4, 3, 2};
    for (uint32_t c = 0; c < 3; c++) {
        assert_int_equal(scene->clips[c].frame_count, frames[c]);
        for (uint32_t f = 0; f < frames[c]; f++) {
            ossa_transform local;
            ossa_sample_frame(scene, &scene->clips[c], f, &local, NULL);
            require_near(local.translation, c == 2 ? 0.0F : (float)f + 1.0F, 0.0F, 0.0F);
            bool turned = c != 1 && f >= 1;
            require_near(local.rotation, turned ? 1.0F : 0.0F, 0.0F, 0.0F);
        }
    }
    ossa_scene_free(scene);
    free_files(&files);
}

static void only_the_root_is_moved(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_tree(&files);
    add_bons(&files);
    add_anms(&files, "walk", 41, 6);
    ossa_scene *scene = assemble_files(&files, NULL);
    const ossa_clip *clip = &scene->clips[0];
    assert_int_equal(clip->translations.count, 1);
    assert_int_equal(clip->translations.bones[0], 0);
    for (unsigned b = 1; b < PARTS; b++) {
        assert_memory_equal(clip->constant[b].translation, scene->bones[b].rest.translation,
                            3 * sizeof(float));
    }
    ossa_scene_free(scene);
    free_files(&files);
}

static void an_unknown_part_is_refused(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_tree(&files);
    add_anms(&files, "walk", 51, 2);
    (void)add_file(&files, "walk/tail.anm", "ei-anm", make_random_anm(9, 2));
    require_misfit(&files, NULL, OSSA_CODE_MISFIT, "walk/tail.anm",
                   "the clip 'walk' animates the part 'tail', which is not in t.lnk");
    free_files(&files);
}

static void a_part_is_moved_once(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_tree(&files);
    add_anms(&files, "walk", 61, 2);
    (void)add_file(&files, "walk/BD.anm", "ei-anm", make_random_anm(9, 2));
    require_misfit(&files, NULL, OSSA_CODE_MISFIT, "walk/BD.anm",
                   "the part 'BD' is also animated by walk/bd.anm");
    free_files(&files);
}

static void what_is_no_rotation_is_refused(void **state)
{
    (void)state;
    const float bad[][4] = {{0, 0, 0, 0}, {NAN, 0, 0, 0}, {1, INFINITY, 0, 0}, {1e-13F, 0, 0, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct scene_files files = {0};
        float turns[3][4];
        memcpy(turns[0], still, sizeof still);
        memcpy(turns[1], still, sizeof still);
        memcpy(turns[2], bad[i], sizeof bad[i]);
        add_tree(&files);
        (void)add_file(&files, "walk/bd.anm", "ei-anm",
                       make_anm(3, (const float(*)[4])turns, 0, NULL));
        require_misfit(&files, NULL, OSSA_CODE_MISFIT, "walk/bd.anm",
                       "rotations[2] is not a rotation: its length is 0 or not finite");
        free_files(&files);
    }
}

/* One that is only longer or shorter than 1 is still a direction. */
static void rotations_are_made_unit(void **state)
{
    (void)state;
    struct scene_files files = {0};
    const float turns[2][4] = {{0.02F, 0.0F, 0.0F, 0.02F}, {30.0F, 0.0F, 40.0F, 0.0F}};
    (void)add_file(&files, "walk/bd.anm", "ei-anm", make_anm(2, turns, 0, NULL));
    ossa_scene *scene = assemble_files(&files, NULL);
    ossa_transform local;
    ossa_sample_frame(scene, &scene->clips[0], 0, &local, NULL);
    require_near(local.rotation, 0.0F, (float)sqrt(0.5), 0.0F);
    ossa_sample_frame(scene, &scene->clips[0], 1, &local, NULL);
    require_near(local.rotation, 0.0F, 0.0F, -0.8F);
    ossa_scene_free(scene);
    free_files(&files);
}

static void numbers_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    struct scene_files files = {0};
    const float moves[2][3] = {{0, 0, 0}, {0, NAN, 0}};
    add_tree(&files);
    (void)add_file(&files, "hp.bon", "ei-bon", make_bon(0.0F, INFINITY, 0.0F));
    require_misfit(&files, NULL, OSSA_CODE_BAD_SCENE, "bones[0]",
                   "'hp' has a rest pose that is not finite, or no rotation");
    free_files(&files);
    add_tree(&files);
    (void)add_file(&files, "walk/hp.anm", "ei-anm", make_anm(0, NULL, 2, moves));
    require_misfit(&files, NULL, OSSA_CODE_BAD_SCENE, "clips[0]",
                   "the clip 'walk' has a key of 'hp' in frame 1 that is not finite, or no "
                   "rotation");
    free_files(&files);
    add_tree(&files);
    (void)add_file(&files, "walk/hp.anm", "ei-anm", make_anm(0, NULL, 1, moves + 1));
    require_misfit(&files, NULL, OSSA_CODE_BAD_SCENE, "clips[0]",
                   "the clip 'walk' has a value of 'hp' that is not finite, or no rotation");
    free_files(&files);
}

/* ---- the game's rule ----------------------------------------------------------------------- */

struct difference {
    double degrees;
    double metres;
};

static void add_difference(struct difference *worst, const ossa_scene *scene,
                           const ossa_transform *locals, const struct ei_place *places)
{
    ossa_transform models[32];
    ossa_model_pose(scene, locals, models);
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        double position[3];
        for (unsigned k = 0; k < 3; k++) position[k] = (double)models[i].translation[k];
        double metres = point_distance(position, places[i].position);
        double degrees = rotation_distance(rotation_of(models[i].rotation), places[i].turn);
        if (metres > worst->metres) worst->metres = metres;
        if (degrees > worst->degrees) worst->degrees = degrees;
    }
}

static void frames_are_the_game_s(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_tree(&files);
    add_bons(&files);
    add_anms(&files, "walk", 71, 9);
    add_anms(&files, "idle", 81, 4);
    ossa_scene *scene = assemble_files(&files, NULL);
    struct difference worst = {0.0, 0.0};
    for (uint32_t c = 0; c < 2; c++) {
        const ossa_clip *clip = &scene->clips[c];
        for (uint32_t f = 0; f < clip->frame_count; f++) {
            ossa_transform locals[PARTS];
            struct ei_place places[PARTS];
            ossa_sample_frame(scene, clip, f, locals, NULL);
            ei_rule_pose(&files, scene, clip->name, f, places);
            add_difference(&worst, scene, locals, places);
        }
    }
    assert_true(worst.degrees < 1e-4);
    assert_true(worst.metres < 1e-5);
    ossa_scene_free(scene);
    free_files(&files);
}

static void resampled_keys_are_the_game_s(void **state)
{
    (void)state;
    struct scene_files files = {0};
    static const uint32_t rates[] = {1, 2, 3, 4, 7, 16};
    enum { FRAMES = 6 };
    add_tree(&files);
    add_bons(&files);
    add_anms(&files, "walk", 91, FRAMES);
    ossa_scene *plain = assemble_files(&files, NULL);
    for (size_t n = 0; n < sizeof rates / sizeof rates[0]; n++) {
        const ossa_scene_options options = {.ei = &(ossa_ei_options){.resample = rates[n]}};
        ossa_scene *scene = assemble_files(&files, &options);
        const ossa_clip *clip = &scene->clips[0];
        struct difference worst = {0.0, 0.0};
        assert_int_equal(clip->frame_count, (FRAMES - 1) * rates[n] + 1);
        assert_true(clip->fps == OSSA_EI_FPS * rates[n]);
        assert_int_equal(scene->warning_count, 0);
        for (uint32_t key = 0; key < clip->frame_count; key++) {
            ossa_transform locals[PARTS];
            struct ei_place places[PARTS];
            ossa_sample_frame(scene, clip, key, locals, NULL);
            ei_rule_pose(&files, scene, "walk", (double)key / rates[n], places);
            add_difference(&worst, scene, locals, places);
            if (key % rates[n] != 0) continue;
            ossa_transform whole[PARTS];
            ossa_sample_frame(plain, &plain->clips[0], key / rates[n], whole, NULL);
            assert_memory_equal(whole, locals, sizeof whole);
        }
        require(worst.degrees < 1e-4 && worst.metres < 1e-5, "resample",
                "%g degrees and %g metres off with %u keys a frame", worst.degrees, worst.metres,
                (unsigned)rates[n]);
        ossa_scene_free(scene);
    }
    ossa_scene_free(plain);
    free_files(&files);
}

/* How far the scene is from the game's rule between frames, in the worst place. */
static struct difference measure(const struct scene_files *files, const char *name,
                                 uint32_t resample)
{
    enum { POINTS = 16 };
    const ossa_scene_options options = {.ei = &(ossa_ei_options){.resample = resample}};
    ossa_scene *scene = assemble_files(files, &options);
    const ossa_clip *clip = ossa_scene_find_clip(scene, name);
    struct difference worst = {0.0, 0.0};
    uint32_t frames = (clip->frame_count - 1) / resample;
    for (uint32_t i = 0; i <= frames * POINTS; i++) {
        double frame = (double)i / POINTS;
        ossa_transform locals[32];
        struct ei_place places[32];
        ossa_sample(scene, clip, frame / OSSA_EI_FPS, OSSA_WRAP_CLAMP, locals, NULL);
        ei_rule_pose(files, scene, name, frame, places);
        add_difference(&worst, scene, locals, places);
    }
    ossa_scene_free(scene);
    return worst;
}

/* The numbers in docs/scene.md come from here. */
static void resampling_comes_closer_to_the_game(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_folder(&files, samples[0].folder);
    static const char *const clips[] = {"walk", "idle", "dance"};
    for (size_t c = 0; c < sizeof clips / sizeof clips[0]; c++) {
        struct difference before = {180.0, 10.0};
        for (uint32_t resample = 1; resample <= 8; resample *= 2) {
            struct difference worst = measure(&files, clips[c], resample);
            print_message("%-6s %u keys a frame: at most %.4f degrees, %.6f m from the game\n",
                          clips[c], (unsigned)resample, worst.degrees, worst.metres);
            /* Twice the keys: about a quarter of the distance, down to rounding. */
            assert_true(worst.degrees < before.degrees * 0.4 || worst.degrees < 1e-3);
            assert_true(worst.metres < before.metres * 0.4 || worst.metres < 1e-5);
            before = worst;
        }
        assert_true(before.degrees < 0.2);
        assert_true(before.metres < 2e-3);
    }
    free_files(&files);
}

TEST_GROUP(test_scene_ei)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_change_by_sign_and_order),
        cmocka_unit_test(parts_without_positions_stand_at_nothing),
        cmocka_unit_test(a_position_of_no_part_is_left_out),
        cmocka_unit_test(a_second_bind_position_is_refused),
        cmocka_unit_test(without_a_tree_every_part_is_a_bone),
        cmocka_unit_test(letter_case_does_not_matter),
        cmocka_unit_test(the_complexion_blends_eight_positions),
        cmocka_unit_test(a_part_without_an_animation_rests),
        cmocka_unit_test(shorter_parts_hold_their_last_frame),
        cmocka_unit_test(tracks_of_one_part_may_differ),
        cmocka_unit_test(only_the_root_is_moved),
        cmocka_unit_test(an_unknown_part_is_refused),
        cmocka_unit_test(a_part_is_moved_once),
        cmocka_unit_test(what_is_no_rotation_is_refused),
        cmocka_unit_test(rotations_are_made_unit),
        cmocka_unit_test(numbers_that_are_not_finite_are_refused),
        cmocka_unit_test(frames_are_the_game_s),
        cmocka_unit_test(resampled_keys_are_the_game_s),
        cmocka_unit_test(resampling_comes_closer_to_the_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
