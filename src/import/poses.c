/* SPDX-License-Identifier: MIT */
#include "import/poses.h"

#include "import/curves.h"
#include "ossa/sample.h"

#include <inttypes.h>
#include <string.h>

bool ossa__posing_start(struct ossa__context *context, struct ossa__posing *posing)
{
    const struct ossa__motion *motion = posing->match->motion;
    uint32_t bones = posing->match->scene->bone_count;
    int32_t *curves = ossa__take_scratch(context, 3 * (uint64_t)motion->node_count, sizeof *curves);
    posing->nodes = ossa__take_scratch(context, motion->node_count, sizeof *posing->nodes);
    posing->bones = ossa__take_scratch(context, bones, sizeof *posing->bones);
    posing->original = ossa__take_scratch(context, bones, sizeof *posing->original);
    posing->is_visible = ossa__take_scratch(context, bones, 1);
    if (context->failed) return false;
    memset(curves, -1, 3 * (size_t)motion->node_count * sizeof *curves);
    for (uint32_t i = 0; i < posing->edited->curve_count; i++) {
        const struct ossa__motion_curve *curve = &posing->edited->curves[i];
        if (curve->target == OSSA__MOTION_WEIGHTS) continue;
        curves[3 * (size_t)curve->node + (unsigned)curve->target] = (int32_t)i;
    }
    posing->curves = curves;
    return true;
}

/* ---- the rate ------------------------------------------------------------------------------ */

static bool is_at_frame(double position)
{
    return fabs(position - floor(position + 0.5)) <= OSSA__NEARNESS;
}

/* Does every key stand at a frame, or every frame have a key? Then nothing is lost between them. */
static bool fits_frames(const struct ossa__motion_curve *curve, double start, double fps)
{
    uint32_t at_frames = 0;
    for (uint32_t k = 0; k < curve->key_count; k++) {
        if (is_at_frame(((double)curve->times[k] - start) * fps)) at_frames++;
    }
    if (at_frames == curve->key_count) return true;
    double first = ceil(((double)curve->times[0] - start) * fps - OSSA__NEARNESS);
    double end = (double)curve->times[curve->key_count - 1] - start;
    double last = floor(end * fps + OSSA__NEARNESS);
    return (double)at_frames >= last - first + 1.0;
}

/* Keys per second: from the shortest distance between two. 0: there are no two. */
static double rate_of(const struct ossa__motion_curve *curve)
{
    double shortest = INFINITY;
    for (uint32_t k = 1; k < curve->key_count; k++) {
        shortest = fmin(shortest, (double)curve->times[k] - (double)curve->times[k - 1]);
    }
    return shortest < INFINITY ? 1.0 / shortest : 0.0;
}

static bool counts(const struct ossa__posing *posing, const struct ossa__motion_curve *curve)
{
    return curve->target != OSSA__MOTION_WEIGHTS && posing->match->is_needed[curve->node] != 0;
}

bool ossa__posing_check_rate(struct ossa__context *context, const struct ossa__posing *posing)
{
    for (uint32_t i = 0; i < posing->edited->curve_count; i++) {
        const struct ossa__motion_curve *curve = &posing->edited->curves[i];
        if (!counts(posing, curve) || fits_frames(curve, posing->start, posing->fps)) continue;
        /* The glTF exporter of Blender 3.4 has whole rates only: it ignores the base. */
        bool is_whole = fabs(posing->fps - floor(posing->fps + 0.5)) < 1e-3;
        return ossa__fail_nowhere(
            context, OSSA_CODE_WRONG_RATE, "",
            "the clip '%s' has keys at a rate of %.6g per second, but the original has %.6g frames "
            "per second; %s before importing it into the other program, and export again",
            posing->clip->name, rate_of(curve), posing->fps,
            is_whole ? "set the frame rate of the scene to that of the original"
                     : "convert it at a whole rate, such as 24, and set that in the scene");
    }
    return true;
}

