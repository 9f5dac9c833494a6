/* SPDX-License-Identifier: MIT
 *
 * Midtown Madness: a skeleton (SKEL) and animations (ANIM) as a scene.
 *
 * A bone turns about X, then Z, then Y: qy * qz * qx. A frame's root translation replaces the root
 * bone's offset; the other bones keep theirs. The space is the scene's own. */
#include "ossa/midtown_madness.h"
#include "formats/modules.h"
#include "scene/assembly.h"
#include "scene/quaternion.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool is_anim(const struct ossa__part *part)
{
    return strcmp(part->format, "mm-anim") == 0;
}

static void bones_of_skel(struct ossa__assembly *assembly, const ossa_mm_skel *skel)
{
    ossa_bone *bones = ossa__take_bones(assembly, skel->bone_count);
    for (uint32_t i = 0; i < skel->bone_count && bones != NULL; i++) {
        bones[i].name = ossa__latin_text(assembly, skel->bones[i].name, skel->bones[i].name_size);
        bones[i].parent = skel->bones[i].parent;
        for (unsigned k = 0; k < 3; k++) {
            bones[i].rest.translation[k] =
                (float)((double)skel->bones[i].offset[k] * assembly->options->scale);
        }
    }
}

/* Placeholders in a row, for as many bones as the first animation has. */
static void bones_of_anims(struct ossa__assembly *assembly)
{
    uint32_t count = 0;
    const struct ossa__part *first = NULL;
    for (size_t i = 0; i < assembly->part_count && first == NULL; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (is_anim(part) && ossa_mm_pose_channel(part->contents, &count) != NULL) first = part;
    }
    if (first == NULL) return;
    ossa__assembly_warn(assembly, first, OSSA_MISSING_PART,
                        "there is no skeleton (SKEL); %" PRIu32 " placeholder bones stand in a row",
                        count);
    ossa__take_placeholders(assembly, count);
}

struct motion {
    struct ossa__assembly *assembly;
    const struct ossa__part *part;
    const ossa_mm_channel *channel;
};

static bool pose(void *user, double frame, ossa_transform *locals, uint8_t *visible)
{
    const struct motion *motion = user;
    const ossa_scene *scene = motion->assembly->scene;
    const float *values =
        motion->channel->values + (size_t)frame * motion->channel->floats_per_frame;
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        const float *angles = values + 3 + 3 * (size_t)i;
        struct ossa__quat qx = ossa__quat_about(0, (double)angles[0]);
        struct ossa__quat qy = ossa__quat_about(1, (double)angles[1]);
        struct ossa__quat qz = ossa__quat_about(2, (double)angles[2]);
        struct ossa__quat q = ossa__quat_multiply(qy, ossa__quat_multiply(qz, qx));
        if (!ossa__quat_normalise(&q)) {
            return ossa__misfit(motion->assembly, motion->part,
                                "frames[%" PRIu32 "] has an angle that is not finite",
                                (uint32_t)frame);
        }
        locals[i] = scene->bones[i].rest;
        ossa__quat_store(q, locals[i].rotation);
        visible[i] = 1;
    }
    for (unsigned k = 0; k < 3 && scene->bone_count > 0; k++) {
        locals[0].translation[k] = (float)((double)values[k] * motion->assembly->options->scale);
    }
    return true;
}

static void add_anim(struct ossa__assembly *assembly, const struct ossa__part *part,
                     const struct ossa__part *skeleton)
{
    const ossa_mm_anim *anim = part->contents;
    uint32_t bones = 0;
    struct motion motion = {assembly, part, ossa_mm_pose_channel(anim, &bones)};
    uint32_t expected = assembly->scene->bone_count;
    if (motion.channel == NULL) {
        (void)ossa__misfit(assembly, part,
                           "has no channel that poses bones: one of type 1, of 3 floats and 3 for "
                           "each bone");
        return;
    }
    if (bones != expected) {
        (void)ossa__misfit(assembly, part, "moves %" PRIu32 " bones, but %s has %" PRIu32, bones,
                           skeleton == NULL ? "the first animation" : skeleton->input->path,
                           expected);
        return;
    }
    double fps = assembly->options->fps > 0.0 ? assembly->options->fps : OSSA_MM_FPS;
    bool loop = anim->dialect != OSSA_MM_MM1 && motion.channel->type == 1; /* likely */
    ossa__add_clip(assembly, &(struct ossa__clip_plan){.name = part->stem,
                                                       .part = part,
                                                       .fps = fps,
                                                       .loop = loop,
                                                       .frame_count = anim->frame_count,
                                                       .keys_a_frame = 1,
                                                       .pose = pose,
                                                       .user = &motion});
}

void ossa__assemble_midtown_madness(struct ossa__assembly *assembly)
{
    const struct ossa__part *skeleton = ossa__only_part(assembly, "mm-skel");
    if (assembly->context.failed) return;
    if (skeleton != NULL) bones_of_skel(assembly, skeleton->contents);
    else bones_of_anims(assembly);
    const struct ossa__part *named = skeleton != NULL ? skeleton : &assembly->parts[0];
    if (named->stem != NULL && named->stem[0] != '\0') assembly->scene->name = named->stem;
    ossa__warn_of_resampling(assembly);
    if (!ossa__take_clips(assembly, assembly->part_count)) return;
    for (size_t i = 0; i < assembly->part_count && !assembly->context.failed; i++) {
        if (is_anim(&assembly->parts[i])) add_anim(assembly, &assembly->parts[i], skeleton);
    }
}
