/* SPDX-License-Identifier: MIT */
#include "codec/layout.h"

#include "base/text.h"
#include "codec/numbers.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

/* ---- items --------------------------------------------------------------------------------- */

static const struct ossa__shape shape_u64 = {OSSA_FIELD_TYPE_U32, 2, {NULL}};

static bool is_in_json(const struct ossa__item *item)
{
    return !item->is_hidden && item->kind != OSSA__ITEM_MAGIC && item->kind != OSSA__ITEM_COUNT &&
           item->kind != OSSA__ITEM_STEP;
}

static bool is_in_file(const struct ossa__item *item, const void *object)
{
    if (item->kind == OSSA__ITEM_BOOL || item->kind == OSSA__ITEM_STEP) return false;
    return item->is_stored == NULL || item->is_stored(object);
}

/* Bytes of the smallest unit that has a byte order. */
static size_t unit_size(const struct ossa__item *item)
{
    if (item->kind == OSSA__ITEM_U64) return 8;
    return item->kind == OSSA__ITEM_TEXT ? 1 : ossa__type_size(item->shape->type);
}

/* Bytes of a field of a record. */
static size_t field_size(const struct ossa__item *item)
{
    if (item->kind == OSSA__ITEM_U64) return 8;
    return item->kind == OSSA__ITEM_TEXT ? item->width : ossa__shape_size(item->shape);
}

static uint32_t get_u32(const void *object, uint16_t at)
{
    uint32_t value;
    memcpy(&value, (const uint8_t *)object + at, sizeof value);
    return value;
}

static const uint8_t *get_pointer(const void *object, uint16_t at)
{
    const uint8_t *pointer;
    memcpy(&pointer, (const uint8_t *)object + at, sizeof pointer);
    return pointer;
}

static size_t get_size(const void *object, uint16_t at)
{
    size_t size;
    memcpy(&size, (const uint8_t *)object + at, sizeof size);
    return size;
}

static void put(void *object, uint16_t at, const void *value, size_t size)
{
    memcpy((uint8_t *)object + at, value, size);
}

/* ---- records ------------------------------------------------------------------------------- */

/* Bytes that stand together in the file and in the struct. */
struct run {
    size_t file;
    size_t object;
    size_t size;
    size_t unit;
};

/* How a record is copied. */
struct plan {
    struct run runs[OSSA__LAYOUT_ITEMS];
    unsigned count;
    size_t file_size;
    size_t object_size;
    size_t alignment;
};

static void plan_record(struct plan *plan, const struct ossa__layout *layout)
{
    plan->count = 0;
    plan->file_size = 0;
    plan->object_size = layout->size;
    plan->alignment = 1;
    assert(layout->count <= OSSA__LAYOUT_ITEMS);
    for (unsigned i = 0; i < layout->count; i++) {
        const struct ossa__item *item = &layout->items[i];
        const struct run run = {plan->file_size, item->at, field_size(item), unit_size(item)};
        struct run *last = plan->count == 0 ? NULL : &plan->runs[plan->count - 1];
        if (run.unit > plan->alignment) plan->alignment = run.unit;
        plan->file_size += run.size;
        if (OSSA__LITTLE_ENDIAN && last != NULL && last->object + last->size == run.object) {
            last->size += run.size;
            last->unit = 1; /* the byte order is the same */
        } else {
            plan->runs[plan->count++] = run;
        }
    }
}

/* The struct is the bytes. */
static bool is_plain(const struct plan *plan)
{
    return OSSA__LITTLE_ENDIAN && plan->count == 1 && plan->file_size == plan->object_size;
}

/* Bytes of an element of an array in the file. */
static size_t element_size(const struct ossa__item *array)
{
    if (array->record == NULL) return ossa__shape_size(array->shape);
    size_t size = 0;
    for (unsigned i = 0; i < array->record->count; i++) {
        size += field_size(&array->record->items[i]);
    }
    return size;
}

/* ---- read ---------------------------------------------------------------------------------- */

static void read_magic(struct ossa__reader *reader, const struct ossa__item *item)
{
    uint64_t at = reader->position;
    const uint8_t *bytes = ossa__read_bytes(reader, item->name, OSSA_FIELD_TYPE_TEXT, item->width);
    if (bytes == NULL || memcmp(bytes, item->magic, item->width) == 0) return;
    char found[2 * 8 + 1] = "";
    for (unsigned i = 0; i < item->width && i < 8; i++) {
        (void)snprintf(found + (size_t)2 * i, 3, "%02x", bytes[i]);
    }
    ossa__fail(reader->context, OSSA_CODE_BAD_MAGIC, at, item->name,
               "found bytes %s, expected \"%s\"%s", found, item->magic,
               strlen(item->magic) < item->width ? " and a NUL" : "");
}