uint64_t ossa__posing_length(const struct ossa__posing *posing)
{
    double last = 0.0;
    for (uint32_t i = 0; i < posing->edited->curve_count; i++) {
        const struct ossa__motion_curve *curve = &posing->edited->curves[i];
        if (!counts(posing, curve)) continue;
        last = fmax(last, (double)curve->times[curve->key_count - 1]);
    }
    const struct ossa__motion_clip *edited = posing->edited;
    /* What never changes may have one key only, however long it is. */
    bool is_stated = edited->frame_count > 0 && posing->start == 0.0 &&
                     fabs(edited->fps - posing->fps) <= 1e-3 * posing->fps;
    double stated = is_stated ? (double)edited->frame_count : 1.0;
    double frames = fmax(floor((last - posing->start) * posing->fps + 0.5) + 1.0, stated);
    return frames < 0x1p62 ? (uint64_t)frames : UINT64_C(1) << 62;
}

/* ---- unknown bones ------------------------------------------------------------------------- */

/* Does a curve ever leave the rest of its node? */
static bool moves(const struct ossa__motion_node *node, const struct ossa__motion_curve *curve)
{
    for (uint32_t k = 0; k < curve->key_count; k++) {
        double value[4];
        ossa__sample_curve(curve, (double)curve->times[k], 0.0, value);
        if (curve->target == OSSA__MOTION_ROTATION) {
            struct ossa__quat q = {value[0], value[1], value[2], value[3]};
            if (!ossa__same_rotation(q, node->rotation)) return true;
            continue;
        }
        bool is_scale = curve->target == OSSA__MOTION_SCALE;
        const double *rest = is_scale ? node->scale : node->translation;
        for (unsigned i = 0; i < 3; i++) {
            if (fabs(value[i] - rest[i]) > (is_scale ? 1e-4 : OSSA__KEPT_METRES)) return true;
        }
    }
    return false;
}

int64_t ossa__posing_find_unknown(const struct ossa__posing *posing)
{
    const struct ossa__match *match = posing->match;
    for (uint32_t i = 0; i < posing->edited->curve_count; i++) {
        const struct ossa__motion_curve *curve = &posing->edited->curves[i];
        if (curve->target == OSSA__MOTION_WEIGHTS || !match->is_unknown[curve->node]) continue;
        if (moves(&match->motion->nodes[curve->node], curve)) return curve->node;
    }
    return -1;
}

/* ---- poses --------------------------------------------------------------------------------- */

/* A value of a node at a time: its curve's, or that at rest. */
static void sample_node(const struct ossa__posing *posing, uint32_t node,
                        enum ossa__motion_target target, double time, double *value)
{
    int32_t curve = posing->curves[3 * (size_t)node + (unsigned)target];
    const struct ossa__motion_node *rest = &posing->match->motion->nodes[node];
    if (curve >= 0) {
        ossa__sample_curve(&posing->edited->curves[curve], time, OSSA__NEARNESS / posing->fps,
                           value);
    } else if (target == OSSA__MOTION_ROTATION) {
        value[0] = rest->rotation.x;
        value[1] = rest->rotation.y;
        value[2] = rest->rotation.z;
        value[3] = rest->rotation.w;
    } else {
        const double *from = target == OSSA__MOTION_SCALE ? rest->scale : rest->translation;
        memcpy(value, from, 3 * sizeof *value);
    }
}

static void move_nodes(const struct ossa__posing *p, double time)
{
    const struct ossa__match *match = p->match;
    for (uint32_t n = 0; n < match->motion->node_count; n++) {
        double t[3];
        double r[4];
        double s[3];
        if (!match->is_needed[n]) continue;
        sample_node(p, n, OSSA__MOTION_TRANSLATION, time, t);
        sample_node(p, n, OSSA__MOTION_ROTATION, time, r);
        sample_node(p, n, OSSA__MOTION_SCALE, time, s);
        int32_t parent = match->motion->nodes[n].parent;
        p->nodes[n] = ossa__affine_of(t, (struct ossa__quat){r[0], r[1], r[2], r[3]}, s);
        if (parent >= 0) p->nodes[n] = ossa__affine_multiply(&p->nodes[parent], &p->nodes[n]);
    }
}

