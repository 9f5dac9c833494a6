/* SPDX-License-Identifier: MIT
 *
 * ossa merge-reports: the report that `convert --all` would have written without --shard. */
#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The report of a shard. */
struct part {
    const char *path;
    struct report report;
    struct shard shard;
    struct texts unreadable; /* JSON strings */
};

/* What is shared out among the shards. */
enum list { LIST_MODELS, LIST_UNREADABLE };

static size_t item_count(const struct part *part, enum list list)
{
    return list == LIST_MODELS ? part->report.count : part->unreadable.count;
}

static const char *item_text(const struct part *part, enum list list, size_t index)
{
    return list == LIST_MODELS ? part->report.entries[index].text : part->unreadable.items[index];
}

/* ---- reading ------------------------------------------------------------------------------- */

/* The strings of an array, each on a line of its own. */
static void read_strings(struct piece array, struct texts *strings)
{
    const char *end = array.text + array.size;
    for (const char *line = array.text; line < end;) {
        size_t size = strcspn(line, "\n");
        bool has_comma = size > 0 && line[size - 1] == ',';
        if (strncmp(line, "    \"", 5) == 0) {
            texts_add(strings,
                      format_text("%.*s", (int)(size - 4 - (has_comma ? 1 : 0)), line + 4));
        }
        line += size + 1;
    }
}

static bool read_part(struct part *part)
{
    static const char *const keys[] = {"archive", "options", "shard",
                                       "figures", "plan",    "unreadable"};
    char text[32] = "";
    if (!report_load(&part->report, part->path)) return false;
    bool ok = true;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        ok = ok && report_member(&part->report, keys[i]).size > 0;
    }
    struct piece shard = report_member(&part->report, "shard");
    if (shard.size > 2 && shard.size < sizeof text) memcpy(text, shard.text + 1, shard.size - 2);
    if (!ok || !read_shard(text, &part->shard)) {
        complain("%s: is not a report of `ossa convert --all --shard`", part->path);
        return false;
    }
    read_strings(report_member(&part->report, "unreadable"), &part->unreadable);
    return true;
}

/* ---- do they belong together? -------------------------------------------------------------- */

static bool has_same(const struct part *a, const struct part *b, const char *key)
{
    struct piece x = report_member(&a->report, key);
    struct piece y = report_member(&b->report, key);
    return x.size == y.size && memcmp(x.text, y.text, x.size) == 0;
}

static bool check_part(const struct part *part, const struct part *first)
{
    const char *what = NULL;
    bool is_same_plan = has_same(part, first, "plan") && has_same(part, first, "archive") &&
                        has_same(part, first, "figures");
    if (part->shard.count != first->shard.count) what = "numbers of shards";
    else if (!has_same(part, first, "options")) what = "options";
    else if (!is_same_plan) what = "inputs, or the versions of Ossa,";
    if (what == NULL) return true;
    complain("%s and %s are not of the same run: their %s differ", first->path, part->path, what);
    return false;
}

/* Put the parts in order; false, after a message, if one is there twice. */
static bool order_parts(struct part *parts, size_t count, struct part **slots)
{
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        struct part **slot = &slots[parts[i].shard.number - 1];
        if (*slot == NULL) {
            *slot = &parts[i];
            continue;
        }
        complain("%s and %s are both of shard %" PRIu32 "/%" PRIu32, (*slot)->path, parts[i].path,
                 parts[i].shard.number, parts[i].shard.count);
        ok = false;
    }
    return ok;
}

/* False, after a message that lists them, if shards are missing. */
static bool check_missing(struct part *const *slots, uint32_t count)
{
    enum { SHOWN = 20 };
    char list[SHOWN * 24] = "";
    size_t missing = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (slots[i] != NULL) continue;
        size_t used = strlen(list);
        if (missing++ < SHOWN) {
            (void)snprintf(list + used, sizeof list - used, "%s%" PRIu32, used == 0 ? "" : ", ",
                           i + 1);
        }
    }
    if (missing == 0) return true;
    complain("of %" PRIu32 " shards, %zu %s missing: %s%s", count, missing,
             missing == 1 ? "is" : "are", list, missing > SHOWN ? ", ..." : "");
    return false;
}

/* Of `total` figures or files, has each shard its share? Otherwise a report was edited. */
static bool check_counts(struct part *const *slots, uint32_t count, enum list list, size_t total)
{
    for (uint32_t i = 0; i < count; i++) {
        size_t expected = total / count + (i < total % count ? 1 : 0);
        size_t found = item_count(slots[i], list);
        if (found == expected) continue;
        complain("%s: lists %zu %s instead of %zu", slots[i]->path, found,
                 list == LIST_MODELS ? "figures" : "unreadable files", expected);
        return false;
    }
    return true;
}

static bool check_lists(struct part *const *slots, uint32_t count)
{
    size_t figures = (size_t)strtoull(report_member(&slots[0]->report, "figures").text, NULL, 10);
    size_t unreadable = 0;
    for (uint32_t i = 0; i < count; i++) unreadable += item_count(slots[i], LIST_UNREADABLE);
    return check_counts(slots, count, LIST_MODELS, figures) &&
           check_counts(slots, count, LIST_UNREADABLE, unreadable);
}

