/* SPDX-License-Identifier: MIT
 *
 * ossa convert: a scene for other programs. */
#include "load_scene.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum target { TARGET_NONE, TARGET_GLB, TARGET_GLTF, TARGET_JSON };

static enum target target_of(const char *name)
{
    if (strcasecmp(name, "glb") == 0) return TARGET_GLB;
    if (strcasecmp(name, "gltf") == 0) return TARGET_GLTF;
    if (strcasecmp(name, "json") == 0) return TARGET_JSON;
    return TARGET_NONE;
}

/* What to make, from --to or the output's name. */
static enum target choose_target(const struct cli *cli)
{
    if (cli->output == NULL) {
        complain("convert needs an output: -o FILE.glb, FILE.gltf or FILE.json");
        return TARGET_NONE;
    }
    bool is_stdout = strcmp(cli->output, "-") == 0;
    const char *base = os_base_name(cli->output);
    const char *dot = strrchr(base, '.');
    enum target target = TARGET_NONE;
    if (base[0] == '\0' || (!is_stdout && os_is_folder(cli->output))) {
        complain("%s is a folder; convert writes one file and needs its name", cli->output);
        return TARGET_NONE;
    }
    if (cli->to != NULL) target = target_of(cli->to);
    else if (is_stdout) target = TARGET_GLB;
    else if (dot != NULL) target = target_of(dot + 1);
    if (target == TARGET_NONE && cli->to != NULL) {
        complain("--to is glb, gltf or json, not '%s'", cli->to);
    } else if (target == TARGET_NONE) {
        complain("%s: the name does not say what to make; use .glb, .gltf or .json, or --to",
                 cli->output);
    }
    if (target == TARGET_GLTF && is_stdout) {
        complain("a .gltf has a second file beside it and cannot go to standard output; "
                 "use --to glb");
        return TARGET_NONE;
    }
    if (target == TARGET_GLTF && dot != NULL && strcmp(dot, ".bin") == 0) {
        complain("%s is the name of the second file; end the first one's in .gltf", cli->output);
        return TARGET_NONE;
    }
    if (target == TARGET_GLB && is_stdout && os_is_terminal(stdout)) {
        complain("the file is binary and would go to the terminal: name one with -o FILE");
        return TARGET_NONE;
    }
    return target;
}

static void on_warning(void *user, const char *message)
{
    (void)user;
    complain("warning: %s", message);
}

static bool open_output(struct os_output *output, const char *path)
{
    struct os_why why;
    if (os_open_output(output, path, &why)) return true;
    complain("%s: %s", path, why.text);
    return false;
}

/* All of it written, though not yet under its name. */
static bool end_output(struct os_output *output, const char *path)
{
    struct os_why why;
    if (os_finish_output(output, &why)) return true;
    complain("%s: %s", path, why.text);
    return false;
}

static bool finish_output(struct os_output *output, const char *path, bool ok)
{
    struct os_why why;
    if (!ok) {
        os_discard_output(output);
        return false;
    }
    if (os_commit_output(output, &why)) return true;
    complain("%s: %s", path, why.text);
    return false;
}

/* A failure of the output itself is left to end_output, which knows the reason. */
static void complain_write(const char *path, const ossa_error *error)
{
    if (error->code != OSSA_IO) complain_error(path, error);
}

/* The buffer of a .gltf: the same name with .bin; from malloc. */
static char *bin_path(const char *path)
{
    const char *base = os_base_name(path);
    const char *dot = strrchr(base, '.');
    size_t stem = dot == NULL ? strlen(path) : (size_t)(dot - path);
    char *bin = malloc(stem + sizeof ".bin");
    if (bin != NULL) (void)snprintf(bin, stem + sizeof ".bin", "%.*s.bin", (int)stem, path);
    return bin;
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
        ossa_gltf_options options = {.bin_uri = os_base_name(bin), .on_warning = on_warning};
        ok = ossa_write_gltf(scene, clips, &options, (ossa_sink){os_write_output, &text},
                             (ossa_sink){os_write_output, &bytes}, &error);
        if (!ok) complain_write(path, &error);
        /* Which of both failed, and why, is said here. */
        bool bytes_ended = end_output(&bytes, bin);
        ok = end_output(&text, path) && bytes_ended && ok;
        /* The buffer first: a .gltf that is there has its buffer. */
        ok = finish_output(&bytes, bin, ok);
    }
    return finish_output(&text, path, ok);
}

