/* SPDX-License-Identifier: MIT
 *
 * Edits of Evil Islands' clips back in its files: what is kept to the bit, what changes, and that
 * the files, read again, have the poses that were wanted. Shapes are in test_ei_apply_shapes.c. */
#include "support/adb_fixture.h"
#include "support/counting.h"
#include "support/editing.h"
#include "support/fig_fixture.h"
#include "support/rotation.h"
#include "support/scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BONES = 32 };

static void load(struct scene_files *files, const char *sample)
{
    char folder[256];
    (void)snprintf(folder, sizeof folder, "%s/%s", OSSA_SAMPLE_DIR, sample);
    add_folder(files, folder);
}

static void run(struct editing *editing, const struct scene_files *files,
                const ossa_scene_options *options)
{
    bool ok = editing_run(editing, files->inputs, files->count, options);
    require(ok, "edit", "%s: %s", editing->error.path, editing->error.message);
}

/* ---- edits --------------------------------------------------------------------------------- */

/* What a test wants to be different. */
struct wish {
    const char *bone; /* NULL: every one */
    uint32_t first;   /* frames */
    uint32_t last;
    double degrees;      /* about Z of the bone */
    double steps;        /* as many more in each frame */
    bool is_random;      /* any rotation at all instead */
    double metres[3];    /* along all axes of its parent */
    double scale;        /* 0: none */
    const char **bones;  /* names, by index */
    unsigned call_count; /* how often it was granted */
};

/* A rotation of no meaning, the same for the same numbers. */
static struct ossa__quat any_rotation(uint32_t frame, uint32_t bone)
{
    uint32_t seed = frame * 2654435761U + bone * 40503U + 12345U;
    double v[4];
    for (unsigned k = 0; k < 4; k++) {
        seed = seed * 1664525U + 1013904223U;
        v[k] = (double)(seed >> 8) / (double)(1U << 24) - 0.5;
    }
    struct ossa__quat q = {v[0], v[1], v[2], v[3]};
    (void)ossa__quat_normalise(&q);
    return q;
}

static void grant(void *user, const char *clip, uint32_t frame, uint32_t bone,
                  struct ossa__edit_pose *pose)
{
    struct wish *wish = user;
    (void)clip;
    if (wish->bone != NULL && strcmp(wish->bone, wish->bones[bone]) != 0) return;
    if (frame < wish->first || frame > wish->last) return;
    wish->call_count++;
    double degrees = wish->degrees + wish->steps * (frame - wish->first);
    struct ossa__quat turn = ossa__quat_about(2, degrees * 3.14159265358979323846 / 180.0);
    pose->local = ossa__quat_multiply(pose->local, turn);
    if (wish->is_random) pose->local = any_rotation(frame, bone);
    for (unsigned k = 0; k < 3; k++) pose->translation[k] += wish->metres[k];
    for (unsigned k = 0; k < 3 && wish->scale != 0.0; k++) pose->scale[k] = wish->scale;
}

static const char *troll_bones[MAX_BONES];
static const char *wyvern_bones[MAX_BONES];

/* The names of a tree's bones, which edits need before there is a scene. */
static const char **names_of(const struct scene_files *files, const char **names)
{
    for (size_t i = 0; i < files->count; i++) {
        const ossa_ei_lnk *lnk = ossa_as_ei_lnk(files->inputs[i].file);
        for (uint32_t b = 0; lnk != NULL && b < lnk->link_count; b++) {
            names[b] = lnk->links[b].child.bytes;
        }
    }
    return names;
}

/* The file of an edit that has this path, or -1. */
static int64_t find_edited(const struct editing *editing, const char *path)
{
    for (size_t i = 0; i < editing->editing.file_count; i++) {
        const struct ossa__edited_file *file = &editing->editing.files[i];
        const char *own = file->new_path != NULL ? file->new_path : file->part->input->path;
        if (strcmp(own, path) == 0) return (int64_t)i;
    }
    return -1;
}

static const ossa_ei_anm *edited_anm(const struct editing *editing, const char *path)
{
    int64_t at = find_edited(editing, path);
    require(at >= 0, path, "was not changed");
    return editing->editing.files[at].contents;
}

static const ossa_ei_anm *own_anm(const struct scene_files *files, const char *path)
{
    for (size_t i = 0; i < files->count; i++) {
        if (strcmp(files->paths[i], path) == 0) return ossa_as_ei_anm(files->inputs[i].file);
    }
    fail_msg("%s is missing", path);
    return NULL;
}

/* All files again, with what was edited in place of what it was made from, and what is new. */
static void write_files(struct editing *editing, const struct scene_files *files,
                        struct scene_files *again)
{
    for (size_t i = 0; i < files->count; i++) {
        int64_t at = find_edited(editing, files->paths[i]);
        ossa_buffer buffer = {0};
        struct bytes bytes = {0};
        if (at >= 0) assert_true(editing_write(editing, (size_t)at, &buffer));
        if (at >= 0) put_bytes(&bytes, buffer.data, buffer.size);
        else put_bytes(&bytes, files->bytes[i].data, files->bytes[i].size);
        ossa_buffer_free(&buffer);
        (void)add_file(again, files->paths[i], NULL, bytes);
    }
    for (size_t i = 0; i < editing->editing.file_count; i++) {
        ossa_buffer buffer = {0};
        struct bytes bytes = {0};
        if (editing->editing.files[i].new_path == NULL) continue;
        assert_true(editing_write(editing, i, &buffer));
        put_bytes(&bytes, buffer.data, buffer.size);
        ossa_buffer_free(&buffer);
        (void)add_file(again, editing->editing.files[i].new_path, NULL, bytes);
    }
}

/* The worst difference between what was wanted of a clip and what the files now say. */
struct worst {
    double degrees; /* of rotations in the model */
    double metres;  /* of roots */
};

