/* SPDX-License-Identifier: MIT
 *
 * What mm_mod_parse.c makes of the text of an mm-mod for mm_mod.c. */
#ifndef OSSA_MM_MOD_PARSE_H
#define OSSA_MM_MOD_PARSE_H

#include "codec/reader.h"
#include "ossa/games/midtown_madness.h"

/* The words at the head of the text that state the length of each list, without the colon. */
extern const char *const ossa__mod_count_words[OSSA_MM_LIST_COUNT];

/* A parsed model, and the offsets of what is checked later. */
struct ossa__mod_text {
    ossa_mm_mod mod;                       /* first: a pointer to it is a pointer to this */
    uint32_t count_at[OSSA_MM_LIST_COUNT]; /* 0: the head does not state it */
    uint32_t loose_at;                     /* first row outside all packets; 0: none */
    uint32_t mtxv_at;
    uint32_t mtxn_at;
    uint32_t *packet_counts; /* stated by each packet: adjuncts, primitives, matrices */
    uint8_t *holds_rows;     /* by material: adjuncts and primitives are inside its braces */
};

/* NULL after a failure. Packets have no material yet; a model without packets has none. */
struct ossa__mod_text *ossa__mod_parse(struct ossa__context *context, const uint8_t *data,
                                       uint64_t size);

#endif
