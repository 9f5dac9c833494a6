/* SPDX-License-Identifier: MIT
 *
 * Midtown Madness: an edit of a clip back into its animation.
 *
 * What is the same keeps its bits. A rotation that differs gets those of its angles that are
 * nearest to the frame before, so that curves do not jump by full rotations; in frame 0, nearest to
 * the angles that were there. The dialect, the cycle distance, the byte after it and other channels
 * stay as they are.
 *
 * A state plays a range of an animation, and other states may play the same frames: what one of
 * them changes, changes for all. */
#include "formats/midtown_madness/game.h"

#include "base/angles.h"
#include "base/fold.h"
#include "scene/edit.h"

#include <float.h>
#include <inttypes.h>
#include <string.h>

static const struct ossa__angle_order order = {0, 2, 1}; /* about X, then Z, then Y */

/* Of a rotation that differs, an angle is kept that differs by less: three of them are within the
 * tolerance of a rotation. */
static const double kept_angle = 4e-6;

/* Animations are written in the order of their frames. */
struct job {
    const struct ossa__mm_motion *motion;
    struct ossa__edit *edit;
    bool is_rebuilt; /* a file of the edit's own frames, in the order of the clip */
    bool is_begun;   /* the edit changes something */
    float *values;   /* being changed; NULL: nothing has changed yet */
    uint32_t *clips; /* as in ossa__mm_changes; NULL: the file is of this clip alone */
};

/* ---- frames -------------------------------------------------------------------------------- */

static struct ossa__context *context_of(const struct job *job)
{
    return &job->edit->assembly->context;
}

static const float *values_in(const struct job *job, uint32_t at)
{
    if (job->values == NULL) return ossa__mm_values_in(job->motion, at);
    return job->values + (size_t)at * job->motion->channel->floats_per_frame;
}

/* A frame before this edit. */
static const float *original_in(const struct job *job, uint32_t at)
{
    return job->is_rebuilt ? values_in(job, at) : ossa__mm_values_in(job->motion, at);
}

/* As ossa__mm_root_offset; a file of the clip's own frames begins with the clip, where that is
 * shown. */
static double root_offset(const struct job *job, unsigned axis)
{
    return job->is_rebuilt ? 0.0 : ossa__mm_root_offset(job->motion, axis);
}

/* The channels of a file that is changed, with these values for the pose; false after a failure. */
static bool replace_pose(const struct job *job, ossa_mm_anim *anim, const float *values)
{
    const ossa_mm_anim *original = job->motion->part->contents;
    size_t pose = (size_t)(job->motion->channel - original->channels);
    ossa_mm_channel *channels = ossa__take(context_of(job), anim->channel_count, sizeof *channels);
    if (channels == NULL) return false;
    memcpy(channels, anim->channels, anim->channel_count * sizeof *channels);
    channels[pose].values = values;
    channels[pose].borrowed = false;
    anim->channels = channels;
    return true;
}

/* Before the first change that an edit makes: a copy of the values, unless another clip has made
 * it. False after a failure. */
static bool begin_changes(struct job *job)
{
    const struct ossa__mm_motion *motion = job->motion;
    const ossa_mm_anim *original = motion->part->contents;
    uint64_t bones = motion->assembly->scene->bone_count;
    uint64_t keys = (uint64_t)original->frame_count * (1 + bones);
    if (job->is_begun) return true;
    job->is_begun = true;
    ossa_mm_anim *anim = ossa__edit_contents(job->edit, motion->part, sizeof *anim);
    if (anim == NULL || job->values != NULL) return anim != NULL;
    float *values = ossa__take(context_of(job), 3 * keys, sizeof *values);
    uint32_t *clips = ossa__take(context_of(job), keys, sizeof *clips);
    if (clips == NULL) return false;
    memcpy(values, motion->channel->values, (size_t)keys * 3 * sizeof *values);
    memset(clips, 0, (size_t)keys * sizeof *clips);
    if (!replace_pose(job, anim, values)) return false;
    *motion->changes = (struct ossa__mm_changes){values, clips};
    job->values = values;
    job->clips = clips;
    return true;
}

/* Frames for a file of another length. Whatever else a frame has comes from the frame of the clip
 * that it stands for; the last one is repeated. NULL after a failure. */
static float *copy_frames(const struct job *job, const ossa_mm_channel *channel)
{
    size_t width = channel->floats_per_frame;
    uint32_t count = job->edit->frame_count;
    uint32_t last = job->edit->plan->frame_count - 1;
    float *values = ossa__take(context_of(job), (uint64_t)count * width, sizeof *values);
    for (uint32_t f = 0; values != NULL && f < count; f++) {
        uint32_t from = ossa__mm_frame_of(job->motion, f < last ? f : last);
        memcpy(values + f * width, channel->values + from * width, width * sizeof *values);
    }
    return values;
}

