/* SPDX-License-Identifier: MIT
 *
 * The figure of all benchmarks, as a scene in memory and as files of the games. A root walks in a
 * circle, limbs of ten bones hang on it, and every bone rotates by a few degrees per frame, as in a
 * real clip. Clips of another `variant` move otherwise. */
#ifndef OSSA_BENCH_FIGURE_H
#define OSSA_BENCH_FIGURE_H

#include "ossa/ossa.h"

enum { FIGURE_BONES = 64, FIGURE_FRAMES = 300, FIGURE_FPS = 30 };

/* ---- bytes --------------------------------------------------------------------------------- */

/* A file in the making. */
struct bytes {
    uint8_t *data;
    size_t size;
    size_t capacity;
};

void put(struct bytes *bytes, const void *data, size_t size);
void put_u8(struct bytes *bytes, uint32_t value);
void put_u16(struct bytes *bytes, uint32_t value);
void put_u32(struct bytes *bytes, uint32_t value);
void put_f32(struct bytes *bytes, float value);
/* An ossa_sink's function for a struct bytes. */
bool collect_bytes(void *user, const void *data, size_t size);

/* ---- the figure ---------------------------------------------------------------------------- */

int32_t figure_parent(uint32_t bone);
/* x y z w */
void figure_rotation(uint32_t variant, uint32_t bone, uint32_t frame, float rotation[4]);

/* Every bone has a track of rotations, and the root one of translations. */
struct figure {
    ossa_scene scene; /* with the one clip */
    ossa_clip clip;
    ossa_bone *bones;
    char (*names)[16];
    uint32_t *list;
    ossa_transform *constant;
    uint8_t *visible;
    float *rotations;
    float *translations;
};

void make_figure(struct figure *figure, uint32_t bones, uint32_t frames, uint32_t variant);
void free_figure(struct figure *figure);

/* Evil Islands: the tree, and the file of one part. */
struct bytes make_lnk(uint32_t bones);
struct bytes make_anm(uint32_t frames, uint32_t variant, uint32_t bone);
/* Midtown Madness: all bones of a clip, nothing but floats. */
struct bytes make_anim(uint32_t bones, uint32_t frames);
/* Shadow of the Colossus: the container, whose data follows; the skeleton; an animation, whose
 * bones all have packed keys. */
enum { CONTAINER_SIZE = 208 };
void put_container(struct bytes *bytes, uint32_t data_size);
struct bytes make_skb(uint32_t bones);
struct bytes make_anb(uint32_t bones, uint32_t frames, uint32_t variant);

#endif
