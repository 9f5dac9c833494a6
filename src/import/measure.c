/* SPDX-License-Identifier: MIT
 *
 * How far the files that were written are from the edit. */
#include "import/importing.h"
#include "ossa/sample.h"
#include "scene/deviation.h"

#include <string.h>

static void find_world(const ossa_scene *scene, const struct ossa__edit_pose *row,
                       struct ossa__affine *worlds)
{
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        int32_t parent = scene->bones[b].parent;
        worlds[b] = ossa__affine_of(row[b].translation, row[b].local, row[b].scale);
        if (parent >= 0) worlds[b] = ossa__affine_multiply(&worlds[parent], &worlds[b]);
    }
}

/* The angle between the axes of two transforms: of the whole, since two mirrored axes are a
 * rotation. What is scaled to nothing points nowhere. */
static double angle_between(const struct ossa__affine *a, const struct ossa__affine *b)
{
    struct ossa__quat p;
    struct ossa__quat q;
    double scale[3];
    if (!ossa__affine_split(a, &p, scale) || !ossa__affine_split(b, &q, scale)) return 0.0;
    return ossa__angle_between(p, q);
}

/* Note where a pose of the files is farthest from that of the edit. */
static void compare_frame(const ossa_scene *scene, const struct ossa__edit_pose *wanted,
                          const struct ossa__edit_pose *found, struct ossa__affine *worlds,
                          double scale, uint32_t frame, struct ossa__deviation *worst)
{
    const struct ossa__affine *a = worlds;
    const struct ossa__affine *b = worlds + scene->bone_count;
    find_world(scene, wanted, worlds);
    find_world(scene, found, worlds + scene->bone_count);
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        if (!wanted[i].is_visible && !found[i].is_visible) continue;
        const double d[3] = {a[i].t[0] - b[i].t[0], a[i].t[1] - b[i].t[1], a[i].t[2] - b[i].t[2]};
        const struct ossa__deviation deviation = {
            .bone = i,
            .frame = frame,
            .degrees = angle_between(&a[i], &b[i]) / OSSA__DEGREE,
            .millimetres = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) * 1000.0 / scale};
        ossa__deviation_note(worst, &deviation);
    }
}

/* Compare what a clip is now with its edit. */
static bool compare_clip(struct ossa__importing *im, const ossa_scene *scene, const ossa_clip *clip,
                         struct ossa__edit_source source, ossa_import_clip *report)
{
    uint32_t bones = scene->bone_count;
    struct ossa__context *context = im->context;
    struct ossa__mark mark = ossa__scratch_mark(context);
    struct ossa__posing posing = {.match = &im->matches[source.motion],
                                  .edited = &im->call->motions[source.motion]->clips[source.clip],
                                  .clip = clip,
                                  .fps = (source.fps > 0.0 ? source.fps : clip->fps) /
                                         clip->keys_per_frame,
                                  .start = source.start,
                                  .frame_count = (clip->frame_count - 1) / clip->keys_per_frame + 1,
                                  .keys_per_frame = clip->keys_per_frame};
    double scale = im->call->scene->scale > 0.0 ? im->call->scene->scale : 1.0;
    struct ossa__edit_pose *wanted =
        ossa__take_scratch(context, 2 * (uint64_t)bones, sizeof *wanted);
    struct ossa__affine *worlds = ossa__take_scratch(context, 2 * (uint64_t)bones, sizeof *worlds);
    ossa_transform *locals = ossa__take_scratch(context, bones, sizeof *locals);
    uint8_t *visible = ossa__take_scratch(context, bones, 1);
    struct ossa__deviation worst = {0};
    if (context->failed || !ossa__posing_start(context, &posing)) return false;
    struct ossa__edit_pose *found = wanted + bones;
    for (uint32_t f = 0; f < posing.frame_count; f++) {
        ossa__posing_fill(&posing, f, wanted);
        ossa_sample_frame(scene, clip, f * clip->keys_per_frame, locals, visible);
        ossa__import_pose(scene, locals, visible, found);
        compare_frame(scene, wanted, found, worlds, scale, f, &worst);
    }
    ossa__scratch_release(context, mark);
    report->worst_bone = bones > 0 ? (int32_t)worst.bone : -1;
    report->worst_frame = worst.frame;
    report->degrees = worst.degrees;
    report->millimetres = worst.millimetres;
    return true;
}

static bool same_tracks(uint32_t frames, const ossa_tracks *x, const ossa_tracks *y, size_t width)
{
    size_t size = (size_t)frames * x->count * width * sizeof(float);
    return x->count == y->count &&
           (x->count == 0 || (memcmp(x->bones, y->bones, x->count * sizeof *x->bones) == 0 &&
                              memcmp(x->keys, y->keys, size) == 0));
}

/* Is a clip the very same? */
static bool is_same_clip(const ossa_scene *scene, const ossa_clip *a, const ossa_clip *b)
{
    const ossa_flag_tracks *u = &a->visibilities;
    const ossa_flag_tracks *v = &b->visibilities;
    if (a->frame_count != b->frame_count || u->count != v->count) return false;
    if (memcmp(a->constant, b->constant, scene->bone_count * sizeof *a->constant) != 0 ||
        memcmp(a->constant_visible, b->constant_visible, scene->bone_count) != 0) {
        return false;
    }
    if (u->count > 0 && (memcmp(u->bones, v->bones, u->count * sizeof *u->bones) != 0 ||
                         memcmp(u->keys, v->keys, (size_t)a->frame_count * u->count) != 0)) {
        return false;
    }
    return same_tracks(a->frame_count, &a->rotations, &b->rotations, 4) &&
           same_tracks(a->frame_count, &a->translations, &b->translations, 3) &&
           same_tracks(a->frame_count, &a->scales, &b->scales, 3);
}

/* Was one of the files changed that the clip was put into? Morph targets are in no track. */
static bool has_changed_file(const struct ossa__importing *im, size_t clip)
{
    for (size_t i = im->touched[clip][0]; i < im->touched[clip][1]; i++) {
        if (im->is_changed[i]) return true;
    }
    return false;
}

bool ossa__import_measure(struct ossa__importing *im, const ossa_scene *after)
{
    uint32_t next = 0;
    for (size_t c = 0; c < im->clip_count; c++) {
        ossa_import_clip *report = &im->clips[c];
        bool is_original = c < im->before->clip_count;
        bool is_made = !is_original && report->name == im->call->options->as;
        struct ossa__edit_source source = is_original ? im->sources[c] : im->new_source;
        if (!is_original && !is_made) continue;
        /* They mostly are in the same order. */
        const ossa_clip *clip = next < after->clip_count ? &after->clips[next] : NULL;
        if (clip == NULL || strcmp(clip->name, report->name) != 0) {
            clip = ossa_scene_find_clip(after, report->name);
        }
        if (clip == NULL) continue;
        next = (uint32_t)(clip - after->clips) + 1;
        if (source.motion < 0) continue;
        bool is_changed = has_changed_file(im, c) ||
                          (is_original && !is_same_clip(after, &im->before->clips[c], clip));
        if (is_original && is_changed) report->state = OSSA_IMPORT_STATE_CHANGED;
        if (!compare_clip(im, after, clip, source, report)) return false;
    }
    return true;
}
