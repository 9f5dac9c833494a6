/* SPDX-License-Identifier: MIT
 *
 * ossa info: what a file is and holds. */
#include "info.h"
#include "scan.h"

#include <inttypes.h>

static const char *confidence_words(ossa_confidence confidence)
{
    switch (confidence) {
    case OSSA_CONFIDENCE_NONE: return "forced: it was named by --format";
    case OSSA_CONFIDENCE_NAMED: return "poor: nothing but the file's extension speaks for it";
    case OSSA_CONFIDENCE_DAMAGED: return "damaged: its signature is there, its structure is not";
    case OSSA_CONFIDENCE_EMPTY: return "weak: it fits, but holds nothing";
    case OSSA_CONFIDENCE_ARITHMETIC: return "fair: the counts use up exactly the file";
    case OSSA_CONFIDENCE_PLAUSIBLE:
        return "good: the counts use up exactly the file, the values look right";
    case OSSA_CONFIDENCE_SIGNATURE: return "certain: signature and structure";
    }
    return "";
}

static void print_issues(const ossa_file *file)
{
    enum { SHOWN = 10 };
    size_t total = file->error_count + file->warning_count;
    if (total == 0) return;
    (void)printf("  %-14s %zu error%s, %zu warning%s\n", "issues", file->error_count,
                 plural(file->error_count), file->warning_count, plural(file->warning_count));
    for (size_t i = 0; i < file->issue_count && i < SHOWN; i++) {
        char text[OSSA_MESSAGE_CAPACITY + OSSA_FIELD_CAPACITY + 64];
        const ossa_issue *issue = &file->issues[i];
        (void)ossa_issue_text(issue, text, sizeof text);
        (void)printf("    %s%s%s: ", severity_colour(stdout, &issue->severity),
                     ossa_severity_name(issue->severity), severity_colour(stdout, NULL));
        print_plain(stdout, text);
        (void)putchar('\n');
    }
    if (total > SHOWN) (void)printf("    and %zu more: `ossa check` lists all\n", total - SHOWN);
}

bool info_text(const ossa_file *file, const struct catalogue *catalogue, ossa_error *error)
{
    (void)printf("  %-14s %s (%s)\n", "what", file->format->title, file->format->id);
    (void)printf("  %-14s %s\n", "game", file->format->game);
    (void)printf("  %-14s %s\n", "how sure", confidence_words(file->confidence));
    (void)printf("  %-14s %" PRIu64 " bytes\n", "size", file->size);
    if (!ossa_describe(file, stdout_sink(), error)) return false;
    print_catalogue(catalogue);
    print_issues(file);
    return true;
}

bool info_json(const char *path, const ossa_file *file, const struct catalogue *catalogue,
               ossa_error *error)
{
    struct ossa__json json;
    ossa__json_start(&json, stdout_sink(), OSSA_JSON_STYLE_LINE);
    ossa__json_begin_object(&json);
    ossa__json_key(&json, "ossa");
    ossa__json_uint(&json, 1);
    ossa__json_key(&json, "file");
    ossa__json_string(&json, path);
    ossa__json_key(&json, "format");
    ossa__json_string(&json, file->format->id);
    ossa__json_key(&json, "title");
    ossa__json_string(&json, file->format->title);
    ossa__json_key(&json, "game");
    ossa__json_string(&json, file->format->game);
    ossa__json_key(&json, "kind");
    ossa__json_string(&json, ossa_kind_name(file->format->kind));
    ossa__json_key(&json, "confidence");
    ossa__json_string(&json, ossa_confidence_name(file->confidence));
    ossa__json_key(&json, "size");
    ossa__json_uint(&json, file->size);
    ossa__json_key(&json, "errors");
    ossa__json_uint(&json, file->error_count);
    ossa__json_key(&json, "warnings");
    ossa__json_uint(&json, file->warning_count);
    ossa__json_key(&json, "facts");
    (void)ossa__json_finish(&json); /* the library writes the facts on its own */
    if (!ossa_describe_json(file, OSSA_JSON_STYLE_LINE, stdout_sink(), error)) return false;
    if (catalogue->count > 0) {
        ossa__json_raw(&json, ",\"models\":");
        (void)ossa__json_finish(&json);
        struct ossa__json models;
        ossa__json_start(&models, stdout_sink(), OSSA_JSON_STYLE_LINE);
        catalogue_json(catalogue, &models);
        (void)ossa__json_finish(&models);
    }
    ossa__json_raw(&json, "}\n");
    return ossa__json_finish(&json);
}

/* Print what was loaded, and forget it. */
static bool print_loaded(const struct cli *cli, const char *path, struct loaded *loaded,
                         ossa_error *error)
{
    struct catalogue catalogue = {.count = 0};
    struct archive archive = {0};
    bool ok = true;
    if (ossa_format_can(loaded->file->format, OSSA_ABILITY_LIST)) {
        ok = open_loaded(cli, path, loaded, &archive, error);
        if (ok && !(index_entries(&archive) && make_catalogue(cli, &archive, &catalogue))) {
            *error = (ossa_error){.code = OSSA_CODE_OUT_OF_MEMORY,
                                  .message = "no memory for its models"};
            ok = false;
        }
    }
    const ossa_file *file = archive.file == NULL ? loaded->file : archive.file;
    if (ok && cli->json) {
        ok = info_json(path, file, &catalogue, error);
    } else if (ok) {
        print_plain(stdout, shown_name(path));
        (void)putchar('\n');
        ok = info_text(file, &catalogue, error);
    }
    free_catalogue(&catalogue);
    close_archive(&archive);
    unload(loaded);
    return ok;
}

int cmd_info(struct cli *cli)
{
    struct input_list list;
    if (!list_inputs(cli, true, &list)) return EXIT_BAD_DATA;
    ossa_options options = cli->read;
    options.check_values = true;
    int status = list.failed ? EXIT_BAD_DATA : EXIT_FINE;
    size_t strays = 0;
    size_t shown = 0;
    for (size_t i = 0; i < list.count; i++) {
        const struct input *input = &list.items[i];
        struct loaded loaded;
        ossa_error error = {0};
        bool ok = load(cli, input->path, &options, &loaded, &error);
        if (!ok && is_stray(input, &error)) {
            strays++;
            continue;
        }
        if (ok && shown++ > 0 && !cli->json) (void)putchar('\n');
        if (ok) ok = print_loaded(cli, input->path, &loaded, &error);
        bool is_full = !ok && ferror(stdout) != 0;
        if (!ok && !is_full) complain_error(input->path, &error);
        if (!ok) hint_at_scan(input->path, &error);
        if (!ok) status = EXIT_BAD_DATA;
        if (is_full) break; /* main says so */
    }
    if (list.count == 0 && !list.failed) complain("there is no file in the folder");
    if (strays > 0) complain("%zu file%s of no known format passed over", strays, plural(strays));
    free_inputs(&list);
    return status;
}
