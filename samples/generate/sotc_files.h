/* SPDX-License-Identifier: MIT
 *
 * Shadow of the Colossus' files: skeletons (SKB) and animations (ANB) in their container (XFF).
 * What comes in is in the space of glTF: right-handed, Y up, rotations against the parent. */
#ifndef OSSA_SAMPLES_SOTC_FILES_H
#define OSSA_SAMPLES_SOTC_FILES_H

#include "emit.h"
#include "maths.h"

/* Data in its container, with its header at `entry` and a symbol that names it (NULL: none); they
 * are gone afterwards. */
void save_xff(const char *root, const char *name, const char magic[4], struct bytes *data,
              uint32_t entry, const char *symbol);

struct sotc_bone {
    const char *name;
    int parent; /* -1: none; parents come first */
    vec3 offset;
    quat rest;
};

void save_skb(const char *root, const char *file, const struct sotc_bone *bones, unsigned count);

/* The ways to pack a track. */
enum sotc_packing {
    SOTC_CONSTANT, /* flag 0: the first pose counts */
    SOTC_32_BIT,   /* flag 3, 4, 5 or 6: whichever leaves out the largest component */
    SOTC_48_BIT,   /* flag 12: always leaves out the real part, so that must not be small */
    SOTC_ANGLE,    /* flag 13: about one axis */
};

struct sotc_track {
    enum sotc_packing packing;
    vec3 axis; /* of SOTC_ANGLE, of length 1 */
    const quat *poses;
};

void save_anb(const char *root, const char *file, const char magic[4],
              const struct sotc_track *tracks, unsigned bones, unsigned poses);

#endif
