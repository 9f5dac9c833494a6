/* SPDX-License-Identifier: MIT
 *
 * The options of Evil Islands for people, and for which files they make a difference. */
#include "formats/evil_islands/game.h"

#include <string.h>

enum { CORNERS = 8 }; /* of the complexion */

static bool has_motion(const struct ossa__assembly *assembly)
{
    return ossa__has_part(assembly, "ei-anm");
}

/* Bind positions or meshes that have all corners, or heights for the root. */
static bool has_corners(const struct ossa__assembly *assembly)
{
    for (size_t i = 0; i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        const ossa_ei_bon *bon = strcmp(part->format, "ei-bon") == 0 ? part->contents : NULL;
        const ossa_ei_fig *fig = strcmp(part->format, "ei-fig") == 0 ? part->contents : NULL;
        if (bon != NULL && bon->position_count == CORNERS) return true;
        if (fig != NULL && fig->variant_count == CORNERS) return true;
    }
    return has_motion(assembly) && ossa__has_part(assembly, "ei-adb");
}

static bool has_morphs(const struct ossa__assembly *assembly)
{
    for (size_t i = 0; i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        const ossa_ei_anm *anm = strcmp(part->format, "ei-anm") == 0 ? part->contents : NULL;
        if (anm != NULL && anm->morph_frame_count > 0 && anm->morph_vertex_count > 0) return true;
    }
    return false;
}

static bool has_camera(const struct ossa__assembly *assembly)
{
    return ossa__has_part(assembly, "ei-cam");
}

static const ossa_option_word complexion[] = {
    {"first", "First"}, {"second", "Second"}, {"height", "Height"}};
static const ossa_option_word root[] = {{"b+t", "Bind position plus translation"},
                                        {"t", "Translation alone"},
                                        {"b", "Bind position alone"}};
static const ossa_option_word morph[] = {
    {"all", "Of all clips"}, {"clip", "Of the first clip that has any"}, {"none", "None"}};
static const ossa_option_word look[] = {{"game", "As in the game"},
                                        {"y", "Along +Y, with Z up"},
                                        {"z", "Down, along -Z"},
                                        {"up", "Up, along +Z"}};

const struct ossa__game_option ossa__ei_option_list[] = {
    {{.name = "complexion",
      .kind = OSSA_OPTION_KIND_VECTOR,
      .text = "Build of the figure, in the order in which the game stores it.",
      .word_count = 3,
      .words = complexion,
      .most = 1.0},
     has_corners},
    {{.name = "morph",
      .kind = OSSA_OPTION_KIND_CHOICE,
      .text = "Which morph targets the meshes have.",
      .word_count = 3,
      .words = morph},
     has_morphs},
    {{.name = "resample",
      .kind = OSSA_OPTION_KIND_NUMBER,
      .text = "Keys per frame, interpolated as the game does between frames.",
      .least = 1.0,
      .most = 1000.0,
      .initial = 1.0,
      .is_whole = true},
     has_motion},
    {{.name = "root",
      .kind = OSSA_OPTION_KIND_CHOICE,
      .text = "Where the root is in a frame.",
      .word_count = 3,
      .words = root,
      .is_open = true},
     has_motion},
    {{.name = "look",
      .kind = OSSA_OPTION_KIND_CHOICE,
      .text = "Which way a camera without rotation looks.",
      .word_count = 4,
      .words = look},
     has_camera},
    {{.name = NULL}, NULL},
};
