/* SPDX-License-Identifier: MIT
 *
 * Files in and out, which the library leaves to its users: it reads from memory and writes to a
 * sink. The examples share these few lines; nothing in them is special to Ossa but the types. */
#ifndef OSSA_EXAMPLES_FILE_IO_H
#define OSSA_EXAMPLES_FILE_IO_H

#include <ossa/ossa.h>

#include <stdio.h>
#include <stdlib.h>

/* The whole of a file, to be freed; NULL, with a message, when it cannot be read. */
static inline void *load_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    void *data = NULL;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) {
        long end = ftell(file);
        rewind(file);
        *size = end > 0 ? (size_t)end : 0;
        data = end < 0 ? NULL : malloc(*size + 1); /* one more: an empty file is no failure */
        if (data != NULL && fread(data, 1, *size, file) != *size) {
            free(data);
            data = NULL;
        }
    }
    if (data == NULL) perror(path);
    if (file != NULL) (void)fclose(file);
    return data;
}

/* A sink that writes to an open file, such as stdout. */
static inline bool write_to_stream(void *user, const void *bytes, size_t size)
{
    FILE *stream = user;
    return fwrite(bytes, 1, size, stream) == size;
}

static inline ossa_sink stream_sink(FILE *stream)
{
    return (ossa_sink){.write = write_to_stream, .user = stream};
}

/* "ei-anm: rotation_count: 7 items ... cannot fit ..., at 0x0" */
static inline void print_error(const char *path, const ossa_error *error)
{
    char text[1024];
    (void)ossa_error_text(error, text, sizeof text);
    fprintf(stderr, "%s: %s\n", path, text);
}

#endif
