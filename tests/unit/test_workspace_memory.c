/* SPDX-License-Identifier: MIT
 *
 * Every allocation of a workspace fails in turn: nothing leaks, and the call says what was wrong.
 */
#include "support/counting.h"
#include "support/file_table.h"
#include "support/scenes.h"

#include <stdio.h>
#include <string.h>

/* What is done with a workspace; true if it worked. */
typedef bool action(ossa_workspace *workspace, ossa_error *error);

static bool add(ossa_workspace *workspace, ossa_error *error)
{
    char path[16];
    for (unsigned i = 0; i < 40; i++) {
        (void)snprintf(path, sizeof path, "m/%u", i % 20);
        bool ok = i % 2 == 0 ? ossa_workspace_add(workspace, path, error)
                             : ossa_workspace_add_memory(workspace, path, "x", 1, error);
        if (!ok) return false;
    }
    assert_true(ossa_workspace_remove(workspace, "m/3"));
    return true;
}

static bool open_file(ossa_workspace *workspace, ossa_error *error)
{
    static const char *const paths[] = {"f.res#troll.mod#hp", "p/ped.skel", "f.res",
                                        "f.res#TROLL.anm"};
    for (unsigned i = 0; i < 4; i++) {
        ossa_file *file = ossa_workspace_open(workspace, paths[i], NULL, error);
        if (file == NULL) return false;
        ossa_file_free(file);
    }
    return true;
}

static bool get_bytes(ossa_workspace *workspace, ossa_error *error)
{
    static const char *const paths[] = {"f.res#troll.mod#hp", "p/ped.skel", "m.res#troll.adb"};
    struct bytes memory = load_test_file("../samples/packed/database.res");
    bool ok = ossa_workspace_add_memory(workspace, "m.res", memory.data, memory.size, error);
    bytes_free(&memory);
    for (unsigned i = 0; i < 3 && ok; i++) {
        ossa_bytes bytes;
        ok = ossa_workspace_bytes(workspace, paths[i], &bytes, error);
        ossa_bytes_free(&bytes);
    }
    return ok;
}

/* A file that there is no memory for does not end a walk: the visit says so. */
static bool walk_in(ossa_workspace *workspace, const char *path, ossa_detail detail, bool search,
                    ossa_error *error)
{
    struct visit_log log = {0};
    const ossa_walk_options walk = {
        .detail = detail, .deep = true, .search = search, .visit = log_visit, .user = &log};
    bool ok = ossa_workspace_walk(workspace, path, &walk, error);
    if (ok && log.errors > 0) error->code = log.code;
    return ok && log.errors == 0;
}

static bool walk_all(ossa_workspace *workspace, ossa_error *error)
{
    return walk_in(workspace, "p", OSSA_DETAIL_NAMES, false, error) &&
           walk_in(workspace, "t.res", OSSA_DETAIL_FORMATS, false, error) &&
           walk_in(workspace, "t.res", OSSA_DETAIL_BYTES, false, error) &&
           walk_in(workspace, "t.res", OSSA_DETAIL_BYTES, true, error) &&
           walk_in(workspace, "t.res", OSSA_DETAIL_FILES, false, error) &&
           walk_in(workspace, "f.res#troll.bon", OSSA_DETAIL_FILES, false, error) &&
           walk_in(workspace, "p", OSSA_DETAIL_FILES, true, error) &&
           walk_in(workspace, "NICO.DAT", OSSA_DETAIL_FORMATS, true, error);
}

static bool find_figures(ossa_workspace *workspace, ossa_error *error)
{
    static const char *const paths[] = {"p", "t.res", "f.res", "NICO.DAT"};
    for (unsigned i = 0; i < 4; i++) {
        if (!ossa_workspace_add(workspace, paths[i], error)) return false;
    }
    ossa_figures *figures = ossa_workspace_figures(workspace, NULL, error);
    if (figures == NULL) return false;
    /* Less would be a lie. */
    assert_int_equal(figures->count, 4);
    size_t files = 0;
    for (size_t i = 0; i < figures->count; i++) files += figures->items[i].path_count;
    assert_int_equal(files, 8);
    ossa_figures_free(figures);
    figures = ossa_workspace_figures(workspace, "p", error);
    bool ok = figures != NULL;
    assert_true(!ok || figures->count == 1);
    ossa_figures_free(figures);
    return ok;
}

static bool make_survey(ossa_workspace *workspace, ossa_error *error)
{
    static const char *const paths[] = {"p", "f.res#troll.bon", "NICO.DAT#0xcd4"};
    ossa_survey *survey = ossa_workspace_survey(workspace, paths, 3, error);
    if (survey == NULL) return false;
    assert_int_equal(survey->clip_count, 2);
    assert_int_equal(survey->unreadable, 0);
    ossa_survey_free(survey);
    return true;
}

