/* SPDX-License-Identifier: MIT */
#include "codec/reader.h"

#include "base/bytes.h"

#include <inttypes.h>

void ossa__reader_init(struct ossa__reader *reader, struct ossa__context *context, const void *data,
                       uint64_t size)
{
    *reader = (struct ossa__reader){.context = context, .data = data, .end = size};
}

struct ossa__reader ossa__reader_window(const struct ossa__reader *reader, uint64_t offset,
                                        uint64_t size, const char *field, uint64_t at)
{
    struct ossa__reader window = *reader;
    uint64_t room = reader->end - reader->begin;
    if (offset > room || size > room - offset) {
        ossa__fail(reader->context, OSSA_CODE_BAD_OFFSET, at, field,
                   "the %" PRIu64 " bytes at 0x%" PRIx64 " extend past the end (0x%" PRIx64 ")",
                   size, offset, room);
        window.end = window.begin;
    } else {
        window.begin += offset;
        window.end = window.begin + size;
    }
    window.position = window.begin;
    return window;
}

uint64_t ossa__left(const struct ossa__reader *reader)
{
    return reader->end - reader->position;
}

const uint8_t *ossa__read_untraced(struct ossa__reader *reader, const char *field, uint64_t size)
{
    if (reader->context->failed) return NULL;
    if (size > ossa__left(reader)) {
        ossa__fail(reader->context, OSSA_CODE_TRUNCATED, reader->position, field,
                   "needs %" PRIu64 " bytes, %" PRIu64 " left", size, ossa__left(reader));
        return NULL;
    }
    const uint8_t *bytes = reader->data + reader->position;
    reader->position += size;
    return bytes;
}

static void claim(struct ossa__reader *reader, const char *field, const struct ossa__shape *shape,
                  uint64_t count, uint64_t inner, bool indexed, uint64_t size)
{
    if (reader->context->trace == NULL) return;
    ossa__trace_claim(reader->context, (struct ossa__claim){.offset = reader->position - size,
                                                            .count = count,
                                                            .inner = inner,
                                                            .indexed = indexed,
                                                            .shape = shape,
                                                            .field = field});
}

static const uint8_t *next_scalar(struct ossa__reader *reader, const char *field,
                                  const struct ossa__shape *shape, size_t size)
{
    const uint8_t *bytes = ossa__read_untraced(reader, field, size);
    if (bytes != NULL) claim(reader, field, shape, 1, 0, false, size);
    return bytes;
}

uint8_t ossa__read_u8(struct ossa__reader *reader, const char *field)
{
    const uint8_t *bytes = next_scalar(reader, field, &ossa__shape_u8, 1);
    return bytes == NULL ? 0 : bytes[0];
}

uint16_t ossa__read_u16(struct ossa__reader *reader, const char *field)
{
    const uint8_t *bytes = next_scalar(reader, field, &ossa__shape_u16, 2);
    return bytes == NULL ? 0 : ossa__load_u16(bytes);
}

int16_t ossa__read_i16(struct ossa__reader *reader, const char *field)
{
    const uint8_t *bytes = next_scalar(reader, field, &ossa__shape_i16, 2);
    return bytes == NULL ? 0 : (int16_t)ossa__load_u16(bytes);
}

uint32_t ossa__read_u32(struct ossa__reader *reader, const char *field)
{
    const uint8_t *bytes = next_scalar(reader, field, &ossa__shape_u32, 4);
    return bytes == NULL ? 0 : ossa__load_u32(bytes);
}

uint32_t ossa__read_f32_bits(struct ossa__reader *reader, const char *field)
{
    const uint8_t *bytes = next_scalar(reader, field, &ossa__shape_f32, 4);
    return bytes == NULL ? 0 : ossa__load_u32(bytes);
}

uint32_t ossa__read_count(struct ossa__reader *reader, const char *field, uint64_t stride)
{
    uint64_t at = reader->position;
    uint32_t count = ossa__read_u32(reader, field);
    uint64_t bytes;
    if (!ossa__multiply(count, stride, &bytes) || bytes > ossa__left(reader)) {
        ossa__fail(reader->context, OSSA_CODE_BAD_COUNT, at, field,
                   "%" PRIu32 " items of at least %" PRIu64 " bytes cannot fit in the %" PRIu64
                   " bytes left",
                   count, stride, ossa__left(reader));
        return 0;
    }
    return reader->context->failed ? 0 : count;
}

const uint8_t *ossa__read_one(struct ossa__reader *reader, const char *field,
                              const struct ossa__shape *shape)
{
    return next_scalar(reader, field, shape, ossa__shape_size(shape));
}

