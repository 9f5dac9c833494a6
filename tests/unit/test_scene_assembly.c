/* SPDX-License-Identifier: MIT
 *
 * What is the same for all games when files are put together: which inputs are refused and with
 * what words, names of clips, limits, rate and scale, joined clips, boxes. */
#include "support/rotation.h"
#include "support/scenes.h"
#include "support/skb_fixture.h"
#include "support/tmd_fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- small characters ---------------------------------------------------------------------- */

static struct bytes small_tmd(uint32_t objects)
{
    struct tmd_places places;
    struct tmd_plan plan = {.seed = 5, .objects = objects, .vertices = 4, .packets = 2};
    return make_tmd(&plan, &places);
}

static struct bytes small_vib(uint32_t rate, uint32_t frames)
{
    struct vib_maker vib = begin_vib(rate, frames);
    for (uint32_t f = 0; f < frames; f++) {
        const int position[3] = {(int)f * 100, 20, 30};
        add_vib_frame(&vib);
        add_vib_key(&vib, 0, NULL, NULL, position);
    }
    return end_vib(&vib);
}

static struct bytes small_skb(uint32_t joints)
{
    struct skb_places places;
    struct skb_plan plan = {.seed = 6, .joints = joints};
    return make_skb(&plan, &places);
}

static struct bytes small_anb(uint32_t bones, uint32_t poses)
{
    return make_big_anb(bones, poses);
}

static struct bytes small_lnk(void)
{
    static const char *const names[] = {"hp", "", "bd", "hp", NULL};
    return make_lnk(names);
}

/* ---- inputs that are refused --------------------------------------------------------------- */

static void no_input_is_refused(void **state)
{
    (void)state;
    struct scene_files files = {0};
    require_misfit(&files, NULL, OSSA_CODE_MISFIT, "", "there is no input");
    ossa_error error;
    assert_null(ossa_assemble(NULL, 0, NULL, &error));
    assert_string_equal(error.message, "there is no input");
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    struct scene_files files = {0};
    const ossa_scene_options bad[] = {
        {.fps = -1.0},   {.fps = NAN},   {.fps = 2e6},   {.fps = INFINITY},
        {.scale = -1.0}, {.scale = NAN}, {.scale = 2e9},
    };
    const ossa_scene_options bad_for_figures[] = {
        {.ei = &(ossa_ei_options){.resample = 1001}},
        {.ei = &(ossa_ei_options){.complexion = {-0.1F, 0.0F, 0.0F}}},
        {.ei = &(ossa_ei_options){.complexion = {0.0F, 1.1F, 0.0F}}},
        {.ei = &(ossa_ei_options){.complexion = {0.0F, 0.0F, NAN}}},
    };
    (void)add_file(&files, "a.anim", "mm-anim", make_anim(1, 2, 2));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        require_misfit(&files, &bad[i], OSSA_CODE_BAD_ARGUMENT, "",
                       "fps and scale must be positive");
    }
    free_files(&files);
    (void)add_file(&files, "a.lnk", "ei-lnk", small_lnk());
    for (size_t i = 0; i < sizeof bad_for_figures / sizeof bad_for_figures[0]; i++) {
        require_misfit(&files, &bad_for_figures[i], OSSA_CODE_BAD_ARGUMENT, "",
                       "complexion must be from 0 to 1, resample at most 1000");
    }
    free_files(&files);
}

