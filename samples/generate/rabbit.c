/* SPDX-License-Identifier: MIT
 *
 * The rabbit, after Vib-Ribbon: rabbit.tmd (rabbit_model.c), hop.anm, and a walk that goes on from
 * walk0.anm to walk1.anm. Every object is placed by itself in the file; the tree of joints below
 * exists only here. */
#include "biped.h" /* for the steps */
#include "emit.h"
#include "rabbit.h"
#include "samples.h"

/* Everything a pose is made of. Angles in degrees, clockwise on the screen; lengths in units. */
struct rabbit {
    double x, up;     /* of the hips; up is positive */
    double lean;      /* of the body */
    double squash;    /* of the body: its height, 1 at rest */
    double nod, look; /* of the head: roll, and the face towards +X */
    double head_squash;
    double ear[2], tip[2]; /* back, front; tips against the ear */
    double arm[2];
    double foot_x[2], foot_up[2], foot_pitch[2]; /* ankles, in the world */
    double wag;                                  /* of the tail */
    int blink;
};

/* A joint: objects and further joints are placed in it. */
struct joint {
    vec3 at;
    quat turn;
    vec3 scale;
};

struct key {
    int flags; /* 1 rotation, 2 scale, 4 position; 0: hidden */
    struct joint joint;
};

enum { ROTATION = 1, SCALE = 2, POSITION = 4 };

static const vec3 unscaled = {1, 1, 1};

/* ---- joints to keys ------------------------------------------------------------------------ */

static quat roll(double angle)
{
    return q_turn(v3(0, 0, 1), angle * DEGREES);
}

/* A place in a joint's own space, brought to the world. */
static vec3 place_in(const struct joint *joint, vec3 v)
{
    vec3 scaled = v3(v.x * joint->scale.x, v.y * joint->scale.y, v.z * joint->scale.z);
    return v_add(joint->at, q_rotate(joint->turn, scaled));
}

static struct joint child_of(const struct joint *parent, vec3 at, quat turn, vec3 scale)
{
    return (struct joint){place_in(parent, at), q_mul(parent->turn, turn), scale};
}

/* An object that never turns or never stretches in any file leaves that component out: players
 * differ over what a missing one means, but not if it was never there. */
static void show(struct key keys[OBJECTS], enum rabbit_object object, int flags, struct joint joint)
{
    keys[object] = (struct key){flags | POSITION, joint};
}

/* Squeezed one way, it bulges the other. */
static vec3 squashed(double height)
{
    return v3(1 + 0.7 * (1 - height), height, 1);
}

/* ---- the rabbit's joints ------------------------------------------------------------------- */

/* From hip to ankle, however far that is. */
static void show_leg(struct key keys[OBJECTS], const struct rabbit *rabbit,
                     const struct joint *body, int front)
{
    double z = front ? -40 : 40;
    vec3 hip = place_in(body, v3(front ? 90 : -70, -90, z));
    vec3 ankle = v3(rabbit->foot_x[front], -rabbit->foot_up[front] - ANKLE_HEIGHT, hip.z);
    vec3 leg = v_sub(ankle, hip);
    quat aim = q_aim(v3(0, 1, 0), v3(1, 0, 0), leg, v3(leg.y, -leg.x, 0));
    vec3 stretch = v3(1, v_length(leg) / LEG_LENGTH, 1);
    show(keys, front ? LEG_F : LEG_B, ROTATION | SCALE, (struct joint){hip, aim, stretch});
    quat pitch = roll(rabbit->foot_pitch[front]);
    show(keys, front ? FOOT_F : FOOT_B, ROTATION, (struct joint){ankle, pitch, unscaled});
}

