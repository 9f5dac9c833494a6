/* SPDX-License-Identifier: MIT
 *
 * Members of a JSON object: a key and its value at once. */
#ifndef OSSA_BASE_MEMBERS_H
#define OSSA_BASE_MEMBERS_H

#include "ossa/json.h"

void ossa__member_text(ossa_json *json, const char *key, const char *text);
void ossa__member_uint(ossa_json *json, const char *key, uint64_t value);
void ossa__member_int(ossa_json *json, const char *key, int64_t value);
void ossa__member_bool(ossa_json *json, const char *key, bool value);
void ossa__member_float(ossa_json *json, const char *key, float value);
void ossa__member_hex(ossa_json *json, const char *key, const uint8_t *bytes, size_t size);

/* Arrays on one line. */
void ossa__member_floats(ossa_json *json, const char *key, const float *values, size_t count);
void ossa__member_u32s(ossa_json *json, const char *key, const uint32_t *values, size_t count);
void ossa__member_i16s(ossa_json *json, const char *key, const int16_t *values, size_t count);

/* An array of such arrays: a row for each of `rows` runs of `width` floats. */
void ossa__member_rows(ossa_json *json, const char *key, const float *values, uint64_t rows,
                       unsigned width);

/* "tail": what follows the end of the format. Most files have none, and then there is no member. */
void ossa__member_tail(ossa_json *json, const uint8_t *bytes, size_t size);

#endif
