/* SPDX-License-Identifier: MIT
 *
 * Which files are one figure (src/workspace/figures.c), with files of the samples and fixtures
 * under paths that say where they lie. */
#include "support/group.h"
#include "support/testing.h"

#include "ossa/ossa.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The contents of a sample or, with "fixtures/" in front, of a fixture. */
static struct bytes file_of(const char *name)
{
    char path[256];
    bool is_fixture = strncmp(name, "fixtures/", 9) == 0;
    (void)snprintf(path, sizeof path, "%s%s", is_fixture ? "" : "../samples/", name);
    return load_test_file(path);
}

/* "PATH=FILE", or only "FILE" if the path is the same. */
static void add(ossa_workspace *workspace, const char *text)
{
    const char *equals = strchr(text, '=');
    char path[256];
    size_t size = equals == NULL ? strlen(text) : (size_t)(equals - text);
    memcpy(path, text, size);
    path[size] = '\0';
    struct bytes bytes = file_of(equals == NULL ? text : equals + 1);
    ossa_error error;
    assert_true(ossa_workspace_add_memory(workspace, path, bytes.data, bytes.size, &error));
    bytes_free(&bytes);
}

/* Nothing of the disk: only what was added. */
static void *open_nothing(void *user, const char *path, uint64_t *size, ossa_error *error)
{
    (void)user, (void)path;
    *size = 0;
    error->code = OSSA_CODE_IO;
    return NULL;
}

static ossa_workspace *workspace_of(const char *const *files)
{
    const ossa_filesystem nothing = {.open = open_nothing};
    const ossa_workspace_options options = {.filesystem = &nothing};
    ossa_error error;
    ossa_workspace *workspace = ossa_workspace_new(&options, &error);
    assert_non_null(workspace);
    for (size_t i = 0; files[i] != NULL; i++) add(workspace, files[i]);
    return workspace;
}

/* "bird: bird.skb fly.anb; troll: troll -animation" */
static void put_figures(const ossa_figures *figures, char *text, size_t capacity)
{
    size_t size = 0;
    text[0] = '\0';
    for (size_t i = 0; figures != NULL && i < figures->count; i++) {
        const ossa_figure *figure = &figures->items[i];
        assert_true(figure->path_count > 0 && figure->file_count > 0);
        size += (size_t)snprintf(text + size, capacity - size, "%s%s:", i > 0 ? "; " : "",
                                 figure->name);
        for (size_t k = 0; k < figure->path_count; k++) {
            size += (size_t)snprintf(text + size, capacity - size, " %s", figure->paths[k]);
        }
        for (size_t k = 0; k < figure->missing_count; k++) {
            size += (size_t)snprintf(text + size, capacity - size, " -%s", figure->missing[k]);
        }
        if (figure->is_guess) size += (size_t)snprintf(text + size, capacity - size, " ?");
        assert_true(size < capacity);
    }
}

static void expect_figures(const char *expected, const char *path, const char *const *files)
{
    char text[4096];
    ossa_workspace *workspace = workspace_of(files);
    ossa_error error;
    ossa_figures *figures = ossa_workspace_figures(workspace, path, &error);
    if (figures == NULL) fail_msg("%s: %s", error.path, error.message);
    put_figures(figures, text, sizeof text);
    assert_string_equal(text, expected);
    ossa_figures_free(figures);
    ossa_workspace_free(workspace);
}

#define FILES(...) ((const char *const[]){__VA_ARGS__, NULL})

static void nothing_gives_nothing(void **state)
{
    (void)state;
    expect_figures("", NULL, FILES(NULL));
    expect_figures("", NULL, FILES("README.md"));
    expect_figures("", NULL, FILES("more/ped.csv"));
}

static void loose_files_that_fit_are_one_figure(void **state)
{
    (void)state;
    expect_figures("bird: bird.skb fly.anb", NULL,
                   FILES("bird.skb=bird/bird.skb", "fly.anb=bird/fly.anb"));
    expect_figures("bird: bird.skb -animation", NULL, FILES("bird.skb=bird/bird.skb"));
    expect_figures("fly: fly.anb -skeleton", NULL, FILES("fly.anb=bird/fly.anb"));
    expect_figures("flight: flight.cam", NULL, FILES("flight.cam=more/flight.cam"));
}

