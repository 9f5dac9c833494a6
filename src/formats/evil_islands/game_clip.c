/* SPDX-License-Identifier: MIT
 *
 * Evil Islands: a folder of part animations (ANM) is a clip. */
#include "formats/evil_islands/game_clip.h"

#include "codec/sort.h"
#include "formats/evil_islands/ei_anm.h"
#include "scene/key_runs.h"

#include <inttypes.h>
#include <string.h>

/* ---- poses --------------------------------------------------------------------------------- */

/* With q a part's rotation in a frame and b its bind position, the game has
 *
 *     root:   Q = q               P = b + t      t: the root's translation in the frame, scaled to
 *                                                the height of the figure; see also ossa_ei_root
 *     child:  Q = q * Q_parent    P = P_parent + rot(Q_parent, b)
 *     vertex: P + rot(Q, v + its morph offset)
 *
 * so a part's own rotation is applied after its parent's. As an ordinary local rotation that is
 * Q_parent* q Q_parent, frame by frame: the curve of a child depends on its parent's, and between
 * frames the scene's curve is not quite the game's, which interpolates q first. The translations of
 * other parts are used by no known player and not applied. Z is up: (x, y, z) becomes (x, z, -y).
 */

void ossa__ei_find_keys(double frame, uint32_t count, uint32_t *from, uint32_t *to, double *part)
{
    uint32_t last = count - 1;
    if (frame >= (double)last) {
        *from = *to = last;
        *part = 0.0;
        return;
    }
    *from = (uint32_t)frame;
    *to = *from + 1;
    *part = frame - (double)*from;
}

const struct ossa__part *ossa__ei_part_of(const struct ossa__ei_clip *clip, uint32_t bone)
{
    const struct ossa__ei_figure *figure = clip->figure;
    uint32_t base = figure->bases[bone];
    if (base == bone) return clip->parts[bone];
    if (figure->assembly->scene->bones[bone].parent == (int32_t)base) return NULL;
    return clip->parts[bone] != NULL ? clip->parts[bone] : clip->parts[base];
}

bool ossa__ei_rotation_from(const float wxyz[4], struct ossa__quat *q)
{
    *q = (struct ossa__quat){(double)wxyz[1], (double)wxyz[2], (double)wxyz[3], (double)wxyz[0]};
    return ossa__quat_normalise(q);
}

static const ossa_ei_anm *anm_of(const struct ossa__ei_clip *clip, uint32_t bone)
{
    const struct ossa__part *part = ossa__ei_part_of(clip, bone);
    const ossa_ei_anm *anm = part == NULL ? NULL : part->contents;
    return anm == NULL || anm->rotation_count == 0 ? NULL : anm;
}

/* Report the first key that is not a rotation; always gives false. */
static bool refuse_rotation(const struct ossa__ei_clip *clip)
{
    for (uint32_t f = 0; f < clip->frame_count; f++) {
        for (uint32_t i = 0; i < clip->figure->bone_count; i++) {
            const ossa_ei_anm *anm = anm_of(clip, i);
            struct ossa__quat q;
            for (uint32_t key = f; anm != NULL && key <= f + 1; key++) {
                if (key >= anm->rotation_count || ossa__ei_rotation_from(anm->rotations[key], &q))
                    continue;
                return ossa__misfit(clip->figure->assembly, ossa__ei_part_of(clip, i),
                                    "rotations[%" PRIu32 "] is not a rotation: its length is 0 or "
                                    "not finite",
                                    key);
            }
        }
    }
    return false;
}

