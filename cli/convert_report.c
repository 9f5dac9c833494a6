/* SPDX-License-Identifier: MIT
 *
 * ossa convert --all: report.json. It has the result for each figure, and proves on the next run
 * which outputs are still right: it has the size and the hash of each, and a hash of the options
 * and files that it was made of. */
#include "convert_all.h"

#include "base/fold.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the outputs are made of ----------------------------------------------------------- */

static uint64_t mix(uint64_t hash, const void *bytes, size_t size)
{
    const uint64_t both[2] = {hash, ossa__hash_bytes(bytes, size)};
    return ossa__hash_bytes((const char *)both, sizeof both);
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
    return mix(hash, text, strlen(text));
}

/* A file counts as unchanged if its size and time are. */
static uint64_t mix_file(uint64_t hash, const char *path)
{
    struct os_file_id id = {0};
    (void)os_identify(path, &id);
    const uint64_t numbers[2] = {id.size, id.time};
    return mix(mix_text(hash, path), numbers, sizeof numbers);
}

/* The file on disk that an entry of an archive is in. */
static uint64_t mix_path(uint64_t hash, const char *path)
{
    char *file = copy_text(path);
    for (char *mark = strrchr(file, '#'); mark != NULL && !os_exists(file);) {
        *mark = '\0';
        mark = strrchr(file, '#');
    }
    hash = mix_file(mix_text(hash, path), file);
    free(file);
    return hash;
}

struct mixer {
    struct all *all;
    uint64_t hash;
};

/* What earlier runs have written to the folder is not an input. */
static ossa_step mix_visit(void *user, const ossa_visit *visit)
{
    struct mixer *mixer = user;
    const char *folder = mixer->all->cli->output;
    size_t size = strlen(folder);
    while (size > 0 && folder[size - 1] == '/') size--;
    bool is_output = strncmp(visit->path, folder, size) == 0 && visit->path[size] == '/';
    if (!is_output && !visit->is_part) mixer->hash = mix_path(mixer->hash, visit->path);
    return OSSA_STEP_OVER;
}

static void mix_input(struct all *all, const char *word)
{
    struct mixer mixer = {all, mix_text(all->made_of, word)};
    const ossa_walk_options walk = {
        .detail = OSSA_DETAIL_NAMES, .visit = mix_visit, .user = &mixer};
    if (strcmp(word, "-") == 0 || strncmp(word, "-#", 2) == 0) all->is_unknown = true;
    /* Of a path into an archive, the archive counts: a part of it is not visited with its time. */
    if (strchr(word, '#') != NULL) mixer.hash = mix_path(mixer.hash, word);
    else (void)ossa_workspace_walk(all->cli->workspace, word, &walk, NULL);
    all->made_of = mixer.hash;
}

static uint64_t hash_model(const struct all *all, const struct model *model)
{
    const ossa_figure *figure = model->figure;
    uint64_t hash = all->made_of;
    for (size_t i = 0; i < figure->path_count; i++) hash = mix_text(hash, figure->paths[i]);
    for (size_t i = 0; i < figure->file_count; i++) hash = mix_file(hash, figure->files[i]);
    return hash;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The options as they were given, without those that do not change the outputs. */
static void list_options(struct all *all)
{
    static const char *const others[] = {"--all", "--force", "--jobs=", "--output=", "--quiet"};
    const struct texts *given = &all->cli->given;
    for (size_t i = 0; i < given->count; i++) {
        bool counts = true;
        for (size_t j = 0; j < sizeof others / sizeof others[0]; j++) {
            counts = counts && strncmp(given->items[i], others[j], strlen(others[j])) != 0;
        }
        if (counts) texts_add(&all->options, copy_text(given->items[i]));
    }
    if (all->options.count > 1) {
        qsort(all->options.items, all->options.count, sizeof(char *), compare_texts);
    }
}

/* ---- the report of the last run ------------------------------------------------------------- */

/* A figure in it: the text from { to }. */
struct entry {
    const char *text;
    const char *output; /* the line of its output */
};

struct last_report {
    char *text;
    struct entry *entries; /* in the order of their outputs */
    size_t count;
};

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a;
    const struct entry *y = b;
    size_t size = strcspn(x->output, "\n");
    size_t other = strcspn(y->output, "\n");
    int order = memcmp(x->output, y->output, size < other ? size : other);
    return order != 0 ? order : (size > other) - (size < other);
}

