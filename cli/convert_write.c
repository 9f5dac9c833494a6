/* SPDX-License-Identifier: MIT
 *
 * The outputs of `ossa convert`. */
#include "convert.h"

#include "load_scene.h"
#include "names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The first warnings: what applies to every clip of a folder is printed once. */
struct warned {
    size_t count;
    char texts[16][256];
};

static void on_issue(void *user, const ossa_issue *issue)
{
    const char *message = issue->message;
    struct warned *warned = user;
    const size_t capacity = sizeof warned->texts / sizeof warned->texts[0];
    for (size_t i = 0; i < warned->count; i++) {
        if (strncmp(warned->texts[i], message, sizeof warned->texts[i] - 1) == 0) return;
    }
    if (warned->count < capacity) {
        char *text = warned->texts[warned->count++];
        (void)snprintf(text, sizeof warned->texts[0], "%s", message);
    }
    complain("warning: %s", message);
}

/* Everything is written, but not yet under its name. */
static bool finish_output(struct os_output *output, const char *path)
{
    struct os_why why;
    if (os_finish_output(output, &why)) return true;
    complain("%s: %s", path, why.text);
    return false;
}

/* finish_output reports failures of the output itself, because it knows the reason. */
static void complain_write(const char *path, const ossa_error *error)
{
    if (error->code != OSSA_CODE_IO) complain_error(path, error);
}

static bool write_gltf(const ossa_scene *scene, const uint8_t *clips, const struct cli *cli)
{
    const char *path = cli->output;
    const char *bin = cli->second_output;
    struct os_output text;
    struct os_output bytes;
    ossa_error error;
    if (!open_output(&text, path)) return false;
    bool ok = open_output(&bytes, bin);
    if (ok) {
        struct warned warned = {.count = 0};
        ossa_export_options options = {.clips = clips,
                                       .bin_uri = os_base_name(bin),
                                       .skin = cli->skin,
                                       .on_issue = on_issue,
                                       .user = &warned};
        ok = ossa_write_gltf(scene, &options, (ossa_sink){os_write_output, &text},
                             (ossa_sink){os_write_output, &bytes}, &error);
        if (!ok) complain_write(path, &error);
        /* These report which of the two failed, and why. */
        bool bytes_ended = finish_output(&bytes, bin);
        ok = finish_output(&text, path) && bytes_ended && ok;
        /* The .bin first: whoever finds a .gltf finds its .bin. */
        ok = close_output(&bytes, bin, ok);
    }
    return close_output(&text, path, ok);
}

static const ossa_clip *first_wanted(const ossa_scene *scene, const uint8_t *clips)
{
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        if (clips[i] != 0) return &scene->clips[i];
    }
    return NULL;
}

/* Every target except .gltf. */
static bool write_target(const ossa_scene *scene, const uint8_t *clips, enum target target,
                         const struct cli *cli, struct warned *warned, ossa_sink sink,
                         ossa_error *error)
{
    const ossa_export_options options = {
        .clips = clips,
        .skin = cli->skin,
        .space = cli->is_local ? OSSA_SPACE_LOCAL : OSSA_SPACE_MODEL,
        .json_style = cli->pretty ? OSSA_JSON_STYLE_PRETTY : OSSA_JSON_STYLE_LINE,
        .on_issue = on_issue,
        .user = warned,
    };
    switch (target) {
    case TARGET_BVH:
        return ossa_write_bvh(scene, first_wanted(scene, clips), &options, sink, error);
    case TARGET_CSV: return ossa_write_csv(scene, &options, sink, error);
    case TARGET_JSON: return ossa_write_scene_json(scene, &options, sink, error);
    case TARGET_PNG: return ossa_write_png(&scene->textures[0], &options, sink, error);
    default: return ossa_write_gltf(scene, &options, sink, (ossa_sink){0}, error);
    }
}

static bool write_one(const ossa_scene *scene, const uint8_t *clips, enum target target,
                      const struct cli *cli, struct warned *warned, const char *path)
{
    struct os_output output;
    ossa_error error;
    struct os_why why;
    /* If the user did not choose the name, a clip or a figure did. */
    bool is_named = !cli->all && path == cli->output;
    if (!is_named && !os_may_write(path, &why)) {
        complain("%s: %s", path, why.text);
        return false;
    }
    if (!open_output(&output, path)) return false;
    bool ok = write_target(scene, clips, target, cli, warned, (ossa_sink){os_write_output, &output},
                           &error);
    if (!ok) complain_write(path, &error);
    ok = finish_output(&output, path) && ok;
    return close_output(&output, path, ok);
}

