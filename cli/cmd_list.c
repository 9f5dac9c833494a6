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

static void print_json(struct lister *lister, const ossa_visit *visit)
{
    struct ossa__json *json = &lister->json;
    ossa__json_begin_object(json);
    ossa__member_text(json, "entry", visit->path);
    ossa__member_text(json, "name", visit->name);
    ossa__json_key(json, "type");
    if (visit->format == NULL) ossa__json_null(json);
    else ossa__json_string(json, visit->format->id);
    ossa__member_uint(json, "size", visit->entry->size);
    ossa__member_uint(json, "offset", visit->entry->offset);
    ossa__member_bool(json, "packed", visit->entry->is_packed);
    ossa__json_key(json, "time");
    if (visit->entry->has_time) ossa__json_uint(json, visit->entry->time);
    else ossa__json_null(json);
    if (visit->own_name != NULL) ossa__member_text(json, "own_name", visit->own_name);
    ossa__json_end_object(json);
}

static void print_text(const struct lister *lister, const ossa_visit *visit)
{
    bool is_flat = lister->cli->flat;
    (void)printf("%-9s %10" PRIu64 "  ", visit->format == NULL ? "-" : visit->format->id,
                 visit->entry->size);
    for (unsigned i = lister->depth; i < visit->depth && !is_flat; i++) (void)printf("  ");
    print_plain(stdout, is_flat ? visit->path : visit->name);
    if (visit->is_archive && !is_flat) (void)printf("  (%zu inside)", visit->entry_count);
    if (visit->own_name != NULL) {
        (void)printf("  ");
        print_plain(stdout, visit->own_name);
    }
    (void)putchar('\n');
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
    lister->depth = visit->depth + 1;
    (void)snprintf(lister->title, sizeof lister->title, "%s", visit->title);
    return OSSA_STEP_INTO;
}

static ossa_step list_visit(void *user, const ossa_visit *visit)
{
    struct lister *lister = user;
    progress_hide(&lister->cli->search);
    if (visit->is_part) return OSSA_STEP_INTO; /* an archive around the input */
    if (visit->error != NULL) {
        complain_error(visit->path, visit->error);
        lister->failed = true;
    }
    if (visit->is_named) return begin_archive(lister, visit);
    if (visit->entry == NULL) return OSSA_STEP_OVER; /* a file in a folder */
    lister->entries++;
    if (visit->depth == lister->depth) lister->bytes += visit->entry->size;
    if (lister->cli->json) print_json(lister, visit);
    else print_text(lister, visit);
    return OSSA_STEP_INTO;
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
    lister->entries = 0;
    lister->bytes = 0;
    lister->failed = false;
    if (!ossa_workspace_walk(cli->workspace, word, &walk, &error)) {
        complain_error(word, &error);
        lister->failed = true;
    }
    if (lister->title[0] != '\0' && !cli->json && !cli->quiet) {
        print_plain(stdout, shown_name(word));
        (void)printf(": %s, %zu entr%s, %" PRIu64 " bytes\n", lister->title, lister->entries,
                     lister->entries == 1 ? "y" : "ies", lister->bytes);
    }
    return !lister->failed;
}

int cmd_list(struct cli *cli)
{
    struct lister lister = {.cli = cli};
    int status = EXIT_FINE;
    ossa__json_start(&lister.json, stdout_sink(), OSSA_JSON_STYLE_LINE);
    if (cli->json) ossa__json_begin_array(&lister.json);
    for (size_t i = 0; i < cli->input_count; i++) {
        if (!list_one(&lister, cli->inputs[i])) status = EXIT_BAD_DATA;
    }
    if (cli->json) {
        ossa__json_end_array(&lister.json);
        ossa__json_raw(&lister.json, "\n");
        (void)ossa__json_finish(&lister.json);
    }
    return status;
}
