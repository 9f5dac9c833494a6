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
    if (lister->name != NULL) {
        print_plain(stdout, lister->name);
        (void)putchar('\n');
    }
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
    ossa__json_start(&lister->json, stdout_sink(), OSSA_JSON_STYLE_LINE);
    ossa__json_begin_object(&lister->json);
    ossa__member_uint(&lister->json, "ossa", 1);
    ossa__member_text(&lister->json, "file", path);
    ossa__json_key(&lister->json, "fields");
    ossa__json_begin_array(&lister->json);
}

static void end_file(struct lister *lister, const ossa_file *file, const ossa_error *error)
{
    if (!lister->as_json) return;
    struct ossa__json *json = &lister->json;
    ossa__json_end_array(json);
    ossa__json_key(json, "format");
    const char *format = file != NULL ? file->format->id : error->format;
    if (format == NULL) ossa__json_null(json);
    else ossa__json_string(json, format);
    ossa__json_key(json, "error");
    if (file != NULL) {
        ossa__json_null(json);
    } else {
        char text[ISSUE_CAPACITY];
        (void)ossa_error_text(error, text, sizeof text);
        ossa__json_string(json, text);
    }
    ossa__json_end_object(json);
    ossa__json_raw(json, "\n");
    (void)ossa__json_finish(json);
}

int cmd_fields(struct cli *cli)
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
