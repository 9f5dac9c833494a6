/* SPDX-License-Identifier: MIT
 *
 * The edit of a clip, as poses at its frames, for its game. */
#include "import/importing.h"
#include "ossa/sample.h"

#include <inttypes.h>
#include <string.h>

/* Add the drift of the root that options.in_place has removed from the edit. Of several roots, none
 * has lost its own. */
static void restore_drift(const ossa_scene *scene, const ossa_clip *clip, uint32_t frame,
                          struct ossa__edit_pose *row)
{
    uint32_t roots = 0;
    for (uint32_t b = 0; b < scene->bone_count; b++) roots += scene->bones[b].parent < 0;
    for (uint32_t i = 0; i < clip->translations.count && roots == 1; i++) {
        uint32_t bone = clip->translations.bones[i];
        size_t stride = 3 * (size_t)clip->translations.count;
        const float *first = clip->translations.keys + 3 * (size_t)i;
        const float *last = first + stride * (clip->frame_count - 1);
        double part = frame * (double)clip->keys_per_frame / (clip->frame_count - 1.0);
        if (scene->bones[bone].parent >= 0) continue;
        for (unsigned k = 0; k < 3; k += 2) {
            row[bone].translation[k] += ((double)last[k] - (double)first[k]) * part;
        }
    }
}

/* The poses of all frames. In many clips hardly anything moves: frames that are the same share one
 * row. NULL after a failure. */
static const struct ossa__edit_pose *const *take_rows(struct ossa__context *context,
                                                      const struct ossa__posing *posing,
                                                      uint32_t frames, bool is_in_place)
{
    const ossa_scene *scene = posing->match->scene;
    size_t size = scene->bone_count * sizeof(struct ossa__edit_pose);
    const struct ossa__edit_pose **rows = ossa__take_scratch(context, frames, sizeof *rows);
    struct ossa__edit_pose *row = NULL;
    for (uint32_t f = 0; f < frames && !context->failed; f++) {
        if (row == NULL) {
            row = ossa__take_scratch(context, scene->bone_count, sizeof *row);
            if (row == NULL) return NULL;
            memset(row, 0, size); /* padding is compared, too */
        }
        ossa__posing_fill(posing, f, row);
        if (is_in_place) restore_drift(scene, posing->clip, f, row);
        bool is_same = f > 0 && memcmp(row, rows[f - 1], size) == 0;
        rows[f] = is_same ? rows[f - 1] : row;
        if (!is_same) row = NULL;
    }
    return context->failed ? NULL : rows;
}

static bool is_same_pose(const struct ossa__assembly *assembly, const struct ossa__edit_pose *a,
                         const struct ossa__edit_pose *b)
{
    for (uint32_t i = 0; i < assembly->scene->bone_count; i++) {
        if (!ossa__same_rotation(a[i].world, b[i].world) ||
            !ossa__same_position(assembly, a[i].translation, b[i].translation) ||
            a[i].is_visible != b[i].is_visible) {
            return false;
        }
    }
    return true;
}

/* A pose of the originals as an edit has it. */
void ossa__import_pose(const ossa_scene *scene, const ossa_transform *locals,
                       const uint8_t *visible, struct ossa__edit_pose *poses)
{
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        int32_t parent = scene->bones[b].parent;
        struct ossa__edit_pose *pose = &poses[b];
        *pose = (struct ossa__edit_pose){.local = ossa__quat_load(locals[b].rotation),
                                         .is_visible = visible[b] != 0};
        (void)ossa__quat_normalise(&pose->local);
        for (unsigned k = 0; k < 3; k++) {
            pose->translation[k] = (double)locals[b].translation[k];
            pose->scale[k] = (double)locals[b].scale[k];
        }
        pose->world = pose->local;
        if (parent >= 0) pose->world = ossa__quat_multiply(poses[parent].world, pose->local);
        (void)ossa__quat_normalise(&pose->world);
    }
}

/* A small file may have many nodes and, by the time of a key, many frames. False after a failure.
 */
static bool may_pose(struct ossa__importing *im, const struct ossa__posing *posing, uint32_t frames)
{
    enum { MOST = 1 << 27 }; /* nodes in all frames; half a minute */
    const struct ossa__match *match = posing->match;
    uint64_t nodes = 0;
    for (uint32_t n = 0; n < match->motion->node_count; n++) nodes += match->is_needed[n];
    im->posed += nodes * frames;
    return im->posed <= MOST ||
           ossa__fail_nowhere(im->context, OSSA_CODE_LIMIT, "",
                              "the clip '%s' has %" PRIu32 " frames, and %" PRIu64
                              " nodes move in them: this is too much",
                              posing->clip->name, frames, nodes);
}