static bool rotation_at(const struct ossa__ei_clip *clip, uint32_t bone, double frame,
                        struct ossa__quat *q)
{
    *q = (struct ossa__quat){0.0, 0.0, 0.0, 1.0};
    const ossa_ei_anm *anm = anm_of(clip, bone);
    if (anm == NULL) return true;
    uint32_t from;
    uint32_t to;
    double between;
    ossa__ei_find_keys(frame, anm->rotation_count, &from, &to, &between);
    if (!ossa__ei_rotation_from(anm->rotations[from], q)) return refuse_rotation(clip);
    if (between == 0.0) return true;
    struct ossa__quat next;
    if (!ossa__ei_rotation_from(anm->rotations[to], &next)) return refuse_rotation(clip);
    *q = ossa__quat_slerp(*q, next, between);
    return true;
}

static void translation_at(const struct ossa__ei_clip *clip, uint32_t bone, double frame,
                           double t[3])
{
    const struct ossa__part *part = clip->parts[bone];
    const ossa_ei_anm *anm = part == NULL ? NULL : part->contents;
    t[0] = t[1] = t[2] = 0.0;
    if (anm == NULL || anm->translation_count == 0) return;
    uint32_t from;
    uint32_t to;
    double between;
    ossa__ei_find_keys(frame, anm->translation_count, &from, &to, &between);
    for (unsigned k = 0; k < 3; k++) {
        double a = (double)anm->translations[from][k];
        double b = (double)anm->translations[to][k];
        double value = between == 0.0 ? a : a + (b - a) * between;
        t[k] = value * clip->figure->assembly->options->scale * clip->figure->root_scale;
    }
}

/* From the root's bind position to where it is: players of the game's files differ. */
static void place_root(const struct ossa__ei_clip *clip, uint32_t bone, double frame,
                       double place[3])
{
    ossa_ei_root root = ossa__ei_options(clip->figure->assembly)->root;
    double t[3];
    if (root == OSSA_EI_ROOT_BIND) return;
    translation_at(clip, bone, frame, t);
    for (unsigned k = 0; k < 3; k++) place[k] = (root == OSSA_EI_ROOT_SUM ? place[k] : 0.0) + t[k];
}

/* The local rotation of a bone at a frame; those of the bones before are known. */
static bool rotate(struct ossa__ei_clip *clip, uint32_t bone, double frame, float rotation[4])
{
    int32_t parent = clip->figure->assembly->scene->bones[bone].parent;
    struct ossa__quat q;
    if (!rotation_at(clip, bone, frame, &q)) return false;
    struct ossa__quat local = q;
    clip->rotations[bone] = q;
    if (parent >= 0) {
        struct ossa__quat above = clip->rotations[parent];
        struct ossa__quat world = ossa__quat_multiply(q, above);
        /* A part that does not rotate is at rest to the last bit: rounding must not give it a
         * curve. */
        bool rotates = q.x != 0.0 || q.y != 0.0 || q.z != 0.0;
        if (rotates) local = ossa__quat_multiply(ossa__quat_conjugate(above), world);
        (void)ossa__quat_normalise(&world);
        (void)ossa__quat_normalise(&local);
        clip->rotations[bone] = world;
    }
    ossa__quat_store((struct ossa__quat){local.x, local.z, 0.0 - local.y, local.w}, rotation);
    return true;
}

static void translate(const struct ossa__ei_clip *clip, uint32_t bone, double frame,
                      float translation[3])
{
    double place[3];
    for (unsigned k = 0; k < 3; k++) place[k] = clip->figure->bind[bone][k];
    place_root(clip, bone, frame, place);
    ossa__ei_to_scene(place, translation);
}

static bool start(void *user, const struct ossa__first_pose *first)
{
    struct ossa__ei_clip *clip = user;
    ossa_transform *pose = first->locals;
    for (uint32_t i = 0; i < clip->figure->bone_count; i++) {
        if (!rotate(clip, i, 0.0, pose[i].rotation)) return false;
        if (clip->figure->assembly->scene->bones[i].parent < 0) {
            translate(clip, i, 0.0, pose[i].translation);
        }
    }
    return true;
}

