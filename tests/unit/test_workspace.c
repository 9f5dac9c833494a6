/* SPDX-License-Identifier: MIT
 *
 * Workspaces: where paths lead, what a walk visits, and files in memory. */
#include "support/file_table.h"
#include "support/packing.h"

#include <stdio.h>
#include <string.h>

#define SAMPLES OSSA_SAMPLE_DIR "/packed/"

static ossa_workspace *new_workspace(void)
{
    ossa_error error;
    ossa_workspace *workspace = ossa_workspace_new(NULL, &error);
    assert_non_null(workspace);
    return workspace;
}

static void add_memory(ossa_workspace *workspace, const char *path, const struct bytes *bytes)
{
    ossa_error error = {.code = OSSA_CODE_IO};
    assert_true(ossa_workspace_add_memory(workspace, path, bytes->data, bytes->size, &error));
    assert_int_equal(error.code, OSSA_CODE_OK);
}

static void add_text(ossa_workspace *workspace, const char *path, const char *text)
{
    assert_true(ossa_workspace_add_memory(workspace, path, text, strlen(text), NULL));
}

static void add_sample(ossa_workspace *workspace, const char *path, const char *sample)
{
    char full[256];
    (void)snprintf(full, sizeof full, "../samples/packed/%s", sample);
    struct bytes bytes = load_test_file(full);
    add_memory(workspace, path, &bytes);
    bytes_free(&bytes);
}

static void require_text(ossa_workspace *workspace, const char *path, const char *text)
{
    ossa_bytes bytes;
    ossa_error error;
    bool ok = ossa_workspace_bytes(workspace, path, &bytes, &error);
    require(ok, path, "%s", error.message);
    require(bytes.size == strlen(text) && memcmp(bytes.data, text, bytes.size) == 0, path, "'%.*s'",
            (int)bytes.size, (const char *)bytes.data);
    ossa_bytes_free(&bytes);
}

static void require_no_bytes(ossa_workspace *workspace, const char *path, ossa_code code)
{
    ossa_bytes bytes;
    ossa_error error;
    require(!ossa_workspace_bytes(workspace, path, &bytes, &error), path, "is there");
    require(error.code == code, path, "%s: %s", ossa_code_name(error.code), error.message);
    assert_null(bytes.data);
    assert_true(strstr(path, error.path) != NULL && error.path[0] != '\0');
    assert_null(ossa_workspace_open(workspace, path, NULL, &error));
    assert_int_equal(error.code, code);
}

static void require_format(ossa_workspace *workspace, const char *path, const char *format)
{
    ossa_error error;
    ossa_file *file = ossa_workspace_open(workspace, path, NULL, &error);
    require(file != NULL, path, "%s", error.message);
    if (file == NULL) return;
    assert_string_equal(file->format->id, format);
    ossa_file_free(file);
}

/* ---- scenes -------------------------------------------------------------------------------- */

/* Where the faces of the samples are: the figures of one game look the other way. */
static void a_scene_knows_where_to_look_from(void **state)
{
    (void)state;
    static const struct {
        const char *folder;
        bool is_in_front; /* on the side of +Z */
    } samples[] = {{"troll", true}, {"pedestrian", false}, {"rabbit", true}, {"bird", true}};
    for (unsigned i = 0; i < 4; i++) {
        char path[512];
        (void)snprintf(path, sizeof path, "%s/%s", OSSA_SAMPLE_DIR, samples[i].folder);
        const char *const paths[] = {path};
        ossa_workspace *workspace = new_workspace();
        ossa_scene *scene = ossa_workspace_scene(workspace, paths, 1, NULL, NULL);
        assert_non_null(scene);
        const float *view = scene->viewpoint;
        float size = view[0] * view[0] + view[1] * view[1] + view[2] * view[2];
        require(size > 0.98F && size < 1.02F, path, "the viewpoint has the size %f", (double)size);
        require((view[2] > 0.0F) == samples[i].is_in_front, path, "seen from behind");
        require(view[1] > 0.0F, path, "seen from below");
        ossa_scene_free(scene);
        ossa_workspace_free(workspace);
    }
}

/* ---- paths --------------------------------------------------------------------------------- */

