/* SPDX-License-Identifier: MIT */
#include "archives.h"

#include <stdlib.h>
#include <string.h>

/* ---- opening ------------------------------------------------------------------------------- */

char *join_text(const char *a, const char *middle, const char *b)
{
    size_t size = strlen(a) + strlen(middle) + strlen(b) + 1;
    char *text = malloc(size);
    if (text != NULL) (void)snprintf(text, size, "%s%s%s", a, middle, b);
    return text;
}

/* Of the last name in a path, with its dot; "" where there is none. Both separators count. */
static const char *extension_of(const char *path)
{
    const char *dot = "";
    for (const char *c = path; *c != '\0'; c++) {
        if (*c == '/' || *c == '\\') dot = "";
        else if (*c == '.') dot = c;
    }
    return dot;
}

void close_archive(struct archive *archive)
{
    ossa_file_free(archive->file);
    scan_close(archive->scan);
    unload(&archive->bytes);
    free(archive->shown);
    free(archive->tree);
    free(archive->extension);
    free(archive->index);
    free(archive->of_many);
    *archive = (struct archive){0};
}

static bool say(ossa_error *error, ossa_code code, const char *message)
{
    *error = (ossa_error){.code = code};
    (void)snprintf(error->message, sizeof error->message, "%s", message);
    return false;
}

/* Its names made, is it one that can be used? Otherwise it is closed. */
static bool check_archive(struct archive *archive, ossa_error *error)
{
    char text[200];
    bool ok = true;
    if (archive->shown == NULL || archive->tree == NULL || archive->extension == NULL) {
        ok = say(error, OSSA_CODE_OUT_OF_MEMORY, "no memory for its name");
    } else if (archive->depth > DEEPEST_ARCHIVE) {
        (void)snprintf(text, sizeof text,
                       "lies in more than %d archives; extract one of them, and go on from there",
                       DEEPEST_ARCHIVE);
        ok = say(error, OSSA_CODE_LIMIT, text);
    } else if (archive->file != NULL &&
               !ossa_format_can(archive->file->format, OSSA_ABILITY_LIST)) {
        (void)snprintf(text, sizeof text, "is a file of %s, not an archive",
                       archive->file->format->title);
        ok = say(error, OSSA_CODE_BAD_ARGUMENT, text);
    }
    if (!ok) {
        close_archive(archive);
        return false;
    }
    if (archive->file == NULL) return true;
    /* Entries without an extension are what the archive's says (parts in a .anm), but not if it
     * only says that it is an archive. */
    char *name = join_text("x", "", archive->extension);
    bool is_own = name != NULL && ossa_format_fits_name(archive->file->format, name);
    if (is_own) archive->extension[0] = '\0';
    free(name);
    return true;
}

static void take_path(struct archive *archive, const char *path)
{
    archive->shown = strdup(path);
    archive->tree = strdup(path);
    archive->extension = strdup(extension_of(path));
}

bool open_scan(const char *path, struct archive *archive, ossa_error *error)
{
    *archive = (struct archive){.scan = scan_open(path, error)};
    if (archive->scan == NULL) return false;
    take_path(archive, path);
    bool ok = scan_search(archive->scan, error);
    if (ok && archive->scan->count == 0) {
        ok = say(error, OSSA_CODE_UNKNOWN_FORMAT,
                 "no file of Shadow of the Colossus is in it, either");
    }
    if (!ok) close_archive(archive);
    return ok && check_archive(archive, error);
}

static void take_over(struct archive *archive, struct loaded *loaded)
{
    archive->file = loaded->file;
    archive->bytes = *loaded;
    archive->bytes.file = NULL;
    *loaded = (struct loaded){0};
}

bool open_loaded_entry(const struct archive *parent, const char *name, struct loaded *loaded,
                       struct archive *archive, ossa_error *error)
{
    const char *extension = extension_of(name);
    *archive = (struct archive){.depth = parent->depth + 1};
    take_over(archive, loaded);
    archive->shown = join_text(parent->shown, "#", name);
    archive->tree = join_text(parent->tree, "/", name);
    archive->extension = strdup(extension[0] == '\0' ? parent->extension : extension);
    return check_archive(archive, error);
}

bool open_loaded(const struct cli *cli, const char *word, struct loaded *loaded,
                 struct archive *archive, ossa_error *error)
{
    struct place place = find_place(cli, word, error);
    if (place.kind == PLACE_ENTRY) {
        const char *name = archive_entry(place.archive, place.entry)->name;
        return open_loaded_entry(place.archive, name, loaded, archive, error);
    }
    *archive = (struct archive){0};
    take_over(archive, loaded);
    take_path(archive, word);
    return check_archive(archive, error);
}

char *tree_path(const struct cli *cli, const char *word)
{
    ossa_error error;
    struct place place = find_place(cli, word, &error);
    if (place.kind != PLACE_ENTRY) return strdup(word);
    return join_text(place.archive->tree, "/", archive_entry(place.archive, place.entry)->name);
}