/* A file of the frames of the edit alone; false after a failure. */
static bool rebuild(struct job *job)
{
    const struct ossa__mm_motion *motion = job->motion;
    const ossa_mm_anim *original = motion->part->contents;
    ossa_mm_anim *anim = ossa__edit_contents(job->edit, motion->part, sizeof *anim);
    ossa_mm_channel *channels =
        ossa__take(context_of(job), original->channel_count, sizeof *channels);
    if (anim == NULL || channels == NULL) return false;
    for (uint32_t i = 0; i < original->channel_count; i++) {
        const ossa_mm_channel *channel = &original->channels[i];
        float *values = copy_frames(job, channel);
        if (values == NULL) return false;
        channels[i] = *channel;
        channels[i].borrowed = false;
        channels[i].values = values;
        if (channel == motion->channel) job->values = values;
    }
    anim->frame_count = job->edit->frame_count;
    anim->channels = channels;
    if (job->edit->is_new) anim->tail_size = 0;
    if (original->channel_count > 1) {
        ossa__assembly_warn(motion->assembly, motion->part, OSSA_CODE_UNUSUAL_VALUE,
                            "'%s' gets %" PRIu32 " frames; what its %" PRIu32
                            " other channels hold is unknown: they are cut, or their last frame is "
                            "repeated",
                            job->edit->name, job->edit->frame_count, original->channel_count - 1);
    }
    return true;
}

/* ---- keys ---------------------------------------------------------------------------------- */

/* A key of the file that may be changed: the root's translation (0), or the angles of a bone (1 +
 * bone). NULL after a failure. */
static float *change(struct job *job, uint32_t at, uint32_t key)
{
    size_t keys = 1 + (size_t)job->motion->assembly->scene->bone_count;
    if (!job->is_rebuilt && !begin_changes(job)) return NULL;
    if (job->clips != NULL) job->clips[at * keys + key] = job->motion->assembly->scene->clip_count;
    return job->values + (at * keys + key) * 3;
}

/* The clip that has changed the key before; NULL: none. */
static const char *changed_by(const struct job *job, uint32_t at, uint32_t key)
{
    const ossa_scene *scene = job->motion->assembly->scene;
    if (job->clips == NULL) return NULL;
    uint32_t clip = job->clips[at * (1 + (size_t)scene->bone_count) + key];
    return clip == 0 ? NULL : scene->clips[clip - 1].name;
}

static bool conflict(const struct job *job, uint32_t at, const char *other, const char *what,
                     uint32_t bone)
{
    const ossa_scene *scene = job->motion->assembly->scene;
    return ossa__misfit(job->motion->assembly, job->motion->part,
                        "the clips '%s' and '%s' both play its frame %" PRIu32
                        ", but were given different %s of '%s'; edit only one of them, or both "
                        "alike",
                        other, job->edit->name, at, what, scene->bones[bone].name);
}

static struct ossa__quat rotation_of(const float values[3])
{
    const double angles[3] = {(double)values[0], (double)values[1], (double)values[2]};
    struct ossa__quat q = ossa__quat_from_angles(angles, order);
    (void)ossa__quat_normalise(&q);
    return q;
}

/* The angles of a rotation nearest to others, as floats; those that hardly differ from the
 * original's are as they were. False: so far from 0, floats are too coarse. */
static bool find_angles(struct ossa__quat rotation, const float near[3], const float original[3],
                        float found[3])
{
    double angles[3];
    const double from[3] = {(double)near[0], (double)near[1], (double)near[2]};
    ossa__angles_near(rotation, order, from, angles);
    for (unsigned k = 0; k < 3; k++) {
        if (!(fabs(angles[k]) < 1e4)) return false;
        bool is_kept = fabs(angles[k] - (double)original[k]) <= kept_angle;
        found[k] = is_kept ? original[k] : (float)angles[k];
    }
    return ossa__same_rotation(rotation_of(found), rotation);
}

/* False after a failure. */
static bool rotate_bone(struct job *job, uint32_t at, uint32_t bone,
                        const struct ossa__edit_pose *pose)
{
    static const float zeros[3] = {0.0F, 0.0F, 0.0F};
    size_t member = 3 + 3 * (size_t)bone;
    float original[3];
    float near[3];
    memcpy(original, original_in(job, at) + member, sizeof original);
    if (ossa__same_rotation(rotation_of(original), pose->local)) return true;
    const char *other = changed_by(job, at, 1 + bone);
    if (other != NULL) {
        bool is_same = ossa__same_rotation(rotation_of(values_in(job, at) + member), pose->local);
        return is_same ? begin_changes(job) : conflict(job, at, other, "rotations", bone);
    }
    memcpy(near, at == 0 ? original : values_in(job, at - 1) + member, sizeof near);
    float *angles = change(job, at, 1 + bone);
    if (angles == NULL) return false;
    if (!find_angles(pose->local, near, original, angles)) {
        (void)find_angles(pose->local, zeros, zeros, angles);
    }
    return true;
}

/* Where the root should be in the file, or is. */
static void scene_position(const struct job *job, const float values[3], double position[3])
{
    for (unsigned k = 0; k < 3; k++) {
        position[k] =
            ((double)values[k] - root_offset(job, k)) * job->motion->assembly->options->scale;
    }
}

