/* SPDX-License-Identifier: MIT
 *
 * ossa convert --all: one file per figure of the first input, on several cores. A figure that fails
 * does not stop the others; report.json has the result for each. */
#include "convert.h"
#include "load_scene.h"
#include "names.h"

#include "base/fold.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define REPORT "report.json"

struct model {
    const ossa_figure *figure;
    char *output;     /* its path */
    bool is_repeated; /* an earlier entry has the same name */
    enum { MODEL_WAITS, MODEL_CONVERTED, MODEL_SKIPPED, MODEL_FAILED } state;
    uint32_t bones;
    uint32_t meshes;
    size_t clips;
    struct texts messages;
    bool is_partial; /* something was left out */
};

struct all {
    const struct cli *cli;
    enum target target;
    const char *archive; /* the first input */
    ossa_figures *figures;
    struct model *models;
    size_t count;
    atomic_size_t next;
    struct progress progress;
};

/* ---- the figures --------------------------------------------------------------------------- */

static void free_models(struct all *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->models[i].output);
        texts_free(&all->models[i].messages);
    }
    free(all->models);
    ossa_figures_free(all->figures);
}

static void name_outputs(struct all *all)
{
    struct names used = {0};
    struct texts files = {0};
    bool is_json = all->target == TARGET_JSON;
    if (is_json) (void)names_add(&used, ossa__hash_path(REPORT)); /* a figure may be called that */
    for (size_t i = 0; i < all->count; i++) {
        texts_add(&files, copy_text(all->models[i].figure->name));
    }
    make_file_names(&used, &files, is_json ? ".json" : ".glb");
    for (size_t i = 0; i < all->count; i++) {
        all->models[i].output = path_in(all->cli->output, files.items[i]);
    }
    texts_free(&files);
    names_free(&used);
}

static void list_models(struct all *all)
{
    struct names known = {0};
    all->count = all->figures->count;
    all->models = allocate(all->count, sizeof *all->models);
    for (size_t i = 0; i < all->count; i++) {
        struct model *model = &all->models[i];
        model->figure = &all->figures->items[i];
        /* If several entries have the same name, a path leads to the first. */
        const char *path = model->figure->paths[0];
        model->is_repeated = !names_add(&known, ossa__hash_bytes(path, strlen(path)));
    }
    names_free(&known);
    name_outputs(all);
}

/* ---- one figure ---------------------------------------------------------------------------- */

static bool is_done(const struct all *all, const struct model *model)
{
    struct os_file_id id;
    if (all->cli->force || !os_identify(model->output, &id)) return false;
    return id.time >= all->cli->newest;
}

static bool write_model(const struct cli *cli, struct model *model, const ossa_scene *scene,
                        enum target target)
{
    if (scene->bone_count == 0 && scene->camera_count == 0) {
        complain("contains no bones: nothing to convert");
        return false;
    }
    uint8_t *clips = pick_clips(cli, scene, &model->clips);
    if (clips == NULL) return false;
    model->bones = scene->bone_count;
    model->meshes = scene->mesh_count;
    bool ok = write_scene(scene, clips, target, cli) == EXIT_FINE;
    free(clips);
    return ok;
}

/* As if it were the input, together with the other inputs. */
static bool convert_model(const struct all *all, struct model *model)
{
    if (model->is_repeated) {
        complain(
            "an earlier entry of the archive has the same name, so this one cannot be reached");
        return false;
    }
    struct cli cli = *all->cli;
    const ossa_figure *figure = model->figure;
    cli.inputs = allocate(figure->path_count + cli.input_count, sizeof *cli.inputs);
    cli.input_count = 0;
    for (size_t i = 0; i < figure->path_count; i++) {
        cli.inputs[cli.input_count++] = (char *)(uintptr_t)figure->paths[i];
    }
    for (size_t i = 1; i < all->cli->input_count; i++) {
        cli.inputs[cli.input_count++] = all->cli->inputs[i];
    }
    cli.output = model->output;
    cli.noted = NULL;
    cli.noted_count = 0;
    ossa_scene *scene = load_scene(&cli);
    bool ok = scene != NULL && write_model(&cli, model, scene, all->target);
    model->is_partial = ok && cli.left_out > 0;
    ossa_scene_free(scene);
    free(cli.found_clips);
    free(cli.noted);
    free(cli.inputs);
    return ok;
}

