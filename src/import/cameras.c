/* SPDX-License-Identifier: MIT
 *
 * The edit of a camera, at the times of its own keys, for its game. A camera is a node of its own
 * name, in an animation that is about nothing else; some programs put it below another node.
 *
 * Programs that sample their curves write keys at the frames of their own, where a camera has none,
 * and cut the corners of its path. A key between two of theirs that are on the path was not edited.
 */
#include "import/cameras.h"

#include "import/affine.h"
#include "import/curves.h"
#include "import/importing.h"
#include "ossa/sample.h"

#include <string.h>

/* Seconds that the time of a key may be off: less than any frame, more than what is rounded. */
static const double nearness = 2e-5;

/* One camera in a motion. */
struct search {
    const struct ossa__assembly *assembly;
    const ossa_camera *camera;
    const struct ossa__motion *motion;
    const struct ossa__motion_clip *clip; /* NULL: it stands still */
    uint32_t depth;                       /* of the node, and all above it */
    const uint32_t *nodes;                /* [depth], from the root on */
    /* [depth][3]: translation, rotation, scale; NULL: as at rest */
    const struct ossa__motion_curve **curves;
};

struct place {
    double position[3];
    struct ossa__quat rotation;
};

/* ---- finding it ---------------------------------------------------------------------------- */

/* The node of a camera; -1: none. */
static int64_t find_node(const struct ossa__motion *motion, const char *name)
{
    int64_t found = -1;
    for (uint32_t n = 0; n < motion->node_count && found < 0; n++) {
        const struct ossa__motion_node *node = &motion->nodes[n];
        if (node->is_camera && strcmp(node->name, name) == 0) found = n;
    }
    for (uint32_t n = 0; n < motion->node_count && found < 0; n++) {
        const struct ossa__motion_node *node = &motion->nodes[n];
        bool is_below = node->is_camera && node->parent >= 0;
        if (is_below && strcmp(motion->nodes[node->parent].name, name) == 0) found = n;
    }
    return found;
}

/* The curves of a clip that move the camera; false: none does. */
static bool find_curves(struct search *search, const struct ossa__motion_clip *clip)
{
    bool is_found = false;
    memset(search->curves, 0, 3 * (size_t)search->depth * sizeof *search->curves);
    for (uint32_t i = 0; i < clip->curve_count; i++) {
        const struct ossa__motion_curve *curve = &clip->curves[i];
        if (curve->target > OSSA__MOTION_SCALE) continue;
        for (uint32_t d = 0; d < search->depth; d++) {
            if (search->nodes[d] != curve->node) continue;
            search->curves[3 * (size_t)d + (unsigned)curve->target] = curve;
            is_found = true;
        }
    }
    return is_found;
}

/* False: the motion does not have it, or after a failure. */
static bool find_camera(struct ossa__context *context, struct search *search)
{
    enum { DEEPEST = 64 }; /* nodes above a camera; programs make one or two */
    int64_t node = find_node(search->motion, search->camera->name);
    uint32_t depth = 0;
    for (int64_t n = node; n >= 0; n = search->motion->nodes[n].parent) depth++;
    if (depth == 0 || depth > DEEPEST) return false;
    uint32_t *nodes = ossa__take_scratch(context, depth, sizeof *nodes);
    search->curves =
        ossa__take_scratch(context, 3 * (uint64_t)depth, sizeof(struct ossa__motion_curve *));
    if (context->failed) return false;
    search->depth = depth;
    search->nodes = nodes;
    memset(search->curves, 0, 3 * (size_t)depth * sizeof *search->curves);
    for (int64_t n = node; n >= 0; n = search->motion->nodes[n].parent) {
        nodes[--depth] = (uint32_t)n;
    }
    for (uint32_t c = 0; c < search->motion->clip_count; c++) {
        search->clip = &search->motion->clips[c];
        if (find_curves(search, search->clip)) return true;
    }
    search->clip = NULL;
    return search->camera->key_count == 1; /* else its animation is missing */
}

