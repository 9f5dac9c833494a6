/* SPDX-License-Identifier: MIT
 *
 * Evil Islands: edited shapes of meshes back into the morph frames of animations (ANM).
 *
 * Several vertices of a scene's mesh may be moved by one offset of a frame: see game_morph.c. If
 * the edit moves them differently, the offset is their mean, and what they lose is reported.
 * Offsets are kept where they move their vertices as the edit does, and so are those that move
 * none. */
#include "formats/evil_islands/game_clip.h"

#include "base/narrow.h"
#include "scene/edit.h"

#include <string.h>

/* A mesh being asked for its shapes. */
struct asked {
    struct ossa__edit *edit;
    uint32_t mesh;
    const struct ossa__ei_shapes *shapes;
    uint32_t vertex_count;
    float (*offsets)[3]; /* [vertex_count], in the scene */
};

/* Offsets of the scene. */
static void offset_of(const struct asked *asked, const float own[3], double offset[3])
{
    const double scale = asked->edit->assembly->options->scale;
    offset[0] = (double)own[0] * scale;
    offset[1] = (double)own[2] * scale;
    offset[2] = 0.0 - (double)own[1] * scale;
}

/* The row of morph frames that is played in a frame. */
static const float (*row_of(const ossa_ei_anm *anm, uint32_t frame))[3]
{
    uint32_t last = anm->morph_frame_count - 1;
    return anm->morphs + (size_t)(frame < last ? frame : last) * anm->morph_vertex_count;
}

/* How a frame of a file moves a vertex. NULL: there is no such file, or it does not fit. */
static void held_offset(const struct asked *asked, const ossa_ei_anm *anm, uint32_t frame,
                        uint32_t vertex, double offset[3])
{
    uint32_t moved = anm == NULL ? 0 : asked->shapes->moved[vertex];
    offset[0] = offset[1] = offset[2] = 0.0;
    if (moved != 0) offset_of(asked, row_of(anm, frame)[moved - 1], offset);
}

/* Does the edit have something to say of the meshes' shapes in this clip? */
static bool has_shapes(const struct ossa__edit *edit)
{
    const struct ossa__assembly *assembly = edit->assembly;
    if (edit->editing->find_shape == NULL || assembly->morphs == OSSA__MORPHS_NONE) return false;
    return assembly->morphs != OSSA__MORPHS_FIRST || edit->clip->morphs.count > 0;
}

/* False after a failure, and if there is nothing to ask. */
static bool start(const struct ossa__ei_clip *clip, struct ossa__edit *edit, uint32_t mesh,
                  struct asked *asked)
{
    struct ossa__assembly *assembly = edit->assembly;
    *asked = (struct asked){.edit = edit,
                            .mesh = mesh,
                            .shapes = &clip->figure->shapes[mesh],
                            .vertex_count = assembly->scene->meshes[mesh].vertex_count};
    if (!has_shapes(edit)) return false;
    asked->offsets =
        ossa__take_scratch(&assembly->context, asked->vertex_count, sizeof *asked->offsets);
    uint64_t work = (uint64_t)edit->frame_count * asked->vertex_count;
    return asked->offsets != NULL && ossa__ei_count_work(assembly, work);
}

/* The shape in a frame of the edit; false: it does not say. */
static bool ask(const struct asked *asked, const ossa_ei_anm *was, uint32_t frame)
{
    for (uint32_t i = 0; i < asked->vertex_count; i++) {
        double offset[3];
        held_offset(asked, was, frame, i, offset);
        for (unsigned k = 0; k < 3; k++) asked->offsets[i][k] = ossa__narrow(offset[k]);
    }
    return asked->edit->editing->find_shape(asked->edit, asked->mesh, frame, asked->offsets);
}

/* ---- writing ------------------------------------------------------------------------------- */

/* The wanted offsets of a frame, by offset; those that move nothing are not set. */
struct sums {
    double (*totals)[3]; /* in the scene */
    uint32_t *counts;    /* of vertices */
};

static void add_up(const struct asked *asked, const struct sums *sums)
{
    for (uint32_t i = 0; i < asked->shapes->used_count; i++) {
        uint32_t m = asked->shapes->used[i];
        memset(sums->totals[m], 0, sizeof *sums->totals);
        sums->counts[m] = 0;
    }
    for (uint32_t i = 0; i < asked->vertex_count; i++) {
        uint32_t moved = asked->shapes->moved[i];
        if (moved == 0) continue;
        double *total = sums->totals[moved - 1];
        for (unsigned k = 0; k < 3; k++) total[k] += (double)asked->offsets[i][k];
        sums->counts[moved - 1]++;
    }
}

/* Set what is wanted in a row, which may be NULL. False: the file says the same. */
static bool set_row(const struct asked *asked, const struct sums *sums, const float (*own)[3],
                    float (*row)[3])
{
    const struct ossa__assembly *assembly = asked->edit->assembly;
    const double scale = assembly->options->scale;
    bool is_changed = false;
    for (uint32_t i = 0; i < asked->shapes->used_count; i++) {
        uint32_t m = asked->shapes->used[i];
        double wanted[3];
        double held[3];
        for (unsigned k = 0; k < 3; k++) wanted[k] = sums->totals[m][k] / sums->counts[m];
        offset_of(asked, own[m], held);
        bool is_same = ossa__same_position(assembly, held, wanted);
        is_changed = is_changed || !is_same;
        if (row == NULL) continue;
        const double game[3] = {wanted[0] / scale, 0.0 - wanted[2] / scale, wanted[1] / scale};
        for (unsigned k = 0; k < 3; k++) row[m][k] = is_same ? own[m][k] : ossa__narrow(game[k]);
    }
    return is_changed;
}

