/* SPDX-License-Identifier: MIT
 *
 * A file put together from JSON in any order: every byte must be given, and a byte that is given
 * twice must be the same both times. */
#ifndef OSSA_CORE_IMAGE_H
#define OSSA_CORE_IMAGE_H

#include "core/coverage.h"
#include "core/value.h"

struct ossa__image {
    struct ossa__context *context;
    uint8_t *bytes;
    uint64_t size;
    struct ossa__coverage given;
};

/* False after a failure. */
bool ossa__image_init(struct ossa__image *image, struct ossa__context *context, uint64_t size);

/* `where` is the value in the JSON that the bytes come from, for refusals. */
void ossa__image_put(struct ossa__image *image, uint64_t offset, const uint8_t *bytes,
                     uint64_t size, const struct ossa__value *where);
void ossa__image_put_u16(struct ossa__image *image, uint64_t offset, uint16_t number,
                         const struct ossa__value *where);
void ossa__image_put_u32(struct ossa__image *image, uint64_t offset, uint32_t number,
                         const struct ossa__value *where);

/* Refuse an image with bytes that nothing gave. */
void ossa__image_finish(struct ossa__image *image, const struct ossa__value *where);

#endif
