/* SPDX-License-Identifier: MIT
 *
 * A file of a disc as if it were an archive: what is in it must be searched for. Its entries are
 * named by their places, 0x00012800.anb. */
#ifndef OSSA_CLI_SCAN_H
#define OSSA_CLI_SCAN_H

#include "cli.h"

/* One thing that was found. */
struct scanned {
    ossa_entry entry;
    ossa_sotc_found found; /* found.name: what it calls itself, or "" */
    char name[40];
};

struct scan {
    struct os_random file;
    struct scanned **items; /* each stays where it is */
    size_t count;
    bool out_of_memory;
    struct progress progress;
};

/* Open a file, without a search; NULL with the error where that fails. */
struct scan *scan_open(const char *path, ossa_error *error);
void scan_close(struct scan *scan);

/* Search all of it. */
bool scan_search(struct scan *scan, ossa_error *error);

/* Is it the name of an entry, as far as can be seen from it? */
bool scan_is_name(const char *name);
/* The entry of that name, which is looked for only there: "0x12800" and "0x00012800.anb" are the
 * same. -1: there is none. */
int64_t scan_find(struct scan *scan, const char *name);

const ossa_sotc_found *scan_found(const struct scan *scan, size_t index);
bool scan_bytes(struct scan *scan, size_t index, const ossa_options *options, ossa_bytes *bytes,
                ossa_error *error);

/* After a file could not be read: a word more if there is something to be found near its start,
 * which is quickly looked for. */
void hint_at_scan(const char *path, const ossa_error *error);

#endif