static void paths_lead_through_archives(void **state)
{
    (void)state;
    ossa_workspace *workspace = new_workspace();
    require_format(workspace, SAMPLES "figures.res", "ei-res");
    require_format(workspace, SAMPLES "figures.res#troll.mod", "ei-res");
    require_format(workspace, SAMPLES "figures.res#troll.mod#hp", "ei-fig");
    require_format(workspace, SAMPLES "figures.res#TROLL.Mod#HP", "ei-fig");
    require_format(workspace, SAMPLES "ped.ar#anim\\ped.skel", "mm-skel");
    require_format(workspace, SAMPLES "rabbit.pak#rabbit/hop.anm", "vib-anm");
    require_format(workspace, SAMPLES "NICO.DAT#0x4d5", "sotc-skb");
    require_format(workspace, SAMPLES "NICO.DAT#0x000004D5.skb", "sotc-skb");
    require_no_bytes(workspace, SAMPLES "NICO.DAT#0x4d6", OSSA_CODE_NO_ENTRY);
    require_no_bytes(workspace, SAMPLES "figures.res#nobody", OSSA_CODE_NO_ENTRY);
    require_no_bytes(workspace, SAMPLES "figures.res#troll", OSSA_CODE_NO_ENTRY); /* several */
    require_no_bytes(workspace, SAMPLES "figures.res#troll.mod#", OSSA_CODE_NO_ENTRY);
    require_no_bytes(workspace, SAMPLES "figures.res#troll.mod#hp#x", OSSA_CODE_NOT_AN_ARCHIVE);
    require_no_bytes(workspace, SAMPLES "nothing.res", OSSA_CODE_IO);
    require_no_bytes(workspace, SAMPLES "nothing.res#x", OSSA_CODE_IO);
    require_no_bytes(workspace, SAMPLES, OSSA_CODE_IO);
    ossa_workspace_free(workspace);
}

static void a_file_may_have_a_mark_in_its_name(void **state)
{
    (void)state;
    ossa_workspace *workspace = new_workspace();
    const ossa_packing inner[] = {{"b", (const uint8_t *)"inner", 5, 1},
                                  {"b#c", (const uint8_t *)"marked", 6, 1},
                                  {"folder/d", (const uint8_t *)"deep", 4, 1}};
    struct bytes archive = pack_or_fail("ei-res", "marks", inner, 3);
    add_memory(workspace, "a", &archive);
    require_text(workspace, "a#b", "inner");
    require_text(workspace, "a#b#c", "marked");
    require_text(workspace, "a#FOLDER\\D", "deep");
    add_text(workspace, "a#b", "a whole file");
    require_text(workspace, "a#b", "a whole file");
    require_text(workspace, "a#b#c", "marked");
    assert_true(ossa_workspace_remove(workspace, "a#b"));
    require_text(workspace, "a#b", "inner");
    bytes_free(&archive);
    ossa_workspace_free(workspace);
}

/* ---- memory -------------------------------------------------------------------------------- */

static void files_in_memory_are_replaced_and_removed(void **state)
{
    (void)state;
    ossa_workspace *workspace = new_workspace();
    add_text(workspace, "x/a.txt", "first");
    require_text(workspace, "x/a.txt", "first");
    require_text(workspace, "./x//y/../a.txt", "first");
    require_no_bytes(workspace, "y/../../x/a.tx", OSSA_CODE_IO);
    add_text(workspace, "./x/a.txt", "second");
    require_text(workspace, "x/a.txt", "second");
    assert_string_equal(ossa_workspace_path(workspace, 0), "x/a.txt");
    assert_null(ossa_workspace_path(workspace, 1));
    add_text(workspace, "empty", "");
    require_text(workspace, "empty", "");
    assert_true(ossa_workspace_remove(workspace, "x/./a.txt"));
    assert_false(ossa_workspace_remove(workspace, "x/a.txt"));
    require_no_bytes(workspace, "x/a.txt", OSSA_CODE_IO);
    assert_string_equal(ossa_workspace_path(workspace, 0), "empty");
    add_text(workspace, "x/a.txt", "third");
    require_text(workspace, "x/a.txt", "third");
    ossa_workspace_free(workspace);
}

static void many_files_in_memory_are_found(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    ossa_workspace *workspace = new_workspace();
    char path[32];
    for (unsigned i = 0; i < COUNT; i++) {
        (void)snprintf(path, sizeof path, "m/%u", i);
        add_text(workspace, path, path);
    }
    for (unsigned i = 0; i < COUNT; i += 2) {
        (void)snprintf(path, sizeof path, "m/%u", i);
        assert_true(ossa_workspace_remove(workspace, path));
        assert_false(ossa_workspace_remove(workspace, path));
    }
    for (unsigned i = 0; i < COUNT; i++) {
        (void)snprintf(path, sizeof path, "m/%u", i);
        if (i % 2 == 1) require_text(workspace, path, path);
        else require_no_bytes(workspace, path, OSSA_CODE_IO);
    }
    assert_string_equal(ossa_workspace_path(workspace, 1), "m/3");
    assert_null(ossa_workspace_path(workspace, COUNT / 2));
    ossa_workspace_free(workspace);
}

