/* SPDX-License-Identifier: MIT
 *
 * Edits back into the animations of Midtown Madness: what was not edited keeps its bits, what was
 * is as the edit wants it, and angles do not jump. */
#include "ossa/games/midtown_madness.h"
#include "support/edited_files.h"
#include "support/rotation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEGREE 0.017453292519943295
#define PI     3.14159265358979323846

enum { BONES = 3 };

/* ---- files --------------------------------------------------------------------------------- */

static void put_frames(struct bytes *file, uint32_t seed, uint32_t frames, uint32_t width)
{
    struct random random = {seed};
    for (uint32_t i = 0; i < frames * width; i++) put_f32(file, next_float(&random, 3));
}

/* An animation of 3 bones in each dialect; the documented one has two more channels. */
static struct bytes make_dialect(ossa_mm_dialect dialect, uint32_t frames)
{
    enum { WIDTH = 3 + 3 * BONES };
    struct bytes file = {0};
    bool has_bones = dialect == OSSA_MM_DIALECT_MM1 || dialect == OSSA_MM_DIALECT_LEGACY;
    bool is_documented = dialect == OSSA_MM_DIALECT_DOCUMENTED;
    if (has_bones) {
        put_u32(&file, frames);
        put_u32(&file, BONES);
    } else {
        put_u32(&file, is_documented ? 3 : 0);
        put_u32(&file, frames);
    }
    for (unsigned c = 0; c < (is_documented ? 3U : 1U); c++) {
        static const uint32_t widths[3] = {2, WIDTH, 1};
        uint32_t width = is_documented ? widths[c] : WIDTH;
        if (!has_bones) put_u32(&file, width);
        if (dialect != OSSA_MM_DIALECT_MM1) {
            put_f32(&file, 1.5F);
            put_u8(&file, is_documented && c != 1 ? 7 : 1);
        }
        put_frames(&file, 70 + c, frames, width);
    }
    return file;
}

static struct bytes make_text(const char *text)
{
    struct bytes bytes = {0};
    put_text(&bytes, text);
    return bytes;
}

static void add_pedestrian(struct scene_files *files, bool has_table)
{
    add_folder(files, OSSA_SAMPLE_DIR "/pedestrian");
    if (!has_table) return;
    struct bytes table = load_test_file("../samples/more/ped.csv");
    (void)add_file(files, "ped.csv", "mm-csv", table);
}

/* A skeleton of three bones, an animation of it, and a table unless it is NULL. */
static void add_three(struct scene_files *files, struct bytes anim, const char *table)
{
    (void)add_file(files, "ped.skel", NULL, make_skel(BONES));
    (void)add_file(files, "walk.anim", "mm-anim", anim);
    if (table != NULL) (void)add_file(files, "ped.csv", "mm-csv", make_text(table));
}

static const ossa_mm_anim *anim_of(const struct scene_files *files, const char *path)
{
    for (size_t i = 0; i < files->count; i++) {
        if (strcmp(files->paths[i], path) == 0) return ossa_as_mm_anim(files->inputs[i].file);
    }
    require(false, path, "there is no such file");
    return NULL;
}

static const float *key_of(const ossa_mm_anim *anim, uint32_t frame, uint32_t key)
{
    const ossa_mm_channel *channel = ossa_mm_pose_channel(anim, NULL);
    return channel->values + (size_t)frame * channel->floats_per_frame + 3 * (size_t)key;
}

/* By the tests' own arithmetic: about X, then Z, then Y. */
static struct rotation rotation_in(const ossa_mm_anim *anim, uint32_t frame, uint32_t bone)
{
    const float *angles = key_of(anim, frame, 1 + bone);
    struct rotation x = rotation_about(0, (double)angles[0]);
    struct rotation y = rotation_about(1, (double)angles[1]);
    struct rotation z = rotation_about(2, (double)angles[2]);
    return rotation_product(y, rotation_product(z, x));
}

/* ---- edits --------------------------------------------------------------------------------- */

/* A bone is rotated, and the root moved, in some frames of a clip. */
struct turn {
    const char *clip; /* NULL: all */
    uint32_t bone;
    uint32_t first, last;
    unsigned axis;
    double radians;
    double moved[3];
};

static void turn(void *user, const char *clip, uint32_t frame, uint32_t bone,
                 struct ossa__edit_pose *pose)
{
    const struct turn *t = user;
    if (t->clip != NULL && strcmp(clip, t->clip) != 0) return;
    if (frame < t->first || frame > t->last) return;
    if (bone == t->bone) {
        pose->local = ossa__quat_multiply(pose->local, ossa__quat_about(t->axis, t->radians));
    }
    for (unsigned k = 0; k < 3 && bone == 0; k++) pose->translation[k] += t->moved[k];
}

/* Noise as other programs add it. */
static void blur(void *user, const char *clip, uint32_t frame, uint32_t bone,
                 struct ossa__edit_pose *pose)
{
    (void)clip;
    struct random random = {1 + frame * 64 + bone};
    const double *size = user;
    struct ossa__quat off = ossa__quat_about(next_random(&random) % 3, 1.5e-5 * size[0]);
    pose->local = ossa__quat_multiply(off, pose->local);
    if (frame % 2 == 1) { /* the same rotation */
        pose->local =
            (struct ossa__quat){-pose->local.x, -pose->local.y, -pose->local.z, -pose->local.w};
    }
    for (unsigned k = 0; k < 3; k++) {
        pose->translation[k] += (double)next_float(&random, 1) * 4e-6 * size[1];
        pose->scale[k] += (double)next_float(&random, 1) * 1e-5;
    }
}

