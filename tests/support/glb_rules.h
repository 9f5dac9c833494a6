/* SPDX-License-Identifier: MIT
 *
 * What the files with the rules of a glTF share. */
#ifndef OSSA_TEST_GLB_RULES_H
#define OSSA_TEST_GLB_RULES_H

#include "support/glb.h"
#include "support/testing.h"

/* How often each accessor is used; one that is for nothing breaks a rule. */
struct uses {
    size_t *count;
};

static inline void use(const struct glb *glb, struct uses *uses, size_t accessor)
{
    require(accessor < glb_count(glb, "accessors"), glb->label, "there is no accessor %zu",
            accessor);
    uses->count[accessor]++;
}

/* Meshes, and materials, textures and images for them (glb_mesh_rules.c). */
void require_mesh_rules(const struct glb *glb, struct uses *uses);

#endif
