/* SPDX-License-Identifier: MIT
 *
 * An animation database beside the clips of Evil Islands: what they get from it, and what they have
 * without one. */
#include "support/adb_fixture.h"
#include "support/scenes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const root[] = {"bd", "", NULL};

static void add_root(struct scene_files *files)
{
    (void)add_file(files, "unmotr.lnk", "ei-lnk", make_lnk(root));
    (void)add_file(files, "bd.bon", "ei-bon", make_bon(0.0F, 0.0F, 0.0F));
}

static void add_clip(struct scene_files *files, const char *name, uint32_t frames)
{
    char path[64];
    (void)snprintf(path, sizeof path, "%s/bd.anm", name);
    (void)add_file(files, path, "ei-anm", make_random_anm(5, frames));
}

static const ossa_extra *find_extra(const ossa_clip *clip, const char *key)
{
    for (uint32_t i = 0; i < clip->extra_count; i++) {
        if (strcmp(clip->extras[i].key, key) == 0) return &clip->extras[i];
    }
    return NULL;
}

static void require_numbers(const ossa_clip *clip, const char *key, uint32_t count,
                            const double *expected)
{
    const ossa_extra *extra = find_extra(clip, key);
    require(extra != NULL && extra->text == NULL, key, "is no number");
    if (extra == NULL) return;
    require(extra->number_count == count, key, "has %u numbers", (unsigned)extra->number_count);
    for (uint32_t i = 0; i < count; i++) {
        require(extra->numbers[i] == expected[i], key, "is %.17g", extra->numbers[i]);
    }
}

/* ---- records ------------------------------------------------------------------------------- */

static void clips_have_what_their_records_say(void **state)
{
    (void)state;
    struct scene_files files = {0};
    struct bytes adb = begin_adb("unmotr");
    (void)add_adb_record(
        &adb, &(struct adb_record){
                  .name = "uattack", .probability = 50, .duration = 4, .hit_frame = 2, .stage = 0});
    (void)add_adb_record(
        &adb, &(struct adb_record){
                  .name = "CWalk", .probability = 100, .duration = 3, .speed = 1.25F, .stage = 2});
    (void)add_adb_record(&adb, &(struct adb_record){.name = "cwalk", .stage = 1}); /* too late */
    add_root(&files);
    add_clip(&files, "cwALK", 3); /* letter case does not matter */
    add_clip(&files, "uattack", 4);
    (void)add_file(&files, "unmotr.adb", NULL, adb);
    ossa_scene *scene = assemble_files(&files, NULL);
    const ossa_clip *walk = &scene->clips[0];
    const ossa_clip *attack = &scene->clips[1];
    assert_true(walk->loop);
    assert_false(attack->loop);
    assert_true(walk->fps == 1000.0 / 55.0);
    assert_int_equal(walk->extra_count, 15);
    assert_string_equal(find_extra(walk, "stage")->text, "cycle");
    assert_string_equal(find_extra(attack, "stage")->text, "unique");
    require_numbers(walk, "index", 1, (const double[]){1});
    require_numbers(walk, "weapons", 1, (const double[]){0x21});
    require_numbers(walk, "states", 1, (const double[]){7});
    require_numbers(walk, "action", 1, (const double[]){5});
    require_numbers(walk, "modifier", 1, (const double[]){0x80});
    require_numbers(walk, "forms", 1, (const double[]){0x10}); /* bits 32 to 37 */
    require_numbers(walk, "probability", 1, (const double[]){100});
    require_numbers(walk, "duration", 1, (const double[]){3});
    require_numbers(walk, "speed", 1, (const double[]){1.25F});
    /* It is meant at 15 keys per second, and forwards is +Z. */
    assert_true(fabs((double)walk->travel[2] - 1.25 * 1000.0 / 55.0 / 15.0) < 1e-6);
    assert_true(walk->travel[0] == 0.0F && walk->travel[1] == 0.0F && attack->travel[2] == 0.0F);
    require_numbers(walk, "show_hide", 2, (const double[]){0, 0});
    require_numbers(walk, "step_sounds", 4, (const double[]){6, 9, 12, 15});
    require_numbers(walk, "hit_frame", 1, (const double[]){0});
    require_numbers(attack, "hit_frame", 1, (const double[]){2});
    require_numbers(walk, "special_frame", 1, (const double[]){11});
    require_numbers(walk, "sound_ids", 4, (const double[]){1000, 1001, 1002, 1003});
    assert_int_equal(scene->warning_count, 1);
    require_warning(scene, 0, OSSA_CODE_MISSING_PART, "unmotr.adb",
                    "records without a clip: 1 of 3, the first is 'cwalk'; clips without a "
                    "record: 0");
    ossa_scene_free(scene);
    free_files(&files);
}