bool ossa__is_camera_clip(const ossa_scene *scene, const struct ossa__motion *motion,
                          const struct ossa__motion_clip *clip)
{
    for (uint32_t i = 0; i < scene->camera_count; i++) {
        int64_t node = find_node(motion, scene->cameras[i].name);
        for (uint32_t k = 0; node >= 0 && k < clip->curve_count; k++) {
            int32_t above = motion->nodes[node].parent;
            bool is_own = clip->curves[k].node == (uint32_t)node ||
                          (above >= 0 && clip->curves[k].node == (uint32_t)above);
            if (is_own) return true;
        }
    }
    return false;
}

/* ---- where it is --------------------------------------------------------------------------- */

/* Where the edit has it; false: nowhere, since something above it is flat. */
static bool sample_edit(const struct search *search, double time, struct place *place)
{
    struct ossa__affine world = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, {0.0}};
    for (uint32_t d = 0; d < search->depth; d++) {
        const struct ossa__motion_node *node = &search->motion->nodes[search->nodes[d]];
        const struct ossa__motion_curve *const *curves = search->curves + 3 * (size_t)d;
        double t[3];
        double s[3];
        double r[4] = {node->rotation.x, node->rotation.y, node->rotation.z, node->rotation.w};
        memcpy(t, node->translation, sizeof t);
        memcpy(s, node->scale, sizeof s);
        double *values[3] = {t, r, s};
        for (unsigned k = 0; k < 3; k++) {
            if (curves[k] != NULL) ossa__sample_curve(curves[k], time, nearness, values[k]);
        }
        struct ossa__affine local =
            ossa__affine_of(t, (struct ossa__quat){r[0], r[1], r[2], r[3]}, s);
        world = ossa__affine_multiply(&world, &local);
    }
    double scale[3];
    memcpy(place->position, world.t, sizeof place->position);
    return ossa__affine_split(&world, &place->rotation, scale);
}

/* Where the files have it. */
static void sample_own(const struct search *search, double time, struct place *place)
{
    ossa_transform own;
    ossa_sample_camera(search->camera, time, OSSA_WRAP_CLAMP, &own, NULL);
    for (unsigned k = 0; k < 3; k++) place->position[k] = (double)own.translation[k];
    place->rotation = ossa__quat_load(own.rotation);
    (void)ossa__quat_normalise(&place->rotation);
}

static bool is_same(const struct search *search, const struct place *a, const struct place *b)
{
    return ossa__same_position(search->assembly, a->position, b->position) &&
           ossa__same_rotation(a->rotation, b->rotation);
}

/* The last key of a curve that is not later than a time; -1: all are. */
static int64_t key_before(const struct ossa__motion_curve *curve, double time)
{
    uint32_t low = 0;
    uint32_t high = curve->key_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if ((double)curve->times[middle] <= time) low = middle + 1;
        else high = middle;
    }
    return (int64_t)low - 1;
}

/* The last key of the camera that is not later than a time. */
static uint32_t own_key_before(const ossa_camera *camera, double time)
{
    uint32_t low = 0;
    uint32_t high = camera->key_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if ((double)camera->times[middle] <= time) low = middle;
        else high = middle;
    }
    return low;
}

/* Between keys, some programs interpolate the numbers of a quaternion instead of the angle. */
static void straighten(const ossa_camera *camera, double time, struct ossa__quat *rotation)
{
    uint32_t from = own_key_before(camera, time);
    if (from + 1 == camera->key_count || !(time > (double)camera->times[from])) return;
    struct ossa__quat a = ossa__quat_load(camera->rotations[from]);
    struct ossa__quat b = ossa__quat_load(camera->rotations[from + 1]);
    double start = (double)camera->times[from];
    double part = (time - start) / ((double)camera->times[from + 1] - start);
    double sign = ossa__quat_dot(a, b) < 0.0 ? -part : part;
    *rotation =
        (struct ossa__quat){a.x * (1.0 - part) + b.x * sign, a.y * (1.0 - part) + b.y * sign,
                            a.z * (1.0 - part) + b.z * sign, a.w * (1.0 - part) + b.w * sign};
    (void)ossa__quat_normalise(rotation);
}

