/* SPDX-License-Identifier: MIT
 *
 * Shadow of the Colossus: a skeleton (SKB) and animations (ANB) as a scene; game_models.c adds its
 * models.
 *
 * A stored quaternion is the inverse of the rotation, and the game's space is that of the scene
 * mirrored in X. Together they turn a stored (i, j, k, s) into (-i, j, k, s); a position (x, y, z)
 * becomes (-x, y, z). A pose replaces the rest rotations; translations are the skeleton's.
 *
 * An animation of objects has no skeleton: each object is a bone, and frame 0 is its rest pose. The
 * only reader of these takes their quaternions for rotations, not for inverse ones: (i, -j, -k, s)
 * in the scene. */
#include "ossa/games/shadow_of_the_colossus.h"
#include "formats/shadow_of_the_colossus/game.h"
#include "formats/shadow_of_the_colossus/game_mesh.h"
#include "formats/shadow_of_the_colossus/game_texture.h"
#include "formats/shadow_of_the_colossus/sotc_objects.h"
#include "formats/shadow_of_the_colossus/sotc_rotation.h"
#include "formats/shadow_of_the_colossus/sotc_scan.h"
#include "formats/modules.h"
#include "scene/examine.h"
#include "scene/key_runs.h"
#include "base/quaternion.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool is_anb(const struct ossa__part *part)
{
    return strcmp(part->format, "sotc-anb") == 0;
}

static bool is_of_objects(const struct ossa__part *part)
{
    return is_anb(part) && ((const ossa_sotc_anb *)part->contents)->object_count > 0;
}

static bool is_of_bones(const struct ossa__part *part)
{
    return is_anb(part) && !is_of_objects(part);
}

static bool is_model(const struct ossa__part *part)
{
    return strcmp(part->format, "sotc-nmo") == 0;
}

static bool is_no_texture(const struct ossa__part *part)
{
    return strcmp(part->format, "sotc-nto") != 0;
}

/* The first input that is one of these; NULL: there is none. */
static const struct ossa__part *first_part(const struct ossa__assembly *assembly,
                                           bool (*is_wanted)(const struct ossa__part *part))
{
    for (size_t i = 0; i < assembly->part_count; i++) {
        if (is_wanted(&assembly->parts[i])) return &assembly->parts[i];
    }
    return NULL;
}

static void bones_of_skb(struct ossa__assembly *assembly, const struct ossa__part *part)
{
    const ossa_sotc_skb *skb = part->contents;
    ossa_bone *bones = ossa__take_bones(assembly, skb->joint_count);
    for (uint32_t i = 0; i < skb->joint_count && bones != NULL; i++) {
        const ossa_sotc_joint *joint = &skb->joints[i];
        const float *position = joint->floats + 1;
        const float *ijks = joint->floats + 5;
        struct ossa__quat q = {0.0 - (double)ijks[0], (double)ijks[1], (double)ijks[2],
                               (double)ijks[3]};
        if (!ossa__quat_normalise(&q)) {
            (void)ossa__misfit(assembly, part, "joints[%" PRIu32 "] has no valid rest rotation", i);
            return;
        }
        bones[i].name = joint->name_size > 0
                            ? ossa__latin_text(assembly, joint->name, joint->name_size)
                            : ossa__numbered_name(assembly, "bone", i);
        bones[i].parent = joint->links[2];
        ossa__quat_store(q, bones[i].rest.rotation);
        for (unsigned k = 0; k < 3; k++) {
            double value = (double)position[k] * assembly->options->scale;
            bones[i].rest.translation[k] = (float)(k == 0 ? 0.0 - value : value);
        }
    }
}

static void bones_of_anb(struct ossa__assembly *assembly, const struct ossa__part *part)
{
    uint32_t count = ((const ossa_sotc_anb *)part->contents)->bone_count;
    ossa__assembly_warn(assembly, part, OSSA_CODE_MISSING_PART,
                        "there is no skeleton (SKB); using %" PRIu32 " placeholder bones in a row",
                        count);
    ossa__take_placeholders(assembly, count);
}

