/* SPDX-License-Identifier: MIT
 *
 * The names of the format modules. */
#ifndef OSSA_FORMATS_MODULES_H
#define OSSA_FORMATS_MODULES_H

#include "core/format.h"

extern const struct ossa__format ossa__format_ei_anm;
extern const struct ossa__format ossa__format_ei_lnk;
extern const struct ossa__format ossa__format_mm_anim;
extern const struct ossa__format ossa__format_vib_anm;
extern const struct ossa__format ossa__format_sotc_anb;
extern const struct ossa__format ossa__format_sotc_xff;

#endif
