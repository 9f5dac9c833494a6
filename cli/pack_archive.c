/* SPDX-License-Identifier: MIT
 *
 * ossa pack ARCHIVE: its entries, some of them replaced. */
#include "packing.h"

#include <stdlib.h>
#include <string.h>

/* NAME=FILE, in the archive that it leads to. */
struct replacement {
    size_t entry;
    const char *inside; /* what follows the entry's name, "hd=FILE"; NULL: the entry itself */
    const char *file;   /* its new contents */
};

/* Names may contain = and #: the longest name that is an entry wins. */
static bool resolve(const ossa_file *archive, const char *path, const char *text,
                    struct replacement *found)
{
    char *name = copy_text(text);
    bool ok = false;
    for (size_t size = strlen(text); !ok && size-- > 0;) {
        if (text[size] != '=' && text[size] != '#') continue;
        name[size] = '\0';
        int64_t entry = ossa_find_entry(archive, name);
        ok = entry >= 0;
        *found = (struct replacement){.entry = ok ? (size_t)entry : 0};
        if (text[size] == '=') found->file = text + size + 1;
        else found->inside = text + size + 1;
    }
    free(name);
    if (!ok) {
        complain("%s has no entry for --replace %s; `ossa list %s` shows the entries", path, text,
                 path);
    }
    return ok;
}

