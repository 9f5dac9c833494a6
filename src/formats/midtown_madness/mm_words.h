/* SPDX-License-Identifier: MIT
 *
 * A text of the studio read word by word, for mm-skel and mm-mod. */
#ifndef OSSA_MM_WORDS_H
#define OSSA_MM_WORDS_H

#include "formats/midtown_madness/mm_text.h"

/* A text being read, token after token. Every byte of it is told of as some field: what nobody
 * asks for, keywords and braces and white space, is `syntax`. */
struct ossa__words {
    struct ossa__context *context;
    struct ossa__reader reader; /* what is before its position has been claimed */
    const char *text;
    uint64_t size;
    struct ossa__mm_token token; /* the one to look at; empty at the end of the text */
};

void ossa__words_start(struct ossa__words *words, struct ossa__context *context,
                       const uint8_t *data, uint64_t size);
bool ossa__words_at_end(const struct ossa__words *words);
/* Is the token that word? */
bool ossa__words_is(const struct ossa__words *words, const char *word);
/* The same with or without a colon behind it. */
bool ossa__words_is_key(const struct ossa__words *words, const char *word);
bool ossa__words_at_brace(const struct ossa__words *words);
/* Neither a brace nor the end. */
bool ossa__words_at_word(const struct ossa__words *words);
/* Does it begin like one? */
bool ossa__words_at_number(const struct ossa__words *words);
/* To the next token; this one is syntax. */
void ossa__words_advance(struct ossa__words *words);
/* To the next token; this one is a field. */
void ossa__words_take(struct ossa__words *words, const char *field);
/* What is left is syntax. */
void ossa__words_finish(struct ossa__words *words);
/* The token is not what must stand there: the end of it. Gives false. */
bool ossa__words_refuse(struct ossa__words *words, const char *field, const char *expected);

/* Each takes one token, or refuses it and gives false. */
bool ossa__words_open(struct ossa__words *words);
bool ossa__words_read_count(struct ossa__words *words, const char *field, uint32_t *value);
bool ossa__words_read_index(struct ossa__words *words, const char *field, uint32_t *value);
bool ossa__words_read_floats(struct ossa__words *words, const char *const *fields, unsigned count,
                             float *values);
/* A word, or several between quotes, which are left out. */
bool ossa__words_read_name(struct ossa__words *words, const char *field, const char **name,
                           uint32_t *size);
/* All up to a brace on the same line: names of materials have spaces and other things in them. */
bool ossa__words_read_title(struct ossa__words *words, const char *field, const char **name,
                            uint32_t *size);

/* Words that belong to no rule, up to a brace or one that `is_known`: one field. Returns how many.
 */
uint32_t ossa__words_skip(struct ossa__words *words, const char *field,
                          bool (*is_known)(const struct ossa__words *words));

#endif
