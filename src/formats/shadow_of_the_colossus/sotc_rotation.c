/* SPDX-License-Identifier: MIT
 *
 * The packed rotations of sotc-anb: from a key to a quaternion i j k s, as stored.
 *
 * Flags 3 to 6 leave out one component; the key is a u32 whose fields, from the top bit down, are i
 * j k s, 9 bits per stored component and 5 for the one left out, whose top bit is its sign. Flag 12
 * stores i j k in 16 bits each, and the sign of s in bit 0 of i. Flag 13 is an angle about a fixed
 * axis. A stored component is field / 2^(bits-1) * extent + centre, with a pair (centre, extent)
 * per component in the record. Unknown: the other 4 bits of the short field, and the fourth pair.
 *
 * Everything is computed in double and rounded by the caller, once. */
#include "formats/shadow_of_the_colossus/sotc_rotation.h"

#include <math.h>

static const struct ossa__anb_flag flags[] = {
    {0, 4, 0, false, "constant"},
    {3, 8, 1, true, "packed, without i"},
    {4, 8, 1, true, "packed, without j"},
    {5, 8, 1, true, "packed, without k"},
    {6, 8, 1, true, "packed, without s"},
    {12, 6, 3, false, "three components"},
    {13, 5, 1, false, "angle about an axis"},
};

const struct ossa__anb_flag *ossa__anb_flag(uint8_t flag)
{
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (flags[i].flag == flag) return &flags[i];
    }
    return NULL;
}

uint32_t ossa__anb_record_size(uint8_t flag)
{
    const struct ossa__anb_flag *about = ossa__anb_flag(flag);
    if (about == NULL) return 0;
    return 4U * about->constants + (about->members > 0 ? 4U : 0U);
}

uint32_t ossa__anb_key_size(uint8_t flag)
{
    const struct ossa__anb_flag *about = ossa__anb_flag(flag);
    if (about == NULL) return 0;
    return (about->packed ? 4U : 2U) * about->members;
}

