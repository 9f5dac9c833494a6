/* SPDX-License-Identifier: MIT */
#include "import/shapes.h"

#include "base/index.h"
#include "base/narrow.h"
#include "codec/sort.h"
#include "import/curves.h"
#include "scene/edit.h"

#include <float.h>
#include <string.h>

/* More vertices of a motion than this on one of the scene are not looked at: nobody means them, and
 * they would take time. */
enum { MOST_TWINS = 16 };

/* A mesh of the scene in the motion. */
struct shape {
    bool is_known;                        /* the rest is filled in */
    const struct ossa__motion_mesh *mesh; /* NULL: the motion does not have it */
    uint32_t node;
    struct ossa__quat turn; /* from the space of the motion's mesh to that of the bone */
    const uint32_t *first;  /* by vertex of the scene's mesh, and one more: in `twins` */
    const uint32_t *twins;  /* vertices of the motion's mesh */
    double *weights;
    uint32_t *targets; /* those with a weight, at the time */
    uint32_t target_count;
    const struct ossa__motion_clip *clip;   /* that was asked for last */
    const struct ossa__motion_curve *curve; /* its weights; NULL: none */
};

struct ossa__shapes {
    struct ossa__assembly *assembly;
    const struct ossa__motion *motion;
    struct ossa__index names; /* of nodes with a mesh, and of their meshes: the node */
    int64_t only;             /* the only node with a mesh; -1: there are others, or none */
    bool are_moved;           /* by some clip */
    struct shape *shapes;     /* by mesh of the scene */
};

static const struct ossa__motion_mesh *mesh_of(const struct ossa__motion *motion, uint32_t node)
{
    int32_t mesh = motion->nodes[node].mesh;
    bool has_targets =
        mesh >= 0 && (uint32_t)mesh < motion->mesh_count && motion->meshes[mesh].target_count > 0;
    return has_targets ? &motion->meshes[mesh] : NULL;
}

static void add_name(struct ossa__shapes *shapes, const char *name, uint32_t node)
{
    if (name[0] == '\0') return;
    (void)ossa__index_add(&shapes->names, name, (uint32_t)strlen(name), node);
}

/* Does a clip move the shapes of a mesh? */
static bool has_weights(const struct ossa__motion *motion)
{
    for (uint32_t c = 0; c < motion->clip_count; c++) {
        const struct ossa__motion_clip *clip = &motion->clips[c];
        for (uint32_t i = 0; i < clip->curve_count; i++) {
            if (clip->curves[i].target == OSSA__MOTION_WEIGHTS) return true;
        }
    }
    return false;
}

struct ossa__shapes *ossa__shapes_start(struct ossa__assembly *assembly,
                                        const struct ossa__motion *motion)
{
    struct ossa__context *context = &assembly->context;
    uint32_t count = assembly->scene->mesh_count;
    struct ossa__shapes *shapes = ossa__take(context, 1, sizeof *shapes);
    uint64_t names = 2 * (uint64_t)motion->node_count + 1;
    void *memory = ossa__take(context, 1, ossa__index_size(names));
    struct shape *items = ossa__take(context, count, sizeof *items);
    if (items == NULL) return NULL;
    memset(items, 0, count * sizeof *items);
    *shapes =
        (struct ossa__shapes){.assembly = assembly, .motion = motion, .only = -1, .shapes = items};
    ossa__index_start(&shapes->names, memory, names, NULL);
    uint32_t known = 0;
    for (uint32_t n = 0; n < motion->node_count; n++) {
        if (mesh_of(motion, n) == NULL) continue;
        add_name(shapes, motion->nodes[n].name, n);
        shapes->only = known++ == 0 ? (int64_t)n : -1;
    }
    for (uint32_t n = 0; n < motion->node_count; n++) {
        const struct ossa__motion_mesh *mesh = mesh_of(motion, n);
        if (mesh != NULL) add_name(shapes, mesh->name, n);
    }
    /* Programs that cannot write weights, or were told not to, leave them out of all clips, and the
     * meshes have what was shown last. A clip without them beside others with them means it. */
    shapes->are_moved = has_weights(motion);
    if (known > 0 && !shapes->are_moved) {
        ossa__assembly_remark(assembly, NULL, OSSA_CODE_MISFIT,
                              "no clip of the edit moves its shape keys; the shapes of the files "
                              "are left alone");
    }
    return shapes;
}