static void an_input_without_file_or_path_is_refused(void **state)
{
    (void)state;
    ossa_error error;
    ossa_input inputs[1] = {{.path = "a.lnk", .file = NULL}};
    assert_null(ossa_assemble(inputs, 1, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_BAD_ARGUMENT);
    assert_string_equal(error.message, "inputs[0] has no file or no path");
}

static void two_skeletons_are_refused(void **state)
{
    (void)state;
    struct scene_files files = {0};
    (void)add_file(&files, "a/one.lnk", "ei-lnk", small_lnk());
    (void)add_file(&files, "b\\two.lnk", "ei-lnk", small_lnk());
    require_misfit(&files, NULL, OSSA_CODE_SEVERAL_FIGURES, "b\\two.lnk",
                   "a second skeleton, model or table beside a/one.lnk");
    free_files(&files);
    (void)add_file(&files, "one.skel", "mm-skel", make_skel(2));
    (void)add_file(&files, "a.anim", "mm-anim", make_anim(1, 2, 2));
    (void)add_file(&files, "two.skel", "mm-skel", make_skel(3));
    require_misfit(&files, NULL, OSSA_CODE_SEVERAL_FIGURES, "two.skel",
                   "a second skeleton, model or table beside one.skel");
    free_files(&files);
    (void)add_file(&files, "one.tmd", "vib-tmd", small_tmd(1));
    (void)add_file(&files, "two.tmd", "vib-tmd", small_tmd(1));
    require_misfit(&files, NULL, OSSA_CODE_SEVERAL_FIGURES, "two.tmd",
                   "a second skeleton, model or table beside one.tmd");
    free_files(&files);
    (void)add_file(&files, "one.skb", "sotc-skb", small_skb(2));
    (void)add_file(&files, "two.skb", "sotc-skb", small_skb(2));
    require_misfit(&files, NULL, OSSA_CODE_SEVERAL_FIGURES, "two.skb",
                   "a second skeleton, model or table beside one.skb");
    free_files(&files);
}

static void files_of_two_games_are_refused(void **state)
{
    (void)state;
    struct scene_files files = {0};
    (void)add_file(&files, "troll/troll.lnk", "ei-lnk", small_lnk());
    (void)add_file(&files, "ped.skel", "mm-skel", make_skel(2));
    require_misfit(&files, NULL, OSSA_CODE_MISFIT, "ped.skel",
                   "is of Midtown Madness 1 and 2 (1999, 2000), but troll/troll.lnk is of "
                   "Evil Islands (2000); give one game's files");
    char text[512];
    ossa_error error;
    assert_null(ossa_assemble(files.inputs, files.count, NULL, &error));
    (void)ossa_error_text(&error, text, sizeof text);
    assert_string_equal(text, "mm-skel: is of Midtown Madness 1 and 2 (1999, 2000), but "
                              "troll/troll.lnk is of Evil Islands (2000); give one game's files");
    free_files(&files);
    (void)add_file(&files, "bird.skb", "sotc-skb", small_skb(2));
    (void)add_file(&files, "rabbit.tmd", "vib-tmd", small_tmd(1));
    require_misfit(&files, NULL, OSSA_CODE_MISFIT, "rabbit.tmd",
                   "is of Vib-Ribbon (1999), but bird.skb is of Shadow of the Colossus (2005); "
                   "give one game's files");
    free_files(&files);
}

static void a_format_that_is_in_no_scene_is_refused(void **state)
{
    (void)state;
    struct scene_files files = {0};
    const struct fixture *container = fixture_find("sotc-xff/other");
    ossa_file *file = add_file(&files, "data.xff", NULL,
                               bytes_copy(container->bytes.data, container->bytes.size));
    assert_string_equal(file->format->id, "sotc-xff");
    assert_false(ossa_format_can(file->format, OSSA_ABILITY_ASSEMBLE));
    char message[256];
    (void)snprintf(message, sizeof message, "is a %s, of which no scene can be made",
                   file->format->title);
    require_misfit(&files, NULL, OSSA_CODE_MISFIT, "data.xff", message);
    free_files(&files);
}

/* Every fixture that can be read but breaks a rule. */
static void a_file_with_errors_is_refused(void **state)
{
    (void)state;
    const struct fixtures *all = fixtures_all();
    size_t tried = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct fixture *fixture = &all->items[i];
        if (!fixture_is_readable(fixture)) continue;
        ossa_file *file = read_fixture(fixture);
        const ossa_input input = {.path = fixture->name, .file = file};
        ossa_error error;
        ossa_scene *scene = ossa_assemble(&input, 1, NULL, &error);
        if (file->error_count > 0 && ossa_format_can(file->format, OSSA_ABILITY_ASSEMBLE)) {
            const ossa_issue *first = file->issues;
            while (first->severity != OSSA_SEVERITY_ERROR) first++;
            char message[OSSA_MESSAGE_CAPACITY];
            (void)snprintf(message, sizeof message, "has errors and cannot be posed: %s: %s",
                           first->field, first->message);
            require(scene == NULL, fixture->name, "was assembled");
            assert_string_equal(error.message, message);
            assert_string_equal(error.path, fixture->name);
            assert_int_equal(error.code, OSSA_CODE_MISFIT);
            tried++;
        } else if (scene == NULL) {
            /* Not a crash and not a silence. */
            require(error.code != OSSA_CODE_OK && error.message[0] != '\0', fixture->name,
                    "no reason");
        }
        ossa_scene_free(scene);
        ossa_file_free(file);
    }
    assert_true(tried > 10);
}

/* The reason was not kept, because there were too many issues. */
static void an_error_that_was_not_kept_is_still_one(void **state)
{
    (void)state;
    struct vib_maker vib = begin_vib(7, 1); /* a rate that warns */
    add_vib_frame(&vib);
    add_vib_key(&vib, 3, NULL, NULL, NULL);
    add_vib_key(&vib, 3, NULL, NULL, NULL); /* twice in a frame: an error */
    struct bytes bytes = end_vib(&vib);
    ossa_options options = {.format = "vib-anm", .max_issues = 1};
    ossa_file *file = read_or_fail("x.anm", bytes.data, bytes.size, &options);
    assert_int_equal(file->error_count, 1);
    assert_int_equal(file->issues[0].severity, OSSA_SEVERITY_WARNING);
    const ossa_input input = {.path = "x.anm", .file = file};
    ossa_error error;
    assert_null(ossa_assemble(&input, 1, NULL, &error));
    assert_string_equal(error.message, "has errors and cannot be posed");
    ossa_file_free(file);
    bytes_free(&bytes);
}

