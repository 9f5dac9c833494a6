/* SPDX-License-Identifier: MIT
 *
 * What a viewer draws of a glTF: morph targets, skins and nodes, as the specification has them. */
#include "support/glb.h"
#include "support/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    assert_non_null(memory);
    return memory;
}

/* ---- a moment ------------------------------------------------------------------------------ */

static void place_node(const struct glb *glb, const struct glb_node *nodes, size_t node,
                       double (*worlds)[16], bool *done)
{
    if (done[node]) return;
    const struct glb_node *n = &nodes[node];
    matrix_of(n->translation, n->rotation, n->scale, worlds[node]);
    if (n->parent >= 0) {
        size_t parent = (size_t)n->parent;
        place_node(glb, nodes, parent, worlds, done);
        matrix_product(worlds[parent], worlds[node], worlds[node]);
    }
    done[node] = true;
}

void glb_find_moment(const struct glb *glb, int animation, double seconds,
                     struct glb_moment *moment)
{
    struct glb_node *nodes = room(glb->node_count, sizeof *nodes);
    bool *done = room(glb->node_count, sizeof *done);
    *moment = (struct glb_moment){.animation = animation, .seconds = seconds};
    moment->worlds = room(glb->node_count, sizeof *moment->worlds);
    glb_sample(glb, animation, seconds, nodes);
    for (size_t i = 0; i < glb->node_count; i++) place_node(glb, nodes, i, moment->worlds, done);
    free(nodes);
    free(done);
}

void glb_free_moment(struct glb_moment *moment)
{
    free(moment->worlds);
}

/* ---- morphs -------------------------------------------------------------------------------- */

size_t glb_primitive_count(const struct glb *glb, size_t mesh)
{
    return json_array_size(json_object_get(glb_item(glb, "meshes", mesh), "primitives"));
}

const json_t *glb_primitive(const struct glb *glb, size_t mesh, size_t primitive)
{
    const json_t *primitives = json_object_get(glb_item(glb, "meshes", mesh), "primitives");
    const json_t *item = json_array_get(primitives, primitive);
    require(item != NULL, glb->label, "meshes[%zu] has no primitive %zu", mesh, primitive);
    return item;
}

size_t glb_target_count(const struct glb *glb, size_t mesh)
{
    return json_array_size(json_object_get(glb_primitive(glb, mesh, 0), "targets"));
}

void glb_weights(const struct glb *glb, size_t node, const struct glb_moment *moment,
                 double *weights)
{
    size_t mesh = (size_t)glb->nodes[node].mesh;
    size_t count = glb_target_count(glb, mesh);
    const json_t *still = json_object_get(glb_item(glb, "meshes", mesh), "weights");
    for (size_t t = 0; t < count; t++) {
        weights[t] = json_number_value(json_array_get(still, t)); /* none: 0 */
    }
    if (moment->animation < 0) return;
    const struct glb_animation *animation = &glb->animations[moment->animation];
    for (size_t c = 0; c < animation->channel_count; c++) {
        const struct glb_channel *channel = &animation->channels[c];
        if (channel->node != node || channel->path != GLB_WEIGHTS) continue;
        size_t from;
        size_t to;
        double part = glb_find_keys(glb, channel, moment->seconds, &from, &to);
        for (size_t t = 0; t < count; t++) {
            double a = glb_number(glb, channel->output, from * count + t, 0);
            double b = glb_number(glb, channel->output, to * count + t, 0);
            weights[t] = a + (b - a) * part;
        }
    }
}

static void morph(const struct glb *glb, size_t node, const json_t *primitive,
                  const struct glb_moment *moment, struct glb_shape *shape)
{
    const json_t *targets = json_object_get(primitive, "targets");
    size_t count = json_array_size(targets);
    double *weights = room(count, sizeof *weights);
    glb_weights(glb, node, moment, weights);
    for (size_t t = 0; t < count; t++) {
        if (weights[t] == 0.0) continue;
        size_t accessor = glb_index(glb, json_array_get(targets, t), "POSITION");
        for (size_t v = 0; v < shape->vertex_count; v++) {
            for (size_t k = 0; k < 3; k++) {
                shape->positions[v][k] += weights[t] * glb_number(glb, accessor, v, k);
            }
        }
    }
    free(weights);
}

/* ---- places -------------------------------------------------------------------------------- */

static void move_point(const double m[16], double v[3])
{
    double out[3];
    for (unsigned r = 0; r < 3; r++) {
        out[r] = m[12 + r] + m[r] * v[0] + m[4 + r] * v[1] + m[8 + r] * v[2];
    }
    memcpy(v, out, sizeof out);
}

static double determinant(const double m[16])
{
    return m[0] * (m[5] * m[10] - m[9] * m[6]) - m[4] * (m[1] * m[10] - m[9] * m[2]) +
           m[8] * (m[1] * m[6] - m[5] * m[2]);
}

