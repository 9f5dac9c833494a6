/* SPDX-License-Identifier: MIT
 *
 * Midtown Madness: the mesh of a pedestrian (MOD) as meshes of the scene.
 *
 * Every vertex is in the space of its bone, as in a scene. `mtxv` assigns vertices to bones;
 * packets repeat it through the slots of their corners. A difference is reported as a warning.
 *
 * The game moves each corner of a triangle on its own, so a triangle across a joint stretches. A
 * figure with such triangles is one body: one mesh per material, whose vertices have their own
 * bones. (Splitting off only the triangles that need it would tear the surface.) A figure of loose
 * parts has one mesh per bone and material. */
#include "formats/midtown_madness/game_mesh.h"

#include "codec/sort.h"
#include "base/text.h"
#include "formats/midtown_madness/mm_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A triangle: its corners are adjuncts, counted over the whole model. */
struct triangle {
    uint32_t bone;
    int32_t material; /* -1: none */
    uint32_t corners[3];
};

struct maker {
    struct ossa__assembly *assembly;
    const struct ossa__part *model;
    const ossa_mm_mod *mod;
    uint32_t *bones; /* by vertex */
    struct triangle *triangles;
    uint64_t triangle_count;
    bool is_one_body;   /* a triangle has corners of several bones */
    uint32_t *vertices; /* by adjunct: its vertex in the current mesh, if it has one */
    uint32_t *marks;    /* by adjunct: the mesh (+ 1) that `vertices` refers to */
    uint32_t *used;     /* adjuncts of the current mesh, in the order of its vertices */
    ossa_mesh *meshes;
};

/* ---- bones of vertices --------------------------------------------------------------------- */

uint32_t ossa__mod_bone_count(const ossa_mm_mod *mod)
{
    uint32_t count = 1;
    if (mod->mtxv_count > 0) return mod->mtxv_count;
    for (uint32_t p = 0; mod->has_packets && p < mod->packet_count; p++) {
        const ossa_mm_packet *packet = &mod->packets[p];
        for (uint32_t i = 0; i < packet->matrix_count; i++) {
            uint32_t bone = packet->matrices[i];
            if (bone >= count) count = bone == UINT32_MAX ? bone : bone + 1;
        }
    }
    return count;
}

/* Whether a packet names a bone for a corner. */
static bool find_bone(const ossa_mm_packet *packet, const ossa_mm_adjunct *adjunct, uint32_t *bone)
{
    if (adjunct->slot < 0 || (uint32_t)adjunct->slot >= packet->matrix_count) return false;
    *bone = packet->matrices[adjunct->slot];
    return true;
}

/* By mtxv; without it, by the packets. */
static bool find_bones(struct maker *m)
{
    const ossa_mm_mod *mod = m->mod;
    m->bones = ossa__take(&m->assembly->context, mod->vertex_count, sizeof *m->bones);
    if (m->bones == NULL) return false;
    memset(m->bones, 0, mod->vertex_count * sizeof *m->bones);
    uint32_t next = 0;
    for (uint32_t b = 0; b < mod->mtxv_count; b++) {
        /* The file has no errors, so the sum of all is the number of vertices. */
        for (uint32_t i = 0; i < mod->mtxv[b] && next < mod->vertex_count; i++)
            m->bones[next++] = b;
    }
    uint32_t others = 0;
    for (uint32_t p = 0; mod->has_packets && p < mod->packet_count; p++) {
        const ossa_mm_packet *packet = &mod->packets[p];
        for (uint32_t i = 0; i < packet->adjunct_count; i++) {
            uint32_t bone;
            int32_t vertex = packet->adjuncts[i].vertex;
            bool is_named = find_bone(packet, &packet->adjuncts[i], &bone);
            if (!is_named || bone == m->bones[vertex]) continue;
            if (mod->mtxv_count == 0) m->bones[vertex] = bone;
            else others++;
        }
    }
    if (others > 0) {
        ossa__assembly_warn(
            m->assembly, m->model, OSSA_CODE_UNUSUAL_VALUE,
            "corners whose packet names another bone than mtxv: %" PRIu32 "; mtxv is used", others);
    }
    return true;
}

/* ---- triangles ----------------------------------------------------------------------------- */

static uint32_t triangles_of(const ossa_mm_primitive *primitive)
{
    return primitive->index_count < 3 ? 0 : primitive->index_count - 2;
}

/* Triangle `number` of a primitive, counter-clockwise from outside: in a strip every other one is
 * reversed. */