/* An archive that is open under a path does not stay there when another file takes the path. */
static void an_added_file_goes_before_an_open_archive(void **state)
{
    (void)state;
    struct file_table table = {0};
    table_add_sample(&table, "a.res", "packed/textures.res");
    ossa_workspace *workspace = table_workspace(&table, NULL);
    struct visit_log log = {0};
    const ossa_walk_options walk = {
        .detail = OSSA_DETAIL_FORMATS, .visit = log_visit, .user = &log};
    require_format(workspace, "a.res#troll00.mmp", "ei-mmp");
    add_sample(workspace, "a.res", "database.res");
    require_no_bytes(workspace, "a.res#troll00.mmp", OSSA_CODE_NO_ENTRY);
    require_format(workspace, "a.res#troll.adb", "ei-adb");
    add_sample(workspace, "a.res", "ped.ar");
    require_format(workspace, "a.res#anim/ped.skel", "mm-skel");
    assert_true(ossa_workspace_remove(workspace, "a.res"));
    assert_true(ossa_workspace_walk(workspace, "a.res", &walk, NULL));
    assert_non_null(strstr(log.text, "1 a.res#troll00.mmp ei-mmp\n"));
    ossa_workspace_free(workspace);
    assert_int_equal(table.opened, table.closed);
    table_free(&table);
}

/* ---- after the workspace ------------------------------------------------------------------- */

static struct bytes make_large_archive(void)
{
    static uint8_t filler[300 << 10];
    struct bytes model = load_test_file("../samples/packed/textures.res");
    const ossa_packing entries[] = {{"inner.res", model.data, model.size, 1},
                                    {"filler", filler, sizeof filler, 1}};
    struct bytes archive = pack_or_fail("ei-res", "large", entries, 2);
    bytes_free(&model);
    return archive;
}

/* Large archives are read in parts: the file stays open as long as somebody may read from it. */
static void files_outlive_their_workspace(void **state)
{
    (void)state;
    struct file_table table = {0};
    table_add(&table, "large.res", make_large_archive());
    ossa_workspace *workspace = table_workspace(&table, NULL);
    add_sample(workspace, "m.res", "textures.res");
    ossa_file *files[4];
    static const char *const paths[] = {"large.res", "large.res#inner.res",
                                        "large.res#inner.res#troll00.mmp", "m.res#troll00.mmp"};
    for (unsigned i = 0; i < 4; i++) {
        files[i] = ossa_workspace_open(workspace, paths[i], NULL, NULL);
        assert_non_null(files[i]);
    }
    ossa_workspace_free(workspace);
    assert_true(table.opened > table.closed);
    ossa_bytes bytes;
    assert_true(ossa_entry_bytes(files[0], 0, NULL, &bytes, NULL));
    ossa_bytes_free(&bytes);
    for (unsigned i = 0; i < 4; i++) {
        struct bytes written = write_or_fail(paths[i], files[i]);
        assert_true(written.size > 0);
        bytes_free(&written);
        ossa_file_free(files[i]);
    }
    assert_int_equal(table.opened, table.closed);
    table_free(&table);
}

static void large_archives_are_read_in_parts(void **state)
{
    (void)state;
    struct file_table table = {0};
    table_add(&table, "large.res", make_large_archive());
    ossa_workspace *workspace = table_workspace(&table, NULL);
    require_format(workspace, "large.res#inner.res#troll00.mmp", "ei-mmp");
    assert_true(table.read < table.items[0].bytes.size / 4);
    ossa_workspace_free(workspace);
    table_free(&table);
}

/* ---- walks --------------------------------------------------------------------------------- */

static void require_walk(ossa_workspace *workspace, const char *path, ossa_walk_options options,
                         const char *expected)
{
    struct visit_log log = {0};
    ossa_error error;
    options.visit = log_visit;
    options.leave = log_leave;
    options.user = &log;
    bool ok = ossa_workspace_walk(workspace, path, &options, &error);
    require(ok, path, "%s", error.message);
    assert_int_equal(error.code, OSSA_CODE_OK);
    assert_string_equal(log.text, expected);
}

