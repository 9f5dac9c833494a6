/* SPDX-License-Identifier: MIT
 *
 * ossa formats: the table of formats. */
#include "cli.h"

#include <string.h>

/* In the order of ossa_ability. */
static const char *const abilities[] = {"read", "write", "dump", "build",
                                        "pose", "list",  "pack", "repaint"};
enum { ABILITIES = sizeof abilities / sizeof abilities[0] };

static void print_json(void)
{
    struct ossa__json json;
    json_begin(&json);
    ossa__json_begin_array(&json);
    for (size_t i = 0; i < ossa_format_count(); i++) {
        const ossa_format *format = ossa_format_at(i);
        ossa__json_begin_object(&json);
        ossa__member_text(&json, "id", format->id);
        ossa__member_text(&json, "title", format->title);
        ossa__member_text(&json, "game", format->game);
        ossa__member_text(&json, "kind", ossa_kind_name(format->kind));
        ossa__member_text(&json, "extensions", format->extensions);
        for (int a = 0; a < ABILITIES; a++) {
            ossa__member_bool(&json, abilities[a], ossa_format_can(format, (ossa_ability)a));
        }
        ossa__json_end_object(&json);
    }
    ossa__json_end_array(&json);
    (void)json_end(&json);
}

static void print_table(bool markdown)
{
    const char *row = markdown ? "| %s | %s | %s | %s | %s |\n" : "%-9s %-33s %-37s %-10s %s\n";
    (void)printf(row, "id", "what", "game", "extensions", "can");
    if (markdown) (void)printf("| --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < ossa_format_count(); i++) {
        const ossa_format *format = ossa_format_at(i);
        char can[64] = ""; /* "read write dump build" */
        size_t used = 0;
        for (int a = 0; a < ABILITIES; a++) {
            if (!ossa_format_can(format, (ossa_ability)a)) continue;
            (void)snprintf(can + used, sizeof can - used, "%s%s", used > 0 ? " " : "",
                           abilities[a]);
            used = strlen(can);
        }
        (void)printf(row, format->id, format->title, format->game, format->extensions, can);
    }
}

static int run(struct cli *cli)
{
    if (cli->input_count > 0) {
        complain("formats takes no input");
        return EXIT_BAD_CALL;
    }
    if (cli->json) print_json();
    else print_table(cli->markdown);
    return EXIT_FINE;
}

const struct verb verb_formats = {
    .name = "formats",
    .summary = "list the supported formats",
    .inputs = "[OPTIONS]",
    .details = "Lists each format with its id, for --format, its game, its extensions and what "
               "Ossa can do.",
    .example = "ossa formats",
    .run = run,
};
