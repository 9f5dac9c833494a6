/* SPDX-License-Identifier: MIT
 *
 * Edited shapes of Evil Islands' meshes back in its morph frames, from what another program made of
 * the meshes (import/shapes.h): what is kept to the bit, what changes, and what is lost. */
#include "import/shapes.h"
#include "support/counting.h"
#include "support/editing.h"
#include "support/fig_fixture.h"
#include "support/scenes.h"
#include "support/shape_motion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* An edit whose shapes come from a motion. */
struct shaping {
    struct editing editing; /* first */
    const struct ossa__motion *motion;
    struct ossa__shapes *shapes;
};

static bool find_shape(const struct ossa__edit *edit, uint32_t mesh, uint32_t frame,
                       float (*offsets)[3])
{
    struct shaping *shaping = (struct shaping *)edit->editing;
    double time = frame / edit->plan->fps;
    if (shaping->shapes == NULL) {
        shaping->shapes = ossa__shapes_start(edit->assembly, shaping->motion);
    }
    const struct ossa__motion_clip *clip = find_motion_clip(shaping->motion, edit->clip->name);
    return shaping->shapes != NULL &&
           ossa__shape_at(shaping->shapes, mesh, clip, time, 1e-4, offsets);
}

static void run(struct shaping *shaping, const struct scene_files *files,
                const ossa_scene_options *options)
{
    shaping->editing.editing.find_shape = find_shape;
    shaping->shapes = NULL;
    bool ok = editing_run(&shaping->editing, files->inputs, files->count, options);
    require(ok, "edit", "%s: %s", shaping->editing.error.path, shaping->editing.error.message);
}

static const ossa_ei_anm *edited_anm(const struct shaping *shaping, const char *path)
{
    const struct ossa__editing *editing = &shaping->editing.editing;
    for (size_t i = 0; i < editing->file_count; i++) {
        const struct ossa__edited_file *file = &editing->files[i];
        if (strcmp(file->part->input->path, path) == 0) return file->contents;
    }
    fail_msg("%s was not changed", path);
    return NULL;
}

static const ossa_ei_anm *own_anm(const struct scene_files *files, const char *path)
{
    for (size_t i = 0; i < files->count; i++) {
        if (strcmp(files->paths[i], path) == 0) return ossa_as_ei_anm(files->inputs[i].file);
    }
    fail_msg("%s is missing", path);
    return NULL;
}

/* ---- no edit ------------------------------------------------------------------------------- */

static const ossa_ei_options first_morphs = {.morphing = OSSA_EI_MORPHING_FIRST};
static const ossa_ei_options no_morphs = {.morphing = OSSA_EI_MORPHING_NONE};
static const ossa_ei_options shaped = {.complexion = {0.5F, 0.25F, 0.75F}, .resample = 2};
static const ossa_scene_options ways[] = {{0},
                                          {.scale = 100.0},
                                          {.scale = 0.01},
                                          {.ei = &shaped, .scale = 3.0},
                                          {.ei = &first_morphs},
                                          {.ei = &no_morphs}};
enum { WAYS = sizeof ways / sizeof ways[0] };
static const struct shape_motion_options programs[] = {
    {0}, {.is_split = true}, {.is_skin = true}, {.is_skin = true, .is_split = true}};
enum { PROGRAMS = sizeof programs / sizeof programs[0] };

static void load_wyvern(struct scene_files *files)
{
    add_folder(files, OSSA_SAMPLE_DIR "/wyvern");
}

static void without_an_edit_no_file_changes(void **state)
{
    (void)state;
    struct scene_files files = {0};
    load_wyvern(&files);
    for (unsigned w = 0; w < WAYS; w++) {
        ossa_scene *scene = assemble_files(&files, &ways[w]);
        for (unsigned p = 0; p < PROGRAMS; p++) {
            struct ossa__motion *motion = make_shape_motion(scene, &programs[p]);
            struct shaping shaping = {.motion = motion};
            assert_true(motion->mesh_count > 0 || ways[w].ei == &no_morphs);
            run(&shaping, &files, &ways[w]);
            const struct ossa__editing *editing = &shaping.editing.editing;
            require(editing->file_count == 0, "wyvern", "way %u, program %u: %zu files", w, p,
                    editing->file_count);
            require(editing->loss_count == 0, "wyvern", "way %u, program %u: %zu losses", w, p,
                    editing->loss_count);
            assert_int_equal(shaping.editing.scene->issue_count, scene->issue_count);
            editing_free(&shaping.editing);
            free_shape_motion(motion);
        }
        ossa_scene_free(scene);
    }
    free_files(&files);
}

