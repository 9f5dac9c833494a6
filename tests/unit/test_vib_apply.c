/* SPDX-License-Identifier: MIT
 *
 * Edits back into the animations of Vib-Ribbon: what was not edited keeps its bytes, what was is as
 * near to the edit as whole numbers can be. */
#include "support/edited_files.h"
#include "support/rotation.h"
#include "support/tmd_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Half a step of each number; rotations about three axes may add up. */
#define HALF_ANGLE    (180.0 / 4096.0)
#define HALF_SCALE    (0.5 / 4096.0)
#define HALF_POSITION (0.5 / 2048.0)

/* ---- files --------------------------------------------------------------------------------- */

static void add_rabbit(struct scene_files *files)
{
    add_folder(files, OSSA_SAMPLE_DIR "/rabbit");
}

static void add_fixture(struct scene_files *files, const char *name)
{
    const struct fixture *fixture = fixture_find(name);
    (void)add_file(files, "walk.anm", "vib-anm",
                   bytes_copy(fixture->bytes.data, fixture->bytes.size));
}

/* One object, whose angles rise by `step`. */
static struct bytes make_spin(const int start[3], const int step[3])
{
    struct vib_maker vib = begin_vib(30, 12);
    for (int f = 0; f < 12; f++) {
        const int rotation[3] = {start[0] + f * step[0], start[1] + f * step[1],
                                 start[2] + f * step[2]};
        add_vib_frame(&vib);
        add_vib_key(&vib, 0, rotation, NULL, NULL);
    }
    return end_vib(&vib);
}

static const ossa_vib_anm *anm_of(const struct scene_files *files, const char *path)
{
    for (size_t i = 0; i < files->count; i++) {
        if (strcmp(files->paths[i], path) == 0) return ossa_as_vib_anm(files->inputs[i].file);
    }
    require(false, path, "there is no such file");
    return NULL;
}

static const ossa_vib_key *find_key(const ossa_vib_anm *anm, uint32_t frame, uint32_t object)
{
    for (uint32_t i = 0; i < anm->frames[frame].key_count; i++) {
        const ossa_vib_key *key = &anm->keys[anm->frames[frame].first_key + i];
        if (key->object == object) return key;
    }
    return NULL;
}

/* The objects of a frame as text: "0 3 2". */
static void require_objects(const ossa_vib_anm *anm, uint32_t frame, const char *wanted)
{
    char text[200] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < anm->frames[frame].key_count; i++) {
        const ossa_vib_key *key = &anm->keys[anm->frames[frame].first_key + i];
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u", i == 0 ? "" : " ",
                                 key->object);
    }
    assert_string_equal(text, wanted);
}

/* ---- edits --------------------------------------------------------------------------------- */

typedef void change_pose(void *user, const char *clip, uint32_t frame, uint32_t bone,
                         struct ossa__edit_pose *pose);

/* An object in some frames of a clip. */
struct edit {
    const char *clip; /* NULL: all */
    uint32_t object;
    uint32_t first, last;
    unsigned axis;
    double radians;
    double moved; /* along x */
    double scaled;
    enum { AS_IT_IS, HIDDEN, SHOWN } seen;
};

static void change(void *user, const char *clip, uint32_t frame, uint32_t bone,
                   struct ossa__edit_pose *pose)
{
    const struct edit *e = user;
    if (e->clip != NULL && strcmp(clip, e->clip) != 0) return;
    if (bone != e->object || frame < e->first || frame > e->last) return;
    pose->local = ossa__quat_multiply(pose->local, ossa__quat_about(e->axis, e->radians));
    pose->translation[0] += e->moved;
    pose->scale[1] += e->scaled;
    if (e->seen != AS_IT_IS) pose->is_visible = e->seen == SHOWN;
}

/* Noise as other programs add it; `user` is the scale of the scene. */
static void blur(void *user, const char *clip, uint32_t frame, uint32_t bone,
                 struct ossa__edit_pose *pose)
{
    (void)clip;
    const double *scale = user;
    struct random random = {1 + frame * 256 + bone};
    struct ossa__quat off = ossa__quat_about(next_random(&random) % 3, 3e-5);
    pose->local = ossa__quat_multiply(off, pose->local);
    if (frame % 2 == 1) { /* the same rotation */
        pose->local =
            (struct ossa__quat){-pose->local.x, -pose->local.y, -pose->local.z, -pose->local.w};
    }
    for (unsigned k = 0; k < 3; k++) {
        pose->translation[k] += (double)next_float(&random, 1) * 5e-6 * *scale;
        pose->scale[k] += (double)next_float(&random, 1) * 1e-5;
    }
}

