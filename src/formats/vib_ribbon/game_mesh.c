/* SPDX-License-Identifier: MIT
 *
 * Vib-Ribbon: what the packets of a model (TMD) draw, as meshes of the scene.
 *
 * An object becomes one mesh of its lines, and one per look of its polygons: whether they are lit,
 * double-sided, translucent, and which texture page and palette they use. Every corner is a vertex
 * of its own, because it has its own colour.
 *
 * The console draws a polygon that goes clockwise on the screen, with Y down: in 18,564 of 18,645
 * flat packets of models from many sources, the winding opposes the stored normal. So triangles are
 * reversed here, and their fronts are counter-clockwise. Normals are made unit vectors. Texture
 * coordinates are texels of a page, 256 by 256 of them: they are divided by 256. */
#include "formats/vib_ribbon/game.h"

#include "codec/sort.h"
#include "formats/vib_ribbon/vib_header.h"
#include "scene/assembly.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- looks --------------------------------------------------------------------------------- */

/* Everything that the polygons of a mesh share, as one number to sort by. Lines have none: they
 * come first and need no material. */
enum {
    LINES = 0,
    POLYGON = 1,
    LIT = 2,
    DOUBLE_SIDED = 4,
    TRANSLUCENT = 8,
    TEXTURED = 16,
    PAGE_SHIFT = 8,
    CLUT_SHIFT = 24,
};

static uint64_t look_of(const ossa_vib_shape *shape)
{
    if (shape->kind == OSSA_VIB_KIND_LINE) return LINES;
    uint64_t look = POLYGON;
    if (shape->has_normals) look |= LIT;
    if (shape->double_sided) look |= DOUBLE_SIDED;
    if (shape->translucent) look |= TRANSLUCENT;
    if (!shape->textured) return look;
    return look | TEXTURED | (uint64_t)shape->page << PAGE_SHIFT |
           (uint64_t)shape->clut << CLUT_SHIFT;
}

/* A packet that draws something. */
struct drawn {
    uint64_t look;
    uint32_t object;
    uint32_t packet;
};

static bool drawn_before(const void *a, const void *b, void *user)
{
    const struct drawn *x = a;
    const struct drawn *y = b;
    (void)user;
    return x->object != y->object ? x->object < y->object : x->look < y->look;
}

static bool look_before(const void *a, const void *b, void *user)
{
    (void)user;
    return *(const uint64_t *)a < *(const uint64_t *)b;
}

/* Does a packet draw something? Fills `shape` if so. Reading refuses indices that are too large,
 * but a program may have changed the packet since. */
static bool draws(const ossa_vib_object *object, uint32_t packet, ossa_vib_shape *shape)
{
    if (!ossa_vib_decode(&object->primitives[packet], shape)) return false;
    for (unsigned i = 0; i < shape->corner_count; i++) {
        if (shape->vertices[i] >= object->vertex_count) return false;
        if (shape->has_normals && (uint32_t)shape->normals[i] >= object->normal_count) return false;
    }
    /* Skip lines of length 0. */
    return shape->kind != OSSA_VIB_KIND_LINE || shape->vertices[0] != shape->vertices[1];
}

/* ---- materials ----------------------------------------------------------------------------- */

/* One number; NULL after a failure. */
static const double *one_number(struct ossa__assembly *assembly, double value)
{
    double *number = ossa__take(&assembly->context, 1, sizeof *number);
    if (number != NULL) *number = value;
    return number;
}

static void fill_material(struct ossa__assembly *assembly, uint64_t look, ossa_material *material)
{
    unsigned page = (unsigned)(look >> PAGE_SHIFT & 0xffff);
    unsigned clut = (unsigned)(look >> CLUT_SHIFT & 0xffff);
    char name[64];
    char texture[32] = "";
    if ((look & TEXTURED) != 0) {
        (void)snprintf(texture, sizeof texture, " page 0x%04x clut 0x%04x", page, clut);
    }
    (void)snprintf(name, sizeof name, "%s%s%s%s", (look & LIT) != 0 ? "lit" : "unlit",
                   (look & DOUBLE_SIDED) != 0 ? " double-sided" : "",
                   (look & TRANSLUCENT) != 0 ? " translucent" : "", texture);
    ossa_extra *extras = ossa__take(&assembly->context, 3, sizeof *extras);
    *material = (ossa_material){.name = ossa__copy_text(assembly, name, strlen(name)),
                                .texture = -1,
                                .colour = {1.0F, 1.0F, 1.0F, 1.0F},
                                .is_double_sided = (look & DOUBLE_SIDED) != 0,
                                .is_unlit = (look & LIT) == 0,
                                .extras = extras};
    if (extras == NULL) return;
    if ((look & TRANSLUCENT) != 0) {
        extras[material->extra_count++] = (ossa_extra){
            .key = "translucent", .number_count = 1, .numbers = one_number(assembly, 1.0)};
    }
    if ((look & TEXTURED) == 0) return;
    extras[material->extra_count++] = (ossa_extra){
        .key = "texture_page", .number_count = 1, .numbers = one_number(assembly, page)};
    extras[material->extra_count++] =
        (ossa_extra){.key = "clut", .number_count = 1, .numbers = one_number(assembly, clut)};
}