static bool load_scene(ossa_workspace *workspace, ossa_error *error)
{
    static const char *const paths[] = {"f.res#troll.mod", "t.res"};
    ossa_scene *scene = ossa_workspace_scene(workspace, paths, 2, NULL, error);
    if (scene == NULL) return false;
    assert_int_equal(scene->texture_count, 1);
    ossa_scene_free(scene);
    return true;
}

static bool check(ossa_workspace *workspace, ossa_error *error)
{
    static const char *const paths[] = {"p", "t.res", "f.res"};
    struct bytes skeleton = make_skel(3);
    struct bytes clip = make_anim(1, 4, 5); /* of another */
    bool ok =
        ossa_workspace_add_memory(workspace, "q/a.skel", skeleton.data, skeleton.size, error) &&
        ossa_workspace_add_memory(workspace, "q/b.anim", clip.data, clip.size, error);
    bytes_free(&skeleton);
    bytes_free(&clip);
    for (unsigned i = 0; ok && i < 3; i++) ok = ossa_workspace_add(workspace, paths[i], error);
    ossa_check found;
    if (!ok || !ossa_workspace_check(workspace, NULL, NULL, &found, error)) return false;
    assert_int_equal(found.figure_count, 4);
    assert_int_equal(found.error_count, 1);
    return true;
}

static bool load_named(ossa_workspace *workspace, ossa_error *error)
{
    static const char *const paths[] = {"Ped"};
    if (!ossa_workspace_add(workspace, "p", error)) return false;
    ossa_scene *scene = ossa_workspace_scene(workspace, paths, 1, NULL, error);
    if (scene == NULL) return false;
    assert_int_equal(scene->clip_count, 1);
    ossa_scene_free(scene);
    return true;
}

static void require_survival(const char *name, action *act)
{
    size_t calls = 1;
    for (size_t n = 0; n <= calls; n++) {
        struct file_table table = {0};
        struct counting counting = {.fail_at = n};
        ossa_allocator allocator = counting_allocator(&counting);
        ossa_error error = {0};
        table_add_sample(&table, "f.res", "packed/figures.res");
        table_add_sample(&table, "t.res", "packed/textures.res");
        table_add_sample(&table, "NICO.DAT", "packed/NICO.DAT");
        table_add_sample(&table, "p/ped.skel", "pedestrian/ped.skel");
        table_add_sample(&table, "p/walk.anim", "pedestrian/walk.anim");
        ossa_workspace *workspace = table_workspace(&table, &allocator);
        bool ok = workspace != NULL && act(workspace, &error);
        if (workspace == NULL) error.code = OSSA_CODE_OUT_OF_MEMORY;
        require(ok || counting.failed, name, "fails by itself: %s", error.message);
        /* Where nobody needs it, memory may be missing: a cache, or a message. */
        require(ok || error.code == OSSA_CODE_OUT_OF_MEMORY, name, "allocation %zu: %s: %s", n,
                ossa_code_name(error.code), error.message);
        if (n == 0) calls = counting.calls;
        ossa_workspace_free(workspace);
        require(counting.live == 0 && !counting.wrong_release, name,
                "allocation %zu: %zu bytes leak", n, counting.live);
        require(table.opened == table.closed, name, "allocation %zu: a file stays open", n);
        table_free(&table);
    }
    assert_true(calls > 1);
}

static void adding_survives(void **state)
{
    (void)state;
    require_survival("add", add);
}

/* Memory that a workspace takes over is not copied, and after a failure it is the caller's. */
static void adopting_survives(void **state)
{
    (void)state;
    enum { SIZE = 100000 };
    size_t calls = 1;
    for (size_t n = 0; n <= calls; n++) {
        struct counting counting = {0};
        ossa_allocator allocator = counting_allocator(&counting);
        const ossa_workspace_options options = {.allocator = allocator};
        ossa_workspace *workspace = ossa_workspace_new(&options, NULL);
        ossa_error error = {0};
        ossa_bytes bytes = {0};
        uint8_t *data = allocator.allocate(allocator.user, SIZE);
        assert_non_null(data);
        memset(data, 'x', SIZE);
        size_t before = counting.calls;
        size_t live = counting.live;
        counting.fail_at = n == 0 ? 0 : before + n;
        bool ok = ossa_workspace_adopt_memory(workspace, "m/x", data, SIZE, &error);
        if (n == 0) calls = counting.calls - before;
        if (!ok) {
            assert_int_equal(error.code, OSSA_CODE_OUT_OF_MEMORY);
            assert_false(ossa_workspace_bytes(workspace, "m/x", &bytes, NULL));
            allocator.release(allocator.user, data, SIZE);
        } else {
            assert_int_equal(n, 0);
            assert_true(counting.peak - live < SIZE / 10);
            assert_true(ossa_workspace_bytes(workspace, "m/x", &bytes, NULL));
            assert_int_equal(bytes.size, SIZE);
            assert_memory_equal(bytes.data, data, SIZE);
        }
        ossa_bytes_free(&bytes);
        assert_true(ossa_workspace_adopt_memory(workspace, "m/none", NULL, 0, &error));
        ossa_workspace_free(workspace);
        assert_int_equal(counting.live, 0);
        assert_false(counting.wrong_release);
    }
    assert_true(calls > 2);
}

