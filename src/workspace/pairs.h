/* SPDX-License-Identifier: MIT
 *
 * Files that belong together by their names (struct ossa__game, pairs_by_name), whether they lie in
 * folders or in an archive. */
#ifndef OSSA_WORKSPACE_PAIRS_H
#define OSSA_WORKSPACE_PAIRS_H

#include "workspace/workspace.h"

/* A file. */
struct ossa__pair {
    const char *path;
    size_t start; /* of its own name in the path */
    size_t size;  /* of that name, without the extension */
    enum ossa__role role;
    size_t owner;   /* the body that it belongs to, from 1 on; 0: none */
    bool is_double; /* that body has another of this name */
};

struct ossa__pairs {
    struct ossa__pair *items;
    size_t count;
    bool guesses;               /* the only body has all clips, if none is called like it */
    struct ossa__pair **sorted; /* by role, name and path */
    struct ossa__pair **owned;  /* those of bodies: by body and role, then as they come */
    size_t owned_count;
    uint64_t compared; /* names, for the tests */
};

/* A file of that path, which stays. */
struct ossa__pair ossa__pair_of(const char *path, enum ossa__role role);
/* Is it called by an offset, for want of a name? */
bool ossa__is_nameless(const struct ossa__pair *pair);

/* Find out what belongs to which body. The items are there; the rest is made from the arena. False:
 * no memory. */
bool ossa__pairs_make(struct ossa__pairs *pairs, const struct ossa__game *game,
                      struct ossa__arena *arena);
/* The file of that role and name that lies nearest to a path; NULL: none. */
const struct ossa__pair *ossa__pairs_find(struct ossa__pairs *pairs, enum ossa__role role,
                                          const char *name, size_t size, const char *path);
/* What belongs to a body: how many, and the first in `owned`. */
size_t ossa__pairs_owned(const struct ossa__pairs *pairs, const struct ossa__pair *body,
                         size_t *first);

#endif
