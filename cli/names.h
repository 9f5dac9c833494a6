/* SPDX-License-Identifier: MIT
 *
 * Names from inside game files as names on the disk. They are hostile: nothing may be written
 * outside the folder that the user named, and no two may differ only in letter case. */
#ifndef OSSA_CLI_NAMES_H
#define OSSA_CLI_NAMES_H

#include "cli.h"

/* The names in use. Only hashes are kept, so that a million names stay fast and small: at worst a
 * name gets a number that it does not need. */
struct names {
    struct name_slot *slots;
    size_t count;
    size_t capacity;
};

/* Add the hash of a name; false if it is there already. */
bool names_add(struct names *names, uint64_t hash);
bool names_has(const struct names *names, uint64_t hash);
/* A free path below a folder for an archive entry, from malloc. Folders may be taken again; a file
 * never gets the path of a folder, nor a folder that of a file. */
char *names_take_path(struct names *names, const char *entry, bool for_folder);
/* Replace names by file names that end in `end` (".bvh"). A name that occurs several times keeps
 * its first occurrence; the others get a number. */
void make_file_names(struct names *names, struct texts *list, const char *end);
void names_free(struct names *names);

#endif
