/* SPDX-License-Identifier: MIT
 *
 * What the word of a call means when it is no archive: an entry that is a plain file, the entries
 * of a model, or those of a folder. */
#ifndef OSSA_CLI_CHOSEN_ENTRIES_H
#define OSSA_CLI_CHOSEN_ENTRIES_H

#include "archives.h"

struct chosen {
    const struct archive *archive; /* that they lie in, kept by the call; NULL: nothing chosen */
    bool *entries;                 /* by entry, from malloc */
    size_t count;
};

/* False after a message, when there is no memory. */
bool choose_entries(const struct cli *cli, const char *word, struct chosen *chosen);
void free_chosen(struct chosen *chosen);

#endif
