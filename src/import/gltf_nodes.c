/* SPDX-License-Identifier: MIT
 *
 * The nodes of a glTF: a forest, of which the file gives the children and may have them anywhere.
 * Here each comes behind its parent, and otherwise they keep their order. Nodes that are not in the
 * scene that the file shows are left out. */
#include "import/gltf_file.h"

#include <string.h>

static const uint32_t NONE = UINT32_MAX;

/* By node of the file. */
struct tree {
    struct ossa__gltf_file *file;
    uint32_t count;
    uint32_t *parents;   /* NONE: it is a root */
    uint32_t *roots;     /* of the tree that it is in */
    uint32_t *order;     /* nodes, each behind its parent */
    bool *is_shown;      /* by root */
    uint64_t mesh_count; /* at most */
};

/* ---- parents ------------------------------------------------------------------------------- */

static bool set_parent(struct tree *tree, const struct ossa__value *reference, uint32_t parent)
{
    const struct ossa__gltf_list *nodes = &tree->file->nodes;
    char text[3][OSSA__GLTF_LABEL];
    uint32_t child;
    if (!ossa__gltf_list_index(nodes, reference, &child)) return false;
    uint32_t other = tree->parents[child];
    tree->parents[child] = parent;
    if (other == NONE) return true;
    const char *name = ossa__gltf_label(nodes, child, text[0]);
    const char *first = ossa__gltf_label(nodes, other, text[1]);
    const char *second = ossa__gltf_label(nodes, parent, text[2]);
    return ossa__value_fail(reference, "%s is a child of both %s and %s", name, first, second);
}

static bool find_parents(struct tree *tree)
{
    for (uint32_t i = 0; i < tree->count; i++) tree->parents[i] = NONE;
    for (uint32_t i = 0; i < tree->count; i++) {
        struct ossa__value node = ossa__gltf_list_item(&tree->file->nodes, i);
        struct ossa__value mesh = ossa__value_optional(&node, "mesh");
        struct ossa__value children = ossa__value_optional(&node, "children");
        struct ossa__value weights = ossa__value_optional(&node, "weights");
        if (mesh.node != NULL) tree->mesh_count += weights.node != NULL ? 2 : 1;
        size_t count = children.node == NULL ? 0 : ossa__value_length(&children);
        for (size_t k = 0; k < count; k++) {
            struct ossa__value child = ossa__value_item(&children, k);
            if (!set_parent(tree, &child, i)) return false;
        }
        if (node.context->failed) return false;
    }
    return true;
}

/* Each node behind its parent: those above it that have no place yet come first. */
static bool sort(struct tree *tree, uint32_t *above)
{
    uint32_t *roots = tree->roots;
    const uint32_t ON_PATH = UINT32_MAX - 1;
    uint32_t used = 0;
    for (uint32_t i = 0; i < tree->count; i++) roots[i] = NONE;
    for (uint32_t i = 0; i < tree->count; i++) {
        uint32_t height = 0;
        uint32_t at = i;
        for (; at != NONE && roots[at] == NONE; at = tree->parents[at]) {
            roots[at] = ON_PATH;
            above[height++] = at;
        }
        if (at != NONE && roots[at] == ON_PATH) {
            char text[2][OSSA__GLTF_LABEL];
            const struct ossa__gltf_list *nodes = &tree->file->nodes;
            struct ossa__value node = ossa__gltf_list_item(nodes, at);
            const char *name = ossa__gltf_label(nodes, at, text[0]);
            const char *parent = ossa__gltf_label(nodes, tree->parents[at], text[1]);
            return ossa__value_fail(
                &node, "%s is below itself: it is a child of %s, which is below it", name, parent);
        }
        while (height > 0) {
            uint32_t node = above[--height];
            uint32_t parent = tree->parents[node];
            roots[node] = parent == NONE ? node : roots[parent];
            tree->order[used++] = node;
        }
    }
    return true;
}

/* ---- scenes -------------------------------------------------------------------------------- */