/* ---- edits --------------------------------------------------------------------------------- */

/* Three vertices and more: each offset m moves (7 m + 3) modulo 12, see fig_fixture.h. */
static const struct fig_plan usual = {.seed = 41,
                                      .variants = 8,
                                      .vertex_blocks = 3,
                                      .normal_blocks = 1,
                                      .texcoords = 2,
                                      .triangles = 6,
                                      .corners = 16,
                                      .morphs = 6};
enum { FRAMES = 5, OFFSETS = 8 }; /* two offsets are of no use */

static void make_figure(struct scene_files *files, uint32_t morph_frames)
{
    static const char *const tree[] = {"hp", "", "bd", "hp", NULL};
    struct fig_plan still = usual;
    still.seed = 5;
    (void)add_file(files, "t.lnk", "ei-lnk", make_lnk(tree));
    (void)add_file(files, "hp.fig", NULL, make_fig(&usual));
    (void)add_file(files, "bd.fig", NULL, make_fig(&still));
    (void)add_file(files, "c/hp.anm", "ei-anm", make_morph_anm(3, FRAMES, morph_frames, OFFSETS));
    (void)add_file(files, "c/bd.anm", "ei-anm", make_random_anm(4, FRAMES));
}

/* A motion's numbers, to be changed. */
static float *weights_at(const struct ossa__motion *motion, uint32_t curve, uint32_t frame)
{
    const struct ossa__motion_curve *found = &motion->clips[0].curves[curve];
    return (float *)(uintptr_t)found->values + (size_t)frame * found->width;
}

/* Half of the shape in frame 2: only that frame changes, and only what moves something. */
static void only_the_edited_frame_changes(void **state)
{
    (void)state;
    for (unsigned p = 0; p < PROGRAMS; p++) {
        for (unsigned w = 0; w < 3; w++) {
            struct scene_files files = {0};
            make_figure(&files, FRAMES);
            ossa_scene *scene = assemble_files(&files, &ways[w]);
            struct ossa__motion *motion = make_shape_motion(scene, &programs[p]);
            for (uint32_t t = 0; t < motion->meshes[0].target_count; t++) {
                weights_at(motion, 0, 2)[t] *= 0.5F;
            }
            struct shaping shaping = {.motion = motion};
            run(&shaping, &files, &ways[w]);
            assert_int_equal(shaping.editing.editing.file_count, 1);
            assert_int_equal(shaping.editing.editing.loss_count, 0);
            const ossa_ei_anm *was = own_anm(&files, "c/hp.anm");
            const ossa_ei_anm *is = edited_anm(&shaping, "c/hp.anm");
            assert_int_equal(is->morph_frame_count, FRAMES);
            assert_ptr_equal(is->rotations, was->rotations);
            unsigned halved = 0;
            for (uint32_t i = 0; i < FRAMES * OFFSETS; i++) {
                const float *a = was->morphs[i];
                const float *b = is->morphs[i];
                if (memcmp(a, b, sizeof *is->morphs) == 0) continue;
                assert_int_equal(i / OFFSETS, 2);
                for (unsigned k = 0; k < 3; k++) assert_true(fabsf(b[k] - a[k] / 2.0F) < 1e-5F);
                halved++;
            }
            assert_int_equal(halved, 6);
            editing_free(&shaping.editing);
            free_shape_motion(motion);
            ossa_scene_free(scene);
            free_files(&files);
        }
    }
}

