/* SPDX-License-Identifier: MIT
 *
 * The meshes of a scene, found again in a glTF and compared as they are drawn. */
#ifndef OSSA_TEST_DRAWN_H
#define OSSA_TEST_DRAWN_H

#include "support/glb.h"
#include "ossa/scene.h"

/* Where a mesh of the scene is in the file. */
struct drawn_mesh {
    size_t node;
    size_t primitive; /* of the node's mesh */
    size_t first_vertex;
    size_t first_index;
};

/* All of a scene's, [mesh_count], by what its triangles are bound to: their bones or the skin, to
 * which those that move with several bones always are.
 * Fails unless each is there, and nothing else. */
void find_drawn(const struct glb *glb, const ossa_scene *scene, struct drawn_mesh *drawn);

/* The material that a mesh should have. */
const char *material_name_of(const ossa_scene *scene, const ossa_mesh *mesh);

/* The file draws what the scene says at a time of a clip (NULL: at rest): every vertex where its
 * bone and its targets put it, what is hidden where the bone above it is. Bones under a hidden one
 * are left out: in a scene they are not hidden, in a glTF they are. */
void require_drawn(const struct glb *glb, const ossa_scene *scene, const ossa_clip *clip,
                   double seconds);

/* Two files of a scene draw the same, vertices, normals and the front of triangles. */
void require_same_drawing(const struct glb *one, const struct glb *two, const ossa_scene *scene,
                          const ossa_clip *clip, double seconds);

#endif
