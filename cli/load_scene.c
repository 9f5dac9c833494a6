/* SPDX-License-Identifier: MIT
 *
 * From the inputs to one scene. */
#include "load_scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reports ------------------------------------------------------------------------------- */

static void on_scene_issue(void *user, const ossa_issue *issue)
{
    (void)user;
    complain_issue(issue);
}

/* A file that cannot be read, is left out, or has warnings; only the first are printed. */
static void on_file_issue(void *user, const ossa_issue *issue)
{
    enum { SHOWN = 10 };
    struct cli *cli = user;
    if (issue->severity == OSSA_SEVERITY_REMARK) {
        cli->skipped++;
        return;
    }
    if (issue->severity == OSSA_SEVERITY_UNREADABLE) {
        cli->reported++;
        complain_issue(issue);
        return;
    }
    bool is_same = cli->issue_path != NULL && strcmp(cli->issue_path, issue->path) == 0;
    if (!is_same) {
        free(cli->issue_path);
        cli->issue_path = strdup(issue->path);
        cli->issue_count = 0;
    }
    if (cli->issue_count++ < SHOWN) complain_issue(issue);
    else if (cli->issue_count == SHOWN + 1) {
        complain("%s: more issues; `ossa check` lists them all", shown_name(issue->path));
    }
}

/* ---- files of the scene -------------------------------------------------------------------- */

static void note_file(struct cli *cli, const char *path)
{
    struct os_file_id id;
    if (!identify_file(path, &id)) return;
    /* Files of one archive follow each other. */
    const struct os_file_id *last =
        cli->read_count == 0 ? NULL : &cli->read_files[cli->read_count - 1];
    if (last != NULL && os_same_id(last, &id)) return;
    bool is_full = (cli->read_count & (cli->read_count - 1)) == 0;
    size_t room = cli->read_count == 0 ? 1 : 2 * cli->read_count;
    struct os_file_id *larger =
        is_full ? realloc(cli->read_files, room * sizeof *larger) : cli->read_files;
    if (larger == NULL) {
        cli->out_of_memory = true;
        return;
    }
    cli->read_files = larger;
    cli->read_files[cli->read_count++] = id;
}

static void on_file(void *user, const char *path)
{
    note_file(user, path);
}

static bool is_among(const struct cli *cli, const char *path)
{
    struct os_file_id id;
    if (!os_identify(path, &id)) return false;
    for (size_t i = 0; i < cli->read_count; i++) {
        if (os_same_id(&cli->read_files[i], &id)) return true;
    }
    return false;
}

/* ---- all files of the inputs --------------------------------------------------------------- */

static ossa_step compare_visit(void *user, const ossa_visit *visit)
{
    struct os_file_id *wanted = user;
    struct os_file_id id;
    bool is_it = os_identify(visit->path, &id) && os_same_id(&id, wanted);
    if (is_it) *wanted = (struct os_file_id){0};
    return is_it ? OSSA_STEP_STOP : OSSA_STEP_OVER;
}

bool is_input(const struct cli *cli, const char *path)
{
    struct os_file_id id;
    if (!os_identify(path, &id)) return false;
    if (is_among(cli, path)) return true;
    const ossa_walk_options walk = {
        .detail = OSSA_DETAIL_NAMES, .visit = compare_visit, .user = &id};
    for (size_t i = 0; i < cli->input_count && id.number != 0; i++) {
        (void)ossa_workspace_walk(cli->workspace, cli->inputs[i], &walk, NULL);
    }
    return id.number == 0;
}

static bool overwrites_input(const struct cli *cli)
{
    const char *outputs[2] = {cli->output, cli->second_output};
    for (size_t i = 0; i < 2; i++) {
        if (outputs[i] == NULL || !is_among(cli, outputs[i])) continue;
        complain("%s would overwrite an input", outputs[i]);
        return true;
    }
    return false;
}

