/* SPDX-License-Identifier: MIT
 *
 * ossa convert to PNG: one texture, without a scene around it. */
#include "convert.h"
#include "load_scene.h"

#include <inttypes.h>
#include <string.h>

static bool is_one_texture(const ossa_scene *scene)
{
    return scene->texture_count == 1 && scene->bone_count == 0 && scene->camera_count == 0;
}

int convert_picture(struct cli *cli)
{
    if (cli->clip != NULL) {
        complain("--clip is for clips, and a picture has none");
        return EXIT_BAD_CALL;
    }
    int status;
    ossa_scene *scene = load_scene(cli, &status);
    if (scene == NULL) return status;
    if (!is_one_texture(scene)) {
        complain("a PNG is made of one texture and nothing else; among the inputs are %" PRIu32
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