/* Only the angles of the bone, and the root's translation if it was moved, differ, and only in the
 * frames of the edit; there they are what was wanted. `step`: from one frame of the clip to the
 * next in the file. */
static void require_turned(const ossa_mm_anim *found, const ossa_mm_anim *original,
                           const struct turn *t, uint32_t first, int step)
{
    uint32_t bones = 0;
    assert_int_equal(found->frame_count, original->frame_count);
    assert_non_null(ossa_mm_pose_channel(original, &bones));
    bool moves = t->moved[0] != 0.0 || t->moved[1] != 0.0 || t->moved[2] != 0.0;
    for (uint32_t f = 0; f < original->frame_count; f++) {
        int frame = ((int)f - (int)first) * step; /* of the clip */
        bool is_edited = frame >= (int)t->first && frame <= (int)t->last;
        for (uint32_t key = 0; key <= bones; key++) {
            const float *a = key_of(original, f, key);
            const float *b = key_of(found, f, key);
            bool may_differ = is_edited && (key == 1 + t->bone || (key == 0 && moves));
            require((memcmp(a, b, 12) != 0) == may_differ, "edit", "frame %u, key %u", f, key);
            for (unsigned k = 0; k < 3 && may_differ && key == 0; k++) {
                assert_true(fabs((double)b[k] - (double)a[k] - t->moved[k]) < 1e-6);
                assert_true(t->moved[k] != 0.0 || a[k] == b[k]);
            }
            if (!may_differ || key == 0) continue;
            struct rotation wanted = rotation_product(rotation_in(original, f, t->bone),
                                                      rotation_about(t->axis, t->radians));
            double off = rotation_distance(rotation_in(found, f, t->bone), wanted);
            require(off < 2e-3, "edit", "frame %u is %g degrees off", f, off);
            for (unsigned k = 0; k < 3 && f > 0; k++) { /* no frame is a jump of the edit alone */
                double jump = fabs((double)b[k] - (double)key_of(found, f - 1, key)[k]);
                double before = fabs((double)a[k] - (double)key_of(original, f - 1, key)[k]);
                require(jump < PI || before > PI / 2.0, "edit", "frame %u jumps by %g", f, jump);
            }
        }
    }
}

/* ---- tests --------------------------------------------------------------------------------- */

static const ossa_scene_options many_options[] = {
    {0},           {.in_place = true}, {.scale = 0.01}, {.scale = 1000.0, .in_place = true},
    {.fps = 60.0}, {.join = true},     {.boxes = true}};

static void no_edit_changes_no_file(void **state)
{
    (void)state;
    double none[2] = {0.0, 0.0};
    double some[2] = {1.0, 1.0};
    for (size_t i = 0; i < sizeof many_options / sizeof many_options[0]; i++) {
        for (int table = 0; table < 2; table++) {
            struct scene_files files = {0};
            add_pedestrian(&files, table == 1);
            some[1] = many_options[i].scale > 0.0 ? many_options[i].scale : 1.0;
            require_no_edit(&(struct editing){0}, &files, &many_options[i]);
            require_no_edit(&(struct editing){.change = blur, .user = none}, &files,
                            &many_options[i]);
            require_no_edit(&(struct editing){.change = blur, .user = some}, &files,
                            &many_options[i]);
            free_files(&files);
        }
        for (unsigned d = 0; d < 4; d++) {
            struct scene_files files = {0};
            add_three(&files, make_dialect((ossa_mm_dialect)d, 12),
                      "a,walk,1,99,0,0,0,0\nb,walk,7,3,0,0,0,0\n");
            require_no_edit(&(struct editing){.change = blur, .user = some}, &files,
                            &many_options[i]);
            free_files(&files);
        }
    }
}

static void only_what_was_edited_changes(void **state)
{
    (void)state;
    for (unsigned axis = 0; axis < 3; axis++) {
        struct turn t = {"walk", 7, 5, 9, axis, 30.0 * DEGREE, {0.0, 0.25, 0.0}};
        struct scene_files files = {0};
        struct scene_files edited = {0};
        add_pedestrian(&files, false);
        struct editing editing = {.change = turn, .user = &t};
        edit_or_fail(&editing, &files, NULL);
        assert_int_equal(editing.editing.file_count, 1);
        assert_int_equal(editing.editing.loss_count, 0);
        take_edited(&editing, &files, &edited);
        require_turned(anim_of(&edited, "walk.anim"), anim_of(&files, "walk.anim"), &t, 0, 1);
        editing_free(&editing);
        free_files(&edited);
        free_files(&files);
    }
}

/* Positions are in metres of the scene, and in place they have another origin. */
static void positions_are_those_of_the_scene(void **state)
{
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        double scale = many_options[i].scale > 0.0 ? many_options[i].scale : 1.0;
        struct turn t = {"some", 1, 1, 2, 0, 0.5, {0.125, 0.0, 0.0}};
        struct turn scaled = t;
        struct scene_files files = {0};
        struct scene_files edited = {0};
        scaled.moved[0] *= scale;
        add_three(&files, make_dialect(OSSA_MM_DIALECT_MM1, 12), "some,walk,5,9,0,0,0,0\n");
        struct editing editing = {.change = turn, .user = &scaled};
        edit_or_fail(&editing, &files, &many_options[i]);
        take_edited(&editing, &files, &edited);
        require_turned(anim_of(&edited, "walk.anim"), anim_of(&files, "walk.anim"), &t, 4, 1);
        editing_free(&editing);
        free_files(&edited);
        free_files(&files);
    }
}

