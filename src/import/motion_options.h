/* SPDX-License-Identifier: MIT
 *
 * How a file was made, from its JSON. */
#ifndef OSSA_IMPORT_MOTION_OPTIONS_H
#define OSSA_IMPORT_MOTION_OPTIONS_H

#include "codec/value.h"
#include "import/motion.h"

/* The options of a motion from the members of an object: of `asset.extras.ossa` in glTF, of
 * `options` in the JSON of a scene. It may be missing, or not be an object: then there are none. A
 * member that is neither a text nor a number is left out, and so is `version`; if that is not 1,
 * all are, with a warning. */
void ossa__read_motion_options(struct ossa__motion *motion, const struct ossa__value *object);

#endif
