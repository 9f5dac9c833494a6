/* SPDX-License-Identifier: MIT
 *
 * Evil Islands: camera paths (CAM) as cameras of a scene, and edits of them.
 *
 * Z is up, as in the figures: (x, y, z) becomes (x, z, -y), C for short. A scene's camera looks
 * along -Z with Y up, which is +Y with Z up in the game's axes, so the rotation of a camera that
 * looks there at rest is the same one in other axes, C q C*. The game's looks along +Z with -Y up;
 * for that, and for the directions of options.ei->look, a fixed rotation is applied first.
 *
 * A CAM has no field of view. Its times are likely seconds. */
#include "formats/evil_islands/game.h"

#include "base/narrow.h"
#include "scene/camera_keys.h"
#include "scene/edit.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define HALF 0.70710678118654752440 /* the square root of 1/2 */

/* From the scene's camera to the game's, both at rest. */
static struct ossa__quat rest_of(ossa_ei_look look)
{
    switch (look) {
    case OSSA_EI_LOOK_Z: return (struct ossa__quat){-HALF, 0.0, 0.0, HALF};  /* 90 degrees down */
    case OSSA_EI_LOOK_UP: return (struct ossa__quat){0.0, HALF, -HALF, 0.0}; /* 180 degrees more */
    case OSSA_EI_LOOK_Y: return (struct ossa__quat){0.0, 0.0, 0.0, 1.0};
    case OSSA_EI_LOOK_GAME: break;
    }
    return (struct ossa__quat){HALF, 0.0, 0.0, HALF}; /* 90 degrees up */
}

/* A path shorter than this, in seconds, does not hold times: integers, read as floats, are almost
 * zero. */
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
                            "the times do not increase from key to key; %.4g keys per second are "
                            "assumed instead",
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
    return is_finite || ossa__misfit(keys->assembly, keys->part,
                                     "keys[%" PRIu32 "].position is not finite or too large", i);
}

/* A rotation as it is stored, in the scene's axes. */
static struct ossa__quat in_scene(const float wxyz[4])
{
    return (struct ossa__quat){(double)wxyz[1], (double)wxyz[3], 0.0 - (double)wxyz[2],
                               (double)wxyz[0]};
}

static bool fill_rotation(const ossa_ei_camera_key *key, struct ossa__camera_keys *keys, uint32_t i)
{
    struct ossa__quat q = in_scene(key->rotation);
    if (!ossa__quat_normalise(&q)) {
        return ossa__misfit(keys->assembly, keys->part,
                            "keys[%" PRIu32 "].rotation is not a rotation: its length is 0 or not "
                            "finite",
                            i);
    }
    q = ossa__quat_multiply(q, rest_of(ossa__ei_options(keys->assembly)->look));
    ossa__quat_store(q, keys->rotations[i]);
    return true;
}

/* ---- the way back -------------------------------------------------------------------------- */

/* Set what an edit wants of a key; false: the file says the same. */
static bool edit_position(const struct ossa__camera_edit *edit, uint32_t i, ossa_ei_camera_key *key)
{
    const struct ossa__assembly *assembly = edit->edit.assembly;
    const double scale = assembly->options->scale;
    const double *wanted = edit->positions[i];
    const double own[3] = {(double)key->position[0] * scale, (double)key->position[2] * scale,
                           0.0 - (double)key->position[1] * scale};
    if (ossa__same_position(assembly, own, wanted)) return false;
    key->position[0] = ossa__narrow(wanted[0] / scale);
    key->position[1] = ossa__narrow(0.0 - wanted[2] / scale);
    key->position[2] = ossa__narrow(wanted[1] / scale);
    return true;
}

static bool edit_rotation(const struct ossa__camera_edit *edit, uint32_t i, ossa_ei_camera_key *key)
{
    struct ossa__quat rest = rest_of(ossa__ei_options(edit->edit.assembly)->look);
    struct ossa__quat own = in_scene(key->rotation);
    struct ossa__quat q = ossa__quat_multiply(edit->rotations[i], ossa__quat_conjugate(rest));
    if (ossa__quat_normalise(&own) && ossa__same_rotation(own, q)) return false;
    double sign = ossa__quat_dot(own, q) < 0.0 ? -1.0 : 1.0; /* the nearer of the two */
    key->rotation[0] = (float)(sign * q.w);
    key->rotation[1] = (float)(sign * q.x);
    key->rotation[2] = (float)(sign * -q.z);
    key->rotation[3] = (float)(sign * q.y);
    return true;
}

/* Times and steps stay. Fields of view are not stored: those of the scene are made up. */
static void apply_camera(const struct ossa__camera_keys *keys, struct ossa__camera_edit *edit)
{
    struct ossa__context *context = &keys->assembly->context;
    const ossa_ei_cam *was = keys->part->contents;
    ossa_ei_camera_key *made = NULL;
    for (uint32_t i = 0; i < keys->count && !context->failed; i++) {
        ossa_ei_camera_key key = was->keys[i];
        bool is_moved = edit_position(edit, i, &key);
        bool is_turned = edit_rotation(edit, i, &key);
        if (!is_moved && !is_turned) continue;
        if (made == NULL) {
            ossa_ei_cam *cam = ossa__edit_contents(&edit->edit, keys->part, sizeof *cam);
            made = ossa__take(context, keys->count, sizeof *made);
            if (cam == NULL || made == NULL) return;
            memcpy(made, was->keys, keys->count * sizeof *made);
            cam->keys = made;
        }
        made[i] = key;
    }
}

/* ---- cameras of the scene ------------------------------------------------------------------ */

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
    keys.apply = OSSA__IMPORTED_BY(apply_camera);
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