/* Whether a node shows the other side of its triangles; of what is flat neither is seen. */
static bool mirrors(const double m[16])
{
    double volume = 1.0;
    for (unsigned c = 0; c < 3; c++) {
        const double *side = m + (size_t)4 * c;
        volume *= sqrt(side[0] * side[0] + side[1] * side[1] + side[2] * side[2]);
    }
    return determinant(m) < -1e-6 * volume;
}

/* By the inverse transposed, which is the cross products of the columns over the determinant. */
static void turn_normal(const double m[16], double n[3])
{
    double out[3] = {0.0, 0.0, 0.0};
    double sign = determinant(m) < 0.0 ? -1.0 : 1.0;
    for (unsigned c = 0; c < 3; c++) {
        const double *a = m + (size_t)4 * ((c + 1) % 3);
        const double *b = m + (size_t)4 * ((c + 2) % 3);
        out[0] += sign * n[c] * (a[1] * b[2] - a[2] * b[1]);
        out[1] += sign * n[c] * (a[2] * b[0] - a[0] * b[2]);
        out[2] += sign * n[c] * (a[0] * b[1] - a[1] * b[0]);
    }
    double length = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    for (unsigned k = 0; k < 3; k++) n[k] = length > 1e-9 ? out[k] / length : 0.0;
}

/* The sum of the joints that move a vertex, each times its inverse bind and its weight. */
static void joint_matrix(const struct glb *glb, const json_t *attributes,
                         const struct glb_moment *moment, size_t vertex, double out[16])
{
    const json_t *skin = glb_item(glb, "skins", 0);
    size_t joints = glb_index(glb, attributes, "JOINTS_0");
    size_t weights = glb_index(glb, attributes, "WEIGHTS_0");
    size_t binds = glb_index(glb, skin, "inverseBindMatrices");
    memset(out, 0, 16 * sizeof *out);
    for (size_t i = 0; i < 4; i++) {
        double weight = glb_number(glb, weights, vertex, i);
        if (weight == 0.0) continue;
        size_t joint = (size_t)glb_number(glb, joints, vertex, i);
        const json_t *node = json_array_get(json_object_get(skin, "joints"), joint);
        double bind[16];
        for (size_t k = 0; k < 16; k++) bind[k] = glb_number(glb, binds, joint, k);
        matrix_product(moment->worlds[json_integer_value(node)], bind, bind);
        for (size_t k = 0; k < 16; k++) out[k] += weight * bind[k];
    }
}

static void read_shape(const struct glb *glb, const json_t *primitive, struct glb_shape *shape)
{
    const json_t *attributes = json_object_get(primitive, "attributes");
    size_t positions = glb_index(glb, attributes, "POSITION");
    size_t indices = glb_index(glb, primitive, "indices");
    bool has_normals = json_object_get(attributes, "NORMAL") != NULL;
    *shape = (struct glb_shape){0};
    shape->vertex_count = glb_index(glb, glb_item(glb, "accessors", positions), "count");
    shape->index_count = glb_index(glb, glb_item(glb, "accessors", indices), "count");
    shape->positions = room(shape->vertex_count, sizeof *shape->positions);
    shape->indices = room(shape->index_count, sizeof *shape->indices);
    if (has_normals) shape->normals = room(shape->vertex_count, sizeof *shape->normals);
    for (size_t v = 0; v < shape->vertex_count; v++) {
        for (size_t k = 0; k < 3; k++) {
            shape->positions[v][k] = glb_number(glb, positions, v, k);
            if (!has_normals) continue;
            shape->normals[v][k] = glb_number(glb, glb_index(glb, attributes, "NORMAL"), v, k);
        }
    }
    for (size_t i = 0; i < shape->index_count; i++) {
        shape->indices[i] = (size_t)glb_number(glb, indices, i, 0);
    }
}

void glb_draw(const struct glb *glb, size_t node, size_t primitive, const struct glb_moment *moment,
              struct glb_shape *shape)
{
    const struct glb_node *n = &glb->nodes[node];
    const json_t *item = glb_primitive(glb, (size_t)n->mesh, primitive);
    const json_t *attributes = json_object_get(item, "attributes");
    read_shape(glb, item, shape);
    morph(glb, node, item, moment, shape);
    for (size_t v = 0; v < shape->vertex_count; v++) {
        double m[16];
        /* The node of a skinned mesh moves nothing. */
        if (n->skin >= 0) joint_matrix(glb, attributes, moment, v, m);
        else memcpy(m, moment->worlds[node], sizeof m);
        move_point(m, shape->positions[v]);
        if (shape->normals != NULL) turn_normal(m, shape->normals[v]);
    }
    bool is_mirrored = n->skin < 0 && mirrors(moment->worlds[node]);
    for (size_t i = 0; is_mirrored && i + 2 < shape->index_count; i += 3) {
        size_t second = shape->indices[i + 1];
        shape->indices[i + 1] = shape->indices[i + 2];
        shape->indices[i + 2] = second;
    }
}

void glb_free_shape(struct glb_shape *shape)
{
    free(shape->positions);
    free(shape->normals);
    free(shape->indices);
}
