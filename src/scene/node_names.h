/* SPDX-License-Identifier: MIT
 *
 * Names of bones in files for other programs: those that their readers leave alone. */
#ifndef OSSA_SCENE_NODE_NAMES_H
#define OSSA_SCENE_NODE_NAMES_H

#include "codec/context.h"

/* What a format's readers trip over. White space of ASCII becomes _ in any case. */
struct ossa__name_rule {
    const char *dropped;     /* ASCII characters that are left out */
    bool has_no_white_space; /* white space of Unicode becomes _ too, and control characters */
};

/* three.js drops [ ] . : / from names. */
extern const struct ossa__name_rule ossa__gltf_name_rule;

/* A name in BVH ends at white space, whatever the reader's language takes for that; braces are its
 * syntax, the others are that of the paths to bones in three.js and Blender. */
extern const struct ossa__name_rule ossa__bvh_name_rule;

/* Clean each name, which is UTF-8, and make all different and not empty; a name that needs nothing
 * stays as it is. NULL after a failure. */
char **ossa__clean_names(struct ossa__context *context, const struct ossa__name_rule *rule,
                         const char *const *names, size_t count);

#endif
