/* SPDX-License-Identifier: MIT
 *
 * What an import reports while an edit is put into the files: that and nothing else, since what is
 * to be said of the originals was said when they were read. */
#include "import/import.h"
#include "support/adb_fixture.h"
#include "support/scenes.h"

#include <string.h>

/* Clips without a record, and records without a clip: assembling them warns. */
static void make_figure(struct scene_files *files)
{
    static const char *const tree[] = {"hp", "", NULL};
    struct bytes adb = begin_adb("t");
    (void)add_adb_record(&adb, &(struct adb_record){.name = "walk", .duration = 4});
    (void)add_file(files, "t.lnk", "ei-lnk", make_lnk(tree));
    (void)add_file(files, "idle/hp.anm", "ei-anm", make_random_anm(3, 4));
    (void)add_file(files, "t.adb", "ei-adb", adb);
}

/* Import the scene of the files as it is, as a new clip or as none; gives what was reported. */
static struct issue_log import_as(const struct scene_files *files, const char *name)
{
    struct issue_log log = {0};
    struct ossa__context context;
    const ossa_options limits = {.on_issue = log_issue, .user = &log};
    const ossa_import_options options = {.as = name};
    const ossa_scene_options usual = {0};
    const char *path = "edit.json";
    ossa_import result = {0};
    ossa_scene *scene = assemble_files(files, NULL);
    struct bytes json = scene_json_or_fail("scene", scene, NULL, OSSA_JSON_STYLE_LINE);
    assert_true(scene->warning_count > 0);
    ossa_scene_free(scene);
    ossa__context_init(&context, &limits, 1 << 20);
    struct ossa__motion *motion = ossa__read_scene_json(&context, json.data, json.size);
    require(motion != NULL, "motion", "%s", context.error.message);
    const struct ossa__import_call call = {.options = &options,
                                           .scene = &usual,
                                           .inputs = files->inputs,
                                           .input_count = files->count,
                                           .motions = &motion,
                                           .motion_paths = &path,
                                           .motion_count = 1};
    bool ok = ossa__import(&context, &call, &result);
    require(ok, "import", "%s", context.error.message);
    ossa__arena_free(&context.scratch);
    ossa__arena_free(&context.arena);
    bytes_free(&json);
    return log;
}

static void the_originals_are_not_reported_again(void **state)
{
    (void)state;
    struct scene_files files = {0};
    make_figure(&files);
    struct issue_log log = import_as(&files, NULL);
    assert_int_equal(log.count, 0);
    free_files(&files);
}

static void what_the_edit_does_is_reported(void **state)
{
    (void)state;
    struct scene_files files = {0};
    make_figure(&files);
    struct issue_log log = import_as(&files, "nod");
    assert_int_equal(log.count, 1);
    assert_string_equal(log.items[0].message,
                        "the clip 'idle' has no record, and so the new clip 'nod' gets none");
    assert_string_equal(log.items[0].path, "t.adb");
    assert_int_equal(log.items[0].severity, OSSA_SEVERITY_WARNING);
    free_files(&files);
}

TEST_GROUP(test_import_reports)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_originals_are_not_reported_again),
        cmocka_unit_test(what_the_edit_does_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
