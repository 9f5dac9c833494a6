/* SPDX-License-Identifier: MIT
 *
 * ossa-archive.txt: what a folder of extracted files was, so that it can be packed again.
 *
 *     ossa archive 1 ei-res
 *     TIME<tab>FILE<tab>NAME
 *
 * in the order of the archive. In FILE and NAME %, tabs and control characters are %XX. */
#ifndef OSSA_CLI_MANIFEST_H
#define OSSA_CLI_MANIFEST_H

#include "cli.h"

#define MANIFEST_NAME "ossa-archive.txt"

struct manifest_line {
    uint32_t time;
    char *file; /* a path below the folder */
    char *name; /* of the entry */
};

struct manifest {
    char format[32];
    struct manifest_line *lines;
    size_t count;
    const char **sorted; /* the files, of one that was loaded */
};

bool manifest_add(struct manifest *manifest, uint32_t time, const char *file, const char *name);
void manifest_free(struct manifest *manifest);

/* Write it into a folder; false after a message. */
bool manifest_save(const struct manifest *manifest, const char *folder);
/* Read that of a folder: false after a message; `*found` tells whether there is one. */
bool manifest_load(struct manifest *manifest, const char *folder, bool *found);
/* Does one that was loaded name this file? */
bool manifest_names(const struct manifest *manifest, const char *file);

#endif
