/* SPDX-License-Identifier: MIT
 *
 * Shadow of the Colossus: the surfaces of models (NMO) as materials, and their textures (NTO).
 *
 * A model names its textures and states their sides, which decides what an NTO leaves open. What a
 * material of the scene has no member for is in its extras: the flags, the layer that they pick
 * (likely), the second texture, and blending other than by alpha. */
#include "formats/shadow_of_the_colossus/game_mesh.h"
#include "formats/shadow_of_the_colossus/game_texture.h"

#include "base/fold.h"

#include <inttypes.h>
#include <string.h>

enum {
    LAYER_SKY = 0x4000,
    LAYER_WATER = 0x2200,
    BLEND_ADD = 0x48,
    BLEND_MULTIPLY = 0x42,
    TEST_AT_LEAST = 5,
    TEST_GREATER = 6,
    OPAQUE = 0x80,
    NOT_MADE = -2, /* a texture, yet */
};

/* ---- textures ------------------------------------------------------------------------------ */

/* A name without the ending that some lists have. */
static uint32_t bare_size(const char *name, uint32_t size)
{
    return size > 4 && ossa__same_word(name + size - 4, 4, ".nto", 4) ? size - 4 : size;
}

static bool is_nto(const struct ossa__part *part)
{
    return strcmp(part->format, "sotc-nto") == 0;
}

/* By the name that each has for itself; and by that of its file, which others may have first. */
static bool index_textures(struct ossa__sotc_looks *looks)
{
    struct ossa__assembly *assembly = looks->assembly;
    struct ossa__context *context = &assembly->context;
    uint64_t capacity = 2 * (uint64_t)assembly->part_count;
    void *memory = ossa__take(context, 1, ossa__index_size(capacity));
    looks->made = ossa__take(context, assembly->part_count, sizeof *looks->made);
    if (context->failed) return false;
    uint8_t fold[256];
    for (unsigned i = 0; i < 256; i++) fold[i] = i < 0x80 ? (uint8_t)ossa__fold(i) : (uint8_t)i;
    ossa__index_start(&looks->index, memory, capacity, fold);
    for (uint32_t i = 0; i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        looks->made[i] = NOT_MADE;
        if (!is_nto(part)) continue;
        const ossa_sotc_nto *nto = part->contents;
        if (nto->name == NULL) continue;
        (void)ossa__index_add(&looks->index, nto->name, bare_size(nto->name, nto->name_size), i);
    }
    for (uint32_t i = 0; i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (!is_nto(part)) continue;
        (void)ossa__index_add(&looks->index, part->stem, (uint32_t)strlen(part->stem), i);
    }
    return true;
}

bool ossa__sotc_start_looks(struct ossa__sotc_looks *looks, struct ossa__assembly *assembly,
                            uint64_t capacity)
{
    struct ossa__context *context = &assembly->context;
    *looks = (struct ossa__sotc_looks){.assembly = assembly};
    looks->materials = ossa__take(context, capacity, sizeof *looks->materials);
    if (context->failed) return false;
    assembly->scene->materials = looks->materials;
    return index_textures(looks);
}

/* The texture of a record of the model; NULL: it is not among the inputs. */
static const struct ossa__part *find_nto(const struct ossa__sotc_model *model,
                                         const ossa_sotc_model_texture *wanted)
{
    int64_t found = ossa__index_find(&model->looks->index, wanted->name,
                                     bare_size(wanted->name, wanted->name_size));
    return found < 0 ? NULL : &model->assembly->parts[found];
}

/* A texture is made once. The first model that has it states its sides, unless they cannot be. */
static int32_t texture_of(struct ossa__sotc_model *model, const ossa_sotc_model_texture *wanted,
                          const struct ossa__part *part)
{
    struct ossa__assembly *assembly = model->assembly;
    int32_t *made = &model->looks->made[part - assembly->parts];
    const uint32_t sides[2] = {wanted->width, wanted->height};
    if (*made != NOT_MADE) return *made;
    bool fits = ossa_sotc_pixels(part->contents, 0, sides, assembly->options->sotc, NULL, NULL);
    if (!fits) {
        ossa__assembly_warn(assembly, part, OSSA_CODE_MISFIT,
                            "cannot be %" PRIu32 " x %" PRIu32 " texels, as %s states", sides[0],
                            sides[1], model->part->shown);
    }
    *made = ossa__sotc_texture(assembly, part, fits ? sides : NULL);
    return *made;
}

