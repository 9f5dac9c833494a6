/* SPDX-License-Identifier: MIT
 *
 * ossa convert --all: which figures there are. Every input that holds figures is converted; the
 * others, such as textures and databases, are shared by all figures. */
#include "convert_all.h"
#include "names.h"

#include "base/fold.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void free_models(struct all *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->models[i].output);
        texts_free(&all->models[i].messages);
    }
    for (size_t i = 0; all->figures != NULL && i < all->cli->input_count; i++) {
        ossa_figures_free(all->figures[i]);
    }
    texts_free(&all->unreadable);
    free(all->report);
    free(all->models);
    free(all->figures);
}

/* ---- inputs -------------------------------------------------------------------------------- */

/* More than animations or a camera, which belong to the other inputs. */
static bool is_body(const struct cli *cli, const ossa_figure *figure)
{
    for (size_t i = 0; i < figure->missing_count; i++) {
        if (strcmp(figure->missing[i], "skeleton") == 0) return false;
    }
    if (figure->bone_count > 0 || figure->path_count > 1) return true;
    ossa_survey *survey =
        ossa_workspace_survey(cli->workspace, figure->paths, figure->path_count, NULL);
    bool has_bones = survey != NULL && survey->bone_count > 0;
    ossa_survey_free(survey);
    return has_bones;
}

static bool has_body(const struct cli *cli, const ossa_figures *figures)
{
    for (size_t i = 0; i < figures->count; i++) {
        if (is_body(cli, &figures->items[i])) return true;
    }
    return false;
}

/* Every shard finds all figures and files in the same order, and takes every Nth. Neighbours are
 * often alike, so the shards get about the same work; a hash of the names would give them the same
 * number only on average. */
static bool is_ours(const struct all *all, size_t index)
{
    const struct shard *shard = &all->cli->shard;
    return shard->count == 0 || index % shard->count == shard->number - 1;
}

/* Files that are of no figure because they cannot be used. */
static void list_damaged(struct all *all, const ossa_figures *figures)
{
    enum { SHOWN = 10 };
    size_t count = 0;
    for (size_t i = 0; i < figures->damaged_count; i++) {
        ossa_issue issue = figures->damaged[i];
        all->plan = mix_text(all->plan, issue.path);
        if (!is_ours(all, all->unreadable_count++)) continue;
        issue.severity = OSSA_SEVERITY_ERROR;
        if (count++ < SHOWN) complain_issue(&issue);
        texts_add(&all->unreadable, copy_text(issue.path));
    }
    if (count <= SHOWN) return;
    complain("%zu more files cannot be used; `ossa check` lists them", count - SHOWN);
}

/* Drop the inputs that are shared by all: each figure reports what is damaged there. */
static void choose_inputs(struct all *all, size_t first)
{
    const struct cli *cli = all->cli;
    bool *has =
        allocate(cli->input_count, sizeof *has); /* asked once: files may vanish meanwhile */
    size_t bodies = 0;
    for (size_t i = 0; i < cli->input_count; i++) {
        has[i] = has_body(cli, all->figures[i]);
        if (has[i]) bodies++;
    }
    for (size_t i = 0; i < cli->input_count; i++) {
        /* Without a body anywhere, the first input is converted as it is. */
        if (bodies > 0 ? has[i] : i == first) {
            list_damaged(all, all->figures[i]);
            continue;
        }
        ossa_figures_free(all->figures[i]);
        all->figures[i] = NULL;
    }
    free(has);
}

/* The figures of each input; false after a message. */
static bool list_figures(struct all *all)
{
    struct cli *cli = all->cli;
    ossa_error error;
    size_t first = cli->input_count; /* that has any figure */
    /* Check that the inputs exist; otherwise every figure would report it. */
    for (size_t i = 0; i < cli->input_count; i++) {
        if (!note_input(cli, cli->inputs[i])) return false;
    }
    if (cli->texture != NULL && !note_input(cli, cli->texture)) return false;
    for (size_t i = 0; i < cli->input_count; i++) {
        all->figures[i] = ossa_workspace_figures(cli->workspace, cli->inputs[i], &error);
        if (all->figures[i] == NULL) {
            complain_error(cli->inputs[i], &error);
            return false;
        }
        if (all->figures[i]->count > 0 && first == cli->input_count) first = i;
    }
    if (first == cli->input_count) {
        for (size_t i = 0; i < cli->input_count; i++) list_damaged(all, all->figures[i]);
        if (first == 1) complain("%s contains no figures", cli->inputs[0]);
        else complain("the inputs contain no figures");
        return false;
    }
    choose_inputs(all, first);
    return true;
}

