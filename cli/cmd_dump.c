/* SPDX-License-Identifier: MIT
 *
 * ossa dump: files as lossless JSON. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

static char *add_json(const char *input)
{
    return format_text("%s.json", strcmp(input, "-") == 0 ? "stdin" : input);
}

/* Dump one input into an open output. False after a message, or if the output fails: closing it
 * reports that. */
static bool dump_one(const struct cli *cli, const char *path, struct os_output *output)
{
    ossa_error error;
    ossa_file *file = ossa_workspace_open(cli->workspace, path, &cli->read, &error);
    bool ok = file != NULL;
    if (ok) {
        complain_issues(path, file);
        ok = ossa_dump(file, cli->pretty ? OSSA_JSON_STYLE_PRETTY : OSSA_JSON_STYLE_LINE,
                       output_sink(output), &error);
    }
    if (!ok && output->problem == 0) complain_error(path, &error);
    ossa_file_free(file);
    return ok;
}

/* One file per input. */
static int dump_to_folder(const struct cli *cli, const struct destination *destination)
{
    int status = EXIT_FINE;
    for (size_t i = 0; i < cli->input_count; i++) {
        const char *target = destination->names.items[i];
        struct os_output output;
        bool ok = open_output_in(&output, destination->folder, target) &&
                  close_output(&output, target, dump_one(cli, cli->inputs[i], &output));
        if (!ok) status = EXIT_BAD_DATA;
    }
    return status;
}

/* All into one stream, one document per line. */
static int dump_to_stream(const struct cli *cli, const char *path)
{
    int status = EXIT_FINE;
    size_t dumped = 0;
    struct os_output output;
    if (!open_output(&output, path)) return EXIT_BAD_DATA;
    for (size_t i = 0; i < cli->input_count && output.problem == 0; i++) {
        if (dump_one(cli, cli->inputs[i], &output)) dumped++;
        else status = EXIT_BAD_DATA;
    }
    if (!close_output(&output, path, dumped > 0)) status = EXIT_BAD_DATA;
    return status;
}

static int run(struct cli *cli)
{
    struct destination destination;
    int status = plan_output(cli, add_json, &kind_ossa_json, &destination);
    if (status != EXIT_FINE) return status;
    status = destination.is_folder ? dump_to_folder(cli, &destination)
                                   : dump_to_stream(cli, destination.path);
    free_destination(&destination);
    return status;
}

const struct verb verb_dump = {
    .name = "dump",
    .summary = "convert files to lossless JSON",
    .inputs = "[OPTIONS] FILE...",
    .details =
        "The JSON contains everything in the file, including unknown fields; `ossa build` turns\n"
        "it back into the same bytes. Several inputs give one document per line, or with\n"
        "-o FOLDER/ one file per input.",
    .example = "ossa dump walk.anm -o walk.anm.json\n  ossa dump *.anb -o json/",
    .needs_input = true,
    .expands = true,
    .run = run,
};
