/* SPDX-License-Identifier: MIT
 *
 * The joints of the vertices of a skin, four each, and their weights. A vertex that moves with one
 * bone has one joint that counts; of one that moves with several, the weights add up to 1 as nearly
 * as four floats can, and no joint counts twice, as glTF demands. */
#include "export/gltf_parts.h"

struct joints {
    uint32_t bones[4];
    float weights[4];
};

static void merge_joints(const ossa_mesh *mesh, uint32_t vertex, struct joints *out)
{
    double weights[4] = {0.0};
    double total = 0.0;
    for (unsigned k = 0; k < 4; k++) {
        uint32_t bone = mesh->joints[vertex][k];
        double weight = (double)mesh->weights[vertex][k];
        unsigned at = 0;
        while (at < k && (weights[at] == 0.0 || out->bones[at] != bone)) at++;
        out->bones[k] = weight > 0.0 && at == k ? bone : 0;
        weights[at] += weight;
        total += weight;
    }
    for (unsigned k = 0; k < 4; k++) out->weights[k] = (float)(weights[k] / total);
}

static struct joints joints_of(const ossa_mesh *mesh, uint32_t vertex)
{
    struct joints joints = {{ossa__gltf_bone_of(mesh, vertex)}, {1.0F}};
    if (mesh->joints != NULL) merge_joints(mesh, vertex, &joints);
    return joints;
}

void ossa__gltf_put_joints(struct ossa__gltf *x, struct ossa__gltf_primitive *primitive)
{
    struct ossa__gltf_buffer *buffer = &x->buffer;
    bool is_small = x->scene->bone_count <= 256;
    const ossa_mesh *meshes = x->scene->meshes;
    const uint32_t *order = x->order + primitive->first;
    primitive->joints = ossa__gltf_begin(buffer, is_small ? OSSA__GLTF_U8 : OSSA__GLTF_U16, 4,
                                         primitive->vertex_count, false);
    ossa__gltf_aim(buffer, OSSA__GLTF_VERTICES, false);
    for (uint32_t i = 0; i < primitive->count; i++) {
        const ossa_mesh *mesh = &meshes[order[i]];
        for (uint32_t v = 0; v < mesh->vertex_count && ossa__gltf_wants_numbers(buffer); v++) {
            struct joints joints = joints_of(mesh, v);
            uint8_t *out = ossa__gltf_room(buffer, is_small ? 4 : 8);
            for (size_t k = 0; k < 4; k++) {
                if (is_small) out[k] = (uint8_t)joints.bones[k];
                else ossa__store_u16(out + 2 * k, (uint16_t)joints.bones[k]);
            }
        }
    }
    ossa__gltf_end(buffer);
    primitive->weights =
        ossa__gltf_begin(buffer, OSSA__GLTF_F32, 4, primitive->vertex_count, false);
    ossa__gltf_aim(buffer, OSSA__GLTF_VERTICES, false);
    for (uint32_t i = 0; i < primitive->count; i++) {
        const ossa_mesh *mesh = &meshes[order[i]];
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            struct joints joints = joints_of(mesh, v);
            ossa__gltf_put(buffer, joints.weights, 1);
        }
    }
    ossa__gltf_end(buffer);
}
