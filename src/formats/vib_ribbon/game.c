/* SPDX-License-Identifier: MIT
 *
 * Vib-Ribbon: a model (TMD) and animations of its objects (ANM) as a scene. Meshes are in
 * game_mesh.c, cameras (ANC) in game_camera.c, edits of clips in game_apply.c.
 *
 * A folder, in an archive or on the disk, with a model and its animations is a figure.
 *
 * There is no hierarchy: every object is placed independently, and an object without a key in a
 * frame is not drawn. X is right, Y down, Z into the screen: a rotation of 180 degrees about X, so
 * (x, y, z) becomes (x, -y, -z). Units are those of the vertices, scaled by 1/2048. Unknown, hence
 * options: whether the rotations are about X, Y, Z in this order or the reverse, and whether a
 * component that a key omits is at rest or keeps its value. */
#include "formats/modules.h"
#include "formats/vib_ribbon/game.h"
#include "formats/vib_ribbon/vib_anm.h"
#include "formats/vib_ribbon/vib_header.h"
#include "scene/examine.h"
#include "scene/key_runs.h"
#include "scene/options.h"

#include <inttypes.h>
#include <string.h>

static bool is_anm(const struct ossa__part *part)
{
    return strcmp(part->format, "vib-anm") == 0;
}

/* ---- clips --------------------------------------------------------------------------------- */

struct motion {
    struct ossa__assembly *assembly;
    const struct ossa__part *part;
    const ossa_vib_anm *anm;
    struct ossa__vib_state *states; /* by object; for OSSA_VIB_MISSING_HOLD */
    ossa_transform *transforms;     /* by object: where it was last drawn */
    uint8_t *visible;               /* by object: it is drawn in the current frame */
    uint8_t *rotates;    /* by object: its rotation may change in the course of the clip */
    uint8_t *translates; /* likewise */
    uint8_t *scales;
    uint8_t *hides;
};

const struct ossa__vib_state ossa__vib_at_rest = {{0, 0, 0}, {4096, 4096, 4096}, {0, 0, 0}};

struct ossa__quat ossa__vib_rotation(const struct ossa__assembly *assembly,
                                     const int16_t rotation[3])
{
    struct ossa__quat qx = ossa__quat_about(0, rotation[0] * OSSA__VIB_TURN);
    struct ossa__quat qy = ossa__quat_about(1, rotation[1] * OSSA__VIB_TURN);
    struct ossa__quat qz = ossa__quat_about(2, rotation[2] * OSSA__VIB_TURN);
    struct ossa__quat q = ossa__vib_options(assembly)->euler == OSSA_VIB_EULER_XYZ
                              ? ossa__quat_multiply(qz, ossa__quat_multiply(qy, qx))
                              : ossa__quat_multiply(qx, ossa__quat_multiply(qy, qz));
    (void)ossa__quat_normalise(&q);
    return (struct ossa__quat){q.x, 0.0 - q.y, 0.0 - q.z, q.w};
}

static ossa_transform transform_of(const struct ossa__assembly *assembly,
                                   const struct ossa__vib_state *s)
{
    ossa_transform transform;
    ossa__quat_store(ossa__vib_rotation(assembly, s->rotation), transform.rotation);
    double scale = OSSA__VIB_UNIT * assembly->options->scale;
    for (unsigned k = 0; k < 3; k++) {
        double coordinate = s->position[k] * scale;
        transform.translation[k] = (float)(k == 0 ? coordinate : 0.0 - coordinate);
        transform.scale[k] = (float)(s->scale[k] / 4096.0);
    }
    return transform;
}

void ossa__vib_apply_key(struct ossa__vib_state *state, const ossa_vib_key *key,
                         ossa_vib_missing missing)
{
    if (missing == OSSA_VIB_MISSING_IDENTITY) *state = ossa__vib_at_rest;
    if (key->flags & OSSA_VIB_KEY_ROTATION)
        memcpy(state->rotation, key->rotation, sizeof key->rotation);
    if (key->flags & OSSA_VIB_KEY_SCALE) memcpy(state->scale, key->scale, sizeof key->scale);
    if (key->flags & OSSA_VIB_KEY_POSITION)
        memcpy(state->position, key->position, sizeof key->position);
}