static void require_events(const ossa_clip *clip, const ossa_event *expected, uint32_t count)
{
    require(clip->event_count == count, clip->name, "has %u events", (unsigned)clip->event_count);
    for (uint32_t i = 0; i < count; i++) {
        require(clip->events[i].frame == expected[i].frame, clip->name, "event %u is in frame %u",
                (unsigned)i, (unsigned)clip->events[i].frame);
        assert_string_equal(clip->events[i].kind, expected[i].kind);
        assert_string_equal(clip->events[i].field, expected[i].field);
    }
}

/* Every record has steps in the frames 6, 9, 12 and 15, and something in frame 11. */
static void events_are_in_the_frames_of_clips(void **state)
{
    (void)state;
    static const ossa_event attack[] = {
        {4, "hit", "hit_frame"},        {6, "step", "step_sounds[0]"},
        {9, "step", "step_sounds[1]"},  {11, "special", "special_frame"},
        {12, "step", "step_sounds[2]"}, {14, "step", "step_sounds[3]"}}; /* the end: the last one */
    static const ossa_event dense[] = {
        {12, "hit", "hit_frame"},       {18, "step", "step_sounds[0]"},
        {27, "step", "step_sounds[1]"}, {33, "special", "special_frame"},
        {36, "step", "step_sounds[2]"}, {42, "step", "step_sounds[3]"}};
    static const ossa_event walk[] = {{6, "step", "step_sounds[0]"}, {9, "step", "step_sounds[1]"}};
    struct scene_files files = {0};
    struct bytes adb = begin_adb("unmotr");
    (void)add_adb_record(&adb,
                         &(struct adb_record){.name = "attack", .duration = 15, .hit_frame = 4});
    (void)add_adb_record(&adb, &(struct adb_record){.name = "walk", .duration = 15});
    add_root(&files);
    add_clip(&files, "attack", 15);
    add_clip(&files, "walk", 10); /* shorter than its record: what is after its end is not there */
    add_clip(&files, "yawn", 10);
    (void)add_file(&files, "unmotr.adb", NULL, adb);
    ossa_scene *scene = assemble_files(&files, NULL);
    require_events(&scene->clips[0], attack, 6);
    require_events(&scene->clips[1], walk, 2);
    require_events(&scene->clips[2], NULL, 0);
    assert_null(scene->clips[0].next);
    ossa_scene_free(scene);
    const ossa_ei_options three = {.resample = 3};
    scene = assemble_files(&files, &(ossa_scene_options){.ei = &three});
    require_events(&scene->clips[0], dense, 6);
    ossa_scene_free(scene);
    free_files(&files);
}

static void events_move_with_clips_that_are_joined(void **state)
{
    (void)state;
    static const ossa_event expected[] = {
        {2, "hit", "hit_frame"}, {6, "step", "step_sounds[0]"}, {14, "step", "step_sounds[0]"}};
    struct scene_files files = {0};
    struct bytes adb = begin_adb("unmotr");
    (void)add_adb_record(&adb,
                         &(struct adb_record){.name = "walk0", .duration = 8, .hit_frame = 2});
    (void)add_adb_record(&adb, &(struct adb_record){.name = "walk1", .duration = 8});
    add_root(&files);
    add_clip(&files, "walk0", 8);
    add_clip(&files, "walk1", 8);
    (void)add_file(&files, "unmotr.adb", NULL, adb);
    ossa_scene *scene = assemble_files(&files, &(ossa_scene_options){.join = true});
    assert_int_equal(scene->clip_count, 1);
    require_events(&scene->clips[0], expected, 3);
    ossa_scene_free(scene);
    free_files(&files);
}

