/* SPDX-License-Identifier: MIT
 *
 * For the tests of sotc-skb: a skeleton in a container. */
#ifndef OSSA_TEST_SKB_FIXTURE_H
#define OSSA_TEST_SKB_FIXTURE_H

#include "support/sotc_fixture.h"

enum {
    SKB_HEADER_SIZE = 44,
    SKB_RECORD_SIZE = 64,
    SKB_WORDS_AT = 4,
    SKB_FLOATS_AT = 12,
    SKB_PARENT_AT = 56,
    SKB_LAST_AT = 60,
    SKB_KNOWN_JOINTS = 16, /* whose places are noted */
};

struct skb_plan {
    uint32_t seed;
    uint32_t joints;
    uint32_t before; /* bytes of the section before the header */
    uint32_t misalignment;
    uint8_t fill;
    const char *magic;
    uint32_t sections;    /* 0: two, as in every known file */
    bool backwards;       /* the last record comes first */
    const char *names[4]; /* of the first joints; NULL: j0, j1, ... */
};

/* Where things came to stand, from the start of the file. */
struct skb_places {
    struct xff_places container;
    size_t section;
    size_t header;
    size_t table;
    size_t strings;
    size_t record[SKB_KNOWN_JOINTS];
    size_t name[SKB_KNOWN_JOINTS];
};

/* A tree: joint i hangs on joint (i - 1) / 2. */
struct bytes make_skb(const struct skb_plan *plan, struct skb_places *places);

#endif
