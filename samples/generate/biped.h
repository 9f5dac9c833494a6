/* SPDX-License-Identifier: MIT
 *
 * How moves on two legs are described: where hips, hands and feet are, which way the rest leans.
 * The joints between follow. Z is up, the figure faces -Y, its left is +X; metres and radians. */
#ifndef OSSA_SAMPLES_BIPED_H
#define OSSA_SAMPLES_BIPED_H

#include "maths.h"

enum side { LEFT, RIGHT, SIDES };

/* The parts of a troll, named as Evil Islands does: hips, body, head, arms (lh1: left, upper),
 * legs. Depth first, as LNK wants it. */
enum part { HP, BD, HD, LH1, LH2, LH3, RH1, RH2, RH3, LL1, LL2, LL3, RL1, RL2, RL3, PARTS };

/* Positive is forward and down, to the left, to the left. */
struct lean {
    double pitch, roll, yaw;
};

struct biped_pose {
    vec3 hips; /* the place of HP */
    struct lean hips_lean, body_lean, head_lean;
    vec3 ankle[SIDES];
    struct lean foot[SIDES];
    vec3 wrist[SIDES];
    vec3 elbow[SIDES];       /* the direction it points in */
    struct lean hand[SIDES]; /* against the forearm; all others are against the world */
    double facing;           /* the whole figure about the vertical through 0 */
};

extern const int biped_parents[PARTS];

/* 1 for the left, -1 for the right. */
double sign_of(int side);
struct lean degrees(double pitch, double roll, double yaw);
quat turn_of(struct lean lean);
/* a becomes the mix of a and b. */
void biped_mix(struct biped_pose *a, const struct biped_pose *b, double t);

/* World rotations of all parts; `places` are those of the parts from their parents, at rest. */
void biped_solve(quat world[PARTS], const vec3 places[PARTS], const struct biped_pose *pose);

/* What is on the ground goes back at the speed the figure goes forward, or it would slide; through
 * the air it swings forward again, leaving and meeting the ground at that same speed. */
struct step {
    double stance; /* the part of the cycle on the ground */
    double front;  /* y where the stance begins */
    double speed;  /* along y, in a cycle */
    double lift;
};
double step_y(const struct step *step, double phase);
double step_lift(const struct step *step, double phase);

#endif
