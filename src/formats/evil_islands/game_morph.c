/* SPDX-License-Identifier: MIT
 *
 * Morph frames (ANM) as targets of a mesh.
 *
 * The game adds morphs[f][m] to the vertices that the figure's morph components give m, in the
 * part's own space and before the part is rotated, and interpolates linearly between frames. A
 * scene does the same with targets: one for each frame, shared by all that are equal. Where a clip
 * is resampled, a moment between two frames is a target of its own, on the straight line: a key of
 * a scene is a whole shape. */
#include "formats/evil_islands/game.h"

#include "base/bytes.h"
#include "codec/reader.h"
#include "codec/sort.h"

#include <inttypes.h>

/* ---- what moves a mesh --------------------------------------------------------------------- */

/* The offset that moves each vertex of the figure + 1; the first that names it counts. */
static uint32_t *list_offsets(struct ossa__context *context, const ossa_ei_fig *fig)
{
    uint64_t count = 4 * (uint64_t)fig->vertex_block_count;
    uint32_t *offsets = ossa__take(context, count, sizeof *offsets);
    if (offsets == NULL) return NULL;
    memset(offsets, 0, (size_t)count * sizeof *offsets);
    for (uint32_t i = 0; i < fig->morph_component_count; i++) {
        const ossa_ei_morph_component *component = &fig->morph_components[i];
        if (component->vertex >= count || offsets[component->vertex] != 0) continue;
        offsets[component->vertex] = (uint32_t)component->morph + 1;
    }
    return offsets;
}

void ossa__ei_shapes_start(struct ossa__context *context, const ossa_ei_fig *fig,
                           const uint16_t *vertices, uint32_t count, struct ossa__ei_shapes *shapes)
{
    *shapes = (struct ossa__ei_shapes){0};
    if (fig->morph_component_count == 0) return;
    const uint32_t *offsets = list_offsets(context, fig);
    uint32_t *moved = ossa__take(context, count, sizeof *moved);
    uint8_t is_used[(UINT16_MAX + 1) / 8] = {0}; /* a bit for each offset that there may be */
    if (offsets == NULL || moved == NULL) return;
    for (uint32_t i = 0; i < count; i++) {
        moved[i] = offsets[vertices[i]];
        if (moved[i] == 0) continue;
        uint8_t *bits = &is_used[(moved[i] - 1) / 8];
        uint8_t bit = (uint8_t)(1U << (moved[i] - 1) % 8);
        shapes->used_count += (*bits & bit) == 0;
        *bits |= bit;
    }
    uint16_t *used = ossa__take(context, shapes->used_count, sizeof *used);
    for (uint32_t m = 0, n = 0; used != NULL && m <= UINT16_MAX; m++) {
        if ((is_used[m / 8] >> m % 8 & 1) != 0) used[n++] = (uint16_t)m;
    }
    shapes->moved = moved;
    shapes->used = used;
}

bool ossa__ei_shapes_fit(const struct ossa__ei_shapes *shapes, const ossa_ei_anm *anm)
{
    return shapes->used_count > 0 && shapes->used[shapes->used_count - 1] < anm->morph_vertex_count;
}

/* ---- shapes -------------------------------------------------------------------------------- */

/* How far an offset moves its vertices along an axis of the game; never -0. */
static double offset_at(const struct ossa__ei_shape *shape, uint32_t offset, unsigned axis)
{
    const float(*morphs)[3] = shape->anm->morphs;
    size_t width = shape->anm->morph_vertex_count;
    double from = (double)morphs[shape->from * width + offset][axis];
    if (shape->part == 0.0) return from + 0.0;
    double to = (double)morphs[shape->to * width + offset][axis];
    return from + (to - from) * shape->part + 0.0;
}

/* The same as the bits that a target would have. */
static uint32_t bits_at(const struct ossa__ei_shape *shape, uint32_t offset, unsigned axis)
{
    return ossa__bits_from_f32((float)offset_at(shape, offset, axis) + 0.0F);
}

