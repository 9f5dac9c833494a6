/* SPDX-License-Identifier: MIT
 *
 * Evil Islands: an edited clip back into its animations (ANM).
 *
 * A part's own rotation is q = Q * Q_parent*, with Q the rotations of the model: see game_clip.c.
 * So an edit of a part changes the files of all parts below it, too, unless they rotate about the
 * same axis. A key is kept, bit for bit, where the file says the same as the edit. Only the root
 * moves. Translations of other parts are not played and stay as they are, but for a clip of another
 * length: then they are stretched. */
#include "formats/evil_islands/game_clip.h"

#include "base/narrow.h"
#include "scene/edit.h"

#include <string.h>

#define DEGREES (180.0 / 3.14159265358979323846)

/* One file being changed. */
struct change {
    const struct ossa__ei_clip *clip;
    struct ossa__edit *edit;
    const ossa_ei_anm *was; /* as it was read */
    ossa_ei_anm now;
    bool is_retimed; /* the clip gets another length */
};

static struct ossa__context *context_of(const struct change *change)
{
    return &change->edit->assembly->context;
}

/* From the scene's axes to the game's. */
static struct ossa__quat to_game(struct ossa__quat q)
{
    return (struct ossa__quat){q.x, 0.0 - q.z, q.y, q.w};
}

static int32_t parent_of(const struct ossa__edit *edit, uint32_t bone)
{
    return edit->assembly->scene->bones[bone].parent;
}

/* ---- arrays -------------------------------------------------------------------------------- */

/* The frame of a clip of `old` frames that is as far through it as one of `frames`. */
static double source_frame(uint32_t frame, uint32_t old, uint32_t frames)
{
    return frames < 2 ? 0.0 : (double)frame * ((double)old - 1.0) / ((double)frames - 1.0);
}

float *ossa__ei_stretch(struct ossa__context *context, const float *rows, uint32_t count,
                        size_t width, uint32_t old, uint32_t frames)
{
    float *made = ossa__take(context, frames, (uint64_t)width * sizeof *made);
    for (uint32_t f = 0; made != NULL && f < frames; f++) {
        uint32_t from;
        uint32_t to;
        double part;
        ossa__ei_find_keys(source_frame(f, old, frames), count, &from, &to, &part);
        for (size_t k = 0; k < width; k++) {
            double a = (double)rows[from * width + k];
            double b = (double)rows[to * width + k];
            made[f * width + k] = (float)(part == 0.0 ? a : a + (b - a) * part);
        }
    }
    return made;
}

/* Rows that hold their last one until there are `frames`. */
static float *hold(struct ossa__context *context, const float *rows, uint32_t count, size_t width,
                   uint32_t frames)
{
    float *made = ossa__take(context, frames, (uint64_t)width * sizeof *made);
    for (uint32_t f = 0; made != NULL && f < frames; f++) {
        size_t from = f < count ? f : count - 1;
        memcpy(made + f * width, rows + from * width, width * sizeof *made);
    }
    return made;
}

/* How many keys an array of `count` needs for an edit. `is_beyond`: the last one cannot be held
 * until the end. */
static uint32_t length_of(const struct change *change, uint32_t count, bool is_beyond)
{
    bool is_new = change->is_retimed && count > 0;
    return is_new || is_beyond ? change->edit->frame_count : count;
}

/* The first `count` rows of what was made on the way; NULL after a failure. */
static void *keep(const struct change *change, const void *rows, uint32_t count, size_t size)
{
    void *kept = ossa__take(context_of(change), count, size);
    if (kept != NULL && count > 0) memcpy(kept, rows, count * size);
    return kept;
}

/* ---- rotations ----------------------------------------------------------------------------- */

static const float no_rotation[4] = {1.0F, 0.0F, 0.0F, 0.0F};

/* A part's own rotation as the edit wants it. */
static struct ossa__quat wanted_rotation(const struct ossa__edit *edit, uint32_t frame,
                                         uint32_t bone)
{
    int32_t parent = parent_of(edit, bone);
    struct ossa__quat q = to_game(ossa__edit_at(edit, frame, bone)->world);
    if (parent >= 0) {
        struct ossa__quat above = to_game(ossa__edit_at(edit, frame, (uint32_t)parent)->world);
        q = ossa__quat_multiply(q, ossa__quat_conjugate(above));
    }
    (void)ossa__quat_normalise(&q);
    return q;
}

