/* SPDX-License-Identifier: MIT */
#include "support/glb_rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON ---------------------------------------------------------------------------------- */

/* glTF has no empty arrays, and no empty objects but the extension that says all by its name. */
static void require_not_empty(const struct glb *glb, const char *key, const json_t *value)
{
    if (json_is_array(value)) {
        require(json_array_size(value) > 0, glb->label, "the array '%s' is empty", key);
        for (size_t i = 0; i < json_array_size(value); i++) {
            require_not_empty(glb, key, json_array_get(value, i));
        }
    } else if (json_is_object(value)) {
        const char *inner;
        json_t *item;
        require(json_object_size(value) > 0 || strcmp(key, "KHR_materials_unlit") == 0, glb->label,
                "the object '%s' is empty", key);
        json_object_foreach ((json_t *)(uintptr_t)value, inner, item) {
            require_not_empty(glb, inner, item);
        }
    } else {
        require(!json_is_null(value), glb->label, "'%s' is null", key);
        require(!json_is_real(value) || isfinite(json_real_value(value)), glb->label,
                "'%s' is not finite", key);
    }
}

static void require_head(const struct glb *glb)
{
    const json_t *asset = json_object_get(glb->document, "asset");
    require(strcmp(json_string_value(json_object_get(asset, "version")), "2.0") == 0, glb->label,
            "is not version 2.0");
    require(json_object_get(asset, "generator") != NULL, glb->label, "says not who made it");
    require(json_object_get(glb->document, "extensionsRequired") == NULL, glb->label,
            "requires an extension");
    const json_t *scene = glb_item(glb, "scenes", glb_index(glb, glb->document, "scene"));
    const json_t *roots = json_object_get(scene, "nodes");
    require(glb_count(glb, "scenes") == 1, glb->label, "several scenes");
    /* Node 0, which bones hang on or which is a camera; then the last ones, a mesh that is bound to
     * the skin and cameras. */
    size_t others = json_array_size(roots) - 1;
    require(json_integer_value(json_array_get(roots, 0)) == 0, glb->label,
            "the scene does not begin with node 0");
    for (size_t i = 0; i < others; i++) {
        size_t node = glb->node_count - others + i;
        require((size_t)json_integer_value(json_array_get(roots, 1 + i)) == node &&
                    (glb->nodes[node].camera >= 0 || (i == 0 && glb->nodes[node].skin >= 0)),
                glb->label, "a root that is no camera");
    }
    size_t without_parent = 0;
    for (size_t i = 0; i < glb->node_count; i++) without_parent += glb->nodes[i].parent < 0;
    require(json_array_size(roots) == without_parent, glb->label, "a node is not in the scene");
}

/* ---- the buffer ---------------------------------------------------------------------------- */

static void require_bounds(const struct glb *glb, size_t accessor, const json_t *item)
{
    size_t width = glb_width(glb, accessor);
    size_t count = glb_index(glb, item, "count");
    const json_t *min = json_object_get(item, "min");
    const json_t *max = json_object_get(item, "max");
    if (min == NULL && max == NULL) return;
    require(json_array_size(min) == width && json_array_size(max) == width, glb->label,
            "accessors[%zu] has bounds of another width", accessor);
    for (size_t k = 0; k < width; k++) {
        double least = INFINITY;
        double most = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            least = fmin(least, glb_number(glb, accessor, i, k));
            most = fmax(most, glb_number(glb, accessor, i, k));
        }
        /* What is printed reads back as the same float32. */
        float low = (float)json_number_value(json_array_get(min, k));
        float high = (float)json_number_value(json_array_get(max, k));
        require((double)low == least && (double)high == most, glb->label,
                "accessors[%zu] has bounds %.9g %.9g instead of %.9g %.9g", accessor, (double)low,
                (double)high, least, most);
    }
}

