/* SPDX-License-Identifier: MIT
 *
 * Where a CUE sheet leads. */
#ifndef OSSA_DISC_CUE_LEAD_H
#define OSSA_DISC_CUE_LEAD_H

#include "codec/format.h"
#include "ossa/games/disc.h"

/* What makes a name one that cannot be that of a file beside the sheet; NULL: nothing. The folders
 * of the machine where a disc was dumped say nothing here: only the last part counts. */
const char *ossa__cue_refuse_name(const char *name);

/* The index of a track with that number; NULL: it has none. */
const ossa_cue_index *ossa__cue_find_index(const ossa_cue *cue, const ossa_cue_track *track,
                                           uint32_t number);

/* The file of the first data track; its texts are in the arena. */
struct ossa__lead ossa__cue_find_lead(struct ossa__context *context, const ossa_cue *cue);

#endif
