/* SPDX-License-Identifier: MIT
 *
 * The choice of a packing for the rotations of a bone in all poses. Which component is best left
 * out follows from the smallest value that it has in any pose, but all four are cheap to try. Every
 * candidate is encoded and decoded, and the worst of its errors decides.
 *
 * A rotation is q as well as -q, so components can have different ranges. Two choices of signs are
 * tried: each key nearest to the one before it, and each nearest to the mean of those, which keeps
 * a component from having all values between -1 and 1 where bones go all the way round.
 *
 * In known files, extents are below 1 and centres within -1 and 1. Packings for which this holds
 * are preferred. A new packed record has zeros in its fourth pair, whose use is unknown, unless the
 * bone has had such a pair before. */
#include "formats/shadow_of_the_colossus/sotc_pack.h"

#include <string.h>

#define TWO_PI 6.28318530717958647693

enum { SIGNS = 2 }; /* choices */

/* The ranges of i j k s. */
struct ranges {
    double least[4];
    double most[4];
};

/* Constants that may be chosen. */
struct candidate {
    uint8_t flag;
    float constants[8];
    double error;    /* of the worst key */
    uint64_t size;   /* of the record and the keys */
    bool is_own;     /* the flag that the bone has had */
    bool is_usual;   /* its constants are such as known files have */
    bool is_allowed; /* its error is within the limit */
};

/* A bone being packed. */
struct packer {
    const ossa_sotc_bone *bone; /* as it was */
    const struct ossa__anb_wish *wish;
    struct ranges ranges[SIGNS];
    struct ossa__quat mean; /* of length 1 */
    struct candidate best;
};

/* ---- what the rotations are like ----------------------------------------------------------- */

static struct ossa__quat signed_like(struct ossa__quat q, struct ossa__quat other)
{
    if (ossa__quat_dot(q, other) >= 0.0) return q;
    return (struct ossa__quat){-q.x, -q.y, -q.z, -q.w};
}

static void widen(struct ranges *ranges, struct ossa__quat q)
{
    const double values[4] = {q.x, q.y, q.z, q.w};
    for (unsigned c = 0; c < 4; c++) {
        if (values[c] < ranges->least[c]) ranges->least[c] = values[c];
        if (values[c] > ranges->most[c]) ranges->most[c] = values[c];
    }
}

static void find_ranges(struct packer *packer)
{
    const struct ranges none = {{2.0, 2.0, 2.0, 2.0}, {-2.0, -2.0, -2.0, -2.0}};
    const struct ossa__anb_wish *wish = packer->wish;
    struct ossa__quat before = wish->wanted[0];
    struct ossa__quat sum = {0.0, 0.0, 0.0, 0.0};
    packer->ranges[0] = packer->ranges[1] = none;
    for (uint32_t p = 0; p < wish->count; p++) {
        before = signed_like(wish->wanted[p], before);
        widen(&packer->ranges[0], before);
        sum.x += before.x;
        sum.y += before.y;
        sum.z += before.z;
        sum.w += before.w;
    }
    (void)ossa__quat_normalise(&sum);
    for (uint32_t p = 0; p < wish->count; p++) {
        widen(&packer->ranges[1], signed_like(wish->wanted[p], sum));
    }
    packer->mean = sum;
}

/* The pair with which fields of -range to range - 1 reach from the least value to the most. */
static void set_pair(float pair[2], double least, double most, double range)
{
    pair[1] = 0.0F;
    if (most - least < 1e-7) { /* less than floats can tell apart */
        pair[0] = (float)((least + most) / 2.0);
        return;
    }
    double extent = (most - least) * range / (2.0 * range - 1.0);
    pair[0] = (float)(least + extent);
    double centre = (double)pair[0];
    /* Of a small range, the rounding of its centre is a part that counts. */
    double needed = fmax(centre - least, (most - centre) * range / (range - 1.0));
    if (needed > extent + extent / (4.0 * range)) extent = needed;
    pair[1] = (float)extent;
}

/* ---- candidates ---------------------------------------------------------------------------- */

static bool is_better(const struct candidate *a, const struct candidate *b)
{
    if (a->is_allowed != b->is_allowed) return a->is_allowed;
    if (a->is_allowed) {
        if (a->is_usual != b->is_usual) return a->is_usual;
        if (a->is_own != b->is_own) return a->is_own;
        if (a->size != b->size) return a->size < b->size;
    }
    return a->error < b->error;
}

