/* SPDX-License-Identifier: MIT */
#include "figure.h"

#include "bench.h"

#include <inttypes.h>
#include <math.h>

/* ---- bytes --------------------------------------------------------------------------------- */

void put(struct bytes *bytes, const void *data, size_t size)
{
    if (size > bytes->capacity - bytes->size) {
        bytes->capacity = 2 * (bytes->capacity + size);
        bytes->data = must(realloc(bytes->data, bytes->capacity));
    }
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

void put_u8(struct bytes *bytes, uint32_t value)
{
    uint8_t byte = (uint8_t)value;
    put(bytes, &byte, 1);
}

void put_u16(struct bytes *bytes, uint32_t value)
{
    put_u8(bytes, value & 0xff);
    put_u8(bytes, value >> 8 & 0xff);
}

void put_u32(struct bytes *bytes, uint32_t value)
{
    put_u16(bytes, value & 0xffff);
    put_u16(bytes, value >> 16);
}

void put_f32(struct bytes *bytes, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(bytes, bits);
}

bool collect_bytes(void *user, const void *data, size_t size)
{
    put(user, data, size);
    return true;
}

/* ---- the figure ---------------------------------------------------------------------------- */

static const ossa_transform rest = {
    {0.0F, 0.1F, 0.0F}, {0.0F, 0.0F, 0.0F, 1.0F}, {1.0F, 1.0F, 1.0F}};

int32_t figure_parent(uint32_t bone)
{
    enum { ON_A_LIMB = 10 };
    if (bone == 0) return -1;
    return bone % ON_A_LIMB == 1 ? 0 : (int32_t)bone - 1;
}

void figure_rotation(uint32_t variant, uint32_t bone, uint32_t frame, float rotation[4])
{
    /* Any axis, so that the numbers have all their digits, but the root's is upright. */
    const double axis[3] = {bone == 0 ? 0.0 : sin(bone), 1.1, bone == 0 ? 0.0 : cos(3.0 * bone)};
    double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    double angle = bone == 0 ? 0.8 * sin(0.02 * frame) : 0.5 * sin(0.1 * frame + bone + variant);
    for (unsigned i = 0; i < 3; i++) rotation[i] = (float)(sin(angle / 2.0) * axis[i] / length);
    rotation[3] = (float)cos(angle / 2.0);
}

static void name_bone(uint32_t bone, char name[16])
{
    (void)snprintf(name, 16, "bone%06" PRIu32, bone);
}

static void make_bones(struct figure *figure, uint32_t bones)
{
    figure->bones = must(calloc(bones, sizeof *figure->bones));
    figure->names = must(calloc(bones, sizeof *figure->names));
    figure->list = must(calloc(bones, sizeof *figure->list));
    figure->constant = must(calloc(bones, sizeof *figure->constant));
    figure->visible = must(calloc(bones, sizeof *figure->visible));
    for (uint32_t i = 0; i < bones; i++) {
        name_bone(i, figure->names[i]);
        figure->bones[i] =
            (ossa_bone){.name = figure->names[i], .parent = figure_parent(i), .rest = rest};
        figure->constant[i] = rest;
        figure->visible[i] = 1;
        figure->list[i] = i;
    }
}

void make_figure(struct figure *figure, uint32_t bones, uint32_t frames, uint32_t variant)
{
    make_bones(figure, bones);
    figure->rotations = must(calloc((size_t)bones * frames, 4 * sizeof *figure->rotations));
    figure->translations = must(calloc(frames, 3 * sizeof *figure->translations));
    for (uint32_t f = 0; f < frames; f++) {
        for (uint32_t i = 0; i < bones; i++) {
            figure_rotation(variant, i, f, figure->rotations + ((size_t)f * bones + i) * 4);
        }
        figure->translations[f * 3] = (float)sin(0.02 * f);
        figure->translations[f * 3 + 2] = (float)cos(0.02 * f);
    }
    figure->clip = (ossa_clip){.name = "walk",
                               .source = "",
                               .source_format = "",
                               .fps = FIGURE_FPS,
                               .frame_count = frames,
                               .keys_per_frame = 1,
                               .constant = figure->constant,
                               .constant_visible = figure->visible,
                               .rotations = {bones, figure->list, figure->rotations},
                               .translations = {1, figure->list, figure->translations}};
    figure->scene = (ossa_scene){.name = "figure",
                                 .game = "none",
                                 .bone_count = bones,
                                 .bones = figure->bones,
                                 .clip_count = 1,
                                 .clips = &figure->clip};
    if (ossa_scene_validate(&figure->scene, NULL)) return;
    fputs("the figure is not valid\n", stderr);
    exit(1);
}

void free_figure(struct figure *figure)
{
    free(figure->bones);
    free(figure->names);
    free(figure->list);
    free(figure->constant);
    free(figure->visible);
    free(figure->rotations);
    free(figure->translations);
}

/* ---- Evil Islands -------------------------------------------------------------------------- */

static void put_part_name(struct bytes *bytes, uint32_t bone)
{
    char name[16];
    name_bone(bone, name);
    put_u32(bytes, (uint32_t)strlen(name) + 1);
    put(bytes, name, strlen(name) + 1);
}

struct bytes make_lnk(uint32_t bones)
{
    struct bytes file = {0};
    put_u32(&file, bones);
    for (uint32_t i = 0; i < bones; i++) {
        put_part_name(&file, i);
        if (i == 0) put_u32(&file, 0);
        else put_part_name(&file, (uint32_t)figure_parent(i));
    }
    return file;
}

struct bytes make_anm(uint32_t frames, uint32_t variant, uint32_t bone)
{
    struct bytes file = {0};
    put_u32(&file, frames);
    for (uint32_t f = 0; f < frames; f++) {
        float xyzw[4];
        figure_rotation(variant, bone, f, xyzw);
        put_f32(&file, xyzw[3]);
        for (unsigned c = 0; c < 3; c++) put_f32(&file, xyzw[c]);
    }
    put_u32(&file, frames);
    for (uint32_t i = 0; i < 3 * frames; i++) put_f32(&file, (float)i * 0.01F);
    put_u32(&file, 0);
    put_u32(&file, 0);
    return file;
}

/* ---- Midtown Madness ----------------------------------------------------------------------- */

struct bytes make_anim(uint32_t bones, uint32_t frames)
{
    struct bytes file = {0};
    put_u32(&file, frames);
    put_u32(&file, bones);
    for (uint32_t f = 0; f < frames; f++) {
        for (uint32_t i = 0; i <= bones; i++) { /* the first is the position */
            float xyzw[4];
            figure_rotation(0, i + 1, f, xyzw);
            for (unsigned c = 0; c < 3; c++) put_f32(&file, xyzw[c]);
        }
    }
    return file;
}

/* ---- Shadow of the Colossus ---------------------------------------------------------------- */

/* Header, two sections, their names. */
void put_container(struct bytes *bytes, uint32_t data_size)
{
    uint32_t words[28] = {0};
    words[5] = CONTAINER_SIZE + data_size;
    words[16] = 2;   /* sections */
    words[23] = 120; /* their table */
    words[26] = 112; /* positions of their names */
    words[27] = 184; /* the names */
    put(bytes, "xff", 4);
    for (unsigned i = 1; i < 28; i++) put_u32(bytes, words[i]);
    put_u32(bytes, 0);
    put_u32(bytes, 6);
    for (unsigned section = 0; section < 2; section++) {
        for (unsigned w = 0; w < 7; w++) put_u32(bytes, section == 1 && w == 2 ? data_size : 0);
        put_u32(bytes, CONTAINER_SIZE);
    }
    put(bytes, ".text\0.rodata\0\0\0\0\0\0\0\0\0\0\0", 24);
}

struct bytes make_skb(uint32_t bones)
{
    enum { HEADER = 44, ENTRY = 8, RECORD = 64, NAME = 16 };
    const uint32_t records = HEADER + ENTRY * bones;
    const uint32_t names = records + RECORD * bones;
    const uint32_t header[11] = {1, bones, records, names};
    struct bytes file = {0};
    put_container(&file, names + NAME * bones);
    for (unsigned i = 0; i < 11; i++) put_u32(&file, header[i]);
    for (uint32_t i = 0; i < bones; i++) {
        put_u32(&file, records + RECORD * i);
        put_u32(&file, 0);
    }
    for (uint32_t i = 0; i < bones; i++) {
        /* Stored mirrored and conjugate, which changes nothing here. */
        const float floats[9] = {0, 0, rest.translation[1], 0, 1, 0, 0, 0, 1};
        put_u32(&file, NAME * i);
        put_u32(&file, UINT32_MAX);
        put_u32(&file, UINT32_MAX);
        for (unsigned k = 0; k < 9; k++) put_f32(&file, floats[k]);
        put_u32(&file, UINT32_MAX); /* children, which nobody looks at */
        put_u32(&file, UINT32_MAX);
        put_u32(&file, (uint32_t)figure_parent(i));
        put_f32(&file, 0);
    }
    for (uint32_t i = 0; i < bones; i++) {
        char name[NAME] = {0};
        name_bone(i, name);
        put(&file, name, NAME);
    }
    return file;
}

static const float centre = 0.0137F;
static const float extent = 0.7071F;

/* Flag 6: three components in 9 bits each from the top, s left out and positive. */
static uint32_t packed_key(const float xyzw[4])
{
    uint32_t key = 0;
    for (unsigned c = 0; c < 3; c++) {
        float stored = c == 0 ? -xyzw[c] : xyzw[c]; /* x is mirrored */
        uint32_t field = (uint32_t)lrintf((stored - centre) / extent * 256.0F) & 0x1ff;
        key |= field << (23 - 9 * c);
    }
    return key;
}

struct bytes make_anb(uint32_t bones, uint32_t frames, uint32_t variant)
{
    enum { HEADER = 68, RECORD = 36, FLAG = 6 };
    const uint32_t table = HEADER + (bones + 3) / 4 * 4;
    const uint32_t records = table + 4 * bones;
    const uint32_t keys = records + RECORD * bones;
    const uint32_t header[17] = {12, frames, HEADER, 0, table, bones};
    struct bytes file = {0};
    put_container(&file, keys + 4 * bones * frames);
    for (unsigned i = 0; i < 17; i++) put_u32(&file, header[i]);
    for (uint32_t i = HEADER; i < table; i++) put_u8(&file, i - HEADER < bones ? FLAG : 0);
    for (uint32_t i = 0; i < bones; i++) put_u32(&file, records + RECORD * i);
    for (uint32_t i = 0; i < bones; i++) {
        for (unsigned k = 0; k < 8; k++) put_f32(&file, k % 2 == 0 ? centre : extent);
        put_u32(&file, keys + 4 * frames * i);
    }
    for (uint32_t i = 0; i < bones; i++) {
        for (uint32_t f = 0; f < frames; f++) {
            float xyzw[4];
            figure_rotation(variant, i, f, xyzw);
            put_u32(&file, packed_key(xyzw));
        }
    }
    return file;
}
