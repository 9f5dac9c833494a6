/* SPDX-License-Identifier: MIT
 *
 * ossa pack ARCHIVE: all its entries, some of them replaced. */
#include "packing.h"

#include <stdlib.h>
#include <string.h>

/* NAME=FILE of a call, in the archive that it leads to. */
struct replacement {
    size_t entry;
    const char
        *inside;      /* what it says behind the entry's name, "hd=FILE"; NULL: the entry itself */
    const char *file; /* then, what takes its place */
};

/* Names may have = and # in them: the longest that is an entry's is meant. */
static bool resolve(const struct archive *archive, const char *text, struct replacement *found)
{
    char *name = strdup(text);
    bool ok = false;
    for (size_t size = strlen(text); name != NULL && !ok && size-- > 0;) {
        if (text[size] != '=' && text[size] != '#') continue;
        name[size] = '\0';
        int64_t entry = find_entry(archive, name);
        ok = entry >= 0;
        *found = (struct replacement){.entry = ok ? (size_t)entry : 0};
        if (text[size] == '=') found->file = text + size + 1;
        else found->inside = text + size + 1;
    }
    free(name);
    if (!ok) {
        complain("%s has no entry for --replace %s; `ossa list %s` shows what there is",
                 archive->shown, text, archive->shown);
    }
    return ok;
}

static int compare_replacements(const void *a, const void *b)
{
    const struct replacement *x = a;
    const struct replacement *y = b;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

/* Those for an archive, in the order of its entries and with one more at the end that is for none;
 * NULL after a message. */
static struct replacement *resolve_all(const struct archive *archive, const char *const *texts,
                                       size_t count)
{
    struct replacement *list = calloc(count + 1, sizeof *list);
    bool ok = true;
    if (list == NULL) {
        (void)packing_fail_memory();
        return NULL;
    }
    for (size_t i = 0; ok && i < count; i++) ok = resolve(archive, texts[i], &list[i]);
    if (ok && count > 1) qsort(list, count, sizeof *list, compare_replacements);
    for (size_t i = 1; ok && i < count; i++) {
        bool is_whole = list[i].file != NULL || list[i - 1].file != NULL;
        if (list[i].entry != list[i - 1].entry || !is_whole) continue;
        complain("%s#%s is to be replaced twice", archive->shown,
                 ossa_entry_at(archive->file, list[i].entry)->name);
        ok = false;
    }
    if (ok) {
        list[count].entry = SIZE_MAX;
        return list;
    }
    free(list);
    return NULL;
}

/* An archive inside, with some of its entries replaced. */
static bool set_repacked(struct packing *p, const struct archive *archive, size_t entry,
                         const struct replacement *replacements, size_t count)
{
    struct packing inner = {.cli = p->cli, .depth = p->depth + 1, .output = p->output};
    struct loaded loaded;
    struct archive opened;
    ossa_error error;
    const char *name = ossa_entry_at(archive->file, entry)->name;
    const ossa_options options = {.max_input = packing_limit(p->cli)};
    const char **texts = calloc(count, sizeof *texts);
    if (texts == NULL) return packing_fail_memory();
    for (size_t i = 0; i < count; i++) texts[i] = replacements[i].inside;
    if (!load_entry(archive, entry, &options, &loaded, &error) ||
        !open_loaded_entry(archive, name, &loaded, &opened, &error)) {
        char *word = entry_word(archive, name);
        complain_error(word == NULL ? name : word, &error);
        free(word);
        free(texts);
        return false;
    }
    ossa_buffer *buffer = &p->packed[p->count - 1];
    bool ok = index_entries(&opened) || packing_fail_memory();
    ok = ok && gather_archive(&inner, &opened, texts, count) &&
         packing_write(&inner, opened.file->format->id, ossa_buffer_sink(buffer), opened.shown);
    packing_free(&inner);
    close_archive(&opened);
    free(texts);
    if (ok) packing_set_data(p, buffer->data, buffer->size);
    return ok;
}

static bool set_entry(struct packing *p, const struct archive *archive, size_t entry)
{
    const ossa_options options = {.max_input = packing_limit(p->cli)};
    ossa_bytes *bytes = &p->bytes[p->count - 1];
    ossa_error error;
    if (!ossa_entry_bytes(archive->file, entry, &options, bytes, &error)) {
        complain_error(archive->shown, &error);
        return false;
    }
    packing_set_data(p, bytes->data, bytes->size);
    return true;
}

/* The bytes of a file, or of an entry of another archive. */
static bool set_replaced(struct packing *p, const char *word)
{
    ossa_error error;
    const ossa_options options = {.max_input = packing_limit(p->cli)};
    struct place place = find_place(p->cli, word, &error);
    ossa_packing *entry = &p->entries[p->count - 1];
    if (place.kind == PLACE_FILE) {
        entry->time = os_time(word);
        return packing_set_file(p, word);
    }
    ossa_bytes *bytes = &p->bytes[p->count - 1];
    bool is_there = place.kind == PLACE_ENTRY;
    if (place.kind == PLACE_NO_ENTRY) {
        complain("%s: there is no such entry; `ossa list %s` shows what there is", word,
                 place.archive->shown);
    } else if (!is_there || !archive_bytes(place.archive, place.entry, &options, bytes, &error)) {
        complain_error(word, &error);
        is_there = false;
    }
    if (!is_there || packing_replaces_archive(p)) return false;
    const ossa_entry *about = archive_entry(place.archive, place.entry);
    entry->time = about->has_time ? about->time : 0;
    packing_set_data(p, bytes->data, bytes->size);
    return true;
}

/* An entry as it is, or with the replacements for it. */
static bool add_archived(struct packing *p, const struct archive *archive, size_t entry,
                         const struct replacement *replacements, size_t count)
{
    const ossa_entry *about = ossa_entry_at(archive->file, entry);
    if (!packing_add(p, about->name, about->has_time ? about->time : 0)) return false;
    if (count == 0) return set_entry(p, archive, entry);
    if (replacements[0].file == NULL) {
        return set_repacked(p, archive, entry, replacements, count);
    }
    return set_replaced(p, replacements[0].file);
}

bool gather_archive(struct packing *p, const struct archive *archive,
                    const char *const *replacements, size_t count)
{
    struct replacement *list = resolve_all(archive, replacements, count);
    const struct replacement *next = list;
    bool ok = list != NULL;
    size_t entries = ossa_entry_count(archive->file);
    for (size_t i = 0; ok && i < entries; i++) {
        size_t found = 0;
        while (next[found].entry == i) found++;
        ok = add_archived(p, archive, i, next, found);
        next += found;
    }
    free(list);
    return ok;
}