static void rest_objects(struct motion *motion)
{
    const ossa_scene *scene = motion->assembly->scene;
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        motion->states[i] = ossa__vib_at_rest;
        motion->transforms[i] = scene->bones[i].rest;
    }
}

/* Frames are taken in order, starting at 0. */
static void take_frame(struct motion *motion, uint32_t frame)
{
    const ossa_vib_frame *keys = &motion->anm->frames[frame];
    if (frame == 0) rest_objects(motion);
    memset(motion->visible, 0, motion->assembly->scene->bone_count);
    for (uint32_t k = 0; k < keys->key_count; k++) {
        const ossa_vib_key *key = &motion->anm->keys[keys->first_key + k];
        struct ossa__vib_state *state = &motion->states[key->object];
        ossa__vib_apply_key(state, key, ossa__vib_options(motion->assembly)->missing);
        motion->transforms[key->object] = transform_of(motion->assembly, state);
        motion->visible[key->object] = 1;
    }
}

static bool start(void *user, const struct ossa__first_pose *first)
{
    struct motion *motion = user;
    uint32_t count = motion->assembly->scene->bone_count;
    take_frame(motion, 0);
    memcpy(first->locals, motion->transforms, count * sizeof *first->locals);
    memcpy(first->visible, motion->visible, count);
    return true;
}

static bool fill(void *user, const struct ossa__key_block *block)
{
    struct motion *motion = user;
    const ossa_transform *now = motion->transforms;
    float(*rotation)[4] = block->rotations;
    float(*translation)[3] = block->translations;
    float(*scale)[3] = block->scales;
    uint8_t *visible = block->visibilities;
    for (uint32_t f = 0; f < block->count; f++) {
        take_frame(motion, block->first + f);
        for (uint32_t i = 0; i < block->rotation_count; i++) {
            memcpy(*rotation++, now[block->rotated[i]].rotation, sizeof *rotation);
        }
        for (uint32_t i = 0; i < block->translation_count; i++) {
            memcpy(*translation++, now[block->translated[i]].translation, sizeof *translation);
        }
        for (uint32_t i = 0; i < block->scale_count; i++) {
            memcpy(*scale++, now[block->scaled[i]].scale, sizeof *scale);
        }
        for (uint32_t i = 0; i < block->visibility_count; i++) {
            *visible++ = motion->visible[block->hidden[i]];
        }
    }
    return true;
}

/* Mark what differs between two transforms that an object is drawn with. */
static void mark_difference(struct motion *motion, unsigned object, const ossa_transform *a,
                            const ossa_transform *b)
{
    motion->rotates[object] |= memcmp(a->rotation, b->rotation, sizeof a->rotation) != 0;
    motion->translates[object] |=
        memcmp(a->translation, b->translation, sizeof a->translation) != 0;
    motion->scales[object] |= memcmp(a->scale, b->scale, sizeof a->scale) != 0;
}

/* The same between two states, without computing the transforms. */
static void mark_change(struct motion *motion, unsigned object, const struct ossa__vib_state *a,
                        const struct ossa__vib_state *b)
{
    motion->rotates[object] |= memcmp(a->rotation, b->rotation, sizeof a->rotation) != 0;
    motion->translates[object] |= memcmp(a->position, b->position, sizeof a->position) != 0;
    motion->scales[object] |= memcmp(a->scale, b->scale, sizeof a->scale) != 0;
}