static void compare_frame(const struct editing *editing, const ossa_clip *old, uint32_t from,
                          const ossa_scene *scene, const ossa_clip *clip, uint32_t frame,
                          struct worst *worst)
{
    ossa_transform was[MAX_BONES];
    ossa_transform is[MAX_BONES];
    struct rotation wanted[MAX_BONES];
    struct rotation found[MAX_BONES];
    ossa_sample_frame(editing->scene, old, from * old->keys_per_frame, was, NULL);
    ossa_sample_frame(scene, clip, frame * clip->keys_per_frame, is, NULL);
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        struct ossa__edit_pose pose = {.local = ossa__quat_load(was[b].rotation)};
        int32_t parent = scene->bones[b].parent;
        double moved = 0.0;
        for (unsigned k = 0; k < 3; k++) pose.translation[k] = (double)was[b].translation[k];
        if (editing->change != NULL) editing->change(editing->user, old->name, frame, b, &pose);
        wanted[b] = (struct rotation){pose.local.x, pose.local.y, pose.local.z, pose.local.w};
        found[b] = rotation_of(is[b].rotation);
        if (parent >= 0) {
            wanted[b] = rotation_product(wanted[parent], wanted[b]);
            found[b] = rotation_product(found[parent], found[b]);
        }
        wanted[b] = rotation_unit(wanted[b]);
        found[b] = rotation_unit(found[b]);
        worst->degrees = fmax(worst->degrees, rotation_distance(wanted[b], found[b]));
        for (unsigned k = 0; k < 3; k++) {
            moved = fmax(moved, fabs(pose.translation[k] - (double)is[b].translation[k]));
        }
        if (parent < 0) worst->metres = fmax(worst->metres, moved);
    }
}

/* Read everything again and compare each frame of a clip with the wish. */
static struct worst reassemble(struct editing *editing, const struct scene_files *files,
                               const ossa_scene_options *options, const char *name)
{
    struct scene_files again = {0};
    struct worst worst = {0.0, 0.0};
    write_files(editing, files, &again);
    ossa_scene *scene = assemble_files(&again, options);
    const char *own = editing->new_name != NULL ? editing->new_name : name;
    const ossa_clip *clip = ossa_scene_find_clip(scene, own);
    const ossa_clip *old = ossa_scene_find_clip(editing->scene, name);
    assert_non_null(clip);
    assert_non_null(old);
    uint32_t frames = (clip->frame_count - 1) / clip->keys_per_frame + 1;
    uint32_t before = (old->frame_count - 1) / old->keys_per_frame + 1;
    assert_int_equal(frames, editing->frame_count > 0 ? editing->frame_count : before);
    for (uint32_t f = 0; f < frames; f++) {
        compare_frame(editing, old, f < before ? f : before - 1, scene, clip, f, &worst);
    }
    ossa_scene_free(scene);
    free_files(&again);
    return worst;
}

/* ---- no edit ------------------------------------------------------------------------------- */

static bool own_shape(const struct ossa__edit *edit, uint32_t mesh, uint32_t frame,
                      float (*offsets)[3])
{
    (void)edit;
    (void)mesh;
    (void)frame;
    (void)offsets; /* as the files have them */
    return true;
}

static const ossa_ei_options dense = {.resample = 3};
static const ossa_ei_options by_translation = {.root = OSSA_EI_ROOT_TRANSLATION};
static const ossa_ei_options by_bind = {.root = OSSA_EI_ROOT_BIND};
static const ossa_ei_options shaped = {.complexion = {0.5F, 0.25F, 0.75F}};
static const ossa_ei_options first_morphs = {.morphing = OSSA_EI_MORPHING_FIRST};
static const ossa_ei_options no_morphs = {.morphing = OSSA_EI_MORPHING_NONE};
static const ossa_scene_options ways[] = {{0},
                                          {.scale = 100.0},
                                          {.scale = 0.01},
                                          {.ei = &dense},
                                          {.ei = &by_translation},
                                          {.ei = &by_bind},
                                          {.ei = &shaped, .scale = 3.0},
                                          {.ei = &first_morphs},
                                          {.ei = &no_morphs, .fps = 15.0}};
enum { WAYS = sizeof ways / sizeof ways[0] };

static void without_an_edit_no_file_changes(void **state)
{
    (void)state;
    static const char *const names[] = {"troll", "wyvern"};
    for (unsigned i = 0; i < 2; i++) {
        struct scene_files files = {0};
        load(&files, names[i]);
        for (unsigned w = 0; w < WAYS; w++) {
            struct editing editing = {.editing = {.find_shape = own_shape}};
            run(&editing, &files, &ways[w]);
            require(editing.editing.file_count == 0, names[i], "way %u changes %zu files", w,
                    editing.editing.file_count);
            require(editing.editing.loss_count == 0, names[i], "way %u loses", w);
            editing_free(&editing);
        }
        free_files(&files);
    }
}

/* Below what is kept, nothing changes either; above it does. */
static void what_programs_lose_is_not_an_edit(void **state)
{
    (void)state;
    struct scene_files files = {0};
    load(&files, "troll");
    struct wish wish = {
        .last = UINT32_MAX, .degrees = 0.0001, .bones = names_of(&files, troll_bones)};
    struct editing editing = {.change = grant, .user = &wish};
    run(&editing, &files, NULL);
    assert_int_equal(editing.editing.file_count, 0);
    assert_int_equal(editing.editing.loss_count, 0);
    editing_free(&editing);
    wish.degrees = 0.01;
    editing = (struct editing){.change = grant, .user = &wish};
    run(&editing, &files, NULL);
    assert_int_equal(editing.editing.file_count, 45);
    editing_free(&editing);
    free_files(&files);
}

/* ---- rotations ----------------------------------------------------------------------------- */

