/* SPDX-License-Identifier: MIT
 *
 * Poses put together: the mean of several, and one on top of another. Each bone is read from all
 * poses before it is written, so that the result may take the place of any of them. */
#include "ossa/sample.h"

#include "base/narrow.h"
#include "base/quaternion.h"
#include "sample/weight.h"

#include <float.h>
#include <math.h>

/* A layer's weight for a bone; false where it has no pose, or the bone takes no part in it. */
static bool weigh(const ossa_layer *layer, uint32_t bone, double *weight)
{
    if (layer->locals == NULL) return false;
    *weight = (double)layer->weight;
    if (layer->bone_weights == NULL) return true;
    *weight *= (double)layer->bone_weights[bone]; /* a double holds it, however small */
    return ossa__counts(layer->bone_weights[bone]);
}

/* ---- the mean ------------------------------------------------------------------------------ */

/* What counts for one bone; where nothing does, all three are its rest. */
struct choice {
    unsigned counted; /* layers: 0, 1, 2, or 3 for more */
    double total;     /* of their weights */
    const ossa_transform *first;
    const ossa_transform *second;
    double second_weight;
    const ossa_transform *heaviest;
    double most;
};

static struct choice choose(const ossa_layer *layers, size_t count, uint32_t bone,
                            const ossa_transform *rest)
{
    struct choice choice = {.first = rest, .second = rest, .heaviest = rest};
    for (size_t i = 0; i < count; i++) {
        double weight;
        if (!ossa__counts(layers[i].weight) || !weigh(&layers[i], bone, &weight)) continue;
        const ossa_transform *local = &layers[i].locals[bone];
        if (choice.counted == 0) {
            choice.first = local;
        } else if (choice.counted == 1) {
            choice.second = local;
            choice.second_weight = weight;
        }
        if (weight > choice.most) {
            choice.most = weight;
            choice.heaviest = local;
        }
        if (choice.counted < 3) choice.counted++;
        choice.total += weight;
    }
    return choice;
}

static void mean_of_two(const struct choice *choice, ossa_transform *mean)
{
    const ossa_transform *a = choice->first;
    const ossa_transform *b = choice->second;
    double part = choice->second_weight / choice->total;
    ossa__quat_store(
        ossa__quat_slerp(ossa__quat_load(a->rotation), ossa__quat_load(b->rotation), part),
        mean->rotation);
    for (unsigned k = 0; k < 3; k++) {
        double place = (double)a->translation[k];
        double size = (double)a->scale[k];
        mean->translation[k] = (float)(place + ((double)b->translation[k] - place) * part);
        mean->scale[k] = (float)(size + ((double)b->scale[k] - size) * part);
    }
}

static void mean_of_more(const struct choice *choice, const ossa_layer *layers, size_t count,
                         uint32_t bone, ossa_transform *mean)
{
    struct ossa__quat first = ossa__quat_load(choice->first->rotation);
    struct ossa__quat sum = {0.0, 0.0, 0.0, 0.0};
    double translation[3] = {0.0, 0.0, 0.0};
    double scale[3] = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < count; i++) {
        double weight;
        if (!ossa__counts(layers[i].weight) || !weigh(&layers[i], bone, &weight)) continue;
        double part = weight / choice->total;
        const ossa_transform *local = &layers[i].locals[bone];
        for (unsigned k = 0; k < 3; k++) {
            translation[k] += part * (double)local->translation[k];
            scale[k] += part * (double)local->scale[k];
        }
        /* q and -q are the same rotation: the one on the side of the first is added. */
        struct ossa__quat q = ossa__quat_load(local->rotation);
        if (ossa__quat_dot(q, first) < 0.0) part = -part;
        sum.x += part * q.x;
        sum.y += part * q.y;
        sum.z += part * q.z;
        sum.w += part * q.w;
    }
    for (unsigned k = 0; k < 3; k++) {
        mean->translation[k] = (float)translation[k];
        mean->scale[k] = (float)scale[k];
    }
    /* Where the rotations cancel, what is left of them is their rounding. */
    const double nothing = 1e-6;
    if (ossa__quat_dot(sum, sum) < nothing * nothing) {
        sum = ossa__quat_load(choice->heaviest->rotation);
    }
    (void)ossa__quat_normalise(&sum);
    ossa__quat_store(sum, mean->rotation);
}

void ossa_blend(const ossa_scene *scene, const ossa_layer *layers, size_t count,
                ossa_transform *out)
{
    for (uint32_t bone = 0; bone < scene->bone_count; bone++) {
        struct choice choice = choose(layers, count, bone, &scene->bones[bone].rest);
        ossa_transform mean;
        if (choice.counted < 2) mean = *choice.first; /* bit for bit */
        else if (choice.counted == 2) mean_of_two(&choice, &mean);
        else mean_of_more(&choice, layers, count, bone, &mean);
        out[bone] = mean;
    }
}

/* ---- what a pose adds ---------------------------------------------------------------------- */

/* The same turn, said so that it goes the short way round. */
static struct ossa__quat short_way(struct ossa__quat q)
{
    return q.w < 0.0 ? (struct ossa__quat){-q.x, -q.y, -q.z, -q.w} : q;
}

static float factor_between(float from, float to)
{
    if (from == 0.0F) return 1.0F;
    double factor = (double)to / (double)from;
    return fabs(factor) <= (double)FLT_MAX ? (float)factor : 1.0F; /* nothing but for rounding */
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
        (void)ossa__quat_normalise(&turn);
        ossa__quat_store(short_way(turn), added.rotation);
        for (unsigned k = 0; k < 3; k++) {
            added.translation[k] =
                ossa__narrow((double)to->translation[k] - (double)from->translation[k]);
            added.scale[k] = factor_between(from->scale[k], to->scale[k]);
        }
        out[bone] = added;
    }
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

/* Each number is read from both before it is written, in case `out` is one of them. */
static void add_to_bone(const ossa_transform *base, const ossa_transform *more, double share,
                        ossa_transform *out)
{
    struct ossa__quat turn = turn_times(ossa__quat_load(more->rotation), share);
    struct ossa__quat own = ossa__quat_multiply(ossa__quat_load(base->rotation), turn);
    (void)ossa__quat_normalise(&own);
    ossa__quat_store(own, out->rotation);
    for (unsigned k = 0; k < 3; k++) {
        double factor = 1.0 + share * ((double)more->scale[k] - 1.0);
        double way = share * (double)more->translation[k];
        out->translation[k] = ossa__narrow((double)base->translation[k] + way);
        out->scale[k] = ossa__narrow((double)base->scale[k] * factor);
    }
}

void ossa_add_pose(const ossa_scene *scene, const ossa_transform *base, const ossa_layer *added,
                   ossa_transform *out)
{
    bool adds = isfinite(added->weight) && added->weight != 0.0F; /* below 0, too */
    for (uint32_t bone = 0; bone < scene->bone_count; bone++) {
        double share;
        if (adds && weigh(added, bone, &share)) {
            add_to_bone(&base[bone], &added->locals[bone], share, &out[bone]);
        } else {
            out[bone] = base[bone];
        }
    }
}
