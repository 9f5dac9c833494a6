/* SPDX-License-Identifier: MIT
 *
 * The studio's text files: words between white space and comments, and the numbers among them. */
#ifndef OSSA_MM_TEXT_H
#define OSSA_MM_TEXT_H

#include <stdbool.h>
#include <stdint.h>

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

/* A decimal number: a sign, digits with a point, an exponent, in any locale; the point and one of
 * the two sides of it may be missing. False for anything else (words for infinities included) and
 * for what is too large. The result is the nearest float for numbers of up to 19 digits, leading
 * zeros not counted; of longer ones the further digits count only for being there. */
bool ossa__mm_parse_float(const char *text, struct ossa__mm_token token, float *value);

#endif
