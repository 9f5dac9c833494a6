/* SPDX-License-Identifier: MIT */
#include "codec/image.h"

#include "base/bytes.h"
#include "base/json.h"

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
                         "would be at 0x%" PRIx64 ", past the end of the file (0x%" PRIx64 ")",
                         offset, image->size);
        return;
    }
    if (ossa__coverage_touches(&image->given, offset, size)) {
        for (uint64_t i = 0; i < size; i++) {
            bool differs = image->bytes[offset + i] != bytes[i];
            if (differs && ossa__coverage_touches(&image->given, offset + i, 1)) {
                ossa__value_fail(where, "differs from another field at 0x%" PRIx64, offset + i);
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

void ossa__image_put_gaps(struct ossa__image *image, const struct ossa__value *data)
{
    struct ossa__value gaps = ossa__value_member(data, "gaps");
    size_t count = ossa__value_length(&gaps);
    for (size_t i = 0; i < count && !image->context->failed; i++) {
        struct ossa__value gap = ossa__value_item(&gaps, i);
        ossa__value_allow(&gap, "offset bytes");
        struct ossa__value offset = ossa__value_member(&gap, "offset");
        struct ossa__value bytes = ossa__value_member(&gap, "bytes");
        uint64_t at = (uint64_t)ossa__value_integer(&offset, 0, INT64_MAX);
        size_t size;
        const uint8_t *content = ossa__value_hex(&bytes, &size);
        ossa__image_put(image, at, content, size, &bytes);
    }
}

void ossa__image_finish(struct ossa__image *image, const struct ossa__value *where)
{
    uint64_t offset = 0;
    uint64_t size;
    if (image->context->failed) return;
    if (ossa__coverage_next_gap(&image->given, &offset, &size)) {
        ossa__value_fail(where, "no field and no gap covers the %" PRIu64 " bytes at 0x%" PRIx64,
                         size, offset);
    }
}

/* ---- what no field covers ------------------------------------------------------------------ */

const ossa_gap *ossa__gaps_of(struct ossa__context *context, const struct ossa__coverage *coverage,
                              size_t *count)
{
    size_t found = 0;
    uint64_t size;
    for (uint64_t at = 0; ossa__coverage_next_gap(coverage, &at, &size); at += size) found++;
    *count = 0;
    ossa_gap *gaps = ossa__take(context, found, sizeof *gaps);
    if (gaps == NULL) return NULL;
    for (uint64_t at = 0; ossa__coverage_next_gap(coverage, &at, &size); at += size) {
        gaps[(*count)++] = (ossa_gap){.offset = at, .size = size};
    }
    return gaps;
}

void ossa__gaps_dump(struct ossa__json *json, const ossa_gap *gaps, size_t count,
                     const uint8_t *bytes)
{
    ossa__json_key(json, "gaps");
    ossa__json_begin_array(json);
    for (size_t i = 0; i < count; i++) {
        ossa__json_begin_object(json);
        ossa__member_uint(json, "offset", gaps[i].offset);
        ossa__member_hex(json, "bytes", bytes + gaps[i].offset, (size_t)gaps[i].size);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
}

/* ---- writing ------------------------------------------------------------------------------- */

bool ossa__patch(uint8_t *copy, const uint8_t *bytes, uint64_t size, uint64_t offset,
                 const void *values, uint64_t count, size_t scalar)
{
    uint64_t length;
    if (!ossa__multiply(count, scalar, &length)) return false;
    if (offset > size || length > size - offset) return false;
    const uint8_t *from = values;
    /* Nearly always nothing was changed, and that is quickly seen. */
    bool same = OSSA__LITTLE_ENDIAN && memcmp(from, bytes + offset, (size_t)length) == 0;
    for (uint64_t i = 0; !same && i < length; i += scalar) {
        uint8_t value[4];
        ossa__copy_scalars(value, from + i, scalar, scalar);
        if (memcmp(value, bytes + offset + i, scalar) != 0) {
            memcpy(copy + offset + i, value, scalar);
        }
    }
    return true;
}