/* The last morph frame is held until the end of the clip. */
static void short_morphs_grow_only_if_they_must(void **state)
{
    (void)state;
    for (uint32_t edited = 1; edited < FRAMES; edited++) {
        struct scene_files files = {0};
        make_figure(&files, 3);
        ossa_scene *scene = assemble_files(&files, NULL);
        struct ossa__motion *motion = make_shape_motion(scene, &programs[0]);
        for (uint32_t t = 0; t < motion->meshes[0].target_count; t++) {
            weights_at(motion, 0, edited)[t] *= 0.5F;
        }
        struct shaping shaping = {.motion = motion};
        run(&shaping, &files, NULL);
        const ossa_ei_anm *was = own_anm(&files, "c/hp.anm");
        const ossa_ei_anm *is = edited_anm(&shaping, "c/hp.anm");
        assert_int_equal(shaping.editing.editing.loss_count, 0);
        assert_int_equal(is->morph_frame_count, edited < 2 ? 3 : FRAMES);
        for (uint32_t f = 0; f < is->morph_frame_count; f++) {
            const float(*own)[3] = was->morphs + (size_t)(f < 3 ? f : 2) * OFFSETS;
            bool same = memcmp(own, is->morphs + (size_t)f * OFFSETS, OFFSETS * sizeof *own) == 0;
            assert_int_equal(same, f != edited);
        }
        editing_free(&shaping.editing);
        free_shape_motion(motion);
        ossa_scene_free(scene);
        free_files(&files);
    }
}

/* The last frame changes, is held once, and then there is another one. */
static void rows_between_are_the_held_one(void **state)
{
    (void)state;
    struct scene_files files = {0};
    make_figure(&files, 3);
    ossa_scene *scene = assemble_files(&files, NULL);
    struct ossa__motion *motion = make_shape_motion(scene, &programs[0]);
    static const float factors[FRAMES] = {1.0F, 1.0F, 0.5F, 0.5F, 0.25F};
    for (uint32_t f = 0; f < FRAMES; f++) {
        for (uint32_t t = 0; t < motion->meshes[0].target_count; t++) {
            weights_at(motion, 0, f)[t] *= factors[f];
        }
    }
    struct shaping shaping = {.motion = motion};
    run(&shaping, &files, NULL);
    const ossa_ei_anm *is = edited_anm(&shaping, "c/hp.anm");
    assert_int_equal(shaping.editing.editing.loss_count, 0);
    assert_int_equal(is->morph_frame_count, FRAMES);
    assert_memory_equal(is->morphs + (size_t)2 * OFFSETS, is->morphs + (size_t)3 * OFFSETS,
                        OFFSETS * sizeof *is->morphs);
    editing_free(&shaping.editing);
    free_shape_motion(motion);
    ossa_scene_free(scene);
    free_files(&files);
}

/* Shapes that were left out of the scene say nothing of those in the files. */
static void morphs_that_were_left_out_stay(void **state)
{
    (void)state;
    struct scene_files files = {0};
    make_figure(&files, FRAMES);
    (void)add_file(&files, "d/hp.anm", "ei-anm", make_morph_anm(9, FRAMES, FRAMES, OFFSETS));
    ossa_scene *scene = assemble_files(&files, NULL);
    struct ossa__motion *motion = make_shape_motion(scene, &programs[0]);
    struct shaping none = {.motion = motion};
    run(&none, &files, &(ossa_scene_options){.ei = &no_morphs});
    assert_int_equal(none.editing.editing.file_count, 0);
    assert_int_equal(none.editing.editing.loss_count, 0);
    editing_free(&none.editing);
    for (uint32_t c = 0; c < motion->clip_count; c++) {
        const struct ossa__motion_curve *curve = &motion->clips[c].curves[0];
        memset((void *)(uintptr_t)curve->values, 0,
               (size_t)curve->key_count * curve->width * sizeof *curve->values);
    }
    static const ossa_ei_options all_morphs = {.morphing = OSSA_EI_MORPHING_ALL};
    static const ossa_ei_options *const choices[] = {&all_morphs, &first_morphs, &no_morphs};
    for (unsigned i = 0; i < 3; i++) {
        struct shaping shaping = {.motion = motion};
        run(&shaping, &files, &(ossa_scene_options){.ei = choices[i]});
        assert_int_equal(shaping.editing.editing.file_count, 2 - i);
        assert_int_equal(shaping.editing.editing.loss_count, 0);
        editing_free(&shaping.editing);
    }
    free_shape_motion(motion);
    ossa_scene_free(scene);
    free_files(&files);
}

