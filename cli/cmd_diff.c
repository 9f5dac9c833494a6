/* SPDX-License-Identifier: MIT
 *
 * ossa diff: what differs between two files, figures, folders or archives. */
#include "diff_print.h"
#include "manifest.h"

#include <string.h>

enum {
    EXIT_SAME = 0,
    EXIT_DIFFERENT = 1,
    EXIT_TROUBLE = 2, /* as in diff(1): wrong usage, or something cannot be compared */
};

static void on_error(void *user, const ossa_error *error)
{
    (void)user;
    complain_error(error->path, error);
}

/* Git compares a file that is new or gone with this one. */
static const char *path_or_nothing(const char *word)
{
    return strcmp(word, "/dev/null") == 0 ? NULL : word;
}

static int run(struct cli *cli)
{
    struct diff_text text = {0};
    struct diff_json json = {0};
    ossa_diff diff;
    ossa_error error;
    if (cli->input_count != 2) {
        complain("diff compares two inputs: ossa diff A B");
        return EXIT_TROUBLE;
    }
    ossa_diff_options options = cli->json ? diff_json_options(&json) : diff_text_options(&text);
    options.on_error = on_error;
    options.ignored_name = MANIFEST_NAME;
    bool ok = ossa_workspace_diff(cli->workspace, path_or_nothing(cli->inputs[0]),
                                  path_or_nothing(cli->inputs[1]), &options, &diff, &error);
    if (cli->json) diff_json_end(&json, ok ? &diff : NULL);
    else diff_text_end(&text, ok ? &diff : NULL);
    if (!ok) complain_error(error.path, &error);
    else if (diff.is_figures_only) {
        complain("no file has the same path in both: only bones and clips are compared");
    }
    /* Not "different" because a disk is full. */
    if (!ok || diff.error_count > 0 || fflush(stdout) != 0) return EXIT_TROUBLE;
    return diff.is_same ? EXIT_SAME : EXIT_DIFFERENT;
}

const struct verb verb_diff = {
    .name = "diff",
    .summary = "show what differs between two files, figures or archives",
    .inputs = "[OPTIONS] A B",
    .details =
        "Compares two files field by field, and the files of two folders, archives or figures by\n"
        "their paths: ~ differs, - is only in A, + is only in B. An archive can be compared with\n"
        "a folder that was extracted from it. For clips, the worst difference of a bone is shown.\n"
        "Exits with 0 if both are the same, 1 if they differ, 2 if something cannot be compared.",
    .example = "ossa diff walk.anm edited/walk.anm\n  ossa diff figures.res new/figures.res\n"
               "  ossa diff figures.res#unmotr out/",
    .run = run,
};
