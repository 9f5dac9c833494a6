/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* uselocale */
#include "codec/value.h"

#include "base/text.h"
#include "codec/reader.h"

#include <inttypes.h>
#include <jansson.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct ossa__document {
    json_t root; /* never used as such: the type only keeps the compiler watchful */
};

/* At least so much memory jansson takes for a document. It does not come from the arena, so the
 * limit is kept here: a few bytes of `{},{},` are hundreds of memory. */
static uint64_t memory_of(const char *json, size_t size)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < size; i++) {
        if (json[i] == '{') bytes += 240;
        else if (json[i] == '[') bytes += 112;
        else if (json[i] == ',') bytes += 40;
    }
    return bytes;
}

/* Parse as in the C locale: jansson stumbles over decimal points of several bytes. */
static json_t *parse_plainly(const char *json, size_t size, json_error_t *problem)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = plain == (locale_t)0 ? plain : uselocale(plain);
    json_t *root = json_loadb(json, size, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, problem);
    if (plain != (locale_t)0) {
        (void)uselocale(before);
        freelocale(plain);
    }
    return root;
}

struct ossa__document *ossa__document_parse(struct ossa__context *context, const char *json,
                                            size_t size)
{
    json_error_t problem = {0}; /* jansson leaves it as it is when it finds no memory */
    uint64_t limit = context->options.max_memory;
    limit = limit > UINT64_MAX / 4 ? limit : 2 * limit + (UINT64_C(16) << 20);
    if (memory_of(json, size) > limit) {
        ossa__fail_nowhere(context, OSSA_CODE_LIMIT, "",
                           "the JSON needs more than the %" PRIu64 " bytes of memory allowed",
                           limit);
        return NULL;
    }
    json_t *root = parse_plainly(json, size, &problem);
    if (root == NULL) {
        bool said_nothing = problem.text[0] == '\0';
        if (said_nothing || json_error_code(&problem) == json_error_out_of_memory) {
            ossa__fail_nowhere(context, OSSA_CODE_OUT_OF_MEMORY, "", "no memory to parse the JSON");
        } else if (json_error_code(&problem) == json_error_end_of_input_expected) {
            ossa__fail_nowhere(context, OSSA_CODE_BAD_JSON, "",
                               "JSON line %d, column %d: more text follows, expected one document",
                               problem.line, problem.column);
        } else {
            ossa__fail_nowhere(context, OSSA_CODE_BAD_JSON, "", "JSON line %d, column %d: %s",
                               problem.line, problem.column, problem.text);
        }
    }
    return (struct ossa__document *)root;
}

void ossa__document_free(struct ossa__document *document)
{
    json_decref((json_t *)document);
}

struct ossa__value ossa__document_root(struct ossa__context *context,
                                       const struct ossa__document *document)
{
    return (struct ossa__value){.context = context, .node = document};
}

/* "data.bones[3].keys[17]" from the root down. */
static size_t place_text(const struct ossa__value *value, char *text, size_t capacity)
{
    if (value->parent == NULL) {
        text[0] = '\0';
        return 0;
    }
    size_t used = place_text(value->parent, text, capacity);
    if (used >= capacity) return used;
    int n;
    if (value->key != NULL) {
        n = snprintf(text + used, capacity - used, "%s%s", used > 0 ? "." : "", value->key);
    } else {
        n = snprintf(text + used, capacity - used, "[%zu]", value->index);
    }
    return n < 0 ? used : used + (size_t)n;
}

bool ossa__value_fail(const struct ossa__value *value, const char *message, ...)
{
    char place[OSSA_FIELD_CAPACITY];
    char text[OSSA_MESSAGE_CAPACITY];
    (void)place_text(value, place, sizeof place);
    va_list arguments;
    va_start(arguments, message);
    (void)vsnprintf(text, sizeof text, message, arguments);
    va_end(arguments);
    return ossa__fail_nowhere(value->context, OSSA_CODE_BAD_JSON, place, "%s", text);
}

static const char *type_name(const void *node)
{
    switch (json_typeof((const json_t *)node)) {
    case JSON_OBJECT: return "an object";
    case JSON_ARRAY: return "an array";
    case JSON_STRING: return "a string";
    case JSON_INTEGER: return "an integer";
    case JSON_REAL: return "a number";
    case JSON_TRUE:
    case JSON_FALSE: return "a boolean";
    case JSON_NULL: break;
    }
    return "null";
}