static void show_head(struct key keys[OBJECTS], const struct rabbit *rabbit,
                      const struct joint *body)
{
    struct joint head =
        child_of(body, v3(20, -640, 0), roll(rabbit->nod), squashed(rabbit->head_squash));
    show(keys, HEAD, ROTATION | SCALE, head);
    for (int front = 0; front < 2; front++) {
        vec3 root = v3(front ? 130 : -130, -500, front ? -20 : 20);
        struct joint ear = child_of(&head, root, roll(rabbit->ear[front]), unscaled);
        struct joint tip =
            child_of(&ear, v3(0, -EAR_LENGTH, 0), roll(rabbit->tip[front]), unscaled);
        show(keys, front ? EAR_F : EAR_B, ROTATION, ear);
        show(keys, front ? TIP_F : TIP_B, ROTATION, tip);
    }
    /* The face turns about the middle of the head, in front of it, so that a look is seen. */
    quat look = q_turn(v3(0, 1, 0), -rabbit->look * DEGREES);
    struct joint middle = child_of(&head, v3(0, -260, 0), look, head.scale);
    struct joint face = child_of(&middle, v3(0, 60, -240), q_identity, head.scale);
    struct joint eyes = child_of(&middle, v3(0, -70, -240), q_identity, head.scale);
    show(keys, FACE, ROTATION | SCALE, face);
    show(keys, rabbit->blink ? EYES_CLOSED : EYES_OPEN, ROTATION | SCALE, eyes);
}

static void show_rabbit(struct key keys[OBJECTS], const struct rabbit *rabbit)
{
    struct joint body = {v3(rabbit->x, -rabbit->up, 0), roll(rabbit->lean),
                         squashed(rabbit->squash)};
    for (int i = 0; i < OBJECTS; i++) keys[i].flags = 0;
    show(keys, BODY, ROTATION | SCALE, body);
    show(keys, TAIL, ROTATION, child_of(&body, v3(-300, -190, 10), roll(rabbit->wag), unscaled));
    for (int front = 0; front < 2; front++) {
        vec3 shoulder = v3(front ? 150 : -150, -520, front ? -60 : 60);
        struct joint arm = child_of(&body, shoulder, roll(rabbit->arm[front]), unscaled);
        show(keys, front ? ARM_F : ARM_B, ROTATION, arm);
        show_leg(keys, rabbit, &body, front);
    }
    show_head(keys, rabbit, &body);
    double size = 1 / (1 + rabbit->up / 1500);
    show(keys, SHADOW, SCALE, (struct joint){v3(rabbit->x, 0, 0), q_identity, v3(size, 1, size)});
}

/* ---- the file ------------------------------------------------------------------------------ */

/* 4096 to the turn. */
static long units_of(double angle)
{
    return nearest(angle * 4096 / (2 * PI));
}

/* The angles about X, then Y, then Z that make up q: R = Rz Ry Rx. */
static void put_rotation(struct bytes *file, quat q)
{
    vec3 x = q_rotate(q, v3(1, 0, 0));
    vec3 y = q_rotate(q, v3(0, 1, 0));
    vec3 z = q_rotate(q, v3(0, 0, 1));
    put_i16(file, units_of(angle_of(y.z, z.z)));
    put_i16(file, units_of(angle_of(-x.z, v_length(v3(x.x, x.y, 0)))));
    put_i16(file, units_of(angle_of(x.y, x.x)));
}

static void put_vec3(struct bytes *file, vec3 v, double one)
{
    put_i16(file, nearest(v.x * one));
    put_i16(file, nearest(v.y * one));
    put_i16(file, nearest(v.z * one));
}

static void put_frame(struct bytes *file, const struct rabbit *rabbit)
{
    struct key keys[OBJECTS];
    show_rabbit(keys, rabbit);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        const struct key *key = &keys[i];
        if (key->flags == 0) continue;
        put_u8(file, i);
        put_u8(file, (uint32_t)key->flags);
        if ((key->flags & ROTATION) != 0) put_rotation(file, key->joint.turn);
        if ((key->flags & SCALE) != 0) put_vec3(file, key->joint.scale, 4096);
        put_vec3(file, key->joint.at, 1);
    }
}

/* Where a frame starts, or the file ends. */
static void mark(struct bytes *file, unsigned frame)
{
    set_u16(file, 6 + 2 * (size_t)frame, (uint32_t)(file->size / 2));
}