/* Of the two quaternions that are the same rotation, the one on the side of another key. */
static void store_rotation(struct ossa__quat q, const float near[4], float wxyz[4])
{
    const double values[4] = {q.w, q.x, q.y, q.z};
    double dot = 0.0;
    for (unsigned k = 0; k < 4; k++) dot += values[k] * (double)near[k];
    for (unsigned k = 0; k < 4; k++) wxyz[k] = (float)(dot < 0.0 ? -values[k] : values[k]);
}

/* The key of a frame; false: it is the one that is there, or held. */
static bool rotation_key(const struct change *change, uint32_t bone, uint32_t frame,
                         float (*keys)[4])
{
    const ossa_ei_anm *was = change->was;
    uint32_t count = was->rotation_count;
    const float *own = no_rotation;
    struct ossa__quat wanted = wanted_rotation(change->edit, frame, bone);
    struct ossa__quat q;
    if (count > 0) own = frame < count ? was->rotations[frame] : keys[count - 1];
    if (ossa__ei_rotation_from(own, &q) && ossa__same_rotation(q, wanted)) {
        memcpy(keys[frame], own, sizeof *keys);
        return false;
    }
    bool follows = frame > 0 && (change->edit->is_new || frame >= count);
    store_rotation(wanted, follows ? keys[frame - 1] : own, keys[frame]);
    return true;
}

/* False: nothing has changed. */
static bool apply_rotations(struct change *change, uint32_t bone)
{
    struct ossa__context *context = context_of(change);
    uint32_t frames = change->edit->frame_count;
    uint32_t count = change->was->rotation_count;
    struct ossa__mark mark = ossa__scratch_mark(context);
    float(*keys)[4] = ossa__take_scratch(context, frames, sizeof *keys);
    bool is_changed = change->is_retimed;
    bool is_beyond = false;
    for (uint32_t f = 0; keys != NULL && f < frames; f++) {
        if (!rotation_key(change, bone, f, keys)) continue;
        is_changed = true;
        is_beyond = is_beyond || f >= count;
    }
    if (keys != NULL && is_changed) {
        change->now.rotation_count = length_of(change, count, is_beyond);
        change->now.rotations = keep(change, keys, change->now.rotation_count, sizeof *keys);
    }
    ossa__scratch_release(context, mark);
    return is_changed;
}

/* Those of a part that is not shown, in a clip of another length. */
static void stretch_rotations(struct change *change)
{
    const ossa_ei_anm *was = change->was;
    uint32_t frames = change->edit->frame_count;
    float(*made)[4] = ossa__take(context_of(change), frames, sizeof *made);
    for (uint32_t f = 0; made != NULL && f < frames; f++) {
        uint32_t from;
        uint32_t to;
        double part;
        struct ossa__quat a;
        struct ossa__quat b;
        ossa__ei_find_keys(source_frame(f, change->edit->plan->frame_count, frames),
                           was->rotation_count, &from, &to, &part);
        memcpy(made[f], was->rotations[from], sizeof *made);
        if (part == 0.0 || !ossa__ei_rotation_from(was->rotations[from], &a)) continue;
        if (!ossa__ei_rotation_from(was->rotations[to], &b)) continue;
        store_rotation(ossa__quat_slerp(a, b, part), was->rotations[from], made[f]);
    }
    change->now.rotation_count = frames;
    change->now.rotations = (const float(*)[4])made;
}

/* ---- the root's translations --------------------------------------------------------------- */

/* From the root's translation in a file to its position in the scene, and back: the same steps as
 * in game_clip.c. */
struct root {
    double bind[3]; /* in the game's axes */
    double factor;
};