/* Frame 0 of an object; false if it is not a transform. */
static bool place_object(const ossa_sotc_object *object, double scale, ossa_transform *rest)
{
    const ossa_sotc_curve *position = &object->curves[OSSA_SOTC_CURVE_POSITION];
    const ossa_sotc_curve *rotation = &object->curves[OSSA_SOTC_CURVE_ROTATION];
    const ossa_sotc_curve *size = &object->curves[OSSA_SOTC_CURVE_SCALE];
    bool fine = true;
    for (unsigned k = 0; k < 3; k++) {
        if (position->float_count > 0) {
            double value = (double)position->value[k] * scale;
            rest->translation[k] = (float)(k == 0 ? 0.0 - value : value);
        }
        if (size->float_count > 0) rest->scale[k] = size->value[k];
        fine = fine && isfinite(rest->translation[k]) && isfinite(rest->scale[k]);
    }
    if (rotation->float_count == 0) return fine;
    const float *ijks = rotation->value;
    struct ossa__quat q = {(double)ijks[0], 0.0 - (double)ijks[1], 0.0 - (double)ijks[2],
                           (double)ijks[3]};
    fine = ossa__quat_normalise(&q) && fine;
    ossa__quat_store(q, rest->rotation);
    return fine;
}

static void bones_of_objects(struct ossa__assembly *assembly, const struct ossa__part *part)
{
    const ossa_sotc_anb *anb = part->contents;
    ossa_bone *bones = ossa__take_bones(assembly, anb->object_count);
    for (uint32_t i = 0; i < anb->object_count && bones != NULL; i++) {
        const ossa_sotc_object *object = &anb->objects[i];
        bones[i].name = object->name_size > 0
                            ? ossa__latin_text(assembly, object->name, object->name_size)
                            : ossa__numbered_name(assembly, "object", i);
        if (place_object(object, assembly->options->scale, &bones[i].rest)) continue;
        (void)ossa__misfit(assembly, part, "objects[%" PRIu32 "] has no valid transform", i);
        return;
    }
}

struct motion {
    struct ossa__assembly *assembly;
    const struct ossa__part *part;
};

/* The first rotation that is none; always gives false. */
static bool refuse_rotation(const struct motion *motion)
{
    const ossa_sotc_anb *anb = motion->part->contents;
    for (uint32_t p = 0; p < anb->pose_count; p++) {
        for (uint32_t b = 0; b < anb->bone_count; b++) {
            float rotation[4];
            if (ossa__anb_rotations(&anb->bones[b], p, 1, rotation, 4)) continue;
            return ossa__misfit(motion->assembly, motion->part,
                                "bone %" PRIu32 " has no valid rotation in pose %" PRIu32, b, p);
        }
    }
    return false;
}

static bool start(void *user, const struct ossa__first_pose *first)
{
    const struct motion *motion = user;
    const ossa_sotc_anb *anb = motion->part->contents;
    bool fine = true;
    ossa_transform *pose = first->locals;
    for (uint32_t b = 0; b < anb->bone_count; b++) {
        fine = ossa__anb_rotations(&anb->bones[b], 0, 1, pose[b].rotation, 4) && fine;
    }
    return fine || refuse_rotation(motion);
}

static bool fill(void *user, const struct ossa__key_block *block)
{
    const struct motion *motion = user;
    const ossa_sotc_anb *anb = motion->part->contents;
    bool fine = true;
    for (uint32_t i = 0; i < block->rotation_count; i++) {
        fine = ossa__anb_rotations(&anb->bones[block->rotated[i]], block->first, block->count,
                                   block->rotations[i], 4 * (size_t)block->rotation_count) &&
               fine;
    }
    return fine || refuse_rotation(motion);
}

/* Keys are computed with the constants of the record; without keys these are the rotation. */
static void record_keys(void *user, struct ossa__key_recorder *recorder)
{
    const struct motion *motion = user;
    const ossa_sotc_anb *anb = motion->part->contents;
    for (uint32_t b = 0; b < anb->bone_count; b++) {
        const ossa_sotc_bone *bone = &anb->bones[b];
        const ossa_key_layout *keys = ossa__anb_key_layout(bone->flag);
        ossa_key_run run = {.bone = b,
                            .channel = OSSA_KEY_CHANNEL_ROTATION,
                            .role = keys == NULL ? OSSA_KEY_ROLE_CONSTANT : OSSA_KEY_ROLE_SCALING,
                            .frame_count = recorder->frame_count,
                            .offset = anb->section_offset + bone->record_offset,
                            .layout = ossa__anb_constants_layout(bone->flag)};
        ossa__record_run(recorder, motion->part, run);
        if (keys == NULL) continue;
        run.role = OSSA_KEY_ROLE_KEY;
        run.offset = anb->section_offset + bone->keys_offset;
        run.stride = keys->size;
        run.layout = keys;
        ossa__record_run(recorder, motion->part, run);
    }
}

/* A rotation by a small angle changes a component of a quaternion by at most half of it. */
static float step_of(const ossa_sotc_bone *bone)
{
    switch (bone->flag) {
    case 0: return 0.0F;
    case 3:
    case 4:
    case 5:
    case 6:
    case 12: return (float)(2.0 * ossa_sotc_key_step(bone));
    case 13: return (float)ossa_sotc_key_step(bone);
    default: return -1.0F;
    }
}

