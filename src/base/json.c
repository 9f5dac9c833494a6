/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include "base/bytes.h"
#include "base/number_text.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void ossa__json_start(struct ossa__json *json, ossa_sink sink, ossa_json_style style)
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

static void flush(struct ossa__json *json)
{
    if (json->used > 0 && !json->failed) {
        if (!json->sink.write(json->sink.user, json->buffer, json->used)) json->failed = true;
    }
    json->used = 0;
}

bool ossa__json_finish(struct ossa__json *json)
{
    flush(json);
    return !json->failed;
}

/* Where the next bytes go: at least `size` of them, which is little. `take` says where they end. */
static char *room(struct ossa__json *json, size_t size)
{
    if (sizeof json->buffer - json->used < size) flush(json);
    return json->buffer + json->used;
}

static void take(struct ossa__json *json, const char *end)
{
    json->used = (size_t)(end - json->buffer);
}

static void put(struct ossa__json *json, const char *text, size_t size)
{
    while (size > 0 && !json->failed) {
        size_t free = sizeof json->buffer - json->used;
        size_t part = size < free ? size : free;
        memcpy(json->buffer + json->used, text, part);
        json->used += part;
        text += part;
        size -= part;
        if (json->used == sizeof json->buffer) flush(json);
    }
}

static void put_one(struct ossa__json *json, char c)
{
    *room(json, 1) = c;
    json->used++;
}

static void put_line(struct ossa__json *json)
{
    put_one(json, '\n');
    for (unsigned i = 0; i < json->depth; i++) put(json, "  ", 2);
}

/* What stands between the value before and this one. */
static void before_value(struct ossa__json *json)
{
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    if (json->needs_comma) put_one(json, ',');
    if (json->style != OSSA_JSON_STYLE_PRETTY) return;
    if (json->row_depth == 0 && json->depth > 0) put_line(json);
    else if (json->row_depth != 0 && json->needs_comma) put_one(json, ' ');
}

static void open_bracket(struct ossa__json *json, char bracket)
{
    before_value(json);
    put_one(json, bracket);
    json->depth++;
    json->needs_comma = false;
}

static void close_bracket(struct ossa__json *json, char bracket)
{
    bool had_items = json->needs_comma;
    if (json->depth > 0) json->depth--;
    bool was_row = json->row_depth != 0;
    if (json->row_depth > json->depth) json->row_depth = 0;
    if (had_items && !was_row && json->style == OSSA_JSON_STYLE_PRETTY) put_line(json);
    put_one(json, bracket);
    json->needs_comma = true;
}

void ossa__json_begin_object(struct ossa__json *json)
{
    open_bracket(json, '{');
}

void ossa__json_end_object(struct ossa__json *json)
{
    close_bracket(json, '}');
}

void ossa__json_begin_array(struct ossa__json *json)
{
    open_bracket(json, '[');
}

void ossa__json_begin_row(struct ossa__json *json)
{
    open_bracket(json, '[');
    if (json->row_depth == 0) json->row_depth = json->depth;
}

void ossa__json_end_array(struct ossa__json *json)
{
    close_bracket(json, ']');
}

static void put_character(struct ossa__json *json, uint32_t character)
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

static unsigned character_size(uint32_t character)
{
    char bytes[4];
    if (character == '"' || character == '\\' || character == '\n' || character == '\t') return 2;
    if (character < 0x20 || (character >= 0x7f && character < 0xa0)) return 6;
    return (unsigned)ossa__utf8_encode(character, bytes);
}

/* How much of a text can stand in a string as it is. */
static size_t plain_length(const char *text, size_t size)
{
    size_t length = 0;
    while (length < size && text[length] >= 0x20 && text[length] < 0x7f && text[length] != '"' &&
           text[length] != '\\') {
        length++;
    }
    return length;
}

/* Text between quotes. Malformed UTF-8 becomes U+FFFD: the output is always valid JSON. */
static void put_quoted(struct ossa__json *json, const char *text, size_t size)
{
    put_one(json, '"');
    while (size > 0) {
        size_t used = plain_length(text, size);
        if (used > 0) {
            put(json, text, used);
        } else {
            uint32_t character;
            used = ossa__utf8_decode(text, size, &character);
            put_character(json, character);
        }
        text += used;
        size -= used;
    }
    put_one(json, '"');
}

void ossa__json_key(struct ossa__json *json, const char *key)
{
    before_value(json);
    put_quoted(json, key, strlen(key));
    put_one(json, ':');
    if (json->style == OSSA_JSON_STYLE_PRETTY) put_one(json, ' ');
    json->after_key = true;
}

static void put_scalar(struct ossa__json *json, const char *text)
{
    before_value(json);
    put(json, text, strlen(text));
    json->needs_comma = true;
}

void ossa__json_text(struct ossa__json *json, const char *utf8, size_t size)
{
    before_value(json);
    put_quoted(json, utf8, size);
    json->needs_comma = true;
}

void ossa__json_string(struct ossa__json *json, const char *text)
{
    ossa__json_text(json, text, strlen(text));
}

uint64_t ossa__json_text_size(const char *text)
{
    uint64_t total = 0;
    for (size_t size = strlen(text); size > 0;) {
        size_t used = plain_length(text, size);
        total += used;
        if (used == 0) {
            uint32_t character;
            used = ossa__utf8_decode(text, size, &character);
            total += character_size(character);
        }
        text += used;
        size -= used;
    }
    return total;
}

void ossa__json_begin_text(struct ossa__json *json)
{
    before_value(json);
    put_one(json, '"');
}