/* A float has no place for every number that a record can have. */
static void large_numbers_are_exact(void **state)
{
    (void)state;
    struct scene_files files = {0};
    struct bytes adb = begin_adb("unmotr");
    (void)add_adb_record(&adb, &(struct adb_record){.name = "cwalk",
                                                    .probability = 4294967295U,
                                                    .duration = 3,
                                                    .hit_frame = 16777217});
    add_root(&files);
    add_clip(&files, "cwalk", 3);
    (void)add_file(&files, "unmotr.adb", NULL, adb);
    ossa_scene *scene = assemble_files(&files, NULL);
    require_numbers(&scene->clips[0], "probability", 1, (const double[]){4294967295.0});
    require_numbers(&scene->clips[0], "hit_frame", 1, (const double[]){16777217.0});
    struct bytes glb = glb_or_fail("records", scene, NULL);
    put_bytes(&glb, "", 1);
    const char *text = (const char *)glb.data + 20;
    assert_non_null(strstr(text, "\"probability\":4294967295,"));
    assert_non_null(strstr(text, "\"hit_frame\":16777217,"));
    bytes_free(&glb);
    ossa_scene_free(scene);
    free_files(&files);
}

/* A scene has only numbers that are finite. */
static void a_speed_that_is_none_is_left_out(void **state)
{
    (void)state;
    struct scene_files files = {0};
    struct bytes adb = begin_adb("unmotr");
    (void)add_adb_record(&adb, &(struct adb_record){.name = "cwalk", .speed = NAN});
    add_root(&files);
    add_clip(&files, "cwalk", 3);
    (void)add_file(&files, "unmotr.adb", NULL, adb);
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_null(find_extra(&scene->clips[0], "speed"));
    assert_int_equal(scene->clips[0].extra_count, 14);
    assert_int_equal(scene->warning_count, 0);
    ossa_scene_free(scene);
    free_files(&files);
}

static void names_that_match_nothing_are_told_once(void **state)
{
    (void)state;
    struct scene_files files = {0};
    struct bytes adb = begin_adb("unmotr");
    (void)add_adb_record(&adb, &(struct adb_record){.name = "cwalk"});
    add_root(&files);
    add_clip(&files, "cwalk", 2);
    add_clip(&files, "jump", 2);
    add_clip(&files, "fall", 2);
    (void)add_file(&files, "unmotr.adb", NULL, adb);
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->warning_count, 1);
    require_warning(scene, 0, OSSA_CODE_MISSING_PART, "unmotr.adb",
                    "records without a clip: 0 of 1; clips without a record: 2, the first is "
                    "'jump'");
    assert_int_equal(scene->clips[1].extra_count, 0);
    assert_false(scene->clips[1].loop);
    ossa_scene_free(scene);
    free_files(&files);
}

static void a_second_database_is_refused(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_root(&files);
    (void)add_file(&files, "a.adb", NULL, begin_adb("a"));
    (void)add_file(&files, "b.adb", NULL, begin_adb("b"));
    require_misfit(&files, NULL, OSSA_CODE_SEVERAL_FIGURES, "b.adb",
                   "a second skeleton, model or table beside a.adb");
    free_files(&files);
}

/* It is no part of the figure: no bone has its name. */
static void a_database_is_no_bone(void **state)
{
    (void)state;
    struct scene_files files = {0};
    (void)add_file(&files, "unmotr.adb", NULL, begin_adb("a"));
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->bone_count, 0);
    assert_int_equal(scene->clip_count, 0);
    ossa_scene_free(scene);
    add_clip(&files, "cwalk", 2);
    scene = assemble_files(&files, NULL);
    assert_int_equal(scene->bone_count, 1);
    ossa_scene_free(scene);
    free_files(&files);
}

/* ---- the rate ------------------------------------------------------------------------------ */

static const double tick_rate = 1000.0 / 55.0; /* of the game */

/* Durations are frames, so they say nothing of the rate, whatever they are. */
static void durations_do_not_change_the_rate(void **state)
{
    (void)state;
    static const uint32_t durations[] = {0, 1, 29, 30, 2000, 1500};
    for (size_t i = 0; i < sizeof durations / sizeof durations[0]; i++) {
        struct scene_files files = {0};
        struct bytes adb = begin_adb("unmotr");
        add_root(&files);
        (void)add_adb_record(&adb, &(struct adb_record){.name = "a", .duration = durations[i]});
        add_clip(&files, "a", 30);
        (void)add_file(&files, "unmotr.adb", NULL, adb);
        ossa_scene *scene = assemble_files(&files, NULL);
        assert_true(scene->clips[0].fps == tick_rate);
        assert_int_equal(scene->warning_count, 0);
        ossa_scene_free(scene);
        const ossa_scene_options options = {.fps = 15.0};
        scene = assemble_files(&files, &options);
        assert_true(scene->clips[0].fps == 15.0);
        ossa_scene_free(scene);
        free_files(&files);
    }
}