static bool is_at(const struct job *job, const float values[3], const double wanted[3])
{
    double position[3];
    scene_position(job, values, position);
    return ossa__same_position(job->motion->assembly, position, wanted);
}

/* The root's translation, of which a coordinate is kept that hardly differs. False after a failure.
 */
static bool move_root(struct job *job, uint32_t at, uint32_t frame,
                      const struct ossa__edit_pose *pose)
{
    const struct ossa__assembly *assembly = job->motion->assembly;
    float original[3];
    double position[3];
    double stored[3];
    memcpy(original, original_in(job, at), sizeof original);
    if (is_at(job, original, pose->translation)) return true;
    const char *other = changed_by(job, at, 0);
    if (other != NULL) {
        bool is_same = is_at(job, values_in(job, at), pose->translation);
        return is_same ? begin_changes(job) : conflict(job, at, other, "positions", 0);
    }
    for (unsigned k = 0; k < 3; k++) {
        stored[k] = pose->translation[k] / assembly->options->scale + root_offset(job, k);
        if (fabs(stored[k]) <= (double)FLT_MAX) continue;
        ossa__edit_lose(job->edit, OSSA__LOSS_RANGE, 0, frame, fabs(stored[k]));
        return true;
    }
    float *values = change(job, at, 0);
    if (values == NULL) return false;
    for (unsigned k = 0; k < 3; k++) {
        scene_position(job, original, position);
        position[k] = pose->translation[k];
        if (!is_at(job, original, position)) values[k] = (float)stored[k];
    }
    return true;
}

/* ---- clips --------------------------------------------------------------------------------- */

/* Without a skeleton all bones are roots, but only the first one moves. */
static void expect_one_root(struct ossa__edit *edit)
{
    const ossa_scene *scene = edit->assembly->scene;
    for (uint32_t b = 1; b < scene->bone_count; b++) {
        double rest[3];
        for (unsigned k = 0; k < 3; k++) rest[k] = (double)scene->bones[b].rest.translation[k];
        for (uint32_t f = 0; f < edit->frame_count && scene->bones[b].parent < 0; f++) {
            const double *moved = ossa__edit_at(edit, f, b)->translation;
            if (ossa__same_position(edit->assembly, rest, moved)) continue;
            const double d[3] = {moved[0] - rest[0], moved[1] - rest[1], moved[2] - rest[2]};
            ossa__edit_lose(edit, OSSA__LOSS_TRANSLATION, b, f,
                            sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
        }
    }
}

static bool apply_frame(struct job *job, uint32_t at, uint32_t frame)
{
    uint32_t bones = job->motion->assembly->scene->bone_count;
    if (bones > 0 && !move_root(job, at, frame, ossa__edit_at(job->edit, frame, 0))) return false;
    for (uint32_t b = 0; b < bones; b++) {
        if (!rotate_bone(job, at, b, ossa__edit_at(job->edit, frame, b))) return false;
    }
    return true;
}

/* A state gives its length as frames of its animation, which other states may play, too. */
static bool refuse_length(const struct job *job)
{
    const struct ossa__mm_motion *motion = job->motion;
    return ossa__misfit(motion->assembly, motion->part,
                        "the state '%s' plays %" PRIu32 " frames of it, but the edit has %" PRIu32
                        ": the length of a state is in its table and cannot change; bring the edit "
                        "to that length, or make a new clip of it",
                        job->edit->name, job->edit->plan->frame_count, job->edit->frame_count);
}

/* The table finds an animation by its name, whatever the case of its letters. */
static bool is_new_name(const struct job *job)
{
    struct ossa__assembly *assembly = job->motion->assembly;
    for (size_t i = 0; i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (strcmp(part->format, "mm-anim") != 0) continue;
        if (ossa__compare_names(part->stem, job->edit->name) != 0) continue;
        return ossa__misfit(assembly, part,
                            "the new clip '%s' would have the name of this animation; give it "
                            "another one",
                            job->edit->name);
    }
    return true;
}

void ossa__mm_apply(void *user, struct ossa__edit *edit)
{
    const struct ossa__mm_motion *motion = user;
    uint32_t frames = edit->frame_count;
    struct job job = {.motion = motion, .edit = edit};
    job.is_rebuilt = edit->is_new || frames != edit->plan->frame_count;
    ossa__edit_expect_rotations(edit, true);
    expect_one_root(edit);
    if (job.is_rebuilt) {
        if (!edit->is_new && motion->state != NULL) {
            (void)refuse_length(&job);
            return;
        }
        if (edit->is_new && !is_new_name(&job)) return;
        if (!rebuild(&job)) return;
    } else {
        job.values = motion->changes->values;
        job.clips = motion->changes->clips;
    }
    for (uint32_t i = 0; i < frames; i++) {
        uint32_t frame = !job.is_rebuilt && motion->backwards ? frames - 1 - i : i;
        uint32_t at = job.is_rebuilt ? frame : ossa__mm_frame_of(motion, frame);
        if (!apply_frame(&job, at, frame)) return;
    }
    if (edit->is_new && motion->table != NULL) ossa__mm_add_state(motion, edit, job.values);
}