/* The error of the worst key; false if one of them does not fit. */
static bool measure(const struct packer *packer, struct candidate *candidate)
{
    const ossa_sotc_bone bone = {.flag = candidate->flag, .constants = candidate->constants};
    candidate->error = 0.0;
    for (uint32_t p = 0; p < packer->wish->count; p++) {
        union ossa__anb_key key;
        double error;
        if (!ossa__anb_encode(&bone, packer->wish->wanted[p], 0, &key, &error)) return false;
        candidate->error = fmax(candidate->error, error);
    }
    return true;
}

static void consider(struct packer *packer, struct candidate *candidate, double limit)
{
    uint8_t flag = candidate->flag;
    candidate->is_own = flag == packer->bone->flag;
    candidate->is_allowed = candidate->error <= limit;
    candidate->size =
        ossa__anb_record_size(flag) + (uint64_t)packer->wish->count * ossa__anb_key_size(flag);
    if (is_better(candidate, &packer->best)) packer->best = *candidate;
}

/* Flags 3 to 6 and 12. */
static void try_components(struct packer *packer, uint8_t flag, const struct ranges *ranges)
{
    struct candidate candidate = {.flag = flag, .is_usual = true};
    unsigned missing = flag == 12 ? 3 : flag - 3U;
    unsigned used = 0;
    for (unsigned c = 0; c < 4; c++) {
        if (c == missing) continue;
        float *pair = candidate.constants + 2 * (size_t)used++;
        set_pair(pair, ranges->least[c], ranges->most[c], flag == 12 ? 32768.0 : 256.0);
        if (pair[1] >= 1.0F || fabsf(pair[0]) > 1.0F) candidate.is_usual = false;
    }
    bool had_pair = packer->bone->flag >= 3 && packer->bone->flag <= 6;
    if (flag != 12 && had_pair) {
        memcpy(candidate.constants + 6, packer->bone->constants + 6, 2 * sizeof(float));
    }
    if (measure(packer, &candidate)) consider(packer, &candidate, packer->wish->limit);
}

/* The axis that all rotations share, if there is one: that of the largest, and with it the mean of
 * the others. */
static void find_axis(const struct ossa__anb_wish *wish, double axis[3])
{
    const struct ossa__quat *largest = &wish->wanted[0];
    double most = 0.0;
    for (uint32_t p = 0; p < wish->count; p++) {
        const struct ossa__quat *q = &wish->wanted[p];
        double square = q->x * q->x + q->y * q->y + q->z * q->z;
        if (!(square > most)) continue;
        most = square;
        largest = q;
    }
    axis[0] = axis[1] = axis[2] = 0.0;
    for (uint32_t p = 0; p < wish->count; p++) {
        const struct ossa__quat *q = &wish->wanted[p];
        double along = q->x * largest->x + q->y * largest->y + q->z * largest->z;
        double sign = along < 0.0 ? -1.0 : 1.0;
        axis[0] += sign * q->x;
        axis[1] += sign * q->y;
        axis[2] += sign * q->z;
    }
    double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    if (!(length > 1e-9)) { /* no rotation at all: any axis will do */
        axis[0] = length = 1.0;
    }
    for (unsigned k = 0; k < 3; k++) axis[k] /= length;
}

/* Angles about an axis. Off the axis, rotations may be by no more than `off`. */
static void try_axis(struct packer *packer, const double axis[3], double off)
{
    const struct ossa__anb_wish *wish = packer->wish;
    struct candidate candidate = {.flag = 13, .is_usual = true};
    double before = 0.0;
    double least = 0.0;
    double most = 0.0;
    for (uint32_t p = 0; p < wish->count; p++) {
        const struct ossa__quat *q = &wish->wanted[p];
        double along = q->x * axis[0] + q->y * axis[1] + q->z * axis[2];
        double x = q->x - along * axis[0];
        double y = q->y - along * axis[1];
        double z = q->z - along * axis[2];
        if (2.0 * sqrt(x * x + y * y + z * z) > off) return;
        double angle = 2.0 * atan2(along, q->w);
        angle -= floor((angle - before) / TWO_PI + 0.5) * TWO_PI; /* -q is the same rotation */
        least = p == 0 ? angle : fmin(least, angle);
        most = p == 0 ? angle : fmax(most, angle);
        before = angle;
    }
    if (most - least > TWO_PI) { /* all there are */
        least = -TWO_PI / 2.0;
        most = TWO_PI / 2.0;
    }
    set_pair(candidate.constants, least, most, 32768.0);
    for (unsigned k = 0; k < 3; k++) candidate.constants[2 + k] = (float)axis[k];
    if (measure(packer, &candidate)) consider(packer, &candidate, wish->limit);
}