/* What may change of the objects in the course of the clip. */
static void mark_changes(struct motion *motion)
{
    const ossa_scene *scene = motion->assembly->scene;
    const ossa_vib_anm *anm = motion->anm;
    uint32_t drawn[256] = {0};      /* by object: in how many frames it is drawn */
    uint32_t last_drawn[256] = {0}; /* the last of them */
    memset(motion->rotates, 0, 4 * (size_t)scene->bone_count);
    rest_objects(motion);
    for (uint32_t f = 0; f < anm->frame_count; f++) {
        for (uint32_t k = 0; k < anm->frames[f].key_count; k++) {
            const ossa_vib_key *key = &anm->keys[anm->frames[f].first_key + k];
            unsigned object = key->object;
            struct ossa__vib_state *state = &motion->states[object];
            const struct ossa__vib_state before = *state;
            ossa__vib_apply_key(state, key, ossa__vib_options(motion->assembly)->missing);
            if (drawn[object] > 0) {
                mark_change(motion, object, &before, state);
            } else if (f > 0) { /* until now it is where it rests */
                ossa_transform now = transform_of(motion->assembly, state);
                mark_difference(motion, object, &scene->bones[object].rest, &now);
            }
            if (drawn[object] == 0 || last_drawn[object] != f) drawn[object]++;
            last_drawn[object] = f;
        }
    }
    for (uint32_t i = 0; i < scene->bone_count && i < 256; i++) {
        motion->hides[i] = drawn[i] > 0 && drawn[i] < anm->frame_count;
    }
}

/* ---- where keys are stored ----------------------------------------------------------------- */

enum { MEMBERS = 3 };
static const struct {
    uint8_t flag;
    ossa_key_channel channel;
    const ossa_key_layout *layout;
} members[MEMBERS] = {
    {OSSA_VIB_KEY_ROTATION, OSSA_KEY_CHANNEL_ROTATION, &ossa__vib_anm_rotation},
    {OSSA_VIB_KEY_SCALE, OSSA_KEY_CHANNEL_SCALE, &ossa__vib_anm_scale},
    {OSSA_VIB_KEY_POSITION, OSSA_KEY_CHANNEL_TRANSLATION, &ossa__vib_anm_position},
};

/* Where a value of an object comes from. */
struct origin {
    ossa_key_role role;
    const struct ossa__part *part; /* NULL: it is not stored */
    uint64_t offset;
};

/* By object. */
struct origins {
    struct origin members[MEMBERS];
    uint64_t key_at; /* of its key in the current frame; 0: it is not drawn */
};

/* What a key says, which is at `offset`; what it omits is at rest, or stays. */
static void take_origins(struct origins *origins, const struct ossa__part *part,
                         const ossa_vib_key *key, uint64_t offset, ossa_key_role role,
                         ossa_vib_missing missing)
{
    for (unsigned m = 0; m < MEMBERS; m++) {
        struct origin *origin = &origins->members[m];
        if (key->flags & members[m].flag) {
            uint64_t at = offset + ossa__vib_anm_member_at(key, members[m].flag);
            *origin = (struct origin){role, part, at};
        } else if (missing == OSSA_VIB_MISSING_IDENTITY || origin->role == OSSA_KEY_ROLE_FIRST) {
            *origin = (struct origin){OSSA_KEY_ROLE_OMITTED, NULL, 0};
        }
    }
}

/* Until an object is drawn it is at rest, which is where the first key of any clip puts it. */
static void rest_origins(const struct ossa__assembly *assembly, struct origins *objects)
{
    uint8_t placed[256] = {0};
    for (uint32_t i = 0; i < assembly->scene->bone_count; i++) {
        objects[i] = (struct origins){.key_at = 0};
        for (unsigned m = 0; m < MEMBERS; m++) objects[i].members[m].role = OSSA_KEY_ROLE_OMITTED;
    }
    for (size_t i = 0; i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (!is_anm(part)) continue;
        const ossa_vib_anm *anm = part->contents;
        uint64_t at = ossa__vib_anm_keys_at(anm);
        for (uint32_t k = 0; k < anm->key_count; k++) {
            const ossa_vib_key *key = &anm->keys[k];
            if (!placed[key->object] && key->object < assembly->scene->bone_count) {
                take_origins(&objects[key->object], part, key, at, OSSA_KEY_ROLE_FIRST,
                             OSSA_VIB_MISSING_IDENTITY);
                placed[key->object] = 1;
            }
            at += ossa__vib_key_size(key->flags);
        }
    }
}

