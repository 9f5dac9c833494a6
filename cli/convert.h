/* SPDX-License-Identifier: MIT
 *
 * What the parts of `ossa convert` share. */
#ifndef OSSA_CLI_CONVERT_H
#define OSSA_CLI_CONVERT_H

#include "cli.h"

enum target {
    TARGET_NONE,
    TARGET_GLB,
    TARGET_GLTF,
    TARGET_JSON,
    TARGET_BVH,
    TARGET_CSV,
    TARGET_PNG, /* of the only texture; there are no clips then */
};

/* Both write whole files or none, and say why when they fail. `clips` has a flag for each clip. */

/* One file (of a .gltf two): cli->output. A BVH has the first clip that is wanted. */
bool write_scene(const ossa_scene *scene, const uint8_t *clips, enum target target,
                 const struct cli *cli);
/* A file for each clip, in the folder cli->output, which is made if it is not there. Gives the exit
 * status; one clip that fails does not stop the others. */
int write_clip_files(const ossa_scene *scene, const uint8_t *clips, enum target target,
                     const struct cli *cli);

/* A file for each model of the archive that is the first input. Gives the exit status. */
int convert_all(struct cli *cli, enum target target);

/* The only texture of the inputs as PNG; gives the exit status. */
int convert_picture(struct cli *cli);

/* "walk: 24 frames at 30 a second, 0.8 s", for people, and a newline. */
void print_clip(const ossa_clip *clip, const char *name);

#endif
