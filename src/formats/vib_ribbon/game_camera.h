/* SPDX-License-Identifier: MIT */
#ifndef OSSA_VIB_GAME_CAMERA_H
#define OSSA_VIB_GAME_CAMERA_H

struct ossa__assembly;

/* A camera of the scene for every ANC among the inputs. */
void ossa__vib_add_cameras(struct ossa__assembly *assembly);

#endif
