/* SPDX-License-Identifier: MIT
 *
 * Where a character stands, and how that place moves through a clip. The place on the ground is x,
 * z and a turn about Y, nothing else; the turn is held as the sine and cosine of its half, which is
 * what a quaternion has, so that no angle is ever computed. */
#include "ossa/sample.h"

#include "sample/moment.h"
#include "base/narrow.h"
#include "base/quaternion.h"

#include <math.h>

struct ground {
    double x;
    double z;
    double sine; /* of half the turn about Y */
    double cosine;
};

static const struct ground origin = {0.0, 0.0, 0.0, 1.0};

/* ---- places on the ground ------------------------------------------------------------------ */

static struct ground make_ground(double x, double z, double sine, double cosine)
{
    double length = sqrt(sine * sine + cosine * cosine);
    /* A whole turn more is the same place: the cosine is never below 0. */
    if (cosine < 0.0 || (cosine == 0.0 && sine < 0.0)) length = -length;
    return (struct ground){x, z, sine / length, cosine / length};
}

/* A point, turned as a place is. */
static void turn_point(const struct ground *g, double x, double z, double *out_x, double *out_z)
{
    double sine = 2.0 * g->sine * g->cosine;
    double cosine = g->cosine * g->cosine - g->sine * g->sine;
    *out_x = cosine * x + sine * z;
    *out_z = cosine * z - sine * x;
}

/* First b, then a. */
static struct ground multiply(struct ground a, struct ground b)
{
    double x;
    double z;
    turn_point(&a, b.x, b.z, &x, &z);
    return make_ground(a.x + x, a.z + z, a.sine * b.cosine + a.cosine * b.sine,
                       a.cosine * b.cosine - a.sine * b.sine);
}

static struct ground inverse(struct ground g)
{
    struct ground back = {0.0, 0.0, -g.sine, g.cosine};
    turn_point(&back, -g.x, -g.z, &back.x, &back.z);
    return back;
}

/* A part of a motion: straight on, and turning at even speed. */
static struct ground part_of(struct ground g, double part)
{
    struct ossa__quat none = {0.0, 0.0, 0.0, 1.0};
    struct ossa__quat q =
        ossa__quat_slerp(none, (struct ossa__quat){0.0, g.sine, 0.0, g.cosine}, part);
    return make_ground(g.x * part, g.z * part, q.y, q.w);
}

/* Half of one and half of the other. */
static struct ground mean_of(struct ground a, struct ground b)
{
    struct ossa__quat q = ossa__quat_slerp((struct ossa__quat){0.0, a.sine, 0.0, a.cosine},
                                           (struct ossa__quat){0.0, b.sine, 0.0, b.cosine}, 0.5);
    return make_ground((a.x + b.x) / 2.0, (a.z + b.z) / 2.0, q.y, q.w);
}

/* The same motion so many times over, a whole number, by squaring: few steps for any number. */
static struct ground repeat(struct ground g, double times)
{
    struct ground result = origin;
    while (times >= 1.0) {
        double half = floor(times / 2.0);
        if (times - 2.0 * half >= 1.0) result = multiply(result, g);
        g = multiply(g, g);
        times = half;
    }
    return result;
}

static struct ground ground_of(const ossa_transform *local)
{
    double x = (double)local->translation[0];
    double z = (double)local->translation[2];
    double sine = (double)local->rotation[1];
    double cosine = (double)local->rotation[3];
    /* Upside down, a turn about Y and its opposite are the same: there is none to be found. */
    const double nothing = 1e-6;
    if (!(sine * sine + cosine * cosine > nothing * nothing)) {
        return (struct ground){x, z, 0.0, 1.0};
    }
    return make_ground(x, z, sine, cosine);
}

static void store(struct ground g, ossa_transform *out)
{
    /* + 0.0 makes a positive zero of a negative one */
    *out = (ossa_transform){{ossa__narrow(g.x + 0.0), 0.0F, ossa__narrow(g.z + 0.0)},
                            {0.0F, (float)(g.sine + 0.0), 0.0F, (float)g.cosine},
                            {1.0F, 1.0F, 1.0F}};
}

/* ---- of a pose ----------------------------------------------------------------------------- */

/* Parents come before their children, so that the first bone is the first root. */
static struct ground ground_of_pose(const ossa_scene *scene, const ossa_transform *locals)
{
    return scene->bone_count == 0 ? origin : ground_of(&locals[0]);
}

void ossa_ground(const ossa_scene *scene, const ossa_transform *locals, ossa_transform *ground)
{
    store(ground_of_pose(scene, locals), ground);
}