static struct root root_of(const struct ossa__ei_clip *clip, uint32_t bone)
{
    const struct ossa__assembly *assembly = clip->figure->assembly;
    struct root root = {.factor = assembly->options->scale * clip->figure->root_scale};
    if (ossa__ei_options(assembly)->root == OSSA_EI_ROOT_SUM) {
        memcpy(root.bind, clip->figure->bind[bone], sizeof root.bind);
    }
    return root;
}

static void position_of(const struct root *root, const float t[3], double position[3])
{
    double p[3];
    for (unsigned k = 0; k < 3; k++) p[k] = root->bind[k] + (double)t[k] * root->factor;
    position[0] = p[0];
    position[1] = p[2];
    position[2] = 0.0 - p[1];
}

static void translation_of(const struct root *root, const double position[3], double t[3])
{
    const double p[3] = {position[0], 0.0 - position[2], position[1]};
    for (unsigned k = 0; k < 3; k++) t[k] = (p[k] - root->bind[k]) / root->factor;
}

static const float no_translation[3];

/* The key of a frame; false: it is the one that is there, or held. */
static bool translation_key(struct change *change, const struct root *root, uint32_t bone,
                            uint32_t frame, float (*keys)[3])
{
    const ossa_ei_anm *was = change->was;
    struct ossa__edit *edit = change->edit;
    uint32_t count = was->translation_count;
    const float *own = no_translation;
    float *key = keys[frame];
    if (count > 0) own = frame < count ? was->translations[frame] : keys[count - 1];
    const double *wanted = ossa__edit_at(edit, frame, bone)->translation;
    double position[3];
    double t[3];
    position_of(root, own, position);
    memcpy(key, own, sizeof *keys);
    if (ossa__same_position(edit->assembly, position, wanted)) return false;
    translation_of(root, wanted, t);
    for (unsigned k = 0; k < 3; k++) {
        key[k] = ossa__narrow(t[k]);
        if (!(fabs(t[k]) <= (double)FLT_MAX)) {
            ossa__edit_lose(edit, OSSA__LOSS_RANGE, bone, frame, fabs(t[k]));
        }
    }
    return true;
}

/* False: nothing has changed. */
static bool apply_translations(struct change *change, uint32_t bone)
{
    struct ossa__context *context = context_of(change);
    uint32_t frames = change->edit->frame_count;
    uint32_t count = change->was->translation_count;
    struct root root = root_of(change->clip, bone);
    struct ossa__mark mark = ossa__scratch_mark(context);
    float(*keys)[3] = ossa__take_scratch(context, frames, sizeof *keys);
    bool is_changed = change->is_retimed;
    bool is_beyond = false;
    for (uint32_t f = 0; keys != NULL && f < frames; f++) {
        if (!translation_key(change, &root, bone, f, keys)) continue;
        is_changed = true;
        is_beyond = is_beyond || f >= count;
    }
    if (keys != NULL && is_changed) {
        change->now.translation_count = length_of(change, count, is_beyond);
        change->now.translations = keep(change, keys, change->now.translation_count, sizeof *keys);
    }
    ossa__scratch_release(context, mark);
    return is_changed;
}

/* ---- files --------------------------------------------------------------------------------- */

/* Where an array grows to the length of the clip, those beside it do, too, and hold their last row:
 * in the game's own files they are equally long. */
static void grow_along(struct change *change)
{
    struct ossa__context *context = context_of(change);
    const ossa_ei_anm *was = change->was;
    ossa_ei_anm *now = &change->now;
    uint32_t frames = change->edit->frame_count;
    bool has_grown = now->rotation_count > was->rotation_count ||
                     now->translation_count > was->translation_count ||
                     now->morph_frame_count > was->morph_frame_count;
    if (!has_grown || change->is_retimed) return;
    if (was->rotation_count > 0 && now->rotation_count < frames) {
        now->rotations = (const float(*)[4])hold(context, (const float *)now->rotations,
                                                 now->rotation_count, 4, frames);
        now->rotation_count = frames;
    }
    if (was->translation_count > 0 && now->translation_count < frames) {
        now->translations = (const float(*)[3])hold(context, (const float *)now->translations,
                                                    now->translation_count, 3, frames);
        now->translation_count = frames;
    }
    if (was->morph_frame_count > 0 && now->morph_frame_count < frames) {
        now->morphs =
            (const float(*)[3])hold(context, (const float *)now->morphs, now->morph_frame_count,
                                    3 * (size_t)now->morph_vertex_count, frames);
        now->morph_frame_count = frames;
    }
}

