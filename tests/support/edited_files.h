/* SPDX-License-Identifier: MIT
 *
 * Files after an edit, for the tests of what the games make of edits. */
#ifndef OSSA_TESTS_EDITED_FILES_H
#define OSSA_TESTS_EDITED_FILES_H

#include "support/editing.h"
#include "support/scenes.h"

/* Run the edit, and fail where that fails. */
void edit_or_fail(struct editing *editing, const struct scene_files *files,
                  const ossa_scene_options *options);
/* It must fail with just this. */
void require_edit_misfit(struct editing *editing, const struct scene_files *files,
                         const ossa_scene_options *options, const char *where, const char *message);
/* It must change no file, lose nothing, and say nothing. */
void require_no_edit(struct editing *editing, const struct scene_files *files,
                     const ossa_scene_options *options);
/* The bytes of file `index` of the edit. */
struct bytes edited_bytes(struct editing *editing, size_t index);
/* All files with those of the edit in place of theirs, and the new ones behind them. */
void take_edited(struct editing *editing, const struct scene_files *files,
                 struct scene_files *edited);
/* Whichever allocation fails, the edit says so and leaks nothing. */
void require_edit_survives(const struct editing *plan, const struct scene_files *files);

#endif
