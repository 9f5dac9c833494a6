/* SPDX-License-Identifier: MIT */
#include "codec/document.h"

#include "base/number_parse.h"
#include "base/text.h"
#include "codec/sort.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 2048 };

/* ---- walking over text that was checked ----------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static const char *skip_space(const char *at)
{
    while (is_space(*at)) at++;
    return at;
}

const char *ossa__json_span(const char *string, size_t *size, bool *has_escapes)
{
    const char *at = string + 1;
    *has_escapes = false;
    for (; *at != '"'; at++) {
        if (*at == '\\') {
            *has_escapes = true;
            at++;
        }
    }
    *size = (size_t)(at - string - 1);
    return string + 1;
}

static const char *skip_string(const char *at)
{
    size_t size;
    bool has_escapes;
    const char *span = ossa__json_span(at, &size, &has_escapes);
    return span + size + 1;
}

struct ossa__json_place ossa__json_first(const struct ossa__document *document, uint32_t node)
{
    return (struct ossa__json_place){skip_space(document->text + document->nodes[node].begin + 1),
                                     node + 1};
}

struct ossa__json_place ossa__json_after_key(struct ossa__json_place key)
{
    const char *colon = skip_space(skip_string(key.at));
    return (struct ossa__json_place){skip_space(colon + 1), key.node};
}

const char *ossa__json_behind(const char *end)
{
    const char *at = skip_space(end);
    return *at == ',' ? skip_space(at + 1) : at;
}

struct ossa__json_place ossa__json_next(const struct ossa__document *document,
                                        struct ossa__json_place place)
{
    const char *at = place.at;
    if (*at == '[' || *at == '{') {
        const struct ossa__json_node *node = &document->nodes[place.node];
        at = document->text + node->end + 1;
        place.node = node->next;
    } else if (*at == '"') {
        at = skip_string(at);
    } else {
        while (*at != ',' && *at != ']' && *at != '}' && !is_space(*at)) at++;
    }
    place.at = ossa__json_behind(at);
    return place;
}

/* ---- strings -------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* The four digits of \uXXXX; -1 if they are none, or too few before `end`. */
static int32_t hex_unit(const char *digits, const char *end)
{
    if (end - digits < 4) return -1;
    int32_t unit = 0;
    for (unsigned i = 0; i < 4; i++) {
        int digit = hex_digit(digits[i]);
        if (digit < 0) return -1;
        unit = unit << 4 | digit;
    }
    return unit;
}

