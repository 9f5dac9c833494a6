/* SPDX-License-Identifier: MIT
 *
 * A clip laid out for playing: all keys of one frame lie together, eight bones side by side, so
 * that a sample reads two runs of memory from front to back. Groups of bones that do not change
 * have no keys. One block of memory holds everything. */
#include "ossa/runtime.h"

#include "lanes/kernels.h"
#include "sample/moment.h"
#include "sample/weight.h"
#include "base/error.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { LANES = OSSA_SOA_LANES, CACHE_LINE = 64 };

struct ossa_runtime {
    ossa_allocator allocator;
    size_t size; /* of the block */
    uint32_t frame_count;
    double fps;
    size_t frame_size; /* floats from one frame to the next */
    struct ossa__bone_groups groups;
    const ossa_soa *rest; /* [groups.count] */
    const int32_t *parents;
    const float *keys; /* [frame_count][frame_size], from the start of a cache line */
};

/* ---- building -------------------------------------------------------------------------------- */

static void store_lane(const ossa_transform *transform, uint32_t bone, ossa_soa *soa)
{
    ossa_soa *group = &soa[bone / LANES];
    uint32_t lane = bone % LANES;
    for (unsigned k = 0; k < 3; k++) group->translation[k][lane] = transform->translation[k];
    for (unsigned k = 0; k < 4; k++) group->rotation[k][lane] = transform->rotation[k];
    for (unsigned k = 0; k < 3; k++) group->scale[k][lane] = transform->scale[k];
}

/* What of each bone changes. Rotations of packed tracks come last: a group is packed if nothing
 * else rotates in it. */
struct plan {
    const ossa_scene *scene;
    const ossa_clip *clip;
    const ossa_runtime_options *options;
    uint8_t *changes; /* [bone]: OSSA__ROTATES, OSSA__PACKED, OSSA__MOVES, OSSA__SCALES */
    uint32_t packed_groups;
    size_t frame_size;
};

static void mark(const ossa_tracks *tracks, uint8_t *changes, unsigned kind)
{
    for (uint32_t i = 0; i < tracks->count; i++) {
        changes[tracks->bones[i]] = (uint8_t)(changes[tracks->bones[i]] | kind);
    }
}

static bool check_packed(const struct plan *plan, const ossa_packed_track *track, ossa_error *error)
{
    if (track->bone >= plan->scene->bone_count) {
        return ossa__set_error(error, OSSA_CODE_BAD_ARGUMENT, NULL,
                               "a packed track is of bone %" PRIu32 ", but there are %" PRIu32,
                               track->bone, plan->scene->bone_count);
    }
    if (track->missing > 3) {
        return ossa__set_error(error, OSSA_CODE_BAD_ARGUMENT, NULL,
                               "the packed track of bone %" PRIu32 " leaves out component %" PRIu32
                               ", but there are 4",
                               track->bone, track->missing);
    }
    if (plan->changes[track->bone] & OSSA__PACKED) {
        return ossa__set_error(error, OSSA_CODE_BAD_ARGUMENT, NULL,
                               "bone %" PRIu32 " has two packed tracks", track->bone);
    }
    return true;
}

/* Can floats unpack it? Where a large extent and a large centre all but cancel out, their rounding
 * would be most of what is left. No rotation needs an extent of more than 1. */
static bool suits_floats(const ossa_packed_track *track)
{
    bool fine = true;
    for (unsigned i = 0; i < 3; i++) fine &= fabsf(track->extent[i]) <= 1.0F;
    return fine;
}

static bool find_changes(struct plan *plan, ossa_error *error)
{
    const ossa_clip *clip = plan->clip;
    memset(plan->changes, 0, plan->scene->bone_count);
    if (clip->frame_count == 0) return true;
    mark(&clip->rotations, plan->changes, OSSA__ROTATES);
    mark(&clip->translations, plan->changes, OSSA__MOVES);
    mark(&clip->scales, plan->changes, OSSA__SCALES);
    for (uint32_t i = 0; i < plan->options->packed_count; i++) {
        const ossa_packed_track *track = &plan->options->packed[i];
        if (!check_packed(plan, track, error)) return false;
        uint8_t *changes = &plan->changes[track->bone];
        *changes = (uint8_t)((*changes & ~(unsigned)OSSA__ROTATES) | OSSA__PACKED);
        if (!suits_floats(track)) *changes |= OSSA__ROTATES; /* its group is not packed */
    }
    return true;
}