static void walks_have_four_details(void **state)
{
    (void)state;
    ossa_workspace *workspace = new_workspace();
    add_sample(workspace, "d/t.res", "textures.res");
    add_text(workspace, "d/a.txt", "nobody's");
    static const char names[] = "0 d/a.txt -\n0 d/t.res -\n";
    static const char formats[] = "0 d/a.txt - unknown-format\n0 d/t.res ei-res\n"
                                  "1 d/t.res#troll00.mmp ei-mmp\n1 d/t.res#wyvern00.mmp ei-mmp\n";
    static const char bytes[] = "0 d/a.txt -\n0 d/t.res ei-res\n"
                                "1 d/t.res#troll00.mmp ei-mmp\n1 d/t.res#wyvern00.mmp ei-mmp\n";
    require_walk(workspace, "d", (ossa_walk_options){.detail = OSSA_DETAIL_NAMES}, names);
    require_walk(workspace, "d/", (ossa_walk_options){.detail = OSSA_DETAIL_FORMATS}, formats);
    require_walk(workspace, "d", (ossa_walk_options){.detail = OSSA_DETAIL_BYTES}, bytes);
    require_walk(workspace, "d", (ossa_walk_options){.detail = OSSA_DETAIL_BYTES, .search = true},
                 formats);
    require_walk(workspace, "d", (ossa_walk_options){.detail = OSSA_DETAIL_FILES}, formats);
    require_walk(workspace, "d/t.res#troll00.mmp", (ossa_walk_options){.detail = OSSA_DETAIL_FILES},
                 "0 d/t.res ei-res\n1 d/t.res#troll00.mmp ei-mmp\n");
    ossa_workspace_free(workspace);
}

static void walks_go_deep_if_they_are_asked_to(void **state)
{
    (void)state;
    struct visit_log flat = {0};
    struct visit_log deep = {0};
    struct visit_log figure = {0};
    struct visit_log over = {.over = true};
    ossa_workspace *workspace = new_workspace();
    ossa_walk_options options = {
        .detail = OSSA_DETAIL_FORMATS, .visit = log_visit, .leave = log_leave, .user = &flat};
    assert_true(ossa_workspace_walk(workspace, SAMPLES "figures.res", &options, NULL));
    assert_int_equal(flat.count, 7);
    assert_int_equal(flat.left, 1);
    options.deep = true;
    options.user = &deep;
    assert_true(ossa_workspace_walk(workspace, SAMPLES "figures.res", &options, NULL));
    assert_true(deep.count > 100 && deep.left > 7);
    assert_non_null(strstr(deep.text, "figures.res#troll.mod#hp ei-fig\n"));
    options.user = &figure;
    assert_true(ossa_workspace_walk(workspace, SAMPLES "figures.res#troll", &options, NULL));
    assert_true(figure.count > 50 && figure.count < deep.count);
    options.user = &over;
    assert_true(ossa_workspace_walk(workspace, SAMPLES "figures.res", &options, NULL));
    assert_int_equal(over.count, 1);
    ossa_workspace_free(workspace);
}

static void walks_visit_a_folder_of_an_archive(void **state)
{
    (void)state;
    ossa_workspace *workspace = new_workspace();
    add_sample(workspace, "r.pak", "rabbit.pak");
    require_walk(workspace, "r.pak#RABBIT/", (ossa_walk_options){.detail = OSSA_DETAIL_FORMATS},
                 "0 r.pak vib-pak\n1 r.pak#rabbit/rabbit.tmd vib-tmd\n"
                 "1 r.pak#rabbit/hop.anm vib-anm\n1 r.pak#rabbit/walk0.anm vib-anm\n"
                 "1 r.pak#rabbit/walk1.anm vib-anm\n");
    ossa_workspace_free(workspace);
}

static void walks_search_discs(void **state)
{
    (void)state;
    ossa_workspace *workspace = new_workspace();
    add_sample(workspace, "disc", "NICO.DAT");
    add_sample(workspace, "d/NICO.DAT", "NICO.DAT");
    require_walk(workspace, "disc",
                 (ossa_walk_options){.detail = OSSA_DETAIL_FORMATS, .search = true},
                 "0 disc sotc-nico\n1 disc#0x000004d5.skb sotc-skb\n"
                 "1 disc#0x00000cd4.anb sotc-anb\n1 disc#0x00001f59.anb sotc-anb\n");
    require_walk(workspace, "disc", (ossa_walk_options){.detail = OSSA_DETAIL_FORMATS},
                 "0 disc - unknown-format\n");
    /* What is called so is searched without being asked for. */
    require_walk(workspace, "d/NICO.DAT#0xcd4", (ossa_walk_options){.detail = OSSA_DETAIL_FORMATS},
                 "0 d/NICO.DAT sotc-nico\n1 d/NICO.DAT#0xcd4 sotc-anb\n");
    ossa_workspace_free(workspace);
}

