/* SPDX-License-Identifier: MIT
 *
 * Midtown Madness: a skeleton (SKEL), animations (ANIM) and a table of states (CSV) as a scene. The
 * mesh (MOD) is in game_mesh.c, its colours (VAR, .shaders) are in game_variants.c, edits of clips
 * are in game_apply.c.
 *
 * A bone rotates about X, then Z, then Y: qy * qz * qx. A frame's root translation replaces the
 * root bone's offset; the other bones keep theirs. The space is the scene's own.
 *
 * With a table, each of its states becomes a clip: the range of frames that it names, played
 * backwards where the last frame comes before the first, and clamped to the animation as the game
 * does. Animations that no state plays become clips of their own, as they do without a table. */
#include "codec/sort.h"
#include "base/text.h"
#include "formats/midtown_madness/game.h"
#include "formats/midtown_madness/game_mesh.h"
#include "formats/midtown_madness/mm_anim.h"
#include "formats/modules.h"
#include "scene/key_runs.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool is_anim(const struct ossa__part *part)
{
    return strcmp(part->format, "mm-anim") == 0;
}

/* The limits of a bone's angles, which a scene has no member for. */
static bool list_limits(struct ossa__assembly *assembly, const ossa_mm_bone *from, ossa_bone *bone)
{
    const float *const values[2] = {from->rotmin, from->rotmax};
    static const char *const keys[2] = {"rotmin", "rotmax"};
    if (from->rotmin_at[0] == 0 && from->rotmax_at[0] == 0) return true;
    double *numbers = ossa__take(&assembly->context, 6, sizeof *numbers);
    ossa_extra *extras = ossa__take(&assembly->context, 2, sizeof *extras);
    if (extras == NULL) return false;
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned k = 0; k < 3; k++) numbers[3 * i + k] = (double)values[i][k];
        extras[i] = (ossa_extra){.key = keys[i], .number_count = 3, .numbers = numbers + 3 * i};
    }
    bone->extra_count = 2;
    bone->extras = extras;
    return true;
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
        if (!list_limits(assembly, &skel->bones[i], &bones[i])) return;
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
    ossa__assembly_warn(assembly, first, OSSA_CODE_MISSING_PART,
                        "there is no skeleton (SKEL); using %" PRIu32 " placeholder bones in a row",
                        count);
    ossa__take_placeholders(assembly, count);
}

/* The same for the bones of the model, where there is no animation either. */
static void bones_of_model(struct ossa__assembly *assembly, const struct ossa__part *model)
{
    uint32_t count = ossa__mod_bone_count(model->contents);
    ossa__assembly_warn(assembly, model, OSSA_CODE_MISSING_PART,
                        "there is no skeleton (SKEL); using %" PRIu32
                        " placeholder bones in a row, each with its part of the mesh",
                        count);
    ossa__take_placeholders(assembly, count);
}

static bool rotate(const struct ossa__mm_motion *motion, uint32_t at, uint32_t bone,
                   float rotation[4])
{
    const float *angles = ossa__mm_values_in(motion, at) + 3 + 3 * (size_t)bone;
    struct ossa__quat qx = ossa__quat_about(0, (double)angles[0]);
    struct ossa__quat qy = ossa__quat_about(1, (double)angles[1]);
    struct ossa__quat qz = ossa__quat_about(2, (double)angles[2]);
    struct ossa__quat q = ossa__quat_multiply(qy, ossa__quat_multiply(qz, qx));
    if (!ossa__quat_normalise(&q)) {
        return ossa__misfit(motion->assembly, motion->part,
                            "frames[%" PRIu32 "] has an angle that is not finite", at);
    }
    ossa__quat_store(q, rotation);
    return true;
}

double ossa__mm_root_offset(const struct ossa__mm_motion *motion, unsigned axis)
{
    const float *first = motion->channel->values;
    const float *start = ossa__mm_values_in(motion, motion->first);
    if (!motion->assembly->options->in_place || axis == 1) return 0.0;
    return (double)start[axis] - (double)first[axis];
}

/* The translation of the root. */
static void translate(const struct ossa__mm_motion *motion, uint32_t at, float translation[3])
{
    const float *values = ossa__mm_values_in(motion, at);
    for (unsigned k = 0; k < 3; k++) {
        double coordinate = (double)values[k] - ossa__mm_root_offset(motion, k);
        translation[k] = (float)(coordinate * motion->assembly->options->scale);
    }
}