/* One warning per model names the first that is missing. */
static void miss_texture(struct ossa__sotc_model *model, const ossa_sotc_model_texture *wanted)
{
    size_t size =
        wanted->name_size < sizeof model->missing ? wanted->name_size : sizeof model->missing - 1;
    if (model->missing_count++ > 0) return;
    for (size_t i = 0; i < size; i++) {
        char c = wanted->name[i];
        model->missing[i] = (char)(c >= 0x20 && c < 0x7f ? c : '?');
    }
    model->missing[size] = '\0';
}

/* ---- materials ----------------------------------------------------------------------------- */

/* By the alpha test of the texture. */
static float cutoff_of(const ossa_sotc_nto *nto)
{
    uint64_t limit = 0; /* a reference may be any number */
    if (nto->alpha_test == TEST_AT_LEAST) limit = nto->alpha_reference;
    if (nto->alpha_test == TEST_GREATER) limit = (uint64_t)nto->alpha_reference + 1;
    return limit > OPAQUE ? 1.0F : (float)limit / (float)OPAQUE;
}

static void add_text(ossa_material *material, ossa_extra *extras, const char *key, const char *text)
{
    if (text != NULL) extras[material->extra_count++] = (ossa_extra){.key = key, .text = text};
}

static void fill_extras(const struct ossa__sotc_model *model, const ossa_sotc_surface *surface,
                        ossa_material *material)
{
    struct ossa__assembly *assembly = model->assembly;
    const ossa_sotc_stage *second = &surface->stages[1];
    ossa_extra *extras = ossa__take(&assembly->context, 4, sizeof *extras);
    double *flags = ossa__take(&assembly->context, 1, sizeof *flags);
    if (assembly->context.failed) return;
    *flags = surface->flags;
    material->extras = extras;
    extras[material->extra_count++] =
        (ossa_extra){.key = "flags", .number_count = 1, .numbers = flags};
    if ((surface->flags & LAYER_SKY) != 0) add_text(material, extras, "layer", "sky");
    else if ((surface->flags & LAYER_WATER) == LAYER_WATER)
        add_text(material, extras, "layer", "water");
    if (surface->texture_mode == 2 && second->texture < model->nmo->texture_count) {
        const ossa_sotc_model_texture *texture = &model->nmo->textures[second->texture];
        add_text(material, extras, "second_texture",
                 ossa__latin_text(assembly, texture->name, texture->name_size));
    }
    if (!surface->has_blend) return;
    uint64_t equation = surface->blend & 0xff;
    if (equation == BLEND_ADD) add_text(material, extras, "blend", "add");
    if (equation == BLEND_MULTIPLY) add_text(material, extras, "blend", "multiply");
}

int32_t ossa__sotc_material(struct ossa__sotc_model *model, uint32_t surface, bool is_double_sided)
{
    struct ossa__assembly *assembly = model->assembly;
    ossa_scene *scene = assembly->scene;
    const ossa_sotc_nmo *nmo = model->nmo;
    const ossa_sotc_surface *from = &nmo->surfaces[surface];
    const ossa_sotc_options *options = assembly->options->sotc;
    ossa_material material = {.texture = -1,
                              .colour = {1.0F, 1.0F, 1.0F, 1.0F},
                              .is_transparent = (from->flags & OSSA_SOTC_SURFACE_BLENDS) != 0,
                              .is_blended = (from->flags & OSSA_SOTC_SURFACE_BLENDS) != 0,
                              .is_double_sided = is_double_sided,
                              .is_unlit = options != NULL && options->unlit};
    material.name = from->name_size > 0 ? ossa__latin_text(assembly, from->name, from->name_size)
                                        : ossa__numbered_name(assembly, "surface", surface);
    uint32_t number = from->stages[0].texture;
    if ((from->flags & OSSA_SOTC_SURFACE_TEXTURE) != 0 && number < nmo->texture_count) {
        const ossa_sotc_model_texture *wanted = &nmo->textures[number];
        const struct ossa__part *part = find_nto(model, wanted);
        if (part == NULL) {
            miss_texture(model, wanted);
        } else {
            material.texture = texture_of(model, wanted, part);
            if (!material.is_transparent) material.alpha_cutoff = cutoff_of(part->contents);
        }
    }
    for (unsigned k = 0; k < 2; k++) {
        material.is_clamped[k] = from->has_clamp && from->is_clamped[k];
    }
    fill_extras(model, from, &material);
    model->looks->materials[scene->material_count] = material;
    return (int32_t)scene->material_count++;
}
