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

static void visit_entry(struct archive_walk *walk, const struct archive *archive, size_t index)
{
    ossa_options options = plain_options(walk->cli);
    ossa_error error;
    struct loaded loaded = {0};
    struct archive inner;
    bool is_open = false;
    struct visit visit = {.archive = archive, .index = index};
    visit.entry = ossa_entry_at(archive->file, index);
    char *word = entry_word(archive, visit.entry->name);
    visit.word = word;
    if (word == NULL) {
        complain("no memory for the name of an entry");
        walk->failed = true;
        return;
    }
    if (!spend(&walk->budget, visit.entry, &error)) {
        complain_error(word, &error);
        free(word);
        walk->failed = true;
        walk->is_over = true;
        return;
    }
    if (!ossa_entry_bytes(archive->file, index, &options, &loaded.entry, &error)) {
        complain_error(visit.word, &error);
        walk->failed = true;
    } else {
        visit.bytes = &loaded.entry;
        visit.format = probe(archive, visit.entry->name, &loaded.entry);
        visit.is_archive = visit.format != NULL && ossa_format_can(visit.format, OSSA_CAN_LIST);
    }
    if (visit.is_archive) {
        ossa_bytes bytes = loaded.entry;
        is_open = load_entry(archive, index, &options, &loaded, &error) &&
                  open_loaded_entry(archive, visit.entry->name, &loaded, &inner, &error);
        if (!is_open) {
            complain_error(visit.word, &error);
            walk->failed = true;
            loaded.entry = bytes;
            visit.is_archive = false;
        } else {
            ossa_bytes_free(&bytes);
            visit.bytes = &inner.bytes.entry;
            visit.inside = ossa_entry_count(inner.file);
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
    size_t count = ossa_entry_count(archive->file);
    for (size_t i = 0; i < count && !walk->is_over; i++) visit_entry(walk, archive, i);
}

void walk_archive(struct archive_walk *walk, const struct archive *archive)
{
    walk->budget = budget_of(archive);
    walk_inside(walk, archive);
}

const struct archive *open_word(const struct cli *cli, const char *word, struct archive *opened)
{
    struct loaded loaded;
    ossa_error error;
    ossa_options options = cli->read;
    if (options.max_input == 0) options.max_input = DEFAULT_MAX_INPUT;
    *opened = (struct archive){0};
    if (load(cli, word, &options, &loaded, &error)) {
        complain_issues(word, loaded.file);
        if (open_loaded(cli, word, &loaded, opened, &error)) return opened;
    }
    complain_error(word, &error);
    return NULL;
}
