/* SPDX-License-Identifier: MIT
 *
 * Midtown Madness: the clothes of a pedestrian (VAR, .shaders) as variants of the scene.
 *
 * A variant has a colour for every material of the mesh. The meshes show the variant whose colours
 * are those of the MOD, or the first one; every other has replacements for the materials that
 * differ in it. */
#include "formats/midtown_madness/game_mesh.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The colours of either format. */
struct looks {
    const ossa_mm_var *var;
    const ossa_mm_shaders *shaders; /* instead of it */
    uint32_t variants;
    uint32_t materials;
};

static struct looks looks_of(const struct ossa__part *part)
{
    struct looks looks = {0};
    if (strcmp(part->format, "mm-var") == 0) {
        looks.var = part->contents;
        looks.variants = looks.var->variant_count;
        looks.materials = looks.var->material_count;
    } else {
        looks.shaders = part->contents;
        looks.variants = looks.shaders->variant_count;
        looks.materials = looks.shaders->material_count;
    }
    return looks;
}

static void colour_of(const struct looks *looks, uint32_t variant, uint32_t material, float rgb[3])
{
    size_t index = (size_t)variant * looks->materials + material;
    if (looks->shaders != NULL) {
        memcpy(rgb, looks->shaders->shaders[index].diffuse, 3 * sizeof *rgb);
        return;
    }
    const ossa_mm_colour *colour = &looks->var->colours[index];
    rgb[0] = (float)colour->red / 255.0F;
    rgb[1] = (float)colour->green / 255.0F;
    rgb[2] = (float)colour->blue / 255.0F;
}

/* What the game makes of a part of a colour: a byte, or a float in steps of 1/32. */
static int step_of(const struct looks *looks, float part)
{
    bool is_float = looks->shaders != NULL && !looks->shaders->has_bytes;
    if (!(part > 0.0F)) return 0;
    if (part > 1.0F) part = 1.0F;
    if (!is_float) {
        float byte = part * 255.0F; /* a float on every machine, as its sum with a half is */
        byte += 0.5F;
        return (int)byte;
    }
    if (part < 0.05F) return 0;
    return part > 0.95F ? 32 : (int)floorf(part * 32.0F);
}

static bool has_own_colours(const struct looks *looks, uint32_t variant, const ossa_mm_mod *mod)
{
    for (uint32_t m = 0; m < looks->materials; m++) {
        float rgb[3];
        colour_of(looks, variant, m, rgb);
        for (unsigned k = 0; k < 3; k++) {
            if (step_of(looks, rgb[k]) != step_of(looks, mod->materials[m].diffuse[k])) {
                return false;
            }
        }
    }
    return true;
}

/* ---- materials ----------------------------------------------------------------------------- */

struct maker {
    struct ossa__assembly *assembly;
    struct looks looks;
    ossa_material *materials; /* of the mesh, then those that replace them */
    uint32_t material_count;
    uint32_t *shown; /* [variant * materials + material]: which one it has */
};

static bool is_same_colour(const ossa_material *a, const ossa_material *b)
{
    return memcmp(a->colour, b->colour, sizeof a->colour) == 0;
}

/* The material that shows a colour of a variant: that of the mesh, one of a variant before, or a
 * new one. */
static bool choose_material(struct maker *m, uint32_t variant, uint32_t material)
{
    uint32_t *shown = m->shown + (size_t)variant * m->looks.materials + material;
    ossa_material look = m->materials[material];
    float rgb[3];
    colour_of(&m->looks, variant, material, rgb);
    ossa__mm_material_colour(rgb, look.colour);
    *shown = material;
    if (is_same_colour(&look, &m->materials[material])) return true;
    for (uint32_t v = 0; v < variant; v++) {
        *shown = m->shown[(size_t)v * m->looks.materials + material];
        if (is_same_colour(&look, &m->materials[*shown])) return true;
    }
    size_t size = strlen(look.name) + sizeof " (variant 4294967295)";
    char *name = ossa__take(&m->assembly->context, size, 1);
    if (name == NULL) return false;
    (void)snprintf(name, size, "%s (variant %" PRIu32 ")", look.name, variant + 1);
    look.name = name;
    *shown = m->material_count;
    m->materials[m->material_count++] = look;
    return true;
}

