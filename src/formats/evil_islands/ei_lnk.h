/* SPDX-License-Identifier: MIT
 *
 * The links of ei-lnk (ei_lnk.c) and the tree they make (ei_lnk_tree.c). */
#ifndef OSSA_EI_LNK_H
#define OSSA_EI_LNK_H

#include "codec/context.h"
#include "ossa/games/evil_islands.h"

/* Where the two names of a link stand, for reports about them. */
struct ossa__lnk_places {
    uint64_t child;
    uint64_t parent;
};

/* Find the parents, and report what makes no tree in the order that the game wants. */
void ossa__lnk_check_tree(struct ossa__context *context, ossa_ei_link *links,
                          const struct ossa__lnk_places *places, uint32_t count);

#endif
