/* SPDX-License-Identifier: MIT
 *
 * The table of formats: a new one is one line here and one in formats/modules.h. */
#include "formats/modules.h"

/* One line each, however many they are. */
/* clang-format off */
const struct ossa__format *const ossa__formats[] = {
    &ossa__format_ei_anm,
    &ossa__format_ei_lnk,
    &ossa__format_ei_bon,
    &ossa__format_ei_cam,
    &ossa__format_ei_mmp,
    &ossa__format_mm_anim,
    &ossa__format_mm_skel,
    &ossa__format_mm_csv,
    &ossa__format_mm_mod,
    &ossa__format_vib_anm,
    &ossa__format_vib_tmd,
    &ossa__format_vib_anc,
    &ossa__format_sotc_anb,
    &ossa__format_sotc_skb,
    &ossa__format_sotc_xff,
    NULL,
};
/* clang-format on */
