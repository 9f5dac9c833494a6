/* SPDX-License-Identifier: MIT
 *
 * One library that plays a clip: all of them go through the same calls in bench_play.c. Those of
 * other people are in peers/, in C++, and compiled only where their sources are. */
#ifndef OSSA_BENCH_CONTENDER_H
#define OSSA_BENCH_CONTENDER_H

#include "ossa/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One of a crowd. */
struct character {
    void *clip;
    double seconds;
    float (*matrices)[16];
};

struct contender {
    const char *name;
    /* The clip in the contender's own form. Local poses go to a buffer of the contender's. */
    void *(*open)(const ossa_scene *scene, const ossa_clip *clip);
    void (*sample)(void *clip, double seconds);
    /* Of the pose that was sampled last, column by column. */
    void (*matrices)(void *clip, float (*matrices)[16]);
    /* Both for many; NULL: one after another. */
    void (*crowd)(const struct character *characters, size_t count);
    void (*close)(void *clip);
    float tolerance; /* of a matrix, for those that compress */
};

#ifdef BENCH_OZZ
extern const struct contender ozz_contender;
#endif
#ifdef BENCH_ACL
extern const struct contender acl_contender;
#endif
#ifdef BENCH_ASSIMP
/* Read a model from memory and write it as GLB to memory; the size of it, or 0. */
size_t assimp_convert(const void *data, size_t size, const char *extension);
#endif

#ifdef __cplusplus
}
#endif

#endif