static void every_dialect_stays_what_it_is(void **state)
{
    (void)state;
    for (unsigned d = 0; d < 4; d++) {
        struct turn t = {"walk", 2, 3, 4, 1, 0.3, {0.0, 0.0, -1.0}};
        struct scene_files files = {0};
        struct scene_files edited = {0};
        struct bytes file = make_dialect((ossa_mm_dialect)d, 12);
        bool has_tail = d != OSSA_MM_DIALECT_DOCUMENTED; /* its channels are unlike a pose */
        if (has_tail) put_text(&file, "tail");
        add_three(&files, file, NULL);
        struct editing editing = {.change = turn, .user = &t};
        edit_or_fail(&editing, &files, NULL);
        take_edited(&editing, &files, &edited);
        const ossa_mm_anim *a = anim_of(&files, "walk.anim");
        const ossa_mm_anim *b = anim_of(&edited, "walk.anim");
        assert_int_equal(b->dialect, d);
        assert_int_equal(b->channel_count, a->channel_count);
        assert_int_equal(b->tail_size, has_tail ? 4 : 0);
        require_turned(b, a, &t, 0, 1);
        assert_int_equal(edited.bytes[1].size, files.bytes[1].size);
        size_t differing = 0;
        for (size_t i = 0; i < files.bytes[1].size; i++) {
            differing += files.bytes[1].data[i] != edited.bytes[1].data[i];
        }
        assert_true(differing <= 2 * 3 * 4 + 2 * 4); /* angles of two frames, and z of the root */
        editing_free(&editing);
        free_files(&edited);
        free_files(&files);
    }
}

/* ---- angles -------------------------------------------------------------------------------- */

/* A bone whose angles rise by `step` each, from `start`, in 20 frames. */
static struct bytes make_spin(const double start[3], const double step[3])
{
    struct bytes file = {0};
    put_u32(&file, 20);
    put_u32(&file, 1);
    for (unsigned f = 0; f < 20; f++) {
        for (unsigned k = 0; k < 3; k++) put_f32(&file, 0.0F);
        for (unsigned k = 0; k < 3; k++) put_f32(&file, (float)(start[k] + step[k] * f));
    }
    return file;
}

static void spins_go_on(void **state)
{
    (void)state;
    static const double starts[][3] = {
        {0.0, 0.0, 0.0},      {20.0, -30.0, 6.0},    {0.0, 0.0, PI / 2.0}, {1.0, 2.0, -PI / 2.0},
        {PI, -PI, PI},        {3.0, 3.0, 3.0},       {0.0, PI, 0.0},       {-40.0, 0.0, 1.5},
        {0.5, 0.5, 1.570796}, {100.0, 100.0, 100.0},
    };
    static const double steps[][3] = {{0.0, 0.0, 0.0},  {0.5, 0.0, 0.0}, {0.0, 0.7, 0.0},
                                      {0.0, 0.0, 0.25}, {1.0, 1.0, 0.1}, {-0.9, 0.3, 0.2}};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        for (size_t n = 0; n < 6 * (sizeof steps / sizeof steps[0]); n++) {
            bool is_back = n % 2 == 1;
            struct turn t = {NULL, 0, 5, 9, (unsigned)n / 2 % 3, 0.4, {0.0, 0.0, 0.0}};
            struct scene_files files = {0};
            struct scene_files edited = {0};
            const char *table = is_back ? "back,spin,20,1,0,0,0,0\n" : "#\nA,spin,1,20,0,0,0,0\n";
            (void)add_file(&files, "ped.csv", "mm-csv", make_text(table));
            (void)add_file(&files, "ped.skel", NULL, make_skel(1));
            (void)add_file(&files, "spin.anim", "mm-anim", make_spin(starts[i], steps[n / 6]));
            struct editing editing = {.change = turn, .user = &t};
            edit_or_fail(&editing, &files, NULL);
            take_edited(&editing, &files, &edited);
            require_turned(anim_of(&edited, "spin.anim"), anim_of(&files, "spin.anim"), &t,
                           is_back ? 19 : 0, is_back ? -1 : 1);
            editing_free(&editing);
            free_files(&edited);
            free_files(&files);
        }
    }
}

/* A rotation about one axis changes the angle of this axis alone, if the others are 0. */
static void plain_rotations_stay_plain(void **state)
{
    (void)state;
    static const double zeros[3] = {0.0, 0.0, 0.0};
    for (unsigned axis = 0; axis < 3; axis++) {
        struct turn t = {NULL, 0, 0, 19, axis, 1.25, {0.0, 0.0, 0.0}};
        struct scene_files files = {0};
        struct scene_files edited = {0};
        (void)add_file(&files, "spin.anim", "mm-anim", make_spin(zeros, zeros));
        struct editing editing = {.change = turn, .user = &t};
        edit_or_fail(&editing, &files, NULL);
        take_edited(&editing, &files, &edited);
        for (uint32_t f = 0; f < 20; f++) {
            const float *angles = key_of(anim_of(&edited, "spin.anim"), f, 1);
            for (unsigned k = 0; k < 3; k++) {
                assert_true(angles[k] == (k == axis ? 1.25F : 0.0F));
            }
        }
        editing_free(&editing);
        free_files(&edited);
        free_files(&files);
    }
}

