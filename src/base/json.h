/* SPDX-License-Identifier: MIT
 *
 * A small streaming JSON writer: what Ossa prints as JSON, it prints with this. Commas, indentation
 * and escapes are its business; the order of calls is yours. Nothing is allocated. */
#ifndef OSSA_BASE_JSON_H
#define OSSA_BASE_JSON_H

#include "ossa/file.h"

struct ossa__json {
    ossa_sink sink;
    ossa_json_style style;
    bool failed;      /* the sink refused; sticks */
    bool needs_comma; /* a value stands before this place */
    bool after_key;
    unsigned depth;
    unsigned row_depth; /* depth at which everything went on one line; 0: nowhere */
    size_t used;
    char buffer[16384]; /* what the sink gets at once */
};

void ossa__json_start(struct ossa__json *json, ossa_sink sink, ossa_json_style style);
bool ossa__json_finish(struct ossa__json *json); /* flush; false if anything failed */

void ossa__json_begin_object(struct ossa__json *json);
void ossa__json_end_object(struct ossa__json *json);
void ossa__json_begin_array(struct ossa__json *json);
void ossa__json_begin_row(struct ossa__json *json); /* an array on one line, whatever the style */
void ossa__json_end_array(struct ossa__json *json); /* ends a row too */
void ossa__json_key(struct ossa__json *json, const char *key);

void ossa__json_string(struct ossa__json *json, const char *text);
void ossa__json_text(struct ossa__json *json, const char *utf8, size_t size);
/* The bytes that a text takes between its quotes. */
uint64_t ossa__json_text_size(const char *text);
/* A string one character at a time. */
void ossa__json_begin_text(struct ossa__json *json);
void ossa__json_character(struct ossa__json *json, uint32_t character);
void ossa__json_end_text(struct ossa__json *json);
/* A string of code page 1251. */
void ossa__json_text_1251(struct ossa__json *json, const char *bytes, size_t size);
void ossa__json_hex(struct ossa__json *json, const uint8_t *bytes, size_t size);
void ossa__json_bool(struct ossa__json *json, bool value);
void ossa__json_null(struct ossa__json *json);
void ossa__json_uint(struct ossa__json *json, uint64_t value);
void ossa__json_int(struct ossa__json *json, int64_t value);

/* Reads back to the same float32; a non-finite one is the string of its bits, "0x7fc00000". */
void ossa__json_float(struct ossa__json *json, float value);

/* A row of them: [1,0.5,-0.0]. */
void ossa__json_floats(struct ossa__json *json, const float *values, size_t count);

/* Straight into the stream, for what lies between documents: a newline. */
void ossa__json_raw(struct ossa__json *json, const char *text);

/* The next value is written by somebody else, through this sink: all of one document. */
ossa_sink ossa__json_splice(struct ossa__json *json);

/* ---- members of an object: a key and its value at once ------------------------------------- */

void ossa__member_text(struct ossa__json *json, const char *key, const char *text);
void ossa__member_uint(struct ossa__json *json, const char *key, uint64_t value);
void ossa__member_int(struct ossa__json *json, const char *key, int64_t value);
void ossa__member_bool(struct ossa__json *json, const char *key, bool value);
void ossa__member_float(struct ossa__json *json, const char *key, float value);
void ossa__member_hex(struct ossa__json *json, const char *key, const uint8_t *bytes, size_t size);

/* Arrays on one line. */
void ossa__member_floats(struct ossa__json *json, const char *key, const float *values,
                         size_t count);
void ossa__member_u32s(struct ossa__json *json, const char *key, const uint32_t *values,
                       size_t count);
void ossa__member_i16s(struct ossa__json *json, const char *key, const int16_t *values,
                       size_t count);

/* An array of such arrays: a row for each of `rows` runs of `width` floats. */
void ossa__member_rows(struct ossa__json *json, const char *key, const float *values, uint64_t rows,
                       unsigned width);

/* "tail": what follows the end of the format. Most files have none, and then there is no member. */
void ossa__member_tail(struct ossa__json *json, const uint8_t *bytes, size_t size);

#endif
