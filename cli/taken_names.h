/* SPDX-License-Identifier: MIT
 *
 * Paths for entries of an archive: safe, and no two of them the same but for case, nor one a file
 * where another needs a folder. */
#ifndef OSSA_CLI_TAKEN_NAMES_H
#define OSSA_CLI_TAKEN_NAMES_H

#include "cli.h"

/* What is taken in a folder. Only hashes are kept, so that a million names stay quick and small:
 * two paths with one hash would get a number that they do not need. */
struct taken_names {
    struct taken_slot *slots;
    size_t count;
    size_t capacity;
};

/* A path below the folder for an entry of that name, from malloc; NULL where there is no memory.
 * One for a folder may be taken again. */
char *take_path(struct taken_names *taken, const char *name, bool for_folder);
void taken_free(struct taken_names *taken);

#endif
