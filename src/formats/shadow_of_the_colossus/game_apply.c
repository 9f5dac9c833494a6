/* SPDX-License-Identifier: MIT
 *
 * Shadow of the Colossus: an edited clip back into its ANB. Bone after bone, the first of these
 * that will do:
 *
 *     all keys are the same       the bone stays as it is
 *     the bone's own constants    keys that were edited get other bits, except the odd ones
 *     other constants             the whole bone is packed anew, with another flag if need be
 *
 * sotc_pack.c chooses a packing, sotc_layout.c puts it into the file. A new clip is a copy of the
 * file of the clip that it is like. If the container calls itself by the name of that clip, it gets
 * the new name. */
#include "formats/shadow_of_the_colossus/game.h"
#include "formats/shadow_of_the_colossus/sotc_layout.h"
#include "formats/shadow_of_the_colossus/sotc_pack.h"

#include <inttypes.h>
#include <string.h>

#define DEGREE (3.14159265358979323846 / 180.0)

/* Rounding explains as many steps of a key; what is more is out of its reach. */
#define MOST_STEPS 4.0

/* A bone of an edited clip. */
struct bone_edit {
    struct ossa__edit *edit;
    uint32_t index;
    const ossa_sotc_bone *old;
    uint32_t old_count;        /* of poses */
    struct ossa__quat *wanted; /* by frame: as stored; of keys that are kept, their own */
    uint8_t *kept;             /* by frame: it is as the edit has it */
    uint32_t kept_count;
};

/* A rotation of the scene as the file stores it; see game.c. */
static struct ossa__quat stored(struct ossa__quat q)
{
    return (struct ossa__quat){-q.x, q.y, q.z, q.w};
}

static struct ossa__quat edited(const struct bone_edit *bone, uint32_t frame)
{
    return stored(ossa__edit_at(bone->edit, frame, bone->index)->local);
}

static bool has_keys(const ossa_sotc_bone *bone)
{
    return ossa__anb_key_size(bone->flag) > 0;
}

/* Which keys are kept. A bone without keys has the same rotation in any number of poses. */
static void compare(struct bone_edit *bone)
{
    for (uint32_t f = 0; f < bone->edit->frame_count; f++) {
        struct ossa__quat old;
        bool is_there = f < bone->old_count || !has_keys(bone->old);
        bone->wanted[f] = edited(bone, f);
        bone->kept[f] = is_there && ossa__anb_rotation(bone->old, f, &old) &&
                        ossa__same_rotation(old, bone->wanted[f]);
        if (!bone->kept[f]) continue;
        bone->wanted[f] = old;
        bone->kept_count++;
    }
}

/* A key in the bits of the file. */
static union ossa__anb_key old_key(const ossa_sotc_bone *bone, uint32_t pose)
{
    union ossa__anb_key key;
    size_t size = ossa__anb_key_size(bone->flag);
    memcpy(&key, (const uint8_t *)ossa__anb_keys(bone) + pose * size, size);
    return key;
}

/* How far off rounding can be. */
static double rounding_of(const ossa_sotc_bone *bone)
{
    double step = ossa_sotc_key_step(bone);
    return MOST_STEPS * (bone->flag == 13 ? step : 2.0 * step); /* see step_of in game.c */
}

/* With the bone's own constants. False if they will not do, or after a failure. */
static bool keep_constants(const struct bone_edit *edit, ossa_sotc_bone *bone)
{
    uint32_t count = edit->edit->frame_count;
    double most = fmin(edit->edit->limit, fmax(rounding_of(bone), OSSA__KEPT_DEGREES * DEGREE));
    if (!has_keys(bone) || edit->old_count == 0) return false;
    void *keys = ossa__anb_take_keys(&edit->edit->assembly->context, bone->flag, count);
    for (uint32_t f = 0; keys != NULL && f < count; f++) {
        union ossa__anb_key key;
        double error;
        if (edit->kept[f]) {
            key = old_key(edit->old, f);
        } else {
            uint32_t like = f < edit->old_count ? f : edit->old_count - 1;
            unsigned odd_bits = ossa__anb_odd_bits(edit->old, like);
            if (!ossa__anb_encode(bone, edit->wanted[f], odd_bits, &key, &error)) return false;
            if (error > most) return false;
        }
        ossa__anb_put_key(bone->flag, keys, f, key);
    }
    if (keys != NULL) ossa__anb_set_keys(bone, keys);
    return keys != NULL;
}

/* Report what packing loses beyond the limit. */
static void find_losses(const struct bone_edit *edit, const ossa_sotc_bone *bone)
{
    for (uint32_t f = 0; f < edit->edit->frame_count; f++) {
        struct ossa__quat found;
        (void)ossa__anb_rotation(bone, f, &found);
        double error = ossa__angle_between(found, edit->wanted[f]);
        if (error <= edit->edit->limit) continue;
        ossa__edit_lose(edit->edit, OSSA__LOSS_ROTATION, edit->index, f, error / DEGREE);
    }
}