/* The rows of all frames before the edit: over another length, or held. NULL after a failure. */
static float (*old_rows(struct ossa__edit *edit, const ossa_ei_anm *was))[3]
{
    struct ossa__context *context = &edit->assembly->context;
    uint32_t frames = edit->frame_count;
    uint32_t width = was->morph_vertex_count;
    if (frames != edit->plan->frame_count) {
        return (float(*)[3])ossa__ei_stretch(context, (const float *)was->morphs,
                                             was->morph_frame_count, 3 * (size_t)width,
                                             edit->plan->frame_count, frames);
    }
    float(*rows)[3] = ossa__take(context, frames, (uint64_t)width * sizeof *rows);
    for (uint32_t f = 0; rows != NULL && f < frames; f++) {
        memcpy(rows + (size_t)f * width, row_of(was, f), width * sizeof *rows);
    }
    return rows;
}

bool ossa__ei_apply_shapes(const struct ossa__ei_clip *clip, struct ossa__edit *edit, uint32_t mesh,
                           ossa_ei_anm *anm)
{
    struct ossa__context *context = &edit->assembly->context;
    struct ossa__mark mark = ossa__scratch_mark(context);
    const ossa_ei_anm was = *anm;
    bool is_retimed = edit->frame_count != edit->plan->frame_count;
    bool is_beyond = is_retimed;
    size_t last = (size_t)(was.morph_frame_count - 1) * was.morph_vertex_count;
    float(*rows)[3] = NULL; /* until something has changed */
    struct asked asked;
    if (start(clip, edit, mesh, &asked)) {
        uint64_t count = (uint64_t)asked.shapes->used[asked.shapes->used_count - 1] + 1;
        struct sums sums = {ossa__take_scratch(context, count, sizeof *sums.totals),
                            ossa__take_scratch(context, count, sizeof *sums.counts)};
        for (uint32_t f = 0; !context->failed && f < edit->frame_count; f++) {
            bool is_held = f >= was.morph_frame_count;
            const float(*own)[3] = row_of(&was, f);
            if (is_held && rows != NULL) own = (const float(*)[3])rows + last;
            if (!ask(&asked, &was, f)) break;
            add_up(&asked, &sums);
            bool is_changed = set_row(&asked, &sums, own, NULL);
            if (!is_changed && !is_retimed && rows == NULL) continue;
            if (rows == NULL) rows = old_rows(edit, &was);
            if (rows == NULL) break;
            (void)set_row(&asked, &sums, own, rows + (size_t)f * was.morph_vertex_count);
            is_beyond = is_beyond || (is_changed && is_held);
        }
    }
    ossa__scratch_release(context, mark);
    if (context->failed || rows == NULL) return false;
    anm->morphs = (const float(*)[3])rows;
    if (is_beyond) anm->morph_frame_count = edit->frame_count;
    return true;
}

/* ---- losses -------------------------------------------------------------------------------- */

/* How far the farthest vertex is from where the edit has it; 0: none is. */
static double find_worst(const struct asked *asked, const ossa_ei_anm *anm, uint32_t frame)
{
    double worst = 0.0;
    for (uint32_t i = 0; i < asked->vertex_count; i++) {
        double held[3];
        double wanted[3];
        double square = 0.0;
        held_offset(asked, anm, frame, i, held);
        for (unsigned k = 0; k < 3; k++) {
            wanted[k] = (double)asked->offsets[i][k];
            square += (wanted[k] - held[k]) * (wanted[k] - held[k]);
        }
        if (square <= worst * worst) continue;
        if (!ossa__same_position(asked->edit->assembly, held, wanted)) worst = sqrt(square);
    }
    return worst;
}

void ossa__ei_check_shapes(const struct ossa__ei_clip *clip, struct ossa__edit *edit, uint32_t mesh,
                           const ossa_ei_anm *was, const ossa_ei_anm *anm)
{
    const struct ossa__ei_figure *figure = clip->figure;
    struct ossa__context *context = &edit->assembly->context;
    struct ossa__mark mark = ossa__scratch_mark(context);
    uint32_t bone = edit->assembly->scene->meshes[mesh].bone;
    struct asked asked;
    /* What did not fit a mesh before does not now. */
    bool fits = was != NULL && ossa__ei_mesh_morphed(figure, bone, was) != 0;
    if (start(clip, edit, mesh, &asked)) {
        for (uint32_t f = 0; f < edit->frame_count; f++) {
            if (!ask(&asked, fits ? was : NULL, f)) break;
            double worst = find_worst(&asked, fits ? anm : NULL, f);
            if (worst > 0.0) ossa__edit_lose(edit, OSSA__LOSS_SHAPE, bone, f, worst);
        }
    }
    ossa__scratch_release(context, mark);
}
