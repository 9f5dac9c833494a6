/* SPDX-License-Identifier: MIT
 *
 * Clips end to end as one: a long Vib-Ribbon sequence is stored over several numbered files, and
 * animations of one colossus follow each other. Clips whose names differ only in the number at
 * their end are a series and are joined in the order of the numbers; where there is no series, all
 * clips are joined in the order of the inputs. */
#include "scene/assembly.h"

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
};

static const ossa_clip *clip_at(const struct chain *chain, double frame, uint32_t *left)
{
    uint32_t i = 0;
    *left = (uint32_t)frame;
    while (i + 1 < chain->count &&
           *left >= chain->scene->clips[chain->members[i].clip].frame_count) {
        *left -= chain->scene->clips[chain->members[i++].clip].frame_count;
    }
    return &chain->scene->clips[chain->members[i].clip];
}

static bool chain_pose(void *user, double frame, ossa_transform *locals, uint8_t *visible)
{
    const struct chain *chain = user;
    uint32_t left;
    const ossa_clip *clip = clip_at(chain, frame, &left);
    ossa_sample_frame(chain->scene, clip, left, locals, visible);
    return true;
}

static bool chain_morph(void *user, double frame, int32_t *keys)
{
    const struct chain *chain = user;
    uint32_t left;
    const ossa_morph_tracks *tracks = &clip_at(chain, frame, &left)->morphs;
    for (uint32_t i = 0, t = 0; i < chain->mesh_count; i++) {
        bool has = t < tracks->count && tracks->meshes[t] == chain->meshes[i];
        keys[i] = has ? tracks->keys[(size_t)left * tracks->count + t++] : -1;
    }
    return true;
}

/* The meshes that change their shape in any clip of the chain. */
static bool list_meshes(struct ossa__assembly *assembly, struct chain *chain)
{
    uint32_t count = chain->scene->mesh_count;
    uint8_t *changes = ossa__take(&assembly->context, count, 1);
    chain->meshes = ossa__take(&assembly->context, count, sizeof *chain->meshes);
    if (changes == NULL || chain->meshes == NULL) return false;
    memset(changes, 0, count);
    for (uint32_t i = 0; i < chain->count; i++) {
        const ossa_morph_tracks *tracks = &chain->scene->clips[chain->members[i].clip].morphs;
        for (uint32_t t = 0; t < tracks->count; t++) changes[tracks->meshes[t]] = 1;
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
        size += strlen(chain->scene->clips[chain->members[i].clip].source) + 2;
    }
    char *list = ossa__take(&assembly->context, size, 1);
    if (list == NULL) return NULL;
    size_t used = 0;
    for (uint32_t i = 0; i < chain->count; i++) {
        const char *source = chain->scene->clips[chain->members[i].clip].source;
        size_t length = strlen(source);
        if (i > 0) memcpy(list + used, ", ", 2);
        used += i > 0 ? 2 : 0;
        memcpy(list + used, source, length);
        used += length;
    }
    list[used] = '\0';
    return list;
}

/* What was taken out of clips that stay in place, all of them together. */
static void tell_motion(const struct chain *chain, ossa_clip *joined)
{
    double way[3] = {0.0, 0.0, 0.0};
    joined->in_place = true;
    for (uint32_t i = 0; i < chain->count; i++) {
        const ossa_clip *clip = &chain->scene->clips[chain->members[i].clip];
        joined->in_place = joined->in_place && clip->in_place;
        for (unsigned k = 0; k < 3; k++) way[k] += (double)clip->velocity[k] * clip->frame_count;
    }
    for (unsigned k = 0; k < 3; k++) joined->velocity[k] = (float)(way[k] / joined->frame_count);
}

/* Each file may have steps of its own. */
static const float *joined_steps(struct ossa__assembly *assembly, const struct chain *chain)
{
    bool has_steps = false;
    for (uint32_t i = 0; i < chain->count; i++) {
        has_steps = has_steps || chain->scene->clips[chain->members[i].clip].rotation_steps != NULL;
    }
    return has_steps ? ossa__same_steps(assembly, -1.0F) : NULL;
}

static void join_chain(struct ossa__assembly *assembly, struct chain *chain, const char *name)
{
    const ossa_clip *first = &chain->scene->clips[chain->members[0].clip];
    uint64_t frames = 0;
    for (uint32_t i = 0; i < chain->count; i++) {
        const ossa_clip *clip = &chain->scene->clips[chain->members[i].clip];
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
    if (!list_meshes(assembly, chain)) return;
    struct ossa__part part = {.format = first->source_format, .is_folder = true};
    part.folder = list_sources(assembly, chain);
    ossa_input input = {.path = part.folder, .file = NULL};
    part.input = &input;
    part.shown = part.folder;
    ossa__add_clip(assembly,
                   &(struct ossa__clip_plan){.name = name,
                                             .part = &part,
                                             .fps = first->fps,
                                             .frame_count = (uint32_t)frames,
                                             .keys_per_frame = 1,
                                             .pose = chain_pose,
                                             .morph_count = chain->mesh_count,
                                             .morph_meshes = chain->meshes,
                                             .morph = chain_morph,
                                             .keeps_morphs = true,
                                             .user = chain,
                                             .rotation_steps = joined_steps(assembly, chain)});
    if (!assembly->context.failed)
        tell_motion(chain, &assembly->clips[assembly->scene->clip_count - 1]);
}

/* The series' name is its stem, unless another clip has that. */
static const char *name_series(struct ossa__assembly *assembly, const ossa_scene *before,
                               const struct numbered *first)
{
    char *stem = ossa__copy_text(assembly, first->name, first->stem_size);
    if (stem == NULL) return "";
    bool is_free = stem[0] != '\0' && ossa_scene_find_clip(before, stem) == NULL;
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
    for (uint32_t i = 0; i < before->clip_count && !assembly->context.failed;) {
        uint32_t length = series_length(sorted, i, before->clip_count);
        if (length > 1) {
            struct chain chain = {before, sorted + i, length, NULL, 0};
            join_chain(assembly, &chain, name_series(assembly, before, &sorted[i]));
            any = true;
        } else {
            ossa__keep_clip(assembly, &before->clips[sorted[i].clip]);
        }
        i += length;
    }
    return any;
}

/* Leave only the clips that are wanted, if any is. */
static void drop_unwanted(const ossa_scene_options *options, ossa_scene *scene, ossa_clip *clips)
{
    uint32_t kept = 0;
    if (options->wants_clip == NULL) return;
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        if (options->wants_clip(options->user, clips[i].name)) clips[kept++] = clips[i];
    }
    if (kept > 0) scene->clip_count = kept;
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
    drop_unwanted(assembly->options, scene, assembly->clips);
    if (scene->clip_count < 2) return;
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
    struct chain all = {&before, inputs, count, NULL, 0};
    join_chain(assembly, &all, before.clips[0].name);
}
