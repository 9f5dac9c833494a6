/* SPDX-License-Identifier: MIT
 *
 * A material of a model: `mtl NAME { ... }`, with lines in any order. */
#include "formats/midtown_madness/mm_mod.h"

enum { MATERIAL_COLOURS = 3, MATERIAL_COUNTS = 3 };
static const char *const colour_words[MATERIAL_COLOURS] = {"ambient", "diffuse", "specular"};
static const char *const group_words[MATERIAL_COUNTS] = {"packets", "adjuncts", "primitives"};

static bool is_material_word(const struct ossa__mod_words *words)
{
    static const char *const others[] = {"textures", "texture", "illum", "attributes",
                                         "float",    "int",     "adj",   "tri",
                                         "str",      "stp",     "packet"};
    for (unsigned i = 0; i < MATERIAL_COLOURS; i++) {
        if (ossa__mod_is(words, colour_words[i])) return true;
        if (ossa__mod_is(words, group_words[i])) return true;
    }
    for (unsigned i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (ossa__mod_is(words, others[i])) return true;
    }
    return false;
}

/* `texture: 0 NAME`: the first one is kept. */
static bool read_texture(struct ossa__mod_words *words, ossa_mm_material *material)
{
    uint32_t number;
    const char *name;
    uint32_t size;
    ossa__mod_advance(words);
    if (!ossa__mod_read_count(words, "texture_number", &number)) return false;
    if (!ossa__mod_read_name(words, "texture", &name, &size)) return false;
    if (material->texture_size == 0) {
        material->texture = name;
        material->texture_size = size;
    }
    return true;
}

/* A line of version 1.10, `float shininess: 0.5`: two words more. */
static bool read_attribute(struct ossa__mod_words *words)
{
    const char *name;
    uint32_t size;
    ossa__mod_advance(words);
    return ossa__mod_read_name(words, "attribute", &name, &size) &&
           ossa__mod_read_name(words, "attribute_value", &name, &size);
}

static bool read_line(struct ossa__mod_words *words, ossa_mm_material *material)
{
    static const char *const members[3][3] = {{"ambient.red", "ambient.green", "ambient.blue"},
                                              {"diffuse.red", "diffuse.green", "diffuse.blue"},
                                              {"specular.red", "specular.green", "specular.blue"}};
    float *const colours[MATERIAL_COLOURS] = {material->ambient, material->diffuse,
                                              material->specular};
    uint32_t *const counts[MATERIAL_COUNTS] = {&material->packet_count, &material->adjunct_count,
                                               &material->primitive_count};
    for (unsigned i = 0; i < MATERIAL_COLOURS; i++) {
        if (!ossa__mod_is(words, colour_words[i])) continue;
        ossa__mod_advance(words);
        return ossa__mod_read_floats(words, members[i], 3, colours[i]);
    }
    for (unsigned i = 0; i < MATERIAL_COUNTS; i++) {
        if (!ossa__mod_is(words, group_words[i])) continue;
        ossa__mod_advance(words);
        return ossa__mod_read_count(words, group_words[i], counts[i]);
    }
    if (ossa__mod_is(words, "texture")) return read_texture(words, material);
    if (ossa__mod_is(words, "float") || ossa__mod_is(words, "int")) return read_attribute(words);
    if (ossa__mod_is(words, "textures") || ossa__mod_is(words, "attributes")) {
        const char *field = ossa__mod_is(words, "textures") ? "textures" : "attributes";
        uint32_t count;
        ossa__mod_advance(words);
        return ossa__mod_read_count(words, field, &count);
    }
    if (ossa__mod_is(words, "illum")) {
        ossa__mod_advance(words);
        return ossa__mod_read_name(words, "illum", &material->illum, &material->illum_size);
    }
    if (ossa__mod_is(words, "{")) return ossa__mod_refuse(words, "", "a line of it, or '}'");
    ossa__mod_skip(words, is_material_word);
    return true;
}

bool ossa__mod_read_material(struct ossa__mod_words *words, uint32_t index,
                             ossa_mm_material *material, bool (*read_row)(void *user), void *user)
{
    *material = (ossa_mm_material){.texture = "",
                                   .illum = "",
                                   .diffuse = {1.0F, 1.0F, 1.0F},
                                   .at = (uint32_t)words->token.begin};
    ossa__enter(words->context, "materials", index);
    ossa__mod_advance(words);
    bool ok = ossa__mod_read_title(words, "name", &material->name, &material->name_size) &&
              ossa__mod_open(words);
    while (ok && !ossa__mod_is(words, "}")) {
        if (ossa__mod_at_end(words)) ok = ossa__mod_refuse(words, "", "'}'");
        else if (!read_row(user)) ok = !words->context->failed && read_line(words, material);
    }
    ossa__leave(words->context);
    if (ok) ossa__mod_advance(words);
    return ok;
}
