/* SPDX-License-Identifier: MIT
 *
 * What the troll does: walk, idle, dance. Every move is a function of the phase, 0 to 1, and ends
 * where it began. */
#include "troll.h"

/* ---- walk ---------------------------------------------------------------------------------- */

#define WALK_SPEED 1.12 /* metres in a cycle of 1.6 s: he is in no hurry */

static const struct step foot_step = {0.62, -0.37, WALK_SPEED, 0.15};
static const struct step fist_step = {0.56, -0.86, WALK_SPEED, 0.2};

/* Toes up at the landing, flat, then over the toes. */
static double walk_foot_pitch(double phase)
{
    static const double pitch[] = {-14, 0, 0, 0, 0, 3, 14, 31, 40, 18, -8, -17};
    return loop_curve(pitch, 12, phase) * DEGREES;
}

static void walk_foot(struct biped_pose *pose, int side, double phase)
{
    double pitch = walk_foot_pitch(phase);
    /* the heel goes up as the foot rolls over the toes */
    double roll_up = pitch > 0 ? TROLL_FOOT * wave(pitch / (2 * PI)) : 0;
    double lift = step_lift(&foot_step, phase);
    pose->ankle[side] = v3(sign_of(side) * 0.2, step_y(&foot_step, phase) - 0.35 * roll_up,
                           TROLL_ANKLE + roll_up + lift);
    pose->foot[side] = (struct lean){pitch, 0, sign_of(side) * 14 * DEGREES};
}

static void walk_fist(struct biped_pose *pose, int side, double phase)
{
    double lift = step_lift(&fist_step, phase);
    double swing = lift / fist_step.lift;
    pose->wrist[side] =
        v3(sign_of(side) * (0.56 + 0.1 * swing), step_y(&fist_step, phase), 0.17 + lift);
    pose->elbow[side] = v3(sign_of(side) * 0.8, 0.9, 0.1);
    pose->hand[side] = degrees(40 * swing, 0, 0);
}

/* Left foot down at phase 0, right foot at 1/2; each fist with the foot of the other side. */
static void pose_walk(struct biped_pose *pose, double phase)
{
    double beat = cowave(2 * (phase - 0.07)); /* 1 just after a foot lands: the weight drops */
    double side = wave(phase - 0.06);         /* 1 over the left foot */
    pose->hips = v3(0.13 * side, 0.02 * cowave(2 * phase + 0.1), TROLL_HIPS - 0.125 - 0.035 * beat);
    pose->hips_lean = degrees(6, 5 * side, -12 * cowave(phase));
    pose->body_lean =
        degrees(41 + 4 * cowave(2 * (phase - 0.11)), 11 * wave(phase - 0.02), 13 * cowave(phase));
    pose->head_lean =
        degrees(12 + 6 * cowave(2 * (phase - 0.2)), -4 * wave(phase - 0.1), 4 * cowave(phase));
    for (int i = 0; i < SIDES; i++) {
        walk_foot(pose, i, wrap(phase + 0.5 * i));
        walk_fist(pose, i, wrap(phase + 0.5 * (1 - i) + 0.02));
    }
}

/* ---- idle ---------------------------------------------------------------------------------- */

static void stand(struct biped_pose *pose, double breath)
{
    for (int i = 0; i < SIDES; i++) {
        pose->ankle[i] = v3(sign_of(i) * 0.27, i == LEFT ? -0.05 : 0.08, TROLL_ANKLE);
        pose->foot[i] = degrees(0, 0, sign_of(i) * 24);
        pose->wrist[i] = v3(sign_of(i) * (0.54 + 0.02 * breath), -0.5, 0.17);
        pose->elbow[i] = v3(sign_of(i), 0.8, 0.2);
    }
}

