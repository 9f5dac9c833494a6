/* SPDX-License-Identifier: MIT
 *
 * Parsed JSON with its place in the document, so that every refusal names it:
 * `data.bones[3].keys[17]: 70000 is not an integer from -32768 to 32767`.
 *
 * A value is a small struct that refers to the one it came from, which must stay in scope. As
 * with the reader the first failure sticks, and later questions give zeros. */
#ifndef OSSA_CODEC_VALUE_H
#define OSSA_CODEC_VALUE_H

#include "base/bytes.h"
#include "codec/document.h"

struct ossa__value {
    struct ossa__context *context;
    struct ossa__document *document;
    const struct ossa__value *parent;
    const char *key;    /* in its parent, an object; NULL in an array */
    size_t index;       /* in its parent, an array */
    const char *node;   /* its text; NULL for a value that is not there */
    uint32_t container; /* of the document's nodes, for an array or object */
    uint32_t depth;
};

struct ossa__value ossa__document_root(struct ossa__context *context,
                                       struct ossa__document *document);

/* Refuse a value, naming its place. */
bool ossa__value_fail(const struct ossa__value *value, const char *message, ...) OSSA_PRINTF(2, 3);

/* A member that must be there / that may be missing or null (then `node` is NULL). A longer key may
 * not be found where the document has escapes in it. */
enum { OSSA__LONGEST_KEY = 42 };
struct ossa__value ossa__value_member(const struct ossa__value *object, const char *key);
struct ossa__value ossa__value_optional(const struct ossa__value *object, const char *key);
/* All members of an object in their order, for those whose keys are not known beforehand. The key
 * is in the arena, and NULL after a failure. */
size_t ossa__value_member_count(const struct ossa__value *object);
struct ossa__value ossa__value_member_at(const struct ossa__value *object, size_t index);
/* Refuse an object that has other members than these, given as "a b c". */
void ossa__value_allow(const struct ossa__value *object, const char *keys);

size_t ossa__value_length(const struct ossa__value *array);
struct ossa__value ossa__value_item(const struct ossa__value *array, size_t index);
/* The same length for an array that must have just `length` items. */
bool ossa__value_expect_length(const struct ossa__value *array, size_t length);

int64_t ossa__value_integer(const struct ossa__value *value, int64_t least, int64_t most);
uint32_t ossa__value_u32(const struct ossa__value *value);
/* The float nearest to the nearest double, as programs have it that hold every number as a double.
 * What Ossa writes has nine digits, which are never so near to the middle between two floats. */
uint32_t ossa__value_f32_bits(const struct ossa__value *value);
#define ossa__value_f32(value) ossa__f32_from_bits(ossa__value_f32_bits(value))
bool ossa__value_bool(const struct ossa__value *value);
/* Where a string may stand, or something else. */
bool ossa__value_is_text(const struct ossa__value *value);
/* UTF-8, may hold NULs, and none need follow; "" and 0 after a failure. */
const char *ossa__value_text(const struct ossa__value *value, size_t *size);
/* The same for a word to compare: one with a NUL in it is refused. */
const char *ossa__value_word(const struct ossa__value *value);
/* The same as bytes of code page 1251, in the arena; NULL after a failure. */
const char *ossa__value_text_1251(const struct ossa__value *value, uint32_t *size);
/* The bytes of a string of hexadecimal digits, in the arena; NULL after a failure. */
const uint8_t *ossa__value_hex(const struct ossa__value *value, size_t *size);

/* `width` integers or floats from an array of just so many. */
void ossa__value_integers(const struct ossa__value *array, size_t width, int64_t least,
                          int64_t most, int64_t *out);
void ossa__value_floats(const struct ossa__value *array, size_t width, float *out);
/* An array of arrays of `width` floats, in the arena, and how many there are. */
float *ossa__value_float_rows(const struct ossa__value *array, size_t width, uint32_t *count);

#endif