static void pick_corners(const ossa_mm_primitive *primitive, uint32_t number, uint32_t corners[3])
{
    const uint32_t *indices = primitive->indices + number;
    bool is_reversed =
        primitive->kind != OSSA_MM_PRIMITIVE_KIND_TRIANGLE &&
        (number + (primitive->kind == OSSA_MM_PRIMITIVE_KIND_STRIP_2 ? 1 : 0)) % 2 == 1;
    corners[0] = indices[is_reversed ? 1 : 0];
    corners[1] = indices[is_reversed ? 0 : 1];
    corners[2] = indices[2];
}

static void gather_triangles(struct maker *m)
{
    const ossa_mm_mod *mod = m->mod;
    uint64_t count = 0;
    for (uint32_t i = 0; i < mod->primitive_count; i++) count += triangles_of(&mod->primitives[i]);
    m->triangles = ossa__take(&m->assembly->context, count, sizeof *m->triangles);
    if (m->triangles == NULL) return;
    for (uint32_t p = 0; p < mod->packet_count; p++) {
        const ossa_mm_packet *packet = &mod->packets[p];
        uint32_t base = (uint32_t)(packet->adjuncts - mod->adjuncts);
        for (uint32_t i = 0; i < packet->primitive_count; i++) {
            const ossa_mm_primitive *primitive = &packet->primitives[i];
            for (uint32_t n = 0; n < triangles_of(primitive); n++) {
                struct triangle *triangle = &m->triangles[m->triangle_count];
                uint32_t bones[3];
                pick_corners(primitive, n, triangle->corners);
                bool is_flat = triangle->corners[0] == triangle->corners[1] ||
                               triangle->corners[1] == triangle->corners[2] ||
                               triangle->corners[0] == triangle->corners[2];
                if (is_flat) continue; /* strips use them to change direction */
                for (unsigned k = 0; k < 3; k++) {
                    triangle->corners[k] += base;
                    bones[k] = m->bones[mod->adjuncts[triangle->corners[k]].vertex];
                }
                triangle->bone = bones[0];
                triangle->material = packet->material;
                if (bones[0] != bones[1] || bones[1] != bones[2]) m->is_one_body = true;
                m->triangle_count++;
            }
        }
    }
    for (uint64_t i = 0; m->is_one_body && i < m->triangle_count; i++) m->triangles[i].bone = 0;
}

static bool triangle_before(const void *a, const void *b, void *user)
{
    const struct triangle *x = a;
    const struct triangle *y = b;
    (void)user;
    if (x->bone != y->bone) return x->bone < y->bone;
    return (uint32_t)x->material < (uint32_t)y->material; /* none comes last */
}

static bool is_same_mesh(const struct triangle *a, const struct triangle *b)
{
    return a->bone == b->bone && a->material == b->material;
}

/* ---- meshes -------------------------------------------------------------------------------- */

/* Number the vertices of a mesh: one per adjunct that its triangles use. */
static void number_vertices(struct maker *m, const struct triangle *triangles, ossa_mesh *mesh,
                            uint32_t *indices)
{
    uint32_t mark = m->assembly->scene->mesh_count + 1;
    for (uint32_t i = 0; i < mesh->index_count; i++) {
        uint32_t adjunct = triangles[i / 3].corners[i % 3];
        if (m->marks[adjunct] != mark) {
            m->marks[adjunct] = mark;
            m->used[mesh->vertex_count] = adjunct;
            m->vertices[adjunct] = mesh->vertex_count++;
        }
        indices[i] = m->vertices[adjunct];
    }
}

static bool fill_positions(struct maker *m, ossa_mesh *mesh)
{
    struct ossa__assembly *assembly = m->assembly;
    float(*positions)[3] = ossa__take(&assembly->context, mesh->vertex_count, sizeof *positions);
    if (positions == NULL) return false;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        int32_t vertex = m->mod->adjuncts[m->used[i]].vertex;
        bool is_finite = true;
        for (unsigned k = 0; k < 3; k++) {
            double coordinate = (double)m->mod->vertices[vertex][k] * assembly->options->scale;
            positions[i][k] = (float)coordinate;
            is_finite = is_finite && isfinite(positions[i][k]);
        }
        if (!is_finite) {
            return ossa__misfit(assembly, m->model,
                                "vertices[%" PRId32 "] does not fit in a 32-bit float", vertex);
        }
    }
    mesh->positions = (const float(*)[3])positions;
    return true;
}

