/* SPDX-License-Identifier: MIT
 *
 * ossa convert --all: every model of an archive, each into a file of its own, on several cores. A
 * model that fails does not stop the others; report.json says what became of each. */
#include "archives.h"
#include "convert.h"
#include "file_names.h"
#include "load_scene.h"
#include "scene_files.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct model {
    char *name;   /* in the archive, without .mod */
    size_t entry; /* which the .mod is */
    char *output; /* its path */
    enum { MODEL_WAITS, MODEL_CONVERTED, MODEL_SKIPPED, MODEL_FAILED } state;
    uint32_t bones;
    uint32_t meshes;
    size_t clips;
    struct messages messages;
};

struct all {
    const struct cli *cli;
    enum target target;
    const char *archive; /* the word of the call */
    const struct archive *opened;
    uint32_t newest; /* when the inputs were changed */
    struct model *models;
    size_t count;
    atomic_size_t next;
    struct progress progress;
};

/* ---- the models of an archive -------------------------------------------------------------- */

static bool is_model_name(const char *entry)
{
    size_t size = strlen(entry);
    return size >= 5 && strcasecmp(entry + size - 4, ".mod") == 0;
}

/* "unmotr" for "unmotr.mod", from malloc; NULL for what is no model. */
static char *model_name(const char *entry)
{
    return is_model_name(entry) ? strndup(entry, strlen(entry) - 4) : NULL;
}

static void free_models(struct all *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->models[i].name);
        free(all->models[i].output);
        free_messages(&all->models[i].messages);
    }
    free(all->models);
}

static bool name_outputs(struct all *all)
{
    const char **names = calloc(all->count + 1, sizeof *names);
    size_t count = 0;
    /* A model may be called report, too. */
    if (names != NULL) names[count++] = "report";
    for (size_t i = 0; names != NULL && i < all->count; i++) names[count++] = all->models[i].name;
    /* The first of one name keeps it; with another end it is nobody's. */
    size_t skipped = all->target == TARGET_JSON ? 0 : 1;
    const char *end = all->target == TARGET_JSON ? ".json" : ".glb";
    char **files = names == NULL ? NULL : make_file_names(names + skipped, count - skipped, end);
    bool ok = files != NULL;
    for (size_t i = 0; ok && i < all->count; i++) {
        all->models[i].output = path_in(all->cli->output, files[i + 1 - skipped]);
        ok = all->models[i].output != NULL;
    }
    free_file_names(files, count - skipped);
    free(names);
    return ok;
}

static bool find_models(struct all *all, const ossa_file *archive)
{
    size_t entries = can_hold_models(archive) ? ossa_entry_count(archive) : 0;
    size_t models = 0;
    for (size_t i = 0; i < entries; i++) models += is_model_name(ossa_entry_at(archive, i)->name);
    all->models = calloc(models + 1, sizeof *all->models);
    for (size_t i = 0; all->models != NULL && i < entries; i++) {
        char *name = model_name(ossa_entry_at(archive, i)->name);
        if (name == NULL) continue;
        all->models[all->count].entry = i;
        all->models[all->count++].name = name;
    }
    if (all->models != NULL && name_outputs(all)) return true;
    complain("no memory for the list of models");
    return false;
}

/* ---- one model ----------------------------------------------------------------------------- */

static bool is_done(const struct all *all, const struct model *model)
{
    struct os_file_id id;
    if (all->cli->force || !os_identify(model->output, &id)) return false;
    return os_time(model->output) >= all->newest;
}

static bool write_model(struct cli *cli, struct model *model, const ossa_scene *scene,
                        enum target target)
{
    if (scene->bone_count == 0) {
        complain("there is not a single bone in it: nothing to convert");
        return false;
    }
    uint8_t *clips = pick_clips(cli, scene, &model->clips);
    if (clips == NULL) return false;
    model->bones = scene->bone_count;
    model->meshes = scene->mesh_count;
    bool ok = write_scene(scene, clips, target, cli);
    free(clips);
    return ok;
}

/* Of several with one name a word means the first. */
static bool is_reachable(const struct all *all, const struct model *model)
{
    const char *name = ossa_entry_at(all->opened->file, model->entry)->name;
    if (find_entry(all->opened, name) == (int64_t)model->entry) return true;
    complain("the archive has an entry of this very name before: nobody can get at this one");
    return false;
}