/* The kind of a group, and what each of its bones does. */
static unsigned describe_group(const struct plan *plan, uint32_t g, struct ossa__bone_group *group)
{
    const unsigned rotation = OSSA__ROTATES | OSSA__PACKED;
    unsigned all = 0;
    uint32_t counts[3] = {0, 0, 0};
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t bone = g * LANES + lane;
        unsigned own = bone < plan->scene->bone_count ? plan->changes[bone] : 0U;
        all |= own;
        counts[0] += (own & rotation) != 0;
        counts[1] += (own & OSSA__MOVES) != 0;
        counts[2] += (own & OSSA__SCALES) != 0;
        if (group == NULL) continue;
        group->rotates[lane] = (own & rotation) != 0 ? -1 : 0;
        group->moves[lane] = (own & OSSA__MOVES) != 0 ? -1 : 0;
        group->scales[lane] = (own & OSSA__SCALES) != 0 ? -1 : 0;
    }
    if (all & OSSA__ROTATES) all &= ~(unsigned)OSSA__PACKED;
    if ((all & rotation) && counts[0] < LANES) all |= OSSA__SOME_ROTATE;
    if ((all & OSSA__MOVES) && counts[1] < LANES) all |= OSSA__SOME_MOVE;
    if ((all & OSSA__SCALES) && counts[2] < LANES) all |= OSSA__SOME_SCALE;
    return all;
}

/* Where the blocks of a group begin in a frame: first its rotations, then what moves and scales. */
struct destination {
    ossa_runtime *runtime;
    float *keys;
    size_t *starts; /* [group] */
};

static float *block_at(const struct destination *to, uint32_t frame, uint32_t bone, unsigned before)
{
    return to->keys + frame * to->runtime->frame_size + to->starts[bone / LANES] +
           ossa__block_size(to->runtime->groups.of[bone / LANES].kind & before) + bone % LANES;
}

/* `before`: the blocks of a group that precede this one. */
static void lay_tracks(const struct destination *to, const ossa_tracks *tracks, unsigned width,
                       unsigned before, const uint8_t *changes, unsigned kind)
{
    const float *key = tracks->keys;
    for (uint32_t f = 0; f < to->runtime->frame_count; f++) {
        for (uint32_t i = 0; i < tracks->count; i++, key += width) {
            uint32_t bone = tracks->bones[i];
            if (!(changes[bone] & kind)) continue; /* a packed track is used instead */
            float *out = block_at(to, f, bone, before);
            for (unsigned k = 0; k < width; k++) out[(size_t)k * LANES] = key[k];
        }
    }
}

/* Lanes without a track: of no consequence, but they are mixed, so they have to be rotations. */
static void lay_constants(const struct destination *to, uint32_t g)
{
    const struct ossa__bone_group *group = &to->runtime->groups.of[g];
    for (uint32_t f = 0; f < to->runtime->frame_count; f++) {
        float *block = to->keys + f * to->runtime->frame_size + to->starts[g];
        if (group->kind & OSSA__ROTATES) {
            memcpy(block, group->constant.rotation, sizeof group->constant.rotation);
            block += ossa__block_size(OSSA__ROTATES);
        }
        if (group->kind & OSSA__PACKED) {
            memset(block, 0, LANES * sizeof(uint32_t));
            block += ossa__block_size(OSSA__PACKED);
        }
        if (group->kind & OSSA__MOVES) {
            memcpy(block, group->constant.translation, sizeof group->constant.translation);
            block += ossa__block_size(OSSA__MOVES);
        }
        if (group->kind & OSSA__SCALES) {
            memcpy(block, group->constant.scale, sizeof group->constant.scale);
        }
    }
}

