/* SPDX-License-Identifier: MIT
 *
 * What a workspace keeps from one call to the next. The file system counts what is read: the second
 * call of a kind reads nothing that the first has read. */
#include "support/file_table.h"
#include "support/packing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ossa_step visit_all(void *user, const ossa_visit *visit)
{
    size_t *count = user;
    assert_null(visit->error);
    (*count)++;
    return OSSA_STEP_INTO;
}

static size_t walk(ossa_workspace *workspace, const char *path, ossa_detail detail)
{
    size_t count = 0;
    const ossa_walk_options options = {
        .detail = detail, .search = true, .visit = visit_all, .user = &count};
    assert_true(ossa_workspace_walk(workspace, path, &options, NULL));
    return count;
}

static void load(ossa_workspace *workspace, const char *const *paths, size_t count, size_t clips)
{
    ossa_error error;
    ossa_scene *scene = ossa_workspace_scene(workspace, paths, count, NULL, &error);
    require(scene != NULL, paths[0], "%s", error.message);
    if (scene == NULL) return;
    assert_int_equal(scene->clip_count, clips);
    ossa_scene_free(scene);
}

/* ---- discs --------------------------------------------------------------------------------- */

/* NICO.DAT at the end of zeros. */
static struct bytes make_disc(size_t zeros)
{
    struct bytes disc = {0};
    struct bytes nico = load_test_file("../samples/packed/NICO.DAT");
    put_repeated(&disc, 0, zeros);
    put_bytes(&disc, nico.data, nico.size);
    bytes_free(&nico);
    return disc;
}

static void a_disc_is_searched_once(void **state)
{
    (void)state;
    enum { ZEROS = 1 << 20 };
    static const char *const paths[] = {"disc#0x1004d5", "disc#0x100cd4", "disc#0x101f59"};
    struct file_table table = {0};
    table_add(&table, "disc", make_disc(ZEROS));
    ossa_workspace *workspace = table_workspace(&table, NULL);
    assert_int_equal(walk(workspace, "disc", OSSA_DETAIL_FORMATS), 4);
    assert_true(table.read >= ZEROS);
    table.read = 0;
    assert_int_equal(walk(workspace, "disc", OSSA_DETAIL_FORMATS), 4);
    assert_int_equal(table.read, 0);
    ossa_figures *figures = ossa_workspace_figures(workspace, "disc", NULL);
    assert_non_null(figures);
    assert_int_equal(figures->count, 1);
    load(workspace, figures->items[0].paths, figures->items[0].path_count, 2);
    ossa_figures_free(figures);
    load(workspace, paths, 3, 2);
    assert_true(table.read < ZEROS / 16); /* only what was found */
    ossa_workspace_free(workspace);
    assert_int_equal(table.opened, table.closed);
    table_free(&table);
}

static void nothing_is_searched_for_once(void **state)
{
    (void)state;
    enum { ZEROS = 1 << 20 };
    struct file_table table = {0};
    struct bytes zeros = {0};
    put_repeated(&zeros, 0, ZEROS);
    table_add(&table, "zeros", zeros);
    ossa_workspace *workspace = table_workspace(&table, NULL);
    uint64_t read[2];
    for (unsigned i = 0; i < 2; i++) {
        table.read = 0;
        ossa_figures *figures = ossa_workspace_figures(workspace, "zeros", NULL);
        assert_non_null(figures);
        assert_int_equal(figures->count, 0);
        ossa_figures_free(figures);
        read[i] = table.read;
    }
    assert_true(read[1] >= 16 && read[1] <= (134 << 10)); /* to recognise it */
    assert_true(read[0] >= ZEROS + read[1]);              /* and to search it */
    assert_int_equal(table.opened, table.closed);
    ossa_workspace_free(workspace);
    table_free(&table);
}

static void an_offset_means_the_same_after_a_search(void **state)
{
    (void)state;
    struct file_table table = {0};
    table_add(&table, "disc", make_disc(16));
    ossa_workspace *workspace = table_workspace(&table, NULL);
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned offset = 0; offset < 0x2100; offset += round + 1) {
            char path[32];
            (void)snprintf(path, sizeof path, "disc#0x%x", offset);
            ossa_error error;
            ossa_file *file = ossa_workspace_open(workspace, path, NULL, &error);
            bool is_there = offset == 0x4e5 || offset == 0xce4 || offset == 0x1f69;
            require((file != NULL) == is_there, path, "round %u", round);
            ossa_file_free(file);
        }
        (void)walk(workspace, "disc", OSSA_DETAIL_FORMATS);
    }
    ossa_workspace_free(workspace);
    table_free(&table);
}

