/* SPDX-License-Identifier: MIT
 *
 * The studio's text files: words between white space and comments, the numbers among them, and how
 * a text that is kept as it is gets written and becomes JSON. */
#ifndef OSSA_MM_TEXT_H
#define OSSA_MM_TEXT_H

#include "codec/format.h"
#include "base/text.h"

/* A word, or one brace: [begin, end) in the text. Empty (both the text's size) at its end. */
struct ossa__mm_token {
    uint64_t begin;
    uint64_t end;
};

/* The first token that starts at `from` or after it; `from` must not be inside a token.
 *
 * White space is space, tab, CR, LF, VT, FF and NUL (which pads files at their end). A brace is a
 * token of its own also where it touches a word. `#`, `;` or `//` where a token could start make
 * the rest of the line a comment. */
struct ossa__mm_token ossa__mm_next_token(const char *text, uint64_t size, uint64_t from);

/* Is the token that word, without regard to case? */
bool ossa__mm_is_word(const char *text, struct ossa__mm_token token, const char *word);

/* A whole number in decimal digits; false for anything else and for what is above UINT32_MAX. */
bool ossa__mm_parse_u32(const char *text, struct ossa__mm_token token, uint32_t *value);

/* The same with or without a sign; false for what an int32_t cannot hold. */
bool ossa__mm_parse_i32(const char *text, struct ossa__mm_token token, int32_t *value);

/* A decimal number: a sign, digits with a point, an exponent, in any locale; the point and one of
 * the two sides of it may be missing. False for anything else (words for infinities included) and
 * for what is too large. The result is the nearest float for numbers of up to 19 digits, leading
 * zeros not counted; of longer ones the further digits count only for being there. */
bool ossa__mm_parse_float(const char *text, struct ossa__mm_token token, float *value);

/* A word short enough to print, with nothing in it that a terminal obeys. A byte is a character. */
enum { OSSA__MM_SHOWN_CAPACITY = 64 };
struct ossa__mm_shown {
    char text[OSSA__MM_SHOWN_CAPACITY];
};
struct ossa__mm_shown ossa__mm_show(const char *bytes, uint64_t size);

/* ---- write --------------------------------------------------------------------------------- */

/* A number of the text that gives way to another. */
struct ossa__mm_edit {
    struct ossa__mm_token token;
    char number[OSSA__FLOAT_CAPACITY];
};

/* Write the text with its edits, which are in any order. Two in one place are a failure that
 * blames `field`. */
void ossa__mm_write_edited(struct ossa__context *context, struct ossa__writer *writer,
                           const char *text, size_t size, struct ossa__mm_edit *edits,
                           uint64_t count, const char *field);

/* ---- JSON ---------------------------------------------------------------------------------- */

/* A string in which a byte is a character, U+0000 to U+00FF, so that any byte survives. */
void ossa__mm_dump_word(struct ossa__json *json, const char *bytes, size_t size);
/* The member "lines": the text, cut at every line feed. */
void ossa__mm_dump_lines(struct ossa__json *json, const char *text, size_t size);
/* The text of the member "lines", in the arena; NULL after a failure. */
const char *ossa__mm_build_lines(struct ossa__context *context, const struct ossa__value *data,
                                 size_t *size);

#endif
