/* SPDX-License-Identifier: MIT
 *
 * Cameras in assimp: where they are and where they look at each of their keys. */
#include "assimp_check.h"

#include <assimp/cimport.h>
#include <math.h>
#include <string.h>

static const struct aiAnimation *find_animation(const struct aiScene *scene, const char *name)
{
    for (unsigned i = 0; i < scene->mNumAnimations; i++) {
        if (strcmp(scene->mAnimations[i]->mName.data, name) == 0) return scene->mAnimations[i];
    }
    return NULL;
}

static const struct aiCamera *find_camera(const struct aiScene *scene, const char *name)
{
    for (unsigned i = 0; i < scene->mNumCameras; i++) {
        if (strcmp(scene->mCameras[i]->mName.data, name) == 0) return scene->mCameras[i];
    }
    return NULL;
}

/* The rotation turns -Z, which a camera looks along, into this. */
static void meant_view(const json_t *rotation, double view[3])
{
    const double x = json_number_value(json_array_get(rotation, 0));
    const double y = json_number_value(json_array_get(rotation, 1));
    const double z = json_number_value(json_array_get(rotation, 2));
    const double w = json_number_value(json_array_get(rotation, 3));
    view[0] = -2 * (x * z + y * w);
    view[1] = -2 * (y * z - x * w);
    view[2] = -1 + 2 * (x * x + y * y);
}

static double view_off(const struct aiCamera *camera, const struct aiMatrix4x4 *m,
                       const json_t *rotation)
{
    const double look[3] = {(double)camera->mLookAt.x, (double)camera->mLookAt.y,
                            (double)camera->mLookAt.z};
    const double rows[3][3] = {{(double)m->a1, (double)m->a2, (double)m->a3},
                               {(double)m->b1, (double)m->b2, (double)m->b3},
                               {(double)m->c1, (double)m->c2, (double)m->c3}};
    double view[3];
    double sum = 0;
    meant_view(rotation, view);
    for (size_t i = 0; i < 3; i++) {
        const double shown = rows[i][0] * look[0] + rows[i][1] * look[1] + rows[i][2] * look[2];
        sum += (shown - view[i]) * (shown - view[i]);
    }
    return sqrt(sum);
}

static bool check_way(const json_t *meant, const struct aiScene *scene, const node_list *list,
                      double *worst)
{
    const char *name = string_of(meant, "name");
    const struct aiCamera *camera = find_camera(scene, name);
    const struct aiAnimation *animation = find_animation(scene, name);
    const struct aiNode *node = nodes_find(list, name);
    if (camera == NULL || animation == NULL || node == NULL) {
        return complain("no camera %s, or none with an animation", name);
    }
    size_t i;
    const json_t *time;
    json_array_foreach (json_object_get(meant, "times"), i, time) {
        const double ticks = json_number_value(time) * animation->mTicksPerSecond + 0.01;
        const struct aiMatrix4x4 matrix = node_world(node, animation, ticks);
        const double away =
            distance_to(&matrix, json_array_get(json_object_get(meant, "positions"), i));
        const double off =
            view_off(camera, &matrix, json_array_get(json_object_get(meant, "rotations"), i));
        *worst = fmax(*worst, fmax(away, off));
        if (away > TOLERANCE || off > TOLERANCE) {
            return complain("camera %s, key %zu: %.3g m away, looks %.3g past", name, i, away, off);
        }
    }
    return i > 0;
}

bool check_cameras(const peer_figure *figure, const struct aiScene *scene, const node_list *list,
                   const peer_results *results)
{
    size_t i;
    const json_t *camera;
    double worst = 0;
    if (scene->mNumCameras != json_array_size(figure->cameras)) {
        return complain("%u cameras, not %zu", scene->mNumCameras,
                        json_array_size(figure->cameras));
    }
    json_array_foreach (figure->cameras, i, camera) {
        if (!check_way(camera, scene, list, &worst)) return false;
    }
    if (i > 0 && results != NULL) result_add(results, figure, "cameras", "within 1e-4", &worst);
    return true;
}
