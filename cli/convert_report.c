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

/* ---- outputs ------------------------------------------------------------------------------- */

void note_output(struct model *model)
{
    size_t size = 0;
    char *bytes = read_whole(model->output, UINT64_C(1) << 32, &size);
    model->size = size;
    model->hash = bytes == NULL ? 0 : ossa__hash_bytes(bytes, size);
    free(bytes);
}

static bool has_hash(const struct entry *entry, const char *key, uint64_t hash)
{
    char text[24];
    (void)snprintf(text, sizeof text, "\"%016" PRIx64 "\"", hash);
    return entry_has(entry, key, text);
}

bool is_done(const struct all *all, struct model *model)
{
    struct os_file_id id;
    struct os_why why;
    char size[24];
    model->made_of = hash_model(all, model);
    const struct entry *entry = report_find(&all->last, os_base_name(model->output));
    bool is_wanted = all->cli->force || all->is_unknown || model->is_repeated;
    if (is_wanted || entry == NULL || !has_hash(entry, "made_of", model->made_of)) return false;
    if (!entry_has(entry, "status", "\"converted\"") &&
        !entry_has(entry, "status", "\"skipped\"")) {
        return false;
    }
    /* What was left out is reported on every run. */
    if (!entry_has(entry, "partial", "false")) return false;
    if (!os_may_write(model->output, &why) || !os_identify(model->output, &id)) return false;
    (void)snprintf(size, sizeof size, "%" PRIu64, id.size);
    if (!entry_has(entry, "size", size)) return false; /* without reading it */
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

struct totals count_results(const struct all *all)
{
    struct totals totals = {0};
    for (size_t i = 0; i < all->count; i++) {
        const struct model *model = &all->models[i];
        totals.converted += model->state == MODEL_CONVERTED ? 1 : 0;
        totals.partial += model->is_partial ? 1 : 0;
        totals.skipped += model->state == MODEL_SKIPPED ? 1 : 0;
        totals.failed += model->state == MODEL_FAILED ? 1 : 0;
    }
    return totals;
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
    const struct totals totals = count_results(all);
    struct ossa__json json;
    ossa__json_start(&json, sink, OSSA_JSON_STYLE_PRETTY);
    ossa__json_begin_object(&json);
    ossa__member_uint(&json, "ossa", 1);
    ossa__member_text(&json, "archive", all->cli->inputs[all->models[0].input]);
    write_texts(&json, "options", &all->options);
    write_totals(&json, &totals);
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
    struct os_file_id id;
    char *path = path_in(all->cli->output, REPORT);
    if (os_identify(path, &id) && report_load(&all->last, path)) report_sort(&all->last);
    free(path);
}

void end_report(struct all *all)
{
    report_free(&all->last);
    texts_free(&all->options);
}