/* True when the value is there and no failure came before. */
static bool usable(const struct ossa__value *value)
{
    return !value->context->failed && value->node != NULL;
}

static bool expect(const struct ossa__value *value, bool is_right, const char *wanted)
{
    if (!usable(value)) return false;
    if (is_right) return true;
    return ossa__value_fail(value, "found %s, expected %s", type_name(value->node), wanted);
}

struct ossa__value ossa__value_optional(const struct ossa__value *object, const char *key)
{
    struct ossa__value member = {.context = object->context, .parent = object, .key = key};
    if (expect(object, json_is_object((const json_t *)object->node), "an object")) {
        member.node = json_object_get((const json_t *)object->node, key);
        if (member.node != NULL && json_is_null((const json_t *)member.node)) member.node = NULL;
    }
    return member;
}

struct ossa__value ossa__value_member(const struct ossa__value *object, const char *key)
{
    struct ossa__value member = ossa__value_optional(object, key);
    if (member.node == NULL) ossa__value_fail(&member, "is missing");
    return member;
}

static bool has_word(const char *words, const char *word)
{
    size_t size = strlen(word);
    for (const char *at = strstr(words, word); size > 0 && at != NULL; at = strstr(at + 1, word)) {
        bool starts = at == words || at[-1] == ' ';
        if (starts && (at[size] == ' ' || at[size] == '\0')) return true;
    }
    return false;
}

void ossa__value_allow(const struct ossa__value *object, const char *keys)
{
    if (!expect(object, json_is_object((const json_t *)object->node), "an object")) return;
    const char *key;
    json_t *ignored;
    /* jansson iterates only over what it may change; nothing is changed here. */
    json_t *node = (json_t *)(uintptr_t)object->node;
    json_object_foreach (node, key, ignored) {
        if (has_word(keys, key)) continue;
        struct ossa__value member = {.context = object->context, .parent = object, .key = key};
        ossa__value_fail(&member, "is not a known member (known: %s)", keys);
        return;
    }
}

size_t ossa__value_length(const struct ossa__value *array)
{
    if (!expect(array, json_is_array((const json_t *)array->node), "an array")) return 0;
    return json_array_size((const json_t *)array->node);
}

bool ossa__value_expect_length(const struct ossa__value *array, size_t length)
{
    size_t found = ossa__value_length(array);
    if (!usable(array)) return false;
    if (found == length) return true;
    return ossa__value_fail(array, "has %zu items, expected %zu", found, length);
}

struct ossa__value ossa__value_item(const struct ossa__value *array, size_t index)
{
    struct ossa__value item = {.context = array->context, .parent = array, .index = index};
    if (usable(array)) item.node = json_array_get((const json_t *)array->node, index);
    return item;
}

int64_t ossa__value_integer(const struct ossa__value *value, int64_t least, int64_t most)
{
    if (!expect(value, json_is_integer((const json_t *)value->node), "an integer")) return 0;
    int64_t number = json_integer_value((const json_t *)value->node);
    if (number >= least && number <= most) return number;
    if (least == most) {
        ossa__value_fail(value, "found %" PRId64 ", expected %" PRId64, number, least);
    } else {
        ossa__value_fail(value, "%" PRId64 " is not an integer from %" PRId64 " to %" PRId64,
                         number, least, most);
    }
    return 0;
}

uint32_t ossa__value_u32(const struct ossa__value *value)
{
    return (uint32_t)ossa__value_integer(value, 0, UINT32_MAX);
}

/* "0x7fc00000": the bits of a float that is not finite. */
static bool bits_of(const char *text, size_t size, uint32_t *bits)
{
    if (size != 10 || text[0] != '0' || text[1] != 'x') return false;
    *bits = 0;
    for (size_t i = 2; i < size; i++) {
        const char *digits = "0123456789abcdef";
        const char *digit = text[i] == '\0' ? NULL : strchr(digits, text[i]);
        if (digit == NULL) return false;
        *bits = *bits << 4 | (uint32_t)(digit - digits);
    }
    return true;
}