/* A transform as a matrix says it: two mirrored axes are half a rotation. */
static void lose_signs(void *user, const char *clip, uint32_t frame, uint32_t bone,
                       struct ossa__edit_pose *pose)
{
    (void)user;
    (void)clip;
    (void)frame;
    (void)bone;
    for (unsigned k = 2; k > 0; k--) {
        if (pose->scale[k] >= 0.0) continue;
        unsigned third = 3 - k; /* beside x */
        struct ossa__quat half = {0.0, third == 1 ? 1.0 : 0.0, third == 2 ? 1.0 : 0.0, 0.0};
        pose->local = ossa__quat_multiply(pose->local, half);
        pose->scale[k] = -pose->scale[k];
        pose->scale[0] = -pose->scale[0];
    }
}

/* ---- what came of them --------------------------------------------------------------------- */

static struct rotation rotation_from(struct ossa__quat q)
{
    return (struct rotation){q.x, q.y, q.z, q.w};
}

static struct ossa__edit_pose pose_of(const ossa_transform *t, bool is_visible)
{
    struct ossa__edit_pose pose = {.local = ossa__quat_load(t->rotation), .is_visible = is_visible};
    for (unsigned k = 0; k < 3; k++) {
        pose.translation[k] = (double)t->translation[k];
        pose.scale[k] = (double)t->scale[k];
    }
    return pose;
}

/* Mirrored axes may be told as rotations. */
static void require_pose(struct ossa__edit_pose wanted, struct ossa__edit_pose found, double scale,
                         const char *clip, uint32_t frame)
{
    require(found.is_visible == wanted.is_visible, clip, "frame %u: another visibility", frame);
    if (!found.is_visible) return;
    lose_signs(NULL, clip, frame, 0, &wanted);
    lose_signs(NULL, clip, frame, 0, &found);
    double off = rotation_distance(rotation_from(wanted.local), rotation_from(found.local));
    require(off <= 3.0 * HALF_ANGLE + 2e-3, clip, "frame %u is %g degrees off", frame, off);
    for (unsigned k = 0; k < 3; k++) {
        double moved = fabs(found.translation[k] - wanted.translation[k]);
        require(moved <= HALF_POSITION * scale * 1.001, clip, "frame %u: off by %g", frame, moved);
        double scaled = fabs(found.scale[k] - wanted.scale[k]);
        require(scaled <= HALF_SCALE * 1.001, clip, "frame %u: scaled by %g", frame, scaled);
    }
}

/* All clips of the edited files are as the edit wants them, but for rounding. */
static void require_poses(const struct scene_files *files, const struct scene_files *edited,
                          change_pose *make, void *user, const ossa_scene_options *options)
{
    ossa_scene *before = assemble_files(files, options);
    ossa_scene *after = assemble_files(edited, options);
    double scale = options != NULL && options->scale > 0.0 ? options->scale : 1.0;
    for (uint32_t c = 0; c < before->clip_count; c++) {
        const ossa_clip *a = &before->clips[c];
        const ossa_clip *b = ossa_scene_find_clip(after, a->name);
        require(b != NULL, a->name, "the clip is gone");
        if (b == NULL) return; /* for the analyser */
        assert_int_equal(a->frame_count, b->frame_count);
        for (uint32_t f = 0; f < a->frame_count; f++) {
            static ossa_transform wanted[256];
            static ossa_transform found[256];
            uint8_t visible[2][256];
            assert_true(before->bone_count <= 256 && after->bone_count <= before->bone_count);
            ossa_sample_frame(before, a, f, wanted, visible[0]);
            ossa_sample_frame(after, b, f, found, visible[1]);
            for (uint32_t o = 0; o < after->bone_count; o++) {
                struct ossa__edit_pose pose = pose_of(&wanted[o], visible[0][o] != 0);
                make(user, a->name, f, o, &pose);
                require_pose(pose, pose_of(&found[o], visible[1][o] != 0), scale, a->name, f);
            }
        }
    }
    ossa_scene_free(before);
    ossa_scene_free(after);
}