/* One material per look, in ascending order; `looks` is left with one of each. */
static void add_materials(struct ossa__assembly *assembly, uint64_t *looks, uint64_t count)
{
    struct ossa__context *context = &assembly->context;
    uint64_t kept = 0;
    if (!ossa__sort(context, looks, (size_t)count, sizeof *looks, look_before, NULL)) return;
    for (uint64_t i = 0; i < count; i++) {
        if (looks[i] != LINES && (kept == 0 || looks[i] != looks[kept - 1])) {
            looks[kept++] = looks[i];
        }
    }
    ossa_material *materials = ossa__take(context, kept, sizeof *materials);
    for (uint64_t i = 0; i < kept && !context->failed; i++) {
        fill_material(assembly, looks[i], &materials[i]);
    }
    if (context->failed) return;
    assembly->scene->materials = materials;
    assembly->scene->material_count = (uint32_t)kept;
}

static int32_t material_of(const struct ossa__assembly *assembly, const uint64_t *looks,
                           uint64_t look)
{
    uint32_t first = 0;
    uint32_t end = assembly->scene->material_count;
    if (look == LINES) return -1;
    while (first + 1 < end) {
        uint32_t middle = first + (end - first) / 2;
        if (looks[middle] <= look) first = middle;
        else end = middle;
    }
    return (int32_t)first;
}

/* ---- meshes -------------------------------------------------------------------------------- */

/* A mesh being filled. */
struct maker {
    struct ossa__assembly *assembly;
    const ossa_vib_object *object;
    ossa_mesh mesh;
    float (*positions)[3];
    float (*normals)[3];   /* NULL: the packets have none */
    float (*texcoords)[2]; /* NULL: not textured */
    uint8_t (*colours)[4];
    uint32_t *indices;
};

/* A direction of the game in the scene, of length 1; false if it has none. */
static bool point_to(const double v[3], float out[3])
{
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (length == 0.0) return false;
    out[0] = (float)(v[0] / length);
    out[1] = (float)(0.0 - v[1] / length);
    out[2] = (float)(0.0 - v[2] / length);
    return true;
}

/* The direction that the front of a polygon faces: against its winding as stored. */
static void face_normal(const ossa_vib_object *object, const ossa_vib_shape *shape, float out[3])
{
    double edges[2][3];
    const ossa_vib_vertex *start = &object->vertices[shape->vertices[0]];
    for (unsigned i = 0; i < 2; i++) {
        const ossa_vib_vertex *end = &object->vertices[shape->vertices[2 - i]];
        edges[i][0] = end->x - start->x;
        edges[i][1] = end->y - start->y;
        edges[i][2] = end->z - start->z;
    }
    const double *a = edges[0];
    const double *b = edges[1];
    const double normal[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                              a[0] * b[1] - a[1] * b[0]};
    static const float up[3] = {0.0F, 1.0F, 0.0F};
    if (!point_to(normal, out)) memcpy(out, up, sizeof up);
}

/* Part of a colour. On a texture 128 means unchanged, and larger ones brighten it, which glTF
 * cannot do. */
static uint8_t colour_of(const ossa_vib_shape *shape, uint8_t part)
{
    if (!shape->textured) return part;
    unsigned scaled = (255U * part + 64) / 128;
    return (uint8_t)(scaled > 255 ? 255 : scaled);
}

static void fill_corner(struct maker *m, const ossa_vib_shape *shape, unsigned corner)
{
    const ossa_vib_vertex *v = &m->object->vertices[shape->vertices[corner]];
    const double scale = OSSA__VIB_UNIT * m->assembly->options->scale;
    uint32_t vertex = m->mesh.vertex_count++;
    m->positions[vertex][0] = (float)(v->x * scale);
    m->positions[vertex][1] = (float)(0.0 - v->y * scale);
    m->positions[vertex][2] = (float)(0.0 - v->z * scale);
    for (unsigned k = 0; k < 3; k++) {
        m->colours[vertex][k] = colour_of(shape, shape->colours[corner][k]);
    }
    m->colours[vertex][3] = 255;
    if (m->normals != NULL) {
        const ossa_vib_vertex *n = &m->object->normals[shape->normals[corner]];
        const double normal[3] = {n->x, n->y, n->z};
        if (!point_to(normal, m->normals[vertex])) {
            face_normal(m->object, shape, m->normals[vertex]);
        }
    }
    for (unsigned k = 0; m->texcoords != NULL && k < 2; k++) {
        m->texcoords[vertex][k] = (float)shape->uv[corner][k] / 256.0F;
    }
}