/* ---- writing ------------------------------------------------------------------------------- */

static void splice(struct ossa__json *json, const char *text, size_t size)
{
    const ossa_sink sink = ossa__json_splice(json);
    (void)sink.write(sink.user, text, size);
}

static void count_entry(struct totals *totals, const struct entry *entry)
{
    if (entry_has(entry, "status", "\"converted\"")) totals->converted++;
    else if (entry_has(entry, "status", "\"skipped\"")) totals->skipped++;
    else totals->failed++;
    if (entry_has(entry, "partial", "true")) totals->partial++;
}

static void copy_member(struct ossa__json *json, const struct report *report, const char *key)
{
    struct piece value = report_member(report, key);
    ossa__json_key(json, key);
    splice(json, value.text, value.size);
}

/* In the order before they were shared out. */
static void write_list(struct ossa__json *json, struct part *const *slots, uint32_t count,
                       enum list list)
{
    ossa__json_key(json, list == LIST_MODELS ? "models" : "unreadable");
    ossa__json_begin_array(json);
    for (size_t i = 0; i < item_count(slots[0], list); i++) { /* the first has the most */
        for (uint32_t k = 0; k < count && i < item_count(slots[k], list); k++) {
            const char *text = item_text(slots[k], list, i);
            splice(json, text, strlen(text));
        }
    }
    ossa__json_end_array(json);
}

/* As convert_report.c writes it. */
static void write_merged(ossa_sink sink, struct part *const *slots, uint32_t count,
                         const struct totals *totals)
{
    struct ossa__json json;
    ossa__json_start(&json, sink, OSSA_JSON_STYLE_PRETTY);
    ossa__json_begin_object(&json);
    ossa__member_uint(&json, "ossa", 1);
    copy_member(&json, &slots[0]->report, "archive");
    copy_member(&json, &slots[0]->report, "options");
    write_totals(&json, totals);
    write_list(&json, slots, count, LIST_UNREADABLE);
    write_list(&json, slots, count, LIST_MODELS);
    ossa__json_end_object(&json);
    (void)json_end(&json); /* closing the output reports failures */
}

/* ---- the verb ------------------------------------------------------------------------------ */

static int merge(struct cli *cli, struct part *const *slots, uint32_t count)
{
    const char *path = cli->output == NULL ? "-" : cli->output;
    struct os_output output;
    struct totals totals = {0};
    for (uint32_t i = 0; i < count; i++) {
        for (size_t k = 0; k < slots[i]->report.count; k++) {
            count_entry(&totals, &slots[i]->report.entries[k]);
        }
    }
    if (!open_output(&output, path)) return EXIT_BAD_DATA;
    write_merged(output_sink(&output), slots, count, &totals);
    if (!close_output(&output, path, true)) return EXIT_BAD_DATA;
    if (!cli->quiet && strcmp(path, "-") != 0) print_totals(path, &totals, NULL);
    return totals.failed + totals.partial + slots[0]->unreadable.count > 0 ? EXIT_BAD_DATA
                                                                           : EXIT_FINE;
}

static bool read_parts(const struct cli *cli, struct part *parts)
{
    bool ok = true;
    for (size_t i = 0; i < cli->input_count; i++) {
        parts[i].path = cli->inputs[i];
        ok = read_part(&parts[i]) && ok;
    }
    for (size_t i = 1; i < cli->input_count && ok; i++) ok = check_part(&parts[i], &parts[0]);
    return ok;
}

static int run(struct cli *cli)
{
    struct part *parts = allocate(cli->input_count, sizeof *parts);
    struct part **slots = NULL;
    int status = EXIT_BAD_DATA;
    for (size_t i = 0; i < cli->input_count; i++) note_file(cli, cli->inputs[i]);
    if (cli->output != NULL &&
        (overwrites_input(cli, cli->output) || !may_replace(cli, cli->output, &kind_ossa_json))) {
        status = EXIT_BAD_CALL;
    } else if (read_parts(cli, parts)) {
        uint32_t count = parts[0].shard.count;
        slots = allocate(count, sizeof(struct part *));
        bool is_unique = order_parts(parts, cli->input_count, slots);
        bool ok = check_missing(slots, count) && is_unique && check_lists(slots, count);
        if (ok) status = merge(cli, slots, count);
    }
    for (size_t i = 0; i < cli->input_count; i++) {
        report_free(&parts[i].report);
        texts_free(&parts[i].unreadable);
    }
    free(slots);
    free(parts);
    return status;
}

const struct verb verb_merge_reports = {
    .name = "merge-reports",
    .summary = "combine the reports of convert --shard",
    .inputs = "[OPTIONS] REPORT... -o report.json",
    .details =
        "Writes the report that `ossa convert --all` would have written without --shard, from the\n"
        "report-K-of-N.json of all shards, in any order. Shards that are missing, or there twice,\n"
        "and reports of other inputs or options are errors, and nothing is written. The exit\n"
        "status is that of the whole run: 1 if a figure of any shard failed.",
    .example = "ossa merge-reports out/report-*-of-8.json -o out/report.json",
    .needs_input = true,
    .run = run,
};
