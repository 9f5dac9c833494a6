/* SPDX-License-Identifier: MIT
 *
 * States of Midtown Madness as clips: the frames that each names, in the order it names them. */
#include "support/scenes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BONES = 3, FRAMES = 9 };

static struct bytes make_table(const char *text)
{
    struct bytes bytes = {0};
    put_text(&bytes, text);
    return bytes;
}

/* A skeleton, "walk" of 9 frames, "Run" of 4, and a table. */
static ossa_scene *assemble_table(struct bytes table, const ossa_scene_options *options)
{
    struct scene_files files = {0};
    add_file(&files, "ped.skel", NULL, make_skel(BONES));
    add_file(&files, "walk.anim", "mm-anim", make_anim(5, FRAMES, BONES));
    add_file(&files, "Run.anim", "mm-anim", make_anim(6, 4, BONES));
    add_file(&files, "ped.csv", "mm-csv", table);
    ossa_scene *scene = assemble_files(&files, options);
    free_files(&files);
    return scene;
}

static ossa_scene *assemble_plain(void)
{
    struct scene_files files = {0};
    add_file(&files, "ped.skel", NULL, make_skel(BONES));
    add_file(&files, "walk.anim", "mm-anim", make_anim(5, FRAMES, BONES));
    add_file(&files, "Run.anim", "mm-anim", make_anim(6, 4, BONES));
    ossa_scene *scene = assemble_files(&files, NULL);
    free_files(&files);
    return scene;
}

/* Frame by frame the poses of the animation, from its frame `first` on by `step`. */
static void require_range(const ossa_scene *scene, const char *state, const ossa_scene *plain,
                          const char *anim, uint32_t first, int step, uint32_t count)
{
    const ossa_clip *clip = ossa_scene_find_clip(scene, state);
    const ossa_clip *whole = ossa_scene_find_clip(plain, anim);
    require(clip != NULL && whole != NULL, state, "there is no such clip");
    if (clip == NULL || whole == NULL) return; /* for the analyser */
    assert_int_equal(clip->frame_count, count);
    assert_true(clip->fps == whole->fps);
    for (uint32_t f = 0; f < count; f++) {
        ossa_transform found[BONES];
        ossa_transform wanted[BONES];
        ossa_sample_frame(scene, clip, f, found, NULL);
        ossa_sample_frame(plain, whole, (uint32_t)((int)first + (int)f * step), wanted, NULL);
        require(memcmp(found, wanted, sizeof found) == 0, state, "frame %u is another", f);
    }
}

static void states_play_their_frames(void **state)
{
    (void)state;
    ossa_scene *plain = assemble_plain();
    ossa_scene *scene = assemble_table(make_table("all,walk,1,9,0,1,0,0,all\n"
                                                  "some,WALK,3,5,0,1,0,0,all\n"
                                                  "one,walk,4,4,0,1,0,0\n"
                                                  "back,walk,7,2,0,-1,0,0,back\n"
                                                  "past,walk,8,10,0,1,0,0,\n"
                                                  "far,walk,2147483647,-2147483648,0,1,0,0,\n"
                                                  "none,walk,-3,0,0,1,0,0,\n"),
                                       NULL);
    require_range(scene, "all", plain, "walk", 0, 1, 9);
    require_range(scene, "some", plain, "walk", 2, 1, 3);
    require_range(scene, "one", plain, "walk", 3, 1, 1);
    require_range(scene, "back", plain, "walk", 6, -1, 6);
    require_range(scene, "past", plain, "walk", 7, 1, 2);
    require_range(scene, "far", plain, "walk", 8, -1, 9);
    require_range(scene, "none", plain, "walk", 0, 1, 1);
    /* What no state plays is there as before; what one does is not. */
    require_range(scene, "Run", plain, "Run", 0, 1, 4);
    assert_null(ossa_scene_find_clip(scene, "walk"));
    assert_int_equal(scene->clip_count, 8);
    assert_string_equal(scene->clips[0].name, "all");
    assert_string_equal(scene->clips[7].name, "Run");
    ossa_scene_free(plain);
    ossa_scene_free(scene);
}