static void fill_bones(struct maker *m, ossa_mesh *mesh)
{
    if (!m->is_one_body) return;
    uint32_t *bones = ossa__take(&m->assembly->context, mesh->vertex_count, sizeof *bones);
    for (uint32_t i = 0; bones != NULL && i < mesh->vertex_count; i++) {
        bones[i] = m->bones[m->mod->adjuncts[m->used[i]].vertex];
    }
    mesh->vertex_bones = bones;
}

/* Normals are normalised, whatever the text has; those of length 0 point up. */
static void fill_normals(struct maker *m, ossa_mesh *mesh)
{
    if (m->mod->normal_count == 0) return;
    float(*normals)[3] = ossa__take(&m->assembly->context, mesh->vertex_count, sizeof *normals);
    for (uint32_t i = 0; normals != NULL && i < mesh->vertex_count; i++) {
        int32_t normal = m->mod->adjuncts[m->used[i]].normal;
        double n[3] = {0.0, 0.0, 0.0};
        for (unsigned k = 0; k < 3 && normal >= 0; k++) {
            n[k] = (double)m->mod->normals[normal][k];
        }
        double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        bool has_length = length > 1e-12;
        for (unsigned k = 0; k < 3; k++) {
            normals[i][k] = has_length ? (float)(n[k] / length) : (k == 1 ? 1.0F : 0.0F);
        }
    }
    mesh->normals = (const float(*)[3])normals;
}

static uint8_t byte_of(float part)
{
    if (!(part > 0.0F)) return 0;
    if (part >= 1.0F) return 255;
    return (uint8_t)((double)part * 255.0 + 0.5);
}

/* All white is the same as no colours. */
static void fill_colours(struct maker *m, ossa_mesh *mesh)
{
    const ossa_mm_mod *mod = m->mod;
    bool is_white = true;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        int32_t colour = mod->adjuncts[m->used[i]].colour;
        for (unsigned k = 0; k < 4 && mod->colour_count > 0 && colour >= 0; k++) {
            is_white = is_white && byte_of(mod->colours[colour][k]) == 255;
        }
    }
    if (is_white) return;
    uint8_t(*colours)[4] = ossa__take(&m->assembly->context, mesh->vertex_count, sizeof *colours);
    for (uint32_t i = 0; colours != NULL && i < mesh->vertex_count; i++) {
        int32_t colour = mod->adjuncts[m->used[i]].colour;
        for (unsigned k = 0; k < 4; k++) {
            colours[i][k] = colour < 0 ? 255 : byte_of(mod->colours[colour][k]);
        }
    }
    mesh->colours = (const uint8_t(*)[4])colours;
}

static void fill_texcoords(struct maker *m, ossa_mesh *mesh)
{
    if (m->mod->tex1_count == 0) return;
    float(*texcoords)[2] = ossa__take(&m->assembly->context, mesh->vertex_count, sizeof *texcoords);
    for (uint32_t i = 0; texcoords != NULL && i < mesh->vertex_count; i++) {
        int32_t tex1 = m->mod->adjuncts[m->used[i]].tex1;
        for (unsigned k = 0; k < 2; k++) {
            texcoords[i][k] = tex1 < 0 ? 0.0F : m->mod->tex1s[tex1][k];
        }
    }
    mesh->texcoords = (const float(*)[2])texcoords;
}

static bool add_mesh(struct maker *m, const struct triangle *triangles, uint64_t count)
{
    struct ossa__assembly *assembly = m->assembly;
    ossa_scene *scene = assembly->scene;
    if (count > UINT32_MAX / 3) {
        return ossa__misfit(assembly, m->model, "has too many triangles for one material");
    }
    bool is_of_material = m->is_one_body && triangles->material >= 0;
    ossa_mesh mesh = {.name = is_of_material ? scene->materials[triangles->material].name
                                             : scene->bones[triangles->bone].name,
                      .bone = triangles->bone,
                      .kind = OSSA_MESH_KIND_TRIANGLES,
                      .material = triangles->material,
                      .index_count = (uint32_t)(3 * count)};
    uint32_t *indices = ossa__take(&assembly->context, mesh.index_count, sizeof *indices);
    if (indices == NULL) return false;
    number_vertices(m, triangles, &mesh, indices);
    mesh.indices = indices;
    if (!fill_positions(m, &mesh)) return false;
    fill_bones(m, &mesh);
    fill_normals(m, &mesh);
    fill_colours(m, &mesh);
    fill_texcoords(m, &mesh);
    m->meshes[scene->mesh_count++] = mesh;
    return !assembly->context.failed;
}

