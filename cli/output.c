/* SPDX-License-Identifier: MIT
 *
 * Where results go. */
#include "cli.h"

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

void free_texts(char **texts, size_t count)
{
    for (size_t i = 0; texts != NULL && i < count; i++) free(texts[i]);
    free(texts);
}

char *path_in(const char *folder, const char *name)
{
    size_t a = strlen(folder);
    while (a > 1 && folder[a - 1] == '/') a--;
    size_t size = a + strlen(name) + 2;
    char *path = malloc(size);
    if (path != NULL) (void)snprintf(path, size, "%.*s/%s", (int)a, folder, name);
    return path;
}

bool open_output(struct os_output *output, const char *path)
{
    struct os_why why;
    if (os_open_output(output, path, &why)) return true;
    complain("%s: %s", path, why.text);
    return false;
}

bool close_output(struct os_output *output, const char *path, bool ok)
{
    struct os_why why;
    if (!ok) {
        os_discard_output(output);
        return false;
    }
    if (os_commit_output(output, &why)) return true;
    complain("%s: %s", path, why.text);
    return false;
}

/* ---- several inputs ------------------------------------------------------------------------ */

static int compare_strings(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A name that two inputs would be written to; NULL if there is none. */
static const char *find_twice(char *const *names, size_t count)
{
    char **sorted = malloc(count * sizeof *sorted);
    if (sorted == NULL) return "(out of memory)";
    memcpy(sorted, names, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_strings);
    const char *twice = NULL;
    for (size_t i = 1; i < count && twice == NULL; i++) {
        if (strcmp(sorted[i - 1], sorted[i]) == 0) twice = sorted[i];
    }
    free(sorted);
    return twice;
}

static int compare_files(const void *a, const void *b)
{
    const struct os_file_id *x = a;
    const struct os_file_id *y = b;
    if (x->device != y->device) return x->device < y->device ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Would an output overwrite an input, its own or another's? */
static bool overwrites_input(const struct cli *cli, const struct destination *destination)
{
    struct os_file_id *inputs = calloc(cli->input_count, sizeof *inputs);
    size_t count = 0;
    if (inputs == NULL) {
        complain("out of memory for the list of files");
        return true;
    }
    for (size_t i = 0; i < cli->input_count; i++) {
        if (os_identify(cli->inputs[i], &inputs[count])) count++;
    }
    qsort(inputs, count, sizeof *inputs, compare_files);
    bool overwrites = false;
    size_t outputs = destination->is_folder ? cli->input_count : 1;
    for (size_t i = 0; i < outputs && !overwrites; i++) {
        const char *target = destination->is_folder ? destination->names[i] : destination->path;
        struct os_file_id id;
        if (!os_identify(target, &id)) continue;
        overwrites = bsearch(&id, inputs, count, sizeof id, compare_files) != NULL;
        if (overwrites) complain("%s would overwrite an input", target);
    }
    free(inputs);
    return overwrites;
}

int plan_output(const struct cli *cli, char *(*name_of)(const char *input),
                struct destination *destination)
{
    const char *path = cli->output == NULL ? "-" : cli->output;
    size_t size = strlen(path);
    *destination = (struct destination){.path = path};
    destination->is_folder =
        strcmp(path, "-") != 0 && (path[size - 1] == '/' || os_is_folder(path));
    if (!destination->is_folder) {
        return overwrites_input(cli, destination) ? EXIT_BAD_CALL : EXIT_FINE;
    }
    destination->names = calloc(cli->input_count, sizeof *destination->names);
    bool ok = destination->names != NULL;
    for (size_t i = 0; ok && i < cli->input_count; i++) {
        char *name = name_of(os_base_name(cli->inputs[i]));
        destination->names[i] = name == NULL ? NULL : path_in(path, name);
        ok = destination->names[i] != NULL;
        free(name);
    }
    int status = EXIT_FINE;
    struct os_why why;
    const char *twice = ok ? find_twice(destination->names, cli->input_count) : NULL;
    if (!ok) {
        complain("out of memory for the names of the outputs");
        status = EXIT_BAD_DATA;
    } else if (twice != NULL) {
        complain("two inputs would be written to %s", twice);
        status = EXIT_BAD_CALL;
    } else if (overwrites_input(cli, destination)) {
        status = EXIT_BAD_CALL;
    } else if (!os_make_folder(path, &why)) {
        complain("%s: %s", path, why.text);
        status = EXIT_BAD_DATA;
    }
    if (status != EXIT_FINE) free_destination(cli, destination);
    return status;
}

void free_destination(const struct cli *cli, struct destination *destination)
{
    free_texts(destination->names, cli->input_count);
    destination->names = NULL;
}
