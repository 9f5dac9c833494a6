/* SPDX-License-Identifier: MIT
 *
 * What a word means for which there is no entry: a model, or a folder. */
#include "archives.h"
#include "fold_names.h"

#include <stdlib.h>
#include <string.h>

static bool is_in_folder(const char *name, const char *folder, size_t size)
{
    if (!begins_folded(name, folder, size)) return false;
    return name[size] == '/' || name[size] == '\\';
}

bool expand_place(const struct place *place, void (*found)(void *user, size_t entry), void *user)
{
    static const char *const parts[] = {".mod", ".bon", ".anm"};
    const ossa_file *file = place->archive->file;
    bool any = false;
    if (file == NULL) return false; /* nothing but places */
    for (size_t i = 0; i < 3; i++) {
        char *name = join_text(place->rest, "", parts[i]);
        int64_t entry = name == NULL ? -1 : find_entry(place->archive, name);
        free(name);
        if (i == 0 && entry < 0) break; /* without a .mod it is no model */
        if (entry < 0) continue;
        found(user, (size_t)entry);
        any = true;
    }
    size_t size = strlen(place->rest);
    while (size > 0 && (place->rest[size - 1] == '/' || place->rest[size - 1] == '\\')) size--;
    bool is_model_found = any;
    for (size_t i = 0; i < ossa_entry_count(file) && size > 0 && !is_model_found; i++) {
        if (!is_in_folder(ossa_entry_at(file, i)->name, place->rest, size)) continue;
        found(user, i);
        any = true;
    }
    return any;
}

/* For expand_entry, which wants words. */
struct word_teller {
    const struct archive *archive;
    void (*found)(void *user, const char *word);
    void *user;
};

static void tell_word(void *user, size_t entry)
{
    const struct word_teller *teller = user;
    char *word = entry_word(teller->archive, archive_entry(teller->archive, entry)->name);
    if (word != NULL) teller->found(teller->user, word);
    else complain("no memory for the name of an entry");
    free(word);
}

bool expand_entry(const struct place *place, void (*found)(void *user, const char *word),
                  void *user)
{
    struct word_teller teller = {place->archive, found, user};
    return expand_place(place, tell_word, &teller);
}