void ossa__json_character(struct ossa__json *json, uint32_t character)
{
    put_character(json, character);
}

void ossa__json_end_text(struct ossa__json *json)
{
    put_one(json, '"');
    json->needs_comma = true;
}

void ossa__json_text_1251(struct ossa__json *json, const char *bytes, size_t size)
{
    ossa__json_begin_text(json);
    for (size_t i = 0; i < size; i++) {
        ossa__json_character(json, ossa__cp1251_to_unicode((uint8_t)bytes[i]));
    }
    ossa__json_end_text(json);
}

void ossa__json_hex(struct ossa__json *json, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    before_value(json);
    put_one(json, '"');
    for (size_t i = 0; i < size && !json->failed; i++) {
        char *at = room(json, 2);
        at[0] = digits[bytes[i] >> 4];
        at[1] = digits[bytes[i] & 15];
        take(json, at + 2);
    }
    put_one(json, '"');
    json->needs_comma = true;
}

void ossa__json_bool(struct ossa__json *json, bool value)
{
    put_scalar(json, value ? "true" : "false");
}

void ossa__json_null(struct ossa__json *json)
{
    put_scalar(json, "null");
}

void ossa__json_uint(struct ossa__json *json, uint64_t value)
{
    before_value(json);
    take(json, ossa__uint_text(value, room(json, OSSA__INTEGER_CAPACITY)));
    json->needs_comma = true;
}

void ossa__json_int(struct ossa__json *json, int64_t value)
{
    before_value(json);
    take(json, ossa__int_text(value, room(json, OSSA__INTEGER_CAPACITY)));
    json->needs_comma = true;
}

static void put_float(struct ossa__json *json, float value)
{
    char *at = room(json, OSSA__FLOAT_CAPACITY);
    if (isfinite(value)) {
        take(json, ossa__float_text(value, at));
    } else {
        (void)snprintf(at, OSSA__FLOAT_CAPACITY, "\"0x%08" PRIx32 "\"", ossa__bits_from_f32(value));
        take(json, at + 12);
    }
}

void ossa__json_float(struct ossa__json *json, float value)
{
    before_value(json);
    put_float(json, value);
    json->needs_comma = true;
}

void ossa__json_floats(struct ossa__json *json, const float *values, size_t count)
{
    bool is_pretty = json->style == OSSA_JSON_STYLE_PRETTY;
    ossa__json_begin_row(json);
    for (size_t i = 0; i < count && !json->failed; i++) {
        if (i > 0) put_one(json, ',');
        if (i > 0 && is_pretty) put_one(json, ' ');
        put_float(json, values[i]);
    }
    ossa__json_end_array(json);
}

void ossa__json_raw(struct ossa__json *json, const char *text)
{
    put(json, text, strlen(text));
    json->needs_comma = false;
}

static bool write_spliced(void *user, const void *bytes, size_t size)
{
    struct ossa__json *json = user;
    put(json, bytes, size);
    return !json->failed;
}

ossa_sink ossa__json_splice(struct ossa__json *json)
{
    before_value(json);
    json->needs_comma = true;
    return (ossa_sink){write_spliced, json};
}

/* ---- members ------------------------------------------------------------------------------- */

void ossa__member_text(struct ossa__json *json, const char *key, const char *text)
{
    ossa__json_key(json, key);
    ossa__json_string(json, text);
}

void ossa__member_uint(struct ossa__json *json, const char *key, uint64_t value)
{
    ossa__json_key(json, key);
    ossa__json_uint(json, value);
}

void ossa__member_int(struct ossa__json *json, const char *key, int64_t value)
{
    ossa__json_key(json, key);
    ossa__json_int(json, value);
}

void ossa__member_bool(struct ossa__json *json, const char *key, bool value)
{
    ossa__json_key(json, key);
    ossa__json_bool(json, value);
}

void ossa__member_float(struct ossa__json *json, const char *key, float value)
{
    ossa__json_key(json, key);
    ossa__json_float(json, value);
}

void ossa__member_hex(struct ossa__json *json, const char *key, const uint8_t *bytes, size_t size)
{
    ossa__json_key(json, key);
    ossa__json_hex(json, bytes, size);
}

void ossa__member_floats(struct ossa__json *json, const char *key, const float *values,
                         size_t count)
{
    ossa__json_key(json, key);
    ossa__json_floats(json, values, count);
}

void ossa__member_u32s(struct ossa__json *json, const char *key, const uint32_t *values,
                       size_t count)
{
    ossa__json_key(json, key);
    ossa__json_begin_row(json);
    for (size_t i = 0; i < count; i++) ossa__json_uint(json, values[i]);
    ossa__json_end_array(json);
}

void ossa__member_i16s(struct ossa__json *json, const char *key, const int16_t *values,
                       size_t count)
{
    ossa__json_key(json, key);
    ossa__json_begin_row(json);
    for (size_t i = 0; i < count; i++) ossa__json_int(json, values[i]);
    ossa__json_end_array(json);
}

void ossa__member_rows(struct ossa__json *json, const char *key, const float *values, uint64_t rows,
                       unsigned width)
{
    ossa__json_key(json, key);
    ossa__json_begin_array(json);
    for (uint64_t i = 0; i < rows; i++) ossa__json_floats(json, values + i * width, width);
    ossa__json_end_array(json);
}

void ossa__member_tail(struct ossa__json *json, const uint8_t *bytes, size_t size)
{
    if (size > 0) ossa__member_hex(json, "tail", bytes, size);
}
