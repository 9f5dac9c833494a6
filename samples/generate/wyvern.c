/* SPDX-License-Identifier: MIT
 *
 * The wyvern, after Evil Islands: wyvern.lnk, bon/PART.bon, MOVE/PART.anm and wyvern.adb. When it
 * flies, the wind fills its wings, which is what morphs are for. */
#include "samples.h"
#include "wyvern.h"

#include <stdio.h>

const char *const wyvern_names[W_PARTS] = {"hp",  "nk",  "hd",  "tl1", "tl2",
                                           "lw1", "lw2", "rw1", "rw2"};

static const int parents[W_PARTS] = {-1, W_HP, W_NK, W_HP, W_TL1, W_HP, W_LW1, W_HP, W_RW1};

static const vec3 places[W_PARTS] = {
    [W_HP] = {0, 0, 0.46},      [W_NK] = {0, -0.34, 0.08},      [W_HD] = {0, -0.42, 0.24},
    [W_TL1] = {0, 0.34, 0},     [W_TL2] = {0, 0.54, -0.03},     [W_LW1] = {0.16, -0.18, 0.14},
    [W_LW2] = {0.85, -0.12, 0}, [W_RW1] = {-0.16, -0.18, 0.14}, [W_RW2] = {-0.85, -0.12, 0},
};

/* ---- moves --------------------------------------------------------------------------------- */

enum { FLY_FRAMES = 24, REST_FRAMES = 30, MAX_FRAMES = 30 };

struct wyvern_pose {
    vec3 moved;              /* of the hips, from their place */
    double pitch;            /* of the body; all angles are in degrees, up and left positive */
    double neck, head;       /* up */
    double look;             /* to the left */
    double tail[2], wag[2];  /* up, to the left */
    double beat[2], fold[2]; /* of a wing's two parts: up, and back */
};

static quat pitch_up(double angle)
{
    return q_turn(v3(1, 0, 0), -angle * DEGREES);
}

static quat yaw_left(double angle)
{
    return q_turn(v3(0, 0, 1), angle * DEGREES);
}

/* A part of a wing against what it hangs on; `side` is 1 for the left. */
static quat wing_turn(double side, double beat, double fold)
{
    return q_mul(q_turn(v3(0, 1, 0), -side * beat * DEGREES), yaw_left(side * fold));
}

/* The turns of all parts against their parents, the ordinary way. */
static void local_turns(quat local[W_PARTS], const struct wyvern_pose *pose)
{
    local[W_HP] = pitch_up(pose->pitch);
    local[W_NK] = q_mul(yaw_left(0.5 * pose->look), pitch_up(pose->neck));
    local[W_HD] = q_mul(yaw_left(0.5 * pose->look), pitch_up(pose->head));
    for (int i = 0; i < 2; i++) {
        /* the tail points back, so that up is the other way round */
        local[W_TL1 + i] = q_mul(yaw_left(-pose->wag[i]), pitch_up(-pose->tail[i]));
        local[W_LW1 + i] = wing_turn(1, pose->beat[i], pose->fold[i]);
        local[W_RW1 + i] = wing_turn(-1, pose->beat[i], pose->fold[i]);
    }
}

/* The wings go down in the first half and up in the second; their outer parts follow. */
static void pose_fly(struct wyvern_pose *pose, unsigned frame)
{
    double phase = (double)frame / FLY_FRAMES;
    pose->moved = v3(0, 0, 1.3 - 0.13 * cowave(phase - 0.1));
    pose->pitch = 6 + 4 * wave(phase);
    pose->neck = -10 - 5 * wave(phase - 0.1);
    pose->head = 6 + 6 * cowave(phase);
    for (int i = 0; i < 2; i++) {
        double late = phase - 0.08 - 0.12 * i;
        pose->tail[i] = -4 + 10 * cowave(late);
        pose->wag[i] = 5 * wave(late);
    }
    pose->beat[0] = 10 + 36 * cowave(phase);
    pose->beat[1] = -6 + 26 * cowave(phase - 0.16);
    pose->fold[1] = 12 * bump(phase, 0.5, 1);
}