/* Which trees the file shows: all, unless it has a scene that lists some. */
static bool find_shown(struct tree *tree)
{
    const struct ossa__value *root = &tree->file->root;
    struct ossa__value scene_index = ossa__value_optional(root, "scene");
    memset(tree->is_shown, 1, tree->count * sizeof *tree->is_shown);
    if (scene_index.node == NULL) return !root->context->failed;
    struct ossa__gltf_list scenes;
    uint32_t index;
    if (!ossa__gltf_list_open(&scenes, root, "scenes")) return false;
    if (!ossa__gltf_list_index(&scenes, &scene_index, &index)) return false;
    struct ossa__value scene = ossa__gltf_list_item(&scenes, index);
    struct ossa__value nodes = ossa__value_optional(&scene, "nodes");
    size_t count = nodes.node == NULL ? 0 : ossa__value_length(&nodes);
    if (count > 0) memset(tree->is_shown, 0, tree->count * sizeof *tree->is_shown);
    for (size_t i = 0; i < count; i++) {
        struct ossa__value reference = ossa__value_item(&nodes, i);
        uint32_t node;
        if (!ossa__gltf_list_index(&tree->file->nodes, &reference, &node)) return false;
        tree->is_shown[tree->roots[node]] = true;
    }
    return !root->context->failed;
}

/* ---- nodes --------------------------------------------------------------------------------- */

static bool read_matrix(const struct ossa__value *object, const struct ossa__value *matrix,
                        struct ossa__motion_node *node)
{
    static const char *const others[] = {"translation", "rotation", "scale"};
    float numbers[16];
    ossa__gltf_numbers(matrix, 16, numbers);
    for (size_t i = 0; i < 3; i++) {
        struct ossa__value other = ossa__value_optional(object, others[i]);
        if (other.node != NULL) {
            return ossa__value_fail(&other, "stands beside a matrix, which has it already");
        }
    }
    const char *why = ossa__gltf_decompose(numbers, node);
    if (object->context->failed || why == NULL) return !object->context->failed;
    return ossa__value_fail(matrix, "%s", why);
}

static void read_three(const struct ossa__value *object, const char *key, double out[3])
{
    struct ossa__value member = ossa__value_optional(object, key);
    float numbers[3];
    if (member.node == NULL) return;
    ossa__gltf_numbers(&member, 3, numbers);
    for (size_t i = 0; i < 3; i++) out[i] = (double)numbers[i];
}

static bool read_transform(const struct ossa__value *object, struct ossa__motion_node *node)
{
    struct ossa__value matrix = ossa__value_optional(object, "matrix");
    if (matrix.node != NULL) return read_matrix(object, &matrix, node);
    struct ossa__value rotation = ossa__value_optional(object, "rotation");
    read_three(object, "translation", node->translation);
    read_three(object, "scale", node->scale);
    if (rotation.node != NULL) {
        float numbers[4];
        ossa__gltf_numbers(&rotation, 4, numbers);
        node->rotation = ossa__quat_load(numbers);
        if (!ossa__quat_normalise(&node->rotation)) {
            ossa__value_fail(&rotation, "has the length 0, expected 1");
        }
    }
    return !object->context->failed;
}

/* The vertical field of view; 0 for a camera that has none. NULL after a failure. */
static const double *read_camera(struct ossa__gltf_file *file, uint32_t index)
{
    if (file->cameras.parsed[index] != NULL) return file->cameras.parsed[index];
    struct ossa__value object = ossa__gltf_list_item(&file->cameras, index);
    struct ossa__value type = ossa__value_member(&object, "type");
    double *field_of_view = ossa__take_scratch(file->context, 1, sizeof *field_of_view);
    if (field_of_view == NULL) return NULL;
    *field_of_view = 0.0;
    if (ossa__gltf_is(&type, "perspective")) {
        struct ossa__value perspective = ossa__value_member(&object, "perspective");
        struct ossa__value yfov = ossa__value_member(&perspective, "yfov");
        *field_of_view = (double)ossa__gltf_number(&yfov);
        if (!(*field_of_view > 0.0)) ossa__value_fail(&yfov, "is not above 0");
    }
    if (file->context->failed) return NULL;
    file->cameras.parsed[index] = field_of_view;
    return field_of_view;
}