static bool fill(void *user, const struct ossa__key_block *block)
{
    struct ossa__ei_clip *clip = user;
    float(*rotation)[4] = block->rotations;
    float(*translation)[3] = block->translations;
    for (uint32_t k = 0; k < block->count; k++) {
        double frame = (double)(block->first + k) / ossa__ei_resample(clip->figure->assembly);
        for (uint32_t i = 0; i < clip->figure->bone_count; i++) {
            float unused[4] = {0.0F};
            if (!clip->turns[i]) continue; /* Q is that of the first frame */
            if (!rotate(clip, i, frame, clip->rotates[i] ? *rotation++ : unused)) return false;
        }
        for (uint32_t i = 0; i < block->translation_count; i++) {
            translate(clip, block->translated[i], frame, *translation++);
        }
    }
    return true;
}

/* Are the items of an array, of so many bytes each, not all the same? Between equal ones rounding
 * may find others. */
static bool differ(const struct ossa__ei_clip *clip, const void *items, uint32_t count, size_t size)
{
    if (items == NULL || count < 2) return false;
    return ossa__ei_resample(clip->figure->assembly) > 1 ||
           memcmp(items, (const uint8_t *)items + size, (count - 1) * size) != 0;
}

/* What may change in the course of the clip. */
static void mark_changes(struct ossa__ei_clip *clip)
{
    const ossa_ei_root root = ossa__ei_options(clip->figure->assembly)->root;
    for (uint32_t i = 0; i < clip->figure->bone_count; i++) {
        int32_t parent = clip->figure->assembly->scene->bones[i].parent;
        const ossa_ei_anm *anm = anm_of(clip, i);
        const float *first = anm == NULL ? NULL : anm->rotations[0];
        bool is_turned =
            first != NULL && (first[1] != 0.0F || first[2] != 0.0F || first[3] != 0.0F);
        bool own = anm != NULL &&
                   differ(clip, anm->rotations, anm->rotation_count, sizeof *anm->rotations);
        bool above = parent >= 0 && clip->turns[parent];
        clip->turns[i] = own || above;
        clip->rotates[i] = own || (above && is_turned);
        const struct ossa__part *part = clip->parts[i];
        const ossa_ei_anm *moves = part == NULL || parent >= 0 ? NULL : part->contents;
        clip->translates[i] = moves != NULL && root != OSSA_EI_ROOT_BIND &&
                              differ(clip, moves->translations, moves->translation_count,
                                     sizeof *moves->translations);
    }
}

static bool morph(void *user, double frame, int32_t *keys)
{
    const struct ossa__ei_clip *clip = user;
    const ossa_scene *scene = clip->figure->assembly->scene;
    for (uint32_t i = 0; i < clip->morph_count; i++) {
        uint32_t mesh = clip->morph_meshes[i];
        const struct ossa__part *part = ossa__ei_part_of(clip, scene->meshes[mesh].bone);
        keys[i] = (int32_t)ossa__ei_note_shape(clip->figure, mesh, part->contents, frame) - 1;
    }
    return !clip->figure->assembly->context.failed;
}

/* ---- where keys are stored ----------------------------------------------------------------- */

/* Keys of a track: one per frame, of which the last one is held to the end of the clip. */
static void record_track(struct ossa__key_recorder *recorder, const struct ossa__part *part,
                         ossa_key_run run, uint32_t count)
{
    uint32_t frames = recorder->frame_count;
    if (count == 0) return;
    run.frame_count = count < frames ? count : frames;
    run.stride = run.layout->size;
    ossa__record_run(recorder, part, run);
    if (count >= frames) return;
    run.role = OSSA_KEY_ROLE_HELD;
    run.offset += (uint64_t)(count - 1) * run.layout->size;
    run.stride = 0;
    run.first_frame = count;
    run.frame_count = frames - count;
    ossa__record_run(recorder, part, run);
}