static void a_memory_limit_is_told(void **state)
{
    (void)state;
    struct scene_files files = {0};
    (void)add_file(&files, "a.anim", "mm-anim", make_anim(1, 200, 20));
    const ossa_scene_options options = {.max_memory = 3000};
    require_misfit(&files, &options, OSSA_CODE_LIMIT, "",
                   "needs more than the 3000 bytes of memory allowed");
    free_files(&files);
}

/* ---- warnings ------------------------------------------------------------------------------ */

static void warnings_are_told_counted_and_kept(void **state)
{
    (void)state;
    struct scene_files files = {0};
    (void)add_file(&files, "walk/hp.anm", "ei-anm", make_random_anm(3, 2));
    struct issue_log log = {0};
    ossa_scene_options options = {.on_issue = log_issue, .user = &log};
    ossa_scene *scene = assemble_files(&files, &options);
    assert_int_equal(scene->warning_count, 2);
    assert_int_equal(scene->issue_count, 2);
    assert_int_equal(log.count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(log.items[i].message, scene->issues[i].message);
        assert_string_equal(log.items[i].path, scene->issues[i].path);
    }
    ossa_scene_free(scene);
    log.count = 0;
    options.max_issues = 1;
    scene = assemble_files(&files, &options);
    assert_int_equal(scene->warning_count, 2);
    assert_int_equal(scene->issue_count, 1);
    assert_int_equal(log.count, 2);
    ossa_scene_free(scene);
    free_files(&files);
}

static void options_of_another_game_are_reported(void **state)
{
    (void)state;
    for (size_t i = 1; i < sizeof samples / sizeof samples[0]; i++) {
        const ossa_scene_options options = {.ei = &(ossa_ei_options){.resample = 4}};
        ossa_scene *plain = assemble_character(&samples[i], NULL);
        ossa_scene *scene = assemble_character(&samples[i], &options);
        assert_int_equal(plain->warning_count, 0);
        assert_int_equal(scene->warning_count, 1);
        const char start[] = "options of Evil Islands do not apply to files of ";
        assert_memory_equal(scene->issues[0].message, start, sizeof start - 1);
        assert_int_equal(scene->issues[0].code, OSSA_CODE_UNUSUAL_VALUE);
        assert_int_equal(scene->clips[0].frame_count, plain->clips[0].frame_count);
        ossa_scene_free(scene);
        ossa_scene_free(plain);
    }
}

static void a_clip_of_no_frames_is_left_out(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        const char *format;
        const char *message;
    } cases[] = {
        {"walk/hp.anm", "ei-anm", "the clip 'walk' has no frames and is left out"},
        {"still.anim", "mm-anim", "the clip 'still' has no frames and is left out"},
        {"hop.anm", "vib-anm", "the clip 'hop' has no frames and is left out"},
        {"fly.anb", "sotc-anb", "the clip 'fly' has no frames and is left out"},
    };
    for (size_t i = 0; i < 4; i++) {
        struct bytes files_bytes[4] = {make_random_anm(1, 0), make_anim(1, 0, 2), small_vib(30, 0),
                                       small_anb(2, 0)};
        struct scene_files files = {0};
        (void)add_file(&files, cases[i].path, cases[i].format, files_bytes[i]);
        ossa_scene *scene = assemble_files(&files, NULL);
        assert_int_equal(scene->clip_count, 0);
        assert_true(scene->warning_count > 0);
        require_warning(scene, scene->issue_count - 1, OSSA_CODE_UNUSUAL_VALUE, cases[i].path,
                        cases[i].message);
        ossa_scene_free(scene);
        free_files(&files);
        for (size_t k = 0; k < 4; k++) {
            if (k != i) bytes_free(&files_bytes[k]);
        }
    }
}

/* ---- names --------------------------------------------------------------------------------- */

static void require_clips(const struct scene_files *files, const char *const *names)
{
    ossa_scene *scene = assemble_files(files, NULL);
    uint32_t count = 0;
    for (; names[count] != NULL; count++) {
        assert_true(count < scene->clip_count);
        assert_string_equal(scene->clips[count].name, names[count]);
        assert_ptr_equal(ossa_scene_find_clip(scene, names[count]), &scene->clips[count]);
    }
    assert_int_equal(scene->clip_count, count);
    assert_null(ossa_scene_find_clip(scene, "no such clip"));
    assert_null(ossa_scene_find_clip(scene, ""));
    ossa_scene_free(scene);
}

static void a_clip_is_called_by_its_file(void **state)
{
    (void)state;
    struct scene_files files = {0};
    static const char *const paths[] = {
        "deep/down/run.anim", /* both separators, any depth */
        "deep\\down\\walk.anim",
        "two.dots.anim",
        "run.ANIM", /* the same again */
        "other/run.anim",
        "none",
        ".anim",            /* a name that begins with a dot is all name */
        "folder.with.dot/", /* and no name */
        "d.d/\xd0\xb1\xd0\xb5\xd0\xb3.anim",
    };
    static const char *const names[] = {"run",   "walk",      "two.dots",
                                        "run2",  "run3",      "none",
                                        ".anim", "animation", "\xd0\xb1\xd0\xb5\xd0\xb3",
                                        NULL};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        (void)add_file(&files, paths[i], "mm-anim", make_anim((uint32_t)i + 1, 2, 2));
    }
    require_clips(&files, names);
    free_files(&files);
}

