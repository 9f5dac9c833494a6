/* SPDX-License-Identifier: MIT
 *
 * The studio's text files: tokens and numbers, and writing a text with a few changed numbers. */
#ifndef OSSA_MM_TEXT_H
#define OSSA_MM_TEXT_H

#include "codec/format.h"
#include "codec/lines.h"
#include "base/number_text.h"
#include "base/text.h"

/* A word or one brace: [begin, end) in the text. At the end of the text it is empty. */
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

/* Is there nothing but white space? */
bool ossa__mm_is_blank(const char *text, uint64_t size);

/* Is the token that word, ignoring letter case? */
bool ossa__mm_is_word(const char *text, struct ossa__mm_token token, const char *word);

/* A whole number in decimal digits; false for anything else and for what is above UINT32_MAX. */
bool ossa__mm_parse_u32(const char *text, struct ossa__mm_token token, uint32_t *value);

/* The same with an optional sign; false for what does not fit in an int32_t. */
bool ossa__mm_parse_i32(const char *text, struct ossa__mm_token token, int32_t *value);

/* A decimal number in any locale: an optional sign, digits with an optional point, an optional
 * exponent. False for anything else (including words for infinities) and for what is too large. The
 * result is the nearest float for numbers of up to 19 significant digits; further digits only count
 * as zero or not zero. */
bool ossa__mm_parse_float(const char *text, struct ossa__mm_token token, float *value);

/* ---- write --------------------------------------------------------------------------------- */

/* A number of the text and its replacement. */
struct ossa__mm_edit {
    struct ossa__mm_token token;
    char number[OSSA__FLOAT_CAPACITY];
};

/* Write the text with edits in any order. Fails with `field` if two edits overlap. */
void ossa__mm_write_edited(struct ossa__context *context, struct ossa__writer *writer,
                           const char *text, size_t size, struct ossa__mm_edit *edits,
                           uint64_t count, const char *field);

#endif