/* With `out` NULL the field is only traced. */
static void read_field(struct ossa__reader *reader, const struct ossa__item *item, void *out)
{
    const struct ossa__shape *shape = item->kind == OSSA__ITEM_U64 ? &shape_u64 : item->shape;
    const uint8_t *bytes =
        item->kind == OSSA__ITEM_TEXT
            ? ossa__read_bytes(reader, item->name, OSSA_FIELD_TYPE_TEXT_1251, item->width)
            : ossa__read_one(reader, item->name, shape);
    if (bytes == NULL || out == NULL) return;
    if (shape == &ossa__shape_u32) { /* most fields are, and this is faster */
        uint32_t word = ossa__load_u32(bytes);
        memcpy(out, &word, sizeof word);
        return;
    }
    ossa__copy_scalars(out, bytes, field_size(item), unit_size(item));
}

/* Every field of every record, for whoever listens: the records have been read. */
static void trace_records(const struct ossa__reader *reader, const struct ossa__item *item,
                          uint64_t count, uint64_t offset)
{
    struct ossa__reader again = *reader;
    again.position = offset;
    for (uint64_t i = 0; i < count; i++) {
        ossa__enter(reader->context, item->name, i);
        for (unsigned k = 0; k < item->record->count; k++) {
            read_field(&again, &item->record->items[k], NULL);
        }
        ossa__leave(reader->context);
    }
}

static const void *read_records(struct ossa__reader *reader, const struct ossa__item *item,
                                uint64_t count, uint64_t size)
{
    uint64_t offset = reader->position;
    struct plan plan;
    plan_record(&plan, item->record);
    const uint8_t *bytes = ossa__read_untraced(reader, item->name, size);
    if (bytes == NULL) return NULL;
    if (reader->context->trace != NULL) trace_records(reader, item, count, offset);
    if (is_plain(&plan) && (uintptr_t)bytes % plan.alignment == 0) return bytes;
    uint8_t *records = ossa__take(reader->context, count, plan.object_size);
    if (records == NULL) return NULL;
    memset(records, 0, (size_t)count * plan.object_size); /* padding too: records are compared */
    for (uint64_t i = 0; i < count; i++) {
        for (unsigned r = 0; r < plan.count; r++) {
            const struct run *run = &plan.runs[r];
            ossa__copy_scalars(records + i * plan.object_size + run->object,
                               bytes + i * plan.file_size + run->file, run->size, run->unit);
        }
    }
    return records;
}

/* Bytes of an array in the file; UINT64_MAX: too many. */
static uint64_t array_size(const struct ossa__item *item, const void *object)
{
    uint64_t rows = item->rows == NULL ? 1 : item->rows(object);
    uint64_t size;
    (void)ossa__multiply(get_u32(object, item->count_at), rows, &size);
    (void)ossa__multiply(size, element_size(item), &size);
    return size;
}

/* An array does not fit. Where the file counts it, the count is to blame; otherwise reading it
 * fails. */
static void refuse_count(struct ossa__context *context, const struct ossa__layout *layout,
                         const struct ossa__item *array, const void *object, uint64_t left,
                         const uint64_t *at)
{
    uint64_t rows = array->rows == NULL ? 1 : array->rows(object);
    for (unsigned i = 0; i < layout->count; i++) {
        const struct ossa__item *item = &layout->items[i];
        if (item->kind != OSSA__ITEM_COUNT || item->at != array->count_at) continue;
        ossa__fail(context, OSSA_CODE_BAD_COUNT, at[i], item->name,
                   "%" PRIu32 " items of %" PRIu64 " bytes cannot fit in the %" PRIu64
                   " bytes left",
                   get_u32(object, item->at), rows * element_size(array), left);
    }
}

