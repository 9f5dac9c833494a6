/* SPDX-License-Identifier: MIT
 *
 * For the tests of vib-tmd: the kinds of packets, and a model made of them. */
#ifndef OSSA_TEST_TMD_FIXTURE_H
#define OSSA_TEST_TMD_FIXTURE_H

#include "support/byte_list.h"

#include <stdbool.h>

enum {
    TMD_TABLE_AT = 12,
    TMD_OBJECT_SIZE = 28,
    TMD_KINDS = 22,
    TMD_KNOWN_OBJECTS = 8, /* whose places are noted */
};

/* Two characters a word: C. a colour, U. texture coordinates, n an index of a normal, v one of a
 * vertex, - two bytes of nothing. */
struct tmd_kind {
    uint8_t flag;
    uint8_t mode;
    uint8_t ilen;
    const char *layout;
};
extern const struct tmd_kind tmd_kinds[TMD_KINDS];

struct tmd_plan {
    uint32_t seed;
    uint32_t objects;
    uint32_t vertices; /* of each object */
    uint32_t normals;
    uint32_t packets;
    bool every_kind; /* all kinds in turn, also translucent and double-sided; else lines */
    bool absolute;   /* offsets from the start of the file */
    uint32_t gap;    /* bytes before each array */
    uint8_t fill;    /* of gaps, and of what has no meaning */
};

/* Where things came to stand. */
struct tmd_places {
    size_t vertices[TMD_KNOWN_OBJECTS];
    size_t normals[TMD_KNOWN_OBJECTS];
    size_t packets[TMD_KNOWN_OBJECTS];
    size_t last_packet; /* of the last object */
};

struct bytes make_tmd(const struct tmd_plan *plan, struct tmd_places *places);

/* A box of unequal sides beside the origin, as the console's tools store one: polygons of every
 * kind, going clockwise seen from outside, and normals that point outwards. The fixture "solid". */
enum { TMD_SOLID_VERTICES = 8, TMD_SOLID_NORMALS = 14, TMD_SOLID_PACKETS = 40 };
struct bytes make_solid_tmd(struct tmd_places *places);

/* Where word `word` of an object's record is. */
size_t tmd_object_word(uint32_t object, uint32_t word);

#endif
