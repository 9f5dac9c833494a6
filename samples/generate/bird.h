/* SPDX-License-Identifier: MIT
 *
 * The bird's bones, for its moves and its body. */
#ifndef OSSA_SAMPLES_BIRD_H
#define OSSA_SAMPLES_BIRD_H

#include "maths.h"

enum bird_bone_number {
    ROOT,
    BODY,
    NECK,
    HEAD,
    BEAK,
    TAIL,
    TAIL_TIP,
    LWING1,
    LWING2,
    LWING3,
    LWING_TIP,
    RWING1,
    RWING2,
    RWING3,
    RWING_TIP,
    BONES,
};

/* A bone in the model's space: where it is with the wings spread, and at rest. */
struct bird_place {
    vec3 spread;
    vec3 rest;
    quat turn; /* from the one to the other, in world axes */
};

/* bird.nmo and bird.nto */
void save_bird_body(const char *root, const struct bird_place places[BONES]);

#endif