static const float *list_steps(struct ossa__assembly *assembly, const ossa_sotc_anb *anb)
{
    float *steps = ossa__take(&assembly->context, anb->bone_count, sizeof *steps);
    for (uint32_t b = 0; steps != NULL && b < anb->bone_count; b++) {
        steps[b] = step_of(&anb->bones[b]);
    }
    return steps;
}

/* The clip of an animation of bones. */
static void add_clip(struct ossa__assembly *assembly, const struct ossa__part *part, double fps,
                     uint8_t *rotates, const char *body)
{
    const ossa_sotc_anb *anb = part->contents;
    struct motion motion = {assembly, part};
    if (anb->bone_count != assembly->scene->bone_count) {
        (void)ossa__misfit(assembly, part, "moves %" PRIu32 " bones, but %s has %" PRIu32,
                           anb->bone_count, body, assembly->scene->bone_count);
    }
    for (uint32_t b = 0; b < anb->bone_count && !assembly->context.failed; b++) {
        rotates[b] = ossa__anb_changes(&anb->bones[b], anb->pose_count);
    }
    ossa__add_clip(assembly,
                   &(struct ossa__clip_plan){.name = part->stem,
                                             .part = part,
                                             .fps = fps,
                                             .frame_count = anb->pose_count,
                                             .keys_per_frame = 1,
                                             .start = start,
                                             .rotates = rotates,
                                             .fill = fill,
                                             .apply = OSSA__IMPORTED_BY(ossa__sotc_apply),
                                             .record = record_keys,
                                             .user = &motion,
                                             .rotation_steps = list_steps(assembly, anb)});
}

static bool start_at_rest(void *user, const struct ossa__first_pose *first)
{
    (void)user;
    (void)first;
    return true;
}

static void record_objects(void *user, struct ossa__key_recorder *recorder)
{
    static const ossa_key_channel channels[OSSA_SOTC_CURVES] = {
        [OSSA_SOTC_CURVE_POSITION] = OSSA_KEY_CHANNEL_TRANSLATION,
        [OSSA_SOTC_CURVE_ROTATION] = OSSA_KEY_CHANNEL_ROTATION,
        [OSSA_SOTC_CURVE_SCALE] = OSSA_KEY_CHANNEL_SCALE};
    const struct motion *motion = user;
    const ossa_sotc_anb *anb = motion->part->contents;
    for (uint32_t i = 0; i < anb->object_count; i++) {
        for (unsigned which = 0; which < OSSA_SOTC_CURVES; which++) {
            const ossa_sotc_curve *curve = &anb->objects[i].curves[which];
            bool has_sample = curve->sample_count > 0;
            ossa_key_run run = {.bone = i,
                                .channel = channels[which],
                                .role = has_sample ? OSSA_KEY_ROLE_SCALING : OSSA_KEY_ROLE_KEY,
                                .frame_count = 1,
                                .offset = anb->section_offset + curve->offset,
                                .layout = ossa__objects_floats_layout(which, curve)};
            if (curve->float_count == 0) continue;
            ossa__record_run(recorder, motion->part, run);
            if (!has_sample) continue;
            run.role = OSSA_KEY_ROLE_KEY;
            run.offset = anb->section_offset + curve->sample_offset;
            run.layout = ossa__objects_sample_layout(which, curve);
            ossa__record_run(recorder, motion->part, run);
        }
    }
}

/* That of an animation of objects: one frame, which is the rest pose. */
static void add_still(struct ossa__assembly *assembly, const struct ossa__part *part, double fps)
{
    struct motion motion = {assembly, part};
    ossa__assembly_remark(assembly, part, OSSA_CODE_UNKNOWN_FLAG,
                          "an animation of objects, of which only frame 0 is understood");
    ossa__add_clip(assembly,
                   &(struct ossa__clip_plan){.name = part->stem,
                                             .part = part,
                                             .fps = fps,
                                             .frame_count = 1,
                                             .keys_per_frame = 1,
                                             .start = start_at_rest,
                                             .apply = OSSA__IMPORTED_BY(ossa__sotc_apply_still),
                                             .record = record_objects,
                                             .user = &motion});
}

/* Without a model: all of them, as they are. */
static void add_textures(struct ossa__assembly *assembly)
{
    for (size_t i = 0; i < assembly->part_count && !assembly->context.failed; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (!is_no_texture(part)) (void)ossa__sotc_texture(assembly, part, NULL);
    }
}

