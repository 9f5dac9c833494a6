/* SPDX-License-Identifier: MIT
 *
 * Evil Islands: textures (MMP) as textures of the scene, and which of them is the figure's.
 *
 * A figure's parts only have a number for their texture, the game's data base says the rest. What
 * is known without it: textures are named like the model, with digits or letters behind (`unmotr`
 * has `unmotr00`). So the figure wears, in this order, the texture of just its name, the first
 * whose name begins with it, or the only one there is. options.ei->texture goes before all that. */
#include "formats/evil_islands/ei_texture.h"

#include "base/text.h"
#include "ossa/games/evil_islands.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool is_texture(const struct ossa__part *part)
{
    return strcmp(part->format, "ei-mmp") == 0;
}

/* Say which input needs more memory than there may be. */
static void blame(struct ossa__assembly *assembly, const struct ossa__part *part)
{
    ossa_error *error = &assembly->context.error;
    error->format = part->format;
    (void)snprintf(error->field, sizeof error->field, "%s", part->shown);
}

static void add_texture(struct ossa__assembly *assembly, const struct ossa__part *part,
                        ossa_texture *textures)
{
    const ossa_ei_mmp *mmp = part->contents;
    const ossa_ei_level *level = &mmp->levels[0];
    uint64_t count = (uint64_t)level->width * level->height;
    /* A file may be far smaller than its picture: the assembly's limit is what bounds it. */
    uint8_t(*pixels)[4] = ossa__take(&assembly->context, count, sizeof *pixels);
    ossa_error error;
    if (pixels == NULL) {
        blame(assembly, part);
        return;
    }
    if (!ossa_ei_mmp_decode(mmp, 0, pixels, count, &error)) {
        (void)ossa__misfit(assembly, part, "%s", error.message);
        return;
    }
    textures[assembly->scene->texture_count++] =
        (ossa_texture){.name = part->stem[0] == '\0' ? "texture" : part->stem,
                       .width = level->width,
                       .height = level->height,
                       .pixels = (const uint8_t(*)[4])pixels};
}

/* How well a texture's name fits the model's: 2 the same, 1 that and more behind, 0 not at all. */
static unsigned fits(const char *model, const char *texture)
{
    size_t size = strlen(model);
    if (ossa__compare_names(model, texture) == 0) return 2;
    if (strlen(texture) <= size || !ossa__same_word(model, size, texture, size)) return 0;
    char next = texture[size];
    bool is_letter = (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
    return is_letter || next == '_' || (next >= '0' && next <= '9') ? 1 : 0;
}

/* The texture of the figure by its name; -1: none that could be told. */
static int32_t find_texture(const ossa_scene *scene)
{
    int32_t best = scene->texture_count == 1 ? 0 : -1;
    unsigned most = 0;
    for (uint32_t i = 0; i < scene->texture_count; i++) {
        unsigned fit = fits(scene->name, scene->textures[i].name);
        if (fit <= most) continue;
        most = fit;
        best = (int32_t)i;
    }
    return best;
}

static bool has_alpha(const ossa_texture *texture)
{
    uint64_t count = (uint64_t)texture->width * texture->height;
    for (uint64_t i = 0; i < count; i++) {
        if (texture->pixels[i][3] != 255) return true;
    }
    return false;
}

static void dress_materials(struct ossa__assembly *assembly, int32_t chosen)
{
    ossa_scene *scene = assembly->scene;
    ossa_material *materials = (ossa_material *)(uintptr_t)scene->materials;
    int32_t texture = chosen >= 0 ? chosen : find_texture(scene);
    if (texture < 0) {
        ossa__assembly_warn(assembly, NULL, OSSA_CODE_MISSING_PART,
                            "none of %" PRIu32 " textures is named like the model '%s', so it has "
                            "none",
                            scene->texture_count, scene->name);
        return;
    }
    bool shows_through = has_alpha(&scene->textures[texture]);
    for (uint32_t i = 0; i < scene->material_count; i++) {
        materials[i].texture = texture;
        /* What is drawn solid may have anything in its alpha. */
        materials[i].is_transparent = materials[i].is_transparent && shows_through;
    }
}

/* The part that options.ei->texture names; NULL: none is named. */
static const struct ossa__part *chosen_part(const struct ossa__assembly *assembly)
{
    const char *name = assembly->options->ei->texture;
    for (size_t i = 0; name != NULL && i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (strcmp(part->input->path, name) == 0 || strcmp(part->shown, name) == 0) return part;
    }
    return NULL;
}

void ossa__add_ei_textures(struct ossa__assembly *assembly)
{
    struct ossa__context *context = &assembly->context;
    size_t count = 0;
    const struct ossa__part *wanted = chosen_part(assembly);
    int32_t chosen = -1;
    if (context->failed) return;
    if (wanted != NULL && !is_texture(wanted)) {
        (void)ossa__misfit(assembly, wanted, "is no texture (MMP) for the figure to wear");
        return;
    }
    for (size_t i = 0; i < assembly->part_count; i++) count += is_texture(&assembly->parts[i]);
    if (count == 0) return;
    ossa_texture *textures = ossa__take(context, count, sizeof *textures);
    if (textures == NULL) return;
    assembly->scene->textures = textures;
    for (size_t i = 0; i < assembly->part_count && !context->failed; i++) {
        if (!is_texture(&assembly->parts[i])) continue;
        if (&assembly->parts[i] == wanted) chosen = (int32_t)assembly->scene->texture_count;
        add_texture(assembly, &assembly->parts[i], textures);
    }
    if (!context->failed && assembly->scene->material_count > 0) dress_materials(assembly, chosen);
}