float ossa__value_f32(const struct ossa__value *value)
{
    if (!usable(value)) return 0.0F;
    const json_t *node = value->node;
    if (json_is_string(node)) {
        uint32_t bits;
        if (bits_of(json_string_value(node), json_string_length(node), &bits)) {
            return ossa__f32_from_bits(bits);
        }
        ossa__value_fail(value, "found a string, expected a number or bits such as \"0x7fc00000\"");
        return 0.0F;
    }
    if (!expect(value, json_is_number(node), "a number")) return 0.0F;
    double number = json_number_value(node);
    float single = (float)number;
    if (isfinite(single)) return single;
    ossa__value_fail(value, "%g is too large for a 32-bit float", number);
    return 0.0F;
}

bool ossa__value_bool(const struct ossa__value *value)
{
    if (!expect(value, json_is_boolean((const json_t *)value->node), "true or false")) return false;
    return json_is_true((const json_t *)value->node);
}

bool ossa__value_is_text(const struct ossa__value *value)
{
    return usable(value) && json_is_string((const json_t *)value->node);
}

const char *ossa__value_text(const struct ossa__value *value, size_t *size)
{
    *size = 0;
    if (!expect(value, json_is_string((const json_t *)value->node), "a string")) return "";
    *size = json_string_length((const json_t *)value->node);
    return json_string_value((const json_t *)value->node);
}

const char *ossa__value_word(const struct ossa__value *value)
{
    size_t size;
    const char *text = ossa__value_text(value, &size);
    if (strlen(text) == size) return text;
    ossa__value_fail(value, "contains a NUL");
    return "";
}

const char *ossa__value_text_1251(const struct ossa__value *value, uint32_t *size)
{
    size_t length;
    const char *utf8 = ossa__value_text(value, &length);
    char *bytes = ossa__take(value->context, length, 1); /* never more bytes than in UTF-8 */
    *size = 0;
    if (bytes == NULL) return NULL;
    for (size_t i = 0; i < length;) {
        uint32_t character;
        i += ossa__utf8_decode(utf8 + i, length - i, &character);
        int byte = ossa__cp1251_from_unicode(character);
        if (byte < 0) {
            ossa__value_fail(value, "code page 1251 has no character U+%04" PRIX32, character);
            return NULL;
        }
        bytes[(*size)++] = (char)byte;
    }
    return bytes;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

const uint8_t *ossa__value_hex(const struct ossa__value *value, size_t *size)
{
    size_t length;
    const char *text = ossa__value_text(value, &length);
    *size = 0;
    if (!usable(value)) return NULL;
    if (length % 2 != 0) {
        ossa__value_fail(value, "has an odd number of hexadecimal digits");
        return NULL;
    }
    uint8_t *bytes = ossa__take(value->context, length / 2, 1);
    if (bytes == NULL) return NULL;
    for (size_t i = 0; i < length; i += 2) {
        int high = hex_digit(text[i]);
        int low = hex_digit(text[i + 1]);
        if (high < 0 || low < 0) {
            ossa__value_fail(value, "character %zu is not a hexadecimal digit",
                             high < 0 ? i : i + 1);
            return NULL;
        }
        bytes[i / 2] = (uint8_t)(high << 4 | low);
    }
    *size = length / 2;
    return bytes;
}

void ossa__value_integers(const struct ossa__value *array, size_t width, int64_t least,
                          int64_t most, int64_t *out)
{
    memset(out, 0, width * sizeof *out);
    if (!ossa__value_expect_length(array, width)) return;
    for (size_t i = 0; i < width; i++) {
        struct ossa__value item = ossa__value_item(array, i);
        out[i] = ossa__value_integer(&item, least, most);
    }
}

void ossa__value_floats(const struct ossa__value *array, size_t width, float *out)
{
    memset(out, 0, width * sizeof *out);
    if (!ossa__value_expect_length(array, width)) return;
    for (size_t i = 0; i < width; i++) {
        struct ossa__value item = ossa__value_item(array, i);
        out[i] = ossa__value_f32(&item);
    }
}

float *ossa__value_float_rows(const struct ossa__value *array, size_t width, uint32_t *count)
{
    *count = 0;
    size_t length = ossa__value_length(array);
    if (length > UINT32_MAX) ossa__value_fail(array, "has too many items");
    float *rows = ossa__take(array->context, length, width * sizeof *rows);
    if (rows == NULL) return NULL;
    for (size_t i = 0; i < length && !array->context->failed; i++) {
        struct ossa__value row = ossa__value_item(array, i);
        ossa__value_floats(&row, width, rows + i * width);
    }
    *count = (uint32_t)length;
    return rows;
}
