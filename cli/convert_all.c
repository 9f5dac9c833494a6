/* SPDX-License-Identifier: MIT
 *
 * ossa convert --all: one file per figure, on several cores. A figure that fails does not stop the
 * others; report.json has the result for each. */
#include "convert_all.h"
#include "load_scene.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- one figure ---------------------------------------------------------------------------- */

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
    if (ok) note_output(model);
    return ok;
}

/* As if it were the input, together with the inputs that all share. `is_limited`: the scene needs
 * more than `most` bytes. */
static bool try_model(struct all *all, struct model *model, uint64_t most, bool *is_limited)
{
    struct cli cli = *all->cli;
    cli.scene.max_memory = most;
    const ossa_figure *figure = model->figure;
    cli.inputs = allocate(figure->path_count + cli.input_count, sizeof *cli.inputs);
    cli.input_count = 0;
    for (size_t i = 0; i < figure->path_count; i++) {
        cli.inputs[cli.input_count++] = (char *)(uintptr_t)figure->paths[i];
    }
    for (size_t i = 0; i < all->cli->input_count; i++) {
        if (all->figures[i] == NULL) cli.inputs[cli.input_count++] = all->cli->inputs[i];
    }
    cli.output = model->output;
    cli.noted = NULL;
    cli.noted_count = 0;
    ossa_scene *scene = load_scene(&cli);
    bool ok = scene != NULL && write_model(&cli, model, scene, all->target);
    model->is_partial = ok && cli.left_out > 0;
    *is_limited = cli.is_limited;
    ossa_scene_free(scene);
    free(cli.found_clips);
    texts_free(&cli.known_clips);
    free(cli.noted);
    free(cli.inputs);
    return ok;
}

/* A scene that is larger than its share of the memory is not made while another such one is. */
static bool convert_model(struct all *all, struct model *model)
{
    bool is_limited;
    if (model->is_repeated) {
        complain(
            "an earlier entry of the archive has the same name, so this one cannot be reached");
        return false;
    }
    if (is_too_much(all, model)) return false;
    bool ok = try_model(all, model, all->share, &is_limited);
    if (!is_limited || all->share == 0) return ok;
    texts_free(&model->messages); /* they come again */
    os_begin_turn();
    ok = try_model(all, model, 0, &is_limited);
    os_end_turn();
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
        else if (disk_is_full()) model->state = MODEL_FAILED;
        else model->state = convert_model(all, model) ? MODEL_CONVERTED : MODEL_FAILED;
        (void)atomic_fetch_add(&all->written, model->size);
        keep_messages(NULL);
        os_lock();
        progress_step(&all->progress);
        os_unlock();
    }
}

/* ---- the verb ------------------------------------------------------------------------------ */

/* Print what failed and why, and the totals. */
static void print_results(const struct all *all, const struct totals *totals, bool has_report)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct model *model = &all->models[i];
        const struct texts *said = &model->messages;
        for (size_t k = 0; model->is_partial && k < said->count; k++) {
            complain("%s", said->items[k]);
        }
        if (model->state != MODEL_FAILED) continue;
        if (said->count == 0 && disk_is_full()) continue; /* that was said of another */
        complain("%s: %s", model->figure->paths[0],
                 said->count == 0 ? "failed" : said->items[said->count - 1]);
    }
    if (all->cli->quiet) return;
    const struct shard *shard = &all->cli->shard;
    char *where = shard->count == 0 ? copy_text(all->cli->output)
                                    : format_text("%s: shard %" PRIu32 "/%" PRIu32,
                                                  all->cli->output, shard->number, shard->count);
    print_totals(where, totals, has_report ? all->report : NULL);
    free(where);
}

static bool convert_models(struct all *all)
{
    struct cli *cli = all->cli;
    cli->folder = open_folder(cli->output);
    if (cli->folder == NULL) return false;
    begin_report(all);
    unsigned jobs = all->cli->jobs == 0 ? os_core_count() : all->cli->jobs;
    if (all->count < jobs) jobs = (unsigned)all->count;
    share_memory(all, jobs);
    progress_start(&all->progress, all->count);
    os_run_threads(jobs, work, all);
    progress_hide(&all->progress);
    bool ok = write_report(all);
    const struct totals totals = count_results(all);
    print_results(all, &totals, ok);
    end_report(all);
    os_close_folder(cli->folder);
    cli->folder = NULL;
    return ok && all->unreadable.count + totals.failed + totals.partial == 0;
}

int convert_all(struct cli *cli, enum target target)
{
    struct all all = {.cli = cli, .target = target};
    bool ok = find_models(&all) && convert_models(&all);
    free_models(&all);
    return ok ? EXIT_FINE : EXIT_BAD_DATA;
}
