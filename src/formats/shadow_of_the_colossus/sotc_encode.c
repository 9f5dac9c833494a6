/* SPDX-License-Identifier: MIT
 *
 * One rotation as a key of an ANB, with given constants. A component that is left out is computed
 * from the rounded ones, and the smaller it is, the more their rounding shows in it. So each stored
 * component is tried rounded down and up, and what decodes nearest is taken. */
#include "formats/shadow_of_the_colossus/sotc_pack.h"

#include <string.h>

enum { SHORT_FIELD = 5, LONG_FIELD = 9 };

/* Components that do not vary may be off by as much without being noticed. */
#define STILL  1e-5
#define TWO_PI 6.28318530717958647693

void *ossa__anb_take_keys(struct ossa__context *context, uint8_t flag, uint32_t count)
{
    return ossa__take(context, count, ossa__anb_key_size(flag));
}

void ossa__anb_put_key(uint8_t flag, void *keys, uint32_t pose, union ossa__anb_key key)
{
    size_t size = ossa__anb_key_size(flag);
    memcpy((uint8_t *)keys + pose * size, &key, size); /* each member is the first of its union */
}

const void *ossa__anb_keys(const ossa_sotc_bone *bone)
{
    if (bone->flag == 12) return bone->keys.triple;
    if (bone->flag == 13) return bone->keys.angle;
    return bone->keys.packed;
}

void ossa__anb_set_keys(ossa_sotc_bone *bone, const void *keys)
{
    if (bone->flag == 12) bone->keys.triple = (const int16_t(*)[3])keys;
    else if (bone->flag == 13) bone->keys.angle = keys;
    else bone->keys.packed = keys;
}

/* ---- decoding ------------------------------------------------------------------------------ */

bool ossa__anb_rotation(const ossa_sotc_bone *bone, uint32_t pose, struct ossa__quat *rotation)
{
    double ijks[4];
    bool is_known = ossa__anb_quaternion(bone, pose, ijks);
    *rotation = (struct ossa__quat){ijks[0], ijks[1], ijks[2], ijks[3]};
    return ossa__quat_normalise(rotation) && is_known;
}

/* From the lowest bit of the field of a component. */
static unsigned shift_of(unsigned missing, unsigned component)
{
    unsigned shift = 32;
    for (unsigned c = 0; c <= component; c++) shift -= c == missing ? SHORT_FIELD : LONG_FIELD;
    return shift;
}

static bool is_packed(uint8_t flag)
{
    return flag >= 3 && flag <= 6;
}

unsigned ossa__anb_odd_bits(const ossa_sotc_bone *bone, uint32_t pose)
{
    if (!is_packed(bone->flag)) return 0;
    unsigned missing = bone->flag - 3U;
    return bone->keys.packed[pose] >> shift_of(missing, missing) & 15U;
}

/* Half the angle between two rotations as far as it is small: no function of the C library, so
 * that every machine chooses the same key. */
static double distance(struct ossa__quat a, struct ossa__quat b)
{
    double d = ossa__quat_dot(a, b) < 0.0 ? -1.0 : 1.0;
    struct ossa__quat to = {a.x - d * b.x, a.y - d * b.y, a.z - d * b.z, a.w - d * b.w};
    return sqrt(ossa__quat_dot(to, to));
}

/* How far the key is from what is wanted. */
static double miss(const ossa_sotc_bone *bone, const union ossa__anb_key *key,
                   struct ossa__quat wanted)
{
    ossa_sotc_bone one = *bone;
    struct ossa__quat found;
    if (bone->flag == 12) one.keys.triple = &key->triple;
    else if (bone->flag == 13) one.keys.angle = &key->angle;
    else one.keys.packed = &key->packed;
    return ossa__anb_rotation(&one, 0, &found) ? distance(found, wanted) : 2.0;
}

/* ---- components ---------------------------------------------------------------------------- */

/* The fields of -range to range - 1 below and above a value: every second one, if their lowest bit
 * (`lowest`) says something else. False if the value is out of range. */
static bool round_both_ways(double value, int32_t range, int32_t lowest, int32_t by, int32_t out[2])
{
    int32_t least = lowest - range;
    int32_t most = range - by + lowest;
    if (!(value >= -range - 0.5 && value <= range - 0.5)) return false; /* nor is it a number */
    double below = least + floor((value - least) / by) * by;
    out[0] = below < least ? least : (int32_t)below;
    out[1] = out[0] + by > most ? out[0] : out[0] + by;
    return true;
}

/* Both roundings of the stored components. The lowest bit of the first field of flag 12 is the sign
 * of what is left out. */