static void a_number_skips_names_that_are_there(void **state)
{
    (void)state;
    struct scene_files files = {0};
    static const char *const paths[] = {"run.anim", "run2.anim", "a/run.anim", "b/run2.anim"};
    static const char *const names[] = {"run", "run2", "run3", "run22", NULL};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        (void)add_file(&files, paths[i], "mm-anim", make_anim((uint32_t)i + 1, 2, 2));
    }
    require_clips(&files, names);
    free_files(&files);
}

static void a_clip_of_parts_is_called_by_its_folder(void **state)
{
    (void)state;
    struct scene_files files = {0};
    static const char *const paths[] = {
        "troll/walk/hp.anm",
        "troll\\idle\\hp.anm",
        "troll/walk/bd.anm",
        "other/walk/hp.anm",
        "hp.anm", /* no folder */
        "/hp.anm",
    };
    static const char *const names[] = {"walk", "idle", "walk2", "animation", "animation2", NULL};
    (void)add_file(&files, "troll.lnk", "ei-lnk", small_lnk());
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        (void)add_file(&files, paths[i], "ei-anm", make_random_anm((uint32_t)i + 1, 2));
    }
    require_clips(&files, names);
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_string_equal(scene->clips[0].source, "walk"); /* not where it lies on this machine */
    assert_string_equal(scene->clips[2].source, "walk");
    assert_string_equal(scene->clips[0].source_format, "ei-anm");
    ossa_scene_free(scene);
    free_files(&files);
}

/* A folder is one folder, whichever way its separators lean. */
static void a_folder_in_the_old_code_page_is_a_name_too(void **state)
{
    (void)state;
    struct scene_files files = {0};
    static const char *const names[] = {"шаг", NULL};
    (void)add_file(&files, "troll.lnk", "ei-lnk", small_lnk());
    (void)add_file(&files, "\xf8\xe0\xe3/hp.anm", "ei-anm", make_random_anm(1, 2));
    require_clips(&files, names);
    free_files(&files);
}

static void separators_may_be_mixed(void **state)
{
    (void)state;
    struct scene_files files = {0};
    static const char *const names[] = {"walk", NULL};
    (void)add_file(&files, "troll.lnk", "ei-lnk", small_lnk());
    (void)add_file(&files, "t/walk/hp.anm", "ei-anm", make_random_anm(1, 2));
    (void)add_file(&files, "t\\walk\\bd.anm", "ei-anm", make_random_anm(2, 2));
    require_clips(&files, names);
    free_files(&files);
}

static void scenes_and_sources_have_names(void **state)
{
    (void)state;
    static const struct {
        const char *game;
        const char *source;
        const char *source_format;
        double fps;
    } cases[] = {
        {"Evil Islands (2000)", "dance", "ei-anm", OSSA_EI_FPS},
        {"Midtown Madness 1 and 2 (1999, 2000)", "run.anim", "mm-anim", 30.0},
        {"Shadow of the Colossus (2005)", "fly.anb", "sotc-anb", 30.0},
        {"Vib-Ribbon (1999)", "hop.anm", "vib-anm", 30.0},
    };
    static const char *const names[] = {"troll", "ped", "bird", "rabbit"};
    for (size_t i = 0; i < 4; i++) {
        ossa_scene *scene = assemble_character(&samples[i], NULL);
        assert_string_equal(scene->name, names[i]);
        assert_string_equal(scene->game, cases[i].game);
        assert_string_equal(scene->clips[0].source, cases[i].source);
        assert_string_equal(scene->clips[0].source_format, cases[i].source_format);
        assert_true(scene->clips[0].fps == cases[i].fps);
        ossa_scene_free(scene);
    }
    /* Without a skeleton it is called by the first input; without any name it is a scene. */
    struct scene_files files = {0};
    (void)add_file(&files, "run.anim", "mm-anim", make_anim(1, 2, 2));
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_string_equal(scene->name, "run");
    ossa_scene_free(scene);
    free_files(&files);
    (void)add_file(&files, "", "mm-anim", make_anim(1, 2, 2));
    scene = assemble_files(&files, NULL);
    assert_string_equal(scene->name, "scene");
    assert_string_equal(scene->clips[0].name, "animation");
    ossa_scene_free(scene);
    free_files(&files);
}

/* ---- rate and scale ------------------------------------------------------------------------ */

static bool is_times(float scaled, float plain, double factor)
{
    return fabs((double)scaled - (double)plain * factor) <= 1e-6 * fabs((double)plain * factor);
}

