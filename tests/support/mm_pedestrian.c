/* SPDX-License-Identifier: MIT */
#include "support/mm_pedestrian.h"

#include "support/ar_fixture.h"

#include <stdbool.h>

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

/* ---- meshes -------------------------------------------------------------------------------- */

/* Every bone has a triangle, and another one reaches over the joint to the bone before it. */
enum { CORNERS = 3 };

static void put_number(struct bytes *file, const char *before, unsigned number)
{
    char text[48];
    (void)snprintf(text, sizeof text, "%s%u", before, number);
    put_text(file, text);
}

static void put_count(struct bytes *file, const char *word, unsigned count)
{
    put_text(file, word);
    put_number(file, ": ", count);
    put_line(file, "");
}

static void put_vertices(struct bytes *file, unsigned bones)
{
    static const int corners[CORNERS][3] = {{-30, 0, 20}, {30, 0, 20}, {0, 60, -20}};
    for (unsigned i = 0; i < CORNERS * bones; i++) {
        const int *corner = corners[i % CORNERS];
        put_text(file, "v");
        put_metres(file, corner[0] - (int)(i / CORNERS));
        put_metres(file, corner[1]);
        put_metres(file, corner[2]);
        put_line(file, "");
    }
}

static void put_shares(struct bytes *file, unsigned bones, unsigned normals)
{
    put_text(file, "mtxv");
    for (unsigned i = 0; i < bones; i++) put_number(file, " ", CORNERS);
    put_line(file, "");
    put_text(file, "mtxn");
    for (unsigned i = 0; i < bones; i++) put_number(file, " ", normals);
    put_line(file, "");
}

/* The first bone of a material: all materials together have all bones. */
static unsigned first_bone(unsigned material, unsigned bones, unsigned materials)
{
    return material * bones / materials;
}

struct bytes make_mm1_mod(void)
{
    static const char *const materials[MM1_MATERIALS] = {
        "mtl Officer:SKIN {\r\n\tprimitives: %u\r\n\ttexture1: none\r\n\ttexture2: none\r\n"
        "\tillum: diffuse\r\n\tambient: 0 0 0\r\n\tdiffuse: 0.8 0.6 0.4\r\n\tspecular: 0 0 "
        "0\r\n}\r\n",
        "mtl Officer:SHIRT {\r\n\tprimitives: %u\r\n\ttexture1: badge64\r\n\ttexture2: none\r\n"
        "\tillum: diffuse\r\n\tambient: 0 0 0\r\n\tdiffuse: 0.2 0.2 0.6\r\n\tspecular: 0 0 "
        "0\r\n}\r\n",
        "mtl Officer:SHOES {\r\n\tprimitives: %u\r\n\ttexture1: none\r\n\ttexture2: none\r\n"
        "\tillum: diffuse\r\n\tambient: 0 0 0\r\n\tdiffuse: 0.1 0.1 0.1\r\n\tspecular: 0 0 "
        "0\r\n}\r\n"};
    struct bytes file = {0};
    put_line(&file, "version: 1.06");
    put_count(&file, "verts", CORNERS * MM1_BONES);
    put_count(&file, "normals", MM1_BONES);
    put_count(&file, "colors", 1);
    put_count(&file, "tex1s", 1);
    put_count(&file, "tex2s", 0);
    put_count(&file, "tangents", 0);
    put_count(&file, "materials", MM1_MATERIALS);
    put_count(&file, "adjuncts", (CORNERS + 1) * MM1_BONES);
    put_count(&file, "primitives", 2 * MM1_BONES);
    put_count(&file, "matrices", MM1_BONES);
    put_vertices(&file, MM1_BONES);
    for (unsigned i = 0; i < MM1_BONES; i++) put_line(&file, "n 0 0 1");
    put_line(&file, "c 1 1 1 1");
    put_line(&file, "t1 0.5 0.5");
    for (unsigned m = 0; m < MM1_MATERIALS; m++) {
        char text[256];
        unsigned count =
            first_bone(m + 1, MM1_BONES, MM1_MATERIALS) - first_bone(m, MM1_BONES, MM1_MATERIALS);
        (void)snprintf(text, sizeof text, materials[m], 2 * count);
        put_text(&file, text);
    }
    unsigned material = 0;
    for (unsigned b = 0; b < MM1_BONES; b++) { /* its corners, and one of the bone before */
        if (b == first_bone(material + 1, MM1_BONES, MM1_MATERIALS)) material++;
        for (unsigned k = 0; k <= CORNERS; k++) {
            unsigned bone = k == CORNERS && b > 0 ? b - 1 : b;
            char text[64];
            (void)snprintf(text, sizeof text, "adj %u %u 0 0 0 %u", CORNERS * bone + k % CORNERS,
                           bone, material);
            put_line(&file, text);
        }
    }
    for (unsigned b = 0; b < MM1_BONES; b++) {
        char text[64];
        unsigned at = (CORNERS + 1) * b;
        (void)snprintf(text, sizeof text, "tri %u %u %u\r\ntri %u %u %u", at, at + 1, at + 2,
                       at + 1, at, at + 3);
        put_line(&file, text);
    }
    put_shares(&file, MM1_BONES, 1);
    return file;
}