static void other_lengths_have_as_many_morph_frames(void **state)
{
    (void)state;
    static const uint32_t lengths[] = {1, 3, 9};
    for (unsigned i = 0; i < 3; i++) {
        struct scene_files files = {0};
        make_figure(&files, FRAMES);
        ossa_scene *scene = assemble_files(&files, NULL);
        struct ossa__motion *motion = make_shape_motion(scene, &programs[0]);
        struct shaping shaping = {.editing = {.frame_count = lengths[i]}, .motion = motion};
        run(&shaping, &files, NULL);
        const ossa_ei_anm *was = own_anm(&files, "c/hp.anm");
        const ossa_ei_anm *is = edited_anm(&shaping, "c/hp.anm");
        assert_int_equal(is->morph_frame_count, lengths[i]);
        for (uint32_t f = 0; f < lengths[i]; f++) {
            uint32_t from = f < FRAMES ? f : FRAMES - 1;
            for (uint32_t m = 0; m < 6; m++) {
                assert_memory_equal(is->morphs[f * OFFSETS + m], was->morphs[from * OFFSETS + m],
                                    sizeof *is->morphs);
            }
        }
        /* What moves nothing is stretched. */
        if (lengths[i] == 9) {
            assert_memory_equal(is->morphs[8 * OFFSETS + 7], was->morphs[4 * OFFSETS + 7],
                                sizeof *is->morphs);
            assert_memory_equal(is->morphs[4 * OFFSETS + 7], was->morphs[2 * OFFSETS + 7],
                                sizeof *is->morphs);
        }
        editing_free(&shaping.editing);
        free_shape_motion(motion);
        /* Without shapes in the edit, all of it is. */
        struct editing plain = {.frame_count = lengths[i]};
        assert_true(editing_run(&plain, files.inputs, files.count, NULL));
        is = plain.editing.files[0].contents;
        assert_int_equal(is->morph_frame_count, lengths[i]);
        assert_memory_equal(is->morphs, was->morphs, OFFSETS * sizeof *is->morphs);
        editing_free(&plain);
        ossa_scene_free(scene);
        free_files(&files);
    }
}

/* ---- losses -------------------------------------------------------------------------------- */

/* One vertex of the scene in one frame, moved up. */
struct push {
    struct editing editing; /* first */
    uint32_t mesh;
    uint32_t vertex;
    uint32_t frame;
    float metres;
    bool is_wide; /* the vertex behind it half as far */
};

static bool push_vertex(const struct ossa__edit *edit, uint32_t mesh, uint32_t frame,
                        float (*offsets)[3])
{
    const struct push *push = (const struct push *)edit->editing;
    if (mesh != push->mesh || frame != push->frame) return true;
    offsets[push->vertex][1] += push->metres;
    if (push->is_wide) offsets[push->vertex + 1][1] += push->metres / 2.0F;
    return true;
}

static void run_push(struct push *push, const struct scene_files *files)
{
    push->editing.editing.find_shape = push_vertex;
    assert_true(editing_run(&push->editing, files->inputs, files->count, NULL));
}

static void require_loss(const struct push *push, uint32_t bone, double metres)
{
    assert_int_equal(push->editing.editing.loss_count, 1);
    const struct ossa__edit_loss *loss = &push->editing.editing.losses[0];
    assert_int_equal(loss->what, OSSA__LOSS_SHAPE);
    assert_int_equal(loss->bone, bone);
    assert_int_equal(loss->frame, push->frame);
    assert_int_equal(loss->count, 1);
    require(fabs(loss->size - metres) < 1e-5, "loss", "is %g", loss->size);
}

