/* SPDX-License-Identifier: MIT
 *
 * The figures on both sides, and their clips. Scenes take time, so only those are made of which a
 * file differs. */
#include "workspace/diff.h"

#include "base/fold.h"
#include "codec/context.h"
#include "scene/diff.h"

#include <stdlib.h>
#include <string.h>

/* The figures of one side that can become scenes. */
struct figures {
    ossa_figures *all;
    const ossa_figure **items; /* by name */
    size_t count;
};

static bool has_skeleton(const ossa_figure *figure)
{
    for (size_t i = 0; i < figure->missing_count; i++) {
        if (strcmp(figure->missing[i], "skeleton") == 0) return false;
    }
    return true;
}

static int by_name(const void *a, const void *b)
{
    const ossa_figure *x = *(const ossa_figure *const *)a;
    const ossa_figure *y = *(const ossa_figure *const *)b;
    int order = ossa__compare_names(x->name, y->name);
    return order != 0 ? order : (x > y) - (x < y);
}

/* Files that cannot be read are of no figure; false: the comparison has to end. */
static bool find_figures(struct ossa__differ *differ, const char *path, struct figures *figures)
{
    ossa_error error = {0};
    figures->all = ossa_workspace_figures(differ->workspace, path, &error);
    if (figures->all == NULL) {
        return !ossa__is_fatal(error.code) || ossa__differ_fail(differ, &error);
    }
    uint64_t room = ((uint64_t)figures->all->count + 1) * sizeof(const ossa_figure *);
    figures->items = ossa__arena_take(&differ->arena, room);
    if (figures->items == NULL) return ossa__differ_out_of_memory(differ, path);
    for (size_t i = 0; i < figures->all->count; i++) {
        const ossa_figure *figure = &figures->all->items[i];
        if (has_skeleton(figure)) figures->items[figures->count++] = figure;
    }
    if (figures->count > 1) {
        qsort(figures->items, figures->count, sizeof(const ossa_figure *), by_name);
    }
    return true;
}

/* ---- those of which a file differs --------------------------------------------------------- */

/* A walk through the files of a figure. */
struct touching {
    struct ossa__differ *differ;
    unsigned side;
    bool is_touched;
};

static bool is_touched(struct ossa__differ *differ, unsigned side, const char *path)
{
    size_t size = strlen(path);
    while (size > 1 && path[size - 1] == '/') size--;
    const char *copy = ossa__copy(&differ->arena, path, size); /* it may become a key */
    if (copy == NULL) return true;
    const struct ossa__cell *cell =
        ossa__table_put(&differ->touched[side], &differ->arena, copy, size);
    return cell == NULL || cell->value != 0;
}

static ossa_step visit_file(void *user, const ossa_visit *visit)
{
    struct touching *touching = user;
    if (visit->is_part) return OSSA_STEP_INTO;
    touching->is_touched = is_touched(touching->differ, touching->side, visit->path);
    return touching->is_touched ? OSSA_STEP_STOP : OSSA_STEP_OVER;
}

/* A path of a figure may also stand for several entries of an archive. */
static bool is_figure_touched(struct ossa__differ *differ, unsigned side, const ossa_figure *figure)
{
    struct touching touching = {.differ = differ, .side = side};
    const ossa_walk_options walk = {
        .detail = OSSA_DETAIL_NAMES, .visit = visit_file, .user = &touching};
    for (size_t i = 0; i < figure->path_count && !touching.is_touched; i++) {
        touching.is_touched = is_touched(differ, side, figure->paths[i]);
        if (touching.is_touched || strchr(figure->paths[i], '#') == NULL) continue;
        (void)ossa_workspace_walk(differ->workspace, figure->paths[i], &walk, NULL);
    }
    return touching.is_touched;
}

/* ---- scenes -------------------------------------------------------------------------------- */

static bool goes_on(void *user, const char *clip, ossa_error *error)
{
    struct ossa__differ *differ = user;
    return ossa__workspace_progress(differ->workspace, clip, ++differ->seen, 0, error);
}

static bool compare_scenes(struct ossa__differ *differ, const ossa_figure *const figures[2],
                           bool *found)
{
    const ossa_load_options options = {.scene = differ->options->scene};
    ossa_scene *scenes[2] = {NULL, NULL};
    ossa_error errors[2] = {{.code = OSSA_CODE_OK}, {.code = OSSA_CODE_OK}};
    bool ok = true;
    for (unsigned s = 0; s < 2 && ok; s++) {
        scenes[s] = ossa_workspace_scene(differ->workspace, figures[s]->paths,
                                         figures[s]->path_count, &options, &errors[s]);
        if (ossa__is_fatal(errors[s].code)) ok = ossa__differ_fail(differ, &errors[s]);
    }
    if (ok && scenes[0] != NULL && scenes[1] != NULL) {
        const struct ossa__scene_diff job = {.scenes = {scenes[0], scenes[1]},
                                             .figure = figures[0]->name,
                                             .options = differ->options,
                                             .diff = &differ->diff,
                                             .goes_on = goes_on,
                                             .user = differ};
        ossa_error error = {0};
        *found = true;
        ok = ossa__diff_scenes(&job, differ->workspace->allocator, &error) ||
             ossa__differ_fail(differ, &error);
    } else if (ok && (scenes[0] != NULL || scenes[1] != NULL)) {
        unsigned side = scenes[0] == NULL ? 0 : 1;
        if (errors[side].path[0] == '\0') {
            ossa__error_path(&errors[side], figures[side]->paths[0]);
        }
        ok = ossa__differ_skip(differ, &errors[side]);
    }
    for (unsigned s = 0; s < 2; s++) ossa_scene_free(scenes[s]);
    return ok;
}

static bool compare_figures(struct ossa__differ *differ, const ossa_figure *a, const ossa_figure *b,
                            bool all, bool *found)
{
    bool is_wanted = all || is_figure_touched(differ, 0, a) || is_figure_touched(differ, 1, b);
    return !is_wanted || compare_scenes(differ, (const ossa_figure *[]){a, b}, found);
}

bool ossa__diff_figures(struct ossa__differ *differ, const char *const paths[2], bool all,
                        bool *found)
{
    struct figures sides[2] = {{.all = NULL}, {.all = NULL}};
    bool ok = true;
    *found = false;
    for (unsigned s = 0; s < 2 && ok; s++) ok = find_figures(differ, paths[s], &sides[s]);
    if (ok && sides[0].count == 1 && sides[1].count == 1) {
        ok = compare_figures(differ, sides[0].items[0], sides[1].items[0], all, found);
    } else {
        size_t at[2] = {0, 0};
        while (ok && at[0] < sides[0].count && at[1] < sides[1].count) {
            const ossa_figure *a = sides[0].items[at[0]];
            const ossa_figure *b = sides[1].items[at[1]];
            int order = ossa__compare_names(a->name, b->name);
            if (order == 0) ok = compare_figures(differ, a, b, all, found);
            if (order <= 0) at[0]++;
            if (order >= 0) at[1]++;
        }
    }
    for (unsigned s = 0; s < 2; s++) ossa_figures_free(sides[s].all);
    return ok;
}
