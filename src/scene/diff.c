/* SPDX-License-Identifier: MIT */
#include "scene/diff.h"

#include "base/error.h"
#include "base/fold.h"
#include "base/index.h"
#include "ossa/sample.h"
#include "scene/deviation.h"

#include <string.h>

const char *ossa_change_name(ossa_change change)
{
    switch (change) {
    case OSSA_CHANGE_SAME: return "same";
    case OSSA_CHANGE_DIFFERENT: return "different";
    case OSSA_CHANGE_ONLY_A: return "only_a";
    case OSSA_CHANGE_ONLY_B: return "only_b";
    }
    return "?";
}

/* ---- names --------------------------------------------------------------------------------- */

/* Names and what they are compared by. */
struct matching {
    const ossa_scene *const *scenes;
    const uint32_t *counts;
    ossa__name_of *name_of;
    int64_t *match;
    bool *is_taken; /* of B */
    void *memory;   /* for an index of the names of B */
};

/* Match names of A that have no counterpart yet with those of B that are not taken; as they are, or
 * without regard to letter case. */
static void match_names(struct matching *m, bool is_folded)
{
    uint8_t fold[256];
    struct ossa__index index;
    for (unsigned i = 0; i < 256; i++) fold[i] = i < 0x80 ? (uint8_t)ossa__fold(i) : (uint8_t)i;
    ossa__index_start(&index, m->memory, m->counts[1], is_folded ? fold : NULL);
    for (uint32_t i = 0; i < m->counts[1]; i++) {
        const char *name = m->name_of(m->scenes[1], i);
        if (!m->is_taken[i]) (void)ossa__index_add(&index, name, (uint32_t)strlen(name), i);
    }
    for (uint32_t i = 0; i < m->counts[0]; i++) {
        const char *name = m->name_of(m->scenes[0], i);
        if (m->match[i] >= 0) continue;
        int64_t found = ossa__index_find(&index, name, (uint32_t)strlen(name));
        if (found < 0 || m->is_taken[found]) continue;
        m->match[i] = found;
        m->is_taken[found] = true;
    }
}

int64_t *ossa__match_names(struct ossa__arena *arena, const uint32_t counts[2],
                           ossa__name_of *name_of, const ossa_scene *const scenes[2],
                           bool **is_taken)
{
    uint64_t size = ossa__index_size(counts[1]);
    struct matching m = {.scenes = scenes,
                         .counts = counts,
                         .name_of = name_of,
                         .match =
                             ossa__arena_take(arena, ((uint64_t)counts[0] + 1) * sizeof *m.match),
                         .is_taken = ossa__arena_take(arena, (uint64_t)counts[1] + 1),
                         .memory = size == 0 ? NULL : ossa__arena_take(arena, size)};
    if (m.match == NULL || m.is_taken == NULL || m.memory == NULL) return NULL;
    memset(m.is_taken, 0, counts[1]);
    for (uint32_t i = 0; i < counts[0]; i++) {
        bool is_here = i < counts[1] && strcmp(name_of(scenes[1], i), name_of(scenes[0], i)) == 0;
        m.match[i] = is_here ? (int64_t)i : -1;
        if (is_here) m.is_taken[i] = true;
    }
    match_names(&m, false);
    match_names(&m, true);
    *is_taken = m.is_taken;
    return m.match;
}

static const char *bone_name(const ossa_scene *scene, uint32_t index)
{
    return scene->bones[index].name;
}

static const char *clip_name(const ossa_scene *scene, uint32_t index)
{
    return scene->clips[index].name;
}

/* ---- bones --------------------------------------------------------------------------------- */

struct comparison {
    const struct ossa__scene_diff *job;
    const ossa_scene *scenes[2];
    double scale;
    int64_t *bones; /* of A: that of B; -1: none */
    struct ossa__shape_pairs shapes;
    ossa_transform *locals[2];
    ossa_transform *models[2];
    uint8_t *visible[2];
};

static void tell_bone(const struct comparison *c, const char *name, ossa_change change)
{
    const ossa_diff_options *options = c->job->options;
    const ossa_diff_bone bone = {c->job->figure, name, change};
    c->job->diff->bone_count++;
    if (options->on_bone != NULL) options->on_bone(options->user, &bone);
}

