/* SPDX-License-Identifier: MIT */
#include "support/glb_rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { U8 = 5121, U16 = 5123, F32 = 5126, FOR_VERTICES = 34962 };

static size_t component_of(const struct glb *glb, size_t accessor)
{
    return glb_index(glb, glb_item(glb, "accessors", accessor), "componentType");
}

/* ---- vertices ------------------------------------------------------------------------------ */

/* Numbers for every vertex of a primitive. */
static void require_vertex_numbers(const struct glb *glb, const char *key, size_t accessor,
                                   size_t vertices)
{
    const json_t *item = glb_item(glb, "accessors", accessor);
    size_t view = glb_index(glb, item, "bufferView");
    require(glb_index(glb, item, "count") == vertices, glb->label, "'%s' is shorter", key);
    require(glb_index(glb, glb_item(glb, "bufferViews", view), "target") == FOR_VERTICES,
            glb->label, "'%s' is not for vertices", key);
}

static void require_normals(const struct glb *glb, size_t accessor, size_t vertices)
{
    for (size_t i = 0; i < vertices; i++) {
        double sum = 0.0;
        for (size_t k = 0; k < 3; k++) sum += pow(glb_number(glb, accessor, i, k), 2.0);
        require(fabs(sum - 1.0) < 1e-4, glb->label, "a normal of another length");
    }
}

static void require_joints(const struct glb *glb, const json_t *attributes, size_t vertices)
{
    size_t joints = glb_index(glb, attributes, "JOINTS_0");
    size_t weights = glb_index(glb, attributes, "WEIGHTS_0");
    const json_t *item = glb_item(glb, "accessors", joints);
    require(component_of(glb, joints) == (glb->joint_count <= 256 ? U8 : U16), glb->label,
            "joints of another size than they need");
    require(glb_width(glb, joints) == 4 && json_object_get(item, "normalized") == NULL, glb->label,
            "joints are not four numbers");
    require(component_of(glb, weights) == F32 && glb_width(glb, weights) == 4, glb->label,
            "weights of joints are not four floats");
    for (size_t v = 0; v < vertices; v++) {
        double sum = 0.0;
        size_t used = 0;
        for (size_t k = 0; k < 4; k++) {
            double joint = glb_number(glb, joints, v, k);
            double weight = glb_number(glb, weights, v, k);
            sum += weight;
            used += weight > 0.0;
            for (size_t j = 0; j < k && weight > 0.0; j++) {
                require(glb_number(glb, joints, v, j) != joint ||
                            glb_number(glb, weights, v, j) == 0.0,
                        glb->label, "joint %g stands twice", joint);
            }
            require(joint < (double)glb->joint_count, glb->label, "there is no joint %g", joint);
            require(weight >= 0.0 && (weight > 0.0 || joint == 0.0), glb->label,
                    "a joint that does not count is not 0");
        }
        /* As the Khronos validator has it. */
        require(used == 1 ? sum == 1.0 : fabs(sum - 1.0) <= 2e-7 * (double)used, glb->label,
                "the weights of a vertex add up to %g", sum);
    }
}

static void require_attributes(const struct glb *glb, const json_t *attributes, size_t vertices,
                               struct uses *uses)
{
    static const struct {
        const char *name;
        size_t width;
        size_t component; /* 0: see there */
    } known[] = {{"POSITION", 3, F32},   {"NORMAL", 3, F32},     {"COLOR_0", 4, U16},
                 {"TEXCOORD_0", 2, F32}, {"TEXCOORD_1", 2, F32}, {"JOINTS_0", 4, 0},
                 {"WEIGHTS_0", 4, F32}};
    enum { KNOWN = sizeof known / sizeof known[0] };
    const char *key;
    json_t *value;
    json_object_foreach ((json_t *)(uintptr_t)attributes, key, value) {
        size_t accessor = (size_t)json_integer_value(value);
        size_t i = 0;
        while (i < KNOWN && strcmp(known[i].name, key) != 0) i++;
        if (i == KNOWN) {
            require(false, glb->label, "a vertex has '%s'", key);
            return;
        }
        require(glb_width(glb, accessor) == known[i].width &&
                    (known[i].component == 0 || component_of(glb, accessor) == known[i].component),
                glb->label, "'%s' has other numbers", key);
        require_vertex_numbers(glb, key, accessor, vertices);
        use(glb, uses, accessor);
        bool is_colour = strcmp(key, "COLOR_0") == 0;
        const json_t *item = glb_item(glb, "accessors", accessor);
        require(json_is_true(json_object_get(item, "normalized")) == is_colour, glb->label,
                "'%s' is normalised, or not", key);
        if (strcmp(key, "NORMAL") == 0) require_normals(glb, accessor, vertices);
        if (strcmp(key, "JOINTS_0") == 0) require_joints(glb, attributes, vertices);
        require((json_object_get(attributes, "JOINTS_0") != NULL) ==
                    (json_object_get(attributes, "WEIGHTS_0") != NULL),
                glb->label, "joints without weights");
    }
}