static void save_move(const char *root, const char *name, uint32_t rate, unsigned first,
                      unsigned frames, void (*pose)(struct rabbit *rabbit, unsigned frame))
{
    struct bytes file = {0};
    put_u16(&file, 0x8000);
    put_u16(&file, rate);
    put_u16(&file, frames);
    put_zeros(&file, 2 * ((size_t)frames + 1));
    for (unsigned f = 0; f < frames; f++) {
        struct rabbit rabbit = {0};
        mark(&file, f);
        pose(&rabbit, first + f);
        put_frame(&file, &rabbit);
    }
    mark(&file, frames);
    save(&file, root, name);
}

/* ---- hop ----------------------------------------------------------------------------------- */

enum { HOP_FRAMES = 32, HOP_RATE = 30, HOP_KEYS = 16 };

#define STANDING 250.0 /* height of the hips */

/* Crouch, leap, tuck, land, settle. The keys are two frames apart. */
static void pose_hop(struct rabbit *rabbit, unsigned frame)
{
    static const double hips[] = {0, -40, -110, -120, 20,   60,  10, 0,
                                  0, 0,   20,   30,   -110, -90, 25, 15};
    static const double squash[] = {1,   .93,  .8,   .76,  1.1, 1.25, 1.14, 1.02,
                                    1.0, 1.05, 1.15, 1.16, .72, .8,   1.08, 1.03};
    static const double ears[] = {8, 6, -2, -6, 14, 48, 62, 50, 26, 6, -3, -4, 6, 36, 24, 12};
    static const double tips[] = {4, 8, 6, -8, -10, 20, 48, 56, 36, 10, -6, -8, -2, 40, 44, 14};
    static const double arms[] = {16,  8,  -14, -26, 40, 112, 138, 130,
                                  110, 96, 88,  84,  40, 4,   20,  20};
    static const double toes[] = {0, 0, 0, 0, 10, 52, 40, 14, -6, -16, -18, -10, 0, 0, 0, 0};
    static const double nods[] = {0, 3, 6, 4, -6, -9, -4, 0, 2, 3, 4, 5, 8, 4, -3, -2};
    double phase = (double)frame / HOP_FRAMES;
    double t = clamp((phase - 0.265) / 0.46, 0, 1);
    double air = 680 * 4 * t * (1 - t);
    double ear = loop_curve(ears, HOP_KEYS, phase);
    double tip = loop_curve(tips, HOP_KEYS, phase);
    double arm = loop_curve(arms, HOP_KEYS, phase);
    double tuck = 150 * bump(t, 0.1, 1);

    rabbit->up = STANDING + air + loop_curve(hips, HOP_KEYS, phase);
    rabbit->squash = loop_curve(squash, HOP_KEYS, phase);
    rabbit->head_squash = 0.5 + 0.5 * loop_curve(squash, HOP_KEYS, phase - 0.03);
    rabbit->nod = loop_curve(nods, HOP_KEYS, phase);
    rabbit->look = 14 + 8 * wave(phase);
    rabbit->wag = 25 * wave(4 * phase);
    for (int i = 0; i < 2; i++) {
        double side = i == 0 ? -1 : 1;
        rabbit->ear[i] = side * ear + 2;
        rabbit->tip[i] = side * tip;
        rabbit->arm[i] = -side * arm;
        rabbit->foot_x[i] = side * 130;
        rabbit->foot_up[i] = air > 0 ? 0.92 * air + tuck : 0;
        rabbit->foot_pitch[i] = loop_curve(toes, HOP_KEYS, phase);
    }
    /* she winces at the landing and blinks once before the next leap */
    rabbit->blink = (frame >= 23 && frame <= 27) || frame == 3 || frame == 4;
}

/* ---- walk ---------------------------------------------------------------------------------- */

/* A sequence of four strides, two a file. In the third she turns a somersault. */
enum { WALK_FRAMES = 72, WALK_RATE = 20 };

#define STRIDES   4.0
#define STRIDE    1150.0
#define FLIP_FROM 2.2
#define FLIP_TO   3.05

static const struct step paw_step = {0.55, -0.275 * STRIDE, STRIDE, 170};

