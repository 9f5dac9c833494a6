/* SPDX-License-Identifier: MIT
 *
 * Evil Islands: a camera's path (CAM) as a camera of the scene.
 *
 * Z is up, as in the figures: (x, y, z) becomes (x, z, -y), C for short. A camera that is not
 * turned looks along +Y with Z up: then the scene's, which looks along -Z with Y up, has the same
 * turn seen through C, C q C*. Whether the game means that is open, hence options.look: with
 * another rest the camera turns itself first, so a fixed turn stands behind.
 *
 * A CAM has no field of view. Its times are likely seconds. */
#include "formats/evil_islands/ei_camera.h"

#include "ossa/games/evil_islands.h"
#include "scene/camera_keys.h"
#include "base/quaternion.h"

#include <inttypes.h>
#include <string.h>

#define HALF 0.70710678118654752440 /* the square root of 1/2 */

/* From the scene's camera to the game's, both at rest. */
static struct ossa__quat rest_of(ossa_ei_look look)
{
    switch (look) {
    case OSSA_EI_LOOK_Z:
        return (struct ossa__quat){-HALF, 0.0, 0.0, HALF}; /* a quarter turn down */
    case OSSA_EI_LOOK_UP: return (struct ossa__quat){0.0, HALF, -HALF, 0.0}; /* half a turn more */
    case OSSA_EI_LOOK_Y: break;
    }
    return (struct ossa__quat){0.0, 0.0, 0.0, 1.0};
}

/* A path that is shorter than this, in seconds, holds no times: integers, read as floats, are next
 * to nothing. */
static const float least_duration = 1e-6F;

static bool read_times(const ossa_ei_cam *cam, struct ossa__camera_keys *keys)
{
    for (uint32_t i = 0; i < keys->count; i++) {
        keys->times[i] = (float)((double)cam->keys[i].time - (double)cam->keys[0].time);
    }
    if (!ossa__times_rise(keys->times, keys->count)) return false;
    return keys->count == 1 || keys->times[keys->count - 1] >= least_duration;
}

static void fill_times(const ossa_ei_cam *cam, struct ossa__camera_keys *keys)
{
    double fps = keys->assembly->options->fps;
    if (fps == 0.0 && read_times(cam, keys)) return;
    if (fps == 0.0) {
        fps = OSSA_EI_FPS;
        ossa__assembly_warn(keys->assembly, keys->part, OSSA_CODE_BAD_ORDER,
                            "the times do not rise from key to key; %d keys a second are taken "
                            "in their stead",
                            OSSA_EI_FPS);
    }
    ossa__even_times(keys, fps);
}

static bool fill_position(const ossa_ei_camera_key *key, struct ossa__camera_keys *keys, uint32_t i)
{
    double scale = keys->assembly->options->scale;
    float *position = keys->positions[i];
    position[0] = (float)((double)key->position[0] * scale);
    position[1] = (float)((double)key->position[2] * scale);
    position[2] = (float)(0.0 - (double)key->position[1] * scale); /* never -0 */
    bool is_finite = isfinite(position[0]) && isfinite(position[1]) && isfinite(position[2]);
    return is_finite ||
           ossa__misfit(keys->assembly, keys->part,
                        "keys[%" PRIu32 "].position is not finite, or too far away", i);
}

static bool fill_rotation(const ossa_ei_camera_key *key, struct ossa__camera_keys *keys, uint32_t i)
{
    const float *wxyz = key->rotation;
    struct ossa__quat q = {(double)wxyz[1], (double)wxyz[3], 0.0 - (double)wxyz[2],
                           (double)wxyz[0]};
    if (!ossa__quat_normalise(&q)) {
        return ossa__misfit(keys->assembly, keys->part,
                            "keys[%" PRIu32 "].rotation is no rotation: its length is 0 or not "
                            "finite",
                            i);
    }
    q = ossa__quat_multiply(q, rest_of(keys->assembly->options->ei->look));
    ossa__quat_store(q, keys->rotations[i]);
    return true;
}

static void add_camera(struct ossa__assembly *assembly, const struct ossa__part *part)
{
    const ossa_ei_cam *cam = part->contents;
    struct ossa__camera_keys keys;
    if (!ossa__take_camera_keys(assembly, part, cam->key_count, &keys)) return;
    double *times = ossa__take(&assembly->context, keys.count, sizeof *times);
    double *steps = ossa__take(&assembly->context, keys.count, sizeof *steps);
    if (steps == NULL) return;
    for (uint32_t i = 0; i < keys.count; i++) {
        const ossa_ei_camera_key *key = &cam->keys[i];
        if (!fill_position(key, &keys, i) || !fill_rotation(key, &keys, i)) return;
        keys.views[i] = (float)OSSA__PLAIN_VIEW;
        times[i] = (double)key->time;
        steps[i] = (double)key->step;
    }
    fill_times(cam, &keys);
    ossa__add_camera_extra(&keys, "time", times);
    ossa__add_camera_extra(&keys, "step", steps);
    ossa__finish_camera(&keys, 0.0F);
}

void ossa__ei_add_cameras(struct ossa__assembly *assembly)
{
    if (!ossa__take_cameras_of(assembly, "ei-cam")) return;
    for (size_t i = 0; i < assembly->part_count && !assembly->context.failed; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (strcmp(part->format, "ei-cam") == 0) add_camera(assembly, part);
    }
}
