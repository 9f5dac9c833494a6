/* SPDX-License-Identifier: MIT
 *
 * Shadow of the Colossus: what the strips of a model (NMO) draw, as meshes of the scene.
 *
 * A surface becomes one mesh: its draws are merged, and equal vertices of its strips are one. Where
 * a strip joins two parts it has triangles of no area, which are dropped. The game's space is that
 * of the scene mirrored in X, which also reverses triangles. Which side is the front is not known:
 * the normals decide for each surface as a whole, and without them it has two.
 *
 * Vertices of a figure are in the space of the model in its rest pose, so that no matrix is needed
 * but the skeleton's own. Texture coordinates count 4096ths, and of colours 0x80 is 1. */
#include "formats/shadow_of_the_colossus/game_mesh.h"

#include "codec/sort.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- vertices ------------------------------------------------------------------------------ */

/* Everything that vertices must share to be one; compared as bytes, so it has no padding. */
struct vertex {
    float position[3];
    float normal[3];
    float texcoord[2];
    float texcoord2[2];
    uint32_t joints[3];
    float weights[3];
    uint8_t colour[4];
};
_Static_assert(sizeof(struct vertex) == 68, "a vertex has no padding");

/* A surface being made into a mesh. */
struct maker {
    struct ossa__sotc_model *model;
    const uint32_t *strips; /* [strip_count] of the surface */
    uint32_t strip_count;
    struct vertex *vertices;
    uint32_t vertex_count;
    uint32_t *first;     /* by vertex: the first that is equal */
    uint32_t *triangles; /* [3 * triangle_count] vertices, as the scene has them */
    uint32_t triangle_count;
    bool has_normals;
    bool has_texcoords;
    bool has_texcoords2;
};

static uint8_t colour_of(uint8_t stored)
{
    unsigned scaled = (255U * stored + 64) / 128;
    return (uint8_t)(scaled > 255 ? 255 : scaled);
}

static bool has_normals(const ossa_sotc_strip *strip)
{
    return strip->normals != NULL || strip->short_normals != NULL;
}

/* A direction of length 1; up, where it has none. */
static void fill_normal(const ossa_sotc_strip *strip, uint32_t index, float normal[3])
{
    double n[3];
    for (unsigned k = 0; k < 3; k++) {
        n[k] = strip->normals != NULL ? (double)strip->normals[index][k]
                                      : (double)strip->short_normals[index][k];
    }
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    bool has_length = isfinite(length) && length > 1e-12;
    for (unsigned k = 0; k < 3; k++) {
        normal[k] = has_length ? (float)(n[k] / length) : (k == 1 ? 1.0F : 0.0F);
    }
    normal[0] = 0.0F - normal[0];
}

static void fill_texcoords(const ossa_sotc_strip *strip, uint32_t index, struct vertex *vertex)
{
    for (unsigned k = 0; k < 2; k++) {
        if (strip->texcoords4 != NULL) {
            vertex->texcoord[k] = (float)strip->texcoords4[index][k] / 4096.0F;
            vertex->texcoord2[k] = (float)strip->texcoords4[index][2 + k] / 4096.0F;
        } else if (strip->texcoords != NULL) {
            vertex->texcoord[k] = (float)strip->texcoords[index][k] / 4096.0F;
        }
    }
}

/* Vertices without weights move with the root, which is bone 0. */
static void fill_weights(const struct maker *m, const ossa_sotc_strip *strip, uint32_t index,
                         struct vertex *vertex)
{
    const struct ossa__sotc_model *model = m->model;
    vertex->weights[0] = 1.0F;
    if (strip->skin == NULL || model->is_odd[strip - model->nmo->strips]) return;
    unsigned count = ossa_sotc_weights(&strip->skin[index], model->assembly->scene->bone_count,
                                       vertex->joints, vertex->weights);
    for (unsigned k = count; k < 3; k++) {
        vertex->joints[k] = 0;
        vertex->weights[k] = 0.0F;
    }
}

