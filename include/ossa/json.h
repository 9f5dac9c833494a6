/* SPDX-License-Identifier: MIT
 *
 * A small streaming JSON writer: what Ossa prints as JSON, it prints with this. Commas, indentation
 * and escapes are its business; the order of calls is yours. Nothing is allocated. */
#ifndef OSSA_JSON_H
#define OSSA_JSON_H

#include "ossa/file.h"

OSSA_BEGIN

typedef struct ossa_json {
    ossa_sink sink;
    ossa_json_style style;
    bool failed;      /* the sink refused; sticks */
    bool needs_comma; /* a value stands before this place */
    bool after_key;
    unsigned depth;
    unsigned row_depth; /* depth at which everything went on one line; 0: nowhere */
    size_t used;
    char buffer[4096];
} ossa_json;

OSSA_API void ossa_json_start(ossa_json *json, ossa_sink sink, ossa_json_style style);
OSSA_API bool ossa_json_finish(ossa_json *json); /* flush; false if anything failed */

OSSA_API void ossa_json_begin_object(ossa_json *json);
OSSA_API void ossa_json_end_object(ossa_json *json);
OSSA_API void ossa_json_begin_array(ossa_json *json);
OSSA_API void ossa_json_begin_row(ossa_json *json); /* an array on one line, whatever the style */
OSSA_API void ossa_json_end_array(ossa_json *json); /* ends a row too */
OSSA_API void ossa_json_key(ossa_json *json, const char *key);

OSSA_API void ossa_json_string(ossa_json *json, const char *text);
OSSA_API void ossa_json_text(ossa_json *json, const char *utf8, size_t size);
/* A string one character at a time. */
OSSA_API void ossa_json_begin_text(ossa_json *json);
OSSA_API void ossa_json_character(ossa_json *json, uint32_t character);
OSSA_API void ossa_json_end_text(ossa_json *json);
OSSA_API void ossa_json_hex(ossa_json *json, const uint8_t *bytes, size_t size);
OSSA_API void ossa_json_bool(ossa_json *json, bool value);
OSSA_API void ossa_json_null(ossa_json *json);
OSSA_API void ossa_json_uint(ossa_json *json, uint64_t value);
OSSA_API void ossa_json_int(ossa_json *json, int64_t value);

/* Reads back to the same float32; a non-finite one is the string of its bits, "0x7fc00000". */
OSSA_API void ossa_json_float(ossa_json *json, float value);

/* A row of them: [1,0.5,-0.0]. */
OSSA_API void ossa_json_floats(ossa_json *json, const float *values, size_t count);

/* The value of a traced field: a number, a string, or bytes as a string of hexadecimal digits. */
OSSA_API void ossa_field_json(const ossa_field *field, ossa_json *json);

/* Straight into the stream, for what lies between documents: a newline. */
OSSA_API void ossa_json_raw(ossa_json *json, const char *text);

OSSA_END

#endif
