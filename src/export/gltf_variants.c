/* SPDX-License-Identifier: MIT
 *
 * Variants of materials in a glTF: KHR_materials_variants. The document names the variants, and
 * each primitive lists the material that it shows in each of them, also one that never changes:
 * Blender 3.4 cannot open a file with variants in which a primitive has no list. */
#include "export/gltf_parts.h"

#include "codec/sort.h"

#include <string.h>

/* What a variant shows in place of a material; the material itself where nothing replaces it. */
static uint32_t material_in(const ossa_variant *variant, uint32_t material)
{
    uint32_t low = 0;
    uint32_t high = variant->replacement_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (variant->replacements[middle].material < material) low = middle + 1;
        else high = middle;
    }
    bool is_replaced =
        low < variant->replacement_count && variant->replacements[low].material == material;
    return is_replaced ? variant->replacements[low].by : material;
}

int32_t ossa__gltf_variant_material(const struct ossa__gltf *x, const ossa_mesh *mesh,
                                    uint32_t variant)
{
    if (mesh->material < 0) return mesh->material;
    return (int32_t)material_in(&x->scene->variants[variant], (uint32_t)mesh->material);
}

void ossa__gltf_find_variant(struct ossa__gltf *x)
{
    const char *name = x->options->variant;
    x->variant = -1;
    if (name == NULL) return;
    for (uint32_t i = 0; i < x->scene->variant_count && x->variant < 0; i++) {
        if (strcmp(x->scene->variants[i].name, name) == 0) x->variant = (int32_t)i;
    }
    if (x->variant >= 0) return;
    ossa__fail_nowhere(&x->context, OSSA_CODE_BAD_ARGUMENT, "", "there is no variant '%.80s'",
                       name);
}

uint32_t ossa__gltf_shown_material(const struct ossa__gltf *x, const ossa_mesh *mesh)
{
    if (x->variant < 0) return ossa__gltf_material_of(x, mesh);
    uint32_t variant = (uint32_t)x->variant;
    return ossa__gltf_place_of(x, mesh, ossa__gltf_variant_material(x, mesh, variant));
}

bool ossa__gltf_has_variants(const struct ossa__gltf *x)
{
    return x->scene->variant_count > 0 && x->scene->mesh_count > 0;
}

void ossa__gltf_write_variants(struct ossa__gltf *x)
{
    if (!ossa__gltf_has_variants(x)) return;
    ossa__json_key(&x->json, "extensions");
    ossa__json_begin_object(&x->json);
    ossa__json_key(&x->json, "KHR_materials_variants");
    ossa__json_begin_object(&x->json);
    ossa__json_key(&x->json, "variants");
    ossa__json_begin_array(&x->json);
    for (uint32_t i = 0; i < x->scene->variant_count; i++) {
        ossa__json_begin_object(&x->json);
        ossa__gltf_string(x, "name", x->scene->variants[i].name);
        ossa__json_end_object(&x->json);
    }
    ossa__json_end_array(&x->json);
    ossa__json_end_object(&x->json);
    ossa__json_end_object(&x->json);
}

/* A variant, and the material of the file that a primitive has in it. */
struct mapping {
    uint32_t material;
    uint32_t variant;
};

static bool mapping_before(const void *a, const void *b, void *user)
{
    const struct mapping *m = a;
    const struct mapping *n = b;
    (void)user;
    return m->material != n->material ? m->material < n->material : m->variant < n->variant;
}

void ossa__gltf_write_mappings(struct ossa__gltf *x, const ossa_mesh *mesh)
{
    struct mapping mappings[OSSA_MAX_VARIANTS];
    uint32_t count = 0;
    if (!ossa__gltf_has_variants(x)) return;
    for (uint32_t i = 0; i < x->scene->variant_count; i++) {
        int32_t material = ossa__gltf_variant_material(x, mesh, i);
        mappings[count++] = (struct mapping){ossa__gltf_place_of(x, mesh, material), i};
    }
    if (!ossa__sort(&x->context, mappings, count, sizeof *mappings, mapping_before, NULL)) return;
    ossa__json_key(&x->json, "extensions");
    ossa__json_begin_object(&x->json);
    ossa__json_key(&x->json, "KHR_materials_variants");
    ossa__json_begin_object(&x->json);
    ossa__json_key(&x->json, "mappings");
    ossa__json_begin_array(&x->json);
    for (uint32_t i = 0; i < count;) {
        uint32_t material = mappings[i].material;
        ossa__json_begin_object(&x->json);
        ossa__gltf_uint(x, "material", material);
        ossa__json_key(&x->json, "variants");
        ossa__json_begin_row(&x->json);
        for (; i < count && mappings[i].material == material; i++) {
            ossa__json_uint(&x->json, mappings[i].variant);
        }
        ossa__json_end_array(&x->json);
        ossa__json_end_object(&x->json);
    }
    ossa__json_end_array(&x->json);
    ossa__json_end_object(&x->json);
    ossa__json_end_object(&x->json);
}
