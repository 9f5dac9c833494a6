/* SPDX-License-Identifier: MIT
 *
 * Boxes along the bones, so that a skeleton without a mesh can be seen. */
#include "scene/assembly.h"
#include "scene/children.h"
#include "base/quaternion.h"

#include <math.h>

enum { CORNERS = 24, INDICES = 36 }; /* four corners a side: sides have normals of their own */

/* A box with its axis from the bone to `end`, in the bone's space. */
static void fill_box(const double end[3], double width, float (*positions)[3], float (*normals)[3],
                     uint32_t *indices)
{
    double length = sqrt(end[0] * end[0] + end[1] * end[1] + end[2] * end[2]);
    double u[3] = {end[0] / length, end[1] / length, end[2] / length};
    /* A second direction that is not the first: the axis that it has least of. */
    double other[3] = {0.0, 0.0, 0.0};
    unsigned least = fabs(u[0]) <= fabs(u[1]) && fabs(u[0]) <= fabs(u[2]) ? 0
                     : fabs(u[1]) <= fabs(u[2])                           ? 1
                                                                          : 2;
    other[least] = 1.0;
    double v[3] = {u[1] * other[2] - u[2] * other[1], u[2] * other[0] - u[0] * other[2],
                   u[0] * other[1] - u[1] * other[0]};
    double size = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (unsigned k = 0; k < 3; k++) v[k] /= size;
    double w[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    const double *axes[3] = {u, v, w}; /* right-handed */
    double low[3] = {0.0, -width, -width};
    double high[3] = {length, width, width};
    for (unsigned side = 0; side < 6; side++) {
        unsigned a = side / 2;
        unsigned b = (a + 1) % 3;
        unsigned c = (a + 2) % 3;
        bool is_high = side % 2 == 1;
        for (unsigned corner = 0; corner < 4; corner++) {
            bool at_b = corner == 1 || corner == 2;
            bool at_c = corner >= 2;
            for (unsigned k = 0; k < 3; k++) {
                double value = axes[a][k] * (is_high ? high[a] : low[a]) +
                               axes[b][k] * (at_b ? high[b] : low[b]) +
                               axes[c][k] * (at_c ? high[c] : low[c]);
                positions[side * 4 + corner][k] = (float)value;
                normals[side * 4 + corner][k] = (float)(is_high ? axes[a][k] : -axes[a][k]);
            }
        }
        static const uint32_t outward[6] = {0, 1, 2, 0, 2, 3};
        static const uint32_t inward[6] = {0, 2, 1, 0, 3, 2};
        for (unsigned k = 0; k < 6; k++) {
            indices[side * 6 + k] = side * 4 + (is_high ? outward[k] : inward[k]);
        }
    }
}

static void add_box(struct ossa__assembly *assembly, ossa_mesh *meshes, uint32_t bone,
                    const double end[3])
{
    struct ossa__context *context = &assembly->context;
    double length = sqrt(end[0] * end[0] + end[1] * end[1] + end[2] * end[2]);
    if (!(length > 1e-6) || context->failed) return;
    float(*positions)[3] = ossa__take(context, CORNERS, sizeof *positions);
    float(*normals)[3] = ossa__take(context, CORNERS, sizeof *normals);
    uint32_t *indices = ossa__take(context, INDICES, sizeof *indices);
    if (indices == NULL) return;
    fill_box(end, 0.12 * length, positions, normals, indices);
    meshes[assembly->scene->mesh_count++] = (ossa_mesh){.name = assembly->scene->bones[bone].name,
                                                        .bone = bone,
                                                        .kind = OSSA_MESH_KIND_TRIANGLES,
                                                        .vertex_count = CORNERS,
                                                        .positions = (const float(*)[3])positions,
                                                        .normals = (const float(*)[3])normals,
                                                        .material = -1,
                                                        .index_count = INDICES,
                                                        .indices = indices};
}

/* The last bone of a limb goes on for half the length of the one before, the same way. */
static void find_tip(const ossa_bone *bone, double end[3])
{
    for (unsigned k = 0; k < 3; k++) end[k] = 0.5 * (double)bone->rest.translation[k];
    ossa__quat_rotate(ossa__quat_conjugate(ossa__quat_load(bone->rest.rotation)), end, end);
}

void ossa__add_boxes(struct ossa__assembly *assembly)
{
    ossa_scene *scene = assembly->scene;
    struct ossa__children children;
    if (scene->mesh_count > 0 || scene->bone_count == 0) return;
    if (!ossa__find_children(&assembly->context, scene, &children)) return;
    /* One from each bone to each child, and one for each bone that has none. */
    ossa_mesh *meshes =
        ossa__take(&assembly->context, 2 * (uint64_t)scene->bone_count, sizeof *meshes);
    if (meshes == NULL) return;
    scene->meshes = meshes;
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        double end[3];
        if (children.first[i + 1] == 0) {
            find_tip(&scene->bones[i], end);
            add_box(assembly, meshes, i, end);
        }
        for (uint32_t c = children.first[i + 1]; c != 0; c = children.next[c]) {
            const float *place = scene->bones[c - 1].rest.translation;
            for (unsigned k = 0; k < 3; k++) end[k] = (double)place[k];
            add_box(assembly, meshes, i, end);
        }
    }
}