static void record_root(struct ossa__key_recorder *recorder, const struct ossa__ei_clip *clip,
                        uint32_t bone)
{
    const ossa_ei_root root = ossa__ei_options(clip->figure->assembly)->root;
    const struct ossa__part *part = clip->parts[bone];
    const ossa_ei_anm *anm = part == NULL ? NULL : part->contents;
    ossa_key_run run = {.bone = bone, .channel = OSSA_KEY_CHANNEL_TRANSLATION};
    if (root == OSSA_EI_ROOT_BIND) return;
    if (anm != NULL && anm->translation_count > 0) {
        run.layout = &ossa__ei_anm_translation;
        run.offset = ossa__ei_anm_translations_at(anm);
        record_track(recorder, part, run, anm->translation_count);
    } else if (root != OSSA_EI_ROOT_SUM) { /* nothing replaces the bind position: it is at 0 */
        run.role = OSSA_KEY_ROLE_OMITTED;
        run.frame_count = recorder->frame_count;
        ossa__record_run(recorder, NULL, run);
    }
}

static void record_keys(void *user, struct ossa__key_recorder *recorder)
{
    const struct ossa__ei_clip *clip = user;
    for (uint32_t i = 0; i < clip->figure->bone_count; i++) {
        const ossa_ei_anm *anm = anm_of(clip, i);
        const ossa_key_run run = {.bone = i,
                                  .channel = OSSA_KEY_CHANNEL_ROTATION,
                                  .offset = ossa__ei_anm_rotations_at(),
                                  .layout = &ossa__ei_anm_rotation};
        if (anm != NULL) {
            record_track(recorder, ossa__ei_part_of(clip, i), run, anm->rotation_count);
        }
        if (clip->figure->assembly->scene->bones[i].parent < 0) record_root(recorder, clip, i);
    }
}

/* ---- parts of a clip ----------------------------------------------------------------------- */

static uint32_t frames_of(const ossa_ei_anm *anm)
{
    return anm->rotation_count > anm->translation_count ? anm->rotation_count
                                                        : anm->translation_count;
}

uint32_t ossa__ei_mesh_morphed(const struct ossa__ei_figure *figure, uint32_t bone,
                               const ossa_ei_anm *anm)
{
    if (figure->mesh_of == NULL || anm->morph_frame_count == 0) return 0;
    if (ossa__ei_options(figure->assembly)->morphing == OSSA_EI_MORPHING_NONE) return 0;
    uint32_t mesh = figure->mesh_of[bone];
    return mesh != 0 && ossa__ei_shapes_fit(&figure->shapes[mesh - 1], anm) ? mesh : 0;
}

/* How long a part of the clip moves. */
static uint32_t frames_in(const struct ossa__ei_clip *clip, uint32_t bone)
{
    const ossa_ei_anm *anm = clip->parts[bone]->contents;
    uint32_t frames = frames_of(anm);
    if (anm->morph_frame_count <= frames) return frames;
    return ossa__ei_mesh_morphed(clip->figure, bone, anm) != 0 ? anm->morph_frame_count : frames;
}

/* Which bone a file animates; -1: it is of a variant that is not shown. -2 after a failure. An
 * animation of a slot is that of the tree's part in it, unless that has its own. */
static int64_t bone_of(struct ossa__ei_clip *clip, const struct ossa__part *part)
{
    int64_t bone = ossa__ei_find_bone(clip->figure, part->stem);
    const struct ossa__part *tree = clip->figure->tree;
    if (bone >= 0) return bone;
    if (part->stem[ossa__ei_slot_size(part->stem)] != '\0') return -1;
    bone = ossa__ei_find_slot(clip->figure, part->stem);
    if (bone >= 0) return clip->parts[bone] == NULL ? bone : -1;
    /* Never without a tree: then every part has a bone. */
    (void)ossa__misfit(clip->figure->assembly, part,
                       "the clip '%s' animates the part '%s', which is not in %s", part->folder,
                       part->stem, tree == NULL ? "" : tree->shown);
    return -2;
}