/* The character of the escape at a backslash, and its size; 0 if it is none. */
static size_t read_escape(const char *at, const char *end, uint32_t *character)
{
    static const char letters[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    if (end - at < 2) return 0;
    const char *letter = at[1] == '\0' ? NULL : strchr(letters, at[1]);
    if (letter != NULL) {
        *character = (uint32_t)(uint8_t)meanings[letter - letters];
        return 2;
    }
    int32_t unit = at[1] == 'u' ? hex_unit(at + 2, end) : -1;
    if (unit < 0 || (unit >= 0xdc00 && unit <= 0xdfff)) return 0;
    *character = (uint32_t)unit;
    if (unit < 0xd800 || unit > 0xdfff) return 6;
    /* The first half of a pair. */
    if (end - at < 12 || at[6] != '\\' || at[7] != 'u') return 0;
    int32_t low = hex_unit(at + 8, end);
    if (low < 0xdc00 || low > 0xdfff) return 0;
    *character = 0x10000 + (((uint32_t)unit & 0x3ff) << 10 | ((uint32_t)low & 0x3ff));
    return 12;
}

size_t ossa__json_unescape(const char *span, size_t size, char *out)
{
    const char *end = span + size;
    char *to = out;
    while (span < end) {
        uint32_t character = 0;
        if (*span != '\\') {
            *to++ = *span++;
            continue;
        }
        span += read_escape(span, end, &character);
        to += ossa__utf8_encode(character, to);
    }
    return (size_t)(to - out);
}

/* ---- refusals ------------------------------------------------------------------------------- */

/* A document that is being checked. */
struct scan {
    struct ossa__document *document;
    struct ossa__context *context;
    const char *at;
    const char *end;
    uint32_t used;  /* nodes */
    uint32_t depth; /* of open ones */
    uint32_t open[DEEPEST];
};

/* Lines and columns count from 1; a column is a character. */
static bool refuse(struct scan *scan, const char *at, const char *message)
{
    const char *line = scan->document->text;
    unsigned lines = 1;
    unsigned column = 1;
    for (const char *c = line; c < at; c++) {
        bool ends = *c == '\n';
        if (ends) lines++;
        if (ends) column = 1;
        else if (((uint8_t)*c & 0xc0) != 0x80) column++;
    }
    return ossa__fail_nowhere(scan->context, OSSA_CODE_BAD_JSON, "", "JSON line %u, column %u: %s",
                              lines, column, message);
}

static bool refuse_expecting(struct scan *scan, const char *expected)
{
    char message[128];
    uint8_t byte = scan->at < scan->end ? (uint8_t)*scan->at : 0;
    if (scan->at == scan->end) {
        (void)snprintf(message, sizeof message, "the text ends, expected %s", expected);
    } else if (byte >= 0x20 && byte < 0x7f) {
        (void)snprintf(message, sizeof message, "found '%c', expected %s", byte, expected);
    } else {
        (void)snprintf(message, sizeof message, "found byte 0x%02x, expected %s", byte, expected);
    }
    return refuse(scan, scan->at, message);
}

/* ---- checking ------------------------------------------------------------------------------- */

/* The next byte; a NUL, which stands nowhere in JSON, at the end. */
static char peek(const struct scan *scan)
{
    return scan->at < scan->end ? *scan->at : '\0';
}

static void pass_space(struct scan *scan)
{
    while (scan->at < scan->end && is_space(*scan->at)) scan->at++;
}

static bool check_character(struct scan *scan)
{
    uint32_t character;
    char message[64];
    uint8_t byte = (uint8_t)*scan->at;
    if (byte < 0x20) {
        (void)snprintf(message, sizeof message, "control character 0x%02x in a string", byte);
        return refuse(scan, scan->at, message);
    }
    size_t used = ossa__utf8_decode(scan->at, (size_t)(scan->end - scan->at), &character);
    if (character == 0xfffd && used == 1) {
        (void)snprintf(message, sizeof message, "byte 0x%02x is not UTF-8", byte);
        return refuse(scan, scan->at, message);
    }
    scan->at += used;
    return true;
}

static bool check_escape(struct scan *scan, bool is_key)
{
    uint32_t character;
    size_t size = read_escape(scan->at, scan->end, &character);
    if (size == 0) return refuse(scan, scan->at, "not an escape of JSON");
    if (is_key && character == 0) return refuse(scan, scan->at, "a key contains a NUL");
    scan->at += size;
    return true;
}

static bool check_string(struct scan *scan, bool is_key)
{
    scan->at++;
    while (scan->at < scan->end) {
        char c = *scan->at;
        if (c == '"') {
            scan->at++;
            return true;
        }
        bool is_plain = c >= 0x20 && c < 0x7f && c != '\\';
        if (is_plain) scan->at++;
        else if (c == '\\' ? !check_escape(scan, is_key) : !check_character(scan)) return false;
    }
    return refuse_expecting(scan, "'\"'");
}

static bool pass_digits(struct scan *scan)
{
    const char *first = scan->at;
    while (scan->at < scan->end && *scan->at >= '0' && *scan->at <= '9') scan->at++;
    return scan->at > first || refuse_expecting(scan, "a digit");
}

/* Numbers so long, or with an exponent, may not fit in what holds them. */
enum { LONG_INTEGER = 18, LONG_REAL = 300 };

static bool check_number(struct scan *scan)
{
    const char *number = scan->at;
    bool is_real = false;
    bool has_exponent = false;
    if (*scan->at == '-') scan->at++;
    if (peek(scan) == '0') scan->at++;
    else if (!pass_digits(scan)) return false;
    ptrdiff_t whole = scan->at - number;
    if (peek(scan) == '.') {
        is_real = true;
        scan->at++;
        if (!pass_digits(scan)) return false;
    }
    if (peek(scan) == 'e' || peek(scan) == 'E') {
        has_exponent = true;
        scan->at++;
        if (peek(scan) == '+' || peek(scan) == '-') scan->at++;
        if (!pass_digits(scan)) return false;
    }
    /* Something must follow a number that is parsed. At the end of the text nothing does, and it is
     * refused for that. */
    if (scan->at == scan->end) return true;
    if (!is_real && !has_exponent && whole > LONG_INTEGER) {
        int64_t value;
        if (!ossa__parse_integer(number, &value)) {
            return refuse(scan, number, "the integer does not fit in 64 bits");
        }
    } else if (has_exponent || whole > LONG_REAL) {
        double value;
        (void)ossa__parse_number(number, &value);
        if (isinf(value)) return refuse(scan, number, "the number is too large");
    }
    return true;
}

static bool check_word(struct scan *scan)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t size = strlen(words[i]);
        if ((size_t)(scan->end - scan->at) < size || memcmp(scan->at, words[i], size) != 0)
            continue;
        scan->at += size;
        return true;
    }
    return refuse_expecting(scan, "a value");
}