/* What an object has in a frame. From the next frame on, its values are held. */
static void record_object(struct ossa__key_recorder *recorder, const struct ossa__part *part,
                          uint32_t frame, uint32_t object, struct origins *origins)
{
    ossa_key_run key = {.bone = object, .first_frame = frame};
    for (unsigned m = 0; m < MEMBERS; m++) {
        struct origin *origin = &origins->members[m];
        key.channel = members[m].channel;
        key.role = origin->role;
        key.offset = origin->offset;
        key.layout = origin->part == NULL ? NULL : members[m].layout;
        ossa__record_key(recorder, origin->part, key);
        if (origin->role == OSSA_KEY_ROLE_KEY) origin->role = OSSA_KEY_ROLE_HELD;
    }
    bool is_drawn = origins->key_at != 0;
    key.channel = OSSA_KEY_CHANNEL_VISIBLE;
    key.role = is_drawn ? OSSA_KEY_ROLE_KEY : OSSA_KEY_ROLE_OMITTED;
    key.offset = origins->key_at;
    key.layout = is_drawn ? &ossa__vib_anm_object : NULL;
    ossa__record_key(recorder, is_drawn ? part : NULL, key);
    origins->key_at = 0;
}

static void record_keys(void *user, struct ossa__key_recorder *recorder)
{
    const struct motion *motion = user;
    struct ossa__assembly *assembly = motion->assembly;
    uint32_t count = assembly->scene->bone_count;
    ossa_vib_missing missing = ossa__vib_options(assembly)->missing;
    struct origins *objects = ossa__take_scratch(&assembly->context, count, sizeof *objects);
    if (objects == NULL) return;
    rest_origins(assembly, objects);
    uint64_t at = ossa__vib_anm_keys_at(motion->anm);
    for (uint32_t f = 0; f < motion->anm->frame_count; f++) {
        const ossa_vib_frame *frame = &motion->anm->frames[f];
        for (uint32_t k = 0; k < frame->key_count; k++) {
            const ossa_vib_key *key = &motion->anm->keys[frame->first_key + k];
            take_origins(&objects[key->object], motion->part, key, at, OSSA_KEY_ROLE_KEY, missing);
            objects[key->object].key_at = at;
            at += ossa__vib_key_size(key->flags);
        }
        for (uint32_t i = 0; i < count; i++) {
            record_object(recorder, motion->part, f, i, &objects[i]);
        }
    }
}

/* ---- bones --------------------------------------------------------------------------------- */

/* One more than the highest object that an animation moves. */
static uint32_t objects_moved(const ossa_vib_anm *anm)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < anm->key_count; k++) {
        if (anm->keys[k].object >= count) count = anm->keys[k].object + 1U;
    }
    return count;
}

/* The rest position of an object is where it is first drawn; otherwise all would be at the
 * origin. */
static void rest_bones(struct ossa__assembly *assembly, ossa_bone *bones)
{
    uint8_t placed[256] = {0};
    for (size_t i = 0; i < assembly->part_count; i++) {
        if (!is_anm(&assembly->parts[i])) continue;
        const ossa_vib_anm *anm = assembly->parts[i].contents;
        for (uint32_t k = 0; k < anm->key_count; k++) {
            const ossa_vib_key *key = &anm->keys[k];
            if (placed[key->object] || key->object >= assembly->scene->bone_count) continue;
            struct ossa__vib_state state = ossa__vib_at_rest;
            ossa__vib_apply_key(&state, key, OSSA_VIB_MISSING_IDENTITY);
            bones[key->object].rest = transform_of(assembly, &state);
            placed[key->object] = 1;
        }
    }
}