bool write_scene(const ossa_scene *scene, const uint8_t *clips, enum target target,
                 const struct cli *cli)
{
    struct warned warned = {.count = 0};
    if (target == TARGET_GLTF) return write_gltf(scene, clips, cli);
    return write_one(scene, clips, target, cli, &warned, cli->output);
}

/* ---- one file per clip --------------------------------------------------------------------- */

void print_clip(const ossa_clip *clip, const char *name)
{
    print_plain(stdout, name);
    (void)printf(": %" PRIu32 " frame%s at %.6g fps, %.6g s", clip->frame_count,
                 plural(clip->frame_count), clip->fps, clip->frame_count / clip->fps);
    print_speed(clip);
    (void)putchar('\n');
}

/* One path per clip, NULL for clips that are not wanted; NULL if memory runs out. */
static char **plan_paths(const ossa_scene *scene, const uint8_t *clips, const char *end,
                         const char *folder)
{
    size_t count = scene->clip_count;
    const char **names = calloc(count + 1, sizeof *names);
    char **paths = calloc(count + 1, sizeof *paths);
    size_t used = 0;
    for (uint32_t i = 0; names != NULL && i < count; i++) {
        if (clips[i]) names[used++] = scene->clips[i].name;
    }
    char **files = names == NULL ? NULL : make_file_names(names, used, end);
    bool ok = paths != NULL && files != NULL;
    for (uint32_t i = 0, n = 0; ok && i < count; i++) {
        if (clips[i] == 0) continue;
        paths[i] = path_in(folder, files[n++]);
        ok = paths[i] != NULL;
    }
    free_texts(files, used);
    free(names);
    if (ok) return paths;
    complain("out of memory for the names of the outputs");
    free_texts(paths, count);
    return NULL;
}

static int write_paths(const ossa_scene *scene, char *const *paths, enum target target,
                       const struct cli *cli)
{
    int status = EXIT_FINE;
    struct progress progress;
    struct warned warned = {.count = 0};
    const uint8_t wanted = 1;
    progress_start(&progress, scene->clip_count);
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        progress_step(&progress);
        if (paths[i] == NULL) continue;
        /* A scene with only this clip, so that the exporter checks each clip only once. */
        ossa_scene alone = *scene;
        alone.clips = &scene->clips[i];
        alone.clip_count = 1;
        if (!write_one(&alone, &wanted, target, cli, &warned, paths[i])) {
            status = EXIT_BAD_DATA;
        } else if (!cli->quiet) {
            progress_hide(&progress);
            print_clip(&scene->clips[i], paths[i]);
        }
    }
    progress_hide(&progress);
    return status;
}

int write_clip_files(const ossa_scene *scene, const uint8_t *clips, enum target target,
                     const struct cli *cli)
{
    struct os_why why;
    char **paths = plan_paths(scene, clips, target == TARGET_BVH ? ".bvh" : ".csv", cli->output);
    if (paths == NULL) return EXIT_BAD_DATA;
    int status = EXIT_FINE;
    for (uint32_t i = 0; i < scene->clip_count && status == EXIT_FINE; i++) {
        const char *start =
            target == TARGET_BVH ? "HIERARCHY\n" : "clip,frame,time,bone,name,parent,";
        /* Files among the inputs are safe, unless an earlier run has written them. */
        if (paths[i] == NULL || !is_input(cli, paths[i]) || os_starts_with(paths[i], start)) {
            continue;
        }
        complain("%s would overwrite an input", paths[i]);
        status = EXIT_BAD_CALL;
    }
    if (status == EXIT_FINE && !os_make_folder(cli->output, &why)) {
        complain("%s: %s", cli->output, why.text);
        status = EXIT_BAD_DATA;
    }
    if (status == EXIT_FINE) status = write_paths(scene, paths, target, cli);
    free_texts(paths, scene->clip_count);
    return status;
}
