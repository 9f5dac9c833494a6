/* SPDX-License-Identifier: MIT
 *
 * The only code that looks at the bytes of a file: a cursor that cannot leave its window.
 *
 * Every read names its field, for errors and for the trace. The first failure sticks in the
 * context; later reads give zeros and empty arrays, so a format reads on and asks once. */
#ifndef OSSA_CODEC_READER_H
#define OSSA_CODEC_READER_H

#include "base/bytes.h"
#include "codec/trace.h"

struct ossa__reader {
    struct ossa__context *context;
    const uint8_t *data; /* the whole file */
    uint64_t begin;      /* the window: absolute offsets */
    uint64_t end;
    uint64_t position; /* absolute; begin <= position <= end */
};

void ossa__reader_init(struct ossa__reader *reader, struct ossa__context *context, const void *data,
                       uint64_t size);

/* A reader of `size` bytes at `offset` from the start of this one's window. `field` and `at` are
 * where that offset was read, for the error when the place is not inside the window. */
struct ossa__reader ossa__reader_window(const struct ossa__reader *reader, uint64_t offset,
                                        uint64_t size, const char *field, uint64_t at);

uint64_t ossa__left(const struct ossa__reader *reader);

uint8_t ossa__read_u8(struct ossa__reader *reader, const char *field);
uint16_t ossa__read_u16(struct ossa__reader *reader, const char *field);
int16_t ossa__read_i16(struct ossa__reader *reader, const char *field);
uint32_t ossa__read_u32(struct ossa__reader *reader, const char *field);
uint32_t ossa__read_f32_bits(struct ossa__reader *reader, const char *field);
#define ossa__read_f32(reader, field) ossa__f32_from_bits(ossa__read_f32_bits(reader, field))

/* A u32 that counts items of at least `stride` bytes: refused when they cannot fit in what is
 * left, before anybody allocates for them. 0 after a failure. */
uint32_t ossa__read_count(struct ossa__reader *reader, const char *field, uint64_t stride);

/* One element without an index, copied to `out`: "rotation.x", "rotation.y", "rotation.z". */
void ossa__read_element(struct ossa__reader *reader, const char *field,
                        const struct ossa__shape *shape, void *out);

/* The same where it stands, as the bytes of the file; NULL after a failure. */
const uint8_t *ossa__read_one(struct ossa__reader *reader, const char *field,
                              const struct ossa__shape *shape);

/* `count` elements in the machine's own byte order: where they stand in the file when that is
 * aligned, else in the arena. Not NULL, but after a failure. With `inner` they are named
 * [i / inner][i % inner]. */
const void *ossa__read_array(struct ossa__reader *reader, const char *field,
                             const struct ossa__shape *shape, uint64_t count, uint64_t inner);
bool ossa__is_borrowed(const struct ossa__reader *reader, const void *array);

/* The same where they stand, as the bytes of the file: for what is decoded later, if ever. */
const uint8_t *ossa__read_raw(struct ossa__reader *reader, const char *field,
                              const struct ossa__shape *shape, uint64_t count);

/* `size` bytes where they stand: text, or bytes without a field of their own. */
const uint8_t *ossa__read_bytes(struct ossa__reader *reader, const char *field,
                                ossa_field_type type, uint64_t size);

/* The same without a trace, for a caller that traces what is in it. NULL after a failure. */
const uint8_t *ossa__read_untraced(struct ossa__reader *reader, const char *field, uint64_t size);

/* What is left of the window, as a field named "tail", with an error when there is any. */
const uint8_t *ossa__read_tail(struct ossa__reader *reader, size_t *size);
/* The same with a remark, where the game does not look at it. */
const uint8_t *ossa__read_ignored_tail(struct ossa__reader *reader, size_t *size);

/* ---- looking without reading, for probes --------------------------------------------------- */

/* 0 when the place is outside; nothing is reported or traced. */
uint16_t ossa__peek_u16(const void *data, uint64_t size, uint64_t offset);
uint32_t ossa__peek_u32(const void *data, uint64_t size, uint64_t offset);
#define ossa__peek_f32(data, size, offset) ossa__f32_from_bits(ossa__peek_u32(data, size, offset))

#endif