static void a_whole_folder_is_one_path(void **state)
{
    (void)state;
    expect_figures(
        "troll: t", NULL,
        FILES("t/troll.lnk=troll/troll.lnk", "t/walk/hd.anm=troll/walk/hd.anm", "t/x=README.md"));
    /* What is called like a file of the game is damaged rather than something else. */
    expect_figures("troll: t/troll.lnk t/walk", NULL,
                   FILES("t/troll.lnk=troll/troll.lnk", "t/walk/hd.anm=troll/walk/hd.anm",
                         "t/x.skb=README.md"));
}

static void a_damaged_clip_is_of_its_figure(void **state)
{
    (void)state;
    /* Loading it reports the file. */
    expect_figures("bird: b", NULL,
                   FILES("b/bird.skb=bird/bird.skb", "b/fly.anb=bird/fly.anb",
                         "b/glide.anb=fixtures/sotc-anb/record-outside.anb"));
    expect_figures("bird: b", NULL,
                   FILES("b/bird.skb=bird/bird.skb", "b/fly.anb=bird/fly.anb",
                         "b/glide.anb=fixtures/sotc-anb/unknown-flag.anb"));
    /* Alone it is none, and a damaged body is nobody's. */
    expect_figures("", NULL, FILES("glide.anb=fixtures/sotc-anb/record-outside.anb"));
    expect_figures(
        "walk: b/walk.anim -skeleton", NULL,
        FILES("b/walk.anim=pedestrian/walk.anim", "b/ped.skel=fixtures/mm-skel/cut-bone.skel"));
}

static void games_are_separated_before_folders(void **state)
{
    (void)state;
    expect_figures("bird: bird.skb fly.anb; rabbit: rabbit.tmd hop.anm", NULL,
                   FILES("bird.skb=bird/bird.skb", "rabbit.tmd=rabbit/rabbit.tmd",
                         "fly.anb=bird/fly.anb", "hop.anm=rabbit/hop.anm"));
    expect_figures("bird: x/bird.skb y/fly.anb; rabbit: x/rabbit.tmd y/hop.anm", NULL,
                   FILES("x/bird.skb=bird/bird.skb", "x/rabbit.tmd=rabbit/rabbit.tmd",
                         "y/fly.anb=bird/fly.anb", "y/hop.anm=rabbit/hop.anm"));
}

static void each_folder_with_a_body_is_a_figure(void **state)
{
    (void)state;
    expect_figures(
        "troll: g/troll; wyvern: g/wyvern", NULL,
        FILES("g/troll/troll.lnk=troll/troll.lnk", "g/troll/walk/hd.anm=troll/walk/hd.anm",
              "g/wyvern/wyvern.lnk=wyvern/wyvern.lnk", "g/wyvern/fly/hd.anm=wyvern/fly/hd.anm"));
}

static void bodies_in_one_folder_take_the_clips_that_fit(void **state)
{
    (void)state;
    expect_figures("bird: bird.skb fly.anb glide.anb; plain: plain.skb every.anb", NULL,
                   FILES("bird.skb=bird/bird.skb", "plain.skb=fixtures/sotc-skb/plain.skb",
                         "fly.anb=bird/fly.anb", "every.anb=fixtures/sotc-anb/every-flag.anb",
                         "glide.anb=bird/glide.anb"));
}

static void an_archive_of_models_gives_one_figure_per_model(void **state)
{
    (void)state;
    expect_figures("troll: p/figures.res#troll p/textures.res troll00.mmp; "
                   "wyvern: p/figures.res#wyvern p/textures.res",
                   NULL,
                   FILES("p/figures.res=packed/figures.res", "p/textures.res=packed/textures.res",
                         "troll00.mmp=wyvern/wyvern00.mmp"));
    expect_figures("rabbit: rabbit.pak", NULL, FILES("rabbit.pak=packed/rabbit.pak"));
    expect_figures("", NULL, FILES("textures.res=packed/textures.res"));
}

static void cameras_have_no_companions(void **state)
{
    (void)state;
    expect_figures("flight: flight.cam", NULL,
                   FILES("flight.cam=more/flight.cam", "flight00.mmp=wyvern/wyvern00.mmp",
                         "p/textures.res=packed/textures.res"));
    /* Nor do they take those in their folder from others. */
    expect_figures("flight: x/flight.cam; troll: y x/troll00.mmp -animation; "
                   "troll: z x/troll00.mmp -animation",
                   NULL,
                   FILES("x/flight.cam=more/flight.cam", "x/troll00.mmp=wyvern/wyvern00.mmp",
                         "y/troll.lnk=troll/troll.lnk", "z/troll.lnk=fixtures/ei-lnk/bushy.lnk"));
}

