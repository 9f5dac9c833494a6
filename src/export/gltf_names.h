/* SPDX-License-Identifier: MIT
 *
 * Names that every reader of glTF leaves alone. */
#ifndef OSSA_EXPORT_GLTF_NAMES_H
#define OSSA_EXPORT_GLTF_NAMES_H

#include "core/context.h"

/* Clean each name (three.js drops [ ] . : / and turns spaces into _) and make all different and
 * not empty; a name that needs nothing stays as it is. NULL after a failure. */
char **ossa__gltf_names(struct ossa__context *context, const char *const *names, size_t count);

#endif