/* Keys of a file that are not the same bits as before. */
static uint32_t count_changed(const ossa_ei_anm *was, const ossa_ei_anm *is, uint32_t first,
                              uint32_t last)
{
    uint32_t changed = 0;
    assert_int_equal(was->rotation_count, is->rotation_count);
    for (uint32_t f = 0; f < was->rotation_count; f++) {
        if (memcmp(was->rotations[f], is->rotations[f], sizeof *was->rotations) == 0) continue;
        assert_true(f >= first && f <= last);
        changed++;
    }
    return changed;
}

static void only_the_edited_keys_change(void **state)
{
    (void)state;
    struct scene_files files = {0};
    load(&files, "troll");
    struct wish wish = {.bone = "rh1",
                        .first = 5,
                        .last = 9,
                        .degrees = 30.0,
                        .bones = names_of(&files, troll_bones)};
    struct editing editing = {.clip = "walk", .change = grant, .user = &wish};
    run(&editing, &files, NULL);
    assert_int_equal(wish.call_count, 5);
    assert_int_equal(editing.editing.loss_count, 0);
    /* The arm below rotates about axes of its own, so that its files change, too. */
    static const char *const below[] = {"walk/rh1.anm", "walk/rh2.anm", "walk/rh3.anm"};
    size_t known = 0;
    for (unsigned i = 0; i < 3; i++) {
        const ossa_ei_anm *was = own_anm(&files, below[i]);
        if (find_edited(&editing, below[i]) < 0) {
            assert_int_equal(i, 2); /* a hand that is still */
            continue;
        }
        const ossa_ei_anm *is = edited_anm(&editing, below[i]);
        require(count_changed(was, is, 5, 9) == 5, below[i], "has other keys");
        assert_memory_equal(was->translations, is->translations,
                            was->translation_count * sizeof *was->translations);
        assert_int_equal(was->translation_count, is->translation_count);
        known++;
    }
    assert_true(known >= 2);
    assert_int_equal(editing.editing.file_count, known);
    struct worst worst = reassemble(&editing, &files, NULL, "walk");
    require(worst.degrees < 1e-4, "walk", "is off by %g degrees", worst.degrees);
    assert_true(worst.metres == 0.0);
    editing_free(&editing);
    free_files(&files);
}

static void any_rotation_is_found_again(void **state)
{
    (void)state;
    static const char *const names[] = {"troll", "wyvern"};
    static const char *const clips[] = {"dance", "fly"};
    for (unsigned i = 0; i < 2; i++) {
        struct scene_files files = {0};
        load(&files, names[i]);
        struct wish wish = {.last = UINT32_MAX,
                            .is_random = true,
                            .bones = names_of(&files, i == 0 ? troll_bones : wyvern_bones)};
        for (unsigned w = 0; w < WAYS; w++) {
            struct editing editing = {.clip = clips[i], .change = grant, .user = &wish};
            run(&editing, &files, &ways[w]);
            assert_int_equal(editing.editing.loss_count, 0);
            struct worst worst = reassemble(&editing, &files, &ways[w], clips[i]);
            require(worst.degrees < 1e-4, clips[i], "is off by %g degrees", worst.degrees);
            require(worst.metres < 1e-5, clips[i], "is off by %g metres", worst.metres);
            editing_free(&editing);
        }
        free_files(&files);
    }
}

static double dot4(const float a[4], const float b[4])
{
    double dot = 0.0;
    for (unsigned k = 0; k < 4; k++) dot += (double)a[k] * (double)b[k];
    return dot;
}

static void make_pair(struct scene_files *files, uint32_t rotations, const float (*wxyz)[4],
                      uint32_t child_rotations)
{
    static const char *const tree[] = {"hp", "", "bd", "hp", NULL};
    (void)add_file(files, "t.lnk", "ei-lnk", make_lnk(tree));
    (void)add_file(files, "hp.bon", "ei-bon", make_bon(0.5F, 1.0F, 2.0F));
    (void)add_file(files, "bd.bon", "ei-bon", make_bon(0.0F, 0.0F, 1.0F));
    (void)add_file(files, "c/hp.anm", "ei-anm", make_anm(rotations, wxyz, 0, NULL));
    (void)add_file(files, "c/bd.anm", "ei-anm", make_random_anm(7, child_rotations));
}

static const char *pair_bones[] = {"hp", "bd"};

/* A key is one of two quaternions: the one on the side of the key that was there. */
static void signs_stay(void **state)
{
    (void)state;
    struct scene_files files = {0};
    float keys[6][4] = {{0}};
    for (unsigned f = 0; f < 6; f++) {
        keys[f][0] = f % 2 == 0 ? -0.6F : 0.6F;
        keys[f][2] = f % 2 == 0 ? -0.8F : 0.8F;
    }
    make_pair(&files, 6, (const float(*)[4])keys, 6);
    struct wish wish = {.bone = "hp", .last = UINT32_MAX, .degrees = 40.0, .bones = pair_bones};
    struct editing editing = {.change = grant, .user = &wish};
    run(&editing, &files, NULL);
    const ossa_ei_anm *is = edited_anm(&editing, "c/hp.anm");
    for (unsigned f = 0; f < 6; f++) assert_true(dot4(is->rotations[f], keys[f]) > 0.0);
    editing_free(&editing);
    /* Keys of a new clip follow one another. */
    editing = (struct editing){.change = grant, .user = &wish, .clip = "c", .new_name = "d"};
    run(&editing, &files, NULL);
    is = edited_anm(&editing, "d/hp.anm");
    for (unsigned f = 1; f < 6; f++) {
        assert_true(dot4(is->rotations[f], is->rotations[f - 1]) > 0.0);
    }
    editing_free(&editing);
    free_files(&files);
}

/* ---- arrays that are too short ------------------------------------------------------------- */

