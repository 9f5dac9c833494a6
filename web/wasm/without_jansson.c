/* SPDX-License-Identifier: MIT
 *
 * In place of core/value.c, which needs jansson: files cannot be built from JSON here. The parser
 * refuses, and the other calls are never reached with a document. */
#include "core/value.h"

struct ossa__document *ossa__document_parse(struct ossa__context *context, const char *json,
                                            size_t size)
{
    (void)json;
    (void)size;
    ossa__fail_nowhere(context, OSSA_BAD_ARGUMENT, "", "files are not built from JSON here");
    return NULL;
}

void ossa__document_free(struct ossa__document *document)
{
    (void)document;
}

struct ossa__value ossa__document_root(struct ossa__context *context,
                                       const struct ossa__document *document)
{
    (void)document;
    return (struct ossa__value){.context = context};
}

bool ossa__value_fail(const struct ossa__value *value, const char *message, ...)
{
    return ossa__fail_nowhere(value->context, OSSA_BAD_JSON, "", "%s", message);
}

struct ossa__value ossa__value_member(const struct ossa__value *object, const char *key)
{
    return (struct ossa__value){.context = object->context, .parent = object, .key = key};
}

struct ossa__value ossa__value_optional(const struct ossa__value *object, const char *key)
{
    return ossa__value_member(object, key);
}

void ossa__value_allow(const struct ossa__value *object, const char *keys)
{
    (void)object;
    (void)keys;
}

size_t ossa__value_length(const struct ossa__value *array)
{
    (void)array;
    return 0;
}

struct ossa__value ossa__value_item(const struct ossa__value *array, size_t index)
{
    return (struct ossa__value){.context = array->context, .parent = array, .index = index};
}

bool ossa__value_expect_length(const struct ossa__value *array, size_t length)
{
    (void)array;
    (void)length;
    return false;
}

int64_t ossa__value_integer(const struct ossa__value *value, int64_t least, int64_t most)
{
    (void)value;
    (void)least;
    (void)most;
    return 0;
}

uint32_t ossa__value_u32(const struct ossa__value *value)
{
    (void)value;
    return 0;
}

float ossa__value_f32(const struct ossa__value *value)
{
    (void)value;
    return 0.0F;
}

bool ossa__value_bool(const struct ossa__value *value)
{
    (void)value;
    return false;
}

bool ossa__value_is_text(const struct ossa__value *value)
{
    (void)value;
    return false;
}

const char *ossa__value_text(const struct ossa__value *value, size_t *size)
{
    (void)value;
    *size = 0;
    return "";
}

const char *ossa__value_word(const struct ossa__value *value)
{
    (void)value;
    return "";
}

const uint8_t *ossa__value_hex(const struct ossa__value *value, size_t *size)
{
    (void)value;
    *size = 0;
    return NULL;
}

void ossa__value_integers(const struct ossa__value *array, size_t width, int64_t least,
                          int64_t most, int64_t *out)
{
    (void)array;
    (void)least;
    (void)most;
    for (size_t i = 0; i < width; i++) out[i] = 0;
}

void ossa__value_floats(const struct ossa__value *array, size_t width, float *out)
{
    (void)array;
    for (size_t i = 0; i < width; i++) out[i] = 0.0F;
}

float *ossa__value_float_rows(const struct ossa__value *array, size_t width, uint32_t *count)
{
    (void)array;
    (void)width;
    *count = 0;
    return NULL;
}
