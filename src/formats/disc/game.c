/* SPDX-License-Identifier: MIT
 *
 * Disc images are of no game: they hold the files of any. Nothing in them is a figure by itself, so
 * nothing is ever assembled. */
#include "formats/modules.h"

const struct ossa__game ossa__game_disc = {
    .title = "Disc images",
    .name = "Disc images",
    .open = "an ISO, or a CUE together with its BIN; archives on the disc open too",
};
