/* SPDX-License-Identifier: MIT
 *
 * How the rotations of an ANB's bones are stored. */
#ifndef OSSA_SOTC_ROTATION_H
#define OSSA_SOTC_ROTATION_H

#include "ossa/games/shadow_of_the_colossus.h"

struct ossa__anb_flag {
    uint8_t flag;
    uint8_t constants; /* floats in the record */
    uint8_t members;   /* integers per key; 0: neither keys nor an offset of them */
    bool packed;       /* keys are u32, otherwise i16 */
    const char *title;
};

/* NULL for an unknown flag. */
const struct ossa__anb_flag *ossa__anb_flag(uint8_t flag);

#endif