/* Only what we have written is understood, line by line: a report that was changed proves
 * nothing. */
static void parse_report(struct last_report *last)
{
    static const char output[] = "      \"output\": ";
    struct entry entry = {0};
    for (char *line = last->text; line != NULL; line = strchr(line, '\n')) {
        if (*line == '\n') line++;
        if (strncmp(line, "    {\n", 6) == 0) entry = (struct entry){.text = line + 4};
        if (strncmp(line, output, sizeof output - 1) == 0) entry.output = line;
        bool is_end = strncmp(line, "    }", 5) == 0;
        if (!is_end || entry.text == NULL || entry.output == NULL) continue;
        last->entries = make_room(last->entries, last->count, sizeof *last->entries);
        last->entries[last->count++] = entry;
        entry = (struct entry){0};
        line += 5;
        if (*line == '\0') break;
        *line++ = '\0'; /* a comma or a newline */
    }
    if (last->count > 1) qsort(last->entries, last->count, sizeof *last->entries, compare_entries);
}

static struct last_report *load_report(const struct all *all)
{
    struct last_report *last = allocate(1, sizeof *last);
    struct os_file_id id;
    size_t size;
    char *path = path_in(all->cli->output, REPORT);
    if (os_identify(path, &id)) last->text = read_whole(path, UINT64_C(1) << 30, &size);
    if (last->text != NULL) parse_report(last);
    free(path);
    return last;
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

static const struct entry *find_entry(const struct all *all, const struct model *model)
{
    char *line = member_line("output", os_base_name(model->output));
    const struct entry wanted = {.output = line};
    const struct last_report *last = all->last;
    const struct entry *found = last->count == 0 ? NULL
                                                 : bsearch(&wanted, last->entries, last->count,
                                                           sizeof wanted, compare_entries);
    free(line);
    return found;
}

static bool has_line(const struct entry *entry, const char *key, const char *value)
{
    char *line = format_text("\n      \"%s\": %s,\n", key, value);
    bool found = strstr(entry->text, line) != NULL;
    free(line);
    return found;
}

static bool has_hash(const struct entry *entry, const char *key, uint64_t hash)
{
    char text[24];
    (void)snprintf(text, sizeof text, "\"%016" PRIx64 "\"", hash);
    return has_line(entry, key, text);
}

/* ---- outputs ------------------------------------------------------------------------------- */

void note_output(struct model *model)
{
    size_t size = 0;
    char *bytes = read_whole(model->output, UINT64_C(1) << 32, &size);
    model->size = size;
    model->hash = bytes == NULL ? 0 : ossa__hash_bytes(bytes, size);
    free(bytes);
}

bool is_done(const struct all *all, struct model *model)
{
    struct os_file_id id;
    struct os_why why;
    char size[24];
    model->made_of = hash_model(all, model);
    const struct entry *entry = find_entry(all, model);
    bool is_wanted = all->cli->force || all->is_unknown || model->is_repeated;
    if (is_wanted || entry == NULL || !has_hash(entry, "made_of", model->made_of)) return false;
    if (!has_line(entry, "status", "\"converted\"") && !has_line(entry, "status", "\"skipped\"")) {
        return false;
    }
    /* What was left out is reported on every run. */
    if (!has_line(entry, "partial", "false")) return false;
    if (!os_may_write(model->output, &why) || !os_identify(model->output, &id)) return false;
    (void)snprintf(size, sizeof size, "%" PRIu64, id.size);
    if (!has_line(entry, "size", size)) return false; /* without reading it */
    note_output(model);
    if (!has_hash(entry, "hash", model->hash)) return false;
    model->entry = entry;
    return true;
}

/* ---- writing ------------------------------------------------------------------------------- */

static const char *state_name(const struct model *model)
{
    return model->state == MODEL_CONVERTED ? "converted" : "failed";
}

size_t count_state(const struct all *all, int state)
{
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++) count += (int)all->models[i].state == state;
    return count;
}