/* The three fields and the sign, from the top bit down, without the bits that mean nothing. */
static uint32_t in_order(uint32_t key, const struct ossa__packed_shifts *shifts)
{
    uint32_t ordered = (key << shifts->sign >> 31) << 4;
    for (unsigned i = 0; i < 3; i++) {
        ordered |= key << shifts->field[i] >> 23 << (23 - 9 * i);
    }
    return ordered;
}

static struct ossa__packed_shifts shifts_of(uint32_t missing)
{
    struct ossa__packed_shifts shifts = {{0, 0, 0}, 0};
    unsigned left = 0;
    unsigned used = 0;
    for (uint32_t c = 0; c < 4; c++) {
        if (c == missing) shifts.sign = left;
        else shifts.field[used++] = left;
        left += c == missing ? 5 : 9;
    }
    return shifts;
}

static void set_packing(const ossa_packed_track *track, uint32_t lane,
                        struct ossa__packing *packing)
{
    for (unsigned i = 0; i < 3; i++) {
        packing->centre[i][lane] = track->centre[i];
        packing->step[i][lane] = track->extent[i] / 256.0F;
    }
    packing->flip[lane] = track->flip ? INT32_MIN : 0;
    for (uint32_t k = 0; k < 4; k++) packing->missing[k][lane] = k == track->missing ? -1 : 0;
}

/* A lane without a track, as a track that never rotates. */
static void set_idle_packing(uint32_t lane, struct ossa__packing *packing)
{
    static const ossa_packed_track idle = {.missing = 3};
    set_packing(&idle, lane, packing);
}

static void find_same_missing(const struct ossa__bone_group *group, struct ossa__packing *packing)
{
    packing->same_missing = -1;
    for (int32_t k = 0; k < 4; k++) {
        bool all = true;
        for (unsigned lane = 0; lane < LANES; lane++) {
            all &= group->rotates[lane] == 0 || packing->missing[k][lane] != 0;
        }
        if (all) packing->same_missing = k;
    }
}

/* False if a key has no rotation; `done` is the number of keys before it. */
static bool unpack(const ossa_packed_track *track, uint32_t first, uint32_t count,
                   float rotations[][4], size_t *done)
{
    const struct ossa__packed_shifts shifts = shifts_of(track->missing);
    struct ossa__packing packing = {.same_missing = (int32_t)track->missing};
    const uint32_t *keys = track->keys + first;
    set_packing(track, 0, &packing);
    if (suits_floats(track)) {
        *done = ossa__kernels()->unpack(keys, count, &shifts, &packing, rotations[0], 4);
        return *done == count;
    }
    for (*done = 0; *done < count; ++*done) {
        float *out = rotations[*done];
        if (!ossa__unpack_exactly(keys[*done], &shifts, &packing, 0, out)) return false;
    }
    return true;
}

/* Keys are unpacked where other bones of the group are not packed, and in any case to know that all
 * of them are rotations. */
static bool lay_packed(const struct destination *to, const ossa_packed_track *track,
                       struct ossa__packing *packing, ossa_error *error)
{
    enum { AT_ONCE = 64 };
    const struct ossa__packed_shifts shifts = shifts_of(track->missing);
    uint32_t bone = track->bone;
    uint32_t frame_count = to->runtime->frame_count;
    if (packing != NULL) set_packing(track, bone % LANES, packing);
    for (uint32_t f = 0; f < frame_count; f += AT_ONCE) {
        float rotations[AT_ONCE][4];
        uint32_t count = frame_count - f;
        if (count > AT_ONCE) count = AT_ONCE;
        size_t done;
        if (!unpack(track, f, count, rotations, &done)) {
            return ossa__set_error(error, OSSA_CODE_BAD_VALUE, NULL,
                                   "key %zu of bone %" PRIu32 " is not a valid rotation", f + done,
                                   bone);
        }
        for (uint32_t i = 0; i < count; i++) {
            float *out = block_at(to, f + i, bone, 0);
            if (packing != NULL) {
                uint32_t key = in_order(track->keys[f + i], &shifts);
                memcpy(out, &key, sizeof key);
            } else {
                for (unsigned k = 0; k < 4; k++) out[(size_t)k * LANES] = rotations[i][k];
            }
        }
    }
    return true;
}