static bool start_clip(void *user, const struct ossa__first_pose *first)
{
    const struct ossa__mm_motion *motion = user;
    uint32_t bones = motion->assembly->scene->bone_count;
    ossa_transform *pose = first->locals;
    for (uint32_t i = 0; i < bones; i++) {
        if (!rotate(motion, motion->first, i, pose[i].rotation)) return false;
    }
    if (bones > 0) translate(motion, motion->first, pose[0].translation);
    return true;
}

static bool fill_clip(void *user, const struct ossa__key_block *block)
{
    const struct ossa__mm_motion *motion = user;
    float(*rotation)[4] = block->rotations;
    for (uint32_t f = 0; f < block->count; f++) {
        uint32_t at = ossa__mm_frame_of(motion, block->first + f);
        for (uint32_t i = 0; i < block->rotation_count; i++) {
            if (!rotate(motion, at, block->rotated[i], *rotation++)) return false;
        }
        if (block->translation_count > 0) translate(motion, at, block->translations[f]);
    }
    return true;
}

/* The frames of a clip follow each other in the animation, forwards or backwards. */
static void record_keys(void *user, struct ossa__key_recorder *recorder)
{
    const struct ossa__mm_motion *motion = user;
    int64_t frame_size = 4 * (int64_t)motion->channel->floats_per_frame;
    ossa_key_run run = {.channel = OSSA_KEY_CHANNEL_TRANSLATION,
                        .frame_count = recorder->frame_count,
                        .stride = motion->backwards ? -frame_size : frame_size,
                        .layout = &ossa__mm_anim_translation};
    uint64_t start = ossa__mm_anim_values_at(motion->part->contents, motion->channel) +
                     (uint64_t)frame_size * motion->first;
    run.offset = start;
    if (motion->assembly->scene->bone_count > 0) ossa__record_run(recorder, motion->part, run);
    run.channel = OSSA_KEY_CHANNEL_ROTATION;
    run.layout = &ossa__mm_anim_rotation;
    for (uint32_t i = 0; i < motion->assembly->scene->bone_count; i++) {
        run.bone = i;
        run.offset = start + ossa__mm_anim_angles_at(i);
        ossa__record_run(recorder, motion->part, run);
    }
}

static double rate_of(const struct ossa__assembly *assembly)
{
    return assembly->options->fps > 0.0 ? assembly->options->fps : OSSA_MM_FPS;
}

/* Add a clip of `plan->frame_count` frames, which was begun. */
static void add_motion(struct ossa__mm_motion *motion, struct ossa__clip_plan plan)
{
    struct ossa__context *context = &motion->assembly->context;
    uint32_t bones = motion->assembly->scene->bone_count;
    struct ossa__mark mark = ossa__scratch_mark(context);
    uint8_t *changes = ossa__take_scratch(context, (uint64_t)bones + 1, 1); /* root, angles */
    if (changes == NULL) return;
    memset(changes, 0, (size_t)bones + 1);
    const float *first = ossa__mm_values_in(motion, motion->first);
    for (uint32_t f = 1; f < plan.frame_count; f++) {
        const float *values = ossa__mm_values_in(motion, ossa__mm_frame_of(motion, f));
        for (size_t i = 0; i <= bones; i++) { /* three floats each */
            if (changes[i] == 0) changes[i] = memcmp(values + 3 * i, first + 3 * i, 12) != 0;
        }
    }
    uint8_t *translates = ossa__take_scratch(context, (uint64_t)bones + 1, 1);
    if (translates == NULL) return;
    memset(translates, 0, (size_t)bones + 1);
    if (bones > 0) translates[0] = changes[0];
    plan.part = motion->part;
    plan.fps = rate_of(motion->assembly);
    plan.keys_per_frame = 1;
    plan.start = start_clip;
    plan.rotates = changes + 1;
    plan.translates = translates;
    plan.fill = fill_clip;
    plan.user = motion;
    plan.apply = OSSA__IMPORTED_BY(ossa__mm_apply);
    plan.record = record_keys;
    ossa__add_clip(motion->assembly, &plan);
    ossa__scratch_release(context, mark);
}

/* The animations by name, and which of them a state plays. */
struct library {
    struct ossa__assembly *assembly;
    const struct ossa__part *skeleton;
    const struct ossa__part *table; /* of states; NULL: none */
    uint32_t *by_name;              /* parts in the order of their stems */
    uint32_t count;
    uint8_t *played;                  /* by part */
    struct ossa__mm_changes *changes; /* by part; NULL: nothing is edited */
};

