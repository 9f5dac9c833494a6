/* SPDX-License-Identifier: MIT
 *
 * The names of the format modules. */
#ifndef OSSA_FORMATS_MODULES_H
#define OSSA_FORMATS_MODULES_H

#include "codec/format.h"

extern const struct ossa__format ossa__format_ei_anm;
extern const struct ossa__format ossa__format_ei_lnk;
extern const struct ossa__format ossa__format_ei_bon;
extern const struct ossa__format ossa__format_ei_fig;
extern const struct ossa__format ossa__format_ei_adb;
extern const struct ossa__format ossa__format_ei_cam;
extern const struct ossa__format ossa__format_ei_mmp;
extern const struct ossa__format ossa__format_ei_res;
extern const struct ossa__format ossa__format_mm_anim;
extern const struct ossa__format ossa__format_mm_skel;
extern const struct ossa__format ossa__format_mm_csv;
extern const struct ossa__format ossa__format_mm_mod;
extern const struct ossa__format ossa__format_mm_ar;
extern const struct ossa__format ossa__format_vib_anm;
extern const struct ossa__format ossa__format_vib_tmd;
extern const struct ossa__format ossa__format_vib_anc;
extern const struct ossa__format ossa__format_vib_pak;
extern const struct ossa__format ossa__format_sotc_anb;
extern const struct ossa__format ossa__format_sotc_skb;
extern const struct ossa__format ossa__format_sotc_xff;

extern const struct ossa__game ossa__game_evil_islands;
extern const struct ossa__game ossa__game_midtown_madness;
extern const struct ossa__game ossa__game_vib_ribbon;
extern const struct ossa__game ossa__game_shadow_of_the_colossus;

#endif
