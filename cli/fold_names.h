/* SPDX-License-Identifier: MIT
 *
 * Names that are one but for the case of letters, as archives take them: those of ASCII and of code
 * page 1251. / is the same as \. */
#ifndef OSSA_CLI_FOLD_NAMES_H
#define OSSA_CLI_FOLD_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The letter that a text begins with, its case and the kind of separator taken off; 0 at the end.
 * Gives how many bytes it has. */
size_t fold_letter(const char *text, unsigned *letter);

bool same_folded(const char *a, const char *b);
/* Does a path begin with a folder, of which the first `size` bytes count? */
bool begins_folded(const char *path, const char *folder, size_t size);

/* The same for names that are the same. */
uint64_t hash_folded(const char *name);
uint64_t hash_exactly(const char *name);

#endif
