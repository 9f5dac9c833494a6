/* SPDX-License-Identifier: MIT
 *
 * Disc images for tests: an ISO 9660 file system of files that are given, and raw CD sectors around
 * it. Nothing here is shared with the library. */
#ifndef OSSA_TEST_DISC_H
#define OSSA_TEST_DISC_H

#include "support/byte_list.h"

#include <stdbool.h>

enum {
    DISC_SECTOR = 2048,
    DISC_DESCRIPTORS = 16, /* the sector of the first one */
    DISC_ROOT = 156,       /* where the root's record is in one */
    DISC_FORM_2 = 0x1000,  /* attributes of XA */
    DISC_INTERLEAVED = 0x2000,
    DISC_AUDIO = 0x4000,
};

struct disc_file {
    const char *path; /* UTF-8, with / */
    const void *data;
    size_t size;
    uint32_t attributes; /* of XA, besides the usual ones */
};

struct disc_plan {
    const struct disc_file *files;
    size_t count;
    bool has_joliet;
    bool has_xa;
    size_t piece_size;          /* larger files are split: a multiple of DISC_SECTOR; 0: none is */
    uint32_t attribute_sectors; /* of extended attributes before each file */
};

struct disc {
    struct bytes image;    /* with sectors of 2048 bytes */
    uint32_t form_2_begin; /* sectors of the files that have DISC_FORM_2 */
    uint32_t form_2_end;
};

struct disc make_disc(const struct disc_plan *plan);

/* The offset of the directory record with this name as it is stored, from the `from`-th byte of an
 * image with sectors of 2048 bytes; aborts where there is none. */
size_t disc_record(const struct bytes *image, const char *name, size_t from);
/* Set a number that is stored in both byte orders. */
void disc_set_both(struct bytes *image, size_t offset, uint32_t value);

/* ---- sectors (disc_wrap.c) ----------------------------------------------------------------- */

enum disc_layout {
    DISC_2048,
    DISC_MODE_1,
    DISC_MODE_2,
    DISC_2336,
    DISC_MODE_1_2448,
    DISC_MODE_2_2448,
    DISC_LAYOUTS,
};
extern const char *const disc_layout_names[DISC_LAYOUTS];
size_t disc_stride(enum disc_layout layout);

/* The image with sectors of that layout, with checksums and error correction. */
struct bytes wrap_disc(const struct disc *disc, enum disc_layout layout);

/* The checksum of a CD, a bit at a time. */
uint32_t disc_edc(const uint8_t *bytes, size_t size);

#endif
