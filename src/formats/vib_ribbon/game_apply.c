/* SPDX-License-Identifier: MIT
 *
 * Vib-Ribbon: an edit of a clip back into its animation.
 *
 * Numbers are whole: a component of a key is kept if the edit is within its rounding, and otherwise
 * gets the nearest numbers and its flag. What a key leaves out is left out as long as it means the
 * same, also where keys hold the values of those before. An object has a key in a frame if it is
 * visible there; new keys are in the order of the objects, or at the end if the frame has no order.
 *
 * An offset of a frame is at most 131070. A new clip that is longer becomes a series of files. */
#include "formats/vib_ribbon/game.h"

#include "base/angles.h"
#include "base/fold.h"
#include "formats/vib_ribbon/vib_header.h"
#include "scene/edit.h"

#include <inttypes.h>
#include <string.h>

enum {
    OBJECTS = 256, /* an object is a byte */
    MOST_BYTES = 2 * UINT16_MAX,
};

static const uint8_t components[3] = {OSSA_VIB_KEY_ROTATION, OSSA_VIB_KEY_SCALE,
                                      OSSA_VIB_KEY_POSITION};

/* A file being made of a range of frames. */
struct piece {
    uint32_t first_frame;
    uint32_t first_key;
    uint64_t size;
};

struct job {
    struct ossa__edit *edit;
    const struct ossa__part *part;
    const ossa_vib_anm *anm;
    ossa_vib_missing missing;
    struct ossa__angle_order order;
    uint32_t object_count;
    struct ossa__vib_state original[OBJECTS]; /* in the frame at hand, as the file has it */
    struct ossa__vib_state written[OBJECTS];  /* the same as it is written */
    uint8_t has_key[OBJECTS];                 /* was written so far */
    bool is_changed;
    ossa_vib_frame *frames;
    ossa_vib_key *keys;
    uint32_t key_count;
    struct piece *pieces;
    uint32_t piece_count;
};

/* ---- numbers ------------------------------------------------------------------------------- */

static double nearest(double value)
{
    return floor(value + 0.5);
}

/* The whole numbers of an angle near another, in the range that is stored. */
static int16_t store_angle(double radians)
{
    double number = nearest(radians / OSSA__VIB_TURN);
    while (number > INT16_MAX) number -= 4096.0;
    while (number < INT16_MIN) number += 4096.0;
    return (int16_t)number;
}

static void find_rotation(const struct job *job, struct ossa__quat rotation, const int16_t near[3],
                          int16_t found[3])
{
    const struct ossa__quat stored = {rotation.x, -rotation.y, -rotation.z, rotation.w};
    double from[3];
    double angles[3];
    for (unsigned k = 0; k < 3; k++) from[k] = near[k] * OSSA__VIB_TURN;
    ossa__angles_near(stored, job->order, from, angles);
    for (unsigned k = 0; k < 3; k++) found[k] = store_angle(angles[k]);
}

/* A number that may not fit. */
static int16_t store_number(double value)
{
    return (int16_t)fmax(fmin(nearest(value), INT16_MAX), INT16_MIN);
}

/* The three numbers of a position before they are rounded. */
static void find_position(const struct job *job, const struct ossa__edit_pose *pose,
                          double numbers[3])
{
    double unit = OSSA__VIB_UNIT * job->edit->assembly->options->scale;
    numbers[0] = pose->translation[0] / unit;
    numbers[1] = -pose->translation[1] / unit;
    numbers[2] = -pose->translation[2] / unit;
}

/* Two axes mirrored are half a rotation about the third one: of the four ways to say the same, the
 * one whose signs are those of the file. */
static void mirror_like(const int16_t original[3], struct ossa__quat *rotation, double scale[3])
{
    unsigned wrong[3];
    unsigned count = 0;
    for (unsigned k = 0; k < 3; k++) {
        if ((scale[k] < 0.0) != (original[k] < 0)) wrong[count++] = k;
    }
    if (count < 2) return;
    unsigned third = 3 - wrong[0] - wrong[1];
    const struct ossa__quat half = {third == 0 ? 1.0 : 0.0, third == 1 ? 1.0 : 0.0,
                                    third == 2 ? 1.0 : 0.0, 0.0};
    *rotation = ossa__quat_multiply(*rotation, half);
    scale[wrong[0]] = -scale[wrong[0]];
    scale[wrong[1]] = -scale[wrong[1]];
}