/* Keys differ in the frames and the object of the edit only. */
static void require_others_same(const ossa_vib_anm *found, const ossa_vib_anm *original,
                                const struct edit *e)
{
    assert_int_equal(found->frame_count, original->frame_count);
    assert_int_equal(found->rate, original->rate);
    for (uint32_t f = 0; f < original->frame_count; f++) {
        bool is_edited = f >= e->first && f <= e->last;
        uint32_t next = 0; /* of the original's keys: their order stays */
        for (uint32_t i = 0; i < found->frames[f].key_count; i++) {
            const ossa_vib_key *key = &found->keys[found->frames[f].first_key + i];
            if (is_edited && key->object == e->object) continue;
            const ossa_vib_key *old;
            do {
                require(next < original->frames[f].key_count, "edit", "frame %u has a new key", f);
                old = &original->keys[original->frames[f].first_key + next++];
            } while (is_edited && old->object == e->object);
            require(memcmp(key, old, sizeof *key) == 0, "edit", "frame %u: object %u differs", f,
                    key->object);
        }
    }
}

static const ossa_vib_options many_vib[] = {
    {OSSA_VIB_EULER_XYZ, OSSA_VIB_MISSING_IDENTITY, OSSA_VIB_TWIST_DEGREE, OSSA_VIB_VIEW_TURN},
    {OSSA_VIB_EULER_ZYX, OSSA_VIB_MISSING_IDENTITY, OSSA_VIB_TWIST_DEGREE, OSSA_VIB_VIEW_TURN},
    {OSSA_VIB_EULER_XYZ, OSSA_VIB_MISSING_HOLD, OSSA_VIB_TWIST_DEGREE, OSSA_VIB_VIEW_TURN},
    {OSSA_VIB_EULER_ZYX, OSSA_VIB_MISSING_HOLD, OSSA_VIB_TWIST_DEGREE, OSSA_VIB_VIEW_TURN}};

static const ossa_scene_options many_options[] = {
    {.vib = &many_vib[0]}, {.vib = &many_vib[1]}, {.vib = &many_vib[2]},
    {.vib = &many_vib[3]}, {.scale = 0.01},       {.scale = 1000.0, .vib = &many_vib[3]},
    {.fps = 7.0},          {.join = true},        {.in_place = true}};
enum { OPTIONS = sizeof many_options / sizeof many_options[0] };

static const char *const fixtures[] = {"vib-anm/all-flags",    "vib-anm/walk",
                                       "vib-anm/one-frame",    "vib-anm/many-objects",
                                       "vib-anm/empty-frames", "vib-anm/largest"};
enum { FIXTURES = sizeof fixtures / sizeof fixtures[0] };

/* ---- tests --------------------------------------------------------------------------------- */

static void no_edit_changes_no_file(void **state)
{
    (void)state;
    for (size_t i = 0; i < OPTIONS; i++) {
        double scale = many_options[i].scale > 0.0 ? many_options[i].scale : 1.0;
        for (size_t n = 0; n < FIXTURES + 2; n++) {
            static const int start[3] = {500, -1029, 700}; /* to gimbal lock and beyond */
            static const int step[3] = {20, 1, -30};
            struct scene_files files = {0};
            if (n < FIXTURES) add_fixture(&files, fixtures[n]);
            else if (n == FIXTURES) add_rabbit(&files);
            else (void)add_file(&files, "spin.anm", "vib-anm", make_spin(start, step));
            require_no_edit(&(struct editing){0}, &files, &many_options[i]);
            require_no_edit(&(struct editing){.change = blur, .user = &scale}, &files,
                            &many_options[i]);
            require_no_edit(&(struct editing){.change = lose_signs}, &files, &many_options[i]);
            free_files(&files);
        }
    }
}

static void only_what_was_edited_changes(void **state)
{
    (void)state;
    for (size_t i = 0; i < OPTIONS; i++) {
        for (unsigned axis = 0; axis < 3; axis++) {
            double scale = many_options[i].scale > 0.0 ? many_options[i].scale : 1.0;
            struct edit e = {"hop", 7, 5, 9, axis, 0.5, 0.123 * scale, 0.3, AS_IT_IS};
            struct scene_files files = {0};
            struct scene_files edited = {0};
            add_rabbit(&files);
            struct editing editing = {.change = change, .user = &e};
            edit_or_fail(&editing, &files, &many_options[i]);
            assert_int_equal(editing.editing.file_count, 1);
            assert_int_equal(editing.editing.loss_count, 0);
            take_edited(&editing, &files, &edited);
            if (many_options[i].vib == NULL || many_options[i].vib->missing == 0) {
                require_others_same(anm_of(&edited, "hop.anm"), anm_of(&files, "hop.anm"), &e);
            }
            if (!many_options[i].in_place && !many_options[i].join) {
                require_poses(&files, &edited, change, &e, &many_options[i]);
            }
            editing_free(&editing);
            free_files(&edited);
            free_files(&files);
        }
    }
}

