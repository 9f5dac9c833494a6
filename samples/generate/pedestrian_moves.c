/* SPDX-License-Identifier: MIT
 *
 * What the pedestrian does: stand and wait, walk, run. Every move is a function of the phase, 0 to
 * 1, and ends where it began. */
#include "pedestrian.h"

/* A foot that rolls over its toes: its pitch lifts the ankle, and the toes stay on the ground. */
static void place_foot(struct ped_pose *pose, int side, vec3 ankle, double pitch, double bend)
{
    double up = pitch > 0 ? PED_FOOT * wave(pitch / (2 * PI)) : 0;
    pose->body.ankle[side] = v_add(ankle, v3(0, -0.4 * up, PED_ANKLE + up));
    pose->body.foot[side] = (struct lean){pitch, 0, sign_of(side) * 6 * DEGREES};
    pose->toes[side] = bend;
}

/* A hand that swings about the shoulder by an angle, forward positive. */
static vec3 swung(int side, vec3 shoulder, double angle, double length)
{
    double turn = angle / (2 * PI);
    return v_add(shoulder, v3(sign_of(side) * 0.05, -length * wave(turn), -length * cowave(turn)));
}

/* ---- walk ---------------------------------------------------------------------------------- */

#define WALK_STRIDE 1.24

static const struct step walk_step = {0.6, -0.31, WALK_STRIDE, 0.05};

static void walk_leg(struct ped_pose *pose, int side, double phase)
{
    static const double pitches[] = {-20, -4, 0, 0, 0, 5, 22, 46, 58, 30, 0, -18};
    double pitch = loop_curve(pitches, 12, phase) * DEGREES;
    double bend = pitch > 0 && phase < 0.7 ? 0.7 * pitch * (1 - ease(phase, 0.58, 0.7)) : 0;
    vec3 ankle = v3(sign_of(side) * 0.08, step_y(&walk_step, phase), step_lift(&walk_step, phase));
    place_foot(pose, side, ankle, pitch, bend);
}

static void walk_arm(struct ped_pose *pose, int side, double phase)
{
    double swing = wave(phase);
    vec3 shoulder = v3(sign_of(side) * 0.2, -0.03 - 0.03 * swing, 1.41);
    pose->body.wrist[side] = swung(side, shoulder, (8 + 30 * swing) * DEGREES, 0.5 - 0.03 * swing);
    pose->body.elbow[side] = v3(sign_of(side) * 0.25, 1, 0);
    pose->body.hand[side] = degrees(-8 - 6 * swing, 0, 0);
}

/* Left foot down at phase 0, right foot at 1/2; the arms go against the legs. A hat with a spring
 * in its step. */
static void pose_walk(struct ped_pose *pose, double phase)
{
    struct biped_pose *body = &pose->body;
    double side = wave(phase - 0.05);
    double beat = cowave(2 * (phase - 0.06));
    body->hips = v3(0.022 * side, 0, PED_HIPS - 0.04 - 0.022 * beat);
    body->hips_lean = degrees(2, 4 * side, -9 * cowave(phase));
    body->body_lean = degrees(4 + 1.5 * beat, -2 * side, 8 * cowave(phase));
    body->head_lean = degrees(1 - 3 * cowave(2 * (phase - 0.14)), 2 * side, 2 * cowave(phase));
    pose->hat = degrees(-3 - 5 * cowave(2 * (phase - 0.3)), 0, 0);
    for (int i = 0; i < SIDES; i++) {
        walk_leg(pose, i, wrap(phase + 0.5 * i));
        walk_arm(pose, i, phase + 0.5 * i - 0.27);
    }
}

/* ---- run ----------------------------------------------------------------------------------- */

#define RUN_STRIDE 2.5

static const struct step run_step = {0.3, -0.3, RUN_STRIDE, 0};

/* Behind, the heel comes up high; in front the foot is low again before it lands. */
static void run_leg(struct ped_pose *pose, int side, double phase)
{
    static const double lifts[] = {0, 0, 0, 0, 2, 14, 30, 37, 33, 24, 16, 10, 8, 7, 5, 2};
    static const double pitches[] = {-6, 0,  8,  22, 48, 72,  86,  82,
                                     64, 42, 22, 8,  -4, -12, -14, -11};
    double pitch = loop_curve(pitches, 16, phase) * DEGREES;
    double lift = loop_curve(lifts, 16, phase) / 100;
    double bend = 0.6 * pitch * ease(phase, 0.1, 0.2) * (1 - ease(phase, 0.28, 0.4));
    vec3 ankle = v3(sign_of(side) * 0.06, 0.82 * step_y(&run_step, phase), lift > 0 ? lift : 0);
    if (phase < run_step.stance) ankle.y = step_y(&run_step, phase);
    place_foot(pose, side, ankle, pitch, bend);
}

