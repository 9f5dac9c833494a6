/* SPDX-License-Identifier: MIT
 *
 * Clips end to end as one: a long Vib-Ribbon sequence is stored over several numbered files, and
 * animations of one colossus follow each other. Clips whose names differ only in the number at
 * their end are a series and are joined in the order of the numbers; where there is no series, all
 * clips are joined in the order of the inputs. */
#include "scene/key_runs.h"

#include "codec/sort.h"
#include "ossa/sample.h"

#include <string.h>

/* A name taken apart: "walk12". */
struct numbered {
    const char *name;
    size_t stem_size;
    bool has_number;
    uint64_t number;
    uint32_t clip;
};

static struct numbered take_apart(const char *name, uint32_t clip)
{
    size_t size = strlen(name);
    struct numbered n = {.name = name, .stem_size = size, .clip = clip};
    while (n.stem_size > 0 && name[n.stem_size - 1] >= '0' && name[n.stem_size - 1] <= '9') {
        n.stem_size--;
    }
    n.has_number = n.stem_size < size;
    for (size_t i = n.stem_size; i < size; i++) {
        uint64_t digit = (uint64_t)(name[i] - '0');
        n.number = n.number > UINT64_MAX / 10 - 1 ? UINT64_MAX : n.number * 10 + digit;
    }
    return n;
}

static int compare_stems(const struct numbered *a, const struct numbered *b)
{
    size_t size = a->stem_size < b->stem_size ? a->stem_size : b->stem_size;
    int difference = memcmp(a->name, b->name, size);
    if (difference != 0) return difference;
    return (a->stem_size > b->stem_size) - (a->stem_size < b->stem_size);
}

static bool numbered_before(const void *a, const void *b, void *user)
{
    (void)user;
    const struct numbered *x = a;
    const struct numbered *y = b;
    int difference = compare_stems(x, y);
    return difference != 0 ? difference < 0 : x->number < y->number;
}

/* The clips of one joined one, in their order. */
struct chain {
    const ossa_scene *scene; /* with the clips as they were */
    const struct numbered *members;
    uint32_t count;
    uint32_t *meshes; /* that change their shape in any, rising */
    uint32_t mesh_count;
    uint32_t member; /* the one whose frame is next: frames are asked for in their order */
    uint32_t frame;
};

static const ossa_clip *member_clip(const struct chain *chain, uint32_t member)
{
    return &chain->scene->clips[chain->members[member].clip];
}

/* The clip whose frame is next, and how many of up to `most` frames are of it. */
static const ossa_clip *next_clip(struct chain *chain, uint32_t most, uint32_t *frame,
                                  uint32_t *count)
{
    while (chain->frame == member_clip(chain, chain->member)->frame_count) {
        chain->member++;
        chain->frame = 0;
    }
    const ossa_clip *clip = member_clip(chain, chain->member);
    uint32_t left = clip->frame_count - chain->frame;
    *frame = chain->frame;
    *count = left < most ? left : most;
    chain->frame += *count;
    return clip;
}

static bool start_chain(void *user, const struct ossa__first_pose *first)
{
    struct chain *chain = user;
    chain->member = chain->frame = 0;
    ossa_sample_frame(chain->scene, member_clip(chain, 0), 0, first->locals, first->visible);
    return true;
}

/* Tracks of a clip, or of the clip that it becomes a part of. */
struct columns {
    uint32_t count;
    const uint32_t *bones;
    size_t width; /* of a key, in bytes */
};

/* Keys of frames of a clip into those of a joined one. The bones that the clip has no track for
 * are as in `constant`, the value of bone 0, of which that of the next bone is `stride` away. */
static void copy_keys(struct columns from, const void *from_keys, struct columns to, void *to_keys,
                      const void *constant, size_t stride, uint32_t frames)
{
    const size_t width = to.width;
    if (to.count == 0) return;
    if (from.count == to.count) { /* of the same bones: `to` has all that `from` has */
        memcpy(to_keys, from_keys, (size_t)frames * to.count * width);
        return;
    }
    const uint8_t *source = from_keys;
    uint8_t *target = to_keys;
    for (uint32_t f = 0; f < frames; f++) {
        for (uint32_t i = 0, t = 0; i < to.count; i++) {
            bool has = t < from.count && from.bones[t] == to.bones[i];
            const uint8_t *key = (const uint8_t *)constant + to.bones[i] * stride;
            if (has) {
                key = source;
                source += width;
                t++;
            }
            memcpy(target, key, width);
            target += width;
        }
    }
}