/* Vib-Ribbon: a folder with a model and its animations, in an archive or on the disk. */
static void a_folder_with_a_model_is_a_figure(void **state)
{
    (void)state;
    expect_figures("VIBRI: x.pak#VIBRI; FROG: x.pak#FROG; CAMERA: x.pak#STAGE", NULL,
                   FILES("x.pak=fixtures/vib-pak/figures.pak"));
    expect_figures("VIBRI: x.pak#VIBRI", "x.pak#vibri",
                   FILES("x.pak=fixtures/vib-pak/figures.pak"));
    expect_figures("hare: d/hare; rabbit: d/rabbit", NULL,
                   FILES("d/hare/model.tmd=rabbit/rabbit.tmd", "d/hare/hop.anm=rabbit/hop.anm",
                         "d/rabbit/model.tmd=rabbit/rabbit.tmd",
                         "d/rabbit/walk.anm=rabbit/walk0.anm", "d/rabbit/face.tim=README.md"));
    /* Not the archive's name, and of two models in a folder each has its own. */
    expect_figures("model: model.tmd hop.anm", NULL,
                   FILES("model.tmd=rabbit/rabbit.tmd", "hop.anm=rabbit/hop.anm"));
    expect_figures("a: d/a.tmd d/hop.anm; b: d/b.tmd -animation", NULL,
                   FILES("d/a.tmd=rabbit/rabbit.tmd", "d/b.tmd=rabbit/rabbit.tmd",
                         "d/hop.anm=rabbit/hop.anm"));
}

/* A folder of an archive is everything in it: what belongs to no scene is passed over, and nobody
 * reports it. */
