/* SPDX-License-Identifier: MIT */
#include "import/curves.h"

/* The value of a key. */
static const float *value_at(const struct ossa__motion_curve *curve, uint32_t key)
{
    if (curve->interpolation != OSSA__MOTION_CUBIC) {
        return curve->values + (size_t)key * curve->width;
    }
    return curve->values + ((size_t)key * 3 + 1) * curve->width;
}

static struct ossa__quat rotation_of(const float *value)
{
    struct ossa__quat q = ossa__quat_load(value);
    (void)ossa__quat_normalise(&q);
    return q;
}

static void store(struct ossa__quat q, double *out)
{
    out[0] = q.x;
    out[1] = q.y;
    out[2] = q.z;
    out[3] = q.w;
}

static void take_key(const struct ossa__motion_curve *curve, uint32_t key, double *out)
{
    const float *value = value_at(curve, key);
    if (curve->target == OSSA__MOTION_ROTATION) {
        store(rotation_of(value), out);
        return;
    }
    for (uint32_t k = 0; k < curve->width; k++) out[k] = (double)value[k];
}

/* A cubic Hermite spline: the tangents are per second. */
static void take_spline(const struct ossa__motion_curve *curve, uint32_t key, double length,
                        double t, double *out)
{
    const float *from = value_at(curve, key);
    const float *to = value_at(curve, key + 1);
    const float *leaving = from + curve->width;
    const float *arriving = to - curve->width;
    double t2 = t * t;
    double t3 = t2 * t;
    for (uint32_t k = 0; k < curve->width; k++) {
        out[k] = (2.0 * t3 - 3.0 * t2 + 1.0) * (double)from[k] +
                 (t3 - 2.0 * t2 + t) * length * (double)leaving[k] +
                 (3.0 * t2 - 2.0 * t3) * (double)to[k] + (t3 - t2) * length * (double)arriving[k];
    }
    if (curve->target != OSSA__MOTION_ROTATION) return;
    struct ossa__quat q = {out[0], out[1], out[2], out[3]};
    (void)ossa__quat_normalise(&q);
    store(q, out);
}

/* The last key that is not after the time; the first if all are. */
static uint32_t find_key(const struct ossa__motion_curve *curve, double time)
{
    uint32_t low = 0;
    uint32_t high = curve->key_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if ((double)curve->times[middle] <= time) low = middle;
        else high = middle;
    }
    return low;
}

void ossa__sample_curve(const struct ossa__motion_curve *curve, double time, double near,
                        double *out)
{
    uint32_t key = find_key(curve, time);
    double from = (double)curve->times[key];
    if (key + 1 < curve->key_count) {
        double next = (double)curve->times[key + 1];
        if (next - time <= near && next - time < fabs(time - from))
            from = (double)curve->times[++key];
    }
    bool is_between = time - from > near && key + 1 < curve->key_count;
    if (!is_between || curve->interpolation == OSSA__MOTION_STEP) {
        take_key(curve, key, out);
        return;
    }
    double length = (double)curve->times[key + 1] - from;
    double t = (time - from) / length;
    if (curve->interpolation == OSSA__MOTION_CUBIC) {
        take_spline(curve, key, length, t, out);
    } else if (curve->target == OSSA__MOTION_ROTATION) {
        store(ossa__quat_slerp(rotation_of(value_at(curve, key)),
                               rotation_of(value_at(curve, key + 1)), t),
              out);
    } else {
        const float *a = value_at(curve, key);
        const float *b = value_at(curve, key + 1);
        for (uint32_t k = 0; k < curve->width; k++) {
            out[k] = (double)a[k] + ((double)b[k] - (double)a[k]) * t;
        }
    }
}