static bool check_scalar(struct scan *scan)
{
    char c = peek(scan);
    if (c == '-' || (c >= '0' && c <= '9')) return check_number(scan);
    return c == '"' ? check_string(scan, false) : check_word(scan);
}

/* ---- duplicate keys ------------------------------------------------------------------------- */

struct key {
    const char *at; /* its quote */
    const char *text;
    size_t size;
};

static struct key read_key(struct scan *scan, const char *at)
{
    struct key key = {.at = at};
    bool has_escapes;
    key.text = ossa__json_span(at, &key.size, &has_escapes);
    if (has_escapes) {
        char *plain = ossa__take_scratch(scan->context, key.size, 1);
        if (plain != NULL) key.size = ossa__json_unescape(key.text, key.size, plain);
        if (plain != NULL) key.text = plain;
    }
    return key;
}

static bool same_key(const struct key *a, const struct key *b)
{
    return a->size == b->size && memcmp(a->text, b->text, a->size) == 0;
}

static bool key_before(const void *a, const void *b, void *user)
{
    const struct key *x = a;
    const struct key *y = b;
    (void)user;
    int order = memcmp(x->text, y->text, x->size < y->size ? x->size : y->size);
    return order != 0 ? order < 0 : x->size < y->size;
}

static bool refuse_twice(struct scan *scan, const struct key *key)
{
    char message[96];
    size_t size = key->size < 40 ? key->size : 40;
    while (size < key->size && size > 0 && ((uint8_t)key->text[size] & 0xc0) == 0x80) size--;
    (void)snprintf(message, sizeof message, "the object has the key '%.*s' twice", (int)size,
                   key->text);
    return refuse(scan, key->at, message);
}

static bool check_many_keys(struct scan *scan, struct key *keys, uint32_t count)
{
    if (!ossa__sort(scan->context, keys, count, sizeof *keys, key_before, NULL)) return false;
    for (uint32_t i = 1; i < count; i++) {
        if (same_key(&keys[i - 1], &keys[i])) return refuse_twice(scan, &keys[i]);
    }
    return true;
}

static bool check_few_keys(struct scan *scan, const struct key *keys, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (same_key(&keys[k], &keys[i])) return refuse_twice(scan, &keys[i]);
        }
    }
    return true;
}

/* The keys of an object that was just closed: compared each with each if they are few, and else in
 * their order. */
static bool check_keys(struct scan *scan, uint32_t node)
{
    enum { FEW = 24 };
    struct key few[FEW];
    struct key *keys = few;
    uint32_t count = scan->document->nodes[node].count;
    struct ossa__mark mark = ossa__scratch_mark(scan->context);
    if (count > FEW) keys = ossa__take_scratch(scan->context, count, sizeof *keys);
    if (keys == NULL) return false;
    struct ossa__json_place place = ossa__json_first(scan->document, node);
    for (uint32_t i = 0; i < count; i++) {
        keys[i] = read_key(scan, place.at);
        place = ossa__json_next(scan->document, ossa__json_after_key(place));
    }
    bool ok = !scan->context->failed;
    if (ok)
        ok = count > FEW ? check_many_keys(scan, keys, count) : check_few_keys(scan, keys, count);
    ossa__scratch_release(scan->context, mark);
    return ok;
}

/* ---- structure ------------------------------------------------------------------------------ */

static bool is_object(const struct scan *scan, uint32_t node)
{
    return scan->document->text[scan->document->nodes[node].begin] == '{';
}