static void walks_fail_where_a_path_leads_nowhere(void **state)
{
    (void)state;
    static const char *const paths[] = {SAMPLES "figures.res#nobody", SAMPLES "nothing.res#x#y",
                                        SAMPLES "figures.res#troll.mod#hp#x"};
    ossa_workspace *workspace = new_workspace();
    for (int detail = OSSA_DETAIL_NAMES; detail <= OSSA_DETAIL_FILES; detail++) {
        struct visit_log log = {0};
        ossa_error error;
        const ossa_walk_options options = {
            .detail = (ossa_detail)detail, .visit = log_visit, .user = &log};
        for (unsigned i = 0; i < 3; i++) {
            bool is_file = i == 1; /* it is visited, with what is wrong with it */
            bool ok = ossa_workspace_walk(workspace, paths[i], &options, &error);
            bool may_be = is_file && detail > OSSA_DETAIL_NAMES;
            require(ok == may_be, paths[i], "detail %d", detail);
            assert_true(ok || (error.code != OSSA_CODE_OK && error.message[0] != '\0'));
        }
        assert_int_equal(log.count, log.errors);
    }
    ossa_workspace_free(workspace);
}

static void a_walk_stops(void **state)
{
    (void)state;
    ossa_workspace *workspace = new_workspace();
    for (size_t i = 1; i < 20; i++) {
        struct visit_log log = {.stop_after = i};
        const ossa_walk_options options = {.detail = OSSA_DETAIL_FORMATS,
                                           .deep = true,
                                           .visit = log_visit,
                                           .leave = log_leave,
                                           .user = &log};
        assert_true(ossa_workspace_walk(workspace, OSSA_SAMPLE_DIR "/packed", &options, NULL));
        assert_int_equal(log.count, i);
    }
    ossa_workspace_free(workspace);
}

/* ---- issues -------------------------------------------------------------------------------- */

struct path_log {
    size_t count;
    char last[256];
};

static void log_path(void *user, const ossa_issue *issue)
{
    struct path_log *log = user;
    log->count++;
    (void)snprintf(log->last, sizeof log->last, "%s", issue->path);
}

static void issues_have_the_whole_path(void **state)
{
    (void)state;
    ossa_workspace *workspace = new_workspace();
    static const uint8_t bad[] = "FIG8 and nothing else";
    const ossa_packing inner[] = {{"hp.fig", bad, sizeof bad, 1}, {"note", bad + 5, 3, 1}};
    struct bytes middle = pack_or_fail("ei-res", "middle", inner, 2);
    const ossa_packing outer[] = {{"x.res", middle.data, middle.size, 1}};
    struct bytes archive = pack_or_fail("ei-res", "outer", outer, 1);
    add_memory(workspace, "a.res", &archive);
    struct path_log issues = {0};
    struct visit_log log = {0};
    const ossa_options read = {.on_issue = log_path, .user = &issues};
    const ossa_walk_options walk = {
        .detail = OSSA_DETAIL_FILES, .deep = true, .read = &read, .visit = log_visit, .user = &log};
    assert_true(ossa_workspace_walk(workspace, "a.res", &walk, NULL));
    assert_int_equal(issues.count, 1); /* the note is a stray */
    assert_string_equal(issues.last, "a.res#x.res#hp.fig");
    issues = (struct path_log){0};
    ossa_error error;
    assert_null(ossa_workspace_open(workspace, "a.res#x.res#hp.fig", &read, &error));
    assert_int_equal(issues.count, 1);
    assert_string_equal(error.path, "a.res#x.res#hp.fig");
    assert_string_equal(issues.last, error.path);
    assert_null(ossa_workspace_open(workspace, "a.res#x.res#gone", &read, &error));
    assert_int_equal(issues.count, 2);
    assert_string_equal(issues.last, "a.res#x.res#gone");
    bytes_free(&archive);
    bytes_free(&middle);
    ossa_workspace_free(workspace);
}

/* ---- progress ------------------------------------------------------------------------------ */

struct patience {
    size_t calls;
    size_t cancel_at; /* only then; 0: never */
};

static bool count_progress(void *user, const ossa_progress *progress)
{
    struct patience *patience = user;
    assert_non_null(progress->path);
    assert_true(progress->total == 0 || progress->done <= progress->total);
    return ++patience->calls != patience->cancel_at;
}

