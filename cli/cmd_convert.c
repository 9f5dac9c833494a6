/* SPDX-License-Identifier: MIT
 *
 * ossa convert: a scene for other programs. */
#include "convert.h"
#include "load_scene.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static enum target target_of(const char *name)
{
    static const struct {
        const char *name;
        enum target target;
    } targets[] = {{"glb", TARGET_GLB}, {"gltf", TARGET_GLTF}, {"json", TARGET_JSON},
                   {"bvh", TARGET_BVH}, {"csv", TARGET_CSV},   {"png", TARGET_PNG}};
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        if (strcasecmp(name, targets[i].name) == 0) return targets[i].target;
    }
    return TARGET_NONE;
}

static bool is_stdout(const struct cli *cli)
{
    return strcmp(cli->output, "-") == 0;
}

/* Does the output's name mean a folder? */
static bool is_folder(const struct cli *cli)
{
    return !is_stdout(cli) && (os_base_name(cli->output)[0] == '\0' || os_is_folder(cli->output));
}

/* What --to or the output's name says, or a message. */
static enum target read_target(const struct cli *cli)
{
    const char *dot = strrchr(os_base_name(cli->output), '.');
    enum target target = TARGET_NONE;
    if (cli->to != NULL) {
        target = target_of(cli->to);
        if (target == TARGET_NONE) {
            complain("--to is glb, gltf, json, bvh, csv or png, not '%s'", cli->to);
        }
        return target;
    }
    if (is_stdout(cli)) return TARGET_GLB;
    if (is_folder(cli)) {
        complain("%s is a folder: --to bvh or --to csv writes a file for each clip into it; "
                 "everything else is one file and needs its name",
                 cli->output);
        return TARGET_NONE;
    }
    if (dot != NULL) target = target_of(dot + 1);
    if (target == TARGET_NONE) {
        complain("%s: the name does not say what to make; use .glb, .gltf, .json, .bvh, .csv "
                 "or .png, or --to",
                 cli->output);
    }
    return target;
}

/* Whether what is made has what the options ask for; otherwise a message. */
static bool check_options(const struct cli *cli, enum target target)
{
    if (cli->has_space && target != TARGET_CSV) {
        complain("--space is for csv; the others have transforms from each bone's parent");
        return false;
    }
    if (cli->skin && target != TARGET_GLB && target != TARGET_GLTF) {
        complain("--skin is for glTF; nothing else has a skin");
        return false;
    }
    return true;
}

/* Whether that can go where it shall; otherwise a message. */
static bool check_target(const struct cli *cli, enum target target)
{
    const char *dot = strrchr(os_base_name(cli->output), '.');
    if (is_folder(cli) && target != TARGET_BVH && target != TARGET_CSV) {
        complain("%s is a folder; %s one file, which needs a name", cli->output,
                 target == TARGET_PNG ? "a picture is" : "all clips go into");
        return false;
    }
    if (target == TARGET_GLTF && is_stdout(cli)) {
        complain("a .gltf has a second file beside it and cannot go to standard output; "
                 "use --to glb");
        return false;
    }
    if (target == TARGET_GLTF && dot != NULL && strcmp(dot, ".bin") == 0) {
        complain("%s is the name of the second file; end the first one's in .gltf", cli->output);
        return false;
    }
    bool is_binary = target == TARGET_GLB || target == TARGET_PNG;
    if (is_binary && is_stdout(cli) && os_is_terminal(stdout)) {
        complain("the file is binary and would go to the terminal: name one with -o FILE");
        return false;
    }
    return check_options(cli, target);
}

/* What to make, from --to or the output's name. */
static enum target choose_target(const struct cli *cli)
{
    if (cli->output == NULL) {
        complain("convert needs an output: -o FILE.glb, .gltf, .json, .bvh, .csv or .png");
        return TARGET_NONE;
    }
    enum target target = read_target(cli);
    return target != TARGET_NONE && check_target(cli, target) ? target : TARGET_NONE;
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

/* What moves with one bone is one mesh; and so is a skin, with all that is bound to it. */
static uint32_t count_meshes(const struct cli *cli, const ossa_scene *scene)
{
    uint32_t count = 0;
    bool has_skin = false;
    const ossa_mesh *before = NULL;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const ossa_mesh *mesh = &scene->meshes[i];
        if (mesh->vertex_bones != NULL || (cli->skin && mesh->kind == OSSA_MESH_KIND_TRIANGLES)) {
            has_skin = true;
            continue;
        }
        if (before == NULL || mesh->bone != before->bone) count++;
        before = mesh;
    }
    return count + (has_skin ? 1 : 0);
}

