/* SPDX-License-Identifier: MIT
 *
 * Boxes along the bones, so that a skeleton without a mesh can be seen. */
#include "scene/assembly.h"

#include <math.h>
#include <string.h>

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

/* Where a bone's box ends: the middle of its children, or a little further on. */
static bool find_end(const ossa_scene *scene, const uint32_t *children, const double (*sums)[3],
                     uint32_t bone, double end[3])
{
    for (unsigned k = 0; k < 3; k++) {
        end[k] = children[bone] > 0 ? sums[bone][k] / children[bone]
                                    : 0.5 * (double)scene->bones[bone].rest.translation[k];
    }
    return sqrt(end[0] * end[0] + end[1] * end[1] + end[2] * end[2]) > 1e-6;
}

void ossa__add_boxes(struct ossa__assembly *assembly)
{
    ossa_scene *scene = assembly->scene;
    struct ossa__context *context = &assembly->context;
    if (scene->mesh_count > 0 || scene->bone_count == 0) return;
    uint32_t count = scene->bone_count;
    uint32_t *children = ossa__take(context, count, sizeof *children);
    double(*sums)[3] = ossa__take(context, count, sizeof *sums);
    ossa_mesh *meshes = ossa__take(context, count, sizeof *meshes);
    if (meshes == NULL) return;
    memset(children, 0, count * sizeof *children);
    memset(sums, 0, count * sizeof *sums);
    for (uint32_t i = 0; i < count; i++) {
        int32_t parent = scene->bones[i].parent;
        if (parent < 0) continue;
        children[parent]++;
        for (unsigned k = 0; k < 3; k++) {
            sums[parent][k] += (double)scene->bones[i].rest.translation[k];
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        double end[3];
        const double(*read_sums)[3] = (const double(*)[3])sums;
        if (!find_end(scene, children, read_sums, i, end)) continue;
        float(*positions)[3] = ossa__take(context, CORNERS, sizeof *positions);
        float(*normals)[3] = ossa__take(context, CORNERS, sizeof *normals);
        uint32_t *indices = ossa__take(context, INDICES, sizeof *indices);
        if (indices == NULL) return;
        double length = sqrt(end[0] * end[0] + end[1] * end[1] + end[2] * end[2]);
        fill_box(end, 0.12 * length, positions, normals, indices);
        meshes[scene->mesh_count++] = (ossa_mesh){.name = scene->bones[i].name,
                                                  .bone = i,
                                                  .kind = OSSA_MESH_TRIANGLES,
                                                  .vertex_count = CORNERS,
                                                  .positions = (const float(*)[3])positions,
                                                  .normals = (const float(*)[3])normals,
                                                  .index_count = INDICES,
                                                  .indices = indices};
    }
    scene->meshes = meshes;
}
