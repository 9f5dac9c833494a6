/* SPDX-License-Identifier: MIT
 *
 * Finding the entries of an archive by their names. */
#include "archives.h"
#include "fold_names.h"

#include <stdlib.h>
#include <string.h>

#define NO_ENTRY UINT32_MAX

/* How many chains an index has. */
static size_t chain_count(size_t entries)
{
    size_t count = 16;
    while (count < entries) count *= 2;
    return count;
}

/* The index: the heads of chains of names as they are, those of names without regard to case, and
 * for each entry the next in both chains. In a chain the first entries come first, so that of
 * several with one name the first is found at once. */
bool index_entries(struct archive *archive)
{
    if (archive->scan != NULL) return true; /* its names are places */
    size_t entries = ossa_entry_count(archive->file);
    size_t chains = chain_count(entries);
    if (entries >= NO_ENTRY) return false;
    uint32_t *index = calloc(2 * (chains + entries), sizeof *index);
    if (index == NULL) return false;
    for (size_t i = 0; i < 2 * chains; i++) index[i] = NO_ENTRY;
    for (size_t i = entries; i-- > 0;) {
        const char *name = ossa_entry_at(archive->file, i)->name;
        uint32_t *head = &index[(size_t)hash_exactly(name) & (chains - 1)];
        uint32_t *folded = &index[chains + ((size_t)hash_folded(name) & (chains - 1))];
        index[2 * chains + 2 * i] = *head;
        index[2 * chains + 2 * i + 1] = *folded;
        *head = (uint32_t)i;
        *folded = (uint32_t)i;
    }
    archive->index = index;
    return true;
}

int64_t find_entry(const struct archive *archive, const char *name)
{
    size_t chains = chain_count(ossa_entry_count(archive->file));
    const uint32_t *next = archive->index + 2 * chains;
    uint32_t i = archive->index[(size_t)hash_exactly(name) & (chains - 1)];
    for (; i != NO_ENTRY; i = next[2 * (size_t)i]) {
        if (strcmp(ossa_entry_at(archive->file, i)->name, name) == 0) return i;
    }
    i = archive->index[chains + ((size_t)hash_folded(name) & (chains - 1))];
    for (; i != NO_ENTRY; i = next[2 * (size_t)i + 1]) {
        if (same_folded(ossa_entry_at(archive->file, i)->name, name)) return i;
    }
    return -1;
}