/* What poses the bones in an animation; its channel is NULL after a failure. */
static struct ossa__mm_motion motion_of(const struct library *library, size_t anim_part)
{
    struct ossa__assembly *assembly = library->assembly;
    const struct ossa__part *part = &assembly->parts[anim_part];
    const struct ossa__part *skeleton = library->skeleton;
    uint32_t bones = 0;
    uint32_t expected = assembly->scene->bone_count;
    struct ossa__mm_motion motion = {
        .assembly = assembly,
        .part = part,
        .channel = ossa_mm_pose_channel(part->contents, &bones),
        .table = library->table,
        .changes = library->changes == NULL ? NULL : &library->changes[anim_part]};
    if (motion.channel == NULL) {
        (void)ossa__misfit(assembly, part,
                           "has no channel that poses bones (type 1, 3 floats plus 3 per bone)");
    } else if (bones != expected) {
        (void)ossa__misfit(assembly, part, "moves %" PRIu32 " bones, but %s has %" PRIu32, bones,
                           skeleton == NULL ? "the first animation" : skeleton->shown, expected);
        motion.channel = NULL;
    }
    return motion;
}

static void add_anim(const struct library *library, size_t anim_part)
{
    const struct ossa__part *part = &library->assembly->parts[anim_part];
    const ossa_mm_anim *anim = part->contents;
    if (!ossa__begin_clip(library->assembly, part->stem)) return;
    struct ossa__mm_motion motion = motion_of(library, anim_part);
    if (motion.channel == NULL) return;
    bool loop = anim->dialect != OSSA_MM_DIALECT_MM1 && motion.channel->type == 1; /* likely */
    add_motion(&motion, (struct ossa__clip_plan){
                            .name = part->stem, .loop = loop, .frame_count = anim->frame_count});
}

/* ---- states -------------------------------------------------------------------------------- */

static bool stem_before(const void *a, const void *b, void *user)
{
    const struct ossa__part *parts = user;
    return ossa__compare_names(parts[*(const uint32_t *)a].stem, parts[*(const uint32_t *)b].stem) <
           0;
}

static bool list_anims(struct library *library)
{
    struct ossa__assembly *assembly = library->assembly;
    struct ossa__context *context = &assembly->context;
    library->by_name = ossa__take(context, assembly->part_count, sizeof *library->by_name);
    library->played = ossa__take(context, assembly->part_count, 1);
    if (library->played == NULL) return false;
    memset(library->played, 0, assembly->part_count);
    if (assembly->editing != NULL) {
        library->changes = ossa__take(context, assembly->part_count, sizeof *library->changes);
        if (library->changes == NULL) return false;
        for (size_t i = 0; i < assembly->part_count; i++) {
            library->changes[i] = (struct ossa__mm_changes){0};
        }
    }
    for (uint32_t i = 0; i < assembly->part_count; i++) {
        if (is_anim(&assembly->parts[i])) library->by_name[library->count++] = i;
    }
    return ossa__sort(context, library->by_name, library->count, sizeof *library->by_name,
                      stem_before, assembly->parts);
}

/* The part of that name, letter case ignored; -1: none. */
static int64_t find_anim(const struct library *library, const char *name)
{
    const struct ossa__part *parts = library->assembly->parts;
    uint32_t low = 0;
    uint32_t high = library->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ossa__compare_names(parts[library->by_name[middle]].stem, name) < 0) low = middle + 1;
        else high = middle;
    }
    if (low == library->count) return -1;
    uint32_t part = library->by_name[low];
    return ossa__compare_names(parts[part].stem, name) == 0 ? (int64_t)part : -1;
}

static uint32_t clamp_frame(int32_t frame, uint32_t count)
{
    if (frame < 1) return 0;
    return (uint32_t)frame > count ? count - 1 : (uint32_t)frame - 1;
}