static void work(void *user)
{
    struct all *all = user;
    for (size_t i = atomic_fetch_add(&all->next, 1); i < all->count;
         i = atomic_fetch_add(&all->next, 1)) {
        struct model *model = &all->models[i];
        keep_messages(&model->messages);
        if (is_done(all, model)) model->state = MODEL_SKIPPED;
        else model->state = convert_model(all, model) ? MODEL_CONVERTED : MODEL_FAILED;
        keep_messages(NULL);
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

/* Figures of which something was left out. */
static size_t count_partial(const struct all *all)
{
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++) count += all->models[i].is_partial ? 1 : 0;
    return count;
}

static void write_result(struct ossa__json *json, const struct model *model)
{
    ossa__json_begin_object(json);
    ossa__member_text(json, "model", model->figure->name);
    ossa__member_text(json, "status", state_name(model));
    ossa__member_text(json, "output", os_base_name(model->output));
    if (model->state == MODEL_CONVERTED) {
        ossa__member_uint(json, "bones", model->bones);
        ossa__member_uint(json, "meshes", model->meshes);
        ossa__member_uint(json, "clips", model->clips);
        ossa__member_bool(json, "partial", model->is_partial);
    }
    ossa__json_key(json, "messages");
    ossa__json_begin_array(json);
    for (size_t i = 0; i < model->messages.count; i++) {
        ossa__json_string(json, model->messages.items[i]);
    }
    ossa__json_end_array(json);
    ossa__json_end_object(json);
}

static bool write_report(const struct all *all)
{
    struct os_output output;
    struct os_why why;
    char *path = path_in(all->cli->output, REPORT);
    bool ok = os_may_write(path, &why);
    if (!ok) complain("%s: %s", path, why.text);
    if (!ok || !open_output(&output, path)) {
        free(path);
        return false;
    }
    struct ossa__json json;
    ossa__json_start(&json, output_sink(&output), OSSA_JSON_STYLE_PRETTY);
    ossa__json_begin_object(&json);
    ossa__member_uint(&json, "ossa", 1);
    ossa__member_text(&json, "archive", all->archive);
    ossa__member_uint(&json, "converted", count_state(all, MODEL_CONVERTED));
    ossa__member_uint(&json, "skipped", count_state(all, MODEL_SKIPPED));
    ossa__member_uint(&json, "failed", count_state(all, MODEL_FAILED));
    ossa__json_key(&json, "models");
    ossa__json_begin_array(&json);
    for (size_t i = 0; i < all->count; i++) write_result(&json, &all->models[i]);
    ossa__json_end_array(&json);
    ossa__json_end_object(&json);
    (void)json_end(&json);
    ok = close_output(&output, path, true);
    free(path);
    return ok;
}

/* Print what failed and why, and the totals. */
static void print_results(const struct all *all, bool has_report)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct model *model = &all->models[i];
        const struct texts *said = &model->messages;
        for (size_t k = 0; model->is_partial && k < said->count; k++) {
            complain("%s", said->items[k]);
        }
        if (model->state != MODEL_FAILED) continue;
        complain("%s: %s", model->figure->paths[0],
                 said->count == 0 ? "failed" : said->items[said->count - 1]);
    }
    if (all->cli->quiet) return;
    size_t skipped = count_state(all, MODEL_SKIPPED);
    char partial[48] = "";
    if (count_partial(all) > 0) {
        (void)snprintf(partial, sizeof partial, " (%zu in part)", count_partial(all));
    }
    print_line("%s: %zu figure%s: %zu converted%s, %zu skipped%s, %zu failed%s", all->cli->output,
               all->count, plural(all->count), count_state(all, MODEL_CONVERTED), partial, skipped,
               skipped == 0 ? "" : " (use --force to convert them again)",
               count_state(all, MODEL_FAILED), has_report ? "; see " REPORT : "");
}

/* ---- the verb ------------------------------------------------------------------------------ */

/* The figures of the first input; NULL after a message. */
static ossa_figures *find_figures(struct cli *cli)
{
    ossa_error error;
    const char *word = cli->inputs[0];
    /* Check that the inputs exist; otherwise every figure would report it. */
    for (size_t i = 0; i < cli->input_count; i++) {
        if (!note_input(cli, cli->inputs[i])) return NULL;
    }
    if (cli->texture != NULL && !note_input(cli, cli->texture)) return NULL;
    ossa_figures *figures = ossa_workspace_figures(cli->workspace, word, &error);
    if (figures == NULL) complain_error(word, &error);
    else if (figures->count == 0) complain("%s contains no figures", word);
    return figures;
}

static bool convert_models(struct all *all)
{
    list_models(all);
    if (!make_folder(all->cli->output)) return false;
    unsigned jobs = all->cli->jobs == 0 ? os_core_count() : all->cli->jobs;
    progress_start(&all->progress, all->count);
    os_run_threads(all->count < jobs ? (unsigned)all->count : jobs, work, all);
    progress_hide(&all->progress);
    bool ok = write_report(all);
    print_results(all, ok);
    return ok && count_state(all, MODEL_FAILED) == 0 && count_partial(all) == 0;
}

int convert_all(struct cli *cli, enum target target)
{
    struct all all = {.cli = cli, .target = target, .archive = cli->inputs[0]};
    all.figures = find_figures(cli);
    bool ok = all.figures != NULL && all.figures->count > 0 && convert_models(&all);
    free_models(&all);
    return ok ? EXIT_FINE : EXIT_BAD_DATA;
}