static bool open_node(struct scan *scan)
{
    if (scan->depth == DEEPEST) return refuse(scan, scan->at, "nested deeper than 2048 levels");
    uint32_t node = scan->used++;
    uint32_t begin = (uint32_t)(scan->at - scan->document->text);
    scan->document->nodes[node] = (struct ossa__json_node){.begin = begin};
    scan->open[scan->depth++] = node;
    scan->at++;
    pass_space(scan);
    return true;
}

static bool close_node(struct scan *scan)
{
    uint32_t node = scan->open[--scan->depth];
    struct ossa__json_node *closed = &scan->document->nodes[node];
    closed->end = (uint32_t)(scan->at - scan->document->text);
    closed->next = scan->used;
    scan->at++;
    return closed->count < 2 || !is_object(scan, node) || check_keys(scan, node);
}

static bool check_key(struct scan *scan, bool may_end)
{
    if (peek(scan) != '"') return refuse_expecting(scan, may_end ? "a key or '}'" : "a key");
    if (!check_string(scan, true)) return false;
    pass_space(scan);
    if (peek(scan) != ':') return refuse_expecting(scan, "':'");
    scan->at++;
    pass_space(scan);
    return true;
}

/* What follows a value: a comma, or the ends of what it stands in. */
static bool check_after_value(struct scan *scan)
{
    while (scan->depth > 0) {
        uint32_t node = scan->open[scan->depth - 1];
        bool closes_object = is_object(scan, node);
        scan->document->nodes[node].count++;
        pass_space(scan);
        char c = peek(scan);
        if (c == ',') {
            scan->at++;
            pass_space(scan);
            return true;
        }
        if (c != (closes_object ? '}' : ']')) {
            return refuse_expecting(scan, closes_object ? "',' or '}'" : "',' or ']'");
        }
        if (!close_node(scan)) return false;
    }
    return true;
}

/* One value after the other, each with its key; without recursion, because text may nest. */
static bool check_document(struct scan *scan)
{
    pass_space(scan);
    if (peek(scan) != '[' && peek(scan) != '{') return refuse_expecting(scan, "'{' or '['");
    do {
        bool is_in_object = scan->depth > 0 && is_object(scan, scan->open[scan->depth - 1]);
        if (is_in_object && !check_key(scan, false)) return false;
        bool opens = peek(scan) == '[' || peek(scan) == '{';
        char closing = peek(scan) == '[' ? ']' : '}';
        if (!(opens ? open_node(scan) : check_scalar(scan))) return false;
        if (opens && peek(scan) != closing) {
            if (closing == '}' && peek(scan) != '"') return check_key(scan, true);
            continue;
        }
        if (opens && !close_node(scan)) return false;
        if (!check_after_value(scan)) return false;
    } while (scan->depth > 0);
    pass_space(scan);
    if (scan->at == scan->end) return true;
    return refuse(scan, scan->at, "more text follows, expected one document");
}

/* At most so many nodes: those in strings count too. */
static uint64_t count_brackets(const char *json, size_t size)
{
    uint64_t count = 0;
    for (size_t i = 0; i < size; i++) count += (json[i] | 0x20) == '{'; /* '[' differs in one bit */
    return count;
}

struct ossa__document *ossa__document_parse(struct ossa__context *context, const char *json,
                                            size_t size)
{
    struct scan scan = {.context = context, .at = json, .end = json + size};
    if (size > UINT32_MAX) {
        ossa__fail_nowhere(context, OSSA_CODE_LIMIT, "", "JSON of more than 4 GiB is not read");
        return NULL;
    }
    struct ossa__mark mark = ossa__scratch_mark(context);
    struct ossa__document *document = ossa__take_scratch(context, 1, sizeof *document);
    if (document == NULL) return NULL;
    *document = (struct ossa__document){.text = json, .mark = mark, .context = context};
    document->nodes =
        ossa__take_scratch(context, count_brackets(json, size), sizeof *document->nodes);
    scan.document = document;
    if (document->nodes != NULL && check_document(&scan)) return document;
    ossa__document_free(document);
    return NULL;
}

void ossa__document_free(struct ossa__document *document)
{
    ossa__scratch_release(document->context, document->mark);
}