/* In place, a state begins where the whole animation does on the ground, at the height of its own
 * first frame. */
static void states_in_place_begin_together(void **state)
{
    (void)state;
    const ossa_scene_options options = {.in_place = true};
    ossa_scene *plain = assemble_plain();
    ossa_scene *scene = assemble_table(make_table("some,walk,3,5,0,1,0,0,all\n"), &options);
    ossa_transform found[BONES];
    ossa_transform first[BONES];
    ossa_transform own[BONES];
    const ossa_clip *walk = ossa_scene_find_clip(plain, "walk");
    ossa_sample_frame(scene, ossa_scene_find_clip(scene, "some"), 0, found, NULL);
    ossa_sample_frame(plain, walk, 0, first, NULL);
    ossa_sample_frame(plain, walk, 2, own, NULL);
    for (unsigned k = 0; k < 3; k++) {
        const ossa_transform *wanted = k == 1 ? own : first;
        assert_true(first[0].translation[k] != own[0].translation[k]);
        assert_true(fabsf(found[0].translation[k] - wanted[0].translation[k]) < 1e-5F);
    }
    ossa_scene_free(plain);
    ossa_scene_free(scene);
}

static const ossa_extra *find_extra(const ossa_clip *clip, const char *key)
{
    for (uint32_t i = 0; i < clip->extra_count; i++) {
        if (strcmp(clip->extras[i].key, key) == 0) return &clip->extras[i];
    }
    return NULL;
}

static void require_number(const ossa_clip *clip, const char *key, float value)
{
    const ossa_extra *extra = find_extra(clip, key);
    require(extra != NULL && extra->text == NULL && extra->number_count == 1 &&
                extra->numbers[0] == (double)value,
            clip->name, "the extra '%s' is another", key);
}

static void what_a_state_says_is_kept(void **state)
{
    (void)state;
    ossa_scene *scene = assemble_table(make_table("walk,walk,1,30,7,1.5,8,-0.25,walk\n"
                                                  "turn,walk,9,1,0,0,0,0,TURN\n"
                                                  "end,run,1,4,0,0,0,0\n"),
                                       NULL);
    assert_int_equal(scene->clip_count, 3);
    const ossa_clip *walk = &scene->clips[0];
    assert_true(walk->loop);
    require_number(walk, "first_frame", 1.0F);
    require_number(walk, "last_frame", 30.0F); /* as stored, not as played */
    require_number(walk, "forward", 1.5F);
    require_number(walk, "sideways", -0.25F);
    /* Forwards is -Z, sideways is to the left, -X; the state lasts 30 frames of 0.03333 s. */
    assert_true(fabs((double)walk->travel[2] + 1.5 / (30 * 0.03333)) < 1e-3);
    assert_true(fabs((double)walk->travel[0] - 0.25 / (30 * 0.03333)) < 1e-3);
    assert_true(scene->clips[1].travel[2] == 0.0F && walk->travel[1] == 0.0F);
    assert_string_equal(find_extra(walk, "next")->text, "walk");
    assert_string_equal(walk->source, "walk.anim");
    assert_string_equal(walk->source_format, "mm-anim");
    assert_false(scene->clips[1].loop); /* states are other states when their case differs */
    assert_string_equal(find_extra(&scene->clips[1], "next")->text, "TURN");
    assert_false(scene->clips[2].loop);
    assert_null(find_extra(&scene->clips[2], "next"));
    ossa_scene_free(scene);
}