static void copy_tracks(const ossa_tracks *tracks, uint32_t frame, struct columns to, float *keys,
                        const float *constant, uint32_t frames)
{
    size_t floats = to.width / sizeof *keys;
    copy_keys((struct columns){tracks->count, tracks->bones, to.width},
              tracks->count == 0 ? NULL : tracks->keys + (size_t)frame * tracks->count * floats, to,
              keys, constant, sizeof(ossa_transform), frames);
}

static bool fill_chain(void *user, const struct ossa__key_block *block)
{
    struct chain *chain = user;
    const struct columns rotations = {block->rotation_count, block->rotated, 4 * sizeof(float)};
    const struct columns translations = {block->translation_count, block->translated,
                                         3 * sizeof(float)};
    const struct columns scales = {block->scale_count, block->scaled, 3 * sizeof(float)};
    const struct columns flags = {block->visibility_count, block->hidden, 1};
    for (uint32_t done = 0; done < block->count;) {
        uint32_t frame;
        uint32_t count;
        const ossa_clip *clip = next_clip(chain, block->count - done, &frame, &count);
        const ossa_transform *constant = clip->constant;
        copy_tracks(&clip->rotations, frame, rotations,
                    block->rotations[(size_t)done * rotations.count], constant->rotation, count);
        copy_tracks(&clip->translations, frame, translations,
                    block->translations[(size_t)done * translations.count], constant->translation,
                    count);
        copy_tracks(&clip->scales, frame, scales, block->scales[(size_t)done * scales.count],
                    constant->scale, count);
        const ossa_flag_tracks *visible = &clip->visibilities;
        copy_keys((struct columns){visible->count, visible->bones, 1},
                  visible->count == 0 ? NULL : visible->keys + (size_t)frame * visible->count,
                  flags, block->visibilities + (size_t)done * flags.count, clip->constant_visible,
                  1, count);
        done += count;
    }
    return true;
}

static bool chain_morph(void *user, double frame, int32_t *keys)
{
    struct chain *chain = user;
    uint32_t left;
    uint32_t count;
    if (frame == 0.0) chain->member = chain->frame = 0;
    const ossa_morph_tracks *tracks = &next_clip(chain, 1, &left, &count)->morphs;
    for (uint32_t i = 0, t = 0; i < chain->mesh_count; i++) {
        bool has = t < tracks->count && tracks->meshes[t] == chain->meshes[i];
        keys[i] = has ? tracks->keys[(size_t)left * tracks->count + t++] : -1;
    }
    return true;
}

/* What changes in any clip of a chain, or from one to another. */
struct marks {
    uint8_t *rotates;
    uint8_t *translates;
    uint8_t *scales;
    uint8_t *hides;
};

static void mark_tracks(uint8_t *marks, uint32_t count, const uint32_t *bones)
{
    for (uint32_t i = 0; i < count; i++) marks[bones[i]] = 1;
}

static bool take_marks(struct ossa__assembly *assembly, const struct chain *chain,
                       struct marks *marks)
{
    uint32_t bones = chain->scene->bone_count;
    uint8_t *flags = ossa__take_scratch(&assembly->context, 4 * (uint64_t)bones, 1);
    if (flags == NULL) return false;
    memset(flags, 0, 4 * (size_t)bones);
    *marks =
        (struct marks){flags, flags + bones, flags + 2 * (size_t)bones, flags + 3 * (size_t)bones};
    const ossa_clip *first = member_clip(chain, 0);
    for (uint32_t i = 0; i < chain->count; i++) {
        const ossa_clip *clip = member_clip(chain, i);
        mark_tracks(marks->rotates, clip->rotations.count, clip->rotations.bones);
        mark_tracks(marks->translates, clip->translations.count, clip->translations.bones);
        mark_tracks(marks->scales, clip->scales.count, clip->scales.bones);
        mark_tracks(marks->hides, clip->visibilities.count, clip->visibilities.bones);
        for (uint32_t b = 0; b < bones; b++) {
            const ossa_transform *now = &clip->constant[b];
            const ossa_transform *before = &first->constant[b];
            marks->rotates[b] |= memcmp(now->rotation, before->rotation, sizeof now->rotation) != 0;
            marks->translates[b] |=
                memcmp(now->translation, before->translation, sizeof now->translation) != 0;
            marks->scales[b] |= memcmp(now->scale, before->scale, sizeof now->scale) != 0;
            marks->hides[b] |= clip->constant_visible[b] != first->constant_visible[b];
        }
    }
    return true;
}