static void add_meshes(struct maker *m)
{
    struct ossa__context *context = &m->assembly->context;
    struct triangle *triangles = m->triangles;
    uint64_t count = m->triangle_count;
    if (!ossa__sort(context, triangles, (size_t)count, sizeof *triangles, triangle_before, NULL)) {
        return;
    }
    uint64_t mesh_count = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (i == 0 || !is_same_mesh(&triangles[i - 1], &triangles[i])) mesh_count++;
    }
    m->meshes = ossa__take(context, mesh_count, sizeof *m->meshes);
    m->vertices = ossa__take(context, m->mod->adjunct_count, sizeof *m->vertices);
    m->marks = ossa__take(context, m->mod->adjunct_count, sizeof *m->marks);
    m->used = ossa__take(context, m->mod->adjunct_count, sizeof *m->used);
    if (m->used == NULL) return;
    memset(m->marks, 0, m->mod->adjunct_count * sizeof *m->marks);
    m->assembly->scene->meshes = m->meshes;
    for (uint64_t begin = 0, end = 0; begin < count; begin = end) {
        while (end < count && is_same_mesh(&triangles[begin], &triangles[end])) end++;
        if (!add_mesh(m, triangles + begin, end - begin)) return;
    }
}

/* ---- materials ----------------------------------------------------------------------------- */

/* The name, followed by that of the texture if it differs: the scene has no other field for it. */
static char *name_material(struct ossa__assembly *assembly, const ossa_mm_material *material)
{
    char *name = ossa__latin_text(assembly, material->name, material->name_size);
    char *texture = ossa__latin_text(assembly, material->texture, material->texture_size);
    if (name == NULL || texture == NULL) return NULL;
    if (name[0] == '\0') name = texture;
    if (texture[0] == '\0' || ossa__compare_names(name, texture) == 0) return name;
    size_t size = strlen(name) + strlen(texture) + sizeof " ()";
    char *both = ossa__take(&assembly->context, size, 1);
    if (both != NULL) (void)snprintf(both, size, "%s (%s)", name, texture);
    return both;
}

void ossa__mm_material_colour(const float rgb[3], float colour[4])
{
    for (unsigned k = 0; k < 3; k++) {
        colour[k] = !(rgb[k] > 0.0F) ? 0.0F : rgb[k] > 1.0F ? 1.0F : rgb[k];
    }
    colour[3] = 1.0F;
}

static void add_materials(struct maker *m)
{
    struct ossa__assembly *assembly = m->assembly;
    const ossa_mm_mod *mod = m->mod;
    ossa_material *materials =
        ossa__take(&assembly->context, mod->material_count, sizeof *materials);
    uint32_t textures = 0;
    const ossa_mm_material *first = NULL;
    for (uint32_t i = 0; materials != NULL && i < mod->material_count; i++) {
        const ossa_mm_material *material = &mod->materials[i];
        materials[i] = (ossa_material){.texture = -1};
        materials[i].name = name_material(assembly, material);
        if (materials[i].name == NULL) return;
        if (materials[i].name[0] == '\0') materials[i].name = "material";
        ossa__mm_material_colour(material->diffuse, materials[i].colour);
        if (material->texture_size > 0 && textures++ == 0) first = material;
    }
    if (materials == NULL) return;
    assembly->scene->materials = materials;
    assembly->scene->material_count = mod->material_count;
    if (first != NULL) {
        ossa__assembly_warn(
            assembly, m->model, OSSA_CODE_MISSING_PART,
            "textures of this game cannot be read; materials that need one: %" PRIu32
            ", the first is '%s'",
            textures, ossa__show_piece(first->texture, first->texture_size).text);
    }
}

void ossa__mod_add_meshes(struct ossa__assembly *assembly, const struct ossa__part *model,
                          const struct ossa__part *skeleton)
{
    struct maker m = {.assembly = assembly, .model = model, .mod = model->contents};
    uint32_t bones = ossa__mod_bone_count(m.mod);
    uint32_t found = assembly->scene->bone_count;
    if (bones > found || (bones < found && m.mod->mtxv_count > 0)) {
        (void)ossa__misfit(assembly, model, "is for %" PRIu32 " bones, but %s has %" PRIu32, bones,
                           skeleton == NULL ? "the first animation" : skeleton->shown, found);
        ossa__leave_out(assembly, "the mesh");
        return;
    }
    add_materials(&m);
    if (assembly->context.failed || !find_bones(&m)) return;
    gather_triangles(&m);
    if (!assembly->context.failed && m.triangle_count > 0) add_meshes(&m);
}
