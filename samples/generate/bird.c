/* SPDX-License-Identifier: MIT
 *
 * The bird, after Shadow of the Colossus: bird.skb, fly.anb and glide.anb; bird_model.c makes its
 * body. Made in the space of glTF: Y up, the bird flies towards +Z, its left is +X. */
#include "bird.h"
#include "samples.h"
#include "sotc_files.h"

/* A bone has axes of its own, turned against the world's while the wings are spread: half a turn
 * about X for the trunk, about Y for the tail and the right wing, as riggers do it so that both
 * wings lie along +X. It also brings tracks of which i, j or k is the largest component. */
enum axes { AS_WORLD, ABOUT_X, ABOUT_Y };

struct bird_bone {
    const char *name;
    int parent;
    enum axes axes;
    vec3 place; /* from the parent's, in world axes, the wings spread */
    enum sotc_packing packing;
};

/* From joint to joint. A minus before one mirrors it: only x is negated. */
#define WING1 0.32, 0, 0.07
#define WING2 0.36, 0, -0.07
#define WING3 0.42, 0, -0.16

static const struct bird_bone bird[BONES] = {
    [ROOT] = {"root", -1, AS_WORLD, {0, 1.6, 0}, SOTC_32_BIT},
    [BODY] = {"body", ROOT, ABOUT_X, {0, 0.05, 0.28}, SOTC_32_BIT},
    [NECK] = {"neck", BODY, ABOUT_X, {0, 0.06, 0.2}, SOTC_32_BIT},
    [HEAD] = {"head", NECK, ABOUT_X, {0, 0.11, 0.16}, SOTC_48_BIT},
    [BEAK] = {"beak", HEAD, ABOUT_X, {0, -0.03, 0.16}, SOTC_CONSTANT},
    [TAIL] = {"tail", ROOT, ABOUT_Y, {0, 0, -0.16}, SOTC_32_BIT},
    [TAIL_TIP] = {"tail_tip", TAIL, ABOUT_Y, {0, -0.02, -0.3}, SOTC_ANGLE},
    [LWING1] = {"lwing1", BODY, ABOUT_X, {0.1, 0.05, 0.06}, SOTC_32_BIT},
    [LWING2] = {"lwing2", LWING1, ABOUT_X, {WING1}, SOTC_48_BIT},
    [LWING3] = {"lwing3", LWING2, ABOUT_X, {WING2}, SOTC_ANGLE},
    [LWING_TIP] = {"lwing_tip", LWING3, ABOUT_X, {WING3}, SOTC_CONSTANT},
    [RWING1] = {"rwing1", BODY, ABOUT_Y, {-0.1, 0.05, 0.06}, SOTC_32_BIT},
    [RWING2] = {"rwing2", RWING1, ABOUT_Y, {-WING1}, SOTC_48_BIT},
    [RWING3] = {"rwing3", RWING2, ABOUT_Y, {-WING2}, SOTC_ANGLE},
    [RWING_TIP] = {"rwing_tip", RWING3, ABOUT_Y, {-WING3}, SOTC_CONSTANT},
};

static quat axes_of(int bone)
{
    if (bone < 0 || bird[bone].axes == AS_WORLD) return q_identity;
    return bird[bone].axes == ABOUT_X ? (quat){0, 1, 0, 0} : (quat){0, 0, 1, 0};
}

/* A turn against the parent, given in world axes, in those of the two bones. */
static quat to_bone_axes(int bone, quat turn)
{
    quat parent = axes_of(bird[bone].parent);
    return q_mul(q_conjugate(parent), q_mul(turn, axes_of(bone)));
}

/* ---- poses --------------------------------------------------------------------------------- */

/* Degrees, in world axes: pitch is nose down, yaw to the left, roll left wing up. */
static quat turn(double pitch, double yaw, double roll)
{
    quat x = q_turn(v3(1, 0, 0), pitch * DEGREES);
    quat y = q_turn(v3(0, 1, 0), yaw * DEGREES);
    quat z = q_turn(v3(0, 0, 1), roll * DEGREES);
    return q_mul(z, q_mul(y, x));
}

