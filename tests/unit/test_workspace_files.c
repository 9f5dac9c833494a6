/* SPDX-License-Identifier: MIT
 *
 * The caller's own file system: what is asked of it, and what happens when a call fails. */
#include "support/file_table.h"

#include <stdio.h>
#include <string.h>

static void fill(struct file_table *table)
{
    table_add_sample(table, "game/f.res", "packed/figures.res");
    table_add_sample(table, "game/t.res", "packed/textures.res");
    table_add_sample(table, "game/ped/ped.skel", "pedestrian/ped.skel");
    table_add_sample(table, "game/ped/walk.anim", "pedestrian/walk.anim");
    table_add_sample(table, "game/NICO.DAT", "packed/NICO.DAT");
}

static void folders_are_listed(void **state)
{
    (void)state;
    struct file_table table = {0};
    fill(&table);
    ossa_workspace *workspace = table_workspace(&table, NULL);
    struct visit_log log = {0};
    const ossa_walk_options walk = {.detail = OSSA_DETAIL_NAMES, .visit = log_visit, .user = &log};
    assert_true(ossa_workspace_walk(workspace, "game", &walk, NULL));
    assert_string_equal(log.text, "0 game/NICO.DAT -\n0 game/f.res -\n0 game/ped/ped.skel -\n"
                                  "0 game/ped/walk.anim -\n0 game/t.res -\n");
    static const char *const paths[] = {"game/ped"};
    ossa_error error;
    ossa_scene *scene = ossa_workspace_scene(workspace, paths, 1, NULL, &error);
    require(scene != NULL, "game/ped", "%s", error.message);
    if (scene == NULL) return;
    assert_int_equal(scene->clip_count, 1);
    ossa_scene_free(scene);
    ossa_workspace_free(workspace);
    assert_int_equal(table.opened, table.closed);
    table_free(&table);
}

/* Files in memory are among those of the file system, and instead of those of the same path. */
static void memory_and_folders_are_listed_together(void **state)
{
    (void)state;
    struct file_table table = {0};
    fill(&table);
    ossa_workspace *workspace = table_workspace(&table, NULL);
    static const char *const added[] = {"game/ped/run.anim", "./game/ped/walk.anim",
                                        "game/ped/sub/x",    "game/ped.txt",
                                        "game/zoo/y",        "game/ped/zz"};
    for (size_t i = 0; i < sizeof added / sizeof added[0]; i++) {
        assert_true(ossa_workspace_add_memory(workspace, added[i], "x", 1, NULL));
    }
    struct visit_log log = {0};
    const ossa_walk_options walk = {.detail = OSSA_DETAIL_NAMES, .visit = log_visit, .user = &log};
    assert_true(ossa_workspace_walk(workspace, "game", &walk, NULL));
    assert_string_equal(log.text,
                        "0 game/NICO.DAT -\n0 game/f.res -\n0 game/ped/ped.skel -\n"
                        "0 game/ped/run.anim -\n0 game/ped/sub/x -\n0 ./game/ped/walk.anim -\n"
                        "0 game/ped/zz -\n0 game/ped.txt -\n0 game/t.res -\n0 game/zoo/y -\n");
    ossa_bytes bytes;
    assert_true(ossa_workspace_bytes(workspace, "game/ped/walk.anim", &bytes, NULL));
    assert_int_equal(bytes.size, 1);
    ossa_bytes_free(&bytes);
    assert_true(ossa_workspace_remove(workspace, "game/ped/walk.anim"));
    assert_true(ossa_workspace_bytes(workspace, "game/ped/walk.anim", &bytes, NULL));
    assert_true(bytes.size > 1);
    ossa_bytes_free(&bytes);
    ossa_workspace_free(workspace);
    table_free(&table);
}