static void take_out(struct ground back, ossa_transform *local)
{
    struct ossa__quat turn = {0.0, back.sine, 0.0, back.cosine};
    double x;
    double z;
    turn_point(&back, (double)local->translation[0], (double)local->translation[2], &x, &z);
    local->translation[0] = ossa__narrow(back.x + x);
    local->translation[2] = ossa__narrow(back.z + z);
    ossa__quat_store(ossa__quat_multiply(turn, ossa__quat_load(local->rotation)), local->rotation);
}

void ossa_stay_in_place(const ossa_scene *scene, ossa_transform *locals, ossa_transform *ground)
{
    struct ground place = ground_of_pose(scene, locals);
    struct ground back = inverse(place);
    if (ground != NULL) store(place, ground);
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        if (scene->bones[i].parent >= 0) continue;
        take_out(back, &locals[i]);
        if (i > 0) continue;
        /* What is left of the root's own place is rounding. */
        locals[0].translation[0] = 0.0F;
        locals[0].translation[2] = 0.0F;
        if (place.sine != 0.0) locals[0].rotation[1] = 0.0F;
    }
}

/* ---- of a clip ----------------------------------------------------------------------------- */

static struct ground ground_at(const ossa_clip *clip, struct ossa__moment at)
{
    ossa_transform root;
    ossa__sample_root(clip, at, &root);
    return ground_of(&root);
}

static struct ground ground_of_frame(const ossa_clip *clip, uint32_t frame)
{
    return ground_at(clip, (struct ossa__moment){frame, frame, 0.0});
}

static struct ground step_from(const ossa_clip *clip, uint32_t frame)
{
    return multiply(inverse(ground_of_frame(clip, frame)), ground_of_frame(clip, frame + 1));
}

/* So far past the last frame, 0 to 1. No frame says where the way from the last to the first leads:
 * it is taken for the mean of the steps on either side of it, the last one and, of the next time
 * round, the first. (To go on as the last one did would turn a character whose hips sway a little
 * further at every round: a degree for the run among the samples.) */
static struct ground ground_past_end(const ossa_clip *clip, double part)
{
    uint32_t last = clip->frame_count - 1;
    struct ground end = ground_of_frame(clip, last);
    if (last == 0) return end;
    struct ground step = mean_of(step_from(clip, last - 1), step_from(clip, 0));
    return multiply(end, part_of(step, part));
}

/* A time of a clip that goes round: how many times it went, and where that leaves it. */
struct round {
    double whole;
    struct ground ground; /* as if it were the first time */
};

static struct round find_round(const ossa_clip *clip, double seconds)
{
    double length = (double)clip->frame_count;
    double last = length - 1.0;
    double frames = seconds * clip->fps;
    double left = fmod(frames, length);
    if (left < 0.0) left += length; /* may round to `length`: that is the end of the round before */
    struct round round = {.whole = floor((frames - left) / length + 0.5)};
    if (left > last) round.ground = ground_past_end(clip, left - last);
    else
        round.ground = ground_at(
            clip, ossa__find_moment(clip->frame_count, clip->fps, seconds, OSSA_WRAP_LOOP));
    return round;
}

static struct ground motion_round(const ossa_clip *clip, double from, double to)
{
    struct round start = find_round(clip, from);
    struct round end = find_round(clip, to);
    struct ground there = end.ground;
    if (end.whole > start.whole) {
        struct ground once =
            multiply(ground_past_end(clip, 1.0), inverse(ground_of_frame(clip, 0)));
        there = multiply(repeat(once, end.whole - start.whole), there);
    }
    return multiply(inverse(start.ground), there);
}

static struct ground motion_between(const ossa_clip *clip, double from, double to, ossa_wrap wrap)
{
    if (wrap == OSSA_WRAP_LOOP) return motion_round(clip, from, to);
    return multiply(
        inverse(ground_at(clip, ossa__find_moment(clip->frame_count, clip->fps, from, wrap))),
        ground_at(clip, ossa__find_moment(clip->frame_count, clip->fps, to, wrap)));
}

void ossa_root_motion(const ossa_scene *scene, const ossa_clip *clip, double from, double to,
                      ossa_wrap wrap, ossa_transform *motion)
{
    struct ground moved = origin;
    bool moves = scene->bone_count > 0 && clip->frame_count > 1 && isfinite(from * clip->fps) &&
                 isfinite(to * clip->fps);
    if (moves) {
        moved = to < from ? inverse(motion_between(clip, to, from, wrap))
                          : motion_between(clip, from, to, wrap);
    }
    if (!isfinite(moved.x) || !isfinite(moved.z) || !isfinite(moved.sine)) moved = origin;
    store(moved, motion);
}
