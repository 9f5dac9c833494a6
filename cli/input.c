/* SPDX-License-Identifier: MIT
 *
 * From the words of a call to files in memory. */
#include "archives.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A list being made. */
struct maker {
    struct input_list *list;
    size_t capacity;
    bool out_of_memory;
};

static void add_input(struct maker *maker, const char *path, bool named)
{
    struct input_list *list = maker->list;
    if (list->count == maker->capacity) {
        size_t capacity = maker->capacity == 0 ? 64 : maker->capacity * 2;
        struct input *items = realloc(list->items, capacity * sizeof *items);
        if (items == NULL) {
            maker->out_of_memory = true;
            return;
        }
        list->items = items;
        maker->capacity = capacity;
    }
    struct input *input = &list->items[list->count];
    input->named = named;
    input->path = strdup(path);
    if (input->path == NULL) maker->out_of_memory = true;
    else list->count++;
}

static void found_file(void *user, const char *path)
{
    add_input(user, path, false);
}

/* A folder that cannot be entered is an input that cannot be read: every verb tells of those. */
static void failed_folder(void *user, const char *path, const struct os_why *why)
{
    (void)why;
    add_input(user, path, true);
}

static void found_entry(void *user, const char *word)
{
    add_input(user, word, true);
}

/* A file, an entry, or the entries that a word means. What cannot be found, loading tells of. */
static void add_word(const struct cli *cli, const char *word, struct maker *maker)
{
    ossa_error error;
    struct place place = find_place(cli, word, &error);
    bool expanded = place.kind == PLACE_NO_ENTRY && expand_entry(&place, found_entry, maker);
    if (!expanded) add_input(maker, word, true);
}

bool list_inputs(const struct cli *cli, bool enter_folders, struct input_list *list)
{
    *list = (struct input_list){0};
    struct maker maker = {.list = list};
    for (size_t i = 0; i < cli->input_count; i++) {
        const char *path = cli->inputs[i];
        bool is_stdin = strcmp(path, "-") == 0;
        if (enter_folders && !is_stdin && os_is_folder(path)) {
            if (!os_walk(path, found_file, failed_folder, &maker)) list->failed = true;
        } else {
            add_word(cli, path, &maker);
        }
    }
    if (cli->texture != NULL) add_word(cli, cli->texture, &maker);
    if (!maker.out_of_memory) return true;
    complain("no memory for the list of files");
    free_inputs(list);
    return false;
}

bool expand_inputs(struct cli *cli, struct input_list *list)
{
    if (!list_inputs(cli, false, list)) return false;
    char **inputs = calloc(list->count + 1, sizeof *inputs);
    if (inputs == NULL) {
        complain("no memory for the list of files");
        free_inputs(list);
        return false;
    }
    for (size_t i = 0; i < list->count; i++) inputs[i] = list->items[i].path;
    list->words = inputs;
    cli->inputs = inputs;
    cli->input_count = list->count;
    return true;
}

void free_inputs(struct input_list *list)
{
    for (size_t i = 0; i < list->count; i++) free(list->items[i].path);
    free(list->items);
    free(list->words);
    *list = (struct input_list){0};
}

/* A failure that no reader has told of. */
bool tell_failure(const ossa_options *options, const ossa_error *error)
{
    if (options->on_issue == NULL) return false;
    ossa_issue issue = {.severity = OSSA_SEVERITY_UNREADABLE,
                        .code = error->code,
                        .format = "",
                        .field = "",
                        .message = error->message};
    options->on_issue(options->user, &issue);
    return false;
}

/* Large files are read as it suits their format: archives in parts. Each keeps its file open, and
 * of those a program may have only so many. */
enum { READ_WHOLE = 256 * 1024, MOST_OPEN = 128 };
static atomic_uint open_count;

static bool read_part(void *user, uint64_t offset, void *bytes, size_t size)
{
    return os_read_shared(user, offset, bytes, size);
}

static void close_file(struct loaded *loaded)
{
    if (loaded->open == NULL) return;
    os_close_random(loaded->open);
    free(loaded->open);
    loaded->open = NULL;
    (void)atomic_fetch_sub(&open_count, 1);
}

/* Open a file that is to be read in parts; false: it is small, or there is a reason that reading
 * the whole of it finds too. */
static bool open_large(const char *path, uint64_t limit, struct loaded *loaded)
{
    struct os_why why;
    struct os_random *file = strcmp(path, "-") == 0 ? NULL : malloc(sizeof *file);
    bool is_free = atomic_fetch_add(&open_count, 1) < MOST_OPEN;
    bool is_open = file != NULL && is_free && os_open_limited(path, limit, file, &why);
    if (is_open && file->size > READ_WHOLE) {
        loaded->open = file;
        return true;
    }
    if (is_open) os_close_random(file);
    free(file);
    (void)atomic_fetch_sub(&open_count, 1);
    return false;
}