/* As if it had been named in a call of its own, with the other inputs of this one. */
static void convert_model(const struct all *all, struct model *model)
{
    struct cli cli = *all->cli;
    /* Threads look at what is open before they start; what they open themselves is their own. */
    struct archives own = {.shared = all->cli->archives};
    size_t size = strlen(all->archive) + strlen(model->name) + 2;
    char *word = malloc(size);
    char **inputs = calloc(cli.input_count, sizeof *inputs);
    int status;
    ossa_scene *scene = NULL;
    keep_messages(&model->messages);
    model->state = MODEL_FAILED;
    if (word == NULL || inputs == NULL) {
        complain("no memory for its name");
    } else if (is_reachable(all, model)) {
        (void)snprintf(word, size, "%s#%s", all->archive, model->name);
        memcpy(inputs, all->cli->inputs, cli.input_count * sizeof *inputs);
        inputs[0] = word;
        cli.inputs = inputs;
        cli.output = model->output;
        cli.archives = &own;
        cli.read_files = NULL;
        cli.read_count = 0;
        cli.used_count = 0;
        scene = load_scene(&cli, &status);
    }
    if (scene != NULL && write_model(&cli, model, scene, all->target)) {
        model->state = MODEL_CONVERTED;
    }
    ossa_scene_free(scene);
    archives_free(&own);
    free(cli.read_files);
    free(inputs);
    free(word);
    keep_messages(NULL);
}

static void work(void *user)
{
    struct all *all = user;
    for (size_t i = atomic_fetch_add(&all->next, 1); i < all->count;
         i = atomic_fetch_add(&all->next, 1)) {
        struct model *model = &all->models[i];
        if (is_done(all, model)) model->state = MODEL_SKIPPED;
        else convert_model(all, model);
        os_lock();
        progress_step(&all->progress);
        os_unlock();
    }
}

/* ---- the report ---------------------------------------------------------------------------- */

static const char *state_name(const struct model *model)
{
    switch (model->state) {
    case MODEL_CONVERTED: return "converted";
    case MODEL_SKIPPED: return "skipped";
    default: return "failed";
    }
}

static size_t count_state(const struct all *all, int state)
{
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++) count += (int)all->models[i].state == state;
    return count;
}

static void write_count(struct ossa__json *json, const char *key, uint64_t value)
{
    ossa__json_key(json, key);
    ossa__json_uint(json, value);
}

static void write_text(struct ossa__json *json, const char *key, const char *text)
{
    ossa__json_key(json, key);
    ossa__json_string(json, text);
}

static void write_result(struct ossa__json *json, const struct model *model)
{
    ossa__json_begin_object(json);
    write_text(json, "model", model->name);
    write_text(json, "status", state_name(model));
    write_text(json, "output", os_base_name(model->output));
    if (model->state == MODEL_CONVERTED) {
        write_count(json, "bones", model->bones);
        write_count(json, "meshes", model->meshes);
        write_count(json, "clips", model->clips);
    }
    ossa__json_key(json, "messages");
    ossa__json_begin_array(json);
    for (size_t i = 0; i < model->messages.count; i++) {
        ossa__json_string(json, model->messages.texts[i]);
    }
    ossa__json_end_array(json);
    ossa__json_end_object(json);
}

static bool write_report(const struct all *all)
{
    struct os_output output;
    struct os_why why;
    char *path = path_in(all->cli->output, "report.json");
    if (path == NULL || !os_may_write(path, &why) || !os_open_output(&output, path, &why)) {
        complain("%s: %s", path == NULL ? "report.json" : path, path == NULL ? "" : why.text);
        free(path);
        return false;
    }
    struct ossa__json json;
    ossa__json_start(&json, (ossa_sink){os_write_output, &output}, OSSA_JSON_STYLE_PRETTY);
    ossa__json_begin_object(&json);
    write_count(&json, "ossa", 1);
    write_text(&json, "archive", all->archive);
    write_count(&json, "converted", count_state(all, MODEL_CONVERTED));
    write_count(&json, "skipped", count_state(all, MODEL_SKIPPED));
    write_count(&json, "failed", count_state(all, MODEL_FAILED));
    ossa__json_key(&json, "models");
    ossa__json_begin_array(&json);
    for (size_t i = 0; i < all->count; i++) write_result(&json, &all->models[i]);
    ossa__json_end_array(&json);
    ossa__json_end_object(&json);
    ossa__json_raw(&json, "\n");
    (void)ossa__json_finish(&json);
    bool ok = os_commit_output(&output, &why);
    if (!ok) complain("%s: %s", path, why.text);
    free(path);
    return ok;
}

/* What failed and why, for people, and how it went in all. */
static void print_results(const struct all *all, bool has_report)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct model *model = &all->models[i];
        if (model->state != MODEL_FAILED) continue;
        const struct messages *said = &model->messages;
        complain("%s#%s: %s", all->archive, model->name,
                 said->count == 0 ? "failed" : said->texts[said->count - 1]);
    }
    if (all->cli->quiet) return;
    print_plain(stdout, all->cli->output);
    size_t skipped = count_state(all, MODEL_SKIPPED);
    (void)printf(": %zu model%s: %zu converted, %zu skipped%s, %zu failed%s\n", all->count,
                 plural(all->count), count_state(all, MODEL_CONVERTED), skipped,
                 skipped == 0 ? "" : " (--force makes them again)", count_state(all, MODEL_FAILED),
                 has_report ? "; report.json tells more" : "");
}

