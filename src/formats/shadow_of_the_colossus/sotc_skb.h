/* SPDX-License-Identifier: MIT
 *
 * What the reader of an SKB and its JSON have in common. */
#ifndef OSSA_SOTC_SKB_H
#define OSSA_SOTC_SKB_H

#include "formats/shadow_of_the_colossus/sotc_xff.h"

enum {
    OSSA__SKB_KIND = 1,
    OSSA__SKB_STRINGS = 3, /* the header's word for the string table */
    OSSA__SKB_HEADER_SIZE = 4 * OSSA_SOTC_SKB_WORDS,
    OSSA__SKB_ENTRY_SIZE = 8, /* of the table behind the header */
    /* where things are in a record */
    OSSA__SKB_WORDS_AT = 4,
    OSSA__SKB_FLOATS_AT = 12,
    OSSA__SKB_LINKS_AT = 48,
    OSSA__SKB_LAST_AT = 60,
    OSSA__SKB_RECORD_SIZE = 64,
    OSSA__SKB_FLOATS = 9,
    OSSA__SKB_LINKS = 3,
};

/* The names of the header's words; the first two are not in the JSON. */
extern const char *const ossa__skb_words[OSSA_SOTC_SKB_WORDS];

void ossa__skb_dump(const void *contents, struct ossa__json *json);
void *ossa__skb_build(struct ossa__context *context, const struct ossa__value *data, uint64_t size);

#endif
