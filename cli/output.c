/* SPDX-License-Identifier: MIT
 *
 * Where results go. */
#include "cli.h"

#include "base/fold.h"
#include "names.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static bool write_stdout(void *user, const void *bytes, size_t size)
{
    (void)user;
    return fwrite(bytes, 1, size, stdout) == size;
}

ossa_sink stdout_sink(void)
{
    return (ossa_sink){.write = write_stdout};
}

ossa_sink output_sink(struct os_output *output)
{
    return (ossa_sink){os_write_output, output};
}

static atomic_uint is_full; /* exchanging a byte needs a library on RISC-V */

bool disk_is_full(void)
{
    return is_full;
}

bool complain_output(const char *path, const struct os_why *why)
{
    if (!why->is_full || !atomic_exchange(&is_full, true)) complain("%s: %s", path, why->text);
    return false;
}

bool open_output(struct os_output *output, const char *path)
{
    struct os_why why;
    return os_open_output(output, path, &why) || complain_output(path, &why);
}

bool open_output_in(struct os_output *output, const struct os_folder *folder, const char *path)
{
    struct os_why why;
    if (folder == NULL) return open_output(output, path);
    return os_open_output_below(output, folder, os_base_name(path), &why) ||
           complain_output(path, &why);
}

bool close_output(struct os_output *output, const char *path, bool ok)
{
    struct os_why why;
    if (!ok && output->problem == 0) {
        os_discard_output(output);
        return false;
    }
    if (os_commit_output(output, &why)) return ok; /* main reports failures of standard output */
    return complain_output(path, &why);
}

struct os_folder *open_folder(const char *path)
{
    struct os_why why;
    struct os_folder *folder = os_open_folder(path, &why);
    if (folder == NULL) complain("%s: %s", path, why.text);
    return folder;
}

bool refuse_terminal(const char *path)
{
    bool refused = strcmp(path, "-") == 0 && os_is_terminal(stdout);
    if (refused) complain("the output is binary and would go to the terminal; use -o FILE");
    return refused;
}

bool overwrites_input(const struct cli *cli, const char *path)
{
    bool overwrites = is_noted(cli, path);
    if (overwrites) complain("%s would overwrite an input", path);
    return overwrites;
}

/* ---- files that are there ------------------------------------------------------------------- */

const struct output_kind kind_ossa_json = {"JSON of Ossa", .start = "{", .word = "\"ossa\""};

static ossa_step note_format(void *user, const ossa_visit *visit)
{
    const ossa_format **format = user;
    *format = visit->format;
    return OSSA_STEP_STOP;
}

static const ossa_format *format_of(const struct cli *cli, const char *path)
{
    const ossa_format *format = NULL;
    const ossa_walk_options walk = {
        .detail = OSSA_DETAIL_FORMATS, .visit = note_format, .user = &format};
    (void)ossa_workspace_walk(cli->workspace, path, &walk, NULL);
    return format;
}

struct search {
    const char *text;
    char *pending; /* the last bytes, fewer than the text has: it may begin there */
    size_t size;
    bool is_found;
};

/* False ends the search. */
static bool search_next(void *user, const void *bytes, size_t size)
{
    struct search *search = user;
    const size_t wanted = strlen(search->text);
    size_t all = search->size + size;
    char *chunk = allocate(all, 1);
    memcpy(chunk, search->pending, search->size);
    memcpy(chunk + search->size, bytes, size);
    for (const char *c = chunk; !search->is_found && (size_t)(c - chunk) + wanted <= all; c++) {
        c = memchr(c, search->text[0], all - wanted + 1 - (size_t)(c - chunk));
        if (c == NULL) break;
        search->is_found = memcmp(c, search->text, wanted) == 0;
    }
    search->size = all < wanted ? all : wanted - 1;
    memcpy(search->pending, chunk + all - search->size, search->size);
    free(chunk);
    return !search->is_found;
}

/* Is a text anywhere in a file? */
static bool has_text(const char *path, const char *text)
{
    struct os_why why;
    struct search search = {.text = text, .pending = allocate(strlen(text), 1)};
    (void)os_copy_file(path, (ossa_sink){search_next, &search}, &why);
    free(search.pending);
    return search.is_found;
}

bool is_of_kind(const struct cli *cli, const char *path, const struct output_kind *kind)
{
    char bytes[512] = "";
    if (kind->format != NULL) return format_of(cli, path) == kind->format;
    /* A NUL ends the text, which is fine: neither the start nor the word has one. */
    size_t size = os_read_start(path, bytes, sizeof bytes - 1);
    size_t start = strlen(kind->start);
    return size >= start && memcmp(bytes, kind->start, start) == 0 &&
           (kind->word == NULL || strstr(bytes, kind->word) != NULL) &&
           (kind->far == NULL || has_text(path, kind->far));
}

bool may_replace(const struct cli *cli, const char *path, const struct output_kind *kind)
{
    char byte;
    bool is_empty = os_read_start(path, &byte, 1) == 0; /* or not a file */
    if (cli->force || is_empty || is_of_kind(cli, path, kind)) return true;
    const ossa_format *format = format_of(cli, path);
    complain("%s exists and is not %s%s%s; --force overwrites it", path, kind->name,
             format == NULL ? "" : " but ", format == NULL ? "" : format->id);
    return false;
}

/* ---- several inputs ------------------------------------------------------------------------ */

/* Can the files be written, each one for itself? Otherwise a message. */
static bool check_names(const struct cli *cli, const struct output_kind *kind,
                        const struct texts *files)
{
    struct names used = {0};
    bool ok = true;
    for (size_t i = 0; i < files->count && ok; i++) {
        const char *path = files->items[i];
        bool is_new = names_add(&used, ossa__hash_bytes(path, strlen(path)));
        if (!is_new) complain("two inputs would be written to %s", path);
        ok = is_new && !overwrites_input(cli, path) &&
             (kind == NULL || may_replace(cli, path, kind));
    }
    names_free(&used);
    return ok;
}

int plan_output(struct cli *cli, char *(*name_of)(const char *input),
                const struct output_kind *kind, struct destination *destination)
{
    const char *path = cli->output == NULL ? "-" : cli->output;
    bool is_folder =
        strcmp(path, "-") != 0 && (os_base_name(path)[0] == '\0' || os_is_folder(path));
    *destination = (struct destination){.path = path, .is_folder = is_folder};
    for (size_t i = 0; i < cli->input_count; i++) note_file(cli, cli->inputs[i]);
    if (!is_folder) {
        bool ok = !overwrites_input(cli, path) && (kind == NULL || may_replace(cli, path, kind));
        return ok ? EXIT_FINE : EXIT_BAD_CALL;
    }
    for (size_t i = 0; i < cli->input_count; i++) {
        char *name = name_of(os_base_name(cli->inputs[i]));
        texts_add(&destination->names, path_in(path, name));
        free(name);
    }
    bool ok = check_names(cli, kind, &destination->names);
    if (ok) destination->folder = open_folder(path);
    if (destination->folder != NULL) return EXIT_FINE;
    texts_free(&destination->names);
    return ok ? EXIT_BAD_DATA : EXIT_BAD_CALL;
}

void free_destination(struct destination *destination)
{
    os_close_folder(destination->folder);
    texts_free(&destination->names);
}
