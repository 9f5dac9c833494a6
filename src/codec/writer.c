/* SPDX-License-Identifier: MIT */
#include "codec/writer.h"

#include "base/bytes.h"
#include "codec/reader.h"

void ossa__writer_init(struct ossa__writer *writer, struct ossa__context *context, ossa_sink sink)
{
    writer->context = context;
    writer->sink = sink;
    writer->used = 0;
}

static void send(struct ossa__writer *writer, const void *bytes, size_t size)
{
    if (writer->context->failed || size == 0) return;
    if (!writer->sink.write(writer->sink.user, bytes, size)) {
        ossa__fail_nowhere(writer->context, OSSA_CODE_IO, "", "the output could not be written");
    }
}

bool ossa__writer_finish(struct ossa__writer *writer)
{
    send(writer, writer->buffer, writer->used);
    writer->used = 0;
    return !writer->context->failed;
}

void ossa__write_bytes(struct ossa__writer *writer, const void *bytes, uint64_t size)
{
    if (size > sizeof writer->buffer - writer->used) {
        send(writer, writer->buffer, writer->used);
        writer->used = 0;
    }
    if (size > sizeof writer->buffer) {
        send(writer, bytes, (size_t)size);
    } else if (size > 0) {
        memcpy(writer->buffer + writer->used, bytes, (size_t)size);
        writer->used += (size_t)size;
    }
}

void ossa__write_text(struct ossa__writer *writer, const char *text)
{
    ossa__write_bytes(writer, text, strlen(text));
}

char *ossa__write_begin(struct ossa__writer *writer)
{
    if (sizeof writer->buffer - writer->used < OSSA__ROOM) {
        send(writer, writer->buffer, writer->used);
        writer->used = 0;
    }
    return (char *)writer->buffer + writer->used;
}

void ossa__write_end(struct ossa__writer *writer, const char *end)
{
    writer->used = (size_t)((const uint8_t *)end - writer->buffer);
}

void ossa__write_u8(struct ossa__writer *writer, uint8_t value)
{
    ossa__write_bytes(writer, &value, 1);
}

void ossa__write_u16(struct ossa__writer *writer, uint16_t value)
{
    uint8_t bytes[2];
    ossa__store_u16(bytes, value);
    ossa__write_bytes(writer, bytes, sizeof bytes);
}

void ossa__write_u32(struct ossa__writer *writer, uint32_t value)
{
    uint8_t bytes[4];
    ossa__store_u32(bytes, value);
    ossa__write_bytes(writer, bytes, sizeof bytes);
}

void ossa__write_f32(struct ossa__writer *writer, float value)
{
    ossa__write_u32(writer, ossa__bits_from_f32(value));
}

void ossa__write_scalars(struct ossa__writer *writer, const void *values, uint64_t count,
                         size_t scalar)
{
    if (OSSA__LITTLE_ENDIAN) {
        ossa__write_bytes(writer, values, count * scalar);
        return;
    }
    const uint8_t *from = values;
    for (uint64_t i = 0; i < count; i++) {
        uint8_t bytes[8];
        ossa__copy_scalars(bytes, from + i * scalar, scalar, scalar);
        ossa__write_bytes(writer, bytes, scalar);
    }
}