static bool find_fields(const ossa_sotc_bone *bone, const double stored[3], bool negative,
                        int32_t fields[3][2])
{
    int32_t range = bone->flag == 12 ? 32768 : 256;
    double still = fmax(STILL, ossa_sotc_key_step(bone) / 2.0);
    for (unsigned c = 0; c < 3; c++) {
        double from_centre = stored[c] - (double)bone->constants[2 * c];
        double extent = (double)bone->constants[2 * c + 1];
        bool has_sign = bone->flag == 12 && c == 0;
        int32_t lowest = has_sign && negative ? 1 : 0;
        int32_t by = has_sign ? 2 : 1;
        if (extent == 0.0) {
            if (!(fabs(from_centre) <= still)) return false;
            fields[c][0] = fields[c][1] = lowest;
        } else if (!round_both_ways(from_centre / extent * range, range, lowest, by, fields[c])) {
            return false;
        }
    }
    return true;
}

static union ossa__anb_key make_key(uint8_t flag, const int32_t fields[3], bool negative,
                                    unsigned odd_bits)
{
    union ossa__anb_key key = {0};
    if (flag == 12) {
        for (unsigned c = 0; c < 3; c++) key.triple[c] = (int16_t)fields[c];
        return key;
    }
    unsigned missing = flag - 3U;
    unsigned used = 0;
    for (unsigned c = 0; c < 4; c++) {
        uint32_t field = c == missing ? (negative ? 16U : 0U) | odd_bits
                                      : (uint32_t)fields[used++] & ((1U << LONG_FIELD) - 1U);
        key.packed |= field << shift_of(missing, c);
    }
    return key;
}

/* A rotation with one of its two signs. */
static void try_sign(const ossa_sotc_bone *bone, struct ossa__quat wanted, double sign,
                     unsigned odd_bits, union ossa__anb_key *best, double *least)
{
    const double q[4] = {sign * wanted.x, sign * wanted.y, sign * wanted.z, sign * wanted.w};
    unsigned missing = bone->flag == 12 ? 3 : bone->flag - 3U;
    double stored[3] = {0.0, 0.0, 0.0};
    int32_t fields[3][2];
    unsigned used = 0;
    for (unsigned c = 0; c < 4; c++) {
        if (c != missing) stored[used++] = q[c];
    }
    bool negative = q[missing] < 0.0;
    if (!find_fields(bone, stored, negative, fields)) return;
    for (unsigned n = 0; n < 8; n++) {
        const int32_t chosen[3] = {fields[0][n & 1U], fields[1][n >> 1 & 1U],
                                   fields[2][n >> 2 & 1U]};
        union ossa__anb_key key = make_key(bone->flag, chosen, negative, odd_bits);
        double off = miss(bone, &key, wanted);
        if (off >= *least) continue;
        *least = off;
        *best = key;
    }
}

/* ---- angles -------------------------------------------------------------------------------- */

static void try_angle(const ossa_sotc_bone *bone, struct ossa__quat wanted,
                      union ossa__anb_key *best, double *least)
{
    double centre = (double)bone->constants[0];
    double extent = (double)bone->constants[1];
    const float *axis = bone->constants + 2;
    double x = (double)axis[0];
    double y = (double)axis[1];
    double z = (double)axis[2];
    double length = sqrt(x * x + y * y + z * z);
    double along = length > 0.0 ? (x * wanted.x + y * wanted.y + z * wanted.z) / length : 0.0;
    double from_centre = 2.0 * atan2(along, wanted.w) - centre;
    int32_t fields[2] = {0, 0};
    from_centre -= floor(from_centre / TWO_PI + 0.5) * TWO_PI; /* -q is the same rotation */
    if (extent == 0.0) {
        if (!(fabs(from_centre) <= 2.0 * STILL)) return;
    } else if (!round_both_ways(from_centre / extent * 32768.0, 32768, 0, 1, fields)) {
        return;
    }
    for (unsigned n = 0; n < 2; n++) {
        union ossa__anb_key key = {.angle = (int16_t)fields[n]};
        double off = miss(bone, &key, wanted);
        if (off >= *least) continue;
        *least = off;
        *best = key;
    }
}

bool ossa__anb_encode(const ossa_sotc_bone *bone, struct ossa__quat wanted, unsigned odd_bits,
                      union ossa__anb_key *key, double *error)
{
    const double none = 2.0; /* no distance is as large */
    double least = none;
    if (bone->flag == 13) {
        try_angle(bone, wanted, key, &least);
    } else if (is_packed(bone->flag) || bone->flag == 12) {
        try_sign(bone, wanted, 1.0, odd_bits, key, &least);
        try_sign(bone, wanted, -1.0, odd_bits, key, &least);
    }
    *error = 4.0 * asin(fmin(least / 2.0, 1.0));
    return least < none;
}
