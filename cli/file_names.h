/* SPDX-License-Identifier: MIT
 *
 * Names from inside game files as names of files. They are hostile: nothing may be written outside
 * of the folder that the user named. */
#ifndef OSSA_CLI_FILE_NAMES_H
#define OSSA_CLI_FILE_NAMES_H

#include <stddef.h>

/* A file name for each name, with `end` (".bvh") behind it: separators, control characters and what
 * Windows forbids become _, names of devices and empty ones are changed, long ones cut, and all
 * differ also for those who ignore letter case. From malloc, to be freed with free_file_names; NULL
 * where there is no memory. */
char **make_file_names(const char *const *names, size_t count, const char *end);
void free_file_names(char **names, size_t count);

#endif