/* A mirrored bone may be mirrored along any axis: the files say which. */
static void mirror_as(const float original[3], struct ossa__quat *rotation, double scale[3])
{
    if (scale[0] >= 0.0) return;
    for (unsigned k = 1; k < 3; k++) {
        bool is_this =
            original[k] < 0.0F && original[(k + 1) % 3] >= 0.0F && original[(k + 2) % 3] >= 0.0F;
        if (!is_this) continue;
        /* R diag(-1, 1, 1) is R' diag(1, -1, 1), R' being R after half a rotation about the third
         * axis. */
        struct ossa__quat half = {0.0, k == 2 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, 0.0};
        *rotation = ossa__quat_multiply(*rotation, half);
        scale[0] = -scale[0];
        scale[k] = -scale[k];
        return;
    }
}

/* The local pose of a bone from the world transforms; those of the bones before are known. */
static void take_local(const struct ossa__posing *p, uint32_t bone,
                       const struct ossa__edit_pose *row, struct ossa__edit_pose *pose)
{
    int32_t parent = p->match->scene->bones[bone].parent;
    const ossa_transform *original = &p->original[bone];
    struct ossa__affine local = p->bones[bone];
    struct ossa__affine inverse;
    bool is_sound = true;
    if (parent >= 0) {
        is_sound = ossa__affine_invert(&p->bones[parent], &inverse);
        if (is_sound) local = ossa__affine_multiply(&inverse, &local);
    }
    is_sound = is_sound && ossa__affine_split(&local, &pose->local, pose->scale);
    if (is_sound) mirror_as(original->scale, &pose->local, pose->scale);
    else { /* scaled to nothing: nobody sees where it points */
        pose->local = ossa__quat_load(original->rotation);
        for (unsigned k = 0; k < 3; k++) pose->scale[k] = (double)original->scale[k];
    }
    for (unsigned k = 0; k < 3; k++) {
        pose->translation[k] = is_sound ? local.t[k] : (double)original->translation[k];
        if (!p->match->motion->has_rest) pose->scale[k] = (double)original->scale[k];
    }
    pose->world = pose->local;
    if (parent >= 0) pose->world = ossa__quat_multiply(row[parent].world, pose->local);
    (void)ossa__quat_normalise(&pose->world);
}

static bool is_visible(const struct ossa__posing *p, uint32_t bone, double time)
{
    int32_t node = p->match->visible[bone];
    double scale[3];
    if (node < 0) return p->is_visible[bone] != 0;
    sample_node(p, (uint32_t)node, OSSA__MOTION_SCALE, time, scale);
    bool is_between = scale[0] > 0.01 && scale[0] < 0.99;
    if (is_between && p->unclear != NULL) ++*p->unclear;
    return scale[0] >= 0.5;
}

void ossa__posing_fill(const struct ossa__posing *p, uint32_t frame, struct ossa__edit_pose *row)
{
    const struct ossa__match *match = p->match;
    double time = p->start + frame / p->fps;
    uint32_t from = frame < p->frame_count ? frame : p->frame_count - 1;
    ossa_sample_frame(match->scene, p->clip, from * p->keys_per_frame, p->original, p->is_visible);
    move_nodes(p, time);
    for (uint32_t b = 0; b < match->scene->bone_count; b++) {
        p->bones[b] = ossa__affine_multiply(&p->nodes[match->nodes[b]], &match->axes[b]);
        take_local(p, b, row, &row[b]);
        row[b].is_visible = is_visible(p, b, time);
    }
}
