/* SPDX-License-Identifier: MIT
 *
 * What differs between two scenes (src/scene/diff.c), made by hand: two of them are the same, and
 * then one thing in one of them is not. */
#include "support/counting.h"
#include "support/still_scene.h"
#include "support/testing.h"

#include "scene/deviation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What is reported, a line for each. */
struct log {
    char text[2048];
    size_t size;
};

static void put(struct log *log, const char *text)
{
    size_t size = strlen(text);
    assert_true(log->size + size < sizeof log->text);
    memcpy(log->text + log->size, text, size + 1);
    log->size += size;
}

static void on_bone(void *user, const ossa_diff_bone *bone)
{
    char line[256];
    assert_string_equal(bone->figure, "left");
    (void)snprintf(line, sizeof line, "bone %s %s\n", bone->name, ossa_change_name(bone->change));
    put(user, line);
}

static void on_clip(void *user, const ossa_diff_clip *clip)
{
    char line[256];
    (void)snprintf(line, sizeof line, "%s %s", clip->name, ossa_change_name(clip->change));
    put(user, line);
    assert_string_equal(clip->figure, "left");
    assert_int_equal(clip->a == NULL, clip->change == OSSA_CHANGE_ONLY_B);
    assert_int_equal(clip->b == NULL, clip->change == OSSA_CHANGE_ONLY_A);
    (void)snprintf(line, sizeof line, ": %s frame %u, %.4f degrees, %.4f mm", clip->bone,
                   (unsigned)clip->frame, clip->degrees, clip->millimetres);
    if (clip->bone[0] != '\0') put(user, line);
    if (clip->scale_differs) put(user, ", scale");
    if (clip->visibility_differs) put(user, ", visibility");
    if (clip->shape_differs) put(user, ", shape");
    put(user, "\n");
}

static void expect_with(const struct made_scene *a, const struct made_scene *b,
                        const ossa_scene_options *options, bool is_same, const char *expected)
{
    struct log log = {.size = 0};
    const ossa_diff_options callbacks = {
        .scene = options, .on_bone = on_bone, .on_clip = on_clip, .user = &log};
    ossa_diff diff;
    ossa_error error;
    ossa_scene scenes[2] = {a->scene, b->scene};
    scenes[0].name = "left";
    assert_true(ossa_scene_validate(&scenes[0], NULL) && ossa_scene_validate(&scenes[1], NULL));
    assert_true(ossa_diff_scenes(&scenes[0], &scenes[1], &callbacks, &diff, &error));
    assert_int_equal(error.code, OSSA_CODE_OK);
    assert_string_equal(log.text, expected);
    assert_int_equal(diff.is_same, is_same);
}

static void expect_same(const struct made_scene *a, const struct made_scene *b,
                        const char *expected)
{
    expect_with(a, b, NULL, true, expected);
}

static void expect_different(const struct made_scene *a, const struct made_scene *b,
                             const char *expected)
{
    expect_with(a, b, NULL, false, expected);
}

static struct made_scene make(uint32_t clips)
{
    struct made_scene made;
    const struct made_plan plan = {.seed = 7,
                                   .bones = 9,
                                   .clips = clips,
                                   .frames = {4, 3, 5, 1},
                                   .has_mesh = true,
                                   .targets = 3};
    make_scene(&made, &plan);
    return made;
}

static void free_both(struct made_scene *a, struct made_scene *b)
{
    free_made_scene(a);
    free_made_scene(b);
}

static void scenes_that_are_the_same(void **state)
{
    (void)state;
    struct made_scene a = make(2);
    struct made_scene b = make(2);
    expect_same(&a, &b, "clip0 same\nclip1 same\n");
    free_both(&a, &b);
    const struct made_plan nothing = {.seed = 1};
    make_scene(&a, &nothing);
    make_scene(&b, &nothing);
    expect_same(&a, &b, "");
    free_both(&a, &b);
    assert_true(ossa_diff_scenes(&a.scene, &b.scene, NULL, NULL, NULL));
}