/* ---- archives ------------------------------------------------------------------------------ */

enum { CLIPS = 100 };

/* A figure in many archives, which lie in one that is read in parts. */
static struct bytes make_figure(void)
{
    static uint8_t filler[300 << 10];
    static char names[CLIPS][2][16];
    struct bytes body = load_test_file("../samples/bird/bird.skb");
    struct bytes clip = load_test_file("../samples/bird/fly.anb");
    struct bytes packed[CLIPS];
    ossa_packing entries[CLIPS + 2] = {{"bird.skb", body.data, body.size, 1},
                                       {"filler", filler, sizeof filler, 1}};
    for (unsigned i = 0; i < CLIPS; i++) {
        (void)snprintf(names[i][0], sizeof names[i][0], "%03u.res", i);
        (void)snprintf(names[i][1], sizeof names[i][1], "c%03u.anb", i);
        const ossa_packing entry = {names[i][1], clip.data, clip.size, 1};
        packed[i] = pack_or_fail("ei-res", names[i][0], &entry, 1);
        entries[i + 2] = (ossa_packing){names[i][0], packed[i].data, packed[i].size, 1};
    }
    struct bytes all = pack_or_fail("ei-res", "figure", entries, CLIPS + 2);
    for (unsigned i = 0; i < CLIPS; i++) bytes_free(&packed[i]);
    bytes_free(&body);
    bytes_free(&clip);
    return all;
}

static void a_figure_in_many_archives_is_fetched_once(void **state)
{
    (void)state;
    static char texts[CLIPS][32];
    const char *paths[CLIPS + 1] = {"f.res#bird.skb"};
    struct file_table table = {0};
    table_add(&table, "f.res", make_figure());
    for (unsigned i = 0; i < CLIPS; i++) {
        (void)snprintf(texts[i], sizeof texts[i], "f.res#%03u.res#c%03u.anb", i, i);
        paths[i + 1] = texts[i];
    }
    ossa_workspace *workspace = table_workspace(&table, NULL);
    load(workspace, paths, CLIPS + 1, CLIPS);
    assert_true(table.read <= table.items[0].bytes.size);
    uint64_t first = table.read;
    load(workspace, paths, CLIPS + 1, CLIPS);
    struct bytes body = load_test_file("../samples/bird/bird.skb");
    assert_int_equal(table.read, first + body.size); /* which lies in no archive that is kept */
    bytes_free(&body);
    ossa_workspace_free(workspace);
    assert_int_equal(table.opened, table.closed);
    table_free(&table);
}

/* The archive that every path leads through stays, however many others come and go. */
static void what_is_used_stays(void **state)
{
    (void)state;
    enum { FILES = 120 };
    static char names[FILES][8];
    struct file_table table = {0};
    static uint8_t filler[300 << 10];
    struct bytes hop = load_test_file("../samples/rabbit/hop.anm");
    const ossa_packing entries[] = {{"hop.anm", hop.data, hop.size, 1},
                                    {"filler", filler, sizeof filler, 1}};
    for (unsigned i = 0; i < FILES; i++) {
        (void)snprintf(names[i], sizeof names[i], "%u", i);
        table_add(&table, names[i], pack_or_fail("ei-res", names[i], entries, 2));
    }
    bytes_free(&hop);
    ossa_workspace *workspace = table_workspace(&table, NULL);
    uint64_t once = 0;
    for (unsigned i = 0; i < FILES; i++) {
        char path[2][32];
        ossa_bytes bytes;
        (void)snprintf(path[0], sizeof path[0], "%u#hop.anm", i);
        (void)snprintf(path[1], sizeof path[1], "0#hop.anm");
        for (unsigned k = 0; k < 2; k++) {
            assert_true(ossa_workspace_bytes(workspace, path[k], &bytes, NULL));
            ossa_bytes_free(&bytes);
        }
        if (i == 0) once = table.read;
    }
    /* Each archive once, and of the first only the entry. */
    assert_true(table.read <= FILES * once);
    /* Not all of them are open. */
    assert_true(table.opened - table.closed <= 96);
    assert_true(table.opened - table.closed >= 64);
    ossa_workspace_free(workspace);
    assert_int_equal(table.opened, table.closed);
    table_free(&table);
}

