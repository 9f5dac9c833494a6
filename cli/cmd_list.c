/* SPDX-License-Identifier: MIT
 *
 * ossa list: what is in an archive. */
#include "cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct lister {
    struct cli *cli;
    struct ossa__json json;
    unsigned depth; /* of the entries of the archive itself */
    char title[96]; /* of the archive; "": it is not an archive */
    size_t entries;
    uint64_t bytes;
    bool failed;
};

static uint64_t size_of(const ossa_visit *visit)
{
    return visit->entry == NULL ? visit->size : visit->entry->size;
}

static void print_json(struct lister *lister, const ossa_visit *visit)
{
    struct ossa__json *json = &lister->json;
    ossa__json_begin_object(json);
    ossa__member_text(json, "entry", visit->path);
    ossa__member_text(json, "name", visit->name);
    json_member(json, "type", visit->format == NULL ? NULL : visit->format->id);
    const ossa_entry *entry = visit->entry; /* NULL: a file in a folder */
    ossa__member_uint(json, "size", size_of(visit));
    ossa__member_uint(json, "offset", entry == NULL ? 0 : entry->offset);
    ossa__member_bool(json, "packed", entry != NULL && entry->is_packed);
    ossa__json_key(json, "time");
    if (entry != NULL && entry->has_time) ossa__json_uint(json, entry->time);
    else ossa__json_null(json);
    if (visit->own_name != NULL) ossa__member_text(json, "own_name", visit->own_name);
    ossa__json_end_object(json);
}

static void print_text(const struct lister *lister, const ossa_visit *visit)
{
    bool is_flat = lister->cli->flat;
    char inside[48] = "";
    if (visit->is_archive && !is_flat) {
        (void)snprintf(inside, sizeof inside, "  (%zu inside)", visit->entry_count);
    }
    if (visit->is_continuation) (void)snprintf(inside, sizeof inside, "  (continuation)");
    print_line("%-9s %10" PRIu64 "  %*s%s%s%s%s", visit->format == NULL ? "-" : visit->format->id,
               size_of(visit), is_flat ? 0 : 2 * (int)(visit->depth - lister->depth), "",
               is_flat ? visit->path : visit->name, inside, visit->own_name == NULL ? "" : "  ",
               visit->own_name == NULL ? "" : visit->own_name);
}

/* The input itself is not listed, but it must be an archive. */
static ossa_step begin_archive(struct lister *lister, const ossa_visit *visit)
{
    if (visit->error != NULL) return OSSA_STEP_OVER;
    if (!visit->is_archive) {
        complain_not_archive(visit->path, visit->format);
        lister->failed = true;
        return OSSA_STEP_OVER;
    }
    if (visit->file != NULL) complain_issues(visit->path, visit->file);
    if (visit->image != NULL) complain_issues(visit->path, visit->image);
    lister->depth = visit->depth + 1;
    (void)snprintf(lister->title, sizeof lister->title, "%s", visit->title);
    return OSSA_STEP_INTO;
}

static ossa_step list_visit(void *user, const ossa_visit *visit)
{
    struct lister *lister = user;
    progress_hide(&lister->cli->search);
    if (visit->is_part) return OSSA_STEP_INTO; /* an archive around the input */
    if (visit->error != NULL && !visit->is_stray) {
        complain_error(visit->path, visit->error);
        lister->failed = true;
    }
    if (visit->is_named) return begin_archive(lister, visit);
    if (visit->entry == NULL) {
        /* Of files in a folder, those that nobody knows are left out, and parts of others. */
        (void)snprintf(lister->title, sizeof lister->title, "folder");
        if (visit->format == NULL) return OSSA_STEP_OVER;
    }
    lister->entries++;
    if (visit->depth == lister->depth) lister->bytes += size_of(visit);
    if (lister->cli->json) print_json(lister, visit);
    else print_text(lister, visit);
    bool is_deep = lister->cli->tree || lister->cli->flat;
    return visit->entry == NULL && !is_deep ? OSSA_STEP_OVER : OSSA_STEP_INTO;
}

static bool list_one(struct lister *lister, const char *word)
{
    ossa_error error;
    struct cli *cli = lister->cli;
    const ossa_walk_options walk = {.detail = OSSA_DETAIL_FORMATS,
                                    .deep = cli->tree || cli->flat,
                                    .search = true,
                                    .read = &cli->read,
                                    .visit = list_visit,
                                    .user = lister};
    lister->title[0] = '\0';
    lister->depth = 0;
    lister->entries = 0;
    lister->bytes = 0;
    lister->failed = false;
    if (!ossa_workspace_walk(cli->workspace, word, &walk, &error)) {
        complain_error(word, &error);
        lister->failed = true;
    }
    if (lister->title[0] != '\0' && !cli->json && !cli->quiet) {
        print_line("%s: %s, %zu entr%s, %" PRIu64 " bytes", shown_name(word), lister->title,
                   lister->entries, plural_y(lister->entries), lister->bytes);
    }
    return !lister->failed;
}

static int run(struct cli *cli)
{
    struct lister lister = {.cli = cli};
    int status = EXIT_FINE;
    json_begin(&lister.json);
    if (cli->json) ossa__json_begin_array(&lister.json);
    for (size_t i = 0; i < cli->input_count; i++) {
        const char *input = cli->inputs[i];
        bool ok = cli->figures ? print_figures_of(cli, input, cli->json ? &lister.json : NULL)
                               : list_one(&lister, input);
        if (!ok) status = EXIT_BAD_DATA;
    }
    if (cli->json) {
        ossa__json_end_array(&lister.json);
        (void)json_end(&lister.json);
    }
    return status;
}

const struct verb verb_list = {
    .name = "list",
    .summary = "list the contents of archives",
    .inputs = "[OPTIONS] ARCHIVE...",
    .details =
        "Lists the format, size and name of each entry. The format is detected from the\n"
        "bytes. --tree and --flat also list the archives inside. ARCHIVE may be an archive or\n"
        "a disc image (.iso, .bin, a CUE sheet), an entry of one, ARCHIVE#ENTRY, or a folder,\n"
        "of which the files of known formats are listed. A file or standard input of unknown\n"
        "format is searched for files of Shadow of the Colossus, such as those in NICO.DAT;\n"
        "NICO.DAT#0x12800 is the file at that offset.\n"
        "--figures lists figures instead, also those of folders, with what they are made of.",
    .example = "ossa list figures.res\n  ossa list figures.res#unmotr.anm --tree\n"
               "  ossa list GAME.CUE\n  ossa list SOTC.iso#NICO.DAT --index sotc.index\n"
               "  ossa list --json figures.res | jq '.[].name'\n"
               "  ossa list --figures game/",
    .needs_input = true,
    .expands = true,
    .run = run,
};