/* The state that an edit wants, `kept` where it is the same; new angles are near those that were
 * written before. */
static struct ossa__vib_state find_state(const struct job *job, uint32_t object, uint32_t frame,
                                         const struct ossa__vib_state *kept)
{
    const struct ossa__assembly *assembly = job->edit->assembly;
    const struct ossa__edit_pose *pose = ossa__edit_at(job->edit, frame, object);
    struct ossa__vib_state state = *kept;
    struct ossa__quat rotation = pose->local;
    double scale[3] = {pose->scale[0], pose->scale[1], pose->scale[2]};
    double position[3];
    mirror_like(kept->scale, &rotation, scale);
    find_position(job, pose, position);
    for (unsigned k = 0; k < 3; k++) {
        state.scale[k] = store_number(scale[k] * 4096.0);
        state.position[k] = store_number(position[k]);
    }
    if (ossa__same_rotation(ossa__vib_rotation(assembly, kept->rotation), rotation)) return state;
    find_rotation(job, rotation, kept->rotation, state.rotation);
    bool is_kept = memcmp(state.rotation, kept->rotation, sizeof state.rotation) == 0;
    if (!is_kept && job->has_key[object]) {
        find_rotation(job, rotation, job->written[object].rotation, state.rotation);
    }
    return state;
}

/* ---- keys ---------------------------------------------------------------------------------- */

static const int16_t *member_of(const struct ossa__vib_state *state, unsigned component)
{
    return component == 0 ? state->rotation : component == 1 ? state->scale : state->position;
}

/* The key of an object in a frame, which has one in the file unless `old` is NULL. */
static void write_key(struct job *job, uint32_t object, uint32_t frame, const ossa_vib_key *old)
{
    const struct ossa__vib_state given =
        job->missing == OSSA_VIB_MISSING_HOLD ? job->written[object] : ossa__vib_at_rest;
    const struct ossa__vib_state state =
        find_state(job, object, frame, old != NULL ? &job->original[object] : &given);
    ossa_vib_key key = {.object = (uint8_t)object};
    if (old != NULL) key = *old;
    int16_t *const members[3] = {key.rotation, key.scale, key.position};
    for (unsigned i = 0; i < 3; i++) {
        const int16_t *wanted = member_of(&state, i);
        bool is_given = memcmp(wanted, member_of(&given, i), sizeof key.rotation) == 0;
        if ((key.flags & components[i]) == 0 && is_given) continue;
        key.flags = (uint8_t)(key.flags | components[i]);
        memcpy(members[i], wanted, sizeof key.rotation);
    }
    job->is_changed = job->is_changed || old == NULL || memcmp(&key, old, sizeof key) != 0;
    job->written[object] = state;
    job->has_key[object] = 1;
    job->keys[job->key_count++] = key;
}

/* The keys of a frame; those beyond the end of the file are like its last one. */
static void write_frame(struct job *job, uint32_t frame)
{
    const ossa_vib_anm *anm = job->anm;
    uint32_t last = anm->frame_count - 1U;
    const ossa_vib_frame *from = &anm->frames[frame < last ? frame : last];
    const ossa_vib_key *old[OBJECTS] = {NULL};
    bool is_ordered = true;
    for (uint32_t i = 0; i < from->key_count; i++) {
        const ossa_vib_key *key = &anm->keys[from->first_key + i];
        is_ordered = is_ordered && (i == 0 || key[-1].object < key->object);
        old[key->object] = key;
    }
    uint32_t first = job->key_count;
    for (uint32_t i = 0; i < from->key_count && !is_ordered; i++) {
        const ossa_vib_key *key = &anm->keys[from->first_key + i];
        if (old[key->object] != key || !ossa__edit_at(job->edit, frame, key->object)->is_visible) {
            continue;
        }
        write_key(job, key->object, frame, key);
    }
    for (uint32_t object = 0; object < job->object_count; object++) {
        if (!ossa__edit_at(job->edit, frame, object)->is_visible) {
            job->is_changed = job->is_changed || old[object] != NULL;
        } else if (is_ordered || old[object] == NULL) {
            write_key(job, object, frame, old[object]);
        }
    }
    job->frames[frame] = (ossa_vib_frame){first, job->key_count - first};
}

