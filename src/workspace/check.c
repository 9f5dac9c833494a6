/* SPDX-License-Identifier: MIT
 *
 * Do the files of each figure fit together? The game says so for those that are grouped as one
 * figure. A clip that fits no body is grouped with none, so that is looked for here. */
#include "workspace/workspace.h"

#include "scene/examine_figure.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_NAMES = 64 }; /* paths that are added one by one are meant together */

/* A figure that clips may lie with. */
struct body {
    const ossa_figure *figure;
    size_t folder; /* the size of its folder's path */
    bool is_added; /* by itself */
};

struct checker {
    ossa_workspace *workspace;
    ossa_options options;
    ossa_error *error;
    struct body *bodies; /* by game and folder */
    size_t body_count;
    /* of the figure that is being checked */
    bool is_checked; /* there is something to fit */
    size_t warning_count;
    size_t error_count;
};

/* ---- one figure ---------------------------------------------------------------------------- */

/* What was read of a figure; files with errors are reported by themselves. */
static bool examine(struct checker *checker, struct ossa__collection *c)
{
    size_t used = 0;
    ossa_input *inputs = ossa__arena_take(&c->arena, ((uint64_t)c->count + 1) * sizeof *inputs);
    if (inputs == NULL) {
        return ossa__workspace_fail(checker->error, OSSA_CODE_OUT_OF_MEMORY,
                                    c->count == 0 ? "" : c->inputs[0].shown,
                                    "no memory for the inputs");
    }
    for (size_t i = 0; i < c->count; i++) {
        const struct ossa__input *input = &c->inputs[i];
        if (input->file->error_count > 0 || ossa__format_of(input->file)->role == OSSA__ROLE_NONE) {
            continue;
        }
        inputs[used++] =
            (ossa_input){.path = input->path, .file = input->file, .shown = input->shown};
    }
    if (used < 2) return true;
    checker->is_checked = true;
    return ossa__examine(inputs, used, &checker->options, &checker->warning_count,
                         &checker->error_count, checker->error);
}

static bool examine_paths(struct checker *checker, const char *const *paths, size_t count)
{
    const ossa_options read = {.strict = checker->options.strict,
                               .dialect = checker->options.dialect};
    const ossa_load_options load = {.read = &read};
    struct ossa__collection c = {
        .workspace = checker->workspace, .options = &load, .tolerant = true};
    bool ok = ossa__collect(&c, paths, count);
    if (ok) ok = examine(checker, &c);
    else *checker->error = c.error;
    ossa__collection_free(&c);
    return ok;
}

/* ---- clips without a body ------------------------------------------------------------------ */

static bool lacks_body(const ossa_figure *figure)
{
    for (size_t i = 0; i < figure->missing_count; i++) {
        if (strcmp(figure->missing[i], "skeleton") == 0) return true;
    }
    return false;
}

/* The folder of a path, as its size. */
static size_t folder_size(const char *path)
{
    size_t size = strlen(path);
    while (size > 0 && strchr("/\\#", path[size - 1]) == NULL) size--;
    return size;
}

static bool is_added(const ossa_workspace *workspace, const char *path)
{
    for (size_t i = 0; i < workspace->root_count; i++) {
        const struct ossa__root *root = &workspace->roots[i];
        bool is_file = root->block == NULL && !root->is_removed; /* those in memory have folders */
        if (is_file && strcmp(root->path, path) == 0) return true;
    }
    return false;
}

static int compare_folders(const void *a, const void *b)
{
    const struct body *x = a;
    const struct body *y = b;
    int order = strcmp(x->figure->game, y->figure->game);
    size_t size = x->folder < y->folder ? x->folder : y->folder;
    if (order == 0) order = memcmp(x->figure->paths[0], y->figure->paths[0], size);
    if (order != 0) return order;
    return (x->folder > y->folder) - (x->folder < y->folder);
}