static bool fill_vertex(const struct maker *m, const ossa_sotc_strip *strip, uint32_t index,
                        struct vertex *vertex)
{
    struct ossa__assembly *assembly = m->model->assembly;
    bool is_finite = true;
    *vertex = (struct vertex){.colour = {255, 255, 255, 255}};
    for (unsigned k = 0; k < 3; k++) {
        double value = (double)strip->positions[index][k] * assembly->options->scale;
        vertex->position[k] = (float)(k == 0 ? 0.0 - value : value);
        is_finite = is_finite && isfinite(vertex->position[k]);
    }
    if (!is_finite) {
        return ossa__misfit(assembly, m->model->part,
                            "strips[%" PRIu32 "] has a position that is not finite",
                            (uint32_t)(strip - m->model->nmo->strips));
    }
    if (m->has_normals) fill_normal(strip, index, vertex->normal);
    fill_texcoords(strip, index, vertex);
    for (unsigned k = 0; k < 4 && strip->colours != NULL; k++) {
        vertex->colour[k] = colour_of(strip->colours[index][k]);
    }
    if (m->model->is_skinned) fill_weights(m, strip, index, vertex);
    return true;
}

static bool fill_vertices(struct maker *m)
{
    uint32_t at = 0;
    for (uint32_t s = 0; s < m->strip_count; s++) {
        const ossa_sotc_strip *strip = &m->model->nmo->strips[m->strips[s]];
        for (uint32_t i = 0; i < strip->vertex_count; i++, at++) {
            if (!fill_vertex(m, strip, i, &m->vertices[at])) return false;
        }
    }
    return true;
}

static int compare_vertices(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct vertex));
}

static bool vertex_before(const void *a, const void *b, void *user)
{
    const struct vertex *vertices = user;
    const uint32_t *x = a;
    const uint32_t *y = b;
    return compare_vertices(&vertices[*x], &vertices[*y]) < 0;
}

/* By sorting: no file can make that slow. The sort is stable, so the first comes first. */
static bool weld(struct maker *m)
{
    struct ossa__context *context = &m->model->assembly->context;
    uint32_t *sorted = ossa__take_scratch(context, m->vertex_count, sizeof *sorted);
    m->first = ossa__take_scratch(context, m->vertex_count, sizeof *m->first);
    if (context->failed) return false;
    for (uint32_t i = 0; i < m->vertex_count; i++) sorted[i] = i;
    if (!ossa__sort(context, sorted, m->vertex_count, sizeof *sorted, vertex_before, m->vertices)) {
        return false;
    }
    for (uint32_t i = 0; i < m->vertex_count; i++) {
        bool is_equal =
            i > 0 && compare_vertices(&m->vertices[sorted[i]], &m->vertices[sorted[i - 1]]) == 0;
        m->first[sorted[i]] = is_equal ? m->first[sorted[i - 1]] : sorted[i];
    }
    return true;
}

/* ---- triangles ----------------------------------------------------------------------------- */

/* The normal of a triangle, of any length; false if it has no area but for rounding. */
static bool cross_of(const struct maker *m, const uint32_t corners[3], double cross[3])
{
    double edges[2][3];
    double lengths[2] = {0.0, 0.0};
    const float *start = m->vertices[corners[0]].position;
    for (unsigned e = 0; e < 2; e++) {
        for (unsigned k = 0; k < 3; k++) {
            edges[e][k] = (double)m->vertices[corners[e + 1]].position[k] - (double)start[k];
            lengths[e] += edges[e][k] * edges[e][k];
        }
    }
    const double *a = edges[0];
    const double *b = edges[1];
    cross[0] = a[1] * b[2] - a[2] * b[1];
    cross[1] = a[2] * b[0] - a[0] * b[2];
    cross[2] = a[0] * b[1] - a[1] * b[0];
    double area = cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2];
    return area > 1e-20 * lengths[0] * lengths[1];
}

/* Does the front of a triangle look where the normals of its corners point? 1, -1; 0: neither. */
static int facing(const struct maker *m, const uint32_t corners[3], const double cross[3])
{
    double dot = 0.0;
    for (unsigned c = 0; c < 3; c++) {
        for (unsigned k = 0; k < 3; k++) {
            dot += cross[k] * (double)m->vertices[corners[c]].normal[k];
        }
    }
    return dot > 0.0 ? 1 : dot < 0.0 ? -1 : 0;
}