/* The number of vertices of a mesh at the position of one. */
static uint32_t count_there(const ossa_mesh *mesh, uint32_t vertex)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        count += memcmp(mesh->positions[i], mesh->positions[vertex], sizeof *mesh->positions) == 0;
    }
    return count;
}

static void vertices_that_share_an_offset_get_their_mean(void **state)
{
    (void)state;
    struct scene_files files = {0};
    make_figure(&files, FRAMES);
    ossa_scene *scene = assemble_files(&files, NULL);
    const ossa_mesh *mesh = &scene->meshes[0];
    struct push push = {.frame = 2, .metres = 0.5F};
    while (mesh->targets[push.vertex][0] == 0.0F || count_there(mesh, push.vertex) < 2) {
        push.vertex++;
        assert_true(push.vertex < mesh->vertex_count);
    }
    run_push(&push, &files);
    assert_int_equal(push.editing.editing.file_count, 1);
    assert_int_equal(count_there(mesh, push.vertex), 2);
    require_loss(&push, 0, 0.25);
    const ossa_ei_anm *was = own_anm(&files, "c/hp.anm");
    const ossa_ei_anm *is = push.editing.editing.files[0].contents;
    unsigned changed = 0;
    for (uint32_t i = 0; i < FRAMES * OFFSETS; i++) {
        if (memcmp(was->morphs[i], is->morphs[i], sizeof *is->morphs) == 0) continue;
        assert_true(fabsf(is->morphs[i][2] - was->morphs[i][2] - 0.25F) < 1e-6F); /* Z is up */
        assert_true(is->morphs[i][0] == was->morphs[i][0]);
        assert_int_equal(i / OFFSETS, 2);
        changed++;
    }
    assert_int_equal(changed, 1);
    editing_free(&push.editing);
    ossa_scene_free(scene);
    free_files(&files);
}

static void what_no_offset_moves_is_lost(void **state)
{
    (void)state;
    struct scene_files files = {0};
    make_figure(&files, FRAMES);
    ossa_scene *scene = assemble_files(&files, NULL);
    const ossa_mesh *mesh = &scene->meshes[0];
    struct push push = {.frame = 3, .metres = 0.125F};
    while (mesh->targets[push.vertex][0] != 0.0F) push.vertex++;
    assert_true(push.vertex < mesh->vertex_count);
    run_push(&push, &files);
    assert_int_equal(push.editing.editing.file_count, 0);
    require_loss(&push, 0, 0.125);
    editing_free(&push.editing);
    /* A part whose animation has no morph frames. */
    push = (struct push){.mesh = 1, .frame = 1, .metres = 0.75F, .is_wide = true};
    run_push(&push, &files);
    assert_int_equal(push.editing.editing.file_count, 0);
    require_loss(&push, 1, 0.75);
    editing_free(&push.editing);
    ossa_scene_free(scene);
    free_files(&files);
}

/* A part without an animation, and one whose morph frames do not fit its mesh. */
static void shapes_without_a_file_are_lost(void **state)
{
    (void)state;
    static const char *const tree[] = {"hp", "", "bd", "hp", NULL};
    struct scene_files files = {0};
    (void)add_file(&files, "t.lnk", "ei-lnk", make_lnk(tree));
    (void)add_file(&files, "hp.fig", NULL, make_fig(&usual));
    (void)add_file(&files, "bd.fig", NULL, make_fig(&usual));
    (void)add_file(&files, "c/bd.anm", "ei-anm", make_morph_anm(3, FRAMES, FRAMES, 2));
    for (uint32_t m = 0; m < 2; m++) {
        struct push push = {.mesh = m, .frame = 1, .metres = 0.5F};
        run_push(&push, &files);
        assert_int_equal(push.editing.editing.file_count, 0);
        require_loss(&push, m, 0.5);
        editing_free(&push.editing);
    }
    free_files(&files);
}

