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

/* ---- what is there -------------------------------------------------------------------------- */

static const struct output_kind *kind_of(enum target target)
{
    static const struct output_kind glb = {"a GLB", .start = "glTF"};
    static const struct output_kind gltf = {"a glTF", .start = "{", .word = "\"asset\""};
    static const struct output_kind bvh = {"a BVH", .start = "HIERARCHY"};
    static const struct output_kind csv = {"a CSV of Ossa",
                                           .start = "clip,frame,time,bone,name,parent,"};
    static const struct output_kind png = {"a PNG", .start = "\x89PNG"};
    switch (target) {
    case TARGET_GLTF: return &gltf;
    case TARGET_JSON: return &kind_ossa_json;
    case TARGET_BVH: return &bvh;
    case TARGET_CSV: return &csv;
    case TARGET_PNG: return &png;
    default: return &glb;
    }
}

/* ---- one file, or a .gltf and its .bin ------------------------------------------------------ */

/* The files of one scene. */
struct files {
    const char *path;
    const char *bin; /* NULL: none */
    struct os_output output;
    struct os_output bytes;
};

static const ossa_clip *first_wanted(const ossa_scene *scene, const uint8_t *clips)
{
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        if (clips[i] != 0) return &scene->clips[i];
    }
    return NULL;
}

static bool export(const ossa_scene *scene, const uint8_t *clips, enum target target,
                   const struct cli *cli, struct warned *warned, struct files *files,
                   ossa_error *error)
{
    const ossa_sink sink = output_sink(&files->output);
    const ossa_export_options options = {
        .clips = clips,
        .bin_uri = files->bin == NULL ? NULL : os_base_name(files->bin),
        .skin = cli->skin,
        .space = cli->space == SPACE_LOCAL ? OSSA_SPACE_LOCAL : OSSA_SPACE_MODEL,
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
    default: break;
    }
    ossa_sink bytes = {0};
    if (files->bin != NULL) bytes = output_sink(&files->bytes);
    return ossa_write_gltf(scene, &options, sink, bytes, error);
}

static bool write_files(const ossa_scene *scene, const uint8_t *clips, enum target target,
                        const struct cli *cli, struct warned *warned, struct files *files)
{
    ossa_error error;
    struct os_why why;
    if (!open_output_in(&files->output, cli->folder, files->path)) return false;
    bool ok = files->bin == NULL || open_output(&files->bytes, files->bin);
    if (ok) {
        ok = export(scene, clips, target, cli, warned, files, &error);
        bool has_failed = files->output.problem != 0 || files->bytes.problem != 0;
        if (!ok && !has_failed) complain_error(files->path, &error);
        /* Everything is written before anything gets its name. Closing reports what failed. */
        if (files->bin != NULL) ok = os_finish_output(&files->bytes, &why) && ok;
        ok = os_finish_output(&files->output, &why) && ok;
        /* The .bin first: whoever finds a .gltf finds its .bin. */
        bool is_reported = files->bytes.problem != 0;
        if (files->bin != NULL) ok = close_output(&files->bytes, files->bin, ok);
        if (is_reported) files->output.problem = 0; /* one message will do */
    }
    return close_output(&files->output, files->path, ok);
}

/* A file that a clip or a figure has named, not the user. */
static bool write_named(const ossa_scene *scene, const uint8_t *clips, enum target target,
                        const struct cli *cli, struct warned *warned, const char *path)
{
    struct os_why why;
    struct files files = {.path = path};
    if (os_may_write(path, &why)) {
        return may_replace(cli, path, kind_of(target)) &&
               write_files(scene, clips, target, cli, warned, &files);
    }
    complain("%s: %s", path, why.text);
    return false;
}

/* The .bin of a .gltf, from malloc. */
static char *bin_path(const char *path)
{
    const char *dot = strrchr(os_base_name(path), '.');
    return format_text("%.*s.bin", (int)(dot == NULL ? strlen(path) : (size_t)(dot - path)), path);
}

/* The name of a .bin as a .gltf of Ossa has it, from malloc: what is not plain is escaped. */
static char *uri_of(const char *name)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    char *uri = allocate(3 * strlen(name) + 1, 1);
    char *end = uri;
    for (; *name != '\0'; name++) {
        bool is_plain = strchr(plain, *name) != NULL;
        end += snprintf(end, 4, is_plain ? "%c" : "%%%02X", (unsigned)(uint8_t)*name);
    }
    return uri;
}