/* The view has indices that rise, and then as many values. */
static void require_sparse(const struct glb *glb, size_t accessor, const json_t *item)
{
    const json_t *sparse = json_object_get(item, "sparse");
    const json_t *parts[2] = {json_object_get(sparse, "indices"),
                              json_object_get(sparse, "values")};
    const json_t *view = glb_item(glb, "bufferViews", accessor);
    size_t listed = glb_index(glb, sparse, "count");
    require(listed > 0 && glb_index(glb, view, "byteLength") == 8 * listed &&
                json_object_get(view, "target") == NULL && glb_width(glb, accessor) == 1,
            glb->label, "accessors[%zu] has another size than it lists", accessor);
    for (size_t i = 0; i < 2; i++) {
        require(glb_index(glb, parts[i], "bufferView") == accessor, glb->label,
                "views out of order");
    }
    size_t before = 0;
    for (size_t i = 0; i < listed; i++) {
        size_t index = glb_listed(glb, item, i);
        require(index < glb_index(glb, item, "count") && (i == 0 || index > before), glb->label,
                "accessors[%zu] lists element %zu after %zu", accessor, index, before);
        require(isfinite(glb_number(glb, accessor, index, 0)), glb->label,
                "accessors[%zu] has a number that is not finite", accessor);
        before = index;
    }
}

static void require_buffer(const struct glb *glb)
{
    size_t count = glb_count(glb, "accessors");
    size_t images = glb_count(glb, "images"); /* each has a view, and they come last */
    require(glb_count(glb, "bufferViews") == count + images, glb->label, "accessors share views");
    if (count == 0) {
        require(glb->bin_size == 0 && glb_count(glb, "buffers") == 0, glb->label,
                "a buffer for nothing");
        return;
    }
    require(glb_count(glb, "buffers") == 1, glb->label, "several buffers");
    const json_t *buffer = glb_item(glb, "buffers", 0);
    require(glb_index(glb, buffer, "byteLength") == glb->bin_size, glb->label,
            "the buffer has another size");
    size_t end = 0;
    for (size_t i = 0; i < count; i++) {
        const json_t *item = glb_item(glb, "accessors", i);
        bool is_sparse = json_object_get(item, "sparse") != NULL;
        if (is_sparse) require_sparse(glb, i, item);
        else require(glb_index(glb, item, "bufferView") == i, glb->label, "views out of order");
        const json_t *view = glb_item(glb, "bufferViews", i);
        size_t offset = glb_index(glb, view, "byteOffset");
        size_t length = glb_index(glb, view, "byteLength");
        size_t elements = glb_index(glb, item, "count");
        size_t type = glb_index(glb, item, "componentType");
        size_t size = glb_width(glb, i) * (type == 5121 ? 1 : type == 5123 ? 2 : 4);
        require(glb_index(glb, view, "buffer") == 0 && offset == end, glb->label,
                "bufferViews[%zu] leaves a gap", i);
        end = offset + length;
        require(offset % 4 == 0 && end <= glb->bin_size, glb->label,
                "bufferViews[%zu] is not padded or outside", i);
        require(json_object_get(view, "byteStride") == NULL &&
                    json_object_get(item, "byteOffset") == NULL,
                glb->label, "accessors[%zu] is not plain", i);
        if (is_sparse) continue;
        require(elements > 0 && elements * size <= length && length < elements * size + 4,
                glb->label, "bufferViews[%zu] has not the size of its numbers", i);
        require_bounds(glb, i, item);
        for (size_t e = 0; e < elements; e++) {
            for (size_t k = 0; k < glb_width(glb, i); k++) {
                require(isfinite(glb_number(glb, i, e, k)), glb->label,
                        "accessors[%zu] has a number that is not finite", i);
            }
        }
    }
    for (size_t i = 0; i < images; i++) {
        const json_t *view = glb_item(glb, "bufferViews", count + i);
        require(glb_index(glb, glb_item(glb, "images", i), "bufferView") == count + i, glb->label,
                "images out of order");
        require(glb_index(glb, view, "byteOffset") == end && glb_index(glb, view, "buffer") == 0,
                glb->label, "images[%zu] leaves a gap", i);
        end += (glb_index(glb, view, "byteLength") + 3) / 4 * 4;
    }
    require(end == glb->bin_size, glb->label, "the buffer goes on");
}

/* ---- nodes --------------------------------------------------------------------------------- */

static void require_name(const struct glb *glb, size_t node)
{
    const struct glb_node *n = &glb->nodes[node];
    if (n->name == NULL || n->name[0] == '\0') {
        require(false, glb->label, "nodes[%zu] has no name", node);
        return;
    }
    for (const char *c = n->name; *c != '\0'; c++) {
        require(strchr("[].:/ \t\n\v\f\r", *c) == NULL, glb->label,
                "three.js changes the name '%s'", n->name);
    }
    require(glb_find_node(glb, n->name) == (int)node, glb->label, "the name '%s' stands twice",
            n->name);
    require(n->original == NULL || strcmp(n->original, n->name) != 0, glb->label,
            "'%s' has itself for extras.name", n->name);
}