static const char *const mm2_diffuse[MM2_MATERIALS] = {"0.75 0.5 0.375", "0.125 0.25 0.5",
                                                       "0.0625 0.0625 0.0625"};

/* A packet of the bones from `first` to before `end`, with the bone before where there is one. */
static void put_packet(struct bytes *file, unsigned first, unsigned end)
{
    char text[64];
    unsigned begin = first > 0 ? first - 1 : 0; /* that bone's corners are in its own packet, too */
    unsigned triangles = 2 * (end - first) - (first == 0 ? 1 : 0);
    (void)snprintf(text, sizeof text, "packet %u %u %u {", CORNERS * (end - begin), triangles,
                   end - begin);
    put_line(file, text);
    for (unsigned i = CORNERS * begin; i < CORNERS * end; i++) {
        (void)snprintf(text, sizeof text, "\tadj %u %u 0 0 0 %u", i, i, i / CORNERS - begin);
        put_line(file, text);
    }
    for (unsigned b = first; b < end; b++) {
        unsigned at = CORNERS * (b - begin);
        (void)snprintf(text, sizeof text, "\ttri %u %u %u", at, at + 1, at + 2);
        put_line(file, text);
        if (b == 0) continue;
        (void)snprintf(text, sizeof text, "\ttri %u %u %u", at + 1, at, at - 3);
        put_line(file, text);
    }
    put_text(file, "\tmtx");
    for (unsigned b = begin; b < end; b++) put_number(file, " ", b);
    put_line(file, "\r\n}");
}

struct bytes make_mm2_mod(void)
{
    static const char *const names[MM2_MATERIALS] = {"SKIN", "JACKET", "SHOES"};
    struct bytes file = {0};
    put_line(&file, "version: 1.09");
    put_count(&file, "verts", CORNERS * MM2_BONES);
    put_count(&file, "normals", CORNERS * MM2_BONES);
    put_count(&file, "colors", 1);
    put_count(&file, "tex1s", 1);
    put_count(&file, "tex2s", 0);
    put_count(&file, "tangents", 0);
    put_count(&file, "materials", MM2_MATERIALS);
    put_count(&file, "adjuncts", CORNERS * MM2_BONES); /* before packets repeated some of them */
    put_count(&file, "primitives", 2 * MM2_BONES - 1);
    put_count(&file, "matrices", MM2_BONES);
    put_vertices(&file, MM2_BONES);
    for (unsigned i = 0; i < CORNERS * MM2_BONES; i++) put_line(&file, "n 0 0 1");
    put_line(&file, "c 1 1 1 1");
    put_line(&file, "t1 0.5 0.5");
    for (unsigned m = 0; m < MM2_MATERIALS; m++) {
        char text[256];
        unsigned first = first_bone(m, MM2_BONES, MM2_MATERIALS);
        unsigned end = first_bone(m + 1, MM2_BONES, MM2_MATERIALS);
        (void)snprintf(text, sizeof text,
                       "mtl Businessman1:%s {\r\n\tpackets: %u\r\n\tprimitives: %u\r\n"
                       "\ttextures: 0\r\n\tillum: diffuse\r\n\tambient: 0 0 0\r\n\tdiffuse: %s\r\n"
                       "\tspecular: 0 0 0\r\n}\r\n",
                       names[m], m == 1 ? 2U : 1U, 2 * (end - first) - (first == 0 ? 1 : 0),
                       mm2_diffuse[m]);
        put_text(&file, text);
    }
    for (unsigned m = 0; m < MM2_MATERIALS; m++) { /* the second is split over two packets */
        unsigned first = first_bone(m, MM2_BONES, MM2_MATERIALS);
        unsigned end = first_bone(m + 1, MM2_BONES, MM2_MATERIALS);
        unsigned middle = m == 1 ? first + 2 : first;
        if (middle > first) put_packet(&file, first, middle);
        put_packet(&file, middle, end);
    }
    put_shares(&file, MM2_BONES, CORNERS);
    return file;
}