static bool read_node(struct ossa__gltf_file *file, const struct ossa__value *object,
                      struct ossa__motion_node *node)
{
    node->name = ossa__gltf_name(object, "name");
    if (!read_transform(object, node) || !ossa__read_gltf_mesh(file, object, node)) return false;
    struct ossa__value camera = ossa__value_optional(object, "camera");
    if (camera.node == NULL) return !file->context->failed;
    uint32_t index;
    if (!ossa__gltf_list_index(&file->cameras, &camera, &index)) return false;
    const double *field_of_view = read_camera(file, index);
    if (field_of_view == NULL) return false;
    node->is_camera = true;
    node->field_of_view = *field_of_view;
    return true;
}

static bool read_all(struct tree *tree)
{
    struct ossa__gltf_file *file = tree->file;
    struct ossa__motion *motion = file->motion;
    uint32_t shown = 0;
    for (uint32_t i = 0; i < tree->count; i++) shown += tree->is_shown[tree->roots[i]] ? 1 : 0;
    if (shown < tree->count) {
        ossa__issue_nowhere(file->context, OSSA_SEVERITY_REMARK, OSSA_CODE_PASSED_OVER, "nodes",
                            "%u of %u are not in the scene that is shown, and are left out",
                            (unsigned)(tree->count - shown), (unsigned)tree->count);
    }
    motion->nodes = ossa__take(file->context, shown, sizeof *motion->nodes);
    motion->meshes = ossa__take(file->context, tree->mesh_count, sizeof *motion->meshes);
    if (motion->nodes == NULL || motion->meshes == NULL) return false;
    for (uint32_t i = 0; i < tree->count; i++) {
        uint32_t index = tree->order[i];
        file->node_of[index] = -1;
        if (!tree->is_shown[tree->roots[index]]) continue;
        uint32_t parent = tree->parents[index];
        struct ossa__motion_node *node = &motion->nodes[motion->node_count];
        *node = (struct ossa__motion_node){.parent = parent == NONE ? -1 : file->node_of[parent],
                                           .rotation = {0.0, 0.0, 0.0, 1.0},
                                           .scale = {1.0, 1.0, 1.0},
                                           .mesh = -1};
        struct ossa__value object = ossa__gltf_list_item(&file->nodes, index);
        if (!read_node(file, &object, node)) return false;
        file->node_of[index] = (int32_t)motion->node_count++;
    }
    return true;
}

bool ossa__read_gltf_nodes(struct ossa__gltf_file *file)
{
    struct ossa__context *context = file->context;
    if (!ossa__gltf_list_open(&file->nodes, &file->root, "nodes")) return false;
    struct tree tree = {.file = file, .count = file->nodes.count};
    if (tree.count > INT32_MAX) {
        return ossa__value_fail(&file->nodes.array, "has %u items, at most %d are read",
                                (unsigned)tree.count, INT32_MAX);
    }
    file->node_of = ossa__take_scratch(context, tree.count, sizeof *file->node_of);
    uint32_t *above = ossa__take_scratch(context, tree.count, sizeof *above);
    tree.parents = ossa__take_scratch(context, tree.count, sizeof *tree.parents);
    tree.roots = ossa__take_scratch(context, tree.count, sizeof *tree.roots);
    tree.order = ossa__take_scratch(context, tree.count, sizeof *tree.order);
    tree.is_shown = ossa__take_scratch(context, tree.count, sizeof *tree.is_shown);
    if (context->failed || !find_parents(&tree) || !sort(&tree, above)) return false;
    if (!find_shown(&tree) || !read_all(&tree)) return false;
    return true;
}