static void try_axes(struct packer *packer)
{
    double axis[3];
    bool is_own = packer->bone->flag == 13;
    find_axis(packer->wish, axis);
    try_axis(packer, axis, is_own ? 4.0 : packer->wish->same);
    if (!is_own) return;
    double square = 0.0;
    for (unsigned k = 0; k < 3; k++) {
        axis[k] = (double)packer->bone->constants[2 + k];
        square += axis[k] * axis[k];
    }
    if (!(square > 0.0)) return;
    for (unsigned k = 0; k < 3; k++) axis[k] /= sqrt(square);
    try_axis(packer, axis, 4.0);
}

/* One rotation in all poses. Motion must not be lost, however little of it there is: the limit is
 * for what packing costs. */
static void try_constant(struct packer *packer)
{
    struct candidate candidate = {.flag = 0, .is_usual = true};
    ossa_sotc_bone bone = {.flag = 0, .constants = candidate.constants};
    struct ossa__quat mean = packer->mean;
    struct ossa__quat found;
    if (packer->bone->flag == 0) mean = signed_like(mean, ossa__quat_load(packer->bone->constants));
    ossa__quat_store(mean, candidate.constants);
    if (!ossa__anb_rotation(&bone, 0, &found)) return;
    for (uint32_t p = 0; p < packer->wish->count; p++) {
        struct ossa__quat q = signed_like(packer->wish->wanted[p], found);
        struct ossa__quat to = {q.x - found.x, q.y - found.y, q.z - found.z, q.w - found.w};
        double error = 4.0 * asin(fmin(sqrt(ossa__quat_dot(to, to)) / 2.0, 1.0));
        candidate.error = fmax(candidate.error, error);
    }
    consider(packer, &candidate, packer->wish->same);
}

/* ---- packing ------------------------------------------------------------------------------- */

/* The odd bits are those of the same pose, or of the last one before it. */
static unsigned odd_bits_of(const ossa_sotc_bone *old, uint32_t old_count, uint32_t pose)
{
    if (old_count == 0) return 0;
    return ossa__anb_odd_bits(old, pose < old_count ? pose : old_count - 1);
}

/* The keys of the bone with its new constants; NULL after a failure. */
static void *encode_all(struct ossa__context *context, const ossa_sotc_bone *bone,
                        const ossa_sotc_bone *old, uint32_t old_count,
                        const struct ossa__anb_wish *wish)
{
    void *keys = ossa__anb_take_keys(context, bone->flag, wish->count);
    for (uint32_t p = 0; keys != NULL && p < wish->count; p++) {
        union ossa__anb_key key = {0};
        double error;
        (void)ossa__anb_encode(bone, wish->wanted[p], odd_bits_of(old, old_count, p), &key, &error);
        ossa__anb_put_key(bone->flag, keys, p, key);
    }
    return keys;
}

bool ossa__anb_pack(struct ossa__context *context, ossa_sotc_bone *bone, uint32_t old_count,
                    const struct ossa__anb_wish *wish, double *error)
{
    const ossa_sotc_bone old = *bone;
    struct packer packer = {.bone = &old, .wish = wish, .best = {.error = 8.0}};
    find_ranges(&packer);
    try_constant(&packer);
    try_axes(&packer);
    for (unsigned s = 0; s < SIGNS; s++) {
        for (uint8_t flag = 3; flag <= 6; flag++) {
            try_components(&packer, flag, &packer.ranges[s]);
        }
        try_components(&packer, 12, &packer.ranges[s]);
    }
    const struct candidate *best = &packer.best;
    const struct ossa__anb_flag *about = ossa__anb_flag(best->flag);
    float *constants = ossa__take(context, about->constants, sizeof *constants);
    if (constants == NULL) return false;
    memcpy(constants, best->constants, about->constants * sizeof *constants);
    *error = best->error;
    bone->flag = best->flag;
    bone->constant_count = about->constants;
    bone->constants = constants;
    bone->keys.packed = NULL;
    if (about->members == 0) return true;
    void *keys = encode_all(context, bone, &old, old_count, wish);
    if (keys == NULL) return false;
    ossa__anb_set_keys(bone, keys);
    return true;
}
