/* SPDX-License-Identifier: MIT
 *
 * From the words of a call to files in memory. */
#include "cli.h"

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
            add_input(&maker, path, true);
        }
    }
    if (!maker.out_of_memory) return true;
    complain("no memory for the list of files");
    free_inputs(list);
    return false;
}

void free_inputs(struct input_list *list)
{
    for (size_t i = 0; i < list->count; i++) free(list->items[i].path);
    free(list->items);
    *list = (struct input_list){0};
}

bool load(const char *path, const ossa_options *options, struct loaded *loaded, ossa_error *error)
{
    const uint64_t default_limit = UINT64_C(256) << 20; /* as in ossa/file.h */
    ossa_options named = *options;
    struct os_why why;
    *loaded = (struct loaded){0};
    if (strcmp(path, "-") != 0) named.name = path;
    if (named.max_input == 0) named.max_input = default_limit;
    if (!os_read_file(path, named.max_input, &loaded->bytes, &why)) {
        *error = (ossa_error){.code = why.is_limit ? OSSA_LIMIT : OSSA_IO};
        (void)snprintf(error->message, sizeof error->message, "%s", why.text);
        if (options->on_issue != NULL) {
            ossa_issue issue = {.severity = OSSA_UNREADABLE,
                                .code = error->code,
                                .format = "",
                                .field = "",
                                .message = error->message};
            options->on_issue(options->user, &issue);
        }
        return false;
    }
    loaded->file = ossa_read(loaded->bytes.data, loaded->bytes.size, &named, error);
    if (loaded->file == NULL) os_free_bytes(&loaded->bytes);
    return loaded->file != NULL;
}

void unload(struct loaded *loaded)
{
    ossa_file_free(loaded->file);
    os_free_bytes(&loaded->bytes);
    loaded->file = NULL;
}

bool is_stray(const struct input *input, const ossa_error *error)
{
    bool is_unknown = error->code == OSSA_UNKNOWN_FORMAT || error->code == OSSA_EMPTY_FILE ||
                      error->code == OSSA_AMBIGUOUS_FORMAT;
    if (input->named || !is_unknown) return false;
    for (size_t i = 0; i < ossa_format_count(); i++) {
        const ossa_format *format = ossa_format_at(i);
        /* Anybody's table ends in .csv, our own among them. */
        if (strcmp(format->id, "mm-csv") == 0) continue;
        if (ossa_format_fits_name(format, input->path)) return false;
    }
    return true;
}
