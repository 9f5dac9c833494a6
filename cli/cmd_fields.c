/* SPDX-License-Identifier: MIT
 *
 * ossa fields: every byte of a file, as the reader traces it. */
#include "cli.h"

#include <inttypes.h>
#include <string.h>

struct lister {
    bool as_json;
    struct ossa__json json;
    const char *name; /* a heading for the table; NULL: none */
    bool has_table;   /* the header of the current file is printed */
    bool has_printed; /* for any file */
};

static void print_json(struct ossa__json *json, const ossa_field *field)
{
    ossa__json_begin_object(json);
    ossa__member_uint(json, "offset", field->offset);
    ossa__member_uint(json, "size", field->size);
    ossa__member_text(json, "type", ossa_field_type_name(field->type));
    ossa__member_text(json, "field", field->path);
    ossa__json_key(json, "value");
    (void)ossa_field_json(field, ossa__json_splice(json));
    ossa__json_end_object(json);
}

static void print_text(const ossa_field *field)
{
    enum { SHOWN_BYTES = 24 };
    char value[128];
    ossa_field shown = *field;
    bool is_run = field->type >= OSSA_FIELD_TYPE_TEXT;
    if (is_run && shown.size > SHOWN_BYTES) shown.size = SHOWN_BYTES;
    (void)ossa_field_value(&shown, value, sizeof value);
    (void)printf("0x%08" PRIx64 " %8" PRIu64 "  %-8s %-36s %s%s\n", field->offset, field->size,
                 ossa_field_type_name(field->type), field->path[0] == '\0' ? "-" : field->path,
                 value, shown.size < field->size ? "..." : "");
}

/* Printed with the first field, so that a file without fields gets no empty table. */
static void print_head(struct lister *lister)
{
    if (lister->has_printed) (void)putchar('\n');
    if (lister->name != NULL) print_line("%s", lister->name);
    (void)printf("%-10s %8s  %-8s %-36s %s\n", "offset", "size", "type", "field", "value");
    lister->has_table = true;
    lister->has_printed = true;
}

static void on_field(void *user, const ossa_field *field)
{
    struct lister *lister = user;
    if (lister->as_json) {
        print_json(&lister->json, field);
        return;
    }
    if (!lister->has_table) print_head(lister);
    print_text(field);
}

static void begin_file(struct lister *lister, const char *path, bool with_name)
{
    lister->name = with_name ? shown_name(path) : NULL;
    lister->has_table = false;
    if (!lister->as_json) return;
    json_begin(&lister->json);
    ossa__json_begin_object(&lister->json);
    ossa__member_uint(&lister->json, "ossa", 1);
    ossa__member_text(&lister->json, "file", path);
    ossa__json_key(&lister->json, "fields");
    ossa__json_begin_array(&lister->json);
}

static void end_file(struct lister *lister, const ossa_file *file, const ossa_error *error)
{
    if (!lister->as_json) return;
    char text[ISSUE_CAPACITY];
    struct ossa__json *json = &lister->json;
    if (file == NULL) (void)ossa_error_text(error, text, sizeof text);
    ossa__json_end_array(json);
    json_member(json, "format", file != NULL ? file->format->id : error->format);
    json_member(json, "error", file != NULL ? NULL : text);
    ossa__json_end_object(json);
    (void)json_end(json);
}

static int run(struct cli *cli)
{
    int status = EXIT_FINE;
    struct lister lister = {.as_json = cli->json};
    ossa_options options = cli->read;
    options.on_field = on_field;
    options.user = &lister;
    for (size_t i = 0; i < cli->input_count; i++) {
        const char *path = cli->inputs[i];
        ossa_error error = {0};
        begin_file(&lister, path, cli->input_count > 1);
        ossa_file *file = ossa_workspace_open(cli->workspace, path, &options, &error);
        end_file(&lister, file, &error);
        if (file == NULL) {
            complain_error(path, &error);
            status = EXIT_BAD_DATA;
        }
        ossa_file_free(file);
    }
    return status;
}

const struct verb verb_fields = {
    .name = "fields",
    .summary = "list every byte: offset, size, type, field, value",
    .inputs = "[OPTIONS] FILE...",
    .details =
        "Lists what the reader actually reads, in the order of offsets. Bytes outside any field\n"
        "are listed as unknown, or as padding if they are zero. If reading fails, the remaining\n"
        "bytes are listed as unread.",
    .example = "ossa fields walk.anm | less\n  ossa fields --json fly.anb | jq '.fields[0]'",
    .needs_input = true,
    .expands = true,
    .run = run,
};
