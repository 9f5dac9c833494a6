/* SPDX-License-Identifier: MIT
 *
 * The troll, after Evil Islands: troll.lnk, bon/PART.bon and MOVE/PART.anm. */
#include "ei_files.h"
#include "emit.h"
#include "samples.h"
#include "troll.h"

#include <stdio.h>
#include <string.h>

const char *const troll_names[PARTS] = {"hp",  "bd",  "hd",  "lh1", "lh2", "lh3", "rh1", "rh2",
                                        "rh3", "ll1", "ll2", "ll3", "rl1", "rl2", "rl3"};

/* From the parent's place, of the weakest, clumsiest and smallest troll. Legs short and arms long:
 * knuckles drag. */
const vec3 troll_places[PARTS] = {
    [HP] = {0, 0, TROLL_HIPS}, [BD] = {0, 0.02, 0.2},         [HD] = {0, -0.12, 0.66},
    [LH1] = {0.4, 0, 0.56},    [LH2] = {0.1, 0.02, -0.64},    [LH3] = {0.02, -0.03, -0.62},
    [RH1] = {-0.4, 0, 0.56},   [RH2] = {-0.1, 0.02, -0.64},   [RH3] = {-0.02, -0.03, -0.62},
    [LL1] = {0.2, 0, -0.06},   [LL2] = {0.03, -0.02, -0.43},  [LL3] = {0, 0.02, -0.41},
    [RL1] = {-0.2, 0, -0.06},  [RL2] = {-0.03, -0.02, -0.43}, [RL3] = {0, 0.02, -0.41},
};

/* ---- tree and bind positions --------------------------------------------------------------- */

static void save_tree(const char *root)
{
    struct bytes file = {0};
    ei_put_tree(&file, troll_names, biped_parents, PARTS);
    save(&file, root, "troll/troll.lnk");
}

/* Hips and legs grow by one factor, so that every troll stands on the ground. */
vec3 troll_growth(enum part part, unsigned corner)
{
    int strong = corner & 1;
    int dexterous = corner >> 1 & 1;
    int tall = corner >> 2 & 1;
    int leg = part == HP || part >= LL1;
    double wide = (strong ? 1.28 : 1.0) * (dexterous ? 0.94 : 1.0) * (tall ? 1.08 : 1.0);
    double deep = (strong ? 1.15 : 1.0) * (tall ? 1.08 : 1.0);
    double high =
        (tall ? 1.2 : 1.0) * (strong && !leg ? 1.06 : 1.0) * (dexterous && leg ? 1.05 : 1.0);
    return v3(wide, deep, high);
}

static void save_place(const char *root, enum part part)
{
    struct bytes file = {0};
    vec3 growth[EI_CORNERS];
    for (unsigned corner = 0; corner < EI_CORNERS; corner++)
        growth[corner] = troll_growth(part, corner);
    ei_put_places(&file, troll_places[part], growth);
    char name[64];
    (void)snprintf(name, sizeof name, "troll/bon/%s.bon", troll_names[part]);
    save(&file, root, name);
}

/* ---- moves --------------------------------------------------------------------------------- */

enum { MAX_FRAMES = 64 };

struct clip {
    unsigned frames;
    quat rotations[MAX_FRAMES][PARTS];
    vec3 translations[MAX_FRAMES];
};

/* The game turns a part after its parent, world Q = q Q_parent, so q = Q Q_parent*. */
static void fill_frame(struct clip *clip, unsigned frame, const struct biped_pose *pose)
{
    quat world[PARTS];
    biped_solve(world, troll_places, pose);
    for (int i = 0; i < PARTS; i++) {
        int parent = biped_parents[i];
        quat q = parent < 0 ? world[i] : q_mul(world[i], q_conjugate(world[parent]));
        quat before = frame == 0 ? q_identity : clip->rotations[frame - 1][i];
        clip->rotations[frame][i] = q_near(q, before);
    }
    vec3 hips = q_rotate(q_turn(v3(0, 0, 1), pose->facing), pose->hips);
    clip->translations[frame] = v_sub(hips, troll_places[HP]);
}

static void save_part(const char *root, const struct clip *clip, const char *move, enum part part)
{
    struct bytes file = {0};
    put_u32(&file, clip->frames);
    for (unsigned f = 0; f < clip->frames; f++) {
        quat q = clip->rotations[f][part];
        put_f32(&file, q.w);
        put_f32(&file, q.x);
        put_f32(&file, q.y);
        put_f32(&file, q.z);
    }
    put_u32(&file, clip->frames);
    for (unsigned f = 0; f < clip->frames; f++) {
        /* the game's files have one for every part, though only the root's is used */
        vec3 t = part == HP ? clip->translations[f] : v3(0, 0, 0);
        put_f32(&file, t.x);
        put_f32(&file, t.y);
        put_f32(&file, t.z);
    }
    put_u32(&file, 0); /* no morphs */
    put_u32(&file, 0);
    char name[64];
    (void)snprintf(name, sizeof name, "troll/%s/%s.anm", move, troll_names[part]);
    save(&file, root, name);
}

static void save_move(const char *root, const struct troll_move *move)
{
    struct clip clip = {.frames = move->frames};
    if (move->frames > MAX_FRAMES) fail("too many frames", move->name);
    for (unsigned f = 0; f < move->frames; f++) {
        struct biped_pose pose = {0};
        move->pose(&pose, (double)f / move->frames);
        fill_frame(&clip, f, &pose);
    }
    for (int i = 0; i < PARTS; i++) save_part(root, &clip, move->name, (enum part)i);
}

void make_troll(const char *root)
{
    save_tree(root);
    for (int i = 0; i < PARTS; i++) save_place(root, (enum part)i);
    for (const struct troll_move *move = troll_moves; move->name != NULL; move++)
        save_move(root, move);
    keep_troll_model();
}