/* Arrays that follow each other must all fit before the first is read. */
static void check_arrays(const struct ossa__reader *reader, const struct ossa__layout *layout,
                         unsigned first, const void *object, const uint64_t *at)
{
    uint64_t left = ossa__left(reader);
    for (unsigned i = first; i < layout->count && !reader->context->failed; i++) {
        const struct ossa__item *item = &layout->items[i];
        if (item->kind != OSSA__ITEM_ARRAY || item->to_end) return;
        if (!is_in_file(item, object)) continue;
        uint64_t size = array_size(item, object);
        if (size > left) {
            refuse_count(reader->context, layout, item, object, left, at);
            return;
        }
        left -= size;
    }
}

static void read_array(struct ossa__reader *reader, const struct ossa__item *item, void *object)
{
    if (reader->context->failed) return;
    if (item->to_end) {
        uint64_t left = ossa__left(reader) / element_size(item);
        uint32_t count = left == 0 ? 1 : left > UINT32_MAX ? UINT32_MAX : (uint32_t)left;
        put(object, item->count_at, &count, sizeof count);
    }
    uint64_t rows = item->rows == NULL ? 0 : item->rows(object);
    uint64_t count = get_u32(object, item->count_at);
    if (item->rows != NULL) (void)ossa__multiply(count, rows, &count); /* too much does not fit */
    const void *array = item->record != NULL
                            ? read_records(reader, item, count, array_size(item, object))
                            : ossa__read_array(reader, item->name, item->shape, count, rows);
    put(object, item->at, &array, sizeof array);
}

static void read_tail(struct ossa__reader *reader, const struct ossa__item *item, void *object)
{
    size_t size;
    const uint8_t *tail = ossa__read_tail(reader, &size);
    put(object, item->at, &tail, sizeof tail);
    put(object, item->count_at, &size, sizeof size);
}

void *ossa__layout_new(struct ossa__context *context, const struct ossa__layout *layout)
{
    void *object = ossa__take(context, 1, layout->size);
    if (object != NULL) memset(object, 0, layout->size);
    return object;
}

bool ossa__layout_read(struct ossa__reader *reader, const struct ossa__layout *layout, void *object,
                       uint64_t at[OSSA__LAYOUT_ITEMS])
{
    uint64_t own[OSSA__LAYOUT_ITEMS];
    uint64_t *offsets = at == NULL ? own : at;
    assert(layout->count <= OSSA__LAYOUT_ITEMS);
    bool was_array = false;
    for (unsigned i = 0; i < layout->count; i++) {
        const struct ossa__item *item = &layout->items[i];
        bool is_array = item->kind == OSSA__ITEM_ARRAY;
        offsets[i] = reader->position;
        if (is_array && !was_array) check_arrays(reader, layout, i, object, offsets);
        was_array = is_array;
        if (item->kind == OSSA__ITEM_STEP) item->step(reader, object);
        if (!is_in_file(item, object)) continue;
        if (item->kind == OSSA__ITEM_MAGIC) read_magic(reader, item);
        else if (is_array) read_array(reader, item, object);
        else if (item->kind == OSSA__ITEM_TAIL) read_tail(reader, item, object);
        else read_field(reader, item, (uint8_t *)object + item->at);
    }
    return !reader->context->failed;
}

/* ---- check --------------------------------------------------------------------------------- */

static void check_floats(struct ossa__context *context, const struct ossa__item *item,
                         const float *values, uint64_t rows, unsigned width, uint64_t offset)
{
    if ((item->checks & OSSA__CHECK_FINITE) != 0) {
        ossa__check_finite(context, item->name, offset, values, rows * width);
    }
    if ((item->checks & OSSA__CHECK_UNIT) != 0) {
        ossa__check_unit(context, item->name, offset, values, rows, width);
    }
}

static void check_field(struct ossa__context *context, const struct ossa__item *item,
                        const void *object, uint64_t offset)
{
    const void *field = (const uint8_t *)object + item->at;
    if (item->checks != 0) check_floats(context, item, field, 1, item->shape->members, offset);
}

static void check_records(struct ossa__context *context, const struct ossa__item *array,
                          const uint8_t *records, uint64_t count, uint64_t offset)
{
    const struct ossa__layout *layout = array->record;
    for (uint64_t i = 0; i < count; i++) {
        ossa__enter(context, array->name, i);
        for (unsigned k = 0; k < layout->count; k++) {
            const struct ossa__item *field = &layout->items[k];
            check_field(context, field, records + i * layout->size, offset);
            offset += field_size(field);
        }
        ossa__leave(context);
    }
}

