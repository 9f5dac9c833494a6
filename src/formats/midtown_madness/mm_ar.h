/* SPDX-License-Identifier: MIT
 *
 * What the readers of the three kinds of archives have in common. */
#ifndef OSSA_MM_AR_H
#define OSSA_MM_AR_H

#include "archive/entries.h"
#include "codec/image.h"
#include "formats/modules.h"
#include "ossa/games/midtown_madness.h"

enum { OSSA__AR_LONGEST_NAME = 255 }; /* of one name; the games have room for 55 */

/* What else is known about an entry. */
struct ossa__ar_detail {
    uint64_t at;     /* offset of its record */
    uint32_t record; /* index of its record */
    uint32_t crc;
    uint16_t method; /* compression method as in a ZIP: 0 stored, 8 deflated */
    uint16_t flags;  /* of a ZIP */
    bool has_crc;
};

struct ossa__ar_contents {
    ossa_mm_ar ar; /* first: a pointer to it is a pointer to this */
    const struct ossa__ar_detail *details;
    const struct ossa__parts *parts; /* where the image is read from; NULL: it is in memory */
};

/* One archive being read. */
struct ossa__ar_reader {
    struct ossa__context *context;
    struct ossa__reader file;
    struct ossa__coverage coverage;
    ossa_mm_ar *ar;
    const char *records; /* what they are called: "nodes" or "entries" */
    ossa_entry *entries;
    struct ossa__ar_detail *details;
    size_t room;     /* number of entries allocated */
    uint64_t stored; /* bytes of all entries so far; see ossa__ar_cover */
    uint64_t named;  /* the same for all names */
};

/* One per kind. Issues and failures are reported through the context. */
void ossa__ares_read(struct ossa__ar_reader *r);
void ossa__dave_read(struct ossa__ar_reader *r);
void ossa__zip_read(struct ossa__ar_reader *r);

/* For probes: do the tables that the header describes fit in the file? */
bool ossa__ares_fits(const uint8_t *data, uint64_t size);
bool ossa__dave_fits(const uint8_t *data, uint64_t size);
/* The same for a ZIP, which is identified by its end record; false if there is none. */
bool ossa__zip_find_end(const uint8_t *data, uint64_t size, uint64_t *at);

/* ---- for the readers ----------------------------------------------------------------------- */

/* Allocate room for entries; false after a failure. */
bool ossa__ar_room(struct ossa__ar_reader *r, size_t count);
/* Add an entry; its name is copied into the arena. */
void ossa__ar_add(struct ossa__ar_reader *r, ossa_entry entry, const char *name, size_t name_size,
                  struct ossa__ar_detail detail);

/* Mark bytes as those of an entry; they must be in the file. Warns if they overlap something else.
 * Fails if overlapping entries add up to many times the file, because marking them would take that
 * many times as long. */
void ossa__ar_cover(struct ossa__ar_reader *r, uint64_t offset, uint64_t size, const char *field);

/* A NUL-terminated name in a block of names, as the field `field`; it is traced once, however
 * many entries refer to it. `at` and `offset_field` are where its offset was read. NULL after a
 * failure. */
struct ossa__ar_names {
    uint64_t begin; /* of the block in the file */
    uint64_t size;
};
const char *ossa__ar_name(struct ossa__ar_reader *r, const struct ossa__ar_names *names,
                          uint32_t offset, const char *field, const char *offset_field, uint64_t at,
                          size_t *size);

/* Report that the bytes of an entry are not all in the file; always true. */
bool ossa__ar_is_missing(struct ossa__ar_reader *r, uint64_t at, const char *field, uint64_t offset,
                         uint64_t size);

/* Make an archive (mm_ar_pack.c). */
void ossa__ar_pack(struct ossa__context *context, const struct ossa__pack_plan *plan,
                   struct ossa__writer *writer);

/* ---- JSON ---------------------------------------------------------------------------------- */

/* The tables of an archive as members, and back. */
void ossa__ares_dump(struct ossa__json *json, const ossa_mm_ar *ar);
void ossa__ares_build(struct ossa__image *image, const struct ossa__value *data);
void ossa__dave_dump(struct ossa__json *json, const ossa_mm_ar *ar);
void ossa__dave_build(struct ossa__image *image, const struct ossa__value *data);

/* A NUL-terminated name: one character per byte, so that any byte survives. */
void ossa__ar_dump_name(struct ossa__json *json, const char *key, const uint8_t *name);
void ossa__ar_build_name(struct ossa__image *image, const struct ossa__value *object,
                         const char *key, uint64_t at);

/* The data, or its size where it is not all there. Building returns its size in both cases. */
void ossa__ar_dump_bytes(struct ossa__json *json, const ossa_mm_ar *ar, const char *size_key,
                         uint32_t offset, uint32_t size);
uint32_t ossa__ar_build_bytes(struct ossa__image *image, const struct ossa__value *object,
                              const char *size_key, uint32_t offset, uint32_t most);

/* A member that is a number of at most `most`, and one that is put at `at`. */
uint32_t ossa__ar_build_number(const struct ossa__value *object, const char *key, uint32_t most);
void ossa__ar_build_word(struct ossa__image *image, const struct ossa__value *object,
                         const char *key, uint64_t at);

#endif
