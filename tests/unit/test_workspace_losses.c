/* SPDX-License-Identifier: MIT
 *
 * Scenes of which something is left out (src/workspace/collect.c, strays.c): what a scene can do
 * without, what it fails for, and how each is reported. */
#include "support/group.h"
#include "support/scenes.h"

#include "ossa/ossa.h"

#include <stdio.h>
#include <string.h>

/* What is reported: "error PATH; " for each, files before the scene. */
struct report {
    char text[1024];
    size_t used;
};

static void log_loss(void *user, const ossa_issue *issue)
{
    struct report *report = user;
    const char *name = issue->path[0] != '\0' ? issue->path : issue->field;
    if (issue->severity == OSSA_SEVERITY_WARNING) return;
    int n = snprintf(report->text + report->used, sizeof report->text - report->used, "%s %s; ",
                     ossa_severity_name(issue->severity), name);
    report->used += (size_t)n;
    assert_true(report->used < sizeof report->text);
}

static void put(ossa_workspace *workspace, const char *path, struct bytes bytes)
{
    ossa_error error;
    assert_true(ossa_workspace_add_memory(workspace, path, bytes.data, bytes.size, &error));
    bytes_free(&bytes);
}

static struct bytes text_of(const char *text)
{
    struct bytes bytes = {0};
    put_text(&bytes, text);
    return bytes;
}

static struct bytes cut(struct bytes bytes, size_t size)
{
    bytes.size = size;
    return bytes;
}

/* A pedestrian with a good animation and a damaged one. */
static ossa_workspace *make_workspace(void)
{
    ossa_workspace *workspace = ossa_workspace_new(NULL, NULL);
    assert_non_null(workspace);
    put(workspace, "ped/a.skel", make_skel(3));
    put(workspace, "ped/run.anim", make_anim(1, 4, 3));
    put(workspace, "ped/walk.anim", cut(make_anim(2, 4, 3), 100));
    return workspace;
}

/* Load, and compare the reports and the number of clips; -1: it fails. */
static void expect(ossa_workspace *workspace, const char *const *paths, size_t count, bool strict,
                   int clips, const char *expected)
{
    struct report report = {.used = 0};
    const ossa_options read = {.strict = strict};
    const ossa_scene_options options = {.on_group = log_loss, .user = &report};
    const ossa_load_options load = {
        .scene = &options, .read = &read, .on_issue = log_loss, .user = &report};
    ossa_error error;
    ossa_scene *scene = ossa_workspace_scene(workspace, paths, count, &load, &error);
    assert_string_equal(report.text, expected);
    if (scene == NULL) assert_int_equal(clips, -1);
    else assert_int_equal(scene->clip_count, clips);
    assert_int_equal(error.code == OSSA_CODE_OK, scene != NULL);
    ossa_scene_free(scene);
}

static void a_damaged_clip_is_left_out(void **state)
{
    (void)state;
    ossa_workspace *workspace = make_workspace();
    const char *folder[] = {"ped"};
    const char *named[] = {"ped/a.skel", "ped/walk.anim"};
    expect(workspace, folder, 1, false, 1, "error ped/walk.anim; ");
    expect(workspace, folder, 1, true, -1, "unreadable ped/walk.anim; ");
    expect(workspace, named, 2, false, 0, "error ped/walk.anim; ");
    expect(workspace, named + 1, 1, false, -1, "error ped/walk.anim; ");
    ossa_workspace_free(workspace);
}

static void a_clip_that_does_not_fit_is_left_out(void **state)
{
    (void)state;
    ossa_workspace *workspace = make_workspace();
    const char *folder[] = {"ped"};
    put(workspace, "ped/walk.anim", make_anim(2, 4, 5));
    expect(workspace, folder, 1, false, 1, "error ped/walk.anim; ");
    expect(workspace, folder, 1, true, -1, "");
    struct bytes bad = make_anim(2, 4, 3);
    memset(bad.data + 8 + 12, 0xff, 4); /* an angle that is not a number */
    put(workspace, "ped/walk.anim", bad);
    expect(workspace, folder, 1, false, 1, "error ped/walk.anim; ");
    ossa_workspace_free(workspace);
}