/* Rotations that differ in sign are the same. */
static bool is_same_rest(const ossa_transform *a, const ossa_transform *b)
{
    const struct ossa__deviation deviation = ossa__deviation_between(a, b, 1.0);
    bool is_same = ossa__deviation_size(&deviation) == 0.0;
    for (unsigned k = 0; k < 3; k++) is_same = is_same && a->scale[k] == b->scale[k];
    return is_same;
}

/* False: no memory. */
static bool compare_bones(struct comparison *c, struct ossa__arena *arena)
{
    uint32_t counts[2] = {c->scenes[0]->bone_count, c->scenes[1]->bone_count};
    bool *is_matched;
    c->bones = ossa__match_names(arena, counts, bone_name, c->scenes, &is_matched);
    if (c->bones == NULL) return false;
    for (uint32_t i = 0; i < counts[0]; i++) {
        const ossa_bone *a = &c->scenes[0]->bones[i];
        if (c->bones[i] < 0) {
            tell_bone(c, a->name, OSSA_CHANGE_ONLY_A);
            continue;
        }
        const ossa_bone *b = &c->scenes[1]->bones[c->bones[i]];
        int64_t parent = a->parent < 0 ? -1 : c->bones[a->parent];
        bool is_same = parent == b->parent && (a->parent < 0) == (b->parent < 0);
        if (!is_same || !is_same_rest(&a->rest, &b->rest)) {
            tell_bone(c, a->name, OSSA_CHANGE_DIFFERENT);
        }
    }
    for (uint32_t i = 0; i < counts[1]; i++) {
        if (!is_matched[i]) tell_bone(c, c->scenes[1]->bones[i].name, OSSA_CHANGE_ONLY_B);
    }
    return true;
}

/* ---- clips --------------------------------------------------------------------------------- */

static void tell_clip(const struct comparison *c, const ossa_diff_clip *clip)
{
    const ossa_diff_options *options = c->job->options;
    c->job->diff->clip_count++;
    if (clip->change != OSSA_CHANGE_SAME) c->job->diff->different_clip_count++;
    if (options->on_clip != NULL) options->on_clip(options->user, clip);
}

static void compare_frame(const struct comparison *c, ossa_diff_clip *clip, uint32_t frame,
                          struct ossa__deviation *worst)
{
    const ossa_clip *clips[2] = {clip->a, clip->b};
    for (unsigned s = 0; s < 2; s++) {
        ossa_sample_frame(c->scenes[s], clips[s], frame, c->locals[s], c->visible[s]);
        ossa_model_pose(c->scenes[s], c->locals[s], c->models[s]);
    }
    for (uint32_t i = 0; i < c->scenes[0]->bone_count; i++) {
        if (c->bones[i] < 0) continue;
        size_t k = (size_t)c->bones[i];
        struct ossa__deviation found =
            ossa__deviation_between(&c->models[0][i], &c->models[1][k], c->scale);
        found.bone = i;
        found.frame = frame;
        ossa__deviation_note(worst, &found);
        for (unsigned n = 0; n < 3; n++) {
            if (c->locals[0][i].scale[n] != c->locals[1][k].scale[n]) clip->scale_differs = true;
        }
        if (c->visible[0][i] != c->visible[1][k]) clip->visibility_differs = true;
    }
}

static void compare_clips(const struct comparison *c, const ossa_clip *a, const ossa_clip *b)
{
    ossa_diff_clip clip = {.figure = c->job->figure, .name = a->name, .a = a, .b = b, .bone = ""};
    struct ossa__deviation worst = {0};
    uint32_t frames = a->frame_count < b->frame_count ? a->frame_count : b->frame_count;
    if (frames == 0) frames = 1; /* the constants */
    for (uint32_t f = 0; f < frames; f++) compare_frame(c, &clip, f, &worst);
    bool is_pose_same = ossa__deviation_size(&worst) == 0.0;
    if (!is_pose_same) clip.bone = c->scenes[0]->bones[worst.bone].name;
    clip.frame = worst.frame;
    clip.degrees = worst.degrees;
    clip.millimetres = worst.millimetres;
    clip.shape_differs = ossa__shapes_differ(&c->shapes, (const ossa_clip *[]){a, b});
    bool is_same = is_pose_same && !clip.scale_differs && !clip.visibility_differs &&
                   !clip.shape_differs && a->frame_count == b->frame_count && a->fps == b->fps &&
                   a->loop == b->loop;
    clip.change = is_same ? OSSA_CHANGE_SAME : OSSA_CHANGE_DIFFERENT;
    tell_clip(c, &clip);
}