/* ---- those that are open ------------------------------------------------------------------- */

void archives_free(struct archives *archives)
{
    for (size_t i = archives->count; i-- > 0;) { /* those inside first */
        close_archive(archives->open[i]);
        free(archives->open[i]);
    }
    free(archives->open);
    *archives = (struct archives){0};
}

/* Keep an archive, ready to look for entries; NULL, with the error, when there is no memory. Takes
 * it over. */
static const struct archive *add_archive(struct archives *archives, struct archive *opened,
                                         ossa_error *error)
{
    struct archive **larger =
        realloc(archives->open, (archives->count + 1) * sizeof *archives->open);
    struct archive *archive = malloc(sizeof *archive);
    if (larger != NULL) archives->open = larger;
    if (larger == NULL || archive == NULL || !index_entries(opened)) {
        free(archive);
        close_archive(opened);
        (void)say(error, OSSA_CODE_OUT_OF_MEMORY, "no memory for an archive");
        return NULL;
    }
    *archive = *opened;
    archives->open[archives->count++] = archive;
    return archive;
}

static const struct archive *find_open(const struct archives *archives, const char *shown)
{
    for (; archives != NULL; archives = archives->shared) {
        for (size_t i = 0; i < archives->count; i++) {
            if (strcmp(archives->open[i]->shown, shown) == 0) return archives->open[i];
        }
    }
    return NULL;
}

const struct archive *find_kept(const struct cli *cli, const char *word)
{
    const struct archive *open = find_open(cli->archives, word);
    return open == NULL || open->file == NULL ? NULL : open; /* a scan is only places */
}

/* ---- the way to an entry ------------------------------------------------------------------- */

static ossa_options options_of(const struct cli *cli)
{
    ossa_options options = cli->read;
    if (options.max_input == 0) options.max_input = DEFAULT_MAX_INPUT;
    return options;
}

/* The open archive that is on the disk. */
static const struct archive *open_disk(const struct cli *cli, const char *path, ossa_error *error)
{
    const struct archive *open = find_open(cli->archives, path);
    if (open != NULL) return open;
    if (strcmp(path, "-") == 0 && cli->archives->stdin_error.code != OSSA_CODE_OK) {
        *error = cli->archives->stdin_error; /* it can be read once only */
        return NULL;
    }
    struct loaded loaded;
    struct archive archive = {0};
    /* Of the call's options those for what is inside do not concern the archives on the way. */
    const ossa_options options = {.name = path, .max_input = options_of(cli).max_input};
    bool ok = load_file(path, &options, &loaded, error);
    if (ok) {
        take_over(&archive, &loaded);
        take_path(&archive, path);
        ok = check_archive(&archive, error);
    }
    if (!ok && strcmp(path, "-") == 0) cli->archives->stdin_error = *error;
    return ok ? add_archive(cli->archives, &archive, error) : NULL;
}

/* NAME#0x12800 reads just what is there: the file is neither loaded nor searched. NULL: nothing
 * is, or the word means something else. */
static const struct archive *open_at(const struct cli *cli, const char *path, const char *rest)
{
    ossa_error error;
    if (!scan_is_name(rest) || find_open(cli->archives, path) != NULL) return NULL;
    struct scan *scan = scan_open(path, &error);
    if (scan == NULL || scan_find(scan, rest) < 0) {
        scan_close(scan);
        return NULL;
    }
    struct archive archive = {.scan = scan};
    take_path(&archive, path);
    return check_archive(&archive, &error) ? add_archive(cli->archives, &archive, &error) : NULL;
}

static const struct archive *open_inner(const struct cli *cli, const struct archive *parent,
                                        size_t entry, ossa_error *error)
{
    const char *name = archive_entry(parent, entry)->name;
    char *shown = entry_word(parent, name);
    const struct archive *open = shown == NULL ? NULL : find_open(cli->archives, shown);
    free(shown);
    if (open != NULL) return open;
    struct loaded loaded;
    struct archive archive;
    const ossa_options options = {.max_input = options_of(cli).max_input};
    bool ok = load_entry(parent, entry, &options, &loaded, error) &&
              open_loaded_entry(parent, name, &loaded, &archive, error);
    return ok ? add_archive(cli->archives, &archive, error) : NULL;
}

bool can_hold_models(const ossa_file *archive)
{
    return strcmp(archive->format->id, "ei-res") == 0;
}

/* Is it the name of a model, whatever is in it? */
static bool is_model(const struct archive *archive, const char *name)
{
    char *file = join_text(name, "", ".mod");
    bool is_there = file != NULL && find_entry(archive, file) >= 0;
    free(file);
    return is_there;
}