static void require_indices(const struct glb *glb, const json_t *primitive, size_t vertices,
                            struct uses *uses)
{
    size_t mode = glb_index(glb, primitive, "mode");
    size_t indices = glb_index(glb, primitive, "indices");
    size_t count = glb_index(glb, glb_item(glb, "accessors", indices), "count");
    bool small = component_of(glb, indices) == U16;
    use(glb, uses, indices);
    require(mode == 1 || mode == 4, glb->label, "a mode %zu", mode);
    require(count % (mode == 1 ? 2 : 3) == 0, glb->label, "%zu indices", count);
    for (size_t i = 0; i < count; i++) {
        double index = glb_number(glb, indices, i, 0);
        require(index < (double)vertices && index < (small ? 65535.0 : 4294967295.0), glb->label,
                "an index past the vertices");
    }
}

static void require_primitive(const struct glb *glb, const json_t *primitive, struct uses *uses)
{
    const json_t *attributes = json_object_get(primitive, "attributes");
    const json_t *targets = json_object_get(primitive, "targets");
    size_t positions = glb_index(glb, attributes, "POSITION");
    size_t vertices = glb_index(glb, glb_item(glb, "accessors", positions), "count");
    require(json_object_get(glb_item(glb, "accessors", positions), "min") != NULL, glb->label,
            "positions without bounds");
    require_attributes(glb, attributes, vertices, uses);
    require_indices(glb, primitive, vertices, uses);
    for (size_t t = 0; t < json_array_size(targets); t++) {
        const json_t *target = json_array_get(targets, t);
        size_t accessor = glb_index(glb, target, "POSITION");
        require(json_object_size(target) == 1, glb->label, "a target of more than positions");
        require(component_of(glb, accessor) == F32 && glb_width(glb, accessor) == 3, glb->label,
                "a target of other numbers");
        require(json_object_get(glb_item(glb, "accessors", accessor), "min") != NULL, glb->label,
                "a target without bounds");
        require_vertex_numbers(glb, "a target", accessor, vertices);
        use(glb, uses, accessor);
    }
    const json_t *material = glb_item(glb, "materials", glb_index(glb, primitive, "material"));
    const json_t *shown =
        json_object_get(json_object_get(material, "pbrMetallicRoughness"), "baseColorTexture");
    require(shown == NULL || json_object_get(attributes, "TEXCOORD_0") != NULL, glb->label,
            "a texture without a place for it");
    require(json_object_get(attributes, "TEXCOORD_1") == NULL ||
                json_object_get(attributes, "TEXCOORD_0") != NULL,
            glb->label, "a second set of texture coordinates without a first");
}

/* ---- meshes -------------------------------------------------------------------------------- */

static void require_target_names(const struct glb *glb, const json_t *names)
{
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        if (name == NULL || name[0] == '\0') {
            require(false, glb->label, "target %zu has no name", i);
            return;
        }
        for (size_t k = 0; k < i; k++) {
            require(strcmp(json_string_value(json_array_get(names, k)), name) != 0, glb->label,
                    "two targets are called '%s'", name);
        }
    }
}

static void require_mesh(const struct glb *glb, size_t index, struct uses *uses)
{
    const json_t *mesh = glb_item(glb, "meshes", index);
    const json_t *weights = json_object_get(mesh, "weights");
    const json_t *extras = json_object_get(mesh, "extras");
    const json_t *names = json_object_get(extras, "targetNames");
    size_t targets = glb_target_count(glb, index);
    size_t users = 0;
    bool is_skinned = false;
    for (size_t n = 0; n < glb->node_count; n++) {
        if (glb->nodes[n].mesh != (int)index) continue;
        users++;
        is_skinned = glb->nodes[n].skin >= 0;
    }
    require(users == 1, glb->label, "meshes[%zu] is on %zu nodes", index, users);
    for (size_t p = 0; p < glb_primitive_count(glb, index); p++) {
        const json_t *primitive = glb_primitive(glb, index, p);
        const json_t *attributes = json_object_get(primitive, "attributes");
        require_primitive(glb, primitive, uses);
        require(json_array_size(json_object_get(primitive, "targets")) == targets, glb->label,
                "meshes[%zu]: primitive %zu has another number of targets", index, p);
        require((json_object_get(attributes, "JOINTS_0") != NULL) == is_skinned, glb->label,
                "meshes[%zu] is bound to no skin, or should be", index);
        require(!is_skinned || glb_index(glb, primitive, "mode") == 4, glb->label,
                "lines are bound to a skin");
    }
    require(json_array_size(weights) == targets && json_array_size(names) == targets, glb->label,
            "meshes[%zu] has not a weight and a name for each target", index);
    require((weights != NULL) == (targets > 0) && (extras != NULL) == (targets > 0), glb->label,
            "meshes[%zu] has no targets, but weights or names", index);
    for (size_t t = 0; t < targets; t++) {
        require(json_number_value(json_array_get(weights, t)) == 0.0, glb->label,
                "meshes[%zu] is morphed at rest", index);
    }
    require_target_names(glb, names);
}