static void the_scale_is_of_all_lengths(void **state)
{
    (void)state;
    const double factor = 2.5;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const ossa_scene_options options = {.scale = factor};
        ossa_scene *plain = assemble_character(&samples[i], NULL);
        ossa_scene *scene = assemble_character(&samples[i], &options);
        for (uint32_t b = 0; b < plain->bone_count; b++) {
            const ossa_transform *large = &scene->bones[b].rest;
            const ossa_transform *small = &plain->bones[b].rest;
            for (unsigned k = 0; k < 3; k++) {
                assert_true(is_times(large->translation[k], small->translation[k], factor));
                assert_true(large->scale[k] == small->scale[k]);
            }
            assert_memory_equal(large->rotation, small->rotation, sizeof small->rotation);
        }
        for (uint32_t c = 0; c < plain->clip_count; c++) {
            for (uint32_t f = 0; f < plain->clips[c].frame_count; f += 7) {
                ossa_transform large[32];
                ossa_transform small[32];
                ossa_sample_frame(scene, &scene->clips[c], f, large, NULL);
                ossa_sample_frame(plain, &plain->clips[c], f, small, NULL);
                for (uint32_t b = 0; b < plain->bone_count; b++) {
                    for (unsigned k = 0; k < 3; k++) {
                        assert_true(
                            is_times(large[b].translation[k], small[b].translation[k], factor));
                    }
                    assert_memory_equal(large[b].rotation, small[b].rotation,
                                        sizeof small[b].rotation);
                }
            }
        }
        assert_int_equal(scene->mesh_count, plain->mesh_count);
        for (uint32_t m = 0; m < plain->mesh_count; m++) {
            for (uint32_t v = 0; v < plain->meshes[m].vertex_count; v++) {
                for (unsigned k = 0; k < 3; k++) {
                    assert_true(is_times(scene->meshes[m].positions[v][k],
                                         plain->meshes[m].positions[v][k], factor));
                }
            }
        }
        ossa_scene_free(scene);
        ossa_scene_free(plain);
    }
}

static void the_rate_is_of_all_clips(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const ossa_scene_options options = {.fps = 12.5};
        ossa_scene *scene = assemble_character(&samples[i], &options);
        assert_true(scene->clip_count > 0);
        for (uint32_t c = 0; c < scene->clip_count; c++) {
            assert_true(scene->clips[c].fps == 12.5);
        }
        ossa_scene_free(scene);
    }
}

/* ---- joined clips -------------------------------------------------------------------------- */

static void joined_clips_follow_each_other(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++) { /* the fourth, the rabbit, has a series */
        const ossa_scene_options options = {.join = true};
        ossa_scene *plain = assemble_character(&samples[i], NULL);
        ossa_scene *scene = assemble_character(&samples[i], &options);
        assert_true(plain->clip_count > 1);
        assert_int_equal(scene->clip_count, 1);
        const ossa_clip *joined = &scene->clips[0];
        assert_string_equal(joined->name, plain->clips[0].name);
        size_t size = strlen(plain->clips[0].source);
        assert_memory_equal(joined->source, plain->clips[0].source, size);
        assert_memory_equal(joined->source + size, ", ", 2);
        assert_string_equal(joined->source_format, plain->clips[0].source_format);
        assert_true(joined->fps == plain->clips[0].fps);
        assert_false(joined->loop);
        uint32_t frame = 0;
        for (uint32_t c = 0; c < plain->clip_count; c++) {
            for (uint32_t f = 0; f < plain->clips[c].frame_count; f++, frame++) {
                ossa_transform one[32];
                ossa_transform two[32];
                uint8_t shown[2][32];
                ossa_sample_frame(plain, &plain->clips[c], f, one, shown[0]);
                ossa_sample_frame(scene, joined, frame, two, shown[1]);
                assert_memory_equal(one, two, plain->bone_count * sizeof *one);
                assert_memory_equal(shown[0], shown[1], plain->bone_count);
            }
        }
        assert_int_equal(joined->frame_count, frame);
        ossa_scene_free(scene);
        ossa_scene_free(plain);
    }
}

static void joining_other_rates_warns(void **state)
{
    (void)state;
    struct scene_files files = {0};
    (void)add_file(&files, "m.tmd", "vib-tmd", small_tmd(2));
    (void)add_file(&files, "a.anm", "vib-anm", small_vib(20, 3));
    (void)add_file(&files, "b.anm", "vib-anm", small_vib(20, 2));
    (void)add_file(&files, "c.anm", "vib-anm", small_vib(60, 2));
    const ossa_scene_options options = {.join = true};
    ossa_scene *scene = assemble_files(&files, &options);
    assert_int_equal(scene->warning_count, 1);
    require_warning(scene, 0, OSSA_CODE_UNUSUAL_VALUE, "",
                    "'a' has 20 frames a second and 'c' 60; joined, all have 20");
    assert_int_equal(scene->clips[0].frame_count, 7);
    ossa_scene_free(scene);
    /* With a rate of one's own all are the same. */
    const ossa_scene_options even = {.join = true, .fps = 25.0};
    scene = assemble_files(&files, &even);
    assert_int_equal(scene->warning_count, 0);
    assert_true(scene->clips[0].fps == 25.0);
    ossa_scene_free(scene);
    free_files(&files);
}