static bool write_one(const ossa_scene *scene, const uint8_t *clips, enum target target,
                      const struct cli *cli)
{
    const char *path = cli->output;
    struct os_output output;
    ossa_error error;
    if (!open_output(&output, path)) return false;
    ossa_sink sink = {os_write_output, &output};
    bool ok;
    if (target == TARGET_GLB) {
        ossa_gltf_options options = {.on_warning = on_warning};
        ok = ossa_write_gltf(scene, clips, &options, sink, (ossa_sink){0}, &error);
    } else {
        ok = ossa_scene_json(scene, clips, cli->pretty ? OSSA_JSON_PRETTY : OSSA_JSON_LINE, sink,
                             &error);
    }
    if (!ok) complain_write(path, &error);
    ok = end_output(&output, path) && ok;
    return finish_output(&output, path, ok);
}

/* What was made, for people; not where it would get into the output itself. */
static void print_summary(const struct cli *cli, const ossa_scene *scene, const uint8_t *clips,
                          size_t count)
{
    if (cli->quiet || strcmp(cli->output, "-") == 0) return;
    print_plain(stdout, cli->output);
    uint32_t meshes = 0; /* what moves with one bone is one mesh */
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        if (i == 0 || scene->meshes[i].bone != scene->meshes[i - 1].bone) meshes++;
    }
    (void)printf(": %" PRIu32 " bone%s, %" PRIu32 " mesh%s, %zu clip%s\n", scene->bone_count,
                 plural(scene->bone_count), meshes, meshes == 1 ? "" : "es", count, plural(count));
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        const ossa_clip *clip = &scene->clips[i];
        if (!clips[i]) continue;
        (void)printf("  ");
        print_plain(stdout, clip->name);
        (void)printf(": %" PRIu32 " frame%s at %.6g a second, %.6g s\n", clip->frame_count,
                     plural(clip->frame_count), clip->fps, clip->frame_count / clip->fps);
    }
}

static int convert_scene(const struct cli *cli, const ossa_scene *scene, enum target target)
{
    size_t count;
    uint8_t *clips = pick_clips(cli, scene, &count);
    if (clips == NULL) return EXIT_BAD_CALL;
    bool ok = target == TARGET_GLTF ? write_gltf(scene, clips, cli)
                                    : write_one(scene, clips, target, cli);
    if (ok) print_summary(cli, scene, clips, count);
    free(clips);
    return ok ? EXIT_FINE : EXIT_BAD_DATA;
}

/* The name of the buffer is ours, not the user's: a file that has it already is somebody else's,
 * unless the .gltf is there too. */
static bool may_write_bin(const char *path, const char *bin)
{
    struct os_file_id id;
    if (!os_identify(bin, &id)) return true;
    if (os_is_same_file(path, bin)) {
        complain("%s and %s are one file", path, bin);
        return false;
    }
    if (os_exists(path)) return true;
    complain("%s is there already and would be replaced; choose another name for the .gltf", bin);
    return false;
}

int cmd_convert(struct cli *cli)
{
    enum target target = choose_target(cli);
    if (target == TARGET_NONE) return EXIT_BAD_CALL;
    char *bin = target == TARGET_GLTF ? bin_path(cli->output) : NULL;
    if (target == TARGET_GLTF && bin == NULL) {
        complain("no memory for the output's name");
        return EXIT_BAD_DATA;
    }
    if (bin != NULL && !may_write_bin(cli->output, bin)) {
        free(bin);
        return EXIT_BAD_CALL;
    }
    cli->second_output = bin;
    int status;
    ossa_scene *scene = load_scene(cli, &status);
    if (scene != NULL && scene->bone_count == 0) {
        complain("there is not a single bone in the inputs: nothing to convert");
        status = EXIT_BAD_DATA;
    } else if (scene != NULL) {
        status = convert_scene(cli, scene, target);
    }
    ossa_scene_free(scene);
    free(bin);
    return status;
}
