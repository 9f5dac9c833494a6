/* SPDX-License-Identifier: MIT
 *
 * Morph frames of Evil Islands in a scene: which shape a mesh has when, that it is the game's, and
 * what is shared, left out and refused. */
#include "support/counting.h"
#include "support/ei_rule.h"
#include "support/fig_fixture.h"
#include "formats/evil_islands/game.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* hp - bd - hd, and ll on hp. */
static const char *const tree[] = {"hp", "", "bd", "hp", "hd", "bd", "ll", "hp", NULL};
static const char *const parts[] = {"hp", "bd", "hd", "ll"};
enum { PARTS = 4, FRAMES = 5, OFFSETS = 6 };

static const struct fig_plan usual = {.seed = 41,
                                      .variants = 8,
                                      .vertex_blocks = 3,
                                      .normal_blocks = 1,
                                      .texcoords = 2,
                                      .triangles = 6,
                                      .corners = 16, /* four vertices have two corners */
                                      .morphs = OFFSETS};

static void add_tree(struct scene_files *files)
{
    (void)add_file(files, "t.lnk", "ei-lnk", make_lnk(tree));
    for (unsigned i = 0; i < PARTS; i++) {
        char path[32];
        (void)snprintf(path, sizeof path, "bon/%s.bon", parts[i]);
        (void)add_file(files, path, "ei-bon", make_bon(0.25F * (float)i - 0.5F, 0.5F, 1.0F));
    }
}

static void add_figs(struct scene_files *files)
{
    for (unsigned i = 0; i < PARTS; i++) {
        char path[32];
        struct fig_plan plan = usual;
        plan.seed += i;
        plan.variants = i == 1 ? 1 : 8;
        (void)snprintf(path, sizeof path, "mod/%s.fig", parts[i]);
        (void)add_file(files, path, NULL, make_fig(&plan));
    }
}

/* bd and ll morph, hp and hd do not. */
static bool morphs(unsigned part)
{
    return part == 1 || part == 3;
}

static void add_clip(struct scene_files *files, const char *clip, uint32_t seed, uint32_t frames)
{
    for (unsigned i = 0; i < PARTS; i++) {
        char path[32];
        (void)snprintf(path, sizeof path, "%s/%s.anm", clip, parts[i]);
        (void)add_file(
            files, path, "ei-anm",
            make_morph_anm(seed + i, frames, morphs(i) ? frames : 0, morphs(i) ? OFFSETS : 0));
    }
}

/* The figure of the tests below: one part, one mesh. */
static const char *const root[] = {"bd", "", NULL};

static void add_root(struct scene_files *files)
{
    (void)add_file(files, "t.lnk", "ei-lnk", make_lnk(root));
    (void)add_file(files, "bd.bon", "ei-bon", make_bon(0.0F, 0.0F, 0.0F));
    (void)add_file(files, "bd.fig", NULL, make_fig(&usual));
}

/* Set a whole morph frame to one number. */
static void fill_frame(struct bytes *anm, uint32_t frame, float value)
{
    for (uint32_t m = 0; m < OFFSETS; m++) {
        for (size_t k = 0; k < 3; k++) {
            set_f32(anm, morph_place(FRAMES, OFFSETS, frame, m) + 4 * k, value);
        }
    }
}

/* ---- the game's rule ----------------------------------------------------------------------- */