/* All triangles, turned as the majority of normals wants it. */
static void gather_triangles(struct maker *m, bool *is_decided)
{
    int64_t votes = 0;
    uint32_t begin = 0;
    uint32_t *out = m->triangles;
    for (uint32_t s = 0; s < m->strip_count; s++) {
        uint32_t count = m->model->nmo->strips[m->strips[s]].vertex_count;
        for (uint32_t i = 0; i + 2 < count; i++) {
            /* Every other one of a strip is reversed, and all are by the mirror. */
            uint32_t a = m->first[begin + i + (i % 2 == 0 ? 1 : 0)];
            uint32_t b = m->first[begin + i + (i % 2 == 0 ? 0 : 1)];
            const uint32_t corners[3] = {a, b, m->first[begin + i + 2]};
            double cross[3];
            if (!cross_of(m, corners, cross)) continue;
            if (m->has_normals) votes += facing(m, corners, cross);
            memcpy(out + 3 * (size_t)m->triangle_count++, corners, sizeof corners);
        }
        begin += count;
    }
    *is_decided = votes != 0;
    for (uint32_t i = 0; votes < 0 && i < m->triangle_count; i++) {
        uint32_t corner = out[3 * (size_t)i];
        out[3 * (size_t)i] = out[3 * (size_t)i + 1];
        out[3 * (size_t)i + 1] = corner;
    }
}

/* ---- meshes -------------------------------------------------------------------------------- */

/* Number the vertices that triangles use, in their order; gives the list of them. */
static const uint32_t *number_vertices(struct maker *m, ossa_mesh *mesh, uint32_t *indices)
{
    struct ossa__context *context = &m->model->assembly->context;
    uint32_t *numbers = ossa__take_scratch(context, m->vertex_count, sizeof *numbers);
    uint32_t *used = ossa__take_scratch(context, m->vertex_count, sizeof *used);
    if (context->failed) return NULL;
    memset(numbers, 0xff, m->vertex_count * sizeof *numbers);
    for (uint32_t i = 0; i < mesh->index_count; i++) {
        uint32_t vertex = m->triangles[i];
        if (numbers[vertex] == UINT32_MAX) {
            numbers[vertex] = mesh->vertex_count;
            used[mesh->vertex_count++] = vertex;
        }
        indices[i] = numbers[vertex];
    }
    return used;
}

/* All white is the same as no colours. */
static bool are_white(const struct maker *m, const uint32_t *used, uint32_t count)
{
    static const uint8_t white[4] = {255, 255, 255, 255};
    for (uint32_t i = 0; i < count; i++) {
        if (memcmp(m->vertices[used[i]].colour, white, sizeof white) != 0) return false;
    }
    return true;
}

/* One member of all vertices that are used, as an array of the scene. */
static void *copy_member(const struct maker *m, const uint32_t *used, uint32_t count, size_t at,
                         size_t size, size_t stride)
{
    uint8_t *array = ossa__take(&m->model->assembly->context, count, stride);
    for (uint32_t i = 0; array != NULL && i < count; i++) {
        const uint8_t *vertex = (const uint8_t *)&m->vertices[used[i]];
        memset(array + i * stride, 0, stride);
        memcpy(array + i * stride, vertex + at, size);
    }
    return array;
}

#define MEMBER(member, width)                                                                      \
    copy_member(m, used, mesh->vertex_count, offsetof(struct vertex, member),                      \
                sizeof m->vertices->member, (width) * sizeof m->vertices->member[0])

static void fill_mesh(const struct maker *m, const uint32_t *used, ossa_mesh *mesh)
{
    mesh->positions = MEMBER(position, 3);
    if (m->has_normals) mesh->normals = MEMBER(normal, 3);
    if (m->has_texcoords) mesh->texcoords = MEMBER(texcoord, 2);
    if (m->has_texcoords2) mesh->texcoords2 = MEMBER(texcoord2, 2);
    if (!are_white(m, used, mesh->vertex_count)) mesh->colours = MEMBER(colour, 4);
    if (!m->model->is_skinned) return;
    mesh->joints = MEMBER(joints, 4);
    mesh->weights = MEMBER(weights, 4);
}

