/* SPDX-License-Identifier: MIT
 *
 * Names of Evil Islands, which are code page 1251 in the files, for messages. */
#ifndef OSSA_EI_NAMES_H
#define OSSA_EI_NAMES_H

#include "ossa/games/evil_islands.h"

/* A name short enough to print, without control characters. */
struct ossa__ei_shown {
    char text[64];
};
struct ossa__ei_shown ossa__ei_show(const ossa_ei_name *name);

#endif