/* The meshes that change their shape in any clip of the chain. */
static bool list_meshes(struct ossa__assembly *assembly, struct chain *chain)
{
    uint32_t count = chain->scene->mesh_count;
    uint64_t tracks = 0;
    for (uint32_t i = 0; i < chain->count; i++) tracks += member_clip(chain, i)->morphs.count;
    if (tracks == 0) return true; /* there may be many series, and many meshes */
    uint8_t *changes = ossa__take(&assembly->context, count, 1);
    chain->meshes = ossa__take(&assembly->context, count, sizeof *chain->meshes);
    if (changes == NULL || chain->meshes == NULL) return false;
    memset(changes, 0, count);
    for (uint32_t i = 0; i < chain->count; i++) {
        const ossa_morph_tracks *morphs = &member_clip(chain, i)->morphs;
        for (uint32_t t = 0; t < morphs->count; t++) changes[morphs->meshes[t]] = 1;
    }
    for (uint32_t m = 0; m < count; m++) {
        if (changes[m]) chain->meshes[chain->mesh_count++] = m;
    }
    return true;
}

/* "walk0.anm, walk1.anm" */
static char *list_sources(struct ossa__assembly *assembly, const struct chain *chain)
{
    size_t size = 1;
    for (uint32_t i = 0; i < chain->count; i++) {
        size += strlen(member_clip(chain, i)->source) + 2;
    }
    char *list = ossa__take(&assembly->context, size, 1);
    if (list == NULL) return NULL;
    size_t used = 0;
    for (uint32_t i = 0; i < chain->count; i++) {
        const char *source = member_clip(chain, i)->source;
        size_t length = strlen(source);
        if (i > 0) memcpy(list + used, ", ", 2);
        used += i > 0 ? 2 : 0;
        memcpy(list + used, source, length);
        used += length;
    }
    list[used] = '\0';
    return list;
}

/* What was taken out of clips that stay in place, and how the game moves the figure, all of them
 * together. */
static void tell_motion(const struct chain *chain, ossa_clip *joined)
{
    double way[3] = {0.0, 0.0, 0.0};
    double travel[3] = {0.0, 0.0, 0.0};
    joined->in_place = true;
    for (uint32_t i = 0; i < chain->count; i++) {
        const ossa_clip *clip = member_clip(chain, i);
        joined->in_place = joined->in_place && clip->in_place;
        for (unsigned k = 0; k < 3; k++) way[k] += (double)clip->velocity[k] * clip->frame_count;
        for (unsigned k = 0; k < 3; k++) travel[k] += (double)clip->travel[k] * clip->frame_count;
    }
    for (unsigned k = 0; k < 3; k++) joined->velocity[k] = (float)(way[k] / joined->frame_count);
    for (unsigned k = 0; k < 3; k++) joined->travel[k] = (float)(travel[k] / joined->frame_count);
}

/* Each file may have steps of its own. */
static const float *joined_steps(struct ossa__assembly *assembly, const struct chain *chain)
{
    bool has_steps = false;
    for (uint32_t i = 0; i < chain->count; i++) {
        has_steps = has_steps || member_clip(chain, i)->rotation_steps != NULL;
    }
    return has_steps ? ossa__same_steps(assembly, -1.0F) : NULL;
}

static void join_runs(struct ossa__assembly *assembly, const struct chain *chain, ossa_clip *joined)
{
    struct ossa__context *context = &assembly->context;
    struct ossa__mark mark = ossa__scratch_mark(context);
    const ossa_clip **members = ossa__take_scratch(context, chain->count, sizeof(ossa_clip *));
    for (uint32_t i = 0; i < chain->count && members != NULL; i++) {
        members[i] = member_clip(chain, i);
    }
    if (members != NULL) ossa__join_runs(assembly, joined, members, chain->count);
    ossa__scratch_release(context, mark);
}