static void opening_survives(void **state)
{
    (void)state;
    require_survival("open", open_file);
    require_survival("bytes", get_bytes);
}

static void walking_survives(void **state)
{
    (void)state;
    require_survival("walk", walk_all);
}

static void figures_survive(void **state)
{
    (void)state;
    require_survival("figures", find_figures);
}

static void surveys_survive(void **state)
{
    (void)state;
    require_survival("survey", make_survey);
}

static void scenes_survive(void **state)
{
    (void)state;
    require_survival("scene", load_scene);
    require_survival("named", load_named);
}

static void checks_survive(void **state)
{
    (void)state;
    require_survival("check", check);
}

/* ---- large inputs -------------------------------------------------------------------------- */

/* Bodies of nobody, each in a folder of its own or all in one, and clips that fit none of them. */
static void grouping_takes_little_memory(void **state)
{
    (void)state;
    enum { BODIES = 3000 };
    for (unsigned kind = 0; kind < 3; kind++) {
        struct counting counting = {0};
        const ossa_workspace_options options = {.allocator = counting_allocator(&counting)};
        ossa_workspace *workspace = ossa_workspace_new(&options, NULL);
        struct bytes skeleton = load_test_file("../samples/pedestrian/ped.skel");
        char path[64];
        for (unsigned i = 0; i < BODIES; i++) {
            const char *form = kind == 0 ? "all/%04u.skel" : "all/%04u/x.skel";
            if (kind == 2) form = "/all/a/%04u/b/x.skel";
            /* NOLINTNEXTLINE(clang-diagnostic-format-nonliteral) */
            (void)snprintf(path, sizeof path, form, i);
            assert_true(
                ossa_workspace_add_memory(workspace, path, skeleton.data, skeleton.size, NULL));
        }
        size_t before = counting.live;
        counting.peak = before;
        ossa_figures *figures = ossa_workspace_figures(workspace, NULL, NULL);
        assert_non_null(figures);
        assert_int_equal(figures->count, BODIES);
        require(counting.peak - before < (size_t)BODIES * 4096, "figures", "kind %u: %zu bytes",
                kind, counting.peak - before);
        ossa_figures_free(figures);
        ossa_workspace_free(workspace);
        assert_int_equal(counting.live, 0);
        bytes_free(&skeleton);
    }
}

/* Folders in folders, as deep as a path may be long. */
static void deep_folders_are_grouped(void **state)
{
    (void)state;
    enum { DEPTH = 30000 };
    static char path[2 * DEPTH + 16];
    struct bytes skeleton = load_test_file("../samples/pedestrian/ped.skel");
    ossa_workspace *workspace = ossa_workspace_new(NULL, NULL);
    for (unsigned i = 0; i < DEPTH; i++) memcpy(path + 2 * (size_t)i, "a/", 2);
    for (unsigned i = 0; i < 100; i++) {
        (void)snprintf(path + 2 * (size_t)(DEPTH - i), 16, "b%u.skel", i);
        assert_true(ossa_workspace_add_memory(workspace, path, skeleton.data, skeleton.size, NULL));
        memcpy(path + 2 * (size_t)(DEPTH - i), "a/", 2);
    }
    ossa_figures *figures = ossa_workspace_figures(workspace, NULL, NULL);
    assert_non_null(figures);
    assert_int_equal(figures->count, 100);
    ossa_figures_free(figures);
    ossa_workspace_free(workspace);
    bytes_free(&skeleton);
}

TEST_GROUP(test_workspace_memory)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adding_survives),
        cmocka_unit_test(adopting_survives),
        cmocka_unit_test(opening_survives),
        cmocka_unit_test(walking_survives),
        cmocka_unit_test(figures_survive),
        cmocka_unit_test(surveys_survive),
        cmocka_unit_test(scenes_survive),
        cmocka_unit_test(checks_survive),
        cmocka_unit_test(grouping_takes_little_memory),
        cmocka_unit_test(deep_folders_are_grouped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