static void short_arrays_grow_only_if_they_must(void **state)
{
    (void)state;
    struct scene_files files = {0};
    float keys[8][4] = {{0}};
    for (unsigned f = 0; f < 8; f++) keys[f][0] = 1.0F;
    make_pair(&files, 8, (const float(*)[4])keys, 3);
    struct wish wish = {.bone = "bd", .last = 2, .degrees = 40.0, .bones = pair_bones};
    struct editing editing = {.change = grant, .user = &wish};
    run(&editing, &files, NULL); /* the others hold the last key as it was: it cannot be lost */
    const ossa_ei_anm *was = own_anm(&files, "c/bd.anm");
    const ossa_ei_anm *is = edited_anm(&editing, "c/bd.anm");
    assert_int_equal(is->rotation_count, 8);
    assert_int_equal(is->translation_count, 8);
    for (unsigned f = 3; f < 8; f++) {
        assert_memory_equal(is->rotations[f], was->rotations[2], sizeof *was->rotations);
        assert_memory_equal(is->translations[f], was->translations[2], sizeof *was->translations);
    }
    assert_true(reassemble(&editing, &files, NULL, "c").degrees < 1e-4);
    editing_free(&editing);
    wish = (struct wish){.bone = "bd", .last = 1, .degrees = 40.0, .bones = pair_bones};
    editing = (struct editing){.change = grant, .user = &wish};
    run(&editing, &files, NULL);
    is = edited_anm(&editing, "c/bd.anm");
    assert_int_equal(is->rotation_count, 3);
    assert_int_equal(count_changed(was, is, 0, 1), 2);
    assert_true(reassemble(&editing, &files, NULL, "c").degrees < 1e-4);
    editing_free(&editing);
    free_files(&files);
}

static void empty_arrays_begin(void **state)
{
    (void)state;
    struct scene_files files = {0};
    make_pair(&files, 0, NULL, 4);
    struct wish wish = {.bone = "hp",
                        .first = 1,
                        .last = 2,
                        .degrees = 40.0,
                        .metres = {1.0, 2.0, 3.0},
                        .bones = pair_bones};
    struct editing editing = {.change = grant, .user = &wish};
    run(&editing, &files, NULL);
    const ossa_ei_anm *is = edited_anm(&editing, "c/hp.anm");
    static const float none[4] = {1.0F, 0.0F, 0.0F, 0.0F};
    assert_int_equal(is->rotation_count, 4);
    assert_int_equal(is->translation_count, 4);
    assert_memory_equal(is->rotations[0], none, sizeof none);
    assert_memory_equal(is->rotations[3], none, sizeof none);
    struct worst worst = reassemble(&editing, &files, NULL, "c");
    assert_true(worst.degrees < 1e-4 && worst.metres < 1e-6);
    editing_free(&editing);
    free_files(&files);
}

/* Keys behind the last one follow one another. */
static void signs_of_added_keys_follow(void **state)
{
    (void)state;
    struct scene_files files = {0};
    const float keys[2][4] = {{0.6F, 0.0F, 0.8F, 0.0F}, {-0.6F, 0.0F, -0.8F, 0.0F}};
    make_pair(&files, 2, keys, 6);
    struct wish wish = {.bone = "hp", .first = 1, .last = 5, .steps = 50.0, .bones = pair_bones};
    struct editing editing = {.change = grant, .user = &wish};
    run(&editing, &files, NULL);
    const ossa_ei_anm *is = edited_anm(&editing, "c/hp.anm");
    assert_int_equal(is->rotation_count, 6);
    for (unsigned f = 2; f < 6; f++) {
        assert_true(dot4(is->rotations[f], is->rotations[f - 1]) > 0.0);
    }
    assert_true(dot4(is->rotations[5], is->rotations[1]) < 0.0); /* half way round */
    editing_free(&editing);
    free_files(&files);
}

static void empty_arrays_stay_so(void **state)
{
    (void)state;
    struct scene_files files = {0};
    make_pair(&files, 0, NULL, 4);
    struct editing editing = {.frame_count = 9};
    run(&editing, &files, NULL);
    const ossa_ei_anm *is = edited_anm(&editing, "c/hp.anm");
    assert_int_equal(is->rotation_count, 0);
    assert_int_equal(is->translation_count, 0);
    assert_int_equal(edited_anm(&editing, "c/bd.anm")->rotation_count, 9);
    editing_free(&editing);
    free_files(&files);
}

/* ---- the root's translations --------------------------------------------------------------- */

/* The last translation is held until the end, unless it was the one that was edited. */
static void short_translations_grow_only_if_they_must(void **state)
{
    (void)state;
    static const char *const tree[] = {"hp", "", NULL};
    const float still[5][4] = {{1.0F}, {1.0F}, {1.0F}, {1.0F}, {1.0F}};
    const float places[2][3] = {{1.0F, 2.0F, 3.0F}, {4.0F, 5.0F, 6.0F}};
    static const uint32_t spans[4][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 4}}; /* the last: held */
    static const uint32_t counts[4] = {2, 5, 5, 2};
    for (unsigned i = 0; i < 4; i++) {
        struct scene_files files = {0};
        (void)add_file(&files, "t.lnk", "ei-lnk", make_lnk(tree));
        (void)add_file(&files, "c/hp.anm", "ei-anm", make_anm(5, still, 2, places));
        struct wish wish = {.first = spans[i][0], .last = spans[i][1], .metres = {0.5, 0.0, 0.0}};
        struct editing editing = {.change = grant, .user = &wish};
        run(&editing, &files, NULL);
        assert_int_equal(edited_anm(&editing, "c/hp.anm")->translation_count, counts[i]);
        assert_true(reassemble(&editing, &files, NULL, "c").metres < 1e-6);
        editing_free(&editing);
        free_files(&files);
    }
}

