/* SPDX-License-Identifier: MIT */
#include "ossa/json.h"

#include "codec/reader.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void ossa_json_start(ossa_json *json, ossa_sink sink, ossa_json_style style)
{
    json->sink = sink;
    json->style = style;
    json->failed = false;
    json->needs_comma = false;
    json->after_key = false;
    json->depth = 0;
    json->row_depth = 0;
    json->used = 0;
}

static void flush(ossa_json *json)
{
    if (json->used > 0 && !json->failed) {
        if (!json->sink.write(json->sink.user, json->buffer, json->used)) json->failed = true;
    }
    json->used = 0;
}

bool ossa_json_finish(ossa_json *json)
{
    flush(json);
    return !json->failed;
}

static void put(ossa_json *json, const char *text, size_t size)
{
    while (size > 0 && !json->failed) {
        size_t room = sizeof json->buffer - json->used;
        size_t part = size < room ? size : room;
        memcpy(json->buffer + json->used, text, part);
        json->used += part;
        text += part;
        size -= part;
        if (json->used == sizeof json->buffer) flush(json);
    }
}

static void put_string(ossa_json *json, const char *text)
{
    put(json, text, strlen(text));
}

static void put_line(ossa_json *json)
{
    if (json->style != OSSA_JSON_STYLE_PRETTY || json->depth == 0 || json->row_depth != 0) return;
    put(json, "\n", 1);
    for (unsigned i = 0; i < json->depth; i++) put(json, "  ", 2);
}

/* What stands between the value before and this one. */
static void before_value(ossa_json *json)
{
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    bool is_row = json->style == OSSA_JSON_STYLE_PRETTY && json->row_depth != 0;
    if (json->needs_comma) put_string(json, is_row ? ", " : ",");
    put_line(json);
}

static void open_bracket(ossa_json *json, const char *bracket)
{
    before_value(json);
    put_string(json, bracket);
    json->depth++;
    json->needs_comma = false;
}

static void close_bracket(ossa_json *json, const char *bracket)
{
    bool had_items = json->needs_comma;
    if (json->depth > 0) json->depth--;
    bool was_row = json->row_depth != 0;
    if (json->row_depth > json->depth) json->row_depth = 0;
    if (had_items && !was_row && json->style == OSSA_JSON_STYLE_PRETTY) {
        put(json, "\n", 1);
        for (unsigned i = 0; i < json->depth; i++) put(json, "  ", 2);
    }
    put_string(json, bracket);
    json->needs_comma = true;
}

void ossa_json_begin_object(ossa_json *json)
{
    open_bracket(json, "{");
}

void ossa_json_end_object(ossa_json *json)
{
    close_bracket(json, "}");
}

void ossa_json_begin_array(ossa_json *json)
{
    open_bracket(json, "[");
}

void ossa_json_begin_row(ossa_json *json)
{
    open_bracket(json, "[");
    if (json->row_depth == 0) json->row_depth = json->depth;
}

void ossa_json_end_array(ossa_json *json)
{
    close_bracket(json, "]");
}

static void put_character(ossa_json *json, uint32_t character)
{
    char escape[12];
    bool is_surrogate = character >= 0xd800 && character <= 0xdfff;
    if (character > 0x10ffff || is_surrogate) character = 0xfffd; /* UTF-8 has no such thing */
    if (character == '"' || character == '\\') {
        escape[0] = '\\';
        escape[1] = (char)character;
        put(json, escape, 2);
    } else if (character == '\n') {
        put(json, "\\n", 2);
    } else if (character == '\t') {
        put(json, "\\t", 2);
    } else if (character < 0x20 || (character >= 0x7f && character < 0xa0)) {
        (void)snprintf(escape, sizeof escape, "\\u%04x", (unsigned)character);
        put(json, escape, 6);
    } else {
        char bytes[4];
        put(json, bytes, ossa__utf8_encode(character, bytes));
    }
}

/* Text between quotes. Malformed UTF-8 becomes U+FFFD: the output is always valid JSON. */
static void put_quoted(ossa_json *json, const char *text, size_t size)
{
    put(json, "\"", 1);
    while (size > 0) {
        uint32_t character;
        size_t used = ossa__utf8_decode(text, size, &character);
        put_character(json, character);
        text += used;
        size -= used;
    }
    put(json, "\"", 1);
}

void ossa_json_key(ossa_json *json, const char *key)
{
    before_value(json);
    put_quoted(json, key, strlen(key));
    put_string(json, json->style == OSSA_JSON_STYLE_PRETTY ? ": " : ":");
    json->after_key = true;
}

static void put_scalar(ossa_json *json, const char *text)
{
    before_value(json);
    put_string(json, text);
    json->needs_comma = true;
}

void ossa_json_text(ossa_json *json, const char *utf8, size_t size)
{
    before_value(json);
    put_quoted(json, utf8, size);
    json->needs_comma = true;
}

void ossa_json_string(ossa_json *json, const char *text)
{
    ossa_json_text(json, text, strlen(text));
}

void ossa_json_begin_text(ossa_json *json)
{
    before_value(json);
    put(json, "\"", 1);
}

void ossa_json_character(ossa_json *json, uint32_t character)
{
    put_character(json, character);
}

void ossa_json_end_text(ossa_json *json)
{
    put(json, "\"", 1);
    json->needs_comma = true;
}

void ossa_json_hex(ossa_json *json, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    before_value(json);
    put(json, "\"", 1);
    for (size_t i = 0; i < size; i++) {
        char pair[2] = {digits[bytes[i] >> 4], digits[bytes[i] & 15]};
        put(json, pair, 2);
    }
    put(json, "\"", 1);
    json->needs_comma = true;
}

void ossa_json_bool(ossa_json *json, bool value)
{
    put_scalar(json, value ? "true" : "false");
}

void ossa_json_null(ossa_json *json)
{
    put_scalar(json, "null");
}

void ossa_json_uint(ossa_json *json, uint64_t value)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%" PRIu64, value);
    put_scalar(json, text);
}

void ossa_json_int(ossa_json *json, int64_t value)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%" PRId64, value);
    put_scalar(json, text);
}

void ossa_json_float(ossa_json *json, float value)
{
    char text[OSSA__FLOAT_CAPACITY];
    if (isfinite(value)) {
        ossa__float_text(value, text);
    } else {
        (void)snprintf(text, sizeof text, "\"0x%08" PRIx32 "\"", ossa__bits_from_f32(value));
    }
    put_scalar(json, text);
}

void ossa_json_floats(ossa_json *json, const float *values, size_t count)
{
    ossa_json_begin_row(json);
    for (size_t i = 0; i < count; i++) ossa_json_float(json, values[i]);
    ossa_json_end_array(json);
}

void ossa_json_raw(ossa_json *json, const char *text)
{
    put_string(json, text);
    json->needs_comma = false;
}
