/* SPDX-License-Identifier: MIT
 *
 * ossa list: what is in an archive. */
#include "walk_archive.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct lister {
    const struct cli *cli;
    struct ossa__json json;
    unsigned depth;
    size_t entries;
    uint64_t bytes;
};

static const char *type_of(const struct visit *visit)
{
    return visit->format == NULL ? "-" : visit->format->id;
}

static void print_json(struct lister *lister, const struct visit *visit)
{
    struct ossa__json *json = &lister->json;
    ossa__json_begin_object(json);
    ossa__json_key(json, "entry");
    ossa__json_string(json, visit->word);
    ossa__json_key(json, "name");
    ossa__json_string(json, visit->entry->name);
    ossa__json_key(json, "type");
    if (visit->format == NULL) ossa__json_null(json);
    else ossa__json_string(json, visit->format->id);
    ossa__json_key(json, "size");
    ossa__json_uint(json, visit->entry->size);
    ossa__json_key(json, "offset");
    ossa__json_uint(json, visit->entry->offset);
    ossa__json_key(json, "packed");
    ossa__json_bool(json, visit->entry->is_packed);
    ossa__json_key(json, "time");
    if (visit->entry->has_time) ossa__json_uint(json, visit->entry->time);
    else ossa__json_null(json);
    if (visit->own_name != NULL) {
        ossa__json_key(json, "own_name");
        ossa__json_string(json, visit->own_name);
    }
    ossa__json_end_object(json);
}

static bool print_entry(void *user, const struct visit *visit)
{
    struct lister *lister = user;
    lister->entries++;
    if (lister->depth == 0) lister->bytes += visit->entry->size;
    if (lister->cli->json) {
        print_json(lister, visit);
    } else {
        (void)printf("%-9s %10" PRIu64 "  ", type_of(visit), visit->entry->size);
        for (unsigned i = 0; i < lister->depth && !lister->cli->flat; i++) (void)printf("  ");
        print_plain(stdout, lister->cli->flat ? visit->word : visit->entry->name);
        if (visit->is_archive && !lister->cli->flat) {
            (void)printf("  (%zu inside)", visit->inside);
        }
        if (visit->own_name != NULL) {
            (void)printf("  ");
            print_plain(stdout, visit->own_name);
        }
        (void)putchar('\n');
    }
    if (visit->is_archive && (lister->cli->tree || lister->cli->flat)) lister->depth++;
    return true;
}

static void leave_archive(void *user, const struct visit *visit)
{
    struct lister *lister = user;
    (void)visit;
    lister->depth--;
}

static bool list_one(struct lister *lister, const char *word)
{
    struct archive opened;
    const struct archive *archive = open_word(lister->cli, word, &opened);
    if (archive == NULL) return false;
    struct archive_walk walk = {.cli = lister->cli,
                                .deep = lister->cli->tree || lister->cli->flat,
                                .quick = true,
                                .visit = print_entry,
                                .leave = leave_archive,
                                .user = lister};
    lister->entries = 0;
    lister->bytes = 0;
    walk_archive(&walk, archive);
    if (!lister->cli->json && !lister->cli->quiet) {
        print_plain(stdout, shown_name(word));
        (void)printf(": %s, %zu entr%s, %" PRIu64 " bytes\n", archive_title(archive),
                     lister->entries, lister->entries == 1 ? "y" : "ies", lister->bytes);
    }
    close_archive(&opened);
    return !walk.failed;
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