static void the_root_moves(void **state)
{
    (void)state;
    for (unsigned w = 0; w < WAYS; w++) {
        struct scene_files files = {0};
        load(&files, "wyvern");
        struct wish wish = {.bone = "hp",
                            .first = 2,
                            .last = 4,
                            .metres = {0.25, -0.5, 0.125},
                            .bones = names_of(&files, wyvern_bones)};
        struct editing editing = {.clip = "fly", .change = grant, .user = &wish};
        run(&editing, &files, &ways[w]);
        if (ways[w].ei == &by_bind) { /* it cannot move */
            assert_int_equal(editing.editing.file_count, 0);
            assert_int_equal(editing.editing.loss_count, 1);
            const struct ossa__edit_loss *loss = &editing.editing.losses[0];
            assert_int_equal(loss->what, OSSA__LOSS_TRANSLATION);
            assert_int_equal(loss->count, 3);
            assert_true(fabs(loss->size - 0.57282) < 1e-4);
        } else {
            assert_int_equal(editing.editing.file_count, 1);
            assert_int_equal(editing.editing.loss_count, 0);
            const ossa_ei_anm *was = own_anm(&files, "fly/hp.anm");
            const ossa_ei_anm *is = edited_anm(&editing, "fly/hp.anm");
            assert_ptr_equal(is->rotations, was->rotations);
            for (uint32_t f = 0; f < was->translation_count; f++) {
                bool same = memcmp(is->translations[f], was->translations[f],
                                   sizeof *is->translations) == 0;
                assert_int_equal(same, f < 2 || f > 4);
            }
            struct worst worst = reassemble(&editing, &files, &ways[w], "fly");
            require(worst.metres < 1e-5, "fly", "way %u is off by %g", w, worst.metres);
        }
        editing_free(&editing);
        free_files(&files);
    }
}

static void what_no_float_holds_is_reported(void **state)
{
    (void)state;
    struct scene_files files = {0};
    float keys[2][4] = {{1.0F}, {1.0F}};
    make_pair(&files, 2, (const float(*)[4])keys, 2);
    struct wish wish = {.bone = "hp", .last = 0, .metres = {1e30, 0.0, 0.0}, .bones = pair_bones};
    struct editing editing = {.change = grant, .user = &wish};
    run(&editing, &files, &(ossa_scene_options){.scale = 1e-20});
    assert_int_equal(editing.editing.loss_count, 1);
    assert_int_equal(editing.editing.losses[0].what, OSSA__LOSS_RANGE);
    assert_true(isfinite(edited_anm(&editing, "c/hp.anm")->translations[0][0]));
    editing_free(&editing);
    free_files(&files);
}

/* ---- losses -------------------------------------------------------------------------------- */

static void require_loss(const struct editing *editing, size_t index, enum ossa__loss what,
                         uint32_t bone, uint32_t count, double size)
{
    assert_true(index < editing->editing.loss_count);
    const struct ossa__edit_loss *loss = &editing->editing.losses[index];
    assert_int_equal(loss->what, what);
    assert_int_equal(loss->bone, bone);
    assert_int_equal(loss->count, count);
    require(fabs(loss->size - size) < 1e-4, "loss", "is %g", loss->size);
}

static void inner_parts_neither_move_nor_scale(void **state)
{
    (void)state;
    struct scene_files files = {0};
    float keys[4][4] = {{1.0F}, {1.0F}, {1.0F}, {1.0F}};
    make_pair(&files, 4, (const float(*)[4])keys, 4);
    struct wish wish = {.bone = "bd",
                        .first = 1,
                        .last = 2,
                        .metres = {0.0, 0.5, 0.0},
                        .scale = 1.5,
                        .bones = pair_bones};
    struct editing editing = {.change = grant, .user = &wish};
    run(&editing, &files, NULL);
    assert_int_equal(editing.editing.file_count, 0);
    assert_int_equal(editing.editing.loss_count, 2);
    require_loss(&editing, 0, OSSA__LOSS_SCALE, 1, 2, 0.5);
    require_loss(&editing, 1, OSSA__LOSS_TRANSLATION, 1, 2, 0.5);
    editing_free(&editing);
    free_files(&files);
}

static void a_part_without_a_file_cannot_rotate(void **state)
{
    (void)state;
    struct scene_files files = {0};
    static const char *const tree[] = {"hp", "", "bd", "hp", "hd", "bd", NULL};
    static const char *names[] = {"hp", "bd", "hd"};
    (void)add_file(&files, "t.lnk", "ei-lnk", make_lnk(tree));
    (void)add_file(&files, "c/hd.anm", "ei-anm", make_random_anm(3, 4));
    struct wish wish = {.bone = "bd", .first = 1, .last = 1, .degrees = 30.0, .bones = names};
    struct editing editing = {.change = grant, .user = &wish};
    run(&editing, &files, NULL);
    assert_int_equal(editing.editing.loss_count, 1);
    require_loss(&editing, 0, OSSA__LOSS_ROTATION, 1, 1, 30.0);
    assert_int_equal(editing.editing.file_count, 1); /* what lies below is written all the same */
    editing_free(&editing);
    wish = (struct wish){.bone = "hp", .last = 0, .metres = {3.0, 4.0, 0.0}, .bones = names};
    editing = (struct editing){.change = grant, .user = &wish};
    run(&editing, &files, NULL);
    assert_int_equal(editing.editing.file_count, 0);
    assert_int_equal(editing.editing.loss_count, 1);
    require_loss(&editing, 0, OSSA__LOSS_TRANSLATION, 0, 1, 5.0);
    editing_free(&editing);
    free_files(&files);
}

static const char *const every_part[] = {"*"};
static const ossa_ei_options with_variants = {.parts = every_part, .part_count = 1};
static const struct fig_plan plain = {.seed = 5,
                                      .variants = 1,
                                      .vertex_blocks = 1,
                                      .normal_blocks = 1,
                                      .texcoords = 1,
                                      .triangles = 1,
                                      .corners = 3};

/* bd.two has no file and moves as bd does; hp.two stays where the root is, whatever its file says.
 */