/* How far the vertices of a posed, morphed figure are from the game's, at most. */
static double worst_distance(const struct scene_files *files, const ossa_scene *scene,
                             const ossa_clip *clip, const float sdh[3], uint32_t key)
{
    ossa_transform locals[PARTS];
    float matrices[PARTS][16];
    struct ei_place places[PARTS];
    double frame = (double)key / clip->keys_per_frame;
    double worst = 0.0;
    ossa_sample_frame(scene, clip, key, locals, NULL);
    ossa_model_matrices(scene, locals, matrices);
    ei_rule_pose(files, scene, clip->name, frame, places);
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        const ossa_mesh *mesh = &scene->meshes[m];
        const float *matrix = matrices[mesh->bone];
        float weights[64];
        float positions[16][3];
        assert_true(mesh->target_count <= 64 && mesh->vertex_count == 16);
        ossa_sample_morphs(scene, clip, (double)key / clip->fps, OSSA_WRAP_CLAMP, m, weights);
        ossa_morph_mesh(mesh, weights, positions);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) { /* every corner is used */
            const float *p = positions[v];
            double found[3];
            double expected[3];
            for (unsigned k = 0; k < 3; k++) {
                found[k] = (double)(matrix[k] * p[0] + matrix[4 + k] * p[1] + matrix[8 + k] * p[2] +
                                    matrix[12 + k]);
            }
            ei_rule_corner(files, clip->name, parts[mesh->bone], frame, sdh, v, &places[mesh->bone],
                           expected);
            double distance = point_distance(found, expected);
            if (distance > worst) worst = distance;
        }
    }
    return worst;
}

static void vertices_are_where_the_game_has_them(void **state)
{
    (void)state;
    static const uint32_t rates[] = {1, 2, 3, 8};
    struct scene_files files = {0};
    add_tree(&files);
    add_figs(&files);
    add_clip(&files, "walk", 100, FRAMES);
    add_clip(&files, "idle", 200, 3);
    for (size_t n = 0; n < sizeof rates / sizeof rates[0]; n++) {
        const ossa_ei_options ei = {.resample = rates[n], .complexion = {0.25F, 0.75F, 0.5F}};
        const ossa_scene_options options = {.ei = &ei};
        ossa_scene *scene = assemble_files(&files, &options);
        assert_int_equal(scene->warning_count, 0);
        assert_int_equal(scene->mesh_count, PARTS);
        assert_int_equal(scene->meshes[0].vertex_count, 16);
        assert_int_equal(scene->meshes[0].target_count, 0);
        /* Of every key: 5 and 3 frames, and what lies between them. */
        uint32_t keys = 4 * rates[n] + 1 + 2 * rates[n] + 1;
        assert_int_equal(scene->meshes[1].target_count, keys);
        assert_int_equal(scene->meshes[3].target_count, keys);
        for (uint32_t c = 0; c < scene->clip_count; c++) {
            const ossa_clip *clip = &scene->clips[c];
            assert_int_equal(clip->morphs.count, 2);
            assert_int_equal(clip->morphs.meshes[0], 1);
            assert_int_equal(clip->morphs.meshes[1], 3);
            for (uint32_t key = 0; key < clip->frame_count; key++) {
                double worst = worst_distance(&files, scene, clip, ei.complexion, key);
                require(worst < 1e-5, clip->name, "key %u of %u a frame is %g m off", (unsigned)key,
                        (unsigned)rates[n], worst);
            }
        }
        ossa_scene_free(scene);
    }
    free_files(&files);
}

/* In a mesh's own space the way between two frames is straight, however it is written. */
static void between_frames_it_goes_straight(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_root(&files);
    (void)add_file(&files, "walk/bd.anm", "ei-anm", make_morph_anm(7, FRAMES, FRAMES, OFFSETS));
    for (uint32_t rate = 1; rate <= 4; rate++) {
        const ossa_ei_options ei = {.resample = rate};
        const ossa_scene_options options = {.ei = &ei};
        ossa_scene *scene = assemble_files(&files, &options);
        const ossa_mesh *mesh = &scene->meshes[0];
        for (unsigned i = 0; i <= 4 * 10; i++) {
            float weights[64];
            float positions[16][3];
            assert_true(mesh->target_count <= 64);
            ossa_sample_morphs(scene, &scene->clips[0], i / (10.0 * OSSA_EI_FPS), OSSA_WRAP_CLAMP,
                               0, weights);
            ossa_morph_mesh(mesh, weights, positions);
            for (uint32_t v = 0; v < 16; v++) {
                double expected[3];
                ei_rule_corner(&files, "walk", "bd", i / 10.0, ei.complexion, v, NULL, expected);
                for (unsigned k = 0; k < 3; k++) {
                    assert_true(fabs((double)positions[v][k] - expected[k]) < 1e-5);
                }
            }
        }
        ossa_scene_free(scene);
    }
    free_files(&files);
}

