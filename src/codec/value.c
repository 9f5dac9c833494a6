/* SPDX-License-Identifier: MIT */
#include "codec/value.h"

#include "base/number_parse.h"
#include "base/text.h"
#include "codec/reader.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- kinds --------------------------------------------------------------------------------- */

static bool is_object(const struct ossa__value *value)
{
    return *value->node == '{';
}

static bool is_array(const struct ossa__value *value)
{
    return *value->node == '[';
}

static bool is_text(const struct ossa__value *value)
{
    return *value->node == '"';
}

static bool starts_number(const char *at)
{
    return *at == '-' || (*at >= '0' && *at <= '9');
}

static bool is_integer(const struct ossa__value *value)
{
    int64_t integer;
    return starts_number(value->node) && ossa__parse_integer(value->node, &integer);
}

static const char *type_name(const struct ossa__value *value)
{
    switch (*value->node) {
    case '{': return "an object";
    case '[': return "an array";
    case '"': return "a string";
    case 't':
    case 'f': return "a boolean";
    case 'n': return "null";
    default: return is_integer(value) ? "an integer" : "a number";
    }
}

struct ossa__value ossa__document_root(struct ossa__context *context,
                                       struct ossa__document *document)
{
    return (struct ossa__value){.context = context,
                                .document = document,
                                .node = document->text + document->nodes[0].begin};
}

/* ---- refusals ------------------------------------------------------------------------------ */

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

/* True when the value is there and no failure came before. */
static bool usable(const struct ossa__value *value)
{
    return !value->context->failed && value->node != NULL;
}

static bool expect(const struct ossa__value *value, bool (*is_right)(const struct ossa__value *),
                   const char *wanted)
{
    if (value->context->failed || value->node == NULL) return false;
    if (is_right(value)) return true;
    return ossa__value_fail(value, "found %s, expected %s", type_name(value), wanted);
}

/* ---- members and items --------------------------------------------------------------------- */

static struct ossa__value value_at(const struct ossa__value *parent, struct ossa__json_place place)
{
    return (struct ossa__value){.context = parent->context,
                                .document = parent->document,
                                .parent = parent,
                                .node = place.at,
                                .container = place.node,
                                .depth = parent->depth + 1};
}

static bool is_key(const char *string, const char *key)
{
    size_t size;
    bool has_escapes;
    const char *span = ossa__json_span(string, &size, &has_escapes);
    size_t length = strlen(key);
    if (!has_escapes) return size == length && memcmp(span, key, size) == 0;
    /* An escape has at most twelve bytes for a character. */
    char plain[12 * OSSA__LONGEST_KEY];
    if (size > sizeof plain) return false;
    size = ossa__json_unescape(span, size, plain);
    return size == length && memcmp(plain, key, size) == 0;
}

struct ossa__value ossa__value_optional(const struct ossa__value *object, const char *key)
{
    struct ossa__value member = {.context = object->context, .parent = object, .key = key};
    if (!expect(object, is_object, "an object")) return member;
    const struct ossa__document *document = object->document;
    uint32_t count = document->nodes[object->container].count;
    struct ossa__json_place place = ossa__json_first(document, object->container);
    for (uint32_t i = 0; i < count; i++) {
        struct ossa__json_place value = ossa__json_after_key(place);
        if (is_key(place.at, key)) {
            if (*value.at == 'n') return member; /* null */
            member = value_at(object, value);
            member.key = key;
            return member;
        }
        place = ossa__json_next(document, value);
    }
    return member;
}

struct ossa__value ossa__value_member(const struct ossa__value *object, const char *key)
{
    struct ossa__value member = ossa__value_optional(object, key);
    if (member.node == NULL) ossa__value_fail(&member, "is missing");
    return member;
}

/* Is the key of the document one of the words "a b c"? */
static bool is_known(const char *string, const char *words)
{
    while (*words != '\0') {
        char word[64];
        size_t size = strcspn(words, " ");
        if (size < sizeof word) {
            memcpy(word, words, size);
            word[size] = '\0';
            if (is_key(string, word)) return true;
        }
        words += size;
        words += strspn(words, " ");
    }
    return false;
}

/* A string of the document with a NUL after it, in the arena; NULL after a failure. */
static char *copy_text(const struct ossa__value *value, const char *string, size_t *size)
{
    size_t length;
    bool has_escapes;
    const char *span = ossa__json_span(string, &length, &has_escapes);
    char *copy = ossa__take(value->context, (uint64_t)length + 1, 1);
    if (copy == NULL) return NULL;
    *size = ossa__json_unescape(span, length, copy);
    copy[*size] = '\0';
    return copy;
}

static void refuse_member(const struct ossa__value *object, const char *string, const char *keys)
{
    size_t size;
    struct ossa__value member = {.context = object->context, .parent = object};
    member.key = copy_text(object, string, &size);
    if (member.key != NULL) {
        ossa__value_fail(&member, "is not a known member (known: %s)", keys);
    }
}

void ossa__value_allow(const struct ossa__value *object, const char *keys)
{
    if (!expect(object, is_object, "an object")) return;
    const struct ossa__document *document = object->document;
    uint32_t count = document->nodes[object->container].count;
    struct ossa__json_place place = ossa__json_first(document, object->container);
    for (uint32_t i = 0; i < count; i++) {
        if (!is_known(place.at, keys)) {
            refuse_member(object, place.at, keys);
            return;
        }
        place = ossa__json_next(document, ossa__json_after_key(place));
    }
}