/* Everything into the block of memory, whose parts are in place. */
static bool lay_out(const struct plan *plan, const struct destination *to,
                    struct ossa__bone_group *groups, struct ossa__packing *packing,
                    ossa_error *error)
{
    const unsigned rotation = OSSA__ROTATES | OSSA__PACKED;
    const ossa_clip *clip = plan->clip;
    uint32_t count = to->runtime->groups.count;
    size_t start = 0;
    for (uint32_t g = 0; g < count; g++) {
        groups[g].kind = describe_group(plan, g, &groups[g]);
        groups[g].packing = NULL;
        to->starts[g] = start;
        start += ossa__block_size(groups[g].kind);
        lay_constants(to, g);
        if (!(groups[g].kind & OSSA__PACKED)) continue;
        for (uint32_t lane = 0; lane < LANES; lane++) set_idle_packing(lane, packing);
        groups[g].packing = packing++;
    }
    if (clip->frame_count == 0) return true;
    lay_tracks(to, &clip->rotations, 4, 0, plan->changes, OSSA__ROTATES);
    lay_tracks(to, &clip->translations, 3, rotation, plan->changes, OSSA__MOVES);
    lay_tracks(to, &clip->scales, 3, rotation | OSSA__MOVES, plan->changes, OSSA__SCALES);
    for (uint32_t i = 0; i < plan->options->packed_count; i++) {
        const ossa_packed_track *track = &plan->options->packed[i];
        struct ossa__bone_group *group = &groups[track->bone / LANES];
        struct ossa__packing *own = (struct ossa__packing *)(uintptr_t)group->packing;
        if (!lay_packed(to, track, own, error)) return false;
    }
    for (uint32_t g = 0; g < count; g++) {
        struct ossa__packing *own = (struct ossa__packing *)(uintptr_t)groups[g].packing;
        if (own != NULL) find_same_missing(&groups[g], own);
    }
    return true;
}

/* Parts of a block of memory, one after another. */
static void *take(uint8_t **at, uint64_t count, size_t size)
{
    void *part = *at;
    *at += (count * size + 15) & ~(uint64_t)15; /* aligned for any type */
    return part;
}

static uint64_t padded(uint64_t count, size_t size)
{
    return (count * size + 15) & ~(uint64_t)15;
}

static ossa_runtime *build(const struct plan *plan, ossa_allocator allocator, ossa_error *error)
{
    const ossa_scene *scene = plan->scene;
    uint32_t group_count = OSSA_SOA_COUNT(scene->bone_count);
    uint32_t frames = plan->clip->frame_count > 0 ? plan->clip->frame_count : 1;
    /* Bones and frames are counted in 32 bits, so only the keys can be too many. */
    uint64_t size = padded(1, sizeof(ossa_runtime)) +
                    padded(group_count, sizeof(struct ossa__bone_group) + sizeof(ossa_soa)) + 16 +
                    padded(plan->packed_groups, sizeof(struct ossa__packing)) +
                    padded(group_count, sizeof(size_t)) +
                    padded(scene->bone_count, sizeof(int32_t)) +
                    padded(scene->bone_count, sizeof(ossa_transform)) + CACHE_LINE;
    uint64_t keys;
    if (!ossa__multiply(frames, plan->frame_size * sizeof(float), &keys) ||
        keys > SIZE_MAX - size) {
        (void)ossa__set_error(error, OSSA_CODE_OUT_OF_MEMORY, NULL, "the clip is too large");
        return NULL;
    }
    size += keys;
    uint8_t *at = allocator.allocate(allocator.user, (size_t)size);
    if (at == NULL) {
        (void)ossa__set_error(error, OSSA_CODE_OUT_OF_MEMORY, NULL,
                              "out of memory: %" PRIu64 " bytes", size);
        return NULL;
    }
    ossa_runtime *runtime = take(&at, 1, sizeof *runtime);
    struct ossa__bone_group *groups = take(&at, group_count, sizeof *groups);
    ossa_soa *rest = take(&at, group_count, sizeof *rest);
    struct ossa__packing *packing = take(&at, plan->packed_groups, sizeof *packing);
    size_t *starts = take(&at, group_count, sizeof *starts);
    int32_t *parents = take(&at, scene->bone_count, sizeof *parents);
    ossa_transform *constant = take(&at, scene->bone_count, sizeof *constant);
    float *first = (float *)(void *)(at + (CACHE_LINE - (uintptr_t)at % CACHE_LINE) % CACHE_LINE);
    *runtime = (ossa_runtime){.allocator = allocator,
                              .size = (size_t)size,
                              .frame_count = frames,
                              .fps = plan->clip->fps,
                              .frame_size = plan->frame_size,
                              .groups = {scene->bone_count, group_count, groups, constant},
                              .rest = rest,
                              .parents = parents,
                              .keys = first};
    const ossa_transform identity = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    for (uint32_t bone = 0; bone < group_count * LANES; bone++) {
        bool exists = bone < scene->bone_count;
        store_lane(exists ? &scene->bones[bone].rest : &identity, bone, rest);
        const ossa_transform *own = exists ? &plan->clip->constant[bone] : &identity;
        store_lane(own, bone % LANES, &groups[bone / LANES].constant);
        if (!exists) continue;
        parents[bone] = scene->bones[bone].parent;
        constant[bone] = *own;
    }
    const struct destination to = {runtime, first, starts};
    if (lay_out(plan, &to, groups, packing, error)) return runtime;
    ossa_runtime_free(runtime);
    return NULL;
}

