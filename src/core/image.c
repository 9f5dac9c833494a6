/* SPDX-License-Identifier: MIT */
#include "core/image.h"

#include "core/bytes.h"

#include <inttypes.h>

bool ossa__image_init(struct ossa__image *image, struct ossa__context *context, uint64_t size)
{
    image->context = context;
    image->size = size;
    image->bytes = ossa__take(context, size, 1);
    if (!ossa__coverage_init(&image->given, context, size)) return false;
    memset(image->bytes, 0, (size_t)size);
    return true;
}

void ossa__image_put(struct ossa__image *image, uint64_t offset, const uint8_t *bytes,
                     uint64_t size, const struct ossa__value *where)
{
    if (image->context->failed) return;
    if (offset > image->size || size > image->size - offset) {
        ossa__value_fail(where,
                         "would stand at 0x%" PRIx64 ", past the end of the file (0x%" PRIx64 ")",
                         offset, image->size);
        return;
    }
    if (ossa__coverage_touches(&image->given, offset, size)) {
        for (uint64_t i = 0; i < size; i++) {
            bool differs = image->bytes[offset + i] != bytes[i];
            if (differs && ossa__coverage_touches(&image->given, offset + i, 1)) {
                ossa__value_fail(where, "differs from what else stands at 0x%" PRIx64, offset + i);
                return;
            }
        }
    }
    if (size > 0) memcpy(image->bytes + offset, bytes, (size_t)size);
    ossa__coverage_mark(&image->given, offset, size);
}

void ossa__image_put_u16(struct ossa__image *image, uint64_t offset, uint16_t number,
                         const struct ossa__value *where)
{
    uint8_t bytes[2];
    ossa__store_u16(bytes, number);
    ossa__image_put(image, offset, bytes, sizeof bytes, where);
}

void ossa__image_put_u32(struct ossa__image *image, uint64_t offset, uint32_t number,
                         const struct ossa__value *where)
{
    uint8_t bytes[4];
    ossa__store_u32(bytes, number);
    ossa__image_put(image, offset, bytes, sizeof bytes, where);
}

void ossa__image_finish(struct ossa__image *image, const struct ossa__value *where)
{
    uint64_t offset = 0;
    uint64_t size;
    if (image->context->failed) return;
    if (ossa__coverage_next_gap(&image->given, &offset, &size)) {
        ossa__value_fail(where, "nothing gives the %" PRIu64 " bytes at 0x%" PRIx64, size, offset);
    }
}
