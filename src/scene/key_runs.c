/* SPDX-License-Identifier: MIT
 *
 * Where the keys of a clip are stored, as runs of keys at equal distances. A game says it for the
 * frames of its files; here they become those of the scene. */
#include "scene/key_runs.h"

#include <string.h>

enum { CHANNELS = OSSA_KEY_CHANNEL_VISIBLE + 1 };

/* The number of a part's file in the scene; 0 after a failure. */
static uint32_t number_file(struct ossa__assembly *assembly, const struct ossa__part *part)
{
    struct ossa__context *context = &assembly->context;
    ossa_scene *scene = assembly->scene;
    if (assembly->key_files == NULL) {
        assembly->key_files = ossa__take(context, assembly->part_count, sizeof(char *));
        assembly->file_numbers =
            ossa__take(context, assembly->part_count, sizeof *assembly->file_numbers);
        if (context->failed) return 0;
        memset(assembly->file_numbers, 0, assembly->part_count * sizeof *assembly->file_numbers);
        scene->key_files = assembly->key_files;
    }
    uint32_t *number = &assembly->file_numbers[part - assembly->parts];
    if (*number == 0) {
        const char *path = ossa__copy_text(assembly, part->shown, strlen(part->shown));
        if (path == NULL) return 0;
        assembly->key_files[scene->key_file_count++] = path;
        *number = scene->key_file_count;
    }
    return *number - 1;
}

static ossa_key_run *append(struct ossa__key_recorder *recorder)
{
    struct ossa__context *context = &recorder->assembly->context;
    if (recorder->count == recorder->capacity) {
        uint32_t capacity = recorder->capacity == 0 ? 64 : recorder->capacity * 2;
        ossa_key_run *runs = ossa__take_scratch(context, capacity, sizeof *runs);
        if (runs == NULL) return NULL;
        if (recorder->count > 0) memcpy(runs, recorder->runs, recorder->count * sizeof *runs);
        recorder->runs = runs;
        recorder->capacity = capacity;
    }
    return &recorder->runs[recorder->count++];
}

/* Frames of the plan as frames of the scene. What stays the same is not resampled. */
static void resample(const struct ossa__key_recorder *recorder, ossa_key_run *run)
{
    uint32_t by = recorder->keys_per_frame;
    uint32_t last = (run->first_frame + run->frame_count - 1) * by;
    run->first_frame *= by;
    run->frame_step = by;
    if (run->stride != 0 || run->frame_count == 1) return;
    run->frame_step = 1;
    run->frame_count = last - run->first_frame + 1;
}

void ossa__record_run(struct ossa__key_recorder *recorder, const struct ossa__part *part,
                      ossa_key_run run)
{
    if (run.frame_count == 0 || recorder->assembly->context.failed) return;
    resample(recorder, &run);
    if (run.role == OSSA_KEY_ROLE_HELD) {
        uint32_t between = recorder->keys_per_frame - 1;
        run.frame_step = 1;
        run.first_frame -= between;
        run.frame_count += between;
    }
    run.file = part == NULL ? 0 : number_file(recorder->assembly, part);
    ossa_key_run *added = append(recorder);
    if (added != NULL) *added = run;
}

/* Make a key part of a run, if it follows at the same distance. */
static bool extend(ossa_key_run *run, const ossa_key_run *key)
{
    int64_t distance = (int64_t)(key->offset - run->offset);
    bool follows = key->first_frame == run->first_frame + run->frame_count &&
                   key->role == run->role && key->file == run->file && key->layout == run->layout;
    if (!follows) return false;
    if (run->frame_count == 1) run->stride = distance;
    else if (distance != run->stride * (int64_t)run->frame_count) return false;
    run->frame_count++;
    return true;
}

void ossa__record_key(struct ossa__key_recorder *recorder, const struct ossa__part *part,
                      ossa_key_run key)
{
    struct ossa__context *context = &recorder->assembly->context;
    uint64_t cells = (uint64_t)recorder->assembly->scene->bone_count * CHANNELS;
    if (recorder->last == NULL) {
        recorder->last = ossa__take_scratch(context, cells, sizeof *recorder->last);
        if (context->failed) return;
        memset(recorder->last, 0, (size_t)cells * sizeof *recorder->last);
    }
    uint32_t *last = &recorder->last[(size_t)key.bone * CHANNELS + (size_t)key.channel];
    key.file = part == NULL ? 0 : number_file(recorder->assembly, part);
    key.frame_count = key.frame_step = 1;
    if (*last > 0 && extend(&recorder->runs[*last - 1], &key)) return;
    ossa_key_run *added = context->failed ? NULL : append(recorder);
    if (added == NULL) return;
    *added = key;
    *last = recorder->count;
}

void ossa__record_clip(struct ossa__assembly *assembly, const struct ossa__clip_plan *plan,
                       ossa_clip *clip)
{
    struct ossa__context *context = &assembly->context;
    if (!assembly->options->trace_keys || plan->record == NULL) return;
    struct ossa__key_recorder recorder = {.assembly = assembly,
                                          .keys_per_frame = plan->keys_per_frame,
                                          .frame_count = plan->frame_count};
    struct ossa__mark mark = ossa__scratch_mark(context);
    plan->record(plan->user, &recorder);
    /* Not NULL, even if nothing is stored: that is known, then. */
    ossa_key_run *runs = ossa__take(context, (uint64_t)recorder.count + 1, sizeof *runs);
    if (!context->failed) {
        if (recorder.count > 0) memcpy(runs, recorder.runs, recorder.count * sizeof *runs);
        clip->key_runs = runs;
        clip->key_run_count = recorder.count;
    }
    ossa__scratch_release(context, mark);
}

void ossa__join_runs(struct ossa__assembly *assembly, ossa_clip *joined,
                     const ossa_clip *const *members, uint32_t count)
{
    uint64_t total = 0;
    if (!assembly->options->trace_keys) return;
    for (uint32_t i = 0; i < count; i++) {
        if (members[i]->key_runs == NULL) return;
        total += members[i]->key_run_count;
    }
    ossa_key_run *runs = ossa__take(&assembly->context, total + 1, sizeof *runs);
    if (runs == NULL || total > UINT32_MAX) return;
    uint32_t used = 0;
    uint32_t start = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t r = 0; r < members[i]->key_run_count; r++) {
            runs[used] = members[i]->key_runs[r];
            runs[used++].first_frame += start;
        }
        start += members[i]->frame_count;
    }
    joined->key_runs = runs;
    joined->key_run_count = used;
}
