/* SPDX-License-Identifier: MIT */
#include "sotc_files.h"

#include "emit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the game's space ---------------------------------------------------------------------- */

/* Left-handed: X is mirrored. */
static vec3 to_game(vec3 v)
{
    return v3(-v.x, v.y, v.z);
}

/* i, j, k, s as stored: mirrored, and turning the other way, which leaves one change of sign. */
static void store(double ijks[4], quat q)
{
    ijks[0] = -q.x;
    ijks[1] = q.y;
    ijks[2] = q.z;
    ijks[3] = q.w;
}

/* ---- XFF ----------------------------------------------------------------------------------- */

enum {
    XFF_SIZE = 0x14,
    XFF_SYMBOL_COUNT = 0x24,
    XFF_SECTION_COUNT = 0x40,
    XFF_ENTRY = 0x4c,
    XFF_IMPORTS = 0x50,
    XFF_SYMBOLS = 0x54,
    XFF_SYMBOL_STRINGS = 0x58,
    XFF_SECTIONS = 0x5c,
    XFF_SYMBOL_VALUES = 0x60,
    XFF_RELOCATIONS = 0x64,
    XFF_NAME_POSITIONS = 0x68,
    XFF_STRINGS = 0x6c,
    XFF_HEADER_SIZE = 0x70,
    SECTION_SIZE = 32,
    SECTION_LENGTH = 8,
    SECTION_ALIGNMENT = 12,
    SECTION_OFFSET = 28,
};

static void put_symbol(struct bytes *file, uint32_t name, uint32_t value, uint32_t info,
                       uint32_t section)
{
    put_u32(file, name);
    put_u32(file, value);
    put_u32(file, 0);
    put_u16(file, info);
    put_u16(file, section);
}

/* What the data is called, as the game's own files have it: nothing, the section, and the name. */
static void put_symbols(struct bytes *file, uint32_t entry)
{
    set_u32(file, XFF_SYMBOL_COUNT, 3);
    set_u32(file, XFF_SYMBOL_VALUES, (uint32_t)file->size);
    put_zeros(file, 8);
    put_u32(file, entry);
    set_u32(file, XFF_RELOCATIONS, (uint32_t)file->size); /* none */
    set_u32(file, XFF_IMPORTS, (uint32_t)file->size);     /* likewise */
    set_u32(file, XFF_SYMBOLS, (uint32_t)file->size);
    put_symbol(file, 0, 0, 0, 0);
    put_symbol(file, 1, 0, 0x03, 1);
    put_symbol(file, 2, entry, 0x10, 1);
}

/* Two sections, the first empty, the data in the second with its header at the entry. No
 * relocations: nothing that loads the file here moves it. */
static struct bytes wrap_in_xff(const char magic[4], const struct bytes *data, uint32_t entry,
                                const char *symbol)
{
    struct bytes file = {0};
    for (int i = 0; i < 4; i++) put_u8(&file, (unsigned char)magic[i]);
    put_zeros(&file, XFF_HEADER_SIZE - 4);
    set_u32(&file, XFF_SECTION_COUNT, 2);
    set_u32(&file, XFF_ENTRY, entry);

    const char *first = symbol == NULL ? ".text" : "";
    set_u32(&file, XFF_NAME_POSITIONS, (uint32_t)file.size);
    put_u32(&file, 0);
    put_u32(&file, (uint32_t)strlen(first) + 1);

    size_t sections = file.size;
    set_u32(&file, XFF_SECTIONS, (uint32_t)sections);
    put_zeros(&file, (size_t)2 * SECTION_SIZE);
    if (symbol != NULL) put_symbols(&file, entry);

    set_u32(&file, XFF_STRINGS, (uint32_t)file.size);
    put_text(&file, first);
    put_u8(&file, 0);
    put_text(&file, ".rodata");
    put_u8(&file, 0);
    if (symbol != NULL) {
        put_padding(&file, 4);
        set_u32(&file, XFF_SYMBOL_STRINGS, (uint32_t)file.size);
        put_zeros(&file, 2);
        put_text(&file, symbol);
        put_u8(&file, 0);
    }
    put_padding(&file, 16);

    set_u32(&file, sections + SECTION_OFFSET, (uint32_t)file.size);
    set_u32(&file, sections + SECTION_SIZE + SECTION_LENGTH, (uint32_t)data->size);
    set_u32(&file, sections + SECTION_SIZE + SECTION_ALIGNMENT, 16);
    set_u32(&file, sections + SECTION_SIZE + SECTION_OFFSET, (uint32_t)file.size);
    for (size_t i = 0; i < data->size; i++) put_u8(&file, data->data[i]);
    set_u32(&file, XFF_SIZE, (uint32_t)file.size);
    return file;
}

