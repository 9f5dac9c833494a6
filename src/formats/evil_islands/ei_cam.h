/* SPDX-License-Identifier: MIT
 *
 * What ei-bon asks of ei-cam: neither has a signature, and some files could be either. */
#ifndef OSSA_EI_CAM_H
#define OSSA_EI_CAM_H

#include "ossa/evil_islands.h"

/* Whole keys, every rotation of length 1, places that are finite, times that never fall. */
bool ossa__ei_is_camera_path(const uint8_t *data, uint64_t size);

#endif