/* As ossa info does: everything about an archive, its figures and what they contain. */
static ossa_step survey_figures(void *user, const ossa_visit *visit)
{
    ossa_workspace *workspace = user;
    if (visit->is_part) return OSSA_STEP_INTO;
    assert_non_null(visit->file);
    assert_true(visit->figure_count > 0);
    ossa_figures *figures = ossa_workspace_figures(workspace, visit->path, NULL);
    assert_non_null(figures);
    assert_int_equal(figures->count, visit->figure_count);
    for (size_t i = 0; i < figures->count; i++) {
        const ossa_figure *figure = &figures->items[i];
        ossa_survey *survey =
            ossa_workspace_survey(workspace, figure->paths, figure->path_count, NULL);
        assert_non_null(survey);
        assert_true(survey->clip_count > 0);
        ossa_survey_free(survey);
    }
    ossa_figures_free(figures);
    return OSSA_STEP_OVER;
}

static void an_archive_is_read_once_for_all_about_it(void **state)
{
    (void)state;
    static const char *const paths[] = {"f.res", "o.res#f.res"};
    static uint8_t filler[300 << 10];
    struct bytes figures = load_test_file("../samples/packed/figures.res");
    const ossa_packing outer[] = {{"f.res", figures.data, figures.size, 1},
                                  {"filler", filler, sizeof filler, 1}};
    for (unsigned i = 0; i < 2; i++) {
        struct file_table table = {0};
        table_add_sample(&table, "f.res", "packed/figures.res");
        table_add(&table, "o.res", pack_or_fail("ei-res", "outer", outer, 2));
        ossa_workspace *workspace = table_workspace(&table, NULL);
        const ossa_options read = {.check_values = true};
        const ossa_walk_options options = {
            .detail = OSSA_DETAIL_FILES, .read = &read, .visit = survey_figures, .user = workspace};
        assert_true(ossa_workspace_walk(workspace, paths[i], &options, NULL));
        enum { LISTING = 256 }; /* of the outer archive */
        require(table.read <= figures.size + LISTING, paths[i], "%zu bytes of %zu",
                (size_t)table.read, figures.size);
        ossa_workspace_free(workspace);
        table_free(&table);
    }
    bytes_free(&figures);
}

/* What a walk asks for is there, although others have opened the archive in another way. */
static ossa_step count_issues(void *user, const ossa_visit *visit)
{
    size_t *count = user;
    assert_non_null(visit->file);
    *count += visit->file->issue_count;
    return OSSA_STEP_OVER;
}

static size_t issues_of(ossa_workspace *workspace, const ossa_options *read)
{
    size_t count = 0;
    const ossa_walk_options options = {
        .detail = OSSA_DETAIL_FILES, .read = read, .visit = count_issues, .user = &count};
    assert_true(ossa_workspace_walk(workspace, "x.pak", &options, NULL));
    return count;
}

static void a_walk_reads_with_its_own_options(void **state)
{
    (void)state;
    struct file_table table = {0};
    table_add(&table, "x.pak", load_test_file("fixtures/vib-pak/entry-in-entry.pak"));
    ossa_workspace *workspace = table_workspace(&table, NULL);
    const ossa_options few = {.max_issues = 1};
    assert_int_equal(issues_of(workspace, NULL), 2);
    assert_int_equal(issues_of(workspace, &few), 1);
    assert_int_equal(issues_of(workspace, NULL), 2);
    ossa_workspace_free(workspace);
    table_free(&table);
}

TEST_GROUP(test_workspace_cache)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disc_is_searched_once),
        cmocka_unit_test(nothing_is_searched_for_once),
        cmocka_unit_test(an_offset_means_the_same_after_a_search),
        cmocka_unit_test(a_figure_in_many_archives_is_fetched_once),
        cmocka_unit_test(what_is_used_stays),
        cmocka_unit_test(an_archive_is_read_once_for_all_about_it),
        cmocka_unit_test(a_walk_reads_with_its_own_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
