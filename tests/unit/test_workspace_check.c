/* SPDX-License-Identifier: MIT
 *
 * How the files of figures fit together (ossa_workspace_check and each game's `examine`): what is
 * found, what is normal, and that whole figures have nothing to report. */
#include "support/group.h"
#include "support/scenes.h"
#include "support/text_fixture.h"

#include "ossa/ossa.h"

#include <stdio.h>
#include <string.h>

/* "warning missing-part PATH FIELD xCOUNT; " for each kind. */
struct report {
    char text[2048];
    size_t used;
};

static void log_finding(void *user, const ossa_issue *issue)
{
    struct report *report = user;
    int n = snprintf(report->text + report->used, sizeof report->text - report->used,
                     "%s%s %s %s %s x%zu", report->used > 0 ? "; " : "",
                     ossa_severity_name(issue->severity), ossa_code_name(issue->code), issue->path,
                     issue->field, issue->repeat_count + 1);
    report->used += (size_t)n;
    assert_true(report->used < sizeof report->text);
}

static void count_errors(void *user, const ossa_issue *issue)
{
    *(size_t *)user += issue->severity == OSSA_SEVERITY_ERROR ? 1 : 0;
}

static void put(ossa_workspace *workspace, const char *path, struct bytes bytes)
{
    ossa_error error;
    assert_true(ossa_workspace_add_memory(workspace, path, bytes.data, bytes.size, &error));
    bytes_free(&bytes);
}

static void expect(ossa_workspace *workspace, const char *expected, size_t figures,
                   size_t with_errors)
{
    struct report report = {.used = 0};
    const ossa_options options = {.on_group = log_finding, .user = &report};
    ossa_check check;
    ossa_error error;
    assert_true(ossa_workspace_check(workspace, NULL, &options, &check, &error));
    assert_int_equal(error.code, OSSA_CODE_OK);
    assert_string_equal(report.text, expected);
    assert_int_equal(check.figure_count, figures);
    assert_int_equal(check.error_count, with_errors);
}

/* hp with hd and ll1 on it, and two clips of 4 frames. */
static ossa_workspace *make_figure(void)
{
    static const char *const tree[] = {"hp", "", "hd", "hp", "ll1", "hp", NULL};
    static const char *const parts[] = {"hp", "hd", "ll1"};
    ossa_workspace *workspace = ossa_workspace_new(NULL, NULL);
    assert_non_null(workspace);
    put(workspace, "f/troll.lnk", make_lnk(tree));
    for (size_t i = 0; i < 3; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "f/bon/%s.bon", parts[i]);
        put(workspace, path, make_bon(1.0F, 2.0F, 3.0F));
        (void)snprintf(path, sizeof path, "f/walk/%s.anm", parts[i]);
        put(workspace, path, make_random_anm(1, 4));
        (void)snprintf(path, sizeof path, "f/run/%s.anm", parts[i]);
        put(workspace, path, make_random_anm(2, 4));
    }
    return workspace;
}

static void a_whole_figure_has_nothing_to_report(void **state)
{
    (void)state;
    ossa_workspace *workspace = make_figure();
    expect(workspace, "", 1, 0);
    assert_true(ossa_workspace_check(workspace, "f", NULL, NULL, NULL));
    ossa_workspace_free(workspace);
}

static void parts_that_lack_something(void **state)
{
    (void)state;
    ossa_workspace *workspace = make_figure();
    assert_true(ossa_workspace_remove(workspace, "f/bon/hd.bon"));
    assert_true(ossa_workspace_remove(workspace, "f/bon/ll1.bon"));
    assert_true(ossa_workspace_remove(workspace, "f/walk/hd.anm"));
    put(workspace, "f/run/HD.anm", make_random_anm(3, 9)); /* beside hd.anm */
    put(workspace, "f/run/ll1.anm", make_random_anm(3, 3));
    expect(workspace,
           "warning missing-part f/troll.lnk hd x2; "
           "error duplicate-name f/run/HD.anm  x1; "
           "warning unequal-tracks f/run/ll1.anm  x1; "
           "warning missing-part f/walk/hp.anm hd x1",
           1, 1);
    ossa_workspace_free(workspace);
}