/* Events of all of them, each in its frame of the joined clip; NULL where there are none, and after
 * a failure. */
static const ossa_event *joined_events(struct ossa__assembly *assembly, const struct chain *chain,
                                       uint32_t *count)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < chain->count; i++) total += member_clip(chain, i)->event_count;
    *count = 0;
    if (total == 0 || total > UINT32_MAX) return NULL;
    ossa_event *events = ossa__take_scratch(&assembly->context, total, sizeof *events);
    uint32_t first = 0;
    for (uint32_t i = 0; i < chain->count && events != NULL; i++) {
        const ossa_clip *clip = member_clip(chain, i);
        for (uint32_t k = 0; k < clip->event_count; k++) {
            events[*count] = clip->events[k];
            events[(*count)++].frame += first;
        }
        first += clip->frame_count;
    }
    return events;
}

static void join_chain(struct ossa__assembly *assembly, struct chain *chain, const char *name)
{
    const ossa_clip *first = member_clip(chain, 0);
    uint64_t frames = 0;
    for (uint32_t i = 0; i < chain->count; i++) {
        const ossa_clip *clip = member_clip(chain, i);
        frames += clip->frame_count;
        if (clip->fps != first->fps) {
            ossa__assembly_warn(assembly, NULL, OSSA_CODE_UNUSUAL_VALUE,
                                "'%s' has %g frames a second and '%s' %g; joined, all have %g",
                                first->name, first->fps, clip->name, clip->fps, first->fps);
        }
    }
    if (frames > UINT32_MAX) {
        (void)ossa__misfit(assembly, NULL, "the clips are too long to be joined");
        return;
    }
    struct ossa__mark mark = ossa__scratch_mark(&assembly->context);
    struct marks marks;
    if (!list_meshes(assembly, chain) || !take_marks(assembly, chain, &marks)) return;
    if (!ossa__name_clip(assembly, name)) return;
    struct ossa__part part = {.format = first->source_format, .is_folder = true};
    part.folder = list_sources(assembly, chain);
    ossa_input input = {.path = part.folder, .file = NULL};
    part.input = &input;
    part.shown = part.folder;
    uint32_t event_count;
    const ossa_event *events = joined_events(assembly, chain, &event_count);
    ossa__add_clip(assembly,
                   &(struct ossa__clip_plan){.name = name,
                                             .part = &part,
                                             .fps = first->fps,
                                             .frame_count = (uint32_t)frames,
                                             .keys_per_frame = 1,
                                             .start = start_chain,
                                             .rotates = marks.rotates,
                                             .translates = marks.translates,
                                             .scales = marks.scales,
                                             .hides = marks.hides,
                                             .fill = fill_chain,
                                             .morph_count = chain->mesh_count,
                                             .morph_meshes = chain->meshes,
                                             .morph = chain_morph,
                                             .keeps_morphs = true,
                                             .user = chain,
                                             .event_count = event_count,
                                             .events = events,
                                             .rotation_steps = joined_steps(assembly, chain)});
    ossa__scratch_release(&assembly->context, mark);
    if (assembly->context.failed) return;
    ossa_clip *joined = &assembly->clips[assembly->scene->clip_count - 1];
    tell_motion(chain, joined);
    join_runs(assembly, chain, joined);
}

/* The series' name is its stem, unless another clip has that. */
static const char *name_series(struct ossa__assembly *assembly, struct ossa__names *taken,
                               const struct numbered *first)
{
    char *stem = ossa__copy_text(assembly, first->name, first->stem_size);
    if (stem == NULL) return "";
    bool is_free = stem[0] != '\0' && !ossa__names_has(taken, stem);
    return is_free ? stem : first->name;
}

/* How many of the sorted clips from `first` on are of its series; 1: it is none. */
static uint32_t series_length(const struct numbered *sorted, uint32_t first, uint32_t count)
{
    uint32_t end = first + 1;
    while (sorted[first].has_number && end < count && sorted[end].has_number &&
           compare_stems(&sorted[first], &sorted[end]) == 0) {
        end++;
    }
    return end - first;
}