/* There is no figure without a skeleton, but one that is only found beside another is no loss. */
static void a_damaged_body_is_refused_unless_there_is_another(void **state)
{
    (void)state;
    ossa_workspace *workspace = make_workspace();
    const char *folder[] = {"ped"};
    const char *named[] = {"ped/a.skel", "ped/b.skel", "ped/run.anim"};
    put(workspace, "ped/walk.anim", make_anim(2, 4, 3));
    put(workspace, "ped/b.skel", text_of("NumBones 2 bone a {"));
    expect(workspace, folder, 1, false, 2, "error ped/b.skel; ");
    expect(workspace, named, 3, false, -1, "unreadable ped/b.skel; ");
    assert_true(ossa_workspace_remove(workspace, "ped/a.skel"));
    expect(workspace, folder, 1, false, -1, "unreadable ped/b.skel; ");
    put(workspace, "ped/b.skel", (struct bytes){0});
    expect(workspace, folder, 1, false, -1, "unreadable ped/b.skel; ");
    ossa_workspace_free(workspace);
}

static void strays_are_skipped(void **state)
{
    (void)state;
    ossa_workspace *workspace = make_workspace();
    const char *folder[] = {"ped", "ped/note.txt"};
    put(workspace, "ped/walk.anim", text_of("the coat walks like the man"));
    put(workspace, "ped/note.txt", text_of("nothing known"));
    expect(workspace, folder, 1, false, 1, "remark ped/note.txt; remark ped/walk.anim; ");
    expect(workspace, folder, 1, true, 1, "remark ped/note.txt; remark ped/walk.anim; ");
    expect(workspace, folder, 2, false, -1,
           "remark ped/note.txt; remark ped/walk.anim; unreadable ped/note.txt; ");
    ossa_workspace_free(workspace);
}

/* What is not of a figure because it is damaged is listed; a clip is still of its figure, and a
 * stray is nobody's loss. */
static void figures_list_what_is_damaged(void **state)
{
    (void)state;
    ossa_workspace *workspace = make_workspace();
    ossa_error error;
    put(workspace, "ped/b.skel", text_of("NumBones 2 bone a {"));
    put(workspace, "ped/c.anim", (struct bytes){0});
    put(workspace, "ped/note.anim", text_of("the coat walks like the man"));
    ossa_figures *figures = ossa_workspace_figures(workspace, NULL, &error);
    assert_non_null(figures);
    assert_int_equal(figures->count, 1);
    assert_int_equal(figures->damaged_count, 2);
    assert_string_equal(figures->damaged[0].path, "ped/b.skel");
    assert_string_equal(figures->damaged[0].format, "mm-skel");
    assert_int_equal(figures->damaged[0].code, OSSA_CODE_TRUNCATED);
    assert_int_equal(figures->damaged[0].severity, OSSA_SEVERITY_UNREADABLE);
    assert_string_equal(figures->damaged[0].field, "bones[0]");
    assert_string_equal(figures->damaged[1].path, "ped/c.anim");
    assert_int_equal(figures->damaged[1].code, OSSA_CODE_EMPTY_FILE);
    ossa_figures_free(figures);
    ossa_workspace_free(workspace);
}

/* The same without a workspace: only if the options ask for it. */
static void files_with_errors(void **state)
{
    (void)state;
    struct scene_files files = {0};
    (void)add_file(&files, "a.skel", "mm-skel", make_skel(3));
    (void)add_file(&files, "run.anim", "mm-anim", make_anim(1, 4, 3));
    (void)add_file(&files, "t.csv", "mm-csv",
                   text_of("RUN,run,1,2,0,0,0,0,RUN\nBAD,run,x,1,0,0,0,0,RUN\n"));
    const ossa_scene_options tolerant = {.tolerant = true};
    require_misfit(
        &files, NULL, OSSA_CODE_MISFIT, "t.csv",
        "has errors and cannot be posed: lines[1].first_frame: found 'x' on line 2, expected a "
        "whole number that fits in 32 bits");
    ossa_scene *scene = assemble_files(&files, &tolerant);
    assert_int_equal(scene->error_count, 1);
    assert_int_equal(scene->clip_count, 1);
    const ossa_issue *issue = &scene->issues[0];
    assert_int_equal(issue->severity, OSSA_SEVERITY_ERROR);
    assert_string_equal(issue->path, "t.csv");
    assert_string_equal(issue->format, "mm-csv");
    assert_string_equal(issue->field, "lines[1].first_frame");
    assert_true(issue->has_offset);
    ossa_scene_free(scene);
    free_files(&files);
}

TEST_GROUP(test_workspace_losses)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_damaged_clip_is_left_out),
        cmocka_unit_test(a_clip_that_does_not_fit_is_left_out),
        cmocka_unit_test(a_damaged_body_is_refused_unless_there_is_another),
        cmocka_unit_test(strays_are_skipped),
        cmocka_unit_test(figures_list_what_is_damaged),
        cmocka_unit_test(files_with_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