/* About Y, which is the last rotation, with noise. */
static void turn_y(void *user, const char *clip, uint32_t frame, uint32_t bone,
                   struct ossa__edit_pose *pose)
{
    (void)user;
    (void)clip;
    (void)bone;
    struct ossa__quat noise = ossa__quat_about(frame % 3, frame % 2 == 0 ? 1e-6 : -1e-6);
    pose->local = ossa__quat_multiply(pose->local, noise);
    pose->local = ossa__quat_multiply(ossa__quat_about(1, 0.75), pose->local);
}

static void angles_that_hardly_differ_are_kept(void **state)
{
    (void)state;
    static const double start[3] = {0.3, -0.2, 0.1};
    static const double step[3] = {0.01, 0.02, -0.03};
    struct scene_files files = {0};
    struct scene_files edited = {0};
    (void)add_file(&files, "spin.anim", "mm-anim", make_spin(start, step));
    struct editing editing = {.change = turn_y};
    edit_or_fail(&editing, &files, NULL);
    take_edited(&editing, &files, &edited);
    for (uint32_t f = 0; f < 20; f++) {
        const float *a = key_of(anim_of(&files, "spin.anim"), f, 1);
        const float *b = key_of(anim_of(&edited, "spin.anim"), f, 1);
        assert_true(a[0] == b[0] && a[2] == b[2]);
        assert_true(fabs((double)b[1] - (double)a[1] - 0.75) < 3e-6);
    }
    editing_free(&editing);
    free_files(&edited);
    free_files(&files);
}

/* Floats so far from 0 that they cannot hold an angle: the nearest to 0 is taken. */
static void huge_angles_are_left(void **state)
{
    (void)state;
    static const double far[][3] = {{1e6, 0.0, 0.0}, {0.0, 3e38, 0.0}, {5000.0, 0.0, -2e20}};
    static const double none[3] = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < 3; i++) {
        struct turn t = {NULL, 0, 5, 9, 1, 0.4, {0.0, 0.0, 0.0}};
        struct scene_files files = {0};
        struct scene_files edited = {0};
        (void)add_file(&files, "spin.anim", "mm-anim", make_spin(far[i], none));
        struct editing editing = {.change = turn, .user = &t};
        edit_or_fail(&editing, &files, NULL);
        take_edited(&editing, &files, &edited);
        for (uint32_t f = 0; f < 20; f++) {
            const float *angles = key_of(anim_of(&edited, "spin.anim"), f, 1);
            bool is_edited = f >= 5 && f <= 9;
            for (unsigned k = 0; k < 3; k++) {
                assert_true(is_edited ? fabs((double)angles[k]) < 4.0
                                      : angles[k] == (float)far[i][k]);
            }
            struct rotation wanted = rotation_in(anim_of(&files, "spin.anim"), f, 0);
            if (is_edited) wanted = rotation_product(wanted, rotation_about(1, 0.4));
            struct rotation found = rotation_in(anim_of(&edited, "spin.anim"), f, 0);
            assert_true(rotation_distance(found, wanted) < 2e-3);
        }
        editing_free(&editing);
        free_files(&edited);
        free_files(&files);
    }
}

/* Whatever is wanted, is found; and where a bone rotates little, so do its angles. */
struct wander {
    struct ossa__quat wanted[BONES][40];
};

static void wander(void *user, const char *clip, uint32_t frame, uint32_t bone,
                   struct ossa__edit_pose *pose)
{
    struct wander *w = user;
    (void)clip;
    pose->local = w->wanted[bone][frame];
}

static void any_rotation_is_found(void **state)
{
    (void)state;
    struct random random = {17};
    for (unsigned run = 0; run < 60; run++) {
        static struct wander w;
        double step = run % 3 == 0 ? 0.05 : run % 3 == 1 ? 0.4 : 2.5;
        for (unsigned b = 0; b < BONES; b++) {
            struct ossa__quat q = ossa__quat_about(run % 3, next_random(&random) % 7);
            for (unsigned f = 0; f < 40; f++) {
                struct ossa__quat off = ossa__quat_about(next_random(&random) % 3, step);
                q = ossa__quat_multiply(q, off);
                if (next_random(&random) % 2 == 0) q = (struct ossa__quat){-q.x, -q.y, -q.z, -q.w};
                w.wanted[b][f] = q;
            }
        }
        struct scene_files files = {0};
        struct scene_files edited = {0};
        add_three(&files, make_dialect(OSSA_MM_DIALECT_RETAIL, 40), NULL);
        struct editing editing = {.change = wander, .user = &w};
        edit_or_fail(&editing, &files, NULL);
        take_edited(&editing, &files, &edited);
        const ossa_mm_anim *anim = anim_of(&edited, "walk.anim");
        for (uint32_t f = 0; f < 40; f++) {
            for (uint32_t b = 0; b < BONES; b++) {
                struct ossa__quat q = w.wanted[b][f];
                struct rotation wanted = {q.x, q.y, q.z, q.w};
                double off = rotation_distance(rotation_in(anim, f, b), wanted);
                require(off < 2e-3, "edit", "frame %u is %g degrees off", f, off);
                const float *angles = key_of(anim, f, 1 + b);
                for (unsigned k = 0; k < 3 && f > 0 && step < 0.1; k++) {
                    double before = (double)key_of(anim, f - 1, 1 + b)[k];
                    assert_true(fabs((double)angles[k] - before) <= PI);
                }
            }
        }
        editing_free(&editing);
        free_files(&edited);
        free_files(&files);
    }
}