/* Fill in the hash; false where nothing is moved. FNV-1a over words. */
static bool hash_shape(const struct ossa__ei_shapes *shapes, struct ossa__ei_shape *shape)
{
    uint32_t any = 0;
    shape->hash = 14695981039346656037U;
    for (uint32_t i = 0; i < shapes->used_count; i++) {
        for (unsigned k = 0; k < 3; k++) {
            uint32_t bits = bits_at(shape, shapes->used[i], k);
            shape->hash = (shape->hash ^ bits) * 1099511628211U;
            any |= bits;
        }
    }
    return any != 0;
}

static int compare_shapes(const struct ossa__ei_shapes *shapes, const struct ossa__ei_shape *a,
                          const struct ossa__ei_shape *b)
{
    if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
    for (uint32_t i = 0; i < shapes->used_count; i++) {
        for (unsigned k = 0; k < 3; k++) {
            uint32_t x = bits_at(a, shapes->used[i], k);
            uint32_t y = bits_at(b, shapes->used[i], k);
            if (x != y) return x < y ? -1 : 1;
        }
    }
    return 0;
}

/* Room for one more. What was too small stays in the arena: all of it together is as much again. */
static bool make_room(struct ossa__context *context, struct ossa__ei_shapes *shapes)
{
    if (shapes->count < shapes->capacity) return true;
    uint32_t capacity = shapes->capacity == 0 ? 64 : shapes->capacity;
    if (capacity > INT32_MAX / 2) {
        return ossa__fail_nowhere(context, OSSA_CODE_LIMIT, "", "too many morph frames");
    }
    struct ossa__ei_shape *items = ossa__take(context, 2 * (uint64_t)capacity, sizeof *items);
    if (items == NULL) return false;
    if (shapes->count > 0) memcpy(items, shapes->items, shapes->count * sizeof *items);
    shapes->items = items;
    shapes->capacity = 2 * capacity;
    return true;
}

bool ossa__ei_count_work(struct ossa__assembly *assembly, uint64_t offsets)
{
    if (offsets <= assembly->max_poses - assembly->poses) {
        assembly->poses += offsets;
        return true;
    }
    return ossa__fail_nowhere(&assembly->context, OSSA_CODE_LIMIT, "",
                              "too many morph frames: all clips together may have %" PRIu64
                              " bone poses and vertex positions",
                              assembly->max_poses);
}

uint32_t ossa__ei_note_shape(struct ossa__ei_figure *figure, uint32_t mesh, const ossa_ei_anm *anm,
                             double frame)
{
    struct ossa__ei_shapes *shapes = &figure->shapes[mesh];
    struct ossa__ei_shape shape = {.anm = anm};
    ossa__ei_find_keys(frame, anm->morph_frame_count, &shape.from, &shape.to, &shape.part);
    const struct ossa__ei_shape *last = &shapes->last;
    if (last->anm == anm && last->from == shape.from && last->part == shape.part) {
        return shapes->last_key; /* as in all frames after the last */
    }
    if (!ossa__ei_count_work(figure->assembly, shapes->used_count)) return 0;
    shapes->last = shape;
    shapes->last_key = 0;
    if (!hash_shape(shapes, &shape)) return 0;
    if (!make_room(&figure->assembly->context, shapes)) return 0;
    shapes->items[shapes->count++] = shape;
    shapes->last_key = shapes->count;
    return shapes->last_key;
}

/* ---- targets ------------------------------------------------------------------------------- */

static bool shape_before(const void *a, const void *b, void *user)
{
    const struct ossa__ei_shapes *shapes = user;
    return compare_shapes(shapes, &shapes->items[*(const uint32_t *)a],
                          &shapes->items[*(const uint32_t *)b]) < 0;
}

/* The target + 1 of each shape that was noted, in the order of their first appearance; those that
 * are equal have the same. NULL after a failure. */