void save_xff(const char *root, const char *name, const char magic[4], struct bytes *data,
              uint32_t entry, const char *symbol)
{
    struct bytes file = wrap_in_xff(magic, data, entry, symbol);
    free(data->data);
    *data = (struct bytes){0};
    save(&file, root, name);
}

/* ---- SKB ----------------------------------------------------------------------------------- */

enum { SKB_HEADER_SIZE = 44, SKB_RECORD_SIZE = 64 };

/* The bone's nth child, from 0, or -1. */
static int child_of(const struct sotc_bone *bones, unsigned count, unsigned bone, int nth)
{
    for (unsigned i = bone + 1; i < count; i++) {
        if (bones[i].parent == (int)bone && nth-- == 0) return (int)i;
    }
    return -1;
}

static void put_bone(struct bytes *data, const struct sotc_bone *bones, unsigned count,
                     unsigned index, uint32_t name)
{
    const struct sotc_bone *bone = &bones[index];
    vec3 offset = to_game(bone->offset);
    double rest[4];
    store(rest, bone->rest);
    put_u32(data, name);
    put_u32(data, UINT32_MAX);
    put_u32(data, UINT32_MAX);
    put_f32(data, 0);
    put_f32(data, offset.x);
    put_f32(data, offset.y);
    put_f32(data, offset.z);
    put_f32(data, 1);
    for (int i = 0; i < 4; i++) put_f32(data, rest[i]);
    put_u32(data, (uint32_t)child_of(bones, count, index, 0));
    put_u32(data, (uint32_t)child_of(bones, count, index, 1));
    put_u32(data, (uint32_t)bone->parent);
    put_f32(data, 0);
}

void save_skb(const char *root, const char *file, const struct sotc_bone *bones, unsigned count)
{
    struct bytes data = {0};
    uint32_t records = SKB_HEADER_SIZE + 8 * count;
    put_u32(&data, 1);
    put_u32(&data, count);
    put_u32(&data, records);
    put_u32(&data, records + SKB_RECORD_SIZE * count); /* the names */
    put_zeros(&data, SKB_HEADER_SIZE - 16);
    for (unsigned i = 0; i < count; i++) {
        put_u32(&data, records + SKB_RECORD_SIZE * i);
        put_u32(&data, 0);
    }
    uint32_t name = 0;
    for (unsigned i = 0; i < count; i++) {
        put_bone(&data, bones, count, i, name);
        name += (uint32_t)strlen(bones[i].name) + 1;
    }
    for (unsigned i = 0; i < count; i++) {
        put_text(&data, bones[i].name);
        put_u8(&data, 0);
    }
    put_padding(&data, 4);
    save_xff(root, file, "xff", &data, 0, NULL); /* the NUL is the fourth character */
}

/* ---- quantising ---------------------------------------------------------------------------- */

/* A component or angle in all poses, as key / steps * extent + centre. */
struct range {
    double centre, extent;
    long steps;
};

/* The narrowest range around the values that still leaves room to round. */
static struct range range_of(const double *values, unsigned count, long steps)
{
    double least = values[0];
    double most = values[0];
    for (unsigned i = 1; i < count; i++) {
        if (values[i] < least) least = values[i];
        if (values[i] > most) most = values[i];
    }
    double half = (most - least) / 2;
    double extent = half * (double)steps / (double)(steps - 2);
    struct range range = {snap((least + most) / 2), snap(extent), steps};
    /* what does not move gets no extent, instead of one made of rounding errors */
    if (half < 1e-5) range.extent = 0;
    return range;
}

