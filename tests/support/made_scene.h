/* SPDX-License-Identifier: MIT
 *
 * A scene made by hand, with every kind of curve, to be looked at or broken. */
#ifndef OSSA_TEST_MADE_SCENE_H
#define OSSA_TEST_MADE_SCENE_H

#include "ossa/scene.h"

enum { MADE_CLIPS = 4 };

struct made_plan {
    uint32_t seed;
    uint32_t bones;
    uint32_t clips;
    uint32_t frames[MADE_CLIPS];
    double fps;       /* 0: 30 */
    bool is_rigid;    /* no scales, nothing hidden */
    bool is_flat;     /* no bone hangs on another */
    uint32_t cameras; /* every other one stands still */
    bool has_mesh;    /* a triangle on each bone, and a line with colours on every other */
    /* The rest is for meshes. */
    bool has_joints;    /* every other bone's triangle has corners of that bone and the next two */
    bool has_weights;   /* the triangle of each fourth bone, from the third, is a box in the model's
                         * space at rest, of vertices with one to four bones and two sets of texture
                         * coordinates; the first two materials are clamped, one has a cutoff */
    bool has_materials; /* MADE_MATERIALS of them, none on the first and every fifth bone */
    uint32_t targets;   /* so many, or up to 2 more, on each fourth bone's triangle, and on the line
                         * that is all the bone before it has; clips show them */
};

/* The materials of a scene; 1 and 2 show textures, the last of both is for nothing. */
enum { MADE_MATERIALS = 5, MADE_TEXTURES = 4 };

/* The arrays once more, to be written to. */
struct made_scene {
    ossa_scene scene;
    ossa_bone *bones;
    ossa_clip *clips;
    ossa_mesh *meshes;
    ossa_camera *cameras;
    ossa_material *materials;
    ossa_texture *textures;
    void **memory;
    size_t memory_count;
};

/* Rotations change on all bones but the last, translations on every second, scales on every third,
 * visibility on every fourth. */
void make_scene(struct made_scene *made, const struct made_plan *plan);
void free_made_scene(struct made_scene *made);

/* A copy of a text that lives as long as the scene. */
char *made_text(struct made_scene *made, const char *text);
void *made_memory(struct made_scene *made, size_t size);

#endif
