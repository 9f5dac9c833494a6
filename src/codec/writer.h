/* SPDX-License-Identifier: MIT
 *
 * The reader's counterpart: little-endian fields, or text, into a sink. The first failure sticks.
 */
#ifndef OSSA_CODEC_WRITER_H
#define OSSA_CODEC_WRITER_H

#include "codec/context.h"

struct ossa__writer {
    struct ossa__context *context;
    ossa_sink sink;
    size_t used;
    uint8_t buffer[16384]; /* gathers small fields; large arrays go straight to the sink */
};

void ossa__writer_init(struct ossa__writer *writer, struct ossa__context *context, ossa_sink sink);
bool ossa__writer_finish(struct ossa__writer *writer); /* flush; false if anything failed */

void ossa__write_u8(struct ossa__writer *writer, uint8_t value);
void ossa__write_u16(struct ossa__writer *writer, uint16_t value);
void ossa__write_u32(struct ossa__writer *writer, uint32_t value);
void ossa__write_f32(struct ossa__writer *writer, float value);
void ossa__write_bytes(struct ossa__writer *writer, const void *bytes, uint64_t size);
/* `count` scalars of `scalar` bytes (1, 2, 4 or 8) from the machine's byte order. */
void ossa__write_scalars(struct ossa__writer *writer, const void *values, uint64_t count,
                         size_t scalar);

/* ---- text ---------------------------------------------------------------------------------- */

void ossa__write_text(struct ossa__writer *writer, const char *text);

/* Where the next text goes: as many bytes as OSSA__ROOM. `ossa__write_end` says where it ends. */
enum { OSSA__ROOM = 1024 };
char *ossa__write_begin(struct ossa__writer *writer);
void ossa__write_end(struct ossa__writer *writer, const char *end);

#endif
