/* SPDX-License-Identifier: MIT
 *
 * From the parents to the model, as transforms and as matrices; and the inverse of the rest pose.
 */
#include "ossa/sample.h"

#include "base/matrix.h"
#include "base/quaternion.h"
#include "lanes/kernels.h"

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

void ossa_transform_matrix(const ossa_transform *transform, float matrix[16])
{
    ossa__matrix_of(transform, matrix);
}

void ossa_model_matrices(const ossa_scene *scene, const ossa_transform *locals,
                         float (*matrices)[16])
{
    if (scene->bone_count == 0) return; /* then there is no first */
    ossa__kernels()->model_matrices(&scene->bones->parent, sizeof *scene->bones, locals,
                                    scene->bone_count, matrices);
}

void ossa_bind_matrices(const ossa_scene *scene, float (*inverse_binds)[16])
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    ossa__rest_matrices(scene, inverse_binds);
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        if (ossa__matrix_invert(inverse_binds[b], inverse_binds[b])) continue;
        memcpy(inverse_binds[b], identity, sizeof identity);
    }
}
