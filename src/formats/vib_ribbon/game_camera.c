/* SPDX-License-Identifier: MIT
 *
 * Vib-Ribbon: a camera's motion (ANC) as a camera of the scene, and edits of it.
 *
 * The game passes every key to the console's library: the camera is at the eye, looks at the target
 * with the world's up direction upwards in the picture, and rolls about its line of sight by the
 * twist. As a rotation that is heading, then pitch, then twist, each about the camera's own axis.
 * When it looks straight up or down the heading is undefined and keeps its value; so does the whole
 * direction when the eye is at the target.
 *
 * Space and units are those of the animations: (x, -y, -z) / 2048. Likely, with options
 * for other readings: a twist of 4096 is one degree, as the library documents, and the field of
 * view is a vertical angle of which 4096 is a full rotation. */
#include "formats/vib_ribbon/game.h"

#include "formats/vib_ribbon/vib_header.h"
#include "scene/edit.h"

#include <inttypes.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double half_screen = 120.0; /* lines, of 240 */

/* The cosine and the sine of half an angle. */
struct half_angle {
    double cosine;
    double sine;
};

/* The direction of a camera: a rotation about Y, then one about its own X. */
struct aim {
    struct half_angle heading;
    struct half_angle pitch;
};

/* Along -Z: into the screen, as in the console's library. */
static const struct aim straight_ahead = {{1.0, 0.0}, {1.0, 0.0}};

/* Half of the angle, between -pi and pi, with this cosine and sine. Of the two formulas for each,
 * use the one that does not cancel. */
static struct half_angle halve(double cosine, double sine)
{
    if (cosine >= 0.0) {
        double c = sqrt((1.0 + cosine) / 2.0);
        return (struct half_angle){c, sine / (2.0 * c)};
    }
    double s = sqrt((1.0 - cosine) / 2.0);
    return (struct half_angle){fabs(sine) / (2.0 * s), sine < 0.0 ? -s : s};
}

/* Look from the eye to the target. If they coincide, return false and keep the direction. */
static bool take_aim(const ossa_vib_camera_key *key, struct aim *aim)
{
    double x = key->target[0] - key->eye[0];
    double y = key->eye[1] - key->target[1];
    double z = key->eye[2] - key->target[2];
    double level = sqrt(x * x + z * z);
    double length = sqrt(x * x + y * y + z * z);
    if (length == 0.0) return false;
    /* Rotated by an angle about Y, the direction -Z becomes (-sine, 0, -cosine). */
    if (level > 0.0) aim->heading = halve(0.0 - z / level, 0.0 - x / level);
    aim->pitch = halve(level / length, y / length);
    return true;
}

/* In radians. */
static double twist_angle(ossa_vib_twist unit, int16_t twist)
{
    switch (unit) {
    case OSSA_VIB_TWIST_TURN: return twist * OSSA__VIB_TURN;
    case OSSA_VIB_TWIST_NONE: return 0.0;
    case OSSA_VIB_TWIST_DEGREE: break;
    }
    return twist / 4096.0 * (pi / 180.0);
}

/* In radians, from top to bottom; only values above 0 and below pi are valid. */
static double view_angle(ossa_vib_view unit, int16_t view)
{
    switch (unit) {
    case OSSA_VIB_VIEW_DISTANCE: return view > 0 ? 2.0 * atan2(half_screen, view) : 0.0;
    case OSSA_VIB_VIEW_DEGREE: return view * (pi / 180.0);
    case OSSA_VIB_VIEW_TURN: break;
    }
    return view * OSSA__VIB_TURN;
}

/* A positive twist rolls the camera's right side down: clockwise, seen from behind it. The
 * console's library does this about Z into the screen; here Z points out of it. */
static struct ossa__quat rotation_of(const struct aim *aim, double twist)
{
    struct ossa__quat heading = {0.0, aim->heading.sine, 0.0, aim->heading.cosine};
    struct ossa__quat pitch = {aim->pitch.sine, 0.0, 0.0, aim->pitch.cosine};
    struct ossa__quat roll = ossa__quat_about(2, 0.0 - twist);
    struct ossa__quat q = ossa__quat_multiply(ossa__quat_multiply(heading, pitch), roll);
    (void)ossa__quat_normalise(&q);
    return q;
}