static void fill_shape(struct maker *m, const ossa_vib_shape *shape)
{
    static const uint32_t line[6] = {0, 1};
    static const uint32_t reversed[6] = {0, 2, 1, 1, 2, 3}; /* quads are in Z order */
    bool is_line = shape->kind == OSSA_VIB_KIND_LINE;
    const uint32_t *order = is_line ? line : reversed;
    unsigned count = shape->corner_count == 4 ? 6 : shape->corner_count;
    uint32_t first = m->mesh.vertex_count;
    for (unsigned i = 0; i < shape->corner_count; i++) fill_corner(m, shape, i);
    for (unsigned i = 0; i < count; i++) m->indices[m->mesh.index_count++] = first + order[i];
}

/* The mesh of packets that look alike. */
static bool fill_mesh(struct maker *m, const struct drawn *drawn, uint64_t count)
{
    struct ossa__context *context = &m->assembly->context;
    uint64_t corners = 0;
    uint64_t indices = 0;
    ossa_vib_shape shape;
    for (uint64_t i = 0; i < count; i++) {
        if (!draws(m->object, drawn[i].packet, &shape)) continue;
        corners += shape.corner_count;
        indices += shape.corner_count == 4 ? 6 : shape.corner_count;
    }
    if (indices > UINT32_MAX) {
        return ossa__misfit(m->assembly, NULL, "object %" PRIu32 " has too many shapes",
                            drawn->object);
    }
    m->positions = ossa__take(context, corners, sizeof *m->positions);
    m->colours = ossa__take(context, corners, sizeof *m->colours);
    m->indices = ossa__take(context, indices, sizeof *m->indices);
    if ((drawn->look & LIT) != 0) {
        m->normals = ossa__take(context, corners, sizeof *m->normals);
    }
    if ((drawn->look & TEXTURED) != 0) {
        m->texcoords = ossa__take(context, corners, sizeof *m->texcoords);
    }
    if (context->failed) return false;
    for (uint64_t i = 0; i < count; i++) {
        if (draws(m->object, drawn[i].packet, &shape)) fill_shape(m, &shape);
    }
    m->mesh.positions = (const float(*)[3])m->positions;
    m->mesh.normals = (const float(*)[3])m->normals;
    m->mesh.texcoords = (const float(*)[2])m->texcoords;
    m->mesh.colours = (const uint8_t(*)[4])m->colours;
    m->mesh.indices = m->indices;
    return true;
}

static bool is_same_mesh(const struct drawn *a, const struct drawn *b)
{
    return a->object == b->object && a->look == b->look;
}

/* Sorted packets as meshes: each run that looks alike is one. */
static void add_meshes(struct ossa__assembly *assembly, const ossa_vib_tmd *tmd,
                       const struct drawn *drawn, uint64_t count, const uint64_t *looks)
{
    uint64_t mesh_count = 0;
    for (uint64_t i = 0; i < count; i++) {
        mesh_count += i == 0 || !is_same_mesh(&drawn[i], &drawn[i - 1]);
    }
    ossa_mesh *meshes = ossa__take(&assembly->context, mesh_count, sizeof *meshes);
    if (meshes == NULL) return;
    assembly->scene->meshes = meshes;
    for (uint64_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && is_same_mesh(&drawn[i], &drawn[end]);) end++;
        uint32_t object = drawn[i].object;
        struct maker m = {.assembly = assembly, .object = &tmd->objects[object]};
        m.mesh.name = assembly->scene->bones[object].name;
        m.mesh.bone = object;
        m.mesh.kind = drawn[i].look == LINES ? OSSA_MESH_KIND_LINES : OSSA_MESH_KIND_TRIANGLES;
        m.mesh.material = material_of(assembly, looks, drawn[i].look);
        if (!fill_mesh(&m, &drawn[i], end - i)) return;
        meshes[assembly->scene->mesh_count++] = m.mesh;
    }
}

static uint64_t count_packets(const ossa_vib_tmd *tmd)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < tmd->object_count; i++) count += tmd->objects[i].primitive_count;
    return count;
}

void ossa__vib_add_meshes(struct ossa__assembly *assembly, const ossa_vib_tmd *tmd)
{
    struct ossa__context *context = &assembly->context;
    uint64_t most = count_packets(tmd);
    uint64_t count = 0;
    struct drawn *drawn = ossa__take_scratch(context, most, sizeof *drawn);
    uint64_t *looks = ossa__take_scratch(context, most, sizeof *looks);
    if (context->failed) return;
    for (uint32_t i = 0; i < tmd->object_count; i++) {
        for (uint32_t k = 0; k < tmd->objects[i].primitive_count; k++) {
            ossa_vib_shape shape;
            if (!draws(&tmd->objects[i], k, &shape)) continue;
            looks[count] = look_of(&shape);
            drawn[count] = (struct drawn){.look = looks[count], .object = i, .packet = k};
            count++;
        }
    }
    if (!ossa__sort(context, drawn, (size_t)count, sizeof *drawn, drawn_before, NULL)) return;
    add_materials(assembly, looks, count);
    if (!context->failed) add_meshes(assembly, tmd, drawn, count, looks);
}
