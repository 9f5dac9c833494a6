/* SPDX-License-Identifier: MIT */
#ifndef OSSA_EI_MESH_H
#define OSSA_EI_MESH_H

#include "formats/evil_islands/ei_figure.h"

/* The meshes (FIG) of the figure's bones, and their materials; false after a failure. */
bool ossa__ei_add_meshes(struct ossa__ei_figure *figure);

#endif