/* Each call of the callback in turn says no, and only that one. */
static void calls_are_cancelled(void **state)
{
    (void)state;
    struct patience patience = {0};
    const ossa_workspace_options options = {.on_progress = count_progress, .user = &patience};
    struct visit_log log;
    const ossa_walk_options walk = {
        .detail = OSSA_DETAIL_FORMATS, .search = true, .visit = log_visit, .user = &log};
    struct bytes disc = {0};
    put_repeated(&disc, 0, 3 << 20);
    struct bytes nico = load_test_file("../samples/packed/NICO.DAT");
    put_bytes(&disc, nico.data, nico.size);
    static const char *const name[] = {"wyvern"};
    for (unsigned kind = 0; kind < 4; kind++) {
        size_t calls = 1;
        for (size_t n = 0; n <= calls; n++) {
            ossa_error error = {0};
            ossa_workspace *workspace = ossa_workspace_new(&options, NULL);
            if (kind < 2) add_memory(workspace, "d/disc.dat", &disc);
            add_sample(workspace, "d/f.res", "figures.res");
            patience = (struct patience){.cancel_at = n};
            /* cppcheck-suppress unreadVariable ; the walk writes to it */
            log = (struct visit_log){0};
            bool ok = false;
            if (kind == 0) {
                ok = ossa_workspace_walk(workspace, "d", &walk, &error);
            } else if (kind == 1) {
                ossa_figures *figures = ossa_workspace_figures(workspace, NULL, &error);
                ok = figures != NULL;
                ossa_figures_free(figures);
            } else if (kind == 2) {
                ossa_scene *scene = ossa_workspace_scene(workspace, name, 1, NULL, &error);
                ok = scene != NULL;
                ossa_scene_free(scene);
            } else {
                ossa_survey *survey = ossa_workspace_survey(workspace, name, 1, &error);
                ok = survey != NULL;
                ossa_survey_free(survey);
            }
            require(ok == (n == 0), "cancel", "kind %u, call %zu", kind, n);
            require(n == 0 || error.code == OSSA_CODE_CANCELLED, "cancel", "kind %u, call %zu: %s",
                    kind, n, error.message);
            assert_true(n == 0 || patience.calls == n);
            if (n == 0) calls = patience.calls;
            ossa_workspace_free(workspace);
        }
        assert_true(calls > 0);
    }
    bytes_free(&disc);
    bytes_free(&nico);
}

/* Work on one file is cancelled in its middle. */
static void cancel(const char *what, struct file_table *table, size_t cancel_at,
                   ossa_error (*act)(ossa_workspace *workspace), uint64_t most)
{
    struct patience patience = {.cancel_at = cancel_at};
    const ossa_filesystem files = table_filesystem(table);
    const ossa_workspace_options options = {
        .filesystem = &files, .on_progress = count_progress, .user = &patience};
    ossa_workspace *workspace = ossa_workspace_new(&options, NULL);
    uint64_t before = table->read;
    ossa_error error = act(workspace);
    require(error.code == OSSA_CODE_CANCELLED, what, "%s", error.message);
    require(patience.calls == cancel_at, what, "%zu calls", patience.calls);
    require(table->read <= before + most, what, "%zu bytes read", (size_t)(table->read - before));
    ossa_workspace_free(workspace);
    require(table->opened == table->closed, what, "a file stays open");
}

static ossa_error load_archive(ossa_workspace *workspace)
{
    static const char *const path[] = {"many.res"};
    ossa_error error;
    ossa_scene_free(ossa_workspace_scene(workspace, path, 1, NULL, &error));
    return error;
}

static ossa_error survey_archive(ossa_workspace *workspace)
{
    static const char *const path[] = {"many.res"};
    ossa_error error;
    ossa_survey_free(ossa_workspace_survey(workspace, path, 1, &error));
    return error;
}

static ossa_error group_archive(ossa_workspace *workspace)
{
    ossa_error error;
    ossa_figures_free(ossa_workspace_figures(workspace, "many.res", &error));
    return error;
}

static ossa_error open_large(ossa_workspace *workspace)
{
    ossa_error error;
    ossa_file_free(ossa_workspace_open(workspace, "large", NULL, &error));
    return error;
}

static ossa_error get_large(ossa_workspace *workspace)
{
    ossa_error error;
    ossa_bytes bytes;
    assert_false(ossa_workspace_bytes(workspace, "large", &bytes, &error));
    assert_null(bytes.data);
    return error;
}

static ossa_error group_large(ossa_workspace *workspace)
{
    ossa_error error;
    ossa_figures_free(ossa_workspace_figures(workspace, "large", &error));
    return error;
}

static ossa_error group_blank(ossa_workspace *workspace)
{
    ossa_error error;
    ossa_figures_free(ossa_workspace_figures(workspace, "blank", &error));
    return error;
}

static ossa_error load_large(ossa_workspace *workspace)
{
    static const char *const path[] = {"large"};
    ossa_error error;
    ossa_scene_free(ossa_workspace_scene(workspace, path, 1, NULL, &error));
    return error;
}