/* Which arrays the mesh has; false if there is nothing to draw, or after a failure. */
static bool survey_strips(struct maker *m)
{
    uint64_t vertices = 0;
    m->has_normals = true;
    for (uint32_t s = 0; s < m->strip_count; s++) {
        const ossa_sotc_strip *strip = &m->model->nmo->strips[m->strips[s]];
        vertices += strip->vertex_count;
        m->has_normals = m->has_normals && has_normals(strip);
        m->has_texcoords2 = m->has_texcoords2 || strip->texcoords4 != NULL;
        m->has_texcoords = m->has_texcoords || m->has_texcoords2 || strip->texcoords != NULL;
    }
    if (vertices > UINT32_MAX / 3) {
        return ossa__misfit(m->model->assembly, m->model->part,
                            "has too many vertices for one surface");
    }
    m->vertex_count = (uint32_t)vertices;
    return vertices > 0;
}

static bool make_mesh(struct maker *m, uint32_t surface, ossa_mesh *mesh)
{
    struct ossa__assembly *assembly = m->model->assembly;
    struct ossa__context *context = &assembly->context;
    if (!survey_strips(m)) return false;
    m->vertices = ossa__take_scratch(context, m->vertex_count, sizeof *m->vertices);
    m->triangles = ossa__take_scratch(context, m->vertex_count, 3 * sizeof *m->triangles);
    if (context->failed || !fill_vertices(m) || !weld(m)) return false;
    bool is_decided;
    gather_triangles(m, &is_decided);
    if (m->triangle_count == 0) return false;
    mesh->index_count = 3 * m->triangle_count;
    uint32_t *indices = ossa__take(context, mesh->index_count, sizeof *indices);
    if (indices == NULL) return false;
    mesh->indices = indices;
    const uint32_t *used = number_vertices(m, mesh, indices);
    if (used == NULL) return false;
    fill_mesh(m, used, mesh);
    mesh->material = ossa__sotc_material(m->model, surface, !is_decided);
    if (context->failed) return false;
    mesh->name = assembly->scene->materials[mesh->material].name;
    return true;
}

/* The strips of each surface, one surface after the other; `begins` has surface_count + 1. */
static bool sort_strips(const struct ossa__sotc_model *model, uint32_t **strips, uint32_t **begins)
{
    struct ossa__context *context = &model->assembly->context;
    const ossa_sotc_nmo *nmo = model->nmo;
    *strips = ossa__take_scratch(context, nmo->strip_count, sizeof **strips);
    *begins = ossa__take_scratch(context, nmo->surface_count + 2ULL, sizeof **begins);
    if (context->failed) return false;
    uint32_t *ends = *begins + 1; /* one ahead, until all are placed */
    memset(*begins, 0, ((size_t)nmo->surface_count + 2) * sizeof **begins);
    for (uint32_t i = 0; i < nmo->strip_count; i++) {
        ends[nmo->draws[nmo->strips[i].draw].surface + 1]++;
    }
    for (uint32_t i = 0; i < nmo->surface_count; i++) ends[i + 1] += ends[i];
    for (uint32_t i = 0; i < nmo->strip_count; i++) {
        (*strips)[ends[nmo->draws[nmo->strips[i].draw].surface]++] = i;
    }
    return true;
}

void ossa__sotc_add_meshes(struct ossa__sotc_model *model, uint32_t bone, ossa_mesh *meshes)
{
    struct ossa__assembly *assembly = model->assembly;
    struct ossa__context *context = &assembly->context;
    uint32_t *strips;
    uint32_t *begins;
    if (!sort_strips(model, &strips, &begins)) return;
    uint32_t mesh_count = assembly->scene->mesh_count;
    uint32_t material_count = assembly->scene->material_count;
    for (uint32_t i = 0; i < model->nmo->surface_count && !context->failed; i++) {
        struct ossa__mark mark = ossa__scratch_mark(context);
        struct maker m = {
            .model = model, .strips = strips + begins[i], .strip_count = begins[i + 1] - begins[i]};
        ossa_mesh mesh = {.bone = bone, .kind = OSSA_MESH_KIND_TRIANGLES, .material = -1};
        if (make_mesh(&m, i, &mesh)) meshes[assembly->scene->mesh_count++] = mesh;
        ossa__scratch_release(context, mark);
    }
    if (!context->failed) return;
    assembly->scene->mesh_count = mesh_count;
    assembly->scene->material_count = material_count;
}