/* The materials of all variants; those of the mesh get the colours of the one that is shown. */
static bool choose_materials(struct maker *m, const ossa_mm_mod *mod)
{
    struct ossa__context *context = &m->assembly->context;
    uint32_t own = 0;
    uint64_t count = (uint64_t)m->looks.variants * m->looks.materials;
    while (own < m->looks.variants && !has_own_colours(&m->looks, own, mod)) own++;
    if (own == m->looks.variants) own = 0;
    m->shown = ossa__take(context, count, sizeof *m->shown);
    m->materials = ossa__take(context, count + m->looks.materials, sizeof *m->materials);
    if (m->materials == NULL) return false;
    for (uint32_t i = 0; i < m->looks.materials; i++) {
        float rgb[3];
        m->materials[i] = m->assembly->scene->materials[i];
        colour_of(&m->looks, own, i, rgb);
        ossa__mm_material_colour(rgb, m->materials[i].colour);
    }
    m->material_count = m->looks.materials;
    for (uint32_t v = 0; v < m->looks.variants; v++) {
        for (uint32_t i = 0; i < m->looks.materials; i++) {
            if (!choose_material(m, v, i)) return false;
        }
    }
    return true;
}

/* ---- variants ------------------------------------------------------------------------------ */

static bool fill_variant(struct maker *m, uint32_t index, ossa_variant *variant)
{
    const uint32_t *shown = m->shown + (size_t)index * m->looks.materials;
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->looks.materials; i++) count += shown[i] != i;
    ossa_replacement *replacements = ossa__take(&m->assembly->context, count, sizeof *replacements);
    *variant = (ossa_variant){
        .name = ossa__numbered_name(m->assembly, "variant ", index + 1),
        .replacement_count = count,
        .replacements = replacements,
    };
    if (replacements == NULL || variant->name == NULL) return false;
    for (uint32_t i = 0, used = 0; i < m->looks.materials; i++) {
        if (shown[i] != i) replacements[used++] = (ossa_replacement){i, shown[i]};
    }
    return true;
}

void ossa__mm_add_variants(struct ossa__assembly *assembly, const struct ossa__part *colours,
                           const struct ossa__part *model)
{
    struct maker m = {.assembly = assembly, .looks = looks_of(colours)};
    const ossa_mm_mod *mod = model == NULL ? NULL : model->contents;
    if (mod == NULL || assembly->scene->material_count == 0) {
        ossa__assembly_warn(assembly, colours, OSSA_CODE_MISSING_PART,
                            "there is no mesh (MOD) to show these colours on");
        return;
    }
    if (m.looks.materials != mod->material_count) {
        ossa__assembly_warn(assembly, colours, OSSA_CODE_UNUSUAL_VALUE,
                            "has colours for %" PRIu32 " materials, but %s has %" PRIu32
                            "; they are left out",
                            m.looks.materials, model->shown, mod->material_count);
        return;
    }
    if (m.looks.variants > OSSA_MAX_VARIANTS) {
        ossa__assembly_warn(assembly, colours, OSSA_CODE_UNUSUAL_VALUE,
                            "has %" PRIu32 " variants; only the first %d are used",
                            m.looks.variants, OSSA_MAX_VARIANTS);
        m.looks.variants = OSSA_MAX_VARIANTS;
    }
    if (m.looks.variants == 0 || !choose_materials(&m, mod)) return;
    ossa_variant *variants = ossa__take(&assembly->context, m.looks.variants, sizeof *variants);
    if (variants == NULL) return;
    for (uint32_t i = 0; i < m.looks.variants; i++) {
        if (!fill_variant(&m, i, &variants[i])) return;
    }
    assembly->scene->materials = m.materials;
    assembly->scene->material_count = m.material_count;
    assembly->scene->variants = variants;
    assembly->scene->variant_count = m.looks.variants;
}
