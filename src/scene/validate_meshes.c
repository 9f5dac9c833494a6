/* SPDX-License-Identifier: MIT
 *
 * The rules of meshes: their vertices, and the bones that these move with. */
#include "scene/validate.h"

#include <inttypes.h>
#include <math.h>

static bool check_vertices(const ossa_mesh *mesh, struct ossa__scene_item field, ossa_error *error)
{
    uint64_t count = mesh->vertex_count;
    bool fine = ossa__are_finite((const float *)mesh->positions, count * 3);
    if (fine && mesh->normals != NULL)
        fine = ossa__are_finite((const float *)mesh->normals, count * 3);
    if (fine && mesh->texcoords != NULL) {
        fine = ossa__are_finite((const float *)mesh->texcoords, count * 2);
    }
    if (fine && mesh->texcoords2 != NULL) {
        fine = ossa__are_finite((const float *)mesh->texcoords2, count * 2);
    }
    if (!fine)
        return ossa__refuse(error, field, "'%s' has a vertex that is not finite", mesh->name);
    if (mesh->texcoords2 != NULL && mesh->texcoords == NULL) {
        return ossa__refuse(
            error, field, "'%s' has a second set of texture coordinates and no first", mesh->name);
    }
    if (mesh->target_count > 0 && mesh->targets == NULL) {
        return ossa__refuse(error, field, "'%s' lacks its morph targets", mesh->name);
    }
    for (uint64_t t = 0; t < mesh->target_count; t++) {
        if (ossa__are_finite((const float *)(mesh->targets + t * count), count * 3)) continue;
        return ossa__refuse(error, field,
                            "'%s' has a morph target, %" PRIu64 ", that is not finite", mesh->name,
                            t);
    }
    return true;
}

/* Four weights in 32 bits, each rounded, are nearer to 1. */
static const double weight_tolerance = 1e-5;

static bool check_weights(const ossa_scene *scene, const ossa_mesh *mesh,
                          struct ossa__scene_item field, ossa_error *error)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        double sum = 0.0;
        for (unsigned k = 0; k < 4; k++) {
            uint32_t bone = mesh->joints[v][k];
            float weight = mesh->weights[v][k];
            if (bone >= scene->bone_count) {
                return ossa__refuse(error, field,
                                    "'%s' has a vertex, %" PRIu32 ", that moves with bone %" PRIu32
                                    ", of %" PRIu32,
                                    mesh->name, v, bone, scene->bone_count);
            }
            if (!(weight >= 0.0F) || (weight == 0.0F && bone != 0)) {
                return ossa__refuse(error, field,
                                    "'%s' has a vertex, %" PRIu32
                                    ", with a weight below 0, or a bone without a weight",
                                    mesh->name, v);
            }
            sum += (double)weight;
        }
        if (fabs(sum - 1.0) <= weight_tolerance) continue; /* infinity is not */
        return ossa__refuse(error, field,
                            "'%s' has a vertex, %" PRIu32 ", whose weights do not add up to 1",
                            mesh->name, v);
    }
    return true;
}

static bool check_vertex_bones(const ossa_scene *scene, const ossa_mesh *mesh,
                               struct ossa__scene_item field, ossa_error *error)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        if (mesh->vertex_bones[v] < scene->bone_count) continue;
        return ossa__refuse(error, field,
                            "'%s' has a vertex, %" PRIu32 ", that moves with bone %" PRIu32
                            ", of %" PRIu32,
                            mesh->name, v, mesh->vertex_bones[v], scene->bone_count);
    }
    return true;
}

/* Vertices with bones of their own: not of a line, which few programs bend, and not with targets.
 */
static bool check_bones_of_vertices(const ossa_scene *scene, const ossa_mesh *mesh,
                                    struct ossa__scene_item field, ossa_error *error)
{
    bool has_weights = mesh->joints != NULL || mesh->weights != NULL;
    if (mesh->vertex_bones == NULL && !has_weights) return true;
    if (mesh->kind == OSSA_MESH_KIND_LINES) {
        return ossa__refuse(error, field, "'%s' is of lines and moves with several bones",
                            mesh->name);
    }
    if (mesh->target_count > 0) {
        return ossa__refuse(error, field, "'%s' has morph targets and moves with several bones",
                            mesh->name);
    }
    if (!has_weights) return check_vertex_bones(scene, mesh, field, error);
    if (mesh->joints == NULL || mesh->weights == NULL) {
        return ossa__refuse(
            error, field, "'%s' has joints without weights, or weights without joints", mesh->name);
    }
    if (mesh->vertex_bones != NULL) {
        return ossa__refuse(error, field, "'%s' has both one bone per vertex and weights",
                            mesh->name);
    }
    return check_weights(scene, mesh, field, error);
}

bool ossa__check_meshes(const ossa_scene *scene, ossa_error *error)
{
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const ossa_mesh *mesh = &scene->meshes[i];
        const ossa_mesh *before = i > 0 ? mesh - 1 : NULL;
        const struct ossa__scene_item field = {"meshes", i};
        if (!ossa__is_name(mesh->name)) return ossa__refuse(error, field, "has no name in UTF-8");
        if (mesh->bone >= scene->bone_count) {
            return ossa__refuse(error, field, "'%s' moves with bone %" PRIu32 ", of %" PRIu32,
                                mesh->name, mesh->bone, scene->bone_count);
        }
        if (before != NULL && mesh->bone < before->bone) {
            return ossa__refuse(error, field, "'%s' comes after a mesh of a later bone",
                                mesh->name);
        }
        if (before != NULL && mesh->bone == before->bone &&
            (mesh->target_count > 0 || before->target_count > 0)) {
            return ossa__refuse(error, field, "'%s' is a second mesh of a bone with morph targets",
                                mesh->name);
        }
        if (mesh->material < -1 || mesh->material >= (int64_t)scene->material_count) {
            return ossa__refuse(error, field, "'%s' has the material %" PRId32 ", of %" PRIu32,
                                mesh->name, mesh->material, scene->material_count);
        }
        if ((unsigned)mesh->kind > OSSA_MESH_KIND_LINES) {
            return ossa__refuse(error, field, "'%s' has the unknown kind %u", mesh->name,
                                (unsigned)mesh->kind);
        }
        if (mesh->positions == NULL || mesh->indices == NULL) {
            return ossa__refuse(error, field, "'%s' has no positions or no indices", mesh->name);
        }
        uint32_t corners = mesh->kind == OSSA_MESH_KIND_LINES ? 2 : 3;
        if (mesh->index_count == 0 || mesh->index_count % corners != 0) {
            return ossa__refuse(error, field, "'%s' has %" PRIu32 " indices", mesh->name,
                                mesh->index_count);
        }
        for (uint32_t k = 0; k < mesh->index_count; k++) {
            if (mesh->indices[k] < mesh->vertex_count) continue;
            return ossa__refuse(error, field, "'%s' has an index past its vertices", mesh->name);
        }
        if (!check_vertices(mesh, field, error)) return false;
        if (!check_bones_of_vertices(scene, mesh, field, error)) return false;
    }
    return true;
}
