/* SPDX-License-Identifier: MIT */
#include "support/glb.h"
#include "support/testing.h"

#include <stdlib.h>
#include <string.h>

enum { COMPONENT_U8 = 5121, COMPONENT_U16 = 5123, COMPONENT_U32 = 5125, COMPONENT_F32 = 5126 };

/* ---- the container ------------------------------------------------------------------------- */

static void read_document(struct glb *glb, const char *text, size_t size)
{
    json_error_t error;
    glb->document = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    require(glb->document != NULL, glb->label, "the JSON is broken: %s", error.text);
}

size_t glb_count(const struct glb *glb, const char *array)
{
    return json_array_size(json_object_get(glb->document, array));
}

const json_t *glb_item(const struct glb *glb, const char *array, size_t index)
{
    const json_t *item = json_array_get(json_object_get(glb->document, array), index);
    require(item != NULL, glb->label, "there is no %s[%zu]", array, index);
    return item;
}

size_t glb_index(const struct glb *glb, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    require(json_is_integer(value) && json_integer_value(value) >= 0, glb->label,
            "'%s' is no index", key);
    return (size_t)json_integer_value(value);
}

/* ---- numbers ------------------------------------------------------------------------------- */

size_t glb_width(const struct glb *glb, size_t accessor)
{
    static const struct {
        const char *name;
        size_t width;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    const json_t *item = glb_item(glb, "accessors", accessor);
    const char *type = json_string_value(json_object_get(item, "type"));
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(type, types[i].name) == 0) return types[i].width;
    }
    require(false, glb->label, "accessors[%zu] is of type %s", accessor, type);
    return 0;
}

static size_t component_size(size_t component)
{
    switch (component) {
    case COMPONENT_U8: return 1;
    case COMPONENT_U16: return 2;
    default: return 4;
    }
}

static uint32_t load(const uint8_t *bytes, size_t size)
{
    uint32_t value = 0;
    for (size_t i = size; i-- > 0;) value = value << 8 | bytes[i];
    return value;
}

static uint32_t word_in(const struct glb *glb, const json_t *part, size_t index)
{
    const json_t *view = glb_item(glb, "bufferViews", glb_index(glb, part, "bufferView"));
    const json_t *start = json_object_get(part, "byteOffset"); /* none: 0 */
    size_t offset = (size_t)json_integer_value(start) + 4 * index;
    require(offset + 4 <= glb_index(glb, view, "byteLength"), glb->label, "a view is too short");
    offset += glb_index(glb, view, "byteOffset");
    require(offset + 4 <= glb->bin_size, glb->label, "a view is not in the buffer");
    return load(glb->bin + offset, 4);
}

size_t glb_listed(const struct glb *glb, const json_t *accessor, size_t index)
{
    const json_t *sparse = json_object_get(accessor, "sparse");
    return word_in(glb, json_object_get(sparse, "indices"), index);
}

/* Of an accessor that lists what is not 0. */
static double sparse_number(const struct glb *glb, const json_t *item, size_t element)
{
    const json_t *sparse = json_object_get(item, "sparse");
    const json_t *indices = json_object_get(sparse, "indices");
    require(glb_index(glb, item, "componentType") == COMPONENT_F32 &&
                glb_index(glb, indices, "componentType") == COMPONENT_U32 &&
                json_object_get(item, "bufferView") == NULL,
            glb->label, "a sparse accessor is not as expected");
    size_t low = 0;
    size_t count = glb_index(glb, sparse, "count");
    size_t high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (glb_listed(glb, item, middle) < element) low = middle + 1;
        else high = middle;
    }
    if (low == count || glb_listed(glb, item, low) != element) return 0.0;
    return (double)f32_of_bits(word_in(glb, json_object_get(sparse, "values"), low));
}