size_t ossa__value_member_count(const struct ossa__value *object)
{
    if (!expect(object, is_object, "an object")) return 0;
    return object->document->nodes[object->container].count;
}

size_t ossa__value_length(const struct ossa__value *array)
{
    if (!expect(array, is_array, "an array")) return 0;
    return array->document->nodes[array->container].count;
}

bool ossa__value_expect_length(const struct ossa__value *array, size_t length)
{
    size_t found = ossa__value_length(array);
    if (!usable(array)) return false;
    if (found == length) return true;
    return ossa__value_fail(array, "has %zu items, expected %zu", found, length);
}

/* The item of an array, or the key of an object, at an index that there is. */
static struct ossa__json_place find_place(const struct ossa__value *container, size_t index)
{
    struct ossa__document *document = container->document;
    bool has_keys = is_object(container);
    struct ossa__json_cursor *cursor = &document->cursors[container->depth % OSSA__JSON_CURSORS];
    bool goes_on = cursor->place.at != NULL && cursor->node == container->container;
    if (!goes_on || cursor->index > index) {
        struct ossa__json_place first = ossa__json_first(document, container->container);
        *cursor = (struct ossa__json_cursor){.node = container->container, .place = first};
    }
    for (; cursor->index < index; cursor->index++) {
        struct ossa__json_place place = cursor->place;
        cursor->place = ossa__json_next(document, has_keys ? ossa__json_after_key(place) : place);
    }
    return cursor->place;
}

struct ossa__value ossa__value_item(const struct ossa__value *array, size_t index)
{
    struct ossa__value item = {.context = array->context, .parent = array, .index = index};
    if (!usable(array) || !is_array(array)) return item;
    if (index >= array->document->nodes[array->container].count) return item;
    item = value_at(array, find_place(array, index));
    item.index = index;
    return item;
}

struct ossa__value ossa__value_member_at(const struct ossa__value *object, size_t index)
{
    struct ossa__value member = {.context = object->context, .parent = object};
    size_t size;
    if (index >= ossa__value_member_count(object)) return member;
    struct ossa__json_place key = find_place(object, index);
    member = value_at(object, ossa__json_after_key(key));
    member.key = copy_text(object, key.at, &size);
    return member;
}

/* ---- numbers ------------------------------------------------------------------------------- */

int64_t ossa__value_integer(const struct ossa__value *value, int64_t least, int64_t most)
{
    if (!expect(value, is_integer, "an integer")) return 0;
    int64_t number = 0;
    (void)ossa__parse_integer(value->node, &number);
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

/* The integer -0 is 0. */
static const char *parse_float(const char *at, double *number)
{
    const char *end = ossa__parse_number(at, number);
    if (*number == 0.0 && end - at == 2) *number = 0.0;
    return end;
}

static bool is_number(const struct ossa__value *value)
{
    return starts_number(value->node);
}

uint32_t ossa__value_f32_bits(const struct ossa__value *value)
{
    if (!usable(value)) return 0;
    if (is_text(value)) {
        uint32_t bits;
        size_t size;
        const char *text = ossa__value_text(value, &size);
        if (bits_of(text, size, &bits)) return bits;
        ossa__value_fail(value, "found a string, expected a number or bits such as \"0x7fc00000\"");
        return 0;
    }
    if (!expect(value, is_number, "a number")) return 0;
    double number;
    (void)parse_float(value->node, &number);
    float single = (float)number;
    if (isfinite(single)) return ossa__bits_from_f32(single);
    ossa__value_fail(value, "%g is too large for a 32-bit float", number);
    return 0;
}

/* ---- words and texts ----------------------------------------------------------------------- */

static bool is_boolean(const struct ossa__value *value)
{
    return *value->node == 't' || *value->node == 'f';
}

bool ossa__value_bool(const struct ossa__value *value)
{
    return expect(value, is_boolean, "true or false") && *value->node == 't';
}

bool ossa__value_is_text(const struct ossa__value *value)
{
    return usable(value) && is_text(value);
}

const char *ossa__value_text(const struct ossa__value *value, size_t *size)
{
    *size = 0;
    if (!expect(value, is_text, "a string")) return "";
    bool has_escapes;
    const char *span = ossa__json_span(value->node, size, &has_escapes);
    if (!has_escapes) return span;
    *size = 0;
    const char *copy = copy_text(value, value->node, size);
    return copy == NULL ? "" : copy;
}

const char *ossa__value_word(const struct ossa__value *value)
{
    size_t size = 0;
    if (!expect(value, is_text, "a string")) return "";
    const char *word = copy_text(value, value->node, &size);
    if (word == NULL) return "";
    if (strlen(word) == size) return word;
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

static void read_floats_one_by_one(const struct ossa__value *array, size_t first, size_t width,
                                   float *out)
{
    for (size_t i = first; i < width; i++) {
        struct ossa__value item = ossa__value_item(array, i);
        out[i] = ossa__value_f32(&item);
    }
}

void ossa__value_floats(const struct ossa__value *array, size_t width, float *out)
{
    memset(out, 0, width * sizeof *out);
    if (!ossa__value_expect_length(array, width)) return;
    struct ossa__json_place place = ossa__json_first(array->document, array->container);
    for (size_t i = 0; i < width; i++) {
        double number = INFINITY;
        if (starts_number(place.at)) place.at = parse_float(place.at, &number);
        out[i] = (float)number;
        if (!isfinite(out[i])) { /* bits, or what is refused */
            read_floats_one_by_one(array, i, width, out);
            return;
        }
        place.at = ossa__json_behind(place.at);
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
