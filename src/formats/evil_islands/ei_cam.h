/* SPDX-License-Identifier: MIT
 *
 * What ei-bon and ei-cam have in common: neither has a signature, some files could be either, and
 * only the size of a file says how many there are of what it holds. */
#ifndef OSSA_EI_CAM_H
#define OSSA_EI_CAM_H

#include "ossa/games/evil_islands.h"

/* Whole keys, every rotation of length 1, places that are finite, times that never fall. */
bool ossa__ei_is_camera_path(const uint8_t *data, uint64_t size);

#endif