/* ---- states -------------------------------------------------------------------------------- */

static void a_backward_state_is_its_frames(void **state)
{
    (void)state;
    struct turn t = {"BACKUP", 7, 5, 9, 1, 30.0 * DEGREE, {0.0, 0.0, 0.0}};
    struct scene_files files = {0};
    struct scene_files edited = {0};
    add_pedestrian(&files, true);
    struct editing editing = {.change = turn, .user = &t};
    edit_or_fail(&editing, &files, NULL);
    assert_int_equal(editing.editing.file_count, 1);
    assert_int_equal(editing.changed_clips, 1);
    take_edited(&editing, &files, &edited);
    require_turned(anim_of(&edited, "walk.anim"), anim_of(&files, "walk.anim"), &t, 31, -1);
    editing_free(&editing);
    free_files(&edited);
    free_files(&files);
}

/* Frames 4 and 5 of the file, wherever the clip plays them. */
struct shared {
    const char *clips[2];
    double radians[2];
    double moved[2];
};

static void turn_shared(void *user, const char *clip, uint32_t frame, uint32_t bone,
                        struct ossa__edit_pose *pose)
{
    const struct shared *s = user;
    uint32_t at = strcmp(clip, "back") == 0 ? 8 - frame : 2 + frame; /* back: 9..1; some: 3..7 */
    for (unsigned i = 0; i < 2; i++) {
        if (strcmp(clip, s->clips[i]) != 0 || at < 4 || at > 5 - i) continue;
        if (bone == 1) {
            pose->local = ossa__quat_multiply(pose->local, ossa__quat_about(2, s->radians[i]));
        }
        if (bone == 0) pose->translation[1] += s->moved[i];
    }
}

static const char two_states[] = "some,walk,3,7,0,0,0,0\nback,walk,9,1,0,0,0,0\n";

static void states_share_frames(void **state)
{
    (void)state;
    /* Both change frame 4 alike; what only one says of frame 5 holds. */
    static const struct shared alike[] = {{{"some", "back"}, {0.5, 0.5}, {1.0, 1.0}},
                                          {{"back", "some"}, {0.5, 0.5}, {1.0, 1.0}}};
    for (unsigned i = 0; i < 2; i++) {
        struct shared s = alike[i];
        struct turn t = {NULL, 1, 4, 5, 2, 0.5, {0.0, 1.0, 0.0}};
        struct scene_files files = {0};
        struct scene_files edited = {0};
        add_three(&files, make_dialect(OSSA_MM_DIALECT_MM1, 12), two_states);
        struct editing editing = {.change = turn_shared, .user = &s};
        edit_or_fail(&editing, &files, NULL);
        assert_int_equal(editing.editing.file_count, 1);
        assert_int_equal(editing.changed_clips, 2);
        take_edited(&editing, &files, &edited);
        require_turned(anim_of(&edited, "walk.anim"), anim_of(&files, "walk.anim"), &t, 0, 1);
        editing_free(&editing);
        free_files(&edited);
        free_files(&files);
    }
}

static void contradictions_are_refused(void **state)
{
    (void)state;
    struct shared rotations = {{"back", "some"}, {0.5, 0.6}, {0.0, 0.0}};
    struct shared positions = {{"back", "some"}, {0.5, 0.5}, {1.0, 2.0}};
    struct scene_files files = {0};
    add_three(&files, make_dialect(OSSA_MM_DIALECT_MM1, 12), two_states);
    require_edit_misfit(&(struct editing){.change = turn_shared, .user = &rotations}, &files, NULL,
                        "walk.anim",
                        "the clips 'some' and 'back' both play its frame 4, but were given "
                        "different rotations of 's1'; edit only one of them, or both alike");
    /* An edit that is refused is not a clip that can be left out. */
    const ossa_scene_options forgiving = {.tolerant = true};
    require_edit_misfit(&(struct editing){.change = turn_shared, .user = &positions}, &files,
                        &forgiving, "walk.anim",
                        "the clips 'some' and 'back' both play its frame 4, but were given "
                        "different positions of 's0'; edit only one of them, or both alike");
    free_files(&files);
}

/* ---- lengths ------------------------------------------------------------------------------- */

static void require_frames(const struct scene_files *edited, const char *path,
                           const ossa_mm_anim *original, uint32_t first, int step, uint32_t count,
                           uint32_t source_count)
{
    const ossa_mm_anim *found = anim_of(edited, path);
    assert_int_equal(found->dialect, original->dialect);
    assert_int_equal(found->channel_count, original->channel_count);
    assert_int_equal(found->frame_count, count);
    for (uint32_t c = 0; c < found->channel_count; c++) {
        const ossa_mm_channel *a = &original->channels[c];
        const ossa_mm_channel *b = &found->channels[c];
        assert_int_equal(b->floats_per_frame, a->floats_per_frame);
        assert_int_equal(bits_of_f32(b->unknown), bits_of_f32(a->unknown));
        assert_int_equal(b->type, a->type);
        for (uint32_t f = 0; f < count; f++) {
            uint32_t clamped = f < source_count ? f : source_count - 1;
            uint32_t from = (uint32_t)((int)first + step * (int)clamped);
            size_t width = a->floats_per_frame;
            assert_memory_equal(b->values + f * width, a->values + from * width, 4 * width);
        }
    }
}

