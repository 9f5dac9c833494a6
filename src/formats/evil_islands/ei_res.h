/* SPDX-License-Identifier: MIT
 *
 * What the parts of ei-res have in common: reading an archive (ei_res.c), its hash table
 * (ei_res_table.c), its JSON (ei_res_json.c) and packing one (ei_res_pack.c). */
#ifndef OSSA_EI_RES_H
#define OSSA_EI_RES_H

#include "archive/entries.h"
#include "codec/image.h"
#include "formats/modules.h"
#include "ossa/games/evil_islands.h"

enum {
    OSSA__RES_SIGNATURE = 0x019ce23c,
    OSSA__RES_HEADER_SIZE = 16,
    OSSA__RES_RECORD_SIZE = 22,
    OSSA__RES_ALIGNMENT = 16,
};

/* Where the fields are in a record. */
enum {
    OSSA__RES_NEXT = 0,
    OSSA__RES_SIZE = 4,
    OSSA__RES_OFFSET = 8,
    OSSA__RES_TIME = 12,
    OSSA__RES_NAME_LENGTH = 16,
    OSSA__RES_NAME_OFFSET = 18,
};

uint64_t ossa__res_record_at(const ossa_ei_res *res, uint32_t slot);
uint64_t ossa__res_names_at(const ossa_ei_res *res);

/* ---- the hash table ------------------------------------------------------------------------ */

enum { OSSA__RES_LAST = -1 }; /* the `next` of the last entry in a chain */

/* Where the game begins to look for a name in a table of `count` slots, which are not none. */
uint32_t ossa__res_first_slot(const void *name, size_t size, uint32_t count);

/* Report links that lead nowhere or in circles, and entries that the game does not find. */
void ossa__res_check_chains(struct ossa__context *context, const ossa_ei_res *res);

/* The slots of entries that are put into a table one after the other, each given with its first
 * slot in `slots`, which becomes its own; `next` has a link for each slot. */
void ossa__res_fill_table(struct ossa__context *context, uint32_t *slots, int32_t *next,
                          uint32_t count);

/* ---- pack and JSON ------------------------------------------------------------------------- */

void ossa__res_pack(struct ossa__context *context, const struct ossa__pack_plan *plan,
                    struct ossa__writer *writer);
void ossa__res_dump(const void *contents, struct ossa__json *json);
void *ossa__res_build(struct ossa__context *context, const struct ossa__value *data, uint64_t size);

#endif