static bool wants_walk(void *user, const char *name)
{
    (*(size_t *)user)++;
    return strncmp(name, "walk", 4) == 0;
}

static bool wants_nothing(void *user, const char *name)
{
    (void)user;
    (void)name;
    return false;
}

static void a_series_is_joined_by_its_numbers(void **state)
{
    (void)state;
    struct scene_files files = {0};
    (void)add_file(&files, "t.lnk", "ei-lnk", small_lnk());
    (void)add_file(&files, "walk10/hp.anm", "ei-anm", make_random_anm(1, 4));
    (void)add_file(&files, "walk9/hp.anm", "ei-anm", make_random_anm(2, 2));
    (void)add_file(&files, "hop/hp.anm", "ei-anm", make_random_anm(3, 5));
    (void)add_file(&files, "7/hp.anm", "ei-anm", make_random_anm(4, 1));
    const ossa_scene_options options = {.join = true};
    ossa_scene *plain = assemble_files(&files, NULL);
    ossa_scene *scene = assemble_files(&files, &options);
    assert_int_equal(scene->clip_count, 3);
    assert_non_null(ossa_scene_find_clip(scene, "hop"));
    assert_non_null(ossa_scene_find_clip(scene, "7"));
    const ossa_clip *walk = ossa_scene_find_clip(scene, "walk");
    assert_non_null(walk);
    assert_string_equal(walk->source, "walk9, walk10");
    assert_int_equal(walk->frame_count, 6);
    ossa_transform pose[2][8];
    ossa_sample_frame(scene, walk, 1, pose[0], NULL);
    ossa_sample_frame(plain, ossa_scene_find_clip(plain, "walk9"), 1, pose[1], NULL);
    assert_memory_equal(pose[0], pose[1], scene->bone_count * sizeof pose[0][0]);
    ossa_sample_frame(scene, walk, 2, pose[0], NULL);
    ossa_sample_frame(plain, ossa_scene_find_clip(plain, "walk10"), 0, pose[1], NULL);
    assert_memory_equal(pose[0], pose[1], scene->bone_count * sizeof pose[0][0]);
    ossa_scene_free(scene);
    ossa_scene_free(plain);
    free_files(&files);
}

/* Numbers that do not fit in 64 bits are all the largest there is, in the order of the files: they
 * do not begin anew at 0. */
static void long_numbers_come_last(void **state)
{
    (void)state;
    static const char *const names[] = {"w99999999999999999999999", "w18446744073709551616",
                                        "w1844674407370955161",     "w7",
                                        "w184467440737095516150",   "w1000000000000000000"};
    struct scene_files files = {0};
    (void)add_file(&files, "m.tmd", "vib-tmd", small_tmd(2));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "%s.anm", names[i]);
        (void)add_file(&files, path, "vib-anm", small_vib(20, 1));
    }
    const ossa_scene_options options = {.join = true};
    ossa_scene *scene = assemble_files(&files, &options);
    assert_int_equal(scene->clip_count, 1);
    assert_string_equal(scene->clips[0].name, "w");
    assert_string_equal(scene->clips[0].source,
                        "w7.anm, w1000000000000000000.anm, w1844674407370955161.anm, "
                        "w99999999999999999999999.anm, w18446744073709551616.anm, "
                        "w184467440737095516150.anm");
    ossa_scene_free(scene);
    free_files(&files);
}

/* The rabbit's walk is stored over two files; its hop is another move. */
static void some_clips_can_be_joined(void **state)
{
    (void)state;
    size_t asked = 0;
    const ossa_scene_options options = {.join = true, .wants_clip = wants_walk, .user = &asked};
    ossa_scene *scene = assemble_character(&samples[3], &options);
    assert_int_equal(asked, 3);
    assert_int_equal(scene->clip_count, 1);
    assert_string_equal(scene->clips[0].name, "walk");
    assert_string_equal(scene->clips[0].source, "walk0.anm, walk1.anm");
    assert_int_equal(scene->clips[0].frame_count, 72);
    assert_int_equal(scene->warning_count, 0); /* the hop's rate is another, but it is not there */
    ossa_scene_free(scene);
    /* Where it wants none, all are joined. */
    const ossa_scene_options none = {.join = true, .wants_clip = wants_nothing, .fps = 30.0};
    scene = assemble_character(&samples[3], &none);
    assert_int_equal(scene->clip_count, 2); /* hop, and the series */
    assert_int_equal(scene->clips[1].frame_count, 72);
    ossa_scene_free(scene);
}

