/* SPDX-License-Identifier: MIT
 *
 * ossa build: the JSON of dump back into a file. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* a.anm.json becomes a.anm; a name without .json gets .out, so that no input is overwritten. */
static char *drop_json(const char *input)
{
    const char *stem = strcmp(input, "-") == 0 ? "stdin" : input;
    size_t size = strlen(stem);
    bool has_json = size > 5 && strcmp(stem + size - 5, ".json") == 0;
    char *name = malloc(size + sizeof ".out");
    if (name == NULL) return NULL;
    if (has_json) (void)snprintf(name, size + 1, "%.*s", (int)(size - 5), stem);
    else (void)snprintf(name, size + sizeof ".out", "%s.out", stem);
    return name;
}

static bool write_file(const ossa_file *file, const char *path)
{
    struct os_output output;
    ossa_error error;
    if (!open_output(&output, path)) return false;
    bool ok = ossa_write(file, (ossa_sink){os_write_output, &output}, &error);
    if (!ok && error.code == OSSA_CODE_IO) ok = true; /* closing reports why */
    else if (!ok) complain_error(path, &error);
    return close_output(&output, path, ok);
}

static bool build_one(const struct cli *cli, const char *path, const char *target)
{
    ossa_bytes json;
    ossa_error error;
    if (!ossa_workspace_bytes(cli->workspace, path, &json, &error)) {
        complain_error(path, &error);
        return false;
    }
    ossa_file *file = ossa_build((const char *)json.data, json.size, &cli->read, &error);
    bool ok = file != NULL;
    if (!ok) {
        complain_error(path, &error);
    } else if (cli->read.strict && file->error_count > 0) {
        complain_issues(path, file);
        ok = false;
    } else {
        complain_issues(path, file);
        ok = write_file(file, target);
    }
    ossa_file_free(file);
    ossa_bytes_free(&json);
    return ok;
}

int cmd_build(struct cli *cli)
{
    struct destination destination;
    int status = plan_output(cli, drop_json, &destination);
    if (status != EXIT_FINE) return status;
    if (!destination.is_folder && cli->input_count > 1) {
        complain("several inputs need an output folder: -o FOLDER/");
        return EXIT_BAD_CALL;
    }
    if (strcmp(destination.path, "-") == 0 && os_is_terminal(stdout)) {
        complain("the output is binary and would go to the terminal; use -o FILE");
        return EXIT_BAD_CALL;
    }
    for (size_t i = 0; i < cli->input_count; i++) {
        const char *target = destination.is_folder ? destination.names[i] : destination.path;
        if (!build_one(cli, cli->inputs[i], target)) status = EXIT_BAD_DATA;
    }
    free_destination(cli, &destination);
    return status;
}