static void fill_position(const ossa_vib_camera_key *key, double scale, float position[3])
{
    position[0] = (float)(key->eye[0] * scale);
    position[1] = (float)(0.0 - key->eye[1] * scale); /* never -0 */
    position[2] = (float)(0.0 - key->eye[2] * scale);
}

/* Keys with a problem, reported once per file. */
struct fault {
    uint32_t count;
    uint32_t first;
};

static void note_fault(struct fault *fault, uint32_t key)
{
    if (fault->count++ == 0) fault->first = key;
}

static void warn_of_faults(const struct ossa__camera_keys *keys, const struct fault *aimless,
                           const struct fault *blind)
{
    if (aimless->count > 0) {
        ossa__assembly_warn(
            keys->assembly, keys->part, OSSA_CODE_UNUSUAL_VALUE,
            "keys[%" PRIu32
            "]: the eye is at the target; the camera keeps its direction (in %" PRIu32
            " of %" PRIu32 " keys)",
            aimless->first, aimless->count, keys->count);
    }
    if (blind->count > 0) {
        ossa__assembly_warn(
            keys->assembly, keys->part, OSSA_CODE_UNUSUAL_VALUE,
            "keys[%" PRIu32
            "].view is not between 0 and 180 degrees; a default angle is used (in %" PRIu32
            " of %" PRIu32 " keys)",
            blind->first, blind->count, keys->count);
    }
}

static void fill_keys(const ossa_vib_anc *anc, struct ossa__camera_keys *keys)
{
    const ossa_vib_options *options = ossa__vib_options(keys->assembly);
    const double scale = keys->assembly->options->scale;
    struct aim aim = straight_ahead;
    struct fault aimless = {0};
    struct fault blind = {0};
    for (uint32_t i = 0; i < keys->count; i++) {
        const ossa_vib_camera_key *key = &anc->keys[i];
        double view = view_angle(options->view, key->view);
        if (!take_aim(key, &aim)) note_fault(&aimless, i);
        if (!(view > 0.0 && view < pi)) {
            note_fault(&blind, i);
            view = OSSA__PLAIN_VIEW;
        }
        fill_position(key, OSSA__VIB_UNIT * scale, keys->positions[i]);
        ossa__quat_store(rotation_of(&aim, twist_angle(options->twist, key->twist)),
                         keys->rotations[i]);
        keys->views[i] = (float)view;
    }
    warn_of_faults(keys, &aimless, &blind);
}

/* ---- edits --------------------------------------------------------------------------------- */

/* Whole numbers that may not fit; false: one does not. */
static bool store_point(const double wanted[3], int16_t stored[3])
{
    for (unsigned k = 0; k < 3; k++) {
        double number = floor(wanted[k] + 0.5);
        if (!(number >= INT16_MIN && number <= INT16_MAX)) return false;
        stored[k] = (int16_t)number;
    }
    return true;
}

/* The eye and the target that an edit wants; the twist, whose unit is not certain, and the view
 * stay. A camera that is only moved takes its target along; one that is rotated has it as far away
 * as before. False: a number does not fit. */
static bool edit_key(const struct ossa__camera_keys *keys, const struct ossa__camera_edit *edit,
                     uint32_t index, ossa_vib_camera_key *key)
{
    const double unit = OSSA__VIB_UNIT * keys->assembly->options->scale;
    const double *at = edit->positions[index];
    const double eye[3] = {at[0] / unit, -at[1] / unit, -at[2] / unit};
    const ossa_vib_camera_key was = *key;
    double aside[3];  /* from the eye to the target, as it was */
    double ahead[3];  /* the same in the space of the scene, as it should be */
    double target[3]; /* of the file, as it should be */
    double length = 0.0;
    if (!store_point(eye, key->eye)) return false;
    for (unsigned k = 0; k < 3; k++) {
        aside[k] = was.target[k] - was.eye[k];
        length += aside[k] * aside[k];
        target[k] = key->eye[k] + aside[k];
    }
    struct ossa__quat before = ossa__quat_load(keys->rotations[index]);
    (void)ossa__quat_normalise(&before);
    if (!ossa__same_rotation(before, edit->rotations[index])) {
        const double forward[3] = {0.0, 0.0, length > 0.0 ? -sqrt(length) : -1.0 / OSSA__VIB_UNIT};
        ossa__quat_rotate(edit->rotations[index], forward, ahead);
        for (unsigned k = 0; k < 3; k++) target[k] = key->eye[k] + (k == 0 ? ahead[k] : -ahead[k]);
    }
    return store_point(target, key->target);
}