/* The tree has hr.00: other things for that slot are variants, and hr is not a stranger's. */
static void parts_that_the_tree_does_not_have(void **state)
{
    (void)state;
    static const char *const tree[] = {"hp", "", "hd", "hp", "hr.00", "hd", NULL};
    ossa_workspace *workspace = make_figure();
    put(workspace, "f/troll.lnk", make_lnk(tree));
    put(workspace, "f/bon/hr.00", make_bon(0.0F, 0.0F, 0.0F));
    put(workspace, "f/bon/hr.01", make_bon(0.0F, 0.0F, 0.0F));
    put(workspace, "f/bon/hp.armor01", make_bon(0.0F, 0.0F, 0.0F));
    put(workspace, "f/bon/tail.01.bon", make_bon(0.0F, 0.0F, 0.0F));
    put(workspace, "f/walk/hr.00.anm", make_random_anm(3, 4));
    put(workspace, "f/run/hr.00.anm", make_random_anm(3, 4));
    expect(workspace,
           "warning misfit f/bon/ll1.bon  x2; "
           "error misfit f/run/ll1.anm  x2",
           1, 1);
    ossa_workspace_free(workspace);
}

static void animations_of_other_skeletons(void **state)
{
    (void)state;
    ossa_workspace *workspace = ossa_workspace_new(NULL, NULL);
    assert_non_null(workspace);
    put(workspace, "p/a.skel", make_skel(3));
    put(workspace, "p/walk.anim", make_anim(1, 4, 3));
    expect(workspace, "", 1, 0);
    put(workspace, "p/limp.anim", make_anim(1, 4, 5));
    put(workspace, "p/roll.anim", make_anim(2, 4, 5));
    put(workspace, "q/fall.anim", make_anim(3, 4, 6)); /* there is no skeleton */
    expect(workspace, "error misfit p/limp.anim  x2", 2, 1);
    put(workspace, "p/b.skel", make_skel(4));
    expect(workspace, "warning misfit p/limp.anim  x2", 2, 0);
    ossa_workspace_free(workspace);
}

/* Clips that lie with one skeleton, with several, and with that of another folder only. */
static void animations_beside_skeletons(void **state)
{
    (void)state;
    enum { FOLDERS = 300 };
    size_t errors = 0;
    ossa_check check;
    ossa_workspace *workspace = ossa_workspace_new(NULL, NULL);
    assert_non_null(workspace);
    for (unsigned i = 0; i < FOLDERS; i++) {
        char path[32];
        (void)snprintf(path, sizeof path, "%03u/a.skel", i);
        put(workspace, path, make_skel(3));
        (void)snprintf(path, sizeof path, "%03u/b.anim", i);
        put(workspace, path, make_anim(1, 4, 5));
    }
    const ossa_options options = {.on_issue = count_errors, .user = &errors};
    assert_true(ossa_workspace_check(workspace, NULL, &options, &check, NULL));
    assert_int_equal(check.error_count, FOLDERS);
    assert_int_equal(errors, FOLDERS);
    ossa_workspace_free(workspace);

    workspace = ossa_workspace_new(NULL, NULL);
    assert_non_null(workspace);
    put(workspace, "a/a.skel", make_skel(3));
    put(workspace, "ab/b.anim", make_anim(1, 4, 5));
    expect(workspace, "", 0, 0);
    put(workspace, "ab/a.skel", make_skel(3));
    put(workspace, "ab/c.skel", make_skel(4));
    expect(workspace, "warning misfit ab/b.anim  x1", 1, 0);
    ossa_workspace_free(workspace);
}

static void tables_of_states(void **state)
{
    (void)state;
    ossa_workspace *workspace = ossa_workspace_new(NULL, NULL);
    assert_non_null(workspace);
    put(workspace, "p/a.skel", make_skel(3));
    put(workspace, "p/walk.anim", make_anim(1, 4, 3));
    put(workspace, "p/a.csv",
        make_text("A,walk,1,4,0,0,0,0,A\nB,WALK,1,5,0,0,0,0,A\nC,walk,6,1,0,0,0,0,A\n"
                  "D,run,1,1,0,0,0,0,A\n"
                  "E,run,1,1,0,0,0,0,A\n"));
    expect(workspace,
           "remark unusual-value p/a.csv states[1] x1; "
           "warning unusual-value p/a.csv states[2] x1; "
           "warning missing-part p/a.csv states[3] x2",
           1, 0);
    ossa_workspace_free(workspace);
}

TEST_GROUP(test_workspace_check)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_figure_has_nothing_to_report),
        cmocka_unit_test(parts_that_lack_something),
        cmocka_unit_test(parts_that_the_tree_does_not_have),
        cmocka_unit_test(animations_of_other_skeletons),
        cmocka_unit_test(animations_beside_skeletons),
        cmocka_unit_test(tables_of_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
