/* SPDX-License-Identifier: MIT
 *
 * ossa convert --all: one file per figure of the first input, on several cores. A figure that fails
 * does not stop the others; report.json has the result for each. */
#include "convert.h"
#include "load_scene.h"
#include "names.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct model {
    const ossa_figure *figure;
    char *output;     /* its path */
    bool is_repeated; /* an earlier entry has the same name */
    enum { MODEL_WAITS, MODEL_CONVERTED, MODEL_SKIPPED, MODEL_FAILED } state;
    uint32_t bones;
    uint32_t meshes;
    size_t clips;
    struct messages messages;
};

struct all {
    const struct cli *cli;
    enum target target;
    const char *archive; /* the first input */
    ossa_figures *figures;
    uint32_t newest; /* modification time of the newest input */
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
        free_messages(&all->models[i].messages);
    }
    free(all->models);
    ossa_figures_free(all->figures);
}

static bool name_outputs(struct all *all)
{
    const char **names = calloc(all->count + 1, sizeof *names);
    size_t count = 0;
    /* A figure may be called report, too. */
    if (names != NULL) names[count++] = "report";
    for (size_t i = 0; names != NULL && i < all->count; i++) {
        names[count++] = all->models[i].figure->name;
    }
    /* The first keeps its name; report.glb does not clash with report.json. */
    size_t skipped = all->target == TARGET_JSON ? 0 : 1;
    const char *end = all->target == TARGET_JSON ? ".json" : ".glb";
    char **files = names == NULL ? NULL : make_file_names(names + skipped, count - skipped, end);
    bool ok = files != NULL;
    for (size_t i = 0; ok && i < all->count; i++) {
        all->models[i].output = path_in(all->cli->output, files[i + 1 - skipped]);
        ok = all->models[i].output != NULL;
    }
    free_texts(files, count - skipped);
    free(names);
    return ok;
}

static int compare_paths(const void *a, const void *b)
{
    const struct model *x = *(struct model *const *)a;
    const struct model *y = *(struct model *const *)b;
    int difference = strcmp(x->figure->paths[0], y->figure->paths[0]);
    return difference != 0 ? difference : (x > y) - (x < y);
}

/* If several entries have the same name, a path leads to the first. */
static bool mark_repeated(struct all *all)
{
    struct model **sorted = calloc(all->count + 1, sizeof *sorted);
    if (sorted == NULL) return false;
    for (size_t i = 0; i < all->count; i++) sorted[i] = &all->models[i];
    if (all->count > 1) qsort(sorted, all->count, sizeof *sorted, compare_paths);
    for (size_t i = 1; i < all->count; i++) {
        const char *before = sorted[i - 1]->figure->paths[0];
        sorted[i]->is_repeated = strcmp(before, sorted[i]->figure->paths[0]) == 0;
    }
    free(sorted);
    return true;
}

static bool find_models(struct all *all)
{
    all->models = calloc(all->figures->count + 1, sizeof *all->models);
    for (size_t i = 0; all->models != NULL && i < all->figures->count; i++) {
        all->models[all->count++].figure = &all->figures->items[i];
    }
    if (all->models != NULL && mark_repeated(all) && name_outputs(all)) return true;
    complain("out of memory for the list of figures");
    return false;
}

/* ---- one figure ---------------------------------------------------------------------------- */

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
        complain("contains no bones: nothing to convert");
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

/* As if it were the input, together with the other inputs. */
static void convert_model(const struct all *all, struct model *model)
{
    struct cli cli = *all->cli;
    const ossa_figure *figure = model->figure;
    char **inputs = calloc(figure->path_count + cli.input_count, sizeof *inputs);
    int status;
    ossa_scene *scene = NULL;
    keep_messages(&model->messages);
    model->state = MODEL_FAILED;
    if (inputs == NULL) {
        complain("out of memory for its name");
    } else if (model->is_repeated) {
        complain(
            "an earlier entry of the archive has the same name, so this one cannot be reached");
    } else {
        size_t count = 0;
        for (size_t i = 0; i < figure->path_count; i++) {
            inputs[count++] = (char *)(uintptr_t)figure->paths[i];
        }
        for (size_t i = 1; i < cli.input_count; i++) inputs[count++] = cli.inputs[i];
        cli.inputs = inputs;
        cli.input_count = count;
        cli.output = model->output;
        scene = load_scene(&cli, &status);
    }
    if (scene != NULL && write_model(&cli, model, scene, all->target)) {
        model->state = MODEL_CONVERTED;
    }
    ossa_scene_free(scene);
    free(cli.read_files);
    free(cli.issue_path);
    free(inputs);
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
    ossa__json_raw(&json, "\n");
    (void)ossa__json_finish(&json);
    bool ok = os_commit_output(&output, &why);
    if (!ok) complain("%s: %s", path, why.text);
    free(path);
    return ok;
}