/* Degrees that a key is off, beyond what the rounding of its numbers explains. */
static double excess_of(const ossa_vib_camera_key *key, struct ossa__quat found,
                        struct ossa__quat wanted)
{
    double x = key->target[0] - key->eye[0];
    double z = key->target[2] - key->eye[2];
    double explained = 2.0 / fmax(sqrt(x * x + z * z), 1.0); /* the heading is the coarsest */
    return (ossa__angle_between(found, wanted) - explained) * (180.0 / pi);
}

static void apply_camera(const struct ossa__camera_keys *keys, struct ossa__camera_edit *edit)
{
    struct ossa__context *context = &keys->assembly->context;
    const ossa_vib_options *options = ossa__vib_options(keys->assembly);
    const ossa_vib_anc *was = keys->part->contents;
    ossa_vib_camera_key *made = NULL;
    struct aim aim = straight_ahead;
    for (uint32_t i = 0; i < keys->count; i++) {
        ossa_vib_camera_key key = was->keys[i];
        if (!edit_key(keys, edit, i, &key)) {
            (void)ossa__misfit(keys->assembly, keys->part,
                               "the edit moves the camera '%s' or its target too far away, in key "
                               "%" PRIu32,
                               edit->edit.name, i);
            return;
        }
        (void)take_aim(&key, &aim);
        double excess = excess_of(&key, rotation_of(&aim, twist_angle(options->twist, key.twist)),
                                  edit->rotations[i]);
        if (excess > 0.1) {
            (void)ossa__misfit(keys->assembly, keys->part,
                               "the camera '%s' would be %.3g degrees off in key %" PRIu32
                               ": it looks at its target with the world's up direction upwards, "
                               "and cannot be rolled about its line of sight",
                               edit->edit.name, excess, i);
            return;
        }
        if (memcmp(&key, &was->keys[i], sizeof key) == 0) continue;
        if (made == NULL) {
            ossa_vib_anc *anc = ossa__edit_contents(&edit->edit, keys->part, sizeof *anc);
            made = ossa__take(context, keys->count, sizeof *made);
            if (anc == NULL || made == NULL) return;
            memcpy(made, was->keys, keys->count * sizeof *made);
            anc->keys = made;
        }
        made[i] = key;
    }
}

/* ---- cameras of the scene ------------------------------------------------------------------ */

static void add_camera(struct ossa__assembly *assembly, const struct ossa__part *part)
{
    const ossa_vib_anc *anc = part->contents;
    struct ossa__camera_keys keys;
    if (!ossa__take_camera_keys(assembly, part, anc->key_count, &keys)) return;
    double *twists = ossa__take(&assembly->context, keys.count, sizeof *twists);
    double *views = ossa__take(&assembly->context, keys.count, sizeof *views);
    double *targets = ossa__take(&assembly->context, 3 * (uint64_t)keys.count, sizeof *targets);
    if (targets == NULL) return;
    fill_keys(anc, &keys);
    for (uint32_t i = 0; i < keys.count; i++) {
        twists[i] = anc->keys[i].twist;
        views[i] = anc->keys[i].view;
        for (size_t k = 0; k < 3; k++) targets[k * keys.count + i] = anc->keys[i].target[k];
    }
    double fps = assembly->options->fps;
    ossa__even_times(&keys, fps > 0.0 ? fps : ossa_vib_fps(anc->rate));
    ossa__add_camera_extra(&keys, "twist", twists);
    ossa__add_camera_extra(&keys, "view", views);
    /* Nothing else states the distance to the target. */
    ossa__add_camera_extra(&keys, "target_x", targets);
    ossa__add_camera_extra(&keys, "target_y", targets + keys.count);
    ossa__add_camera_extra(&keys, "target_z", targets + 2 * (size_t)keys.count);
    keys.apply = OSSA__IMPORTED_BY(apply_camera);
    ossa__finish_camera(&keys, (float)(4.0 / 3.0));
}

void ossa__vib_add_cameras(struct ossa__assembly *assembly)
{
    if (!ossa__take_cameras_of(assembly, "vib-anc")) return;
    for (size_t i = 0; i < assembly->part_count && !assembly->context.failed; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (strcmp(part->format, "vib-anc") == 0) add_camera(assembly, part);
    }
}
