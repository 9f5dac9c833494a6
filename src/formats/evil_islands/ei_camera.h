/* SPDX-License-Identifier: MIT */
#ifndef OSSA_EI_CAMERA_H
#define OSSA_EI_CAMERA_H

struct ossa__assembly;

/* A camera of the scene for every CAM among the inputs. */
void ossa__ei_add_cameras(struct ossa__assembly *assembly);

#endif
