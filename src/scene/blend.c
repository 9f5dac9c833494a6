/* SPDX-License-Identifier: MIT
 *
 * Poses put together: the mean of several, and one on top of another. Each bone is read from all
 * poses before it is written, so that the result may take the place of any of them. */
#include "ossa/sample.h"

#include "scene/narrow.h"
#include "scene/quaternion.h"

#include <math.h>

static bool counts(float weight)
{
    return weight > 0.0F && isfinite(weight); /* not a number is not above 0 */
}

/* How much a layer counts for a bone; 0: not at all, and its pose is not looked at. */
static double weight_of(const ossa_layer *layer, uint32_t bone)
{
    if (layer->locals == NULL || !counts(layer->weight)) return 0.0;
    if (layer->bone_weights == NULL) return (double)layer->weight;
    if (!counts(layer->bone_weights[bone])) return 0.0;
    return (double)layer->weight * (double)layer->bone_weights[bone];
}

/* ---- the mean ------------------------------------------------------------------------------ */

/* What the layers say of one bone, added up. */
struct sum {
    unsigned counted; /* layers: 0, 1, 2, or 3 for more */
    double total;
    const ossa_transform *first;
    const ossa_transform *second;
    double second_weight;
    const ossa_transform *heaviest;
    double most;
    struct ossa__quat rotation;
    double translation[3];
    double scale[3];
};

static void add_to_sum(struct sum *sum, const ossa_transform *local, double weight)
{
    if (sum->counted == 0) {
        sum->first = local;
    } else if (sum->counted == 1) {
        sum->second = local;
        sum->second_weight = weight;
    }
    if (sum->counted < 3) sum->counted++;
    if (weight > sum->most) {
        sum->most = weight;
        sum->heaviest = local;
    }
    sum->total += weight;
    for (unsigned k = 0; k < 3; k++) {
        sum->translation[k] += weight * (double)local->translation[k];
        sum->scale[k] += weight * (double)local->scale[k];
    }
    /* q and -q are the same rotation: the one on the side of the first is added. */
    struct ossa__quat q = ossa__quat_load(local->rotation);
    double signed_weight =
        ossa__quat_dot(q, ossa__quat_load(sum->first->rotation)) < 0.0 ? -weight : weight;
    sum->rotation.x += signed_weight * q.x;
    sum->rotation.y += signed_weight * q.y;
    sum->rotation.z += signed_weight * q.z;
    sum->rotation.w += signed_weight * q.w;
}

static struct ossa__quat mean_rotation(const struct sum *sum)
{
    if (sum->counted == 2) {
        return ossa__quat_slerp(ossa__quat_load(sum->first->rotation),
                                ossa__quat_load(sum->second->rotation),
                                sum->second_weight / sum->total);
    }
    /* Where the rotations cancel, what is left of them is their rounding. */
    const double nothing = 1e-6;
    struct ossa__quat q = sum->rotation;
    double length = sqrt(ossa__quat_dot(q, q));
    if (length < nothing * sum->total) return ossa__quat_load(sum->heaviest->rotation);
    return (struct ossa__quat){q.x / length, q.y / length, q.z / length, q.w / length};
}

void ossa_blend(const ossa_scene *scene, const ossa_layer *layers, size_t count,
                ossa_transform *out)
{
    for (uint32_t bone = 0; bone < scene->bone_count; bone++) {
        struct sum sum = {.counted = 0};
        for (size_t i = 0; i < count; i++) {
            double weight = weight_of(&layers[i], bone);
            if (weight > 0.0) add_to_sum(&sum, &layers[i].locals[bone], weight);
        }
        if (sum.counted == 0) {
            out[bone] = scene->bones[bone].rest;
            continue;
        }
        if (sum.counted == 1) {
            out[bone] = *sum.first; /* bit for bit */
            continue;
        }
        ossa_transform mean;
        ossa__quat_store(mean_rotation(&sum), mean.rotation);
        for (unsigned k = 0; k < 3; k++) {
            mean.translation[k] = (float)(sum.translation[k] / sum.total);
            mean.scale[k] = (float)(sum.scale[k] / sum.total);
        }
        out[bone] = mean;
    }
}

