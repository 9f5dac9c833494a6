/* SPDX-License-Identifier: MIT
 *
 * A clip as BVH, the motion capture format that every animation program reads. It has no rest
 * rotation, no scale, no visibility and no meshes: what is lost is told of. */
#ifndef OSSA_BVH_H
#define OSSA_BVH_H

#include "ossa/scene.h"

OSSA_BEGIN

typedef struct ossa_bvh_options {
    /* Called for what BVH cannot say, one sentence each. */
    void (*on_warning)(void *user, const char *message);
    void *user;
    ossa_allocator allocator;
} ossa_bvh_options;

/* One clip of the scene as text; the same scene gives the same bytes on every machine. A clip of no
 * frames and a scene of no bones are refused (OSSA_CODE_BAD_SCENE), and so is a clip that is not
 * one of `scene->clips` (OSSA_CODE_BAD_ARGUMENT). After a failure what went to the sink is no file.
 */
OSSA_API bool ossa_write_bvh(const ossa_scene *scene, const ossa_clip *clip,
                             const ossa_bvh_options *options, ossa_sink sink, ossa_error *error);

OSSA_END

#endif