static void require_plain(const struct glb *glb, size_t node)
{
    static const char *const none[] = {"translation", "rotation", "scale"};
    for (unsigned k = 0; k < 3; k++) {
        require(json_object_get(glb_item(glb, "nodes", node), none[k]) == NULL, glb->label,
                "'%s' is not plain", glb->nodes[node].name);
    }
}

static void require_nodes(const struct glb *glb)
{
    static const char *const allowed[] = {"name",     "extras", "translation", "rotation", "scale",
                                          "children", "mesh",   "camera",      "skin"};
    for (size_t i = 0; i < glb->node_count; i++) {
        const struct glb_node *node = &glb->nodes[i];
        const char *key;
        json_t *value;
        json_object_foreach ((json_t *)(uintptr_t)glb_item(glb, "nodes", i), key, value) {
            size_t k = 0;
            while (k < 9 && strcmp(key, allowed[k]) != 0) k++;
            require(k < 9, glb->label, "'%s' has '%s'", node->name, key);
        }
        require_name(glb, i);
        const double q[4] = {node->rotation.x, node->rotation.y, node->rotation.z,
                             node->rotation.w};
        for (unsigned k = 0; k < 4; k++) {
            require(q[k] >= -1.0 && q[k] <= 1.0, glb->label, "'%s' has a rotation past 1",
                    node->name);
        }
        require(fabs(rotation_length(node->rotation) - 1.0) < 1e-4, glb->label,
                "'%s' has no unit rotation", node->name);
        /* Only the plain one, cameras and what is bound to a skin have no parent; from the plain
         * one all others can be reached. */
        require((node->parent < 0) == (i == 0 || node->camera >= 0 || node->skin >= 0), glb->label,
                "'%s' hangs on nothing", node->name);
        if (node->skin >= 0) require_plain(glb, i);
        size_t steps = 0;
        for (int at = (int)i; at >= 0; at = glb->nodes[at].parent) {
            require(steps++ <= glb->node_count, glb->label, "'%s' hangs on itself", node->name);
        }
    }
    if (glb->nodes[0].camera >= 0) return;
    require_plain(glb, 0);
    require(glb->nodes[0].mesh < 0, glb->label, "node 0 has a mesh");
}

/* ---- the skin ------------------------------------------------------------------------------ */

static void require_skin(const struct glb *glb, struct uses *uses)
{
    size_t count = glb_count(glb, "skins");
    if (glb->node_count == 1 || glb->nodes[0].camera >= 0) {
        require(count == 0, glb->label, "a skin for no bone");
        return;
    }
    require(count == 1, glb->label, "%zu skins", count);
    const json_t *skin = glb_item(glb, "skins", 0);
    const json_t *joints = json_object_get(skin, "joints");
    size_t binds = glb_index(glb, skin, "inverseBindMatrices");
    use(glb, uses, binds);
    require(glb_index(glb, skin, "skeleton") == 0, glb->label, "the skeleton is not node 0");
    require(glb_width(glb, binds) == 16 && glb_index(glb, glb_item(glb, "accessors", binds),
                                                     "count") == json_array_size(joints),
            glb->label, "not a bind matrix a joint");
    double(*worlds)[16] = calloc(glb->node_count, sizeof *worlds);
    bool *shown = calloc(glb->node_count, sizeof *shown);
    assert_true(worlds != NULL && shown != NULL);
    glb_worlds(glb, glb->nodes, worlds, shown);
    for (size_t j = 0; j < json_array_size(joints); j++) {
        /* Every bone, in its order; what only hides is none. */
        require((size_t)json_integer_value(json_array_get(joints, j)) == j + 1, glb->label,
                "joints[%zu] is another node", j);
        double bind[16];
        double product[16];
        double size = 1.0;
        for (size_t k = 0; k < 16; k++) bind[k] = glb_number(glb, binds, j, k);
        require(bind[3] == 0.0 && bind[7] == 0.0 && bind[11] == 0.0 && bind[15] == 1.0, glb->label,
                "a bind matrix with another last row");
        for (size_t k = 0; k < 16; k++) size = fmax(size, fabs(worlds[j + 1][k] * bind[k]));
        matrix_product(worlds[j + 1], bind, product);
        for (size_t k = 0; k < 16; k++) {
            double wanted = k % 5 == 0 ? 1.0 : 0.0;
            require(fabs(product[k] - wanted) < 1e-4 * size, glb->label,
                    "the bind matrix of '%s' is not the inverse of its rest",
                    glb->nodes[j + 1].name);
        }
    }
    free(worlds);
    free(shown);
    for (size_t i = 1 + json_array_size(joints); i < glb->node_count; i++) {
        const char *name = glb->nodes[i].name;
        size_t children = 0;
        if (glb->nodes[i].skin >= 0) {
            require(glb->nodes[i].skin == 0 && glb->nodes[i].mesh >= 0, glb->label,
                    "'%s' has no mesh for its skin", name);
        }
        if (!glb_is_switch(glb, i)) continue;
        for (size_t n = 0; n < glb->node_count; n++) children += glb->nodes[n].parent == (int)i;
        require(strstr(name, "_visible") != NULL && children == 1 && glb->nodes[i].mesh < 0,
                glb->label, "'%s' is no joint and shows none", name);
    }
}