/* A key lies at each tick of 55 ms, to the last bit of a float: no rounding of the rate is seen. */
static void keys_lie_at_the_ticks(void **state)
{
    (void)state;
    for (uint32_t frame = 0; frame < 200000; frame++) {
        float exact = (float)(frame * 55.0 / 1000.0);
        assert_true((float)(frame / (double)OSSA_EI_FPS) == exact);
    }
}

/* ---- repeating ----------------------------------------------------------------------------- */

/* Without a record the name says whether a clip repeats. */
static void names_say_what_repeats(void **state)
{
    (void)state;
    static const char *const names[] = {"cwalk", "uattack", "CIdle", "walk"};
    struct scene_files files = {0};
    add_root(&files);
    for (size_t i = 0; i < 4; i++) add_clip(&files, names[i], 2);
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_true(scene->clips[0].loop);
    assert_false(scene->clips[1].loop);
    assert_true(scene->clips[2].loop);
    assert_false(scene->clips[3].loop);
    ossa_scene_free(scene);
    /* A record knows better. */
    struct bytes adb = begin_adb("unmotr");
    (void)add_adb_record(&adb, &(struct adb_record){.name = "cwalk", .stage = 0});
    (void)add_adb_record(&adb, &(struct adb_record){.name = "uattack", .stage = 2});
    (void)add_file(&files, "unmotr.adb", NULL, adb);
    scene = assemble_files(&files, NULL);
    assert_false(scene->clips[0].loop);
    assert_true(scene->clips[1].loop);
    assert_true(scene->clips[2].loop); /* it has no record */
    ossa_scene_free(scene);
    free_files(&files);
}

/* ---- dialects ------------------------------------------------------------------------------ */

static void short_records_have_no_probability(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("ei-adb/short-records");
    struct scene_files files = {0};
    add_root(&files);
    add_clip(&files, "cwalk", 3);
    (void)add_file(&files, "unmotr.adb", NULL,
                   bytes_copy(fixture->bytes.data, fixture->bytes.size));
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_null(find_extra(&scene->clips[0], "probability"));
    require_numbers(&scene->clips[0], "duration", 1, (const double[]){16});
    require_numbers(&scene->clips[0], "forms", 1, (const double[]){0x10});
    assert_true(scene->clips[0].loop);
    ossa_scene_free(scene);
    free_files(&files);
}

/* ---- height -------------------------------------------------------------------------------- */

/* The heights of the database are 1.5, 1.75 and 2. */
static void the_root_moves_as_high_as_the_figure_is(void **state)
{
    (void)state;
    static const struct {
        float height;
        bool is_chosen;
        float expected;
    } cases[] = {{0.0F, false, 3.5F}, {0.0F, true, 3.0F}, {1.0F, false, 4.0F}, {0.5F, true, 3.5F}};
    static const float still[1][4] = {{1.0F, 0.0F, 0.0F, 0.0F}};
    static const float up[1][3] = {{0.0F, 0.0F, 3.5F}};
    struct scene_files files = {0};
    add_root(&files);
    (void)add_file(&files, "cwalk/bd.anm", "ei-anm", make_anm(1, still, 1, up));
    (void)add_file(&files, "unmotr.adb", NULL, begin_adb("unmotr"));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const ossa_ei_options ei = {.complexion = {0.0F, 0.0F, cases[i].height},
                                    .has_complexion = cases[i].is_chosen};
        const ossa_scene_options options = {.ei = &ei};
        ossa_scene *scene = assemble_files(&files, &options);
        assert_true(scene->clips[0].constant[0].translation[1] == cases[i].expected);
        ossa_scene_free(scene);
    }
    free_files(&files);
}

TEST_GROUP(test_scene_records)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clips_have_what_their_records_say),
        cmocka_unit_test(events_are_in_the_frames_of_clips),
        cmocka_unit_test(events_move_with_clips_that_are_joined),
        cmocka_unit_test(large_numbers_are_exact),
        cmocka_unit_test(a_speed_that_is_none_is_left_out),
        cmocka_unit_test(names_that_match_nothing_are_told_once),
        cmocka_unit_test(a_second_database_is_refused),
        cmocka_unit_test(a_database_is_no_bone),
        cmocka_unit_test(durations_do_not_change_the_rate),
        cmocka_unit_test(keys_lie_at_the_ticks),
        cmocka_unit_test(names_say_what_repeats),
        cmocka_unit_test(short_records_have_no_probability),
        cmocka_unit_test(the_root_moves_as_high_as_the_figure_is),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
