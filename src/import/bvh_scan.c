/* SPDX-License-Identifier: MIT */
#include "import/bvh_scan.h"

#include "base/number_parse.h"
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- refusals ------------------------------------------------------------------------------ */

/* Lines count from 1 and end in \n, \r\n or \r. */
static unsigned line_of(const struct ossa__bvh_scan *scan, size_t at)
{
    unsigned line = 1;
    for (size_t i = 0; i < at; i++) {
        char c = scan->data[i];
        bool is_pair = c == '\r' && i + 1 < scan->size && scan->data[i + 1] == '\n';
        line += c == '\n' || (c == '\r' && !is_pair);
    }
    return line;
}

bool ossa__bvh_refuse(const struct ossa__bvh_scan *scan, size_t at, ossa_code code,
                      const char *message, ...)
{
    if (scan->context->failed) return false; /* counting lines takes its time */
    char text[OSSA_MESSAGE_CAPACITY];
    va_list arguments;
    va_start(arguments, message);
    (void)vsnprintf(text, sizeof text, message, arguments);
    va_end(arguments);
    return ossa__fail(scan->context, code, at, "", "line %u: %s", line_of(scan, at), text);
}

/* What stands here up to white space, for a message. */
static void show(const struct ossa__bvh_scan *scan, char *text, size_t capacity)
{
    size_t used = 0;
    for (size_t i = scan->at; i < scan->size && used + 1 < capacity; i++) {
        char c = scan->data[i];
        if (c == ' ' || (c >= '\t' && c <= '\r')) break;
        text[used++] = c > 0x20 && c < 0x7f ? c : '?';
    }
    text[used] = '\0';
}

bool ossa__bvh_expected(const struct ossa__bvh_scan *scan, const char *expected)
{
    char found[32];
    show(scan, found, sizeof found);
    if (scan->at >= scan->size) {
        return ossa__bvh_refuse(scan, scan->at, OSSA_CODE_TRUNCATED, "the text ends, expected %s",
                                expected);
    }
    if (found[0] == '\0') {
        return ossa__bvh_refuse(scan, scan->at, OSSA_CODE_BAD_VALUE, "the line ends, expected %s",
                                expected);
    }
    return ossa__bvh_refuse(scan, scan->at, OSSA_CODE_BAD_VALUE, "found '%s', expected %s", found,
                            expected);
}

/* ---- words --------------------------------------------------------------------------------- */

char ossa__bvh_peek(const struct ossa__bvh_scan *scan)
{
    return scan->at < scan->size ? scan->data[scan->at] : '\0';
}

bool ossa__bvh_is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

void ossa__bvh_pass_blanks(struct ossa__bvh_scan *scan)
{
    while (is_blank(ossa__bvh_peek(scan))) scan->at++;
}

void ossa__bvh_pass_space(struct ossa__bvh_scan *scan)
{
    while (is_blank(ossa__bvh_peek(scan)) || ossa__bvh_is_line_end(ossa__bvh_peek(scan))) {
        scan->at++;
    }
}

bool ossa__bvh_pass_word(struct ossa__bvh_scan *scan, const char *word)
{
    size_t size = strlen(word);
    ossa__bvh_pass_space(scan);
    if (scan->size - scan->at < size) return false;
    if (!ossa__same_word(scan->data + scan->at, size, word, size)) return false;
    if (scan->at + size < scan->size && is_letter(scan->data[scan->at + size])) return false;
    scan->at += size;
    return true;
}

bool ossa__bvh_pass_character(struct ossa__bvh_scan *scan, char c)
{
    ossa__bvh_pass_space(scan);
    if (ossa__bvh_peek(scan) != c) return false;
    scan->at++;
    return true;
}

const char *ossa__bvh_text(struct ossa__context *context, const char *bytes, size_t size)
{
    bool is_valid = ossa__utf8_is_valid(bytes, size);
    char *text = ossa__take(context, (is_valid ? 1 : 3) * (uint64_t)size + 1, 1);
    if (text == NULL) return NULL;
    size_t used = 0;
    for (size_t i = 0; i < size; i++) {
        if (is_valid) {
            text[used++] = bytes[i];
        } else {
            char encoded[4];
            size_t length = ossa__utf8_encode(ossa__cp1251_to_unicode((uint8_t)bytes[i]), encoded);
            memcpy(text + used, encoded, length);
            used += length;
        }
    }
    text[used] = '\0';
    return text;
}

const char *ossa__bvh_read_name(struct ossa__bvh_scan *scan)
{
    ossa__bvh_pass_blanks(scan);
    size_t first = scan->at;
    size_t end = first;
    for (; scan->at < scan->size; scan->at++) {
        char c = scan->data[scan->at];
        if (c == '{' || ossa__bvh_is_line_end(c)) break;
        if (!is_blank(c)) end = scan->at + 1;
    }
    return ossa__bvh_text(scan->context, scan->data + first, end - first);
}

/* ---- numbers ------------------------------------------------------------------------------- */

static size_t pass_digits(struct ossa__bvh_scan *scan)
{
    size_t first = scan->at;
    while (is_digit(ossa__bvh_peek(scan))) scan->at++;
    return scan->at - first;
}

/* The parser looks one byte further than the number, and behind the text there is none. */
static void parse(struct ossa__bvh_scan *scan, size_t first, double *value)
{
    if (scan->at < scan->size) {
        (void)ossa__parse_number(scan->data + first, value);
        return;
    }
    struct ossa__mark mark = ossa__scratch_mark(scan->context);
    size_t size = scan->at - first;
    char *copy = ossa__take_scratch(scan->context, (uint64_t)size + 1, 1);
    if (copy == NULL) return;
    memcpy(copy, scan->data + first, size);
    copy[size] = '\0';
    (void)ossa__parse_number(copy, value);
    ossa__scratch_release(scan->context, mark);
}

bool ossa__bvh_read_number(struct ossa__bvh_scan *scan, double *value)
{
    const size_t start = scan->at;
    *value = 0.0;
    if (ossa__bvh_peek(scan) == '+') scan->at++;
    const size_t first = scan->at; /* it is parsed without a plus */
    if (first == start && ossa__bvh_peek(scan) == '-') scan->at++;
    size_t digits = pass_digits(scan);
    if (ossa__bvh_peek(scan) == '.') {
        scan->at++;
        digits += pass_digits(scan);
    }
    bool is_number = digits > 0;
    if (is_number && (ossa__bvh_peek(scan) == 'e' || ossa__bvh_peek(scan) == 'E')) {
        scan->at++;
        if (ossa__bvh_peek(scan) == '+' || ossa__bvh_peek(scan) == '-') scan->at++;
        is_number = pass_digits(scan) > 0;
    }
    char next = ossa__bvh_peek(scan);
    bool ends = next == '\0' || is_blank(next) || ossa__bvh_is_line_end(next) || next == '}';
    if (!is_number || !ends) {
        scan->at = start;
        return ossa__bvh_expected(scan, "a number");
    }
    parse(scan, first, value);
    /* The 9 digits of the largest float are more than it is. */
    if (isfinite((float)*value)) return !scan->context->failed;
    return ossa__bvh_refuse(scan, start, OSSA_CODE_BAD_VALUE,
                            "the number is too large for a 32-bit float");
}
