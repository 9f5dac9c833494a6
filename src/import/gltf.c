/* SPDX-License-Identifier: MIT
 *
 * glTF 2.0, as .glb or .gltf: the nodes, and how they move. Meshes are read if they have morph
 * targets; materials and images are not. */
#include "import/gltf_file.h"

#include <string.h>

static bool check_extensions(struct ossa__gltf_file *file)
{
    struct ossa__value required = ossa__value_optional(&file->root, "extensionsRequired");
    size_t count = required.node == NULL ? 0 : ossa__value_length(&required);
    for (size_t i = 0; i < count && !file->context->failed; i++) {
        struct ossa__value name = ossa__value_item(&required, i);
        if (ossa__gltf_is_compression(&name)) return ossa__gltf_refuse_compression(&name);
        if (ossa__gltf_is(&name, "KHR_mesh_quantization")) {
            file->is_quantised = true;
            continue;
        }
        if (ossa__gltf_is(&name, "KHR_animation_pointer")) continue;
        size_t size;
        const char *text = ossa__value_text(&name, &size);
        ossa__issue_nowhere(file->context, OSSA_SEVERITY_REMARK, OSSA_CODE_PASSED_OVER,
                            "extensionsRequired", "'%.*s' is not read", size < 64 ? (int)size : 64,
                            text);
    }
    return !file->context->failed;
}

static bool check_version(struct ossa__gltf_file *file)
{
    struct ossa__value asset = ossa__value_member(&file->root, "asset");
    struct ossa__value version = ossa__value_member(&asset, "version");
    size_t size;
    const char *text = ossa__value_text(&version, &size);
    if (file->context->failed) return false;
    if (size >= 2 && memcmp(text, "2.", 2) == 0) return true;
    return ossa__value_fail(&version, "is glTF '%.*s', expected 2.0",
                            (int)ossa__gltf_cut(text, size, 16), text);
}

static bool read_document(struct ossa__gltf_file *file)
{
    const struct ossa__value *root = &file->root;
    if (!check_version(file) || !check_extensions(file)) return false;
    return ossa__gltf_list_open(&file->buffers, root, "buffers") &&
           ossa__gltf_list_open(&file->views, root, "bufferViews") &&
           ossa__gltf_list_open(&file->accessors, root, "accessors") &&
           ossa__gltf_list_open(&file->meshes, root, "meshes") &&
           ossa__gltf_list_open(&file->cameras, root, "cameras") && ossa__read_gltf_nodes(file) &&
           ossa__read_gltf_skins(file) && ossa__read_gltf_animations(file) &&
           ossa__read_gltf_options(file);
}

struct ossa__motion *ossa__read_gltf(struct ossa__context *context, const uint8_t *data,
                                     size_t size, ossa__fetch_file *fetch, void *user)
{
    struct ossa__gltf_file file = {.context = context, .fetch = fetch, .user = user};
    context->format = "gltf";
    file.motion = ossa__take(context, 1, sizeof *file.motion);
    if (file.motion == NULL) return NULL;
    *file.motion = (struct ossa__motion){.format = "gltf", .has_rest = true};
    if (!ossa__read_gltf_container(&file, data, size)) return NULL;
    struct ossa__mark mark = ossa__scratch_mark(context);
    struct ossa__document *document = ossa__document_parse(context, file.text, file.text_size);
    if (document == NULL) return NULL;
    file.root = ossa__document_root(context, document);
    (void)read_document(&file);
    ossa__scratch_release(context, mark); /* the document, and what was needed on the way */
    return context->failed ? NULL : file.motion;
}
