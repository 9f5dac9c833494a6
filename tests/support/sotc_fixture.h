/* SPDX-License-Identifier: MIT
 *
 * For the generators of Shadow of the Colossus: a container around sections, and an animation. */
#ifndef OSSA_TEST_SOTC_FIXTURE_H
#define OSSA_TEST_SOTC_FIXTURE_H

#include "support/byte_list.h"

enum {
    XFF_SIZE_AT = 0x14,
    XFF_COUNT_AT = 0x40,
    XFF_ENTRY_AT = 0x4c,
    XFF_SECTIONS_AT = 0x5c,
    XFF_POSITIONS_AT = 0x68,
    XFF_STRINGS_AT = 0x6c,
    XFF_HEADER_SIZE = 112,
    XFF_SECTION_SIZE = 32,
    XFF_MAX_SECTIONS = 4,
    ANB_HEADER_SIZE = 68,
    ANB_KNOWN_BONES = 16, /* whose places are noted */
};

/* What goes into a container. The data stays the caller's. */
struct xff_plan {
    const char *magic; /* 4 bytes */
    uint32_t count;
    const char *names[XFF_MAX_SECTIONS];
    struct bytes data[XFF_MAX_SECTIONS];
    uint32_t entry;
    uint32_t misalignment; /* data starts that many bytes after a multiple of 16 */
    uint8_t fill;          /* of padding and of the words that are not understood */
};

/* Where things came to stand, from the start of the file. */
struct xff_places {
    size_t positions;
    size_t sections;
    size_t strings;
    size_t data[XFF_MAX_SECTIONS];
};

struct bytes make_xff(const struct xff_plan *plan, struct xff_places *places);

/* What the game puts around data of one kind: they are the second of two sections. It takes over
 * the data; magic and count may be left out. */
struct bytes wrap_in_xff(struct xff_plan plan, struct bytes data, struct xff_places *places);

/* Offset of word `word` of section `index`. */
size_t xff_section_word(const struct xff_places *places, uint32_t index, uint32_t word);

struct anb_plan {
    uint32_t seed;
    const uint8_t *flags; /* of each bone; NULL: all kinds in turn */
    uint32_t bones;
    uint32_t poses;
    uint32_t poses_high;
    uint32_t before; /* bytes of the section before the header */
    uint32_t misalignment;
    uint8_t fill;
    const char *magic;
    uint32_t sections; /* 0: two, as in every known file */
};

/* From the start of the file too. */
struct anb_places {
    struct xff_places container;
    size_t section;
    size_t header;
    size_t flags;
    size_t records;
    size_t record[ANB_KNOWN_BONES];
    size_t keys[ANB_KNOWN_BONES]; /* 0: none */
};

struct bytes make_anb(const struct anb_plan *plan, struct anb_places *places);

/* The same data in a container such as the game has them: with a symbol that names it, and with
 * relocations, whose tables are behind the data. */
struct bytes make_linked_anb(const struct anb_plan *plan, const char *name,
                             struct anb_places *places);

/* An animation of objects, of which section 1 starts at `*section`: "gate", "lamp", "bell" and
 * "rope", with curves of every mode that is known, one of a mode that is not, and none. */
enum { OBJECTS_KIND = 4, OBJECTS_TABLE = 0x20, OBJECTS_TRACKS = OBJECTS_TABLE + 4 * 12 };
struct bytes make_object_animation(size_t *section);

#endif
