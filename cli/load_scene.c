/* SPDX-License-Identifier: MIT
 *
 * From the inputs of a call to one scene. */
#include "load_scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct files {
    struct loaded *loaded;
    ossa_input *inputs;
    char **paths; /* where the name on the call says nothing; NULL: as it is */
    size_t count;
};

static void free_files(struct files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        unload(&files->loaded[i]);
        free(files->paths[i]);
    }
    free(files->paths);
    free(files->loaded);
    free(files->inputs);
}

static void on_issue(void *user, const ossa_issue *issue)
{
    char text[OSSA_MESSAGE_CAPACITY + OSSA_FIELD_CAPACITY + 64];
    (void)user;
    (void)ossa_issue_text(issue, text, sizeof text);
    complain("%s: %s", ossa_severity_name(issue->severity), text);
}

/* A clip is named after its file or folder: "-", "./hp.anm" and "../hp.anm" do not say which. A
 * path that does, from malloc, or NULL where the path is fine. */
static char *naming_path(const char *path)
{
    if (strcmp(path, "-") == 0) return strdup("standard input");
    bool is_here = strncmp(path, "./", 2) == 0 && strchr(path + 2, '/') == NULL;
    bool is_above = strncmp(path, "../", 3) == 0 && strchr(path + 3, '/') == NULL;
    return is_here || is_above ? os_full_path(path) : NULL;
}

/* Read all that a scene can be made of; false when something is bad. */
static bool read_files(const struct cli *cli, const struct input_list *list, struct files *files)
{
    bool ok = !list->failed;
    size_t passed_over = 0;
    files->loaded = calloc(list->count + 1, sizeof *files->loaded);
    files->inputs = calloc(list->count + 1, sizeof *files->inputs);
    files->paths = calloc(list->count + 1, sizeof *files->paths);
    if (files->loaded == NULL || files->inputs == NULL || files->paths == NULL) {
        complain("no memory for the list of files");
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        const struct input *input = &list->items[i];
        struct loaded *loaded = &files->loaded[files->count];
        ossa_error error;
        if (!load(input->path, &cli->read, loaded, &error)) {
            if (is_stray(input, &error)) {
                passed_over++;
                continue;
            }
            complain_error(input->path, &error);
            ok = false;
            continue;
        }
        /* What a folder holds besides is not in the way; what was named is to be told of. */
        if (!input->named && !ossa_format_can(loaded->file->format, OSSA_CAN_ASSEMBLE)) {
            unload(loaded);
            passed_over++;
            continue;
        }
        /* A file with errors is refused with the first of them. */
        if (loaded->file->error_count == 0) complain_issues(input->path, loaded->file);
        files->paths[files->count] = naming_path(input->path);
        const char *path =
            files->paths[files->count] == NULL ? input->path : files->paths[files->count];
        files->inputs[files->count++] = (ossa_input){path, loaded->file};
    }
    if (passed_over > 0) {
        complain("%zu file%s that no scene can be made of passed over", passed_over,
                 plural(passed_over));
    }
    if (ok && files->count == 0) {
        complain("there is nothing here that a scene can be made of");
        ok = false;
    }
    return ok;
}

/* What goes in is never lost to what comes out. */
static bool replaces_input(const struct cli *cli, const struct files *files)
{
    const char *outputs[2] = {cli->output, cli->second_output};
    for (size_t i = 0; i < 2 * files->count; i++) {
        const char *output = outputs[i % 2];
        if (output == NULL || !os_is_same_file(files->inputs[i / 2].path, output)) continue;
        complain("%s would replace its own input", output);
        return true;
    }
    return false;
}

/* Which files were met, those that were passed over in a folder too: outputs whose names are not
 * known yet must not replace them. */
static bool note_files(struct cli *cli, const struct input_list *list)
{
    cli->read_files = calloc(list->count + 1, sizeof *cli->read_files);
    for (size_t i = 0; cli->read_files != NULL && i < list->count; i++) {
        if (os_identify(list->items[i].path, &cli->read_files[cli->read_count])) {
            cli->read_count++;
        }
    }
    if (cli->read_files == NULL) complain("no memory for the list of files");
    return cli->read_files != NULL;
}

/* * stands for any characters, ? for one. Goes back to the last * only, so it is never slow. */
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

/* For --join: whether --clip means a clip. */
static bool wants_clip(void *user, const char *name)
{
    struct cli *cli = user;
    bool wanted = matches(cli->clip, name);
    if (wanted) cli->has_picked = true;
    return wanted;
}

ossa_scene *load_scene(struct cli *cli, int *status)
{
    struct input_list list;
    struct files files = {0};
    ossa_scene *scene = NULL;
    *status = EXIT_BAD_DATA;
    if (!list_inputs(cli, true, &list)) return NULL;
    if (!read_files(cli, &list, &files) || !note_files(cli, &list)) {
        /* said already */
    } else if (replaces_input(cli, &files)) {
        *status = EXIT_BAD_CALL;
    } else {
        ossa_error error;
        cli->scene.on_issue = on_issue;
        cli->scene.user = cli;
        if (cli->clip != NULL) cli->scene.wants_clip = wants_clip;
        scene = ossa_assemble(files.inputs, files.count, &cli->scene, &error);
        if (scene == NULL) {
            char text[OSSA_MESSAGE_CAPACITY + OSSA_FIELD_CAPACITY + 64];
            (void)ossa_error_text(&error, text, sizeof text);
            complain("%s", text);
        } else {
            *status = EXIT_FINE;
        }
    }
    free_files(&files);
    free_inputs(&list);
    return scene;
}

void print_speed(const ossa_clip *clip)
{
    double x = (double)clip->velocity[0];
    double z = (double)clip->velocity[2];
    if (!clip->in_place) return;
    (void)printf(", %.4g m/s taken out", sqrt(x * x + z * z));
    if (x != 0.0 || z != 0.0) (void)printf(" (x %.4g, z %.4g)", x, z);
}

/* That there is no such clip, and which there are. */
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
    complain("there is no clip '%s'; there %s %s%s", cli->clip,
             scene->clip_count == 1 ? "is" : "are", names, more);
}

uint8_t *pick_clips(const struct cli *cli, const ossa_scene *scene, size_t *count)
{
    uint8_t *wanted = calloc(scene->clip_count + 1U, 1);
    *count = 0;
    if (wanted == NULL) {
        complain("no memory for the list of clips");
        return NULL;
    }
    const ossa_clip *exact = cli->clip == NULL ? NULL : ossa_scene_find_clip(scene, cli->clip);
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        const ossa_clip *clip = &scene->clips[i];
        bool is_wanted = true; /* an exact name goes before what a pattern may mean */
        if (cli->has_picked) is_wanted = true; /* joining has left only those */
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
