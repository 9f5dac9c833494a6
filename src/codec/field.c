/* SPDX-License-Identifier: MIT
 *
 * A traced field's type and value in words. */
#include "base/bytes.h"
#include "codec/reader.h"
#include "base/number_text.h"
#include "base/text.h"
#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *ossa_field_type_name(ossa_field_type type)
{
    switch (type) {
    case OSSA_FIELD_TYPE_U8: return "u8";
    case OSSA_FIELD_TYPE_U16: return "u16";
    case OSSA_FIELD_TYPE_I16: return "i16";
    case OSSA_FIELD_TYPE_U32: return "u32";
    case OSSA_FIELD_TYPE_I32: return "i32";
    case OSSA_FIELD_TYPE_F32: return "f32";
    case OSSA_FIELD_TYPE_TEXT:
    case OSSA_FIELD_TYPE_TEXT_1251: return "char";
    case OSSA_FIELD_TYPE_UNKNOWN: return "unknown";
    case OSSA_FIELD_TYPE_PADDING: return "padding";
    case OSSA_FIELD_TYPE_UNREAD: return "unread";
    }
    return "?";
}

static int64_t integer_of(const ossa_field *field)
{
    const uint8_t *bytes = field->bytes;
    switch (field->type) {
    case OSSA_FIELD_TYPE_U8: return bytes[0];
    case OSSA_FIELD_TYPE_U16: return ossa__load_u16(bytes);
    case OSSA_FIELD_TYPE_I16: return (int16_t)ossa__load_u16(bytes);
    case OSSA_FIELD_TYPE_I32: return (int32_t)ossa__load_u32(bytes);
    default: return ossa__load_u32(bytes);
    }
}

static uint32_t character_of(const ossa_field *field, uint64_t index)
{
    uint8_t byte = field->bytes[index];
    return field->type == OSSA_FIELD_TYPE_TEXT_1251 ? ossa__cp1251_to_unicode(byte) : byte;
}

/* Text is shown whole by JSON; here what is not a plain character becomes an escape. */
static size_t text_value(const ossa_field *field, char *text, size_t capacity)
{
    size_t used = 0;
    uint64_t last = field->size;
    for (uint64_t i = 0; i <= last + 1; i++) {
        char piece[8];
        size_t size = 1;
        if (i == 0 || i == last + 1) {
            piece[0] = '"';
        } else {
            uint32_t character = character_of(field, i - 1);
            bool is_control = character < 0x20 || (character >= 0x7f && character < 0xa0);
            if (character == 0) {
                memcpy(piece, "\\0", 2);
                size = 2;
            } else if (is_control) {
                size = (size_t)snprintf(piece, sizeof piece, "\\x%02x", field->bytes[i - 1]);
            } else if (character == '"' || character == '\\') {
                piece[0] = '\\';
                piece[1] = (char)character;
                size = 2;
            } else {
                size = ossa__utf8_encode(character, piece);
            }
        }
        if (used + size < capacity) memcpy(text + used, piece, size);
        else if (used < capacity) text[used] = '\0'; /* cut before this character */
        used += size;
    }
    if (used < capacity) text[used] = '\0';
    return used;
}

static size_t hex_value(const ossa_field *field, char *text, size_t capacity)
{
    size_t used = 0;
    if (capacity > 0) text[0] = '\0'; /* there may be no room for even one byte */
    for (uint64_t i = 0; i < field->size; i++) {
        if (used + 3 <= capacity) {
            (void)snprintf(text + used, capacity - used, "%02x", field->bytes[i]);
        }
        used += 2;
    }
    return used;
}

static size_t float_value(const ossa_field *field, char *text, size_t capacity)
{
    uint32_t bits = ossa__load_u32(field->bytes);
    float value = ossa__f32_from_bits(bits);
    char plain[OSSA__FLOAT_CAPACITY];
    if (isfinite(value)) *ossa__float_text(value, plain) = '\0';
    else (void)snprintf(plain, sizeof plain, "%s 0x%08" PRIx32, isnan(value) ? "nan" : "inf", bits);
    int n = snprintf(text, capacity, "%s", plain);
    return n < 0 ? 0 : (size_t)n;
}

size_t ossa_field_value(const ossa_field *field, char *text, size_t capacity)
{
    switch (field->type) {
    case OSSA_FIELD_TYPE_F32: return float_value(field, text, capacity);
    case OSSA_FIELD_TYPE_TEXT:
    case OSSA_FIELD_TYPE_TEXT_1251: return text_value(field, text, capacity);
    case OSSA_FIELD_TYPE_UNKNOWN:
    case OSSA_FIELD_TYPE_PADDING:
    case OSSA_FIELD_TYPE_UNREAD: return hex_value(field, text, capacity);
    default: break;
    }
    int n = snprintf(text, capacity, "%" PRId64, integer_of(field));
    return n < 0 ? 0 : (size_t)n;
}

static void write_value(const ossa_field *field, struct ossa__json *json)
{
    switch (field->type) {
    case OSSA_FIELD_TYPE_F32:
        ossa__json_float(json, ossa__f32_from_bits(ossa__load_u32(field->bytes)));
        return;
    case OSSA_FIELD_TYPE_TEXT:
    case OSSA_FIELD_TYPE_TEXT_1251:
        ossa__json_begin_text(json);
        for (uint64_t i = 0; i < field->size; i++) {
            ossa__json_character(json, character_of(field, i));
        }
        ossa__json_end_text(json);
        return;
    case OSSA_FIELD_TYPE_UNKNOWN:
    case OSSA_FIELD_TYPE_PADDING:
    case OSSA_FIELD_TYPE_UNREAD: ossa__json_hex(json, field->bytes, (size_t)field->size); return;
    default: ossa__json_int(json, integer_of(field)); return;
    }
}

bool ossa_field_json(const ossa_field *field, ossa_sink sink)
{
    struct ossa__json json;
    ossa__json_start(&json, sink, OSSA_JSON_STYLE_LINE);
    write_value(field, &json);
    return ossa__json_finish(&json);
}
