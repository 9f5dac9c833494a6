/* SPDX-License-Identifier: MIT
 *
 * Files whose fields lie in any order, and may share bytes, are kept as their image: here is what
 * their formats have in common. */
#ifndef OSSA_CODEC_IMAGE_H
#define OSSA_CODEC_IMAGE_H

#include "codec/coverage.h"
#include "codec/value.h"
#include "base/json.h"

/* ---- from JSON ----------------------------------------------------------------------------- */

/* A file put together in any order: every byte must be given, and a byte that is given twice must
 * be the same both times. */
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

/* What the member "gaps" of `data` gives. */
void ossa__image_put_gaps(struct ossa__image *image, const struct ossa__value *data);

/* Refuse an image with bytes that nothing gave. */
void ossa__image_finish(struct ossa__image *image, const struct ossa__value *where);

/* ---- what no field covers ------------------------------------------------------------------ */

/* The ranges that nobody spoke for, in the arena; NULL after a failure. */
const ossa_gap *ossa__gaps_of(struct ossa__context *context, const struct ossa__coverage *coverage,
                              size_t *count);
/* The member "gaps" of dump's JSON. */
void ossa__gaps_dump(struct ossa__json *json, const ossa_gap *gaps, size_t count,
                     const uint8_t *bytes);

/* ---- writing ------------------------------------------------------------------------------- */

/* Put scalars, in the machine's byte order, into a `copy` of the `size` bytes that were read, where
 * they differ from those: of two fields that share bytes, the one that was changed counts. False
 * when the place is not in the file. */
bool ossa__patch(uint8_t *copy, const uint8_t *bytes, uint64_t size, uint64_t offset,
                 const void *values, uint64_t count, size_t scalar);

#endif