static void one_clip_is_joined_already(void **state)
{
    (void)state;
    const ossa_scene_options options = {.join = true};
    for (size_t i = 0; i < sizeof pose_vectors / sizeof pose_vectors[0]; i++) {
        ossa_scene *plain = assemble_character(&pose_vectors[i], NULL);
        ossa_scene *scene = assemble_character(&pose_vectors[i], &options);
        struct bytes a = scene_json_or_fail("plain", plain, NULL, OSSA_JSON_STYLE_LINE);
        struct bytes b = scene_json_or_fail("joined", scene, NULL, OSSA_JSON_STYLE_LINE);
        require_same(pose_vectors[i].name, &a, b.data, b.size);
        bytes_free(&a);
        bytes_free(&b);
        ossa_scene_free(scene);
        ossa_scene_free(plain);
    }
}

/* ---- boxes --------------------------------------------------------------------------------- */

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* A closed shape whose triangles are seen from outside, with normals that say so. */
static void require_box(const ossa_mesh *mesh)
{
    assert_int_equal(mesh->kind, OSSA_MESH_KIND_TRIANGLES);
    assert_int_equal(mesh->index_count, 36);
    assert_non_null(mesh->normals);
    double centre[3] = {0.0, 0.0, 0.0};
    double size = 0.0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        for (unsigned k = 0; k < 3; k++) {
            centre[k] += (double)mesh->positions[v][k] / mesh->vertex_count;
            size = fmax(size, fabs((double)mesh->positions[v][k]));
        }
    }
    double volume = 0.0;
    double areas[3] = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < mesh->index_count; i += 3) {
        double corner[3][3];
        double sides[2][3];
        double normal[3];
        double outward[3];
        for (unsigned c = 0; c < 3; c++) {
            assert_true(mesh->indices[i + c] < mesh->vertex_count);
            for (unsigned k = 0; k < 3; k++) {
                corner[c][k] = (double)mesh->positions[mesh->indices[i + c]][k];
            }
        }
        for (unsigned k = 0; k < 3; k++) {
            sides[0][k] = corner[1][k] - corner[0][k];
            sides[1][k] = corner[2][k] - corner[0][k];
            outward[k] = (corner[0][k] + corner[1][k] + corner[2][k]) / 3.0 - centre[k];
        }
        cross(sides[0], sides[1], normal);
        double length = sqrt(dot(normal, normal));
        assert_true(length > 1e-9 * size * size); /* not degenerate */
        assert_true(dot(normal, outward) > 0.0);
        for (unsigned c = 0; c < 3; c++) {
            double stored[3];
            for (unsigned k = 0; k < 3; k++) {
                stored[k] = (double)mesh->normals[mesh->indices[i + c]][k];
            }
            assert_true(fabs(dot(stored, stored) - 1.0) < 1e-5);
            assert_true(dot(stored, normal) > 0.9999 * length);
        }
        double turned[3];
        cross(corner[1], corner[2], turned);
        volume += dot(corner[0], turned) / 6.0;
        for (unsigned k = 0; k < 3; k++) areas[k] += normal[k];
    }
    assert_true(volume > 0.0);
    for (unsigned k = 0; k < 3; k++) assert_true(fabs(areas[k]) < 1e-5 * size * size); /* closed */
}

static void box_axis(const ossa_mesh *mesh, double end[3])
{
    end[0] = end[1] = end[2] = 0.0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        for (unsigned k = 0; k < 3; k++) {
            end[k] += 2.0 * (double)mesh->positions[v][k] / mesh->vertex_count;
        }
    }
}

/* A box begins at its bone and ends at a child, or goes on in the direction it came from. */
static bool is_box_to(const ossa_mesh *mesh, const double wanted[3])
{
    double end[3];
    box_axis(mesh, end);
    double length = sqrt(dot(wanted, wanted));
    return point_distance(end, wanted) < 1e-5 * length;
}

static void require_box_on_bone(const ossa_scene *scene, const ossa_mesh *mesh)
{
    double end[3];
    box_axis(mesh, end);
    double length = sqrt(dot(end, end));
    double least = INFINITY;
    double most = -INFINITY;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        double p[3];
        for (unsigned k = 0; k < 3; k++) p[k] = (double)mesh->positions[v][k];
        least = fmin(least, dot(p, end) / length);
        most = fmax(most, dot(p, end) / length);
    }
    assert_true(fabs(least) < 1e-5 * length);
    assert_true(fabs(most - length) < 1e-5 * length);
    assert_string_equal(mesh->name, scene->bones[mesh->bone].name);
}

/* Every bone is joined to each of its children. */
static void require_boxes_join(const ossa_scene *scene)
{
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        const ossa_bone *bone = &scene->bones[b];
        double place[3];
        bool is_joined = bone->parent < 0;
        bool has_child = false;
        bool has_tip = false;
        double tip[3];
        for (unsigned k = 0; k < 3; k++) place[k] = (double)bone->rest.translation[k];
        rotation_apply(rotation_inverse(rotation_of(bone->rest.rotation)), place, tip);
        for (unsigned k = 0; k < 3; k++) tip[k] /= 2.0;
        if (dot(place, place) == 0.0) continue;
        for (uint32_t m = 0; m < scene->mesh_count; m++) {
            const ossa_mesh *mesh = &scene->meshes[m];
            if ((int32_t)mesh->bone == bone->parent && is_box_to(mesh, place)) is_joined = true;
            if (mesh->bone == b && is_box_to(mesh, tip)) has_tip = true;
        }
        for (uint32_t c = b + 1; c < scene->bone_count; c++) {
            if (scene->bones[c].parent == (int32_t)b) has_child = true;
        }
        require(is_joined, bone->name, "no box leads to it");
        require(has_child || has_tip, bone->name, "no box goes on from it");
    }
}