/* By folder, and in a folder by the number of bones. */
static int compare_bodies(const void *a, const void *b)
{
    uint32_t x = ((const struct body *)a)->figure->bone_count;
    uint32_t y = ((const struct body *)b)->figure->bone_count;
    int order = compare_folders(a, b);
    return order != 0 ? order : (x > y) - (x < y);
}

static struct body as_body(const struct checker *checker, const ossa_figure *figure)
{
    const ossa_workspace *workspace = checker->workspace;
    return (struct body){.figure = figure,
                         .folder = folder_size(figure->paths[0]),
                         .is_added = workspace->root_count <= FEW_NAMES &&
                                     is_added(workspace, figure->paths[0])};
}

/* List the bodies that lie with other files. False: no memory. */
static bool list_bodies(struct checker *checker, const ossa_figures *figures,
                        struct ossa__arena *arena)
{
    checker->bodies = ossa__arena_take(arena, ((uint64_t)figures->count + 1) * sizeof(struct body));
    for (size_t i = 0; checker->bodies != NULL && i < figures->count; i++) {
        const ossa_figure *figure = &figures->items[i];
        bool is_folder = figure->path_count == 1 && figure->clip_count > 0;
        if (figure->bone_count == 0 || figure->is_guess || is_folder || lacks_body(figure))
            continue;
        checker->bodies[checker->body_count++] = as_body(checker, figure);
    }
    if (checker->bodies == NULL) return false;
    qsort(checker->bodies, checker->body_count, sizeof *checker->bodies, compare_bodies);
    return true;
}

/* How many bodies come before those that are equal to one, or before what follows them. */
static size_t bodies_before(const struct checker *checker, const struct body *like, bool is_behind,
                            int (*compare)(const void *, const void *))
{
    size_t first = 0;
    for (size_t end = checker->body_count; first < end;) {
        size_t middle = first + (end - first) / 2;
        int order = compare(&checker->bodies[middle], like);
        if (order < 0 || (order == 0 && is_behind)) first = middle + 1;
        else end = middle;
    }
    return first;
}

/* Bodies of the same game that lie with clips: in their folder, or added by themselves as they
 * were. */
struct beside {
    const ossa_figure *first;
    size_t count;
    bool fits; /* one of them has as many bones */
};

static struct beside bodies_beside(const struct checker *checker, const ossa_figure *loose)
{
    const struct body it = as_body(checker, loose);
    size_t first = bodies_before(checker, &it, false, compare_folders);
    size_t end = bodies_before(checker, &it, true, compare_folders);
    struct beside bodies = {.first = end > first ? checker->bodies[first].figure : NULL,
                            .count = end - first,
                            .fits = bodies_before(checker, &it, true, compare_bodies) >
                                    bodies_before(checker, &it, false, compare_bodies)};
    for (size_t i = 0; it.is_added && i < checker->body_count; i++) {
        const struct body *body = &checker->bodies[i];
        if (!body->is_added || (i >= first && i < end)) continue;
        if (strcmp(body->figure->game, loose->game) != 0) continue;
        if (bodies.first == NULL) bodies.first = body->figure;
        bodies.fits = bodies.fits || body->figure->bone_count == loose->bone_count;
        bodies.count++;
    }
    return bodies;
}

/* Several bodies, and it is of none: one issue for all clips of as many bones. It may fit, but no
 * file lists it: shipped archives have such clips. */
