/* SPDX-License-Identifier: MIT
 *
 * What the pedestrian's files (pedestrian.c), body (pedestrian_model.c) and moves
 * (pedestrian_moves.c) share. Moves are made in the space of biped.h and on the spot; the files
 * turn them and add the way covered. */
#ifndef OSSA_SAMPLES_PEDESTRIAN_H
#define OSSA_SAMPLES_PEDESTRIAN_H

#include "biped.h"

#define PED_HIPS  0.93 /* height of the root, the legs straight */
#define PED_ANKLE 0.08 /* height of an ankle above the sole */
#define PED_FOOT  0.17 /* from the ankle to the toes */

struct ped_pose {
    struct biped_pose body;
    double toes[SIDES]; /* bent up against the foot */
    struct lean hat;    /* against the head */
};

/* A part of biped.h each, but for the toes and the hat. */
enum { LEFT_TOES = -1, RIGHT_TOES = -2, HAT = -3 };

struct ped_bone {
    const char *name;
    int parent;
    int part;
    vec3 offset; /* in the space of biped.h */
};

enum {
    ROOT,
    SPINE,
    HEAD,
    HAT_BONE,
    LARM,
    LFOREARM,
    LHAND,
    RARM,
    RFOREARM,
    RHAND,
    LTHIGH,
    LSHIN,
    LFOOT,
    LTOE,
    RTHIGH,
    RSHIN,
    RFOOT,
    RTOE,
    BONES,
};

extern const struct ped_bone ped_bones[BONES];

/* From the space of biped.h (Z up, facing -Y) to the game's (Y up, walking towards -Z). */
vec3 ped_to_game(vec3 v);

void save_ped_model(const char *root);

/* The four layouts of ANIM differ in their headers only; three are shown. */
enum ped_dialect { PED_MM1, PED_DOCUMENTED, PED_RETAIL };

struct ped_move {
    const char *name;
    enum ped_dialect dialect;
    unsigned frames;
    double stride; /* metres forward in the whole clip */
    void (*pose)(struct ped_pose *pose, double phase);
};

/* Ends with an entry without a name. */
extern const struct ped_move ped_moves[];

#endif