static bool add_part(struct ossa__ei_clip *clip, const struct ossa__part *part)
{
    int64_t bone = bone_of(clip, part);
    if (bone < 0) return bone == -1;
    if (clip->parts[bone] != NULL) {
        return ossa__misfit(clip->figure->assembly, part, "the part '%s' is also animated by %s",
                            part->stem, clip->parts[bone]->shown);
    }
    clip->parts[bone] = part;
    uint32_t frames = frames_in(clip, (uint32_t)bone);
    if (frames > clip->frame_count) clip->frame_count = frames;
    return true;
}

/* The files of a clip: those of bones first, then those of slots. */
static bool add_parts(struct ossa__ei_clip *clip, const uint32_t *members, uint32_t count)
{
    const struct ossa__part *parts = clip->figure->assembly->parts;
    for (unsigned round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < count; i++) {
            const struct ossa__part *part = &parts[members[i]];
            bool is_named = ossa__ei_find_bone(clip->figure, part->stem) >= 0;
            if (is_named != (round == 0) || add_part(clip, part)) continue;
            ossa__leave_out(clip->figure->assembly, "the track");
            if (clip->figure->assembly->context.failed) return false;
        }
    }
    return true;
}

static void warn_of_parts(const struct ossa__ei_clip *clip)
{
    uint32_t resting = 0;
    uint32_t shorter = 0;
    const char *names[2] = {"", ""};
    for (uint32_t i = 0; i < clip->figure->bone_count; i++) {
        const struct ossa__part *part = clip->parts[i];
        const char *name = clip->figure->assembly->scene->bones[i].name;
        bool is_resting = part == NULL && clip->figure->bases[i] == i;
        if (is_resting && resting++ == 0) names[0] = name;
        if (part != NULL && frames_in(clip, i) < clip->frame_count && shorter++ == 0) {
            names[1] = name;
        }
    }
    const char *folder = clip->first->folder;
    if (resting > 0) {
        ossa__assembly_warn(clip->figure->assembly, clip->first, OSSA_CODE_MISSING_PART,
                            "parts of the clip '%s' without an animation, which stay at rest: "
                            "%" PRIu32 ", the first is '%s'",
                            folder, resting, names[0]);
    }
    if (shorter > 0) {
        ossa__assembly_warn(clip->figure->assembly, clip->first, OSSA_CODE_UNEQUAL_TRACKS,
                            "parts of the clip '%s' with fewer than %" PRIu32
                            " frames, which hold their last frame: %" PRIu32 ", the first is '%s'",
                            folder, clip->frame_count, shorter, names[1]);
    }
}

/* Which meshes the clip's morph frames change, and a warning about those that they cannot. Without
 * a mesh among the inputs there is nothing to report. */
static void list_morphs(struct ossa__ei_clip *clip)
{
    const struct ossa__ei_figure *figure = clip->figure;
    const ossa_scene *scene = figure->assembly->scene;
    uint32_t bare = 0;
    uint32_t unfit = 0;
    const char *names[2] = {"", ""};
    clip->morph_count = 0;
    if (!figure->has_figs || ossa__ei_options(figure->assembly)->morphing == OSSA_EI_MORPHING_NONE)
        return;
    for (uint32_t b = 0; b < figure->bone_count; b++) {
        const struct ossa__part *part = ossa__ei_part_of(clip, b);
        const ossa_ei_anm *anm = part == NULL ? NULL : part->contents;
        if (anm == NULL || anm->morph_frame_count == 0) continue;
        uint32_t mesh = ossa__ei_mesh_morphed(figure, b, anm);
        bool is_meant = clip->parts[b] != NULL && figure->is_shown[b];
        if (mesh != 0) clip->morph_meshes[clip->morph_count++] = mesh - 1;
        else if (!is_meant) continue; /* those of the slot need not fit a variant */
        else if (figure->mesh_of[b] != 0 && unfit++ == 0) names[1] = scene->bones[b].name;
        else if (figure->mesh_of[b] == 0 && bare++ == 0) names[0] = scene->bones[b].name;
    }
    if (bare > 0) {
        ossa__assembly_warn(figure->assembly, clip->first, OSSA_CODE_MISSING_PART,
                            "parts of the clip '%s' with morph frames but without a mesh (FIG): "
                            "%" PRIu32 ", the first is '%s'",
                            clip->first->folder, bare, names[0]);
    }
    if (unfit > 0) {
        ossa__assembly_warn(figure->assembly, clip->first, OSSA_CODE_MISFIT,
                            "parts of the clip '%s' whose morph frames lack offsets that their "
                            "mesh (FIG) uses, which keep their shape: %" PRIu32
                            ", the first is '%s'",
                            clip->first->folder, unfit, names[1]);
    }
}