static void lengths_are_scaled(void **state)
{
    (void)state;
    struct scene_files files = {0};
    const ossa_scene_options options = {.scale = 100.0};
    add_root(&files);
    (void)add_file(&files, "walk/bd.anm", "ei-anm", make_morph_anm(7, 1, 1, OFFSETS));
    ossa_scene *plain = assemble_files(&files, NULL);
    ossa_scene *scaled = assemble_files(&files, &options);
    for (size_t v = 0; v < 16; v++) {
        for (unsigned k = 0; k < 3; k++) {
            float a = plain->meshes[0].targets[v][k];
            float b = scaled->meshes[0].targets[v][k];
            assert_true(fabsf(100.0F * a - b) <= 1e-4F * fabsf(b));
        }
    }
    ossa_scene_free(plain);
    ossa_scene_free(scaled);
    free_files(&files);
}

/* ---- targets ------------------------------------------------------------------------------- */

static void equal_frames_share_a_target(void **state)
{
    (void)state;
    struct scene_files files = {0};
    struct bytes walk = make_morph_anm(7, FRAMES, FRAMES, OFFSETS);
    struct bytes idle = make_morph_anm(8, FRAMES, FRAMES, OFFSETS);
    static const float walk_values[FRAMES] = {2.0F, 0.0F, 1.0F, 2.0F, -0.0F};
    static const float idle_values[FRAMES] = {-0.0F, 1.0F, 3.0F, 3.0F, 2.0F};
    for (uint32_t f = 0; f < FRAMES; f++) {
        fill_frame(&walk, f, walk_values[f]);
        fill_frame(&idle, f, idle_values[f]);
    }
    /* In the frames of ones the first offset is no way at all, of either sign. */
    for (size_t k = 0; k < 3; k++) {
        set_f32(&walk, morph_place(FRAMES, OFFSETS, 2, 0) + 4 * k, -0.0F);
        set_f32(&idle, morph_place(FRAMES, OFFSETS, 1, 0) + 4 * k, 0.0F);
    }
    add_root(&files);
    (void)add_file(&files, "walk/bd.anm", "ei-anm", walk);
    (void)add_file(&files, "idle/bd.anm", "ei-anm", idle);
    ossa_scene *scene = assemble_files(&files, NULL);
    static const int32_t keys[2][FRAMES] = {{0, -1, 1, 0, -1}, {-1, 1, 2, 2, 0}};
    assert_int_equal(scene->meshes[0].target_count, 3); /* in the order in which they appear */
    for (unsigned c = 0; c < 2; c++) {
        assert_int_equal(scene->clips[c].morphs.count, 1);
        assert_memory_equal(scene->clips[c].morphs.keys, keys[c], sizeof keys[c]);
    }
    static const float values[3] = {2.0F, 1.0F, 3.0F};
    const float(*targets)[3] = scene->meshes[0].targets;
    for (size_t i = 0; i < 3 * 16; i++) { /* a vertex is moved or not: x, z and -y */
        float value = targets[i][0];
        assert_true(value == 0.0F || value == values[i / 16]);
        assert_true(targets[i][1] == value && targets[i][2] == -value);
        assert_true(!signbit(targets[i][0]) && (value != 0.0F || !signbit(targets[i][2])));
    }
    ossa_scene_free(scene);
    free_files(&files);
}

