/* SPDX-License-Identifier: MIT
 *
 * What ossa_workspace_replace is made of. */
#ifndef OSSA_WORKSPACE_REPLACE_H
#define OSSA_WORKSPACE_REPLACE_H

#include "workspace/workspace.h"

/* Can the archive be packed? Otherwise false with the error. */
bool ossa__replace_can_pack(const struct ossa__node *node, ossa_error *error);
/* Write an archive that can be packed, unless all replacements are what is there already. Without
 * any it is packed again as it is. */
bool ossa__replace_in(ossa_workspace *workspace, struct ossa__node *node,
                      const ossa_entry_change *replacements, size_t count, ossa_sink sink,
                      bool *is_changed, ossa_error *error);

#endif