/* What the file has of a frame. */
static void play_frame(struct job *job, uint32_t frame)
{
    const ossa_vib_anm *anm = job->anm;
    if (frame >= anm->frame_count) return;
    for (uint32_t i = 0; i < anm->frames[frame].key_count; i++) {
        const ossa_vib_key *key = &anm->keys[anm->frames[frame].first_key + i];
        ossa__vib_apply_key(&job->original[key->object], key, job->missing);
    }
}

static uint64_t size_of_frame(const struct job *job, uint32_t frame)
{
    uint64_t size = 2; /* its offset */
    for (uint32_t i = 0; i < job->frames[frame].key_count; i++) {
        size += ossa__vib_key_size(job->keys[job->frames[frame].first_key + i].flags);
    }
    return size;
}

/* A file that begins at a frame, where no object has had a key. */
static void begin_piece(struct job *job, uint32_t frame)
{
    job->pieces[job->piece_count++] =
        (struct piece){frame, job->key_count, OSSA__VIB_HEADER_SIZE + 2};
    for (unsigned i = 0; i < OBJECTS; i++) job->written[i] = ossa__vib_at_rest;
    memset(job->has_key, 0, sizeof job->has_key);
}

static void write_frames(struct job *job)
{
    for (unsigned i = 0; i < OBJECTS; i++) job->original[i] = ossa__vib_at_rest;
    begin_piece(job, 0);
    for (uint32_t f = 0; f < job->edit->frame_count; f++) {
        play_frame(job, f);
        write_frame(job, f);
        struct piece *piece = &job->pieces[job->piece_count - 1];
        if (job->edit->is_new && piece->size + size_of_frame(job, f) > MOST_BYTES) {
            job->key_count = job->frames[f].first_key;
            begin_piece(job, f);
            write_frame(job, f);
            piece = &job->pieces[job->piece_count - 1];
        }
        piece->size += size_of_frame(job, f);
    }
}

/* ---- files --------------------------------------------------------------------------------- */

/* Report what cannot be stored of a pose that is seen. */
static void report_losses(const struct job *job, uint32_t bone, uint32_t frame)
{
    const struct ossa__edit_pose *pose = ossa__edit_at(job->edit, frame, bone);
    double excess = 0.0; /* of the number that is farthest out of range */
    double numbers[6];
    find_position(job, pose, numbers);
    for (unsigned k = 0; k < 3; k++) numbers[3 + k] = pose->scale[k] * 4096.0;
    for (unsigned k = 0; k < 6; k++) {
        excess = fmax(excess, nearest(numbers[k]) - INT16_MAX);
        excess = fmax(excess, INT16_MIN - nearest(numbers[k]));
    }
    if (bone >= OBJECTS) ossa__edit_lose(job->edit, OSSA__LOSS_VISIBILITY, bone, frame, 1.0);
    else if (excess > 0.0) ossa__edit_lose(job->edit, OSSA__LOSS_RANGE, bone, frame, excess);
}

/* Room for the keys that the edit needs; false after a failure. */
static bool take_room(struct job *job)
{
    const struct ossa__edit *edit = job->edit;
    struct ossa__context *context = &edit->assembly->context;
    uint64_t keys = 0;
    for (uint32_t b = 0; b < edit->assembly->scene->bone_count; b++) {
        for (uint32_t f = 0; f < edit->frame_count; f++) {
            if (!ossa__edit_at(edit, f, b)->is_visible) continue;
            report_losses(job, b, f);
            keys += b < OBJECTS ? 1 : 0;
        }
    }
    /* A frame is small: every piece but the last has more than half of what fits. */
    uint64_t pieces = 2 + 2 * (2 * (uint64_t)edit->frame_count + 20 * keys) / MOST_BYTES;
    job->frames = ossa__take_scratch(context, edit->frame_count, sizeof *job->frames);
    job->keys = ossa__take_scratch(context, keys, sizeof *job->keys);
    job->pieces = ossa__take_scratch(context, pieces, sizeof *job->pieces);
    return !context->failed;
}

