/* SPDX-License-Identifier: MIT
 *
 * From the parents to the model, as transforms and as matrices; and the inverse of the rest pose.
 */
#include "ossa/sample.h"

#include "base/matrix.h"
#include "base/quaternion.h"

#include <string.h>

void ossa_model_pose(const ossa_scene *scene, const ossa_transform *locals, ossa_transform *models)
{
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        int32_t p = scene->bones[i].parent;
        if (p < 0) {
            models[i] = locals[i];
            continue;
        }
        const ossa_transform *parent = &models[p]; /* made before: parents come first */
        const ossa_transform *local = &locals[i];
        struct ossa__quat turn = ossa__quat_load(parent->rotation);
        struct ossa__quat own = ossa__quat_multiply(turn, ossa__quat_load(local->rotation));
        double place[3];
        for (unsigned k = 0; k < 3; k++) {
            place[k] = (double)local->translation[k] * (double)parent->scale[k];
        }
        ossa__quat_rotate(turn, place, place);
        (void)ossa__quat_normalise(&own); /* a long chain must not drift */
        ossa_transform model;
        ossa__quat_store(own, model.rotation);
        for (unsigned k = 0; k < 3; k++) {
            model.translation[k] = (float)((double)parent->translation[k] + place[k]);
            model.scale[k] = (float)((double)parent->scale[k] * (double)local->scale[k]);
        }
        models[i] = model;
    }
}

void ossa_transform_matrix(const ossa_transform *t, float m[16])
{
    struct ossa__quat q = ossa__quat_load(t->rotation);
    double sx = (double)t->scale[0];
    double sy = (double)t->scale[1];
    double sz = (double)t->scale[2];
    m[0] = (float)((1.0 - 2.0 * (q.y * q.y + q.z * q.z)) * sx);
    m[1] = (float)(2.0 * (q.x * q.y + q.w * q.z) * sx);
    m[2] = (float)(2.0 * (q.x * q.z - q.w * q.y) * sx);
    m[3] = 0.0F;
    m[4] = (float)(2.0 * (q.x * q.y - q.w * q.z) * sy);
    m[5] = (float)((1.0 - 2.0 * (q.x * q.x + q.z * q.z)) * sy);
    m[6] = (float)(2.0 * (q.y * q.z + q.w * q.x) * sy);
    m[7] = 0.0F;
    m[8] = (float)(2.0 * (q.x * q.z + q.w * q.y) * sz);
    m[9] = (float)(2.0 * (q.y * q.z - q.w * q.x) * sz);
    m[10] = (float)((1.0 - 2.0 * (q.x * q.x + q.y * q.y)) * sz);
    m[11] = 0.0F;
    m[12] = t->translation[0];
    m[13] = t->translation[1];
    m[14] = t->translation[2];
    m[15] = 1.0F;
}

/* out = a * b, both without perspective; `out` is neither of them. */
static void multiply(const float a[16], const float b[16], float out[16])
{
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned r = 0; r < 3; r++) {
            double sum = c == 3 ? (double)a[12 + r] : 0.0;
            for (unsigned k = 0; k < 3; k++) {
                sum += (double)a[4 * k + r] * (double)b[4 * c + k];
            }
            out[4 * c + r] = (float)sum;
        }
        out[4 * c + 3] = c == 3 ? 1.0F : 0.0F;
    }
}

/* The matrix of a bone, after that of its parent. */
static void place_bone(const ossa_scene *scene, uint32_t bone, const ossa_transform *transform,
                       float (*matrices)[16])
{
    int32_t parent = scene->bones[bone].parent;
    float local[16];
    ossa_transform_matrix(transform, local);
    if (parent < 0) memcpy(matrices[bone], local, sizeof local);
    else multiply(matrices[parent], local, matrices[bone]);
}

void ossa_model_matrices(const ossa_scene *scene, const ossa_transform *locals,
                         float (*matrices)[16])
{
    for (uint32_t b = 0; b < scene->bone_count; b++) place_bone(scene, b, &locals[b], matrices);
}

void ossa_bind_matrices(const ossa_scene *scene, float (*inverse_binds)[16])
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        place_bone(scene, b, &scene->bones[b].rest, inverse_binds);
    }
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        if (ossa__matrix_invert(inverse_binds[b], inverse_binds[b])) continue;
        memcpy(inverse_binds[b], identity, sizeof identity);
    }
}
