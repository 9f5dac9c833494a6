/* SPDX-License-Identifier: MIT
 *
 * Entries that are gathered for an archive. */
#ifndef OSSA_CLI_PACKING_H
#define OSSA_CLI_PACKING_H

#include "cli.h"

enum { DEEPEST_ARCHIVE = 8 }; /* as the library reads them */

/* Entries being gathered, with what they lie on. */
struct packing {
    const struct cli *cli;
    ossa_packing *entries;
    char **names;        /* from malloc */
    ossa_buffer *packed; /* of archives that were made for it */
    ossa_bytes *bytes;   /* of files and entries */
    size_t count;
    size_t capacity;
    unsigned depth;                  /* archives around it */
    const struct os_file_id *output; /* the file that is there already; NULL: none */
};

/* Always false. */
bool packing_fail_memory(void);
void packing_free(struct packing *p);
/* Is it the file that is going to be replaced, or does it lie in that? What goes in is never lost
 * to what comes out. */
bool packing_is_output(const struct packing *p, const char *path);

/* One more entry; its data is to be set, which the other calls do for the last one. */
bool packing_add(struct packing *p, const char *name, uint32_t time);
void packing_set_data(struct packing *p, const uint8_t *data, size_t size);
/* The bytes of any path. */
bool packing_set_file(struct packing *p, const char *path);

/* The archive; false after a message, or when the sink has failed. */
bool packing_write(const struct packing *p, const char *format, ossa_sink sink, const char *shown);

/* All entries of an archive, with what --replace says, NAME=FILE each. It must stay until the
 * packing is freed. */
bool gather_archive(struct packing *p, const ossa_file *archive, const char *path,
                    const char *const *replacements, size_t count);

#endif