/* Without a model: as many objects as the animations move. */
static uint32_t count_objects(struct ossa__assembly *assembly)
{
    uint32_t count = 0;
    const struct ossa__part *first = NULL;
    for (size_t i = 0; i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (!is_anm(part)) continue;
        uint32_t moved = objects_moved(part->contents);
        if (moved > count) count = moved;
        if (first == NULL) first = part;
    }
    if (first != NULL) { /* cameras alone need no model */
        ossa__assembly_warn(assembly, first, OSSA_CODE_MISSING_PART,
                            "there is no model (TMD); %" PRIu32 " objects have no shape", count);
    }
    return count;
}

static void add_bones(struct ossa__assembly *assembly, const struct ossa__part *model)
{
    uint32_t count = model == NULL ? count_objects(assembly)
                                   : ((const ossa_vib_tmd *)model->contents)->object_count;
    ossa_bone *bones = ossa__take_bones(assembly, count);
    for (uint32_t i = 0; i < count && bones != NULL; i++) {
        bones[i].name = ossa__numbered_name(assembly, "object", i);
    }
    if (!assembly->context.failed) rest_bones(assembly, bones);
}

/* Angles are whole numbers, 4096 of them a full rotation. */
#define ROTATION_STEP ((float)(2.0 * 3.14159265358979323846 / 4096.0))

static void add_clips(struct ossa__assembly *assembly, const struct ossa__part *model)
{
    struct ossa__context *context = &assembly->context;
    uint32_t count = assembly->scene->bone_count;
    struct motion motion = {.assembly = assembly};
    motion.states = ossa__take(context, count, sizeof *motion.states);
    motion.transforms = ossa__take(context, count, sizeof *motion.transforms);
    motion.visible = ossa__take(context, count, 1);
    motion.rotates = ossa__take(context, 4 * (uint64_t)count, 1);
    const float *steps = ossa__same_steps(assembly, ROTATION_STEP);
    if (!ossa__take_clips(assembly, assembly->part_count)) return;
    motion.translates = motion.rotates + count;
    motion.scales = motion.translates + count;
    motion.hides = motion.scales + count;
    for (size_t i = 0; i < assembly->part_count && !context->failed; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (!is_anm(part) || !ossa__begin_clip(assembly, part->stem)) continue;
        motion.part = part;
        motion.anm = part->contents;
        uint32_t moved = objects_moved(motion.anm);
        if (moved > count) {
            (void)ossa__misfit(assembly, part, "moves object %" PRIu32 ", but %s has only %" PRIu32,
                               moved - 1, model == NULL ? "" : model->shown, count);
        }
        double fps = ossa_vib_fps(motion.anm->rate);
        if (assembly->options->fps > 0.0) fps = assembly->options->fps;
        if (!context->failed) mark_changes(&motion);
        ossa__add_clip(assembly,
                       &(struct ossa__clip_plan){.name = part->stem,
                                                 .part = part,
                                                 .fps = fps,
                                                 .frame_count = motion.anm->frame_count,
                                                 .keys_per_frame = 1,
                                                 .start = start,
                                                 .rotates = motion.rotates,
                                                 .translates = motion.translates,
                                                 .scales = motion.scales,
                                                 .hides = motion.hides,
                                                 .fill = fill,
                                                 .apply = OSSA__IMPORTED_BY(ossa__vib_apply),
                                                 .record = record_keys,
                                                 .user = &motion,
                                                 .rotation_steps = steps});
        ossa__leave_out(assembly, "the clip");
    }
}

static void assemble(struct ossa__assembly *assembly)
{
    struct ossa__context *context = &assembly->context;
    const struct ossa__part *model = ossa__only_part(assembly, "vib-tmd");
    if (context->failed) return;
    add_bones(assembly, model);
    const struct ossa__part *named = model != NULL ? model : &assembly->parts[0];
    if (named->stem[0] != '\0') assembly->scene->name = named->stem;
    if (model != NULL && !context->failed) ossa__vib_add_meshes(assembly, model->contents);
    add_clips(assembly, model);
    ossa__vib_add_cameras(assembly);
}