/* ---- animations ---------------------------------------------------------------------------- */

static void require_times(const struct glb *glb, const struct glb_channel *channel)
{
    const json_t *item = glb_item(glb, "accessors", channel->input);
    require(json_object_get(item, "min") != NULL && json_object_get(item, "max") != NULL,
            glb->label, "times without bounds");
    require(glb_width(glb, channel->input) == 1 && channel->count >= 2, glb->label, "%zu times",
            channel->count);
    require(glb_number(glb, channel->input, 0, 0) == 0.0, glb->label, "times do not start at 0");
    for (size_t i = 1; i < channel->count; i++) {
        require(glb_number(glb, channel->input, i, 0) > glb_number(glb, channel->input, i - 1, 0),
                glb->label, "time %zu does not rise", i);
    }
}

/* For every key a weight for each target; of a mesh on a bone all are 0, or one is 1. */
static void require_weights(const struct glb *glb, const struct glb_channel *channel)
{
    const struct glb_node *node = &glb->nodes[channel->node];
    require(node->mesh >= 0, glb->label, "'%s' has weights and no mesh", node->name);
    size_t targets = glb_target_count(glb, (size_t)node->mesh);
    require(targets > 0 && glb_width(glb, channel->output) == 1 && !channel->steps, glb->label,
            "'%s' has weights of no target", node->name);
    require(glb_index(glb, glb_item(glb, "accessors", channel->output), "count") ==
                channel->count * targets,
            glb->label, "'%s': not a weight a target and time", node->name);
    for (size_t i = 0; i < channel->count; i++) {
        size_t ones = 0;
        for (size_t t = 0; t < targets; t++) {
            double weight = glb_number(glb, channel->output, i * targets + t, 0);
            require(weight == 0.0 || weight == 1.0, glb->label, "'%s' has a weight %g in key %zu",
                    node->name, weight, i);
            ones += weight == 1.0;
        }
        require(node->skin >= 0 || ones <= 1, glb->label, "'%s' has %zu shapes in key %zu",
                node->name, ones, i);
    }
}

static void require_values(const struct glb *glb, const struct glb_channel *channel)
{
    size_t width = channel->path == GLB_ROTATION ? 4 : 3;
    const char *name = glb->nodes[channel->node].name;
    bool is_switch = glb_is_switch(glb, channel->node);
    require(glb_width(glb, channel->output) == width, glb->label, "values of another width");
    require(glb_index(glb, glb_item(glb, "accessors", channel->output), "count") == channel->count,
            glb->label, "not a value a time");
    require(channel->steps == is_switch && (!is_switch || channel->path == GLB_SCALE), glb->label,
            "'%s' goes in steps, or does not", name);
    for (size_t i = 0; i < channel->count; i++) {
        double sum = 0.0;
        double dot = 0.0;
        for (size_t k = 0; k < width; k++) {
            double value = glb_number(glb, channel->output, i, k);
            double before = i == 0 ? value : glb_number(glb, channel->output, i - 1, k);
            sum += value * value;
            dot += value * before;
            require(!channel->steps || value == 0.0 || value == 1.0, glb->label,
                    "'%s' is neither there nor not", name);
        }
        if (channel->path != GLB_ROTATION) continue;
        require(fabs(sqrt(sum) - 1.0) < 1e-4, glb->label, "'%s' has no unit rotation in key %zu",
                name, i);
        require(dot >= 0.0, glb->label, "'%s' goes the long way to key %zu", name, i);
    }
}