/* Frames of one object: a rotation, a position, both, nothing. */
static struct bytes make_sparse(void)
{
    static const int rotation[3] = {100, 200, 300};
    static const int scale[3] = {4096, -2048, 8192};
    static const int position[3] = {10, 20, 30};
    struct vib_maker vib = begin_vib(30, 6);
    add_vib_frame(&vib);
    add_vib_key(&vib, 0, rotation, scale, position);
    add_vib_frame(&vib);
    add_vib_key(&vib, 0, NULL, NULL, position);
    add_vib_frame(&vib);
    add_vib_key(&vib, 0, NULL, NULL, NULL);
    add_vib_frame(&vib);
    add_vib_frame(&vib);
    add_vib_key(&vib, 0, NULL, scale, NULL);
    add_vib_frame(&vib);
    add_vib_key(&vib, 0, rotation, NULL, NULL);
    return end_vib(&vib);
}

static void require_flags(const struct edit *wanted, const ossa_scene_options *options,
                          const uint8_t flags[6])
{
    struct scene_files files = {0};
    struct scene_files edited = {0};
    struct edit e = *wanted;
    (void)add_file(&files, "walk.anm", "vib-anm", make_sparse());
    struct editing editing = {.change = change, .user = &e};
    edit_or_fail(&editing, &files, options);
    assert_int_equal(editing.editing.file_count, 1);
    take_edited(&editing, &files, &edited);
    require_poses(&files, &edited, change, &e, options);
    for (uint32_t f = 0; f < 6; f++) {
        const ossa_vib_key *key = find_key(anm_of(&edited, "walk.anm"), f, 0);
        require((key == NULL ? 0xff : key->flags) == flags[f], "edit", "frame %u: flags %u", f,
                key == NULL ? 0xffU : key->flags);
    }
    editing_free(&editing);
    free_files(&edited);
    free_files(&files);
}

static void edits_add_the_flags_that_they_need(void **state)
{
    (void)state;
    const ossa_scene_options *rest = &many_options[0];
    const ossa_scene_options *hold = &many_options[2];
    enum { NONE = 0xff };
    struct edit rotated = {NULL, 0, 1, 1, 2, 0.7, 0.0, 0.0, AS_IT_IS};
    require_flags(&rotated, rest, (const uint8_t[6]){7, 5, 0, NONE, 2, 1});
    /* What follows held the value from before the edit. */
    require_flags(&rotated, hold, (const uint8_t[6]){7, 5, 1, NONE, 2, 1});
    struct edit all = {NULL, 0, 0, 5, 2, 0.7, 0.25, 0.5, AS_IT_IS};
    require_flags(&all, rest, (const uint8_t[6]){7, 7, 7, NONE, 7, 7});
    /* All that follows holds the edited value. */
    require_flags(&all, hold, (const uint8_t[6]){7, 4, 0, NONE, 2, 1});
    struct edit gone = {NULL, 0, 0, 0, 0, 0.0, 0.0, 0.0, HIDDEN};
    require_flags(&gone, rest, (const uint8_t[6]){NONE, 4, 0, NONE, 2, 1});
    require_flags(&gone, hold, (const uint8_t[6]){NONE, 7, 0, NONE, 2, 1});
    struct edit shown = {NULL, 0, 3, 3, 0, 0.0, 0.0, 0.0, SHOWN};
    require_flags(&shown, rest, (const uint8_t[6]){7, 4, 0, 0, 2, 1});
    require_flags(&shown, hold, (const uint8_t[6]){7, 4, 0, 0, 2, 1});
    struct edit moved = {NULL, 0, 3, 3, 0, 0.0, 1.0, 0.0, SHOWN};
    require_flags(&moved, rest, (const uint8_t[6]){7, 4, 0, 4, 2, 1});
    require_flags(&moved, hold, (const uint8_t[6]){7, 4, 0, 4, 6, 1});
}