/* Offsets that no vertex has do not tell frames apart. */
static void idle_offsets_make_no_target(void **state)
{
    (void)state;
    struct scene_files files = {0};
    struct bytes anm = make_morph_anm(7, FRAMES, FRAMES, OFFSETS + 2);
    for (uint32_t f = 0; f < FRAMES; f++) {
        for (uint32_t m = 0; m < OFFSETS; m++) {
            set_f32(&anm, morph_place(FRAMES, OFFSETS + 2, f, m), f == 2 ? 1.0F : 0.0F);
            set_f32(&anm, morph_place(FRAMES, OFFSETS + 2, f, m) + 4, 0.0F);
            set_f32(&anm, morph_place(FRAMES, OFFSETS + 2, f, m) + 8, 0.0F);
        }
    }
    add_root(&files);
    (void)add_file(&files, "walk/bd.anm", "ei-anm", anm);
    ossa_scene *scene = assemble_files(&files, NULL);
    static const int32_t keys[FRAMES] = {-1, -1, 0, -1, -1};
    assert_int_equal(scene->meshes[0].target_count, 1);
    assert_memory_equal(scene->clips[0].morphs.keys, keys, sizeof keys);
    ossa_scene_free(scene);
    free_files(&files);
}

/* One offset may move several vertices; a vertex has one offset, the first that names it. */
static void offsets_and_vertices(void **state)
{
    (void)state;
    struct scene_files files = {0};
    struct fig_plan plan = usual;
    struct bytes fig = make_fig(&plan);
    struct bytes anm = make_morph_anm(7, 1, 1, OFFSETS);
    static const uint32_t components[OFFSETS][2] = {{5, 1}, {5, 2}, {2, 2}, {0, 3}, {2, 3}, {2, 4}};
    size_t at = find_fig_places(&plan).morphs;
    for (size_t i = 0; i < OFFSETS; i++) {
        set_u16(&fig, at + 4 * i, components[i][0]);
        set_u16(&fig, at + 4 * i + 2, components[i][1]);
        set_f32(&anm, morph_place(1, OFFSETS, 0, (uint32_t)i), (float)i + 1.0F);
    }
    (void)add_file(&files, "bd.fig", NULL, fig);
    (void)add_file(&files, "walk/bd.anm", "ei-anm", anm);
    ossa_scene *scene = assemble_files(&files, NULL);
    /* Corner v has vertex v modulo 12. */
    static const float expected[16] = {0, 6, 6, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 6, 6, 1};
    for (size_t v = 0; v < 16; v++) assert_true(scene->meshes[0].targets[v][0] == expected[v]);
    ossa_scene_free(scene);
    free_files(&files);
}

/* ---- clips --------------------------------------------------------------------------------- */

static void tracks_may_be_shorter_or_longer(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_root(&files);
    (void)add_file(&files, "short/bd.anm", "ei-anm", make_morph_anm(7, FRAMES, 2, OFFSETS));
    (void)add_file(&files, "long/bd.anm", "ei-anm", make_morph_anm(8, 2, FRAMES, OFFSETS));
    ossa_scene *scene = assemble_files(&files, NULL);
    static const int32_t keys[2][FRAMES] = {{0, 1, 1, 1, 1}, {2, 3, 4, 5, 6}};
    for (unsigned c = 0; c < 2; c++) {
        assert_int_equal(scene->clips[c].frame_count, FRAMES);
        assert_memory_equal(scene->clips[c].morphs.keys, keys[c], sizeof keys[c]);
    }
    ossa_scene_free(scene);
    /* Where nothing can morph the frames are those of the turns. */
    const ossa_scene_options options = {.ei =
                                            &(ossa_ei_options){.morphing = OSSA_EI_MORPHING_NONE}};
    scene = assemble_files(&files, &options);
    assert_int_equal(scene->clips[1].frame_count, 2);
    assert_int_equal(scene->warning_count, 0);
    ossa_scene_free(scene);
    free_files(&files);
}

/* Is it one of the words? */
static bool wants(void *user, const char *name)
{
    size_t size = strlen(name);
    for (const char *at = strstr(user, name); at != NULL; at = strstr(at + 1, name)) {
        if (at[size] == '\0' || at[size] == ' ') return true;
    }
    return false;
}

