/* SPDX-License-Identifier: MIT */
#include "support/place.h"

#include <math.h>

const ossa_transform nowhere = {{0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, 0.0F, 1.0F}, {1.0F, 1.0F, 1.0F}};

struct place place_product(struct place a, struct place b)
{
    return (struct place){a.x + cos(a.angle) * b.x + sin(a.angle) * b.z,
                          a.z - sin(a.angle) * b.x + cos(a.angle) * b.z, a.angle + b.angle};
}

struct place place_inverse(struct place p)
{
    struct place turn = {0.0, 0.0, -p.angle};
    struct place moved = place_product(turn, (struct place){-p.x, -p.z, 0.0});
    return moved;
}

struct place place_of(const ossa_transform *t)
{
    return (struct place){(double)t->translation[0], (double)t->translation[2],
                          2.0 * atan2((double)t->rotation[1], (double)t->rotation[3])};
}

static void require_on_the_ground(const ossa_transform *t)
{
    assert_true(t->translation[1] == 0.0F && t->rotation[0] == 0.0F && t->rotation[2] == 0.0F);
    for (unsigned k = 0; k < 3; k++) assert_true(t->scale[k] == 1.0F);
    assert_true(fabs(rotation_length(rotation_of(t->rotation)) - 1.0) < 1e-6);
    assert_true(t->rotation[3] >= 0.0F);
}

void require_place(const ossa_transform *found, struct place wanted, double near)
{
    require_on_the_ground(found);
    struct place p = place_of(found);
    double turn = remainder(p.angle - wanted.angle, 360.0 * DEGREE) / DEGREE;
    require(hypot(p.x - wanted.x, p.z - wanted.z) < near && fabs(turn) < 60.0 * near, "place",
            "found %g %g, turned %g; expected %g %g, turned %g", p.x, p.z, p.angle / DEGREE,
            wanted.x, wanted.z, wanted.angle / DEGREE);
}

void matrix_of_transform(const ossa_transform *t, double out[16])
{
    const double place[3] = {(double)t->translation[0], (double)t->translation[1],
                             (double)t->translation[2]};
    const double scale[3] = {(double)t->scale[0], (double)t->scale[1], (double)t->scale[2]};
    matrix_of(place, rotation_of(t->rotation), scale, out);
}

void require_roots(const ossa_scene *scene, const double world[16], const ossa_transform *a,
                   const ossa_transform *b, double near)
{
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        if (scene->bones[i].parent >= 0) continue;
        double found[16];
        double wanted[16];
        matrix_of_transform(&a[i], found);
        matrix_of_transform(&b[i], wanted);
        matrix_product(world, found, found);
        for (unsigned k = 0; k < 16; k++) {
            require(fabs(found[k] - wanted[k]) < near, "root", "bone %u: [%u] is %g, expected %g",
                    (unsigned)i, k, found[k], wanted[k]);
        }
    }
}