/* ---- folders ------------------------------------------------------------------------------- */

static bool is_anm(const struct ossa__part *part)
{
    return strcmp(part->format, "ei-anm") == 0;
}

/* The order of the folders of parts; both separators are equal. */
static int compare_folders(const struct ossa__part *a, const struct ossa__part *b)
{
    size_t size = a->folder_size < b->folder_size ? a->folder_size : b->folder_size;
    for (size_t i = 0; i < size; i++) {
        char x = a->input->path[i] == '\\' ? '/' : a->input->path[i];
        char y = b->input->path[i] == '\\' ? '/' : b->input->path[i];
        if (x != y) return x < y ? -1 : 1;
    }
    return (a->folder_size > b->folder_size) - (a->folder_size < b->folder_size);
}

static bool folder_before(const void *a, const void *b, void *user)
{
    const struct ossa__part *parts = user;
    return compare_folders(&parts[*(const uint32_t *)a], &parts[*(const uint32_t *)b]) < 0;
}

/* The animations of one folder: a run of the sorted ones. */
struct group {
    const uint32_t *members; /* parts, in the order of the inputs */
    uint32_t count;
};

static bool group_before(const void *a, const void *b, void *user)
{
    (void)user;
    return ((const struct group *)a)->members[0] < ((const struct group *)b)->members[0];
}

/* The clips' parts, by folder, in the order in which the folders first appear. */
static struct group *group_parts(struct ossa__assembly *assembly, uint32_t *count)
{
    struct ossa__context *context = &assembly->context;
    struct ossa__part *parts = assembly->parts;
    uint32_t *order = ossa__take(context, assembly->part_count, sizeof *order);
    struct group *groups = ossa__take(context, assembly->part_count, sizeof *groups);
    if (groups == NULL) return NULL;
    uint32_t used = 0;
    for (uint32_t i = 0; i < assembly->part_count; i++) {
        if (is_anm(&parts[i])) order[used++] = i;
    }
    if (!ossa__sort(context, order, used, sizeof *order, folder_before, parts)) return NULL;
    *count = 0;
    for (uint32_t i = 0; i < used; i++) {
        bool is_new = i == 0 || compare_folders(&parts[order[i - 1]], &parts[order[i]]) != 0;
        if (is_new) groups[(*count)++] = (struct group){.members = &order[i]};
        groups[*count - 1].count++;
    }
    bool sorted = ossa__sort(context, groups, *count, sizeof *groups, group_before, NULL);
    return sorted ? groups : NULL;
}

/* ---- clips --------------------------------------------------------------------------------- */

/* Whether a clip repeats: what its record says, or else its name. The game's own begin with a c if
 * they do, and with a u if they are played once. */
static bool is_loop(const ossa_ei_adb_record *record, const char *name)
{
    if (record != NULL) return ossa_ei_adb_stage(record) == OSSA_EI_STAGE_CYCLE;
    return name[0] == 'c' || name[0] == 'C';
}

