/* SPDX-License-Identifier: MIT
 *
 * What the writers of the three kinds of archives have in common. */
#ifndef OSSA_MM_AR_PACK_H
#define OSSA_MM_AR_PACK_H

#include "archive/pack.h"
#include "formats/midtown_madness/mm_ar.h"

enum { OSSA__AR_SECTOR = 0x800 }; /* where data of the second game begins */

/* An entry on its way into the archive. */
struct ossa__ar_item {
    const uint8_t *name; /* as it is stored */
    size_t name_size;
    const uint8_t *data; /* as it is stored; NULL: kept entries are read when they are written */
    uint64_t stored_size;
    uint64_t size;
    uint64_t offset; /* where it is, set when it is laid out */
    uint32_t crc;    /* of a ZIP */
};

struct ossa__ar_packer {
    struct ossa__context *context;
    const struct ossa__pack_plan *plan;
    struct ossa__writer *writer;
    const struct ossa__ar_contents *like; /* of the same kind; NULL: the archive is new */
    size_t old_count;                     /* entries of `like`, which are the first */
    uint32_t count;
    struct ossa__ar_item *items;
    uint32_t *order;    /* in which the data is stored: as in `like`, then what is new */
    uint64_t alignment; /* of data: as in `like`, or the kind's own */
};

/* One per kind. */
void ossa__ares_pack(struct ossa__ar_packer *p);
void ossa__dave_pack(struct ossa__ar_packer *p);
void ossa__zip_pack(struct ossa__ar_packer *p);

/* ---- for the writers ----------------------------------------------------------------------- */

/* The names in Latin-1. */
void ossa__ar_take_names(struct ossa__ar_packer *p);
/* The order of two names: `rank` is that of their characters, which kinds of archives see
 * differently. */
int ossa__ar_compare(const struct ossa__ar_item *a, const struct ossa__ar_item *b,
                     int (*rank)(uint8_t c));
/* What is stored of each entry: as in `like`, or deflated if that is smaller and allowed. */
void ossa__ar_take_data(struct ossa__ar_packer *p, bool deflates);
/* Give each entry an offset, the first at `begin` or after it; fails beyond 4 GiB. */
void ossa__ar_lay_out(struct ossa__ar_packer *p, uint64_t begin);
/* Write the data, after `begin` bytes of the archive. */
void ossa__ar_write_data(struct ossa__ar_packer *p, uint64_t begin);
/* The data of one entry, as it is stored. */
void ossa__ar_write_item(struct ossa__ar_packer *p, uint32_t index);
void ossa__ar_write_zeros(struct ossa__writer *writer, uint64_t count);
/* Fail for an entry. Always false. */
bool ossa__ar_refuse(struct ossa__ar_packer *p, uint32_t index, const char *field, ossa_code code,
                     const char *message, uint64_t number);

#endif