static void clips_are_followed_by_clips(void **state)
{
    (void)state;
    static const char *const text = "stand,walk,1,2,0,0,0,0,stand_walk\n"
                                    "stand_walk,walk,1,2,0,0,0,0,walk0\n"
                                    "walk0,walk,1,9,0,1,0,0,walk0\n"
                                    "walk1,walk,1,9,0,1,0,0,WALK0\n" /* no state is called so */
                                    "fall,walk,1,9,0,1,0,0,lie\n"
                                    "lie,gone,1,9,0,1,0,0,fall\n" /* its animation is not there */
                                    "end,run,1,4,0,0,0,0\n";
    static const char *const next[] = {"stand_walk", "walk0", "walk0", NULL, NULL, NULL};
    ossa_scene *scene = assemble_table(make_table(text), NULL);
    assert_int_equal(scene->clip_count, 6);
    for (uint32_t i = 0; i < 6; i++) {
        const char *found = scene->clips[i].next;
        require((found == NULL) == (next[i] == NULL), scene->clips[i].name, "is followed by %s",
                found == NULL ? "none" : found);
        if (found != NULL) assert_string_equal(found, next[i]);
    }
    ossa_scene_free(scene);
    /* A clip that was joined is not there any more. */
    scene = assemble_table(make_table(text), &(ossa_scene_options){.join = true});
    assert_string_equal(ossa_scene_find_clip(scene, "stand")->next, "stand_walk");
    assert_null(ossa_scene_find_clip(scene, "stand_walk")->next);
    assert_null(ossa_scene_find_clip(scene, "walk")->next);
    ossa_scene_free(scene);
}

static void names_are_made_different(void **state)
{
    (void)state;
    ossa_scene *scene = assemble_table(make_table("a,walk,1,2,0,0,0,0\n"
                                                  "a,walk,1,2,0,0,0,0\n"
                                                  "a2,walk,1,2,0,0,0,0\n"
                                                  "Run,walk,1,2,0,0,0,0\n"
                                                  "\xe9t\xe9,walk,1,2,0,0,0,0\n"),
                                       NULL);
    static const char *const names[] = {"a", "a3", "a2", "Run", "\xc3\xa9t\xc3\xa9", "Run2"};
    assert_int_equal(scene->clip_count, 6);
    for (unsigned i = 0; i < 6; i++) assert_string_equal(scene->clips[i].name, names[i]);
    ossa_scene_free(scene);
}

static void a_missing_animation_is_told(void **state)
{
    (void)state;
    ossa_scene *scene = assemble_table(make_table("a,walk,1,2,0,0,0,0\n"
                                                  "b,swim,1,2,0,0,0,0\n"
                                                  "c,dive,1,2,0,0,0,0\n"),
                                       NULL);
    require_warning(scene, 0, OSSA_CODE_MISSING_PART, "ped.csv",
                    "2 of 3 states are left out because their animation is not among the inputs; "
                    "the first needs 'swim'");
    assert_int_equal(scene->clip_count, 2); /* a, and Run */
    ossa_scene_free(scene);
}

/* So many states, of one name or of different ones, that anything quadratic would be felt. */
static struct bytes make_many(uint32_t count, bool same)
{
    struct bytes table = {0};
    for (uint32_t i = 0; i < count; i++) {
        char line[64];
        (void)snprintf(line, sizeof line, "s%u,run,1,1,0,0,0,0\n", same ? 0 : (unsigned)i);
        put_text(&table, line);
    }
    return table;
}

static void thousands_of_states_are_fine(void **state)
{
    (void)state;
    for (int same = 0; same < 2; same++) {
        ossa_scene *scene = assemble_table(make_many(OSSA_MAX_CLIPS - 1, same == 1), NULL);
        assert_int_equal(scene->clip_count, OSSA_MAX_CLIPS); /* and walk */
        ossa_scene_free(scene);
    }
}

static void too_many_are_refused(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_file(&files, "run.anim", "mm-anim", make_anim(6, 4, BONES));
    add_file(&files, "ped.csv", "mm-csv", make_many(OSSA_MAX_CLIPS + 1, false));
    ossa_error error;
    assert_null(ossa_assemble(files.inputs, files.count, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_LIMIT);
    assert_string_equal(error.message, "a scene holds at most 16384 clips");
    free_files(&files);
}

TEST_GROUP(test_scene_states)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_play_their_frames),
        cmocka_unit_test(states_in_place_begin_together),
        cmocka_unit_test(what_a_state_says_is_kept),
        cmocka_unit_test(clips_are_followed_by_clips),
        cmocka_unit_test(names_are_made_different),
        cmocka_unit_test(a_missing_animation_is_told),
        cmocka_unit_test(thousands_of_states_are_fine),
        cmocka_unit_test(too_many_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