double glb_number(const struct glb *glb, size_t accessor, size_t element, size_t component)
{
    const json_t *item = glb_item(glb, "accessors", accessor);
    if (json_object_get(item, "sparse") != NULL) return sparse_number(glb, item, element);
    const json_t *view = glb_item(glb, "bufferViews", glb_index(glb, item, "bufferView"));
    size_t type = glb_index(glb, item, "componentType");
    size_t size = component_size(type);
    size_t width = glb_width(glb, accessor);
    size_t offset = glb_index(glb, view, "byteOffset") + (element * width + component) * size;
    require(element < glb_index(glb, item, "count") && component < width &&
                offset + size <= glb->bin_size,
            glb->label, "accessors[%zu] has no element %zu", accessor, element);
    uint32_t bits = load(glb->bin + offset, size);
    if (type == COMPONENT_F32) return (double)f32_of_bits(bits);
    bool normalized = json_is_true(json_object_get(item, "normalized"));
    return normalized ? (double)bits / (type == COMPONENT_U8 ? 255.0 : 65535.0) : (double)bits;
}

/* ---- nodes and animations ------------------------------------------------------------------ */

static void read_numbers(const struct glb *glb, const json_t *node, const char *key, double *values,
                         size_t count)
{
    const json_t *array = json_object_get(node, key);
    if (array == NULL) return;
    require(json_array_size(array) == count, glb->label, "'%s' has another length", key);
    for (size_t i = 0; i < count; i++) values[i] = json_number_value(json_array_get(array, i));
}

static void read_nodes(struct glb *glb)
{
    glb->node_count = glb_count(glb, "nodes");
    glb->nodes = calloc(glb->node_count + 1, sizeof *glb->nodes);
    assert_non_null(glb->nodes);
    for (size_t i = 0; i < glb->node_count; i++) {
        const json_t *item = glb_item(glb, "nodes", i);
        struct glb_node *node = &glb->nodes[i];
        double q[4] = {0.0, 0.0, 0.0, 1.0};
        *node = (struct glb_node){
            .parent = -1, .mesh = -1, .skin = -1, .camera = -1, .scale = {1.0, 1.0, 1.0}};
        node->name = json_string_value(json_object_get(item, "name"));
        node->original =
            json_string_value(json_object_get(json_object_get(item, "extras"), "name"));
        if (json_object_get(item, "mesh") != NULL) node->mesh = (int)glb_index(glb, item, "mesh");
        if (json_object_get(item, "skin") != NULL) node->skin = (int)glb_index(glb, item, "skin");
        if (json_object_get(item, "camera") != NULL) {
            node->camera = (int)glb_index(glb, item, "camera");
        }
        read_numbers(glb, item, "translation", node->translation, 3);
        read_numbers(glb, item, "rotation", q, 4);
        read_numbers(glb, item, "scale", node->scale, 3);
        node->rotation = (struct rotation){q[0], q[1], q[2], q[3]};
    }
    for (size_t i = 0; i < glb->node_count; i++) {
        const json_t *children = json_object_get(glb_item(glb, "nodes", i), "children");
        for (size_t c = 0; c < json_array_size(children); c++) {
            size_t child = (size_t)json_integer_value(json_array_get(children, c));
            require(child < glb->node_count, glb->label, "nodes[%zu] has no child %zu", i, child);
            require(glb->nodes[child].parent < 0, glb->label, "nodes[%zu] has two parents", child);
            glb->nodes[child].parent = (int)i;
        }
    }
}

static void read_joints(struct glb *glb)
{
    if (glb_count(glb, "skins") == 0) return;
    glb->joint_count = json_array_size(json_object_get(glb_item(glb, "skins", 0), "joints"));
}

static void read_channel(const struct glb *glb, const json_t *animation, const json_t *item,
                         struct glb_channel *channel)
{
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
    const json_t *target = json_object_get(item, "target");
    const char *path = json_string_value(json_object_get(target, "path"));
    const json_t *sampler =
        json_array_get(json_object_get(animation, "samplers"), glb_index(glb, item, "sampler"));
    const char *interpolation = json_string_value(json_object_get(sampler, "interpolation"));
    channel->node = glb_index(glb, target, "node");
    channel->input = glb_index(glb, sampler, "input");
    channel->output = glb_index(glb, sampler, "output");
    channel->count = glb_index(glb, glb_item(glb, "accessors", channel->input), "count");
    channel->steps = strcmp(interpolation, "STEP") == 0;
    require(channel->steps || strcmp(interpolation, "LINEAR") == 0, glb->label, "it is %s",
            interpolation);
    unsigned found = 0;
    while (found < 4 && strcmp(path, paths[found]) != 0) found++;
    require(found < 4, glb->label, "a channel for '%s'", path);
    channel->path = (enum glb_path)found;
}