/* What a state says that a clip has no field for; NULL after a failure. */
static const ossa_extra *list_extras(struct ossa__assembly *assembly, const ossa_mm_state *state,
                                     const char *next, uint32_t *count)
{
    enum { NUMBERS = 6, EXTRAS = NUMBERS + 1 };
    static const char *const keys[NUMBERS] = {"first_frame", "last_frame",    "forward",
                                              "sideways",    "forward_speed", "sideways_speed"};
    double *numbers = ossa__take(&assembly->context, NUMBERS, sizeof *numbers);
    ossa_extra *extras = ossa__take(&assembly->context, EXTRAS, sizeof *extras);
    if (extras == NULL) return NULL;
    numbers[0] = state->first_frame;
    numbers[1] = state->last_frame;
    numbers[2] = (double)state->forward;
    numbers[3] = (double)state->sideways;
    for (unsigned i = 0; i < 2; i++) { /* an extra must be a number that a float holds */
        double speed = numbers[2 + i] / ossa_mm_state_duration(state);
        numbers[4 + i] = (double)(float)fmax(fmin(speed, (double)FLT_MAX), -(double)FLT_MAX);
    }
    for (unsigned i = 0; i < NUMBERS; i++) {
        extras[i] = (ossa_extra){.key = keys[i], .number_count = 1, .numbers = &numbers[i]};
    }
    extras[NUMBERS] = (ossa_extra){.key = "next", .text = next};
    *count = state->next_size > 0 ? EXTRAS : NUMBERS;
    return extras;
}

static void add_state(struct library *library, const ossa_mm_state *state, uint32_t anim_part,
                      const char *name)
{
    struct ossa__assembly *assembly = library->assembly;
    const struct ossa__part *part = &assembly->parts[anim_part];
    const ossa_mm_anim *anim = part->contents;
    library->played[anim_part] = 1;
    if (!ossa__begin_clip(assembly, name)) return;
    struct ossa__mm_motion motion = motion_of(library, anim_part);
    if (motion.channel == NULL) return;
    motion.state = state;
    uint32_t frames = 0;
    if (anim->frame_count > 0) {
        uint32_t last = clamp_frame(state->last_frame, anim->frame_count);
        motion.first = clamp_frame(state->first_frame, anim->frame_count);
        motion.backwards = last < motion.first;
        frames = 1 + (motion.backwards ? motion.first - last : last - motion.first);
    }
    char *next = ossa__latin_text(assembly, state->next, state->next_size);
    uint32_t extra_count = 0;
    const ossa_extra *extras = list_extras(assembly, state, next, &extra_count);
    if (extras == NULL || next == NULL) return;
    add_motion(&motion,
               (struct ossa__clip_plan){
                   .name = name,
                   .loop = strcmp(name, next) == 0, /* as the game compares states */
                   .frame_count = frames,
                   .extra_count = extra_count,
                   .extras = extras,
                   .next = state->next_size > 0 ? next : NULL,
                   /* figures look along -Z, and sideways is to their left, -X */
                   .travel = {-(double)state->sideways / ossa_mm_state_duration(state), 0.0,
                              -(double)state->forward / ossa_mm_state_duration(state)},
               });
}

static void add_states(struct library *library)
{
    struct ossa__assembly *assembly = library->assembly;
    const struct ossa__part *table = library->table;
    const ossa_mm_csv *csv = table->contents;
    uint32_t missing = 0;
    const char *first_missing = "";
    char **names = ossa__take(&assembly->context, csv->state_count, sizeof *names);
    if (names == NULL) return;
    for (uint32_t i = 0; i < csv->state_count; i++) {
        names[i] = ossa__latin_text(assembly, csv->states[i].name, csv->states[i].name_size);
        if (names[i] == NULL) return;
        ossa__reserve_clip_name(assembly, names[i]);
    }
    for (uint32_t i = 0; i < csv->state_count && !assembly->context.failed; i++) {
        const ossa_mm_state *state = &csv->states[i];
        const char *name = names[i];
        char *anim = ossa__latin_text(assembly, state->animation, state->animation_size);
        if (anim == NULL) return;
        int64_t part = find_anim(library, anim);
        if (part >= 0) add_state(library, state, (uint32_t)part, name);
        else if (missing++ == 0) first_missing = anim;
        ossa__leave_out(assembly, "the clip");
    }
    if (missing > 0) {
        ossa__assembly_warn(assembly, table, OSSA_CODE_MISSING_PART,
                            "%" PRIu32 " of %" PRIu32
                            " states are left out because their animation is not among the inputs; "
                            "the first needs '%s'",
                            missing, csv->state_count, first_missing);
    }
}

/* The part of a format that belongs to a skeleton: the only one, or of several the one that is
 * called like it. NULL: none; a failure when that leaves several. */
