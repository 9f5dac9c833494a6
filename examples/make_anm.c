/* SPDX-License-Identifier: MIT
 *
 * Make an animation from nothing: an Evil Islands part that rotates once about the vertical axis.
 *
 * A file is described as the JSON of ossa_dump and built from that, so that there is one set of
 * rules for what is a good file, and the result has been through the reader.
 *
 *     make_anm OUT [FRAMES] */
#include "file_io.h"

#include <math.h>
#include <stdarg.h>

/* Text into a buffer of Ossa's, as printf has it; false when there is no memory. */
OSSA_PRINTF(2, 3) static bool print(ossa_buffer *text, const char *format, ...)
{
    char piece[256];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    ossa_sink sink = ossa_buffer_sink(text);
    return size >= 0 && sink.write(sink.user, piece, (size_t)size);
}

/* {"ossa":1,"format":"ei-anm","size":...,"data":{...}} */
static bool describe(ossa_buffer *text, unsigned frames)
{
    const double full_circle = 6.283185307179586;
    bool ok = print(text, "{\"ossa\":1,\"format\":\"ei-anm\",\"size\":%u,\"data\":{\"rotations\":[",
                    16 + 28 * frames);
    for (unsigned i = 0; ok && i < frames; i++) {
        double half = full_circle * i / frames / 2; /* w x y z, and Z is up */
        ok = print(text, "%s[%.9g,0,0,%.9g]", i > 0 ? "," : "", cos(half), sin(half));
    }
    ok = ok && print(text, "],\"translations\":[");
    for (unsigned i = 0; ok && i < frames; i++) ok = print(text, "%s[0,0,0]", i > 0 ? "," : "");
    return ok && print(text, "],\"morph_vertices\":0,\"morphs\":[],\"short_tail\":false}}");
}

static ossa_file *build(unsigned frames, ossa_error *error)
{
    ossa_buffer text = {0};
    ossa_file *file = NULL;
    if (describe(&text, frames)) {
        file = ossa_build((const char *)text.data, text.size, NULL, error);
    } else {
        *error = (ossa_error){.code = OSSA_CODE_OUT_OF_MEMORY, .message = "no memory for the JSON"};
    }
    ossa_buffer_free(&text); /* the file has its own copy of all */
    return file;
}

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 3) {
        fputs("usage: make_anm OUT [FRAMES]\n", stderr);
        return 2;
    }
    unsigned long frames = argc == 3 ? strtoul(argv[2], NULL, 10) : 24;
    if (frames < 1 || frames > 100000) {
        fputs("FRAMES must be from 1 to 100000\n", stderr);
        return 2;
    }
    ossa_error error;
    ossa_file *file = build((unsigned)frames, &error);
    if (file == NULL) {
        print_error(argv[1], &error);
        return 1;
    }
    FILE *out = fopen(argv[1], "wb");
    bool good = false;
    if (out == NULL) {
        perror(argv[1]);
    } else {
        good = ossa_write(file, stream_sink(out), &error);
        if (!good) print_error(argv[1], &error);
        if (fclose(out) != 0) {
            perror(argv[1]);
            good = false;
        }
    }
    if (good) printf("%s: %lu frames, %zu bytes\n", argv[1], frames, (size_t)file->size);
    ossa_file_free(file);
    return good ? 0 : 1;
}