/* * matches any characters, ? one. Only the last * is retried, so this is never slow. */
static bool matches(const char *pattern, const char *text)
{
    const char *star = NULL;
    const char *retry = NULL;
    while (*text != '\0') {
        if (*pattern == '*') {
            star = pattern++;
            retry = text;
        } else if (*pattern == '?' || *pattern == *text) {
            pattern++;
            text++;
        } else if (star != NULL) {
            pattern = star + 1;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == '\0';
}

/* ---- the scene ----------------------------------------------------------------------------- */

/* For --join and --morph: does --clip match? Joining then leaves only what matches. */
static bool wants_clip(void *user, const char *name)
{
    struct cli *cli = user;
    bool wanted = matches(cli->clip, name);
    if (wanted && cli->scene.join) cli->has_picked = true;
    return wanted;
}

/* The inputs, and --texture. */
static const char **list_paths(const struct cli *cli, size_t *count)
{
    const char **paths = calloc(cli->input_count + 1, sizeof *paths);
    *count = 0;
    if (paths == NULL) return NULL;
    for (size_t i = 0; i < cli->input_count; i++) paths[(*count)++] = cli->inputs[i];
    if (cli->texture != NULL) paths[(*count)++] = cli->texture;
    return paths;
}

static void complain_failure(const struct cli *cli, const ossa_error *error)
{
    if (cli->reported > 0) return; /* each file has been reported */
    if (error->path[0] != '\0') {
        complain_error(error->path, error);
        return;
    }
    char text[ISSUE_CAPACITY];
    (void)ossa_error_text(error, text, sizeof text);
    complain("%s%s", text, hint_of(error->code));
}

ossa_scene *load_scene(struct cli *cli, int *status)
{
    size_t count;
    const char **paths = list_paths(cli, &count);
    ossa_error error = {0};
    ossa_scene *scene = NULL;
    *status = EXIT_BAD_DATA;
    if (paths == NULL) {
        complain("out of memory for the list of files");
        return NULL;
    }
    cli->scene.on_issue = on_scene_issue;
    cli->scene.user = cli;
    if (cli->clip != NULL) cli->scene.wants_clip = wants_clip;
    const ossa_load_options options = {.scene = &cli->scene,
                                       .read = &cli->read,
                                       .on_issue = on_file_issue,
                                       .on_file = on_file,
                                       .user = cli};
    scene = ossa_workspace_scene(cli->workspace, paths, count, &options, &error);
    free(paths);
    if (cli->skipped > 0 && cli->reported == 0) {
        complain("skipped %zu file%s that cannot be part of a scene", cli->skipped,
                 plural(cli->skipped));
    }
    if (scene == NULL) complain_failure(cli, &error);
    if (scene != NULL && (cli->out_of_memory || overwrites_input(cli))) {
        if (cli->out_of_memory) complain("out of memory for the list of files");
        else *status = EXIT_BAD_CALL;
        ossa_scene_free(scene);
        return NULL;
    }
    if (scene != NULL) *status = EXIT_FINE;
    return scene;
}

/* ---- clips --------------------------------------------------------------------------------- */

void print_speed(const ossa_clip *clip)
{
    double x = (double)clip->velocity[0];
    double z = (double)clip->velocity[2];
    if (!clip->in_place) return;
    (void)printf(", %.4g m/s removed", sqrt(x * x + z * z));
    if (x != 0.0 || z != 0.0) (void)printf(" (x %.4g, z %.4g)", x, z);
}

/* Report that there is no such clip, and list the clips. */
static void complain_clips(const struct cli *cli, const ossa_scene *scene)
{
    enum { SHOWN = 20 };
    char names[2048] = "none";
    size_t used = 0;
    uint32_t shown = 0;
    for (; shown < scene->clip_count && shown < SHOWN; shown++) {
        const char *name = scene->clips[shown].name;
        size_t size = strlen(name) + (shown > 0 ? 2 : 0);
        if (used + size >= sizeof names) break;
        (void)snprintf(names + used, sizeof names - used, "%s%s", shown > 0 ? ", " : "", name);
        used += size;
    }
    char more[32] = "";
    if (shown < scene->clip_count) {
        (void)snprintf(more, sizeof more, " and %" PRIu32 " more", scene->clip_count - shown);
    }
    complain("no clip '%s'; clips: %s%s", cli->clip, names, more);
}

uint8_t *pick_clips(const struct cli *cli, const ossa_scene *scene, size_t *count)
{
    uint8_t *wanted = calloc(scene->clip_count + 1U, 1);
    *count = 0;
    if (wanted == NULL) {
        complain("out of memory for the list of clips");
        return NULL;
    }
    const ossa_clip *exact = cli->clip == NULL ? NULL : ossa_scene_find_clip(scene, cli->clip);
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        const ossa_clip *clip = &scene->clips[i];
        bool is_wanted = true;                 /* an exact name takes precedence over a pattern */
        if (cli->has_picked) is_wanted = true; /* joining has left only these */
        else if (exact != NULL) is_wanted = clip == exact;
        else if (cli->clip != NULL) is_wanted = matches(cli->clip, clip->name);
        wanted[i] = is_wanted ? 1 : 0;
        *count += is_wanted ? 1 : 0;
    }
    if (cli->clip == NULL || *count > 0) return wanted;
    complain_clips(cli, scene);
    free(wanted);
    return NULL;
}