/* On the ground, the wings half open; it breathes and looks to either side. */
static void pose_rest(struct wyvern_pose *pose, unsigned frame)
{
    double phase = (double)frame / REST_FRAMES;
    double breath = wave(2 * phase);
    pose->pitch = 8 + 1.5 * breath;
    pose->neck = 16 + 2 * breath;
    pose->head = -22;
    pose->look = 50 * wave(phase);
    for (int i = 0; i < 2; i++) {
        pose->tail[i] = -10;
        pose->wag[i] = 16 * wave(phase - 0.15 * i);
    }
    pose->beat[0] = 40 + 2 * breath;
    pose->beat[1] = -62;
    pose->fold[0] = 26;
    pose->fold[1] = 22;
}

struct wyvern_move {
    const char *name;
    unsigned frames;
    void (*pose)(struct wyvern_pose *pose, unsigned frame);
    const signed char *levels; /* how the wind fills the membranes; NULL: there is none */
};

/* Levels come more than once, as when an artist draws a few shapes and holds them. */
static const signed char fly_levels[FLY_FRAMES] = {0,  1,  2,  3,  3,  3,  3,  3,  2, 1, 0, 0,
                                                   -1, -1, -2, -2, -2, -2, -1, -1, 0, 0, 0, 0};

static const struct wyvern_move moves[] = {
    {"fly", FLY_FRAMES, pose_fly, fly_levels},
    {"rest", REST_FRAMES, pose_rest, NULL},
};

struct clip {
    quat rotations[W_PARTS][MAX_FRAMES];
    vec3 translations[W_PARTS][MAX_FRAMES];
};

/* The game turns a part after its parent, world Q = q Q_parent, so q = Q Q_parent*. */
static void fill_frame(struct clip *clip, unsigned frame, const struct wyvern_pose *pose)
{
    quat local[W_PARTS];
    quat world[W_PARTS] = {{0}};
    local_turns(local, pose);
    for (int i = 0; i < W_PARTS; i++) {
        quat above = parents[i] < 0 ? q_identity : world[parents[i]];
        world[i] = q_mul(above, local[i]);
        quat before = frame == 0 ? q_identity : clip->rotations[i][frame - 1];
        clip->rotations[i][frame] = q_near(q_mul(world[i], q_conjugate(above)), before);
        clip->translations[i][frame] = i == W_HP ? pose->moved : v3(0, 0, 0);
    }
}

static void save_move(const char *root, const struct wyvern_move *move)
{
    struct clip clip = {0};
    for (unsigned f = 0; f < move->frames; f++) {
        struct wyvern_pose pose = {0};
        move->pose(&pose, f);
        fill_frame(&clip, f, &pose);
    }
    for (int i = 0; i < W_PARTS; i++) {
        enum wyvern_part part = (enum wyvern_part)i;
        vec3 morphs[MAX_FRAMES][W_MORPHS];
        struct ei_track track = {.frames = move->frames,
                                 .rotations = clip.rotations[i],
                                 .translations = clip.translations[i]};
        if (move->levels != NULL && wyvern_is_wing(part)) {
            for (unsigned f = 0; f < move->frames; f++)
                wyvern_billow(part, move->levels[f], morphs[f]);
            track.morph_vertices = W_MORPHS;
            track.morphs = morphs[0];
        }
        struct bytes file = {0};
        char name[64];
        ei_put_track(&file, &track);
        (void)snprintf(name, sizeof name, "wyvern/%s/%s.anm", move->name, wyvern_names[i]);
        save(&file, root, name);
    }
}

/* ---- the rest ------------------------------------------------------------------------------ */

static void save_places(const char *root)
{
    vec3 growth[EI_CORNERS];
    wyvern_growth(growth);
    for (int i = 0; i < W_PARTS; i++) {
        struct bytes file = {0};
        char name[64];
        ei_put_places(&file, places[i], growth);
        (void)snprintf(name, sizeof name, "wyvern/bon/%s.bon", wyvern_names[i]);
        save(&file, root, name);
    }
}

void make_wyvern(const char *root)
{
    static const struct ei_record records[] = {
        {"fly", EI_ACTION_RUN, FLY_FRAMES, 4.5, {0, 0, 0, 0}},
        {"rest", EI_ACTION_IDLE, REST_FRAMES, 0, {0, 0, 0, 0}},
    };
    static const double heights[3] = {1.2, 1.35, 1.5};
    struct bytes tree = {0};
    ei_put_tree(&tree, wyvern_names, parents, W_PARTS);
    save(&tree, root, "wyvern/wyvern.lnk");
    save_places(root);
    save_wyvern_model(root);
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) save_move(root, &moves[i]);
    struct bytes database = {0};
    ei_put_database(&database, "wyvern", heights, records, 2);
    save(&database, root, "wyvern/wyvern.adb");
}