static void only_what_is_wanted_morphs(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_root(&files);
    struct bytes flat = make_morph_anm(6, FRAMES, FRAMES, OFFSETS);
    for (uint32_t f = 0; f < FRAMES; f++) fill_frame(&flat, f, 0.0F);
    (void)add_file(&files, "flat/bd.anm", "ei-anm", flat);
    (void)add_file(&files, "walk/bd.anm", "ei-anm", make_morph_anm(7, FRAMES, FRAMES, OFFSETS));
    (void)add_file(&files, "idle/bd.anm", "ei-anm", make_morph_anm(8, 3, 3, OFFSETS));
    (void)add_file(&files, "more/walk/bd.anm", "ei-anm", make_morph_anm(9, 2, 2, OFFSETS));
    static const struct {
        ossa_ei_morphing morphing;
        const char *wanted;
        uint32_t targets;
        uint32_t counts[4]; /* of tracks, by clip */
    } cases[] = {{OSSA_EI_MORPHING_ALL, NULL, 10, {0, 1, 1, 1}},
                 {OSSA_EI_MORPHING_FIRST, NULL, 5, {0, 1, 0, 0}},
                 {OSSA_EI_MORPHING_NONE, NULL, 0, {0, 0, 0, 0}},
                 {OSSA_EI_MORPHING_ALL, "idle walk2", 5, {0, 0, 1, 1}},
                 {OSSA_EI_MORPHING_FIRST, "idle walk2", 3, {0, 0, 1, 0}},
                 {OSSA_EI_MORPHING_FIRST, "walk2", 2, {0, 0, 0, 1}},
                 {OSSA_EI_MORPHING_ALL, "flat", 0, {0, 0, 0, 0}},
                 {OSSA_EI_MORPHING_NONE, "idle walk", 0, {0, 0, 0, 0}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ossa_scene_options options = {.ei = &(ossa_ei_options){.morphing = cases[i].morphing}};
        if (cases[i].wanted != NULL) {
            options.wants_clip = wants;
            options.user = (void *)(uintptr_t)cases[i].wanted;
        }
        static const char *const names[4] = {"flat", "walk", "idle", "walk2"};
        ossa_scene *scene = assemble_files(&files, &options);
        assert_int_equal(scene->meshes[0].target_count, cases[i].targets);
        uint32_t kept = 0;
        for (unsigned c = 0; c < 4; c++) {
            const ossa_clip *clip = ossa_scene_find_clip(scene, names[c]);
            bool is_wanted =
                options.wants_clip == NULL || options.wants_clip(options.user, names[c]);
            assert_int_equal(clip != NULL, is_wanted);
            if (clip == NULL) continue;
            assert_int_equal(clip->morphs.count, cases[i].counts[c]);
            kept++;
        }
        assert_int_equal(scene->clip_count, kept);
        ossa_scene_free(scene);
    }
    free_files(&files);
}

static void what_cannot_morph_is_told(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_tree(&files);
    for (unsigned i = 0; i < PARTS; i++) {
        char path[32];
        (void)snprintf(path, sizeof path, "walk/%s.anm", parts[i]);
        (void)add_file(&files, path, "ei-anm", make_morph_anm(30 + i, 2, 2, OFFSETS - 1));
    }
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->warning_count, 0); /* no mesh at all: nobody expects one to move */
    ossa_scene_free(scene);
    struct fig_plan still = usual;
    still.morphs = 0;
    (void)add_file(&files, "bd.fig", NULL, make_fig(&usual)); /* one offset too few for it */
    (void)add_file(&files, "hd.fig", NULL, make_fig(&still));
    scene = assemble_files(&files, NULL);
    assert_int_equal(scene->warning_count, 2);
    require_warning(scene, 0, OSSA_CODE_MISSING_PART, "walk/hp.anm",
                    "parts of the clip 'walk' with morph frames but without a mesh (FIG): 2,"
                    " the first is 'hp'");
    require_warning(scene, 1, OSSA_CODE_MISFIT, "walk/hp.anm",
                    "parts of the clip 'walk' whose morph frames lack offsets that their mesh "
                    "(FIG) uses, which keep their shape: 2, the first is 'bd'");
    assert_int_equal(scene->meshes[0].target_count, 0);
    assert_int_equal(scene->clips[0].morphs.count, 0);
    ossa_scene_free(scene);
    const ossa_scene_options options = {.ei =
                                            &(ossa_ei_options){.morphing = OSSA_EI_MORPHING_NONE}};
    scene = assemble_files(&files, &options);
    assert_int_equal(scene->warning_count, 0);
    ossa_scene_free(scene);
    free_files(&files);
}

