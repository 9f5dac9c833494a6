/* SPDX-License-Identifier: MIT
 *
 * The skins of a glTF: which nodes are joints, and where they were when a mesh was bound to them.
 */
#include "import/gltf_file.h"

#include <inttypes.h>

/* A joint of several skins is where the first one had it. */
static void set_bind(struct ossa__motion_node *node, const float *inverse)
{
    node->is_joint = true;
    if (inverse == NULL || node->has_bind) return;
    node->has_bind = ossa__gltf_invert(inverse, node->bind);
}

static const float *read_inverses(struct ossa__gltf_file *file, const struct ossa__value *reference,
                                  size_t joint_count)
{
    struct ossa__gltf_accessor *accessor =
        ossa__gltf_accessor(file, reference, 16, OSSA__GLTF_FLOATS);
    if (accessor == NULL) return NULL;
    if (accessor->count < joint_count) {
        ossa__value_fail(
            reference, "accessor %" PRIu32 " has %" PRIu32 " elements, expected %zu: one per joint",
            accessor->index, accessor->count, joint_count);
        return NULL;
    }
    return ossa__gltf_accessor_floats(file, accessor);
}

static bool read_skin(struct ossa__gltf_file *file, const struct ossa__value *skin)
{
    struct ossa__value joints = ossa__value_member(skin, "joints");
    struct ossa__value reference = ossa__value_optional(skin, "inverseBindMatrices");
    size_t count = ossa__value_length(&joints);
    const float *inverses = NULL;
    if (reference.node != NULL && !file->is_quantised)
        inverses = read_inverses(file, &reference, count);
    for (size_t i = 0; i < count && !file->context->failed; i++) {
        struct ossa__value joint = ossa__value_item(&joints, i);
        uint32_t index;
        if (!ossa__gltf_list_index(&file->nodes, &joint, &index)) return false;
        int32_t node = file->node_of[index];
        if (node < 0) continue; /* not in the scene */
        set_bind(&file->motion->nodes[node], inverses == NULL ? NULL : inverses + 16 * i);
    }
    return !file->context->failed;
}

bool ossa__read_gltf_skins(struct ossa__gltf_file *file)
{
    struct ossa__value skins = ossa__value_optional(&file->root, "skins");
    size_t count = skins.node == NULL ? 0 : ossa__value_length(&skins);
    for (size_t i = 0; i < count && !file->context->failed; i++) {
        struct ossa__value skin = ossa__value_item(&skins, i);
        (void)read_skin(file, &skin);
    }
    return !file->context->failed;
}
