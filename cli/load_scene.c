/* SPDX-License-Identifier: MIT
 *
 * From the inputs to one scene. */
#include "load_scene.h"

#include "base/fold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A scene that is being loaded. */
struct loading {
    struct cli *cli;
    size_t skipped;     /* files that cannot be part of a scene */
    size_t reported;    /* files that the scene fails for */
    char *issue_path;   /* of the last file with issues, from malloc */
    size_t issue_count; /* of that file */
};

static void on_scene_issue(void *user, const ossa_issue *issue)
{
    struct cli *cli = user;
    if (issue->severity == OSSA_SEVERITY_ERROR) cli->left_out++;
    complain_issue(issue);
}

/* A file that cannot be read, is left out, or has warnings; only the first are printed. */
static void on_file_issue(void *user, const ossa_issue *issue)
{
    enum { SHOWN = 10 };
    struct loading *loading = user;
    if (issue->severity == OSSA_SEVERITY_REMARK) {
        if (issue->code == OSSA_CODE_PASSED_OVER) loading->skipped++;
        return;
    }
    if (issue->severity >= OSSA_SEVERITY_ERROR) {
        if (issue->severity == OSSA_SEVERITY_ERROR) loading->cli->left_out++;
        else loading->reported++;
        complain_issue(issue);
        return;
    }
    if (loading->issue_path == NULL || strcmp(loading->issue_path, issue->path) != 0) {
        free(loading->issue_path);
        loading->issue_path = copy_text(issue->path);
        loading->issue_count = 0;
    }
    if (loading->issue_count++ < SHOWN) complain_issue(issue);
    else if (loading->issue_count == SHOWN + 1) {
        complain("%s: more issues; `ossa check` lists them all", shown_name(issue->path));
    }
}

static void on_file(void *user, const char *path)
{
    const struct loading *loading = user;
    note_file(loading->cli, path);
}

/* As many names of clips are listed in a message. */
enum { LISTED_CLIPS = 20 };

bool is_wanted_clip(struct cli *cli, const char *name)
{
    bool wanted = false;
    if (cli->known_count++ < LISTED_CLIPS) texts_add(&cli->known_clips, copy_text(name));
    for (size_t i = 0; i < cli->clips.count; i++) {
        if (!ossa__matches(cli->clips.items[i], name)) continue;
        cli->found_clips[i] = true;
        wanted = true;
    }
    return wanted;
}

static bool wants_clip(void *user, const char *name)
{
    return is_wanted_clip(user, name);
}

static void complain_failure(const struct loading *loading, const ossa_error *error)
{
    if (loading->reported > 0) return; /* each file has been reported */
    if (error->path[0] != '\0') {
        complain_error(error->path, error);
        return;
    }
    if (error->code == OSSA_CODE_LIMIT) { /* of all inputs together: which ones, at least */
        complain_error(loading->cli->inputs[0], error);
        return;
    }
    char text[ISSUE_CAPACITY];
    (void)ossa_error_text(error, text, sizeof text);
    complain("%s%s", text, hint_of(error->code));
}

ossa_scene *load_scene(struct cli *cli)
{
    struct loading loading = {.cli = cli};
    ossa_error error = {0};
    const char **paths = allocate(cli->input_count + 1, sizeof *paths);
    size_t count = 0;
    for (; count < cli->input_count; count++) paths[count] = cli->inputs[count];
    if (cli->texture != NULL) paths[count++] = cli->texture;
    cli->scene.on_group = on_scene_issue;
    cli->scene.user = cli;
    if (cli->clips.count > 0) {
        cli->found_clips = allocate(cli->clips.count, sizeof *cli->found_clips);
        cli->scene.wants_clip = wants_clip;
    }
    const ossa_load_options options = {.scene = &cli->scene,
                                       .read = &cli->read,
                                       .on_issue = on_file_issue,
                                       .on_file = on_file,
                                       .user = &loading};
    ossa_scene *scene = ossa_workspace_scene(cli->workspace, paths, count, &options, &error);
    if (loading.skipped > 0 && loading.reported == 0) {
        complain("skipped %zu file%s that cannot be part of a scene", loading.skipped,
                 plural(loading.skipped));
    }
    if (scene == NULL) complain_failure(&loading, &error);
    cli->is_limited = scene == NULL && error.code == OSSA_CODE_LIMIT;
    if (scene != NULL && cli->read.strict && scene->warning_count > 0) {
        complain("%zu warning%s, refused because of --strict", scene->warning_count,
                 plural(scene->warning_count));
        ossa_scene_free(scene);
        scene = NULL;
    }
    free(loading.issue_path);
    free(paths);
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
static void complain_clips(const struct cli *cli, const char *word, const ossa_scene *scene)
{
    char names[2048] = "none";
    size_t used = 0;
    size_t shown = 0;
    size_t count = cli->scene.join ? scene->clip_count : cli->known_count;
    for (; shown < count && shown < LISTED_CLIPS; shown++) {
        const char *name =
            cli->scene.join ? scene->clips[shown].name : cli->known_clips.items[shown];
        size_t size = strlen(name) + (shown > 0 ? 2 : 0);
        if (used + size >= sizeof names) break;
        (void)snprintf(names + used, sizeof names - used, "%s%s", shown > 0 ? ", " : "", name);
        used += size;
    }
    char more[32] = "";
    if (shown < count) (void)snprintf(more, sizeof more, " and %zu more", count - shown);
    complain("no clip '%s'; clips: %s%s", word, names, more);
}

/* Has joining left only the clips that --clip selects? Their own names are gone. */
static bool is_picked(const struct cli *cli)
{
    bool any = false;
    for (size_t i = 0; i < cli->clips.count; i++) any = any || cli->found_clips[i];
    return any && cli->scene.join;
}

/* Select clips by a name, which takes precedence, or a pattern; false if there are none. */
static bool select_clips(const ossa_scene *scene, const char *word, uint8_t *wanted)
{
    const ossa_clip *exact = ossa_scene_find_clip(scene, word);
    bool any = false;
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        const ossa_clip *clip = &scene->clips[i];
        if (exact != NULL ? clip != exact : !ossa__matches(word, clip->name)) continue;
        wanted[i] = 1;
        any = true;
    }
    return any;
}

uint8_t *pick_clips(const struct cli *cli, const ossa_scene *scene, size_t *count)
{
    uint8_t *wanted = allocate(scene->clip_count, 1);
    bool is_joined = is_picked(cli);
    if (cli->clips.count == 0 || is_joined) memset(wanted, 1, scene->clip_count);
    for (size_t i = 0; i < cli->clips.count; i++) {
        const char *word = cli->clips.items[i];
        if (is_joined ? cli->found_clips[i] : select_clips(scene, word, wanted)) continue;
        complain_clips(cli, word, scene);
        free(wanted);
        return NULL;
    }
    *count = 0;
    for (uint32_t i = 0; i < scene->clip_count; i++) *count += wanted[i];
    return wanted;
}
