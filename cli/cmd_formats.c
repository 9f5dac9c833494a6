/* SPDX-License-Identifier: MIT
 *
 * ossa formats: the table of formats, from the library's own. */
#include "cli.h"

/* "read write dump build", whichever it can do. */
static void abilities(const ossa_format *format, char *text, size_t capacity)
{
    static const char *const names[] = {"read", "write", "dump", "build", "pose"};
    size_t used = 0;
    text[0] = '\0';
    for (int a = OSSA_ABILITY_READ; a <= OSSA_ABILITY_ASSEMBLE; a++) {
        if (!ossa_format_can(format, (ossa_ability)a)) continue;
        int n = snprintf(text + used, capacity - used, "%s%s", used > 0 ? " " : "", names[a]);
        if (n > 0) used += (size_t)n;
    }
}

static void print_json(void)
{
    struct ossa__json json;
    ossa__json_start(&json, stdout_sink(), OSSA_JSON_STYLE_LINE);
    ossa__json_begin_array(&json);
    for (size_t i = 0; i < ossa_format_count(); i++) {
        const ossa_format *format = ossa_format_at(i);
        ossa__json_begin_object(&json);
        ossa__json_key(&json, "id");
        ossa__json_string(&json, format->id);
        ossa__json_key(&json, "title");
        ossa__json_string(&json, format->title);
        ossa__json_key(&json, "game");
        ossa__json_string(&json, format->game);
        ossa__json_key(&json, "kind");
        ossa__json_string(&json, ossa_kind_name(format->kind));
        ossa__json_key(&json, "extensions");
        ossa__json_string(&json, format->extensions);
        ossa__json_key(&json, "read");
        ossa__json_bool(&json, ossa_format_can(format, OSSA_ABILITY_READ));
        ossa__json_key(&json, "write");
        ossa__json_bool(&json, ossa_format_can(format, OSSA_ABILITY_WRITE));
        ossa__json_key(&json, "dump");
        ossa__json_bool(&json, ossa_format_can(format, OSSA_ABILITY_DUMP));
        ossa__json_key(&json, "build");
        ossa__json_bool(&json, ossa_format_can(format, OSSA_ABILITY_BUILD));
        ossa__json_key(&json, "pose");
        ossa__json_bool(&json, ossa_format_can(format, OSSA_ABILITY_ASSEMBLE));
        ossa__json_end_object(&json);
    }
    ossa__json_end_array(&json);
    ossa__json_raw(&json, "\n");
    (void)ossa__json_finish(&json);
}

static void print_table(bool markdown)
{
    const char *row = markdown ? "| %s | %s | %s | %s | %s |\n" : "%-9s %-33s %-37s %-10s %s\n";
    (void)printf(row, "id", "what", "game", "extensions", "can");
    if (markdown) (void)printf("| --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < ossa_format_count(); i++) {
        const ossa_format *format = ossa_format_at(i);
        char can[40];
        abilities(format, can, sizeof can);
        (void)printf(row, format->id, format->title, format->game, format->extensions, can);
    }
}

int cmd_formats(struct cli *cli)
{
    if (cli->input_count > 0) {
        complain("formats takes no input");
        return EXIT_BAD_CALL;
    }
    if (cli->json) print_json();
    else print_table(cli->markdown);
    return EXIT_FINE;
}
