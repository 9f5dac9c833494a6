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
    return has_json ? format_text("%.*s", (int)size - 5, stem) : format_text("%s.out", stem);
}

static int write_file(const struct cli *cli, const ossa_file *file, const struct os_folder *folder,
                      const char *path)
{
    const struct output_kind kind = {file->format->id, .format = file->format};
    struct os_output output;
    ossa_error error;
    /* Of several files, the others are built: that is no wrong call. */
    if (!may_replace(cli, path, &kind)) return folder == NULL ? EXIT_BAD_CALL : EXIT_BAD_DATA;
    if (!open_output_in(&output, folder, path)) return EXIT_BAD_DATA;
    bool ok = ossa_write(file, output_sink(&output), &error);
    if (!ok && output.problem == 0) complain_error(path, &error);
    return close_output(&output, path, ok) ? EXIT_FINE : EXIT_BAD_DATA;
}

static int build_one(const struct cli *cli, const char *path, const struct os_folder *folder,
                     const char *target)
{
    ossa_bytes json;
    ossa_error error;
    if (!ossa_workspace_bytes(cli->workspace, path, &json, &error)) {
        complain_error(path, &error);
        return EXIT_BAD_DATA;
    }
    ossa_file *file = ossa_build((const char *)json.data, json.size, &cli->read, &error);
    int status = EXIT_BAD_DATA;
    if (file != NULL) {
        complain_issues(path, file);
        bool is_refused = cli->read.strict && file->error_count > 0;
        if (!is_refused) status = write_file(cli, file, folder, target);
    } else {
        complain_error(path, &error);
    }
    ossa_file_free(file);
    ossa_bytes_free(&json);
    return status;
}

static int run(struct cli *cli)
{
    struct destination destination;
    int status = plan_output(cli, drop_json, NULL, &destination);
    if (status != EXIT_FINE) return status;
    if (!destination.is_folder && cli->input_count > 1) {
        complain("several inputs need an output folder: -o FOLDER/");
        return EXIT_BAD_CALL;
    }
    if (refuse_terminal(destination.path)) return EXIT_BAD_CALL;
    for (size_t i = 0; i < cli->input_count; i++) {
        const char *target = destination.is_folder ? destination.names.items[i] : destination.path;
        int one = build_one(cli, cli->inputs[i], destination.folder, target);
        if (one != EXIT_FINE) status = one;
    }
    free_destination(&destination);
    return status;
}

const struct verb verb_build = {
    .name = "build",
    .summary = "convert the JSON of dump back to files",
    .inputs = "[OPTIONS] JSON...",
    .details =
        "The inverse of dump, byte for byte. JSON that does not describe a valid file is\n"
        "refused with the path of the bad value. Several inputs need -o FOLDER/: a.anm.json\n"
        "becomes FOLDER/a.anm. `size` is only a hint, except for formats with `gaps`, where it\n"
        "is the size of the file.",
    .example =
        "ossa build walk.anm.json -o walk.anm\n  ossa dump a.anb | sed ... | ossa build - -o b.anb",
    .needs_input = true,
    .run = run,
};
