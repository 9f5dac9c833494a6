/* SPDX-License-Identifier: MIT */
#include "chosen_entries.h"

#include <stdlib.h>

static void choose(void *user, size_t entry)
{
    struct chosen *chosen = user;
    chosen->count += chosen->entries[entry] ? 0 : 1;
    chosen->entries[entry] = true;
}

/* Otherwise it is to be written as it is. */
static bool is_archive(const struct cli *cli, const char *word)
{
    struct loaded loaded;
    ossa_error error;
    bool is_one = load(cli, word, &cli->read, &loaded, &error) &&
                  ossa_format_can(loaded.file->format, OSSA_ABILITY_LIST);
    unload(&loaded);
    return is_one;
}

bool choose_entries(const struct cli *cli, const char *word, struct chosen *chosen)
{
    ossa_error error;
    struct place place = find_place(cli, word, &error);
    *chosen = (struct chosen){.count = 0};
    bool is_entry = place.kind == PLACE_ENTRY && !is_archive(cli, word);
    if (!is_entry && place.kind != PLACE_NO_ENTRY) return true;
    chosen->entries = calloc(archive_count(place.archive) + 1, sizeof *chosen->entries);
    if (chosen->entries == NULL) {
        complain("no memory for the list of entries");
        return false;
    }
    if (is_entry) choose(chosen, place.entry);
    else (void)expand_place(&place, choose, chosen);
    if (chosen->count > 0) chosen->archive = place.archive;
    return true;
}

void free_chosen(struct chosen *chosen)
{
    free(chosen->entries);
    *chosen = (struct chosen){.count = 0};
}