static void report_loose(struct checker *checker, const ossa_figure *loose, struct beside bodies)
{
    const ossa_options *options = &checker->options;
    char message[OSSA_MESSAGE_CAPACITY];
    ossa_place places[OSSA_MAX_PLACES];
    ossa_severity severity = options->strict ? OSSA_SEVERITY_ERROR : OSSA_SEVERITY_WARNING;
    if (bodies.fits) severity = OSSA_SEVERITY_REMARK;
    const char *but = bodies.fits ? "none of the figures in its folder uses it; there are"
                                  : "fits none of the skeletons that lie with it; there are";
    (void)snprintf(message, sizeof message, "moves %" PRIu32 " bones, and %s %zu",
                   loose->bone_count, but, bodies.count);
    ossa_issue issue = {.severity = severity,
                        .code = OSSA_CODE_MISFIT,
                        .path = loose->paths[0],
                        .format = "",
                        .field = "",
                        .message = message,
                        .repeat_count = loose->path_count - 1,
                        .places = places};
    for (size_t i = 1; i < loose->path_count && issue.place_count < OSSA_MAX_PLACES; i++) {
        places[issue.place_count++] = (ossa_place){.path = loose->paths[i], .field = ""};
    }
    if (options->on_issue != NULL) options->on_issue(options->user, &issue);
    if (options->on_group != NULL) options->on_group(options->user, &issue);
    checker->is_checked = checker->is_checked || !bodies.fits;
    if (severity == OSSA_SEVERITY_ERROR) checker->error_count++;
    if (severity == OSSA_SEVERITY_WARNING) checker->warning_count++;
}

/* Clips that fit no body are a figure without one. With the one body that lies with them, the game
 * has something to say. */
static bool examine_loose(struct checker *checker, const ossa_figure *loose)
{
    struct ossa__arena arena;
    const struct beside bodies = bodies_beside(checker, loose);
    if (bodies.count > 1) report_loose(checker, loose, bodies);
    if (bodies.count != 1 || bodies.first == NULL) return true;
    ossa__arena_init(&arena, checker->workspace->allocator, UINT64_MAX);
    const char **paths =
        ossa__arena_take(&arena, ((uint64_t)loose->path_count + 1) * sizeof *paths);
    bool ok = paths != NULL;
    if (ok) {
        paths[0] = bodies.first->paths[0];
        memcpy(paths + 1, loose->paths, loose->path_count * sizeof *paths);
        ok = examine_paths(checker, paths, loose->path_count + 1);
    } else {
        (void)ossa__workspace_fail(checker->error, OSSA_CODE_OUT_OF_MEMORY, loose->paths[0],
                                   "no memory for the paths of a figure");
    }
    ossa__arena_free(&arena);
    return ok;
}

/* ---- all of them --------------------------------------------------------------------------- */

bool ossa_workspace_check(ossa_workspace *workspace, const char *path, const ossa_options *options,
                          ossa_check *check, ossa_error *error)
{
    ossa_error why = {0};
    ossa_check counted = {0};
    struct checker checker = {.workspace = workspace, .error = &why};
    if (options != NULL) checker.options = *options;
    if (checker.options.allocator.allocate == NULL && checker.options.allocator.release == NULL) {
        checker.options.allocator = workspace->allocator;
    }
    ossa_figures *figures = ossa_workspace_figures(workspace, path, &why);
    bool ok = figures != NULL;
    struct ossa__arena arena;
    ossa__arena_init(&arena, workspace->allocator, UINT64_MAX);
    if (ok && !list_bodies(&checker, figures, &arena)) {
        ok = ossa__workspace_fail(&why, OSSA_CODE_OUT_OF_MEMORY,
                                  ossa__path_for_error(workspace, path),
                                  "no memory for the figures");
    }
    for (size_t i = 0; ok && i < figures->count; i++) {
        const ossa_figure *figure = &figures->items[i];
        if (figure->is_guess) continue; /* what does not fit was not taken for a part of it */
        checker.is_checked = false;
        checker.warning_count = checker.error_count = 0;
        ok = examine_paths(&checker, figure->paths, figure->path_count);
        if (ok && lacks_body(figure)) ok = examine_loose(&checker, figure);
        counted.figure_count += checker.is_checked ? 1 : 0;
        if (checker.error_count > 0) counted.error_count++;
        else if (checker.warning_count > 0) counted.warning_count++;
    }
    ossa__arena_free(&arena);
    ossa_figures_free(figures);
    if (check != NULL) *check = counted;
    if (error != NULL) *error = why;
    return ok;
}