/* A chain of three bones along x, a metre apart, of which the second rotates in frame 2 of 4. */
static void make_bent(struct made_scene *made, double degrees)
{
    ossa_transform *constant = make_still_scene(made, 3, 4);
    for (uint32_t b = 1; b < 3; b++) constant[b] = still_at(1.0F, 0.0F, 0.0F);
    const double turns[4][3] = {{0, 0, 0}, {0, 0, 0}, {degrees, 0, 0}, {0, 0, 0}};
    set_still_turns(made, 1, turns);
}

static void the_worst_bone_and_frame(void **state)
{
    (void)state;
    struct made_scene a;
    struct made_scene b;
    make_bent(&a, 0.0);
    make_bent(&b, 10.0);
    /* What hangs on the bone has the same angle, and is moved, too: 2 sin(5 degrees) metres. */
    char expected[128];
    (void)snprintf(expected, sizeof expected,
                   "clip0 different: %s frame 2, 10.0000 degrees, %.4f mm\n", a.bones[2].name,
                   2000.0 * sin(5.0 * acos(-1.0) / 180.0));
    expect_different(&a, &b, expected);
    expect_different(&b, &a, expected);
    /* Millimetres are those of the game. */
    const ossa_scene_options options = {.scale = 2.0};
    (void)snprintf(expected, sizeof expected,
                   "clip0 different: %s frame 2, 10.0000 degrees, %.4f mm\n", a.bones[2].name,
                   1000.0 * sin(5.0 * acos(-1.0) / 180.0));
    expect_with(&a, &b, &options, false, expected);
    free_both(&a, &b);
}

static void rotations_of_the_other_sign(void **state)
{
    (void)state;
    struct made_scene a = make(1);
    struct made_scene b = make(1);
    ossa_tracks *tracks = &b.clips[0].rotations;
    size_t count = (size_t)4 * b.clips[0].frame_count * tracks->count;
    float *keys = made_memory(&b, count * sizeof *keys);
    for (size_t i = 0; i < count; i++) keys[i] = -tracks->keys[i];
    tracks->keys = keys;
    expect_same(&a, &b, "clip0 same\n");
    struct log log = {.size = 0};
    const ossa_diff_options callbacks = {.on_clip = on_clip, .user = &log};
    ossa_diff diff;
    keys[count - 1] = f32_of_bits(bits_of_f32(keys[count - 1]) ^ 1); /* as little as there is */
    a.scene.name = "left";
    assert_true(ossa_diff_scenes(&a.scene, &b.scene, &callbacks, &diff, NULL));
    assert_int_equal(diff.different_clip_count, 1);
    free_both(&a, &b);
}

static void a_deviation_is_a_multiple_of_what_is_kept(void **state)
{
    (void)state;
    struct ossa__deviation worst = {0};
    const struct ossa__deviation found[] = {{1, 1, 0.0, 0.0},   /* nothing */
                                            {2, 2, 0.002, 0.0}, /* 1 */
                                            {3, 3, 0.0, 0.009}, /* 0.9 */
                                            {4, 4, 0.0, 0.011}, /* 1.1 */
                                            {5, 5, 0.0021, 0.0} /* 1.05 */};
    const uint32_t expected[] = {0, 2, 2, 4, 4};
    for (unsigned i = 0; i < 5; i++) {
        ossa__deviation_note(&worst, &found[i]);
        assert_int_equal(worst.bone, expected[i]);
        assert_int_equal(worst.frame, expected[i]);
    }
    assert_true(fabs(ossa__deviation_size(&worst) - 1.1) < 1e-9);
    ossa_transform a = still_at(1, 2, 3);
    ossa_transform b = still_at(1, 2, 3.5F);
    struct ossa__deviation between = ossa__deviation_between(&a, &b, 1.0);
    assert_true(between.degrees == 0.0 && between.millimetres == 500.0);
    /* No angle, whatever rounding would make of it. */
    const float rotation[4] = {-0.783503830F, -0.612878621F, 0.101601593F, 0.0133662159F};
    for (int sign = -1; sign <= 1; sign += 2) {
        for (unsigned k = 0; k < 4; k++) {
            a.rotation[k] = rotation[k];
            b.rotation[k] = (float)sign * rotation[k];
        }
        between = ossa__deviation_between(&a, &b, 1.0);
        assert_true(between.degrees == 0.0);
    }
}

