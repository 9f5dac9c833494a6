/* SPDX-License-Identifier: MIT */
#include "walk_archive.h"

#include <stdlib.h>
#include <string.h>

static ossa_options plain_options(const struct cli *cli)
{
    uint64_t limit = cli->read.max_input;
    return (ossa_options){.max_input = limit == 0 ? DEFAULT_MAX_INPUT : limit};
}

/* What bytes are, without reading all of them. */
static const ossa_format *probe(const struct archive *archive, const char *name,
                                const ossa_bytes *bytes)
{
    ossa_guess guesses[2];
    char *hint = entry_hint(archive, name);
    ossa_options options = {.name = hint};
    size_t count = ossa_probe(bytes->data, bytes->size, &options, guesses, 2);
    free(hint);
    if (count == 0) return NULL;
    bool is_tie = count > 1 && guesses[1].confidence == guesses[0].confidence &&
                  !ossa_format_fits_name(guesses[0].format, options.name == NULL ? "" : name);
    return is_tie ? NULL : guesses[0].format;
}

static void walk_inside(struct archive_walk *walk, const struct archive *archive);

/* Of what lies where it is no more is visited; one that is quick only does not look at what has to
 * be unpacked. */
static void tell_too_much(struct archive_walk *walk, const struct visit *visit,
                          const ossa_error *error, bool is_unknown)
{
    walk->failed = true;
    if (!is_unknown) {
        complain_error(visit->word, error);
        walk->is_over = true;
    } else if (!walk->is_unpacking_over) {
        complain("%s: unpacked, the entries are far more than the archive; from here on they are "
                 "not looked at; a larger --max-size allows more",
                 visit->word);
        walk->is_unpacking_over = true;
    }
}

static void visit_entry(struct archive_walk *walk, const struct archive *archive, size_t index)
{
    ossa_options options = plain_options(walk->cli);
    ossa_error error;
    struct loaded loaded = {0};
    struct archive inner = {0};
    bool is_open = false;
    struct visit visit = {.archive = archive, .index = index};
    visit.entry = archive_entry(archive, index);
    char *word = entry_word(archive, visit.entry->name);
    visit.word = word;
    if (word == NULL) {
        complain("no memory for the name of an entry");
        walk->failed = true;
        return;
    }
    bool is_unknown = false;
    if (!spend(&walk->budget, visit.entry, &error)) {
        is_unknown = walk->quick && visit.entry->stored_size <= walk->budget.left;
        tell_too_much(walk, &visit, &error, is_unknown);
        if (!is_unknown) {
            free(word);
            return;
        }
    }
    if (archive->scan != NULL) {
        const ossa_sotc_found *found = scan_found(archive->scan, index);
        visit.format = found->format;
        if (found->name[0] != '\0') visit.own_name = found->name;
    }
    if (is_unknown || (archive->scan != NULL && walk->quick)) {
        /* All is known that will be. */
    } else if (!archive_bytes(archive, index, &options, &loaded.entry, &error)) {
        complain_error(visit.word, &error);
        walk->failed = true;
    } else {
        visit.bytes = &loaded.entry;
        visit.format = probe(archive, visit.entry->name, &loaded.entry);
        visit.is_archive = visit.format != NULL && ossa_format_can(visit.format, OSSA_ABILITY_LIST);
    }
    if (visit.is_archive) {
        is_open = read_entry(archive, index, &options, &loaded, &error) &&
                  open_loaded_entry(archive, visit.entry->name, &loaded, &inner, &error);
        if (!is_open) {
            complain_error(visit.word, &error);
            walk->failed = true;
            visit.is_archive = false;
            /* Opening may have taken the bytes along; they are wanted as those of a file. */
            bool is_there = loaded.entry.data != NULL ||
                            archive_bytes(archive, index, &options, &loaded.entry, &error);
            if (!is_there) visit.bytes = NULL;
        } else {
            visit.bytes = &inner.bytes.entry;
            visit.inside = archive_count(&inner);
        }
    }
    bool enter = walk->visit(walk->user, &visit) && visit.is_archive && walk->deep;
    if (enter) {
        walk_inside(walk, &inner);
        if (walk->leave != NULL) walk->leave(walk->user, &visit);
    }
    if (is_open) close_archive(&inner);
    unload(&loaded);
    free(word);
}

/* It cannot go deeper than archives may lie in each other. */
static void walk_inside(struct archive_walk *walk, const struct archive *archive)
{
    size_t count = archive_count(archive);
    for (size_t i = 0; i < count && !walk->is_over; i++) visit_entry(walk, archive, i);
}

void walk_archive(struct archive_walk *walk, const struct archive *archive)
{
    size_t count = archive_count(archive);
    walk->budget = budget_of(walk->cli, archive);
    for (size_t i = 0; i < count && !walk->is_over; i++) {
        if (walk->only == NULL || walk->only[i]) visit_entry(walk, archive, i);
    }
}

/* May a word that is no archive be a file of a disc? One of these begins like the first file in it,
 * or like nothing at all, or it is too large to be read. */
static bool may_be_disc(const struct cli *cli, const char *word, const struct loaded *loaded,
                        const ossa_error *error)
{
    ossa_error ignored;
    bool is_one = error->code == OSSA_CODE_UNKNOWN_FORMAT ||
                  error->code == OSSA_CODE_AMBIGUOUS_FORMAT || error->code == OSSA_CODE_LIMIT;
    if (loaded->file != NULL) is_one = strncmp(loaded->file->format->id, "sotc-", 5) == 0;
    if (!is_one || cli->read.format != NULL || strcmp(word, "-") == 0) return false;
    return find_place(cli, word, &ignored).kind == PLACE_FILE;
}

/* Search it; a single file that is all there is counts for nothing. */
static bool open_disc(const char *word, const struct loaded *loaded, struct archive *opened,
                      ossa_error *error)
{
    ossa_error why;
    bool ok = open_scan(word, opened, &why);
    bool is_alone = ok && loaded->file != NULL && opened->scan->count == 1;
    if (is_alone) close_archive(opened);
    if (!ok && why.code != OSSA_CODE_UNKNOWN_FORMAT) {
        *error = why;
    } else if (!ok) {
        size_t used = strlen(error->message);
        (void)snprintf(error->message + used, sizeof error->message - used, "; %.100s",
                       why.message);
    }
    return ok && !is_alone;
}

const struct archive *open_word(const struct cli *cli, const char *word, struct archive *opened)
{
    struct loaded loaded;
    ossa_error error = {.code = OSSA_CODE_OK};
    ossa_options options = cli->read;
    if (options.max_input == 0) options.max_input = DEFAULT_MAX_INPUT;
    *opened = (struct archive){0};
    bool ok = load(cli, word, &options, &loaded, &error);
    if (may_be_disc(cli, word, &loaded, &error) && open_disc(word, &loaded, opened, &error)) {
        unload(&loaded);
        return opened;
    }
    if (ok) {
        complain_issues(word, loaded.file);
        if (open_loaded(cli, word, &loaded, opened, &error)) return opened;
    }
    complain_error(word, &error);
    return NULL;
}
