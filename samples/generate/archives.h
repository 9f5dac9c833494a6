/* SPDX-License-Identifier: MIT
 *
 * Archives as the games have them, by the layouts and without the library. */
#ifndef OSSA_SAMPLES_ARCHIVES_H
#define OSSA_SAMPLES_ARCHIVES_H

#include "emit.h"

enum { ARCHIVE_MOST = 64 };

struct member {
    char name[64];
    struct bytes bytes;
};

struct archive {
    unsigned count;
    struct member members[ARCHIVE_MOST];
};

/* The bytes are copied. */
void archive_add(struct archive *archive, const char *name, const struct bytes *bytes);

/* Each writes the archive and empties it. */
struct bytes pack_res(struct archive *archive); /* Evil Islands */
struct bytes pack_pak(struct archive *archive); /* Vib-Ribbon */
/* Midtown Madness: the names, in capitals and in order, are below one folder. */
struct bytes pack_ares(struct archive *archive, const char *folder);

/* A disc image with the files in its root, named as they are stored there ("NICO.DAT;1"), in order.
 */
struct bytes pack_disc(struct archive *archive);

#endif