/* What the edit does not speak of, in a clip of another length. */
static void stretch_rest(struct change *change, bool has_rotations, bool has_translations,
                         bool has_morphs)
{
    struct ossa__context *context = context_of(change);
    const ossa_ei_anm *was = change->was;
    ossa_ei_anm *now = &change->now;
    uint32_t old = change->edit->plan->frame_count;
    uint32_t frames = change->edit->frame_count;
    if (!change->is_retimed) return;
    if (!has_rotations && was->rotation_count > 0) stretch_rotations(change);
    if (!has_translations && was->translation_count > 0) {
        now->translations = (const float(*)[3])ossa__ei_stretch(
            context, (const float *)was->translations, was->translation_count, 3, old, frames);
        now->translation_count = frames;
    }
    if (!has_morphs && was->morph_frame_count > 0) {
        now->morphs = (const float(*)[3])ossa__ei_stretch(
            context, (const float *)was->morphs, was->morph_frame_count,
            3 * (size_t)was->morph_vertex_count, old, frames);
        now->morph_frame_count = frames;
    }
}

/* One file of the clip, whose bone is -1 where it is not shown. `mesh` + 1 decides about its morph
 * frames; 0: none. Gives the contents of the file from now on; NULL after a failure. */
static const ossa_ei_anm *apply_part(const struct ossa__ei_clip *clip, struct ossa__edit *edit,
                                     const struct ossa__part *part, int64_t bone, uint32_t mesh)
{
    const ossa_ei_anm *was = part->contents;
    const struct ossa__context *context = &edit->assembly->context;
    struct change change = {.clip = clip,
                            .edit = edit,
                            .was = was,
                            .now = *was,
                            .is_retimed = edit->frame_count != edit->plan->frame_count};
    bool moves = bone >= 0 && parent_of(edit, (uint32_t)bone) < 0 &&
                 ossa__ei_options(edit->assembly)->root != OSSA_EI_ROOT_BIND;
    bool rotations = bone >= 0 && apply_rotations(&change, (uint32_t)bone);
    bool translations = moves && apply_translations(&change, (uint32_t)bone);
    bool morphs = mesh != 0 && ossa__ei_apply_shapes(clip, edit, mesh - 1, &change.now);
    if (context->failed) return NULL;
    grow_along(&change);
    stretch_rest(&change, rotations, translations, morphs);
    bool is_changed = rotations || translations || morphs || change.is_retimed || edit->is_new;
    if (context->failed || !is_changed) return context->failed ? NULL : was;
    ossa_ei_anm *contents = ossa__edit_contents(edit, part, sizeof *contents);
    if (contents != NULL) *contents = change.now;
    return contents;
}

/* The bone whose file animates a bone: itself, or that of its slot; -1: none does. */
static int64_t source_of(const struct ossa__ei_clip *clip, uint32_t bone)
{
    const struct ossa__part *part = ossa__ei_part_of(clip, bone);
    if (part == NULL) return -1;
    return part == clip->parts[bone] ? (int64_t)bone : (int64_t)clip->figure->bases[bone];
}

/* The bone that a file of the clip is of; -1: it is not shown, or not played. */
static int64_t owner_of(const struct ossa__ei_clip *clip, const struct ossa__part *part)
{
    int64_t bone = ossa__ei_find_bone(clip->figure, part->stem);
    if (bone < 0) bone = ossa__ei_find_slot(clip->figure, part->stem);
    bool is_own = bone >= 0 && ossa__ei_part_of(clip, (uint32_t)bone) == part;
    return is_own ? bone : -1;
}

/* ---- losses -------------------------------------------------------------------------------- */