static bool compare_all_clips(struct comparison *c, struct ossa__arena *arena, bool *is_ended,
                              ossa_error *error)
{
    const struct ossa__scene_diff *job = c->job;
    uint32_t counts[2] = {c->scenes[0]->clip_count, c->scenes[1]->clip_count};
    bool *is_matched;
    const int64_t *match = ossa__match_names(arena, counts, clip_name, c->scenes, &is_matched);
    if (match == NULL) return false;
    for (uint32_t i = 0; i < counts[0]; i++) {
        const ossa_clip *a = &c->scenes[0]->clips[i];
        *is_ended = job->goes_on != NULL && !job->goes_on(job->user, a->name, error);
        if (*is_ended) return false;
        if (match[i] < 0) {
            tell_clip(c, &(ossa_diff_clip){.figure = job->figure,
                                           .name = a->name,
                                           .change = OSSA_CHANGE_ONLY_A,
                                           .a = a,
                                           .bone = ""});
            continue;
        }
        compare_clips(c, a, &c->scenes[1]->clips[match[i]]);
    }
    for (uint32_t i = 0; i < counts[1]; i++) {
        const ossa_clip *b = &c->scenes[1]->clips[i];
        if (is_matched[i]) continue;
        tell_clip(c, &(ossa_diff_clip){.figure = job->figure,
                                       .name = b->name,
                                       .change = OSSA_CHANGE_ONLY_B,
                                       .b = b,
                                       .bone = ""});
    }
    return true;
}

/* ---- scenes -------------------------------------------------------------------------------- */

static bool take_poses(struct comparison *c, struct ossa__arena *arena)
{
    bool ok = true;
    for (unsigned s = 0; s < 2; s++) {
        uint64_t count = (uint64_t)c->scenes[s]->bone_count + 1;
        c->locals[s] = ossa__arena_take(arena, count * sizeof *c->locals[s]);
        c->models[s] = ossa__arena_take(arena, count * sizeof *c->models[s]);
        c->visible[s] = ossa__arena_take(arena, count);
        ok = ok && c->locals[s] != NULL && c->models[s] != NULL && c->visible[s] != NULL;
    }
    return ok;
}

bool ossa__diff_scenes(const struct ossa__scene_diff *job, ossa_allocator allocator,
                       ossa_error *error)
{
    const ossa_scene_options *options = job->options->scene;
    struct comparison c = {.job = job, .scale = 1.0};
    struct ossa__arena arena;
    bool is_ended = false;
    if (options != NULL && options->scale > 0.0) c.scale = options->scale;
    for (unsigned s = 0; s < 2; s++) c.scenes[s] = job->scenes[s];
    ossa__arena_init(&arena, allocator, UINT64_MAX);
    bool ok = take_poses(&c, &arena) && compare_bones(&c, &arena) &&
              ossa__shapes_find(&c.shapes, c.scenes, &arena) &&
              compare_all_clips(&c, &arena, &is_ended, error);
    ossa__arena_free(&arena);
    if (ok || is_ended) return ok;
    return ossa__set_error(error, OSSA_CODE_OUT_OF_MEMORY, NULL, "no memory to compare scenes");
}

bool ossa_diff_scenes(const ossa_scene *a, const ossa_scene *b, const ossa_diff_options *options,
                      ossa_diff *diff, ossa_error *error)
{
    const ossa_diff_options defaults = {0};
    ossa_diff found = {0};
    if (options == NULL) options = &defaults;
    ossa_allocator allocator = {0};
    if (options->scene != NULL) allocator = options->scene->allocator;
    const struct ossa__scene_diff job = {
        .scenes = {a, b}, .figure = a->name, .options = options, .diff = &found};
    if (error != NULL) *error = (ossa_error){0};
    if (!ossa__is_allocator(allocator)) {
        return ossa__set_error(error, OSSA_CODE_BAD_ARGUMENT, NULL, OSSA__HALF_ALLOCATOR);
    }
    bool ok = ossa__diff_scenes(&job, ossa__allocator_or_default(allocator), error);
    found.is_same = ok && found.bone_count == 0 && found.different_clip_count == 0;
    if (diff != NULL) *diff = found;
    return ok;
}