/* The outermost joint bends about one axis: back and a little up. */
static const vec3 wrist_axis = {0, 0.8, 0.6};

/* Of a left wing, in degrees; a right one is its mirror image. */
struct wing {
    double lift, sweep, twist; /* at the shoulder: up, back, leading edge down */
    double elbow_lift, elbow_sweep;
    double wrist;
};

static quat mirrored(quat q)
{
    return (quat){q.w, q.x, -q.y, -q.z};
}

static void pose_wing(quat turns[BONES], int right, const struct wing *wing)
{
    quat shoulder = turn(wing->twist, wing->sweep, wing->lift);
    quat elbow = turn(0, wing->elbow_sweep, wing->elbow_lift);
    quat wrist = q_turn(wrist_axis, wing->wrist * DEGREES);
    int first = right ? RWING1 : LWING1;
    turns[first] = right ? mirrored(shoulder) : shoulder;
    turns[first + 1] = right ? mirrored(elbow) : elbow;
    turns[first + 2] = right ? mirrored(wrist) : wrist;
}

/* What stays as it is in every move. */
static void pose_still(quat turns[BONES])
{
    turns[BEAK] = turn(6, 0, 0);
    turns[LWING_TIP] = turn(0, 10, 4);
    turns[RWING_TIP] = mirrored(turns[LWING_TIP]);
}

/* Two beats of the wings. Going down they are spread and their tips bend up; going up they fold at
 * elbow and wrist. The body rises on the way down; the head stays where it looks. */
static void pose_fly(quat turns[BONES], double phase)
{
    double beat = 2 * phase; /* 0: wings at the top, 1/2: at the bottom */
    double fold = 0.5 - 0.5 * cowave(beat - 0.28);
    fold = fold * fold; /* most of the way up */
    double pitch = 4 * cowave(beat - 0.1);
    struct wing wing = {
        .lift = 10 + 36 * cowave(beat),
        .sweep = -6 + 26 * fold,
        .twist = 9 * wave(beat) - 4,
        .elbow_lift = -2 + 16 * cowave(beat - 0.2) - 24 * fold,
        .elbow_sweep = 4 - 58 * fold,
        .wrist = 8 + 16 * cowave(beat - 0.3) + 46 * fold,
    };
    turns[ROOT] = turn(-3 + pitch, 0, 2 * wave(phase));
    turns[BODY] = turn(-1 - 1.4 * pitch, 0, -1 * wave(phase));
    turns[NECK] = turn(-4 + 2 * cowave(beat - 0.25), 9 * wave(phase - 0.1), 0);
    turns[HEAD] = turn(10 - 2 * cowave(beat - 0.25), 13 * wave(phase - 0.15), 0);
    turns[TAIL] = turn(-2 + 7 * cowave(beat - 0.3), 4 * wave(phase), 0);
    turns[TAIL_TIP] = turn(-3 + 8 * cowave(beat - 0.42), 0, 0);
    pose_wing(turns, 0, &wing);
    pose_wing(turns, 1, &wing);
    pose_still(turns);
}

/* Wings out, one long sway from side to side; the tail steers, the head stays level and looks into
 * the curve; a shiver runs through the outer wings. */
static void pose_glide(quat turns[BONES], double phase)
{
    double bank = wave(phase); /* 1: to the left, the left wing down */
    double air = wave(3 * phase);
    turns[ROOT] = turn(2 + 2 * cowave(2 * phase), 7 * wave(phase - 0.2), -20 * bank);
    turns[BODY] = turn(-3, 2 * bank, -3 * bank);
    turns[NECK] = turn(-3, 8 * bank, 8 * bank);
    turns[HEAD] = turn(12 + 4 * cowave(phase), 12 * wave(phase - 0.05), 13 * bank);
    turns[TAIL] = turn(-3 + 2 * air, -5 * bank, 14 * wave(phase - 0.12));
    turns[TAIL_TIP] = turn(-3 + 3 * wave(3 * phase - 0.1), 0, 0);
    for (int right = 0; right < 2; right++) {
        double inner = right ? -bank : bank;
        struct wing wing = {
            .lift = 9 + 3 * inner + 1.5 * air,
            .sweep = -5 + 3 * inner,
            .twist = -2 + 3 * inner,
            .elbow_lift = -3 + 1.5 * wave(3 * phase - 0.1),
            .elbow_sweep = 4 - 4 * inner,
            .wrist = 12 + 4 * inner + 3 * wave(3 * phase - 0.2 - 0.1 * right),
        };
        pose_wing(turns, right, &wing);
    }
    pose_still(turns);
}