/* ---- what a pose adds ---------------------------------------------------------------------- */

/* The same turn, said so that it goes the short way round. */
static struct ossa__quat short_way(struct ossa__quat q)
{
    (void)ossa__quat_normalise(&q);
    return q.w < 0.0 ? (struct ossa__quat){-q.x, -q.y, -q.z, -q.w} : q;
}

static float factor_between(float from, float to)
{
    double factor = (double)to / (double)from;
    return from != 0.0F && fabs(factor) <= (double)FLT_MAX ? (float)factor : 1.0F;
}

void ossa_make_additive(const ossa_scene *scene, const ossa_transform *pose,
                        const ossa_transform *reference, ossa_transform *out)
{
    for (uint32_t bone = 0; bone < scene->bone_count; bone++) {
        const ossa_transform *from = &reference[bone];
        const ossa_transform *to = &pose[bone];
        struct ossa__quat turn = ossa__quat_multiply(
            ossa__quat_conjugate(ossa__quat_load(from->rotation)), ossa__quat_load(to->rotation));
        ossa_transform added;
        ossa__quat_store(short_way(turn), added.rotation);
        for (unsigned k = 0; k < 3; k++) {
            added.translation[k] =
                ossa__narrow((double)to->translation[k] - (double)from->translation[k]);
            added.scale[k] = factor_between(from->scale[k], to->scale[k]);
        }
        out[bone] = added;
    }
}

/* How much of what is added a bone takes: any finite number, unlike in a mean. */
static double share_of(const ossa_layer *added, uint32_t bone)
{
    if (added->locals == NULL || !isfinite(added->weight)) return 0.0;
    if (added->bone_weights == NULL) return (double)added->weight;
    if (!counts(added->bone_weights[bone])) return 0.0;
    return (double)added->weight * (double)added->bone_weights[bone];
}

/* A turn so many times over: the whole times by squaring, which keeps every size of turn and of
 * share exact without trigonometry, and a part of one along its arc. */
static struct ossa__quat turn_times(struct ossa__quat turn, double share)
{
    if (share < 0.0) {
        turn = ossa__quat_conjugate(turn);
        share = -share;
    }
    double whole = floor(share);
    struct ossa__quat result =
        ossa__quat_slerp((struct ossa__quat){0.0, 0.0, 0.0, 1.0}, turn, share - whole);
    while (whole >= 1.0) {
        double half = floor(whole / 2.0);
        if (whole - 2.0 * half >= 1.0) result = ossa__quat_multiply(result, turn);
        turn = ossa__quat_multiply(turn, turn);
        (void)ossa__quat_normalise(&turn);
        whole = half;
    }
    return result;
}

void ossa_add_pose(const ossa_scene *scene, const ossa_transform *base, const ossa_layer *added,
                   ossa_transform *out)
{
    for (uint32_t bone = 0; bone < scene->bone_count; bone++) {
        double share = share_of(added, bone);
        ossa_transform local = base[bone];
        if (share != 0.0) {
            const ossa_transform *more = &added->locals[bone];
            struct ossa__quat turn = turn_times(short_way(ossa__quat_load(more->rotation)), share);
            struct ossa__quat own = ossa__quat_multiply(ossa__quat_load(local.rotation), turn);
            (void)ossa__quat_normalise(&own);
            ossa__quat_store(own, local.rotation);
            for (unsigned k = 0; k < 3; k++) {
                double factor = 1.0 + share * ((double)more->scale[k] - 1.0);
                local.translation[k] = ossa__narrow((double)local.translation[k] +
                                                    share * (double)more->translation[k]);
                local.scale[k] = ossa__narrow((double)local.scale[k] * factor);
            }
        }
        out[bone] = local;
    }
}
