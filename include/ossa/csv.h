/* SPDX-License-Identifier: MIT
 *
 * Clips as a table, for people who plot: a row for each bone in each frame. */
#ifndef OSSA_CSV_H
#define OSSA_CSV_H

#include "ossa/scene.h"

OSSA_BEGIN

typedef struct ossa_csv_options {
    bool is_local; /* transforms from each bone's parent; else in the model's space */
    ossa_allocator allocator;
} ossa_csv_options;

/* A heading, then rows in the order of clips, frames and bones; commas between, quotes where a name
 * needs them (RFC 4180), lines ended by a newline. Only the clips in `clips` (NULL: all); a scene
 * that has no clips gives its rest pose, as frame 0 of a clip without a name. A name that begins
 * with one of ' = + - @ or a line's end or tab gets an apostrophe before it, so that no spreadsheet
 * takes it for a formula. */
OSSA_API bool ossa_write_csv(const ossa_scene *scene, const uint8_t *clips,
                             const ossa_csv_options *options, ossa_sink sink, ossa_error *error);

OSSA_END

#endif