/* Objects in order, and in none. */
static struct bytes make_orders(void)
{
    static const uint32_t objects[3][4] = {{0, 2, 3, 5}, {5, 0, 3, 2}, {1, 4, 0, 5}};
    struct vib_maker vib = begin_vib(30, 4);
    for (unsigned f = 0; f < 3; f++) {
        add_vib_frame(&vib);
        for (unsigned i = 0; i < 4; i++) add_vib_key(&vib, objects[f][i], NULL, NULL, NULL);
    }
    add_vib_frame(&vib);
    return end_vib(&vib);
}

static void see(void *user, const char *clip, uint32_t frame, uint32_t bone,
                struct ossa__edit_pose *pose)
{
    (void)clip;
    const char *seen = user; /* by object */
    (void)frame;
    pose->is_visible = seen[bone] == '1';
}

static void keys_are_where_objects_are_seen(void **state)
{
    (void)state;
    static const struct {
        const char *seen;
        const char *frames[4];
    } cases[] = {
        {"111111", {"0 1 2 3 4 5", "5 0 3 2 1 4", "1 4 0 5 2 3", "0 1 2 3 4 5"}},
        {"010101", {"1 3 5", "5 3 1", "1 5 3", "1 3 5"}},
        {"000000", {"", "", "", ""}},
        {"100001", {"0 5", "5 0", "0 5", "0 5"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scene_files files = {0};
        struct scene_files edited = {0};
        char seen[7];
        memcpy(seen, cases[i].seen, sizeof seen);
        (void)add_file(&files, "walk.anm", "vib-anm", make_orders());
        struct editing editing = {.change = see, .user = seen};
        edit_or_fail(&editing, &files, NULL);
        assert_int_equal(editing.editing.file_count, 1);
        take_edited(&editing, &files, &edited);
        for (uint32_t f = 0; f < 4; f++) {
            require_objects(anm_of(&edited, "walk.anm"), f, cases[i].frames[f]);
        }
        editing_free(&editing);
        free_files(&edited);
        free_files(&files);
    }
}

/* ---- rotations ----------------------------------------------------------------------------- */

/* Angles beyond a full rotation, gimbal lock, the ends of the range. */
static void spins_go_on(void **state)
{
    (void)state;
    static const int starts[][3] = {{0, 0, 0},          {20000, -20000, 10000}, {0, 1024, 0},
                                    {500, -1024, 700},  {2048, 2048, 2048},     {32700, 0, -32700},
                                    {4096, 5120, -4096}};
    static const int steps[][3] = {{0, 0, 0}, {60, 0, 0}, {0, 50, 0}, {0, 0, -60}, {40, 30, -20}};
    for (size_t n = 0; n < 7 * 5 * 3 * 4; n++) {
        const int *start = starts[n % 7];
        bool is_at_end = start[0] > 32000;
        if (is_at_end && n / 7 % 5 > 0) continue; /* it would leave the range by itself */
        const ossa_scene_options *options = &many_options[n / 105];
        struct edit e = {NULL, 0, 3, 7, (unsigned)(n / 35 % 3), 0.3, 0.0, 0.0, AS_IT_IS};
        struct scene_files files = {0};
        struct scene_files edited = {0};
        (void)add_file(&files, "spin.anm", "vib-anm", make_spin(start, steps[n / 7 % 5]));
        struct editing editing = {.change = change, .user = &e};
        edit_or_fail(&editing, &files, options);
        take_edited(&editing, &files, &edited);
        const ossa_vib_anm *a = anm_of(&files, "spin.anm");
        const ossa_vib_anm *b = anm_of(&edited, "spin.anm");
        require_others_same(b, a, &e);
        require_poses(&files, &edited, change, &e, options);
        for (uint32_t f = 1; f < 12; f++) {
            const int16_t *was = find_key(b, f - 1, 0)->rotation;
            const int16_t *is = find_key(b, f, 0)->rotation;
            for (unsigned k = 0; k < 3; k++) {
                int most = is_at_end ? 6144 : 2048; /* where it must jump back */
                require(abs(is[k] - was[k]) <= most, "edit", "%zu: frame %u jumps from %d to %d", n,
                        f, was[k], is[k]);
            }
        }
        editing_free(&editing);
        free_files(&edited);
        free_files(&files);
    }
}

/* Rounding is not an edit, and half a step is not one either. */
static void less_than_half_a_step_is_nothing(void **state)
{
    (void)state;
    static const int start[3] = {100, 200, 300};
    static const int step[3] = {7, 13, 2600}; /* the file's own jumps stay, too */
    for (unsigned axis = 0; axis < 3; axis++) {
        struct edit less = {NULL, 0, 3, 7, axis, 0.8 * HALF_ANGLE * 0.017453, 0.0, 0.0, AS_IT_IS};
        struct edit more = less;
        struct scene_files files = {0};
        (void)add_file(&files, "spin.anm", "vib-anm", make_spin(start, step));
        less.moved = 0.9 * HALF_POSITION;
        less.scaled = 0.9 * HALF_SCALE;
        require_no_edit(&(struct editing){.change = change, .user = &less}, &files, NULL);
        more.radians *= 2.0;
        struct editing editing = {.change = change, .user = &more};
        edit_or_fail(&editing, &files, NULL);
        assert_int_equal(editing.editing.file_count, 1);
        editing_free(&editing);
        free_files(&files);
    }
}

/* Poses that have nothing to do with the file's. */
static void wander(void *user, const char *clip, uint32_t frame, uint32_t bone,
                   struct ossa__edit_pose *pose)
{
    (void)clip;
    const uint32_t *seed = user;
    struct random random = {*seed + 977 * frame + 31 * bone + 1};
    for (unsigned i = 0; i < 8; i++) (void)next_random(&random);
    float wxyz[4];
    next_unit(&random, wxyz);
    pose->local =
        (struct ossa__quat){(double)wxyz[1], (double)wxyz[2], (double)wxyz[3], (double)wxyz[0]};
    (void)ossa__quat_normalise(&pose->local);
    for (unsigned k = 0; k < 3; k++) {
        pose->translation[k] = (double)next_float(&random, 15);
        pose->scale[k] = (double)next_float(&random, 3) + 4.0;
    }
    pose->is_visible = next_random(&random) % 3 != 0;
}

static void any_pose_is_found(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 40; seed++) {
        static const char *const names[3] = {"vib-anm/walk", "vib-anm/all-flags",
                                             "vib-anm/one-frame"};
        struct scene_files files = {0};
        struct scene_files edited = {0};
        add_fixture(&files, names[seed % 3]);
        const ossa_scene_options *options = &many_options[seed % 4];
        struct editing editing = {.change = wander, .user = &seed};
        edit_or_fail(&editing, &files, options);
        assert_int_equal(editing.editing.loss_count, 0);
        take_edited(&editing, &files, &edited);
        require_poses(&files, &edited, wander, &seed, options);
        editing_free(&editing);
        free_files(&edited);
        free_files(&files);
    }
}

/* ---- lengths and new clips ----------------------------------------------------------------- */

static void a_clip_may_get_another_length(void **state)
{
    (void)state;
    static const uint32_t lengths[] = {1, 7, 9, 30};
    for (size_t i = 0; i < 4 * 4; i++) {
        const ossa_scene_options *options = &many_options[i / 4];
        struct scene_files files = {0};
        struct scene_files edited = {0};
        add_fixture(&files, "vib-anm/walk"); /* 8 frames */
        struct editing editing = {.frame_count = lengths[i % 4]};
        edit_or_fail(&editing, &files, options);
        assert_int_equal(editing.editing.file_count, 1);
        take_edited(&editing, &files, &edited);
        const ossa_vib_anm *a = anm_of(&files, "walk.anm");
        const ossa_vib_anm *b = anm_of(&edited, "walk.anm");
        assert_int_equal(b->frame_count, lengths[i % 4]);
        assert_int_equal(b->rate, a->rate);
        for (uint32_t f = 0; f < b->frame_count; f++) {
            uint32_t from = f < 8 ? f : 7;
            assert_int_equal(b->frames[f].key_count, a->frames[from].key_count);
            assert_memory_equal(&b->keys[b->frames[f].first_key],
                                &a->keys[a->frames[from].first_key],
                                b->frames[f].key_count * sizeof *b->keys);
        }
        editing_free(&editing);
        free_files(&edited);
        free_files(&files);
    }
}

static void a_new_clip_is_a_new_file(void **state)
{
    (void)state;
    struct edit e = {NULL, 3, 2, 4, 0, 0.5, 0.1, 0.0, AS_IT_IS};
    struct scene_files files = {0};
    struct scene_files edited = {0};
    add_rabbit(&files);
    struct editing editing = {.change = change, .user = &e, .clip = "hop", .new_name = "skip"};
    edit_or_fail(&editing, &files, NULL);
    assert_int_equal(editing.editing.file_count, 1);
    assert_string_equal(editing.editing.files[0].new_path, "skip.anm");
    take_edited(&editing, &files, &edited);
    require_others_same(anm_of(&edited, "skip.anm"), anm_of(&files, "hop.anm"), &e);
    assert_memory_equal(find_key(anm_of(&edited, "hop.anm"), 3, 3),
                        find_key(anm_of(&files, "hop.anm"), 3, 3), sizeof(ossa_vib_key));
    assert_memory_not_equal(find_key(anm_of(&edited, "skip.anm"), 3, 3),
                            find_key(anm_of(&files, "hop.anm"), 3, 3), sizeof(ossa_vib_key));
    editing_free(&editing);
    require_edit_misfit(&(struct editing){.clip = "hop", .new_name = "WALK1"}, &files, NULL,
                        "walk1.anm",
                        "the new clip 'WALK1' would have the name of this animation; give it "
                        "another one");
    free_files(&edited);
    free_files(&files);
}

/* All 256 objects have a full key: about 25 frames fit in a file. */
static void shake(void *user, const char *clip, uint32_t frame, uint32_t bone,
                  struct ossa__edit_pose *pose)
{
    (void)user;
    (void)clip;
    uint32_t pair = frame / 2; /* every other frame can hold */
    pose->local = ossa__quat_about(0, 0.1 + 0.01 * pair);
    for (unsigned k = 0; k < 3; k++) {
        pose->translation[k] = k == 1 ? 0.01 * (bone + 1) : 0.0;
        pose->scale[k] = k == 2 ? 2.0 : 1.0;
    }
    pose->is_visible = true;
}

static void long_clips_become_series(void **state)
{
    (void)state;
    enum { FRAMES = 130 };
    for (size_t i = 0; i < 4; i++) {
        struct scene_files files = {0};
        struct scene_files edited = {0};
        add_fixture(&files, "vib-anm/many-objects");
        const char *name = i % 2 == 0 ? "long" : "long2";
        const char *first = i % 2 == 0 ? "long0.anm" : "long2_0.anm";
        struct editing editing = {
            .change = shake, .clip = "walk", .new_name = name, .frame_count = FRAMES};
        edit_or_fail(&editing, &files, &many_options[i]);
        assert_int_equal(editing.changed_clips, 1);
        size_t count = editing.editing.file_count;
        char message[160];
        (void)snprintf(message, sizeof message,
                       "the new clip '%s' does not fit in a file and becomes %zu files, which "
                       "follow each other",
                       name, count);
        require_warning(editing.scene, editing.scene->issue_count - 1, OSSA_CODE_UNUSUAL_VALUE,
                        "walk.anm", message);
        assert_string_equal(editing.editing.files[0].new_path, first);
        take_edited(&editing, &files, &edited);
        assert_int_equal(edited.count, 1 + count);
        ossa_scene *scene = assemble_files(&edited, &many_options[i]);
        uint32_t frame = 0;
        for (uint32_t c = 1; c < scene->clip_count; c++) { /* in the order of the files */
            for (uint32_t f = 0; f < scene->clips[c].frame_count; f++, frame++) {
                ossa_transform found[256];
                uint8_t visible[256];
                ossa_sample_frame(scene, &scene->clips[c], f, found, visible);
                for (uint32_t o = 0; o < 256; o++) {
                    struct ossa__edit_pose pose = {.is_visible = false};
                    shake(NULL, "", frame, o, &pose);
                    require_pose(pose, pose_of(&found[o], visible[o] != 0), 1.0, name, frame);
                }
            }
        }
        assert_int_equal(frame, FRAMES);
        for (size_t k = 1; k + 1 < edited.count; k++) {
            /* No frame more would have fitted. */
            assert_true(edited.bytes[k].size <= 131070 && edited.bytes[k].size > 131070 - 5200);
        }
        ossa_scene_free(scene);
        editing_free(&editing);
        free_files(&edited);
        free_files(&files);
    }
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    struct scene_files files = {0};
    const ossa_scene_options forgiving = {.tolerant = true}; /* of clips, not of edits */
    add_fixture(&files, "vib-anm/many-objects");
    require_edit_misfit(
        &(struct editing){.change = shake, .frame_count = 130}, &files, &forgiving, "walk.anm",
        "the edit of 'walk' needs 665868 bytes for 130 frames, but a file holds at most 131070: "
        "shorten it, hide objects, or make a new clip of it, which may have several files");
    (void)add_file(&files, "LONG1.anm", "vib-anm", make_orders());
    require_edit_misfit(
        &(struct editing){.change = shake, .clip = "walk", .new_name = "long", .frame_count = 130},
        &files, NULL, "LONG1.anm",
        "the new clip 'long1' would have the name of this animation; give it another one");
    free_files(&files);
}

/* ---- losses -------------------------------------------------------------------------------- */

static void spoil(void *user, const char *clip, uint32_t frame, uint32_t bone,
                  struct ossa__edit_pose *pose)
{
    (void)user;
    (void)clip;
    if (bone == 1 && frame >= 1) pose->translation[1] = 10.0 + 4.0 * frame;
    if (bone == 2 && frame == 2) pose->scale[0] = -9.0;
    if (bone == 2 && frame == 1) pose->scale[0] = 1e300;
    if (bone == 3) pose->is_visible = false;
    if (bone == 3) pose->translation[0] = 1e9; /* nobody sees it */
    if (bone == 258 && frame == 3) pose->is_visible = true;
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
    struct scene_files files = {0};
    struct scene_files edited = {0};
    struct tmd_places places;
    struct vib_maker vib = begin_vib(30, 4);
    for (unsigned f = 0; f < 4; f++) {
        add_vib_frame(&vib);
        for (uint32_t o = 0; o < 4; o++) add_vib_key(&vib, o, NULL, NULL, NULL);
    }
    (void)add_file(&files, "many.tmd", "vib-tmd",
                   make_tmd(&(struct tmd_plan){.seed = 3, .objects = 260}, &places));
    (void)add_file(&files, "walk.anm", "vib-anm", end_vib(&vib));
    struct editing editing = {.change = spoil};
    edit_or_fail(&editing, &files, NULL);
    assert_int_equal(editing.editing.loss_count, 3);
    /* -22 m is -45056, which is 12288 too much; 18 m are 36864, of which only frame 1 fits. */
    require_loss(&editing, 0, OSSA__LOSS_RANGE, 1, 3, 12288.0, 2);
    require_loss(&editing, 1, OSSA__LOSS_RANGE, 2, 1, 4096e300, 2);
    require_loss(&editing, 2, OSSA__LOSS_VISIBILITY, 258, 3, 1.0, 1);
    take_edited(&editing, &files, &edited);
    const ossa_vib_anm *anm = anm_of(&edited, "walk.anm");
    assert_int_equal(find_key(anm, 3, 1)->position[1], -32768);
    assert_int_equal(find_key(anm, 1, 2)->scale[0], 32767);
    assert_int_equal(find_key(anm, 2, 2)->scale[0], -32768);
    require_objects(anm, 3, "0 1 2");
    editing_free(&editing);
    free_files(&edited);
    free_files(&files);
}

static void failing_allocations_are_survived(void **state)
{
    (void)state;
    struct edit e = {NULL, 0, 1, 1, 2, 0.7, 0.5, 0.5, AS_IT_IS};
    struct scene_files files = {0};
    add_fixture(&files, "vib-anm/many-objects");
    require_edit_survives(&(struct editing){.change = change, .user = &e}, &files);
    require_edit_survives(&(struct editing){.change = shake, .new_name = "a", .frame_count = 60},
                          &files);
    free_files(&files);
}

TEST_GROUP(test_vib_apply)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_edit_changes_no_file),
        cmocka_unit_test(only_what_was_edited_changes),
        cmocka_unit_test(edits_add_the_flags_that_they_need),
        cmocka_unit_test(keys_are_where_objects_are_seen),
        cmocka_unit_test(spins_go_on),
        cmocka_unit_test(less_than_half_a_step_is_nothing),
        cmocka_unit_test(any_pose_is_found),
        cmocka_unit_test(a_clip_may_get_another_length),
        cmocka_unit_test(a_new_clip_is_a_new_file),
        cmocka_unit_test(long_clips_become_series),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(losses_are_reported),
        cmocka_unit_test(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
