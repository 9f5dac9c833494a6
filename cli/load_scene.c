/* SPDX-License-Identifier: MIT
 *
 * From the inputs of a call to one scene. */
#include "load_scene.h"
#include "scene_files.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void on_issue(void *user, const ossa_issue *issue)
{
    char text[OSSA_MESSAGE_CAPACITY + OSSA_FIELD_CAPACITY + 64];
    (void)user;
    (void)ossa_issue_text(issue, text, sizeof text);
    complain("%s: %s", ossa_severity_name(issue->severity), text);
}

static void note_file(struct cli *cli, const char *path)
{
    if (os_identify(path, &cli->read_files[cli->read_count])) cli->read_count++;
}

/* Which files on the disk were used, archives too, and after them all that were met: what goes in
 * is never lost to what comes out. */
static bool note_files(struct cli *cli, const struct input_list *list, const struct files *files)
{
    size_t most = files->count + files->archive_count + list->count + 1;
    for (const struct archives *a = cli->archives; a != NULL; a = a->shared) most += a->count;
    cli->read_files = calloc(most, sizeof *cli->read_files);
    if (cli->read_files == NULL) {
        complain("no memory for the list of files");
        return false;
    }
    for (size_t i = 0; i < files->count; i++) note_file(cli, files->shown[i]);
    for (size_t i = 0; i < files->archive_count; i++) {
        note_file(cli, files->archives[i]->archive->shown);
    }
    for (const struct archives *a = cli->archives; a != NULL; a = a->shared) {
        for (size_t i = 0; i < a->count; i++) note_file(cli, a->open[i]->shown);
    }
    cli->used_count = cli->read_count;
    for (size_t i = 0; i < list->count; i++) note_file(cli, list->items[i].path);
    return true;
}

static bool is_among(const struct cli *cli, const char *path, size_t count)
{
    struct os_file_id id;
    if (!os_identify(path, &id)) return false;
    for (size_t i = 0; i < count; i++) {
        const struct os_file_id *read = &cli->read_files[i];
        if (read->device == id.device && read->number == id.number) return true;
    }
    return false;
}

bool was_met(const struct cli *cli, const char *path)
{
    return is_among(cli, path, cli->read_count);
}

static bool replaces_input(const struct cli *cli)
{
    const char *outputs[2] = {cli->output, cli->second_output};
    for (size_t i = 0; i < 2; i++) {
        if (outputs[i] == NULL || !is_among(cli, outputs[i], cli->used_count)) continue;
        complain("%s would replace its own input", outputs[i]);
        return true;
    }
    return false;
}

/* For --join and --morph: whether --clip means a clip. What is joined is picked by that. */
static bool wants_clip(void *user, const char *name)
{
    struct cli *cli = user;
    bool wanted = matches(cli->clip, name);
    if (wanted && cli->scene.join) cli->has_picked = true;
    return wanted;
}

/* --texture goes before what textures are called. */
static ossa_ei_options choose_texture(const struct cli *cli, const struct files *files)
{
    ossa_ei_options options = {0};
    if (cli->scene.ei != NULL) options = *cli->scene.ei;
    for (size_t i = 0; cli->texture != NULL && i < files->count; i++) {
        if (strcmp(files->shown[i], cli->texture) == 0) options.texture = cli->texture;
    }
    return options;
}

ossa_scene *load_scene(struct cli *cli, int *status)
{
    struct input_list list;
    struct files files = {.cli = cli};
    ossa_scene *scene = NULL;
    *status = EXIT_BAD_DATA;
    if (!list_inputs(cli, true, &list)) return NULL;
    if (!read_files(&list, &files) || !note_files(cli, &list, &files)) {
        /* said already */
    } else if (replaces_input(cli)) {
        *status = EXIT_BAD_CALL;
    } else {
        ossa_error error;
        cli->scene.on_issue = on_issue;
        cli->scene.user = cli;
        if (cli->clip != NULL) cli->scene.wants_clip = wants_clip;
        ossa_scene_options options = cli->scene;
        const ossa_ei_options ei = choose_texture(cli, &files);
        options.ei = &ei;
        scene = ossa_assemble(files.inputs, files.count, &options, &error);
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
