/* SPDX-License-Identifier: MIT */
#include "biped.h"

const int biped_parents[PARTS] = {-1,  HP, BD,  BD,  LH1, LH2, BD, RH1,
                                  RH2, HP, LL1, LL2, HP,  RL1, RL2};

static const enum part first_of_arm[SIDES] = {LH1, RH1};
static const enum part first_of_leg[SIDES] = {LL1, RL1};

double sign_of(int side)
{
    return side == LEFT ? 1 : -1;
}

struct lean degrees(double pitch, double roll, double yaw)
{
    return (struct lean){pitch * DEGREES, roll * DEGREES, yaw * DEGREES};
}

quat turn_of(struct lean lean)
{
    quat pitch = q_turn(v3(1, 0, 0), lean.pitch);
    quat roll = q_turn(v3(0, 1, 0), lean.roll);
    quat yaw = q_turn(v3(0, 0, 1), lean.yaw);
    return q_mul(yaw, q_mul(roll, pitch));
}

static struct lean lean_mix(struct lean a, struct lean b, double t)
{
    return (struct lean){mix(a.pitch, b.pitch, t), mix(a.roll, b.roll, t), mix(a.yaw, b.yaw, t)};
}

void biped_mix(struct biped_pose *a, const struct biped_pose *b, double t)
{
    a->hips = v_mix(a->hips, b->hips, t);
    a->hips_lean = lean_mix(a->hips_lean, b->hips_lean, t);
    a->body_lean = lean_mix(a->body_lean, b->body_lean, t);
    a->head_lean = lean_mix(a->head_lean, b->head_lean, t);
    for (int i = 0; i < SIDES; i++) {
        a->ankle[i] = v_mix(a->ankle[i], b->ankle[i], t);
        a->foot[i] = lean_mix(a->foot[i], b->foot[i], t);
        a->wrist[i] = v_mix(a->wrist[i], b->wrist[i], t);
        a->elbow[i] = v_mix(a->elbow[i], b->elbow[i], t);
        a->hand[i] = lean_mix(a->hand[i], b->hand[i], t);
    }
    a->facing = mix(a->facing, b->facing, t);
}

/* ---- solving ------------------------------------------------------------------------------- */

/* Knees point where the feet do. */
static void solve_leg(quat world[PARTS], const vec3 places[PARTS], const struct biped_pose *pose,
                      int side)
{
    enum part first = first_of_leg[side];
    struct limb leg = {places[first + 1], places[first + 2], v3(0, -1, 0)};
    vec3 from = v_add(pose->hips, q_rotate(world[HP], places[first]));
    vec3 ahead = q_rotate(q_turn(v3(0, 0, 1), pose->foot[side].yaw), v3(0, -1, 0));
    struct limb_pose reached = limb_reach(&leg, from, pose->ankle[side], ahead);
    world[first] = reached.upper;
    world[first + 1] = reached.lower;
    world[first + 2] = turn_of(pose->foot[side]);
}

static void solve_arm(quat world[PARTS], const vec3 places[PARTS], const struct biped_pose *pose,
                      int side)
{
    enum part first = first_of_arm[side];
    struct limb arm = {places[first + 1], places[first + 2], v3(0, 1, 0)};
    vec3 body = v_add(pose->hips, q_rotate(world[HP], places[BD]));
    vec3 from = v_add(body, q_rotate(world[BD], places[first]));
    struct limb_pose reached = limb_reach(&arm, from, pose->wrist[side], pose->elbow[side]);
    world[first] = reached.upper;
    world[first + 1] = reached.lower;
    world[first + 2] = q_mul(reached.lower, turn_of(pose->hand[side]));
}

void biped_solve(quat world[PARTS], const vec3 places[PARTS], const struct biped_pose *pose)
{
    world[HP] = turn_of(pose->hips_lean);
    world[BD] = turn_of(pose->body_lean);
    world[HD] = turn_of(pose->head_lean);
    for (int side = 0; side < SIDES; side++) {
        solve_leg(world, places, pose, side);
        solve_arm(world, places, pose, side);
    }
    quat facing = q_turn(v3(0, 0, 1), pose->facing);
    for (int i = 0; i < PARTS; i++) world[i] = q_mul(facing, world[i]);
}

/* ---- steps --------------------------------------------------------------------------------- */

double step_y(const struct step *step, double phase)
{
    if (phase < step->stance) return step->front + step->speed * phase;
    double back = step->front + step->speed * step->stance;
    double swing = 1 - step->stance;
    double t = (phase - step->stance) / swing;
    double slope = step->speed * swing;
    double bend = 3 * (step->front - back) - 3 * slope;
    double twist = 2 * (back - step->front) + 2 * slope;
    return back + t * (slope + t * (bend + t * twist));
}

double step_lift(const struct step *step, double phase)
{
    if (phase < step->stance) return 0;
    double t = (phase - step->stance) / (1 - step->stance);
    return step->lift * wave(t / 2) * wave(t / 2);
}
