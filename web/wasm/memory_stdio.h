/* SPDX-License-Identifier: MIT
 *
 * What files of the tool print, kept in memory. This header is put before every file that is taken
 * over from cli/ (-include), so that they need not know: nothing of the C library's streams gets
 * into the module, and so nothing that a browser would have to provide. */
#ifndef OSSA_WEB_MEMORY_STDIO_H
#define OSSA_WEB_MEMORY_STDIO_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct web_stream {
    char *data; /* from malloc; not terminated */
    size_t size;
    size_t capacity;
    bool has_failed; /* there was no memory: what it holds is not all */
};

extern struct web_stream web_out;
extern struct web_stream web_err;

void web_stream_clear(struct web_stream *stream);
size_t web_stream_write(const void *bytes, size_t size, size_t count, struct web_stream *stream);
int web_stream_puts(const char *text, struct web_stream *stream);
int web_stream_putc(int c, struct web_stream *stream);
int web_stream_printf(struct web_stream *stream, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#undef FILE
#undef stdout
#undef stderr
#define FILE         struct web_stream
#define stdout       (&web_out)
#define stderr       (&web_err)
#define printf(...)  web_stream_printf(&web_out, __VA_ARGS__)
#define fprintf(...) web_stream_printf(__VA_ARGS__)
#define fputs(t, s)  web_stream_puts(t, s)
#define fputc(c, s)  web_stream_putc(c, s)
#define putchar(c)   web_stream_putc(c, &web_out)
#define fwrite(...)  web_stream_write(__VA_ARGS__)
#define fflush(s)    ((void)(s), 0)
#define ferror(s)    ((s)->has_failed ? 1 : 0)
#define getenv(name) ((const char *)NULL)

#endif