/* bd.two moves as bd does, and the file of bd has the shapes of both. */
static void variants_share_their_shapes(void **state)
{
    (void)state;
    static const char *const tree[] = {"hp", "", "bd", "hp", NULL};
    static const char *const every_part[] = {"*"};
    static const ossa_ei_options all = {.parts = every_part, .part_count = 1};
    struct scene_files files = {0};
    (void)add_file(&files, "t.lnk", "ei-lnk", make_lnk(tree));
    (void)add_file(&files, "bd.two.fig", NULL, make_fig(&usual));
    (void)add_file(&files, "c/bd.anm", "ei-anm", make_morph_anm(3, FRAMES, FRAMES, OFFSETS));
    ossa_scene *scene = assemble_files(&files, &(ossa_scene_options){.ei = &all});
    const ossa_mesh *mesh = &scene->meshes[0];
    assert_int_equal(scene->mesh_count, 1);
    assert_int_equal(mesh->bone, 2);
    struct push push = {.frame = 2, .metres = 0.5F};
    while (mesh->targets[push.vertex][0] == 0.0F || count_there(mesh, push.vertex) != 1) {
        push.vertex++;
        assert_true(push.vertex < mesh->vertex_count);
    }
    push.editing.editing.find_shape = push_vertex;
    assert_true(
        editing_run(&push.editing, files.inputs, files.count, &(ossa_scene_options){.ei = &all}));
    assert_int_equal(push.editing.editing.file_count, 1); /* the only mesh decides */
    assert_int_equal(push.editing.editing.loss_count, 0);
    editing_free(&push.editing);
    (void)add_file(&files, "bd.fig", NULL, make_fig(&usual));
    push.mesh = 1;
    push.editing = (struct editing){.editing = {.find_shape = push_vertex}};
    assert_true(
        editing_run(&push.editing, files.inputs, files.count, &(ossa_scene_options){.ei = &all}));
    assert_int_equal(push.editing.scene->meshes[1].bone, 2);
    assert_int_equal(push.editing.editing.file_count, 0); /* that of bd does */
    require_loss(&push, 2, 0.5);
    editing_free(&push.editing);
    ossa_scene_free(scene);
    free_files(&files);
}

/* ---- memory -------------------------------------------------------------------------------- */

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const uint32_t lengths[] = {0, 7};
    struct scene_files files = {0};
    make_figure(&files, 3);
    ossa_scene *scene = assemble_files(&files, NULL);
    struct ossa__motion *motion = make_shape_motion(scene, &programs[0]);
    weights_at(motion, 0, 2)[0] += 0.5F;
    for (unsigned i = 0; i < 2; i++) {
        size_t calls = 1;
        for (size_t n = 0; n <= calls; n++) {
            struct counting counting = {.fail_at = n};
            struct shaping shaping = {
                .editing = {.editing = {.find_shape = find_shape}, .frame_count = lengths[i]},
                .motion = motion};
            bool ok =
                editing_run(&shaping.editing, files.inputs, files.count,
                            &(ossa_scene_options){.allocator = counting_allocator(&counting)});
            assert_int_equal(ok, n == 0);
            if (ok) calls = counting.calls;
            else assert_int_equal(shaping.editing.error.code, OSSA_CODE_OUT_OF_MEMORY);
            editing_free(&shaping.editing);
            assert_int_equal(counting.live, 0);
            assert_false(counting.wrong_release);
        }
        assert_true(calls > 1);
    }
    free_shape_motion(motion);
    ossa_scene_free(scene);
    free_files(&files);
}

TEST_GROUP(test_ei_apply_shapes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_an_edit_no_file_changes),
        cmocka_unit_test(only_the_edited_frame_changes),
        cmocka_unit_test(short_morphs_grow_only_if_they_must),
        cmocka_unit_test(rows_between_are_the_held_one),
        cmocka_unit_test(morphs_that_were_left_out_stay),
        cmocka_unit_test(other_lengths_have_as_many_morph_frames),
        cmocka_unit_test(vertices_that_share_an_offset_get_their_mean),
        cmocka_unit_test(what_no_offset_moves_is_lost),
        cmocka_unit_test(shapes_without_a_file_are_lost),
        cmocka_unit_test(variants_share_their_shapes),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
