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
    if (cli->space != SPACE_DEFAULT && target != TARGET_CSV) {
        complain("--space needs csv; in all other formats transforms are local");
        return false;
    }
    if (cli->skin && target != TARGET_GLB && target != TARGET_GLTF) {
        complain("--skin needs glTF");
        return false;
    }
    if (cli->scene.texture_level > 0 && target != TARGET_PNG) {
        complain("--level needs png; all other formats have the largest level of a texture");
        return false;
    }
    return true;
}

/* Can the target be written to the output? Otherwise a message. */
static bool check_target(const struct cli *cli, enum target target)
{
    const char *dot = strrchr(os_base_name(cli->output), '.');
    struct os_file_id id;
    if (is_folder(cli) && target != TARGET_BVH && target != TARGET_CSV) {
        complain("%s is a folder; name a file (only bvh and csv write one file per clip)",
                 cli->output);
        return false;
    }
    if (target == TARGET_GLTF && is_stdout(cli)) {
        complain("a .gltf needs a second file and cannot go to standard output; use --to glb");
        return false;
    }
    if (target == TARGET_GLTF && os_exists(cli->output) && !os_identify(cli->output, &id)) {
        complain("%s is a device or pipe, and a .gltf needs a second file; use --to glb",
                 cli->output);
        return false;
    }
    if (target == TARGET_GLTF && dot != NULL && strcmp(dot, ".bin") == 0) {
        complain("%s is the name of the second file; use a name that ends in .gltf", cli->output);
        return false;
    }
    bool is_binary = target == TARGET_GLB || target == TARGET_PNG;
    return !(is_binary && refuse_terminal(cli->output)) && check_options(cli, target);
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

/* Everything on one bone is one mesh, and everything that is skinned is one. */
static uint32_t count_meshes(const struct cli *cli, const ossa_scene *scene)
{
    uint32_t count = 0;
    bool has_skin = false;
    const ossa_mesh *before = NULL;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const ossa_mesh *mesh = &scene->meshes[i];
        if (mesh->vertex_bones != NULL || mesh->joints != NULL ||
            (cli->skin && mesh->kind == OSSA_MESH_KIND_TRIANGLES)) {
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
    char meshes[32] = "";
    char cameras[32] = "";
    if (cli->quiet || is_stdout(cli)) return;
    if (!only_motion) {
        uint32_t number = count_meshes(cli, scene);
        (void)snprintf(meshes, sizeof meshes, ", %" PRIu32 " mesh%s", number,
                       number == 1 ? "" : "es");
    }
    if (scene->camera_count > 0 && !only_motion) {
        (void)snprintf(cameras, sizeof cameras, ", %" PRIu32 " camera%s", scene->camera_count,
                       plural(scene->camera_count));
    }
    print_line("%s: %" PRIu32 " bone%s%s, %zu clip%s%s", cli->output, scene->bone_count,
               plural(scene->bone_count), meshes, count, plural(count), cameras);
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        if (!clips[i]) continue;
        (void)printf("  ");
        print_clip(&scene->clips[i], scene->clips[i].name);
    }
}

static int convert_clips(struct cli *cli, const ossa_scene *scene, enum target target,
                         const uint8_t *clips, size_t count)
{
    if (target == TARGET_BVH && count == 0) {
        complain("there are no clips, and BVH contains only motion");
        return EXIT_BAD_DATA;
    }
    if (is_folder(cli) && count == 0) {
        complain("there are no clips; use -o FILE.csv for the rest pose");
        return EXIT_BAD_DATA;
    }
    if (is_folder(cli)) return write_clip_files(scene, clips, target, cli);
    if (target == TARGET_BVH && count > 1) {
        complain("a BVH holds one clip, and there are %zu: choose one with --clip, or write one "
                 "file per clip with --to bvh -o FOLDER/",
                 count);
        return EXIT_BAD_CALL;
    }
    int status = write_scene(scene, clips, target, cli);
    if (status == EXIT_FINE) print_summary(cli, scene, clips, count, target);
    return status;
}

static int convert_scene(struct cli *cli, const ossa_scene *scene, enum target target)
{
    size_t count;
    bool is_motion = target == TARGET_BVH || target == TARGET_CSV;
    if (scene->bone_count == 0 && (is_motion || scene->camera_count == 0)) {
        complain("the inputs contain no bones: nothing to convert");
        return EXIT_BAD_DATA;
    }
    uint8_t *clips = pick_clips(cli, scene, &count);
    int status = clips == NULL ? EXIT_BAD_CALL : convert_clips(cli, scene, target, clips, count);
    free(clips);
    return status;
}

static bool is_one_texture(const ossa_scene *scene)
{
    return scene->texture_count == 1 && scene->bone_count == 0 && scene->camera_count == 0;
}

/* The single texture of the inputs, as PNG. */
static int convert_picture(const struct cli *cli, const ossa_scene *scene)
{
    if (scene->texture_count == 0 && cli->left_out > 0) return EXIT_BAD_DATA; /* it was reported */
    if (!is_one_texture(scene)) {
        complain("a PNG needs a single texture and nothing else; the inputs contain %" PRIu32
                 " texture%s, %" PRIu32 " bone%s and %" PRIu32 " camera%s",
                 scene->texture_count, plural(scene->texture_count), scene->bone_count,
                 plural(scene->bone_count), scene->camera_count, plural(scene->camera_count));
        return EXIT_BAD_CALL;
    }
    int status = write_scene(scene, NULL, TARGET_PNG, cli);
    if (status == EXIT_FINE && !cli->quiet && !is_stdout(cli)) {
        print_line("%s: %" PRIu32 " x %" PRIu32 " pixels", cli->output, scene->textures[0].width,
                   scene->textures[0].height);
    }
    return status;
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

static int run(struct cli *cli)
{
    if (cli->all) return convert_archive(cli);
    if (cli->shard.count > 0) {
        complain("--shard needs --all");
        return EXIT_BAD_CALL;
    }
    enum target target = choose_target(cli);
    if (target == TARGET_NONE) return EXIT_BAD_CALL;
    if (target == TARGET_PNG && cli->clips.count > 0) {
        complain("--clip does not apply to PNG: a texture has no clips");
        return EXIT_BAD_CALL;
    }
    cli->scene.no_textures = target == TARGET_BVH || target == TARGET_CSV;
    ossa_scene *scene = load_scene(cli);
    if (scene == NULL) return EXIT_BAD_DATA;
    int status =
        target == TARGET_PNG ? convert_picture(cli, scene) : convert_scene(cli, scene, target);
    ossa_scene_free(scene);
    return cli->left_out > 0 ? EXIT_BAD_DATA : status; /* also if --clip names what was left out */
}

const struct verb verb_convert = {
    .name = "convert",
    .summary = "convert to glTF, BVH, CSV, JSON or PNG",
    .inputs = "[OPTIONS] FILE|FOLDER... -o OUT.glb|.gltf|.json|.bvh|.csv|.png",
    .details =
        "Combines the files like `ossa pose` and writes all clips to one file. The extension of\n"
        "the output selects the format: .glb, .gltf (with a .bin next to it), .json (Ossa's own\n"
        "scene), .csv (one row per bone and frame), .bvh or .png. A .bvh holds one clip: choose\n"
        "it with --clip, or write one file per clip with --to bvh -o FOLDER/ (also for csv).\n"
        "A .png is made from a single texture; --level takes one of its smaller levels.\n"
        "--all converts every figure found in the inputs, archives, folders or files, to one .glb\n"
        "per figure in FOLDER/, on all cores. Inputs without figures, such as textures, are "
        "shared\n"
        "by all. Outputs that are up to date, made with the same options, are skipped; "
        "report.json\n"
        "has the result for each figure. --shard K/N converts every Nth of them, from the Kth on, "
        "so\n"
        "that N calls, on any machines, share the work; `ossa merge-reports` combines their "
        "reports.",
    .example =
        "ossa convert troll/ -o troll.glb\n  ossa convert rabbit.tmd walk*.anm --join -o walk.glb\n"
        "  ossa convert ped.skel *.anim states.csv --in-place -o ped.glb\n"
        "  ossa convert troll/ --to bvh -o motions/\n"
        "  ossa convert skin.mmp -o skin.png\n"
        "  ossa convert skin.nto --level 1 -o small.png\n"
        "  ossa convert figures.res#unmotr -o troll.glb\n  ossa convert SOTC.iso#NICO.DAT#bird_A "
        "-o bird.glb\n"
        "  ossa convert figures.res textures.res --all -o out/\n"
        "  ossa convert figures.res textures.res --all --shard 1/8 -o out/",
    .needs_input = true,
    .run = run,
};