/* One arm pumps, the other holds on to the hat. */
static void run_arms(struct ped_pose *pose, double phase)
{
    struct biped_pose *body = &pose->body;
    double swing = wave(phase - 0.3);
    vec3 hips = body->hips;
    body->wrist[LEFT] = v_add(hips, v3(0.24 - 0.1 * ease(swing, 0, 1), -0.14 - 0.3 * swing,
                                       0.24 + 0.12 * swing * swing + 0.06 * swing));
    body->elbow[LEFT] = v3(0.5, 1, -0.3);
    body->hand[LEFT] = degrees(-10, 0, 0);
    body->wrist[RIGHT] = v_add(hips, v3(-0.13, -0.2, 0.83));
    body->elbow[RIGHT] = v3(-1, -0.5, 0.1 + 0.1 * swing);
    body->hand[RIGHT] = degrees(-30, 0, 0);
}

static void pose_run(struct ped_pose *pose, double phase)
{
    struct biped_pose *body = &pose->body;
    double side = wave(phase + 0.1);
    double beat = cowave(2 * (phase - 0.14));
    body->hips = v3(0.015 * side, 0, PED_HIPS - 0.06 - 0.04 * beat);
    body->hips_lean = degrees(8, 3 * side, -12 * cowave(phase + 0.04));
    body->body_lean = degrees(15 + 2 * beat, -2 * side, 10 * cowave(phase + 0.04));
    body->head_lean = degrees(4 - 3 * beat, 0, 0);
    pose->hat = degrees(-4 - 4 * beat, 0, 0);
    for (int i = 0; i < SIDES; i++) run_leg(pose, i, wrap(phase + 0.5 * i));
    run_arms(pose, phase);
}

/* ---- stand --------------------------------------------------------------------------------- */

/* Waits, weight on the left leg, a hand on the hip, taps a foot, looks at the watch, shakes the
 * head over what it says. */
static void stand_legs(struct ped_pose *pose, double phase)
{
    double tapping = ease(phase, 0.02, 0.08) * (1 - ease(phase, 0.4, 0.46));
    double tap = 0.5 - 0.5 * cowave(8 * phase);
    place_foot(pose, LEFT, v3(0.1, 0.03, 0), 0, 0);
    place_foot(pose, RIGHT, v3(-0.14, -0.1, 0), -16 * tapping * tap * DEGREES, 0);
    pose->body.foot[RIGHT].yaw = -26 * DEGREES;
}

static void stand_arms(struct ped_pose *pose, double watching)
{
    struct biped_pose *body = &pose->body;
    vec3 hanging = v_add(body->hips, v3(0.25, -0.03, 0.02));
    vec3 watch = v_add(body->hips, v3(0.04, -0.29, 0.36));
    body->wrist[LEFT] = v_mix(hanging, watch, watching);
    body->elbow[LEFT] = v_mix(v3(0.3, 1, 0), v3(1, 0.1, -0.5), watching);
    body->hand[LEFT] = degrees(-5, 0, 0);
    body->wrist[RIGHT] = v_add(body->hips, v3(-0.17, 0.01, 0.1));
    body->elbow[RIGHT] = v3(-1, 0.7, 0);
    body->hand[RIGHT] = degrees(0, -40, 0);
}

static void pose_stand(struct ped_pose *pose, double phase)
{
    struct biped_pose *body = &pose->body;
    double breath = wave(2 * phase);
    double watching = ease(phase, 0.4, 0.52) * (1 - ease(phase, 0.8, 0.94));
    double shaking = ease(phase, 0.6, 0.66) * (1 - ease(phase, 0.8, 0.88));
    double looking = bump(phase, 0.04, 0.36);
    body->hips = v3(0.045, 0, PED_HIPS - 0.035 + 0.003 * breath);
    body->hips_lean = degrees(0, -5, -6);
    body->body_lean = degrees(2 - 1.5 * breath + 5 * watching, 3, -2);
    body->head_lean = degrees(2 + 26 * watching, -3, 34 * looking + 8 * watching);
    body->head_lean.yaw += 14 * DEGREES * shaking * wave(10 * phase);
    pose->hat = degrees(-4, 3, 0);
    stand_legs(pose, phase);
    stand_arms(pose, watching);
}

const struct ped_move ped_moves[] = {
    {"stand", PED_RETAIL, 90, 0, pose_stand},
    {"walk", PED_DOCUMENTED, 32, WALK_STRIDE, pose_walk},
    {"run", PED_MM1, 20, RUN_STRIDE, pose_run},
    {NULL, PED_MM1, 0, 0, NULL},
};