/* ---- materials ----------------------------------------------------------------------------- */

/* Every item of an array is what some primitive, material or texture asks for. */
static void require_all_used(const struct glb *glb, const char *array, const bool *used)
{
    for (size_t i = 0; i < glb_count(glb, array); i++) {
        require(used[i], glb->label, "%s[%zu] is for nothing", array, i);
    }
}

static void require_material(const struct glb *glb, const json_t *material, bool *textures)
{
    const json_t *surface = json_object_get(material, "pbrMetallicRoughness");
    const json_t *colour = json_object_get(surface, "baseColorFactor");
    const json_t *shown = json_object_get(surface, "baseColorTexture");
    const json_t *alpha = json_object_get(material, "alphaMode");
    const char *name = json_string_value(json_object_get(material, "name"));
    require(name != NULL && name[0] != '\0', glb->label, "a material has no name");
    require(json_number_value(json_object_get(surface, "metallicFactor")) == 0.0 &&
                json_object_get(surface, "metallicFactor") != NULL,
            glb->label, "'%s' is of metal", name);
    require(colour == NULL || json_array_size(colour) == 4, glb->label, "'%s' is of no colour",
            name);
    for (size_t k = 0; k < json_array_size(colour); k++) {
        double value = json_number_value(json_array_get(colour, k));
        require(value >= 0.0 && value <= 1.0, glb->label, "'%s' is of a colour %g", name, value);
    }
    require(alpha == NULL || strcmp(json_string_value(alpha), "MASK") == 0 ||
                strcmp(json_string_value(alpha), "BLEND") == 0,
            glb->label, "'%s' has another alpha", name);
    const json_t *cutoff = json_object_get(material, "alphaCutoff");
    double least = json_number_value(cutoff);
    require(cutoff == NULL || (alpha != NULL && strcmp(json_string_value(alpha), "MASK") == 0 &&
                               least > 0.0 && least <= 1.0),
            glb->label, "'%s' is cut at %g", name, least);
    if (shown == NULL) return;
    size_t texture = glb_index(glb, shown, "index");
    require(texture < glb_count(glb, "textures"), glb->label, "'%s' has no texture", name);
    textures[texture] = true;
}

/* A picture that a viewer can at least begin to read, and that is all of its view. */
static void require_image(const struct glb *glb, const json_t *image)
{
    static const uint8_t head[16] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n',
                                     0,    0,   0,   13,  'I',  'H',  'D',  'R'};
    const char *type = json_string_value(json_object_get(image, "mimeType"));
    const char *name = json_string_value(json_object_get(image, "name"));
    const json_t *view = glb_item(glb, "bufferViews", glb_index(glb, image, "bufferView"));
    size_t offset = glb_index(glb, view, "byteOffset");
    size_t size = glb_index(glb, view, "byteLength");
    require(name != NULL && name[0] != '\0', glb->label, "an image has no name");
    require(type != NULL && strcmp(type, "image/png") == 0, glb->label, "'%s' is no PNG", name);
    require(json_object_get(image, "uri") == NULL, glb->label, "'%s' is in another file", name);
    require(json_object_get(view, "target") == NULL, glb->label, "'%s' is for vertices", name);
    require(size >= 57 && offset + size <= glb->bin_size, glb->label, "'%s' has %zu bytes", name,
            size);
    require(memcmp(glb->bin + offset, head, sizeof head) == 0, glb->label,
            "'%s' does not begin like a PNG", name);
    require(memcmp(glb->bin + offset + size - 8, "IEND", 4) == 0, glb->label,
            "'%s' does not end with its view", name);
}

static const json_t *variants_of(const json_t *item, const char *member)
{
    const json_t *extensions = json_object_get(item, "extensions");
    return json_object_get(json_object_get(extensions, "KHR_materials_variants"), member);
}

/* The materials that a primitive has in variants: each once, for variants that exist, and no
 * variant twice. */