static void assemble(struct ossa__assembly *assembly)
{
    const struct ossa__part *skeleton = ossa__only_part(assembly, "sotc-skb");
    if (assembly->context.failed) return;
    const struct ossa__part *moving = first_part(assembly, is_of_bones);
    const struct ossa__part *objects = NULL;
    const struct ossa__part *named = skeleton;
    if (skeleton == NULL && moving == NULL) objects = first_part(assembly, is_of_objects);
    if (named == NULL) named = first_part(assembly, is_no_texture);
    if (named == NULL) named = &assembly->parts[0];
    if (skeleton != NULL) bones_of_skb(assembly, skeleton);
    else if (moving != NULL) bones_of_anb(assembly, moving);
    else if (objects != NULL) bones_of_objects(assembly, objects);
    else ossa__sotc_take_model_bones(assembly);
    if (named->stem != NULL && named->stem[0] != '\0') assembly->scene->name = named->stem;
    uint8_t *rotates = ossa__take(&assembly->context, assembly->scene->bone_count, 1);
    if (!ossa__take_clips(assembly, assembly->part_count)) return;
    const char *body = skeleton == NULL ? "the first animation" : skeleton->shown;
    double fps = assembly->options->fps > 0.0 ? assembly->options->fps : OSSA_SOTC_FPS;
    for (size_t i = 0; i < assembly->part_count && !assembly->context.failed; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (is_of_objects(part) && part != objects) {
            ossa__assembly_remark(assembly, part, OSSA_CODE_UNKNOWN_FLAG,
                                  "an animation of objects, not of %s; it is left out",
                                  objects != NULL ? objects->shown : body);
            continue;
        }
        if (!is_anb(part) || !ossa__begin_clip(assembly, part->stem)) continue;
        if (part == objects) add_still(assembly, part, fps);
        else add_clip(assembly, part, fps, rotates, body);
        ossa__leave_out(assembly, "the clip");
    }
    if (assembly->context.failed) return;
    if (first_part(assembly, is_model) == NULL) add_textures(assembly);
    else if (skeleton == NULL && moving != NULL) ossa__sotc_refuse_models(assembly);
    else ossa__sotc_add_models(assembly, skeleton, objects);
}

/* An animation moves as many bones as the skeleton has. */
static void examine(struct ossa__assembly *assembly)
{
    const struct ossa__part *skeleton = ossa__main_part(assembly, "sotc-skb");
    for (size_t i = 0; skeleton != NULL && i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        uint32_t joints = ((const ossa_sotc_skb *)skeleton->contents)->joint_count;
        if (!is_of_bones(part)) continue;
        uint32_t bones = ((const ossa_sotc_anb *)part->contents)->bone_count;
        if (bones == joints) continue;
        ossa__finding(assembly, part, OSSA_SEVERITY_ERROR, OSSA_CODE_MISFIT, -1, "",
                      "moves %" PRIu32 " bones, but %s has %" PRIu32, bones, skeleton->shown,
                      joints);
    }
}

static bool has_options(const ossa_scene_options *options)
{
    const ossa_sotc_options *sotc = options->sotc;
    return sotc != NULL && (sotc->sides != OSSA_SOTC_SIDES_LOW ||
                            sotc->palette != OSSA_SOTC_PALETTE_SMOOTH || sotc->unlit);
}

static void survey(const struct ossa__format *format, const void *contents,
                   struct ossa__facts *facts)
{
    if (format == &ossa__format_sotc_skb) {
        facts->bone_count = ((const ossa_sotc_skb *)contents)->joint_count;
    } else if (format == &ossa__format_sotc_anb) {
        facts->bone_count = ((const ossa_sotc_anb *)contents)->bone_count;
        facts->frame_count = ((const ossa_sotc_anb *)contents)->pose_count;
    } else if (format == &ossa__format_sotc_nmo) {
        facts->mesh_count = ((const ossa_sotc_nmo *)contents)->surface_count;
    }
}

static bool fits(uint32_t body_bones, uint32_t clip_bones)
{
    return body_bones == clip_bones;
}

const struct ossa__game ossa__game_shadow_of_the_colossus = {
    .title = "Shadow of the Colossus (2005)",
    .name = "Shadow of the Colossus",
    .open = "NICO.DAT, or a SKB with its NMO, NTO and ANB files",
    .viewpoint = {0.547F, 0.247F, 0.8F},
    .assemble = assemble,
    .examine = examine,
    .options = ossa__sotc_option_list,
    .has_options = has_options,
    .survey = survey,
    .fits = fits,
    .pairs_by_name = true,
    .part_endings = ossa__sotc_part_endings,
    .listed_companion = ossa__sotc_listed_texture,
};
