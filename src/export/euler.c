/* SPDX-License-Identifier: MIT
 *
 * With s and c for sine and cosine, Rz * Rx * Ry is
 *
 *     cz cy - sz sx sy    -sz cx    cz sy + sz sx cy
 *     sz cy + cz sx sy     cz cx    sz sy - cz sx cy
 *        -cx sy              sx          cx cy
 *
 * so that z, x and y can be read off it, until cx is 0: then (gimbal lock) only z + y or z - y is
 * in the matrix, and one of both is free. */
#include "export/euler.h"

#include "base/quaternion.h"

#define DEGREES (180.0 / 3.14159265358979323846)

/* Below this cosine of x the other two angles are noise of the float32 in the quaternion. Taking
 * another y there turns the result by no more than twice as many radians. */
static const double locked = 1e-6;

/* Two choices that are equally near differ in the last bits of a sum, which are not the same on
 * every machine: nearer is what is nearer by this much, in degrees. */
static const double margin = 1e-6;

/* The elements of the matrix that are needed; `less` stands for a minus. */
struct elements {
    double m00, m10, less_m01, m11, less_m20, m21, m22;
};

static struct elements elements_of(const float rotation[4])
{
    struct ossa__quat q = ossa__quat_load(rotation);
    (void)ossa__quat_normalise(&q);
    return (struct elements){
        .m00 = q.w * q.w + q.x * q.x - q.y * q.y - q.z * q.z,
        .m10 = 2.0 * (q.x * q.y + q.w * q.z),
        .less_m01 = 2.0 * (q.w * q.z - q.x * q.y),
        .m11 = q.w * q.w - q.x * q.x + q.y * q.y - q.z * q.z,
        .less_m20 = 2.0 * (q.w * q.y - q.x * q.z),
        .m21 = 2.0 * (q.y * q.z + q.w * q.x),
        .m22 = q.w * q.w - q.x * q.x - q.y * q.y + q.z * q.z,
    };
}

static struct ossa__euler_zxy angles_of(const struct elements *m, double cosine, double locked_y)
{
    struct ossa__euler_zxy angles = {.x = atan2(m->m21, cosine) * DEGREES};
    if (cosine < locked) {
        /* x is 90: the first column is that of z + y; x is -90: of z - y. */
        double turn = atan2(m->m10, m->m00) * DEGREES;
        angles.y = locked_y;
        angles.z = m->m21 > 0.0 ? turn - locked_y : turn + locked_y;
    } else {
        angles.y = atan2(m->less_m20, m->m22) * DEGREES;
        angles.z = atan2(m->less_m01, m->m11) * DEGREES;
    }
    return angles;
}

static double cosine_of_x(const struct elements *m)
{
    return sqrt(m->less_m20 * m->less_m20 + m->m22 * m->m22);
}

struct ossa__euler_zxy ossa__euler_from(const float rotation[4])
{
    struct elements m = elements_of(rotation);
    return angles_of(&m, cosine_of_x(&m), 0.0);
}

/* The same angle, whole turns away. */
static double unwrap(double angle, double before)
{
    double step = before - angle;
    if (step > -179.0 && step < 180.0) return angle + 0.0; /* as below, for most; -0 becomes 0 */
    return angle + 360.0 * floor(step / 360.0 + 0.5 - margin / 360.0);
}

static struct ossa__euler_zxy unwrap_all(struct ossa__euler_zxy angles,
                                         struct ossa__euler_zxy before)
{
    return (struct ossa__euler_zxy){unwrap(angles.z, before.z), unwrap(angles.x, before.x),
                                    unwrap(angles.y, before.y)};
}

static double distance(struct ossa__euler_zxy a, struct ossa__euler_zxy b)
{
    return fabs(a.z - b.z) + fabs(a.x - b.x) + fabs(a.y - b.y);
}

struct ossa__euler_zxy ossa__euler_near(const float rotation[4], struct ossa__euler_zxy before)
{
    struct elements m = elements_of(rotation);
    double cosine = cosine_of_x(&m);
    struct ossa__euler_zxy plain = unwrap_all(angles_of(&m, cosine, before.y), before);
    if (cosine < locked) return plain;
    /* The other choice is half a turn away in z and y: from a small step it cannot be nearer. */
    double step = fabs(plain.z - before.z) + fabs(plain.y - before.y);
    if (2.0 * step + fabs(plain.x - before.x) < 359.0) return plain;
    /* x beyond a right angle, with the other two turned by half, is the same rotation. */
    struct ossa__euler_zxy other = {plain.z + 180.0, 180.0 - plain.x, plain.y + 180.0};
    other = unwrap_all(other, before);
    return distance(other, before) < distance(plain, before) - margin ? other : plain;
}
