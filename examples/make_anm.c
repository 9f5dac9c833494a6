/* SPDX-License-Identifier: MIT
 *
 * Make an animation from nothing: an Evil Islands part that turns once about the vertical axis.
 *
 * A file is described as the JSON of ossa_dump and built from that, so that there is one set of
 * rules for what is a good file, and the result has been through the reader.
 *
 *     make_anm OUT [FRAMES] */
#include "file_io.h"

#include <math.h>

/* {"ossa":1,"format":"ei-anm","size":...,"data":{...}} */
static void describe_turn(ossa_json *json, unsigned frames)
{
    const double turn = 6.283185307179586;
    ossa_json_begin_object(json);
    ossa_json_key(json, "ossa");
    ossa_json_uint(json, 1);
    ossa_json_key(json, "format");
    ossa_json_string(json, "ei-anm");
    ossa_json_key(json, "size");
    ossa_json_uint(json, 16 + 28 * (uint64_t)frames);
    ossa_json_key(json, "data");
    ossa_json_begin_object(json);
    ossa_json_key(json, "rotations");
    ossa_json_begin_array(json);
    for (unsigned i = 0; i < frames; i++) {
        double half = turn * i / frames / 2;
        ossa_json_begin_row(json); /* w x y z, and Z is up */
        ossa_json_float(json, (float)cos(half));
        ossa_json_float(json, 0);
        ossa_json_float(json, 0);
        ossa_json_float(json, (float)sin(half));
        ossa_json_end_array(json);
    }
    ossa_json_end_array(json);
    ossa_json_key(json, "translations");
    ossa_json_begin_array(json);
    for (unsigned i = 0; i < frames; i++) {
        ossa_json_begin_row(json);
        for (unsigned k = 0; k < 3; k++) ossa_json_float(json, 0);
        ossa_json_end_array(json);
    }
    ossa_json_end_array(json);
    ossa_json_key(json, "morph_vertices");
    ossa_json_uint(json, 0);
    ossa_json_key(json, "morphs");
    ossa_json_begin_array(json);
    ossa_json_end_array(json);
    ossa_json_key(json, "short_tail");
    ossa_json_bool(json, false);
    ossa_json_end_object(json);
    ossa_json_end_object(json);
}

static ossa_file *build_turn(unsigned frames, ossa_error *error)
{
    ossa_buffer text = {0};
    ossa_json json;
    ossa_json_start(&json, ossa_buffer_sink(&text), OSSA_JSON_STYLE_LINE);
    describe_turn(&json, frames);
    ossa_file *file = NULL;
    if (ossa_json_finish(&json)) {
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
    ossa_file *file = build_turn((unsigned)frames, &error);
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