/* The component that makes the length 1; 0 if the others already exceed it by rounding. */
static double left_out(const double q[3], bool negative)
{
    double rest = 1.0 - (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    if (!(rest > 1e-9)) return 0.0;
    return negative ? -sqrt(rest) : sqrt(rest);
}

/* `width` bits of `key` starting at bit `shift`, as a signed number. */
static int signed_field(uint32_t key, unsigned shift, unsigned width)
{
    uint32_t bits = key >> shift & ((1U << width) - 1);
    uint32_t sign = 1U << (width - 1);
    return (int)(bits ^ sign) - (int)sign;
}

static void unpack(uint32_t key, unsigned missing, const float *pairs, double ijks[4])
{
    double stored[3] = {0.0, 0.0, 0.0};
    unsigned used = 0;
    unsigned shift = 32;
    bool negative = false;
    for (unsigned c = 0; c < 4; c++) {
        unsigned width = c == missing ? 5 : 9;
        shift -= width;
        int field = signed_field(key, shift, width);
        if (c == missing) {
            negative = field < 0;
        } else {
            double centre = (double)pairs[2 * used];
            double extent = (double)pairs[2 * used + 1];
            stored[used++] = field / 256.0 * extent + centre;
        }
    }
    used = 0;
    for (unsigned c = 0; c < 4; c++) {
        ijks[c] = c == missing ? left_out(stored, negative) : stored[used++];
    }
}

static void from_triple(const int16_t key[3], const float *pairs, double ijks[4])
{
    for (unsigned c = 0; c < 3; c++) {
        ijks[c] = key[c] / 32768.0 * (double)pairs[2 * c + 1] + (double)pairs[2 * c];
    }
    ijks[3] = left_out(ijks, (key[0] & 1) != 0);
}

static void from_angle(int16_t key, const float *constants, double ijks[4])
{
    double angle = key / 32768.0 * (double)constants[1] + (double)constants[0];
    double x = (double)constants[2];
    double y = (double)constants[3];
    double z = (double)constants[4];
    double length = sqrt(x * x + y * y + z * z);
    double scale = length > 0.0 ? sin(angle / 2.0) / length : 0.0;
    ijks[0] = x * scale;
    ijks[1] = y * scale;
    ijks[2] = z * scale;
    ijks[3] = cos(angle / 2.0);
}

bool ossa__anb_quaternion(const ossa_sotc_bone *bone, uint32_t pose, double ijks[4])
{
    switch (bone->flag) {
    case 0:
        for (unsigned c = 0; c < 4; c++) ijks[c] = (double)bone->constants[c];
        return true;
    case 3:
    case 4:
    case 5:
    case 6: unpack(bone->keys.packed[pose], bone->flag - 3U, bone->constants, ijks); return true;
    case 12: from_triple(bone->keys.triple[pose], bone->constants, ijks); return true;
    case 13: from_angle(bone->keys.angle[pose], bone->constants, ijks); return true;
    default: break;
    }
    ijks[0] = ijks[1] = ijks[2] = 0.0;
    ijks[3] = 1.0;
    return false;
}

bool ossa_sotc_quaternion(const ossa_sotc_anb *anb, uint32_t bone, uint32_t pose, double ijks[4])
{
    if (bone < anb->bone_count && pose < anb->pose_count) {
        return ossa__anb_quaternion(&anb->bones[bone], pose, ijks);
    }
    ijks[0] = ijks[1] = ijks[2] = 0.0;
    ijks[3] = 1.0;
    return false;
}

double ossa_sotc_key_step(const ossa_sotc_bone *bone)
{
    const struct ossa__anb_flag *flag = ossa__anb_flag(bone->flag);
    if (flag == NULL || flag->members == 0) return 0.0;
    double range = flag->packed ? 256.0 : 32768.0;
    if (bone->flag == 13) return fabs((double)bone->constants[1]) / range;
    double largest = 0.0;
    for (unsigned c = 0; c < 3; c++) {
        double step = fabs((double)bone->constants[2 * c + 1]) / range;
        if (step > largest) largest = step;
    }
    return largest;
}

/* ---- where keys are ------------------------------------------------------------------------ */

/* The fields of a packed key without i, j, k or s; of that one only the sign is known. */
static const ossa_key_part packed_parts[4][4] = {
    {{"i sign", 31, 1, -1}, {"j", 18, 9, -1}, {"k", 9, 9, -1}, {"s", 0, 9, -1}},
    {{"i", 23, 9, -1}, {"j sign", 22, 1, -1}, {"k", 9, 9, -1}, {"s", 0, 9, -1}},
    {{"i", 23, 9, -1}, {"j", 14, 9, -1}, {"k sign", 13, 1, -1}, {"s", 0, 9, -1}},
    {{"i", 23, 9, -1}, {"j", 14, 9, -1}, {"k", 5, 9, -1}, {"s sign", 4, 1, -1}},
};
static const ossa_key_layout packed_layouts[4] = {
    {.size = 4, .part_count = 4, .parts = packed_parts[0]},
    {.size = 4, .part_count = 4, .parts = packed_parts[1]},
    {.size = 4, .part_count = 4, .parts = packed_parts[2]},
    {.size = 4, .part_count = 4, .parts = packed_parts[3]},
};
static const ossa_key_part triple_parts[] = {
    {"i", 0, 16, -1}, {"j", 16, 16, -1}, {"k", 32, 16, -1}, {"s sign", 0, 1, -1}};
static const ossa_key_layout triple_layout = {.size = 6, .part_count = 4, .parts = triple_parts};
static const ossa_key_part angle_parts[] = {{"angle", 0, 16, -1}};
static const ossa_key_layout angle_layout = {.size = 2, .part_count = 1, .parts = angle_parts};

const ossa_key_layout *ossa__anb_key_layout(uint8_t flag)
{
    if (flag >= 3 && flag <= 6) return &packed_layouts[flag - 3];
    if (flag == 12) return &triple_layout;
    return flag == 13 ? &angle_layout : NULL;
}

/* The pairs of three components; the fourth pair of packed keys is not used. */
static const ossa_key_part pair_parts[] = {{"centre 1", 0, 32, -1},   {"extent 1", 32, 32, -1},
                                           {"centre 2", 64, 32, -1},  {"extent 2", 96, 32, -1},
                                           {"centre 3", 128, 32, -1}, {"extent 3", 160, 32, -1}};
static const ossa_key_layout pair_layout = {.size = 24, .part_count = 6, .parts = pair_parts};
static const ossa_key_part axis_parts[] = {{"centre", 0, 32, -1},
                                           {"extent", 32, 32, -1},
                                           {"axis x", 64, 32, -1},
                                           {"axis y", 96, 32, -1},
                                           {"axis z", 128, 32, -1}};
static const ossa_key_layout axis_layout = {.size = 20, .part_count = 5, .parts = axis_parts};
static const ossa_key_part constant_parts[] = {
    {"i", 0, 32, -1}, {"j", 32, 32, -1}, {"k", 64, 32, -1}, {"s", 96, 32, -1}};
static const ossa_key_layout constant_layout = {
    .size = 16, .part_count = 4, .parts = constant_parts};

const ossa_key_layout *ossa__anb_constants_layout(uint8_t flag)
{
    if (flag == 0) return &constant_layout;
    if (flag == 13) return &axis_layout;
    return ossa__anb_flag(flag) == NULL ? NULL : &pair_layout;
}
