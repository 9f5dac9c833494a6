/* SPDX-License-Identifier: MIT
 *
 * What the troll's files (troll.c) and his moves (troll_moves.c) share. */
#ifndef OSSA_SAMPLES_TROLL_H
#define OSSA_SAMPLES_TROLL_H

#include "biped.h"

#define TROLL_HIPS  1.0  /* height of hp, the legs straight */
#define TROLL_ANKLE 0.1  /* height of an ankle above the sole */
#define TROLL_FOOT  0.24 /* from the ankle to the toes */

struct troll_move {
    const char *name;
    unsigned frames;
    void (*pose)(struct biped_pose *pose, double phase);
};

/* Ends with an entry without a name. */
extern const struct troll_move troll_moves[];

extern const char *const troll_names[PARTS];
extern const vec3 troll_places[PARTS];
/* How much wider, deeper and higher than the weakest, clumsiest and smallest troll. */
vec3 troll_growth(enum part part, unsigned corner);

/* His meshes, texture and data base, which are in the archives only (troll_model.c). */
void keep_troll_model(void);

#endif