/* One clip of parts that are all known. */
/* The speed of a record is in metres per second at 15 keys per second; figures look along +Z. */
static double travel_speed(const ossa_ei_adb_record *record, double fps)
{
    return record == NULL ? 0.0 : (double)record->speed * fps / 15.0;
}

static void add_clip(struct ossa__ei_clip *clip, struct ossa__part *first, double fps)
{
    struct ossa__ei_records *records = clip->records;
    struct ossa__assembly *assembly = clip->figure->assembly;
    const ossa_ei_adb_record *record = ossa__ei_find_record(records, first->folder);
    uint32_t extra_count = 0;
    const ossa_extra *extras = NULL;
    ossa_event events[OSSA__EI_EVENTS];
    uint32_t event_count = 0;
    if (record != NULL) {
        extras = ossa__ei_record_extras(assembly, records, record, &extra_count);
        event_count = ossa__ei_record_events(record, events);
    }
    first->is_folder = true;
    mark_changes(clip);
    ossa__add_clip(assembly,
                   &(struct ossa__clip_plan){.name = first->folder,
                                             .part = first,
                                             .fps = fps,
                                             .loop = is_loop(record, first->folder),
                                             .frame_count = clip->frame_count,
                                             .keys_per_frame = ossa__ei_resample(assembly),
                                             .start = start,
                                             .rotates = clip->rotates,
                                             .translates = clip->translates,
                                             .fill = fill,
                                             .morph_count = clip->morph_count,
                                             .morph_meshes = clip->morph_meshes,
                                             .morph = morph,
                                             .user = clip,
                                             .extra_count = extra_count,
                                             .extras = extras,
                                             .event_count = event_count,
                                             .events = events,
                                             .travel = {0.0, 0.0, travel_speed(record, fps)},
                                             .apply = OSSA__IMPORTED_BY(ossa__ei_apply),
                                             .record = record_keys});
}

void ossa__ei_add_clips(struct ossa__ei_figure *figure)
{
    struct ossa__assembly *assembly = figure->assembly;
    struct ossa__context *context = &assembly->context;
    struct ossa__ei_records records;
    struct ossa__ei_clip clip = {.figure = figure, .records = &records};
    uint32_t count;
    struct group *groups = group_parts(assembly, &count);
    clip.parts = ossa__take(context, figure->bone_count, sizeof *clip.parts);
    clip.rotations = ossa__take(context, figure->bone_count, sizeof *clip.rotations);
    clip.turns = ossa__take(context, figure->bone_count, 1);
    clip.rotates = ossa__take(context, figure->bone_count, 1);
    clip.translates = ossa__take(context, figure->bone_count, 1);
    clip.morph_meshes = ossa__take(context, figure->bone_count, sizeof *clip.morph_meshes);
    if (groups == NULL || !ossa__take_clips(assembly, count)) return;
    if (!ossa__ei_records_start(figure, &records)) return;
    double fps = assembly->options->fps > 0.0 ? assembly->options->fps : OSSA_EI_FPS;
    figure->root_scale = ossa__ei_root_scale(assembly, records.adb);
    for (uint32_t g = 0; g < count && !context->failed; g++) {
        clip.first = &assembly->parts[groups[g].members[0]];
        clip.members = groups[g].members;
        clip.member_count = groups[g].count;
        clip.frame_count = 0;
        if (!ossa__begin_clip(assembly, clip.first->folder)) {
            (void)ossa__ei_find_record(&records, clip.first->folder); /* it has its clip */
            continue;
        }
        memset(clip.parts, 0, figure->bone_count * sizeof *clip.parts);
        if (!add_parts(&clip, groups[g].members, groups[g].count)) return;
        warn_of_parts(&clip);
        list_morphs(&clip);
        add_clip(&clip, &assembly->parts[groups[g].members[0]], fps);
        ossa__leave_out(assembly, "the clip");
    }
    if (context->failed) return;
    ossa__ei_records_finish(figure, &records);
    ossa__ei_add_targets(figure);
}