/* Two breaths; a look to the left, a long one to the right with a lean, and a sniff at the end. */
static void pose_idle(struct biped_pose *pose, double phase)
{
    static const double look[] = {0, 4, 38, 44, 40, 10, -34, -50, -52, -46, -12, 0};
    static const double nod[] = {0, 2, -4, -6, 2, 4, -2, 6, 8, 4, -14, -4};
    double breath = wave(2 * phase - 0.1);
    double yaw = loop_curve(look, 12, phase);
    double weight = wave(phase);
    stand(pose, breath);
    pose->hips = v3(0.06 * weight, 0.04, TROLL_HIPS - 0.16 + 0.012 * breath);
    pose->hips_lean = degrees(8, -3 * weight, 0.12 * yaw);
    pose->body_lean = degrees(42 - 3.5 * breath, 4 * weight, 0.2 * yaw);
    pose->head_lean = degrees(8 + loop_curve(nod, 12, phase), 0.12 * yaw, yaw);
}

/* ---- dance --------------------------------------------------------------------------------- */

/* Six beats: four bumps of the hips, left and right, with a fist in the air each, then two beats
 * for a pirouette on the left foot. */
#define BEATS      6
#define SPIN_FROM  (4.0 / BEATS)
#define SPIN_TO    (5.75 / BEATS)
#define BUMP_SWING 0.17

/* 1 at the height of the spin, 0 while the hips bump. */
static double spinning(double phase)
{
    return ease(phase, SPIN_FROM - 0.06, SPIN_FROM + 0.05) * (1 - ease(phase, SPIN_TO - 0.12, 1));
}

static void dance_bumps(struct biped_pose *pose, double beat)
{
    double side = wave(beat / 2);    /* 1: hips to the left */
    double dip = cowave(beat - 0.5); /* 1 in the middle of a bump */
    stand(pose, 0);
    pose->hips = v3(BUMP_SWING * side, 0.02, TROLL_HIPS - 0.15 - 0.03 * dip);
    pose->hips_lean = degrees(5, -17 * side, -10 * side);
    pose->body_lean = degrees(12 + 4 * dip, 9 * side, 12 * side);
    pose->head_lean = degrees(4 + 10 * dip, -10 * side, 0);
    for (int i = 0; i < SIDES; i++) {
        double s = sign_of(i);
        double up = 0.5 - 0.5 * s * side; /* the fist opposite to the hips is up */
        pose->wrist[i] = v_mix(v3(s * 0.72, -0.42, 0.95), v3(s * 0.62, -0.3, 2.45), up);
        pose->elbow[i] = v3(s, 0.5, -0.4);
        pose->ankle[i].x = s * 0.32;
        pose->ankle[i].y = 0;
    }
}

/* Up on the left leg, the right foot at the left knee, arms in a ring above the head. */
static void dance_spin(struct biped_pose *pose)
{
    pose->hips = v3(0.2, 0, TROLL_HIPS + 0.02);
    pose->hips_lean = degrees(0, 4, 0);
    pose->body_lean = degrees(-2, -3, 0);
    pose->head_lean = degrees(-8, -8, 0);
    pose->ankle[LEFT] = v3(0.33, 0.02, TROLL_ANKLE + 0.08);
    pose->foot[LEFT] = degrees(30, 0, 20);
    pose->ankle[RIGHT] = v3(0.2, -0.04, 0.52);
    pose->foot[RIGHT] = degrees(50, 0, -75);
    for (int i = 0; i < SIDES; i++) {
        double s = sign_of(i);
        pose->wrist[i] = v3(0.25 + s * 0.14, -0.12, 2.82);
        pose->elbow[i] = v3(s, 0.05, 0.1);
        pose->hand[i] = degrees(0, s * 40, 0);
    }
}

static void pose_dance(struct biped_pose *pose, double phase)
{
    struct biped_pose spin = {0};
    dance_bumps(pose, phase * BEATS);
    dance_spin(&spin);
    biped_mix(pose, &spin, spinning(phase));
    pose->facing = 2 * PI * ease(phase, SPIN_FROM - 0.02, SPIN_TO);
}

const struct troll_move troll_moves[] = {
    {"walk", 24, pose_walk},
    {"idle", 60, pose_idle},
    {"dance", 48, pose_dance},
    {NULL, 0, NULL},
};
