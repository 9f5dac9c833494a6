/* SPDX-License-Identifier: MIT
 *
 * ossa convert: scenes for other programs. */
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

/* Is the output a folder? */
static bool is_folder(const struct cli *cli)
{
    return !is_stdout(cli) && (os_base_name(cli->output)[0] == '\0' || os_is_folder(cli->output));
}

/* The target from --to or the name of the output; TARGET_NONE after a message. */
static enum target read_target(const struct cli *cli)
{
    const char *dot = strrchr(os_base_name(cli->output), '.');
    enum target target = TARGET_NONE;
    if (cli->to != NULL) {
        target = target_of(cli->to);
        if (target == TARGET_NONE) {
            complain("--to: '%s' is not one of: glb gltf json bvh csv png", cli->to);
        }
        return target;
    }
    if (is_stdout(cli)) return TARGET_GLB;
    if (is_folder(cli)) {
        complain("%s is a folder: use --to bvh or --to csv to write one file per clip, or name a "
                 "file",
                 cli->output);
        return TARGET_NONE;
    }
    if (dot != NULL) target = target_of(dot + 1);
    if (target == TARGET_NONE) {
        complain("%s: unknown extension; use .glb, .gltf, .json, .bvh, .csv or .png, or --to",
                 cli->output);
    }
    return target;
}

/* Does the target support the options? Otherwise a message. */
static bool check_options(const struct cli *cli, enum target target)
{
    if (cli->has_space && target != TARGET_CSV) {
        complain("--space needs csv; in all other formats transforms are local");
        return false;
    }
    if (cli->skin && target != TARGET_GLB && target != TARGET_GLTF) {
        complain("--skin needs glTF");
        return false;
    }
    return true;
}

/* Can the target be written to the output? Otherwise a message. */
static bool check_target(const struct cli *cli, enum target target)
{
    const char *dot = strrchr(os_base_name(cli->output), '.');
    if (is_folder(cli) && target != TARGET_BVH && target != TARGET_CSV) {
        complain("%s is a folder; name a file (only bvh and csv write one file per clip)",
                 cli->output);
        return false;
    }
    if (target == TARGET_GLTF && is_stdout(cli)) {
        complain("a .gltf needs a second file and cannot go to standard output; use --to glb");
        return false;
    }
    if (target == TARGET_GLTF && dot != NULL && strcmp(dot, ".bin") == 0) {
        complain("%s is the name of the second file; use a name that ends in .gltf", cli->output);
        return false;
    }
    bool is_binary = target == TARGET_GLB || target == TARGET_PNG;
    if (is_binary && is_stdout(cli) && os_is_terminal(stdout)) {
        complain("the output is binary and would go to the terminal; use -o FILE");
        return false;
    }
    return check_options(cli, target);
}

/* The target of the command line; TARGET_NONE after a message. */
static enum target choose_target(const struct cli *cli)
{
    if (cli->output == NULL) {
        complain("convert needs an output: -o FILE.glb, .gltf, .json, .bvh, .csv or .png");
        return TARGET_NONE;
    }
    enum target target = read_target(cli);
    return target != TARGET_NONE && check_target(cli, target) ? target : TARGET_NONE;
}

/* The .bin of a .gltf, from malloc. */
static char *bin_path(const char *path)
{
    const char *base = os_base_name(path);
    const char *dot = strrchr(base, '.');
    size_t stem = dot == NULL ? strlen(path) : (size_t)(dot - path);
    char *bin = malloc(stem + sizeof ".bin");
    if (bin != NULL) (void)snprintf(bin, stem + sizeof ".bin", "%.*s.bin", (int)stem, path);
    return bin;
}

/* Everything on one bone is one mesh, and everything that is skinned is one. */
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

/* A summary, unless the output itself goes to standard output. */
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
        complain("there are no clips, and BVH contains only motion");
        status = EXIT_BAD_DATA;
    } else if (is_folder(cli) && count == 0) {
        complain("there are no clips; use -o FILE.csv for the rest pose");
        status = EXIT_BAD_DATA;
    } else if (is_folder(cli)) {
        status = write_clip_files(scene, clips, target, cli);
    } else if (target == TARGET_BVH && count > 1) {
        complain(
            "a BVH holds one clip, and there are %zu: choose one with --clip, or write one file "
            "per clip with --to bvh -o FOLDER/",
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

static bool is_one_texture(const ossa_scene *scene)
{
    return scene->texture_count == 1 && scene->bone_count == 0 && scene->camera_count == 0;
}

/* The single texture of the inputs, as PNG. */
static int convert_picture(struct cli *cli)
{
    if (cli->clip != NULL) {
        complain("--clip does not apply to PNG: a texture has no clips");
        return EXIT_BAD_CALL;
    }
    int status;
    ossa_scene *scene = load_scene(cli, &status);
    if (scene == NULL) return status;
    if (!is_one_texture(scene)) {
        complain("a PNG needs a single texture and nothing else; the inputs contain %" PRIu32
                 " texture%s, %" PRIu32 " bone%s and %" PRIu32 " camera%s",
                 scene->texture_count, plural(scene->texture_count), scene->bone_count,
                 plural(scene->bone_count), scene->camera_count, plural(scene->camera_count));
        status = EXIT_BAD_CALL;
    } else if (!write_scene(scene, NULL, TARGET_PNG, cli)) {
        status = EXIT_BAD_DATA;
    } else if (!cli->quiet && strcmp(cli->output, "-") != 0) {
        print_plain(stdout, cli->output);
        (void)printf(": %" PRIu32 " x %" PRIu32 " pixels\n", scene->textures[0].width,
                     scene->textures[0].height);
    }
    ossa_scene_free(scene);
    return status;
}

/* The user did not choose the name of the .bin, so an existing file is not overwritten unless its
 * .gltf exists too. */
static bool may_write_bin(const char *path, const char *bin)
{
    struct os_file_id id;
    struct os_file_id other;
    if (!os_identify(bin, &id)) return true;
    if (os_identify(path, &other) && os_same_id(&id, &other)) {
        complain("%s and %s are the same file", path, bin);
        return false;
    }
    if (os_exists(path)) return true;
    complain("%s exists and would be overwritten; choose another name for the .gltf", bin);
    return false;
}

/* --all: one file per figure, in a folder. */
static int convert_archive(struct cli *cli)
{
    if (cli->output == NULL || is_stdout(cli)) {
        complain("convert --all needs an output folder: -o FOLDER/");
        return EXIT_BAD_CALL;
    }
    enum target target = cli->to == NULL ? TARGET_GLB : target_of(cli->to);
    if (target != TARGET_GLB && target != TARGET_JSON) {
        complain("convert --all writes glb or json, not '%s'", cli->to);
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
        complain("out of memory for the name of the output");
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
        complain("the inputs contain no bones: nothing to convert");
        status = EXIT_BAD_DATA;
    } else if (scene != NULL) {
        status = convert_scene(cli, scene, target);
    }
    ossa_scene_free(scene);
    free(bin);
    return status;
}
