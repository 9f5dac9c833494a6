/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <stdlib.h>
#include <string.h>

/* ---- the text ------------------------------------------------------------------------------ */

/* Each entry becomes a text of its own. Strings have no line breaks, so a line is what it seems. */
static void find_entries(struct report *report)
{
    static const char output[] = "      \"output\": ";
    struct entry entry = {0};
    for (char *line = report->text; line != NULL; line = strchr(line, '\n')) {
        if (*line == '\n') line++;
        if (strncmp(line, "    {\n", 6) == 0) entry = (struct entry){.text = line + 4};
        if (strncmp(line, output, sizeof output - 1) == 0) entry.output = line;
        bool is_end = strncmp(line, "    }", 5) == 0;
        if (!is_end || entry.text == NULL || entry.output == NULL) continue;
        report->entries = make_room(report->entries, report->count, sizeof *report->entries);
        report->entries[report->count++] = entry;
        entry = (struct entry){0};
        line += 5;
        if (*line == '\0') break;
        *line++ = '\0'; /* a comma or a newline */
    }
}

bool report_load(struct report *report, const char *path)
{
    size_t size;
    *report = (struct report){.text = read_whole(path, UINT64_C(1) << 30, &size)};
    if (report->text != NULL) find_entries(report);
    return report->text != NULL;
}

void report_free(struct report *report)
{
    free(report->text);
    free(report->entries);
    *report = (struct report){0};
}

struct piece report_member(const struct report *report, const char *key)
{
    struct piece value = {0};
    char *start = format_text("\n  \"%s\": ", key);
    const char *found = strstr(report->text, start);
    if (found != NULL) {
        value.text = found + strlen(start);
        const char *next = strstr(value.text, ",\n  \""); /* what is inside is indented more */
        value.size = next == NULL ? 0 : (size_t)(next - value.text);
    }
    free(start);
    return value;
}

/* ---- entries ------------------------------------------------------------------------------- */

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a;
    const struct entry *y = b;
    size_t size = strcspn(x->output, "\n");
    size_t other = strcspn(y->output, "\n");
    int order = memcmp(x->output, y->output, size < other ? size : other);
    return order != 0 ? order : (size > other) - (size < other);
}

void report_sort(struct report *report)
{
    if (report->count < 2) return;
    qsort(report->entries, report->count, sizeof *report->entries, compare_entries);
}

/* `"key": value` as in the report, from malloc. */
static char *member_line(const char *key, const char *text)
{
    ossa_buffer value = {0};
    struct ossa__json json;
    ossa__json_start(&json, ossa_buffer_sink(&value), OSSA_JSON_STYLE_LINE);
    ossa__json_string(&json, text);
    (void)ossa__json_finish(&json);
    char *line = format_text("      \"%s\": %.*s,", key, (int)value.size, (const char *)value.data);
    ossa_buffer_free(&value);
    return line;
}

const struct entry *report_find(const struct report *report, const char *output)
{
    if (report->count == 0) return NULL;
    char *line = member_line("output", output);
    const struct entry wanted = {.output = line};
    const struct entry *found =
        bsearch(&wanted, report->entries, report->count, sizeof wanted, compare_entries);
    free(line);
    return found;
}

bool entry_has(const struct entry *entry, const char *key, const char *value)
{
    char *line = format_text("\n      \"%s\": %s,\n", key, value);
    bool found = strstr(entry->text, line) != NULL;
    free(line);
    return found;
}

/* ---- totals -------------------------------------------------------------------------------- */

void print_totals(const char *where, const struct totals *totals, const char *report)
{
    size_t count = totals->converted + totals->skipped + totals->failed;
    bool has_hint = report != NULL && totals->skipped > 0;
    char partial[48] = "";
    if (totals->partial > 0) {
        (void)snprintf(partial, sizeof partial, " (%zu in part)", totals->partial);
    }
    print_line("%s: %zu figure%s: %zu converted%s, %zu skipped%s, %zu failed%s%s", where, count,
               plural(count), totals->converted, partial, totals->skipped,
               has_hint ? " (use --force to convert them again)" : "", totals->failed,
               report == NULL ? "" : "; see ", report == NULL ? "" : report);
}

void write_totals(struct ossa__json *json, const struct totals *totals)
{
    ossa__member_uint(json, "converted", totals->converted);
    ossa__member_uint(json, "skipped", totals->skipped);
    ossa__member_uint(json, "failed", totals->failed);
}
