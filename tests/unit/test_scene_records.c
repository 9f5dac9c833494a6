/* SPDX-License-Identifier: MIT
 *
 * An animation database beside the clips of Evil Islands: what they get from it, and what rate its
 * durations mean. */
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
    assert_true(walk->fps == 15.0);
    assert_int_equal(walk->extra_count, 14);
    assert_string_equal(find_extra(walk, "stage")->text, "cycle");
    assert_string_equal(find_extra(attack, "stage")->text, "unique");
    require_numbers(walk, "index", 1, (const double[]){1});
    require_numbers(walk, "weapons", 1, (const double[]){0x21});
    require_numbers(walk, "states", 1, (const double[]){7});
    require_numbers(walk, "action", 1, (const double[]){5});
    require_numbers(walk, "modifier", 1, (const double[]){0x80});
    require_numbers(walk, "probability", 1, (const double[]){100});
    require_numbers(walk, "duration", 1, (const double[]){3});
    require_numbers(walk, "speed", 1, (const double[]){1.25F});
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
    assert_int_equal(scene->clips[0].extra_count, 13);
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
    require_misfit(&files, NULL, OSSA_CODE_MISFIT, "b.adb",
                   "a second skeleton, model or table beside a.adb; give just one");
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

struct timing {
    uint32_t frames;
    uint32_t duration;
};

static void require_rate(const char *what, const struct timing *clips, size_t count, double wanted,
                         double expected, bool warns)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    struct scene_files files = {0};
    struct bytes adb = begin_adb("unmotr");
    add_root(&files);
    for (size_t i = 0; i < count; i++) {
        (void)add_adb_record(&adb,
                             &(struct adb_record){.name = names[i], .duration = clips[i].duration});
        add_clip(&files, names[i], clips[i].frames);
    }
    (void)add_file(&files, "unmotr.adb", NULL, adb);
    const ossa_scene_options options = {.fps = wanted};
    ossa_scene *scene = assemble_files(&files, &options);
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        require(fabs(scene->clips[c].fps - expected) < 1e-9, what, "%.12g frames a second",
                scene->clips[c].fps);
    }
    require(scene->warning_count == (warns ? 1 : 0), what, "%zu warnings", scene->warning_count);
    ossa_scene_free(scene);
    free_files(&files);
}

static void durations_are_frames_or_milliseconds(void **state)
{
    (void)state;
    const struct timing frames[] = {{30, 30}, {16, 16}, {2, 0}};
    require_rate("as many frames", frames, 3, 0.0, 15.0, false);
    const struct timing fewer[] = {{30, 29}, {16, 15}};
    require_rate("one frame fewer", fewer, 2, 0.0, 15.0, false);
    const struct timing nothing[] = {{30, 0}, {16, 0}};
    require_rate("no durations", nothing, 2, 0.0, 15.0, false);
    const struct timing at_15[] = {{30, 2000}, {16, 1067}, {7, 466}}; /* rounded and cut off */
    require_rate("milliseconds at 15", at_15, 3, 0.0, 15.0, false);
    const struct timing at_20[] = {{30, 1500}, {16, 800}, {1, 50}};
    require_rate("milliseconds at 20", at_20, 3, 0.0, 20.0, false);
    const struct timing odd[] = {{1000, 80000}, {100, 8000}};
    require_rate("milliseconds at 12.5", odd, 2, 0.0,
                 (1000.0 * 1000 / 80001 + 1000.0 * 1000 / 79999) / 2, false);
    require_rate("who asks for a rate gets it", at_20, 3, 24.0, 24.0, false);
}

static void durations_that_disagree_are_told(void **state)
{
    (void)state;
    const struct timing mixed[] = {{30, 30}, {16, 15}};
    require_rate("frames and one fewer", mixed, 2, 0.0, 15.0, true);
    const struct timing apart[] = {{30, 2000}, {16, 800}};
    require_rate("two rates", apart, 2, 0.0, 15.0, true);
    const struct timing slow[] = {{2, 1000}};
    require_rate("too slow", slow, 1, 0.0, 15.0, true);
    const struct timing fast[] = {{30, 100}};
    require_rate("too fast", fast, 1, 0.0, 15.0, true);
    const struct timing one[] = {{30, 1}};
    require_rate("one of anything", one, 1, 0.0, 15.0, true);
    require_rate("but not who asks for a rate", apart, 2, 24.0, 24.0, false);
}

static void the_warning_gives_an_example(void **state)
{
    (void)state;
    struct scene_files files = {0};
    struct bytes adb = begin_adb("unmotr");
    (void)add_adb_record(&adb, &(struct adb_record){.name = "b", .duration = 9});
    add_root(&files);
    add_clip(&files, "b", 30);
    (void)add_file(&files, "unmotr.adb", NULL, adb);
    ossa_scene *scene = assemble_files(&files, NULL);
    require_warning(
        scene, 0, OSSA_CODE_UNUSUAL_VALUE, "unmotr.adb",
        "the durations are neither frames nor milliseconds at any one frame rate: 'b' has "
        "30 frames and a duration of 9; 15 frames per second are assumed");
    ossa_scene_free(scene);
    free_files(&files);
}

TEST_GROUP(test_scene_records)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clips_have_what_their_records_say),
        cmocka_unit_test(large_numbers_are_exact),
        cmocka_unit_test(a_speed_that_is_none_is_left_out),
        cmocka_unit_test(names_that_match_nothing_are_told_once),
        cmocka_unit_test(a_second_database_is_refused),
        cmocka_unit_test(a_database_is_no_bone),
        cmocka_unit_test(durations_are_frames_or_milliseconds),
        cmocka_unit_test(durations_that_disagree_are_told),
        cmocka_unit_test(the_warning_gives_an_example),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