/* ---- the verb ------------------------------------------------------------------------------ */

/* Why the first input is not the archive of the models. */
static void complain_archive(const struct cli *cli, const char *word, const ossa_error *error)
{
    ossa_error ignored;
    if (os_is_folder(word)) {
        complain("%s is a folder; --all takes the archive with the models, such as figures.res, "
                 "and then what else they need",
                 word);
    } else if (find_place(cli, word, &ignored).kind == PLACE_NO_ENTRY) {
        complain("%s is no archive; --all takes the archive itself, and one model needs no --all",
                 word);
    } else {
        complain_error(word, error);
        hint_at_scan(word, error);
    }
}

static void ignore_entry(void *user, size_t entry)
{
    (void)user;
    (void)entry;
}

/* Is there something that a word can mean? Otherwise every model would tell of it. */
static bool is_there(const struct cli *cli, const char *word, ossa_error *error)
{
    struct place place = find_place(cli, word, error);
    switch (place.kind) {
    case PLACE_FILE: return os_exists(word); /* standard input has been read by now */
    case PLACE_ENTRY: return true;
    case PLACE_NO_ENTRY:
        (void)snprintf(error->message, sizeof error->message,
                       "there is no such entry; `ossa list %s` shows what there is",
                       place.archive->shown);
        return expand_place(&place, ignore_entry, NULL);
    case PLACE_FAILED: break;
    }
    return false;
}

/* Archives are opened before the threads start, so that all share them. What is no archive is read
 * for every model. */
static bool open_input(const struct cli *cli, const char *word, bool is_first)
{
    ossa_error error;
    if (open_kept(cli, word, &error) != NULL) return true;
    if (is_first) {
        complain_archive(cli, word, &error);
        return false;
    }
    if (is_there(cli, word, &error)) return true;
    complain_error(word, &error);
    return false;
}

static bool open_archives(const struct cli *cli)
{
    bool ok = true;
    for (size_t i = 0; ok && i < cli->input_count; i++) {
        ok = open_input(cli, cli->inputs[i], i == 0);
    }
    return ok && (cli->texture == NULL || open_input(cli, cli->texture, false));
}

static void note_time(void *user, const char *path)
{
    uint32_t *newest = user;
    uint32_t time = os_time(path);
    if (time > *newest) *newest = time;
}

static void note_no_time(void *user, const char *path, const struct os_why *why)
{
    (void)user;
    (void)path;
    (void)why; /* every model tells of it */
}

static void note_input(const char *word, uint32_t *newest)
{
    if (strcmp(word, "-") == 0) *newest = UINT32_MAX; /* nobody knows, so now */
    else if (os_is_folder(word)) (void)os_walk(word, note_time, note_no_time, newest);
    else note_time(newest, word);
}

/* When the last of the inputs was changed, the archives on the disk among them. */
static uint32_t newest_input(const struct cli *cli)
{
    uint32_t newest = 0;
    for (size_t i = 0; i < cli->input_count; i++) note_input(cli->inputs[i], &newest);
    if (cli->texture != NULL) note_input(cli->texture, &newest);
    for (size_t i = 0; i < cli->archives->count; i++) {
        note_input(cli->archives->open[i]->shown, &newest);
    }
    return newest;
}

int convert_all(struct cli *cli, enum target target)
{
    ossa_error error;
    struct os_why why;
    struct all all = {.cli = cli, .target = target, .archive = cli->inputs[0]};
    if (!open_archives(cli)) return EXIT_BAD_DATA;
    const struct archive *archive = open_kept(cli, cli->inputs[0], &error);
    all.newest = newest_input(cli);
    all.opened = archive;
    bool ok = find_models(&all, archive->file);
    if (ok && all.count == 0) {
        complain("%s holds no model, which is NAME.mod in an archive of Evil Islands", all.archive);
        ok = false;
    }
    if (ok && !os_make_folder(cli->output, &why)) {
        complain("%s: %s", cli->output, why.text);
        ok = false;
    }
    if (ok) {
        note_shared_entries(cli);
        unsigned jobs = cli->jobs == 0 ? os_core_count() : cli->jobs;
        progress_start(&all.progress, all.count);
        os_run_threads(all.count < jobs ? (unsigned)all.count : jobs, work, &all);
        progress_hide(&all.progress);
        ok = write_report(&all);
        print_results(&all, ok);
        ok = ok && count_state(&all, MODEL_FAILED) == 0;
    }
    free_models(&all);
    return ok ? EXIT_FINE : EXIT_BAD_DATA;
}
