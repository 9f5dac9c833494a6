/* SPDX-License-Identifier: MIT
 *
 * From what another program has written, to changed files of a game. */
#ifndef OSSA_IMPORT_IMPORT_H
#define OSSA_IMPORT_IMPORT_H

#include "import/motion.h"
#include "ossa/import.h"

/* An edit and its originals. */
struct ossa__import_call {
    const ossa_import_options *options; /* not NULL; `load` is not looked at */
    const ossa_scene_options *scene;
    const ossa_input *inputs;
    size_t input_count;
    struct ossa__motion *const *motions; /* what was edited: of a clip, the first that has it */
    const char *const *motion_paths;     /* of their files, for messages */
    size_t motion_count;
};

/* Fill in the result, which lives in the context's arena. False after a failure. */
bool ossa__import(struct ossa__context *context, const struct ossa__import_call *call,
                  ossa_import *result);

#endif