static void read_animations(struct glb *glb)
{
    glb->animation_count = glb_count(glb, "animations");
    glb->animations = calloc(glb->animation_count + 1, sizeof *glb->animations);
    assert_non_null(glb->animations);
    for (size_t i = 0; i < glb->animation_count; i++) {
        const json_t *item = glb_item(glb, "animations", i);
        const json_t *channels = json_object_get(item, "channels");
        struct glb_animation *animation = &glb->animations[i];
        animation->name = json_string_value(json_object_get(item, "name"));
        animation->channel_count = json_array_size(channels);
        animation->channels = calloc(animation->channel_count + 1, sizeof *animation->channels);
        assert_non_null(animation->channels);
        for (size_t c = 0; c < animation->channel_count; c++) {
            read_channel(glb, item, json_array_get(channels, c), &animation->channels[c]);
        }
    }
}

void glb_open(struct glb *glb, const char *label, const struct bytes *file)
{
    *glb = (struct glb){.label = label};
    require(file->size >= 20 && file->size % 4 == 0, label, "%zu bytes are no GLB", file->size);
    require(memcmp(file->data, "glTF", 4) == 0, label, "has no signature");
    require(get_u32(file, 4) == 2, label, "is not version 2");
    require(get_u32(file, 8) == file->size, label, "says %u bytes and has %zu",
            (unsigned)get_u32(file, 8), file->size);
    size_t text = get_u32(file, 12);
    require(memcmp(file->data + 16, "JSON", 4) == 0 && text % 4 == 0 && 20 + text <= file->size,
            label, "its first chunk is no JSON, or not padded");
    const char *json = (const char *)file->data + 20;
    size_t used = text;
    while (used > 0 && json[used - 1] == ' ') used--;
    require(used > 0 && json[used - 1] == '}' && text - used < 4, label,
            "the JSON is not padded with spaces");
    read_document(glb, json, text);
    size_t rest = file->size - 20 - text;
    if (rest > 0) {
        require(rest >= 12 && memcmp(file->data + 24 + text, "BIN\0", 4) == 0, label,
                "its second chunk is no BIN");
        glb->bin_size = get_u32(file, 20 + text);
        glb->bin = file->data + 28 + text;
        require(glb->bin_size % 4 == 0 && glb->bin_size + 8 == rest, label,
                "the BIN does not end with the file");
    }
    read_nodes(glb);
    read_joints(glb);
    read_animations(glb);
}

void glb_open_pair(struct glb *glb, const char *label, const struct bytes *text,
                   const struct bytes *bin)
{
    *glb = (struct glb){.label = label, .bin = bin->data, .bin_size = bin->size};
    read_document(glb, (const char *)text->data, text->size);
    read_nodes(glb);
    read_joints(glb);
    read_animations(glb);
}

void glb_close(struct glb *glb)
{
    for (size_t i = 0; i < glb->animation_count; i++) free(glb->animations[i].channels);
    free(glb->animations);
    free(glb->nodes);
    json_decref(glb->document);
}

int glb_find_node(const struct glb *glb, const char *name)
{
    for (size_t i = 0; i < glb->node_count; i++) {
        if (strcmp(glb->nodes[i].name, name) == 0) return (int)i;
    }
    return -1;
}

int glb_find_animation(const struct glb *glb, const char *name)
{
    for (size_t i = 0; i < glb->animation_count; i++) {
        if (strcmp(glb->animations[i].name, name) == 0) return (int)i;
    }
    return -1;
}

/* ---- what a viewer shows ------------------------------------------------------------------- */

