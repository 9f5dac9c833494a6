/* SPDX-License-Identifier: MIT
 *
 * Layouts as bytes: read, check, write. */
#include "codec/layout.h"

#include "codec/layout_items.h"
#include "codec/numbers.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

static const struct ossa__shape shape_u64 = {OSSA_FIELD_TYPE_U32, 2, {NULL}};

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
        const struct run run = {plan->file_size, item->at, ossa__field_size(item), unit_size(item)};
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
    ossa__copy_scalars(out, bytes, ossa__field_size(item), unit_size(item));
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
    (void)ossa__multiply(ossa__get_u32(object, item->count_at), rows, &size);
    (void)ossa__multiply(size, ossa__element_size(item), &size);
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
                   ossa__get_u32(object, item->at), rows * ossa__element_size(array), left);
    }
}

/* Arrays that follow each other must all fit before the first is read. Returns the item that ends
 * the row. */
static unsigned check_arrays(const struct ossa__reader *reader, const struct ossa__layout *layout,
                             unsigned first, const void *object, const uint64_t *at)
{
    uint64_t left = ossa__left(reader);
    for (unsigned i = first; i < layout->count && !reader->context->failed; i++) {
        const struct ossa__item *item = &layout->items[i];
        if (item->kind != OSSA__ITEM_ARRAY || item->to_end) return i;
        if (!is_in_file(item, object)) continue;
        uint64_t size = array_size(item, object);
        if (size > left) {
            refuse_count(reader->context, layout, item, object, left, at);
        } else {
            left -= size;
        }
    }
    return layout->count;
}

static void read_array(struct ossa__reader *reader, const struct ossa__item *item, void *object)
{
    if (reader->context->failed) return;
    if (item->to_end) {
        size_t size = ossa__element_size(item);
        assert(size > 0);
        uint64_t left = ossa__left(reader) / size;
        uint32_t count = left == 0 ? 1 : left > UINT32_MAX ? UINT32_MAX : (uint32_t)left;
        ossa__put(object, item->count_at, &count, sizeof count);
    }
    uint64_t rows = item->rows == NULL ? 0 : item->rows(object);
    uint64_t count = ossa__get_u32(object, item->count_at);
    if (item->rows != NULL) (void)ossa__multiply(count, rows, &count); /* too much does not fit */
    const void *array = item->record != NULL
                            ? read_records(reader, item, count, array_size(item, object))
                            : ossa__read_array(reader, item->name, item->shape, count, rows);
    ossa__put(object, item->at, &array, sizeof array);
}

static void read_tail(struct ossa__reader *reader, const struct ossa__item *item, void *object)
{
    size_t size;
    const uint8_t *tail = ossa__read_tail(reader, &size);
    ossa__put(object, item->at, &tail, sizeof tail);
    ossa__put(object, item->count_at, &size, sizeof size);
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
    unsigned checked = 0; /* the arrays before this item */
    for (unsigned i = 0; i < layout->count; i++) {
        const struct ossa__item *item = &layout->items[i];
        uint8_t *out = (uint8_t *)object + item->at;
        offsets[i] = reader->position;
        if (item->is_stored != NULL && !item->is_stored(object)) continue;
        switch (item->kind) {
        case OSSA__ITEM_STEP: item->step(reader, object); break;
        case OSSA__ITEM_BOOL: break;
        case OSSA__ITEM_MAGIC: read_magic(reader, item); break;
        case OSSA__ITEM_TAIL: read_tail(reader, item, object); break;
        case OSSA__ITEM_ARRAY:
            if (i >= checked) checked = check_arrays(reader, layout, i, object, offsets);
            read_array(reader, item, object);
            break;
        default:
            if (item->shape == &ossa__shape_u32) { /* most are, and this is faster */
                uint32_t word = ossa__read_u32(reader, item->name);
                memcpy(out, &word, sizeof word);
            } else {
                read_field(reader, item, out);
            }
        }
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
            offset += ossa__field_size(field);
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
        const void *array = ossa__get_pointer(object, item->at);
        uint64_t count = ossa__get_u32(object, item->count_at);
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
    const uint8_t *elements = ossa__get_pointer(object, item->at);
    uint64_t count = ossa__get_u32(object, item->count_at);
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
            ossa__write_bytes(writer, ossa__get_pointer(object, item->at),
                              ossa__get_size(object, item->count_at));
        } else {
            size_t unit = unit_size(item);
            ossa__write_scalars(writer, (const uint8_t *)object + item->at,
                                ossa__field_size(item) / unit, unit);
        }
    }
}