/* Print what failed and why, and the totals. */
static void print_results(const struct all *all, bool has_report)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct model *model = &all->models[i];
        if (model->state != MODEL_FAILED) continue;
        const struct messages *said = &model->messages;
        complain("%s: %s", model->figure->paths[0],
                 said->count == 0 ? "failed" : said->texts[said->count - 1]);
    }
    if (all->cli->quiet) return;
    print_plain(stdout, all->cli->output);
    size_t skipped = count_state(all, MODEL_SKIPPED);
    (void)printf(": %zu figure%s: %zu converted, %zu skipped%s, %zu failed%s\n", all->count,
                 plural(all->count), count_state(all, MODEL_CONVERTED), skipped,
                 skipped == 0 ? "" : " (use --force to convert them again)",
                 count_state(all, MODEL_FAILED), has_report ? "; see report.json" : "");
}

/* ---- the verb ------------------------------------------------------------------------------ */

/* Check that an input exists; otherwise every figure would report it. */
static ossa_step stop_at_once(void *user, const ossa_visit *visit)
{
    (void)user;
    (void)visit;
    return OSSA_STEP_STOP;
}

static bool is_there(const struct cli *cli, const char *word)
{
    ossa_error error;
    const ossa_walk_options walk = {.detail = OSSA_DETAIL_NAMES, .visit = stop_at_once};
    bool ok = ossa_workspace_walk(cli->workspace, word, &walk, &error);
    struct os_file_id id;
    if (ok && (strcmp(word, "-") == 0 || identify_file(word, &id) || os_is_folder(word)))
        return true;
    if (ok) complain("%s: cannot be opened: No such file or directory", word);
    else complain_error(word, &error);
    return false;
}

/* The figures of the first input; NULL after a message. */
static ossa_figures *find_figures(const struct cli *cli)
{
    ossa_error error;
    const char *word = cli->inputs[0];
    bool ok = true;
    if (os_is_folder(word)) {
        complain(
            "%s is a folder; --all needs an archive or file with figures, such as figures.res, "
            "followed by what else they need",
            word);
        return NULL;
    }
    for (size_t i = 1; i < cli->input_count; i++) ok = ok && is_there(cli, cli->inputs[i]);
    ok = ok && (cli->texture == NULL || is_there(cli, cli->texture));
    if (!ok) return NULL;
    ossa_figures *figures = ossa_workspace_figures(cli->workspace, word, &error);
    if (figures == NULL) complain_error(word, &error);
    return figures;
}

static void note_time(const char *path, uint32_t *newest)
{
    uint32_t time = os_time(path);
    if (time > *newest) *newest = time;
}

static ossa_step note_visit(void *user, const ossa_visit *visit)
{
    note_time(visit->path, user); /* every figure reports files that cannot be read */
    return OSSA_STEP_OVER;
}

static void note_input(const struct cli *cli, const char *word, uint32_t *newest)
{
    const ossa_walk_options walk = {
        .detail = OSSA_DETAIL_NAMES, .visit = note_visit, .user = newest};
    const char *mark = strchr(word, '#');
    char *file = mark == NULL ? NULL : strndup(word, (size_t)(mark - word));
    if (file != NULL && !os_exists(word)) note_time(file, newest); /* the archive on disk */
    free(file);
    if (strcmp(word, "-") == 0) *newest = UINT32_MAX; /* unknown, so assume now */
    else if (os_is_folder(word)) (void)ossa_workspace_walk(cli->workspace, word, &walk, NULL);
    else note_time(word, newest);
}

/* The modification time of the newest input. */
static uint32_t newest_input(const struct cli *cli)
{
    uint32_t newest = 0;
    for (size_t i = 0; i < cli->input_count; i++) note_input(cli, cli->inputs[i], &newest);
    if (cli->texture != NULL) note_input(cli, cli->texture, &newest);
    return newest;
}

int convert_all(struct cli *cli, enum target target)
{
    struct os_why why;
    struct all all = {.cli = cli, .target = target, .archive = cli->inputs[0]};
    all.figures = find_figures(cli);
    if (all.figures == NULL) return EXIT_BAD_DATA;
    all.newest = newest_input(cli);
    bool ok = find_models(&all);
    if (ok && all.count == 0) {
        complain("%s contains no figures", all.archive);
        ok = false;
    }
    if (ok && !os_make_folder(cli->output, &why)) {
        complain("%s: %s", cli->output, why.text);
        ok = false;
    }
    if (ok) {
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
