/* SPDX-License-Identifier: MIT
 *
 * Meshes for the figures of Evil Islands: flat faces, put together from prisms. */
#ifndef OSSA_SAMPLES_EI_MESH_H
#define OSSA_SAMPLES_EI_MESH_H

#include "ei_files.h"

enum { MESH_MOST = 192 };

/* A part of the texture; v counts from below. */
struct patch {
    double u0, v0, u1, v1;
};

struct mesh {
    unsigned vertex_count;
    vec3 vertices[MESH_MOST];
    unsigned normal_count;
    vec3 normals[MESH_MOST];
    unsigned texcoord_count;
    double texcoords[MESH_MOST][2];
    unsigned corner_count;
    unsigned corners[MESH_MOST][3]; /* vertex, normal, texcoord */
    unsigned index_count;
    unsigned indices[2 * MESH_MOST];
    unsigned morph_count;
    unsigned morphs[MESH_MOST][2]; /* morph, vertex */
};

unsigned mesh_vertex(struct mesh *mesh, vec3 place);
unsigned mesh_normal(struct mesh *mesh, vec3 normal);
unsigned mesh_texcoord(struct mesh *mesh, double u, double v);
unsigned mesh_corner(struct mesh *mesh, unsigned vertex, unsigned normal, unsigned texcoord);
void mesh_triangle(struct mesh *mesh, unsigned a, unsigned b, unsigned c);
void mesh_morph(struct mesh *mesh, unsigned morph, unsigned vertex);

/* One end of a prism: its middle, and half of its width and its height. */
struct end {
    vec3 middle;
    double wide, high;
};

/* Six faces from one end to the other; `side` and `up` are the directions of width and height. */
void mesh_prism(struct mesh *mesh, struct end from, struct end to, vec3 side, vec3 up,
                const struct patch *patch);

/* FIG8. */
void ei_put_mesh(struct bytes *file, const struct mesh *mesh, const vec3 growth[EI_CORNERS]);

#endif
