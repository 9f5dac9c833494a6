/* SPDX-License-Identifier: MIT
 *
 * A scene as glTF 2.0: all clips in one file, with their names. */
#ifndef OSSA_GLTF_H
#define OSSA_GLTF_H

#include "ossa/scene.h"

OSSA_BEGIN

typedef struct ossa_gltf_options {
    /* NULL: one GLB. Otherwise the text of a .gltf, whose buffer is in a file of this name. */
    const char *bin_uri;
    /* All triangles as one mesh that is bound to the bones, instead of a mesh on each bone. It
     * shows the same. Lines stay on their bones: not every program bends them. Meshes with
     * vertex_bones are bound in any case. */
    bool skin;
    /* Called for what glTF cannot say or hold, one sentence each. */
    void (*on_warning)(void *user, const char *message);
    void *user;
    ossa_allocator allocator;
} ossa_gltf_options;

/* The same scene gives the same bytes on every machine, but for how zlib packs textures. A clip
 * with morph targets takes frames * targets floats for each mesh that has any: there is a warning
 * when all of that is 64 MiB, and from 1 GiB on an error. While it works it holds all of the
 * buffer, at times three times its size. With bin_uri the buffer goes to `bin`, which is not used
 * otherwise. Only the clips in `clips` (NULL: all) are written. */
OSSA_API bool ossa_write_gltf(const ossa_scene *scene, const uint8_t *clips,
                              const ossa_gltf_options *options, ossa_sink sink, ossa_sink bin,
                              ossa_error *error);

OSSA_END

#endif
