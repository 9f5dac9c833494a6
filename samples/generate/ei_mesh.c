/* SPDX-License-Identifier: MIT */
#include "ei_mesh.h"

/* ---- putting one together ------------------------------------------------------------------ */

static unsigned next_of(unsigned *count, unsigned most)
{
    if (*count == most) fail("too much", "a mesh");
    return (*count)++;
}

unsigned mesh_vertex(struct mesh *mesh, vec3 place)
{
    unsigned i = next_of(&mesh->vertex_count, MESH_MOST);
    mesh->vertices[i] = place;
    return i;
}

unsigned mesh_normal(struct mesh *mesh, vec3 normal)
{
    unsigned i = next_of(&mesh->normal_count, MESH_MOST);
    mesh->normals[i] = normal;
    return i;
}

unsigned mesh_texcoord(struct mesh *mesh, double u, double v)
{
    unsigned i = next_of(&mesh->texcoord_count, MESH_MOST);
    mesh->texcoords[i][0] = u;
    mesh->texcoords[i][1] = v;
    return i;
}

unsigned mesh_corner(struct mesh *mesh, unsigned vertex, unsigned normal, unsigned texcoord)
{
    unsigned i = next_of(&mesh->corner_count, MESH_MOST);
    mesh->corners[i][0] = vertex;
    mesh->corners[i][1] = normal;
    mesh->corners[i][2] = texcoord;
    return i;
}

void mesh_triangle(struct mesh *mesh, unsigned a, unsigned b, unsigned c)
{
    mesh->indices[next_of(&mesh->index_count, 2 * MESH_MOST)] = a;
    mesh->indices[next_of(&mesh->index_count, 2 * MESH_MOST)] = b;
    mesh->indices[next_of(&mesh->index_count, 2 * MESH_MOST)] = c;
}

void mesh_morph(struct mesh *mesh, unsigned morph, unsigned vertex)
{
    unsigned i = next_of(&mesh->morph_count, MESH_MOST);
    mesh->morphs[i][0] = morph;
    mesh->morphs[i][1] = vertex;
}

/* A face of four, counter-clockwise as seen from outside, which is away from `inside`. */
static void add_face(struct mesh *mesh, const unsigned around[4], vec3 inside,
                     const unsigned texcoords[4])
{
    vec3 a = mesh->vertices[around[0]];
    vec3 c = mesh->vertices[around[2]];
    vec3 across = v_sub(mesh->vertices[around[3]], mesh->vertices[around[1]]);
    vec3 normal = v_unit(v_cross(v_sub(c, a), across));
    vec3 middle = v_mix(a, c, 0.5);
    int inward = v_dot(normal, v_sub(middle, inside)) < 0;
    unsigned shared = mesh_normal(mesh, inward ? v_scale(normal, -1) : normal);
    unsigned corners[4];
    for (int i = 0; i < 4; i++) {
        int at = inward ? 3 - i : i;
        corners[i] = mesh_corner(mesh, around[at], shared, texcoords[at]);
    }
    mesh_triangle(mesh, corners[0], corners[1], corners[2]);
    mesh_triangle(mesh, corners[0], corners[2], corners[3]);
}

