/* SPDX-License-Identifier: MIT
 *
 * ossa convert --all: report.json. It has the result for each figure, and proves on the next run
 * which outputs are still right: it has the size and the hash of each, and a hash of the options
 * and files that it was made of. */
#include "convert_all.h"

#include "base/bytes.h"
#include "base/fold.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the outputs are made of ----------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    const uint64_t both[2] = {hash, value};
    char bytes[sizeof both];
    ossa__copy_scalars(bytes, both, sizeof both, sizeof value); /* the same on every machine */
    return ossa__hash_bytes(bytes, sizeof bytes);
}

uint64_t mix_text(uint64_t hash, const char *text)
{
    return mix(hash, ossa__hash_bytes(text, strlen(text)));
}

uint64_t mix_file(uint64_t hash, const char *path, bool with_time)
{
    struct os_file_id id = {0};
    (void)identify(path, &id);
    return mix(mix(mix_text(hash, path), id.size), with_time ? id.time : 0);
}

static void mix_shared(struct all *all, const char *path)
{
    all->made_of = mix_file(all->made_of, path, true);
    all->plan = mix_file(all->plan, path, false);
}

static ossa_step mix_visit(void *user, const ossa_visit *visit)
{
    if (!visit->is_part) mix_shared(user, visit->path);
    return OSSA_STEP_OVER;
}

static void mix_input(struct all *all, const char *word)
{
    const ossa_walk_options walk = {.detail = OSSA_DETAIL_NAMES, .visit = mix_visit, .user = all};
    if (strcmp(word, "-") == 0 || strncmp(word, "-#", 2) == 0) all->is_unknown = true;
    all->made_of = mix_text(all->made_of, word);
    /* Of a path into an archive, the archive counts: a part of it is not visited with its time. */
    if (strchr(word, '#') != NULL) mix_shared(all, word);
    else (void)ossa_workspace_walk(all->cli->workspace, word, &walk, NULL);
}

static uint64_t hash_model(const struct all *all, const struct model *model)
{
    const ossa_figure *figure = model->figure;
    uint64_t hash = all->made_of;
    for (size_t i = 0; i < figure->path_count; i++) hash = mix_text(hash, figure->paths[i]);
    for (size_t i = 0; i < figure->file_count; i++) hash = mix_file(hash, figure->files[i], true);
    return hash;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The options as they were given, without those that do not change the outputs. */
static void list_options(struct all *all)
{
    static const char *const others[] = {
        "--all", "--force", "--jobs=", "--output=", "--quiet", "--shard="};
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

/* Does a report prove that the output is right? */
static bool is_done_by(const struct report *report, struct model *model)
{
    struct os_file_id id;
    struct os_why why;
    char size[24];
    const struct entry *entry = report_find(report, os_base_name(model->output));
    if (entry == NULL || !has_hash(entry, "made_of", model->made_of)) return false;
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

bool is_done(const struct all *all, struct model *model)
{
    model->made_of = hash_model(all, model);
    if (all->cli->force || all->is_unknown || model->is_repeated) return false;
    return is_done_by(&all->last, model) || is_done_by(&all->whole, model);
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
    const char *found = strstr(entry->text, before);
    const char *status = found == NULL ? NULL : found + sizeof before - 1;
    const char *rest = status == NULL ? NULL : strchr(status, '"');
    const ossa_sink sink = ossa__json_splice(json);
    if (rest == NULL) return; /* is_done_by has found it */
    (void)sink.write(sink.user, entry->text, (size_t)(status - entry->text));
    (void)sink.write(sink.user, skipped, sizeof skipped - 1);
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
    const struct shard *shard = &all->cli->shard;
    const struct totals totals = count_results(all);
    char part[32];
    struct ossa__json json;
    ossa__json_start(&json, sink, OSSA_JSON_STYLE_PRETTY);
    ossa__json_begin_object(&json);
    ossa__member_uint(&json, "ossa", 1);
    ossa__member_text(&json, "archive", all->archive);
    write_texts(&json, "options", &all->options);
    if (shard->count > 0) {
        (void)snprintf(part, sizeof part, "%" PRIu32 "/%" PRIu32, shard->number, shard->count);
        ossa__member_text(&json, "shard", part);
        ossa__member_uint(&json, "figures", all->total_count);
        member_hash(&json, "plan", mix_text(all->plan, ossa_version_text()));
    }
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
    char *path = path_in(all->cli->output, all->report);
    bool ok = os_may_write(path, &why);
    if (!ok) complain("%s: %s", path, why.text);
    ok = ok && may_replace(all->cli, path, &kind_ossa_json) &&
         open_output_in(&output, all->cli->folder, path);
    if (ok) {
        write_document(all, output_sink(&output));
        ok = close_output(&output, path, true);
    }
    free(path);
    return ok;
}

static void load_last(const struct all *all, const char *name, struct report *report)
{
    struct os_file_id id;
    char *path = path_in(all->cli->output, name);
    if (os_identify(path, &id) && report_load(report, path)) report_sort(report);
    free(path);
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
    load_last(all, all->report, &all->last);
    if (all->cli->shard.count > 0) load_last(all, REPORT, &all->whole);
}

void end_report(struct all *all)
{
    report_free(&all->last);
    report_free(&all->whole);
    texts_free(&all->options);
}
