/* SPDX-License-Identifier: MIT
 *
 * What another program has written: nodes, and how they move. glTF, BVH and scene JSON are all read
 * into this. Nothing in it is resampled, renamed or put into another space. */
#ifndef OSSA_IMPORT_MOTION_H
#define OSSA_IMPORT_MOTION_H

#include "base/quaternion.h"
#include "codec/context.h"

struct ossa__motion_node {
    const char *name; /* UTF-8; "": none */
    int32_t parent;   /* a node before it; -1: none */
    double translation[3];
    struct ossa__quat rotation; /* of length 1 */
    double scale[3];
    bool is_joint; /* of a skin */
    bool has_bind;
    double bind[16];      /* column by column: where it was when the skin was bound to it */
    bool has_mesh;        /* of any kind */
    int32_t mesh;         /* with morph targets; -1: none */
    bool is_camera;       /* it has one */
    double field_of_view; /* of the camera: vertical, radians; 0: none, or orthographic */
};

enum ossa__motion_target {
    OSSA__MOTION_TRANSLATION, /* 3 numbers */
    OSSA__MOTION_ROTATION,    /* 4, of any length but 0 */
    OSSA__MOTION_SCALE,       /* 3 */
    OSSA__MOTION_WEIGHTS,     /* one per morph target of the node's mesh */
};

enum ossa__motion_interpolation {
    OSSA__MOTION_LINEAR,
    OSSA__MOTION_STEP,
    OSSA__MOTION_CUBIC, /* a key is the tangent before it, its value and the tangent behind it */
};

struct ossa__motion_curve {
    uint32_t node;
    enum ossa__motion_target target;
    enum ossa__motion_interpolation interpolation;
    uint32_t key_count; /* at least 1 */
    uint32_t width;
    const float *times;  /* [key_count] seconds: finite, from 0 on, strictly rising */
    const float *values; /* [key_count][width], or [key_count][3][width]; finite */
};

struct ossa__motion_clip {
    const char *name;     /* "": none */
    double fps;           /* that the file states; 0: it does not */
    uint32_t frame_count; /* likewise */
    uint32_t curve_count;
    const struct ossa__motion_curve *curves; /* one per node and target */
};

/* A mesh with morph targets. Others are left out. */
struct ossa__motion_mesh {
    const char *name;
    uint32_t vertex_count; /* of all its primitives, one after the other */
    const float (*positions)[3];
    uint32_t target_count;
    const float (*targets)[3]; /* [target][vertex]: offsets */
    const float *weights;      /* [target_count] where no clip says otherwise */
};

/* What the file says of how it was made: see docs/import.md. */
struct ossa__motion_option {
    const char *key;  /* "scale", "euler", ... */
    const char *text; /* NULL: it is a number */
    double number;
};

struct ossa__motion {
    const char *format; /* "gltf", "bvh" or "json" */
    /* Rotations at rest are part of what nodes say. In BVH they are not: there a rotation is the
     * whole of it, and a node at rest is only an offset. */
    bool has_rest;
    /* Nodes are called as the game calls its bones: several may have one name. In the others, the
     * writers have cleaned them (scene/node_names.h). */
    bool has_own_names;
    uint32_t node_count;
    struct ossa__motion_node *nodes;
    uint32_t clip_count;
    struct ossa__motion_clip *clips;
    uint32_t mesh_count;
    struct ossa__motion_mesh *meshes;
    uint32_t option_count;
    struct ossa__motion_option *options;
};

/* Fetch a file that another one refers to by a name without folders. False: there is none, or it
 * cannot be read. The bytes must stay until the end of the call that asks. */
typedef bool ossa__fetch_file(void *user, const char *name, const uint8_t **data, size_t *size);

/* The bytes of a .glb, .gltf, .bvh or scene .json, told apart by what they are; NULL after a
 * failure. It lives in the context's arena and does not refer to `data`. What is not used is
 * reported as a remark. `name` is the file's: a BVH calls its clip so. */
struct ossa__motion *ossa__read_motion(struct ossa__context *context, const uint8_t *data,
                                       size_t size, const char *name, ossa__fetch_file *fetch,
                                       void *user);

/* The formats one by one. */
struct ossa__motion *ossa__read_gltf(struct ossa__context *context, const uint8_t *data,
                                     size_t size, ossa__fetch_file *fetch, void *user);
struct ossa__motion *ossa__read_bvh(struct ossa__context *context, const uint8_t *data, size_t size,
                                    const char *name);
struct ossa__motion *ossa__read_scene_json(struct ossa__context *context, const uint8_t *data,
                                           size_t size);

#endif