ossa_runtime *ossa_runtime_new(const ossa_scene *scene, const ossa_clip *clip,
                               const ossa_runtime_options *options, ossa_error *error)
{
    static const ossa_runtime_options defaults = {0};
    if (options == NULL) options = &defaults;
    ossa_allocator allocator = ossa__allocator_or_default(options->allocator);
    struct plan plan = {.scene = scene, .clip = clip, .options = options};
    size_t size = (size_t)scene->bone_count + 1; /* never 0 */
    ossa_runtime *runtime = NULL;
    if (error != NULL) *error = (ossa_error){.code = OSSA_CODE_OK};
    if (!ossa__is_allocator(options->allocator)) {
        (void)ossa__set_error(error, OSSA_CODE_BAD_ARGUMENT, NULL, OSSA__HALF_ALLOCATOR);
        return NULL;
    }
    plan.changes = allocator.allocate(allocator.user, size);
    if (plan.changes == NULL) {
        (void)ossa__set_error(error, OSSA_CODE_OUT_OF_MEMORY, NULL, "out of memory: %zu bytes",
                              size);
        return NULL;
    }
    if (find_changes(&plan, error)) {
        for (uint32_t g = 0; g < OSSA_SOA_COUNT(scene->bone_count); g++) {
            unsigned kind = describe_group(&plan, g, NULL);
            plan.frame_size += ossa__block_size(kind);
            plan.packed_groups += (kind & OSSA__PACKED) != 0;
        }
        runtime = build(&plan, allocator, error);
    }
    allocator.release(allocator.user, plan.changes, size);
    return runtime;
}

void ossa_runtime_free(ossa_runtime *runtime)
{
    if (runtime == NULL) return;
    ossa_allocator allocator = runtime->allocator;
    allocator.release(allocator.user, runtime, runtime->size);
}

uint32_t ossa_runtime_bone_count(const ossa_runtime *runtime)
{
    return runtime->groups.bone_count;
}

size_t ossa_runtime_size(const ossa_runtime *runtime)
{
    return runtime->size;
}

/* ---- playing --------------------------------------------------------------------------------- */

static struct ossa__between find(const ossa_runtime *runtime, double seconds, ossa_wrap wrap)
{
    struct ossa__moment at = ossa__find_moment(runtime->frame_count, runtime->fps, seconds, wrap);
    return (struct ossa__between){runtime->keys + at.from * runtime->frame_size,
                                  runtime->keys + at.to * runtime->frame_size, (float)at.part};
}