static void make_variants(struct scene_files *files)
{
    static const char *const tree[] = {"hp", "", "bd", "hp", NULL};
    (void)add_file(files, "t.lnk", "ei-lnk", make_lnk(tree));
    (void)add_file(files, "bd.two.fig", NULL, make_fig(&plain));
    (void)add_file(files, "hp.two.fig", NULL, make_fig(&plain));
    (void)add_file(files, "c/hp.anm", "ei-anm", make_random_anm(3, 4));
    (void)add_file(files, "c/hp.two.anm", "ei-anm", make_random_anm(4, 4));
    (void)add_file(files, "c/bd.anm", "ei-anm", make_random_anm(5, 4));
    (void)add_file(files, "c/bd.one.anm", "ei-anm", make_random_anm(6, 4)); /* not shown */
}

static void variants_that_share_a_file_must_agree(void **state)
{
    (void)state;
    static const char *names[] = {"hp", "bd", "bd.two", "hp.two"};
    const ossa_scene_options options = {.ei = &with_variants};
    struct scene_files files = {0};
    make_variants(&files);
    struct editing editing = {0};
    run(&editing, &files, &options);
    assert_int_equal(editing.scene->bone_count, 4);
    assert_int_equal(editing.editing.file_count, 0);
    assert_int_equal(editing.editing.loss_count, 0);
    editing_free(&editing);
    struct wish wish = {.bone = "bd", .first = 1, .last = 2, .degrees = 30.0, .bones = names};
    editing = (struct editing){.change = grant, .user = &wish};
    run(&editing, &files, &options);
    assert_int_equal(editing.editing.file_count, 1);
    assert_true(find_edited(&editing, "c/bd.anm") >= 0);
    assert_int_equal(editing.editing.loss_count, 1);
    require_loss(&editing, 0, OSSA__LOSS_ROTATION, 2, 2, 30.0);
    editing_free(&editing);
    wish = (struct wish){.bone = "hp.two", .first = 3, .last = 3, .degrees = 10.0, .bones = names};
    editing = (struct editing){.change = grant, .user = &wish};
    run(&editing, &files, &options);
    assert_int_equal(editing.editing.file_count, 0);
    assert_int_equal(editing.editing.loss_count, 1);
    require_loss(&editing, 0, OSSA__LOSS_ROTATION, 3, 1, 10.0);
    editing_free(&editing);
    free_files(&files);
}

/* The animation of a slot is that of the tree's part in it. */
static void a_file_of_a_slot_is_written(void **state)
{
    (void)state;
    static const char *const tree[] = {"hd", "", "hr.00", "hd", NULL};
    static const char *names[] = {"hd", "hr.00"};
    struct scene_files files = {0};
    (void)add_file(&files, "t.lnk", "ei-lnk", make_lnk(tree));
    (void)add_file(&files, "c/hd.anm", "ei-anm", make_random_anm(3, 4));
    (void)add_file(&files, "c/hr.anm", "ei-anm", make_random_anm(4, 4));
    struct wish wish = {.bone = "hr.00", .first = 1, .last = 2, .degrees = 30.0, .bones = names};
    struct editing editing = {.change = grant, .user = &wish};
    run(&editing, &files, NULL);
    assert_int_equal(editing.editing.loss_count, 0);
    assert_int_equal(editing.editing.file_count, 1);
    assert_int_equal(
        count_changed(own_anm(&files, "c/hr.anm"), edited_anm(&editing, "c/hr.anm"), 1, 2), 2);
    editing_free(&editing);
    free_files(&files);
}

/* ---- other lengths ------------------------------------------------------------------------- */

static void longer_and_shorter_clips_are_written_whole(void **state)
{
    (void)state;
    static const uint32_t lengths[] = {1, 2, 13, 24, 25, 60};
    struct scene_files files = {0};
    load(&files, "troll");
    struct wish wish = {.bone = "bd",
                        .first = 3,
                        .last = UINT32_MAX,
                        .degrees = 20.0,
                        .bones = names_of(&files, troll_bones)};
    const ossa_ei_anm *was = own_anm(&files, "walk/rh1.anm");
    uint32_t before = was->rotation_count;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        if (lengths[i] == before) continue;
        struct editing editing = {
            .clip = "walk", .frame_count = lengths[i], .change = grant, .user = &wish};
        run(&editing, &files, NULL);
        assert_int_equal(editing.editing.file_count, 15);
        for (size_t f = 0; f < 15; f++) {
            const ossa_ei_anm *is = editing.editing.files[f].contents;
            assert_int_equal(is->rotation_count, lengths[i]);
            assert_int_equal(is->translation_count, lengths[i]);
            assert_int_equal(is->morph_frame_count, 0);
        }
        const ossa_ei_anm *is = edited_anm(&editing, "walk/rh1.anm");
        for (uint32_t f = 0; f < 3 && f < lengths[i]; f++) { /* as they were, to the bit */
            assert_memory_equal(is->rotations[f], was->rotations[f], sizeof *is->rotations);
        }
        assert_memory_equal(is->translations[0], was->translations[0], sizeof *is->translations);
        if (lengths[i] > 1) {
            assert_memory_equal(is->translations[lengths[i] - 1], was->translations[before - 1],
                                sizeof *is->translations);
        }
        struct worst worst = reassemble(&editing, &files, NULL, "walk");
        /* Some keys below were near enough to be kept. */
        require(worst.degrees < 0.004, "walk", "is off by %g degrees", worst.degrees);
        require(worst.metres < 1e-6, "walk", "is off by %g metres", worst.metres);
        editing_free(&editing);
    }
    free_files(&files);
}

