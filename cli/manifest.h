/* SPDX-License-Identifier: MIT
 *
 * ossa-archive.txt: describes the archive that a folder was extracted from, for packing it again.
 *
 *     ossa archive 1 ei-res
 *     TIME<tab>FILE<tab>NAME
 *
 * in the order of the archive. The format may be followed by a space and the dialect. In FILE and
 * NAME %, tabs and control characters are %XX. */
#ifndef OSSA_CLI_MANIFEST_H
#define OSSA_CLI_MANIFEST_H

#include "names.h"

#define MANIFEST_NAME "ossa-archive.txt"

struct manifest_line {
    uint32_t time; /* 0: none */
    char *file;    /* a path below the folder, from malloc */
    char *name;    /* of the entry, from malloc */
};

struct manifest {
    char kind[32]; /* a format, or a format and its dialect */
    struct manifest_line *lines;
    size_t count;
    struct names files; /* after loading */
};

void manifest_add(struct manifest *manifest, uint32_t time, const char *file, const char *name);
void manifest_free(struct manifest *manifest);

/* Write the manifest to a folder, together with the lines that the manifest there has for other
 * files. For the same files its lines stay, unless `force`. The folder is `relative` to `out`, ""
 * for that itself. False after a message. */
bool manifest_save(struct manifest *manifest, const struct os_folder *out, const char *relative,
                   const char *folder, bool force);
/* Read the manifest of a folder, if there is one; false after a message. */
bool manifest_load(struct manifest *manifest, const char *folder);
/* Does a loaded manifest list this file? */
bool manifest_has(const struct manifest *manifest, const char *file);

/* Some archives store folders as empty entries whose names end in a separator. */
bool is_folder_name(const char *entry);

#endif