static void a_folder_of_an_archive_is_loaded(void **state)
{
    (void)state;
    ossa_workspace *workspace = workspace_of(FILES("x.pak=fixtures/vib-pak/figures.pak"));
    static const struct {
        const char *path;
        uint32_t clips;
    } cases[] = {{"x.pak#VIBRI", 2}, {"x.pak#vibri/", 2}, {"x.pak#FROG", 1}};
    ossa_error error;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ossa_scene *scene = ossa_workspace_scene(workspace, &cases[i].path, 1, NULL, &error);
        if (scene == NULL) fail_msg("%s: %s", cases[i].path, error.message);
        else {
            assert_int_equal(scene->bone_count, 2);
            assert_int_equal(scene->mesh_count, 2);
            assert_int_equal(scene->clip_count, cases[i].clips);
        }
        ossa_scene_free(scene);
    }
    /* All of it is not one figure. */
    const char *whole = "x.pak";
    assert_null(ossa_workspace_scene(workspace, &whole, 1, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_SEVERAL_FIGURES);
    assert_string_equal(error.message, "holds 2 figures: choose one, x.pak#NAME");
    /* What was named is not passed over. */
    const char *picture = "x.pak#VIBRI/FACE.TIM";
    assert_null(ossa_workspace_scene(workspace, &picture, 1, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_UNKNOWN_FORMAT);
    ossa_workspace_free(workspace);
}

static void what_is_found_on_a_disc_is_a_guess(void **state)
{
    (void)state;
    expect_figures("0x000004d5: NICO.DAT#0x000004d5.skb NICO.DAT#0x00000cd4.anb "
                   "NICO.DAT#0x00001f59.anb ?",
                   NULL, FILES("NICO.DAT=packed/NICO.DAT"));
    /* They come after other files, and keep their folder from being one path. */
    expect_figures(
        "bird: x/bird.skb x/fly.anb; 0x000004d5: x/NICO.DAT#0x000004d5.skb "
        "x/NICO.DAT#0x00000cd4.anb x/NICO.DAT#0x00001f59.anb ?",
        NULL,
        FILES("x/NICO.DAT=packed/NICO.DAT", "x/bird.skb=bird/bird.skb", "x/fly.anb=bird/fly.anb"));
}

static void clips_of_the_own_disc_come_first(void **state)
{
    (void)state;
    expect_figures("0x000004d5: A#0x000004d5.skb A#0x00000cd4.anb A#0x00001f59.anb "
                   "B#0x00000cd4.anb B#0x00001f59.anb ?; "
                   "0x000004d5: B#0x000004d5.skb B#0x00000cd4.anb B#0x00001f59.anb "
                   "A#0x00000cd4.anb A#0x00001f59.anb ?",
                   NULL, FILES("A=packed/NICO.DAT", "B=packed/NICO.DAT"));
}

/* One after the other, with noise between them, as on a disc. */
static void add_joined(ossa_workspace *workspace, const char *path, const char *const *names)
{
    struct bytes joined = {0};
    for (size_t i = 0; names[i] != NULL; i++) {
        struct bytes bytes = file_of(names[i]);
        put_text(&joined, "noise between files");
        put_bytes(&joined, bytes.data, bytes.size);
        bytes_free(&bytes);
    }
    ossa_error error;
    assert_true(ossa_workspace_add_memory(workspace, path, joined.data, joined.size, &error));
    bytes_free(&joined);
}

static void what_is_damaged_on_a_disc_is_left_out(void **state)
{
    (void)state;
    ossa_workspace *workspace = workspace_of(FILES(NULL));
    add_joined(workspace, "XAB",
               FILES("fixtures/sotc-skb/plain.skb", "fixtures/sotc-anb/every-flag.anb",
                     "fixtures/sotc-anb/record-outside.anb", "fixtures/sotc-anb/unknown-flag.anb"));
    ossa_error error;
    ossa_figures *figures = ossa_workspace_figures(workspace, NULL, &error);
    assert_non_null(figures);
    assert_int_equal(figures->count, 1);
    assert_int_equal(figures->items[0].path_count, 2);
    assert_int_equal(figures->items[0].clip_count, 1);
    ossa_figures_free(figures);
    ossa_workspace_free(workspace);
}

static void a_disc_without_skeletons_has_no_figure(void **state)
{
    (void)state;
    ossa_workspace *workspace = workspace_of(FILES(NULL));
    add_joined(workspace, "XAC", FILES("bird/fly.anb", "bird/glide.anb"));
    ossa_error error;
    ossa_figures *figures = ossa_workspace_figures(workspace, NULL, &error);
    assert_non_null(figures);
    assert_int_equal(figures->count, 0);
    ossa_figures_free(figures);
    ossa_workspace_free(workspace);
}

/* All clips that fit are counted, but only so many are loaded. */
static void a_figure_of_a_disc_has_at_most_250_clips(void **state)
{
    enum { CLIPS = 255 };
    const char *names[CLIPS + 2] = {"bird/bird.skb"};
    (void)state;
    for (size_t i = 1; i <= CLIPS; i++) names[i] = "bird/fly.anb";
    ossa_workspace *workspace = workspace_of(FILES(NULL));
    add_joined(workspace, "XAB", names);
    ossa_error error;
    ossa_figures *figures = ossa_workspace_figures(workspace, NULL, &error);
    assert_non_null(figures);
    assert_int_equal(figures->count, 1);
    assert_int_equal(figures->items[0].clip_count, CLIPS);
    assert_int_equal(figures->items[0].path_count, 251);
    assert_int_equal(figures->items[0].bone_count, 15);
    ossa_figures_free(figures);
    ossa_workspace_free(workspace);
}

static void below_a_path(void **state)
{
    (void)state;
    const char *const *files = FILES("b/bird.skb=bird/bird.skb", "b/fly.anb=bird/fly.anb",
                                     "r/rabbit.tmd=rabbit/rabbit.tmd", "r/hop.anm=rabbit/hop.anm");
    expect_figures("r: r", "r", files);
    expect_figures("fly: b/fly.anb -skeleton", "b/fly.anb", files);
}

TEST_GROUP(test_workspace_figures)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_gives_nothing),
        cmocka_unit_test(loose_files_that_fit_are_one_figure),
        cmocka_unit_test(a_whole_folder_is_one_path),
        cmocka_unit_test(a_damaged_clip_is_of_its_figure),
        cmocka_unit_test(games_are_separated_before_folders),
        cmocka_unit_test(each_folder_with_a_body_is_a_figure),
        cmocka_unit_test(bodies_in_one_folder_take_the_clips_that_fit),
        cmocka_unit_test(an_archive_of_models_gives_one_figure_per_model),
        cmocka_unit_test(cameras_have_no_companions),
        cmocka_unit_test(a_folder_with_a_model_is_a_figure),
        cmocka_unit_test(a_folder_of_an_archive_is_loaded),
        cmocka_unit_test(what_is_found_on_a_disc_is_a_guess),
        cmocka_unit_test(clips_of_the_own_disc_come_first),
        cmocka_unit_test(what_is_damaged_on_a_disc_is_left_out),
        cmocka_unit_test(a_disc_without_skeletons_has_no_figure),
        cmocka_unit_test(a_figure_of_a_disc_has_at_most_250_clips),
        cmocka_unit_test(below_a_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