static void a_clip_may_get_another_length(void **state)
{
    (void)state;
    static const uint32_t lengths[] = {1, 11, 13, 40};
    for (unsigned d = 0; d < 4; d++) {
        for (size_t i = 0; i < 4; i++) {
            struct scene_files files = {0};
            struct scene_files edited = {0};
            add_three(&files, make_dialect((ossa_mm_dialect)d, 12), NULL);
            struct editing editing = {.frame_count = lengths[i]};
            edit_or_fail(&editing, &files, NULL);
            assert_int_equal(editing.editing.file_count, 1);
            take_edited(&editing, &files, &edited);
            require_frames(&edited, "walk.anim", anim_of(&files, "walk.anim"), 0, 1, lengths[i],
                           12);
            if (d == OSSA_MM_DIALECT_DOCUMENTED) {
                char text[200];
                (void)snprintf(text, sizeof text,
                               "'walk' gets %u frames; what its 2 other channels hold is unknown: "
                               "they are cut, or their last frame is repeated",
                               (unsigned)lengths[i]);
                require_warning(editing.scene, 0, OSSA_CODE_UNUSUAL_VALUE, "walk.anim", text);
            } else {
                assert_int_equal(editing.scene->issue_count, 0);
            }
            editing_free(&editing);
            free_files(&edited);
            free_files(&files);
        }
    }
}

static void a_state_keeps_its_length(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_three(&files, make_dialect(OSSA_MM_DIALECT_MM1, 12), two_states);
    require_edit_misfit(
        &(struct editing){.frame_count = 6, .clip = "some"}, &files, NULL, "walk.anim",
        "the state 'some' plays 5 frames of it, but the edit has 6: the length of a state is in "
        "its table and cannot change; bring the edit to that length, or make a new clip of it");
    free_files(&files);
}

/* ---- new clips ----------------------------------------------------------------------------- */

static void a_new_clip_is_a_new_file(void **state)
{
    (void)state;
    for (unsigned d = 0; d < 4; d++) {
        struct scene_files files = {0};
        struct scene_files edited = {0};
        struct turn t = {NULL, 1, 2, 3, 0, 0.5, {0.0, 0.0, 0.0}};
        struct bytes file = make_dialect((ossa_mm_dialect)d, 12);
        if (d != OSSA_MM_DIALECT_DOCUMENTED) put_text(&file, "tail");
        add_three(&files, file, NULL);
        struct editing editing = {.clip = "walk", .new_name = "hop", .frame_count = 14};
        edit_or_fail(&editing, &files, NULL);
        assert_int_equal(editing.editing.file_count, 1);
        assert_string_equal(editing.editing.files[0].new_path, "hop.anim");
        take_edited(&editing, &files, &edited);
        assert_int_equal(edited.count, files.count + 1);
        require_frames(&edited, "hop.anim", anim_of(&files, "walk.anim"), 0, 1, 14, 12);
        require_frames(&edited, "walk.anim", anim_of(&files, "walk.anim"), 0, 1, 12, 12);
        assert_int_equal(anim_of(&edited, "hop.anim")->tail_size, 0);
        editing_free(&editing);
        free_files(&edited);
        editing = (struct editing){.clip = "walk", .new_name = "hop", .change = turn, .user = &t};
        edit_or_fail(&editing, &files, NULL);
        take_edited(&editing, &files, &edited);
        require_turned(anim_of(&edited, "hop.anim"), anim_of(&files, "walk.anim"), &t, 0, 1);
        editing_free(&editing);
        free_files(&edited);
        free_files(&files);
    }
}

/* In place, a state does not begin where its frames are: the new clip is as it was shown. */
static void a_new_clip_is_as_it_was_shown(void **state)
{
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct scene_files files = {0};
        struct scene_files edited = {0};
        double scale = many_options[i].scale > 0.0 ? many_options[i].scale : 1.0;
        struct turn t = {NULL, 1, 2, 2, 0, 0.5, {0.0, 1.5 * scale, 0.25 * scale}};
        add_three(&files, make_dialect(OSSA_MM_DIALECT_MM1, 12), "some,walk,9,5,0,0,0,0\n");
        struct editing editing = {.clip = "some", .new_name = "hop", .change = turn, .user = &t};
        edit_or_fail(&editing, &files, &many_options[i]);
        take_edited(&editing, &files, &edited);
        ossa_scene *scene = assemble_files(&edited, &many_options[i]);
        const ossa_clip *some = ossa_scene_find_clip(scene, "some");
        const ossa_clip *hop = ossa_scene_find_clip(scene, "hop");
        require(some != NULL && hop != NULL, "hop", "there is no such clip");
        if (some == NULL || hop == NULL) return; /* for the analyser */
        assert_int_equal(hop->frame_count, 5);
        for (uint32_t f = 0; f < 5; f++) {
            ossa_transform a[BONES];
            ossa_transform b[BONES];
            ossa_sample_frame(scene, some, f, a, NULL);
            ossa_sample_frame(scene, hop, f, b, NULL);
            for (unsigned k = 0; k < 3; k++) {
                double moved = (double)b[0].translation[k] - (double)a[0].translation[k];
                assert_true(fabs(moved - (f == 2 ? t.moved[k] : 0.0)) < 1e-6 * scale);
            }
        }
        ossa_scene_free(scene);
        editing_free(&editing);
        free_files(&edited);
        free_files(&files);
    }
}