/* ---- files --------------------------------------------------------------------------------- */

static void save_skeleton(const char *root)
{
    /* perched, the wings folded, so that rest and moves are not mistaken for each other */
    const struct wing folded = {.lift = -12, .sweep = 62, .elbow_sweep = -112};
    quat turns[BONES];
    struct sotc_bone bones[BONES];
    for (int i = 0; i < BONES; i++) turns[i] = q_identity;
    turns[ROOT] = turn(-30, 0, 0);
    turns[NECK] = turn(-10, 0, 0);
    turns[HEAD] = turn(40, 0, 0);
    pose_wing(turns, 0, &folded);
    pose_wing(turns, 1, &folded);
    turns[LWING3] = turn(0, 118, 0);
    turns[RWING3] = mirrored(turns[LWING3]);
    struct bird_place places[BONES];
    for (int i = 0; i < BONES; i++) {
        const struct bird_bone *bone = &bird[i];
        static const struct bird_place world = {.turn = {1, 0, 0, 0}};
        const struct bird_place *parent = bone->parent < 0 ? &world : &places[bone->parent];
        places[i].spread = v_add(parent->spread, bone->place);
        places[i].rest = v_add(parent->rest, q_rotate(parent->turn, bone->place));
        places[i].turn = q_mul(parent->turn, turns[i]);
        vec3 offset = q_rotate(q_conjugate(axes_of(bone->parent)), bone->place);
        bones[i] = (struct sotc_bone){bone->name, bone->parent, offset, to_bone_axes(i, turns[i])};
    }
    save_skb(root, "bird/bird.skb", bones, BONES);
    save_bird_body(root, places);
}

/* The axis of a track that turns about one; that of the right wrist is mirrored. */
static vec3 axis_of(int bone)
{
    if (bone == TAIL_TIP) return v3(1, 0, 0);
    return bone == RWING3 ? v3(0, -wrist_axis.y, -wrist_axis.z) : wrist_axis;
}

enum { MAX_POSES = 64 };

static void save_move(const char *root, const char *file, const char magic[4], unsigned poses,
                      void (*pose)(quat turns[BONES], double phase))
{
    quat tracks[BONES][MAX_POSES];
    for (unsigned p = 0; p < poses; p++) {
        quat turns[BONES];
        pose(turns, (double)p / poses);
        for (int i = 0; i < BONES; i++) {
            quat q = to_bone_axes(i, turns[i]);
            /* the tracks of the left elbow and the neck go around the other half of the sphere:
             * the same rotations, with the sign bits set */
            if (i == LWING2 || i == NECK) q = q_negate(q);
            tracks[i][p] = p == 0 ? q : q_near(q, tracks[i][p - 1]);
        }
    }
    struct sotc_track packed[BONES];
    for (int i = 0; i < BONES; i++) {
        /* a bone with an axis has the axes of its parent, so one turn brings it there */
        vec3 axis = q_rotate(q_conjugate(axes_of(i)), axis_of(i));
        packed[i] = (struct sotc_track){bird[i].packing, axis, tracks[i]};
    }
    save_anb(root, file, magic, packed, BONES, poses);
}

void make_bird(const char *root)
{
    save_skeleton(root);
    save_move(root, "bird/fly.anb", "xff", 40, pose_fly);
    save_move(root, "bird/glide.anb", "xff2", 60, pose_glide);
}
