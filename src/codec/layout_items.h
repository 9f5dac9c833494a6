/* SPDX-License-Identifier: MIT
 *
 * What layout.c and layout_json.c share: the sizes of items, and the members of a struct by their
 * offsets. */
#ifndef OSSA_CODEC_LAYOUT_ITEMS_H
#define OSSA_CODEC_LAYOUT_ITEMS_H

#include "codec/layout.h"

/* Bytes of a field of a record. */
static inline size_t ossa__field_size(const struct ossa__item *item)
{
    if (item->kind == OSSA__ITEM_U64) return 8;
    return item->kind == OSSA__ITEM_TEXT ? item->width : ossa__shape_size(item->shape);
}

/* Bytes of an element of an array in the file. */
static inline size_t ossa__element_size(const struct ossa__item *array)
{
    if (array->record == NULL) return ossa__shape_size(array->shape);
    size_t size = 0;
    for (unsigned i = 0; i < array->record->count; i++) {
        size += ossa__field_size(&array->record->items[i]);
    }
    return size;
}

static inline uint32_t ossa__get_u32(const void *object, uint16_t at)
{
    uint32_t value;
    memcpy(&value, (const uint8_t *)object + at, sizeof value);
    return value;
}

static inline const uint8_t *ossa__get_pointer(const void *object, uint16_t at)
{
    const uint8_t *pointer;
    memcpy(&pointer, (const uint8_t *)object + at, sizeof pointer);
    return pointer;
}

static inline size_t ossa__get_size(const void *object, uint16_t at)
{
    size_t size;
    memcpy(&size, (const uint8_t *)object + at, sizeof size);
    return size;
}

static inline void ossa__put(void *object, uint16_t at, const void *value, size_t size)
{
    memcpy((uint8_t *)object + at, value, size);
}

#endif
