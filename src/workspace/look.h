/* SPDX-License-Identifier: MIT */
#ifndef OSSA_WORKSPACE_LOOK_H
#define OSSA_WORKSPACE_LOOK_H

#include "workspace/workspace.h"

/* What is known of one file on the way of a walk. */
struct ossa__look {
    ossa_visit visit; /* first: a pointer to it is a pointer to the look */
    ossa_workspace *workspace;
    const ossa_walk_options *options;
    struct ossa__arena arena;
    struct ossa__readable item;
    ossa_bytes bytes;
    ossa_file *file;
    ossa_error error;
    struct ossa__node *node; /* what it is as an archive */
};
/* The caller sets the item and the visit, for an entry with ossa__look_name. */
struct ossa__look ossa__look_start(ossa_workspace *workspace, const ossa_walk_options *options);
void ossa__look_free(struct ossa__look *look);

/* `named`: how the caller calls the entry; NULL: as the archive does. False: no memory. */
bool ossa__look_name(struct ossa__look *look, struct ossa__node *archive, size_t index,
                     bool is_named, const char *named);
void ossa__look_at_entry(struct ossa__look *look);
void ossa__look_at_file(struct ossa__look *look);

/* Something is wrong with this file, see its error; the walk goes on. And report it as an issue, if
 * no reader has. */
void ossa__look_fail(struct ossa__look *look);
void ossa__look_report(struct ossa__look *look);

#endif