/* The last key that is not after the time. */
static size_t find_key(const struct glb *glb, const struct glb_channel *channel, double seconds)
{
    size_t low = 0;
    size_t high = channel->count; /* keys before `low` are not after it, from `high` on they are */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (glb_number(glb, channel->input, middle, 0) <= seconds) low = middle + 1;
        else high = middle;
    }
    return low == 0 ? 0 : low - 1;
}

static struct rotation rotation_key(const struct glb *glb, size_t accessor, size_t key)
{
    return (struct rotation){glb_number(glb, accessor, key, 0), glb_number(glb, accessor, key, 1),
                             glb_number(glb, accessor, key, 2), glb_number(glb, accessor, key, 3)};
}

double glb_find_keys(const struct glb *glb, const struct glb_channel *channel, double seconds,
                     size_t *from, size_t *to)
{
    *from = find_key(glb, channel, seconds);
    *to = *from + 1 < channel->count ? *from + 1 : *from;
    double start = glb_number(glb, channel->input, *from, 0);
    double end = glb_number(glb, channel->input, *to, 0);
    double part = end > start ? (seconds - start) / (end - start) : 0.0;
    if (part < 0.0 || channel->steps) part = 0.0;
    return part > 1.0 ? 1.0 : part;
}

static void sample_channel(const struct glb *glb, const struct glb_channel *channel, double seconds,
                           struct glb_node *node)
{
    size_t from;
    size_t to;
    double part = glb_find_keys(glb, channel, seconds, &from, &to);
    if (channel->path == GLB_WEIGHTS) return; /* of a mesh, not of its place */
    if (channel->path == GLB_ROTATION) {
        struct rotation a = rotation_key(glb, channel->output, from);
        struct rotation b = rotation_key(glb, channel->output, to);
        node->rotation = part == 0.0 ? a : rotation_between(a, b, part);
        return;
    }
    double *out = channel->path == GLB_SCALE ? node->scale : node->translation;
    for (size_t k = 0; k < 3; k++) {
        double a = glb_number(glb, channel->output, from, k);
        double b = glb_number(glb, channel->output, to, k);
        out[k] = a + (b - a) * part;
    }
}

void glb_sample(const struct glb *glb, int animation, double seconds, struct glb_node *nodes)
{
    memcpy(nodes, glb->nodes, glb->node_count * sizeof *nodes);
    if (animation < 0) return;
    const struct glb_animation *moving = &glb->animations[animation];
    for (size_t c = 0; c < moving->channel_count; c++) {
        sample_channel(glb, &moving->channels[c], seconds, &nodes[moving->channels[c].node]);
    }
}

bool glb_is_switch(const struct glb *glb, size_t node)
{
    return node > glb->joint_count && glb->nodes[node].camera < 0 && glb->nodes[node].skin < 0;
}

static void find_world(const struct glb *glb, const struct glb_node *nodes, size_t node,
                       double (*worlds)[16], bool *shown, bool *done)
{
    static const double one[3] = {1.0, 1.0, 1.0};
    if (done[node]) return;
    const struct glb_node *n = &nodes[node];
    double own[16];
    matrix_of(n->translation, n->rotation, glb_is_switch(glb, node) ? one : n->scale, own);
    shown[node] = !glb_is_switch(glb, node) || n->scale[0] != 0.0;
    if (n->parent < 0) {
        memcpy(worlds[node], own, sizeof own);
    } else {
        size_t parent = (size_t)n->parent;
        find_world(glb, nodes, parent, worlds, shown, done);
        matrix_product(worlds[parent], own, worlds[node]);
        /* Only its own switch counts: bones of these games hide one by one. */
        if (glb_is_switch(glb, parent)) shown[node] = shown[parent];
    }
    done[node] = true;
}

void glb_worlds(const struct glb *glb, const struct glb_node *nodes, double (*worlds)[16],
                bool *shown)
{
    bool *done = calloc(glb->node_count + 1, sizeof *done);
    assert_non_null(done);
    for (size_t i = 0; i < glb->node_count; i++) find_world(glb, nodes, i, worlds, shown, done);
    free(done);
}