/* What was made, for people; not where it would get into the output itself. */
static void print_summary(const struct cli *cli, const ossa_scene *scene, const uint8_t *clips,
                          size_t count, enum target target)
{
    bool only_motion = target == TARGET_BVH || target == TARGET_CSV;
    if (cli->quiet || is_stdout(cli)) return;
    print_plain(stdout, cli->output);
    uint32_t meshes = count_meshes(cli, scene);
    (void)printf(": %" PRIu32 " bone%s", scene->bone_count, plural(scene->bone_count));
    if (!only_motion) (void)printf(", %" PRIu32 " mesh%s", meshes, meshes == 1 ? "" : "es");
    (void)printf(", %zu clip%s", count, plural(count));
    if (scene->camera_count > 0 && !only_motion) {
        (void)printf(", %" PRIu32 " camera%s", scene->camera_count, plural(scene->camera_count));
    }
    (void)putchar('\n');
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        if (!clips[i]) continue;
        (void)printf("  ");
        print_clip(&scene->clips[i], scene->clips[i].name);
    }
}

static int convert_scene(const struct cli *cli, const ossa_scene *scene, enum target target)
{
    size_t count;
    uint8_t *clips = pick_clips(cli, scene, &count);
    if (clips == NULL) return EXIT_BAD_CALL;
    int status;
    if (target == TARGET_BVH && count == 0) {
        complain("there is no clip, and BVH is nothing but motion");
        status = EXIT_BAD_DATA;
    } else if (is_folder(cli) && count == 0) {
        complain("there is no clip to write a file for; -o FILE.csv has the rest pose");
        status = EXIT_BAD_DATA;
    } else if (is_folder(cli)) {
        status = write_clip_files(scene, clips, target, cli);
    } else if (target == TARGET_BVH && count > 1) {
        complain("a BVH holds one clip, and there are %zu: choose with --clip, or give a folder, "
                 "--to bvh -o FOLDER/",
                 count);
        status = EXIT_BAD_CALL;
    } else if (write_scene(scene, clips, target, cli)) {
        print_summary(cli, scene, clips, count, target);
        status = EXIT_FINE;
    } else {
        status = EXIT_BAD_DATA;
    }
    free(clips);
    return status;
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

/* --all: a folder, and what can be a file for each model. */
static int convert_archive(struct cli *cli)
{
    if (cli->output == NULL || is_stdout(cli)) {
        complain("convert --all needs a folder: -o FOLDER/");
        return EXIT_BAD_CALL;
    }
    enum target target = cli->to == NULL ? TARGET_GLB : target_of(cli->to);
    if (target != TARGET_GLB && target != TARGET_JSON) {
        complain("convert --all makes glb or json, not '%s'", cli->to);
        return EXIT_BAD_CALL;
    }
    if (!check_options(cli, target)) return EXIT_BAD_CALL;
    return convert_all(cli, target);
}

int cmd_convert(struct cli *cli)
{
    if (cli->all) return convert_archive(cli);
    enum target target = choose_target(cli);
    if (target == TARGET_NONE) return EXIT_BAD_CALL;
    if (target == TARGET_PNG) return convert_picture(cli);
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
    bool has_cameras = scene != NULL && scene->camera_count > 0;
    bool is_motion = target == TARGET_BVH || target == TARGET_CSV;
    if (scene != NULL && scene->bone_count == 0 && (is_motion || !has_cameras)) {
        complain("there is not a single bone in the inputs: nothing to convert");
        status = EXIT_BAD_DATA;
    } else if (scene != NULL) {
        status = convert_scene(cli, scene, target);
    }
    ossa_scene_free(scene);
    free(bin);
    return status;
}
