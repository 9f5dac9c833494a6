/* SPDX-License-Identifier: MIT
 *
 * Any bytes as what another program made of a scene: glTF, BVH or scene JSON. What can be read
 * keeps all promises of import/motion.h. */
#include "target.h"

#include "base/bytes.h"
#include "import/motion.h"

#include <math.h>
#include <string.h>

/* The file beside every .gltf: 0, 1, 2, ... */
static bool fetch(void *user, const char *name, const uint8_t **data, size_t *size)
{
    static uint8_t bytes[256];
    (void)user;
    REQUIRE(name[0] != '\0' && strpbrk(name, "/\\:") == NULL, "a name with folders");
    REQUIRE(strcmp(name, ".") != 0 && strcmp(name, "..") != 0, "a name that is a folder");
    for (unsigned i = 0; i < sizeof bytes / 4; i++) {
        ossa__store_u32(bytes + 4 * (size_t)i, ossa__bits_from_f32((float)i));
    }
    *data = bytes;
    *size = sizeof bytes;
    return true;
}

static void require_finite(const float *numbers, size_t count, const char *why)
{
    for (size_t i = 0; i < count; i++) REQUIRE(isfinite(numbers[i]), why);
}

static void check_nodes(const struct ossa__motion *motion)
{
    for (uint32_t i = 0; i < motion->node_count; i++) {
        const struct ossa__motion_node *node = &motion->nodes[i];
        double length = ossa__quat_dot(node->rotation, node->rotation);
        REQUIRE(node->name != NULL, "a node without a name");
        REQUIRE(node->parent >= -1 && node->parent < (int32_t)i, "a node before its parent");
        REQUIRE(node->mesh >= -1 && node->mesh < (int32_t)motion->mesh_count, "another mesh");
        REQUIRE(fabs(length - 1.0) < 1e-6, "a rotation of another length");
        for (unsigned k = 0; k < 3; k++) {
            REQUIRE(isfinite(node->translation[k]) && isfinite(node->scale[k]), "a wild node");
        }
        for (unsigned k = 0; k < 16 && node->has_bind; k++) {
            REQUIRE(isfinite(node->bind[k]), "a wild matrix");
        }
        REQUIRE(isfinite(node->field_of_view), "a wild camera");
    }
}

static void check_curve(const struct ossa__motion *motion, const struct ossa__motion_curve *curve)
{
    REQUIRE(curve->node < motion->node_count, "a curve of no node");
    REQUIRE(curve->key_count > 0 && curve->width > 0, "a curve without keys");
    REQUIRE(curve->times[0] >= 0.0F && isfinite(curve->times[curve->key_count - 1]), "wild times");
    for (uint32_t i = 1; i < curve->key_count; i++) {
        REQUIRE(curve->times[i] > curve->times[i - 1], "times that do not rise");
    }
    size_t rows = (size_t)curve->key_count * (curve->interpolation == OSSA__MOTION_CUBIC ? 3 : 1);
    require_finite(curve->values, rows * curve->width, "a wild key");
}

/* One curve per node and target. */
static void check_clip(const struct ossa__motion *motion, const struct ossa__motion_clip *clip)
{
    uint8_t *targets = calloc((size_t)motion->node_count + 1, 1);
    REQUIRE(targets != NULL && clip->name != NULL, "a clip without a name");
    for (uint32_t i = 0; i < clip->curve_count; i++) {
        const struct ossa__motion_curve *curve = &clip->curves[i];
        uint8_t bit = (uint8_t)(1U << curve->target);
        check_curve(motion, curve);
        REQUIRE((targets[curve->node] & bit) == 0, "two curves for one target");
        targets[curve->node] |= bit;
    }
    free(targets);
}

static void check_motion(const struct ossa__motion *motion)
{
    check_nodes(motion);
    for (uint32_t i = 0; i < motion->clip_count; i++) check_clip(motion, &motion->clips[i]);
    for (uint32_t i = 0; i < motion->mesh_count; i++) {
        const struct ossa__motion_mesh *mesh = &motion->meshes[i];
        size_t count = (size_t)mesh->vertex_count * 3;
        if (count > 0) {
            require_finite(&mesh->positions[0][0], count, "a wild vertex");
            require_finite(&mesh->targets[0][0], count * mesh->target_count, "a wild target");
        }
        require_finite(mesh->weights, mesh->target_count, "a wild weight");
    }
    for (uint32_t i = 0; i < motion->option_count; i++) {
        const struct ossa__motion_option *option = &motion->options[i];
        REQUIRE(option->key != NULL && (option->text != NULL || isfinite(option->number)),
                "an option without a value");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ossa__context context;
    ossa__context_init(&context, NULL, size);
    uint8_t *copy = malloc(size + 1); /* the motion does not refer to it */
    REQUIRE(copy != NULL, "no memory");
    if (size > 0) memcpy(copy, data, size);
    const struct ossa__motion *motion =
        ossa__read_motion(&context, copy, size, "walk.bvh", fetch, NULL);
    free(copy);
    REQUIRE((motion == NULL) == context.failed, "a failure without a reason");
    if (motion != NULL) check_motion(motion);
    else REQUIRE(context.error.message[0] != '\0', "a failure without a message");
    ossa__arena_free(&context.scratch);
    ossa__arena_free(&context.arena);
    return 0;
}
