/* SPDX-License-Identifier: MIT */
#include "support/mm_pedestrian.h"

#include "support/ar_fixture.h"

#include <stdio.h>
#include <string.h>

/* ---- skeletons ----------------------------------------------------------------------------- */

/* A bone: how deep it lies, and where (in millimetres, so that the text is the same everywhere). */
struct plan {
    unsigned depth;
    const char *name;
    int x, y, z;
};

static const struct plan mm1_bones[MM1_BONES] = {
    {0, "root", 0, 1010, 0},      {1, "hips", 0, 20, 0},          {2, "hip_l", -90, -40, 0},
    {3, "knee_l", 0, -430, 0},    {4, "ankle_l", 0, -420, 0},     {2, "spine", 0, 60, 10},
    {3, "chest", 0, 190, -10},    {4, "clavicle_l", -40, 160, 0}, {5, "shoulder_l", -120, 0, 0},
    {6, "elbow_l", -270, 0, 0},   {7, "wrist_l", -250, 0, 0},     {8, "hand_l", -60, 0, 0},
    {4, "neck", 0, 210, 0},       {5, "head", 0, 90, -20},        {6, "hat", 0, 180, 0},
    {4, "back", 0, 0, 90},        {5, "spine", 0, 40, 60},        {4, "clavicle_r", 40, 160, 0},
    {5, "shoulder_r", 120, 0, 0}, {6, "elbow_r", 270, 0, 0},      {7, "wrist_r", 250, 0, 0},
    {8, "hand_r", 60, 0, 0},      {2, "hip_r", 90, -40, 0},       {3, "knee_r", 0, -430, 0},
    {4, "ankle_r", 0, -420, 0},   {5, "toe_r", 0, -40, -110},
};

static const struct plan mm2_bones[MM2_BONES] = {
    {0, "root", 1, 1147, 0},       {1, "spine", 0, 51, 19},       {2, "neck", 0, 420, 0},
    {3, "head", 0, 90, -20},       {2, "clavicle_r", 40, 330, 0}, {3, "shoulder_r", 130, 0, 0},
    {4, "elbow_r", 280, 0, 0},     {5, "wrist_r", 260, 0, 0},     {2, "clavicle_l", -40, 330, 0},
    {3, "shoulder_l", -130, 0, 0}, {4, "elbow_l", -280, 0, 0},    {5, "wrist_l", -260, 0, 0},
    {1, "pelvis", 0, -20, 0},      {2, "hip_l", -90, -60, 0},     {3, "knee_l", 0, -480, 0},
    {4, "ankle_l", 0, -480, 0},    {2, "hip_r", 90, -60, 0},      {3, "knee_r", 0, -480, 0},
    {4, "ankle_r", 0, -480, 0},
};

static void put_indent(struct bytes *file, unsigned depth)
{
    for (unsigned i = 0; i < depth; i++) put_text(file, "\t");
}

/* "-0.430000": millimetres in metres. */
static void put_metres(struct bytes *file, int millimetres)
{
    char text[32];
    unsigned size = (unsigned)(millimetres < 0 ? -millimetres : millimetres);
    (void)snprintf(text, sizeof text, " %s%u.%03u000", millimetres < 0 ? "-" : "", size / 1000,
                   size % 1000);
    put_text(file, text);
}

static void put_line(struct bytes *file, const char *text)
{
    put_text(file, text);
    put_text(file, "\r\n");
}

static struct bytes make_skel(const struct plan *bones, unsigned count)
{
    struct bytes file = {0};
    char line[64];
    unsigned open = 0;
    (void)snprintf(line, sizeof line, "NumBones %u", count);
    put_line(&file, line);
    for (unsigned i = 0; i < count; i++) {
        for (; open > bones[i].depth; open--) {
            put_indent(&file, open - 1);
            put_line(&file, "}");
        }
        put_indent(&file, open);
        (void)snprintf(line, sizeof line, "bone %s {", bones[i].name);
        put_line(&file, line);
        open++;
        put_indent(&file, open);
        put_text(&file, "offset");
        put_metres(&file, bones[i].x);
        put_metres(&file, bones[i].y);
        put_metres(&file, bones[i].z);
        put_line(&file, "");
    }
    for (; open > 0; open--) {
        put_indent(&file, open - 1);
        put_line(&file, "}");
    }
    return file;
}

struct bytes make_mm1_skel(void)
{
    return make_skel(mm1_bones, MM1_BONES);
}

struct bytes make_mm2_skel(void)
{
    return make_skel(mm2_bones, MM2_BONES);
}

/* ---- animations ---------------------------------------------------------------------------- */

/* A walk: the root goes towards -Z, and the angles of all bones swing. Multiples of 1/64, so that
 * the numbers are the same everywhere. */
static float root_z(uint32_t frame)
{
    return -(float)(3 * frame) / 64.0F;
}

static void put_frames(struct bytes *file, uint32_t seed, uint32_t frames, uint32_t bones)
{
    for (uint32_t f = 0; f < frames; f++) {
        put_f32(file, 0.0F);
        put_f32(file, 65.0F / 64.0F);
        put_f32(file, root_z(f));
        for (uint32_t i = 0; i < 3 * bones; i++) {
            uint32_t step = (seed + 5 * i + 3 * f) % 32;
            put_f32(file, ((float)step - 16.0F) / 64.0F);
        }
    }
}

struct bytes make_mm1_anim(uint32_t seed, uint32_t frames)
{
    struct bytes file = {0};
    put_u32(&file, frames);
    put_u32(&file, MM1_BONES);
    put_frames(&file, seed, frames, MM1_BONES);
    return file;
}

struct bytes make_mm2_anim(uint32_t seed, uint32_t frames)
{
    struct bytes file = {0};
    uint32_t last = frames < 2 ? 0 : frames - 1;
    put_u32(&file, 0);
    put_u32(&file, frames);
    put_u32(&file, 3 * MM2_BONES + 3);
    /* One whole cycle: the last step once more, back to the first frame. */
    put_f32(&file, -(2.0F * root_z(last) - root_z(last < 1 ? 0 : last - 1) - root_z(0)));
    put_u8(&file, 1);
    put_frames(&file, seed, frames, MM2_BONES);
    return file;
}