/* All that the last run has reported, but now it is skipped. */
static void repeat_result(struct ossa__json *json, const struct entry *entry)
{
    static const char before[] = "\"status\": \"";
    static const char skipped[] = "skipped";
    const char *rest = strstr(entry->text, before);
    const ossa_sink sink = ossa__json_splice(json);
    rest += sizeof before - 1;
    (void)sink.write(sink.user, entry->text, (size_t)(rest - entry->text));
    (void)sink.write(sink.user, skipped, sizeof skipped - 1);
    rest = strchr(rest, '"');
    (void)sink.write(sink.user, rest, strlen(rest));
}

static void member_hash(struct ossa__json *json, const char *key, uint64_t hash)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%016" PRIx64, hash);
    ossa__member_text(json, key, text);
}

static void write_texts(struct ossa__json *json, const char *key, const struct texts *texts)
{
    ossa__json_key(json, key);
    ossa__json_begin_array(json);
    for (size_t i = 0; i < texts->count; i++) ossa__json_string(json, texts->items[i]);
    ossa__json_end_array(json);
}

static void write_result(const struct all *all, struct ossa__json *json, const struct model *model)
{
    if (model->entry != NULL) {
        repeat_result(json, model->entry);
        return;
    }
    ossa__json_begin_object(json);
    ossa__member_text(json, "model", model->figure->name);
    ossa__member_text(json, "status", state_name(model));
    ossa__member_text(json, "input", all->cli->inputs[model->input]);
    ossa__member_text(json, "output", os_base_name(model->output));
    if (model->state == MODEL_CONVERTED) {
        ossa__member_uint(json, "bones", model->bones);
        ossa__member_uint(json, "meshes", model->meshes);
        ossa__member_uint(json, "clips", model->clips);
        ossa__member_bool(json, "partial", model->is_partial);
        ossa__member_uint(json, "size", model->size);
        member_hash(json, "hash", model->hash);
        member_hash(json, "made_of", model->made_of);
    }
    write_texts(json, "messages", &model->messages);
    ossa__json_end_object(json);
}

static void write_document(const struct all *all, ossa_sink sink)
{
    struct ossa__json json;
    ossa__json_start(&json, sink, OSSA_JSON_STYLE_PRETTY);
    ossa__json_begin_object(&json);
    ossa__member_uint(&json, "ossa", 1);
    ossa__member_text(&json, "archive", all->cli->inputs[all->models[0].input]);
    write_texts(&json, "options", &all->options);
    ossa__member_uint(&json, "converted", count_state(all, MODEL_CONVERTED));
    ossa__member_uint(&json, "skipped", count_state(all, MODEL_SKIPPED));
    ossa__member_uint(&json, "failed", count_state(all, MODEL_FAILED));
    write_texts(&json, "unreadable", &all->unreadable);
    ossa__json_key(&json, "models");
    ossa__json_begin_array(&json);
    for (size_t i = 0; i < all->count; i++) write_result(all, &json, &all->models[i]);
    ossa__json_end_array(&json);
    ossa__json_end_object(&json);
    (void)json_end(&json); /* closing the output reports failures */
}

bool write_report(const struct all *all)
{
    struct os_output output;
    struct os_why why;
    char *path = path_in(all->cli->output, REPORT);
    bool ok = os_may_write(path, &why);
    if (!ok) complain("%s: %s", path, why.text);
    ok = ok && may_replace(all->cli, path, &kind_ossa_json) && open_output(&output, path);
    if (ok) {
        write_document(all, output_sink(&output));
        ok = close_output(&output, path, true);
    }
    free(path);
    return ok;
}

void begin_report(struct all *all)
{
    list_options(all);
    all->made_of = mix_text(0, ossa_version_text());
    for (size_t i = 0; i < all->options.count; i++) {
        all->made_of = mix_text(all->made_of, all->options.items[i]);
    }
    for (size_t i = 0; i < all->cli->input_count; i++) {
        if (all->figures[i] == NULL) mix_input(all, all->cli->inputs[i]);
        else if (all->cli->inputs[i][0] == '-') all->is_unknown = true;
    }
    if (all->cli->texture != NULL) mix_input(all, all->cli->texture);
    all->last = load_report(all);
}

void end_report(struct all *all)
{
    if (all->last != NULL) {
        free(all->last->text);
        free(all->last->entries);
    }
    free(all->last);
    texts_free(&all->options);
}