/* Bones without a file of their own do not rotate, or move as another one does. */
static void lose_rotations(const struct ossa__ei_clip *clip, struct ossa__edit *edit)
{
    for (uint32_t b = 0; b < clip->figure->bone_count; b++) {
        int64_t source = source_of(clip, b);
        if (source == (int64_t)b) continue;
        for (uint32_t f = 0; f < edit->frame_count; f++) {
            struct ossa__quat held = {0.0, 0.0, 0.0, 1.0};
            struct ossa__quat wanted = wanted_rotation(edit, f, b);
            if (source >= 0) held = wanted_rotation(edit, f, (uint32_t)source);
            if (ossa__same_rotation(held, wanted)) continue;
            ossa__edit_lose(edit, OSSA__LOSS_ROTATION, b, f,
                            ossa__angle_between(held, wanted) * DEGREES);
        }
    }
}

/* A root without a file stays where it is. */
static void lose_translations(const struct ossa__ei_clip *clip, struct ossa__edit *edit)
{
    bool moves = ossa__ei_options(edit->assembly)->root != OSSA_EI_ROOT_BIND;
    ossa__edit_expect_rotations(edit, moves);
    for (uint32_t b = 0; moves && b < clip->figure->bone_count; b++) {
        if (parent_of(edit, b) >= 0 || clip->parts[b] != NULL) continue;
        struct root root = root_of(clip, b);
        double held[3];
        position_of(&root, no_translation, held);
        for (uint32_t f = 0; f < edit->frame_count; f++) {
            const double *wanted = ossa__edit_at(edit, f, b)->translation;
            if (ossa__same_position(edit->assembly, held, wanted)) continue;
            const double d[3] = {wanted[0] - held[0], wanted[1] - held[1], wanted[2] - held[2]};
            ossa__edit_lose(edit, OSSA__LOSS_TRANSLATION, b, f,
                            sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
        }
    }
}

/* ---- the clip ------------------------------------------------------------------------------ */

/* By bone: the mesh + 1 that decides about the morph frames of its file. Where the bone has none,
 * it is the first one of a variant that moves as it does. */
static void list_meshes(const struct ossa__ei_clip *clip, uint32_t *meshes)
{
    const struct ossa__ei_figure *figure = clip->figure;
    memset(meshes, 0, figure->bone_count * sizeof *meshes);
    for (uint32_t b = 0; figure->mesh_of != NULL && b < figure->bone_count; b++) {
        int64_t source = source_of(clip, b);
        if (source < 0 || meshes[source] != 0) continue;
        meshes[source] = ossa__ei_mesh_morphed(figure, b, clip->parts[source]->contents);
    }
}

void ossa__ei_apply(void *user, struct ossa__edit *edit)
{
    const struct ossa__ei_clip *clip = user;
    const struct ossa__ei_figure *figure = clip->figure;
    struct ossa__context *context = &edit->assembly->context;
    struct ossa__mark mark = ossa__scratch_mark(context);
    uint32_t *meshes = ossa__take_scratch(context, figure->bone_count, sizeof *meshes);
    const ossa_ei_anm **anms = ossa__take_scratch(context, figure->bone_count, sizeof *anms);
    if (anms == NULL) return;
    memset(anms, 0, figure->bone_count * sizeof *anms);
    list_meshes(clip, meshes);
    lose_translations(clip, edit);
    lose_rotations(clip, edit);
    for (uint32_t i = 0; i < clip->member_count && !context->failed; i++) {
        const struct ossa__part *part = &edit->assembly->parts[clip->members[i]];
        int64_t bone = owner_of(clip, part);
        const ossa_ei_anm *now = apply_part(clip, edit, part, bone, bone < 0 ? 0 : meshes[bone]);
        if (bone >= 0) anms[bone] = now;
    }
    for (uint32_t b = 0; figure->mesh_of != NULL && b < figure->bone_count; b++) {
        int64_t source = source_of(clip, b);
        if (figure->mesh_of[b] == 0 || context->failed) continue;
        ossa__ei_check_shapes(clip, edit, figure->mesh_of[b] - 1,
                              source < 0 ? NULL : clip->parts[source]->contents,
                              source < 0 ? NULL : anms[source]);
    }
    ossa__scratch_release(context, mark);
    if (!context->failed) ossa__ei_edit_record(clip->records, edit);
}
