/* SPDX-License-Identifier: MIT
 *
 * Names from inside game files as names on the disk. They are hostile: nothing may be written
 * outside the folder that the user named, and no two may differ only in letter case. */
#ifndef OSSA_CLI_NAMES_H
#define OSSA_CLI_NAMES_H

#include "cli.h"

/* The paths in use below a folder. Only hashes are kept, so that a million names stay fast and
 * small: at worst a path gets a number that it does not need. */
struct names {
    struct name_slot *slots;
    size_t count;
    size_t capacity;
};

/* A free path below the folder for an archive entry, from malloc; NULL if memory runs out. Folders
 * may be taken again; a file never gets the path of a folder, nor a folder that of a file. */
char *take_path(struct names *names, const char *entry, bool for_folder);
void names_free(struct names *names);

/* One file name per name, each followed by `end` (".bvh"). A name that occurs several times keeps
 * its first occurrence; the others get a number. From malloc, for free_texts; NULL if memory runs
 * out. */
char **make_file_names(const char *const *names, size_t count, const char *end);

#endif
