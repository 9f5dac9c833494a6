/* SPDX-License-Identifier: MIT
 *
 * Where a camera is. Unlike the frames of a clip its keys lie at times of their own, so that the
 * two around a moment have to be looked for. */
#include "ossa/sample.h"

#include "base/quaternion.h"

#include <math.h>
#include <string.h>

/* What is so small a part of the way from a key, on either side, is that key: times are rounded. */
static const double close_to_key = 1e-6;

/* The time on the path, from 0 to the last key's. */
static double wrapped(double seconds, double last, ossa_wrap wrap)
{
    if (wrap == OSSA_WRAP_CLAMP) return seconds;
    if (!isfinite(seconds) || !(last > 0.0)) return 0.0;
    if (wrap == OSSA_WRAP_LOOP) {
        seconds = fmod(seconds, last);
        return seconds < 0.0 ? seconds + last : seconds;
    }
    seconds = fmod(fabs(seconds), 2.0 * last); /* there and back are the same */
    return seconds > last ? 2.0 * last - seconds : seconds;
}

/* The last key that is not after the time; the first one where all are. */
static uint32_t find_key(const ossa_camera *camera, double seconds)
{
    uint32_t low = 0;
    uint32_t high = camera->key_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if ((double)camera->times[middle] <= seconds) low = middle;
        else high = middle;
    }
    return low; /* a time that is no number is not after any key */
}

static void write_key(const ossa_camera *camera, uint32_t key, ossa_transform *place,
                      float *field_of_view)
{
    memcpy(place->translation, camera->positions[key], sizeof place->translation);
    memcpy(place->rotation, camera->rotations[key], sizeof place->rotation);
    if (field_of_view != NULL) *field_of_view = camera->fields_of_view[key];
}

static float mix(float from, float to, double part)
{
    return (float)((double)from + ((double)to - (double)from) * part);
}

void ossa_sample_camera(const ossa_camera *camera, double seconds, ossa_wrap wrap,
                        ossa_transform *place, float *field_of_view)
{
    *place = (ossa_transform){{0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, 0.0F, 1.0F}, {1.0F, 1.0F, 1.0F}};
    if (camera->key_count == 0) { /* no scene has such */
        if (field_of_view != NULL) *field_of_view = 1.0F;
        return;
    }
    uint32_t last = camera->key_count - 1;
    double at = wrapped(seconds, (double)camera->times[last], wrap);
    uint32_t from = find_key(camera, at);
    double part = 0.0;
    if (from < last) {
        double start = (double)camera->times[from];
        part = (at - start) / ((double)camera->times[from + 1] - start);
        if (part > 1.0 - close_to_key) {
            from++;
            part = 0.0;
        }
    }
    /* A path that goes round is at its start again when it gets to its end. */
    if (from == last && wrap == OSSA_WRAP_LOOP) from = 0;
    if (!(part >= close_to_key)) {
        write_key(camera, from, place, field_of_view);
        return;
    }
    uint32_t to = from + 1;
    struct ossa__quat turn = ossa__quat_slerp(ossa__quat_load(camera->rotations[from]),
                                              ossa__quat_load(camera->rotations[to]), part);
    ossa__quat_store(turn, place->rotation);
    for (unsigned k = 0; k < 3; k++) {
        place->translation[k] = mix(camera->positions[from][k], camera->positions[to][k], part);
    }
    if (field_of_view == NULL) return;
    *field_of_view = mix(camera->fields_of_view[from], camera->fields_of_view[to], part);
}