static void a_file_system_without_folders_has_files(void **state)
{
    (void)state;
    struct file_table table = {0};
    fill(&table);
    ossa_filesystem files = table_filesystem(&table);
    files.list = NULL;
    const ossa_workspace_options options = {.filesystem = &files};
    ossa_workspace *workspace = ossa_workspace_new(&options, NULL);
    memset(&files, 0, sizeof files); /* it was copied */
    ossa_error error;
    ossa_file *file = ossa_workspace_open(workspace, "game/ped/ped.skel", NULL, &error);
    assert_non_null(file);
    ossa_file_free(file);
    static const char *const folder[] = {"game/ped"};
    assert_null(ossa_workspace_scene(workspace, folder, 1, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_IO);
    ossa_workspace_free(workspace);
    table_free(&table);
}

/* ---- failures ------------------------------------------------------------------------------ */

/* What is done with a workspace; false with the error. */
typedef bool action(ossa_workspace *workspace, ossa_error *error);

static bool open_entry(ossa_workspace *workspace, ossa_error *error)
{
    ossa_file *file = ossa_workspace_open(workspace, "game/f.res#troll.mod#hp", NULL, error);
    ossa_file_free(file);
    return file != NULL;
}

static bool get_bytes(ossa_workspace *workspace, ossa_error *error)
{
    ossa_bytes bytes;
    bool ok = ossa_workspace_bytes(workspace, "game/t.res", &bytes, error);
    ossa_bytes_free(&bytes);
    return ok;
}

/* A walk reports what fails in its visits. */
static bool walk_all(ossa_workspace *workspace, ossa_error *error)
{
    struct visit_log log = {0};
    const ossa_walk_options walk = {.detail = OSSA_DETAIL_FILES,
                                    .deep = true,
                                    .search = true,
                                    .visit = log_visit,
                                    .user = &log};
    bool ok = ossa_workspace_walk(workspace, "game", &walk, error);
    if (ok && log.errors > 0) {
        error->code = log.code;
        (void)snprintf(error->message, sizeof error->message, "in a visit");
    }
    return ok && log.errors == 0;
}

static bool load_scene(ossa_workspace *workspace, ossa_error *error)
{
    static const char *const paths[] = {"game/f.res#troll", "game/t.res"};
    ossa_scene *scene = ossa_workspace_scene(workspace, paths, 2, NULL, error);
    ossa_scene_free(scene);
    return scene != NULL;
}

static bool load_disc(ossa_workspace *workspace, ossa_error *error)
{
    static const char *const paths[] = {"game/NICO.DAT#0x4d5", "game/NICO.DAT#0xcd4"};
    ossa_scene *scene = ossa_workspace_scene(workspace, paths, 2, NULL, error);
    ossa_scene_free(scene);
    return scene != NULL;
}

static void require_survival(const char *name, action *act, bool is_silent)
{
    size_t calls = 1;
    for (size_t n = 0; n <= calls; n++) {
        struct file_table table = {.fail_at = n, .is_silent = is_silent};
        ossa_error error = {0};
        fill(&table);
        ossa_workspace *workspace = table_workspace(&table, NULL);
        bool ok = act(workspace, &error);
        /* Asking whether a path is a file may fail, and be asked again. */
        require(ok || table.failed, name, "%s", error.message);
        require(ok || (error.code != OSSA_CODE_OK && error.message[0] != '\0'), name,
                "call %zu fails without a reason", n);
        if (n == 0) calls = table.calls;
        ossa_workspace_free(workspace);
        require(table.opened == table.closed, name, "call %zu: %zu opened, %zu closed", n,
                table.opened, table.closed);
        table_free(&table);
    }
    assert_true(calls >= 2);
}

static void every_call_may_fail(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        bool is_silent = i == 1;
        require_survival("open", open_entry, is_silent);
        require_survival("bytes", get_bytes, is_silent);
        require_survival("walk", walk_all, is_silent);
        require_survival("scene", load_scene, is_silent);
        require_survival("disc", load_disc, is_silent);
    }
}

/* A file that becomes shorter, or of which not all can be read. */
static bool read_less(void *user, void *file, uint64_t offset, void *bytes, size_t size)
{
    (void)user;
    (void)file;
    memset(bytes, 0, size < 100 ? size : 100);
    return offset + size <= 100;
}

static void *open_any(void *user, const char *path, uint64_t *size, ossa_error *error)
{
    (void)path;
    (void)error;
    *size = *(const uint64_t *)user;
    return user;
}

static void close_any(void *user, void *file)
{
    (void)user;
    (void)file;
}

static void log_code(void *user, const ossa_issue *issue)
{
    *(ossa_code *)user = issue->code;
}

static void short_reads_are_reported(void **state)
{
    (void)state;
    static uint64_t sizes[] = {101, 300 << 10, UINT64_C(1) << 40, UINT64_MAX};
    for (unsigned i = 0; i < 4; i++) {
        const ossa_filesystem files = {
            .open = open_any, .read_at = read_less, .close = close_any, .user = &sizes[i]};
        const ossa_workspace_options options = {.filesystem = &files,
                                                .max_input = i == 3 ? UINT64_MAX : 1 << 20};
        ossa_code expected = i < 2 ? OSSA_CODE_IO : OSSA_CODE_TOO_LARGE;
        ossa_code reported = OSSA_CODE_OK;
        const ossa_options read = {.on_issue = log_code, .user = &reported};
        ossa_workspace *workspace = ossa_workspace_new(&options, NULL);
        ossa_error error;
        ossa_bytes bytes;
        assert_false(ossa_workspace_bytes(workspace, "x", &bytes, &error));
        assert_int_equal(error.code, expected);
        assert_null(bytes.data);
        assert_null(ossa_workspace_open(workspace, "x", &read, &error));
        assert_int_equal(error.code, expected);
        assert_int_equal(reported, expected);
        assert_string_equal(error.path, "x");
        ossa_workspace_free(workspace);
    }
}

TEST_GROUP(test_workspace_files)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folders_are_listed),
        cmocka_unit_test(memory_and_folders_are_listed_together),
        cmocka_unit_test(a_file_system_without_folders_has_files),
        cmocka_unit_test(every_call_may_fail),
        cmocka_unit_test(short_reads_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
