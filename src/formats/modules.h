/* SPDX-License-Identifier: MIT
 *
 * The format modules, one per line of formats.inc, and the games. */
#ifndef OSSA_FORMATS_MODULES_H
#define OSSA_FORMATS_MODULES_H

#include "codec/format.h"

#define OSSA__FORMAT(id) extern const struct ossa__format ossa__format_##id;
#include "formats/formats.inc"

extern const struct ossa__game ossa__game_evil_islands;
extern const struct ossa__game ossa__game_midtown_madness;
extern const struct ossa__game ossa__game_vib_ribbon;
extern const struct ossa__game ossa__game_shadow_of_the_colossus;
extern const struct ossa__game ossa__game_disc;

#endif
