/* SPDX-License-Identifier: MIT
 *
 * What the pedestrian's files (pedestrian.c) and moves (pedestrian_moves.c) share. Moves are made
 * in the space of biped.h and on the spot; the files turn them and add the way covered. */
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