/* ---- figures ------------------------------------------------------------------------------- */

/* The same for a figure that is found through two inputs, whatever names lead to it. */
static uint64_t hash_figure(const ossa_figure *figure)
{
    const char *path = figure->paths[0];
    const char *file = figure->file_count > 0 ? figure->files[0] : "";
    size_t size = strlen(file);
    char *full = size > 0 && strncmp(path, file, size) == 0 ? os_full_path(file) : NULL;
    char *text = full == NULL ? copy_text(path) : format_text("%s%s", full, path + size);
    uint64_t hash = ossa__hash_bytes(text, strlen(text));
    free(text);
    free(full);
    return hash;
}

/* A folder may add textures to a figure that an earlier input has without them. */
static void take_fuller(struct all *all, uint64_t hash, const ossa_figure *figure, size_t input)
{
    for (size_t i = 0; i < all->count; i++) {
        struct model *model = &all->models[i];
        if (model->key != hash || model->figure->path_count >= figure->path_count) continue;
        model->figure = figure;
        model->input = input;
    }
}

/* The figures of an input, except those of earlier inputs. */
static void add_models(struct all *all, struct names *known, size_t input)
{
    const ossa_figures *figures = all->figures[input];
    struct names own = {0};
    for (size_t i = 0; i < figures->count; i++) {
        uint64_t hash = hash_figure(&figures->items[i]);
        /* If several entries have the same name, a path leads to the first. */
        bool is_repeated = names_has(&own, hash);
        if (!is_repeated && names_has(known, hash)) {
            take_fuller(all, hash, &figures->items[i], input);
            continue;
        }
        (void)names_add(&own, hash);
        (void)names_add(known, hash);
        all->models = make_room(all->models, all->count, sizeof *all->models);
        all->models[all->count++] = (struct model){
            .figure = &figures->items[i], .input = input, .key = hash, .is_repeated = is_repeated};
    }
    names_free(&own);
}

static void name_outputs(struct all *all)
{
    struct names used = {0};
    struct texts files = {0};
    bool is_json = all->target == TARGET_JSON;
    if (is_json) (void)names_add(&used, ossa__hash_path(REPORT)); /* a figure may be called that */
    for (size_t i = 0; i < all->count; i++) {
        const char *name = all->models[i].figure->name;
        bool is_report = is_json && ossa__matches(SHARD_REPORTS, name);
        texts_add(&files, format_text("%s%s", name, is_report ? "_2" : ""));
    }
    make_file_names(&used, &files, is_json ? ".json" : ".glb");
    for (size_t i = 0; i < all->count; i++) {
        all->models[i].output = path_in(all->cli->output, files.items[i]);
    }
    texts_free(&files);
    names_free(&used);
}

/* Forget the models of other shards. */
static void keep_shard(struct all *all)
{
    const struct shard *shard = &all->cli->shard;
    all->archive = all->cli->inputs[all->models[0].input];
    all->total_count = all->count;
    all->report = shard->count == 0 ? copy_text(REPORT)
                                    : format_text("report-%" PRIu32 "-of-%" PRIu32 ".json",
                                                  shard->number, shard->count);
    all->count = 0;
    for (size_t i = 0; i < all->total_count; i++) {
        struct model *model = &all->models[i];
        const ossa_figure *figure = model->figure;
        for (size_t k = 0; k < figure->path_count; k++) {
            all->plan = mix_text(all->plan, figure->paths[k]);
        }
        for (size_t k = 0; k < figure->file_count && shard->count > 0; k++) {
            all->plan = mix_file(all->plan, figure->files[k], false);
        }
        if (is_ours(all, i)) all->models[all->count++] = *model;
        else free(model->output);
    }
}

bool find_models(struct all *all)
{
    struct names known = {0};
    all->figures = allocate(all->cli->input_count, sizeof(ossa_figures *));
    if (!list_figures(all)) return false;
    for (size_t i = 0; i < all->cli->input_count; i++) {
        if (all->figures[i] != NULL) add_models(all, &known, i);
    }
    names_free(&known);
    limit_models(all);
    name_outputs(all); /* of all shards: a name must not depend on how they are split */
    keep_shard(all);
    return true;
}