static void joined_clips_keep_their_shapes(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_tree(&files);
    add_figs(&files);
    add_clip(&files, "walk0", 100, 3);
    add_clip(&files, "walk1", 200, 2);
    (void)add_file(&files, "walk2/ll.anm", "ei-anm", make_morph_anm(9, 2, 2, OFFSETS));
    (void)add_file(&files, "stand/hp.anm", "ei-anm", make_random_anm(10, 4));
    for (uint32_t rate = 1; rate <= 2; rate++) {
        ossa_ei_options ei = {.resample = rate};
        ossa_scene_options options = {.ei = &ei};
        ossa_scene *single = assemble_files(&files, &options);
        options.join = true;
        ossa_scene *scene = assemble_files(&files, &options);
        const ossa_clip *walk = ossa_scene_find_clip(scene, "walk");
        assert_int_equal(scene->clip_count, 2);
        assert_int_equal(walk->morphs.count, 2);
        uint32_t frame = 0;
        for (uint32_t c = 0; c < 3; c++) {
            const ossa_clip *part = &single->clips[c];
            for (uint32_t f = 0; f < part->frame_count; f++, frame++) {
                uint32_t last = part->morphs.count - 1; /* bd comes first, if at all */
                const int32_t *keys = part->morphs.keys + (size_t)f * part->morphs.count;
                const int32_t *joined = walk->morphs.keys + (size_t)2 * frame;
                assert_int_equal(joined[0], c < 2 ? keys[0] : -1);
                assert_int_equal(joined[1], keys[last]);
            }
        }
        assert_int_equal(walk->frame_count, frame);
        assert_int_equal(ossa_scene_find_clip(scene, "stand")->morphs.count, 0);
        ossa_scene_free(single);
        /* What `morphing` left is kept, whatever the joined clip is called. */
        ei.morphing = OSSA_EI_MORPHING_FIRST;
        options.wants_clip = wants;
        options.user = (void *)(uintptr_t) "walk0 walk1 walk2";
        ossa_scene_free(scene);
        scene = assemble_files(&files, &options);
        assert_int_equal(scene->clip_count, 1);
        assert_int_equal(scene->clips[0].morphs.count, 2);
        ossa_scene_free(scene);
    }
    free_files(&files);
}

/* ---- limits -------------------------------------------------------------------------------- */

/* A figure of many corners and an animation of many small frames: each is small alone. */
static void many_large_targets_are_refused(void **state)
{
    (void)state;
    enum { CORNERS = 9000, MANY = 40000 };
    struct scene_files files = {0};
    struct fig_plan plan = {.seed = 5,
                            .variants = 1,
                            .vertex_blocks = 1,
                            .normal_blocks = 1,
                            .texcoords = 1,
                            .triangles = CORNERS / 3,
                            .corners = CORNERS,
                            .morphs = 1};
    (void)add_file(&files, "bd.fig", NULL, make_fig(&plan));
    (void)add_file(&files, "walk/bd.anm", "ei-anm", make_morph_anm(5, 0, MANY, 1));
    uint64_t size = files.bytes[0].size + files.bytes[1].size;
    struct counting counting = {0};
    const ossa_scene_options options = {.allocator = counting_allocator(&counting)};
    ossa_error error;
    assert_null(ossa_assemble(files.inputs, files.count, &options, &error));
    assert_int_equal(error.code, OSSA_CODE_LIMIT);
    assert_true(counting.peak <= (UINT64_C(64) << 20) + 64 * size);
    assert_int_equal(counting.live, 0);
    free_files(&files);
}

