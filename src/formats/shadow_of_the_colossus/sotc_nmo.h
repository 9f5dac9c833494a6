/* SPDX-License-Identifier: MIT
 *
 * The parts of the format sotc-nmo: tables (sotc_nmo.c), strips (sotc_chain.c), JSON
 * (sotc_nmo_json.c). */
#ifndef OSSA_SOTC_NMO_H
#define OSSA_SOTC_NMO_H

#include "formats/shadow_of_the_colossus/sotc_xff.h"

/* The five tables that the header leads to, each with four words. */
enum ossa__nmo_table {
    OSSA__NMO_BOXES,
    OSSA__NMO_TEXTURES,
    OSSA__NMO_SURFACES,
    OSSA__NMO_DRAWS,
    OSSA__NMO_NAME,
    OSSA__NMO_TABLES,
};

enum {
    OSSA__NMO_VERSION = 3,
    OSSA__NMO_HEADER_SIZE = 4 * OSSA_SOTC_NMO_WORDS,
    /* words of the header */
    OSSA__NMO_UNKNOWN = 2,
    OSSA__NMO_FLOATS = 8,
    OSSA__NMO_TABLE = 12,
    /* bytes of a record */
    OSSA__NMO_BOX_SIZE = 48,
    OSSA__NMO_TEXTURE_SIZE = 32,
    OSSA__NMO_SURFACE_SIZE = 288,
    OSSA__NMO_DRAW_SIZE = 32,
    /* where something is in a record */
    OSSA__NMO_TEXTURE_NAME_AT = 4,
    OSSA__NMO_SURFACE_NAME_AT = 12,
    OSSA__NMO_SURFACE_FLAGS_AT = 24,
    OSSA__NMO_STAGE_AT = 32,
    OSSA__NMO_STAGE_SIZE = 16,
    OSSA__NMO_STAGE_TEXTURE_AT = 12,
    OSSA__NMO_PACKET_AT = 96,
    OSSA__NMO_PACKET_WORDS = 48,
    OSSA__NMO_DRAW_SURFACE_AT = 8,
    OSSA__NMO_CHAIN_OFFSET_AT = 16,
};

/* In the JSON and in the trace. */
extern const char *const ossa__nmo_table_names[OSSA__NMO_TABLES];

/* One file being read. */
struct ossa__nmo_reader {
    struct ossa__context *context;
    struct ossa__reader section; /* the whole of section 1 */
    struct ossa__coverage coverage;
    ossa_sotc_nmo *nmo;
    uint64_t header_at;
    ossa_sotc_model_texture *textures; /* those of `nmo`, until all is known of them */
    ossa_sotc_surface *surfaces;
    ossa_sotc_draw *draws;
    uint64_t draws_at;       /* the table of draws */
    uint32_t odd_skins;      /* strips with weights that nobody understands */
    uint64_t first_odd_skin; /* the first such vertex: where it is, */
    uint32_t first_odd_draw; /* in which draw */
    uint64_t first_odd_code; /* and behind which code of its chain */
};

/* The strips of all draws; what is derived in the draws is filled in. */
void ossa__nmo_read_chains(struct ossa__nmo_reader *reader);

/* The flags of the surface of a draw; 0 where there is none. */
uint32_t ossa__nmo_flags(const ossa_sotc_nmo *nmo, const ossa_sotc_draw *draw);

void ossa__nmo_dump(const void *contents, struct ossa__json *json);
void *ossa__nmo_build(struct ossa__context *context, const struct ossa__value *data, uint64_t size);
void ossa__nmo_describe(const void *contents, struct ossa__report *report);

#endif
