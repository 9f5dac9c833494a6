/* SPDX-License-Identifier: MIT
 *
 * For the tests of sotc-nmo: a model in a container, with no code of the library. */
#ifndef OSSA_TEST_NMO_FIXTURE_H
#define OSSA_TEST_NMO_FIXTURE_H

#include "support/sotc_fixture.h"

#include <stdbool.h>

enum {
    NMO_HEADER_SIZE = 0x80,
    NMO_TABLES_AT = 0x30, /* in the header: boxes, textures, surfaces, draws, name */
    NMO_TABLE_SIZE = 16,
    NMO_TEXTURE_SIZE = 32,
    NMO_SURFACE_SIZE = 288,
    NMO_DRAW_SIZE = 32,
    NMO_BOX_SIZE = 48,
    NMO_KNOWN_CODES = 8, /* of the first strip, whose offsets are noted */
    NMO_KNOWN_DRAWS = 4,
};

struct nmo_plan {
    uint32_t seed;
    uint32_t textures;
    uint32_t surfaces;
    uint32_t draws;
    uint32_t strips;   /* per draw */
    uint32_t vertices; /* per strip: 256 at most */
    uint32_t flags;    /* of surfaces: 1 normals, 2 texture, 4 colours */
    bool float_normals;
    bool two_pairs; /* of texture coordinates */
    bool is_skinned;
    bool has_others; /* another vector per vertex */
    bool is_nameless;
    uint32_t boxes;
    uint32_t before; /* bytes of the section before the first chain */
    uint32_t misalignment;
    uint8_t fill; /* of what is not understood */
    const char *magic;
    uint32_t sections; /* 0: two, as in every known file */
};

/* Where things came to be, from the start of the file. */
struct nmo_places {
    size_t section;
    size_t header;
    size_t boxes;
    size_t textures;
    size_t surfaces;
    size_t draws;
    size_t names;
    size_t chain[NMO_KNOWN_DRAWS];
    size_t code[NMO_KNOWN_CODES]; /* of the first strip: tag, positions, ... */
    size_t start;                 /* the code behind it */
    size_t end;                   /* of the section */
};

struct bytes make_nmo(const struct nmo_plan *plan, struct nmo_places *places);

#endif