static void clips_of_other_lengths(void **state)
{
    (void)state;
    struct made_scene a = make(1);
    struct made_scene b = make(1);
    b.clips[0].frame_count = 3;
    expect_different(&a, &b, "clip0 different\n");
    b.clips[0].frame_count = 4;
    b.clips[0].fps = 25.0;
    expect_different(&a, &b, "clip0 different\n");
    b.clips[0].fps = a.clips[0].fps;
    b.clips[0].loop = true;
    expect_different(&a, &b, "clip0 different\n");
    b.clips[0].loop = false;
    expect_same(&a, &b, "clip0 same\n");
    free_both(&a, &b);
}

static void clips_of_one_side(void **state)
{
    (void)state;
    struct made_scene a = make(3);
    struct made_scene b = make(3);
    b.clips[1].name = made_text(&b, "new");
    ossa_clip first = b.clips[0]; /* the order does not count */
    b.clips[0] = b.clips[2];
    b.clips[2] = first;
    expect_different(&a, &b, "clip0 same\nclip1 only_a\nclip2 same\nnew only_b\n");
    free_both(&a, &b);
}

static void names_in_other_letters(void **state)
{
    (void)state;
    struct made_scene a = make(3);
    struct made_scene b = make(3);
    a.clips[0].name = "walk", a.clips[1].name = "Walk", a.clips[2].name = "run";
    b.clips[0].name = "RUN", b.clips[1].name = "walk", b.clips[2].name = "Walk";
    const ossa_clip clips[3] = {b.clips[2], b.clips[0], b.clips[1]}; /* the same as in A */
    for (unsigned i = 0; i < 3; i++) {
        const char *name = b.clips[i].name;
        b.clips[i] = clips[i];
        b.clips[i].name = name;
    }
    expect_same(&a, &b, "walk same\nWalk same\nrun same\n");
    b.clips[2].name = "WALK";
    expect_same(&a, &b, "walk same\nWalk same\nrun same\n");
    free_both(&a, &b);
}

static void bones_that_differ(void **state)
{
    (void)state;
    struct made_scene a;
    struct made_scene b;
    make_bent(&a, 10.0);
    make_bent(&b, 10.0);
    a.bones[0].name = "root", a.bones[1].name = "arm", a.bones[2].name = "hand";
    b.bones[0].name = "root", b.bones[1].name = "arm", b.bones[2].name = "hook";
    expect_different(&a, &b, "bone hand only_a\nbone hook only_b\nclip0 same\n");
    b.bones[2].name = "hand";
    b.bones[2].parent = 0;
    b.bones[1].rest.translation[1] = 1.0F;
    /* The hand is not where it was, because it hangs on the root. */
    expect_different(&a, &b,
                     "bone arm different\nbone hand different\n"
                     "clip0 different: hand frame 0, 0.0000 degrees, 1000.0000 mm\n");
    free_both(&a, &b);
}

static void names_that_repeat(void **state)
{
    (void)state;
    struct made_scene a;
    struct made_scene b;
    make_bent(&a, 10.0);
    make_bent(&b, 10.0);
    for (unsigned i = 0; i < 3; i++) a.bones[i].name = b.bones[i].name = "x";
    expect_same(&a, &b, "clip0 same\n");
    b.bones[1].name = "y";
    expect_different(&a, &b, "bone x only_a\nbone x different\nbone y only_b\nclip0 same\n");
    free_both(&a, &b);
}

static void what_is_not_a_position(void **state)
{
    (void)state;
    struct made_scene a = make(1);
    struct made_scene b = make(1);
    uint32_t last = b.scene.bone_count - 1; /* a leaf, without tracks */
    ossa_transform *constant = made_memory(&b, (last + 1) * sizeof *constant);
    uint8_t *visible = made_memory(&b, last + 1);
    memcpy(constant, b.clips[0].constant, (last + 1) * sizeof *constant);
    memcpy(visible, b.clips[0].constant_visible, last + 1);
    b.clips[0].constant = constant;
    b.clips[0].constant_visible = visible;
    expect_same(&a, &b, "clip0 same\n");
    constant[last].scale[1] += 0.5F;
    expect_different(&a, &b, "clip0 different, scale\n");
    visible[last] = 0;
    expect_different(&a, &b, "clip0 different, scale, visibility\n");
    free_both(&a, &b);
}