/* ---- tables -------------------------------------------------------------------------------- */

/* The last frame of WALK is one past the end of its animation, as in shipped tables. */
struct bytes make_mm1_csv(void)
{
    struct bytes file = {0};
    put_line(&file, "# anim name,mma name,first frame,last frame,Y AXIS Offset,Y AXIS DISTANCE,"
                    "X AXIS Offset,X AXIS DISTANCE,default next");
    put_line(&file, "STAND,officer_stand,1,3,0,0,0,0,STAND");
    put_line(&file, "WALK,officer_walk,1,5,0,0.1875,0,0,WALK");
    put_line(&file, "WALK_STAND,officer_walk,4,1,0,0,0,0,STAND");
    return file;
}

struct bytes make_mm2_csv(const char *who)
{
    struct bytes file = {0};
    char text[96];
    put_line(&file, "# anim name,mma name,first frame,last frame,Y AXIS Offset,Y AXIS DISTANCE,"
                    "X AXIS Offset,X AXIS DISTANCE,default next");
    (void)snprintf(text, sizeof text, "STAND,pedanim_%sstand,1,3,0,0,0,0,STAND", who);
    put_line(&file, text);
    (void)snprintf(text, sizeof text, "WALK,pedanim_%swalk,1,5,0.281,0.1875,0,0,WALK", who);
    put_line(&file, text);
    (void)snprintf(text, sizeof text, "WALK_LDIVE,pedanim_%swalk,2,4,0,0,0,2.25,STAND", who);
    put_line(&file, text);
    return file;
}

/* ---- variants ------------------------------------------------------------------------------ */

struct bytes make_mm1_var(void)
{
    struct bytes file = {0};
    put_u32(&file, MM1_VARIANTS);
    put_u32(&file, MM1_MATERIALS);
    for (unsigned i = 0; i < MM1_VARIANTS * MM1_MATERIALS; i++) {
        put_u8(&file, 10 * i);         /* blue */
        put_u8(&file, 200 - 7 * i);    /* green */
        put_u8(&file, (31 * i) % 256); /* red */
        put_u8(&file, 255);
    }
    return file;
}

struct bytes make_mm2_shaders(void)
{
    static const float own[MM2_MATERIALS][3] = {
        {0.75F, 0.5F, 0.375F}, {0.125F, 0.25F, 0.5F}, {0.0625F, 0.0625F, 0.0625F}};
    struct bytes file = {0};
    put_u32(&file, MM2_VARIANTS);
    put_u32(&file, MM2_MATERIALS);
    for (unsigned v = 0; v < MM2_VARIANTS; v++) {
        for (unsigned m = 0; m < MM2_MATERIALS; m++) {
            bool is_skin = m == 0; /* the same in all variants */
            put_u8(&file, 0);
            for (unsigned k = 0; k < 3; k++) {
                float other = (float)((5 * v + 3 * m + k) % 16) / 16.0F;
                put_f32(&file, is_skin || v == MM2_OWN_VARIANT ? own[m][k] : other);
            }
            put_f32(&file, 1.0F);
            for (unsigned k = 0; k < 12; k++) put_f32(&file, k % 4 == 3 ? 1.0F : 0.0F);
            put_f32(&file, 0.0F);
        }
    }
    return file;
}