/* The table with a row for the new clip `hop`, like `like`. */
static void require_table(const char *table, const char *like, const char *name, uint32_t frames,
                          const char *wanted, size_t wanted_size)
{
    struct scene_files files = {0};
    struct scene_files edited = {0};
    struct bytes text = make_text(table);
    const double start[3] = {0.0, 0.0, 0.0};
    const double step[3] = {0.1, 0.0, 0.0};
    struct bytes anim = make_spin(start, step);
    for (unsigned f = 0; f < 20; f++) { /* x is 0.25 f, z is -0.5 f */
        set_f32(&anim, 8 + 24 * (size_t)f, 0.25F * (float)f);
        set_f32(&anim, 16 + 24 * (size_t)f, -0.5F * (float)f);
    }
    if (table[strlen(table) - 1] == '!') { /* padding */
        text.data[text.size - 1] = '\0';
        put_u8(&text, 0);
    }
    (void)add_file(&files, "walk.anim", "mm-anim", anim);
    (void)add_file(&files, "idle.anim", "mm-anim", make_spin(start, step));
    (void)add_file(&files, "ped.csv", "mm-csv", text);
    struct editing editing = {.clip = like, .new_name = name, .frame_count = frames};
    edit_or_fail(&editing, &files, NULL);
    assert_int_equal(editing.editing.file_count, 2);
    take_edited(&editing, &files, &edited);
    require_same(like, &edited.bytes[2], wanted, wanted_size);
    ossa_scene *scene = assemble_files(&edited, NULL);
    const ossa_clip *clip = ossa_scene_find_clip(scene, name);
    require(clip != NULL && clip->frame_count == frames, name, "the clip is not there");
    ossa_scene_free(scene);
    editing_free(&editing);
    free_files(&edited);
    free_files(&files);
}

static void a_new_clip_is_a_state(void **state)
{
    (void)state;
    static const char like_loop[] =
        "A,walk,1,20,0,9.5,0,-4.75,A\nhop,hop,1,5,0,2.000,0,-1.000,hop\n";
    require_table("A,walk,1,20,0,9.5,0,-4.75,A\n", "A", "hop", 5, like_loop, sizeof like_loop - 1);
    /* Backwards, with offsets, a next state, line ends of another kind, and padding. */
    static const char like_back[] = "#x\r\nA,walk,1,20,0,9.5,0,-4.75,A\r\n"
                                    "B , walk,8,3,1.50,7,-2e0,8, A,\r\n"
                                    "hop,hop,1,7,1.50,-2.500,-2e0,1.250,A\r\n\0";
    require_table("#x\r\nA,walk,1,20,0,9.5,0,-4.75,A\r\nB , walk,8,3,1.50,7,-2e0,8, A,\r\n!", "B",
                  "hop", 7, like_back, sizeof like_back);
    /* No end of the last line; a state without a next one. */
    static const char like_end[] =
        "A,walk,1,20,0,9.5,0,-4.75\r\nh\xf6p,h\xf6p,1,1,0,0.000,0,0.000\r\n";
    require_table("A,walk,1,20,0,9.5,0,-4.75", "A", "h\xc3\xb6p", 1, like_end, sizeof like_end - 1);
    /* Like an animation that no state plays. */
    static const char like_none[] = "A,walk,1,20,0,9.5,0,-4.75\rhop,hop,1,20,0,0.000,0,0.000\r";
    require_table("A,walk,1,20,0,9.5,0,-4.75\r", "idle", "hop", 20, like_none,
                  sizeof like_none - 1);
}

/* As the sample's own table has it, but for 4 mm of sway, which it leaves out. */
static void distances_are_those_of_the_frames(void **state)
{
    (void)state;
    struct scene_files files = {0};
    add_pedestrian(&files, true);
    struct editing editing = {.clip = "WALK", .new_name = "STROLL"};
    edit_or_fail(&editing, &files, NULL);
    assert_int_equal(editing.editing.file_count, 2);
    struct bytes table = edited_bytes(&editing, 1);
    static const char row[] = "BACKUP\r\nSTROLL,STROLL,1,32,0,1.201,0,-0.004,STROLL\r\n";
    assert_true(table.size > sizeof row - 1);
    assert_memory_equal(table.data + table.size - (sizeof row - 1), row, sizeof row - 1);
    bytes_free(&table);
    editing_free(&editing);
    free_files(&files);
}