static void one_file_is_cancelled_in_its_middle(void **state)
{
    (void)state;
    enum { ENTRIES = 1000, LARGE = 16 << 20 };
    static char names[ENTRIES][16];
    static ossa_packing entries[ENTRIES];
    struct bytes clip = load_test_file("../samples/bird/fly.anb");
    for (unsigned i = 0; i < ENTRIES; i++) {
        (void)snprintf(names[i], sizeof names[i], "%03u.anb", i);
        entries[i] = (ossa_packing){names[i], clip.data, clip.size, 1};
    }
    struct file_table table = {0};
    struct bytes large = {0};
    put_text(&large, "xff"); /* so that it is read at all */
    put_repeated(&large, 0, LARGE);
    table_add(&table, "many.res", pack_or_fail("ei-res", "many", entries, ENTRIES));
    table_add(&table, "large", large);
    struct bytes blank = {0};
    put_repeated(&blank, 0, LARGE);
    table_add(&table, "blank", blank);
    uint64_t half = table.items[0].bytes.size / 2;
    bytes_free(&clip);
    cancel("scene", &table, ENTRIES / 3, load_archive, half);
    cancel("survey", &table, ENTRIES / 3, survey_archive, half);
    cancel("figures", &table, ENTRIES / 3, group_archive, half);
    cancel("open", &table, 5, open_large, LARGE / 2);
    cancel("bytes", &table, 5, get_large, LARGE / 2);
    cancel("large figures", &table, 5, group_large, LARGE / 2);
    cancel("search", &table, 5, group_blank, LARGE / 2);
    cancel("large scene", &table, 5, load_large, LARGE / 2);
    table_free(&table);
}

/* ---- bombs --------------------------------------------------------------------------------- */

/* An archive whose entries all have the same bytes: those of an archive that is like it. */
static struct bytes make_bomb(unsigned levels, unsigned entries)
{
    static uint8_t filler[2048];
    struct bytes inner = bytes_copy(filler, sizeof filler);
    for (unsigned level = 0; level < levels; level++) {
        struct res_bomb {
            char name[8];
        } names[64] = {{""}};
        ossa_packing items[64];
        for (unsigned i = 0; i < entries; i++) {
            (void)snprintf(names[i].name, sizeof names[i].name, "%02u.res", i);
            items[i] = (ossa_packing){names[i].name, i == 0 ? inner.data : filler,
                                      i == 0 ? inner.size : 16, 1};
        }
        struct bytes outer = pack_or_fail("ei-res", "bomb", items, entries);
        bytes_free(&inner);
        inner = outer;
        /* All records get the place and the size of the first. */
        ossa_file *file = ossa_read(inner.data, inner.size, NULL, NULL);
        assert_non_null(file);
        size_t table = get_u32(&inner, 8);
        size_t record = 0;
        for (unsigned i = 0; i < entries; i++) {
            size_t at = table + 22U * i;
            if (get_u32(&inner, at + 4) > get_u32(&inner, table + 22U * record + 4)) record = i;
        }
        for (unsigned i = 0; i < entries; i++) {
            set_u32(&inner, table + 22U * i + 4, get_u32(&inner, table + 22U * record + 4));
            set_u32(&inner, table + 22U * i + 8, get_u32(&inner, table + 22U * record + 8));
        }
        ossa_file_free(file);
    }
    return inner;
}

static void bombs_are_given_up(void **state)
{
    (void)state;
    struct bytes bomb = make_bomb(5, 40); /* 40^5 files, were they all visited */
    for (int detail = OSSA_DETAIL_FORMATS; detail <= OSSA_DETAIL_FILES; detail++) {
        ossa_workspace *workspace = new_workspace();
        add_memory(workspace, "bomb.res", &bomb);
        struct visit_log log = {0};
        const ossa_walk_options walk = {
            .detail = (ossa_detail)detail, .deep = true, .visit = log_visit, .user = &log};
        assert_true(ossa_workspace_walk(workspace, "bomb.res", &walk, NULL));
        assert_true(log.errors > 0 && log.count < 100000);
        assert_int_equal(log.code, OSSA_CODE_LIMIT);
        ossa_error error;
        static const char *const path[] = {"bomb.res"};
        assert_null(ossa_workspace_scene(workspace, path, 1, NULL, &error));
        ossa_figures *figures = ossa_workspace_figures(workspace, NULL, &error);
        assert_non_null(figures);
        assert_int_equal(figures->count, 0);
        ossa_figures_free(figures);
        ossa_workspace_free(workspace);
    }
    bytes_free(&bomb);
}

