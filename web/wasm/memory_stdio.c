/* SPDX-License-Identifier: MIT */
#include "memory_stdio.h"

#include <stdint.h>
#include <string.h>

struct web_stream web_out;
struct web_stream web_err;

void web_stream_clear(struct web_stream *stream)
{
    enum { KEPT = 1 << 20 }; /* a small one is used again */
    if (stream->capacity > KEPT) {
        free(stream->data);
        *stream = (struct web_stream){0};
    }
    stream->size = 0;
    stream->has_failed = false;
}

/* Room for so many bytes more. */
static bool make_room(struct web_stream *stream, size_t size)
{
    if (size <= stream->capacity - stream->size) return true;
    size_t wanted = stream->size + size;
    size_t capacity = stream->capacity == 0 ? 4096 : stream->capacity;
    while (wanted >= size && capacity < wanted) {
        capacity = capacity > SIZE_MAX / 2 ? wanted : capacity * 2;
    }
    char *larger = wanted < size ? NULL : realloc(stream->data, capacity);
    if (larger == NULL) {
        stream->has_failed = true;
        return false;
    }
    stream->data = larger;
    stream->capacity = capacity;
    return true;
}

size_t web_stream_write(const void *bytes, size_t size, size_t count, struct web_stream *stream)
{
    size_t total;
    if (__builtin_mul_overflow(size, count, &total) || !make_room(stream, total)) return 0;
    if (total > 0) memcpy(stream->data + stream->size, bytes, total);
    stream->size += total;
    return count;
}

int web_stream_puts(const char *text, struct web_stream *stream)
{
    size_t size = strlen(text);
    return web_stream_write(text, 1, size, stream) == size ? 0 : EOF;
}

int web_stream_putc(int c, struct web_stream *stream)
{
    char byte = (char)c;
    return web_stream_write(&byte, 1, 1, stream) == 1 ? (unsigned char)byte : EOF;
}

int web_stream_printf(struct web_stream *stream, const char *format, ...)
{
    va_list arguments;
    va_list again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int size = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (size >= 0 && make_room(stream, (size_t)size + 1)) {
        (void)vsnprintf(stream->data + stream->size, (size_t)size + 1, format, again);
        stream->size += (size_t)size;
    }
    va_end(again);
    return size;
}
