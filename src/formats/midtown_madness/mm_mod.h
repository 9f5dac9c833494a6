/* SPDX-License-Identifier: MIT
 *
 * The pieces of mm-mod: its words (mm_mod_words.c), what they make (mm_mod_parse.c and
 * mm_mod_material.c), what is checked and told of it (mm_mod.c), JSON (mm_mod_write.c). */
#ifndef OSSA_MM_MOD_H
#define OSSA_MM_MOD_H

#include "codec/format.h"
#include "formats/midtown_madness/mm_text.h"
#include "ossa/games/midtown_madness.h"

/* The word at the head of the text that counts a list, without its colon. */
extern const char *const ossa__mod_count_words[OSSA_MM_LIST_COUNT];

/* ---- words --------------------------------------------------------------------------------- */

/* A text being read, token after token. Every byte of it is told of as some field: what nobody
 * asks for, keywords and braces and white space, is `syntax`. */
struct ossa__mod_words {
    struct ossa__context *context;
    struct ossa__reader reader; /* what is before its position has been claimed */
    const char *text;
    uint64_t size;
    struct ossa__mm_token token; /* the one to look at; empty at the end of the text */
};

void ossa__mod_start(struct ossa__mod_words *words, struct ossa__context *context,
                     const uint8_t *data, uint64_t size);
bool ossa__mod_at_end(const struct ossa__mod_words *words);
/* Is the token that word, with or without a colon behind it? */
bool ossa__mod_is(const struct ossa__mod_words *words, const char *word);
bool ossa__mod_at_brace(const struct ossa__mod_words *words);
/* Does it begin like one? */
bool ossa__mod_at_number(const struct ossa__mod_words *words);
/* To the next token; this one is syntax. */
void ossa__mod_advance(struct ossa__mod_words *words);
/* To the next token; this one is a field. */
void ossa__mod_take(struct ossa__mod_words *words, const char *field);
/* What is left is syntax. */
void ossa__mod_finish(struct ossa__mod_words *words);
/* The token is not what must stand there: the end of it. Gives false. */
bool ossa__mod_refuse(struct ossa__mod_words *words, const char *field, const char *expected);

/* Each takes one token, or refuses it and gives false. */
bool ossa__mod_open(struct ossa__mod_words *words);
bool ossa__mod_read_count(struct ossa__mod_words *words, const char *field, uint32_t *value);
bool ossa__mod_read_index(struct ossa__mod_words *words, const char *field, uint32_t *value);
bool ossa__mod_read_floats(struct ossa__mod_words *words, const char *const *fields, unsigned count,
                           float *values);
/* A word, or several between quotes, which are left out. */
bool ossa__mod_read_name(struct ossa__mod_words *words, const char *field, const char **name,
                         uint32_t *size);
/* All up to a brace on the same line: names of materials have spaces and other things in them. */
bool ossa__mod_read_title(struct ossa__mod_words *words, const char *field, const char **name,
                          uint32_t *size);

/* Words that belong to no rule, up to a brace or one that does: kept as one field, with a warning.
 */
void ossa__mod_skip(struct ossa__mod_words *words,
                    bool (*is_known)(const struct ossa__mod_words *words));

/* From `mtl` to its closing brace; false after a failure. What is no line of a material `read_row`
 * may know: it takes one such thing, or gives false. */
bool ossa__mod_read_material(struct ossa__mod_words *words, uint32_t index,
                             ossa_mm_material *material, bool (*read_row)(void *user), void *user);

/* ---- the whole ----------------------------------------------------------------------------- */

/* A model as the text has it, and where things stand that are checked later. */
struct ossa__mod_text {
    ossa_mm_mod mod;                       /* first: a pointer to it is a pointer to this */
    uint32_t count_at[OSSA_MM_LIST_COUNT]; /* 0: the head does not count that */
    uint32_t loose_at;                     /* a row of a packet outside of all; 0: none */
    uint32_t mtxv_at;
    uint32_t mtxn_at;
    uint32_t *packet_counts; /* what the packets' heads say: adjuncts, primitives, matrices */
    uint8_t *holds_rows;     /* by material: adjuncts and primitives stand between its braces */
};

/* NULL after a failure. Packets have no material yet, and without packets there are none. */
struct ossa__mod_text *ossa__mod_parse(struct ossa__context *context, const uint8_t *data,
                                       uint64_t size);

void ossa__mod_write(struct ossa__context *context, const void *contents,
                     struct ossa__writer *writer);
void ossa__mod_dump(const void *contents, struct ossa__json *json);
void *ossa__mod_build(struct ossa__context *context, const struct ossa__value *data, uint64_t size);

#endif
