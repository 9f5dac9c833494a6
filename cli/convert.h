/* SPDX-License-Identifier: MIT
 *
 * Shared by the parts of `ossa convert`. */
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
    TARGET_PNG, /* a texture; there are no clips */
};

/* Both write complete files or none, print why they fail, and return the exit status. `clips` has
 * one flag per clip. */

/* Write cli->output, and for a .gltf the .bin beside it. A BVH gets the first wanted clip. */
int write_scene(const ossa_scene *scene, const uint8_t *clips, enum target target,
                const struct cli *cli);
/* Write one file per clip to the folder cli->output, which is created if needed. A clip that fails
 * does not stop the others. */
int write_clip_files(const ossa_scene *scene, const uint8_t *clips, enum target target,
                     struct cli *cli);

/* Write one file per figure of the inputs. Returns the exit status. */
int convert_all(struct cli *cli, enum target target);

/* Print "walk: 24 frames at 30 fps, 0.8 s" and a newline. */
void print_clip(const ossa_clip *clip, const char *name);

#endif