/* Apply the edit of a bone to `bone`, which is as it was. True if it was changed. */
static bool apply_to_bone(struct bone_edit *edit, ossa_sotc_bone *bone)
{
    struct ossa__context *context = &edit->edit->assembly->context;
    uint32_t count = edit->edit->frame_count;
    if (ossa__anb_flag(bone->flag) == NULL) return false; /* such a file is not assembled */
    compare(edit);
    bool has_as_many = count == edit->old_count || !has_keys(bone);
    if (edit->kept_count == count && has_as_many) return false;
    if (!keep_constants(edit, bone) && !context->failed) {
        const struct ossa__anb_wish wish = {.wanted = edit->wanted,
                                            .count = count,
                                            .same = OSSA__KEPT_DEGREES * DEGREE,
                                            .limit = edit->edit->limit};
        double error;
        (void)ossa__anb_pack(context, bone, edit->old_count, &wish, &error);
    }
    if (!context->failed) find_losses(edit, bone);
    return true;
}

static bool apply_to_bones(struct ossa__edit *edit, const ossa_sotc_anb *anb, ossa_sotc_bone *bones)
{
    struct ossa__context *context = &edit->assembly->context;
    struct ossa__mark mark = ossa__scratch_mark(context);
    struct bone_edit work = {
        .edit = edit,
        .old_count = anb->pose_count,
        .wanted = ossa__take_scratch(context, edit->frame_count, sizeof *work.wanted),
        .kept = ossa__take_scratch(context, edit->frame_count, 1)};
    bool is_changed = false;
    for (uint32_t b = 0; b < anb->bone_count && !context->failed; b++) {
        work.index = b;
        work.old = &anb->bones[b];
        work.kept_count = 0;
        is_changed = apply_to_bone(&work, &bones[b]) || is_changed;
    }
    ossa__scratch_release(context, mark);
    return is_changed;
}

void ossa__sotc_apply(void *user, struct ossa__edit *edit)
{
    (void)user;
    const struct ossa__part *part = edit->plan->part;
    const ossa_sotc_anb *anb = part->contents;
    struct ossa__context *context = &edit->assembly->context;
    if (edit->frame_count == 0 || edit->frame_count > UINT16_MAX) {
        (void)ossa__misfit(edit->assembly, part,
                           "the edit has %" PRIu32 " frames, but an ANB has 1 to 65535 poses",
                           edit->frame_count);
        return;
    }
    ossa__edit_expect_rotations(edit, false);
    ossa_sotc_bone *bones = ossa__take(context, anb->bone_count, sizeof *bones);
    if (bones == NULL) return;
    memcpy(bones, anb->bones, anb->bone_count * sizeof *bones);
    bool is_changed = apply_to_bones(edit, anb, bones) || edit->frame_count != anb->pose_count;
    if (context->failed || (!is_changed && !edit->is_new)) return;
    ossa_sotc_anb *contents = ossa__edit_contents(edit, part, sizeof *contents);
    const struct ossa__anb_change change = {.anb = anb,
                                            .bones = bones,
                                            .pose_count = edit->frame_count,
                                            .old_name = part->stem,
                                            .name = edit->is_new ? edit->name : NULL};
    if (contents == NULL) return;
    ossa__blame(edit->assembly, part);
    (void)ossa__anb_lay_out(context, &change, contents);
    ossa__blame(edit->assembly, NULL);
}

void ossa__sotc_apply_still(void *user, struct ossa__edit *edit)
{
    (void)user;
    if (edit->is_new || edit->frame_count != 1) {
        (void)ossa__misfit(edit->assembly, edit->plan->part,
                           "an animation of objects cannot be edited: only frame 0 is understood");
        return;
    }
    for (uint32_t b = 0; b < edit->assembly->scene->bone_count; b++) {
        const ossa_transform *rest = &edit->clip->constant[b];
        const struct ossa__edit_pose *pose = ossa__edit_at(edit, 0, b);
        const struct ossa__quat rotation = {(double)rest->rotation[0], (double)rest->rotation[1],
                                            (double)rest->rotation[2], (double)rest->rotation[3]};
        double position[3];
        double moved = 0.0;
        double scaled = 0.0;
        for (unsigned k = 0; k < 3; k++) {
            position[k] = (double)rest->translation[k];
            moved = fmax(moved, fabs(pose->translation[k] - position[k]));
            scaled = fmax(scaled, fabs(pose->scale[k] - (double)rest->scale[k]));
        }
        if (!ossa__same_rotation(rotation, pose->local)) {
            double degrees = ossa__angle_between(rotation, pose->local) / DEGREE;
            ossa__edit_lose(edit, OSSA__LOSS_ROTATION, b, 0, degrees);
        }
        if (!ossa__same_position(edit->assembly, position, pose->translation)) {
            ossa__edit_lose(edit, OSSA__LOSS_TRANSLATION, b, 0, moved);
        }
        if (scaled > 1e-4) ossa__edit_lose(edit, OSSA__LOSS_SCALE, b, 0, scaled);
        if (!pose->is_visible) ossa__edit_lose(edit, OSSA__LOSS_VISIBILITY, b, 0, 1.0);
    }
}