/* Shapes that are wide and asked for often take time, not memory: they count as poses do. */
static void looks_at_shapes_are_counted(void **state)
{
    (void)state;
    struct scene_files files = {0};
    (void)add_file(&files, "bd.fig", NULL, make_fig(&usual));
    (void)add_file(&files, "bd.anm", "ei-anm", make_morph_anm(5, FRAMES, FRAMES, OFFSETS));
    const ossa_ei_fig *fig = ossa_as_ei_fig(files.inputs[0].file);
    const ossa_ei_anm *anm = ossa_as_ei_anm(files.inputs[1].file);
    static const uint16_t vertices[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    struct ossa__assembly assembly = {.max_poses = 3 * OFFSETS};
    struct ossa__ei_shapes shapes;
    struct ossa__ei_figure figure = {.assembly = &assembly, .shapes = &shapes};
    ossa__context_init(&assembly.context, NULL, 1000);
    ossa__ei_shapes_start(&assembly.context, fig, vertices, 12, &shapes);
    assert_int_equal(shapes.used_count, OFFSETS);
    assert_int_equal(ossa__ei_note_shape(&figure, 0, anm, 0.0), 1);
    assert_int_equal(ossa__ei_note_shape(&figure, 0, anm, 0.5), 2);
    assert_int_equal(ossa__ei_note_shape(&figure, 0, anm, 4.0), 3);
    assert_int_equal(ossa__ei_note_shape(&figure, 0, anm, 9.0), 3); /* once more is free */
    assert_false(assembly.context.failed);
    assert_int_equal(ossa__ei_note_shape(&figure, 0, anm, 1.0), 0);
    assert_true(assembly.context.failed);
    assert_int_equal(assembly.context.error.code, OSSA_CODE_LIMIT);
    assert_string_equal(assembly.context.error.message,
                        "too many morph frames: all clips together may have 18 bone poses and "
                        "vertex positions");
    ossa__arena_free(&assembly.context.arena);
    free_files(&files);
}

/* The last shape is held for free, and so is one of nothing. */
static void holding_a_shape_costs_nothing(void **state)
{
    (void)state;
    enum { WIDE = 30000, LONG = 20000 };
    struct scene_files files = {0};
    struct fig_plan plan = {.seed = 5,
                            .variants = 1,
                            .vertex_blocks = WIDE / 4,
                            .normal_blocks = 1,
                            .texcoords = 1,
                            .triangles = WIDE / 3,
                            .corners = WIDE,
                            .morphs = WIDE};
    struct bytes flat = make_morph_anm(5, LONG, 1, WIDE);
    size_t at = morph_place(LONG, WIDE, 0, 0);
    memset(flat.data + at, 0, flat.size - at);
    (void)add_file(&files, "bd.fig", NULL, make_fig(&plan));
    (void)add_file(&files, "walk/bd.anm", "ei-anm", make_morph_anm(5, LONG, 1, WIDE));
    (void)add_file(&files, "flat/bd.anm", "ei-anm", flat);
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->meshes[0].target_count, 1);
    assert_int_equal(scene->clips[0].morphs.keys[LONG - 1], 0);
    assert_int_equal(scene->clips[1].morphs.count, 0);
    ossa_scene_free(scene);
    free_files(&files);
}

TEST_GROUP(test_scene_morphs)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_are_where_the_game_has_them),
        cmocka_unit_test(between_frames_it_goes_straight),
        cmocka_unit_test(lengths_are_scaled),
        cmocka_unit_test(equal_frames_share_a_target),
        cmocka_unit_test(idle_offsets_make_no_target),
        cmocka_unit_test(offsets_and_vertices),
        cmocka_unit_test(tracks_may_be_shorter_or_longer),
        cmocka_unit_test(only_what_is_wanted_morphs),
        cmocka_unit_test(what_cannot_morph_is_told),
        cmocka_unit_test(joined_clips_keep_their_shapes),
        cmocka_unit_test(many_large_targets_are_refused),
        cmocka_unit_test(looks_at_shapes_are_counted),
        cmocka_unit_test(holding_a_shape_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