/* The first mesh with a track in the first clip. */
static ossa_mesh *morphed_mesh(struct made_scene *made)
{
    assert_true(made->clips[0].morphs.count > 0);
    return &made->meshes[made->clips[0].morphs.meshes[0]];
}

static void shapes_are_compared_by_their_offsets(void **state)
{
    (void)state;
    struct made_scene a = make(1);
    struct made_scene b = make(1);
    ossa_mesh *mesh = morphed_mesh(&b);
    ossa_morph_tracks *morphs = &b.clips[0].morphs;
    size_t vertices = mesh->vertex_count;
    /* A target before the others: all have other numbers. */
    float(*targets)[3] = made_memory(&b, (mesh->target_count + 1) * vertices * sizeof *targets);
    memcpy(targets + vertices, mesh->targets, mesh->target_count * vertices * sizeof *targets);
    mesh->targets = (const float(*)[3])targets;
    mesh->target_count++;
    int32_t *keys = made_memory(&b, (size_t)b.clips[0].frame_count * morphs->count * sizeof *keys);
    int32_t shown = -1;
    for (uint32_t f = 0; f < b.clips[0].frame_count; f++) {
        for (uint32_t i = 0; i < morphs->count; i++) {
            size_t at = (size_t)f * morphs->count + i;
            keys[at] = morphs->keys[at] + (i == 0 && morphs->keys[at] >= 0 ? 1 : 0);
            if (i == 0 && keys[at] >= 0) shown = keys[at];
        }
    }
    morphs->keys = keys;
    expect_same(&a, &b, "clip0 same\n");
    assert_true(shown > 0);
    targets[(size_t)shown * vertices][2] += 1.0F;
    expect_different(&a, &b, "clip0 different, shape\n");
    targets[(size_t)shown * vertices][2] =
        a.scene.meshes[a.clips[0].morphs.meshes[0]].targets[(size_t)(shown - 1) * vertices][2];
    expect_same(&a, &b, "clip0 same\n");
    morphs->count = 0; /* the clip no longer changes shapes */
    expect_different(&a, &b, "clip0 different, shape\n");
    free_both(&a, &b);
}

static void no_memory(void **state)
{
    (void)state;
    struct made_scene a = make(2);
    struct made_scene b = make(2);
    size_t calls = 1;
    for (size_t n = 0; n <= calls; n++) {
        struct counting counting = {.fail_at = n};
        const ossa_scene_options options = {.allocator = counting_allocator(&counting)};
        const ossa_diff_options callbacks = {.scene = &options};
        ossa_diff diff;
        ossa_error error;
        bool ok = ossa_diff_scenes(&a.scene, &b.scene, &callbacks, &diff, &error);
        assert_int_equal(ok, n == 0);
        assert_int_equal(diff.is_same, n == 0);
        assert_int_equal(error.code, n == 0 ? OSSA_CODE_OK : OSSA_CODE_OUT_OF_MEMORY);
        assert_true(counting.live == 0 && !counting.wrong_release);
        if (n == 0) calls = counting.calls;
    }
    assert_true(calls > 0);
    free_both(&a, &b);
}

TEST_GROUP(test_scene_diff)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_that_are_the_same),
        cmocka_unit_test(the_worst_bone_and_frame),
        cmocka_unit_test(rotations_of_the_other_sign),
        cmocka_unit_test(a_deviation_is_a_multiple_of_what_is_kept),
        cmocka_unit_test(clips_of_other_lengths),
        cmocka_unit_test(clips_of_one_side),
        cmocka_unit_test(names_in_other_letters),
        cmocka_unit_test(bones_that_differ),
        cmocka_unit_test(names_that_repeat),
        cmocka_unit_test(what_is_not_a_position),
        cmocka_unit_test(shapes_are_compared_by_their_offsets),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
