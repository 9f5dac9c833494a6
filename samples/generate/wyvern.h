/* SPDX-License-Identifier: MIT
 *
 * What the wyvern's moves (wyvern.c) and its shape (wyvern_model.c) share. Z is up, it faces -Y. */
#ifndef OSSA_SAMPLES_WYVERN_H
#define OSSA_SAMPLES_WYVERN_H

#include "ei_mesh.h"

/* Depth first, as LNK wants it: hips, neck, head, tail, and a wing of two parts on each side. */
enum wyvern_part { W_HP, W_NK, W_HD, W_TL1, W_TL2, W_LW1, W_LW2, W_RW1, W_RW2, W_PARTS };

extern const char *const wyvern_names[W_PARTS];

/* The membrane of each part of a wing is a grid. Its front row is on the bone and stays; morph m
 * moves point m of the others, above and below. */
enum { W_COLUMNS = 5, W_ROWS = 4, W_MORPHS = W_COLUMNS * (W_ROWS - 1) };

int wyvern_is_wing(enum wyvern_part part);
/* How the wind fills the membrane: `level` of 3 is most, upwards. */
void wyvern_billow(enum wyvern_part part, int level, vec3 morphs[W_MORPHS]);
void wyvern_growth(vec3 growth[EI_CORNERS]);
void save_wyvern_model(const char *root);

#endif