static void fill_file(const struct job *job, uint32_t piece, ossa_vib_anm *anm)
{
    struct ossa__context *context = &job->edit->assembly->context;
    bool is_last = piece + 1 == job->piece_count;
    const struct piece *from = &job->pieces[piece];
    uint32_t frame_end = is_last ? job->edit->frame_count : from[1].first_frame;
    uint32_t key_end = is_last ? job->key_count : from[1].first_key;
    uint32_t frame_count = frame_end - from->first_frame;
    uint32_t key_count = key_end - from->first_key;
    ossa_vib_frame *frames = ossa__take(context, frame_count, sizeof *frames);
    ossa_vib_key *keys = ossa__take(context, key_count, sizeof *keys);
    if (keys == NULL) return;
    memcpy(keys, job->keys + from->first_key, key_count * sizeof *keys);
    memcpy(frames, job->frames + from->first_frame, frame_count * sizeof *frames);
    for (uint32_t f = 0; f < frame_count; f++) frames[f].first_key -= from->first_key;
    anm->frame_count = (uint16_t)frame_count;
    anm->frames = frames;
    anm->key_count = key_count;
    anm->keys = keys;
}

/* "walk0" for the first piece of "walk"; a name that ends in a digit gets an underscore, so that
 * the series is told from others. NULL after a failure. */
static const char *name_piece(const struct job *job, uint32_t piece)
{
    const char *name = job->edit->name;
    size_t size = strlen(name);
    char *stem = ossa__take(&job->edit->assembly->context, size + 2, 1);
    if (stem == NULL) return NULL;
    bool has_digit = size > 0 && name[size - 1] >= '0' && name[size - 1] <= '9';
    memcpy(stem, name, size);
    memcpy(stem + size, has_digit ? "_" : "", 2 - (has_digit ? 0 : 1));
    return ossa__numbered_name(job->edit->assembly, stem, piece);
}

static bool is_new_name(const struct job *job, const char *name)
{
    struct ossa__assembly *assembly = job->edit->assembly;
    for (size_t i = 0; i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (strcmp(part->format, job->part->format) != 0) continue;
        if (ossa__compare_names(part->stem, name) != 0) continue;
        return ossa__misfit(assembly, part,
                            "the new clip '%s' would have the name of this animation; give it "
                            "another one",
                            name);
    }
    return true;
}

static void write_series(struct job *job)
{
    for (uint32_t i = 0; i < job->piece_count; i++) {
        const char *name = name_piece(job, i);
        if (name == NULL || !is_new_name(job, name)) return;
        ossa_vib_anm *anm = ossa__edit_series(job->edit, job->part, name, sizeof *anm);
        if (anm == NULL) return;
        fill_file(job, i, anm);
    }
    ossa__assembly_warn(job->edit->assembly, job->part, OSSA_CODE_UNUSUAL_VALUE,
                        "the new clip '%s' does not fit in a file and becomes %" PRIu32
                        " files, which follow each other",
                        job->edit->name, job->piece_count);
}

static void write_file(struct job *job)
{
    struct ossa__edit *edit = job->edit;
    uint64_t size = job->pieces[0].size;
    if (size > MOST_BYTES) {
        (void)ossa__misfit(
            edit->assembly, job->part,
            "the edit of '%s' needs %" PRIu64 " bytes for %" PRIu32
            " frames, but a file holds at most %d: shorten it, hide objects, or make a "
            "new clip of it, which may have several files",
            edit->name, size, edit->frame_count, MOST_BYTES);
        return;
    }
    if (edit->is_new && !is_new_name(job, edit->name)) return;
    ossa_vib_anm *anm = ossa__edit_contents(edit, job->part, sizeof *anm);
    if (anm != NULL) fill_file(job, 0, anm);
}

void ossa__vib_apply(void *user, struct ossa__edit *edit)
{
    (void)user; /* it is about the last frame that was played */
    struct ossa__context *context = &edit->assembly->context;
    const ossa_vib_options *options = ossa__vib_options(edit->assembly);
    uint32_t bones = edit->assembly->scene->bone_count;
    struct ossa__mark mark = ossa__scratch_mark(context);
    struct job *job = ossa__take_scratch(context, 1, sizeof *job);
    if (job == NULL) return;
    *job = (struct job){.edit = edit,
                        .part = edit->plan->part,
                        .anm = edit->plan->part->contents,
                        .missing = options->missing,
                        .order = {0, 1, 2},
                        .object_count = bones < OBJECTS ? bones : OBJECTS};
    if (options->euler == OSSA_VIB_EULER_ZYX) job->order = (struct ossa__angle_order){2, 1, 0};
    if (!take_room(job)) return;
    write_frames(job);
    bool is_same = !job->is_changed && edit->frame_count == job->anm->frame_count;
    if (edit->is_new || !is_same) {
        if (job->piece_count > 1) write_series(job);
        else write_file(job);
    }
    ossa__scratch_release(context, mark);
}