/* The parts of the body while she walks. */
static void walk_body(struct rabbit *rabbit, double u)
{
    double bob = cowave(2 * (u - 0.06));
    rabbit->up = STANDING - 12 - 28 * bob;
    rabbit->lean = 7 + 3 * wave(u);
    rabbit->squash = 1 - 0.05 * bob;
    rabbit->head_squash = 1;
    rabbit->nod = -5 + 5 * cowave(2 * (u - 0.2));
    rabbit->look = 26 + 8 * wave(u);
    rabbit->wag = 22 * wave(2 * u);
    for (int i = 0; i < 2; i++) {
        rabbit->ear[i] = (i == 0 ? -30 : -6) + 9 * cowave(2 * (u - 0.26));
        rabbit->tip[i] = (i == 0 ? -14 : -8) + 20 * cowave(2 * (u - 0.36));
        rabbit->arm[i] = (i == 0 ? 1 : -1) * 42 * cowave(u - 0.05);
    }
}

static void walk_foot(struct rabbit *rabbit, int front, double phase)
{
    static const double pitches[] = {-18, -4, 0, 0, 4, 16, 40, 48, 24, -2, -20, -24};
    double pitch = loop_curve(pitches, 12, phase);
    /* the heel rises as the foot rolls over its toes */
    double heel = pitch > 0 ? 230 * wave(pitch / 360) : 0;
    rabbit->foot_x[front] = rabbit->x - step_y(&paw_step, phase) + 0.3 * heel;
    rabbit->foot_up[front] = step_lift(&paw_step, phase) + heel;
    rabbit->foot_pitch[front] = pitch;
}

/* Up, once around about the middle of the body, and down again; t goes from 0 to 1. */
static void add_somersault(struct rabbit *rabbit, double t)
{
    double air = 4 * t * (1 - t);
    double curled = ease(t, 0, 0.25) * (1 - ease(t, 0.75, 1));
    double angle = 360 * ease(t, 0.08, 0.92);
    quat turn = roll(rabbit->lean + angle);
    /* the middle of the body, 400 above the hips, goes straight on: the hips go around it */
    vec3 arm = v_sub(q_rotate(turn, v3(0, 400, 0)), q_rotate(roll(rabbit->lean), v3(0, 400, 0)));
    rabbit->x += arm.x;
    rabbit->up += 760 * air - arm.y;
    rabbit->lean += angle;
    rabbit->squash -= 0.12 * curled;
    rabbit->nod += 14 * curled;
    for (int i = 0; i < 2; i++) {
        rabbit->ear[i] -= 30 * curled;
        rabbit->tip[i] -= 30 * curled;
        rabbit->arm[i] = mix(rabbit->arm[i], i == 0 ? -50 : -80, curled);
        vec3 hold = q_rotate(turn, v3(i == 0 ? 60 : 190, 90, 0));
        rabbit->foot_x[i] = mix(rabbit->foot_x[i], rabbit->x + hold.x, curled);
        rabbit->foot_up[i] = mix(rabbit->foot_up[i] + 600 * air, rabbit->up - hold.y, curled);
        rabbit->foot_pitch[i] = mix(rabbit->foot_pitch[i], -20, curled) + angle;
    }
}

static void pose_walk(struct rabbit *rabbit, unsigned frame)
{
    double u = STRIDES * frame / WALK_FRAMES;
    rabbit->x = STRIDE * (u - STRIDES / 2);
    walk_body(rabbit, u);
    for (int i = 0; i < 2; i++) walk_foot(rabbit, i, wrap(u + 0.5 * i));
    if (u > FLIP_FROM && u < FLIP_TO)
        add_somersault(rabbit, (u - FLIP_FROM) / (FLIP_TO - FLIP_FROM));
    rabbit->blink = frame == 12 || frame == 13 || (frame >= 50 && frame <= 58);
}

void make_rabbit(const char *root)
{
    save_rabbit_model(root);
    save_move(root, "rabbit/hop.anm", HOP_RATE, 0, HOP_FRAMES, pose_hop);
    save_move(root, "rabbit/walk0.anm", WALK_RATE, 0, WALK_FRAMES / 2, pose_walk);
    save_move(root, "rabbit/walk1.anm", WALK_RATE, WALK_FRAMES / 2, WALK_FRAMES / 2, pose_walk);
}