static void names_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"a b", "a,b", "a.b", "#a", "a\"", "\xd0\xb0", "a\n", ""};
    struct scene_files files = {0};
    add_three(&files, make_dialect(OSSA_MM_DIALECT_MM1, 12), two_states);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char message[160];
        (void)snprintf(message, sizeof message,
                       "'%s' cannot be the name of a state: use Latin letters, digits and "
                       "underscores",
                       names[i]);
        struct editing editing = {.clip = "some", .new_name = names[i]};
        require_edit_misfit(&editing, &files, NULL, "ped.csv", message);
    }
    require_edit_misfit(&(struct editing){.clip = "some", .new_name = "WALK"}, &files, NULL,
                        "walk.anim",
                        "the new clip 'WALK' would have the name of this animation; give it "
                        "another one");
    require_edit_misfit(&(struct editing){.clip = "some", .new_name = "back"}, &files, NULL,
                        "ped.csv", "already has a state 'back'; give the new clip another name");
    free_files(&files);
}

/* ---- losses -------------------------------------------------------------------------------- */

static void spoil(void *user, const char *clip, uint32_t frame, uint32_t bone,
                  struct ossa__edit_pose *pose)
{
    (void)clip;
    const bool *is_far = user;
    if (*is_far) {
        if (bone == 0 && frame == 2) pose->translation[2] = -1e39;
        return;
    }
    if (bone == 1 && frame == 3) pose->scale[1] = 1.5;
    if (bone == 2 && frame >= 4 && frame <= 6) pose->translation[0] += 0.01 * frame;
    if (bone == 2 && frame == 7) pose->is_visible = false;
}

static void require_loss(const struct editing *editing, size_t index, enum ossa__loss what,
                         uint32_t bone, uint32_t frame, double size, uint32_t count)
{
    require(index < editing->editing.loss_count, "edit", "loss %zu is missing", index);
    const struct ossa__edit_loss *loss = &editing->editing.losses[index];
    assert_int_equal(loss->what, what);
    assert_int_equal(loss->bone, bone);
    assert_int_equal(loss->frame, frame);
    assert_int_equal(loss->count, count);
    assert_true(fabs(loss->size - size) <= 1e-6 * size);
}

static void losses_are_reported(void **state)
{
    (void)state;
    bool is_far = false;
    for (int skeleton = 0; skeleton < 2; skeleton++) { /* without one, all bones are roots */
        struct scene_files files = {0};
        add_three(&files, make_dialect(OSSA_MM_DIALECT_MM1, 12), NULL);
        struct editing editing = {.change = spoil, .user = &is_far};
        assert_true(editing_run(&editing, files.inputs + 1 - skeleton,
                                files.count - 1 + (size_t)skeleton, NULL));
        assert_int_equal(editing.editing.file_count, 0);
        assert_int_equal(editing.editing.loss_count, 3);
        require_loss(&editing, 0, OSSA__LOSS_SCALE, 1, 3, 0.5, 1);
        require_loss(&editing, skeleton == 1 ? 1 : 2, OSSA__LOSS_TRANSLATION, 2, 6, 0.06, 3);
        require_loss(&editing, skeleton == 1 ? 2 : 1, OSSA__LOSS_VISIBILITY, 2, 7, 1.0, 1);
        editing_free(&editing);
        free_files(&files);
    }
    is_far = true;
    struct scene_files files = {0};
    add_three(&files, make_dialect(OSSA_MM_DIALECT_MM1, 12), NULL);
    struct editing editing = {.change = spoil, .user = &is_far};
    edit_or_fail(&editing, &files, NULL);
    assert_int_equal(editing.editing.file_count, 0);
    assert_int_equal(editing.editing.loss_count, 1);
    require_loss(&editing, 0, OSSA__LOSS_RANGE, 0, 2, 1e39, 1);
    editing_free(&editing);
    free_files(&files);
}

static void failing_allocations_are_survived(void **state)
{
    (void)state;
    struct turn t = {"some", 1, 1, 2, 0, 0.5, {0.0, 1.0, 0.0}};
    struct scene_files files = {0};
    add_three(&files, make_dialect(OSSA_MM_DIALECT_DOCUMENTED, 12), two_states);
    require_edit_survives(&(struct editing){.change = turn, .user = &t}, &files);
    require_edit_survives(&(struct editing){.clip = "some", .new_name = "hop", .frame_count = 30},
                          &files);
    free_files(&files);
}

TEST_GROUP(test_mm_apply)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_edit_changes_no_file),
        cmocka_unit_test(only_what_was_edited_changes),
        cmocka_unit_test(positions_are_those_of_the_scene),
        cmocka_unit_test(every_dialect_stays_what_it_is),
        cmocka_unit_test(spins_go_on),
        cmocka_unit_test(plain_rotations_stay_plain),
        cmocka_unit_test(angles_that_hardly_differ_are_kept),
        cmocka_unit_test(huge_angles_are_left),
        cmocka_unit_test(any_rotation_is_found),
        cmocka_unit_test(a_backward_state_is_its_frames),
        cmocka_unit_test(states_share_frames),
        cmocka_unit_test(contradictions_are_refused),
        cmocka_unit_test(a_clip_may_get_another_length),
        cmocka_unit_test(a_state_keeps_its_length),
        cmocka_unit_test(a_new_clip_is_a_new_file),
        cmocka_unit_test(a_new_clip_is_as_it_was_shown),
        cmocka_unit_test(a_new_clip_is_a_state),
        cmocka_unit_test(distances_are_those_of_the_frames),
        cmocka_unit_test(names_that_cannot_be_are_refused),
        cmocka_unit_test(losses_are_reported),
        cmocka_unit_test(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
