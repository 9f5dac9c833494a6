/* SPDX-License-Identifier: MIT */
#include "support/editing.h"

#include "ossa/sample.h"

#include <stdlib.h>
#include <string.h>

/* The local poses of a clip's frame as an edit has them. */
static void take_frame(const ossa_scene *scene, const ossa_clip *clip, uint32_t frame,
                       struct ossa__edit_pose *poses)
{
    ossa_transform *locals = calloc(scene->bone_count + 1, sizeof *locals);
    uint8_t *visible = calloc(scene->bone_count + 1, 1);
    if (locals == NULL || visible == NULL) abort();
    ossa_sample_frame(scene, clip, frame, locals, visible);
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        struct ossa__edit_pose *pose = &poses[b];
        *pose = (struct ossa__edit_pose){.local = ossa__quat_load(locals[b].rotation),
                                         .is_visible = visible[b] != 0};
        (void)ossa__quat_normalise(&pose->local);
        for (unsigned k = 0; k < 3; k++) {
            pose->translation[k] = (double)locals[b].translation[k];
            pose->scale[k] = (double)locals[b].scale[k];
        }
    }
    free(locals);
    free(visible);
}

static void find_worlds(const ossa_scene *scene, struct ossa__edit_pose *poses)
{
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        int32_t parent = scene->bones[b].parent;
        poses[b].world = poses[b].local;
        if (parent >= 0) {
            poses[b].world = ossa__quat_multiply(poses[parent].world, poses[b].local);
        }
        (void)ossa__quat_normalise(&poses[b].world);
    }
}

static void on_clip(struct ossa__editing *base, struct ossa__assembly *assembly,
                    const struct ossa__clip_plan *plan, const ossa_clip *clip)
{
    struct editing *editing = (struct editing *)base;
    const ossa_scene *scene = assembly->scene;
    if (plan->apply == NULL) return;
    if (editing->clip != NULL && strcmp(editing->clip, clip->name) != 0) return;
    uint32_t frames = editing->frame_count > 0 ? editing->frame_count : plan->frame_count;
    struct ossa__edit_pose *poses = calloc((size_t)frames * scene->bone_count + 1, sizeof *poses);
    const struct ossa__edit_pose **rows = calloc(frames, sizeof *rows);
    if (poses == NULL || rows == NULL) abort();
    for (uint32_t f = 0; f < frames; f++) {
        struct ossa__edit_pose *row = poses + (size_t)f * scene->bone_count;
        rows[f] = row;
        uint32_t from = f < plan->frame_count ? f : plan->frame_count - 1;
        take_frame(scene, clip, from * plan->keys_per_frame, row);
        for (uint32_t b = 0; b < scene->bone_count && editing->change != NULL; b++) {
            editing->change(editing->user, clip->name, f, b, &row[b]);
        }
        find_worlds(scene, row);
    }
    double limit = editing->limit > 0.0 ? editing->limit : 0.1;
    struct ossa__edit edit = {.editing = base,
                              .assembly = assembly,
                              .plan = plan,
                              .clip = clip,
                              .name = editing->new_name != NULL ? editing->new_name : clip->name,
                              .is_new = editing->new_name != NULL,
                              .frame_count = frames,
                              .rows = rows,
                              .limit = limit * 3.14159265358979323846 / 180.0};
    plan->apply(plan->user, &edit);
    if (edit.file_count > 0) editing->changed_clips++;
    free(rows);
    free(poses);
}

bool editing_run(struct editing *editing, const ossa_input *inputs, size_t count,
                 const ossa_scene_options *options)
{
    editing->editing.on_clip = on_clip;
    editing->scene =
        ossa__assemble_edited(inputs, count, options, &editing->editing, &editing->error);
    return editing->scene != NULL;
}

void editing_free(struct editing *editing)
{
    ossa_scene_free(editing->scene);
    editing->scene = NULL;
}

bool editing_write(struct editing *editing, size_t file, ossa_buffer *bytes)
{
    const struct ossa__edited_file *edited = &editing->editing.files[file];
    struct ossa__context context;
    struct ossa__writer *writer = malloc(sizeof *writer);
    if (writer == NULL) abort();
    ossa__context_init(&context, NULL, edited->part->input->file->size);
    ossa__writer_init(writer, &context, ossa_buffer_sink(bytes));
    ossa__format_of(edited->part->input->file)->write(&context, edited->contents, writer);
    bool ok = ossa__writer_finish(writer);
    ossa__hand_over_error(&context, &editing->error);
    ossa__arena_free(&context.scratch);
    ossa__arena_free(&context.arena);
    free(writer);
    return ok;
}