void ossa_runtime_sample(const ossa_runtime *runtime, double seconds, ossa_wrap wrap,
                         ossa_soa *pose)
{
    ossa__kernels()->sample(&runtime->groups, find(runtime, seconds, wrap), pose);
}

void ossa_runtime_locals(const ossa_runtime *runtime, double seconds, ossa_wrap wrap,
                         ossa_transform *locals)
{
    ossa__kernels()->sample_locals(&runtime->groups, find(runtime, seconds, wrap), locals);
}

void ossa_runtime_matrices(const ossa_runtime *runtime, double seconds, ossa_wrap wrap,
                           float (*matrices)[16])
{
    ossa__kernels()->sample_matrices(&runtime->groups, find(runtime, seconds, wrap),
                                     runtime->parents, matrices);
}

static void prefetch(const ossa_runtime *runtime, struct ossa__between frames)
{
#ifdef __GNUC__
    for (size_t i = 0; i < runtime->frame_size; i += CACHE_LINE / sizeof(float)) {
        __builtin_prefetch(frames.from + i);
        __builtin_prefetch(frames.to + i);
    }
#else
    (void)runtime, (void)frames;
#endif
}

void ossa_runtime_crowd(const ossa_runtime_job *jobs, size_t count)
{
    const struct ossa__kernels *kernels = ossa__kernels();
    struct ossa__between next = {NULL, NULL, 0.0F};
    if (count > 0) next = find(jobs[0].runtime, jobs[0].seconds, jobs[0].wrap);
    for (size_t i = 0; i < count; i++) {
        const ossa_runtime *runtime = jobs[i].runtime;
        struct ossa__between frames = next;
        if (i + 1 < count) {
            next = find(jobs[i + 1].runtime, jobs[i + 1].seconds, jobs[i + 1].wrap);
            prefetch(jobs[i + 1].runtime, next);
        }
        kernels->sample_matrices(&runtime->groups, frames, runtime->parents, jobs[i].matrices);
    }
}

void ossa_runtime_model(const ossa_runtime *runtime, const ossa_soa *pose, float (*matrices)[16])
{
    ossa__kernels()->soa_matrices(pose, runtime->parents, runtime->groups.bone_count, matrices);
}

/* The share of a layer in what is blended so far, for eight bones. Its own weight counts. */
static void find_parts(const ossa_soa_layer *layer, uint32_t first, uint32_t bone_count,
                       double total[LANES], float parts[LANES])
{
    double weights[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++) weights[lane] = (double)layer->weight;
    for (uint32_t lane = 0; layer->bone_weights != NULL && lane < LANES; lane++) {
        float own = first + lane < bone_count ? layer->bone_weights[first + lane] : 0.0F;
        weights[lane] *= ossa__counts(own) ? (double)own : 0.0;
    }
    for (uint32_t lane = 0; lane < LANES; lane++) { /* without a branch: it is done in lanes */
        total[lane] += weights[lane];
        parts[lane] = (float)(weights[lane] / (total[lane] + (double)(total[lane] == 0.0)));
    }
}

static bool are_all_1(const float parts[LANES])
{
    float least = parts[0];
    for (uint32_t lane = 1; lane < LANES; lane++) least = parts[lane] < least ? parts[lane] : least;
    return least >= 1.0F;
}

void ossa_runtime_blend(const ossa_runtime *runtime, const ossa_soa_layer *layers, size_t count,
                        ossa_soa *out)
{
    const struct ossa__kernels *kernels = ossa__kernels();
    for (uint32_t g = 0; g < runtime->groups.count; g++) {
        ossa_soa pose = runtime->rest[g];
        double total[LANES] = {0.0};
        for (size_t i = 0; i < count; i++) {
            float parts[LANES];
            if (layers[i].pose == NULL || !ossa__counts(layers[i].weight)) continue;
            find_parts(&layers[i], g * LANES, runtime->groups.bone_count, total, parts);
            if (are_all_1(parts)) pose = layers[i].pose[g]; /* the first */
            else kernels->blend(&pose, &layers[i].pose[g], parts);
        }
        out[g] = pose;
    }
}
