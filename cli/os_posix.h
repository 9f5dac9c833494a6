/* SPDX-License-Identifier: MIT
 *
 * Shared by the os_posix*.c. */
#ifndef OSSA_CLI_OS_POSIX_H
#define OSSA_CLI_OS_POSIX_H

#include "os_parts.h"

/* Open the folder that a path below another is in; `name` is the rest of the path, as far as it was
 * followed. With `made`, folders in between are created and counted, or none on failure. -1, with
 * errno, on failure. Without a folder, this is the current folder and the path itself. Like the two
 * others it may be called by the handler of a signal. */
int os_enter(const struct os_folder *folder, const char *path, size_t *made, const char **name);
void os_leave(int at);
/* The same, and remove so many of the innermost folders, if they are empty. */
void os_leave_and_remove(int at, const char *path, const char *name, size_t made);
/* Why entering failed, by errno. Always false. */
bool os_explain_below(const struct os_folder *folder, const char *path, const char *name,
                      struct os_why *why);

#endif
