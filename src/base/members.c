/* SPDX-License-Identifier: MIT */
#include "base/members.h"

void ossa__member_text(ossa_json *json, const char *key, const char *text)
{
    ossa_json_key(json, key);
    ossa_json_string(json, text);
}

void ossa__member_uint(ossa_json *json, const char *key, uint64_t value)
{
    ossa_json_key(json, key);
    ossa_json_uint(json, value);
}

void ossa__member_int(ossa_json *json, const char *key, int64_t value)
{
    ossa_json_key(json, key);
    ossa_json_int(json, value);
}

void ossa__member_bool(ossa_json *json, const char *key, bool value)
{
    ossa_json_key(json, key);
    ossa_json_bool(json, value);
}

void ossa__member_float(ossa_json *json, const char *key, float value)
{
    ossa_json_key(json, key);
    ossa_json_float(json, value);
}

void ossa__member_hex(ossa_json *json, const char *key, const uint8_t *bytes, size_t size)
{
    ossa_json_key(json, key);
    ossa_json_hex(json, bytes, size);
}

void ossa__member_floats(ossa_json *json, const char *key, const float *values, size_t count)
{
    ossa_json_key(json, key);
    ossa_json_floats(json, values, count);
}

void ossa__member_u32s(ossa_json *json, const char *key, const uint32_t *values, size_t count)
{
    ossa_json_key(json, key);
    ossa_json_begin_row(json);
    for (size_t i = 0; i < count; i++) ossa_json_uint(json, values[i]);
    ossa_json_end_array(json);
}

void ossa__member_i16s(ossa_json *json, const char *key, const int16_t *values, size_t count)
{
    ossa_json_key(json, key);
    ossa_json_begin_row(json);
    for (size_t i = 0; i < count; i++) ossa_json_int(json, values[i]);
    ossa_json_end_array(json);
}

void ossa__member_rows(ossa_json *json, const char *key, const float *values, uint64_t rows,
                       unsigned width)
{
    ossa_json_key(json, key);
    ossa_json_begin_array(json);
    for (uint64_t i = 0; i < rows; i++) ossa_json_floats(json, values + i * width, width);
    ossa_json_end_array(json);
}

void ossa__member_tail(ossa_json *json, const uint8_t *bytes, size_t size)
{
    if (size > 0) ossa__member_hex(json, "tail", bytes, size);
}