/* The longest name at the start of `rest`, up to a # or the end, that is an entry's; -1: none. */
static int64_t match_entry(const struct archive *archive, const char *rest, size_t *size)
{
    char *name = strdup(rest);
    int64_t entry = -1;
    *size = strlen(rest);
    while (name != NULL && entry < 0) {
        name[*size] = '\0';
        entry = archive->scan != NULL ? scan_find(archive->scan, name) : find_entry(archive, name);
        if (entry >= 0 || *size == 0) break;
        if (archive->scan == NULL && rest[*size] == '\0' && is_model(archive, rest)) break;
        char *mark = strrchr(name, '#');
        if (mark == NULL) break;
        *size = (size_t)(mark - name);
    }
    free(name);
    return entry;
}

static struct place find_in_archive(const struct cli *cli, const struct archive *archive,
                                    const char *rest, ossa_error *error)
{
    while (true) {
        size_t size;
        int64_t entry = match_entry(archive, rest, &size);
        if (entry < 0) return (struct place){PLACE_NO_ENTRY, archive, 0, rest};
        if (rest[size] == '\0') return (struct place){PLACE_ENTRY, archive, (size_t)entry, rest};
        archive = open_inner(cli, archive, (size_t)entry, error);
        if (archive == NULL) return (struct place){PLACE_FAILED, NULL, 0, rest};
        rest += size + 1;
    }
}

struct place find_place(const struct cli *cli, const char *word, ossa_error *error)
{
    const struct place file = {PLACE_FILE, NULL, 0, ""};
    if (strchr(word, '#') == NULL || os_exists(word)) return file;
    char *path = strdup(word);
    if (path == NULL) return file; /* which cannot be opened */
    /* The shortest name that is a file: what comes after is its contents. */
    struct place place = file;
    for (char *mark = strchr(path, '#'); mark != NULL; mark = strchr(mark + 1, '#')) {
        *mark = '\0';
        struct os_file_id id;
        bool is_there = strcmp(path, "-") == 0 || os_identify(path, &id);
        if (is_there) {
            const char *rest = word + (mark - path) + 1;
            const struct archive *archive = open_at(cli, path, rest);
            if (archive == NULL) archive = open_disk(cli, path, error);
            if (archive == NULL) place = (struct place){PLACE_FAILED, NULL, 0, word};
            else place = find_in_archive(cli, archive, rest, error);
            if (archive == NULL && scan_is_name(rest)) {
                (void)say(error, OSSA_CODE_IO,
                          "there is no file of Shadow of the Colossus at this place");
            }
            break;
        }
        *mark = '#';
    }
    free(path);
    return place;
}

const struct archive *open_kept(const struct cli *cli, const char *word, ossa_error *error)
{
    struct place place = find_place(cli, word, error);
    if (place.kind == PLACE_FILE) return open_disk(cli, word, error);
    if (place.kind == PLACE_ENTRY) return open_inner(cli, place.archive, place.entry, error);
    if (place.kind == PLACE_NO_ENTRY) (void)say(error, OSSA_CODE_IO, "there is no such entry");
    return NULL;
}

/* ---- entries ------------------------------------------------------------------------------- */

const char *archive_title(const struct archive *archive)
{
    return archive->scan != NULL ? "files of Shadow of the Colossus" : archive->file->format->title;
}

size_t archive_count(const struct archive *archive)
{
    return archive->scan != NULL ? archive->scan->count : ossa_entry_count(archive->file);
}

const ossa_entry *archive_entry(const struct archive *archive, size_t index)
{
    return archive->scan != NULL ? &archive->scan->items[index]->entry
                                 : ossa_entry_at(archive->file, index);
}

bool archive_bytes(const struct archive *archive, size_t index, const ossa_options *options,
                   ossa_bytes *bytes, ossa_error *error)
{
    if (archive->scan != NULL) return scan_bytes(archive->scan, index, options, bytes, error);
    return ossa_entry_bytes(archive->file, index, options, bytes, error);
}

bool is_folder_entry(const char *name)
{
    size_t size = strlen(name);
    return size > 0 && (name[size - 1] == '/' || name[size - 1] == '\\');
}

char *entry_hint(const struct archive *archive, const char *entry)
{
    return join_text(entry, "", extension_of(entry)[0] == '\0' ? archive->extension : "");
}

bool read_entry(const struct archive *archive, size_t entry, const ossa_options *options,
                struct loaded *loaded, ossa_error *error)
{
    ossa_options named = *options;
    char *hint = entry_hint(archive, archive_entry(archive, entry)->name);
    named.name = hint;
    loaded->file = ossa_read(loaded->entry.data, loaded->entry.size, &named, error);
    free(hint);
    return loaded->file != NULL;
}

bool load_entry(const struct archive *archive, size_t entry, const ossa_options *options,
                struct loaded *loaded, ossa_error *error)
{
    *loaded = (struct loaded){0};
    if (!archive_bytes(archive, entry, options, &loaded->entry, error)) {
        return tell_failure(options, error);
    }
    if (read_entry(archive, entry, options, loaded, error)) return true;
    ossa_bytes_free(&loaded->entry);
    return false;
}

char *entry_word(const struct archive *archive, const char *entry)
{
    return join_text(archive->shown, "#", entry);
}
