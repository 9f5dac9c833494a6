/* SPDX-License-Identifier: MIT
 *
 * The pedestrian, after Midtown Madness: ped.skel and MOVE.anim. */
#include "emit.h"
#include "pedestrian.h"
#include "samples.h"

#include <stdio.h>

const struct ped_bone ped_bones[BONES] = {
    [ROOT] = {"root", -1, HP, {0, 0, PED_HIPS}},
    [SPINE] = {"spine", ROOT, BD, {0, 0.01, 0.11}},
    [HEAD] = {"head", SPINE, HD, {0, -0.01, 0.52}},
    [HAT_BONE] = {"hat", HEAD, HAT, {0, 0, 0.22}},
    [LARM] = {"larm", SPINE, LH1, {0.18, 0.01, 0.42}},
    [LFOREARM] = {"lforearm", LARM, LH2, {0.03, 0.01, -0.29}},
    [LHAND] = {"lhand", LFOREARM, LH3, {0, -0.01, -0.25}},
    [RARM] = {"rarm", SPINE, RH1, {-0.18, 0.01, 0.42}},
    [RFOREARM] = {"rforearm", RARM, RH2, {-0.03, 0.01, -0.29}},
    [RHAND] = {"rhand", RFOREARM, RH3, {0, -0.01, -0.25}},
    [LTHIGH] = {"lthigh", ROOT, LL1, {0.09, 0, -0.03}},
    [LSHIN] = {"lshin", LTHIGH, LL2, {0.01, -0.01, -0.42}},
    [LFOOT] = {"lfoot", LSHIN, LL3, {0, 0.01, -0.4}},
    [LTOE] = {"ltoe", LFOOT, LEFT_TOES, {0, -PED_FOOT, 0.03 - PED_ANKLE}},
    [RTHIGH] = {"rthigh", ROOT, RL1, {-0.09, 0, -0.03}},
    [RSHIN] = {"rshin", RTHIGH, RL2, {-0.01, -0.01, -0.42}},
    [RFOOT] = {"rfoot", RSHIN, RL3, {0, 0.01, -0.4}},
    [RTOE] = {"rtoe", RFOOT, RIGHT_TOES, {0, -PED_FOOT, 0.03 - PED_ANKLE}},
};

/* Half a turn about the axis between Y and Z. */
vec3 ped_to_game(vec3 v)
{
    return v3(-v.x, v.z, v.y);
}

static quat turn_to_game(quat q)
{
    vec3 axis = ped_to_game(v3(q.x, q.y, q.z));
    return (quat){q.w, axis.x, axis.y, axis.z};
}

/* ---- SKEL ---------------------------------------------------------------------------------- */

static void put_indent(struct bytes *file, int depth)
{
    for (; depth > 0; depth--) put_text(file, "\t");
}

static void put_bone(struct bytes *file, int bone, int depth)
{
    char line[128];
    put_indent(file, depth);
    (void)snprintf(line, sizeof line, "bone %s {\n", ped_bones[bone].name);
    put_text(file, line);
    vec3 offset = ped_to_game(ped_bones[bone].offset);
    put_indent(file, depth + 1);
    /* + 0.0 makes a positive zero of a negative one */
    (void)snprintf(line, sizeof line, "offset %.6f %.6f %.6f\n", offset.x + 0.0, offset.y + 0.0,
                   offset.z + 0.0);
    put_text(file, line);
    for (int child = bone + 1; child < BONES; child++) {
        if (ped_bones[child].parent == bone) put_bone(file, child, depth + 1);
    }
    put_indent(file, depth);
    put_text(file, "}\n");
}

static void save_skeleton(const char *root)
{
    struct bytes file = {0};
    char line[32];
    (void)snprintf(line, sizeof line, "NumBones %d\n", (int)BONES);
    put_text(&file, line);
    put_bone(&file, ROOT, 0);
    save(&file, root, "pedestrian/ped.skel");
}

/* ---- ANIM ---------------------------------------------------------------------------------- */

static void put_header(struct bytes *file, const struct ped_move *move)
{
    if (move->dialect == PED_MM1) {
        put_u32(file, move->frames);
        put_u32(file, BONES);
        return;
    }
    put_u32(file, move->dialect == PED_DOCUMENTED ? 1 : 0);
    put_u32(file, move->frames);
    put_u32(file, 3 * BONES + 3);
    put_f32(file, -move->stride); /* along z, and he walks towards -z */
    put_u8(file, 1);              /* loops */
}

/* Rotation of each bone against its parent, still in the space of biped.h. */
static void local_turns(quat local[BONES], const struct ped_pose *pose)
{
    vec3 places[PARTS];
    quat world[PARTS];
    for (int i = 0; i < BONES; i++) {
        if (ped_bones[i].part >= 0) places[ped_bones[i].part] = ped_bones[i].offset;
    }
    biped_solve(world, places, &pose->body);
    for (int i = 0; i < BONES; i++) {
        int part = ped_bones[i].part;
        if (part == HAT) {
            local[i] = turn_of(pose->hat);
        } else if (part < 0) {
            local[i] = q_turn(v3(1, 0, 0), -pose->toes[part == LEFT_TOES ? LEFT : RIGHT]);
        } else if (ped_bones[i].parent < 0) {
            local[i] = world[part];
        } else {
            local[i] = q_mul(q_conjugate(world[ped_bones[ped_bones[i].parent].part]), world[part]);
        }
    }
}

/* The whole turns that bring an angle nearest to the one of the frame before. */
static double unwind(double angle, double before)
{
    while (angle - before > PI) angle -= 2 * PI;
    while (angle - before < -PI) angle += 2 * PI;
    return angle;
}

/* The angles about X, then Z, then Y that make up q: R = Ry Rz Rx. */
static vec3 angles_of(quat q, vec3 before)
{
    vec3 x = q_rotate(q, v3(1, 0, 0));
    vec3 y = q_rotate(q, v3(0, 1, 0));
    vec3 z = q_rotate(q, v3(0, 0, 1));
    double about_y = angle_of(-x.z, x.x);
    double about_z = angle_of(x.y, v_length(v3(x.x, 0, x.z)));
    double about_x = angle_of(-z.y, y.y);
    return v3(unwind(about_x, before.x), unwind(about_y, before.y), unwind(about_z, before.z));
}

static void put_vec3(struct bytes *file, vec3 v)
{
    put_f32(file, v.x);
    put_f32(file, v.y);
    put_f32(file, v.z);
}

static void save_move(const char *root, const struct ped_move *move)
{
    struct bytes file = {0};
    vec3 angles[BONES] = {{0, 0, 0}};
    put_header(&file, move);
    for (unsigned f = 0; f < move->frames; f++) {
        double phase = (double)f / move->frames;
        struct ped_pose pose = {0};
        quat local[BONES];
        move->pose(&pose, phase);
        local_turns(local, &pose);
        vec3 way = v3(0, -move->stride * phase, 0);
        put_vec3(&file, ped_to_game(v_add(pose.body.hips, way)));
        for (int i = 0; i < BONES; i++) {
            angles[i] = angles_of(turn_to_game(local[i]), angles[i]);
            put_vec3(&file, angles[i]);
        }
    }
    char name[64];
    (void)snprintf(name, sizeof name, "pedestrian/%s.anim", move->name);
    save(&file, root, name);
}

void make_pedestrian(const char *root)
{
    save_skeleton(root);
    save_ped_model(root);
    for (const struct ped_move *move = ped_moves; move->name != NULL; move++) save_move(root, move);
}