/* ---- vertices ------------------------------------------------------------------------------ */

/* The vertices of the motion's mesh, in cells of space. A cell is larger than the distance at which
 * two vertices are one, so that those near a vertex are in at most eight cells. */
struct grid {
    struct ossa__assembly *assembly;
    const struct ossa__motion_mesh *mesh;
    double cell;
    uint32_t *order; /* vertices, by cell */
};

/* Coordinates of cells are whole numbers, as far as there are such. */
static void cell_of(const struct grid *grid, const double position[3], double cell[3])
{
    for (unsigned k = 0; k < 3; k++) cell[k] = floor(position[k] / grid->cell);
}

static void position_at(const struct grid *grid, uint32_t vertex, double position[3])
{
    for (unsigned k = 0; k < 3; k++) position[k] = (double)grid->mesh->positions[vertex][k];
}

static int compare_cells(const double a[3], const double b[3])
{
    for (unsigned k = 0; k < 3; k++) {
        if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
    }
    return 0;
}

static int compare_to_cell(const struct grid *grid, uint32_t vertex, const double cell[3])
{
    double position[3];
    double own[3];
    position_at(grid, vertex, position);
    cell_of(grid, position, own);
    return compare_cells(own, cell);
}

static bool cell_before(const void *a, const void *b, void *user)
{
    const struct grid *grid = user;
    double position[3];
    double cell[3];
    position_at(grid, *(const uint32_t *)b, position);
    cell_of(grid, position, cell);
    return compare_to_cell(grid, *(const uint32_t *)a, cell) < 0;
}

static bool start_grid(struct grid *grid)
{
    const struct ossa__motion_mesh *mesh = grid->mesh;
    struct ossa__context *context = &grid->assembly->context;
    double size = 0.0;
    grid->order = ossa__take_scratch(context, mesh->vertex_count, sizeof *grid->order);
    for (uint32_t i = 0; grid->order != NULL && i < mesh->vertex_count; i++) {
        grid->order[i] = i;
        for (unsigned k = 0; k < 3; k++) {
            size = fmax(size, fabs((double)mesh->positions[i][k]));
        }
    }
    /* As in ossa__same_position, and more. */
    grid->cell = 4.0 * fmax(OSSA__KEPT_METRES * grid->assembly->options->scale,
                            8.0 * (double)FLT_EPSILON * size);
    return grid->order != NULL && ossa__sort(context, grid->order, mesh->vertex_count,
                                             sizeof *grid->order, cell_before, grid);
}

/* Add the vertices of a cell that are at a position; gives how many are known then. */
static uint32_t search_cell(const struct grid *grid, const double cell[3], const double position[3],
                            uint32_t known, uint32_t twins[MOST_TWINS])
{
    uint32_t low = 0;
    uint32_t high = grid->mesh->vertex_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_to_cell(grid, grid->order[middle], cell) < 0) low = middle + 1;
        else high = middle;
    }
    for (uint32_t i = 0; i < MOST_TWINS && low + i < grid->mesh->vertex_count; i++) {
        uint32_t vertex = grid->order[low + i];
        double found[3];
        if (compare_to_cell(grid, vertex, cell) != 0) break;
        position_at(grid, vertex, found);
        if (known == MOST_TWINS || !ossa__same_position(grid->assembly, found, position)) continue;
        twins[known++] = vertex;
    }
    return known;
}