/* Files of parts that are not shown go along: their keys are between those that were there. */
static void files_that_are_not_shown_are_stretched(void **state)
{
    (void)state;
    struct scene_files files = {0};
    make_variants(&files);
    struct editing editing = {.frame_count = 7};
    run(&editing, &files, NULL);
    assert_int_equal(editing.editing.file_count, 4);
    const ossa_ei_anm *was = own_anm(&files, "c/bd.one.anm");
    const ossa_ei_anm *is = edited_anm(&editing, "c/bd.one.anm");
    assert_int_equal(is->rotation_count, 7);
    for (uint32_t f = 0; f < 7; f += 2) {
        assert_memory_equal(is->rotations[f], was->rotations[f / 2], sizeof *is->rotations);
        assert_memory_equal(is->translations[f], was->translations[f / 2],
                            sizeof *is->translations);
    }
    float a[4];
    float b[4];
    float m[4];
    for (unsigned k = 0; k < 4; k++) { /* w x y z to x y z w */
        a[(k + 3) % 4] = was->rotations[1][k];
        b[(k + 3) % 4] = was->rotations[2][k];
        m[(k + 3) % 4] = is->rotations[3][k];
    }
    struct rotation middle =
        rotation_between(rotation_unit(rotation_of(a)), rotation_unit(rotation_of(b)), 0.5);
    assert_true(rotation_distance(middle, rotation_of(m)) < 1e-3);
    double sum = (double)was->translations[1][2] + (double)was->translations[2][2];
    assert_true(fabs((double)is->translations[3][2] - sum / 2.0) < 1e-6);
    editing_free(&editing);
    free_files(&files);
}

/* ---- new clips and the database ------------------------------------------------------------ */

static const ossa_ei_adb *find_adb(const struct scene_files *files)
{
    const ossa_ei_adb *adb = NULL;
    for (size_t i = 0; i < files->count && adb == NULL; i++) {
        adb = ossa_as_ei_adb(files->inputs[i].file);
    }
    assert_non_null(adb);
    return adb;
}

