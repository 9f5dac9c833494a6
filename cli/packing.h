/* SPDX-License-Identifier: MIT
 *
 * Entries that are gathered for an archive. */
#ifndef OSSA_CLI_PACKING_H
#define OSSA_CLI_PACKING_H

#include "archives.h"

/* Entries being gathered, with what they lie on. */
struct packing {
    const struct cli *cli;
    ossa_packing *entries;
    char **names;           /* from malloc */
    struct os_bytes *files; /* of files on the disk */
    ossa_buffer *packed;    /* of archives that were made for it */
    ossa_bytes *bytes;      /* of entries */
    size_t count;
    size_t capacity;
    unsigned depth;
    const struct os_file_id *output; /* the file that is there already; NULL: none */
};

/* Always false. */
bool packing_fail_memory(void);
void packing_free(struct packing *p);
/* How large what is read may be. */
uint64_t packing_limit(const struct cli *cli);
/* Is it the file that is going to be replaced? What goes in is never lost to what comes out. */
bool packing_is_output(const struct packing *p, const char *path);
/* The same for those that the call has open; true after a message. */
bool packing_replaces_archive(const struct packing *p);

/* One more entry; its data is to be set, which the other calls do for the last one. */
bool packing_add(struct packing *p, const char *name, uint32_t time);
void packing_set_data(struct packing *p, const uint8_t *data, size_t size);
bool packing_set_file(struct packing *p, const char *path);

/* The archive; false after a message, or when the sink has failed. */
bool packing_write(const struct packing *p, const char *format, ossa_sink sink, const char *shown);

/* All entries of an indexed archive, with what --replace says, NAME=FILE each. */
bool gather_archive(struct packing *p, const struct archive *archive,
                    const char *const *replacements, size_t count);

#endif