/* The vertices of the motion's mesh at a position; gives how many. */
static uint32_t find_twins(const struct grid *grid, const double position[3],
                           uint32_t twins[MOST_TWINS])
{
    double low[3];
    double high[3];
    double corner[3];
    uint32_t known = 0;
    for (unsigned k = 0; k < 3; k++) corner[k] = position[k] - grid->cell / 4.0;
    cell_of(grid, corner, low);
    for (unsigned k = 0; k < 3; k++) corner[k] = position[k] + grid->cell / 4.0;
    cell_of(grid, corner, high);
    for (unsigned n = 0; n < 8; n++) {
        double cell[3];
        bool is_new = true;
        for (unsigned k = 0; k < 3; k++) {
            bool is_high = (n >> k & 1) != 0;
            is_new = is_new && (!is_high || high[k] > low[k]);
            cell[k] = is_high ? high[k] : low[k];
        }
        if (is_new) known = search_cell(grid, cell, position, known, twins);
    }
    return known;
}

/* ---- meshes -------------------------------------------------------------------------------- */

/* Where a bone is at rest, in the model. */
struct rest {
    struct ossa__quat rotation;
    double translation[3];
};

static struct rest rest_of(const ossa_scene *scene, uint32_t bone)
{
    struct rest rest = {{0.0, 0.0, 0.0, 1.0}, {0.0, 0.0, 0.0}};
    for (int64_t b = bone; b >= 0; b = scene->bones[b].parent) {
        const ossa_transform *local = &scene->bones[b].rest;
        struct ossa__quat rotation = ossa__quat_load(local->rotation);
        double moved[3];
        (void)ossa__quat_normalise(&rotation);
        ossa__quat_rotate(rotation, rest.translation, moved);
        for (unsigned k = 0; k < 3; k++) {
            rest.translation[k] = moved[k] + (double)local->translation[k];
        }
        rest.rotation = ossa__quat_multiply(rotation, rest.rotation);
    }
    return rest;
}

/* Find all vertices of a mesh that is at `rest` in that of the motion. False: one is missing, or
 * after a failure. */
static bool match_vertices(struct ossa__shapes *shapes, const ossa_mesh *mesh,
                           const struct rest *rest, struct shape *shape)
{
    struct ossa__context *context = &shapes->assembly->context;
    struct grid grid = {.assembly = shapes->assembly, .mesh = shape->mesh};
    uint32_t *first = ossa__take(context, (uint64_t)mesh->vertex_count + 1, sizeof *first);
    if (first == NULL || !start_grid(&grid)) return false;
    uint32_t *twins = NULL;
    for (unsigned round = 0; round < 2; round++) { /* count them, then list them */
        uint32_t used = 0;
        for (uint32_t i = 0; i < mesh->vertex_count; i++) {
            uint32_t found[MOST_TWINS];
            double own[3];
            double position[3];
            for (unsigned k = 0; k < 3; k++) own[k] = (double)mesh->positions[i][k];
            ossa__quat_rotate(rest->rotation, own, position);
            for (unsigned k = 0; k < 3; k++) position[k] += rest->translation[k];
            uint32_t count = find_twins(&grid, position, found);
            if (count == 0 || used > UINT32_MAX - count) return false;
            first[i] = used;
            if (twins != NULL) memcpy(twins + used, found, count * sizeof *twins);
            used += count;
        }
        first[mesh->vertex_count] = used;
        if (round == 0) twins = ossa__take(context, used, sizeof *twins);
        if (twins == NULL) return false;
    }
    shape->first = first;
    shape->twins = twins;
    shape->turn = ossa__quat_conjugate(rest->rotation);
    return true;
}

/* The mesh of a node, in the bone's own space or, as part of a skin, in the model's. */
static bool match_node(struct ossa__shapes *shapes, const ossa_mesh *mesh, uint32_t node,
                       bool is_skin, struct shape *shape)
{
    struct ossa__context *context = &shapes->assembly->context;
    struct rest rest = {{0.0, 0.0, 0.0, 1.0}, {0.0, 0.0, 0.0}};
    if (is_skin) rest = rest_of(shapes->assembly->scene, mesh->bone);
    struct ossa__mark mark = ossa__scratch_mark(context);
    *shape = (struct shape){.is_known = true, .mesh = mesh_of(shapes->motion, node), .node = node};
    bool is_found = shape->mesh != NULL && match_vertices(shapes, mesh, &rest, shape);
    ossa__scratch_release(context, mark);
    if (is_found) {
        uint32_t count = shape->mesh->target_count;
        shape->weights = ossa__take(context, count, sizeof *shape->weights);
        shape->targets = ossa__take(context, count, sizeof *shape->targets);
    }
    if (!is_found || context->failed) shape->mesh = NULL;
    return shape->mesh != NULL;
}