static void use_variants(const struct glb *glb, const json_t *primitive, bool *materials)
{
    const json_t *mappings = variants_of(primitive, "mappings");
    size_t variant_count = json_array_size(variants_of(glb->document, "variants"));
    bool *taken = calloc(variant_count + 1, sizeof *taken);
    assert_non_null(taken);
    for (size_t i = 0; i < json_array_size(mappings); i++) {
        const json_t *mapping = json_array_get(mappings, i);
        const json_t *variants = json_object_get(mapping, "variants");
        size_t material = glb_index(glb, mapping, "material");
        require(material < glb_count(glb, "materials"), glb->label, "no such material");
        require(json_array_size(variants) > 0, glb->label, "a material for no variant");
        materials[material] = true;
        for (size_t k = 0; k < json_array_size(variants); k++) {
            size_t variant = (size_t)json_integer_value(json_array_get(variants, k));
            require(variant < variant_count && !taken[variant], glb->label,
                    "variant %zu is none, or stands twice", variant);
            taken[variant] = true;
        }
    }
    free(taken);
}

/* Smooth, repeating or not, and unlike those before it. */
static void require_sampler(const struct glb *glb, size_t index)
{
    enum { REPEAT = 10497, CLAMP_TO_EDGE = 33071 };
    const json_t *sampler = glb_item(glb, "samplers", index);
    size_t wraps[2] = {glb_index(glb, sampler, "wrapS"), glb_index(glb, sampler, "wrapT")};
    require(glb_index(glb, sampler, "magFilter") == 9729 &&
                glb_index(glb, sampler, "minFilter") == 9987,
            glb->label, "samplers[%zu] is not smooth", index);
    for (unsigned k = 0; k < 2; k++) {
        require(wraps[k] == REPEAT || wraps[k] == CLAMP_TO_EDGE, glb->label,
                "samplers[%zu] goes on as %zu", index, wraps[k]);
    }
    for (size_t i = 0; i < index; i++) {
        const json_t *other = glb_item(glb, "samplers", i);
        require(!json_equal((json_t *)(uintptr_t)other, (json_t *)(uintptr_t)sampler), glb->label,
                "samplers[%zu] and [%zu] are the same", i, index);
    }
}

static void require_materials(const struct glb *glb)
{
    bool *materials = calloc(glb_count(glb, "materials") + 1, sizeof *materials);
    bool *textures = calloc(glb_count(glb, "textures") + 1, sizeof *textures);
    bool *images = calloc(glb_count(glb, "images") + 1, sizeof *images);
    bool *samplers = calloc(glb_count(glb, "samplers") + 1, sizeof *samplers);
    assert_true(materials != NULL && textures != NULL && images != NULL && samplers != NULL);
    bool unlit = false;
    for (size_t m = 0; m < glb_count(glb, "meshes"); m++) {
        for (size_t p = 0; p < glb_primitive_count(glb, m); p++) {
            size_t material = glb_index(glb, glb_primitive(glb, m, p), "material");
            require(material < glb_count(glb, "materials"), glb->label, "no such material");
            materials[material] = true;
            use_variants(glb, glb_primitive(glb, m, p), materials);
        }
    }
    for (size_t i = 0; i < glb_count(glb, "materials"); i++) {
        const json_t *material = glb_item(glb, "materials", i);
        require_material(glb, material, textures);
        if (json_object_get(material, "extensions") != NULL) unlit = true;
    }
    for (size_t i = 0; i < glb_count(glb, "textures"); i++) {
        const json_t *texture = glb_item(glb, "textures", i);
        size_t source = glb_index(glb, texture, "source");
        size_t sampler = glb_index(glb, texture, "sampler");
        require(source < glb_count(glb, "images") && sampler < glb_count(glb, "samplers"),
                glb->label, "textures[%zu] shows nothing", i);
        images[source] = true;
        samplers[sampler] = true;
        for (size_t k = 0; k < i; k++) {
            const json_t *other = glb_item(glb, "textures", k);
            require(!json_equal((json_t *)(uintptr_t)other, (json_t *)(uintptr_t)texture),
                    glb->label, "textures[%zu] and [%zu] are the same", k, i);
        }
    }
    for (size_t i = 0; i < glb_count(glb, "images"); i++) {
        require_image(glb, glb_item(glb, "images", i));
    }
    for (size_t i = 0; i < glb_count(glb, "samplers"); i++) require_sampler(glb, i);
    require_all_used(glb, "samplers", samplers);
    require_all_used(glb, "materials", materials);
    require_all_used(glb, "textures", textures);
    require_all_used(glb, "images", images);
    const json_t *used = json_object_get(glb->document, "extensionsUsed");
    bool varies = variants_of(glb->document, "variants") != NULL;
    require(json_array_size(used) == (size_t)unlit + (size_t)varies, glb->label,
            "extensions are not told");
    free(materials);
    free(textures);
    free(images);
    free(samplers);
}

void require_mesh_rules(const struct glb *glb, struct uses *uses)
{
    for (size_t i = 0; i < glb_count(glb, "meshes"); i++) require_mesh(glb, i, uses);
    require_materials(glb);
}
