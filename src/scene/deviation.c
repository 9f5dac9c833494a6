/* SPDX-License-Identifier: MIT */
#include "scene/deviation.h"

#include "scene/edit.h"

/* The angle of equal rotations is 0, and not what rounding makes of it. */
static bool is_same_rotation(const float a[4], const float b[4])
{
    bool is_equal = true;
    bool is_opposite = true;
    for (unsigned k = 0; k < 4; k++) {
        is_equal = is_equal && a[k] == b[k];
        is_opposite = is_opposite && a[k] == -b[k];
    }
    return is_equal || is_opposite;
}

struct ossa__deviation ossa__deviation_between(const ossa_transform *a, const ossa_transform *b,
                                               double scale)
{
    const double degree = 3.14159265358979323846 / 180.0;
    struct ossa__deviation found = {0};
    double square = 0.0;
    for (unsigned k = 0; k < 3; k++) {
        double d = (double)a->translation[k] - (double)b->translation[k];
        square += d * d;
    }
    found.millimetres = sqrt(square) / scale * 1000.0;
    if (is_same_rotation(a->rotation, b->rotation)) return found;
    found.degrees =
        ossa__angle_between(ossa__quat_load(a->rotation), ossa__quat_load(b->rotation)) / degree;
    return found;
}

double ossa__deviation_size(const struct ossa__deviation *deviation)
{
    return fmax(deviation->degrees / OSSA__KEPT_DEGREES,
                deviation->millimetres / (OSSA__KEPT_METRES * 1000.0));
}

void ossa__deviation_note(struct ossa__deviation *worst, const struct ossa__deviation *found)
{
    if (ossa__deviation_size(found) > ossa__deviation_size(worst)) *worst = *found;
}
