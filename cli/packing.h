/* SPDX-License-Identifier: MIT
 *
 * The entries of an archive that is being packed. */
#ifndef OSSA_CLI_PACKING_H
#define OSSA_CLI_PACKING_H

#include "cli.h"

enum { DEEPEST_ARCHIVE = 8 }; /* as deep as the library reads them */

/* The entries, and what owns their names and data. */
struct packing {
    struct cli *cli;
    ossa_packing *entries;
    struct packing_owner {
        char *name;         /* from malloc */
        ossa_buffer packed; /* of an archive that was packed for it */
        ossa_bytes bytes;   /* of a file or entry */
    } * owners;
    size_t count;
    unsigned depth; /* number of archives around it */
};

void packing_free(struct packing *p);

/* Add an entry; the next calls set its data. */
void packing_add(struct packing *p, const char *name, uint32_t time);
void packing_set_data(struct packing *p, const uint8_t *data, size_t size);
/* The bytes of any path. */
bool packing_set_file(struct packing *p, const char *path);
/* An archive of the entries of `inner`, which is freed. `ok`: they are complete. */
bool packing_set_archive(struct packing *p, struct packing *inner, const char *kind,
                         const char *path, bool ok);

/* Write an archive of a kind: a format, or a format, a space and its dialect. */
bool packing_write(const struct packing *p, const char *kind, ossa_sink sink, ossa_error *error);

/* ossa pack with an archive as its input; the exit status. */
int pack_archive(struct cli *cli);

#endif