static int compare_replacements(const void *a, const void *b)
{
    const struct replacement *x = a;
    const struct replacement *y = b;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

/* The replacements in an archive, in the order of its entries, and an end mark; NULL after a
 * message. */
static struct replacement *resolve_all(const ossa_file *archive, const char *path,
                                       const char *const *texts, size_t count)
{
    struct replacement *list = allocate(count + 1, sizeof *list);
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) ok = resolve(archive, path, texts[i], &list[i]);
    if (ok && count > 1) qsort(list, count, sizeof *list, compare_replacements);
    for (size_t i = 1; ok && i < count; i++) {
        bool is_whole = list[i].file != NULL || list[i - 1].file != NULL;
        if (list[i].entry != list[i - 1].entry || !is_whole) continue;
        complain("%s#%s is replaced twice", path, ossa_entry_at(archive, list[i].entry)->name);
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
static bool set_repacked(struct packing *p, const char *path,
                         const struct replacement *replacements, size_t count)
{
    struct packing inner = {.cli = p->cli, .depth = p->depth + 1};
    ossa_error error;
    const char **texts = allocate(count, sizeof *texts);
    for (size_t i = 0; i < count; i++) texts[i] = replacements[i].inside;
    ossa_file *archive = ossa_workspace_open(p->cli->workspace, path, NULL, &error);
    bool ok = archive != NULL;
    if (!ok) {
        complain_error(path, &error);
    } else if (!ossa_format_can(archive->format, OSSA_ABILITY_LIST)) {
        complain_not_archive(path, archive->format);
        ok = false;
    }
    ok = ok && gather_archive(&inner, archive, path, texts, count);
    ok = packing_set_archive(p, &inner, ok ? archive->format->id : "", path, ok);
    ossa_file_free(archive);
    free(texts);
    return ok;
}

static bool set_entry(struct packing *p, const ossa_file *archive, size_t entry, const char *path)
{
    const ossa_options options = {.max_input = p->cli->read.max_input};
    ossa_bytes *bytes = &p->owners[p->count - 1].bytes;
    ossa_error error;
    if (!ossa_entry_bytes(archive, entry, &options, bytes, &error)) {
        complain_error(path, &error);
        return false;
    }
    packing_set_data(p, bytes->data, bytes->size);
    return true;
}

/* The time of an entry of another archive. */
static ossa_step note_time(void *user, const ossa_visit *visit)
{
    uint32_t *time = user;
    if (visit->is_part) return OSSA_STEP_INTO;
    if (visit->entry != NULL && visit->entry->has_time) *time = visit->entry->time;
    return OSSA_STEP_STOP;
}

/* ---- new contents --------------------------------------------------------------------------- */

/* What an entry is, and the name by which it is recognised. */
struct kind {
    const ossa_format *format; /* NULL: unknown */
    char *hint;                /* from malloc */
};

static ossa_step note_kind(void *user, const ossa_visit *visit)
{
    struct kind *kind = user;
    if (visit->is_part) return OSSA_STEP_INTO;
    kind->format = visit->format;
    kind->hint = copy_text(visit->hint);
    return OSSA_STEP_STOP;
}

/* Do the bytes of a file have the format? Otherwise a message. */
static bool has_kind(const struct packing *p, const struct kind *kind, const char *entry,
                     const char *file)
{
    const ossa_packing *bytes = &p->entries[p->count - 1];
    ossa_options options = {.name = kind->hint, .max_input = p->cli->read.max_input};
    ossa_guess guess = {0};
    ossa_error error;
    /* Some formats have no signature, and accept nearly anything. */
    size_t count = ossa_probe(bytes->data, bytes->size, &options, &guess, 1);
    if (count > 0 && guess.format != kind->format &&
        guess.confidence == OSSA_CONFIDENCE_SIGNATURE) {
        complain("%s has the format %s, but %s has the format %s; --force replaces it anyway", file,
                 guess.format->id, entry, kind->format->id);
        return false;
    }
    options.format = kind->format->id;
    ossa_file *read = ossa_read(bytes->data, bytes->size, &options, &error);
    if (read != NULL) {
        complain_issues(file, read);
        ossa_file_free(read);
        return true;
    }
    char text[ISSUE_CAPACITY];
    (void)ossa_error_text(&error, text, sizeof text);
    complain("%s: %s; %s has the format %s; --force replaces it anyway", shown_name(file), text,
             entry, kind->format->id);
    return false;
}

/* The game reads an entry as what it was. An entry of unknown format may become anything. */
static bool check_replaced(const struct packing *p, const char *entry, const char *file)
{
    struct kind kind = {0};
    const ossa_walk_options walk = {
        .detail = OSSA_DETAIL_FORMATS, .visit = note_kind, .user = &kind};
    if (p->cli->force) return true;
    bool ok = !ossa_workspace_walk(p->cli->workspace, entry, &walk, NULL) || kind.format == NULL ||
              has_kind(p, &kind, entry, file);
    free(kind.hint);
    return ok;
}

/* The contents and time of a file, or of an entry of another archive, in place of an entry. */
static bool set_replaced(struct packing *p, const char *entry, const char *path)
{
    uint32_t time = os_time(path);
    const ossa_walk_options walk = {.detail = OSSA_DETAIL_NAMES, .visit = note_time, .user = &time};
    if (!packing_set_file(p, path) || !check_replaced(p, entry, path)) return false;
    if (time == 0) (void)ossa_workspace_walk(p->cli->workspace, path, &walk, NULL);
    p->entries[p->count - 1].time = time;
    return true;
}

/* An entry as it is, or with its replacements. */
static bool add_archived(struct packing *p, const ossa_file *archive, size_t entry,
                         const char *path, const struct replacement *replacements, size_t count)
{
    const ossa_entry *about = ossa_entry_at(archive, entry);
    packing_add(p, about->name, about->has_time ? about->time : 0);
    if (count == 0) return set_entry(p, archive, entry, path);
    char *inner = format_text("%s#%s", path, about->name);
    bool ok = replacements[0].file != NULL ? set_replaced(p, inner, replacements[0].file)
                                           : set_repacked(p, inner, replacements, count);
    free(inner);
    return ok;
}

bool gather_archive(struct packing *p, const ossa_file *archive, const char *path,
                    const char *const *replacements, size_t count)
{
    struct replacement *list = resolve_all(archive, path, replacements, count);
    const struct replacement *next = list;
    bool ok = list != NULL;
    size_t entries = ossa_entry_count(archive);
    for (size_t i = 0; ok && i < entries; i++) {
        size_t found = 0;
        while (next[found].entry == i) found++;
        ok = add_archived(p, archive, i, path, next, found);
        next += found;
    }
    free(list);
    return ok;
}
