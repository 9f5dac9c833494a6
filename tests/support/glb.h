/* SPDX-License-Identifier: MIT
 *
 * A reader of glTF 2.0 for the tests, as another program would write it: it shares nothing with the
 * exporter, and shows what a viewer would show. What breaks the container fails the test. */
#ifndef OSSA_TEST_GLB_H
#define OSSA_TEST_GLB_H

#include "support/byte_list.h"
#include "support/rotation.h"

#include <jansson.h>
#include <stdbool.h>

struct glb_node {
    const char *name;
    const char *original; /* extras.name; NULL: none */
    int parent;           /* -1: none */
    int mesh;             /* -1: none */
    int skin;             /* -1: none */
    int camera;           /* -1: none */
    double translation[3];
    struct rotation rotation;
    double scale[3];
};

enum glb_path { GLB_TRANSLATION, GLB_ROTATION, GLB_SCALE, GLB_WEIGHTS };

struct glb_channel {
    size_t node;
    enum glb_path path;
    bool steps;   /* STEP, else LINEAR */
    size_t count; /* of keys; weights are so many for each as the node's mesh has targets */
    size_t input; /* accessors */
    size_t output;
};

struct glb_animation {
    const char *name;
    size_t channel_count;
    struct glb_channel *channels;
};

struct glb {
    const char *label; /* for messages */
    json_t *document;
    const uint8_t *bin;
    size_t bin_size;
    size_t node_count;
    struct glb_node *nodes;
    /* Of the skin: nodes 1 to that; then those that show and hide, then that of a mesh that is
     * bound to the skin, then cameras. */
    size_t joint_count;
    size_t animation_count;
    struct glb_animation *animations;
};

/* The bytes must outlive it. */
void glb_open(struct glb *glb, const char *label, const struct bytes *file);
/* A .gltf and its buffer. */
void glb_open_pair(struct glb *glb, const char *label, const struct bytes *text,
                   const struct bytes *bin);
void glb_close(struct glb *glb);

size_t glb_count(const struct glb *glb, const char *array);
const json_t *glb_item(const struct glb *glb, const char *array, size_t index);
/* A non-negative integer member; fails where there is none. */
size_t glb_index(const struct glb *glb, const json_t *object, const char *key);

/* Components of an element of an accessor: 1, 2, 3, 4 or 16. */
size_t glb_width(const struct glb *glb, size_t accessor);
/* One number, normalised where the accessor says so. */
double glb_number(const struct glb *glb, size_t accessor, size_t element, size_t component);

/* Which element a sparse accessor lists there. */
size_t glb_listed(const struct glb *glb, const json_t *accessor, size_t index);

/* -1: there is none. */
int glb_find_node(const struct glb *glb, const char *name);
int glb_find_animation(const struct glb *glb, const char *name);

/* All nodes at a time of an animation (-1: at rest), [node_count]: first their own transforms, then
 * from the root, with the scales of nodes that show and hide left out and told in `shown`. */
void glb_sample(const struct glb *glb, int animation, double seconds, struct glb_node *nodes);
/* The keys around a time, and how far it is from the one to the other. */
double glb_find_keys(const struct glb *glb, const struct glb_channel *channel, double seconds,
                     size_t *from, size_t *to);
bool glb_is_switch(const struct glb *glb, size_t node);
void glb_worlds(const struct glb *glb, const struct glb_node *nodes, double (*worlds)[16],
                bool *shown);

/* ---- what is drawn (glb_shapes.c) ----------------------------------------------------------- */

/* All nodes at one time, hidden ones scaled to nothing. */
struct glb_moment {
    int animation; /* -1: at rest */
    double seconds;
    double (*worlds)[16]; /* [node_count] */
};

void glb_find_moment(const struct glb *glb, int animation, double seconds,
                     struct glb_moment *moment);
void glb_free_moment(struct glb_moment *moment);

const json_t *glb_primitive(const struct glb *glb, size_t mesh, size_t primitive);
size_t glb_primitive_count(const struct glb *glb, size_t mesh);
size_t glb_target_count(const struct glb *glb, size_t mesh);
/* [glb_target_count] of the node's mesh. */
void glb_weights(const struct glb *glb, size_t node, const struct glb_moment *moment,
                 double *weights);

/* A primitive as it is seen: morphed, bent, placed. */
struct glb_shape {
    size_t vertex_count;
    double (*positions)[3];
    double (*normals)[3]; /* of length 1, or 0 where it has no size; NULL: none */
    size_t index_count;
    size_t *indices; /* front faces are counter-clockwise, also of what is mirrored */
};

void glb_draw(const struct glb *glb, size_t node, size_t primitive, const struct glb_moment *moment,
              struct glb_shape *shape);
void glb_free_shape(struct glb_shape *shape);

/* ---- rules (glb_rules.c, glb_mesh_rules.c) --------------------------------------------------- */

/* Everything that a glTF of ours must keep, from the specification and from what has bitten
 * others; fails with the first rule that is broken. */
void require_gltf_rules(const struct glb *glb);

#endif