void ossa__read_element(struct ossa__reader *reader, const char *field,
                        const struct ossa__shape *shape, void *out)
{
    size_t size = ossa__shape_size(shape);
    const uint8_t *bytes = next_scalar(reader, field, shape, size);
    if (bytes == NULL) memset(out, 0, size);
    else ossa__copy_scalars(out, bytes, size, ossa__type_size(shape->type));
}

const void *ossa__read_array(struct ossa__reader *reader, const char *field,
                             const struct ossa__shape *shape, uint64_t count, uint64_t inner)
{
    uint64_t size;
    (void)ossa__multiply(count, ossa__shape_size(shape), &size); /* too much is too much */
    const uint8_t *bytes = ossa__read_untraced(reader, field, size);
    if (bytes == NULL) return NULL;
    claim(reader, field, shape, count, inner, true, size);
    size_t scalar = ossa__type_size(shape->type);
    bool is_as_stored = OSSA__LITTLE_ENDIAN || scalar == 1;
    /* cppcheck-suppress knownConditionTrueFalse ; not on big-endian machines */
    if (is_as_stored && (uintptr_t)bytes % scalar == 0) return bytes;
    void *copy = ossa__take(reader->context, size, 1);
    if (copy != NULL) ossa__copy_scalars(copy, bytes, (size_t)size, scalar);
    return copy;
}

const uint8_t *ossa__read_raw(struct ossa__reader *reader, const char *field,
                              const struct ossa__shape *shape, uint64_t count)
{
    uint64_t size;
    (void)ossa__multiply(count, ossa__shape_size(shape), &size);
    const uint8_t *bytes = ossa__read_untraced(reader, field, size);
    if (bytes != NULL) claim(reader, field, shape, count, 0, true, size);
    return bytes;
}

bool ossa__is_borrowed(const struct ossa__reader *reader, const void *array)
{
    if (reader->context->options.copy) return false; /* the bytes are the result's own */
    uintptr_t place = (uintptr_t)array;
    uintptr_t data = (uintptr_t)reader->data;
    return place >= data && place - data <= reader->end;
}

static const struct ossa__shape *run_shape(ossa_field_type type)
{
    static const struct ossa__shape text = {OSSA_FIELD_TYPE_TEXT, 1, {NULL}};
    static const struct ossa__shape text_1251 = {OSSA_FIELD_TYPE_TEXT_1251, 1, {NULL}};
    static const struct ossa__shape unknown = {OSSA_FIELD_TYPE_UNKNOWN, 1, {NULL}};
    if (type == OSSA_FIELD_TYPE_TEXT) return &text;
    return type == OSSA_FIELD_TYPE_TEXT_1251 ? &text_1251 : &unknown;
}

const uint8_t *ossa__read_bytes(struct ossa__reader *reader, const char *field,
                                ossa_field_type type, uint64_t size)
{
    const uint8_t *bytes = ossa__read_untraced(reader, field, size);
    if (bytes != NULL) claim(reader, field, run_shape(type), size, 0, false, size);
    return bytes;
}

const uint8_t *ossa__read_tail(struct ossa__reader *reader, size_t *size)
{
    uint64_t left = ossa__left(reader);
    *size = reader->context->failed ? 0 : (size_t)left;
    if (*size > 0) {
        ossa__issue(reader->context, OSSA_SEVERITY_ERROR, OSSA_CODE_TRAILING_BYTES,
                    reader->position, "tail",
                    "%" PRIu64 " bytes follow the last field, expected the end of the file", left);
    }
    return ossa__read_bytes(reader, "tail", OSSA_FIELD_TYPE_UNKNOWN, *size);
}

const uint8_t *ossa__read_ignored_tail(struct ossa__reader *reader, size_t *size)
{
    uint64_t left = ossa__left(reader);
    *size = reader->context->failed ? 0 : (size_t)left;
    if (*size > 0) {
        ossa__issue(reader->context, OSSA_SEVERITY_REMARK, OSSA_CODE_TRAILING_BYTES,
                    reader->position, "tail",
                    "%" PRIu64 " bytes after the last field, which the game ignores", left);
    }
    return ossa__read_bytes(reader, "tail", OSSA_FIELD_TYPE_UNKNOWN, *size);
}

uint16_t ossa__peek_u16(const void *data, uint64_t size, uint64_t offset)
{
    if (size < 2 || offset > size - 2) return 0;
    return ossa__load_u16((const uint8_t *)data + offset);
}

uint32_t ossa__peek_u32(const void *data, uint64_t size, uint64_t offset)
{
    if (size < 4 || offset > size - 4) return 0;
    return ossa__load_u32((const uint8_t *)data + offset);
}
