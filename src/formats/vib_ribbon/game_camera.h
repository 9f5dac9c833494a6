/* SPDX-License-Identifier: MIT */
#ifndef OSSA_VIB_GAME_CAMERA_H
#define OSSA_VIB_GAME_CAMERA_H

struct ossa__assembly;

/* Add one camera per ANC among the inputs to the scene. */
void ossa__vib_add_cameras(struct ossa__assembly *assembly);

#endif