/* Programs leave out keys in which nothing changes, and some add one. Is all that the edit does not
 * have, or has beyond the clip, as it is at its end? */
static bool is_held(struct ossa__importing *im, struct ossa__assembly *assembly,
                    const struct ossa__posing *posing, uint32_t from, uint32_t to)
{
    uint32_t bones = assembly->scene->bone_count;
    struct ossa__edit_pose *rows =
        ossa__take_scratch(im->context, 2 * (uint64_t)bones, sizeof *rows);
    ossa_transform *locals = ossa__take_scratch(im->context, bones, sizeof *locals);
    uint8_t *visible = ossa__take_scratch(im->context, bones, 1);
    if (im->context->failed) return false;
    ossa__posing_fill(posing, from - 1, rows);
    for (uint32_t f = from; f < to; f++) {
        if (f < posing->frame_count) {
            ossa_sample_frame(assembly->scene, posing->clip, f * posing->keys_per_frame, locals,
                              visible);
            ossa__import_pose(assembly->scene, locals, visible, rows + bones);
        } else {
            ossa__posing_fill(posing, f, rows + bones);
        }
        if (!is_same_pose(assembly, rows, rows + bones)) return false;
    }
    return true;
}

/* The number of frames that the edit of a clip gets; 0 after a failure. */
static uint32_t choose_length(struct ossa__importing *im, struct ossa__assembly *assembly,
                              const struct ossa__posing *posing, struct ossa__edit_source source,
                              bool is_new)
{
    enum { LONGEST = 1 << 20 }; /* frames; hours */
    uint64_t length = ossa__posing_length(posing);
    bool is_joined = source.fps > 0.0;
    bool is_free = is_new || (im->call->options->retime && !is_joined);
    if (length == posing->frame_count) return posing->frame_count;
    /* Others follow in the same clip of the edit. */
    uint64_t left = source.left / posing->keys_per_frame + (posing->keys_per_frame > 1 ? 1 : 0);
    if (is_joined && length > posing->frame_count && length <= left) return posing->frame_count;
    if (length > LONGEST) {
        (void)ossa__fail_nowhere(im->context, OSSA_CODE_WRONG_LENGTH, "",
                                 "the clip '%s' has a key after %" PRIu64 " frames",
                                 posing->clip->name, length - 1);
        return 0;
    }
    if (is_free) return (uint32_t)length;
    if (im->call->options->resample) return posing->frame_count;
    uint32_t frames = (uint32_t)length;
    bool is_shorter = frames < posing->frame_count;
    uint32_t from = is_shorter ? frames : posing->frame_count;
    uint32_t to = is_shorter ? posing->frame_count : frames;
    if (!may_pose(im, posing, to - from)) return 0;
    if (is_held(im, assembly, posing, from, to)) return posing->frame_count;
    (void)ossa__fail_nowhere(im->context, OSSA_CODE_WRONG_LENGTH, "",
                             "the clip '%s' has %" PRIu32 " frames, but the original has %" PRIu32,
                             posing->clip->name, frames, posing->frame_count);
    return 0;
}

static bool check_unknown(struct ossa__importing *im, const struct ossa__posing *posing)
{
    int64_t node = ossa__posing_find_unknown(posing);
    if (node < 0) return true;
    const char *name = posing->match->motion->nodes[node].name;
    if (im->call->options->drop) {
        ossa__issue_nowhere(im->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNKNOWN_BONE, "",
                            "'%s', which the originals do not have, moves in the clip '%s' and is "
                            "left out",
                            name, posing->clip->name);
        return true;
    }
    return ossa__fail_nowhere(im->context, OSSA_CODE_UNKNOWN_BONE, "",
                              "'%s', which the originals do not have, moves in the clip '%s'", name,
                              posing->clip->name);
}