static void archives_lie_only_so_deep(void **state)
{
    (void)state;
    struct bytes archive = load_test_file("../samples/packed/textures.res");
    char path[128] = "a";
    for (unsigned i = 0; i < 12; i++) {
        const ossa_packing entry = {"a", archive.data, archive.size, 1};
        struct bytes outer = pack_or_fail("ei-res", "deep", &entry, 1);
        bytes_free(&archive);
        archive = outer;
        size_t used = strlen(path);
        (void)snprintf(path + used, sizeof path - used, "#a");
    }
    ossa_workspace *workspace = new_workspace();
    add_memory(workspace, "a", &archive);
    struct visit_log log = {0};
    const ossa_walk_options walk = {
        .detail = OSSA_DETAIL_FORMATS, .deep = true, .visit = log_visit, .user = &log};
    assert_true(ossa_workspace_walk(workspace, "a", &walk, NULL));
    assert_int_equal(log.errors, 1);
    assert_int_equal(log.code, OSSA_CODE_LIMIT);
    ossa_error error;
    assert_null(ossa_workspace_open(workspace, path, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_LIMIT);
    ossa_workspace_free(workspace);
    bytes_free(&archive);
}

static void large_files_are_refused(void **state)
{
    (void)state;
    const ossa_workspace_options options = {.max_input = 1000};
    ossa_workspace *workspace = ossa_workspace_new(&options, NULL);
    require_no_bytes(workspace, SAMPLES "textures.res", OSSA_CODE_TOO_LARGE);
    ossa_workspace_free(workspace);
}

/* ---- the disk ------------------------------------------------------------------------------ */

static void the_disk_is_walked_in_the_order_of_names(void **state)
{
    (void)state;
    ossa_workspace *workspace = new_workspace();
    struct visit_log log = {0};
    const ossa_walk_options walk = {.detail = OSSA_DETAIL_NAMES, .visit = log_visit, .user = &log};
    assert_true(ossa_workspace_walk(workspace, OSSA_SAMPLE_DIR "/packed//", &walk, NULL));
    assert_int_equal(log.count, 7);
    assert_non_null(strstr(log.text, "/packed/NICO.DAT -\n0 "));
    assert_true(strstr(log.text, "database.res") < strstr(log.text, "figures.res"));
    ossa_workspace_free(workspace);
}

/* Folders below a path that begins with / are folders, too. */
static void absolute_paths_have_folders(void **state)
{
    (void)state;
    ossa_workspace *workspace = new_workspace();
    ossa_error error;
    ossa_figures *figures = ossa_workspace_figures(workspace, OSSA_SAMPLE_DIR, &error);
    require(figures != NULL, OSSA_SAMPLE_DIR, "%s", error.message);
    if (figures == NULL) return;
    assert_true(OSSA_SAMPLE_DIR[0] == '/');
    size_t trolls = 0;
    for (size_t i = 0; i < figures->count; i++) {
        trolls += strcmp(figures->items[i].name, "troll") == 0;
        assert_true(figures->items[i].path_count < 10);
    }
    assert_int_equal(trolls, 2); /* one of them packed */
    ossa_figures_free(figures);
    ossa_workspace_free(workspace);
}

TEST_GROUP(test_workspace)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_knows_where_to_look_from),
        cmocka_unit_test(paths_lead_through_archives),
        cmocka_unit_test(a_file_may_have_a_mark_in_its_name),
        cmocka_unit_test(files_in_memory_are_replaced_and_removed),
        cmocka_unit_test(many_files_in_memory_are_found),
        cmocka_unit_test(an_added_file_goes_before_an_open_archive),
        cmocka_unit_test(files_outlive_their_workspace),
        cmocka_unit_test(large_archives_are_read_in_parts),
        cmocka_unit_test(walks_have_four_details),
        cmocka_unit_test(walks_go_deep_if_they_are_asked_to),
        cmocka_unit_test(walks_visit_a_folder_of_an_archive),
        cmocka_unit_test(walks_search_discs),
        cmocka_unit_test(walks_fail_where_a_path_leads_nowhere),
        cmocka_unit_test(a_walk_stops),
        cmocka_unit_test(issues_have_the_whole_path),
        cmocka_unit_test(calls_are_cancelled),
        cmocka_unit_test(one_file_is_cancelled_in_its_middle),
        cmocka_unit_test(bombs_are_given_up),
        cmocka_unit_test(archives_lie_only_so_deep),
        cmocka_unit_test(large_files_are_refused),
        cmocka_unit_test(the_disk_is_walked_in_the_order_of_names),
        cmocka_unit_test(absolute_paths_have_folders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