static uint32_t *number_shapes(struct ossa__context *context, struct ossa__ei_shapes *shapes,
                               uint32_t *target_count)
{
    uint32_t *order = ossa__take(context, shapes->count, sizeof *order);
    uint32_t *targets = ossa__take(context, shapes->count, sizeof *targets);
    if (targets == NULL) return NULL;
    for (uint32_t i = 0; i < shapes->count; i++) order[i] = i;
    if (!ossa__sort(context, order, shapes->count, sizeof *order, shape_before, shapes)) {
        return NULL;
    }
    /* The sort is stable: the first of a run of equal ones is the first that was noted. */
    for (uint32_t i = 0, first = 0; i < shapes->count; i++) {
        bool is_new = i == 0 || compare_shapes(shapes, &shapes->items[order[i - 1]],
                                               &shapes->items[order[i]]) != 0;
        if (is_new) first = order[i];
        targets[order[i]] = first;
    }
    *target_count = 0;
    for (uint32_t i = 0; i < shapes->count; i++) {
        targets[i] = targets[i] == i ? ++*target_count : targets[targets[i]];
    }
    return targets;
}

static void fill_target(const struct ossa__ei_figure *figure, const struct ossa__ei_shapes *shapes,
                        const struct ossa__ei_shape *shape, uint32_t vertices, float (*target)[3])
{
    for (uint32_t i = 0; i < vertices; i++) {
        double offset[3] = {0.0, 0.0, 0.0};
        for (unsigned k = 0; k < 3 && shapes->moved[i] != 0; k++) {
            offset[k] =
                offset_at(shape, shapes->moved[i] - 1, k) * figure->assembly->options->scale;
        }
        ossa__ei_to_scene(offset, target[i]);
    }
}

static const uint32_t *add_targets(struct ossa__ei_figure *figure, uint32_t mesh)
{
    struct ossa__context *context = &figure->assembly->context;
    ossa_scene *scene = figure->assembly->scene;
    ossa_mesh *added = (ossa_mesh *)(uintptr_t)&scene->meshes[mesh];
    struct ossa__ei_shapes *shapes = &figure->shapes[mesh];
    uint32_t count = 0;
    const uint32_t *numbers = number_shapes(context, shapes, &count);
    if (numbers == NULL) return NULL;
    uint64_t values = (uint64_t)count * added->vertex_count;
    float(*targets)[3] = ossa__take(context, values, sizeof *targets);
    for (uint32_t i = 0, done = 0; targets != NULL && i < shapes->count; i++) {
        if (numbers[i] <= done) continue;
        fill_target(figure, shapes, &shapes->items[i], added->vertex_count,
                    targets + (size_t)done * added->vertex_count);
        done++;
    }
    if (targets == NULL) return NULL;
    added->target_count = count;
    added->targets = (const float(*)[3])targets;
    return numbers;
}

void ossa__ei_add_targets(struct ossa__ei_figure *figure)
{
    struct ossa__context *context = &figure->assembly->context;
    const ossa_scene *scene = figure->assembly->scene;
    const uint32_t **numbers = ossa__take(context, scene->mesh_count, sizeof *numbers);
    for (uint32_t m = 0; numbers != NULL && m < scene->mesh_count; m++) {
        numbers[m] = NULL;
        if (figure->shapes[m].count > 0) numbers[m] = add_targets(figure, m);
    }
    if (numbers == NULL || context->failed) return;
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        const ossa_clip *clip = &scene->clips[c];
        const ossa_morph_tracks *tracks = &clip->morphs;
        int32_t *keys = (int32_t *)(uintptr_t)tracks->keys;
        for (uint64_t i = 0; i < (uint64_t)clip->frame_count * tracks->count; i++) {
            const uint32_t *targets = numbers[tracks->meshes[i % tracks->count]]; /* + 1 */
            if (keys[i] >= 0) keys[i] = (int32_t)targets[keys[i]] - 1;
        }
    }
}