static void a_new_clip_has_all_files_and_a_record(void **state)
{
    (void)state;
    struct scene_files files = {0};
    struct scene_files again = {0};
    load(&files, "wyvern");
    struct wish wish = {
        .last = UINT32_MAX, .degrees = 5.0, .bones = names_of(&files, wyvern_bones)};
    struct editing editing = {
        .clip = "fly", .new_name = "u\xd0\xbd\xd1\x8b\xd1\x80", .change = grant, .user = &wish};
    run(&editing, &files, NULL);
    assert_int_equal(editing.editing.file_count, 10); /* nine parts and the database */
    assert_true(find_edited(&editing, "u\xd0\xbd\xd1\x8b\xd1\x80/lw2.anm") >= 0);
    struct worst worst = reassemble(&editing, &files, NULL, "fly");
    assert_true(worst.degrees < 1e-4 && worst.metres < 1e-6);
    write_files(&editing, &files, &again);
    const ossa_ei_adb *was = find_adb(&files);
    const ossa_ei_adb *is = find_adb(&again);
    assert_int_equal(is->record_count, was->record_count + 1);
    assert_memory_equal(is->records, was->records, was->record_count * sizeof *was->records);
    const ossa_ei_adb_record *added = &is->records[was->record_count];
    assert_int_equal(added->index, was->record_count);
    assert_memory_equal(added->name, "u\xed\xfb\xf0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    ossa_ei_adb_record like = *added;
    for (uint32_t i = 0; i < was->record_count; i++) {
        if (strcmp(was->records[i].name, "fly") != 0) continue;
        memcpy(like.name, was->records[i].name, 16);
        like.index = was->records[i].index;
        assert_memory_equal(&like, &was->records[i], sizeof like);
    }
    ossa_scene *scene = assemble_files(&again, NULL);
    assert_int_equal(scene->warning_count, editing.scene->warning_count);
    ossa_scene_free(scene);
    editing_free(&editing);
    free_files(&files);
    free_files(&again);
}

/* A clip `walk` of eight frames, and its record: steps at 6, 9, 12 and 15, a sound at 11, a blow at
 * 14. */
static void make_recorded(struct scene_files *files, uint32_t duration, const char *more)
{
    struct bytes adb = begin_adb("t");
    static const char *const tree[] = {"hp", "", NULL};
    (void)add_adb_record(&adb, &(struct adb_record){.name = "zest", .duration = 3});
    size_t at = add_adb_record(
        &adb, &(struct adb_record){.name = "Walk", .duration = duration, .hit_frame = 14});
    set_u32(&adb, at + 40, 2); /* show_hide */
    set_u32(&adb, at + 44, 13);
    if (more != NULL) (void)add_adb_record(&adb, &(struct adb_record){.name = more});
    (void)add_file(files, "t.lnk", "ei-lnk", make_lnk(tree));
    (void)add_file(files, "walk/hp.anm", "ei-anm", make_random_anm(3, 8));
    (void)add_file(files, "idle/hp.anm", "ei-anm", make_random_anm(4, 2));
    (void)add_file(files, "t.adb", "ei-adb", adb);
}

static const ossa_ei_adb *edited_adb(const struct editing *editing)
{
    int64_t at = find_edited(editing, "t.adb");
    assert_true(at >= 0);
    return editing->editing.files[at].contents;
}

static bool has_issue(const ossa_scene *scene, const char *message)
{
    for (size_t i = 0; i < scene->issue_count; i++) {
        if (strcmp(scene->issues[i].message, message) == 0) return true;
    }
    return false;
}

static void records_have_the_length_of_their_clips(void **state)
{
    (void)state;
    struct scene_files files = {0};
    make_recorded(&files, 16, NULL);
    struct editing editing = {.clip = "walk", .frame_count = 2};
    run(&editing, &files, NULL);
    const ossa_ei_adb *adb = edited_adb(&editing);
    assert_int_equal(adb->record_count, 2);
    assert_int_equal(adb->records[1].duration, 10); /* as much longer than the clip as before */
    static const uint32_t steps[4] = {6, 9, 10, 10};
    assert_memory_equal(adb->records[1].step_sounds, steps, sizeof steps);
    assert_int_equal(adb->records[1].show_hide[0], 2);
    assert_int_equal(adb->records[1].show_hide[1], 10);
    assert_int_equal(adb->records[1].hit_frame, 10);
    assert_int_equal(adb->records[1].special_frame, 10);
    assert_memory_equal(&adb->records[0], &find_adb(&files)->records[0], sizeof *adb->records);
    assert_true(has_issue(editing.scene,
                          "the record of 'walk' states 10 frames instead of 16; the frames of its "
                          "steps and other events did not move"));
    editing_free(&editing);
    editing = (struct editing){.clip = "walk", .frame_count = 9, .new_name = "run"};
    run(&editing, &files, NULL);
    adb = edited_adb(&editing);
    assert_int_equal(adb->record_count, 3);
    assert_int_equal(adb->records[1].duration, 16);
    assert_int_equal(adb->records[2].duration, 17);
    assert_int_equal(adb->records[2].step_sounds[3], 15);
    assert_string_equal(adb->records[2].name, "run");
    editing_free(&editing);
    free_files(&files);
    make_recorded(&files, 2, NULL); /* shorter than its clip */
    editing = (struct editing){.clip = "walk", .frame_count = 1};
    run(&editing, &files, NULL);
    assert_int_equal(edited_adb(&editing)->records[1].duration, 1);
    editing_free(&editing);
    free_files(&files);
}

static void records_that_cannot_or_need_not_be_made(void **state)
{
    (void)state;
    struct scene_files files = {0};
    make_recorded(&files, 8, "RUN");
    struct editing editing = {.clip = "walk", .new_name = "run"};
    run(&editing, &files, NULL);
    assert_int_equal(find_edited(&editing, "t.adb"), -1);
    assert_true(
        has_issue(editing.scene, "the new clip 'run' has a record already, which stays as it is"));
    editing_free(&editing);
    editing = (struct editing){.clip = "idle", .new_name = "nod"};
    run(&editing, &files, NULL);
    assert_int_equal(find_edited(&editing, "t.adb"), -1);
    assert_true(find_edited(&editing, "nod/hp.anm") >= 0);
    assert_true(has_issue(editing.scene,
                          "the clip 'idle' has no record, and so the new clip 'nod' gets none"));
    editing_free(&editing);
    editing = (struct editing){.clip = "idle", .frame_count = 5}; /* nothing to say */
    run(&editing, &files, NULL);
    assert_int_equal(find_edited(&editing, "t.adb"), -1);
    editing_free(&editing);
    editing = (struct editing){.clip = "walk", .new_name = "sixteen_letters_"};
    run(&editing, &files, NULL);
    assert_memory_equal(edited_adb(&editing)->records[3].name, "sixteen_letters_", 16);
    editing_free(&editing);
    static const char *const bad[] = {"seventeen_letters", "\xe6\xad\xa9"};
    for (unsigned i = 0; i < 2; i++) {
        editing = (struct editing){.clip = "walk", .new_name = bad[i]};
        assert_false(editing_run(&editing, files.inputs, files.count, NULL));
        char text[256];
        (void)snprintf(text, sizeof text,
                       "the name '%s' does not fit into a record of the database: 16 characters of "
                       "code page 1251 at most",
                       bad[i]);
        assert_string_equal(editing.error.message, text);
        assert_int_equal(editing.error.code, OSSA_CODE_BAD_ARGUMENT);
        assert_string_equal(editing.error.path, "t.adb");
        editing_free(&editing);
    }
    free_files(&files);
}

/* ---- memory -------------------------------------------------------------------------------- */

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct scene_files files = {0};
    load(&files, "wyvern");
    struct wish wish = {
        .last = UINT32_MAX, .is_random = true, .bones = names_of(&files, wyvern_bones)};
    static const struct editing plans[] = {
        {.editing = {.find_shape = own_shape}},
        {.editing = {.find_shape = own_shape}, .frame_count = 7},
        {.editing = {.find_shape = own_shape}, .clip = "fly", .new_name = "glide"}};
    for (unsigned p = 0; p < 3; p++) {
        size_t calls = 1;
        for (size_t n = 0; n <= calls; n++) {
            struct counting counting = {.fail_at = n};
            struct editing editing = plans[p];
            editing.change = grant;
            editing.user = &wish;
            bool ok =
                editing_run(&editing, files.inputs, files.count,
                            &(ossa_scene_options){.allocator = counting_allocator(&counting)});
            assert_int_equal(ok, n == 0);
            if (ok) calls = counting.calls;
            else assert_int_equal(editing.error.code, OSSA_CODE_OUT_OF_MEMORY);
            editing_free(&editing);
            assert_int_equal(counting.live, 0);
            assert_false(counting.wrong_release);
        }
        assert_true(calls > 1);
    }
    free_files(&files);
}

TEST_GROUP(test_ei_apply)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_an_edit_no_file_changes),
        cmocka_unit_test(what_programs_lose_is_not_an_edit),
        cmocka_unit_test(only_the_edited_keys_change),
        cmocka_unit_test(any_rotation_is_found_again),
        cmocka_unit_test(signs_stay),
        cmocka_unit_test(short_arrays_grow_only_if_they_must),
        cmocka_unit_test(empty_arrays_begin),
        cmocka_unit_test(signs_of_added_keys_follow),
        cmocka_unit_test(empty_arrays_stay_so),
        cmocka_unit_test(short_translations_grow_only_if_they_must),
        cmocka_unit_test(the_root_moves),
        cmocka_unit_test(what_no_float_holds_is_reported),
        cmocka_unit_test(inner_parts_neither_move_nor_scale),
        cmocka_unit_test(a_part_without_a_file_cannot_rotate),
        cmocka_unit_test(variants_that_share_a_file_must_agree),
        cmocka_unit_test(a_file_of_a_slot_is_written),
        cmocka_unit_test(longer_and_shorter_clips_are_written_whole),
        cmocka_unit_test(files_that_are_not_shown_are_stretched),
        cmocka_unit_test(a_new_clip_has_all_files_and_a_record),
        cmocka_unit_test(records_have_the_length_of_their_clips),
        cmocka_unit_test(records_that_cannot_or_need_not_be_made),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