static double exact_key(const struct range *range, double value)
{
    if (range->extent <= 0) return 0;
    double exact = (value - range->centre) / range->extent * (double)range->steps;
    /* the float32 of a small extent is coarse against its keys */
    return clamp(exact, (double)(2 - range->steps), (double)(range->steps - 2));
}

static long key_of(const struct range *range, double value)
{
    return nearest(exact_key(range, value));
}

static void put_range(struct bytes *data, const struct range *range)
{
    put_f32(data, range->centre);
    put_f32(data, range->extent);
}

/* ---- tracks -------------------------------------------------------------------------------- */

enum { MAX_POSES = 64, MAX_BONES = 64, FLAG_48_BIT = 12, FLAG_ANGLE = 13, FIRST_32_BIT_FLAG = 3 };

/* A track with its components apart: [0] to [3] are i, j, k, s. */
struct curves {
    double value[4][MAX_POSES];
};

static void split(struct curves *curves, const quat *poses, unsigned count)
{
    for (unsigned p = 0; p < count; p++) {
        double ijks[4];
        store(ijks, poses[p]);
        for (int c = 0; c < 4; c++) curves->value[c][p] = ijks[c];
    }
}

/* The component whose smallest magnitude is largest: its sign never hangs on a rounding error. */
static int largest_component(const struct curves *curves, unsigned poses)
{
    int best = 0;
    double best_least = -1;
    for (int c = 0; c < 4; c++) {
        double least = 2;
        for (unsigned p = 0; p < poses; p++) {
            double magnitude = fabs(curves->value[c][p]);
            if (magnitude < least) least = magnitude;
        }
        if (least > best_least) {
            best = c;
            best_least = least;
        }
    }
    return best;
}

/* Records go one after another, then the keys: where those are is filled in later. */
struct anb {
    struct bytes records, keys;
    uint32_t key_places[MAX_BONES]; /* in `records` */
    uint32_t key_offsets[MAX_BONES];
    unsigned key_arrays;
};

static void begin_keys(struct anb *anb)
{
    put_padding(&anb->keys, 4);
    anb->key_places[anb->key_arrays] = (uint32_t)anb->records.size;
    anb->key_offsets[anb->key_arrays++] = (uint32_t)anb->keys.size;
    put_u32(&anb->records, 0);
}

static uint32_t pack_32_bit(struct anb *anb, const struct sotc_track *track, unsigned poses)
{
    struct curves curves = {0};
    struct range ranges[4] = {0};
    split(&curves, track->poses, poses);
    int left_out = largest_component(&curves, poses);
    for (int c = 0; c < 4; c++) {
        if (c == left_out) continue;
        ranges[c] = range_of(curves.value[c], poses, 256);
        put_range(&anb->records, &ranges[c]);
    }
    put_zeros(&anb->records, 8); /* the fourth pair has no known use */
    begin_keys(anb);
    for (unsigned p = 0; p < poses; p++) {
        uint32_t key = 0;
        for (int c = 0; c < 4; c++) {
            if (c == left_out) {
                key = key << 5 | (curves.value[c][p] < 0 ? 0x10U : 0);
            } else {
                key = key << 9 | ((uint32_t)key_of(&ranges[c], curves.value[c][p]) & 0x1ff);
            }
        }
        put_u32(&anb->keys, key);
    }
    return FIRST_32_BIT_FLAG + (uint32_t)left_out;
}

/* Bit 0 of the first key is the sign of s, so the key is the nearest that is odd or even. */
static long key_with_sign(const struct range *range, double value, int negative)
{
    double exact = exact_key(range, value);
    return 2 * nearest((exact - negative) / 2) + negative;
}

