/* SPDX-License-Identifier: MIT
 *
 * ossa formats: the table of formats. */
#include "cli.h"

/* What a format supports: "read write dump build". */
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
        ossa__member_text(&json, "id", format->id);
        ossa__member_text(&json, "title", format->title);
        ossa__member_text(&json, "game", format->game);
        ossa__member_text(&json, "kind", ossa_kind_name(format->kind));
        ossa__member_text(&json, "extensions", format->extensions);
        ossa__member_bool(&json, "read", ossa_format_can(format, OSSA_ABILITY_READ));
        ossa__member_bool(&json, "write", ossa_format_can(format, OSSA_ABILITY_WRITE));
        ossa__member_bool(&json, "dump", ossa_format_can(format, OSSA_ABILITY_DUMP));
        ossa__member_bool(&json, "build", ossa_format_can(format, OSSA_ABILITY_BUILD));
        ossa__member_bool(&json, "pose", ossa_format_can(format, OSSA_ABILITY_ASSEMBLE));
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
