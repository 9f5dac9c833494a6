/* SPDX-License-Identifier: MIT
 *
 * ossa pack ARCHIVE: its entries, some of them replaced. */
#include "packing.h"

#include <stdlib.h>
#include <string.h>

/* The entries that --replace names, and what owns their names and contents. */
struct changes {
    struct cli *cli;
    const char *archive;
    ossa_entry_change *items;
    struct owner {
        char *name;       /* from malloc */
        const char *file; /* that has the contents */
        ossa_bytes bytes;
        ossa_buffer painted; /* the bytes, if a picture was turned into a texture */
    } * owners;
    size_t count;
};

static void changes_free(struct changes *changes)
{
    for (size_t i = 0; i < changes->count; i++) {
        free(changes->owners[i].name);
        ossa_bytes_free(&changes->owners[i].bytes);
        ossa_buffer_free(&changes->owners[i].painted);
    }
    free(changes->owners);
    free(changes->items);
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
static bool has_kind(const struct cli *cli, const ossa_bytes *bytes, const struct kind *kind,
                     const char *entry, const char *file)
{
    ossa_options options = {.name = kind->hint, .max_input = cli->read.max_input};
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
static bool check_contents(const struct cli *cli, const ossa_bytes *bytes, const char *entry,
                           const char *file)
{
    struct kind kind = {0};
    const ossa_walk_options walk = {
        .detail = OSSA_DETAIL_FORMATS, .visit = note_kind, .user = &kind};
    if (cli->force) return true;
    bool ok = !ossa_workspace_walk(cli->workspace, entry, &walk, NULL) || kind.format == NULL ||
              has_kind(cli, bytes, &kind, entry, file);
    free(kind.hint);
    return ok;
}

/* ---- entries ------------------------------------------------------------------------------- */

/* The time of an entry of another archive. */
static ossa_step note_time(void *user, const ossa_visit *visit)
{
    uint32_t *time = user;
    if (visit->is_part) return OSSA_STEP_INTO;
    if (visit->entry != NULL && visit->entry->has_time) *time = visit->entry->time;
    return OSSA_STEP_STOP;
}

/* If the contents are a PNG and the entry is a texture, the texture with these pixels instead. */
static bool repaint(const struct cli *cli, const char *entry, const char *file, struct owner *owner)
{
    const ossa_options read = {.max_input = cli->read.max_input};
    ossa_error error = {0};
    if (!ossa_is_png(owner->bytes.data, owner->bytes.size)) return true;
    ossa_file *old = ossa_workspace_open(cli->workspace, entry, NULL, NULL);
    bool ok = true;
    if (old != NULL && ossa_format_can(old->format, OSSA_ABILITY_REPAINT)) {
        ok = ossa_repaint_png(old, owner->bytes.data, owner->bytes.size, &read,
                              ossa_buffer_sink(&owner->painted), &error);
    }
    ossa_file_free(old);
    if (!ok) complain_picture(file, &error);
    if (owner->painted.data == NULL) return ok;
    ossa_bytes_free(&owner->bytes);
    owner->bytes = (ossa_bytes){.data = owner->painted.data, .size = owner->painted.size};
    return ok;
}

/* The contents and time of a file, or of an entry of another archive. */
static bool load_contents(struct changes *changes, size_t index)
{
    const struct cli *cli = changes->cli;
    struct owner *owner = &changes->owners[index];
    const char *file = owner->file;
    uint32_t time = os_time(file);
    const ossa_walk_options walk = {.detail = OSSA_DETAIL_NAMES, .visit = note_time, .user = &time};
    ossa_error error;
    note_file(changes->cli, file); /* the output must not overwrite it */
    if (!ossa_workspace_bytes(cli->workspace, file, &owner->bytes, &error)) {
        complain_error(file, &error);
        return false;
    }
    char *entry = format_text("%s#%s", changes->archive, owner->name);
    bool ok = repaint(cli, entry, file, owner) && check_contents(cli, &owner->bytes, entry, file);
    free(entry);
    if (!ok) return false;
    if (time == 0) (void)ossa_workspace_walk(cli->workspace, file, &walk, NULL);
    changes->items[index] = (ossa_entry_change){
        .path = owner->name, .data = owner->bytes.data, .size = owner->bytes.size, .time = time};
    return true;
}

/* Does the archive have this entry? Otherwise `error` says why not, if it is not just that. */
static bool has_entry(const struct changes *changes, const char *path, ossa_error *error)
{
    ossa_bytes bytes;
    ossa_error why;
    bool is_there = ossa_workspace_bytes(changes->cli->workspace, path, &bytes, &why);
    if (is_there) ossa_bytes_free(&bytes);
    else if (why.code != OSSA_CODE_NO_ENTRY && error->code == OSSA_CODE_OK) *error = why;
    return is_there;
}

/* NAME=FILE. Names may contain = and #: the longest name that is an entry wins. */
static bool add_change(struct changes *changes, const char *text)
{
    size_t i = changes->count++;
    ossa_error error = {0};
    char *path = NULL;
    changes->items = make_room(changes->items, i, sizeof *changes->items);
    changes->owners = make_room(changes->owners, i, sizeof *changes->owners);
    changes->owners[i] = (struct owner){.name = copy_text(text)};
    for (size_t size = strlen(text); size-- > 0;) {
        if (text[size] != '=') continue;
        changes->owners[i].name[size] = '\0';
        free(path);
        path = format_text("%s#%s", changes->archive, changes->owners[i].name);
        if (!has_entry(changes, path, &error)) continue;
        changes->owners[i].file = text + size + 1;
        free(path);
        return true;
    }
    if (error.code != OSSA_CODE_OK) {
        complain_error(path, &error);
    } else {
        complain("%s has no entry for --replace %s; `ossa list %s` shows the entries",
                 changes->archive, text, changes->archive);
    }
    free(path);
    return false;
}

/* ---- the archive --------------------------------------------------------------------------- */

/* May the output be written? `format` is NULL for a file without a directory. */
static bool may_write(const struct cli *cli, const ossa_format *format)
{
    const struct output_kind kind = {format == NULL ? "" : format->id, .format = format};
    char byte;
    if (overwrites_input(cli, cli->output)) return false;
    if (format != NULL) return may_replace(cli, cli->output, &kind);
    if (cli->force || os_read_start(cli->output, &byte, 1) == 0) return true;
    complain("%s exists; --force overwrites it", cli->output);
    return false;
}

static int write_changes(const struct changes *changes, const ossa_file *archive)
{
    const struct cli *cli = changes->cli;
    const ossa_format *format = archive == NULL ? NULL : archive->format;
    struct os_output output;
    ossa_error error;
    if (!may_write(cli, format)) return EXIT_BAD_CALL;
    if (!open_output(&output, cli->output)) return EXIT_BAD_DATA;
    bool ok = ossa_workspace_replace(cli->workspace, changes->archive, changes->items,
                                     changes->count, output_sink(&output), &error);
    if (!ok && output.problem == 0) complain_error(changes->archive, &error);
    ok = close_output(&output, cli->output, ok);
    if (ok && !cli->quiet && strcmp(cli->output, "-") != 0) {
        size_t count = archive == NULL ? changes->count : ossa_entry_count(archive);
        print_line("%s: %zu entr%s%s%s", cli->output, count, plural_y(count),
                   format == NULL ? " replaced" : ", ", format == NULL ? "" : format->id);
    }
    return ok ? EXIT_FINE : EXIT_BAD_DATA;
}

/* Can it be packed? Asked before anything is unpacked. */
static bool can_pack(const char *path, const ossa_format *format)
{
    if (!ossa_format_can(format, OSSA_ABILITY_LIST)) {
        complain_not_archive(path, format);
        return false;
    }
    if (ossa_format_can(format, OSSA_ABILITY_PACK)) return true;
    complain("%s: %s: this kind of archive can be read, but not packed", shown_name(path),
             format->title);
    return false;
}

static ossa_step note_search(void *user, const ossa_visit *visit)
{
    bool *is_search = user;
    *is_search = visit->is_search;
    return OSSA_STEP_STOP;
}

/* Is it a file of a disc in which entries are found by searching? They are replaced where they are.
 */
static bool is_searched_for(const struct cli *cli, const char *path)
{
    bool is_search = false;
    const ossa_walk_options walk = {
        .detail = OSSA_DETAIL_FORMATS, .search = true, .visit = note_search, .user = &is_search};
    return ossa_workspace_walk(cli->workspace, path, &walk, NULL) && is_search;
}

int pack_archive(struct cli *cli)
{
    ossa_error error;
    struct changes changes = {.cli = cli, .archive = cli->inputs[0]};
    const char *path = cli->inputs[0];
    ossa_file *archive = ossa_workspace_open(cli->workspace, path, &cli->read, &error);
    bool is_searched = cli->replace.count > 0 && is_searched_for(cli, path);
    int status = EXIT_BAD_DATA;
    note_file(cli, path);
    if (archive == NULL && !is_searched) {
        complain_error(path, &error);
    } else if (is_searched || can_pack(path, archive->format)) {
        if (!is_searched) complain_issues(path, archive);
        bool ok = true;
        for (size_t i = 0; ok && i < cli->replace.count; i++) {
            ok = add_change(&changes, cli->replace.items[i]);
        }
        for (size_t i = 0; ok && i < changes.count; i++) ok = load_contents(&changes, i);
        if (ok) status = write_changes(&changes, is_searched ? NULL : archive);
    }
    changes_free(&changes);
    ossa_file_free(archive);
    return status;
}