/* A camera moves in an animation of its own. */
static bool is_of_camera(const struct glb *glb, const struct glb_animation *animation)
{
    return glb->nodes[animation->channels[0].node].camera >= 0;
}

static void require_extras(const struct glb *glb, size_t animation)
{
    const json_t *extras = json_object_get(glb_item(glb, "animations", animation), "extras");
    require(json_integer_value(json_object_get(extras, "frames")) > 0 &&
                json_number_value(json_object_get(extras, "fps")) > 0.0 &&
                json_is_boolean(json_object_get(extras, "loop")) &&
                json_is_string(json_object_get(extras, "source")) &&
                json_is_string(json_object_get(extras, "source_format")),
            glb->label, "animations[%zu] has not all its extras", animation);
}

static void require_animations(const struct glb *glb, struct uses *uses)
{
    for (size_t i = 0; i < glb->animation_count; i++) {
        const struct glb_animation *animation = &glb->animations[i];
        const json_t *item = glb_item(glb, "animations", i);
        require(animation->name != NULL && animation->name[0] != '\0' &&
                    glb_find_animation(glb, animation->name) == (int)i,
                glb->label, "animations[%zu] has no name of its own", i);
        require(json_array_size(json_object_get(item, "samplers")) == animation->channel_count,
                glb->label, "not a sampler a channel");
        bool moves_bones = !is_of_camera(glb, animation);
        require(!moves_bones || animation->channel_count == glb->animations[0].channel_count,
                glb->label, "'%s' has other channels than the first", animation->name);
        double end = 0.0;
        for (size_t c = 0; c < animation->channel_count; c++) {
            const struct glb_channel *channel = &animation->channels[c];
            /* What a camera's animation has to be like the first are only its own channels. */
            const struct glb_channel *first =
                moves_bones ? &glb->animations[0].channels[c] : &animation->channels[c];
            require(channel->node == first->node && channel->path == first->path, glb->label,
                    "'%s' has other channels than the first", animation->name);
            require(moves_bones || channel->node == animation->channels[0].node, glb->label,
                    "'%s' moves more than a camera", animation->name);
            for (size_t other = 0; other < c; other++) {
                const struct glb_channel *o = &animation->channels[other];
                require(o->node != channel->node || o->path != channel->path, glb->label,
                        "two channels for one thing");
            }
            require_times(glb, channel);
            if (channel->path == GLB_WEIGHTS) require_weights(glb, channel);
            else require_values(glb, channel);
            use(glb, uses, channel->input);
            use(glb, uses, channel->output);
            double last = glb_number(glb, channel->input, channel->count - 1, 0);
            require(c == 0 || last == end, glb->label, "channels of another length");
            end = last;
        }
        if (moves_bones) require_extras(glb, i);
    }
}

static void require_cameras(const struct glb *glb)
{
    size_t nodes = 0;
    for (size_t i = 0; i < glb->node_count; i++) nodes += glb->nodes[i].camera >= 0;
    require(nodes == glb_count(glb, "cameras"), glb->label, "not a node a camera");
    for (size_t i = 0; i < glb_count(glb, "cameras"); i++) {
        const json_t *camera = glb_item(glb, "cameras", i);
        const json_t *lens = json_object_get(camera, "perspective");
        double view = json_number_value(json_object_get(lens, "yfov"));
        require(strcmp(json_string_value(json_object_get(camera, "type")), "perspective") == 0 &&
                    view > 0.0 && view < 3.1415927 &&
                    json_number_value(json_object_get(lens, "znear")) > 0.0,
                glb->label, "cameras[%zu] shows nothing", i);
    }
}

void require_gltf_rules(const struct glb *glb)
{
    struct uses uses = {calloc(glb_count(glb, "accessors") + 1, sizeof *uses.count)};
    assert_non_null(uses.count);
    require_not_empty(glb, "", glb->document);
    require_head(glb);
    require_buffer(glb);
    require_nodes(glb);
    require_skin(glb, &uses);
    require_mesh_rules(glb, &uses);
    require_animations(glb, &uses);
    require_cameras(glb);
    for (size_t i = 0; i < glb_count(glb, "accessors"); i++) {
        require(uses.count[i] > 0, glb->label, "accessors[%zu] is for nothing", i);
    }
    free(uses.count);
}
