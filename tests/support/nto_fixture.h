/* SPDX-License-Identifier: MIT
 *
 * How the tests make textures of Shadow of the Colossus (sotc-nto), with no code of the library. */
#ifndef OSSA_TEST_NTO_FIXTURE_H
#define OSSA_TEST_NTO_FIXTURE_H

#include "support/byte_list.h"

enum {
    NTO_HEADER_SIZE = 0xB0,
    NTO_VERSION_AT = 0x04,
    NTO_PIXELS_AT = 0x14,
    NTO_PALETTE_AT = 0x18,
    NTO_KIND_AT = 0x1C,
    NTO_LEVELS_AT = 0x1D,
    NTO_SIDES_AT = 0x1E,
    NTO_SWIZZLED_AT = 0x1F,
    NTO_TEST_AT = 0x80,
    NTO_RGBA32 = 0,
    NTO_8 = 0x13,
    NTO_4 = 0x14,
};

struct nto_plan {
    uint32_t seed;
    uint32_t kind;
    uint32_t width;  /* log2 */
    uint32_t height; /* log2 */
    uint32_t levels; /* 0: one */
    uint32_t swizzled;
    const char *name;  /* NULL: "tex" */
    const char *magic; /* of the container; NULL: "xff\0" */
    uint32_t before;   /* bytes of the section before the header */
    uint8_t fill;      /* of what is not understood */
    /* NULL: random texels and colours */
    const uint8_t *texels;
    const uint8_t (*palette)[4];
};

/* Where things came to be, from the start of the file. */
struct nto_places {
    size_t section;
    size_t header;
    size_t texels;
    size_t palette;
    size_t name;
    size_t end; /* of the section */
};

struct bytes make_nto(const struct nto_plan *plan, struct nto_places *places);

#endif
