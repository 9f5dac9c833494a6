/* SPDX-License-Identifier: MIT
 *
 * What a glTF says of how it was made: the object `ossa` in the extras of the asset, of the
 * document or of the scene that it shows. Programs keep some of these and drop others, so the first
 * one that is there counts. Extras may be anything: what is not such an object is not ours. */
#include "import/gltf_file.h"

#include "base/number_parse.h"

#include <string.h>

static bool is_object(const struct ossa__value *value)
{
    return value->node != NULL && *value->node == '{';
}

static const char *copy_key(struct ossa__context *context, const char *string)
{
    size_t size;
    bool has_escapes;
    const char *span = ossa__json_span(string, &size, &has_escapes);
    char *key = ossa__take(context, (uint64_t)size + 1, 1);
    if (key != NULL) key[ossa__json_unescape(span, size, key)] = '\0';
    return key;
}

/* A number or a text; false: it is something else, or there was a failure. */
static bool read_option(const struct ossa__value *object, struct ossa__json_place key,
                        struct ossa__motion_option *option)
{
    struct ossa__json_place place = ossa__json_after_key(key);
    struct ossa__value value = {.context = object->context,
                                .document = object->document,
                                .parent = object,
                                .node = place.at,
                                .container = place.node,
                                .depth = object->depth + 1};
    bool is_number = *place.at == '-' || (*place.at >= '0' && *place.at <= '9');
    *option = (struct ossa__motion_option){0};
    if (!is_number && !ossa__value_is_text(&value)) return false;
    value.key = option->key = copy_key(object->context, key.at);
    if (option->key == NULL) return false;
    if (is_number) (void)ossa__parse_number(place.at, &option->number);
    else option->text = ossa__value_word(&value);
    return !object->context->failed;
}

static bool read_options(struct ossa__motion *motion, const struct ossa__value *object)
{
    const struct ossa__document *document = object->document;
    uint32_t count = document->nodes[object->container].count;
    motion->options = ossa__take(object->context, count, sizeof *motion->options);
    if (motion->options == NULL) return false;
    struct ossa__json_place key = ossa__json_first(document, object->container);
    for (uint32_t i = 0; i < count && !object->context->failed; i++) {
        if (read_option(object, key, &motion->options[motion->option_count])) {
            motion->option_count++;
        }
        key = ossa__json_next(document, ossa__json_after_key(key));
    }
    return !object->context->failed;
}

/* False: there are none, or there was a failure. */
static bool read_options_of(struct ossa__motion *motion, const struct ossa__value *owner)
{
    if (!is_object(owner)) return false;
    struct ossa__value extras = ossa__value_optional(owner, "extras");
    if (!is_object(&extras)) return false;
    struct ossa__value options = ossa__value_optional(&extras, "ossa");
    return is_object(&options) && read_options(motion, &options);
}

bool ossa__read_gltf_options(struct ossa__gltf_file *file)
{
    const struct ossa__value *root = &file->root;
    struct ossa__value asset = ossa__value_optional(root, "asset");
    if (read_options_of(file->motion, &asset) || read_options_of(file->motion, root)) return true;
    struct ossa__value shown = ossa__value_optional(root, "scene");
    struct ossa__value scenes = ossa__value_optional(root, "scenes");
    if (shown.node == NULL || scenes.node == NULL) return !file->context->failed;
    size_t index = ossa__value_u32(&shown);
    struct ossa__value scene = ossa__value_item(&scenes, index);
    (void)read_options_of(file->motion, &scene);
    return !file->context->failed;
}