void ossa__layout_check(struct ossa__context *context, const struct ossa__layout *layout,
                        const void *object, const uint64_t at[OSSA__LAYOUT_ITEMS])
{
    for (unsigned i = 0; i < layout->count; i++) {
        const struct ossa__item *item = &layout->items[i];
        if (item->kind == OSSA__ITEM_NUMBERS) check_field(context, item, object, at[i]);
        if (item->kind != OSSA__ITEM_ARRAY) continue;
        const void *array = get_pointer(object, item->at);
        uint64_t count = get_u32(object, item->count_at);
        if (item->rows != NULL) count *= item->rows(object);
        if (array == NULL) continue;
        if (item->record != NULL) check_records(context, item, array, count, at[i]);
        else if (item->checks != 0)
            check_floats(context, item, array, count, item->shape->members, at[i]);
    }
}

/* ---- write --------------------------------------------------------------------------------- */

static void write_array(struct ossa__writer *writer, const struct ossa__item *item,
                        const void *object)
{
    const uint8_t *elements = get_pointer(object, item->at);
    uint64_t count = get_u32(object, item->count_at);
    if (item->rows != NULL) count *= item->rows(object);
    if (item->record == NULL) {
        ossa__write_scalars(writer, elements, count * item->shape->members,
                            ossa__type_size(item->shape->type));
        return;
    }
    struct plan plan;
    plan_record(&plan, item->record);
    if (is_plain(&plan)) {
        ossa__write_bytes(writer, elements, count * plan.file_size);
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        for (unsigned r = 0; r < plan.count; r++) {
            const struct run *run = &plan.runs[r];
            ossa__write_scalars(writer, elements + i * plan.object_size + run->object,
                                run->size / run->unit, run->unit);
        }
    }
}

void ossa__layout_write(struct ossa__writer *writer, const struct ossa__layout *layout,
                        const void *object)
{
    for (unsigned i = 0; i < layout->count; i++) {
        const struct ossa__item *item = &layout->items[i];
        if (!is_in_file(item, object)) continue;
        if (item->kind == OSSA__ITEM_MAGIC) {
            ossa__write_bytes(writer, item->magic, item->width);
        } else if (item->kind == OSSA__ITEM_ARRAY) {
            write_array(writer, item, object);
        } else if (item->kind == OSSA__ITEM_TAIL) {
            ossa__write_bytes(writer, get_pointer(object, item->at),
                              get_size(object, item->count_at));
        } else {
            size_t unit = unit_size(item);
            ossa__write_scalars(writer, (const uint8_t *)object + item->at, field_size(item) / unit,
                                unit);
        }
    }
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
    const uint8_t *elements = get_pointer(object, item->at);
    uint32_t count = get_u32(object, item->count_at);
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
            ossa__member_tail(json, get_pointer(object, item->at),
                              get_size(object, item->count_at));
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
                        ? ossa__bits_from_f32(ossa__value_f32(value))
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
        ossa__value_fail(&text, "has %" PRIu32 " characters, there is room for %u", size,
                         (unsigned)item->width);
        return;
    }
    if (size > 0 && memchr(bytes, '\0', size) != NULL) ossa__value_fail(&text, "has a NUL in it");
    if (size > 0) memcpy(out, bytes, size);
    if (rest.node == NULL) return;
    size_t rest_size;
    const uint8_t *rest_bytes = ossa__value_hex(&rest, &rest_size);
    if (rest_bytes == NULL) return;
    if (size + 1 + rest_size != item->width) {
        ossa__value_fail(&rest, "has %zu bytes, expected what the text and a NUL leave of %u",
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
        (void)ossa__value_expect_length(&list, get_u32(object, item->count_at));
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
    put(object, item->count_at, &count, sizeof count);
    put(object, item->at, &elements, sizeof elements);
}

/* Behind an array that ends where the file does, a tail as long as an element would be one. */
static void build_tail(const struct ossa__value *data, const struct ossa__item *item,
                       const struct ossa__item *before, void *object)
{
    struct ossa__value value = ossa__value_optional(data, item->name);
    size_t size = 0;
    const uint8_t *tail = value.node == NULL ? NULL : ossa__value_hex(&value, &size);
    if (before->to_end && size >= element_size(before)) {
        ossa__value_fail(&value, "has %zu bytes, expected fewer than the %zu of an item", size,
                         element_size(before));
    }
    put(object, item->at, &tail, sizeof tail);
    put(object, item->count_at, &size, sizeof size);
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
