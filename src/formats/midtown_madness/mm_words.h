/* SPDX-License-Identifier: MIT
 *
 * The studio's text files read word by word, for mm-skel and mm-mod. */
#ifndef OSSA_MM_WORDS_H
#define OSSA_MM_WORDS_H

#include "formats/midtown_madness/mm_text.h"

/* A text being read token by token. Every byte is traced as some field: keywords, braces and white
 * space are `syntax`. */
struct ossa__words {
    struct ossa__context *context;
    struct ossa__reader reader; /* everything before its position has been traced */
    const char *text;
    uint64_t size;
    struct ossa__mm_token token; /* the current one; empty at the end of the text */
};

void ossa__words_start(struct ossa__words *words, struct ossa__context *context,
                       const uint8_t *data, uint64_t size);
bool ossa__words_at_end(const struct ossa__words *words);
/* Is the token that word? */
bool ossa__words_is(const struct ossa__words *words, const char *word);
/* The same with or without a trailing colon. */
bool ossa__words_compare_key(const struct ossa__words *words, const char *word);
static inline bool ossa__words_is_key(const struct ossa__words *words, const char *word)
{
    /* Nearly all words differ in their first letter from nearly all keys. */
    bool is_empty = words->token.begin == words->token.end;
    char first = is_empty ? '\0' : words->text[words->token.begin];
    return ((first ^ word[0]) & ~0x20) == 0 && ossa__words_compare_key(words, word);
}
bool ossa__words_at_brace(const struct ossa__words *words);
/* Neither a brace nor the end. */
bool ossa__words_at_word(const struct ossa__words *words);
/* Does the token begin like a number? */
bool ossa__words_at_number(const struct ossa__words *words);
/* Go to the next token; the current one is syntax. */
void ossa__words_advance(struct ossa__words *words);
/* Go to the next token; the current one is a field. */
void ossa__words_take(struct ossa__words *words, const char *field);
/* The rest of the text is syntax. */
void ossa__words_finish(struct ossa__words *words);
/* Fail because the token is not what is expected. Returns false. */
bool ossa__words_refuse(struct ossa__words *words, const char *field, const char *expected);

/* Each takes its tokens, or refuses one and returns false. */
bool ossa__words_open(struct ossa__words *words);
bool ossa__words_read_count(struct ossa__words *words, const char *field, uint32_t *value);
bool ossa__words_read_index(struct ossa__words *words, const char *field, int32_t *value);
bool ossa__words_read_floats(struct ossa__words *words, const char *const *fields, unsigned count,
                             float *values);
/* A word, or several in quotes, which are not part of the name. */
bool ossa__words_read_name(struct ossa__words *words, const char *field, const char **name,
                           uint32_t *size);
/* Everything up to a brace on the same line: names of materials may contain spaces. */
bool ossa__words_read_title(struct ossa__words *words, const char *field, const char **name,
                            uint32_t *size);

/* Take unknown words, up to a brace or one that `is_known`, as one field. Returns their number. */
uint32_t ossa__words_skip(struct ossa__words *words, const char *field,
                          bool (*is_known)(const struct ossa__words *words));

#endif
