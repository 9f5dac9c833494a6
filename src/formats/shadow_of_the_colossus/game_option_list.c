/* SPDX-License-Identifier: MIT
 *
 * The options of Shadow of the Colossus for people, and for which files they make a difference. */
#include "formats/shadow_of_the_colossus/game.h"

#include "ossa/games/shadow_of_the_colossus.h"

#include <string.h>

static bool has_models(const struct ossa__assembly *assembly)
{
    return ossa__has_part(assembly, "sotc-nmo");
}

static bool has_texture(const struct ossa__assembly *assembly,
                        bool (*is_meant)(const ossa_sotc_nto *nto))
{
    for (size_t i = 0; i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        const ossa_sotc_nto *nto = strcmp(part->format, "sotc-nto") == 0 ? part->contents : NULL;
        if (nto != NULL && is_meant(nto)) return true;
    }
    return false;
}

static bool is_oblong(const ossa_sotc_nto *nto)
{
    return nto->sides[0] != nto->sides[1];
}

/* A model states the sides of its textures. */
static bool has_open_sides(const struct ossa__assembly *assembly)
{
    return !has_models(assembly) && has_texture(assembly, is_oblong);
}

static bool is_colourful(const ossa_sotc_nto *nto)
{
    return nto->palette_count == 256; /* fewer colours have one order only */
}

static bool has_palettes(const struct ossa__assembly *assembly)
{
    return has_texture(assembly, is_colourful);
}

static const ossa_option_word sides[] = {{"low", "The low half of a byte"},
                                         {"high", "The high half of a byte"}};
static const ossa_option_word palette[] = {{"smooth", "Whichever gives the smoother picture"},
                                           {"plain", "As stored"},
                                           {"csm1", "8 to 15 and 16 to 23 of every 32 exchanged"}};

const struct ossa__game_option ossa__sotc_option_list[] = {
    {{.name = "unlit",
      .kind = OSSA_OPTION_KIND_FLAG,
      .text = "Materials without lighting, since the game has light in the colours of vertices."},
     has_models},
    {{.name = "sides",
      .kind = OSSA_OPTION_KIND_CHOICE,
      .text = "Which half of a byte is the width of a texture whose size no model states.",
      .word_count = 2,
      .words = sides,
      .is_open = true},
     has_open_sides},
    {{.name = "palette",
      .kind = OSSA_OPTION_KIND_CHOICE,
      .text = "The order of the 256 colours of a texture.",
      .word_count = 3,
      .words = palette,
      .is_open = true},
     has_palettes},
    {{.name = NULL}, NULL},
};
