/* SPDX-License-Identifier: MIT
 *
 * The sectors of a disc image. A file system sees 2048 bytes per sector; raw images store more
 * around them.
 *
 *     bytes  data at
 *     2048   0        the data alone
 *     2352   16       Mode 1: sync 12, address 3, mode 1, data 2048, EDC 4, zeros 8, ECC 276
 *     2352   24       Mode 2, Form 1: sync, address, mode, subheader 4 twice, data 2048, EDC, ECC
 *                     Mode 2, Form 2: the same with 2324 bytes of sound or film and the EDC
 *     2336   8        Mode 2 without sync, address and mode
 *     2448            2352 and 96 bytes of subchannels
 *
 * Positions count bytes of data; offsets count bytes of the image. */
#ifndef OSSA_DISC_SECTORS_H
#define OSSA_DISC_SECTORS_H

#include "codec/parts.h"

enum {
    OSSA__SECTOR = 2048,         /* bytes of data */
    OSSA__RAW_SECTOR = 2352,     /* with all that a CD stores */
    OSSA__LARGEST_SECTOR = 2448, /* and its subchannels */
    OSSA__SYNC = 12,             /* bytes that every raw sector begins with */
    OSSA__FIRST_DESCRIPTOR = 16, /* the sector that tells what a disc is */
};

struct ossa__sectors {
    ossa_source source;
    uint32_t stride; /* bytes from one sector to the next */
    uint32_t data;   /* offset of the data in one */
    uint64_t count;  /* of whole sectors */
    uint64_t size;   /* of the data in all of them, and in what there is of one more */
};

/* The sectors of an image with an ISO 9660 file system, if it has one. */
enum ossa__disc_find {
    OSSA__DISC_NONE,
    OSSA__DISC_FOUND,
    OSSA__DISC_RAW,    /* it begins with a raw sector, and has none */
    OSSA__DISC_UNREAD, /* bytes that must be looked at cannot be read */
};
enum ossa__disc_find ossa__sectors_find(struct ossa__sectors *sectors, const ossa_source *source);

/* Does a sector begin with the pattern that all raw ones have? */
bool ossa__has_sync(const uint8_t *sector);

/* "CD sectors of 2352 bytes (Mode 1)" */
const char *ossa__sectors_title(const struct ossa__sectors *sectors);

/* Where in the image a position is. */
uint64_t ossa__sectors_offset(const struct ossa__sectors *sectors, uint64_t position);

/* Read data. False: it is not all inside, cannot be read, or lies in a sector of Form 2, which has
 * other data than these 2048 bytes. */
bool ossa__sectors_read(const struct ossa__sectors *sectors, uint64_t position, void *bytes,
                        uint64_t size);

#endif