static bool load_large(const ossa_options *options, struct loaded *loaded, ossa_error *error)
{
    const ossa_source source = {read_part, loaded->open, loaded->open->size};
    loaded->file = ossa_read_from(&source, options, error);
    /* Others have all they need. */
    bool is_archive =
        loaded->file != NULL && ossa_format_can(loaded->file->format, OSSA_ABILITY_LIST);
    if (!is_archive) close_file(loaded);
    return loaded->file != NULL;
}

bool load_file(const char *path, const ossa_options *options, struct loaded *loaded,
               ossa_error *error)
{
    struct os_why why;
    *loaded = (struct loaded){0};
    if (open_large(path, options->max_input, loaded)) return load_large(options, loaded, error);
    if (!os_read_file(path, options->max_input, &loaded->bytes, &why)) {
        *error = (ossa_error){.code = why.is_limit ? OSSA_CODE_LIMIT : OSSA_CODE_IO};
        (void)snprintf(error->message, sizeof error->message, "%s", why.text);
        return tell_failure(options, error);
    }
    loaded->file = ossa_read(loaded->bytes.data, loaded->bytes.size, options, error);
    if (loaded->file == NULL) os_free_bytes(&loaded->bytes);
    return loaded->file != NULL;
}

static bool fail_entry(const struct place *place, ossa_error *error)
{
    *error = (ossa_error){.code = OSSA_CODE_IO};
    (void)snprintf(error->message, sizeof error->message,
                   "there is no such entry; `ossa list %s` shows what there is",
                   place->archive->shown);
    return false;
}

bool load_bytes(const struct cli *cli, const char *path, struct loaded *loaded,
                const uint8_t **data, size_t *size, ossa_error *error)
{
    struct os_why why;
    uint64_t limit = cli->read.max_input == 0 ? DEFAULT_MAX_INPUT : cli->read.max_input;
    const ossa_options options = {.max_input = limit};
    *loaded = (struct loaded){0};
    struct place place = find_place(cli, path, error);
    if (place.kind == PLACE_NO_ENTRY) return fail_entry(&place, error);
    if (place.kind == PLACE_FAILED) return false;
    if (place.kind == PLACE_ENTRY) {
        bool ok = archive_bytes(place.archive, place.entry, &options, &loaded->entry, error);
        *data = loaded->entry.data;
        *size = loaded->entry.size;
        return ok;
    }
    if (!os_read_file(path, limit, &loaded->bytes, &why)) {
        *error = (ossa_error){.code = why.is_limit ? OSSA_CODE_LIMIT : OSSA_CODE_IO};
        (void)snprintf(error->message, sizeof error->message, "%s", why.text);
        return false;
    }
    *data = loaded->bytes.data;
    *size = loaded->bytes.size;
    return true;
}

bool load(const struct cli *cli, const char *path, const ossa_options *options,
          struct loaded *loaded, ossa_error *error)
{
    ossa_options named = *options;
    *loaded = (struct loaded){0};
    if (strcmp(path, "-") != 0) named.name = path;
    if (named.max_input == 0) named.max_input = DEFAULT_MAX_INPUT;
    struct place place = find_place(cli, path, error);
    switch (place.kind) {
    case PLACE_FILE: return load_file(path, &named, loaded, error);
    case PLACE_ENTRY: return load_entry(place.archive, place.entry, &named, loaded, error);
    case PLACE_NO_ENTRY: (void)fail_entry(&place, error); return tell_failure(&named, error);
    case PLACE_FAILED: return tell_failure(&named, error);
    }
    return false;
}

void unload(struct loaded *loaded)
{
    ossa_file_free(loaded->file);
    close_file(loaded);
    os_free_bytes(&loaded->bytes);
    ossa_bytes_free(&loaded->entry);
    loaded->file = NULL;
}

bool is_stray(const struct input *input, const ossa_error *error)
{
    bool is_unknown = error->code == OSSA_CODE_UNKNOWN_FORMAT ||
                      error->code == OSSA_CODE_EMPTY_FILE ||
                      error->code == OSSA_CODE_AMBIGUOUS_FORMAT;
    if (input->named || !is_unknown) return false;
    for (size_t i = 0; i < ossa_format_count(); i++) {
        const ossa_format *format = ossa_format_at(i);
        /* Anybody's table ends in .csv, our own among them. */
        if (strcmp(format->id, "mm-csv") == 0) continue;
        if (ossa_format_fits_name(format, input->path)) return false;
    }
    return true;
}
