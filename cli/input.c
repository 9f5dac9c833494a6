/* SPDX-License-Identifier: MIT
 *
 * From the inputs on the command line to files. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* A list that is being filled. */
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

/* A folder that cannot be listed is kept as an input: opening it reports why. */
static ossa_step add_visit(void *user, const ossa_visit *visit)
{
    struct maker *maker = user;
    if (!visit->is_part) add_input(maker, visit->path, visit->is_named || visit->error != NULL);
    return maker->out_of_memory ? OSSA_STEP_STOP : OSSA_STEP_INTO;
}

/* The files of an input. One that leads nowhere stays: opening it reports why. */
static void add_word(const struct cli *cli, const char *word, struct maker *maker)
{
    const ossa_walk_options walk = {.detail = OSSA_DETAIL_NAMES, .visit = add_visit, .user = maker};
    size_t before = maker->list->count;
    if (strcmp(word, "-") == 0) { /* do not read it yet */
        add_input(maker, word, true);
        return;
    }
    bool ok = ossa_workspace_walk(cli->workspace, word, &walk, NULL);
    bool found_none = maker->list->count == before; /* cppcheck-suppress knownConditionTrueFalse */
    if (!ok && found_none) add_input(maker, word, true);
}

bool list_inputs(const struct cli *cli, bool enter_folders, struct input_list *list)
{
    *list = (struct input_list){0};
    struct maker maker = {.list = list};
    for (size_t i = 0; i < cli->input_count; i++) {
        const char *word = cli->inputs[i];
        if (!enter_folders && os_is_folder(word)) add_input(&maker, word, true);
        else add_word(cli, word, &maker);
    }
    if (!maker.out_of_memory) return true;
    complain("out of memory for the list of files");
    free_inputs(list);
    return false;
}

bool expand_inputs(struct cli *cli, struct input_list *list)
{
    if (!list_inputs(cli, false, list)) return false;
    char **inputs = calloc(list->count + 1, sizeof *inputs);
    if (inputs == NULL) {
        complain("out of memory for the list of files");
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

bool identify_file(const char *path, struct os_file_id *id)
{
    char *copy = strdup(path);
    bool found = copy != NULL && os_identify(copy, id);
    while (copy != NULL && !found) {
        char *mark = strrchr(copy, '#');
        if (mark == NULL) break;
        *mark = '\0';
        found = os_identify(copy, id);
    }
    free(copy);
    return found;
}

/* ---- the workspace ------------------------------------------------------------------------- */

/* The disk, and standard input as the file "-", which is read once, on demand. */

static bool read_stdin(struct cli *cli, ossa_error *error)
{
    struct standard_input *input = &cli->standard_input;
    struct os_why why;
    uint64_t limit = cli->read.max_input == 0 ? DEFAULT_MAX_INPUT : cli->read.max_input;
    if (!input->is_read) {
        input->is_read = true;
        if (!os_read_file("-", limit, &input->bytes, &why)) {
            input->error.code = why.is_limit ? OSSA_CODE_TOO_LARGE : OSSA_CODE_IO;
            (void)snprintf(input->error.message, sizeof input->error.message, "%s", why.text);
        }
    }
    *error = input->error;
    return error->code == OSSA_CODE_OK;
}

static void *open_file(void *user, const char *path, uint64_t *size, ossa_error *error)
{
    struct cli *cli = user;
    if (strcmp(path, "-") != 0) return cli->disk.open(cli->disk.user, path, size, error);
    os_lock(); /* threads may open it at the same time */
    bool ok = read_stdin(cli, error);
    os_unlock();
    *size = cli->standard_input.bytes.size;
    return ok ? &cli->standard_input : NULL;
}

static bool read_file(void *user, void *file, uint64_t offset, void *bytes, size_t size)
{
    struct cli *cli = user;
    if (file != &cli->standard_input) {
        return cli->disk.read_at(cli->disk.user, file, offset, bytes, size);
    }
    if (size > 0) memcpy(bytes, cli->standard_input.bytes.data + offset, size);
    return true;
}

static void close_file(void *user, void *file)
{
    const struct cli *cli = user;
    if (file != &cli->standard_input) cli->disk.close(cli->disk.user, file);
}

static bool on_progress(void *user, const ossa_progress *progress)
{
    enum { MEBIBYTE = 1 << 20 };
    struct cli *cli = user;
    if (progress->total < 4 * MEBIBYTE) return true; /* only searches take long */
    if (cli->search.total == 0) {
        progress_start(&cli->search, (size_t)(progress->total / MEBIBYTE));
        cli->search.unit = "MiB";
    }
    progress_set(&cli->search, (size_t)(progress->done / MEBIBYTE));
    return true;
}

bool open_workspace(struct cli *cli)
{
    cli->disk = ossa_disk_filesystem();
    const ossa_filesystem files = {.list = cli->disk.list,
                                   .open = open_file,
                                   .read_at = read_file,
                                   .close = close_file,
                                   .user = cli};
    const ossa_workspace_options options = {.filesystem = &files,
                                            .max_input = cli->read.max_input,
                                            .on_progress = on_progress,
                                            .user = cli};
    cli->workspace = ossa_workspace_new(&options, NULL);
    if (cli->workspace == NULL) complain("out of memory for the workspace");
    return cli->workspace != NULL;
}
