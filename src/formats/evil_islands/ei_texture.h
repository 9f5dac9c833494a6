/* SPDX-License-Identifier: MIT */
#ifndef OSSA_EI_TEXTURE_H
#define OSSA_EI_TEXTURE_H

#include "scene/assembly.h"

/* A texture for each MMP among the inputs, and the one that belongs to the model for the materials
 * that there are by now. */
void ossa__add_ei_textures(struct ossa__assembly *assembly);

#endif