/* Is the edit on the path of the camera at a time? */
static bool is_on_path(const struct search *search, double time)
{
    struct place edit;
    struct place own;
    sample_own(search, time, &own);
    if (!sample_edit(search, time, &edit)) return false;
    if (is_same(search, &edit, &own)) return true;
    straighten(search->camera, time, &own.rotation);
    return is_same(search, &edit, &own);
}

/* Is a time between two keys of the edit that are on the path? Or is it less than a step after the
 * last key, which is? */
static bool is_cut_corner(const struct search *search, double time)
{
    double before = -1.0;
    double behind = INFINITY;
    double step = 0.0;
    for (size_t i = 0; i < 3 * (size_t)search->depth; i++) {
        const struct ossa__motion_curve *curve = search->curves[i];
        int64_t key = curve == NULL ? -1 : key_before(curve, time + nearness);
        if (key < 0) continue;
        before = fmax(before, (double)curve->times[key]);
        if (key > 0) step = fmax(step, (double)curve->times[key] - (double)curve->times[key - 1]);
        if (key + 1 == curve->key_count) continue;
        behind = fmin(behind, (double)curve->times[key + 1]);
    }
    if (before < 0.0 || !is_on_path(search, before)) return false;
    return behind < INFINITY ? is_on_path(search, behind) : time - before < step + nearness;
}

/* ---- applying ------------------------------------------------------------------------------ */

/* Fill in what is wanted of each key; false: nothing has changed. */
static bool fill_keys(const struct search *search, double (*positions)[3],
                      struct ossa__quat *rotations)
{
    bool is_changed = false;
    for (uint32_t i = 0; i < search->camera->key_count; i++) {
        double time = (double)search->camera->times[i];
        struct place own;
        struct place wanted;
        sample_own(search, time, &own);
        bool is_kept = !sample_edit(search, time, &wanted) || is_same(search, &own, &wanted) ||
                       is_cut_corner(search, time);
        is_changed = is_changed || !is_kept;
        memcpy(positions[i], is_kept ? own.position : wanted.position, sizeof *positions);
        rotations[i] = is_kept ? own.rotation : wanted.rotation;
    }
    return is_changed;
}

static void apply_edit(struct ossa__importing *im, const struct ossa__camera_keys *keys,
                       const struct search *search)
{
    const ossa_camera *camera = search->camera;
    double(*positions)[3] = ossa__take_scratch(im->context, camera->key_count, sizeof *positions);
    struct ossa__quat *rotations =
        ossa__take_scratch(im->context, camera->key_count, sizeof *rotations);
    if (im->context->failed || !fill_keys(search, positions, rotations)) return;
    if (keys->apply == NULL) {
        ossa__fail_nowhere(im->context, OSSA_CODE_BAD_ARGUMENT, "",
                           "the camera '%s' was edited, which cannot be stored in %s yet",
                           camera->name, camera->source_format);
        return;
    }
    keys->apply(keys, &(struct ossa__camera_edit){.edit = {.editing = &im->editing,
                                                           .assembly = keys->assembly,
                                                           .name = camera->name,
                                                           .frame_count = camera->key_count},
                                                  .positions = (const double(*)[3])positions,
                                                  .rotations = rotations});
}

void ossa__import_camera(struct ossa__editing *editing, const struct ossa__camera_keys *keys,
                         const ossa_camera *camera)
{
    struct ossa__importing *im = (struct ossa__importing *)editing;
    struct ossa__context *context = im->context;
    struct ossa__mark mark = ossa__scratch_mark(context);
    bool is_found = false;
    for (size_t i = 0; i < im->call->motion_count && !is_found && !context->failed; i++) {
        struct search search = {
            .assembly = keys->assembly, .camera = camera, .motion = im->call->motions[i]};
        is_found = find_camera(context, &search);
        ossa__import_blame(im, (int32_t)i);
        if (is_found) apply_edit(im, keys, &search);
        ossa__scratch_release(context, mark);
    }
    ossa__import_blame(im, -1);
    if (!context->failed || keys->assembly->context.failed) return;
    keys->assembly->context.failed = true;
    keys->assembly->context.error = context->error;
}