static uint32_t pack_48_bit(struct anb *anb, const struct sotc_track *track, unsigned poses)
{
    struct curves curves = {0};
    struct range ranges[3] = {0};
    split(&curves, track->poses, poses);
    for (int c = 0; c < 3; c++) {
        ranges[c] = range_of(curves.value[c], poses, 32768);
        put_range(&anb->records, &ranges[c]);
    }
    begin_keys(anb);
    for (unsigned p = 0; p < poses; p++) {
        int negative = curves.value[3][p] < 0;
        put_i16(&anb->keys, key_with_sign(&ranges[0], curves.value[0][p], negative));
        put_i16(&anb->keys, key_of(&ranges[1], curves.value[1][p]));
        put_i16(&anb->keys, key_of(&ranges[2], curves.value[2][p]));
    }
    return FLAG_48_BIT;
}

static uint32_t pack_angle(struct anb *anb, const struct sotc_track *track, unsigned poses)
{
    double angles[MAX_POSES] = {0};
    for (unsigned p = 0; p < poses; p++) {
        quat q = track->poses[p];
        angles[p] = 2 * angle_of(v_dot(v3(q.x, q.y, q.z), track->axis), q.w);
    }
    struct range range = range_of(angles, poses, 32768);
    put_range(&anb->records, &range);
    vec3 axis = to_game(track->axis); /* a stored quaternion has the same change of sign */
    put_f32(&anb->records, axis.x);
    put_f32(&anb->records, axis.y);
    put_f32(&anb->records, axis.z);
    begin_keys(anb);
    for (unsigned p = 0; p < poses; p++) put_i16(&anb->keys, key_of(&range, angles[p]));
    return FLAG_ANGLE;
}

static uint32_t pack_constant(struct anb *anb, const struct sotc_track *track)
{
    double ijks[4];
    store(ijks, track->poses[0]);
    for (int c = 0; c < 4; c++) put_f32(&anb->records, ijks[c]);
    return 0;
}

/* Appends the record and the keys of a track; gives its flag. */
static uint32_t pack(struct anb *anb, const struct sotc_track *track, unsigned poses)
{
    switch (track->packing) {
    case SOTC_32_BIT: return pack_32_bit(anb, track, poses);
    case SOTC_48_BIT: return pack_48_bit(anb, track, poses);
    case SOTC_ANGLE: return pack_angle(anb, track, poses);
    case SOTC_CONSTANT: break;
    }
    return pack_constant(anb, track);
}

/* ---- ANB ----------------------------------------------------------------------------------- */

enum { ANB_HEADER_SIZE = 68, ANB_FLAGS = 8, ANB_RECORDS = 16, ANB_BONES = 20 };

static void append(struct bytes *to, struct bytes *from)
{
    for (size_t i = 0; i < from->size; i++) put_u8(to, from->data[i]);
    free(from->data);
    *from = (struct bytes){0};
}

void save_anb(const char *root, const char *file, const char magic[4],
              const struct sotc_track *tracks, unsigned bones, unsigned poses)
{
    struct bytes data = {0};
    struct anb anb = {0};
    if (poses == 0 || poses > MAX_POSES) fail("no poses, or too many", file);
    if (bones > MAX_BONES) fail("too many bones", file);
    put_u32(&data, 12);
    put_u32(&data, poses);
    put_zeros(&data, ANB_HEADER_SIZE - 8);
    set_u32(&data, ANB_FLAGS, ANB_HEADER_SIZE);
    set_u32(&data, ANB_BONES, bones);

    uint32_t table = (ANB_HEADER_SIZE + bones + 3) / 4 * 4;
    uint32_t records = table + 4 * bones;
    uint32_t offsets[MAX_BONES];
    for (unsigned b = 0; b < bones; b++) {
        offsets[b] = records + (uint32_t)anb.records.size;
        put_u8(&data, pack(&anb, &tracks[b], poses));
    }
    put_padding(&data, 4);
    set_u32(&data, ANB_RECORDS, table);
    for (unsigned b = 0; b < bones; b++) put_u32(&data, offsets[b]);

    uint32_t keys = records + (uint32_t)anb.records.size;
    for (unsigned i = 0; i < anb.key_arrays; i++)
        set_u32(&anb.records, anb.key_places[i], keys + anb.key_offsets[i]);
    append(&data, &anb.records);
    append(&data, &anb.keys);
    put_padding(&data, 4);
    save_xff(root, file, magic, &data, 0, NULL);
}