/* An animation moves objects that the model has. */
static void examine(struct ossa__assembly *assembly)
{
    const struct ossa__part *model = ossa__main_part(assembly, "vib-tmd");
    for (size_t i = 0; model != NULL && i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        uint32_t objects = ((const ossa_vib_tmd *)model->contents)->object_count;
        uint32_t moved = is_anm(part) ? objects_moved(part->contents) : 0;
        if (moved <= objects) continue;
        ossa__finding(assembly, part, OSSA_SEVERITY_ERROR, OSSA_CODE_MISFIT, -1, "",
                      "moves object %" PRIu32 ", but %s has only %" PRIu32, moved - 1, model->shown,
                      objects);
    }
}

static void survey(const struct ossa__format *format, const void *contents,
                   struct ossa__facts *facts)
{
    if (format == &ossa__format_vib_tmd) {
        facts->bone_count = ((const ossa_vib_tmd *)contents)->object_count;
        facts->mesh_count = 1;
    } else if (format == &ossa__format_vib_anm) {
        facts->frame_count = ((const ossa_vib_anm *)contents)->frame_count;
        facts->bone_count = objects_moved(contents);
    }
}

/* A clip may leave the last objects alone. */
static bool fits(uint32_t body_bones, uint32_t clip_bones)
{
    return clip_bones <= body_bones;
}

const ossa_vib_options *ossa__vib_options(const struct ossa__assembly *assembly)
{
    static const ossa_vib_options defaults;
    return assembly->options->vib == NULL ? &defaults : assembly->options->vib;
}

static bool has_options(const ossa_scene_options *options)
{
    const ossa_vib_options *vib = options->vib;
    if (vib == NULL) return false;
    return vib->euler != OSSA_VIB_EULER_XYZ || vib->missing != OSSA_VIB_MISSING_IDENTITY ||
           vib->twist != OSSA_VIB_TWIST_DEGREE || vib->view != OSSA_VIB_VIEW_TURN;
}

static void keep_options(struct ossa__assembly *assembly)
{
    const ossa_vib_options *vib = ossa__vib_options(assembly);
    ossa__keep_word(assembly, "euler", "xyz zyx", vib->euler);
    ossa__keep_word(assembly, "missing", "identity hold", vib->missing);
    ossa__keep_word(assembly, "twist", "degree turn none", vib->twist);
    ossa__keep_word(assembly, "view", "turn distance degree", vib->view);
}

static void set_option(struct ossa__option_set *set, const struct ossa__option_text *option)
{
    unsigned words[4] = {set->vib.euler, set->vib.missing, set->vib.twist, set->vib.view};
    ossa__set_word(option, "euler", "xyz zyx", &words[0]);
    ossa__set_word(option, "missing", "identity hold", &words[1]);
    ossa__set_word(option, "twist", "degree turn none", &words[2]);
    ossa__set_word(option, "view", "turn distance degree", &words[3]);
    set->vib.euler = (ossa_vib_euler)words[0];
    set->vib.missing = (ossa_vib_missing)words[1];
    set->vib.twist = (ossa_vib_twist)words[2];
    set->vib.view = (ossa_vib_view)words[3];
}

const struct ossa__game ossa__game_vib_ribbon = {
    .title = "Vib-Ribbon (1999)",
    .name = "Vib-Ribbon",
    .open = "a PAK archive, the BIN and CUE of the disc, or a TMD with its ANM files",
    .viewpoint = {0.246F, 0.1F, 0.964F}, /* drawn to be seen from the front */
    .assemble = assemble,
    .examine = examine,
    .options = ossa__vib_option_list,
    .has_options = has_options,
    .keep_options = keep_options,
    .set_option = OSSA__IMPORTED_BY(set_option),
    .survey = survey,
    .fits = fits,
    .body_ending = ".tmd",
};
