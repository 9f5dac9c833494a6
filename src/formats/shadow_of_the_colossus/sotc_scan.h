/* SPDX-License-Identifier: MIT
 *
 * The search for containers, with a window of any size: for tests. */
#ifndef OSSA_SOTC_SCAN_H
#define OSSA_SOTC_SCAN_H

#include "ossa/games/shadow_of_the_colossus.h"

bool ossa__sotc_scan(ossa_read_at *read, void *user, uint64_t size, const ossa_options *options,
                     void (*found)(void *user, const ossa_sotc_found *found), size_t window,
                     ossa_error *error);

#endif