static const struct ossa__part *own_part(struct ossa__assembly *assembly, const char *format,
                                         const struct ossa__part *skeleton)
{
    const struct ossa__part *own = NULL;
    uint32_t others = 0;
    for (size_t i = 0; i < assembly->part_count && skeleton != NULL; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (strcmp(part->format, format) != 0) continue;
        bool is_own = ossa__compare_names(part->stem, skeleton->stem) == 0;
        if (is_own && own == NULL) own = part;
        else others++;
    }
    if (own == NULL) return ossa__only_part(assembly, format);
    if (others > 0) {
        ossa__assembly_warn(assembly, own, OSSA_CODE_PASSED_OVER,
                            "others of its kind are left out: %" PRIu32
                            "; this one is called like the skeleton",
                            others);
    }
    return own;
}

static void assemble(struct ossa__assembly *assembly)
{
    const struct ossa__part *skeleton = ossa__only_part(assembly, "mm-skel");
    const struct ossa__part *table = own_part(assembly, "mm-csv", skeleton);
    const struct ossa__part *model = own_part(assembly, "mm-mod", skeleton);
    const struct ossa__part *colours = own_part(assembly, "mm-shaders", skeleton);
    if (colours == NULL) colours = own_part(assembly, "mm-var", skeleton);
    if (assembly->context.failed) return;
    if (skeleton != NULL) bones_of_skel(assembly, skeleton->contents);
    else bones_of_anims(assembly);
    if (skeleton == NULL && model != NULL && assembly->scene->bone_count == 0) {
        bones_of_model(assembly, model);
    }
    const struct ossa__part *named = skeleton != NULL ? skeleton : model;
    if (named == NULL) named = &assembly->parts[0];
    if (named->stem != NULL && named->stem[0] != '\0') assembly->scene->name = named->stem;
    if (model != NULL && !assembly->context.failed) {
        ossa__mod_add_meshes(assembly, model, skeleton);
    }
    if (colours != NULL && !assembly->context.failed) {
        ossa__mm_add_variants(assembly, colours, model);
    }
    struct library library = {.assembly = assembly, .skeleton = skeleton, .table = table};
    uint64_t states = table == NULL ? 0 : ((const ossa_mm_csv *)table->contents)->state_count;
    if (!ossa__take_clips(assembly, assembly->part_count + (size_t)states)) return;
    if (!list_anims(&library)) return;
    if (table != NULL) add_states(&library);
    for (size_t i = 0; i < assembly->part_count && !assembly->context.failed; i++) {
        if (is_anim(&assembly->parts[i]) && library.played[i] == 0) add_anim(&library, i);
        ossa__leave_out(assembly, "the clip");
    }
}

static void survey(const struct ossa__format *format, const void *contents,
                   struct ossa__facts *facts)
{
    if (format == &ossa__format_mm_skel) {
        facts->bone_count = ((const ossa_mm_skel *)contents)->bone_count;
    } else if (format == &ossa__format_mm_mod) {
        facts->mesh_count = 1;
    } else if (format == &ossa__format_mm_anim) {
        facts->frame_count = ((const ossa_mm_anim *)contents)->frame_count;
        (void)ossa_mm_pose_channel(contents, &facts->bone_count);
    }
}

static bool fits(uint32_t body_bones, uint32_t clip_bones)
{
    return body_bones == clip_bones;
}

static const char *listed_clip(const struct ossa__format *format, const void *contents,
                               uint32_t index, size_t *size)
{
    const ossa_mm_csv *csv = contents;
    if (format != &ossa__format_mm_csv || index >= csv->state_count) return NULL;
    *size = csv->states[index].animation_size;
    return csv->states[index].animation;
}

/* What is called like the skeleton. The clips are those that the table lists. */
static const char *const figure_endings[] = {".skel", ".mod", ".csv", ".shaders", ".var", NULL};

const struct ossa__game ossa__game_midtown_madness = {
    .title = "Midtown Madness 1 and 2 (1999, 2000)",
    .name = "Midtown Madness",
    .open = "MM2CORE.AR or another AR archive, or a SKEL with its MOD, CSV and ANIM files",
    .viewpoint = {0.557F, 0.159F, -0.815F}, /* they walk to -Z */
    .assemble = assemble,
    .examine = ossa__mm_examine,
    .survey = survey,
    .fits = fits,
    .figure_endings = figure_endings,
    .listed_clip = listed_clip,
    .clip_ending = ".anim",
};
