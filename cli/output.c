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

char *path_in(const char *folder, const char *name)
{
    size_t a = strlen(folder);
    while (a > 1 && folder[a - 1] == '/') a--;
    size_t size = a + strlen(name) + 2;
    char *path = malloc(size);
    if (path != NULL) (void)snprintf(path, size, "%.*s/%s", (int)a, folder, name);
    return path;
}

static int compare_strings(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Two inputs that would be written to one file; NULL when there are none. */
static const char *find_twice(char *const *names, size_t count)
{
    char **sorted = malloc(count * sizeof *sorted);
    if (sorted == NULL) return "(no memory)";
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

/* Would an output replace an input, its own or another's? What goes in is never lost to what comes
 * out. */
static bool replaces_input(const struct cli *cli, const struct destination *destination)
{
    struct os_file_id *inputs = calloc(cli->input_count, sizeof *inputs);
    size_t count = 0;
    if (inputs == NULL) {
        complain("no memory for the list of files");
        return true;
    }
    for (size_t i = 0; i < cli->input_count; i++) {
        if (os_identify(cli->inputs[i], &inputs[count])) count++;
    }
    qsort(inputs, count, sizeof *inputs, compare_files);
    bool replaces = false;
    size_t outputs = destination->is_folder ? cli->input_count : 1;
    for (size_t i = 0; i < outputs && !replaces; i++) {
        const char *target = destination->is_folder ? destination->names[i] : destination->path;
        struct os_file_id id;
        if (!os_identify(target, &id)) continue;
        replaces = bsearch(&id, inputs, count, sizeof id, compare_files) != NULL;
        if (replaces) complain("%s would replace an input", target);
    }
    free(inputs);
    return replaces;
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
        return replaces_input(cli, destination) ? EXIT_BAD_CALL : EXIT_FINE;
    }
    destination->names = calloc(cli->input_count, sizeof *destination->names);
    for (size_t i = 0; destination->names != NULL && i < cli->input_count; i++) {
        char *name = name_of(os_base_name(cli->inputs[i]));
        destination->names[i] = name == NULL ? NULL : path_in(path, name);
        free(name);
        if (destination->names[i] == NULL) {
            free_destination(cli, destination);
        }
    }
    if (destination->names == NULL) {
        complain("no memory for the names of the outputs");
        return EXIT_BAD_DATA;
    }
    int status = EXIT_FINE;
    struct os_why why;
    const char *twice = find_twice(destination->names, cli->input_count);
    if (twice != NULL) {
        complain("two inputs would be written to %s", twice);
        status = EXIT_BAD_CALL;
    } else if (replaces_input(cli, destination)) {
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
    if (destination->names == NULL) return;
    for (size_t i = 0; i < cli->input_count; i++) free(destination->names[i]);
    free(destination->names);
    destination->names = NULL;
}
