/* SPDX-License-Identifier: MIT
 *
 * What a glTF says of how it was made: the object `ossa` in the extras of the asset, of the
 * document or of the scene that it shows. Programs keep some of these and drop others, so the first
 * one that is there counts. Extras may be anything: what is not such an object is not ours. */
#include "import/gltf_file.h"

#include "import/motion_options.h"

static bool is_object(const struct ossa__value *value)
{
    return value->node != NULL && *value->node == '{';
}

/* False: it has none, or there was a failure. */
static bool read_options(struct ossa__motion *motion, const struct ossa__value *owner)
{
    if (!is_object(owner)) return false;
    struct ossa__value extras = ossa__value_optional(owner, "extras");
    if (!is_object(&extras)) return false;
    struct ossa__value options = ossa__value_optional(&extras, "ossa");
    if (!is_object(&options)) return false;
    ossa__read_motion_options(motion, &options);
    return true;
}

bool ossa__read_gltf_options(struct ossa__gltf_file *file)
{
    const struct ossa__value *root = &file->root;
    struct ossa__value asset = ossa__value_optional(root, "asset");
    struct ossa__value shown = ossa__value_optional(root, "scene");
    struct ossa__value scenes = ossa__value_optional(root, "scenes");
    if (!read_options(file->motion, &asset) && !read_options(file->motion, root) &&
        shown.node != NULL) {
        struct ossa__value scene = ossa__value_item(&scenes, ossa__value_u32(&shown));
        (void)read_options(file->motion, &scene);
    }
    return !file->context->failed;
}