static void boxes_are_closed_and_face_outward(void **state)
{
    (void)state;
    const ossa_scene_options options = {.boxes = true};
    const struct character *const without_mesh[3] = {&samples[0], &pose_vectors[2],
                                                     &pose_vectors[3]};
    for (size_t i = 0; i < 3; i++) {
        ossa_scene *scene = assemble_character(without_mesh[i], &options);
        assert_true(scene->mesh_count >= scene->bone_count - 1);
        require_boxes_join(scene);
        for (uint32_t m = 0; m < scene->mesh_count; m++) {
            require_box(&scene->meshes[m]);
            require_box_on_bone(scene, &scene->meshes[m]);
        }
        ossa_scene_free(scene);
    }
}

/* Bones in every direction, along each axis too: the second direction must never be the first. */
static void boxes_stand_in_every_direction(void **state)
{
    (void)state;
    for (int x = -1; x <= 1; x++) {
        for (int y = -1; y <= 1; y++) {
            for (int z = -1; z <= 1; z++) {
                struct scene_files files = {0};
                (void)add_file(&files, "t.lnk", "ei-lnk", small_lnk());
                (void)add_file(&files, "bd.bon", "ei-bon",
                               make_bon((float)x * 0.5F, (float)y * 2.0F, (float)z));
                const ossa_scene_options options = {.boxes = true};
                ossa_scene *scene = assemble_files(&files, &options);
                /* Nothing to see along a bone of no length. */
                assert_int_equal(scene->mesh_count, x == 0 && y == 0 && z == 0 ? 0 : 2);
                for (uint32_t m = 0; m < scene->mesh_count; m++) require_box(&scene->meshes[m]);
                ossa_scene_free(scene);
                free_files(&files);
            }
        }
    }
}

static void a_mesh_needs_no_boxes(void **state)
{
    (void)state;
    const ossa_scene_options options = {.boxes = true};
    ossa_scene *plain = assemble_character(&samples[3], NULL);
    ossa_scene *scene = assemble_character(&samples[3], &options);
    assert_true(plain->mesh_count > 0);
    assert_int_equal(scene->mesh_count, plain->mesh_count);
    ossa_scene_free(scene);
    ossa_scene_free(plain);
    /* Nor does a skeleton without bones. */
    struct scene_files files = {0};
    (void)add_file(&files, "none.anb", "sotc-anb", small_anb(0, 3));
    scene = assemble_files(&files, &options);
    assert_int_equal(scene->bone_count, 0);
    assert_int_equal(scene->mesh_count, 0);
    ossa_scene_free(scene);
    free_files(&files);
}

TEST_GROUP(test_scene_assembly)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_input_is_refused),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(an_input_without_file_or_path_is_refused),
        cmocka_unit_test(a_folder_in_the_old_code_page_is_a_name_too),
        cmocka_unit_test(two_skeletons_are_refused),
        cmocka_unit_test(files_of_two_games_are_refused),
        cmocka_unit_test(a_format_that_is_in_no_scene_is_refused),
        cmocka_unit_test(a_file_with_errors_is_refused),
        cmocka_unit_test(an_error_that_was_not_kept_is_still_one),
        cmocka_unit_test(a_memory_limit_is_told),
        cmocka_unit_test(warnings_are_told_counted_and_kept),
        cmocka_unit_test(options_of_another_game_are_reported),
        cmocka_unit_test(a_clip_of_no_frames_is_left_out),
        cmocka_unit_test(a_clip_is_called_by_its_file),
        cmocka_unit_test(a_number_skips_names_that_are_there),
        cmocka_unit_test(a_clip_of_parts_is_called_by_its_folder),
        cmocka_unit_test(separators_may_be_mixed),
        cmocka_unit_test(scenes_and_sources_have_names),
        cmocka_unit_test(the_scale_is_of_all_lengths),
        cmocka_unit_test(the_rate_is_of_all_clips),
        cmocka_unit_test(joined_clips_follow_each_other),
        cmocka_unit_test(joining_other_rates_warns),
        cmocka_unit_test(some_clips_can_be_joined),
        cmocka_unit_test(a_series_is_joined_by_its_numbers),
        cmocka_unit_test(long_numbers_come_last),
        cmocka_unit_test(one_clip_is_joined_already),
        cmocka_unit_test(boxes_are_closed_and_face_outward),
        cmocka_unit_test(boxes_stand_in_every_direction),
        cmocka_unit_test(a_mesh_needs_no_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