/* ---- the archive --------------------------------------------------------------------------- */

static const char note[] =
    "type: a\r\nframes 30 { order unknown }\r\nchannels 60 { see the other file "
    "for what was exported here }\r\n";
static const char rays[] = "1\r\n0 0 0 0 0\r\n0\r\n";
static const char cars[] =
    "bug,beetle,110,180,1.25,0.5,0.75,2\r\ncab,taxi,120,170,1.5,0.25,0.5,3\r\n";
static const char races[] = "Name,Track,Laps,Cars,Cops,Peds,Fog,Rain,Time\r\n"
                            "circuit1,downtown,1,3,0.5,0.25,0,1,60\r\n";
static const char opponents[] = "opp1,bus,1,3,0.5,1,0,0,race1\r\nopp2,cab,2,3,0.25,1,0,0,race1\r\n";

struct bytes make_mm2_archive(void)
{
    struct bytes skel = make_mm2_skel();
    struct bytes mod = make_mm2_mod();
    struct bytes shaders = make_mm2_shaders();
    struct bytes man = make_mm2_csv("man");
    struct bytes woman = make_mm2_csv("woman");
    struct bytes anims[4];
    for (uint32_t i = 0; i < 4; i++) anims[i] = make_mm2_anim(11 + i, i % 2 == 0 ? 3 : 4);
    const struct {
        const char *name;
        const struct bytes *bytes; /* NULL: the text */
        const char *text;
    } entries[] = {
        {"anim/pedanim_manantrnch.anim", NULL, note},
        {"anim/pedanim_manstand.anim", &anims[0], NULL},
        {"anim/pedanim_manwalk.anim", &anims[1], NULL},
        {"anim/pedanim_womanstand.anim", &anims[2], NULL},
        {"anim/pedanim_womanwalk.anim", &anims[3], NULL},
        {"anim/pedmodel_man.csv", &man, NULL},
        {"anim/pedmodel_man.mod", &mod, NULL},
        {"anim/pedmodel_man.rays", NULL, rays},
        {"anim/pedmodel_man.shaders", &shaders, NULL},
        {"anim/pedmodel_man.skel", &skel, NULL},
        {"anim/pedmodel_manw.csv", &man, NULL},
        {"anim/pedmodel_manw.mod", &mod, NULL},
        {"anim/pedmodel_manw.shaders", &shaders, NULL},
        {"anim/pedmodel_manw.skel", &skel, NULL},
        {"anim/pedmodel_wolf.skel", &skel, NULL},
        {"anim/pedmodel_woman.csv", &woman, NULL},
        {"anim/pedmodel_woman.mod", &mod, NULL},
        {"anim/pedmodel_woman.remap", NULL, rays},
        {"anim/pedmodel_woman.shaders", &shaders, NULL},
        {"anim/pedmodel_woman.skel", &skel, NULL},
        {"race/opponents.csv", NULL, opponents},
        {"race/races.csv", NULL, races},
        {"tune/cars.csv", NULL, cars},
    };
    enum { COUNT = sizeof entries / sizeof entries[0] };
    struct dave_item items[COUNT];
    struct dave_places places;
    for (unsigned i = 0; i < COUNT; i++) {
        const struct bytes *bytes = entries[i].bytes;
        items[i] = (struct dave_item){.name = entries[i].name, .data = entries[i].text};
        if (bytes != NULL) {
            items[i].data = (const char *)bytes->data;
            items[i].data_size = bytes->size;
        }
    }
    struct bytes file = make_dave(items, COUNT, &places);
    for (unsigned i = 0; i < 4; i++) bytes_free(&anims[i]);
    bytes_free(&skel);
    bytes_free(&mod);
    bytes_free(&shaders);
    bytes_free(&man);
    bytes_free(&woman);
    return file;
}