/* For ossa__editing: a mesh's shape in a frame of the edit that is applied. */
static bool find_shape(const struct ossa__edit *edit, uint32_t mesh, uint32_t frame,
                       float (*offsets)[3])
{
    struct ossa__importing *im = (struct ossa__importing *)edit->editing;
    const struct ossa__motion *motion = im->call->motions[im->motion];
    struct ossa__shapes **shapes = &im->shapes[im->motion];
    if (motion->mesh_count == 0) return false;
    if (*shapes == NULL) *shapes = ossa__shapes_start(edit->assembly, motion);
    return *shapes != NULL && ossa__shape_at(*shapes, mesh, im->posing->edited,
                                             im->posing->start + frame / im->posing->fps,
                                             OSSA__NEARNESS / im->posing->fps, offsets);
}

/* Put the edit of a clip, or a new clip like it, into the files. */
static bool apply_clip(struct ossa__importing *im, struct ossa__assembly *assembly,
                       const struct ossa__clip_plan *plan, const ossa_clip *clip,
                       struct ossa__edit_source source, bool is_new, ossa_import_clip *report)
{
    struct ossa__posing posing = {.match = &im->matches[source.motion],
                                  .edited = &im->call->motions[source.motion]->clips[source.clip],
                                  .clip = clip,
                                  .fps = source.fps > 0.0 ? source.fps / plan->keys_per_frame
                                                          : plan->fps,
                                  .start = source.start,
                                  .frame_count = plan->frame_count,
                                  .keys_per_frame = plan->keys_per_frame};
    uint32_t unclear = 0;
    if (!ossa__posing_start(im->context, &posing) || !check_unknown(im, &posing)) return false;
    if (!im->call->options->resample && !ossa__posing_check_rate(im->context, &posing)) {
        return false;
    }
    uint32_t frames = choose_length(im, assembly, &posing, source, is_new);
    if (frames == 0 || !may_pose(im, &posing, frames)) return false;
    posing.unclear = &unclear;
    bool is_in_place = assembly->options->in_place && !is_new;
    const struct ossa__edit_pose *const *rows =
        take_rows(im->context, &posing, frames, is_in_place);
    if (rows == NULL) return false;
    if (unclear > 0) {
        ossa__issue_nowhere(im->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, "",
                            "in the clip '%s', bones are neither hidden nor seen in %" PRIu32
                            " frames: from half their size on they count as seen",
                            clip->name, unclear);
    }
    double limit = im->call->options->limit > 0.0 ? im->call->options->limit : 0.1;
    struct ossa__edit edit = {.editing = &im->editing,
                              .assembly = assembly,
                              .plan = plan,
                              .clip = clip,
                              .name = is_new ? im->call->options->as : clip->name,
                              .is_new = is_new,
                              .frame_count = frames,
                              .rows = rows,
                              .limit = limit * OSSA__DEGREE};
    im->motion = source.motion;
    im->posing = &posing;
    im->editing.find_shape = find_shape;
    size_t *touched = im->touched[report - im->clips];
    touched[0] = im->editing.file_count;
    plan->apply(plan->user, &edit);
    touched[1] = im->editing.file_count;
    report->frame_count = frames;
    report->file_count = edit.file_count;
    return true;
}

void ossa__import_clip(struct ossa__editing *editing, struct ossa__assembly *assembly,
                       const struct ossa__clip_plan *plan, const ossa_clip *clip)
{
    struct ossa__importing *im = (struct ossa__importing *)editing;
    struct ossa__context *context = im->context;
    uint32_t at = assembly->scene->clip_count - 1; /* the same as before: so were the options */
    struct ossa__mark mark = ossa__scratch_mark(context);
    if (im->sources[at].motion >= 0 && !context->failed) {
        ossa__import_blame(im, im->sources[at].motion);
        if (plan->apply == NULL) {
            ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, "",
                               "clips of %s cannot be edited yet", assembly->scene->game);
        } else {
            (void)apply_clip(im, assembly, plan, clip, im->sources[at], false, &im->clips[at]);
        }
        ossa__scratch_release(context, mark);
    }
    if (im->new_source.motion >= 0 && im->like == at && !context->failed) {
        size_t made = im->before->clip_count;
        while (im->clips[made].name != im->call->options->as) made++;
        ossa__import_blame(im, im->new_source.motion);
        (void)apply_clip(im, assembly, plan, clip, im->new_source, true, &im->clips[made]);
        ossa__scratch_release(context, mark);
    }
    ossa__import_blame(im, -1);
    /* A failure here is one of the assembly. */
    if (!context->failed || assembly->context.failed) return;
    assembly->context.failed = true;
    assembly->context.error = context->error;
}
