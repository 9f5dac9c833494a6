/* SPDX-License-Identifier: MIT
 *
 * ei-bon and ei-cam have no signature, and some files could be either: how to recognise a path. */
#ifndef OSSA_EI_CAM_H
#define OSSA_EI_CAM_H

#include "ossa/games/evil_islands.h"

/* Whole keys, every rotation of length 1, finite positions, times that never decrease. */
bool ossa__ei_is_camera_path(const uint8_t *data, uint64_t size);

#endif