/* Is the .gltf one that an earlier run has written together with this .bin? */
static bool is_earlier_pair(const struct cli *cli, const char *path, const char *bin)
{
    struct os_file_id id;
    char *uri = uri_of(os_base_name(bin));
    char *buffer = format_text("\"buffers\":[{\"uri\":\"%s\"", uri);
    struct output_kind kind = *kind_of(TARGET_GLTF);
    kind.far = buffer;
    bool is_pair = os_identify(path, &id) && os_identify(bin, &id) && is_of_kind(cli, path, &kind);
    free(buffer);
    free(uri);
    return is_pair;
}

/* The user did not choose the name of the .bin, so what is there is not overwritten unless an
 * earlier run has written both files. */
static bool may_write_bin(const struct cli *cli, const char *path, const char *bin)
{
    if (overwrites_input(cli, bin)) return false;
    if (os_is_same_file(path, bin)) {
        complain("%s and %s are the same file", path, bin);
        return false;
    }
    bool is_free = !os_exists(bin) || os_is_folder(bin); /* into a folder nothing is written */
    if (cli->force || is_free || is_earlier_pair(cli, path, bin)) return true;
    complain(
        "%s exists and would be overwritten; choose another name for the .gltf, or use --force",
        bin);
    return false;
}

int write_scene(const ossa_scene *scene, const uint8_t *clips, enum target target,
                const struct cli *cli)
{
    struct warned warned = {.count = 0};
    struct files files = {.path = cli->output};
    if (overwrites_input(cli, cli->output)) return EXIT_BAD_CALL;
    if (cli->all) {
        bool ok = write_named(scene, clips, target, cli, &warned, cli->output);
        return ok ? EXIT_FINE : EXIT_BAD_DATA;
    }
    if (!may_replace(cli, cli->output, kind_of(target))) return EXIT_BAD_CALL;
    char *bin = target == TARGET_GLTF ? bin_path(cli->output) : NULL;
    files.bin = bin;
    int status = bin != NULL && !may_write_bin(cli, cli->output, bin)      ? EXIT_BAD_CALL
                 : write_files(scene, clips, target, cli, &warned, &files) ? EXIT_FINE
                                                                           : EXIT_BAD_DATA;
    free(bin);
    return status;
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

/* The paths of the wanted clips. */
static struct texts plan_paths(const ossa_scene *scene, const uint8_t *clips, const char *end,
                               const char *folder)
{
    struct names used = {0};
    struct texts paths = {0};
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        if (clips[i] != 0) texts_add(&paths, copy_text(scene->clips[i].name));
    }
    make_file_names(&used, &paths, end);
    for (size_t i = 0; i < paths.count; i++) {
        char *name = paths.items[i];
        paths.items[i] = path_in(folder, name);
        free(name);
    }
    names_free(&used);
    return paths;
}

/* Would a file of the inputs be lost? Not if an earlier run has written it. */
static bool check_paths(struct cli *cli, const struct texts *paths, enum target target)
{
    const struct output_kind *kind = kind_of(target);
    for (size_t i = 0; i < cli->input_count; i++) (void)note_input(cli, cli->inputs[i]);
    for (size_t i = 0; i < paths->count; i++) {
        const char *path = paths->items[i];
        if (!is_of_kind(cli, path, kind) && overwrites_input(cli, path)) return false;
    }
    return true;
}

int write_clip_files(const ossa_scene *scene, const uint8_t *clips, enum target target,
                     struct cli *cli)
{
    struct texts paths =
        plan_paths(scene, clips, target == TARGET_BVH ? ".bvh" : ".csv", cli->output);
    int status = !check_paths(cli, &paths, target) ? EXIT_BAD_CALL : EXIT_FINE;
    if (status == EXIT_FINE) cli->folder = open_folder(cli->output);
    struct progress progress;
    struct warned warned = {.count = 0};
    const uint8_t wanted = 1;
    progress_start(&progress, paths.count);
    if (status == EXIT_FINE && cli->folder == NULL) status = EXIT_BAD_DATA;
    for (uint32_t i = 0, n = 0; cli->folder != NULL && i < scene->clip_count && !disk_is_full();
         i++) {
        if (clips[i] == 0) continue;
        const char *path = paths.items[n++];
        /* A scene with only this clip, so that the exporter checks each clip only once. */
        ossa_scene alone = *scene;
        alone.clips = &scene->clips[i];
        alone.clip_count = 1;
        progress_step(&progress);
        if (!write_named(&alone, &wanted, target, cli, &warned, path)) {
            status = EXIT_BAD_DATA;
        } else if (!cli->quiet) {
            progress_hide(&progress);
            print_clip(&scene->clips[i], path);
        }
    }
    progress_hide(&progress);
    os_close_folder(cli->folder);
    cli->folder = NULL;
    texts_free(&paths);
    return status;
}
