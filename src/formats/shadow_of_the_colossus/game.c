/* SPDX-License-Identifier: MIT
 *
 * Shadow of the Colossus: a skeleton (SKB) and animations (ANB) as a scene.
 *
 * A stored quaternion is the inverse of the rotation, and the game's space is that of the scene
 * mirrored in X. Together they turn a stored (i, j, k, s) into (-i, j, k, s); a position (x, y, z)
 * becomes (-x, y, z). A pose replaces the rest rotations; translations are the skeleton's. */
#include "ossa/games/shadow_of_the_colossus.h"
#include "formats/shadow_of_the_colossus/game.h"
#include "formats/shadow_of_the_colossus/game_texture.h"
#include "formats/shadow_of_the_colossus/sotc_rotation.h"
#include "formats/shadow_of_the_colossus/sotc_scan.h"
#include "formats/modules.h"
#include "scene/examine.h"
#include "base/quaternion.h"

#include <inttypes.h>
#include <string.h>

static bool is_anb(const struct ossa__part *part)
{
    return strcmp(part->format, "sotc-anb") == 0;
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

static void bones_of_anbs(struct ossa__assembly *assembly)
{
    for (size_t i = 0; i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (!is_anb(part)) continue;
        uint32_t count = ((const ossa_sotc_anb *)part->contents)->bone_count;
        ossa__assembly_warn(
            assembly, part, OSSA_CODE_MISSING_PART,
            "there is no skeleton (SKB); using %" PRIu32 " placeholder bones in a row", count);
        ossa__take_placeholders(assembly, count);
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

static void assemble(struct ossa__assembly *assembly)
{
    const struct ossa__part *skeleton = ossa__only_part(assembly, "sotc-skb");
    if (assembly->context.failed) return;
    if (skeleton != NULL) bones_of_skb(assembly, skeleton);
    else bones_of_anbs(assembly);
    const struct ossa__part *named = skeleton != NULL ? skeleton : &assembly->parts[0];
    if (named->stem != NULL && named->stem[0] != '\0') assembly->scene->name = named->stem;
    for (size_t i = 0; i < assembly->part_count && !assembly->context.failed; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (strcmp(part->format, "sotc-nto") == 0) (void)ossa__sotc_texture(assembly, part, NULL);
    }
    uint8_t *rotates = ossa__take(&assembly->context, assembly->scene->bone_count, 1);
    if (!ossa__take_clips(assembly, assembly->part_count)) return;
    double fps = assembly->options->fps > 0.0 ? assembly->options->fps : OSSA_SOTC_FPS;
    for (size_t i = 0; i < assembly->part_count && !assembly->context.failed; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (!is_anb(part) || !ossa__begin_clip(assembly, part->stem)) continue;
        const ossa_sotc_anb *anb = part->contents;
        struct motion motion = {assembly, part};
        if (anb->bone_count != assembly->scene->bone_count) {
            (void)ossa__misfit(assembly, part, "moves %" PRIu32 " bones, but %s has %" PRIu32,
                               anb->bone_count,
                               skeleton == NULL ? "the first animation" : skeleton->shown,
                               assembly->scene->bone_count);
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
                                                 .user = &motion,
                                                 .rotation_steps = list_steps(assembly, anb)});
        ossa__leave_out(assembly, "the clip");
    }
}

/* An animation moves as many bones as the skeleton has. */
static void examine(struct ossa__assembly *assembly)
{
    const struct ossa__part *skeleton = ossa__main_part(assembly, "sotc-skb");
    for (size_t i = 0; skeleton != NULL && i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        uint32_t joints = ((const ossa_sotc_skb *)skeleton->contents)->joint_count;
        if (!is_anb(part)) continue;
        uint32_t bones = ((const ossa_sotc_anb *)part->contents)->bone_count;
        if (bones == joints) continue;
        ossa__finding(assembly, part, OSSA_SEVERITY_ERROR, OSSA_CODE_MISFIT, -1, "",
                      "moves %" PRIu32 " bones, but %s has %" PRIu32, bones, skeleton->shown,
                      joints);
    }
}

static void survey(const struct ossa__format *format, const void *contents,
                   struct ossa__facts *facts)
{
    if (format == &ossa__format_sotc_skb) {
        facts->bone_count = ((const ossa_sotc_skb *)contents)->joint_count;
    } else if (format == &ossa__format_sotc_anb) {
        facts->bone_count = ((const ossa_sotc_anb *)contents)->bone_count;
        facts->frame_count = ((const ossa_sotc_anb *)contents)->pose_count;
    }
}

static bool fits(uint32_t body_bones, uint32_t clip_bones)
{
    return body_bones == clip_bones;
}

const struct ossa__game ossa__game_shadow_of_the_colossus = {
    .title = "Shadow of the Colossus (2005)",
    .name = "Shadow of the Colossus",
    .viewpoint = {0.547F, 0.247F, 0.8F},
    .assemble = assemble,
    .examine = examine,
    .survey = survey,
    .fits = fits,
    .search = ossa__sotc_search,
    .search_at = ossa__sotc_search_at,
};