static int64_t find_node(struct ossa__shapes *shapes, const char *name)
{
    return ossa__index_find(&shapes->names, name, (uint32_t)strlen(name));
}

static void find_mesh(struct ossa__shapes *shapes, const ossa_mesh *mesh, struct shape *shape)
{
    int64_t node = find_node(shapes, shapes->assembly->scene->bones[mesh->bone].name);
    *shape = (struct shape){.is_known = true};
    if (node < 0) node = find_node(shapes, mesh->name);
    if (node >= 0 && match_node(shapes, mesh, (uint32_t)node, false, shape)) return;
    if (shapes->only >= 0 && match_node(shapes, mesh, (uint32_t)shapes->only, true, shape)) return;
    if (node < 0 || shapes->assembly->context.failed) return;
    ossa__assembly_remark(shapes->assembly, NULL, OSSA_CODE_MISFIT,
                          "the mesh '%s' of the edit is another one without its shape keys than "
                          "that of the files; its shapes are left alone",
                          mesh->name);
}

/* ---- shapes -------------------------------------------------------------------------------- */

/* The weights at a time: of the clip's curve, or those of the mesh where there is none. */
static void find_weights(struct shape *shape, const struct ossa__motion_clip *clip, double time,
                         double near)
{
    if (shape->clip != clip) {
        shape->clip = clip;
        shape->curve = NULL;
        for (uint32_t i = 0; i < clip->curve_count; i++) {
            const struct ossa__motion_curve *curve = &clip->curves[i];
            bool is_own = curve->node == shape->node && curve->target == OSSA__MOTION_WEIGHTS &&
                          curve->width == shape->mesh->target_count;
            if (is_own) shape->curve = curve;
        }
    }
    if (shape->curve != NULL) ossa__sample_curve(shape->curve, time, near, shape->weights);
    shape->target_count = 0;
    for (uint32_t t = 0; t < shape->mesh->target_count; t++) {
        if (shape->curve == NULL) shape->weights[t] = (double)shape->mesh->weights[t];
        if (shape->weights[t] != 0.0) shape->targets[shape->target_count++] = t;
    }
}

static void offset_of(const struct shape *shape, uint32_t vertex, double offset[3])
{
    double sum[3] = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < shape->target_count; i++) {
        uint32_t target = shape->targets[i];
        const float *moved =
            shape->mesh->targets[(size_t)target * shape->mesh->vertex_count + vertex];
        for (unsigned k = 0; k < 3; k++) sum[k] += shape->weights[target] * (double)moved[k];
    }
    ossa__quat_rotate(shape->turn, sum, offset);
}

bool ossa__shape_at(struct ossa__shapes *shapes, uint32_t mesh,
                    const struct ossa__motion_clip *clip, double time, double near,
                    float (*offsets)[3])
{
    const ossa_mesh *own = &shapes->assembly->scene->meshes[mesh];
    struct shape *shape = &shapes->shapes[mesh];
    if (!shapes->are_moved) return false;
    if (!shape->is_known) find_mesh(shapes, own, shape);
    if (shape->mesh == NULL || shapes->assembly->context.failed) return false;
    find_weights(shape, clip, time, near);
    for (uint32_t i = 0; i < own->vertex_count; i++) {
        double best[3] = {0.0, 0.0, 0.0};
        double least = INFINITY;
        for (uint32_t t = shape->first[i]; t < shape->first[i + 1]; t++) {
            double offset[3];
            double square = 0.0;
            offset_of(shape, shape->twins[t], offset);
            for (unsigned k = 0; k < 3; k++) {
                square += (offset[k] - (double)offsets[i][k]) * (offset[k] - (double)offsets[i][k]);
            }
            if (!(square < least)) continue;
            least = square;
            memcpy(best, offset, sizeof best);
        }
        for (unsigned k = 0; k < 3; k++) offsets[i][k] = ossa__narrow(best[k]);
    }
    return true;
}