/* Join every series, leave the other clips; false when there is no series. */
static bool join_series(struct ossa__assembly *assembly, const ossa_scene *before,
                        const struct numbered *sorted)
{
    bool any = false;
    struct ossa__names taken;
    if (!ossa__names_start(&taken, &assembly->context, before->clip_count)) return false;
    for (uint32_t i = 0; i < before->clip_count; i++) {
        ossa__names_reserve(&taken, before->clips[i].name);
    }
    for (uint32_t i = 0; i < before->clip_count && !assembly->context.failed;) {
        uint32_t length = series_length(sorted, i, before->clip_count);
        if (length > 1) {
            struct chain chain = {.scene = before, .members = sorted + i, .count = length};
            join_chain(assembly, &chain, name_series(assembly, &taken, &sorted[i]));
            any = true;
        } else {
            ossa__keep_clip(assembly, &before->clips[sorted[i].clip]);
        }
        i += length;
    }
    return any;
}

/* Leave only the clips that are wanted, if any is. */
static void drop_unwanted(struct ossa__assembly *assembly)
{
    ossa_scene *scene = assembly->scene;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < scene->clip_count; i++) kept += assembly->wanted[i];
    if (kept == 0 || kept == scene->clip_count) return;
    kept = 0;
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        if (assembly->wanted[i]) assembly->clips[kept++] = assembly->clips[i];
    }
    scene->clip_count = kept;
}

/* Cameras of long sequences are split over files too. */
static uint32_t count_numbered_cameras(const ossa_scene *scene)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->camera_count; i++) {
        count += take_apart(scene->cameras[i].name, i).has_number;
    }
    return count;
}

void ossa__join_clips(struct ossa__assembly *assembly)
{
    ossa_scene *scene = assembly->scene;
    struct ossa__context *context = &assembly->context;
    if (count_numbered_cameras(scene) > 1) {
        ossa__assembly_warn(assembly, &assembly->parts[0], OSSA_CODE_UNUSUAL_VALUE,
                            "clips are joined, cameras are not");
    }
    drop_unwanted(assembly);
    if (scene->clip_count < 2) return;
    ossa__keep_number(assembly, "join", 1.0);
    const ossa_scene before = *scene;
    uint32_t count = before.clip_count;
    struct numbered *inputs = ossa__take(context, count, sizeof *inputs);
    struct numbered *sorted = ossa__take(context, count, sizeof *sorted);
    if (sorted == NULL) return;
    for (uint32_t i = 0; i < count; i++) inputs[i] = take_apart(before.clips[i].name, i);
    memcpy(sorted, inputs, count * sizeof *sorted);
    if (!ossa__sort(context, sorted, count, sizeof *sorted, numbered_before, NULL)) return;
    if (!ossa__take_clips(assembly, count)) return;
    if (join_series(assembly, &before, sorted) || context->failed) return;
    if (!ossa__take_clips(assembly, 1)) return;
    struct chain all = {.scene = &before, .members = inputs, .count = count};
    join_chain(assembly, &all, before.clips[0].name);
}

/* ---- the way back -------------------------------------------------------------------------- */

static void place_chain(const ossa_scene *scene, const struct numbered *members, uint32_t count,
                        uint32_t joined, struct ossa__joined_clip *places)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < count; i++) {
        places[members[i].clip] = (struct ossa__joined_clip){joined, first};
        first += scene->clips[members[i].clip].frame_count;
    }
}

bool ossa__find_joined(struct ossa__context *context, const ossa_scene *scene,
                       struct ossa__joined_clip *places)
{
    uint32_t count = scene->clip_count;
    struct ossa__mark mark = ossa__scratch_mark(context);
    struct numbered *inputs = ossa__take_scratch(context, count, sizeof *inputs);
    struct numbered *sorted = ossa__take_scratch(context, count, sizeof *sorted);
    if (inputs == NULL || sorted == NULL) return false;
    for (uint32_t i = 0; i < count; i++) inputs[i] = take_apart(scene->clips[i].name, i);
    memcpy(sorted, inputs, count * sizeof *sorted);
    if (!ossa__sort(context, sorted, count, sizeof *sorted, numbered_before, NULL)) return false;
    uint32_t joined = 0;
    for (uint32_t i = 0; i < count; joined++) {
        uint32_t length = series_length(sorted, i, count);
        place_chain(scene, sorted + i, length, joined, places);
        i += length;
    }
    if (joined == count) place_chain(scene, inputs, count, 0, places); /* there is no series */
    ossa__scratch_release(context, mark);
    return true;
}
