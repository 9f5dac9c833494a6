/* SPDX-License-Identifier: MIT */
#include "import/gltf_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- lists --------------------------------------------------------------------------------- */

bool ossa__gltf_list_open(struct ossa__gltf_list *list, const struct ossa__value *object,
                          const char *key)
{
    *list = (struct ossa__gltf_list){.array = ossa__value_optional(object, key)};
    struct ossa__context *context = object->context;
    if (context->failed || list->array.node == NULL) return !context->failed;
    uint32_t count = (uint32_t)ossa__value_length(&list->array);
    list->places = ossa__take_scratch(context, count, sizeof *list->places);
    list->parsed = ossa__take_scratch(context, count, sizeof *list->parsed);
    if (list->places == NULL || list->parsed == NULL) return false;
    struct ossa__json_place place = ossa__json_first(object->document, list->array.container);
    for (uint32_t i = 0; i < count; i++) {
        list->places[i] = place;
        list->parsed[i] = NULL;
        place = ossa__json_next(object->document, place);
    }
    list->count = count;
    return true;
}

struct ossa__value ossa__gltf_list_item(const struct ossa__gltf_list *list, uint32_t index)
{
    return (struct ossa__value){.context = list->array.context,
                                .document = list->array.document,
                                .parent = &list->array,
                                .index = index,
                                .node = list->places[index].at,
                                .container = list->places[index].node,
                                .depth = list->array.depth + 1};
}

bool ossa__gltf_list_index(const struct ossa__gltf_list *list, const struct ossa__value *reference,
                           uint32_t *index)
{
    int64_t number = ossa__value_integer(reference, INT64_MIN, INT64_MAX);
    if (reference->context->failed) return false;
    *index = (uint32_t)number;
    if (number >= 0 && number < (int64_t)list->count) return true;
    return ossa__value_fail(reference, "%" PRId64 " is not an index of %s, of which there are %u",
                            number, list->array.key, (unsigned)list->count);
}

/* ---- values -------------------------------------------------------------------------------- */

float ossa__gltf_number(const struct ossa__value *value)
{
    if (ossa__value_is_text(value)) {
        ossa__value_fail(value, "found a string, expected a number");
        return 0.0F;
    }
    return ossa__value_f32(value);
}

void ossa__gltf_numbers(const struct ossa__value *array, size_t width, float *out)
{
    memset(out, 0, width * sizeof *out);
    if (!ossa__value_expect_length(array, width)) return;
    for (size_t i = 0; i < width; i++) {
        struct ossa__value item = ossa__value_item(array, i);
        out[i] = ossa__gltf_number(&item);
    }
}

bool ossa__gltf_is(const struct ossa__value *value, const char *text)
{
    size_t size;
    const char *found = ossa__value_text(value, &size);
    return !value->context->failed && size == strlen(text) && memcmp(found, text, size) == 0;
}

const char *ossa__gltf_name(const struct ossa__value *object, const char *key)
{
    struct ossa__value name = ossa__value_optional(object, key);
    return name.node == NULL ? "" : ossa__value_word(&name);
}

size_t ossa__gltf_cut(const char *text, size_t size, size_t most)
{
    if (size <= most) return size;
    while (most > 0 && ((uint8_t)text[most] & 0xc0) == 0x80) most--; /* not inside a character */
    return most;
}

const char *ossa__gltf_label(const struct ossa__gltf_list *list, uint32_t index,
                             char text[OSSA__GLTF_LABEL])
{
    enum { LONGEST = 40 };
    struct ossa__value item = ossa__gltf_list_item(list, index);
    const char *name = ossa__gltf_name(&item, "name");
    size_t size = ossa__gltf_cut(name, strlen(name), LONGEST);
    if (size > 0) (void)snprintf(text, OSSA__GLTF_LABEL, "'%.*s'", (int)size, name);
    else (void)snprintf(text, OSSA__GLTF_LABEL, "%s[%u]", list->array.key, (unsigned)index);
    return text;
}

/* ---- compression --------------------------------------------------------------------------- */

static const char *const compressions[] = {"KHR_draco_mesh_compression", "EXT_meshopt_compression",
                                           "KHR_meshopt_compression"};
enum { COMPRESSIONS = sizeof compressions / sizeof compressions[0] };

bool ossa__gltf_is_compression(const struct ossa__value *name)
{
    for (size_t i = 0; i < COMPRESSIONS; i++) {
        if (ossa__gltf_is(name, compressions[i])) return true;
    }
    return false;
}

bool ossa__gltf_refuse_compression(const struct ossa__value *where)
{
    return ossa__value_fail(where, "the file is compressed; export it again without compression");
}

bool ossa__gltf_is_plain(const struct ossa__value *object)
{
    struct ossa__value extensions = ossa__value_optional(object, "extensions");
    for (size_t i = 0; i < COMPRESSIONS && extensions.node != NULL; i++) {
        struct ossa__value found = ossa__value_optional(&extensions, compressions[i]);
        if (found.node != NULL) return ossa__gltf_refuse_compression(&found);
    }
    return !object->context->failed;
}
