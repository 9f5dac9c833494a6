/* SPDX-License-Identifier: MIT
 *
 * Layouts as JSON: dump and build. */
#include "codec/layout.h"

#include "base/text.h"
#include "codec/layout_items.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

static bool is_in_json(const struct ossa__item *item)
{
    return !item->is_hidden && item->kind != OSSA__ITEM_MAGIC && item->kind != OSSA__ITEM_COUNT &&
           item->kind != OSSA__ITEM_STEP;
}

/* ---- dump ---------------------------------------------------------------------------------- */

static void dump_scalar(struct ossa__json *json, ossa_field_type type, const uint8_t *value)
{
    uint32_t word = value[0];
    uint16_t half = 0;
    if (ossa__type_size(type) == sizeof word) memcpy(&word, value, sizeof word);
    if (ossa__type_size(type) == sizeof half) memcpy(&half, value, sizeof half);
    switch (type) {
    case OSSA_FIELD_TYPE_F32: ossa__json_float(json, ossa__f32_from_bits(word)); break;
    case OSSA_FIELD_TYPE_I32: ossa__json_int(json, (int32_t)word); break;
    case OSSA_FIELD_TYPE_I16: ossa__json_int(json, (int16_t)half); break;
    case OSSA_FIELD_TYPE_U16: ossa__json_uint(json, half); break;
    default: ossa__json_uint(json, word); break;
    }
}

/* `count` scalars on one line. */
static void dump_row(struct ossa__json *json, ossa_field_type type, const uint8_t *values,
                     uint64_t count)
{
    size_t size = ossa__type_size(type);
    ossa__json_begin_row(json);
    for (uint64_t i = 0; i < count; i++) dump_scalar(json, type, values + i * size);
    ossa__json_end_array(json);
}

static void dump_text(struct ossa__json *json, const struct ossa__item *item, const char *text)
{
    const char *end = memchr(text, '\0', item->width);
    size_t size = end == NULL ? item->width : (size_t)(end - text);
    bool is_clean = true;
    char key[64];
    for (size_t i = size; i < item->width; i++) is_clean = is_clean && text[i] == '\0';
    ossa__json_text_1251(json, text, size);
    if (is_clean) return;
    (void)snprintf(key, sizeof key, "%s_rest", item->name);
    ossa__member_hex(json, key, (const uint8_t *)text + size + 1, item->width - size - 1);
}

/* Elements of a shape: a list of numbers, of rows of them, or of lists of such rows. */
static void dump_rows(struct ossa__json *json, const struct ossa__item *item, const uint8_t *values,
                      uint64_t count, uint64_t rows)
{
    const struct ossa__shape *shape = item->shape;
    size_t size = ossa__shape_size(shape);
    if (shape->members == 1 && item->rows == NULL) {
        dump_row(json, shape->type, values, count);
        return;
    }
    ossa__json_begin_array(json);
    for (uint64_t i = 0; i < count; i++) {
        if (item->rows != NULL) ossa__json_begin_array(json);
        for (uint64_t r = 0; r < rows; r++) {
            dump_row(json, shape->type, values + (i * rows + r) * size, shape->members);
        }
        if (item->rows != NULL) ossa__json_end_array(json);
    }
    ossa__json_end_array(json);
}

