/* SPDX-License-Identifier: MIT
 *
 * The meshes of a glTF that have morph targets, as far as they can be edited here: the positions of
 * their vertices, and what the targets add to them. Primitives follow each other. */
#include "import/gltf_file.h"

#include <inttypes.h>
#include <string.h>

enum { WIDTH = 3 };

/* The vertices of a primitive, or what a target adds to them. NULL if there are none, and after a
 * failure. */
static struct ossa__gltf_accessor *find_positions(struct ossa__gltf_file *file,
                                                  const struct ossa__value *attributes)
{
    struct ossa__value reference = ossa__value_optional(attributes, "POSITION");
    if (reference.node == NULL) return NULL;
    return ossa__gltf_accessor(file, &reference, WIDTH, OSSA__GLTF_QUANTISED);
}

static uint32_t count_targets(const struct ossa__value *primitive)
{
    struct ossa__value targets = ossa__value_optional(primitive, "targets");
    return targets.node == NULL ? 0 : (uint32_t)ossa__value_length(&targets);
}

/* How many vertices the primitives have, which all have as many targets as the first one. */
static bool count_vertices(struct ossa__gltf_file *file, const struct ossa__value *primitives,
                           struct ossa__motion_mesh *mesh)
{
    size_t count = ossa__value_length(primitives);
    uint64_t vertices = 0;
    for (size_t i = 0; i < count && !file->context->failed; i++) {
        struct ossa__value primitive = ossa__value_item(primitives, i);
        uint32_t targets = count_targets(&primitive);
        if (i == 0) mesh->target_count = targets;
        if (targets != mesh->target_count) {
            return ossa__value_fail(&primitive,
                                    "has %" PRIu32 " morph targets, and the first one %" PRIu32,
                                    targets, mesh->target_count);
        }
        if (targets == 0) continue;
        struct ossa__value attributes = ossa__value_member(&primitive, "attributes");
        if (!ossa__gltf_is_plain(&primitive)) return false;
        const struct ossa__gltf_accessor *positions = find_positions(file, &attributes);
        if (positions != NULL) vertices += positions->count;
    }
    if (vertices > UINT32_MAX) {
        return ossa__value_fail(primitives, "have %" PRIu64 " vertices, which is too many",
                                vertices);
    }
    mesh->vertex_count = (uint32_t)vertices;
    return !file->context->failed;
}

/* What each target adds to the vertices of a primitive, which begin at `first`. */
static bool read_targets(struct ossa__gltf_file *file, const struct ossa__value *primitive,
                         const struct ossa__motion_mesh *mesh, uint32_t first, uint32_t count,
                         float *out)
{
    struct ossa__value targets = ossa__value_member(primitive, "targets");
    for (uint32_t i = 0; i < mesh->target_count && !file->context->failed; i++) {
        struct ossa__value target = ossa__value_item(&targets, i);
        const struct ossa__gltf_accessor *offsets = find_positions(file, &target);
        if (offsets == NULL) continue; /* it moves nothing */
        if (offsets->count != count) {
            return ossa__value_fail(&target,
                                    "accessor %" PRIu32 " has %" PRIu32
                                    " elements, expected %" PRIu32 ": one per vertex",
                                    offsets->index, offsets->count, count);
        }
        size_t at = ((size_t)i * mesh->vertex_count + first) * WIDTH;
        if (!ossa__gltf_decode(file, offsets, out + at)) return false;
    }
    return !file->context->failed;
}

static bool read_vertices(struct ossa__gltf_file *file, const struct ossa__value *primitives,
                          struct ossa__motion_mesh *mesh)
{
    const uint64_t size = (uint64_t)mesh->vertex_count * WIDTH * sizeof(float);
    float *positions = ossa__take(file->context, size, 1);
    float *targets = ossa__take(file->context, mesh->target_count, size);
    if (positions == NULL || targets == NULL) return false;
    memset(targets, 0, mesh->target_count * (size_t)size);
    mesh->positions = (const float(*)[3])positions;
    mesh->targets = (const float(*)[3])targets;
    uint32_t first = 0;
    size_t count = ossa__value_length(primitives);
    for (size_t i = 0; i < count; i++) {
        struct ossa__value primitive = ossa__value_item(primitives, i);
        struct ossa__value attributes = ossa__value_member(&primitive, "attributes");
        const struct ossa__gltf_accessor *found = find_positions(file, &attributes);
        if (found == NULL) continue;
        if (!ossa__gltf_decode(file, found, positions + (size_t)first * WIDTH)) return false;
        if (!read_targets(file, &primitive, mesh, first, found->count, targets)) return false;
        first += found->count;
    }
    return !file->context->failed;
}

/* The weights that an object gives; those of `mesh` if it gives none. */
static bool read_weights(const struct ossa__value *object, struct ossa__motion_mesh *mesh)
{
    struct ossa__value member = ossa__value_optional(object, "weights");
    if (member.node == NULL && mesh->weights != NULL) return !object->context->failed;
    float *weights = ossa__take(object->context, mesh->target_count, sizeof *weights);
    if (weights == NULL) return false;
    memset(weights, 0, mesh->target_count * sizeof *weights);
    if (member.node != NULL) ossa__gltf_numbers(&member, mesh->target_count, weights);
    mesh->weights = weights;
    return !object->context->failed;
}

/* Where a mesh of the file is in the motion. */
struct found {
    int32_t mesh; /* -1: it has no targets */
};

static const struct found *find_mesh(struct ossa__gltf_file *file, uint32_t index)
{
    if (file->meshes.parsed[index] != NULL) return file->meshes.parsed[index];
    struct ossa__motion *motion = file->motion;
    struct found *found = ossa__take_scratch(file->context, 1, sizeof *found);
    if (found == NULL) return NULL;
    struct ossa__value object = ossa__gltf_list_item(&file->meshes, index);
    struct ossa__value primitives = ossa__value_member(&object, "primitives");
    struct ossa__motion_mesh mesh = {0};
    if (!count_vertices(file, &primitives, &mesh)) return NULL;
    found->mesh = -1;
    if (mesh.target_count > 0) {
        mesh.name = ossa__gltf_name(&object, "name");
        if (!read_vertices(file, &primitives, &mesh) || !read_weights(&object, &mesh)) return NULL;
        found->mesh = (int32_t)motion->mesh_count;
        motion->meshes[motion->mesh_count++] = mesh;
    }
    file->meshes.parsed[index] = found;
    return found;
}

/* There is room for a mesh per node, and one more per node with weights. */
bool ossa__read_gltf_mesh(struct ossa__gltf_file *file, const struct ossa__value *object,
                          struct ossa__motion_node *node)
{
    struct ossa__motion *motion = file->motion;
    struct ossa__value reference = ossa__value_optional(object, "mesh");
    if (reference.node == NULL) return !file->context->failed;
    node->has_mesh = true;
    uint32_t index;
    if (!ossa__gltf_list_index(&file->meshes, &reference, &index)) return false;
    const struct found *found = find_mesh(file, index);
    if (found == NULL || found->mesh < 0) return found != NULL;
    node->mesh = found->mesh;
    struct ossa__value weights = ossa__value_optional(object, "weights");
    if (weights.node == NULL) return !file->context->failed;
    /* Others may show the mesh with its own weights. */
    node->mesh = (int32_t)motion->mesh_count++;
    motion->meshes[node->mesh] = motion->meshes[found->mesh];
    return read_weights(object, &motion->meshes[node->mesh]);
}