void mesh_prism(struct mesh *mesh, struct end from, struct end to, vec3 side, vec3 up,
                const struct patch *patch)
{
    static const double signs[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    static const unsigned faces[6][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                         {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
    unsigned first = mesh->vertex_count;
    for (int i = 0; i < 8; i++) {
        const struct end *end = i < 4 ? &from : &to;
        vec3 out = v_add(v_scale(side, signs[i % 4][0] * end->wide),
                         v_scale(up, signs[i % 4][1] * end->high));
        mesh_vertex(mesh, v_add(end->middle, out));
    }
    const unsigned texcoords[4] = {
        mesh_texcoord(mesh, patch->u0, patch->v0), mesh_texcoord(mesh, patch->u1, patch->v0),
        mesh_texcoord(mesh, patch->u1, patch->v1), mesh_texcoord(mesh, patch->u0, patch->v1)};
    for (int i = 0; i < 6; i++) {
        unsigned around[4];
        for (int k = 0; k < 4; k++) around[k] = first + faces[i][k];
        add_face(mesh, around, v_mix(from.middle, to.middle, 0.5), texcoords);
    }
}

/* ---- FIG8 ---------------------------------------------------------------------------------- */

static double axis_of(vec3 v, int axis)
{
    if (axis == 0) return v.x;
    return axis == 1 ? v.y : v.z;
}

static vec3 grown(vec3 v, vec3 growth)
{
    return v3(v.x * growth.x, v.y * growth.y, v.z * growth.z);
}

struct bounds {
    vec3 low, high;
};

static struct bounds bounds_of(const struct mesh *mesh, vec3 growth)
{
    vec3 first = grown(mesh->vertices[0], growth);
    struct bounds b = {first, first};
    for (unsigned i = 1; i < mesh->vertex_count; i++) {
        vec3 v = grown(mesh->vertices[i], growth);
        b.low = v3(clamp(v.x, -100, b.low.x), clamp(v.y, -100, b.low.y), clamp(v.z, -100, b.low.z));
        b.high =
            v3(clamp(v.x, b.high.x, 100), clamp(v.y, b.high.y, 100), clamp(v.z, b.high.z, 100));
    }
    return b;
}

static void put_vec3(struct bytes *file, vec3 v)
{
    for (int axis = 0; axis < 3; axis++) put_f32(file, axis_of(v, axis));
}

static void put_bounds(struct bytes *file, const struct mesh *mesh, const vec3 growth[EI_CORNERS])
{
    struct bounds all[EI_CORNERS];
    for (int i = 0; i < EI_CORNERS; i++) all[i] = bounds_of(mesh, growth[i]);
    for (int i = 0; i < EI_CORNERS; i++) put_vec3(file, v_mix(all[i].low, all[i].high, 0.5));
    for (int i = 0; i < EI_CORNERS; i++) put_vec3(file, all[i].low);
    for (int i = 0; i < EI_CORNERS; i++) put_vec3(file, all[i].high);
    for (int i = 0; i < EI_CORNERS; i++)
        put_f32(file, v_length(v_sub(all[i].high, all[i].low)) / 2);
}

/* Four to a block: x of every corner of the complexion, then y, then z. */
static void put_vertices(struct bytes *file, const struct mesh *mesh, const vec3 growth[EI_CORNERS])
{
    for (unsigned block = 0; block < mesh->vertex_count; block += 4) {
        for (int row = 0; row < 3 * EI_CORNERS; row++) {
            for (unsigned i = block; i < block + 4; i++) {
                vec3 v = i < mesh->vertex_count ? mesh->vertices[i] : v3(0, 0, 0);
                put_f32(file, axis_of(grown(v, growth[row % EI_CORNERS]), row / EI_CORNERS));
            }
        }
    }
}

static void put_normals(struct bytes *file, const struct mesh *mesh)
{
    for (unsigned block = 0; block < mesh->normal_count; block += 4) {
        for (int axis = 0; axis < 4; axis++) {
            for (unsigned i = block; i < block + 4; i++) {
                vec3 n = i < mesh->normal_count ? mesh->normals[i] : v3(0, 0, 1);
                put_f32(file, axis == 3 ? 1 : axis_of(n, axis));
            }
        }
    }
}

void ei_put_mesh(struct bytes *file, const struct mesh *mesh, const vec3 growth[EI_CORNERS])
{
    put_text(file, "FIG8");
    put_u32(file, (mesh->vertex_count + 3) / 4);
    put_u32(file, (mesh->normal_count + 3) / 4);
    put_u32(file, mesh->texcoord_count);
    put_u32(file, mesh->index_count);
    put_u32(file, mesh->corner_count);
    put_u32(file, mesh->morph_count);
    put_u32(file, 0);
    put_u32(file, 19); /* solid */
    put_u32(file, 1);  /* the texture of a body */
    put_bounds(file, mesh, growth);
    put_vertices(file, mesh, growth);
    put_normals(file, mesh);
    for (unsigned i = 0; i < mesh->texcoord_count; i++) {
        put_f32(file, mesh->texcoords[i][0]);
        put_f32(file, mesh->texcoords[i][1]);
    }
    for (unsigned i = 0; i < mesh->index_count; i++) put_u16(file, mesh->indices[i]);
    for (unsigned i = 0; i < mesh->corner_count; i++) {
        for (int k = 0; k < 3; k++) put_u16(file, mesh->corners[i][k]);
    }
    for (unsigned i = 0; i < mesh->morph_count; i++) {
        put_u16(file, mesh->morphs[i][0]);
        put_u16(file, mesh->morphs[i][1]);
    }
}