static void dump_array(struct ossa__json *json, const struct ossa__item *item, const void *object)
{
    const uint8_t *elements = ossa__get_pointer(object, item->at);
    uint32_t count = ossa__get_u32(object, item->count_at);
    if (item->record == NULL) {
        dump_rows(json, item, elements, count, item->rows == NULL ? 1 : item->rows(object));
        return;
    }
    ossa__json_begin_array(json);
    for (uint64_t i = 0; i < count; i++) {
        ossa__json_begin_object(json);
        ossa__layout_dump(json, item->record, elements + i * item->record->size);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
}

static void dump_u64(struct ossa__json *json, const void *field)
{
    uint64_t value;
    memcpy(&value, field, sizeof value);
    ossa__json_begin_row(json);
    ossa__json_uint(json, (uint32_t)value);
    ossa__json_uint(json, value >> 32);
    ossa__json_end_array(json);
}

void ossa__layout_dump(struct ossa__json *json, const struct ossa__layout *layout,
                       const void *object)
{
    for (unsigned i = 0; i < layout->count; i++) {
        const struct ossa__item *item = &layout->items[i];
        const uint8_t *field = (const uint8_t *)object + item->at;
        if (!is_in_json(item)) continue;
        if (item->kind == OSSA__ITEM_TAIL) {
            ossa__member_tail(json, ossa__get_pointer(object, item->at),
                              ossa__get_size(object, item->count_at));
            continue;
        }
        ossa__json_key(json, item->name);
        if (item->kind == OSSA__ITEM_TEXT) dump_text(json, item, (const char *)field);
        else if (item->kind == OSSA__ITEM_ARRAY) dump_array(json, item, object);
        else if (item->kind == OSSA__ITEM_BOOL) ossa__json_bool(json, *(const bool *)field);
        else if (item->kind == OSSA__ITEM_U64) dump_u64(json, field);
        else if (item->shape->members == 1) dump_scalar(json, item->shape->type, field);
        else dump_row(json, item->shape->type, field, item->shape->members);
    }
}

/* ---- build --------------------------------------------------------------------------------- */

/* The members that an object of the layout may have, "a b c". */
static void allow_members(const struct ossa__value *value, const struct ossa__layout *layout)
{
    char keys[512] = "";
    size_t used = 0;
    for (unsigned i = 0; i < layout->count && used < sizeof keys; i++) {
        const struct ossa__item *item = &layout->items[i];
        if (!is_in_json(item)) continue;
        int n = snprintf(keys + used, sizeof keys - used, "%s%s", used > 0 ? " " : "", item->name);
        if (n > 0) used += (size_t)n;
        if (item->kind != OSSA__ITEM_TEXT || used >= sizeof keys) continue;
        n = snprintf(keys + used, sizeof keys - used, " %s_rest", item->name);
        if (n > 0) used += (size_t)n;
    }
    assert(used < sizeof keys);
    ossa__value_allow(value, keys);
}

static void build_scalar(const struct ossa__value *value, ossa_field_type type, uint8_t *out)
{
    size_t size = ossa__type_size(type);
    bool is_signed = type == OSSA_FIELD_TYPE_I16 || type == OSSA_FIELD_TYPE_I32;
    int64_t most = (INT64_C(1) << (8 * size - (is_signed ? 1 : 0))) - 1;
    uint32_t word = type == OSSA_FIELD_TYPE_F32
                        ? ossa__value_f32_bits(value)
                        : (uint32_t)ossa__value_integer(value, is_signed ? -most - 1 : 0, most);
    uint16_t half = (uint16_t)word;
    if (size == sizeof word) memcpy(out, &word, sizeof word);
    else if (size == sizeof half) memcpy(out, &half, sizeof half);
    else *out = (uint8_t)word;
}

/* `count` scalars from an array of just so many. */
static void build_row(const struct ossa__value *row, ossa_field_type type, size_t count,
                      uint8_t *out)
{
    size_t size = ossa__type_size(type);
    memset(out, 0, count * size);
    if (!ossa__value_expect_length(row, count)) return;
    for (size_t i = 0; i < count; i++) {
        struct ossa__value item = ossa__value_item(row, i);
        build_scalar(&item, type, out + i * size);
    }
}

static void build_text(const struct ossa__value *object, const struct ossa__item *item, char *out)
{
    char rest_key[64];
    (void)snprintf(rest_key, sizeof rest_key, "%s_rest", item->name);
    struct ossa__value text = ossa__value_member(object, item->name);
    struct ossa__value rest = ossa__value_optional(object, rest_key);
    uint32_t size;
    const char *bytes = ossa__value_text_1251(&text, &size);
    if (bytes == NULL) return;
    if (size > item->width) {
        ossa__value_fail(&text, "has %" PRIu32 " characters, but only %u fit", size,
                         (unsigned)item->width);
        return;
    }
    if (size > 0 && memchr(bytes, '\0', size) != NULL) ossa__value_fail(&text, "contains a NUL");
    if (size > 0) memcpy(out, bytes, size);
    if (rest.node == NULL) return;
    size_t rest_size;
    const uint8_t *rest_bytes = ossa__value_hex(&rest, &rest_size);
    if (rest_bytes == NULL) return;
    if (size + 1 + rest_size != item->width) {
        ossa__value_fail(&rest, "has %zu bytes, expected the rest of %u after the text and a NUL",
                         rest_size, (unsigned)item->width);
        return;
    }
    memcpy(out + size + 1, rest_bytes, rest_size);
}

static void build_element(const struct ossa__value *value, const struct ossa__item *item,
                          uint8_t *out)
{
    const struct ossa__shape *shape = item->shape;
    if (item->record != NULL) ossa__layout_build(value, item->record, out);
    else if (shape->members == 1 && item->rows == NULL) build_scalar(value, shape->type, out);
    else build_row(value, shape->type, shape->members, out);
}

/* The elements of a list of lists: each must really have its rows, so that what is taken is
 * bounded by the document. */
static void expect_rows(const struct ossa__value *list, size_t count, uint32_t rows)
{
    for (size_t i = 0; i < count && !list->context->failed; i++) {
        struct ossa__value element = ossa__value_item(list, i);
        (void)ossa__value_expect_length(&element, rows);
    }
}

static void build_array(const struct ossa__value *data, const struct ossa__item *item, void *object)
{
    struct ossa__context *context = data->context;
    struct ossa__value list = ossa__value_member(data, item->name);
    if (item->is_fixed) {
        (void)ossa__value_expect_length(&list, ossa__get_u32(object, item->count_at));
    }
    size_t length = ossa__value_length(&list);
    if (length > UINT32_MAX) ossa__value_fail(&list, "has too many items");
    if (item->to_end && length == 0)
        ossa__value_fail(&list, "is empty, expected at least one item");
    uint32_t count = (uint32_t)length;
    uint32_t rows = item->rows == NULL ? 1 : item->rows(object);
    size_t size = item->record != NULL ? item->record->size : ossa__shape_size(item->shape);
    if (item->rows != NULL) expect_rows(&list, length, rows);
    uint8_t *elements = ossa__take(context, (uint64_t)count * rows, size);
    if (elements == NULL) return;
    if (item->record != NULL) memset(elements, 0, (size_t)count * size);
    for (size_t i = 0; i < count && !context->failed; i++) {
        struct ossa__value element = ossa__value_item(&list, i);
        if (item->rows == NULL) build_element(&element, item, elements + i * size);
        for (size_t r = 0; item->rows != NULL && r < rows && !context->failed; r++) {
            struct ossa__value row = ossa__value_item(&element, r);
            build_element(&row, item, elements + (i * rows + r) * size);
        }
    }
    ossa__put(object, item->count_at, &count, sizeof count);
    ossa__put(object, item->at, &elements, sizeof elements);
}

/* Behind an array that ends where the file does, a tail as long as an element would be one. */
static void build_tail(const struct ossa__value *data, const struct ossa__item *item,
                       const struct ossa__item *before, void *object)
{
    struct ossa__value value = ossa__value_optional(data, item->name);
    size_t size = 0;
    const uint8_t *tail = value.node == NULL ? NULL : ossa__value_hex(&value, &size);
    if (before->to_end && size >= ossa__element_size(before)) {
        ossa__value_fail(&value, "has %zu bytes, expected fewer than the %zu bytes of an item",
                         size, ossa__element_size(before));
    }
    ossa__put(object, item->at, &tail, sizeof tail);
    ossa__put(object, item->count_at, &size, sizeof size);
}

static void build_field(const struct ossa__value *data, const struct ossa__item *item, void *object)
{
    struct ossa__value value = ossa__value_member(data, item->name);
    uint8_t *out = (uint8_t *)object + item->at;
    if (item->kind == OSSA__ITEM_BOOL) {
        bool is_set = ossa__value_bool(&value);
        memcpy(out, &is_set, sizeof is_set);
    } else if (item->kind == OSSA__ITEM_U64) {
        int64_t words[2];
        ossa__value_integers(&value, 2, 0, UINT32_MAX, words);
        uint64_t number = (uint64_t)words[1] << 32 | (uint64_t)words[0];
        memcpy(out, &number, sizeof number);
    } else if (item->shape->members == 1) {
        build_scalar(&value, item->shape->type, out);
    } else {
        build_row(&value, item->shape->type, item->shape->members, out);
    }
}

void ossa__layout_build(const struct ossa__value *value, const struct ossa__layout *layout,
                        void *object)
{
    allow_members(value, layout);
    for (unsigned i = 0; i < layout->count; i++) {
        const struct ossa__item *item = &layout->items[i];
        if (!is_in_json(item)) continue;
        if (item->kind == OSSA__ITEM_TEXT) {
            build_text(value, item, (char *)object + item->at);
        } else if (item->kind == OSSA__ITEM_ARRAY) {
            build_array(value, item, object);
        } else if (item->kind == OSSA__ITEM_TAIL) {
            build_tail(value, item, item - 1, object); /* never the first */
        } else {
            build_field(value, item, object);
        }
    }
}
